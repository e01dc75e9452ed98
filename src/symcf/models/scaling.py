"""Floats -> integers in common units, so that a sum of them has one value, whoever adds them up.

A float is an integer times a power of two. Where the numbers of a model lie close enough together, a common power of
two makes integers of all of them, and nothing is rounded. Where they do not, the largest power of two is taken that
leaves room for the sums, and every number is rounded to the nearest unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError

__all__ = ["Numbers", "common_units", "joined", "numbers"]

#: Sums of magnitudes stay below 2 to this, so that the difference of two still fits the core's 62 bits.
SUM_BITS = 61

#: Room for the rounding of the numbers, and of the float sum that is compared with the limit.
SLACK = 2.0**32

#: Of int64 or of float64.
Numbers = npt.NDArray[Any]


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
    """One array after the other; floats if one of them holds floats."""
    if all(part.dtype.kind == "i" for part in parts):
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    return np.concatenate([_as_floats(part) for part in parts])


def common_units(
    parts: Sequence[Numbers], largest: Callable[[Sequence[npt.NDArray[np.float64]]], float], bits: int = SUM_BITS
) -> tuple[list[npt.NDArray[np.int64]], int]:
    """All numbers as integers, in units of 2 to the minus the second result.

    ``largest`` gives the largest sum of magnitudes that can come about when the parts are these. Integers stay as they
    are; those whose sum does not fit into ``bits`` are refused. Floats are exact where they fit, else off by
    half a unit at most.
    """
    integers = [part for part in parts if part.dtype.kind == "i"]
    if len(integers) == len(parts):
        if largest([np.abs(part.astype(np.float64)) for part in parts]) >= 2.0**bits - SLACK:
            raise ModelError(
                f"the integers of this model add up to 2**{bits} or more: divide them all by the same number"
            )
        return integers, 0
    floats = [_as_floats(part) for part in parts]
    top = max(math.frexp(float(np.abs(part).max()))[1] for part in floats if part.size)
    # Relative to the power of two above all of them, because the sum itself might overflow.
    total = largest([np.abs(np.ldexp(part, -top)) for part in floats])
    room = bits - math.frexp(total)[1]
    room -= math.ldexp(total, room) >= 2.0**bits - SLACK
    scale = min(max(map(_exact_scale, floats)), room - top)
    return [np.rint(np.ldexp(part, scale)).astype(np.int64) for part in floats], scale


def _as_floats(part: Numbers) -> npt.NDArray[np.float64]:
    if part.dtype.kind == "i" and part.size and max(-int(part.min()), int(part.max())) > 2**53:
        raise ModelError("integers beyond 2**53 and floats do not mix: give integers only, or floats only")
    return part.astype(np.float64)


def _exact_scale(array: npt.NDArray[np.float64]) -> int:
    """The smallest natural number s such that all numbers are integers in units of 2 to the minus s."""
    mantissa, exponent = np.frexp(array[array != 0])
    digits = np.ldexp(mantissa, 53).astype(np.int64)
    zeros = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return max(0, int((53 - exponent - zeros).max(initial=0)))
