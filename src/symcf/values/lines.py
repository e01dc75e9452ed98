"""Values for a change set where columns of numbers are related: the nearest, the surest or the likeliest.

What is to be small (a cost, a distance) or large (a margin, the likelihood) is one more sum of the system, with a bound
that is moved until the oracle proves that no row is better, by more than one part in `PARTS` of what was found.

Numbers are multiples of their column's resolution where such a row exists; where none does, as few columns as possible
leave it. Over multiples the search ends after `MOST_BOXES` boxes and then gives the best row that it found, which may
not be the nearest one of all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symcf.common.clock import Clock
from symcf.data.numbers import NumberLine
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.question.case import NumberCase
from symcf.question.lines import plausible_sum
from symcf.question.prices import Span
from symcf.search.lines import BoxLimit, LineOracle
from symcf.system.lines import Curve, Grid, Option, Row, Sum, System
from symcf.values.likeliest import Found
from symcf.values.protocol import ChangeSet, Codes, NumberValues, Priced, Range

__all__ = ["LikeliestNumbers", "LineAssignments"]

#: By feature and option, what is to be small.
Amounts = tuple[tuple[Curve, ...], ...]

PARTS = 1 << 20

MOST_BOXES = 3000


class LineAssignments(NumberValues):
    """The values of one row of numbers, from its system of sums."""

    def __init__(self, case: NumberCase) -> None:
        self._case = case
        self._lowered = case.system
        self._system: System = case.system.system
        self._rows: dict[tuple[str, tuple[int, ...]], Row | None] = {}

    # --- which values

    def priced(self, change_set: ChangeSet) -> Priced | None:
        """See `Values`. The cheapest values that are enough and, of these, the nearest."""
        codes = self._codes(change_set, self._row("nearest", change_set))
        if codes is None:
            return None
        x, costs = self._case.x, self._case.costs
        return Priced(sum(costs.unit_of(j, x[j], code) for j, code in zip(change_set, codes, strict=True)), codes)

    def surest(self, change_set: ChangeSet) -> Codes | None:
        return self._codes(change_set, self._row("surest", change_set))

    def likeliest(self, change_set: ChangeSet) -> Found | None:
        """The cheapest values that are enough and, of these, the likeliest and then the nearest."""
        row = self._row("likeliest", change_set)
        codes = self._codes(change_set, row)
        return None if codes is None or row is None else Found(int(self._likelihood(0).value(row)), codes)

    def cheapest(self, k: int, max_changes: int | None, clock: Clock, *, by_sums: bool = True) -> None:
        """See `Values`. It cannot tell."""

    def ranges(self, change_set: ChangeSet, codes: Sequence[int], raw: RawRow) -> list[tuple[Range, Range]]:
        """See `Values`. These values alone: what others would need of the other columns is not known."""
        every: list[Range] = []
        for j, code in zip(change_set, codes, strict=True):
            line = self._case.question.classifier.values[j]
            every.append(Region(line[code], line[code]) if isinstance(line, NumberLine) else (line[code],))
        return [(one, one) for one in every]

    def _codes(self, change_set: Sequence[int], row: Row | None) -> Codes | None:
        if row is None:
            return None
        codes = self._lowered.codes(row)
        self._case.confirm(codes)
        return tuple(codes[j] for j in change_set)

    # --- one row

    def _row(self, which: str, change_set: Sequence[int]) -> Row | None:
        key = which, tuple(change_set)
        if key not in self._rows:
            self._rows[key] = self._found(which, key[1])
        return self._rows[key]

    def _found(self, which: str, change_set: tuple[int, ...]) -> Row | None:
        search = _Search(self._on_grids(change_set), change_set)
        row = search.witness()
        if row is None:
            return None
        prices = self._case.costs.prices
        if any(prices[j].by_value for j in change_set):
            costs = self._amounts(change_set, self._cost)
            row = search.smallest(costs, row)
            search.keep_within(costs, row)
        if which == "surest":
            return search.surest(row)
        if which == "likeliest":
            row = search.largest(self._likelihood(0), row)
        if all(isinstance(prices[j], Span) for j in change_set):
            return row
        return search.smallest(self._amounts(change_set, self._move), row)

    def _on_grids(self, change_set: Sequence[int]) -> System:
        """The system with numbers that are multiples of their resolutions, as far as there are such rows."""
        question, features = self._case.question, self._system.features
        grids = {}
        for j in change_set:
            line = question.classifier.values[j]
            if isinstance(line, NumberLine) and features[j].grid.step is None:
                step = question.resolutions.get(j, line.resolution)
                if step is not None:
                    grids[j] = Grid(step, features[j].grid.short)
        if not grids or self._is_enough(grids, change_set):
            return self._system.on_grids(grids)
        kept: dict[int, Grid] = {}
        for j, grid in grids.items():
            if self._is_enough({**kept, j: grid}, change_set):
                kept[j] = grid
        return self._system.on_grids(kept)

    def _is_enough(self, grids: dict[int, Grid], change_set: Sequence[int]) -> bool:
        return _Search(self._system.on_grids(grids), change_set).witness() is not None

    # --- what is to be small

    def _amounts(self, change_set: Sequence[int], of: Callable[[int, Option], Curve]) -> Amounts:
        moving = set(change_set)
        return tuple(
            tuple(
                of(j, option) if j in moving and o != line.own else Curve.constant(0)
                for o, option in enumerate(line.options)
            )
            for j, line in enumerate(self._system.features)
        )

    def _move(self, j: int, option: Option) -> Curve:
        """How far a feature moves: relative to the length of its line, or in steps of its order."""
        case = self._case
        labels, own = case.question.classifier.values[j], case.x[j]
        if not isinstance(labels, NumberLine):
            assert option.code is not None
            if not case.question.classifier.ordered[j]:
                return Curve.constant(1)
            return Curve.constant(Fraction(abs(option.code - own), max(1, len(labels) - 1)))
        return _away(option, labels.number(own), 1 / (labels.span or Fraction(1)))

    def _cost(self, j: int, option: Option) -> Curve:
        """What a feature costs."""
        case = self._case
        price, own, labels = case.costs.prices[j], case.x[j], case.question.classifier.values[j]
        if isinstance(price, Span) and isinstance(labels, NumberLine):
            return _away(option, labels.number(own), 1 / price.scale)
        return Curve.constant(price.cost(own, own + 1 if option.code is None else option.code))

    def _likelihood(self, least: int) -> Sum:
        plausibility = self._case.question.classifier.plausibility
        assert plausibility is not None
        assert self._lowered.plausible is not None
        return plausible_sum(plausibility, self._lowered.plausible, least)


def _away(option: Option, own: float, rate: Fraction) -> Curve:
    """The distance from a number, times a rate: an interval lies on one side of it. 1 if the number is not known."""
    if math.isnan(own):
        return Curve.constant(1)
    assert option.low is not None
    sign = 1 if option.low >= own else -1
    return Curve(Fraction(0), sign * rate, -sign * rate * Fraction(own))


class LikeliestNumbers:
    """The likeliest values of the change sets of one row of numbers; see `symcf.values.likeliest`."""

    def __init__(self, case: NumberCase) -> None:
        self._values = LineAssignments(case)

    def best(self, change_set: ChangeSet) -> Found | None:
        """The likeliest among the cheapest values that flip the decision, and of these the nearest; None if none do."""
        return self._values.likeliest(change_set)

    def ranked(self, sets: Iterable[ChangeSet]) -> Iterator[tuple[ChangeSet, Found]]:
        """Sets with their likeliest values, the likeliest first; of several, in the order given."""
        found = [(one, likely) for one in sets if (likely := self.best(one)) is not None]
        yield from sorted(found, key=lambda pair: -pair[1].score)


class _Search:
    """Rows of one change set, with bounds that are moved."""

    def __init__(self, system: System, change_set: Sequence[int]) -> None:
        self._system, self._free = system, tuple(change_set)
        #: Sums that have to be reached besides those of the goals.
        self._more: tuple[Sum, ...] = ()

    def witness(self, *extra: Sum, margin: Fraction = Fraction(0)) -> Row | None:
        """A row that is enough, with every margin at least so large; None if there is none, or none was found soon."""
        goals = tuple(
            (*(replace(part, bias=part.bias - margin) if part.rounding else part for part in goal), *self._more, *extra)
            for goal in self._system.goals
        )
        oracle = LineOracle(replace(self._system, goals=goals), MOST_BOXES)
        try:
            return oracle.witness(self._free)
        except BoxLimit:
            return None

    def keep_within(self, amounts: Amounts, row: Row) -> None:
        """From now on, rows must not have more of something than this one."""
        most = _bounded(amounts, Fraction(0))
        self._more = (*self._more, replace(most, bias=-most.value(row)))

    def smallest(self, amounts: Amounts, row: Row) -> Row:
        """The row with the smallest amount, starting from one that is enough."""
        low, most = Fraction(0), _bounded(amounts, Fraction(0))
        high = -most.value(row)
        while high - low > high / PARTS:
            middle = (low + high) / 2
            found = self.witness(_bounded(amounts, middle))
            if found is None:
                low = middle
            else:
                row, high = found, -most.value(found)
        return row

    def largest(self, amount: Sum, row: Row) -> Row:
        """The row with the largest sum of whole numbers, starting from one that is enough; it is kept from then on."""
        low, step = int(amount.value(row)), 1
        high = None
        while high is None or high - low > 1:
            middle = low + step if high is None else (low + high) // 2
            found = self.witness(replace(amount, bias=amount.bias - middle))
            if found is None:
                high = middle
            else:
                row, low, step = found, int(amount.value(found)), 2 * step
        self._more = (*self._more, replace(amount, bias=amount.bias - low))
        return row

    def surest(self, row: Row) -> Row:
        """The row with the largest margin, starting from one that is enough."""
        low, high = self._margin(row), None
        step = max(Fraction(1), low)
        while high is None or high - low > high / PARTS:
            middle = low + step if high is None else (low + high) / 2
            found = self.witness(margin=middle)
            if found is None:
                high = middle
            else:
                row, low, step = found, max(middle, self._margin(found)), 2 * step
        return row

    def _margin(self, row: Row) -> Fraction:
        """The least margin of the goal that a row reaches."""
        margins = [
            min(part.value(row) for part in goal if part.rounding)
            for goal in self._system.goals
            if all(part.value(row) >= 0 for part in goal)
        ]
        return max(margins)


def _bounded(amounts: Amounts, most: Fraction) -> Sum:
    """At least 0 iff the amounts are at most this together."""
    return Sum(most, tuple(tuple(Curve(-c.square, -c.slope, -c.shift) for c in curves) for curves in amounts))
