"""Columns of numbers that are not cut into ranges: every double is a value.

The code of a number is its place among the doubles, so codes ascend as numbers do and a row of numbers is a row of
codes like any other. 0 has the code 2**62. Codes are for numbers from 2**-510 to 2**513 and their negatives; there are
no codes left for the others, and no data that has them. `MISSING` is the code of a missing number, where the classifier
can tell it from all numbers. It is never suggested.

    line = NumberLine(18.0, 99.0, resolution=Fraction(1))
    code = line.code(42.0)
    line[code]              # 42.0
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, overload

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.encoder import UNREADABLE, FeatureReader, as_floats, like
from symcf.data.reader import Column, as_column
from symcf.errors import ModelError, OptionError

__all__ = ["LEAST", "MISSING", "NumberLine", "Numbers", "codes_of_numbers", "numbers_of_codes", "observed"]

Floats = npt.NDArray[np.float64]

#: The smallest magnitude itself.
LEAST = 2.0**-510
#: The code of a missing number; above those of all numbers.
MISSING = (1 << 63) - 2


def codes_of_numbers(numbers: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The codes of numbers; `UNREADABLE` for those without one."""
    floats = np.asarray(numbers, dtype=np.float64)
    if floats.ndim == 2 and not floats.flags.c_contiguous and floats.flags.f_contiguous:  # as frames have them
        return codes_of_numbers(floats.T).T
    floats = np.ascontiguousarray(floats)
    return _core.codes_of_numbers(floats.ravel()).reshape(floats.shape)


def numbers_of_codes(codes: npt.ArrayLike) -> Floats:
    """The inverse of `codes_of_numbers`; NaN for `MISSING`."""
    integers = np.ascontiguousarray(codes, dtype=np.int64)
    return _core.numbers_of_codes(integers.ravel()).reshape(integers.shape)


@dataclass(frozen=True)
class NumberLine(Sequence[float]):
    """The values of a column of numbers: where they are suggested, and how finely.

    A sequence by code. It has more members than anyone would list.
    """

    #: Suggested numbers lie between these, ends included. Rows may have others.
    low: float
    high: float
    #: Suggested numbers are multiples of this; None: any double.
    resolution: Fraction | None = None
    #: How much the column varies in the data: standard deviation and median absolute deviation; None: not known.
    std: float | None = None
    mad: float | None = None
    #: Where a missing number is a value of its own: the number from which its distance to others is measured.
    fill: float | None = None

    def number(self, code: int) -> float:
        """The number of a code; where it is missing, the one from which distances are measured."""
        return self[code] if code != MISSING or self.fill is None else self.fill

    def code(self, number: float) -> int:
        """The code of a number."""
        code = int(codes_of_numbers(np.array([number]))[0])
        if code == UNREADABLE:
            raise OptionError(f"{number!r} is not a finite number of ordinary size")
        return code

    @property
    def span(self) -> Fraction:
        """The length of the range."""
        return Fraction(self.high) - Fraction(self.low)

    @overload
    def __getitem__(self, index: int) -> float: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[float]: ...
    def __getitem__(self, index: int | slice) -> float | Sequence[float]:
        if isinstance(index, slice):
            raise TypeError("a column of numbers has too many values to list")
        return float(numbers_of_codes(np.array([index], dtype=np.int64))[0])

    def __len__(self) -> int:
        return (1 << 63) - 1

    def __iter__(self) -> Iterator[float]:
        raise TypeError("a column of numbers has too many values to list")

    def __contains__(self, number: object) -> bool:
        return isinstance(number, (int, float)) and math.isfinite(number)

    def interval(self, given: Any, option: str) -> tuple[float, float]:
        """What the user gave as a range, a pair of numbers; None is the end of the column's own range."""
        try:
            first, last = [] if isinstance(given, str) else given
            low, high = _two_numbers((self.low if first is None else first, self.high if last is None else last))
            low = min(low, high) if first is None else low
            high = max(low, high) if last is None else high
        except (TypeError, ValueError):
            raise OptionError(
                f"{option}: a column of numbers takes 'increase', 'decrease' or a range [least, greatest], not "
                f"{given!r}"
            ) from None
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise OptionError(f"{option}: the range must be finite and ascending, not {given!r}")
        return low, high

    @staticmethod
    def rounded(number: Fraction, *, up: bool, resolution: Fraction | None) -> float:
        """The first multiple of the resolution, or the first double, that is not before the number, going up or down.
        A multiple is given as the double that its decimal is read as, which may lie a rounding before it.
        """
        if resolution is not None:
            steps = number / resolution
            return float(resolution * (math.ceil(steps) if up else math.floor(steps)))
        nearest = float(number)
        if (Fraction(nearest) < number) if up else (Fraction(nearest) > number):
            nearest = math.nextafter(nearest, math.inf if up else -math.inf)
        return nearest

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        resolution = None if self.resolution is None else str(self.resolution)
        fill = {} if self.fill is None else {"fill": self.fill}
        return {"low": self.low, "high": self.high, "resolution": resolution, "std": self.std, "mad": self.mad, **fill}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NumberLine:
        """The inverse of `to_dict`."""
        rest = {name: data.get(name) for name in ("std", "mad", "fill")}
        return number_line((data["low"], data["high"]), data.get("resolution"), "numbers", **rest)


def _two_numbers(given: Any) -> tuple[float, float]:
    """The ends of a range; infinite where they are too large. Raises a TypeError or a ValueError."""
    if isinstance(given, str):
        raise TypeError
    low, high = given
    return _as_double(low), _as_double(high)


