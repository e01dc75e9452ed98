"""Decisions by states: features are read one after another, and equal states are the same node.

The diagram is built in two passes. Downwards, level by level: every state that is met, and where each value leads,
until a state is decided. Upwards: states whose values lead to the same nodes are one node.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.reader import Codes
from symcf.errors import CompileLimitError
from symcf.models.rules import StateRule
from symcf.system.decision import Budget, Decision, Order, check_codes
from symcf.system.groups import Groups

__all__ = ["StateDecision"]

#: Bytes that a state takes at least, for the budget of memory.
BYTES_OF_A_STATE = 400


class StateDecision(Decision):
    """What matters of the features read so far is a state."""

    def __init__(self, rule: StateRule, n_classes: int, twice: Collection[int] = ()) -> None:
        super().__init__(Groups.single(np.diff(rule.value_offset).tolist(), twice), n_classes)
        self._rule = rule
        self._walks: dict[tuple[int, ...], _Walk] = {}

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """See `Decision`."""
        check_codes(codes, self.groups.value_offset)
        return self._rule.decide(codes)

    def influence_order(self) -> Order:
        """See `Decision`. The order that the model found best."""
        return np.array(self._rule.order, dtype=np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. All classes come from the same states."""
        key = tuple(order.tolist())
        if key not in self._walks:
            self._walks = {key: _Walk(self._rule, key, self.groups.value_of, budget)}
        return self._walks[key].reduced(k), None


class _Walk:
    """All states that are met when features are read in an order."""

    def __init__(
        self, rule: StateRule, order: tuple[int, ...], value_of: Sequence[Sequence[int]], budget: Budget
    ) -> None:
        """``value_of`` has by feature and core code the value code."""
        self._order, self._n_values = order, [len(values) for values in value_of]
        reading = rule.reading(order, lambda: _look(budget, 1, 0, len(order)))
        start = reading.start()
        first = reading.decided_early(0, start)
        #: The class of every row, if that is known from the start.
        self._constant = first
        #: By level, the children of its states: places in the next level, or -1 - class.
        self._children: list[npt.NDArray[np.int64]] = []
        states: dict[Hashable, int] = {start: 0}
        met = 1
        for i, j in enumerate(order):
            if first is not None:
                break
            following: dict[Hashable, int] = {}
            # what a state of the next level is: its place there, or -1 - its class
            known: dict[Hashable, int] = {}
            children = np.empty((len(states), len(value_of[j])), dtype=np.int64)
            for u, state in enumerate(states):
                _look(budget, met + len(following), i, len(order))
                for core, v in enumerate(value_of[j]):
                    after = reading.after(i, state, v)
                    place = known.get(after)
                    if place is None:
                        decided = reading.decided_early(i + 1, after)
                        place = following.setdefault(after, len(following)) if decided is None else -1 - decided
                        known[after] = place
                    children[u, core] = place
            met += len(following)
            self._children.append(children)
            states = following

    def reduced(self, k: int) -> _core.Diagram:
        """The reduced diagram of class k."""
        n = len(self._order)
        arity = [self._n_values[j] for j in self._order]
        level, child = [np.array([n, n])], [np.empty(0, dtype=np.int64)]
        next_node = 2
        below = np.zeros(0, dtype=np.int64)
        for i in reversed(range(len(self._children))):
            children = self._children[i]
            nodes = np.where(children < 0, (-1 - children == k).astype(np.int64), 0)
            inner = children >= 0
            nodes[inner] = below[children[inner]]
            distinct, which = np.unique(nodes, axis=0, return_inverse=True)
            same = (distinct == distinct[:, :1]).all(axis=1)
            made = np.cumsum(~same) - 1 + next_node
            below = np.where(same, distinct[:, 0], made)[which.reshape(-1)]
            level.append(np.full(np.count_nonzero(~same), i))
            child.append(distinct[~same].ravel())
            next_node += len(level[-1])
        root = int(below[0]) if len(below) else int(self._constant == k)
        arrays = [
            np.ascontiguousarray(a, dtype=np.uint32)
            for a in (self._order, arity, np.concatenate(level), np.concatenate(child))
        ]
        return _core.Diagram.from_arrays(arrays[0], arrays[1], arrays[2], arrays[3], root)


def _look(budget: Budget, states: int, level: int, n_levels: int) -> None:
    seconds, max_nodes, max_memory = budget.now()
    memory = states * BYTES_OF_A_STATE
    reached = {"time": seconds == 0, "nodes": 0 < max_nodes < states, "memory": 0 < max_memory < memory}
    for limit, is_reached in reached.items():
        if is_reached:
            raise CompileLimitError(limit, states, memory, level, n_levels)
