"""A row in the user's terms: what stands for each value in it, which numbers are as good, and how far it is to them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.rows.encoder import Encoder, like
from symcf.rows.given import GivenRow
from symcf.rows.regions import Region, nearest, own_resolution

__all__ = ["RawRow"]

#: Moves are in units of this part of a feature's span. Few of them: then few sums of moves differ, and the best values
#: of a set are found soon.
PARTS_OF_A_SPAN = 1 << 12
#: The longest move; and what is added where no multiple of the resolution stands for the value.
LONGEST, OFF_THE_GRID = 1 << 40, 1 << 44


class RawRow:
    """One row: its cells as given, and cells for other values.

    ``codes`` are the row's value codes, ``values`` the labels by feature and code, ``ordered`` says which features have
    values in order, and ``resolutions`` what new numbers have to be multiples of, for some features.
    """

    def __init__(
        self,
        encoder: Encoder,
        given: GivenRow,
        codes: Sequence[int],
        values: Sequence[Sequence[Hashable]],
        ordered: Sequence[bool],
        resolutions: Mapping[int, Fraction],
    ) -> None:
        self._encoder = encoder
        self._readers = encoder.readers
        self._given = given
        self._codes = codes
        self._values = values
        self._ordered = ordered
        self._resolutions = resolutions
        self._found: dict[tuple[int, int], tuple[float, bool]] = {}

    # --- cells

    def _cells(self, j: int) -> tuple[Any, ...]:
        """The given cells of a feature."""
        return tuple(self._given.cell(place) for place in self._readers[j].sources)

    def old(self, j: int) -> Any:
        """What was given for a feature; the label where it is read from several columns, or from a code."""
        return self._cells(j)[0] if self._speaks(j) else self._values[j][self._codes[j]]

    def new(self, j: int, code: int) -> Any:
        """The same for another value: a number is the nearest that is enough."""
        return self.cells_of(j, code)[0] if self._speaks(j) else self._values[j][code]

    def _speaks(self, j: int) -> bool:
        """Does the one cell of a feature say its value?"""
        reader = self._readers[j]
        return len(reader.sources) == 1 and (reader.regions is not None or reader.keys is not None)

    def cells_of(self, j: int, code: int) -> tuple[Any, ...]:
        """What stands for a value in each column of its feature, in the types of the given cells."""
        reader, old = self._readers[j], self._cells(j)
        if reader.regions is None or code not in reader.regions:
            return reader.cells(code, self._values[j][code], old)
        return (like(old[0], self._number(j, code)[0]),)

    @property
    def row(self) -> Any:
        """The row as it was given."""
        return self._given.given

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of rows that are given without names."""
        return self._encoder.layout.names

    def changed(self, codes: Mapping[int, int]) -> Any:
        """The row with other values for some features, in the form in which it was given."""
        return self._given.with_cells(self.changed_cells(codes))

    def changed_cells(self, codes: Mapping[int, int]) -> dict[int, Any]:
        """The cells that differ, by place."""
        pairs = [(self._readers[j].sources, self.cells_of(j, code)) for j, code in codes.items()]
        return {place: cell for places, cells in pairs for place, cell in zip(places, cells, strict=True)}

    # --- numbers

    def resolution(self, j: int, code: int) -> Fraction:
        """What a new number has to be a multiple of: what was asked for, whole numbers where the column has such, or as
        many digits as the old number has.
        """
        reader, (cell,) = self._readers[j], self._cells(j)
        whole = isinstance(cell, (int, np.integer, np.bool_))
        if j in self._resolutions:
            asked = self._resolutions[j]
            return Fraction(asked.numerator) if whole else asked
        regions, old = reader.regions, reader.number(cell)
        assert regions is not None
        if whole or (self._encoder.scales[j].whole and (old is None or old.is_integer())):
            return Fraction(1)
        region = regions[code]
        return own_resolution(old, region.first if old is None or old < region.first else region.last)

    def _number(self, j: int, code: int) -> tuple[float, bool]:
        """The nearest number of a range, and whether it is a multiple of the resolution."""
        if (j, code) not in self._found:
            reader, (cell,) = self._readers[j], self._cells(j)
            assert reader.regions is not None
            single = isinstance(cell, (np.float32, np.float16))
            old = reader.number(cell)
            if isinstance(cell, (bool, np.bool_)):
                inside = [float(b) for b in (0, 1) if b in reader.regions[code]]
                if inside:
                    self._found[j, code] = (inside[0] if old == inside[-1] else inside[-1], True)
                    return self._found[j, code]
            self._found[j, code] = nearest(reader.regions[code], old, self.resolution(j, code), single=single)
        return self._found[j, code]

    def region(self, j: int, codes: Iterable[int], code: int) -> Region | tuple[Any, ...]:
        """All that stands for one of these values: the numbers around those of `code`, or the values one by one."""
        regions = self._readers[j].regions
        chosen = set(codes)
        if regions is None or code not in regions:
            return tuple(self.new(j, v) for v in sorted(chosen, key=lambda v: (v != code, v)))
        numbers = sorted((regions[v] for v in chosen if v in regions), key=lambda region: region.first)
        if isinstance(self._cells(j)[0], (bool, np.bool_)):
            new = self.new(j, code)
            others = [type(new)(b) for b in (0, 1) if b != new and any(b in region for region in numbers)]
            return (new, *others)
        here = regions[code]
        first, last, holes = here.first, here.last, list(here.holes)
        for region in reversed(numbers):
            if region.last < first and math.nextafter(region.last, math.inf) == first:
                first, holes = region.first, [*region.holes, *holes]
        for region in numbers:
            if region.first > last and math.nextafter(last, math.inf) == region.first:
                last, holes = region.last, [*holes, *region.holes]
        return Region(first, last, tuple(holes))

    def said(self, j: int, region: Region | tuple[Any, ...], code: int) -> Region | tuple[Any, ...]:
        """A region as it is printed: its ends are multiples of the resolution, inside."""
        return region.rounded(self.resolution(j, code)) if isinstance(region, Region) else region

    # --- how far

    def moves(self, j: int) -> list[int]:
        """By code, how far the value is from the feature's own, as an integer.

        Numbers: |new - old| by the span of the cut points; values in order: steps, by all there are; others: 1. In
        units of `PARTS_OF_A_SPAN`, rounded, but so that what is farther is never as near. Values that no multiple of
        the resolution stands for come after all others.
        """
        parts = [self._move(j, code) for code in range(len(self._values[j]))]
        units: dict[tuple[bool, Fraction], int] = {}
        last = -1
        for off, part in sorted(set(parts)):
            last = max(last + 1, min(int(part * PARTS_OF_A_SPAN), LONGEST) + off * OFF_THE_GRID)
            units[off, part] = last
        return [units[part] for part in parts]

    def _move(self, j: int, code: int) -> tuple[bool, Fraction]:
        own, reader = self._codes[j], self._readers[j]
        if code == own:
            return False, Fraction(0)
        old = reader.number(self._cells(j)[0])
        if reader.regions is not None and code in reader.regions and old is not None and math.isfinite(old):
            number, on_grid = self._number(j, code)
            return not on_grid, abs(Fraction(number) - Fraction(old)) / self._encoder.scales[j].span
        if self._ordered[j] and reader.keys is not None and old is not None:
            new = reader.number(reader.cells(code, self._values[j][code], [0.0])[0])
            if new is not None and math.isfinite(old):
                return False, abs(Fraction(new) - Fraction(old)) / self._encoder.scales[j].span
        if self._ordered[j]:
            return False, Fraction(abs(code - own), len(self._values[j]) - 1)
        return False, Fraction(1)
