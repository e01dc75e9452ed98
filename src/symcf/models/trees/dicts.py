"""Nested dicts, as people write trees -> flat trees, and an encoder for raw rows.

A `Sketch` is a tree of dicts, flat, whose names are not looked up yet. Boosted trees become tests over value codes: the
numbers of all tests are the cuts of a feature. A cut is the first double that goes right, so "less than" and "at most"
may be mixed, and numbers that are rounded to 32 bits before they are compared are read as they are.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symcf.data.columns import Categories, Ranges, RawColumns, Reader
from symcf.data.intervals import first_right, range_names
from symcf.data.labels import MISSING, checked_features, checked_names, default_names
from symcf.errors import ModelError
from symcf.models.base import checked_flag
from symcf.models.scaling import Numbers, joined, numbers
from symcf.models.trees.nodes import Labels, TreeNodes, are_scores, bad_scores, checked_labels, checked_nodes

__all__ = ["BOOSTED", "VOTES", "Domains", "Grammar", "Sketch", "class_names", "feature_names"]

#: A test of a number: what it is compared with, and whether that number itself goes right.
Test = tuple[float, bool]

SIDES = ("yes", "no")


@dataclass(frozen=True)
class Grammar:
    """Which keys the nodes of a kind of tree have."""

    leaves: tuple[frozenset[str], ...]
    tests: tuple[str, ...]
    #: May tests say where missing values go?
    missing: bool
    #: For errors.
    expected: str


#: Trees whose leaves decide or vote.
VOTES = Grammar(
    (frozenset({"class"}), frozenset({"counts"}), frozenset({"scores"})),
    ("at_most", "in"),
    missing=False,
    expected="a test has 'feature', 'at_most' or 'in', 'yes' and 'no'; a leaf has 'class', 'counts' or 'scores'",
)
#: Trees whose leaves have scores.
BOOSTED = Grammar(
    (frozenset({"score"}), frozenset({"score", "class"}), frozenset({"scores"})),
    ("less_than", "at_most", "in"),
    missing=True,
    expected="a test has 'feature', one of 'less_than', 'at_most' and 'in', 'yes', 'no' and perhaps 'missing'; a leaf "
    "has 'score', perhaps 'class', or 'scores'",
)


class Sketch:
    """A tree of dicts, flat, its names not looked up yet."""

    def __init__(self, root: Any, grammar: Grammar, name: str = "the tree") -> None:
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
            if self._is_test(u, grammar):
                waiting += [(node["no"], u), (node["yes"], u)]

    def _is_test(self, u: int, grammar: Grammar) -> bool:
        """Which kind of node it is: a test or a leaf. ModelError if neither."""
        node = self.data[u]
        if not isinstance(node, Mapping):
            raise ModelError(f"{self.where(u)} must be a dict, not {reprlib.repr(node)}")
        keys = set(node)
        if keys in grammar.leaves:
            return False
        if keys - ({"missing"} if grammar.missing else set()) in [{"feature", "yes", "no", t} for t in grammar.tests]:
            if node.get("missing", "yes") not in SIDES:
                raise ModelError(f"{self.where(u)}: 'missing' must be 'yes' or 'no', not {node['missing']!r}")
            return True
        raise ModelError(f"{self.where(u)} has the keys {', '.join(map(repr, node))}: {grammar.expected}")

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

    def leaves(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The others."""
        return ((u, node) for u, node in enumerate(self.data) if self.left[u] < 0)

    def nodes(
        self,
        features: Sequence[str],
        labels: Sequence[Labels | None],
        classes: Labels,
        threshold_of: Callable[[int, int], float] | None = None,
        missing: Sequence[bool] | None = None,
    ) -> TreeNodes:
        """The tree with all names looked up. ``threshold_of`` gives by node and feature what is compared: by default
        the number that the test has. ``missing``: by feature, whether missing values come after the labels.
        """
        m = len(self.data)
        feature, threshold, last = np.full(m, -1), np.zeros(m), np.zeros(m, dtype=np.bool_)
        subset: dict[int, tuple[int, ...]] = {}
        for u, node in self.tests():
            j = feature[u] = self.feature(u, features)
            last[u] = node.get("missing") == "yes"
            if missing is not None and missing[j] and "missing" not in node:
                raise ModelError(f"{self.where(u)} needs 'missing': other tests of {features[j]!r} have it")
            if "in" in node:
                named = labels[j]
                if named is None:
                    raise ModelError(f"{self.where(u)}: 'in' needs the values of {features[j]!r}: list them in values")
                subset[u] = (*self._codes(u, named, features[j]), *([len(named)] if last[u] else []))
            else:
                threshold[u] = self.number(u)[0] if threshold_of is None else threshold_of(u, j)
        arrays = (feature, threshold, self.left, self.right, self._scores(classes))
        return checked_nodes(*arrays, len(features), subset, last=last, counts=self._counts(), name=self.name)

    def feature(self, u: int, features: Sequence[str]) -> int:
        """The feature that a node tests."""
        name = self.data[u]["feature"]
        if isinstance(name, str) and name in features:
            return features.index(name)
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and 0 <= name < len(features):
            return int(name)
        raise ModelError(f"{self.where(u)}: there is no feature {name!r}")

    def number(self, u: int) -> Test:
        """The number that a node compares with."""
        key = "at_most" if "at_most" in self.data[u] else "less_than"
        number = self.read(u, key)
        if number.ndim or not np.isfinite(number):
            raise ModelError(f"{self.where(u)}: {key!r} must be a finite number, not {self.data[u][key]!r}")
        return float(number) + 0.0, key == "less_than"  # -0.0 is 0.0

    def read(self, u: int, key: str) -> Numbers:
        """The numbers under a key. The place is found only for errors, because the path to a node may be long."""
        try:
            return numbers(self.data[u][key], repr(key))
        except ModelError as error:
            raise ModelError(f"{self.where(u)}: {error}") from None

    def _codes(self, u: int, labels: Labels, feature: str) -> tuple[int, ...]:
        given = self.data[u]["in"]
        if isinstance(given, (str, Mapping)) or not hasattr(given, "__iter__"):
            raise ModelError(f"{self.where(u)}: 'in' must be a list of values, not {given!r}")
        for label in given:
            if label not in labels:
                raise ModelError(f"{self.where(u)}: {label!r} is not a value of {feature!r}")
        return tuple(sorted({labels.index(label) for label in given}))

    def _scores(self, classes: Labels) -> Numbers:
        rows: list[Numbers] = [np.zeros(len(classes), dtype=np.int64)] * len(self.data)
        for u, node in self.leaves():
            key = next((key for key in ("counts", "scores") if key in node), None)
            rows[u] = self._one_score(u, classes) if key is None else self.read(u, key)
            if rows[u].shape != (len(classes),):
                raise ModelError(f"{self.where(u)}: {key!r} must list {len(classes)} numbers, one per class")
            if not are_scores(rows[u][np.newaxis], key == "counts")[0]:
                raise ModelError(f"{self.where(u)}: {bad_scores(rows[u])}")
        return joined(rows).reshape(len(rows), -1)

    def _one_score(self, u: int, classes: Labels) -> Numbers:
        """The score of a leaf that scores for one class: 1 if it has none."""
        node = self.data[u]
        score = self.read(u, "score") if "score" in node else np.array(1)
        if score.ndim:
            raise ModelError(f"{self.where(u)}: 'score' must be a number; give 'scores' for one per class")
        if "class" not in node and len(classes) != 2:
            raise ModelError(f"{self.where(u)}: there are {len(classes)} classes: add 'class', or give 'scores'")
        label = node["class"] if "class" in node else classes[1]
        if label not in classes:
            raise ModelError(f"{self.where(u)}: there is no class {label!r}")
        return np.array([score if name == label else 0 for name in classes], dtype=score.dtype)

    def _counts(self) -> bool:
        kinds = {key for _, node in self.leaves() for key in ("counts", "scores") if key in node}
        if len(kinds) == 2:
            raise ModelError(f"{self.name} has leaves with 'counts' and leaves with 'scores': use only one of them")
        return "counts" in kinds


