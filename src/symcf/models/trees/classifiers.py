"""Decision trees and forests.

Numbers become codes by the thresholds that the trees use: two numbers between the same two thresholds go the same way
everywhere.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.encoder import Encoder
from symcf.data.intervals import Intervals, range_names
from symcf.data.labels import checked_features, checked_names
from symcf.data.reader import Codes
from symcf.errors import ModelError, OptionError
from symcf.models.base import TIES, Model, checked_choice, checked_flag, checked_ordered, names_from_dict
from symcf.models.close_sums import Summand, rounding_is_harmless
from symcf.models.quantities import Quantity, float_error
from symcf.models.rules import Tree, TreeRule, value_offsets
from symcf.models.scaling import Numbers, Units, common_units
from symcf.models.trees import nodes as flat
from symcf.models.trees.dicts import VOTES, Sketch, class_names, feature_names
from symcf.models.trees.nodes import Labels, TreeNodes, checked_labels, checked_nodes, checked_subset, integers

__all__ = ["DecisionTree", "RandomForest", "TreeModel"]

#: What the trees of a forest add up: the scores at their leaves, or one vote each.
VOTE_KINDS = ("soft", "hard")

#: Above this many entries, the nodes of a tree share what says which values go left: full-depth trees over numbers have
#: thousands of nodes and thousands of values.
MOST_APART = 1 << 16

#: Sums of the scores of trees stay below 2 to this power: what the core allows for the difference of two classes.
SUM_BITS = 58


class TreeModel(Model):
    """What single trees, forests and boosted trees have in common: the scores at the leaves are added up."""

    #: The trees, flat.
    nodes: tuple[TreeNodes, ...]
    #: By feature, the numbers that the trees compare it with, ascending; None where they compare value codes.
    thresholds: tuple[npt.NDArray[np.float64] | None, ...]
    tie: str
    #: May scores be rounded, even if that changes decisions between close sums?
    rounded: bool = False
    #: By class, what is added to the scores; None: nothing.
    bias: Numbers | None = None
    facts: ClassVar[tuple[str, ...]] = ("nodes", "tie", "rounded", "bias")

    @classmethod
    def from_nodes(cls, nodes: Sequence[TreeNodes], **names: Any) -> Self:
        """The model of flat trees; the keywords are those of the class."""
        self = cls.__new__(cls)
        self._set(nodes, **names)
        return self

    @abstractmethod
    def _set(self, *nodes: Any, **names: Any) -> None:
        """Sets all attributes, as a constructor does, from flat trees and names."""

    def _set_trees(self, nodes: Sequence[TreeNodes], tie: str) -> None:
        """requires: all other attributes are set."""
        if len(self.classes) < 2:
            raise ModelError(f"a classifier needs at least two classes, this one has {list(self.classes)!r}")
        self.nodes, self.tie = tuple(nodes), checked_choice(tie, TIES, "tie rule")
        if not (self._units.exact or self.rounded or self._rounding_is_harmless()):
            raise self._units.refusal("the scores at the leaves", len(self._units.parts), SUM_BITS)

    # --- decisions

    def rule(self) -> TreeRule:
        """The decision in exact integers."""
        return self._rule

    @cached_property
    def _rule(self) -> TreeRule:
        scores = self._units.parts[: len(self.nodes)]
        if self.bias is not None:
            scores[0] = np.where(self.nodes[0].leaves[:, None], scores[0] + self._units.parts[-1], 0)
        trees = map(self._coded, self.nodes, scores)
        return TreeRule(value_offsets(self.n_values), tuple(trees), later_wins=self.tie == "positive")

    def _coded(self, tree: TreeNodes, score: npt.NDArray[np.int64]) -> Tree:
        """The tree over value codes."""
        n_values = np.array([*self.n_values, 0], dtype=np.int64)  # the last entry is what the -1 of a leaf refers to
        width = n_values[tree.feature]
        start = np.concatenate([[0], np.cumsum(width)])
        compared = ~np.isnan(tree.threshold)
        of_numbers = np.array([*(cuts is not None for cuts in self.thresholds), False])[tree.feature] & compared
        last_left = np.where(compared & ~of_numbers, tree.threshold, -1).astype(np.int64)  # the last code
        for j in np.unique(tree.feature[of_numbers]).tolist():
            at = np.flatnonzero((tree.feature == j) & compared)
            last_left[at] = np.searchsorted(self.thresholds[j], tree.threshold[at])
        if start[-1] > MOST_APART and of_numbers.any() and not tree.subset:
            ramps, base = self._ramps
            windows = np.where(tree.leaves, 0, base[tree.feature] + width - 1 - last_left)
            return Tree(tree.feature, tree.left, tree.right, np.append(windows, len(ramps)), ramps, score)
        code = np.arange(start[-1]) - np.repeat(start[:-1], width)
        left_values = (code <= np.repeat(last_left, width)).astype(np.uint8)
        left_values[(start[1:] - 1)[tree.last]] = 1
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

    def _leaf_scores(self) -> list[Numbers]:
        """By tree, its contribution to the sum of each class."""
        return [tree.score for tree in self.nodes]

    def _exact_scores(self) -> list[npt.NDArray[Any]]:
        """The same without rounding: floats, or fractions."""
        return list(self._leaf_scores())

    @cached_property
    def _units(self) -> Units:
        """The scores, and the bias if there is one, as integers."""
        parts = [*self._leaf_scores(), *([] if self.bias is None else [self.bias])]
        units = common_units(parts, lambda sizes: sum(float(part.max()) for part in sizes), SUM_BITS)
        return units._replace(exact=units.exact and not any(part.dtype.kind == "O" for part in self._exact_scores()))

    def _rounding_is_harmless(self) -> bool | None:
        scores = self._exact_scores()
        parts = zip(self.nodes, scores, self._units.parts, strict=False)
        summands = [Summand(exact[tree.leaves], rounded[tree.leaves]) for tree, exact, rounded in parts]
        if self.bias is not None:
            summands.append(Summand(self.bias[None, :], self._units.parts[-1][None, :]))
        # shares that are fractions were rounded to 53 bits first
        twice = any(part.dtype.kind == "O" for part in scores)
        error = 0.5 + (math.ldexp(1.0, max(self._units.scale - 54, -10)) if twice else 0.0)
        return rounding_is_harmless(summands, error)

    @property
    def rounding_error(self) -> float:
        """How far the difference of two classes can be from the exact one; 0 if the scores are taken exactly."""
        return self._units.rounding_error(2 * len(self._units.parts))

    def _sums(self, codes: Codes) -> npt.NDArray[np.float64]:
        """Two classes: the lead of the second one. More: the sum of each class."""
        sums = self._rule.sums(np.asarray(codes))
        lead = sums[:, 1] - sums[:, 0] if len(self.classes) == 2 else sums
        return np.asarray(np.ldexp(lead.astype(np.float64), -self._units.scale))

    def totals(self, codes: Codes) -> npt.NDArray[np.float64]:
        return self._sums(codes)

    def __getstate__(self) -> dict[str, Any]:
        made = ("_rule", "_units", "_ramps")  # again when they are needed
        return {key: value for key, value in self.__dict__.items() if key not in made}

    def _with_count(self) -> str:
        """The model in a few words, with the number of its trees."""
        return f"{super().__repr__()[:-1]}, {len(self.nodes)} tree{'s' * (len(self.nodes) != 1)})"


class _VotingTrees(TreeModel):
    """Trees whose leaves hold shares, counts or votes, over numbers and named values."""

    float32: bool
    facts = (*TreeModel.facts, "float32")

    def _set(
        self,
        nodes: Sequence[TreeNodes],
        *,
        features: Sequence[str],
        values: Any = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        encoder: Encoder | None = None,
        float32: bool = False,
        rounded: bool = False,
    ) -> None:
        n_classes = nodes[0].score.shape[1]
        self.features = checked_features(features, len(features))
        self.classes = checked_names(classes, n_classes, "classes", list(range(n_classes)))
        self.float32, self.rounded = checked_flag(float32, "float32"), checked_flag(rounded, "rounded")
        labels = checked_labels(values, self.features)
        trees = [flat.with_sets(flat.rounded_32(tree) if float32 else tree, labels, self.features) for tree in nodes]
        self.thresholds = _thresholds(trees, labels)
        self.values = tuple(
            _interval_labels(cuts, float32) if named is None else named
            for named, cuts in zip(labels, self.thresholds, strict=True)
        )
        given = checked_ordered(ordered, len(labels))
        self.ordered = tuple(o or named is None for o, named in zip(given, labels, strict=True))
        self.encoder = encoder if encoder is not None else self._intervals()
        self._set_trees(trees, tie)

    def _set_from_roots(self, roots: Mapping[str, Any], **names: Any) -> None:
        """From nested dicts, by what each is called in errors."""
        sketches = [Sketch(root, VOTES, name) for name, root in roots.items()]
        features = feature_names(sketches, names["features"])
        labels, classes = checked_labels(names["values"], features), class_names(sketches, names["classes"])
        nodes = [sketch.nodes(features, labels, classes) for sketch in sketches]
        self._set(nodes, **{**names, "features": features, "values": labels, "classes": classes})

    @classmethod
    def _from_trees(cls, trees: Sequence[Any], data: Mapping[str, Any], *options: str) -> Self:
        """The model in JSON; ``trees`` are those of the data."""
        features = checked_features(data["features"], len(data["features"]))
        labels, n_classes = checked_labels(data.get("values"), features), len(data["classes"])
        called = ["the tree"] if len(trees) == 1 else [f"tree {i}" for i in range(len(trees))]
        nodes = [flat.from_dict(tree, labels, n_classes, name) for tree, name in zip(trees, called, strict=True)]
        return cls.from_nodes(nodes, **names_from_dict(data, "tie", "float32", *options) | {"values": labels})

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

    # --- numbers

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The share of each class in the summed scores, for rows of value codes; None where scores are negative."""
        if self._has_negative_scores:
            return None
        sums = self._rule.sums(np.asarray(codes))
        totals = sums.sum(axis=1, keepdims=True)
        return np.where(totals > 0, sums / np.where(totals > 0, totals, 1), 1 / len(self.classes))

    @cached_property
    def _has_negative_scores(self) -> bool:
        return any(bool((tree.score < 0).any()) for tree in self._rule.trees)

    def total(self) -> Quantity:
        return self._sum((-1, 1))

    def _sum(self, signs: tuple[int, ...]) -> Quantity:
        rule, error = self._rule, self.rounding_error
        units = sum(int(np.abs(tree.score[tree.feature < 0]).sum(axis=1).max()) for tree in rule.trees)
        if not (self._units.exact and units < 2**53):
            error += float_error(len(rule.trees), math.ldexp(units, -self._units.scale))
        # one tree gives what is at its leaves
        leaves = self._leaf_scores()[0] @ np.array(signs, dtype=np.float64) if len(rule.trees) == 1 else None
        return Quantity(rule, signs, self._units.scale, error=error, leaves=leaves)

    #: The score of two classes is the probability of the second one.
    cut = 0.5

    def measured(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.number("probability", 1 if of == "score" else k, codes)

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
        whole = [score.sum(axis=1)[tree.leaves] for score, tree in zip(scores, self.nodes, strict=True)]
        signs = tuple(int(j == k) for j in range(len(self.classes)))
        found = self._sum(signs)
        if found.leaves is not None:
            totals = scores[0].sum(axis=1)
            shares = np.where(totals > 0, found.leaves / np.where(totals > 0, totals, 1), 1 / len(self.classes))
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

    # --- JSON

    @abstractmethod
    def _trees_to_dict(self) -> dict[str, Any]:
        """The trees."""

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        names = self.names_to_dict()
        if self.encoder == self._intervals():
            names.pop("encoder", None)
        values = [None if named is None else shown for named, shown in zip(self._labels, names["values"], strict=True)]
        options = {"tie": self.tie, "float32": self.float32}
        return {"model": self.kind, **self._trees_to_dict(), **options, **names, "values": values}


class DecisionTree(_VotingTrees):
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
        names = {"features": features, "values": values, "classes": classes, "ordered": ordered}
        self._set_from_roots({"the tree": root}, **names, tie=tie, encoder=encoder, float32=float32)

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
        **names: Any,
    ) -> DecisionTree:
        """A tree from one array per property of its nodes; node 0 is the root. The names are those of `DecisionTree`.

        Node u sends a row to ``left[u]`` iff ``row[feature[u]] <= threshold[u]``, else to ``right[u]``. It is a leaf
        iff ``left[u]`` is negative; class k gets ``score[u][k]`` there. A node in ``subset`` tests a feature whose
        values are named, and sends those with the codes ``subset[u]`` to the left instead.

        >>> DecisionTree.from_arrays([0, -1, -1], [0.5, 0, 0], [1, -1, -1], [2, -1, -1], [[5, 5], [4, 1], [1, 4]])
        DecisionTree(1 feature, 2 classes)
        """
        tested = integers(feature, "feature")
        n_features = int(tested.max(initial=-1)) + 1 if features is None else len(features)
        features = checked_features(features, max(n_features, 0))
        labels = checked_labels(values, features)
        sets = {
            int(u): checked_subset(codes, labels, int(tested[u]), f"the subset of node {u}")
            for u, codes in (subset or {}).items()
        }
        nodes = checked_nodes(tested, threshold, left, right, score, len(features), sets)
        return cls.from_nodes([nodes], features=features, values=labels, **names)

    def _trees_to_dict(self) -> dict[str, Any]:
        return {"tree": flat.to_dict(self.nodes[0])}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DecisionTree:
        """The inverse of `to_dict`."""
        return cls._from_trees([data["tree"]], data)


