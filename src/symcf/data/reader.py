"""Rows as users hold them -> columns: the only module that handles arrays, lists, mappings, DataFrames and Arrow data.

    many rows   a two-dimensional array, a list of rows or of mappings, a mapping of columns, a DataFrame, Arrow data
    one row     a list, a tuple, an array, a mapping, a pandas Series, or a table of one row

Columns that have names are found by them, in any order. Those of arrays and lists are known by their order, and so are
those that are named 0, 1, 2 and so on in just this order, because that is how pandas numbers columns without names.
Other numbers are never taken for places: columns 3, 1 and 2 of a table are names, not an order.
"""

from __future__ import annotations

import contextlib
import math
import reprlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.derived import Derived
from symcf.data.types import ColumnType, Spread, rounded, type_of_cells
from symcf.errors import InstanceError

__all__ = [
    "Codes",
    "Column",
    "ColumnLayout",
    "Table",
    "arrow_table",
    "as_array",
    "as_column",
    "is_series",
    "matched",
    "read_row",
    "read_rows",
    "types_of",
]

Codes = npt.NDArray[np.integer[Any]]
Column = npt.NDArray[Any]


@dataclass(frozen=True)
class ColumnLayout:
    """The columns that a classifier reads."""

    #: In the order of arrays and lists.
    names: tuple[str, ...]
    #: The places of those that are needed; the others may be missing from tables with names.
    needed: tuple[int, ...]
    #: Are the names the user's own? If not, tables that share none of them are read by the order of their columns.
    named: bool = True
    #: May tables with names have other columns, too?
    extra: bool = False
    #: By place, the types of the columns, where they are known; empty if none is. Rows of all forms are read in them.
    types: tuple[ColumnType | None, ...] = ()
    #: Columns that are computed from others; they are not read.
    derived: tuple[Derived, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str]) -> ColumnLayout:
        """Just these columns."""
        return cls(tuple(names), tuple(range(len(names))))

    @cached_property
    def known(self) -> frozenset[str]:
        """All names."""
        return frozenset(self.names)

    @cached_property
    def by_name(self) -> dict[int, str]:
        """By place, the names of the needed columns."""
        return {place: self.names[place] for place in self.needed}

    def type_of(self, place: int) -> ColumnType | None:
        """The type of a column; None if it is not known."""
        return self.types[place] if self.types else None

    @cached_property
    def short(self) -> dict[int, np.dtype[Any]]:
        """By place, the types of the needed columns whose floats have fewer than 64 bits."""
        found = {place: self.type_of(place) for place in self.needed}
        return {place: one.short for place, one in found.items() if one is not None and one.short is not None}


class Table:
    """Rows as columns, by the places of the layout."""

    def __init__(
        self, n_rows: int, columns: Mapping[int, Column] | None = None, matrix: npt.NDArray[Any] | None = None
    ) -> None:
        self.n_rows = n_rows
        self._columns = columns
        #: All columns as one matrix, if they were given as one.
        self.matrix = matrix

    def column(self, place: int) -> Column:
        """The entries of a column."""
        if self._columns is not None:
            return self._columns[place]
        assert self.matrix is not None
        return self.matrix[:, place]

    def block(self, places: Sequence[int]) -> npt.NDArray[Any]:
        """Several columns as one array: of numbers if all of them are."""
        if self.matrix is not None:
            return self.matrix[:, list(places)]
        columns = [self.column(place) for place in places]
        numbers = all(column.dtype.kind in "biuf" for column in columns)
        block = np.empty((len(columns), self.n_rows), dtype=np.float64 if numbers else object)
        for j, column in enumerate(columns):
            block[j] = column
        return block.T

    def in_types(self, layout: ColumnLayout) -> Table:
        """The same rows, with the numbers of columns of fewer than 64 bits rounded as these columns hold them."""
        if not layout.short:
            return self
        columns = {place: self.column(place) for place in layout.needed}
        return Table(self.n_rows, {**columns, **{p: rounded(columns[p], kind) for p, kind in layout.short.items()}})

    def integers(self, places: Sequence[int]) -> Codes | None:
        """These columns as a C-contiguous matrix of integers, without a copy if they are one; None if some are not."""
        matrix = self.matrix
        if matrix is None:
            columns = [self.column(place) for place in places]
            kind = np.result_type(*columns) if columns else np.dtype(np.uint8)
            # A signed and an unsigned column of 64 bits have no integer type in common.
            if kind.kind not in "biu" or any(column.dtype.kind not in "biu" for column in columns):
                return None
            matrix = np.empty((self.n_rows, len(columns)), dtype=kind)
            for j, column in enumerate(columns):
                matrix[:, j] = column
        if matrix.dtype.kind not in "biu":
            return None
        if matrix.dtype.kind == "b":
            matrix = matrix.view(np.uint8)  # a code is a number: True as an index would be a mask
        elif not matrix.dtype.isnative:
            matrix = matrix.astype(matrix.dtype.newbyteorder("="))
        return np.ascontiguousarray(matrix)


