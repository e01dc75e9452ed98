"""Amounts: sums of numbers of a row, as they are written: ``4 * income - debt``, ``loan / old.income``.

An amount is a tree of numbers, names and the signs + - * /. For a row whose old numbers are known it becomes a quotient
of two linear forms in the new numbers; all arithmetic is exact. Two columns are never multiplied with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.errors import OptionError

__all__ = ["NO_PRODUCTS", "Amount", "Form", "Product", "Quotient", "Undefined", "amount_of"]

#: How tightly signs bind.
BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}


@dataclass(frozen=True)
class Form:
    """Numbers of features times coefficients, and a constant."""

    coefficients: tuple[tuple[int, Fraction], ...]
    constant: Fraction

    @classmethod
    def of(cls, number: int | Fraction) -> Form:
        """A constant."""
        return cls((), Fraction(number))

    @classmethod
    def new(cls, j: int) -> Form:
        """The new number of a feature."""
        return cls(((j, Fraction(1)),), Fraction(0))

    def __add__(self, other: Form) -> Form:
        total = dict(self.coefficients)
        for j, coefficient in other.coefficients:
            total[j] = total.get(j, Fraction(0)) + coefficient
        kept = tuple((j, c) for j, c in sorted(total.items()) if c)
        return Form(kept, self.constant + other.constant)

    def times(self, factor: Fraction) -> Form:
        """The form times a number."""
        return Form(tuple((j, c * factor) for j, c in self.coefficients if factor), self.constant * factor)

    def at(self, number_of: Callable[[int], Fraction]) -> Fraction:
        """The value for numbers of features."""
        return self.constant + sum((c * number_of(j) for j, c in self.coefficients), Fraction(0))


class Undefined(Exception):
    """A division by zero, or a number that is missing."""


class Product(Exception):
    """Two columns are multiplied with each other, at a position of the text."""

    place: int | None = None


@dataclass(frozen=True)
class Quotient:
    """One form by another."""

    over: Form
    under: Form = Form((), Fraction(1))

    def __add__(self, other: Quotient) -> Quotient:
        if self.under == other.under:
            return Quotient(self.over + other.over, self.under)
        return Quotient(
            _times(self.over, other.under) + _times(other.over, self.under), _times(self.under, other.under)
        )

    def __neg__(self) -> Quotient:
        return Quotient(self.over.times(Fraction(-1)), self.under)

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(_times(self.over, other.over), _times(self.under, other.under))

    def __truediv__(self, other: Quotient) -> Quotient:
        if not other.over.coefficients and not other.over.constant:
            raise Undefined
        return Quotient(_times(self.over, other.under), _times(self.under, other.over))


def _times(one: Form, two: Form) -> Form:
    if one.coefficients and two.coefficients:
        raise Product
    factor, form = (one, two) if not one.coefficients else (two, one)
    return form.times(factor.constant)


@dataclass(frozen=True)
class Amount:
    """A number, a name, or two amounts with a sign between them."""

    #: A fraction or a name; a sign where there are parts.
    said: Fraction | str
    parts: tuple[Amount, ...] = ()
    #: Its position in the text.
    place: int = field(default=0, compare=False)

    def leaves(self) -> Iterator[Amount]:
        """All names in it."""
        if not self.parts and isinstance(self.said, str):
            yield self
        for part in self.parts:
            yield from part.leaves()

    def value(self, of: Callable[[Amount], Quotient]) -> Quotient:
        """As a quotient, where names mean this. `Product` and `Undefined` as above."""
        if not self.parts:
            return of(self) if isinstance(self.said, str) else Quotient(Form.of(self.said))
        left, right = (part.value(of) for part in self.parts)
        try:
            match self.said:
                case "+":
                    return left + right
                case "-":
                    return left + -right
                case "*":
                    return left * right
            return left / right
        except Product as error:
            error.place = self.place if error.place is None else error.place
            raise

    def __str__(self) -> str:
        return self._written(0)

    def _written(self, within: int) -> str:
        if not self.parts:
            return _name(self.said) if isinstance(self.said, str) else _decimal(self.said)
        binds = BINDS[str(self.said)]
        left, right = self.parts
        text = f"{left._written(binds)} {self.said} {right._written(binds + 1)}"
        return f"({text})" if binds < within else text


#: What to do about `Product`.
NO_PRODUCTS = (
    "two columns are multiplied, or divided by sums of columns on both sides, which is not supported: add the product "
    "to the data as a column of its own, or use a black-box model (symcf.from_predict)"
)


def amount_of(given: Any) -> Amount:
    """A number as an amount."""
    if isinstance(given, Amount):
        return given
    if not isinstance(given, bool) and isinstance(given, (int, float, Fraction, Decimal, np.integer, np.floating)):
        return Amount(Fraction(str(given)))
    raise OptionError(f"constraints: a sum has columns and numbers in it, not {given!r}")


def _decimal(number: Fraction) -> str:
    text = repr(float(number))
    return str(number.numerator) if number.denominator == 1 else text if Fraction(text) == number else str(number)


def _name(name: str) -> str:
    plain = name.replace(".", "_").isidentifier()
    return name if plain else "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
