"""Naive Bayes: the model of the paper, for any number of classes and values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.encoder import Encoder
from symcf.data.labels import checked_features, checked_names, default_names
from symcf.data.reader import Codes
from symcf.errors import ModelError, OptionError
from symcf.models.base import (
    TIES,
    Model,
    checked_choice,
    checked_ordered,
    checked_values,
    names_from_dict,
    vector,
)
from symcf.models.quantities import Quantity, float_error
from symcf.models.rules import Rule, ScoreRule, ThresholdRule, value_offsets

__all__ = ["NaiveBayes"]

#: How far the sum of a feature's probabilities may be from 1, so that tables of a few digits are accepted.
SUM_TOLERANCE = 1e-6


class NaiveBayes(Model):
    """A naive Bayes classifier over discrete features.

    Parameters
    ----------
    class_prior:
        ``P(class k)``, one number per class.
    tables:
        ``tables[j][k][v]`` is ``P(feature j has value v | class k)``.
    features, classes:
        Names; by default ``x0, x1, ...`` and ``0, 1, ...``.
    values:
        For each feature the names of its values; by default their codes ``0, 1, ...``.
    threshold:
        Two classes only: the answer is class 1 iff ``P(class 1 | x) >= threshold``.
    tie:
        What to answer when the probability is exactly the threshold: ``"positive"`` (class 1) or ``"negative"``. With
        more classes: the last or the first of those with the largest score; scores are sums of rounded logarithms, so
        products that are equal on paper may differ in their last place; they are then not a tie.
    ordered:
        Whether the values of each feature come in a meaningful order (for "increase" and "decrease"); by default they
        do.
    encoder:
        Reads the user's own rows; by default instances are value codes.

    Probabilities of 0 and 1 are taken literally: a value with probability 0 in a class rules out that class.

    >>> model = NaiveBayes([0.7, 0.3], [[[0.85, 0.15], [0.6, 0.4]]], features=["experience"])
    >>> model
    NaiveBayes(1 feature, 2 classes)
    """

    kind: ClassVar[str] = "naive_bayes"
    facts = ("class_prior", "tables", "threshold", "tie")

    def __init__(
        self,
        class_prior: Sequence[float] | npt.ArrayLike,
        tables: Sequence[Any],
        *,
        features: Sequence[str] | None = None,
        values: Sequence[Sequence[Hashable]] | None = None,
        classes: Sequence[Hashable] | None = None,
        threshold: float = 0.5,
        tie: str = "positive",
        ordered: Sequence[bool] | bool | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        prior = vector(class_prior, "class_prior")
        self.classes = checked_names(classes, len(prior), "classes", list(range(len(prior))))
        self.features = checked_features(features, len(tables))
        self.class_prior = _checked_prior(prior, self.classes)
        self.tables = tuple(
            _checked_table(t, name, self.classes) for t, name in zip(tables, self.features, strict=True)
        )
        self.values = checked_values(values, self.features, [t.shape[1] for t in self.tables])
        self.ordered = checked_ordered(ordered, len(self.features))
        self.encoder = encoder
        if not (isinstance(threshold, (int, float)) and 0 < threshold < 1):
            raise ModelError(f"threshold must lie between 0 and 1, not {threshold!r}")
        if len(prior) != 2 and threshold != 0.5:
            raise ModelError(f"threshold applies to two classes only; this model has {len(prior)}")
        self.threshold = float(threshold)
        self.tie = checked_choice(tie, TIES, "tie rule")

    @classmethod
    def binary(
        cls,
        prior: float,
        p1: Sequence[float] | npt.ArrayLike,
        p0: Sequence[float] | npt.ArrayLike,
        *,
        features: Sequence[str] | None = None,
        classes: Sequence[Hashable] | None = None,
        values: Sequence[Sequence[Hashable]] | None = None,
        threshold: float = 0.5,
        tie: str = "positive",
    ) -> NaiveBayes:
        """Two classes, features that are 0 or 1.

        ``prior`` is ``P(Y=1)``; ``p1[j]`` and ``p0[j]`` are ``P(X_j=1 | Y=1)`` and ``P(X_j=1 | Y=0)``.

        >>> NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1], features=["E", "WE"]).tables[0]
        array([[0.85, 0.15],
               [0.6 , 0.4 ]])
        """
        ones, zeros = vector(p1, "p1"), vector(p0, "p0")
        if len(ones) != len(zeros):
            raise ModelError(f"p1 has {len(ones)} features, p0 has {len(zeros)}; they must be equally long")
        if isinstance(prior, bool) or not isinstance(prior, (int, float, np.floating)):
            raise ModelError(f"prior must be a number, not {prior!r}")
        names = checked_names(features, len(ones), "features", default_names(len(ones)))
        labels = checked_names(classes, 2, "classes", [0, 1])
        _checked_probability(float(prior), f"the prior of class {labels[1]!r}")
        for label, column in zip(labels, (zeros, ones), strict=True):
            for name, p in zip(names, column, strict=True):
                _checked_probability(float(p), f"P({name!r} = 1 | class {label!r})")
        tables = [[[1 - zero, zero], [1 - one, one]] for one, zero in zip(ones, zeros, strict=True)]
        return cls(
            [1 - prior, prior],
            tables,
            features=features,
            values=values,
            classes=classes,
            threshold=threshold,
            tie=tie,
        )

    @classmethod
    def from_cnbc(cls, path: str | PathLike[str], **options: Any) -> NaiveBayes:
        """Reads a text file of whitespace-separated numbers: the number of classes K, K priors, the number of features,
        and for each feature its number of values d and K rows of d probabilities.

        ``options`` are the other keywords of `NaiveBayes`, such as names.
        """
        with open(path, encoding="ascii", errors="replace") as file:
            numbers = _Numbers(str(path), file.read().split())
        n_classes = numbers.count("the number of classes")
        prior = numbers.take(n_classes, "the priors")
        tables = []
        for j in range(numbers.count("the number of features")):
            n_values = numbers.count(f"the number of values of feature {j}")
            tables.append([numbers.take(n_values, f"the table of feature {j}") for _ in range(n_classes)])
        numbers.end()
        return cls(prior, tables, **options)

    def rule(self) -> Rule:
        """The decision in exact integers."""
        return ThresholdRule(self.threshold_function()) if len(self.classes) == 2 else self._score_rule()

    def threshold_function(self) -> _core.Threshold:
        """The two-class decision in exact integers (see the C core's threshold.c)."""
        columns = [np.concatenate([table[k] for table in self.tables] or [np.empty(0)]) for k in (0, 1)]
        try:
            return _core.Threshold.from_bayes(
                value_offsets(self.n_values),
                columns[1],
                columns[0],
                prior1=float(self.class_prior[1]),
                prior0=float(self.class_prior[0]),
                cut=self.threshold,
                tie_positive=self.tie == "positive",
            )
        except ModelError as error:
            raise self._undecidable(error) from None

    def _score_rule(self) -> ScoreRule:
        """Logarithms of all probabilities in common integer units. A class that a value rules out loses more than all
        other values together can add.
        """
        self._check_decidable()
        offset = value_offsets(self.n_values)
        tables = np.concatenate(self.tables, axis=1) if self.tables else np.empty((len(self.classes), 0))
        impossible = [tables == 0, self.class_prior == 0]
        weights, bias, scale = _logarithms(
            offset, np.where(impossible[0], 1, tables), np.where(impossible[1], 1, self.class_prior)
        )
        if impossible[0].any() or impossible[1].any():
            largest = max(
                abs(b) + sum(max(map(abs, w[i:j])) for i, j in itertools.pairwise(offset.tolist()))
                for w, b in zip(weights.tolist(), bias.tolist(), strict=True)
            )
            shift = max(0, (2 * (largest + 1) * (len(self.tables) + 2)).bit_length() - 61)
            beyond = 2 * ((largest >> shift) + len(self.tables) + 2)
            weights, bias, scale = _shifted(weights, shift), _shifted(bias, shift), scale - shift
            weights, bias = np.where(impossible[0], -beyond, weights), np.where(impossible[1], -beyond, bias)
        return ScoreRule(offset, weights, bias, scale, later_wins=self.tie == "positive")

    def _check_decidable(self) -> None:
        """Is there a row under which every class has probability 0?"""
        # By the classes ruled out so far, as bits: the values that do it. Empty while no probability is 0.
        places: dict[int, tuple[tuple[int, int], ...]] = {_bits(self.class_prior == 0): ()}
        for j, table in enumerate(self.tables):
            ruled_out = {v: _bits(column == 0) for v, column in enumerate(table.T) if not column.all()}
            for before, path in list(places.items()):
                for v, more in ruled_out.items():
                    if more & ~before:
                        places.setdefault(before | more, (*path, (j, v)))
        everything = (1 << len(self.classes)) - 1
        if everything in places:
            row = ", ".join(f"{self.features[j]!r} = {self.values[j][v]!r}" for j, v in places[everything])
            raise ModelError(f"a row with {row} has probability 0 in every class; smooth the probabilities")

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The probability of each class for rows of value codes."""
        logs = self._joint_logs(codes)
        odds = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _joint_logs(self, codes: Codes) -> npt.NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            logs = np.tile(np.log(self.class_prior), (len(codes), 1))
            for j, table in enumerate(self.tables):
                logs += np.log(table[:, codes[:, j]]).T
        return logs

    def decision_values(self, codes: Codes) -> npt.NDArray[np.float64]:
        """Two classes: the log-odds above the threshold. More: the logarithms of the joint probabilities."""
        if len(self.classes) == 2:
            return self.threshold_function().margins(codes)
        return self._joint_logs(codes)

    def quantity(self, of: str, k: int | None) -> Quantity:
        """See `Model`. The log-odds, whatever the threshold of the model is."""
        found = super().quantity(of, k)
        if of == "probability" and self.threshold != 0.5:
            raise OptionError(
                f"min_probability: this model decides at a threshold of {self.threshold}; compile it with the one that "
                f"is wanted instead (threshold=)"
            )
        return found

    def total(self) -> Quantity:
        t = self.threshold_function()
        parts = [self.class_prior, *self.tables]
        size = sum(-math.log(float(part[part > 0].min())) for part in parts)
        error = math.ldexp(t.band + 1, -t.scale) + float_error(2 * len(self.features), 4 * (size + 1))
        return Quantity(ThresholdRule(t), (1,), t.scale, -t.tie_shift, error=error, least=-t.tie_shift)

    def logistic(self) -> tuple[tuple[Any, ...], ...]:
        return (("logistic",),)

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The whole model, as lists, numbers and strings."""
        return {
            "model": self.kind,
            "class_prior": self.class_prior.tolist(),
            "tables": [table.tolist() for table in self.tables],
            "threshold": self.threshold,
            "tie": self.tie,
            **self.names_to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NaiveBayes:
        """The inverse of `to_dict`."""
        return cls(data["class_prior"], data["tables"], **names_from_dict(data, "threshold", "tie"))

    def _undecidable(self, error: ModelError) -> ModelError:
        def describe(feature: int | None, value: int, rules_out: Hashable) -> str:
            place = (
                "the prior"
                if feature is None
                else f"feature {self.features[feature]!r} = {self.values[feature][value]!r}"
            )
            return f"{place} has probability 0 in class {rules_out!r}"

        if len(error.places) == 1:
            feature, value = error.places[0]
            assert feature is not None
            return ModelError(
                f"feature {self.features[feature]!r} = {self.values[feature][value]!r} has probability 0 in both "
                f"classes: a row with it has no decision; smooth the probabilities"
            )
        first, other = error.places
        return ModelError(
            f"{describe(*first, self.classes[0])} and {describe(*other, self.classes[1])}: a row with both has no "
            f"decision; smooth the probabilities"
        )


# --- integers -------------------------------------------------------------------------------------------------------


def _logarithms(
    offset: npt.NDArray[np.uint32], tables: npt.NDArray[np.float64], prior: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
    """Natural logarithms of positive probabilities, by class, in units of 2 to the power of minus the third result."""
    certain = np.ones(tables.shape[1])
    logs = [
        _core.Threshold.from_bayes(offset, row, certain, prior1=float(p), prior0=1.0, cut=0.5, tie_positive=True)
        for row, p in zip(np.ascontiguousarray(tables), prior, strict=True)
    ]
    scale = min(log.scale for log in logs)
    weights = np.stack([_shifted(log.weight, log.scale - scale) for log in logs])
    bias = np.stack([_shifted(np.int64(log.bias - log.tie_shift), log.scale - scale) for log in logs])
    return weights, bias, scale


def _bits(which: npt.NDArray[np.bool_]) -> int:
    return sum(1 << int(k) for k in np.flatnonzero(which))


def _shifted(numbers: Any, bits: int) -> npt.NDArray[np.int64]:
    """Divided by a power of two, rounded to the nearest."""
    array = np.asarray(numbers, dtype=np.int64)
    return array if bits == 0 else (array + (1 << (bits - 1))) >> bits


# --- checks ---------------------------------------------------------------------------------------------------------


class _Numbers:
    """The words of a file, read one after the other as numbers."""

    def __init__(self, path: str, words: list[str]) -> None:
        self._path = path
        self._words = words
        self._next = 0

    def take(self, count: int, what: str) -> list[float]:
        """The next `count` numbers."""
        if self._next + count > len(self._words):
            raise ModelError(f"{self._path}: the file ends within {what}")
        words = self._words[self._next : self._next + count]
        self._next += count
        try:
            return [float(word) for word in words]
        except ValueError as error:
            raise ModelError(f"{self._path}: {what}: {error}") from None

    def count(self, what: str) -> int:
        """The next number, which must be a natural number."""
        (number,) = self.take(1, what)
        if not 0 <= number <= len(self._words) or number != int(number):
            raise ModelError(f"{self._path}: {what} must be a natural number, not {number:g}")
        return int(number)

    def end(self) -> None:
        """Checks that nothing is left."""
        if self._next != len(self._words):
            raise ModelError(f"{self._path}: the file has {len(self._words) - self._next} numbers too many")


def _checked_probability(p: float, where: str) -> None:
    if math.isnan(p):
        raise ModelError(f"{where} is NaN")
    if not 0 <= p <= 1:
        raise ModelError(f"{where} is {p!r}; it must be a probability between 0 and 1")


def _checked_prior(prior: npt.NDArray[np.float64], classes: Sequence[Hashable]) -> npt.NDArray[np.float64]:
    if len(prior) < 2:
        raise ModelError(f"a classifier needs at least two classes, class_prior has {len(prior)}")
    for p, name in zip(prior, classes, strict=True):
        _checked_probability(float(p), f"the prior of class {name!r}")
    if abs(prior.sum() - 1) > SUM_TOLERANCE:
        raise ModelError(f"the priors of the classes sum to {prior.sum():.9g}, not 1")
    prior.setflags(write=False)
    return prior


def _checked_table(table: Any, feature: str, classes: Sequence[Hashable]) -> npt.NDArray[np.float64]:
    try:
        array = np.array(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(
            f"the table of feature {feature!r} must be {len(classes)} equally long rows of numbers, one per class"
        ) from None
    if array.ndim != 2 or array.shape[0] != len(classes) or array.shape[1] == 0:
        raise ModelError(
            f"the table of feature {feature!r} has shape {array.shape}, not ({len(classes)} classes, number of values)"
        )
    for k, row in enumerate(array):
        for v in np.flatnonzero(~((row >= 0) & (row <= 1))):
            _checked_probability(float(row[v]), f"P({feature!r} = value {v} | class {classes[k]!r})")
        if abs(row.sum() - 1) > SUM_TOLERANCE:
            raise ModelError(
                f"the probabilities of feature {feature!r} in class {classes[k]!r} sum to {row.sum():.9g}, not 1"
            )
    array.setflags(write=False)
    return array
