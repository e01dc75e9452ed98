"""Goals: what a changed instance has to reach, as a diagram and as clauses.

A goal is a pair (class, sink): its diagram says "the decision is this class", and the sink says whether that is wanted
(1) or to be left (0). With relations between features, what has to be reached is the goal and the relations together.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from symcf import _core
from symcf.clauses.cnf import Cnf, encode
from symcf.diagrams.diagram import Diagram

if TYPE_CHECKING:
    from symcf.compiled import Compiled
    from symcf.questions.relations import Relations

__all__ = ["Goal", "Goals", "goal_of"]

Goal = tuple[int, int]


def goal_of(prediction: int, target: int | None, n_classes: int) -> Goal:
    """The goal of an instance: any other class, or a given one."""
    if n_classes == 2:
        return 1, 1 - prediction
    return (prediction, 0) if target is None else (target, 1)


class Goals:
    """The goals of a classifier, within some relations or none. Built when asked for, and kept."""

    def __init__(self, compiled: Compiled, relations: Relations | None = None) -> None:
        self._compiled = compiled
        self._relations = relations
        self._lock = threading.Lock()
        self._built: dict[Goal, Diagram] = {}

    def diagram(self, goal: Goal) -> tuple[Diagram, int]:
        """A diagram, and the sink in it that has to be reached."""
        whole = self._compiled.class_diagram(goal[0])
        if self._relations is None:
            return whole, goal[1]
        with self._lock:
            if goal not in self._built:
                self._built[goal] = self._within_relations(whole, goal[1])
            return self._built[goal], 1

    def _within_relations(self, whole: Diagram, sink: int) -> Diagram:
        assert self._relations is not None
        compiled, groups = self._compiled, self._compiled.decision.groups
        n_values = np.diff(groups.core_offset).tolist()
        parts = self._relations.diagrams(whole.order, n_values, groups.group_of)
        bdd = _core.Bdd.conjoin([whole.core, *parts], [sink == 0] + [False] * len(parts), *compiled.budget().now())
        return Diagram(bdd.freeze(), compiled.features, bdd, groups)

    def cnf(self, goal: Goal, encoding: str) -> Cnf:
        """Clauses whose models are what has to be reached."""
        diagram, sink = self.diagram(goal)
        return encode(diagram, encoding, negate=sink == 0)
