"""The model: a naive Bayes classifier as the user knows it, checked.

A model holds probabilities and names, nothing compiled. Everything a person can get wrong in it is caught here, with an
error that names the feature, the class and the value.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.errors import ModelError

__all__ = ["NaiveBayes"]

#: How far from 1 the probabilities of a feature may sum: room for tables typed with a few digits.
SUM_TOLERANCE = 1e-6

TIES = ("positive", "negative")


class NaiveBayes:
    """A naive Bayes classifier over discrete features.

    Parameters
    ----------
    class_prior:
        ``P(class k)``, one number a class.
    tables:
        ``tables[j][k][v]`` is ``P(feature j has value v | class k)``.
    features, classes:
        Names; by default ``x0, x1, ...`` and ``0, 1, ...``.
    values:
        For each feature the names of its values; by default their codes ``0, 1, ...``.
    threshold:
        Two classes only: the answer is class 1 iff ``P(class 1 | x) >= threshold``.
    tie:
        What to answer when the probability is exactly the threshold: ``"positive"`` (class 1) or ``"negative"``.

    Probabilities of 0 and 1 are taken at their word: a value that a class cannot take rules this class out.

    >>> model = NaiveBayes([0.7, 0.3], [[[0.85, 0.15], [0.6, 0.4]]], features=["experience"])
    >>> model
    NaiveBayes(1 feature, 2 classes)
    """

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
    ) -> None:
        prior = _vector(class_prior, "class_prior")
        self.classes: tuple[Hashable, ...] = _names(classes, len(prior), "classes", list(range(len(prior))))
        self.features: tuple[str, ...] = _names(features, len(tables), "features", _default_names(len(tables)))
        for name in self.features:
            if not isinstance(name, str) or not name:
                raise ModelError(f"feature names are non-empty strings, not {name!r}")
        self.class_prior = _checked_prior(prior, self.classes)
        self.tables = tuple(
            _checked_table(t, name, self.classes) for t, name in zip(tables, self.features, strict=True)
        )
        if values is not None and len(values) != len(self.tables):
            raise ModelError(f"values names the values of {len(values)} features, the model has {len(self.tables)}")
        self.values: tuple[tuple[Hashable, ...], ...] = tuple(
            _names(None if values is None else values[j], t.shape[1], f"values of {name!r}", list(range(t.shape[1])))
            for j, (t, name) in enumerate(zip(self.tables, self.features, strict=True))
        )
        if not (isinstance(threshold, (int, float)) and 0 < threshold < 1):
            raise ModelError(f"threshold must lie between 0 and 1, not {threshold!r}")
        if len(prior) != 2 and threshold != 0.5:
            raise ModelError(f"a threshold is for two classes, this model has {len(prior)}")
        self.threshold = float(threshold)
        if tie not in TIES:
            raise ModelError(f"unknown tie rule {tie!r}: choose from {', '.join(map(repr, TIES))}")
        self.tie = tie

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
        ones, zeros = _vector(p1, "p1"), _vector(p0, "p0")
        if len(ones) != len(zeros):
            raise ModelError(f"p1 has {len(ones)} features, p0 has {len(zeros)}")
        if isinstance(prior, bool) or not isinstance(prior, (int, float, np.floating)):
            raise ModelError(f"prior must be a number, not {prior!r}")
        names = _names(features, len(ones), "features", _default_names(len(ones)))
        labels = _names(classes, 2, "classes", [0, 1])
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

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.tables)

    @property
    def n_values(self) -> tuple[int, ...]:
        """The number of values of each feature."""
        return tuple(table.shape[1] for table in self.tables)

    @property
    def is_binary(self) -> bool:
        """Two classes, and two values a feature?"""
        return len(self.classes) == 2 and all(d == 2 for d in self.n_values)

    def threshold_function(self) -> _core.Threshold:
        """The two-class decision in exact integers (see the C core's threshold.c)."""
        if len(self.classes) != 2:
            raise NotImplementedError(f"{len(self.classes)} classes: more than two are not supported yet")
        offsets = np.concatenate([[0], np.cumsum(self.n_values)]).astype(np.uint32)
        columns = [np.concatenate([table[k] for table in self.tables] or [np.empty(0)]) for k in (0, 1)]
        try:
            return _core.Threshold.from_bayes(
                offsets,
                columns[1],
                columns[0],
                prior1=float(self.class_prior[1]),
                prior0=float(self.class_prior[0]),
                cut=self.threshold,
                tie_positive=self.tie == "positive",
            )
        except ModelError as error:
            raise self._undecidable(error) from None

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
                f"classes: a row with it has no decision"
            )
        first, other = error.places
        return ModelError(
            f"{describe(*first, self.classes[0])} and {describe(*other, self.classes[1])}: a row with both has no "
            f"decision; smooth the probabilities"
        )

    def __repr__(self) -> str:
        n, k = self.n_features, len(self.classes)
        return f"NaiveBayes({n} feature{'s' * (n != 1)}, {k} class{'es' * (k != 1)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NaiveBayes):
            return NotImplemented
        return (
            (self.features, self.values, self.classes, self.threshold, self.tie)
            == (other.features, other.values, other.classes, other.threshold, other.tie)
            and np.array_equal(self.class_prior, other.class_prior)
            and all(map(np.array_equal, self.tables, other.tables))
        )

    def __hash__(self) -> int:
        return hash((self.features, self.classes, self.threshold, self.tie))


