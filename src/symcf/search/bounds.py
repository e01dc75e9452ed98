"""Change sets of a black-box model with bounds: branch and bound over boxes of rows.

Sets of features come by rising cost, as in `symcf.search.query`. Each begins as one box: all values that its features
may take. The bounds of the scores over a box (`symcf.models.bounded`) say that none of its rows is as wanted, so that
it is left out, or that every one is; or the box is split in two, until it is one row. What decides is always `predict`:
a set counts as found only with a row that `predict` decides as wanted, and a single row that the bounds leave in doubt
is asked about. So the sets are complete over the values of the columns, as if every row had been asked.

Many boxes of many sets are bounded at a time. In a box that may have a row as wanted, the corner that looks best is
tried first.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock, tick
from symcf.errors import InternalError, ModelError
from symcf.models.black_box import not_a_function
from symcf.models.bounded.bounds import Bounds, Boxes
from symcf.models.rules import BlackBoxRule
from symcf.question.case import Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSet
from symcf.search.protocol import Options, Search
from symcf.search.query import Cursor, Holds, QuerySearch

__all__ = ["BoundSearch", "Wanted"]

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

#: Boxes that are bounded at a time, at first and at most, and sets whose boxes are.
FIRST, AT_ONCE, GROUP = 16, 2048, 512
#: Seconds that bounding boxes should take at a time.
PACE = 0.02

#: Rows of a box in which all are decided as wanted, of which one has to obey the relations: so many are looked at.
LISTED = 64


class BoundSearch(QuerySearch):
    """Bounds boxes of rows, and asks about rows in doubt."""

    name = "bounds"
    needs = ("bounds",)
    by_bounds = True

    def __init__(self, rule: BlackBoxRule, classes: tuple[Hashable, ...], holds: Holds | None, bounds: Bounds) -> None:
        super().__init__(rule, classes, holds)
        self.bounds = bounds

    @classmethod
    def supports(cls, question: Question) -> str | None:
        """See `Search`."""
        if question.classifier.decision.bounds is None:
            return "engine 'bounds' is for models that are read with bounds, such as MLPClassifier; use engine='auto'"
        if question.minimality == "moves":
            return "engine 'bounds' finds sets of features, not moves; use engine='auto'"
        return None

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        """See `Search`."""
        decision, relations = question.classifier.decision, question.relations
        assert decision.black_box is not None
        assert decision.bounds is not None
        holds = None if relations is None else relations.holds
        return cls(decision.black_box, question.classifier.classes, holds, decision.bounds.value)

    def matters(self, j: int) -> bool:
        """See `QuerySearch`."""
        return self.holds is not None or self.bounds.reads(j)

    def cursor(self, query: Query, weights: list[int]) -> Cursor:
        """See `QuerySearch`."""
        return _Cursor(self, query, weights)


class Wanted:
    """What the rows of a query's boxes are: surely as wanted, surely not, or in doubt."""

    def __init__(
        self,
        rule: BlackBoxRule,
        bounds: Bounds,
        holds: Holds | None,
        x: Integers,
        goal: tuple[int, int],
        options: Sequence[Integers],
    ) -> None:
        """``options`` has the codes that each feature may take, ascending."""
        self._rule, self._bounds, self._holds, self._x, self._goal = rule, bounds, holds, x, goal
        self._options = [np.asarray(some, dtype=np.int64) for some in options]
        self._boxes: Boxes = bounds.around(x, self._options.__getitem__)

    @property
    def is_related(self) -> bool:
        """Do rows have to obey relations?"""
        return self._holds is not None

    def count(self, j: int) -> int:
        """How many values a feature may take."""
        return len(self._options[j])

    def bounded(self, features: Integers, low: Integers, high: Integers) -> tuple[Flags, Flags, Integers, Integers]:
        """By box: are all rows surely decided as wanted; are none; the places of the corner that looks best; and the
        variable to split by, -1 where the box is one row.
        """
        sure = self._bounds.sure(self._bounds.scores(self._boxes, features, low, high), self._goal)
        slopes = sure.slopes.T
        best = np.where(slopes < 0, low, high)
        # a column of categories has no slope, and neither has a number that several columns are made of
        flat = slopes == 0
        best = np.where(flat, (low + high) // 2, best)
        weight = np.where(high > low, np.where(flat | np.isnan(slopes), np.inf, np.abs(slopes)), -1.0)
        split = np.where((high > low).any(axis=1), np.argmax(weight, axis=1), -1)
        return sure.every, sure.none, best, split

    def surely(self, features: Integers, places: Integers) -> tuple[Flags, Flags]:
        """The same of single rows: surely as wanted, and surely not."""
        sure = self._bounds.sure(self._bounds.scores(self._boxes, features, places, places), self._goal)
        return sure.every, sure.none

    def rows(self, features: Integers, places: Integers) -> Integers:
        """Rows of codes."""
        found = np.repeat(self._x[np.newaxis], len(features), axis=0)
        for slot in range(features.shape[1]):
            for j in np.unique(features[:, slot][features[:, slot] >= 0]).tolist():
                some = features[:, slot] == j
                found[some, j] = self._options[j][places[some, slot]]
        return found

    def obeys(self, rows: Integers) -> Flags:
        """Which rows obey the relations."""
        return np.ones(len(rows), dtype=np.bool_) if self._holds is None else np.asarray(self._holds(rows))

    def decided(self, rows: Integers) -> Flags:
        """Which rows `predict` decides as wanted."""
        k, sink = self._goal
        parts = [rows[i : i + self._rule.most_rows] for i in range(0, len(rows), self._rule.most_rows)]
        codes = np.concatenate([np.zeros(0, dtype=np.uint8), *map(self._rule.decide, parts)])
        return np.asarray((codes == k) == bool(sink))


@dataclass
class _Open:
    """Boxes of sets that are being tried: by box, its set and the places that are left."""

    of: Integers
    low: Integers
    high: Integers

    def take(self, count: int) -> _Open:
        """Takes away the last boxes."""
        taken = _Open(self.of[-count:], self.low[-count:], self.high[-count:])
        self.of, self.low, self.high = self.of[:-count], self.low[:-count], self.high[:-count]
        return taken

    def some(self, which: npt.NDArray[np.generic]) -> _Open:
        """Some of the boxes."""
        return _Open(self.of[which], self.low[which], self.high[which])

    def add(self, others: Sequence[_Open]) -> None:
        """Adds boxes, the last ones to be taken first."""
        self.of, self.low, self.high = (
            np.concatenate([getattr(self, name), *(getattr(one, name) for one in others)])
            for name in ("of", "low", "high")
        )
        _core.check_memory(2 * (self.of.nbytes + self.low.nbytes + self.high.nbytes))


class _Cursor(Cursor):
    """Tries sets in groups, none of which contains another."""

    def __init__(self, engine: BoundSearch, query: Query, weights: list[int]) -> None:
        super().__init__(engine, query, weights)
        self._wanted = Wanted(engine.rule, engine.bounds, engine.holds, self._x, query.goal, self._options)
        #: The sets of the group, in order; by set: is a row known that is as wanted?
        self._group: list[ChangeSet] = []
        self._reached = np.zeros(0, dtype=np.bool_)
        self._features = np.zeros((0, 0), dtype=np.int64)
        self._boxes = _Open(*(np.zeros((0, 0), dtype=np.int64) for _ in range(3)))
        #: A set that waits for the next group.
        self._next: ChangeSet | None = None
        self._is_checked = False
        #: How many boxes are bounded at a time.
        self._at_once = FIRST

    def _open(self) -> Iterator[int]:
        """See `Cursor`."""
        open_sets = set(self._boxes.of.tolist()) if len(self._group) else set()
        yield from (len(self._group[i]) for i in open_sets)
        if self._next is not None:
            yield len(self._next)

    def _fill(self) -> bool:
        """See `Cursor`."""
        if self._group:
            return True
        candidates, group = self._candidates(), list[ChangeSet]()
        sizes: dict[int, set[ChangeSet]] = {}
        while len(group) < GROUP:
            features, self._next = self._next, None
            if features is None:
                features = next(candidates, None)
            if features is None:
                break
            if not self._is_new(features):
                continue
            mine = set(features)
            if any(mine.issuperset(one) for size, some in sizes.items() if size < len(features) for one in some):
                self._next = features
                break
            sizes.setdefault(len(features), set()).add(features)
            group.append(features)
        if not group:
            return False
        self._group, self._reached = group, np.zeros(len(group), dtype=np.bool_)
        width = max(map(len, group))
        self._features = np.array([[*one, *[-1] * (width - len(one))] for one in group], dtype=np.int64)
        counts = np.array([[*map(self._wanted.count, one), *[1] * (width - len(one))] for one in group], dtype=np.int64)
        turned = np.arange(len(group))[::-1]
        self._boxes = _Open(turned, np.zeros_like(counts), (counts - 1)[turned])
        return True

    def _try(self, clock: Clock) -> None:
        """See `Cursor`. One table of boxes."""
        if not self._is_checked:
            self._check_row()
        tick()
        begun, boxes = time.monotonic(), self._boxes.take(self._at_once)
        if len(boxes.of):
            try:
                self._bound(boxes)
            except BaseException:
                self._boxes.add([boxes])  # they are still to be looked at
                self._close()
                raise
            self._set_pace(time.monotonic() - begun)
        if len(self._boxes.of):
            self._boxes = self._boxes.some(~self._reached[self._boxes.of])
        if clock.expired or not len(self._boxes.of):
            self._close()

    def _set_pace(self, seconds: float) -> None:
        """Takes as many boxes at a time as a fraction of a tenth of a second allows, so that limits are kept."""
        if seconds < PACE:
            self._at_once = min(AT_ONCE, 2 * self._at_once)
        elif seconds > 2 * PACE:
            self._at_once = max(1, self._at_once // 2)

    def _check_row(self) -> None:
        """The row itself must still be decided as it was."""
        k, sink = self._query.goal
        if self._wanted.decided(self._x[np.newaxis])[0]:
            classes = self._engine.classes
            first = f"not {classes[k]!r}" if sink else repr(classes[k])
            raise ModelError(not_a_function("the row that is explained", first, "another class"))
        self._is_checked = True

    def _close(self) -> None:
        """Gives what the group has found; if nothing of it is left, it is done."""
        for i in np.flatnonzero(self._reached).tolist():
            features = self._group[i]
            if features not in self._found:
                self._found.add(features)
                self._ready.append(features)
        if not len(self._boxes.of):
            self._group = []

    def _bound(self, boxes: _Open) -> None:
        """Bounds boxes, and adds what is left of them."""
        features = self._features[boxes.of]
        every, none, best, split = self._wanted.bounded(features, boxes.low, boxes.high)
        left = ~none
        if self._wanted.is_related:
            self._try_rows(boxes, left & every, features)
            left &= ~(every & self._few(boxes))
        else:
            self._confirm(boxes.of[every], features[every], boxes.low[every], sure=True)
        left &= ~self._reached[boxes.of]
        single = left & (split < 0)
        if single.any():
            self._confirm(boxes.of[single], features[single], boxes.low[single], sure=False)
        left &= ~single & ~self._reached[boxes.of]
        corner = np.flatnonzero(left)
        if len(corner):
            flips, _ = self._wanted.surely(features[corner], best[corner])
            corner = corner[flips]
            self._confirm(boxes.of[corner], features[corner], best[corner], sure=True)
        left &= ~self._reached[boxes.of]
        rest = boxes.some(left)
        if len(rest.of):
            self._boxes.add(_halves(rest, split[left]))

    def _few(self, boxes: _Open) -> Flags:
        """Which boxes are listed row by row."""
        sizes = (boxes.high - boxes.low + 1).astype(np.float64).prod(axis=1)
        return np.asarray(sizes <= LISTED)

    def _try_rows(self, boxes: _Open, which: Flags, features: Integers) -> None:
        """Of small boxes all rows of which are decided as wanted: does one obey the relations?"""
        for i in np.flatnonzero(which & self._few(boxes)).tolist():
            if self._reached[boxes.of[i]]:
                continue
            axes = [np.arange(a, b + 1) for a, b in zip(boxes.low[i], boxes.high[i], strict=True)]
            places = np.stack([one.ravel() for one in np.meshgrid(*axes, indexing="ij")], axis=1)
            of = np.full(len(places), boxes.of[i])
            self._confirm(of, np.repeat(features[i : i + 1], len(places), axis=0), places, sure=True)

    def _confirm(self, of: Integers, features: Integers, places: Integers, *, sure: bool) -> None:
        """Asks about rows, one of each set if they are sure."""
        if not len(of):
            return
        rows = self._wanted.rows(features, places)
        obeys = self._wanted.obeys(rows)
        rows, of = rows[obeys], of[obeys]
        if sure:
            of, first = np.unique(of, return_index=True)
            rows = rows[first]
        if not len(rows):
            return
        flips = self._wanted.decided(rows)
        if sure and not flips.all():
            raise InternalError("a row that the bounds rule in is decided otherwise by predict")
        self._reached[of[flips]] = True


def _halves(boxes: _Open, split: Integers) -> list[_Open]:
    """Each box in two parts, by the variable that says so."""
    rows = np.arange(len(boxes.of))
    middle = (boxes.low[rows, split] + boxes.high[rows, split]) // 2
    first, second = boxes.high.copy(), boxes.low.copy()
    first[rows, split], second[rows, split] = middle, middle + 1
    return [_Open(boxes.of, boxes.low, first), _Open(boxes.of, second, boxes.high)]
