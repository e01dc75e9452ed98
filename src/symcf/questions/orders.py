"""Relations between numbers: a column is at most as large as another, ``max_late_30d <= max_late_12m``.

Values are ranges of numbers, so whether two values obey depends on the row: a feature that keeps its value keeps its
number, and one that changes may take any number of the new range. There is a pair of numbers that obeys iff the
least of one is at most the greatest of the other. So for each row an order becomes a table of pairs of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import OptionError
from symcf.questions.formulas import Both, Either, Formula, Member, simplified
from symcf.rows.raw_row import RawRow

__all__ = ["Order", "Pairs", "pairs_of", "related_by", "resolutions_of"]


@dataclass(frozen=True)
class Order:
    """The number of `low` is at most that of `high`, or less if it is `strict`. It says nothing of missing numbers."""

    text: str
    low: int
    high: int
    strict: bool
    #: What new numbers of the two are to be multiples of, where that was asked.
    steps: tuple[Fraction | None, Fraction | None] = (None, None)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Pairs:
    """An order for one row."""

    order: Order
    #: By value of `low`, then of `high`: is there a pair of numbers that obeys?
    table: tuple[tuple[bool, ...], ...]

    @property
    def text(self) -> str:
        """In the user's words."""
        return self.order.text

    @property
    def formula(self) -> Formula:
        """In normal form: for each value of one, the values that the other may have."""
        n_values = {self.order.low: len(self.table), self.order.high: len(self.table[0])}
        parts: list[Formula] = []
        for allowed in sorted(set(self.table)):
            codes = frozenset(code for code, line in enumerate(self.table) if line == allowed)
            partners = frozenset(code for code, fine in enumerate(allowed) if fine)
            both: list[Formula] = [Member(self.order.low, codes), Member(self.order.high, partners)]
            parts.append(simplified(Both, both, n_values))
        return simplified(Either, parts, n_values)

    def holds(self, rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Which rows of value codes obey."""
        table = np.array(self.table, dtype=np.bool_)
        return np.asarray(table[rows[:, self.order.low], rows[:, self.order.high]])


def pairs_of(orders: Sequence[Order], raw: RawRow, n_values: Sequence[int]) -> list[Pairs]:
    """The tables of one row: those of the orders, and of what follows from two or more.

    With a number between two others, that is enough only if all of them are multiples of the same step; `OptionError`
    if they are not.
    """
    _check_between(orders, raw, n_values)
    extents = {j: [raw.extent(j, code) for code in range(n_values[j])] for o in orders for j in (o.low, o.high)}
    return [_pairs(order, extents[order.low], extents[order.high]) for order in _closed(orders)]


Extent = tuple[float, float] | None


def _pairs(order: Order, lows: Sequence[Extent], highs: Sequence[Extent]) -> Pairs:
    def fine(a: Extent, b: Extent) -> bool:
        return a is None or b is None or (a[0] < b[1] if order.strict else a[0] <= b[1])

    return Pairs(order, tuple(tuple(fine(a, b) for b in highs) for a in lows))


def _closed(orders: Sequence[Order]) -> list[Order]:
    """The orders, and those that follow from two or more."""
    found = {(o.low, o.high, o.strict): o for o in orders}
    added = True
    while added:
        added = False
        for a in list(found.values()):
            for b in list(found.values()):
                key = (a.low, b.high, a.strict or b.strict)
                if a.high == b.low and a.low != b.high and key not in found:
                    found[key] = Order(f"{a.text} and {b.text}", *key, (a.steps[0], b.steps[1]))
                    added = True
    return list(found.values())


def _check_between(orders: Sequence[Order], raw: RawRow, n_values: Sequence[int]) -> None:
    """Numbers between two others: is there a common step?"""
    between = {o.high for o in orders} & {o.low for o in orders}
    related = sorted({j for o in orders for j in (o.low, o.high)})
    if not between:
        return
    steps = {raw.resolution(j, code) for j in related for code in range(n_values[j]) if raw.is_measured(j, code)}
    on_grid = len(steps) == 1 and all(_is_multiple(raw.number(j), next(iter(steps))) for j in related)
    if any(o.strict for o in orders) or not on_grid:
        raise OptionError(
            f"constraints: {'; '.join(o.text for o in orders)}: with a column between two others, all must be <= and "
            f"have numbers of the same resolution: give one with resolution=, or leave a relation out"
        )


def _is_multiple(number: float | None, step: Fraction) -> bool:
    return number is None or Fraction(repr(number)) % step == 0


def resolutions_of(orders: Iterable[Order]) -> dict[int, Fraction]:
    """What was asked about the numbers of the features in them."""
    pairs = [pair for o in orders for pair in zip((o.low, o.high), o.steps, strict=True)]
    return {j: step for j, step in pairs if step is not None}


def related_by(orders: Iterable[Order]) -> set[int]:
    """The features in them."""
    return {j for order in orders for j in (order.low, order.high)}
