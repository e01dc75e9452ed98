"""`from_model`: a trained estimator of any supported library -> a model.

Explainable boosting machines of `interpret`: each column adds a step function, so its bins are the values.

interpret need not be installed: a fitted machine has all that is needed in its attributes.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import timed
from symcf.common.renamed import did_you_mean
from symcf.data.columns import Categories, Ranges, RawColumns, Reader
from symcf.data.labels import MISSING, OTHER
from symcf.data.reader import ColumnLayout, Table, read_rows, types_of
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.files.files import ensemble_of, read_file
from symcf.models.kinds import model_from_dict
from symcf.models.linear import LinearClassifier
from symcf.models.quantities import Link
from symcf.models.regressor import Regressor
from symcf.models.sklearn.convert import from_sklearn, reading
from symcf.models.sklearn.cut_points import Cut, labels
from symcf.models.sklearn.libraries import bare, checked_iterations, classes_of, ensemble, is_of_a_library

__all__ = ["explainable_boosting", "from_model", "is_glassbox"]

#: What `from_model` takes beside the estimator and data: for estimators of one library or another.
OPTIONS = ("feature_names", "values", "ranges", "groups", "other", "classes", "iterations")


@timed
def from_model(estimator: Any, data: Any = None, *, time_limit: float | None = None, **options: Any) -> Model:
    """A fitted classifier of another library as a model that decides in the same way.

    Parameters
    ----------
    estimator:
        A fitted scikit-learn classifier or a whole fitted Pipeline, see `from_sklearn`; a classifier or Booster of
        XGBoost, LightGBM or CatBoost, or the path of a file that one of them wrote (JSON, UBJ, text), for which the
        library need not be installed; interpret's ExplainableBoostingClassifier without interactions. A model of symcf
        is given back as it is.
    data:
        Rows like those that it was fitted on, for what a classifier does not know about its columns: the categories of
        CatBoost's columns, and which columns are never missing.
    time_limit:
        `LimitError` after so many seconds.
    options:
        For scikit-learn the keywords of `from_sklearn`. For boosted trees ``feature_names``, ``groups`` and ``other``
        as there; ``classes``, the labels of the classes of a Booster or file, which knows only their numbers; and
        ``iterations``, the number of rounds that count (by default as many as the classifier itself uses).

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(max_depth=1).fit([[20], [30], [40]], ["deny", "approve", "approve"])
    >>> from_model(tree, feature_names=["age"]).values
    (('<= 25', '> 25'),)
    """
    for name in options:
        if name not in OPTIONS:
            raise TypeError(f"from_model() got an unexpected keyword {name!r}{did_you_mean(name, OPTIONS)}")
    if isinstance(estimator, Model):
        given = [*(["data"] if data is not None else []), *options]
        if given:
            raise OptionError(f"{', '.join(given)}: for estimators only; {type(estimator).__name__} is a model already")
        return estimator
    if isinstance(estimator, (str, os.PathLike)):
        return _from_file(estimator, data, options)
    if is_glassbox(estimator):
        if options:
            raise OptionError(f"{', '.join(options)}: for other estimators; {type(estimator).__name__} takes data only")
        with reading(estimator):
            return explainable_boosting(estimator, data)
    if is_of_a_library(estimator):
        iterations = checked_iterations(options.pop("iterations", None))
        with reading(estimator):
            read = ensemble(estimator, data, iterations)
            return bare(read, data, **{"classes": classes_of(estimator), **options})
    return from_sklearn(estimator, data=data, **options)


def _from_file(path: str | os.PathLike[str], data: Any, options: dict[str, Any]) -> Model:
    try:
        content = read_file(path)
        if isinstance(content, Mapping) and "model" in content:
            return model_from_dict(content)
        iterations = checked_iterations(options.pop("iterations", None))
        return bare(ensemble_of(content, iterations=iterations, with_data=data is not None), data, **options)
    except ModelError as error:
        raise ModelError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None


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
