"""Random questions about plausible rows against brute force: ``python tests/drivers/plausibility_random.py``.

Models of every kind under awkward names are those of `tests/torture`. The likelihood of every row is counted anew, and
every row is looked at.
"""

from __future__ import annotations

import math
import random
import sys
from fractions import Fraction
from itertools import product

import random_runs

# isort: split
import oracle
import reference
from torture import models, plans, run

import symcf
import symcf.fast


def likelihoods(plausibility, data, n_values, alpha):
    """By row of codes, its log-likelihood in hundredths; from the data, given only the cells and the tree."""
    cell = [part.table for part in plausibility.cells]

    def chance(row, j):
        parent = plausibility.parents[j]
        alike = [r for r in data if parent < 0 or cell[parent][r[parent]] == cell[parent][row[parent]]]
        same = [r for r in alike if cell[j][r[j]] == cell[j][row[j]]]
        return (len(same) + alpha) / (len(alike) + alpha * len(set(cell[j])))

    known = {}

    def term(row, j):
        parent = plausibility.parents[j]
        key = (j, cell[j][row[j]], None if parent < 0 else cell[parent][row[parent]])
        if key not in known:
            known[key] = round(100 * math.log(chance(row, j)))
        return known[key]

    return {row: sum(term(row, j) for j in range(len(row))) for row in product(*map(range, n_values))}


def plausibilities(sums, data):
    """By row, the share of the data that is at most as likely."""
    own = sorted(sums[tuple(row)] for row in data)
    return {row: Fraction(sum(1 for other in own if other <= total), len(own)) for row, total in sums.items()}


def question_of(rng, model, x):
    """Keywords, and what they allow: codes by feature, rows, costs and the most changes."""
    keywords, choices = {}, [list(range(d)) for d in model.n_values]
    for j in range(model.n):
        if rng.random() < 0.1:
            keywords.setdefault("immutable", []).append(model.feature_names[j])
            choices[j] = []
    cost = [1] * model.n
    if rng.random() < 0.3:
        cost = keywords["cost"] = [rng.randint(1, 4) for _ in range(model.n)]
    holds = lambda row: True  # noqa: E731
    if model.n > 1 and model.knows_labels and rng.random() < 0.3:
        a, b = rng.sample(range(model.n), 2)
        v, w = rng.randrange(model.n_values[a]), rng.randrange(model.n_values[b])
        names, labels = model.feature_names, (model.labels(a)[v], model.labels(b)[w])
        keywords["constraints"] = [symcf.forbid({names[a]: labels[0], names[b]: labels[1]})]
        holds = lambda row: not (row[a] == v and row[b] == w)  # noqa: E731
    most = rng.choice([None, None, None, 1, 2])
    if most is not None:
        keywords["max_changes"] = most
    target = None
    if model.n_classes > 2 and rng.random() < 0.5:
        target = rng.choice([k for k in range(model.n_classes) if k != model.table[x]])
        keywords["target"] = model.class_labels[target]
    return keywords, choices, holds, cost, most, target


def engines_of(rng, model, least):
    """The engine of choice, and another one."""
    others = ["auto", "diagram", "diagram"]
    if model.kind in ("tree", "forest") or (model.kind in ("bayes", "linear") and least):
        others.append("boxes")
    return ["auto", rng.choice(others)]


def check(seed, names):
    """One model, data, and a row. ensures: AssertionError with the seed if an answer is wrong."""
    rng = random.Random(f"plausible {seed}")
    model = models.draw(rng)
    known = names.copy()
    exec(model.write(model), known)
    codes = list(model.table)
    common = rng.choices(codes, k=rng.randint(1, 4))
    data = [rng.choice(common if rng.random() < 0.6 else codes) for _ in range(rng.randint(1, 40))]
    alpha, cells = rng.choice([1, 0.5, 2]), rng.choice([2, 3, 6])

    def given(row):
        return [model.raw[j][v] for j, v in enumerate(row)] if model.raw is not None else list(row)

    rows = [given(row) for row in data]
    plausibility = symcf.Plausibility.fit(rows, symcf.compile(known["model"]), cells=cells, smoothing=alpha)
    compiled = symcf.compile(known["model"], plausibility=plausibility)
    sums = likelihoods(plausibility, data, model.n_values, Fraction(alpha))
    shares = plausibilities(sums, data)
    assert compiled.plausibility_of([given(row) for row in codes]).tolist() == [float(shares[r]) for r in codes]

    x = rng.choice(codes)
    keywords, choices, holds, cost, most, target = question_of(rng, model, x)
    least = rng.choice([None, 0.05, 0.1, 0.3, 0.5, 0.9, 1, 0])
    if least is not None:
        keywords["min_plausibility"] = least
        floor = Fraction(str(least))
    told = f"seed {seed}: {model.write(model)} {given(x)} {keywords}"

    def wanted(row):
        flips = model.table[row] != model.table[x] if target is None else model.table[row] == target
        return flips and holds(row) and (least is None or shares[row] >= floor)

    ways = oracle.counterfactuals(wanted, x, choices, lambda j, old, new: Fraction(cost[j]))
    sets = [s for s in ways if most is None or len(s) <= most]
    for engine in engines_of(rng, model, least):
        e = compiled.explain(given(x), engine=engine, select="likeliest", **keywords)
        assert list(e.sets) == sets, f"{told} {engine}"
        assert e.complete, told
        for cf in e:
            row = tuple(cf.instance.tolist())
            best = max(sums[r] for _, r in ways[cf.features])
            assert row in {r for _, r in ways[cf.features]}, f"{told} {row}"
            assert sums[row] == best, f"{told} {row}"
            assert cf.plausibility == float(shares[row]), told
        k = rng.randint(1, 4)
        likeliest = sorted(sets, key=lambda s: (-max(sums[r] for _, r in ways[s]), sets.index(s)))
        assert [cf.features for cf in e.likeliest(k)] == likeliest[:k], told
        assert list(compiled.explain(given(x), engine=engine, k=k, **keywords).sets) == sets[:k], f"{told} {k}"
    e = compiled.explain(given(x), **keywords)
    for cf in e:
        assert tuple(cf.instance.tolist()) in {r for _, r in ways[cf.features]}, told
    assert bool(e.blocking) == (not sets and _solvable(model, x, target)), told
    assert compiled.count(given(x), **keywords) == len(sets), told
    assert symcf.verify(compiled, given(x), e), told
    batch = symcf.fast.explain_batch(compiled, [given(x)] * 2, n_jobs=2, **keywords)
    assert [list(batch[i].sets) for i in range(2)] == [sets] * 2, told
    every = compiled.explain(given(x), select="all", **keywords)
    assert {tuple(cf.instance.tolist()) for cf in every} == {r for s in sets for _, r in ways[s]}, told
    if most is None and (target is not None or model.n_classes == 2):
        reasons = sorted(compiled.why(given(x), **keywords).sets)
        assert reasons == sorted(reference.hitting_sets(list(ways), model.n)), told


def _solvable(model, x, target):
    """Is there a row at all that would do?"""
    return any(k != model.table[x] if target is None else k == target for k in model.table.values())


def main() -> int:
    """The command line; 1 if something failed."""
    given = random_runs.asked(__doc__, 1000)
    wrong = 0
    with run.directory() as here:
        names = plans.namespace(here)
        for seed in range(given.seed, given.seed + given.count):
            try:
                check(seed, names)
            except AssertionError as error:
                wrong += 1
                print(str(error)[:2000])
    print(f"{given.count:,} models and data sets, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
