"""scikit-learn's own ensembles of trees, apart from forests: gradient boosting, AdaBoost.

Boosted trees: ensembles as libraries keep them, over the columns of a pipeline or over raw columns.

Every test is tried on what the ensemble sees of each value of a feature, so "<" and "<=", 32 bits, missing values and
categories need no further rules here.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import InternalError, ModelError
from symcf.models.base import Model
from symcf.models.files.raw import ZERO, Categories, Ensemble, RawTree, category_text, scores_of, tested_categories
from symcf.models.quantities import Link
from symcf.models.regressor import Regressor
from symcf.models.sklearn.cut_points import Chain, rounded_32, through
from symcf.models.sklearn.design import Design, Source
from symcf.models.sklearn.lineage import Fill, Lineage
from symcf.models.trees.boosted import BoostedTrees
from symcf.models.trees.nodes import TreeNodes, checked_nodes

__all__ = [
    "Tests",
    "ada_boost",
    "boosted",
    "gradient_boosting",
    "hist_ensemble",
    "hist_gradient_boosting",
    "own_columns",
    "raw_tree",
]

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
        raw_tree(one.tree_, scores_of(estimator.learning_rate * one.tree_.value[:, 0, 0], k + (sums == 1), n_classes))
        for row in estimator.estimators_
        for k, one in enumerate(row)
    ]
    bias = np.zeros(n_classes)
    bias[n_classes - sums :] = start
    read = Ensemble(
        library=library,
        trees=trees,
        n_columns=int(estimator.n_features_in_),
        n_classes=n_classes,
        bias=bias,
        float32=True,
        slope=2.0 if estimator.loss == "exponential" else 1.0,
        tie="positive" if sums == 1 else "negative",  # a margin of 0 is the second class
        takes_missing=False,
    )
    return boosted(read, source, classes, other)


def hist_gradient_boosting(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """Histogram gradient boosting."""
    return boosted(hist_ensemble(estimator, len(classes)), source, classes, other)


def hist_ensemble(estimator: Any, n_classes: int) -> Ensemble:
    """The trees of histogram gradient boosting: numbers of 64 bits, NaN and categories."""
    sums = int(estimator.n_trees_per_iteration_)
    trees = [_hist_tree(one, k + (sums == 1), n_classes) for row in estimator._predictors for k, one in enumerate(row)]
    bias = np.zeros(n_classes)
    bias[n_classes - sums :] = np.ravel(estimator._baseline_prediction)
    used = tested_categories(trees)
    return Ensemble(
        library=type(estimator).__name__,
        trees=trees,
        n_columns=int(estimator.n_features_in_),
        n_classes=n_classes,
        bias=bias,
        float32=False,
        categories={c: Categories(None, tuple(sorted(numbers)), True, True) for c, numbers in used.items()},
        monotone=_monotone(estimator),
    )


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
        trees.append(raw_tree(one.tree_, votes))
    total = float(weights.sum())
    read = Ensemble(
        library="AdaBoostClassifier",
        trees=trees,
        n_columns=int(estimator.n_features_in_),
        n_classes=n_classes,
        bias=np.zeros(n_classes),
        float32=True,
        # Zhu et al. (2009), equation 15, in terms of the votes
        slope=n_classes / ((n_classes - 1) ** 2 * total),
        takes_missing=False,
    )
    return boosted(read, source, classes, other)


def own_columns(final: Any) -> Any:
    """The step in which histogram gradient boosting numbers its categories; None if it has none."""
    return getattr(final, "_preprocessor", None) if type(final).__name__.startswith("HistGradientBoosting") else None


def raw_tree(flat: Any, score: Floats, column: Any = None) -> RawTree:
    """A tree of scikit-learn. ``column``: by node the column that it tests; by default the tree's own feature."""
    leaf = flat.children_left < 0
    return RawTree(
        np.where(leaf, -1, flat.feature if column is None else column),
        np.where(leaf, -1, flat.children_left),
        np.where(leaf, -1, flat.children_right),
        np.where(leaf, np.nan, flat.threshold),
        # old versions know no missing values
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
        scores_of(np.where(leaf, nodes["value"], 0.0), k, n_classes),
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


def boosted(ensemble: Ensemble, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """The model of an ensemble whose columns are those of the source."""
    read = _boosted(ensemble, source, classes, other)
    return read if ensemble.link is None else Regressor(read, Link(ensemble.link))


def _boosted(ensemble: Ensemble, source: Source, classes: tuple[Any, ...], other: bool) -> BoostedTrees:
    if not ensemble.trees:
        raise ModelError(f"the {ensemble.library} model has no trees, so all rows have the same answer")
    if len(source.lineages) != ensemble.n_columns:
        raise ModelError(
            f"the {ensemble.library} model has {ensemble.n_columns} columns, the steps before it give "
            f"{len(source.lineages)}"
        )
    if len(classes) != ensemble.n_classes:
        raise ModelError(f"the {ensemble.library} model has {ensemble.n_classes} classes, not {list(classes)!r}")
    _check_sizes(ensemble)
    _Columns(ensemble, source).prepare()
    usable = _fits_32_bits if ensemble.float32 else None
    design = source.design(other=other, usable=usable, missing=ensemble.takes_missing)
    tests = Tests(ensemble, design)
    return BoostedTrees.from_nodes(
        [tests.nodes(i, tree) for i, tree in enumerate(ensemble.trees)],
        classes=classes,
        bias=ensemble.bias,
        probability=ensemble.probability,
        slope=ensemble.slope,
        tie=ensemble.tie,
        monotone=_monotone_features(ensemble, source, design),
        rounded=True,
        bits=ensemble.bits,
        **design.names,
    )


#: How many times as large as the middle one a leaf may be: sums in integers have 61 bits.
MOST_TIMES = 2.0**45


def _check_sizes(ensemble: Ensemble) -> None:
    """`ModelError` where one leaf is so large that in integers the others would be nothing beside it."""
    sizes = np.abs(np.concatenate([tree.score[tree.column < 0].ravel() for tree in ensemble.trees]))
    sizes = sizes[sizes > 0]
    if len(sizes) and sizes.max() > MOST_TIMES * np.median(sizes):
        raise ModelError(
            f"a leaf of the {ensemble.library} model has {sizes.max():.3g}, and half of them have less than "
            f"{np.median(sizes):.3g}: such sums are not exact; train the model again, or ask it (symcf.from_predict)"
        )


class _Columns:
    """What the ensemble can distinguish in each column."""

    def __init__(self, ensemble: Ensemble, source: Source) -> None:
        self.ensemble = ensemble
        self.source = source
        column = np.concatenate([tree.column for tree in ensemble.trees])
        threshold = np.concatenate([tree.threshold for tree in ensemble.trees])
        #: By column, what its numbers are compared with.
        self.bounds = [np.unique(threshold[(column == c) & ~np.isnan(threshold)]) for c in range(ensemble.n_columns)]
        self.zero_is_missing = any(tree.zero_is_missing for tree in ensemble.trees)

    def prepare(self) -> None:
        for c, lineage in enumerate(self.source.lineages):
            if c in self.ensemble.categories:
                self._categories(c, lineage, self.ensemble.categories[c])
            elif not (lineage.finite or lineage.domain.listed):
                self._numbers(c, lineage)

    def _numbers(self, c: int, lineage: Lineage) -> None:
        domain, bounds = lineage.domain, self.bounds[c]
        if domain.categories is not None:
            raise ModelError(
                f"column {domain.name!r} is used both as categories and as numbers, which is not supported"
            )
        chain = (*lineage.chain, *_before_comparing(self.ensemble))
        domain.add_cuts(chain, bounds, strict=not self.ensemble.strict)
        if self.zero_is_missing and len(bounds):
            domain.add_cuts(chain, [0.0], strict=False)
            domain.add_cuts(chain, [0.0], strict=True)
        if not self.ensemble.takes_missing or lineage.filled:
            return
        if len(bounds) and c not in self.ensemble.nan_as:
            self.source.accept_missing([c])
        else:
            domain.fills.append(Fill(math.nan, lineage.chain, self.ensemble.nan_as.get(c, 0.0)))
            self.source.lineages[c] = replace(lineage, filled=True)

    def _categories(self, c: int, lineage: Lineage, known: Categories) -> None:
        domain = lineage.domain
        if lineage.finite or domain.numbers is not None:  # numbered by a step before
            return
        if lineage.chain or (self.source.transformer is not None and known.names is not None):
            raise ModelError(
                f"column {domain.name!r} reaches {self.ensemble.library} as categories after other steps, which is not "
                f"supported: number them with OrdinalEncoder"
            )
        names = list(known.names) if known.names is not None else list(known.numbers)
        numbers = dict(zip(names, known.numbers, strict=True))
        domain.text_of = category_text if known.as_text else None
        if known.as_text and (column := self.source.data_column(c)) is not None:
            seen = dict.fromkeys(column.tolist())
            texts = {value: category_text(value) for value in seen}
            found = {value: numbers[text] for value, text in texts.items() if text in numbers}
            # categories that the data does not have are not unknown ones
            missed = {name: number for name, number in numbers.items() if number not in found.values()}
            kinds = {type(value) for value in found}
            numbers = {**found, **{_as_typed(str(name), kinds): number for name, number in missed.items()}}
        missing = [math.nan] if known.missing else []
        kind = object if missing or any(isinstance(name, str) for name in numbers) else None
        categories = np.array([*numbers, *missing], dtype=kind)
        domain.add_categories(categories, other=known.other, given_order=False)
        domain.places = None if known.names is None else {name: float(place) for name, place in numbers.items()}


def _as_typed(name: str, kinds: set[type]) -> Hashable:
    """The truth value or the integer that has this text, if the other categories are such values and one has."""
    if kinds == {bool} and name in ("0", "1"):
        return name == "1"
    digits = name.removeprefix("-")
    whole = kinds and kinds <= {bool, int} and digits.isdecimal() and str(int(name)) == name
    return int(name) if whole else name


class Tests:
    """The tests of an ensemble, over the values of features.

    Without ``plain``, tests are about value codes. With it, numbers are compared with thresholds in these columns, and
    sets of values go left in all others.
    """

    def __init__(self, ensemble: Ensemble, design: Design, plain: frozenset[int] | None = None) -> None:
        self._ensemble, self._design, self._sets = ensemble, design, plain is not None
        #: By column of the ensemble: the feature, and the column's place in its table.
        self._place = {c: (j, i) for j, columns in enumerate(design.columns) for i, c in enumerate(columns)}
        columns = range(ensemble.n_columns)
        self._feature = np.array([self._place.get(c, (-1, -1))[0] for c in columns])
        self._is_plain = np.array([c in (plain or ()) for c in columns])
        #: By column of the ensemble, what it sees: (examples, values).
        self._seen: dict[int, Floats] = {}
        self._known: dict[Any, tuple[int, bool, tuple[int, ...] | None]] = {}

    def nodes(self, i: int, tree: RawTree) -> TreeNodes:
        """One of the trees."""
        tests = tree.column >= 0
        feature, threshold = np.where(tests, self._feature[tree.column], -1), tree.threshold.copy()
        last = np.zeros(len(tests), dtype=np.bool_)
        subset = {}
        for u in np.flatnonzero(tests & ~self._is_plain[tree.column]).tolist():
            compared = tree.sets[u] if u in tree.sets else float(tree.threshold[u])
            key = (int(tree.column[u]), compared, bool(tree.nan_left[u]), tree.zero_is_missing)
            if key not in self._known:
                self._known[key] = _coded(self._left(*key), as_set=self._sets)
            threshold[u], last[u], codes = self._known[key]
            if codes is not None:
                subset[u] = codes
        arrays = (feature, threshold, tree.left, tree.right, tree.score)
        return checked_nodes(*arrays, len(self._design.features), subset, last=last, name=f"tree {i}")

    def _left(self, c: int, test: Any, nan_left: bool, zero_is_missing: bool) -> npt.NDArray[np.bool_]:
        """By value of the feature, whether it goes left: all examples of a value must go the same way."""
        if c not in self._seen:
            j, i = self._place[c]
            self._seen[c] = np.stack([example.column(i) for example in self._design.examples[j]])
        seen = self._seen[c]
        missing = np.isnan(seen)
        if isinstance(test, frozenset):
            left = np.isin(seen, list(test))
        else:
            numbers = through(_before_comparing(self._ensemble), seen)
            left = numbers < test if self._ensemble.strict else numbers <= test
            missing |= (numbers == 0) & zero_is_missing
        left = np.where(missing, nan_left, left)
        if (left != left[0]).any():
            name = self._design.features[self._feature[c]]
            raise InternalError(f"the ranges of column {name!r} do not fit the ensemble")
        return np.asarray(left[0])


def _before_comparing(ensemble: Ensemble) -> Chain:
    """What the library does to a number before it compares it."""
    return (*([rounded_32] if ensemble.float32 else []), *([_without_tiny] if ensemble.tiny_is_zero else []))


def _fits_32_bits(_: int, seen: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which numbers are smaller than the largest float, beyond which CatBoost keeps its NaN."""
    return ~(np.abs(rounded_32(seen)) >= np.finfo(np.float32).max)


def _without_tiny(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(np.abs(numbers) <= ZERO, 0.0, numbers)


def _coded(left: npt.NDArray[np.bool_], *, as_set: bool) -> tuple[int, bool, tuple[int, ...] | None]:
    """Codes up to the first result go left, and the last one if the second says so; or these codes."""
    below = int(np.argmin(left)) if not left.all() else len(left)
    others = np.flatnonzero(left[below:]) + below
    last = len(others) == 1 and others[0] == len(left) - 1
    if as_set or (len(others) and not last):
        return 0, False, tuple(np.flatnonzero(left).tolist())
    return below - 1, bool(last), None


def _monotone_features(ensemble: Ensemble, source: Source, design: Design) -> Sequence[int] | None:
    """By feature, if each is one column that comes as it is."""
    if ensemble.monotone is None or source.transformer is not None:
        return None
    return [ensemble.monotone[columns[0]] for columns in design.columns]
