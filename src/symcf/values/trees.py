"""Values for a change set where trees vote and no diagram is built. See `assignments`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.errors import LimitError
from symcf.values.scores import Option, Priced

__all__ = ["TreesFlip", "TreesSolver"]

#: Assignments that are counted, one by one.
MOST_COUNTED = 100_000


@dataclass(frozen=True, eq=False)
class TreesFlip:
    """The trees have to decide for class `k` (sink 1), or for any other (sink 0)."""

    ensemble: _core.Ensemble
    k: int
    sink: int


class TreesSolver:
    """Assignments of one instance. requires: change sets ascending, options by ascending code."""

    def __init__(self, flip: TreesFlip, x: Sequence[int]) -> None:
        self._flip = flip
        self._x = np.array(x, dtype=np.uint32)
        self._offset = flip.ensemble.value_offset.tolist()

    def best(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> Priced | None:
        """The cheapest, then the one with the smallest codes."""
        cost = np.full(self._offset[-1], -1, dtype=np.int64)
        for j, choices in zip(change_set, options, strict=True):
            for option in choices:
                cost[self._offset[j] + option.code] = option.unit
        flip, features = self._flip, np.array(change_set, dtype=np.uint32)
        found = _core.choose_values(flip.ensemble, _core.Query(self._x), flip.k, flip.sink, features, cost)
        return None if found is None else Priced(found[0], tuple(found[1].tolist()))

    def count(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> int:
        """The number of assignments that flip the decision; `LimitError` if there are too many."""
        total = 0
        for _ in self.in_code_order(change_set, options):
            total += 1
            if total > MOST_COUNTED:
                raise LimitError(f"more than {MOST_COUNTED:,} assignments; those of trees are counted one by one")
        return total

    def in_code_order(
        self, change_set: Sequence[int], options: Sequence[Sequence[Option]]
    ) -> Iterator[tuple[int, ...]]:
        """All assignments that flip the decision."""
        codes = [[option.code for option in choices] for choices in options]
        stack: list[tuple[int, ...]] = [()] if all(codes) else []
        while stack:
            known = stack.pop()
            rest = change_set[len(known) :]
            x = self._x.copy()
            x[list(change_set[: len(known)])] = known
            for j, choices in zip(rest, codes[len(known) :], strict=True):
                x[j] = choices[0]  # its own value is not allowed: it has to change
            if not self._reaches(x, rest, codes[len(known) :]):
                continue
            if rest:
                stack += [(*known, code) for code in reversed(codes[len(known)])]
            else:
                yield known

    def _reaches(self, x: npt.NDArray[np.uint32], features: Sequence[int], codes: Sequence[Sequence[int]]) -> bool:
        """Does a row that differs from x in these features, within these codes, have the wanted class?"""
        allowed = np.zeros(self._offset[-1], dtype=np.uint8)
        for j, choices in zip(features, codes, strict=True):
            allowed[self._offset[j] + np.array(choices)] = 1
        flip = self._flip
        return _core.find_row(flip.ensemble, _core.Query(x, allowed), flip.k, flip.sink) is not None
