"""Decisions of black-box models, of which only the answers are known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.reader import Codes
from symcf.errors import OptionError
from symcf.models.rules import AskedRule
from symcf.system.decision import Budget, Decision, Order, check_codes
from symcf.system.groups import Groups

__all__ = ["AskedDecision"]


class AskedDecision(Decision):
    """A function of rows of value codes. Every value is its own group, since nothing says which make no difference."""

    def __init__(self, rule: AskedRule, n_classes: int) -> None:
        super().__init__(Groups.single(rule.n_values), n_classes)
        self.rule = rule

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """See `Decision`."""
        check_codes(codes, self.groups.value_offset)
        return self.rule.ask(codes)

    def influence_order(self) -> Order:
        """See `Decision`."""
        return np.arange(len(self.rule.n_values), dtype=np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. There is none."""
        self.check_diagram()
        raise AssertionError

    def check_diagram(self) -> None:
        """See `Decision`. There is none."""
        raise OptionError(
            "this needs all rows, and a black-box model (symcf.from_predict) is known row by row: ask for "
            "counterfactuals (explain, explain_batch, count), or try so few values (values=, max_values=) that all "
            "rows fit max_inputs"
        )
