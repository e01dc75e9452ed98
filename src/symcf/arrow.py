"""Arrow in and out: the shape that engines for large data take. Needs pyarrow (extra ``arrow``).

`explain_batches` turns an iterator of record batches into an iterator of record batches of `output_schema`: what
Spark's ``mapInArrow`` asks for, and Ray's ``map_batches`` after ``pa.Table.from_batches``. docs/scaling.md has recipes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from symcf.errors import InstanceError, LimitError, OptionError
from symcf.results.batch import STATUS

if TYPE_CHECKING:
    from symcf.compiled import Compiled
    from symcf.results.batch import BatchExplanation

__all__ = ["explain_batches", "output_schema", "to_table"]

#: The largest offset in a list of `output_schema`: 32 bits, which the widest range of engines takes.
MAX_OFFSET = 2**31 - 1


def output_schema(keep: Iterable[pa.Field] = ()) -> pa.Schema:
    """What `explain_batches` gives: row, prediction, status, and the change sets as lists of feature indices.

    ``keep`` are the fields of the columns that are handed through; they come last. All types are signed, because not
    every engine has others.

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


def explain_batches(
    compiled: Compiled, batches: Iterable[Any], *, first_row: int = 0, keep: Sequence[str] = (), **options: Any
) -> Iterator[pa.RecordBatch]:
    """Explains batch after batch; holds one at a time.

    ``first_row`` is the number of the first row. ``keep`` names columns of Arrow batches that are no features: they are
    handed through, so that the result can be joined with what it is about. Other keywords are those of
    `symcf.fast.explain_batch`.
    """
    from symcf.fast import explain_batch

    row = first_row
    for batch in batches:
        rows, kept = _split(batch, keep)
        try:
            explained = explain_batch(compiled, rows, **options)
        except InstanceError as error:
            error.add_note(f"in the batch that begins with row {row}")
            raise
        n_rows = len(explained)
        yield from _record_batches(explained, row, kept)
        row += n_rows
        del explained, rows, batch  # before the next one comes


def _split(batch: Any, keep: Sequence[str]) -> tuple[Any, pa.RecordBatch | None]:
    """What is to be explained, and what is handed through."""
    if isinstance(keep, str):
        raise OptionError(f"keep must be a list of columns, not the string {keep!r}")
    if not keep:
        return batch, None
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        if not (hasattr(batch, "__arrow_c_stream__") or hasattr(batch, "__arrow_c_array__")):
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


def to_table(batch: BatchExplanation) -> pa.Table:
    """A batch as a table; the columns are not copied."""
    features = pa.array(batch.features)
    sets = pa.LargeListArray.from_arrays(pa.array(batch.set_offsets), features)
    columns = [*_flat_columns(batch, 0), pa.LargeListArray.from_arrays(pa.array(batch.row_offsets), sets)]
    return pa.table(columns, names=output_schema().names)


def _flat_columns(batch: BatchExplanation, first_row: int) -> list[pa.Array]:
    rows = np.arange(first_row, first_row + len(batch))
    status = pa.DictionaryArray.from_arrays(batch.status.astype(np.int8), pa.array(STATUS)).cast(pa.string())
    return [pa.array(rows), pa.array(batch.prediction), status]


def _record_batches(
    batch: BatchExplanation, first_row: int, kept: pa.RecordBatch | None = None
) -> Iterator[pa.RecordBatch]:
    """In one piece if the offsets can hold it, else in halves."""
    if max(len(batch.features), batch.n_sets) > MAX_OFFSET:
        if len(batch) == 1:
            raise LimitError(
                f"row {first_row} has {batch.n_sets:,} change sets of {len(batch.features):,} features in all, too many"
                f" for a record batch; set max_results or k, or use explain_batch"
            )
        middle = len(batch) // 2
        before, after = (None, None) if kept is None else (kept.slice(0, middle), kept.slice(middle))
        yield from _record_batches(batch[:middle], first_row, before)
        yield from _record_batches(batch[middle:], first_row + middle, after)
        return
    sets = pa.ListArray.from_arrays(pa.array(batch.set_offsets.astype(np.int32)), pa.array(batch.features))
    lists = pa.ListArray.from_arrays(pa.array(batch.row_offsets.astype(np.int32)), sets)
    row, prediction, status = _flat_columns(batch, first_row)
    columns = [row, prediction.cast(pa.int16()), status, lists, *([] if kept is None else kept.columns)]
    yield pa.RecordBatch.from_arrays(columns, schema=output_schema([] if kept is None else kept.schema))