# --- many rows --------------------------------------------------------------------------------------------------------


def read_rows(rows: Any, layout: ColumnLayout) -> Table:
    """Many rows, in any form."""
    if isinstance(rows, np.ndarray):
        return _from_array(as_array(rows), layout)
    if isinstance(rows, Mapping):
        return _from_columns(list(rows), lambda name: _listed(rows[name], name), layout)
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):  # a DataFrame of pandas or polars
        names, numbers = _listed_names(rows.columns), _numbers_of(rows)
        if numbers is None:
            return _from_columns(names, lambda name: np.asarray(rows[name]), layout, len(rows))
        place = {name: i for i, name in enumerate(names)}
        found = {at: place[name] for at, name in matched(names, layout).items()}
        if len(names) == len(layout.names) and all(at == i for at, i in found.items()):
            return Table(len(rows), matrix=numbers)
        return Table(len(rows), {at: numbers[:, i] for at, i in found.items()})
    if getattr(rows, "ndim", 2) != 2:  # a Series, which is Arrow data, too
        return _from_array(as_array(rows), layout)
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        return _from_arrow(rows, layout)
    if isinstance(rows, Sequence) and len(rows) > 0 and all(isinstance(row, Mapping) for row in rows):
        return _from_mappings(rows, layout)
    return _from_array(as_array(rows.toarray() if hasattr(rows, "toarray") else rows), layout)


def _listed_names(names: Any) -> list[Any]:
    """Names of columns. An index of pandas that holds text is slow to iterate."""
    return names.tolist() if hasattr(names, "tolist") else list(names)


def _numbers_of(frame: Any) -> npt.NDArray[Any] | None:
    """A frame of pandas whose columns all hold numbers of one type, as an array: looking a column up takes a while.
    None for others.
    """
    if not hasattr(frame, "iloc") or not frame.shape[1]:
        return None
    kinds = frame.dtypes.to_numpy()
    first = kinds[0]
    alike = (
        isinstance(first, np.dtype) and first.kind in "biuf" and all(kind is first or kind == first for kind in kinds)
    )
    return np.asarray(frame.to_numpy()) if alike else None


def _from_array(array: npt.NDArray[Any], layout: ColumnLayout) -> Table:
    if array.ndim == 1 and len(array) == 0:  # an empty list, which cannot tell how wide it is
        array = array.reshape(0, len(layout.names))
    if array.ndim != 2:
        raise InstanceError(f"rows must be two-dimensional, not {array.ndim}-dimensional; wrap a single row in a list")
    _check_width(array.shape[1], layout)
    return Table(len(array), matrix=array)


def _from_columns(
    names: Sequence[Any], column: Callable[[Any], Column], layout: ColumnLayout, n_rows: int | None = None
) -> Table:
    found = {place: column(name) for place, name in matched(names, layout).items()}
    lengths = {len(values) for values in found.values()}
    if len(lengths) > 1:
        raise InstanceError(f"the columns do not all have the same length, but {_list(sorted(lengths))} values")
    if n_rows is None:
        n_rows = lengths.pop() if lengths else 0
    return Table(n_rows, found)


