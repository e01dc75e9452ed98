"""When each table of a network is multiplied in, and when each hidden node is summed out (see `elimination.py`)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from symcf.errors import LimitError
from symcf.models.networks.tables import Exact, Factor

__all__ = ["Level", "Matrix", "matrix_of", "schedule"]

Places = npt.NDArray[np.int64]

#: Entries of a message beyond which a network is too entangled.
MOST_ENTRIES = 1 << 16

#: Entries of a matrix, and of a table on the way to it.
MOST_PRODUCTS = MOST_ENTRIES * 16


@dataclass
class Level:
    """Reading one feature: which tables are multiplied, and what is summed out."""

    #: The feature that is read, as a node; None before the first.
    node: int | None
    #: Nodes of the context before and after; after it, the nodes of the message.
    context: list[int] = field(default_factory=list)
    context_after: list[int] = field(default_factory=list)
    scope: list[int] = field(default_factory=list)
    scope_after: list[int] = field(default_factory=list)
    factors: list[Factor] = field(default_factory=list)

    @property
    def seen(self) -> list[int]:
        """The nodes whose values choose the matrix: the context, and the feature that is read."""
        return self.context if self.node is None else [*self.context, self.node]


class Matrix:
    """Integers that a message is multiplied by, without the zeros: nodes that stay are the same before and after."""

    def __init__(self, height: int, width: int, row: Places, column: Places, entry: list[int]) -> None:
        """``row`` ascends; entries that share a divisor are divided by it."""
        kept = [k for k, number in enumerate(entry) if number]
        divisor = math.gcd(*(entry[k] for k in kept)) or 1
        #: By entry that is not 0: its row, its column, and the entry itself.
        self.row, self.column = row[kept], column[kept]
        self.entry = [entry[k] // divisor for k in kept]
        self.shape = (height, width)
        ends = np.searchsorted(self.row, np.arange(height + 1)).tolist()
        places = self.column.tolist()
        self._rows = [(_chosen(places[a:b]), self.entry[a:b]) for a, b in itertools.pairwise(ends)]

    def times(self, message: Sequence[int]) -> list[int]:
        """The message after the step."""
        return [sum(map(int.__mul__, entries, chosen(message))) for chosen, entries in self._rows]


def _chosen(places: list[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Takes the entries at these places."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda message: [message[place] for place in places]


def schedule(factors: Sequence[Factor], target: int, features: list[int], size: Sequence[int]) -> list[Level]:
    """The levels: one before the first feature, and one for each."""
    observed: set[int] = set()
    left = list(factors)
    context: list[int] = []
    scope: list[int] = []
    wanted = set(features)
    levels = []
    for node in [None, *features]:
        level = Level(node, context=list(context), scope=list(scope))
        if node is not None:
            observed.add(node)
        last = len(observed) == len(features)
        now = [f for f in left if last or (wanted.intersection(f.nodes) and wanted.intersection(f.nodes) <= observed)]
        alive = set(scope) | {j for f in now for j in f.nodes if j not in wanted}
        rest = [f for f in left if f not in now]
        # a hidden node that only tables without features mention from here on can be summed out now
        while True:
            needed = {h for f in rest if wanted.intersection(f.nodes) for h in f.nodes}
            ready = sorted(alive - {target} - needed)
            if not ready:
                break
            gone = min(ready, key=lambda h: (len(alive | {j for f in rest if h in f.nodes for j in f.nodes}), h))
            absorbed = [f for f in rest if gone in f.nodes]
            rest = [f for f in rest if gone not in f.nodes]
            now += absorbed
            alive = (alive | {j for f in absorbed for j in f.nodes}) - {gone}
        level.factors, left = now, rest
        level.scope_after = sorted(alive | {target})  # the class from the start, for the bounds
        context = sorted(observed & {j for f in rest for j in f.nodes})
        level.context_after = list(context)
        scope = list(level.scope_after)
        width = math.prod(size[h] for h in scope)
        if width > MOST_ENTRIES:
            raise LimitError(
                f"after {len(observed)} features the network needs vectors of {width:,} entries, more than "
                f"{MOST_ENTRIES:,}; choose fewer features, or another order"
            )
        levels.append(level)
    return levels


def matrix_of(level: Level, seen: dict[int, int], size: Sequence[int]) -> Matrix:
    """The product of the level's tables for the seen values, as (entries after, entries before)."""
    parts = [_restricted(f, seen) for f in level.factors]
    kept = sorted({*level.scope, *level.scope_after})
    gone = {h for f in parts for h in f.nodes} - set(kept)
    while gone:
        # the node whose tables make the smallest product is summed out first
        joined = {h: sorted({j for f in parts if h in f.nodes for j in f.nodes}) for h in gone}
        node = min(sorted(gone), key=lambda h: math.prod(size[j] for j in joined[h]))
        scope = joined[node]
        product = _product([f for f in parts if node in f.nodes], scope, size).sum(axis=scope.index(node))
        parts = [f for f in parts if node not in f.nodes]
        parts.append(Factor(tuple(j for j in scope if j != node), np.asarray(product, dtype=object), 1))
        gone.remove(node)
    before, after = [size[h] for h in level.scope], [size[h] for h in level.scope_after]
    _check_products(math.prod(before) * math.prod(after))
    product = _product(parts, kept, size)
    # a node of the message before and after is the same node: the matrix is 0 unless both agree
    place = dict(zip(kept, np.indices(product.shape).reshape(len(kept), -1), strict=True))
    nothing = np.zeros(product.size, dtype=np.int64)
    row = nothing + _place([place[h] for h in level.scope_after], after)
    column = nothing + _place([place[h] for h in level.scope], before)
    order = np.argsort(row, kind="stable")
    entries = product.ravel()[order].tolist()
    return Matrix(math.prod(after), math.prod(before), row[order], column[order], entries)


def _restricted(factor: Factor, seen: dict[int, int]) -> Factor:
    """A table for the values that are known."""
    table = factor.table[tuple(seen.get(h, slice(None)) for h in factor.nodes)]
    return Factor(tuple(h for h in factor.nodes if h not in seen), np.asarray(table, dtype=object), factor.scale)


def _product(factors: Sequence[Factor], nodes: Sequence[int], size: Sequence[int]) -> Exact:
    """The product of tables, with one axis per node."""
    shape = [size[h] for h in nodes]
    _check_products(math.prod(shape))
    product = np.ones(shape, dtype=object)
    for f in factors:
        table = np.transpose(f.table, sorted(range(len(f.nodes)), key=lambda a: nodes.index(f.nodes[a])))
        product = product * table.reshape([size[h] if h in f.nodes else 1 for h in nodes])
    return product


def _check_products(count: int) -> None:
    if count > MOST_PRODUCTS:
        raise LimitError(f"one step of the network needs {count:,} products; choose fewer features, or another order")


def _place(index: Sequence[npt.NDArray[np.int64]], shape: Sequence[int]) -> npt.NDArray[np.int64] | int:
    """Where entries of a vector are, by their places along each axis."""
    place: npt.NDArray[np.int64] | int = 0
    for i, d in zip(index, shape, strict=True):
        place = place * d + i
    return place
