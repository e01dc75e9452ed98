"""Rows as they were given, so that they can be given back with some cells changed.

`GivenRow` is one row in the user's own form, `GivenRows` a table of them: lists, arrays, mappings, Series, DataFrames,
Arrow data. What is given back has the same form, columns and order, and equal cells where nothing changed. Cells
are known by their places in a `ColumnLayout`; columns that the classifier does not read stay as they are.

Cells have the types of the layout, for every form of a row. Tables are given back in these
types, too, so that the estimator takes them; columns whose type is not known have the type in which they were given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.common.text import plain_row
from symcf.data.encoder import is_missing
from symcf.data.reader import Codes, ColumnLayout, arrow_table, as_array, is_series, matched
from symcf.data.types import NUMBERS, ColumnType, type_of_cells

if TYPE_CHECKING:
    import pandas

__all__ = ["GivenRow", "GivenRows", "frame_of", "named_cells", "row_to_json"]

#: By place in the layout, the new content of a cell.
Cells = Mapping[int, Any]


class GivenRow:
    """One row, in the user's form. requires: the reader has read it, so that its columns fit the layout."""

    def __init__(self, given: Any, layout: ColumnLayout) -> None:
        self.given = given
        self.layout = layout

    @cached_property
    def _names(self) -> Mapping[int, Any]:
        """By place, the name of the column in the row."""
        return matched(_names_of(self.given), self.layout)

    def cell(self, place: int) -> Any:
        """What was given for a column that the classifier reads, in the type of that column if it is known."""
        kind = self.layout.type_of(place)
        return self.entry(place) if kind is None else kind.cell(self.entry(place))

    def entry(self, place: int) -> Any:
        """What was given for a column that the classifier reads."""
        given = self.given
        if isinstance(given, Mapping):
            return given[self._names[place]]
        if is_series(given):
            return given.iloc[list(given.index).index(self._names[place])]
        if _is_frame(given):
            return given.iloc[0, list(given.columns).index(self._names[place])]
        if _speaks_arrow(given):
            return arrow_table(given).column(self._names[place])[0].as_py()
        return given[place]

    @cached_property
    def _types(self) -> dict[Any, Any] | None:
        """By name, the types of the columns of a table; None for other rows."""
        given = self.given
        if isinstance(given, Mapping) or is_series(given) or not _speaks_arrow(given):
            return None
        if _is_frame(given):
            return dict(zip(given.columns, given.dtypes, strict=True))
        return {field.name: _numpy_type(field.type) for field in arrow_table(given).schema}

    def type_of(self, place: int) -> ColumnType | None:
        """The type of a column that the classifier reads: the one that the layout knows, else that of the given column
        or cell. None where nothing tells.
        """
        known = self.layout.type_of(place)
        if known is not None:
            return known
        types = self._types
        dtype = getattr(self.given, "dtype", None) if types is None else types[self._names[place]]
        return ColumnType.of(dtype) or _type_of_entries([self.entry(place)])

    def _derived(self, cells: Cells) -> dict[str, Any]:
        """By name, what the derived columns become with new cells."""
        places = {name: place for place, name in enumerate(self.layout.names)}
        found = {}
        for one in self.layout.derived:
            if any(places[source] in cells for source in one.sources):
                new = {name: cells.get(places[name], self.entry(places[name])) for name in one.sources}
                kinds = {name: None if one.linear else self.layout.type_of(places[name]) for name in new}
                held = {name: _as_held([cell], kinds[name]) for name, cell in new.items()}
                (found[one.name],) = one.of(held).tolist()
        return found

    def with_cells(self, cells: Cells) -> Any:
        """The row with these cells in place of its own, and what is derived from them; the given row is not touched."""
        given, derived = self.given, self._derived(cells)
        if isinstance(given, Mapping) or is_series(given) or _speaks_arrow(given):
            there = _names_of(given)
            new = {self._names[place]: cell for place, cell in cells.items()}
            return self._with_named(new | {name: cell for name, cell in derived.items() if name in there})
        cells = dict(cells) | {self.layout.names.index(n): v for n, v in derived.items() if n in self.layout.names}
        if isinstance(given, np.ndarray):
            return _array_with(as_array(given), list(cells), list(cells.values()))
        items = list(given)
        for place, cell in cells.items():
            items[place] = cell
        return tuple(items) if isinstance(given, tuple) else items

    def _with_named(self, cells: Mapping[Any, Any]) -> Any:
        """The same for rows with names."""
        given = self.given
        if isinstance(given, Mapping):
            return {**given, **cells}
        if is_series(given):
            names = list(given.index)
            return _with_entries(given, [names.index(name) for name in cells], list(cells.values()))
        if not _is_frame(given):
            return _arrow_with(given, dict(cells))
        frame, names = given.copy(), list(given.columns)
        for name, cell in cells.items():
            column = names.index(name)
            frame.isetitem(column, _with_entries(given.iloc[:, column], [0], [cell]))
        return in_types(frame, self.layout)


