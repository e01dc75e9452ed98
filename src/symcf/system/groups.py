"""Groups: values of a feature that make no difference to any decision are one value to the core.

A feature with 921 values but 12 different weights costs as much as one with 12 values. Users see value codes; the core
sees *core codes*, the numbers of the groups. Rows are translated on their way in, answers on their way out.

A feature of two values is left alone even if they weigh the same, so that variable j + 1 of a CNF is feature j wherever
all features are binary.

Where columns of numbers are compared with each other, a number may have to move within its range, which changes no
value code. For such features every value comes a second time, after all others: "this range, but another number".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.models.rules import Offsets, value_offsets

__all__ = ["Groups"]


class Groups:
    """For each feature, which group each of its values is in."""

    def __init__(self, partition: Sequence[Sequence[int]], twice: Collection[int] = ()) -> None:
        """``twice`` are features whose values come a second time; each of these values has to be its own group."""
        #: By feature and value code, the core code. Groups are numbered by their first member.
        self.group_of: tuple[tuple[int, ...], ...] = tuple(_renumbered(groups) for groups in partition)
        assert all(len(set(self.group_of[j])) == len(self.group_of[j]) for j in twice)
        #: The same where values come a second time: the code of "another number of v" is the number of values plus v.
        self.with_second = tuple(
            tuple(range(2 * len(groups))) if j in twice else groups for j, groups in enumerate(self.group_of)
        )
        #: Where the values of each feature start: value codes, and core codes.
        self.value_offset: Offsets = value_offsets([len(groups) for groups in self.group_of])
        self.core_offset: Offsets = value_offsets([max(groups) + 1 for groups in self.with_second])
        #: Is every value its own group, and are there no others?
        self.trivial = not twice and bool(self.value_offset[-1] == self.core_offset[-1])

    @classmethod
    def of_weights(cls, value_offset: Offsets, weights: npt.NDArray[np.int64]) -> Groups:
        """Values with the same weights, one row per function, are one group."""
        partition = []
        for start, end in zip(value_offset[:-1].tolist(), value_offset[1:].tolist(), strict=True):
            columns = [tuple(column) for column in weights[:, start:end].T.tolist()]
            number: dict[Any, int] = {}
            partition.append(
                list(range(end - start)) if end - start <= 2 else [number.setdefault(c, len(number)) for c in columns]
            )
        return cls(partition)

    @classmethod
    def single(cls, n_values: Sequence[int], twice: Collection[int] = ()) -> Groups:
        """Every value is its own group."""
        return cls([range(d) for d in n_values], twice)

    def refined(self, partition: Sequence[Sequence[int]], twice: Collection[int] = ()) -> Groups:
        """Groups that also distinguish the values that another partition distinguishes; ``twice`` as above."""
        pairs = [
            [(mine, theirs) for mine, theirs in zip(a, b, strict=True)]
            for a, b in zip(self.group_of, partition, strict=True)
        ]
        numbers = [{pair: i for i, pair in enumerate(dict.fromkeys(row))} for row in pairs]
        return Groups([[number[pair] for pair in row] for number, row in zip(numbers, pairs, strict=True)], twice)

    @cached_property
    def members(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """By feature and core code, the codes of `with_second`."""
        found = []
        for groups in self.with_second:
            codes: list[list[int]] = [[] for _ in range(max(groups) + 1)]
            for v, group in enumerate(groups):
                codes[group].append(v)
            found.append(tuple(map(tuple, codes)))
        return tuple(found)

    @cached_property
    def value_of(self) -> tuple[tuple[int, ...], ...]:
        """By feature and core code, the smallest value code of the group."""
        return tuple(
            tuple(group[0] % len(groups) for group in of_feature)
            for of_feature, groups in zip(self.members, self.group_of, strict=True)
        )

    @cached_property
    def table(self) -> npt.NDArray[np.uint32]:
        """Core codes by ``value_offset[j] + code``."""
        return np.array([g for groups in self.group_of for g in groups], dtype=np.uint32)

    @cached_property
    def first(self) -> npt.NDArray[np.uint32]:
        """By core offset, the smallest value code of the group."""
        return np.array([code for codes in self.value_of for code in codes], dtype=np.uint32)

    @property
    def for_core(self) -> tuple[Offsets, npt.NDArray[np.uint32]] | None:
        """What the core needs to read rows of value codes; None where there is nothing to translate."""
        return None if self.trivial else (self.value_offset, self.table)

    def core_codes(self, codes: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """Rows of value codes, which must be in range, as core codes."""
        if self.trivial:
            return np.asarray(codes, dtype=np.uint32)
        return self.table[self.value_offset[:-1] + np.asarray(codes, dtype=np.int64)]

    def core_mask(self, mask: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.uint8] | None:
        """What may be taken, by core code: a group may if any of its members may. No value may a second time."""
        if self.trivial or (mask is None and self.with_second == self.group_of):
            return mask
        if mask is None:
            mask = np.ones(int(self.value_offset[-1]), dtype=np.uint8)
        owner = np.repeat(self.core_offset[:-1], np.diff(self.value_offset)).astype(np.int64)
        result = np.zeros(int(self.core_offset[-1]), dtype=np.uint8)
        np.maximum.at(result, owner + self.table, mask)
        return result

    def core_weights(self, weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Weights by value, as weights by core code (members of a group have the same)."""
        if self.trivial:
            return weights
        index = np.repeat(self.value_offset[:-1], np.diff(self.core_offset)).astype(np.int64) + self.first
        return np.ascontiguousarray(weights[..., index])


def _renumbered(groups: Sequence[int]) -> tuple[int, ...]:
    number: dict[int, int] = {}
    return tuple(number.setdefault(group, len(number)) for group in groups)
