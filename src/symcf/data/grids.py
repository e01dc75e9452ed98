"""Columns of numbers as finitely many values: the multiples of a step within a range, or any list of numbers.

    grid = multiples(line, Fraction(1))     # 18.0, 19.0, ..., 99.0
    reader = GridNumbers(numbers, codes_of_numbers(grid))

Each number is a range of its own, so that options, distances and comparisons read them as they read other ranges.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.encoder import UNREADABLE, Encoder, FeatureReader, Span
from symcf.data.numbers import MISSING, NumberLine, numbers_of_codes
from symcf.data.reader import Column
from symcf.data.regions import Region, multiple_from, quotient

__all__ = ["GridEncoder", "GridNumbers", "count_multiples", "multiples"]


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
class GridNumbers:
    """Reads a column of numbers of which these are the values."""

    base: FeatureReader
    #: By value, its place among the doubles, ascending; `MISSING` is the last.
    codes: npt.NDArray[np.int64]

    keys: ClassVar[None] = None
    unknown: ClassVar[None] = None

    @property
    def sources(self) -> tuple[int, ...]:
        """The raw columns that are read."""
        return self.base.sources

    @property
    def blank(self) -> float | None:
        """What an empty cell of a text file stands for."""
        return self.base.blank

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

    def number(self, cell: Any) -> float | None:
        """The number that a cell holds."""
        return self.base.number(cell)

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
