"""What a task knows, and what it does: rows in, record batches out, to a DataFrame or to a file."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from dask.base import tokenize
from dask.delayed import Delayed, delayed

from symcf import arrow
from symcf.cluster import job_directory
from symcf.cluster.runs import check_stopped
from symcf.common.options import checked_count
from symcf.compiled import Compiled
from symcf.errors import InstanceError, OptionError
from symcf.fast import checked_columns, explain_batch
from symcf.system.archive import fingerprint

__all__ = ["BATCH_ROWS", "Place", "Work", "Writing", "checked_compression", "empty_frame", "to_frame"]

#: Rows that are explained at a time.
BATCH_ROWS = 50_000

#: A smaller classifier is sent as it is; from a larger one, a diagram that the engine does not use is left out.
SMALL = 1 << 20


@dataclass(frozen=True)
class Work:
    """What to do with every part. Small when it is sent: the classifier is a separate task."""

    #: `fingerprint` of the classifier.
    checksum: str
    #: Keywords of `explain_batch`.
    options: Mapping[str, Any]
    batch_rows: int
    #: The columns that the classifier reads, and whether they hold value codes.
    columns: tuple[str, ...]
    codes: bool
    #: The columns that are copied to the result, by name and, once the input is known, by type.
    keep: tuple[str, ...]
    kept: tuple[pa.Field, ...]
    #: By keyword that differs from row to row, the column that holds it; one of those that are copied.
    by_row: Mapping[str, str]
    #: The classifier, pickled.
    model: bytes

    @classmethod
    def checked(
        cls,
        compiled: Compiled,
        options: Mapping[str, Any],
        batch_rows: int,
        keep: Sequence[str],
        by_row: Mapping[str, str] | None = None,
    ) -> Work:
        """All arguments are checked here, before anything is sent."""
        if not isinstance(compiled, Compiled):
            raise TypeError(f"c must be a compiled classifier, not {type(compiled).__name__}: call symcf.compile first")
        columns = _columns(compiled)
        kept = _checked_keep(keep, columns)
        kept += tuple(name for name in (by_row or {}).values() if name not in kept)
        # Without rows: this checks the keywords, and builds the diagram now if every worker would need it.
        explain_batch(compiled, np.zeros((0, len(columns)), dtype=np.uint8), **options)
        rows = checked_count(batch_rows, "batch_rows", least=1)
        return cls(
            checksum=fingerprint(compiled),
            options=dict(options),
            batch_rows=BATCH_ROWS if rows is None else rows,
            columns=columns,
            codes=getattr(compiled.model, "encoder", None) is None,
            keep=_checked_keep(kept, columns),
            kept=(),
            by_row=dict(checked_columns(by_row, kept, options)),
            model=_pickled(compiled, options),
        )

    @property
    def mark(self) -> bool:
        """Whether bad rows are marked."""
        return self.options.get("errors") == "mark"

    @property
    def schema(self) -> pa.Schema:
        """The schema of the result."""
        return arrow.output_schema(self.kept)

    @property
    def token(self) -> str:
        """Part of the names of tasks."""
        return str(
            tokenize(self.checksum, self.options, self.batch_rows, self.by_row, [str(field) for field in self.kept])
        )

    def keeping(self, kept: Sequence[pa.Field]) -> Work:
        """The same, with the types of the kept columns."""
        return replace(self, kept=tuple(kept))

    def model_task(self) -> Delayed:
        """The classifier as a task, named by its content."""
        key = f"symcf-model-{self.checksum.partition(':')[2][:32]}-{tokenize(self.model)}"
        return delayed(pickle.loads, pure=True, traverse=False)(self.model, dask_key_name=key)

    def without_model(self) -> Work:
        """What is sent with every task."""
        return replace(self, model=b"")

    def explained(self, compiled: Compiled, rows: Iterator[Any], place: Place) -> Iterator[pa.RecordBatch]:
        """The rows of a part, explained batch by batch."""
        with place.naming():
            yield from arrow.explain_batches(
                compiled, place.watched(rows), first_row=place.row, keep=self.keep, by_row=self.by_row, **self.options
            )


def _columns(compiled: Compiled) -> tuple[str, ...]:
    """The columns that the classifier reads: its features, unless it reads raw columns."""
    encoder = getattr(compiled.model, "encoder", None)
    return compiled.features if encoder is None else encoder.layout.names


def _checked_keep(keep: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    if isinstance(keep, str) or not all(isinstance(name, str) for name in keep):
        raise OptionError(f"keep must be a list of names of columns, not {keep!r}")
    for name in keep:
        if name in columns:
            raise OptionError(f"keep: {name!r} is a column that the classifier reads; keep a copy under another name")
    arrow.output_schema(pa.field(name, pa.null()) for name in keep)  # refuses names that are in use
    return tuple(keep)


def _pickled(compiled: Compiled, options: Mapping[str, Any]) -> bytes:
    """Frozen arrays and names. CUDD's managers stay here, and so does a large diagram that the engine does not use."""
    whole = pickle.dumps(compiled, pickle.HIGHEST_PROTOCOL)
    if len(whole) < SMALL or compiled.threshold is None or options.get("engine", "auto") not in ("auto", "cover"):
        return whole
    return pickle.dumps(Compiled(compiled.model, compiled.order, compiled.limits), pickle.HIGHEST_PROTOCOL)


