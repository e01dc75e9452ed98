"""Decision trees and forests.

A tree is stored flat, as one array per property of its nodes, so that its depth does not matter. Numbers become codes
by the thresholds that the trees use: two numbers between the same two thresholds go the same way everywhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.encoder import Encoder
from symcf.data.intervals import Intervals
from symcf.data.labels import checked_features, checked_names
from symcf.data.reader import Codes
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model, checked_ordered, names_from_dict
from symcf.models.close_sums import Summand, rounding_is_harmless
from symcf.models.quantities import Quantity, float_error
from symcf.models.rules import Tree, TreeRule, value_offsets
from symcf.models.scaling import Numbers, Units, common_units
from symcf.models.trees.boosted_dicts import Sketch, class_names, feature_names
from symcf.models.trees.nodes import (
    Labels,
    TreeNodes,
    checked_labels,
    checked_nodes,
    checked_subset,
    integers,
    nodes_from_dict,
    nodes_to_dict,
    with_sets,
)
from symcf.models.trees.nodes import rounded as as_float32

__all__ = ["DecisionTree", "RandomForest"]

TIES = ("positive", "negative")
VOTES = ("soft", "hard")

#: Above this many entries, the nodes of a tree share what says which values go left: full-depth trees over numbers have
#: thousands of nodes and thousands of values.
MOST_APART = 1 << 16

#: Sums of the scores of trees stay below 2 to this power: what the core allows for the difference of two classes.
SUM_BITS = 58


class _TreeModel(Model):
    """What single trees and forests have in common."""

    #: The trees, flat.
    nodes: tuple[TreeNodes, ...]
    #: By feature, the numbers that the trees compare it with, ascending; None for features with named values.
    thresholds: tuple[npt.NDArray[np.float64] | None, ...]
    tie: str
    float32: bool
    #: May scores be rounded, even if that changes decisions between close sums?
    rounded: bool = False

    def _set(
        self,
        nodes: Sequence[TreeNodes],
        features: tuple[str, ...],
        labels: Sequence[Labels | None],
        classes: Labels,
        ordered: Sequence[bool] | bool | None,
        tie: str,
        encoder: Encoder | None,
        float32: bool,
    ) -> None:
        if len(classes) < 2:
            raise ModelError(f"a classifier needs at least two classes, this one has {list(classes)!r}")
        if tie not in TIES:
            raise ModelError(f"unknown tie rule {tie!r}: choose from {', '.join(map(repr, TIES))}")
        if not isinstance(float32, bool):
            raise ModelError(f"float32 must be True or False, not {float32!r}")
        self.features, self.classes, self.tie, self.float32 = features, classes, tie, float32
        self.nodes = tuple(with_sets(as_float32(tree) if float32 else tree, labels, features) for tree in nodes)
        self.thresholds = _thresholds(self.nodes, labels)
        self.values = tuple(
            named if named is not None else _interval_labels(cuts, float32)
            for named, cuts in zip(labels, self.thresholds, strict=True)
        )
        given = checked_ordered(ordered, len(features))
        self.ordered = tuple(o or named is None for o, named in zip(given, labels, strict=True))
        self.encoder = encoder if encoder is not None else self._intervals()
        units = self._units
        if not (units.exact or self.rounded or self._rounding_is_harmless()):
            raise units.refusal("the scores at the leaves", len(self.nodes), SUM_BITS)

    def _intervals(self) -> Intervals | None:
        """The encoder that follows from the thresholds; None where all features have named values."""
        if all(cuts is None for cuts in self.thresholds):
            return None
        return Intervals(self.features, self.thresholds, values=self.values, float32=self.float32)

    @property
    def _labels(self) -> list[Labels | None]:
        """The names of the values of features that have no thresholds."""
        pairs = zip(self.thresholds, self.values, strict=True)
        return [None if cuts is not None else tuple(named) for cuts, named in pairs]

    # --- decisions

    def rule(self) -> TreeRule:
        """The decision in exact integers."""
        return self._rule

    @cached_property
    def _rule(self) -> TreeRule:
        trees = map(self._coded, self.nodes, self._units.parts)
        return TreeRule(value_offsets(self.n_values), tuple(trees), later_wins=self.tie == "positive")

    def _leaf_scores(self) -> list[Numbers]:
        """By tree, its contribution to the sum of each class."""
        return [tree.score for tree in self.nodes]

    def _exact_scores(self) -> list[npt.NDArray[Any]]:
        """The same without rounding: floats, or fractions."""
        return list(self._leaf_scores())

    @cached_property
    def _units(self) -> Units:
        """The scores as integers."""
        units = common_units(self._leaf_scores(), lambda parts: sum(float(part.max()) for part in parts), SUM_BITS)
        return units._replace(exact=units.exact and not any(part.dtype.kind == "O" for part in self._exact_scores()))

    def _rounding_is_harmless(self) -> bool | None:
        leaves = [np.flatnonzero(tree.feature < 0) for tree in self.nodes]
        parts = zip(self._exact_scores(), self._units.parts, leaves, strict=True)
        # Shares that are not exact were rounded to 53 bits first.
        error = 0.5 + math.ldexp(1.0, max(self._units.scale - 54, -10))
        return rounding_is_harmless([Summand(exact[at], rounded[at]) for exact, rounded, at in parts], error)

    @property
    def rounding_error(self) -> float:
        """How far the sums of the rule can be from the exact ones; 0 if the scores are taken exactly."""
        return self._units.rounding_error(2 * len(self.nodes))

    def _coded(self, tree: TreeNodes, score: npt.NDArray[np.int64]) -> Tree:
        """The tree over value codes."""
        n_values = np.array([*self.n_values, 0], dtype=np.int64)  # the last entry is what the -1 of a leaf refers to
        width = n_values[tree.feature]
        start = np.concatenate([[0], np.cumsum(width)])
        last_left = np.full(len(width), -1)  # the last code that goes left
        for j in np.unique(tree.feature[~np.isnan(tree.threshold)]):
            at = np.flatnonzero((tree.feature == j) & ~np.isnan(tree.threshold))
            last_left[at] = np.searchsorted(self.thresholds[j], tree.threshold[at])
        if start[-1] > MOST_APART and not tree.subset:
            ramps, base = self._ramps
            windows = np.where(tree.feature < 0, 0, base[tree.feature] + width - 1 - last_left)
            return Tree(tree.feature, tree.left, tree.right, np.append(windows, len(ramps)), ramps, score)
        code = np.arange(start[-1]) - np.repeat(start[:-1], width)
        left_values = (code <= np.repeat(last_left, width)).astype(np.uint8)
        for u, codes in tree.subset.items():
            left_values[start[u] + np.array(codes, dtype=np.int64)] = 1
        return Tree(tree.feature, tree.left, tree.right, start, left_values, score)

    @cached_property
    def _ramps(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """By feature as many ones as it has values, then as many zeros: each threshold is a window of it. And where
        the features begin.
        """
        n_values = np.array(self.n_values, dtype=np.int64)
        pairs = np.repeat(np.tile(np.array([1, 0], dtype=np.uint8), len(n_values)), np.repeat(n_values, 2))
        return pairs, np.concatenate([[0], np.cumsum(2 * n_values)])

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The share of each class in the summed scores, for rows of value codes; None where scores are negative."""
        if self._has_negative_scores:
            return None
        sums = self._rule.sums(np.asarray(codes))
        totals = sums.sum(axis=1, keepdims=True)
        return np.where(totals > 0, sums / np.where(totals > 0, totals, 1), 1 / len(self.classes))

    def total(self) -> Quantity:
        """See `Model`."""
        return self._sum((-1, 1))

    def _sum(self, signs: tuple[int, ...]) -> Quantity:
        rule, error = self._rule, self.rounding_error
        units = sum(int(np.abs(tree.score[tree.feature < 0]).sum(axis=1).max()) for tree in rule.trees)
        if not (self._units.exact and units < 2**53):
            error += float_error(len(rule.trees), math.ldexp(units, -self._units.scale))
        # one tree gives what is at its leaves
        leaves = self._leaf_scores()[0] @ np.array(signs, dtype=np.float64) if len(rule.trees) == 1 else None
        return Quantity(rule, signs, self._units.scale, error=error, leaves=leaves)

    def totals(self, codes: Codes) -> npt.NDArray[np.float64]:
        """See `Model`."""
        sums = self._rule.sums(np.asarray(codes))
        return np.ldexp((sums[:, 1] - sums[:, 0]).astype(np.float64), -self._units.scale)

    #: The score of two classes is the probability of the second one.
    cut = 0.5

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return super().number("probability", 1 if of == "score" else k, codes)

    def quantity(self, of: str, k: int | None) -> Quantity:
        """See `Model`. The probability of a class is its share of what the trees give, with any number of classes."""
        if of == "score" and len(self.classes) == 2:
            return replace(self.quantity("probability", 1), decided=None, winner=None)
        if of != "probability" or k is None:
            return super().quantity(of, k)
        if self._has_negative_scores:
            raise OptionError(
                f"min_probability: this {type(self).__name__} has negative scores, so that it gives no probabilities; "
                f"ask for the class (target=...)"
            )
        scores = self._leaf_scores()
        whole = [score.sum(axis=1)[tree.feature < 0] for score, tree in zip(scores, self.nodes, strict=True)]
        signs = tuple(int(j == k) for j in range(len(self.classes)))
        found = self._sum(signs)
        if found.leaves is not None:
            totals = np.where(scores[0].sum(axis=1) > 0, scores[0].sum(axis=1), 1)
            shares = np.where(scores[0].sum(axis=1) > 0, found.leaves / totals, 1 / len(self.classes))
            return replace(found, leaves=shares, decided=self._winners(k))
        if any(float(np.ptp(one)) > 1e-9 * float(np.abs(one).max()) for one in whole):
            raise OptionError(
                f"min_probability: the scores at the leaves of this {type(self).__name__} do not add up to the same "
                f"for all leaves, so that probabilities are no sums; ask for the class (target=...)"
            )
        total = sum(float(one.max()) for one in whole)
        spread = sum(float(np.ptp(one)) for one in whole)
        return replace(found, error=found.error + spread, winner=k).through(("divide", total))

    def _winners(self, k: int) -> npt.NDArray[np.bool_]:
        """One tree: by node, whether class k has the largest score there."""
        score = self._rule.trees[0].score
        later = self.tie == "positive"
        best = score.shape[1] - 1 - np.argmax(score[:, ::-1], axis=1) if later else np.argmax(score, axis=1)
        return np.asarray(best == k)

    @cached_property
    def _has_negative_scores(self) -> bool:
        return any(bool((tree.score < 0).any()) for tree in self._rule.trees)

    # --- JSON

    def _common_to_dict(self) -> dict[str, Any]:
        names = self.names_to_dict()
        if self.encoder == self._intervals():
            names.pop("encoder", None)
        values = [None if named is None else shown for named, shown in zip(self._labels, names["values"], strict=True)]
        return {"tie": self.tie, "float32": self.float32, **names, "values": values}

    def _facts(self) -> tuple[Any, ...]:
        return self.features, self.values, self.ordered, self.classes, self.tie, self.float32, self.encoder, self.nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.features, self.classes, self.tie, len(self.nodes)))

    def __getstate__(self) -> dict[str, Any]:
        return {
            key: value for key, value in self.__dict__.items() if key not in ("_rule", "_units", "_ramps")
        }  # made again when it is needed


