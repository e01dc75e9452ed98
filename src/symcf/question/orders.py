"""Relations between numbers: a column is at most as large as another, ``max_late_30d <= max_late_12m``.

Values are ranges of numbers, so whether some values obey depends on the row. A feature keeps its number, or takes any
number of a new range, or another number of its own range. In the codes that engines see, the last is the value "a
second time" (`symcf.system.groups`). Numbers that obey all orders exist iff the least ones do: start with the least
number of each range, and raise what is too small for an order to the next number that is enough. So for each row the
orders become tables of pairs of values, one for each way from one column to another along the orders: raised along the
way, the least number of the first must not exceed the greatest of the last. What lies between the two matters only by
the numbers that it may take at all (whole ones, multiples, any), and not at all where it keeps its number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.domains import Domain
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import OptionError
from symcf.question.formulas import Both, Condition, Either, Formula, Member, simplified

__all__ = ["Order", "Pairs", "are_single_numbers", "pairs_of", "pairs_of_numbers", "related_by"]

#: Ways along the orders from one column to another.
MOST_WAYS = 1000

#: Pairs of numbers that an order is written out for.
MOST_PAIRS = 1 << 24


@dataclass(frozen=True)
class Order(Condition):
    """The number of `low` is at most that of `high`, or less if it is `strict`. It says nothing of missing numbers."""

    text: str
    low: int
    high: int
    strict: bool
    #: What new numbers of the two are to be multiples of, where that was asked.
    steps: tuple[Fraction | None, Fraction | None] = (None, None)
    by_row = True

    @property
    def features(self) -> set[int]:
        """The features in it."""
        return {self.low, self.high}

    @property
    def compared(self) -> frozenset[int]:  # type: ignore[override]
        """See `Condition`."""
        return frozenset(self.features)


@dataclass(frozen=True)
class Pairs(Condition):
    """What orders say about the values of two features of one row, in codes that have each value a second time."""

    text: str
    low: int
    high: int
    #: By code of `low`, a byte per code of `high`: are there numbers that obey? Of one feature: by code twice.
    table: tuple[bytes, ...]
    #: It says nothing where one of these holds.
    unless: tuple[Member, ...] = ()

    @cached_property
    def formula(self) -> Formula:  # type: ignore[override]
        """In normal form: for each value of one, the values that the other may have."""
        parts: list[Formula] = list(self.unless)
        codes: dict[bytes, list[int]] = {}
        for code, line in enumerate(self.table):
            codes.setdefault(line, []).append(code)
        for allowed in sorted(codes):
            tick()
            partners = frozenset(code for code, fine in enumerate(allowed) if fine)
            low = Member(self.low, frozenset(codes[allowed]), len(self.table))
            parts.append(simplified(Both, [low, Member(self.high, partners, len(allowed))]))
        return simplified(Either, parts)

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of codes obey."""
        table = np.frombuffer(b"".join(self.table), dtype=np.bool_).reshape(len(self.table), -1)
        # a table of single numbers has no second codes: with another relation between numbers, rows may have them
        result = table[rows[:, self.low] % table.shape[0], rows[:, self.high] % table.shape[1]]
        for member in self.unless:
            result |= member.holds(rows)
        return np.asarray(result)


def pairs_of(orders: Sequence[Order], raw: RawRow, n_values: Sequence[int]) -> list[Pairs]:
    """The tables of one row: those of the orders, and of what follows from several."""
    values = {j: _Values(raw, j, n_values[j]) for j in related_by(orders)}
    strict: dict[tuple[int, int], bool] = {}
    text_of: dict[tuple[int, int], str] = {}
    for order in orders:
        pair = order.low, order.high
        strict[pair], text_of[pair] = strict.get(pair, False) or order.strict, order.text
    found = []
    for way in _ways(strict):
        signs = [strict[pair] for pair in pairwise(way)]
        text = " and ".join(text_of[pair] for pair in pairwise(way))
        if way[0] == way[-1] and any(signs):  # which no numbers obey
            nothing = (bytes(values[way[0]].count),) * values[way[0]].count
            unless = tuple(Member(j, values[j].missing, values[j].count) for j in sorted(set(way)))
            found.append(Pairs(text, way[0], way[0], nothing, unless))
            continue
        if way[0] == way[-1]:
            _check_steps(text, [values[j] for j in sorted(set(way))])
        inner = [values[j] for j in way[1:-1]]
        for kinds in product(*(part.kinds for part in inner)):
            least = values[way[0]].least
            for sign, (_, domain) in zip(signs, kinds, strict=False):
                least = _raised(least, domain, strict=sign)
            unless = tuple(
                Member(part.feature, part.every - codes, part.count)
                for part, (codes, _) in zip(inner, kinds, strict=True)
            )
            found.append(Pairs(text, way[0], way[-1], _table(least, values[way[-1]].greatest, signs[-1]), unless))
    return found


