"""Trained ensembles of all libraries, rows that are hard for them, and the comparison of decisions.

Rows take numbers from the data, from the model's own cuts and one unit in the last place beside them, from anywhere
around the data, and NaN where the library accepts it. Used by the tests and, with more rows, by bench/.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import symcf
from symcf.data.columns import Ranges
from symcf.models.rules import reached

LIBRARIES = tuple(name for name in ("xgboost", "lightgbm", "catboost") if find_spec(name))


def versions() -> dict[str, str]:
    """Of the libraries, whatever packages they came in: xgboost-cpu is xgboost, too."""
    return {name: import_module(name).__version__ for name in ("sklearn", *LIBRARIES)}


@dataclass
class Trained:
    """A fitted ensemble."""

    library: str
    name: str
    data: str
    estimator: Any
    table: Any
    #: What `from_model` needs to know of the columns.
    given: Any = None
    #: The unit in the last place of the library's sums, relative to 1.
    unit: float = 2.0**-53


# --- data -------------------------------------------------------------------------------------------------------------


def mixed(count: int, seed: int, *, missing: bool = True) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, size=count).astype(float),
            "income": np.round(rng.lognormal(10, 1, size=count), 2),
            "score": rng.normal(size=count),
            "rate": rng.choice([0.0, 0.1, 0.3, 0.7, 1e-40, -0.2], size=count),
            "job": pd.Categorical(rng.choice(["clerk", "nurse", "smith", "teacher", "diver", "cook"], size=count)),
            "town": pd.Categorical(rng.choice(["A", "B", "C"], size=count)),
            "children": rng.integers(0, 6, size=count),
        }
    )
    if missing:
        for name in ("age", "income", "score"):
            table.loc[rng.random(count) < 0.1, name] = np.nan
    return table


def outcome(table: pd.DataFrame, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    gain = table["age"].fillna(30) / 20 + np.log(table["income"].fillna(9e4)) + table["score"].fillna(1.5)
    gain += 2.0 * (table["job"].astype(str) == "nurse") - (table["town"].astype(str) == "B") + table["rate"] * 3
    return np.asarray(gain + rng.normal(scale=0.5, size=len(table)))


def tables(rows: int) -> dict[str, tuple[Any, Any]]:
    """By name, the table and the classes."""
    cancer, wine, digits = load_breast_cancer(as_frame=True), load_wine(as_frame=True), load_digits(as_frame=True)
    table = mixed(rows, seed=0)
    gain = outcome(table, seed=1)
    two, three = gain > np.quantile(gain, 0.6), np.digitize(gain, np.quantile(gain, [0.3, 0.7]))
    return {
        "breast_cancer": (cancer.data[:rows], cancer.target[:rows].to_numpy()),
        "wine": (wine.data, wine.target.to_numpy()),
        "digits": (digits.data[:rows], digits.target[:rows].to_numpy()),
        "mixed": (table, two.astype(int)),
        "mixed, 3 classes": (table, three),
    }


def plain(table: pd.DataFrame) -> pd.DataFrame:
    """Only the numbers."""
    return table.drop(columns=[name for name in ("job", "town") if name in table])


def texts(table: pd.DataFrame) -> pd.DataFrame:
    """Categories as text, which CatBoost wants."""
    return table.assign(**{name: table[name].astype(str).astype(object) for name in ("job", "town") if name in table})


# --- ensembles --------------------------------------------------------------------------------------------------------


def trained(trees: int, rows: int, libraries: tuple[str, ...] = LIBRARIES) -> Iterator[Trained]:
    """Ensembles of all kinds on all tables."""
    makers: dict[str, Callable[[int], Iterator[tuple[str, Any]]]] = {
        "xgboost": xgboost_models,
        "lightgbm": lightgbm_models,
        "catboost": catboost_models,
        "sklearn": sklearn_models,
    }
    known = tables(rows)
    for library in (*libraries, "sklearn"):
        for name, fit in makers[library](trees):
            for data, (table, classes) in known.items():
                one = fit(data, table, classes)
                if one is not None:
                    yield Trained(library, name, data, *one, unit=2.0**-24 if library == "xgboost" else 2.0**-53)


def xgboost_models(trees: int) -> Iterator[tuple[str, Any]]:
    from xgboost import XGBClassifier, XGBRFClassifier

    def plainly(**options: Any) -> Any:
        def fit(data: str, table: Any, classes: Any) -> Any:
            given = {"enable_categorical": True, **options}
            model = XGBClassifier(n_estimators=trees, n_jobs=1, **given)
            return model.fit(table, classes), table

        return fit

    def on(names: tuple[str, ...], fit: Any) -> Any:
        return lambda data, table, classes: fit(data, table, classes) if data in names else None

    def stopped(data: str, table: Any, classes: Any) -> Any:
        model = XGBClassifier(n_estimators=10 * trees, early_stopping_rounds=2, learning_rate=0.7, n_jobs=1,
                              enable_categorical=True)  # fmt: skip
        half = len(table) // 2
        rest = [(table[half:], classes[half:])]
        return model.fit(table[:half], classes[:half], eval_set=rest, verbose=0), table

    def forest(data: str, table: Any, classes: Any) -> Any:
        return XGBRFClassifier(n_estimators=trees, enable_categorical=True, n_jobs=1).fit(table, classes), table

    yield "XGBClassifier", plainly(max_depth=6)
    yield "XGBClassifier, exact", on(("breast_cancer", "wine"), plainly(tree_method="exact", enable_categorical=False))
    yield "XGBClassifier, one-hot", on(("mixed", "mixed, 3 classes"), plainly(max_cat_to_onehot=99))
    dart = plainly(booster="dart", rate_drop=0.3, base_score=0.3)
    yield "XGBClassifier, dart", on(("breast_cancer", "mixed", "mixed, 3 classes"), dart)
    yield "XGBClassifier, parallel trees", on(("wine", "mixed"), plainly(num_parallel_tree=3, subsample=0.6))
    yield "XGBClassifier, stopped early", on(("breast_cancer", "mixed, 3 classes"), stopped)
    yield "XGBRFClassifier", on(("breast_cancer", "mixed, 3 classes"), forest)
    yield "XGBClassifier, hinge", on(("breast_cancer", "mixed"), plainly(objective="binary:hinge"))
    weighted = plainly(scale_pos_weight=3.0, monotone_constraints={"age": 1})
    yield "XGBClassifier, weighted", on(("mixed",), weighted)


def lightgbm_models(trees: int) -> Iterator[tuple[str, Any]]:
    from lightgbm import LGBMClassifier, early_stopping

    def plainly(*names: str, ready: Any = lambda table: table, late: Any = None, **options: Any) -> Any:
        def fit(data: str, table: Any, classes: Any) -> Any:
            if names and data not in names:
                return None
            model = LGBMClassifier(n_estimators=trees, n_jobs=1, verbose=-1, min_data_per_group=5, **options)
            table = ready(table)
            labels = np.array(["no", "yes", "maybe"])[classes] if data.startswith("mixed") else classes
            return model.fit(table, labels, **(late or {})), table, table

        return fit

    def stopped(data: str, table: Any, classes: Any) -> Any:
        if data != "mixed, 3 classes":
            return None
        model = LGBMClassifier(n_estimators=10 * trees, learning_rate=0.5, n_jobs=1, verbose=-1)
        half = len(table) // 2
        rest = {"eval_set": [(table[half:], classes[half:])], "callbacks": [early_stopping(2, verbose=False)]}
        return model.fit(table[:half], classes[:half], **rest), table, table

    yield "LGBMClassifier", plainly()
    yield "LGBMClassifier, zeros are missing", plainly("mixed", "digits", zero_as_missing=True)
    full = {"ready": lambda table: plain(table).fillna(0.5)}
    yield "LGBMClassifier, no NaN in training", plainly("mixed", "mixed, 3 classes", **full)
    yield "LGBMClassifier, integers as categories", plainly("mixed", **full, late={"categorical_feature": ["children"]})
    yield "LGBMClassifier, dart", plainly("breast_cancer", "mixed", boosting_type="dart")
    forest = {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}
    yield "LGBMClassifier, rf", plainly("wine", "mixed", **forest)
    yield "LGBMClassifier, one-vs-all", plainly("wine", "mixed, 3 classes", objective="multiclassova")
    yield "LGBMClassifier, stopped early", stopped


def catboost_models(trees: int) -> Iterator[tuple[str, Any]]:
    from catboost import CatBoostClassifier

    def plainly(*names: str, **options: Any) -> Any:
        def fit(data: str, table: Any, classes: Any) -> Any:
            if names and data not in names:
                return None
            categories = ["job", "town", "children"] if data.startswith("mixed") else None
            model = CatBoostClassifier(iterations=trees, thread_count=1, verbose=0, allow_writing_files=False,
                                       one_hot_max_size=99, cat_features=categories, **options)  # fmt: skip
            table = texts(table)
            return model.fit(table, classes), table, table

        return fit

    def threshold(data: str, table: Any, classes: Any) -> Any:
        one = plainly("mixed")(data, table, classes)
        if one is not None:
            one[0].set_probability_threshold(0.3)
        return one

    yield "CatBoostClassifier", plainly()
    yield "CatBoostClassifier, NaN is largest", plainly("mixed", nan_mode="Max", depth=4)
    yield "CatBoostClassifier, depthwise", plainly("mixed", "wine", grow_policy="Depthwise")
    yield "CatBoostClassifier, lossguide", plainly("mixed, 3 classes", "breast_cancer", grow_policy="Lossguide")
    yield "CatBoostClassifier, one-vs-all", plainly("wine", loss_function="MultiClassOneVsAll")
    yield "CatBoostClassifier, threshold 0.3", threshold


def sklearn_models(trees: int) -> Iterator[tuple[str, Any]]:
    from sklearn.ensemble import (
        AdaBoostClassifier,
        BaggingClassifier,
        ExtraTreesClassifier,
        GradientBoostingClassifier,
        HistGradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.tree import DecisionTreeClassifier

    def plainly(make: Any, *names: str, ready: Any = lambda table: table) -> Any:
        def fit(data: str, table: Any, classes: Any) -> Any:
            if names and data not in names:
                return None
            return make().fit(ready(table), classes), ready(table)

        return fit

    full = {"ready": lambda table: plain(table).fillna(0.5)}
    deep, shallow = DecisionTreeClassifier(random_state=0), DecisionTreeClassifier(max_depth=2, random_state=0)
    yield "HistGradientBoosting", plainly(lambda: HistGradientBoostingClassifier(max_iter=trees, random_state=0))
    yield "GradientBoosting", plainly(lambda: GradientBoostingClassifier(n_estimators=trees, random_state=0),
                                      "breast_cancer", "wine", "mixed", **full)  # fmt: skip
    yield "GradientBoosting, exponential", plainly(
        lambda: GradientBoostingClassifier(n_estimators=trees, loss="exponential", init="zero", random_state=0),
        "breast_cancer", **full)  # fmt: skip
    yield "AdaBoost", plainly(lambda: AdaBoostClassifier(shallow, n_estimators=trees, random_state=0),
                              "breast_cancer", "wine", "mixed, 3 classes", **full)  # fmt: skip
    yield (
        "Bagging of trees",
        plainly(
            lambda: BaggingClassifier(deep, n_estimators=trees, max_features=0.7, random_state=0),
            "breast_cancer",
            "wine",
        ),
    )
    yield "RandomForest", plainly(lambda: RandomForestClassifier(trees, random_state=0),
                                  "breast_cancer", "wine", "digits")  # fmt: skip
    yield "ExtraTrees", plainly(lambda: ExtraTreesClassifier(trees, random_state=0), "breast_cancer")


# --- rows -------------------------------------------------------------------------------------------------------------


def hard_rows(one: Trained, model: symcf.Model, count: int, seed: int = 0) -> Any:
    """Rows at and around the model's cuts."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for j, name in enumerate(one.table.columns):
        known = one.table[name]
        drawn = known.iloc[rng.integers(len(known), size=count)].reset_index(drop=True)
        reader = next((r for r in model.encoder.readers if isinstance(r, Ranges) and r.column == j), None)
        if known.dtype.kind not in "if" or reader is None:
            columns[name] = drawn
            continue
        numbers = drawn.to_numpy().astype(np.float64)
        cuts = np.array([cut for cut in reader.cuts if abs(cut) < 1e38], dtype=np.float64)
        if len(cuts):
            at = cuts[rng.integers(len(cuts), size=count)]
            at = np.choose(rng.integers(4, size=count), [at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf),
                                                          at.astype(np.float32).astype(np.float64)])  # fmt: skip
            numbers = np.where(rng.random(count) < 0.4, at, numbers)
        low, high = np.nanmin(known), np.nanmax(known)
        anywhere = low + (rng.random(count) * 1.4 - 0.2) * (high - low)
        numbers = np.where(rng.random(count) < 0.2, anywhere, numbers)
        if reader.nan >= 0:
            numbers = np.where(rng.random(count) < 0.1, np.nan, numbers)
        columns[name] = numbers
    return pd.DataFrame(columns)


