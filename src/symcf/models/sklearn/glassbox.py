"""Explainable boosting machines of `interpret`: each column adds a step function, so its bins are the values.

interpret need not be installed: a fitted machine has all that is needed in its attributes.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.data.columns import Categories, Ranges, RawColumns, Reader
from symcf.data.reader import ColumnLayout, Table, read_rows, types_of
from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.linear import LinearClassifier
from symcf.models.quantities import Link
from symcf.models.regressor import Regressor
from symcf.models.sklearn.cut_points import Cut, labels
from symcf.models.sklearn.feature_values import MISSING, OTHER

__all__ = ["explainable_boosting", "is_glassbox"]

Scores = npt.NDArray[np.float64]


def is_glassbox(estimator: Any) -> bool:
    """Is it one of interpret's models?"""
    return type(estimator).__module__.startswith("interpret.")


def explainable_boosting(estimator: Any, data: Any = None) -> Model:
    """A fitted ExplainableBoostingClassifier or ExplainableBoostingRegressor without interactions."""
    name = type(estimator).__name__
    regressor = name == "ExplainableBoostingRegressor"
    if not regressor and name != "ExplainableBoostingClassifier":
        raise ModelError(
            f"{name} is not supported: of interpret, ExplainableBoostingClassifier and ExplainableBoostingRegressor are"
        )
    if not hasattr(estimator, "term_scores_"):
        raise ModelError(f"{name} is not fitted: call fit first")
    names = tuple(str(column) for column in estimator.feature_names_in_)
    for term in estimator.term_features_:
        if len(term) != 1:
            pair = " and ".join(repr(names[j]) for j in term)
            raise ModelError(f"{name} has a term of {pair} together, which is no sum: fit it with interactions=0")
    layout = ColumnLayout(names, tuple(range(len(names))), True, extra=True)
    table = None if data is None else read_rows(data, layout)
    features = [
        _feature(estimator, int(term[0]), np.asarray(scores, dtype=np.float64), table)
        for term, scores in zip(estimator.term_features_, estimator.term_scores_, strict=True)
    ]
    bias = np.atleast_1d(np.asarray(estimator.intercept_, dtype=np.float64))
    rows = [[weights[:, k].tolist() for _, weights, _ in features] for k in range(len(bias))]
    one = len(bias) == 1
    model = LinearClassifier(
        rows[0] if one else rows,
        float(bias[0]) if one else bias.tolist(),
        features=[names[reader.sources[0]] for reader, _, _ in features],
        values=[values for _, _, values in features],
        ordered=[isinstance(reader, Ranges) for reader, _, _ in features],
        classes=None if regressor else np.asarray(estimator.classes_).tolist(),
        tie="negative",
        probability=None if regressor else "logistic",
        encoder=RawColumns(
            names, [reader for reader, _, _ in features], types=() if data is None else types_of(data, layout)
        ),
        rounded=True,
    )
    return Regressor(model, Link(_link(estimator))) if regressor else model


def _link(estimator: Any) -> tuple[tuple[Any, ...], ...]:
    known: dict[str, tuple[tuple[Any, ...], ...]] = {"identity": (), "log": (("exp",),)}
    name = str(getattr(estimator, "link_", "identity"))
    if name not in known:
        raise ModelError(
            f"ExplainableBoostingRegressor with the link {name!r} is not supported: {', '.join(known)} are"
        )
    return known[name]


def _feature(estimator: Any, j: int, scores: Scores, table: Table | None) -> tuple[Reader, Scores, list[Hashable]]:
    """How a column is read, the scores of its values by sum, and their names. The first score is that of missing
    values, the last that of unknown ones.
    """
    scores = scores.reshape(len(scores), -1)
    bins = estimator.bins_[j][0]
    if isinstance(bins, dict):
        return _categories(j, bins, scores, table)
    cuts = [float(cut) for cut in bins]
    names: list[Hashable] = [*labels([Cut(cut, cut, closed=False) for cut in cuts]), MISSING]
    codes = tuple(range(len(cuts) + 1))
    return Ranges(j, tuple(cuts), codes, nan=len(codes)), scores[[*range(1, len(codes) + 1), 0]], names


def _categories(
    j: int, bins: dict[str, int], scores: Scores, table: Table | None
) -> tuple[Reader, Scores, list[Hashable]]:
    keys: dict[Any, int] = {text: code for code, text in enumerate(bins)}
    if table is not None:  # categories are compared as text
        for value in table.column(j).tolist():
            if not isinstance(value, str) and str(value) in bins:
                keys[value] = keys[str(value)]
    n = len(bins)
    reader = Categories(j, tuple(keys), tuple(keys.values()), nan=n, none=n, other=n + 1)
    return reader, scores[[*bins.values(), 0, -1]], [*bins, MISSING, OTHER]
