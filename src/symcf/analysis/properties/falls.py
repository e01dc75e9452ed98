"""Falls: a row of a class that is no longer of it when one feature has another value.

A decision depends on a feature if there is a fall between some two values, and is monotone in it if there is none in
one direction. Sums of weights are asked by their weights (`windows.py`), anything else by its diagrams (falls.c).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.analysis.properties.number_falls import fall_of_numbers
from symcf.analysis.properties.windows import Window, row_within
from symcf.common.clock import Clock
from symcf.common.options import checked_seconds
from symcf.system.classifier import Classifier
from symcf.system.decision import Decision

__all__ = ["Fall", "Step", "clock_for", "find_fall", "is_large"]

#: An old and a new value code.
Step = tuple[int, int]

#: Seconds for a diagram of trees that are too many for one, if no time limit is given.
PATIENCE = 10.0
#: Leaves of all trees together that a diagram is rarely too large for.
FEW_LEAVES = 300


class Fall(NamedTuple):
    """Value codes of a row of the class, and the new value that takes it away."""

    row: list[int]
    new: int


def clock_for(classifier: Classifier, time_limit: float | None) -> Clock:
    """A clock for questions about all rows: many trees get some seconds, if nothing else is said."""
    seconds = checked_seconds(time_limit)
    return Clock(PATIENCE if seconds is None and is_large(classifier) else seconds)


def is_large(classifier: Classifier) -> bool:
    """Are there more trees than a diagram is likely to be built of?"""
    return classifier.decision.n_leaves > FEW_LEAVES


def find_fall(classifier: Classifier, k: int, feature: int, steps: Sequence[Step], clock: Clock) -> Fall | None:
    """A fall from class k in one of these steps; None if there is none. `LimitError` if a diagram is needed and takes
    too long.
    """
    decision = classifier.decision
    if decision.numbers is not None:
        found = fall_of_numbers(classifier, k, feature, steps, clock)
        return None if found is None else Fall(*found)
    groups = decision.groups.group_of[feature]
    steps = [(old, new) for old, new in steps if groups[old] != groups[new]]
    if not steps or (decision.trees is not None and not decision.trees.tests(feature)):
        return None
    if decision.is_additive:
        known, fall = _fall_of_sums(decision, k, feature, steps, clock)
        if known:
            return fall
    return _fall_of_diagram(classifier, k, feature, steps, clock)


def _fall_of_diagram(classifier: Classifier, k: int, feature: int, steps: Sequence[Step], clock: Clock) -> Fall | None:
    groups = classifier.decision.groups
    two, of = classifier.n_classes == 2, groups.group_of[feature]
    # a row falls from class 0 where the row with the new value falls from class 1 back
    turned = two and k == 0
    diagram = classifier.class_diagram(1 if two else k, clock).core
    old = np.array([of[new if turned else old] for old, new in steps], dtype=np.uint32)
    new = np.array([of[old if turned else new] for old, new in steps], dtype=np.uint32)
    found = diagram.fall(feature, old, new, clock.left)
    if found is None:
        return None
    core, which = found
    row = groups.first[groups.core_offset[:-1].astype(np.int64) + core].astype(np.int64).tolist()
    row[feature] = steps[which][0]
    return Fall(row, steps[which][1])


# --- sums -------------------------------------------------------------------------------------------------------------


def _fall_of_sums(
    decision: Decision, k: int, feature: int, steps: Sequence[Step], clock: Clock
) -> tuple[bool, Fall | None]:
    """Whether it is known, and the fall. A class is left where another one beats it with the new value, and no other
    one does with the old.
    """
    groups = decision.groups
    rivals = _rivals(decision, k)
    for old, new in _widest_first(rivals, feature, steps, groups.group_of[feature]):
        a, b = groups.group_of[feature][old], groups.group_of[feature][new]
        for rival in range(len(rivals)):
            windows = _windows(rivals, rival, feature, a, b)
            if windows is None:
                continue
            certain, row = row_within(windows, clock=clock)
            if row is not None:
                row[feature] = a
                core = np.array(row, dtype=np.int64)
                codes = groups.first[groups.core_offset[:-1].astype(np.int64) + core].astype(np.int64).tolist()
                codes[feature] = old
                return True, Fall(codes, new)
            if not certain:
                return False, None
    return True, None


def _rivals(decision: Decision, k: int) -> list[tuple[list[npt.NDArray[np.int64]], int]]:
    """By rival, the weights by feature and value, and the bias, of the function "it beats class k" (at least 0)."""
    offset = decision.groups.core_offset.astype(np.int64)
    return [(np.split(np.asarray(weights), offset[1:-1]), bias) for weights, bias in decision.rivals(k)]


def _windows(
    rivals: Sequence[tuple[list[npt.NDArray[np.int64]], int]], rival: int, feature: int, a: int, b: int
) -> list[Window] | None:
    """A row where this rival beats the class with value b, and none does with a; None if b does not help the rival."""
    found = []
    for r, (tables, bias) in enumerate(rivals):
        before, after = int(tables[feature][a]), int(tables[feature][b])
        others = [np.zeros(1, dtype=np.int64) if j == feature else table for j, table in enumerate(tables)]
        if r != rival:
            found.append(Window(others, high=-1 - bias - before))
        elif after <= before:
            return None
        else:
            found.insert(0, Window(others, low=-bias - after, high=-1 - bias - before))
    return found


def _widest_first(
    rivals: Sequence[tuple[list[npt.NDArray[np.int64]], int]], feature: int, steps: Sequence[Step], of: Sequence[int]
) -> list[Step]:
    def most(step: Step) -> int:
        return max(int(tables[feature][of[step[1]]]) - int(tables[feature][of[step[0]]]) for tables, _ in rivals)

    return sorted(steps, key=most, reverse=True)
