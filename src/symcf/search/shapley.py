"""Shapley values of a decision: how a classifier's diagrams and a distribution of its features go to the core."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.data.reader import Codes
from symcf.errors import InstanceError, OptionError
from symcf.system.classifier import Classifier

__all__ = ["REFERENCES", "point_values", "shapley_values", "shares_of"]

#: What points of a score are counted from.
REFERENCES = ("average", "maximum")

Shares = npt.NDArray[np.float64]


def shares_of(classifier: Classifier, data: Any = None) -> Shares:
    """By ``value_offset[j] + code``, how probable a value is: as often as in the data, or all values alike that rows
    may be given.
    """
    if classifier.decision.numbers is not None:
        raise OptionError(
            "Shapley values of columns of numbers have a grid of their own for each row; ask about one row at a time "
            "(attribute)"
        )
    n_values = np.diff(classifier.value_offset).astype(np.int64)
    if data is None:
        tried = [np.ones(d) for d in n_values]
        if classifier.tried is not None:
            tried = [np.array(of, dtype=float) for of in classifier.tried]
        return np.concatenate([of / of.sum() for of in tried] or [np.zeros(0)])
    codes = classifier.codes(data)
    if not len(codes):
        raise InstanceError("data has no rows to take the frequencies of values from")
    counts = [np.bincount(_checked(classifier, codes, j), minlength=d) for j, d in enumerate(n_values.tolist())]
    return np.concatenate([*counts, np.zeros(0)]) / len(codes)


def _checked(classifier: Classifier, codes: Codes, j: int) -> npt.NDArray[np.int64]:
    column = np.asarray(codes[:, j], dtype=np.int64)
    bad = np.flatnonzero((column < 0) | (column >= len(classifier.values[j])))
    if len(bad):
        row = int(bad[0])
        classifier.checked(codes[row : row + 1])  # names the value
    return column


def shapley_values(
    classifier: Classifier, codes: Codes, shares: Shares, clock: Clock
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]:
    """By row of value codes and feature, what the feature adds to the probability of the row's class; and the class."""
    groups, prediction = classifier.decision.groups, classifier.decide(codes)
    by_group = shares
    if not groups.trivial:
        by_group = np.zeros(int(groups.core_offset[-1]))
        owner = np.repeat(groups.core_offset[:-1], np.diff(groups.value_offset)).astype(np.int64)
        np.add.at(by_group, owner + groups.table, shares)
    rows = np.ascontiguousarray(groups.core_codes(codes))
    values = np.zeros(rows.shape)
    for k in np.unique(prediction).tolist():
        of_class = np.flatnonzero(prediction == k)
        asked, sink = (1, k) if classifier.n_classes == 2 else (k, 1)
        engine = _core.Shapley(classifier.class_diagram(asked, clock).core, groups.core_offset, by_group)
        sinks = np.full(len(of_class), sink, dtype=np.uint8)
        values[of_class] = engine.values(np.ascontiguousarray(rows[of_class]), sinks, clock.left)
    return values, prediction


def point_values(classifier: Classifier, codes: Codes, data: Any, reference: str) -> npt.NDArray[np.float64]:
    """By row of value codes and feature, the points of the score that the feature adds in favour of the row's decision,
    compared with the average of the data, or with their value that is best for another decision.

    A score that is a sum over features has its Shapley values in these points: every order of the features adds the
    same. `OptionError` for other models.
    """
    decision = classifier.decision
    if not (decision.is_additive or decision.numbers is not None) or classifier.n_classes != 2:
        raise OptionError(
            "method='points' needs a score of two classes that is a sum over features; use method='reasons'"
        )
    known = classifier.codes(data)
    if not len(known):
        raise InstanceError("data has no rows to compare the points with")
    sign = np.where(classifier.decide(codes) == 1, 1.0, -1.0)
    base, values = known[0], np.zeros(codes.shape)
    for j in range(codes.shape[1]):
        both, place = np.unique(np.concatenate([known[:, j], codes[:, j]]), return_inverse=True)
        rows = np.tile(base, (len(both), 1))
        rows[:, j] = both
        score = classifier.model.decision_values(rows)
        if score is None or not np.isfinite(score).all():
            raise OptionError("method='points' needs a finite score; use method='reasons' for this model")
        seen, own = score[place[: len(known)]], score[place[len(known) :]]
        if reference == "average":
            values[:, j] = sign * (own - seen.mean())
        else:
            values[:, j] = sign * own - np.where(sign > 0, seen.min(), -seen.max())
    return values
