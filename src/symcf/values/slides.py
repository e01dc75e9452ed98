"""One number of a row that moves: how far it has to go for a margin to gain enough.

What is gained is ``curve * (y**2 - x**2) + slope * (y - x)`` for a number that goes from x to y. Where that reaches
what is lacking is a root, found in fractions; the number is then rounded outwards, away from x, and tried by the rule
in integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from symcf.data.numbers import NumberLine
from symcf.data.regions import Region

__all__ = ["Choice", "LinkedSlide", "Slide"]

#: Binary places of square roots beyond those of the number itself.
PLACES = 100


class Choice(NamedTuple):
    """A feature takes a value: what it costs, how far that is, and what the margin gains."""

    unit: int
    move: Fraction
    gain: int
    code: int


@dataclass(frozen=True)
class Slide:
    """A number, where it may go, and what the margin gains."""

    feature: int
    line: NumberLine
    #: Where it starts: its own number, or what a missing one is replaced by.
    own: float
    #: What is gained there: nothing, unless the number is missing.
    start: int
    #: Is starting there a change, since the number is missing?
    moved: bool
    #: The ends of the range, inside.
    low: float
    high: float
    #: May it rise, may it fall?
    up: bool
    down: bool
    #: In units of the rule.
    curve: Fraction
    slope: Fraction
    #: What the rule gains at a number.
    gain: Callable[[float], int]
    #: Where the most is gained, and how much that is.
    stop: float
    most: int
    resolution: Fraction | None
    #: The type of its column, if that has fewer than 64 bits.
    stored: np.dtype[Any] | None = None

    def nearest(self, lacking: int, *, on_grid: bool = True) -> float:
        """The number nearest to the own one with which at least this is gained, a multiple of the resolution if one is
        near enough. requires: no more than can be gained.
        """
        found = [self._towards(lacking, up, on_grid) for up in (True, False) if (self.up if up else self.down)]
        numbers = [number for number in found if number is not None]
        return min(numbers, key=self.distance, default=self.stop)

    @property
    def is_straight(self) -> bool:
        """Is the gain a straight line?"""
        return self.curve == 0

    def distance(self, number: float) -> Fraction:
        """How far a number is."""
        return abs(Fraction(number) - Fraction(self.own))

    def region(self, number: float) -> tuple[float, float]:
        """From this number outwards, the numbers with which as much is gained: the first and the last."""
        up, gained = number > self.own, self.gain(number)
        end = self.high if up else self.low
        far = end if self.gain(end) >= gained else self._last(gained, number, end)
        return (number, far) if up else (far, number)

    def said(self, region: Region, number: float) -> Region:
        """The same region for people: an end that is not one of the range is rounded inwards."""
        up = number > self.own
        far = region.last if up else region.first
        if self.resolution is not None and far not in (self.low, self.high):
            rounded = self.line.rounded(Fraction(far), up=not up, resolution=self.resolution)
            far = rounded if rounded in region and abs(rounded - self.own) >= abs(number - self.own) else number
        return Region(number, far) if up else Region(far, number)

    def _last(self, lacking: int, inside: float, outside: float) -> float:
        """The last number that is enough on the way from one that is to one that is not: the gain falls in between."""
        a, b = self.line.code(inside), self.line.code(outside)
        while abs(a - b) > 1:
            middle = (a + b) // 2
            a, b = (middle, b) if self.gain(self.line[middle]) >= lacking else (a, middle)
        return self.line[a]

    # --- one direction

    def _towards(self, lacking: int, up: bool, on_grid: bool) -> float | None:
        way = 1 if up else -1
        own = Fraction(self.own)
        end = self.high if up else self.low
        last = way * (Fraction(end) - own)
        first = max(Fraction(0), way * (Fraction(self.low if up else self.high) - own))
        travel = self._travel(lacking, up, first)
        if travel is None or last < 0 or (last == 0 and not self.moved):
            return None
        travel = min(travel, 2 * last)  # beyond the end is far enough, and has to fit a float
        step = self.resolution if on_grid else None
        found = self._tried(own + way * travel, up, lacking, step, end)
        if found is None and step is not None:
            found = self._tried(own + way * travel, up, lacking, None, end)
        if found is None and self.gain(end) >= lacking:
            return end  # the numbers before it were not multiples of the resolution
        return found

    def _travel(self, lacking: int, up: bool, first: Fraction) -> Fraction | None:
        """The first distance, not before ``first``, at which what is lacking is gained; None if it is not."""
        way, own = 1 if up else -1, Fraction(self.own)
        if self.curve == 0 and way * self.slope <= 0 and lacking > self.start:
            return None
        return self._root(lacking - self.start, way * (self.slope + 2 * self.curve * own), first)

    def _root(self, lacking: int, rise: Fraction, first: Fraction) -> Fraction | None:
        """The first distance, not before ``first``, at which ``curve * t**2 + rise * t`` reaches what is lacking."""
        if (self.curve * first + rise) * first >= lacking:
            return first
        if self.curve == 0:
            return None if rise <= 0 else Fraction(lacking) / rise
        inner = rise * rise + 4 * self.curve * lacking
        if inner < 0:
            return None
        far = _square_root(inner)  # of the two forms of the same root, the one without a difference of near numbers
        root = 2 * Fraction(lacking) / (far + rise) if rise > 0 else (far - rise) / (2 * self.curve)
        return root if root >= first else None

    def _tried(self, wanted: Fraction, up: bool, lacking: int, step: Fraction | None, end: float) -> float | None:
        """The first number from the wanted one on that is enough: the first or second try, but for roundings."""
        for tries in range(12):
            number = self.line.rounded(wanted, up=up, resolution=step)
            if self.stored is not None:
                number = _stored(number, up, self.stored)
            if number > end if up else number < end:
                return None
            if (self.moved or number != self.own) and self.gain(number) >= lacking:
                return number if step is None or tries < 3 else self._first(number, tries, up, lacking, step)
            further = Fraction(math.ulp(number)) * (1 << 4 * tries) if step is None else step * _stride(tries)
            wanted = Fraction(number) + (further if up else -further)
        return None

    def _first(self, number: float, tries: int, up: bool, lacking: int, step: Fraction) -> float:
        """The first multiple that is enough, after a stride to one that is: terms of the rule are rounded, so that many
        multiples may gain the same.
        """
        way, enough, short = 1 if up else -1, 0, _stride(tries - 1)
        while short - enough > 1:
            middle = (enough + short) // 2
            tried = self._multiple(Fraction(number) - way * middle * step, up, step)
            enough, short = (middle, short) if self.gain(tried) >= lacking else (enough, middle)
        return self._multiple(Fraction(number) - way * enough * step, up, step)

    def _multiple(self, near: Fraction, up: bool, step: Fraction) -> float:
        number = float(round(near / step) * step)
        return number if self.stored is None else _stored(number, up, self.stored)


@dataclass(frozen=True)
class LinkedSlide(Slide):
    """A number whose term is a polynomial of a function of it. The term rises or falls between the stop and each end of
    the range, and where it is enough first is found by halving.
    """

    @property
    def is_straight(self) -> bool:
        return False

    def _travel(self, lacking: int, up: bool, first: Fraction) -> Fraction | None:
        start = float(Fraction(self.own) + (first if up else -first))
        end = self.high if up else self.low
        if (start > end) if up else (start < end):
            return None
        if self.gain(start) >= lacking:
            return first
        inside = min(start, end) < self.stop < max(start, end)
        for far in (self.stop, end) if inside else (end,):
            if self.gain(far) >= lacking:
                return abs(Fraction(self._last(lacking, far, start)) - Fraction(self.own))
        return None


def _stride(tries: int) -> int:
    """How many multiples further the next try is: short at first, as most numbers need one or two."""
    return 1 if tries < 2 else 1 << 3 * (tries - 1)


def _stored(number: float, up: bool, kind: np.dtype[Any]) -> float:
    """The first number of a type of fewer bits that is not before this one."""
    with np.errstate(over="ignore"):
        near = kind.type(number)
        if float(near) < number if up else float(near) > number:
            near = np.nextafter(near, kind.type(math.inf if up else -math.inf))
    return float(near)


def _square_root(number: Fraction) -> Fraction:
    """Rounded up, by less than 2**-PLACES of it."""
    scale = max(0, PLACES - number.numerator.bit_length() + number.denominator.bit_length())
    shift = 2 * ((scale + 1) // 2 + PLACES // 2)
    whole = -((-number.numerator << shift) // number.denominator)
    return Fraction(math.isqrt(whole) + 1, 1 << (shift // 2))
