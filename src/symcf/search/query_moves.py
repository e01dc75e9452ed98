"""Moves of a black-box model: rows are asked for few features at a time, and the nearest that flip are kept.

A row can only be less far than others if it changes no other features than they do, so sets of features come by rising
size. Of each, the rows are asked that no row found so far is less far than; the nearest of those that flip are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.question.case import Case, Query
from symcf.question.steps import Steps
from symcf.search.box_moves import TIME_IS_UP, Moves, MovesBySize

__all__ = ["QueryMoves"]

#: Rows that are asked at a time.
CHUNK = 1 << 12


class QueryMoves(MovesBySize):
    """Answers one case over steps. ``wanted`` tells which rows are as a query wants them."""

    name = "query"

    def __init__(
        self, case: Case, steps: Steps, wanted: Callable[[Query, npt.NDArray[np.int64]], npt.NDArray[np.bool_]]
    ) -> None:
        super().__init__(case, steps)
        self._wanted = wanted

    def _of_size(self, size: int, clock: Clock) -> Iterator[Moves]:
        """See `MovesBySize`."""
        for features in combinations(sorted(self._chains), size):
            known = self.known_within(features)
            # by chain and steps, nearest first
            ways = [[(c, i + 1) for c in self._chains[j] for i in range(len(self._codes[c]))] for j in features]
            found = list(self._flipping(features, ways, known, clock))
            for moves in sorted(found, key=lambda one: sum(one.values())):
                if not any(is_within(near, moves) for near in known):
                    known.append(moves)
                    self._found.setdefault(frozenset(features), []).append(moves)
                    yield moves

    def _flipping(
        self,
        features: Sequence[int],
        ways: Sequence[Sequence[tuple[int, int]]],
        known: Sequence[Moves],
        clock: Clock,
    ) -> Iterator[Moves]:
        """The rows that change exactly these features and are as wanted; those of which a known one is less far are
        not asked.
        """
        total = math.prod(map(len, ways))
        for start in range(0, total, CHUNK):
            if clock.expired:
                raise LimitError(TIME_IS_UP)
            place, chosen = np.arange(start, min(start + CHUNK, total)), list[npt.NDArray[np.int64]]()
            for way in reversed(ways):
                place, which = np.divmod(place, len(way))
                chosen.append(np.array(way, dtype=np.int64)[which])
            several = np.stack(chosen[::-1], axis=1)  # rows, features, (chain, steps)
            moves = [dict(map(tuple, one)) for one in several.tolist()]
            moves = [one for one in moves if not any(is_within(near, one) for near in known)]
            if moves:
                rows = np.repeat(self._query.x.astype(np.int64).reshape(1, -1), len(moves), axis=0)
                for row, one in zip(rows, moves, strict=True):
                    for j, (c, steps) in zip(features, one.items(), strict=True):
                        row[j] = self._codes[c][steps - 1]
                flips = self._wanted(self._query, rows)
                yield from (one for one, flip in zip(moves, flips.tolist(), strict=True) if flip)


def is_within(near: Moves, far: Moves) -> bool:
    """Does every feature move no farther in the one than in the other?"""
    return all(steps <= far.get(c, 0) for c, steps in near.items())
