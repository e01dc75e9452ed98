"""Checks of keyword arguments: an error names the option, what was given and what is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.common.renamed import new_choice
from symcf.errors import OptionError

__all__ = [
    "MOST",
    "MOST_SECONDS",
    "checked_choice",
    "checked_confidence",
    "checked_count",
    "checked_diverse",
    "checked_draws",
    "checked_random",
    "checked_seconds",
    "checked_some",
    "limit_of",
]

#: Larger counts, and longer times (about 30 years), do not limit anything: they are replaced by these, which fit the
#: core's integers.
MOST = 1 << 62
MOST_SECONDS = 1e9


def checked_count(number: Any, option: str, *, least: int, most: int = MOST) -> int | None:
    """An integer of at least `least`, or None. Larger ones than `most` become `most`."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
        raise OptionError(f"{option} must be an integer of at least {least}, not {number!r}")
    return min(int(number), most)


#: The most that one call draws; they take tens of gigabytes.
MOST_DRAWN = 10**8


def checked_diverse(k: Any) -> int | None:
    """How many counterfactuals that differ are wanted; None: all."""
    from symcf import _core  # which reads this module

    wanted = checked_count(k, "diverse", least=1)
    if wanted is not None and wanted > _core.MOST_DIVERSE:
        raise OptionError(f"diverse: {k:,} are too many: choose at most {_core.MOST_DIVERSE:,}")
    return wanted


def checked_some(k: Any) -> int:
    """The same where all of them are no choice."""
    wanted = checked_diverse(k)
    if wanted is None:
        raise OptionError("diverse: say how many")
    return wanted


def checked_draws(size: Any) -> int:
    """How many to draw."""
    wanted = checked_count(size, "size", least=0) or 0
    if wanted > MOST_DRAWN:
        raise OptionError(f"size is {size:,}: draw at most {MOST_DRAWN:,} per call")
    return wanted


def checked_random(random_state: Any) -> np.random.Generator:
    """Random numbers from a seed, or a generator that was given."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise OptionError(
            f"random_state must be an integer of at least 0, a numpy Generator or None, not {random_state!r}"
        ) from None


def checked_seconds(seconds: Any, option: str = "time_limit") -> float | None:
    """A number of seconds, or None."""
    if seconds is None:
        return None
    real = isinstance(seconds, (int, float, np.integer, np.floating)) and not isinstance(seconds, bool)
    if not real or not seconds >= 0:
        raise OptionError(f"{option} must be a number of seconds, 0 or more, not {seconds!r}")
    return float(min(seconds, MOST_SECONDS))


def checked_choice(choice: Any, option: str, choices: Sequence[str]) -> str:
    """One of a few names."""
    if choice not in choices:
        known = ", ".join(map(repr, choices))
        raise OptionError(new_choice(option, choice, choices) or f"unknown {option} {choice!r}: choose from {known}")
    return str(choice)


def checked_confidence(given: Any) -> float | None:
    """A share such as 0.95 or "95%"; None for none."""
    if given is None:
        return None
    problem = OptionError(f"confidence must be a share between 50% and 100%, such as 0.95 or '95%', not {given!r}")
    try:
        text = str(given).strip()
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise problem from None
    if isinstance(given, bool) or not 0.5 <= number < 1:
        raise problem
    return number


class Limit:
    """A number of rows, or a share of them."""

    def __init__(self, text: str, most: Fraction, is_share: bool) -> None:
        self._text, self._most, self.is_share = text, most, is_share

    def above(self, share: float) -> bool:
        """Is this share more than the limit, which is a share, too?"""
        return share > self._most

    def broken_by(self, count: int, total: int) -> bool:
        """Are these too many?"""
        return count > (self._most * total if self.is_share else self._most)

    def reached_by(self, count: int, total: int) -> bool:
        """Are these enough?"""
        return count >= (self._most * total if self.is_share else self._most)

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
