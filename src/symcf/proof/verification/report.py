"""What a check found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symcf.common.clock import Clock

__all__ = ["Look", "OutOfTime", "OverBudget", "Report", "look_at", "unless_late"]


# --- how long ---------------------------------------------------------------------------------------------------------
# How long a check may take.


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


@dataclass
class Report:
    """What was checked and what was found. True in a condition iff nothing is wrong and everything was checked."""

    #: None: could not be checked; `notes` says why.
    valid: bool | None = True
    minimal: bool | None = True
    complete: bool | None = True
    honest: bool | None = True
    #: How completeness was checked: "brute force", "duality" (of change sets and reasons), "sums" (of weights),
    #: "diagram", "SAT", or "" if it was not.
    method: str = ""
    #: One line for each thing that is wrong.
    problems: list[str] = field(default_factory=list)
    #: What was not checked, and why.
    notes: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.valid is True and self.minimal is True and self.complete is True and self.honest is True

    def fail(self, question: str, problem: str) -> None:
        """Records that the answer to a question is no."""
        setattr(self, question, False)
        self.problems.append(f"{question}: {problem}")

    def skip(self, question: str, reason: str) -> None:
        """Records that a question was not answered, or not in full: what was found wrong before stays wrong."""
        if getattr(self, question) is not False:
            setattr(self, question, None)
        self.notes.append(f"{question} not checked: {reason}")

    def __str__(self) -> str:
        marks = {True: "yes", False: "NO", None: "not checked"}
        lines = [f"{name:9} {marks[getattr(self, name)]}" for name in ("valid", "minimal", "complete", "honest")]
        return "\n".join(lines + self.problems + self.notes)
