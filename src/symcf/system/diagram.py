"""The diagram: the decision function as an OBDD.

Its frozen form is a handful of flat arrays that any number of threads may read. Its twin in CUDD serves what CUDD does
best: reordering, prime covers, and files that other tools read.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from os import PathLike, fspath
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.cache import new_lock
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.files import written_whole
from symcf.common.lazy import cached_property
from symcf.data.encoder import ValueCodes
from symcf.data.labels import feature_index
from symcf.data.shared import Columns
from symcf.errors import OptionError
from symcf.system.builder import Nodes
from symcf.system.combine import ALL, ANY, BY_DEFAULT, ODD, How, Part, but_not, combine, how
from symcf.system.dddmp import read_dddmp
from symcf.system.groups import Groups
from symcf.system.models import Models

__all__ = ["Diagram"]

T = TypeVar("T")

#: Entries that `paths` asks for at a time.
CHUNK = 1 << 16


#: Twins that another thread was changing when this process was forked. They are not freed: CUDD would follow their
#: pointers.
_abandoned: list[_core.Bdd] = []


def _abandon(of: weakref.ref[Diagram]) -> None:
    diagram = of()
    if diagram is not None and diagram._bdd is not None:
        _abandoned.append(diagram._bdd)
        diagram._bdd = None


class Diagram:
    """A reduced ordered decision diagram over named features. Made by `symcf.compile`; immutable.

    Nodes 0 and 1 are the sinks. ``size`` counts the nodes that the root reaches, sinks included.
    """

    def __init__(
        self,
        core: _core.Diagram,
        features: Sequence[str] | None = None,
        bdd: _core.Bdd | None = None,
        groups: Groups | None = None,
        in_cudd: bool = False,
    ) -> None:
        """``in_cudd``: the diagram was built in CUDD, and its paths are those of CUDD's nodes."""
        self.core = core
        self._in_cudd = in_cudd
        #: Which values the diagram does not distinguish; None: it distinguishes all.
        self.groups = groups
        self.features: tuple[str, ...] = tuple(features if features is not None else (f"x{j}" for j in range(core.n)))
        if len(self.features) != core.n:
            raise ValueError(f"features has {len(self.features)} names for {core.n} features")
        self._bdd = bdd
        self._bdd_lock = new_lock(partial(_abandon, weakref.ref(self)))

    @classmethod
    def from_table(cls, table: npt.ArrayLike, features: Sequence[str] | None = None) -> Diagram:
        """Any Boolean function, from its ``2**n`` values; bit j of an index is the value of feature j.

        >>> Diagram.from_table([0, 1, 1, 0]).size        # exclusive or
        5
        """
        values = np.asarray(table)
        n = max(values.size - 1, 0).bit_length()
        if values.ndim != 1 or values.size != 1 << n:
            raise ValueError(f"a table must have 2**n values, not {values.size}")
        bdd = _core.Bdd.from_table(n, np.packbits(values.astype(bool), bitorder="little"))
        return cls(bdd.freeze(), features, bdd)

    # --- facts

    @property
    def n_features(self) -> int:
        """The number of features, including those that no node tests."""
        return self.core.n

    @property
    def size(self) -> int:
        """Nodes reachable from the root, sinks included."""
        return self.core.size

    @property
    def nbytes(self) -> int:
        """Memory of the frozen arrays."""
        return self.core.n_bytes

    @property
    def order(self) -> tuple[int, ...]:
        """The feature that each level tests, from the root down."""
        return tuple(self.core.order.tolist())

    @property
    def n_values(self) -> tuple[int, ...]:
        """The number of values of each feature, including values that the diagram does not distinguish."""
        if self.groups is not None:
            return tuple(map(len, self.groups.group_of))
        return tuple(self.core.arity[np.argsort(self.core.order)].tolist())

    def validate(self) -> None:
        """Checks that the arrays are a reduced ordered diagram; ValueError says what is wrong."""
        reason = self.core.validate()
        if reason is not None:
            raise ValueError(f"not a diagram: {reason}")

    # --- questions

    def evaluate(self, rows: Any) -> npt.NDArray[np.uint8]:
        """The value of the function at every row."""
        reader = ValueCodes(self.features, self.n_values)
        codes = reader.encode(rows)
        for_core = None if self.groups is None else self.groups.for_core
        return reader.naming(lambda: self.core.evaluate(codes, for_core))

    def count_models(self, sink: int = 1) -> int:
        """The number of inputs that end in the sink, exactly; values that are not distinguished count as one."""
        return self.core.count_models(_checked_sink(sink))

    def count_paths(self, sink: int, clock: Clock = NO_LIMIT) -> int:
        """The number of paths from the root to the sink, exactly."""
        return self.core.count_paths(_checked_sink(sink), clock.left)

    def paths(self, sink: int) -> Iterator[tuple[int, ...]]:
        """The paths to the sink, as literals: ``j + 1`` where feature j is 1, ``-(j + 1)`` where it is 0.

        >>> list(Diagram.from_table([0, 0, 0, 1]).paths(1))
        [(1, 2)]
        """
        cursor = _core.Paths(self.core, _checked_sink(sink))
        while not cursor.done:
            chunk, _ = cursor.next_chunk(CHUNK)
            yield from split_clauses(chunk)

    def models(self, sink: int = 1) -> Models:
        """The inputs that end in the sink: counted, and found by their rank."""
        return Models(self.core, self.groups, _checked_sink(sink))

    # --- algebra

    def __invert__(self) -> Diagram:
        bdd = _core.Bdd.conjoin([self.core], [True], *BY_DEFAULT.now())
        return Diagram(bdd.freeze(BY_DEFAULT.seconds()), self.features, bdd, self.groups)

    def __and__(self, other: Diagram) -> Diagram:
        return self._combined(other, ALL)

    def __or__(self, other: Diagram) -> Diagram:
        return self._combined(other, ANY)

    def __xor__(self, other: Diagram) -> Diagram:
        return self._combined(other, ODD)

    def _combined(self, other: Diagram, combined: How) -> Diagram:
        """Features are the same if their names are."""
        if not isinstance(other, Diagram):
            return NotImplemented
        core, columns = combine([self.part, other.part], how(2, combined), BY_DEFAULT)
        return Diagram(core, columns.features)

    @cached_property
    def part(self) -> Part:
        """The diagram as part of a combination: features by their names, values by their codes."""
        return Part(self.core, self.groups, Columns.of_codes(self.features, self.n_values))

    def implies(self, other: Diagram) -> bool:
        """Is the other true wherever this one is?

        >>> Diagram.from_table([0, 0, 0, 1]).implies(Diagram.from_table([0, 1, 1, 1]))
        True
        """
        return not combine([self.part, other.part], how(2, but_not), BY_DEFAULT)[0].root

    def entails(self, clause: Sequence[int]) -> bool:
        """Does one literal of the clause hold wherever the diagram is true? Literals are those of `paths`.

        >>> Diagram.from_table([0, 0, 0, 1]).entails([1])
        True
        """
        return self.implies(_clause(clause, self.features, self.n_values))

    def is_consistent(self) -> bool:
        """Is it true for some input?"""
        return self.core.root != 0

    def is_valid(self) -> bool:
        """Is it true for every input?"""
        return self.core.root == 1

    def depends_on(self, feature: int | str) -> bool:
        """Does the function depend on a feature? A reduced diagram then has a node that tests it.

        >>> Diagram.from_table([0, 1, 0, 1]).depends_on(1)
        False
        """
        j = feature_index(feature, self.features, "depends_on")
        return bool((self.core.order[self.core.level[2:]] == j).any()) and self.core.root > 1

    def is_monotone(self, feature: int | str) -> bool:
        """Does a larger value of a feature never lead from 1 to 0, or never from 0 to 1? `Compiled.is_monotone` shows
        counterexamples.

        >>> Diagram.from_table([0, 1, 1, 0]).is_monotone(0)
        False
        """
        j = feature_index(feature, self.features, "is_monotone")
        codes = range(self.n_values[j]) if self.groups is None else self.groups.group_of[j]
        low, high = (np.array(part, dtype=np.uint32) for part in (codes[:-1], codes[1:]))
        return self.core.fall(j, low, high) is None or self.core.fall(j, high, low) is None

    # --- pictures and files

    def to_dot(self, *, highlight: Sequence[Sequence[int]] = ()) -> str:
        """The diagram in graphviz's language. Solid edges are value 1, dashed ones value 0.

        ``highlight`` lists instances whose paths are drawn thick.
        """
        marked = {edge for row in highlight for edge in self._trace(row)}
        lines = ["digraph {", "  node [shape=circle fontname=Helvetica]", "  edge [arrowsize=0.7]"]
        lines += [f"  n{sink} [shape=box label={sink}]" for sink in self._sinks()]
        for node in range(self.core.level.size - 1, 1, -1):
            name = self.features[self.order[self.core.level[node]]]
            lines.append(f"  n{node} [label={_quoted(name)}]")
            for value, child in enumerate(self._children(node)):
                style = self._edge_style(node, value) + (" penwidth=3" if (node, value) in marked else "")
                lines.append(f"  n{node} -> n{child} [{style}]")
        return "\n".join([*lines, "}", ""])

    def _edge_style(self, node: int, value: int) -> str:
        if self.core.arity[self.core.level[node]] > 2:
            return f"label={value}"
        return "style=solid" if value else "style=dashed"

    def _sinks(self) -> list[int]:
        return [self.core.root] if self.core.root < 2 else [0, 1]

    @cached_property
    def _child_ends(self) -> npt.NDArray[np.int64]:
        """Where the children of node 2, 3, ... end."""
        return np.cumsum(self.core.arity[self.core.level[2:]], dtype=np.int64)

    def _children(self, node: int) -> list[int]:
        end = int(self._child_ends[node - 2])
        start = end - int(self.core.arity[self.core.level[node]])
        children: list[int] = self.core.child[start:end].tolist()
        return children

    def _trace(self, row: Sequence[int]) -> Iterator[tuple[int, int]]:
        node = self.core.root
        while node > 1:
            feature = self.order[self.core.level[node]]
            value = int(row[feature]) if self.groups is None else self.groups.group_of[feature][int(row[feature])]
            yield node, value
            node = self._children(node)[value]

    @classmethod
    def load_dddmp(cls, path: str | PathLike[str]) -> Diagram:
        """Reads a BDD from text in the format DDDMP-2.0, as `save_dddmp`, CUDD and other BDD tools write it.

        Its features are the variables of the file, from the root down; `FileError` says what is wrong with a file.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "xor.dddmp")
        >>> Diagram.from_table([0, 1, 1, 0], features=["a", "b"]).save_dddmp(path)
        >>> Diagram.load_dddmp(path)
        Diagram(2 features, 5 nodes)
        """
        core, names = read_dddmp(path)
        return cls(core, names)

    def save_dddmp(self, path: str | PathLike[str]) -> None:
        """Writes the BDD as text in the format DDDMP-2.0, which CUDD and other BDD tools read. A feature with values 0,
        1, ..., v is written as variables with two values, ``name=1`` to ``name=v``.
        """
        for name in self.features:
            if not name.isprintable() or any(c.isspace() for c in name):
                raise ValueError(f"names are separated by spaces in the file: rename the feature {name!r} to write it")
        with written_whole(fspath(path)) as temporary:
            self.with_bdd(lambda bdd: bdd.store(temporary, list(self.features)))

    # --- CUDD

    def with_bdd(self, use: Callable[[_core.Bdd], T], clock: Clock = NO_LIMIT) -> T:
        """Calls `use` with the diagram's twin in CUDD, which one thread at a time may touch.

        `LimitError` if making it, or waiting for another thread, takes longer than the `clock` allows.
        """
        with clock.holding(self._bdd_lock):
            if self._bdd is None:
                self._bdd = _core.Bdd.thaw(self.core, clock.left)
            try:
                return use(self._bdd)
            except MemoryError:
                self._bdd = None  # the twin may be damaged; the next call makes a new one
                raise

    def path_clauses(self, negate: bool, max_clauses: int, clock: Clock = NO_LIMIT) -> _core.Clauses:
        """One clause per path to 0, or with ``negate`` to 1; `ClauseLimitError` beyond ``max_clauses`` (0: any)."""
        if not self._in_cudd:
            return _core.Clauses.paths(self.core, negate, max_clauses, clock.left)
        return self.with_bdd(lambda bdd: _core.Clauses.bdd_paths(bdd, negate, max_clauses, clock.left), clock)

    def close(self) -> None:
        """Frees CUDD's memory now rather than when the diagram is collected. The diagram stays usable."""
        with self._bdd_lock:
            if self._bdd is not None:
                bdd, self._bdd = self._bdd, None
                bdd.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Diagram, (
            self.core,
            self.features,
            None,
            self.groups,
            self._in_cudd,
        )  # the twin is made again when it is needed

    def __repr__(self) -> str:
        return f"Diagram({self.n_features} features, {self.size} nodes)"


def split_clauses(literals: npt.NDArray[np.int32]) -> Iterator[tuple[int, ...]]:
    """The zero-terminated clauses of a buffer, one by one."""
    ends = np.flatnonzero(literals == 0).tolist()
    start = 0
    for end in ends:
        yield tuple(literals[start:end].tolist())
        start = end + 1


def _clause(clause: Sequence[int], features: Sequence[str], n_values: Sequence[int]) -> Diagram:
    nodes = Nodes(range(len(features)), n_values)
    literals = []
    for literal in clause:
        j = abs(int(literal)) - 1
        if not 0 <= j < len(features) or n_values[j] != 2:
            raise OptionError(f"{literal} is not a literal: j + 1 or -(j + 1) for a feature j of two values")
        literals.append(nodes.member(j, {int(literal > 0)}))
    return Diagram(nodes.freeze(nodes.disjoin(literals)), features)


def _checked_sink(sink: int) -> int:
    if sink not in (0, 1):
        raise ValueError(f"sink must be 0 or 1, not {sink!r}")
    return int(sink)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
