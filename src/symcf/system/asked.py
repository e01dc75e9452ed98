"""Decisions of black-box models: nothing is known about them but their answers."""

from __future__ import annotations

import math
import time

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.data.reader import Codes
from symcf.errors import LimitError
from symcf.models.functions import diagram_of_table
from symcf.models.rules import AskedRule
from symcf.system.decision import Budget, Decision, Order, check_codes
from symcf.system.groups import Groups

__all__ = ["AskedDecision"]

#: Seconds that asking about all rows takes, at most, where the call has no limit of its own.
PATIENCE = 10.0

#: Rows of the first table; later ones are four times as large.
FIRST = 1 << 10

#: Bytes for each row while the diagram is built: its class, its node, and the sorting of nodes.
BYTES = 64


class AskedDecision(Decision):
    """A function of rows of value codes. Every value is its own group, since nothing says which make no difference.

    What needs all rows asks about all combinations of the values that are tried, once.
    """

    def __init__(self, rule: AskedRule, n_classes: int) -> None:
        super().__init__(Groups.single(rule.n_values), n_classes)
        self._rule = rule
        #: The classes of all rows, the last feature changing fastest, as far as they are known.
        self._known = np.zeros(0, dtype=np.uint8)

    @property
    def black_box(self) -> AskedRule:
        """See `Decision`."""
        return self._rule

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """See `Decision`."""
        check_codes(codes, self.groups.value_offset)
        return self._rule.ask(codes)

    def influence_order(self) -> Order:
        """See `Decision`."""
        return np.arange(len(self._rule.n_values), dtype=np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. Of all combinations of values, in the order of the columns. `LimitError` if these are more
        than there is time or memory for; the next call goes on where this one stopped.
        """
        return diagram_of_table(self._all(budget) == k, self._rule.n_values), None

    @cached_property
    def _n_rows(self) -> int:
        return math.prod(self._rule.n_values)

    def _all(self, budget: Budget) -> npt.NDArray[np.uint8]:
        """The classes of all rows."""
        if budget.max_memory and self._n_rows * BYTES > budget.max_memory:
            raise LimitError(self._too_many("more than fit max_memory"))
        left, size = budget.seconds(), FIRST
        end = time.monotonic() + (PATIENCE if left < 0 else left)
        while (known := len(self._known)) < self._n_rows:
            if time.monotonic() >= end:
                limit = "the time limit" if left >= 0 else f"{PATIENCE:g} seconds (give a time_limit for more)"
                raise LimitError(self._too_many(f"and {limit} sufficed for {known:,}"))
            place = np.arange(known, min(known + size, self._n_rows))
            self._known = np.concatenate([self._known, self._rule.ask(self._rows(place))])
            size = min(4 * size, self._rule.most_rows)
        return self._known

    def _rows(self, place: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Rows by their place among all, the last feature changing fastest."""
        rows = np.empty((len(place), len(self._rule.n_values)), dtype=np.int64)
        for j in reversed(range(len(self._rule.n_values))):
            place, rows[:, j] = np.divmod(place, self._rule.n_values[j])
        return rows

    def _too_many(self, why: str) -> str:
        return (
            f"this needs the decision of all {self._n_rows:,} combinations of the values that are tried, {why}: try "
            f"fewer values (values=, max_values= of symcf.from_predict), or ask for counterfactuals (explain, count)"
        )
