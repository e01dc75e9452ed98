"""Fitted forests and boosted trees against all rows: ``python tests/drivers/votes_random.py --count 200``.

Everything is asked of the engine `boxes` by name. The oracle decides every combination of cells, leaf by leaf and
without the engine, and compares them; answers are given back to the estimator's own `predict`.
"""

from __future__ import annotations

import itertools
import random
import sys
import warnings

import random_runs

# isort: split
import numpy as np
import pandas as pd
import reference
import xgboost
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

import symcf

LABELS = ((0, 1), (0, 1), (0, 1, 2), (0, 1, 2, 3))
NAMED = (("no", "yes"), (False, True), (-3, 4), ("b", "a", "c"), (7, 10, 5, 1))
MOST_CELLS = 60_000


# --- estimators -------------------------------------------------------------------------------------------------------


def table_of(rng, n_rows, kinds):
    """Columns of few values."""
    columns = {}
    for j, kind in enumerate(kinds):
        d = rng.randint(2, 5)
        if kind == "category":
            columns[f"c{j}"] = pd.Series(rng.choices("uvwxy"[:d], k=n_rows), dtype="category")
        else:
            cells = [float(rng.randrange(d)) / 2 for _ in range(n_rows)]
            if kind == "missing":
                cells = [cell if rng.random() < 0.85 else np.nan for cell in cells]
            columns[f"c{j}"] = cells
    return pd.DataFrame(columns)


def target_of(rng, table, classes):
    """Labels that depend on several columns."""
    codes = np.column_stack(
        [np.nan_to_num(s.cat.codes if s.dtype == "category" else s, nan=1.5) for _, s in table.items()]
    ).astype(float)
    mixed = np.sin(codes @ np.array([rng.gauss(0, 1) for _ in range(codes.shape[1])]))
    mixed += 0.3 * np.array([rng.gauss(0, 1) for _ in range(len(table))])
    places = np.argsort(np.argsort(mixed)) * len(classes) // len(table)
    return np.array([classes[i] for i in places])


