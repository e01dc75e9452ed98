"""Bounds on ratios of sums, in floats that are never too small.

The entries of a message are integers of any size. Floats stand for them only where their proportions fit; where they do
not, there is no bound, and the states below are searched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

__all__ = ["Bounds", "Terms", "proportional", "ratio", "ratios"]

#: Bounds are floats; they are larger than what they bound by this factor, far more than rounding can do.
CLEAR = 1 + 1e-6

#: What is left of a mass below this part of it is rounding, which `CLEAR` covers.
ROUNDING = 1e-12

#: A bound is 0 or at least this, so that none becomes 0 by underflow.
LEAST_BOUND = 1e-300

#: Bits of the largest integer as a float, and of the difference between the largest and the smallest.
MOST_BITS = 1000
MOST_SPREAD = 900

#: U[s][t]: the most that entry s of a message can still be multiplied by, over what entry t is multiplied by.
Bounds = list[list[float]]
#: Entries that are not 0, with their mass.
Terms = Sequence[tuple[int, float]]


def proportional(numbers: Sequence[int], spread: int = MOST_SPREAD) -> list[float] | None:
    """Integers from 0 of any size as floats in the same proportions; None if they differ by more than `spread` bits."""
    sizes = [p.bit_length() for p in numbers if p]
    if not sizes:
        return [0.0] * len(numbers)
    if max(sizes) - min(sizes) > spread:
        return None
    shift = max(0, max(sizes) - MOST_BITS)
    return [float(p >> shift) for p in numbers]


def ratios(
    width: int,
    matrix: Sequence[tuple[int, int, int]],
    below: Bounds,
    twin: Sequence[int],
    look: Callable[[], None],
) -> Bounds:
    """Bounds before a step from those after it: entry s has the factor sum of M[a, s] b[a] over a.

    ``matrix`` has triples (a, s, M[a, s]) where that is not 0, a ascending; ``look`` is called for each s.
    """
    entries = proportional([entry for _, _, entry in matrix])
    if entries is None:
        return [[math.inf] * width for _ in range(width)]
    terms: list[list[tuple[int, float]]] = [[] for _ in range(width)]
    for (a, s, _), mass in zip(matrix, entries, strict=True):
        if mass:
            terms[s].append((a, mass))
    found = []
    for part in terms:
        look()
        found.append([ratio(part, other, below, twin) for other in terms])
    return found


def ratio(p: Terms, q: Terms, bounds: Bounds, twin: Sequence[int]) -> float:
    """The most that the sum of p[a] b[a] can be over the sum of q[c] b[c], where b[a] <= bounds[a][c] b[c].

    Pair all mass of p with terms of q, in any way: each term of q then bounds what it is paired with, and the ratio of
    the sums is at most the largest of these bounds, each over the mass of its term. Good pairs agree in all but the
    class (`twin`), because the bounds between these are the smallest. (Loops, because the vectors are short.)
    """
    if not q:
        return math.inf
    if not p:
        return 0.0
    sum_p, sum_q = sum(mass for _, mass in p), sum(mass for _, mass in q)
    share_p = {a: mass / sum_p for a, mass in p}
    left_p = dict(share_p)
    left_q, bounded = {}, {}
    for c, mass in q:
        left, total = mass / sum_q, 0.0
        for a in left_p:
            if twin[a] == twin[c]:
                paired = min(left_p[a], left)
                left_p[a] -= paired
                left -= paired
                total += _bound(paired, bounds[a][c])
        left_q[c], bounded[c] = left if left > ROUNDING * mass / sum_q else 0.0, total
    rest = [(a, left) for a, left in left_p.items() if left > ROUNDING * share_p[a]]
    if rest:
        free = sum(left_q.values())
        for c, mass in q:
            part = left_q[c] / free if free else mass / sum_q
            bounded[c] += sum(_bound(left * part, bounds[a][c]) for a, left in rest)
    largest = max(bounded[c] * sum_q / mass for c, mass in q)
    return largest and max(sum_p / sum_q * largest * CLEAR, LEAST_BOUND)


def _bound(mass: float, bound: float) -> float:
    """A mass times a bound; 0 only if one of them is."""
    return max(mass * bound, LEAST_BOUND) if mass and bound else 0.0
