"""Which ranges of numbers contain numbers that obey the relations of one row (`symcf.question.row_relations`).

In the codes that engines see, a feature that keeps its range but not its number has the range a second time
(`symcf.system.groups`).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from operator import or_
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.domains import Domain
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import LimitError
from symcf.question.formulas import AtMost, Both, Condition, Either, Formula, Member, simplified
from symcf.question.orders import Orders, order_of
from symcf.question.row_relations import Alternative, OldRow, Relation, all_of, label_number, steps_of
from symcf.system.feasible import nearest, solved
from symcf.system.lines import Linear

__all__ = ["RowSystem", "Settled", "labels_where", "system_of"]

#: Relations over so many combinations of ranges get a normal form, which rows share.
FEW_COMBINATIONS = 1 << 9

#: Combinations of ranges that are looked at for one row.
MOST_COMBINATIONS = 1 << 17


@dataclass(frozen=True)
class _Piece:
    """The numbers of one code of a feature."""

    low: float
    high: float
    #: None where there is one number.
    domain: Domain | None = None
    #: What numbers are rounded to where any would do.
    digit: Fraction = Fraction(1)

    @property
    def step(self) -> Fraction | None:
        """See `symcf.system.feasible.Column`."""
        return Fraction(1) if self.domain is None else self.domain.step

    @property
    def is_empty(self) -> bool:
        """Has it no number?"""
        return math.isnan(self.low)

    def within(self, limits: Region) -> _Piece:
        """The numbers of it that lie within limits."""
        if self.is_empty or (limits.first <= self.low and self.high <= limits.last):
            return self
        if self.domain is None:
            return _Piece(math.nan, math.nan)
        return _Piece.of(replace(self.domain, region=self.domain.region.within(limits)), self.digit)

    @classmethod
    def of(cls, domain: Domain, digit: Fraction) -> _Piece:
        """The numbers of a domain."""
        least, greatest = (None, None) if domain.region.empty else (domain.least, domain.greatest)
        if least is None or greatest is None:
            return cls(math.nan, math.nan, domain, digit)
        return cls(least, greatest, domain, digit)

    def around(self, mark: Fraction) -> Iterator[float]:
        """See `symcf.system.feasible.Column`."""
        domain = self.domain
        if domain is None:
            yield self.low
            return
        at = float(mark)
        if domain.step is None:
            for more in range(0, 18, 2):
                digit = self.digit / 10**more
                places = math.floor(mark / digit)
                # two on each side: a mark that is not allowed itself may be a double next to one of them
                some = (domain.stored(float(k * digit)) for k in range(places - 1, places + 3))
                near = sorted((number for number in some if number in domain.region), key=lambda n: abs(n - at))
                yield from near
            for strict in (False, True):
                for up in (True, False):
                    number = domain.next(at, up=up, strict=strict)
                    if number is not None:
                        yield domain.stored(number)
            return
        ends = [domain.next(at, up=False), domain.next(at, up=True)]
        while any(end is not None for end in ends):
            for place, end in enumerate(ends):
                if end is not None:
                    stored = domain.stored(end)
                    yield stored
                    ends[place] = domain.next(stored, up=bool(place), strict=True)


#: By code, the numbers; None where there is none.
Pieces = Sequence[_Piece | None]


class Settled(NamedTuple):
    """Numbers that obey."""

    #: The row with them. Every choice from its ranges obeys, too.
    raw: RawRow
    #: By feature that is compared and gets another number, how far that is from the old one, in spans.
    far: dict[int, float]


@dataclass(frozen=True, eq=False)
class RowSystem(Condition):
    """The relations of one row, over the codes of its features. Two that allow the same codes are equal,
    so that they share what is built of them.
    """

    text: str
    alternatives: tuple[Alternative, ...]
    #: By feature of a linear row, or whose values come a second time. Rows may differ in nothing else.
    pieces: Mapping[int, Pieces]
    twice: frozenset[int] = frozenset()
    #: Features whose numbers change in steps.
    stepped: frozenset[int] = frozenset()
    advice = "compare fewer columns"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowSystem):
            return NotImplemented
        return (self.text, self.formula) == (other.text, other.formula)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.text, self.formula))

    @cached_property
    def formula(self) -> Formula:  # type: ignore[override]
        """In normal form."""
        found = []
        for alternative in self.alternatives:
            parts = [boxes.formula() for boxes in self._boxes(alternative)]
            found.append(simplified(Both, [alternative.formula, *parts]))
        return simplified(Either, found)

    def _boxes(self, alternative: Alternative) -> list[_Boxes | Orders]:
        """The linear rows, apart where they share no features. Those of one feature narrow its numbers. A range whose
        only number is the row's own cannot be taken a second time, compared or not.
        """
        pieces: dict[int, Pieces] = {}
        alone = self.stepped | {j for j in self.twice if any(piece and piece.is_empty for piece in self.pieces[j])}
        joint: list[tuple[set[int], list[Linear]]] = [({j}, []) for j in sorted(alone)]
        for row in alternative.rows:
            used = {j for j, _ in row.coefficients}
            if len(used) == 1:
                ((j, coefficient),) = row.coefficients
                narrow = _bound(row.most / coefficient, upper=coefficient > 0, strict=row.strict)
                pieces[j] = [None if p is None else p.within(narrow) for p in pieces.get(j, self.pieces[j])]
                joint.append((used, []))
            else:
                joint.append((used, [row]))
        return [
            self._part(rows, {j: pieces.get(j, self.pieces[j]) for j in sorted(used)}) for used, rows in _apart(joint)
        ]

    def _part(self, rows: Sequence[Linear], pieces: Mapping[int, Pieces]) -> _Boxes | Orders:
        """Rows that compare two numbers each have tables; others are settled box by box."""
        orders = [order for row in rows if (order := order_of(row)) is not None]
        if rows and len(orders) == len(rows):
            tables = Orders(orders, pieces, self.text)
            if not tables.is_equation:
                return tables
        return _Boxes(rows, pieces, self.text)

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of codes obey."""
        result = np.zeros(len(rows), dtype=np.bool_)
        for alternative in self.alternatives:
            fine = alternative.formula.holds(rows)
            for boxes in self._boxes(alternative) if fine.any() else ():
                fine &= boxes.holds(rows[:, boxes.features])
            result |= fine
        return result

    def settled(self, raw: RawRow, codes: Mapping[int, int], n_values: Sequence[int]) -> Settled:
        """The nearest numbers that obey, of features that get these codes; a feature's own code is another number of
        its range. requires: there are such numbers.
        """
        row = np.array([[raw.code(j) for j in range(len(n_values))]])
        for j, code in codes.items():
            second = j in self.twice and code == raw.code(j)
            row[0, j] = code + n_values[j] * second
        best: Settled | None = None
        for alternative in self.alternatives:
            if not alternative.formula.holds(row)[0]:
                continue
            again = {j for j in codes if int(row[0, j]) >= n_values[j] or j in self.stepped & self.twice}
            used, moving = self._moving(alternative.rows, row[0].tolist(), again)
            if not all(one.coefficients or one.holds(()) for one in used):
                continue
            nearest_of = {j: raw.nearest_number(j, codes[j]) for j in moving}
            chosen = self._numbers([one for one in used if one.coefficients], raw, moving, nearest_of)
            if chosen is None:
                continue
            far = {j: raw.spans(j, number) for j, number in chosen.items()}
            if best is None or sum(far.values()) < sum(best.far.values()):
                limits = self._limits(used, chosen, nearest_of)
                numbers = {(j, codes[j]): number for j, number in chosen.items()}
                best = Settled(raw.within(limits).with_numbers(numbers), far)
        assert best is not None, "there are numbers that obey"
        return best

    def _moving(
        self, rows: Sequence[Linear], codes: Sequence[int], again: set[int]
    ) -> tuple[list[Linear], dict[int, _Piece]]:
        """The rows over numbers that move, and the pieces of those; the ones in ``again`` do, compared or not."""
        moving = {j: piece for j in again if (piece := self.pieces[j][codes[j]]) is not None}
        used: list[Linear] = []
        for row in rows:
            pieces = {j: piece for j, _ in row.coefficients if (piece := self.pieces[j][codes[j]]) is not None}
            if len(pieces) < len(row.coefficients):
                continue
            used.append(row.with_known({j: piece.low for j, piece in pieces.items() if piece.domain is None}))
            moving |= {j: piece for j, piece in pieces.items() if piece.domain is not None}
        return used, moving

    def _numbers(
        self, rows: Sequence[Linear], raw: RawRow, moving: Mapping[int, _Piece], nearest_of: Mapping[int, float]
    ) -> dict[int, float] | None:
        """The nearest numbers that obey; None if there are none."""
        if not moving:
            return {}
        stored = {j: raw.stored(j, number) for j, number in nearest_of.items()}
        inside = all(piece.domain is None or stored[j] in piece.domain.region for j, piece in moving.items())
        if inside and all(row.holds_for(stored) for row in rows) and not self.stepped & set(moving):
            return dict(nearest_of)
        numbers = {j: raw.number(j) for j in moving}
        own = {j: Fraction(nearest_of[j] if number is None else number) for j, number in numbers.items()}
        rates = {j: Fraction(raw.spans(j, float(own[j]) + 1.0) or 1.0) for j in moving}
        found: dict[int, float] = {}
        joint = [({j}, list[Linear]()) for j in moving] + [({j for j, _ in row.coefficients}, [row]) for row in rows]
        for used, some in _apart(joint):
            part = nearest(some, {j: piece for j, piece in moving.items() if j in used}, own, rates)
            if part is None:
                return None
            found |= part
        return found

    def _limits(
        self, rows: Sequence[Linear], chosen: Mapping[int, float], nearest_of: Mapping[int, float]
    ) -> dict[int, Region]:
        """Ranges around the numbers of which every choice obeys: what a row leaves is given to one of its features, one
        that is where it would be without the row. The numbers alone where there are steps, or other alternatives.
        """
        if self.stepped or len(self.alternatives) > 1 or self.alternatives[0].formula != Both(()):
            return {j: Region(number, number) for j, number in chosen.items()}
        found: dict[int, Region] = {}
        for row in rows:
            left = row.most - sum((c * Fraction(chosen[j]) for j, c in row.coefficients), Fraction(0))
            free = sorted(row.coefficients, key=lambda part: (chosen[part[0]] != nearest_of[part[0]], part[1] < 0))
            for j, c in row.coefficients:
                takes = j == free[0][0]
                mark = Fraction(chosen[j]) + (left / c if takes else 0)
                limit = _bound(mark, upper=c > 0, strict=row.strict and takes)
                found[j] = limit.within(found[j]) if j in found else limit
        return found


