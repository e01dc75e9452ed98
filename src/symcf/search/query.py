"""Change sets of a black-box model: every row within reach is tried, table by table.

Sets of features come by rising cost, each with all its values; what contains a set that was found is left out. So each
set that is found is minimal, and when all sets of up to r features have been tried, those found are all there are. With
n features of d values that are (n over r) times d**r rows.

Each table begins with the row itself: a classifier that decides it differently this time is refused.

Moves of a black-box model: rows are asked for few features at a time, and the nearest that flip are kept.

A row can only be less far than others if it changes no other features than they do, so sets of features come by rising
size. Of each, the rows are asked that no row found so far is less far than; the nearest of those that flip are kept.
"""

from __future__ import annotations

import heapq
import math
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.errors import LimitError, ModelError
from symcf.models.black_box import not_a_function
from symcf.models.rules import BlackBoxRule
from symcf.question.case import Case, Query
from symcf.question.question import Question
from symcf.question.steps import Steps
from symcf.search.box_moves import TIME_IS_UP, Moves, MovesBySize
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.protocol import PATIENCE, STEP, Answer, Options, Search, StepForm

__all__ = ["Cursor", "Holds", "QueryMoves", "QuerySearch"]

Rows = npt.NDArray[np.int64]
#: Which rows obey the relations.
Holds = Callable[[Rows], npt.NDArray[np.bool_]]

#: Rows of the first table. Tables grow as long as their rows take no longer than this many seconds, or than the latency
#: of a call if that is longer: with a time limit, which is checked between tables, and without one.
FIRST, HURRIED, AT_LEISURE = 4, 0.05, 1.0

#: Seconds in which a set is looked for where only its existence matters.
BRIEFLY = 0.1


class Pace:
    """How long tables take: a latency and a time for each row, the line through all tables so far by least squares."""

    def __init__(self) -> None:
        self._rows, self._seconds = list[int](), list[float]()

    def add(self, rows: int, seconds: float) -> None:
        """A table was decided."""
        self._rows.append(rows)
        self._seconds.append(seconds)

    def most_rows(self, clock: Clock) -> float:
        """Rows of the next table, at most; it is expected to end in time if there is more time than the latency."""
        rows, seconds = np.array(self._rows, dtype=float), np.array(self._seconds)
        off = rows - rows.mean()
        # What tables of one size take may be latency or not.
        per_row = float(off @ seconds / (off @ off)) if off.any() else 0.0
        per_row = min(max(per_row, 0.0), float(seconds.sum() / rows.sum()))
        latency = float(seconds.mean() - per_row * rows.mean())
        slower = max(1.0, self._seconds[-1] / max(latency + per_row * self._rows[-1], 1e-9))
        per_row, latency = per_row * slower, latency * slower
        if clock.seconds is None:
            return max(AT_LEISURE, latency) / max(per_row, 1e-12)
        if not off.any():
            return clock.left * float(rows.sum() / max(seconds.sum(), 1e-9))
        fitting = max(HURRIED, latency) / max(per_row, 1e-12)
        return min(max(fitting, FIRST + 1), (clock.left - latency) / max(per_row, 1e-12))


