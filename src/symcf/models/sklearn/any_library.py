"""`from_model`: a trained estimator of any supported library -> a model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from symcf.common.clock import timed
from symcf.common.renamed import did_you_mean
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.files.files import ensemble_of, read_file
from symcf.models.kinds import model_from_dict
from symcf.models.sklearn.convert import from_sklearn, reading
from symcf.models.sklearn.interpret import explainable_boosting, is_glassbox
from symcf.models.sklearn.libraries import bare, checked_iterations, classes_of, ensemble, is_of_a_library
from symcf.models.sklearn.statsmodels import from_statsmodels, is_result

__all__ = ["from_model"]

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
        library need not be installed; ExplainableBoostingClassifier or ExplainableBoostingRegressor of interpret; the
        results of a linear, logistic or generalised linear model of statsmodels. A model of symcf is given back as it
        is.
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
    if is_result(estimator):
        with reading(estimator):
            return from_statsmodels(estimator, data, **options)
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
        return bare(ensemble_of(content, iterations=iterations, data=data), data, **options)
    except ModelError as error:
        raise ModelError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None
