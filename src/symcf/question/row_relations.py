"""Relations that mean something else for each row: over sums of numbers, the row as it is, and what changes.

`RowRelation` is one, resolved to features. For a row, `alternatives` states it as a list of which one has to hold: a
formula over values together with linear rows over numbers. A comparison says nothing of a row in which one of its
numbers is missing. A quotient whose denominator is 0 obeys nothing.

Where values are ranges of numbers, `RowSystem` says which of them contain numbers that obey all linear rows at once. In
the codes that engines see, a feature that keeps its range but not its number has the range a second time
(`symcf.system.groups`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.domains import Domain
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.data.settling import Settled
from symcf.errors import LimitError, OptionError
from symcf.question.amounts import Form, Quotient, Undefined
from symcf.question.expressions import Algebra, Comparison, Expression
from symcf.question.formulas import Both, Condition, Either, Formula, Member, simplified
from symcf.system.feasible import nearest, solved
from symcf.system.lines import Linear

__all__ = [
    "Alternative",
    "Counted",
    "Measured",
    "OldRow",
    "Resolved",
    "RowRelation",
    "RowSystem",
    "Was",
    "all_of",
    "label_number",
    "system_of",
]

#: Alternatives of the relations of one row.
MOST_ALTERNATIVES = 512

#: Combinations of ranges that are looked at for one row.
MOST_COMBINATIONS = 1 << 17

#: Two sums are equal if they differ by no more than this part of what the row's own numbers add up to.
EQUAL = Fraction(1, 1 << 40)

#: Signs, mirrored and negated.
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


class OldRow(Protocol):
    """What is known of a row."""

    def code(self, j: int) -> int:
        """The value code of a feature."""

    def fraction(self, j: int) -> Fraction | None:
        """Its number; None where it is missing."""

    def unchanged(self, j: int) -> Formula:
        """The rows in which the feature is what it was."""

    def changed(self, j: int) -> Formula:
        """The others."""


class Alternative(NamedTuple):
    """Both have to hold."""

    formula: Formula
    rows: tuple[Linear, ...] = ()


Alternatives = list[Alternative]

ALWAYS, NEVER = [Alternative(Both(()))], list[Alternative]()


# --- atoms ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Was:
    """The row as it is has one of these values."""

    member: Member

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """See `RowRelation`."""
        return ALWAYS if (old.code(self.member.feature) in self.member.codes) == holds else NEVER


@dataclass(frozen=True)
class Counted:
    """At most so many of these features change."""

    most: int
    features: tuple[int, ...]

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """See `RowRelation`. Of so many and one more, one stays; or else, so many and one more change."""
        groups = list(combinations(self.features, self.most + 1))
        if holds:
            parts = [simplified(Either, [old.unchanged(j) for j in group]) for group in groups]
            return [Alternative(simplified(Both, parts))]
        parts = [simplified(Both, [old.changed(j) for j in group]) for group in groups]
        return [Alternative(simplified(Either, parts))]


@dataclass(frozen=True)
class Measured:
    """Two amounts, compared. ``names`` has the features of the names in them, and whether a name is the new number, the
    old one, or the difference: "", "old." or "change.".
    """

    comparison: Comparison
    names: Mapping[str, tuple[str, int]] = field(hash=False)

    @property
    def features(self) -> set[int]:
        """The features whose new numbers are in it."""
        return {j for prefix, j in self.names.values() if prefix != "old."}

    def difference(self, old: Callable[[int], Fraction | None]) -> Quotient:
        """Left minus right. `Undefined` where a number is missing, or divided by 0."""

        def number(j: int) -> Fraction:
            found = old(j)
            if found is None:
                raise Missing
            return found

        def meaning(leaf: Any) -> Quotient:
            prefix, j = self.names[leaf.said]
            if prefix == "old.":
                return Quotient(Form.of(number(j)))
            return Quotient(Form.new(j) + Form.of(-number(j)) if prefix == "change." else Form.new(j))

        return self.comparison.left.value(meaning) + -self.comparison.right.value(meaning)

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """See `RowRelation`."""
        sign = self.comparison.operator if holds else NEGATED[self.comparison.operator]
        try:
            quotient = self.difference(old.fraction)
        except Missing:
            return ALWAYS
        except Undefined:
            return NEVER
        over, under = quotient.over, quotient.under
        if not under.coefficients:
            if not under.constant:
                return NEVER
            return _compared(over, sign if under.constant > 0 else MIRRORED[sign], old)
        positive = _and([_compared(under, ">", old), _compared(over, sign, old)])
        negative = _and([_compared(under, "<", old), _compared(over, MIRRORED[sign], old)])
        return _or([positive, negative])


class Missing(Exception):
    """A number of the row is missing."""


def _compared(form: Form, sign: str, old: OldRow) -> Alternatives:
    """A form compared with 0."""
    if sign in (">", ">="):
        return _compared(form.times(Fraction(-1)), MIRRORED[sign], old)
    if sign in ("<", "<="):
        return _row(form, Fraction(0), strict=sign == "<")
    size = abs(form.constant)
    for j, coefficient in form.coefficients:
        size += abs(coefficient * (old.fraction(j) or 0))
    near = EQUAL * max(size, Fraction(1))
    if sign == "=":
        return _and([_row(form, near), _row(form.times(Fraction(-1)), near)])
    return _or([_row(form, -near, strict=True), _row(form.times(Fraction(-1)), -near, strict=True)])


def _row(form: Form, most: Fraction, *, strict: bool = False) -> Alternatives:
    """A form is at most a number."""
    row = Linear(form.coefficients, most - form.constant, strict)
    if row.coefficients:
        return [Alternative(Both(()), (row,))]
    return ALWAYS if row.most > 0 or (row.most == 0 and not strict) else NEVER


def _and(parts: Sequence[Alternatives]) -> Alternatives:
    found = ALWAYS
    for part in parts:
        found = [
            Alternative(simplified(Both, [a.formula, b.formula]), tuple(dict.fromkeys((*a.rows, *b.rows))))
            for a, b in product(found, part)
        ]
        found = _or([found])
    return found


def _or(parts: Sequence[Alternatives]) -> Alternatives:
    """Those with the same linear rows join."""
    by_rows: dict[tuple[Linear, ...], list[Formula]] = {}
    for alternative in (alternative for part in parts for alternative in part):
        by_rows.setdefault(alternative.rows, []).append(alternative.formula)
    joined = [Alternative(simplified(Either, formulas), rows) for rows, formulas in by_rows.items()]
    found = [one for one in joined if one.formula != Either(())]
    if any(not one.rows and one.formula == Both(()) for one in found):
        return ALWAYS
    if len(found) > MOST_ALTERNATIVES:
        raise OptionError(
            f"constraints: conditions over numbers have more than {MOST_ALTERNATIVES:,} alternatives; use fewer 'or', "
            "'->' and '!='"
        )
    return found


#: What an atom of a `RowRelation` is resolved to.
Resolved = Member | Was | Counted | Measured


@dataclass(frozen=True)
class RowRelation(Condition):
    """One relation that depends on the row, as the user gave it and resolved."""

    text: str
    expression: Expression
    #: What its atoms mean, from left to right.
    resolved: tuple[Resolved, ...]
    #: The features whose values stand for ranges of numbers and are compared in it.
    compared: frozenset[int]  # type: ignore[assignment]
    by_row = True

    @property
    def features(self) -> set[int]:
        """The features in it."""
        found: set[int] = set()
        for atom in self.resolved:
            if isinstance(atom, Member):
                found.add(atom.feature)
            elif isinstance(atom, Was):
                continue
            else:
                found.update(atom.features)
        return found

    def alternatives(self, old: OldRow) -> Alternatives:
        """What a new row has to obey: one of these."""
        resolved = iter(self.resolved)

        def atom(_: Any) -> tuple[Alternatives, Alternatives]:
            one = next(resolved)
            if isinstance(one, Member):
                return _or([[Alternative(simplified(Both, [one]))]]), _or([[Alternative(~one)]])
            return one.lowered(old, True), one.lowered(old, False)

        holds, _ = self.expression.meaning(
            Algebra[tuple[Alternatives, Alternatives]](
                atom,
                lambda parts: (_and([part[0] for part in parts]), _or([part[1] for part in parts])),
                lambda parts: (_or([part[0] for part in parts]), _and([part[1] for part in parts])),
                lambda part: (part[1], part[0]),
            )
        )
        return holds


def all_of(relations: Sequence[RowRelation], old: OldRow) -> Alternatives:
    """What a new row has to obey because of all of them."""
    return _and([relation.alternatives(old) for relation in relations])


# --- ranges of numbers ------------------------------------------------------------------------------------------------


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
                some = (domain.stored(float(k * digit)) for k in (places, places + 1))
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
            for up, end in enumerate(ends):
                if end is not None:
                    yield domain.stored(end)
                    ends[up] = domain.next(end, up=bool(up), strict=True)


#: By code, the numbers; None where there is none.
Pieces = Sequence[_Piece | None]


@dataclass(frozen=True)
class RowSystem(Condition):
    """The relations of one row, over the codes of its features."""

    text: str
    alternatives: tuple[Alternative, ...]
    #: By feature of a linear row, or whose values come a second time.
    pieces: Mapping[int, Pieces] = field(hash=False, compare=False)
    twice: frozenset[int] = frozenset()
    advice = "compare fewer columns"

    @cached_property
    def formula(self) -> Formula:  # type: ignore[override]
        """In normal form."""
        found = []
        for alternative in self.alternatives:
            used = {j for row in alternative.rows for j, _ in row.coefficients}
            boxes = _Boxes(alternative.rows, {j: self.pieces[j] for j in used}, self.text)
            found.append(simplified(Both, [alternative.formula, boxes.formula()]))
        return simplified(Either, found)

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of codes obey."""
        result = np.zeros(len(rows), dtype=np.bool_)
        for alternative in self.alternatives:
            fine = _holds(alternative.formula, rows)
            used = sorted({j for row in alternative.rows for j, _ in row.coefficients})
            if used and fine.any():
                boxes = _Boxes(alternative.rows, {j: self.pieces[j] for j in used}, self.text)
                every, back = np.unique(rows[:, used], axis=0, return_inverse=True)
                fine &= np.array([boxes.holds(codes) for codes in every.tolist()], dtype=np.bool_)[back.ravel()]
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
        best: tuple[float, Settled] | None = None
        for alternative in self.alternatives:
            if not _holds(alternative.formula, row)[0]:
                continue
            again = {j for j in codes if int(row[0, j]) >= n_values[j]}
            found = self._numbers(alternative.rows, raw, row[0].tolist(), again)
            if found is None:
                continue
            chosen, pinned = found
            far = {j: raw.spans(j, number) for j, number in chosen.items()}
            if best is None or sum(far.values()) < best[0]:
                limits = {j: Region(chosen[j], chosen[j]) for j in pinned}
                numbers = {(j, codes[j]): number for j, number in chosen.items()}
                best = sum(far.values()), Settled(raw.within(limits).with_numbers(numbers), far)
        assert best is not None, "there are numbers that obey"
        return best[1]

    def _numbers(
        self, rows: Sequence[Linear], raw: RawRow, codes: Sequence[int], again: set[int]
    ) -> tuple[dict[int, float], set[int]] | None:
        """The numbers of features that move, and of these the ones that are compared. Those in ``again`` take another
        number of their range.
        """
        moving = {j: piece for j in again if (piece := self.pieces[j][codes[j]]) is not None}
        used: list[Linear] = []
        for row in rows:
            pieces = {j: self.pieces[j][codes[j]] for j, _ in row.coefficients}
            if any(piece is None for piece in pieces.values()):
                continue
            used.append(_known(row, {j: p.low for j, p in pieces.items() if p is not None and p.domain is None}))
            moving |= {j: piece for j, piece in pieces.items() if piece is not None and piece.domain is not None}
        if not all(row.coefficients or row.holds(()) for row in used):
            return None
        used = [row for row in used if row.coefficients]
        if not moving:
            return {}, set()
        own: dict[int, Fraction] = {}
        for j in moving:
            number = raw.number(j)
            own[j] = Fraction(raw.nearest_number(j, codes[j] % (len(self.pieces[j]) // 2)) if number is None else number)
        rates = {j: Fraction(raw.spans(j, float(own[j]) + 1.0) or 1.0) for j in moving}
        found = nearest(used, moving, own, rates)
        return None if found is None else (found, set(moving))


def _known(row: Linear, numbers: Mapping[int, float]) -> Linear:
    """A row where some numbers are known."""
    rest = tuple((j, c) for j, c in row.coefficients if j not in numbers)
    known = sum((c * Fraction(numbers[j]) for j, c in row.coefficients if j in numbers), Fraction(0))
    return replace(row, coefficients=rest, most=row.most - known)


def _holds(formula: Formula, rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
    """Which rows of codes obey a formula."""
    if isinstance(formula, Member):
        return formula.holds(rows)
    parts = [_holds(part, rows) for part in formula.parts]
    every = isinstance(formula, Both)
    start = np.full(len(rows), every, dtype=np.bool_)
    for part in parts:
        start = start & part if every else start | part
    return start


class _Boxes:
    """Which codes of several features contain numbers that obey linear rows together."""

    def __init__(self, rows: Sequence[Linear], pieces: Mapping[int, Pieces], text: str) -> None:
        self._rows, self._pieces, self._text = rows, pieces, text
        self._features = sorted(pieces, key=lambda j: len(pieces[j]))
        self._looked = 0
        #: By row, feature and code: the least that it adds; None for nothing, which makes the row say nothing.
        self._least = [
            {
                j: [None if piece is None else _end(c, piece, least=True) for piece in pieces[j]]
                for j, c in row.coefficients
            }
            for row in rows
        ]
        self._tried: dict[tuple[int, ...], bool] = {}

    def formula(self) -> Formula:
        """In normal form."""
        return self._of(0, {})

    def holds(self, codes: Sequence[int]) -> bool:
        """Do these codes, by feature in rising order, contain numbers that obey?"""
        return self._is_fine(dict(zip(sorted(self._features), codes, strict=True)))

    def _of(self, i: int, chosen: dict[int, int]) -> Formula:
        tick()
        if i == len(self._features):
            return Both(()) if self._is_fine(chosen) else Either(())
        j = self._features[i]
        n = len(self._pieces[j])
        codes = self._possible(j, chosen)
        if i == len(self._features) - 1:
            if len(self._rows) > 1:
                codes = [code for code in codes if self._is_fine({**chosen, j: code})]
            return simplified(Both, [Member(j, frozenset(codes), n)])
        by_rest: dict[Formula, list[int]] = {}
        for code in codes:
            by_rest.setdefault(self._of(i + 1, {**chosen, j: code}), []).append(code)
        return simplified(
            Either, [simplified(Both, [Member(j, frozenset(some), n), rest]) for rest, some in by_rest.items()]
        )

    def _possible(self, j: int, chosen: Mapping[int, int]) -> list[int]:
        """Codes of a feature with which each row, by itself, can be obeyed."""
        possible = set(range(len(self._pieces[j])))
        for row, least in zip(self._rows, self._least, strict=True):
            if j not in least:
                continue
            total, vague = Fraction(0), False
            for i, ends in least.items():
                if i == j:
                    continue
                some = [ends[chosen[i]]] if i in chosen else ends
                if None in some or -math.inf in some:
                    vague = True
                    break
                total += min(some)  # type: ignore[type-var]
            if vague:
                continue
            order, sorted_ends, free = self._sorted(j, row, least[j])
            bound = row.most - total
            count = bisect_right(sorted_ends, bound)
            while row.strict and count and sorted_ends[count - 1] == bound:
                count -= 1
            possible &= {*order[:count], *free}
        return sorted(possible)

    def _sorted(
        self, j: int, row: Linear, ends: Sequence[Any]
    ) -> tuple[list[int], list[Any], list[int]]:
        """The codes of a feature by what they add to a row at least; and those for which it says nothing."""
        key = id(row), j
        if key not in self._orders:
            codes = sorted((code for code, end in enumerate(ends) if end is not None), key=lambda code: ends[code])
            free = [code for code, end in enumerate(ends) if end is None]
            self._orders[key] = codes, [ends[code] for code in codes], free
        return self._orders[key]

    @cached_property
    def _orders(self) -> dict[tuple[int, int], tuple[list[int], list[Any], list[int]]]:
        return {}

    def _is_fine(self, chosen: Mapping[int, int]) -> bool:
        pieces = {j: self._pieces[j][code] for j, code in chosen.items()}
        used = []
        for row in self._rows:
            if any(pieces[j] is None for j, _ in row.coefficients):
                continue
            known = {j: p.low for j in pieces if (p := pieces[j]) is not None and p.low == p.high}
            rest = _known(row, known)
            if rest.coefficients:
                used.append(rest)
            elif not rest.holds(()):
                return False
        if len(used) <= 1:
            return all(_least_of(row, pieces) for row in used)
        free = {j: p for j, p in pieces.items() if p is not None and any(j in dict(r.coefficients) for r in used)}
        if any(p.low > p.high or math.isnan(p.low) for p in free.values()):
            return False
        if not all(_least_of(row, pieces) for row in used):
            return False
        self._looked += 1
        if self._looked > MOST_COMBINATIONS:
            raise LimitError(
                f"constraints: {self._text!r} relates more than {MOST_COMBINATIONS:,} combinations of ranges; relate "
                "fewer columns, or make ranges wider with allowed="
            )
        return solved(used, free, lambda j: _inside(free[j])) is not None


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


class CodedRow:
    """A row of codes, for `RowRelation`; ``labels`` are by feature, ``twice`` has the features whose values come a
    second time.
    """

    def __init__(self, raw: RawRow, labels: Sequence[Sequence[Any]], twice: frozenset[int]) -> None:
        self._raw, self._labels, self._twice = raw, labels, twice

    def code(self, j: int) -> int:
        """See `OldRow`."""
        return self._raw.code(j)

    def fraction(self, j: int) -> Fraction | None:
        """See `OldRow`."""
        if j in self._twice:
            number = self._raw.number(j)
            return None if number is None else Fraction(number)
        return label_number(self._labels[j][self.code(j)])

    def unchanged(self, j: int) -> Formula:
        """See `OldRow`."""
        count = len(self._labels[j])
        return Member(j, frozenset([self.code(j)]), 2 * count if j in self._twice else count)

    def changed(self, j: int) -> Formula:
        """See `OldRow`."""
        return ~self.unchanged(j)

    def pieces(self, j: int) -> Pieces:
        """By code, the numbers."""
        count = len(self._labels[j])
        if j not in self._twice:
            numbers = [label_number(label) for label in self._labels[j]]
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

    def _piece(self, j: int, code: int, without: float | None = None) -> _Piece | None:
        domain = self._raw.domain(j, code)
        if domain is None:
            return None
        if without is not None:
            domain = replace(domain, region=replace(domain.region, holes=(*domain.region.holes, without)))
        least, greatest = domain.least, domain.greatest
        if least is None or greatest is None:
            return _Piece(math.nan, math.nan, domain)
        return _Piece(least, greatest, domain, self._raw.resolution(j, code))


def label_number(label: Any) -> Fraction | None:
    """The number that a label is; None if it is none."""
    if isinstance(label, (bool, np.bool_)) or not isinstance(label, (int, float, np.integer, np.floating)):
        return None
    return Fraction(label) if math.isfinite(label) else None


def system_of(
    relations: Sequence[RowRelation], raw: RawRow, labels: Sequence[Sequence[Any]], twice: frozenset[int]
) -> RowSystem:
    """The relations of one row of codes."""
    old = CodedRow(raw, labels, twice)
    seconded = [
        replace(
            relation,
            resolved=tuple(
                atom.with_second(twice) if isinstance(atom, Member) else atom for atom in relation.resolved
            ),
        )
        for relation in relations
    ]
    alternatives = tuple(all_of(seconded, old))
    used = {j for alternative in alternatives for row in alternative.rows for j, _ in row.coefficients}
    text = " and ".join(relation.text for relation in relations)
    return RowSystem(text, alternatives, {j: old.pieces(j) for j in sorted(used | twice)}, twice)
