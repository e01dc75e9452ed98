"""A zoo of scikit-learn: estimators and pipelines as people have them, on raw tables.

`specimens` gives each with its table, fitted by `Specimen.fitted`. Used by tests/integration/test_zoo.py (a few rows)
and bench/zoo.py (many).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    PassiveAggressiveClassifier,
    Perceptron,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

NUMBERS = ["age", "income", "rooms"]
NAMES = ["job", "town"]


@dataclass(frozen=True)
class Specimen:
    """An estimator and its table."""

    name: str
    data: str
    estimator: Any

    @property
    def title(self) -> str:
        return f"{self.data}: {self.name}"

    def fitted(self) -> Any:
        rows, classes = table(self.data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # convergence and the like: not what is looked at
            return clone(self.estimator).fit(rows, classes)


# --- tables -----------------------------------------------------------------------------------------------------------


@cache
def table(name: str) -> tuple[pd.DataFrame, Any]:
    if name == "breast_cancer":
        rows, classes = load_breast_cancer(return_X_y=True, as_frame=True)
        return rows, np.where(classes == 1, "benign", "malignant")
    if name == "wine":
        rows, classes = load_wine(return_X_y=True, as_frame=True)
        return rows, classes.to_numpy() - 1  # a negative class, too
    return mixed(600, seed=0)


def mixed(count: int, seed: int) -> tuple[pd.DataFrame, Any]:
    """Numbers with gaps, strings with gaps, a flag."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, size=count).astype(float),
            "income": np.round(rng.lognormal(7.5, 0.7, size=count), 2),
            "job": np.array(
                rng.choice(["clerk", "nurse", "smith", "diver"], size=count, p=[0.4, 0.3, 0.2, 0.1]), object
            ),
            "town": np.array(rng.choice(["A", "B", "C"], size=count), object),
            "member": rng.integers(2, size=count).astype(bool),
            "rooms": rng.integers(1, 7, size=count),
        }
    )
    frame.loc[rng.random(count) < 0.1, "age"] = np.nan
    frame.loc[rng.random(count) < 0.1, "job"] = np.nan
    gain = frame["age"].fillna(30) / 20 + np.log(frame["income"]) - 1.5 * frame["member"] + 2 * (frame["town"] == "B")
    gain += 2 * (frame["job"] == "nurse") + rng.normal(size=count) / 2
    return frame, (gain > np.median(gain)).to_numpy()


def around(name: str, count: int, seed: int = 1) -> pd.DataFrame:
    """Rows like those of a table: its values, shuffled by column, and numbers moved a little."""
    rows, _ = table(name)
    rng = np.random.default_rng(seed)
    picked = {column: rows[column].to_numpy()[rng.integers(len(rows), size=count)] for column in rows.columns}
    frame = pd.DataFrame(picked).astype(rows.dtypes.to_dict())
    for column in frame.select_dtypes("float").columns:
        moved = frame[column] * (1 + rng.normal(size=count) * 0.05)
        frame[column] = np.where(rng.random(count) < 0.5, frame[column], moved)
    return frame


# --- specimens --------------------------------------------------------------------------------------------------------


def known(kind: Any, **options: Any) -> dict[str, Any]:
    """Those that this version of scikit-learn knows: newer ones warn if they are not given."""
    return {name: value for name, value in options.items() if name in kind().get_params()}


def bins(encode: str = "onehot", count: int = 4, **options: Any) -> KBinsDiscretizer:
    quantiles = known(KBinsDiscretizer, quantile_method="averaged_inverted_cdf")
    return KBinsDiscretizer(count, encode=encode, **quantiles, **options)


def tree(depth: int = 4) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=depth, random_state=0)


def forest(count: int = 8, depth: int = 4) -> RandomForestClassifier:
    return RandomForestClassifier(count, max_depth=depth, random_state=0)


def logistic() -> LogisticRegression:
    return LogisticRegression(max_iter=2000)


