"""Random trees over numbers, and relations between columns, against brute force: ``python tests/orders_random.py``.

Every row of whole numbers is looked at. A feature that stays in its range keeps its number.
"""

from __future__ import annotations

import random
import sys
from itertools import product

import random_runs

import symcf
import symcf.fast

LEAST, GREATEST = -2, 10
SIGNS = {"<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b}


def tree_of(rng, features, depth):
    """Nested dicts."""
    if not depth or rng.random() < 0.15:
        return {"scores": [rng.randint(-5, 5), rng.randint(-5, 5)]}
    below = {side: tree_of(rng, features, depth - 1) for side in ("yes", "no")}
    return {"feature": rng.choice(features), "at_most": rng.choice([0, 1, 2.5, 4, 6]), **below}


def check(seed):
    """One forest, one row, one or two relations. ensures: AssertionError with the seed if an answer is wrong."""
    rng = random.Random(f"orders {seed}")
    n = rng.randint(2, 3)
    features = rng.sample(["late 30d", "b", "max", "0x"], n)
    trees = [tree_of(rng, features, rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
    model = symcf.RandomForest(trees, features=features, classes=rng.choice([("no", "yes"), (1, 0), (True, False)]))
    compiled = symcf.compile(model)
    x = [rng.randint(0, 8) for _ in features]
    halves = n == 2 and rng.random() < 0.3
    keywords = {"resolution": dict.fromkeys(features, 0.5)} if halves else {}
    if halves:
        x = [v + rng.choice([0.0, 0.5]) for v in x]
    least, greatest = [LEAST] * n, [GREATEST] * n
    for j in range(n):
        if rng.random() < 0.15:
            keywords.setdefault("immutable", []).append(features[j])
            least[j], greatest[j] = 1, 0
        elif rng.random() < 0.2:
            least[j], greatest[j] = sorted((rng.randint(0, 8), rng.randint(0, 8)))
            keywords.setdefault("allowed", {})[features[j]] = [least[j], greatest[j]]
    count = rng.choice([1, 1, 2])
    signs = list(SIGNS) if count == 1 else ["<=", ">="]  # strict ones next to others are refused
    given = [(*rng.sample(range(n), 2), rng.choice(signs)) for _ in range(count)]
    texts = [f"`{features[a]}` {sign} `{features[b]}`" for a, b, sign in given]
    keywords["constraints"] = texts
    told = f"seed {seed}: {trees} {features} {x} {keywords}"
    codes, now = compiled.codes([x])[0].tolist(), int(compiled.predict([x])[0])

    grid = [v / 2 for v in range(2 * LEAST, 2 * GREATEST + 1)] if halves else range(LEAST, GREATEST + 1)
    every = list(product(grid, repeat=n))
    read = compiled.codes(every).tolist()
    decided = compiled.predict(every).tolist()
    ways = {}
    for row, own, k in zip(every, read, decided, strict=True):
        kept = all(row[j] == x[j] or (own[j] != codes[j] and least[j] <= row[j] <= greatest[j]) for j in range(n))
        if kept and k != now and all(SIGNS[sign](row[a], row[b]) for a, b, sign in given):
            ways.setdefault(tuple(j for j in range(n) if row[j] != x[j]), []).append(row)
    sets = [s for s in ways if not any(set(t) < set(s) for t in ways)]
    sets.sort(key=lambda s: (len(s), s))

    for engine in ("auto", "trees", "minimal"):
        assert list(compiled.explain(x, engine=engine, **keywords).sets) == sets, f"{told} {engine}"
    e = compiled.explain(x, **keywords)
    spans = [float(scale.span) for scale in compiled.encoder.scales]

    def far(row):
        return sum(abs(new - old) / span for new, old, span in zip(row, x, spans, strict=True))

    for cf in e:
        row = tuple(cf.row)
        assert row in ways[cf.features], f"{told} {row}"
        assert far(row) <= min(map(far, ways[cf.features])) + n / 1000, f"{told} {row}"
        ends = [(c.feature, c.range.first, c.range.last) for c in cf.changes]
        corners = product(*([max(first, LEAST), min(last, GREATEST)] for _, first, last in ends))
        for corner in corners:
            moved = list(x)
            for (j, _, _), number in zip(ends, corner, strict=True):
                moved[j] = number
            assert all(SIGNS[sign](moved[a], moved[b]) for a, b, sign in given), f"{told} {moved}"
            assert int(compiled.predict([moved])[0]) != now, f"{told} {moved}"
    assert symcf.verify(compiled, x, e), told
    batch = symcf.fast.explain_batch(compiled, [x, x], **keywords)
    assert [list(part.sets) for part in batch] == [sets, sets], told
    if sets:
        assert batch.to_frame().iloc[0].tolist() == list(e[0].row), told


if __name__ == "__main__":
    sys.exit(random_runs.run(check, "forests", __doc__, 1000))
