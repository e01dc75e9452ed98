"""Columns of numbers: how much each feature of a row can add to the margin of another class.

A class wins by a *margin*, the difference of two sums. A set of features is enough iff their largest gains together
reach the *deficit*, and each gain is reached at one of a few *stops*: the ends of the range in which the number may be
chosen, or the apex of a parabola between them. So a row of numbers is, to the engines, a row of features that change or
do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.numbers import LEAST, MISSING, codes_of_numbers, numbers_of_codes
from symcf.models.additive import RANGE_BITS
from symcf.models.sums import Margin
from symcf.question.constraint_kinds import ANY, DOWN, FIXED, UP, Constraint, Permitted
from symcf.system.decision import NumberSums, Terms

__all__ = ["ANY", "DOWN", "FIXED", "UP", "Freedom", "Stops", "gains_of", "gains_of_row", "least_margin", "rivals_of"]


@dataclass(frozen=True)
class Stops:
    """Where the margins of the rivals of one class are largest: (stops, rivals, features)."""

    #: Codes of numbers; 0 for features with values.
    codes: npt.NDArray[np.int64]
    #: What they add to the margins; 0 for features with values.
    terms: Terms


@dataclass(frozen=True)
class Freedom:
    """What the features may become, for every row."""

    decision: NumberSums
    #: By feature, ANY, UP, DOWN or FIXED.
    direction: npt.NDArray[np.int64]
    #: By feature, the ends of the range of a number; empty (low > high) if there is none.
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    #: By feature, which of its values are allowed; None for numbers.
    masks: tuple[npt.NDArray[np.bool_] | None, ...]
    _stops: dict[int, Stops] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, decision: NumberSums, values: Sequence[Sequence[Any]], constraints: Iterable[Constraint]) -> Freedom:
        """What a list of constraints permits."""
        found = [Permitted(line) for line in values]
        for constraint in constraints:
            if constraint.feature is not None:
                constraint.restrict(found[constraint.feature])
        direction, low, high = (np.array([getattr(p, part) for p in found]) for part in ("direction", "low", "high"))
        masks = tuple(p.mask for p in found)
        direction[np.array([mask is None for mask in masks]) & (low > high)] = FIXED
        return cls(decision, direction, np.minimum(low, high), np.maximum(low, high), masks)

    def among(self, kept: Mapping[int, Sequence[int]]) -> Freedom:
        """The same where some features take one of these codes; of a number, those from the least to the greatest."""
        direction, low, high, masks = self.direction.copy(), self.low.copy(), self.high.copy(), list(self.masks)
        for j, codes in kept.items():
            mask = masks[j]
            if not codes:
                direction[j] = FIXED
            elif mask is None:
                low[j], high[j] = numbers_of_codes(np.array([min(codes), max(codes)]))
            else:
                masks[j] = mask & np.isin(np.arange(len(mask)), codes)
        return Freedom(self.decision, direction, low, high, tuple(masks))

    def stops(self, prediction: int) -> Stops:
        """Where the rivals of a class gain most: the ends of the ranges, and the apex between them."""
        if prediction not in self._stops:
            self._stops[prediction] = self._stops_of(prediction)
        return self._stops[prediction]

    def _stops_of(self, prediction: int) -> Stops:
        rule, numbers = self.decision.rule, list(self.decision.rule.numbers)
        margins = [rule.margin(rival, prediction) for rival, _, _ in rivals_of(self.decision, prediction)]
        where = [np.broadcast_to(end[numbers], (len(margins), len(numbers))) for end in (self.low, self.high)]
        if rule.curve.any():
            apexes = np.array([self._apexes(margin) for margin in margins]).reshape(where[0].shape)
            # where a function jumps over the apex, the last number before it may be better
            where += [apexes, np.maximum(np.nextafter(apexes, -np.inf), where[0])] if rule.links else [apexes]
        x = np.array(where)
        codes, terms = (np.zeros((*x.shape[:2], len(self.masks)), dtype=np.int64) for _ in range(2))
        codes[:, :, numbers] = codes_of_numbers(x)
        for r, margin in enumerate(margins):
            terms[:, r, numbers] = margin.terms(np.ascontiguousarray(x[:, r]))
        return Stops(codes, terms)

    @cached_property
    def fractional(self) -> frozenset[int]:
        """The features whose gain is reached at a number that is not whole: at an end of the range, or at an apex."""
        places = enumerate(self.decision.rule.numbers)
        apexes = self.apexes()
        stops = {j: (self.low[j], self.high[j], *(apex[place] for apex in apexes)) for place, j in places}
        return frozenset(j for j, some in stops.items() if not all(float(stop).is_integer() for stop in some))

    def apexes(self) -> list[list[float]]:
        """By pair of sums (or for the only one) and number, where the difference turns; see `_apexes`."""
        rule = self.decision.rule
        if not rule.curve.any():
            return []
        pairs = [(b, a) for b in range(self.decision.n_classes) for a in range(b)]
        return [self._apexes(rule.margin(*pair)) for pair in pairs]

    def _apexes(self, margin: Margin) -> list[float]:
        """By number, where a margin is largest, or smallest, between the ends; else an end."""
        found = []
        for square, line, j in zip(margin.curve, margin.slope, self.decision.rule.numbers, strict=True):
            shift = line.exponent - square.exponent
            above, below = -line.digits << max(0, shift), 2 * square.digits << max(0, -shift)
            apex = _quotient(above, below) if below else -math.inf
            if (link := self.decision.rule.links.get(j)) is not None and below:
                apex = link.inverse(apex, self.low[j], self.high[j])
            found.append(min(max(apex if abs(apex) >= LEAST else 0.0, self.low[j]), self.high[j]))
        return found


def _quotient(a: int, b: int) -> float:
    """The quotient a / b, rounded once."""
    try:
        return a / b
    except OverflowError:
        return math.inf if (a > 0) == (b > 0) else -math.inf


def rivals_of(decision: NumberSums, prediction: int) -> list[tuple[int, npt.NDArray[np.int64], int]]:
    """The other classes, with the signs of the margin and the least margin that wins under the tie rule."""
    sums, later = len(decision.rule.bias), decision.rule.later_wins
    if sums == 1:
        up = prediction == 0
        return [(1 - prediction, np.array([1 if up else -1]), 0 if up == later else 1)]
    result = []
    for rival in range(sums):
        if rival != prediction:
            sign = np.zeros(sums, dtype=np.int64)
            sign[rival], sign[prediction] = 1, -1
            result.append((rival, sign, 0 if (rival > prediction) == later else 1))
    return result


def doubts_of(decision: NumberSums, terms: Terms) -> npt.NDArray[np.int64]:
    """By row, the least margin, in units, that float sums cannot undo. It grows with numbers far outside the ranges."""
    size = (np.abs(terms).sum(axis=2) + np.abs(decision.rule.bias)).max(axis=1, initial=0)
    return np.asarray(decision.rule.doubt * np.maximum(1, 1 + ((size - 1) >> RANGE_BITS)))


def least_margin(need: Any, doubt: Any, possible: bool) -> Any:
    """The least margin of a class that wins for sure, or that may win."""
    return np.minimum(need, 1 - doubt) if possible else np.maximum(need, doubt)


def gains_of(
    decision: NumberSums,
    freedom: Freedom,
    codes: npt.NDArray[np.int64],
    terms: Terms,
    prediction: int,
    *,
    possible: bool = False,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Of rows that are all of one class: gains by row, rival and feature, and deficits by row and rival: what a rival
    lacks to win for sure or, if ``possible``, to win in float sums perhaps.
    """
    needs = np.array([need for _, _, need in rivals_of(decision, prediction)])
    own = _own_margins(decision, codes, terms, prediction)
    numbers, stops = list(decision.rule.numbers), freedom.stops(prediction)
    ahead = own.sum(axis=2) + _margins(decision.rule.bias[np.newaxis], prediction)
    deficit = least_margin(needs, doubts_of(decision, terms)[:, np.newaxis], possible) - ahead
    gain = np.zeros_like(own)
    for code, margin in zip(stops.codes[:, :, numbers], stops.terms[:, :, numbers], strict=True):
        more = np.where(_free_stops(freedom, codes, numbers, code), margin - own[:, :, numbers], 0)
        gain[:, :, numbers] = np.maximum(gain[:, :, numbers], more)
    for j, (mask, table) in enumerate(zip(freedom.masks, decision.rule.tables, strict=True)):
        if mask is not None and table is not None and freedom.direction[j] != FIXED:
            free = _free_values(mask, freedom.direction[j], codes[:, j])
            for i, weights in enumerate(_margins(table[np.newaxis], prediction)[0]):
                more = np.where(free, weights, -(2**62)).max(axis=1)
                gain[:, i, j] = np.maximum(0, more - own[:, i, j])
    return gain, deficit


