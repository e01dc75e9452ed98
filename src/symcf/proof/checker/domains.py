"""What a feature may be, as a certificate states it.

    ["red", "green"]                        labels
    {"labels": [...], "apart": [...]}       the same, where some labels have no place in the order
    {"cuts": [2.5, 7], "labels": [...]}     numbers, in cells that begin at these cuts, and labels beside them
    {"low": 0, "high": 99}                  a line of numbers; new ones lie between these ends

Inside the checker a value is a code: the place of a label, or of a cell and then of a label, or for a line the place of
the number among the doubles. Codes are in no certificate but in the rule of its model.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from symcf.proof.checker.form import Rejected, canonical, items, record

__all__ = [
    "MISSING",
    "Domain",
    "Interval",
    "code_of_number",
    "is_number",
    "label_of",
    "label_text",
    "label_words",
    "meet",
    "number",
    "number_of_code",
    "on_grid",
]

#: Numbers from one double to another, both inside; ends may be infinite.
Interval = tuple[float, float]

EVERYWHERE: Interval = (-math.inf, math.inf)


class Domain:
    """The values of one feature."""

    def __init__(self, data: Any) -> None:
        #: Labels, whose codes come after those of the cells.
        self.labels: list[Any] = []
        self._apart: list[Any] = []
        #: Where the second and later cells begin; None where values are not cells of numbers.
        self.cuts: list[float] | None = None
        #: The ends of a line of numbers; None for other domains.
        self.line: Interval | None = None
        if isinstance(data, list):
            self.labels = items(data, "values", label_of)
        elif isinstance(data, dict) and "low" in data:
            low, high = (number(end) for end in record(data, "a line", ("low", "high")))
            self.line = (low, high)
        elif isinstance(data, dict) and "cuts" in data:
            cuts, labels = record(data, "cells", ("cuts", "labels"))
            self.cuts = items(cuts, "cuts", lambda cut, _: number(cut))
            if any(a >= b for a, b in pairwise(self.cuts)):
                raise Rejected("form", "cuts must ascend")
            self.labels = self._apart = items(labels, "labels", label_of)
        else:
            labels, apart = record(data, "values", ("labels", "apart"))
            self.labels, self._apart = (items(part, "labels", label_of) for part in (labels, apart))
        self._code = {canonical(label): self.n_cells + i for i, label in enumerate(self.labels)}
        if len(self._code) < len(self.labels):
            raise Rejected("form", "a label comes twice")

    @property
    def n_cells(self) -> int:
        """How many cells of numbers there are; their codes come first."""
        return 0 if self.cuts is None else len(self.cuts) + 1

    @property
    def size(self) -> int | None:
        """How many codes there are; None for a line."""
        return None if self.line is not None else self.n_cells + len(self.labels)

    @property
    def has_numbers(self) -> bool:
        """Are values numbers, in cells or on a line?"""
        return self.line is not None or self.cuts is not None

    @property
    def apart(self) -> set[int]:
        """The codes of labels without a place in the order."""
        return {self._code[canonical(label)] for label in self._apart if canonical(label) in self._code}

    def code_of(self, value: Any, where: str) -> int:
        """The code of a number or a label."""
        if self.line is not None:
            return MISSING if value is None else code_of_number(number(value))
        if self.cuts is not None and is_number(value):
            return bisect_right(self.cuts, number(value))
        code = self._code.get(canonical(label_of(value, where)))
        if code is None:
            raise Rejected("form", f"{where}: {label_text(value)!r} is not a value of the feature")
        return code

    def number_of(self, value: Any) -> float | None:
        """The number that a value is; None if it is none."""
        return number(value) if is_number(value) else None

    def interval(self, code: int) -> Interval | None:
        """The numbers of a code; None if it has none. Not for lines."""
        if code >= self.n_cells:
            found = self.number_of(self.labels[code - self.n_cells])
            return None if found is None or self.cuts is not None else (found, found)
        assert self.cuts is not None
        low = self.cuts[code - 1] if code else -math.inf
        high = math.nextafter(self.cuts[code], -math.inf) if code < len(self.cuts) else math.inf
        return low, high

    def known_as(self, value: Any) -> list[int]:
        """The codes of labels that a word of a relation may stand for: the same label, or else the same text."""
        same = [
            self.n_cells + i
            for i, label in enumerate(self.labels)
            if (type(label) is type(value) and label == value)
            or (is_number(value) and isinstance(label, (bool, int, float)) and label == value)
        ]
        return same or [
            self.n_cells + i for i, label in enumerate(self.labels) if label_text(label) == label_text(value)
        ]


def meet(one: Iterable[Interval], two: Sequence[Interval]) -> list[Interval]:
    """The numbers that are in both."""
    pairs = ((max(a, c), min(b, d)) for a, b in one for c, d in two)
    return [(low, high) for low, high in pairs if low <= high]


def on_grid(interval: Interval, origin: Fraction, step: Fraction) -> Interval | None:
    """The part from the first to the last number that is a multiple of the step away from the origin; None: there is
    none.
    """
    low, high = interval
    first = low if math.isinf(low) else origin + math.ceil((Fraction(low) - origin) / step) * step
    last = high if math.isinf(high) else origin + math.floor((Fraction(high) - origin) / step) * step
    return (max(low, float(first)), min(high, float(last))) if first <= last else None


# --- numbers and labels -----------------------------------------------------------------------------------------------


def is_number(data: Any) -> bool:
    """Is it a number, and not a truth value?"""
    return isinstance(data, (int, float)) and not isinstance(data, bool)


def number(data: Any) -> float:
    """A double."""
    if not is_number(data):
        raise Rejected("form", f"{label_text(data)!r} is not a number")
    try:
        found = float(data)
    except OverflowError:
        found = math.inf
    if found != data:
        raise Rejected("form", f"{data!r} is not a number of 64 bits")
    return found


def label_of(data: Any, where: str) -> Any:
    """A label: text, a number, true, false or null; anything else as its type and text."""
    if isinstance(data, dict):
        kind, text = record(data, where, ("type", "text"))
        if not isinstance(kind, str) or not isinstance(text, str):
            raise Rejected("form", f"{where}: a label has a type and a text")
    elif isinstance(data, list):
        raise Rejected("form", f"{where}: a list is not a label")
    return data


def label_text(label: Any) -> str:
    """A label as relations name it."""
    return str(label["text"]) if isinstance(label, dict) and "text" in label else str(label)


def label_words(label: Any) -> str:
    """A label as sentences name it: with its type where JSON has none for it."""
    return " ".join(label.values()) if isinstance(label, dict) else str(label)


#: The code of 0, and the bits of the smallest and of the largest magnitude that has a code.
ZERO, SMALLEST, LARGEST = 1 << 62, (1023 - 510) << 52, ((1023 + 513) << 52) - 1
#: The code of a missing number, where the rule has a term for it.
MISSING = (1 << 63) - 2


def number_of_code(code: int) -> float:
    """The double that a code stands for: codes count the doubles from 0 up and down."""
    steps = code - ZERO
    bits = abs(steps) + SMALLEST - 1 if steps else 0
    if bits > LARGEST:
        raise Rejected("form", f"{code} is not the code of a number")
    (magnitude,) = struct.unpack("<d", struct.pack("<q", bits))
    return float(-magnitude if steps < 0 else magnitude)


def code_of_number(number: float) -> int:
    """The inverse of `number_of_code`."""
    (bits,) = struct.unpack("<q", struct.pack("<d", abs(number)))
    if bits and not SMALLEST <= bits <= LARGEST:
        raise Rejected("form", f"{number!r} is too small or too large for a line of numbers")
    steps = int(bits) - (SMALLEST - 1) if bits else 0
    return ZERO - steps if number < 0 else ZERO + steps
