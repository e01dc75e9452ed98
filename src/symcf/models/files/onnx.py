"""ONNX files with an ensemble of trees (operators TreeEnsembleClassifier and TreeEnsembleRegressor of ai.onnx.ml).

Such files are written by skl2onnx and onnxmltools for scikit-learn, XGBoost and LightGBM. The reader takes what
surrounds the trees without changing a decision (Identity, Cast, Normalizer, ZipMap), and refuses all else by name.

A file is a protocol buffer: fields of a number, a kind of encoding and a value. Only the fields named in `MODEL` and
below are read, so that neither onnx nor protobuf is needed.

The documentation of the operators leaves open when the second of two classes is chosen if the trees give one score.
onnxruntime decides: above 0.5 if no weight is negative, else above 0. Of several classes the first one with the largest
score is chosen. Scores are added up as 32-bit floats. The shares of a forest are such floats, too, so that a tie of its
trees is a sum close to 0.5: sums within the rounding count as ties. onnxruntime may decide such a row either way.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.files import raw
from symcf.models.files.raw import Ensemble, RawTree
from symcf.models.quantities import DOUBLE, SINGLE

__all__ = ["Graph", "begins_a_file", "loads", "read"]

CLASSIFIER, REGRESSOR = "TreeEnsembleClassifier", "TreeEnsembleRegressor"

#: Operators that change no decision.
NEUTRAL = ("Identity", "Cast", "Normalizer", "ZipMap")

#: The type of 32-bit and of 64-bit floats.
FLOAT, FLOAT64 = 1, 11


# --- protocol buffers -------------------------------------------------------------------------------------------------

#: Kinds of encoding.
VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """An integer of seven bits per byte, the lowest first, and where it ends."""
    result = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result, at
    raise ValueError(f"an integer of more than ten bytes at byte {at - 10}")


def _fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """By field: its number, its kind, and an integer or bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield number, kind, value
            continue
        if kind == BYTES:
            size, at = _varint(data, at)
        elif kind in (EIGHT_BYTES, FOUR_BYTES):
            size = 8 if kind == EIGHT_BYTES else 4
        else:
            raise ValueError(f"a field of the unknown kind {kind} at byte {at}")
        if size > len(data) - at:
            raise ValueError(f"{size} bytes are stated at byte {at} of {len(data)}")
        yield number, kind, data[at : at + size]
        at += size


def _signed(number: int) -> int:
    """64 bits as a signed integer."""
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number


def _packed(data: bytes) -> npt.NDArray[np.int64]:
    """A list of such integers, one after the other."""
    tick()
    octets = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(octets < 128)
    if not len(octets):
        return np.zeros(0, dtype=np.int64)
    if not len(ends) or ends[-1] != len(octets) - 1:
        raise ValueError("a list of integers ends within one")
    starts = np.concatenate([[0], ends[:-1] + 1])
    if (ends - starts).max() > 9:
        raise ValueError("an integer of more than ten bytes")
    result = np.zeros(len(ends), dtype=np.uint64)
    for place in range(int((ends - starts).max()) + 1):
        some = starts + place <= ends
        part = (octets[starts[some] + place] & 127).astype(np.uint64)
        result[some] |= part << np.uint64(7 * place)
    return result.view(np.int64)


def _floats(data: bytes, form: str = "<f4") -> npt.NDArray[np.float64]:
    with np.errstate(invalid="ignore"):  # NaN, which is refused where it counts
        return np.frombuffer(data, dtype=form).astype(np.float64)


# --- what a file holds ------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """An operator."""

    operator: str = ""
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass
class Graph:
    """Operators, and what goes in: by name, the type of the numbers and how many columns there are, if stated."""

    nodes: list[Node] = field(default_factory=list)
    inputs: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)


def begins_a_file(content: bytes) -> bool:
    """Does this look like ONNX? The first field is the version, a small integer."""
    return len(content) > 2 and content[0] == 8 and content[1] < 128


