"""Cells: what a column of data is counted by.

A value is a cell of its own. Where a column has an order and many values, neighbours with about the same number of rows
share a cell, and so do numbers that are not cut into ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.numbers import NumberLine

__all__ = ["Cells", "LabelCells"]

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Cells:
    """The cells of one column, numbered from 0."""

    #: By code, the cell; None where the column holds numbers.
    table: tuple[int, ...] | None
    #: Where it does: the codes with which the second and later cells begin.
    cuts: tuple[int, ...] = ()

    @classmethod
    def of(cls, codes: Codes, values: Sequence[Hashable], ordered: bool, missing: int | None, most: int) -> Cells:
        """At most ``most`` cells where the values have an order; ``missing`` is a cell of its own."""
        if isinstance(values, NumberLine):
            return cls(None, tuple(_cuts(codes, most)))
        if not ordered or len(values) <= most:
            return cls(tuple(range(len(values))))
        cuts = _cuts(codes[codes != missing] if missing is not None else codes, most)
        table = np.searchsorted(np.array(cuts, dtype=np.int64), np.arange(len(values)), side="right")
        if missing is not None:
            table[missing] = len(cuts) + 1
        number: dict[int, int] = {}
        return cls(tuple(number.setdefault(cell, len(number)) for cell in table.tolist()))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.cuts) + 1 if self.table is None else max(self.table, default=-1) + 1

    @cached_property
    def _array(self) -> Codes:
        return np.array(self.cuts if self.table is None else self.table, dtype=np.int64)

    def of_codes(self, codes: npt.NDArray[Any]) -> Codes:
        """The cells of codes."""
        if self.table is not None:
            return np.asarray(self._array[codes])
        return np.searchsorted(self._array, codes.astype(np.int64), side="right")

    def spread(self, codes: Sequence[int]) -> Cells:
        """The same over finer values, each of which is part of one of these."""
        return self if self.table is None else Cells(tuple(self.table[code] for code in codes))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"cuts": list(self.cuts)} if self.table is None else {"table": list(self.table)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cells:
        """The inverse of `to_dict`."""
        if "table" not in data:
            return cls(None, tuple(map(int, data["cuts"])))
        return cls(tuple(map(int, data["table"])))


@dataclass(frozen=True)
class LabelCells:
    """The cells of a column by label, for models whose rows may have other labels."""

    #: By label that is known, its cell.
    cells: Mapping[Hashable, int]
    #: The cell of labels that are not.
    unseen: int

    @classmethod
    def of(cls, labels: Sequence[Hashable], cells: Cells) -> LabelCells:
        """The labels of codes, and the cells of these."""
        assert cells.table is not None, "a black-box model has no lines of numbers"
        return cls(dict(zip(labels, cells.table, strict=True)), cells.count)

    def over(self, labels: Sequence[Hashable]) -> Cells:
        """The cells of other labels: a number that is not known counts as the next lower one that is."""
        return Cells(tuple(map(self._cell, labels)))

    def _cell(self, label: Hashable) -> int:
        if label in self.cells or not _is_number(label) or not self._numbers:
            return self.cells.get(label, self.unseen)
        return self.cells[self._numbers[max(0, bisect_right(self._numbers, label) - 1)]]

    @cached_property
    def _numbers(self) -> list[Any]:
        return sorted(filter(_is_number, self.cells))


def _is_number(label: Hashable) -> bool:
    return isinstance(label, (Real, Decimal)) and not isinstance(label, bool)


def _cuts(codes: Codes, most: int) -> list[int]:
    """The codes that begin a new cell, so that about the same number of rows is in each."""
    present, counts = np.unique(codes, return_counts=True)
    if len(present) <= most:
        return [int(code) for code in present[1:]]
    before = np.cumsum(counts) - counts  # rows below each code
    wanted = len(codes) * np.arange(1, most) / most
    chosen = np.unique(np.clip(np.searchsorted(before, wanted), 1, len(present) - 1))
    return [int(code) for code in present[chosen]]
