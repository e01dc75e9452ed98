"""Formulas: the normal form of relations, over features and value codes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import tick
from symcf.errors import InternalError
from symcf.question.constraint_kinds import Constraint, Related
from symcf.system.builder import Nodes

__all__ = ["AtMost", "Both", "Condition", "Either", "Formula", "Member", "simplified"]


class Condition:
    """What a counterfactual has to obey in several features at once."""

    #: In the user's words.
    text: str
    #: In normal form; None where it has none.
    formula: Formula | None = None
    #: Does it mean something else for each row?
    by_row = False
    #: The features whose numbers are compared in it, where values are ranges of numbers.
    compared: frozenset[int] = frozenset()
    #: What to do if its diagram gets too large.
    advice = "split it"

    def __str__(self) -> str:
        return self.text

    @property
    def constraint(self) -> Constraint:
        """As one of the constraints of a question."""
        return Related(value=self)

    @property
    def mentioned(self) -> frozenset[int]:
        """The features that it depends on."""
        return frozenset() if self.formula is None else frozenset(member.feature for member in self.formula.members())

    def with_second(self, features: frozenset[int]) -> Condition:
        """The same in codes that have the values of some features a second time."""
        return self

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of value codes obey. A code of n_values[j] and more is a value a second time."""
        raise InternalError(f"{self.text!r} depends on the row")

    def diagram(
        self,
        order: Sequence[int],
        n_values: Sequence[int],
        group_of: Sequence[Sequence[int]],
        max_nodes: int,
        look: Callable[[], float],
    ) -> _core.Diagram:
        """As a diagram over core codes, with levels in this order; `NodeLimit` if it gets too large. ``look`` gives
        the seconds left, -1 for any number; it raises when time is up.
        """
        if self.formula is None:
            raise InternalError(f"{self.text!r} depends on the row")
        nodes = Nodes(order, n_values, max_nodes, look)
        return nodes.freeze(self.formula.node(nodes, group_of))


