"""Numbers that are compared with each other: of a row's new values, the nearest numbers that obey.

Each changed feature may take any number of its new range, or of its own one, and is compared as it is stored. Where the
nearest ones do not obey, some have to go farther. In the best numbers, features that hold each other back share one
number, up to what strict orders and steps need: the nearest number of one of them, an end of the range of one, or the
number of a feature that stays. So these numbers, and the next ones to them that each feature may take, are tried in all
combinations; the nearest in sum wins.

Columns of real numbers take numbers of few digits. Where these do not obey, they get more digits.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from symcf.data.domains import Domain
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region, own_resolution

__all__ = ["Comparison", "Settled", "settled"]

#: Digits that real numbers get at most, beyond those that they have anyway.
MORE_DIGITS = 18


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


class Settled(NamedTuple):
    """Numbers that obey."""

    #: The row with them. Every choice from its ranges obeys, too.
    raw: RawRow
    #: By feature that is compared and gets another number, how far that is from the old one, in spans.
    far: dict[int, float]


def settled(raw: RawRow, comparisons: Sequence[Comparison], codes: Mapping[int, int]) -> Settled:
    """The nearest numbers that obey, of features that get these codes; a feature's own code is another number of its
    range. requires: there are such numbers.
    """
    used = [c for c in comparisons if _has_number(raw, codes, c.low) and _has_number(raw, codes, c.high)]
    compared = {j for c in used for j in (c.low, c.high)}
    moved = [_Moved.of(raw, j, codes[j]) for j in sorted(compared & set(codes))]
    if not moved:
        return Settled(raw, {})
    own = {j: raw.number(j) for j in compared if j not in codes}
    fixed = {j: number for j, number in own.items() if number is not None}
    chosen = _best(raw, used, moved, fixed)
    stored = {m.feature: m.domain.stored(chosen[m.feature]) for m in moved}
    nearest = {m.feature: m.domain.stored(m.nearest) for m in moved}
    narrower = raw.within(_limits(used, {**stored, **fixed}, nearest))
    numbers = {(m.feature, m.code): chosen[m.feature] for m in moved}
    return Settled(narrower.with_numbers(numbers), {j: raw.spans(j, number) for j, number in chosen.items()})


def _has_number(raw: RawRow, codes: Mapping[int, int], j: int) -> bool:
    return raw.is_measured(j, codes[j]) if j in codes else raw.number(j) is not None


@dataclass(frozen=True)
class _Moved:
    """A feature that gets another number."""

    feature: int
    code: int
    domain: Domain
    #: The nearest number of its range.
    nearest: float
    #: What its numbers are rounded to where any would do.
    digit: Fraction

    @classmethod
    def of(cls, raw: RawRow, j: int, code: int) -> _Moved:
        domain = raw.domain(j, code)
        assert domain is not None
        return cls(j, code, domain, raw.nearest_number(j, code), raw.resolution(j, code))

    def around(self, mark: float, more: int, *, strict: bool) -> Iterator[float]:
        """The numbers of the feature that are next to a mark, and next to its neighbours if that is ``strict``; with so
        many more digits than usual.
        """
        if self.domain.step is not None:
            yield from _next_stored(self, mark, strict=strict)
            return
        digit = own_resolution(mark, mark) / 10**more
        steps = (Fraction(0), digit, -digit) if strict else (Fraction(0),)
        for number in (float(Fraction(repr(mark)) + step) for step in steps):
            if number in self.domain.region:  # those outside have an end of the range in their place
                for up in (True, False):
                    yield from _some(self.domain.next(number, up=up))

    def ends(self, more: int) -> Iterator[float]:
        """The ends of its range, rounded inwards where any number would do."""
        for up, end in ((True, self.domain.region.first), (False, self.domain.region.last)):
            if math.isfinite(end):
                step = self.digit / 10**more if self.domain.step is None else self.domain.step
                rounded = Domain(self.domain.region, step, self.domain.short)
                yield from _some(rounded.next(end, up=up))


def _some(number: float | None) -> list[float]:
    return [] if number is None else [number]


def _best(
    raw: RawRow, comparisons: Sequence[Comparison], moved: Sequence[_Moved], fixed: Mapping[int, float]
) -> dict[int, float]:
    """The numbers that obey and are nearest in sum."""
    nearest = {m.feature: m.nearest for m in moved}
    if _obeys(comparisons, {**{m.feature: m.domain.stored(m.nearest) for m in moved}, **fixed}):
        return nearest
    for more in range(MORE_DIGITS):
        options = _options(comparisons, moved, fixed, more)
        found = _nearest_of(raw, comparisons, moved, fixed, options)
        if found is not None:
            return found
    found = _nearest_of(raw, comparisons, moved, fixed, _options(comparisons, moved, fixed, None))
    assert found is not None, "there are numbers that obey"
    return found


def _options(
    comparisons: Sequence[Comparison], moved: Sequence[_Moved], fixed: Mapping[int, float], more: int | None
) -> dict[int, set[float]]:
    """By feature, the numbers that are tried, with so many more digits than usual; None: the very next ones that can be
    stored.
    """
    strict = any(c.strict for c in comparisons)
    marks = {*fixed.values(), *(m.nearest for m in moved)}
    if more is None:
        marks |= {end for m in moved for end in (m.domain.least, m.domain.greatest) if end is not None}
        marks = {mark for mark in marks if math.isfinite(mark)}
    else:
        marks |= {end for m in moved for end in m.ends(more)}
    options: dict[int, set[float]] = {m.feature: {m.nearest} for m in moved}

    def around(m: _Moved, mark: float) -> Iterator[float]:
        return _next_stored(m, mark, strict=strict) if more is None else m.around(mark, more, strict=strict)

    for _ in moved:  # as often as orders follow on each other
        for m in moved:
            options[m.feature].update(number for mark in marks for number in around(m, mark))
        if not strict and all(m.domain.step is None for m in moved):
            break
        marks = {m.domain.stored(number) for m in moved for number in options[m.feature]} - marks
    return options


def _next_stored(m: _Moved, mark: float, *, strict: bool) -> Iterator[float]:
    for up in (True, False):
        for after in (False, True)[: 1 + strict]:
            yield from _some(m.domain.next(mark, up=up, strict=after))


def _nearest_of(
    raw: RawRow,
    comparisons: Sequence[Comparison],
    moved: Sequence[_Moved],
    fixed: Mapping[int, float],
    options: Mapping[int, Collection[float]],
) -> dict[int, float] | None:
    """The best combination that obeys; None if there is none."""
    ranked = [
        sorted((raw.spans(m.feature, number), number, m.domain.stored(number)) for number in options[m.feature])
        for m in moved
    ]
    least = [sum(some[0][0] for some in ranked[i:]) for i in range(len(ranked) + 1)]
    best: tuple[float, dict[int, float]] | None = None

    def extend(i: int, numbers: dict[int, float], stored: dict[int, float], far: float) -> None:
        nonlocal best
        if i == len(moved):
            best = far, numbers
            return
        j = moved[i].feature
        mine = [c for c in comparisons if j in (c.low, c.high)]
        for way, number, kept in ranked[i]:
            if best is not None and far + way + least[i + 1] >= best[0]:
                return
            known = {**stored, j: kept}
            if _obeys(mine, known):
                extend(i + 1, {**numbers, j: number}, known, far + way)

    extend(0, {}, dict(fixed), 0.0)
    return None if best is None else best[1]


def _obeys(comparisons: Sequence[Comparison], numbers: Mapping[int, float]) -> bool:
    return all(
        numbers[c.low] < numbers[c.high] or (numbers[c.low] == numbers[c.high] and not c.strict)
        for c in comparisons
        if c.low in numbers and c.high in numbers
    )


def _limits(
    comparisons: Sequence[Comparison], numbers: Mapping[int, float], nearest: Mapping[int, float]
) -> dict[int, Region]:
    """Ranges around the numbers of which every choice obeys: between two numbers lies a bound of both. ``nearest`` has
    the nearest numbers of those that move.
    """
    found: dict[int, Region] = {}

    def limit(j: int, region: Region) -> None:
        if j in nearest:
            found[j] = region.within(found[j]) if j in found else region

    for c in comparisons:
        low, high = numbers[c.low], numbers[c.high]
        at_low = c.low not in nearest or (c.high in nearest and high == nearest[c.high] and low != nearest[c.low])
        bound = low if at_low else high
        least = math.nextafter(bound, math.inf) if c.strict and at_low else bound
        most = math.nextafter(bound, -math.inf) if c.strict and not at_low else bound
        limit(c.low, Region(-math.inf, most))
        limit(c.high, Region(least, math.inf))
    return found
