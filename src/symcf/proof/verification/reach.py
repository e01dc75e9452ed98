"""Which sets of features can flip the decision, read off the diagram of the goal level by level.

With the features of a set free and all others as they are, the decision can flip iff a way leads from the root to the
wanted sink. One pass over the nodes tells, from the last level up. If none of the largest sets that contain no listed
change set can flip it, no change set is missing: every other set without one is part of one of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.proof.verification.report import look_at
from symcf.question.relations import Relations
from symcf.system.classifier import Classifier
from symcf.system.decision import goal_of

__all__ = ["MOST_FREE", "Reach", "largest_without"]

#: Features that may change, at most: all their sets are looked at.
MOST_FREE = 16


class Reach:
    """The ways of one instance through the diagram of its goal."""

    def __init__(
        self,
        compiled: Classifier,
        x: Sequence[int],
        prediction: int,
        target: int | None,
        choices: Sequence[Sequence[int]],
        relations: Relations | None,
        clock: Clock = NO_LIMIT,
    ) -> None:
        """``choices[j]`` are the values that feature j may have, its own first."""
        self._look = look_at(clock)
        if relations is not None:
            compiled = compiled.telling_apart(relations.partition())
        goal = goal_of(prediction, target, compiled.n_classes)
        diagram, self._sink = compiled.targets.diagram(goal, relations, clock)
        core, group_of = diagram.core, compiled.decision.groups.group_of
        self._own = [int(group_of[j][v]) for j, v in enumerate(x)]
        self._any = [sorted({int(group_of[j][v]) for v in values}) for j, values in enumerate(choices)]
        self._root, self._n_nodes = int(core.root), len(core.level)
        self._levels = list(_levels(core))

    @property
    def n_nodes(self) -> int:
        """The nodes that a pass looks at."""
        return self._n_nodes

    def can_flip(self, free: Iterable[int]) -> bool:
        """May the decision flip if only these features change?"""
        self._look()
        changing = set(free)
        leads = np.zeros(self._n_nodes, dtype=bool)
        leads[self._sink] = True
        for feature, nodes, children in self._levels:
            codes = self._any[feature] if feature in changing else [self._own[feature]]
            leads[nodes] = leads[children[:, codes]].any(axis=1)
        return bool(leads[self._root])


def _levels(core: _core.Diagram) -> Iterable[tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """From the last level up: its feature, its nodes and their children."""
    level = np.asarray(core.level, dtype=np.int64)
    arity = np.asarray(core.arity, dtype=np.int64)
    sizes = np.concatenate([[0, 0], arity[level[2:]]])  # the sinks have no children
    start = np.cumsum(sizes) - sizes
    for k in range(len(arity) - 1, -1, -1):
        nodes = np.flatnonzero(level == k)
        places = start[nodes][:, None] + np.arange(arity[k])
        yield int(core.order[k]), nodes, np.asarray(core.child, dtype=np.int64)[places]


def largest_without(listed: Iterable[Sequence[int]], free: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """The largest sets of at most ``most`` of the ``free`` features that contain none of the listed sets.

    requires: ``len(free) <= MOST_FREE``.
    """
    n, bit = len(free), {j: 1 << i for i, j in enumerate(free)}
    numbers = np.arange(1 << n)
    avoids = np.ones(1 << n, dtype=bool)
    for change_set in listed:
        if all(j in bit for j in change_set):  # otherwise no set of free features contains it
            number = sum(bit[j] for j in change_set)
            avoids &= (numbers & number) != number
    size = np.zeros(1 << n, dtype=np.int64)
    for i in range(n):
        size += numbers >> i & 1
    allowed = avoids & (size <= most)
    largest = allowed.copy()
    for i in range(n):
        without = numbers[(numbers >> i & 1) == 0]
        largest[without] &= ~allowed[without | 1 << i]
    return [tuple(j for i, j in enumerate(free) if number >> i & 1) for number in np.flatnonzero(largest).tolist()]
