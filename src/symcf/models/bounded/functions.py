"""More functions of columns: trees, shares of a whole, powers, and distances to points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.models.bounded.forms import DOUBLE, ULPS, Affine, Floats, Form, Function, product

__all__ = ["Choice", "Distances", "Power", "Shares", "SideBySide", "Softmax", "Total", "Tree", "Trees", "Weighted"]

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Tree:
    """A tree as arrays by node: a row goes left where its number is at most the threshold. ``feature`` is -1 at leaves,
    where ``values`` has what each column gets.
    """

    feature: Integers
    threshold: Floats
    left: Integers
    right: Integers
    values: Floats


class Trees(Function):
    """A constant, and a sum of what trees give."""

    def __init__(
        self,
        trees: Sequence[Tree],
        constant: Any = 0.0,
        *,
        float32: bool = True,
        strict: bool = False,
        zero: float = 0.0,
        unit: float = DOUBLE,
    ) -> None:
        """``float32``: numbers are rounded to 32 bits before they are compared; ``strict``: the test is "less than";
        numbers up to ``zero`` are read as 0; ``unit``: the unit of rounding of what is added up.
        """
        self._float32, self._strict, self._zero, self._unit = float32, strict, zero, unit
        starts = np.cumsum([0, *(len(tree.feature) for tree in trees)])
        self._roots, self._constant = starts[:-1], np.asarray(constant, dtype=np.float64)
        self._feature = np.concatenate([tree.feature for tree in trees])
        self._threshold = np.concatenate([tree.threshold for tree in trees])
        self._left = np.concatenate([tree.left + at for tree, at in zip(trees, starts, strict=False)])
        self._right = np.concatenate([tree.right + at for tree, at in zip(trees, starts, strict=False)])
        self._values = np.concatenate([tree.values for tree in trees])
        largest = sum(
            (np.abs(tree.values[tree.feature < 0]).max(axis=0) for tree in trees), start=np.abs(self._constant)
        )
        #: What sums of so many numbers can be off by.
        self._off = 4 * (len(trees) + 8) * unit * largest

    def _compared(self, numbers: Floats) -> npt.NDArray[np.floating[Any]]:
        """Never falls."""
        with np.errstate(over="ignore"):
            found = numbers.astype(np.float32) if self._float32 else numbers
        return np.where(np.abs(found) <= self._zero, 0.0, found) if self._zero else found

    def __call__(self, form: Form) -> Form:
        """See `Function`. By box and tree, the least and the greatest of the leaves that can be reached."""
        low, high = self._compared(form.low), self._compared(form.high)
        n_boxes, n_trees, width = len(low), len(self._roots), self._values.shape[1]
        least = np.full((n_boxes * n_trees, width), np.inf)
        most = np.full((n_boxes * n_trees, width), -np.inf)
        pair = np.arange(n_boxes * n_trees)
        at = np.tile(self._roots, n_boxes)
        while len(pair):
            leaf = self._feature[at] < 0
            if leaf.any():
                np.minimum.at(least, pair[leaf], self._values[at[leaf]])
                np.maximum.at(most, pair[leaf], self._values[at[leaf]])
                pair, at = pair[~leaf], at[~leaf]
            box, feature, threshold = pair // n_trees, self._feature[at], self._threshold[at]
            # what is no number may go both ways
            if self._strict:
                left, right = ~(low[box, feature] >= threshold), ~(high[box, feature] < threshold)
            else:
                left, right = ~(low[box, feature] > threshold), ~(high[box, feature] <= threshold)
            pair = np.concatenate([pair[left], pair[right]])
            at = np.concatenate([self._left[at[left]], self._right[at[right]]])
        shape = n_boxes, n_trees, width
        return Form.between(
            least.reshape(shape).sum(axis=1) + self._constant - self._off,
            most.reshape(shape).sum(axis=1) + self._constant + self._off,
            len(form.linear),
            max(form.unit, self._unit),
        )


class SideBySide(Function):
    """The columns that several chains of functions make of the same columns."""

    def __init__(self, chains: Sequence[Sequence[Function]]) -> None:
        self._chains = [tuple(chain) for chain in chains]

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        found = []
        for chain in self._chains:
            one = form
            for function in chain:
                one = function(one)
            found.append(one)
        return Form.side_by_side(found)


class Power(Function):
    """Each column to a whole power."""

    def __init__(self, exponent: int) -> None:
        self._exponent = exponent

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        if not self._exponent:
            return Form(np.ones_like(form.centre), np.zeros_like(form.linear), np.zeros_like(form.radius), form.unit)
        found = form
        for _ in range(self._exponent - 1):
            found = product(found, form)
        return found


class Choice(Function):
    """One of the columns."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __call__(self, form: Form) -> Form:
        return form.columns([self._place])


