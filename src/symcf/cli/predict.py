"""Commands with one line per row: predict, count."""

from __future__ import annotations

from typing import Any

import numpy as np

import symcf
from symcf.cli import options as o
from symcf.cli.exits import InputError, say
from symcf.cli.models import at_rows, open_compiled
from symcf.cli.output import PROBLEM, Line, plain, row_columns
from symcf.cli.progress import row_writer
from symcf.cli.tables import Data, bad_rows
from symcf.common.clock import Clock

__all__ = ["count", "predict"]


def predict(
    model: str,
    data: str,
    *,
    proba: bool = False,
    format: o.Format | None = None,
    output: str | None = None,
    reading: o.Input,
    id: str | None = None,
    mark_bad_rows: bool = False,
    trust: bool = False,
) -> int:
    """The class of each row, and how probable it is.

    Example: symcf predict loans.symcf applicants.csv --format csv -o decisions.csv
    """
    compiled = open_compiled(model, trust=trust)
    if proba and not compiled.has_probabilities:
        raise InputError(f"--proba: {model} gives no probabilities, only the decision")
    columns = (*row_columns(id), ("prediction", "text" if compiled.classes else "number"))
    if proba:
        columns += tuple((f"P({plain(label)})", "number") for label in compiled.classes)
    elif compiled.has_probabilities:
        columns += (("probability", "number"),)
    n_found = len(columns) - len(row_columns(id))
    columns += PROBLEM[: int(mark_bad_rows)]
    unread = 0
    rows = Data(data, compiled, reading.reading(id, mark_bad_rows))
    with row_writer(rows, output, format, columns) as write:
        for chunk in rows.chunks():
            bad = bad_rows(chunk.codes)
            unread += int(bad.sum())
            found = iter(_predicted(at_rows(compiled, chunk.raw), chunk.codes[~bad], proba))
            for i, invalid in enumerate(bad.tolist()):
                line = [None] * n_found if invalid else next(found)
                name = [] if chunk.ids is None else [chunk.ids[i]]
                problem = [chunk.problems.get(i)] if mark_bad_rows else []
                write(chunk.first + i, Line(columns, [chunk.first + i, *name, *line, *problem]))
    if unread:
        say(f"note: {unread:,} row{'s' * (unread != 1)} could not be read: no prediction")
    return 0


def _predicted(compiled: symcf.Compiled, codes: Any, proba: bool) -> list[list[Any]]:
    """By row: its class, and probabilities; the number of a regressor."""
    numbers = compiled.model.predicted(codes)
    if numbers is not None:
        return [[number] for number in numbers.tolist()]
    decided = compiled.decide(codes)
    labels = [plain(compiled.classes[code]) for code in decided.tolist()]
    probabilities = compiled.probabilities(codes)
    if probabilities is None:
        return [[label] for label in labels]
    if proba:
        return [[label, *row] for label, row in zip(labels, probabilities.tolist(), strict=True)]
    sure = probabilities[np.arange(len(codes)), decided].tolist()
    return [list(pair) for pair in zip(labels, sure, strict=True)]


def count(
    model: str,
    data: str,
    *,
    asking: o.Asking,
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
    """How many minimal sets of changes each row has, exactly, without listing them.

    Example: symcf count loans.symcf applicants.csv --max-changes 3
    """
    clock = Clock(time_limit)
    compiled = asking.opened(model, trust, time_limit)
    coded = compiled.of_codes()
    asked = {**asking.of(coded), "max_changes": max_changes, "minimality": minimality, "engine": engine}
    # an exact count can have any number of digits, more than a column of integers can hold
    columns = (*row_columns(id), ("prediction", "text"), ("count", "text"))
    known: dict[bytes, tuple[Any, int]] = {}
    last = compiled
    rows = Data(data, compiled, reading.reading(id))
    with row_writer(rows, output, format, columns) as write:
        for chunk in rows.chunks():
            here = at_rows(compiled, chunk.raw)
            if here is not last:
                last, coded, known = here, here.of_codes(), {}
            for i, row in enumerate(chunk.codes):
                key = row.tobytes()
                if key not in known:
                    known[key] = _counted(coded, row, asked, clock)
                name = [] if chunk.ids is None else [chunk.ids[i]]
                write(chunk.first + i, Line(columns, [chunk.first + i, *name, *known[key]]))
            if len(known) > 100_000:
                known.clear()
    return 0


def _counted(compiled: symcf.Compiled, row: Any, asked: dict[str, Any], clock: Clock) -> tuple[Any, int]:
    label = compiled.classes[int(compiled.decide(row.reshape(1, -1))[0])]
    if asked.get("target") == label and "target" in asked:
        return plain(label), 0
    return plain(label), compiled.count(row, time_limit=clock.seconds, **asked)
