"""Does rounding the numbers of a model change one of its decisions? The answer is exact, or None: unknown.

A decision compares sums with 0 or with each other. If every number is off by at most half a unit, a sum of n of them is
off by at most n / 2 units, so only rows whose rounded sum is that close to 0 are in doubt. All of them are found by
meeting in the middle (Horowitz and Sahni, J. ACM 1974): the sums of one half of the numbers are sorted, and those of
the other half look for partners. The few that are found are compared in fractions. A million sums per half cover 2**40
rows; with 2**60 units and more, most of such models have no row in doubt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Summand", "rounding_is_harmless"]

#: Sums in both halves, over all comparisons of two classes; and rows in doubt that are looked at one by one.
MOST_SUMS = 1 << 21
MOST_DOUBTS = 1 << 12


class Summand(NamedTuple):
    """The numbers of which every row adds one, such as the weights of a feature or the scores at the leaves of a tree.

    Both arrays are by choice and class; one class is compared with 0.
    """

    #: Floats or fractions.
    exact: npt.NDArray[Any]
    rounded: npt.NDArray[np.int64]


def rounding_is_harmless(
    summands: Sequence[Summand],
    error: float = 0.5,
    combine: Callable[[Iterable[Fraction]], Fraction | int] = sum,
    most: int | None = None,
) -> bool | None:
    """Do all rounded sums, or differences of two classes, have the sign of the exact ones? None: there are too many.

    Each rounded number is off by at most ``error`` units. Where the rounded numbers are logarithms, ``combine`` is
    `math.prod`, and the exact numbers of two classes are multiplied. ``most`` is how many sums are looked at; None: two
    million.
    """
    n_classes = summands[0].rounded.shape[1]
    comparisons = list(itertools.combinations(range(n_classes), 2)) if n_classes > 1 else [(0, 0)]
    distinct = [_distinct(summand, combine is math.prod) for summand in summands]
    halves = _halved([len(summand.rounded) for summand in distinct])
    n_sums = sum(math.prod(len(distinct[i].rounded) for i in half) for half in halves)
    if n_sums * len(comparisons) > (most or MOST_SUMS):
        return None
    doubt = math.ceil(len(summands) * error * (1 if n_classes == 1 else 2))
    unknown = False
    for p, r in comparisons:
        alike = _alike(distinct, halves, p, r, doubt, combine)
        if alike is False:
            return False
        unknown |= alike is None
    return None if unknown else True


def _distinct(summand: Summand, factors: bool) -> Summand:
    """Choices that are the same in all classes count once; so do factors that are in the same proportion."""
    rows = summand.exact.tolist()
    seen = {tuple(number / row[0] for number in row) if factors else tuple(row): i for i, row in enumerate(rows)}
    kept = list(seen.values())
    return Summand(summand.exact[kept], summand.rounded[kept])


def _halved(sizes: Sequence[int]) -> tuple[list[int], list[int]]:
    """The summands in two halves with about the same number of sums."""
    halves: tuple[list[int], list[int]] = ([], [])
    logs = [0.0, 0.0]
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        side = int(logs[1] < logs[0])
        halves[side].append(i)
        logs[side] += math.log2(sizes[i])
    return halves


def _alike(
    summands: Sequence[Summand],
    halves: tuple[list[int], list[int]],
    p: int,
    r: int,
    doubt: int,
    combine: Callable[[Iterable[Fraction]], Fraction | int],
) -> bool | None:
    """Is the sum of class p compared with that of class r (with 0, if that is p itself) as the exact ones are?

    None: too many are close.
    """

    def compared(row: Any) -> Any:
        return row[p] if p == r else row[p] - row[r]

    one, other = (_sums([compared(summands[i].rounded.T) for i in half]) for half in halves)
    order = np.argsort(other, kind="stable")
    ascending = other[order]
    first = np.searchsorted(ascending, -doubt - one, side="left")
    end = np.searchsorted(ascending, doubt - one, side="right")
    if int((end - first).sum()) > MOST_DOUBTS:
        return None
    for i in np.flatnonzero(end > first).tolist():
        for j in order[first[i] : end[i]].tolist():
            rows = [
                [Fraction(number) for number in summands[k].exact[choice].tolist()]
                for half, place in zip(halves, (i, j), strict=True)
                for k, choice in zip(half, _choices(place, [len(summands[k].exact) for k in half]), strict=True)
            ]
            exact = combine(row[p] for row in rows) - (0 if p == r else combine(row[r] for row in rows))
            rounded = int(one[i]) + int(other[j])
            if (exact > 0, exact < 0) != (rounded > 0, rounded < 0):
                return False
    return True


def _sums(numbers: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """All sums of one number of each; the choices of the last change fastest."""
    sums = np.zeros(1, dtype=np.int64)
    for part in numbers:
        sums = np.add.outer(sums, part).ravel()
    return sums


def _choices(place: int, sizes: Sequence[int]) -> list[int]:
    """Which of each were added to the sum at this place."""
    choices = []
    for size in reversed(sizes):
        place, choice = divmod(place, size)
        choices.append(choice)
    return choices[::-1]
