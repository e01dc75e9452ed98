"""Which values a case may choose from, and what they have to bring about."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from symcf.common.clock import NO_LIMIT, Clock
from symcf.question.case import Case
from symcf.search.plan import Plan
from symcf.system.targets import Goal
from symcf.values.asked import AskedFlip
from symcf.values.assignments import Assignments, WithinFlip
from symcf.values.lines import LineAssignments
from symcf.values.numbers import NumberAssignments
from symcf.values.paths import DiagramFlip
from symcf.values.protocol import Flip, Values
from symcf.values.scores import AnyOtherFlip, TargetFlip, ThresholdFlip
from symcf.values.trees import ALL_MOVES, TreesFlip

__all__ = ["assignments_of", "flip_of"]


def assignments_of(case: Case, plan: Plan, clock: Clock = NO_LIMIT, *, shortest: bool = False) -> Values:
    """The assignments of the case's change sets, by cost; with ``shortest``, by cost and then by move. `LimitError` if
    a diagram is needed and takes longer than allowed.
    """
    if case.numbers is not None:
        return LineAssignments(case.numbers) if case.question.is_coupled else NumberAssignments(case.numbers)
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
        flip_of(plan, case.query.goal, clock),
        case.x,
        choices,
        units,
        None if groups.trivial else groups.group_of,
        moves=shortest,
        within=case.within,
    )


def flip_of(plan: Plan, goal: Goal, clock: Clock) -> Flip:
    """What has to become true for a goal; `LimitError` if a diagram is needed and takes longer than allowed."""
    question, (k, sink) = plan.question, goal
    decision, relations = question.classifier.decision, question.relations
    if decision.black_box is not None and not plan.kind.needs_diagram:
        return AskedFlip(decision.black_box, goal, None if relations is None else relations.holds)
    if relations is None and decision.threshold is not None:
        return ThresholdFlip(decision.threshold, sink)
    if relations is None and decision.beats is not None:
        if sink == 0:
            rivals = [(t, decision.tie_shift(k, r)) for r, t in enumerate(decision.beats[k]) if t is not None]
            return AnyOtherFlip(*map(tuple, zip(*rivals, strict=True)))
        beaten = [(t, decision.tie_shift(r, k)) for r, row in enumerate(decision.beats) if (t := row[k]) is not None]
        return TargetFlip(*map(tuple, zip(*beaten, strict=True)))
    search = plan.default_search()
    if search.relation is not None:
        assert decision.threshold is not None

        def by_diagram() -> Flip:
            diagram, sink = question.classifier.targets.diagram(goal, relations)
            return DiagramFlip(diagram.core, sink)

        return WithinFlip(decision.threshold, sink, search.relation, by_diagram)
    if trees := search.ensembles(goal):
        return TreesFlip(tuple(trees))
    diagram, sink = question.classifier.targets.diagram(goal, relations, clock)
    return DiagramFlip(diagram.core, sink)
