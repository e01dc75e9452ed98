"""Converts a fitted estimator or pipeline to a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from symcf.common.clock import timed
from symcf.data.labels import checked_features, default_names
from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.quantities import Link
from symcf.models.regressor import Calibrated
from symcf.models.sklearn import boosters, libraries, regressors, scores, trees
from symcf.models.sklearn.bounded import bounded, is_bounded
from symcf.models.sklearn.bounded_sums import BOUNDED
from symcf.models.sklearn.design import Source
from symcf.models.sklearn.dummies import warn_of_dummies
from symcf.models.sklearn.linear_maps import Alone, Combined, Step, absorbed
from symcf.models.sklearn.thresholds import cut
from symcf.models.sklearn.wrappers import ONE_PER_CLASS, SEARCHES, THRESHOLDS, Core, Cut, TreeSum, peeled, read

__all__ = ["BLACK_BOX", "from_sklearn", "reading"]

#: Estimators around others, see `wrappers`.
WRAPPERS = (
    *SEARCHES,
    *THRESHOLDS,
    "CalibratedClassifierCV",
    "VotingClassifier",
    "StackingClassifier",
    "FrozenEstimator",
    *ONE_PER_CLASS,
    "TransformedTargetRegressor",
)

#: Why not, or what to do instead, by estimator that cannot be read.
INSTEAD = {
    "GaussianProcessClassifier": "it adds up kernels",
    **dict.fromkeys(("RadiusNeighborsClassifier", "NearestCentroid"),
                    "it compares distances, which no sum or tree does"),
    "OutputCodeClassifier": "LogisticRegression, trees and forests take several classes by themselves",
    **dict.fromkeys(("MultiOutputClassifier", "ClassifierChain"), "it has several labels; use symcf.MultiLabel.of"),
    "IsolationForest": "it has no classes, only how unusual a row is",
    "DummyClassifier": "it ignores the columns, so that no change helps",
}  # fmt: skip

Convert = Callable[[Any, Source, tuple[Any, ...], bool], Model]

_LINEAR = (
    *("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "SGDClassifier", "Perceptron", "RidgeClassifier"),
    *("PassiveAggressiveClassifier", "RidgeClassifierCV", "LinearDiscriminantAnalysis"),
)

ESTIMATORS: dict[str, Convert] = {
    "BernoulliNB": scores.bernoulli,
    "CategoricalNB": scores.categorical,
    **dict.fromkeys(("MultinomialNB", "ComplementNB"), scores.counts),
    "GaussianNB": scores.gaussian,
    **dict.fromkeys(_LINEAR, scores.linear),
    **dict.fromkeys(trees.TREES, trees.tree),
    **dict.fromkeys(trees.FORESTS, trees.forest),
    "BaggingClassifier": trees.bagging,
    "GradientBoostingClassifier": boosters.gradient_boosting,
    "HistGradientBoostingClassifier": boosters.hist_gradient_boosting,
    "AdaBoostClassifier": boosters.ada_boost,
    **regressors.ESTIMATORS,
}


@timed
def from_sklearn(
    estimator: Any,
    *,
    data: Any = None,
    feature_names: Sequence[str] | None = None,
    values: Mapping[Any, Sequence[float]] | None = None,
    ranges: Mapping[Any, Sequence[float]] | None = None,
    groups: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]] | str | None = "auto",
    other: bool = True,
    time_limit: float | None = None,
) -> Model:
    """A fitted scikit-learn classifier or regressor, or a whole fitted pipeline, as a model that decides as it does.

    Parameters
    ----------
    estimator:
        A naive Bayes (Bernoulli, Categorical, Multinomial, Complement), linear (LogisticRegression, LinearSVC,
        SGDClassifier, Perceptron, RidgeClassifier and others with coefficients), tree or forest classifier; or a
        Pipeline that ends in one, of ColumnTransformer, FeatureUnion, encoders, bins, imputers, scalers, functions that
        rise or fall, and feature selection; or what wraps these: searches, thresholds, calibration, votes of trees.
        Networks, kernels, averages and products of columns are read with bounds, over values found in ``data``.
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
        names of features to such lists. None in a list is the value "all of them are 0". With "auto", columns that
        are those of ``pandas.get_dummies`` in ``data`` are one feature: their names have a prefix and an underscore in
        common (``job_clerk``, ``job_baker``), each is 1 somewhere, there are at least 10 rows, and in every row exactly
        one is 1; or at most one is (``drop_first=True``), where independent columns would coincide in 5 rows or more.
        Without data, columns that look like these bring a warning. None: columns are features of their own.
    other:
        Whether unknown values that an encoder still encodes (``handle_unknown="ignore"``) are a value "(other)" of the
        feature; if not, rows that hold them raise an error. It is suggested only where ``allowed`` lists it.
    time_limit:
        `LimitError` after so many seconds.

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
    with reading(estimator):
        _check_kind(estimator)
        with_bounds = is_bounded(estimator)
        if not with_bounds:
            _converter(peeled(estimator)[1])
    _check_fitted(estimator)
    if with_bounds:
        return _with_bounds(estimator, data, values, ranges, groups)
    with reading(estimator):
        found = read(estimator)
        core = found.core if isinstance(found, Cut) else found
        core = absorbed(core) if isinstance(core, Alone) else core
        final = core.final if isinstance(core, Alone) else core.parts[0].tree
        classes = (0, 1) if regressors.is_regressor(final) else _classes(estimator, final)
    if isinstance(core, Alone):
        transformer, firsts = _joined([_all_steps(core)], [int(final.n_features_in_)])
    else:
        transformer, firsts = _joined(core.steps, [part.n_columns or part.tree.n_features_in_ for part in core.parts])
    names, known = _raw_names(estimator, core, final, feature_names, data)
    named = known is not None or feature_names is not None
    with reading(estimator):
        source = Source(transformer, names, named=named, known=known, data=data)
        given = len(source.lineages)
        if given != firsts[-1]:
            raise ModelError(
                f"{type(final).__name__} was fitted on {firsts[-1]} columns, the steps before it give {given}"
            )
    source.set_values(values or {})
    source.set_groups(groups)
    source.ranges = dict(ranges or {})
    with reading(estimator):
        model = _converted(found, core, source, firsts, classes, other)
    if groups == "auto" and data is None:
        warn_of_dummies(model, stacklevel=4)
    return model


