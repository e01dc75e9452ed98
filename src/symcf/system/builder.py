"""Small diagrams, put together node by node in Python.

For conditions on a few features, where a CUDD manager would cost more than the work itself. The result is a frozen
diagram like any other.

    nodes = Nodes(order=[1, 0], n_values=[2, 3])
    nodes.freeze(nodes.conjoin([nodes.member(0, {1}), nodes.member(1, {0, 2})]))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from heapq import heappop, heappush

import numpy as np

from symcf import _core
from symcf.common.clock import tick

__all__ = ["NodeLimit", "Nodes"]

MAX_NODES = 1 << 18

#: How many nodes are made between two looks at the clock, less one.
OFTEN = (1 << 10) - 1


class NodeLimit(Exception):
    """More nodes than allowed; the caller, who knows their purpose, reports it."""


class Nodes:
    """Reduced diagrams over one order: nodes 0 and 1 are the sinks, equal nodes are the same number."""

    def __init__(
        self,
        order: Sequence[int],
        n_values: Sequence[int],
        max_nodes: int = MAX_NODES,
        look: Callable[[], object] = lambda: None,
    ) -> None:
        """``look`` is called again and again; it may raise."""
        self._look = look
        self._order = order
        self._n_values = n_values
        self._level_of = {j: level for level, j in enumerate(order)}
        self._max_nodes = max_nodes
        self._level = [len(order), len(order)]
        self._child: list[tuple[int, ...]] = [(), ()]
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}

    def level(self, feature: int) -> int:
        """Where a feature is in the order."""
        return self._level_of[feature]

    def member(self, feature: int, codes: Collection[int]) -> int:
        """True iff the feature has one of these codes."""
        return self._node(self._level_of[feature], tuple(int(v in codes) for v in range(self._n_values[feature])))

    def node(self, feature: int, child: Sequence[int]) -> int:
        """By code of the feature, the nodes that it leads to. requires: their features come later in the order."""
        return self._node(self._level_of[feature], tuple(child))

    def conjoin(self, nodes: Sequence[int]) -> int:
        """True iff all of them are true."""
        return self._combined(nodes, 1)

    def disjoin(self, nodes: Sequence[int]) -> int:
        """True iff at least one of them is true."""
        return self._combined(nodes, 0)

    def negate(self, node: int) -> int:
        """True iff it is false."""
        opposite = {0: 1, 1: 0}
        for one in sorted(self._reached(node) - {0, 1}):  # children have smaller numbers
            opposite[one] = self._node(self._level[one], tuple(opposite[child] for child in self._child[one]))
        return opposite[node]

    def _reached(self, root: int) -> set[int]:
        """The node and what is below it, and the sinks."""
        reached, stack = {0, 1}, [root]
        while stack:
            node = stack.pop()
            if node not in reached:
                if not len(reached) & OFTEN:
                    self._look()
                reached.add(node)
                stack += self._child[node]
        return reached

    def _combined(self, nodes: Sequence[int], neutral: int) -> int:
        left = list(nodes)
        while len(left) > 1:  # in pairs, so that long lists stay cheap
            rest = left[len(left) & ~1 :]
            left = [self._combine(a, b, neutral) for a, b in zip(left[::2], left[1::2], strict=False)] + rest
        return left[0] if left else neutral

    def _node(self, level: int, child: tuple[int, ...]) -> int:
        if all(c == child[0] for c in child):
            return child[0]
        key = (level, child)
        if key not in self._known:
            if len(self._level) >= self._max_nodes:
                raise NodeLimit
            if not len(self._level) & OFTEN:
                self._look()
            self._known[key] = len(self._level)
            self._level.append(level)
            self._child.append(child)
        return self._known[key]

    def _combine(self, f: int, g: int, neutral: int) -> int:
        """Conjunction (neutral 1) or disjunction (neutral 0): pairs from the top down, new nodes from the bottom up."""
        done: dict[tuple[int, int], int] = {}

        def settled(a: int, b: int) -> int | None:
            if 1 - neutral in (a, b):
                return 1 - neutral
            if a in (neutral, b):
                return b
            return a if b == neutral else done.get((a, b))

        if (result := settled(f, g)) is not None:
            return result
        queue = [(min(self._level[f], self._level[g]), f, g)]
        seen = {(f, g)}
        pairs = []
        while queue:
            tick()
            level, a, b = heappop(queue)
            below = list(zip(self._children(a, level), self._children(b, level), strict=True))
            pairs.append((level, a, b, below))
            if len(pairs) > self._max_nodes:
                raise NodeLimit
            for pair in below:
                if pair not in seen and settled(*pair) is None:
                    seen.add(pair)
                    heappush(queue, (min(self._level[pair[0]], self._level[pair[1]]), *pair))
        for level, a, b, below in reversed(pairs):
            tick()
            child = [settled(*pair) for pair in below]
            done[a, b] = self._node(level, tuple(c for c in child if c is not None))
        return done[f, g]

    def _children(self, node: int, level: int) -> tuple[int, ...]:
        return self._child[node] if self._level[node] == level else (node,) * self._n_values[self._order[level]]

    def freeze(self, root: int) -> _core.Diagram:
        """The node and what is below it, renumbered from the bottom level up."""
        reached = self._reached(root)
        self._look()
        nodes = sorted(reached, key=lambda node: (-self._level[node], node))
        place = {node: i for i, node in enumerate(nodes)}
        self._look()
        level = [self._level[node] for node in nodes]
        child = [place[c] for node in nodes for c in self._child[node]]
        arity = [self._n_values[j] for j in self._order]
        arrays = [np.array(a, dtype=np.uint32) for a in (self._order, arity, level, child)]
        return _core.Diagram.from_arrays(arrays[0], arrays[1], arrays[2], arrays[3], place[root])
