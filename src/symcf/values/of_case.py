"""Which values a case may choose from, and what they have to bring about."""

from __future__ import annotations

from symcf.common.clock import NO_LIMIT, Clock
from symcf.questions.case import Case, NumberCase
from symcf.values.assignments import AnyOtherFlip, Assignments, DiagramFlip, Flip, TargetFlip, ThresholdFlip
from symcf.values.numbers import NumberAssignments

__all__ = ["assignments_of"]


def assignments_of(case: Case, clock: Clock = NO_LIMIT) -> Assignments | NumberAssignments:
    """The assignments of the case's change sets; `LimitError` if a diagram is needed and takes longer than allowed."""
    if isinstance(case, NumberCase):
        return NumberAssignments(case)
    groups, costs = case.question.classifier.decision.groups, case.costs
    offset, mask = case.question.classifier.value_offset.tolist(), case.mask
    choices = [
        [v for v in range(len(group_of)) if v != case.x[j] and (mask is None or mask[offset[j] + v])]
        for j, group_of in enumerate(groups.group_of)
    ]
    units = None if costs.per_value is None else lambda j, v: costs.unit_of(j, case.x[j], v)
    return Assignments(_flip(case, clock), case.x, choices, units, None if groups.trivial else groups.group_of)


def _flip(case: Case, clock: Clock) -> Flip:
    decision, (k, sink) = case.question.classifier.decision, case.query.goal
    if case.question.relations is None and decision.threshold is not None:
        return ThresholdFlip(decision.threshold, sink)
    if case.question.relations is None and decision.beats is not None:
        if sink == 0:
            rivals = [(t, decision.tie_shift(k, r)) for r, t in enumerate(decision.beats[k]) if t is not None]
            return AnyOtherFlip(*map(tuple, zip(*rivals, strict=True)))
        beaten = [(t, decision.tie_shift(r, k)) for r, row in enumerate(decision.beats) if (t := row[k]) is not None]
        return TargetFlip(*map(tuple, zip(*beaten, strict=True)))
    diagram, sink = case.target_diagram(clock)
    return DiagramFlip(diagram.core, sink)
