"""Regions: the raw numbers that one value stands for, and the nearest of them that is enough.

Numbers are doubles, as a number that is typed in becomes one. A region is the doubles from `first` to `last`, both of
them inside. That says everything about open and closed ends: "> 2.5" begins at the double after 2.5, and a tree that
rounds to 32 bits begins where the rounding turns. Nothing is computed in floats: ends are compared as they are, and
multiples of a resolution are fractions.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from numbers import Rational
from typing import Any

import numpy as np

from symcf.common.lazy import cached_property
from symcf.data.labels import feature_index
from symcf.errors import OptionError

__all__ = [
    "ANYWHERE",
    "LineCells",
    "Region",
    "Scale",
    "checked_resolutions",
    "digits_of",
    "fitting_resolution",
    "multiple_from",
    "nearest",
    "number_text",
    "own_resolution",
    "quotient",
]

#: Significant digits of a suggested number where nothing is known about its column, and of one with many digits.
FEW_DIGITS, MANY_DIGITS = 4, 6
#: Numbers with up to this many significant digits were written by a person or an instrument, not computed.
WRITTEN_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Region:
    """The numbers from `first` to `last`, both inside; an infinite end means no bound.

    >>> Region.between(2.5, 4, closed=(False, True))
    Region(> 2.5, <= 4)
    >>> 2.5 in _, 2.6 in _
    (False, True)
    """

    first: float
    last: float
    #: Numbers in between that stand for something else, such as -1 for a missing one.
    holes: tuple[float, ...] = ()

    @classmethod
    def between(
        cls, lower: Any = None, upper: Any = None, *, closed: tuple[bool, bool] = (True, True), holes: Any = ()
    ) -> Region:
        """The numbers between two bounds, which may be fractions; None for no bound. ``closed``: are they inside?"""
        first = -math.inf if lower is None else _double(lower, up=True, inside=closed[0])
        last = math.inf if upper is None else _double(upper, up=False, inside=closed[1])
        return cls(first, last, tuple(holes))

    @property
    def empty(self) -> bool:
        """Is there no number in it?"""
        return self.first > self.last or (self.first == self.last and self.first in self.holes)

    def __contains__(self, number: Any) -> bool:
        return bool(self.first <= number <= self.last and math.isfinite(number) and number not in self.holes)

    @property
    def has_whole(self) -> bool:
        """Is there a whole number in it?"""
        if math.isinf(self.first) or math.isinf(self.last):
            return self.first <= self.last
        first, last = math.ceil(self.first), math.floor(self.last)
        return last - first + 1 > len({hole for hole in self.holes if first <= hole <= last and hole.is_integer()})

    @property
    def lower(self) -> tuple[float, bool]:
        """The lower bound in the fewest digits, and whether it is inside."""
        return _said(self.first, -math.inf)

    @property
    def upper(self) -> tuple[float, bool]:
        """The upper bound in the fewest digits, and whether it is inside."""
        return _said(self.last, math.inf)

    def within(self, other: Region) -> Region:
        """The part that lies in another region."""
        return Region(max(self.first, other.first), min(self.last, other.last), (*self.holes, *other.holes))

    def rounded(self, resolution: Fraction) -> Region:
        """The part between multiples of the resolution; the region itself if there are none inside."""
        first, last = self.first, self.last
        p, q = resolution.numerator, resolution.denominator
        if math.isfinite(first):
            first = quotient(multiple_from(first, p, q, True) * p, q)
        if math.isfinite(last):
            last = quotient(multiple_from(last, p, q, False) * p, q)
        return Region(first, last, self.holes) if first <= last else self

    def around(self, number: float, step: Fraction | None, ends: Sequence[float]) -> Region:
        """The same region for people: what is not an end of the column is rounded inwards, but not beyond a number of
        it, to multiples of the step, or to as many digits as the number has.
        """
        inner = self.rounded(step or own_resolution(number, max(self.first, self.last, key=abs)))
        first = self.first if self.first in ends else min(inner.first, number)
        return Region(first, self.last if self.last in ends else max(inner.last, number), self.holes)

    def short(self, whole: bool) -> Region:
        """The same region for people: ends of many digits are rounded inwards, all ends if numbers are ``whole``."""
        finite = [abs(end) for end in (self.first, self.last) if math.isfinite(end)]
        inner = self.rounded(Fraction(1) if whole else own_resolution(None, max(finite, default=1.0)))
        keep = [not whole and digits_of(end)[0] <= MANY_DIGITS for end, _ in (self.lower, self.upper)]
        return Region(self.first if keep[0] else inner.first, self.last if keep[1] else inner.last, self.holes)

    def __str__(self) -> str:
        (low, from_low), (high, to_high) = self.lower, self.upper
        parts = [f"{'>=' if from_low else '>'} {number_text(low)}"] * math.isfinite(low)
        parts += [f"{'<=' if to_high else '<'} {number_text(high)}"] * math.isfinite(high)
        if len(parts) == 2 and low == high:
            return f"= {number_text(low)}"
        return ", ".join(parts) or "any number"

    def __repr__(self) -> str:
        return f"Region({self})"


@dataclass(frozen=True)
class LineCells:
    """A line of numbers as values: intervals that no relation cuts, and missing numbers where the column has them."""

    #: Where the second and later intervals begin.
    cuts: tuple[float, ...]
    has_missing: bool

    @property
    def labels(self) -> tuple[Any, ...]:
        """One for each."""
        return (*map(str, self.regions.values()), *(["missing"] if self.has_missing else []))

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        """By code, its numbers."""
        firsts = [-math.inf, *self.cuts]
        lasts = [*(math.nextafter(cut, -math.inf) for cut in self.cuts), math.inf]
        return {code: Region(*ends) for code, ends in enumerate(zip(firsts, lasts, strict=True))}

    @property
    def missing(self) -> int | None:
        """The code of missing numbers."""
        return len(self.cuts) + 1 if self.has_missing else None

    @property
    def unknown(self) -> None:
        """There is no such number."""

    def code(self, number: float) -> int:
        """The interval of a number."""
        return bisect_right(self.cuts, number)

    @property
    def n_cells(self) -> int:
        """How many there are."""
        return len(self.cuts) + 1 + self.has_missing

    def cut_at(self, numbers: Iterable[float]) -> LineCells:
        """The same with further intervals that begin at these numbers."""
        return LineCells(tuple(sorted({*self.cuts, *numbers})), self.has_missing)


#: All numbers.
ANYWHERE = Region(-math.inf, math.inf)


def _double(bound: Any, *, up: bool, inside: bool) -> float:
    """The first double from a bound on, upwards or downwards; after it if it is not ``inside``."""
    exact = _exact(bound)
    number = float(exact)
    towards = math.inf if up else -math.inf
    short = Fraction(number) < exact if up else Fraction(number) > exact
    if short or (not inside and Fraction(number) == exact):
        number = math.nextafter(number, towards)
    return number


def _exact(number: Any) -> Fraction:
    if isinstance(number, (Rational, float, Decimal)):
        return Fraction(number)
    return Fraction(float(number))


def _said(end: float, outwards: float) -> tuple[float, bool]:
    """An end, or the number just outside of it if that is shorter."""
    if math.isinf(end):
        return end, False
    beyond = math.nextafter(end, outwards)
    return (beyond, False) if len(repr(beyond)) < len(repr(end)) else (end, True)


def number_text(number: float) -> str:
    """A number as people type it, in full: 2480, 0.1, 1e-07."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


