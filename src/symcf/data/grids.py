"""Columns of numbers as finitely many values: the multiples of a step within a range, or any list of numbers.

    grid = multiples(line, Fraction(1))     # 18.0, 19.0, ..., 99.0
    reader = GridNumbers(numbers, codes_of_numbers(grid))

Each number is a range of its own, so that options, distances and comparisons read them as they read other ranges.

Finer values: ranges of numbers that are cut at further numbers.

A model reads a column of numbers as ranges between the numbers that it compares the column with. A question may compare
the column with other numbers, as in ``tenure >= 12``. `Finer` is an encoder whose ranges begin at those as well.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.encoder import UNREADABLE, Encoder, FeatureReader, Span, as_floats
from symcf.data.labels import free_name
from symcf.data.numbers import MISSING, NumberLine, numbers_of_codes
from symcf.data.reader import Column
from symcf.data.regions import Region, Scale, multiple_from, quotient
from symcf.data.shared import range_text

__all__ = ["Finer", "GridEncoder", "GridNumbers", "count_multiples", "multiples"]


def count_multiples(line: NumberLine, step: Fraction) -> int:
    """How many multiples of a step lie in the range of a column."""
    first, last = _ends(line, step)
    return max(0, last - first + 1)


def multiples(line: NumberLine, step: Fraction) -> npt.NDArray[np.float64]:
    """The multiples of a step in the range of a column, ascending."""
    first, last = _ends(line, step)
    p, q = step.numerator, step.denominator
    return np.array([quotient(k * p, q) for k in range(first, last + 1)], dtype=np.float64)


def _ends(line: NumberLine, step: Fraction) -> tuple[int, int]:
    p, q = step.numerator, step.denominator
    return multiple_from(line.low, p, q, True), multiple_from(line.high, p, q, False)


@dataclass(frozen=True, eq=False)
class _Recoded(FeatureReader):
    """Reads a column of numbers as another reader does, with other values."""

    base: FeatureReader

    @property
    def sources(self) -> tuple[int, ...]:
        """The raw columns that are read."""
        return self.base.sources

    @property
    def blank(self) -> float | None:
        """What an empty cell of a text file stands for."""
        return self.base.blank

    def number(self, cell: Any) -> float | None:
        """The number that a cell holds."""
        return self.base.number(cell)


@dataclass(frozen=True, eq=False)
class GridNumbers(_Recoded):
    """Reads a column of numbers of which these are the values."""

    #: By value, its place among the doubles, ascending; `MISSING` is the last.
    codes: npt.NDArray[np.int64]

    @property
    def missing(self) -> int | None:
        """The code of missing numbers, if the column has them."""
        return len(self.codes) - 1 if len(self.codes) and self.codes[-1] == MISSING else None

    @cached_property
    def numbers(self) -> list[float]:
        """By value, its number; NaN for a missing one."""
        return [float(number) for number in numbers_of_codes(self.codes)]

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        """By value, its number."""
        return {i: Region(x, x) for i, x in enumerate(self.numbers) if i != self.missing}

    @cached_property
    def spans(self) -> Sequence[Span]:
        """The same."""
        return [(x, x, i) for i, x in enumerate(self.numbers) if i != self.missing]

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of a column's entries."""
        read = self.base.read(columns)
        if not len(self.codes):
            return np.full(len(read), UNREADABLE)
        place = np.minimum(np.searchsorted(self.codes, read), len(self.codes) - 1)
        return np.where(self.codes[place] == read, place, UNREADABLE)

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        """What stands for a value."""
        return self.base.cells(int(self.codes[code]), label, old)

    def expected(self) -> str:
        """The accepted entries, in words."""
        shown = [f"{x:g}" for x in self.numbers[:2] + self.numbers[-1:]]
        return f"one of the {len(self.codes):,} numbers {', '.join(shown[:2])}, ..., {shown[-1]}"


class GridEncoder(Encoder):
    """Reads rows as another encoder does, with some columns of numbers as values."""

    kind: ClassVar[str] = "grid"

    def __init__(self, base: Encoder, codes: Mapping[int, npt.NDArray[np.int64]]) -> None:
        """``codes`` has by feature the places of its values among the doubles."""
        self.base = base
        self.layout = base.layout
        self.doubles = base.doubles
        grids = {j: GridNumbers(base.readers[j], of) for j, of in codes.items()}
        self.readers = tuple(grids.get(j, reader) for j, reader in enumerate(base.readers))

    def to_dict(self) -> dict[str, Any]:
        """For checksums."""
        grids = {j: reader.codes.tolist() for j, reader in enumerate(self.readers) if isinstance(reader, GridNumbers)}
        return {"encoder": self.kind, "base": self.base.to_dict(), "grids": grids}


