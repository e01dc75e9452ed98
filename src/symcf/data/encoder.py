"""Encoders: columns -> value codes.

An encoder says which columns it reads (`layout`) and has one reader per feature, which makes codes of one column or of
several. Rows become columns in `symcf.data.reader`; values that cannot be read are reported here, with row, column and
value.

    ValueCodes  the columns hold codes           symcf.data.encoder
    Intervals   numbers between thresholds       symcf.data.intervals
    RawColumns  raw columns of pipelines         symcf.data.columns

Value codes: columns that already hold the codes of their features' values, or their labels.

A number is a code, whatever the labels are; a label that is not a number stands for its value.

A C-contiguous array of integers is used as it is. Its codes are checked where they are read: for many rows by the core,
which reports the place (`ValueCodes.naming` adds the names), and by `check` where the core does not read them.
"""

from __future__ import annotations

import contextlib
import math
import numbers
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.reader import Codes, Column, ColumnLayout, Table, read_row, read_rows
from symcf.data.regions import ANYWHERE, Region, Scale
from symcf.data.types import ColumnType, is_number, plain
from symcf.errors import InstanceError, ModelError

__all__ = [
    "ENCODERS",
    "UNREADABLE",
    "Encoder",
    "FeatureReader",
    "ReadRow",
    "Span",
    "ValueCodes",
    "as_float",
    "as_floats",
    "encoder_from_dict",
    "is_missing",
    "like",
]

#: The code of a value that cannot be read.
UNREADABLE = -1


#: Two neighbouring cut points, and the code of the numbers between them.
Span = tuple[float, float, int]


