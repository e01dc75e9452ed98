"""How much one check may look at: a small file must not keep a reader busy for hours."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symcf.proof.checker.form import Rejected

__all__ = ["MOST_UNITS", "Effort", "bits", "words"]

#: What a check may spend; a unit is a simple step of Python, so this is some minutes.
MOST_UNITS = 1 << 31


class Effort:
    """Counts what is looked at, in the same units on every machine.

    >>> Effort(3).spend(4)
    Traceback (most recent call last):
        ...
    symcf.proof.checker.form.Rejected: checking it takes more than 3 steps; allow more with steps=
    """

    def __init__(self, most: int = MOST_UNITS, look: Callable[[], None] = lambda: None) -> None:
        """``look`` is called again and again; it may raise."""
        self._most = self._left = most
        self._look = look

    def spend(self, units: int) -> None:
        """Takes note of some steps before they are made; `Rejected` if they are too many."""
        self._look()
        self._left -= units
        if self._left < 0:
            raise Rejected("effort", f"checking it takes more than {self._most:,} steps; allow more with steps=")


def words(bits: int) -> int:
    """The steps that an operation with integers of so many bits takes."""
    return 1 + (bits >> 12)


def bits(mask: int) -> Iterator[int]:
    """The places of the ones in a mask, ascending. It takes as many steps as the mask has bits, at most."""
    digits = format(mask, "b")[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)
