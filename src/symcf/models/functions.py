"""Any function of discrete features as a model: given by a Python callable, by diagrams, or by a BDD built with dd."""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import Later
from symcf.common.options import checked_count
from symcf.data.encoder import Encoder
from symcf.data.labels import checked_features, checked_names
from symcf.errors import LimitError, ModelError
from symcf.models.base import Model, checked_ordered, checked_values, names_from_dict
from symcf.models.rules import DiagramRule
from symcf.models.scaling import numbers

__all__ = ["FunctionModel", "diagram_of_table", "from_dd", "from_function"]

#: Rows that a vectorized function sees at a time.
CHUNK = 1 << 16


@runtime_checkable
class NamedDiagram(Protocol):
    """A diagram with names of its features; `symcf.Diagram` is one."""

    features: tuple[str, ...]

    @property
    def core(self) -> _core.Diagram:
        """The frozen diagram."""


class FunctionModel(Model):
    """A decision function as diagrams.

    Parameters
    ----------
    diagrams:
        Two classes: one diagram, which is true where the answer is class 1. More: one per class, in the same order of
        features, exactly one of which is true for any row.
    features, values, classes, ordered, encoder:
        As for the other models.

    Made by `from_function` and `from_dd`.
    """

    kind: ClassVar[str] = "function"
    facts = ("_written",)

    def __init__(
        self,
        diagrams: NamedDiagram | _core.Diagram | Sequence[NamedDiagram | _core.Diagram],
        *,
        features: Sequence[str] | None = None,
        values: Sequence[Sequence[Hashable]] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        given = [diagrams] if isinstance(diagrams, (NamedDiagram, _core.Diagram)) else list(diagrams)
        if len(given) == 0 or len(given) == 2:
            raise ModelError(f"diagrams has {len(given)} entries: give one for two classes, or one per class for more")
        made = tuple(d.core if isinstance(d, NamedDiagram) else d for d in given)
        self._diagrams = Later.known(made)
        n_classes = max(len(made), 2)
        n_values = _n_values(made)
        if features is None and isinstance(given[0], NamedDiagram):
            features = given[0].features
        self.classes = checked_names(classes, n_classes, "classes", list(range(n_classes)))
        self.features = checked_features(features, len(n_values))
        self.values = checked_values(values, self.features, n_values)
        self.ordered = checked_ordered(ordered, len(self.features))
        self.encoder = encoder
        if n_classes > 2:
            _check_one_class_each(made)

    @classmethod
    def later(
        cls,
        make: Callable[[], _core.Diagram],
        *,
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        classes: Sequence[Hashable],
        ordered: Sequence[bool],
        encoder: Encoder | None,
    ) -> FunctionModel:
        """Two classes, by a diagram over these features that is built when a call needs it, within its limits."""
        model = cls.__new__(cls)
        model._diagrams = Later(lambda: (make(),))
        model.features, model.values = tuple(features), tuple(tuple(labels) for labels in values)
        model.classes, model.ordered, model.encoder = tuple(classes), tuple(ordered), encoder
        return model

    @property
    def diagrams(self) -> tuple[_core.Diagram, ...]:
        """One for two classes, one per class for more."""
        return self._diagrams.value

    def rule(self) -> DiagramRule:
        """The diagrams."""
        return DiagramRule(self._diagrams, tuple(map(len, self.values)))

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        return {"model": self.kind, "diagrams": self._written, **self.names_to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FunctionModel:
        """The inverse of `to_dict`."""
        return cls([_from_dict(d) for d in data["diagrams"]], **names_from_dict(data))

    @property
    def _written(self) -> list[dict[str, Any]]:
        """The diagrams, as lists of numbers."""
        return [_to_dict(d) for d in self.diagrams]


def from_function(
    function: Callable[[Any], Any],
    n_or_values: int | Sequence[int | Sequence[Hashable]],
    *,
    features: Sequence[str] | None = None,
    values: Sequence[Sequence[Hashable]] | None = None,
    classes: Sequence[Hashable] = (0, 1),
    vectorized: bool = False,
    max_inputs: int = 2**22,
) -> FunctionModel:
    """A model that decides as a Python function does. The function is called for every input.

    Parameters
    ----------
    function:
        Takes a row, a tuple of value codes, and returns a class: its label, or its code if that is not a label. With
        ``vectorized`` it takes a two-dimensional array of rows and returns as many classes.
    n_or_values:
        The number of features if all are 0 or 1; else for each feature the number of its values, or their names.
    features, values, classes:
        Names, as for the other models.
    max_inputs:
        Functions with more inputs are refused.

    >>> from_function(lambda row: sum(row) >= 2, 3)
    FunctionModel(3 features, 2 classes)
    """
    n_values, values = _sizes(n_or_values, values)
    names = checked_features(features, len(n_values))
    labels = checked_names(classes, len(classes), "classes", [])
    if len(labels) < 2:
        raise ModelError(f"a classifier needs at least two classes, this one has {list(labels)!r}")
    n_inputs = math.prod(n_values)
    if n_inputs > (checked_count(max_inputs, "max_inputs", least=1) or n_inputs):
        raise LimitError(f"the function has {n_inputs:,} inputs, more than max_inputs={max_inputs:,}; raise max_inputs")
    read = _Reader(function, names, checked_values(values, names, n_values), labels)
    table = np.fromiter((read.by_chunk if vectorized else read.one_by_one)(n_values), dtype=np.int64, count=n_inputs)
    wanted = [1] if len(labels) == 2 else range(len(labels))
    diagrams = [diagram_of_table(table == k, n_values) for k in wanted]
    return FunctionModel(diagrams, features=names, values=values, classes=labels)


def from_dd(
    function: Any,
    *,
    features: Sequence[str] | None = None,
    manager: Any = None,
    classes: Sequence[Hashable] = (0, 1),
) -> FunctionModel:
    """The model of a BDD that was built with the package ``dd``: the answer is class 1 where the BDD is true.

    Parameters
    ----------
    function:
        A ``Function`` of ``dd.autoref`` or ``dd.cudd``, or a node of ``dd.bdd``.
    features:
        Variables of the manager that become the features, in this order; by default all of them, in the order of their
        levels. The diagram keeps the order of the levels.
    manager:
        The manager of the BDD; only nodes of ``dd.bdd`` do not know it themselves.
    """
    manager = getattr(function, "bdd", None) if manager is None else manager
    if manager is None:
        raise ModelError("an edge of dd.bdd needs its manager: from_dd(edge, manager=...)")
    depth = {str(name): int(level) for name, level in manager.var_levels.items()}
    chosen = sorted(depth, key=depth.__getitem__) if features is None else features
    names = checked_features(chosen, len(chosen))
    for name in names:
        if name not in depth:
            raise ModelError(f"{name!r} is not a variable of the manager")
    order = sorted(range(len(names)), key=lambda j: depth[names[j]])
    level_of = {depth[names[j]]: k for k, j in enumerate(order)}
    nodes, root = _walk(function, manager)
    for level, _, _ in nodes.values():
        if level not in level_of:
            raise ModelError(
                f"the function depends on {manager.var_at_level(level)!r}, which is not among the features"
            )
    core = _numbered(nodes, root, level_of, order)
    return FunctionModel(core, features=names, classes=classes)


# --- Python functions -------------------------------------------------------------------------------------------------


class _Reader:
    """Calls the user's function, and says for which input it went wrong."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        classes: Sequence[Hashable],
    ) -> None:
        self._function = function
        self._features = features
        self._values = values
        self._n_classes = len(classes)
        self._codes = {label: k for k, label in enumerate(classes)}

    def one_by_one(self, n_values: Sequence[int]) -> Iterator[int]:
        """The codes of the classes of all inputs; the last feature changes fastest."""
        for row in itertools.product(*map(range, n_values)):
            yield self._code(self._call(row, row), row)

    def by_chunk(self, n_values: Sequence[int]) -> Iterator[int]:
        """The same, for a function of many rows."""
        n_inputs = math.prod(n_values)
        for start in range(0, n_inputs, CHUNK):
            index = np.arange(start, min(start + CHUNK, n_inputs))
            rows = np.empty((len(index), len(n_values)), dtype=np.int64)
            for j in reversed(range(len(n_values))):
                index, rows[:, j] = np.divmod(index, n_values[j])
            results = np.asarray(self._call(rows.copy(), rows[0].tolist(), " and the rows after it"))
            if results.shape != (len(rows),):
                raise ModelError(
                    f"the function returned shape {results.shape} for {len(rows)} rows: return one class per row"
                )
            for row, result in zip(rows, results.tolist(), strict=True):
                code = self._codes.get(result, -1) if isinstance(result, (int, str)) else -1
                yield code if code >= 0 else self._code(result, row.tolist())

    def _call(self, given: Any, row: Sequence[int], more: str = "") -> Any:
        try:
            return self._function(given)
        except Exception as error:
            raise ModelError(
                f"the function failed for {self._shown(row)}{more}: {type(error).__name__}: {error}"
            ) from error

    def _code(self, result: Any, row: Sequence[int]) -> int:
        """The code of a class that may be given by its label or by its code."""
        if isinstance(result, np.ndarray) and result.ndim == 0:
            result = result.item()
        try:
            if result in self._codes:
                return self._codes[result]
        except TypeError:
            pass
        if isinstance(result, (bool, int, np.bool_, np.integer)) and 0 <= result < self._n_classes:
            return int(result)
        raise ModelError(f"the function returned {reprlib.repr(result)} for {self._shown(row)}, which is not a class")

    def _shown(self, row: Sequence[int]) -> str:
        pairs = [f"{name}={labels[v]!r}" for name, labels, v in zip(self._features, self._values, row, strict=True)]
        return ", ".join(pairs) or "no features"


def _sizes(
    given: int | Sequence[int | Sequence[Hashable]], values: Sequence[Sequence[Hashable]] | None
) -> tuple[list[int], Sequence[Sequence[Hashable]] | None]:
    """The numbers of values, and their names if there are any."""
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        if given < 0:
            raise ModelError(f"{given} features")
        return [2] * int(given), values
    if isinstance(given, (str, bool)) or not hasattr(given, "__iter__"):
        raise ModelError(f"n_or_values must be the number of features or a list with the values of each, not {given!r}")
    items = list(given)
    sizes = []
    for j, item in enumerate(items):
        named = isinstance(item, Sequence) and not isinstance(item, str)
        if not named and (isinstance(item, bool) or not isinstance(item, (int, np.integer))):
            raise ModelError(f"n_or_values must give the number of values of feature {j} or their names, not {item!r}")
        sizes.append(len(item) if isinstance(item, Sequence) else int(item))
        if sizes[-1] < 1:
            raise ModelError(f"feature {j} has no value")
    if values is None and any(isinstance(item, Sequence) for item in items):
        values = [item if isinstance(item, Sequence) else range(item) for item in items]
    return sizes, values


def diagram_of_table(table: npt.NDArray[np.bool_], n_values: Sequence[int]) -> _core.Diagram:
    """The diagram of a table whose last feature changes fastest, built from the last feature up."""
    n = len(n_values)
    level, child = [np.array([n, n])], [np.empty(0, dtype=np.int64)]
    next_node = 2
    node = table.astype(np.int64)  # of every combination of the features above
    for j in reversed(range(n)):
        children, which = _distinct(node.reshape(-1, n_values[j]))
        same = (children == children[:, :1]).all(axis=1)
        made = np.cumsum(~same) - 1 + next_node
        node = np.where(same, children[:, 0], made)[which]
        level.append(np.full(np.count_nonzero(~same), j))
        child.append(children[~same].ravel())
        next_node += len(level[-1])
    return _frozen(np.arange(n), n_values, np.concatenate(level), np.concatenate(child), int(node[0]))


def _distinct(rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.intp]]:
    """The different rows, and which of them each row is."""
    # Column by column, because sorting numbers is much faster than sorting rows.
    which = np.zeros(len(rows), dtype=np.int64)
    base = int(rows.max()) + 1
    for column in rows.T:
        which = np.unique(which * base + column, return_inverse=True)[1]
    first = np.unique(which, return_index=True)[1]
    return rows[first], which


# --- dd ---------------------------------------------------------------------------------------------------------------

# A node of a diagram without complement edges: the address of dd's node, and whether its function is negated.
_Key = tuple[int, bool]
_SINKS: dict[bool, _Key] = {False: (0, False), True: (0, True)}


def _walk(function: Any, manager: Any) -> tuple[dict[_Key, tuple[int, _Key, _Key]], _Key]:
    """Level and children of all nodes, and the root; dd's terminal is "true"."""
    nodes: dict[_Key, tuple[int, _Key, _Key]] = {}
    keep_alive: dict[int, Any] = {}

    def key(edge: Any, negated: bool) -> tuple[_Key, Any]:
        complemented = edge < 0 if isinstance(edge, int) else edge.negated
        node = _inverted(edge) if complemented else edge
        if manager.succ(node)[1] is None:
            return _SINKS[negated != complemented], None
        keep_alive[int(node)] = node
        return (int(node), negated != complemented), node

    root, node = key(function, False)
    waiting = [] if node is None else [(root, node)]
    while waiting:
        place, node = waiting.pop()
        if place in nodes:
            continue
        level, low, high = manager.succ(node)
        below = [key(low, place[1]), key(high, place[1])]
        nodes[place] = (int(level), below[0][0], below[1][0])
        waiting += [(k, child) for k, child in below if child is not None and k not in nodes]
    return nodes, root


def _inverted(edge: Any) -> Any:
    return -edge if isinstance(edge, int) else ~edge


def _numbered(
    nodes: Mapping[_Key, tuple[int, _Key, _Key]], root: _Key, level_of: Mapping[int, int], order: Sequence[int]
) -> _core.Diagram:
    """The frozen diagram: sinks first, then the nodes from the lowest level up."""
    upwards = sorted(nodes, key=lambda key: -nodes[key][0])
    number = {_SINKS[True]: 0, _SINKS[False]: 1} | {key: u for u, key in enumerate(upwards, 2)}
    level = [len(order)] * 2 + [level_of[nodes[key][0]] for key in upwards]
    child = [number[k] for key in upwards for k in nodes[key][1:]]
    return _frozen(order, [2] * len(order), level, child, number[root])


# --- diagrams ---------------------------------------------------------------------------------------------------------


def _frozen(
    order: npt.ArrayLike, arity: npt.ArrayLike, level: npt.ArrayLike, child: npt.ArrayLike, root: int
) -> _core.Diagram:
    order, arity, level, child = (np.array(a, dtype=np.uint32) for a in (order, arity, level, child))
    return _core.Diagram.from_arrays(order, arity, level, child, root)


def _n_values(diagrams: Sequence[Any]) -> list[int]:
    """By feature, the number of its values, which must be the same in all diagrams."""
    for diagram in diagrams:
        if not isinstance(diagram, _core.Diagram):
            raise ModelError(f"{reprlib.repr(diagram)} is not a diagram")
        if not np.array_equal(diagram.order, diagrams[0].order) or not np.array_equal(diagram.arity, diagrams[0].arity):
            raise ModelError("the diagrams of the classes must have the same features in the same order")
    sizes: list[int] = diagrams[0].arity[np.argsort(diagrams[0].order)].tolist()
    return sizes


def _check_one_class_each(diagrams: Sequence[_core.Diagram]) -> None:
    """Walks through all diagrams at the same time."""
    levels = [d.level.tolist() for d in diagrams]
    arity = diagrams[0].arity.tolist()
    children = [_children(d) for d in diagrams]
    start = tuple(d.root for d in diagrams)
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        undecided = sum(u > 1 for u in state)
        # In a reduced diagram only the sinks are constant.
        if 1 in state and (undecided or state.count(1) > 1):
            raise ModelError("the diagrams give some row two classes")
        if 1 not in state and undecided < 2:
            raise ModelError("the diagrams give some row no class")
        level = min(level[u] for level, u in zip(levels, state, strict=True))
        if level == len(arity):
            continue
        for v in range(arity[level]):
            below = tuple(
                c[u][v] if depth[u] == level else u for c, depth, u in zip(children, levels, state, strict=True)
            )
            if below not in seen:
                seen.add(below)
                waiting.append(below)


def _children(diagram: _core.Diagram) -> list[list[int]]:
    """By node; the sinks have none."""
    ends = np.cumsum(diagram.arity[diagram.level[2:]], dtype=np.int64).tolist()
    child = diagram.child.tolist()
    return [[], [], *(child[i:j] for i, j in itertools.pairwise([0, *ends]))]


# --- JSON -------------------------------------------------------------------------------------------------------------

ARRAYS = ("order", "arity", "level", "child")


def _to_dict(diagram: _core.Diagram) -> dict[str, Any]:
    return {**{name: getattr(diagram, name).tolist() for name in ARRAYS}, "root": diagram.root}


def _from_dict(data: Mapping[str, Any]) -> _core.Diagram:
    order, arity, level, child = (_natural(data[name], f"{name} of a diagram") for name in ARRAYS)
    root = _natural([data["root"]], "the root of a diagram")
    return _core.Diagram.from_arrays(order, arity, level, child, int(root[0]))


def _natural(given: Any, what: str) -> npt.NDArray[np.uint32]:
    array = numbers(given, what)
    if array.ndim != 1 or array.dtype.kind != "i" or (array.size and not 0 <= array.min() <= array.max() < 2**32):
        raise ModelError(f"{what} must be natural numbers below 2**32")
    return array.astype(np.uint32)
