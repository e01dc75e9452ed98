"""Costs of changes, as given and as integers.

Engines compare sums of costs, and sums of floats depend on the order of addition. So what the user gives is taken as
the decimal or fraction that it is, and becomes integers whose sums compare as those of the numbers do
(`units_of`). Every engine sees the same integers, so every engine sees the same ties.

A feature has one cost, or one per pair of an old and a new value:

    cost={"age": 2.0}                               every change of age costs 2
    cost={"job": [[0, 1, 4], [1, 0, 2], [4, 2, 0]]}  cost[old][new], by value codes
    cost={"job": {("clerk", "baker"): 4, "student": 2}}   this pair; becoming a student; anything else 1
    cost={"job": lambda old, new: 4 if new == "baker" else 1}
    cost={"age": "ordinal"}                         the number of steps in the order of the values
    cost={"age": "distance"}                        how far the number moves (`distances`); depends on the row
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.data.labels import by_feature
from symcf.data.numbers import NumberLine
from symcf.errors import OptionError
from symcf.question.distances import GRID, NOWHERE, Distances, UsedScale
from symcf.question.prices import Flat, ForCore, Line, Price, Span, Table, Units, units_of

__all__ = ["Costs", "mentions_distance", "same_costs"]

Integers = npt.NDArray[np.int64]

#: The most numbers of a column of a black-box model, those of rows included, between which steps are counted.
MOST_OWN = 2048

#: The default cost of a change.
ONE = Flat(Fraction(1))

#: The largest cost of a change.
MOST = 1e300


class Costs:
    """The cost of changing each feature: what the user gave, and the integers that represent it.

    Where costs are distances they depend on the row; `of_row` gives those of one.
    """

    def __init__(
        self,
        cost: Any,
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]] | None = None,
        ordered: Sequence[bool] | None = None,
        distances: Distances | None = None,
        suggested: Sequence[Sequence[bool]] | None = None,
    ) -> None:
        self._n_values = None if values is None else [len(labels) for labels in values]
        self._distances = distances
        self._plain = cost is None
        if cost is None:  # nearly every question: nothing to read, nothing to work out
            self.prices: list[Price] = [ONE] * len(features)
            self.raw: list[int] = []
            self.per_value: tuple[bool, ...] | None = None
            self.given: tuple[float, ...] = (1.0,) * len(features)
            self._take(Units({ONE.other: 1}, len(features)))
            self.units: Integers | None = None
            return
        self.prices = _per_feature(cost, _Features(features, values, ordered, distances, suggested))
        #: The features whose costs depend on more of the row than its codes.
        self.raw = [j for j, price in enumerate(self.prices) if price.raw]
        #: By feature, does the cost depend on the value? None: on no feature's.
        self.per_value = None
        if any(price.by_value for price in self.prices):
            self.per_value = tuple(price.by_value for price in self.prices)
        #: One number per feature, as given; where the cost depends on values, that of the cheapest change.
        self.given = tuple(float(price.lowest()) for price in self.prices)
        self._set_units()

    @property
    def scales(self) -> dict[str, UsedScale]:
        """By name of a feature whose cost is a distance: its scale and the origin of that."""
        return {} if self._distances is None else dict(self._distances.used)

    def _take(self, units: Units) -> None:
        self._units = units
        #: Do the integers fit the core? Otherwise engines get rounded ones, and callers sort by `unit_of`.
        self.fit = units.fit
        #: The largest sum, in units.
        self.most = units.most

    def _set_units(self) -> None:
        self._take(units_of([price.amounts() for price in self.prices]))
        #: Integers for engines, by feature, of the cheapest change; None where every change costs 1.
        self.units = None
        if not self._plain:
            self.units = self._for_engines([self._units.exact.get(price.lowest(), 1) for price in self.prices])

    def _for_engines(self, units: Sequence[int]) -> Integers:
        return np.array([self._units.rounded(unit, len(self.prices)) for unit in units], dtype=np.int64)

    # --- rows

    def places(self, rows: Any) -> Integers | None:
        """The places of the numbers of many rows; None where costs do not depend on them."""
        if not self.raw:
            return None
        assert self._distances is not None
        return self._distances.places(rows, self.raw)

    def place(self, x: Any) -> Sequence[int | None]:
        """The same for one row."""
        if not self.raw:
            return ()
        assert self._distances is not None
        return self._distances.place(x, self.raw)

    def of_row(self, codes: Sequence[int], places: Sequence[int | None]) -> Costs:
        """The costs of changing one row, where its numbers are known."""
        if not self.raw or not places:
            return self
        return self._placed({j: {"own": (int(codes[j]), place)} for j, place in zip(self.raw, places, strict=True)})

    def of_rows(self, places: Integers | None) -> Costs:
        """Costs whose integers are large enough for rows at all these places."""
        if places is None or not len(places):
            return self
        ends = [(int(column[column > NOWHERE].min(initial=0)), int(column.max(initial=0))) for column in places.T]
        return self._placed({j: {"reach": reach} for j, reach in zip(self.raw, ends, strict=True)})

    def _placed(self, known: Mapping[int, dict[str, Any]]) -> Costs:
        """The same where more is known of the places of some features on their lines."""
        result = copy(self)
        result.prices = list(self.prices)
        for j, more in known.items():
            result.prices[j] = replace(self.prices[j], **more)  # type: ignore[type-var]
        result._set_units()
        return result

    def for_core(self) -> list[ForCore]:
        """By feature, for batches in C."""
        column = {j: i for i, j in enumerate(self.raw)}
        return [price.for_core(self._units, column.get(j)) for j, price in enumerate(self.prices)]

    # --- sums

    def least(self, rounded: int) -> int:
        """A bound of the cost, in units, of a set that costs at least this in the integers for engines."""
        return self._units.least(rounded, len(self.prices))

    def number_of_units(self, units: int) -> float | None:
        """So many units in the user's numbers; None where integers keep the order of sums only."""
        ones = {number / unit for number, unit in self._units.exact.items()}
        return float(units * ones.pop()) if len(ones) == 1 else None

    def total(self, change_set: Sequence[int]) -> float:
        """The cost of a set of changes; where costs depend on values, the least that it could be."""
        return float(sum(self.prices[j].lowest() for j in change_set))

    def total_of(self, old: Sequence[int], new: Mapping[int, int]) -> float:
        """The cost of changing features of a row of value codes, by feature the new code."""
        return float(len(new)) if self._plain else float(self.number_of_all(old, new))

    def number_of_all(self, old: Sequence[int], new: Mapping[int, int]) -> Fraction:
        """The same in the user's numbers."""
        return sum((self.prices[j].cost(int(old[j]), int(code)) for j, code in new.items()), Fraction(0))

    def totals(self, features: npt.NDArray[Any], starts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The costs of many sets; set i has the features from ``starts[i]`` to the next start, at least one."""
        numbers = [price.lowest() for price in self.prices]
        whole = math.lcm(*(number.denominator for number in numbers))
        units = [int(number * whole) for number in numbers]
        if max(whole, sum(units)) < 2**53:  # then one division is all that is rounded
            return np.asarray(np.add.reduceat(np.array(units)[features], starts) / whole)
        sums = np.add.reduceat(np.array(units, dtype=object)[features], starts)
        return np.array([float(Fraction(total, whole)) for total in sums.tolist()])

    # --- costs that depend on values

    def number_of(self, j: int, old: int, new: int) -> Fraction:
        """The cost of changing feature j from one code to another, in the user's numbers."""
        return Fraction(0) if old == new else self.prices[j].cost(old, new)

    def cost_of(self, j: int, old: int, new: int) -> float:
        """The same as a float, for display."""
        return float(self.number_of(j, old, new))

    def unit_of(self, j: int, old: int, new: int) -> int:
        """The same in units: integers of any size, whose sums compare exactly."""
        return 0 if old == new else self.prices[j].unit(self._units, old, new)

    def units_to(self, j: int, old: int, new: Sequence[int]) -> list[int]:
        """The same for several other codes."""
        return self.prices[j].units_to(self._units, old, new)

    def change_of(self, j: int, old: int, new: int) -> int:
        """The same for a change to another number, which may have the same code."""
        return self.prices[j].unit(self._units, old, new)

    def lower_units(self, x: Sequence[int] | npt.NDArray[Any], mask: npt.NDArray[np.uint8] | None = None) -> Integers:
        """For an instance, the cheapest allowed change of each feature, in integers for engines.

        A feature that may not change at all gets the cheapest of its changes, so that all costs are positive.
        """
        assert self._n_values is not None, "costs that depend on values need the values"
        result, start = [], 0
        for j, (d, own) in enumerate(zip(self._n_values, map(int, x), strict=True)):
            others = [v for v in range(d) if v != own]
            allowed = others if mask is None else [v for v in others if mask[start + v]]
            result.append(min(self.units_to(j, own, allowed or others), default=1))
            start += d
        return self._for_engines(result)


@lru_cache(maxsize=128)
def same_costs(features: tuple[str, ...]) -> Costs:
    """Every change costs 1, whatever values the features have."""
    return Costs(None, features)


def mentions_distance(cost: Any) -> bool:
    """Does the cost contain a distance?"""
    if isinstance(cost, str):
        return cost == "distance"
    entries = cost.values() if isinstance(cost, Mapping) else cost if isinstance(cost, (list, tuple)) else ()
    return any(isinstance(entry, str) and entry == "distance" for entry in entries)


# --- what users give --------------------------------------------------------------------------------------------------


class _Features:
    """Names, values and order of the features, for reading costs that depend on values."""

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[Sequence[Hashable]] | None,
        ordered: Sequence[bool] | None,
        distances: Distances | None,
        suggested: Sequence[Sequence[bool]] | None,
    ) -> None:
        self.names = names
        self._values = values
        self._ordered = ordered
        self._distances = distances
        self._suggested = suggested

    def read(self, j: int, cost: Any, name: Any) -> Price:
        """What changing a feature costs."""
        if isinstance(cost, str) and cost == "ordinal":
            return self._ordinal(j)
        if isinstance(cost, str) and cost == "distance":
            if self._distances is None:
                raise OptionError(f"cost[{name!r}]: 'distance' needs a question about rows")
            return self._distances.price(j)
        if self._values is None or isinstance(cost, (str, bytes)):
            return Flat(_checked(cost, f"feature {name!r}"))
        line = self._values[j]
        if isinstance(line, NumberLine) and isinstance(cost, Mapping) and list(cost) == ["distance"]:
            return Span(line, Fraction(cost["distance"]), Fraction(1, GRID))  # as JSON has it
        if isinstance(cost, Mapping):
            return self._from_pairs(j, cost)
        if callable(cost):
            return self._matrix(j, cost)
        if isinstance(cost, (list, tuple)) or (isinstance(cost, np.ndarray) and cost.ndim):
            return self._from_rows(j, cost)
        return Flat(_checked(cost, f"feature {name!r}"))

    def labels(self, j: int) -> Sequence[Hashable]:
        """The names of the values."""
        if self._values is None:
            raise OptionError(f"cost[{self.names[j]!r}]: this classifier takes one number per feature")
        if isinstance(self._values[j], NumberLine):
            raise OptionError(f"cost[{self.names[j]!r}]: a column of numbers takes one number, or 'distance'")
        return self._values[j]

    def _matrix(self, j: int, cost: Callable[[Any, Any], Any]) -> Table:
        """Calls the function for every pair of labels."""
        labels, name = self.labels(j), self.names[j]

        def number(old: Hashable, new: Hashable) -> Fraction:
            try:
                given = cost(old, new)
            except Exception as error:
                raise OptionError(
                    f"cost[{name!r}]: the function fails for {old!r} -> {new!r}: {type(error).__name__}: {error}. "
                    "It is called with the names of values; for a column of numbers give 'distance' instead"
                ) from error
            return _checked(given, f"feature {name!r}, {old!r} -> {new!r},")

        return Table.of(
            [
                [Fraction(0) if a == b else number(old, new) for b, new in enumerate(labels)]
                for a, old in enumerate(labels)
            ]
        )

    def _ordinal(self, j: int) -> Line | Table:
        d = len(self.labels(j))
        if self._ordered is None or not self._ordered[j]:
            raise OptionError(f"cost: 'ordinal' needs ordered values; those of {self.names[j]!r} have no order")
        if self._suggested is not None and any(isinstance(label, numbers.Real) for label in self.labels(j)):
            return self._steps_between(j, np.array(self._suggested[j], dtype=np.int64))
        return Line(tuple(range(d)), tuple(range(d)), Fraction(1))

    def _steps_between(self, j: int, tried: npt.NDArray[np.int64]) -> Table:
        """The steps between numbers of a black-box model. Only values that are tried count as steps."""
        d = len(tried)
        if d > MOST_OWN:
            raise OptionError(
                f"cost: 'ordinal' takes up to {MOST_OWN:,} different numbers of {self.names[j]!r}, and these rows have "
                f"{d:,}: give fewer rows at a time"
            )
        upto = np.concatenate([[0], np.cumsum(tried)])
        old, new = np.indices((d, d))
        steps = np.where(new > old, upto[new + 1] - upto[old + 1], upto[old] - upto[new])
        place = np.where(new == old, 0, np.maximum(steps, 1))
        return Table(tuple(map(Fraction, range(int(place.max(initial=0)) + 1))), place)

    def _from_rows(self, j: int, cost: Any) -> Table:
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

    def _from_pairs(self, j: int, cost: Mapping[Any, Any]) -> Table:
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