def arrow_table(rows: Any) -> Any:
    """Arrow data in any form as a table of pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InstanceError("Arrow data needs pyarrow: pip install 'symcf[arrow]'") from None
    stream = hasattr(rows, "__arrow_c_stream__")
    return pa.table(rows) if stream else pa.Table.from_batches([pa.record_batch(rows)])


def _from_arrow(rows: Any, layout: ColumnLayout) -> Table:
    table = arrow_table(rows)
    import pyarrow as pa

    def column(name: str) -> Column:
        values = table.column(name)
        kind = values.type
        numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
        # as Python objects where something is missing: numpy would make floats of integers
        return values.to_numpy() if numbers and not values.null_count else as_column(values.to_pylist())

    return _from_columns(table.column_names, column, layout, table.num_rows)


def _from_mappings(rows: Sequence[Mapping[Any, Any]], layout: ColumnLayout) -> Table:
    keys: list[Any] | None = None
    found: Mapping[int, Any] = {}
    cells: dict[int, list[Any]] = {place: [] for place in layout.needed}
    for i, row in enumerate(rows):
        if list(row) != keys:
            keys = list(row)
            found = matched(keys, layout, row=i)
        for place, name in found.items():
            cells[place].append(row[name])
    return Table(len(rows), {place: as_column(values) for place, values in cells.items()})


# --- one row ----------------------------------------------------------------------------------------------------------


def read_row(instance: Any, layout: ColumnLayout) -> Table:
    """One row, in any form."""
    if isinstance(instance, Mapping):
        return _from_named(list(instance), instance.__getitem__, layout)
    if is_series(instance):
        names, values = _listed_names(instance.index), instance.to_numpy()
        place = {name: i for i, name in reversed(list(enumerate(names)))}
        return _from_named(names, lambda name: values[place[name]], layout)
    if hasattr(instance, "columns") or (hasattr(instance, "__arrow_c_stream__") and not hasattr(instance, "__array__")):
        table = read_rows(instance, layout)
        if table.n_rows != 1:
            raise InstanceError(f"an instance must be one row; this has {table.n_rows} rows")
        return table
    array = as_array(instance)
    if array.ndim != 1:
        shown = "this one" if array.ndim else reprlib.repr(instance)
        raise InstanceError(f"an instance must be one-dimensional; {shown} has {array.ndim} dimensions")
    if len(array) != len(layout.names):
        raise InstanceError(f"the instance has {len(array)} values, the classifier reads {len(layout.names)}")
    return Table(1, matrix=array.reshape(1, -1))


def is_series(instance: Any) -> bool:
    """Is it a pandas Series? Lists and Arrow arrays also have an ``index``, but as a method."""
    index = getattr(instance, "index", None)
    return (
        index is not None and not callable(index) and hasattr(instance, "to_numpy") and not hasattr(instance, "columns")
    )


def _from_named(names: Sequence[Any], value: Callable[[Any], Any], layout: ColumnLayout) -> Table:
    found = matched(names, layout)
    if len(found) == len(layout.names):  # then one array will do
        return Table(1, matrix=as_column(map(value, found.values())).reshape(1, -1))
    return Table(1, {place: as_column([value(name)]) for place, name in found.items()})


# --- names ------------------------------------------------------------------------------------------------------------


def matched(given: Sequence[Any], layout: ColumnLayout, row: int | None = None) -> Mapping[int, Any]:
    """By place, the name under which a needed column was given; an error if the names do not fit."""
    if len(given) == len(layout.names) and layout.known == set(given):
        return layout.by_name
    names = layout.names
    if _are_places(given) or (not layout.named and _are_others(given, names)):
        _check_width(len(given), layout, row)
        return {place: given[place] for place in layout.needed}
    wanted = set(layout.by_name.values())
    missing = [name for name in names if name in wanted.difference(given)]
    # Even where other columns are allowed, names that are not text are reported: they may be the missing ones.
    others = [name for name in given if name not in layout.known and not (layout.extra and isinstance(name, str))]
    unknown = others if missing or not layout.extra else []
    twice = [name for name, count in Counter(given).items() if count > 1 and (name in wanted or not layout.extra)]
    problems = [f"missing {_list(missing)}"] * bool(missing) + [f"unknown {_list(unknown)}"] * bool(unknown)
    problems += [f"{_list(twice)} appears more than once"] * bool(twice)
    if problems:
        numbered = any(isinstance(name, (int, np.integer)) for name in unknown)
        hint = f"; numbers are places only if they are 0 to {len(names) - 1} in this order" * numbered
        raise InstanceError(f"the columns do not fit the classifier: {', '.join(problems)}{hint}", row=row)
    return layout.by_name


def _are_places(given: Sequence[Any]) -> bool:
    """Are the names 0, 1, 2, ..., as in a DataFrame without names?"""
    return len(given) > 0 and all(
        isinstance(name, (int, np.integer)) and not isinstance(name, bool) and name == place
        for place, name in enumerate(given)
    )


def _are_others(given: Sequence[Any], names: Sequence[str]) -> bool:
    return all(isinstance(name, str) for name in given) and set(given).isdisjoint(names)


def _check_width(width: int, layout: ColumnLayout, row: int | None = None) -> None:
    if width != len(layout.names):
        what = "the rows have" if row is None else "there are"
        raise InstanceError(f"{what} {width} columns, the classifier reads {len(layout.names)}", row=row)


def _list(names: Sequence[Any], most: int = 5) -> str:
    shown = ", ".join(map(repr, names[:most]))
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


# --- types ------------------------------------------------------------------------------------------------------------


def types_of(data: Any, layout: ColumnLayout) -> tuple[ColumnType | None, ...]:
    """By place, the types of the columns of many rows, in any form, and how much their numbers vary; None for columns
    that the rows lack.
    """
    if hasattr(data, "columns") and hasattr(data, "dtypes") and hasattr(data, "iloc"):  # a DataFrame of pandas
        found = [_type_of(data.dtypes.iloc[i], data.iloc[:, i].tolist()) for i in range(data.shape[1])]
        names = list(data.columns)
        if not layout.known.intersection(name for name in names if isinstance(name, str)):
            return tuple(found) if len(found) == len(layout.names) else ()
        by_name = dict(zip(names, found, strict=True))
        return tuple(by_name.get(name) for name in layout.names)
    if isinstance(data, Sequence) and len(data) and all(isinstance(row, (list, tuple)) for row in data):
        return tuple(_type_of(None, cells) for cells in zip(*data, strict=False))
    if hasattr(data, "toarray"):  # a sparse matrix
        return (ColumnType.of(data.dtype),) * len(layout.names)
    table = read_rows(data, layout)
    columns = [table.column(place) if place in layout.needed else None for place in range(len(layout.names))]
    return tuple(None if column is None else _type_of(column.dtype, column.tolist()) for column in columns)


def _type_of(dtype: Any, cells: Sequence[Any]) -> ColumnType | None:
    """The type of a column; that of its cells where it may hold any object."""
    found = ColumnType.of(dtype) or type_of_cells(cells, dtype)
    if found is None or not found.is_number:
        return found
    numbers = [math.nan if cell is None or type(cell).__name__ == "NAType" else float(cell) for cell in cells]
    return replace(found, spread=Spread.of(np.array(numbers)))


# --- arrays -----------------------------------------------------------------------------------------------------------


def as_column(values: Iterable[Any]) -> Column:
    """Numbers as an array of numbers, anything else as an array of the same objects, even if they are lists."""
    items = list(values)
    if not items or not isinstance(items[0], str):  # text need not be tried
        with contextlib.suppress(ValueError):  # lists of different lengths
            array = np.asarray(items)
            if array.dtype.kind in "biuf" and array.ndim == 1:
                return array
    column = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        column[i] = item
    return column


def _listed(values: Any, name: Any) -> Column:
    """A column of a mapping."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise InstanceError(f"column {name!r} must be a list of values, not {values!r}")
    array = values if isinstance(values, np.ndarray) else np.asarray(values) if hasattr(values, "__array__") else None
    if array is None:
        return as_column(values)
    if array.ndim != 1:
        raise InstanceError(f"column {name!r} must be one-dimensional, not {array.ndim}-dimensional")
    return array


def as_array(given: Any) -> npt.NDArray[Any]:
    """An array; of Python objects unless it holds numbers, because numpy would turn everything into strings."""
    if "numpy.ma" in sys.modules and isinstance(given, np.ma.MaskedArray):  # who has one has loaded it, and it is slow
        objects = np.array(given.data, dtype=object)
        objects[np.ma.getmaskarray(given)] = None
        return objects
    if isinstance(given, np.ndarray):
        return np.asarray(given)  # a numpy matrix as a plain array, which is indexed differently
    try:
        array = np.asarray(given)
        return array if array.dtype.kind in "biuf" else np.array(given, dtype=object)
    except ValueError:
        raise InstanceError("the rows do not all have the same number of values") from None
