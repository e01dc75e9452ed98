"""Values for a change set: which new values make the features of a set change the decision.

A change set says which features change; with more than two values each there may be many ways. `Assignments` finds the
best one (lowest cost, then largest margin, then smallest codes), all of them, or how many there are. What has to
become true is a `Flip`:

    SumsFlip        one of several sums of weights reaches 0, or all of them do
    DiagramFlip     a diagram leads to a sink; trees, functions, relations between features (no margin there)
    TreesFlip       trees vote as wanted; where no diagram is built (no margin, either)
    AskedFlip       a black-box model says so (no margin, either)

    a = Assignments(SumsFlip((threshold,)), x=[0, 2, 1], choices=[[1, 2], [0, 1], []])
    a.best((0, 1))                  # (2, 1): feature 0 becomes 2, feature 1 becomes 1
    list(a.all((0, 1)))             # every way, (2, 1) among them
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.lazy import cached_property
from symcf.data.raw_row import RawRow
from symcf.errors import LimitError
from symcf.search.general import longest
from symcf.values.protocol import ChangeSet, Codes, Flip, Option, Options, Priced, Range, Solver, Values
from symcf.values.trees import ALL_MOVES

__all__ = ["Assignments", "cheapest_by_value"]


#: The core adds up costs below this.
MOST_UNITS = 1 << 61

#: Assignments that `Assignments.all` sorts by cost; more come in the order of their codes.
SORT_LIMIT = 100_000


class Assignments(Values):
    """The values that the features of a change set of one instance may take.

    `x` and `choices` are value codes; `choices[j]` are the allowed ones, without the feature's own. `units(j, v)` is
    the cost of feature j becoming v; without it, every change costs 1. With `moves` a unit is `ALL_MOVES` times a cost
    plus how far the value is, which counts among equally cheap ones. Where weights and diagrams use other codes for
    values, `groups[j][v]` is the code of v. `within` has features that may take another number of their own value, and
    the code of that; among the choices it is the feature's own value. Change sets ascend; codes are given in their
    order.
    """

    def __init__(
        self,
        flip: Flip,
        x: Sequence[int] | npt.NDArray[Any],
        choices: Sequence[Sequence[int]],
        units: Callable[[int, int], int] | None = None,
        groups: Sequence[Sequence[int]] | None = None,
        *,
        moves: bool = False,
        within: Mapping[int, int] | None = None,
    ) -> None:
        self._within = within or {}
        self._x = [int(v) for v in x]
        self._choices = choices
        self._units = units
        self._groups = groups
        self._options: dict[int, list[Option]] = {}
        self._flip = flip
        self._core_x = self._x if groups is None else [int(groups[j][v]) for j, v in enumerate(self._x)]
        self._moves = moves
        offset = flip.value_offset(len(self._core_x))
        self._aim = None if offset is None else (offset, flip.aim(offset))
        self._prices = _Prices(self._aim, self._core_x, moves)

    @cached_property
    def _solver(self) -> Solver:
        """For what the core does not do: all values, and costs that do not fit it."""
        return self._flip.solver(self._core_x)

    def priced(self, change_set: ChangeSet) -> Priced | None:
        return self._chosen(self._chooser(change_set), change_set, self._options_of(change_set))

    def _chosen(self, chooser: _core.Chooser | None, change_set: ChangeSet, options: Options) -> Priced | None:
        """The best of these options, by the core if their costs fit it."""
        if chooser is None:
            return self._solver.best(change_set, options)
        found = chooser.choose(change_set)
        if found is None:
            return None
        unit_of = [{option.code: option.unit for option in choices} for choices in options]
        return Priced(sum(map(dict.__getitem__, unit_of, found[1])), found[1])

    def priced_within(self, change_set: ChangeSet, codes: Sequence[Sequence[int]]) -> Priced | None:
        options = [
            [self._option(j, code) for code in sorted(chosen)] for j, chosen in zip(change_set, codes, strict=True)
        ]
        prices = _Prices(self._aim, self._core_x, self._moves)
        for j, some in zip(change_set, options, strict=True):
            prices.tell(j, some)
        return self._chosen(prices.chooser, change_set, options)

    def costs(self, sets: _core.Sets, clock: Clock = NO_LIMIT) -> list[int]:
        chooser = self._chooser(np.unique(sets.features).tolist())
        if chooser is not None:
            costs: list[int] = chooser.price(sets, clock.left).tolist()
            assert min(costs, default=0) >= 0, "no values of a change set flip the decision"
            return costs
        return super().costs(sets, clock)

    def cheapest(
        self, k: int, max_changes: int | None, clock: Clock, *, by_sums: bool = True
    ) -> tuple[_core.Sets, str] | None:
        """See `Values`. The core cannot tell where a diagram decides, or costs do not fit."""
        chooser = self._chooser(range(len(self._x))) if by_sums and self._flip.is_ranked else None
        return None if chooser is None else chooser.best(k, max_changes, clock.left)

    def _chooser(self, features: Sequence[int]) -> _core.Chooser | None:
        """The core's chooser, told the options of these features; None if their costs do not fit it."""
        for j, options in zip(features, self._options_of(features), strict=True):
            self._prices.tell(j, options)
        return self._prices.chooser

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

    def all_flip(self, change_set: ChangeSet, codes: Sequence[Sequence[int]]) -> bool:
        """Whether every choice from these values, one list per feature, is known to flip the decision."""
        options = [[self._option(j, code) for code in chosen] for j, chosen in zip(change_set, codes, strict=True)]
        return self._solver.all_flip(change_set, options)

    def ranges(self, change_set: ChangeSet, codes: Sequence[int], raw: RawRow) -> list[tuple[Range, Range]]:

        def all_flip(chosen: list[list[int]]) -> bool:
            return self.all_flip(change_set, chosen)

        box = box_around(all_flip, self.allowed, change_set, codes, self._x, raw.ordered)
        ranges = [raw.region(j, values, code) for j, code, values in zip(change_set, codes, box, strict=True)]
        return [(r, raw.said(j, r, code)) for j, code, r in zip(change_set, codes, ranges, strict=True)]

    def allowed(self, j: int) -> Sequence[int]:
        return self._choices[j]

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
        if code == self._x[j]:
            core = self._within[j]
        return Option(code, core, 1 if self._units is None else int(self._units(j, code)))


