"""Wrong constraints, targets and other keywords, and what is said about them: ``python tests/support/wrong_questions.py
--write`` writes the table into docs/howto/constraints.md; tests/unit/test_wrong_questions.py compares it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import symcf

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "constraints.md"
BEGIN, END = "<!-- wrong questions: begin -->", "<!-- wrong questions: end -->"

#: What is written after ``c.explain(x, ``. Each raises `symcf.OptionError`.
WRONG = [
    'constraints="loan + <= 3"',
    'constraints="loan + income"',
    'constraints="loan + income <= "',
    'constraints="(loan + income <= 3"',
    'constraints="loan + income in {1}"',
    'constraints="loan * income <= 3"',
    'constraints="loan / income <= income"',
    'constraints="loan + incme <= 3"',
    'constraints="loan/income <= 3"',
    'constraints="loan + job <= 3"',
    'constraints="change.job = temp"',
    'constraints="old.job = tmep"',
    'constraints="job = tmep -> loan <= 2"',
    'constraints="1 + 2 <= 3"',
    'constraints="loan / 0 <= 3"',
    'constraints="at_most(x, loan)"',
    'constraints="at_most(1)"',
    'constraints="at_most(1, loan, loan)"',
    'constraints="job: temp ->"',
    'constraints="jbo: temp -> none"',
    'constraints="step(0, loan)"',
    'constraints="step(2, job)"',
    'constraints="loan = 1 or step(2, income)"',
    'constraints="loan <= old."',
    "constraints=3",
    'target="maybe"',
    "target=symcf.at_least(2)",
    'target=symcf.at_least("much"), of="score"',
    'target=symcf.between(3, 1), of="score"',
    'target="approved", of="points"',
    'target="approved", min_probability=1.5',
    'target="approved", min_probability="high"',
    "min_probability=0.8, target=symcf.at_most(1)",
    'target="approved", margin=-1',
    'target="approved", width={"job": 1}',
    'immutable=["incme"]',
    'allowed={"income": "up"}',
    'allowed={"job": "increase"}',
    'allowed={"job": ["tmep"]}',
    'allowed={"loan": symcf.relative(0.2, 0)}',
    'allowed={"loan": symcf.step(0)}',
    "max_changes=-1",
    'cost={"loan": -2}',
    'cost={"loan": 0}',
    "cost=[1, 2]",
    'scale="std"',
    'minimality="smallest"',
    "min_plausibility=0.1",
    'resolution={"job": 1}',
]


def classifier() -> symcf.Compiled:
    """Loan and income in steps from 0 to 3, and a job without an order."""
    return symcf.compile(
        symcf.LinearClassifier(
            [[0, -1, -2, -3], [0, 1, 2, 3], [0, 1, 2]],
            -2,
            features=["loan", "income", "job"],
            values=[[0, 1, 2, 3], [0, 1, 2, 3], ["none", "temp", "perm"]],
            ordered=[True, True, False],
            classes=["declined", "approved"],
            probability="logistic",
        )
    )


def message(c: symcf.Compiled, written: str) -> str:
    """What is said, in one line."""
    try:
        eval(f"c.explain([1, 0, 0], {written})", {"c": c, "symcf": symcf})
    except symcf.OptionError as error:
        return str(error).split("\n")[0]
    raise AssertionError(f"{written} is accepted")


def section() -> str:
    """The table of the page."""
    c = classifier()
    lines = [f"| `{_cell(written)}` | {_cell(message(c, written))} |" for written in WRONG]
    return "\n".join([BEGIN, "| question | message |", "|---|---|", *lines, END])


def _cell(text: Any) -> str:
    return str(text).replace("|", "\\|")


def with_section(page: str) -> str:
    """The page with the table."""
    head, _, rest = page.partition(BEGIN)
    return f"{head}{section()}{rest.partition(END)[2]}"


if __name__ == "__main__" and "--write" in sys.argv:
    PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
