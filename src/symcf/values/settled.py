"""The nearest values of a change set where numbers are compared with each other.

How far a value is depends on the others then: the nearest number of its range may not obey. Values come by how far they
would be without such relations, which is a lower bound, and each is measured as it is; the rest is split so that no
values come twice (Lawler 1972).
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from symcf.errors import InternalError
from symcf.questions.case import Case
from symcf.rows.raw_row import PARTS_OF_A_SPAN
from symcf.rows.settling import settled
from symcf.values.assignments import Assignments, ChangeSet, Codes
from symcf.values.scores import Priced

__all__ = ["NearestSettled"]


class NearestSettled:
    """The nearest values of one case. ``by_move`` are its assignments by cost and then by move."""

    def __init__(self, case: Case, by_move: Assignments) -> None:
        self._case = case
        self._by_move = by_move

    def best(self, change_set: ChangeSet) -> Codes:
        """The cheapest values that flip the decision, and of these the nearest."""
        number = count()
        queue: list[tuple[int, int, list[list[int]] | None, Priced]] = []

        def offer(choices: list[list[int]]) -> None:
            found = self._by_move.priced_within(change_set, choices)
            if found is not None:
                heappush(queue, (found.unit, next(number), choices, found))

        offer([list(self._by_move.allowed(j)) for j in change_set])
        while queue:
            unit, _, choices, found = heappop(queue)
            farther = self._farther(change_set, found.codes)
            if choices is None or not farther:
                return found.codes
            heappush(queue, (unit + farther, next(number), None, found))
            for i, code in enumerate(found.codes):
                known = [[known] for known in found.codes[:i]]
                offer([*known, [other for other in choices[i] if other != code], *choices[i + 1 :]])
        raise InternalError(f"changing {change_set} does not change the decision")

    def _farther(self, change_set: ChangeSet, codes: Codes) -> int:
        """How much farther the numbers are than the nearest ones, in units of moves."""
        more = settled(self._case.raw, self._case.orders, dict(zip(change_set, codes, strict=True)))[1]
        return max(0, round(more * PARTS_OF_A_SPAN)) if more > 0 else 0