def _apart(joint: Sequence[tuple[set[int], list[Linear]]]) -> list[tuple[set[int], list[Linear]]]:
    """Features and rows, put together where they share features."""
    found: list[tuple[set[int], list[Linear]]] = []
    for used, rows in joint:
        touching = [part for part in found if part[0] & used]
        found = [part for part in found if not part[0] & used]
        together = [one for _, several in touching for one in several]
        found.append((used.union(*(features for features, _ in touching)), [*together, *rows]))
    return found


def _bound(mark: Fraction, *, upper: bool, strict: bool) -> Region:
    """The doubles on one side of a mark."""
    try:
        end = float(mark)
    except OverflowError:
        end = math.inf if mark > 0 else -math.inf
    out = -math.inf if upper else math.inf
    if math.isfinite(end):
        ahead = Fraction(end) - mark
        if (ahead == 0 and strict) or (ahead > 0 if upper else ahead < 0):
            end = math.nextafter(end, out)
    elif (end > 0) == upper:
        return Region(-math.inf, math.inf)
    return Region(-math.inf, end) if upper else Region(end, math.inf)


def _codes(bits: int) -> list[int]:
    """The places of the ones."""
    return [code for code, bit in enumerate(bin(bits)[:1:-1]) if bit == "1"]


class _Boxes:
    """Which codes of several features contain numbers that obey linear rows together."""

    def __init__(self, rows: Sequence[Linear], pieces: Mapping[int, Pieces], text: str) -> None:
        self._rows, self._pieces, self._text = rows, pieces, text
        self.features = sorted(pieces)
        self._features = sorted(pieces, key=lambda j: len(pieces[j]))
        self._looked = 0
        #: By row, feature and code: the least that it adds; None for nothing, which makes the row say nothing.
        self._least: list[dict[int, list[Any]]] = [
            {
                j: [None if piece is None else _end(c, piece, least=True) for piece in pieces[j]]
                for j, c in row.coefficients
            }
            for row in rows
        ]
        #: By row and feature, the least of these; None where one says nothing.
        self._minima: list[dict[int, Any]] = [
            {j: None if None in ends else min(ends) for j, ends in least.items()} for least in self._least
        ]
        #: By feature, the codes that have numbers, as bits.
        self._filled = {
            j: sum(1 << code for code, piece in enumerate(some) if piece is None or not piece.is_empty)
            for j, some in pieces.items()
        }
        self._orders: dict[tuple[int, int], tuple[list[Any], list[int], int]] = {}
        self._members: dict[tuple[int, int], Formula] = {}
        self._tried: dict[tuple[int, ...], bool] = {}

    def formula(self) -> Formula:
        """In normal form; one row over many ranges is left as a sum, since its normal form is long."""
        ranges = any(piece is not None and piece.domain is not None for some in self._pieces.values() for piece in some)
        n_looked_at = math.prod(len(self._pieces[j]) for j in self._features[:-1])
        if len(self._rows) != 1 or not ranges or n_looked_at <= FEW_COMBINATIONS:
            return self._of(0, {})
        filled = [Member(j, frozenset(_codes(self._filled[j])), len(self._pieces[j])) for j in self.features]
        return simplified(Both, [*filled, self._sum(self._rows[0], self._least[0])])

    def _sum(self, row: Linear, least: Mapping[int, Sequence[Any]]) -> AtMost:
        """A row, in units so small that what it adds is whole."""
        columns = sorted(least)
        ends = [[None if end is None or math.isinf(end) else Fraction(end) for end in least[j]] for j in columns]
        unit = math.lcm(row.most.denominator, *(end.denominator for some in ends for end in some if end is not None))
        most = int(row.most * unit) - row.strict
        numbers = tuple(tuple(None if end is None else int(end * unit) for end in some) for some in ends)
        return AtMost(tuple(columns), numbers, most)

    def holds(self, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Which rows of codes, by feature in rising order, contain numbers that obey?"""
        every, back = np.unique(codes, axis=0, return_inverse=True)
        fine = [self._is_fine(dict(zip(self.features, some, strict=True))) for some in every.tolist()]
        return np.asarray(np.array(fine, dtype=np.bool_)[back.ravel()])

    def _of(self, i: int, chosen: dict[int, int]) -> Formula:
        tick()
        _core.check_memory()
        if i == len(self._features):
            return Both(()) if self._is_fine(chosen) else Either(())
        j = self._features[i]
        n = len(self._pieces[j])
        possible = self._possible(j, chosen)
        if i == len(self._features) - 1:
            if len(self._rows) <= 1:
                return self._member(j, possible)
            codes = [code for code in _codes(possible) if self._is_fine({**chosen, j: code})]
            return simplified(Both, [Member(j, frozenset(codes), n)])
        by_rest: dict[Formula, list[int]] = {}
        for code in _codes(possible):
            by_rest.setdefault(self._of(i + 1, {**chosen, j: code}), []).append(code)
        return simplified(
            Either, [simplified(Both, [Member(j, frozenset(some), n), rest]) for rest, some in by_rest.items()]
        )

    def _member(self, j: int, possible: int) -> Formula:
        """That a feature has one of these codes; made once."""
        key = j, possible
        if key not in self._members:
            codes = frozenset(_codes(possible))
            self._members[key] = simplified(Both, [Member(j, codes, len(self._pieces[j]))])
        return self._members[key]

    def _possible(self, j: int, chosen: Mapping[int, int]) -> int:
        """Codes of a feature, as bits, with which each row, by itself, can be obeyed."""
        possible = self._filled[j]
        for place, (row, least) in enumerate(zip(self._rows, self._least, strict=True)):
            if j not in least:
                continue
            others = [ends[chosen[i]] if i in chosen else self._minima[place][i] for i, ends in least.items() if i != j]
            if None in others or -math.inf in others:
                continue
            ends, firsts, free = self._sorted(place, j)
            bound = row.most - sum(others, Fraction(0))
            count = (bisect_left if row.strict else bisect_right)(ends, bound)
            possible &= firsts[count] | free
        return possible

    def _sorted(self, place: int, j: int) -> tuple[list[Any], list[int], int]:
        """What the codes of a feature add to a row at least, sorted; by number of codes the first ones, as bits; and
        the codes for which the row says nothing.
        """
        if (place, j) not in self._orders:
            ends = self._least[place][j]
            codes = sorted((code for code, end in enumerate(ends) if end is not None), key=lambda code: ends[code])
            firsts = list(accumulate((1 << code for code in codes), or_, initial=0))
            free = sum(1 << code for code, end in enumerate(ends) if end is None)
            self._orders[place, j] = [ends[code] for code in codes], firsts, free
        return self._orders[place, j]

    def _is_fine(self, chosen: Mapping[int, int]) -> bool:
        pieces = {j: self._pieces[j][code] for j, code in chosen.items()}
        if any(piece is not None and piece.is_empty for piece in pieces.values()):
            return False
        used = []
        for row in self._rows:
            if any(pieces[j] is None for j, _ in row.coefficients):
                continue
            known = {j: p.low for j in pieces if (p := pieces[j]) is not None and p.low == p.high}
            rest = row.with_known(known)
            if rest.coefficients:
                used.append(rest)
            elif not rest.holds(()):
                return False
        if len(used) <= 1:
            return all(_least_of(row, pieces) for row in used)
        free = {j: p for j, p in pieces.items() if p is not None and any(j in dict(r.coefficients) for r in used)}
        if not all(_least_of(row, pieces) for row in used):
            return False
        if len(used) == 2 and (known_soon := _band(used[0], used[1], free)) is not None:
            return known_soon
        self._looked += 1
        if self._looked > MOST_COMBINATIONS:
            raise LimitError(
                f"constraints: {self._text!r} relates more than {MOST_COMBINATIONS:,} combinations of ranges; relate "
                "fewer columns, or make ranges wider with allowed="
            )
        return solved(used, free, lambda j: _inside(free[j])) is not None


def _band(one: Linear, two: Linear, pieces: Mapping[int, _Piece]) -> bool | None:
    """Two rows that bound one sum from both sides, each of which can be obeyed: can both? None if that takes more."""
    if two.coefficients != tuple((j, -c) for j, c in one.coefficients):
        return None
    low, high = -two.most, one.most
    if low > high or (low == high and (one.strict or two.strict)):
        return False
    steps = {None if pieces[j].step is None else abs(c) * (pieces[j].step or 0) for j, c in one.coefficients}
    if any(pieces[j].domain is not None and pieces[j].domain.region.holes for j, _ in one.coefficients):  # type: ignore[union-attr]
        return None
    if None in steps:  # the sum takes all numbers from its least to its greatest, but for rounding
        return True if low < high else None
    if len(steps) > 1 or any(not math.isfinite(pieces[j].low) for j, _ in one.coefficients):
        return None
    (step,) = steps
    assert step is not None
    start = sum((c * Fraction(pieces[j].low) for j, c in one.coefficients), Fraction(0))
    first, last = (low - start) / step, (high - start) / step
    most = math.floor(last) - (one.strict and last == math.floor(last))
    return bool(math.ceil(first) + (two.strict and first == math.ceil(first)) <= most)


def _inside(piece: _Piece) -> Fraction:
    low, high = (math.isfinite(end) for end in (piece.low, piece.high))
    if low and high:
        return (Fraction(piece.low) + Fraction(piece.high)) / 2
    return Fraction(piece.low) if low else Fraction(piece.high) if high else Fraction(0)


def _end(coefficient: Fraction, piece: _Piece, *, least: bool) -> Any:
    """The least or the most that a piece adds."""
    end = piece.low if (coefficient > 0) == least else piece.high
    if math.isnan(end):
        return math.inf if least else -math.inf
    return coefficient * Fraction(end) if math.isfinite(end) else (-math.inf if least else math.inf)


def _least_of(row: Linear, pieces: Mapping[int, _Piece | None]) -> bool:
    """Can a row by itself be obeyed?"""
    total: Any = Fraction(0)
    for j, coefficient in row.coefficients:
        piece = pieces[j]
        assert piece is not None
        end = _end(coefficient, piece, least=True)
        if end == math.inf:
            return False
        total += end
    return bool(total < row.most or (total == row.most and not row.strict))


# --- rows of codes ----------------------------------------------------------------------------------------------------


class CodedRow(OldRow):
    """A row of codes, for `Relation`; ``labels`` are by feature, ``twice`` has the features whose values come a
    second time.
    """

    def __init__(
        self, raw: RawRow, labels: Sequence[Sequence[Any]], twice: frozenset[int], steps: Mapping[int, Fraction]
    ) -> None:
        self._raw, self._labels, self._twice, self._steps = raw, labels, twice, steps

    def code(self, j: int) -> int:
        return self._raw.code(j)

    def fraction(self, j: int) -> Fraction | None:
        if j in self._twice or self._raw.is_measured(j, self.code(j)):
            number = self._raw.number(j)
            return None if number is None else Fraction(number)
        return label_number(self._labels[j][self.code(j)])

    def unchanged(self, j: int) -> Formula:
        count = len(self._labels[j])
        return Member(j, frozenset([self.code(j)]), 2 * count if j in self._twice else count)

    def changed(self, j: int) -> Formula:
        return ~self.unchanged(j)

    def pieces(self, j: int) -> Pieces:
        """By code, the numbers."""
        count = len(self._labels[j])
        if j not in self._twice:
            numbers = [self._single(j, code) for code in range(count)]
            own_number, step = numbers[self.code(j)], self._steps.get(j)
            if step is not None and own_number is not None:
                far = [None if n is None else (n - own_number) / step for n in numbers]
                nowhere = _Piece(math.nan, math.nan)
                return [
                    nowhere if n is None or by is None or by.denominator > 1 else _Piece(float(n), float(n))
                    for n, by in zip(numbers, far, strict=True)
                ]
            return [None if number is None else _Piece(float(number), float(number)) for number in numbers]
        own, number = self.code(j), self._raw.number(j)
        found: list[_Piece | None] = []
        for code in range(count):
            tick()
            found.append(self._piece(j, code))
        # Other numbers exist for the row's own value only; those of other values are never taken.
        second = list(found)
        second[own] = self._piece(j, own, without=number)
        found[own] = None if number is None else _Piece(number, number)
        return [*found, *second]

    def _single(self, j: int, code: int) -> Fraction | None:
        """The number of a value that is no range; None if it has none."""
        region = self._raw.range_of(j, code)
        return label_number(self._labels[j][code]) if region is None else Fraction(region.first)

    def _piece(self, j: int, code: int, without: float | None = None) -> _Piece | None:
        domain = self._raw.domain(j, code)
        if domain is None:
            return None
        number, step = self._raw.number(j), self._steps.get(j)
        if step is not None and number is not None:
            whole = domain.step is not None and domain.step.denominator == 1
            domain = replace(domain, step=Fraction(step.numerator) if whole else step, origin=Fraction(number))
        if without is not None:
            domain = replace(domain, region=replace(domain.region, holes=(*domain.region.holes, without)))
        return _Piece.of(domain, self._raw.resolution(j, code))


def system_of(
    relations: Sequence[Relation], raw: RawRow, labels: Sequence[Sequence[Any]], twice: frozenset[int]
) -> RowSystem:
    """The relations of one row of codes."""
    steps = steps_of(relations)
    old = CodedRow(raw, labels, twice, steps)
    alternatives = tuple(all_of([relation.with_second(twice) for relation in relations], old))
    used = {j for alternative in alternatives for row in alternative.rows for j, _ in row.coefficients}
    text = " and ".join(relation.text for relation in relations)
    pieces = {j: old.pieces(j) for j in sorted(used | twice | set(steps))}
    return RowSystem(text, alternatives, pieces, twice, frozenset(steps))


def labels_where(alternatives: Sequence[Alternative], numbers: Mapping[int, Sequence[Fraction | None]]) -> Formula:
    """Which codes obey, where each has one number or none: the same for every row."""
    pieces = {
        j: [None if number is None else _Piece(float(number), float(number)) for number in some]
        for j, some in numbers.items()
    }
    return RowSystem("", tuple(alternatives), pieces).formula
