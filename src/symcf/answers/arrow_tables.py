"""Batches (`SetColumns`) as Arrow data. Needs pyarrow (extra ``arrow``): import it where it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from symcf.answers.summary import STATUS
from symcf.common.extras import missing
from symcf.errors import LimitError, OptionError

try:
    import pyarrow as pa
except ImportError as error:
    raise missing("Arrow data", error, "pyarrow") from None

__all__ = ["output_schema", "record_batches", "split", "to_table"]

#: The largest offset in a list of `output_schema`: 32 bits, which most engines accept.
MAX_OFFSET = 2**31 - 1


def output_schema(keep: Iterable[pa.Field] = ()) -> pa.Schema:
    """What `explain_batches` gives: row, prediction, status, and the change sets as lists of feature indices.

    ``keep`` are the fields of the columns that are copied to the result; they come last. All types are signed, because
    not every engine has others.

    >>> output_schema([pa.field("id", pa.int64())]).names
    ['row', 'prediction', 'status', 'sets', 'id']
    """
    own = [
        pa.field("row", pa.int64(), nullable=False),
        pa.field("prediction", pa.int16(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("sets", pa.list_(pa.list_(pa.int32())), nullable=False),
    ]
    kept = list(keep)
    taken = [field.name for field in own]
    for field in kept:
        if field.name in taken:
            raise OptionError(f"keep: the result has a column {field.name!r} of its own; rename yours")
        taken.append(field.name)
    return pa.schema([*own, *kept])


def split(batch: Any, keep: Sequence[str]) -> tuple[Any, pa.RecordBatch | None]:
    """The columns to explain, and those to copy to the result."""
    if isinstance(keep, str):
        raise OptionError(f"keep must be a list of columns, not the string {keep!r}")
    if not keep:
        return batch, None
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        # data frames of pandas before 2.2 are no streams, but pyarrow reads them
        if not any(hasattr(batch, f"__{name}__") for name in ("arrow_c_stream", "arrow_c_array", "dataframe")):
            raise OptionError(f"keep: batches must be Arrow data, not {type(batch).__name__}")
        batch = pa.table(batch) if hasattr(batch, "__arrow_c_stream__") else pa.record_batch(batch)
    for name in keep:
        if name not in batch.schema.names:
            raise OptionError(f"keep: there is no column {name!r}")
    kept = batch.select(list(keep))
    rest = [name for name in batch.schema.names if name not in keep]
    if isinstance(kept, pa.Table):
        columns = [column.combine_chunks() for column in kept.columns]
        kept = pa.RecordBatch.from_arrays(columns, schema=kept.schema)
    return batch.select(rest), kept


def to_table(batch: Any) -> pa.Table:
    """A batch as a table; the columns are not copied."""
    features = pa.array(batch.features)
    sets = pa.LargeListArray.from_arrays(pa.array(batch.set_offsets), features)
    columns = [*_flat_columns(batch, 0), pa.LargeListArray.from_arrays(pa.array(batch.row_offsets), sets)]
    return pa.table(columns, names=output_schema().names)


def _flat_columns(batch: Any, first_row: int) -> list[pa.Array]:
    rows = np.arange(first_row, first_row + len(batch))
    status = pa.DictionaryArray.from_arrays(batch.status.astype(np.int8), pa.array(STATUS)).cast(pa.string())
    return [pa.array(rows), pa.array(batch.prediction), status]


def record_batches(batch: Any, first_row: int, kept: pa.RecordBatch | None = None) -> Iterator[pa.RecordBatch]:
    """In one piece if the offsets fit 32 bits, else in halves."""
    if max(len(batch.features), batch.n_sets) > MAX_OFFSET:
        if len(batch) == 1:
            raise LimitError(
                f"row {first_row} has {batch.n_sets:,} change sets of {len(batch.features):,} features in all, too many"
                f" for a record batch; set max_results or k, or use explain_batch"
            )
        middle = len(batch) // 2
        before, after = (None, None) if kept is None else (kept.slice(0, middle), kept.slice(middle))
        yield from record_batches(batch[:middle], first_row, before)
        yield from record_batches(batch[middle:], first_row + middle, after)
        return
    sets = pa.ListArray.from_arrays(pa.array(batch.set_offsets.astype(np.int32)), pa.array(batch.features))
    lists = pa.ListArray.from_arrays(pa.array(batch.row_offsets.astype(np.int32)), sets)
    row, prediction, status = _flat_columns(batch, first_row)
    columns = [row, prediction.cast(pa.int16()), status, lists, *([] if kept is None else kept.columns)]
    yield pa.RecordBatch.from_arrays(columns, schema=output_schema([] if kept is None else kept.schema))
