"""The models of a diagram: the inputs that end in a sink, counted and found by their rank.

Inputs are ordered by the values of the features, the feature of the first level first. So the i-th model is found by
walking down once, and models drawn at random are those of random ranks. Counts are exact: integers of any size.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.options import checked_count, checked_random
from symcf.common.renamed import with_new_keywords
from symcf.errors import LimitError, OptionError
from symcf.system.groups import Groups

__all__ = ["Models"]

#: Entries of the tables of a walk at a time: a few megabytes.
CHUNK = 1 << 18

#: Bytes of a count: of an integer of 64 bits, and of a Python object.
BYTES = {np.int64: 8, object: 64}


class Models:
    """The inputs that end in the sink, over value codes. Values that the diagram does not distinguish count each."""

    def __init__(
        self, core: _core.Diagram, groups: Groups | None = None, sink: int = 1, clock: Clock = NO_LIMIT
    ) -> None:
        self._core = core
        self._order = core.order.tolist()
        #: By level and value code, the core code.
        self._group_of = [
            np.arange(arity) if groups is None else np.array(groups.group_of[j])
            for j, arity in zip(self._order, core.arity.tolist(), strict=True)
        ]
        sizes = [len(groups) for groups in self._group_of]
        #: By level, how many inputs the levels from there on have.
        self._below = [math.prod(sizes[k:]) for k in range(len(sizes) + 1)]
        self._type: Any = np.int64 if self._below[0] < 2**62 else object
        self._level = core.level.astype(np.int64)
        self._first_child = self._places()
        self._counts = self._count(sink, clock)
        #: How many there are.
        self.count = int(self._from(np.array([core.root]), 0)[0])

    def _places(self) -> npt.NDArray[np.int64]:
        """By node, where its children start."""
        arity = np.zeros(len(self._level), dtype=np.int64)
        arity[2:] = self._core.arity[self._level[2:]]
        return np.cumsum(arity) - arity

    def _from(self, nodes: npt.NDArray[Any], level: int) -> npt.NDArray[Any]:
        """How many inputs of the levels from `level` on lead from these nodes to the sink."""
        below = np.array(self._below, dtype=self._type)
        skipped = below[level] // below[self._level[nodes]]
        return np.asarray(self._counts[nodes] * skipped)

    def _count(self, sink: int, clock: Clock) -> npt.NDArray[Any]:
        """By node: how many inputs of its level and those below lead to the sink."""
        _core.check_memory(len(self._level) * BYTES[self._type])
        self._counts = counts = np.zeros(len(self._level), dtype=self._type)
        counts[sink] = 1
        ends = np.flatnonzero(np.diff(self._level, append=-1)) + 1
        start = 2
        for end in ends[ends > 2].tolist():  # one level at a time, from the bottom
            level = int(self._level[start])
            weight = np.bincount(self._group_of[level]).astype(self._type)
            for at in range(start, end, max(1, CHUNK // len(weight))):
                nodes = np.arange(at, min(end, at + max(1, CHUNK // len(weight))))
                child = self._children(nodes, len(weight))
                counts[nodes] = (self._from(child, level + 1) * weight).sum(axis=1)
                if clock.expired:
                    raise LimitError("time limit reached while counting")
            start = end
        return counts

    def _children(self, nodes: npt.NDArray[Any], arity: int) -> npt.NDArray[np.int64]:
        child: npt.NDArray[np.int64] = self._core.child[self._first_child[nodes][:, None] + np.arange(arity)].astype(
            np.int64
        )
        return child

    def at(self, ranks: Any) -> npt.NDArray[np.int64]:
        """The models of these ranks, as rows of value codes."""
        given = np.array([int(rank) for rank in ranks], dtype=self._type)
        step = max(1, CHUNK // max(map(len, self._group_of), default=1))
        chunks = [self._at(given[start : start + step]) for start in range(0, len(given), step)]
        return np.concatenate(chunks) if chunks else np.zeros((0, len(self._order)), dtype=np.int64)

    def _at(self, rank: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        rows = np.zeros((len(rank), len(self._order)), dtype=np.int64)
        node = np.full(len(rank), self._core.root)
        every = np.arange(len(rank))
        for level, groups in enumerate(self._group_of):
            child = np.repeat(node[:, None], len(groups), axis=1)
            here = self._level[node] == level
            if here.any():
                child[here] = self._children(node[here], int(self._core.arity[level]))[:, groups]
            ends = np.cumsum(self._from(child, level + 1), axis=1)
            value = (rank[:, None] >= ends).sum(axis=1)
            rank = rank - np.where(value > 0, ends[every, np.maximum(value - 1, 0)], 0)
            rows[:, self._order[level]] = value
            node = child[every, value]
        return rows

    @with_new_keywords
    def sample(self, size: int, random_state: int | np.random.Generator | None = None) -> npt.NDArray[np.int64]:
        """Models drawn uniformly, with replacement, as rows of value codes; an error if there are none.

        >>> from symcf import Diagram
        >>> Diagram.from_table([0, 0, 0, 1]).models().sample(2, random_state=0).tolist()
        [[1, 1], [1, 1]]
        """
        wanted = checked_count(size, "size", least=0) or 0
        if wanted and not self.count:
            raise OptionError("there is no row to draw")
        return self.at(self.ranks(wanted, checked_random(random_state)))

    def ranks(self, size: int, random: np.random.Generator) -> list[int]:
        """Ranks drawn uniformly, with replacement."""
        bits = (self.count - 1).bit_length()
        ranks: list[int] = []
        while len(ranks) < size:
            drawn = int.from_bytes(random.bytes((bits + 7) // 8 or 1), "little") & ((1 << bits) - 1)
            if drawn < self.count:
                ranks.append(drawn)
        return ranks
