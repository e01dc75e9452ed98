"""What an audit must not exceed, for use in CI."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from symcf.errors import OptionError

__all__ = ["Limit", "limit_of"]


class Limit:
    """A number of rows, or a share of them."""

    def __init__(self, text: str, most: Fraction, is_share: bool) -> None:
        self._text, self._most, self._is_share = text, most, is_share

    def broken_by(self, count: int, total: int) -> bool:
        """Are these too many?"""
        return count > (self._most * total if self._is_share else self._most)

    def __str__(self) -> str:
        return self._text


def limit_of(given: Any, option: str) -> Limit:
    """A whole number is a number of rows, ``"5%"`` and 0.05 are shares."""
    problem = OptionError(f"{option} must be a number of rows, or a share such as 0.05 or '5%', not {given!r}")
    if isinstance(given, bool):
        raise problem
    text = str(given).strip()
    try:
        number = Fraction(Decimal(text.removesuffix("%")))
    except (ArithmeticError, ValueError):  # not a number, or not finite
        raise problem from None
    if text.endswith("%"):
        number, is_share = number / 100, True
    else:
        is_share = number.denominator > 1
    if number < 0 or (is_share and number > 1):
        raise problem
    return Limit(text, number, is_share)
