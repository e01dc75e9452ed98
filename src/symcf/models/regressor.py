"""Regressors: models that give a number. They decide nothing until a target says what it should be."""

from __future__ import annotations

from collections.abc import Mapping
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

__all__ = ["Regressor"]


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
        """See `Model`."""
        if of == "probability":
            raise OptionError("min_probability: a regressor has no probabilities; use target=symcf.at_least(v)")
        return self.base.total().alone().through(*self.link.steps)

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Regressor):
            return NotImplemented
        return self.base == other.base and self.link == other.link

    def __hash__(self) -> int:
        return hash((self.base, self.link))

    def __repr__(self) -> str:
        return f"Regressor({self.base!r})"