def of_numbers(two_classes: bool) -> Iterator[tuple[str, Any]]:
    """For tables of numbers."""
    scaled: dict[str, Any] = {
        "StandardScaler": StandardScaler(),
        "MinMaxScaler": MinMaxScaler(),
        "RobustScaler": RobustScaler(),
        "MaxAbsScaler": MaxAbsScaler(),
    }
    for name, scaler in scaled.items():
        yield f"{name} + LogisticRegression", make_pipeline(scaler, logistic())
    linear: list[Any] = [
        LogisticRegressionCV(
            Cs=3, cv=3, max_iter=2000, scoring="accuracy", **known(LogisticRegressionCV, use_legacy_attributes=False)
        ),
        LinearSVC(random_state=0),
        SGDClassifier(random_state=0),
        Perceptron(random_state=0),
        PassiveAggressiveClassifier(random_state=0),
        RidgeClassifier(),
        RidgeClassifierCV(),
        LinearDiscriminantAnalysis(),
        GaussianNB(),
    ]
    for estimator in linear:
        yield f"StandardScaler + {type(estimator).__name__}", make_pipeline(StandardScaler(), estimator)
    yield "GaussianNB", GaussianNB()
    yield "MinMaxScaler + MultinomialNB", make_pipeline(MinMaxScaler(), MultinomialNB())
    trees: list[Any] = [
        tree(),
        ExtraTreeClassifier(max_depth=5, random_state=0),
        forest(),
        ExtraTreesClassifier(8, max_depth=4, random_state=0),
        BaggingClassifier(tree(3), 6, random_state=0),
        AdaBoostClassifier(tree(2), n_estimators=8, random_state=0),
        GradientBoostingClassifier(n_estimators=8, max_depth=2, random_state=0),
        HistGradientBoostingClassifier(max_iter=8, max_depth=3, random_state=0),
    ]
    for estimator in trees:
        yield type(estimator).__name__, estimator
    binned: list[Any] = [logistic(), BernoulliNB(), MultinomialNB(), ComplementNB(), tree()]
    for estimator in binned:
        yield f"bins + {type(estimator).__name__}", make_pipeline(bins(), estimator)
    yield "bins, ordinal + CategoricalNB", make_pipeline(bins("ordinal"), CategoricalNB(min_categories=4))
    yield "bins, dense, float32 + LinearSVC", make_pipeline(bins("onehot-dense", dtype=np.float32), LinearSVC())
    yield "bins, ordinal + LogisticRegression", make_pipeline(bins("ordinal"), logistic())
    yield "StandardScaler + Binarizer + BernoulliNB", make_pipeline(StandardScaler(), Binarizer(), BernoulliNB())
    yield "log1p + tree", make_pipeline(FunctionTransformer(np.log1p), tree())
    log = make_pipeline(FunctionTransformer(np.log1p), StandardScaler())
    yield "log1p + LogisticRegression", make_pipeline(log, logistic())
    yield "QuantileTransformer + LinearSVC", make_pipeline(QuantileTransformer(n_quantiles=50), LinearSVC())
    yield "sqrt + bins + LogisticRegression", make_pipeline(FunctionTransformer(np.sqrt), bins(), logistic())
    yield "PowerTransformer + forest", make_pipeline(PowerTransformer(), forest())
    yield "QuantileTransformer + tree", make_pipeline(QuantileTransformer(n_quantiles=50), tree())
    yield "SelectKBest + tree", make_pipeline(SelectKBest(k=6), tree())
    yield (
        "VarianceThreshold + StandardScaler, pandas + LogisticRegression",
        make_pipeline(VarianceThreshold(0.01), StandardScaler(), logistic()).set_output(transform="pandas"),
    )
    yield "union of scaler and bins + tree", make_pipeline(make_union(StandardScaler(), bins()), tree())
    scaled_logistic = make_pipeline(StandardScaler(), logistic())
    yield "PCA + LogisticRegression", make_pipeline(StandardScaler(), PCA(4, whiten=True), StandardScaler(), logistic())
    yield "OneVsRestClassifier", OneVsRestClassifier(scaled_logistic)
    yield "KNNImputer + tree", make_pipeline(KNNImputer(), tree())
    yield "GridSearchCV", GridSearchCV(scaled_logistic, {"logisticregression__C": [0.1, 1.0]}, cv=3)
    yield "RandomizedSearchCV", RandomizedSearchCV(forest(), {"max_depth": [2, 3]}, n_iter=2, cv=2, random_state=0)
    yield "calibrated trees, 5 folds", CalibratedClassifierCV(tree(), cv=5)
    yield "soft votes of trees", VotingClassifier([("a", tree()), ("b", forest(5))], voting="soft")
    yield (
        "hard votes of trees",
        VotingClassifier([("a", tree(2)), ("b", make_pipeline(PowerTransformer(), tree(4))), ("c", tree(3))]),
    )
    if two_classes:
        yield "calibrated LogisticRegression", CalibratedClassifierCV(scaled_logistic, ensemble=False, cv=3)
        yield (
            "calibrated LinearSVC, isotonic",
            CalibratedClassifierCV(
                make_pipeline(StandardScaler(), LinearSVC()), method="isotonic", ensemble=False, cv=3
            ),
        )
        yield "tuned threshold, LogisticRegression", TunedThresholdClassifierCV(scaled_logistic, cv=3, thresholds=20)
        yield "fixed threshold, forest", FixedThresholdClassifier(forest(), threshold=0.8)
        yield "fixed threshold, GaussianNB", FixedThresholdClassifier(GaussianNB(), threshold=0.9)
    elif tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8):
        yield (
            "temperature, LogisticRegression",
            CalibratedClassifierCV(scaled_logistic, method="temperature", ensemble=False, cv=3),
        )


