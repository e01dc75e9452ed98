"""Floats -> integers in common units, so that a sum does not depend on the order of addition.

A float is an integer times a power of two. Where the numbers of a model lie close enough together, a common power of
two makes integers of all of them, and nothing is rounded. Where they do not, the largest power of two is taken that
leaves room for the sums, and every number is rounded to the nearest unit.

A model that is given by its numbers is exact or refused: rounding is allowed if it is proved to change no decision
(`close_sums`), or if the user allows it. Why not wider integers? Fitted coefficients have 53 bits each and span 60 to
110 bits in all (LogisticRegression, SGDClassifier and others on digits, breast cancer and wine), so every engine would
need 128 bits, only to decide rows that are left to chance by the float sums of the library that fitted them: those are
off by up to n * 2**-53 of the sum of magnitudes, the rounding here by n * 2**-60. So models that are read from
scikit-learn are rounded, and say by how much (``rounding_error``).

Numbers as integers times powers of two, which is how the core takes the coefficients of numbers.

A float is such a number. The slope that is left when scaling is folded into a coefficient is a fraction; it is rounded,
once, to 62 bits, five hundred times finer than a float. What came out is the model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError

__all__ = ["Dyadic", "Numbers", "Units", "common_units", "difference", "dyadic", "joined", "numbers"]

#: Sums of magnitudes stay below 2 to this power, so that the difference of two fits the core's 62 bits.
SUM_BITS = 61

#: Room for the rounding of the numbers, and of the float sum that is compared with the limit.
SLACK = 2.0**32

#: Of int64 or of float64.
Numbers = npt.NDArray[Any]


class Units(NamedTuple):
    """Numbers as integers."""

    parts: list[npt.NDArray[np.int64]]
    #: A unit is 2 to the power of minus this.
    scale: int
    #: Was nothing rounded?
    exact: bool
    #: Bits from the largest sum of magnitudes down to the last bit of any number.
    span: int

    def rounding_error(self, n_summands: int) -> float:
        """How far a sum of this many numbers can be off."""
        return 0.0 if self.exact else math.ldexp(n_summands, -self.scale - 1)

    def refusal(self, what: str, n_summands: int, bits: int) -> ModelError:
        """The error for numbers that must not be rounded."""
        return ModelError(
            f"{what} span {self.span} bits, from their largest sum down to the last bit of any of them; at most {bits} "
            f"bits are supported, and rounding to that may change decisions. Multiply them by a common factor and "
            f"round them to integers, or use rounded=True: a sum is then off by at most "
            f"{self.rounding_error(n_summands):.1e}"
        )


def numbers(given: Any, what: str) -> Numbers:
    """A number or a flat list of numbers as an array: of int64 if all are integers, else of float64."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{what} must be numbers") from None
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, dtype=np.int64)
    if array.dtype.kind not in "iuf" or array.ndim > 1:
        raise ModelError(f"{what} must be numbers")
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise ModelError(f"{what}: {array.max()} is too large")
    return array.astype(np.int64)


def joined(parts: Sequence[Numbers]) -> Numbers:
    """All arrays, joined; floats if one of them holds floats."""
    if all(part.dtype.kind == "i" for part in parts):
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    return np.concatenate([_as_floats(part) for part in parts])


def common_units(
    parts: Sequence[Numbers], largest: Callable[[Sequence[npt.NDArray[np.float64]]], float], bits: int = SUM_BITS
) -> Units:
    """All numbers as integers in common units.

    ``largest`` gives the largest possible sum of magnitudes for these parts. Integers stay as they
    are; those whose sum does not fit into ``bits`` are refused. Floats are exact where they fit, else off by
    at most half a unit.
    """
    integers = [part for part in parts if part.dtype.kind == "i"]
    if len(integers) == len(parts):
        if largest([np.abs(part.astype(np.float64)) for part in parts]) >= 2.0**bits - SLACK:
            raise ModelError(
                f"the integers of this model add up to 2**{bits} or more: divide them all by the same number"
            )
        return Units(integers, 0, True, bits)
    floats = [_as_floats(part) for part in parts]
    top = max(math.frexp(float(np.abs(part).max()))[1] for part in floats if part.size)
    # Relative to the power of two above all of them, because the sum itself might overflow.
    total = largest([np.abs(np.ldexp(part, -top)) for part in floats])
    room = bits - math.frexp(total)[1]
    room -= math.ldexp(total, room) >= 2.0**bits - SLACK
    wanted = max(map(_exact_scale, floats))
    scale = min(max(wanted, 0), room - top)
    rounded = [np.rint(np.ldexp(part, scale)).astype(np.int64) for part in floats]
    return Units(rounded, scale, scale >= wanted, bits + wanted - room + top)


def _as_floats(part: Numbers) -> npt.NDArray[np.float64]:
    if part.dtype.kind == "i" and part.size and max(-int(part.min()), int(part.max())) > 2**53:
        raise ModelError("integers beyond 2**53 and floats do not mix: give integers only, or floats only")
    return part.astype(np.float64)


def _exact_scale(array: npt.NDArray[np.float64]) -> int:
    """The smallest s such that all numbers are integers in units of 2 to the power of -s."""
    mantissa, exponent = np.frexp(array[array != 0])
    digits = np.ldexp(mantissa, 53).astype(np.int64)
    zeros = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return int((53 - exponent - zeros).max(initial=-1100))


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
