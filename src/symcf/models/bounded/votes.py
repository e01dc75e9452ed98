"""Functions that count: which class wins, votes of pairs of classes, and the classes of the nearest points."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.models.bounded.forms import ULPS, Affine, Floats, Form, Function

__all__ = ["Counted", "Nearest", "PairSums", "Pairs", "Winners"]

Flags = npt.NDArray[np.bool_]


class Winners(Function):
    """1 for the class that wins, 0 for the others. One column is the score of the second of two classes."""

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        low, high = form.low, form.high
        if low.shape[1] == 1:
            can, must = ~(high < 0), low > 0
            can, must = np.concatenate([~must, can], axis=1), np.concatenate([~can, must], axis=1)
        else:
            ahead, behind = _best_of_others(low), _best_of_others(high)
            # a bound that is no number compares as false
            can, must = ~(high < ahead), low > behind
        return _flags(must, can, form)


def _best_of_others(table: Floats) -> Floats:
    """By box and column, the largest of the other columns; what is no number stays so."""
    n = table.shape[1]
    return np.stack([table[:, [r for r in range(n) if r != k]].max(axis=1) for k in range(n)], axis=1)


def _flags(must: Flags, can: Flags, form: Form) -> Form:
    """1 where it must be, 0 where it cannot be. A row on the edge may go either way, so that 0 and 1 are floats."""
    return Form.between(must.astype(np.float64), can.astype(np.float64), len(form.linear), form.unit)


class Counted(Function):
    """Whole numbers, one per class, of which the largest wins, and the first one of several: scores without ties. Of
    two classes, one score.
    """

    def __init__(self, n_classes: int) -> None:
        if n_classes == 2:
            self._scores = Affine([[-1.0], [1.0]], [-0.5])
        else:
            self._scores = Affine(np.eye(n_classes), -np.arange(n_classes) / (n_classes + 1))

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        return self._scores(form)


class Pairs(Function):
    """By pair of classes, 0 and 1, 0 and 2, ..., a number: what wins a vote for the second one is positive. Gives the
    votes of each class.
    """

    def __init__(self, n_classes: int) -> None:
        self._first, self._second = _sides(n_classes)

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        can, must = ~(form.high < 0), form.low > 0
        low = must @ self._second + (~can) @ self._first
        high = can @ self._second + (~must) @ self._first
        return Form.between(low, high, len(form.linear), form.unit)


class PairSums(Function):
    """By pair of classes, a number that speaks for the second one. Gives for each class what the sum of its numbers
    says, less than a third of a vote.
    """

    def __init__(self, n_classes: int) -> None:
        first, second = _sides(n_classes)
        self._sums = Affine(second - first, np.zeros(n_classes))

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        sums = self._sums(form)
        off = ULPS * form.unit
        return Form.between(_third(sums.low) - off, _third(sums.high) + off, len(form.linear), form.unit)


def _sides(n_classes: int) -> tuple[Floats, Floats]:
    """By pair and class, 1 where the class is the first one, and the second one."""
    pairs = [(i, j) for i in range(n_classes) for j in range(i + 1, n_classes)]
    first, second = (np.zeros((len(pairs), n_classes)) for _ in range(2))
    for p, (i, j) in enumerate(pairs):
        first[p, i] = second[p, j] = 1.0
    return first, second


def _third(numbers: Floats) -> Floats:
    """Rises from -1/3 to 1/3."""
    return np.asarray(numbers / (3 * (np.abs(numbers) + 1)))


class Nearest(Function):
    """Of the ``k`` points that are nearest, how many are of each class.

    Squares of distances, less that of the row to the middle of all points, which all have in common, are linear.
    """

    def __init__(self, points: Any, classes: Any, n_classes: int, k: int) -> None:
        """``classes``: by point, its class."""
        points = np.asarray(points, dtype=np.float64)
        middle = points.mean(axis=0)
        far = points - middle
        squares = (far * far).sum(axis=1)
        # the estimator may compute squares of distances from squares of all that they are made of
        reach = (np.abs(points) + np.abs(middle)) ** 2
        self._largest = 4 * reach.sum(axis=1).max()
        self._ahead = Affine(-2 * far.T, squares + 2 * far @ middle, summed=4 * reach.sum(axis=1))
        self._of_class = np.eye(n_classes)[np.asarray(classes, dtype=np.int64)]
        self._k = k

    def __call__(self, form: Form) -> Form:
        """See `Function`."""
        distances = self._ahead(form)
        width = form.centre.shape[1]
        own = (form.size**2).sum(axis=1, keepdims=True) + self._largest
        off = 16 * (width + 8) * form.unit * own
        low, high = distances.low - off, distances.high + off
        unknown = (np.isnan(low) | np.isnan(high)).any(axis=1, keepdims=True)
        # the k-th least of the upper bounds: farther points are not among the nearest; and points that are nearer than
        # all but k of the lower bounds surely are
        rank = self._k - 1
        farthest = np.partition(high, rank, axis=1)[:, [rank]]
        can = unknown | ~(low > farthest)
        if self._k < low.shape[1]:
            nearest = np.partition(low, self._k, axis=1)[:, [self._k]]
            must = ~unknown & (high < nearest)
        else:
            must = ~unknown & np.ones_like(can)
        least, most = must @ self._of_class, can @ self._of_class
        others_least = least.sum(axis=1, keepdims=True) - least
        others_most = most.sum(axis=1, keepdims=True) - most
        least, most = np.maximum(least, self._k - others_most), np.minimum(most, self._k - others_least)
        return Form.between(least, most, len(form.linear), form.unit)
