"""Batches on Dask: tables larger than one machine, explained where they are stored. Needs the extra ``dask``.

`explain` gives a Dask DataFrame; `explain_to_parquet` is a job that writes files and can be run again after a crash.
Workers read their own parts of the input, so no row passes through the scheduler. The compiled classifier is one task
of the graph, named by its checksum: each worker receives it once, from the scheduler or from another worker.

    audits.py       the same for `symcf.audit`: tallies that add up
    work.py         what a task is told: the classifier, the keywords, the columns
    inputs.py       files or a DataFrame -> parts, and the tasks on them
    runs.py         where the tasks run: on a cluster, or in threads of this process
    splits.py       files cut into parts that can be read on their own
    job_directory.py   the directory of a job, its manifest and its lock
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcf.common.extras import missing

try:
    import dask.dataframe as dd
    import distributed as distributed
    import pyarrow as pyarrow
except ImportError as error:
    raise missing("symcf.cluster", error, "dask") from None

from symcf.cluster import job_directory, runs
from symcf.cluster.audits import audit
from symcf.cluster.inputs import Cuts, Files, Frame, open_input
from symcf.cluster.work import BATCH_ROWS, Work, Writing, checked_compression, empty_frame
from symcf.common.threads import Progress, reporter
from symcf.compiled import Compiled
from symcf.errors import JobError, OptionError
from symcf.fast import option_defaults

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Report", "audit", "explain", "explain_to_parquet"]

#: Rows of Parquet that make a part, and bytes of CSV that do.
PART_ROWS, PART_BYTES = 1_000_000, 64 << 20


def explain(
    compiled: Compiled,
    source: Any,
    *,
    keep: Sequence[str] = (),
    by_row: Mapping[str, str] | None = None,
    part_rows: int | None = PART_ROWS,
    part_bytes: int | None = PART_BYTES,
    format: str | None = None,
    delimiter: str | None = None,
    csv_types: Mapping[str, Any] | None = None,
    batch_rows: int = BATCH_ROWS,
    lengths: bool | Sequence[int] = True,
    **options: Any,
) -> dd.DataFrame:
    """The minimal counterfactuals of every row, as a Dask DataFrame with the columns of `symcf.arrow.output_schema`.

    Nothing is explained before the result is computed or written. Other keywords are those of
    `symcf.fast.explain_batch`; ``time_limit`` is per batch of rows, ``n_jobs`` the number of threads per task.

    Parameters
    ----------
    source:
        A Dask DataFrame; or Parquet or CSV files: a path, a directory, a pattern, an address that pyarrow knows
        (``s3://...``), or a list of these. Workers must see the same files. Columns other than the classifier's are
        not read.
    keep:
        Columns that are copied to the result.
    by_row:
        By keyword, the column that holds it for each row, such as ``{"target": "wanted", "immutable": "fixed"}``; see
        `symcf.fast.explain_batches`. These columns are copied to the result, too.
    part_rows:
        Neighbouring row groups of a Parquet file are one part as long as they have at most this many rows. None: a part
        is a file.
    part_bytes:
        A CSV file is cut into parts of about this many bytes, at ends of lines; None, or a compressed file: a part is a
        file. Cells with line breaks in them need None.
    format, delimiter, csv_types:
        "parquet" or "csv", where the names of the files do not tell; the separator in CSV files; Arrow types of columns
        in CSV files, for the kept ones and for classifiers that read raw columns (others hold value codes).
    batch_rows:
        Rows that a task explains at a time. Fewer take less memory.
    lengths:
        For a Dask DataFrame: True counts the rows of its partitions first, so that ``row`` numbers all of them. False
        saves that; ``row`` then numbers those of a partition. A list is taken as the lengths.

    Rows of a DataFrame keep its index; those of files are indexed by their numbers.
    """
    if "progress" in options:
        raise OptionError("progress: nothing is computed yet; use Dask's own progress bar when you compute the result")
    work = Work.checked(compiled, options, batch_rows, keep, by_row)
    given = open_input(source, work, Cuts(part_rows, part_bytes), format, delimiter, csv_types, lengths)
    work = work.keeping(given.kept)
    parts = given.parts(runs.chosen(None, None))
    tasks = given.explain_tasks(work, parts)
    meta = given.with_index(empty_frame(work))
    return dd.from_delayed(tasks, meta=meta, divisions=given.divisions(parts), verify_meta=False)


@dataclass(frozen=True)
class Report:
    """What a job has done."""

    directory: Path
    #: Parts and rows of the whole result.
    parts: int
    rows: int
    #: Parts and rows that this run has done; the others were finished before.
    parts_now: int
    rows_now: int
    #: Change sets and bytes of files that this run has written.
    sets_now: int
    bytes_now: int
    #: Bytes of the classifier as it is sent to a worker.
    model_bytes: int
    seconds: float

    def __str__(self) -> str:
        there = f" ({self.parts - self.parts_now} were finished before)" if self.parts_now < self.parts else ""
        parts = f"{self.parts} part{'s' * (self.parts != 1)}{there}"
        return f"{self.rows:,} rows in {parts} in {self.directory}: {self.seconds:.1f} s"


def explain_to_parquet(
    compiled: Compiled,
    source: Any,
    directory: str | os.PathLike[str],
    *,
    keep: Sequence[str] = (),
    by_row: Mapping[str, str] | None = None,
    part_rows: int | None = PART_ROWS,
    part_bytes: int | None = PART_BYTES,
    format: str | None = None,
    delimiter: str | None = None,
    csv_types: Mapping[str, Any] | None = None,
    batch_rows: int = BATCH_ROWS,
    lengths: bool | Sequence[int] = True,
    compression: str = "zstd",
    client: Client | None = None,
    scheduler: str | None = None,
    progress: Progress = None,
    **options: Any,
) -> Report:
    """Explains every row and writes the result as Parquet, one file per part of the input.

    Run it again after a crash with the same arguments, and it does the missing parts. A classifier, parameters or input
    files that differ from those it began with are refused, and so are two runs at a time. A file with the name of a
    part is complete; files that are being written have names that readers of Parquet skip.

    Takes the keywords of `explain`, and these:

    Parameters
    ----------
    directory:
        Where the result goes. A file system that all workers see.
    compression:
        Of the result: "zstd", "snappy", "lz4", "none", ...
    client:
        A ``distributed.Client``. By default, the one that is active, if any.
    scheduler:
        Without a client: "threads" (the default), "processes" or "synchronous".
    progress:
        True for a progress bar on stderr, or a function that is called with (rows done, rows in all).
    """
    began = time.perf_counter()
    run = runs.chosen(client, scheduler)
    work = Work.checked(compiled, options, batch_rows, keep, by_row)
    checked_compression(compression)
    if lengths is False:
        raise OptionError("lengths: a job must count the rows, to know later what is missing; give True or the lengths")
    target = _checked_directory(directory)
    cuts = Cuts(part_rows, part_bytes)
    given = open_input(source, work, cuts, format, delimiter, csv_types, lengths, skip=str(target))
    work = work.keeping(given.kept)
    others = {"order": compiled.order, "keep": list(work.keep), "compression": compression, **given.parameters}
    others |= {} if by_row is None else {"by_row": dict(by_row)}
    asked = job_directory.parameters(options, option_defaults(), **others)
    with job_directory.locked(target):
        job = job_directory.Job.resumed(target, work.checksum, asked, given.identity)
        if job is None:
            job = job_directory.Job.begun(target, work.checksum, asked, given.identity, given.parts(run))
        job.clean()
        writing = Writing(target, job.manifest.job, f"{job.manifest.job}-{uuid.uuid4().hex}", work, compression)
        with reporter(progress, job.manifest.rows) as report:
            done = _write_missing(job, given, writing, run, report)
        job.clean()
    return Report(
        target,
        parts=len(job.manifest.parts),
        rows=job.manifest.rows,
        parts_now=len(done),
        rows_now=sum(one.rows for one in done),
        sets_now=sum(one.sets for one in done),
        bytes_now=sum(one.bytes for one in done),
        model_bytes=len(work.model),
        seconds=time.perf_counter() - began,
    )


def _checked_directory(directory: str | os.PathLike[str]) -> Path:
    if "://" in os.fspath(directory):
        raise OptionError(
            f"directory: {directory} is not a path of a file system; use explain(...).to_parquet(...) instead"
        )
    return Path(os.path.abspath(directory))


def _write_missing(
    job: job_directory.Job, given: Files | Frame, writing: Writing, run: runs.Run, report: Any
) -> list[job_directory.Done]:
    missing = job.missing()
    rows = job.manifest.rows - sum(job.manifest.parts[i].rows for i in missing)

    def tell(done: job_directory.Done) -> None:
        nonlocal rows
        rows += done.rows
        path = job.path(done.number)
        if not path.exists():
            raise JobError(f"{path}: a worker wrote it, but it cannot be seen here; the directory must be shared")
        if report is not None:
            report(rows)

    if report is not None:
        report(rows)
    if not missing:
        return []
    with runs.stopping(writing.run):
        tasks = given.write_tasks(writing, [(i, job.manifest.parts[i]) for i in missing])
        finished: list[job_directory.Done] = run(tasks, tell)
        return finished
