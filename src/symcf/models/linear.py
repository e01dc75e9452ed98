"""Linear classifiers: a sum of the weights of the values decides."""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.data.encoder import Encoder
from symcf.data.labels import checked_features
from symcf.data.reader import Codes
from symcf.errors import ModelError
from symcf.models.base import (
    PROBABILITIES,
    TIES,
    Model,
    checked_choice,
    checked_classes,
    checked_flag,
    checked_ordered,
    checked_values,
    names_from_dict,
    probabilities_of,
)
from symcf.models.close_sums import Summand, rounding_is_harmless
from symcf.models.quantities import Quantity, float_error
from symcf.models.rules import Rule, ScoreRule, ThresholdRule, value_offsets
from symcf.models.scaling import SUM_BITS, Numbers, Units, common_units, joined, numbers

__all__ = ["LinearClassifier"]

#: Rows up to which their weights are looked up at once.
FEW_ROWS = 32


class LinearClassifier(Model):
    """A classifier that adds up the weights of the values of a row.

    Two classes: ``bias`` is a number and ``weights[j]`` belongs to feature j; the answer is class 1 iff the sum is
    positive. More classes: ``bias`` lists one number per class and ``weights[k][j]`` belongs to class k and feature j;
    the class with the largest sum wins.

    Parameters
    ----------
    weights:
        For each feature a number, the weight of value 1 of a feature that is 0 or 1, or a list with one weight per
        value.
    bias:
        What is added to the weights.
    features, classes:
        Names; by default ``x0, x1, ...`` and ``0, 1, ...``.
    values:
        For each feature the names of its values; by default their codes ``0, 1, ...``.
    ordered:
        Whether the values of each feature come in a meaningful order; by default they do.
    tie:
        The answer when the sum is exactly 0: ``"negative"`` (class 0) or ``"positive"`` (class 1). With one sum per
        class: the first or the last of those with the largest sum.
    probability:
        What `predict_proba` makes of the sums. ``"logistic"``: the logistic function, or softmax where there is one sum
        per class. ``"ovr"``: the logistic function of each sum, divided by their total. None: no probabilities.
    encoder:
        Reads the user's own rows; by default instances are value codes.
    rounded:
        Whether weights that span too many bits may be rounded. `symcf.from_sklearn` sets it to True: scikit-learn's
        own sums are rounded about 256 times as coarsely.

    Integers stay integers. Floats are taken as exact binary fractions, and nothing is rounded if they lie close enough
    together: if the sum of magnitudes is at most 2**61 units of the last bit of any of them. Otherwise they are rounded
    to 61-bit units if that is proved to change no decision, which is possible for up to about 40 binary features, and
    refused if not. With ``rounded=True`` no proof is needed; see `rounding_error`.

    >>> model = LinearClassifier([2.5, [0, 1, 4]], -3, features=["member", "age"])
    >>> model.decision_values([[1, 0], [1, 1], [0, 2]]).tolist()
    [-0.5, 0.5, 1.0]
    """

    kind: ClassVar[str] = "linear"
    facts = ("weights", "bias", "tie", "probability", "rounded")

    def __init__(
        self,
        weights: Sequence[Any] | npt.ArrayLike,
        bias: float | Sequence[float] | npt.ArrayLike,
        *,
        features: Sequence[str] | None = None,
        values: Sequence[Sequence[Hashable]] | None = None,
        classes: Sequence[Hashable] | None = None,
        ordered: Sequence[bool] | bool | None = None,
        tie: str = "negative",
        probability: str | None = None,
        encoder: Encoder | None = None,
        rounded: bool = False,
    ) -> None:
        constant = numbers(bias, "bias")
        two = constant.ndim == 0
        self.classes = checked_classes(classes, 1 if two else len(constant), one_sum=two)
        rows = [_listed(weights, "weights")] if two else [_listed(w, "weights") for w in _listed(weights, "weights")]
        self.features = _checked_row_lengths(rows, len(np.atleast_1d(constant)), features, self.classes)
        columns = [
            [_column(w, self._where(j, None if two else k)) for j, w in enumerate(row)] for k, row in enumerate(rows)
        ]
        self._check_lengths(columns)
        self.values = checked_values(values, self.features, [len(column) for column in columns[0]])
        self.ordered = checked_ordered(ordered, len(self.features))
        #: By sum (one, or one per class), then by feature and value.
        self.weights = _read_only(joined([w for row in columns for w in row]).reshape(len(rows), -1))
        #: By sum.
        self.bias = _read_only(np.atleast_1d(constant))
        self._check_finite()
        self.tie = checked_choice(tie, TIES, "tie rule")
        self.probability = checked_choice(probability, PROBABILITIES, "probability", optional=True)
        self.encoder = encoder
        self.rounded = checked_flag(rounded, "rounded")
        if not (self._integers.exact or rounded or self._rounding_is_harmless()):
            raise self._integers.refusal("the weights and the bias", len(self.features) + 1, SUM_BITS)

    # --- decisions

    @cached_property
    def _integers(self) -> Units:
        """Weights and bias, in units of the rule."""
        starts = value_offsets(self.n_values)[:-1].astype(np.int64)

        def largest(parts: Sequence[npt.NDArray[np.float64]]) -> float:
            most = np.maximum.reduceat(parts[0], starts, axis=1).sum(axis=1) if len(starts) else 0.0
            return float(np.max(most + parts[1]))

        return common_units([self.weights, self.bias], largest)

    def _rounding_is_harmless(self) -> bool | None:
        weights, bias = self._integers.parts
        bounds = itertools.pairwise(value_offsets(self.n_values).tolist())
        features = [Summand(self.weights[:, i:j].T, weights[:, i:j].T) for i, j in bounds]
        return rounding_is_harmless([*features, Summand(self.bias[np.newaxis], bias[np.newaxis])])

    @property
    def scale(self) -> int:
        """The rule counts in units of 2 to the power of minus this."""
        return self._integers.scale

    @property
    def rounding_error(self) -> float:
        """How far the sums of the rule can be from the exact ones; 0 if the weights are taken exactly."""
        return self._integers.rounding_error(len(self.features) + 1)

    def rule(self) -> Rule:
        """The decision in exact integers."""
        (weights, bias), scale = self._integers.parts, self.scale
        offset = value_offsets(self.n_values)
        if len(self.classes) > 2:
            return ScoreRule(offset, weights, bias, scale, later_wins=self.tie == "positive")
        weight, constant = weights[-1], int(bias[-1])
        if len(bias) == 2:
            weight, constant = weight - weights[0], constant - int(bias[0])
        constant -= self.tie == "negative"
        return ThresholdRule(_core.Threshold.from_weights(offset, np.ascontiguousarray(weight), constant))

    def decision_values(self, codes: Codes | npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The sums of rows of value codes: one per row, or one per row and class.

        They are the exact sums of the rule, so their signs are the decisions.
        """
        rows = np.asarray(codes)
        (weights, bias), scale = self._integers.parts, self.scale
        offset = value_offsets(self.n_values)[:-1]
        if len(rows) <= FEW_ROWS:  # all at once
            sums = bias + weights[:, offset + rows.astype(np.int64)].sum(axis=2).T
        else:
            sums = np.tile(bias, (len(rows), 1))
            for j, start in enumerate(offset.tolist()):
                sums += weights[:, start + rows[:, j].astype(np.int64)].T
        result: npt.NDArray[np.float64] = np.ldexp(sums.astype(np.float64), -scale)
        return result if len(bias) > 1 else result[:, 0]

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The probability of each class for rows of value codes; None without ``probability``."""
        return None if self.probability is None else probabilities_of(self.decision_values(codes), self.probability)

    def total(self) -> Quantity:
        units = self._integers
        rule = self.rule()
        assert isinstance(rule, ThresholdRule)
        first, last = rule.extent()
        most = max(abs(first), abs(last))
        error = self.rounding_error
        if self.rounded and not (units.exact and most < 2**53):
            error += self._float_error(math.ldexp(most, -self.scale))
        negative = int(self.tie == "negative")
        return Quantity(rule, (1,), self.scale, negative, error=error, least=negative)

    def lead(self, margin: float) -> int:
        """See `Model`. Both scores may be off."""
        error = 2 * self.rounding_error
        if self.rounded and not (self._integers.exact and math.ldexp(self._magnitude, self.scale) < 2**53):
            error += self._float_error()
        return math.ceil((Fraction(margin) + Fraction(error)) * Fraction(2) ** self.scale)

    def _float_error(self, magnitude: float = 0.0) -> float:
        """How far the difference of two sums of floats can be from the exact one."""
        return float_error(2 * len(self.features), max(magnitude, 2 * self._magnitude))

    @property
    def _magnitude(self) -> float:
        """The largest sum of magnitudes."""
        starts = value_offsets(self.n_values)[:-1].astype(np.int64)
        most = np.maximum.reduceat(np.abs(self.weights), starts, axis=1).sum(axis=1) if len(starts) else 0.0
        return float(np.max(most + np.abs(self.bias)))

    def totals(self, codes: Codes) -> npt.NDArray[np.float64]:
        values = self.decision_values(codes)
        return values[:, 1] - values[:, 0] if values.ndim == 2 else values

    def logistic(self) -> tuple[tuple[Any, ...], ...] | None:
        return None if self.probability is None else (("logistic",),)

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        bounds = list(itertools.pairwise(value_offsets(self.n_values).tolist()))
        rows = [[row[i:j] for i, j in bounds] for row in self.weights.tolist()]
        bias = self.bias.tolist()
        return {
            "model": self.kind,
            "weights": rows if len(bias) > 1 else rows[0],
            "bias": bias if len(bias) > 1 else bias[0],
            "tie": self.tie,
            "probability": self.probability,
            **({"rounded": True} if self.rounded else {}),
            **self.names_to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LinearClassifier:
        """The inverse of `to_dict`."""
        return cls(data["weights"], data["bias"], **names_from_dict(data, "tie", "probability", "rounded"))

    # --- checks

    def _where(self, feature: int, k: int | None) -> str:
        suffix = "" if k is None else f" for class {self.classes[k]!r}"
        return f"the weights of feature {self.features[feature]!r}{suffix}"

    def _check_lengths(self, columns: list[list[Numbers]]) -> None:
        for k, row in enumerate(columns):
            for j, column in enumerate(row):
                if len(column) == 0:
                    raise ModelError(f"feature {self.features[j]!r} has no value")
                if len(column) != len(columns[0][j]):
                    raise ModelError(
                        f"feature {self.features[j]!r} has {len(columns[0][j])} values for class {self.classes[0]!r} "
                        f"and {len(column)} for class {self.classes[k]!r}"
                    )

    def _check_finite(self) -> None:
        one = len(self.bias) == 1
        for k in np.flatnonzero(~np.isfinite(self.bias)):
            raise ModelError(f"the bias{'' if one else f' of class {self.classes[k]!r}'} is {self.bias[k]}")
        offset = value_offsets(self.n_values)
        for k, at in np.argwhere(~np.isfinite(self.weights)):
            j = int(np.searchsorted(offset, at, side="right")) - 1
            suffix = "" if one else f" for class {self.classes[k]!r}"
            value = self.values[j][at - offset[j]]
            raise ModelError(f"the weight of {self.features[j]!r} = {value!r}{suffix} is {self.weights[k, at]}")


def _listed(given: Any, what: str) -> list[Any]:
    try:
        if not isinstance(given, (str, bytes, Mapping, set)):
            return list(given)
    except TypeError:
        pass
    raise ModelError(f"{what} must be a list, not {reprlib.repr(given)}")


def _checked_row_lengths(
    rows: list[list[Any]], n_sums: int, features: Sequence[str] | None, classes: Sequence[Hashable]
) -> tuple[str, ...]:
    """The names of the features; every class must have the same number of them."""
    if len(rows) != n_sums:
        raise ModelError(f"weights has {len(rows)} classes, bias has {n_sums}")
    for k, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ModelError(
                f"class {classes[0]!r} has the weights of {len(rows[0])} features, class {classes[k]!r} of {len(row)}"
            )
    return checked_features(features, len(rows[0]))


def _column(given: Any, what: str) -> Numbers:
    """The weights of all values of a feature."""
    column = numbers(given, what)
    return column if column.ndim else np.array([0, column], dtype=column.dtype)


def _read_only(array: Numbers) -> Numbers:
    array.setflags(write=False)
    return array
