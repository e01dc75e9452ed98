"""Values for a change set where trees vote and no diagram is built. See `assignments`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.errors import LimitError
from symcf.values.scores import Option, Priced

__all__ = ["ALL_MOVES", "TreesFlip", "TreesSolver"]

#: Sums of costs stay below this in the core.
MOST_UNITS = 1 << 62

#: More than the moves of all features of a set add up to.
ALL_MOVES = 1 << 80

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
        if not all(options):
            return None
        cost = np.full(self._offset[-1], -1, dtype=np.int64)
        for j, choices, units in zip(change_set, options, _small_units(options), strict=True):
            for option, unit in zip(choices, units, strict=True):
                cost[self._offset[j] + option.code] = unit
        flip, features = self._flip, np.array(change_set, dtype=np.uint32)
        found = _core.choose_values(flip.ensemble, _core.Query(self._x), flip.k, flip.sink, features, cost)
        if found is None:
            return None
        codes = tuple(found[1].tolist())
        unit_of = [{option.code: option.unit for option in choices} for choices in options]
        return Priced(sum(map(dict.__getitem__, unit_of, codes)), codes)

    def all_flip(self, change_set: Sequence[int], options: Sequence[Sequence[Option]]) -> bool:
        """Whether all assignments flip the decision."""
        x = self._x.copy()
        for j, choices in zip(change_set, options, strict=True):
            x[j] = choices[0].code
        codes = [[option.code for option in choices] for choices in options]
        return not self._reaches(x, change_set, codes, 1 - self._flip.sink)

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

    def _reaches(
        self,
        x: npt.NDArray[np.uint32],
        features: Sequence[int],
        codes: Sequence[Sequence[int]],
        sink: int | None = None,
    ) -> bool:
        """Does a row that differs from x in these features, within these codes, have the wanted class (or for the other
        sink not have it)?
        """
        allowed = np.zeros(self._offset[-1], dtype=np.uint8)
        for j, choices in zip(features, codes, strict=True):
            allowed[self._offset[j] + np.array(choices)] = 1
        flip = self._flip
        wanted = flip.sink if sink is None else sink
        return _core.find_row(flip.ensemble, _core.Query(x, allowed), flip.k, wanted) is not None


def _small_units(options: Sequence[Sequence[Option]]) -> list[list[int]]:
    """Units in the same order of sums that fit the core: what all options of a feature cost is left out, and of costs
    that have moves below them (`symcf.values.of_case`) the room between the two.
    """
    least = [min(option.unit for option in choices) for choices in options]
    units = [[option.unit - low for option in choices] for choices, low in zip(options, least, strict=True)]
    if sum(map(max, units)) < MOST_UNITS:
        return units
    parts = [[divmod(option.unit, ALL_MOVES) for option in choices] for choices in options]
    width = sum(max(move for _, move in choices) for choices in parts).bit_length()
    lowest = [min(cost for cost, _ in choices) for choices in parts]
    packed = [
        [((cost - low) << width) + move for cost, move in choices] for choices, low in zip(parts, lowest, strict=True)
    ]
    if sum(map(max, packed)) >= MOST_UNITS:
        raise LimitError("these costs have too many digits to find the nearest values of trees that vote: round them")
    return packed
