"""The question about a row with columns of numbers as a system of sums (`symcf.system.lines`).

Numbers stay numbers. A line is cut into intervals only where a relation or the plausibility tells numbers apart, and at
the row's own number, so that distances are straight. Relations are read as if these intervals were values (`LineCells`
has them), comparisons of columns become linear rows, a class that has to win becomes one sum per class that it has to
beat, and a least plausibility is one more sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.data.encoder import FeatureReader
from symcf.data.numbers import MISSING, NumberLine, Numbers, codes_of_numbers, numbers_of_codes
from symcf.data.plausibility import Plausibility
from symcf.data.regions import ANYWHERE, LineCells
from symcf.errors import OptionError
from symcf.models.sums import AdditiveRule
from symcf.question.comparisons import cuts_of
from symcf.question.expressions import Expression
from symcf.question.formulas import AtMost, Both, Formula, Member
from symcf.question.gains import DOWN, FIXED, UP, Freedom, doubts_of, least_margin
from symcf.question.likely import Likely
from symcf.question.row_relations import OldRow, Relation, all_of, label_number, steps_of
from symcf.system.decision import NumberSums
from symcf.system.lines import (
    Among,
    Condition,
    Curve,
    Every,
    Goal,
    Grid,
    Line,
    Option,
    Pair,
    Row,
    Some,
    Sum,
    System,
)

__all__ = ["Lowered", "cells_of_lines", "lowered"]


def cells_of_lines(
    expressions: Sequence[Expression],
    features: Sequence[str],
    values: Sequence[Sequence[Any]],
    readers: Sequence[FeatureReader],
) -> list[LineCells | None]:
    """By feature that is a line of numbers, the intervals that expressions tell apart; None for the others."""
    lines = [isinstance(line, NumberLine) for line in values]
    cuts = cuts_of(expressions, features, [{0: ANYWHERE} if line else None for line in lines])
    return [
        LineCells(tuple(sorted(cuts.get(j, ()))), readers[j].missing is not None) if line else None
        for j, line in enumerate(lines)
    ]


# --- one row ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lowered:
    """A row's question as a system, and the way back."""

    system: System
    #: By feature and option, the code of the cell of the plausibility; None without plausibility.
    plausible: tuple[tuple[int, ...], ...] | None

    def codes(self, row: Row) -> list[int]:
        """A row of the system in the classifier's codes."""
        found = []
        for line, taken in zip(self.system.features, row, strict=True):
            code = line.options[taken.option].code
            if code is None:
                code = int(codes_of_numbers(np.array([taken.number]))[0])
            found.append(code)
        return found


