"""Family algebra over any diagram: all change sets as one ZDD."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.question.case import Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSets
from symcf.search.protocol import STEP, Answer, Options, Search, StepForm, drain
from symcf.system.diagram import Diagram
from symcf.system.targets import Goal

__all__ = ["DiagramSearch", "TargetOf", "no_diagram", "target_of"]

#: The diagram of a goal, and the sink in it that has to be reached.
TargetOf = Callable[[Goal, Clock], tuple[Diagram, int]]


def target_of(question: Question) -> TargetOf:
    """The diagrams of a question's goals, within its relations."""
    targets, relations = question.classifier.targets, question.relations
    return lambda goal, clock: targets.diagram(goal, relations, clock)


def no_diagram(question: Question) -> str | None:
    """Why no diagram answers a question. Where columns hold numbers, each row has a diagram of its own."""
    decision = question.classifier.decision
    if question.is_coupled:
        return (
            "no diagram relates columns of numbers, makes one class beat several, or keeps columns with curved terms "
            "whole; use engine='auto'"
        )
    return None if decision.numbers is not None else decision.no_diagram


class DiagramSearch(Search):
    """Family algebra over the frozen diagram (src/core/minimal.c)."""

    name = "diagram"
    needs_diagram = True
    finds_reasons = True
    batches = True
    batches_reasons = True

    def __init__(
        self, target_of: TargetOf, value_offset: npt.NDArray[np.uint32], max_nodes: int, max_memory: int
    ) -> None:
        self._target_of = target_of
        self._value_offset = value_offset
        self._budget = (max_nodes, max_memory)

    @classmethod
    def supports(cls, question: Question) -> str | None:
        return no_diagram(question)

    @classmethod
    def make(cls, question: Question, options: Options) -> DiagramSearch:
        limits, groups = question.classifier.limits, question.classifier.decision.groups
        return cls(target_of(question), groups.core_offset, limits.max_nodes, limits.max_memory)

    def family(self, query: Query, clock: Clock) -> _core.Minimal:
        """All change sets as a ZDD."""
        diagram, sink = self._target_of(query.goal, clock)
        return _core.Minimal(diagram.core, self._value_offset, query.core(), sink, clock.left, *self._budget)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        yield from drain(self.family(query, clock).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        sets, status = self.family(query, clock).best(k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Search`. Without listing them."""
        return self.family(query, clock).count(clock.left)

    def count_features(self, query: Query, clock: Clock) -> tuple[list[int], int]:
        """See `Search`. Without listing them."""
        family = self.family(query, clock)
        return family.count_features(clock.left), family.count(clock.left)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets:
        """See `Search`. Without listing them."""
        family = self.family(query, clock)
        if not family.count(clock.left):
            return ChangeSets.of([])
        return ChangeSets.of(family.sample(size, random.bit_generator, clock.left))

    def over_steps(self, form: StepForm) -> DiagramSearch:
        limits = form.case.question.classifier.limits
        offset = np.arange(0, 2 * len(form.steps.prices) + 1, 2, dtype=np.uint32)
        return DiagramSearch(lambda goal, clock: (form.diagram(clock), 1), offset, limits.max_nodes, limits.max_memory)

    def for_batch(self, question: Question, clock: Clock) -> Any:
        """See `Search`. Within relations, sums decide which class a row has."""
        classifier = question.classifier
        if question.relations is not None and classifier.decision.is_additive:
            return classifier.decision.threshold or classifier.decision.beats
        if classifier.n_classes == 2:
            return classifier.class_diagram(1, clock).core
        return [classifier.class_diagram(k, clock).core for k in range(classifier.n_classes)]

    def reached(self, goal: Goal, clock: Clock) -> tuple[_core.Diagram, int]:
        diagram, sink = self._target_of(goal, clock)
        return diagram.core, sink
