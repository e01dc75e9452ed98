"""Relations that mean something else for each row: over sums of numbers, the row as it is, and what changes.

`RowRelation` is one, resolved to features. For a row, `alternatives` states it as a list of which one has to hold: a
formula over values together with linear rows over numbers. A comparison says nothing of a row in which one of its
numbers is missing. A quotient whose denominator is 0 obeys nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple, Protocol

import numpy as np

from symcf.errors import OptionError
from symcf.question.amounts import Form, Quotient, Undefined
from symcf.question.expressions import Algebra, Comparison, Expression
from symcf.question.formulas import Both, Condition, Either, Formula, Member, simplified
from symcf.system.lines import Linear

__all__ = [
    "Alternative",
    "Counted",
    "Measured",
    "OldRow",
    "Resolved",
    "RowRelation",
    "Steps",
    "Was",
    "all_of",
    "label_number",
]

#: Alternatives of the relations of one row.
MOST_ALTERNATIVES = 512

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
class Steps:
    """A number changes by multiples of a step; see `RowRelation.steps`."""

    feature: int
    step: Fraction

    @property
    def features(self) -> set[int]:
        """The feature."""
        return {self.feature}

    def lowered(self, old: OldRow, holds: bool) -> Alternatives:
        """See `RowRelation`. It is no row: it says which numbers there are."""
        return ALWAYS


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
Resolved = Member | Was | Counted | Steps | Measured


@dataclass(frozen=True)
class RowRelation(Condition):
    """One relation that depends on the row, as the user gave it and resolved."""

    text: str
    expression: Expression
    #: What its atoms mean, from left to right.
    resolved: tuple[Resolved, ...]
    #: The features whose values stand for ranges of numbers and are compared in it.
    compared: frozenset[int]
    by_row = True

    @property
    def steps(self) -> dict[int, Fraction]:
        """By feature, what its number may only change by multiples of."""
        return {atom.feature: atom.step for atom in self.resolved if isinstance(atom, Steps)}

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


def label_number(label: Any) -> Fraction | None:
    """The number that a label is; None if it is none."""
    if isinstance(label, (bool, np.bool_)) or not isinstance(label, (int, float, np.integer, np.floating)):
        return None
    return Fraction(label.item() if isinstance(label, np.generic) else label) if math.isfinite(label) else None
