"""The k nearest change sets where costs are distances of numbers.

The cost of a set is that of its nearest values, so a feature has no cost of its own, and a list of all sets may be too
long to price. But what a feature gains costs at least a certain rate: that of its line, or of the best of its values. A
set that has to gain D then costs at least

    the full gain of its features at their rates, but for the one with the worst, which gains the rest

because all of a minimal set are needed. Sets come by this bound, from a heap: a node is a prefix of a set, by rising
rate, and the feature that it takes next; what is still lacking costs at least the rate of that feature. A set is given
when no bound is below its true cost. Rates are integers, rounded down, so nothing is lost.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from symcf.common.clock import Clock
from symcf.data.numbers import NumberLine
from symcf.errors import LimitError, OptionError
from symcf.question.case import NumberCase, Rival
from symcf.question.prices import Span
from symcf.values.protocol import ChangeSet, Priced
from symcf.values.slides import Choice, Slide

__all__ = ["nearest_sets"]

#: Rates are multiples of 2 to the power of minus this.
PLACES = 100

#: Cost, size and features.
Key = tuple[int, int, ChangeSet]


class Slides(Protocol):
    """The values of a case; `symcf.values.numbers.NumberAssignments` are."""

    def priced(self, change_set: ChangeSet) -> Priced | None:
        """The best values of a set with their cost."""

    def choices(self, j: int, rival: Rival) -> Sequence[Choice]:
        """The values that a feature may take."""

    def slide(self, rival: Rival, j: int) -> Slide:
        """The number of a feature, on its way to a rival."""


def nearest_sets(case: NumberCase, assignments: Slides, k: int, most: int | None, clock: Clock) -> list[ChangeSet]:
    """The k first change sets of at most so many features, by (cost, size, features); `LimitError` when time is up."""

    def look() -> None:
        if clock.expired:
            raise LimitError("time limit reached: more counterfactuals may exist")

    found: list[ChangeSet] = []
    waiting: list[Key] = []
    seen: set[ChangeSet] = set()
    # Distances are rounded to steps: that of the last number, and that at its stop, from which its rate is.
    spans = [j for j, price in enumerate(case.costs.prices) if isinstance(price, Span)]
    slack = 2 * max((case.costs.unit_of(j, case.x[j], case.x[j] + 1) for j in spans), default=0) << PLACES

    def give(below: int | None) -> None:
        while waiting and len(found) < k and (below is None or waiting[0][0] << PLACES < below):
            found.append(heapq.heappop(waiting)[2])

    for bound, change_set in heapq.merge(*(_by_bound(case, assignments, rival, look) for rival in case.rivals)):
        give(bound - slack)
        if len(found) == k:
            return found
        if change_set in seen or (most is not None and len(change_set) > most) or not _is_minimal(case, change_set):
            continue
        seen.add(change_set)
        priced = assignments.priced(change_set)
        assert priced is not None
        heapq.heappush(waiting, (priced.unit, len(change_set), change_set))
    give(None)
    return found


def _is_minimal(case: NumberCase, change_set: ChangeSet) -> bool:
    """Is no smaller set enough, for any rival?"""
    for rival in case.rivals:
        gains = [int(rival.gain[j]) for j in change_set]
        if sum(gains) - min(gains) >= rival.deficit:
            return False
    return True


def _by_bound(
    case: NumberCase, assignments: Slides, rival: Rival, look: Callable[[], None]
) -> Iterator[tuple[int, ChangeSet]]:
    """Sets that are enough for a rival and have no smaller one that is, by a bound of their cost; as (bound, set)."""
    features = [j for j, gain in enumerate(rival.gain.tolist()) if gain > 0]
    rated = sorted((_rate(case, assignments, rival, j), j) for j in features)
    rates, order = [rate for rate, _ in rated], [j for _, j in rated]
    gains = [int(rival.gain[j]) for j in order]
    rest = [0]
    for gain in reversed(gains):
        rest.append(rest[-1] + gain)
    rest.reverse()  # what all features from a place on can gain
    if rest[0] < rival.deficit:
        return
    # bound, place of the next feature, and the prefix: places, their cost, what it lacks, its smallest gain
    heap: list[tuple[int, int, tuple[int, ...], int, int, int]] = [
        (rival.deficit * rates[0], 0, (), 0, rival.deficit, max(gains))
    ]
    while heap:
        look()
        bound, i, prefix, cost, lacking, least = heapq.heappop(heap)
        if i + 1 < len(order) and rest[i + 1] >= lacking:
            heapq.heappush(heap, (cost + lacking * rates[i + 1], i + 1, prefix, cost, lacking, least))
        smallest, left = min(least, gains[i]), lacking - gains[i]
        if left <= 0:
            if -left < smallest:  # without its smallest member it is not enough
                yield bound, tuple(sorted(order[place] for place in (*prefix, i)))
        elif i + 1 < len(order) and rest[i + 1] >= left:
            spent = cost + gains[i] * rates[i]
            entry = (spent + left * rates[i + 1], i + 1, (*prefix, i), spent, left, smallest)
            heapq.heappush(heap, entry)


def _rate(case: NumberCase, assignments: Slides, rival: Rival, j: int) -> int:
    """The least that a unit of gain costs, rounded down."""
    price = case.costs.prices[j]
    line = case.question.classifier.values[j]
    if not isinstance(line, NumberLine):
        choices = [choice for choice in assignments.choices(j, rival) if choice.gain > 0]
        return min((choice.unit << PLACES) // choice.gain for choice in choices)
    slide = assignments.slide(rival, j)
    if not slide.is_straight and isinstance(price, Span):
        name = case.question.classifier.features[j]
        raise OptionError(
            f"cost: 'distance' needs numbers whose terms are straight lines; that of {name!r} is "
            f"{'a parabola' if slide.curve else 'a curve'}: give a cost per feature"
        )
    return (case.costs.unit_of(j, case.x[j], line.code(slide.stop)) << PLACES) // slide.most
