"""Which actions help most people: maximum coverage, by branch and bound with a Lagrangian bound.

At most k actions are chosen, and the rows that one of them helps are counted. Let each row pay a price of at most its
weight to the actions that help it, and keep what is left. No choice is worth more than what all rows keep and what the
k best-paid actions get (M. L. Fisher, "The Lagrangian relaxation method for solving integer programming problems",
Management Science 27(1), 1981). Subgradient steps lower this bound. An action that would have to be better paid to be
part of a better choice is left out. Prices are whole numbers of 1/`SCALE`, so that bounds are exact.

Nodes of the search are taken by descending bound. Where two actions are left to choose, all pairs that may be better
are looked at.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock

__all__ = ["Chosen", "greedy", "most_helped", "smallest_number"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

#: Prices are multiples of 1 / SCALE. All sums of them stay below 2^53.
SCALE = 4096.0
#: Cells of a matrix that are held as floats at a time.
BLOCK = 1 << 22
#: Subgradient steps at the root and at each later node.
FIRST, LATER = 250, 25
#: Pairs of actions are exchanged in choices of at most so many.
PAIRS = 20


@dataclass(frozen=True)
class Chosen:
    """Actions by index, and what is proved about them."""

    actions: tuple[int, ...]
    #: Of `most_helped`: nobody helps more rows than this. Of `smallest_number`: fewer actions than this do not suffice.
    bound: int


def greedy(helps: Bools, most: int | None, needed: int | None) -> tuple[int, ...]:
    """Always the action that helps most of those who are left."""
    left, chosen = np.ones(helps.shape[1], dtype=np.bool_), list[int]()
    wanted = helps.shape[1] if needed is None else needed
    while (most is None or len(chosen) < most) and (~left).sum() < wanted:
        gains = (helps & left).sum(axis=1)
        best = int(gains.argmax()) if len(gains) else 0
        if not len(gains) or not gains[best]:
            break
        chosen.append(best)
        left &= ~helps[best]
    return tuple(chosen)


def most_helped(helps: Bools, sizes: Floats, most: int, clock: Clock) -> Chosen:
    """At most so many actions that help as many rows as possible; of these choices a small one."""
    table = Table.of(helps, sizes)
    start = table.places(greedy(helps, most, None))
    search = Search(table, most, clock, start)
    bound = search.run(table.reach)
    chosen = _smaller(table, search.chosen, search.helped, clock)
    return Chosen(table.actions(chosen), bound)


def smallest_number(helps: Bools, sizes: Floats, needed: int, clock: Clock) -> Chosen:
    """The fewest actions that help so many rows; of these choices a small one. requires: all of them help so many."""
    table = Table.of(helps, sizes)
    chosen = table.places(greedy(helps, None, needed))
    fewest = int(needed > 0)
    while fewest < len(chosen):
        search = Search(table, fewest, clock, chosen[:fewest], enough=needed)
        bound = search.run(table.reach)
        if search.helped >= needed:
            chosen = search.chosen
        elif bound >= needed:  # no time to decide
            break
        else:
            fewest += 1
    return Chosen(table.actions(_smaller(table, chosen, needed, clock)), min(fewest, len(chosen)))


@dataclass(frozen=True)
class Table:
    """Whom each action helps. Of actions that help the same rows the smallest is left; rows alike are one."""

    helps: Bools
    sizes: Floats
    #: How many rows each column stands for.
    weights: Floats
    #: The index of each action among those given.
    given: Indices
    #: By index among those given, the action that stands for it.
    place: Indices

    @classmethod
    def of(cls, helps: Bools, sizes: Floats) -> Table:
        """The table without repetitions."""
        order = np.lexsort((np.arange(len(sizes)), sizes))
        lines, first, place = np.unique(helps[order], axis=0, return_index=True, return_inverse=True)
        back = np.empty(len(order), dtype=np.intp)
        back[order] = place.reshape(-1)
        lines, counts = np.unique(lines[:, lines.any(axis=0)], axis=1, return_counts=True)
        given = order[first]
        return cls(lines, sizes[given], counts.astype(np.float64), given, back)

    @property
    def reach(self) -> int:
        """How many rows all actions together help."""
        return int(self.weights.sum())

    def helped(self, chosen: Indices | tuple[int, ...]) -> int:
        """How many rows these actions help."""
        return int(self.weights[self.helps[np.asarray(chosen, dtype=np.intp)].any(axis=0)].sum())

    def places(self, actions: tuple[int, ...]) -> tuple[int, ...]:
        """The lines of actions that were given."""
        return tuple(dict.fromkeys(int(self.place[i]) for i in actions))

    def actions(self, lines: tuple[int, ...]) -> tuple[int, ...]:
        """The actions that were given, of lines."""
        return tuple(int(self.given[i]) for i in lines)


@dataclass(order=True)
class Node:
    """Some actions are chosen, some are left out."""

    #: The bound, negated: the heap gives the smallest first.
    key: int
    number: int
    chosen: tuple[int, ...] = field(compare=False)
    #: The actions that may still be chosen.
    free: Indices = field(compare=False)
    #: By row of the table.
    prices: Floats = field(compare=False)


class Search:
    """Branch and bound for at most `most` actions. `enough`: a choice that helps so many ends the search."""

    def __init__(
        self, table: Table, most: int, clock: Clock, start: tuple[int, ...], enough: int | None = None
    ) -> None:
        self.table, self.most, self.clock = table, most, clock
        #: The best choice so far, and how many rows it helps.
        self.chosen, self.helped = start, table.helped(start)
        self.enough = table.reach if enough is None else min(enough, table.reach)
        #: A choice is better if it helps more rows than this.
        self._mark = self.helped if enough is None else max(self.helped, enough - 1)
        self._numbers = itertools.count()

    def run(self, bound: int) -> int:
        """No choice helps more rows than this. ``bound``: what is known of it."""
        if self.most >= len(self.table.helps):
            self._offer(tuple(range(len(self.table.helps))))
        self._improve(self.chosen)
        prices = np.rint(self.table.weights * (SCALE / 2))
        heap = [Node(-bound, next(self._numbers), (), np.arange(len(self.table.helps)), prices)]
        while heap and -heap[0].key > self._mark and self.helped < self.enough and not self.clock.expired:
            for child in self._branch(heapq.heappop(heap)):
                heapq.heappush(heap, child)
        return max(self._mark, -heap[0].key if heap else 0)

    def _offer(self, chosen: tuple[int, ...]) -> bool:
        """Takes a choice that is better than the best so far."""
        helped = self.table.helped(chosen)
        if helped <= self.helped:
            return False
        self.chosen, self.helped = tuple(int(i) for i in chosen), helped
        self._mark = max(self._mark, helped)
        return True

    def _improve(self, chosen: tuple[int, ...]) -> None:
        """Exchanges one or two chosen actions for others as long as that helps more rows."""
        helps, weights = self.table.helps, self.table.weights
        improved = True
        while improved:
            improved = False
            for out in _exchanged(len(chosen)):
                if self.clock.expired or self.helped >= self.enough:
                    return
                kept = tuple(i for place, i in enumerate(chosen) if place not in out)
                new = kept
                while len(new) < self.most:
                    left = np.where(helps[list(new)].any(axis=0), 0.0, weights)
                    new = (*new, int(sums(helps, left).argmax()))
                if self._offer(new):
                    chosen, improved = new, True
                    break

    def _branch(self, node: Node) -> Iterator[Node]:
        """The two parts of a node, with their bounds; none if no choice in it is better."""
        table, k = self.table, self.most - len(node.chosen)
        left = np.flatnonzero(~table.helps[list(node.chosen)].any(axis=0))
        had = table.reach - int(table.weights[left].sum())
        helps, weights = table.helps[np.ix_(node.free, left)], table.weights[left]
        relaxed = Relaxation(helps, weights, k, node.prices[left], had)
        if k > 2:
            relaxed.lower(
                FIRST if not node.number else LATER,
                lambda: self._mark,
                lambda top: self._offer((*node.chosen, *node.free[top].tolist())),
                self.clock,
            )
        bound = min(-node.key, relaxed.bound)
        if bound <= self._mark:
            return
        kept = relaxed.kept(self._mark)
        free, gains = node.free[kept], relaxed.gains[kept]
        if k <= 2:
            best = _best_pair(helps[kept], weights, k, self._mark - had, self.clock)
            if best is None:  # no time
                yield Node(node.key, next(self._numbers), node.chosen, node.free, node.prices)
            elif best:
                self._offer((*node.chosen, *free[list(best)].tolist()))
            return
        if len(free) <= k:
            self._offer((*node.chosen, *free.tolist()))
            return
        prices = node.prices.copy()
        prices[left] = relaxed.prices
        first = int(gains.argmax())
        rest = np.delete(free, first)
        yield Node(-bound, next(self._numbers), (*node.chosen, int(free[first])), rest, prices)
        yield Node(-bound, next(self._numbers), node.chosen, rest, prices)


class Relaxation:
    """The Lagrangian bound of a node, for prices that the rows pay."""

    def __init__(self, helps: Bools, weights: Floats, k: int, prices: Floats, had: int) -> None:
        self._helps, self._weights, self._k, self._had = helps, weights, k, had
        self._floats = helps.astype(np.float64) if helps.size <= BLOCK else None
        self._take(prices)

    def _take(self, prices: Floats) -> None:
        self.prices = prices
        #: What the rows pay to each action.
        self.gains = sums(self._helps, prices) if self._floats is None else self._floats @ prices
        n = len(self.gains)
        #: The best-paid actions.
        self.top = np.argpartition(self.gains, n - self._k)[n - self._k :] if n > self._k else np.arange(n)
        keeps = np.maximum(self._weights * SCALE - prices, 0)
        #: The bound times SCALE, without the rows that are helped already.
        self.value = float(keeps.sum() + self.gains[self.top].sum())

    @property
    def bound(self) -> int:
        """No choice in this node helps more rows."""
        return self._had + int(self.value // SCALE)

    def lower(self, steps: int, mark: Callable[[], int], found: Callable[[Indices], object], clock: Clock) -> None:
        """Lowers the bound; ends when no choice can be better than the mark. ``found`` gets the choices on the way."""
        best = (self.value, self.prices, self.gains, self.top)
        length, stale = 1.0, 0
        for _ in range(steps):
            found(self.top)
            if self.bound <= mark() or clock.expired:
                break
            paid = self._helps[self.top].sum(axis=0)
            slope = (self.prices < self._weights * SCALE) - paid.astype(np.float64)
            norm = float((slope * slope).sum())
            if not norm or length < 1e-3:
                break
            step = length * max(best[0] - SCALE * (mark() - self._had), SCALE) / norm
            self._take(np.clip(np.rint(best[1] + step * slope), 0, self._weights * SCALE))
            if self.value < best[0]:
                best, stale = (self.value, self.prices, self.gains, self.top), 0
            else:
                stale += 1
                if stale == 4:
                    length, stale = length / 2, 0
        self.value, self.prices, self.gains, self.top = best

    def kept(self, mark: int) -> Indices:
        """The actions that may be part of a choice that is better than the mark."""
        if len(self.gains) <= self._k:
            return np.arange(len(self.gains))
        least = self.gains[self.top].min()
        with_it = self.value - least + np.minimum(self.gains, least)
        return np.flatnonzero(self._had + with_it // SCALE > mark)


def _exchanged(n: int) -> Iterator[tuple[int, ...]]:
    """The places of n chosen actions to exchange at a time: one, and two where there are not too many pairs."""
    yield from itertools.combinations(range(n), 1)
    if n <= PAIRS:
        yield from itertools.combinations(range(n), 2)


def sums(helps: Bools, weights: Floats) -> Floats:
    """By action, the weights of the rows that it helps."""
    step = max(1, BLOCK // max(1, helps.shape[1]))
    parts = [helps[i : i + step].astype(np.float64) @ weights for i in range(0, len(helps), step)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _best_pair(helps: Bools, weights: Floats, k: int, mark: int, clock: Clock) -> tuple[int, ...] | None:
    """At most k actions, 1 or 2, that help most rows and more than the mark: () if none do, None if time is up."""
    gains = sums(helps, weights)
    order = np.argsort(-gains)
    best: tuple[int, ...] = ()
    if len(order) and gains[order[0]] > mark:
        best, mark = (int(order[0]),), int(gains[order[0]])
    if k == 1:
        return best
    weighted = weights[:, None]
    step = max(1, min(256, BLOCK // max(1, len(order))))
    for start in range(0, len(order), step):
        here = order[start : start + step]
        if gains[here[0]] * 2 <= mark:
            break
        if clock.expired:
            return None
        others = order[start : np.searchsorted(-gains[order], gains[here[0]] - mark, side="left")]
        both = helps[here].astype(np.float64) @ (helps[others].T * weighted)
        union = gains[here][:, None] + gains[others][None, :] - both
        i, j = np.unravel_index(int(union.argmax()), union.shape) if union.size else (0, 0)
        if union.size and union[i, j] > mark:
            best, mark = (int(here[i]), int(others[j])), int(union[i, j])
    return best


def _smaller(table: Table, chosen: tuple[int, ...], needed: int, clock: Clock) -> tuple[int, ...]:
    """Exchanges actions for smaller ones, or leaves them out, as long as so many rows are helped."""
    improved = True
    while improved and not clock.expired:
        improved = False
        for i in chosen:
            kept = tuple(j for j in chosen if j != i)
            left = np.where(table.helps[list(kept)].any(axis=0), 0.0, table.weights)
            missing = needed - table.helped(kept)
            if missing <= 0:
                chosen, improved = kept, True
                break
            fine = np.flatnonzero((table.sizes < table.sizes[i]) & (sums(table.helps, left) >= missing))
            if len(fine):
                chosen, improved = (*kept, int(fine[table.sizes[fine].argmin()])), True
                break
    return chosen