# --- names ------------------------------------------------------------------------------------------------------------


def feature_names(sketches: Sequence[Sketch], features: Sequence[str] | None) -> tuple[str, ...]:
    """The features given, or those that the trees mention."""
    if features is not None:
        return checked_features(features, len(features))
    mentioned: dict[Any, None] = {}
    for sketch in sketches:
        for u, node in sketch.tests():
            name = node["feature"]
            if isinstance(name, bool) or not isinstance(name, (str, int, np.integer)):
                raise ModelError(f"{sketch.where(u)}: a feature must be a name or an index, not {reprlib.repr(name)}")
            mentioned[name] = None
    if all(isinstance(name, str) for name in mentioned):
        return checked_features(list(mentioned), len(mentioned))
    if any(isinstance(name, str) for name in mentioned):
        raise ModelError("some tests give the name of their feature, others its index: list the names in features")
    return tuple(default_names(max(int(name) for name in mentioned) + 1))


def class_names(sketches: Sequence[Sketch], classes: Sequence[Hashable] | None) -> Labels:
    """The classes given, or those of the leaves."""
    if classes is not None:
        return checked_names(classes, len(classes), "classes", [])
    labels: set[Any] = set()
    for sketch in sketches:
        for u, node in sketch.leaves():
            for key in ("counts", "scores"):
                if key in node:
                    return tuple(range(sketch.read(u, key).size))
            if "class" in node:
                if not isinstance(node["class"], Hashable):
                    raise ModelError(f"{sketch.where(u)}: {reprlib.repr(node['class'])} cannot be a class")
                labels.add(node["class"])
    try:
        return tuple(sorted(labels)) or (0, 1)
    except TypeError:
        raise ModelError("the classes of the leaves have no order: list them in classes") from None


