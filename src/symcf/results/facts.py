"""Facts: what the engines found, in the user's terms. Other modules turn them into text, tables and JSON."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.text import one_line, plain
from symcf.questions.constraints import Constraint
from symcf.questions.costs import Costs

__all__ = ["Change", "Counterfactual", "Facts"]


@dataclass(frozen=True, slots=True)
class Change:
    """One feature takes another value."""

    feature: int
    name: str
    old: Hashable
    new: Hashable

    def __str__(self) -> str:
        return f"{one_line(self.name)}: {one_line(self.old)} -> {one_line(self.new)}"


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The least that would have to change: no subset of these changes would be enough."""

    #: By ascending feature.
    changes: tuple[Change, ...]
    #: The sum of the costs of the changes; their number by default.
    cost: float
    #: The changed instance, as value codes.
    instance: npt.NDArray[np.int64]
    #: The class of the changed instance, as a code.
    target: int
    #: The probability of that class; None where the model has no probabilities.
    probability: float | None

    @property
    def features(self) -> tuple[int, ...]:
        """The features that change."""
        return tuple(change.feature for change in self.changes)

    def __str__(self) -> str:
        text = ", ".join(map(str, self.changes)) or "no change"
        return text if self.probability is None else f"{text}  ({self.probability:.2%})"

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings; the schema is in `symcf.results.schema`."""
        return {
            "changes": [
                {
                    "feature": change.feature,
                    "name": change.name,
                    "old": plain(change.old),
                    "new": plain(change.new),
                    "new_code": int(self.instance[change.feature]),
                }
                for change in self.changes
            ],
            "cost": self.cost,
            "class_code": self.target,
            "probability": self.probability,
            "codes": self.instance.tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Counterfactual:
        """The inverse of `to_dict`."""
        return cls(
            changes=tuple(Change(int(c["feature"]), str(c["name"]), c["old"], c["new"]) for c in data["changes"]),
            cost=float(data["cost"]),
            instance=np.array(data["codes"], dtype=np.int64),
            target=int(data["class_code"]),
            probability=data["probability"],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counterfactual):
            return NotImplemented
        mine = (self.changes, self.cost, self.target, self.probability)
        return mine == (other.changes, other.cost, other.target, other.probability) and np.array_equal(
            self.instance, other.instance
        )

    def __hash__(self) -> int:
        return hash((self.changes, self.cost))


class Facts:
    """What is known about an instance: the question, the change sets, and how to build their counterfactuals."""

    def __init__(
        self,
        *,
        instance: npt.NDArray[np.int64],
        prediction: int,
        target: int | None,
        classes: Sequence[Hashable],
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        ordered: Sequence[bool],
        sets: Sequence[tuple[int, ...]],
        status: str,
        engine: str,
        blocking: tuple[Constraint, ...],
        constraints: Sequence[Constraint],
        costs: Costs,
        k: int | None,
        build: Callable[[tuple[int, ...]], Any],
        all_values: bool = False,
        probability: float | None = None,
        why: Callable[[], Any] | None = None,
    ) -> None:
        #: The instance, as value codes.
        self.instance = instance
        #: Its class, as a code; `classes` has the names.
        self.prediction = prediction
        #: The class of the counterfactuals; None: any other, which may differ between them.
        self.target = target
        self.classes = tuple(classes)
        #: The names of the features, of their values by code, and whether these come in an order.
        self.features = tuple(features)
        self.values = values
        self.ordered = ordered
        #: The change sets: tuples of feature indices. Usually in arrays, with tuples made on reading (`ChangeSets`).
        self.sets = sets
        #: "complete": nothing asked for is missing. "max_results", "time_limit": more may exist.
        self.status = status
        #: The engine that found them.
        self.engine = engine
        #: Where constraints leave no counterfactual: a minimal set of constraints that would have to be given up.
        self.blocking = blocking
        #: What was asked: the constraints, the cost of changes, and k.
        self.constraints = tuple(constraints)
        self.costs = costs
        self.k = k
        #: Does each change set come with all values that flip the decision, or with the best?
        self.all_values = all_values
        #: The probability of the predicted class; None where the model has no probabilities.
        self.probability = probability
        self._build = build
        self._why = why

    @property
    def complete(self) -> bool:
        """Is everything that was asked for present?"""
        return self.status == "complete"

    @property
    def at_target(self) -> bool:
        """Did the instance have the wanted class from the beginning? Rows of a batch may."""
        return self.target == self.prediction

    @property
    def row(self) -> tuple[Hashable, ...]:
        """The instance, as the names of its values."""
        return tuple(labels[code] for labels, code in zip(self.values, self.instance.tolist(), strict=True))

    @property
    def cost(self) -> tuple[float, ...]:
        """What changing each feature costs."""
        return self.costs.given

    @property
    def count(self) -> int:
        """The number of change sets found."""
        return len(self.sets)

    @cached_property
    def _listed(self) -> list[Counterfactual]:
        """With ``values="all"``: everything, set by set."""
        return [cf for change_set in self.sets for cf in self._build(change_set)]

    def of_set(self, change_set: tuple[int, ...]) -> list[Counterfactual]:
        """The counterfactuals of one of the sets."""
        return list(self._build(change_set)) if self.all_values else [self._build(change_set)]

    def __len__(self) -> int:
        return len(self._listed) if self.all_values else len(self.sets)

    def __getitem__(self, index: Any) -> Any:
        if self.all_values:
            return self._listed[index]
        if isinstance(index, slice):
            return [self._build(s) for s in self.sets[index]]
        return self._build(self.sets[index])

    def __iter__(self) -> Iterator[Counterfactual]:
        if self.all_values:
            return itertools.chain.from_iterable(map(self._build, self.sets))
        return map(self._build, self.sets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Facts):
            return NotImplemented
        return (
            (self.prediction, self.target, self.sets, self.status, self.blocking, self.all_values)
            == (other.prediction, other.target, other.sets, other.status, other.blocking, other.all_values)
        ) and np.array_equal(self.instance, other.instance)

    __hash__ = None  # type: ignore[assignment]  # a mutable list inside

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.count} change sets, {self.status})"