def lowered(
    decision: NumberSums,
    values: Sequence[Sequence[Any]],
    readers: Sequence[FeatureReader],
    freedom: Freedom,
    row: npt.NDArray[np.int64],
    *,
    prediction: int,
    target: int | None,
    cells: Sequence[LineCells | None],
    formulas: Sequence[Formula],
    by_row: Sequence[Relation],
    likely: Likely | None,
    plausibility: Plausibility | None,
    numbers: Mapping[int, float | None],
    grids: Mapping[int, Grid],
    possible: bool = False,
) -> Lowered:
    """The system of a row, which has the shape (1, n). ``by_row`` are relations that depend on the row, ``numbers`` has
    the numbers that were given for features that are compared, None for missing ones; ``grids`` which numbers the
    columns can hold; ``possible`` is as in `gains_of`.
    """
    plausible = likely.plausibility if likely is not None else plausibility
    if decision.rule.links:
        raise OptionError(
            "constraints, a target among several classes, symcf.between and min_plausibility are not supported where "
            "steps such as log1p, PowerTransformer or QuantileTransformer come before the sum. Give ranges of single "
            "columns as allowed={column: [least, greatest]}, or explain the estimator as a black box, which takes "
            "constraints: symcf.compile(symcf.from_predict(estimator, X))"
        )
    makers = [
        _Options(j, line, readers[j], freedom, int(row[0, j]), cells[j], plausible) for j, line in enumerate(values)
    ]
    for relation in by_row:
        if any(cells[j] is None and j in relation.compared for atom in relation.resolved for j in atom.numbers):
            raise OptionError(
                f"constraints: {relation.text!r} compares a column of numbers with one that is cut into ranges; cut "
                f"both (KBinsDiscretizer), or none"
            )
    old = _OldLines(row[0].tolist(), values, numbers)
    alternatives = all_of(by_row, old)
    steps = steps_of(by_row)
    conditions = [_condition(formula, makers) for formula in formulas]
    if decision.cells:
        if target is None:
            raise OptionError(
                "the models add up numbers and vote: ask what keeps them from deciding for a class, with target="
            )
        conditions.append(Guard(decision, [maker.options for maker in makers]))
    compared = set(steps)
    compared |= {j for one in alternatives for part in one.rows for j, _ in part.coefficients}
    lines = []
    for j, maker in enumerate(makers):
        options = list(maker.options)
        if j in compared and options[0].low is not None and numbers.get(j) is None:
            options[0] = Option(options[0].code)  # it is read as a number, but was missing
        if j in compared and not isinstance(values[j], NumberLine):
            options = [_numbered(option, values[j]) for option in options]
        grid = grids.get(j, Grid())
        if j in steps and not isinstance(values[j], NumberLine):
            own = old.fraction(j)
            conditions.append(
                Among(j, frozenset(o for o, option in enumerate(options) if _is_step(option, own, steps[j])))
            )
        elif j in steps and (own := old.fraction(j)) is not None:
            grid = Grid(Fraction(steps[j].numerator) if grid.step == 1 else steps[j], grid.short, own)
        lines.append(Line(tuple(options), 0, grid))
    extra: list[Sum] = []
    inside = None if plausible is None else tuple(tuple(maker.plausible_cells) for maker in makers)
    if likely is not None:
        assert inside is not None
        extra.append(plausible_sum(likely.plausibility, inside, likely.least))
    ahead = partial(least_margin, doubt=int(doubts_of(decision, decision.terms(row))[0]), possible=possible)
    goals = [(*goal, *extra) for goal in _goals(decision, makers, ahead, prediction=prediction, target=target)]
    others = None
    if by_row:
        others = tuple(((_condition(one.formula, makers),), one.rows) for one in alternatives)
    return Lowered(System(tuple(lines), tuple(goals), tuple(conditions), (), others), inside)


def _is_step(option: Option, own: Fraction | None, step: Fraction) -> bool:
    """Does a label that is a number lie whole steps away?"""
    return option.low is None or own is None or ((Fraction(option.low) - own) / step).denominator == 1


def _numbered(option: Option, labels: Sequence[Any]) -> Option:
    """A label that is a number, as a number."""
    number = None if option.code is None else label_number(labels[option.code])
    return option if number is None else Option(option.code, float(number), float(number))


class Guard(Condition):
    """Trees that have to vote for class 0, over the cells of the options; see `symcf.system.joint.GuardedSums`."""

    def __init__(self, sums: Any, options: Sequence[Sequence[Option]]) -> None:
        self._sums = sums
        #: By feature and option.
        self._cells = [
            [_guard_cell(option, cells) for option in some] for some, cells in zip(options, sums.cells, strict=True)
        ]
        self._start = sums.value_offset.tolist()

    def _found(self, alive: Sequence[frozenset[int]], sink: int) -> npt.NDArray[np.uint32] | None:
        """Cells that options left have, and for which the trees vote for class 0, or do not."""
        mask = np.zeros(self._start[-1], dtype=np.uint8)
        some = [[cells[o] for o in left] for cells, left in zip(self._cells, alive, strict=True)]
        for start, cells in zip(self._start, some, strict=False):
            mask[[start + cell for cell in cells]] = 1
        x = np.array([min(cells) for cells in some], dtype=np.uint32)
        return _core.find_row(self._sums.ensemble, _core.Query(x, mask, None, None, False), 0, sink, NO_LIMIT.left)

    def truth(self, alive: Sequence[frozenset[int]]) -> bool | None:
        if self._found(alive, 1) is None:
            return False
        return None if self._found(alive, 0) is not None else True

    def narrow(self, alive: list[frozenset[int]]) -> bool:
        """See `Condition`. It takes nothing away."""
        return self._found(alive, 1) is not None

    def split(self, alive: Sequence[frozenset[int]]) -> tuple[int, frozenset[int]] | None:
        """See `Condition`. Between a row for which it holds and one for which it does not."""
        good, bad = self._found(alive, 1), self._found(alive, 0)
        if good is None or bad is None:
            return None
        j = int(np.flatnonzero(good != bad)[0])
        mark, up = (int(good[j]) + int(bad[j])) // 2, good[j] > bad[j]
        return j, frozenset(o for o in alive[j] if (self._cells[j][o] > mark) == up)

    def holds(self, row: Row) -> bool:
        codes = [[cells[taken.option] for cells, taken in zip(self._cells, row, strict=True)]]
        return int(_core.decide(self._sums.ensemble, np.array(codes, dtype=np.uint32))[0]) == 0