def loads(content: bytes) -> Graph:
    """The graph of a file."""
    with raw.in_a_file("ONNX"):
        for number, kind, value in _fields(content):
            if number == 7 and kind == BYTES:
                return _graph(value)
        raise ValueError("it has no graph")


def _graph(data: bytes) -> Graph:
    graph = Graph()
    for number, kind, value in _fields(data):
        tick()
        if kind != BYTES:
            continue
        if number == 1:
            graph.nodes.append(_node(value))
        elif number == 5:
            graph.constants |= {part.decode() for n, k, part in _fields(value) if n == 8 and k == BYTES}
        elif number == 11:
            name, what = _input(value)
            graph.inputs[name] = what
    for name in graph.constants:  # older files list them among the inputs
        graph.inputs.pop(name, None)
    return graph


def _node(data: bytes) -> Node:
    node = Node()
    for number, kind, value in _fields(data):
        if kind != BYTES:
            continue
        if number == 1:
            node.inputs.append(value.decode())
        elif number == 2:
            node.outputs.append(value.decode())
        elif number == 4:
            node.operator = value.decode()
        elif number == 5:
            name, what = _attribute(value)
            node.attributes[name] = what
    return node


def _attribute(data: bytes) -> tuple[str, Any]:
    name, one, floats, integers, texts = "", None, [], [], []
    for number, kind, value in _fields(data):
        if number == 1 and kind == BYTES:
            name = value.decode()
        elif number == 2 and kind == FOUR_BYTES:
            one = struct.unpack("<f", value)[0]
        elif number == 3 and kind == VARINT:
            one = _signed(value)
        elif number == 4 and kind == BYTES:
            one = value.decode()
        elif number == 5 and kind == BYTES:
            one = _tensor(value)
        elif number == 7:
            floats.append(_floats(value))
        elif number == 8:
            integers.append(_packed(value) if kind == BYTES else np.array([_signed(value)]))
        elif number == 9 and kind == BYTES:
            texts.append(value.decode())
    if floats:
        return name, np.concatenate(floats)
    if integers:
        return name, np.concatenate(integers)
    return name, texts or one


def _tensor(data: bytes) -> npt.NDArray[np.float64]:
    """A list of floats of 32 or 64 bits."""
    kind_of, parts, octets = 0, [], b""
    for number, kind, value in _fields(data):
        if number == 2 and kind == VARINT:
            kind_of = value
        elif number == 4 and kind in (BYTES, FOUR_BYTES):
            parts.append(_floats(value))
        elif number == 10 and kind in (BYTES, EIGHT_BYTES):
            parts.append(_floats(value, "<f8"))
        elif number == 9 and kind == BYTES:
            octets = value
    if kind_of not in (FLOAT, FLOAT64):
        raise ModelError(f"ONNX: a list of numbers of type {kind_of} is not supported: floats and doubles are")
    if octets:
        parts.append(_floats(octets, "<f4" if kind_of == FLOAT else "<f8"))
    return np.concatenate([np.zeros(0), *parts])


def _input(data: bytes) -> tuple[str, tuple[int, int | None]]:
    name = ""
    what: tuple[int, int | None] = (0, None)
    for number, kind, value in _fields(data):
        if number == 1 and kind == BYTES:
            name = value.decode()
        elif number == 2 and kind == BYTES:
            for part, of, tensor in _fields(value):
                if part == 1 and of == BYTES:
                    what = _tensor_type(tensor)
    return name, what


def _tensor_type(data: bytes) -> tuple[int, int | None]:
    """The type of the elements, and the second dimension."""
    element, sizes = 0, []
    for number, kind, value in _fields(data):
        if number == 1 and kind == VARINT:
            element = value
        elif number == 2 and kind == BYTES:
            for _, _, dimension in _fields(value):
                stated = [size for n, k, size in _fields(dimension) if n == 1 and k == VARINT]
                sizes.append(int(stated[0]) if stated else None)
    return element, sizes[1] if len(sizes) == 2 else None


# --- trees ------------------------------------------------------------------------------------------------------------


