"""Nested dicts, as people write trees -> flat trees. Without recursion, because a tree may be deep."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from symcf.data.labels import checked_features, checked_names, default_names
from symcf.errors import ModelError
from symcf.models.scaling import Numbers, joined, numbers
from symcf.models.trees.nodes import Labels, TreeNodes, are_scores, bad_scores

__all__ = ["Sketch", "class_names", "feature_names"]


class Sketch:
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
        """Which kind of node it is: a test or a leaf. ModelError if neither."""
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
        """The leaves: their content, and the key it was given under."""
        for u, node in enumerate(self.data):
            if self.left[u] < 0:
                ((key, content),) = node.items()
                yield u, key, content

    def nodes(self, features: Sequence[str], labels: Sequence[Labels | None], classes: Labels) -> TreeNodes:
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
        return TreeNodes(feature, left, right, threshold, self._scores(classes), subset, self._counts())

    def _feature(self, u: int, features: Sequence[str]) -> int:
        name = self.data[u]["feature"]
        if isinstance(name, str) and name in features:
            return features.index(name)
        if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and 0 <= name < len(features):
            return int(name)
        raise ModelError(f"{self.where(u)}: there is no feature {name!r}")

    def _number(self, u: int) -> float:
        given = self.data[u]["at_most"]
        number = self.read(u, "at_most")
        if number.ndim or not np.isfinite(number):
            raise ModelError(f"{self.where(u)}: 'at_most' must be a finite number, not {given!r}")
        return float(number) + 0.0  # -0.0 is 0.0

    def read(self, u: int, key: str) -> Numbers:
        """The numbers under a key. The place is found only for errors, because the path to a node may be long."""
        try:
            return numbers(self.data[u][key], repr(key))
        except ModelError as error:
            raise ModelError(f"{self.where(u)}: {error}") from None

    def _codes(self, u: int, labels: Labels | None, feature: str) -> tuple[int, ...]:
        if labels is None:
            raise ModelError(f"{self.where(u)}: 'in' needs the values of {feature!r}: list them in values")
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
            rows[u] = self.read(u, key)
            if rows[u].shape != (len(classes),):
                raise ModelError(f"{self.where(u)}: {key!r} must list {len(classes)} numbers, one per class")
            if not are_scores(rows[u], key == "counts"):
                raise ModelError(f"{self.where(u)}: {bad_scores(rows[u])}")
        return joined(rows).reshape(len(rows), -1)

    def _counts(self) -> bool:
        kinds = {key for _, key, _ in self.leaves()}
        if {"counts", "scores"} <= kinds:
            raise ModelError(f"{self.name} has leaves with 'counts' and leaves with 'scores': use only one of them")
        return "counts" in kinds


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
    labels: set[Hashable] = set()
    for sketch in sketches:
        for u, key, content in sketch.leaves():
            if key != "class":
                return tuple(range(sketch.read(u, key).size))
            try:
                labels.add(content)
            except TypeError:
                raise ModelError(f"{sketch.where(u)}: {reprlib.repr(content)} cannot be a class") from None
    try:
        return tuple(sorted(labels))  # type: ignore[type-var]
    except TypeError:
        raise ModelError("the classes of the leaves have no order: list them in classes") from None
