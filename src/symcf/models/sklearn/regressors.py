"""Regressors: read as their classifiers are, with one sum, and a function from the sum to the prediction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.quantities import Link
from symcf.models.regressor import Regressor
from symcf.models.sklearn import boosters, scores, trees
from symcf.models.sklearn.design import Source
from symcf.models.sklearn.trees import Part

__all__ = ["ESTIMATORS", "is_regressor", "steps_of_targets", "with_functions"]

Steps = tuple[tuple[Any, ...], ...]
Convert = Callable[[Any, Source, tuple[Any, ...], bool], Model]


def _linear(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    _check_one_output(estimator, np.atleast_2d(estimator.coef_).shape[0])
    return Regressor(scores.linear(estimator, source, classes, other))


def _log_linear(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """Generalised linear models with the link "log"; TweedieRegressor may have another."""
    link = getattr(estimator, "link", "log")
    power = getattr(estimator, "power", 1.0)
    logarithmic = link == "log" or (link == "auto" and power > 0)
    return Regressor(scores.linear(estimator, source, classes, other), Link((("exp",),) if logarithmic else ()))


def _tree(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    return Regressor(trees.tree_sum([_part(estimator)], source, classes, other))


def _forest(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    parts = [_part(one) for one in estimator.estimators_]
    return _mean(trees.tree_sum(parts, source, classes, other, alone=False), len(parts))


def _bagging(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    parts = trees.bagged(estimator, ("DecisionTreeRegressor", "ExtraTreeRegressor"), _scores)
    return _mean(trees.tree_sum(parts, source, classes, other, alone=False), len(parts))


def _mean(model: Model, count: int) -> Regressor:
    return Regressor(model, Link((("divide", float(count)),)))


def _part(tree: Any) -> Part:
    return Part(tree, _scores(tree))


def _scores(tree: Any) -> npt.NDArray[np.float64]:
    """The numbers of a tree as the scores of the second of two classes."""
    _check_one_output(tree, tree.tree_.n_outputs)
    numbers = np.asarray(tree.tree_.value[:, 0, 0], dtype=np.float64)
    return np.column_stack([np.zeros_like(numbers), numbers])


def _boosted(convert: Convert) -> Convert:
    def converted(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
        exponential = getattr(estimator, "loss", None) in ("poisson", "gamma")
        return Regressor(convert(estimator, source, classes, other), Link((("exp",),) if exponential else ()))

    return converted


def _check_one_output(estimator: Any, count: int) -> None:
    if count != 1:
        raise ModelError(f"{type(estimator).__name__} has {count} outputs: fit one regressor per output")


_LINEAR = (
    *("LinearRegression", "Ridge", "RidgeCV", "Lasso", "LassoCV", "ElasticNet", "ElasticNetCV", "LassoLars"),
    *("LassoLarsCV", "LassoLarsIC", "Lars", "LarsCV", "BayesianRidge", "ARDRegression", "HuberRegressor"),
    *("TheilSenRegressor", "QuantileRegressor", "SGDRegressor", "PassiveAggressiveRegressor", "LinearSVR"),
    "OrthogonalMatchingPursuit",
)

ESTIMATORS: dict[str, Convert] = {
    **dict.fromkeys(_LINEAR, _linear),
    **dict.fromkeys(("PoissonRegressor", "GammaRegressor", "TweedieRegressor"), _log_linear),
    **dict.fromkeys(("DecisionTreeRegressor", "ExtraTreeRegressor"), _tree),
    **dict.fromkeys(("RandomForestRegressor", "ExtraTreesRegressor"), _forest),
    "BaggingRegressor": _bagging,
    "GradientBoostingRegressor": _boosted(boosters.gradient_boosting),
    "HistGradientBoostingRegressor": _boosted(boosters.hist_gradient_boosting),
}

#: Of other libraries.
_OTHERS = ("XGBRegressor", "XGBRFRegressor", "LGBMRegressor", "CatBoostRegressor")


def is_regressor(final: Any) -> bool:
    """Is it an estimator that predicts numbers?"""
    return type(final).__name__ in (*ESTIMATORS, *_OTHERS)


# --- TransformedTargetRegressor ---------------------------------------------------------------------------------------

#: By function that makes predictions of what was fitted: the step of a `Link`.
_INVERSE: dict[Any, tuple[Any, ...]] = {np.exp: ("exp",), np.expm1: ("expm1",), np.sinh: ("sinh",)}


def with_functions(model: Model, fitted: Sequence[Any]) -> Model:
    """A regressor of transformed targets, whose predictions are transformed back."""
    for transformer in fitted:
        assert isinstance(model, Regressor)
        model = model.then(*steps_of_targets(transformer))
    return model


def steps_of_targets(transformer: Any) -> Steps:
    """The steps of a `Link` that transform predictions back."""
    name = type(transformer).__name__
    if name == "FunctionTransformer":
        function = transformer.inverse_func
        if function is None and transformer.func is None:
            return ()
        if function in _INVERSE and not transformer.inv_kw_args:
            return (_INVERSE[function],)
        known = ", ".join(f"np.{one.__name__}" for one in _INVERSE)
        shown = getattr(function, "__name__", repr(function))
        raise ModelError(
            f"TransformedTargetRegressor with inverse_func={shown} is not supported: it is not known to rise "
            f"everywhere. Known are {known}"
        )
    if name == "StandardScaler":
        return (("times", float(np.ravel(transformer.scale_)[0])), ("plus", float(np.ravel(transformer.mean_)[0])))
    if name == "MinMaxScaler" and not transformer.clip:
        return (("plus", -float(transformer.min_[0])), ("divide", float(transformer.scale_[0])))
    raise ModelError(
        f"TransformedTargetRegressor with {name} is not supported: use func= and inverse_func=, StandardScaler or "
        f"MinMaxScaler"
    )
