"""Arrow in and out: the shape that engines for large data take. Needs pyarrow (extra ``arrow``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from symcf.batch import STATUS
from symcf.errors import InstanceError, LimitError

if TYPE_CHECKING:
    from symcf.batch import BatchExplanation
    from symcf.compiled import Compiled

__all__ = ["explain_batches", "output_schema", "to_table"]

#: The largest offset in a list of `output_schema`: 32 bits, which the widest range of engines takes.
MAX_OFFSET = 2**31 - 1


def output_schema() -> pa.Schema:
    """What `explain_batches` gives: row, prediction, status, and the change sets as lists of feature indices."""
    return pa.schema(
        [
            pa.field("row", pa.int64(), nullable=False),
            pa.field("prediction", pa.uint8(), nullable=False),
            pa.field("status", pa.string(), nullable=False),
            pa.field("sets", pa.list_(pa.list_(pa.int32())), nullable=False),
        ]
    )


def explain_batches(
    compiled: Compiled, batches: Iterable[Any], *, first_row: int = 0, **options: Any
) -> Iterator[pa.RecordBatch]:
    """Explains batch after batch; holds one at a time.

    ``first_row`` is the number of the first row. Other keywords are those of `symcf.fast.explain_batch`.
    """
    from symcf.fast import explain_batch

    row = first_row
    for batch in batches:
        try:
            explained = explain_batch(compiled, batch, **options)
        except InstanceError as error:
            error.add_note(f"in the batch that begins with row {row}")
            raise
        n_rows = len(explained)
        yield from _record_batches(explained, row)
        row += n_rows
        del explained  # before the next one comes


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


def _record_batches(batch: BatchExplanation, first_row: int) -> Iterator[pa.RecordBatch]:
    """In one piece if the offsets can hold it, else in halves."""
    if max(len(batch.features), batch.n_sets) > MAX_OFFSET:
        if len(batch) == 1:
            raise LimitError(
                f"row {first_row} has {batch.n_sets:,} change sets of {len(batch.features):,} features in all, too many"
                f" for a record batch; set max_results or k, or use explain_batch"
            )
        middle = len(batch) // 2
        yield from _record_batches(batch[:middle], first_row)
        yield from _record_batches(batch[middle:], first_row + middle)
        return
    sets = pa.ListArray.from_arrays(pa.array(batch.set_offsets.astype(np.int32)), pa.array(batch.features))
    lists = pa.ListArray.from_arrays(pa.array(batch.row_offsets.astype(np.int32)), sets)
    yield pa.RecordBatch.from_arrays([*_flat_columns(batch, first_row), lists], schema=output_schema())