def of_the_mixed_table() -> Iterator[tuple[str, Any]]:
    """Behind column transformers, or with gaps as they are."""
    filled = make_pipeline(SimpleImputer(strategy="median"), bins())
    names = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))

    def coded() -> Any:
        return make_column_transformer((filled, NUMBERS), (names, NAMES), ("passthrough", ["member"]))

    for estimator in (logistic(), BernoulliNB(), MultinomialNB(), LinearSVC(), tree(), forest()):
        yield f"imputed, binned, one-hot + {type(estimator).__name__}", make_pipeline(coded(), estimator)
    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    rest = (names, NAMES), ("passthrough", ["member"])
    for estimator in (logistic(), RidgeClassifier(), GaussianNB()):
        step = make_column_transformer((scaled, NUMBERS), *rest, sparse_threshold=0)
        yield f"imputed, scaled, one-hot + {type(estimator).__name__}", make_pipeline(step, estimator)
    gaps = make_column_transformer(
        ("passthrough", [*NUMBERS, "member"]),
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), NAMES),
    )
    for estimator in (tree(), forest(), HistGradientBoostingClassifier(max_iter=8, max_depth=3, random_state=0)):
        yield f"gaps, ordinal + {type(estimator).__name__}", make_pipeline(gaps, estimator)
    indicated = make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), bins("ordinal")), ["age"]),
        (
            make_pipeline(SimpleImputer(strategy="constant", fill_value="?", add_indicator=True), OneHotEncoder()),
            ["job"],
        ),
        (PowerTransformer(), ["income"]),
        ("passthrough", ["member", "rooms"]),
    )
    yield "indicators, power + tree", make_pipeline(indicated, tree())
    flags = make_column_transformer(
        (make_union(SimpleImputer(), MissingIndicator()), ["age"]), (FunctionTransformer(np.log), ["income"])
    )
    yield "union of imputer and indicator, log + forest", make_pipeline(flags, forest())
    target = make_column_transformer((TargetEncoder(), NAMES), ("passthrough", ["age", "income", "member"]))
    yield "target encoder + tree", make_pipeline(target, tree())
    codes = make_column_transformer(
        (make_pipeline(SimpleImputer(), bins("ordinal")), NUMBERS), (OrdinalEncoder(), ["town", "member"])
    )
    yield "ordinal codes + CategoricalNB", make_pipeline(codes, CategoricalNB(min_categories=4))
    chosen = make_column_transformer(
        (scaled, make_column_selector(dtype_include="number")), (names, NAMES), remainder="drop", sparse_threshold=0
    )
    yield (
        "selectors, pandas + LogisticRegression",
        make_pipeline(
            make_column_transformer((scaled, NUMBERS), ("passthrough", ["member"])).set_output(transform="pandas"),
            logistic(),
        ),
    )
    yield (
        "tuned threshold, selectors",
        TunedThresholdClassifierCV(make_pipeline(chosen, logistic()), cv=3, thresholds=20),
    )
    yield (
        "search of a pipeline",
        GridSearchCV(make_pipeline(coded(), tree()), {"decisiontreeclassifier__max_depth": [3]}),
    )
    votes = [
        ("a", make_pipeline(gaps, tree())),
        ("b", make_pipeline(coded(), forest(4))),
        ("c", make_pipeline(flags, tree(3))),
    ]
    yield "soft votes with steps of their own", VotingClassifier(votes, voting="soft", weights=[2, 1, 1])
    yield "calibrated BernoulliNB", CalibratedClassifierCV(make_pipeline(coded(), BernoulliNB()), ensemble=False, cv=3)


