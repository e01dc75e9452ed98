"""Rational numbers -> integers that order every sum as the numbers do.

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

__all__ = ["SUM_BITS", "Amount", "Units", "units_of"]

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