class DecisionTree(_TreeModel):
    """A decision tree.

    Parameters
    ----------
    root:
        Nested dicts. A test is ``{"feature": name or index, "at_most": number, "yes": node, "no": node}``, or with
        ``"in": [values]`` instead of ``"at_most"`` for features whose values are named. A leaf is
        ``{"class": label}``, ``{"counts": [...]}`` (rows seen in training, by class) or ``{"scores": [...]}``; the
        class with the most wins.
    features:
        Names; by default those that the tree mentions, in this order.
    values:
        The names of the values of features that are not plain numbers: a dict by feature, or a list with None for
        numbers. ``at_most`` compares them if they are numbers.
    classes:
        Names; by default those of the leaves, sorted, or ``0, 1, ...``.
    ordered:
        Whether named values come in a meaningful order; by default they do. Numbers always do.
    tie:
        Which of several classes with the same score wins: ``"negative"`` (the first) or ``"positive"`` (the last).
    encoder:
        Reads the user's own rows. By default `Intervals`, which reads numbers and named values; if no feature is a
        number, instances are value codes.
    float32:
        Compare numbers after rounding them to 32-bit floats, as scikit-learn does.

    >>> tree = DecisionTree(
    ...     {"feature": "age", "at_most": 25.5, "yes": {"class": "deny"}, "no": {"class": "approve"}},
    ...     classes=["deny", "approve"],
    ... )
    >>> tree.values
    (('<= 25.5', '> 25.5'),)
    """

    kind: ClassVar[str] = "decision_tree"

    def __init__(
        self,
        root: Mapping[str, Any],
        *,
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
    ) -> None:
        sketches = [Sketch(root)]
        names = feature_names(sketches, features)
        labels, kinds = checked_labels(values, names), class_names(sketches, classes)
        nodes = [sketch.nodes(names, labels, kinds) for sketch in sketches]
        self._set(nodes, names, labels, kinds, ordered, tie, encoder, float32)

    @classmethod
    def from_arrays(
        cls,
        feature: npt.ArrayLike,
        threshold: npt.ArrayLike,
        left: npt.ArrayLike,
        right: npt.ArrayLike,
        score: npt.ArrayLike,
        *,
        subset: Mapping[int, Sequence[int]] | None = None,
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
    ) -> DecisionTree:
        """A tree from one array per property of its nodes; node 0 is the root.

        Node u sends a row to ``left[u]`` iff ``row[feature[u]] <= threshold[u]``, else to ``right[u]``. It is a leaf
        iff ``left[u]`` is negative; class k gets ``score[u][k]`` there. A node in ``subset`` tests a feature whose
        values are named, and sends those with the codes ``subset[u]`` to the left instead.

        >>> DecisionTree.from_arrays([0, -1, -1], [0.5, 0, 0], [1, -1, -1], [2, -1, -1], [[5, 5], [4, 1], [1, 4]])
        DecisionTree(1 feature, 2 classes)
        """
        tested = integers(feature, "feature")
        names = checked_features(
            features, max(int(tested.max(initial=-1)) + 1, 0) if features is None else len(features)
        )
        labels = checked_labels(values, names)
        sets = {
            int(u): checked_subset(codes, labels, int(tested[u]), f"the subset of node {u}")
            for u, codes in (subset or {}).items()
        }
        nodes = checked_nodes(tested, threshold, left, right, score, len(names), sets)
        kinds = checked_names(classes, nodes.score.shape[1], "classes", list(range(nodes.score.shape[1])))
        self = cls.__new__(cls)
        self._set([nodes], names, labels, kinds, ordered, tie, encoder, float32)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        return {"model": self.kind, "tree": nodes_to_dict(self.nodes[0]), **self._common_to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DecisionTree:
        """The inverse of `to_dict`."""
        self = cls.__new__(cls)
        _set_from_dict(self, [data["tree"]], data)
        return self


class RandomForest(_TreeModel):
    """Several decision trees that vote.

    Parameters
    ----------
    trees:
        `DecisionTree` objects with the same features, named values and classes, or nested dicts as `DecisionTree` takes
        them. The objects bring their names; ``features``, ``values``, ``classes``, ``ordered`` and ``float32`` are for
        dicts.
    vote:
        ``"soft"``: the scores of the leaves are added up; counts are turned into shares first. ``"hard"``: each tree
        gives 1 to the class with the largest score at its leaf, the first one in a tie.
    rounded:
        Whether shares and scores that do not fit 58-bit integers may be rounded. Otherwise they are refused, unless
        rounding is proved to change no decision. `symcf.from_sklearn` sets it to True; see `rounding_error`.

    The other parameters are those of `DecisionTree`.
    """

    kind: ClassVar[str] = "random_forest"

    def __init__(
        self,
        trees: Sequence[DecisionTree | Mapping[str, Any]],
        *,
        vote: str = "soft",
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
        rounded: bool = False,
    ) -> None:
        self.vote, self.rounded = _checked_vote(vote), _checked_rounded(rounded)
        given = list(trees)
        if not given:
            raise ModelError("a forest needs at least one tree")
        if any(isinstance(tree, DecisionTree) for tree in given):
            if not (features is None and values is None and classes is None and ordered is None and not float32):
                raise ModelError("DecisionTree objects have their own features, values, classes, ordered and float32")
            first = _same_names(given)
            nodes = [tree.nodes[0] for tree in given if isinstance(tree, DecisionTree)]
            self._set(nodes, first.features, first._labels, first.classes, first.ordered, tie, encoder, first.float32)
            return
        sketches = [Sketch(root, f"tree {i}") for i, root in enumerate(given)]
        names = feature_names(sketches, features)
        labels, kinds = checked_labels(values, names), class_names(sketches, classes)
        nodes = [sketch.nodes(names, labels, kinds) for sketch in sketches]
        self._set(nodes, names, labels, kinds, ordered, tie, encoder, float32)

    def _leaf_scores(self) -> list[Numbers]:
        if self.vote == "hard":
            return [_winner(tree) for tree in self.nodes]
        return _shares(self.nodes) if any(tree.counts for tree in self.nodes) else super()._leaf_scores()

    def _exact_scores(self) -> list[npt.NDArray[Any]]:
        shares = self._leaf_scores()
        counted = [tree.counts and share.dtype.kind == "f" for tree, share in zip(self.nodes, shares, strict=True)]
        return [
            _fraction_shares(tree) if is_rounded else share
            for tree, share, is_rounded in zip(self.nodes, shares, counted, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        trees = [nodes_to_dict(tree) for tree in self.nodes]
        rounded = {"rounded": True} if self.rounded else {}
        return {"model": self.kind, "vote": self.vote, **rounded, "trees": trees, **self._common_to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RandomForest:
        """The inverse of `to_dict`."""
        self = cls.__new__(cls)
        self.vote = _checked_vote(data.get("vote", "soft"))
        self.rounded = _checked_rounded(data.get("rounded", False))
        if not isinstance(data["trees"], list) or not data["trees"]:
            raise ModelError("trees must be a list of at least one tree")
        _set_from_dict(self, data["trees"], data)
        return self

    def _facts(self) -> tuple[Any, ...]:
        return *super()._facts(), self.vote, self.rounded

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {len(self.nodes)} tree{'s' * (len(self.nodes) != 1)})"


# --- votes ------------------------------------------------------------------------------------------------------------


def _winner(tree: TreeNodes) -> npt.NDArray[np.int64]:
    """1 for the class with the largest score at a leaf."""
    votes = np.zeros(tree.score.shape, dtype=np.int64)
    leaves = np.flatnonzero(tree.feature < 0)
    votes[leaves, np.argmax(tree.score[leaves], axis=1)] = 1
    return votes


def _shares(trees: Sequence[TreeNodes]) -> list[Numbers]:
    """Counts as shares of their leaf: over a common denominator if there is one of moderate size, else as floats."""
    denominator = 1
    for tree in trees:
        exact = tree.score.dtype.kind == "i" and (tree.counts or _is_unit(tree.score))
        totals: list[int] = np.unique(tree.score.sum(axis=1)).tolist() if exact else [2**SUM_BITS]
        for total in totals:
            denominator = math.lcm(denominator, total) if total else denominator
            if denominator * len(trees) >= 2 ** (SUM_BITS - 1):
                return [_float_shares(tree) if tree.counts else tree.score for tree in trees]
    return [tree.score * (denominator // np.maximum(tree.score.sum(axis=1, keepdims=True), 1)) for tree in trees]


def _is_unit(score: Numbers) -> bool:
    """Do leaves give 1 to one class?"""
    return bool((score >= 0).all() and (score.sum(axis=1) <= 1).all())


def _float_shares(tree: TreeNodes) -> npt.NDArray[np.float64]:
    totals = tree.score.sum(axis=1, keepdims=True).astype(np.float64)
    return np.asarray(tree.score / np.where(totals > 0, totals, 1))


def _fraction_shares(tree: TreeNodes) -> npt.NDArray[Any]:
    shares = np.empty(tree.score.shape, dtype=object)
    for u, counts in enumerate(tree.score.tolist()):
        shares[u] = [Fraction(count, sum(counts) or 1) for count in counts]
    return shares


def _checked_rounded(rounded: Any) -> bool:
    if not isinstance(rounded, bool):
        raise ModelError(f"rounded must be True or False, not {rounded!r}")
    return rounded


def _checked_vote(vote: Any) -> str:
    if vote not in VOTES:
        raise ModelError(f"unknown vote {vote!r}: choose from {', '.join(map(repr, VOTES))}")
    return str(vote)


def _same_names(trees: Sequence[Any]) -> DecisionTree:
    """The first tree, after checking that all others have the same names."""
    first = trees[0]
    for i, tree in enumerate(trees):
        if not isinstance(tree, DecisionTree):
            raise ModelError("the trees of a forest must be all dicts or all DecisionTree objects")
        for what in ("features", "classes", "_labels", "float32"):
            if getattr(tree, what) != getattr(first, what):
                raise ModelError(f"tree {i} has other {what.strip('_')} than tree 0")
    assert isinstance(first, DecisionTree)
    return first


# --- intervals --------------------------------------------------------------------------------------------------------


def _thresholds(
    trees: Sequence[TreeNodes], labels: Sequence[Labels | None]
) -> tuple[npt.NDArray[np.float64] | None, ...]:
    """By feature all thresholds of all trees."""
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    tested = ~np.isnan(threshold)
    return tuple(
        np.unique(threshold[tested & (feature == j)]) if named is None else None for j, named in enumerate(labels)
    )


def _interval_labels(cuts: npt.NDArray[np.float64] | None, float32: bool) -> Labels:
    """<= 25.5, 25.5 .. 40, > 40"""
    shown = [str(np.float32(t) if float32 else float(t)).removesuffix(".0") for t in (() if cuts is None else cuts)]
    if not shown:
        return ("any",)
    between = (f"{low} .. {high}" for low, high in itertools.pairwise(shown))
    return (f"<= {shown[0]}", *between, f"> {shown[-1]}")


def _set_from_dict(model: _TreeModel, trees: Sequence[Any], data: Mapping[str, Any]) -> None:
    names = names_from_dict(data)
    features = checked_features(data["features"], len(data["features"]))
    classes = checked_names(data["classes"], len(data["classes"]), "classes", [])
    labels = checked_labels(data.get("values"), features)
    nodes = [
        nodes_from_dict(tree, labels, len(classes), "the tree" if len(trees) == 1 else f"tree {i}")
        for i, tree in enumerate(trees)
    ]
    model._set(
        nodes,
        features,
        labels,
        classes,
        names.get("ordered"),
        data.get("tie", "negative"),
        names.get("encoder"),
        data.get("float32", False),
    )
