"""Values of black-box models with bounds: branch and bound over boxes of the values of a change set.

Boxes come by the least cost that any of their rows has, so that the first row that flips is the cheapest. Bounds leave
out boxes in which no row flips, and `predict` confirms what is found (see `symcf.search.bounds`).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.errors import InternalError
from symcf.models.bounded.bounds import Bounds
from symcf.search.bounds import Wanted
from symcf.values.asked import AskedFlip, AskedSolver
from symcf.values.protocol import Options, Priced, Solver

__all__ = ["BoundedFlip", "BoundedSolver"]

Places = tuple[int, ...]
Integers = npt.NDArray[np.int64]

#: Boxes that are bounded at a time.
AT_ONCE = 256

#: Times that boxes are split to prove that all rows flip; then it counts as not known.
ROUNDS = 24


@dataclass(frozen=True, eq=False)
class BoundedFlip(AskedFlip):
    """The same with bounds."""

    bounds: Bounds

    def solver(self, x: Sequence[int]) -> Solver:
        return BoundedSolver(self, x)


class BoundedSolver(AskedSolver):
    """Assignments of one instance. requires: change sets ascending, options by ascending code."""

    def __init__(self, flip: BoundedFlip, x: Sequence[int]) -> None:
        super().__init__(flip, x)
        self._bounded = flip

    def _wanted(self, change_set: Sequence[int], codes: Sequence[Integers]) -> Wanted:
        options = [np.zeros(0, dtype=np.int64)] * len(self._x)
        for j, some in zip(change_set, codes, strict=True):
            options[j] = some
        flip = self._bounded
        return Wanted(flip.rule, flip.bounds, flip.holds, self._x, flip.goal, options)

    def best(self, change_set: Sequence[int], options: Options) -> Priced | None:
        """The cheapest, then the one with the smallest codes."""
        if not all(options):
            return None
        codes = [np.array([option.code for option in some], dtype=np.int64) for some in options]
        wanted, prices = self._wanted(change_set, codes), [_Prices([o.unit for o in some]) for some in options]
        features = np.array(change_set, dtype=np.int64)
        low, high = (0,) * len(codes), tuple(len(some) - 1 for some in codes)
        waiting: list[tuple[int, Places, Places, Places]] = [(_least(prices, low, high), low, low, high)]
        best: tuple[int, Places] | None = None
        while waiting:
            tick()
            boxes: list[tuple[Places, Places]] = []
            while waiting and len(boxes) < AT_ONCE:
                unit, first, low, high = heapq.heappop(waiting)
                if best is not None and (unit, first) >= best:
                    waiting = []
                    break
                boxes.append((low, high))
            if not boxes:
                break
            lows, highs = (np.array(part, dtype=np.int64) for part in zip(*boxes, strict=True))
            of = np.repeat(features[np.newaxis], len(boxes), axis=0)
            every, none, _, split = wanted.bounded(of, lows, highs)
            kept = np.flatnonzero(~none)
            points = [_cheapest(prices, *boxes[i]) for i in kept.tolist()]
            if not points:
                continue
            flips = self._flips(wanted, of[kept], np.array([p for _, p in points]), split[kept] < 0)
            for i, flip, point in zip(kept.tolist(), flips.tolist(), points, strict=True):
                best = point if flip and (best is None or point < best) else best
                if split[i] >= 0 and not (flip and every[i]):
                    for box in _halves(*boxes[i], int(split[i])):
                        heapq.heappush(waiting, (_least(prices, *box), box[0], *box))
        if best is None:
            return None
        return Priced(best[0], tuple(int(some[place]) for some, place in zip(codes, best[1], strict=True)))

    @staticmethod
    def _flips(wanted: Wanted, features: Integers, places: Integers, alone: npt.NDArray[np.bool_]) -> Any:
        """Which of these rows are known to flip? Those that are all of their box are asked about in any case."""
        every, none = wanted.surely(features, places)
        rows = wanted.rows(features, places)
        asked = (every | (alone & ~none)) & wanted.obeys(rows)
        flips = np.zeros(len(rows), dtype=np.bool_)
        flips[asked] = wanted.decided(rows[asked])
        if (every & asked & ~flips).any():
            raise InternalError("a row that the bounds rule in is decided otherwise by predict")
        return flips

    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        return self.best(change_set, options) is not None

    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """See `Solver`. Boxes are split a few times; what is in doubt then counts as not known."""
        codes = [np.array([option.code for option in some], dtype=np.int64) for some in options]
        wanted, features = self._wanted(change_set, codes), np.array(change_set, dtype=np.int64)
        low = np.zeros((1, len(codes)), dtype=np.int64)
        high = np.array([[len(some) - 1 for some in codes]], dtype=np.int64)
        for _ in range(ROUNDS):
            tick()
            of = np.repeat(features[np.newaxis], len(low), axis=0)
            every, none, best, split = wanted.bounded(of, low, high)
            worst = low + high - best
            if none.any() or wanted.surely(of, worst)[1].any():
                return False
            doubt = np.ones(len(low), dtype=np.bool_) if wanted.is_related else ~every
            single = doubt & (split < 0)
            if single.any():
                rows = wanted.rows(of[single], low[single])
                if not (wanted.obeys(rows).all() and wanted.decided(rows).all()):
                    return False
            rest = np.flatnonzero(doubt & ~single)
            if not len(rest):
                return True
            if len(rest) > AT_ONCE:
                return False
            pairs = [_halves(low[i], high[i], int(split[i])) for i in rest]
            low = np.array([half[0] for pair in pairs for half in pair])
            high = np.array([half[1] for pair in pairs for half in pair])
        return False


class _Prices:
    """What the values of a feature cost: the least, and the first of that, of any run of them."""

    def __init__(self, units: Sequence[int]) -> None:
        self._units = units
        #: By power of two and place: the place of the cheapest of so many values from there on.
        self._levels = [list(range(len(units)))]
        while (width := 1 << len(self._levels)) <= len(units):
            last = self._levels[-1]
            pairs = ((last[i], last[i + width // 2]) for i in range(len(units) - width + 1))
            self._levels.append([a if units[a] <= units[b] else b for a, b in pairs])

    def cheapest(self, low: int, high: int) -> int:
        """The place of the cheapest value from one place to another, and of several the first."""
        level = (high - low + 1).bit_length() - 1
        a, b = self._levels[level][low], self._levels[level][high + 1 - (1 << level)]
        return a if self._units[a] <= self._units[b] else b

    def least(self, low: int, high: int) -> int:
        """What it costs."""
        return self._units[self.cheapest(low, high)]


def _least(prices: Sequence[_Prices], low: Places, high: Places) -> int:
    return sum(price.least(a, b) for price, a, b in zip(prices, low, high, strict=True))


def _cheapest(prices: Sequence[_Prices], low: Places, high: Places) -> tuple[int, Places]:
    """The cheapest row of a box, of several the first: its cost and places."""
    places = tuple(price.cheapest(a, b) for price, a, b in zip(prices, low, high, strict=True))
    return _least(prices, low, high), places


def _halves(low: Any, high: Any, split: int) -> list[tuple[Places, Places]]:
    """A box in two parts."""
    middle = (int(low[split]) + int(high[split])) // 2
    first, second = list(map(int, high)), list(map(int, low))
    first[split], second[split] = middle, middle + 1
    return [(tuple(map(int, low)), tuple(first)), (tuple(second), tuple(map(int, high)))]
