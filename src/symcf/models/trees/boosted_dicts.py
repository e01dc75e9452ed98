"""Nested dicts with scores, as people write boosted trees -> tests over value codes, and an encoder for raw rows.

Numbers become codes by the cuts of all trees. A cut is the first double that goes right, so "less than" and "at most"
may be mixed, and numbers that are rounded to 32 bits before they are compared are read as they are.
"""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symcf.data.columns import Categories, Ranges, RawColumns, Reader
from symcf.data.labels import checked_features, checked_names, default_names
from symcf.errors import ModelError
from symcf.models.scaling import Numbers, joined, numbers
from symcf.models.trees.nodes import Labels, TreeNodes, are_scores, bad_scores, checked_labels

__all__ = ["BoostedSketch", "Domains", "Sketch", "class_names", "domains_of", "feature_names"]

MISSING = "(missing)"

#: A test of a number: what it is compared with, and whether that number itself goes right.
Test = tuple[float, bool]

SIDES = ("yes", "no")


@dataclass(frozen=True, eq=False)
class Domains:
    """What the trees distinguish."""

    features: tuple[str, ...]
    classes: Labels
    #: By feature, the names of its values without the missing one, or None if it is a number.
    labels: tuple[Labels | None, ...]
    #: By feature with numbers, the first doubles that go right, ascending.
    cuts: tuple[tuple[float, ...] | None, ...]
    #: By feature, the names of all values.
    values: tuple[Labels, ...]
    #: By feature, whether missing values are its last value.
    missing: tuple[bool, ...]
    encoder: RawColumns
    float32: bool

    @property
    def n_values(self) -> list[int]:
        """By feature, the number of values."""
        return [len(labels) for labels in self.values]


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


class BoostedSketch(Sketch):
    """A tree of dicts whose leaves have scores."""

    def _is_test(self, u: int) -> bool:
        node = self.data[u]
        if not isinstance(node, Mapping):
            raise ModelError(f"{self.where(u)} must be a dict, not {reprlib.repr(node)}")
        keys = set(node)
        if keys in ({"score"}, {"score", "class"}, {"scores"}):
            return False
        if keys - {"missing"} in [{"feature", "yes", "no", test} for test in ("less_than", "at_most", "in")]:
            if node.get("missing", "yes") not in SIDES:
                raise ModelError(f"{self.where(u)}: 'missing' must be 'yes' or 'no', not {node['missing']!r}")
            return True
        raise ModelError(
            f"{self.where(u)} has the keys {', '.join(map(repr, node))}: a test has 'feature', one of 'less_than', "
            f"'at_most' and 'in', 'yes', 'no' and perhaps 'missing'; a leaf has 'score', perhaps 'class', or 'scores'"
        )

    def number(self, u: int) -> Test:
        """The number that a node compares with."""
        (key,) = {"less_than", "at_most"} & set(self.data[u])
        number = self.read(u, key)
        if number.ndim or not np.isfinite(number):
            raise ModelError(f"{self.where(u)}: {key!r} must be a finite number, not {self.data[u][key]!r}")
        return float(number) + 0.0, key == "less_than"  # -0.0 is 0.0

    def arrays(self, domains: Domains) -> dict[str, Any]:
        """The tree over value codes."""
        m = len(self.data)
        feature, below, last = np.full(m, -1), np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
        subset: dict[int, list[int]] = {}
        for u, node in self.tests():
            j = self._feature(u, domains.features)
            feature[u], left = j, node.get("missing") == "yes"
            labels, cuts = domains.labels[j], domains.cuts[j]
            if domains.missing[j] and "missing" not in node:
                raise ModelError(f"{self.where(u)} needs 'missing': other tests of {domains.features[j]!r} have it")
            if "in" in node:
                extra = [len(labels or ())] if left else []
                subset[u] = [*self._codes(u, labels, domains.features[j]), *extra]
            elif cuts is None:
                raise ModelError(f"{self.where(u)}: feature {domains.features[j]!r} has named values: use 'in'")
            else:
                below[u] = cuts.index(first_right(*self.number(u), float32=domains.float32)) + 1
                last[u] = left
        score = self._scores(domains.classes)
        tests = {"feature": feature, "below": below, "last": last, "subset": subset}
        return {**tests, "left": self.left, "right": self.right, "score": score}

    def _scores(self, classes: Labels) -> Numbers:
        rows: list[Numbers] = [np.zeros(len(classes), dtype=np.int64)] * len(self.data)
        for u, node in enumerate(self.data):
            if self.left[u] >= 0:
                continue
            if "scores" in node:
                rows[u] = self.read(u, "scores")
                if rows[u].shape != (len(classes),):
                    raise ModelError(f"{self.where(u)}: 'scores' must list {len(classes)} numbers, one per class")
                continue
            score = self.read(u, "score")
            if score.ndim:
                raise ModelError(f"{self.where(u)}: 'score' must be a number; give 'scores' for one per class")
            if "class" not in node and len(classes) != 2:
                raise ModelError(f"{self.where(u)}: there are {len(classes)} classes: add 'class', or give 'scores'")
            label = node.get("class", classes[1])
            if label not in classes:
                raise ModelError(f"{self.where(u)}: there is no class {label!r}")
            rows[u] = np.array([score if name == label else 0 for name in classes], dtype=score.dtype)
        return joined(rows).reshape(len(rows), -1)