def fitted(rng, n_trees=(2, 12), n_features=(1, 6)):
    """An estimator, its data, and whether it takes missing values and categories."""
    n, n_rows = rng.randint(*n_features), rng.randint(40, 120)
    seed, count, depth = rng.randrange(10**6), rng.randint(*n_trees), rng.randint(1, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if rng.random() < 0.65:
            kinds = [rng.choice(("number", "number", "missing", "category")) for _ in range(n)]
            table = table_of(rng, n_rows, kinds)
            classes = rng.choice(LABELS)
            model = xgboost.XGBClassifier(
                n_estimators=max(1, count // (len(classes) if len(classes) > 2 else 1)), max_depth=depth,
                learning_rate=rng.choice((0.3, 1.0)),
                enable_categorical=True, tree_method="hist", random_state=seed, n_jobs=1,
                max_cat_to_onehot=rng.choice((1, 4)), min_child_weight=0, subsample=0.8,
            )  # fmt: skip
        else:
            table = table_of(rng, n_rows, ["number"] * n)
            classes = rng.choice(NAMED)
            model = rng.choice((RandomForestClassifier, ExtraTreesClassifier))(
                count, max_depth=depth, random_state=seed
            )
        return model.fit(table, target_of(rng, table, classes)), table


# --- the oracle: all rows of codes ------------------------------------------------------------------------------------


class Everything:
    """The class of every row of codes."""

    def __init__(self, c):
        self.sizes = [len(values) for values in c.values]
        self.rows = np.array(list(itertools.product(*map(range, self.sizes))), dtype=np.int64)
        self.decided = c.decide(self.rows).astype(np.int64)

    def wanted(self, x, target, permits, holds, most):
        """The rows within reach that are as wanted."""
        now = self.decided[np.ravel_multi_index(x, self.sizes)]
        fine = self.decided != now if target is None else self.decided == target
        changed = self.rows != np.array(x)
        for j, allowed in enumerate(permits):
            fine &= ~changed[:, j] | np.isin(self.rows[:, j], allowed)
        if most is not None:
            fine &= changed.sum(axis=1) <= most
        if holds is not None:
            fine &= holds(self.rows)
        return self.rows[fine]


def minimal_sets(rows, x):
    """The sets of columns in which they differ from x, without those that contain another."""
    differ = np.unique(rows != np.array(x), axis=0)
    return sorted(reference.minimal(np.flatnonzero(row).tolist() for row in differ))


def nearest(rows, x, ordered, missing):
    """Those than which no other is less far. Nothing lies between a missing value and others."""
    ordered = [order and own != gap for order, own, gap in zip(ordered, x, missing, strict=True)]
    x = np.array(x)
    rows = rows[np.argsort(np.abs(rows - x).sum(axis=1) + 100 * (rows != x).sum(axis=1), kind="stable")]
    alive = np.ones(len(rows), dtype=bool)
    for i in range(len(rows)):
        if not alive[i]:
            continue
        near = rows[i]
        beyond = alive.copy()
        for j, a in enumerate(near.tolist()):
            if a == x[j]:
                continue
            if ordered[j]:
                beyond &= rows[:, j] >= a if a > x[j] else rows[:, j] <= a
            else:
                beyond &= rows[:, j] == a
        beyond[i] = False
        alive &= ~beyond
    return sorted(map(tuple, rows[alive].tolist()))


# --- questions --------------------------------------------------------------------------------------------------------


def question_of(rng, c, x):
    """Keywords, and the same for the oracle."""
    n = len(x)
    permits = [[v for v, label in enumerate(of) if v != x[j] and label != "(missing)"] for j, of in enumerate(c.values)]
    keywords, holds = {}, None
    for j in range(n):
        name, draw = c.features[j], rng.random()
        if draw < 0.12:
            keywords.setdefault("immutable", []).append(name)
            permits[j] = []
        elif draw < 0.25:
            some = [v for v in range(len(c.values[j])) if rng.random() < 0.6]
            keywords.setdefault("allowed", {})[name] = [c.values[j][v] for v in some]
            permits[j] = [v for v in some if v != x[j]]
        elif draw < 0.35 and c.ordered[j]:
            way = rng.choice(("increase", "decrease"))
            keywords.setdefault("allowed", {})[name] = way
            permits[j] = [v for v in permits[j] if (v > x[j]) == (way == "increase")]
    if n > 1 and rng.random() < 0.3:
        a, b = rng.sample(range(n), 2)
        va, vb = rng.randrange(len(c.values[a])), rng.randrange(len(c.values[b]))
        keywords["constraints"] = [symcf.forbid({c.features[a]: c.values[a][va], c.features[b]: c.values[b][vb]})]
        holds = lambda rows: ~((rows[:, a] == va) & (rows[:, b] == vb))  # noqa: E731
    return keywords, permits, holds


def costs_of(rng, c, x):
    """A cost for symcf, and the same as a function of feature and new code."""
    n, kind = len(x), rng.choice(("none", "none", "features", "values", "ordinal"))
    if kind == "none":
        return None, lambda j, v: 1
    if kind == "features":
        each = [rng.randint(1, 6) for _ in range(n)]
        return dict(zip(c.features, each, strict=True)), lambda j, v: each[j]
    if kind == "ordinal":
        far = [j for j in range(n) if c.ordered[j]]
        return {c.features[j]: "ordinal" for j in far} or None, lambda j, v: abs(v - x[j]) if j in far else 1
    steep = [rng.randint(1, 3) for _ in range(n)]
    price = lambda j, a, b: steep[j] * (abs(a - b) // 2 + 1) if c.ordered[j] else steep[j] + (a * 7 + b * 3) % 4  # noqa: E731
    tables = {
        c.features[j]: [
            [price(j, a, b) if a != b else 0 for b in range(len(c.values[j]))] for a in range(len(c.values[j]))
        ]
        for j in range(n)
    }
    return tables, lambda j, v: price(j, x[j], v)


def check(seed, n_trees=(2, 12), n_features=(1, 6), moves=True):
    """One estimator, three rows."""
    rng = random.Random(f"votes {seed}")
    model, table = fitted(rng, n_trees, n_features)
    c = symcf.compile(model)
    if np.prod([float(len(values)) for values in c.values]) > MOST_CELLS:
        return 0
    own = np.asarray(model.predict(table)).tolist()
    assert c.predict(table).tolist() == own, f"seed {seed}: predict"
    every = Everything(c)
    for _ in range(3):
        row = table.iloc[[rng.randrange(len(table))]]
        ask(rng, c, model, every, row, f"seed {seed}: {type(model).__name__}", moves)
    return 1


def ask(rng, c, model, every, row, where, moves):
    x = c.codes(row)[0].tolist()
    now = int(every.decided[np.ravel_multi_index(x, every.sizes)])
    keywords, permits, holds = question_of(rng, c, x)
    target, most = None, rng.choice((None, None, 0, 1, 2, 3))
    if len(c.classes) > 2 and rng.random() < 0.6:
        target = rng.choice([k for k in range(len(c.classes)) if k != now])
        keywords["target"] = c.classes[target]
    if most is not None:
        keywords["max_changes"] = most
    told = f"{where} row {x} {keywords}"
    rows = every.wanted(x, target, permits, holds, most)
    e = c.explain(row, engine="boxes", **keywords)
    assert e.complete, told
    assert sorted(e.sets) == minimal_sets(rows, x), f"{told}: {sorted(e.sets)} instead of {minimal_sets(rows, x)}"
    said(c, model, e, now, target, told)
    if not moves:
        return
    cost, price = costs_of(rng, c, x)
    want = nearest(rows, x, c.ordered, [of.index("(missing)") if "(missing)" in of else None for of in c.values])
    paid = sorted(sum(price(j, v) for j, v in enumerate(new) if v != x[j]) for new in want)
    told = f"{told} cost {cost}"
    asked = {"minimality": "moves", "engine": "boxes", "cost": cost, **keywords}
    e = c.explain(row, **asked)
    found = [tuple(cf.instance.tolist()) for cf in e]
    assert e.complete, told
    assert sorted(found) == want, f"{told}: {sorted(found)} instead of {want}"
    assert [cf.cost for cf in e] == paid, f"{told}: {[cf.cost for cf in e]} instead of {paid}"
    said(c, model, e, now, target, told)
    other = c.explain(row, **{**asked, "engine": "diagram"})
    assert [tuple(cf.instance.tolist()) for cf in other] == found, f"{told}: order of minimal"
    plain = {key: value for key, value in asked.items() if key != "cost"}
    assert c.count(row, **plain) == len(want), f"{told}: count"
    streamed = sorted(tuple(cf.instance.tolist()) for cf in c.iter_counterfactuals(row, **plain))
    assert streamed == want, f"{told}: stream"
    for k in (1, 2, 5):
        best = [tuple(cf.instance.tolist()) for cf in c.explain(row, k=k, **asked)]
        assert best == found[:k], f"{told}: k={k}: {best} instead of {found[:k]}"
    few = c.explain(row, max_results=2, **asked)
    assert len(few) == min(2, len(want)), f"{told}: max_results: {few.sets} {few.status} of {want}"
    assert few.status == "complete" if len(want) < 2 else few.status == "max_results" or len(want) == 2, told
    some = [tuple(cf.instance.tolist()) for cf in few]
    assert set(some) <= set(want), f"{told}: max_results: {some} of {want}, {few.status}"
    if want:
        drawn = c.sample(row, 5, 1, minimality="moves", **keywords)
        assert all(tuple(cf.instance.tolist()) in want for cf in drawn), f"{told}: sample"
    report = symcf.verify(c, row, e)
    wrong = [report.valid, report.minimal, report.honest] != [True] * 3 or report.complete is False
    assert not wrong, f"{told}: {report}"
    batch = symcf.fast.explain_batch(c, pd.concat([row, row]), **asked)
    assert [tuple(cf.instance.tolist()) for cf in batch[1]] == found, f"{told}: batch"


def said(c, model, e, now, target, told):
    """What the estimator itself says about the answers."""
    if len(e):
        labels = np.asarray(model.predict(e.to_frame())).tolist()
        fine = [label != c.classes[now] if target is None else label == c.classes[target] for label in labels]
        assert all(fine), f"{told}: predict says {labels}"


if __name__ == "__main__":
    sys.exit(random_runs.run(check, "estimators", __doc__, 200))
