"""The commands about groups of people: recourse, locked-out."""

from __future__ import annotations

from dataclasses import replace

import symcf
from symcf.cli import options as o
from symcf.cli.audit import joined
from symcf.cli.exits import LIMIT, InputError, say
from symcf.cli.models import reader_of
from symcf.cli.output import dumps, text_format, write_text
from symcf.cli.tables import Data, all_rows

__all__ = ["locked_out", "recourse"]

#: The exit code if the share that was asked for cannot be reached.
SHORT = 1


def recourse(
    model: str,
    data: str,
    *,
    actions: int | None = None,
    coverage: float | None = None,
    asking: o.Asking,
    max_changes: int | None = 2,
    group: str | None = None,
    per_row: int = 10,
    time_limit: float | None = 60.0,
    jobs: int = 1,
    format: o.TextFormat | None = None,
    output: str | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """A few actions, the same for everyone, that help most rows of a file reach the target.

    Exit code 0 if the choice is proved to be the best among the candidates, 1 if the share asked for cannot be reached,
    3 if a limit left the proof open.

    Example: symcf recourse loans.symcf applicants.csv --actions 3 --target approved --immutable age --group sex
    """
    if (actions is None) == (coverage is None):
        raise InputError("give either --actions (how many) or --coverage (the share of rows to help)")
    compiled = asking.opened(model, trust, time_limit)
    by_feature = group is not None and group in compiled.features
    given = replace(reading.reading(None if by_feature else group), id_option="--group")
    with Data(data, compiled, given) as table:
        chunks = list(table.chunks())
    if not chunks:
        raise InputError(f"{data}: there are no rows")
    rows, labels = joined(chunks)
    try:
        found = symcf.group_recourse(
            reader_of(compiled, rows),
            rows,
            actions=actions,
            coverage=coverage,
            groups=group if by_feature else labels,
            per_row=per_row,
            time_limit=time_limit,
            n_jobs=jobs,
            max_changes=max_changes,
            **asking.of(compiled),
        )
    except symcf.OptionError as error:
        raise InputError(str(error)) from None
    write_text(output, f"{dumps(found.to_dict()) if text_format(output, format) == 'json' else found}\n")
    if not found.reached:
        return SHORT
    if not found.optimal:
        say("error: time was up before it was proved that no choice is better; raise --time-limit")
        return LIMIT
    return 0


def locked_out(
    model: str,
    data: str | None = None,
    *,
    asking: o.Asking,
    time_limit: float | None = 60.0,
    format: o.TextFormat | None = None,
    output: str | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """Regions of rows for which nothing that is allowed helps, as large as they can be, with their share of the rows.

    Exit code 0 if every such row is in a region, 3 if a limit ended the search.

    Example: symcf locked-out loans.symcf applicants.csv --target approved --immutable age,sex
    """
    compiled = asking.opened(model, trust, time_limit)
    rows = None if data is None else all_rows(Data(data, compiled, reading.reading()))[0]
    known = compiled if rows is None else reader_of(compiled, rows)
    try:
        found = known.locked_out_regions(rows, time_limit=time_limit, **asking.of(compiled))
    except symcf.OptionError as error:
        raise InputError(str(error)) from None
    write_text(output, f"{dumps(found.to_dict()) if text_format(output, format) == 'json' else found}\n")
    return 0 if found.status == "complete" else LIMIT