class FeatureReader(ABC):
    """Makes the codes of one feature, by default of one column. What a kind of reader does not have is None."""

    column: int

    @cached_property  # not a property, which a field of a dataclass could not override
    def keys(self) -> tuple[Any, ...] | None:
        """The categories of the column; None where numbers are read."""
        return None

    @property
    def sources(self) -> tuple[int, ...]:
        """The places of the columns that are read."""
        return (self.column,)

    @property
    def blank(self) -> float | None:
        """What an empty cell of a text file stands for."""
        return math.nan

    @property
    def regions(self) -> Mapping[int, Region] | None:
        """By code, the numbers that stand for the value; None where values are not ranges of numbers."""
        return None

    @property
    def spans(self) -> Sequence[Span] | None:
        """The cut points on both sides of each range, and its code, ascending; None where there are no cut points."""
        return None

    @property
    def missing(self) -> int | None:
        """The code that means "missing" and nothing else; None if there is none."""
        return None

    @property
    def unknown(self) -> int | None:
        """The code of entries outside the categories; None if they are not accepted."""
        return None

    @abstractmethod
    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The code of each row; `UNREADABLE` for values without one."""

    def number(self, cell: Any) -> float | None:
        """The number that a cell holds; None for those that are missing, and where values are not numbers."""
        return None

    @abstractmethod
    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        """What stands for a value in each of the columns, where it is not a range; of the types of the old cells."""

    @abstractmethod
    def expected(self) -> str:
        """The accepted entries, in words."""


class Encoder(ABC):
    """The user's rows -> value codes."""

    #: The name in JSON.
    kind: ClassVar[str]

    #: The columns that are read.
    layout: ColumnLayout
    #: By feature.
    readers: Sequence[FeatureReader]
    #: The places of columns that the original computes with: in fewer than 64 bits it would get other numbers.
    doubles: tuple[int, ...] = ()
    #: The features whose readers are the same but for the column: one of them reads all of these columns at once.
    alike: Sequence[int] = ()

    @cached_property
    def scales(self) -> tuple[Scale, ...]:
        """By feature, what its cut points or numbers say about the column."""
        return tuple(Scale.of(reader.regions, reader.keys) for reader in self.readers)

    @cached_property
    def groups(self) -> Mapping[int, tuple[str, ...]]:
        """By feature that is read from several columns, their names."""
        names = {
            j: tuple(self.layout.names[source] for source in reader.sources) for j, reader in enumerate(self.readers)
        }
        return {j: columns for j, columns in names.items() if len(columns) > 1}

    @cached_property
    def _barren(self) -> dict[tuple[int, ColumnType], frozenset[int]]:
        return {}

    def barren(self, j: int, kind: ColumnType, limits: Region = ANYWHERE) -> frozenset[int]:
        """The values of a feature without a number, within the limits, that a column of this type can hold."""
        regions = self.readers[j].regions
        if regions is None or not kind.is_number or kind.is_dense:
            return frozenset()
        if limits is not ANYWHERE:
            return frozenset(code for code, region in regions.items() if not kind.holds(region.within(limits)))
        if (j, kind) not in self._barren:
            self._barren[j, kind] = frozenset(code for code, region in regions.items() if not kind.holds(region))
        return self._barren[j, kind]

    @property
    def missing(self) -> tuple[int | None, ...]:
        """By feature, the code that means "missing" and nothing else; None where there is none."""
        return tuple(reader.missing for reader in self.readers)

    @property
    def unknown(self) -> tuple[int | None, ...]:
        """By feature, the code of entries outside the categories; None where they are not accepted."""
        return tuple(reader.unknown for reader in self.readers)

    def encode(self, rows: Any, *, mark: bool = False) -> Codes:
        """A two-dimensional array of codes. With ``mark``, an unreadable value becomes -1 instead of an error."""
        return self.encode_table(read_rows(rows, self.layout), mark=mark)

    def encode_one(self, instance: Any) -> Codes:
        """One instance, as an array of shape (1, n)."""
        return self.read_one(instance).codes

    def read_one(self, instance: Any, *, mark: bool = False) -> ReadRow:
        """One instance, read once for all that follows. With ``mark``, an unreadable value becomes -1."""
        return self.of_table(instance, read_row(instance, self.layout), mark=mark)

    def of_table(self, instance: Any, table: Table, *, mark: bool = False) -> ReadRow:
        """The same for an instance that is columns already."""
        try:
            return ReadRow(instance, self, table, self.encode_table(table, mark=mark))
        except InstanceError as error:
            raise error.at(row=None) from None

    def encode_table(self, table: Table, *, mark: bool = False) -> Codes:
        """The same for rows that are columns already."""
        self._check_doubles(table)
        table = table.in_types(self.layout)
        codes = self._codes(table)
        if not mark and (codes < 0).any():
            row, feature = map(int, np.argwhere(codes < 0)[0])
            raise self._unreadable(table, row, feature)
        return codes

    def _check_doubles(self, table: Table) -> None:
        """`InstanceError` for columns of fewer than 64 bits that the original would compute other numbers from."""
        for place in self.doubles:
            kind = table.column(place).dtype
            if kind.kind == "f" and kind.itemsize < 8 and place not in self.layout.short:
                known = self.layout.type_of(place)
                raise InstanceError(
                    f"its numbers have fewer than 64 bits ({kind}{'' if known is None else f'; {known} in data='}), "
                    f"and the original estimator computes with fewer bits then: give 64-bit floats",
                    columns=(self.layout.names[place],),
                )

    def _codes(self, table: Table) -> npt.NDArray[np.int64]:
        codes, alike = np.empty((table.n_rows, len(self.readers)), dtype=np.int64), self.alike
        if len(alike) > 1:  # a row of thirty numbers is read in the time of one
            sources = [self.readers[j].sources[0] for j in alike]
            together = self.readers[alike[0]].read([table.block(sources)])
            if len(alike) == len(self.readers):
                return np.ascontiguousarray(together)
            codes[:, alike] = together
        for j in sorted({*range(len(self.readers))}.difference(alike if len(alike) > 1 else ())):
            codes[:, j] = self.readers[j].read([table.column(source) for source in self.readers[j].sources])
        return codes

    def _unreadable(self, table: Table, row: int, feature: int) -> InstanceError:
        reader = self.readers[feature]
        values = tuple(plain(table.column(source)[row]) for source in reader.sources)
        names = tuple(self.layout.names[source] for source in reader.sources)
        if len(values) == 1 and (values[0] is None or is_missing(values[0])):
            problem = f"the value is missing; it must be {reader.expected()}"
        else:
            are = "is" if len(values) == 1 else "are"
            problem = f"{', '.join(map(repr, values))} {are} not {reader.expected()}"
        value = values[0] if len(values) == 1 else values
        return InstanceError(problem, row=row, columns=names, feature=feature, value=value)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """For JSON; the key ``encoder`` names the kind."""


