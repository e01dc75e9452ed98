"""Numbers as integers times powers of two, which is how the core takes the coefficients of numbers.

A float is such a number. The slope that is left when scaling is folded into a coefficient is a fraction; it is rounded,
once, to 62 bits, five hundred times finer than a float. What came out is the model.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from symcf.errors import ModelError

__all__ = ["Dyadic", "difference", "dyadic"]

BITS = 62


class Dyadic(NamedTuple):
    """``digits * 2**exponent``."""

    digits: int
    exponent: int

    @property
    def fraction(self) -> Fraction:
        """The number itself."""
        return Fraction(self.digits) * Fraction(2) ** self.exponent

    def units(self, scale: int) -> int:
        """In units of 2 to the power of minus ``scale``, rounded half up."""
        return _shifted(self.digits, self.exponent + scale)


def difference(a: Dyadic, b: Dyadic) -> Dyadic:
    """A - b, rounded to 61 bits if it has more."""
    least = min(a.exponent, b.exponent)
    digits = (a.digits << a.exponent - least) - (b.digits << b.exponent - least)
    extra = digits.bit_length() - (BITS - 1)
    if extra <= 0:
        return Dyadic(digits, least)
    rounded = (abs(digits) + (1 << extra - 1)) >> extra
    return Dyadic(rounded if digits > 0 else -rounded, least + extra)


def _shifted(number: int, shift: int) -> int:
    if shift >= 0:
        return number << shift
    return (number + (1 << (-shift - 1))) >> -shift


def dyadic(given: Any, what: str) -> Dyadic:
    """A number of the user's as such; fractions are rounded to 62 bits."""
    if isinstance(given, (list, tuple)) and len(given) == 2 and all(type(part) is int for part in given):
        digits, exponent = given  # as JSON has it
        if abs(digits) >= 1 << BITS or abs(exponent) > 5000:
            raise ModelError(f"{what} is {given!r}: at most {BITS} bits are supported")
        return Dyadic(digits, exponent)
    if isinstance(given, bool) or not isinstance(given, (int, float, Fraction, np.integer, np.floating)):
        raise ModelError(f"{what} must be a number, not {given!r}")
    if not math.isfinite(given):
        raise ModelError(f"{what} is {given!r}")
    exact = Fraction(given.item() if isinstance(given, np.generic) else given)
    if exact == 0:
        return Dyadic(0, 0)
    top, bottom = exact.numerator, exact.denominator
    power = bottom & (bottom - 1) == 0
    if power and abs(top).bit_length() < BITS:
        return Dyadic(top, 1 - bottom.bit_length())
    shift = BITS - 1 - abs(top).bit_length() + bottom.bit_length()
    numerator, denominator = (top << shift, bottom) if shift >= 0 else (top, bottom << -shift)
    digits = (2 * numerator + denominator) // (2 * denominator)
    if abs(digits) >= 1 << BITS:
        digits, shift = digits >> 1, shift - 1
    if abs(shift) > 5000:
        raise ModelError(f"{what} is {float(exact)!r}, which is too small or too large")
    return Dyadic(digits, -shift)
