"""Steps that apply a function to each column: which of them rise or fall, so that ranges stay ranges.

The function itself is scikit-learn's: a step that keeps numbers per column is copied with those of one column only, and
its own `transform` is called.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.sklearn.affine import Affine
from symcf.models.sklearn.cut_points import Function

__all__ = ["fitted_function", "named_function"]

Floats = npt.NDArray[np.float64]

#: Functions of numpy that rise: some of them only but for the last bits, and some not for all numbers.
_RISES = ("log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "sinh")
_TOTAL = ("cbrt", "arcsinh", "tanh", "arctan")
_EXACT = ("floor", "ceil", "rint", "trunc", "sign", "deg2rad", "rad2deg")

#: What a fitted step keeps per column.
_PER_COLUMN = ("lambdas_", "quantiles_")


def named_function(step: Any, where: str) -> Function | Affine:
    """The function of a FunctionTransformer."""
    functions: dict[Any, Function | Affine] = {
        np.sqrt: Function(np.sqrt, exact=True),
        **{getattr(np, name): Function(getattr(np, name)) for name in _RISES},
        **{getattr(np, name): Function(getattr(np, name), total=True) for name in _TOTAL},
        **{getattr(np, name): Function(getattr(np, name), exact=True, total=True) for name in _EXACT},
        np.negative: Affine(0.0, -1.0, times=True),
    }
    known = functions.get(step.func) if isinstance(step.func, np.ufunc) else None
    if known is None or step.kw_args:
        name = getattr(step.func, "__name__", repr(step.func)) + (" and kw_args" if step.kw_args else "")
        names = ", ".join(f"np.{one.__name__}" for one in functions)
        raise ModelError(
            f"{where} with {name} is not supported: it is not known to rise or fall everywhere. Functions that are "
            f"known are {names}, without kw_args; for others, bin the column instead (KBinsDiscretizer), or apply the "
            f"function to the data before fit"
        )
    return known


def fitted_function(step: Any, column: int) -> Function:
    """What a PowerTransformer or QuantileTransformer does to one of its columns."""
    one = _only(step, column)
    positive = getattr(step, "method", None) == "box-cox"
    mean, scale = 0.0, 1.0
    if getattr(step, "standardize", False):
        # apart, because the scaler refuses infinite numbers
        one.standardize = False
        mean, scale = step._scaler.mean_[column], step._scaler.scale_[column]

    def compute(numbers: Floats) -> Floats:
        # Box-Cox refuses the whole table if one number is not positive
        fine = numbers > 0 if positive else np.ones(len(numbers), dtype=np.bool_)
        result = np.full(len(numbers), np.nan)
        if fine.any():
            result[fine] = np.asarray(one.transform(numbers[fine, np.newaxis]), dtype=np.float64)[:, 0]
        return (result - mean) / scale

    return Function(compute)


def _only(step: Any, column: int) -> Any:
    """A copy of a fitted step for one of its columns."""
    one = copy.copy(step)
    one.n_features_in_ = 1
    vars(one).pop("feature_names_in_", None)
    for name in _PER_COLUMN:
        if hasattr(one, name):
            setattr(one, name, getattr(one, name)[..., [column]])
    return one
