"""Columns of numbers: what the features of a row can gain towards another class, and what the row lacks.

A class wins by a *margin*, the difference of two sums. A set of features is enough iff their largest gains together
reach the *deficit*, and each gain is reached at one of a few *stops*: the ends of the range in which the number may be
chosen, or the apex of a parabola between them. So a row of numbers is, to the engines, a row of features that change or
do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.decision.additive import AdditiveDecision, Terms
from symcf.models.additive import RANGE_BITS
from symcf.questions.constraints import DIRECTIONS, Constraint
from symcf.rows.numbers import NumberLine, codes_of_numbers

__all__ = ["ANY", "DOWN", "FIXED", "UP", "Freedom", "gains_of", "rivals_of"]

ANY, UP, DOWN, FIXED = 0, 1, 2, 3


@dataclass(frozen=True)
class Freedom:
    """What the features may become, whatever the row."""

    #: By feature, ANY, UP, DOWN or FIXED.
    direction: npt.NDArray[np.int64]
    #: By feature, the ends of the range of a number; empty (low > high) if there is none.
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    #: By feature, which of its values are allowed; None for numbers.
    masks: tuple[npt.NDArray[np.bool_] | None, ...]
    #: Codes of numbers at which gains may be largest: (stops, features). Unused places repeat others.
    stops: npt.NDArray[np.int64]
    #: Their terms: (stops, sums, features).
    terms: Terms

    @classmethod
    def of(
        cls, decision: AdditiveDecision, values: Sequence[Sequence[Any]], constraints: Iterable[Constraint]
    ) -> Freedom:
        """The freedom that constraints leave."""
        n = len(values)
        direction = np.zeros(n, dtype=np.int64)
        low, high = np.zeros(n), np.zeros(n)
        masks: list[npt.NDArray[np.bool_] | None] = []
        for j, line in enumerate(values):
            number = isinstance(line, NumberLine)
            low[j], high[j] = (line.low, line.high) if isinstance(line, NumberLine) else (0.0, 0.0)
            masks.append(None if number else np.ones(len(line), dtype=np.bool_))
        for constraint in constraints:
            if constraint.feature is None:
                continue
            j = constraint.feature
            mask = masks[j]
            if constraint.kind == "immutable":
                direction[j] = FIXED
            elif constraint.value in DIRECTIONS:
                wanted = 1 + DIRECTIONS.index(constraint.value)
                direction[j] = wanted if direction[j] in (ANY, wanted) else FIXED  # both ways at once leave nothing
            elif mask is None:
                low[j], high[j] = max(low[j], constraint.labels[0]), min(high[j], constraint.labels[1])
            else:
                mask &= np.isin(np.arange(len(mask)), list(constraint.value))
        direction[np.array([mask is None for mask in masks]) & (low > high)] = FIXED
        low, high = np.minimum(low, high), np.maximum(low, high)
        stops = codes_of_numbers(np.array([low, high, *_apexes(decision, low, high)]))
        discrete = [j for j, mask in enumerate(masks) if mask is not None]
        stops[:, discrete] = 0
        return cls(direction, low, high, tuple(masks), stops, decision.terms(stops))


def _apexes(
    decision: AdditiveDecision, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]
) -> list[npt.NDArray[np.float64]]:
    """For each pair of sums, where their difference is largest, or smallest, between the ends; else an end."""
    rule = decision.rule
    if not rule.curve.any():
        return []
    rows = [low.copy() for _ in range(max(1, len(rule.bias) * (len(rule.bias) - 1) // 2))]
    for place, j in enumerate(rule.numbers):
        curve, slope = (
            [
                Fraction(int(d)) * Fraction(2) ** int(e)
                for d, e in zip(digits[:, place], exponent[:, place], strict=True)
            ]
            for digits, exponent in ((rule.curve, rule.curve_exponent), (rule.slope, rule.slope_exponent))
        )
        pairs = [(a, b) for b in range(len(curve)) for a in range(b)] or [(-1, 0)]
        for row, (a, b) in zip(rows, pairs, strict=True):
            square, line = curve[b] - (curve[a] if a >= 0 else 0), slope[b] - (slope[a] if a >= 0 else 0)
            if square:
                row[j] = min(max(float(-line / (2 * square)), low[j]), high[j])
    return rows


def rivals_of(decision: AdditiveDecision, prediction: int) -> list[tuple[int, npt.NDArray[np.int64], int]]:
    """The other classes, with the signs of the margin and what the tie rule needs it to be."""
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


def doubts_of(decision: AdditiveDecision, terms: Terms) -> npt.NDArray[np.int64]:
    """By row, by how many units to win: more where numbers are far outside the ranges, since float sums err more."""
    size = (np.abs(terms).sum(axis=2) + np.abs(decision.rule.bias)).max(axis=1, initial=0)
    return np.asarray(decision.rule.doubt * np.maximum(1, 1 + ((size - 1) >> RANGE_BITS)))


def gains_of(
    decision: AdditiveDecision, freedom: Freedom, codes: npt.NDArray[np.int64], terms: Terms, prediction: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Of rows that are all of one class: gains by row, rival and feature, and deficits by row and rival."""
    rivals = rivals_of(decision, prediction)
    sums = terms.sum(axis=2) + decision.rule.bias
    doubt = doubts_of(decision, terms)
    gain = np.zeros((len(codes), len(rivals), codes.shape[1]), dtype=np.int64)
    deficit = np.empty((len(codes), len(rivals)), dtype=np.int64)
    numbers = list(decision.rule.numbers)
    free = _free_stops(freedom, codes, numbers)
    for i, (_, sign, need) in enumerate(rivals):
        deficit[:, i] = np.maximum(need, doubt) - sums @ sign
        own, at_stops = sign @ terms, sign @ freedom.terms
        for stop, open_to in zip(at_stops, free, strict=True):
            more = stop[numbers] - own[:, numbers]
            gain[:, i, numbers] = np.maximum(gain[:, i, numbers], np.where(open_to, more, 0))
        for j, mask in enumerate(freedom.masks):
            table = decision.rule.tables[j]
            if mask is not None and table is not None and freedom.direction[j] != FIXED:
                more = np.where(_free_values(mask, freedom.direction[j], codes[:, j]), sign @ table, -(2**62))
                gain[:, i, j] = np.maximum(0, more.max(axis=1) - own[:, j])
    return gain, deficit


def _free_stops(freedom: Freedom, codes: npt.NDArray[np.int64], numbers: Sequence[int]) -> list[npt.NDArray[np.bool_]]:
    """By stop, which rows may go there, by number."""
    own, direction = codes[:, list(numbers)], freedom.direction[list(numbers)]
    result = []
    for stop in freedom.stops[:, list(numbers)]:
        free = (direction == ANY) | ((direction == UP) & (stop > own)) | ((direction == DOWN) & (stop < own))
        result.append(np.asarray(free))
    return result


def _free_values(mask: npt.NDArray[np.bool_], direction: int, own: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """By row and value, whether a feature with values may take it."""
    codes = np.arange(len(mask))
    free = np.broadcast_to(mask, (len(own), len(mask)))
    if direction == UP:
        free = free & (codes > own[:, np.newaxis])
    elif direction == DOWN:
        free = free & (codes < own[:, np.newaxis])
    return free
