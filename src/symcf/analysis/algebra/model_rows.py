"""The rows that a function is true for, as users hold rows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import index
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from symcf.common.extras import load_extra
from symcf.common.options import checked_count
from symcf.common.renamed import with_new_keywords
from symcf.data.shared import Columns, row_of_codes
from symcf.system.models import Models

__all__ = ["ModelRows"]

#: Rows that are found at a time when all are listed.
CHUNK = 1 << 10


class ModelRows:
    """All rows for which a function is true, one for each cell: numbers of one range, and categories of one value,
    count as one row. In order, by the values of the features in the order of the diagram.

    >>> import symcf, symcf.demo
    >>> rows = symcf.compile(symcf.demo.admission()).models()
    >>> len(rows), rows[0]
    (6, {'entrance exam': 1, 'work experience': 1, 'GPA': 0, 'first application': 1})
    """

    def __init__(self, models: Models, columns: Columns) -> None:
        self._models = models
        self._columns = columns

    @property
    def count(self) -> int:
        """How many there are, exactly."""
        return self._models.count

    @property
    def share(self) -> Fraction:
        """How many of all rows they are, exactly."""
        return Fraction(self.count, self._columns.n_cells)

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        """The row at this place, found without listing those before it; or those of a slice."""
        if isinstance(place, slice):
            return self._rows(range(self.count)[place])
        rank = index(place) + (self.count if place < 0 else 0)
        if not 0 <= rank < self.count:
            raise IndexError(f"there are {self.count:,} rows")
        return self._rows([rank])[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, self.count, CHUNK):
            yield from self._rows(range(start, min(start + CHUNK, self.count)))

    @with_new_keywords
    def sample(self, size: int, random_state: int | np.random.Generator | None = None) -> list[dict[str, Any]]:
        """Rows drawn uniformly from all of them, with replacement."""
        return self._of_codes(self._models.sample(size, random_state))

    def codes(self, start: int = 0, stop: int | None = None) -> npt.NDArray[np.int64]:
        """The rows from `start` to `stop` as value codes, as in a slice."""
        return self._models.at(range(self.count)[start:stop])

    def _rows(self, ranks: Any) -> list[dict[str, Any]]:
        return self._of_codes(self._models.at(ranks))

    def _of_codes(self, rows: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
        return [row_of_codes(self._columns, codes) for codes in rows.tolist()]

    def to_frame(self, n: int | None = None) -> Any:
        """The first n rows, or all, as a pandas DataFrame."""
        pd = load_extra("pandas", "to_frame")

        most = checked_count(n, "n", least=0)
        return pd.DataFrame(self._rows(range(self.count)[:most]), columns=list(row_of_codes_names(self._columns)))

    def __repr__(self) -> str:
        return f"ModelRows({self.count:,} of {self._columns.n_cells:,} rows)"


def row_of_codes_names(columns: Columns) -> list[str]:
    """The columns of such rows."""
    return list(row_of_codes(columns, [0] * len(columns.features)))
