"""First-order forms: what a function of a box can be, and the functions that carry them from layer to layer.

A box lets a few features vary. In a *form*, each number is ``centre + linear . t + e`` with ``t`` in ``[-1, 1]``, one
variable per feature, and ``e`` no larger than ``radius``. Linear maps keep the linear part exactly; a function that
bends gets one slope for the whole interval, and what it bends by goes into the radius (zonotopes: Singh and others,
"Fast and effective robustness certification", NeurIPS 2018; there every neuron adds a variable, here the variables stay
those of the features, of which there are few). So the radius shrinks with the square of the box.

Roundings: a sum of m products in floats of unit ``u`` is off by at most ``m u / (1 - m u)`` times the sum of the
magnitudes, in whatever order it is added (Higham, "Accuracy and stability of numerical algorithms", 3.1). Each function
adds more than twice that to the radius, for the sums of the estimator and for those that are computed here. So a form
holds the numbers that the estimator itself computes, and not only those of exact arithmetic. What is computed from
floats of 32 bits may be one again, so a form passes on the largest unit of what it is made of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property

__all__ = [
    "DOUBLE",
    "SINGLE",
    "Activation",
    "Affine",
    "Floats",
    "Folding",
    "Form",
    "Function",
    "Monotone",
    "Products",
    "product",
]

Floats = npt.NDArray[np.float64]

#: Units of rounding of floats of 64 and of 32 bits.
DOUBLE, SINGLE = 2.0**-53, 2.0**-24

#: Errors of tanh, exp and their like, in units of rounding: more than twice what libraries have.
ULPS = 16


@dataclass(frozen=True)
class Form:
    """By box and column: ``centre``, ``radius`` of shape (boxes, columns), ``linear`` of (variables, boxes, columns).

    Where something is not a number, the form says nothing: comparisons with its bounds are false.
    """

    centre: Floats
    linear: Floats
    radius: Floats
    #: The unit of rounding of the floats that the estimator has there.
    unit: float = DOUBLE

    @cached_property
    def spread(self) -> Floats:
        """How far from the centre it can be."""
        return np.asarray(np.abs(self.linear).sum(axis=0) + self.radius)

    @property
    def size(self) -> Floats:
        """The largest magnitude of what it is made of."""
        return np.asarray(np.abs(self.centre) + self.spread)

    @cached_property
    def low(self) -> Floats:
        """Lower bounds."""
        return np.asarray(self.centre - self.spread - 8 * DOUBLE * self.size)

    @cached_property
    def high(self) -> Floats:
        """Upper bounds."""
        return np.asarray(self.centre + self.spread + 8 * DOUBLE * self.size)

    def columns(self, places: Any) -> Form:
        """Some of the columns."""
        return Form(self.centre[:, places], self.linear[:, :, places], self.radius[:, places], self.unit)

    @staticmethod
    def between(low: Floats, high: Floats, n_variables: int, unit: float = DOUBLE) -> Form:
        """What is only known to lie between two bounds."""
        centre = (low + high) / 2
        radius = np.maximum(high - centre, centre - low)
        radius += 4 * DOUBLE * (np.abs(centre) + radius)
        return Form(centre, np.zeros((n_variables, *centre.shape)), radius, unit)

    @staticmethod
    def side_by_side(forms: Sequence[Form]) -> Form:
        """The columns of several forms."""
        if len(forms) == 1:
            return forms[0]
        centre, linear, radius = (
            np.concatenate([getattr(form, name) for form in forms], axis=-1) for name in ("centre", "linear", "radius")
        )
        return Form(centre, linear, radius, max(form.unit for form in forms))


class Function(ABC):
    """A function from rows of columns to rows of columns."""

    @abstractmethod
    def __call__(self, form: Form) -> Form:
        """A form that holds what the estimator computes for every row that the given form holds."""

    def folded(self, groups: Sequence[Sequence[int]]) -> tuple[Folding, Function] | None:
        """The same, where each of these groups of columns depends on one raw column: what to do with tables of the
        columns, and the function of what that gives. So what a group adds has bounds of its own, not those of its
        columns. None if that is not possible.
        """
        return None


class Affine(Function):
    """A matrix and what is added. ``weights`` has the shape (columns before, columns after)."""

    def __init__(self, weights: Any, bias: Any, unit: float = DOUBLE, summed: Any = None) -> None:
        """``summed``: by column after, the sum of the magnitudes that ``bias`` itself is a sum of."""
        self._weights = np.ascontiguousarray(weights, dtype=np.float64)
        self._bias = np.asarray(bias, dtype=np.float64)
        self._summed = np.abs(self._bias) if summed is None else np.asarray(summed, dtype=np.float64)
        self._magnitudes = np.abs(self._weights)
        self._unit = unit

    @property
    def n_sums(self) -> int:
        """The columns that it gives."""
        return int(self._weights.shape[1])

    def __call__(self, form: Form) -> Form:
        unit = max(self._unit, form.unit)
        off = 4 * (len(self._weights) + 8) * unit
        rounded = (form.radius + off * form.size) @ self._magnitudes + off * self._summed
        return Form(form.centre @ self._weights + self._bias, form.linear @ self._weights, rounded * (1 + off), unit)

    def folded(self, groups: Sequence[Sequence[int]]) -> tuple[Folding, Function] | None:
        """See `Function`."""
        n_columns, n_sums = self._weights.shape
        if not groups or len(groups) * n_sums > MOST_FOLDED:
            return None
        grouped = {j for group in groups for j in group}
        folding = Folding(self._weights, [j for j in range(n_columns) if j not in grouped], groups)
        weights = np.concatenate([self._weights[folding.alone], np.eye(n_sums)])
        off = 8 * (n_columns + len(groups) + 8)
        return folding, _Folded(Affine(weights, self._bias, self._unit, self._summed), len(groups), off, self._unit)


#: Sums of groups, at most, beyond which a matrix is not folded: they would take more than they save.
MOST_FOLDED = 512


class Folding:
    """Makes of columns: those that stand alone; by group, what it adds to each sum; and how large its terms are."""

    def __init__(self, weights: Floats, alone: Sequence[int], groups: Sequence[Sequence[int]]) -> None:
        self._weights, self._magnitudes = weights, np.abs(weights)
        self.alone, self.groups = list(alone), [list(group) for group in groups]
        #: By group, the columns that it gives.
        n_sums, first = weights.shape[1], len(self.alone)
        last = first + n_sums * len(self.groups)
        self.places = [
            (*range(first + g * n_sums, first + (g + 1) * n_sums), last + g) for g in range(len(self.groups))
        ]

    def __call__(self, made: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.floating[Any]]:
        """Of a table, another one with floats of the same precision."""
        table = made.astype(np.float64)
        sums = [table[:, group] @ self._weights[group] for group in self.groups]
        sizes = [(np.abs(table[:, group]) @ self._magnitudes[group]).max(axis=1) for group in self.groups]
        found = np.concatenate([table[:, self.alone], *sums, np.stack(sizes, axis=1)], axis=1)
        return found.astype(made.dtype)


class _Folded(Function):
    """Sums of what `Folding` gives."""

    def __init__(self, sums: Affine, n_groups: int, off: int, unit: float) -> None:
        """``off``: by how many units of the sizes the sums may be off."""
        self._sums, self._n_groups, self._off, self._unit = sums, n_groups, off, unit

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        unit, g = max(self._unit, form.unit), self._n_groups
        n_sums = self._sums.n_sums
        first = form.centre.shape[1] - g * (n_sums + 1)
        centre, linear, radius = (
            np.concatenate(
                [one[..., :first], one[..., first:-g].reshape(*one.shape[:-1], g, n_sums).sum(axis=-2)], axis=-1
            )
            for one in (form.centre, form.linear, form.radius)
        )
        sizes = form.columns(slice(-g, None)).size.sum(axis=1, keepdims=True)
        radius[:, first:] += self._off * unit * sizes
        return self._sums(Form(centre, linear, radius, unit))


#: A slope, and the interval of ``f(x) - slope * x``, for each interval of x.
Chord = Callable[[Floats, Floats], tuple[Floats, Floats, Floats]]


class Activation(Function):
    """A function of one number, applied to every column: "relu", "tanh", "logistic", "exp" or "identity"."""

    def __init__(self, name: str) -> None:
        """`KeyError` for other names."""
        self._chord = CHORDS[name]

    def __call__(self, form: Form) -> Form:
        if self._chord is None:
            return form
        slope, least, most = self._chord(form.low, form.high)
        shift = (least + most) / 2
        bend = (most - least) / 2
        off = ULPS * form.unit * (slope * form.size + np.maximum(np.abs(least), np.abs(most)))
        radius = slope * form.radius + bend + off
        return Form(slope * form.centre + shift, slope * form.linear, radius, form.unit)


def _relu(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(low >= 0, 1.0, np.where(high <= 0, 0.0, high / (high - low)))
    zero = np.zeros_like(low)
    # at 0 it is below its chord by the most
    most = np.where((low < 0) & (high > 0), -slope * low, zero)
    unknown = np.isnan(low) | np.isnan(high)
    return np.where(unknown, np.nan, slope), zero, most


def _tanh(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    first, last = np.tanh(low), np.tanh(high)
    # its slope is least at one of the ends, so the function less a line of that slope rises
    slope = np.maximum(0.0, np.minimum(1 - first * first, 1 - last * last) - ULPS * DOUBLE)
    return slope, first - slope * low, last - slope * high


def _logistic(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    first, last = logistic(low), logistic(high)
    slope = np.maximum(0.0, np.minimum(first * (1 - first), last * (1 - last)) - ULPS * DOUBLE)
    return slope, first - slope * low, last - slope * high


def logistic(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), without overflow."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1 + small))


def _exp(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    first, last = np.exp(low), np.exp(high)
    slope = first * (1 - ULPS * DOUBLE)
    return slope, first - slope * low, last - slope * high


#: By name, the chord; None: the number itself.
CHORDS: dict[str, Chord | None] = {
    "identity": None,
    "relu": _relu,
    "tanh": _tanh,
    "logistic": _logistic,
    "exp": _exp,
}


class Monotone(Function):
    """A function that never falls, applied to one column or to all of them. Nothing is known of its slope."""

    def __init__(self, function: Callable[[Floats], Floats]) -> None:
        self._function = function

    def __call__(self, form: Form) -> Form:
        low, high = self._function(form.low), self._function(form.high)
        off = ULPS * form.unit
        return Form.between(low - off * np.abs(low), high + off * np.abs(high), len(form.linear), form.unit)


class Products(Function):
    """Products of columns: by column after, the columns before that are multiplied; none gives 1."""

    def __init__(self, factors: Sequence[Sequence[int]]) -> None:
        self._factors = [tuple(some) for some in factors]

    def __call__(self, form: Form) -> Form:
        one = Form(np.ones((len(form.centre), 1)), np.zeros((len(form.linear), len(form.centre), 1)), np.zeros((1, 1)))
        one = Form(one.centre, one.linear, np.zeros_like(one.centre))
        degree = max(map(len, self._factors), default=0)
        padded = np.array([[*some, *[-1] * (degree - len(some))] for some in self._factors]).reshape(-1, degree)
        wide = Form.side_by_side([form, one])  # place -1 is the 1
        found = wide.columns(padded[:, 0]) if degree else wide.columns(np.full(len(padded), -1))
        for k in range(1, degree):
            found = product(found, wide.columns(padded[:, k]))
        return found


def product(one: Form, other: Form) -> Form:
    """Products of columns in the same places."""
    unit = max(one.unit, other.unit)
    varying = np.abs(one.linear).sum(axis=0)
    others = np.abs(other.linear).sum(axis=0)
    radius = np.abs(one.centre) * other.radius + np.abs(other.centre) * one.radius
    radius += (varying + one.radius) * (others + other.radius)
    radius += 8 * unit * one.size * other.size
    return Form(one.centre * other.centre, one.centre * other.linear + other.centre * one.linear, radius, unit)
