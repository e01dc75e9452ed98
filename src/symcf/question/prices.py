"""What changing one feature costs, by its old and new value, in rational numbers.

Flat   every change costs the same
Table  a number for each pair of an old and a new value
Line   values have places on a line, and the cost is the way from place to place: steps in an order, or distances
Span   values are numbers, of which there are too many to list, and the cost is their distance

Rational numbers -> integers that order every sum as the numbers do.

Engines compare sums of costs, one cost per changed feature, in 61 bits. Three ways to get there, the first that fits:

1. All numbers in units of what divides them all. 0.1, 0.2 and 0.3 become 1, 2 and 3.
2. Levels. If what divides the larger numbers exceeds any sum of the smaller ones, then sums are compared by their
   larger part first, and by the smaller part only where that is equal. So 1e18, 0.3 and 0.1 become 5, 3 and 1: the
   order of all sums is kept, their proportions are not.
3. Integers of any size (`Units.fit` is False). Engines get them scaled down and rounded, and whoever asks an engine for
   the cheapest sets has to look at the exact integers of those that come close.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.data.numbers import NumberLine
from symcf.errors import InternalError

__all__ = ["FARTHEST", "SUM_BITS", "Amount", "Flat", "ForCore", "Line", "Price", "Span", "Table", "Units", "units_of"]

#: What symcf_price in the core has: a flat cost, a table, where values begin and end on a line, the cost of a step, and
#: the column of the rows' places.
ForCore = tuple[
    int, npt.NDArray[np.int64] | None, npt.NDArray[np.int64] | None, npt.NDArray[np.int64] | None, int, int | None
]

#: Beyond every place on a line.
FARTHEST = 1 << 60


class Price:
    """What changing one feature costs."""

    #: What one step costs, and what a change costs that is not a number of steps.
    one: Fraction
    other: Fraction
    #: Does the cost depend on the values?
    by_value = True
    #: Does the old place depend on the row, and not on its code alone?
    raw = False
    #: What distances between numbers are measured in; None where costs are not such distances.
    scale: Fraction | None = None

    def steps(self, old: int, new: int) -> int | None:
        """The way from one code to another in steps; None if there is none."""
        return None

    def cost(self, old: int, new: int) -> Fraction:
        """What changing from one code to another costs."""
        steps = self.steps(old, new)
        return self.other if steps is None else steps * self.one

    def unit(self, units: Units, old: int, new: int) -> int:
        """The same as an integer."""
        steps = self.steps(old, new)
        return units.exact[self.cost(old, new)] if steps is None else steps * units.exact[self.one]

    def units_to(self, units: Units, old: int, new: Sequence[int]) -> list[int]:
        """The same for several new codes."""
        return [self.unit(units, old, code) for code in new]

    def lowest(self) -> Fraction:
        """What the cheapest change costs, at least."""
        return self.one

    def amounts(self) -> list[Amount]:
        """What changes may cost."""
        return [Amount(self.one)]

    def for_core(self, units: Units, place: int | None) -> ForCore:
        """For batches in C; ``place`` is the column of the rows' places."""
        raise InternalError("columns of numbers have a batch of their own")


@dataclass(frozen=True)
class Flat(Price):
    """Every change costs the same."""

    other: Fraction
    by_value = False

    def for_core(self, units: Units, place: int | None) -> ForCore:
        return units.exact[self.other], None, None, None, 1, None

    def amounts(self) -> list[Amount]:
        return [Amount(self.other)]

    def lowest(self) -> Fraction:
        return self.other


@dataclass(frozen=True)
class Table(Price):
    """A number for each pair of an old and a new value."""

    #: Different ones; the first is 0 and stands for no change.
    numbers: tuple[Fraction, ...]
    #: By old and new code, the place in `numbers`.
    place: npt.NDArray[np.int64]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction]]) -> Table:
        """From numbers by old and new value; those on the diagonal are 0."""
        places: dict[Fraction, int] = {Fraction(0): 0}
        place = [[places.setdefault(number, len(places)) for number in row] for row in rows]
        return cls(tuple(places), np.array(place, dtype=np.int64).reshape(len(rows), len(rows)))

    def cost(self, old: int, new: int) -> Fraction:
        return self.numbers[int(self.place[old, new])]

    def for_core(self, units: Units, place: int | None) -> ForCore:
        by_place = np.array([0, *(units.exact[number] for number in self.numbers[1:])], dtype=np.int64)
        return 0, by_place[self.place].ravel(), None, None, 1, None

    def amounts(self) -> list[Amount]:
        return [Amount(number) for number in self.numbers[1:]]

    def lowest(self) -> Fraction:
        return min(self.numbers[1:], default=Fraction(1))


