"""Raw columns -> value codes, as pipelines read them.

A `RawColumns` encoder knows the raw columns by name and place, and has one reader per feature:

    Categories  one of several categories             "red", "green"
    Ranges      a number between cut points           25 <= age < 35
    OneHot      several columns, at most one of them 1
    Numbers     a number as it is                     symcf.data.numbers

Columns that no reader asks for are ignored, and so is the order of columns that have names.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.derived import Derived
from symcf.data.encoder import UNREADABLE, Encoder, FeatureReader, Span, as_float, as_floats, is_missing, like
from symcf.data.labels import OTHER, free_name
from symcf.data.numbers import Numbers
from symcf.data.reader import Column, ColumnLayout
from symcf.data.regions import Region
from symcf.data.types import ColumnType, types_from_json, types_to_json
from symcf.errors import ModelError

__all__ = ["Categories", "OneHot", "Ranges", "RawColumns"]

#: Up to so many keys, looking at each of them is fast.
FEW_KEYS = 64

#: Larger integers may be no doubles.
EXACT = 1 << 53


# --- readers ----------------------------------------------------------------------------------------------------------


class ColumnReader(FeatureReader):
    """A reader that is written to JSON, field by field."""

    #: The name in JSON.
    kind: ClassVar[str]
    #: By field, what reads it.
    json: ClassVar[Mapping[str, Callable[[Any], Any]]]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: _listed(getattr(self, name)) for name in self.json}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        return cls(**{name: read(data[name]) for name, read in cls.json.items()})

    def check(self) -> None:
        """`ModelError` if the parts do not fit each other, because a file may hold anything."""


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value


def _integers(given: Any) -> tuple[int, ...]:
    return tuple(map(int, given))


def _check_codes(reader: ColumnReader, codes: Sequence[int], n_values: int, others: Sequence[int]) -> None:
    """Checks the number of codes and their range; ``others`` are those of missing and unknown entries."""
    if len(codes) != n_values or not n_values:
        raise ModelError(f"a reader of kind {reader.kind!r} has {len(codes)} codes for {n_values} values")
    for code in (*codes, *others):
        if not UNREADABLE <= code < 2**31:
            raise ModelError(f"a reader of kind {reader.kind!r} has the code {code}")


def _is_exact(column: npt.NDArray[Any]) -> bool:
    """Are all entries of a column of numbers doubles?"""
    if column.dtype.kind not in "iu" or column.dtype.itemsize < 8 or not len(column):
        return True
    return int(column.min()) >= -EXACT and int(column.max()) <= EXACT


@dataclass(frozen=True)
class Categories(ColumnReader):
    """A column of categories. Numbers are equal whatever their type: 1, 1.0 and True."""

    kind: ClassVar[str] = "names"
    json: ClassVar = {"column": int, "keys": tuple, "codes": _integers, "nan": int, "none": int, "other": int}

    column: int
    #: The accepted entries of the column, and the code of each.
    keys: tuple[Any, ...] = field()
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
    def blank(self) -> float | None:
        """What an empty cell of a text file stands for."""
        return None if self.nan < 0 <= self.none else math.nan

    @property
    def missing(self) -> int | None:
        """The code of missing entries if it is theirs alone."""
        return None if self.nan in (UNREADABLE, self.other, *self.codes) else self.nan

    @property
    def unknown(self) -> int | None:
        """The code of entries outside the categories, if no category shares it."""
        return None if self.other in (UNREADABLE, *self.codes) else self.other

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of a column's entries."""
        (column,) = columns
        if column.dtype.kind in "biuf" and self._are_exact and _is_exact(column):
            return self._read_numbers(column.astype(np.float64))
        return np.fromiter(map(self._code, column.tolist()), dtype=np.int64, count=len(column))

    @property
    def _are_exact(self) -> bool:
        """Are all keys that are numbers doubles?"""
        return all(-EXACT <= key <= EXACT for key in self.keys if isinstance(key, int))

    def _read_numbers(self, column: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        codes = np.where(np.isnan(column), self.nan, self.other)
        pairs = zip(self.keys, self.codes, strict=True)
        known = {key: code for key, code in pairs if isinstance(key, (bool, int, float))}  # no number equals a text
        if len(known) > FEW_KEYS:  # looked up at once
            keys = np.array([*known], dtype=np.float64)
            order = np.argsort(keys, kind="stable")
            place = order[np.minimum(np.searchsorted(keys[order], column), len(keys) - 1)]
            found = keys[place] == column
            codes[found] = np.array([*known.values()], dtype=np.int64)[place[found]]
            return codes
        for key, code in known.items():
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

    def number(self, cell: Any) -> float | None:
        """The number in a cell."""
        return float(cell) if isinstance(cell, (bool, int, float, np.number, np.bool_)) and cell == cell else None

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        """The category; NaN, None or an unknown category where the value stands for those."""
        if self._table.get(label) == code:
            key: Any = label
        elif code in self.codes:
            key = self.keys[self.codes.index(code)]
        elif code in (self.nan, self.none) and code != self.other:
            return (math.nan if code == self.nan else None,)
        else:
            key = self._unknown()
        number = isinstance(key, (bool, int, float)) and isinstance(old[0], (int, float, np.number, np.bool_, Decimal))
        return (like(old[0], key) if number else key,)

    def _unknown(self) -> Any:
        """An entry outside the categories."""
        if all(isinstance(key, (bool, int, float)) for key in self.keys):
            return max(self.keys, default=-1) + 1
        return free_name(OTHER, self.keys)

    def expected(self) -> str:
        """The accepted entries, in words."""
        shown = ", ".join(repr(key) for key, code in zip(self.keys[:8], self.codes, strict=False) if code >= 0)
        return f"one of {shown}" + (f" and {len(self.keys) - 8} more" if len(self.keys) > 8 else "")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        for key in self.keys:
            if not isinstance(key, (str, bool, int, float)):
                raise ModelError(f"the category {key!r} cannot be written as JSON: use strings or numbers")
        return super().to_dict()

    def check(self) -> None:
        _check_codes(self, self.codes, len(self.keys), [self.nan, self.none, self.other])


def _markers(given: Any) -> tuple[tuple[float, int], ...]:
    return tuple((float(number), int(code)) for number, code in given)


@dataclass(frozen=True)
class Ranges(ColumnReader):
    """A column of numbers: the code is the number of cut points that are not above the number."""

    kind: ClassVar[str] = "ranges"
    json: ClassVar = {
        "column": int,
        "cuts": lambda given: tuple(map(float, given)),
        "codes": _integers,
        "nan": int,
        "markers": _markers,
    }

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
    def missing(self) -> int | None:
        """The code of missing entries if it is theirs alone."""
        return None if self.nan in (UNREADABLE, *self.codes) else self.nan

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        """The codes of a column's entries."""
        (column,) = columns
        floats, readable = as_floats(column)
        if len(floats) == 1:
            return np.array([self._code(float(floats[0])) if readable[0] else UNREADABLE])
        places = np.searchsorted(np.array(self.cuts, dtype=np.float64), floats, side="right")
        codes = np.array(self.codes, dtype=np.int64)[places]
        if not np.isfinite(floats).all():
            codes[np.isinf(floats)] = UNREADABLE
            codes[np.isnan(floats)] = self.nan
        for number, code in self.markers:
            codes[floats == number] = code
        if not readable.all():
            codes[~readable] = UNREADABLE
        return codes

    def _code(self, number: float) -> int:
        """The code of one number. Without numpy, whose overhead dominates for a single row."""
        if math.isnan(number):
            return self.nan
        if math.isinf(number):
            return UNREADABLE
        for marker, code in self.markers:
            if number == marker:
                return code
        return self.codes[bisect_right(self.cuts, number)]

    @property
    def spans(self) -> Sequence[Span]:
        """The cut points on both sides of each range, and its code."""
        return list(zip([-math.inf, *self.cuts], [*self.cuts, math.inf], self.codes, strict=True))

    @cached_property
    def regions(self) -> Mapping[int, Region]:
        """By code, its range without the numbers that mark missing ones."""
        firsts = [-math.inf, *self.cuts]
        with np.errstate(over="ignore"):  # below the least number is minus infinity
            lasts = [*np.nextafter(np.array(self.cuts, dtype=np.float64), -np.inf).tolist(), math.inf]
        found = {}
        for first, last, code in zip(firsts, lasts, self.codes, strict=True):
            if code >= 0 and first <= last:
                holes = tuple(number for number, _ in self.markers if first <= number <= last)
                found[code] = Region(first, last, holes)
        return found

    def number(self, cell: Any) -> float | None:
        """The number in a cell; None for one that marks a missing number."""
        number = as_float(cell)
        return None if number != number or number in dict(self.markers) else number

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        """A value that only missing numbers have."""
        return (next((number for number, marked in self.markers if marked == code), math.nan),)

    def expected(self) -> str:
        """The accepted entries, in words."""
        return "a finite number" if min(self.codes) >= 0 else "a number that the classifier accepts"

    def check(self) -> None:
        _check_codes(self, self.codes, len(self.cuts) + 1, [self.nan, *(code for _, code in self.markers)])


@dataclass(frozen=True)
class OneHot(ColumnReader):
    """Several columns of which one is 1 and the others 0, or all are 0 where that is a value, too."""

    kind: ClassVar[str] = "one_hot"
    json: ClassVar = {"columns": _integers, "codes": _integers, "none": int}

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
        floats = np.stack([as_floats(column)[0] for column in columns], axis=1)
        ones = floats == 1
        n_ones = ones.sum(axis=1)
        codes = np.where(n_ones == 0, self.none, np.array(self.codes, dtype=np.int64)[ones.argmax(axis=1)])
        return np.where((ones | (floats == 0)).all(axis=1) & (n_ones <= 1), codes, UNREADABLE)

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        """One 1 among 0s, or only 0s."""
        one = self.codes.index(code) if code in self.codes else -1
        return tuple(like(cell, int(place == one)) for place, cell in enumerate(old))

    def expected(self) -> str:
        """The accepted entries, in words."""
        what = "one 1 among 0s" if self.none < 0 else "one 1 among 0s, or only 0s"
        return f"{what}: these columns are read as one feature (groups=None reads each by itself)"

    def check(self) -> None:
        _check_codes(self, self.codes, len(self.columns), [self.none])


Reader = Categories | Ranges | OneHot | Numbers

_READERS: dict[str, type[Any]] = {reader.kind: reader for reader in (Categories, Ranges, OneHot, Numbers)}


# --- the encoder ------------------------------------------------------------------------------------------------------


class RawColumns(Encoder):
    """Reads the raw columns that a pipeline was fitted on.

    Parameters
    ----------
    columns:
        The names of all raw columns, in the order of arrays and lists.
    readers:
        One per feature.
    named:
        Whether the names are the user's own; if not, DataFrames are read by the order of their columns.
    doubles:
        The places of columns that have to come in 64 bits, since the pipeline would compute other numbers in fewer.
    types:
        By column its type, None where it is not known; empty if none is. Rows of all forms are read in these types.
    derived:
        Columns that are computed from others. They are not read, and computed anew in rows that are given back.
    """

    kind: ClassVar[str] = "columns"

    def __init__(
        self,
        columns: Sequence[str],
        readers: Sequence[Reader],
        *,
        named: bool = True,
        doubles: Iterable[int] = (),
        types: Sequence[ColumnType | None] = (),
        derived: Sequence[Derived] = (),
    ) -> None:
        self.columns = tuple(columns)
        self.readers: tuple[Reader, ...] = tuple(readers)
        self.named = named
        self.doubles = tuple(doubles)
        for name in self.columns:
            if not isinstance(name, str):
                raise ModelError(f"the name of a raw column must be a string, not {name!r}")
        for reader in self.readers:
            if not all(0 <= source < len(self.columns) for source in reader.sources):
                raise ModelError(f"a reader asks for column {max(reader.sources)} of {len(self.columns)}")
            reader.check()
        self.alike = [j for j, reader in enumerate(self.readers) if isinstance(reader, Numbers) and reader.is_plain]
        if not all(isinstance(place, int) and 0 <= place < len(self.columns) for place in self.doubles):
            raise ModelError(f"doubles: {list(self.doubles)!r} are not places of {len(self.columns)} columns")
        needed = sorted({source for reader in self.readers for source in reader.sources})
        known = tuple(types) if any(one is not None for one in types) else ()
        if len(known) not in (0, len(self.columns)):
            raise ModelError(f"types: {len(known)} types for {len(self.columns)} columns")
        self.layout = ColumnLayout(self.columns, tuple(needed), named, extra=True, types=known, derived=tuple(derived))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        readers = [{"reader": reader.kind, **reader.to_dict()} for reader in self.readers]
        data: dict[str, Any] = {
            "encoder": self.kind,
            "columns": list(self.columns),
            "named": self.named,
            "readers": readers,
        }
        data.update({"doubles": list(self.doubles)} if self.doubles else {})
        data.update({"derived": {one.name: one.text for one in self.layout.derived}} if self.layout.derived else {})
        return {**data, "types": types_to_json(self.layout.types)} if self.layout.types else data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RawColumns:
        """The inverse of `to_dict`."""
        readers = [_READERS[part["reader"]].from_dict(part) for part in data["readers"]]
        try:
            types = types_from_json(data.get("types", ()))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"the types of the columns cannot be read: {error}") from None
        derived = [Derived(str(name), str(text)) for name, text in data.get("derived", {}).items()]
        options = {"doubles": data.get("doubles", ()), "types": types, "derived": derived}
        return cls(data["columns"], readers, named=bool(data["named"]), **options)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RawColumns):
            return NotImplemented
        mine = (self.columns, self.readers, self.named, self.doubles, self.layout)
        return mine == (other.columns, other.readers, other.named, other.doubles, other.layout)

    def __hash__(self) -> int:
        return hash((self.columns, self.named))

    def __repr__(self) -> str:
        return f"RawColumns({len(self.columns)} raw columns, {len(self.readers)} features)"
