"""Family algebra over any diagram: all change sets as one ZDD."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.question.case import Query
from symcf.search.change_sets import ChangeSets
from symcf.search.contract import STEP, Answer, drain
from symcf.system.diagram import Diagram
from symcf.system.targets import Goal

__all__ = ["MinimalEngine"]

#: The diagram of a goal, and the sink in it that has to be reached.
TargetOf = Callable[[Goal, Clock], tuple[Diagram, int]]


class MinimalEngine:
    """Family algebra over the frozen diagram (src/core/minimal.c)."""

    name = "diagram"

    def __init__(
        self, target_of: TargetOf, value_offset: npt.NDArray[np.uint32], max_nodes: int, max_memory: int
    ) -> None:
        self._target_of = target_of
        self._value_offset = value_offset
        self._budget = (max_nodes, max_memory)

    def family(self, query: Query, clock: Clock) -> _core.Minimal:
        """All change sets as a ZDD."""
        diagram, sink = self._target_of(query.goal, clock)
        return _core.Minimal(diagram.core, self._value_offset, query.core(), sink, clock.left, *self._budget)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from drain(self.family(query, clock).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = self.family(query, clock).best(k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`."""
        return self.family(query, clock).count(clock.left)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets:
        """Sets drawn uniformly with replacement, without listing them; none if there are none."""
        family = self.family(query, clock)
        if not family.count(clock.left):
            return ChangeSets.of([])
        return ChangeSets.of(family.sample(size, random.bit_generator, clock.left))
