"""Boosted trees: the scores at the leaves that a row reaches are added up, by class.

XGBoost, LightGBM, CatBoost and scikit-learn's boosting all become this model. Its trees are kept over value codes: the
encoder knows at which numbers the trees cut, whether a cut itself lies left or right, and in how many bits numbers are
compared. A value that means "missing" is the last one of its feature, and each node says where it goes.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.data.encoder import Encoder
from symcf.data.labels import checked_features, checked_names
from symcf.data.reader import Codes
from symcf.errors import ModelError
from symcf.models.base import (
    PROBABILITIES,
    checked_choice,
    checked_flag,
    checked_ordered,
    checked_values,
    names_from_dict,
    probabilities_of,
)
from symcf.models.quantities import DOUBLE, SINGLE, Quantity, float_error
from symcf.models.scaling import Numbers, numbers
from symcf.models.trees.classifiers import TreeModel
from symcf.models.trees.dicts import BOOSTED, Domains, Sketch, class_names
from symcf.models.trees.nodes import TreeNodes, codes_from_dict, codes_to_dict, integers

__all__ = ["BoostedTrees"]


class BoostedTrees(TreeModel):
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
    facts = (*TreeModel.facts, "probability", "slope", "monotone")
    bias: Numbers

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
        sketches = [Sketch(root, BOOSTED, f"tree {i}") for i, root in enumerate(trees)]
        domains = Domains(sketches, features, values, float32=float32)
        labels = class_names(sketches, classes)
        given = checked_ordered(ordered, len(domains.features))
        self._set(
            [domains.nodes(sketch, labels) for sketch in sketches],
            features=domains.features,
            values=domains.values,
            classes=labels,
            ordered=[o or named is None for o, named in zip(given, domains.labels, strict=True)],
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
        if not isinstance(trees, (list, tuple)):
            raise ModelError("trees must be a list of trees")
        values, n_classes = names["values"], len(names["classes"])
        return cls.from_nodes(
            [codes_from_dict(tree, values, n_classes, f"tree {i}") for i, tree in enumerate(trees)], **names
        )

    def _set(
        self,
        nodes: Sequence[TreeNodes],
        *,
        features: Sequence[str] | None = None,
        values: Sequence[Sequence[Hashable]],
        classes: Sequence[Hashable],
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
        self.features = checked_features(features, len(values))
        self.values = checked_values(values, self.features, list(map(len, values)))
        self.classes = checked_names(classes, len(classes), "classes", [])
        self.encoder, self.thresholds = encoder, (None,) * len(values)
        self.ordered = checked_ordered(ordered, len(values))
        self.probability = checked_choice(probability, PROBABILITIES, "probability", optional=True)
        self.rounded = checked_flag(rounded, "rounded")
        self.bias = _checked_bias(bias, len(classes))
        self.slope = _checked_slope(slope)
        #: The bits of the floats that the library adds up, where the trees were read from one.
        self.bits = SINGLE if bits == SINGLE else DOUBLE
        self.monotone = _checked_monotone(monotone, len(values))
        self._set_trees(nodes, tie)

    # --- decisions

    def decision_values(self, codes: Codes) -> npt.NDArray[np.float64]:
        """Two classes: the lead of the second one. More: the sum of each class."""
        return self._sums(codes)

    def total(self) -> Quantity:
        least = int(self.tie == "negative")
        return Quantity(self._rule, (-1, 1), self.scale, error=self._error(), bits=self.bits, least=least)

    def lead(self, margin: float) -> int:
        """See `Model`. Both scores may be off."""
        return math.ceil((Fraction(margin) + 2 * Fraction(self._error())) * Fraction(2) ** self.scale)

    def _error(self) -> float:
        """How far a sum of the library's floats can be from that of the rule."""
        rule, error = self._rule, self.rounding_error
        units = sum(int(np.abs(tree.score[tree.feature < 0]).max()) for tree in rule.trees)
        if self.rounded and not (self._units.exact and units < 2**self.bits):
            error += float_error(len(rule.trees), math.ldexp(units, -self.scale), self.bits)
        return error

    def logistic(self) -> tuple[tuple[Any, ...], ...] | None:
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
            "trees": [codes_to_dict(tree) for tree in self.nodes],
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
        return cls.from_codes(data["trees"], **names_from_dict(data, *optional))

    def __repr__(self) -> str:
        return self._with_count()


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
