"""Estimators whose scores can be bounded, on small tables of whole numbers and labels; and brute force over all rows
within reach, on raw rows, by the estimator's own `predict`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge, RidgeClassifier, SGDClassifier
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, SplineTransformer, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier

__all__ = ["ESTIMATORS", "REGRESSORS", "TABLES", "boosters", "coarse", "fitted", "flipping", "minimal", "mixed"]


def _logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression())


def _forest() -> Any:
    return RandomForestClassifier(5, max_depth=4, random_state=0)


def _boosted() -> Any:
    return GradientBoostingClassifier(n_estimators=8, random_state=0)


def _network() -> Any:
    return MLPClassifier((8,), max_iter=100, random_state=0)


#: Beside plain networks. Those with "two" are for two classes, those with "three" for more.
ESTIMATORS: dict[str, Any] = {
    "calibrated, sigmoid": lambda: CalibratedClassifierCV(_logistic()),
    "calibrated, isotonic": lambda: CalibratedClassifierCV(_logistic(), method="isotonic"),
    "calibrated LinearSVC": lambda: CalibratedClassifierCV(LinearSVC(), cv=3),
    "calibrated linear SVC, two": lambda: CalibratedClassifierCV(SVC(kernel="linear"), cv=3),
    "calibrated forest": lambda: CalibratedClassifierCV(_forest(), cv=3),
    "calibrated forest, isotonic": lambda: CalibratedClassifierCV(_forest(), cv=3, method="isotonic"),
    "calibrated boosting": lambda: CalibratedClassifierCV(_boosted(), cv=3),
    "soft votes": lambda: VotingClassifier(
        [("a", _logistic()), ("b", _forest()), ("c", DecisionTreeClassifier(max_depth=3))],
        voting="soft",
        weights=[2, 1, 0.5],
    ),
    "soft votes of a network": lambda: VotingClassifier(
        [("a", _logistic()), ("b", _network()), ("c", _boosted())], voting="soft"
    ),
    "stacking": lambda: StackingClassifier(
        [("a", _logistic()), ("b", _forest()), ("c", LinearSVC())], LogisticRegression(), cv=3
    ),
    "stacking, passthrough": lambda: StackingClassifier(
        [("a", _logistic()), ("b", _forest())],
        make_pipeline(StandardScaler(), LogisticRegression()),
        cv=3,
        passthrough=True,
    ),
    "products": lambda: make_pipeline(StandardScaler(), PolynomialFeatures(2), LogisticRegression(max_iter=500)),
    "interactions": lambda: make_pipeline(
        PolynomialFeatures(2, interaction_only=True, include_bias=False), StandardScaler(), RidgeClassifier()
    ),
    "cubes": lambda: make_pipeline(StandardScaler(), PolynomialFeatures(3), LogisticRegression(max_iter=500)),
    "PCA and a network": lambda: make_pipeline(StandardScaler(), PCA(4, whiten=True, random_state=0), _network()),
    "SVC, two": lambda: make_pipeline(StandardScaler(), SVC()),
    "NuSVC, two": lambda: make_pipeline(MinMaxScaler(), NuSVC(nu=0.2)),
    "calibrated SVC, two": lambda: CalibratedClassifierCV(make_pipeline(StandardScaler(), SVC()), cv=3),
    "SVC in pairs": lambda: make_pipeline(StandardScaler(), SVC()),
    "SVC in pairs, no ties": lambda: make_pipeline(StandardScaler(), SVC(break_ties=True, kernel="linear")),
    "SVC, poly": lambda: make_pipeline(StandardScaler(), SVC(kernel="poly", coef0=0.5)),
    "SVC, poly of degree 2": lambda: make_pipeline(StandardScaler(), SVC(kernel="poly", degree=2)),
    "SVC, sigmoid": lambda: make_pipeline(StandardScaler(), SVC(kernel="sigmoid", gamma=0.1)),
    "splines": lambda: make_pipeline(StandardScaler(), SplineTransformer(4), LogisticRegression()),
    "splines and a network": lambda: make_pipeline(SplineTransformer(3, degree=2, extrapolation="linear"), _network()),
    "splines and trees": lambda: make_pipeline(SplineTransformer(3), _forest()),
    "splines, OneVsRest": lambda: OneVsRestClassifier(make_pipeline(SplineTransformer(3), LogisticRegression())),
    "neighbours": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    "neighbours, even, by all distances": lambda: KNeighborsClassifier(4, algorithm="brute"),
    "discriminants, two": lambda: QuadraticDiscriminantAnalysis(reg_param=0.1),
    "hard votes": lambda: VotingClassifier([("a", _logistic()), ("b", _forest()), ("c", LinearSVC())]),
    "hard votes of two": lambda: VotingClassifier(
        [("a", _logistic()), ("b", DecisionTreeClassifier(max_depth=3, random_state=0))]
    ),
    "hard votes with weights": lambda: VotingClassifier(
        [("a", _logistic()), ("b", _network()), ("c", _boosted())], weights=[0.5, 0.3, 0.3]
    ),
    "soft votes of all kinds": lambda: VotingClassifier(
        [
            ("a", GaussianNB()),
            ("b", KNeighborsClassifier()),
            ("c", HistGradientBoostingClassifier(max_iter=8)),
            ("d", LinearDiscriminantAnalysis()),
        ],
        voting="soft",
    ),
    "calibrated SGD, two": lambda: CalibratedClassifierCV(
        make_pipeline(StandardScaler(), SGDClassifier(loss="log_loss", random_state=0)), cv=3
    ),
    "calibrated histograms": lambda: CalibratedClassifierCV(HistGradientBoostingClassifier(max_iter=6), cv=3),
    "stacked histograms": lambda: StackingClassifier(
        [("a", HistGradientBoostingClassifier(max_iter=6)), ("b", GaussianNB())], LogisticRegression(), cv=3
    ),
    "threshold of votes, two": lambda: FixedThresholdClassifier(
        VotingClassifier([("a", _logistic()), ("b", GaussianNB())], voting="soft"), threshold=0.3
    ),
    "threshold of a network, two": lambda: FixedThresholdClassifier(_network(), threshold=0.6, pos_label=0),
    "tuned threshold of a kernel, two": lambda: TunedThresholdClassifierCV(
        make_pipeline(StandardScaler(), SVC()), cv=2, thresholds=10
    ),
    "pairs of linear models, three": lambda: OneVsOneClassifier(make_pipeline(StandardScaler(), LinearSVC())),
    "pairs of forests": lambda: OneVsOneClassifier(_forest()),
    "classes against the rest": lambda: OneVsRestClassifier(_boosted()),
    "networks against the rest": lambda: OneVsRestClassifier(make_pipeline(StandardScaler(), _network())),
    "bagged linear models": lambda: BaggingClassifier(_logistic(), 4, random_state=0),
    "bagged votes": lambda: BaggingClassifier(LinearSVC(), 4, random_state=0),
    "boosted linear models": lambda: AdaBoostClassifier(LogisticRegression(), n_estimators=4, random_state=0),
}


def boosters() -> dict[str, Any]:
    """Estimators of other libraries, to be members of others."""
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    return {
        "XGBoost": XGBClassifier(n_estimators=6, max_depth=3),
        "LightGBM": LGBMClassifier(n_estimators=6, num_leaves=6, verbose=-1),
        "CatBoost": CatBoostClassifier(iterations=6, depth=3, verbose=0, allow_writing_files=False),
    }


#: Whose predictions can be bounded.
REGRESSORS: dict[str, Any] = {
    "network": lambda: make_pipeline(
        StandardScaler(), MLPRegressor(hidden_layer_sizes=(8,), max_iter=200, random_state=0)
    ),
    "kernels": lambda: make_pipeline(StandardScaler(), SVR()),
    "products": lambda: make_pipeline(PolynomialFeatures(2), Ridge()),
    "splines": lambda: make_pipeline(SplineTransformer(4), Ridge()),
    "exp of splines": lambda: make_pipeline(SplineTransformer(3), PoissonRegressor()),
    "PCA and trees": lambda: make_pipeline(PCA(3), RandomForestRegressor(4, max_depth=4, random_state=0)),
    "votes": lambda: VotingRegressor(
        [
            ("a", Ridge()),
            ("b", RandomForestRegressor(4, max_depth=4, random_state=0)),
            ("c", HistGradientBoostingRegressor(max_iter=5)),
            ("d", TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1)),
        ],
        weights=[1, 2, 0.5, 1],
    ),
    "stacking": lambda: StackingRegressor(
        [("a", Ridge()), ("b", GradientBoostingRegressor(n_estimators=5, random_state=0))],
        Ridge(),
        cv=2,
        passthrough=True,
    ),
    "a transformed target": lambda: TransformedTargetRegressor(
        make_pipeline(StandardScaler(), SVR()), transformer=MinMaxScaler()
    ),
}

TABLES = {"breast_cancer": load_breast_cancer, "wine": load_wine, "digits": load_digits}


def coarse(name: str, n_columns: int, top: int, n_rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Some columns of a table of scikit-learn that vary, as whole numbers from 0 to ``top``."""
    X, y = (part[:n_rows] for part in TABLES[name](return_X_y=True))
    X = X[:, np.argsort(-X.std(axis=0) / (np.abs(X).mean(axis=0) + 1e-9), kind="stable")]
    X = X[:, [j for j in range(X.shape[1]) if len(np.unique(X[:, j])) > top][:n_columns]]
    low, high = X.min(axis=0), X.max(axis=0)
    return np.rint((X - low) / (high - low) * top), y


