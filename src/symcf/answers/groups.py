"""Many change sets in few lines: "these, and any one of those".

A group is a list of alternatives, each a set of features; its change sets take one feature of each. Two groups that
differ in one alternative only are one group with both alternatives joined:

    {a} {c},  {b} {c}   ->   {a b} {c}           any one of a and b, and c

Sets are groups of single features. Joining goes on, the largest groups first, until nothing fits together. Nothing is
lost and nothing is said twice: every set is in exactly one group, and a group holds no other sets.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symcf.common.text import one_line

__all__ = ["Group", "groups_of"]

#: An alternative: its features as the bits of a number.
Block = int

#: The alternatives of a group, ascending.
Blocks = tuple[Block, ...]

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
    first: dict[Blocks, int] = {}
    for i, features in enumerate(sets):
        first.setdefault(tuple(sorted(1 << j for j in set(features))), i)
    while joined := _joined(first):
        first = joined
    in_order = sorted(first, key=first.__getitem__)
    return [_group(blocks, names) for blocks in in_order]


def _group(blocks: Blocks, names: Names) -> Group:
    ordered = sorted(map(_features, blocks))
    return Group(
        tuple(block[0] for block in ordered if len(block) == 1),
        tuple(block for block in ordered if len(block) > 1),
        names,
    )


def _features(block: Block) -> tuple[int, ...]:
    return tuple(j for j in range(block.bit_length()) if block >> j & 1)


def _joined(first: dict[Blocks, int]) -> dict[Blocks, int] | None:
    """One round: groups that differ in one alternative, each joined at most once; None if there are none.

    The values say where the first set of a group stands in the list.
    """
    alike: dict[Blocks, list[Block]] = {}
    for blocks in first:
        for i, block in enumerate(blocks):
            alike.setdefault(blocks[:i] + blocks[i + 1 :], []).append(block)
    candidates = [(rest, options) for rest, options in alike.items() if len(options) > 1]
    del alike
    candidates.sort(key=lambda each: -sum(map(int.bit_count, each[1])) * math.prod(map(int.bit_count, each[0])))
    left = dict(first)
    result: dict[Blocks, int] = {}
    for rest, options in candidates:
        free = [(block, with_block) for block in options if (with_block := _with(rest, block)) in left]
        if len(free) > 1:
            places = [left.pop(with_block) for _, with_block in free]
            result[_with(rest, sum(block for block, _ in free))] = min(places)  # they have no feature in common
    return result | left if result else None


def _with(rest: Blocks, block: Block) -> Blocks:
    place = bisect.bisect_left(rest, block)
    return (*rest[:place], block, *rest[place:])
