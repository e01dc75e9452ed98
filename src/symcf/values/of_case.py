"""Which values a case may choose from, and what they have to bring about."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from symcf.common.clock import NO_LIMIT, Clock
from symcf.question.case import Case, NumberCase
from symcf.question.question import Question
from symcf.search.choice import auto_engine, ensembles_of, relation_of
from symcf.system.asked import AskedDecision
from symcf.system.targets import Goal
from symcf.values.assignments import (
    AnyOtherFlip,
    AskedFlip,
    Assignments,
    DiagramFlip,
    Flip,
    TargetFlip,
    ThresholdFlip,
    TreesFlip,
    WithinFlip,
)
from symcf.values.numbers import NumberAssignments
from symcf.values.trees import ALL_MOVES

__all__ = ["assignments_of", "flip_of"]


def assignments_of(case: Case, clock: Clock = NO_LIMIT, *, shortest: bool = False) -> Assignments | NumberAssignments:
    """The assignments of the case's change sets, by cost; with ``shortest``, by cost and then by move. `LimitError` if
    a diagram is needed and takes longer than allowed.
    """
    if isinstance(case, NumberCase):
        return NumberAssignments(case)
    groups, costs = case.question.classifier.decision.groups, case.costs
    offset, mask = case.question.classifier.value_offset.tolist(), case.mask
    every = [range(b - a) if mask is None else np.flatnonzero(mask[a:b]).tolist() for a, b in pairwise(offset)]
    choices = [[v for v in some if v != case.x[j]] for j, some in enumerate(every)]
    for j in case.within:
        choices[j] = sorted([*choices[j], case.x[j]])
    units: Callable[[int, int], int] | None = None
    if shortest:
        moves: dict[int, list[int]] = {}

        def units(j: int, v: int) -> int:
            if j not in moves:
                moves[j] = case.raw.moves(j)
            return costs.change_of(j, case.x[j], v) * ALL_MOVES + moves[j][v]

    elif costs.per_value is not None:

        def units(j: int, v: int) -> int:
            return costs.change_of(j, case.x[j], v)

    return Assignments(
        flip_of(case.question, case.query.goal, clock),
        case.x,
        choices,
        units,
        None if groups.trivial else groups.group_of,
        moves=shortest,
        within=case.within,
    )


def flip_of(question: Question, goal: Goal, clock: Clock) -> Flip:
    """What has to become true for a goal; `LimitError` if a diagram is needed and takes longer than allowed."""
    decision, (k, sink) = question.classifier.decision, goal
    if isinstance(decision, AskedDecision):
        return AskedFlip(decision.rule, goal, None if question.relations is None else question.relations.holds)
    if question.relations is None and decision.threshold is not None:
        return ThresholdFlip(decision.threshold, sink)
    if question.relations is None and decision.beats is not None:
        if sink == 0:
            rivals = [(t, decision.tie_shift(k, r)) for r, t in enumerate(decision.beats[k]) if t is not None]
            return AnyOtherFlip(*map(tuple, zip(*rivals, strict=True)))
        beaten = [(t, decision.tie_shift(r, k)) for r, row in enumerate(decision.beats) if (t := row[k]) is not None]
        return TargetFlip(*map(tuple, zip(*beaten, strict=True)))
    if (relation := relation_of(question)) is not None:
        assert decision.threshold is not None

        def by_diagram() -> DiagramFlip:
            diagram, sink = question.classifier.targets.diagram(goal, question.relations)
            return DiagramFlip(diagram.core, sink)

        return WithinFlip(decision.threshold, sink, relation, by_diagram)
    if auto_engine(question) == "boxes":
        return TreesFlip(tuple(trees_of(goal) for trees_of in ensembles_of(question, goal)))
    diagram, sink = question.classifier.targets.diagram(goal, question.relations, clock)
    return DiagramFlip(diagram.core, sink)
