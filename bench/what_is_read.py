"""Which models are read exactly: steps and estimators as people combine them, on three tables.

    python bench/what_is_read.py                 prints a table, writes results/what_is_read.json
    python bench/what_is_read.py --only TEXT     those whose title contains the text; writes nothing
    python bench/what_is_read.py --rows 20000    rows whose decisions are compared, for each model

Each model is compiled with ``symcf.compile(estimator, data=rows)``. "read": its decisions are compared with those of
the original `predict`, some rows are explained, and the suggested rows go back to the original. "black box": it cannot
be read, the error names `symcf.from_predict`, and that explains it. "refused": all else.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectKBest
from sklearn.frozen import FrozenEstimator
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast

sys.path.insert(0, str(common.ROOT / "tests" / "support"))
from zoo_models import NAMES, NUMBERS, FedBack, Specimen, around, disagreements, fed_back, table

#: Seconds for the explained rows of one model, which models with bounds may need.
LIMIT = 15.0


def logistic() -> LogisticRegression:
    return LogisticRegression(max_iter=2000)


def trees() -> dict[str, Any]:
    """Ensembles of several libraries, as large as they are by default or smaller."""
    found: dict[str, Any] = {
        "DecisionTree": DecisionTreeClassifier(max_depth=5, random_state=0),
        "RandomForest": RandomForestClassifier(30, max_depth=6, random_state=0),
        "ExtraTrees": ExtraTreesClassifier(20, max_depth=5, random_state=0),
        "GradientBoosting": GradientBoostingClassifier(n_estimators=30, random_state=0),
        "HistGradientBoosting": HistGradientBoostingClassifier(max_iter=30, random_state=0),
        "AdaBoost": AdaBoostClassifier(n_estimators=20, random_state=0),
        "Bagging of trees": BaggingClassifier(DecisionTreeClassifier(max_depth=4), 8, random_state=0),
    }
    return found


def boosters() -> dict[str, Any]:
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    return {
        "XGBoost": XGBClassifier(n_estimators=30, random_state=0),
        "LightGBM": LGBMClassifier(n_estimators=30, verbose=-1, random_state=0),
        "CatBoost": CatBoostClassifier(iterations=30, verbose=0, random_seed=0, allow_writing_files=False),
    }


def linear() -> dict[str, Any]:
    return {
        "LogisticRegression": logistic(),
        "LinearSVC": LinearSVC(),
        "SGD": SGDClassifier(random_state=0),
        "GaussianNB": GaussianNB(),
    }


def steps(quantiles: int) -> dict[str, Any]:
    """Steps for columns of numbers, as they stand before a linear model."""
    return {
        "StandardScaler": [StandardScaler()],
        "RobustScaler": [RobustScaler()],
        "MinMaxScaler(clip)": [MinMaxScaler(clip=True)],
        "log1p, StandardScaler": [FunctionTransformer(np.log1p), StandardScaler()],
        "sqrt": [FunctionTransformer(np.sqrt), StandardScaler()],
        "PowerTransformer": [PowerTransformer()],
        "QuantileTransformer": [QuantileTransformer(n_quantiles=quantiles)],
        "QuantileTransformer(normal)": [QuantileTransformer(n_quantiles=quantiles, output_distribution="normal")],
        "SplineTransformer": [StandardScaler(), SplineTransformer()],
        "KBinsDiscretizer": [KBinsDiscretizer(5, quantile_method="averaged_inverted_cdf")],
        "KBinsDiscretizer(ordinal)": [KBinsDiscretizer(5, encode="ordinal", strategy="uniform")],
        "PCA": [StandardScaler(), PCA(5)],
        "TruncatedSVD": [StandardScaler(), TruncatedSVD(4, random_state=0)],
        "SelectKBest": [SelectKBest(k=6), StandardScaler()],
        "KNNImputer": [KNNImputer(), StandardScaler()],
    }


def of_numbers(two: bool) -> Iterator[tuple[str, Any]]:
    """For tables of numbers without gaps."""
    for name, before in steps(100).items():
        several = ["LogisticRegression", "LinearSVC"] if two else ["LogisticRegression"]
        if name in ("StandardScaler", "PowerTransformer", "QuantileTransformer"):
            several = list(linear())
        for model in several:
            yield f"{name} + {model}", make_pipeline(*before, linear()[model])
    squares = make_pipeline(StandardScaler(), PolynomialFeatures(2, include_bias=False))
    yield "PolynomialFeatures + LogisticRegression", make_pipeline(squares, StandardScaler(), logistic())
    yield (
        "SelectKBest(4), PolynomialFeatures + LogisticRegression",
        make_pipeline(SelectKBest(k=4), squares, logistic()),
    )
    yield "GaussianNB", GaussianNB()
    yield "LinearDiscriminantAnalysis", LinearDiscriminantAnalysis()
    yield "RidgeClassifier", make_pipeline(StandardScaler(), RidgeClassifier())
    for name, model in {**trees(), **boosters()}.items():
        yield name, model
    for name, before in (("PowerTransformer", [PowerTransformer()]), ("PCA", [StandardScaler(), PCA(5)])):
        yield f"{name} + RandomForest", make_pipeline(*before, trees()["RandomForest"])
    yield "StandardScaler + GradientBoosting", make_pipeline(StandardScaler(), trees()["GradientBoosting"])
    yield "RobustScaler + XGBoost", make_pipeline(RobustScaler(), boosters()["XGBoost"])
    yield "SelectKBest + LightGBM", make_pipeline(SelectKBest(k=8), boosters()["LightGBM"])
    yield "KNNImputer + RandomForest", make_pipeline(KNNImputer(), trees()["RandomForest"])
    yield from wrapped(make_pipeline(StandardScaler(), logistic()), make_pipeline(StandardScaler(), LinearSVC()), two)


def wrapped(scaled: Any, svc: Any, two: bool) -> Iterator[tuple[str, Any]]:
    """Estimators around estimators."""
    tree, forest = trees()["DecisionTree"], trees()["RandomForest"]
    last = scaled.steps[-1][0]
    yield "GridSearchCV(LogisticRegression)", GridSearchCV(scaled, {f"{last}__C": [0.1, 1.0]}, cv=3)
    yield "GridSearchCV(RandomForest)", GridSearchCV(forest, {"max_depth": [3, 6]}, cv=2) if two else forest
    yield "CalibratedClassifierCV(LogisticRegression)", CalibratedClassifierCV(scaled)
    yield "CalibratedClassifierCV(LinearSVC)", CalibratedClassifierCV(svc)
    yield "CalibratedClassifierCV(LinearSVC, isotonic)", CalibratedClassifierCV(svc, method="isotonic")
    yield "CalibratedClassifierCV(LinearSVC, ensemble=False)", CalibratedClassifierCV(svc, ensemble=False)
    yield "OneVsRest(LogisticRegression)", OneVsRestClassifier(scaled)
    yield "OneVsRest(LinearSVC)", OneVsRestClassifier(svc)
    yield "OneVsOne(LinearSVC)", OneVsOneClassifier(svc)
    yield (
        "Voting, soft: LogisticRegression, RandomForest",
        VotingClassifier([("a", scaled), ("b", forest)], voting="soft"),
    )
    yield "Voting, soft: trees", VotingClassifier([("a", tree), ("b", forest)], voting="soft")
    yield (
        "Voting, hard: LogisticRegression, LinearSVC, tree",
        VotingClassifier([("a", scaled), ("b", svc), ("c", tree)]),
    )
    yield "Stacking: LogisticRegression, RandomForest", StackingClassifier([("a", scaled), ("b", forest)], logistic())
    yield "Bagging(LogisticRegression)", BaggingClassifier(scaled, 5, random_state=0)
    yield "AdaBoost(LogisticRegression)", AdaBoostClassifier(logistic(), n_estimators=5, random_state=0)
    if two:
        yield "TunedThreshold(LogisticRegression)", TunedThresholdClassifierCV(scaled, cv=3, thresholds=20)
        yield "TunedThreshold(RandomForest)", TunedThresholdClassifierCV(forest, cv=3, thresholds=20)
        yield "FixedThreshold(LogisticRegression)", FixedThresholdClassifier(scaled, threshold=0.3)
        yield (
            "FixedThreshold(HistGradientBoosting)",
            FixedThresholdClassifier(trees()["HistGradientBoosting"], threshold=0.7),
        )
        yield "Calibrated(FrozenEstimator)", Frozen(scaled)


class Frozen:
    """A classifier that is fitted, frozen and then calibrated."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def fit(self, rows: Any, classes: Any) -> Any:
        return CalibratedClassifierCV(FrozenEstimator(self.inner.fit(rows, classes)), ensemble=False).fit(rows, classes)


