"""The rows of a batch inside a page: what was decided, and what would have had to change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.answers.batch import BatchExplanation
from symcf.answers.groups import groups_of
from symcf.answers.summary import COMPLETE, INVALID, TIME_LIMIT
from symcf.data.numbers import NumberLine
from symcf.data.phrases import value_text
from symcf.errors import LimitError
from symcf.fast import why_codes
from symcf.question.costs import Costs, same_costs
from symcf.report.trees import EXACT, is_by_trees, packed
from symcf.report.words import Called, Cells, label_text, labels_of, ranges_of

__all__ = ["reasons_data", "rows_data", "shape_data"]


#: The most rows without a counterfactual for which the page says which constraints stand in the way.
MOST_BLOCKED = 200

#: The fewest ways that are also shown as groups.
FEWEST_GROUPED = 6

#: Probabilities are written in units of this.
PER_UNIT = 10_000


def rows_data(
    batch: BatchExplanation,
    cells: Cells | None,
    names: Sequence[Hashable] | None,
    most_ways: int | None,
    called: Called,
) -> dict[str, Any]:
    """Columns for static/rows.js. Up to ``most_ways`` change sets per row; ``more`` marks rows that have others."""
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
    listed = np.array([not isinstance(values, NumberLine) for values in batch.compiled.values], dtype=bool)
    fill = [values.code(values.low) if isinstance(values, NumberLine) else 0 for values in batch.compiled.values]
    rows = np.where(readable[:, None], batch.rows, np.array(fill, dtype=np.int64)).astype(np.int64)
    changed = rows[np.repeat(np.arange(len(batch)), shown)]
    changed[np.repeat(np.arange(len(sets)), sizes), features] = codes
    return {
        "count": len(batch),
        "names": None if names is None else [label_text(name) for name in names],
        "codes": packed(np.where(listed, rows, 0)),  # codes of numbers mean nothing to the page
        "prediction": packed(batch.prediction),
        "chance": _chances(batch, rows, batch.prediction),
        "status": packed(batch.status),
        "more": packed(more),
        "ways": packed(shown),
        "sizes": packed(sizes),
        "features": packed(features),
        "new": packed(np.where(listed[features], codes, 0)),
        **_cells(batch, cells, changes, called),
        "decision": packed(_decide(batch, changed)),
        "way_chance": _chances(batch, changed, _decide(batch, changed)),
        "blocking": _blocking(batch, called),
        "groups": _groups(batch, shown),
        "of": None if batch.diversity is None else packed([0 if each is None else each.of for each in batch.diversity]),
    }


def _cells(
    batch: BatchExplanation, cells: Cells | None, changes: npt.NDArray[np.int64], called: Called
) -> dict[str, Any]:
    """Where the classifier reads raw values: what was given, by row and feature, and what changes lead to."""
    if cells is None:
        return {"cells": None, "new_cells": None}
    names = batch.compiled.features

    def said(j: int, cell: Any) -> str:
        return called.value(names[j], cell, value_text(cell))

    given = [None if row is None else [said(j, cell) for j, cell in enumerate(row)] for row in cells]
    _, new = batch.old_and_new()
    changed = zip(batch.features[changes].tolist(), new[changes], strict=True)
    return {"cells": given, "new_cells": [said(j, cell) for j, cell in changed]}


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


def _groups(batch: BatchExplanation, shown: npt.NDArray[np.int64]) -> dict[int, list[list[list[int]]]]:
    """For rows of which many ways are listed: those that differ in one feature together, each line a list of
    alternatives.
    """
    found = {}
    for i in np.flatnonzero(shown >= FEWEST_GROUPED).tolist() if batch.codes is None else ():
        groups = groups_of(batch.sets(i)[: int(shown[i])], batch.compiled.features)
        found[i] = [[*([j] for j in group.common), *map(list, group.choices)] for group in groups]
    return found


def _blocking(batch: BatchExplanation, called: Called) -> dict[int, list[str]]:
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
            said[key] = [label_text(called.constraint(one).phrase()) for one in e.blocking]
        result[i] = said[key]
    return result


# --- the question -----------------------------------------------------------------------------------------------------
# What the page has to know of the question: names, values, and what may change at which cost.


def shape_data(batch: BatchExplanation, cells: Cells | None, called: Called) -> dict[str, Any]:
    """Names, and what was asked of every row, for static/words.js and static/whatif.js."""
    question, c = batch.request.question, batch.compiled
    # what is immutable is locked in the page, and may be unlocked there
    locking = [item for item in question.constraints.items if item.locks]
    permitted = question.constraints.permitted(locking)
    restricted = {item.feature for item in question.constraints.items if not item.locks}
    relations = [item for item in question.constraints.items if item.relation is not None]
    numbers = any(isinstance(values, NumberLine) for values in c.values)
    return {
        "features": [called.feature(name) for name in c.features],
        "values": labels_of(batch, cells, called),
        "ranges": ranges_of(batch, cells),
        "ordered": list(c.ordered),
        "classes": [called.decision(label) for label in c.classes],
        "target": question.target,
        "locked": [item.feature for item in locking],
        "allowed": [
            None if p.mask is None or p.mask.all() or j not in restricted else np.flatnonzero(p.mask).tolist()
            for j, p in enumerate(permitted)
        ],
        "direction": [p.direction for p in permitted],
        "max_changes": question.constraints.max_changes,
        "rules": [label_text(str(relation)) for relation in relations],
        "dear": question.costs.units is not None,
        "cost": None if numbers else _costs(question.costs, [len(labels) for labels in c.values]),
    }


def _costs(costs: Costs, n_values: Sequence[int]) -> list[Any] | None:
    """By feature a number, or a matrix by old and new value; None where every change costs the same."""
    if costs.units is None:
        return None
    per_value = costs.per_value or [False] * len(n_values)
    exact = costs.most < EXACT

    def entry(j: int) -> Any:
        d = n_values[j]
        if not per_value[j]:
            return costs.unit_of(j, 0, 1) if exact else costs.given[j]
        of = costs.unit_of if exact else costs.cost_of
        return [[of(j, old, new) for new in range(d)] for old in range(d)]

    return [entry(j) for j in range(len(n_values))]


# --- reasons ----------------------------------------------------------------------------------------------------------
# The other side of each decision on the page: what was enough for it.

#: Reasons shown per row, and the seconds that looking for all of them may take; per row where trees vote, since they
#: have so many reasons that the time is always used.
SHOWN, SECONDS, SECONDS_PER_ROW = 3, 10.0, 0.2


def reasons_data(batch: BatchExplanation) -> dict[str, Any] | None:
    """Columns for static/page.js: the smallest reasons of each row; ``more`` marks rows that have others, ``cut``
    those that time did not suffice for.

    None where they would take more memory or nodes than the classifier may use, or it is a black box. Costs and
    max_changes are about changes, and play no part.
    """
    question = batch.request.question
    if question.classifier.decision.black_box is not None:
        return None
    constraints = copy(question.constraints)
    constraints.max_changes = None
    plain = replace(question, constraints=constraints, costs=same_costs(question.classifier.features))
    try:
        seconds = min(SECONDS, SECONDS_PER_ROW * len(batch)) if is_by_trees(plain) else SECONDS
        found = why_codes(plain, batch.rows, SHOWN + 1, seconds)
    except LimitError:
        return None
    shown = np.minimum(np.diff(found.row_offsets), SHOWN)
    first = np.repeat(found.row_offsets[:-1], shown)
    sets = first + np.arange(shown.sum()) - np.repeat(np.cumsum(shown) - shown, shown)
    sizes = np.diff(found.set_offsets)[sets]
    starts = np.repeat(found.set_offsets[:-1][sets], sizes)
    members = starts + np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return {
        "count": packed(shown),
        "more": packed(np.diff(found.row_offsets) > SHOWN),
        "cut": packed(found.status == TIME_LIMIT),
        "sizes": packed(sizes),
        "features": packed(found.features[members]),
    }
