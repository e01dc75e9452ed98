"""Which values a case may choose from, and what they have to bring about.

The nearest values of a change set where numbers are compared with each other.

How far a value is depends on the others then: the nearest number of its range may not obey. Values come by how far they
would be without such relations, which is a lower bound, and each is measured as it is; the rest is split by the values
of features that are compared, so that none of their values come twice (Lawler 1972).
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count, pairwise

import numpy as np

from symcf.common.clock import NO_LIMIT, Clock
from symcf.data.raw_row import FINE_PARTS, OFF_THE_GRID
from symcf.errors import InternalError
from symcf.question.case import Case
from symcf.search.plan import Plan
from symcf.system.targets import Goal
from symcf.values.asked import AskedFlip
from symcf.values.assignments import Assignments
from symcf.values.bounded import BoundedFlip
from symcf.values.lines import LineAssignments
from symcf.values.numbers import NumberAssignments
from symcf.values.paths import DiagramFlip
from symcf.values.protocol import ChangeSet, Codes, Flip, Priced, Values
from symcf.values.scores import SumsFlip
from symcf.values.trees import ALL_MOVES, TreesFlip

__all__ = ["NearestSettled", "assignments_of", "flip_of"]


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
        holds = None if relations is None else relations.holds
        if decision.bounds is not None:
            return BoundedFlip(decision.black_box, goal, holds, decision.bounds.value)
        return AskedFlip(decision.black_box, goal, holds)
    if relations is None and decision.threshold is not None:
        return SumsFlip((decision.threshold,), fall=sink == 0)
    if relations is None and decision.beats is not None:
        if sink == 0:
            sums = [(t, decision.tie_shift(k, r)) for r, t in enumerate(decision.beats[k]) if t is not None]
        else:
            sums = [(t, decision.tie_shift(r, k)) for r, row in enumerate(decision.beats) if (t := row[k]) is not None]
        return SumsFlip(tuple(t for t, _ in sums), tuple(shift for _, shift in sums), every=sink == 1)
    search = plan.default_search()
    if search.relation is not None:
        assert decision.threshold is not None

        def by_diagram() -> Flip:
            diagram, sink = question.classifier.targets.diagram(goal, relations)
            return DiagramFlip(diagram.core, sink)

        return SumsFlip((decision.threshold,), fall=sink == 0, relation=search.relation, by_diagram=by_diagram)
    if trees := search.ensembles(goal):
        return TreesFlip(tuple(trees))
    diagram, sink = question.classifier.targets.diagram(goal, relations, clock)
    return DiagramFlip(diagram.core, sink)


class NearestSettled:
    """The nearest values of one case. ``by_move`` are its assignments by cost and then by move."""

    def __init__(self, case: Case, by_move: Values) -> None:
        self._case = case
        self._by_move = by_move
        self._compared = case.compared

    def best(self, change_set: ChangeSet) -> Codes:
        """The cheapest values that flip the decision, and of these the nearest."""
        number = count()
        queue: list[tuple[int, int, list[list[int]], Priced]] = []
        best: tuple[int, Codes] | None = None

        def offer(choices: list[list[int]]) -> None:
            found = self._by_move.priced_within(change_set, choices)
            if found is not None:
                heappush(queue, (found.unit, next(number), choices, found))

        places = [i for i, j in enumerate(change_set) if j in self._compared]
        offer([list(self._by_move.allowed(j)) for j in change_set])
        while queue:
            unit, _, choices, found = heappop(queue)
            if best is not None and unit >= best[0]:
                break
            farther = unit + self._farther(change_set, found.codes)
            best = (farther, found.codes) if best is None or farther < best[0] else best
            for place in places:
                others = [other for other in choices[place] if other != found.codes[place]]
                offer([*choices[:place], others, *choices[place + 1 :]])
                choices = [*choices[:place], [found.codes[place]], *choices[place + 1 :]]
        if best is None:
            raise InternalError(f"changing {change_set} does not change the decision")
        return best[1]

    def _farther(self, change_set: ChangeSet, codes: Codes) -> int:
        """How much farther the numbers are than the nearest ones, in units of moves."""
        raw = self._case.raw
        new = dict(zip(change_set, codes, strict=True))
        more = 0
        for j, far in self._case.settled(new).far.items():
            if raw.number(j) is not None:
                more += max(0, round(far * FINE_PARTS) - raw.moves(j)[new[j]] % OFF_THE_GRID)
        return more
