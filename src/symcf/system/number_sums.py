"""Sums over columns of numbers, in exact integers: every row computes its terms anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.models.additive import terms_of
from symcf.models.rules import AdditiveRule

__all__ = ["NumberSums", "Terms"]

Terms = npt.NDArray[np.int64]


class NumberSums:
    """One sum that is positive or not, or one per class, the largest of which wins."""

    def __init__(self, rule: AdditiveRule, n_classes: int, features: Sequence[str]) -> None:
        self.rule = rule
        self.n_classes = n_classes
        self._features = tuple(features)

    def terms(self, codes: npt.NDArray[Any]) -> Terms:
        """What each feature adds to each sum: (rows, sums, features)."""
        return terms_of(self.rule, codes, self._features)

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
