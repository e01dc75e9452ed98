"""Value codes: columns that already hold the codes of their features' values.

A C-contiguous array of integers is used as it is. Its codes are checked where they are read: for many rows by the core,
which reports the place (`ValueCodes.naming` adds the names), and by `check` where the core does not read them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.errors import InstanceError
from symcf.rows.encoder import UNREADABLE, Encoder, as_floats, register_encoder
from symcf.rows.reader import Codes, Column, ColumnLayout, Table

__all__ = ["ValueCodes"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Code:
    """A column of codes."""

    column: int
    n_values: int
    keys: ClassVar[tuple[Hashable, ...] | None] = None
    blank: ClassVar[float | None] = None
    missing: ClassVar[int | None] = None

    @property
    def sources(self) -> tuple[int, ...]:
        return (self.column,)

    def read(self, columns: Sequence[Column]) -> npt.NDArray[np.int64]:
        return _integers(columns[0])

    def expected(self) -> str:
        return f"a value code between 0 and {self.n_values - 1}"


class ValueCodes(Encoder):
    """Reads rows of a classifier that has no other encoder.

    >>> ValueCodes(["age", "job"], [3, 2]).encode([{"job": 1, "age": 2.0}])
    array([[2, 1]])
    """

    kind: ClassVar[str] = "value_codes"

    def __init__(self, features: Sequence[str], n_values: Sequence[int]) -> None:
        self.layout = ColumnLayout.of(features)
        self.readers = tuple(map(_Code, range(len(features)), n_values))
        self._n_values = np.array(n_values, dtype=np.int64)

    def encode_table(self, table: Table, *, mark: bool = False) -> Codes:
        """Integers as they are; numbers without a fraction as integers; anything else is an error, or marked."""
        codes = table.integers(self.layout.needed)
        return super().encode_table(table, mark=mark) if codes is None else codes

    def _codes(self, table: Table) -> npt.NDArray[np.int64]:
        return super()._codes(table) if table.matrix is None else _integers(table.matrix)

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
        return {"encoder": self.kind, "features": list(self.layout.names), "n_values": self._n_values.tolist()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ValueCodes:
        """The inverse of `to_dict`."""
        return cls(data["features"], data["n_values"])


register_encoder(ValueCodes.kind, ValueCodes.from_dict)


def _integers(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Numbers without a fraction as integers; `UNREADABLE` for all others."""
    if values.dtype.kind == "i":
        return values.astype(np.int64)
    floats = values if values.dtype.kind == "f" else as_floats(values)[0]
    with np.errstate(invalid="ignore"):
        integers = floats.astype(np.int64)
    integers[integers != floats] = UNREADABLE
    return integers
