"""Values for a change set where a diagram decides. See `assignments`.

The features outside the set keep their values, so only a small part of the diagram is left: its nodes are visited from
the root, then worked through with children before parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.values.protocol import Flip, Option, Priced, Solver

__all__ = ["DiagramFlip", "PathSolver"]


@dataclass(frozen=True, eq=False)
class DiagramFlip(Flip):
    """The diagram has to lead to `sink`, 0 or 1."""

    diagram: _core.Diagram
    sink: int

    def solver(self, x: Sequence[int]) -> Solver:
        """See `Flip`."""
        return PathSolver(self, x)

    def value_offset(self, n_features: int) -> npt.NDArray[np.uint32]:
        """See `Flip`."""
        arity = np.zeros(n_features + 1, dtype=np.uint32)
        arity[1:][self.diagram.order] = self.diagram.arity
        return np.cumsum(arity, dtype=np.uint32)

    def aim(self, value_offset: npt.NDArray[np.uint32]) -> _core.Aim:
        """See `Flip`."""
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


class PathSolver:
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

    def best(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> Priced | None:
        """The cheapest, then the one with the smallest codes.

        What is best below a node does not depend on the way to it: of two assignments with the same values above, the
        codes compare as those below do, in the order of the features.
        """
        cheapest = [_cheapest(choices) for choices in options]
        if not all(cheapest):
            return None
        by_level = self._by_level(change_set)
        place = {change_set[i]: p for p, i in enumerate(by_level)}
        root, part = self._part({j: list(best) for j, best in zip(change_set, cheapest, strict=True)})
        found: dict[int, Priced | None] = {1 - self._flip.sink: None}
        found[self._flip.sink] = Priced(0, (-1,) * len(change_set))

        def padded(node: int, p: int) -> Priced | None:
            """The best below a node; features that are skipped from place p on take their cheapest values."""
            below = found[node]
            j = self._feature(node)
            if below is None:
                return None
            unit, codes = below.unit, list(below.codes)
            for i in by_level[p : len(by_level) if j is None else place[j]]:
                option = min(cheapest[i].values(), key=lambda o: (o.unit, o.code))
                unit += option.unit
                codes[i] = option.code
            return Priced(unit, tuple(codes))

        for node in sorted(part):
            j = self._feature(node)
            assert j is not None
            p = place[j]
            i = by_level[p]
            ways = []
            for core, child in part[node].items():
                below, option = padded(child, p + 1), cheapest[i][core]
                if below is not None:
                    codes = (*below.codes[:i], option.code, *below.codes[i + 1 :])
                    ways.append(Priced(below.unit + option.unit, codes))
            found[node] = min(ways, default=None)
        return padded(root, 0)

    def all_flip(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> bool:
        """Whether all assignments flip the decision."""
        cores = {j: sorted({o.core for o in choices}) for j, choices in zip(change_set, options, strict=True)}
        root, part = self._part(cores)
        wrong = 1 - self._flip.sink
        return root != wrong and not any(wrong in children.values() for children in part.values())

    def count(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> int:
        """The number of assignments that flip the decision."""
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

    def in_code_order(
        self, change_set: Sequence[int], options: Sequence[Sequence[Option]]
    ) -> Iterator[tuple[int, ...]]:
        """All assignments that flip the decision."""
        core_of = [{o.code: o.core for o in choices} for choices in options]
        free = [sorted(set(cores.values())) for cores in core_of]
        if not all(free):
            return
        stack: list[tuple[int, ...]] = [()]
        while stack:
            codes = stack.pop()
            i = len(codes)
            decided = [[core_of[p][code]] for p, code in enumerate(codes)]
            root, part = self._part(dict(zip(change_set, decided + free[i:], strict=True)))
            sinks = {node for below in part.values() for node in below.values()} | {root}
            if self._flip.sink not in sinks:
                continue
            if i == len(change_set):
                yield codes
            else:
                stack += [(*codes, option.code) for option in reversed(options[i])]

    def _by_level(self, change_set: Sequence[int]) -> list[int]:
        """The places in the change set, in the order in which the diagram tests their features."""
        return sorted(range(len(change_set)), key=lambda i: self._flip.level_of[change_set[i]])


def _cheapest(options: Sequence[Option]) -> dict[int, Option]:
    """By core code, the cheapest value; among equally cheap ones, the smallest."""
    best: dict[int, Option] = {}
    for option in options:
        if option.core not in best or option.unit < best[option.core].unit:
            best[option.core] = option
    return best
