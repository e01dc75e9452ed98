"""Values for a change set where columns hold numbers: the nearest that are enough.

A change set is minimal, so every feature of it is needed: all others at their best would not do. The distance is a
weighted sum of |new - old|, and what is gained is linear in the numbers. So this is a fractional knapsack: numbers that
gain most per distance go as far as they may, and the last one goes as far as is missing; being needed, it is the only
one that stops on the way. Features with values choose among these; partial choices that cost no less and gain no more
than others are dropped, as in `symcf.values.scores`.

All of this is in fractions. The last number is then rounded outwards, to its column's resolution, and the row is decided
by the integer rule: it has to win by the doubt (`symcf.models.additive`), or the number goes on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.decision.additive import AdditiveDecision
from symcf.errors import InternalError, OptionError
from symcf.models.rules import AdditiveRule
from symcf.questions.case import NumberCase, Rival
from symcf.questions.gains import ANY, DOWN, FIXED, UP
from symcf.rows.numbers import NumberLine, numbers_of_codes
from symcf.values.scores import Priced

__all__ = ["NumberAssignments"]

Codes = tuple[int, ...]


class Choice(NamedTuple):
    """A feature takes a value: what it costs, how far that is, and what the margin gains."""

    unit: int
    move: Fraction
    gain: int
    code: int


@dataclass(frozen=True)
class Slide:
    """A number that moves in one direction, as far as its stop."""

    feature: int
    #: What it costs to move it at all; and the distance per unit gained.
    unit: int
    rate: Fraction
    up: bool
    stop: int
    #: What is gained at the stop.
    most: int


class Way(NamedTuple):
    """New values for a set, by cost and distance."""

    unit: int
    move: Fraction
    codes: Codes


class NumberAssignments:
    """The values that the features of a change set may take; see `symcf.values.assignments.Assignments`."""

    def __init__(self, case: NumberCase) -> None:
        decision = case.question.classifier.decision
        assert isinstance(decision, AdditiveDecision)
        self._case = case
        self._decision = decision
        self._rule: AdditiveRule = decision.rule
        self._place = {j: place for place, j in enumerate(self._rule.numbers)}
        self._lines = case.question.classifier.values
        self._own = np.array(case.x, dtype=np.int64)

    # --- the nearest

    def best(self, change_set: Sequence[int]) -> Codes | None:
        """The cheapest values that are enough and, of these, the nearest."""
        priced = self.priced(change_set)
        return None if priced is None else priced.codes

    def priced(self, change_set: Sequence[int]) -> Priced | None:
        """The same with its cost in units."""
        ways = [way for rival in self._case.rivals if (way := self._way(rival, change_set)) is not None]
        best = min(ways, default=None)
        return None if best is None else Priced(best.unit, best.codes)

    def all(self, change_set: Sequence[int]) -> Iterator[Codes]:
        """Refused: there are infinitely many."""
        raise OptionError("values='all': a column of numbers has too many values to list; use values='nearest'")

    def count_all(self, change_set: Sequence[int]) -> int:
        """Refused: there are infinitely many."""
        raise OptionError("a column of numbers has too many values to count")

    def lower_units(self) -> npt.NDArray[np.int64]:
        """By feature, the cost of its cheapest change."""
        units = []
        for j in range(len(self._own)):
            choices = [] if j in self._place else self._choices(j, None)
            units.append(min((choice.unit for choice in choices), default=self._unit(j)))
        return np.array(units, dtype=np.int64)

    def _way(self, rival: Rival, change_set: Sequence[int]) -> Way | None:
        """The best values with which this rival wins; None if it does not."""
        if int(rival.gain[list(change_set)].sum()) < rival.deficit:
            return None
        slides = sorted(
            (self._slide(rival, j) for j in change_set if j in self._place), key=lambda s: (s.rate, s.feature)
        )
        room = sum(slide.most for slide in slides)
        discrete = [j for j in change_set if j not in self._place]
        best: Way | None = None
        for unit, move, gain, chosen in self._states(rival, discrete, rival.deficit - room):
            codes = dict(zip(discrete, chosen, strict=True))
            found = self._slid(rival, slides, rival.deficit - gain, codes)
            if found is None:
                continue
            for slide in slides:
                line = self._line(slide.feature)
                unit += slide.unit
                move += abs(Fraction(line[found[slide.feature]]) - Fraction(line[self._case.x[slide.feature]])) / (
                    line.span or 1
                )
            way = Way(unit, move, tuple(found[j] for j in change_set))
            best = way if best is None else min(best, way)
        return best

    # --- features with values

    def _states(
        self, rival: Rival, features: Sequence[int], least: int
    ) -> list[tuple[int, Fraction, int, tuple[int, ...]]]:
        """Choices of all features with values that gain at least this: those that no other beats."""
        options = [self._choices(j, rival) for j in features]
        most = [0, *np.cumsum([max(choice.gain for choice in choices) for choices in options][::-1]).tolist()][::-1]
        states: list[tuple[int, Fraction, int, tuple[int, ...]]] = [(0, Fraction(0), 0, ())]
        for i, choices in enumerate(options):
            grown = sorted(
                (
                    (unit + choice.unit, move + choice.move, gain + choice.gain, (*codes, choice.code))
                    for unit, move, gain, codes in states
                    for choice in choices
                    if gain + choice.gain + most[i + 1] >= least
                ),
                key=lambda state: (state[0], state[1], -state[2], state[3]),
            )
            states = []
            for state in grown:
                if not states or state[2] > states[-1][2]:
                    states.append(state)
        return states

    def _choices(self, j: int, rival: Rival | None) -> list[Choice]:
        """The values that feature j may take."""
        freedom, own, table = self._case.freedom, self._case.x[j], self._rule.tables[j]
        mask = freedom.masks[j]
        assert table is not None and mask is not None
        way = freedom.direction[j]
        codes = [
            v
            for v in np.flatnonzero(mask).tolist()
            if v != own and way != FIXED and (way != UP or v > own) and (way != DOWN or v < own)
        ]
        weights = (np.zeros(table.shape[1], dtype=np.int64) if rival is None else rival.sign @ table).tolist()
        ordered = self._case.question.classifier.ordered[j]
        steps = max(1, len(mask) - 1)
        cost = self._case.question.costs
        return [
            Choice(
                cost.unit_of(j, own, v),
                Fraction(abs(v - own), steps) if ordered else Fraction(1),
                weights[v] - weights[own],
                v,
            )
            for v in codes
        ]

    # --- numbers

    def _line(self, j: int) -> NumberLine:
        line = self._lines[j]
        assert isinstance(line, NumberLine)
        return line

    def _unit(self, j: int) -> int:
        units = self._case.question.costs.units
        return 1 if units is None else int(units[j])

    @cached_property
    def _slopes(self) -> list[list[Fraction]]:
        """By sum and number, in units of the rule."""
        rule = self._rule
        return [
            [Fraction(int(d)) * Fraction(2) ** (int(e) + rule.scale) for d, e in zip(digits, exponents, strict=True)]
            for digits, exponents in zip(rule.slope, rule.slope_exponent, strict=True)
        ]

    def _slide(self, rival: Rival, j: int) -> Slide:
        """Where the number gains."""
        freedom, own = self._case.freedom, self._case.x[j]
        at_stops = freedom.terms[:, :, j] @ rival.sign - int(rival.sign @ self._case.terms[:, j])
        stops = freedom.stops[:, j].tolist()
        way = freedom.direction[j]
        open_to = [way == ANY or (way == UP and stop > own) or (way == DOWN and stop < own) for stop in stops]
        best = max((i for i, fine in enumerate(open_to) if fine), key=lambda i: int(at_stops[i]))
        line = self._line(j)
        slope = abs(sum(int(s) * row[self._place[j]] for s, row in zip(rival.sign, self._slopes, strict=True)))
        rate = 1 / (slope * line.span) if slope and line.span else Fraction(0)
        return Slide(j, self._unit(j), rate, stops[best] > own, stops[best], int(at_stops[best]))

    def _slid(
        self, rival: Rival, slides: Sequence[Slide], lacking: int, codes: dict[int, int]
    ) -> dict[int, int] | None:
        """All numbers at their stops but the last, which goes as far as is lacking. Adds to ``codes``."""
        if not slides:
            return codes if lacking <= 0 else None
        for slide in slides[:-1]:
            codes[slide.feature] = slide.stop
            lacking -= slide.most
        last = slides[-1]
        if lacking > last.most:
            return None
        codes[last.feature] = self.nearest(rival, last, codes, lacking)
        return codes

    def nearest(self, rival: Rival, slide: Slide, codes: dict[int, int], lacking: int) -> int:
        """The first number in the direction of the slide, rounded outwards, with which the rival wins."""
        line, own = self._line(slide.feature), Fraction(self._line(slide.feature)[self._case.x[slide.feature]])
        distance = max(Fraction(lacking), Fraction(1, 2)) * slide.rate * (line.span or 1)
        wanted = own + distance if slide.up else own - distance
        step = line.resolution
        for tries in range(70):
            number = line.rounded(wanted, up=slide.up)
            code = line.code(number)
            if (code >= slide.stop) if slide.up else (code <= slide.stop):
                break
            if code != self._case.x[slide.feature] and self._gain(rival, slide.feature, code) >= lacking:
                return code
            # A rounding was in the way: on to the next number.
            further = Fraction(math.ulp(number)) if step is None else step
            further *= max(1, 1 << max(0, tries - 4))
            wanted = Fraction(number) + (further if slide.up else -further)
        return slide.stop

    def _gain(self, rival: Rival, j: int, code: int) -> int:
        """What the margin gains if the number becomes this."""
        x = np.ascontiguousarray(numbers_of_codes(self._own[list(self._rule.numbers)])).reshape(1, -1)
        x[0, self._place[j]] = self._line(j)[code]
        gained = 0
        for k, (sign, polynomials) in enumerate(zip(rival.sign.tolist(), self._rule.polynomials, strict=True)):
            if sign:
                gained += sign * (int(polynomials.terms(x)[0, self._place[j]]) - int(self._case.terms[k, j]))
        return gained

    def check(self, rival: Rival, change_set: Sequence[int], codes: Sequence[int]) -> None:
        """Raises an internal error unless the rival wins with these values."""
        row = self._own.copy()
        row[list(change_set)] = codes
        terms = self._decision.terms(row.reshape(1, -1))[0]
        if int(rival.sign @ (terms - self._case.terms).sum(axis=1)) < rival.deficit:
            raise InternalError(f"changing {tuple(change_set)} does not change the decision")
