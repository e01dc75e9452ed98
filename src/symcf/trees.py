"""Decision trees and forests.

A tree is held flat, as one array a property of its nodes, so that its depth does not matter. Numbers become codes by
the thresholds that the trees use: two numbers between the same two thresholds go the same way everywhere.
"""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.encoders import Intervals
from symcf.errors import ModelError
from symcf.model import (
    Codes,
    Encoder,
    Model,
    checked_features,
    checked_names,
    checked_ordered,
    default_names,
    names_from_dict,
    register,
)
from symcf.rules import Tree, TreeRule, value_offsets
from symcf.scaling import LIMIT, Numbers, common_units, joined, numbers

__all__ = ["DecisionTree", "RandomForest"]

TIES = ("positive", "negative")
VOTES = ("soft", "hard")

Labels = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Nodes:
    """One tree, its tests as the user gave them. Node 0 is the root; children come after their parents."""

    #: The feature that a node tests; -1 at leaves.
    feature: npt.NDArray[np.int32]
    #: Where rows go that pass the test, and the others; -1 at leaves.
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    #: The test is ``x <= threshold``; NaN at leaves and where it is a set of values.
    threshold: npt.NDArray[np.float64]
    #: What each class gets at a leaf: (nodes, classes).
    score: Numbers
    #: By node that tests a set of values: their codes.
    subset: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    #: Are the scores numbers of rows seen in training? Then only their shares matter beside other trees.
    counts: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nodes):
            return NotImplemented
        mine, others = ((t.feature, t.left, t.right, t.score) for t in (self, other))
        return (
            self.counts == other.counts
            and self.subset == other.subset
            and all(map(np.array_equal, mine, others))
            and np.array_equal(self.threshold, other.threshold, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]


class _TreeModel(Model):
    """What one tree and many have in common."""

    #: The trees, flat.
    nodes: tuple[Nodes, ...]
    #: By feature, the numbers that the trees compare it with, ascending; None for features with named values.
    thresholds: tuple[npt.NDArray[np.float64] | None, ...]
    tie: str
    float32: bool

    def _set(
        self,
        nodes: Sequence[Nodes],
        features: tuple[str, ...],
        labels: Sequence[Labels | None],
        classes: Labels,
        ordered: Sequence[bool] | bool | None,
        tie: str,
        encoder: Encoder | None,
        float32: bool,
    ) -> None:
        if len(classes) < 2:
            raise ModelError(f"a classifier has two classes or more, this one has {list(classes)!r}")
        if tie not in TIES:
            raise ModelError(f"unknown tie rule {tie!r}: choose from {', '.join(map(repr, TIES))}")
        if not isinstance(float32, bool):
            raise ModelError(f"float32 must be True or False, not {float32!r}")
        self.features, self.classes, self.tie, self.float32 = features, classes, tie, float32
        self.nodes = tuple(_with_sets(_rounded(tree) if float32 else tree, labels, features) for tree in nodes)
        self.thresholds = _thresholds(self.nodes, labels)
        self.values = tuple(
            named if named is not None else _interval_labels(cuts, float32)
            for named, cuts in zip(labels, self.thresholds, strict=True)
        )
        given = checked_ordered(ordered, len(features))
        self.ordered = tuple(o or named is None for o, named in zip(given, labels, strict=True))
        self.encoder = encoder if encoder is not None else self._intervals()
        self._integer_scores()  # refuses what does not fit

    def _intervals(self) -> Intervals | None:
        """The encoder that the thresholds suggest; none where all features have named values."""
        if all(cuts is None for cuts in self.thresholds):
            return None
        return Intervals(self.features, self.thresholds, values=self.values, float32=self.float32)

    @property
    def _labels(self) -> list[Labels | None]:
        """The names of the values of features that have no thresholds."""
        return [None if cuts is not None else named for cuts, named in zip(self.thresholds, self.values, strict=True)]

    # --- decisions

    def rule(self) -> TreeRule:
        """The decision in exact integers."""
        return self._rule

    @cached_property
    def _rule(self) -> TreeRule:
        trees = map(self._coded, self.nodes, self._integer_scores())
        return TreeRule(value_offsets(self.n_values), tuple(trees), later_wins=self.tie == "positive")

    def _leaf_scores(self) -> list[Numbers]:
        """By tree, what it adds to the sum of each class."""
        return [tree.score for tree in self.nodes]

    def _integer_scores(self) -> list[npt.NDArray[np.int64]]:
        return common_units(self._leaf_scores(), lambda parts: sum(float(part.max()) for part in parts))[0]

    def _coded(self, tree: Nodes, score: npt.NDArray[np.int64]) -> Tree:
        """The tree over value codes."""
        n_values = np.array([*self.n_values, 0], dtype=np.int64)  # the last is what a leaf's -1 finds
        width = n_values[tree.feature]
        start = np.concatenate([[0], np.cumsum(width)])
        last_left = np.full(len(width), -1)  # the last code that goes left
        for j in np.unique(tree.feature[~np.isnan(tree.threshold)]):
            at = np.flatnonzero((tree.feature == j) & ~np.isnan(tree.threshold))
            last_left[at] = np.searchsorted(self.thresholds[j], tree.threshold[at])
        code = np.arange(start[-1]) - np.repeat(start[:-1], width)
        left_values = (code <= np.repeat(last_left, width)).astype(np.uint8)
        for u, codes in tree.subset.items():
            left_values[start[u] + np.array(codes, dtype=np.int64)] = 1
        return Tree(tree.feature, tree.left, tree.right, start, left_values, score)

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The share of each class in the summed scores, for rows of value codes; None where scores are negative."""
        trees = self._rule.trees
        if any((tree.score < 0).any() for tree in trees):
            return None
        sums = np.zeros((len(codes), len(self.classes)))
        for tree in trees:
            sums += tree.score[_leaves(tree, np.asarray(codes))]
        totals = sums.sum(axis=1, keepdims=True)
        return np.where(totals > 0, sums / np.where(totals > 0, totals, 1), 1 / len(self.classes))

    # --- JSON

    def _common_to_dict(self) -> dict[str, Any]:
        names = self.names_to_dict()
        if self.encoder == self._intervals():
            names.pop("encoder", None)
        values = [None if named is None else shown for named, shown in zip(self._labels, names["values"], strict=True)]
        return {"tie": self.tie, "float32": self.float32, **names, "values": values}

    def _facts(self) -> tuple[Any, ...]:
        return self.features, self.values, self.ordered, self.classes, self.tie, self.float32, self.encoder, self.nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.features, self.classes, self.tie, len(self.nodes)))

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_rule"}  # made again where it is wanted


class DecisionTree(_TreeModel):
    """A decision tree.

    Parameters
    ----------
    root:
        Nested dicts. A test is ``{"feature": name or index, "at_most": number, "yes": node, "no": node}``, or with
        ``"in": [values]`` instead of ``"at_most"`` for features whose values are named. A leaf is
        ``{"class": label}``, ``{"counts": [...]}`` (rows seen in training, by class) or ``{"scores": [...]}``; the
        class with the most wins.
    features:
        Names; by default those that the tree mentions, in this order.
    values:
        The names of the values of features that are not plain numbers: a dict by feature, or a list with None for
        numbers. ``at_most`` compares them if they are numbers.
    classes:
        Names; by default those of the leaves, sorted, or ``0, 1, ...``.
    ordered:
        Whether named values come in a meaningful order; by default they do. Numbers always do.
    tie:
        Which of several classes with the same score: ``"negative"`` (the first) or ``"positive"`` (the last).
    encoder:
        Reads the user's own rows. By default `Intervals`, which reads numbers and named values; if no feature is a
        number, instances are value codes.
    float32:
        Compare numbers after rounding them to 32-bit floats, as scikit-learn does.

    >>> tree = DecisionTree(
    ...     {"feature": "age", "at_most": 25.5, "yes": {"class": "deny"}, "no": {"class": "approve"}},
    ...     classes=["deny", "approve"],
    ... )
    >>> tree.values
    (('<= 25.5', '> 25.5'),)
    """

    kind: ClassVar[str] = "decision_tree"

    def __init__(
        self,
        root: Mapping[str, Any],
        *,
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
    ) -> None:
        sketches = [_Sketch(root)]
        names = _feature_names(sketches, features)
        labels, kinds = _labels(values, names), _class_names(sketches, classes)
        nodes = [sketch.nodes(names, labels, kinds) for sketch in sketches]
        self._set(nodes, names, labels, kinds, ordered, tie, encoder, float32)

    @classmethod
    def from_arrays(
        cls,
        feature: npt.ArrayLike,
        threshold: npt.ArrayLike,
        left: npt.ArrayLike,
        right: npt.ArrayLike,
        score: npt.ArrayLike,
        *,
        subset: Mapping[int, Sequence[int]] | None = None,
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
    ) -> DecisionTree:
        """A tree from one array a property of its nodes; node 0 is the root.

        Node u sends a row to ``left[u]`` iff ``row[feature[u]] <= threshold[u]``, else to ``right[u]``. It is a leaf
        iff ``left[u]`` is negative; class k gets ``score[u][k]`` there. A node in ``subset`` tests a feature whose
        values are named, and sends those with the codes ``subset[u]`` to the left instead.

        >>> DecisionTree.from_arrays([0, -1, -1], [0.5, 0, 0], [1, -1, -1], [2, -1, -1], [[5, 5], [4, 1], [1, 4]])
        DecisionTree(1 feature, 2 classes)
        """
        tested = _integers(feature, "feature")
        names = checked_features(
            features, max(int(tested.max(initial=-1)) + 1, 0) if features is None else len(features)
        )
        labels = _labels(values, names)
        sets = {
            int(u): _checked_subset(codes, labels, int(tested[u]), f"the subset of node {u}")
            for u, codes in (subset or {}).items()
        }
        nodes = _checked_nodes(tested, threshold, left, right, score, len(names), sets)
        kinds = checked_names(classes, nodes.score.shape[1], "classes", list(range(nodes.score.shape[1])))
        self = cls.__new__(cls)
        self._set([nodes], names, labels, kinds, ordered, tie, encoder, float32)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Everything there is to know, in lists, numbers and strings."""
        return {"model": self.kind, "tree": _nodes_to_dict(self.nodes[0]), **self._common_to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DecisionTree:
        """The inverse of `to_dict`."""
        self = cls.__new__(cls)
        _set_from_dict(self, [data["tree"]], data)
        return self


class RandomForest(_TreeModel):
    """Several decision trees that vote.

    Parameters
    ----------
    trees:
        `DecisionTree` objects with the same features, named values and classes, or nested dicts as `DecisionTree` takes
        them. The objects bring their names; ``features``, ``values``, ``classes``, ``ordered`` and ``float32`` are for
        dicts.
    vote:
        ``"soft"``: the scores of the leaves are added up; of counts, the shares are. ``"hard"``: each tree gives 1 to
        the class with the most at its leaf, the first of several.

    The other parameters are those of `DecisionTree`. Shares and scores that are floats are scaled to integers, exactly
    where they fit, else to the nearest of 61-bit units.
    """

    kind: ClassVar[str] = "random_forest"

    def __init__(
        self,
        trees: Sequence[DecisionTree | Mapping[str, Any]],
        *,
        vote: str = "soft",
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
    ) -> None:
        self.vote = _checked_vote(vote)
        given = list(trees)
        if not given:
            raise ModelError("a forest has one tree or more")
        if any(isinstance(tree, DecisionTree) for tree in given):
            if not (features is None and values is None and classes is None and ordered is None and not float32):
                raise ModelError("trees bring their own features, values, classes, ordered and float32")
            first = _same_names(given)
            nodes = [tree.nodes[0] for tree in given if isinstance(tree, DecisionTree)]
            self._set(nodes, first.features, first._labels, first.classes, first.ordered, tie, encoder, first.float32)
            return
        sketches = [_Sketch(root, f"tree {i}") for i, root in enumerate(given)]
        names = _feature_names(sketches, features)
        labels, kinds = _labels(values, names), _class_names(sketches, classes)
        nodes = [sketch.nodes(names, labels, kinds) for sketch in sketches]
        self._set(nodes, names, labels, kinds, ordered, tie, encoder, float32)

    def _leaf_scores(self) -> list[Numbers]:
        if self.vote == "hard":
            return [_winner(tree) for tree in self.nodes]
        return _shares(self.nodes) if any(tree.counts for tree in self.nodes) else super()._leaf_scores()

    def to_dict(self) -> dict[str, Any]:
        """Everything there is to know, in lists, numbers and strings."""
        trees = [_nodes_to_dict(tree) for tree in self.nodes]
        return {"model": self.kind, "vote": self.vote, "trees": trees, **self._common_to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RandomForest:
        """The inverse of `to_dict`."""
        self = cls.__new__(cls)
        self.vote = _checked_vote(data.get("vote", "soft"))
        if not isinstance(data["trees"], list) or not data["trees"]:
            raise ModelError("trees must be a list of one tree or more")
        _set_from_dict(self, data["trees"], data)
        return self

    def _facts(self) -> tuple[Any, ...]:
        return *super()._facts(), self.vote

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {len(self.nodes)} tree{'s' * (len(self.nodes) != 1)})"


register(DecisionTree.kind, DecisionTree.from_dict)
register(RandomForest.kind, RandomForest.from_dict)


# --- nested dicts -----------------------------------------------------------------------------------------------------


class _Sketch:
    """A tree of dicts, flat, its names not looked up yet."""

    def __init__(self, root: Any, name: str = "the tree") -> None:
        self.name = name
        self.data: list[Mapping[str, Any]] = []
        self.parent: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        waiting: list[tuple[Any, int]] = [(root, -1)]
        while waiting:
            node, parent = waiting.pop()
            u = len(self.data)
            if parent >= 0:
                # yes is taken from the stack before no
                (self.left if self.left[parent] < 0 else self.right)[parent] = u
            self.data.append(node)
            self.parent.append(parent)
            self.left.append(-1)
            self.right.append(-1)
            if self._is_test(u):
                waiting += [(node["no"], u), (node["yes"], u)]

    def _is_test(self, u: int) -> bool:
        """Is it a test, or a leaf? ModelError if neither."""
        node = self.data[u]
        if not isinstance(node, Mapping):
            raise ModelError(f"{self.where(u)} must be a dict, not {reprlib.repr(node)}")
        keys = set(node)
        if keys in ({"class"}, {"counts"}, {"scores"}):
            return False
        if keys in ({"feature", "yes", "no", "at_most"}, {"feature", "yes", "no", "in"}):
            return True
        raise ModelError(
            f"{self.where(u)} has the keys {', '.join(map(repr, node))}: a test has 'feature', 'at_most' or 'in', "
            f"'yes' and 'no'; a leaf has 'class', 'counts' or 'scores'"
        )

    def where(self, u: int) -> str:
        """The way from the root to a node, for errors."""
        steps: list[str] = []
        while self.parent[u] >= 0:
            steps.append("yes" if self.left[self.parent[u]] == u else "no")
            u = self.parent[u]
        shown = steps[::-1] if len(steps) <= 12 else [*steps[:-7:-1], "...", *steps[5::-1]]
        return self.name if not shown else f"{self.name}, node {'.'.join(shown)}"

    def tests(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The nodes that test a feature."""
        return ((u, node) for u, node in enumerate(self.data) if self.left[u] >= 0)

    def leaves(self) -> Iterator[tuple[int, str, Any]]:
        """The other nodes: what is said there, and the key that says how."""
        for u, node in enumerate(self.data):
            if self.left[u] < 0:
                ((key, content),) = node.items()
                yield u, key, content

    def nodes(self, features: Sequence[str], labels: Sequence[Labels | None], classes: Labels) -> Nodes:
        """With all names looked up."""
        m = len(self.data)
        feature, threshold = np.full(m, -1, dtype=np.int32), np.full(m, math.nan)
        subset: dict[int, tuple[int, ...]] = {}
        for u, node in self.tests():
            j = self._feature(u, features)
            feature[u] = j
            if "in" in node:
                subset[u] = self._codes(u, labels[j], features[j])
            else:
                threshold[u] = self._number(u)
        left, right = np.array(self.left, dtype=np.int32), np.array(self.right, dtype=np.int32)
        return Nodes(feature, left, right, threshold, self._scores(classes), subset, self._counts())

    def _feature(self, u: int, features: Sequence[str]) -> int:
        name = self.data[u]["feature"]
        if isinstance(name, str) and name in features:
            return features.index(name)
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and 0 <= name < len(features):
            return int(name)
        raise ModelError(f"{self.where(u)}: there is no feature {name!r}")

    def _number(self, u: int) -> float:
        given = self.data[u]["at_most"]
        number = numbers(given, f"{self.where(u)}: 'at_most'")
        if number.ndim or not np.isfinite(number):
            raise ModelError(f"{self.where(u)}: 'at_most' must be a finite number, not {given!r}")
        return float(number) + 0.0  # -0.0 is 0.0

    def _codes(self, u: int, labels: Labels | None, feature: str) -> tuple[int, ...]:
        if labels is None:
            raise ModelError(f"{self.where(u)}: 'in' needs to know the values of {feature!r}: name them in values")
        wanted = self.data[u]["in"]
        if isinstance(wanted, (str, Mapping)) or not hasattr(wanted, "__iter__"):
            raise ModelError(f"{self.where(u)}: 'in' must be a list of values, not {wanted!r}")
        for label in wanted:
            if label not in labels:
                raise ModelError(f"{self.where(u)}: {label!r} is not a value of {feature!r}")
        return tuple(sorted({labels.index(label) for label in wanted}))

    def _scores(self, classes: Labels) -> Numbers:
        rows: list[Numbers] = [np.zeros(len(classes), dtype=np.int64)] * len(self.data)
        for u, key, content in self.leaves():
            if key == "class":
                if content not in classes:
                    raise ModelError(f"{self.where(u)}: there is no class {content!r}")
                rows[u] = np.array([label == content for label in classes], dtype=np.int64)
                continue
            rows[u] = numbers(content, f"{self.where(u)}: {key!r}")
            if rows[u].shape != (len(classes),):
                raise ModelError(f"{self.where(u)}: {key!r} must list {len(classes)} numbers, one a class")
            _check_scores(rows[u], key == "counts", self.where(u))
        return joined(rows).reshape(len(rows), -1)

    def _counts(self) -> bool:
        kinds = {key for _, key, _ in self.leaves()}
        if {"counts", "scores"} <= kinds:
            raise ModelError(f"{self.name} has leaves with 'counts' and leaves with 'scores': choose one of them")
        return "counts" in kinds


def _feature_names(sketches: Sequence[_Sketch], features: Sequence[str] | None) -> tuple[str, ...]:
    """The features given, or those that the trees mention."""
    if features is not None:
        return checked_features(features, len(features))
    mentioned: dict[Any, None] = {}
    for sketch in sketches:
        for u, node in sketch.tests():
            name = node["feature"]
            if isinstance(name, bool) or not isinstance(name, (str, int, np.integer)):
                raise ModelError(f"{sketch.where(u)}: a feature is a name or an index, not {reprlib.repr(name)}")
            mentioned[name] = None
    if all(isinstance(name, str) for name in mentioned):
        return checked_features(list(mentioned), len(mentioned))
    if any(isinstance(name, str) for name in mentioned):
        raise ModelError("some tests name their feature, some give its index: list the names in features")
    return tuple(default_names(max(int(name) for name in mentioned) + 1))


def _class_names(sketches: Sequence[_Sketch], classes: Sequence[Hashable] | None) -> Labels:
    """The classes given, or those of the leaves."""
    if classes is not None:
        return checked_names(classes, len(classes), "classes", [])
    labels: set[Hashable] = set()
    for sketch in sketches:
        for u, key, content in sketch.leaves():
            if key != "class":
                return tuple(range(numbers(content, f"{sketch.where(u)}: {key!r}").size))
            try:
                labels.add(content)
            except TypeError:
                raise ModelError(f"{sketch.where(u)}: {reprlib.repr(content)} cannot be a class") from None
    try:
        return tuple(sorted(labels))  # type: ignore[type-var]
    except TypeError:
        raise ModelError("the classes of the leaves have no order: list them in classes") from None


def _labels(
    values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None, features: Sequence[str]
) -> list[Labels | None]:
    """By feature the names of its values, or None if it is a number."""
    if isinstance(values, Mapping):
        for name in values:
            if name not in features:
                raise ModelError(f"values names the values of {name!r}, which is not a feature")
        values = [values.get(name) for name in features]
    if values is None:
        return [None] * len(features)
    if isinstance(values, str) or len(values) != len(features):
        raise ModelError(f"values names the values of {len(values)} features, the model has {len(features)}")
    return [
        None if named is None else _checked_labels(named, feature)
        for named, feature in zip(values, features, strict=True)
    ]


def _checked_labels(named: Any, feature: str) -> Labels:
    result = checked_names(named, len(named), f"values of {feature!r}", [])
    if not result:
        raise ModelError(f"feature {feature!r} has no value")
    return result


# --- flat trees -------------------------------------------------------------------------------------------------------


def _checked_nodes(
    feature: Any,
    threshold: Any,
    left: Any,
    right: Any,
    score: Any,
    n_features: int,
    subset: Mapping[int, tuple[int, ...]] | None = None,
    counts: bool = False,
    name: str = "the tree",
) -> Nodes:
    """A tree from arrays; ModelError names the node that makes no sense."""
    subset = subset or {}
    feature, left, right = (
        _integers(given, f"{name}: {what}") for given, what in ((feature, "feature"), (left, "left"), (right, "right"))
    )
    threshold = numbers(threshold, f"{name}: threshold").astype(np.float64)
    scores = _score_table(score, name)
    m = len(feature)
    if m == 0 or any(a.ndim != 1 or len(a) != m for a in (threshold, left, right)) or len(scores) != m:
        raise ModelError(f"{name}: feature, threshold, left, right and score must be equally long, one entry a node")
    is_leaf = left < 0
    feature, left, right = np.where(is_leaf, -1, feature), np.where(is_leaf, -1, left), np.where(is_leaf, right, right)
    for u in np.flatnonzero(is_leaf != (right < 0)):
        raise ModelError(f"{name}: node {u} has one child")
    for u in np.flatnonzero(~is_leaf & ((feature < 0) | (feature >= n_features))):
        raise ModelError(f"{name}: node {u} tests feature {feature[u]}, there are {n_features}")
    has_set = np.isin(np.arange(m), list(subset))
    for u in np.flatnonzero(~is_leaf & ~has_set & ~np.isfinite(threshold)):
        raise ModelError(f"{name}: the threshold of node {u} is {threshold[u]}")
    for u in np.flatnonzero(is_leaf):
        _check_scores(scores[u], counts, f"{name}: node {u}")
    scores = np.where(is_leaf[:, None], scores, np.zeros_like(scores))
    threshold = np.where(is_leaf | has_set, math.nan, threshold + 0.0)
    order = _checked_order(left, right, name)
    place = np.empty(m + 1, dtype=np.int64)
    place[order], place[-1] = np.arange(m), -1  # the last is what a leaf's -1 finds
    return Nodes(
        feature[order].astype(np.int32),
        place[left[order]].astype(np.int32),
        place[np.where(is_leaf, -1, right)[order]].astype(np.int32),
        threshold[order],
        scores[order],
        {int(place[u]): codes for u, codes in subset.items()},
        counts,
    )


def _checked_order(left: npt.NDArray[np.int64], right: npt.NDArray[np.int64], name: str) -> npt.NDArray[np.int64]:
    """The nodes in an order that has parents before children: as they are, if that is one."""
    m = len(left)
    inner = np.flatnonzero(left >= 0)
    children = np.concatenate([left[inner], right[inner]])
    for child in children[(children < 1) | (children >= m)]:
        raise ModelError(f"{name}: {child} cannot be a child, the nodes are 0 to {m - 1} and 0 is the root")
    parents = np.bincount(children, minlength=m)
    for u in np.flatnonzero(parents[1:] != 1) + 1:
        raise ModelError(f"{name}: node {u} is the child of {parents[u]} nodes, not of one")
    if (children > np.concatenate([inner, inner])).all():
        return np.arange(m)
    order: list[int] = []
    waiting = [0]
    lefts, rights = left.tolist(), right.tolist()
    while waiting:
        node = waiting.pop()
        order.append(node)
        if lefts[node] >= 0:
            waiting += [rights[node], lefts[node]]
    if len(order) != m:
        raise ModelError(f"{name}: {m - len(order)} nodes cannot be reached from the root")
    return np.array(order)


def _integers(given: Any, what: str) -> npt.NDArray[np.int64]:
    array = numbers(given, what)
    if array.ndim != 1 or array.dtype.kind != "i":
        raise ModelError(f"{what} must be a list of integers")
    return array.astype(np.int64)


def _score_table(score: Any, name: str) -> Numbers:
    try:
        table = np.asarray(score)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{name}: score must have one row a node, one number a class") from None
    if table.ndim != 2:
        raise ModelError(f"{name}: score must have one row a node, one number a class")
    return numbers(table.ravel(), f"{name}: score").reshape(table.shape)


def _check_scores(row: Numbers, counts: bool, where: str) -> None:
    for score in row[~np.isfinite(row)]:
        raise ModelError(f"{where}: a score is {score}")
    if counts and ((row < 0).any() or not row.any()):
        raise ModelError(f"{where}: counts are not negative, and not all 0")


def _rounded(tree: Nodes) -> Nodes:
    """With thresholds that are 32-bit floats and part the 32-bit floats as before: the next below."""
    with np.errstate(over="ignore"):
        nearest = tree.threshold.astype(np.float32)
        below = np.nextafter(nearest, np.float32(-np.inf))
    return replace(tree, threshold=np.where(nearest > tree.threshold, below, nearest).astype(np.float64))


def _with_sets(tree: Nodes, labels: Sequence[Labels | None], features: Sequence[str]) -> Nodes:
    """With sets of codes where a threshold is compared with named values."""
    named = np.array([names is not None for names in labels] + [False])[tree.feature]
    at = np.flatnonzero(named & ~np.isnan(tree.threshold))
    threshold, subset = tree.threshold.copy(), dict(tree.subset)
    for u in at.tolist():
        j = int(tree.feature[u])
        for label in labels[j] or ():
            if not isinstance(label, (int, float, np.integer, np.floating)):
                raise ModelError(
                    f"feature {features[j]!r} is compared with {threshold[u]}, its value {label!r} cannot be"
                )
        subset[u] = tuple(v for v, label in enumerate(labels[j] or ()) if label <= threshold[u])
        threshold[u] = math.nan
    return replace(tree, threshold=threshold, subset=subset)


def _thresholds(trees: Sequence[Nodes], labels: Sequence[Labels | None]) -> tuple[npt.NDArray[np.float64] | None, ...]:
    """By feature all thresholds of all trees."""
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    tested = ~np.isnan(threshold)
    return tuple(
        np.unique(threshold[tested & (feature == j)]) if named is None else None for j, named in enumerate(labels)
    )


def _interval_labels(cuts: npt.NDArray[np.float64] | None, float32: bool) -> Labels:
    """<= 25.5, 25.5 .. 40, > 40"""
    shown = [str(np.float32(t) if float32 else float(t)).removesuffix(".0") for t in (() if cuts is None else cuts)]
    if not shown:
        return ("any",)
    between = (f"{low} .. {high}" for low, high in itertools.pairwise(shown))
    return (f"<= {shown[0]}", *between, f"> {shown[-1]}")


def _leaves(tree: Tree, codes: Codes) -> npt.NDArray[np.int64]:
    """The leaf that each row reaches."""
    at = np.zeros(len(codes), dtype=np.int64)
    on_the_way = np.arange(len(codes))
    while len(on_the_way := on_the_way[tree.feature[at[on_the_way]] >= 0]):
        u = at[on_the_way]
        passes = tree.left_values[tree.left_start[u] + codes[on_the_way, tree.feature[u]]]
        at[on_the_way] = np.where(passes, tree.left[u], tree.right[u])
    return at


# --- votes ------------------------------------------------------------------------------------------------------------


def _winner(tree: Nodes) -> npt.NDArray[np.int64]:
    """1 for the class with the largest score at a leaf."""
    votes = np.zeros(tree.score.shape, dtype=np.int64)
    leaves = np.flatnonzero(tree.feature < 0)
    votes[leaves, np.argmax(tree.score[leaves], axis=1)] = 1
    return votes


def _shares(trees: Sequence[Nodes]) -> list[Numbers]:
    """Counts as shares of their leaf: over a common denominator if there is one of a fair size, else as floats."""
    denominator = 1
    for tree in trees:
        exact = tree.score.dtype.kind == "i" and (tree.counts or _is_unit(tree.score))
        totals: list[int] = np.unique(tree.score.sum(axis=1)).tolist() if exact else [int(LIMIT)]
        for total in totals:
            denominator = math.lcm(denominator, total) if total else denominator
            if denominator * len(trees) >= LIMIT / 2:
                return [_float_shares(tree) if tree.counts else tree.score for tree in trees]
    return [tree.score * (denominator // np.maximum(tree.score.sum(axis=1, keepdims=True), 1)) for tree in trees]


def _is_unit(score: Numbers) -> bool:
    """Do leaves give 1 to one class?"""
    return bool((score >= 0).all() and (score.sum(axis=1) <= 1).all())


def _float_shares(tree: Nodes) -> npt.NDArray[np.float64]:
    totals = tree.score.sum(axis=1, keepdims=True).astype(np.float64)
    return np.asarray(tree.score / np.where(totals > 0, totals, 1))


def _checked_vote(vote: Any) -> str:
    if vote not in VOTES:
        raise ModelError(f"unknown vote {vote!r}: choose from {', '.join(map(repr, VOTES))}")
    return str(vote)


def _same_names(trees: Sequence[Any]) -> DecisionTree:
    """The first tree, with whose names all the others agree."""
    first = trees[0]
    for i, tree in enumerate(trees):
        if not isinstance(tree, DecisionTree):
            raise ModelError("the trees of a forest are all dicts, or all DecisionTree objects")
        for what in ("features", "classes", "_labels", "float32"):
            if getattr(tree, what) != getattr(first, what):
                raise ModelError(f"tree {i} has other {what.strip('_')} than tree 0")
    assert isinstance(first, DecisionTree)
    return first


# --- JSON -------------------------------------------------------------------------------------------------------------


def _nodes_to_dict(tree: Nodes) -> dict[str, Any]:
    leaf = (tree.feature < 0).tolist()
    return {
        "feature": tree.feature.tolist(),
        "threshold": [None if math.isnan(t) else t for t in tree.threshold.tolist()],
        "subset": [list(tree.subset[u]) if u in tree.subset else None for u in range(len(leaf))],
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "score": [row if at_leaf else None for row, at_leaf in zip(tree.score.tolist(), leaf, strict=True)],
        "counts": tree.counts,
    }


def _set_from_dict(model: _TreeModel, trees: Sequence[Any], data: Mapping[str, Any]) -> None:
    names = names_from_dict(data)
    features = checked_features(data["features"], len(data["features"]))
    classes = checked_names(data["classes"], len(data["classes"]), "classes", [])
    labels = _labels(data.get("values"), features)
    nodes = [
        _nodes_from_dict(tree, labels, len(classes), "the tree" if len(trees) == 1 else f"tree {i}")
        for i, tree in enumerate(trees)
    ]
    model._set(
        nodes,
        features,
        labels,
        classes,
        names.get("ordered"),
        data.get("tie", "negative"),
        names.get("encoder"),
        data.get("float32", False),
    )


def _nodes_from_dict(data: Any, labels: Sequence[Labels | None], n_classes: int, name: str) -> Nodes:
    if not isinstance(data, Mapping):
        raise ModelError(f"{name} must be an object, not {reprlib.repr(data)}")
    if not isinstance(data.get("counts", False), bool):
        raise ModelError(f"{name}: counts must be true or false, not {data['counts']!r}")
    for key in ("feature", "threshold", "subset", "left", "right", "score"):
        if not isinstance(data[key], list) or len(data[key]) != len(data["feature"]):
            raise ModelError(f"{name}: {key} must be a list with one entry a node")
    feature = _integers(data["feature"], f"{name}: feature")
    subset = {
        u: _checked_subset(codes, labels, int(feature[u]), f"{name}: the subset of node {u}")
        for u, codes in enumerate(data["subset"])
        if codes is not None
    }
    score = [[0] * n_classes if row is None else row for row in data["score"]]
    threshold = [math.nan if t is None else t for t in data["threshold"]]
    return _checked_nodes(
        feature,
        threshold,
        data["left"],
        data["right"],
        score,
        len(labels),
        subset,
        data.get("counts", False),
        name,
    )


def _checked_subset(codes: Any, labels: Sequence[Labels | None], feature: int, what: str) -> tuple[int, ...]:
    named = labels[feature] if 0 <= feature < len(labels) else None
    if named is None:
        raise ModelError(f"{what} is for a feature with named values")
    array = _integers(codes, what)
    if array.size and not (array.min() >= 0 and array.max() < len(named)):
        raise ModelError(f"{what} must list codes between 0 and {len(named) - 1}")
    return tuple(np.unique(array).tolist())
