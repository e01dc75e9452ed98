"""Relations, resolved to features: what their atoms say about values, numbers, the row as it is, and what changes.

For a row, `Relation.alternatives` is a list of which one has to hold: a formula over values together with linear rows
over numbers. Relations that say the same of every row have a formula alone. A comparison says nothing of a row in which
one of its numbers is missing. A quotient whose denominator is 0 obeys nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.errors import InternalError, OptionError
from symcf.question.amounts import Form, Quotient, Undefined
from symcf.question.expressions import Algebra, Comparison, Expression
from symcf.question.formulas import Both, Condition, Either, Formula, Member, simplified
from symcf.question.orders import Order, order_of
from symcf.system.lines import Linear

__all__ = [
    "Alternative",
    "Counted",
    "Measured",
    "OldRow",
    "Relation",
    "Resolved",
    "Steps",
    "Was",
    "all_of",
    "both_ways",
    "label_number",
    "steps_of",
]

T = TypeVar("T")

#: Alternatives of the relations of one row.
MOST_ALTERNATIVES = 512

#: Two sums are equal if they differ by no more than this part of what the row's own numbers add up to.
EQUAL = Fraction(1, 1 << 40)

#: Signs, mirrored and negated.
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


#: The old number of a feature; None where it is missing.
Numbers = Callable[[int], Fraction | None]


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


class _Atom:
    """What an atom of a relation is resolved to, where it is no `Member`."""

    #: What it says of every row, and what its opposite does; None where that depends on the row.
    fixed: tuple[Formula, Formula] | None = None
    #: The features whose new values are in it.
    features: Collection[int] = ()

    @property
    def numbers(self) -> Collection[int]:
        """The features whose new numbers are in it."""
        return ()

    def with_second(self, features: Container[int]) -> Self:
        """See `Member`."""
        return self

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """For a row: what has to hold so that it does, or so that its opposite does."""
        raise NotImplementedError


@dataclass(frozen=True)
class Was(_Atom):
    """The row as it is has one of these values."""

    member: Member

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        return ALWAYS if (old.code(self.member.feature) in self.member.codes) == holds else NEVER


@dataclass(frozen=True)
class Counted(_Atom):
    """At most so many of these features change."""

    most: int
    features: tuple[int, ...]

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """See `_Atom`. Of so many and one more, one stays; or else, so many and one more change."""
        groups = list(combinations(self.features, self.most + 1))
        if holds:
            parts = [simplified(Either, [old.unchanged(j) for j in group]) for group in groups]
            return [Alternative(simplified(Both, parts))]
        parts = [simplified(Both, [old.changed(j) for j in group]) for group in groups]
        return [Alternative(simplified(Either, parts))]


@dataclass(frozen=True)
class Steps(_Atom):
    """A number changes by multiples of a step; see `Relation.steps`."""

    feature: int
    step: Fraction

    @property
    def features(self) -> set[int]:  # type: ignore[override]
        return {self.feature}

    numbers = features

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """See `_Atom`. It is no row: it says which numbers there are."""
        return ALWAYS


@dataclass(frozen=True)
class Measured(_Atom):
    """Two amounts, compared. ``names`` has the features of the names in them, and whether a name is the new number, the
    old one, or the difference: "", "old." or "change.".
    """

    comparison: Comparison
    names: Mapping[str, tuple[str, int]] = field(hash=False)
    #: Where all of its values are single numbers: those that obey, and those that obey its opposite.
    fixed: tuple[Formula, Formula] | None = None

    @property
    def features(self) -> set[int]:  # type: ignore[override]
        return {j for prefix, j in self.names.values() if prefix != "old."}

    numbers = features

    def with_second(self, features: Container[int]) -> Measured:
        if self.fixed is None:
            return self
        yes, no = (formula.with_second(features) for formula in self.fixed)
        return replace(self, fixed=(yes, no))

    def difference(self, old: Numbers) -> Quotient:
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
        return self.compared(old.fraction, holds)

    def compared(self, old: Numbers, holds: bool) -> Alternatives:
        """The same where old numbers are known by feature."""
        sign = self.comparison.operator if holds else NEGATED[self.comparison.operator]
        try:
            quotient = self.difference(old)
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


def _compared(form: Form, sign: str, old: Numbers) -> Alternatives:
    """A form compared with 0."""
    if sign in (">", ">="):
        return _compared(form.times(Fraction(-1)), MIRRORED[sign], old)
    if sign in ("<", "<="):
        return _row(form, Fraction(0), strict=sign == "<")
    size = abs(form.constant)
    for j, coefficient in form.coefficients:
        size += abs(coefficient * (old(j) or 0))
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
    """Parts with one alternative are joined all at once, since one after the other takes quadratic time."""
    single = [part[0] for part in parts if len(part) == 1]
    rows = tuple(dict.fromkeys(row for one in single for row in one.rows))
    found = _or([[Alternative(simplified(Both, [one.formula for one in single]), rows)]])
    for part in (part for part in parts if len(part) != 1):
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


#: What an atom of a `Relation` is resolved to.
Resolved = Member | Was | Counted | Steps | Measured

#: Does it hold, and does its opposite? Where a number is missing, both do.
Truth = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]


@dataclass(frozen=True)
class Relation(Condition):
    """One relation, as the user gave it and resolved."""

    text: str
    expression: Expression
    #: What its atoms mean, from left to right.
    resolved: tuple[Resolved, ...]
    #: The features whose values stand for ranges of numbers and are compared in it.
    compared: frozenset[int] = frozenset()

    @property
    def by_row(self) -> bool:  # type: ignore[override]
        return any(atom.fixed is None for atom in self.resolved)

    @property
    def steps(self) -> dict[int, Fraction]:
        """By feature, what its number may only change by multiples of."""
        return {atom.feature: atom.step for atom in self.resolved if isinstance(atom, Steps)}

    @property
    def features(self) -> set[int]:
        """The features in it."""
        return {j for atom in self.resolved for j in atom.features}

    @property
    def order(self) -> Order | None:
        """The order that it is, if it compares the numbers of two columns and nothing else."""
        atom = self.resolved[0]
        if self.expression.depth > 1 or not isinstance(atom, Measured):
            return None
        rows = [row for one in atom.compared(lambda j: None, True) for row in one.rows]
        return order_of(rows[0]) if len(rows) == 1 else None

    @cached_property
    def formula(self) -> Formula | None:
        """See `Condition`."""
        if self.by_row:
            return None
        return simplified(Either, [one.formula for one in self.alternatives(None)])

    def with_second(self, features: frozenset[int]) -> Relation:
        return replace(self, resolved=tuple(atom.with_second(features) for atom in self.resolved))

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of value codes obey: by the expression, not by the normal form."""
        resolved, values = iter(self.resolved), rows % np.array(n_values)

        def atom(_: Any) -> Truth:
            found = next(resolved).fixed
            if found is None:
                raise InternalError(f"{self.text!r} depends on the row")
            return found[0].holds(values), found[1].holds(values)

        every, some = np.logical_and.reduce, np.logical_or.reduce
        return np.asarray(self.expression.meaning(both_ways(atom, every, some))[0])

    def alternatives(self, old: OldRow | None) -> Alternatives:
        """What a new row has to obey: one of these. ``old`` is None where they are the same for every row."""
        resolved = iter(self.resolved)

        def atom(_: Any) -> tuple[Alternatives, Alternatives]:
            one = next(resolved)
            if one.fixed is not None:
                yes, no = one.fixed
                return _or([[Alternative(yes)]]), _or([[Alternative(no)]])
            assert old is not None
            return one.lowered(old, True), one.lowered(old, False)

        return self.expression.meaning(both_ways(atom, _and, _or))[0]