class QuerySearch(Search):
    """Calls `predict` on candidate rows. `holds` tells which rows obey the relations, if there are any."""

    name = "query"
    needs = ("black_box",)
    patience = PATIENCE
    lists = True

    def __init__(self, rule: BlackBoxRule, classes: tuple[Hashable, ...], holds: Holds | None) -> None:
        self.rule = rule
        self.classes = classes
        self.holds = holds

    @classmethod
    def supports(cls, question: Question) -> str | None:
        if question.classifier.decision.black_box is None:
            return "engine 'query' is for black-box models (symcf.from_predict); use engine='auto'"
        return None

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        rule, relations = question.classifier.decision.black_box, question.relations
        assert rule is not None
        return cls(rule, question.classifier.classes, None if relations is None else relations.holds)

    def cursor(self, query: Query, weights: list[int]) -> Cursor:
        """Sets by rising cost."""
        return _Search(self, query, weights)

    def matters(self, j: int) -> bool:
        """May a feature make a difference? Sets with one that makes none are not minimal."""
        return True

    def exists(self, query: Query, clock: Clock) -> bool:
        """See `Search`. It cannot know soon: no set that is found in a short time counts as none."""
        return super().exists(query, clock.earlier(BRIEFLY))

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Search`. By rising size."""
        search, wanted = self.cursor(query, [1] * len(query.x)), limit
        while True:
            sets, status = search.next(step if wanted is None else min(step, wanted), clock)
            wanted = None if wanted is None else wanted - len(sets)
            yield Answer(ChangeSets.of(sets), status, None if status == "complete" else search.complete_up_to)
            if status != "more" or wanted == 0:
                return

    def over_steps(self, form: StepForm) -> Search:
        return QueryMoves(form.case, form.steps, self.wanted)

    def wanted(self, query: Query, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which rows are decided as the query wants, and obey the relations?"""
        return self.rule.reach(rows, query.goal, self.holds)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        return self.ranked(query)(k, clock)

    def ranked(self, query: Query) -> Callable[[int, Clock], Answer]:
        """See `Search`. A larger k goes on where a smaller one stopped."""
        search, found = self.cursor(query, query.weights()), list[ChangeSet]()

        def first(k: int, clock: Clock) -> Answer:
            sets, status = search.next(max(0, k - len(found)), clock)
            found.extend(sets)
            return Answer(ChangeSets.of(found[:k]), "complete" if status == "more" else status, search.complete_up_to)

        return first


class _Candidate(NamedTuple):
    """A set of features that may be tried; they compare by (cost, size, features)."""

    cost: int
    size: int
    features: ChangeSet
    #: The place of the dearest feature among all that may change, cheapest first.
    last: int


class Cursor(ABC):
    """Goes through sets by rising cost, and goes on where it stopped. Subclasses try them."""

    def __init__(self, engine: QuerySearch, query: Query, weights: list[int]) -> None:
        self._engine, self._query = engine, query
        self._x = query.x.astype(np.int64)
        offset = np.concatenate([[0], np.cumsum(engine.rule.n_values)]).tolist()
        mask = np.ones(offset[-1], dtype=np.uint8) if query.mask is None else query.mask
        #: By feature, the values that it may take, without its own.
        self._options = [np.flatnonzero(mask[a:b]) for a, b in pairwise(offset)]
        self._options = [some[some != own] for some, own in zip(self._options, self._x.tolist(), strict=True)]
        free = [j for j, some in enumerate(self._options) if len(some) and engine.matters(j)]
        self._weights = weights
        #: The features that may change, cheapest first.
        self._free = sorted(free, key=lambda j: (weights[j], j))
        self._most = len(free) if query.max_changes is None else min(len(free), query.max_changes)
        self._heap: list[_Candidate] = []
        if self._most:
            self._heap.append(_Candidate(weights[self._free[0]], 1, (self._free[0],), 0))
        self._found: set[ChangeSet] = set()
        #: Found, but not given yet.
        self._ready: deque[ChangeSet] = deque()

    @abstractmethod
    def _open(self) -> Iterator[int]:
        """The sizes of sets that are being tried."""

    @abstractmethod
    def _fill(self) -> bool:
        """Takes up more sets; False if none is left."""

    @abstractmethod
    def _try(self, clock: Clock) -> None:
        """Tries them for a while. What is found goes to ``_found`` and ``_ready``."""

    @property
    def complete_up_to(self) -> int:
        """All sets of up to so many features have been tried."""
        sizes = [*self._open(), *(c.size for c in self._heap), *map(len, self._ready)]
        return min(sizes, default=len(self._x) + 1) - 1

    def next(self, limit: int, clock: Clock) -> tuple[list[ChangeSet], str]:
        """More sets, by (cost, size, features), and how it ended: "complete", "more" or "time"."""
        given: list[ChangeSet] = []
        while True:
            while self._ready and len(given) < limit:
                given.append(self._ready.popleft())
            if len(given) == limit:
                return given, "more"
            if clock.expired:
                return given, "time"
            if not self._fill():
                return given, "complete"
            try:
                self._try(clock)
            except LimitError as error:
                if not clock.ended(error):
                    raise
                while self._ready and len(given) < limit:
                    given.append(self._ready.popleft())
                return given, "time"

    def _candidates(self) -> Iterator[ChangeSet]:
        """Sets that contain none that was found. From each set others are made, so that each is made once: by one more
        feature, and by the next one in place of its dearest.
        """
        while self._heap:
            cost, size, features, last = heapq.heappop(self._heap)
            is_new = self._is_new(features)
            if last + 1 < len(self._free):
                old, new = self._free[last], self._free[last + 1]
                self._push(cost - self._weights[old], [j for j in features if j != old], new, last + 1)
                if is_new and size < self._most:
                    self._push(cost, features, new, last + 1)
            if is_new:
                yield features

    def _push(self, cost: int, features: Sequence[int], new: int, last: int) -> None:
        wider = tuple(sorted([*features, new]))
        heapq.heappush(self._heap, _Candidate(cost + self._weights[new], len(wider), wider, last))

    def _is_new(self, features: ChangeSet) -> bool:
        """Does it contain no set that was found?"""
        if len(self._found) < 1 << len(features):
            mine = set(features)
            return not any(mine.issuperset(found) for found in self._found)
        sizes = range(1, len(features) + 1)
        return not any(part in self._found for size in sizes for part in combinations(features, size))


@dataclass
class _Trial:
    """A set of which some rows are still to be asked."""

    features: ChangeSet
    #: Rows that have been asked, and rows in all.
    done: int
    total: int


class _Search(Cursor):
    """Tries every row, table by table."""

    def __init__(self, engine: QuerySearch, query: Query, weights: list[int]) -> None:
        super().__init__(engine, query, weights)
        self._trials: deque[_Trial] = deque()
        self._rows, self._pace = FIRST, Pace()

    def _open(self) -> Iterator[int]:
        return (len(trial.features) for trial in self._trials)

    def _fill(self) -> bool:
        """See `Cursor`. As many as the next table takes."""
        waiting = sum(trial.total - trial.done for trial in self._trials)
        candidates = self._candidates()
        while waiting < self._rows and (features := next(candidates, None)) is not None:
            trial = _Trial(features, 0, math.prod(len(self._options[j]) for j in features))
            self._trials.append(trial)
            waiting += trial.total
        return bool(self._trials)

    def _try(self, clock: Clock) -> None:
        """Asks one table: the row itself, and the next rows of the sets in turn."""
        parts, room = list[tuple[_Trial, int, int]](), self._rows
        for trial in self._trials:
            if not room:
                break
            count = min(room, trial.total - trial.done)
            parts.append((trial, 1 + self._rows - room, count))
            room -= count
        started = time.monotonic()
        flips = self._flips(self._table(parts, 1 + self._rows - room))
        self._pace.add(1 + self._rows - room, time.monotonic() - started)
        # Four times as many rows, or as many as there is time for.
        most = min(4.0 * self._rows, self._pace.most_rows(clock) - 1, self._engine.rule.most_rows - 1)
        self._rows = max(1, int(most))
        for trial, start, count in parts:
            trial.done += count
            if flips[start : start + count].any():
                trial.done = trial.total
                if self._is_new(trial.features):
                    self._found.add(trial.features)
                    self._ready.append(trial.features)
        self._trials = deque(t for t in self._trials if t.done < t.total and self._is_new(t.features))

    def _table(self, parts: Sequence[tuple[_Trial, int, int]], n_rows: int) -> Rows:
        """The row itself, and the next rows of sets: of each, where they start and how many they are."""
        rows = np.empty((n_rows, len(self._x)), dtype=np.int64, order="F")  # columns are written and read
        rows[...] = self._x
        for trial, start, count in parts:
            place = np.arange(trial.done, trial.done + count)
            for j in reversed(trial.features):
                place, which = np.divmod(place, len(self._options[j]))
                rows[start : start + count, j] = self._options[j][which]
        return rows

    def _flips(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which rows are as wanted? The first is the row itself, which is not."""
        rule, holds, (k, sink) = self._engine.rule, self._engine.holds, self._query.goal
        obeys: Any = slice(None)
        if holds is not None:
            obeys = holds(rows)
            obeys[0] = True
        decided = rule.decide(rows[obeys])
        if (decided[0] == k) == bool(sink):
            first, then = (repr(self._engine.classes[code]) for code in (k, decided[0]))
            raise ModelError(not_a_function("the row that is explained", f"not {first}" if sink else first, then))
        flips = np.zeros(len(rows), dtype=np.bool_)
        flips[obeys] = (decided == k) == bool(sink)
        return flips


#: Rows that are asked at a time.
CHUNK = 1 << 12


class QueryMoves(MovesBySize):
    """Answers one case over steps. ``wanted`` tells which rows are as a query wants them."""

    name = "query"

    def __init__(
        self, case: Case, steps: Steps, wanted: Callable[[Query, npt.NDArray[np.int64]], npt.NDArray[np.bool_]]
    ) -> None:
        super().__init__(case, steps)
        self._wanted = wanted

    def _of_size(self, size: int, clock: Clock) -> Iterator[Moves]:
        for features in combinations(sorted(self._chains), size):
            known = self.known_within(features)
            # by chain and steps, nearest first
            ways = [[(c, i + 1) for c in self._chains[j] for i in range(len(self._codes[c]))] for j in features]
            found = list(self._flipping(features, ways, known, clock))
            for moves in sorted(found, key=lambda one: sum(one.values())):
                if not any(is_within(near, moves) for near in known):
                    known.append(moves)
                    self._found.setdefault(frozenset(features), []).append(moves)
                    yield moves

    def _flipping(
        self,
        features: Sequence[int],
        ways: Sequence[Sequence[tuple[int, int]]],
        known: Sequence[Moves],
        clock: Clock,
    ) -> Iterator[Moves]:
        """The rows that change exactly these features and are as wanted; those of which a known one is less far are
        not asked.
        """
        total = math.prod(map(len, ways))
        for start in range(0, total, CHUNK):
            if clock.expired:
                raise LimitError(TIME_IS_UP)
            place, chosen = np.arange(start, min(start + CHUNK, total)), list[npt.NDArray[np.int64]]()
            for way in reversed(ways):
                place, which = np.divmod(place, len(way))
                chosen.append(np.array(way, dtype=np.int64)[which])
            several = np.stack(chosen[::-1], axis=1)  # rows, features, (chain, steps)
            moves = [dict(map(tuple, one)) for one in several.tolist()]
            moves = [one for one in moves if not any(is_within(near, one) for near in known)]
            if moves:
                rows = np.repeat(self._query.x.astype(np.int64).reshape(1, -1), len(moves), axis=0)
                for row, one in zip(rows, moves, strict=True):
                    for j, (c, steps) in zip(features, one.items(), strict=True):
                        row[j] = self._codes[c][steps - 1]
                flips = self._wanted(self._query, rows)
                yield from (one for one, flip in zip(moves, flips.tolist(), strict=True) if flip)


def is_within(near: Moves, far: Moves) -> bool:
    """Does every feature move no farther in the one than in the other?"""
    return all(steps <= far.get(c, 0) for c, steps in near.items())
