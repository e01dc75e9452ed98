"""Many change sets in few lines: "these, and any one of those".

A group is a list of alternatives, each a set of features; its change sets take one feature of each. Two groups that
differ in one alternative only are one group with both alternatives joined:

    {a} {c},  {b} {c}   ->   {a b} {c}           any one of a and b, and c

Sets are groups of single features. Joining goes on, the largest groups first, until nothing fits together. Nothing is
lost and nothing is said twice: every set is in exactly one group, and a group holds no other sets.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symcf.common.text import one_line

__all__ = ["Group", "groups_of"]

Block = frozenset[int]

#: The names of the features, by number.
Names = Sequence[str] | Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Group:
    """Change sets that have features in common, and one of each of several choices."""

    #: The features that all sets of the group have.
    common: tuple[int, ...]
    #: Of each of these, every set has exactly one.
    choices: tuple[tuple[int, ...], ...]
    _names: Names

    def __len__(self) -> int:
        """The number of change sets."""
        return math.prod(map(len, self.choices))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (tuple(sorted((*self.common, *one_of_each))) for one_of_each in itertools.product(*self.choices))

    def __str__(self) -> str:
        common = [one_line(self._names[j]) for j in self.common]
        choices = ["any one of (" + ", ".join(one_line(self._names[j]) for j in c) + ")" for c in self.choices]
        return ", plus ".join(([", ".join(common)] if common else []) + choices)


def groups_of(sets: Iterable[Sequence[int]], names: Names) -> list[Group]:
    """The groups, in the order of the first sets in them. A set that comes several times counts once.

    >>> [str(group) for group in groups_of([(0, 1), (0, 2), (3,)], ["a", "b", "c", "d"])]
    ['a, plus any one of (b, c)', 'd']
    """
    first = {frozenset(frozenset((j,)) for j in s): i for i, s in reversed(list(enumerate(sets)))}
    while joined := _joined(first):
        first = joined
    in_order = sorted(first, key=first.__getitem__)
    return [_group(blocks, names) for blocks in in_order]


def _group(blocks: frozenset[Block], names: Names) -> Group:
    ordered = sorted(map(sorted, blocks))
    return Group(
        tuple(block[0] for block in ordered if len(block) == 1),
        tuple(tuple(block) for block in ordered if len(block) > 1),
        names,
    )


def _joined(first: dict[frozenset[Block], int]) -> dict[frozenset[Block], int] | None:
    """One round: groups that differ in one alternative, each joined at most once; None if there are none.

    The values say where the first set of a group stands in the list.
    """
    alike: dict[frozenset[Block], list[Block]] = {}
    for blocks in first:
        for block in blocks:
            alike.setdefault(blocks - {block}, []).append(block)
    candidates = [rest for rest, options in alike.items() if len(options) > 1]
    candidates.sort(key=lambda rest: -sum(map(len, alike[rest])) * math.prod(map(len, rest)))
    left = dict(first)
    result: dict[frozenset[Block], int] = {}
    for rest in candidates:
        free = [block for block in alike[rest] if rest | {block} in left]
        if len(free) > 1:
            places = [left.pop(rest | {block}) for block in free]
            result[rest | {frozenset().union(*free)}] = min(places)
    return result | left if result else None
