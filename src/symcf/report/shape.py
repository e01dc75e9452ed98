"""What the page has to know of the question: names, values, and what may change at which cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.data.numbers import NumberLine
from symcf.question.costs import Costs
from symcf.report.packing import EXACT
from symcf.report.words import Cells, label_text, labels_of, ranges_of

__all__ = ["shape_data"]


def shape_data(batch: BatchExplanation, cells: Cells | None) -> dict[str, Any]:
    """Names, and what was asked of every row, for static/words.js and static/whatif.js."""
    question, c = batch.request.question, batch.compiled
    # what is immutable is locked in the page, and may be unlocked there
    locking = [item for item in question.constraints.items if item.locks]
    permitted = question.constraints.permitted(locking)
    restricted = {item.feature for item in question.constraints.items if not item.locks}
    relations = [item for item in question.constraints.items if item.relation is not None]
    numbers = any(isinstance(values, NumberLine) for values in c.values)
    return {
        "features": [label_text(name) for name in c.features],
        "values": labels_of(batch, cells),
        "ranges": ranges_of(batch, cells),
        "ordered": list(c.ordered),
        "classes": [label_text(label) for label in c.classes],
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
