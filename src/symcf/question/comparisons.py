"""Comparisons of columns with numbers: ``tenure >= 12``, also at numbers that are not cut points of the model.

Where values are ranges of numbers, a comparison holds for a range if it holds for all of its numbers. `cuts_of` says
where ranges have to begin so that it holds for all or for none. A missing number is neither less nor more than any, and
equal to none.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from symcf.data.encoder import as_float
from symcf.data.labels import feature_index
from symcf.data.regions import Region
from symcf.errors import OptionError
from symcf.question.expressions import Expression, Test

__all__ = ["Regions", "codes_within", "compares_numbers", "cuts_around", "cuts_of", "points_of"]

#: By feature, the numbers that each value stands for; None where values are not ranges of numbers.
Regions = Sequence[Mapping[int, Region] | None]

#: The largest number.
MOST = sys.float_info.max


def compares_numbers(test: Test, regions: Mapping[int, Region] | None) -> bool:
    """Does a test compare ranges of numbers with numbers?"""
    return regions is not None and len(_numbers(test)) == len(test.values)


def cuts_of(expressions: Sequence[Expression], features: Sequence[str], regions: Regions) -> dict[int, set[float]]:
    """By feature that is compared with numbers, where its ranges have to begin."""
    found: dict[int, set[float]] = {}
    for test in (test for expression in expressions for test in expression.tests()):
        try:
            j = feature_index(test.feature, features, "constraints")
        except OptionError:
            continue  # reported where names are resolved
        if not compares_numbers(test, regions[j]):
            continue
        cuts = found.setdefault(j, set())
        for number in _numbers(test):
            if test.operator not in ("<=", ">"):
                cuts.add(_least(number))
            if test.operator not in ("<", ">="):
                cuts.add(_least(number, above=True))
    return {j: set(filter(math.isfinite, cuts)) for j, cuts in found.items()}


def codes_within(test: Test, regions: Mapping[int, Region], n_values: int) -> frozenset[int]:
    """The values for which a comparison with numbers holds. requires: ranges begin at its `cuts_of`."""
    inside = frozenset(code for code, region in regions.items() if _holds(test, region))
    return frozenset(range(n_values)) - inside if test.operator == "not in" else inside


def points_of(allowed: Any, regions: Mapping[int, Region] | None) -> tuple[float, ...] | None:
    """Where ranges of numbers are to become one of three or more numbers, these; None for anything else: two numbers
    are a range.
    """
    if regions is None or not isinstance(allowed, (list, tuple, set, frozenset, np.ndarray)):
        return None
    if not all(isinstance(value, (Real, Decimal, np.bool_)) for value in allowed):
        return None
    numbers = {as_float(value) for value in allowed}
    return tuple(sorted(numbers)) if len(numbers) > 2 else None


def cuts_around(points: Iterable[float]) -> set[float]:
    """Where ranges have to begin so that each of these numbers is one by itself."""
    return {cut for point in points for cut in (point, math.nextafter(point, math.inf)) if math.isfinite(cut)}


def _holds(test: Test, region: Region) -> bool:
    """Does the test hold for a range? requires: it holds for all of its numbers or for none."""
    numbers = _numbers(test)
    first, last = max(region.first, -MOST), min(region.last, MOST)
    match test.operator:
        case "<":
            return last < numbers[0]
        case "<=":
            return last <= numbers[0]
        case ">":
            return first > numbers[0]
        case ">=":
            return first >= numbers[0]
    return first == last and first in numbers


def _numbers(test: Test) -> list[int | float]:
    """Those among its values. True and False are 1 and 0, as in a column of numbers."""
    return [value for value in test.values if isinstance(value, (int, float))]


def _least(value: float, *, above: bool = False) -> float:
    """The least float that is at least this number, or above it."""
    number = as_float(value)
    return math.nextafter(number, math.inf) if number < value or (above and number == value) else number
