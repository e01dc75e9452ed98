"""The commands for letters by a policy: policy and letters."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from typing import Any, Literal

from symcf.answers.letters import Form
from symcf.cli import options as o
from symcf.cli.exits import InputError, say
from symcf.cli.models import open_compiled, reader_of
from symcf.cli.output import print_line, write_text
from symcf.cli.tables import Data, Reading, all_rows
from symcf.letters.policy import Policy
from symcf.letters.starter import policy_text

__all__ = ["letters", "policy"]

#: The exit code if a letter was not written.
STOPPED = 1

#: Letters that were stopped and are told one by one.
SHOWN = 10


def policy(
    model: str,
    *,
    init: bool = False,
    check: str | None = None,
    output: str | None = None,
    trust: bool = False,
) -> int:
    """A policy file says what letters, reports and audits may say: names, units, reason codes, protected features.

    Example: symcf policy loans.symcf --init -o policy.yaml
    """
    if init == (check is not None):
        raise InputError("give --init to write a policy, or --check FILE to check one")
    compiled = open_compiled(model, trust=trust)
    if check is not None:
        found = Policy.read(check)
        found.question(compiled.features, compiled.values, compiled.classes)
        spoken_first = found.language if found.language in found.languages else next(iter(found.languages), None)
        Form.of_policy(found, compiled, spoken_first)
        named = sum(one.named for one in found.features.values())
        text = f"{check}: fits the model; {named} of {len(compiled.features)} features may be named\n"
        for spoken in found.languages:
            for place in found.untranslated(compiled.features, compiled.values, compiled.classes, spoken):
                say(f"note: {check}: {place}: no text in {spoken!r}; letters say it as the table does")
    else:
        text = policy_text(compiled.features, compiled.values, compiled.classes)
    write_text(output, text)
    return 0


def letters(
    model: str,
    data: str,
    *,
    policy: str,
    output: str,
    language: Literal["en", "de", "fr", "es", "it", "pl"] | None = None,
    date: str | None = None,
    reference: str | None = None,
    pdf: bool = False,
    no_sandbox: bool = False,
    force: bool = False,
    jobs: int = 1,
    reading: o.Input,
    id: str | None = None,
    trust: bool = False,
) -> int:
    """One letter per row that is not decided as people hope, as a policy says, and a manifest of what was written.

    If a run was interrupted, the same command continues it. Exit code 1 if a letter was stopped; manifest.jsonl has
    the reason.

    Example: symcf letters loans.symcf applicants.csv --policy policy.yaml --id applicant -o letters/
    """
    from symcf.letters.bulk import write  # only here: it needs jinja2

    if no_sandbox and not pdf:
        raise InputError("--no-sandbox is for --pdf")
    said = Policy.read(policy)
    compiled = open_compiled(model, trust=trust)
    given = replace(reading.reading(id), extra=reading.extra or bool(said.columns))
    table = Data(data, compiled, given)
    rows, names, _ = all_rows(table)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        records = write(
            output,
            reader_of(compiled, rows),
            rows,
            said,
            names=names,
            language=language,
            date=date,
            columns=_columns(data, compiled, given, said),
            data=None if reference is None else all_rows(Data(reference, compiled, reading.reading()))[0],
            force=force,
            pdf=pdf,
            sandbox=not no_sandbox,
            n_jobs=jobs,
            progress=(lambda done, of: say(f"{done:,} of {of:,} rows")) if sys.stderr.isatty() else None,
        )
    for warning in seen:
        say(f"warning: {warning.message}")
    stopped = [record for record in records if record.status == "stopped"]
    for record in stopped[:SHOWN]:
        say(f"no letter for {record.name}: {record.problem}")
    if len(stopped) > SHOWN:
        say(f"no letter for {len(stopped) - SHOWN:,} more; see manifest.jsonl")
    written = sum(record.status == "written" for record in records)
    line = f"{output}: {written:,} letter{'s' * (written != 1)} of {len(records):,} rows, {len(stopped):,} stopped"
    print_line(line)
    return STOPPED if stopped else 0


def _columns(data: str, compiled: Any, given: Reading, policy: Policy) -> dict[str, list[Any]]:
    """The columns of the file that the policy names."""
    names = policy.columns
    if not names:
        return {}
    if data == "-":
        raise InputError(f"the policy names the column {names[0]!r}; give DATA as a file, not as stdin")
    found: dict[str, list[Any]] = {name: [] for name in names}
    with Data(data, compiled, replace(given, whole=True)) as table:
        for chunk in table.chunks():
            for name in names:
                if name not in table.header:
                    raise InputError(f"{data}: the policy names the column {name!r}, which is not there")
                found[name] += list((chunk.cells or {})[table.header.index(name)])
    return found
