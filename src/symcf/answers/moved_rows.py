"""Moves of many rows (``minimality="moves"``) by sums of weights, in the core (src/core/moves_rows.c)."""

from __future__ import annotations

import numpy as np

from symcf.answers.batch import BatchExplanation
from symcf.answers.chunks import CHUNK, MOST, Part, in_chunks
from symcf.answers.set_columns import Request, Work, unanswered_rows
from symcf.answers.summary import TIME_LIMIT
from symcf.errors import LimitError, OptionError
from symcf.question.steps import StepTable
from symcf.system.decision import goal_of

__all__ = ["answered"]


def _takes(request: Request) -> bool:
    """Is what features may become, and what that costs, a matter of their own values alone?"""
    question = request.question
    return (
        question.minimality == "moves"
        and request.own is None
        and request.places is None
        and request.given is None
        and question.relations is None
        and question.classifier.decision.is_additive
        and request.plan.kind.batches_moves
    )


def answered(work: Work) -> BatchExplanation | None:
    """The nearest moves of all rows; None for other questions, where costs are too large for the core, and where an
    error about one row has to wait for its turn.
    """
    if not _takes(work.request):
        return None
    rows, request, question, clock = work.rows, work.request, work.request.question, work.clock
    status, prediction = unanswered_rows(work)
    if prediction is None:
        return BatchExplanation.unanswered(work, (status, prediction))
    asked = status == TIME_LIMIT
    try:
        table = StepTable(question, rows[asked])
    except OptionError:
        return None
    except LimitError as error:
        if not clock.ended(error):  # it was the classifier's limit
            raise
        return BatchExplanation.unanswered(work, (status, prediction))
    if not table.fit:
        return None
    own = np.zeros(rows.shape, dtype=np.uint32)
    own[asked] = table.own
    decision, n_classes = question.classifier.decision, question.classifier.n_classes
    goals = [decision.sums_to_flip(goal_of(k, question.target, n_classes)) for k in range(n_classes)]

    def solve(start: int) -> Part:
        chunk = slice(start, start + CHUNK)
        places = np.flatnonzero(asked[chunk])
        n_sets, states = np.zeros(len(status[chunk]), dtype=np.int64), status[chunk].copy()
        pairs, n_sets[places], states[places] = table.core.of_rows(
            goals,
            np.ascontiguousarray(own[chunk][places]),
            np.ascontiguousarray(prediction[chunk][places]),
            max_changes=question.constraints.max_changes,
            k=min(request.k or 0, MOST),
            max_results=min(request.max_results or 0, MOST),
            result_memory=work.memory,
            time_limit=clock.left,
        )
        both = pairs.features.view(np.int32)
        features, codes = np.ascontiguousarray(both[::2]), both[1::2].astype(np.int64) if len(places) else None
        return Part(n_sets, pairs.end.view(np.int64) // 2, features, states, prediction[chunk], codes)

    return in_chunks(work, solve)