@dataclass(frozen=True)
class Member:
    """Feature j has one of these codes."""

    feature: int
    codes: frozenset[int]
    #: How many codes the feature has.
    n_values: int

    def __invert__(self) -> Formula:
        return simplified(Both, [replace(self, codes=frozenset(range(self.n_values)) - self.codes)])

    @property
    def features(self) -> set[int]:
        """The feature."""
        return {self.feature}

    @property
    def numbers(self) -> tuple[int, ...]:
        """The features whose numbers it compares: none, as values are."""
        return ()

    @property
    def fixed(self) -> tuple[Formula, Formula]:
        """What it says of every row, and what its opposite does."""
        return simplified(Both, [self]), ~self

    def holds(self, rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Which rows of value codes have one of them."""
        return np.asarray(np.isin(np.arange(self.n_values), list(self.codes))[rows[:, self.feature]])

    def members(self) -> Iterator[Member]:
        """All sets of codes in it."""
        yield self

    def node(self, nodes: Nodes, group_of: Sequence[Sequence[int]]) -> int:
        """As a diagram over core codes."""
        tick()
        groups = group_of[self.feature]
        inside = {int(groups[code]) for code in self.codes}
        if any(int(group) in inside for code, group in enumerate(groups) if code not in self.codes):
            raise InternalError(f"a relation distinguishes values of one group of feature {self.feature}")
        return nodes.member(self.feature, inside)

    def with_second(self, features: Container[int]) -> Member:
        """The same in codes that have the values of some features a second time."""
        if self.feature not in features:
            return self
        again = frozenset(code + self.n_values for code in self.codes)
        return Member(self.feature, self.codes | again, 2 * self.n_values)


@dataclass(frozen=True)
class _Joined:
    """Several formulas."""

    parts: tuple[Formula, ...]

    def __invert__(self) -> Formula:
        return simplified(Either if isinstance(self, Both) else Both, [~part for part in self.parts])

    def holds(self, rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """See `Member`."""
        parts = np.array([part.holds(rows) for part in self.parts]).reshape(len(self.parts), len(rows))
        return np.asarray(parts.all(axis=0) if isinstance(self, Both) else parts.any(axis=0))

    def members(self) -> Iterator[Member]:
        """See `Member`."""
        return chain.from_iterable(part.members() for part in self.parts)

    def node(self, nodes: Nodes, group_of: Sequence[Sequence[int]]) -> int:
        """See `Member`."""
        parts = [part.node(nodes, group_of) for part in self.parts]
        return nodes.conjoin(parts) if isinstance(self, Both) else nodes.disjoin(parts)

    def with_second(self, features: Container[int]) -> Formula:
        """See `Member`."""
        kind = Both if isinstance(self, Both) else Either
        return kind(tuple(part.with_second(features) for part in self.parts))


@dataclass(frozen=True)
class AtMost:
    """Whole numbers, one by code of each of some features, add up to no more than a bound."""

    columns: tuple[int, ...]
    #: By column and code; with None it holds whatever the others are.
    numbers_of: tuple[tuple[int | None, ...], ...]
    most: int

    def __invert__(self) -> Formula:
        raise InternalError("a sum is not negated")

    def holds(self, rows: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """See `Member`."""
        parts = [
            np.array(some, dtype=object)[rows[:, j]] for j, some in zip(self.columns, self.numbers_of, strict=True)
        ]
        return np.array([None in row or sum(row) <= self.most for row in zip(*parts, strict=True)], dtype=np.bool_)

    def members(self) -> Iterator[Member]:
        """Sets of codes that tell apart what it tells apart: the digits of the rank of a number, in binary."""
        for j, some in zip(self.columns, self.numbers_of, strict=True):
            rank = {number: i for i, number in enumerate(dict.fromkeys(some))}
            for bit in range(len(rank).bit_length()):
                yield Member(j, frozenset(v for v, number in enumerate(some) if rank[number] >> bit & 1), len(some))

    def node(self, nodes: Nodes, group_of: Sequence[Sequence[int]]) -> int:
        """As a diagram over core codes: nodes are told apart by what is left for the features below."""
        by_level = sorted(zip(self.columns, self.numbers_of, strict=True), key=lambda part: nodes.level(part[0]))
        columns = [(j, _by_group(j, some, group_of[j])) for j, some in by_level]
        #: Of the columns from here on: the least sum, None where it may hold in any case; and the greatest.
        least: list[int | None] = [0]
        greatest = [0]
        for _, some in reversed(columns):
            known = [number for number in some if number is not None]
            before = least[0]
            least.insert(0, None if before is None or len(known) < len(some) else before + min(known))
            greatest.insert(0, greatest[0] + max(known, default=0))
        made: dict[tuple[int, int], int] = {}

        def below(i: int, left: int) -> int:
            if left >= greatest[i]:
                return 1
            low = least[i]
            if low is not None and left < low:
                return 0
            if (i, left) not in made:
                tick()
                j, some = columns[i]
                if i == len(columns) - 1:
                    child = [int(number is None or number <= left) for number in some]
                else:
                    child = [1 if number is None else below(i + 1, left - number) for number in some]
                made[i, left] = nodes.node(j, child)
            return made[i, left]

        return below(0, self.most)

    def with_second(self, features: Container[int]) -> AtMost:
        """See `Member`."""
        parts = zip(self.columns, self.numbers_of, strict=True)
        return replace(self, numbers_of=tuple(2 * some if j in features else some for j, some in parts))


def _by_group(feature: int, numbers: Sequence[int | None], groups: Sequence[int]) -> list[int | None]:
    """The numbers of core codes."""
    found: dict[int, int | None] = {}
    for number, group in zip(numbers, map(int, groups), strict=True):
        if found.setdefault(group, number) != number:
            raise InternalError(f"a relation distinguishes values of one group of feature {feature}")
    return [found[group] for group in range(len(found))]


class Both(_Joined):
    """All parts hold; without parts: always."""


class Either(_Joined):
    """At least one part holds; without parts: never."""


#: The normal form: no negations, and no part of a `Both` or `Either` is one of the same kind.
Formula = Member | AtMost | Both | Either


def simplified(kind: type[Both] | type[Either], parts: Iterable[Formula]) -> Formula:
    """Parts of the same kind join, sets of the same feature become one, and constants vanish."""
    sets: dict[int, Member] = {}
    others: dict[Formula, None] = {}
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    for part in flat:
        if not isinstance(part, Member):
            others[part] = None
            continue
        known = sets.setdefault(part.feature, part).codes
        codes = known & part.codes if kind is Both else known | part.codes
        if codes != known:
            sets[part.feature] = replace(part, codes=codes)
    full = {j for j, member in sets.items() if len(member.codes) == member.n_values}
    empty = {j for j, member in sets.items() if not member.codes}
    deciding, idle, decided = (empty, full, Either(())) if kind is Both else (full, empty, Both(()))
    if deciding or decided in others:
        return decided
    kept = [*(sets[j] for j in sorted(sets) if j not in idle), *others]
    return kept[0] if len(kept) == 1 else kind(tuple(kept))
