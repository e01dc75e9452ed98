"""Systems of sums over labels and numbers: one row, what its features may become, and what they have to reach.

A *feature* has options: a value (a label, the own number, a missing one), or all numbers of an interval that lie on the
column's grid. A *sum* adds one term per feature, and terms of pairs of features; it is reached if it is at least 0. A
*goal* is several sums that have to be reached together. *Conditions* say which combinations of options are allowed,
*linear rows* compare sums of numbers. Everything is exact: numbers are doubles, coefficients are fractions.

    system = System(features, goals, conditions, linear)
    system.reaches(goal, row)       # row: by feature, an option and its number
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from symcf.common.lazy import cached_property
from symcf.data.numbers import LEAST

__all__ = [
    "Among",
    "Condition",
    "Curve",
    "Every",
    "Goal",
    "Grid",
    "Line",
    "Linear",
    "Option",
    "Pair",
    "Row",
    "Some",
    "Sum",
    "System",
    "Taken",
]

HALF = Fraction(1, 2)


# --- numbers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """The numbers that a column can take: multiples of a step, or all doubles; of fewer bits if it is ``short``. Those
    that are closer to 0 than `symcf.data.numbers.LEAST` have no code, so they are never taken.
    """

    step: Fraction | None = None
    short: type[np.floating] | None = None
    #: A number that is one of them, too: multiples of the step are counted from here.
    origin: Fraction = Fraction(0)

    def down(self, mark: Fraction, *, strict: bool = False) -> float:
        """The greatest number that is not above a mark, or below it if that is strict."""
        return self._from(mark, -1, strict)

    def up(self, mark: Fraction, *, strict: bool = False) -> float:
        """The least number that is not below a mark, or above it if that is strict."""
        return self._from(mark, 1, strict)

    def _from(self, mark: Fraction, sign: int, strict: bool) -> float:
        steps = -sign  # one before the mark: a multiple is rounded to a double, which may lie on the other side of it
        while True:
            number = self._near(mark, steps, sign)
            ahead = sign * (Fraction(number) - mark) if math.isfinite(number) else 1
            if ahead > 0 or (ahead == 0 and not strict):
                return number if abs(number) >= LEAST or number == 0 else LEAST * sign if number * sign > 0 else 0.0
            steps += sign

    def _near(self, mark: Fraction, steps: int, sign: int) -> float:
        """A number that is some places after the one next to a mark."""
        if self.step is not None:
            places = (mark - self.origin) / self.step
            count = (math.ceil(places) if sign > 0 else math.floor(places)) + steps
            return _stored(float(self.origin + count * self.step), self.short)
        number = _as_double(mark)
        if self.short is None:
            for _ in range(abs(steps)):
                number = math.nextafter(number, math.copysign(math.inf, steps))
            return number
        with np.errstate(over="ignore"):
            near = self.short(number)
            for _ in range(abs(steps)):
                near = np.nextafter(near, self.short(math.copysign(math.inf, steps)))
        return float(near)

    def nearest(self, number: float) -> float:
        """The number of the grid nearest to a double."""
        if self.step is not None:
            places = round((Fraction(number) - self.origin) / self.step)
            return _stored(float(self.origin + places * self.step), self.short)
        return _stored(number if abs(number) >= LEAST else 0.0, self.short)


def _stored(number: float, short: type[np.floating] | None) -> float:
    if short is None:
        return number
    with np.errstate(over="ignore"):
        return float(short(number))


def _as_double(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


class Option(NamedTuple):
    """One value, which has a code, or the numbers from ``low`` to ``high``; both are None where it is no number."""

    code: int | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Line:
    """The options of a feature. The one at ``own`` is what the row has; it need not be one that is suggested."""

    options: tuple[Option, ...]
    own: int
    grid: Grid = Grid()


class Taken(NamedTuple):
    """What a feature of a row is: the place of an option, and its number, if it has one."""

    option: int
    number: float | None = None


#: By feature.
Row = tuple[Taken, ...]


# --- terms and sums ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Curve:
    """``square * y**2 + slope * y + shift``."""

    square: Fraction
    slope: Fraction
    shift: Fraction

    @classmethod
    def constant(cls, number: int | Fraction) -> Curve:
        """The same everywhere."""
        return cls(Fraction(0), Fraction(0), Fraction(number))

    def at(self, y: Fraction) -> Fraction:
        """The value at a number."""
        return (self.square * y + self.slope) * y + self.shift

    def most(self, low: Fraction, high: Fraction) -> Fraction:
        """The largest value between two numbers."""
        found = max(self.at(low), self.at(high))
        if self.square < 0 and low < (apex := -self.slope / (2 * self.square)) < high:
            return max(found, self.at(apex))
        return found


@dataclass(frozen=True)
class Pair:
    """A term of two features: a number by option of the one, then of the other."""

    first: int
    second: int
    table: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Sum:
    """Reached if it is at least 0. Pairs form a forest: the ``first`` of each is the parent of the ``second``."""

    bias: Fraction
    #: By feature and option.
    terms: tuple[tuple[Curve, ...], ...]
    pairs: tuple[Pair, ...] = ()
    #: Are the terms of intervals rounded to whole units, as a rule of a model does? 1: half up; -1: half down, which is
    #: what the negative of a term that was rounded half up is; 0: they are not.
    rounding: int = 0

    def value(self, row: Row) -> Fraction:
        """What a row adds up to."""
        total = self.bias
        for terms, taken in zip(self.terms, row, strict=True):
            total += self.term(terms[taken.option], taken.number)
        return total + sum(pair.table[row[pair.first].option][row[pair.second].option] for pair in self.pairs)

    def term(self, curve: Curve, number: float | None) -> Fraction:
        """What one feature adds."""
        if number is None or not (curve.square or curve.slope):
            return curve.shift
        exact = curve.at(Fraction(number))
        return exact if not self.rounding else Fraction(self.rounding * math.floor(self.rounding * exact + HALF))


Goal = tuple[Sum, ...]


@dataclass(frozen=True)
class Linear:
    """Numbers times coefficients add up to at most ``most``, or less if it is strict. It says nothing of a row in which
    one of the features has no number.
    """

    coefficients: tuple[tuple[int, Fraction], ...]
    most: Fraction
    strict: bool = False

    def holds(self, row: Row) -> bool:
        """Does a row obey?"""
        return self.holds_for({j: row[j].number for j, _ in self.coefficients})

    def with_known(self, numbers: Mapping[int, float]) -> Linear:
        """The same where some numbers are known."""
        rest = tuple((j, c) for j, c in self.coefficients if j not in numbers)
        known = sum((c * Fraction(numbers[j]) for j, c in self.coefficients if j in numbers), Fraction(0))
        return Linear(rest, self.most - known, self.strict)

    def holds_for(self, numbers: Mapping[int, float | None]) -> bool:
        """Do numbers by feature obey?"""
        total = -self.most
        for j, coefficient in self.coefficients:
            number = numbers[j]
            if number is None:
                return True
            total += coefficient * Fraction(number)
        return total < 0 or (total == 0 and not self.strict)


# --- conditions -------------------------------------------------------------------------------------------------------

#: By feature, the options that it may still have.
Alive = Sequence[frozenset[int]]


class Condition(Protocol):
    """Which options are allowed together."""

    def truth(self, alive: Alive) -> bool | None:
        """Does it hold whatever the features become, never, or (None) does that depend?"""

    def narrow(self, alive: list[frozenset[int]]) -> bool:
        """Takes away options with which it cannot hold; False if there are none left with which it can."""

    def split(self, alive: Alive) -> tuple[int, frozenset[int]] | None:
        """A feature, and some of its options, on which it depends; None if it does not."""

    def holds(self, row: Row) -> bool:
        """Does a row obey?"""


@dataclass(frozen=True)
class Among(Condition):
    """A feature has one of these options."""

    feature: int
    options: frozenset[int]

    def truth(self, alive: Alive) -> bool | None:
        some = alive[self.feature]
        return True if some <= self.options else None if some & self.options else False

    def narrow(self, alive: list[frozenset[int]]) -> bool:
        alive[self.feature] = alive[self.feature] & self.options
        return bool(alive[self.feature])

    def split(self, alive: Alive) -> tuple[int, frozenset[int]] | None:
        return None if self.truth(alive) is not None else (self.feature, alive[self.feature] & self.options)

    def holds(self, row: Row) -> bool:
        return row[self.feature].option in self.options


@dataclass(frozen=True)
class Every(Condition):
    """All parts hold."""

    parts: tuple[Condition, ...]

    def truth(self, alive: Alive) -> bool | None:
        found = [part.truth(alive) for part in self.parts]
        return False if False in found else None if None in found else True

    def narrow(self, alive: list[frozenset[int]]) -> bool:
        return all(part.narrow(alive) for part in self.parts)

    def split(self, alive: Alive) -> tuple[int, frozenset[int]] | None:
        return next((found for part in self.parts if (found := part.split(alive)) is not None), None)

    def holds(self, row: Row) -> bool:
        return all(part.holds(row) for part in self.parts)


@dataclass(frozen=True)
class Some(Condition):
    """At least one part holds."""

    parts: tuple[Condition, ...]

    def truth(self, alive: Alive) -> bool | None:
        found = [part.truth(alive) for part in self.parts]
        return True if True in found else None if None in found else False

    def narrow(self, alive: list[frozenset[int]]) -> bool:
        """See `Condition`. Only the last part that can hold takes options away."""
        possible = [part for part in self.parts if part.truth(alive) is not False]
        return bool(possible) and (len(possible) > 1 or possible[0].narrow(alive))

    def split(self, alive: Alive) -> tuple[int, frozenset[int]] | None:
        if self.truth(alive) is not None:
            return None
        return next((found for part in self.parts if (found := part.split(alive)) is not None), None)

    def holds(self, row: Row) -> bool:
        return any(part.holds(row) for part in self.parts)


# --- the system -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class System:
    """What the features of one row may become, and what they have to obey and reach."""

    features: tuple[Line, ...]
    #: One of them has to be reached.
    goals: tuple[Goal, ...]
    conditions: tuple[Condition, ...] = ()
    linear: tuple[Linear, ...] = ()
    #: Of these conditions and linear rows, those of one have to be obeyed, too; none where there are no others.
    alternatives: tuple[tuple[tuple[Condition, ...], tuple[Linear, ...]], ...] | None = None

    @cached_property
    def parts(self) -> tuple[System, ...]:
        """The same without alternatives: what obeys one of these obeys."""
        if self.alternatives is None:
            return (self,)
        return tuple(
            System(self.features, self.goals, (*self.conditions, *conditions), (*self.linear, *linear))
            for conditions, linear in self.alternatives
        )

    @cached_property
    def own(self) -> Row:
        """The row as it is."""
        return tuple(Taken(line.own, line.options[line.own].low) for line in self.features)

    def obeys(self, row: Row) -> bool:
        """Does a row obey all conditions and linear rows?"""
        if self.alternatives is not None:
            return any(part.obeys(row) for part in self.parts)
        return all(part.holds(row) for part in self.conditions) and all(part.holds(row) for part in self.linear)

    def reaches(self, goal: Goal, row: Row) -> bool:
        """Does a row reach a goal, and obey?"""
        return self.obeys(row) and all(part.value(row) >= 0 for part in goal)

    def changed(self, row: Row) -> frozenset[int]:
        """The features that are not what they were."""
        return frozenset(j for j, (new, old) in enumerate(zip(row, self.own, strict=True)) if new != old)

    def on_grids(self, grids: Mapping[int, Grid]) -> System:
        """The same where some features have another grid. Intervals without a number on it are no options."""
        lines = list(self.features)
        for j, grid in grids.items():
            lines[j] = Line(lines[j].options, lines[j].own, grid)
        return replace(self, features=tuple(lines))