class _Prices:
    """The options of an instance in the arrays of the core, told as they are asked for."""

    def __init__(self, aim: tuple[npt.NDArray[np.uint32], _core.Aim] | None, x: Sequence[int], moves: bool) -> None:
        """``aim`` has where the values of each feature start, and what the core has to reach; None if it cannot."""
        self._offset = None if aim is None else aim[0]
        #: What a cost of 1 is in units.
        self._one = ALL_MOVES if moves else 1
        self._told: set[int] = set()
        self._most = 0
        self.chooser: _core.Chooser | None = None
        if aim is None or self._offset is None:
            return
        n_values = int(self._offset[-1])
        self._cost, self._move = np.full(n_values, -1, dtype=np.int64), np.zeros(n_values, dtype=np.int64)
        self._name = np.zeros(n_values, dtype=np.uint32)
        self.chooser = _core.Chooser(aim[1], np.array(x, dtype=np.uint32), self._cost, self._move, self._name)

    def tell(self, j: int, options: Sequence[Option]) -> None:
        """Of the values that are one to the core, the cheapest counts, and of those the first."""
        if self.chooser is None or j in self._told:
            return
        assert self._offset is not None
        self._told.add(j)
        self._most += max((option.unit for option in options), default=0) // self._one
        if self._most >= MOST_UNITS:
            self.chooser = None
            return
        start = int(self._offset[j])
        best: dict[int, tuple[int, int]] = {}
        for code, core, unit in options:
            best[core] = min((unit, code), best.get(core, (unit, code)))
        for core, (unit, code) in best.items():
            self._cost[start + core], self._move[start + core] = divmod(unit, self._one)
            self._name[start + core] = code


def cheapest_by_value(
    best_k: Callable[[int], Sequence[ChangeSet]],
    price: Callable[[_core.Sets], list[int]],
    bound: Callable[[ChangeSet], tuple[int, int, ChangeSet]],
    k: int,
    look: Callable[[], None] = lambda: None,
) -> list[ChangeSet]:
    """The k cheapest change sets where a set costs more than engines know, by (cost, size, features).

    Engines take one cost per feature. `best_k(m)` gives the m cheapest sets (or all, if there are fewer) where every
    feature costs its cheapest change, rounded, by (cost, size, features). A set's true cost is never below that: by its
    true cost, an unseen set comes after `bound` of the last seen one. Once k seen sets come no later than that, they
    are the answer. Otherwise m is doubled. This ends because the number of sets is finite: when m exceeds it, all have
    been seen. `look` is called again and again; it may raise.
    """
    priced: dict[ChangeSet, int] = {}

    def order(change_set: ChangeSet) -> tuple[int, int, ChangeSet]:
        return priced[change_set], len(change_set), change_set

    m = k
    while True:
        sets = best_k(m)
        look()
        fresh = [change_set for change_set in sets if change_set not in priced]
        priced |= zip(fresh, price(_core.Sets.from_list(fresh)), strict=True)
        best = sorted(priced, key=order)[:k]
        if len(sets) < m or k == 0:
            break
        if order(best[-1]) <= bound(sets[-1]):
            break
        m *= 2
    return best


# --- boxes ------------------------------------------------------------------------------------------------------------
# Boxes: values that are as good as those of an assignment. Every point of a box flips the decision.


def box_around(
    all_flip: Callable[[list[list[int]]], bool],
    allowed_of: Callable[[int], Sequence[int]],
    change_set: tuple[int, ...],
    codes: Sequence[int],
    x: Sequence[int],
    ordered: Sequence[bool],
) -> list[list[int]]:
    """By feature of the set, values among which any choice flips the decision (`all_flip` says whether that is known);
    the assignment's own is one of them.

    Values in order are neighbours of each other. The box grows away from the old values first, then towards them, one
    feature after the other, and is as large as that makes it.
    """
    chosen = [[code] for code in codes]

    def flips_with(i: int, more: Sequence[int]) -> bool:
        return all_flip([*chosen[:i], [*chosen[i], *more], *chosen[i + 1 :]])

    for towards in (False, True):
        for i, j in enumerate(change_set):
            step = (1 if codes[i] > x[j] else -1) * (-1 if towards else 1)
            allowed = set(allowed_of(j))
            if ordered[j]:
                run = _run(codes[i] + step, step, allowed)
                chosen[i] += run[: longest(run, lambda more, i=i: flips_with(i, more))]  # type: ignore[misc]
            elif towards:
                for code in sorted(allowed.difference(chosen[i])):
                    if flips_with(i, [code]):
                        chosen[i].append(code)
    return chosen


def _run(start: int, step: int, allowed: set[int]) -> list[int]:
    """The neighbours from a value on, as far as they are allowed."""
    run = []
    while start in allowed:
        run.append(start)
        start += step
    return run
