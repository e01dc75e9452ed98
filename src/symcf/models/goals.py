"""Targets that are numbers: a probability, a score or a prediction that a row should reach.

`at_least`, `at_most` and `between` are what users write. With what they are about they become a `NumberGoal`, and a
model with a goal is a classifier whose second class is "the goal is reached" (`Reaching`): the same sums with another
bias, so that everything that explains a class explains a number.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.labels import code_of
from symcf.data.phrases import spoken
from symcf.data.reader import Codes
from symcf.errors import OptionError
from symcf.models.base import Model, Wrapper
from symcf.models.kinds import model_from_dict
from symcf.models.rules import Rule, TreeRule

__all__ = ["NumberGoal", "NumberTarget", "Reaching", "at_least", "at_most", "between", "reaching"]


@dataclass(frozen=True)
class NumberTarget:
    """Numbers from ``low`` to ``high``, both included; None for no bound. Made by `at_least` and its like."""

    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.high is None:
            return f"at least {spoken(self.low)}"
        return f"at most {spoken(self.high)}" if self.low is None else f"{spoken(self.low)} to {spoken(self.high)}"


def at_least(value: float) -> NumberTarget:
    """The target "this number, or more": of a regressor, or with ``of="score"`` of a classifier.

    >>> print(at_least(200_000))
    at least 200,000
    """
    return NumberTarget(_checked(value, "at_least"), None)


def at_most(value: float) -> NumberTarget:
    """The target "this number, or less".

    >>> print(at_most(0.5))
    at most 0.5
    """
    return NumberTarget(None, _checked(value, "at_most"))


def between(low: float, high: float) -> NumberTarget:
    """The target "from the one number to the other", both included.

    >>> print(between(620, 680))
    620 to 680
    """
    ends = _checked(low, "between"), _checked(high, "between")
    if ends[0] > ends[1]:
        raise OptionError(f"between({low!r}, {high!r}): the first number must not be greater than the second")
    return NumberTarget(*ends)


def _checked(value: Any, name: str) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise OptionError(f"{name} takes a number, not {value!r}")
    if not math.isfinite(value):
        raise OptionError(f"{name} takes a finite number, not {value!r}")
    return float(value)


@dataclass(frozen=True)
class NumberGoal:
    """What a row should reach: a target, and the number that it is about."""

    #: "prediction" of a regressor, "score" (the decision function) or "probability" of a class.
    of: str
    low: float | None
    high: float | None
    #: The class whose probability it is.
    label: Hashable | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes: not reached and reached; for two bounds below, reached and above."""
        if self.of == "probability":
            percent = f"{spoken(round(100 * (self.low or 0.0), 12))}% {self.label}"
            return f"less than {percent}", f"at least {percent}"
        name = "score " if self.of == "score" else ""
        target = f"{name}{NumberTarget(self.low, self.high)}"
        below, above = f"{name}below {spoken(self.low)}", f"{name}above {spoken(self.high)}"
        if self.low is not None and self.high is not None:
            return below, target, above
        return (below if self.high is None else above), target

    @property
    def reached(self) -> str:
        """The name of the class of rows that reach it."""
        return self.classes[1]

    def holds(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Which numbers are as wanted."""
        return np.asarray(self.places(numbers) == 1)

    def places(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """By number, the class: 1 for those that are as wanted."""
        low = numbers >= (-math.inf if self.low is None else self.low)
        high = numbers > (math.inf if self.high is None else self.high)
        return np.where(high, 2 if self.low is not None else 0, low).astype(np.int64)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NumberGoal:
        """The inverse of `to_dict`."""
        low, high = (None if data[name] is None else _checked(data[name], name) for name in ("low", "high"))
        return cls(str(data["of"]), low, high, data.get("label"))


def reaching(model: Model, goal: NumberGoal) -> Model:
    """A model with a goal."""
    return model.towards(goal) or Reaching(model, goal)


class Reaching(Wrapper):
    """A model with a goal, as a classifier: is the goal reached?"""

    kind: ClassVar[str] = "reaching"

    def __init__(self, base: Model, goal: NumberGoal) -> None:
        super().__init__(base)
        self.goal = goal
        # what is out of reach is noticed here
        self.classes = (*goal.classes, *(label for label in base.classes if label != goal.label))[: self._n_classes]

    def rule(self) -> Rule:
        """The sums of the base with other biases."""
        return self._rule

    @cached_property
    def _rule(self) -> Rule:
        quantity = self.base.quantity(self.goal.of, self._class)
        low, high = self.goal.low, self.goal.high
        what = f"{'a probability of ' if self.goal.of == 'probability' else ''}{NumberTarget(low, high)}"
        return quantity.within(low, high, what)

    @property
    def _n_classes(self) -> int:
        """Where a class needs no majority, the others are classes, too."""
        rule = self._rule
        return rule.trees[0].score.shape[1] if isinstance(rule, TreeRule) else len(self.goal.classes)

    @property
    def _class(self) -> int | None:
        """The code of the class whose probability the goal is about."""
        return None if self.goal.label is None else code_of(self.goal.label, self.base.classes, "target")

    def reached(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The number that the goal is about, for rows of value codes."""
        numbers = self.base.measured(self.goal.of, self._class, codes)
        assert numbers is not None
        return numbers

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """Where the goal is a probability: that of the class that it names, whether it is reached or not."""
        if self.goal.of != "probability":
            return None
        return np.repeat(self.reached(codes)[:, np.newaxis], len(self.classes), axis=1)

    def to_dict(self) -> dict[str, Any]:
        """The base and the goal."""
        return {"model": self.kind, "base": self.base.to_dict(), "goal": self.goal.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reaching:
        """The inverse of `to_dict`."""
        return cls(model_from_dict(data["base"]), NumberGoal.from_dict(data["goal"]))

    def __repr__(self) -> str:
        return f"{self.base!r} with the target {self.goal.reached!r}"
