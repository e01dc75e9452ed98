"""Calibrated classifiers: what a model adds up decides, and a rising function of it is the probability."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.data.reader import Codes
from symcf.errors import OptionError
from symcf.models.base import Model
from symcf.models.kinds import model_from_dict
from symcf.models.quantities import Link, Quantity
from symcf.models.rules import Rule

__all__ = ["Calibrated"]


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
        """See `Model`."""
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
