"""Orders between columns, checked on numbers: may these columns have these ranges at the same time?

Shares nothing with the engines, which make tables of pairs of values. Here the columns of one row are taken together:
each starts with the least number that it may have, and what is too small for an order is raised until all orders hold,
or until a number leaves its range. In codes, a column that takes another number of its own range has the number of its
values plus its own code.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.data.given import GivenRow
from symcf.question.constraints import Constraint
from symcf.question.orders import Order
from symcf.system.classifier import Classifier

__all__ = ["Compared"]

#: Rounds after which numbers that still rise never obey.
ROUNDS = 40


@dataclass(frozen=True)
class _Column:
    """What a column that is compared may be."""

    number: float | None
    integer: bool
    step: Fraction | None
    short: type[np.floating] | None
    #: The ends of what is allowed, both inside.
    least: float
    most: float
    #: By code, the first and the last number, and numbers in between that are no numbers.
    ranges: dict[int, tuple[float, float, tuple[float, ...]]]

    @property
    def ends(self) -> Iterator[float]:
        """All numbers at which something turns."""
        yield from (self.least, self.most, 0.0 if self.number is None else self.number)
        for first, last, _ in self.ranges.values():
            yield from (first, last)

    def raised(self, code: int, mark: float, strict: bool) -> float | None:
        """The least number of a range that is not below the mark, or above it if ``strict``; None if there is none."""
        first, last, holes = self.ranges[code]
        first, last = max(first, self.least), min(last, self.most)
        step = Fraction(1) if self.integer and self.step is None else self.step
        number = first
        if mark >= first:
            number, first = (math.nextafter(mark, math.inf) if strict else mark), mark
        found = self._on_grid(number, last, holes, step)
        if found is None and not self.integer and step is not None and self._is_barren(code, step):
            found = self._on_grid(number, last, holes, None)
        return found

    def _is_barren(self, code: int, step: Fraction) -> bool:
        """Has a range no multiple of the step?"""
        first, last, holes = self.ranges[code]
        first, last = max(first, self.least), min(last, self.most)
        return math.isfinite(first) and self._on_grid(first, last, holes, step) is None

    def _on_grid(self, number: float, last: float, holes: tuple[float, ...], step: Fraction | None) -> float | None:
        """The first number from one on, as it is stored."""
        k = 0 if step is None else math.floor(Fraction(number) / step) - 1
        while True:
            if step is None:
                found = exact = self._up(number)
            else:
                exact = float(k * step)
                found = exact if self.short is None else float(self.short(exact))
            if exact > last or found > last:
                return None
            if found >= number and exact not in holes:
                return found
            k += 1
            if step is None:
                number = math.nextafter(found, math.inf)

    def _up(self, number: float) -> float:
        if self.short is None:
            return number
        near = self.short(number)
        return float(near if float(near) >= number else np.nextafter(near, self.short(np.inf)))

    def may_be(self, number: float) -> bool:
        """May it become this number?"""
        if self.integer and not number.is_integer():
            return False
        return self.least <= number <= self.most


class Compared:
    """The columns of one row that are compared with each other."""

    def __init__(
        self,
        compiled: Classifier,
        codes: Sequence[int],
        x: Any,
        orders: Sequence[Order],
        constraints: Iterable[Constraint],
    ) -> None:
        self.orders = orders
        #: Can it be told which ranges contain numbers that obey?
        self.is_known = True
        self.features = sorted({j for order in orders for j in (order.low, order.high)})
        self._codes, self._encoder = codes, compiled.encoder
        self._n_values = [len(labels) for labels in compiled.values]
        given = list(constraints)
        row = GivenRow(x, compiled.encoder.layout)
        self._columns = {j: self._column(j, row, given) for j in self.features}
        self._known: dict[tuple[int, ...], bool] = {}
        #: Far below every number that matters: a range without a lower bound begins there.
        ends = [end for column in self._columns.values() for end in column.ends if math.isfinite(end)]
        widest = max(column.step or Fraction(1) for column in self._columns.values())
        self._lowest = 2 * min([*ends, -100.0, -100 * float(widest)])

    def _column(self, j: int, row: GivenRow, constraints: Sequence[Constraint]) -> _Column:
        reader = self._encoder.readers[j]
        cell = row.cell(reader.sources[0])
        number = reader.number(cell)
        least, most = -math.inf, math.inf
        for c in constraints:
            if c.feature == j and c.limits is not None:
                least, most = max(least, c.limits[0]), min(most, c.limits[1])
            if c.feature == j and c.value == "increase" and number is not None:
                least = math.nextafter(number, math.inf)
            if c.feature == j and c.value == "decrease" and number is not None:
                most = math.nextafter(number, -math.inf)
        kind = row.type_of(reader.sources[0])
        if isinstance(cell, (bool, np.bool_)):
            least, most = max(least, 0.0), min(most, 1.0)
        elif kind is not None and kind.is_number:
            least, most = max(least, kind.limits.first), min(most, kind.limits.last)
        steps = [s for o in self.orders for i, s in ((o.low, o.steps[0]), (o.high, o.steps[1])) if i == j]
        integer = isinstance(cell, (int, np.integer, np.bool_)) if kind is None else kind.is_whole
        short = None if kind is None or kind.short is None else kind.short.type
        step = next((s for s in steps if s is not None), None)
        return _Column(
            number,
            integer,
            Fraction(step.numerator) if integer and step is not None else step,
            type(cell) if isinstance(cell, (np.float32, np.float16)) else short,
            least,
            most,
            {code: (r.first, r.last, r.holes) for code, r in (reader.regions or {}).items()},
        )

    def moves_within(self, j: int, constraints: Iterable[Constraint]) -> bool:
        """May a column take another number of its own range?"""
        own = self._codes[j]
        if j not in self._columns or own not in self._columns[j].ranges:
            return False
        for c in constraints:
            if c.feature == j and (c.locks or (not isinstance(c.value, str) and own not in c.value)):
                return False
        return True

    def holds(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which rows of codes have numbers that obey?"""
        return np.array([self._obeys(tuple(row)) for row in rows[:, self.features].tolist()], dtype=np.bool_)

    def _obeys(self, codes: tuple[int, ...]) -> bool:
        if codes not in self._known:
            self._known[codes] = self._can_obey(dict(zip(self.features, codes, strict=True)))
        return self._known[codes]

    def _can_obey(self, codes: dict[int, int]) -> bool:
        numbers: dict[int, float] = {}
        for j, code in codes.items():
            column = self._columns[j]
            if code == self._codes[j]:
                if column.number is not None:
                    numbers[j] = column.number
            elif code % self._n_values[j] in column.ranges:
                least = column.raised(code % self._n_values[j], self._lowest, False)
                if least is None:
                    if any(j in (o.low, o.high) for o in self._between(codes)):
                        return False
                    continue
                numbers[j] = least
        for _ in range(ROUNDS):
            broken = [o for o in self._between(codes) if not _obey(o, numbers)]
            if not broken:
                return True
            for o in broken:
                column, code = self._columns[o.high], codes[o.high]
                if code == self._codes[o.high]:
                    return False
                found = column.raised(code % self._n_values[o.high], numbers[o.low], o.strict)
                if found is None:
                    return False
                numbers[o.high] = max(numbers[o.high], found)
        return False

    def _between(self, codes: dict[int, int]) -> list[Order]:
        """The orders of which both columns have numbers."""
        return [o for o in self.orders if self._has_number(o.low, codes) and self._has_number(o.high, codes)]

    def _has_number(self, j: int, codes: dict[int, int]) -> bool:
        if codes[j] == self._codes[j]:
            return self._columns[j].number is not None
        return codes[j] % self._n_values[j] in self._columns[j].ranges

    def tuples(self, choices: Sequence[Sequence[int]]) -> Iterator[dict[int, int]]:
        """All codes of the compared columns for which there are numbers that obey."""
        for codes in product(*(choices[j] for j in self.features)):
            if self._obeys(codes):
                yield dict(zip(self.features, codes, strict=True))

    def faults(self, changed: Sequence[int], new: Any) -> Iterator[str]:
        """What is wrong with the numbers of a changed row."""
        row = GivenRow(new, self._encoder.layout)
        numbers = {}
        for j, column in self._columns.items():
            reader = self._encoder.readers[j]
            number = reader.number(row.cell(reader.sources[0]))
            if (number == column.number) == (j in changed):
                yield f"feature {self._encoder.layout.names[reader.sources[0]]!r} is {number}, and was {column.number}"
            if j in changed and number is not None and not column.may_be(number):
                yield f"feature {self._encoder.layout.names[reader.sources[0]]!r} may not become {number}"
            if number is not None:
                numbers[j] = number
        for o in self.orders:
            if o.low in numbers and o.high in numbers and not _obey(o, numbers):
                yield f"{numbers[o.low]} and {numbers[o.high]} do not obey {o.text!r}"


def _obey(order: Order, numbers: dict[int, float]) -> bool:
    low, high = numbers[order.low], numbers[order.high]
    return low < high or (low == high and not order.strict)
