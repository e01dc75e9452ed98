"""The trees of boosted trees, flat, over value codes."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.scaling import Numbers, numbers
from symcf.models.trees.nodes import checked_order, integers

__all__ = ["BoostedNodes", "checked_boosted", "nodes_from_dict", "nodes_to_dict"]


@dataclass(frozen=True, eq=False)
class BoostedNodes:
    """One tree over value codes. Node 0 is the root; children come after their parents."""

    #: The feature that a node tests; -1 at leaves.
    feature: npt.NDArray[np.int32]
    #: Where rows go that pass the test, and the others; -1 at leaves.
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    #: Codes below it go left; 0 at leaves and where the test is a set.
    below: npt.NDArray[np.int32]
    #: Whether the last value of the feature goes left, too.
    last: npt.NDArray[np.bool_]
    #: What each class gets at a leaf: (nodes, classes).
    score: Numbers
    #: By node that tests a set of values: the codes that go left.
    subset: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoostedNodes):
            return NotImplemented
        mine, others = ((t.feature, t.left, t.right, t.below, t.last, t.score) for t in (self, other))
        return self.subset == other.subset and all(map(np.array_equal, mine, others))

    __hash__ = None  # type: ignore[assignment]

    @property
    def leaves(self) -> npt.NDArray[np.bool_]:
        """Which nodes are leaves."""
        return self.feature < 0


def checked_boosted(
    *,
    feature: Any,
    left: Any,
    right: Any,
    below: Any,
    last: Any,
    score: Any,
    subset: Mapping[int, Sequence[int]],
    n_values: Sequence[int],
    name: str,
) -> BoostedNodes:
    """A tree from arrays; ModelError names the node that is wrong."""
    tick()
    feature, left, right, below = (
        integers(given, f"{name}: {what}")
        for given, what in ((feature, "feature"), (left, "left"), (right, "right"), (below, "below"))
    )
    scores = numbers(np.asarray(score).ravel(), f"{name}: score").reshape(np.shape(score))
    m = len(feature)
    goes = np.asarray(last)
    if m == 0 or any(len(array) != m for array in (left, right, below, goes, scores)) or scores.ndim != 2:
        raise ModelError(
            f"{name}: feature, left, right, below, last and score must be equally long, one entry per node"
        )
    if goes.dtype != np.bool_:
        raise ModelError(f"{name}: last must be true or false for each node")
    leaf = left < 0
    sizes = np.array([*n_values, 0])
    for u in np.flatnonzero(leaf != (right < 0)):
        raise ModelError(f"{name}: node {u} has one child")
    for u in np.flatnonzero(~leaf & ((feature < 0) | (feature >= len(n_values)))):
        raise ModelError(f"{name}: node {u} tests feature {feature[u]}, but there are {len(n_values)} features")
    feature = np.where(leaf, -1, feature)
    for u in np.flatnonzero(~leaf & ((below < 0) | (below > sizes[feature]))):
        raise ModelError(f"{name}: node {u} sends codes below {below[u]} to the left, of {sizes[feature[u]]}")
    for u in np.flatnonzero(leaf & ~np.isfinite(scores).all(axis=1)):
        raise ModelError(f"{name}: the score of node {u} is not finite")
    sets = {
        u: _checked_set(codes, int(sizes[feature[u]]), f"{name}: the subset of node {u}") for u, codes in subset.items()
    }
    order = checked_order(left, right, name)
    place = np.empty(m + 1, dtype=np.int64)
    place[order], place[-1] = np.arange(m), -1  # the last entry is what the -1 of a leaf refers to
    has_set = np.isin(np.arange(m), list(sets))
    return BoostedNodes(
        feature[order].astype(np.int32),
        place[np.where(leaf, -1, left)[order]].astype(np.int32),
        place[np.where(leaf, -1, right)[order]].astype(np.int32),
        np.where(leaf | has_set, 0, below)[order].astype(np.int32),
        (goes & ~leaf & ~has_set)[order],
        np.where(leaf[:, None], scores, np.zeros_like(scores))[order],
        {int(place[u]): codes for u, codes in sets.items()},
    )


def _checked_set(codes: Any, n_values: int, what: str) -> tuple[int, ...]:
    array = integers(codes, what)
    if array.size and not (array.min() >= 0 and array.max() < n_values):
        raise ModelError(f"{what} must list codes between 0 and {n_values - 1}")
    return tuple(np.unique(array).tolist())


def nodes_to_dict(tree: BoostedNodes) -> dict[str, Any]:
    """For JSON: lists with one entry per node. Where all leaves score for one class, ``of`` names it."""
    owners = np.flatnonzero(tree.score.any(axis=0))
    of = int(owners[0]) if len(owners) == 1 else None
    rows = (tree.score if of is None else tree.score[:, of]).tolist()
    return {
        "feature": tree.feature.tolist(),
        "left": tree.left.tolist(),
        "right": tree.right.tolist(),
        "below": tree.below.tolist(),
        "last": tree.last.tolist(),
        "subset": {str(u): list(codes) for u, codes in tree.subset.items()},
        "of": of,
        "score": [row if at_leaf else None for row, at_leaf in zip(rows, tree.leaves.tolist(), strict=True)],
    }


def nodes_from_dict(data: Any, n_values: Sequence[int], n_classes: int, name: str) -> BoostedNodes:
    """The inverse of `nodes_to_dict`; ModelError says what is wrong."""
    if not isinstance(data, Mapping):
        raise ModelError(f"{name} must be an object, not {reprlib.repr(data)}")
    of = data.get("of")
    if of is not None and (isinstance(of, bool) or not isinstance(of, int) or not 0 <= of < n_classes):
        raise ModelError(f"{name}: of must be the code of a class, not {of!r}")
    given = data["score"]
    empty: Any = 0 if of is not None else [0] * n_classes
    try:
        score = np.array([empty if row is None else row for row in given])
    except ValueError:  # not equally long
        score = np.empty(0)
    if not len(score) or score.shape[1:] != (() if of is not None else (n_classes,)):
        raise ModelError(f"{name}: score must have one number per node with 'of', else one per node and class")
    if of is not None:
        table = np.zeros((len(score), n_classes), dtype=score.dtype)
        table[:, of] = score
        score = table
    subset = data.get("subset", {})
    if not isinstance(subset, Mapping):
        raise ModelError(f"{name}: subset must map nodes to codes")
    n = len(data["feature"])
    for u in subset:
        if not str(u).isdecimal() or int(u) >= n or data["feature"][int(u)] < 0:
            raise ModelError(f"{name}: subset: {u!r} is not a node that tests a feature")
    sets = {int(u): codes for u, codes in subset.items()}
    arrays = {key: data[key] for key in ("feature", "left", "right", "below", "last")}
    return checked_boosted(**arrays, score=score, subset=sets, n_values=n_values, name=name)
