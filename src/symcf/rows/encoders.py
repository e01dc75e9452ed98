"""Encoders: the user's raw rows -> value codes.

Rows come as DataFrames, arrays, lists of rows or of dicts, or Arrow data; one instance as a dict, a Series or a
sequence. All of them are read column by column, because columns are what has a type.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import InstanceError, ModelError
from symcf.models.base import Codes, checked_features, checked_names, register_encoder
from symcf.models.scaling import numbers
from symcf.rows.instances import _as_array, _check_columns, _from_arrow

__all__ = ["Intervals", "columns_of", "columns_of_one"]

Column = npt.NDArray[Any]


class Intervals:
    """Numbers -> the codes of the intervals that they lie in; labels -> their codes.

    Parameters
    ----------
    features:
        Names.
    thresholds:
        For each feature its thresholds, ascending: a number x has the code of the first threshold with
        ``x <= threshold``, and the last code if there is none. None for a feature with labels.
    values:
        For each feature without thresholds its labels, by code.
    float32:
        Rounds numbers to 32-bit floats before comparing, as scikit-learn's trees do.

    >>> Intervals(["age", "colour"], [[25.5, 40], None], values=[None, ["red", "blue"]]).encode([[40, "blue"]])
    array([[1, 1]])
    """

    def __init__(
        self,
        features: Sequence[str],
        thresholds: Sequence[Sequence[float] | npt.NDArray[np.float64] | None],
        *,
        values: Sequence[Sequence[Hashable] | None] | None = None,
        float32: bool = False,
    ) -> None:
        self.features = checked_features(features, len(thresholds))
        self.thresholds = tuple(map(_checked_thresholds, thresholds, self.features))
        if values is not None and len(values) != len(thresholds):
            raise ModelError(f"values names the values of {len(values)} features, thresholds has {len(thresholds)}")
        self.values = tuple(
            None if t is not None else _checked_labels(None if values is None else values[j], self.features[j])
            for j, t in enumerate(self.thresholds)
        )
        if not isinstance(float32, bool):
            raise ModelError(f"float32 must be True or False, not {float32!r}")
        self.float32 = float32
        self._codes = [None if labels is None else {v: k for k, v in enumerate(labels)} for labels in self.values]

    def encode(self, rows: Any, *, mark: bool = False) -> Codes:
        """Value codes of many rows; with ``mark``, what cannot be read becomes -1 instead of an error."""
        columns = columns_of(rows, self.features)
        return self._encode(columns, len(columns[0]) if columns else len(rows), mark)

    def encode_one(self, instance: Any) -> Codes:
        """Value codes of one instance, as an array of shape (1, n)."""
        return self._encode(columns_of_one(instance, self.features), 1, False)

    def _encode(self, columns: list[Column], n_rows: int, mark: bool) -> Codes:
        codes = np.empty((n_rows, len(self.features)), dtype=np.int64)
        for j, (column, thresholds, places) in enumerate(zip(columns, self.thresholds, self._codes, strict=True)):
            if thresholds is not None:
                codes[:, j] = self._intervals(column, thresholds)
            elif places is not None:
                codes[:, j] = [_place(places, label) for label in column.tolist()]
            bad = np.flatnonzero(codes[:, j] < 0)
            if len(bad) and not mark:
                raise self._unreadable(column[bad[0]], int(bad[0]), j)
        return codes

    def _intervals(self, column: Column, thresholds: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        x = _as_floats(column)
        if self.float32:
            with np.errstate(over="ignore"):
                x = x.astype(np.float32).astype(np.float64)
        return np.where(np.isnan(x), -1, np.searchsorted(thresholds, x, side="left"))

    def _unreadable(self, value: Any, row: int, feature: int) -> InstanceError:
        labels = self.values[feature]
        plain = value.item() if isinstance(value, np.generic) else value
        if _is_missing(plain):
            problem = "the value is missing"
        elif labels is None:
            problem = f"{plain!r} is not a number"
        else:
            shown = ", ".join(map(repr, labels[:10])) + (", ..." if len(labels) > 10 else "")
            problem = f"{plain!r} is not one of {shown}"
        error = InstanceError(f"row {row}, feature {self.features[feature]!r}: {problem}")
        error.row, error.feature = row, feature
        return error

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "encoder": "intervals",
            "features": list(self.features),
            "thresholds": [None if t is None else t.tolist() for t in self.thresholds],
            "values": [None if labels is None else list(labels) for labels in self.values],
            "float32": self.float32,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Intervals:
        """The inverse of `to_dict`."""
        return cls(data["features"], data["thresholds"], values=data.get("values"), float32=data.get("float32", False))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Intervals):
            return NotImplemented
        return (self.features, self.values, self.float32) == (other.features, other.values, other.float32) and all(
            a is b or (a is not None and b is not None and np.array_equal(a, b))
            for a, b in zip(self.thresholds, other.thresholds, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.features, self.float32))

    def __repr__(self) -> str:
        n = len(self.features)
        return f"Intervals({n} feature{'s' * (n != 1)})"


register_encoder("intervals", Intervals.from_dict)


# --- rows as columns --------------------------------------------------------------------------------------------------


def columns_of(rows: Any, features: Sequence[str]) -> list[Column]:
    """The columns of many rows, in the order of the features."""
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        return _frame_columns(rows, features)
    if isinstance(rows, (list, tuple)) and rows and all(isinstance(row, Mapping) for row in rows):
        for row in rows:
            _check_columns(row, features)
        return [_objects([row[name] for row in rows]) for name in features]
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        rows = _from_arrow(rows, features)
    array = _as_array(rows)
    if array.ndim != 2:
        raise InstanceError(f"rows must be two-dimensional, not {array.ndim}-dimensional; one instance is one row")
    if array.shape[1] != len(features):
        raise InstanceError(f"the rows have {array.shape[1]} features, the classifier has {len(features)}")
    return list(array.T)


def columns_of_one(instance: Any, features: Sequence[str]) -> list[Column]:
    """One instance as columns with one entry."""
    if isinstance(instance, Mapping):
        _check_columns(instance, features)
        instance = [instance[name] for name in features]
    elif hasattr(instance, "index") and hasattr(instance, "to_numpy"):  # a pandas Series
        named = set(instance.index) == set(features)
        instance = instance[list(features)].tolist() if named else instance.tolist()
    try:
        items = [] if isinstance(instance, (str, bytes)) else list(instance)
    except TypeError:
        items = []
    if not items and features:
        raise InstanceError(f"an instance is a row of {len(features)} values, not {instance!r}")
    if len(items) != len(features):
        raise InstanceError(f"the instance has {len(items)} features, the classifier has {len(features)}")
    return [_objects([item]) for item in items]


def _frame_columns(frame: Any, features: Sequence[str]) -> list[Column]:
    columns = list(frame.columns)
    if all(isinstance(c, str) for c in columns):
        _check_columns(columns, features)
        if len(columns) != len(features):
            raise InstanceError("the columns do not fit the classifier: a name appears twice")
        return [frame[name].to_numpy() for name in features]
    if len(columns) != len(features):
        raise InstanceError(f"the rows have {len(columns)} features, the classifier has {len(features)}")
    return [frame.iloc[:, j].to_numpy() for j in range(len(features))]


def _objects(items: list[Any]) -> npt.NDArray[np.object_]:
    """An array of these very things, also where they are lists."""
    array = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        array[i] = item
    return array


def _as_floats(column: Column) -> npt.NDArray[np.float64]:
    """The numbers of a column; NaN for what is none."""
    if column.dtype.kind in "buif":
        return column.astype(np.float64)
    if column.dtype.kind in "mM":  # times, which tolist might turn into integers
        return np.full(len(column), math.nan)
    return np.array([_as_float(item) for item in column.tolist()], dtype=np.float64)


def _as_float(item: Any) -> float:
    if not isinstance(item, (Real, np.bool_)):
        return math.nan
    try:
        return float(item)
    except OverflowError:  # an integer of hundreds of digits
        return math.copysign(math.inf, item)


def _place(places: Mapping[Hashable, int], label: Any) -> int:
    try:
        return places.get(label, -1)
    except TypeError:  # a list, for example
        return -1


def _is_missing(value: Any) -> bool:
    # pandas' NA and NaT refuse to be compared
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )


# --- checks -----------------------------------------------------------------------------------------------------------


def _checked_thresholds(given: Any, feature: str) -> npt.NDArray[np.float64] | None:
    if given is None:
        return None
    thresholds = numbers(given, f"the thresholds of feature {feature!r}").astype(np.float64)
    if thresholds.ndim != 1:
        raise ModelError(f"the thresholds of feature {feature!r} must be a list")
    if not (np.isfinite(thresholds).all() and (np.diff(thresholds) > 0).all()):
        raise ModelError(f"the thresholds of feature {feature!r} must be finite and ascend")
    thresholds.setflags(write=False)
    return thresholds


def _checked_labels(labels: Sequence[Hashable] | None, feature: str) -> tuple[Hashable, ...]:
    if labels is None or len(labels) == 0:
        raise ModelError(f"feature {feature!r} has neither thresholds nor values")
    return checked_names(labels, len(labels), f"values of {feature!r}", [])
