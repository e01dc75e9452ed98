"""The class of rows whose features are all known, by variable elimination.

Every table is restricted to the values of a row; then the hidden nodes are summed out, one after another, each with the
tables that mention it. An order that keeps these products small depends on the graph alone, so it is found once.

Floats decide many rows at a time. Tables are divided by their largest entries, row by row, so that only proportions
remain, and rows whose entries lie too far apart for floats, or whose classes are too close, are decided in integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.reader import Codes
from symcf.errors import LimitError
from symcf.models.networks.elimination import proportional
from symcf.models.networks.tables import Factor, Nodes

__all__ = ["Posterior"]

#: Entries of a product of tables beyond which a network is too entangled, and of such products for many rows at a time.
MOST_ENTRIES = 1 << 20
AT_A_TIME = 1 << 22

#: Floats decide a row unless two classes are closer than this.
TOO_CLOSE = 1e-9

#: Floats decide a row as long as no entry of a table falls below this part of the largest: the product of two such
#: entries is far from the smallest float, so what is 0 is 0.
LEAST_ENTRY = 1e-140

#: Bits by which the weights of classes may differ as floats.
MOST_BITS = 300

Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]
#: Hidden nodes, ascending, and for each row a table with one axis per node.
Tables = tuple[tuple[int, ...], npt.NDArray[Any]]


class Posterior:
    """Decides rows of a network. ``weights`` multiply the probability of each class before they are compared.

    ``class_of`` maps the values of the target to classes; rows have a column for each of the ``features``.
    """

    def __init__(
        self,
        nodes: Nodes,
        target: int,
        class_of: Sequence[int],
        weights: Sequence[Fraction],
        features: Sequence[int],
        later_wins: bool,
    ) -> None:
        self._size = [len(labels) for labels in nodes.values]
        self._target, self._class_of, self._later_wins = target, list(class_of), later_wins
        common = math.lcm(*(w.denominator for w in weights))
        self._weights = [int(w * common) for w in weights]
        self._column = {j: i for i, j in enumerate(features)}
        self._exact = [nodes.factor(i) for i in nodes.relevant([target, *features])]
        self._order = self._elimination_order()

    def _elimination_order(self) -> list[int]:
        """The hidden nodes, each time the one whose tables make the smallest product."""
        scopes = [{h for h in factor.nodes if h not in self._column} for factor in self._exact]
        hidden = set().union(*scopes) - {self._target}
        #: By node, the nodes that it is in a table with.
        around = {h: set().union(*(scope for scope in scopes if h in scope)) for h in (*hidden, self._target)}
        order = []
        while hidden:
            tick()
            node = min(sorted(hidden), key=lambda h: math.prod(self._size[j] for j in around[h]))
            entries = math.prod(self._size[j] for j in around[node])
            if entries > MOST_ENTRIES:
                raise LimitError(
                    f"one step of the network needs {entries:,} products, more than {MOST_ENTRIES:,}; choose more "
                    "features, or other ones"
                )
            joined = around.pop(node) - {node}
            for j in joined:
                around[j] = (around[j] | joined) - {node}
            hidden.remove(node)
            order.append(node)
        return order

    @cached_property
    def _width(self) -> int:
        """The most entries of a product, of one row."""
        most, scopes = 1, [{h for h in factor.nodes if h not in self._column} for factor in self._exact]
        for node in self._order:
            joined = set().union(*(scope for scope in scopes if node in scope))
            most = max(most, math.prod(self._size[j] for j in joined))
            scopes = [*(scope for scope in scopes if node not in scope), joined - {node}]
        return most

    # --- tables of rows

    def _restricted(self, factor: Factor, codes: Codes) -> Tables:
        """A table for the values of each row."""
        hidden = sorted(h for h in factor.nodes if h not in self._column)
        seen = [h for h in factor.nodes if h in self._column]
        axes = [factor.nodes.index(h) for h in (*seen, *hidden)]
        table = np.transpose(factor.table, axes)
        if seen:
            table = table[tuple(codes[:, self._column[h]] for h in seen)]
        else:
            table = np.broadcast_to(table, (len(codes), *table.shape))
        return tuple(hidden), table

    def _product(self, a: Tables, b: Tables) -> Tables:
        nodes = tuple(sorted({*a[0], *b[0]}))
        wide = [
            table.reshape(len(table), *(self._size[h] if h in scope else 1 for h in nodes)) for scope, table in (a, b)
        ]
        return nodes, wide[0] * wide[1]

    def _eliminated(
        self, tables: list[Tables], one: npt.NDArray[Any], scaled: Callable[[Tables], Tables] = lambda table: table
    ) -> npt.NDArray[Any]:
        """The product of all tables after the hidden nodes are summed out; ``one`` has a 1 for each row, and what comes
        out of each step is ``scaled``.
        """
        for node in [*self._order, None]:
            tick()
            product: Tables = ((), one)
            for table in tables:
                if node is None or node in table[0]:
                    product = scaled(self._product(product, table))
            if node is not None:
                summed = np.asarray(product[1].sum(axis=1 + product[0].index(node)), dtype=one.dtype)
                rest = tuple(h for h in product[0] if h != node)
                tables = [*(table for table in tables if node not in table[0]), scaled((rest, summed))]
        return product[1]

    # --- exact

    def _joint(self, row: Codes) -> list[int]:
        """By class, integers in the proportions of the joint probabilities."""
        product = self._eliminated([self._restricted(factor, row) for factor in self._exact], np.ones(1, dtype=object))
        joint = [0] * len(self._weights)
        for value, p in enumerate(np.broadcast_to(product.reshape(-1), self._size[self._target]).tolist()):
            joint[self._class_of[value]] += p
        return joint

    def _decided(self, row: Codes) -> int:
        weighted = [p * w for p, w in zip(self._joint(row), self._weights, strict=True)]
        winners = [k for k, p in enumerate(weighted) if p == max(weighted)]
        return winners[-1] if self._later_wins else winners[0]

    # --- floats, for many rows

    @cached_property
    def _floats(self) -> list[Factor | None]:
        """The tables in floats; None for one whose entries lie too far apart."""
        found: list[Factor | None] = []
        for factor in self._exact:
            numbers = proportional(factor.table.ravel().tolist(), MOST_BITS)
            table = None if numbers is None else np.array(numbers).reshape(factor.table.shape)
            found.append(None if table is None else Factor(factor.nodes, table / (table.max() or 1), 1))
        return found

    def _scaled(self, one: Tables, doubtful: Marks) -> Tables:
        """The same in proportion, with 1 as the largest entry of a row."""
        nodes, table = one
        flat = table.reshape(len(table), -1)
        largest = flat.max(axis=1, keepdims=True)
        flat = flat / np.where(largest > 0, largest, 1)
        doubtful |= ((flat > 0) & (flat < LEAST_ENTRY)).any(axis=1)
        return nodes, flat.reshape(table.shape)

    def _joint_floats(self, codes: Codes) -> tuple[Floats, Marks]:
        """By row and class, numbers in proportion to the joint probabilities; and rows where floats cannot tell."""
        n = len(codes)
        doubtful = np.zeros(n, dtype=np.bool_)
        joint = np.zeros((n, len(self._weights)))
        if any(factor is None for factor in self._floats):
            return joint, ~doubtful
        tables = [self._scaled(self._restricted(f, codes), doubtful) for f in self._floats if f is not None]
        product = self._eliminated(tables, np.ones(n), lambda one: self._scaled(one, doubtful))
        values = np.broadcast_to(product.reshape(n, -1), (n, self._size[self._target]))
        for value, k in enumerate(self._class_of):
            joint[:, k] += values[:, value]
        return joint, doubtful

    def _in_parts(self, codes: Codes) -> tuple[Floats, Marks]:
        step = max(1, AT_A_TIME // self._width)
        parts = [self._joint_floats(codes[at : at + step]) for at in range(0, len(codes), step)]
        joint = np.concatenate([part[0] for part in parts]) if parts else np.zeros((0, len(self._weights)))
        return joint, np.concatenate([part[1] for part in parts]) if parts else np.zeros(0, dtype=np.bool_)

    def decide(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The class of every row: by floats, and exactly where two classes are close or floats cannot tell."""
        weights = proportional(self._weights, MOST_BITS)
        joint, doubtful = self._in_parts(codes)
        joint *= np.array([1.0] * len(self._weights) if weights is None else weights) / max(weights or [1.0])
        best = np.argmax(joint, axis=1) if len(codes) else np.zeros(0, dtype=np.int64)
        ordered = np.sort(joint, axis=1)
        close = ordered[:, -1] - ordered[:, -2] <= TOO_CLOSE * ordered[:, -1]
        unsure = np.flatnonzero(close | doubtful | (weights is None))
        if len(unsure):
            rows, which = np.unique(codes[unsure], axis=0, return_inverse=True)
            best[unsure] = np.array([self._decided(row.reshape(1, -1)) for row in rows])[which.reshape(-1)]
        return np.asarray(best, dtype=np.uint8)

    def posteriors(self, codes: Codes) -> Floats:
        """By row, the probability of each class; equal parts for rows that cannot happen."""
        joint, doubtful = self._in_parts(codes)
        for row in np.flatnonzero(doubtful):
            exact = self._joint(codes[row : row + 1])
            total = sum(exact)
            joint[row] = [float(Fraction(p, total)) if total else 0.0 for p in exact]
        total = joint.sum(axis=1, keepdims=True)
        return np.where(total > 0, joint / np.where(total > 0, total, 1), 1 / len(self._weights))
