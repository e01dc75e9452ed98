"""Fronts: the counterfactuals of a list that no other one beats in several measures at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from symcf.answers.facts import Counterfactual, Facts
from symcf.common.clock import tick
from symcf.common.options import checked_choice
from symcf.errors import OptionError

__all__ = ["MEASURES", "front_of"]

#: What is to be small, for each measure; None where it is not known.
MEASURES: dict[str, Callable[[Counterfactual], float | None]] = {
    "changes": lambda cf: float(len(cf.changes)),
    "cost": lambda cf: cf.cost,
    "distance": lambda cf: cf.cost,
    "plausibility": lambda cf: None if cf.plausibility is None else -cf.plausibility,
    "probability": lambda cf: None if cf.probability is None else -cf.probability,
}

#: What to do where a measure is not known.
UNKNOWN = {
    "plausibility": "give data with symcf.compile(model, plausibility=data)",
    "probability": "the model has no probabilities",
}


def front_of(facts: Facts, measures: Sequence[str]) -> list[Counterfactual]:
    """The counterfactuals that no other one beats; `OptionError` for measures that are not known."""
    names = [checked_choice(name, "measure", tuple(MEASURES)) for name in measures]
    if len(set(names)) < 2:
        raise OptionError(f"pareto: give at least two different measures of {', '.join(MEASURES)}")
    if "distance" in names and not facts.scales:
        raise OptionError("pareto: the costs of this explanation are no distances; ask with cost='distance'")
    listed = list(facts)
    values = np.zeros((len(listed), len(names)))
    for i, cf in enumerate(listed):
        for k, name in enumerate(names):
            value = MEASURES[name](cf)
            if value is None:
                raise OptionError(f"pareto: {name} is not known: {UNKNOWN[name]}")
            values[i, k] = value
    # Whoever beats a line comes before it in this order.
    order, front = np.lexsort(values.T[::-1]), list[int]()
    for i in order.tolist():
        tick()
        known = values[front]
        beaten = (known <= values[i]).all(axis=1) & (known < values[i]).any(axis=1)
        if not beaten.any():
            front.append(i)
    return [listed[i] for i in sorted(front)]
