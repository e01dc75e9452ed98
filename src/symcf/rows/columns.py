"""Raw columns -> value codes: rows as users hold them, read column by column.

A `Columns` encoder knows the raw columns by name and place, and has one reader a feature:

    Names     one of several categories             "red", "green"
    Ranges    a number between cut points           25 <= age < 35
    OneHot    several columns, at most one of them 1

Columns that no reader asks for are ignored, and so is the order of columns that have names. What cannot be read is
reported with its row, column and value.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.errors import InstanceError, ModelError
from symcf.models.base import Codes, register_encoder

__all__ = ["Columns", "Names", "OneHot", "Ranges", "is_missing"]

#: The code of what cannot be read.
UNREADABLE = -1

Column = npt.NDArray[Any]


def is_missing(value: Any) -> bool:
    """NaN, pandas' NA and NaT; None is a value of its own."""
    # NA and NaT are known by the names of their types, so that pandas need not be there
    return (isinstance(value, numbers.Real) and value != value) or type(value).__name__ in ("NAType", "NaTType")


# --- readers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Names:
    """A column of categories. Numbers are equal whatever their type: 1, 1.0 and True."""

    kind: ClassVar[str] = "names"

    column: int
    #: What may stand in the column, and the code of each.
    keys: tuple[Any, ...]
    codes: tuple[int, ...]
    #: The codes of NaN and None, and of everything else.
    nan: int = UNREADABLE
    none: int = UNREADABLE
    other: int = UNREADABLE
    _table: dict[Any, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table = dict(zip(self.keys, self.codes, strict=True))
        table.setdefault(None, self.none)
        object.__setattr__(self, "_table", table)

    @property
    def sources(self) -> tuple[int, ...]:
        """The raw columns that are read."""
        return (self.column,)

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of a column's entries."""
        (column,) = columns
        if column.dtype.kind in "biuf" and all(isinstance(key, (bool, int, float)) for key in self.keys):
            return self._read_numbers(column.astype(np.float64))
        return np.fromiter(map(self._code, column.tolist()), dtype=np.int64, count=len(column))

    def _read_numbers(self, column: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        codes = np.where(np.isnan(column), self.nan, self.other)
        for key, code in zip(self.keys, self.codes, strict=True):
            codes[column == key] = code
        return codes

    def _code(self, value: Any) -> int:
        try:
            code = self._table.get(value)
        except TypeError:  # not hashable
            return self.other
        if code is None:
            return self.nan if is_missing(value) else self.other
        return code

    def expected(self) -> str:
        """What may stand in the column, in words."""
        shown = ", ".join(repr(key) for key, code in zip(self.keys[:8], self.codes, strict=False) if code >= 0)
        return f"one of {shown}" + (f" and {len(self.keys) - 8} more" if len(self.keys) > 8 else "")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        for key in self.keys:
            if not isinstance(key, (str, bool, int, float)):
                raise ModelError(f"JSON has no way to write the category {key!r}: use strings or numbers")
        codes = {"nan": self.nan, "none": self.none, "other": self.other}
        return {"column": self.column, "keys": list(self.keys), "codes": list(self.codes), **codes}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Names:
        """The inverse of `to_dict`."""
        rest = {name: int(data[name]) for name in ("nan", "none", "other")}
        return cls(int(data["column"]), tuple(data["keys"]), tuple(map(int, data["codes"])), **rest)


@dataclass(frozen=True)
class Ranges:
    """A column of numbers: the code is the number of cut points that are not above the number."""

    kind: ClassVar[str] = "ranges"

    column: int
    #: Ascending; a cut point belongs to the range on its right.
    cuts: tuple[float, ...]
    #: The codes of the ranges; those without one are refused.
    codes: tuple[int, ...]
    #: The code of NaN and None.
    nan: int = UNREADABLE
    #: Numbers that stand for something else, such as -1 for a missing one, and their codes.
    markers: tuple[tuple[float, int], ...] = ()

    @property
    def sources(self) -> tuple[int, ...]:
        """The raw columns that are read."""
        return (self.column,)

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of a column's entries."""
        (column,) = columns
        floats, readable = _floats(column)
        places = np.searchsorted(np.array(self.cuts, dtype=np.float64), floats, side="right")
        codes = np.array(self.codes, dtype=np.int64)[places]
        codes[np.isinf(floats)] = UNREADABLE
        codes[np.isnan(floats)] = self.nan
        for number, code in self.markers:
            codes[floats == number] = code
        codes[~readable] = UNREADABLE
        return codes

    def expected(self) -> str:
        """What may stand in the column, in words."""
        return "a finite number" if min(self.codes) >= 0 else "a number that the classifier takes"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        markers = [list(pair) for pair in self.markers]
        codes = {"codes": list(self.codes), "nan": self.nan, "markers": markers}
        return {"column": self.column, "cuts": list(self.cuts), **codes}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ranges:
        """The inverse of `to_dict`."""
        markers = tuple((float(number), int(code)) for number, code in data["markers"])
        cuts = tuple(map(float, data["cuts"]))
        return cls(int(data["column"]), cuts, tuple(map(int, data["codes"])), int(data["nan"]), markers)


@dataclass(frozen=True)
class OneHot:
    """Several columns of which one is 1 and the others 0, or all are 0 where that means something."""

    kind: ClassVar[str] = "one_hot"

    columns: tuple[int, ...]
    #: The code when this column is 1.
    codes: tuple[int, ...]
    #: The code when all are 0.
    none: int = UNREADABLE

    @property
    def sources(self) -> tuple[int, ...]:
        """The raw columns that are read."""
        return self.columns

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of the rows."""
        floats = np.stack([_floats(column)[0] for column in columns], axis=1)
        ones = floats == 1
        n_ones = ones.sum(axis=1)
        codes = np.where(n_ones == 0, self.none, np.array(self.codes, dtype=np.int64)[ones.argmax(axis=1)])
        return np.where((ones | (floats == 0)).all(axis=1) & (n_ones <= 1), codes, UNREADABLE)

    def expected(self) -> str:
        """What may stand in the columns, in words."""
        return "one 1 among 0s" if self.none < 0 else "one 1 among 0s, or only 0s"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"columns": list(self.columns), "codes": list(self.codes), "none": self.none}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OneHot:
        """The inverse of `to_dict`."""
        return cls(tuple(map(int, data["columns"])), tuple(map(int, data["codes"])), int(data["none"]))


Reader = Names | Ranges | OneHot

_READERS: dict[str, Callable[[Mapping[str, Any]], Reader]] = {
    reader.kind: reader.from_dict for reader in (Names, Ranges, OneHot)
}


def _floats(column: Column) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The numbers of a column, and which entries are numbers or missing ones."""
    if column.dtype.kind in "biuf":
        return column.astype(np.float64), np.ones(len(column), dtype=np.bool_)
    floats, readable = np.full(len(column), np.nan), np.ones(len(column), dtype=np.bool_)
    for i, value in enumerate(column.tolist()):
        if isinstance(value, (numbers.Real, Decimal, np.bool_)):  # numpy's flags are no numbers to Python
            floats[i] = _float(value)
        else:
            readable[i] = value is None or is_missing(value)
    return floats, readable


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:  # an integer of hundreds of digits
        return float("inf")


# --- the encoder ------------------------------------------------------------------------------------------------------


class Columns:
    """Reads raw rows: DataFrames, arrays, lists of rows or of mappings, Arrow tables.

    Parameters
    ----------
    columns:
        The names of all raw columns, in the order of arrays and lists.
    readers:
        One a feature.
    named:
        Whether the names are the user's own; if not, DataFrames are read by the order of their columns.
    """

    kind: ClassVar[str] = "columns"

    def __init__(self, columns: Sequence[str], readers: Sequence[Reader], *, named: bool = True) -> None:
        self.columns = tuple(columns)
        self.readers = tuple(readers)
        self.named = named
        for name in self.columns:
            if not isinstance(name, str):
                raise ModelError(f"the name of a raw column must be a string, not {name!r}")
        for reader in self.readers:
            if not all(0 <= source < len(self.columns) for source in reader.sources):
                raise ModelError(f"a reader asks for column {max(reader.sources)} of {len(self.columns)}")
            _check_codes(reader)

    def encode(self, rows: Any, *, mark: bool = False) -> Codes:
        """The value codes of rows; with ``mark``, what cannot be read becomes -1."""
        needed = sorted({source for reader in self.readers for source in reader.sources})
        count, table = _columns_of(rows, self.columns, needed, self.named)
        codes = np.empty((count, len(self.readers)), dtype=np.int64)
        for j, reader in enumerate(self.readers):
            codes[:, j] = reader.read([table[source] for source in reader.sources])
        if not mark and (codes < 0).any():
            row, feature = map(int, np.argwhere(codes < 0)[0])
            raise self._unreadable(row, feature, [table[s][row] for s in self.readers[feature].sources])
        return codes

    def encode_one(self, instance: Any) -> Codes:
        """One instance: a mapping, a Series, a list, or a DataFrame of one row."""
        if isinstance(instance, Mapping):
            return self.encode([instance])
        if hasattr(instance, "columns"):
            if len(instance) != 1:
                raise InstanceError(f"an instance is one row, this has {len(instance)}")
            return self.encode(instance)
        if hasattr(instance, "index") and hasattr(instance, "to_numpy"):  # a pandas Series
            index = list(instance.index)
            if all(isinstance(name, str) for name in index):
                return self.encode([dict(zip(index, instance.to_numpy(), strict=True))])
        array = _as_objects(instance)
        if array.ndim != 1:
            raise InstanceError(f"an instance is one-dimensional, this one has {array.ndim} dimensions")
        return self.encode(array.reshape(1, -1))

    def _unreadable(self, row: int, feature: int, values: list[Any]) -> InstanceError:
        reader = self.readers[feature]
        names = [self.columns[source] for source in reader.sources]
        shown = ", ".join(repr(_plain(value)) for value in values)
        what = f"column {names[0]!r}: {shown} is" if len(names) == 1 else f"columns {_list(names)}: {shown} are"
        if len(values) == 1 and (values[0] is None or is_missing(values[0])):
            what = f"column {names[0]!r}: the value is missing, it must be"
            error = InstanceError(f"row {row}, {what} {reader.expected()}")
        else:
            error = InstanceError(f"row {row}, {what} not {reader.expected()}")
        error.row, error.feature = row, feature
        return error

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        readers = [{"reader": reader.kind, **reader.to_dict()} for reader in self.readers]
        return {"encoder": self.kind, "columns": list(self.columns), "named": self.named, "readers": readers}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Columns:
        """The inverse of `to_dict`."""
        readers = [_READERS[part["reader"]](part) for part in data["readers"]]
        return cls(data["columns"], readers, named=bool(data["named"]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        return (self.columns, self.readers, self.named) == (other.columns, other.readers, other.named)

    def __hash__(self) -> int:
        return hash((self.columns, self.named))

    def __repr__(self) -> str:
        return f"Columns({len(self.columns)} raw columns, {len(self.readers)} features)"


register_encoder(Columns.kind, Columns.from_dict)


def _check_codes(reader: Reader) -> None:
    """As many codes as there are things to read, and none that no array holds: files may say anything."""
    if isinstance(reader, Ranges):
        wanted, others = len(reader.cuts) + 1, [reader.nan, *(code for _, code in reader.markers)]
    elif isinstance(reader, OneHot):
        wanted, others = len(reader.columns), [reader.none]
    else:
        wanted, others = len(reader.keys), [reader.nan, reader.none, reader.other]
    if len(reader.codes) != wanted or not wanted:
        raise ModelError(f"a reader of kind {reader.kind!r} has {len(reader.codes)} codes for {wanted} values")
    for code in (*reader.codes, *others):
        if not UNREADABLE <= code < 2**31:
            raise ModelError(f"a reader of kind {reader.kind!r} has the code {code}")


# --- rows of any kind -> columns --------------------------------------------------------------------------------------


def _columns_of(
    rows: Any, names: Sequence[str], needed: Sequence[int], named: bool
) -> tuple[int, dict[int, npt.NDArray[Any]]]:
    """The number of rows, and the needed columns by their places."""
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        given = list(rows.columns)
        if not named and set(given).isdisjoint(names):
            _check_width(len(given), len(names))
            names = given
        _check_names(given, [names[j] for j in needed])
        return len(rows), {j: np.asarray(rows[names[j]]) for j in needed}
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        return _from_arrow(rows, names, needed)
    if isinstance(rows, Sequence) and len(rows) > 0 and all(isinstance(row, Mapping) for row in rows):
        for i, row in enumerate(rows):
            missing = [names[j] for j in needed if names[j] not in row]
            if missing:
                raise InstanceError(f"row {i}: missing {_list(missing)}")
        return len(rows), {j: _as_column([row[names[j]] for row in rows]) for j in needed}
    array = _as_objects(rows.toarray() if hasattr(rows, "toarray") else rows)
    if array.ndim != 2 and not (array.ndim == 1 and len(array) == 0):
        raise InstanceError(f"rows must be two-dimensional, not {array.ndim}-dimensional; one instance is one row")
    if array.ndim == 1:
        return 0, dict.fromkeys(needed, array)
    _check_width(array.shape[1], len(names))
    return len(array), {j: array[:, j] for j in needed}


def _from_arrow(rows: Any, names: Sequence[str], needed: Sequence[int]) -> tuple[int, dict[int, npt.NDArray[Any]]]:
    try:
        import pyarrow as pa
    except ImportError:
        raise InstanceError("Arrow data needs pyarrow: pip install 'symcf[arrow]'") from None
    batch = not hasattr(rows, "__arrow_c_stream__")
    table = pa.Table.from_batches([pa.record_batch(rows)]) if batch else pa.table(rows)
    _check_names(table.column_names, [names[j] for j in needed])
    return table.num_rows, {j: _as_column(table.column(names[j]).to_pylist()) for j in needed}


def _as_column(values: list[Any]) -> npt.NDArray[Any]:
    """An array of Python objects, whatever they are."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _as_objects(given: Any) -> npt.NDArray[Any]:
    """An array; of Python objects unless it is one already, for numpy would make strings of everything."""
    if isinstance(given, np.ndarray):
        return given
    try:
        array = np.asarray(given)
        return array if array.dtype.kind in "biuf" else np.array(given, dtype=object)
    except ValueError:
        raise InstanceError("the rows do not all have the same number of values") from None


def _check_width(given: int, expected: int) -> None:
    if given != expected:
        raise InstanceError(f"the rows have {given} columns, the classifier was fitted on {expected}")


def _check_names(given: Sequence[Any], needed: Sequence[Any]) -> None:
    missing = [name for name in needed if name not in given]
    if missing:
        raise InstanceError(f"the columns do not fit the classifier: missing {_list(missing)}")
    twice = [name for name in needed if given.count(name) > 1]
    if twice:
        raise InstanceError(f"the columns do not fit the classifier: {_list(twice)} appears more than once")


def _list(names: Sequence[Any], most: int = 5) -> str:
    shown = ", ".join(map(repr, names[:most]))
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
