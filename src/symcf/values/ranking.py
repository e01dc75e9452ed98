"""The change sets of a case in the order of their exact costs.

Searches add up one integer per feature. Where a cost depends on the new value, or is finer than these integers, each
set that a search finds is priced here.
"""

from __future__ import annotations

import numpy as np

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.lazy import cached_property
from symcf.errors import LimitError
from symcf.question.case import Case
from symcf.search.change_sets import ChangeSet, ChangeSets, Ordering
from symcf.search.plan import Plan
from symcf.search.protocol import Answer, Search
from symcf.values.assignments import cheapest_by_value
from symcf.values.of_case import assignments_of
from symcf.values.protocol import Values

__all__ = ["MOST_BYTES", "TIME_IS_UP", "Ranking", "check_time"]

#: More bytes than any machine has.
MOST_BYTES = 1 << 62

TIME_IS_UP = "time limit reached: more counterfactuals may exist"


class Ranking:
    """Prices change sets of one case."""

    def __init__(self, case: Case, planned: Plan) -> None:
        self.case = case
        self.plan = planned

    @cached_property
    def assignments(self) -> Values:
        """Which values flip the decision, by their cost."""
        return assignments_of(self.case, self.plan)

    def run(self, search: Search, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Answer:
        """The change sets that a search finds, in order."""
        if k is not None:
            return self._cheapest(search, k, max_results, clock)
        return search.run(self.case.query, k, max_results, clock, max_memory, self.prices)

    def _cheapest(self, search: Search, k: int, max_results: int | None, clock: Clock) -> Answer:
        """The k cheapest where the cost of a set is that of its cheapest values: by the core where sums decide, else
        sets come by a lower bound of it.
        """
        query = self.case.query
        ranked = search.ranked(query)
        seen: dict[ChangeSet, int] = {}
        found_first: list[ChangeSet] = []
        last: ChangeSet | None = None
        least: ChangeSet | None = None

        def first(count: int) -> ChangeSets:
            nonlocal last
            answer = ranked(count, clock)
            check_time(clock)
            if answer.status == "time":  # no step was begun that would have ended too late
                error = LimitError(TIME_IS_UP)
                error.early = clock.left
                raise error
            last = answer.sets[-1] if answer.sets else None
            return answer.sets

        def price(sets: _core.Sets) -> list[int]:
            costs = self.prices(sets, clock)
            seen.update(zip(sets.to_list(), costs, strict=False))
            check_time(clock)
            return costs

        def bound(last: ChangeSet) -> tuple[int, int, ChangeSet]:
            least = self.case.costs.least(sum(self.case.query.weights()[j] for j in last))
            return (least, len(last), last) if self.case.costs.fit else (least, 0, ())

        wanted = k if max_results is None else min(k, max_results)
        try:
            self.assignments = assignments_of(self.case, self.plan, clock)
            by_sums = search.by_sums and self.case.costs.per_value is not None
            found = self.assignments.cheapest(wanted, query.max_changes, clock, by_sums=by_sums)
            if found is None:
                least = self._cheapest_change()
                if clock.seconds is not None:  # to have something when time is up
                    for answer in search.seeds(query, clock):
                        found_first += answer.sets
                        price(answer.sets.core)
                listed = cheapest_by_value(first, price, bound, wanted, lambda: check_time(clock))
                found = _core.Sets.from_list(listed), "complete"
        except LimitError as error:
            if not clock.ended(error):
                raise
            best = sorted(seen, key=lambda change_set: (seen[change_set], len(change_set), change_set)) or found_first
            return Answer(ChangeSets.of(best[:wanted]), "time", bound=last or least)
        sets, status = found
        cut = status == "complete" and max_results is not None and max_results < k and len(sets) == max_results
        return Answer(ChangeSets.of(sets), "more" if cut else status)

    def _cheapest_change(self) -> ChangeSet | None:
        """The feature that costs least to change: no set costs less. None if nothing may change."""
        mask, offset = self.case.query.mask, self.case.question.classifier.decision.groups.core_offset.tolist()
        weights = self.case.query.weights()
        free = [j for j in range(len(weights)) if mask is None or mask[offset[j] : offset[j + 1]].any()]
        return (min(free, key=lambda j: weights[j]),) if free else None

    def in_order(self, sets: ChangeSets) -> ChangeSets:
        """By (cost, size, features)."""
        ordering = Ordering(self.case.query.units, NO_LIMIT, MOST_BYTES, self.prices if self.case.is_priced else None)
        ordering.add(sets.core)
        return ordering.finish()

    def prices(self, sets: _core.Sets, clock: Clock = NO_LIMIT) -> list[int]:
        """What sets cost, in exact units, as far as time allows."""
        costs = self.case.costs
        if costs.per_value is not None:
            return self.assignments.costs(sets, clock)
        units = np.array([costs.unit_of(j, old, -1) for j, old in enumerate(self.case.x)], dtype=object)
        return [sum(units[list(change_set)].tolist()) for change_set in sets.to_list()]


def check_time(clock: Clock) -> None:
    """`LimitError` if time is up."""
    if clock.expired:
        raise LimitError(TIME_IS_UP)
