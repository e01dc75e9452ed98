"""Value codes: columns that already hold the codes of their features' values, or their labels.

A number is a code, whatever the labels are; a label that is not a number stands for its value.

A C-contiguous array of integers is used as it is. Its codes are checked where they are read: for many rows by the core,
which reports the place (`ValueCodes.naming` adds the names), and by `check` where the core does not read them.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.data.encoder import UNREADABLE, Encoder, as_floats, like
from symcf.data.reader import Codes, Column, ColumnLayout, Table
from symcf.errors import InstanceError

__all__ = ["ValueCodes"]

T = TypeVar("T")

#: Labels that an error lists.
MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class _Code:
    """A column of codes, or of labels that are not numbers."""

    column: int
    labels: Sequence[Hashable]
    regions: ClassVar[None] = None
    spans: ClassVar[None] = None
    keys: ClassVar[tuple[Hashable, ...] | None] = None
    blank: ClassVar[float | None] = None
    missing: ClassVar[int | None] = None
    unknown: ClassVar[int | None] = None

    @property
    def sources(self) -> tuple[int, ...]:
        return (self.column,)

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        codes = _integers(columns[0])
        if columns[0].dtype.kind not in "biuf":
            table = {label: code for code, label in enumerate(self.labels) if not _is_number(label)}
            for i, cell in enumerate(columns[0].tolist()):
                if codes[i] < 0 and not _is_number(cell) and isinstance(cell, Hashable):
                    codes[i] = table.get(cell, UNREADABLE)
        return codes

    def number(self, cell: Any) -> float | None:
        return None

    def cells(self, code: int, label: Hashable, old: Sequence[Any]) -> tuple[Any, ...]:
        # a label that is a number would be read as a code
        return (like(old[0], code) if _is_number(old[0]) or _is_number(label) else label,)

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


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (numbers.Real, np.bool_, Decimal))


def _integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Numbers without a fraction as integers; `UNREADABLE` for all others."""
    if values.dtype.kind == "i":
        return values.astype(np.int64)
    floats = values if values.dtype.kind == "f" else as_floats(values)[0]
    with np.errstate(invalid="ignore"):
        integers = floats.astype(np.int64)
    integers[integers != floats] = UNREADABLE
    return integers
