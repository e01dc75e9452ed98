"""The least plausibility as a relation between features: a sum of terms along a tree has to reach a number.

It is provided in the forms of other relations: true or false for rows, and a diagram; and, for engines that add up
scores, as the terms themselves.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.data.plausibility import Plausibility
from symcf.errors import CompileLimitError, OptionError
from symcf.models.table_trees import term_tree
from symcf.question.constraint_kinds import Constraint, Plausible
from symcf.question.formulas import Condition
from symcf.system.builder import NodeLimit
from symcf.system.tree_arrays import tree_arrays

__all__ = ["Likely", "Term"]


#: What the core takes: features, and cells of one (SYMCF_LIKELY_CELLS).
MOST_FEATURES, MOST_CELLS = 64, 64

#: The core's sign for a feature that depends on no other (SYMCF_LIKELY_ROOT).
ROOT = (1 << 32) - 1


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
    def mentioned(self) -> frozenset[int]:
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

    def certificate(self) -> dict[str, Any]:
        """What certificates state; `OptionError` for columns of numbers, which have no cells of their own."""
        tables = [part.table for part in self.plausibility.cells]
        if None in tables:
            raise OptionError(
                "certificate: plausibility of columns that are not cut into ranges cannot be stated; check the "
                "explanation with symcf.verify"
            )
        return {
            "kind": "plausible",
            "cells": [list(table or ()) for table in tables],
            "parents": [None if parent < 0 else int(parent) for parent in self.plausibility.parents],
            "terms": [table.tolist() for table in self._moved],
            "least": int(self.least),
        }

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

    def for_core(
        self, offset: npt.NDArray[np.uint32], group_of: Sequence[Sequence[int]], weight: npt.NDArray[np.int64]
    ) -> _core.Likely | None:
        """The terms as the core searches them (src/core/likely.c); None if they are too many. ``weight``: by core code.

        Features come in an order of falling spread of their weights, as far as each but the first of its tree comes
        after one that it is linked with: so the tables of links are turned where that is the other way round.
        """
        p = self.plausibility
        n, sizes = len(p.parents), [part.count for part in p.cells]
        if n > MOST_FEATURES or max(sizes) > MOST_CELLS:
            return None
        alone = [np.zeros(size, dtype=np.int64) for size in sizes]
        linked: list[dict[int, npt.NDArray[np.int64]]] = [{} for _ in range(n)]
        for j, parent in enumerate(p.parents):
            if parent < 0:
                alone[j] = p.tables[j][0]
            else:
                linked[parent][j], linked[j][parent] = p.tables[j], p.tables[j].T
        spread = [int(np.ptp(weight[a:b])) for a, b in itertools.pairwise(offset.tolist())]
        place: dict[int, int] = {}
        above, tables = [], []
        while len(place) < n:
            reached = {j: i for i in place for j in linked[i] if j not in place}
            left = reached or [j for j in range(n) if j not in place]
            j = max(left, key=lambda j: (spread[j], -j))
            parent = reached.get(j, -1)
            tables.append((linked[parent][j] if parent >= 0 else np.zeros((1, sizes[j]), np.int64)) + alone[j])
            above.append(place[parent] if parent >= 0 else ROOT)
            place[j] = len(place)
        cells = [_by_group(group, cells) for group, cells in zip(group_of, self.partition(), strict=True)]
        return _core.Likely(
            offset,
            np.concatenate(cells).astype(np.uint32),
            np.array(list(place), dtype=np.uint32),
            np.array(above, dtype=np.uint32),
            np.array([sizes[j] for j in place], dtype=np.uint32),
            np.concatenate([table.ravel() for table in tables]),
            self.least,
        )

    def diagram(
        self,
        order: Sequence[int],
        n_values: Sequence[int],
        group_of: Sequence[Sequence[int]],
        max_nodes: int,
        look: Callable[[], float],
    ) -> _core.Diagram:
        """See `Condition`. Terms are trees over one feature or two, and their sum is compiled as that of trees is."""
        terms = [term_tree(term.feature, term.parent, term.table[..., np.newaxis]) for term in self.terms(group_of)]
        scores = np.concatenate([tree.score[:, 0] for tree in terms])
        sizes, levels = (np.array(part, dtype=np.uint32) for part in (n_values, order))
        try:
            return _core.Diagram.compile_trees(
                sizes, levels, *tree_arrays(terms), scores, -self.least, look(), max_nodes, 0
            )
        except CompileLimitError as error:
            if error.limit == "time":
                look()
                raise
            raise NodeLimit from None


def _by_group(group_of: Sequence[int], cell_of: Sequence[int]) -> list[int]:
    """By core code, the cell."""
    cells = dict(zip(group_of, cell_of, strict=True))
    assert all(cells[group] == cell for group, cell in zip(group_of, cell_of, strict=True))
    return [cells[group] for group in range(len(cells))]
