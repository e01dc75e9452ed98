"""The types of columns: which cells a column can hold, and how much its numbers vary.

They belong to the classifier: they are learnt from `data=` when it is made, or from what the estimator remembers of its
table, and hold for every form of a row. A list, a Series or a mapping often has other types than the table that it was
taken from: 3 becomes 3.0 beside a float, and a category becomes text.

    types = types_of(data, layout)
    types[0].cell(3.0)      # 3 in a column of integers, True for 1.0 in one of booleans
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.data.regions import ANYWHERE, Region

__all__ = [
    "NUMBERS",
    "ColumnType",
    "Spread",
    "is_number",
    "plain",
    "rounded",
    "type_of_cells",
    "types_from_json",
    "types_to_json",
]

#: The kinds of numpy's types of numbers: truth values, integers, floats.
NUMBERS = "biuf"


class Spread(NamedTuple):
    """How much the numbers of a column vary."""

    #: The median of the distances from the median, and their mean.
    mad: float
    mean: float
    #: The standard deviation.
    std: float
    #: The largest number minus the smallest.
    range: float

    @classmethod
    def of(cls, numbers: npt.NDArray[np.float64]) -> Spread | None:
        """The spread of the finite ones among these numbers; None if there are none."""
        x = numbers[np.isfinite(numbers)]
        if not len(x):
            return None
        far = np.abs(x - np.median(x))
        mean = math.fsum(x.tolist()) / len(x)  # not numpy's sum, whose last digits depend on the machine
        std = math.sqrt(math.fsum(((x - mean) ** 2).tolist()) / len(x))
        return cls(float(np.median(far)), math.fsum(far.tolist()) / len(x), std, float(x.max() - x.min()))


@dataclass(frozen=True)
class ColumnType:
    """The type of a column, as numpy or pandas has it."""

    #: The dtype of the column.
    dtype: Any
    #: The kind of its cells, as numpy calls it: "b", "i", "u", "f", or "O". A column of objects may hold integers.
    kind: str
    #: How much its numbers vary in the data; None where that is not known.
    spread: Spread | None = field(default=None, compare=False)

    @classmethod
    def of(cls, dtype: Any) -> ColumnType | None:
        """The type of a column of this dtype; None for dtypes that say nothing about single cells."""
        kind = str(getattr(dtype, "kind", ""))
        if not kind or (isinstance(dtype, np.dtype) and kind == "O"):
            return None
        return cls(np.dtype(object), "O") if kind in "US" else cls(dtype, kind)

    @property
    def size(self) -> int:
        """The bytes of a number."""
        return int(getattr(self.dtype, "itemsize", 8)) if self.dtype != object else 8

    @property
    def is_number(self) -> bool:
        """Does it hold numbers or truth values?"""
        return self.kind in NUMBERS

    @property
    def is_whole(self) -> bool:
        """Does it hold whole numbers only?"""
        return self.kind in "biu"

    @property
    def is_short(self) -> bool:
        """Do its numbers have fewer than 64 bits, and a fraction?"""
        return self.kind == "f" and self.size < 8

    @property
    def is_dense(self) -> bool:
        """Does it hold a number in every range?"""
        return self.kind == "f" and not self.is_short

    @property
    def short(self) -> np.dtype[Any] | None:
        """The type of numpy for floats of fewer than 64 bits; None for all others."""
        return np.dtype(f"f{self.size}") if self.is_short else None

    @property
    def limits(self) -> Region:
        """The numbers between the least and the greatest that it holds; floats and 64 bits have no such limits."""
        if self.kind == "b":
            return Region(0.0, 1.0)
        if self.kind == "f" or self.size >= 8:
            return Region(0.0, math.inf) if self.kind == "u" else ANYWHERE
        found = np.iinfo(np.dtype(f"{self.kind}{self.size}"))
        return Region(float(found.min), float(found.max))

    def cell(self, given: Any) -> Any:
        """A cell as the column holds it; as it was given where it is missing, or the column cannot hold it."""
        if not self.is_number or not is_number(given) or given != given:
            return given
        if self.kind == "f":
            if self.is_short:
                with np.errstate(over="ignore"):
                    return np.dtype(f"f{self.size}").type(given)
            return given if isinstance(given, np.floating) else float(given)
        if isinstance(given, np.bool_ if self.kind == "b" else np.integer):
            return given
        if math.isinf(given) or given != int(given):
            return given
        if self.kind == "b":
            return bool(given) if given in (0, 1) else given
        return int(given)

    def computes_as_doubles(self, functions: Sequence[np.ufunc]) -> bool:
        """Do functions of numpy give what they give for doubles? Of whole numbers of 8 and 16 bits they are computed
        with fewer bits, and those without a sign have no negative. All numbers of few bits are tried.
        """
        if not self.is_whole or not functions:
            return True
        limits = self.limits if self.size <= 2 else Region(0.0, 3.0)
        doubles = np.arange(limits.first, limits.last + 1)
        cells = doubles.astype(bool if self.kind == "b" else f"{self.kind}{self.size}")
        with np.errstate(all="ignore"):
            try:
                for function in functions:
                    cells, doubles = function(cells), function(doubles)
            except TypeError:
                return False  # truth values have no negative
        return np.array_equal(np.asarray(cells, dtype=np.float64), doubles, equal_nan=True)

    def holds(self, region: Region) -> bool:
        """Is there a number in a range that the column can hold? requires: it holds numbers."""
        if self.kind == "f":
            return self.is_dense or _has_short(region, np.dtype(f"f{self.size}"))
        return region.within(self.limits).has_whole

    def __str__(self) -> str:
        return str(self.dtype)


def is_number(cell: Any) -> bool:
    """Is it a number or a truth value?"""
    return isinstance(cell, (numbers.Real, Decimal, np.bool_))


def plain(value: Any) -> Any:
    """Numbers as Python's own; not times, which might become integers."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value