class RandomForest(_VotingTrees):
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
    facts = (*_VotingTrees.facts, "vote")

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
        given = list(trees)
        if not given:
            raise ModelError("a forest needs at least one tree")
        names = {"features": features, "values": values, "classes": classes, "ordered": ordered}
        options: dict[str, Any] = {"tie": tie, "encoder": encoder, "rounded": rounded, "vote": vote}
        if not any(isinstance(tree, DecisionTree) for tree in given):
            roots = {f"tree {i}": root for i, root in enumerate(given)}
            self._set_from_roots(roots, **names, **options, float32=float32)
            return
        if float32 or any(name is not None for name in names.values()):
            raise ModelError("DecisionTree objects have their own features, values, classes, ordered and float32")
        first = _same_names(given)
        own = {name: getattr(first, name) for name in (*names, "float32")} | {"values": first._labels}
        self._set([tree.nodes[0] for tree in given if isinstance(tree, DecisionTree)], **own, **options)

    def _set(self, nodes: Sequence[TreeNodes], *, vote: str = "soft", **names: Any) -> None:
        self.vote = checked_choice(vote, VOTE_KINDS, "vote")
        super()._set(nodes, **names)

    def _leaf_scores(self) -> list[Numbers]:
        if self.vote == "hard":
            return [_winner(tree) for tree in self.nodes]
        return _shares(self.nodes) if any(tree.counts for tree in self.nodes) else super()._leaf_scores()

    def _exact_scores(self) -> list[npt.NDArray[Any]]:
        pairs = zip(self.nodes, self._leaf_scores(), strict=True)
        return [_fraction_shares(tree) if tree.counts and share.dtype.kind == "f" else share for tree, share in pairs]

    def _trees_to_dict(self) -> dict[str, Any]:
        rounded = {"rounded": True} if self.rounded else {}
        return {"vote": self.vote, **rounded, "trees": [flat.to_dict(tree) for tree in self.nodes]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RandomForest:
        """The inverse of `to_dict`."""
        if not isinstance(data["trees"], list) or not data["trees"]:
            raise ModelError("trees must be a list of at least one tree")
        return cls._from_trees(data["trees"], data, "vote", "rounded")

    def __repr__(self) -> str:
        return self._with_count()


# --- votes ------------------------------------------------------------------------------------------------------------


def _winner(tree: TreeNodes) -> npt.NDArray[np.int64]:
    """1 for the class with the largest score at a leaf."""
    votes = np.zeros(tree.score.shape, dtype=np.int64)
    leaves = np.flatnonzero(tree.leaves)
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
    return tuple(range_names([(text, True) for text in shown]))
