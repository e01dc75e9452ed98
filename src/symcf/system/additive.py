"""Decisions over numbers: sums of terms that every row computes anew. There are no groups of values, and no diagram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from symcf.data.reader import Codes
from symcf.errors import InstanceError
from symcf.models.rules import AdditiveRule
from symcf.system.decision import Decision, Order
from symcf.system.groups import Groups
from symcf.system.number_sums import NumberSums

__all__ = ["AdditiveDecision"]


class AdditiveDecision(Decision):
    """Decides by sums over columns of numbers."""

    no_diagram = (
        "a classifier with columns of numbers has no diagram: ask about a row (explain, count, sample), or bin the "
        "columns (KBinsDiscretizer)"
    )

    def __init__(self, rule: AdditiveRule, n_classes: int, features: Sequence[str]) -> None:
        # One value stands for all numbers of a column: nothing is ever looked up by it.
        sizes = [1 if table is None else table.shape[1] for table in rule.tables]
        super().__init__(Groups.single(sizes), n_classes)
        self._sums = NumberSums(rule, n_classes, features)

    @property
    def numbers(self) -> NumberSums:
        """See `Decision`."""
        return self._sums

    def marked(self, codes: Codes) -> Codes:
        """See `Decision`. A number may be too far away to be decided exactly."""
        found, waiting = np.array(codes), [np.flatnonzero((codes >= 0).all(axis=1))]
        while waiting:
            rows = waiting.pop()
            try:
                self.check_rows(codes[rows])
            except InstanceError:
                if len(rows) == 1:
                    found[rows] = -1
                else:
                    waiting += np.array_split(rows, 2)
        return found

    def check_rows(self, codes: Codes) -> None:
        """See `Decision`."""
        self._sums.terms(codes)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """See `Decision`."""
        return self._sums.classes_of(self._sums.terms(np.asarray(codes)))

    def influence_order(self) -> Order:
        """See `Decision`."""
        return np.arange(len(self.groups.group_of), dtype=np.uint32)
