"""The commands for one person's decision: certify and letter."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import symcf
from symcf.answers.explanation import Explanation
from symcf.cli import asked as a
from symcf.cli import options as o
from symcf.cli.declared import Option
from symcf.cli.exits import InputError
from symcf.cli.models import open_compiled, taking_codes
from symcf.cli.output import open_output, to_terminal
from symcf.cli.tables import Data
from symcf.common.clock import Clock

__all__ = ["certify", "letter"]


def certify(
    model: o.ModelFile,
    data: o.DataFile,
    *,
    row: o.Row = None,
    k: o.K = None,
    asking: o.Asking,
    costs: o.Costs,
    max_changes: o.MaxChanges = None,
    time_limit: o.TimeLimit = None,
    output: o.Output = None,
    reading: o.Input,
    trust: o.Trust = False,
) -> int:
    """Explains a row and writes the answer with its proof, for symcf check.

    Example: symcf certify loans.symcf applicants.csv --row 2 --immutable age -o certificate.json
    """
    clock = Clock(time_limit)
    _, e = _explained(model, data, row, reading, trust, asking, costs, clock, k=k, max_changes=max_changes)
    certificate = e.certificate(time_limit=clock.seconds)
    with open_output(output) as file:
        file.write(f"{certificate.to_json()}\n".encode("ascii"))
    return 0


def letter(
    model: o.ModelFile,
    data: o.DataFile,
    *,
    output: Annotated[str, Option("--output", "-o", metavar="FILE", help="The HTML file to write; - is stdout.")],
    allow: Annotated[
        list[str],
        Option(
            "--allow", metavar="FEATURE", names="feature", help="What may be named: a,b,c, may be repeated; or all."
        ),
    ],
    row: o.Row = None,
    protected: o.Protected = None,
    certificate: Annotated[
        str | None, Option("--certificate", metavar="FILE", help="Write the certificate here; its number is quoted.")
    ] = None,
    ways: Annotated[int, Option("--ways", metavar="N", min=1, help="How many ways to the other decision.")] = 3,
    probability: Annotated[bool, Option("--probability", help="Show the probability of the decision.")] = False,
    language: Annotated[Literal["en", "de"], Option("--language", help="Of the letter.")] = "en",
    wording: Annotated[
        str | None, Option("--wording", metavar="FILE", help="A TOML file with other words for some sentences.")
    ] = None,
    unit: Annotated[
        list[str] | None,
        Option("--unit", metavar="FEATURE=UNIT", names="feature=", help="Of the numbers of a feature; may be repeated"),
    ] = None,
    person: Annotated[str | None, Option("--person", metavar="TEXT", help="Whom the letter is for.")] = None,
    sender: Annotated[str | None, Option("--sender", metavar="TEXT", help="Whom it is from.")] = None,
    date: Annotated[str | None, Option("--date", metavar="TEXT", help="As it is to be written.")] = None,
    paper: Annotated[Literal["a4", "letter"], Option("--paper", help="The size of the page.")] = "a4",
    k: o.K = None,
    asking: o.Asking,
    costs: o.Costs,
    max_changes: o.MaxChanges = None,
    time_limit: o.TimeLimit = None,
    reading: o.Input,
    trust: o.Trust = False,
) -> int:
    """One page for one person: the decision, the principal reasons, and the nearest ways to the other decision.

    Example: symcf letter loans.symcf applicants.csv --row 2 --allow income,savings --immutable age -o letter.html
    """
    if to_terminal(output):
        raise InputError("-o -: a terminal does not show HTML; name a file, or pipe it on with |")
    clock = Clock(time_limit)
    compiled, e = _explained(model, data, row, reading, trust, asking, costs, clock, k=k, max_changes=max_changes)
    proved = None if certificate is None else e.certificate(time_limit=clock.seconds)
    page = e.letter(
        "all" if allow == ["all"] else a.features_of(compiled, allow, "--allow"),
        protected=None if protected is None else a.features_of(compiled, protected, "--protected"),
        certificate=proved,
        ways=ways,
        probability=probability,
        language=language,
        wording=wording,
        units=a.words_of(compiled, unit, "--unit"),
        person=person or "",
        sender=sender or "",
        date=date or "",
        paper=paper,
        time_limit=clock.seconds,
    )
    if proved is not None and certificate is not None:
        proved.save(certificate)
    with open_output(output) as file:
        file.write(page.html.encode())
    return 0


def _explained(
    model: str,
    data: str,
    row: int | None,
    reading: o.Input,
    trust: bool,
    asking: o.Asking,
    costs: o.Costs,
    clock: Clock,
    **asked: Any,
) -> tuple[symcf.Compiled, Explanation]:
    """The classifier, and its answer for the row."""
    compiled = asking.aimed(open_compiled(model, trust=trust, time_limit=clock.seconds))
    with Data(data, compiled, reading.reading()) as rows:
        found = rows.row(row)
    if found.raw is None:
        compiled, x = taking_codes(compiled), found.codes[0]
    else:
        x = {name: column[0] for name, column in found.raw.items()}
    return compiled, compiled.explain(x, **asking.of(compiled), **costs.of(compiled), time_limit=clock.seconds, **asked)
