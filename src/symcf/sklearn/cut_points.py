"""Where a number changes sides, exactly.

A scikit-learn model compares numbers after its steps have changed them. Scaling and rounding to 32 bits are monotone,
so the raw numbers that pass a test start at one double, and bisection over all doubles finds it. Comparing raw numbers
with it decides as the model does, to the last bit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError

__all__ = ["Chain", "Cut", "cuts", "distinct", "labels", "rounded_32", "starts"]

Floats = npt.NDArray[np.float64]

#: Monotone functions of numbers, applied in order.
Chain = tuple[Callable[[Floats], Floats], ...]


@dataclass(frozen=True, order=True)
class Cut:
    """A place between two ranges of a raw column."""

    #: The first number on the right.
    at: float
    #: The number to write.
    shown: float
    #: Whether that number itself lies on the left.
    closed: bool


def rounded_32(numbers: Floats) -> Floats:
    """The numbers as 32-bit floats, as a tree sees them."""
    with np.errstate(over="ignore"):
        return numbers.astype(np.float32).astype(np.float64)


def _through(chain: Chain, numbers: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        for step in chain:
            numbers = step(numbers)
    return numbers


def starts(chain: Chain, bounds: Floats, *, strict: bool) -> Floats:
    """The first double that the chain maps to each bound or above it (with ``strict``: strictly above it).

    NaN if the chain maps all finite numbers there, or none.
    """
    most = np.float64(np.finfo(np.float64).max)

    def passes(places: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        numbers = _through(chain, _doubles(places))
        return numbers > bounds if strict else numbers >= bounds

    high = np.full(len(bounds), most.view(np.int64))
    low = -high
    nowhere = passes(low) | ~passes(high)
    while (high - 1 > low).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        there = passes(middle)
        low, high = np.where(there, low, middle), np.where(there, middle, high)
    return np.where(nowhere, np.nan, _doubles(high))


def cuts(chain: Chain, bounds: Iterable[float], *, strict: bool) -> list[Cut]:
    """The cuts that comparisons with the bounds make in raw numbers."""
    different = np.unique(np.fromiter(bounds, dtype=np.float64))
    # Without scaling, users know the bound; with it, the number next to the cut.
    plain = all(step is rounded_32 for step in chain)
    return [
        Cut(at, bound if plain else math.nextafter(at, -math.inf) if strict else at, strict)
        for at, bound in zip(starts(chain, different, strict=strict).tolist(), different.tolist(), strict=True)
        if not math.isnan(at)
    ]


def _doubles(places: npt.NDArray[np.int64]) -> Floats:
    """The doubles at these places among all of them, where 0 is at 0: as places ascend, so do doubles."""
    bits = np.where(places >= 0, places, np.int64(-(2**63)) - places)
    return bits.view(np.float64)


def distinct(found: Iterable[Cut]) -> list[Cut]:
    """Ascending, one per place."""
    return sorted({one.at: one for one in sorted(found, reverse=True)}.values())


def labels(found: Sequence[Cut]) -> list[str]:
    """The names of the ranges between the cuts, with as few digits as distinguish the cuts."""
    if not found:
        return ["any"]
    texts = _texts([one.shown for one in found])
    first, last = found[0], found[-1]
    names = [f"{'<=' if first.closed else '<'} {texts[0]}"]
    names += [f"{a} .. {b}" for a, b in itertools.pairwise(texts)]
    return [*names, f"{'>' if last.closed else '>='} {texts[-1]}"]


def _texts(numbers: Sequence[float]) -> list[str]:
    for digits in (6, 9, 12, 17):
        texts = [f"{number:.{digits}g}".replace("e+", "e") for number in numbers]
        if len(set(texts)) == len(texts):
            return texts
    # "<= 3" and "< 3": two cuts around one number
    texts = [repr(number) for number in numbers]
    for i, text in enumerate(texts):
        if text in texts[:i]:
            texts[i] = f"{text}+"
    if len(set(texts)) < len(texts):
        raise ModelError(f"too many cuts around {texts[0]}")
    return texts
