"""Reasons: what was enough for a decision, and every way to read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from symcf.answers import reason_schema, reason_text
from symcf.answers.reason_facts import ReasonFacts
from symcf.common.extras import load_extra

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
        """Tidy: one row per condition, with names instead of codes. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        rows = [(i, c.name, c.value, reason.cost) for i, reason in enumerate(self) for c in reason.conditions]
        frame = pandas.DataFrame(rows, columns=["reason", "feature", "value", "cost"])
        return frame.astype({"reason": "int64", "cost": "float64"})
