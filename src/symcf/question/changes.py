"""What ``allowed=`` says about the size of a change: ``symcf.relative(0, 0.2)``, ``symcf.step(12)``.

Both depend on the row, so they become relations: ``income / old.income <= 1.2``, ``step(12, tenure)``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from symcf.data.labels import by_feature
from symcf.errors import OptionError
from symcf.question.amounts import Amount
from symcf.question.expressions import All, Any_, AtMost, Comparison, Expression, Stepped

__all__ = ["relations_of", "relative", "step"]


@runtime_checkable
class Change(Protocol):
    """An entry of ``allowed=`` that is about the change, and not about the new value."""

    def expression(self, name: str) -> Expression:
        """As a relation of the feature of this name."""


@dataclass(frozen=True)
class Relative:
    """See `relative`."""

    low: Fraction
    high: Fraction

    def expression(self, name: str) -> Expression:
        """See `Change`."""
        ratio = Amount("/", (Amount(name), Amount(f"old.{name}")))
        least, most = Amount(1 + self.low), Amount(1 + self.high)
        within = All((Comparison(ratio, ">=", least), Comparison(ratio, "<=", most)))
        return Any_((AtMost(0, (name,)), within))


@dataclass(frozen=True)
class Step:
    """See `step`."""

    size: Fraction

    def expression(self, name: str) -> Expression:
        """See `Change`."""
        return Stepped(self.size, name)


def relative(low: float, high: float) -> Relative:
    """For ``allowed=``: a number may change by these parts of itself. ``relative(0, 0.2)``: rise by up to 20 %;
    ``relative(-0.1, 0.1)``: ten per cent either way. A number that is 0 or missing may not change.
    """
    ends = [_number(end, "relative") for end in (low, high)]
    if ends[0] > ends[1]:
        raise OptionError(f"relative(low, high): low must not be larger than high, not {low!r} and {high!r}")
    return Relative(*ends)


def step(size: float) -> Step:
    """For ``allowed=``: a number changes by multiples of this. ``step(12)``: by whole years, in a column of months."""
    found = _number(size, "step")
    if found <= 0:
        raise OptionError(f"step(size): the size must be larger than 0, not {size!r}")
    return Step(found)


def _number(given: Any, name: str) -> Fraction:
    try:
        fine = not isinstance(given, (bool, str)) and math.isfinite(given)
        return Fraction(str(given)) if fine else Fraction("")
    except (TypeError, ValueError):
        raise OptionError(f"{name} takes numbers, not {given!r}") from None


def relations_of(allowed: Any, features: tuple[str, ...]) -> tuple[list[Expression], Any]:
    """The entries of ``allowed`` that are about changes, as relations; and the others."""
    if not isinstance(allowed, Mapping) or not any(isinstance(given, Change) for given in allowed.values()):
        return [], allowed
    by_index = by_feature(allowed, features, "allowed")
    changes = {j: given for j, given in by_index.items() if isinstance(given, Change)}
    others = {features[j]: given for j, given in by_index.items() if j not in changes}
    return [given.expression(features[j]) for j, given in changes.items()], others or None
