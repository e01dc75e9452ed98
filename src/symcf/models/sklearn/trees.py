"""Trees and forests: numbers become ranges between the thresholds of the trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.files.raw import Ensemble, RawTree
from symcf.models.sklearn.boosters import Tests, raw_tree
from symcf.models.sklearn.cut_points import rounded_32
from symcf.models.sklearn.design import Source
from symcf.models.trees.classifiers import DecisionTree, RandomForest
from symcf.models.trees.nodes import checked_nodes

__all__ = ["FORESTS", "TREES", "Part", "bagged", "bagged_shares", "bagging", "forest", "shares", "tree", "tree_sum"]

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
    def raw(self) -> RawTree:
        """The tree over the columns of the matrix."""
        flat = self.tree.tree_
        # a leaf has the feature -2, which is no place among the columns
        own = np.maximum(flat.feature, 0)
        return raw_tree(flat, self.scores, self.first + (own if self.columns is None else self.columns[own]))


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
    trees = [part.raw for part in parts]
    plain = _prepare(trees, source, [part.tree for part in parts])
    takes_missing = all(_takes_missing(part.tree) for part in parts)
    design = source.design(other=other, usable=_fits_32_bits, missing=takes_missing)
    read = Ensemble("scikit-learn", trees, len(source.lineages), len(classes), np.zeros(len(classes)), float32=True)
    tests = Tests(read, design, plain)
    nodes = [tests.nodes(i, tree) for i, tree in enumerate(trees)]
    # features that are compared directly keep their thresholds
    compared = [set(columns) <= plain for columns in design.columns]
    values = [None if direct else values for values, direct in zip(design.values, compared, strict=True)]
    names = {**design.names, "values": values, "classes": classes, "tie": tie, "float32": True}
    if len(nodes) == 1 and alone:
        return DecisionTree.from_nodes(nodes, **names)
    if constant is not None:
        nodes.append(checked_nodes([-1], [0.0], [-1], [-1], [constant], 0))
    return RandomForest.from_nodes(nodes, rounded=True, **names)


def bagging(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """BaggingClassifier of trees: the shares at the leaves are added up, as in a forest."""
    return tree_sum(bagged_shares(estimator), source, classes, other, alone=False)


def bagged_shares(estimator: Any) -> list[Part]:
    """The trees of a BaggingClassifier, each of which may have been trained on some of the classes only."""

    def scores(one: Any) -> Table:
        table = np.zeros((one.tree_.node_count, len(estimator.classes_)))
        table[:, one.classes_.astype(np.int64)] = shares(one.tree_.value)
        return table

    return bagged(estimator, TREES, scores)


def bagged(estimator: Any, kinds: Sequence[str], scores: Callable[[Any], Table]) -> list[Part]:
    """The trees of a bagging estimator, which were trained on some columns each."""
    parts = []
    for one, columns in zip(estimator.estimators_, estimator.estimators_features_, strict=True):
        if type(one).__name__ not in kinds:
            raise ModelError(f"{type(estimator).__name__} of {type(one).__name__} is not supported: only trees are")
        chosen = np.asarray(columns, dtype=np.int64)
        parts.append(Part(one, scores(one), columns=chosen, n_columns=int(estimator.n_features_in_)))
    return parts


def _prepare(trees: Sequence[RawTree], source: Source, estimators: Sequence[Any]) -> frozenset[int]:
    """Adds to the columns what the trees distinguish, and gives those that they compare directly."""
    if any(map(_saw_missing, estimators)) or (source.data is not None and all(map(_takes_missing, estimators))):
        source.accept_missing()
    tested = np.concatenate([tree.column for tree in trees])
    bounds = np.concatenate([tree.threshold for tree in trees])
    numbers = [(c, t) for c, t in enumerate(source.lineages) if not (t.finite or t.domain.listed)]
    for c, lineage in numbers:
        lineage.domain.add_cuts((*lineage.chain, rounded_32), bounds[tested == c], strict=True)
    for _, lineage in numbers:
        # ranges up to the ends of a function reach far, and as a plain number the column has 32 bits
        if lineage.domain.functions:
            lineage.domain.add_edges((*lineage.chain, rounded_32))
    mixed = {id(t.domain) for t in source.lineages if t.finite or t.chain or t.domain.listed or t.domain.missing}
    # a threshold of infinity tells missing values from all others
    mixed |= {id(source.lineages[c].domain) for c in set(tested[np.isinf(bounds)].tolist())}
    return frozenset(c for c, lineage in enumerate(source.lineages) if id(lineage.domain) not in mixed)


def _fits_32_bits(_: int, seen: Table) -> npt.NDArray[np.bool_]:
    return ~np.isinf(rounded_32(seen))


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
