"""The likeliest values of a change set: branch and bound over the cells that its features may be in.

The most that the log-likelihood can be within some cells of each feature is exact, by passing maxima up the tree. Which
values of these cells flip the decision, and what the nearest of them cost, is what `Values` finds. The best bound
comes first, so the first choice of one cell per feature is the likeliest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.data.plausibility import Plausibility
from symcf.values.protocol import ChangeSet, Codes, Priced, Values
from symcf.values.trees import ALL_MOVES

__all__ = ["Likeliest", "drawn_rows"]


#: By feature of a set, the cells that it may be in.
Choice = tuple[tuple[int, ...], ...]


class Found(NamedTuple):
    """The likeliest values of a set."""

    score: int
    codes: Codes


class Likeliest:
    """The likeliest values of the change sets of one row. ``by_move`` are its assignments by cost and then by move."""

    def __init__(self, plausibility: Plausibility, x: Sequence[int], by_move: Values) -> None:
        self._plausibility = plausibility
        self._assignments = by_move
        self._most = _Most(plausibility, x)

    def best(self, change_set: ChangeSet) -> Found | None:
        """The likeliest among the cheapest values that flip the decision, and of these the nearest; None if none do."""
        every = self._cells(change_set)
        first = self._assignments.priced(change_set)
        if first is None:
            return None
        cost, number = first.unit // ALL_MOVES, count()
        queue = [(-self._most(change_set, every), first.unit, next(number), every, first)]
        while queue:
            bound, _, _, choice, priced = heappop(queue)
            widest = max(range(len(choice)), key=lambda i: len(choice[i]), default=None)
            if widest is None or len(choice[widest]) == 1:
                return Found(-bound, priced.codes)
            for cell in choice[widest]:
                fewer = (*choice[:widest], (cell,), *choice[widest + 1 :])
                within = self._priced(change_set, fewer)
                if within is not None and within.unit // ALL_MOVES == cost:
                    heappush(queue, (-self._most(change_set, fewer), within.unit, next(number), fewer, within))
        raise AssertionError("one cell of each feature has the first values")

    def ranked(self, sets: Iterable[ChangeSet]) -> Iterator[tuple[ChangeSet, Found]]:
        """Sets with their likeliest values, the likeliest first; of several, in the order given. Each is looked at when
        nothing else can come before it.
        """
        queue: list[tuple[int, int, int, ChangeSet, Found | None]] = []
        for i, change_set in enumerate(sets):
            queue.append((-self._most(change_set, self._cells(change_set)), 0, i, change_set, None))
        queue.sort()
        while queue:
            _, _, i, change_set, found = heappop(queue)
            if found is not None:
                yield change_set, found
                continue
            found = self.best(change_set)
            assert found is not None, "no values of a change set flip the decision"
            heappush(queue, (-found.score, 1, i, change_set, found))

    def _cells(self, change_set: ChangeSet) -> Choice:
        """All cells that the features may be in."""
        return tuple(tuple(sorted({self._cell(j, code) for code in self._assignments.allowed(j)})) for j in change_set)

    def _cell(self, j: int, code: int) -> int:
        table = self._plausibility.cells[j].table
        assert table is not None
        return table[code]

    def _priced(self, change_set: ChangeSet, choice: Choice) -> Priced | None:
        inside = [
            [code for code in self._assignments.allowed(j) if self._cell(j, code) in cells]
            for j, cells in zip(change_set, choice, strict=True)
        ]
        return self._assignments.priced_within(change_set, inside)


class _Most:
    """The most that the log-likelihood can be if some features are in given cells and the others as they are."""

    def __init__(self, plausibility: Plausibility, x: Sequence[int]) -> None:
        self._p = plausibility
        row = np.array([x], dtype=np.int64)
        self._own = [int(part.of_codes(row[:, j])[0]) for j, part in enumerate(plausibility.cells)]
        self._order = plausibility.leaves_first()

    def __call__(self, features: Sequence[int], choice: Choice) -> int:
        cells: Mapping[int, Sequence[int]] = dict(zip(features, choice, strict=True))
        below: dict[int, npt.NDArray[np.int64]] = {}  # by feature and cell, what its children add
        total = 0
        for j in self._order:
            parent = self._p.parents[j]
            own = cells.get(j, (self._own[j],))
            lines = cells.get(parent, (self._own[parent],)) if parent >= 0 else (0,)
            terms = self._p.tables[j][np.ix_(lines, own)]
            most = (terms + below[j] if j in below else terms).max(axis=1)
            if parent < 0:
                total += int(most[0])
            else:
                below[parent] = below[parent] + most if parent in below else most
        return total


# --- samples ----------------------------------------------------------------------------------------------------------
# Plausible rows drawn at random: is there one that is as wanted? A quick yes; no answer means nothing.

Rows = npt.NDArray[np.int64]


def drawn_rows(plausibility: Plausibility, allowed: list[list[int]], size: int) -> Rows:
    """Rows of value codes, the same in every process. ``allowed[j]`` are the values that feature j may have."""
    random = np.random.default_rng(0)
    cells: Rows = np.zeros((size, len(allowed)), dtype=np.int64)
    codes: Rows = np.zeros_like(cells)
    for j in reversed(plausibility.leaves_first()):
        table = plausibility.cells[j].table
        assert table is not None
        within = np.array([table[code] for code in allowed[j]])
        parent = plausibility.parents[j]
        terms = plausibility.tables[j][cells[:, parent] if parent >= 0 else np.zeros(size, dtype=np.int64)][:, within]
        # the largest of terms with noise of Gumbel's distribution is drawn with the chances that they are logs of
        chosen = np.argmax(terms / 100 + random.gumbel(size=terms.shape), axis=1)
        codes[:, j] = np.array(allowed[j])[chosen]
        cells[:, j] = within[chosen]
    return codes
