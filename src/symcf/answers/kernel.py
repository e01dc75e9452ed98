"""A batch in the core: which questions it answers, and what it needs for them."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symcf import _core
from symcf.answers.batch import BatchExplanation
from symcf.answers.chunks import MOST
from symcf.answers.set_columns import Request, Work, unanswered_rows
from symcf.common.clock import Clock
from symcf.common.memory import memory_of_a_result
from symcf.common.options import checked_count
from symcf.common.threads import run
from symcf.data.reader import Codes
from symcf.errors import LimitError
from symcf.question.prices import ForCore
from symcf.search.protocol import PATIENCE, Search
from symcf.system.decision import goal_of
from symcf.system.targets import Goal
from symcf.values.of_case import flip_of

__all__ = ["Kernel", "answered", "checked_memory"]

#: More bytes than any machine has, and a number that the core can reserve addresses for.
MOST_BYTES = 1 << 45


def answered(work: Work) -> BatchExplanation | None:
    """The change sets of all rows; None for questions that the core does not answer in batches."""
    if not _takes(work):
        return None
    # before a diagram is built: when time is up, there is none left to decide the rows
    late = None if work.clock.seconds is None else unanswered_rows(work)
    try:
        kernel = Kernel(work)
    except LimitError as error:
        if not work.clock.ended(error):  # it was the classifier's limit
            raise
        assert late is not None
        return BatchExplanation.unanswered(work, late)
    return BatchExplanation(work.compiled, work.rows, work.request, **kernel.columns())


def _takes(work: Work) -> bool:
    """Not: searches without batches in the core, costs by value where trees vote, and relations between numbers."""
    question, plan = work.request.question, work.request.plan
    if not work.is_uniform or question.classifier.decision.numbers is not None:
        return False
    if question.relations is not None and question.relations.by_row:
        return False
    # where trees are the search of choice they choose the values, too, whatever finds the sets
    by_trees = plan.kind.avoids_diagram or plan.default.avoids_diagram
    return plan.search().batches and not (question.costs.per_value is not None and by_trees)


class Kernel:
    """What the core answers rows with, prepared: `LimitError` if that takes a diagram and longer than allowed."""

    def __init__(self, work: Work, *, reasons: bool = False) -> None:
        self._work, self._reasons = work, reasons
        request, clock = work.request, work.clock
        search = request.plan.reason_search() if reasons else request.plan.search()
        self._solver = search.for_batch(request.question, clock)
        self._special = _Special() if reasons else _Special.of(request, search, work.rows, clock)

    def columns(self) -> dict[str, Any]:
        """The columns of a `SetColumns`."""
        batch, work = self._open(), self._work
        run(batch, min(work.jobs, max(1, len(work.rows))), work.report)
        columns = work.request.question.classifier.with_names(batch.finish)
        names = ("row_offsets", "set_offsets", "features", "status", "prediction")
        return {name: getattr(columns, name) for name in names}

    def _open(self) -> _core.Batch:
        work, request, special = self._work, self._work.request, self._special
        question = request.question
        compiled = question.classifier
        mask, directions = question.constraints.static_mask()
        return _core.Batch(
            self._solver,
            compiled.decision.groups.core_offset,
            work.rows,
            groups=compiled.decision.groups.for_core,
            allowed=mask,
            direction=directions,
            cost=question.costs.units,
            max_changes=question.constraints.max_changes,
            k=min(request.k or 0, MOST),
            max_results=min(request.max_results or 0, MOST),
            result_memory=work.memory,
            target=-1 if question.target is None else question.target,
            sorted=request.sorted,
            mark_bad_rows=work.errors == "mark",
            time_limit=work.clock.left,
            max_nodes=compiled.limits.max_nodes,
            max_memory=compiled.limits.max_memory,
            reasons=self._reasons,
            prices=special.prices,
            places=request.places,
            aims=special.aims,
            goals=special.goals,
            relation=special.relation,
            likely=special.likely,
            row_seconds=PATIENCE if work.clock.seconds is None and question.constraints.max_changes is None else 0.0,
        )


@dataclass(frozen=True)
class _Special:
    """What a batch needs besides its solver: costs that depend on values, and goals within relations. By class."""

    prices: Sequence[ForCore] | None = None
    aims: Sequence[_core.Aim | None] | None = None
    goals: Sequence[tuple[_core.Diagram, int] | tuple[_core.Ensemble, Goal] | None] | None = None
    relation: _core.Relation | None = None
    likely: _core.Likely | None = None

    @classmethod
    def of(cls, request: Request, search: Search, codes: Codes, clock: Clock) -> _Special:
        """`LimitError` if a diagram is needed and takes longer than allowed."""
        question, compiled = request.question, request.question.classifier
        if question.relations is None and question.costs.per_value is None:
            return cls()
        relation = search.relation
        if question.costs.per_value is None and relation is not None:
            return cls(relation=relation)
        likely = None if question.costs.per_value is not None else search.likely(request.k)
        if likely is not None:
            return cls(likely=likely)
        valid = ((codes >= 0) & (codes < np.diff(compiled.value_offset))).all(axis=1)
        present = set(np.unique(compiled.decide(codes[valid])).tolist()) - {question.target}
        to_reach = [
            goal_of(k, question.target, compiled.n_classes) if k in present else None for k in range(compiled.n_classes)
        ]
        prices = aims = goals = None
        if question.costs.per_value is not None:
            prices = question.costs.of_rows(request.places).for_core()
            offset = compiled.decision.groups.core_offset
            aims = [None if goal is None else flip_of(request.plan, goal, clock).aim(offset) for goal in to_reach]
        if question.relations is not None and relation is None:
            goals = [None if goal is None else search.reached(goal, clock) for goal in to_reach]
        return cls(prices, aims, goals, relation)


def checked_memory(max_memory: int | None) -> int:
    """Bytes that the result may take: what the user says, or most of what there is; within what can be addressed."""
    return min(checked_count(max_memory, "max_memory", least=1) or memory_of_a_result(), _most_addresses())


def _most_addresses() -> int:
    """The address space that a column may reserve, which ``ulimit -v`` can make scarce; a batch has two columns."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return MOST_BYTES if limit == resource.RLIM_INFINITY else max(1, limit // 8)
