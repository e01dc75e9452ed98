"""Checks of keyword arguments: an error names the option, what was given and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symcf.errors import OptionError

__all__ = ["checked_choice", "checked_count", "checked_seconds"]


def checked_count(number: Any, option: str, *, least: int) -> int | None:
    """An integer of at least `least`, or None."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
        raise OptionError(f"{option} must be an integer of at least {least}, not {number!r}")
    return int(number)


def checked_seconds(seconds: Any, option: str = "time_limit") -> float | None:
    """A number of seconds, or None."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float, np.number)) or not seconds >= 0:
        raise OptionError(f"{option} must be a number of seconds, not {seconds!r}")
    return float(seconds)


def checked_choice(choice: Any, option: str, choices: Sequence[str]) -> str:
    """One of a few names."""
    if choice not in choices:
        raise OptionError(f"unknown {option} {choice!r}: choose from {', '.join(map(repr, choices))}")
    return str(choice)
