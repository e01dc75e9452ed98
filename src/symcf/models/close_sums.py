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
    if n_classes > 1 and len(summands) == 1:
        return _order_is_kept(summands[0])
    comparisons = list(itertools.combinations(range(n_classes), 2)) if n_classes > 1 else [(0, 0)]
    columns = [(summand.exact.T.tolist(), summand.rounded.T) for summand in summands]
    doubt = math.ceil(len(summands) * error * (1 if n_classes == 1 else 2))
    unknown, looked = False, 0
    for p, r in comparisons:
        compared = [_compared(exact, rounded, p, r, combine is math.prod) for exact, rounded in columns]
        halves = _halved([len(part.rounded) for part in compared])
        n_sums = sum(math.prod(len(compared[i].rounded) for i in half) for half in halves)
        looked += max(n_sums, sum(len(summand.rounded) for summand in summands))
        if looked > (most or MOST_SUMS):
            return None
        alike = _alike(compared, halves, doubt, combine)
        if alike is False:
            return False
        unknown |= alike is None
    return None if unknown else True


def _order_is_kept(summand: Summand) -> bool:
    """Are the classes of each choice in the same order by their rounded numbers as by the exact ones? Then neighbours
    are, so that no other pairs have to be compared.
    """
    order = np.argsort(summand.rounded, axis=1)
    exact, rounded = (np.take_along_axis(part, order, axis=1) for part in (summand.exact, summand.rounded))
    rises, same = exact[:, :-1] < exact[:, 1:], exact[:, :-1] == exact[:, 1:]
    return bool(np.where(rounded[:, :-1] < rounded[:, 1:], rises, same).all())


class _Compared(NamedTuple):
    """The numbers of two classes (of one: its numbers and 0), and the difference of the rounded ones, by choice."""

    exact: list[tuple[Any, Any]]
    rounded: npt.NDArray[np.int64]


def _compared(exact: list[list[Any]], rounded: npt.NDArray[np.int64], p: int, r: int, factors: bool) -> _Compared:
    """Of two classes. Choices that are the same in both count once; so do factors that are in the same proportion."""
    pairs = list(zip(exact[p], exact[r] if r != p else itertools.repeat(0), strict=False))
    kept = list({a / b if factors and r != p else (a, b): i for i, (a, b) in enumerate(pairs)}.values())
    differences = rounded[p] - rounded[r] if r != p else rounded[p]
    return _Compared([pairs[i] for i in kept], differences[kept])


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
    summands: Sequence[_Compared],
    halves: tuple[list[int], list[int]],
    doubt: int,
    combine: Callable[[Iterable[Fraction]], Fraction | int],
) -> bool | None:
    """Are the sums of two classes (of one: its sum and 0) compared as the exact ones are? None: too many are close."""
    one, other = (_sums([summands[i].rounded for i in half]) for half in halves)
    order = np.argsort(other, kind="stable")
    ascending = other[order]
    first = np.searchsorted(ascending, -doubt - one, side="left")
    end = np.searchsorted(ascending, doubt - one, side="right")
    if int((end - first).sum()) > MOST_DOUBTS:
        return None
    fractions = [[tuple(map(Fraction, pair)) for pair in summand.exact] for summand in summands]
    sizes = [[len(summands[k].exact) for k in half] for half in halves]
    for i in np.flatnonzero(end > first).tolist():
        for j in order[first[i] : end[i]].tolist():
            chosen = [
                fractions[k][choice]
                for half, size, place in zip(halves, sizes, (i, j), strict=True)
                for k, choice in zip(half, _choices(place, size), strict=True)
            ]
            exact = combine(a for a, _ in chosen) - combine(b for _, b in chosen)
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
