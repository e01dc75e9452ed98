"""The cheapest sufficient reason, by implicit hitting sets.

A reason has a feature in common with every set of features whose change can flip the decision. So of the sets that meet
all flipping sets found so far, the cheapest costs no more than the cheapest reason: a bound. If the decision cannot
flip while the features of that set stay as they are, the set is the reason. Otherwise a row that flips is found, and
the features that it changes are one more set to meet (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
extraction with minimal hitting set dualization", CP 2015).

Unlike there, a reason is known from the start: features are set free, one after another, as long as the decision
stays. Each round tries to improve it, so that there is an answer, and a bound, whenever time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symcf.common.clock import Clock
from symcf.errors import LimitError

__all__ = ["SmallestReason"]

#: Given the features that stay, as bits: the features that a row changes which flips the decision; None if none does.
Flip = Callable[[int], int | None]


class SmallestReason:
    """Searches for the first reason by (cost, size, features)."""

    def __init__(self, n: int, units: Sequence[int] | None, flip: Flip, clock: Clock) -> None:
        self._n, self._flip, self._clock = n, flip, clock
        # a sum of weights compares as (cost, size) does
        self._weight = [(n + 1) * cost + 1 for cost in ([1] * n if units is None else units)]
        self._found: list[int] = []
        #: The best reason so far, as bits; None: none was found yet.
        self.best: int | None = None
        #: A set of features that costs no more than any reason, as bits.
        self.bound = 0

    def run(self, order: Sequence[int]) -> bool:
        """Searches until the first reason is proved; False if time is up before. Features come free in this order."""
        try:
            self.best = self._reduced((1 << self._n) - 1, order)
            while self._improved(order):
                pass
        except LimitError as error:
            if not self._clock.ended(error):
                raise
            return False
        return True

    def any(self, order: Sequence[int]) -> bool | None:
        """Finds one reason; is there another one? None if time is up before that is known."""
        everything = (1 << self._n) - 1
        try:
            self.best = self._reduced(everything, order)
            # a reason that does not contain this one lacks one of its features
            return any(self._flip(everything & ~(1 << j)) is None for j in order if self.best >> j & 1)
        except LimitError as error:
            if not self._clock.ended(error):
                raise
            return None

    def _improved(self, order: Sequence[int]) -> bool:
        """One round; False if the best reason is proved to be the first."""
        assert self.best is not None
        least = self._hitting(0, self._sum(self.best))
        if least is None or self._sum(least) == self._sum(self.best):  # nothing is cheaper: of equals, the first
            self.bound = self.best
            least = self._first(self._sum(self.best))
        else:
            self.bound = least
        if least == self.best:
            return False
        changed = self._flip(least)
        if changed is None:
            self.best = least
            return True
        kept = least
        while changed is not None:  # flipping sets without a common feature
            changed = self._shrunk(changed)
            self._found.append(changed)
            kept |= changed
            changed = self._flip(kept)
        reason = self._reduced(kept, order)
        if self._sum(reason) < self._sum(self.best):
            self.best = reason
        return True

    def _sum(self, features: int) -> int:
        return sum(weight for j, weight in enumerate(self._weight) if features >> j & 1)

    def _reduced(self, kept: int, order: Sequence[int]) -> int:
        """A minimal reason among features that are enough."""
        for j in order:
            if kept >> j & 1 and self._flip(kept & ~(1 << j)) is None:
                kept &= ~(1 << j)
        return kept

    def _shrunk(self, changed: int) -> int:
        """A minimal flipping set among features that can flip the decision."""
        everything = (1 << self._n) - 1
        for j in range(self._n):
            if changed >> j & 1:
                fewer = self._flip(everything & ~changed | 1 << j)
                changed = changed if fewer is None else fewer
        return changed

    # --- sets that meet all flipping sets

    def _hitting(self, chosen: int, most: int) -> int | None:
        """The cheapest set that contains `chosen` and meets all flipping sets; None if it weighs more than `most`."""
        best: int | None = None
        waiting = [(chosen, 0, [one for one in self._found if not one & chosen])]
        while waiting:
            if self._clock.expired:
                raise LimitError("time limit reached while looking for the smallest reason")
            taken, out, left = waiting.pop()
            weight = self._sum(taken)
            if weight + self._at_least(left, out) > most - (best is not None):
                continue
            if not left:
                best, most = taken, weight
                continue
            branch = min((one & ~out for one in left), key=int.bit_count)
            deeper = []
            for j in range(self._n):
                if branch >> j & 1:
                    deeper.append((taken | 1 << j, out, [one for one in left if not one >> j & 1]))
                    out |= 1 << j
            waiting += reversed(deeper)
        return best

    def _at_least(self, left: Sequence[int], out: int) -> int:
        """A bound of what it takes to meet these sets without the features that are out: some have none in common."""
        total, seen = 0, 0
        for one in sorted((one & ~out for one in left), key=int.bit_count):
            if not one:
                return sum(self._weight) + 1
            if not one & seen:
                seen |= one
                total += min(self._weight[j] for j in range(self._n) if one >> j & 1)
        return total

    def _first(self, weight: int) -> int:
        """Of the sets of this weight that meet all flipping sets, and of which one is known, the first."""
        chosen = 0
        for j in range(self._n):
            if self._sum(chosen) < weight and self._hitting(chosen | 1 << j, weight) is not None:
                chosen |= 1 << j
        return chosen
