"""Costs of changes -> integers.

Engines compare sums of costs, and sums of floats depend on the order of addition. So costs become integers: exact ones
if the decimals that the user wrote have a common denominator that fits (0.1 + 0.2 is then 0.3), otherwise rounded to
about 50 binary places. Every engine sees the same integers, so every engine sees the same ties.

A feature has one cost, or one per pair of an old and a new value:

    cost={"age": 2.0}                               every change of age costs 2
    cost={"job": [[0, 1, 4], [1, 0, 2], [4, 2, 0]]}  cost[old][new], by value codes
    cost={"job": {("clerk", "baker"): 4, "student": 2}}   this pair; becoming a student; anything else 1
    cost={"job": lambda old, new: 4 if new == "baker" else 1}
    cost={"age": "ordinal"}                         the number of steps in the order of the values
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import OptionError
from symcf.rows.labels import by_feature

__all__ = ["Costs"]

#: Sums of costs stay below 2**62, the bound of the core.
SUM_BITS = 61

Units = npt.NDArray[np.int64]
#: By old and new value; the diagonal is 0.
Matrix = npt.NDArray[np.float64]


class Costs:
    """The cost of changing each feature: what the user gave, and the integers that represent it."""

    def __init__(
        self,
        cost: Any,
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]] | None = None,
        ordered: Sequence[bool] | None = None,
    ) -> None:
        said = _per_feature(cost, _Features(features, values, ordered))
        self._n_values = None if values is None else [len(labels) for labels in values]
        self._matrices = [c if isinstance(c, np.ndarray) else None for c in said]
        #: One number per feature, as given; where the cost depends on values, that of the cheapest change.
        self.given: tuple[float, ...] = tuple(_lowest(c) if isinstance(c, np.ndarray) else c for c in said)
        #: Integers in the same proportions; None where every change costs 1.
        self.units: Units | None = None
        #: By feature, the units by [old, new] value, 0 on the diagonal; None for a feature with one cost, and
        #: None altogether where all features have one.
        self.per_value: list[Units | None] | None = None
        if cost is not None:
            self._set_units(said)

    def _set_units(self, said: Sequence[float | Matrix]) -> None:
        different = [np.unique(c[c > 0]) if isinstance(c, np.ndarray) else np.array([c]) for c in said]
        dearest = sum((_fraction(numbers[-1]) for numbers in different if len(numbers)), Fraction(0))
        numbers = np.unique(np.concatenate([*different, np.empty(0)])).tolist()
        unit_of = dict(zip(numbers, _to_units([_fraction(c) for c in numbers], dearest, len(said)), strict=True))
        self.units = np.array([unit_of.get(c, 1) for c in self.given], dtype=np.int64)
        if any(isinstance(c, np.ndarray) for c in said):
            self.per_value = [_in_units(c, unit_of) if isinstance(c, np.ndarray) else None for c in said]

    def total(self, change_set: Sequence[int]) -> float:
        """The cost of a set of changes; where costs depend on values, the least that it could be."""
        return math.fsum(self.given[j] for j in change_set)

    def total_of(self, old: Sequence[int], new: Sequence[int]) -> float:
        """The cost of turning one row of value codes into another."""
        pairs = enumerate(zip(old, new, strict=True))
        return math.fsum(self.cost_of(j, int(a), int(b)) for j, (a, b) in pairs if a != b)

    # --- costs that depend on values

    def cost_of(self, j: int, old: int, new: int) -> float:
        """The cost of changing feature j from one code to another, in the user's numbers."""
        if old == new:
            return 0.0
        matrix = self._matrices[j]
        return self.given[j] if matrix is None else float(matrix[old, new])

    def unit_of(self, j: int, old: int, new: int) -> int:
        """The same in units."""
        if old == new:
            return 0
        matrix = None if self.per_value is None else self.per_value[j]
        if matrix is not None:
            return int(matrix[old, new])
        return 1 if self.units is None else int(self.units[j])

    def lower_units(self, x: Sequence[int] | npt.NDArray[Any], mask: npt.NDArray[np.uint8] | None = None) -> Units:
        """For an instance, the cheapest allowed change of each feature, in units.

        A feature that may not change at all gets the cheapest of its changes, so that all costs are positive.
        """
        result, start = [], 0
        for row, own in zip(self._rows(x), x, strict=True):
            allowed = np.ones(len(row), dtype=np.bool_) if mask is None else mask[start : start + len(row)] != 0
            allowed = allowed & (np.arange(len(row)) != own)
            others = row[allowed] if allowed.any() else row[row > 0]
            result.append(int(others.min()) if len(others) else 1)
            start += len(row)
        return np.array(result, dtype=np.int64)

    def _rows(self, x: Sequence[int] | npt.NDArray[Any]) -> list[Units]:
        assert self._n_values is not None, "costs that depend on values need the values"
        rows = []
        for j, (d, old) in enumerate(zip(self._n_values, x, strict=True)):
            matrix = None if self.per_value is None else self.per_value[j]
            unit = 1 if self.units is None else int(self.units[j])
            row = np.full(d, unit, dtype=np.int64) if matrix is None else matrix[int(old)].copy()
            row[int(old)] = 0
            rows.append(row)
        return rows


# --- what users give --------------------------------------------------------------------------------------------------


