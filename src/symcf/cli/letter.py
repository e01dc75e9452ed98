"""The commands for one person's decision: certify and letter."""

from __future__ import annotations

from typing import Any, Literal

import symcf
from symcf.answers.explanation import Explanation
from symcf.answers.reasons import Reasons
from symcf.cli import asked as a
from symcf.cli import options as o
from symcf.cli.exits import InputError, say
from symcf.cli.output import to_terminal, write_text
from symcf.cli.tables import Data
from symcf.common.clock import Clock
from symcf.common.signatures import signed
from symcf.common.text import one_line
from symcf.errors import OptionError

__all__ = ["certify", "letter"]


def certify(
    model: str,
    data: str,
    *,
    row: int | None = None,
    k: int | None = None,
    asking: o.Asking,
    costs: o.Costs,
    max_changes: int | None = None,
    why: bool = False,
    time_limit: float | None = None,
    output: str | None = None,
    sign: str | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """Explains a row and writes the answer with its proof, for symcf check.

    Example: symcf certify loans.symcf applicants.csv --row 2 --immutable age -o certificate.json
    """
    clock = Clock(time_limit)
    if sign is not None and output is None:
        raise OptionError("--sign writes the signature beside the certificate: give the certificate's file (-o FILE)")
    compiled, x = _row_of(model, data, row, reading, trust, asking, clock)
    asked = {**asking.of(compiled), **costs.of(compiled), "time_limit": clock.seconds}
    answer: Explanation | Reasons
    if why:
        if max_changes is not None:
            raise OptionError("--max-changes is about ways to another decision; leave it out with --why")
        answer = compiled.why(x, k=k, **asked)
    else:
        answer = compiled.explain(x, k=k, max_changes=max_changes, **asked)
    write_text(output, f"{answer.certificate(time_limit=clock.seconds).to_json()}\n")
    if sign is not None and output is not None:
        print(f"signature: {signed(output, sign)}")
    return 0


def letter(
    model: str,
    data: str,
    *,
    output: str,
    allow: list[str] | None = None,
    row: int | None = None,
    protected: list[str] | None = None,
    certificate: str | None = None,
    ways: int = 3,
    probability: bool = False,
    language: Literal["en", "de", "fr", "es", "it", "pl"] = "en",
    wording: str | None = None,
    unit: list[str] | None = None,
    person: str | None = None,
    sender: str | None = None,
    date: str | None = None,
    paper: Literal["a4", "letter"] = "a4",
    k: int | None = None,
    asking: o.Asking,
    costs: o.Costs,
    max_changes: int | None = None,
    time_limit: float | None = None,
    reading: o.Input,
    trust: bool = False,
) -> int:
    """One page for one person: the decision, the principal reasons, and the nearest ways to the other decision.

    No letter is written if the row is decided as --target says already.

    Example: symcf letter loans.symcf applicants.csv --row 2 --allow income,savings --immutable age -o letter.html
    """
    if to_terminal(output):
        raise InputError("-o -: a terminal does not show HTML; name a file, or pipe it on with |")
    clock = Clock(time_limit)
    compiled, e = _explained(model, data, row, reading, trust, asking, costs, clock, k=k, max_changes=max_changes)
    if e.at_target:
        say(f"no letter: the row is decided {one_line(e.classes[e.prediction])} already, as wanted")
        return 0
    proved = None if certificate is None else e.certificate(time_limit=clock.seconds)
    page = e.letter(
        None if not allow else "all" if allow == ["all"] else a.features_of(compiled, allow, "--allow"),
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
    assert page is not None
    if proved is not None and certificate is not None:
        proved.save(certificate)
    write_text(output, page.html)
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
    compiled, x = _row_of(model, data, row, reading, trust, asking, clock)
    return compiled, compiled.explain(x, **asking.of(compiled), **costs.of(compiled), time_limit=clock.seconds, **asked)


def _row_of(
    model: str, data: str, row: int | None, reading: o.Input, trust: bool, asking: o.Asking, clock: Clock
) -> tuple[symcf.Compiled, Any]:
    """The classifier, and the row."""
    compiled = asking.opened(model, trust, clock.seconds)
    with Data(data, compiled, reading.reading()) as rows:
        found = rows.row(row)
    if found.raw is None:
        return compiled.of_codes(), found.codes[0]
    return compiled, {name: column[0] for name, column in found.raw.items()}