def gains_of_row(
    decision: NumberSums, freedom: Freedom, codes: npt.NDArray[np.int64], *, possible: bool
) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The class of one row; by rival and feature, the gains, and by rival the deficits, as `gains_of` has them."""
    terms = decision.terms(codes)
    prediction = int(decision.classes_of(terms, codes)[0])
    gain, deficit = gains_of(decision, freedom, codes, terms, prediction, possible=possible)
    return prediction, gain[0], deficit[0]


def _own_margins(
    decision: NumberSums, codes: npt.NDArray[np.int64], terms: Terms, prediction: int
) -> npt.NDArray[np.int64]:
    """By row, rival and feature, what the row adds to the margins."""
    own, rule = _margins(terms, prediction), decision.rule
    if len(rule.bias) > 1:
        numbers = list(rule.numbers)
        there = codes[:, numbers] != MISSING
        x = np.ascontiguousarray(np.where(there, numbers_of_codes(codes[:, numbers]), 0.0))
        for i, (rival, _, _) in enumerate(rivals_of(decision, prediction)):
            own[:, i, numbers] = np.where(there, rule.margin(rival, prediction).terms(x), own[:, i, numbers])
    return own


def _margins(sums: npt.NDArray[np.int64], prediction: int) -> npt.NDArray[np.int64]:
    """The margins of the rivals, in the order of `rivals_of`, in place of the sums, which are the second axis."""
    if sums.shape[1] == 1:
        return sums if prediction == 0 else -sums
    return np.delete(sums, prediction, axis=1) - sums[:, [prediction]]


def _free_stops(
    freedom: Freedom, codes: npt.NDArray[np.int64], numbers: Sequence[int], stop: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """By row, rival and number, whether it may go to a stop."""
    own, direction = codes[:, np.newaxis, numbers], freedom.direction[numbers]
    onwards = ((direction == UP) & (stop > own)) | ((direction == DOWN) & (stop < own))
    return np.asarray((direction == ANY) | (onwards & (own != MISSING)))


def _free_values(mask: npt.NDArray[np.bool_], direction: int, own: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """By row and value, whether a feature with values may take it."""
    codes = np.arange(len(mask))
    free = np.broadcast_to(mask, (len(own), len(mask)))
    if direction == UP:
        free = free & (codes > own[:, np.newaxis])
    elif direction == DOWN:
        free = free & (codes < own[:, np.newaxis])
    return free