def _guard_cell(option: Option, cells: LineCells | None) -> int:
    if cells is None:
        assert option.code is not None
        return option.code
    return (cells.missing or 0) if option.low is None else cells.code(option.low)


@dataclass(frozen=True)
class Stays:
    """A feature is what it was, or is not."""

    feature: int
    stays: bool = True


class _OldLines(OldRow):
    """A row with columns of numbers; see `symcf.question.row_relations.OldRow`."""

    def __init__(self, codes: Sequence[int], values: Sequence[Any], numbers: Mapping[int, float | None]) -> None:
        self._codes, self._values, self._numbers = codes, values, numbers

    def code(self, j: int) -> int:
        return self._codes[j]

    def fraction(self, j: int) -> Fraction | None:
        if isinstance(self._values[j], NumberLine):
            number = self._numbers.get(j)
            return None if number is None else Fraction(number)
        return label_number(self._values[j][self._codes[j]])

    def unchanged(self, j: int) -> Any:
        return Stays(j)

    def changed(self, j: int) -> Any:
        return Stays(j, stays=False)


class _Options:
    """The options of one feature: the first is what the row has."""

    def __init__(
        self,
        j: int,
        line: Sequence[Any],
        reader: FeatureReader,
        freedom: Freedom,
        own: int,
        cells: LineCells | None,
        plausible: Plausibility | None,
    ) -> None:
        self.feature, self.own, self._cells = j, own, cells
        self._fill = line.fill if isinstance(line, NumberLine) and own == MISSING else None
        self._plausible = None if plausible is None else plausible.cells[j]
        way, mask = int(freedom.direction[j]), freedom.masks[j]
        if mask is not None:
            free = [] if way == FIXED else np.flatnonzero(mask).tolist()
            others = [v for v in free if v != own and (way != UP or v > own) and (way != DOWN or v < own)]
            self.options = [Option(own), *map(Option, others)]
            return
        assert isinstance(line, NumberLine)
        number = None if own == MISSING else line[own]
        self.options = [Option(own, number, number)]
        if way == FIXED or (number is None and way in (UP, DOWN)):
            return
        low, high = float(freedom.low[j]), float(freedom.high[j])
        for first, last in self._intervals(low, high, number, way, reader):
            self.options.append(Option(None, first, last))

    def _intervals(
        self, low: float, high: float, own: float | None, way: int, reader: FeatureReader
    ) -> list[tuple[float, float]]:
        """The numbers that may be suggested, cut where something tells them apart."""
        begins = set() if self._cells is None else set(self._cells.cuts)
        if self._plausible is not None:
            cuts = numbers_of_codes(np.array([cut for cut in self._plausible.cuts if cut != MISSING], dtype=np.int64))
            begins.update(cuts.tolist())
        if self._fill is not None:  # distances are measured from it
            begins.add(self._fill)
        holes = {own} if own is not None else set()
        if isinstance(reader, Numbers):  # numbers that would be read as something else
            holes.update(marker for marker, _ in reader.markers)
            holes.update(marker for marker in reader.apart if not math.isnan(marker))
        begins |= holes | {math.nextafter(hole, math.inf) for hole in holes}
        if own is not None and way == UP:
            low = max(low, math.nextafter(own, math.inf))
        elif own is not None and way == DOWN:
            high = min(high, math.nextafter(own, -math.inf))
        if low > high:
            return []
        inner = sorted(cut for cut in begins if low < cut <= high)
        firsts = [low, *inner]
        lasts = [*(math.nextafter(cut, -math.inf) for cut in inner), high]
        coded = [
            (Grid().up(Fraction(first)), Grid().down(Fraction(last)))
            for first, last in zip(firsts, lasts, strict=True)
            if first not in holes
        ]
        return [(first, last) for first, last in coded if first <= last]

    def among(self, codes: frozenset[int]) -> Among:
        """The options whose values, or intervals, are among these."""
        return Among(self.feature, frozenset(o for o, option in enumerate(self.options) if self._cell(option) in codes))

    def _cell(self, option: Option) -> int:
        if self._cells is None:
            assert option.code is not None
            return option.code
        if option.low is None:
            assert self._cells.missing is not None
            return self._cells.missing
        return self._cells.code(option.low)

    @property
    def plausible_cells(self) -> list[int]:
        """By option, the cell of the plausibility."""
        assert self._plausible is not None
        codes = [
            int(codes_of_numbers(np.array([option.low]))[0]) if option.code is None else option.code
            for option in self.options
        ]
        return [int(cell) for cell in self._plausible.of_codes(np.array(codes, dtype=np.int64))]


