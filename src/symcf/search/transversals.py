"""Minimal sets of a monotone question, and its minimal reasons, from an oracle that answers for one set at a time.

"Can these features be changed so that the goal is reached?" is monotone: more features can do what fewer can. The
minimal sets that can are the minimal hitting sets of the *reasons*: complements of the maximal sets that cannot. So the
two lists are built together (implicit hitting sets: Moreno-Centeno and Karp 2013; MARCO: Liffiton and others 2016). A
hitting set of the reasons known so far either can, and is minimal then, or is grown to a maximal set that cannot, whose
complement is one more reason. Hitting sets are walked depth first with their critical reasons (MMCS: Murakami and Uno
2014). As reasons are added on the way, a walk may have left out sets that became critical later; a walk that adds none
proves both lists complete. Walks come by rising size, so that a list that is cut short is complete up to a size.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

__all__ = ["Transversals"]

#: A set of features, as a bit mask.
Mask = int


class Transversals:
    """The minimal sets that can, and the minimal reasons, as far as they are known."""

    def __init__(self, n: int, can: Callable[[tuple[int, ...]], Sequence[int] | None]) -> None:
        """``can(features)`` gives features, of these, that are enough; None if all of them are not."""
        self._n, self._can = n, can
        self._every: Mask = (1 << n) - 1
        #: Minimal sets that can, in the order in which they were found.
        self.found: dict[Mask, None] = {}
        #: Minimal reasons.
        self.reasons: dict[Mask, None] = {}
        #: Sets that can, minimal or not: no two of which one contains the other.
        self._enough: list[Mask] = []
        #: All minimal sets of up to so many features are known; `n` if the list is complete.
        self.complete_up_to = 0
        self._is_complete = False
        #: The set that `cheapest` looked at last: none that it has not given comes before it.
        self.next_best: tuple[int, ...] = ()

    # --- one set

    def can(self, mask: Mask) -> bool:
        """Can these features?"""
        if any(known & mask == known for known in self._enough):
            return True
        if any(not reason & mask for reason in self.reasons):
            return False
        enough = self._can(features_of(mask))
        if enough is None:
            return False
        smaller = mask_of(enough)
        self._enough = [known for known in self._enough if known & smaller != smaller]
        self._enough.append(smaller)
        return True

    def _add_reason(self, mask: Mask) -> None:
        """Grows a set that cannot until no feature can be added; what is left out is a reason."""
        if not self.reasons and not self.can(self._every):
            mask = self._every
        for j in range(self._n):
            if not mask >> j & 1 and not self.can(mask | 1 << j):
                mask |= 1 << j
        self.reasons[self._every & ~mask] = None

    # --- all sets

    def listed(self, most: int | None = None) -> Iterator[tuple[int, ...]]:
        """All minimal sets of up to ``most`` features, by size; those found before come first."""
        most = self._n if most is None else min(most, self._n)
        for mask in sorted(self.found, key=lambda known: (known.bit_count(), features_of(known))):
            if mask.bit_count() <= most:
                yield features_of(mask)
        while not self._is_complete and self.complete_up_to < most:
            size = self.complete_up_to + 1
            while True:
                before, walk = len(self.reasons), _Walk(self, size)
                yield from map(features_of, walk.new())
                if len(self.reasons) == before:
                    break
            self.complete_up_to = size
            if not walk.is_cut:
                self.complete_up_to, self._is_complete = self._n, True

    def exhaust(self) -> None:
        """Completes both lists."""
        for _ in self.listed():
            pass

    def cheapest(self, k: int, weights: Sequence[int], most: int | None = None) -> Iterator[tuple[int, ...]]:
        """The k first minimal sets by (cost, size, features), in this order."""
        heap: list[tuple[int, int, tuple[int, ...], Mask]] = [(0, 0, (), 0)]
        seen = {0}
        given: list[Mask] = []
        while heap and len(given) < k:
            cost, size, features, mask = heapq.heappop(heap)
            self.next_best = features
            if any(known & mask == known for known in given):
                continue
            reason = next((reason for reason in self.reasons if not reason & mask), None)
            if reason is None:
                if self.can(mask):  # everything cheaper was tried: it is minimal
                    given.append(mask)
                    self.found[mask] = None
                    yield features
                    continue
                self._add_reason(mask)
                reason = next(reversed(self.reasons))
            if most is not None and size >= most:
                continue
            for j in features_of(reason):
                more = mask | 1 << j
                if more not in seen:
                    seen.add(more)
                    heapq.heappush(heap, (cost + weights[j], size + 1, features_of(more), more))


class _Walk:
    """Depth first through the hitting sets of up to a size."""

    def __init__(self, sets: Transversals, size: int) -> None:
        self._sets, self._size = sets, size
        #: Was a set left out because of its size?
        self.is_cut = False

    def new(self) -> Iterator[Mask]:
        """Minimal sets that were not known."""
        yield from self._from(0, self._sets._every)

    def _from(self, mask: Mask, candidates: Mask) -> Iterator[Mask]:
        sets = self._sets
        open_reasons = [reason for reason in sets.reasons if not reason & mask]
        if not open_reasons:
            if mask in sets.found:
                return
            if sets.can(mask):
                sets.found[mask] = None
                yield mask
                return
            sets._add_reason(mask)
            open_reasons = [next(reversed(sets.reasons))]
        if mask.bit_count() >= self._size:
            self.is_cut = True
            return
        reason = min(open_reasons, key=lambda one: (one & candidates).bit_count())
        branches = reason & candidates
        candidates &= ~branches
        for j in features_of(branches):
            more = mask | 1 << j
            if self._is_critical(more):
                yield from self._from(more, candidates)
            candidates |= 1 << j

    def _is_critical(self, mask: Mask) -> bool:
        """Is there, for each feature, a reason that only it hits?"""
        left = mask
        for reason in self._sets.reasons:
            hit = reason & mask
            if hit and not hit & (hit - 1):
                left &= ~hit
                if not left:
                    return True
        return not left


def features_of(mask: Mask) -> tuple[int, ...]:
    """The features of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def mask_of(features: Sequence[int]) -> Mask:
    """A set of features as a mask."""
    return sum(1 << j for j in features)
