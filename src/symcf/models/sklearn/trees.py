"""Trees and forests: numbers become ranges between the thresholds of the trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import InternalError, ModelError
from symcf.models.base import Model
from symcf.models.sklearn.cut_points import rounded_32
from symcf.models.sklearn.design import Design, Source
from symcf.models.trees.classifiers import DecisionTree, RandomForest
from symcf.models.trees.nodes import TreeNodes, checked_nodes

__all__ = ["FORESTS", "TREES", "Part", "bagged", "bagging", "forest", "shares", "tree", "tree_sum"]

TREES = ("DecisionTreeClassifier", "ExtraTreeClassifier")
FORESTS = ("RandomForestClassifier", "ExtraTreesClassifier")

Table = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Part:
    """A fitted tree among others."""

    tree: Any
    #: What each class gets at each node; only those of the leaves count.
    scores: Table
    #: The first column of the matrix that the tree reads.
    first: int = 0
    #: Which of the columns from there on it was fitted on, and of how many; None: all.
    columns: npt.NDArray[np.int64] | None = None
    n_columns: int | None = None

    @property
    def tested(self) -> npt.NDArray[np.int64]:
        """By node, the column of the matrix that it tests; -1 at leaves."""
        flat = self.tree.tree_
        inner = flat.children_left >= 0
        # a leaf has the feature -2, which is no place among the columns
        feature = flat.feature if self.columns is None else self.columns[np.where(inner, flat.feature, 0)]
        return np.where(inner, feature + self.first, -1)


def tree(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """DecisionTreeClassifier: the class with the largest share at the leaf."""
    return tree_sum([Part(estimator, shares(estimator.tree_.value))], source, classes, other)


def forest(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """RandomForestClassifier and ExtraTreesClassifier: the shares at the leaves are added up."""
    parts = [Part(one, shares(one.tree_.value)) for one in estimator.estimators_]
    return tree_sum(parts, source, classes, other, alone=False)


def tree_sum(
    parts: Sequence[Part],
    source: Source,
    classes: tuple[Any, ...],
    other: bool,
    *,
    threshold: tuple[int, float] | None = None,
    alone: bool = True,
) -> Model:
    """Trees whose scores are added up; the largest sum wins, the first of several.

    With a threshold (c, t): class c of two iff its sum is at least t. ``alone``: whether a single tree is no forest.
    """
    constant: Table | None = None
    if threshold is not None:
        # the other class has 0 throughout; negative numbers are no shares, so that none are shown as probabilities
        of, at = threshold
        column = np.arange(2) == of
        if len(parts) == 1:
            parts = [replace(parts[0], scores=np.where(column, np.where(parts[0].scores[:, [of]] >= at, 1, -1), 0))]
        else:
            parts = [replace(part, scores=np.where(column, part.scores, 0)) for part in parts]
            constant = np.where(column, -at, 0.0)
    tie = "negative" if threshold is None or threshold[0] == 0 else "positive"
    trees = _Trees(parts, source, other)
    nodes = [trees.nodes(part) for part in parts]
    names = {**trees.names, "classes": classes, "tie": tie, "float32": True}
    if len(nodes) == 1 and alone:
        return DecisionTree.from_nodes(nodes, **names)
    if constant is not None:
        nodes.append(checked_nodes([-1], [0.0], [-1], [-1], [constant], 0))
    return RandomForest.from_nodes(nodes, rounded=True, **names)


def bagging(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """BaggingClassifier of trees: the shares at the leaves are added up, as in a forest."""
    return tree_sum(bagged(estimator, len(classes)), source, classes, other, alone=False)


def bagged(estimator: Any, n_classes: int) -> list[Part]:
    """The trees of a BaggingClassifier, which were trained on some columns each, and perhaps on some classes."""
    parts = []
    for one, columns in zip(estimator.estimators_, estimator.estimators_features_, strict=True):
        if type(one).__name__ not in TREES:
            raise ModelError(f"BaggingClassifier of {type(one).__name__} is not supported: only trees are")
        scores = np.zeros((one.tree_.node_count, n_classes))
        scores[:, one.classes_.astype(np.int64)] = shares(one.tree_.value)
        chosen = np.asarray(columns, dtype=np.int64)
        parts.append(Part(one, scores, columns=chosen, n_columns=int(estimator.n_features_in_)))
    return parts


class _Trees:
    """Trees over the same features."""

    def __init__(self, parts: Sequence[Part], source: Source, other: bool) -> None:
        estimators = [part.tree for part in parts]
        if any(map(_saw_missing, estimators)) or (source.data is not None and all(map(_takes_missing, estimators))):
            source.accept_missing()
        #: By node of all trees, the column that it tests (-1 at leaves) and the threshold.
        self.tested = np.concatenate([part.tested for part in parts])
        self.bounds = np.concatenate([part.tree.tree_.threshold for part in parts])
        self._add_cuts(source)
        self.design: Design = source.design(
            other=other, usable=_fits_32_bits, missing=all(map(_takes_missing, estimators))
        )
        # Features that are compared directly keep their thresholds; for others, sets of values go left.
        self.plain = self._plain_columns(source)
        #: By column of the estimator: the feature, and the column's place in its table.
        self.place = {c: (j, i) for j, columns in enumerate(self.design.columns) for i, c in enumerate(columns)}

    def _add_cuts(self, source: Source) -> None:
        numbers = [(c, t) for c, t in enumerate(source.lineages) if not (t.finite or t.domain.listed)]
        for c, lineage in numbers:
            lineage.domain.add_cuts((*lineage.chain, rounded_32), self.bounds[self.tested == c], strict=True)
        for _, lineage in numbers:
            # ranges up to the ends of a function reach far, and as a plain number the column has 32 bits
            if lineage.domain.functions:
                lineage.domain.add_edges((*lineage.chain, rounded_32))

    def _plain_columns(self, source: Source) -> frozenset[int]:
        mixed = {id(t.domain) for t in source.lineages if t.finite or t.chain or t.domain.listed or t.domain.missing}
        # a threshold of infinity tells missing values from all others
        infinite = set(self.tested[np.isinf(self.bounds)].tolist())
        mixed |= {id(source.lineages[c].domain) for c in infinite if c >= 0}
        return frozenset(c for c, lineage in enumerate(source.lineages) if id(lineage.domain) not in mixed)

    @property
    def names(self) -> dict[str, Any]:
        """The keywords that the trees share."""
        values = [
            None if set(columns) <= self.plain else values
            for values, columns in zip(self.design.values, self.design.columns, strict=True)
        ]
        return {**self.design.names, "values": values}

    def nodes(self, part: Part) -> TreeNodes:
        """A tree over the features."""
        flat = part.tree.tree_
        inner = flat.children_left >= 0
        column = part.tested.tolist()
        feature = np.array([self.place[c][0] if at else -1 for c, at in zip(column, inner, strict=True)])
        # where a missing value goes; old versions know none
        with_missing = getattr(flat, "missing_go_to_left", np.zeros(len(inner)))
        subset = {
            u: self._left(column[u], float(flat.threshold[u]), missing=bool(with_missing[u]))
            for u in np.flatnonzero(inner).tolist()
            if column[u] not in self.plain
        }
        arrays = (feature, flat.threshold, flat.children_left, flat.children_right, part.scores)
        return checked_nodes(*arrays, len(self.design.features), subset)

    def _left(self, column: int, threshold: float, *, missing: bool) -> tuple[int, ...]:
        """The values that go left."""
        j, i = self.place[column]
        sides = [_goes_left(seen.column(i), threshold, missing=missing) for seen in self.design.examples[j]]
        if not all(np.array_equal(side, sides[0]) for side in sides):
            raise InternalError(f"the ranges of column {self.design.features[j]!r} do not fit the pipeline")
        return tuple(np.flatnonzero(sides[0]).tolist())


def _fits_32_bits(_: int, seen: Table) -> npt.NDArray[np.bool_]:
    return ~np.isinf(rounded_32(seen))


def _goes_left(seen: Table, threshold: float, *, missing: bool) -> npt.NDArray[np.bool_]:
    return np.where(np.isnan(seen), missing, rounded_32(seen) <= threshold)


def shares(value: Table) -> Table:
    """What `predict_proba` gives at each node. Old versions keep weights of training rows, new ones shares."""
    table = np.asarray(value[:, 0, :], dtype=np.float64)
    totals = table.sum(axis=1, keepdims=True)
    return np.where(np.abs(totals - 1) < 1e-9, table, table / np.where(totals > 0, totals, 1))


def _saw_missing(estimator: Any) -> bool:
    """Was the tree trained with missing values?"""
    flat = estimator.tree_
    inner = flat.children_left >= 0
    if np.isinf(flat.threshold[inner]).any():
        return True
    if not hasattr(flat, "missing_go_to_left"):
        return False
    # without missing values in training, they go where most rows went
    left = flat.n_node_samples[flat.children_left[inner]]
    right = flat.n_node_samples[flat.children_right[inner]]
    goes_left = flat.missing_go_to_left[inner].astype(np.bool_)
    odd = bool((goes_left & (left <= right)).any())
    return odd or (estimator.splitter == "best" and bool((~goes_left & (left > right)).any()))


def _takes_missing(estimator: Any) -> bool:
    """Does it accept missing values, whether or not it was trained with them?"""
    return hasattr(estimator.tree_, "missing_go_to_left") and estimator.monotonic_cst is None
