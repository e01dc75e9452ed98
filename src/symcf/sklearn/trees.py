"""Trees and forests: numbers become ranges between the thresholds of the trees."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import InternalError, ModelError
from symcf.models.base import Model
from symcf.models.trees.classifiers import DecisionTree, RandomForest
from symcf.sklearn.cut_points import rounded_32
from symcf.sklearn.design import Design, Source

__all__ = ["bagging", "forest", "tree"]


def tree(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """DecisionTreeClassifier: the class with the largest share at the leaf."""
    return _Trees([estimator], source, classes, other).models()[0]


def forest(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """RandomForestClassifier and ExtraTreesClassifier: the shares at the leaves are added up."""
    trees = _Trees(estimator.estimators_, source, classes, other)
    return RandomForest(trees.models(), tie="negative", encoder=trees.design.encoder, rounded=True)


def bagging(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """BaggingClassifier of trees: the shares at the leaves are added up, as in a forest."""
    members = list(estimator.estimators_)
    for one in members:
        if type(one).__name__ not in ("DecisionTreeClassifier", "ExtraTreeClassifier"):
            raise ModelError(f"BaggingClassifier of {type(one).__name__} is not supported: only trees are")
    bags = zip(members, estimator.estimators_features_, strict=True)
    flat = [_in_bag(one, columns, len(classes)) for one, columns in bags]
    trees = _Trees(members, source, classes, other, flat)
    return RandomForest(trees.models(), tie="negative", encoder=trees.design.encoder, rounded=True)


def _in_bag(estimator: Any, columns: Any, n_classes: int) -> Any:
    """A tree that was trained on some columns, and perhaps on some classes, over all of them."""
    flat = estimator.tree_
    value = np.zeros((len(flat.feature), 1, n_classes))
    value[:, 0, estimator.classes_.astype(np.int64)] = _shares(flat.value)
    feature = np.where(flat.children_left >= 0, np.asarray(columns)[flat.feature], -1)
    names = ("threshold", "children_left", "children_right", "missing_go_to_left")
    known = {name: getattr(flat, name) for name in names if hasattr(flat, name)}
    return SimpleNamespace(feature=feature, value=value, **known)


class _Trees:
    """Trees over the same features."""

    def __init__(
        self,
        estimators: list[Any],
        source: Source,
        classes: tuple[Any, ...],
        other: bool,
        flat: list[Any] | None = None,
    ) -> None:
        self.flat = [one.tree_ for one in estimators] if flat is None else flat
        if any(map(_saw_missing, estimators)) or (source.data is not None and all(map(_takes_missing, estimators))):
            source.accept_missing()
        self._add_cuts(source)
        self.design: Design = source.design(
            other=other, usable=_fits_32_bits, missing=all(map(_takes_missing, estimators))
        )
        # Features that are compared directly keep their thresholds; for others, sets of values go left.
        self.plain = self._plain_columns(source)
        self.classes = classes
        #: By column of the estimator: the feature, and the column's place in its table.
        self.place = {c: (j, i) for j, columns in enumerate(self.design.columns) for i, c in enumerate(columns)}

    def _add_cuts(self, source: Source) -> None:
        tested = np.concatenate([flat.feature for flat in self.flat])
        bounds = np.concatenate([flat.threshold for flat in self.flat])
        for c, lineage in enumerate(source.lineages):
            if not lineage.finite and lineage.domain.numbers is None:
                if lineage.domain.categories is not None:
                    name = lineage.domain.name
                    raise ModelError(
                        f"column {name!r} is used both as categories and as numbers, which is not supported"
                    )
                lineage.domain.add_cuts((*lineage.chain, rounded_32), bounds[tested == c], strict=True)

    def _plain_columns(self, source: Source) -> frozenset[int]:
        mixed = {
            id(t.domain)
            for t in source.lineages
            if t.finite or t.chain or t.domain.numbers is not None or t.domain.missing
        }
        return frozenset(c for c, lineage in enumerate(source.lineages) if id(lineage.domain) not in mixed)

    def models(self) -> list[DecisionTree]:
        """One model per tree."""
        names = self.design.names
        names["values"] = [
            None if set(columns) <= self.plain else values
            for values, columns in zip(self.design.values, self.design.columns, strict=True)
        ]
        return [self._model(flat, names) for flat in self.flat]

    def _model(self, flat: Any, names: Mapping[str, Any]) -> DecisionTree:
        inner = flat.children_left >= 0
        feature = np.array([self.place[c][0] if at else -1 for c, at in zip(flat.feature, inner, strict=True)])
        # where a missing value goes; old versions know none
        with_missing = getattr(flat, "missing_go_to_left", np.zeros(len(inner)))
        subset = {
            u: self._left(int(flat.feature[u]), float(flat.threshold[u]), missing=bool(with_missing[u]))
            for u in np.flatnonzero(inner).tolist()
            if int(flat.feature[u]) not in self.plain
        }
        return DecisionTree.from_arrays(
            feature,
            flat.threshold,
            flat.children_left,
            flat.children_right,
            _shares(flat.value),
            subset=subset,
            classes=self.classes,
            tie="negative",
            float32=True,
            **names,
        )

    def _left(self, column: int, threshold: float, *, missing: bool) -> list[int]:
        """The values that go left."""
        j, i = self.place[column]
        sides = [_goes_left(seen[:, i], threshold, missing=missing) for seen in self.design.examples[j]]
        if not all(np.array_equal(side, sides[0]) for side in sides):
            raise InternalError(f"the ranges of column {self.design.features[j]!r} do not fit the pipeline")
        return np.flatnonzero(sides[0]).tolist()


def _fits_32_bits(_: int, seen: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    return ~np.isinf(rounded_32(seen))


def _goes_left(seen: npt.NDArray[np.float64], threshold: float, *, missing: bool) -> npt.NDArray[np.bool_]:
    return np.where(np.isnan(seen), missing, rounded_32(seen) <= threshold)


def _shares(value: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What `predict_proba` gives at each node. Old versions keep weights of training rows, new ones shares."""
    table = np.asarray(value[:, 0, :], dtype=np.float64)
    totals = table.sum(axis=1, keepdims=True)
    shares: npt.NDArray[np.float64] = np.where(
        np.abs(totals - 1) < 1e-9, table, table / np.where(totals > 0, totals, 1)
    )
    return shares


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