def read(graph: Graph, *, iterations: int | None = None) -> Ensemble:
    """The ensemble of a graph."""
    if iterations is not None:
        raise ModelError("iterations: an ONNX file does not say which trees belong to a round")
    with raw.in_a_file("ONNX"):
        return _read(graph)


def _read(graph: Graph) -> Ensemble:
    ensembles = [node for node in graph.nodes if node.operator in (CLASSIFIER, REGRESSOR)]
    others = [node for node in graph.nodes if node.operator not in (CLASSIFIER, REGRESSOR, *NEUTRAL)]
    if len(ensembles) != 1 or others:
        found = ", ".join(dict.fromkeys(node.operator for node in graph.nodes)) or "none"
        raise ModelError(
            f"this ONNX file has the operators {found}; supported are one {CLASSIFIER} or {REGRESSOR}, and "
            f"{', '.join(NEUTRAL)}. Pass the fitted estimator that the file was made from, or explain it as a black "
            "box with symcf.from_predict(function, X), where the function runs the file (onnxruntime)"
        )
    (node,) = ensembles
    element, n_columns = _source(graph, node)
    given = node.attributes
    transform = given.get("post_transform", "NONE")
    classes: tuple[Any, ...] | None = None
    if node.operator == CLASSIFIER:
        labels = given.get("classlabels_int64s")
        classes = tuple(given["classlabels_strings"] if labels is None else labels.tolist())
        raw.counted(len(classes), "classes", raw.MOST_CLASSES)
    else:
        if transform != "NONE":
            raise ModelError(f"ONNX: post_transform {transform!r} of {REGRESSOR} is not supported")
        if int(given.get("n_targets", 1)) != 1:
            raise ModelError(f"this ONNX file has {given['n_targets']} targets: explain one model per target")
        if given.get("aggregate_function", "SUM") not in ("SUM", "AVERAGE"):
            raise ModelError(
                f"ONNX: aggregate_function {given['aggregate_function']!r} is not supported: SUM and AVERAGE are"
            )
    trees = _Trees(given, "target" if classes is None else "class", single=element == FLOAT)
    if n_columns is None:
        n_columns = int(trees.column.max(initial=0)) + 1
    n_columns = raw.counted(n_columns, "columns", raw.MOST_COLUMNS)
    base = _numbers(given, "base_values")
    if classes is None:
        made = trees.trees(lambda _: 1, 2)
        divided = len(made) if given.get("aggregate_function") == "AVERAGE" else 1
        if divided > 1:
            made = [RawTree(t.column, t.left, t.right, t.threshold, t.nan_left, t.score / divided) for t in made]
        bias, probability, one_score = np.array([0.0, _only(base)]), None, True
    else:
        bias, probability, one_score = _bias_of(trees, classes, base, transform)
        made = trees.trees((lambda _: 1) if one_score else int, len(classes))
    return Ensemble(
        library="ONNX",
        trees=made,
        n_columns=n_columns,
        n_classes=2 if classes is None else len(classes),
        classes=classes,
        bias=bias,
        float32=element == FLOAT,
        probability=probability,
        link=() if classes is None else None,
        bits=SINGLE if element == FLOAT else DOUBLE,
    )


def _source(graph: Graph, node: Node) -> tuple[int, int | None]:
    """The type of the numbers that the trees read, and the number of columns, if the file states it."""
    maker = {output: other for other in graph.nodes for output in other.outputs}
    name, cast = node.inputs[0], False
    seen = {name}
    while name in maker:
        before = maker[name]
        if before.operator not in ("Identity", "Cast"):
            raise ModelError(f"ONNX: the operator {before.operator} before the trees is not supported")
        if before.operator == "Cast" and before.attributes.get("to") != FLOAT:
            raise ModelError("ONNX: a Cast to another type than float before the trees is not supported")
        cast = cast or before.operator == "Cast"
        name = before.inputs[0]
        if name in seen:
            raise ValueError("its operators feed each other")
        seen.add(name)
    if name not in graph.inputs or len(graph.inputs) != 1:
        raise ModelError(
            f"ONNX: the trees must read one input of the file, a table of floats; the inputs are {list(graph.inputs)}"
        )
    element, n_columns = graph.inputs[name]
    if element not in (FLOAT, FLOAT64):
        raise ModelError(f"ONNX: the input {name!r} is not a table of floats or doubles")
    return (
        FLOAT if len(seen) > 1 and any(maker[s].operator == "Cast" for s in seen if s in maker) else element
    ), n_columns


