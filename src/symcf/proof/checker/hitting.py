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
from dataclasses import dataclass
from itertools import accumulate

from symcf.proof.checker.form import Effort, bits, words

__all__ = ["Contained", "flipping_sets", "hitting_sets", "transposed"]


#: Steps that 4,096 bits which are kept count for: there must be room for all of them.
KEPT = 64


def hitting_sets(
    edges: Sequence[int], n: int, most: int, costs: Sequence[int], budget: int | None, effort: Effort | None = None
) -> Iterator[int]:
    """The minimal hitting sets of at most ``most`` features that cost no more than the budget (None: any).

    >>> sorted(hitting_sets([0b011, 0b110], 3, 3, [1, 1, 1], None))
    [2, 5]
    """
    effort, each = effort or Effort(), words(max(n, len(edges)))
    ordered = sorted(edges, key=int.bit_count)
    hit_by = transposed(ordered, n, effort)
    # A partial set, feature by feature, and what is known of it: the edges that exactly one of its features hits, the
    # edges that none does, the candidates, those of them that are still to be tried, and what may be spent. Only the
    # partial sets on the way to the one that is looked at are in memory.
    chosen: list[int] = []
    waiting = [_Frame(0, (1 << len(ordered)) - 1, (1 << n) - 1, None, -1 if budget is None else budget)]
    while waiting:
        frame = waiting[-1]
        effort.spend(10)
        if frame.tried is None:
            if not frame.missed:
                effort.spend(len(chosen) * each)
                yield sum(1 << j for j in chosen)
            edge = ordered[(frame.missed & -frame.missed).bit_length() - 1] if frame.missed else 0
            frame.tried = edge & frame.candidates if len(chosen) < most else 0
            frame.candidates &= ~frame.tried
        if not frame.tried:
            waiting.pop()
            if chosen:
                chosen.pop()
            continue
        effort.spend((len(chosen) + 6) * each)
        low = frame.tried & -frame.tried
        frame.tried ^= low
        j = low.bit_length() - 1
        hits = hit_by[j]
        left = frame.spare - costs[j] if budget is not None else frame.spare
        once = frame.once & ~hits | frame.missed & hits
        if (budget is None or left >= 0) and all(once & hit_by[i] for i in chosen):
            chosen.append(j)
            waiting.append(_Frame(once, frame.missed & ~hits, frame.candidates, None, left))
            frame.candidates |= low  # a feature that is of no use here is of none in a larger set, either


@dataclass
class _Frame:
    once: int
    missed: int
    candidates: int
    tried: int | None
    spare: int


def transposed(sets: Sequence[int], n: int, effort: Effort) -> list[int]:
    """By feature, a mask of the sets that it is in."""
    effort.spend(KEPT * n * words(len(sets)) + n * len(sets))
    columns = [bytearray((len(sets) + 7) // 8) for _ in range(n)]
    for number, features in enumerate(sets):
        place, bit = number >> 3, 1 << (number & 7)
        for j in bits(features):
            columns[j][place] |= bit
    return [int.from_bytes(column, "little") for column in columns]


class Contained:
    """Which of many sets are part of another one?"""

    def __init__(self, sets: Sequence[int], n: int, effort: Effort | None = None) -> None:
        self._effort, self._each = effort or Effort(), n * words(len(sets)) + n
        self._known = set(sets)
        self._everyone, self._all = (1 << len(sets)) - 1, (1 << n) - 1
        self._having = transposed(sets, n, self._effort)

    def any_in(self, features: int) -> bool:
        """Is one of the sets part of this one?"""
        self._effort.spend(1)
        if features in self._known:
            return True
        self._effort.spend(self._each)
        others = 0
        for j in bits(self._all & ~features):
            others |= self._having[j]
        return others != self._everyone


# --- sums -------------------------------------------------------------------------------------------------------------
# All sets that flip the decision where sums decide: a search that meets no dead end.
#
# Features come by falling gain. A partial set is given up if all features after it, or as many as may still change, do
# not gain what is lacking; else it leads to one that flips, and that one is minimal, since its last feature gains
# least.


def flipping_sets(
    gains: Sequence[int], lacks: int, most: int, costs: Sequence[int], budget: int | None, effort: Effort | None = None
) -> Iterator[int]:
    """The minimal sets whose gains reach what is lacking, of at most ``most`` features, within the budget (None: any).

    >>> sorted(flipping_sets([3, 2, 1], 3, 3, [1, 1, 1], None))
    [1, 6]
    """
    features = sorted((j for j, gain in enumerate(gains) if gain > 0), key=lambda j: (-gains[j], j))
    total = [0, *accumulate(gains[j] for j in features)]
    count = len(features)
    # from each place on: the cheapest feature, and the best gain for what it costs, as a pair (gain, cost)
    cheapest, best = [0] * (count + 1), [(0, 1)] * (count + 1)
    for place in range(count - 1, -1, -1):
        j = features[place]
        cheapest[place] = min(costs[j], cheapest[place + 1] or costs[j])
        gain, cost = best[place + 1]
        best[place] = (gains[j], costs[j]) if gains[j] * cost >= gain * costs[j] else (gain, cost)
    if lacks <= 0:
        yield 0
        return
    effort = effort or Effort()
    # A partial set, place by place, and for each part of it what comes next: the next place to try, what is lacking and
    # what may be spent. Only the partial sets on the way to the one that is looked at are in memory.
    chosen: list[int] = []
    waiting = [[0, lacks, budget if budget is not None else -1]]
    while waiting:
        place, lacking, spare = waiting[-1]
        effort.spend(10)
        room = most - len(chosen)
        if budget is not None and place < count:
            gain, cost = best[place]
            room = min(room, spare // cheapest[place]) if spare * gain >= lacking * cost else 0
        if place == count or room < 1 or total[min(place + room, count)] - total[place] < lacking:
            waiting.pop()
            if chosen:
                chosen.pop()
            continue
        waiting[-1][0] += 1
        j = features[place]
        left = spare - costs[j] if budget is not None else spare
        if budget is not None and left < 0:
            continue
        if gains[j] >= lacking:
            effort.spend((len(chosen) + 1) * words(len(gains)))
            yield sum(1 << features[at] for at in (*chosen, place))
        else:
            chosen.append(place)
            waiting.append([place + 1, lacking - gains[j], left])
