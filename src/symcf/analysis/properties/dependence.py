"""Does the decision depend on a feature, and only in one direction?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from symcf.analysis.properties.examples import Pair, pair_of
from symcf.analysis.properties.falls import Fall, Step, clock_for, find_fall, stops_of
from symcf.common.clock import Clock
from symcf.common.options import checked_choice
from symcf.data.labels import code_of, feature_index
from symcf.errors import OptionError
from symcf.system.classifier import Classifier

__all__ = ["Dependence", "Monotonicity", "dependence", "monotonicity"]

DIRECTIONS = ("increasing", "decreasing")


@dataclass(frozen=True)
class Dependence:
    """Whether a decision depends on a feature; true or false where a truth value is wanted. Made by
    `Compiled.depends_on`.
    """

    feature: str
    #: Two rows that differ in this feature only and are decided differently; None if there are none.
    pair: Pair | None

    def __bool__(self) -> bool:
        return self.pair is not None

    def __str__(self) -> str:
        if self.pair is None:
            return f"no decision depends on {self.feature}"
        return f"decisions depend on {self.feature}: {self.pair}"


@dataclass(frozen=True)
class Monotonicity:
    """Whether raising a feature can only lead to a class, or only away from it; true if one of both, or the one that
    was asked for, holds. Made by `Compiled.is_monotone`.
    """

    feature: str
    #: The class that it is about.
    label: Any
    #: The direction that was asked for; None: either.
    asked: str | None
    #: Two rows, of which the second has a larger value of the feature and has lost the class; None: there are none.
    not_increasing: Pair | None
    #: The same where the second row has won it.
    not_decreasing: Pair | None

    @property
    def increasing(self) -> bool:
        """Does raising the feature never take the class away?"""
        return self.not_increasing is None

    @property
    def decreasing(self) -> bool:
        """Does raising the feature never lead to the class?"""
        return self.not_decreasing is None

    @property
    def counterexample(self) -> Pair | None:
        """What shows that it does not hold; None if it does."""
        if self:
            return None
        return self.not_decreasing if self.asked == "decreasing" else self.not_increasing

    def __bool__(self) -> bool:
        if self.asked is None:
            return self.increasing or self.decreasing
        return self.increasing if self.asked == "increasing" else self.decreasing

    def __str__(self) -> str:
        if self.increasing and self.decreasing:
            return f"{self.label} does not depend on {self.feature}"
        if self:
            direction = self.asked or ("increasing" if self.increasing else "decreasing")
            return f"{self.label} is {direction} in {self.feature}"
        asked = self.asked or "monotone"
        return f"{self.label} is not {asked} in {self.feature}: {self.counterexample}"


def dependence(classifier: Classifier, feature: Any, time_limit: float | None) -> Dependence:
    """See `Compiled.depends_on`."""
    j = feature_index(feature, classifier.features, "depends_on")
    clock = clock_for(classifier, time_limit)
    for k in range(1, classifier.n_classes) if classifier.n_classes == 2 else range(classifier.n_classes):
        stops = stops_of(classifier, k, j)
        steps = [step for other in stops[1:] for step in ((stops[0], other), (other, stops[0]))]
        fall = find_fall(classifier, k, j, steps, clock)
        if fall is not None:
            return Dependence(classifier.features[j], _pair(classifier, j, fall))
    return Dependence(classifier.features[j], None)


def monotonicity(
    classifier: Classifier, feature: Any, direction: str | None, of: Any, time_limit: float | None
) -> Monotonicity:
    """See `Compiled.is_monotone`."""
    j = feature_index(feature, classifier.features, "is_monotone")
    name = classifier.features[j]
    if direction is not None:
        checked_choice(direction, "direction", DIRECTIONS)
    if not classifier.ordered[j]:
        raise OptionError(f"is_monotone: the values of {name!r} have no order")
    if of is None and classifier.n_classes > 2:
        raise OptionError(f"is_monotone: with several classes say of which one, of={classifier.classes[0]!r} for one")
    k = 1 if of is None else code_of(of, classifier.classes, "of")
    clock = clock_for(classifier, time_limit)
    apart = [codes[j] for codes in (classifier.missing, classifier.unknown) if codes]
    values = [code for code in stops_of(classifier, k, j) if code not in apart]
    up: list[Step] = list(pairwise(values))
    lost = _pair_or_none(classifier, k, j, up, clock, False)
    won = _pair_or_none(classifier, k, j, [(b, a) for a, b in up], clock, True)
    return Monotonicity(name, classifier.classes[k], direction, lost, won)


def _pair_or_none(classifier: Classifier, k: int, j: int, steps: list[Step], clock: Clock, turned: bool) -> Pair | None:
    fall = find_fall(classifier, k, j, steps, clock) if steps else None
    return None if fall is None else _pair(classifier, j, fall, turned)


def _pair(classifier: Classifier, j: int, fall: Fall, turned: bool = False) -> Pair:
    other = list(fall.row)
    other[j] = fall.new
    return pair_of(classifier, other, fall.row) if turned else pair_of(classifier, fall.row, other)
