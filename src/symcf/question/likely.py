"""The least plausibility as a relation between features: a sum of terms along a tree has to reach a number.

It is provided in the forms of other relations: true or false for rows, and a diagram; and, for engines that add up
scores, as the terms themselves. As a diagram it is built from the top down. What matters of the features read so far is
their *context*, the cells of those that have a neighbour in the tree below, and the sum; all sums of an interval lead
to the same node (Behle 2008 does this for one inequality without a context).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.plausibility import Plausibility
from symcf.question.constraint_kinds import Constraint, Plausible
from symcf.question.formulas import Condition
from symcf.system.builder import OFTEN, NodeLimit, Nodes

__all__ = ["Likely", "Term"]

#: Combinations of cells that a level may have to tell apart.
MAX_CONTEXTS = 1 << 16

#: Features that a diagram is built of.
MAX_LEVELS = 400


class Term(NamedTuple):
    """What one feature adds, given its own code and, unless it is -1, that of its parent."""

    feature: int
    parent: int
    #: By code of the parent (one line where there is none), then by own code.
    table: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Likely(Condition):
    """A row has to be at least as likely as this share of the data."""

    share: Fraction
    plausibility: Plausibility = field(repr=False)
    advice = "use engine='auto'"

    @property
    def text(self) -> str:  # type: ignore[override]
        """In the user's words."""
        return f"plausibility >= {float(self.share):g}"

    @property
    def constraint(self) -> Constraint:
        """As one of the constraints of a question."""
        return Plausible(value=self)

    def __hash__(self) -> int:
        return hash((self.share, self.plausibility.sums))

    @cached_property
    def least(self) -> int:
        """What the sum has to reach."""
        return self.plausibility.least(self.share)

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of value codes are likely enough."""
        return np.asarray(self.plausibility.scores(rows % np.array(n_values)) >= self.least)

    @cached_property
    def related(self) -> frozenset[int]:
        """The features that it depends on."""
        return frozenset(j for j, part in enumerate(self.plausibility.cells) if part.count > 1)

    def partition(self) -> list[list[int]]:
        """By feature and code, its cell."""
        tables = [part.table for part in self.plausibility.cells]
        return [list(table) for table in tables if table is not None]

    def terms(self, group_of: Sequence[Sequence[int]]) -> list[Term]:
        """The terms over core codes. requires: members of a group share a cell.

        They are moved up the tree as far as that goes, which changes no sum: what the best cell adds, given the
        parent's, becomes part of the parent's term. So all terms but those of roots are at most 0, and the maxima of
        the terms add up to the most that a sum can be; engines that bound sums term by term need that.
        """
        p = self.plausibility
        pairs = zip(group_of, self.partition(), strict=True)
        cell = [_by_group(group, cells * (len(group) // len(cells))) for group, cells in pairs]
        found = []
        for j, parent in enumerate(p.parents):
            lines = self._moved[j] if parent < 0 else self._moved[j][cell[parent]]
            found.append(Term(j, parent, np.ascontiguousarray(lines[:, cell[j]])))
        return found

    @cached_property
    def _moved(self) -> list[npt.NDArray[np.int64]]:
        """The terms by feature and cells, moved up."""
        p = self.plausibility
        tables = [table.copy() for table in p.tables]
        for j in p.leaves_first():
            if p.parents[j] >= 0:
                best = tables[j].max(axis=1)
                tables[j] -= best[:, None]
                tables[p.parents[j]] += best
        return tables

    def node(
        self, nodes: Nodes, order: Sequence[int], group_of: Sequence[Sequence[int]], look: Callable[[], None]
    ) -> int:
        """See `Condition`."""
        return _Sum(self.terms(group_of), self.least, nodes, order, look).root()


def _by_group(group_of: Sequence[int], cell_of: Sequence[int]) -> list[int]:
    """By core code, the cell."""
    cells = dict(zip(group_of, cell_of, strict=True))
    assert all(cells[group] == cell for group, cell in zip(group_of, cell_of, strict=True))
    return [cells[group] for group in range(len(cells))]


@dataclass
class _Level:
    """One feature is read."""

    feature: int
    n_values: int
    #: Features of the context before it; the places of those that stay, the feature itself being the last.
    context: list[int]
    kept: list[int]
    #: By context before and code, what is added to the sum, and the context after.
    step: dict[tuple[int, ...], list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)
    #: By context before, the least and the most that can still be added.
    rest: dict[tuple[int, ...], tuple[int, int]] = field(default_factory=dict)
    #: By context before: the intervals of sums known so far, by their first sums, with the last ones and their nodes.
    known: dict[tuple[int, ...], tuple[list[float], list[tuple[float, int]]]] = field(default_factory=dict)


class _Sum:
    """Nodes of "the terms add up to at least `least`", from the root down."""

    def __init__(
        self, terms: Sequence[Term], least: int, nodes: Nodes, order: Sequence[int], look: Callable[[], None]
    ) -> None:
        self._nodes, self._least, self._look, self._asked = nodes, least, look, 0
        # codes that are the same to every term are one: numbers of classes of codes, by feature
        self._class = _classes(terms)
        self._levels = _levels(terms, order, self._class, look)
        self._fill_rest()

    def _fill_rest(self) -> None:
        for i in range(len(self._levels) - 1, -1, -1):
            level = self._levels[i]
            end: dict[tuple[int, ...], tuple[int, int]] = {(): (0, 0)}
            below = self._levels[i + 1].rest if i + 1 < len(self._levels) else end
            self._look()
            for context, steps in level.step.items():
                ends = [(gain + below[after][0], gain + below[after][1]) for gain, after in steps]
                level.rest[context] = min(low for low, _ in ends), max(high for _, high in ends)

    def root(self) -> int:
        """The node from which all are reached."""
        return self._node(0, (), 0)[0]

    def _node(self, i: int, context: tuple[int, ...], total: int) -> tuple[int, float, float]:
        """The node after i features, and between which sums, ends included, it is the same."""
        if i == len(self._levels):
            return (1, self._least, inf) if total >= self._least else (0, -inf, self._least - 1)
        self._asked += 1
        if not self._asked & OFTEN:
            self._look()
        level = self._levels[i]
        low, high = level.rest[context]
        if total + low >= self._least:
            return 1, self._least - low, inf
        if total + high < self._least:
            return 0, -inf, self._least - high - 1
        firsts, others = level.known.setdefault(context, ([], []))
        at = bisect_right(firsts, total) - 1
        if at >= 0 and total <= others[at][0]:
            return others[at][1], firsts[at], others[at][0]
        found = [(gain, *self._node(i + 1, after, total + gain)) for gain, after in level.step[context]]
        first = max(begin - gain for gain, _, begin, _ in found)
        last = min(end - gain for gain, _, _, end in found)
        child = [node for _, node, _, _ in found]
        node = self._nodes.node(level.feature, [child[c] for c in self._class[level.feature]])
        place = bisect_right(firsts, first)
        firsts.insert(place, first)
        others.insert(place, (last, node))
        return node, first, last


def _classes(terms: Sequence[Term]) -> list[list[int]]:
    """By feature and code, the number of its class: codes that are the same to every term."""
    seen: list[list[tuple[int, ...]]] = [[] for _ in terms]
    for term in terms:
        seen[term.feature] += map(tuple, term.table.tolist())
        if term.parent >= 0:
            seen[term.parent] += map(tuple, term.table.T.tolist())
    classes = []
    for lines in seen:
        number: dict[tuple[int, ...], int] = {}
        classes.append([number.setdefault(column, len(number)) for column in zip(*lines, strict=True)])
    return classes


def _levels(
    terms: Sequence[Term], order: Sequence[int], classes: Sequence[Sequence[int]], look: Callable[[], None]
) -> list[_Level]:
    """The levels with their steps; `NodeLimit` if there are too many contexts."""
    if len(order) > MAX_LEVELS:
        raise NodeLimit
    first = [[codes.index(c) for c in range(max(codes) + 1)] for codes in classes]  # a code of each class
    place = {j: i for i, j in enumerate(order)}
    neighbours: list[list[Term]] = [[] for _ in terms]  # terms of two features, by the one that is read later
    last_use = [place[j] for j in range(len(terms))]  # the level that reads the last neighbour
    for term in terms:
        if term.parent >= 0:
            late = max((term.feature, term.parent), key=place.__getitem__)
            early = term.parent if late == term.feature else term.feature
            neighbours[late].append(term)
            last_use[early] = max(last_use[early], place[late])
    levels: list[_Level] = []
    context: list[int] = []
    for i, j in enumerate(order):
        if prod(len(first[c]) for c in context) * len(first[j]) > MAX_CONTEXTS:
            raise NodeLimit
        kept = [c for c in context if last_use[c] > i] + ([j] if last_use[j] > i else [])
        level = _Level(j, len(first[j]), list(context), kept)
        own = [term for term in terms if term.feature == j and term.parent < 0]
        for number, values in enumerate(product(*(range(len(first[c])) for c in context))):
            if not number & OFTEN:
                look()
            at = dict(zip(context, values, strict=True))
            steps = []
            for c in range(len(first[j])):
                at[j] = c
                gain = sum(int(term.table[0, first[j][c]]) for term in own)
                for term in neighbours[j]:
                    parent, child = first[term.parent][at[term.parent]], first[term.feature][at[term.feature]]
                    gain += int(term.table[parent, child])
                steps.append((gain, tuple(at[k] for k in kept)))
            level.step[values] = steps
        levels.append(level)
        context = kept
    return levels