def checked_compression(compression: str) -> str:
    """The name that pyarrow uses."""
    known = isinstance(compression, str) and (compression == "none" or _is_available(compression))
    if not known:
        raise OptionError(f"unknown compression {compression!r}: choose 'zstd', 'snappy', 'lz4', 'gzip' or 'none'")
    return compression


def _is_available(compression: str) -> bool:
    try:
        return bool(pa.Codec.is_available(compression))
    except ValueError:
        return False


# --- where a task is --------------------------------------------------------------------------------------------------


class Place:
    """The position of a task in its input, for errors."""

    def __init__(self, where: str, first_row: int, run: str = "") -> None:
        self.where, self.row, self._run = where, first_row, run

    def watched(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The batches, counted."""
        for batch in batches:
            check_stopped(self._run)
            yield batch
            self.row += len(batch)

    @contextlib.contextmanager
    def naming(self) -> Iterator[None]:
        """A bad row is named by its file and by its number in the whole input."""
        try:
            yield
        except InstanceError as error:
            row = None if error.row is None else self.row + error.row
            raise error.at(row=row, where=self.where) from None


# --- results ---------------------------------------------------------------------------------------------------------


def to_frame(batches: Iterator[pa.RecordBatch], work: Work) -> pd.DataFrame:
    """A partition of the result. Lists stay in Arrow's format; pandas would make a Python object of each."""
    return pa.Table.from_batches(batches, schema=work.schema).to_pandas(types_mapper=pd.ArrowDtype)


def empty_frame(work: Work) -> pd.DataFrame:
    """The empty table that tells Dask the columns of the result."""
    return to_frame(iter(()), work)


@dataclass(frozen=True)
class Writing:
    """What a task needs to write its part of a job."""

    directory: Path
    job: str
    #: Different for each run of the same job.
    run: str
    work: Work
    compression: str

    def key(self, number: int) -> str:
        """The name of the task that writes this part."""
        return f"{self.run}:{number}"

    def without_model(self) -> Writing:
        """What is sent with every task."""
        return replace(self, work=self.work.without_model())

    def write(self, compiled: Compiled, number: int, rows: Iterator[Any], place: Place) -> job_directory.Done:
        """Explains rows and writes them as one part."""
        batches = self.work.explained(compiled, rows, place)
        return job_directory.write_part(self.directory, self.job, number, self.work.schema, batches, self.compression)
