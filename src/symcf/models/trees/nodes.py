"""Flat trees: one array per property of their nodes, so that depth does not matter.

The same for single trees, forests and boosted trees. A test compares a number with a threshold where the model knows
the thresholds of a feature, and else the code of a value.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.data.labels import checked_names
from symcf.errors import ModelError
from symcf.models.base import same
from symcf.models.scaling import Numbers, numbers

__all__ = ["Labels", "TreeNodes", "checked_labels", "checked_nodes"]

Labels = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """One tree. Node 0 is the root; children come after their parents."""

    #: The feature that a node tests; -1 for leaves.
    feature: npt.NDArray[np.int32]
    #: Where rows go that pass the test, and the others; -1 at leaves.
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    #: The test is ``x <= threshold``, of a number or of a code; NaN at leaves and where it is a set of values.
    threshold: npt.NDArray[np.float64]
    #: Does the last value of the feature pass, too?
    last: npt.NDArray[np.bool_]
    #: What each class gets at a leaf: (nodes, classes).
    score: Numbers
    #: By node that tests a set of values: the codes that go left.
    subset: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    #: Are the scores numbers of rows seen in training? Then only their shares matter beside other trees.
    counts: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeNodes):
            return NotImplemented
        return all(same(getattr(self, one.name), getattr(other, one.name)) for one in fields(self))

    __hash__ = None  # type: ignore[assignment]

    @property
    def leaves(self) -> npt.NDArray[np.bool_]:
        """Which nodes are leaves."""
        return self.feature < 0


def checked_nodes(
    feature: Any,
    threshold: Any,
    left: Any,
    right: Any,
    score: Any,
    n_features: int,
    subset: Mapping[int, tuple[int, ...]] | None = None,
    *,
    last: npt.NDArray[np.bool_] | None = None,
    counts: bool = False,
    name: str = "the tree",
) -> TreeNodes:
    """A tree from arrays; ModelError names the node that is wrong."""
    tick()
    subset = subset or {}
    feature, left, right = (
        integers(given, f"{name}: {what}") for given, what in ((feature, "feature"), (left, "left"), (right, "right"))
    )
    threshold = numbers(threshold, f"{name}: threshold").astype(np.float64)
    scores = _score_table(score, name)
    m = len(feature)
    goes = np.zeros(m, dtype=np.bool_) if last is None else last
    if m == 0 or any(a.shape != (m,) for a in (threshold, left, right, goes)) or len(scores) != m:
        raise ModelError(f"{name}: the arrays of its nodes must be equally long, one entry per node")
    is_leaf = left < 0
    for u in np.flatnonzero(is_leaf != (right < 0)):
        raise ModelError(f"{name}: node {u} has one child")
    for u in np.flatnonzero(~is_leaf & ((feature < 0) | (feature >= n_features))):
        raise ModelError(f"{name}: node {u} tests feature {feature[u]}, but there are {n_features} features")
    has_set = np.isin(np.arange(m), list(subset))
    for u in np.flatnonzero(~is_leaf & ~has_set & ~np.isfinite(threshold)):
        raise ModelError(f"{name}: the threshold of node {u} is {threshold[u]}")
    for u in np.flatnonzero(is_leaf & ~are_scores(scores, counts)):
        raise ModelError(f"{name}: node {u}: {bad_scores(scores[u])}")
    order = _checked_order(left, right, name)
    place = np.empty(m + 1, dtype=np.int64)
    place[order], place[-1] = np.arange(m), -1  # the last entry is what the -1 of a leaf refers to
    return TreeNodes(
        np.where(is_leaf, -1, feature)[order].astype(np.int32),
        place[np.where(is_leaf, -1, left)[order]].astype(np.int32),
        place[np.where(is_leaf, -1, right)[order]].astype(np.int32),
        np.where(is_leaf | has_set, math.nan, threshold + 0.0)[order],
        (goes & ~is_leaf & ~has_set)[order],
        np.where(is_leaf[:, None], scores, np.zeros_like(scores))[order],
        {int(place[u]): codes for u, codes in subset.items()},
        counts,
    )


def _checked_order(left: npt.NDArray[np.int64], right: npt.NDArray[np.int64], name: str) -> npt.NDArray[np.int64]:
    """The nodes in an order that has parents before children: unchanged if they already are."""
    m = len(left)
    inner = np.flatnonzero(left >= 0)
    children = np.concatenate([left[inner], right[inner]])
    for child in children[(children < 1) | (children >= m)]:
        raise ModelError(f"{name}: {child} cannot be a child: children are nodes 1 to {m - 1}")
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


def integers(given: Any, what: str) -> npt.NDArray[np.int64]:
    """A flat list of integers as an array."""
    array = numbers(given, what)
    if array.ndim != 1 or array.dtype.kind != "i":
        raise ModelError(f"{what} must be a list of integers")
    return array.astype(np.int64)


def _score_table(score: Any, name: str) -> Numbers:
    try:
        table = np.asarray(score)
    except (TypeError, ValueError, OverflowError):
        table = np.empty(0)
    if table.ndim != 2:
        raise ModelError(f"{name}: score must have one row per node and one number per class")
    return numbers(table.ravel(), f"{name}: score").reshape(table.shape)


def are_scores(rows: Numbers, counts: bool) -> npt.NDArray[np.bool_]:
    """By row of numbers, are they allowed at a leaf?"""
    finite = np.isfinite(rows).all(axis=1)
    return np.asarray(finite & (rows >= 0).all(axis=1) & rows.any(axis=1) if counts else finite)


def bad_scores(row: Numbers) -> str:
    """What is wrong with scores that are not allowed."""
    wrong = row[~np.isfinite(row)]
    return f"a score is {wrong[0]}, which is not finite" if len(wrong) else "counts must not be negative, nor all 0"


def rounded_32(tree: TreeNodes) -> TreeNodes:
    """With each threshold rounded down to a 32-bit float, which splits the 32-bit floats in the same way."""
    with np.errstate(over="ignore"):
        nearest = tree.threshold.astype(np.float32)
        below = np.nextafter(nearest, np.float32(-np.inf))
    return replace(tree, threshold=np.where(nearest > tree.threshold, below, nearest).astype(np.float64))


def with_sets(tree: TreeNodes, labels: Sequence[Labels | None], features: Sequence[str]) -> TreeNodes:
    """With sets of codes in place of thresholds where the values are named."""
    named = np.array([names is not None for names in labels] + [False])[tree.feature]
    at = np.flatnonzero(named & ~np.isnan(tree.threshold))
    threshold, subset = tree.threshold.copy(), dict(tree.subset)
    for u in at.tolist():
        j = int(tree.feature[u])
        for label in labels[j] or ():
            if not isinstance(label, (int, float, np.integer, np.floating)):
                raise ModelError(
                    f"feature {features[j]!r} is compared with {threshold[u]}, but its value {label!r} is not a number"
                )
        subset[u] = tuple(v for v, label in enumerate(labels[j] or ()) if label <= threshold[u])
        threshold[u] = math.nan
    return replace(tree, threshold=threshold, subset=subset)


# --- JSON -------------------------------------------------------------------------------------------------------------
# Trees that compare numbers are written with their thresholds, trees over value codes with the first code that goes
# right. What is no node's own is None.


def to_dict(tree: TreeNodes) -> dict[str, Any]:
    """For JSON: lists with one entry per node."""
    tick()
    return {
        "feature": tree.feature.tolist(),
        "threshold": [None if math.isnan(t) else t for t in tree.threshold.tolist()],
        "subset": [list(tree.subset[u]) if u in tree.subset else None for u in range(len(tree.feature))],
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "score": _at_leaves(tree, tree.score.tolist()),
        "counts": tree.counts,
    }


def codes_to_dict(tree: TreeNodes) -> dict[str, Any]:
    """The same over value codes. Where all leaves score for one class, ``of`` names it."""
    owners = np.flatnonzero(tree.score.any(axis=0))
    of = int(owners[0]) if len(owners) == 1 else None
    return {
        "feature": tree.feature.tolist(),
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "below": np.where(np.isnan(tree.threshold), 0, tree.threshold + 1).astype(np.int64).tolist(),
        "last": tree.last.tolist(),
        "subset": {str(u): list(codes) for u, codes in tree.subset.items()},
        "of": of,
        "score": _at_leaves(tree, (tree.score if of is None else tree.score[:, of]).tolist()),
    }


def _at_leaves(tree: TreeNodes, rows: list[Any]) -> list[Any]:
    return [row if at_leaf else None for row, at_leaf in zip(rows, tree.leaves.tolist(), strict=True)]


def from_dict(data: Any, labels: Sequence[Labels | None], n_classes: int, name: str) -> TreeNodes:
    """The inverse of `to_dict`; ModelError says what is wrong."""
    _check_object(data, name)
    if not isinstance(data.get("counts", False), bool):
        raise ModelError(f"{name}: counts must be true or false, not {data['counts']!r}")
    for key in ("feature", "threshold", "subset", "left", "right", "score"):
        if not isinstance(data[key], list) or len(data[key]) != len(data["feature"]):
            raise ModelError(f"{name}: {key} must be a list with one entry per node")
    feature = integers(data["feature"], f"{name}: feature")
    subset = {
        u: checked_subset(codes, labels, int(feature[u]), f"{name}: the subset of node {u}")
        for u, codes in enumerate(data["subset"])
        if codes is not None
    }
    score = [[0] * n_classes if row is None else row for row in data["score"]]
    threshold = [math.nan if t is None else t for t in data["threshold"]]
    arrays = (feature, threshold, data["left"], data["right"], score)
    return checked_nodes(*arrays, len(labels), subset, counts=data.get("counts", False), name=name)


def codes_from_dict(data: Any, labels: Sequence[Labels], n_classes: int, name: str) -> TreeNodes:
    """The inverse of `codes_to_dict`; ModelError says what is wrong."""
    _check_object(data, name)
    of = data.get("of")
    if of is not None and (isinstance(of, bool) or not isinstance(of, int) or not 0 <= of < n_classes):
        raise ModelError(f"{name}: of must be the code of a class, not {of!r}")
    width = () if of is not None else (n_classes,)
    try:
        score = np.array([np.zeros(width, dtype=np.int64) if row is None else row for row in data["score"]])
    except ValueError:  # not equally long
        score = np.empty(0)
    if not len(score) or score.shape[1:] != width:
        raise ModelError(f"{name}: score must have one number per node with 'of', else one per node and class")
    if of is not None:
        score = np.where(np.arange(n_classes) == of, score[:, np.newaxis], 0)
    feature, below = (integers(data[key], f"{name}: {key}") for key in ("feature", "below"))
    last = np.asarray(data["last"])
    if last.dtype != np.bool_:
        raise ModelError(f"{name}: last must be true or false for each node")
    if len(below) != len(feature):
        raise ModelError(f"{name}: feature and below must be equally long, one entry per node")
    known = (feature >= 0) & (feature < len(labels))  # others are reported by `checked_nodes`
    sizes = np.array([*map(len, labels), 0])[np.where(known, feature, -1)]
    for u in np.flatnonzero(known & ((below < 0) | (below > sizes))):
        raise ModelError(f"{name}: node {u} sends codes below {below[u]} to the left, of {sizes[u]}")
    subset = data.get("subset", {})
    if not isinstance(subset, Mapping):
        raise ModelError(f"{name}: subset must map nodes to codes")
    sets = {}
    for u, codes in subset.items():
        if not str(u).isdecimal() or int(u) >= len(feature) or feature[int(u)] < 0:
            raise ModelError(f"{name}: subset: {u!r} is not a node that tests a feature")
        sets[int(u)] = checked_subset(codes, labels, int(feature[int(u)]), f"{name}: the subset of node {u}")
    arrays = (feature, below - 1, data["left"], data["right"], score)
    return checked_nodes(*arrays, len(labels), sets, last=last, name=name)


def _check_object(data: Any, name: str) -> None:
    if not isinstance(data, Mapping):
        raise ModelError(f"{name} must be an object, not {reprlib.repr(data)}")


def checked_subset(codes: Any, labels: Sequence[Labels | None], feature: int, what: str) -> tuple[int, ...]:
    """Codes of a feature with named values, ascending."""
    named = labels[feature] if 0 <= feature < len(labels) else None
    if named is None:
        raise ModelError(f"{what} needs a feature with named values")
    array = integers(codes, what)
    if array.size and not (array.min() >= 0 and array.max() < len(named)):
        raise ModelError(f"{what} must list codes between 0 and {len(named) - 1}")
    return tuple(np.unique(array).tolist())


def checked_labels(
    values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None, features: Sequence[str]
) -> list[Labels | None]:
    """By feature the names of its values, or None if it is a number."""
    if isinstance(values, Mapping):
        for name in values:
            if name not in features:
                raise ModelError(f"values: {name!r} is not a feature")
        values = [values.get(name) for name in features]
    if values is None:
        return [None] * len(features)
    if isinstance(values, str) or len(values) != len(features):
        raise ModelError(f"values names the values of {len(values)} features, the model has {len(features)}")
    return [
        None if named is None else _label_names(named, feature) for named, feature in zip(values, features, strict=True)
    ]


def _label_names(named: Any, feature: str) -> Labels:
    result = checked_names(named, len(named), f"values of {feature!r}", [])
    if not result:
        raise ModelError(f"feature {feature!r} has no value")
    return result
