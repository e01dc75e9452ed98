"""Where a number changes sides, exactly.

A scikit-learn model compares numbers after its steps have changed them. Scaling and rounding to 32 bits are monotone,
so the raw numbers that pass a test start at one double, and bisection over all doubles finds it. Comparing raw numbers
with it decides as the model does, to the last bit.

Logarithms, powers and their like (`Function`) are monotone but for the last bits of what the machine computes. Around
the double that bisection finds, all doubles are tried, and every change of sides is a cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.data.intervals import range_names
from symcf.errors import ModelError

__all__ = [
    "Chain",
    "Cut",
    "Function",
    "cuts",
    "distinct",
    "edges",
    "is_total",
    "labels",
    "rounded_32",
    "starts",
    "through",
]

Floats = npt.NDArray[np.float64]
#: Numbers of doubles, see `_doubles`.
Places = npt.NDArray[np.int64]

#: Monotone functions of numbers, applied in order. They rise, unless they say that they fall (`falls`).
Chain = tuple[Callable[[Floats], Floats], ...]

#: How many doubles on each side of a cut are tried first, and at most, where the last bits may be wrong.
FIRST_DOUBTS, MOST_DOUBTS = 256, 1 << 16


@dataclass(frozen=True, eq=False)
class Function:
    """A function of numbers that rises, or falls, but for the last bits of what is computed."""

    compute: Callable[[Floats], Floats]
    falls: bool = False
    #: Is it exactly monotone, as correctly rounded operations are?
    exact: bool = False
    #: Is it a finite number for all numbers that occur?
    total: bool = False
    #: The same as the steps of a `Link`; None if there are none.
    steps: tuple[tuple[Any, ...], ...] | None = None

    def __call__(self, numbers: Floats) -> Floats:
        """What it makes of the numbers."""
        return np.asarray(self.compute(numbers), dtype=np.float64)


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


def through(chain: Chain, numbers: Floats) -> Floats:
    """What the chain makes of the numbers."""
    with np.errstate(all="ignore"):
        for step in chain:
            numbers = step(numbers)
    return numbers


def _falls(chain: Chain) -> bool:
    return sum(bool(getattr(step, "falls", False)) for step in chain) % 2 == 1


class _Test:
    """Which doubles are right of each bound: those that the chain maps above it, or below it if the chain falls.

    The chain may be undefined (NaN) on one end; all its numbers are then on the other.
    """

    def __init__(self, chain: Chain, bounds: Floats, *, strict: bool) -> None:
        self.chain, self.bounds, self.strict, self.falls = chain, bounds, strict, _falls(chain)
        self.first, self.last = _domain(chain)
        high, low = np.full(len(bounds), self.last), np.full(len(bounds), self.first)
        #: By bound, whether doubles change sides, and a place that passes after one that does not.
        self.somewhere = ~self.passes(low, bounds) & self.passes(high, bounds)
        self.found = _bisected(low, high, lambda places: self.passes(places, bounds))

    def passes(self, places: Places, bounds: Floats) -> npt.NDArray[np.bool_]:
        tick()
        numbers = through(self.chain, _doubles(np.clip(places, self.first, self.last)))
        above: npt.NDArray[np.bool_] = numbers > bounds if self.strict else numbers >= bounds
        return ~above if self.falls else above

    def around(self, place: int, bound: float) -> list[int]:
        """All places around this one where doubles change sides."""
        width = FIRST_DOUBTS
        while width <= MOST_DOUBTS:
            places = np.arange(max(place - width, self.first), min(place + width, self.last) + 1)
            right = self.passes(places, np.array([bound]))
            changes = np.flatnonzero(np.diff(right)) + 1
            # the outer halves must be on one side each
            if abs(places[changes] - place).max() <= width // 2:
                return [int(at) for at in places[changes]]
            width *= 4
        raise ModelError(
            f"a step is not monotone around {_doubles(np.array([place]))[0]!r}, more than the last bits of its results "
            f"explain: bin the column before that step (KBinsDiscretizer)"
        )


def _domain(chain: Chain) -> tuple[int, int]:
    """The first and the last place at which the chain is a number."""
    last = int(np.float64(np.finfo(np.float64).max).view(np.int64))
    if not any(isinstance(step, Function) for step in chain):
        return -last, last

    def defined(places: Places) -> npt.NDArray[np.bool_]:
        return np.asarray(~np.isnan(through(chain, _doubles(places))))

    low, high = np.array([-last]), np.array([last])
    at_low, at_high = bool(defined(low)[0]), bool(defined(high)[0])
    if at_low and at_high:
        return -last, last
    if not (at_low or at_high):
        raise ModelError("a step is undefined for small and for large numbers: bin the column before it instead")
    found = int(_bisected(low, high, defined if at_high else lambda places: ~defined(places))[0])
    return (found, last) if at_high else (-last, found - 1)


def _bisected(low: Places, high: Places, passes: Callable[[Places], npt.NDArray[np.bool_]]) -> Places:
    """A place that passes and whose predecessor does not, if that holds for the ends."""
    while (high - 1 > low).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        there = passes(middle)
        low, high = np.where(there, low, middle), np.where(there, middle, high)
    return high


def starts(chain: Chain, bounds: Floats, *, strict: bool) -> Floats:
    """The first double that the chain maps to each bound or above it (with ``strict``: strictly above it). If the chain
    falls: the first that it no longer maps there.

    NaN if the chain maps all finite numbers there, or none.
    """
    test = _Test(chain, bounds, strict=strict)
    return np.where(test.somewhere, _doubles(test.found), np.nan)


def cuts(chain: Chain, bounds: Iterable[float], *, strict: bool) -> list[Cut]:
    """The cuts that comparisons with the bounds make in raw numbers."""
    different = np.unique(np.fromiter(bounds, dtype=np.float64))
    # Without scaling, users know the bound; with it, the number next to the cut.
    plain = all(step is rounded_32 for step in chain)
    test = _Test(chain, different, strict=strict)
    closed = strict != test.falls
    sure = all(step.exact for step in chain if isinstance(step, Function))
    result = []
    for place, bound in zip(*(part[test.somewhere].tolist() for part in (test.found, different)), strict=True):
        for number in _doubles(np.array([place] if sure else test.around(place, bound))).tolist():
            shown = bound if plain else math.nextafter(number, -math.inf) if closed else number
            result.append(Cut(number, shown, closed))
    return result


def is_total(chain: Chain) -> bool:
    """Is what the chain makes of numbers finite, for all numbers that occur?"""
    return all(step.total for step in chain if isinstance(step, Function))


def edges(chain: Chain) -> list[Cut]:
    """The cuts around the numbers that the chain maps to finite ones."""
    first, last = _domain(chain)
    most = float(np.finfo(np.float64).max)
    inside = [Cut(at, at, False) for at in _doubles(np.array([first, last + 1])).tolist() if abs(at) < most]
    return [*inside, *cuts(chain, [-math.inf, most], strict=True)]


def _doubles(places: Places) -> Floats:
    """The doubles at these places among all of them, where 0 is at 0: as places ascend, so do doubles."""
    bits = np.where(places >= 0, places, np.int64(-(2**63)) - places)
    return bits.view(np.float64)


def distinct(found: Iterable[Cut]) -> list[Cut]:
    """Ascending, one per place."""
    return sorted({one.at: one for one in sorted(found, reverse=True)}.values())


def labels(found: Sequence[Cut]) -> list[str]:
    """The names of the ranges between the cuts, with as few digits as distinguish the cuts."""
    texts = _texts([one.shown for one in found])
    return range_names([(text, one.closed) for text, one in zip(texts, found, strict=True)])


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
