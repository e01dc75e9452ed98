"""A batch in a few numbers, and the names of the statuses."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AT_TARGET", "COMPLETE", "INVALID", "MAX_RESULTS", "STATUS", "TIME_LIMIT", "Summary"]

#: What the codes in `BatchExplanation.status` mean.
STATUS = ("complete", "max_results", "time_limit", "invalid", "at_target")
COMPLETE, MAX_RESULTS, TIME_LIMIT, INVALID, AT_TARGET = range(5)


@dataclass(frozen=True)
class Summary:
    """A batch in a few numbers."""

    rows: int
    #: Change sets in all.
    sets: int
    #: Rows by status.
    status: dict[str, int]
    #: Complete rows for which no counterfactual exists.
    without: int
    #: Change sets by their number of features.
    sizes: dict[int, int]
    #: How many change sets each feature is in, most first.
    features: dict[str, int]
    #: What the sets are: "change sets" or "reasons".
    what: str = "change sets"

    def phrase(self, status: str) -> str:
        """What a status means, in words."""
        if status in ("max_results", "time_limit"):
            return f"stopped by {status}: more {self.what} may exist"
        return {"invalid": "could not be read", "at_target": "at the target already"}.get(status, status)

    def __str__(self) -> str:
        lines = [f"{self.rows:,} rows, {self.sets:,} {self.what}; {self.without:,} rows have no counterfactual"]
        lines += [f"  {count:,} rows {self.phrase(status)}" for status, count in self.status.items()]
        have = "have" if self.what == "reasons" else "change"
        lines += [f"  {count:,} sets {have} {size} feature{'s' * (size != 1)}" for size, count in self.sizes.items()]
        lines += [f"  {name}: in {count:,} sets ({count / self.sets:.1%})" for name, count in self.features.items()]
        return "\n".join(lines)
