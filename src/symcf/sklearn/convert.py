"""Converts a fitted estimator or pipeline to a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.rows.labels import checked_features, default_names
from symcf.sklearn import boosters, libraries, scores, trees
from symcf.sklearn.design import Source

__all__ = ["from_sklearn"]

Convert = Callable[[Any, Source, tuple[Any, ...], bool], Model]

ESTIMATORS: dict[str, Convert] = {
    "BernoulliNB": scores.bernoulli,
    "CategoricalNB": scores.categorical,
    "MultinomialNB": scores.counts,
    "ComplementNB": scores.counts,
    "GaussianNB": scores.gaussian,
    "LogisticRegression": scores.linear,
    "LogisticRegressionCV": scores.linear,
    "LinearSVC": scores.linear,
    "SGDClassifier": scores.linear,
    "Perceptron": scores.linear,
    "PassiveAggressiveClassifier": scores.linear,
    "RidgeClassifier": scores.linear,
    "RidgeClassifierCV": scores.linear,
    "LinearDiscriminantAnalysis": scores.linear,
    "DecisionTreeClassifier": trees.tree,
    "ExtraTreeClassifier": trees.tree,
    "RandomForestClassifier": trees.forest,
    "ExtraTreesClassifier": trees.forest,
    "BaggingClassifier": trees.bagging,
    "GradientBoostingClassifier": boosters.gradient_boosting,
    "HistGradientBoostingClassifier": boosters.hist_gradient_boosting,
    "AdaBoostClassifier": boosters.ada_boost,
}

#: What to convert instead of estimators that wrap others.
INSTEAD = {
    "GridSearchCV": "its best_estimator_",
    "RandomizedSearchCV": "its best_estimator_",
    "HalvingGridSearchCV": "its best_estimator_",
    "HalvingRandomSearchCV": "its best_estimator_",
    "CalibratedClassifierCV": "the estimator that it calibrates",
    "FixedThresholdClassifier": "its estimator_",
    "TunedThresholdClassifierCV": "its estimator_",
}


def from_sklearn(
    estimator: Any,
    *,
    data: Any = None,
    feature_names: Sequence[str] | None = None,
    values: Mapping[Any, Sequence[float]] | None = None,
    ranges: Mapping[Any, Sequence[float]] | None = None,
    groups: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]] | None = None,
    other: bool = True,
) -> Model:
    """A fitted scikit-learn classifier, or a whole fitted pipeline, as a model that decides in the same way.

    Parameters
    ----------
    estimator:
        A naive Bayes (Bernoulli, Categorical, Multinomial, Complement), linear (LogisticRegression, LinearSVC,
        SGDClassifier, Perceptron, RidgeClassifier and others with coefficients), tree or forest classifier; or a
        Pipeline that ends in one, of ColumnTransformer, OneHotEncoder, OrdinalEncoder, KBinsDiscretizer, Binarizer,
        SimpleImputer, scalers and feature selection.
    data:
        Rows like those that it was fitted on, for what the estimator does not know about its columns.
    feature_names:
        The names of the raw columns; by default those of the DataFrame that it was fitted on, else ``x0, x1, ...``.
    values:
        By column, the numbers it can hold, where they are not ranges. Columns that reach a naive Bayes or linear model
        as plain numbers are 0 or 1 unless listed here, or taken as they are because of ``data`` or ``ranges``.
    ranges:
        By column, the least and the greatest number that may be suggested, for naive Bayes and linear models that see
        it as a number, scaled or not; by default those in ``data``.
    groups:
        Raw columns of which one is 1 and the others 0, to be one feature each: lists of columns, or a mapping from
        names of features to such lists. None in a list is the value "all of them are 0".
    other:
        Whether unknown values that an encoder still encodes (``handle_unknown="ignore"``) are a value "(other)" of the
        feature; if not, they are refused.

    The features are the raw columns that reach the estimator. Their values are categories, or ranges of numbers such as
    "25 .. 35"; missing values are what the imputer makes of them. Rows are given raw, as to the pipeline: DataFrames in
    any order of columns, arrays, lists, mappings.

    Decisions are those of scikit-learn, ties included, except where its own floating-point sums are too close to call:
    there the exact sums decide. Numbers are read as 64-bit floats.

    >>> from sklearn.naive_bayes import BernoulliNB
    >>> nb = BernoulliNB().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "yes", "yes"])
    >>> from_sklearn(nb, feature_names=["member", "abroad"]).classes
    ('no', 'yes')
    """
    transformer, final = _parts(estimator)
    convert = _converter(final)
    _check_fitted(estimator, final)
    classes = _classes(final)
    names, named = _raw_names(estimator, transformer, final, feature_names)
    transformer = _with_own_columns(transformer, final)
    source = Source(transformer, names, named=named, data=data)
    if len(source.lineages) != final.n_features_in_:
        raise ModelError(
            f"{type(final).__name__} was fitted on {final.n_features_in_} columns, the steps before it give "
            f"{len(source.lineages)}"
        )
    source.set_values(values or {})
    source.set_groups(groups or {})
    source.ranges = dict(ranges or {})
    return convert(final, source, classes, other)


def _parts(estimator: Any) -> tuple[Any, Any]:
    """The steps, as one transformer or None, and the estimator at the end."""
    try:
        from sklearn.base import BaseEstimator
        from sklearn.pipeline import Pipeline
    except ImportError:
        raise ModelError("from_sklearn needs scikit-learn: pip install 'symcf[sklearn]'") from None
    if not isinstance(estimator, BaseEstimator):
        shown = estimator.__name__ if isinstance(estimator, type) else type(estimator).__name__
        hint = ": an object, not the class" if isinstance(estimator, type) else ""
        raise ModelError(f"from_sklearn takes a fitted scikit-learn classifier or Pipeline, not {shown}{hint}")
    if not isinstance(estimator, Pipeline):
        return None, estimator
    steps, final = list(estimator.steps[:-1]), estimator.steps[-1][1]
    if isinstance(final, Pipeline):
        inner, final = _parts(final)
        steps += [] if inner is None else [(f"{estimator.steps[-1][0]}", inner)]
    return (Pipeline(steps) if steps else None), final


def _with_own_columns(transformer: Any, final: Any) -> Any:
    """With the step that the estimator itself begins with, if it has one."""
    own = boosters.own_columns(final)
    if own is None or transformer is None:
        return transformer if own is None else own
    from sklearn.pipeline import Pipeline

    return Pipeline([("steps", transformer), ("columns", own)])


def _converter(final: Any) -> Convert:
    name = type(final).__name__
    if name == "IsolationForest":
        raise ModelError("IsolationForest is not supported: it has no classes, only how unusual a row is")
    if type(final).__module__.startswith("sklearn.") and name in ESTIMATORS:
        return ESTIMATORS[name]
    if libraries.is_of_a_library(final):
        return libraries.convert
    if final is None or isinstance(final, str) or not hasattr(final, "predict"):
        raise ModelError(f"the pipeline ends in {final if isinstance(final, str) else name}, which is not a classifier")
    hint = f"; convert {INSTEAD[name]} instead" if name in INSTEAD else ""
    raise ModelError(f"{name} is not supported{hint}: supported are {', '.join(ESTIMATORS)}")


def _check_fitted(estimator: Any, final: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(final)
        check_is_fitted(estimator)
    except NotFittedError:
        raise ModelError(f"{type(estimator).__name__} is not fitted: call fit first") from None


def _classes(final: Any) -> tuple[Any, ...]:
    name = type(final).__name__
    binarizer = getattr(final, "_label_binarizer", None)
    several = getattr(binarizer, "y_type_", "").startswith("multilabel")
    if several or isinstance(final.classes_, list) or getattr(final, "n_outputs_", 1) != 1:
        raise ModelError(f"{name} has several outputs: fit one classifier per output")
    classes = tuple(np.asarray(final.classes_).tolist())
    if len(classes) < 2:
        raise ModelError(f"{name} has only the class {classes[0]!r}: at least two are needed")
    return classes


def _raw_names(
    estimator: Any, transformer: Any, final: Any, given: Sequence[str] | None
) -> tuple[tuple[str, ...], bool]:
    """The names of the raw columns, and whether they are the user's own."""
    first = final if transformer is None else transformer
    count = int(first.n_features_in_)
    known = getattr(first, "feature_names_in_", None)
    if given is not None:
        return checked_features(given, count), True
    if known is not None:
        return checked_features([str(name) for name in known], count), True
    return tuple(default_names(count)), False
