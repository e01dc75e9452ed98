"""A row in the user's terms: what stands for each value in it, which numbers are as good, and how far it is to them."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from symcf.data.domains import Domain
from symcf.data.encoder import Encoder, like
from symcf.data.given import GivenRow
from symcf.data.numbers import NumberLine
from symcf.data.regions import ANYWHERE, Region, digits_of, nearest, own_resolution
from symcf.data.types import ColumnType

__all__ = ["RawRow"]

#: Moves are in units of this part of a feature's span. Few of them: then few sums of moves differ, and the best values
#: of a set are found soon.
PARTS_OF_A_SPAN = 1 << 12
#: The same where numbers are compared with each other: how far they are is known only when all of them are.
FINE_PARTS = 1 << 20
#: The longest move; and what is added where no multiple of the resolution stands for the value.
LONGEST, OFF_THE_GRID = 1 << 40, 1 << 44


class RawRow:
    """One row: its cells as given, and cells for other values.

    ``codes`` are the row's value codes, ``values`` the labels by feature and code, ``ordered`` says which features have
    values in order, ``resolutions`` what new numbers have to be multiples of, for some features, and ``limits`` the
    ranges that they have to be in, for some. ``compared`` are features whose numbers are compared with each other. If
    there are any, only the type of a cell says whether it has to be a whole number.
    """

    def __init__(
        self,
        encoder: Encoder,
        given: GivenRow,
        codes: Sequence[int],
        values: Sequence[Sequence[Hashable]],
        ordered: Sequence[bool],
        resolutions: Mapping[int, Fraction],
        limits: Mapping[int, Region],
        compared: Collection[int] = (),
    ) -> None:
        self._encoder = encoder
        self._readers = encoder.readers
        self._given = given
        self._codes = codes
        self._values = values
        self._ordered = ordered
        self._resolutions = resolutions
        self._limits = limits
        self._compared = compared
        self._read: dict[int, tuple[Any, ...]] = {}
        self._types: dict[int, ColumnType | None] = {}
        self._spoken: dict[int, bool] = {}
        self._olds: dict[int, _Old] = {}
        self._found: dict[tuple[int, int], tuple[float, bool]] = {}

    # --- cells

    def _cells(self, j: int) -> tuple[Any, ...]:
        """The given cells of a feature."""
        if j not in self._read:
            self._read[j] = tuple(self._given.cell(place) for place in self._readers[j].sources)
        return self._read[j]

    def _type(self, j: int) -> ColumnType | None:
        """The type of the column of a feature that has one; None where nothing tells."""
        if j not in self._types:
            self._types[j] = self._given.type_of(self._readers[j].sources[0])
        return self._types[j]

    def limits_of_type(self, j: int) -> tuple[bool, Region]:
        """Does the column of a feature hold whole numbers only, and which numbers can it hold?"""
        kind = self._type(j)
        return self._is_whole(j), ANYWHERE if kind is None or not kind.is_number else kind.limits

    def old(self, j: int) -> Any:
        """What was given for a feature; the label where it is read from several columns, or from a code."""
        return self._cells(j)[0] if self._speaks(j) else self._values[j][self._codes[j]]

    def new(self, j: int, code: int) -> Any:
        """The same for another value: a number is the nearest that is enough."""
        return self.cells_of(j, code)[0] if self._speaks(j) else self._values[j][code]

    def _speaks(self, j: int) -> bool:
        """Does the one cell of a feature say its value?"""
        if j not in self._spoken:
            reader = self._readers[j]
            has_own = reader.regions is not None or reader.keys is not None or isinstance(self._values[j], NumberLine)
            self._spoken[j] = len(reader.sources) == 1 and has_own
        return self._spoken[j]

    def cells_of(self, j: int, code: int) -> tuple[Any, ...]:
        """What stands for a value in each column of its feature, in the types of the given cells."""
        reader, old = self._readers[j], self._cells(j)
        if reader.regions is None or code not in reader.regions:
            cells = reader.cells(code, self._values[j][code], old)
        else:
            cells = (like(old[0], self._number(j, code)[0]),)
        kinds = map(self._encoder.layout.type_of, reader.sources)
        return tuple(cell if kind is None else kind.cell(cell) for cell, kind in zip(cells, kinds, strict=True))

    @property
    def row(self) -> Any:
        """The row as it was given."""
        return self._given.given

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of rows that are given without names."""
        return self._encoder.layout.names

    @property
    def types(self) -> tuple[ColumnType | None, ...]:
        """The types of these columns, where they are known; empty if none is."""
        return self._encoder.layout.types

    def changed(self, codes: Mapping[int, int]) -> Any:
        """The row with other values for some features, in the form in which it was given."""
        return self._given.with_cells(self.changed_cells(codes))

    def changed_cells(self, codes: Mapping[int, int]) -> dict[int, Any]:
        """The cells that differ, by place."""
        pairs = [(self._readers[j].sources, self.cells_of(j, code)) for j, code in codes.items()]
        return {place: cell for places, cells in pairs for place, cell in zip(places, cells, strict=True)}

    # --- numbers

    def _old(self, j: int) -> _Old:
        """The number that was given for a feature of ranges."""
        found = self._olds.get(j)
        if found is None:
            (cell,) = self._cells(j)
            kind, number = self._type(j), self._readers[j].number(cell)
            looks_whole = self._encoder.scales[j].whole and (number is None or number.is_integer())
            whole = self._is_whole(j) or (looks_whole and not self._compared)
            short = cell.dtype if isinstance(cell, (np.float32, np.float16)) else None if kind is None else kind.short
            found = self._olds[j] = _Old(number, whole, short, digits_of(number))
        return found

    def _is_whole(self, j: int) -> bool:
        """Does the column of a feature hold whole numbers only?"""
        kind = self._type(j)
        return kind is not None and kind.is_whole

    def resolution(self, j: int, code: int) -> Fraction:
        """The number of which new numbers are multiples: the given resolution, 1 where the column holds integers, or as
        many digits as the old number has.
        """
        old = self._old(j)
        if j in self._resolutions:
            asked = self._resolutions[j]
            return Fraction(asked.numerator) if self._is_whole(j) else asked
        if old.whole:
            return Fraction(1)
        region = self._region(j, code)
        up = old.number is None or old.number < region.first
        return own_resolution(old.number, region.first if up else region.last, old.digits)

    def _number(self, j: int, code: int) -> tuple[float, bool]:
        """The nearest number of a range, and whether it is a multiple of the resolution."""
        found = self._found.get((j, code))
        if found is None:
            old, region = self._old(j), self._numbers(j, code)
            found = nearest(region, old.number, self.resolution(j, code), short=old.short)
            self._found[j, code] = found
        return found

    def _region(self, j: int, code: int) -> Region:
        """The allowed numbers of a range; the whole range if none is allowed: then it is never suggested."""
        regions = self._readers[j].regions
        assert regions is not None
        if j not in self._limits:
            return regions[code]
        inside = regions[code].within(self._limits[j])
        return regions[code] if inside.empty else inside

    def _numbers(self, j: int, code: int) -> Region:
        """The part that the column can hold; the whole range if it can hold none: then it is never suggested."""
        region, kind = self._region(j, code), self._type(j)
        if kind is None or not kind.is_number or (limits := kind.limits) is ANYWHERE:
            return region
        held = region.within(limits)
        return region if held.empty else held

    def _is_outside(self, j: int, code: int) -> bool:
        regions = self._readers[j].regions
        return regions is not None and j in self._limits and regions[code].within(self._limits[j]).empty

    @property
    def ordered(self) -> Sequence[bool]:
        """Which features have values in order."""
        return self._ordered

    def region(self, j: int, codes: Iterable[int], code: int) -> Region | tuple[Any, ...]:
        """All that stands for one of these values: the numbers around those of `code`, or the values one by one."""
        regions = self._readers[j].regions
        chosen = set(codes)
        if regions is None or code not in regions:
            return tuple(self.new(j, v) for v in sorted(chosen, key=lambda v: (v != code, v)))
        inside = [v for v in chosen if v in regions and (v == code or not self._is_outside(j, v))]
        numbers = sorted((self._region(j, v) for v in inside), key=lambda region: region.first)
        kind = self._type(j)
        if kind is not None and kind.kind == "b":
            new = self.new(j, code)
            others = [type(new)(b) for b in (0, 1) if b != new and any(b in region for region in numbers)]
            return (new, *others)
        here = self._region(j, code)
        first, last, holes = here.first, here.last, list(here.holes)
        for region in reversed(numbers):
            if region.last < first and math.nextafter(region.last, math.inf) == first:
                first, holes = region.first, [*region.holes, *holes]
        for region in numbers:
            if region.first > last and math.nextafter(last, math.inf) == region.first:
                last, holes = region.last, [*holes, *region.holes]
        return self._storable(j, Region(first, last, tuple(holes)))

    def _storable(self, j: int, region: Region) -> Region:
        """The same up to the outermost numbers of it that the column can store: beyond, a number of fewer than 64 bits
        is rounded into the next range.
        """
        short = self._old(j).short
        if short is None:
            return region
        every = Domain(region, None, short.type)
        least, greatest = every.least, every.greatest
        return region if least is None or greatest is None else Region(least, greatest, region.holes)

    def said(self, j: int, region: Region | tuple[Any, ...], code: int) -> Region | tuple[Any, ...]:
        """A region as it is printed: its ends are multiples of the resolution, inside. Where the new number would be
        outside, because it has more digits, or the column rounds to fewer than 64 bits, the end is the new number.
        """
        if not isinstance(region, Region):
            return region
        inner, short = region.rounded(self.resolution(j, code)), self._old(j).short
        new = self.new(j, code)
        if not isinstance(new, (float, np.floating)) or new in inner:
            return inner
        decimal = float(new if short is None else str(short.type(new)))
        return Region(min(inner.first, decimal), max(inner.last, decimal), inner.holes)

    # --- numbers that are compared with each other

    def number(self, j: int) -> float | None:
        """The number that was given for a feature of ranges; None where it is missing."""
        return self._old(j).number

    def range_of(self, j: int, code: int) -> Region | None:
        """The numbers that the value stands for; None where it is not a range."""
        return (self._readers[j].regions or {}).get(code)

    def is_measured(self, j: int, code: int) -> bool:
        """Is the value a range of numbers?"""
        return self.range_of(j, code) is not None

    def code(self, j: int) -> int:
        """The feature's own value."""
        return self._codes[j]

    def domain(self, j: int, code: int) -> Domain | None:
        """The numbers that a feature may take with a value; with its own, too. None where it is not a range.

        Whole numbers where the type of the cell is an integer; multiples of the resolution that was asked for, if the
        range has any; else all numbers of the range.
        """
        if not self.is_measured(j, code):
            return None
        kind, region = self._type(j), (self._readers[j].regions or {})[code]
        if j in self._limits:
            region = region.within(self._limits[j])
        if kind is not None and kind.is_number:
            region = region.within(kind.limits)
        short, whole = self._old(j).short, self._is_whole(j)
        step = self.resolution(j, code) if whole else self._resolutions.get(j)
        found = Domain(region, step, None if short is None else short.type)
        if step is not None and not whole and found.least is None:
            return Domain(region, None, found.short)
        return found

    def stored(self, j: int, number: float) -> float:
        """A number as it will be in the row: columns of fewer than 64 bits round it."""
        short = self._old(j).short
        with np.errstate(over="ignore"):
            return number if short is None else float(short.type(number))

    def within(self, limits: Mapping[int, Region]) -> RawRow:
        """The same row; the new numbers of some features have to be within these limits, too."""
        narrower = copy(self)
        both = {j: region.within(self._limits[j]) if j in self._limits else region for j, region in limits.items()}
        narrower._limits = {**self._limits, **both}
        narrower._found = {}
        return narrower

    def beyond(self, j: int, *, up: bool) -> Region:
        """The numbers above the feature's own, or below it; all of them where it is missing."""
        own = self._old(j).number
        if own is None:
            return ANYWHERE
        after = math.nextafter(own, math.inf if up else -math.inf)
        return Region(after, math.inf) if up else Region(-math.inf, after)

    def with_numbers(self, numbers: Mapping[tuple[int, int], float]) -> RawRow:
        """The same row; these numbers stand for values, by feature and code."""
        chosen = copy(self)
        chosen._found = {pair: (number, True) for pair, number in numbers.items()}
        return chosen

    def nearest_number(self, j: int, code: int) -> float:
        """The number that stands for a value."""
        return self._number(j, code)[0]

    def spans(self, j: int, number: float) -> float:
        """How far a number is from the old one, in spans of the cut points."""
        old = self._old(j).number
        return 0.0 if old is None else abs(number - old) / float(self._encoder.scales[j].span)

    # --- how far

    def moves(self, j: int) -> list[int]:
        """By code, how far the value is from the feature's own, as an integer.

        Numbers: |new - old| by the span of the cut points; values in order: steps, by all there are; others: 1. In
        parts of a span, rounded, but so that what is farther is never as near. Values that no multiple of the
        resolution stands for come after all others. Where numbers are compared with each other, it is the least that
        the move can be, and not rounded up.
        """
        if self._compared:
            return [int(parts) + off * OFF_THE_GRID for off, _, parts in self._measures(j, FINE_PARTS)]
        return _ranked([(off, far, int(parts)) for off, far, parts in self._measures(j, PARTS_OF_A_SPAN)])

    def _measures(self, j: int, span: int) -> list[tuple[bool, tuple[float, float], float]]:
        """By code: is it off the grid, how far is it, and the same in parts of a span?"""
        d, own = len(self._values[j]), self._codes[j]
        if not self._ordered[j]:
            return [(False, (float(code != own), 0.0), (code != own) * span) for code in range(d)]
        own_number = self._own_number(j)
        if own_number is None or not math.isfinite(own_number):
            steps = [abs(code - own) for code in range(d)]
            return [(False, (step, 0), step * span // max(1, d - 1)) for step in steps]
        scale = span / float(self._encoder.scales[j].span)
        found = []
        for code in range(d):
            new, on_grid = (own_number, True) if code == own else self._new_number(j, code)
            far = (math.inf, 0.0) if new is None else _difference(new, own_number)
            found.append((not on_grid, far, min(far[0] * scale, LONGEST)))
        return found

    def _own_number(self, j: int) -> float | None:
        """The number that was given for a feature; None where it has none."""
        reader = self._readers[j]
        if reader.regions is not None:
            return self._old(j).number
        return None if reader.keys is None else reader.number(self._cells(j)[0])

    def _new_number(self, j: int, code: int) -> tuple[float | None, bool]:
        """The number of another value, and whether it is a multiple of the resolution; None where it has none."""
        reader = self._readers[j]
        if reader.regions is None:
            return reader.number(reader.cells(code, self._values[j][code], [0.0])[0]), True
        return self._number(j, code) if code in reader.regions else (None, True)


class _Old(NamedTuple):
    """The number that was given for a feature."""

    #: None where it is missing.
    number: float | None
    #: Are new ones to be whole?
    whole: bool
    #: The type of its column, if that has fewer than 64 bits.
    short: np.dtype[Any] | None
    #: Its significant digits, and those after the point.
    digits: tuple[int, int]


def _difference(a: float, b: float) -> tuple[float, float]:
    """|a - b| without rounding: a double, and what it lacks (Knuth's two-sum). Pairs compare as differences do."""
    if a < b:
        a, b = b, a
    high = a - b
    back = high - a
    return high, (a - (high - back)) - (b + back)


def _ranked(moves: Sequence[tuple[bool, tuple[float, float], int]]) -> list[int]:
    """Integers that are never equal for different moves (off the grid?, distance), and about the given ones."""
    units: dict[tuple[bool, tuple[float, float]], int] = {}
    last = -1
    for off, far, about in sorted(set(moves)):
        last = max(last + 1, about + off * OFF_THE_GRID)
        units[off, far] = last
    return [units[off, far] for off, far, _ in moves]
