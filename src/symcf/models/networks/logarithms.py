"""Networks without hidden nodes and without zeros: sums of logarithms, one small tree per table.

With every node observed, the joint probability of a class and a row is a product of one entry per table, and the class
with the largest product has the largest sum of logarithms. So the network is an ensemble of trees, one per table, and
it shares the code of ensembles: the compiler that looks at all trees at once, and the engine without a diagram.

Logarithms are irrational, but ties must stay ties. All integers that occur are written as products of powers of
pairwise coprime integers, and each of these gets one rounded logarithm: products that are equal have the same powers,
hence sums that are exactly equal. Products that differ have sums that differ unless they are closer than the rounding;
`Logarithms.order_all` looks whether such products exist.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from symcf.models.close_sums import Summand, rounding_is_harmless

__all__ = ["Logarithms"]

#: Differences of sums stay below 2 to this power, as for other trees.
SUM_BITS = 57

#: Sums that are looked at: a tenth of a second.
MOST_SUMS = 1 << 18

#: Digits of the logarithms before they are rounded.
DIGITS = 60


class Logarithms:
    """Integers in proportion to the logarithms of fractions, the same for equal products.

    >>> log = Logarithms([[Fraction(1, 6), Fraction(2, 3)], [Fraction(1, 4), Fraction(1, 9)]])
    >>> log.of(Fraction(1, 6)) * 2 == log.of(Fraction(1, 4)) + log.of(Fraction(1, 9))
    True
    """

    def __init__(self, groups: Sequence[Iterable[Fraction]]) -> None:
        """One number of each group is in a product."""
        listed = [list(group) for group in groups]
        self._base = coprime_base({n for group in listed for p in group for n in (p.numerator, p.denominator)})
        exact = [Context(prec=DIGITS).ln(Decimal(b)) for b in self._base]
        powers = {p: self._powers(p) for group in listed for p in group}
        size = {p: abs(math.fsum(e * float(x) for e, x in zip(powers[p], exact, strict=True))) for p in powers}
        largest = sum(max((size[p] for p in group), default=0.0) for group in listed)
        #: A unit is 2 to the power of minus this.
        self.scale = SUM_BITS - 2 - max(0, math.ceil(math.log2(largest + 2)))
        self._log = [int((x * 2**self.scale).to_integral_value()) for x in exact]
        self._known = {p: sum(e * x for e, x in zip(powers[p], self._log, strict=True)) for p in powers}

    def of(self, p: Fraction) -> int:
        """The logarithm of one of the numbers, in units."""
        return self._known[p]

    def order_all(self, groups: Sequence[npt.NDArray[np.object_]]) -> bool | None:
        """Are all sums, one number of each group, ordered as the products are? None: there are too many.

        Groups are fractions by choice and class.
        """
        summands, most = [], 0
        for group in groups:
            numbers: list[Fraction] = group.ravel().tolist()
            rounded = np.array([self._known[p] for p in numbers], dtype=np.int64)
            summands.append(Summand(group, rounded.reshape(group.shape)))
            most = max(most, *(sum(abs(e) for e in self._powers(p)) for p in numbers))
        return rounding_is_harmless(summands, most / 2, math.prod, MOST_SUMS)

    def _powers(self, p: Fraction) -> list[int]:
        powers = []
        for b in self._base:
            power, n, d = 0, p.numerator, p.denominator
            while n % b == 0:
                n, power = n // b, power + 1
            while d % b == 0:
                d, power = d // b, power - 1
            powers.append(power)
        return powers


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers above 1 of which all the numbers are products of powers.

    >>> coprime_base({12, 18, 5})
    [2, 3, 5]
    """
    base: list[int] = []
    waiting = [n for n in set(numbers) if n > 1]
    while waiting:
        n = waiting.pop()
        for i, b in enumerate(base):
            shared = math.gcd(n, b)
            if shared > 1:
                del base[i]
                waiting += [m for m in (shared, n // shared, b // shared) if m > 1]
                break
        else:
            base.append(n)
    return sorted(base)