def of_the_mixed_table() -> Iterator[tuple[str, Any]]:
    """Numbers with gaps and strings with gaps behind a ColumnTransformer."""
    names = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    flag = ("passthrough", ["member"])
    ways: dict[str, Any] = {
        "scaled": make_pipeline(SimpleImputer(strategy="median"), StandardScaler()),
        "indicator": make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()),
        "log1p": make_pipeline(SimpleImputer(strategy="median"), FunctionTransformer(np.log1p), StandardScaler()),
        "power": make_pipeline(SimpleImputer(strategy="median"), PowerTransformer()),
        "quantile": make_pipeline(SimpleImputer(), QuantileTransformer(n_quantiles=50)),
        "spline": make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), SplineTransformer()),
        "bins": make_pipeline(SimpleImputer(), KBinsDiscretizer(5, quantile_method="averaged_inverted_cdf")),
        "KNNImputer": make_pipeline(KNNImputer(), StandardScaler()),
    }

    def coded(numbers: Any, encoder: Any = names, **options: Any) -> Any:
        return make_column_transformer((numbers, NUMBERS), (encoder, NAMES), flag, sparse_threshold=0, **options)

    for name, way in ways.items():
        for model in ("LogisticRegression", "LinearSVC"):
            yield f"{name}, one-hot + {model}", make_pipeline(coded(way), linear()[model])
    for model in ("SGD", "GaussianNB"):
        yield f"scaled, one-hot + {model}", make_pipeline(coded(ways["scaled"]), linear()[model])
    encoders = {
        "ordinal": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        "target": TargetEncoder(),
        "one-hot, rare": OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=0.15, drop="if_binary"),
    }
    for name, encoder in encoders.items():
        yield (
            f"{name} + LogisticRegression",
            make_pipeline(
                coded(ways["scaled"], make_pipeline(SimpleImputer(strategy="most_frequent"), encoder)), logistic()
            ),
        )
    for name, model in {**trees(), **boosters()}.items():
        yield f"scaled, one-hot + {name}", make_pipeline(coded(ways["scaled"]), model)
        if name not in ("Bagging of trees", "AdaBoost"):
            way = encoders["ordinal"]
            if name == "GradientBoosting":  # takes no missing values
                way = make_pipeline(SimpleImputer(strategy="most_frequent"), way)
            yield f"median, ordinal + {name}", make_pipeline(coded(SimpleImputer(), way), model)
    for name in ("RandomForest", "GradientBoosting"):
        yield f"log1p, target + {name}", make_pipeline(coded(ways["log1p"], TargetEncoder()), trees()[name])
    both = make_union(StandardScaler(), KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf"))
    yield (
        "scaled and binned + LogisticRegression",
        make_pipeline(coded(make_pipeline(SimpleImputer(), both)), logistic()),
    )
    yield (
        "log1p of one column + LogisticRegression",
        make_pipeline(
            make_column_transformer(
                (FunctionTransformer(np.log1p), ["income"]),
                (SimpleImputer(), ["age"]),
                (names, NAMES),
                remainder="drop",
            ),
            StandardScaler(with_mean=False),
            logistic(),
        ),
    )
    yield from imbalanced(coded(ways["scaled"]))
    scaled = make_pipeline(coded(ways["scaled"]), logistic())
    yield "CalibratedClassifierCV(pipeline)", CalibratedClassifierCV(scaled)
    yield "GridSearchCV(pipeline)", GridSearchCV(scaled, {"logisticregression__C": [0.1, 1.0]}, cv=3)
    yield "TunedThreshold(pipeline)", TunedThresholdClassifierCV(scaled, cv=3, thresholds=20)


def imbalanced(before: Any) -> Iterator[tuple[str, Any]]:
    try:
        from imblearn.ensemble import BalancedRandomForestClassifier
        from imblearn.over_sampling import SMOTE
        from imblearn.pipeline import make_pipeline as with_samplers
        from imblearn.under_sampling import RandomUnderSampler
    except ImportError:
        return
    for name, model in {
        "LogisticRegression": logistic(),
        **boosters(),
        "RandomForest": trees()["RandomForest"],
    }.items():
        yield f"SMOTE + {name}", with_samplers(before, SMOTE(random_state=0), model)
    yield (
        "RandomUnderSampler + LogisticRegression",
        with_samplers(before, RandomUnderSampler(random_state=0), logistic()),
    )
    yield "BalancedRandomForest", with_samplers(before, BalancedRandomForestClassifier(20, max_depth=5, random_state=0))


def combinations() -> list[Specimen]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        makers = {
            "breast_cancer": lambda: of_numbers(True),
            "wine": lambda: of_numbers(False),
            "mixed": of_the_mixed_table,
        }
        return [Specimen(name, data, made) for data, make in makers.items() for name, made in make()]


def fitted(one: Specimen) -> Any:
    rows, classes = table(one.data)
    if "XGBoost" in one.name:  # takes codes only
        classes = np.unique(classes, return_inverse=True)[1]
    elif not isinstance(one.estimator, Frozen):
        return one.fitted()
    return one.estimator.fit(rows, classes)


def look_at(one: Specimen, rows_compared: int, explained: int) -> dict[str, Any]:
    rows, _ = table(one.data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = fitted(one)
    result: dict[str, Any] = {"data": one.data, "name": one.name}
    start = time.perf_counter()
    try:
        c = symcf.compile(estimator, data=rows)
    except symcf.SymcfError as error:
        return {**result, **by_queries(estimator, rows, str(error))}
    result |= {"outcome": "read", "model": type(c.model).__name__, "seconds": time.perf_counter() - start}
    complete = rows.dropna()
    others = around(one.data, rows_compared).dropna()
    found = [disagreements(estimator, c.predict(part), part) for part in (complete, others)]
    result |= {"rows": len(complete) + len(others), "different": sum(wrong for wrong, _ in found)}
    some = complete.iloc[:: max(1, len(complete) // explained)]
    suggested = symcf.fast.explain_batch(c, some, k=3, max_changes=3, time_limit=LIMIT).to_frame(k=3)
    back = fed_back(estimator, some, suggested) if len(suggested) else FedBack()
    return {**result, "suggested": back.rows, "unmoved": back.unmoved}


def by_queries(estimator: Any, rows: pd.DataFrame, message: str) -> dict[str, Any]:
    """Follows the advice of the message."""
    if "symcf.from_predict(estimator, X)" not in message:
        return {"outcome": "refused", "message": message}
    try:
        c = symcf.compile(symcf.from_predict(estimator, rows))
        c.explain(rows.dropna().iloc[0], max_changes=1)
    except symcf.SymcfError as error:
        return {"outcome": "refused", "message": f"{message} / {error}"}
    return {"outcome": "black box", "message": message}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--explained", type=int, default=10)
    options = parser.parse_args()
    results = []
    for one in combinations():
        if options.only not in one.title:
            continue
        try:
            r = look_at(one, options.rows, options.explained)
        except Exception as error:  # a crash is an outcome, too
            r = {
                "data": one.data,
                "name": one.name,
                "outcome": "refused",
                "message": f"{type(error).__name__}: {error}",
            }
        results.append(r)
        what = r.get("message", "")[:150] or ", ".join(
            f"{key} {r[key]:,}" for key in ("rows", "different", "suggested", "unmoved")
        )
        print(f"{r['outcome']:9} | {one.title} | {r.get('model', '')} | {what}", flush=True)
    outcomes = Counter(r["outcome"] for r in results)
    totals = {key: sum(r.get(key, 0) for r in results) for key in ("rows", "different", "suggested", "unmoved")}
    print(f"\n{len(results)} models: {dict(outcomes)}; {totals}")
    if not options.only:
        machine = common.machine()
        machine["packages"] |= {"scikit-learn": version("scikit-learn")}
        common.write("what_is_read", {"machine": machine, "totals": {**totals, **outcomes}, "models": results})
    if totals["different"] or totals["unmoved"]:
        raise SystemExit("some decisions differ, or some suggested rows are not decided otherwise")


if __name__ == "__main__":
    main()
