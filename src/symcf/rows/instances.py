"""Instances as users hold them -> value codes as the core reads them.

An instance is one row of value codes: a list, a tuple, an array, or a mapping from feature names. Many are a
two-dimensional array, a list of rows, or a DataFrame. Whatever comes in, the core sees a C-contiguous integer array.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.errors import InstanceError, OptionError

__all__ = ["as_row", "as_rows", "feature_index", "feature_indices", "name_bad_codes"]

T = TypeVar("T")

Codes = npt.NDArray[np.integer[Any]]


def as_rows(rows: Any, features: Sequence[str], *, mark: bool = False) -> Codes:
    """A two-dimensional integer array of value codes; no copy if it is one already.

    With ``mark``, what is no integer becomes -1, which is no value of any feature, instead of an error.
    """
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        rows = _from_frame(rows, features)
    elif hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        rows = _from_arrow(rows, features)
    array = _as_array(rows)
    if array.ndim != 2:
        raise InstanceError(f"rows must be two-dimensional, not {array.ndim}-dimensional; one instance is one row")
    if array.shape[1] != len(features):
        raise InstanceError(f"the rows have {array.shape[1]} features, the classifier has {len(features)}")
    return np.ascontiguousarray(_as_integers(array, features, mark))


def as_row(instance: Any, features: Sequence[str]) -> Codes:
    """One instance, as an array of shape (1, n)."""
    if isinstance(instance, Mapping):
        _check_columns(list(instance), features)
        instance = [instance[name] for name in features]
    elif hasattr(instance, "index") and hasattr(instance, "to_numpy"):  # a pandas Series
        index = list(instance.index)
        instance = instance[list(features)] if set(index) == set(features) else instance
    array = _as_array(instance)
    if array.ndim != 1:
        raise InstanceError(f"an instance is one-dimensional, this one has {array.ndim} dimensions")
    if len(array) != len(features):
        raise InstanceError(f"the instance has {len(array)} features, the classifier has {len(features)}")
    if len(features) == 0:
        return np.empty((1, 0), dtype=np.uint8)
    return as_rows(array.reshape(1, -1), features)


def name_bad_codes(call: Callable[[], T], features: Sequence[str], n_values: Sequence[int]) -> T:
    """Runs `call`; a bad code that the core meets is reported with the name of the feature and its range."""
    try:
        return call()
    except InstanceError as error:
        if error.row is None or error.feature is None:
            raise
        named = InstanceError(
            f"row {error.row}, feature {features[error.feature]!r}: {error.value} is not a value code between 0 and "
            f"{n_values[error.feature] - 1}"
        )
        named.row, named.feature, named.value = error.row, error.feature, error.value
        raise named from None


def _as_array(given: Any) -> npt.NDArray[Any]:
    try:
        array = np.asarray(given)
        # numpy makes strings of all values if one of them is one
        return np.array(given, dtype=object) if array.dtype.kind in "US" and array is not given else array
    except ValueError:
        raise InstanceError("the rows do not all have the same number of values") from None


def _from_frame(frame: Any, features: Sequence[str]) -> Any:
    columns = list(frame.columns)
    if all(isinstance(c, str) for c in columns) and columns != list(features):
        _check_columns(columns, features)
        frame = frame[list(features)]
    return frame.to_numpy()


def _from_arrow(rows: Any, features: Sequence[str]) -> Any:
    """Columns of anything that exports Arrow data, side by side."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InstanceError("Arrow data needs pyarrow: pip install 'symcf[arrow]'") from None
    if hasattr(rows, "__arrow_c_array__") and not hasattr(rows, "__arrow_c_stream__"):
        rows = [pa.record_batch(rows)]
    table = pa.Table.from_batches(rows) if isinstance(rows, list) else pa.table(rows)
    _check_columns(table.column_names, features)
    columns = [table.column(name).to_numpy() for name in features]
    numeric = all(column.dtype.kind in "buif" for column in columns)
    kind = np.result_type(*columns) if columns and numeric else object
    array = np.empty((table.num_rows, len(features)), dtype=kind)
    for j, column in enumerate(columns):
        array[:, j] = column
    return array


def _check_columns(columns: Collection[Any], features: Sequence[str]) -> None:
    missing = [name for name in features if name not in columns]
    extra = [name for name in columns if name not in features]
    if missing or extra:
        parts = [f"missing {_list(missing)}"] * bool(missing) + [f"unknown {_list(extra)}"] * bool(extra)
        raise InstanceError(f"the columns do not fit the classifier: {', '.join(parts)}")


def _list(names: Sequence[Any], most: int = 5) -> str:
    shown = ", ".join(map(repr, names[:most]))
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def _as_integers(array: npt.NDArray[Any], features: Sequence[str], mark: bool) -> Codes:
    if array.dtype.kind == "b":
        return array.view(np.uint8)  # a code is a number: True as an index would be a mask
    if array.dtype.kind in "ui":
        native: Codes = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
        return native
    if array.size == 0:
        return array.astype(np.uint8)
    if array.dtype.kind == "O" or (mark and array.dtype.kind in "US"):
        array = _numbers(array, features, mark)
    if array.dtype.kind != "f":
        raise InstanceError(f"value codes are integers, not {array.dtype}")
    with np.errstate(invalid="ignore"):
        integers = array.astype(np.int64)
    if mark:
        return np.where(integers == array, integers, -1)
    wrong = np.argwhere(integers != array)
    if len(wrong):
        row, feature = map(int, wrong[0])
        raise _bad_value(array[row, feature], row, feature, features)
    return integers


def _numbers(array: npt.NDArray[np.object_], features: Sequence[str], mark: bool) -> npt.NDArray[np.float64]:
    numbers = np.empty(array.shape)
    for (row, feature), value in np.ndenumerate(array):
        if isinstance(value, (int, float, np.number, np.bool_)):
            numbers[row, feature] = value
        elif mark:
            numbers[row, feature] = np.nan
        else:
            raise _bad_value(value, row, feature, features)
    return numbers


def _bad_value(value: Any, row: int, feature: int, features: Sequence[str]) -> InstanceError:
    shown = value.item() if isinstance(value, np.generic) else value
    error = InstanceError(f"row {row}, feature {features[feature]!r}: {shown!r} is not a value code")
    error.row, error.feature = row, feature
    return error


def feature_index(feature: Any, features: Sequence[str], option: str) -> int:
    """The index of a feature given by name or by index."""
    if isinstance(feature, str):
        if feature in features:
            return features.index(feature)
        raise OptionError(f"{option}: the classifier has no feature {feature!r}")
    if isinstance(feature, (int, np.integer)) and not isinstance(feature, bool):
        if 0 <= feature < len(features):
            return int(feature)
        raise OptionError(f"{option}: {feature} is not the index of one of {len(features)} features")
    raise OptionError(f"{option}: a feature is a name or an index, not {feature!r}")


def feature_indices(chosen: Any, features: Sequence[str], option: str) -> tuple[int, ...]:
    """The indices of several features, ascending, each once."""
    if isinstance(chosen, (str, int, np.integer)):
        chosen = (chosen,)
    try:
        items = list(chosen)
    except TypeError:
        raise OptionError(f"{option} must list features, not {chosen!r}") from None
    return tuple(sorted({feature_index(item, features, option) for item in items}))