def _with_bounds(estimator: Any, data: Any, values: Any, ranges: Any, groups: Any) -> Model:
    name = type(peeled(estimator)[1]).__name__
    with reading(estimator):
        if data is None:
            why = f"{name} is no exact sum"
            try:
                read(estimator)
            except ModelError as error:
                why = str(error).rstrip(".")
            raise ModelError(
                f"{why}. It is read with bounds of its scores: symcf.compile(estimator, X), where X are rows like "
                f"those that it was fitted on"
            )
        if groups not in ("auto", None):
            raise ModelError(
                f"groups: {name} is read column by column; leave groups out, and state with constraints= that one of "
                f"them is 1"
            )
        return bounded(estimator, data, values=values, ranges=ranges)


def _converted(
    found: Any, core: Any, source: Source, firsts: Sequence[int], classes: tuple[Any, ...], other: bool
) -> Model:
    if isinstance(core, TreeSum):
        parts = [replace(part, first=first) for part, first in zip(core.parts, firsts, strict=False)]
        threshold = (found.of, found.at) if isinstance(found, Cut) else None
        model = trees.tree_sum(parts, source, classes, other, threshold=threshold)
        if isinstance(found, Cut) and found.calibration is not None:
            of, steps = found.calibration
            scored = trees.tree_sum(parts, source, classes, other, alone=False)
            return Calibrated(model, scored, of, Link(steps), found.at)
        return model
    model = _converter(core.final)(core.final, source, classes, other)
    if isinstance(found, Alone) and found.after:
        return regressors.with_functions(model, found.after)
    if isinstance(found, Cut):
        below = cut(model, found.method, found.at, core.final)
        if found.calibration is None or type(core.final).__name__ == "AdaBoostClassifier":  # whose score is scaled
            return below
        of, steps = found.calibration
        at = found.at if found.method == "decision_function" else math.log(found.at / (1 - found.at))
        return Calibrated(below, model, of, Link(steps), at)
    return Calibrated(model, None, "score", Link(), 0.0) if core.tempered else model


def _check_kind(estimator: Any) -> None:
    try:
        from sklearn.base import BaseEstimator
    except ImportError:
        raise ModelError("from_sklearn needs scikit-learn: pip install 'symcf[sklearn]'") from None
    if not isinstance(estimator, BaseEstimator):
        shown = estimator.__name__ if isinstance(estimator, type) else type(estimator).__name__
        hint = ": an object, not the class" if isinstance(estimator, type) else ""
        raise ModelError(f"from_sklearn takes a fitted scikit-learn classifier or Pipeline, not {shown}{hint}")


def _all_steps(core: Alone) -> tuple[Step, ...]:
    """With the step that the estimator itself begins with, if it has one."""
    own = boosters.own_columns(core.final)
    return core.steps if own is None else (*core.steps, ("columns", own))


