"""Distances: what changing a number costs is how far it moves, |new - old| / scale.

Numbers are put on a grid of a billionth of the scale, each once and exactly; distances are differences between places
on it, so they are integers and add up exactly. Where a feature has ranges of numbers, the new number is the near end of
the new range, or of the part of it that ``allowed=`` leaves, and a whole one where the column is of whole numbers.
Features without numbers (categories, missing values) cost 1 to change.

The scale of a feature comes from the column of `data`, or from the data that the classifier was compiled with, rounded
to six digits:

    "mad"    the median of the distances from the median
    "std"    the standard deviation
    "range"  the largest number minus the smallest

Where that is 0, it is the mean of the distances from the median, then the range, then 1 for a column that has one
number only. `Distances.used` says which one it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.common.options import checked_choice
from symcf.data.encoder import as_floats
from symcf.data.labels import feature_index
from symcf.data.numbers import NumberLine
from symcf.data.reader import Table, read_row, read_rows
from symcf.data.regions import ANYWHERE, Region
from symcf.data.types import ColumnType, Spread
from symcf.errors import OptionError
from symcf.question.prices import FARTHEST, Flat, Line, Span
from symcf.system.classifier import Classifier

__all__ = ["GRID", "NOWHERE", "SCALES", "Distances", "UsedScale"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

#: Places per scale.
GRID = 10**9

#: The place of what is not a number.
NOWHERE = np.iinfo(np.int64).min

#: Places are smaller, so that their differences, added up over features, are far from the end of 64 bits.
MOST = 1 << 58


#: What a scale may be.
SCALES = ("mad", "std", "range")

#: What is tried, after what the user gave, where it is 0; and what it is called.
INSTEAD = ("mad", "mean", "range")
CALLED = {"mean": "mean absolute deviation", "one": "constant"}


class UsedScale(NamedTuple):
    """The scale of a feature and its origin: a word of `SCALES`, "given", "mean absolute deviation" or "constant"."""

    number: float
    what: str


class Distances:
    """The distances of a question: the scale of each feature, and the places of numbers on the grid."""

    def __init__(self, classifier: Classifier, scale: Any, data: Any, limits: Mapping[int, Region]) -> None:
        self._classifier = classifier
        #: By feature, the range that its numbers have to be in.
        self._limits = limits
        self._encoder = classifier.encoder
        self._names = classifier.features
        self._words = self._checked(scale)
        self._table = None if data is None else read_rows(data, self._encoder.layout)
        self._scales: dict[int, Fraction] = {}
        #: By name of a feature, the scale of its distances.
        self.used: dict[str, UsedScale] = {}

    def _checked(self, scale: Any) -> list[str | Fraction]:
        """By feature, a word or a number."""
        if isinstance(scale, Mapping) or (hasattr(scale, "items") and hasattr(scale, "index")):
            words: list[str | Fraction] = ["mad"] * len(self._names)
            for feature, given in scale.items():
                words[feature_index(feature, self._names, "scale")] = self._word(feature, given)
            return words
        if not isinstance(scale, str):
            raise OptionError(f"scale must be 'mad', 'std', 'range', or a mapping from features, not {scale!r}")
        checked_choice(scale, "scale", SCALES)
        return [scale] * len(self._names)

    def _word(self, feature: Any, given: Any) -> str | Fraction:
        if isinstance(given, str):
            return checked_choice(given, f"scale[{feature!r}]", SCALES)
        try:
            number = Fraction(repr(float(given)))
        except (TypeError, ValueError, OverflowError):
            number = Fraction(0)
        if isinstance(given, bool) or number <= 0:
            raise OptionError(f"scale[{feature!r}] must be a positive number or a word, not {given!r}")
        return number

    # --- lines

    @property
    def _is_asked(self) -> bool:
        """May data contain numbers that are not values of the classifier?"""
        return self._classifier.decision.black_box is not None

    def price(self, j: int) -> Line | Span | Flat:
        """What changing feature j costs; 1 if it has no numbers."""
        line = self._classifier.values[j]
        if isinstance(line, NumberLine):
            return Span(line, self._scale_of(j), Fraction(1, GRID))
        ends = self._ends(j)
        if ends is None:
            return Flat(Fraction(1))
        scale = self._scales[j] = self._scale_of(j)
        low, high = (self._line_ends(side, scale, j) for side in zip(*ends, strict=True))
        return Line(low, high, Fraction(1, GRID), raw=self._is_range(j))

    def _is_range(self, j: int) -> bool:
        return self._encoder.readers[j].spans is not None

    def _ends(self, j: int) -> list[tuple[float, float]] | None:
        """By code, the numbers between which a value lies; (inf, -inf) for one without numbers."""
        labels, reader = self._classifier.values[j], self._encoder.readers[j]
        if self._is_asked and all(map(_is_number, reader.keys or ())):  # what comes after the numbers is missing
            numbers = [float(key) for key in reader.keys or ()]
            return [*zip(numbers, numbers, strict=True), *[(math.inf, -math.inf)] * (len(labels) - len(numbers))]
        if not self._is_range(j):
            if self._classifier.ordered[j] and all(map(_is_number, labels)):
                return [(float(label), float(label)) for label in labels]  # type: ignore[arg-type]
            return None
        ends = [(math.inf, -math.inf)] * len(labels)
        for low, high, code in reader.spans or ():
            if code < 0:
                continue
            if ends[code][1] not in (-math.inf, low):
                raise OptionError(
                    f"cost: 'distance' needs one range per value; {labels[code]!r} of {self._names[j]!r} has several"
                )
            ends[code] = (min(ends[code][0], low), high)
        limit, kind = self._limits.get(j, ANYWHERE), self._type_of(j)
        for code, region in (reader.regions or {}).items():
            some = region.within(limit)
            if kind is not None and kind.is_whole:
                some = Region(_whole(some.first, math.ceil), _whole(some.last, math.floor))
                ends[code] = (some.first, some.last) if not some.empty else ends[code]
            elif not some.empty and limit is not ANYWHERE:
                ends[code] = (max(ends[code][0], limit.first), min(ends[code][1], limit.last))
        return ends

    def _type_of(self, j: int) -> ColumnType | None:
        """The type of the column that a feature is, where it is known."""
        sources = self._encoder.readers[j].sources
        return self._encoder.layout.type_of(sources[0]) if len(sources) == 1 else None

    def _line_ends(self, ends: Sequence[float], scale: Fraction, j: int) -> tuple[int, ...]:
        numbers = np.array(ends)
        finite = np.isfinite(numbers)
        places = np.where(numbers > 0, FARTHEST, -FARTHEST)
        places[finite] = self._on_grid(numbers[finite], scale, j)
        return tuple(places.tolist())

    # --- scales

    def _scale_of(self, j: int) -> Fraction:
        word, name = self._words[j], self._names[j]
        if isinstance(word, Fraction):
            self.used[name] = UsedScale(float(word), "given")
            return word
        spread = self._spread(j)
        if spread is None:
            raise OptionError(
                f"cost: 'distance' takes the scale of {name!r} from data, and there is none: give data=, rows to "
                f"measure, or scale={{{name!r}: a number, ...}}"
            )
        found = [(what, Fraction(f"{getattr(spread, what):.6g}")) for what in dict.fromkeys([word, *INSTEAD])]
        what, scale = next(((what, scale) for what, scale in found if scale > 0), ("one", Fraction(1)))
        self.used[name] = UsedScale(float(scale), CALLED.get(what, what))
        return scale

    def _spread(self, j: int) -> Spread | None:
        """How much the numbers of a feature vary: in the data of the question, else in those of the classifier."""
        if self._table is not None:
            return Spread.of(self._numbers(self._table, j))
        line, kind = self._classifier.values[j], self._type_of(j)
        known = None if kind is None else kind.spread
        if not isinstance(line, NumberLine):
            return known
        if line.mad is None or line.std is None:  # only its range was given
            return Spread(0.0, 0.0, 0.0, float(line.span)) if self._words[j] == "range" else None
        return Spread(line.mad, 0.0 if known is None else known.mean, line.std, float(line.span))

    def _numbers(self, table: Table, j: int) -> Floats:
        """The numbers of a feature; NaN where there are none."""
        reader = self._encoder.readers[j]
        columns = [table.column(source) for source in reader.sources]
        if self._is_asked or self._is_range(j) or isinstance(self._classifier.values[j], NumberLine):
            return as_floats(columns[0])[0]
        codes = reader.read(columns)
        labels = np.array([*map(float, self._classifier.values[j]), math.nan])  # type: ignore[arg-type]
        return labels[np.where((codes >= 0) & (codes < len(labels) - 1), codes, len(labels) - 1)]

    # --- rows

    def place(self, x: Any, features: Sequence[int]) -> list[int | None]:
        """The places of these features of one row in the user's form; None for what is not a number."""
        table = read_row(x, self._encoder.layout)
        places = [int(self._places(table, j)[0]) for j in features]
        return [None if place == NOWHERE else place for place in places]

    def places(self, rows: Any, features: Sequence[int]) -> Places:
        """The same for many rows: one column per feature, NOWHERE for what is not a number."""
        table = read_rows(rows, self._encoder.layout)
        result = np.empty((table.n_rows, len(features)), dtype=np.int64)
        for i, j in enumerate(features):
            result[:, i] = self._places(table, j)
        return result

    def _places(self, table: Table, j: int) -> Places:
        numbers = self._numbers(table, j)
        result = np.full(len(numbers), NOWHERE)
        finite = np.isfinite(numbers)
        result[finite] = self._on_grid(numbers[finite], self._scales[j], j)
        return result

    def _on_grid(self, x: Floats, scale: Fraction, j: int) -> Places:
        """The quotient x / scale in places, rounded half up. Floats decide only where their error is harmless."""
        factor = GRID / scale
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large is not sure
            shifted = x * float(min(factor, Fraction(2) ** 1000)) + 0.5
            down = np.floor(shifted)
            error = (np.abs(shifted) + 1) * 2.0**-50
            sure = (shifted - down > error) & (down + 1 - shifted > error)
        places = np.where(sure, down, 0).astype(np.int64)
        for i in np.flatnonzero(~sure).tolist():
            place = math.floor(Fraction(float(x[i])) * factor + Fraction(1, 2))
            if abs(place) >= MOST:
                raise OptionError(
                    f"cost: {float(x[i])!r} is too many scales of {self._names[j]!r}, which is {float(scale):g}: give "
                    f"a larger one, scale={{{self._names[j]!r}: ...}}"
                )
            places[i] = place
        return places


def _whole(end: float, rounded: Callable[[float], int]) -> float:
    return float(rounded(end)) if math.isfinite(end) else end


def _is_number(label: Any) -> bool:
    return isinstance(label, (int, float, np.integer, np.floating)) and not isinstance(label, (bool, np.bool_))
