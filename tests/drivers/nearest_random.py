"""The nearest row of small ensembles, against the estimators' own `predict` on every cell of their cuts.

    python tests/drivers/nearest_random.py [--count 200] [--seed 0] [--engine auto]

A random table, a random forest or boosted trees, a random question with ``cost="distance", k=1``. The oracle knows
nothing of symcf: it takes the thresholds from the fitted estimator, tries for each column the nearest number of every
cell between them, and asks `predict` about all combinations. What symcf suggests is given to `predict`, too.
"""

import argparse
import itertools
import sys

import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import symcf

#: symcf measures distances in billionths of a scale.
CLOSE = 1e-6

#: Where two classes are as likely but for rounding, what `predict` says depends on the order of its sums.
TIE = 1e-9

LABELS = (["no", "yes", "perhaps"], [-1, 1, 7], [False, True], [1, 2, 3])


def fitted(random, x, y):
    """A small ensemble."""
    seed, depth = int(random.integers(1000)), int(random.integers(1, 4))
    kind = random.integers(4)
    if kind == 0:
        model = RandomForestClassifier(int(random.integers(2, 9)), max_depth=depth, random_state=seed)
    elif kind == 1:
        model = ExtraTreesClassifier(int(random.integers(2, 9)), max_depth=depth, random_state=seed)
    elif kind == 2:
        model = GradientBoostingClassifier(n_estimators=int(random.integers(2, 9)), max_depth=depth, random_state=seed)
    else:
        model = DecisionTreeClassifier(max_depth=depth + 1, random_state=seed)
    return model.fit(x, y)


def thresholds(model, n):
    """By column, the numbers that the trees compare it with."""
    trees = np.ravel(model.estimators_) if hasattr(model, "estimators_") else [model]
    found = [set() for _ in range(n)]
    for tree in trees:
        for feature, cut in zip(tree.tree_.feature, tree.tree_.threshold, strict=True):
            if feature >= 0:
                found[feature].add(float(cut))
    return [sorted(cuts) for cuts in found]


def candidates(old, cuts):
    """The nearest number of every cell: the old one, and those just beyond each cut."""
    above = [float(np.nextafter(np.float32(cut), np.float32(np.inf))) for cut in cuts if cut >= old]
    above = [number if number > cut else cut for number, cut in zip(above, [c for c in cuts if c >= old], strict=True)]
    below = [float(np.nextafter(np.float32(cut), np.float32(-np.inf))) for cut in cuts if cut < old]
    return [old, *above, *below]


def question(random, columns, classes, now):
    """Options, and whether a change is allowed by them."""
    options = {}
    kind = random.integers(6)
    name = str(random.choice(columns))
    if kind == 0:
        options["immutable"] = [name]
    elif kind == 1:
        options["allowed"] = {name: "increase"}
    elif kind == 2:
        options["max_changes"] = int(random.integers(1, 3))
    if random.integers(3) == 0:
        options["target"] = random.choice([c for c in range(len(classes)) if classes[c] != now])
        options["target"] = classes[options["target"]]
    return options


def allowed(options, columns, old, new):
    """May the row become this one?"""
    changed = [c for c, a, b in zip(columns, old, new, strict=True) if a != b]
    if len(changed) > options.get("max_changes", len(columns)) or set(changed) & set(options.get("immutable", ())):
        return False
    return all(new[columns.index(c)] > old[columns.index(c)] for c in changed if c in options.get("allowed", {}))


def check(seed, engine):
    """One question; the number of rows that were compared."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 5))
    columns = [f"c{j}" for j in range(n)]
    x = pd.DataFrame(random.normal(size=(60, n)).round(2) * random.choice([1, 10, 1000], size=n), columns=columns)
    labels = LABELS[random.integers(len(LABELS))]
    score = x.to_numpy() @ random.normal(size=n) + random.normal(size=60)
    codes = np.digitize(score, np.quantile(score, [0.4, 0.8][: len(labels) - 1]))
    model = fitted(random, x, np.array(labels)[codes])
    classes = model.classes_.tolist()
    scale = {c: float(random.choice([0.5, 1, 3, 100])) for c in columns}
    compiled = symcf.compile(model, data=x)
    cuts = thresholds(model, n)
    if np.prod([len(c) + 1 for c in cuts]) > 60_000:
        return 0
    compared = 0
    for i in random.choice(len(x), size=3, replace=False):
        old = x.iloc[i].tolist()
        now = model.predict(x.iloc[[i]])[0]
        options = question(random, columns, classes, now)
        rows = [
            row
            for row in itertools.product(*(candidates(a, c) for a, c in zip(old, cuts, strict=True)))
            if allowed(options, columns, old, row)
        ]
        table = pd.DataFrame(rows, columns=columns)
        said, sure = model.predict(table), np.sort(model.predict_proba(table), axis=1)
        if (sure[:, -1] - sure[:, -2]).min() < TIE:
            continue
        good = said == options["target"] if "target" in options else said != now
        distance = sum(np.abs(np.array([row[j] for row in rows]) - old[j]) / scale[c] for j, c in enumerate(columns))
        least = distance[good].min() if good.any() else None
        e = compiled.explain(x.iloc[i], cost="distance", scale=scale, k=1, engine=engine, **options)
        assert e.status == "complete", (seed, i, e.status)
        assert e.minimality == "moves", (seed, i)
        found = list(e)
        if least is None:
            assert not found, (seed, i, options, found)
            continue
        assert len(found) == 1, (seed, i, options, least)
        # candidates lie beyond a cut by a step of the 32 bits that trees compare
        beyond = sum(
            2 * np.spacing(np.float32(max(map(abs, [*cut, a])))) / scale[c]
            for c, cut, a in zip(columns, cuts, old, strict=True)
        )
        assert abs(found[0].cost - least) <= CLOSE + beyond, (seed, i, options, found[0].cost, least)
        said = model.predict(pd.DataFrame([list(found[0].row)], columns=columns))[0]
        assert said == options["target"] if "target" in options else said != now, (seed, i, options)
        compared += 1
    return compared


def main():
    """Runs the trials."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default="auto")
    given = parser.parse_args()
    compared = sum(check(seed, given.engine) for seed in range(given.seed, given.seed + given.count))
    print(f"{given.count} models, {compared} rows: the nearest row each time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
