"""Values for a change set: which new values make the features of a set change the decision.

A change set says which features change; with more than two values each there may be many ways. `Assignments` finds the
best one (lowest cost, then largest margin, then smallest codes), all of them, or how many there are. What has to
become true is a `Flip`:

    ThresholdFlip   a threshold function becomes 0 or 1
    AnyOtherFlip    one of the other classes beats the predicted class
    TargetFlip      the wanted class beats all others
    DiagramFlip     a diagram leads to a sink; trees, functions, relations between features (no margin there)

    a = Assignments(ThresholdFlip(threshold, 1), x=[0, 2, 1], choices=[[1, 2], [0, 1], []])
    a.best((0, 1))                  # (2, 1): feature 0 becomes 2, feature 1 becomes 1
    list(a.all((0, 1)))             # every way, (2, 1) among them
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy.typing as npt

from symcf.errors import LimitError
from symcf.values.paths import DiagramFlip, PathSolver
from symcf.values.scores import AnyOtherFlip, Option, Priced, ScoreSolver, TargetFlip, ThresholdFlip

__all__ = [
    "AnyOtherFlip",
    "Assignments",
    "DiagramFlip",
    "Flip",
    "Priced",
    "TargetFlip",
    "ThresholdFlip",
    "cheapest_by_value",
]

Flip = ThresholdFlip | AnyOtherFlip | TargetFlip | DiagramFlip
ChangeSet = tuple[int, ...]
Codes = tuple[int, ...]

#: Assignments that `Assignments.all` sorts by cost; more come in the order of their codes.
SORT_LIMIT = 100_000


class Assignments:
    """The values that the features of a change set of one instance may take.

    `x` and `choices` are value codes; `choices[j]` are the allowed ones, without the feature's own. `units(j, v)` is
    the cost of feature j becoming v; without it, every change costs 1. Where weights and diagrams use other codes for
    values, `groups[j][v]` is the code of v. Change sets ascend; codes are given in their order.
    """

    def __init__(
        self,
        flip: Flip,
        x: Sequence[int] | npt.NDArray[Any],
        choices: Sequence[Sequence[int]],
        units: Callable[[int, int], int] | None = None,
        groups: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self._x = [int(v) for v in x]
        self._choices = choices
        self._units = units
        self._groups = groups
        self._options: dict[int, list[Option]] = {}
        core_x = self._x if groups is None else [int(groups[j][v]) for j, v in enumerate(self._x)]
        self._solver: ScoreSolver | PathSolver
        self._solver = PathSolver(flip, core_x) if isinstance(flip, DiagramFlip) else ScoreSolver(flip, core_x)

    def best(self, change_set: ChangeSet) -> Codes | None:
        """The best assignment in which every feature of the set changes; None if none flips the decision."""
        priced = self.priced(change_set)
        return None if priced is None else priced.codes

    def priced(self, change_set: ChangeSet) -> Priced | None:
        """The best assignment with its cost in units."""
        return self._solver.best(change_set, self._options_of(change_set))

    def all(self, change_set: ChangeSet) -> Iterator[Codes]:
        """Every assignment that flips the decision and changes every feature of the set, by (cost, codes).

        Where costs depend on the value and there are more than SORT_LIMIT of them, by codes alone, as they are found.
        """
        options = self._options_of(change_set)
        found = self._solver.in_code_order(change_set, options)
        if self._units is None or self._too_many(change_set):
            return found
        unit_of = [{o.code: o.unit for o in choices} for choices in options]
        return iter(sorted(found, key=lambda codes: (sum(map(dict.__getitem__, unit_of, codes)), codes)))

    def count_all(self, change_set: ChangeSet) -> int:
        """The number of assignments; LimitError if there are too many different sums to count them."""
        return self._solver.count(change_set, self._options_of(change_set))

    def _too_many(self, change_set: ChangeSet) -> bool:
        try:
            return self.count_all(change_set) > SORT_LIMIT
        except LimitError:
            return True

    def _options_of(self, change_set: Sequence[int]) -> list[list[Option]]:
        for j in change_set:
            if j not in self._options:
                self._options[j] = [self._option(j, int(v)) for v in sorted(self._choices[j])]
        return [self._options[j] for j in change_set]

    def _option(self, j: int, code: int) -> Option:
        core = code if self._groups is None else int(self._groups[j][code])
        return Option(code, core, 1 if self._units is None else int(self._units(j, code)))


def cheapest_by_value(
    best_k: Callable[[int], Sequence[ChangeSet]],
    price: Callable[[ChangeSet], int],
    bound: Callable[[ChangeSet], tuple[int, int, ChangeSet]],
    k: int,
    look: Callable[[], None] = lambda: None,
) -> list[ChangeSet]:
    """The k cheapest change sets where a set costs more than engines know, by (cost, size, features).

    Engines take one cost per feature. `best_k(m)` gives the m cheapest sets (or all, if there are fewer) where every
    feature costs its cheapest change, rounded, by (cost, size, features). A set's true cost is never below that: by its
    true cost, an unseen set comes after `bound` of the last seen one. Once k seen sets come no later than that, they
    are the answer. Otherwise m is doubled. This ends because the number of sets is finite: when m exceeds it, all have
    been seen. `look` is called for each set; it may raise.
    """
    priced: dict[ChangeSet, int] = {}

    def order(change_set: ChangeSet) -> tuple[int, int, ChangeSet]:
        return priced[change_set], len(change_set), change_set

    m = k
    while True:
        sets = best_k(m)
        for change_set in sets:
            look()
            if change_set not in priced:
                priced[change_set] = price(change_set)
        best = sorted(priced, key=order)[:k]
        if len(sets) < m or k == 0:
            break
        if order(best[-1]) <= bound(sets[-1]):
            break
        m *= 2
    return best
