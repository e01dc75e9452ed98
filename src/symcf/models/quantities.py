"""Numbers that models compute for a row: probabilities, scores, predictions of regressors.

Each is a rising function (`Link`) of one sum that the model's rule adds up in integers. So "at least v" is a bound on
that sum: the same rule with another bias (`Quantity.within`). Libraries add up floats and round on the way; a bound is
moved by as much as that can change (`Quantity.error`), so that a row within it also reaches v under the model's own
`predict`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from symcf.errors import OptionError
from symcf.models.links import DOUBLE, IDENTITY, SINGLE, Link
from symcf.models.rules import Rule, TreeRule

__all__ = ["DOUBLE", "SINGLE", "Link", "Quantity", "float_error"]

Floats = npt.NDArray[np.float64]


def float_error(n_summands: int, magnitude: float, bits: int = DOUBLE) -> float:
    """How far a sum of floats can be from the exact one, in any order of addition; ``magnitude`` is the largest sum of
    magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2).
    """
    return (n_summands + 8) * 2.0**-bits * magnitude


class SumRule(Protocol):
    """A rule that adds up integers."""

    def one_sum(self, signs: Sequence[int]) -> Self:
        """The rule of one sum: the sums of this one times the signs. The methods below are for such a rule."""

    def extent(self) -> tuple[int, int]:
        """The least and the greatest sum of any row."""

    def coarser(self, bits: int) -> tuple[Self, int]:
        """In units that are 2 to the power of ``bits`` times as large, and how many numbers a sum adds up."""

    def bounded(self, low: int | None, high: int | None) -> Rule:
        """Two classes: class 1 iff the sum is at least ``low``, or at most ``high``. With both three: below, within,
        above.
        """


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number that a model computes: a link of one sum, in units of 2 to the power of minus ``scale``."""

    #: Adds up the sum: the sums of the rule times ``signs``, plus ``shift`` units.
    rule: SumRule
    signs: tuple[int, ...]
    scale: int
    shift: int = 0
    link: Link = IDENTITY
    #: How far the model's own sum may be from this one.
    error: float = 0.0
    #: The bits of the floats that the model's own call computes with.
    bits: int = DOUBLE
    #: For the probability of a class: the least sum, in units, with which the model decides for it.
    least: int | None = None
    #: Where the rule is one tree: by node, the sum as a float, which is what the tree gives at its leaves.
    leaves: Floats | None = None
    #: One tree, for the probability of a class: by node, whether the model decides for it.
    decided: npt.NDArray[np.bool_] | None = None
    #: Several trees, for the probability of a class: the class, whose sum must also be the largest.
    winner: int | None = None

    def negative(self) -> Quantity:
        """The sum of the first of two classes: that of the second one with the opposite sign."""
        return replace(
            self,
            signs=tuple(-sign for sign in self.signs),
            shift=-self.shift,
            least=None if self.least is None else 1 - self.least,
            leaves=None if self.leaves is None else -self.leaves,
        )

    def alone(self) -> Quantity:
        """The same number, whichever class the model decides for."""
        return replace(self, least=None)

    def through(self, *steps: tuple[Any, ...]) -> Quantity:
        """A rising function of this number."""
        return replace(self, link=self.link.then(*steps))

    def within(self, low: float | None, high: float | None, what: str) -> Rule:
        """Two classes, the second of which is "from ``low`` to ``high``"; with both ends three: below, within, above.

        `OptionError` if no row gets there; ``what`` is what the user gave.
        """
        if self.leaves is not None and isinstance(self.rule, TreeRule):
            return _leaf_by_leaf(self.rule, self.link(self.leaves), low, high, what, self.decided)
        rule, shift, scale, lost = _with_room(self.rule.one_sum(self.signs), self.shift, self.scale)
        first, last = (end + shift for end in rule.extent())
        error = math.ceil(Fraction(self.error) * Fraction(2) ** scale) + lost
        # The search goes beyond the extent by the error, so that a bound beyond all sums excludes no row.
        bounds: list[int | None] = [None, None]
        if low is not None:
            if self._at(last, scale) < low:
                raise _out_of_reach(what, "more", self._at(last, scale))
            at = _first(lambda u: self._at(u, scale) >= low + self.link.slack(low, self.bits), first - error, last)
            at = last + 1 if at is None else at
            bounds[0] = at + error if self.least is None else max(at + error, -(-self.least >> self.scale - scale))
        if high is not None:
            if self._at(first, scale) > high:
                raise _out_of_reach(what, "less", self._at(first, scale))
            at = _first(lambda u: self._at(u, scale) > high - self.link.slack(high, self.bits), first, last + error)
            bounds[1] = last if at is None else at - 1 - error
        if self.winner is not None and low is not None and low <= 0.5 and isinstance(self.rule, TreeRule):
            assert bounds[0] is not None
            return self.rule.winning(self.winner, bounds[0] << self.scale - scale)
        return rule.bounded(*(None if one is None else one - shift for one in bounds))

    def _at(self, units: int, scale: int) -> float:
        return float(self.link(np.array([math.ldexp(units, -scale)]))[0])


def _out_of_reach(what: str, word: str, end: float) -> OptionError:
    return OptionError(f"target: {what} is out of reach: no row gets {word} than {end:.6g}")


def _first(passes: Callable[[int], bool], first: int, last: int) -> int | None:
    """The first integer that passes; None if none does."""
    if not passes(last):
        return None
    low, high = first - 1, last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


# --- rules ------------------------------------------------------------------------------------------------------------

#: Sums stay below 2 to this power, so that three classes can be told apart by the differences of two sums.
ROOM = 56


def _with_room(rule: SumRule, shift: int, scale: int) -> tuple[SumRule, int, int, int]:
    """The rule in units so large that its sums fit; with the shift, the scale, and how many units that may cost."""
    most = max(abs(end + shift) for end in rule.extent())
    bits = max(0, most.bit_length() - ROOM)
    if not bits:
        return rule, shift, scale, 0
    coarse, summands = rule.coarser(bits)
    return coarse, (shift + (1 << bits - 1)) >> bits, scale - bits, summands + 1


def _leaf_by_leaf(
    rule: TreeRule,
    numbers: Floats,
    low: float | None,
    high: float | None,
    what: str,
    decided: npt.NDArray[np.bool_] | None,
) -> Rule:
    """One tree: what its leaves give is compared as it is."""
    (tree,) = rule.trees
    leaf = tree.feature < 0
    place = np.zeros(len(numbers), dtype=np.int64)
    if low is not None:
        place += numbers >= low
    if high is not None:
        place += numbers > high if low is not None else numbers <= high
    if decided is not None:
        place[~decided] = 0
    if not (place[leaf] == 1).any():
        ends = numbers[leaf]
        if low is not None and ends.max() < low:
            raise _out_of_reach(what, "more", float(ends.max()))
        if high is not None and ends.min() > high:
            raise _out_of_reach(what, "less", float(ends.min()))
    score = np.eye(2 if low is None or high is None else 3, dtype=np.int64)[place]
    score[~leaf] = 0
    return replace(rule, trees=(replace(tree, score=score),), later_wins=True)
