"""Orders between columns of numbers: a column is at most as large as another, ``max_late_30d <= max_late_12m``.

Numbers that obey all orders exist iff the least ones do: start with the least number of each range, and raise what is
too small for an order to the next number that is enough. So the orders of one row become tables of pairs of values, one
for each way from one column to another along the orders: raised along the way, the least number of the first must not
exceed the greatest of the last. What lies between the two matters only by the numbers that it may take at all (whole
ones, multiples, any), and not at all where it keeps its number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.domains import Domain
from symcf.data.regions import ANYWHERE
from symcf.errors import OptionError
from symcf.question.formulas import Both, Either, Formula, Member, simplified
from symcf.system.lines import Linear

__all__ = ["Order", "Orders", "Piece", "order_of"]

#: Ways along the orders from one column to another.
MOST_WAYS = 1000


class Order(NamedTuple):
    """The number of `low` is at most that of `high`, or less if it is `strict`. It says nothing of missing numbers."""

    low: int
    high: int
    strict: bool
    #: What new numbers of the two are to be multiples of, where that was asked.
    steps: tuple[Fraction | None, Fraction | None] = (None, None)
    #: In the user's words.
    text: str = ""


def order_of(row: Linear) -> Order | None:
    """A linear row that compares two numbers; None for any other."""
    if len(row.coefficients) != 2 or row.most:
        return None
    (i, a), (j, b) = row.coefficients
    if a != -b:
        return None
    return Order(i, j, row.strict) if a > 0 else Order(j, i, row.strict)


class Piece(Protocol):
    """The numbers of one code of a feature."""

    @property
    def low(self) -> float:
        """The least one; NaN if there is none."""

    @property
    def high(self) -> float:
        """The greatest one."""

    @property
    def domain(self) -> Domain | None:
        """The numbers that it may take; None where there is one."""


class Orders:
    """Which codes of several features contain numbers that obey orders together. ``pieces`` are by feature and code,
    None where there is no number.
    """

    def __init__(self, orders: Sequence[Order], pieces: Mapping[int, Sequence[Piece | None]], text: str) -> None:
        self.features = sorted(pieces)
        self._text = text
        self._strict: dict[tuple[int, int], bool] = {}
        for order in orders:
            pair = order.low, order.high
            self._strict[pair] = self._strict.get(pair, False) or order.strict
        self._values = {j: _Values(j, some) for j, some in pieces.items()}

    @property
    def is_equation(self) -> bool:
        """Are columns equal that are multiples of different steps, of which none divides the other?"""
        steps: set[Fraction] = set()
        for way in self._ways():
            if way[0] == way[-1]:
                steps.update(domain.step for j in way for _, domain in self._values[j].kinds if domain.step is not None)
        return any(wide % narrow for narrow, wide in pairwise(sorted(steps)))

    def formula(self) -> Formula:
        """In normal form."""
        return simplified(Both, [table.formula() for table in self._tables])

    def holds(self, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Which rows of codes, by feature in rising order, contain numbers that obey?"""
        place = {j: i for i, j in enumerate(self.features)}
        result = np.ones(len(codes), dtype=np.bool_)
        for table in self._tables:
            fine = table.table[codes[:, place[table.low]], codes[:, place[table.high]]]
            for member in table.unless:
                fine = fine | np.isin(codes[:, place[member.feature]], list(member.codes))
            result &= fine
        return result

    @cached_property
    def _tables(self) -> list[_Table]:
        """What the orders say about pairs of features, and what follows from several."""
        values, found = self._values, []
        for way in self._ways():
            signs = [self._strict[pair] for pair in pairwise(way)]
            if way[0] == way[-1] and any(signs):  # which no numbers obey
                nothing = np.zeros((values[way[0]].count,) * 2, dtype=np.bool_)
                unless = tuple(values[j].member(values[j].missing) for j in sorted(set(way)))
                found.append(_Table(way[0], way[0], nothing, unless))
                continue
            inner = [values[j] for j in way[1:-1]]
            for kinds in product(*(part.kinds for part in inner)):
                least = values[way[0]].least
                for sign, (_, domain) in zip(signs, kinds, strict=False):
                    least = _raised(least, domain, strict=sign)
                unless = tuple(part.member(part.every - codes) for part, (codes, _) in zip(inner, kinds, strict=True))
                _core.check_memory(10 * len(least) * values[way[-1]].count)
                table = _compared(least, values[way[-1]].greatest, signs[-1])
                found.append(_Table(way[0], way[-1], table, unless))
        return found

    def _ways(self) -> list[tuple[int, ...]]:
        """Ways along the orders, as features one after another. Those in a circle go round twice: so far numbers rise
        until all of them are on the widest grid, and then they obey. `OptionError` if there are too many.
        """
        found: list[tuple[int, ...]] = []
        ways: list[tuple[int, ...]] = [(j,) for j in self.features]
        for _ in range(2 * len(self.features)):
            ways = [(*way, high) for way in ways for low, high in self._strict if low == way[-1] and self._goes_on(way)]
            found += ways
            if len(found) > MOST_WAYS:
                raise OptionError(
                    f"constraints: {self._text}: these orders between {len(self.features)} columns follow on each "
                    f"other in more than {MOST_WAYS:,} ways; leave out those that follow from others"
                )
        return found

    def _goes_on(self, way: tuple[int, ...]) -> bool:
        """Is it not a circle with a strict order in it?"""
        circle = way[way.index(way[-1]) :]
        return not any(self._strict[pair] for pair in pairwise(circle))


