"""Costs of changes -> integers.

Engines compare sums of costs, and sums of floats depend on the order of addition. So costs become integers: exact ones
if the decimals that the user wrote have a common denominator that fits (0.1 + 0.2 is then 0.3), otherwise rounded to
about 50 binary places. Every engine sees the same integers, so every engine sees the same ties.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import OptionError
from symcf.instances import feature_index

__all__ = ["Costs"]

#: Sums of costs stay below 2**62, the bound of the core.
SUM_BITS = 61


class Costs:
    """The cost of changing each feature: what the user said, and the integers that stand for it."""

    def __init__(self, cost: Any, features: Sequence[str]) -> None:
        #: One number a feature, as given.
        self.given: tuple[float, ...] = _per_feature(cost, features)
        #: Integers in the same proportions; None where every change costs 1.
        self.units: npt.NDArray[np.int64] | None = None
        if cost is not None:
            self.units = _to_units([Fraction(repr(c)) for c in self.given])

    def total(self, change_set: Sequence[int]) -> float:
        """The cost of a set of changes."""
        return math.fsum(self.given[j] for j in change_set)

    def weights(self) -> list[int]:
        """An integer a feature."""
        if self.units is None:
            return [1] * len(self.given)
        weights: list[int] = self.units.tolist()
        return weights


def _per_feature(cost: Any, features: Sequence[str]) -> tuple[float, ...]:
    """Costs by feature; those not mentioned in a mapping cost 1."""
    if cost is None:
        return (1.0,) * len(features)
    if isinstance(cost, Mapping):
        by_feature = [1.0] * len(features)
        for feature, value in cost.items():
            by_feature[feature_index(feature, features, "cost")] = _checked(value, feature)
        return tuple(by_feature)
    try:
        values = list(cost)
    except TypeError:
        raise OptionError(f"cost must be a mapping from features or one number a feature, not {cost!r}") from None
    if len(values) != len(features):
        raise OptionError(f"cost has {len(values)} numbers, the classifier has {len(features)} features")
    return tuple(_checked(value, name) for value, name in zip(values, features, strict=True))


def _checked(value: Any, feature: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise OptionError(f"the cost of feature {feature!r} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (number > 0 and math.isfinite(number)):
        raise OptionError(f"the cost of feature {feature!r} must be positive and finite, not {value!r}")
    return number


def _to_units(costs: list[Fraction]) -> npt.NDArray[np.int64]:
    denominator = math.lcm(*(c.denominator for c in costs)) if costs else 1
    exact = [int(c * denominator) for c in costs]
    shared = math.gcd(*exact) or 1
    if sum(exact) // shared < 2**SUM_BITS:
        return np.array([c // shared for c in exact], dtype=np.int64)
    scale = Fraction(2**SUM_BITS - len(costs)) / sum(costs)
    return np.array([max(1, int(c * scale)) for c in costs], dtype=np.int64)