class Weighted(Function):
    """Each column times a number."""

    def __init__(self, factor: float) -> None:
        self._factor = factor

    def __call__(self, form: Form) -> Form:
        factor = self._factor
        radius = abs(factor) * (form.radius + ULPS * form.unit * form.size)
        return Form(factor * form.centre, factor * form.linear, radius, form.unit)


class Total(Function):
    """Of so many groups of columns side by side, the sum of the first columns, of the second ones, and so on."""

    def __init__(self, groups: int) -> None:
        self._groups = groups

    def __call__(self, form: Form) -> Form:
        shape = self._groups, form.centre.shape[1] // self._groups
        centre, linear, radius, size = (
            one.reshape(*one.shape[:-1], *shape).sum(axis=-2)
            for one in (form.centre, form.linear, form.radius, form.size)
        )
        return Form(centre, linear, radius + 4 * (self._groups + 8) * form.unit * size, form.unit)


class Shares(Function):
    """Each column divided by the sum of all; none is below 0. Where all may be 0, nothing is known."""

    def __call__(self, form: Form) -> Form:
        low, high = np.maximum(form.low, 0.0), np.maximum(form.high, 0.0)
        others_low = low.sum(axis=1, keepdims=True) - low
        others_high = high.sum(axis=1, keepdims=True) - high
        off = ULPS * (low.shape[1] + 4) * form.unit
        with np.errstate(divide="ignore", invalid="ignore"):
            least, most = low / (low + others_high * (1 + off)), high / (high + others_low * (1 - off))
        unknown = low.sum(axis=1, keepdims=True) <= 0
        least, most = (np.where(unknown, np.nan, one) for one in (least, most))
        return Form.between(least - off, most + off, len(form.linear), form.unit)


class Softmax(Function):
    """exp of each column, divided by the sum of all; so it depends on differences of columns."""

    def __call__(self, form: Form) -> Form:
        n = form.centre.shape[1]
        off = ULPS * (n + 4) * form.unit
        least, most = [], []
        with np.errstate(over="ignore"):
            for k in range(n):
                matrix = np.eye(n)
                matrix[k] -= 1.0
                ahead = Affine(matrix, np.zeros(n))(form)  # of each column over column k
                least.append(1 / np.exp(ahead.high).sum(axis=1))
                most.append(1 / np.exp(ahead.low).sum(axis=1))
        low, high = np.stack(least, axis=1), np.stack(most, axis=1)
        return Form.between(np.maximum(low - off, 0.0), np.minimum(high + off, 1.0 + off), len(form.linear), form.unit)


class Distances(Function):
    """Squares of the distances to points, times a factor."""

    def __init__(self, points: Any, factor: float) -> None:
        self._points = np.ascontiguousarray(points, dtype=np.float64)
        self._factor = factor
        self._magnitudes = np.abs(self._points)

    def __call__(self, form: Form) -> Form:
        points, far = self._points, form.spread
        width = points.shape[1]
        squares = (points * points).sum(axis=1)
        centre = (form.centre**2).sum(axis=1, keepdims=True) - 2 * form.centre @ points.T + squares
        own = (form.centre[np.newaxis] * form.linear).sum(axis=2, keepdims=True)
        linear = 2 * (own - form.linear @ points.T)
        bend = (far * far).sum(axis=1, keepdims=True) / 2
        noise = (np.abs(form.centre) * form.radius).sum(axis=1, keepdims=True) + form.radius @ self._magnitudes.T
        # of all squares and products that are added, here and there
        size = (form.size**2).sum(axis=1, keepdims=True) + 2 * form.size @ self._magnitudes.T + squares
        radius = bend + 2 * noise + 8 * (width + 8) * DOUBLE * size
        return Form(self._factor * (centre + bend), self._factor * linear, abs(self._factor) * radius)