# --- comparison -------------------------------------------------------------------------------------------------------


def compare(one: Trained, count: int, seed: int = 0) -> dict[str, Any]:
    """How many rows are decided differently, within the library's own rounding and beyond it.

    A library adds up the scores of the trees one by one. Of n numbers, a sum in floats is off by at most n - 1 units in
    the last place of the sum of magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), and
    the link to probabilities by a few more. Classes that are closer than that are too close to call.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = symcf.from_model(one.estimator, one.given)
        rows = hard_rows(one, model, count, seed)
        theirs = np.asarray(one.estimator.predict(rows)).ravel()
    compiled = symcf.compile(model)
    codes = compiled.codes(rows)
    ours = compiled.predict(rows, codes=True)
    place = {label: k for k, label in enumerate(model.classes)}
    chosen = np.array([place[label] for label in theirs.tolist()])
    different = np.flatnonzero(chosen != ours)
    inside, gap = 0, 0.0
    if len(different):
        sums, sizes, n = totals(model, codes[different])
        at = np.arange(len(different))
        lead = np.abs(sums[at, ours[different]] - sums[at, chosen[different]])
        bound = one.unit * (2 * (n + 4) * sizes + 4)
        inside, gap = int((lead <= bound).sum()), float(lead.max())
    return {
        "library": one.library, "model": one.name, "data": one.data, "classes": len(model.classes),
        "trees": len(model.nodes), "features": model.n_features, "values": sum(model.n_values), "rows": count,
        "inside": inside, "outside": len(different) - inside, "largest_gap": gap,
        "rounding_error": model.rounding_error,
    }  # fmt: skip


def totals(model: Any, codes: Any) -> tuple[Any, Any, int]:
    """By row and class the exact sums as floats, the largest sum of magnitudes of a row, and the number of trees."""
    rule = model.rule()
    sums = np.zeros((len(codes), len(model.classes)))
    sizes = np.zeros((len(codes), len(model.classes)))
    scale = model._units.scale
    for tree in rule.trees:
        score = np.ldexp(tree.score[reached(tree, codes)].astype(np.float64), -scale)
        sums, sizes = sums + score, sizes + np.abs(score)
    return sums, sizes.max(axis=1), len(rule.trees)
