"""The command that writes a page: report."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from symcf.cli import options as o
from symcf.cli.declared import Option
from symcf.cli.exits import InputError
from symcf.cli.models import open_compiled, taking_codes
from symcf.cli.tables import Data

__all__ = ["report"]


def report(
    model: o.ModelFile,
    data: o.DataFile,
    *,
    output: Annotated[str, Option("--output", "-o", metavar="FILE", help="The HTML file to write.")],
    title: Annotated[str | None, Option("--title", help="Of the page.")] = None,
    max_rows: Annotated[
        int, Option("--max-rows", metavar="N", min=1, help="List the first N; the figures count all.")
    ] = 5000,
    k: o.K = None,
    asking: o.Asking,
    costs: o.Costs,
    max_changes: o.MaxChanges = None,
    reading: o.Input,
    id: o.Id = None,
    trust: o.Trust = False,
) -> int:
    """One HTML file that explains the rows and lets people try changes, in any browser, without a network.

    Example: symcf report loans.symcf applicants.csv --id name -k 10 -o report.html
    """
    compiled = open_compiled(model, trust=trust)
    asked = asking.of(compiled) | costs.of(compiled) | {"k": k, "max_changes": max_changes}
    rows, names = _all_rows(Data(data, compiled, reading.reading(id)))
    try:
        from symcf.report import write  # only here: it needs jinja2
    except ImportError as error:
        raise InputError(f"symcf report needs {error.name}: pip install 'symcf[report]'") from None
    raw = isinstance(rows, dict)
    write(
        output, compiled if raw else taking_codes(compiled), rows, names=names, title=title, max_rows=max_rows, **asked
    )
    return 0


def _all_rows(data: Data) -> tuple[Any, list[str] | None]:
    """All rows, as raw columns or as value codes, and their names."""
    with data:
        chunks = list(data.chunks())
    if not chunks:
        raise InputError(f"{data.name}: the file has no rows")
    names = [name for chunk in chunks for name in chunk.ids or []]
    if chunks[0].raw:
        columns = {name: np.concatenate([chunk.raw[name] for chunk in chunks if chunk.raw]) for name in chunks[0].raw}
        return columns, names or None
    return np.concatenate([chunk.codes for chunk in chunks]), names or None