class Finer(Encoder):
    """Reads rows as another encoder does, with the ranges of some columns cut further."""

    kind: ClassVar[str] = "finer"

    def __init__(
        self, base: Encoder, values: Sequence[Sequence[Hashable]], cuts: Mapping[int, Iterable[float]]
    ) -> None:
        """``values`` are the labels of the base; ``cuts`` has by feature the numbers that ranges shall begin at."""
        self.base = base
        self.layout = base.layout
        self.doubles = base.doubles
        cut = {j: _cut(base.readers[j], len(values[j]), sorted(set(numbers))) for j, numbers in cuts.items()}
        self.readers = tuple(cut.get(j, reader) for j, reader in enumerate(base.readers))
        #: By feature and value, the value of the base that it is part of.
        self.codes: tuple[Sequence[int], ...] = tuple(
            cut[j].codes if j in cut else range(len(labels)) for j, labels in enumerate(values)
        )
        #: By feature, the labels of the values.
        self.values: tuple[Sequence[Hashable], ...] = tuple(
            _labels(cut[j], labels) if j in cut else labels for j, labels in enumerate(values)
        )

    @cached_property
    def scales(self) -> tuple[Scale, ...]:
        """Distances are those of the base: the cuts of a question do not change them."""
        return tuple(
            replace(Scale.of(reader.regions, reader.keys), span=scale.span)
            for reader, scale in zip(self.readers, self.base.scales, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """For checksums."""
        cuts = {j: reader.cuts for j, reader in enumerate(self.readers) if isinstance(reader, _Cut)}
        return {"encoder": self.kind, "base": self.base.to_dict(), "cuts": cuts}


@dataclass(frozen=True, eq=False)
class _Cut(_Recoded):
    """A column of numbers whose ranges are cut further."""

    #: By value of the base that is cut, the numbers that its second and later parts begin at, ascending.
    cuts: Mapping[int, list[float]]
    #: By value, the value of the base that it is part of.
    codes: tuple[int, ...]

    @property
    def keys(self) -> tuple[Hashable, ...] | None:
        return self.base.keys

    @property
    def missing(self) -> int | None:
        return None if self.base.missing is None else int(self._start[self.base.missing])

    @property
    def unknown(self) -> int | None:
        return None if self.base.unknown is None else int(self._start[self.base.unknown])

    @cached_property
    def _start(self) -> npt.NDArray[np.int64]:
        """By value of the base, the first of its parts."""
        return np.searchsorted(np.array(self.codes), np.arange(self.codes[-1] + 1))

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        found = {}
        for code, region in (self.base.regions or {}).items():
            firsts = [region.first, *self.cuts.get(code, ())]
            lasts = [*(math.nextafter(first, -math.inf) for first in firsts[1:]), region.last]
            for place, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
                holes = tuple(hole for hole in region.holes if first <= hole <= last)
                found[int(self._start[code]) + place] = Region(first, last, holes)
        return found

    @property
    def spans(self) -> Sequence[Span] | None:
        if self.base.spans is None:
            return None
        found: list[Span] = []
        for low, high, code in self.base.spans:
            ends = [low, *(cut for cut in self.cuts.get(code, ()) if low < cut < high), high]
            first = int(self._start[code]) + sum(cut <= low for cut in self.cuts.get(code, ())) if code >= 0 else code
            found += [(a, b, first + i * (code >= 0)) for i, (a, b) in enumerate(pairwise(ends))]
        return found

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        codes = self.base.read(columns)
        result = np.where(codes < 0, codes, self._start[codes])
        numbers, _ = as_floats(columns[0])
        for code, cuts in self.cuts.items():
            here = codes == code
            result[here] += np.searchsorted(np.array(cuts), numbers[here], side="right")
        return result

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        return self.base.cells(self.codes[code], label, old)

    def expected(self) -> str:
        return self.base.expected()


def _cut(reader: FeatureReader, n_values: int, numbers: Sequence[float]) -> _Cut:
    regions = reader.regions or {}
    inside = {c: [x for x in numbers if region.first < x <= region.last] for c, region in regions.items()}
    cuts = {code: found for code, found in inside.items() if found}
    return _Cut(reader, cuts, tuple(c for c in range(n_values) for _ in range(1 + len(cuts.get(c, ())))))


def _labels(reader: _Cut, labels: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Those of the base; parts of a range are named by their numbers."""
    found: list[Hashable] = []
    for code, base in enumerate(reader.codes):
        found.append(
            free_name(range_text(reader.regions[code]), [*labels, *found]) if base in reader.cuts else labels[base]
        )
    return tuple(found)
