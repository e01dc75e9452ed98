"""A batch in a few numbers, for the top of the page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import COMPLETE, INVALID, MAX_RESULTS, TIME_LIMIT
from symcf.report.words import label_text

__all__ = ["Overview", "overview"]


@dataclass(frozen=True)
class Overview:
    """A batch in a few numbers, for the top of the page."""

    rows: int
    #: Rows that could not be read.
    invalid: int
    #: Rows by class, in the order of the classes.
    decisions: list[tuple[str, int]]
    #: Rows by the fewest changes that lead to another decision.
    fewest: list[tuple[str, int]]
    #: Rows of which at least one way changes the feature, most first.
    features: list[tuple[str, int]]
    #: Features that no way changes.
    idle: int
    #: Rows with a way, and those of them for which a single change is enough.
    with_way: int
    single: int
    #: Rows whose search was stopped by a limit, and those of them without a way.
    cut: int
    cut_empty: int


def overview(batch: BatchExplanation) -> Overview:
    """Counts over all rows."""
    compiled = batch.compiled
    readable = batch.status != INVALID
    per_class = np.bincount(batch.prediction[readable], minlength=compiled.n_classes)
    ways = np.diff(batch.row_offsets)
    has_way = ways > 0
    sizes = np.diff(batch.set_offsets)
    fewest = np.minimum.reduceat(sizes, batch.row_offsets[:-1][has_way]) if has_way.any() else np.zeros(0, np.int64)
    per_size = np.bincount(fewest, minlength=2)
    said = [(f"{size} change{'s' * (size != 1)}", int(n)) for size, n in enumerate(per_size) if n]
    cut = np.isin(batch.status, (MAX_RESULTS, TIME_LIMIT))
    none = int((~has_way & (batch.status == COMPLETE)).sum())
    row_of_change = np.repeat(np.repeat(np.arange(len(batch)), ways), sizes)
    pairs = np.unique(row_of_change * max(1, compiled.n_features) + batch.features)
    per_feature = np.bincount(pairs % max(1, compiled.n_features), minlength=compiled.n_features)
    by_frequency = sorted(range(compiled.n_features), key=lambda j: (-per_feature[j], j))
    return Overview(
        rows=len(batch),
        invalid=int((~readable).sum()),
        decisions=[(label_text(name), int(n)) for name, n in zip(compiled.classes, per_class, strict=True)],
        fewest=said + ([("nothing helps", none)] if none else []),
        features=[(label_text(compiled.features[j]), int(per_feature[j])) for j in by_frequency if per_feature[j]],
        idle=int((per_feature == 0).sum()),
        with_way=int(has_way.sum()),
        single=int(per_size[1]),
        cut=int(cut.sum()),
        cut_empty=int((cut & ~has_way).sum()),
    )