class _Features:
    """Names, values and order of the features, for reading costs that depend on values."""

    def __init__(
        self, names: Sequence[str], values: Sequence[Sequence[Hashable]] | None, ordered: Sequence[bool] | None
    ) -> None:
        self.names = names
        self._values = values
        self._ordered = ordered

    def read(self, j: int, cost: Any, name: Any) -> float | Matrix:
        """One number, or a matrix by old and new value."""
        if isinstance(cost, str) and cost == "ordinal":
            return self._ordinal(j)
        if self._values is None or isinstance(cost, (str, bytes)):
            return _checked(cost, f"feature {name!r}")
        if isinstance(cost, Mapping):
            return self._from_pairs(j, cost)
        if callable(cost):
            return self._matrix(j, cost)
        if isinstance(cost, (list, tuple)) or (isinstance(cost, np.ndarray) and cost.ndim):
            return self._from_rows(j, cost)
        return _checked(cost, f"feature {name!r}")

    def labels(self, j: int) -> Sequence[Hashable]:
        """The names of the values."""
        if self._values is None:
            raise OptionError(f"cost[{self.names[j]!r}]: this classifier takes one number per feature")
        return self._values[j]

    def _matrix(self, j: int, cost: Callable[[Any, Any], Any]) -> Matrix:
        """Calls the function for every pair of labels."""
        labels, name = self.labels(j), self.names[j]
        matrix = np.zeros((len(labels), len(labels)))
        for a, old in enumerate(labels):
            for b, new in enumerate(labels):
                if a != b:
                    matrix[a, b] = _checked(cost(old, new), f"feature {name!r}, {old!r} -> {new!r},")
        return matrix

    def _ordinal(self, j: int) -> Matrix:
        d = len(self.labels(j))
        if self._ordered is None or not self._ordered[j]:
            raise OptionError(f"cost: 'ordinal' needs ordered values; those of {self.names[j]!r} have no order")
        return np.abs(np.subtract.outer(np.arange(d), np.arange(d))).astype(np.float64)

    def _from_rows(self, j: int, cost: Any) -> Matrix:
        d, name = len(self.labels(j)), self.names[j]
        try:
            rows = [list(row) for row in cost]
        except TypeError:
            rows = []
        if len(rows) != d or any(len(row) != d for row in rows):
            raise OptionError(
                f"the cost of feature {name!r} must be a number, or a matrix of {d} rows (old values) and {d} columns "
                f"(new values), not {_shortened(cost)}"
            )
        code = {label: i for i, label in enumerate(self.labels(j))}
        return self._matrix(j, lambda old, new: rows[code[old]][code[new]])

    def _from_pairs(self, j: int, cost: Mapping[Any, Any]) -> Matrix:
        labels = frozenset(self.labels(j))
        for key in cost:
            pair = isinstance(key, tuple) and len(key) == 2 and labels.issuperset(key)
            if (key in labels) == pair:  # neither or, if labels are tuples themselves, both
                raise OptionError(
                    f"cost[{self.names[j]!r}]: {key!r} must be either one of its values or a pair (old, new) of them: "
                    f"{_shortened(list(self.labels(j)))}"
                )
        return self._matrix(j, lambda old, new: cost.get((old, new), cost.get(new, 1)))


def _shortened(what: Any) -> str:
    text = repr(what)
    return text if len(text) <= 200 else text[:197] + "..."


def _per_feature(cost: Any, features: _Features) -> list[float | Matrix]:
    """Costs by feature; those not mentioned in a mapping cost 1."""
    names = features.names
    if cost is None:
        return [1.0] * len(names)
    if isinstance(cost, str) and cost == "ordinal":
        return [features.read(j, cost, name) for j, name in enumerate(names)]
    if isinstance(cost, Mapping):
        said: list[float | Matrix] = [1.0] * len(names)
        for j, value in by_feature(cost, names, "cost").items():
            said[j] = features.read(j, value, names[j])
        return said
    try:
        values = list(cost)
    except TypeError:
        raise OptionError(f"cost must be a mapping from features or one number per feature, not {cost!r}") from None
    if len(values) != len(names):
        raise OptionError(f"cost has {len(values)} numbers, the classifier has {len(names)} features")
    return [features.read(j, value, name) for j, (value, name) in enumerate(zip(values, names, strict=True))]


def _checked(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise OptionError(f"the cost of {what} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (number > 0 and math.isfinite(number)):
        raise OptionError(f"the cost of {what} must be positive and finite, not {value!r}")
    return number


# --- integers ---------------------------------------------------------------------------------------------------------


def _fraction(number: float) -> Fraction:
    """The decimal that the user wrote."""
    return Fraction(repr(float(number)))


def _lowest(matrix: Matrix) -> float:
    changes = matrix[matrix > 0]
    return float(changes.min()) if len(changes) else 1.0


def _in_units(matrix: Matrix, unit_of: Mapping[float, int]) -> Units:
    numbers, place = np.unique(matrix, return_inverse=True)
    units = np.array([unit_of.get(c, 0) for c in numbers.tolist()], dtype=np.int64)
    return units[place.reshape(matrix.shape)]


def _to_units(costs: list[Fraction], dearest: Fraction, n: int) -> list[int]:
    """Integers for different costs, so that `dearest`, the largest sum over n features, stays within SUM_BITS."""
    denominator = math.lcm(*(c.denominator for c in costs)) if costs else 1
    exact = [int(c * denominator) for c in costs]
    shared = math.gcd(*exact) or 1
    if int(dearest * denominator) // shared < 2**SUM_BITS:
        return [c // shared for c in exact]
    scale = Fraction(2**SUM_BITS - n) / dearest
    return [max(1, int(c * scale)) for c in costs]
