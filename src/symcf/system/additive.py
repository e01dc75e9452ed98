"""Decisions over numbers: sums of terms that every row computes anew. There are no groups of values, and no diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.reader import Codes
from symcf.errors import InstanceError, OptionError
from symcf.models.additive import terms_of
from symcf.models.rules import AdditiveRule
from symcf.system.decision import Budget, Decision, Order
from symcf.system.groups import Groups

__all__ = ["AdditiveDecision"]

Terms = npt.NDArray[np.int64]


class AdditiveDecision(Decision):
    """One sum that is positive or not, or one per class, the largest of which wins."""

    def __init__(self, rule: AdditiveRule, n_classes: int, features: Sequence[str]) -> None:
        # One value stands for all numbers of a column: nothing is ever looked up by it.
        sizes = [1 if table is None else table.shape[1] for table in rule.tables]
        super().__init__(Groups.single(sizes), n_classes)
        self.rule = rule
        self._features = tuple(features)

    def terms(self, codes: npt.NDArray[Any]) -> Terms:
        """What each feature adds to each sum: (rows, sums, features)."""
        return terms_of(self.rule, codes, self._features)

    def marked(self, codes: Codes) -> Codes:
        """The same with -1 in rows that have no terms, because a number is too far away to be decided exactly."""
        found, waiting = np.array(codes), [np.flatnonzero((codes >= 0).all(axis=1))]
        while waiting:
            rows = waiting.pop()
            try:
                self.terms(codes[rows])
            except InstanceError:
                if len(rows) == 1:
                    found[rows] = -1
                else:
                    waiting += np.array_split(rows, 2)
        return found

    def classes_of(self, terms: Terms) -> npt.NDArray[np.uint8]:
        """The class of rows of which the terms are known."""
        sums = terms.sum(axis=2) + self.rule.bias
        if sums.shape[1] == 1:
            codes = sums[:, 0] >= (0 if self.rule.later_wins else 1)
        elif self.rule.later_wins:
            codes = self.n_classes - 1 - np.argmax(sums[:, ::-1], axis=1)
        else:
            codes = np.argmax(sums, axis=1)
        return np.asarray(codes, dtype=np.uint8)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """See `Decision`."""
        return self.classes_of(self.terms(np.asarray(codes)))

    def influence_order(self) -> Order:
        """See `Decision`."""
        return np.arange(len(self._features), dtype=np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. There is none."""
        raise OptionError(
            "a classifier with columns of numbers has no diagram: ask about a row (explain, count, sample), or bin the "
            "columns (KBinsDiscretizer)"
        )