class _RowOfFrame(GivenRow):
    """A row of a DataFrame. The row is extracted only when all of it is needed, since that is slow."""

    def __init__(self, rows: GivenRows, i: int) -> None:
        self._rows, self._i = rows, i
        self.layout = rows.layout

    @cached_property
    def given(self) -> Any:
        """The row as a table of one row."""
        return self._rows.given.iloc[self._i : self._i + 1]

    def entry(self, place: int) -> Any:
        """What was given for a column that the classifier reads."""
        return self._rows.column(place)[self._i]

    def type_of(self, place: int) -> ColumnType | None:
        """The type of a column that the classifier reads."""
        return self._rows.type_of(place)


@dataclass(frozen=True)
class ReadRows:
    """Rows that were read before: as they were given, and as value codes, -1 where they could not be read."""

    given: GivenRows
    codes: Codes


class GivenRows:
    """Many rows, in the user's form."""

    def __init__(self, given: Any, layout: ColumnLayout, chosen: npt.NDArray[np.int64] | None = None) -> None:
        self.given = given
        self.layout = layout
        #: The rows that are meant; None: all.
        self._chosen = chosen
        self._by_place: dict[int, npt.NDArray[Any]] = {}
        self._types: dict[int, ColumnType | None] = {}

    @classmethod
    def of(cls, rows: Any, layout: ColumnLayout) -> GivenRows:
        """Rows that are read more than once; so a stream of Arrow data becomes a table."""
        stream = _speaks_arrow(rows) and not hasattr(rows, "columns") and not isinstance(rows, Mapping)
        return cls(arrow_table(rows) if stream else rows, layout)

    def __len__(self) -> int:
        return len(self._frame) if self._chosen is None else len(self._chosen)

    def chosen(self, rows: npt.NDArray[np.int64]) -> GivenRows:
        """Some of the rows."""
        return GivenRows(self.given, self.layout, rows if self._chosen is None else self._chosen[rows])

    def picked(self, lines: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of an array with a line for each given row, the lines of the rows that are meant."""
        return lines if self._chosen is None else lines[self._chosen]

    def row(self, i: int) -> GivenRow:
        """One of them: a row of an array or list, a mapping, a table of one row."""
        if self._chosen is not None:
            i = int(self._chosen[i])
        if _is_frame(self.given):
            return _RowOfFrame(self, i)
        return GivenRow(self._raw_row(i), self.layout)

    def type_of(self, place: int) -> ColumnType | None:
        """The type of a column: the one that the layout knows, else that of the table, or of the cells of all rows."""
        if place not in self._types:
            self._types[place] = self.layout.type_of(place) or self._given_type(place)
        return self._types[place]

    @property
    def is_typed(self) -> bool:
        """Has each row the types of the table? Rows of lists and mappings may each have others."""
        known = all(self.layout.type_of(place) is not None for place in range(len(self.layout.names)))
        return known or _is_frame(self.given) or isinstance(self.given, np.ndarray)

    @cached_property
    def _as_row(self) -> GivenRow:
        """The table where a row may stand: it finds columns and their types."""
        return GivenRow(self.given, self.layout)

    def _given_type(self, place: int) -> ColumnType | None:
        given = self.given
        if isinstance(given, Mapping):
            column = self._as_row.entry(place)
            return ColumnType.of(getattr(column, "dtype", None)) or type_of_cells(column)
        if self._as_row._types is not None or hasattr(given, "dtype"):
            return self._as_row.type_of(place)
        rows = [GivenRow(row, self.layout) for row in given]
        return _type_of_entries([row.entry(place) for row in rows]) if rows else None

    def column(self, place: int) -> npt.NDArray[Any]:
        """The cells of a column of a DataFrame."""
        if place not in self._by_place:
            name = matched(list(self.given.columns), self.layout)[place]
            self._by_place[place] = self.given[name].to_numpy()
        return self._by_place[place]

    def _raw_row(self, i: int) -> Any:
        given = self.given
        if isinstance(given, Mapping):
            return {name: column[i] for name, column in self._columns.items()}
        if _is_frame(given):
            return given.iloc[i : i + 1]
        if _speaks_arrow(given):
            return _in_the_form_of(given, self._arrow.slice(i, 1))
        if hasattr(given, "toarray"):
            return given[[i]].toarray()[0]
        return given[i]

    @cached_property
    def _arrow(self) -> Any:
        return arrow_table(self.given)

    @cached_property
    def _columns(self) -> dict[Any, Any]:
        """The columns of a mapping, by place and not by index labels."""
        return {name: np.asarray(c) if hasattr(c, "__array__") else c for name, c in self.given.items()}

    def frame(self, rows: Sequence[int] | npt.NDArray[np.int64]) -> pandas.DataFrame:
        """These rows, which may repeat, as a DataFrame of the given columns, types and order, indexed as given."""
        import pandas

        index = np.asarray(rows, dtype=np.int64)
        index = index if self._chosen is None else self._chosen[index]
        return self._frame.iloc[index].copy() if len(self._frame.columns) else pandas.DataFrame(index=index)

    @cached_property
    def _frame(self) -> pandas.DataFrame:
        import pandas

        given = self.given
        if _is_frame(given):
            return given
        if isinstance(given, Mapping):
            return pandas.DataFrame(self._columns)
        if _speaks_arrow(given):
            return self._arrow.to_pandas()
        if isinstance(given, Sequence) and len(given) and all(isinstance(row, Mapping) for row in given):
            return pandas.DataFrame(list(given))
        array = as_array(given.toarray() if hasattr(given, "toarray") else given)
        if array.ndim == 1:
            array = array.reshape(0, len(self.layout.names))
        if array.dtype.kind == "O":  # each column by its own type
            return pandas.DataFrame({name: array[:, j].tolist() for j, name in enumerate(self.layout.names)})
        return pandas.DataFrame(array, columns=list(self.layout.names))

    def arrow(self, rows: Sequence[int] | npt.NDArray[np.int64], cells: Mapping[int, Cells]) -> Any:
        """These rows, which may repeat, as an Arrow table of the given columns and types, with new cells: by place of
        the column, by place of the row. Needs pyarrow.
        """
        import pyarrow as pa

        if _speaks_arrow(self.given) and not _is_frame(self.given) and not isinstance(self.given, Mapping):
            index = np.asarray(rows, dtype=np.int64)
            table = self._arrow.take(pa.array(index if self._chosen is None else self._chosen[index]))
        else:
            table = pa.Table.from_pandas(self.frame(rows), preserve_index=False)
        names = matched(table.column_names, self.layout)
        for place, entries in cells.items():
            i = table.column_names.index(names[place])
            column = table.column(i).to_pylist()
            for row, cell in entries.items():
                column[row] = cell.item() if isinstance(cell, np.generic) else cell
            table = table.set_column(i, names[place], _arrow_array(column, table.schema.field(i).type))
        changed = sorted({row for entries in cells.values() for row in entries})
        sources = table
        for name, new in self._derived(lambda place: sources.column(names[place]).to_pylist(), changed):
            if name in table.column_names:
                i = table.column_names.index(name)
                column = table.column(i).to_pylist()
                for row, cell in zip(changed, new, strict=True):
                    column[row] = cell
                table = table.set_column(i, name, _arrow_array(column, table.schema.field(i).type))
        return table

    def _derived(self, column: Callable[[int], Any], rows: Sequence[int]) -> Iterator[tuple[str, list[Any]]]:
        """The derived columns of some rows of a table, given its columns by place."""
        for one in self.layout.derived if rows else ():
            places = {name: self.layout.names.index(name) for name in one.sources}
            sources = {name: np.asarray(column(place))[list(rows)] for name, place in places.items()}
            kinds = {name: None if one.linear else self.layout.type_of(place) for name, place in places.items()}
            held = {name: _as_held(entries, kinds[name]) for name, entries in sources.items()}
            yield one.name, one.of(held).tolist()

    def with_cells(self, frame: pandas.DataFrame, cells: Mapping[int, Cells]) -> pandas.DataFrame:
        """A frame made by `frame` with new cells: by place of the column, by place of the row."""
        names = matched(list(frame.columns), self.layout)
        places = {name: i for i, name in enumerate(frame.columns)}
        for place, entries in cells.items():
            column = places[names[place]]
            frame.isetitem(column, _with_entries(frame.iloc[:, column], list(entries), list(entries.values())))
        changed = sorted({row for entries in cells.values() for row in entries})
        for name, new in self._derived(lambda place: frame.iloc[:, places[names[place]]].to_numpy(), changed):
            if name in places:
                frame.isetitem(places[name], _with_entries(frame.iloc[:, places[name]], changed, new))
        return in_types(frame, self.layout)


def _as_held(cells: Any, kind: ColumnType | None) -> npt.NDArray[Any]:
    """Cells as the column holds them, so that functions of them round as they do in its table: those of bytes give
    floats of 16 bits.
    """
    array = np.asarray(cells)
    if kind is None or not kind.is_number or array.dtype.kind not in NUMBERS:
        return array
    with np.errstate(all="ignore"):
        typed = array.astype(f"{kind.kind}{kind.size}")
    return typed if np.array_equal(typed, array) else array


def named_cells(row: Any) -> dict[str, Any] | list[Any]:
    """The cells of a row in any form, by the names of their columns; as a list if they have none."""
    if isinstance(row, Mapping):
        return {str(name): row[name] for name in row}
    if is_series(row):
        return {str(name): row.iat[i] for i, name in enumerate(row.index)}
    if _is_frame(row):
        return {str(name): row.iat[0, i] for i, name in enumerate(row.columns)}
    if _speaks_arrow(row):
        table = arrow_table(row)
        return {name: table.column(i)[0].as_py() for i, name in enumerate(table.column_names)}
    return list(row)


def row_to_json(row: Any) -> Any:
    """A row in any form as JSON values: an object by the names of its columns, or a list."""
    if isinstance(row, np.ndarray) and row.ndim == 1 and row.dtype.kind in "biu":
        return row.tolist()
    return plain_row(named_cells(row))


def frame_of(rows: Sequence[Any], layout: ColumnLayout) -> pandas.DataFrame:
    """At least one row, all of one form, as a DataFrame of the types that the layout knows."""
    return in_types(_frame_of(rows, layout.names), layout)


def in_types(frame: pandas.DataFrame, layout: ColumnLayout) -> pandas.DataFrame:
    """A DataFrame whose columns have the types that the layout knows, if these can hold all their cells."""
    if not layout.types:
        return frame
    places = {name: place for place, name in enumerate(layout.names)}
    if not layout.known.intersection(name for name in frame.columns if isinstance(name, str)):
        places = {name: place for place, name in enumerate(frame.columns)}
    for column, (name, dtype) in enumerate(zip(frame.columns, frame.dtypes.tolist(), strict=True)):
        kind = layout.type_of(places[name]) if name in places else None
        if kind is not None and kind.dtype != dtype:
            entries = [kind.cell(cell) for cell in frame.iloc[:, column].tolist()]
            frame.isetitem(column, _typed(entries, kind, frame.iloc[:, column]))
    return frame


def _typed(entries: Sequence[Any], kind: ColumnType, column: Any) -> Any:
    """A Series of a type; the column as it is if that cannot hold all entries."""
    held = (
        all(cell in kind.dtype.categories or cell is None or is_missing(cell) for cell in entries)
        if hasattr(kind.dtype, "categories")
        else not isinstance(kind.dtype, np.dtype) or all(_fits(kind.dtype, cell) for cell in entries)
    )
    try:
        return type(column)(entries, index=column.index, name=column.name, dtype=kind.dtype) if held else column
    except (TypeError, ValueError):  # an extension type that cannot hold them
        return column


def _frame_of(rows: Sequence[Any], names: Sequence[str]) -> pandas.DataFrame:
    import pandas

    first = rows[0]
    if isinstance(first, Mapping):
        return pandas.DataFrame([dict(row) for row in rows])
    if is_series(first):
        frame = pandas.DataFrame([row.tolist() for row in rows], columns=first.index)
        one_type = first.dtype != object and all(row.dtype == first.dtype for row in rows)
        return frame.astype(first.dtype) if one_type else frame
    if _is_frame(first):
        return pandas.concat(rows, ignore_index=True)
    if _speaks_arrow(first):
        import pyarrow as pa

        return pa.concat_tables([arrow_table(row) for row in rows], promote_options="permissive").to_pandas()
    if isinstance(first, np.ndarray) and first.dtype.kind in "biuf":
        return pandas.DataFrame(np.stack(rows), columns=list(names))
    return pandas.DataFrame([list(row) for row in rows], columns=list(names))


# --- one kind each ----------------------------------------------------------------------------------------------------


def _names_of(given: Any) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given)
    if is_series(given):
        return list(given.index)
    return list(given.columns) if _is_frame(given) else list(arrow_table(given).column_names)


def _is_frame(given: Any) -> bool:
    """Is it a DataFrame of pandas?"""
    return hasattr(given, "iloc") and hasattr(given, "columns")


def _speaks_arrow(given: Any) -> bool:
    arrow = hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")
    return hasattr(given, "columns") or (arrow and not hasattr(given, "__array__"))


def _type_of_entries(entries: Sequence[Any]) -> ColumnType | None:
    """The type of single entries: numpy's if they have one, else that of Python's numbers."""
    typed = all(isinstance(entry, np.generic) for entry in entries)
    return ColumnType.of(np.result_type(*entries)) if typed else type_of_cells(entries)


def _numpy_type(arrow: Any) -> np.dtype[Any] | None:
    """The type of numpy that an Arrow type of numbers is; None for others."""
    import pyarrow as pa

    is_number = pa.types.is_integer(arrow) or pa.types.is_floating(arrow) or pa.types.is_boolean(arrow)
    return np.dtype(arrow.to_pandas_dtype()) if is_number else None


def _arrow_with(given: Any, cells: Mapping[str, Any]) -> Any:
    table = arrow_table(given)
    for name, cell in cells.items():
        i = table.column_names.index(name)
        table = table.set_column(i, name, _arrow_array([cell], table.schema.field(i).type))
    return _in_the_form_of(given, table)


def _in_the_form_of(given: Any, table: Any) -> Any:
    """A table of pyarrow, as a DataFrame of polars where that was given."""
    return type(given)(table) if hasattr(given, "with_columns") else table


def _arrow_array(cells: list[Any], kind: Any) -> Any:
    """An array of a type, or of another if that cannot hold the cells: half a year in a column of integers."""
    import pyarrow as pa

    try:
        array = pa.array(cells, type=kind)
        return array if array.type == kind else array.cast(kind)  # old versions of pyarrow forget that it is ordered
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array(cells)


def _array_with(array: npt.NDArray[Any], places: Sequence[int], cells: Sequence[Any]) -> npt.NDArray[Any]:
    copy = array.astype(_holding(array.dtype, cells))
    for place, cell in zip(places, cells, strict=True):
        copy[place] = cell
    return copy


def _with_entries(column: Any, places: Sequence[int], cells: Sequence[Any]) -> Any:
    """A pandas Series with new entries, of the same type if that can hold them."""
    if isinstance(column.dtype, np.dtype):
        entries = np.array(column.to_numpy(), dtype=_holding(column.dtype, cells))
        for place, cell in zip(places, cells, strict=True):
            entries[place] = cell
        return type(column)(entries, index=column.index, name=column.name, dtype=entries.dtype)
    categories = getattr(column.dtype, "categories", None)
    if categories is not None and not all(cell in categories or cell is None or is_missing(cell) for cell in cells):
        copy = column.astype(object)
    else:
        copy = column.copy()
    try:
        for place, cell in zip(places, cells, strict=True):
            copy.iloc[place] = cell
    except (TypeError, ValueError):  # an extension type that cannot hold it
        copy = column.astype(object)
        for place, cell in zip(places, cells, strict=True):
            copy.iloc[place] = cell
    return copy


def _holding(kind: np.dtype[Any], cells: Sequence[Any]) -> np.dtype[Any]:
    """The type of a column, or a wider one where it cannot hold the new cells."""
    if kind.kind == "O" or all(_fits(kind, cell) for cell in cells):
        return kind
    numbers = kind.kind in "biuf" and all(isinstance(c, (int, float, np.number, np.bool_)) for c in cells)
    return np.dtype(np.float64) if numbers else np.dtype(object)


def _fits(kind: np.dtype[Any], cell: Any) -> bool:
    if kind.kind == "O":
        return True
    if kind.kind == "b":
        return isinstance(cell, (bool, np.bool_))
    if not isinstance(cell, (int, float, np.number, np.bool_)):
        return False
    if kind.kind == "f":
        return True
    if kind.kind not in "iu" or cell != cell or not float(cell).is_integer():
        return False
    limits = np.iinfo(kind)
    return bool(limits.min <= int(cell) <= limits.max)
