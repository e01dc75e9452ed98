"""Nested dicts with scores, as people write boosted trees -> tests over value codes, and an encoder for raw rows.

Numbers become codes by the cuts of all trees. A cut is the first double that goes right, so "less than" and "at most"
may be mixed, and numbers that are rounded to 32 bits before they are compared are read as they are.
"""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symcf.data.columns import Categories, Ranges, RawColumns, Reader
from symcf.data.labels import checked_names
from symcf.errors import ModelError
from symcf.models.scaling import Numbers, joined
from symcf.models.trees.dicts import Sketch, feature_names
from symcf.models.trees.nodes import Labels, checked_labels

__all__ = ["BoostedSketch", "Domains", "domains_of"]

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
