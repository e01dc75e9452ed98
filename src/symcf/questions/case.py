"""A case: a question about one row, in the codes that engines take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.clauses.cnf import Wcnf, encode, wcnf
from symcf.common.clock import NO_LIMIT, Clock
from symcf.diagrams.diagram import Diagram
from symcf.diagrams.targets import Goal, goal_of
from symcf.errors import OptionError
from symcf.questions.question import Question
from symcf.rows.given import GivenRow
from symcf.rows.raw_row import RawRow

__all__ = ["Case", "Query"]


@dataclass(frozen=True)
class Query:
    """The instance, the goal, what may change, and what changes cost. In core codes."""

    x: npt.NDArray[np.uint32]
    goal: Goal
    mask: npt.NDArray[np.uint8] | None
    #: The cost of changing each feature, in integers; None: 1 each.
    units: npt.NDArray[np.int64] | None
    max_changes: int | None
    #: Are sufficient reasons wanted, instead of change sets?
    reasons: bool = False

    def core(self) -> _core.Query:
        """The same for the C core."""
        return _core.Query(self.x, self.mask, self.units, self.max_changes, self.reasons)

    def weights(self) -> list[int]:
        """What changing each feature costs."""
        return [1] * len(self.x) if self.units is None else [int(unit) for unit in self.units]


class Case:
    """What would have to change for this row to be decided differently?"""

    def __init__(
        self,
        question: Question,
        row: npt.NDArray[Any],
        given: GivenRow | None = None,
        places: Sequence[int | None] = (),
    ) -> None:
        """``row`` holds checked value codes and has the shape (1, n); ``given`` is what the user gave; ``places`` are
        as in `Costs.of_row`.
        """
        self.question = question
        self._given = given
        #: The row, as value codes.
        self.x: list[int] = row[0].astype(np.int64).tolist()
        classifier, groups = question.classifier, question.classifier.decision.groups
        self.prediction = int(classifier.decide(row)[0])
        #: By value, whether it may be taken; None: every value may.
        self.mask = question.constraints.mask(self.x)
        #: What changing this row costs.
        self.costs = costs = question.costs.of_row(self.x, places)
        #: For the engines.
        self.query = Query(
            x=np.ascontiguousarray(groups.core_codes(row)[0]),
            goal=goal_of(self.prediction, question.target, classifier.n_classes),
            mask=groups.core_mask(self.mask),
            units=costs.units if costs.per_value is None else costs.lower_units(self.x, self.mask),
            max_changes=question.constraints.max_changes,
        )

    @classmethod
    def of(cls, question: Question, x: Any) -> Case:
        """The case of a row in the user's form; an error if it already has the wanted class."""
        classifier = question.classifier
        given = GivenRow(x, classifier.encoder.layout)
        case = cls(question, classifier.instance(x), given, question.costs.place(x))
        if question.target == case.prediction:
            raise OptionError(f"target: the instance already is {question.classifier.classes[case.prediction]!r}")
        return case

    @cached_property
    def raw(self) -> RawRow:
        """The row in the user's terms."""
        return self.question.classifier.raw_row(self.x, self._given, self.question.resolutions)

    @property
    def target(self) -> int | None:
        """The class of the counterfactuals; None: any but the present one."""
        return 1 - self.prediction if self.question.classifier.n_classes == 2 else self.question.target

    def target_diagram(self, clock: Clock = NO_LIMIT) -> tuple[Diagram, int]:
        """The diagram of what has to be reached, and the sink in it; `LimitError` when time is up."""
        return self.question.classifier.targets.diagram(self.query.goal, self.question.relations, clock)

    def wcnf(self, encoding: str) -> Wcnf:
        """The case as a partial MaxSAT problem."""
        diagram, sink = self.target_diagram()
        core, mask = self.query.x.tolist(), self.query.mask
        groups = self.question.classifier.decision.groups
        codes = [(j, g) for j, members in enumerate(groups.members) for g in range(len(members)) if g != core[j]]
        allowed = {(j, g) for j, g in codes if mask is None or mask[int(groups.core_offset[j]) + g]}
        fixed = sorted(set(range(len(core))) - {j for j, _ in allowed})
        forbidden = [(j, g) for j, g in codes if (j, g) not in allowed and j not in fixed]
        problem = wcnf(encode(diagram, encoding, negate=sink == 0), core, fixed, forbidden, self.query.weights())
        most = self.query.max_changes
        return problem if most is None else problem.at_most(most)