def _has_short(region: Region, kind: np.dtype[Any]) -> bool:
    """Does a range have a number of this type?"""
    with np.errstate(over="ignore"):
        number = kind.type(max(region.first, float(np.finfo(kind).min)))
        for _ in range(len(region.holes) + 2):
            if float(number) in region:
                return True
            number = np.nextafter(number, kind.type(np.inf))
    return False


def type_of_cells(cells: Iterable[Any], dtype: Any = None) -> ColumnType | None:
    """The type that cells without a common dtype have, such as those of lists; None where nothing tells.

    Truth values, whole numbers, numbers, or anything else; missing cells tell nothing.
    """
    kinds: set[str] = set()
    for cell in cells:
        kinds.add(_kind(cell))
        if "O" in kinds:
            break
    kinds.discard("")
    if not kinds:
        return None
    kind = "O" if "O" in kinds else "f" if "f" in kinds else "i" if "i" in kinds else "b"
    plain = {"b": np.dtype(bool), "i": np.dtype(np.int64), "f": np.dtype(np.float64), "O": np.dtype(object)}[kind]
    return ColumnType(plain if dtype is None else dtype, kind)


def _kind(cell: Any) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return "b"
    if isinstance(cell, numbers.Integral):
        return "i"
    if isinstance(cell, (numbers.Real, Decimal)):
        return "f" if cell == cell else ""
    return "" if cell is None or type(cell).__name__ in ("NAType", "NaTType") else "O"


# --- JSON -------------------------------------------------------------------------------------------------------------


def types_to_json(types: Sequence[ColumnType | None]) -> list[Any]:
    """By column, what `types_from_json` reads; None for types that have no name in JSON."""
    return [None if one is None else _to_json(one) for one in types]


def _to_json(one: ColumnType) -> Any:
    categories = getattr(one.dtype, "categories", None)
    if categories is None:
        known = {} if one.spread is None else {"spread": list(one.spread)}
        return {"dtype": str(one.dtype), "kind": one.kind, **known}
    entries = [plain(entry) for entry in categories.tolist()]
    if not all(isinstance(entry, (str, bool, int, float)) for entry in entries):
        return None
    return {"categories": entries, "ordered": bool(one.dtype.ordered)}


def types_from_json(given: Any) -> tuple[ColumnType | None, ...]:
    """The inverse of `types_to_json`; None for types of pandas where it is not installed. ValueError if damaged."""
    return tuple(None if one is None else _from_json(one) for one in given)


def _from_json(one: Mapping[str, Any]) -> ColumnType | None:
    kind, spread = "O", None
    if "categories" not in one:
        kind = str(one["kind"])
        if kind not in ("b", "i", "u", "f", "O", "M", "m", "c"):
            raise ValueError(f"unknown kind of column {kind!r}")
        spread = Spread(*map(float, one["spread"])) if "spread" in one else None
        try:
            return ColumnType(np.dtype(str(one["dtype"])), kind, spread)
        except TypeError:
            pass
    try:
        import pandas
    except ImportError:
        return None
    try:
        if "categories" in one:
            return ColumnType(pandas.CategoricalDtype(one["categories"], bool(one["ordered"])), "O")
        return ColumnType(pandas.api.types.pandas_dtype(str(one["dtype"])), kind, spread)
    except TypeError as error:
        raise ValueError(f"unknown type of column {one!r}: {error}") from None


def rounded(column: npt.NDArray[Any], kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """A column of numbers rounded to floats of fewer bits, in 64 bits; other entries are unchanged."""
    with np.errstate(over="ignore"):
        if column.dtype.kind in NUMBERS:
            return column.astype(kind).astype(np.float64)
        result = column.copy()
        for i, entry in enumerate(column.tolist()):
            if isinstance(entry, (numbers.Real, Decimal)):
                result[i] = float(kind.type(entry))
    return result
