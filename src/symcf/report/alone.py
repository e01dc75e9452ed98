"""Rows that protected features decide alone: with all others as they are, another value leads to another decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID
from symcf.data.given import ReadRows
from symcf.data.labels import feature_indices
from symcf.data.phrases import joined, quoted, value_text
from symcf.fast import explain_batch
from symcf.report.words import label_text

__all__ = ["Alone", "alone_of", "protected_features"]

#: Options of the report that are about the work, not about what may change.
WORK = ("time_limit", "n_jobs", "max_memory", "errors", "engine", "constraints", "min_plausibility", "data")

#: Sets of protected features that are named per row.
SHOWN = 3


@dataclass(frozen=True)
class Alone:
    """What protected features decide alone."""

    #: By row, the smallest sets of them that are enough: pairs of a feature and its other value.
    rows: dict[int, list[list[tuple[int, str]]]]
    #: How many rows each set of them decides, in words, most first.
    counts: list[tuple[str, int]]
    #: Rows that have another decision to reach, and those of them for which time did not suffice.
    of: int
    unknown: int


def protected_features(protected: Any, batch: BatchExplanation) -> list[int]:
    """The features given or, by default, those that are immutable."""
    if protected is not None:
        return sorted(feature_indices(protected, batch.compiled.features, "protected"))
    items = batch.request.question.constraints.items
    return sorted({item.feature for item in items if item.locks and item.feature is not None})


def alone_of(batch: BatchExplanation, features: Sequence[int], options: Mapping[str, Any]) -> Alone:
    """Asks the question of the batch again, with only these features free to change."""
    open_rows = ~np.isin(batch.status, (INVALID, AT_TARGET))
    if not features or not open_rows.any():
        return Alone({}, [], int(open_rows.sum()), 0)
    names = batch.compiled.features
    asked = {name: options[name] for name in WORK if name in options} | {"target": options.get("target")}
    rows = batch.rows if batch.given is None else ReadRows(batch.given, batch.rows)
    others = [names[j] for j in range(len(names)) if j not in set(features)]
    found = explain_batch(batch.compiled, rows, **asked, immutable=others)
    _, new = found.old_and_new()
    by_row: dict[int, list[list[tuple[int, str]]]] = {}
    tally: Counter[tuple[int, ...]] = Counter()
    for i in np.flatnonzero(np.diff(found.row_offsets)).tolist():
        sets = range(*found.row_offsets[i : i + 2].tolist())
        places = [range(*found.set_offsets[s : s + 2].tolist()) for s in sets]
        ways = [[(int(found.features[p]), label_text(value_text(new[p]))) for p in each] for each in places]
        tally.update(tuple(j for j, _ in way) for way in ways)
        by_row[i] = ways[:SHOWN]
    counts = [(joined([quoted(names[j]) for j in way]), count) for way, count in tally.most_common()]
    unknown = int((open_rows & (found.status != COMPLETE)).sum())
    return Alone(by_row, counts, int(open_rows.sum()), unknown)
