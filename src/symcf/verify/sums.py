"""What can be seen from the sums of weights alone, where the decision compares such sums.

The best value of a changed feature is then the one with the largest weight, whatever else changes. A set of features
flips the decision iff what its members gain, added up, reaches what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from symcf import _core
from symcf.diagrams.classifier import Classifier

__all__ = ["Gain", "Sums", "TooManySets", "sums_of"]

ChangeSet = tuple[int, ...]


class TooManySets(Exception):
    """More steps than were allowed."""


class Gain(NamedTuple):
    """One sum that could flip the decision."""

    #: By feature: the most that changing it gains, at least 0.
    by_feature: list[int]
    #: What they have to reach together.
    missing: int


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
    return Sums([_gain(compiled, x, t, wanted, choices) for t, wanted in functions])


def _gain(
    compiled: Classifier, x: Sequence[int], t: _core.Threshold, wanted: int, choices: Sequence[Sequence[int]]
) -> Gain:
    groups = compiled.decision.groups
    start, weight = t.value_offset.tolist(), t.weight.tolist()
    sign = 1 if wanted else -1
    score = t.bias + sum(weight[start[j] + groups.group_of[j][v]] for j, v in enumerate(x))
    gains = []
    for j, values in enumerate(choices):
        weights = [sign * weight[start[j] + groups.group_of[j][v]] for v in values]
        gains.append(max(weights) - weights[0])  # the first is its own
    return Gain(gains, -score if wanted else score + 1)


class Sums:
    """Some sums, one of which has to reach what it misses."""

    def __init__(self, gains: Sequence[Gain]) -> None:
        self.gains = list(gains)

    def best(self, j: int) -> int:
        """The most that feature j gains in any sum."""
        return max(gain.by_feature[j] for gain in self.gains)

    def has_flipping_part(self, change_set: ChangeSet) -> bool:
        """Would the set still flip the decision without one of its features?"""
        for by_feature, missing in self.gains:
            gained = [by_feature[j] for j in change_set]
            if sum(gained) - min(gained, default=0) >= missing:
                return True
        return False

    def sets_before(self, last: ChangeSet, units: Sequence[int], most: int, steps: int) -> Iterator[ChangeSet]:
        """Sets of at most `most` features that flip the decision and come before `last` by cost, size, features.

        Not every one, but for each such set one that it contains. A feature that costs 0 units may not change.
        `TooManySets` after that many steps.
        """
        features = [j for j, unit in enumerate(units) if unit and self.best(j)]
        cost, size = sum(units[j] for j in last), len(last)
        search = _Search(self, units, steps)
        yield from search.run((), features, cost - 1, most)
        yield from search.run((), features, cost, min(size - 1, most))
        for place, member in enumerate(last if size <= most else ()):  # as many, the first that differs is smaller
            low = last[place - 1] if place else -1
            for j in features:
                if low < j < member:
                    yield from search.run((*last[:place], j), [i for i in features if i > j], cost, size)


class _Search:
    """Goes through sets of features by falling gain, and gives up those that the largest gains left cannot make flip.

    With one sum and equal costs, whatever is not given up leads to a set that flips: no more steps than answers, but
    for a factor of features and sizes.
    """

    def __init__(self, sums: Sums, units: Sequence[int], steps: int) -> None:
        self._sums, self._units, self._steps = sums, units, steps

    def run(self, fixed: ChangeSet, others: Sequence[int], cost: int, size: int) -> Iterator[ChangeSet]:
        """Sets that flip: all of `fixed`, some of the others, within a cost and a size."""
        units = self._units
        others = sorted(others, key=lambda j: -self._sums.best(j))
        least = min((units[j] for j in others), default=1)

        @cache
        def tops(start: int) -> list[list[int]]:
            return [_tops([by_feature[j] for j in others[start:]]) for by_feature, _ in self._sums.gains]

        waiting = [(fixed, 0)]  # a set, and the place of the next feature
        while waiting:
            if not self._steps:
                raise TooManySets
            self._steps -= 1
            chosen, start = waiting.pop()
            spare = cost - sum(units[j] for j in chosen)
            if spare < 0 or len(chosen) > size:
                continue
            missing = [gap - sum(by_feature[j] for j in chosen) for by_feature, gap in self._sums.gains]
            if min(missing) <= 0:
                yield tuple(sorted(chosen))
                continue
            more = min(spare // least, size - len(chosen), len(others) - start)
            if any(top[more] >= gap for top, gap in zip(tops(start), missing, strict=True)):
                waiting += [((*chosen, others[i]), i + 1) for i in range(start, len(others))]


def _tops(gains: Sequence[int]) -> list[int]:
    """The most that 0, 1, 2, ... of the features gain together."""
    return [0, *accumulate(sorted(gains, reverse=True))]