@dataclass(frozen=True)
class Line(Price):
    """Each value is a place on a line, or a stretch of it; the cost is the way from the old place to the new stretch.

    A change costs at least one step. Values that are not on the line cost `other`, to and from.
    """

    #: By code, where its stretch begins and ends; a value that is not on the line begins after its end.
    low: tuple[int, ...]
    high: tuple[int, ...]
    one: Fraction
    other: Fraction = Fraction(1)
    raw: bool = False
    #: Of the row at hand: its code, and its place if it has one.
    own: tuple[int, int | None] | None = None
    #: Places that rows may have.
    reach: tuple[int, ...] = ()

    def place(self, code: int) -> int | None:
        """Where a value is taken to be if only its code is known: in the middle, or at the end of a stretch without
        another. None if it is not on the line.
        """
        if self.own is not None and self.own[0] == code:
            return self.own[1]
        low, high = self.low[code], self.high[code]
        if low <= -FARTHEST:
            return min(high, FARTHEST)
        return low if high >= FARTHEST else (low + high) // 2

    def steps(self, old: int, new: int) -> int | None:
        if self.low[old] > self.high[old] or self.low[new] > self.high[new]:
            return None
        place = self.place(old)
        return None if place is None else max(self.low[new] - place, place - self.high[new], 1)

    def units_to(self, units: Units, old: int, new: Sequence[int]) -> list[int]:
        """See `Price`. Looks up the unit of a step once: there may be thousands of codes."""
        one, place, low, high = units.exact[self.one], self.place(old), self.low, self.high
        if place is None or low[old] > high[old]:
            return super().units_to(units, old, new)
        return [
            max(low[code] - place, place - high[code], 1) * one
            if low[code] <= high[code]
            else self.unit(units, old, code)
            for code in new
        ]

    def amounts(self) -> list[Amount]:
        ends = [end for low, high in zip(self.low, self.high, strict=True) if low <= high for end in (low, high)]
        places = [end for end in ends if abs(end) < FARTHEST] + [*self.reach]
        if self.own is not None and self.own[1] is not None:
            places.append(self.own[1])
        longest = max(max(places, default=0) - min(places, default=0), 1)
        others = [Amount(self.other)] * (self.raw or any(map(int.__gt__, self.low, self.high)))
        return [Amount(self.one, longest), *others]

    def for_core(self, units: Units, place: int | None) -> ForCore:
        low, high = np.array(self.low, dtype=np.int64), np.array(self.high, dtype=np.int64)
        return units.exact.get(self.other, 1), None, low, high, units.exact[self.one], place if self.raw else None


@dataclass(frozen=True)
class Span(Price):
    """Every number is a value, and the cost is the distance, in steps, at least one."""

    line: NumberLine
    scale: Fraction
    #: Steps are this part of the scale.
    one: Fraction = Fraction(1)

    def steps(self, old: int, new: int) -> int:
        distance = abs(Fraction(self.line.number(new)) - Fraction(self.line.number(old)))
        return max(1, int(distance / self.scale / self.one + Fraction(1, 2)))

    def amounts(self) -> list[Amount]:
        """Up to the length of the range. Rows may lie outside; integers have no end."""
        return [Amount(self.one, max(1, int(self.line.span / self.scale / self.one)))]


#: Sums of costs stay below 2**62, the bound of the core.
SUM_BITS = 61
MOST_SUM: int = 2**SUM_BITS


class Amount(NamedTuple):
    """The costs `one`, 2 `one`, ..., `times` `one` of a feature."""

    one: Fraction
    times: int = 1


@dataclass(frozen=True)
class Units:
    """Integers for the numbers of some amounts."""

    #: By number, an integer; all sums of these compare as those of the numbers.
    exact: dict[Fraction, int]
    #: The largest sum.
    most: int

    @property
    def fit(self) -> bool:
        """Can the core add them up?"""
        return self.most < MOST_SUM

    def rounded(self, unit: int, n: int) -> int:
        """For engines: one of n integers that are added up, scaled down to fit; less than 1 off."""
        return unit if self.fit else max(1, unit * (MOST_SUM - n) // self.most)

    def least(self, rounded: int, n: int) -> int:
        """A bound of the exact sum of numbers whose rounded sum is at least this."""
        return rounded if self.fit else max(0, (rounded - n) * self.most // (MOST_SUM - n))


def units_of(features: Sequence[Sequence[Amount]]) -> Units:
    """Integers for the numbers that the features may cost."""
    plain = _units(features, [0])
    if plain.fit:
        return plain
    levels = _units(features, _cuts(features))
    return levels if levels.fit else plain


def _numbers(features: Iterable[Sequence[Amount]]) -> list[Fraction]:
    return sorted({amount.one for amounts in features for amount in amounts})


def _cuts(features: Sequence[Sequence[Amount]]) -> list[int]:
    """The places among the ascending numbers where a level begins."""
    numbers = _numbers(features)
    if not numbers:
        return [0]
    dividing = list(accumulate(reversed(numbers), _gcd))[::-1]
    place = {number: i for i, number in enumerate(numbers)}
    # by place, by how much the numbers up to there raise the largest sum of those up to there
    raised = [Fraction(0)] * len(numbers)
    for amounts in features:
        most = Fraction(0)
        for one, times in sorted(amounts):
            raised[place[one]] += max(Fraction(0), one * times - most)
            most = max(most, one * times)
    below = accumulate(raised[:-1], initial=Fraction(0))
    return [i for i, (sum_below, step) in enumerate(zip(below, dividing, strict=True)) if sum_below < step]


def _units(features: Sequence[Sequence[Amount]], cuts: list[int]) -> Units:
    numbers = _numbers(features)
    exact: dict[Fraction, int] = {}
    most = 0
    for first, last in pairwise([*cuts, len(numbers)]):
        level = numbers[first:last]
        one = _gcd(*level) if level else Fraction(1)
        exact |= {number: int(number / one) * (most + 1 if first else 1) for number in level}
        most = sum(max((exact[a.one] * a.times for a in amounts if a.one in exact), default=0) for amounts in features)
    return Units(exact, most)


def _gcd(*numbers: Fraction) -> Fraction:
    """The largest number of which all are multiples."""
    denominator = math.lcm(*(number.denominator for number in numbers))
    return Fraction(math.gcd(*(int(number * denominator) for number in numbers)), denominator)
