"""The rule of sums over columns of numbers: what each number adds is computed anew for each row, in integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.data.numbers import MISSING, numbers_of_codes
from symcf.errors import InstanceError
from symcf.models.links import Link
from symcf.models.scaling import Dyadic, difference

__all__ = ["AdditiveRule", "Margin"]

#: Sums of numbers stay below this, in units.
MOST_UNITS = (1 << 56) - 1

#: What the terms of a row add up to stays below this.
MOST_OF_A_ROW = 2.0**60


@dataclass(frozen=True, eq=False)
class AdditiveRule:
    """Sums of functions of numbers and of weights of values; see `symcf.models.additive`. One sum: class 1 iff it is
    positive, or 0 and ``later_wins``. More: the class with the largest.
    """

    #: The features that are numbers; their codes are places among the doubles (`symcf.data.numbers`).
    numbers: tuple[int, ...]
    #: By sum and number: ``curve * 2**curve_exponent * x**2 + slope * 2**slope_exponent * x``.
    curve: npt.NDArray[np.int64]
    curve_exponent: npt.NDArray[np.int32]
    slope: npt.NDArray[np.int64]
    slope_exponent: npt.NDArray[np.int32]
    #: By feature, the weights by sum and value; None for numbers.
    tables: tuple[npt.NDArray[np.int64] | None, ...]
    #: By sum.
    bias: npt.NDArray[np.int64]
    #: A unit is 2 to the power of minus this.
    scale: int
    later_wins: bool
    #: By how many units a counterfactual has to win.
    doubt: int
    #: By feature that is a number and may be missing, what that adds to each sum.
    missing: Mapping[int, npt.NDArray[np.int64]] = field(default_factory=dict)
    #: One sum: by how many units a counterfactual has to win where the sum is compared with two bounds.
    twofold: int = field(default=0, compare=False)
    #: By feature that is a number: the x of its polynomials is this function of the number.
    links: Mapping[int, Link] = field(default_factory=dict)

    @cached_property
    def polynomials(self) -> list[_core.Polynomials]:
        """By sum, what the numbers add to it, as they are seen."""
        parts = zip(self.curve, self.curve_exponent, self.slope, self.slope_exponent, strict=True)
        return [_core.Polynomials(*part, self.scale) for part in parts]

    def seen(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """By row and number, what the polynomials take."""
        if not self.links:
            return x
        result = np.array(x)
        for place, j in enumerate(self.numbers):
            if j in self.links:
                result[:, place] = self.links[j](x[:, place])
        return result

    def terms(self, x: npt.NDArray[np.float64]) -> list[npt.NDArray[np.int64]]:
        """By sum, what the numbers of rows add to it: (rows, numbers). OverflowError where that is too large."""
        seen = self.seen(x)
        return [np.asarray(polynomials.terms(seen), dtype=np.int64) for polynomials in self.polynomials]

    def terms_of(self, codes: npt.NDArray[Any], features: Sequence[str]) -> npt.NDArray[np.int64]:
        """What each feature of rows of codes adds to each sum: (rows, sums, features), in units of the self."""
        result = np.empty((len(codes), len(self.bias), len(self.tables)), dtype=np.int64)
        numbers = list(self.numbers)
        places = slice(None) if len(numbers) == len(self.tables) else numbers
        x = numbers_of_codes(codes[:, places])
        x[codes[:, places] == MISSING] = 0.0
        try:
            for k, terms in enumerate(self.terms(x)):
                result[:, k, places] = terms
        except OverflowError as error:
            row, place = error.args
            raise _too_large(int(row), numbers[place], float(x[row, place]), features) from None
        for j, table in enumerate(self.tables):
            if table is not None:
                result[:, :, j] = table[:, codes[:, j].astype(np.int64)].T
        for j, weights in self.missing.items():
            result[codes[:, j] == MISSING, :, j] = weights
        largest = max(int(result.max(initial=0)), -int(result.min(initial=0)))
        if largest * len(self.tables) < MOST_OF_A_ROW:
            return result
        total = np.abs(result.astype(np.float64)).sum(axis=2).max(axis=1, initial=0.0)
        if (total >= MOST_OF_A_ROW).any():
            row = int(np.argmax(total >= MOST_OF_A_ROW))
            j = numbers[int(np.argmax(np.abs(result[row][:, numbers]).max(axis=0)))]
            raise _too_large(row, j, float(x[row, numbers.index(j)]), features)
        return result

    def sums_of(self, codes: npt.NDArray[Any], features: Sequence[str]) -> npt.NDArray[np.int64]:
        """What each row of codes adds to each sum: (rows, sums)."""
        if not self.links and len(self.numbers) == len(self.tables):
            numbers = np.ascontiguousarray(codes, dtype=np.int64)
            try:
                return np.stack([polynomials.sums(numbers) for polynomials in self.polynomials], axis=1)
            except OverflowError:  # a missing number, or one of which the error has to tell
                pass
        return np.asarray(self.terms_of(codes, features).sum(axis=2))

    def spread(self, codes: Sequence[Sequence[int]]) -> AdditiveRule:
        """The same rule over finer values. Numbers are not values, and are never cut."""
        tables = [None if t is None else t[:, list(c)] for t, c in zip(self.tables, codes, strict=True)]
        return replace(self, tables=tuple(tables))

    # --- numeric targets: see `symcf.models.quantities.SumRule`

    def one_sum(self, signs: Sequence[int]) -> AdditiveRule:
        """See `SumRule`. Of one sum only: those of several are rounded one by one."""
        assert len(signs) == len(self.bias) == 1
        return self._times(signs)

    def _times(self, signs: Sequence[int]) -> AdditiveRule:
        """The only sum times each of the signs."""
        column = np.array(signs, dtype=np.int64)[:, np.newaxis]
        return replace(
            self,
            curve=column * self.curve,
            curve_exponent=np.repeat(self.curve_exponent, len(signs), axis=0),
            slope=column * self.slope,
            slope_exponent=np.repeat(self.slope_exponent, len(signs), axis=0),
            tables=tuple(None if table is None else column * table for table in self.tables),
            bias=column[:, 0] * self.bias,
            missing={j: column[:, 0] * weights for j, weights in self.missing.items()},
        )

    def extent(self) -> tuple[int, int]:
        """See `SumRule`. Numbers may lie outside the ranges of their columns, so this is what integers can hold."""
        return -MOST_UNITS, MOST_UNITS

    def coarser(self, bits: int) -> tuple[AdditiveRule, int]:
        """See `SumRule`. Units leave room already."""
        raise AssertionError("sums of numbers have room")

    def bounded(self, low: int | None, high: int | None) -> AdditiveRule:
        """See `SumRule`."""
        if low is not None and high is not None:
            three = self._times((-1, 0, 1))
            bias = three.bias + np.array([low, 0, -high - 1], dtype=np.int64)
            return replace(three, bias=bias, later_wins=True, doubt=max(self.doubt, self.twofold))
        one = self if low is not None else self._times((-1,))
        return replace(one, bias=one.bias + (high or 0) - (low or 0), later_wins=True)

    def margin(self, new: int, old: int) -> Margin:
        """By how much one class is ahead of another."""
        if (new, old) not in self._margins:
            self._margins[new, old] = self._margin(new, old)
        return self._margins[new, old]

    @cached_property
    def _margins(self) -> dict[tuple[int, int], Margin]:
        return {}

    def _margin(self, new: int, old: int) -> Margin:
        if len(self.bias) == 1:
            parts = (self.curve, self.curve_exponent, self.slope, self.slope_exponent)
            curve, slope = (list(map(Dyadic, *(part[0].tolist() for part in pair))) for pair in (parts[:2], parts[2:]))
            return Margin(curve, slope, self.polynomials[0], 1 if new else -1, self.seen)
        curve, slope = (
            [difference(a, b) for a, b in zip(*(map(Dyadic, digits[k], exponent[k]) for k in (new, old)), strict=True)]
            for digits, exponent in (
                (self.curve.tolist(), self.curve_exponent.tolist()),
                (self.slope.tolist(), self.slope_exponent.tolist()),
            )
        )
        return Margin(curve, slope, _core.Polynomials(*_arrays(curve), *_arrays(slope), self.scale), 1, self.seen)


def _arrays(numbers: Sequence[Dyadic]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Digits and exponents."""
    digits = np.array([number.digits for number in numbers], dtype=np.int64)
    return digits, np.array([number.exponent for number in numbers], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Margin:
    """What numbers add to the difference of two sums.

    The sums themselves are rounded number by number, so their difference is not monotone even where its slope is
    constant. A margin is rounded once: it rises and falls as the exact difference does.
    """

    #: By number, the coefficients; to be multiplied by ``sign``.
    curve: Sequence[Dyadic]
    slope: Sequence[Dyadic]
    polynomials: _core.Polynomials
    sign: int
    #: See `AdditiveRule.seen`.
    seen: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]

    def terms(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """By row and number, in units of the rule."""
        return self.terms_seen(self.seen(x))

    def terms_seen(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """The same of what the polynomials take."""
        return self.sign * np.asarray(self.polynomials.terms(x), dtype=np.int64)


def _too_large(row: int, j: int, number: float, features: Sequence[str]) -> InstanceError:
    problem = f"{number!r} is too far outside the range of the column to be decided exactly"
    return InstanceError(problem, row=row, columns=(features[j],), value=number)
