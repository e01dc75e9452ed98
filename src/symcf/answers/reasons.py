"""Reasons: what was enough for a decision, and every way to read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from symcf.answers import reason_schema, reason_text
from symcf.answers.reason_facts import ReasonFacts
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.common.options import checked_seconds

if TYPE_CHECKING:
    import pandas

__all__ = ["Reasons"]


class Reasons(ReasonFacts):
    """All sufficient reasons for a decision, or the cheapest, by (cost, size, features). Made by `Compiled.why`.

    Behaves as a sequence of `Reason`; they are made when they are read.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> r = symcf.compile(admission()).why([1, 0, 1, 0])
    >>> r.sets, r.necessary
    ([(1, 3)], (1, 3))
    """

    def __str__(self) -> str:
        return reason_text.to_text(self)

    def _repr_html_(self) -> str:
        return reason_text.to_html(self)

    def sentences(self, most: int | None = 10) -> list[str]:
        """In plain language: the decision, up to ``most`` reasons (None: all), and how complete they are.

        >>> import symcf
        >>> model = symcf.NaiveBayes.binary(0.3, [0.9], [0.1], features=["GPA"], values=[["low", "high"]],
        ...                                 classes=["declined", "approved"])
        >>> symcf.compile(model).why([0]).sentences()[1]
        "Declined because GPA is low: with this fact, the decision is 'declined' regardless of the other values."
        """
        return reason_text.sentences(self, most)

    def principal(self, most: int = 4) -> list[str]:
        """The principal reasons, in words, for a notice of adverse action: at most ``most`` features, only such that
        are relevant, those in the largest share of all reasons first.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> symcf.compile(admission()).why([1, 0, 1, 0]).principal()
        ['work experience is 0', 'first application is 0']
        """
        return reason_text.principal(self, most)

    def general(self, *, time_limit: float | None = None) -> Reasons:
        """The same reasons, each condition as wide as it can be: what ``Compiled.why(x, general=True)`` gives.

        >>> import symcf
        >>> model = symcf.LinearClassifier([[0, 1, 2, 3], [0, 2]], -3, features=["a", "b"])
        >>> print(symcf.compile(model).why([0, 0]).general()[0])
        a = 0 or 1
        """
        clock = Clock(checked_seconds(time_limit))
        wider = copy(self)
        wider._details = self._asked("general").details(self.sets, clock)
        if not all(detail.maximal for detail in wider._details) and clock.expired:
            wider.status = "time_limit"
        return wider

    # --- for programs

    def to_dict(self) -> dict[str, Any]:
        """Everything, as lists, numbers and strings; the schema is in `symcf.answers.reason_schema`."""
        return reason_schema.to_dict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON text, in one line without ``indent``."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reasons:
        """The inverse of `to_dict`, without the classifier; `symcf.verify` checks it against one."""
        return cls(**reason_schema.from_dict(data))

    def to_pandas(self) -> pandas.DataFrame:
        """Tidy: one row per condition, with names instead of codes; with ``general=True`` also the condition in words.
        Needs pandas.
        """
        pandas = load_extra("pandas", "to_pandas")

        names = ["reason", "feature", "value", "cost", *["condition"] * self.is_general]
        rows = [
            (i, c.name, c.value, reason.cost, str(c))[: len(names)]
            for i, reason in enumerate(self)
            for c in reason.conditions
        ]
        frame = pandas.DataFrame(rows, columns=names)
        return frame.astype({"reason": "int64", "cost": "float64"})
