"""Domains: the numbers that a column may take within one range, where columns are compared with each other.

Integers, multiples of a resolution, or all numbers that the column can store. Numbers are compared as they are stored:
a column of 32 bits rounds them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from symcf.data.regions import Region, multiple_from, quotient

__all__ = ["Domain"]


@dataclass(frozen=True)
class Domain:
    """The numbers of a region that are multiples of the step, or all of them without one."""

    region: Region
    step: Fraction | None
    #: The type of the column, where that stores fewer than 64 bits.
    short: type[np.floating] | None
    #: A number that is a multiple, too: numbers are this one plus multiples of the step.
    origin: Fraction = Fraction(0)

    def stored(self, number: float) -> float:
        """A number as it will be in the row."""
        if self.short is None:
            return number
        with np.errstate(over="ignore"):
            return float(self.short(number))

    def _printed(self, number: float) -> float:
        """A number as it is read from a printed row."""
        return number if self.short is None else float(str(self.short(number)))

    @property
    def anywhere(self) -> Domain:
        """The same numbers, without the bounds of the region."""
        return Domain(Region(-math.inf, math.inf), self.step, self.short, self.origin)

    @property
    def least(self) -> float | None:
        """The least number as it is stored, -inf without a bound; None if there is no number."""
        return self._end(up=True)

    @property
    def greatest(self) -> float | None:
        """The greatest number as it is stored, inf without a bound; None if there is no number."""
        return self._end(up=False)

    def _end(self, *, up: bool) -> float | None:
        end = self.region.first if up else self.region.last
        if math.isinf(end):
            return end
        found = self.next(end, up=up)
        return None if found is None else self.stored(found)

    def next(self, mark: float, *, up: bool, strict: bool = False) -> float | None:
        """The first number from a mark on, or after it if that is ``strict``, going up or down; None if there is none.

        requires: the mark is finite.
        """
        sign = 1 if up else -1
        end, other = (self.region.first, self.region.last) if up else (self.region.last, self.region.first)
        if sign * end > sign * mark:
            mark, strict = end, False
        for number in self._from(mark, sign):
            stored = self.stored(number)
            if sign * number > sign * other or math.isinf(number):
                return None
            if sign * stored < sign * mark or (strict and stored == mark):
                continue
            if number in self.region and stored in self.region and self._printed(number) in self.region:
                return number
        return None

    def _from(self, mark: float, sign: int) -> Iterator[float]:
        """Numbers from about a mark on, without end."""
        if self.step is not None and self.origin:
            places = (Fraction(mark) - self.origin) / self.step
            k = (math.floor(places) if sign > 0 else math.ceil(places)) - sign
            while True:
                yield float(self.origin + k * self.step)
                k += sign
        elif self.step is not None:
            p, q = self.step.numerator, self.step.denominator
            before = mark if self.short is None else float(np.nextafter(self.short(mark), self.short(-sign * np.inf)))
            k = multiple_from(before, p, q, sign > 0)
            while True:
                yield quotient(k * p, q)
                k += sign
        elif self.short is None:
            while True:
                yield mark
                mark = math.nextafter(mark, sign * math.inf)
        else:
            with np.errstate(over="ignore"):
                number = np.nextafter(self.short(mark), self.short(-sign * np.inf))
                while True:
                    yield float(number)
                    number = np.nextafter(number, self.short(sign * np.inf))
