"""The command that compares two classifiers: diff."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

import symcf
from symcf.analysis.compare.differences import Predicted, compared
from symcf.cli import options as o
from symcf.cli.exits import LIMIT, InputError, say
from symcf.cli.models import open_compiled
from symcf.cli.output import dumps, text_format, write_text
from symcf.cli.tables import Data, Reading
from symcf.common.clock import Clock
from symcf.data.reader import as_column

__all__ = ["diff"]

DIFFERENT = 1


def diff(
    first: str,
    second: str,
    *,
    data: str | None = None,
    boxes: int = 5,
    time_limit: float | None = None,
    format: o.TextFormat | None = None,
    output: str | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """What two classifiers decide differently: how many of all possible rows, which rows of a file, and where.

    With --data, boxes with most rows of the file that change come first. Columns and classes are matched by name. Exit
    code 0 if they decide alike, 1 if they differ, 3 if a limit left the question open.

    Example: symcf diff loans-v1.symcf loans-v2.symcf --data applicants.csv
    """
    clock = Clock(time_limit)
    a, b = (open_compiled(path, trust=trust) for path in (first, second))
    given = replace(reading.reading(None), extra=True)  # columns that only one of them reads
    predicted = None if data is None else _predicted(data, a, b, given)
    try:
        found = compared(a, b, predicted, clock)
    except (symcf.ModelError, symcf.OptionError) as error:
        raise InputError(f"{first}, {second}: {error}") from None
    left, as_json = clock.seconds, text_format(output, format) == "json"
    text = dumps(found.to_dict(boxes, time_limit=left)) if as_json else found.text(boxes, time_limit=left)
    write_text(output, f"{text}\n")
    if not found.equal:
        return DIFFERENT
    if found.bound:
        say(f"error: only the rows of {data} were compared: {found.bound}")
        return LIMIT
    return 0


def _predicted(path: str, a: symcf.Compiled, b: symcf.Compiled, reading: Reading) -> Predicted:
    """The classes of all rows of a file, and their columns."""
    (first, columns), (second, more) = _classes(path, a, reading), _classes(path, b, reading)
    return Predicted(first, second, {**more, **columns})


def _classes(
    path: str, compiled: symcf.Compiled, reading: Reading
) -> tuple[npt.NDArray[np.uint8], dict[str, npt.NDArray[Any]]]:
    """The classes of all rows of a file, and the columns that this classifier reads."""
    if path == "-":
        raise InputError("--data: both classifiers read the file, so it cannot be stdin (-)")
    with Data(path, compiled, reading) as rows:
        chunks = list(rows.chunks())
    found = [compiled.decide(chunk.codes) for chunk in chunks]
    columns = {}
    if chunks and chunks[0].raw:
        for name in chunks[0].raw:
            columns[name] = np.concatenate([chunk.raw[name] for chunk in chunks if chunk.raw])
    elif chunks:
        codes = np.concatenate([chunk.codes for chunk in chunks])
        for j, (name, values) in enumerate(zip(compiled.features, compiled.values, strict=True)):
            columns[name] = as_column(values[code] for code in codes[:, j].tolist())
    return np.concatenate(found) if found else np.zeros(0, dtype=np.uint8), columns
