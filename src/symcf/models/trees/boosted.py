"""Boosted trees: the scores at the leaves that a row reaches are added up, by class.

XGBoost, LightGBM, CatBoost and scikit-learn's boosting all become this model. Its trees are kept over value codes: the
encoder knows at which numbers the trees cut, whether a cut itself lies left or right, and in how many bits numbers are
compared. A value that means "missing" is the last one of its feature, and each node says where it goes.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.encoder import Encoder
from symcf.data.labels import checked_features, checked_names
from symcf.data.reader import Codes
from symcf.errors import ModelError
from symcf.models.base import Model, checked_ordered, checked_values, names_from_dict, probabilities_of
from symcf.models.close_sums import Summand, rounding_is_harmless
from symcf.models.quantities import DOUBLE, SINGLE, Quantity, float_error
from symcf.models.rules import Tree, TreeRule, value_offsets
from symcf.models.scaling import Numbers, Units, common_units, numbers
from symcf.models.trees.boosted_dicts import BoostedSketch, Domains, domains_of
from symcf.models.trees.boosted_nodes import BoostedNodes, checked_boosted, nodes_from_dict, nodes_to_dict
from symcf.models.trees.nodes import integers

__all__ = ["BoostedTrees"]

PROBABILITIES = ("logistic", "ovr")
TIES = ("positive", "negative")

#: Sums of the scores of trees stay below 2 to this power: what the core allows for the difference of two classes.
SUM_BITS = 58


class BoostedTrees(Model):
    """Trees whose scores are added up.

    Parameters
    ----------
    trees:
        Nested dicts. A test is ``{"feature": name or index, "less_than": number, "yes": node, "no": node}``; instead of
        ``"less_than"`` it may have ``"at_most": number``, or ``"in": [values]`` for features whose values are named.
        ``"missing": "yes"`` or ``"no"`` says where missing values go; a feature has them if one of its tests says so. A
        leaf is ``{"score": number}`` (two classes: for the second one), ``{"score": number, "class": label}`` or
        ``{"scores": [...]}``, one number per class.
    bias:
        What is added to the scores: a number (two classes: for the second one), or one per class.
    features:
        Names; by default those that the trees mention, in this order.
    values:
        The names of the values of features that are not plain numbers: a dict by feature, or a list with None for
        numbers.
    classes:
        Names; by default those of the leaves, sorted, or ``0, 1, ...``.
    ordered:
        Whether named values come in a meaningful order; by default they do. Numbers always do.
    tie:
        Which of several classes with the same score wins: ``"negative"`` (the first) or ``"positive"`` (the last).
    probability:
        What `predict_proba` makes of the sums. ``"logistic"``: softmax, which is the logistic function where there are
        two classes. ``"ovr"``: the logistic function of each sum, divided by their total. None: no probabilities.
    slope:
        What the sums are multiplied by before that.
    float32:
        Compare numbers after rounding them to 32-bit floats, as XGBoost does.
    monotone:
        For each feature 1, -1 or 0, if the trees were trained so that the score of the second class rises or falls with
        it. Kept as a fact, not checked.
    rounded:
        Whether scores that do not fit 58-bit integers may be rounded. Otherwise they are refused, unless rounding is
        proved to change no decision. `symcf.from_model` sets it to True; see `rounding_error`.
    encoder:
        Reads the user's own rows. By default numbers, missing ones and named values are read.

    >>> stump = {"feature": "age", "less_than": 25, "yes": {"score": -0.5}, "no": {"score": 0.25}, "missing": "no"}
    >>> model = BoostedTrees([stump, stump], bias=0.125, classes=["deny", "approve"])
    >>> model.values
    (('< 25', '>= 25', '(missing)'),)
    """

    kind: ClassVar[str] = "boosted_trees"

    def __init__(
        self,
        trees: Sequence[Mapping[str, Any]],
        *,
        bias: float | Sequence[float] = 0,
        features: Sequence[str] | None = None,
        values: Mapping[str, Sequence[Hashable]] | Sequence[Sequence[Hashable] | None] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        probability: str | None = "logistic",
        slope: float = 1.0,
        float32: bool = False,
        monotone: Sequence[int] | None = None,
        rounded: bool = False,
        encoder: Encoder | None = None,
    ) -> None:
        sketches = [BoostedSketch(root, f"tree {i}") for i, root in enumerate(trees)]
        domains: Domains = domains_of(sketches, features, values, classes, float32=float32)
        given = checked_ordered(ordered, len(domains.features))
        self._set(
            [
                checked_boosted(**sketch.arrays(domains), n_values=domains.n_values, name=sketch.name)
                for sketch in sketches
            ],
            features=domains.features,
            values=domains.values,
            classes=domains.classes,
            ordered=[o or cuts is not None for o, cuts in zip(given, domains.cuts, strict=True)],
            bias=bias,
            tie=tie,
            probability=probability,
            slope=slope,
            monotone=monotone,
            rounded=rounded,
            encoder=domains.encoder if encoder is None else encoder,
        )

    @classmethod
    def from_codes(cls, trees: Sequence[Mapping[str, Any]], **names: Any) -> BoostedTrees:
        """Trees over value codes, as `to_dict` writes them; for the keywords see `BoostedTrees` (values by feature)."""
        features = checked_features(names.get("features"), len(names["values"]))
        classes = checked_names(names["classes"], len(names["classes"]), "classes", [])
        values = checked_values(names["values"], features, [len(labels) for labels in names["values"]])
        if not isinstance(trees, (list, tuple)):
            raise ModelError("trees must be a list of trees")
        sizes = [len(labels) for labels in values]
        nodes = [nodes_from_dict(tree, sizes, len(classes), f"tree {i}") for i, tree in enumerate(trees)]
        self = cls.__new__(cls)
        self._set(nodes, **{**names, "features": features, "values": values, "classes": classes})
        return self

    def _set(
        self,
        nodes: Sequence[BoostedNodes],
        *,
        features: tuple[str, ...],
        values: tuple[tuple[Hashable, ...], ...],
        classes: tuple[Hashable, ...],
        ordered: Sequence[bool] | bool | None = None,
        bias: Any = 0,
        tie: str = "negative",
        probability: str | None = "logistic",
        slope: float = 1.0,
        monotone: Sequence[int] | None = None,
        rounded: bool = False,
        encoder: Encoder | None = None,
        bits: int = DOUBLE,
    ) -> None:
        if not nodes:
            raise ModelError("boosted trees need at least one tree")
        if len(classes) < 2:
            raise ModelError(f"a classifier needs at least two classes, this one has {list(classes)!r}")
        if tie not in TIES:
            raise ModelError(f"unknown tie rule {tie!r}: choose from {', '.join(map(repr, TIES))}")
        if probability is not None and probability not in PROBABILITIES:
            raise ModelError(
                f"unknown probability {probability!r}: choose from {', '.join(map(repr, PROBABILITIES))}, or None"
            )
        if not isinstance(rounded, bool):
            raise ModelError(f"rounded must be True or False, not {rounded!r}")
        self.features, self.values, self.classes = features, values, classes
        self.ordered = checked_ordered(ordered, len(features))
        self.nodes = tuple(nodes)
        self.bias = _checked_bias(bias, len(classes))
        self.tie, self.probability, self.rounded, self.encoder = tie, probability, rounded, encoder
        self.slope = _checked_slope(slope)
        #: The bits of the floats that the library adds up, where the trees were read from one.
        self.bits = SINGLE if bits == SINGLE else DOUBLE
        self.monotone = _checked_monotone(monotone, len(features))
        if not (self._units.exact or rounded or self._rounding_is_harmless()):
            raise self._units.refusal("the scores at the leaves", len(nodes) + 1, SUM_BITS)

    # --- decisions

    def rule(self) -> TreeRule:
        """The decision in exact integers."""
        return self._rule

    @cached_property
    def _rule(self) -> TreeRule:
        *scores, bias = self._units.parts
        scores[0] = np.where(self.nodes[0].leaves[:, None], scores[0] + bias, 0)
        trees = map(self._coded, self.nodes, scores)
        return TreeRule(value_offsets(self.n_values), tuple(trees), later_wins=self.tie == "positive")

    def _coded(self, tree: BoostedNodes, score: npt.NDArray[np.int64]) -> Tree:
        sizes = np.array([*self.n_values, 0], dtype=np.int64)  # the last entry is what the -1 of a leaf refers to
        width = sizes[tree.feature]
        start = np.concatenate([[0], np.cumsum(width)])
        code = np.arange(start[-1]) - np.repeat(start[:-1], width)
        left = code < np.repeat(tree.below, width)
        left[(start[1:] - 1)[tree.last]] = True
        for u, codes in tree.subset.items():
            left[start[u] + np.array(codes, dtype=np.int64)] = True
        return Tree(tree.feature, tree.left, tree.right, start, left.astype(np.uint8), score)

    @cached_property
    def _units(self) -> Units:
        """The scores and the bias as integers."""
        parts = [*(tree.score for tree in self.nodes), self.bias]
        return common_units(parts, lambda sizes: sum(float(part.max()) for part in sizes), SUM_BITS)

    def _rounding_is_harmless(self) -> bool | None:
        *scores, bias = self._units.parts
        summands = [
            Summand(tree.score[tree.leaves], part[tree.leaves]) for tree, part in zip(self.nodes, scores, strict=True)
        ]
        return rounding_is_harmless([*summands, Summand(self.bias[None, :], bias[None, :])])

    @property
    def rounding_error(self) -> float:
        """How far the difference of two classes can be from the exact one; 0 if the scores are taken exactly."""
        return self._units.rounding_error(2 * (len(self.nodes) + 1))

    def decision_values(self, codes: Codes) -> npt.NDArray[np.float64]:
        """Two classes: the lead of the second one. More: the sum of each class."""
        sums = self._rule.sums(np.asarray(codes))
        values = np.ldexp((sums[:, 1] - sums[:, 0] if len(self.classes) == 2 else sums).astype(float), -self.scale)
        return np.asarray(values)

    def total(self) -> Quantity:
        """See `Model`."""
        rule, error = self._rule, self.rounding_error
        at_leaves = [np.abs(tree.score[tree.feature < 0]).max() for tree in rule.trees]
        units = sum(map(int, at_leaves))
        if self.rounded and not (self._units.exact and units < 2**self.bits):
            error += float_error(len(rule.trees), math.ldexp(units, -self.scale), self.bits)
        least = int(self.tie == "negative")
        return Quantity(rule, (-1, 1), self.scale, error=error, bits=self.bits, least=least)

    def logistic(self) -> tuple[tuple[Any, ...], ...] | None:
        """See `Model`."""
        return None if self.probability is None else (("times", self.slope), ("logistic",))

    @property
    def scale(self) -> int:
        """A unit of the integers is 2 to the power of minus this."""
        return self._units.scale

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The probability of each class for rows of value codes; None without ``probability``."""
        if self.probability is None:
            return None
        return probabilities_of(self.slope * self.decision_values(codes), self.probability)

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        return {
            "model": self.kind,
            "trees": [nodes_to_dict(tree) for tree in self.nodes],
            "bias": self.bias.tolist(),
            "tie": self.tie,
            "probability": self.probability,
            "slope": self.slope,
            **({"monotone": list(self.monotone)} if self.monotone is not None else {}),
            **({"rounded": True} if self.rounded else {}),
            **({"bits": self.bits} if self.bits != DOUBLE else {}),
            **self.names_to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BoostedTrees:
        """The inverse of `to_dict`."""
        optional = ("bias", "tie", "probability", "slope", "monotone", "rounded", "bits")
        options = {key: data[key] for key in optional if key in data}
        return cls.from_codes(data["trees"], **options, **names_from_dict(data))

    def _facts(self) -> tuple[Any, ...]:
        names = self.features, self.values, self.ordered, self.classes, self.tie, self.encoder, self.nodes
        return *names, self.probability, self.slope, self.monotone, self.rounded, self.bias.tolist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoostedTrees):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.features, self.classes, self.tie, len(self.nodes)))

    def __getstate__(self) -> dict[str, Any]:
        # the rule is made again when it is needed
        return {key: value for key, value in self.__dict__.items() if key not in ("_rule", "_units")}

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {len(self.nodes)} tree{'s' * (len(self.nodes) != 1)})"


# --- checks -----------------------------------------------------------------------------------------------------------


def _checked_bias(bias: Any, n_classes: int) -> Numbers:
    array = numbers(bias, "bias")
    if array.ndim == 0:
        if n_classes != 2 and array != 0:
            raise ModelError(f"bias must list {n_classes} numbers, one per class")
        array = np.array([0] * (n_classes - 1) + [array], dtype=array.dtype)
    if len(array) != n_classes or not np.isfinite(array).all():
        raise ModelError(f"bias must be {n_classes} finite numbers, one per class")
    array.setflags(write=False)
    return array


def _checked_slope(slope: Any) -> float:
    array = numbers(slope, "slope")
    if array.ndim or not math.isfinite(array) or array <= 0:
        raise ModelError(f"slope must be a positive number, not {slope!r}")
    return float(array)


def _checked_monotone(monotone: Any, n: int) -> tuple[int, ...] | None:
    if monotone is None:
        return None
    result = tuple(integers(monotone, "monotone").tolist())
    if len(result) != n or not set(result) <= {-1, 0, 1}:
        raise ModelError(f"monotone must be 1, -1 or 0 for each of the {n} features")
    return result
