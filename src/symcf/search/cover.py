"""Minimal covers: change sets where sums of weights decide. No diagram, any number of features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.question.case import Query
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.contract import STEP, Answer, Engine, drain

__all__ = ["LISTED", "CoverEngine", "MulticlassCoverEngine", "WithinEngine", "drawn"]

#: The most sets that are listed in order to draw from them; with more, building a diagram is faster.
LISTED = 10**6


class CoverEngine:
    """Minimal covers of the threshold function (src/core/cover.c)."""

    name = "cover"

    def __init__(self, threshold: _core.Threshold, max_nodes: int, max_memory: int) -> None:
        self._threshold = threshold
        self._budget = (max_nodes, max_memory)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from drain(_core.Cover(self._threshold, query.core()).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = _core.Cover.best(self._threshold, query.core(), k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`."""
        return _core.Cover.count(self._threshold, query.core(), clock.left, *self._budget)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets:
        """Sets drawn uniformly with replacement, without listing them; none if there are none."""
        bits = random.bit_generator
        return ChangeSets.of(_core.Cover.sample(self._threshold, query.core(), size, bits, clock.left, *self._budget))

    def count_bounds(self, query: Query, clock: Clock) -> tuple[int, int]:
        """Certified lower and upper bounds of the count."""
        return _core.Cover.count_bounds(self._threshold, query.core(), clock.left, *self._budget)


class WithinEngine:
    """Minimal covers within a relation of a few features (src/core/cover_within.c)."""

    name = "cover"

    def __init__(self, threshold: _core.Threshold, relation: _core.Relation, diagrams: Callable[[], Engine]) -> None:
        self._threshold = threshold
        self._relation = relation
        self._diagrams = diagrams

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from drain(
            _core.Within(self._threshold, self._relation, query.core(), clock.left).next, limit, clock, step
        )

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = _core.Within(self._threshold, self._relation, query.core(), clock.left).best(k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`. Lists the sets, or counts those of a diagram if there are very many."""
        count = 0
        for answer in self.steps(query, LISTED + 1, clock):
            count += len(answer.sets)
            if answer.status == "time":
                raise LimitError(f"time limit reached while counting: more than {count:,} so far; raise time_limit")
        return count if count <= LISTED else self._diagrams().count(query, clock)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets | None:
        """Sets drawn uniformly with replacement from a list of all; None if that would be too long."""
        return drawn(self.steps(query, LISTED + 1, clock), size, random)


class MulticlassCoverEngine:
    """Minimal covers of one threshold function per other class (src/core/multiclass_cover.c)."""

    name = "cover"

    def __init__(self, beats: Sequence[Sequence[_core.Threshold | None]]) -> None:
        self._beats = beats

    def _thresholds(self, query: Query) -> list[_core.Threshold]:
        assert query.goal[1] == 0
        return [t for t in self._beats[query.goal[0]] if t is not None]

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from drain(_core.MulticlassCover(self._thresholds(query), query.core()).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = _core.MulticlassCover.best(self._thresholds(query), query.core(), k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`. Lists the sets; engine ``diagram`` counts without listing."""
        return _core.MulticlassCover(self._thresholds(query), query.core()).tally(clock.left)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets | None:
        """Sets drawn uniformly with replacement from a list of all; None if that would be too long."""
        return drawn(self.steps(query, LISTED + 1, clock), size, random)


def drawn(steps: Iterable[Answer], size: int, random: np.random.Generator) -> ChangeSets | None:
    """Some of all sets, which come in steps; None if they are more than `LISTED`."""
    listed: list[ChangeSet] = []
    for answer in steps:
        if answer.status == "time":
            raise LimitError("time limit reached while listing the sets to draw from")
        listed += answer.sets
    if len(listed) > LISTED:
        return None
    places = random.integers(len(listed), size=size) if listed else np.zeros(0, dtype=np.int64)
    return ChangeSets.of([listed[place] for place in places.tolist()])
