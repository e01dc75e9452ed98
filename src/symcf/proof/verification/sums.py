"""What can be seen from the sums of weights alone, where the decision compares such sums.

The best value of a changed feature is then the one with the largest weight, whatever else changes. A set of features
flips the decision iff what its members gain, added up, reaches what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from operator import ge
from typing import NamedTuple

from symcf import _core
from symcf.proof.verification.report import Look
from symcf.system.classifier import Classifier

__all__ = ["Gain", "Offer", "Sums", "TooManySets", "sums_of"]

ChangeSet = tuple[int, ...]


class TooManySets(Exception):
    """More steps than were allowed."""


class Gain(NamedTuple):
    """One sum that could flip the decision."""

    #: By feature: the most that changing it gains, at least 0.
    by_feature: list[int]
    #: What they have to reach together.
    missing: int


class Offer(NamedTuple):
    """A way to change a feature: to one of its values, or to the best for each sum where all cost the same."""

    #: What it costs.
    unit: int
    #: What it gains in each sum.
    gains: tuple[int, ...]


def sums_of(
    compiled: Classifier, x: Sequence[int], prediction: int, target: int | None, choices: Sequence[Sequence[int]]
) -> Sums | None:
    """The sums for an instance; ``choices[j]`` are the values that feature j may have, its own first. None where the
    decision is not of this kind.
    """
    decision = compiled.decision
    if decision.threshold is not None:
        functions = [(decision.threshold, 1 - prediction)]
    elif decision.beats is not None and target is None:
        functions = [(t, 1) for t in decision.beats[prediction] if t is not None]
    else:
        return None
    parts = [_gains(compiled, x, t, wanted, choices) for t, wanted in functions]
    return Sums([Gain([max(of) for of in by_value], missing) for by_value, missing in parts], [of for of, _ in parts])


def _gains(
    compiled: Classifier, x: Sequence[int], t: _core.Threshold, wanted: int, choices: Sequence[Sequence[int]]
) -> tuple[list[list[int]], int]:
    """By feature and choice what it gains, and what they have to reach together."""
    groups = compiled.decision.groups
    start, weight = t.value_offset.tolist(), t.weight.tolist()
    sign = 1 if wanted else -1
    score = t.bias + sum(weight[start[j] + groups.group_of[j][v]] for j, v in enumerate(x))
    gains = []
    for j, values in enumerate(choices):
        weights = [sign * weight[start[j] + groups.group_of[j][v]] for v in values]
        gains.append([each - weights[0] for each in weights])  # the first is its own
    return gains, -score if wanted else score + 1


class Sums:
    """Some sums, one of which has to reach what it misses."""

    def __init__(self, gains: Sequence[Gain], by_choice: Sequence[Sequence[Sequence[int]]] = ()) -> None:
        self.gains = list(gains)
        self._by_choice = by_choice

    def offers(self, units: Sequence[Sequence[int]]) -> list[list[Offer]]:
        """By feature the ways to change it, those left out that cost no less than another and gain no more.

        ``units[j][i]`` is what choice i of feature j costs; the first, its own value, is no change.
        """
        found = []
        for j, costs in enumerate(units):
            if len(set(costs[1:])) == 1:
                found.append([Offer(costs[1], tuple(gain.by_feature[j] for gain in self.gains))])
            else:
                every = [Offer(costs[i], tuple(of[j][i] for of in self._by_choice)) for i in range(1, len(costs))]
                found.append([offer for i, offer in enumerate(every) if not _outdone(offer, i, every)])
        return found

    def best(self, j: int) -> int:
        """The most that feature j gains in any sum."""
        return max(gain.by_feature[j] for gain in self.gains)

    def can_flip(self, free: Iterable[int]) -> bool:
        """May the decision flip if only these features change?"""
        changing = list(free)
        return any(sum(by_feature[j] for j in changing) >= missing for by_feature, missing in self.gains)

    def has_flipping_part(self, change_set: ChangeSet) -> bool:
        """Would the set still flip the decision without one of its features?"""
        for by_feature, missing in self.gains:
            gained = [by_feature[j] for j in change_set]
            if sum(gained) - min(gained, default=0) >= missing:
                return True
        return False

    def sets_before(
        self,
        last: ChangeSet,
        cost: int,
        offers: Sequence[Sequence[Offer]],
        most: int,
        steps: int,
        look: Look = lambda: None,
    ) -> Iterator[ChangeSet]:
        """Sets of at most `most` features that flip the decision and come before `last`, of this cost, by cost, size,
        features.

        Not every one, but all that have no part that flips. A feature without offers may not change. `TooManySets`
        after that many steps.
        """
        features, size = [j for j, of in enumerate(offers) if of and self.best(j)], len(last)
        search = _Search(self, offers, steps, look)
        yield from search.run((), features, cost - 1, most)
        yield from search.run((), features, cost, min(size - 1, most))
        for place, member in enumerate(last if size <= most else ()):  # as many, the first that differs is smaller
            low = last[place - 1] if place else -1
            for j in features:
                if low < j < member:
                    yield from search.run((*last[:place], j), [i for i in features if i > j], cost, size)


def _outdone(offer: Offer, i: int, every: Sequence[Offer]) -> bool:
    """Does another cost no more and gain no less? Of equal ones the first stays."""
    return any(
        other.unit <= offer.unit and all(map(ge, other.gains, offer.gains)) and (k < i or other != offer)
        for k, other in enumerate(every)
        if k != i
    )


class _Search:
    """Goes through sets of features by falling gain, and gives up those that the largest gains left cannot make flip.

    With one sum and equal costs, whatever is not given up leads to a set that flips: no more steps than answers, but
    for a factor of features and sizes.
    """

    def __init__(self, sums: Sums, offers: Sequence[Sequence[Offer]], steps: int, look: Look) -> None:
        self._sums, self._offers, self._steps, self._look = sums, offers, steps, look

    def run(self, fixed: ChangeSet, others: Sequence[int], cost: int, size: int) -> Iterator[ChangeSet]:
        """Sets that flip: all of `fixed` (or fewer, if these flip), some of the others, within a cost and a size."""
        features = [*fixed, *sorted(others, key=lambda j: -self._sums.best(j))]
        least = min((offer.unit for j in features for offer in self._offers[j]), default=1)

        @cache
        def tops(start: int) -> list[list[int]]:
            return [_tops([by_feature[j] for j in features[start:]]) for by_feature, _ in self._sums.gains]

        # A set, the place of the next feature, what may be spent, and what each sum lacks.
        waiting: list[tuple[ChangeSet, int, int, list[int]]] = [((), 0, cost, [gap for _, gap in self._sums.gains])]
        while waiting:
            if not self._steps:
                raise TooManySets
            self._look()
            self._steps -= 1
            chosen, start, spare, missing = waiting.pop()
            if spare < 0 or len(chosen) > size:
                continue
            if min(missing) <= 0:
                yield tuple(sorted(chosen))
                continue
            more = min(spare // least, size - len(chosen), len(features) - start)
            if not any(top[more] >= gap for top, gap in zip(tops(start), missing, strict=True)):
                continue
            for i in range(start, start + 1 if start < len(fixed) else len(features)):
                for unit, gained in self._offers[features[i]]:
                    lacking = [gap - gain for gap, gain in zip(missing, gained, strict=True)]
                    waiting.append(((*chosen, features[i]), i + 1, spare - unit, lacking))


def _tops(gains: Sequence[int]) -> list[int]:
    """The most that 0, 1, 2, ... of the features gain together."""
    return [0, *accumulate(sorted(gains, reverse=True))]