def domains_of(
    sketches: Sequence[BoostedSketch],
    features: Sequence[str] | None,
    values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None,
    classes: Sequence[Hashable] | None,
    *,
    float32: bool,
) -> Domains:
    """What trees of dicts distinguish."""
    if not isinstance(float32, bool):
        raise ModelError(f"float32 must be True or False, not {float32!r}")
    names = feature_names(sketches, features)
    labels = checked_labels(values, names)
    tests: list[set[Test]] = [set() for _ in names]
    missing = [False] * len(names)
    for sketch in sketches:
        for u, node in sketch.tests():
            j = sketch._feature(u, names)
            missing[j] |= "missing" in node
            if "in" not in node and labels[j] is None:
                tests[j].add(sketch.number(u))
    cuts, shown = [], []
    for j, named in enumerate(labels):
        # by cut, what it is called: the number, and whether it lies on the right
        at = {first_right(*test, float32=float32): test for test in sorted(tests[j], reverse=True)}
        cuts.append(None if named is not None else tuple(sorted(at)))
        own = named if named is not None else range_labels([at[cut] for cut in sorted(at)])
        shown.append((*own, *([MISSING] if missing[j] else [])))
    readers = [_reader(j, labels[j], cuts[j], missing[j]) for j in range(len(names))]
    return Domains(
        names,
        _classes(sketches, classes),
        tuple(labels),
        tuple(cuts),
        tuple(checked_names(one, len(one), f"values of {names[j]!r}", []) for j, one in enumerate(shown)),
        tuple(missing),
        RawColumns(names, readers),
        float32,
    )


def _reader(column: int, labels: Labels | None, cuts: tuple[float, ...] | None, missing: bool) -> Reader:
    if cuts is not None:
        codes = tuple(range(len(cuts) + 1))
        return Ranges(column, cuts, codes, nan=len(codes) if missing else -1)
    assert labels is not None
    nan = len(labels) if missing else -1
    return Categories(column, labels, tuple(range(len(labels))), nan=nan, none=nan)


def _classes(sketches: Sequence[BoostedSketch], classes: Sequence[Hashable] | None) -> Labels:
    """The classes given, or those of the leaves."""
    if classes is not None:
        return checked_names(classes, len(classes), "classes", [])
    labels: set[Any] = set()
    for sketch in sketches:
        for u, node in enumerate(sketch.data):
            if sketch.left[u] < 0 and "scores" in node:
                return tuple(range(sketch.read(u, "scores").size))
            if sketch.left[u] < 0 and "class" in node:
                labels.add(node["class"])
    try:
        return tuple(sorted(labels)) or (0, 1)
    except TypeError:
        raise ModelError("the classes of the leaves have no order: list them in classes") from None


# --- cuts -------------------------------------------------------------------------------------------------------------


def first_right(number: float, strict: bool, *, float32: bool) -> float:
    """The first double that fails the test ``x < number`` (``strict``) or ``x <= number``."""
    if not float32:
        return number if strict else math.nextafter(number, math.inf)
    with np.errstate(over="ignore"):
        first = np.float32(number)
        # the first 32-bit float that fails the test
        if float(first) < number or (float(first) == number and not strict):
            first = np.nextafter(first, np.float32(np.inf))
        before = np.nextafter(first, np.float32(-np.inf))
    # the doubles that round to it start halfway from the one before, or right after that
    middle = float(before) / 2 + float(first) / 2
    return middle if np.float32(middle) == first else math.nextafter(middle, math.inf)


def range_labels(tests: Sequence[Test]) -> list[str]:
    """< 25, 25 .. 40, > 40"""
    if not tests:
        return ["any"]
    shown = [(repr(number).removesuffix(".0"), strict) for number, strict in tests]
    names = [f"{'<' if shown[0][1] else '<='} {shown[0][0]}"]
    # x < 3 and x <= 3 are two cuts around one number
    names += [low if low == high else f"{low} .. {high}" for (low, _), (high, _) in itertools.pairwise(shown)]
    return [*names, f"{'>=' if shown[-1][1] else '>'} {shown[-1][0]}"]


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
