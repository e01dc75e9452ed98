"""Drift of recourse: do the suggestions of an earlier version of a model still lead to the target?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.analysis.properties.robustness import NEVER, UNDECIDED
from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import AT_TARGET
from symcf.common.extras import load_extra
from symcf.compiled import Compiled
from symcf.data.labels import by_feature, feature_indices
from symcf.errors import OptionError
from symcf.fast import explain_batch

__all__ = ["Drift", "DriftTally", "columns_for", "drift_of", "question_for"]

#: Keywords that say what a row has to reach.
GOALS = ("target", "min_probability", "of", "margin", "width")


@dataclass
class DriftTally:
    """The rows of a group to which the earlier version suggested something; the parts after ``held`` are about
    suggestions that do not hold.
    """

    suggested: int = 0
    #: Suggestions that lead to the target under the new version, too.
    held: int = 0
    #: The row has the target now, without a change.
    at_target: int = 0
    #: No allowed change leads there any more: proved.
    no_way: int = 0
    #: The new version needs more changes than the suggestion had.
    longer: int = 0
    #: Another way of as many changes, or of fewer.
    other: int = 0
    #: It is not known whether there is a way.
    unknown: int = 0

    def add(self, other: DriftTally) -> None:
        """Takes in the rows of another tally."""
        for name, count in vars(other).items():
            setattr(self, name, getattr(self, name) + count)

    @property
    def share(self) -> float | None:
        """The share of suggestions that hold."""
        return self.held / self.suggested if self.suggested else None

    def cells(self) -> tuple[Any, ...]:
        """The counts, with the share of those that hold after them."""
        suggested, held, *rest = astuple(self)
        return suggested, held, self.share, *rest


@dataclass(frozen=True)
class Drift:
    """By row, what became of the suggestion of the earlier version: a number of `PARTS`, or -1 where there was none."""

    became: npt.NDArray[np.int8]

    #: The fields of `DriftTally` after the first.
    PARTS = ("held", "at_target", "no_way", "longer", "other", "unknown")

    def tally(self, here: npt.NDArray[np.bool_]) -> DriftTally:
        """Counts of some rows."""
        counts = np.bincount(self.became[here & (self.became >= 0)], minlength=len(self.PARTS)).tolist()
        return DriftTally(sum(counts), *counts)

    @property
    def broken(self) -> npt.NDArray[np.int64]:
        """The rows whose suggestions do not hold."""
        return np.flatnonzero(self.became > 0)


def columns_for(rows: Any, compiled: Compiled) -> Any:
    """The columns of a table that a classifier reads, if they have names and are more than these."""
    known = compiled.encoder.layout.known
    if isinstance(rows, Mapping):
        return {name: rows[name] for name in rows if name in known} if known & set(rows) else rows
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        names = list(rows.columns)
        return rows[[name for name in names if name in known]] if known & set(names) else rows
    if hasattr(rows, "column_names"):
        return rows.select([name for name in rows.column_names if name in known])
    if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
        return [{name: row[name] for name in row if name in known} for row in rows]
    return rows


def question_for(question: Mapping[str, Any], asked: Compiled, other: Compiled) -> dict[str, Any]:
    """The keywords of a question, for a version with other features: by name, without those that it does not read."""
    found = dict(question)
    if found.get("immutable") is not None:
        names = [asked.features[j] for j in feature_indices(found["immutable"], asked.features, "immutable")]
        found["immutable"] = [name for name in names if name in other.features]
    for key in ("allowed", "cost", "ranges"):
        if isinstance(found.get(key), Mapping):
            named = {asked.features[j]: one for j, one in by_feature(found[key], asked.features, key).items()}
            found[key] = {name: one for name, one in named.items() if name in other.features}
    target = found.get("target")
    if other.classes and target is not None and target in asked.classes and target not in other.classes:
        raise OptionError(f"previous: its classes are {list(other.classes)}, and {target!r} is none of them")
    return found


def drift_of(
    batch: BatchExplanation,
    changes: npt.NDArray[np.int32],
    earlier: BatchExplanation,
    new: Compiled,
    question: Mapping[str, Any],
) -> Drift:
    """What became of the suggestions of the earlier version. ``batch`` and ``changes`` are what the new version says
    of the same rows.
    """
    load_extra("pandas", "previous")
    assert batch.given is not None
    which = np.flatnonzero(np.diff(earlier.row_offsets) > 0)
    became = np.full(len(batch), -1, dtype=np.int8)
    if not len(which):
        return Drift(became)
    suggested, table = earlier.to_frame(1), batch.given.frame(which)
    for place, name in enumerate(table.columns):
        if name in suggested.columns:
            cells = suggested[name]
            cells.index = table.index
            table.isetitem(place, cells)
    if question.get("target") is None:
        before = np.asarray(earlier.prediction)[which]
        old = [earlier.compiled.classes[code] for code in before.tolist()]
        now = new.predict(table).tolist()
        held = np.array([a != b for a, b in zip(old, now, strict=True)], dtype=np.bool_)
    else:
        goal = {name: question[name] for name in GOALS if question.get(name) is not None}
        held = explain_batch(new, table, k=1, max_changes=1, errors="mark", **goal).status == AT_TARGET
    had = np.diff(earlier.set_offsets)[earlier.row_offsets[:-1][which]]
    need, at_target = changes[which], (batch.status == AT_TARGET)[which]
    parts = [held, at_target, need == NEVER, (need > had) & (need != UNDECIDED), need != UNDECIDED]
    became[which] = np.select(parts, list(range(len(parts))), default=len(parts))
    return Drift(became)
