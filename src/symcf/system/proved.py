"""Proves that a diagram from outside is the one of a decision, instead of sampling rows.

Where a threshold function decides, the diagram of a class is right iff all inputs that it sends to 1 have scores on one
side of 0, and all that it sends to 0 have scores on the other: the extremes of the scores, found in one pass over the
nodes (`extremes.c`), show this.

Where the largest of several sums decides, the same pass proves for each class that no other one beats it on any input
of its diagram, so that no two of the diagrams overlap. If their numbers of inputs add up to that of all inputs, none is
missing from its diagram either. With the diagram of one class alone, the missing inputs cannot be excluded so cheaply:
whether a class wins some other input, too, is a knapsack problem.

Sums over the leaves of trees do not add up along the paths of a diagram. Nothing is proved about those.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from symcf import _core
from symcf.errors import ModelError
from symcf.system.decision import Decision

__all__ = ["proved_diagrams"]


def proved_diagrams(decision: Decision, diagrams: Mapping[int, _core.Diagram]) -> set[int]:
    """The classes whose diagrams are those of the decision; `ModelError` if one is found to be wrong.

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
        raise ModelError("the diagrams belong to another model: some rows are in none of them")
    return set(diagrams)


def _require(holds: bool, k: int) -> None:
    if not holds:
        raise ModelError(f"the diagram of class {k} belongs to another model")
