"""Minimal change sets of many rows at once where linear rows tie a few columns of numbers (`symcf.question.ties`).

Let T be the tied columns that change, and G(T) the most that they gain. A set is T with features U that are not tied.
It is enough iff U covers what is lacking without G(T), and minimal iff U is a minimal cover of that and not enough with
fewer columns of T. So each T is a table of rows for the core. All of it is done with lower and with upper bounds of
G(T): what is minimal with both is minimal, and rows where they differ are left to the exact search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers.summary import COMPLETE, TIME_LIMIT
from symcf.common.clock import Clock
from symcf.question.ties import NONE

__all__ = ["MOST_FEATURES", "SetsOfRows", "TiedRows", "bits_of"]

Integers = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

#: Sets are bits of an integer, the first feature the highest.
MOST_FEATURES = 64

#: Where the k first sets are wanted, all are listed up to this number per set of tied columns.
MOST_LISTED = 1 << 12


def bits_of(n: int) -> Masks:
    """By feature, its bit."""
    return np.uint64(1) << np.arange(MOST_FEATURES - 1, MOST_FEATURES - 1 - n, -1, dtype=np.uint64)


class SetsOfRows(NamedTuple):
    """Sets of rows: the row of each, and its features as bits."""

    row: Integers
    mask: Masks

    @classmethod
    def joined(cls, parts: list[SetsOfRows]) -> SetsOfRows:
        """All of them, one after the other."""
        none = cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64))
        return cls(*(np.concatenate(columns) for columns in zip(none, *parts, strict=True)))

    def features(self, n: int) -> tuple[Integers, npt.NDArray[np.int32]]:
        """Where the features of each set end, and the features."""
        there = self.there(n)
        return np.cumsum(there.sum(axis=1), dtype=np.int64), np.nonzero(there)[1].astype(np.int32)

    def there(self, n: int) -> Flags:
        """By set and feature."""
        return np.asarray((self.mask[:, np.newaxis] & bits_of(n)) != 0)

    def in_order(self, cost: Integers | None, n: int) -> SetsOfRows:
        """By row, cost, size and features."""
        there = self.there(n)
        sizes = there.sum(axis=1)
        costs = sizes if cost is None else there @ cost
        order = np.lexsort((~self.mask, sizes, costs, self.row))
        return SetsOfRows(self.row[order], self.mask[order])

    def first(self, k: int, n_rows: int) -> SetsOfRows:
        """Of each row the first k; they are in order."""
        counts = np.bincount(self.row, minlength=n_rows)
        rank = np.arange(len(self.row)) - np.repeat(np.cumsum(counts) - counts, counts)
        return SetsOfRows(self.row[rank < k], self.mask[rank < k])


@dataclass(frozen=True)
class TiedRows:
    """Rows with one rival."""

    #: By row and feature; by row.
    gain: Integers
    deficit: Integers
    #: By row and set of tied features: bounds of what they gain.
    least: Integers
    most: Integers
    #: The tied features.
    tied: Integers
    cost: Integers | None
    max_changes: int | None
    k: int | None

    def solved(self, clock: Clock, result_memory: int) -> tuple[SetsOfRows, npt.NDArray[np.uint8], Flags]:
        """The sets in order, the status of each row, and which rows are in doubt."""
        n_rows, n = self.gain.shape
        doubt, late = np.zeros(n_rows, dtype=np.bool_), np.zeros(n_rows, dtype=np.bool_)
        found = []
        for bound in (self.least, self.most):
            sets = self._listed(bound, clock, result_memory, doubt, late).in_order(self.cost, n)
            found.append(sets if self.k is None else sets.first(self.k, n_rows))
        both = SetsOfRows.joined(found)
        order = np.lexsort((both.mask, both.row))
        row, mask = both.row[order], both.mask[order]
        differs = (row[1:] != row[:-1]) | (mask[1:] != mask[:-1])
        alone = np.ones(len(row), dtype=np.bool_)
        alone[1:] &= differs
        alone[:-1] &= differs
        doubt[row[alone]] = True
        status = np.where(late, np.uint8(TIME_LIMIT), np.uint8(COMPLETE))
        kept = ~(doubt | late)[found[0].row]
        return SetsOfRows(found[0].row[kept], found[0].mask[kept]), status, doubt & ~late

    def _listed(self, bound: Integers, clock: Clock, result_memory: int, doubt: Flags, late: Flags) -> SetsOfRows:
        """The minimal sets, where sets of tied columns gain this."""
        free, bits = np.array(self.gain), bits_of(self.gain.shape[1])
        free[:, self.tied] = 0
        found = []
        for part in range(bound.shape[1]):
            changed = [k for k in range(len(self.tied)) if part >> k & 1]
            if self.max_changes is not None and len(changed) > self.max_changes:
                continue
            smaller = np.array([part & ~(1 << k) for k in changed], dtype=np.int64)
            # nothing is minimal with a column that adds nothing
            useful = np.flatnonzero((bound[:, part] > NONE) & (bound[:, part, None] > bound[:, smaller]).all(axis=1))
            lacks = self.deficit[useful] - bound[useful, part]
            enough = lacks <= 0
            alone, others = useful[enough], useful[~enough]
            sets, counts, states = _core.cover_rows(
                np.ascontiguousarray(free[others, np.newaxis]),
                np.ascontiguousarray(lacks[~enough, np.newaxis]),
                cost=self.cost,
                max_changes=None if self.max_changes is None else self.max_changes - len(changed),
                max_results=0 if self.k is None else MOST_LISTED,
                result_memory=result_memory,
                sorted=False,
                time_limit=clock.left,
            )
            late[others[states == TIME_LIMIT]] = True
            doubt[others[(states != COMPLETE) & (states != TIME_LIMIT)]] = True
            row = np.concatenate([alone, np.repeat(others, counts.astype(np.int64))])
            ends, features = sets.end.view(np.int64), sets.features.view(np.int32)
            starts = np.concatenate([[0], ends])[:-1]
            mask, total = np.zeros(len(row), dtype=np.uint64), np.zeros(len(row), dtype=np.int64)
            if len(ends):  # a cover has a feature, since something is lacking
                of_feature = np.repeat(row[len(alone) :], ends - starts)
                mask[len(alone) :] = np.bitwise_or.reduceat(bits[features], starts)
                total[len(alone) :] = np.add.reduceat(free[of_feature, features], starts)
            mask |= np.bitwise_or.reduce(bits[self.tied[changed]], initial=np.uint64(0))
            minimal = (total[:, None] < self.deficit[row, None] - bound[row[:, None], smaller]).all(axis=1)
            found.append(SetsOfRows(row[minimal], mask[minimal]))
        return SetsOfRows.joined(found)
