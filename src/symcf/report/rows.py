"""The rows of a batch inside a page: what was decided, and what would have had to change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.report.classifier import packed
from symcf.results.batch import BatchExplanation
from symcf.results.facts import value_text
from symcf.results.sentences import constraint_phrase
from symcf.results.summary import COMPLETE, INVALID

__all__ = ["Overview", "label_text", "overview", "rows_data"]

#: The most rows without a counterfactual for which the page says which constraints stand in the way.
MOST_BLOCKED = 200

#: Probabilities are written in units of this.
PER_UNIT = 10_000


def label_text(label: Hashable) -> str:
    """A name as people read it. Characters that UTF-8 cannot encode are marked."""
    if isinstance(label, (bool, np.bool_)):
        return "yes" if label else "no"
    return str(label).encode("utf-8", "replace").decode("utf-8")


def rows_data(batch: BatchExplanation, names: Sequence[Hashable] | None, most_ways: int | None) -> dict[str, Any]:
    """Columns for static/page.js. Up to ``most_ways`` change sets per row; ``more`` marks rows that have others."""
    shown = np.diff(batch.row_offsets)
    more = np.zeros(len(batch), dtype=bool)
    if most_ways is not None:
        more, shown = shown > most_ways, np.minimum(shown, most_ways)
    first = np.repeat(batch.row_offsets[:-1], shown)
    within = np.arange(shown.sum()) - np.repeat(np.cumsum(shown) - shown, shown)
    sets = (first + within).astype(np.int64)
    sizes = np.diff(batch.set_offsets)[sets]
    changes = np.repeat(batch.set_offsets[:-1][sets], sizes) + (
        np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    )
    features, codes = batch.features[changes].astype(np.int64), batch._new_codes[changes]
    readable = batch.status != INVALID
    rows = np.where(readable[:, None], batch.rows, 0).astype(np.int64)
    changed = rows[np.repeat(np.arange(len(batch)), shown)]
    changed[np.repeat(np.arange(len(sets)), sizes), features] = codes
    return {
        "count": len(batch),
        "names": None if names is None else [label_text(name) for name in names],
        "codes": packed(rows),
        "prediction": packed(batch.prediction),
        "chance": _chances(batch, rows, batch.prediction),
        "status": packed(batch.status),
        "more": packed(more),
        "ways": packed(shown),
        "sizes": packed(sizes),
        "features": packed(features),
        "new": packed(codes),
        **_cells(batch, changes),
        "decision": packed(_decide(batch, changed)),
        "way_chance": _chances(batch, changed, _decide(batch, changed)),
        "blocking": _blocking(batch),
    }


def _cells(batch: BatchExplanation, changes: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Where the classifier reads raw values: what was given, by row and feature, and what changes lead to."""
    if batch.given is None or batch.compiled.model.encoder is None:
        return {"cells": None, "new_cells": None}
    readable = (batch.status != INVALID).tolist()
    given = [
        [label_text(value_text(cell)) for cell in batch.cells(i)] if readable[i] else None for i in range(len(batch))
    ]
    _, new = batch.old_and_new()
    return {"cells": given, "new_cells": [label_text(value_text(cell)) for cell in new[changes]]}


def _decide(batch: BatchExplanation, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    return batch.compiled.decide(rows) if len(rows) else np.zeros(0, dtype=np.uint8)


def _chances(
    batch: BatchExplanation, rows: npt.NDArray[np.int64], decision: npt.NDArray[np.uint8]
) -> dict[str, Any] | None:
    """The probability of the decision of each row; None where the model has none."""
    if not len(rows) or not batch.compiled.has_probabilities:
        return None
    probabilities = batch.compiled.probabilities(rows)
    assert probabilities is not None
    chances = probabilities[np.arange(len(rows)), decision]
    return packed(np.rint(chances * PER_UNIT))


def _blocking(batch: BatchExplanation) -> dict[int, list[str]]:
    """For rows without any way: the constraints that would have to be given up."""
    if not batch.request.question.constraints.items:
        return {}
    without = np.flatnonzero((np.diff(batch.row_offsets) == 0) & (batch.status == COMPLETE)).tolist()
    said: dict[bytes, list[str]] = {}
    result = {}
    for i in without:
        key = batch.rows[i].tobytes()
        if key not in said:
            if len(said) == MOST_BLOCKED:
                continue
            e = batch[i]
            said[key] = [label_text(constraint_phrase(e, constraint)) for constraint in e.blocking]
        result[i] = said[key]
    return result


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
    )