def _per_feature(cost: Any, features: _Features) -> list[Price]:
    """Costs by feature; those not mentioned in a mapping cost 1."""
    names = features.names
    said: list[Price] = [ONE] * len(names)
    if cost is None:
        return said
    if isinstance(cost, str) and cost in ("ordinal", "distance"):
        return [features.read(j, cost, name) for j, name in enumerate(names)]
    if isinstance(cost, Mapping) or (hasattr(cost, "items") and hasattr(cost, "index")):  # a Series has names, too
        for j, value in by_feature(dict(cost.items()), names, "cost").items():
            said[j] = features.read(j, value, names[j])
        return said
    try:
        values = list(cost)
    except TypeError:
        raise OptionError(f"cost must be a mapping from features or one number per feature, not {cost!r}") from None
    if len(values) != len(names):
        raise OptionError(f"cost has {len(values)} numbers, the classifier has {len(names)} features")
    return [features.read(j, value, name) for j, (value, name) in enumerate(zip(values, names, strict=True))]


def _checked(value: Any, what: str) -> Fraction:
    """The number as the user wrote it: a float stands for its shortest decimal form."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating, Decimal, Fraction)):
        raise OptionError(f"the cost of {what} must be a number, not {value!r}")
    try:
        number = float(value)
    except (OverflowError, ValueError):
        number = math.inf
    if not (number > 0 and math.isfinite(number)):
        raise OptionError(f"the cost of {what} must be positive and finite, not {value!r}")
    if number > MOST:
        raise OptionError(
            f"the cost of {what} is {value!r}: at most {MOST:g} is supported, so that sums of costs are numbers, too; "
            "divide all costs by the same number"
        )
    if isinstance(value, (int, np.integer, Decimal, Fraction)):
        return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
    return Fraction(repr(number))
