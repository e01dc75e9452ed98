"""Numbers that are compared with each other: of a row's new values, the nearest numbers that obey.

Each changed feature may take any number of its new range, and is compared as it is stored. Where the nearest ones do
not obey, some have to go farther.
The best numbers are the nearest ones of some feature, or ends of ranges, rounded to the feature's own resolution; all
such combinations are tried, the nearest in sum wins.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

from symcf.rows.raw_row import RawRow
from symcf.rows.regions import Region

__all__ = ["Comparison", "settled"]


class Comparison(Protocol):
    """The number of `low` is at most that of `high`, or less if it is `strict`."""

    @property
    def low(self) -> int:
        """A feature."""

    @property
    def high(self) -> int:
        """Another one."""

    @property
    def strict(self) -> bool:
        """Must it be less?"""


def settled(raw: RawRow, comparisons: Sequence[Comparison], codes: Mapping[int, int]) -> tuple[RawRow, float]:
    """The row whose new numbers, with these new codes, obey; and how much farther they are than the nearest ones, in
    spans. Every choice from its ranges obeys, too. requires: there are such numbers.
    """
    used = [c for c in comparisons if _has_number(raw, codes, c.low) and _has_number(raw, codes, c.high)]
    moved = sorted({j for c in used for j in (c.low, c.high) if j in codes})
    own = {j: raw.number(j) for c in used for j in (c.low, c.high) if j not in codes}
    nearest = {j: raw.nearest_number(j, codes[j]) for j in moved}
    fixed: dict[int, float] = {j: number for j, number in own.items() if number is not None}
    if not moved:
        return raw, 0.0
    stored = _stored(raw, nearest)
    at_once = _obeys(used, {**stored, **fixed})
    chosen = nearest if at_once else _best(raw, used, codes, moved, nearest, fixed)
    more = sum(raw.spans(j, chosen[j]) - raw.spans(j, nearest[j]) for j in moved)
    limits = _limits(used, {**_stored(raw, chosen), **fixed}, stored, moved)
    narrower = raw.within(limits)
    exact = {j: Region(chosen[j], chosen[j]) for j in moved if narrower.nearest_number(j, codes[j]) != chosen[j]}
    return raw.within({**limits, **exact}), more


def _has_number(raw: RawRow, codes: Mapping[int, int], j: int) -> bool:
    return raw.is_measured(j, codes[j]) if j in codes else raw.number(j) is not None


def _stored(raw: RawRow, numbers: Mapping[int, float]) -> dict[int, float]:
    """What is compared: the numbers as they will be in the row."""
    return {j: raw.stored(j, number) for j, number in numbers.items()}


def _obeys(comparisons: Sequence[Comparison], numbers: Mapping[int, float]) -> bool:
    return all(
        numbers[c.low] < numbers[c.high] or (numbers[c.low] == numbers[c.high] and not c.strict)
        for c in comparisons
        if c.low in numbers and c.high in numbers
    )


def _best(
    raw: RawRow,
    comparisons: Sequence[Comparison],
    codes: Mapping[int, int],
    moved: Sequence[int],
    nearest: Mapping[int, float],
    fixed: Mapping[int, float],
) -> dict[int, float]:
    """The numbers that obey and are nearest in sum."""
    extents = {j: raw.extent(j, codes[j]) for j in moved}
    ends = [end for extent in extents.values() if extent is not None for end in extent if math.isfinite(end)]
    marks = sorted({*nearest.values(), *fixed.values(), *ends})
    options = {j: sorted(_rounded(raw, j, codes[j], marks), key=lambda number: raw.spans(j, number)) for j in moved}
    best: tuple[float, dict[int, float]] = math.inf, {}

    def extend(i: int, numbers: dict[int, float], stored: dict[int, float], far: float) -> None:
        nonlocal best
        if far >= best[0] or not _obeys(comparisons, stored):
            return
        if i == len(moved):
            best = far, dict(numbers)
            return
        j = moved[i]
        for number in options[j]:
            kept = {**stored, j: raw.stored(j, number)}
            extend(i + 1, {**numbers, j: number}, kept, far + raw.spans(j, number))

    extend(0, {}, dict(fixed), 0.0)
    assert best[1], "there are numbers that obey"
    return best[1]


def _rounded(raw: RawRow, j: int, code: int, marks: Sequence[float]) -> set[float]:
    """The numbers of a range next to these, and next to their neighbours, which a strict comparison needs."""
    found = {raw.nearest_number(j, code)}
    for mark in marks:
        for beyond in (mark, math.nextafter(mark, math.inf)):
            found.update(raw.next_number(j, code, beyond, up=True))
        for beyond in (mark, math.nextafter(mark, -math.inf)):
            found.update(raw.next_number(j, code, beyond, up=False))
    return found


def _limits(
    comparisons: Sequence[Comparison], numbers: Mapping[int, float], nearest: Mapping[int, float], moved: Sequence[int]
) -> dict[int, Region]:
    """Ranges around the numbers of which every choice obeys: between two numbers lies a bound of both."""
    found: dict[int, Region] = {}

    def limit(j: int, region: Region) -> None:
        if j in moved:
            found[j] = region.within(found[j]) if j in found else region

    for c in comparisons:
        low, high = numbers[c.low], numbers[c.high]
        at_low = c.low not in moved or (c.high in moved and high == nearest[c.high] and low != nearest.get(c.low))
        bound = low if at_low else high
        least = math.nextafter(bound, math.inf) if c.strict and at_low else bound
        most = math.nextafter(bound, -math.inf) if c.strict and not at_low else bound
        limit(c.low, Region(-math.inf, most))
        limit(c.high, Region(least, math.inf))
    return found
