"""Regressors whose predictions can be bounded: what each computes, by the names of the tables at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symcf.errors import ModelError
from symcf.models.bounded.forms import Activation, Affine, Function
from symcf.models.bounded.functions import Trees
from symcf.models.sklearn.boosters import hist_ensemble, own_columns
from symcf.models.sklearn.bounded_steps import name_of, unit_of
from symcf.models.sklearn.bounded_sums import Functions, alike, ensemble_sums, layers, tree_of
from symcf.models.sklearn.regressors import ESTIMATORS

__all__ = ["BOUNDED", "PREDICTIONS", "predictions"]


def predictions(final: Any) -> Functions:
    """What a regressor computes from its columns: one number."""
    name = name_of(final)
    if name not in PREDICTIONS:
        raise ModelError(f"{type(final).__name__} is not supported inside another estimator")
    return PREDICTIONS[name](final)


def _network(final: Any) -> Functions:
    if final.n_outputs_ != 1:
        raise ModelError(f"{type(final).__name__} has {final.n_outputs_} outputs: fit one regressor per output")
    if final.out_activation_ not in ("identity", "exp"):
        raise ModelError(f"{type(final).__name__} has the output {final.out_activation_!r}, which is not supported")
    return (*layers(final), Activation(final.out_activation_))


def _linear(final: Any) -> Functions:
    weights = np.atleast_2d(final.coef_.toarray() if hasattr(final.coef_, "toarray") else final.coef_).T
    if weights.shape[1] != 1:
        raise ModelError(f"{type(final).__name__} has {weights.shape[1]} outputs: fit one regressor per output")
    return (Affine(weights, np.ravel(final.intercept_)[:1] + np.zeros(1), unit_of(weights)),)


def _log_linear(final: Any) -> Functions:
    link, power = getattr(final, "link", "log"), getattr(final, "power", 1.0)
    logarithmic = link == "log" or (link == "auto" and power > 0)
    return (*_linear(final), Activation("exp")) if logarithmic else _linear(final)


def _kernels(final: Any) -> Functions:
    _, functions = alike(final)
    return (*functions, Affine(np.asarray(final.dual_coef_).T, final.intercept_))


def _trees(final: Any) -> Functions:
    """A tree, or the mean of trees."""
    members = getattr(final, "estimators_", None) or [final]
    if any(one.tree_.n_outputs != 1 for one in members):
        raise ModelError(f"{type(final).__name__} has several outputs: fit one regressor per output")
    return (Trees([tree_of(one.tree_, one.tree_.value[:, 0, :] / len(members)) for one in members]),)


def _boosted(final: Any) -> Functions:
    if not isinstance(final.init_, str) and not type(final.init_).__name__.startswith("Dummy"):
        raise ModelError("GradientBoostingRegressor that begins with another estimator is not supported")
    start = final._raw_predict_init(np.zeros((1, final.n_features_in_)))[0]
    members = [one for row in final.estimators_ for one in row]
    return (Trees([tree_of(one.tree_, final.learning_rate * one.tree_.value[:, 0, :]) for one in members], start),)


def _hist(final: Any) -> Functions:
    if own_columns(final) is not None:
        raise ModelError(f"{type(final).__name__} with categories of its own is not supported inside another estimator")
    functions = ensemble_sums(hist_ensemble(final, 2))
    return (*functions, Activation("exp")) if final.loss in ("poisson", "gamma") else functions


#: Those that are read with bounds by themselves.
BOUNDED: dict[str, Callable[[Any], tuple[Function, ...]]] = {
    "MLPRegressor": _network,
    **dict.fromkeys(("SVR", "NuSVR"), _kernels),
}
_BY_READER: dict[str, Callable[[Any], Functions]] = {
    "_linear": _linear,
    "_log_linear": _log_linear,
    "_tree": _trees,
    "_forest": _trees,
}
#: And those that are members of others, or come behind steps that mix columns.
PREDICTIONS: dict[str, Callable[[Any], Functions]] = {
    **BOUNDED,
    **{name: _BY_READER[read.__name__] for name, read in ESTIMATORS.items() if read.__name__ in _BY_READER},
    "GradientBoostingRegressor": _boosted,
    "HistGradientBoostingRegressor": _hist,
}
