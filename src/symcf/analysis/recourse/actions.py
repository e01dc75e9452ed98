"""Actions: the same change for many rows. "income +300, guarantor = yes"."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.answers.facts import Change
from symcf.common.text import one_line, plain
from symcf.data.encoder import as_floats
from symcf.data.given import GivenRows
from symcf.data.numbers import NumberLine
from symcf.data.phrases import fact_text
from symcf.data.reader import Codes, read_rows
from symcf.data.regions import number_text
from symcf.question.constraint_kinds import DOWN, FIXED, UP
from symcf.question.question import Question

__all__ = ["Action", "People", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One feature gets a value, or a number is added to it."""

    feature: int
    name: str
    #: The new value; None where a number is added.
    value: Hashable = None
    #: The code of the new value; None where a number is added.
    code: int | None = None
    #: The number that is added; 0 where a value is set.
    add: float = 0.0

    def __str__(self) -> str:
        if self.code is None:
            return f"{one_line(self.name)} {'+' if self.add > 0 else '-'}{number_text(abs(self.add))}"
        return fact_text(self.name, self.value)

    def to_dict(self) -> dict[str, Any]:
        """As numbers and strings."""
        what = {"add": self.add} if self.code is None else {"value": plain(self.value)}
        return {"feature": self.feature, "name": self.name, **what}


@dataclass(frozen=True, slots=True)
class Action:
    """The same steps for everyone. Those who have a value already keep it."""

    #: By ascending feature.
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.steps))


