"""All sets that flip the decision where sums decide: a search that meets no dead end.

Features come by falling gain. A partial set is given up if all features after it, or as many as may still change, do
not gain what is lacking; else it leads to one that flips, and that one is minimal, since its last feature gains least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from symcf.proof.checker.effort import Effort, words

__all__ = ["flipping_sets"]


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