@dataclass(frozen=True, slots=True)
class Scale:
    """What the cut points of a column, or its numbers, say about it."""

    #: From the first of them to the last; 1 if there is only one.
    span: Fraction
    #: Do all cut points lie on whole numbers or half-way between, as those of a tree over whole numbers do?
    whole: bool

    @classmethod
    def of(cls, regions: Mapping[int, Region] | None, keys: Iterable[Any] | None) -> Scale:
        """By the regions of a column, or by its categories."""
        if regions is None:
            numbers = sorted(float(key) for key in keys or () if isinstance(key, (int, float)) and math.isfinite(key))
            return cls(_span(numbers), False)
        cuts = sorted(region.first for region in regions.values() if math.isfinite(region.first))
        return cls(_span(cuts), all(map(_is_half, cuts)))


def _span(numbers: Sequence[float]) -> Fraction:
    return (Fraction(numbers[-1]) - Fraction(numbers[0]) if numbers else Fraction(0)) or Fraction(1)


def _is_half(first: float) -> bool:
    """Is a range that begins with this number one from a half on, or from above it, even if rounded to 32 bits?"""
    return (2 * first).is_integer() or (2 * _stored(math.nextafter(first, -math.inf))).is_integer()


# --- the nearest number -----------------------------------------------------------------------------------------------


def nearest(
    region: Region, old: float | None, resolution: Fraction, *, short: np.dtype[Any] | None = None
) -> tuple[float, bool]:
    """The number of the region that is nearest to the old one, as a multiple of the resolution; and whether it is one.

    Where no multiple lies inside, it is the nearest number that does. What is stored in fewer than 64 bits (``short``)
    is inside as it is stored and as it is printed. Without an old number the nearest end is the one nearer to 0.
    """
    if region.empty:
        raise ValueError("an empty region has no nearest number")
    if old is not None and old in region:
        return old, True
    up = _goes_up(region, old)
    end, towards = (region.first, math.inf) if up else (region.last, -math.inf)
    if math.isinf(end):  # any number will do
        end = 0.0
    p, q = resolution.numerator, resolution.denominator
    k = multiple_from(end, p, q, up)
    for _ in range(len(region.holes) + 3):
        number = quotient(k * p, q)
        if _holds(region, number, short):
            return number, True
        k += 1 if up else -1
    return _next_to(region, end, towards, short), False


