"""Functions of several diagrams, whatever features, values and orders they have.

    1. the columns that all of them can be read from             rows.shared
    2. each diagram over these columns, in one order of levels   bdd_translate.c
    3. one diagram of two-valued inputs says how they combine    bdd_combine.c

The result distinguishes all values of the shared columns.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.decision.decision import Budget
from symcf.decision.groups import Groups
from symcf.diagrams.builder import Nodes
from symcf.rows.shared import Columns, Reading, shared

__all__ = [
    "ALL",
    "ANY",
    "ODD",
    "UNLIMITED",
    "How",
    "Part",
    "aligned",
    "but_not",
    "combine",
    "composed",
    "how",
    "same_class",
    "translated",
]

#: Given the nodes of the inputs: the node of the result, "0 or 1" nodes of a diagram over two-valued inputs.
How = Callable[[Nodes, Sequence[int]], int]


#: For diagrams, which know no limits: no more memory than a classifier takes by default.
UNLIMITED = Budget(lambda: -1.0, 0, 4 << 30)


@dataclass(frozen=True)
class Part:
    """A diagram, the values that it does not distinguish, and how rows of it are read."""

    core: _core.Diagram
    groups: Groups | None
    columns: Columns


def how(n: int, combined: How) -> _core.Diagram:
    """A diagram over n inputs of two values."""
    nodes = Nodes(range(n), [2] * n)
    return nodes.freeze(combined(nodes, [nodes.member(i, {1}) for i in range(n)]))


def ALL(nodes: Nodes, inputs: Sequence[int]) -> int:
    """All inputs are true."""
    return nodes.conjoin(inputs)


def ANY(nodes: Nodes, inputs: Sequence[int]) -> int:
    """At least one input is true."""
    return nodes.disjoin(inputs)


def ODD(nodes: Nodes, inputs: Sequence[int]) -> int:
    """Of two inputs exactly one is true."""
    a, b = inputs
    not_a, not_b = nodes.negate(a), nodes.negate(b)
    return nodes.disjoin([nodes.conjoin([a, not_b]), nodes.conjoin([not_a, b])])


def but_not(nodes: Nodes, inputs: Sequence[int]) -> int:
    """The first is true, the second is false."""
    return nodes.conjoin([inputs[0], nodes.negate(inputs[1])])


def same_class(nodes: Nodes, inputs: Sequence[int]) -> int:
    """Inputs 2k and 2k + 1 are "the first says class k" and "the second says class k"."""
    return nodes.disjoin([nodes.conjoin(inputs[i : i + 2]) for i in range(0, len(inputs), 2)])


def combine(parts: Sequence[Part], outer: _core.Diagram, budget: Budget) -> tuple[_core.Diagram, Columns]:
    """The function of the parts that `outer` says, over the columns that they share."""
    inner, columns = aligned(parts, budget)
    return composed(outer, inner, budget), columns


def aligned(parts: Sequence[Part], budget: Budget, resolution: Any = None) -> tuple[list[_core.Diagram], Columns]:
    """The parts over the columns that they share (see `shared`), in one order of levels."""
    columns, readings = shared([part.columns for part in parts], resolution)
    order = _order(parts, readings, len(columns.features))
    both = zip(parts, readings, strict=True)
    return [translated(part, reading, columns, order, budget) for part, reading in both], columns


def composed(outer: _core.Diagram, inner: Sequence[_core.Diagram], budget: Budget) -> _core.Diagram:
    """The function of aligned diagrams that `outer` says."""
    return _core.Bdd.compose(outer, inner, *budget.now()).freeze(budget.seconds())


def _order(parts: Sequence[Part], readings: Sequence[Reading], n: int) -> list[int]:
    """The order of the largest diagram; features that it does not read come after it."""
    largest_first = sorted(zip(parts, readings, strict=True), key=lambda pair: -pair[0].core.size)
    found = [reading.feature[j] for part, reading in largest_first for j in part.core.order.tolist()]
    return list(dict.fromkeys([*found, *range(n)]))


def translated(part: Part, reading: Reading, columns: Columns, order: Sequence[int], budget: Budget) -> _core.Diagram:
    """The diagram of a part over other columns."""
    codes = reading.codes
    if part.groups is not None:
        codes = tuple(
            tuple(groups[code] for code in column)
            for groups, column in zip(part.groups.group_of, reading.codes, strict=True)
        )
    arity = [columns.n_values[j] for j in order]
    same_levels = part.core.order.tolist() == list(order) and part.core.arity.tolist() == arity
    same_features = reading.feature == tuple(range(len(columns.features)))
    if same_levels and same_features and all(column == tuple(range(len(column))) for column in codes):
        return part.core
    bdd = _core.Bdd.translate(
        part.core,
        _array(order),
        _array(arity),
        _array(reading.feature),
        _array([0, *itertools.accumulate(map(len, codes))]),
        _array([code for column in codes for code in column]),
        *budget.now(),
    )
    return bdd.freeze(budget.seconds())


def _array(numbers: Sequence[int]) -> npt.NDArray[np.uint32]:
    return np.array(numbers, dtype=np.uint32)
