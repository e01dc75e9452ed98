"""Is a diagram that came from outside the one of a decision? Proved, not sampled.

Where a threshold function decides, the diagram of a class is right iff all inputs that it sends to 1 have scores on one
side of 0, and all that it sends to 0 have scores on the other: the extremes of the scores, found in one pass over the
nodes (`extremes.c`), tell it.

Where the largest of several sums decides, the same pass proves for each class that no other one beats it on any input
of its diagram, so that none of the diagrams overlap. If their inputs, counted, are all there are, none is missing from
its diagram either. With the diagram of one class alone, the missing inputs cannot be excluded so cheaply: whether some
input is beaten by nobody is a knapsack problem.

Sums over the leaves of trees do not add up along the paths of a diagram. Nothing is proved about those.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from symcf import _core
from symcf.decision.decision import Decision
from symcf.errors import ModelError

__all__ = ["proved_diagrams"]


def proved_diagrams(decision: Decision, diagrams: Mapping[int, _core.Diagram]) -> set[int]:
    """The classes whose diagrams are those of the decision; `ModelError` if one is seen not to be.

    The diagrams have the decision's features and core codes.
    """
    if decision.threshold is not None:
        for k, core in diagrams.items():
            least_of_class_1, most_of_class_0 = core.extremes(decision.threshold, k)
            _require(least_of_class_1 >= 0 > most_of_class_0, k)
        return set(diagrams)
    if decision.beats is None:
        return set()
    for k, core in diagrams.items():
        for rival in filter(None, decision.beats[k]):
            _, most = core.extremes(rival, 0)
            _require(most < 0, k)
    if len(diagrams) < decision.n_classes:
        return set()
    n_inputs = prod(np.diff(decision.groups.core_offset).tolist())
    if sum(core.count_models(1) for core in diagrams.values()) != n_inputs:
        raise ModelError("the diagrams are of another model: some rows are in none of them")
    return set(diagrams)


def _require(holds: bool, k: int) -> None:
    if not holds:
        raise ModelError(f"the diagram of class {k} is of another model")
