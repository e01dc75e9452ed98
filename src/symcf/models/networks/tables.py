"""The tables of a Bayesian network, as exact fractions.

A table of a node has one axis per parent, in their order, and its own values last; each row along the last axis adds
up to 1. Decimals are taken as they are written: 0.1 is one tenth, not the float next to it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.data.labels import checked_names
from symcf.errors import ModelError

__all__ = ["Factor", "Nodes", "fraction"]

#: How far a row of a table may be from 1, so that tables of a few digits are accepted. It is then divided by its sum.
NEARLY_ONE = Fraction(1, 1000)

#: Beyond this, a table is a mistake.
MOST_ENTRIES = 1 << 22

#: An array of Python's own integers or fractions.
Exact = npt.NDArray[Any]


def fraction(number: Any, what: str) -> Fraction:
    """A number as it was written: of a float, its shortest decimal."""
    if isinstance(number, (bool, np.bool_)):
        raise ModelError(f"{what} must be a number, not {number!r}")
    try:
        if isinstance(number, (int, Fraction, Decimal, str, np.integer)):
            return Fraction(int(number) if isinstance(number, np.integer) else number)
        return Fraction(repr(float(number)))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise ModelError(f"{what} must be a number, not {number!r}") from None


@dataclass(frozen=True, eq=False)
class Factor:
    """A table over some nodes, one axis each, of integers: the probabilities times `scale`."""

    nodes: tuple[int, ...]
    table: Exact
    scale: int


class Nodes:
    """Named nodes with named values, their parents and their tables; a directed graph without cycles."""

    def __init__(
        self,
        values: Mapping[str, Sequence[Hashable]],
        parents: Mapping[str, Sequence[str]],
        tables: Mapping[str, Any],
    ) -> None:
        if not values:
            raise ModelError("a Bayesian network needs at least one node")
        self.names = checked_names(list(values), len(values), "nodes", [])
        for name in self.names:
            if not isinstance(name, str):
                raise ModelError(f"the name of a node must be a string, not {name!r}")
        self.place = {name: i for i, name in enumerate(self.names)}
        self.values = tuple(self._labels(name, values[name]) for name in self.names)
        for what, mapping in (("parents", parents), ("tables", tables)):
            for name in mapping:
                self.index(name, what)
        self.parents = tuple(tuple(self._parents(name, parents.get(name, ()))) for name in self.names)
        self._check_acyclic()
        for name in self.names:
            if name not in tables:
                raise ModelError(f"tables: the node {name!r} has none")
        #: By node: fractions, the parents' axes first.
        self.tables = tuple(self._table(i, tables[name]) for i, name in enumerate(self.names))

    def index(self, name: Any, what: str) -> int:
        """The place of a node."""
        try:
            return self.place[name]
        except (KeyError, TypeError):
            known = ", ".join(map(repr, self.names[:8])) + (", ..." if len(self.names) > 8 else "")
            raise ModelError(f"{what}: there is no node {name!r}; the nodes are {known}") from None

    def _labels(self, name: str, labels: Any) -> tuple[Hashable, ...]:
        if isinstance(labels, (int, np.integer)) and not isinstance(labels, bool):
            if labels > MOST_ENTRIES:
                raise ModelError(f"the node {name!r} has {labels:,} values, more than {MOST_ENTRIES:,}")
            labels = range(int(labels))
        if isinstance(labels, str) or not hasattr(labels, "__len__") or len(labels) < 1:
            raise ModelError(f"the node {name!r} needs a list of its values, not {labels!r}")
        return checked_names(labels, len(labels), f"values of {name!r}", [])

    def _parents(self, name: str, given: Any) -> list[int]:
        if isinstance(given, str):
            raise ModelError(f"parents: those of {name!r} must be a list, not {given!r}")
        found = [self.index(parent, f"parents of {name!r}") for parent in given]
        if len(set(found)) != len(found):
            raise ModelError(f"parents: {name!r} has a parent twice")
        return found

    def _check_acyclic(self) -> None:
        waiting = {i: len(parents) for i, parents in enumerate(self.parents)}
        free = [i for i, count in waiting.items() if not count]
        while free:
            done = free.pop()
            del waiting[done]
            for i in list(waiting):
                if done in self.parents[i]:
                    waiting[i] -= 1
                    if not waiting[i]:
                        free.append(i)
        if waiting:
            names = ", ".join(repr(self.names[i]) for i in waiting)
            raise ModelError(f"parents: there is a cycle among {names}")

    def _table(self, i: int, given: Any) -> Exact:
        name = self.names[i]
        shape = (*(len(self.values[p]) for p in self.parents[i]), len(self.values[i]))
        if math.prod(shape) > MOST_ENTRIES:
            raise ModelError(f"the table of {name!r} has {math.prod(shape):,} entries, more than {MOST_ENTRIES:,}")
        try:
            array = np.array(given, dtype=object)
        except ValueError:
            array = np.empty(0, dtype=object)
        if array.shape != shape:
            axes = ", ".join([*(repr(self.names[p]) for p in self.parents[i]), "its own values"])
            raise ModelError(f"the table of {name!r} must have the shape {shape} ({axes}), not {array.shape}")
        table = np.empty(shape, dtype=object)
        for place in np.ndindex(*shape):
            table[place] = fraction(array[place], f"the table of {name!r}")
            if not 0 <= table[place] <= 1:
                raise ModelError(f"the table of {name!r} has {given_number(array[place])}, not a probability")
        for row in np.ndindex(*shape[:-1]):
            total = sum(table[row].tolist(), Fraction(0))
            if abs(total - 1) > NEARLY_ONE:
                raise ModelError(f"the table of {name!r}{self._at(i, row)} adds up to {float(total):g}, not to 1")
            table[row] = [p / total for p in table[row]]
        return table

    def _at(self, i: int, row: Sequence[int]) -> str:
        pairs = [f"{self.names[p]}={self.values[p][v]}" for p, v in zip(self.parents[i], row, strict=True)]
        return f" for {', '.join(pairs)}" if pairs else ""

    def relevant(self, kept: Sequence[int]) -> list[int]:
        """The nodes in `kept` and their ancestors: all others add up to 1 wherever they occur."""
        found, waiting = set(kept), list(kept)
        while waiting:
            for parent in self.parents[waiting.pop()]:
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return sorted(found)

    def factor(self, i: int) -> Factor:
        """The table of a node in integers."""
        table = self.tables[i]
        scale = math.lcm(*(p.denominator for p in table.flat))
        integers = np.empty(table.shape, dtype=object)
        for place in np.ndindex(*table.shape):
            integers[place] = int(table[place] * scale)
        return Factor((*self.parents[i], i), integers, scale)

    def blocked(self, start: int, end: int, observed: Sequence[int]) -> bool:
        """Do the observed nodes separate two nodes? (d-separation: paths in the moral graph of the ancestors.)"""
        relevant = set(self.relevant([start, end, *observed]))
        neighbours: dict[int, set[int]] = {i: set() for i in relevant}
        for i in relevant:
            for a, b in itertools.combinations((*self.parents[i], i), 2):
                neighbours[a].add(b)
                neighbours[b].add(a)
        reached, waiting = {start, *observed}, [start]
        while waiting:
            for other in neighbours[waiting.pop()] - reached:
                reached.add(other)
                waiting.append(other)
        return end not in reached

    def to_dict(self) -> dict[str, Any]:
        """For JSON. Fractions are written as text, so that nothing is rounded."""
        return {
            "nodes": {name: list(labels) for name, labels in zip(self.names, self.values, strict=True)},
            "parents": {
                name: [self.names[p] for p in parents] for name, parents in zip(self.names, self.parents, strict=True)
            },
            "tables": {name: _nested(table) for name, table in zip(self.names, self.tables, strict=True)},
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nodes):
            return NotImplemented
        mine, others = (self.names, self.values, self.parents), (other.names, other.values, other.parents)
        return mine == others and all(map(np.array_equal, self.tables, other.tables))

    def __hash__(self) -> int:
        return hash((self.names, self.parents))

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.names)))


def given_number(number: Any) -> str:
    """A number in a message."""
    return repr(number.item() if isinstance(number, np.generic) else number)


def _nested(table: Any) -> Any:
    return [_nested(part) for part in table] if isinstance(table, np.ndarray) else str(table)
