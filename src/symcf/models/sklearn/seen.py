"""What an estimator sees of the values of features: a matrix of which only the numbers other than 0 are stored.

A column of a thousand categories becomes a thousand one-hot columns. Nearly all of the million numbers are 0, so
whatever is done here takes time and memory in proportion to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

__all__ = ["Seen"]

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Seen:
    """A matrix, column by column: column i has ``numbers[start[i]:start[i + 1]]`` in the rows ``rows[...]`` of the same
    range, which ascend, and 0 elsewhere.
    """

    n_rows: int
    start: Places
    rows: Places
    numbers: Numbers

    @classmethod
    def of(cls, matrix: Any) -> Self:
        """Of a dense matrix, or of a sparse one of SciPy."""
        if not hasattr(matrix, "tocsc"):
            columns, rows = np.nonzero(matrix.T)
            return cls._of_entries(matrix.shape, rows, columns, matrix[rows, columns])
        sparse = matrix.tocsc(copy=True)
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        start, rows = sparse.indptr.astype(np.int64), sparse.indices.astype(np.int64)
        return cls(sparse.shape[0], start, rows, sparse.data.astype(np.float64))

    @classmethod
    def _of_entries(cls, shape: tuple[int, int], rows: Places, columns: Places, numbers: Numbers) -> Self:
        """From the places of numbers, column by column."""
        start = np.searchsorted(columns, np.arange(shape[1] + 1)).astype(np.int64)
        return cls(shape[0], start, rows.astype(np.int64), numbers.astype(np.float64))

    @classmethod
    def joined(cls, shape: tuple[int, int], parts: Sequence[tuple[int, Sequence[int], Seen]]) -> Self:
        """A matrix that has these parts, each beginning in some row and spread over some columns, and 0 elsewhere."""
        none: list[Any] = [np.zeros(0, dtype=np.int64)]
        rows = np.concatenate([*none, *(first + part.rows for first, _, part in parts)])
        columns = np.concatenate(
            [*none, *(np.asarray(columns, dtype=np.int64)[part._column_of] for _, columns, part in parts)]
        )
        numbers = np.concatenate([np.zeros(0), *(part.numbers for _, _, part in parts)])
        order = np.lexsort((rows, columns))
        return cls._of_entries(shape, rows[order], columns[order], numbers[order])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.start) - 1

    @property
    def _column_of(self) -> Places:
        """By number that is stored, its column."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def stored(self, i: int) -> tuple[Places, Numbers]:
        """The numbers of a column that are not 0, and their rows."""
        part = slice(self.start[i], self.start[i + 1])
        return self.rows[part], self.numbers[part]

    def column(self, i: int) -> Numbers:
        """All numbers of a column."""
        rows, numbers = self.stored(i)
        column = np.zeros(self.n_rows)
        column[rows] = numbers
        return column

    def dense(self) -> Numbers:
        """All numbers."""
        matrix = np.zeros(self.shape)
        matrix[self.rows, self._column_of] = self.numbers
        return matrix

    def part(self, n_rows: int, columns: Sequence[int]) -> Seen:
        """Of the first rows, these columns."""
        chosen = np.asarray(columns, dtype=np.int64)
        sizes = self.start[chosen + 1] - self.start[chosen]
        ends = np.cumsum(sizes)
        stored = np.arange(sizes.sum()) + np.repeat(self.start[chosen] - (ends - sizes), sizes)
        whole = Seen(self.n_rows, np.concatenate([[0], ends]), self.rows[stored], self.numbers[stored])
        return whole if n_rows == self.n_rows else whole.among(np.arange(self.n_rows) < n_rows)

    def among(self, chosen: npt.NDArray[np.bool_]) -> Seen:
        """The rows that are chosen."""
        kept = chosen[self.rows]
        start = np.concatenate([[0], np.cumsum(kept)])[self.start]
        place = np.cumsum(chosen) - 1
        return Seen(int(chosen.sum()), start, place[self.rows[kept]], self.numbers[kept])

    def absolute(self) -> Seen:
        """The same without signs."""
        return replace(self, numbers=np.abs(self.numbers))

    def times(self, weights: Numbers) -> Numbers:
        """The product with a matrix."""
        product = np.zeros((self.n_rows, weights.shape[1]))
        np.add.at(product, self.rows, self.numbers[:, None] * weights[self._column_of])
        return product

    def is_same(self, other: Seen) -> bool:
        """Are all numbers equal? NaN equals NaN."""
        return (
            self.shape == other.shape
            and np.array_equal(self.start, other.start)
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.numbers, other.numbers, equal_nan=True)
        )

    def equal_rows(self, row: int) -> npt.NDArray[np.bool_]:
        """Which rows have the numbers of this one; NaN equals nothing."""
        own = self.rows == row
        value = np.zeros(self.shape[1])
        value[self._column_of[own]] = self.numbers[own]
        agree = self.numbers == value[self._column_of]
        stored = np.bincount(self.rows, minlength=self.n_rows)
        agreeing = np.bincount(self.rows[agree], minlength=self.n_rows)
        return np.asarray((stored == own.sum()) & (agreeing == own.sum()))
