"""The command that checks answers: verify."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import symcf
from symcf.cli import options as o
from symcf.cli.exits import BUG, INPUT, LIMIT, contradicted, say
from symcf.cli.models import at_rows
from symcf.cli.output import Line, row_columns
from symcf.cli.progress import row_writer
from symcf.cli.tables import Chunk, Data
from symcf.common.clock import Clock

__all__ = ["verify"]

VERIFIED = ("valid", "minimal", "complete", "honest")
MARKS = {True: "yes", False: "NO", None: "not checked"}


def verify(
    model: str,
    data: str,
    *,
    k: int | None = None,
    asking: o.Asking,
    costs: o.Costs,
    max_changes: int | None = None,
    minimality: o.Minimality | None = "features",
    time_limit: float | None = None,
    engine: o.Engine = "auto",
    format: o.Format | None = None,
    output: str | None = None,
    reading: o.Input,
    id: str | None = None,
    trust: bool = False,
) -> int:
    """Explains each row and checks the answer against the definition, by brute force, sums of weights or a SAT solver.

    Exit code 3 if a row is too large to be checked in full, 1 if an explanation is wrong.

    Example: symcf verify loans.symcf applicants.csv --immutable age
    """
    clock = Clock(time_limit)
    compiled = asking.opened(model, trust, time_limit)
    coded = compiled.of_codes()
    asked = asking.of(coded) | costs.of(coded) | {"k": k, "max_changes": max_changes}
    asked |= {"minimality": minimality, "engine": engine}
    columns = (*row_columns(id), *((name, "text") for name in VERIFIED))
    columns += (("method", "text"), ("problems", "text"))
    wrong, unchecked, late = 0, 0, False
    rows = Data(data, compiled, reading.reading(id))
    with row_writer(rows, output, format, columns) as write:
        for chunk, i, coded in _places(rows, compiled):
            late = clock.expired
            if late:
                break
            row = chunk.codes[i]
            name = [] if chunk.ids is None else [chunk.ids[i]]
            checked = _verified(coded, row, asked, clock)
            if checked is None:
                line = ["yes"] * 4 + ["at target", ""]
            else:
                line = [MARKS[getattr(checked, question)] for question in VERIFIED]
                line += [checked.method, "; ".join([*checked.problems, *checked.notes])]
                wrong += "NO" in line[:4]
                unchecked += "not checked" in line[:4]
            write(chunk.first + i, Line(columns, [chunk.first + i, *name, *line]))
    if wrong and contradicted(f"{wrong:,} explanations are wrong"):
        return INPUT
    if wrong:
        say(f"this is a bug in symcf, please report it: {wrong:,} explanations are wrong")
        return BUG
    if late:
        say("error: the time limit was reached: the output is incomplete")
        return LIMIT
    if unchecked:
        say(f"error: {unchecked:,} rows are too large to be checked in full")
        return LIMIT
    return 0


def _places(rows: Data, compiled: symcf.Compiled) -> Iterator[tuple[Chunk, int, symcf.Compiled]]:
    """Every row: the chunk that it is in, its place there, and the classifier of its codes."""
    for chunk in rows.chunks():
        coded = at_rows(compiled, chunk.raw).of_codes()
        for i in range(len(chunk.codes)):
            yield chunk, i, coded


def _verified(compiled: symcf.Compiled, row: Any, asked: dict[str, Any], clock: Clock) -> symcf.Report | None:
    label = compiled.classes[int(compiled.decide(row.reshape(1, -1))[0])]
    if "target" in asked and asked["target"] == label:
        return None
    explanation = compiled.explain(row, time_limit=clock.seconds, **asked)
    return symcf.verify(compiled, row, explanation, time_limit=clock.seconds)