def _as_double(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def number_line(
    given: Any,
    resolution: Any,
    name: str,
    *,
    std: float | None = None,
    mad: float | None = None,
    fill: float | None = None,
) -> NumberLine:
    """A checked line; ``given`` is the range."""
    try:
        low, high = _two_numbers(given)
    except (TypeError, ValueError):
        raise ModelError(f"the range of {name!r} must be two numbers (least, greatest), not {given!r}") from None
    if not (low <= high and (codes_of_numbers(np.array([low, high])) != UNREADABLE).all()):
        raise ModelError(f"the range of {name!r} must be finite and ascending, not {given!r}")
    step = None
    if resolution is not None:
        try:
            step = Fraction(str(resolution) if isinstance(resolution, (float, np.floating)) else resolution)
        except (TypeError, ValueError, ZeroDivisionError):
            raise ModelError(f"the resolution of {name!r} must be a number, not {resolution!r}") from None
        if step <= 0:
            raise ModelError(f"the resolution of {name!r} must be positive, not {resolution!r}")
    rest = [None if number is None else float(number) for number in (std, mad, fill)]
    return NumberLine(low, high, step, *rest)


#: Digits after the point up to which numbers are taken for decimals that someone wrote.
MOST_DECIMALS = 10
#: Otherwise suggested numbers divide the range about this finely.
STEPS = 10**6


def observed(column: Column, name: str, given: Any = None, resolution: Any = None) -> NumberLine:
    """The line of a column of data: its range (unless it is given), its resolution and how much it varies."""
    floats, readable = as_floats(np.asarray(column))
    numbers = floats[readable & np.isfinite(floats)]
    if not len(numbers):
        raise ModelError(f"data: column {name!r} has no number")
    span = (float(numbers.min()), float(numbers.max())) if given is None else given
    step = _resolution(numbers) if resolution is None else resolution
    middle = float(np.median(numbers))
    return number_line(span, step, name, std=float(np.std(numbers)), mad=float(np.median(np.abs(numbers - middle))))


def _resolution(numbers: Floats) -> Fraction:
    """The finest decimal place that is used; a round part of the range where numbers are not decimals."""
    different = np.unique(numbers)
    places = _most_decimals(different[:: max(1, len(different) // 1000)])
    if places <= MOST_DECIMALS:
        return Fraction(1, 10**places)
    span = float(different[-1] - different[0])
    return Fraction(10) ** math.floor(math.log10(span / STEPS)) if span > 0 else Fraction(1, 10**MOST_DECIMALS)


def _most_decimals(numbers: Floats) -> int:
    """The most digits after the point that any of them has; more than `MOST_DECIMALS` if some have."""
    for places in range(MOST_DECIMALS + 1):
        digits = np.rint(numbers * 10.0**places)
        if (np.abs(digits) >= 2.0**50).any():
            break
        if (digits / 10.0**places == numbers).all():  # both are exact, so the quotient is the double nearest to it
            return places
    most = 0
    for number in numbers.tolist():
        most = max(most, _decimals(number))
        if most > MOST_DECIMALS:  # what the others have makes no difference
            break
    return most


def _decimals(number: float) -> int:
    """The digits after the point of a number as Python prints it."""
    text = repr(number)
    if "e" in text:
        return max(0, -int(Decimal(text).normalize().as_tuple().exponent))
    return 0 if text.endswith(".0") else len(text) - text.index(".") - 1


@dataclass(frozen=True)
class Numbers(FeatureReader):
    """Reads a column of numbers."""

    kind: ClassVar[str] = "numbers"

    column: int
    #: The number that a missing one is replaced by; None: it is refused.
    nan: float | None = None
    #: Numbers that stand for something else, such as -1 for a missing one, and what replaces them.
    markers: tuple[tuple[float, float], ...] = ()
    #: Numbers, or NaN, that mark a missing number where that is a value of its own.
    apart: tuple[float, ...] = ()

    @property
    def missing(self) -> int | None:
        """The code of missing entries if it is theirs alone."""
        return MISSING if self.apart else None

    def check(self) -> None:
        """Its codes are numbers, so there is nothing that would not fit."""

    @property
    def is_plain(self) -> bool:
        """Are numbers read as they are?"""
        return self.nan is None and not self.markers and not self.apart

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of a column's entries."""
        (column,) = columns
        if self.is_plain and column.dtype.kind in "biuf":  # what is missing has no code
            return codes_of_numbers(column)
        floats, readable = as_floats(column)
        filled = floats.copy()
        if self.nan is not None:
            filled[np.isnan(floats)] = self.nan
        for marker, number in self.markers:
            filled[floats == marker] = number
        codes = codes_of_numbers(filled)
        codes[~readable | np.isnan(filled)] = UNREADABLE
        for marker in self.apart:
            codes[readable & (np.isnan(floats) if math.isnan(marker) else floats == marker)] = MISSING
        return codes

    def number(self, cell: Any) -> float | None:
        """The number that a cell holds; None for those that are missing."""
        floats, readable = as_floats(as_column([cell]))
        there = readable[0] and math.isfinite(floats[0]) and floats[0] not in self.apart
        return float(floats[0]) if there else None

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        """The number that a code stands for, in the type of the old cell."""
        return (like(old[0], label),)

    def expected(self) -> str:
        """The accepted entries, in words."""
        return "a finite number of ordinary size"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        apart = {"apart": [None if math.isnan(one) else one for one in self.apart]} if self.apart else {}
        return {"column": self.column, "nan": self.nan, "markers": [list(pair) for pair in self.markers], **apart}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Numbers:
        """The inverse of `to_dict`."""
        markers = tuple((float(marker), float(number)) for marker, number in data["markers"])
        apart = tuple(math.nan if one is None else float(one) for one in data.get("apart", ()))
        return cls(int(data["column"]), None if data["nan"] is None else float(data["nan"]), markers, apart)
