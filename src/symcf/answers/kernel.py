"""A batch in the core: which questions it answers, and what it needs for them."""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symcf import _core
from symcf.answers.set_columns import Request
from symcf.common import machine
from symcf.common.clock import Clock
from symcf.common.options import checked_count
from symcf.common.threads import run
from symcf.data.reader import Codes
from symcf.question.prices import ForCore
from symcf.question.question import Question
from symcf.search.choice import auto_engine, engine_of, ensembles_of, relation_of
from symcf.search.rivals import RivalsEngine
from symcf.search.trees import PATIENCE
from symcf.system.additive import AdditiveDecision
from symcf.system.asked import AskedDecision
from symcf.system.decision import TreeDecision
from symcf.system.targets import Goal, goal_of
from symcf.values.assignments import aim_of
from symcf.values.of_case import flip_of

__all__ = ["Kernel", "checked_memory", "needs_one_by_one"]

#: More bytes than any machine has, and a number that the core can reserve addresses for.
MOST_BYTES = 1 << 45

#: The largest count that the core takes.
MOST = 2**64 - 1


def needs_one_by_one(request: Request, engine: str, encoding: str, solver: str | None) -> bool:
    """Questions that the core does not answer in batches: of black-box models, solvers, moves, costs of over
    61 bits, costs by value where trees vote, costs by value or relations where columns hold numbers, and orders of
    numbers.
    """
    question = request.question
    if isinstance(question.classifier.decision, AskedDecision):
        return True
    by_solver = engine in ("sat", "sat-portable") or encoding != "auto" or solver is not None
    by_trees = (auto_engine(question) if engine == "auto" else engine) == "boxes"
    if by_solver or question.minimality == "moves" or not question.costs.of_rows(request.places).fit:
        return True
    if question.constraints.by_row or (question.relations is not None and question.relations.orders):
        return True
    by_value = question.costs.per_value is not None
    special = question.relations is not None or by_value
    if isinstance(question.classifier.decision, AdditiveDecision):
        return special or engine == "diagram"
    if isinstance(engine_of(question, engine), RivalsEngine):
        return True
    # where trees are the engine of choice they choose the values, too, whatever finds the sets
    return by_value and (by_trees or auto_engine(question) == "boxes")


class Kernel:
    """What the core answers rows with, prepared: `LimitError` if that takes a diagram and longer than allowed."""

    def __init__(self, request: Request, codes: Codes, engine: str, clock: Clock, *, reasons: bool = False) -> None:
        self._request, self._codes, self._clock, self._reasons = request, codes, clock, reasons
        self._solver = _solver_of_rows(request.question, engine, clock)
        self._special = _Special() if reasons else _Special.of(request, engine, codes, clock)

    def columns(self, memory: int, errors: str, jobs: int, report: Callable[[int], None] | None) -> dict[str, Any]:
        """The columns of a `SetColumns`."""
        batch = self._open(memory, errors)
        run(batch, min(jobs, max(1, len(self._codes))), report)
        columns = self._request.question.classifier.with_names(batch.finish)
        names = ("row_offsets", "set_offsets", "features", "status", "prediction")
        return {name: getattr(columns, name) for name in names}

    def _open(self, memory: int, errors: str) -> _core.Batch:
        request, special = self._request, self._special
        question = request.question
        compiled = question.classifier
        mask, directions = question.constraints.static_mask()
        return _core.Batch(
            self._solver,
            compiled.decision.groups.core_offset,
            self._codes,
            groups=compiled.decision.groups.for_core,
            allowed=mask,
            direction=directions,
            cost=question.costs.units,
            max_changes=question.constraints.max_changes,
            k=min(request.k or 0, MOST),
            max_results=min(request.max_results or 0, MOST),
            result_memory=memory,
            target=-1 if question.target is None else question.target,
            sorted=request.sorted,
            mark_bad_rows=errors == "mark",
            time_limit=self._clock.left,
            max_nodes=compiled.limits.max_nodes,
            max_memory=compiled.limits.max_memory,
            reasons=self._reasons,
            prices=special.prices,
            places=request.places,
            aims=special.aims,
            goals=special.goals,
            relation=special.relation,
            row_seconds=PATIENCE if self._clock.seconds is None and question.constraints.max_changes is None else 0.0,
        )


@dataclass(frozen=True)
class _Special:
    """What a batch needs besides its solver: costs that depend on values, and goals within relations. By class."""

    prices: Sequence[ForCore] | None = None
    aims: Sequence[_core.Aim | None] | None = None
    goals: Sequence[tuple[_core.Diagram, int] | tuple[_core.Ensemble, Goal] | None] | None = None
    relation: _core.Relation | None = None

    @classmethod
    def of(cls, request: Request, engine: str, codes: Codes, clock: Clock) -> _Special:
        """`LimitError` if a diagram is needed and takes longer than allowed."""
        question, compiled = request.question, request.question.classifier
        if question.relations is None and question.costs.per_value is None:
            return cls()
        relation = relation_of(question) if engine_of(question, engine).name == "cover" else None
        if question.costs.per_value is None and relation is not None:
            return cls(relation=relation)
        valid = ((codes >= 0) & (codes < np.diff(compiled.value_offset))).all(axis=1)
        present = set(np.unique(compiled.decide(codes[valid])).tolist()) - {question.target}
        to_reach = [
            goal_of(k, question.target, compiled.n_classes) if k in present else None for k in range(compiled.n_classes)
        ]
        prices = aims = goals = None
        if question.costs.per_value is not None:
            prices = question.costs.of_rows(request.places).for_core()
            offset = compiled.decision.groups.core_offset
            aims = [None if goal is None else aim_of(flip_of(question, goal, clock), offset) for goal in to_reach]
        if question.relations is not None and relation is None:
            by_trees = engine_of(question, engine).name == "boxes"
            reached = _trees_reached if by_trees else _diagram_reached
            goals = [None if goal is None else reached(question, goal, clock) for goal in to_reach]
        return cls(prices, aims, goals, relation)


def _diagram_reached(question: Question, goal: Goal, clock: Clock) -> tuple[_core.Diagram, int]:
    diagram, sink = question.classifier.targets.diagram(goal, question.relations, clock)
    return diagram.core, sink


def _trees_reached(question: Question, goal: Goal, clock: Clock) -> tuple[_core.Ensemble, Goal]:
    (trees_of,) = ensembles_of(question, goal)
    return trees_of(goal)


def _solver_of_rows(question: Question, engine: str, clock: Clock) -> Any:
    """What a batch works with: one threshold function, one for each pair of classes, trees, or diagrams."""
    compiled = question.classifier
    chosen = engine_of(question, engine)  # also refuses engines that do not fit the question
    if chosen.name == "cover" or (question.relations is not None and compiled.decision.is_additive):
        return compiled.decision.threshold or compiled.decision.beats
    if isinstance(compiled.decision, TreeDecision) and chosen.name == "boxes":
        return compiled.decision.ensemble
    if compiled.n_classes == 2:
        return compiled.class_diagram(1, clock).core
    return [compiled.class_diagram(k, clock).core for k in range(compiled.n_classes)]


def checked_memory(max_memory: int | None) -> int:
    """Bytes that the result may take: what the user says, or most of what there is; within what can be addressed."""
    return min(checked_count(max_memory, "max_memory", least=1) or machine.memory_of_a_result(), _most_addresses())


def _most_addresses() -> int:
    """The address space that a column may reserve, which ``ulimit -v`` can make scarce; a batch has two columns."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return MOST_BYTES if limit == resource.RLIM_INFINITY else max(1, limit // 8)
