"""Which sets of features are enough, where columns hold numbers: branch and bound over boxes of a system of sums.

A box leaves each feature some options, and of each interval a part. Sums and linear rows share the features, so what
they can reach together is bounded by *weights*: whatever the weights of the sums, no row of the box has a larger
weighted sum than the features have one by one, each at its best. Good weights are those of a matrix game between the
sums and the rows that were best for earlier weights (Dantzig and Wolfe 1960; Kelley 1960). The game is played in floats
and proposes two things: weights, whose bound is then computed in fractions and proves a box empty if it is below 0; and
a mixture of rows, whose average is rounded to numbers of the columns and then checked by exact sums. So nothing that is
found or ruled out depends on the rounding of floats. Where a mixture is no row, the box is split.

What remains is a gap. Over columns of real numbers a box may be neither: its best row is within `TOLERANCE` of what is
needed, relative to the size of the sums, and no row that was tried reaches it. Such a box counts as empty, and `gaps`
counts it. Over grids (whole numbers, multiples) boxes are split to the end, and there is no gap.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.common.clock import NO_LIMIT, Clock, tick
from symcf.errors import LimitError
from symcf.search.game import game
from symcf.system.lines import HALF, Goal, Linear, Row, Sum, System, Taken

__all__ = ["TOLERANCE", "BoxLimit", "LineOracle"]

Floats = npt.NDArray[np.float64]

#: Relative to the size of a sum: rows that win by less may be missed where numbers are real.
TOLERANCE = 2.0**-40

#: The value of a game with which its mixture is tried without playing on.
ENOUGH = 1e-7

#: Rounds of a game for one box, at most.
ROUNDS = 60

#: Weights are multiples of 2 to the power of minus this when they are checked.
PLACES = 40


class BoxLimit(Exception):
    """More boxes are needed than allowed; who set the limit decides what that means."""


@dataclass
class _Box:
    """By feature, the options left; by option, which part of an interval."""

    alive: list[frozenset[int]]
    #: By feature and option; None where it is no number.
    low: list[list[float | None]]
    high: list[list[float | None]]
    #: Rows that were best for some weights and lie in it.
    columns: list[_Column]

    def child(self) -> _Box:
        """A copy to be made smaller."""
        return _Box(list(self.alive), [list(part) for part in self.low], [list(part) for part in self.high], [])

    def keep(self, columns: Sequence[_Column]) -> None:
        """Takes over the columns that lie in it."""
        self.columns = [column for column in columns if all(map(self._has, range(len(self.alive)), column.row))]

    def _has(self, j: int, taken: Taken) -> bool:
        option, number = taken
        low, high = self.low[j][option], self.high[j][option]
        return option in self.alive[j] and (number is None or low is None or high is None or low <= number <= high)


@dataclass(frozen=True)
class _Column:
    """A row, and by how much it is above what each sum and linear row needs, in floats."""

    row: Row
    slack: Floats


class LineOracle:
    """Finds rows of a system that equal its own row but for some features."""

    def __init__(self, system: System, most_boxes: int | None = None) -> None:
        """`BoxLimit` where a set takes more than ``most_boxes``."""
        self.system = system
        self._most = math.inf if most_boxes is None else most_boxes
        #: Boxes that were given up within the tolerance.
        self.gaps = 0
        #: Boxes that were looked at.
        self.boxes = 0
        self._games = [_Game(part, goal) for part in system.parts for goal in part.goals]

    def witness(self, free: Collection[int], clock: Clock = NO_LIMIT) -> Row | None:
        """A row that reaches a goal and differs in features of ``free`` only; None if there is none."""
        for played in self._games:
            found = self._search(played, free, clock)
            if found is not None:
                return found
        return None

    def _search(self, played: _Game, free: Collection[int], clock: Clock) -> Row | None:
        waiting, last = [self._box(free)], self.boxes + self._most
        while waiting:
            self.boxes += 1
            if self.boxes > last:
                raise BoxLimit
            tick()
            if clock.expired:
                raise LimitError("time limit reached while a set of features was tried")
            box = waiting.pop()
            if not self._narrowed(box, played.system):
                continue
            found = played.play(box)
            if found.row is not None:
                return found.row
            if found.is_gap:
                self.gaps += 1
            waiting += found.parts
        return None

    def _box(self, free: Collection[int]) -> _Box:
        """The box of all rows that differ in these features only."""
        features = self.system.features
        alive, low, high = [], [], []
        for j, line in enumerate(features):
            lows = [option.low for option in line.options]
            highs = [option.high for option in line.options]
            some = []
            for place, option in enumerate(line.options):
                if place != line.own and j not in free:
                    continue
                if option.code is None and option.low is not None and option.high is not None:
                    lows[place] = line.grid.up(Fraction(option.low))
                    highs[place] = line.grid.down(Fraction(option.high))
                    if lows[place] > highs[place]:  # type: ignore[operator]
                        continue
                some.append(place)
            alive.append(frozenset(some))
            low.append(lows)
            high.append(highs)
        return _Box(alive, low, high, [])

    # --- what follows without a search

    def _narrowed(self, box: _Box, system: System) -> bool:
        """Takes away what no condition and no linear row allows; False if nothing is left."""
        while True:
            before = list(box.alive)
            if not all(part.narrow(box.alive) for part in system.conditions) or not all(box.alive):
                return False
            moved = False
            for row in system.linear:
                fine, changed = self._within(row, box)
                if not fine:
                    return False
                moved |= changed
            if box.alive == before and not moved:
                return True

    def _within(self, row: Linear, box: _Box) -> tuple[bool, bool]:
        """Cuts intervals down to what a linear row leaves; is anything left, and did one change by much?"""
        least: list[Fraction] = []
        for j, coefficient in row.coefficients:
            ends = [box.low[j][o] if coefficient > 0 else box.high[j][o] for o in box.alive[j]]
            if any(end is None for end in ends):
                return True, False  # it may say nothing
            least.append(min(coefficient * Fraction(end) for end in ends if end is not None))
        total, changed = sum(least, Fraction(0)), False
        if total > row.most or (total == row.most and row.strict):
            return False, False
        for (j, coefficient), own in zip(row.coefficients, least, strict=True):
            mark, line = (row.most - total + own) / coefficient, self.system.features[j]
            for o in sorted(box.alive[j]):
                low, high = box.low[j][o], box.high[j][o]
                assert low is not None
                assert high is not None
                end, other = (high, low) if coefficient > 0 else (low, high)
                if not _beyond(end, mark, coefficient > 0, row.strict):
                    continue
                if line.options[o].code is None:
                    grid = line.grid
                    cut = grid.down(mark, strict=row.strict) if coefficient > 0 else grid.up(mark, strict=row.strict)
                else:
                    cut = -math.inf if coefficient > 0 else math.inf
                if cut < other if coefficient > 0 else cut > other:
                    box.alive[j] = box.alive[j] - {o}
                    changed = True
                    continue
                changed |= abs(end - cut) > 1e-3 * abs(high - low)
                (box.high if coefficient > 0 else box.low)[j][o] = cut
            if not box.alive[j]:
                return False, False
        return True, changed


def _beyond(end: float, mark: Fraction, up: bool, strict: bool) -> bool:
    exact = Fraction(end)
    return (exact > mark if up else exact < mark) or (strict and exact == mark)


# --- one box ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Result:
    """What became of a box: a row that is enough, or parts that are looked at later, the last one first."""

    row: Row | None = None
    parts: tuple[_Box, ...] = ()
    #: Was it given up within the tolerance?
    is_gap: bool = False


NO_RESULT = _Result()


class _Place(NamedTuple):
    """Where an interval is split, and how much a mixture varies in it, relative to the line."""

    option: int
    mark: float
    variation: float


class _Game:
    """The sums of one goal and the linear rows, against the rows of a box."""

    def __init__(self, system: System, goal: Goal) -> None:
        self.system, self._goal = system, goal
        sizes = [len(line.options) for line in system.features]
        self._start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._sizes = [_size(part, system) for part in goal]
        self._spans = [_span(part, system) for part in system.linear]
        # coefficients of the squares, of the numbers, and constants: by sum or linear row, then by feature and option
        shape = len(goal) + len(system.linear), int(self._start[-1])
        self._square, self._slope, self._shift = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._bias = np.zeros(shape[0])
        for k, (part, size) in enumerate(zip(goal, self._sizes, strict=True)):
            self._bias[k] = float(part.bias / size)
            curves = [curve for terms in part.terms for curve in terms]
            self._square[k] = [float(curve.square / size) for curve in curves]
            self._slope[k] = [float(curve.slope / size) for curve in curves]
            self._shift[k] = [float(curve.shift / size) for curve in curves]
        for k, (row, span) in enumerate(zip(system.linear, self._spans, strict=True), len(goal)):
            self._bias[k] = float(row.most / span)
            for j, coefficient in row.coefficients:
                for o, option in enumerate(system.features[j].options):
                    if option.low is None:
                        continue
                    at = int(self._start[j]) + o
                    if option.code is None:
                        self._slope[k, at] = float(-coefficient / span)
                    else:
                        self._shift[k, at] = float(-coefficient * Fraction(option.low) / span)
        self._pairs = [(k, pair) for k, part in enumerate(goal) for pair in part.pairs]
        both = {(pair.first, pair.second) for _, pair in self._pairs}
        assert len({second for _, second in both}) == len(both), "pairs are no forest"

    def play(self, box: _Box) -> _Result:
        """Decides a box, or splits it."""
        active = self._active(box)
        columns, upper = list(box.columns), math.inf
        arrays = self._arrays(box)
        for weights in np.eye(len(self._bias))[: len(self._goal)]:
            column, bound = self._best(weights, box, *arrays)
            if bound < 0 and self._is_proved(weights, box):
                return NO_RESULT
            columns.append(column)
            upper = min(upper, bound)
        mixture = np.zeros(len(columns))
        mixture[-1] = 1.0
        for _ in range(ROUNDS if len(active) > 1 else 0):
            value, chosen, mixture = game(np.array([column.slack[active] for column in columns]).T)
            if value > ENOUGH:
                break
            weights = np.zeros(len(self._bias))
            weights[active] = chosen
            column, bound = self._best(weights, box, *arrays)
            if bound < 0 and self._is_proved(weights, box):
                return NO_RESULT
            upper = min(upper, bound)
            if bound <= value + 1e-12 or any(column.row == other.row for other in columns):
                break
            columns.append(column)
            mixture = np.append(mixture, 0.0)
        for row in self._candidates(box, columns, mixture):
            if self.system.reaches(self._goal, row):
                return _Result(row)
        return self._split(box, columns, mixture, upper)

    def _active(self, box: _Box) -> list[int]:
        """The sums, and the linear rows that say something in the whole box and are not obeyed by all of it."""
        found = list(range(len(self._goal)))
        for k, row in enumerate(self.system.linear, len(self._goal)):
            most = -row.most
            for j, coefficient in row.coefficients:
                ends = [box.high[j][o] if coefficient > 0 else box.low[j][o] for o in box.alive[j]]
                if any(end is None for end in ends):
                    break
                most += max(coefficient * Fraction(end) for end in ends if end is not None)
            else:
                if most > 0 or (most == 0 and row.strict):
                    found.append(k)
        return found

    # --- floats propose

    def _arrays(self, box: _Box) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        alive = np.zeros(int(self._start[-1]), dtype=np.bool_)
        for j, some in enumerate(box.alive):
            alive[[int(self._start[j]) + o for o in some]] = True
        lows = np.array([0.0 if end is None else end for part in box.low for end in part])
        highs = np.array([0.0 if end is None else end for part in box.high for end in part])
        return lows, highs, alive

    def _best(
        self, weights: Floats, box: _Box, lows: Floats, highs: Floats, alive: npt.NDArray[np.bool_]
    ) -> tuple[_Column, float]:
        """The row of the box with the largest weighted sum, but for rounding, and that sum."""
        square, slope, shift = weights @ self._square, weights @ self._slope, weights @ self._shift
        with np.errstate(divide="ignore", invalid="ignore"):
            apex = np.where(square < 0, -slope / (2 * square), lows)
        places = np.array([lows, highs, np.clip(np.where(np.isfinite(apex), apex, lows), lows, highs)])
        values = (square * places + slope) * places + shift
        which = np.argmax(values, axis=0)
        every = np.arange(len(which))
        values, places = np.where(alive, values[which, every], -np.inf), places[which, every]
        chosen, total = self._chosen(weights, values)
        row = []
        for j, line in enumerate(self.system.features):
            at = int(self._start[j]) + chosen[j]
            option = line.options[chosen[j]]
            if option.code is not None:
                row.append(Taken(chosen[j], option.low))
                continue
            low, high = box.low[j][chosen[j]], box.high[j][chosen[j]]
            assert low is not None
            assert high is not None
            number = float(places[at])
            if low < number < high:
                number = min(max(line.grid.nearest(number), low), high)
            row.append(Taken(chosen[j], number))
        return self._column(tuple(row)), total + float(weights @ self._bias)

    def _chosen(self, weights: Floats, values: Floats) -> tuple[list[int], float]:
        """By feature, the best option of those with these values, and the sum: pairs of features are a forest."""
        parts = [values[a:b] for a, b in zip(self._start[:-1], self._start[1:], strict=True)]
        linked = _merged([(pair, weights[k] / float(self._sizes[k])) for k, pair in self._pairs if weights[k] > 0])
        if not linked:
            best = [int(np.argmax(part)) for part in parts]
            return best, float(sum(part[o] for part, o in zip(parts, best, strict=True)))
        answer: dict[int, npt.NDArray[np.int64]] = {}
        parent = {pair.second: pair.first for pair, _ in linked}
        for pair, weight in _leaves_first([(pair, weight) for pair, weight in linked]):
            both = weight * np.array(pair.table, dtype=np.float64) + parts[pair.second][np.newaxis, :]
            answer[pair.second] = np.argmax(both, axis=1)
            parts[pair.first] = parts[pair.first] + both.max(axis=1)
        best = [int(np.argmax(part)) for part in parts]
        total = float(sum(part[o] for j, (part, o) in enumerate(zip(parts, best, strict=True)) if j not in parent))
        for pair, _ in reversed(_leaves_first(linked)):
            best[pair.second] = int(answer[pair.second][best[pair.first]])
        return best, total

    def _column(self, row: Row) -> _Column:
        at = self._start[:-1] + np.array([taken.option for taken in row])
        y = np.array([0.0 if taken.number is None else taken.number for taken in row])
        slack = self._bias + ((self._square[:, at] * y + self._slope[:, at]) * y + self._shift[:, at]).sum(axis=1)
        for k, pair in self._pairs:
            slack[k] += pair.table[row[pair.first].option][row[pair.second].option] / float(self._sizes[k])
        return _Column(row, slack)

    def _candidates(self, box: _Box, columns: Sequence[_Column], mixture: Floats) -> Iterator[Row]:
        """Rows that may be enough: of the mixture, its average, rounded in several ways; and the columns themselves."""
        some = [(column, float(share)) for column, share in zip(columns, mixture, strict=True) if share > 1e-12]
        mixed: list[tuple[int, float | None]] = []
        for j, line in enumerate(self.system.features):
            shares: dict[int, float] = {}
            for column, share in some:
                shares[column.row[j].option] = shares.get(column.row[j].option, 0.0) + share
            option = max(shares, key=shares.__getitem__)
            if line.options[option].code is not None:
                mixed.append((option, line.options[option].low))
                continue
            there = [(column.row[j].number, share) for column, share in some if column.row[j].option == option]
            mean = sum((number or 0.0) * share for number, share in there) / shares[option]
            mixed.append((option, mean))
        for rounded in (_as_it_is, _simple, _at_ends):
            yield self._obeying(box, mixed, rounded)
        yield from (column.row for column in columns if (column.slack[: len(self._goal)] > -1e-9).all())

    def _obeying(self, box: _Box, mixed: Sequence[tuple[int, float | None]], rounded: Any) -> Row:
        """The row of the grids next to a mixture. Numbers that are a rounding away from obeying an order are moved."""
        features, row = self.system.features, []
        for j, (option, number) in enumerate(mixed):
            low, high = box.low[j][option], box.high[j][option]
            if number is None or features[j].options[option].code is not None or low is None or high is None:
                row.append(Taken(option, number))
            else:
                near = features[j].grid.nearest(rounded(number, low, high))
                row.append(Taken(option, min(max(near, low), high)))
        for _ in range(len(self.system.linear)):
            moved = False
            for order in self.system.linear:
                if not order.holds(tuple(row)):
                    moved |= self._repaired(order, row, box)
            if not moved:
                break
        return tuple(row)

    def _repaired(self, order: Linear, row: list[Taken], box: _Box) -> bool:
        """Moves the last number of a linear row that can be moved so far that the row is obeyed."""
        for j, coefficient in reversed(order.coefficients):
            line, option = self.system.features[j], row[j].option
            low, high = box.low[j][option], box.high[j][option]
            if line.options[option].code is not None or low is None or high is None:
                continue
            rest = sum(
                (
                    c * Fraction(number)
                    for i, c in order.coefficients
                    if i != j and (number := row[i].number) is not None
                ),
                Fraction(0),
            )
            mark = (order.most - rest) / coefficient
            number = (
                line.grid.down(mark, strict=order.strict)
                if coefficient > 0
                else line.grid.up(mark, strict=order.strict)
            )
            if low <= number <= high:
                row[j] = Taken(option, number)
                return True
        return False

    # --- fractions decide

    def _is_proved(self, weights: Floats, box: _Box) -> bool:
        """Is the weighted sum of every row of the box below 0?"""
        exact = [Fraction(round(weight * 2.0**PLACES)) for weight in weights]
        scales = [weight / size for weight, size in zip(exact, [*self._sizes, *self._spans], strict=True)]
        sums = [(part, scale) for part, scale in zip(self._goal, scales, strict=False) if scale]
        linear = [
            (row, scale) for row, scale in zip(self.system.linear, scales[len(self._goal) :], strict=True) if scale
        ]
        total = sum((part.bias * scale for part, scale in sums), Fraction(0))
        total += sum((row.most * scale for row, scale in linear), Fraction(0))
        best = [self._most(j, box, sums, linear) for j in range(len(box.alive))]
        linked = _merged([(pair, scale) for part, scale in sums for pair in part.pairs])
        children = {pair.second for pair, _ in linked}
        for pair, scale in _leaves_first(linked):
            above, below = best[pair.first], best[pair.second]
            for o in above:
                above[o] += max(scale * pair.table[o][p] + value for p, value in below.items())
        total += sum((max(values.values()) for j, values in enumerate(best) if j not in children), Fraction(0))
        return total < 0

    def _most(
        self,
        j: int,
        box: _Box,
        sums: Sequence[tuple[Sum, Fraction]],
        linear: Sequence[tuple[Linear, Fraction]],
    ) -> dict[int, Fraction]:
        """By option that a feature may have, the most that it adds to a weighted sum."""
        line, found = self.system.features[j], {}
        moves = sum((dict(row.coefficients).get(j, Fraction(0)) * scale for row, scale in linear), Fraction(0))
        for o in box.alive[j]:
            low, high = box.low[j][o], box.high[j][o]
            square = slope = shift = Fraction(0)
            rounding = Fraction(0)
            for part, scale in sums:
                curve = part.terms[j][o]
                square += scale * curve.square
                slope += scale * curve.slope
                shift += scale * curve.shift
                if part.rounding and (curve.square or curve.slope):
                    rounding += scale * HALF
            if low is None or high is None:
                found[o] = shift
                continue
            first, last = Fraction(low), Fraction(high)
            if line.options[o].code is not None:
                found[o] = shift - moves * first
                continue
            slope -= moves
            ends = [(square * y + slope) * y for y in (first, last)]
            if square < 0 and first < (apex := -slope / (2 * square)) < last:
                ends.append((square * apex + slope) * apex)
            found[o] = shift + max(ends) + rounding
        return found

    # --- parts

    def _split(self, box: _Box, columns: Sequence[_Column], mixture: Floats, upper: float) -> _Result:
        """The parts of a box, the more promising one last."""
        some = [(column, float(share)) for column, share in zip(columns, mixture, strict=True) if share > 1e-9]
        features = self.system.features
        options = self._mixed_options(some)
        for part in self.system.conditions:
            found = part.split(box.alive)
            if found is not None and not all(part.holds(column.row) for column, _ in some):
                return self._by_options(box, columns, *found, options[found[0]])
        fractional = [j for j, shares in enumerate(options) if len(shares) > 1]
        if fractional:
            j = min(fractional, key=lambda i: max(options[i].values()))
            first = max(options[j], key=options[j].__getitem__)
            return self._by_options(box, columns, j, frozenset([first]), options[j])
        wide = {j: self._place(box, j, some) for j in range(len(features))}
        spread = {j: place for j, place in wide.items() if place is not None and place.variation > 0}
        tight = upper < TOLERANCE
        if spread and not tight:
            j = max(spread, key=lambda i: spread[i].variation)
            return self._by_number(box, columns, j, spread[j])
        for part in self.system.conditions:
            found = part.split(box.alive)
            if found is not None:
                return self._by_options(box, columns, *found, options[found[0]])
        several = [j for j, left in enumerate(box.alive) if len(left) > 1]
        if several:
            j = max(several, key=lambda i: len(box.alive[i]))
            return self._by_options(box, columns, j, frozenset(options[j]), options[j])
        numbers = {j: place for j, place in wide.items() if place is not None}
        if tight:
            numbers = {j: place for j, place in numbers.items() if features[j].grid.step is not None}
        if not numbers:
            return _Result(is_gap=any(place is not None for place in wide.values()))
        j = max(numbers, key=lambda i: self._width(box, i))
        return self._by_number(box, columns, j, numbers[j])

    def _mixed_options(self, some: Sequence[tuple[_Column, float]]) -> list[dict[int, float]]:
        """By feature, the options of a mixture with their shares."""
        found: list[dict[int, float]] = [{} for _ in self.system.features]
        for column, share in some:
            for shares, taken in zip(found, column.row, strict=True):
                shares[taken.option] = shares.get(taken.option, 0.0) + share
        return found

    def _place(self, box: _Box, j: int, some: Sequence[tuple[_Column, float]]) -> _Place | None:
        """Where to split the interval of a feature; None if it is a single number."""
        option = some[0][0].row[j].option
        low, high = box.low[j][option], box.high[j][option]
        if self.system.features[j].options[option].code is not None or low is None or high is None or low >= high:
            return None
        there = [(column.row[j].number, share) for column, share in some if column.row[j].option == option]
        mean = sum((number or 0.0) * share for number, share in there) / sum(share for _, share in there)
        numbers = [number or 0.0 for number, _ in there]
        variation = (max(numbers) - min(numbers)) / self._scale(j)
        inside = 0.1 * high + 0.9 * low <= mean <= 0.9 * high + 0.1 * low
        return _Place(option, mean if inside else low + (high - low) / 2, variation)

    def _width(self, box: _Box, j: int) -> float:
        ends = [(box.low[j][o], box.high[j][o]) for o in box.alive[j]]
        return max(
            (high - low for low, high in ends if low is not None and high is not None), default=0.0
        ) / self._scale(j)

    def _scale(self, j: int) -> float:
        """The length of all intervals of a feature."""
        ends = [end for o in self.system.features[j].options for end in (o.low, o.high) if end is not None]
        return (max(ends) - min(ends)) or 1.0

    def _by_options(
        self, box: _Box, columns: Sequence[_Column], j: int, some: frozenset[int], shares: dict[int, float]
    ) -> _Result:
        """One part has these options, the other one the others."""
        parts = []
        others = box.alive[j] - some
        some &= box.alive[j]
        weight = sum(shares.get(o, 0.0) for o in some)
        for options in (others, some) if weight >= 0.5 else (some, others):
            if options:
                part = box.child()
                part.alive[j] = options
                part.keep(columns)
                parts.append(part)
        return _Result(parts=tuple(parts))

    def _by_number(self, box: _Box, columns: Sequence[_Column], j: int, place: _Place) -> _Result:
        """One part has the numbers of an interval up to a mark, and the other options; the other one those above."""
        grid, option = self.system.features[j].grid, place.option
        low, high = box.low[j][option], box.high[j][option]
        assert low is not None
        assert high is not None
        below = min(max(grid.down(Fraction(place.mark)), low), high)
        above = grid.up(Fraction(below), strict=True)
        if above > high:
            above, below = high, grid.down(Fraction(high), strict=True)
        assert low <= below < above <= high
        first, second = box.child(), box.child()
        first.high[j][option] = below
        second.low[j][option] = above
        second.alive[j] = frozenset([option])
        first.keep(columns)
        second.keep(columns)
        return _Result(parts=(first, second))


def _as_it_is(number: float, low: float, high: float) -> float:
    return number


def _simple(number: float, low: float, high: float) -> float:
    """The fraction of few digits that a float is a rounding of, if it is one."""
    near = float(Fraction(number).limit_denominator(1 << 12))
    return near if abs(near - number) <= 1e-9 * max(abs(low), abs(high)) else number


def _at_ends(number: float, low: float, high: float) -> float:
    """The end of the interval that a float is a rounding away from, if it is."""
    near = low if number - low < high - number else high
    return near if abs(near - number) <= 1e-9 * max(abs(low), abs(high)) else number


def _merged(linked: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """One pair for each two features: several sums may relate the same two."""
    found: dict[tuple[int, int], tuple[Any, Any]] = {}
    for pair, scale in linked:
        key = pair.first, pair.second
        if key in found:
            other, times = found[key]
            rows = zip(other.table, pair.table, strict=True)
            table = tuple(tuple(times * a + scale * b for a, b in zip(*row, strict=True)) for row in rows)
            found[key] = replace(pair, table=table), 1
        else:
            found[key] = pair, scale
    return list(found.values())


def _leaves_first(linked: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Pairs of a forest, each after those of which its second feature is the parent."""
    children: dict[int, list[tuple[Any, Any]]] = {}
    for pair, scale in linked:
        children.setdefault(pair.first, []).append((pair, scale))
    below = {pair.second for pair, _ in linked}
    order: list[tuple[Any, Any]] = []
    waiting = [j for j in children if j not in below]
    while waiting:
        found = children.get(waiting.pop(), [])
        order += found
        waiting += [pair.second for pair, _ in found]
    return order[::-1]


def _size(part: Sum, system: System) -> Fraction:
    """A power of two that no part of a sum exceeds by much: sums are compared relative to it."""
    most = abs(part.bias)
    for terms, line in zip(part.terms, system.features, strict=True):
        found = Fraction(0)
        for curve, option in zip(terms, line.options, strict=True):
            ends = [Fraction(end) for end in (option.low, option.high) if end is not None] or [Fraction(0)]
            found = max(found, *(abs(curve.at(end)) for end in ends))
        most += found
    most += sum((max(abs(number) for line in pair.table for number in line) for pair in part.pairs), 0)
    return _power(most)


def _span(row: Linear, system: System) -> Fraction:
    most = abs(row.most)
    for j, coefficient in row.coefficients:
        ends = [Fraction(end) for o in system.features[j].options for end in (o.low, o.high) if end is not None]
        most += abs(coefficient) * max(map(abs, ends), default=Fraction(0))
    return _power(most)


def _power(number: Fraction) -> Fraction:
    return Fraction(2) ** (math.frexp(float(number))[1]) if number else Fraction(1)
