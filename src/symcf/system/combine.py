"""Functions of several diagrams, whatever features, values and orders they have.

    1. the columns that all of them can be read from             rows.shared
    2. each diagram over these columns, in one order of levels   bdd_translate.c
    3. one diagram of two-valued inputs says how they combine    bdd_combine.c

Values that none of them distinguishes are one value until the end; the result distinguishes all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.data.shared import Columns, Reading, shared
from symcf.models.rules import spread_diagram
from symcf.system.builder import Nodes
from symcf.system.decision import Budget
from symcf.system.groups import Groups

__all__ = [
    "ALL",
    "ANY",
    "BY_DEFAULT",
    "COMBINED_MEMORY",
    "ODD",
    "Aligned",
    "How",
    "Part",
    "aligned",
    "but_not",
    "combine",
    "how",
    "same_class",
    "translated",
]

#: Given the nodes of the inputs: the node of the result, "0 or 1" nodes of a diagram over two-valued inputs.
How = Callable[[Nodes, Sequence[int]], int]


#: Bytes for combining functions that have no limits of their own: products grow fast, and few large ones are useful.
COMBINED_MEMORY = 1 << 30

#: For diagrams, which know no limits but those of the calls around them.
BY_DEFAULT = Budget(lambda: NO_LIMIT.left, 0, COMBINED_MEMORY)


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
    found = aligned(parts, budget)
    return found.composed(outer, found.inner, budget), found.columns


@dataclass(frozen=True)
class Aligned:
    """Diagrams over the same columns, in one order of levels."""

    inner: list[_core.Diagram]
    columns: Columns
    #: Values that none of the diagrams distinguishes are one to them.
    groups: Groups

    def composed(self, outer: _core.Diagram, inner: Sequence[_core.Diagram], budget: Budget) -> _core.Diagram:
        """The function of some of the diagrams that `outer` says, over all values."""
        core = _core.Bdd.compose(outer, inner, *budget.now()).freeze(budget.seconds())
        return core if self.groups.trivial else spread_diagram(core, self.groups.group_of)


def aligned(parts: Sequence[Part], budget: Budget, resolution: Any = None) -> Aligned:
    """The parts over the columns that they share (see `shared`), in one order of levels."""
    columns, readings = shared([part.columns for part in parts], resolution)
    order = _order(parts, readings, len(columns.features))
    own = [_core_codes(part, reading) for part, reading in zip(parts, readings, strict=True)]
    groups = _common_groups(columns, readings, own)
    first = [[members[0] for members in feature] for feature in groups.members]
    inner = []
    for part, reading, codes in zip(parts, readings, own, strict=True):
        grouped = [[column[v] for v in first[place]] for place, column in zip(reading.feature, codes, strict=True)]
        sizes = [len(members) for members in first]
        inner.append(translated(part.core, reading.feature, grouped, sizes, order, budget))
    return Aligned(inner, columns, groups)


def _core_codes(part: Part, reading: Reading) -> Sequence[Sequence[int]]:
    """By feature of a part and value of the column, what the diagram sees."""
    if part.groups is None:
        return reading.codes
    return [
        [groups[code] for code in column] for groups, column in zip(part.groups.group_of, reading.codes, strict=True)
    ]


def _common_groups(columns: Columns, readings: Sequence[Reading], own: Sequence[Sequence[Sequence[int]]]) -> Groups:
    """Values that no diagram distinguishes together."""
    seen: list[list[Sequence[int]]] = [[] for _ in columns.features]
    for reading, codes in zip(readings, own, strict=True):
        for place, column in zip(reading.feature, codes, strict=True):
            seen[place].append(column)
    partition = []
    for d, read in zip(columns.n_values, seen, strict=True):
        number: dict[tuple[int, ...], int] = {}
        partition.append([number.setdefault(tuple(column[v] for column in read), len(number)) for v in range(d)])
    return Groups(partition)


def _order(parts: Sequence[Part], readings: Sequence[Reading], n: int) -> list[int]:
    """The order of the largest diagram; features that it does not read come after it."""
    largest_first = sorted(zip(parts, readings, strict=True), key=lambda pair: -pair[0].core.size)
    found = [reading.feature[j] for part, reading in largest_first for j in part.core.order.tolist()]
    return list(dict.fromkeys([*found, *range(n)]))


def translated(
    core: _core.Diagram,
    feature: Sequence[int],
    codes: Sequence[Sequence[int]],
    n_values: Sequence[int],
    order: Sequence[int],
    budget: Budget,
) -> _core.Diagram:
    """A diagram over other features: its feature j is read from ``feature[j]``, whose value v stands for
    ``codes[j][v]``.
    """
    arity = [n_values[j] for j in order]
    same_levels = core.order.tolist() == list(order) and core.arity.tolist() == arity
    same_features = list(feature) == list(range(len(n_values)))
    if same_levels and same_features and all(list(column) == list(range(len(column))) for column in codes):
        return core
    bdd = _core.Bdd.translate(
        core,
        _array(order),
        _array(arity),
        _array(feature),
        _array([0, *itertools.accumulate(map(len, codes))]),
        _array([code for column in codes for code in column]),
        *budget.now(),
    )
    return bdd.freeze(budget.seconds())


def _array(numbers: Sequence[int]) -> npt.NDArray[np.uint32]:
    return np.array(numbers, dtype=np.uint32)
