"""Minimal hitting sets: sets of features that have one in common with each of some sets.

Change sets and reasons are each other's minimal hitting sets. If every listed reason forces the decision, a change set
has a feature in common with each of them, so it contains a minimal hitting set of them. If all those (up to a size, or
before the last by cost) contain a listed change set, none is missing from the list.

The search is MMCS (Murakami and Uno, "Efficient algorithms for dualizing large-scale hypergraphs", 2014): every feature
of a partial set keeps an edge that only it hits, so that no set is met twice and none is left out. Sets of edges are
integers, which Python handles thousands of bits at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symcf.checker.effort import Effort, words
from symcf.checker.reach import bits

__all__ = ["Contained", "hitting_sets"]


def hitting_sets(
    edges: Sequence[int], n: int, most: int, costs: Sequence[int], budget: int | None, effort: Effort | None = None
) -> Iterator[int]:
    """The minimal hitting sets of at most ``most`` features that cost no more than the budget (None: any).

    >>> sorted(hitting_sets([0b011, 0b110], 3, 3, [1, 1, 1], None))
    [2, 5]
    """
    effort, each = effort or Effort(), words(max(n, len(edges)))
    effort.spend(n * len(edges))
    ordered = sorted(edges, key=int.bit_count)
    hit_by = [_column(ordered, j) for j in range(n)]
    # a partial set: its features, the edges that only each of them hits, edges not hit, candidates, what may be spent
    Frame = tuple[tuple[int, ...], tuple[int, ...], int, int, int]
    first: Frame = ((), (), (1 << len(ordered)) - 1, (1 << n) - 1, -1 if budget is None else budget)
    waiting = [first]
    while waiting:
        chosen, critical, missed, candidates, spare = waiting.pop()
        effort.spend(10)
        if not missed:
            yield sum(1 << j for j in chosen)
            continue
        if len(chosen) == most:
            continue
        edge = ordered[(missed & -missed).bit_length() - 1]
        tried = edge & candidates
        candidates &= ~tried
        effort.spend(tried.bit_count() * (len(critical) + 2) * each)
        for j in bits(tried):
            hits = hit_by[j]
            left = spare - costs[j] if budget is not None else spare
            own = tuple(only & ~hits for only in critical)
            if all(own) and (budget is None or left >= 0):
                waiting.append(((*chosen, j), (*own, missed & hits), missed & ~hits, candidates, left))
                candidates |= 1 << j  # a feature that is of no use here is of none in a larger set, either


def _column(edges: Sequence[int], j: int) -> int:
    """A mask of the edges that feature j is in."""
    text = "".join("1" if edge >> j & 1 else "0" for edge in reversed(edges))
    return int(text, 2) if text else 0


class Contained:
    """Which of many sets are part of another one?"""

    def __init__(self, sets: Sequence[int], n: int, effort: Effort | None = None) -> None:
        self._effort, self._each = effort or Effort(), n * words(len(sets))
        self._effort.spend(n * len(sets))
        self._known = set(sets)
        self._everyone = (1 << len(sets)) - 1
        self._having = [_column(sets, j) for j in range(n)]

    def any_in(self, features: int) -> bool:
        """Is one of the sets part of this one?"""
        if features in self._known:
            return True
        self._effort.spend(self._each)
        others = 0
        for j, having in enumerate(self._having):
            if not features >> j & 1:
                others |= having
        return others != self._everyone
