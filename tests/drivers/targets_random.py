"""Random numeric targets, against brute force: ``python tests/drivers/targets_random.py --count 5000``.

Small models are made by hand with exact coefficients, or fitted with scikit-learn, XGBoost, LightGBM and CatBoost on
grids of whole numbers. The original estimator (or fractions, for those made by hand) gives the number of every row of
the grid, and the reference enumerates what leads from a row to the target. Bounds lie half-way between two numbers that
rows have; where everything is exact, also on such a number. Estimators are fitted anew where the rounding of their sums
decides the class of a row.

``--rows`` instead explains rows of real tables with models of every kind, and gives every suggested row to the
estimator's own `predict`, `predict_proba` or `decision_function`.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
import warnings
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import random_runs  # noqa: F401  # makes the shared modules known
import reference
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, PoissonRegressor, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import symcf
import symcf.fast

LABELS = [("no", "yes"), (0, 1), (-1, 1), (False, True)]


def boosted(seed):
    """Estimators of other libraries, as far as they are installed."""
    found = {}
    try:
        from xgboost import XGBClassifier, XGBRegressor

        found["XGBRegressor"] = XGBRegressor(n_estimators=6, max_depth=3, random_state=seed, n_jobs=1)
        found["XGBClassifier"] = XGBClassifier(n_estimators=6, max_depth=3, random_state=seed, n_jobs=1)
    except ImportError:
        pass
    try:
        from lightgbm import LGBMClassifier, LGBMRegressor

        options = {"n_estimators": 6, "min_child_samples": 3, "verbose": -1, "n_jobs": 1, "random_state": seed}
        found |= {"LGBMRegressor": LGBMRegressor(**options), "LGBMClassifier": LGBMClassifier(**options)}
    except ImportError:
        pass
    try:
        from catboost import CatBoostClassifier, CatBoostRegressor

        options = {"iterations": 6, "depth": 3, "verbose": 0, "allow_writing_files": False, "random_seed": seed}
        options["thread_count"] = 1
        found |= {
            "CatBoostRegressor": CatBoostRegressor(**options),
            "CatBoostClassifier": CatBoostClassifier(**options),
        }
    except ImportError:
        pass
    return found


def estimators(seed):
    """By name; those of regressors end in the name of what they predict."""
    scaled = make_pipeline(StandardScaler(), Ridge(alpha=0.1))
    return {
        "LinearRegression": LinearRegression(),
        "Ridge": scaled,
        "Lasso": Lasso(alpha=0.02),
        "ElasticNet": ElasticNet(alpha=0.01),
        "DecisionTreeRegressor": DecisionTreeRegressor(max_depth=4, random_state=seed),
        "RandomForestRegressor": RandomForestRegressor(3, max_depth=3, random_state=seed),
        "ExtraTreesRegressor": ExtraTreesRegressor(3, max_depth=3, random_state=seed),
        "GradientBoostingRegressor": GradientBoostingRegressor(n_estimators=5, max_depth=2, random_state=seed),
        "HistGradientBoostingRegressor": HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=3),
        "TransformedTargetRegressor": TransformedTargetRegressor(
            Ridge(alpha=0.1), func=np.arcsinh, inverse_func=np.sinh
        ),
        "LogisticRegression": LogisticRegression(),
        "GaussianNB": GaussianNB(),
        "DecisionTreeClassifier": DecisionTreeClassifier(max_depth=3, min_samples_leaf=2, random_state=seed),
        "RandomForestClassifier": RandomForestClassifier(3, max_depth=3, random_state=seed),
        "GradientBoostingClassifier": GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=seed),
        "HistGradientBoostingClassifier": HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=3),
        "CalibratedClassifierCV": CalibratedClassifierCV(
            LogisticRegression(), method=("sigmoid", "isotonic")[seed % 2], ensemble=False, cv=3
        ),
        **boosted(seed),
    }


def fitted(rng, seed):
    """A fitted estimator, the grid that it was fitted on, what it is asked for, and the number of every row."""
    n = rng.randint(2, 4)
    sizes = [rng.randint(2, 4) for _ in range(n)]
    grid = pd.DataFrame(list(product(*map(range, sizes))), columns=[f"x{j}" for j in range(n)])
    noise = np.random.default_rng(seed)
    weights = noise.normal(0, 1, n)
    total = grid.to_numpy() @ weights + noise.normal(0, 0.7, len(grid)) - float(rng.random() < 0.3) * 5
    table = pd.concat([grid] * 3, ignore_index=True)
    known = estimators(seed)
    name = rng.choice(sorted(known))
    model = known[name]
    if "Class" in name or name in ("LogisticRegression", "GaussianNB"):
        several = name in ("RandomForestClassifier", "DecisionTreeClassifier") and rng.random() < 0.5
        labels = ("a", "b", "c") if several else rng.choice(LABELS[1:2] if name.startswith("XGB") else LABELS)
        cuts = np.quantile(total, [0.3, 0.6] if several else [0.5])
        classes = np.array(labels, dtype=object if isinstance(labels[0], str) else None)[np.digitize(total, cuts)]
        model.fit(table, np.tile(classes, 3))
        if len(model.classes_) < 2:
            return fitted(rng, seed + 1_000_003)
        label = rng.choice([one.item() if isinstance(one, np.generic) else one for one in model.classes_])
        place = list(model.classes_).index(label)
        chances = np.sort(model.predict_proba(grid), axis=1)
        close = 0 if name == "DecisionTreeClassifier" else least_gap(name)
        if (chances[:, -1] - chances[:, -2]).min() < close:
            return fitted(rng, seed + 1_000_003)
        if hasattr(model, "decision_function") and not several and rng.random() < 0.3:
            return name, model, grid, {"of": "score"}, model.decision_function(grid), None
        numbers = np.asarray(model.predict_proba(grid), dtype=float)[:, place]
        return name, model, grid, {"target": label}, numbers, np.asarray(model.predict(grid)).ravel() == label
    model.fit(table, np.tile(total, 3))
    return name, model, grid, {}, np.asarray(model.predict(grid), dtype=float), None


def by_hand(rng):
    """A model with coefficients that are quarters; the numbers of its rows are exact."""
    n = rng.randint(2, 4)
    sizes = [rng.randint(2, 4) for _ in range(n)]
    rows = list(product(*map(range, sizes)))
    grid = pd.DataFrame(rows, columns=[f"x{j}" for j in range(n)])

    def quarter():
        return Fraction(rng.randint(-20, 20), 4)

    kind = rng.choice(["linear", "additive", "trees"])
    bias = quarter()
    if kind == "linear":
        weights = [[quarter() for _ in range(size)] for size in sizes]
        base = symcf.LinearClassifier(
            [list(map(float, w)) for w in weights], float(bias), tie=rng.choice(["positive", "negative"])
        )
        numbers = [bias + sum(w[v] for w, v in zip(weights, row, strict=True)) for row in rows]
    elif kind == "additive":
        slopes = [quarter() for _ in sizes]
        terms = [
            symcf.NumberTerm(float(s), range=(0, size - 1), resolution=1) for s, size in zip(slopes, sizes, strict=True)
        ]
        base = symcf.AdditiveClassifier(terms, float(bias), features=list(grid.columns))
        numbers = [bias + sum(s * v for s, v in zip(slopes, row, strict=True)) for row in rows]
    else:
        stumps = []
        for _ in range(rng.randint(1, 6)):
            j = rng.randrange(n)
            stumps.append((j, rng.randrange(sizes[j] - 1) + 0.5, quarter(), quarter()))
        base = symcf.BoostedTrees(
            [
                {"feature": f"x{j}", "less_than": at, "yes": {"score": float(a)}, "no": {"score": float(b)}}
                for j, at, a, b in stumps
            ],
            bias=float(bias),
            features=list(grid.columns),
        )
        numbers = [bias + sum(a if row[j] < at else b for j, at, a, b in stumps) for row in rows]
    if rng.random() < 0.5:
        return f"{kind} by hand", symcf.Regressor(base), grid, {}, np.array(numbers, dtype=float), None
    return f"{kind} by hand", base, grid, {"of": "score"}, np.array(numbers, dtype=float), None


def least_gap(name):
    """How far apart numbers of an estimator are, whatever is rounded; XGBoost has 32 bits."""
    return 1e-3 if "XGB" in name else 1e-6


def bounds(rng, numbers, exact, least_gap):
    """Two numbers that rows reach or do not, whatever is rounded; None if the rows are too close together."""
    values = np.unique(numbers)
    gaps = np.flatnonzero(np.diff(values) > least_gap * np.abs(values).max())
    marks = [float((values[i] + values[i + 1]) / 2) for i in gaps] + ([float(v) for v in values] if exact else [])
    return sorted(rng.sample(marks, 2)) if len(marks) > 1 else None


def check(seed):
    """One system."""
    rng = random.Random(seed)
    hand = rng.random() < 0.4
    name, model, grid, asked, numbers, decided = by_hand(rng) if hand else fitted(rng, seed)
    ends = bounds(rng, numbers, hand, least_gap(name))
    if ends is None:
        return f"{name}: one value"
    low, high = ends
    if "target" in asked:
        low, high = min(max(low, 1e-9), 1 - 1e-9), np.inf
        asked["min_probability"] = low
    else:
        kind = rng.choice(["at_least", "at_most", "between"])
        low, high = {"at_least": (low, np.inf), "at_most": (-np.inf, high), "between": (low, high)}[kind]
        asked["target"] = {
            "at_least": lambda: symcf.at_least(low),
            "at_most": lambda: symcf.at_most(high),
            "between": lambda: symcf.between(low, high),
        }[kind]()
    held = (numbers >= low) & (numbers <= high) & (True if decided is None else decided)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        c = symcf.compile(model) if isinstance(model, symcf.Model) else symcf.compile(model, grid)
    rows = [tuple(map(int, row)) for row in grid.to_numpy()]
    label = dict(zip(rows, np.where(held, "in", "out").tolist(), strict=True))
    number = dict(zip(rows, numbers.tolist(), strict=True))
    where = f"seed {seed}: {name}, {asked}"
    outside = [row for row in rows if label[row] == "out"]
    try:
        batch = c.explain_batch(grid, **asked)
    except symcf.OptionError as error:
        if "out of reach" not in str(error) or "in" in label.values():
            raise AssertionError(f"{where}: {error}") from None
        return f"{name}: out of reach"
    assert [e.at_target for e in batch] == held.tolist(), f"{where}: other rows are at the target"
    domains = [reference.Domain(tuple(sorted(set(grid[column].tolist()))), ordered=True) for column in grid]
    for row in rng.sample(outside, min(2, len(outside))):
        fixed = [j for j in range(len(row)) if rng.random() < 0.2]
        may = reference.permits(immutable=fixed)
        question = reference.Question(domains, label.__getitem__, row, target="in", may=may)
        given = grid.iloc[rows.index(row)]
        e = c.explain(given, immutable=fixed, **asked)
        here = f"{where}, row {row}, fixed {fixed}"
        assert e.sets == question.change_sets(), f"{here}: {e.sets}, not {question.change_sets()}"
        assert e.complete, here
        assert c.count(given, immutable=fixed, **asked) == len(e.sets), f"{here}: count"
        for cf in e:
            new = tuple(int(v) for v in cf.row)
            assert new in label, f"{here}: {new} is not on the grid"
            assert label[new] == "in", f"{here}: {new} has {number[new]}"
            assert abs(cf.reached - number[new]) <= 1e-5 * max(1, abs(number[new])), (
                f"{here}: {cf.reached}, {number[new]}"
            )
        report = symcf.verify(c, given, e)
        answers = (report.valid, report.minimal, report.complete, report.honest)
        assert all(answer is not False for answer in answers), f"{here}: {report}"
        why = c.why(given, immutable=fixed, **asked)
        assert sorted(why.sets) == sorted(question.reasons()), f"{here}: {why.sets}, not {question.reasons()}"
        assert question.change_sets() == batch[rows.index(row)].sets or fixed, f"{here}: batch"
    return name


# --- rows of real tables ----------------------------------------------------------------------------------------------


def tables():
    """By name: the rows, and a number to predict."""
    x, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    yield "diabetes", x[["age", "bmi", "bp", "s3", "s5", "s6"]], y
    wine = load_wine(as_frame=True).data
    yield "wine", wine[["malic_acid", "ash", "magnesium", "flavanoids", "hue", "proline"]], wine["alcohol"]
    cancer = load_breast_cancer(as_frame=True).data
    columns = ["mean radius", "mean texture", "mean smoothness", "worst concavity", "worst symmetry", "area error"]
    yield "breast cancer", cancer[columns], cancer["worst area"]


def larger(seed):
    """The same kinds, with more trees."""
    found = estimators(seed)
    for model in found.values():
        for option, size in (("n_estimators", 20), ("max_iter", 20), ("iterations", 20)):
            tunable = option in model.get_params() and not type(model).__name__.endswith(("Regression", "Net", "Lasso"))
            if tunable and type(model).__name__ not in ("Ridge", "LogisticRegression"):
                model.set_params(**{option: size})
    found["Poisson"] = make_pipeline(StandardScaler(), PoissonRegressor())
    found["TransformedTargetRegressor"] = TransformedTargetRegressor(
        make_pipeline(StandardScaler(), Ridge()), func=np.log1p, inverse_func=np.expm1
    )
    return found


def suggested_rows(per_model, seed):
    """Explains rows of every table with every kind of model, and counts the suggested rows that fall short."""
    total, short = Counter(), []
    for name, x, y in tables():
        for kind, model in larger(seed).items():
            rows, failed = _of_model(kind, model, x, y, per_model, seed)
            total[kind] += rows
            short += [f"{name}, {kind}: {one}" for one in failed]
            print(f"{name}, {kind}: {rows} rows, {len(failed)} short", flush=True)
    for line in short[:20]:
        print(line)
    print(f"{len(total)} kinds of models, {sum(total.values()):,} suggested rows, {len(short)} short of the target")
    return 1 if short else 0


def _between(numbers, share):
    """A number half-way between two that rows have: not even rounding decides who has it."""
    values = np.unique(numbers)
    place = min(int(share * len(values)), len(values) - 2)
    return float((values[place] + values[place + 1]) / 2)


def _of_model(kind, model, x, y, per_model, seed):
    classifier = "Class" in kind or kind in ("LogisticRegression", "GaussianNB")
    if classifier:
        model.fit(x, (y > y.median()).astype(int))
        numbers, asked = model.predict_proba(x)[:, 1], {"target": 1}
    else:
        model.fit(x, y)
        numbers, asked = model.predict(x), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        c = symcf.compile(model, x)
    numbers = np.asarray(numbers, dtype=float)
    assert np.allclose(c.predict_proba(x)[:, 1] if classifier else c.predict(x), numbers, rtol=1e-5), kind
    low, high, small = (_between(numbers, share) for share in (0.7, 0.9, 0.2))
    targets = [{"min_probability": min(low, 0.99)}] if classifier else []
    if not classifier:
        targets = [{"target": symcf.at_least(low)}, {"target": symcf.at_most(small)}]
        if "Regressor" in kind and kind != "TransformedTargetRegressor":  # of numbers, that takes seconds per row
            targets.append({"target": symcf.between(low, high)})
    picked = x.sample(per_model, random_state=seed)
    count, failed = 0, []
    for target in targets:
        question = {**asked, **target, "max_changes": 2, "k": 20}
        batch = c.explain_batch(picked, **question)
        frames = [e.to_frame() for e in batch if not e.at_target and len(e)]
        if not frames:
            continue
        rows = pd.concat(frames)
        new = np.asarray(model.predict_proba(rows)[:, 1] if classifier else model.predict(rows), dtype=float)
        told = np.array([cf.reached for e in batch if not e.at_target for cf in e])
        wanted = target.get("target")
        least = target["min_probability"] if classifier else -np.inf if wanted.low is None else wanted.low
        most = np.inf if classifier or wanted.high is None else wanted.high
        count += len(rows)
        failed += [f"{number!r} for {question}" for number in new[(new < least) | (new > most)].tolist()]
        failed += [f"{a!r}, not {b!r}" for a, b in zip(told, new, strict=True) if abs(a - b) > 1e-5 * max(1, abs(b))]
    return count, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rows", type=int, default=0, metavar="N", help="explain N rows of each table instead")
    given = parser.parse_args()
    if given.rows:
        return suggested_rows(given.rows, given.seed)
    wrong, kinds = 0, Counter()
    for seed in range(given.seed, given.seed + given.count):
        try:
            kinds[check(seed)] += 1
        except AssertionError as error:
            wrong += 1
            print(str(error)[:2000] or f"seed {seed}: {traceback.format_exc()[-1500:]}", flush=True)
    for kind, count in sorted(kinds.items()):
        print(f"  {kind}: {count}")
    print(f"{given.count:,} systems, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