class ReadRow(NamedTuple):
    """One row: as it was given, and as value codes."""

    given: Any
    encoder: Encoder
    #: The columns as they were read.
    table: Table
    #: Of shape (1, n).
    codes: Codes
    #: By column, entries that are not among the values of a black-box model, though the column can hold them.
    others: Sequence[Sequence[Any]] = ()

    def by(self, encoder: Encoder) -> ReadRow:
        """The same row as another encoder reads it."""
        if encoder is self.encoder:
            return self
        same = encoder.layout is self.encoder.layout
        return encoder.of_table(self.given, self.table) if same else encoder.read_one(self.given)


# --- values -----------------------------------------------------------------------------------------------------------


def is_missing(value: Any) -> bool:
    """NaN, pandas' NA and NaT; None is a separate value."""
    # NA and NaT are recognised by the names of their types, so that pandas is not needed
    return (isinstance(value, numbers.Real) and value != value) or type(value).__name__ in ("NAType", "NaTType")


def as_floats(values: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The numbers in an array of any shape, NaN for others; and which entries are numbers or missing."""
    kind = values.dtype.kind
    if kind in "biuf":
        return values.astype(np.float64), np.ones(values.shape, dtype=np.bool_)
    floats, readable = np.full(values.size, np.nan), np.zeros(values.size, dtype=np.bool_)
    if kind == "O":  # not text, complex numbers, or times, which tolist might turn into integers
        for i, value in enumerate(values.ravel().tolist()):
            if is_number(value):
                floats[i], readable[i] = as_float(value), True
            else:
                readable[i] = value is None or is_missing(value)
    return floats.reshape(values.shape), readable.reshape(values.shape)


def as_float(cell: Any) -> float:
    """The number in a cell; NaN for anything else."""
    if not is_number(cell):
        return math.nan
    try:
        return float(cell)
    except OverflowError:  # an integer of hundreds of digits
        return math.inf if cell > 0 else -math.inf


def like(old: Any, number: Any) -> Any:
    """A number in the type of the cell that it replaces, if that type can hold it."""
    whole = float(number).is_integer()
    if isinstance(old, (bool, np.bool_)):
        return type(old)(number) if number in (0, 1) else like(0.0, number)
    if isinstance(old, numbers.Integral) and whole:
        with contextlib.suppress(OverflowError):
            return type(old)(int(number))  # type: ignore[call-arg]
    if isinstance(old, np.floating):
        return type(old)(number)
    if isinstance(old, Decimal):
        return Decimal(int(number)) if whole else Decimal(repr(float(number)))
    return float(number) if isinstance(old, (float, numbers.Integral)) else number


# --- kinds ------------------------------------------------------------------------------------------------------------
# The kinds of encoders, and encoders from JSON. Only the module of the kind that is read is imported.

#: By what `Encoder.to_dict` calls the kind: the module and the class.
ENCODERS = {
    "columns": ("columns", "RawColumns"),
    "intervals": ("intervals", "Intervals"),
    "value_codes": ("encoder", "ValueCodes"),
}


def encoder_from_dict(data: Mapping[str, Any]) -> Encoder:
    """The encoder that `Encoder.to_dict` described."""
    kind = data["encoder"]
    if kind not in ENCODERS:
        raise ModelError(f"unknown kind of encoder {kind!r}")
    home, name = ENCODERS[kind]
    found: Encoder = getattr(import_module(f"symcf.data.{home}"), name).from_dict(data)
    return found


T = TypeVar("T")

#: Labels that an error lists.
MOST_SHOWN = 8


@dataclass(frozen=True)
class _Code(FeatureReader):
    """A column of codes, or of labels that are not numbers."""

    column: int
    labels: Sequence[Hashable]

    @property
    def blank(self) -> None:
        return None

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        codes = _integers(columns[0])
        if columns[0].dtype.kind not in "biuf":
            table = {label: code for code, label in enumerate(self.labels) if not is_number(label)}
            for i, cell in enumerate(columns[0].tolist()):
                if codes[i] < 0 and not is_number(cell) and isinstance(cell, Hashable):
                    codes[i] = table.get(cell, UNREADABLE)
        return codes

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        # a label that is a number would be read as a code
        return (like(old[0], code) if is_number(old[0]) or is_number(label) else label,)

    def expected(self) -> str:
        names = [label for label in self.labels if isinstance(label, str)]
        shown = ", ".join(map(repr, names[:MOST_SHOWN]))
        more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
        return f"a value code between 0 and {len(self.labels) - 1}" + (f", or one of {shown}{more}" if names else "")


class ValueCodes(Encoder):
    """Reads rows of a classifier that has no other encoder.

    >>> ValueCodes(["age", "job"], [3, 2], [[0, 1, 2], ["clerk", "baker"]]).encode([{"job": "baker", "age": 2.0}])
    array([[2, 1]])
    """

    kind: ClassVar[str] = "value_codes"

    def __init__(
        self, features: Sequence[str], n_values: Sequence[int], values: Sequence[Sequence[Hashable]] | None = None
    ) -> None:
        self.layout = ColumnLayout.of(features)
        self._labels = [range(count) for count in n_values] if values is None else values
        self.readers = tuple(map(_Code, range(len(features)), self._labels))
        self._n_values = np.array(n_values, dtype=np.int64)

    def of_table(self, instance: Any, table: Table, *, mark: bool = False) -> ReadRow:
        """See `Encoder`. An error if a code is out of range, or is none."""
        row = super().of_table(instance, table)
        return row._replace(codes=self.checked(row.codes))

    def encode_table(self, table: Table, *, mark: bool = False) -> Codes:
        """Integers as they are; numbers without a fraction as integers; anything else is an error, or marked."""
        codes = table.integers(self.layout.needed)
        return super().encode_table(table, mark=mark) if codes is None else codes

    def _codes(self, table: Table) -> npt.NDArray[np.int64]:
        if table.matrix is not None and table.matrix.dtype.kind in "biuf":
            return _integers(table.matrix)
        return super()._codes(table)

    def check(self, codes: Codes) -> None:
        """Raises an error for the first code that is out of range."""
        wrong = (codes < 0) | (codes >= self._n_values)
        if wrong.any():
            row, feature = map(int, np.argwhere(wrong)[0])
            raise self._out_of_range(row, feature, int(codes[row, feature]))

    def checked(self, row: Codes) -> npt.NDArray[Any]:
        """One row, of shape (1, n); an error if a code is out of range. As wide as the codes: those of numbers are."""
        try:
            self.check(row)
        except InstanceError as error:
            raise error.at(row=None) from None
        return row.astype(np.uint32 if self._n_values.max(initial=0) < 2**32 else np.int64)

    def naming(self, call: Callable[[], T]) -> T:
        """Runs `call`; a bad code that the core meets is reported with the name of the feature and its range."""
        try:
            return call()
        except InstanceError as error:
            if error.row is None or error.feature is None:
                raise
            raise self._out_of_range(error.row, error.feature, error.value) from None

    def _out_of_range(self, row: int, feature: int, value: Any) -> InstanceError:
        problem = f"{value} is not {self.readers[feature].expected()}"
        columns = (self.layout.names[feature],)
        return InstanceError(problem, row=row, columns=columns, feature=feature, value=value)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "encoder": self.kind,
            "features": list(self.layout.names),
            "n_values": self._n_values.tolist(),
            "values": [list(labels) for labels in self._labels],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ValueCodes:
        """The inverse of `to_dict`."""
        return cls(data["features"], data["n_values"], data.get("values"))


def _integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Numbers without a fraction as integers; `UNREADABLE` for all others."""
    if values.dtype.kind == "i":
        return values.astype(np.int64)
    floats = values if values.dtype.kind == "f" else as_floats(values)[0]
    with np.errstate(invalid="ignore"):
        integers = floats.astype(np.int64)
    integers[integers != floats] = UNREADABLE
    return integers
