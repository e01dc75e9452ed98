"""Targets: what a changed row has to reach, as a diagram.

A goal is a pair (class, sink): its diagram says "the decision is this class", and the sink says whether that is wanted
(1) or to be left (0). With relations between features, what has to be reached is the goal and the relations together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Protocol

import numpy as np

from symcf import _core
from symcf.common.cache import Cache
from symcf.common.clock import NO_LIMIT, Clock
from symcf.system.decision import Budget
from symcf.system.diagram import Diagram
from symcf.system.groups import Groups

__all__ = ["Goal", "Restriction", "Targets"]

Goal = tuple[int, int]

#: Diagrams with relations that are kept; each holds a CUDD manager.
KEPT = 16


class Restriction(Hashable, Protocol):
    """What a changed row must also obey; `symcf.question.relations.Relations` is one."""

    def diagrams(
        self, order: Iterable[int], n_values: Sequence[int], group_of: Sequence[Sequence[int]], *, clock: Clock
    ) -> tuple[_core.Diagram, ...]:
        """Diagrams, all of which must be true, with levels in this order, over core codes; `LimitError` when time is
        up.
        """


class Targets:
    """The diagrams of a classifier's goals, alone and with relations. Each is built when it is first needed."""

    def __init__(
        self, whole: Callable[[int, Clock], Diagram], groups: Groups, budget: Callable[[Clock], Budget]
    ) -> None:
        self._whole = whole
        self._groups = groups
        self._budget = budget
        self._restricted = Cache[Diagram](KEPT)

    def diagram(self, goal: Goal, within: Restriction | None = None, clock: Clock = NO_LIMIT) -> tuple[Diagram, int]:
        """A diagram, and the sink in it that has to be reached; `LimitError` when time is up."""
        if within is None:
            return self._whole(goal[0], clock), goal[1]
        return self._restricted.get((goal, within), lambda: self._restrict(goal, within, clock), clock), 1

    def _restrict(self, goal: Goal, within: Restriction, clock: Clock) -> Diagram:
        whole = self._whole(goal[0], clock)
        n_values = np.diff(self._groups.core_offset).tolist()
        parts = within.diagrams(whole.order, n_values, self._groups.with_second, clock=clock)
        negated = [goal[1] == 0] + [False] * len(parts)
        budget = self._budget(clock)
        bdd = _core.Bdd.conjoin([whole.core, *parts], negated, *budget.now())
        return Diagram(bdd.freeze(budget.seconds()), whole.features, bdd, self._groups)
