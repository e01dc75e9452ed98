"""The command that writes a page: report."""

from __future__ import annotations

from typing import Annotated

from symcf.cli import options as o
from symcf.cli.declared import Option
from symcf.cli.exits import InputError
from symcf.cli.models import open_compiled, taking_codes
from symcf.cli.tables import Data, all_rows

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
    rows, names = all_rows(Data(data, compiled, reading.reading(id)))
    try:
        from symcf.report import write  # only here: it needs jinja2
    except ImportError as error:
        raise InputError(f"symcf report needs {error.name}: pip install 'symcf[report]'") from None
    raw = isinstance(rows, dict)
    write(
        output, compiled if raw else taking_codes(compiled), rows, names=names, title=title, max_rows=max_rows, **asked
    )
    return 0