def mixed(n_rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers of several types, truth values and labels; and a class that depends on all of them."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 26, n_rows),
            "visits": random.integers(0, 5, n_rows).astype(np.int8),
            "rate": random.integers(0, 6, n_rows) / 2,
            "job": random.choice(["baker", "clerk", "smith"], n_rows),
            "home": pd.Categorical(random.choice(["own", "rent"], n_rows)),
            "member": random.integers(0, 2, n_rows).astype(bool),
        }
    )
    score = (frame["age"] - 21) * (frame["rate"] - 1) + 3 * (frame["job"] == "smith") - frame["visits"]
    score = score + 2 * frame["member"] * (frame["home"] == "own") + random.normal(0, 1, n_rows)
    return frame, np.digitize(score, [-1, 3])


def fitted(estimator: Any, X: Any, y: Any) -> Any:
    """The estimator, fitted without a word about convergence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y)


def rows_of(row: Sequence[Any], values: Sequence[Sequence[Any]], features: Sequence[int]) -> Iterator[list[Any]]:
    """All rows that differ in exactly these features."""
    for cells in product(*([v for v in values[j] if v != row[j]] for j in features)):
        new = list(row)
        for j, cell in zip(features, cells, strict=True):
            new[j] = cell
        yield new


def flipping(
    estimator: Any, data: Any, row: Sequence[Any], values: Sequence[Sequence[Any]], most: int, wanted: Any = None
) -> dict[tuple[int, ...], list[list[Any]]]:
    """By set of up to ``most`` features, the rows that change exactly these and are decided otherwise, or as wanted."""
    sets = [some for size in range(1, most + 1) for some in combinations(range(len(row)), size)]
    every = [(some, new) for some in sets for new in rows_of(row, values, some)]
    found: dict[tuple[int, ...], list[list[Any]]] = {}
    if not every:
        return found
    table = [list(row), *(new for _, new in every)]
    if isinstance(data, pd.DataFrame):
        made = pd.DataFrame(table, columns=data.columns).astype(data.dtypes)
    else:
        made = np.array(table, dtype=data.dtype)
    own, *decided = estimator.predict(made).tolist()
    for (some, new), label in zip(every, decided, strict=True):
        if label != own if wanted is None else label == wanted:
            found.setdefault(some, []).append(new)
    return found


def minimal(sets: Any) -> list[tuple[int, ...]]:
    """Those that contain no other, by size and features."""
    return sorted(
        (one for one in sets if not any(set(other) < set(one) for other in sets)), key=lambda one: (len(one), one)
    )
