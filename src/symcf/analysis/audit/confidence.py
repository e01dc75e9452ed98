"""Intervals for figures of a table that is a sample: shares and medians.

Both assume that the rows were drawn independently of each other from the people that the figures are about, each of
them as likely as any other, and that the model and the question were not chosen by looking at these rows. An interval
is for one figure; many of them together hold less often than each.

Shares: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927). Medians: the order
statistics between which the median lies with at least the confidence, by the binomial distribution, whatever the
distribution of the values, also where values repeat.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist

__all__ = ["median_of", "wilson"]


def wilson(count: int, total: int, confidence: float, more: int = 0) -> tuple[float, float] | None:
    """The interval of a share; None of nothing. ``more`` rows may or may not count: the interval holds either way.

    >>> [round(end, 4) for end in wilson(4, 157, 0.95)]
    [0.01, 0.0637]
    """
    if not total:
        return None
    return _ends(count, total, confidence)[0], _ends(count + more, total, confidence)[1]


def _ends(count: int, total: int, confidence: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = count / total
    middle = share + z * z / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low, high = (middle - half) / (1 + z * z / total), (middle + half) / (1 + z * z / total)
    return 0.0 if count == 0 else max(0.0, low), 1.0 if count == total else min(1.0, high)


def median_of(counts: Mapping[int, int], confidence: float | None) -> tuple[float | None, tuple[int, int] | None]:
    """The median of values that occur so often, and its interval; None where there are too few values for one.

    >>> median_of({1: 189, 2: 36}, 0.95)
    (1.0, (1, 1))
    >>> median_of({1: 2, 2: 2}, 0.95)
    (1.5, None)
    """
    total = sum(counts.values())
    if not total:
        return None, None
    median = (_at(counts, (total - 1) // 2) + _at(counts, total // 2)) / 2
    rank = 0 if confidence is None else _rank(total, (1 - confidence) / 2)
    return median, None if not rank else (_at(counts, rank - 1), _at(counts, total - rank))


def _at(counts: Mapping[int, int], place: int) -> int:
    """The value at a place, from 0, in order."""
    for value in sorted(counts):
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError("there are fewer values")


def _rank(total: int, tail: float) -> int:
    """The largest r such that fewer than r of so many values lie below the median with at most this probability; 0
    where even the smallest value is above it more often.
    """
    log_half = total * math.log(2)
    below, rank = 0.0, max(0, total // 2 - int(20 * math.sqrt(total)))  # what lies below that is under e^-700
    while rank < (total + 1) // 2:
        log_choose = math.lgamma(total + 1) - math.lgamma(rank + 1) - math.lgamma(total - rank + 1)
        below += math.exp(log_choose - log_half)
        if below > tail:
            break
        rank += 1
    return rank