def _condition(formula: Formula | Stays, makers: Sequence[_Options]) -> Condition:
    if isinstance(formula, Stays):
        every = range(len(makers[formula.feature].options))
        return Among(formula.feature, frozenset(every[:1] if formula.stays else every[1:]))
    if isinstance(formula, Member):
        return makers[formula.feature].among(formula.codes)
    assert not isinstance(formula, AtMost), "sums over ranges are relations of one row"
    parts = tuple(_condition(part, makers) for part in formula.parts)
    return Every(parts) if isinstance(formula, Both) else Some(parts)


def plausible_sum(plausibility: Plausibility, inside: Sequence[Sequence[int]], least: int) -> Sum:
    """The log-likelihood minus the least that it has to be; ``inside`` has the cells by feature and option."""
    terms, pairs = [], []
    for j, cells in enumerate(inside):
        table, parent = plausibility.terms[j], plausibility.parents[j]
        if parent < 0:
            terms.append(tuple(Curve.constant(table[0][cell]) for cell in cells))
            continue
        terms.append((Curve.constant(0),) * len(cells))
        pairs.append(Pair(parent, j, tuple(tuple(table[above][cell] for cell in cells) for above in inside[parent])))
    return Sum(Fraction(-least), tuple(terms), tuple(pairs))


def _goals(
    decision: NumberSums,
    makers: Sequence[_Options],
    ahead: Callable[[int], int],
    *,
    prediction: int,
    target: int | None,
) -> list[Goal]:
    """By class that may win: the sums that say that it does, and by enough: ``ahead`` of what the tie rule needs."""
    rule, n_classes = decision.rule, decision.n_classes
    if target is None or n_classes == 2:
        return [(_margin(rule, makers, new, prediction, ahead),) for new in range(n_classes) if new != prediction]
    rivals = range(n_classes - bool(decision.cells))  # the last is the guard's, which is a condition
    return [tuple(_margin(rule, makers, target, old, ahead) for old in rivals if old != target)]


def _margin(rule: AdditiveRule, makers: Sequence[_Options], new: int, old: int, ahead: Callable[[int], int]) -> Sum:
    """By how much one class is ahead of another, less what it has to be."""
    need = 0 if (new > old) == rule.later_wins else 1
    sign = np.zeros(len(rule.bias), dtype=np.int64)
    if len(sign) == 1:
        sign[0] = 1 if new else -1
    else:
        sign[new], sign[old] = 1, -1
    margin, unit = rule.margin(new, old), Fraction(2) ** rule.scale
    place = {j: i for i, j in enumerate(rule.numbers)}
    own = np.zeros((1, len(rule.numbers)))
    for j, i in place.items():
        own[0, i] = makers[j].options[0].low or 0.0
    own_terms = margin.terms(own)[0].tolist()
    terms = []
    for j, maker in enumerate(makers):
        if j not in place:
            table = rule.tables[j]
            assert table is not None
            weights = (sign @ table).tolist()
            terms.append(tuple(Curve.constant(weights[o.code]) for o in maker.options if o.code is not None))
            continue
        i = place[j]
        here = int(sign @ rule.missing[j]) if maker.own == MISSING else own_terms[i]
        square, slope = (margin.sign * unit * part[i].fraction for part in (margin.curve, margin.slope))
        curve = Curve(square, slope, Fraction(0))
        terms.append((Curve.constant(here), *(curve for _ in maker.options[1:])))
    bias = int(sign @ rule.bias) - int(ahead(need))
    return Sum(Fraction(bias), tuple(terms), rounding=margin.sign)
