"""Conditions as wide as they can be: reasons with sets of values instead of single values.

A sufficient reason keeps features as they are. Often more would do: not "income = 2,100", but any income up to 2,480.
Here each condition grows, one feature after the other in the order of the columns: upwards as far as the decision stays
forced whatever the other conditions admit and the other features become, then downwards, then by values without an
order, one by one (inflated explanations: Izza, Ignatiev, Stuckey and Marques-Silva, "Delivering inflated explanations",
AAAI 2024).

One pass is enough for all conditions to be maximal. What is forced by more is forced by less: a value that was refused
while the other conditions were narrower would be refused again when they are wider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.question.case import Case
from symcf.search.change_sets import ChangeSet
from symcf.search.plan import Plan

__all__ = ["Widening", "longest"]

#: By feature, the codes that it may have beside its own; of a column of numbers, the ends of intervals.
Among = dict[int, list[int]]


class Widening:
    """Widens the reasons of one case."""

    def __init__(self, case: Case, plan: Plan, clock: Clock) -> None:
        self._case, self._plan, self._clock = case, plan, clock

    def forced(self, among: Mapping[int, Sequence[int]]) -> bool:
        """Is the decision forced if these features are what they are or one of these? `LimitError` when time is up."""
        case, plan = self._case.narrowed(among), self._plan
        search = plan.default_for(case) if plan.default.finds_reasons else plan.by_diagram(case)
        flips = search.exists(case.query, self._clock)
        if self._clock.expired and not flips:
            raise LimitError("time limit reached while widening the conditions of a reason")
        return not flips

    def of(self, reason: ChangeSet) -> tuple[Among, bool]:
        """By feature of a reason, what it may be instead; and whether no condition can be wider. It can where time is
        up, or where the reason itself holds but for roundings.
        """
        among: Among = {j: [] for j in reason}
        try:
            if not self.forced(among):
                return among, False
            for j in reason:
                axis = self._case.axis(j)
                for run in (axis.up, axis.down, *([v] for v in axis.single)):
                    among[j] += self._case.run(j, run[: longest(run, partial(self._fits, among, j))])
        except LimitError as error:
            if not self._clock.ended(error):
                raise
            return among, False
        return among, True

    def _fits(self, among: Among, j: int, more: Sequence[int]) -> bool:
        """Is the decision forced if feature j may be more?"""
        return self.forced({**among, j: [*among[j], *(more if isinstance(more, list) else (more[0], more[-1]))]})


def longest(run: Sequence[int], fine: Callable[[Sequence[int]], bool]) -> int:
    """The length of the longest beginning that is fine. requires: every beginning of a fine one is fine."""
    if not run or fine(run):
        return len(run)
    low, high = 0, len(run)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fine(run[:middle]) else (low, middle)
    return low
