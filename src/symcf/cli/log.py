"""The command that keeps a log of decisions: log."""

from __future__ import annotations

import fcntl
from datetime import UTC, datetime
from pathlib import Path

from symcf import __version__
from symcf.cli.exits import say
from symcf.errors import FileError
from symcf.proof.checker.check import check_text
from symcf.proof.checker.form import Rejected, certificates_in
from symcf.proof.checker.log import line_of

__all__ = ["log"]

REJECTED = 1


def log(log_file: str, certificate: str) -> int:
    """Adds certificates to a log of decisions, in which every later change is found by `symcf check`.

    A certificate that is not true is not added; exit code 1.

    Example: symcf log decisions.jsonl certificate.json
    """
    for text in certificates_in(certificate):
        verdict = check_text(text)
        if not verdict:
            say(f"error: not added: {verdict}")
            return REJECTED
        with Path(log_file).open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # one line at a time
            file.seek(0)
            lines = file.read().splitlines()
            try:
                line = line_of(lines, text, verdict, __version__, datetime.now(UTC))
            except Rejected as error:
                raise FileError(f"{log_file}: {error.problem}") from None
            file.write(line + "\n")
        print(f"{verdict.number}: line {len(lines) + 1:,}")
    return 0
