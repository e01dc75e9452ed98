"""Steps: how far each feature can move, for counterfactuals with minimal moves (``minimality="moves"``).

The values that a feature can move to lie on chains, nearest first: one upwards and one downwards where they come in an
order, else one for each value. A place on a chain is a step. A counterfactual is the set of all steps that it takes: up
to its values and those before them. So "less far" is "fewer steps", and what is minimal among sets of steps is minimal
among moves (src/core/moves.c).

Values that make the same difference to the decision are one group. On a chain, only the nearest value of each group is
worth moving to, and none of the row's own group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.reader import Codes
from symcf.errors import OptionError
from symcf.question.case import Case, Query, coded_case
from symcf.question.question import Question

__all__ = ["StepTable", "Steps"]

#: Sums of costs stay below 2**62, the bound of the core.
MOST_UNITS = 2**62 - 1


class Steps:
    """The steps of one case, with consecutive numbers."""

    def __init__(self, case: Case) -> None:
        if case.question.classifier.decision.numbers is not None:
            raise OptionError(
                "minimality='moves' counts steps between values, and columns of numbers have none; bin them "
                "(KBinsDiscretizer), or ask with cost='distance' for the nearest change of each set of features"
            )
        self._case = case
        chains = [list(self._chains(j)) for j in range(len(case.x))]
        flat = [(j, chain) for j, of_feature in enumerate(chains) for chain in of_feature]
        sizes = [len(chain) for _, chain in flat]
        self._chains_of = chains
        #: By step, its feature, its chain, and the value code that it leads to.
        self.feature = np.repeat([j for j, _ in flat], sizes).astype(np.int64)
        self.chain = np.repeat(np.arange(len(flat)), sizes)
        self.value = np.array([v for _, chain in flat for v in chain], dtype=np.int64)
        #: By step, how much dearer it makes the move, in exact units.
        self.prices = [unit for j, chain in flat for unit in self._rises(j, chain)]
        #: Do sums of them fit the core?
        self.fit = sum(self.prices) <= MOST_UNITS
        group_of = case.question.classifier.decision.groups.group_of
        self.core = _core.Moves(
            case.query.x,
            _starts([len(of_feature) for of_feature in chains]),
            _starts(sizes),
            np.array([group_of[j][v] for j, chain in flat for v in chain], dtype=np.uint32),
            case.query.max_changes,
        )

    def _chains(self, j: int) -> Iterator[list[int]]:
        """The values that are worth moving to, nearest first."""
        case, own = self._case, self._case.x[j]
        classifier = case.question.classifier
        group_of, start = classifier.decision.groups.group_of[j], int(classifier.value_offset[j])
        allowed = [v for v in range(len(group_of)) if v != own and (case.mask is None or case.mask[start + v])]
        apart = {of[j] for of in (classifier.missing, classifier.unknown) if of}  # they have no place in the order
        single = allowed if not classifier.ordered[j] or own in apart else [v for v in allowed if v in apart]
        yield from ([v] for v in single if group_of[v] != group_of[own])
        allowed = [v for v in allowed if v not in single]
        for side in ([v for v in allowed if v > own], [v for v in reversed(allowed) if v < own]):
            self._check_costs(j, side)
            seen = {group_of[own]}
            chain = [v for v in side if not (group_of[v] in seen or seen.add(group_of[v]))]  # type: ignore[func-returns-value]
            if chain:
                yield chain

    def _check_costs(self, j: int, side: Sequence[int]) -> None:
        """Raises an error if a longer move in the same direction costs less."""
        case = self._case
        if case.costs.per_value is None or not case.costs.per_value[j]:
            return
        own, labels = case.x[j], case.question.classifier.values[j]
        for (near, cost), (far, other) in pairwise(zip(side, case.costs.units_to(j, own, side), strict=True)):
            if other < cost:
                raise OptionError(
                    f"cost[{case.question.classifier.features[j]!r}]: with minimality='moves' a longer move must not "
                    f"cost less, but {labels[own]!r} -> {labels[far]!r} costs {case.costs.cost_of(j, own, far):g} and "
                    f"{labels[own]!r} -> {labels[near]!r} costs {case.costs.cost_of(j, own, near):g}; or use "
                    "minimality='features'"
                )

    def _rises(self, j: int, chain: Sequence[int]) -> Iterator[int]:
        units = self._case.costs.units_to(j, self._case.x[j], chain)
        yield from map(int.__sub__, units, [0, *units])

    def of_feature(self, j: int) -> _Part:
        """Its chains of values, and the price of each step."""
        first, last = np.searchsorted(self.feature, [j, j + 1]).tolist()
        return _Part(self._chains_of[j], self.prices[first:last])

    @cached_property
    def query(self) -> Query:
        """For engines over the diagram of the steps, where a step that is taken is 1."""
        units = np.array(self.prices, dtype=np.int64) if self.fit else np.zeros(len(self.prices), dtype=np.int64)
        return Query(np.zeros(len(self.prices), dtype=np.uint32), (1, 1), None, units, None)

    def price(self, steps: Sequence[int]) -> int:
        """What these steps cost, in exact units."""
        return sum(self.prices[s] for s in steps)

    def cost_of(self, units: int) -> float | None:
        """What so many exact units are in the user's numbers; None where units do not keep proportions."""
        return self._case.costs.number_of_units(units)

    def last(self, steps: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Sets of ascending steps, one after the other: which steps are the last of their chain in their set?"""
        chain = self.chain[steps]
        last = np.ones(len(steps), dtype=np.bool_)
        last[:-1] = chain[1:] != chain[:-1]
        last[ends[ends > 0] - 1] = True
        return last


class StepTable:
    """The steps of many rows of value codes: what a feature can move to depends on its own value alone."""

    def __init__(self, question: Question, rows: Codes) -> None:
        """Constraints and costs must not depend on the rows in another way."""
        present = [np.unique(column) for column in rows.T]
        #: By row and feature, the place of its value among those of all rows.
        self.own = np.zeros(rows.shape, dtype=np.uint32)
        for j, values in enumerate(present):
            self.own[:, j] = np.searchsorted(values, rows[:, j])
        # a row for each place has each value of each feature once
        n_places = max(map(len, present), default=0)
        places = [np.minimum(place, [len(values) - 1 for values in present]) for place in range(n_places)]
        steps = []
        for place in places:
            tick()
            row = np.array([[values[i] for values, i in zip(present, place.tolist(), strict=True)]])
            steps.append(Steps(coded_case(question, row)))
        parts = [steps[i].of_feature(j) for j, values in enumerate(present) for i in range(len(values))]
        group_of = question.classifier.decision.groups.group_of
        starts = _starts(list(map(len, present)))
        most = [max((part.price for part in parts[a:b]), default=0) for a, b in pairwise(starts.tolist())]
        #: Do the prices of a row fit the core?
        self.fit = sum(most) <= MOST_UNITS
        if not self.fit:
            return
        codes = [v for part in parts for chain in part.chains for v in chain]
        feature = np.repeat(np.arange(len(present)), [sum(p.size for p in parts[a:b]) for a, b in pairwise(starts)])
        self.core = _core.MovesTable(
            starts,
            np.array([group_of[j][v] for j, own in enumerate(present) for v in own.tolist()], dtype=np.uint32),
            _starts([len(part.chains) for part in parts]),
            _starts([len(chain) for part in parts for chain in part.chains]),
            np.array([group_of[j][v] for j, v in zip(feature.tolist(), codes, strict=True)], dtype=np.uint32),
            np.array(codes, dtype=np.uint32),
            np.array([price for part in parts for price in part.prices], dtype=np.int64),
        )


class _Part(NamedTuple):
    """The steps of one feature."""

    chains: list[list[int]]
    prices: list[int]

    @property
    def size(self) -> int:
        return len(self.prices)

    @property
    def price(self) -> int:
        return sum(self.prices)


def _starts(sizes: Sequence[int]) -> npt.NDArray[np.uint32]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.uint32)