# --- boosted trees ----------------------------------------------------------------------------------------------------


class Domains:
    """What boosted trees of dicts distinguish in each feature."""

    def __init__(
        self,
        sketches: Sequence[Sketch],
        features: Sequence[str] | None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None,
        *,
        float32: bool,
    ) -> None:
        self._float32 = checked_flag(float32, "float32")
        self.features = feature_names(sketches, features)
        #: By feature, the names of its values without the missing one, or None if it is a number.
        self.labels = checked_labels(values, self.features)
        tests: list[set[Test]] = [set() for _ in self.features]
        #: By feature, whether missing values are its last value.
        self.missing = [False] * len(self.features)
        for sketch in sketches:
            for u, node in sketch.tests():
                j = sketch.feature(u, self.features)
                self.missing[j] |= "missing" in node
                if "in" not in node and self.labels[j] is None:
                    tests[j].add(sketch.number(u))
        #: By feature and cut (the first double that goes right), ascending, the code before it; empty without numbers.
        self._cuts: list[dict[float, int]] = []
        shown: list[Labels] = []
        for named, of_feature, missing in zip(self.labels, tests, self.missing, strict=True):
            # by cut, what it is called: the number, and whether it lies on the right
            descending = dict(sorted(((self._first_right(test), test) for test in of_feature), reverse=True))
            at = dict(reversed(descending.items()))
            self._cuts.append({cut: code for code, cut in enumerate(at)})
            ends = [(repr(number).removesuffix(".0"), not strict) for number, strict in at.values()]
            own = range_names(ends) if named is None else named
            shown.append((*own, *([MISSING] if missing else [])))
        #: By feature, the names of all values.
        self.values = tuple(
            checked_names(one, len(one), f"values of {name!r}", [])
            for one, name in zip(shown, self.features, strict=True)
        )
        self.encoder = RawColumns(self.features, [self._reader(j) for j in range(len(self.features))])

    def _first_right(self, test: Test) -> float:
        return first_right(test[0], strict=test[1], float32=self._float32)

    def _reader(self, j: int) -> Reader:
        labels, n_values = self.labels[j], len(self.values[j])
        nan = n_values - 1 if self.missing[j] else -1
        if labels is None:
            return Ranges(j, tuple(self._cuts[j]), tuple(range(n_values - self.missing[j])), nan=nan)
        return Categories(j, labels, tuple(range(len(labels))), nan=nan, none=nan)

    def nodes(self, sketch: Sketch, classes: Labels) -> TreeNodes:
        """A tree over value codes."""

        def last_left(u: int, j: int) -> float:
            if self.labels[j] is not None:
                raise ModelError(f"{sketch.where(u)}: feature {self.features[j]!r} has named values: use 'in'")
            return self._cuts[j][self._first_right(sketch.number(u))]

        return sketch.nodes(self.features, self.labels, classes, last_left, self.missing)
