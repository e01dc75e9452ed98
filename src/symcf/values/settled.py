"""The nearest values of a change set where numbers are compared with each other.

How far a value is depends on the others then: the nearest number of its range may not obey. Values come by how far they
would be without such relations, which is a lower bound, and each is measured as it is; the rest is split by the values
of features that are compared, so that none of their values come twice (Lawler 1972).
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from symcf.data.raw_row import FINE_PARTS, OFF_THE_GRID
from symcf.errors import InternalError
from symcf.question.case import Case
from symcf.question.orders import related_by
from symcf.values.protocol import ChangeSet, Codes, Priced, Values

__all__ = ["NearestSettled"]


class NearestSettled:
    """The nearest values of one case. ``by_move`` are its assignments by cost and then by move."""

    def __init__(self, case: Case, by_move: Values) -> None:
        self._case = case
        self._by_move = by_move
        self._compared = related_by(case.orders)

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
