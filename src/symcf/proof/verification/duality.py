"""Minimal hitting sets, the obvious way: set by set (Berge, Hypergraphs, 1989).

Change sets and sufficient reasons of a row are each other's minimal hitting sets, so that one list proves the other: if
every listed set is a reason, and each of their minimal hitting sets flips the decision, no reason is missing, since a
reason has a feature in common with whatever flips, and so with each of those, and thus contains a listed one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symcf.proof.verification.patience import Look

__all__ = ["MOST_DUAL", "TooMany", "hitting_sets"]

#: Sets that dualising a list may lead to; beyond, a SAT solver is faster.
MOST_DUAL = 1 << 11


class TooMany(Exception):
    """More sets than were allowed, at the end or on the way."""


def hitting_sets(sets: Iterable[Sequence[int]], most: int, look: Look = lambda: None) -> list[frozenset[int]]:
    """The minimal sets that have an element in common with each of the sets; `TooMany` beyond ``most``.

    >>> sorted(map(sorted, hitting_sets([(0, 1), (1, 2)], 10)))
    [[0, 2], [1]]
    """
    found = [frozenset[int]()]
    for other in sorted(sets, key=len):
        look()
        elements = frozenset(other)
        hit = [s for s in found if s & elements]
        # a set that misses it takes one element more; it is minimal unless it now contains one that did not miss it
        grown = {s | {j} for s in found if not s & elements for j in elements}
        found = hit + [s for s in grown if not any(smaller < s for smaller in hit)]
        if len(found) > most:
            raise TooMany
    return found
