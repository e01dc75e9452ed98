"""How long a check may take."""

from __future__ import annotations

from collections.abc import Callable

from symcf.common.clock import Clock
from symcf.proof.verification.report import Report

__all__ = ["Look", "OutOfTime", "OverBudget", "look_at", "unless_late"]

#: Called now and then in what takes long; raises `OutOfTime`.
Look = Callable[[], None]


class OutOfTime(Exception):
    """The time limit was reached."""


class OverBudget(Exception):
    """More steps than a check may make."""


def look_at(clock: Clock) -> Look:
    """A look at the clock."""

    def look() -> None:
        if clock.expired:
            raise OutOfTime

    return look


def unless_late(report: Report, questions: str, look: Look, check: Callable[[], None]) -> None:
    """Checks, and reports the questions, separated by spaces, as not checked if there is no time for it."""
    try:
        look()
        check()
    except (OutOfTime, OverBudget) as error:
        why = "the time limit was reached" if isinstance(error, OutOfTime) else "it would take too many steps"
        for question in questions.split():
            report.skip(question, why)
        if "complete" in questions:
            report.method = ""
