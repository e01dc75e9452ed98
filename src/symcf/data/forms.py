"""The form of a table: what makes new rows look like those that a classifier was fitted on.

Arrays stay arrays of the same dtype; DataFrames keep their columns, their order and the dtype of each.

    form = TableForm.of(data)
    form.table([form.typed(j, cells) for j, cells in enumerate(columns)])
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np

from symcf.common.extras import load_extra
from symcf.data.columns import RawColumns, Reader
from symcf.data.derived import Derived
from symcf.data.encoder import ReadRow, is_missing
from symcf.data.labels import default_names
from symcf.data.reader import Codes, Column, ColumnLayout, Table, as_array, types_of
from symcf.errors import InstanceError, ModelError

__all__ = ["FormedColumns", "TableForm"]

#: Whole numbers below this are told apart by every reader; larger ones are not, as floats.
LARGEST = 2**53


class TableForm:
    """An array of a dtype, or a DataFrame with a dtype for each column."""

    def __init__(
        self, names: Sequence[str], dtypes: Sequence[Any], keys: Sequence[Any] | None, data: Any = None
    ) -> None:
        #: The names of the columns; those of arrays are x0, x1, and so on.
        self.names = tuple(names)
        self.dtypes = tuple(dtypes)
        #: What a DataFrame calls its columns; None for arrays.
        self.keys = None if keys is None else tuple(keys)
        #: By column, what its cells are in the data.
        self.types = () if data is None else types_of(data, ColumnLayout.of(self.names))
        #: Columns that are computed from these.
        self.derived: tuple[Derived, ...] = ()

    @classmethod
    def of(cls, data: Any) -> tuple[TableForm, list[Column]]:
        """The form of data, and its columns."""
        if type(data).__module__.split(".")[0] == "pandas" and hasattr(data, "columns"):
            return cls._of_frame(data)
        if hasattr(data, "columns") or hasattr(data, "toarray") or hasattr(data, "__arrow_c_stream__"):
            shown = f"{type(data).__module__.partition('.')[0]}'s {type(data).__name__}"
            raise ModelError(f"data must be a DataFrame of pandas or polars, or a two-dimensional array, not {shown}")
        array = as_array(data)
        if array.ndim != 2:
            raise ModelError(f"data must have rows and columns; this has {array.ndim} dimensions")
        form = cls(default_names(array.shape[1]), [array.dtype] * array.shape[1], None, array)
        form._check()
        return form, list(array.T)

    @classmethod
    def _of_frame(cls, data: Any) -> tuple[TableForm, list[Column]]:
        keys = list(data.columns)
        named = all(isinstance(key, str) for key in keys)
        if not named and keys != list(range(len(keys))):
            raise ModelError(f"data: the columns must have names that are text, or 0 to {len(keys) - 1}, not {keys!r}")
        if len(set(keys)) < len(keys):
            raise ModelError(f"data: some columns have the same name: {keys!r}")
        form = cls(keys if named else default_names(len(keys)), data.dtypes.tolist(), keys, data)
        form._check()
        return form, [np.asarray(data[key]) for key in keys]

    def _check(self) -> None:
        if not self.names:
            raise ModelError("data has no columns")
        for name, dtype in zip(self.names, self.dtypes, strict=True):
            if getattr(dtype, "kind", "O") in "mMcV":
                raise ModelError(
                    f"data: column {name!r} holds {dtype}: make numbers or text of it, or leave it out if the model "
                    f"does not read it"
                )

    @property
    def named(self) -> bool:
        """Are the names the user's own?"""
        return self.keys is not None and self.keys == self.names

    @property
    def doubles(self) -> list[int]:
        """The places of the columns of 64-bit floats, of which rows of fewer bits could not hold all numbers."""
        return [j for j, dtype in enumerate(self.dtypes) if str(dtype) == "float64"]

    def typed(self, j: int, cells: Sequence[Any]) -> Any:
        """Cells as an array of the column's dtype. requires: they fit."""
        dtype = self.dtypes[j]
        if not isinstance(dtype, np.dtype):
            return load_extra("pandas", "a DataFrame").array(list(cells), dtype=dtype)
        array = np.empty(len(cells), dtype=dtype)
        for i, cell in enumerate(cells):
            array[i] = cell
        return array

    def table(self, columns: Sequence[Any]) -> Any:
        """A new table of these typed columns."""
        if self.keys is None:
            array = np.empty((len(columns[0]), len(columns)), dtype=self.dtypes[0])
            for j, column in enumerate(columns):
                array[:, j] = column
            return array
        pandas = load_extra("pandas", "a DataFrame")
        typed = {
            key: pandas.Series(column, dtype=dtype)
            for key, column, dtype in zip(self.keys, columns, self.dtypes, strict=True)
        }
        return pandas.DataFrame(typed, columns=list(self.keys))

    def fits(self, j: int, cell: Any) -> bool:
        """Can the column hold this cell as it is?"""
        return bool(self.held(j, [cell]))

    def held(self, j: int, cells: Iterable[Any]) -> list[Any]:
        """Cells as the column holds them, True for 1 in a column of truth values; without those that it cannot hold."""
        return [held for cell in cells for held in self._held(j, cell)]

    def _held(self, j: int, cell: Any) -> list[Any]:
        if isinstance(cell, (int, np.integer)) and abs(int(cell)) >= LARGEST:
            return []
        missing = cell is None or is_missing(cell)
        if isinstance(cell, (float, np.floating)) and not missing and not math.isfinite(cell):
            return []
        try:
            (held,) = self.typed(j, [cell])
            plain = held.item() if isinstance(held, np.generic) else held  # numpy would compare floats of 32 bits
            same = (held is None or is_missing(held)) if missing else bool(plain == cell)
        except (TypeError, ValueError, OverflowError):
            return []
        return [cell if missing else plain] if same else []


