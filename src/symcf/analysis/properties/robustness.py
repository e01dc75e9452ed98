"""Robustness: the fewest features that have to change for a decision to change.

Of one row it is the size of the smallest change set. Of all rows it is counted on diagrams: the rows whose decision
lasts for r changes are those that are left after taking one layer off, r times (`lasting.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.analysis.properties.examples import example_row, model_of, row_text
from symcf.analysis.properties.lasting import Ring, between, count_all, parts_of, rings, told_apart
from symcf.answers.batch import BatchExplanation
from symcf.answers.explanation import Explanation
from symcf.answers.facts import Counterfactual
from symcf.answers.html_table import html_table
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.errors import InternalError, OptionError
from symcf.question.question import Question

if TYPE_CHECKING:
    import pandas

__all__ = [
    "NEVER",
    "UNDECIDED",
    "Robustness",
    "RobustnessDistribution",
    "changes_of",
    "check_question",
    "distribution_of_all",
    "distribution_of_rows",
    "of_explanation",
]

#: In columns of changes: no change leads there; not known.
NEVER, UNDECIDED = -1, -2


def check_question(question: Mapping[str, Any]) -> None:
    """`OptionError` for what robustness does not look at."""
    for name in ("cost", "scale", "data", "minimality", "resolution"):
        if name in question:
            raise OptionError(f"{name}: robustness counts changes, whatever they cost; leave it out")


# --- one row ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Robustness:
    """How robust a decision is. Made by `Compiled.robustness`."""

    #: The fewest features that have to change; None: no change is enough or, if it is not ``exact``, not known.
    changes: int | None
    #: It is proved that fewer changes are not enough.
    at_least: int
    #: Is it known? Not if ``max_changes`` or a time limit ended the search before.
    exact: bool
    #: One of the smallest changes; None if there is none, or it is not known.
    counterfactual: Counterfactual | None

    def __float__(self) -> float:
        return float("inf") if self.changes is None else float(self.changes)

    def __str__(self) -> str:
        if self.changes is not None:
            return f"{self.changes} change{'s' * (self.changes != 1)}: {self.counterfactual}"
        if self.exact:
            return "no change is enough"
        fewer = self.at_least - 1
        return f"more than {fewer} change{'s' * (fewer != 1)}: no change of up to {fewer} is enough"


def of_explanation(e: Explanation, question: Question) -> Robustness:
    """The robustness of a row of which the smallest change set was asked."""
    if e.sets:
        smallest = len(e.sets[0])
        return Robustness(smallest, smallest, True, e[0])
    n = question.classifier.n_features
    most = question.constraints.max_changes
    if not e.complete:
        return Robustness(None, (e.complete_up_to or 0) + 1, False, None)
    if most is not None and most < n:
        return Robustness(None, most + 1, False, None)
    return Robustness(None, n + 1, True, None)


# --- many rows --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RobustnessDistribution:
    """How many rows have which robustness. Made by `Compiled.robustness_distribution`."""

    #: By number of changes, how many rows need as many. With a target, 0 for those that have it.
    counts: dict[int, int]
    #: Rows that no change is enough for.
    never: int
    #: Rows of which it is not known: limits ended the search, or they need more than ``max_changes``.
    undecided: int
    #: Rows in all.
    total: int
    #: Are they all possible rows (combinations of values), or those of the data?
    of_all: bool
    #: A row that needs fewest changes, and one that needs most, of those that need any; None if there is none.
    least_robust: Any = None
    most_robust: Any = None
    #: For data: by row the number of changes, `NEVER` (-1) or `UNDECIDED` (-2), as for rows that cannot be read.
    changes: npt.NDArray[np.int32] | None = field(default=None, repr=False, compare=False)

    @property
    def mean(self) -> float | None:
        """The mean number of changes, of the rows that some change is enough for."""
        rows = sum(self.counts.values())
        return sum(changes * count for changes, count in self.counts.items()) / rows if rows else None

    def share(self, changes: int) -> float:
        """The share of all rows that need at most so many changes."""
        return sum(count for r, count in self.counts.items() if r <= changes) / self.total if self.total else 0.0

    def _lines(self) -> list[tuple[str, int]]:
        lines = [(f"{r} change{'s' * (r != 1)}", count) for r, count in self.counts.items()]
        lines += [("no change is enough", self.never)] if self.never else []
        return lines + ([("not known", self.undecided)] if self.undecided else [])

    @property
    def _title(self) -> str:
        return f"{self.total:,} {'possible ' if self.of_all else ''}rows by the fewest changes that flip the decision"

    def __str__(self) -> str:
        width = max((len(f"{count:,}") for _, count in self._lines()), default=0)
        lines = [
            f"  {name + ':':20} {f'{count:,}':>{width}}  ({count / self.total:.2%})" for name, count in self._lines()
        ]
        for what, row in (("least robust", self.least_robust), ("most robust", self.most_robust)):
            if row is not None:
                lines.append(f"  {what}: {row_text(row)}")
        return "\n".join([self._title + ":", *lines])

    def _repr_html_(self) -> str:
        lines = [[name, f"{count:,}", f"{count / self.total:.2%}"] for name, count in self._lines()]
        table = html_table(["Fewest changes", "Rows", "Share"], lines, caption=self._title)
        return f'<div class="symcf-robustness">{table}</div>'

    def to_pandas(self) -> pandas.DataFrame:
        """One line per number of changes; -1 for no change is enough, -2 for not known. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        lines = [*self.counts.items(), (NEVER, self.never), (UNDECIDED, self.undecided)]
        lines = [line for line in lines if line[1] or line[0] >= 0]
        frame = pandas.DataFrame(lines, columns=["changes", "rows"])
        frame["share"] = [count / self.total if self.total else 0.0 for count in frame["rows"]]
        return frame