def both_ways(
    atom: Callable[[Any], tuple[T, T]], every: Callable[[list[T]], T], some: Callable[[list[T]], T]
) -> Algebra[tuple[T, T]]:
    """What holds, and what its opposite does."""
    return Algebra(
        atom,
        lambda parts: (every([yes for yes, _ in parts]), some([no for _, no in parts])),
        lambda parts: (some([yes for yes, _ in parts]), every([no for _, no in parts])),
        lambda part: (part[1], part[0]),
    )


def all_of(relations: Sequence[Relation], old: OldRow) -> Alternatives:
    """What a new row has to obey because of all of them."""
    return _and([relation.alternatives(old) for relation in relations])


def steps_of(relations: Sequence[Relation]) -> dict[int, Fraction]:
    """By feature, what its number may only change by multiples of: of several steps, their least common multiple."""
    found: dict[int, Fraction] = {}
    for j, step in (pair for relation in relations for pair in relation.steps.items()):
        a, b = found.get(j, step), step
        common = math.lcm(a.numerator * b.denominator, b.numerator * a.denominator)
        found[j] = Fraction(common, a.denominator * b.denominator)
    return found


def label_number(label: Any) -> Fraction | None:
    """The number that a label is; None if it is none."""
    if isinstance(label, (bool, np.bool_)) or not isinstance(label, (int, float, np.integer, np.floating)):
        return None
    return Fraction(label.item() if isinstance(label, np.generic) else label) if math.isfinite(label) else None