def _bias_of(
    trees: _Trees, classes: Sequence[Any], base: npt.NDArray[np.float64], transform: str
) -> tuple[npt.NDArray[np.float64], str | None, bool]:
    """What is added to the scores, what probabilities are made of them, and whether there is one score, that of the
    second of two classes.
    """
    if not set(trees.scored.tolist()) <= set(range(len(classes))):
        raise ValueError("a leaf has a score of a class that there is not")
    if len(classes) < 2:
        raise ModelError("this ONNX file has one class: there is nothing to explain")
    one_score = len(classes) == 2 and len(set(trees.scored.tolist())) == 1
    if one_score:
        start = float(base[-1]) if len(base) == 2 else _only(base)
        shares = bool((trees.weight >= 0).all())
        cut = 0.5 + trees.n_trees * 2.0 ** -(SINGLE + 1) if shares else 0.0
        return np.array([0.0, start - cut]), None if shares or transform != "LOGISTIC" else "logistic", True
    if len(base) not in (0, len(classes)):
        raise ValueError(f"it has {len(base)} base values for {len(classes)} classes")
    if not len(base) and not trees.score_all(len(classes)):
        raise ModelError(
            "ONNX: trees in which some leaves have no score of a class, without base_values, are not supported"
        )
    bias = base if len(base) else np.zeros(len(classes))
    of_transform = {"SOFTMAX": "logistic", "LOGISTIC": "ovr"}
    return bias, of_transform.get(transform), False


def _only(base: npt.NDArray[np.float64]) -> float:
    if len(base) > 1:
        raise ValueError(f"it has {len(base)} base values for one score")
    return float(base.sum())


def _numbers(given: Mapping[str, Any], name: str) -> npt.NDArray[np.float64]:
    """A list of floats, which may be in the attribute for doubles."""
    found = given.get(name)
    if found is None:
        found = given.get(f"{name}_as_tensor")
    numbers = np.zeros(0) if found is None else np.asarray(found, dtype=np.float64).ravel()
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} has a number that is not finite")
    return numbers