def _converter(final: Any) -> Convert:
    name = type(final).__name__
    if isinstance(final, Combined):
        return scores.linear
    if name == "IsolationForest":
        raise ModelError("IsolationForest is not supported: it has no classes, only how unusual a row is")
    if type(final).__module__.startswith("sklearn.") and name in (*ESTIMATORS, *WRAPPERS):
        return ESTIMATORS.get(name, _wrapped)
    if libraries.is_of_a_library(final):
        return libraries.convert
    if final is None or isinstance(final, str) or not hasattr(final, "predict"):
        raise ModelError(
            f"the pipeline ends in {final if isinstance(final, str) else name}, which is not a classifier or regressor"
        )
    hint = f": {INSTEAD[name]}" if name in INSTEAD else ""
    raise ModelError(f"{name} is not supported{hint}. Supported are {', '.join((*ESTIMATORS, *BOUNDED, *WRAPPERS))}")


def _wrapped(estimator: Any, *_: Any) -> Model:
    raise ModelError(f"{type(estimator).__name__} is not supported inside this estimator")


def _check_fitted(estimator: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(peeled(estimator)[1])
        check_is_fitted(estimator)
    except NotFittedError:
        raise ModelError(f"{type(estimator).__name__} is not fitted: call fit first") from None


def _joined(steps: Sequence[tuple[Step, ...]], widths: Sequence[int]) -> tuple[Any, list[int]]:
    """The steps of several estimators as one transformer, or None; by estimator, its first column; and at last the
    number of columns. Estimators with the same steps before them read the same columns.
    """
    from sklearn.pipeline import FeatureUnion, Pipeline
    from sklearn.preprocessing import FunctionTransformer

    keys = [tuple(id(step) for _, step in one) for one in steps]
    different = dict(zip(keys, steps, strict=True))
    width = dict(zip(keys, widths, strict=True))
    *starts, total = np.cumsum([0, *(width[key] for key in different)]).tolist()
    place = dict(zip(different, starts, strict=True))
    firsts = [*(place[key] for key in keys), total]
    if len(different) == 1:
        (only,) = different.values()
        return (Pipeline(list(only)) if only else None), firsts
    parts = [Pipeline(list(one)) if one else FunctionTransformer() for one in different.values()]
    return FeatureUnion([(f"estimator {i}", part) for i, part in enumerate(parts)]), firsts


def _classes(estimator: Any, final: Any) -> tuple[Any, ...]:
    name = type(final).__name__
    binarizer = getattr(final, "_label_binarizer", None)
    several = getattr(binarizer, "y_type_", "").startswith("multilabel")
    if several or isinstance(final.classes_, list) or getattr(final, "n_outputs_", 1) != 1:
        raise ModelError(f"{name} has several outputs: fit one classifier per output")
    classes = tuple(np.asarray(estimator.classes_).tolist())
    if len(classes) < 2:
        raise ModelError(f"{name} has only the class {classes[0]!r}: at least two are needed")
    return classes


def _raw_names(
    estimator: Any, core: Core, final: Any, given: Sequence[str] | None, data: Any
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The names of the raw columns, and those that the estimator was fitted with, if it was."""
    steps = core.steps if isinstance(core, Alone) else core.steps[0]
    first = next(one for one in (estimator, *(step for _, step in steps), final) if hasattr(one, "n_features_in_"))
    count = int(first.n_features_in_)
    known = getattr(first, "feature_names_in_", None)
    fitted = None if known is None else tuple(str(name) for name in known)
    if fitted is not None and not steps and libraries.is_of_a_library(final):
        fitted = libraries.own_names(fitted, data)
    if given is not None:
        return checked_features(given, count), fitted
    return (checked_features(fitted, count) if fitted is not None else tuple(default_names(count))), fitted


#: What can be done about every classifier that cannot be read.
BLACK_BOX = (
    "Any classifier with predict can be explained as a black box: symcf.compile(symcf.from_predict(estimator, X)), "
    "where X are rows like those that it was fitted on"
)


@contextmanager
def reading(estimator: Any) -> Iterator[None]:
    """Errors of the model within it say how to explain the estimator as a black box, if it has `predict` or is a
    function.
    """
    try:
        yield
    except ModelError as error:
        black_box = not isinstance(estimator, type) and callable(getattr(estimator, "predict", estimator))
        if not black_box or BLACK_BOX in str(error):
            raise
        raise ModelError(f"{str(error).rstrip('.')}. {BLACK_BOX}") from error