def are_single_numbers(regions: Mapping[int, Region] | None) -> bool:
    """Is no value a range, within which a number could move?"""
    return all(region.first == region.last for region in (regions or {}).values())


def pairs_of_numbers(
    order: Order, regions: Sequence[Mapping[int, Region] | None], n_values: Sequence[int]
) -> Pairs | None:
    """What an order says about values that are single numbers, the same for every row; None where they are ranges."""
    low, high = (regions[j] or {} for j in (order.low, order.high))
    if not are_single_numbers(low) or not are_single_numbers(high):
        return None
    if n_values[order.low] * n_values[order.high] > MOST_PAIRS:
        raise OptionError(
            f"constraints: {order.text!r} relates {n_values[order.low]:,} numbers with {n_values[order.high]:,}; give "
            f"a larger resolution"
        )
    greater = np.array([high[code].first if code in high else math.nan for code in range(n_values[order.high])])
    table = []
    for code in range(n_values[order.low]):
        number = low[code].first if code in low else math.nan
        fails = number >= greater if order.strict else number > greater  # False where one of them is missing
        table.append((~fails).tobytes())
    return Pairs(order.text, order.low, order.high, tuple(table))


class _Values:
    """The numbers of one feature, by code: those of the values, and those of the values a second time."""

    def __init__(self, raw: RawRow, j: int, n_values: int) -> None:
        self.feature, self.count = j, 2 * n_values
        self.every = frozenset(range(self.count))
        own, number = raw.code(j), raw.number(j)
        domains = []
        for code in range(n_values):
            tick()
            domains.append(raw.domain(j, code))
        # Other numbers exist for the row's own value only; those of other values are never taken. Let them be the same.
        of_code: list[Domain | None] = [*domains, *domains]
        least = [None if d is None else _or_nan(d.least) for d in domains] * 2
        greatest = [None if d is None else _or_nan(d.greatest) for d in domains] * 2
        least[own] = greatest[own] = number
        of_code[own] = None
        #: By code, the least and the greatest number; NaN where a range has none; None where the number is missing.
        self.least, self.greatest = least, greatest
        self.missing = frozenset(code for code, end in enumerate(least) if end is None)
        #: Codes of features that move, by the numbers that they may take at all.
        by_domain: dict[Domain, set[int]] = {}
        for code, domain in enumerate(of_code):
            if domain is not None:
                by_domain.setdefault(domain.anywhere, set()).add(code)
        self.kinds = [(frozenset(codes), domain) for domain, codes in by_domain.items()]


def _check_steps(text: str, circle: Sequence[_Values]) -> None:
    """`OptionError` if columns that have to be equal are multiples of steps of which none divides the other."""
    steps = sorted({domain.step for part in circle for _, domain in part.kinds if domain.step is not None})
    if any(wide % narrow for narrow, wide in pairwise(steps)):
        raise OptionError(
            f"constraints: {text}: the columns have to be equal, and are multiples of "
            f"{', '.join(map(str, steps))}; give resolutions that divide each other"
        )


End = float | None


def _or_nan(end: float | None) -> float:
    return math.nan if end is None else end


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


def _table(lows: Sequence[End], highs: Sequence[End], strict: bool) -> tuple[bytes, ...]:
    """By the least of one and the greatest of the other, whether there are numbers that obey."""
    a = np.array([math.nan if low is None else low for low in lows])[:, None]
    b = np.array([math.nan if high is None else high for high in highs])[None, :]
    fine = (a < b) | (np.isneginf(a) & ~np.isnan(b)) | (np.isposinf(b) & ~np.isnan(a)) | ((a == b) & (not strict))
    fine |= np.array([low is None for low in lows])[:, None] | np.array([high is None for high in highs])[None, :]
    return tuple(line.tobytes() for line in fine)


def _ways(strict: Mapping[tuple[int, int], bool]) -> list[tuple[int, ...]]:
    """Ways along the orders, as features one after another. Those in a circle go round twice: so far numbers rise until
    all of them are on the widest grid, and then they obey. `OptionError` if there are too many.
    """
    features = sorted({j for pair in strict for j in pair})
    found: list[tuple[int, ...]] = []
    ways: list[tuple[int, ...]] = [(j,) for j in features]
    for _ in range(2 * len(features)):
        ways = [(*way, high) for way in ways for low, high in strict if low == way[-1] and _goes_on(way, strict)]
        found += ways
        if len(found) > MOST_WAYS:
            raise OptionError(
                f"constraints: {len(strict)} orders between {len(features)} columns follow on each other in more than "
                f"{MOST_WAYS:,} ways; leave out those that follow from others"
            )
    return found


def _goes_on(way: tuple[int, ...], strict: Mapping[tuple[int, int], bool]) -> bool:
    """Is it not a circle with a strict order in it?"""
    circle = way[way.index(way[-1]) :]
    return not any(strict[pair] for pair in pairwise(circle))


def related_by(conditions: Iterable[Condition]) -> set[int]:
    """The features whose numbers are compared in them."""
    return {j for condition in conditions for j in condition.compared}
