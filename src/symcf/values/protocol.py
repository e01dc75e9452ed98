"""What all searches for values have in common.

A change set says which features change. `Values` finds what they become: the best values, the surest, all of them, and
how much around them is as good. `Flip` says what has to become true, and `Solver` finds the values of one row for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import LimitError, OptionError

__all__ = [
    "ChangeSet",
    "Codes",
    "Flip",
    "NumberValues",
    "Option",
    "Options",
    "Priced",
    "Range",
    "Solver",
    "Values",
    "costs_one_by_one",
]

ChangeSet = tuple[int, ...]
Codes = tuple[int, ...]
#: Numbers, or values one by one.
Range = Region | tuple[Hashable, ...]


class Option(NamedTuple):
    """A value that a feature may take."""

    code: int
    #: Its code in weights and diagrams.
    core: int
    unit: int


#: By feature of a change set, the values that it may take.
Options = Sequence[Sequence[Option]]

#: Assignments that are counted one by one.
MOST_COUNTED = 100_000


class Priced(NamedTuple):
    """An assignment and its cost in units."""

    unit: int
    #: By ascending feature of the change set.
    codes: Codes


class Solver(ABC):
    """Finds the values of one instance, for what the core does not do. requires: change sets ascending, options by
    ascending code.
    """

    @abstractmethod
    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """False if no assignment flips the decision. Exact where each feature has one option."""

    @abstractmethod
    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """Whether all assignments are known to flip the decision."""

    def margin(self, change_set: Sequence[int], options: Sequence[Option]) -> int:
        """How sure the decision is, of an assignment that flips it; 0 where nothing says so."""
        return 0

    def best(self, change_set: Sequence[int], options: Options) -> Priced | None:
        """The cheapest, then the one with the largest margin, then with the smallest codes."""
        ranked = [sorted(choices, key=lambda option: option.unit) for choices in options]
        if not all(ranked):
            return None
        least = [sum(choices[0].unit for choices in ranked[i:]) for i in range(len(ranked) + 1)]
        best: tuple[int, int, Codes] | None = None
        waiting: list[tuple[int, tuple[Option, ...]]] = [(0, ())]
        while waiting:
            unit, chosen = waiting.pop()
            i = len(chosen)
            if best is not None and unit + least[i] > best[0]:
                continue
            if not self.may_flip(change_set, [*([option] for option in chosen), *ranked[i:]]):
                continue
            if i == len(ranked):
                found = unit, -self.margin(change_set, chosen), tuple(option.code for option in chosen)
                best = found if best is None else min(best, found)
                continue
            waiting += [(unit + option.unit, (*chosen, option)) for option in reversed(ranked[i])]
        return None if best is None else Priced(best[0], best[2])

    def count(self, change_set: Sequence[int], options: Options) -> int:
        """The number of assignments that flip the decision; `LimitError` if there are too many."""
        total = 0
        for _ in self.in_code_order(change_set, options):
            total += 1
            if total > MOST_COUNTED:
                raise LimitError(f"more than {MOST_COUNTED:,} assignments, which are counted one by one")
        return total

    def in_code_order(self, change_set: Sequence[int], options: Options) -> Iterator[Codes]:
        """All assignments that flip the decision."""
        waiting: list[tuple[Option, ...]] = [()] if all(options) else []
        while waiting:
            chosen = waiting.pop()
            i = len(chosen)
            if not self.may_flip(change_set, [*([option] for option in chosen), *options[i:]]):
                continue
            if i == len(options):
                yield tuple(option.code for option in chosen)
            else:
                waiting += [(*chosen, option) for option in reversed(options[i])]


class Flip(ABC):
    """What has to become true for a decision to change."""

    @property
    def is_ranked(self) -> bool:
        """Does the core find the cheapest sets, too?"""
        return False

    @abstractmethod
    def solver(self, x: Sequence[int]) -> Solver:
        """A new search for the values of one instance, in core codes."""

    def value_offset(self, n_features: int) -> npt.NDArray[np.uint32] | None:
        """Where the values of each feature start in the core; None if nothing says so, or its chooser is not used."""
        return None

    def aim(self, value_offset: npt.NDArray[np.uint32]) -> _core.Aim:
        """The same for the core's chooser."""
        raise NotImplementedError(f"{type(self).__name__} has a search of its own")


class Values(ABC):
    """The values that the features of a change set of one instance may take."""

    def best(self, change_set: ChangeSet) -> Codes | None:
        """The best assignment in which every feature of the set changes; None if none flips the decision."""
        priced = self.priced(change_set)
        return None if priced is None else priced.codes

    @abstractmethod
    def priced(self, change_set: ChangeSet) -> Priced | None:
        """The best assignment with its cost in units."""

    def surest(self, change_set: ChangeSet) -> Codes | None:
        """The cheapest assignment and, of these, the one with the largest margin."""
        return self.best(change_set)

    def costs(self, sets: _core.Sets, clock: Clock = NO_LIMIT) -> list[int]:
        """The costs of change sets, in units, as far as time allows."""
        return costs_one_by_one(self.priced, sets, clock)

    @abstractmethod
    def cheapest(
        self, k: int, max_changes: int | None, clock: Clock, *, by_sums: bool = True
    ) -> tuple[_core.Sets, str] | None:
        """The k cheapest minimal sets, by (cost, size, features), and how the search ended; None if it cannot tell.
        ``by_sums`` says whether the search for change sets goes by sums of weights.
        """

    @abstractmethod
    def all(self, change_set: ChangeSet) -> Iterator[Codes]:
        """Every assignment that flips the decision and changes every feature of the set."""

    @abstractmethod
    def count_all(self, change_set: ChangeSet) -> int:
        """The number of assignments."""

    @abstractmethod
    def ranges(self, change_set: ChangeSet, codes: Sequence[int], raw: RawRow) -> list[tuple[Range, Range]]:
        """By feature of the set, what is as good as these values, in full and as it is printed. All of it together is
        a box of which every point is decided alike.
        """

    @abstractmethod
    def allowed(self, j: int) -> Sequence[int]:
        """The values that a feature may take; its own is one if it may take another number."""

    @abstractmethod
    def priced_within(self, change_set: ChangeSet, codes: Sequence[Sequence[int]]) -> Priced | None:
        """The best assignment with values from these, one list per feature."""


class NumberValues(Values):
    """The same where columns hold numbers: values are computed, not chosen from lists."""

    def allowed(self, j: int) -> Sequence[int]:
        """Not supported: there are infinitely many."""
        raise OptionError("a column of numbers has too many values to list")

    def priced_within(self, change_set: ChangeSet, codes: Sequence[Sequence[int]]) -> Priced | None:
        """Not supported: values are not chosen from lists."""
        raise OptionError("a column of numbers has too many values to list")

    def all(self, change_set: ChangeSet) -> Iterator[Codes]:
        """Not supported: there are infinitely many."""
        raise OptionError("select='all': a column of numbers has too many values to list; use select='nearest'")

    def count_all(self, change_set: ChangeSet) -> int:
        """Not supported: there are infinitely many."""
        raise OptionError("a column of numbers has too many values to count")


def costs_one_by_one(priced: Callable[[tuple[int, ...]], Priced | None], sets: _core.Sets, clock: Clock) -> list[int]:
    """The costs of change sets, in units, as far as time allows."""
    costs: list[int] = []
    for change_set in sets.to_list():
        if clock.expired:
            break
        found = priced(change_set)
        assert found is not None, "no values of a change set flip the decision"
        costs.append(found.unit)
    return costs
