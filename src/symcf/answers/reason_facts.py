"""What is known about the reasons for a decision, in the user's terms. Other modules turn it into text and JSON."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.common.text import one_line, plain
from symcf.data.phrases import BOUND
from symcf.errors import OptionError
from symcf.models.goals import NumberGoal
from symcf.models.joint import JointGoal
from symcf.question.constraints import Constraint
from symcf.question.costs import Costs

__all__ = ["Condition", "Reason", "ReasonFacts", "Witness"]


@dataclass(frozen=True, slots=True)
class Condition:
    """One feature is as it is."""

    feature: int
    name: str
    value: Hashable

    def __str__(self) -> str:
        sign = "" if isinstance(self.value, str) and BOUND.fullmatch(self.value) else "= "
        return f"{one_line(self.name)} {sign}{one_line(self.value)}"


@dataclass(frozen=True, slots=True)
class Reason:
    """A sufficient reason: these values force the decision whatever the others are, and no subset of them does."""

    #: By ascending feature.
    conditions: tuple[Condition, ...]
    #: The sum of the costs of the features; their number by default.
    cost: float

    @property
    def features(self) -> tuple[int, ...]:
        """The features in it."""
        return tuple(condition.feature for condition in self.conditions)

    def __str__(self) -> str:
        return ", ".join(map(str, self.conditions)) or "nothing in particular"

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "features": list(self.features),
            "conditions": [{"feature": c.feature, "name": c.name, "value": plain(c.value)} for c in self.conditions],
            "cost": self.cost,
        }


class Witness(Protocol):
    """Who can be asked about an instance what a list of reasons that was cut short does not say."""

    def necessary(self) -> tuple[int, ...]:
        """The features in every reason."""

    def relevant(self) -> tuple[int, ...]:
        """The features in some reason."""

    def counts(self) -> tuple[list[int], int]:
        """By feature, how many reasons it is in, and how many there are."""

    def changes(self) -> Any:
        """All minimal counterfactuals of the same question, as an `Explanation`."""


class ReasonFacts:
    """What is known: the question, the reasons, and whom to ask for more."""

    def __init__(
        self,
        *,
        instance: npt.NDArray[np.int64],
        prediction: int,
        target: int | None,
        classes: Sequence[Hashable],
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        sets: Sequence[tuple[int, ...]],
        status: str,
        engine: str,
        constraints: Sequence[Constraint],
        costs: Costs,
        k: int | None,
        bound: float | None = None,
        probability: float | None = None,
        goal: NumberGoal | JointGoal | None = None,
        reached: float | None = None,
        witness: Witness | None = None,
    ) -> None:
        #: The instance, as value codes.
        self.instance = instance
        #: Its class, as a code; `classes` has the names.
        self.prediction = prediction
        #: With more than two classes: the class that the reasons rule out; None: every other, so that they explain why
        #: the decision is what it is.
        self.target = target
        self.classes = tuple(classes)
        #: The names of the features, and of their values by code.
        self.features = tuple(features)
        self.values = values
        #: The reasons: tuples of feature indices. Usually in arrays, with tuples made on reading (`ChangeSets`).
        self.sets = sets
        #: "complete": nothing asked for is missing. "max_results", "time_limit": more may exist.
        self.status = status
        #: The engine that found them.
        self.engine = engine
        #: What was asked: what may change otherwise, what features cost, and k.
        self.constraints = tuple(constraints)
        self.costs = costs
        self.k = k
        #: Where ``k`` was given and time was up: no reason that is missing costs less than this; None: not known.
        self.bound = bound
        #: The probability of the predicted class; None where the model has no probabilities.
        self.probability = probability
        #: Where the question was about a number: the number to be reached, and what the instance has of it; else None.
        self.goal = goal
        self.reached = reached
        self._witness = witness

    # --- what is known

    @property
    def complete(self) -> bool:
        """Is everything that was asked for present?"""
        return self.status == "complete"

    @property
    def is_whole(self) -> bool:
        """Are these all reasons that there are?"""
        return self.complete and (self.k is None or self.count < self.k)

    @property
    def count(self) -> int:
        """The number of reasons found."""
        return len(self.sets)

    @property
    def row(self) -> tuple[Hashable, ...]:
        """The instance, as the names of its values."""
        return tuple(labels[code] for labels, code in zip(self.values, self.instance.tolist(), strict=True))

    def _asked(self, what: str) -> Witness:
        if self._witness is None:
            raise OptionError(f"{what}: these reasons were read from a file and are not all; ask Compiled.why again")
        return self._witness

    @cached_property
    def necessary(self) -> tuple[int, ...]:
        """The features that are in every reason: changing one of them alone could have changed the decision."""
        if self.is_whole:
            return tuple(j for j, count in enumerate(self._counts[0]) if count == self._counts[1])
        return self._asked("necessary").necessary()

    @cached_property
    def relevant(self) -> tuple[int, ...]:
        """The features that are in some reason, which are those in some minimal counterfactual."""
        if self.is_whole:
            return tuple(j for j, count in enumerate(self._counts[0]) if count)
        return self._asked("relevant").relevant()

    @property
    def irrelevant(self) -> tuple[int, ...]:
        """The features that are in no reason: they play no part in this decision, or may not change."""
        return tuple(sorted(set(range(len(self.features))) - set(self.relevant)))

    @cached_property
    def _counts(self) -> tuple[list[int], int]:
        """By feature, how many reasons it is in, and how many there are."""
        if not self.is_whole:
            return self._asked("shares").counts()
        counts = [0] * len(self.features)
        for reason in self.sets:
            for j in reason:
                counts[j] += 1
        return counts, self.count

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """By feature, the share of all reasons that it is in: formal feature attribution."""
        counts, total = self._counts
        return tuple(Fraction(count, total) for count in counts)

    @property
    def changes(self) -> Any:
        """The other side, an `Explanation`: all minimal counterfactuals of the same question. They are the minimal sets
        of features that have one in common with every reason, and the other way round.
        """
        return self._asked("changes").changes()

    # --- as a sequence

    def _reason(self, features: Sequence[int]) -> Reason:
        tick()
        row = self.row
        return Reason(tuple(Condition(j, self.features[j], row[j]) for j in features), self.costs.total(features))

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._reason(s) for s in self.sets[index]]
        return self._reason(self.sets[index])

    def __iter__(self) -> Iterator[Reason]:
        return map(self._reason, self.sets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReasonFacts):
            return NotImplemented
        mine = (self.prediction, self.target, self.sets, self.status)
        return mine == (other.prediction, other.target, other.sets, other.status) and np.array_equal(
            self.instance, other.instance
        )

    __hash__ = None  # type: ignore[assignment]  # a mutable list inside

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.count} reasons, {self.status})"
