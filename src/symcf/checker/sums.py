"""All sets that flip the decision where sums decide: a search that meets no dead end.

Features come by falling gain. A partial set is given up if all features after it, or as many as may still change, do
not gain what is lacking; else it leads to one that flips, and that one is minimal, since its last feature gains least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from symcf.checker.effort import Effort

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
    waiting = [(0, 0, 0, lacks, budget if budget is not None else -1)]
    while waiting:
        chosen, size, first, lacking, spare = waiting.pop()
        for place in range(first, count):
            effort.spend(10)
            room = most - size
            if budget is not None:
                gain, cost = best[place]
                if spare * gain < lacking * cost:
                    break
                room = min(room, spare // cheapest[place])
            if room < 1 or total[min(place + room, count)] - total[place] < lacking:
                break
            j = features[place]
            left = spare - costs[j] if budget is not None else spare
            if budget is not None and left < 0:
                continue
            if gains[j] >= lacking:
                yield chosen | 1 << j
            else:
                waiting.append((chosen | 1 << j, size + 1, place + 1, lacking - gains[j], left))
