"""Explanations: what the engines found, in the user's terms."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.constraints import Constraint

__all__ = ["Change", "Counterfactual", "Explanation"]


@dataclass(frozen=True, slots=True)
class Change:
    """One feature takes another value."""

    feature: int
    name: str
    old: Hashable
    new: Hashable

    def __str__(self) -> str:
        return f"{self.name}: {self.old} -> {self.new}"


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The least that would have to change: no smaller set of changes would do."""

    #: By ascending feature.
    changes: tuple[Change, ...]
    #: The sum of the costs of the changes; their number by default.
    cost: float
    #: The changed instance, as value codes.
    instance: npt.NDArray[np.int64]
    #: Of the class that the changed instance is given; None where the model has no probabilities.
    probability: float | None

    @property
    def features(self) -> tuple[int, ...]:
        """The features that change."""
        return tuple(change.feature for change in self.changes)

    def __str__(self) -> str:
        text = ", ".join(map(str, self.changes)) or "no change"
        return text if self.probability is None else f"{text}  ({self.probability:.2%})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counterfactual):
            return NotImplemented
        mine = (self.changes, self.cost, self.probability)
        return mine == (other.changes, other.cost, other.probability) and np.array_equal(self.instance, other.instance)

    def __hash__(self) -> int:
        return hash((self.changes, self.cost))


class Explanation:
    """All minimal counterfactuals of an instance, or the cheapest, by (cost, size, features).

    Behaves as a sequence of `Counterfactual`; they are made when looked at, so that a million sets cost no more than
    their indices.
    """

    def __init__(
        self,
        *,
        instance: npt.NDArray[np.int64],
        prediction: int,
        target: int,
        classes: Sequence[Hashable],
        sets: list[tuple[int, ...]],
        status: str,
        engine: str,
        blocking: tuple[Constraint, ...],
        constraints: Sequence[Constraint],
        cost: Sequence[float],
        k: int | None,
        build: Callable[[tuple[int, ...]], Counterfactual],
        probability: float | None = None,
    ) -> None:
        #: The instance, as value codes.
        self.instance = instance
        #: The class it is given, as a code; `classes` has the names.
        self.prediction = prediction
        #: The class that the counterfactuals are given.
        self.target = target
        self.classes = tuple(classes)
        #: The change sets: tuples of feature indices.
        self.sets = sets
        #: "complete": nothing asked for is missing. "max_results", "time_limit": more may exist.
        self.status = status
        #: The engine that found them.
        self.engine = engine
        #: Where constraints leave no counterfactual: a minimal set of constraints that would have to be given up.
        self.blocking = blocking
        #: What was asked: the constraints, the cost of changing each feature, and k.
        self.constraints = tuple(constraints)
        self.cost = tuple(cost)
        self.k = k
        #: Of the predicted class; None where the model has no probabilities.
        self.probability = probability
        self._build = build

    @property
    def complete(self) -> bool:
        """Is nothing that was asked for missing?"""
        return self.status == "complete"

    @property
    def count(self) -> int:
        """The number of change sets found."""
        return len(self.sets)

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._build(s) for s in self.sets[index]]
        return self._build(self.sets[index])

    def __iter__(self) -> Iterator[Counterfactual]:
        return map(self._build, self.sets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Explanation):
            return NotImplemented
        return (
            (self.prediction, self.target, self.sets, self.status, self.blocking)
            == (other.prediction, other.target, other.sets, other.status, other.blocking)
        ) and np.array_equal(self.instance, other.instance)

    __hash__ = None  # type: ignore[assignment]  # a mutable list inside

    def __repr__(self) -> str:
        return f"Explanation({self.count} change sets, {self.status})"

    def __str__(self) -> str:
        old, new = self.classes[self.prediction], self.classes[self.target]
        sure = "" if self.probability is None else f" ({self.probability:.2%})"
        lines = [f"decided {old!s}{sure}; it would be {new!s} with:"]
        lines += [f"  {cf}" for cf in self[:20]]
        if self.count > 20:
            lines.append(f"  ... and {self.count - 20:,} more")
        if not self.sets:
            lines = [f"decided {old!s}{sure}; nothing that may change makes it {new!s}"]
            lines += [f"  in the way: {constraint}" for constraint in self.blocking]
        if not self.complete:
            lines.append(f"  stopped by {self.status}: more may exist")
        return "\n".join(lines)