class _Trees:
    """The nodes of all trees, in parallel lists."""

    def __init__(self, given: Mapping[str, Any], what: str, *, single: bool) -> None:
        self._tree, self._node = _integers(given, "nodes_treeids"), _integers(given, "nodes_nodeids")
        self.column = _integers(given, "nodes_featureids")
        self._yes, self._no = _integers(given, "nodes_truenodeids"), _integers(given, "nodes_falsenodeids")
        modes = list(given["nodes_modes"])
        self._nan_yes = _integers(given, "nodes_missing_value_tracks_true", len(modes)).astype(np.bool_)
        values = _numbers(given, "nodes_values")
        if (
            len({len(modes), *(len(a) for a in (self._tree, self._node, self.column, self._yes, self._no, values))})
            != 1
        ):
            raise ValueError("its lists of nodes have different lengths")
        known = ("LEAF", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")
        unknown = [mode for mode in dict.fromkeys(modes) if mode not in known]
        if unknown:
            raise ModelError(f"ONNX: tests of the kind {unknown[0]} are not supported: {', '.join(known[1:])} are")
        mode = np.array([known.index(name) for name in modes], dtype=np.int64)
        self._leaf = mode == 0
        # "less than" is "at most" the float before; "at least" and "more than" change the sides
        before = (
            np.nextafter(values.astype(np.float32), np.float32(-np.inf)) if single else np.nextafter(values, -np.inf)
        )
        self._threshold = np.where((mode == 2) | (mode == 3), before.astype(np.float64), values)
        turned = mode >= 3
        self._yes, self._no = np.where(turned, self._no, self._yes), np.where(turned, self._yes, self._no)
        # NaN fails every comparison, and goes to "yes" where the node says so
        self._nan_left = np.where(turned, ~self._nan_yes, self._nan_yes)
        self.scored = _integers(given, f"{what}_ids")
        self._of_tree, self._of_node = _integers(given, f"{what}_treeids"), _integers(given, f"{what}_nodeids")
        self.weight = _numbers(given, f"{what}_weights")
        if len({len(self.scored), len(self._of_tree), len(self._of_node), len(self.weight)}) != 1:
            raise ValueError("its lists of scores have different lengths")

    @property
    def n_trees(self) -> int:
        """How many there are."""
        return len(set(self._tree.tolist()))

    def trees(self, class_of: Any, n_classes: int) -> list[RawTree]:
        """Each tree; ``class_of`` says which class a score belongs to."""
        found = []
        score_at: dict[tuple[int, int], list[int]] = {}
        for i, key in enumerate(zip(self._of_tree.tolist(), self._of_node.tolist(), strict=True)):
            score_at.setdefault(key, []).append(i)
        for number in dict.fromkeys(self._tree.tolist()):
            tick()
            found.append(self._one(number, score_at, class_of, n_classes))
        return found or [RawTree.leaf(np.zeros((1, n_classes)))]

    def _one(self, number: int, score_at: Mapping[Any, list[int]], class_of: Any, n_classes: int) -> RawTree:
        """The nodes that can be reached from the first one; each but that has one parent."""
        nodes = np.flatnonzero(self._tree == number)
        place = dict(zip(self._node[nodes].tolist(), nodes.tolist(), strict=True))
        if len(place) != len(nodes):
            raise ValueError(f"tree {number} has two nodes of the same number")
        order, at = [int(nodes[0])], 0
        children: list[tuple[int, int]] = []
        while at < len(order):
            i = order[at]
            at += 1
            if self._leaf[i]:
                children.append((-1, -1))
                continue
            children.append((len(order), len(order) + 1))
            order += [place[int(self._yes[i])], place[int(self._no[i])]]
            if len(order) > len(nodes):
                raise ValueError(f"a node of tree {number} has two parents")
        left, right = np.array(children).T
        leaf = self._leaf[order]
        score = np.zeros((len(order), n_classes))
        for u in np.flatnonzero(leaf).tolist():
            for i in score_at.get((number, int(self._node[order[u]])), ()):
                score[u, class_of(self.scored[i])] += self.weight[i]
        return RawTree(
            np.where(leaf, -1, self.column[order]),
            left,
            right,
            np.where(leaf, np.nan, self._threshold[order]),
            self._nan_left[order] & ~leaf,
            score,
        )

    def score_all(self, n_classes: int) -> bool:
        """Has some tree for each class a score at every leaf? Else onnxruntime leaves a class out that has none."""
        scored: dict[tuple[int, int], set[int]] = {}
        for tree, node, k in zip(self._of_tree.tolist(), self._of_node.tolist(), self.scored.tolist(), strict=True):
            scored.setdefault((tree, node), set()).add(k)
        left: dict[int, set[int]] = {}
        for i in np.flatnonzero(self._leaf).tolist():
            tree = int(self._tree[i])
            here = scored.get((tree, int(self._node[i])), set())
            left[tree] = left[tree] & here if tree in left else set(here)
        return set().union(*left.values()) >= set(range(n_classes)) if left else False


def _integers(given: Mapping[str, Any], name: str, default: int | None = None) -> npt.NDArray[np.int64]:
    found = given.get(name)
    if found is None or len(found) == 0:
        if default is None and name not in given:
            raise KeyError(name)
        return np.zeros(default or 0, dtype=np.int64)
    return np.asarray(found, dtype=np.int64)
