"""Results of statsmodels that are a sum and a rising function of it: linear, logistic and count regressions, GLM.

Their `predict` gives a number, of logistic regressions the probability, so they are regressors: a target says what the
number should be. The constant column that statsmodels wants in its rows is not a feature.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.regressor import Regressor
from symcf.models.sklearn.convert import from_sklearn

__all__ = ["LINKS", "MODELS", "from_statsmodels", "is_result"]

Steps = tuple[tuple[Any, ...], ...]

#: By model, from the sum to the prediction; None: see the link of its family.
MODELS: dict[str, Steps | None] = {
    **dict.fromkeys(("OLS", "WLS", "GLS", "GLSAR"), ()),
    "Logit": (("logistic",),),
    "Poisson": (("exp",),),
    "GLM": None,
}
#: By link of a GLM.
LINKS: dict[str, Steps] = {"Identity": (), "identity": (), "Logit": (("logistic",),), "Log": (("exp",),)}


def is_result(estimator: Any) -> bool:
    """Is it what a model of statsmodels gives when it is fitted?"""
    return type(estimator).__module__.startswith("statsmodels.")


def from_statsmodels(results: Any, data: Any = None, **options: Any) -> Model:
    """Fitted results as a model."""
    model = getattr(results, "model", None)
    if model is None or not hasattr(results, "params"):
        name = type(results).__name__
        raise ModelError(f"{name} is not a result of statsmodels: call fit, and pass what it returns")
    name = type(model).__name__
    if name not in MODELS:
        raise ModelError(f"{name} of statsmodels is not supported: supported are {', '.join(MODELS)}")
    link = _link(model) if name == "GLM" else MODELS[name]
    params = np.asarray(results.params, dtype=np.float64)
    columns = [str(column) for column in model.exog_names]
    if params.shape != (len(columns),) or not np.isfinite(params).all():
        raise ModelError(f"{name} of statsmodels has {params.size} parameters for {len(columns)} columns")
    _check_formula(model, columns)
    constant = getattr(model.data, "const_idx", None)
    kept = [j for j in range(len(columns)) if j != constant]
    if not kept:
        raise ModelError(f"{name} of statsmodels has no column but the constant, so that no change helps")
    from sklearn.linear_model import LinearRegression

    linear = LinearRegression()
    linear.coef_, linear.intercept_ = params[kept], 0.0 if constant is None else float(params[constant])
    linear.n_features_in_, linear.feature_names_in_ = len(kept), np.array([columns[j] for j in kept], dtype=object)
    read = from_sklearn(linear, data=data, **options)
    assert isinstance(read, Regressor)
    return read.then(*(link or ()))


def _link(model: Any) -> Steps:
    name = type(model.family.link).__name__
    if name not in LINKS:
        raise ModelError(f"GLM of statsmodels with the link {name} is not supported: Identity, Logit and Log are")
    return LINKS[name]


def _check_formula(model: Any, columns: list[str]) -> None:
    """The columns of a formula have to be those of the table, as they are."""
    if getattr(model, "formula", None) is None:
        return
    known = {str(column) for column in getattr(model.data.frame, "columns", ())}
    for column in columns:
        if column != "Intercept" and column not in known:
            raise ModelError(
                f"the term {column!r} of the formula {model.formula!r} is not a column of the table: compute the "
                "column before fit, or encode its categories, and use its name"
            )
