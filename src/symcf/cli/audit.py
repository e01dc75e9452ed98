"""The command that audits a table: audit."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

import symcf
from symcf.analysis.audit.audit import Plan, audit_rows, finished
from symcf.analysis.audit.result import GROUP_COLUMNS, Audit
from symcf.analysis.audit.tally import MISSING, Tally
from symcf.cli import asked as a
from symcf.cli import options as o
from symcf.cli.declared import Option
from symcf.cli.exits import LIMIT, InputError, say
from symcf.cli.models import open_compiled, taking_codes
from symcf.cli.output import csv_cell, format_for, open_output, plain, to_terminal
from symcf.cli.progress import progress
from symcf.cli.tables import Chunk, Data
from symcf.common.clock import Clock
from symcf.common.options import limit_of

__all__ = ["GroupBy", "audit", "joined"]

#: The exit code if a limit of the audit is broken.
BROKEN = 1

#: Rows that are audited at a time.
BLOCK = 1 << 16

#: Rows that a table names; the other formats have them all.
NAMED = 20

LIMITS = "Limits (exit code 1 if one is broken)"

GroupBy = Annotated[
    str | None,
    o.asking(
        "--group",
        metavar="COLUMN",
        names="column",
        help="A feature, or any other column of DATA: its values are the groups.",
    ),
]
Monotone = Annotated[
    list[str] | None,
    o.asking(
        "--monotone",
        metavar="FEATURE=WHAT",
        names="feature=",
        help="increasing or decreasing: how the target should depend on it. May be repeated. Always a limit.",
    ),
]
MaxLockedOut = Annotated[
    str | None,
    Option("--max-locked-out", metavar="N", help="Rows, or a share (5%) of those not at the target.", panel=LIMITS),
]
MaxBias = Annotated[
    str | None,
    Option("--max-bias", metavar="N", help="Rows, or a share, that protected features decide.", panel=LIMITS),
]
MaxUndecided = Annotated[
    str | None,
    Option("--max-undecided", metavar="N", help="Rows, or a share, of which it is not known.", panel=LIMITS),
]
Page = Annotated[str | None, o.writing("--page", metavar="FILE", names="file", help="Also write an HTML page to read.")]


def audit(
    model: o.ModelFile,
    data: o.DataFile,
    *,
    asking: o.Asking,
    costs: o.Distances,
    max_changes: o.MaxChanges = None,
    protected: o.Protected = None,
    group: GroupBy = None,
    monotone: Monotone = None,
    max_locked_out: MaxLockedOut = None,
    max_bias: MaxBias = None,
    max_undecided: MaxUndecided = None,
    time_limit: o.TimeLimit = None,
    jobs: o.Jobs = 1,
    format: o.FormatOption = None,
    output: o.Output = None,
    page: Page = None,
    reading: o.Input,
    mark_bad_rows: o.MarkBad = False,
    trust: o.Trust = False,
) -> int:
    """Who is locked out, how many changes and what cost each group needs, which features help, and what depends on
    protected ones.

    Exit code 0 if no limit is broken, 1 if one is (stderr says which), 3 if something is not known. Rows count from 1.

    Example: symcf audit loans.symcf applicants.csv --target approved --immutable age --protected sex --group sex
    --max-locked-out 5%
    """
    limits = {"max_locked_out": max_locked_out, "max_bias": max_bias, "max_undecided": max_undecided}
    for name, given in limits.items():
        if given is not None:
            limit_of(given, f"--{name.replace('_', '-')}")
    if max_bias is not None and not protected:
        raise InputError("--max-bias: name protected features (--protected)")
    if page == "-":
        raise InputError("--page -: stdout has the audit already; name a file")
    written = format_for(output, format)
    if written not in ("table", "json", "csv"):
        raise InputError(
            f"{f'-o {output}' if format is None else f'--format {format}'}: an audit is written as table, json or csv"
        )
    compiled = asking.aimed(open_compiled(model, trust=trust, time_limit=time_limit))
    asked = asking.of(compiled) | costs.of(compiled, reading.reading()) | {"max_changes": max_changes}
    plan = Plan.checked(
        compiled,
        asked,
        None,
        protected=a.features_of(compiled, protected, "--protected"),
        monotone=a.words_of(compiled, monotone, "--monotone"),
        time_limit=time_limit,
        errors="mark" if mark_bad_rows else "raise",
    )
    clock = Clock(time_limit)
    found = _audited(compiled, plan, clock, data, reading, group, mark_bad_rows, jobs, output)
    with open_output(output) as file:
        file.write(_written(found, written).encode("utf-8", "backslashreplace"))
    if page is not None:
        _write_page(page, found)
    broken = found.broken(**limits)
    for one in broken:
        say(f"limit broken: {one}")
    if broken:
        return BROKEN
    for one in found.unknown:
        say(f"error: {one}")
    return LIMIT if found.unknown else 0


def _audited(
    compiled: symcf.Compiled,
    plan: Plan,
    clock: Clock,
    data: str,
    reading: o.Input,
    group: str | None,
    mark: bool,
    jobs: int,
    output: str | None,
) -> Audit:
    by_feature = group is not None and group in compiled.features
    tally = Tally()
    given = replace(reading.reading(None if by_feature else group, mark), id_option="--group")
    with (
        Data(data, compiled, given) as table,
        progress(table, to_terminal(output)) as tell,
    ):
        for chunks in _blocks(table):
            rows, labels = joined(chunks)
            reader = compiled if isinstance(rows, dict) else taking_codes(compiled)
            grouped = group if by_feature else labels
            part, _, _ = audit_rows(reader, plan, rows, grouped, clock, jobs, first_row=chunks[0].first)
            tally.add(part)
            tell(chunks[-1].first + len(chunks[-1]) - 1)
    return finished(compiled, plan, tally, clock)


def _write_page(path: str, found: Audit) -> None:
    try:
        from symcf.report import write_audit  # only here: it needs jinja2
    except ImportError as error:
        raise InputError(f"--page needs {error.name}: pip install 'symcf[report]'") from None
    write_audit(path, found)


def _blocks(table: Data) -> Iterator[list[Chunk]]:
    """Chunks, so many at a time that threads have something to do."""
    block: list[Chunk] = []
    for chunk in table.chunks():
        block.append(chunk)
        if sum(map(len, block)) >= BLOCK:
            yield block
            block = []
    if block:
        yield block


def joined(chunks: list[Chunk]) -> tuple[Any, list[str] | None]:
    """The rows of chunks, as raw columns or as value codes, and the column that was asked for as a name."""
    labels = None if chunks[0].ids is None else [name or MISSING for chunk in chunks for name in chunk.ids or []]
    if chunks[0].raw:
        names = chunks[0].raw
        return {name: np.concatenate([chunk.raw[name] for chunk in chunks if chunk.raw]) for name in names}, labels
    return np.concatenate([chunk.codes for chunk in chunks]), labels


def _written(found: Audit, format: str) -> str:
    if format == "json":
        return found.to_json(indent=1) + "\n"
    if format == "csv":
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(GROUP_COLUMNS)
        for line in found.group_lines():
            lines.writerow(["" if cell is None else csv_cell(plain(cell)) for cell in line])
        return text.getvalue()
    rows = found.locked_out[:NAMED].tolist()
    more = f" and {len(found.locked_out) - NAMED:,} more" if len(found.locked_out) > NAMED else ""
    listed = f"\nlocked out: rows {', '.join(map(str, rows))}{more}\n" if rows else ""
    return f"{found}\n{listed}"
