"""The command that audits a table: audit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np

import symcf
from symcf.analysis.audit.audit import Plan, audit_rows, finished
from symcf.analysis.audit.result import GROUP_COLUMNS, Audit, Rule
from symcf.analysis.audit.tally import MISSING, Tally
from symcf.cli import asked as a
from symcf.cli import options as o
from symcf.cli.exits import LIMIT, InputError, say
from symcf.cli.models import reader_of
from symcf.cli.output import csv_cell, format_for, open_output, plain, to_terminal, write_text
from symcf.cli.progress import progress
from symcf.cli.tables import Chunk, Data, Reading, all_rows
from symcf.common.clock import Clock
from symcf.common.options import limit_of
from symcf.common.text import one_line
from symcf.letters.page import unit_name
from symcf.letters.policy import Policy

__all__ = ["audit", "joined"]

#: The exit code if a limit of the audit is broken.
BROKEN = 1

#: Rows that are audited at a time.
BLOCK = 1 << 16

#: Rows that a table names; the other formats have them all.
NAMED = 20


def audit(
    model: str,
    data: str,
    *,
    asking: o.Asking,
    costs: o.Distances,
    max_changes: int | None = None,
    protected: list[str] | None = None,
    group: str | None = None,
    monotone: list[str] | None = None,
    max_locked_out: str | None = None,
    max_bias: str | None = None,
    max_undecided: str | None = None,
    min_held: str | None = None,
    max_proxy: str | None = None,
    previous: str | None = None,
    proxies: bool = False,
    confidence: str | None = None,
    policy: str | None = None,
    time_limit: float | None = None,
    jobs: int = 1,
    format: o.Format | None = None,
    output: str | None = None,
    page: str | None = None,
    junit: str | None = None,
    reading: o.Input,
    mark_bad_rows: bool = False,
    trust: bool = False,
) -> int:
    """Who is locked out, how many changes and what cost each group needs, which features help, and what depends on
    protected ones.

    Exit code 0 if no limit is broken, 1 if one is (stderr says which), 3 if something is not known. Rows count from 1.
    -o FILE.html writes a page with the verdict on top. A policy has the question and the rules; options come first.

    Example: symcf audit loans.symcf applicants.csv --target approved --immutable age --protected sex --group sex
    --max-locked-out 5%
    """
    limits = {
        "max_locked_out": max_locked_out,
        "max_bias": max_bias,
        "max_undecided": max_undecided,
        "min_held": min_held,
        "max_proxy": max_proxy,
    }
    for name, given in limits.items():
        if given is not None:
            limit_of(given, f"--{name.replace('_', '-')}")
    said = Policy() if policy is None else Policy.read(policy)
    if page is None and output is not None and output.endswith(".html"):
        page, output = output, None
    if page == "-":
        raise InputError("--page -: stdout has the audit already; name a file")
    written = format_for(output, format)
    if written not in ("table", "json", "csv"):
        raise InputError(
            f"{f'-o {output}' if format is None else f'--format {format}'}: an audit is written as table, json or csv"
        )
    compiled = asking.opened(model, trust, time_limit)
    asked = {} if policy is None else said.question(compiled.features, compiled.values, compiled.classes)
    asked |= asking.of(compiled) | costs.of(compiled, reading.reading())
    asked["max_changes"] = asked.get("max_changes") if max_changes is None else max_changes
    guarded = a.features_of(compiled, protected, "--protected") or said.those(compiled.features, lambda f: f.protected)
    limits = {name: getattr(said.audit, name) if given is None else given for name, given in limits.items()}
    of_policy = "" if policy is None else f", or protected: true in {policy}"

    def named(limit: str, option: str | None) -> str:
        """A limit as the user gave it: as an option, or in the policy."""
        return f"{policy}: audit.{limit}" if option is None else f"--{limit.replace('_', '-')}"

    if limits["max_bias"] is not None and not guarded:
        raise InputError(f"{named('max_bias', max_bias)}: name protected features (--protected{of_policy})")
    group = group or said.audit.group
    proxies = proxies or limits["max_proxy"] is not None
    if proxies and not guarded and group is None:
        raise InputError("--proxies: name protected features (--protected), or groups (--group)")
    if limits["min_held"] is not None and previous is None:
        raise InputError(f"{named('min_held', min_held)}: name the earlier version (--previous)")
    earlier = None if previous is None else asking.opened(previous, trust, time_limit)
    directions = {compiled.features.index(name): way for name, way in (said.audit.monotone or {}).items()}
    few = said.audit.few_changes
    plan = Plan.checked(
        compiled,
        asked,
        None,
        protected=guarded,
        monotone=directions | a.words_of(compiled, monotone, "--monotone"),
        time_limit=time_limit,
        errors="mark" if mark_bad_rows else "raise",
        previous=earlier,
        proxies=proxies,
        confidence=said.audit.confidence if confidence is None else confidence,
        group=group or "group",
    )
    clock = Clock(time_limit)
    found = _audited(compiled, plan, clock, data, reading, group, mark_bad_rows, jobs, output)
    rules = found.rules(**limits, few_changes=None if few is None else (few.changes, few.share))
    if said.audit.max_protected_reasons is not None:
        rules.append(_protected_reasons(compiled, data, reading, said, said.audit.max_protected_reasons))
    write_text(output, _written(found, rules, written))
    if page is not None:
        _write_page(page, found, rules, said)
    if junit is not None:
        with open_output(junit) as file:
            file.write(_junit(rules))
    broken = [rule for rule in rules if rule.holds is False]
    for rule in broken:
        say(f"limit broken: {rule.text}")
    if broken:
        return BROKEN
    unknown = [*found.unknown, *(f"not known: {rule.text}" for rule in rules if rule.holds is None)]
    for one in unknown:
        say(f"error: {one}")
    return LIMIT if unknown else 0


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
    earlier = None
    if plan.previous is not None:
        given = replace(given, extra=True)  # columns that only one of the versions reads
        earlier = _earlier(compiled, plan.previous, data, replace(given, id=None))
    with (
        Data(data, compiled, given) as table,
        progress(table, to_terminal(output)) as tell,
    ):
        for chunks in _blocks(table):
            rows, labels = joined(chunks)
            grouped = group if by_feature else labels
            first, count = chunks[0].first, sum(map(len, chunks))
            before = None if earlier is None else _slice(earlier, first - 1, count)
            reader = reader_of(compiled, rows)
            part, _, _ = audit_rows(reader, plan, rows, grouped, clock, jobs, first_row=first, earlier=before)
            tally.add(part)
            tell(chunks[-1].first + len(chunks[-1]) - 1)
    return finished(compiled, plan, tally, clock)


def _earlier(compiled: symcf.Compiled, previous: symcf.Compiled, path: str, reading: Reading) -> Any:
    """All rows of the file, as the earlier version reads them."""
    if path == "-":
        raise InputError("--previous: both versions read the file, so it cannot be stdin (-)")
    with Data(path, previous, reading) as table:
        chunks = list(table.chunks())
    rows, _ = joined(chunks) if chunks else ({}, None)
    same = (compiled.features, compiled.values) == (previous.features, previous.values)
    if not isinstance(rows, dict) and not same:
        raise InputError("--previous: both versions read codes, and their features or values differ")
    return rows


def _slice(rows: Any, start: int, count: int) -> Any:
    part = slice(start, start + count)
    return {name: column[part] for name, column in rows.items()} if isinstance(rows, dict) else rows[part]


def _protected_reasons(compiled: symcf.Compiled, data: str, reading: o.Input, policy: Policy, most: str) -> Rule:
    """The rule about letters that are stopped."""
    from symcf.letters.bulk import protected_reasons  # only here: it needs jinja2

    if data == "-":
        raise InputError("audit.max_protected_reasons reads the rows twice; give DATA as a file, not as stdin")
    given = replace(reading.reading(), mark=True, extra=True)  # the audit has said which columns are not known
    rows, _, _ = all_rows(Data(data, compiled, given))
    stopped, asked = protected_reasons(reader_of(compiled, rows), rows, policy)
    named = f" (rows {', '.join(map(str, stopped[:NAMED]))}{', ...' * (len(stopped) > NAMED)})" if stopped else ""
    text = f"{len(stopped):,} of {asked:,} rows have a protected feature among their principal reasons{named}"
    limit = limit_of(most, "max_protected_reasons")
    return Rule("max_protected_reasons", not limit.broken_by(len(stopped), asked), f"{text}; at most {limit} may")


def _junit(rules: Sequence[Rule]) -> bytes:
    """The rules as a suite of tests: failures are rules that are broken, errors those that are not known."""
    suite = ElementTree.Element("testsuite", name="symcf audit", tests=str(len(rules)))
    for kind, holds in (("failures", False), ("errors", None)):
        suite.set(kind, str(sum(rule.holds is holds for rule in rules)))
    for rule in rules:
        case = ElementTree.SubElement(suite, "testcase", classname="symcf.audit", name=one_line(rule.name))
        if not rule.holds:
            kind = "error" if rule.holds is None else "failure"
            ElementTree.SubElement(case, kind, message=one_line(rule.text))
    text: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _write_page(path: str, found: Audit, rules: Sequence[Rule], policy: Policy) -> None:
    try:
        from symcf.report import write_audit  # only here: it needs jinja2
    except ImportError as error:
        raise InputError(f"--page needs {error.name}: pip install 'symcf[report]'") from None
    names = {name: one.name.of(policy.language) for name, one in policy.features.items() if one.name is not None}
    given = {name: one.unit.of(policy.language) for name, one in policy.features.items() if one.unit is not None}
    units = {name: unit_name(unit) for name, unit in given.items()}
    write_audit(path, found, rules=rules, names=names, units=units)


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


def _written(found: Audit, rules: Sequence[Rule], format: str) -> str:
    if format == "json":
        judged = [{"rule": rule.name, "verdict": rule.verdict, "text": rule.text} for rule in rules]
        return json.dumps(found.to_dict() | {"rules": judged}, indent=1, ensure_ascii=False) + "\n"
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
    return f"{found}\n{listed}" + "".join(f"{one_line(str(rule))}\n" for rule in rules)
