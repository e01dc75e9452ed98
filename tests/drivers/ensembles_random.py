"""Random voting trees, with every option, against brute force: ``python tests/drivers/ensembles_random.py``.

Everything is asked of the engine `boxes`, through the public interface; the answers come from `oracle`, which tries all
rows.
"""

from __future__ import annotations

import itertools
import random
import sys
from fractions import Fraction
from functools import cache

import random_runs

# isort: split
import oracle

import symcf

LABELS = [("no", "yes"), (-1, 1), (False, True), ("a", "b", "c"), (3, -2, 7, 0)]


def tree_of(rng, features, values, classes, depth):
    """Nested dicts."""
    if not depth or rng.random() < 0.2:
        return {"scores": [rng.randint(-5, 5) for _ in classes]}
    j = rng.randrange(len(features))
    below = {side: tree_of(rng, features, values, classes, depth - 1) for side in ("yes", "no")}
    if values[j] is None:
        return {"feature": features[j], "at_most": rng.randint(0, 3), **below}
    chosen = [value for value in values[j] if rng.random() < 0.5]
    return {"feature": features[j], "in": chosen, **below}


def forest_of(rng):
    """Numbers and named values, any labels, either tie rule."""
    n = rng.randint(1, 6)
    features = rng.sample(["age", "x y", "é", "0", "income", "n,m"], n)
    values = [None if rng.random() < 0.6 else ("u", "v", "w")[: rng.randint(2, 3)] for _ in features]
    classes = rng.choice(LABELS)
    trees = [tree_of(rng, features, values, classes, rng.randint(1, 3)) for _ in range(rng.randint(1, 7))]
    tie = rng.choice(["positive", "negative"])
    return symcf.RandomForest(trees, features=features, values=values, classes=classes, tie=tie)


def decision_of(model):
    """A row of codes -> the code of its class, leaf by leaf."""
    rule = model.rule()

    @cache
    def decide(row):
        total = [0] * len(model.classes)
        for tree in rule.trees:
            u = 0
            while tree.feature[u] >= 0:
                left = tree.left_values[tree.left_start[u] + row[tree.feature[u]]]
                u = int(tree.left[u] if left else tree.right[u])
            total = [a + int(b) for a, b in zip(total, tree.score[u], strict=True)]
        best = [k for k, score in enumerate(total) if score == max(total)]
        return best[-1] if rule.later_wins else best[0]

    return decide


def question_of(rng, model, x, now):
    """Keywords, and the same for the oracle: allowed codes, the target, relations, costs, the most changes."""
    n, n_values = len(model.features), [len(labels) for labels in model.values]
    keywords = {}
    choices = [list(range(d)) for d in n_values]
    for j in range(n):
        if rng.random() < 0.15:
            keywords.setdefault("immutable", []).append(model.features[j])
            choices[j] = []
        elif rng.random() < 0.2:
            choices[j] = [v for v in range(n_values[j]) if rng.random() < 0.7]
            keywords.setdefault("allowed", {})[model.features[j]] = [model.values[j][v] for v in choices[j]]
        elif rng.random() < 0.15 and model.ordered[j]:
            keywords.setdefault("allowed", {})[model.features[j]] = "increase"
            choices[j] = [v for v in range(n_values[j]) if v > x[j]]
    target = None
    if len(model.classes) > 2 and rng.random() < 0.5:
        target = rng.choice([k for k in range(len(model.classes)) if k != now])
        keywords["target"] = model.classes[target]
    cost = [1] * n
    if rng.random() < 0.4:
        cost = [rng.randint(1, 6) for _ in range(n)]
        keywords["cost"] = cost
    holds = lambda row: True  # noqa: E731
    if n > 1 and rng.random() < 0.3:
        a, b = rng.sample(range(n), 2)
        v, w = rng.randrange(n_values[a]), rng.randrange(n_values[b])
        keywords["constraints"] = [
            symcf.forbid({model.features[a]: model.values[a][v], model.features[b]: model.values[b][w]})
        ]
        holds = lambda row: not (row[a] == v and row[b] == w)  # noqa: E731
    most = rng.choice([None, None, 1, 2, 3])
    if most is not None:
        keywords["max_changes"] = most
    return keywords, choices, target, holds, cost, most


def expected(decide, x, choices, target, holds, cost):
    """All minimal change sets in order, with the rows that they lead to."""
    now = decide(tuple(x))

    def wanted(row):
        return holds(row) and (decide(row) != now if target is None else decide(row) == target)

    return oracle.counterfactuals(wanted, x, choices, lambda j, old, new: Fraction(cost[j]))


def check(seed):
    """One forest, two rows. ensures: AssertionError with the seed if an answer is wrong."""
    rng = random.Random(f"ensemble {seed}")
    model = forest_of(rng)
    decide, compiled = decision_of(model), symcf.compile(model)
    n_values = [len(labels) for labels in model.values]
    for _ in range(2):
        x = [rng.randrange(d) for d in n_values]
        now = decide(tuple(x))
        keywords, choices, target, holds, cost, most = question_of(rng, model, x, now)
        rows = expected(decide, x, choices, target, holds, cost)
        sets = [s for s in rows if most is None or len(s) <= most]
        given = {name: _raw(model, j, x[j]) for j, name in enumerate(model.features)}
        told = f"seed {seed}: {given} {keywords}"
        e = compiled.explain(given, engine="boxes", **keywords)
        assert list(e.sets) == sets, told
        assert e.complete, told
        assert e.complete_up_to == min(len(x), len(x) if most is None else most), told
        for cf in e:
            assert tuple(cf.instance.tolist()) in {r for _, r in rows[cf.features]}, told
        for cf in compiled.explain(given, engine="boxes", select="surest", **keywords):
            assert tuple(cf.instance.tolist()) == min(r for _, r in rows[cf.features]), told
        k = rng.randint(1, 4)
        assert list(compiled.explain(given, engine="boxes", k=k, **keywords).sets) == sets[:k], told
        assert compiled.count(given, engine="boxes", **keywords) == len(sets), told
        if most is None and rng.random() < 0.5:
            reasons = compiled.why(given, engine="boxes", **keywords).sets
            assert sorted(reasons) == sorted(transversals(rows, len(x))), told
        every = compiled.explain(given, engine="boxes", select="all", **keywords)
        assert {tuple(cf.instance.tolist()) for cf in every} == {r for s in sets for _, r in rows[s]}, told


def transversals(sets, n):
    """All minimal sets that meet each of the sets; none if there is nothing to keep from happening."""
    if () in sets:
        return []
    found = []
    for size in range(n + 1):
        for chosen in itertools.combinations(range(n), size):
            if all(set(chosen) & set(s) for s in sets) and not any(set(f) <= set(chosen) for f in found):
                found.append(chosen)
    return found


def _raw(model, j, code):
    """What the user would give for a code: a number of its range, the name of a value, or the code itself."""
    if model.encoder is None:
        return code
    if model.thresholds[j] is None:
        return model.values[j][code]
    cuts = model.thresholds[j].tolist()
    return cuts[code] if code < len(cuts) else (cuts[-1] + 1 if cuts else 0)


if __name__ == "__main__":
    sys.exit(random_runs.run(check, "ensembles, two rows each", __doc__, 2000))
