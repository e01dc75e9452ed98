"""Attributions: one number per feature, with what it means."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.answers.html_table import html_table
from symcf.answers.render import MANY_FEATURES
from symcf.common.extras import load_extra
from symcf.common.options import checked_choice
from symcf.common.text import one_line, plain
from symcf.data.labels import feature_index
from symcf.errors import OptionError

if TYPE_CHECKING:
    import pandas

__all__ = ["METHODS", "Attribution", "checked_method"]

#: What the numbers say, by method.
METHODS = {
    "reasons": "share of the sufficient reasons that a feature is in",
    "changes": "share of the minimal counterfactuals that a feature is in",
    "shapley": "what a feature adds to the probability of the decision, on average (Shapley value)",
    "points": "points of the score that a feature adds for the decision, compared with the data (Shapley value)",
}


def checked_method(method: str, question: Mapping[str, Any]) -> Any:
    """The ``data`` of Shapley values; `OptionError` if it is no method, or does not take what was given with it."""
    checked_choice(method, "method", tuple(METHODS))
    if method not in ("shapley", "points"):
        return None
    for name in question:
        if name != "data":
            raise OptionError(f"{name}: Shapley values take every value of every feature into account; leave it out")
    if method == "points" and question.get("data") is None:
        raise OptionError("data: method='points' compares with rows; give them as data")
    return question.get("data")


class Attribution:
    """What each feature contributed to a decision. Made by `Compiled.attribute`; as long as there are features.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> a = symcf.compile(admission()).attribute([0, 0, 1, 0], "reasons")
    >>> a["work experience"], a.exact[1]
    (1.0, Fraction(1, 1))
    """

    def __init__(
        self,
        *,
        method: str,
        label: Hashable,
        features: Sequence[str],
        row: Sequence[Hashable],
        values: npt.NDArray[np.float64] | None = None,
        counts: Sequence[int] = (),
        total: int = 0,
    ) -> None:
        #: "reasons", "changes", "shapley" or "points".
        self.method = method
        #: The decision that is explained.
        self.label = label
        self.features = tuple(features)
        #: The instance, as the names of its values.
        self.row = tuple(row)
        #: By feature, in how many sets it is, and how many sets there are; None for Shapley values.
        self.counts: tuple[int, ...] | None = tuple(counts) if values is None else None
        self.total = total if values is None else None
        #: By feature. Shapley values are computed in floating point, without sampling; shares are rounded only here.
        self.values = np.array([float(share) for share in self.exact or ()]) if values is None else values

    @property
    def exact(self) -> tuple[Fraction, ...] | None:
        """Shares as fractions; 0 where there are no sets at all. None for Shapley values."""
        if self.counts is None:
            return None
        return tuple(Fraction(count, self.total or 1) for count in self.counts)

    @property
    def base(self) -> float | None:
        """The probability of the decision when nothing is known, to which Shapley values add up to 1."""
        return 1.0 - float(self.values.sum()) if self.method == "shapley" else None

    @property
    def ranked(self) -> list[int]:
        """The features, those with the largest absolute value first."""
        return sorted(range(len(self.features)), key=lambda j: (-abs(self.values[j]), j))

    def __len__(self) -> int:
        return len(self.features)

    def __getitem__(self, feature: int | str) -> float:
        """The value of a feature, by name or index."""
        return float(self.values[feature_index(feature, self.features, "attribution")])

    def __iter__(self) -> Iterator[float]:
        return iter(self.values.tolist())

    def __repr__(self) -> str:
        return f"Attribution({self.method!r}, {len(self)} features)"

    def __str__(self) -> str:
        lines = [f"decided {one_line(self.label)}: {METHODS[self.method]}"]
        width = max((len(one_line(name)) for name in self.features), default=0)
        for j in self.ranked[:MANY_FEATURES]:
            lines.append(f"  {one_line(self.features[j]):{width}}  {self.values[j]:+.4f}  ({one_line(self.row[j])})")
        if len(self) > MANY_FEATURES:
            lines.append(f"  ... and {len(self) - MANY_FEATURES:,} more")
        if self.base is not None:
            lines.append(f"  {'nothing known':{width}}  {self.base:+.4f}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        shown = self.ranked[:MANY_FEATURES]
        lines = [[one_line(self.features[j]), one_line(self.row[j]), f"{self.values[j]:+.4f}"] for j in shown]
        caption = f"Decided {one_line(self.label)}: {METHODS[self.method]}."
        return f'<div class="symcf-attribution">{html_table(["Feature", "Now", "Value"], lines, caption=caption)}</div>'

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "format": "symcf.attribution",
            "version": 1,
            "method": self.method,
            "class": plain(self.label),
            "features": list(self.features),
            "instance": [plain(label) for label in self.row],
            "values": self.values.tolist(),
            "counts": None if self.counts is None else list(self.counts),
            "total": self.total,
            "base": self.base,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """One row per feature, in their order. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        return pandas.DataFrame({"feature": self.features, "value": list(self.row), self.method: self.values})
