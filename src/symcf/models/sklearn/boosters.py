"""scikit-learn's own ensembles of trees, apart from forests: gradient boosting, AdaBoost."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.files.raw import Categories, Ensemble, RawTree
from symcf.models.sklearn.boosting import boosted
from symcf.models.sklearn.design import Source

__all__ = ["ada_boost", "gradient_boosting", "hist_gradient_boosting", "own_columns"]

Floats = npt.NDArray[np.float64]


def gradient_boosting(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """Gradient boosting: what the first guess says, and the trees times the learning rate."""
    library = type(estimator).__name__
    if not isinstance(estimator.init_, str) and not type(estimator.init_).__name__.startswith("Dummy"):
        raise ModelError(
            f"{library} starts from a {type(estimator.init_).__name__}, which is not supported: leave init out, or use "
            f"init='zero'"
        )
    n_classes, sums = len(classes), estimator.estimators_.shape[1]
    start = estimator._raw_predict_init(np.zeros((1, estimator.n_features_in_)))[0]
    trees = [
        _tree(one.tree_, _column(estimator.learning_rate * one.tree_.value[:, 0, 0], k + (sums == 1), n_classes))
        for row in estimator.estimators_
        for k, one in enumerate(row)
    ]
    bias = np.zeros(n_classes)
    bias[n_classes - sums :] = start
    read = Ensemble(
        library=library,
        trees=trees,
        n_columns=int(estimator.n_features_in_),
        names=None,
        n_classes=n_classes,
        classes=None,
        bias=bias,
        strict=False,
        float32=True,
        slope=2.0 if estimator.loss == "exponential" else 1.0,
        tie="positive" if sums == 1 else "negative",  # a margin of 0 is the second class
        takes_missing=False,
    )
    return boosted(read, source, classes, other)


def hist_gradient_boosting(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """Histogram gradient boosting: numbers of 64 bits, NaN and categories."""
    n_classes, sums = len(classes), int(estimator.n_trees_per_iteration_)
    trees = [_hist_tree(one, k + (sums == 1), n_classes) for row in estimator._predictors for k, one in enumerate(row)]
    bias = np.zeros(n_classes)
    bias[n_classes - sums :] = np.ravel(estimator._baseline_prediction)
    used: dict[int, set[int]] = {}
    for tree in trees:
        for u, numbers in tree.sets.items():
            used.setdefault(int(tree.column[u]), set()).update(numbers)
    read = Ensemble(
        library=type(estimator).__name__,
        trees=trees,
        n_columns=int(estimator.n_features_in_),
        names=None,
        n_classes=n_classes,
        classes=None,
        bias=bias,
        strict=False,
        float32=False,
        categories={c: Categories(None, tuple(sorted(numbers)), True, True) for c, numbers in used.items()},
        monotone=_monotone(estimator),
    )
    return boosted(read, source, classes, other)


def ada_boost(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """AdaBoostClassifier of trees: each gives its weight to the class that it decides for."""
    if getattr(estimator, "algorithm", "deprecated") == "SAMME.R":
        raise ModelError("AdaBoostClassifier(algorithm='SAMME.R') is not supported: fit it with algorithm='SAMME'")
    members = estimator.estimators_
    for one in members:
        if type(one).__name__ not in ("DecisionTreeClassifier", "ExtraTreeClassifier"):
            raise ModelError(f"AdaBoostClassifier of {type(one).__name__} is not supported: only trees are")
    n_classes = len(classes)
    weights = np.asarray(estimator.estimator_weights_, dtype=np.float64)[: len(members)]
    trees = []
    for one, weight in zip(members, weights.tolist(), strict=True):
        votes = np.zeros((one.tree_.node_count, n_classes))
        decided = one.classes_[np.argmax(one.tree_.value[:, 0, :], axis=1)]
        votes[np.arange(len(votes)), np.searchsorted(estimator.classes_, decided)] = weight
        trees.append(_tree(one.tree_, votes))
    total = float(weights.sum())
    read = Ensemble(
        library="AdaBoostClassifier",
        trees=trees,
        n_columns=int(estimator.n_features_in_),
        names=None,
        n_classes=n_classes,
        classes=None,
        bias=np.zeros(n_classes),
        strict=False,
        float32=True,
        # Zhu et al. (2009), equation 15, in terms of the votes
        slope=n_classes / ((n_classes - 1) ** 2 * total),
        takes_missing=False,
    )
    return boosted(read, source, classes, other)


def own_columns(final: Any) -> Any:
    """The step in which histogram gradient boosting numbers its categories; None if it has none."""
    return getattr(final, "_preprocessor", None) if type(final).__name__.startswith("HistGradientBoosting") else None


def _column(numbers: Floats, k: int, n_classes: int) -> Floats:
    score = np.zeros((len(numbers), n_classes))
    score[:, k] = numbers
    return score


def _tree(flat: Any, score: Floats) -> RawTree:
    leaf = flat.children_left < 0
    return RawTree(
        np.where(leaf, -1, flat.feature),
        np.where(leaf, -1, flat.children_left),
        np.where(leaf, -1, flat.children_right),
        np.where(leaf, np.nan, flat.threshold),
        np.asarray(getattr(flat, "missing_go_to_left", np.zeros(len(leaf)))).astype(np.bool_),
        np.where(leaf[:, None], score, 0.0),
    )


def _hist_tree(predictor: Any, k: int, n_classes: int) -> RawTree:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(np.bool_)
    categorical = nodes["is_categorical"].astype(np.bool_) & ~leaf
    sets = {int(u): _bits(predictor.raw_left_cat_bitsets[nodes["bitset_idx"][u]]) for u in np.flatnonzero(categorical)}
    return RawTree(
        np.where(leaf, -1, nodes["feature_idx"]).astype(np.int64),
        np.where(leaf, -1, nodes["left"].astype(np.int64)),
        np.where(leaf, -1, nodes["right"].astype(np.int64)),
        np.where(leaf | categorical, np.nan, nodes["num_threshold"]),
        nodes["missing_go_to_left"].astype(np.bool_),
        _column(np.where(leaf, nodes["value"], 0.0), k, n_classes),
        sets,
    )


def _bits(words: Any) -> frozenset[int]:
    """The members of a bit set of 32-bit words."""
    return frozenset(32 * i + b for i, word in enumerate(words.tolist()) for b in range(32) if word >> b & 1)


def _monotone(estimator: Any) -> tuple[int, ...] | None:
    given = estimator.monotonic_cst
    if given is None or isinstance(given, dict):
        names = list(getattr(estimator, "feature_names_in_", ()))
        given = [int((given or {}).get(name, 0)) for name in names]
    return tuple(int(sign) for sign in given) if any(given) else None