def distribution_of_all(question: Question, clock: Clock) -> RobustnessDistribution:
    """Of all possible rows. `LimitError` if diagrams take too long."""
    if question.classifier.decision.numbers is not None:
        raise OptionError("rows: columns of numbers have no end of possible rows to count; give rows to look at")
    if question.relations is not None and question.relations.by_row:
        order = question.relations.by_row[0].text
        raise OptionError(f"constraints: {order!r} means something else for each row; give rows, or leave it out")
    question = told_apart(question)
    classifier, most = question.classifier, question.constraints.max_changes
    total = count_all(classifier)
    counts: dict[int, int] = {}
    left = 0
    nearest: tuple[int, Ring, Ring] | None = None
    farthest: tuple[int, Ring, Ring] | None = None
    for part in parts_of(question, clock):
        before: Ring | None = None
        for ring in rings(question, part, clock, most):
            if before is not None and before.count > ring.count:
                counts[ring.changes] = counts.get(ring.changes, 0) + before.count - ring.count
                if nearest is None or ring.changes < nearest[0]:
                    nearest = ring.changes, before, ring
                if farthest is None or ring.changes > farthest[0]:
                    farthest = ring.changes, before, ring
            before = ring
        assert before is not None
        left += before.count
    if question.target is not None and (there := total - left - sum(counts.values())):
        counts[0] = there
    if sum(counts.values()) + left != total or min(counts.values(), default=0) < 0:
        raise InternalError()
    bounded = most is not None and most < classifier.n_features
    return RobustnessDistribution(
        counts=dict(sorted(counts.items())),
        never=0 if bounded else left,
        undecided=left if bounded else 0,
        total=total,
        of_all=True,
        least_robust=_example(question, nearest, clock),
        most_robust=_example(question, farthest, clock),
    )


def _example(question: Question, found: tuple[int, Ring, Ring] | None, clock: Clock) -> dict[str, Any] | None:
    """A row that is in the first ring and not in the second."""
    if found is None:
        return None
    classifier = question.classifier
    codes = model_of(between(classifier, found[2].diagram, found[1].diagram, clock), classifier)
    return example_row(classifier, codes.tolist())


def changes_of(batch: BatchExplanation) -> npt.NDArray[np.int32]:
    """By row of a batch with ``k=1`` and no costs: the fewest changes, `NEVER` or `UNDECIDED`."""
    question = batch.request.question
    has = np.diff(batch.row_offsets) > 0
    sizes = np.diff(batch.set_offsets)
    changes = np.full(len(batch), UNDECIDED, dtype=np.int32)
    most = question.constraints.max_changes
    if most is None or most >= question.classifier.n_features:
        changes[batch.status == COMPLETE] = NEVER
    changes[has] = sizes[batch.row_offsets[:-1][has]]
    changes[batch.status == AT_TARGET] = 0
    changes[batch.status == INVALID] = UNDECIDED
    return changes


def distribution_of_rows(batch: BatchExplanation) -> RobustnessDistribution:
    """Of the rows of a batch with ``k=1`` and no costs."""
    changes = changes_of(batch)
    numbers, rows = np.unique(changes, return_counts=True)
    by = dict(zip(numbers.tolist(), rows.tolist(), strict=True))
    some = np.flatnonzero(changes > 0)
    least = most = None
    if len(some):
        least = _given(batch, int(some[np.argmin(changes[some])]))
        most = _given(batch, int(some[np.argmax(changes[some])]))
    return RobustnessDistribution(
        counts={r: count for r, count in by.items() if r >= 0},
        never=by.get(NEVER, 0),
        undecided=by.get(UNDECIDED, 0),
        total=len(batch),
        of_all=False,
        least_robust=least,
        most_robust=most,
        changes=changes,
    )


def _given(batch: BatchExplanation, row: int) -> dict[str, Any]:
    cells = [cell.item() if isinstance(cell, np.generic) else cell for cell in batch.cells(row)]
    return dict(zip(batch.compiled.features, cells, strict=True))
