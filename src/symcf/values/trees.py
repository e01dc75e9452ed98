"""Values for a change set where trees vote and no diagram is built. See `assignments`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.raw_row import OFF_THE_GRID
from symcf.errors import LimitError
from symcf.system.targets import Goal
from symcf.values.protocol import Flip, Option, Options, Priced, Solver

__all__ = ["ALL_MOVES", "TreesFlip", "TreesSolver"]

Row = npt.NDArray[np.uint32]

#: Sums of costs stay below this in the core.
MOST_UNITS = 1 << 62

#: More than the moves of all features of a set add up to.
ALL_MOVES = 1 << 80


@dataclass(frozen=True, eq=False)
class TreesFlip(Flip):
    """Trees have to decide for class `k` (sink 1), or for any other (sink 0); of several such, one has to be true."""

    asked: tuple[tuple[_core.Ensemble, Goal], ...]

    def solver(self, x: Sequence[int]) -> Solver:
        return TreesSolver(self, x)


class TreesSolver(Solver):
    """Assignments of one instance. requires: `x` in core codes, change sets ascending, options by ascending code."""

    def __init__(self, flip: TreesFlip, x: Sequence[int]) -> None:
        self._flip = flip
        self._x = np.array(x, dtype=np.uint32)
        self._offset = flip.asked[0][0].value_offset.tolist()

    def best(self, change_set: Sequence[int], options: Options) -> Priced | None:
        """The cheapest, then the one with the smallest codes."""
        if not all(options):
            return None
        cheapest = [_by_core(choices) for choices in options]  # of the values that are one to the trees
        cost = np.full(self._offset[-1], -1, dtype=np.int64)
        for j, choices, units in zip(change_set, cheapest, _small_units(cheapest), strict=True):
            for option, unit in zip(choices, units, strict=True):
                cost[self._offset[j] + option.core] = unit
        features, query = np.array(change_set, dtype=np.uint32), _core.Query(self._x)
        chosen = [{option.core: option for option in choices} for choices in cheapest]
        best: Priced | None = None
        for ensemble, goal in self._flip.asked:
            found = _core.choose_values(ensemble, query, *goal, features, cost)
            if found is not None:
                taken = [of[core] for of, core in zip(chosen, found[1].tolist(), strict=True)]
                priced = Priced(sum(option.unit for option in taken), tuple(option.code for option in taken))
                best = priced if best is None else min(best, priced)
        return best

    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        x, allowed = self._within(change_set, options)
        return any(not _has_row(ensemble, (k, 1 - sink), x, allowed) for ensemble, (k, sink) in self._flip.asked)

    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        x, allowed = self._within(change_set, options)
        return any(_has_row(ensemble, goal, x, allowed) for ensemble, goal in self._flip.asked)

    def _within(self, change_set: Sequence[int], options: Options) -> tuple[Row, npt.NDArray[np.uint8]]:
        """A row with some of the options, and which core codes it may become: each feature of the set has to change."""
        x, allowed = self._x.copy(), np.zeros(self._offset[-1], dtype=np.uint8)
        for j, choices in zip(change_set, options, strict=True):
            x[j] = choices[0].core
            allowed[self._offset[j] + np.array([option.core for option in choices])] = 1
        return x, allowed


def _has_row(ensemble: _core.Ensemble, goal: Goal, x: Row, allowed: npt.NDArray[np.uint8]) -> bool:
    return _core.find_row(ensemble, _core.Query(x, allowed), *goal) is not None


def _by_core(options: Sequence[Option]) -> list[Option]:
    """By core code, the cheapest option, and of those the first."""
    best: dict[int, Option] = {}
    for option in options:
        known = best.get(option.core, option)
        best[option.core] = min(option, known, key=lambda choice: (choice.unit, choice.code))
    return list(best.values())


def _small_units(options: Sequence[Sequence[Option]]) -> list[list[int]]:
    """Units in the same order of sums that fit the core: what all options of a feature cost is left out, and of costs
    that have moves below them (`symcf.values.of_case`) the room between the two.
    """
    least = [min(option.unit for option in choices) for choices in options]
    units = [[option.unit - low for option in choices] for choices, low in zip(options, least, strict=True)]
    if sum(map(max, units)) < MOST_UNITS:
        return units
    parts = [[divmod(option.unit, ALL_MOVES) for option in choices] for choices in options]
    lowest = [min(cost for cost, _ in choices) for choices in parts]
    moves = _packed([[move for _, move in choices] for choices in parts])
    width = sum(map(max, moves)).bit_length()
    costs = [[cost - low for cost, _ in choices] for choices, low in zip(parts, lowest, strict=True)]
    both = [
        [(cost << width) + move for cost, move in zip(*choices, strict=True)]
        for choices in zip(costs, moves, strict=True)
    ]
    if sum(map(max, both)) < MOST_UNITS:
        return both
    if sum(map(max, costs)) < MOST_UNITS:  # of assignments that cost the same, moves choose: then the codes do
        return costs
    raise LimitError("these costs have too many digits to find the nearest values of trees that vote: round them")


def _packed(moves: Sequence[Sequence[int]]) -> list[list[int]]:
    """Moves whose sums compare as before, and are smaller: numbers off the grid (`symcf.data.raw_row`) come after all
    sums of others, but no farther than need be.
    """
    parts = [[divmod(move, OFF_THE_GRID) for move in choices] for choices in moves]
    far = 1 + sum(max(move for _, move in choices) for choices in parts)
    return [[off * far + move for off, move in choices] for choices in parts]
