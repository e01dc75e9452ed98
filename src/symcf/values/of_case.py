"""Which values a case may choose from, and what they have to bring about.

The nearest values of a change set where numbers are compared with each other.

How far a value is depends on the others then: the nearest number of its range may not obey. Values come by how far they
would be without such relations, which is a lower bound, and each is measured as it is; the rest is split by the values
of features that are compared, so that none of their values come twice (Lawler 1972).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, pairwise, product

import numpy as np
import numpy.typing as npt

from symcf.common.clock import NO_LIMIT, Clock
from symcf.data.raw_row import FINE_PARTS, OFF_THE_GRID
from symcf.errors import InternalError, ModelError
from symcf.models.rules import BlackBoxRule
from symcf.question.case import Case
from symcf.search.plan import Plan
from symcf.system.targets import Goal
from symcf.values.assignments import Assignments
from symcf.values.lines import LineAssignments
from symcf.values.numbers import NumberAssignments
from symcf.values.paths import DiagramFlip
from symcf.values.protocol import ChangeSet, Codes, Flip, Option, Options, Priced, Solver, Values
from symcf.values.scores import SumsFlip
from symcf.values.trees import ALL_MOVES, TreesFlip

__all__ = ["AskedFlip", "AskedSolver", "NearestSettled", "assignments_of", "flip_of"]


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


@dataclass(frozen=True, eq=False)
class AskedFlip(Flip):
    """The classifier has to say class `k` (sink 1), or any other (sink 0), of a row that obeys the relations."""

    rule: BlackBoxRule
    goal: Goal
    holds: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]] | None

    def solver(self, x: Sequence[int]) -> Solver:
        """See `Flip`."""
        return AskedSolver(self, x)

    def __call__(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which rows are as wanted?"""
        k, sink = self.goal
        result = np.ones(len(rows), dtype=np.bool_) if self.holds is None else self.holds(rows)
        result[result] = (self.rule.decide(rows[result]) == k) == bool(sink)
        return result


class AskedSolver(Solver):
    """Assignments of one instance. requires: change sets ascending, options by ascending code."""

    def __init__(self, flip: AskedFlip, x: Sequence[int]) -> None:
        self._flip = flip
        self._x = np.array(x, dtype=np.int64)
        #: A change set, and all its assignments that flip the decision.
        self._known: tuple[tuple[int, ...], frozenset[tuple[int, ...]]] = ((), frozenset())

    def best(self, change_set: Sequence[int], options: Options) -> Priced | None:
        """The cheapest, then the one with the smallest codes. It is asked once more by itself, as users will."""
        unit_of = [{option.code: option.unit for option in choices} for choices in options]
        flipping = [
            Priced(sum(of[code] for of, code in zip(unit_of, codes, strict=True)), codes)
            for codes in self.in_code_order(change_set, options)
        ]
        for priced in sorted(flipping):
            row = self._x.copy()
            row[list(change_set)] = priced.codes
            if self._flip(row.reshape(1, -1))[0]:
                return priced
        if flipping:
            raise ModelError(
                "predict decides rows differently by themselves and in a table: it must give the same row the same "
                "label every time"
            )
        return None

    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """See `Solver`."""
        return next(self.in_code_order(change_set, options), None) is not None

    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """Whether all assignments are known to flip the decision: those of a set are asked at once, if they fit."""
        if self._known[0] != tuple(change_set):
            suggested = self._flip.rule.suggested
            every = [[Option(v, v, 1) for v, fine in enumerate(suggested[j]) if fine] for j in change_set]
            few = math.prod(map(len, every)) <= self._flip.rule.most_rows
            self._known = tuple(change_set), frozenset(self.in_code_order(change_set, every) if few else ())
        return self._known[1].issuperset(product(*([option.code for option in choices] for choices in options)))

    def count(self, change_set: Sequence[int], options: Options) -> int:
        """See `Solver`. All are asked."""
        return sum(1 for _ in self.in_code_order(change_set, options))

    def in_code_order(self, change_set: Sequence[int], options: Options) -> Iterator[tuple[int, ...]]:
        """See `Solver`. Table by table."""
        codes = [np.array([option.code for option in choices], dtype=np.int64) for choices in options]
        total, most = math.prod(map(len, codes)), self._flip.rule.most_rows
        for start in range(0, total, most):
            place = np.arange(start, min(start + most, total))
            chosen = np.empty((len(place), len(codes)), dtype=np.int64)
            for i in reversed(range(len(codes))):
                place, which = np.divmod(place, len(codes[i]))
                chosen[:, i] = codes[i][which]
            rows = np.repeat(self._x.reshape(1, -1), len(chosen), axis=0)
            rows[:, list(change_set)] = chosen
            yield from map(tuple, chosen[self._flip(rows)].tolist())
