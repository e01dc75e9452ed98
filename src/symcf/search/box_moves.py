"""Moves of trees that vote, without a diagram: the nearest rows that flip, for few features at a time.

Rows whose moves stay within a limit on each chain are a box. The box oracle of the engine ``boxes`` finds a row in it
that flips, or proves that there is none. Such a row is drawn back, chain by chain, until nothing can be moved less far.
What is left are rows that do not go as far: one box for each of its moves, in which that one stops a step earlier. So
every box that is given up is proved empty, and the rows found are all there are.

Sets of features come by rising size. Only those that contain a change set can hold a row that flips.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import chain as chained
from itertools import combinations, count
from typing import Protocol

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.common.lazy import cached_property
from symcf.errors import LimitError
from symcf.question.case import Case, Query
from symcf.question.steps import MOST_UNITS, Steps
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.protocol import PATIENCE, STEP, Answer, Search

__all__ = ["BoxMoves", "MovesBySize"]

TIME_IS_UP = "time limit reached"

Units = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.uint32]

#: How far each chain may be moved along, or is: steps by chain; chains that stay are left out.
Moves = dict[int, int]


class Boxes(Protocol):
    """The search over features; `symcf.search.boxes.BoxSearch` is one."""

    def steps(self, query: Query, limit: int | None, clock: Clock) -> Iterator[Answer]:
        """Its change sets."""

    def find_row(self, query: Query, clock: Clock) -> npt.NDArray[np.uint32] | None:
        """A row that the query allows and that is as wanted; None: there is none."""

    def nearest_row(
        self, query: Query, cost: Units, rank: Ranks, clock: Clock
    ) -> tuple[npt.NDArray[np.uint32] | None, int, int, str]:
        """The cheapest such row, what it costs, a bound of that, and how the search ended."""


class MovesBySize(Search):
    """Answers one case over steps, for few features at a time."""

    patience = PATIENCE
    lists = True
    avoids_diagram = True

    def __init__(self, case: Case, steps: Steps) -> None:
        self._query, self._steps = case.query, steps
        groups = case.question.classifier.decision.groups
        self._offset = groups.core_offset.tolist()
        #: By feature its chains; by chain its first step, and the core codes that its steps lead to.
        self._chains: dict[int, list[int]] = {}
        self._first: list[int] = []
        self._codes: list[list[int]] = []
        for step, (j, c, v) in enumerate(zip(steps.feature, steps.chain, steps.value, strict=True)):
            if c == len(self._first):
                self._first.append(step)
                self._codes.append([])
                self._chains.setdefault(int(j), []).append(int(c))
            self._codes[c].append(int(groups.group_of[j][v]))
        #: The rows found, by the features that they change.
        self._found: dict[frozenset[int], list[Moves]] = {}

    # --- the contract of engines

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Search`. ``query`` is that of the steps; how many features may change is the case's own matter."""
        given, sets = 0, list[ChangeSet]()
        try:
            for size in self._sizes():
                for moves in self._of_size(size, clock):
                    sets.append(self._taken(moves))
                    given += 1
                    if given == limit:
                        yield Answer(ChangeSets.of(sets), "more", size - 1)
                        return
                    if len(sets) == step:
                        yield Answer(ChangeSets.of(sets), "more", size - 1)
                        sets = []
        except LimitError as error:
            if not clock.ended(error):
                raise
            yield Answer(ChangeSets.of(sets), "time", size - 1)
            return
        yield Answer(ChangeSets.of(sets), "complete")

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Search`. What changes more features costs at least as much as the cheapest first steps of so many."""
        first = sorted(min(self._steps.prices[self._first[c]] for c in chains) for chains in self._chains.values())
        found: list[tuple[int, int, ChangeSet]] = []
        status, size = "complete", 0
        try:
            for size in self._sizes():
                if len(found) >= k and sorted(found)[k - 1][0] < sum(first[:size]):
                    break
                found += [self._ranked(moves) for moves in self._of_size(size, clock)]
        except LimitError as error:
            if not clock.ended(error):
                raise
            status = "time"
        sure = sum(first[:size])
        best = [one for one in sorted(found) if status == "complete" or one[0] < sure]
        return Answer(ChangeSets.of([taken for *_, taken in best[:k]]), status, size - 1 if status == "time" else None)

    # --- the search

    def _sizes(self) -> range:
        most, free = self._query.max_changes, len(self._chains)
        return range(1, (free if most is None else min(most, free)) + 1)

    @abstractmethod
    def _of_size(self, size: int, clock: Clock) -> Iterator[Moves]:
        """The rows that change so many features. requires: those that change fewer are found."""

    def known_within(self, features: Iterable[int]) -> list[Moves]:
        """The rows found that change some of these features, and not all."""
        some = sorted(features)
        parts = chained.from_iterable(combinations(some, size) for size in range(1, len(some)))
        return [moves for part in parts for moves in self._found.get(frozenset(part), ())]

    def _ranked(self, moves: Moves) -> tuple[int, int, ChangeSet]:
        taken = self._taken(moves)
        return self._steps.price(taken), len(taken), taken

    def _taken(self, moves: Moves) -> ChangeSet:
        """All steps of these moves, ascending."""
        firsts: Sequence[tuple[int, int]] = sorted((self._first[c], steps) for c, steps in moves.items())
        return tuple(first + i for first, steps in firsts for i in range(steps))


class BoxMoves(MovesBySize):
    """The same for trees that vote."""

    name = "boxes"

    def __init__(self, case: Case, steps: Steps, trees: Boxes) -> None:
        super().__init__(case, steps)
        self._trees = trees

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Search`. The nearest row comes first. Every other one moves less far than it on some chain: in one of
        the boxes that end there, each of which waits with what its cheapest row costs at least.
        """
        if not self._fits:
            return super().best(query, k, clock)
        found: list[ChangeSet] = []
        whole = self._whole
        # by cost; boxes before rows that cost as much, and of these the first by their steps
        waiting: list[tuple[int, ChangeSet, int, Moves, Moves | None]] = [(0, (), 0, whole, None)]
        seen, number = {tuple(whole.values())}, count(1)
        while waiting and len(found) < k:
            least, taken, _, box, moves = heappop(waiting)
            if moves is None:
                row, cost, bound, status = self._nearest_row(box, clock)
                if row is not None:
                    heappush(waiting, (cost, self._taken(row), next(number), box, row))
                if status != "complete":
                    known = [
                        *found,
                        *(one[1] for one in sorted(waiting, key=lambda one: one[:2]) if one[4] is not None),
                    ]
                    sure = min([max(least, bound), *(one[0] for one in waiting)])
                    cost_of = self._steps.cost_of(sure // self._scale)
                    return Answer(ChangeSets.of(known[:k]), status, least=cost_of)
                continue
            if found[-1:] != [taken]:  # boxes overlap: equal rows come one after the other
                found.append(taken)
            for c, steps in moves.items():
                less = {**box, c: steps - 1}
                if (key := tuple(less.values())) not in seen:
                    seen.add(key)
                    heappush(waiting, (least, (), next(number), less, None))
        return Answer(ChangeSets.of(found), "complete")

    @property
    def _whole(self) -> Moves:
        """The box of all rows."""
        return {c: len(codes) for c, codes in enumerate(self._codes)}

    @cached_property
    def _scale(self) -> int:
        """More than the number of steps: rows are compared by cost, then by their steps."""
        return len(self._steps.prices) + 1

    @property
    def _fits(self) -> bool:
        """Can the core add up such costs?"""
        return (sum(self._steps.prices) + 1) * self._scale <= MOST_UNITS

    @cached_property
    def _priced(self) -> list[tuple[npt.NDArray[np.int64], Units, Ranks]]:
        """By chain: the places of its values, what they cost, and their ranks among rows that cost the same. There, the
        one that takes more steps of an earlier chain comes first.
        """
        priced = []
        feature = {c: j for j, chains in self._chains.items() for c in chains}
        for c, (first, codes) in enumerate(zip(self._first, self._codes, strict=True)):
            prices = [self._steps.prices[first + i] * self._scale + 1 for i in range(len(codes))]
            ranks = np.arange(first, first + len(codes), dtype=np.uint32)[::-1]
            priced.append((np.array(codes, dtype=np.int64) + self._offset[feature[c]], np.cumsum(prices), ranks))
        return priced

    def query_of(self, box: Moves) -> tuple[Query, Units, Ranks]:
        """What the core is asked for the nearest row of a box. Values on both sides have the nearer one's cost."""
        cost = np.full(self._offset[-1], -1, dtype=np.int64)
        rank = np.full(self._offset[-1], self._scale, dtype=np.uint32)
        for c, (places, prices, ranks) in enumerate(self._priced):
            at, price = places[: box[c]], prices[: box[c]]
            nearer = (cost[at] < 0) | (price < cost[at])
            cost[at[nearer]], rank[at[nearer]] = price[nearer], ranks[: box[c]][nearer]
        return replace(self._query, mask=(cost >= 0).astype(np.uint8)), cost, rank

    def _nearest_row(self, box: Moves, clock: Clock) -> tuple[Moves | None, int, int, str]:
        """The cheapest row of a box that flips: its moves, what it costs, a bound of that, and how the search ended."""
        query, cost, rank = self.query_of(box)
        row, total, bound, status = self._trees.nearest_row(query, cost, rank, clock)
        if row is None:
            return None, total, bound, status
        changed = np.flatnonzero(row != query.x).tolist()
        return dict(self._move_to(j, int(row[j]), box) for j in changed), total, bound, status

    def _of_size(self, size: int, clock: Clock) -> Iterator[Moves]:
        changes = list[frozenset[int]]()
        for answer in self._trees.steps(replace(self._query, max_changes=size), None, clock):
            changes += map(frozenset, answer.sets)
        if answer.status != "complete":
            raise LimitError(TIME_IS_UP)
        for features in combinations(sorted(self._chains), size):
            if clock.expired:
                raise LimitError(TIME_IS_UP)
            inside = frozenset(features)
            if any(change <= inside for change in changes):
                yield from self._of_features(inside, clock)

    def _of_features(self, features: frozenset[int], clock: Clock) -> Iterator[Moves]:
        """The rows that change exactly these features."""
        known = self.known_within(features)
        boxes = [{c: len(self._codes[c]) for j in features for c in self._chains[j]}]
        seen = set[tuple[tuple[int, int], ...]]()
        while boxes:
            box = boxes.pop()
            moves = next((m for m in known if all(steps <= box.get(c, 0) for c, steps in m.items())), None)
            if moves is None:
                moves = self._nearest(features, box, clock)
                if moves is None:
                    continue
                known.append(moves)
                self._found.setdefault(features, []).append(moves)
                yield moves
            for c, steps in moves.items():
                less = {**box, c: steps - 1}
                key = tuple(sorted(less.items()))
                if key not in seen and all(any(less[d] for d in self._chains[j]) for j in features):
                    seen.add(key)
                    boxes.append(less)

    def _nearest(self, features: frozenset[int], box: Moves, clock: Clock) -> Moves | None:
        """A row of the box that flips, and of which no feature can be moved less far; None if none flips."""
        moves = self._find(features, box, clock)
        if moves is None:
            return None
        for c in sorted(moves):
            least = 0  # too few are below it
            while c in moves and least < moves[c]:
                middle = (least + moves[c]) // 2
                nearer = self._find(features, {**moves, c: middle}, clock)
                if nearer is None:
                    least = middle + 1
                else:
                    moves = nearer
        return moves

    def _find(self, features: frozenset[int], box: Mapping[int, int], clock: Clock) -> Moves | None:
        """The moves of some row of the box that flips."""
        mask = np.zeros(self._offset[-1], dtype=np.uint8)
        for j in features:
            for c in self._chains[j]:
                mask[self._offset[j] + np.array(self._codes[c][: box.get(c, 0)], dtype=np.int64)] = 1
        row = self._trees.find_row(replace(self._query, mask=mask, max_changes=None), clock)
        if row is None:
            return None
        return dict(self._move_to(j, int(row[j]), box) for j in features if row[j] != self._query.x[j])

    def _move_to(self, j: int, code: int, box: Mapping[int, int]) -> tuple[int, int]:
        """The chain of a feature that leads to a code within the box, the cheapest of several, and the steps to it."""
        ways = [(c, self._codes[c].index(code) + 1) for c in self._chains[j] if code in self._codes[c][: box.get(c, 0)]]
        return min(ways, key=lambda way: sum(self._steps.prices[self._first[way[0]] :][: way[1]]))