def refused() -> Iterator[tuple[str, str, Any]]:
    """What is not read, with the reason in the message."""
    numbers: list[tuple[str, Any]] = [
        ("KNeighborsClassifier", KNeighborsClassifier(weights="distance")),
        ("NearestCentroid", NearestCentroid()),
        ("Normalizer + tree", make_pipeline(Normalizer(), tree())),
        ("square + tree", make_pipeline(FunctionTransformer(np.square), tree())),
    ]  # fmt: skip
    for name, estimator in numbers:
        yield "breast_cancer", name, estimator


def specimens() -> list[Specimen]:
    """All that are expected to be read."""
    makers: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
        "breast_cancer": lambda: of_numbers(True),
        "wine": lambda: of_numbers(False),
        "mixed": of_the_mixed_table,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # estimators that scikit-learn will rename
        return [Specimen(name, data, made) for data, make in makers.items() for name, made in make()]


def refusals() -> list[Specimen]:
    """All that are expected to be refused."""
    return [Specimen(name, data, estimator) for data, name, estimator in refused()]


# --- what is looked at ------------------------------------------------------------------------------------------------

#: Below this, scikit-learn's own sums are too close to call.
CLOSE = 1e-9


def margins(estimator: Any, rows: pd.DataFrame) -> Any:
    """How far the best class is ahead of the second, or the score of the threshold."""
    if isinstance(estimator, (FixedThresholdClassifier, TunedThresholdClassifierCV)):
        fixed = isinstance(estimator, FixedThresholdClassifier)
        threshold = estimator.threshold if fixed else estimator.best_threshold_
        return np.abs(estimator.estimator_.predict_proba(rows)[:, 1] - threshold)
    if isinstance(estimator, VotingClassifier) and estimator.voting == "hard":
        return np.ones(len(rows))
    method = "decision_function" if hasattr(estimator, "decision_function") else "predict_proba"
    values = getattr(estimator, method)(rows)
    if values.ndim == 1:
        return np.abs(values)
    ordered = np.sort(values, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def _labels(estimator: Any, rows: pd.DataFrame) -> Any:
    """What it decides: one label per row. CatBoost gives a column of them where there are several classes."""
    return np.ravel(estimator.predict(rows))


def disagreements(estimator: Any, decided: Any, rows: pd.DataFrame) -> tuple[int, int]:
    """On how many rows another class was decided: where scikit-learn is sure of its own, and where it is not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unknown categories
        different = np.asarray(decided) != _labels(estimator, rows)
        close = margins(estimator, rows) < CLOSE
    return int((different & ~close).sum()), int((different & close).sum())


@dataclass
class FedBack:
    """Suggested rows, given to the original classifier."""

    rows: int = 0
    #: Those that it decides as before.
    unmoved: int = 0
    #: Those that differ in one number, and those of them for which a nearer number is enough.
    single: int = 0
    too_far: int = 0


def fed_back(
    estimator: Any, rows: pd.DataFrame, suggested: pd.DataFrame, within: pd.DataFrame | None = None, seed: int = 0
) -> FedBack:
    """Gives suggested rows, as `to_frame` has them, to the classifier that they are about. ``within``: rows whose least
    and greatest numbers are the range of what may be suggested.
    """
    result = FedBack(rows=len(suggested))
    before = rows.loc[suggested.index.get_level_values(0)]
    kinds = [kind.kind for kind in rows.dtypes]
    tried, owner = [], []
    for i, pair in enumerate(zip(before.itertuples(index=False), suggested.itertuples(index=False), strict=True)):
        left, right = pair
        changed = [j for j, (a, b) in enumerate(zip(left, right, strict=True)) if a != b and not (a != a and b != b)]
        if len(changed) != 1 or kinds[changed[0]] not in "if" or left[changed[0]] != left[changed[0]]:
            continue  # not one number
        j = changed[0]
        result.single += 1
        numbers = nearer(float(left[j]), float(right[j]), np.random.default_rng([seed, i]))
        low, high = (-np.inf, np.inf) if within is None else (within.iloc[:, j].min(), within.iloc[:, j].max())
        if rows.iloc[:, j].min() >= 0:
            low = max(low, 0.0)  # below 0, some steps give NaN, which a tree takes for a missing value
        numbers = [number for number in numbers if low <= number <= high]
        tried += [(*left[:j], number, *left[j + 1 :]) for number in numbers]
        owner += [i] * len(numbers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        old = _labels(estimator, before)
        result.unmoved = int((old == _labels(estimator, suggested)).sum())
        if tried:
            types = {name: kind for name, kind in rows.dtypes.items() if kind.kind != "i"}
            flipped = _decides_otherwise(estimator, pd.DataFrame(tried, columns=rows.columns).astype(types), old[owner])
            result.too_far = len(set(np.array(owner)[flipped].tolist()))
    return result


def _decides_otherwise(estimator: Any, rows: pd.DataFrame, than: Any) -> Any:
    """By row; a row that the classifier refuses, such as one with the square root of -1, is not decided."""
    try:
        return _labels(estimator, rows) != than
    except ValueError:
        if len(rows) == 1:
            return np.zeros(1, dtype=np.bool_)
    half = len(rows) // 2
    parts = (rows.iloc[:half], than[:half]), (rows.iloc[half:], than[half:])
    return np.concatenate([_decides_otherwise(estimator, *part) for part in parts])


def nearer(old: float, new: float, rng: np.random.Generator, most: int = 24) -> list[float]:
    """Numbers with as many decimals that are nearer to the old one, on both sides: the next ones, and some others."""
    step = Fraction(1, 10 ** max(decimals(old), decimals(new)))
    distance = abs(Fraction(repr(new)) - Fraction(repr(old)))
    steps = int(distance / step) - (distance % step == 0)
    if steps < 1:
        return []
    some = {steps, 1, *rng.integers(1, steps, size=min(most, steps), endpoint=True).tolist()}
    return [float(Fraction(repr(old)) + side * k * step) for k in sorted(some) for side in (1, -1)]


def decimals(number: float) -> int:
    """How many decimals a number is written with."""
    return max(0, -int(Decimal(repr(number)).normalize().as_tuple().exponent))
