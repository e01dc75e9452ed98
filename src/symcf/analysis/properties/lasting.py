"""Of how many rows the decision lasts when features change, counted on diagrams (bdd_lasting.c)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import OptionError
from symcf.question.question import Question
from symcf.system.classifier import Classifier
from symcf.system.decision import goal_of

__all__ = ["Part", "Ring", "between", "count_all", "count_rows", "last", "parts_of", "rings", "told_apart"]


@dataclass(frozen=True)
class Part:
    """Rows that have the same goal: those of a class, or with a target those of all other classes."""

    #: They are those of which a diagram says 1, or, negated, 0.
    rows: _core.Diagram
    negated: bool
    #: What must not be reached, and its sink.
    goal: _core.Diagram
    sink: int
    #: Is the goal all other rows? Not where relations forbid some of them.
    whole: bool


@dataclass(frozen=True)
class Ring:
    """The rows of a part of which the decision lasts for so many changes."""

    changes: int
    count: int
    diagram: _core.Diagram


def told_apart(question: Question) -> Question:
    """The same question to a classifier that distinguishes the values of features with a direction: two values that
    are one to the decision may be on both sides of a third.
    """
    classifier = question.classifier
    if astray := question.constraints.astray:
        name = classifier.features[min(astray)]
        raise OptionError(
            f"allowed[{name!r}]: a missing value has no direction, so that this depends on the row, and this call "
            "looks at all possible rows; give rows, or list the allowed values"
        )
    _, directions = question.constraints.static_mask()
    if directions is None:
        return question
    partition = [
        list(range(len(labels))) if directions[j] else list(classifier.decision.groups.group_of[j])
        for j, labels in enumerate(classifier.values)
    ]
    return replace(question, classifier=classifier.telling_apart(partition))


def parts_of(question: Question, clock: Clock) -> Iterator[Part]:
    """All rows that do not have the wanted class. `LimitError` if a diagram takes too long."""
    classifier = question.classifier
    k, relations = classifier.n_classes, question.relations
    classes: Sequence[int] = range(k) if question.target is None else [_any_but(question.target)]
    if question.target is not None and k == 2:
        classes = [1 - question.target]
    for p in classes:
        target = None if k == 2 else question.target
        goal, sink = classifier.targets.diagram(goal_of(p, target, k), relations, clock)
        if k == 2:
            rows, negated = classifier.class_diagram(1, clock), p == 0
        elif target is None:
            rows, negated = classifier.class_diagram(p, clock), False
        else:
            rows, negated = classifier.class_diagram(target, clock), True
        yield Part(rows.core, negated, goal.core, sink, relations is None)


def _any_but(target: int) -> int:
    return 1 if target == 0 else 0


def count_all(classifier: Classifier) -> int:
    """How many rows of value codes there are."""
    return math.prod(len(labels) for labels in classifier.values)


def rings(question: Question, part: Part, clock: Clock, most: int | None = None) -> Iterator[Ring]:
    """The part's rows, then those of which the decision lasts for 1, 2, ... changes, until there are no more of them
    or no more that change. ``most``: at most so many changes.
    """
    classifier = question.classifier
    first = _joined(classifier, [part.rows], [part.negated], clock)
    count = count_rows(classifier, first, clock)
    yield Ring(0, count, first)
    lasting, negated = part.goal, part.sink == 1  # rows that do not reach the goal as they are
    known = count_rows(classifier, lasting, clock, sink=1 - part.sink)
    changes = 0
    while count and (most is None or changes < most):
        lasting = last(question, lasting, negated, clock)
        negated = False
        now = count_rows(classifier, lasting, clock)
        if now == known:  # each is within the one before
            return
        known, changes = now, changes + 1
        ring = lasting if part.whole else _joined(classifier, [first, lasting], [False, False], clock)
        count = count_rows(classifier, ring, clock)
        yield Ring(changes, count, ring)


def last(
    question: Question, diagram: _core.Diagram, negated: bool, clock: Clock, *, any_number: bool = False
) -> _core.Diagram:
    """The rows of a diagram that stay in it when one feature, or any number of them, changes."""
    classifier = question.classifier
    groups, budget = classifier.decision.groups, classifier.budget(clock)
    mask, directions = question.constraints.static_mask()
    allowed = groups.core_mask(mask)
    bdd = _core.Bdd.lasting(
        diagram, negated, groups.core_offset, allowed, directions, any_number, *budget.now()
    )  # fmt: skip
    return bdd.freeze(budget.seconds())


def between(classifier: Classifier, inner: _core.Diagram, outer: _core.Diagram, clock: Clock) -> _core.Diagram:
    """The rows of the outer diagram that are not in the inner one."""
    return _joined(classifier, [outer, inner], [False, True], clock)


def _joined(
    classifier: Classifier, parts: Sequence[_core.Diagram], negated: Sequence[bool], clock: Clock
) -> _core.Diagram:
    if len(parts) == 1 and not negated[0]:
        return parts[0]
    budget = classifier.budget(clock)
    return _core.Bdd.conjoin(parts, negated, *budget.now()).freeze(budget.seconds())


def count_rows(classifier: Classifier, diagram: _core.Diagram, clock: Clock, sink: int = 1) -> int:
    """Rows of value codes that reach a sink."""
    groups = classifier.decision.groups
    return diagram.count_weighted(sink, groups.core_offset, sizes_of(groups), clock.left)


def sizes_of(groups: Any) -> npt.NDArray[np.uint32]:
    """By core code, how many values it stands for."""
    return np.array([len(group) for members in groups.members for group in members], dtype=np.uint32)
