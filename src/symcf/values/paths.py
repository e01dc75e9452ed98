"""Values for a change set where a diagram decides. See `assignments`.

The features outside the set keep their values, so only a small part of the diagram is left: its nodes are visited from
the root, then worked through with children before parents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.values.protocol import Flip, Options, Solver

__all__ = ["DiagramFlip", "PathSolver"]


@dataclass(frozen=True, eq=False)
class DiagramFlip(Flip):
    """The diagram has to lead to `sink`, 0 or 1."""

    diagram: _core.Diagram
    sink: int

    def solver(self, x: Sequence[int]) -> Solver:
        return PathSolver(self, x)

    def value_offset(self, n_features: int) -> npt.NDArray[np.uint32]:
        arity = np.zeros(n_features + 1, dtype=np.uint32)
        arity[1:][self.diagram.order] = self.diagram.arity
        return np.cumsum(arity, dtype=np.uint32)

    def aim(self, value_offset: npt.NDArray[np.uint32]) -> _core.Aim:
        return _core.Aim(self.diagram, value_offset, sink=self.sink)

    @cached_property
    def order(self) -> list[int]:
        """The feature of each level."""
        order: list[int] = self.diagram.order.tolist()
        return order

    @cached_property
    def level_of(self) -> dict[int, int]:
        """The level of each feature."""
        return {j: level for level, j in enumerate(self.order)}

    @cached_property
    def first_child(self) -> list[tuple[int, int]]:
        """By level, base and arity: the children of its node u start at base + arity * u (see symcf.h)."""
        level = np.array(self.diagram.level[2:], dtype=np.int64)
        arity = np.array(self.diagram.arity, dtype=np.int64)
        result = [(0, int(a)) for a in arity]
        edges = [*np.flatnonzero(np.diff(level, prepend=-1)).tolist(), len(level)]
        before = 0
        for start, end in pairwise(edges):
            k = int(level[start])
            result[k] = (before - (start + 2) * int(arity[k]), int(arity[k]))
            before += (end - start) * int(arity[k])
        return result


#: The nodes that matter: by node, its children by core code.
Part = dict[int, dict[int, int]]


class PathSolver(Solver):
    """Assignments of one instance. requires: `x` in core codes, change sets ascending, options by ascending code."""

    def __init__(self, flip: DiagramFlip, x: Sequence[int]) -> None:
        self._flip = flip
        self._x = x
        self._level = flip.diagram.level
        self._child = flip.diagram.child

    # --- the part of the diagram that the change set can reach

    def _feature(self, node: int) -> int | None:
        return self._flip.order[int(self._level[node])] if node > 1 else None

    def _after(self, node: int, core: int) -> int:
        base, arity = self._flip.first_child[int(self._level[node])]
        return int(self._child[base + node * arity + core])

    def _part(self, cores: Mapping[int, Sequence[int]]) -> tuple[int, Part]:
        """The root and the nodes below it, where features outside `cores` keep their values and have no nodes."""

        def settle(node: int) -> int:
            while (j := self._feature(node)) is not None and j not in cores:
                node = self._after(node, self._x[j])
            return node

        root = settle(self._flip.diagram.root)
        part: Part = {}
        stack = [root]
        while stack:
            node = stack.pop()
            j = self._feature(node)
            if j is None or node in part:
                continue
            part[node] = {core: settle(self._after(node, core)) for core in cores[j]}
            stack += part[node].values()
        return root, part

    # --- answers

    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        root, part = self._part(_cores(change_set, options))
        return self._flip.sink == root or any(self._flip.sink in below.values() for below in part.values())

    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """See `Solver`. It always knows."""
        root, part = self._part(_cores(change_set, options))
        wrong = 1 - self._flip.sink
        return root != wrong and not any(wrong in children.values() for children in part.values())

    def count(self, change_set: Sequence[int], options: Options) -> int:
        """See `Solver`. Without listing them."""
        by_level = self._by_level(change_set)
        place = {change_set[i]: p for p, i in enumerate(by_level)}
        cores = [[o.core for o in choices] for choices in options]
        root, part = self._part({j: sorted(set(c)) for j, c in zip(change_set, cores, strict=True)})
        found = {1 - self._flip.sink: 0, self._flip.sink: 1}

        def padded(node: int, p: int) -> int:
            j = self._feature(node)
            skipped = by_level[p : len(by_level) if j is None else place[j]]
            return found[node] * prod(len(cores[i]) for i in skipped)

        for node in sorted(part):
            j = self._feature(node)
            assert j is not None
            p = place[j]
            found[node] = sum(
                cores[by_level[p]].count(core) * padded(child, p + 1) for core, child in part[node].items()
            )
        return padded(root, 0)

    def _by_level(self, change_set: Sequence[int]) -> list[int]:
        """The places in the change set, in the order in which the diagram tests their features."""
        return sorted(range(len(change_set)), key=lambda i: self._flip.level_of[change_set[i]])


def _cores(change_set: Sequence[int], options: Options) -> dict[int, list[int]]:
    """By feature, the core codes of its options."""
    return {j: sorted({o.core for o in choices}) for j, choices in zip(change_set, options, strict=True)}
