"""Functions of one number, as lists of steps that are written to files: what calibration makes of a score, and what the
steps of a pipeline make of a column before a linear model sees it.

The steps are computed with the operations of numpy that scikit-learn itself uses, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.extras import load_extra
from symcf.common.lazy import cached_property
from symcf.data.numbers import codes_of_numbers, numbers_of_codes
from symcf.errors import ModelError

__all__ = ["DOUBLE", "IDENTITY", "SINGLE", "UFUNCS", "Link"]

Floats = npt.NDArray[np.float64]

#: Bits of the floats that libraries add up.
DOUBLE, SINGLE = 53, 24

#: Functions of numpy that rise.
UFUNCS = (
    *("log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "sinh", "sqrt"),
    *("cbrt", "arcsinh", "tanh", "arctan", "floor", "ceil", "rint", "trunc", "sign", "deg2rad", "rad2deg"),
)


def _logistic(x: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-x)))


def _interpolated(x: Floats, *points: float) -> Floats:
    """Between points: first all their x, then all their y; constant beyond the ends."""
    half = len(points) // 2
    return np.asarray(np.interp(x, points[:half], points[half:]))


def _yeo_johnson(x: Floats, power: float) -> Floats:
    """As `PowerTransformer` computes it."""
    result = np.empty_like(x)
    up = x >= 0
    low = ~up  # also NaN
    if abs(power) < np.spacing(1.0):
        result[up] = np.log1p(x[up])
    else:
        result[up] = np.expm1(power * np.log1p(x[up])) / power
    if abs(power - 2) > np.spacing(1.0):
        result[low] = -np.expm1((2 - power) * np.log1p(-x[low])) / (2 - power)
    else:
        result[low] = -np.log1p(-x[low])
    return result


def _box_cox(x: Floats, power: float) -> Floats:
    boxcox = load_extra("scipy.special", "PowerTransformer").boxcox
    return np.asarray(boxcox(np.where(x > 0, x, np.nan), power))


def _quantiles(normal: float, *points: float) -> Callable[[Floats], Floats]:
    """As `QuantileTransformer` computes it. Points: first all quantiles, then all references."""
    half = len(points) // 2
    quantiles, references = np.array(points[:half]), np.array(points[half:])
    backwards = -quantiles[::-1], -references[::-1]
    first, last = quantiles[0], quantiles[-1]
    if normal:
        ndtri = load_extra("scipy.special", "QuantileTransformer").ndtri
        ends = ndtri(CLOSE - np.spacing(1)), ndtri(1 - (CLOSE - np.spacing(1)))

    def function(x: Floats) -> Floats:
        low, high = (x - CLOSE < first, x + CLOSE > last) if normal else (x == first, x == last)
        result = np.asarray(0.5 * (np.interp(x, quantiles, references) - np.interp(-x, *backwards)))
        result[high] = 1.0
        result[low] = 0.0
        return np.clip(ndtri(result), *ends) if normal else result

    return function


#: Numbers this close to the first or the last quantile are taken for it.
CLOSE = 1e-7

#: By name, a function of numbers and of its own parameters.
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "divide": lambda x, by: x / by,
    "times": lambda x, by: x * by,
    "plus": lambda x, shift: x + shift,
    "negate": lambda x: -x,
    "complement": lambda x: 1 - x,
    "logistic": _logistic,
    "interpolated": _interpolated,
    "clip": np.clip,
    "yeo_johnson": _yeo_johnson,
    "box_cox": _box_cox,
    **{name: getattr(np, name) for name in UFUNCS},
}


def _with_parameters(function: Callable[..., Any], *parameters: float) -> Callable[[Floats], Any]:
    return lambda x: function(x, *parameters)


#: Those that computers evaluate without turning the order of two numbers around.
_EXACT = ("divide", "times", "plus", "negate", "complement")


#: By name, a maker of a function of numbers: what takes long is done once.
_MAKERS: dict[str, Callable[..., Callable[[Floats], Any]]] = {
    **{name: partial(_with_parameters, function) for name, function in _FUNCTIONS.items()},
    "quantiles": _quantiles,
}


@dataclass(frozen=True)
class Link:
    """A function that rises or falls, as a list of steps; by default the number itself.

    >>> Link((("divide", 4.0),))(np.array([2.0])).tolist()
    [0.5]
    """

    #: Names of functions and their parameters, in the order in which they are applied.
    steps: tuple[tuple[Any, ...], ...] = ()

    @cached_property
    def _functions(self) -> list[Callable[[Floats], Any]]:
        return [_MAKERS[name](*parameters) for name, *parameters in self.steps]

    def __getstate__(self) -> dict[str, Any]:
        return {"steps": self.steps}

    def __call__(self, numbers: Floats) -> Floats:
        """What it makes of numbers."""
        result = np.asarray(numbers, dtype=np.float64)
        with np.errstate(all="ignore"):
            for function in self._functions:
                result = function(result)
        return np.asarray(result, dtype=np.float64)

    def then(self, *steps: tuple[Any, ...]) -> Link:
        """The same with further steps."""
        return Link((*self.steps, *steps))

    def at(self, number: float) -> float:
        """What it makes of one number."""
        return float(self(np.array([number]))[0])

    def inverse(self, wanted: float, low: float, high: float) -> float:
        """The first number after ``low`` with which the function has come as far as this, on its way to ``high``;
        ``high`` if it does not.
        """
        rises = self.at(high) >= self.at(low)
        a, b = (int(code) for code in codes_of_numbers(np.array([low, high])))
        if (self.at(low) >= wanted) if rises else (self.at(low) <= wanted):
            return low
        while b - a > 1:
            middle = (a + b) // 2
            there = self.at(float(numbers_of_codes(np.array([middle]))[0]))
            a, b = (a, middle) if (there >= wanted if rises else there <= wanted) else (middle, b)
        return float(numbers_of_codes(np.array([b]))[0])

    def slack(self, number: float, bits: int) -> float:
        """How far what a library computes may be from the number that it means, where the sum is right."""
        if bits != DOUBLE:
            return max(abs(number), 1e-30) * 2.0 ** (2 - bits)
        if all(name in _EXACT for name, *_ in self.steps):
            return 0.0
        if self.steps[-1][0] == "interpolated" and number in self.steps[-1][1:]:
            return 0.0  # where it is level, it is exact
        return max(abs(number), 1.0) * 2.0 ** (3 - bits)

    def to_list(self) -> list[list[Any]]:
        """For JSON."""
        return [list(step) for step in self.steps]

    @classmethod
    def from_list(cls, data: Any) -> Link:
        """The inverse of `to_list`."""
        for name, *_ in data:
            if name not in _MAKERS:
                raise ModelError(f"unknown function {name!r}: known are {', '.join(_MAKERS)}")
        return cls(tuple((str(name), *map(float, parameters)) for name, *parameters in data))


#: The number itself.
IDENTITY = Link()
