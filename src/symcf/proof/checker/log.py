"""A log of decisions: JSON Lines in which each line has the hash of the one before, so that no line can be altered,
left out or moved without a trace. The standard library is all that is needed to check it.

A line has the keys "format" ("symcf log"), "version", "line" (from 1), "time" (UTC), "symcf" (the version), "number",
"model" (its fingerprint), "certificate" (SHA-256 of its canonical form), "decision", "previous" (the hash of the line
before, null in the first) and "hash": SHA-256 of the canonical form of the rest. "decision" is null where the
certificate is about a region. Whoever can write the file can also write all of it anew: deposit the last hash
elsewhere, or sign it, to date what is before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from symcf.proof.checker.batch import is_row
from symcf.proof.checker.check import Verdict
from symcf.proof.checker.form import Rejected, canonical, parse

__all__ = ["LogVerdict", "check_log", "is_log", "line_of"]

FORMAT, VERSION = "symcf log", 1

KEYS = {
    *("format", "version", "line", "time", "symcf", "number", "model", "certificate", "decision"),
    *("previous", "hash"),
}


@dataclass(frozen=True)
class LogVerdict:
    """Whether a log is as it was written."""

    #: The first line that is not, from 1; None if there is none.
    line: int | None
    #: What is wrong with it.
    problem: str | None
    #: How many lines are right, and the hash of the last of them.
    lines: int
    last: str | None

    def __bool__(self) -> bool:
        return self.line is None

    def __str__(self) -> str:
        if self.line is None:
            return f"unaltered: {self.lines:,} lines, the last has the hash {self.last}"
        return f"altered: line {self.line:,}: {self.problem}"


def _hash(data: dict[str, Any]) -> str:
    rest = {key: value for key, value in data.items() if key != "hash"}
    return f"sha256:{hashlib.sha256(canonical(rest).encode()).hexdigest()}"


def is_log(text: str) -> bool:
    """Does a file begin as a log does?"""
    try:
        return parse(text.split("\n", 1)[0]).get("format") == FORMAT
    except Rejected:
        return False


def line_of(log: Iterable[str], text: str, verdict: Verdict, symcf: str, time: datetime) -> str:
    """The line that comes next: of a certificate that is true. `Rejected` if the log is altered."""
    before = check_log(log)
    if not before:
        raise Rejected("log", f"it is altered: line {before.line:,}: {before.problem}")
    certificate = parse(text)
    certificate = certificate["certificate"] if is_row(certificate) else certificate
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "line": before.lines + 1,
        "time": time.isoformat(timespec="seconds"),
        "symcf": symcf,
        "number": verdict.number,
        "model": verdict.fingerprint,
        "certificate": f"sha256:{hashlib.sha256(canonical(certificate).encode()).hexdigest()}",
        "decision": certificate.get("decision"),
        "previous": before.last,
    }
    return canonical({**data, "hash": _hash(data)})


def check_log(lines: Iterable[str]) -> LogVerdict:
    """Looks for the first line that is not as it was written.

    >>> print(check_log([]))
    unaltered: 0 lines, the last has the hash None
    """
    last: str | None = None
    count = 0
    for line in lines:
        if not line.strip():
            continue
        count += 1
        try:
            data = parse(line)
        except Rejected as error:
            return LogVerdict(count, error.problem, count - 1, last)
        problem = _problem(data, count, last)
        if problem is not None:
            return LogVerdict(count, problem, count - 1, last)
        last = str(data["hash"])
    return LogVerdict(None, None, count, last)


def _problem(data: dict[str, Any], count: int, last: str | None) -> str | None:
    if data.keys() != KEYS or data["format"] != FORMAT or data["version"] != VERSION:
        return "it is not a line of a log"
    if data["hash"] != _hash(data):
        return "its hash is not that of its content"
    if data["line"] != count or data["previous"] != last:
        return "it does not follow the line before it: lines were left out, added or moved"
    return None