class FormedColumns(RawColumns):
    """Reads rows of a form: what a column cannot hold is refused by the name of its dtype."""

    def __init__(self, form: TableForm, readers: Sequence[Reader]) -> None:
        super().__init__(
            form.names, readers, named=form.named, doubles=form.doubles, types=form.types, derived=form.derived
        )
        self._form = form

    def with_readers(self, readers: Sequence[Reader]) -> FormedColumns:
        """The same columns with other values."""
        other = copy(self)
        other.readers = tuple(readers)
        for name in ("scales", "_barren"):
            other.__dict__.pop(name, None)
        return other

    def of_table(self, instance: Any, table: Table, *, mark: bool = False) -> ReadRow:
        row = super().of_table(instance, table, mark=mark)
        return row._replace(others=self.others(table, row.codes)) if (row.codes < 0).any() else row

    def others(self, table: Table, codes: Codes | None = None) -> list[list[Any]]:
        """By column, the entries of these rows that are not among the values, though the column can hold them."""
        table = table.in_types(self.layout)
        codes = self.encode_table(table, mark=True) if codes is None else codes
        found: list[list[Any]] = [[] for _ in self.readers]
        for j in np.flatnonzero((codes < 0).any(axis=0)).tolist():
            cells = (cell for cell in table.column(j)[codes[:, j] < 0].tolist() if isinstance(cell, Hashable))
            found[j] = self._form.held(j, dict.fromkeys(cells))
        return found

    def _unreadable(self, table: Table, row: int, feature: int) -> InstanceError:
        error = super()._unreadable(table, row, feature)
        problem = f"{error.value!r} does not fit the column, which holds {self._form.dtypes[feature]} in data"
        if self._form.fits(feature, error.value):
            problem = f"{error.value!r} is not among the values that are tried, and this call takes no others"
        return InstanceError(problem, row=row, columns=error.columns, feature=feature, value=error.value)
