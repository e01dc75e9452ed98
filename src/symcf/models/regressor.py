"""Regressors: models that give a number. They decide nothing until a target says what it should be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.data.numbers import NumberLine
from symcf.data.reader import Codes
from symcf.errors import OptionError
from symcf.models.base import Model
from symcf.models.kinds import model_from_dict
from symcf.models.quantities import Link, Quantity
from symcf.models.rules import NumberRule, Rule

__all__ = ["Calibrated", "Regressor"]


class Regressor(Model):
    """A model that gives a number: a rising function of one sum.

    Parameters
    ----------
    base:
        A model of two classes; the number is made of what it adds up.
    link:
        The function from the sum to the number; by default the sum itself.

    >>> from symcf.models.linear import LinearClassifier
    >>> model = Regressor(LinearClassifier([2.5, [0, 1, 4]], 3))
    >>> model.predicted(np.array([[1, 2]])).tolist()
    [9.5]
    """

    kind: ClassVar[str] = "regressor"
    facts = ("base", "link")

    def __init__(self, base: Model, link: Link | None = None) -> None:
        self.base, self.link = base, Link() if link is None else link
        self.features, self.values, self.ordered, self.encoder = base.features, base.values, base.ordered, base.encoder
        self.classes = ()

    def then(self, *steps: tuple[Any, ...]) -> Regressor:
        """A rising function of the number."""
        return Regressor(self.base, self.link.then(*steps))

    def rule(self) -> Rule:
        """None: see `NumberRule`."""
        return NumberRule(tuple(1 if isinstance(line, NumberLine) else len(line) for line in self.values))

    def quantity(self, of: str, k: int | None) -> Quantity:
        if of == "probability":
            raise OptionError("min_probability: a regressor has no probabilities; use target=symcf.at_least(v)")
        return self.base.total().alone().through(*self.link.steps)

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.predicted(codes)

    def predicted(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The number of each row of value codes."""
        return self.link(self.base.totals(codes))

    def to_dict(self) -> dict[str, Any]:
        """The sum and the function."""
        return {"model": self.kind, "base": self.base.to_dict(), "link": self.link.to_list()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Regressor:
        """The inverse of `to_dict`."""
        return cls(model_from_dict(data["base"]), Link.from_list(data["link"]))

    def __repr__(self) -> str:
        return f"Regressor({self.base!r})"


class Calibrated(Model):
    """A model of two classes with probabilities that are a function of what another model computes.

    Parameters
    ----------
    base:
        Decides.
    scored:
        What it adds up is calibrated; None: how is not known, so that there are no probabilities.
    of:
        What is calibrated: "score", the decision function of ``scored``, or "probability", that of its second class.
    link:
        From there to the probability of the second class.
    at:
        The least sum of ``scored`` with which ``base`` decides for the second class.
    """

    kind: ClassVar[str] = "calibrated"

    def __init__(self, base: Model, scored: Model | None, of: str, link: Link, at: float) -> None:
        self.base, self.scored, self.of, self.link, self.at = base, scored, of, link, at
        self.features, self.values, self.ordered = base.features, base.values, base.ordered
        self.classes, self.encoder = base.classes, base.encoder

    def rule(self) -> Rule:
        """That of the base."""
        return self.base.rule()

    def _second(self) -> Quantity:
        """The probability of the second class."""
        if self.scored is None:
            raise OptionError(
                "min_probability: how this classifier is calibrated is not known; ask for the class (target=...)"
            )
        inner = replace(self.scored.quantity(self.of, 1).alone(), winner=None, decided=None)
        return inner.through(*self.link.steps)

    def quantity(self, of: str, k: int | None) -> Quantity:
        if of != "probability":
            raise OptionError('of="score": a calibrated classifier has no decision function; use min_probability=')
        second = self._second()
        least = math.ceil(Fraction(self.at) * Fraction(2) ** second.scale)
        if k == 1:
            return replace(second, least=least)
        falling = (("negate",), *second.link.steps, ("complement",))
        return replace(second.negative(), link=Link(falling), least=1 - least)

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """The calibrated probabilities for rows of value codes."""
        if self.scored is None:
            return None
        numbers = self.scored.number(self.of, 1, codes)
        assert numbers is not None
        second = self.link(numbers)
        return np.column_stack([1 - second, second])

    def to_dict(self) -> dict[str, Any]:
        """The models and the function."""
        return {
            "model": self.kind,
            "base": self.base.to_dict(),
            "scored": None if self.scored is None else self.scored.to_dict(),
            "of": self.of,
            "link": self.link.to_list(),
            "at": self.at,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Calibrated:
        """The inverse of `to_dict`."""
        scored = None if data["scored"] is None else model_from_dict(data["scored"])
        link = Link.from_list(data["link"])
        return cls(model_from_dict(data["base"]), scored, str(data["of"]), link, float(data["at"]))

    def __repr__(self) -> str:
        return f"Calibrated({self.base!r})"