def multiple_from(end: float, p: int, q: int, up: bool) -> int:
    """The first k, upwards or downwards, for which the double of k * p / q is not before the end."""
    if not up:
        return -multiple_from(-end, p, q, True)
    guess = end * q / p if max(p, q) < 2**53 else math.inf
    if abs(guess) >= 2**50:
        return math.ceil(Fraction(end) * q / p)
    k = math.ceil(guess) - 2
    # at most a few steps; one tenth is a little less than 0.1, but its double is not
    while quotient(k * p, q) < end:
        k += 1
    return k


def _goes_up(region: Region, old: float | None) -> bool:
    if old is not None:
        return old < region.first or (region.first <= old <= region.last and math.isfinite(region.first))
    if math.isinf(region.first) or math.isinf(region.last):
        return math.isfinite(region.first)
    return abs(region.first) <= abs(region.last)


def quotient(p: int, q: int) -> float:
    """The double nearest to p / q: Python rounds once."""
    try:
        return p / q
    except OverflowError:
        return math.inf if p > 0 else -math.inf


def _holds(region: Region, number: float, short: np.dtype[Any] | None) -> bool:
    if number not in region or short is None:
        return number in region
    with np.errstate(over="ignore"):
        stored = short.type(number)
    return float(stored) in region and float(str(stored)) in region


def _stored(number: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(number))


def _next_to(region: Region, end: float, towards: float, short: np.dtype[Any] | None) -> float:
    """The first number from an end on that is inside."""
    if short is not None:
        with np.errstate(over="ignore"):
            near = [short.type(end)]
            for _ in range(len(region.holes) + 2):
                near.append(np.nextafter(near[-1], short.type(towards)))
        inside = [float(small) for small in near if float(small) in region]
        if inside:
            return next((small for small in inside if _holds(region, small, short)), inside[0])
    while end in region.holes:
        end = math.nextafter(end, towards)
    if end not in region:
        raise ValueError("the region has no number that stands for itself")
    return end


# --- resolutions ------------------------------------------------------------------------------------------------------


def checked_resolutions(given: Any, features: tuple[str, ...]) -> dict[int, Fraction]:
    """What users give: for some features, the number that suggested numbers are to be multiples of."""
    if not isinstance(given, Mapping):
        raise OptionError(f"resolution must map features to numbers, such as {{'age': 1}}, not {given!r}")
    return {feature_index(name, features, "resolution"): _checked(name, step) for name, step in given.items()}


def _checked(name: Any, step: Any) -> Fraction:
    number = isinstance(step, (Rational, float, Decimal, np.integer, np.floating)) and not isinstance(step, bool)
    if not number or not math.isfinite(step) or not step > 0:
        raise OptionError(f"resolution[{name!r}] must be a positive number, not {step!r}")
    # the decimal that the user wrote: 0.1 is a tenth
    return Fraction(repr(float(step))) if isinstance(step, (float, np.floating)) else Fraction(step)


def fitting_resolution(numbers: Iterable[float]) -> Fraction | None:
    """The largest power of ten, up to 1, of which all these numbers are multiples as they are printed.

    None where they have more digits than people write.

    >>> fitting_resolution([17.99, 20.5, 3.0])
    Fraction(1, 100)
    """
    places = 0
    for number in numbers:
        if not math.isfinite(number):
            continue
        digits, decimals = digits_of(number)
        if digits > WRITTEN_DIGITS:
            return None
        places = max(places, decimals)
    return Fraction(1, 10**places)


def digits_of(number: float | None) -> tuple[int, int]:
    """Significant digits of a number, and those after the point."""
    if number is None or not math.isfinite(number):
        return FEW_DIGITS, 0
    _, digits, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    assert isinstance(exponent, int)
    return len(digits), max(0, -exponent)


def own_resolution(old: float | None, end: float, digits: tuple[int, int] | None = None) -> Fraction:
    """Where nothing is known about a column: as many digits as the old number has, and at least a few of the new one.

    ``digits`` are those of the old number, where they are known.

    >>> own_resolution(17.99, 16.795), own_resolution(3.0, 2481.3)
    (Fraction(1, 100), Fraction(1, 1))
    """
    largest = abs(end)
    if not math.isfinite(largest):
        largest = 1.0 if old is None or not math.isfinite(old) else abs(old)
    elif old is not None and math.isfinite(old):
        largest = max(abs(old), largest)
    size = math.floor(math.log10(largest)) if largest > 1e-300 else 0  # numbers next to 0 say nothing
    significant, decimals = digits or digits_of(old)
    if significant > WRITTEN_DIGITS:
        return _power(min(0, size + 1 - MANY_DIGITS))
    return _power(min(-decimals, size + 1 - FEW_DIGITS, 0))


@cache
def _power(exponent: int) -> Fraction:
    return Fraction(10) ** exponent