@dataclass(frozen=True)
class _Table:
    """Which codes of two features contain numbers that obey; of one feature: by code twice."""

    low: int
    high: int
    table: npt.NDArray[np.bool_]
    #: It says nothing where one of these holds.
    unless: tuple[Member, ...]

    def formula(self) -> Formula:
        """In normal form: for each value of one, the values that the other may have."""
        parts: list[Formula] = list(self.unless)
        codes: dict[bytes, list[int]] = {}
        for code, line in enumerate(self.table):
            codes.setdefault(line.tobytes(), []).append(code)
        for line in sorted(codes):
            tick()
            partners = frozenset(code for code, fine in enumerate(line) if fine)
            low = Member(self.low, frozenset(codes[line]), len(self.table))
            parts.append(simplified(Both, [low, Member(self.high, partners, len(line))]))
        return simplified(Either, parts)


class _Values:
    """The numbers of one feature."""

    def __init__(self, j: int, pieces: Sequence[Piece | None]) -> None:
        self.feature, self.count = j, len(pieces)
        self.every = frozenset(range(self.count))
        #: By code, the least and the greatest number; NaN where a range has none; None where the number is missing.
        self.least = [None if piece is None else piece.low for piece in pieces]
        self.greatest = [None if piece is None else piece.high for piece in pieces]
        self.missing = frozenset(code for code, piece in enumerate(pieces) if piece is None)
        #: Codes of features that move, by the numbers that they may take at all.
        by_domain: dict[Domain, set[int]] = {}
        for code, piece in enumerate(pieces):
            if piece is not None and piece.domain is not None:
                everywhere = replace(ANYWHERE, holes=piece.domain.region.holes)
                by_domain.setdefault(replace(piece.domain, region=everywhere), set()).add(code)
        self.kinds = [(frozenset(codes), domain) for domain, codes in by_domain.items()]

    def member(self, codes: frozenset[int]) -> Member:
        """The feature has one of these codes."""
        return Member(self.feature, codes, self.count)


End = float | None


def _raised(ends: Sequence[End], domain: Domain, *, strict: bool) -> list[End]:
    """The next numbers of a domain."""
    known: dict[float, float] = {}

    def raised(end: float) -> float:
        if not math.isfinite(end):
            return end
        if end not in known:
            found = domain.next(end, up=True, strict=strict)
            known[end] = math.nan if found is None else domain.stored(found)
        return known[end]

    return [None if end is None else raised(end) for end in ends]


def _compared(lows: Sequence[End], highs: Sequence[End], strict: bool) -> npt.NDArray[np.bool_]:
    """By the least of one and the greatest of the other, whether there are numbers that obey."""
    a = np.array([math.nan if low is None else low for low in lows])[:, None]
    b = np.array([math.nan if high is None else high for high in highs])[None, :]
    fine = (a < b) | (np.isneginf(a) & ~np.isnan(b)) | (np.isposinf(b) & ~np.isnan(a)) | ((a == b) & (not strict))
    fine |= np.array([low is None for low in lows])[:, None] | np.array([high is None for high in highs])[None, :]
    return np.asarray(fine)
