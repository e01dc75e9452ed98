"""MC-explanations in the user's terms."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from symcf.answers.reason_facts import Condition, Reason
from symcf.answers.render import LISTED
from symcf.common.text import one_line, plain

__all__ = ["McExplanations"]


class McExplanations:
    """The fewest features that keep a decision when all others are at a baseline. Made by `Compiled.mc_explanations`.

    Behaves as a sequence of `Reason`.
    """

    def __init__(
        self,
        *,
        label: Hashable,
        features: Sequence[str],
        row: Sequence[Hashable],
        baseline: Sequence[Hashable],
        sets: Sequence[tuple[int, ...]],
        count: int,
        status: str,
    ) -> None:
        #: The decision.
        self.label = label
        self.features = tuple(features)
        #: The instance, and what the others are, as the names of values.
        self.row = tuple(row)
        self.baseline = tuple(baseline)
        #: The sets, all of the same size, in lexicographic order.
        self.sets = sets
        #: How many there are, listed or not.
        self.count = count
        #: "complete", "max_results" or "time_limit".
        self.status = status

    @property
    def size(self) -> int:
        """How many features each of them keeps."""
        return len(self.sets[0]) if self.sets else 0

    @property
    def complete(self) -> bool:
        """Are all of them in `sets`?"""
        return self.status == "complete"

    def _reason(self, kept: Sequence[int]) -> Reason:
        return Reason(tuple(Condition(j, self.features[j], self.row[j]) for j in kept), float(len(kept)))

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: int) -> Reason:
        return self._reason(self.sets[index])

    def __iter__(self) -> Iterator[Reason]:
        return map(self._reason, self.sets)

    def __repr__(self) -> str:
        return f"McExplanations({self.count} of {self.size} features, {self.status})"

    def __str__(self) -> str:
        kept = "feature keeps" if self.size == 1 else "features keep"
        lines = [f"decided {one_line(self.label)}; {self.size} {kept} it, all others as in the baseline:"]
        lines += [f"  {reason}" for reason in itertools.islice(self, LISTED)]
        if self.count > LISTED:
            lines.append(f"  ... and {self.count - LISTED:,} more")
        if not self.complete:
            lines.append(f"  {len(self):,} of {self.count:,} are listed: stopped by {self.status}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "format": "symcf.mc_explanations",
            "version": 1,
            "class": plain(self.label),
            "features": list(self.features),
            "instance": [plain(label) for label in self.row],
            "baseline": [plain(label) for label in self.baseline],
            "size": self.size,
            "count": self.count,
            "status": self.status,
            "explanations": [reason.to_dict() for reason in self],
        }
