"""The other side of each decision on the page: what was enough for it."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import TIME_LIMIT
from symcf.errors import LimitError
from symcf.fast import why_codes
from symcf.question.costs import Costs
from symcf.report.packing import packed
from symcf.report.trees import is_by_trees

__all__ = ["reasons_data"]

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
    plain = replace(question, constraints=constraints, costs=Costs(None, question.classifier.features))
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