class People:
    """The rows that are to be helped: their columns, their codes, and what an action makes of them."""

    def __init__(self, question: Question, given: GivenRows, who: npt.NDArray[np.intp], codes: Codes) -> None:
        """``who``: the rows of those given that are meant, ascending; ``codes``: theirs."""
        layout = question.classifier.encoder.layout
        self._question, self._given, self._who, self.codes = question, given, who, codes
        self._table = read_rows(given.given, layout).in_types(layout)
        readers = question.classifier.encoder.readers
        #: The features that are numbers: steps add to them.
        self.added = frozenset(
            j
            for j, (reader, line) in enumerate(zip(readers, question.classifier.values, strict=True))
            if len(reader.sources) == 1 and (isinstance(line, NumberLine) or reader.regions is not None)
        )
        self._old = {j: self._numbers(j) for j in sorted(self.added)}
        finite = {j: numbers[np.isfinite(numbers)] for j, numbers in self._old.items()}
        self._span = {j: float(np.ptp(numbers)) if len(numbers) else 0.0 for j, numbers in finite.items()}

    def _numbers(self, j: int) -> npt.NDArray[np.float64]:
        """The numbers of a feature, NaN where none is known."""
        (source,) = self._question.classifier.encoder.readers[j].sources
        numbers, known = as_floats(self._column(source))
        return np.where(known, numbers, np.nan)

    def _column(self, source: int) -> npt.NDArray[Any]:
        return np.asarray(self._table.column(source))[self._who]

    def _is_whole(self, j: int) -> bool:
        (source,) = self._question.classifier.encoder.readers[j].sources
        kind = self._given.type_of(source)
        return kind is not None and kind.is_whole

    def action_of(self, changes: Iterable[Change], new: Sequence[int], digits: int) -> Action | None:
        """The action of a counterfactual; None if a number that is not known would have to be added to.

        What is added is rounded away from 0, so that people who need nearly the same share an action.
        """
        steps = []
        for change in changes:
            j = change.feature
            code = int(new[j])
            if j not in self.added or not _is_number(change.new):
                steps.append(Step(j, change.name, self._question.classifier.values[j][code], code))
                continue
            if not _is_number(change.old):
                return None
            added = _away(float(change.new) - float(change.old), digits)  # type: ignore[arg-type]
            steps.append(Step(j, change.name, add=_away_whole(added) if self._is_whole(j) else added))
        return Action(tuple(steps))

    def size(self, action: Action) -> float:
        """How large an action is: 1 for a value that is set, and for a number its share of the range in the rows."""
        parts = (
            abs(step.add) / self._span[step.feature] if self._span.get(step.feature) else 1.0 for step in action.steps
        )
        return sum(part if math.isfinite(part) else 1.0 for part in parts)

    def helped_by(self, action: Action, wanted: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Whom the action helps: the question permits each step, and the decision is the wanted one."""
        codes, may = self.codes.copy(), np.ones(len(self.codes), dtype=np.bool_)
        changed = np.zeros(len(codes), dtype=np.intp)
        for step in action.steps:
            j = step.feature
            new, numbers = self._after(step)
            old = self._old.get(j)
            other = new != self.codes[:, j] if numbers is None or old is None else numbers != old
            may &= ~other | self._permits(j, new, numbers)
            codes[:, j] = new
            changed += other
        most = self._question.constraints.max_changes
        may &= codes.min(axis=1, initial=0) >= 0
        if most is not None:
            may &= changed <= most
        who = np.flatnonzero(may)
        if len(who):
            may[who] = self._question.classifier.decide(codes[who]) == wanted[who]
        relations = self._question.relations
        if relations is not None and may.any():
            may[may] = relations.holds(codes[may])
        return may

    def _after(self, step: Step) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64] | None]:
        """The codes of a feature after a step, and its numbers if they are known."""
        j = step.feature
        if step.code is not None:
            return np.full(len(self.codes), step.code, dtype=np.int64), None
        reader = self._question.classifier.encoder.readers[j]
        known = np.isfinite(self._old[j])
        cells = self.cells_after(step)
        codes = np.full(len(self.codes), -1, dtype=np.int64)
        if known.any():
            codes[known] = reader.read([cells[known]])
        return codes, np.where(known, as_floats(cells)[0], np.nan)

    def cells_after(self, step: Step) -> npt.NDArray[Any]:
        """The cells of a column of numbers after something was added to them, in the type of the column."""
        (source,) = self._question.classifier.encoder.readers[step.feature].sources
        column = self._column(source)
        numbers = self._old[step.feature] + step.add
        if column.dtype.kind == "f":
            return numbers.astype(column.dtype)
        if column.dtype.kind in "iu" and abs(numbers).max(initial=0) < 2**53:
            return numbers.astype(np.int64)
        return numbers

    def _permits(
        self, j: int, codes: npt.NDArray[np.int64], numbers: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.bool_]:
        """By row, may the feature become this?"""
        constraints = self._question.constraints
        permitted = constraints.permitted()[j]
        old, own = self._old.get(j), self.codes[:, j]
        if permitted.direction == FIXED:
            return np.zeros(len(codes), dtype=np.bool_)
        may = np.ones(len(codes), dtype=np.bool_)
        if permitted.direction in (UP, DOWN):
            difference = codes - own if numbers is None or old is None else numbers - old
            may &= (difference > 0) if permitted.direction == UP else (difference < 0)
            may &= ~np.isin(own, list(permitted.special))
        if permitted.mask is None:
            return may if numbers is None else may & (numbers >= permitted.low) & (numbers <= permitted.high)
        may &= permitted.mask[np.clip(codes, 0, None)]
        for of_row in permitted.by_row:
            for code in np.unique(own):
                here = own == code
                may[here] &= of_row(int(code))[np.clip(codes[here], 0, None)]
        if numbers is not None:
            for item in constraints.items:
                if item.feature == j and item.points:
                    may &= np.isin(numbers, np.array(item.points))
            region = constraints.limits.get(j)
            if region is not None:
                may &= (numbers >= region.first) & (numbers <= region.last)
        return may

    def cells_of(self, action: Action, rows: npt.NDArray[np.intp]) -> dict[int, list[Any]]:
        """By place of a column, the new cells of some of the given rows."""
        classifier, rows = self._question.classifier, np.searchsorted(self._who, rows)
        found: dict[int, list[Any]] = {}
        for step in action.steps:
            reader = classifier.encoder.readers[step.feature]
            if step.code is None:
                found[reader.sources[0]] = self.cells_after(step)[rows].tolist()
                continue
            old = [self._column(source).astype(object)[rows] for source in reader.sources]
            new = [reader.cells(step.code, step.value, cells) for cells in zip(*old, strict=True)]
            for source, cells in zip(reader.sources, zip(*new, strict=True), strict=True):
                found[source] = list(cells)
        return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and math.isfinite(value)


def _away(number: float, digits: int) -> float:
    """The number with so many significant digits, rounded away from 0."""
    if number == 0:
        return 0.0
    context = Context(prec=digits, rounding=ROUND_CEILING)
    return math.copysign(float(context.create_decimal(repr(abs(number)))), number)


def _away_whole(number: float) -> float:
    return math.copysign(math.ceil(abs(number)), number)
