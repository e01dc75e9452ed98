"""How responsive features are: the share of their allowed new values that lead to the goal, alone or with others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.analysis.properties.falls import is_large
from symcf.common.clock import Clock
from symcf.common.threads import mapped
from symcf.errors import LimitError
from symcf.question.question import Question
from symcf.system.decision import Decision, goal_of

__all__ = ["counted"]

Counts = npt.NDArray[np.uint64]

#: Rows that a thread counts at a time where sums decide, and nodes that it looks at where diagrams do: some ten
#: milliseconds, so that Ctrl-C is heard soon.
CHUNK, NODES = 1 << 14, 1 << 20

#: More changes than there can be.
ANY_NUMBER = 2**32 - 1


def counted(
    question: Question,
    codes: npt.NDArray[Any],
    classes: npt.NDArray[np.uint8],
    part: npt.NDArray[np.uint32],
    n_parts: int,
    jobs: int,
    clock: Clock,
) -> tuple[Counts | None, str | None]:
    """By part and feature: values that rows may take, that lead to the goal alone, and alone or with others; or why
    they were not counted. The rows do not have the wanted class.
    """
    classifier = question.classifier
    shape = (n_parts, classifier.n_features, 3)
    if not len(codes):
        return np.zeros(shape, dtype=np.uint64), None
    if classifier.decision.numbers is not None:
        return None, "responsiveness: columns hold numbers, which have no values to count"
    if question.relations is not None and question.relations.orders:
        return None, f"responsiveness: {question.relations.orders[0].text!r} means something else for each row"
    if classifier.decision.black_box is not None:
        return None, "responsiveness: it takes all rows, and the classifier is asked row by row"
    by_sums = question.relations is None and classifier.decision.is_additive and question.any_other
    if not by_sums and is_large(classifier):
        return None, "responsiveness: the trees are too many for a diagram"
    try:
        kernel, nodes = _kernel(question, np.unique(classes).tolist(), by_sums, clock)
        times = None
        if not by_sums:
            codes, classes, part, times = _once(codes, classes, part)
        return _run(
            kernel, codes, classes, part, times, shape, CHUNK if by_sums else max(1, NODES // nodes), jobs, clock
        ), None
    except LimitError as error:
        return None, f"responsiveness: {error}"


def _kernel(question: Question, present: list[int], by_sums: bool, clock: Clock) -> tuple[_core.Responsive, int]:
    """What counts, and the nodes of its largest diagram."""
    classifier = question.classifier
    groups = classifier.decision.groups
    goals: list[Any] = [None] * classifier.n_classes
    nodes = 1
    for k in present:
        if by_sums:
            goals[k] = _sums(classifier.decision, k)
        else:
            diagram, sink = classifier.targets.diagram(
                goal_of(k, question.target, classifier.n_classes), question.relations, clock
            )
            goals[k] = diagram.core, sink
            nodes = max(nodes, diagram.size)
    mask, directions = question.constraints.static_mask()
    most = question.constraints.max_changes
    kernel = _core.Responsive(
        goals,
        groups.value_offset,
        groups.value_offset if by_sums else groups.core_offset,
        None if by_sums or groups.trivial else groups.table,
        mask,
        directions,
        ANY_NUMBER if most is None else min(most, ANY_NUMBER),
    )
    return kernel, nodes


def _sums(decision: Decision, k: int) -> list[_core.Threshold]:
    """Functions of values, not of groups of them, one of which has to be reached by rows of class k."""
    groups = decision.groups
    places = np.repeat(groups.core_offset[:-1], np.diff(groups.value_offset)).astype(np.int64) + groups.table
    return [
        _core.Threshold.from_weights(groups.value_offset, np.ascontiguousarray(weight[places]), bias)
        for weight, bias in decision.rivals(k)
    ]


def _once(
    codes: npt.NDArray[Any], classes: npt.NDArray[np.uint8], part: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Equal rows of a part, once, and how often they come."""
    whole = np.column_stack([codes.astype(np.int64), part.astype(np.int64)])
    _, first, times = np.unique(whole, axis=0, return_index=True, return_counts=True)
    return np.ascontiguousarray(codes[first]), classes[first], part[first], times.astype(np.uint32)


def _run(
    kernel: _core.Responsive,
    codes: npt.NDArray[Any],
    classes: npt.NDArray[np.uint8],
    part: npt.NDArray[np.uint32],
    times: npt.NDArray[np.uint32] | None,
    shape: tuple[int, int, int],
    chunk: int,
    jobs: int,
    clock: Clock,
) -> Counts:
    def count(start: int) -> Counts:
        here = slice(start, start + chunk)
        often = None if times is None else times[here]
        return kernel.count(codes[here], classes[here], part[here], shape[0], often, clock.left)

    total = np.zeros(shape, dtype=np.uint64)
    for counts in mapped(count, range(0, len(codes), chunk), jobs):
        total += counts
    return total