# --- checks ---------------------------------------------------------------------------------------------------------


def _vector(numbers: Any, what: str) -> npt.NDArray[np.float64]:
    try:
        vector = np.array(numbers, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what} must be numbers: {error}") from None
    if vector.ndim != 1:
        raise ModelError(f"{what} must be one-dimensional, not {vector.ndim}-dimensional")
    return vector


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
        """The next number, which must be a natural one."""
        (number,) = self.take(1, what)
        if not 0 <= number <= len(self._words) or number != int(number):
            raise ModelError(f"{self._path}: {what} cannot be {number:g}")
        return int(number)

    def end(self) -> None:
        """There must be nothing left."""
        if self._next != len(self._words):
            raise ModelError(f"{self._path}: {len(self._words) - self._next} numbers too many")


def _default_names(count: int) -> list[str]:
    return [f"x{j}" for j in range(count)]


def _names(names: Sequence[Any] | None, count: int, what: str, default: list[Any]) -> tuple[Any, ...]:
    if names is None:
        return tuple(default)
    if isinstance(names, str):
        raise ModelError(f"{what} must be a list of names, not the string {names!r}")
    result = tuple(names)
    if len(result) != count:
        raise ModelError(f"{what}: {len(result)} names for {count}")
    seen = set()
    for name in result:
        if name in seen:
            raise ModelError(f"{what}: {name!r} appears twice")
        seen.add(name)
    return result


def _checked_probability(p: float, where: str) -> None:
    if math.isnan(p):
        raise ModelError(f"{where} is NaN")
    if not 0 <= p <= 1:
        raise ModelError(f"{where} is {p!r}, not a probability between 0 and 1")


def _checked_prior(prior: npt.NDArray[np.float64], classes: Sequence[Hashable]) -> npt.NDArray[np.float64]:
    if len(prior) < 2:
        raise ModelError(f"a classifier has two classes or more, class_prior has {len(prior)}")
    for p, name in zip(prior, classes, strict=True):
        _checked_probability(float(p), f"the prior of class {name!r}")
    if abs(prior.sum() - 1) > SUM_TOLERANCE:
        raise ModelError(f"the priors of the classes sum to {prior.sum():.9g}, not to 1")
    prior.setflags(write=False)
    return prior


def _checked_table(table: Any, feature: str, classes: Sequence[Hashable]) -> npt.NDArray[np.float64]:
    try:
        array = np.array(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(
            f"the table of feature {feature!r} must be {len(classes)} equally long rows of numbers, one a class"
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
                f"the probabilities of feature {feature!r} in class {classes[k]!r} sum to {row.sum():.9g}, not to 1"
            )
    array.setflags(write=False)
    return array
