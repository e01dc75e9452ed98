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
from symcf.models.links import UFUNCS, Link
from symcf.models.sklearn.cut_points import Chain, Function

__all__ = ["Affine", "fitted_function", "folded", "named_function"]

Floats = npt.NDArray[np.float64]

#: Of those that rise, the ones that do so to the last bit, and the ones that are finite for all numbers that occur.
_EXACT = ("sqrt", "floor", "ceil", "rint", "trunc", "sign", "deg2rad", "rad2deg")
_TOTAL = ("cbrt", "arcsinh", "tanh", "arctan", *_EXACT[1:])

#: What a fitted step keeps per column.
_PER_COLUMN = ("lambdas_", "quantiles_")


def named_function(step: Any, where: str) -> Function | Affine:
    """The function of a FunctionTransformer."""
    functions: dict[Any, Function | Affine] = {
        **{
            getattr(np, name): Function(getattr(np, name), exact=name in _EXACT, total=name in _TOTAL, steps=((name,),))
            for name in UFUNCS
        },
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
        # one number that is not finite, or for Box-Cox not positive, makes it refuse the whole table
        fine = np.isfinite(numbers) & (numbers > 0 if positive else True)
        result = np.where(np.isinf(numbers), numbers, np.nan)
        if fine.any():
            result[fine] = np.asarray(one.transform(numbers[fine, np.newaxis]), dtype=np.float64)[:, 0]
        return (result - mean) / scale

    return Function(compute, steps=(*_steps(step, column), ("plus", -float(mean)), ("divide", float(scale))))


def _steps(step: Any, column: int) -> tuple[tuple[Any, ...], ...]:
    """The function of one column, as the steps of a `Link`."""
    if hasattr(step, "lambdas_"):
        return ((step.method.replace("-", "_"), float(step.lambdas_[column])),)
    points = (*step.quantiles_[:, column].tolist(), *step.references_.tolist())
    return (("quantiles", float(step.output_distribution == "normal"), *points),)


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
    def steps(self) -> tuple[tuple[Any, ...], ...]:
        """The same as the steps of a `Link`."""
        center, scale = float(self.center), float(self.scale)
        plain = (("times", scale), ("plus", center)) if self.times else (("plus", -center), ("divide", scale))
        return plain if self.clip is None else (*plain, ("clip", *map(float, self.clip)))

    @property
    def falls(self) -> bool:
        """Does it turn the order around?"""
        return self.scale < 0

    @property
    def exact(self) -> tuple[Fraction, Fraction]:
        """Slope and offset, without roundings."""
        center, scale = Fraction(float(self.center)), Fraction(float(self.scale))
        return (scale, center) if self.times else (1 / scale, -center / scale)


def folded(chain: Chain) -> tuple[Link | None, Fraction, Fraction] | None:
    """All steps together: slope and offset, without roundings, of what a function makes of the number before (None: of
    the number itself). None if a step is unknown.
    """
    before: tuple[tuple[Any, ...], ...] = ()
    slope, offset, so_far = Fraction(1), Fraction(0), before
    for step in chain:
        steps = getattr(step, "steps", None)
        if steps is None:
            return None
        so_far = (*so_far, *steps)
        if isinstance(step, Affine) and step.clip is None:
            a, b = step.exact
            slope, offset = a * slope, a * offset + b
        else:
            before, slope, offset = so_far, Fraction(1), Fraction(0)
    return (Link(before) if before else None), slope, offset
