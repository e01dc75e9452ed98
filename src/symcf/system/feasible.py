"""Numbers that obey linear rows: one for each column of a box, exactly.

A row of numbers exists in the reals iff it survives Fourier and Motzkin's elimination (Fourier 1826, Motzkin 1936),
which projects the rows onto one column after another. Each column then takes a number of its own grid within its
projection, the one nearest to what is preferred first. Where numbers are whole, or multiples, a projection may contain
numbers that lead nowhere, so that several are tried; of real numbers a few are, so that a row may be missed where the
rows leave less space than the rounding of doubles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product
from typing import Protocol

from symcf.common.clock import tick
from symcf.errors import LimitError
from symcf.system.lines import Linear

__all__ = ["Column", "nearest", "solved"]

#: Numbers of a grid that are tried for one column.
MOST_TRIED = 20_000

#: Numbers of all grids together that are tried beside the nearest point.
MOST_BESIDE = 256


class Column(Protocol):
    """The numbers that a column may take."""

    @property
    def low(self) -> float:
        """The least one; -inf without a bound."""

    @property
    def high(self) -> float:
        """The greatest one; inf without a bound."""

    @property
    def step(self) -> Fraction | None:
        """What numbers are multiples of; None: all numbers."""

    def around(self, mark: Fraction) -> Iterator[float]:
        """Numbers at and next to a mark, those of few digits first; without end where there is a step."""


@dataclass(frozen=True)
class _Bound:
    """Coefficients times numbers are at most ``most``, or less."""

    coefficients: dict[int, Fraction]
    most: Fraction
    strict: bool

    def with_number(self, j: int, number: Fraction) -> _Bound:
        """The same where the number of a column is known."""
        if j not in self.coefficients:
            return self
        others = {i: c for i, c in self.coefficients.items() if i != j}
        return _Bound(others, self.most - self.coefficients[j] * number, self.strict)

    @property
    def is_broken(self) -> bool:
        """Without coefficients: is it never obeyed?"""
        return not self.coefficients and (self.most < 0 or (self.most == 0 and self.strict))


class _Interval:
    """What is left of one column."""

    def __init__(self, j: int, bounds: Sequence[_Bound]) -> None:
        self.low: tuple[Fraction, bool] | None = None
        self.high: tuple[Fraction, bool] | None = None
        for bound in bounds:
            coefficient = bound.coefficients.get(j)
            if coefficient is None:
                continue
            end = bound.most / coefficient
            if coefficient > 0 and (self.high is None or (end, not bound.strict) < (self.high[0], not self.high[1])):
                self.high = end, bound.strict
            if coefficient < 0 and (self.low is None or (-end, not bound.strict) < (-self.low[0], not self.low[1])):
                self.low = end, bound.strict

    def __contains__(self, number: Fraction) -> bool:
        if self.low is not None and (number < self.low[0] or (number == self.low[0] and self.low[1])):
            return False
        return self.high is None or number < self.high[0] or (number == self.high[0] and not self.high[1])

    @property
    def is_empty(self) -> bool:
        """Does no number lie in it?"""
        if self.low is None or self.high is None:
            return False
        return self.low[0] > self.high[0] or (self.low[0] == self.high[0] and (self.low[1] or self.high[1]))

    def clipped(self, number: Fraction) -> Fraction:
        """The nearest number of it, or its end."""
        if self.low is not None and number < self.low[0]:
            return self.low[0]
        return self.high[0] if self.high is not None and number > self.high[0] else number

    @property
    def middle(self) -> Fraction | None:
        """Half way between its ends."""
        return None if self.low is None or self.high is None else (self.low[0] + self.high[0]) / 2


def _projected(bounds: Sequence[_Bound], j: int) -> list[_Bound] | None:
    """The bounds on one column that follow; None if nothing obeys."""
    others = {i for bound in bounds for i in bound.coefficients if i != j}
    current = list(bounds)
    for i in others:
        tick()
        ups = [b for b in current if b.coefficients.get(i, 0) > 0]
        downs = [b for b in current if b.coefficients.get(i, 0) < 0]
        current = [b for b in current if i not in b.coefficients]
        for up in ups:
            for down in downs:
                current.append(_joined(up, down, i))
        if any(bound.is_broken for bound in current):
            return None
    return current


def _joined(up: _Bound, down: _Bound, i: int) -> _Bound:
    a, b = up.coefficients[i], -down.coefficients[i]
    total = {j: b * c for j, c in up.coefficients.items() if j != i}
    for j, c in down.coefficients.items():
        if j != i:
            total[j] = total.get(j, Fraction(0)) + a * c
    return _Bound({j: c for j, c in total.items() if c}, b * up.most + a * down.most, up.strict or down.strict)


def _bounds(rows: Sequence[Linear], columns: Mapping[int, Column]) -> list[_Bound]:
    found = [_Bound(dict(row.coefficients), row.most, row.strict) for row in rows]
    for j, column in columns.items():
        if math.isfinite(column.low):
            found.append(_Bound({j: Fraction(-1)}, -Fraction(column.low), False))
        if math.isfinite(column.high):
            found.append(_Bound({j: Fraction(1)}, Fraction(column.high), False))
    return found


def solved(
    rows: Sequence[Linear], columns: Mapping[int, Column], preferred: Callable[[int], Fraction]
) -> dict[int, float] | None:
    """Numbers that obey, near to what is preferred; None if there are none. Every column of the rows is in
    ``columns``. `LimitError` where too many would have to be tried.
    """
    order = sorted(columns, key=lambda j: (columns[j].step is None, columns[j].high - columns[j].low))
    tried = 0

    def extended(i: int, bounds: list[_Bound]) -> dict[int, float] | None:
        nonlocal tried
        if any(bound.is_broken for bound in bounds):
            return None
        if i == len(order):
            return {}
        j = order[i]
        projected = _projected(bounds, j)
        if projected is None or (left := _Interval(j, projected)).is_empty:
            return None
        for number in _numbers(columns[j], left, preferred(j)):
            tried += 1
            if tried > MOST_TRIED:
                raise LimitError(
                    f"constraints: more than {MOST_TRIED:,} whole numbers would have to be tried; give narrower ranges "
                    "with allowed="
                )
            rest = extended(i + 1, [bound.with_number(j, Fraction(number)) for bound in bounds])
            if rest is not None:
                return {j: number, **rest}
        return None

    return extended(0, _bounds(rows, columns))


def _numbers(column: Column, left: _Interval, preferred: Fraction) -> Iterator[float]:
    """Numbers of a column within an interval, the preferred one first."""
    marks = [left.clipped(preferred)]
    if column.step is None:
        marks += [end[0] for end in (left.low, left.high) if end is not None]
        marks += [] if left.middle is None else [left.middle]
    seen = set()
    for mark in marks:
        outside = 0
        for number in column.around(mark):
            if number in seen:
                continue
            if Fraction(number) not in left:
                outside += 1
                if outside > 4 and column.step is not None:
                    break
                continue
            outside = 0
            seen.add(number)
            yield number


def nearest(
    rows: Sequence[Linear], columns: Mapping[int, Column], own: Mapping[int, Fraction], rates: Mapping[int, Fraction]
) -> dict[int, float] | None:
    """Numbers that obey and are nearest to own ones: the sum of the distances times rates is least. None if there are
    none. Where the nearest point is between the numbers of grids, those beside it are tried. Real numbers have
    few digits.
    """
    best: tuple[Fraction, dict[int, Fraction]] | None = None
    rows = [_on_the_grid(row, columns) for row in rows]
    bounds = _bounds(rows, columns)
    names = sorted(columns)
    faces = [*((dict(b.coefficients), b.most) for b in bounds), *(({j: Fraction(1)}, own[j]) for j in names)]
    if math.comb(len(faces), len(names)) <= MOST_TRIED:
        for chosen in combinations(faces, len(names)):
            point = _crossing(chosen, names)
            if point is None or not all(_obeyed(bound, point) for bound in bounds):
                continue
            far = sum((rates[j] * abs(point[j] - own[j]) for j in names), Fraction(0))
            if best is None or far < best[0]:
                best = far, point
    preferred = own if best is None else best[1]
    found = solved(rows, columns, lambda j: preferred[j])
    if found is None or best is None:
        return found

    def far_of(numbers: Mapping[int, float]) -> Fraction:
        return sum((rates[j] * abs(Fraction(numbers[j]) - own[j]) for j in names), Fraction(0))

    grid = [j for j in names if columns[j].step is not None]
    if all(Fraction(found[j]) == preferred[j] for j in grid):
        return found
    count = max(2, int(MOST_BESIDE ** (1 / len(grid)) + 1e-9))
    candidates = [found]
    for some in product(*(islice(columns[j].around(preferred[j]), count) for j in grid)):
        tick()
        known = dict(zip(grid, some, strict=True))
        left = [row.with_known(known) for row in rows]
        if all(row.coefficients or row.holds_for({}) for row in left):
            others = {j: column for j, column in columns.items() if j not in known}
            rest = nearest([row for row in left if row.coefficients], others, own, rates)
            candidates += [] if rest is None else [known | rest]
    return min(candidates, key=far_of)


def _on_the_grid(row: Linear, columns: Mapping[int, Column]) -> Linear:
    """The same row where its columns have whole numbers, or multiples: its bound is a sum that they can have."""
    unit, base = Fraction(0), Fraction(0)
    for j, coefficient in row.coefficients:
        column = columns[j]
        end = next((end for end in (column.low, column.high) if math.isfinite(end)), None)
        if end is None or column.step is None or column.step.denominator & (column.step.denominator - 1):
            return row  # multiples of 0.1, say, are rounded to doubles
        base += coefficient * Fraction(end)
        if column.low < column.high:
            unit = _common(unit, coefficient * column.step)
    if not unit:
        return row
    left = (row.most - base) / unit
    count = math.ceil(left) - 1 if row.strict else math.floor(left)
    return Linear(row.coefficients, base + count * unit)


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The greatest number of which both are multiples."""
    below = math.lcm(a.denominator, b.denominator)
    return Fraction(math.gcd(int(a * below), int(b * below)), below)


def _obeyed(bound: _Bound, point: Mapping[int, Fraction]) -> bool:
    """Is a bound obeyed, at least up to its end?"""
    return sum((c * point[j] for j, c in bound.coefficients.items()), Fraction(0)) <= bound.most


def _crossing(
    faces: Sequence[tuple[dict[int, Fraction], Fraction]], names: Sequence[int]
) -> dict[int, Fraction] | None:
    """The one point on all faces; None if there is none, or more than one."""
    lines = [[*(coefficients.get(j, Fraction(0)) for j in names), most] for coefficients, most in faces]
    for i in range(len(names)):
        pivot = next((r for r in range(i, len(lines)) if lines[r][i]), None)
        if pivot is None:
            return None
        lines[i], lines[pivot] = lines[pivot], lines[i]
        lines[i] = [entry / lines[i][i] for entry in lines[i]]
        for r, line in enumerate(lines):
            if r != i and line[i]:
                lines[r] = [a - line[i] * b for a, b in zip(line, lines[i], strict=True)]
    return {j: lines[i][-1] for i, j in enumerate(names)}
