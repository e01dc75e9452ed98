"""Steps that apply a function to each column: which of them rise or fall, so that ranges stay ranges.

The function itself is scikit-learn's: a step that keeps numbers per column is copied with those of one column only, and
its own `transform` is called.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.sklearn.cut_points import Chain, Function

__all__ = ["Affine", "fitted_function", "folded", "named_function"]

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


@dataclass(frozen=True)
class Affine:
    """``(x - center) / scale`` or, with ``times``, ``x * scale + center``: with the roundings of scikit-learn."""

    center: float
    scale: float
    times: bool = False
    #: Numbers are then cut off at these.
    clip: tuple[float, float] | None = None

    def __call__(self, x: Floats) -> Floats:
        """What the scaler makes of numbers."""
        scaled = x * self.scale + self.center if self.times else (x - self.center) / self.scale
        return scaled if self.clip is None else np.clip(scaled, *self.clip)

    @property
    def falls(self) -> bool:
        """Does it turn the order around?"""
        return self.scale < 0

    @property
    def exact(self) -> tuple[Fraction, Fraction]:
        """Slope and offset, without roundings."""
        center, scale = Fraction(float(self.center)), Fraction(float(self.scale))
        return (scale, center) if self.times else (1 / scale, -center / scale)


def folded(chain: Chain) -> tuple[Fraction, Fraction] | None:
    """Slope and offset of all steps together; None if one of them is not a plain scaling."""
    slope, offset = Fraction(1), Fraction(0)
    for step in chain:
        if not isinstance(step, Affine) or step.clip is not None:
            return None
        a, b = step.exact
        slope, offset = a * slope, a * offset + b
    return slope, offset
