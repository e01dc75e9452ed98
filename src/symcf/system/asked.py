"""Decisions of black-box models: nothing is known about them but their answers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from symcf.data.reader import Codes
from symcf.models.rules import AskedRule
from symcf.system.decision import Decision, Order, check_codes
from symcf.system.groups import Groups

__all__ = ["AskedDecision"]


class AskedDecision(Decision):
    """A function of rows of value codes. Every value is its own group, since nothing says which make no difference."""

    no_diagram = (
        "this needs all rows, and a black-box model (symcf.from_predict) is known row by row: ask for "
        "counterfactuals (explain, explain_batch, count), or try so few values (values=, max_values=) that all "
        "rows fit max_inputs"
    )

    def __init__(self, rule: AskedRule, n_classes: int) -> None:
        super().__init__(Groups.single(rule.n_values), n_classes)
        self._rule = rule

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
