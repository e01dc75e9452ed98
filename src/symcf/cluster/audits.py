"""Audits on Dask: each worker tallies its own parts, and the tallies are added up here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import pandas as pd
import pyarrow as pa
from dask.delayed import delayed

from symcf.analysis.audit.audit import Plan, audit_rows, finished
from symcf.analysis.audit.result import Audit
from symcf.analysis.audit.tally import Tally
from symcf.answers import arrow_tables as arrow
from symcf.cluster import runs, splits
from symcf.cluster.inputs import Cuts, Files, open_input, slices
from symcf.cluster.splits import Part
from symcf.cluster.work import BATCH_ROWS, Place, Work
from symcf.common.clock import Clock
from symcf.common.threads import Progress, reporter
from symcf.compiled import Compiled
from symcf.errors import OptionError
from symcf.question.question import Keywords

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["audit"]

#: Rows of Parquet that make a part, and bytes of CSV that do.
PART_ROWS, PART_BYTES = 1_000_000, 64 << 20


def audit(
    compiled: Compiled,
    source: Any,
    *,
    protected: Any = (),
    groups: str | None = None,
    monotone: Mapping[Any, str] | None = None,
    time_limit: float | None = None,
    errors: str = "raise",
    part_rows: int | None = PART_ROWS,
    part_bytes: int | None = PART_BYTES,
    format: str | None = None,
    delimiter: str | None = None,
    csv_types: Mapping[str, Any] | None = None,
    batch_rows: int = BATCH_ROWS,
    lengths: bool | Sequence[int] = True,
    client: Client | None = None,
    scheduler: str | None = None,
    progress: Progress = None,
    **question: Unpack[Keywords],
) -> Audit:
    """`symcf.audit` of a Dask DataFrame, or of Parquet or CSV files, computed where they are stored.

    ``groups`` is a feature or another column. ``data`` are rows to measure distances in, where costs are distances.
    ``time_limit`` is for each batch of rows. The other keywords are those of
    `symcf.audit` and of `explain`. Numbers of rows count through all parts.
    """
    if groups is not None and not isinstance(groups, str):
        raise OptionError(f"groups: name a feature or a column, not {type(groups).__name__}")
    plan = Plan.checked(
        compiled, question, None, protected=protected, monotone=monotone, time_limit=time_limit, errors=errors
    )
    run = runs.chosen(client, scheduler)
    keep = [groups] if groups is not None and groups not in compiled.features else []
    work = Work.checked(compiled, {**plan.question, "k": 1, "errors": errors}, batch_rows, keep)
    given = open_input(source, work, Cuts(part_rows, part_bytes), format, delimiter, csv_types, lengths)
    work = work.keeping(given.kept)
    parts = given.parts(run)
    model, told = work.model_task(), work.without_model()
    if isinstance(given, Files):
        task = delayed(_audit_file, pure=True)
        tasks = [task(model, part, given.layout, told, plan, groups) for part in parts]
    else:
        task = delayed(_audit_frame, pure=True)
        pieces = given.pieces()
        tasks = [task(model, piece, part, told, plan, groups) for piece, part in zip(pieces, parts, strict=True)]
    tally, rows = Tally(), 0
    with reporter(progress, sum(part.rows for part in parts)) as report:

        def tell(done: Tally) -> None:
            nonlocal rows
            rows += sum(group.rows for group in done.groups.values())
            if report is not None:
                report(rows)

        for part in run(tasks, tell):
            tally.add(part)
    return finished(compiled, plan, tally, Clock(plan.time_limit))


def _audit_file(
    compiled: Compiled, part: Part, layout: splits.Layout, work: Work, plan: Plan, groups: str | None
) -> Tally:
    """A task: a part of a file, tallied."""
    rows = splits.read(part, layout, work.batch_rows, mark=work.mark)
    return _tallied(compiled, rows, Place(part.path, part.first_row), work, plan, groups)


def _audit_frame(
    compiled: Compiled, frame: pd.DataFrame, part: Part, work: Work, plan: Plan, groups: str | None
) -> Tally:
    """A task: a partition, tallied."""
    place = Place(f"partition {part.start}", part.first_row)
    return _tallied(compiled, slices(frame, work), place, work, plan, groups)


def _tallied(
    compiled: Compiled, batches: Iterator[Any], place: Place, work: Work, plan: Plan, groups: str | None
) -> Tally:
    tally = Tally()
    with place.naming():
        for batch in place.watched(batches):
            rows, kept = arrow.split(batch, work.keep)
            labels = groups if kept is None else kept.column(0).to_pylist()
            table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
            part, _, _ = audit_rows(compiled, plan, table, labels, Clock(plan.time_limit), first_row=place.row)
            tally.add(part)
    return tally
