"""Relations, evaluated on rows as the user knows them: numbers and labels, and nothing that a search made of them.

The checker of certificates says what a relation means (`symcf.proof.checker.relations`): it reads the text by itself,
and shares nothing with what questions are read by.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.data.encoder import FeatureReader
from symcf.data.given import GivenRow
from symcf.data.numbers import NumberLine
from symcf.errors import OptionError
from symcf.proof.certificates.model import label_to_json
from symcf.proof.checker.domains import MISSING, Domain
from symcf.proof.checker.form import Rejected
from symcf.proof.checker.relations import Old as CheckedRow
from symcf.proof.checker.relations import Step, formula_of, obeys
from symcf.question.constraints import Constraint
from symcf.system.classifier import Classifier

__all__ = ["Facts", "RawRelation", "RelatedNumbers", "raw_relation"]

#: No label of a user.
MISSING_NAME = "\0"

#: Combinations of whole numbers that are tried for some ranges.
MOST_NUMBERS = 1 << 14


class Facts(NamedTuple):
    """A row: by feature its number, None where it has none, and its value code."""

    numbers: Sequence[float | None]
    codes: Sequence[int]

    @classmethod
    def of(cls, compiled: Classifier, row: Any) -> Facts:
        """A row in the user's form."""
        given, codes = GivenRow(row, compiled.encoder.layout), compiled.instance(row)[0].tolist()
        numbers: list[float | None] = []
        for reader, labels, code in zip(compiled.encoder.readers, compiled.values, codes, strict=True):
            if isinstance(labels, NumberLine) or reader.regions is not None:
                numbers.append(reader.number(given.cell(reader.sources[0])))
            else:
                numbers.append(_number(labels[code]))
        return cls(numbers, codes)


def _number(label: Any) -> float | None:
    is_number = isinstance(label, (int, float, np.integer, np.floating)) and not isinstance(label, bool)
    return label if is_number and math.isfinite(label) else None


class _Values(Domain):
    """The values of a feature as the checker of certificates has them: all ranges of numbers are one cell here, since a
    row has its numbers beside its codes.
    """

    def __init__(self, labels: Sequence[Any], reader: FeatureReader) -> None:
        is_line = isinstance(labels, NumberLine)
        regions = reader.regions or {}
        self.line = (-math.inf, math.inf) if is_line else None
        self.cuts = [] if regions and not is_line else None
        others = [] if is_line else [code for code in range(len(labels)) if code not in regions]
        self.labels = [label_to_json(labels[code]) for code in others]
        #: Of a row without a number that is read as if it had one.
        self._missing = MISSING if is_line else self.n_cells + len(others)
        if self.cuts is not None:
            self.labels.append({"type": "missing", "text": MISSING_NAME})
        self._place = {code: self.n_cells + i for i, code in enumerate(others)}
        self._special = {self._place[code] for code in (reader.missing, reader.unknown) if code in self._place}

    @property
    def apart(self) -> set[int]:
        """See `Domain`."""
        return self._special

    def number_of(self, value: Any) -> float | None:
        """See `Domain`."""
        return _number(value)

    def place(self, code: int, number: float | None) -> int:
        """The code that the checker has for a value code and its number."""
        if code in self._place:
            return self._place[code]
        if number is None:
            return self._missing
        return 0 if self.line is None else code


class RawRelation:
    """One relation of a question about one row, as the checker of certificates reads its text."""

    def __init__(self, text: str, compiled: Classifier, old: Facts) -> None:
        self.text = text
        self._old = old
        self._domains = list(map(_Values, compiled.values, compiled.encoder.readers))
        try:
            self._means = formula_of(
                text, CheckedRow(tuple(map(str, compiled.features)), self._domains, self._places(old), old.numbers)
            )
        except Rejected as error:
            raise OptionError(f"constraints: {error}") from None

    def _places(self, row: Facts) -> list[int]:
        return [of.place(code, x) for of, code, x in zip(self._domains, row.codes, row.numbers, strict=True)]

    def holds(self, new: Facts) -> bool:
        """Does a row obey?"""
        if isinstance(self._means, Step):
            before, after = (row.numbers[self._means.feature] for row in (self._old, new))
            if before is None or after is None:
                return True
            return ((Fraction(after) - Fraction(before)) / self._means.step).denominator == 1
        facts = zip(zip(*self._old, strict=True), zip(*new, strict=True), strict=True)
        changed = {j for j, (before, after) in enumerate(facts) if before != after}
        return obeys(self._means, self._places(new), new.numbers, changed)


def raw_relation(given: Any, compiled: Classifier, old: Facts) -> RawRelation:
    """A relation of an explanation, as it is there or as its file has it."""
    return RawRelation(str(given), compiled, old)


class RelatedNumbers:
    """The features of one row that relations over sums are about, where values may be ranges of numbers.

    Whole numbers within limits are tried one by one. Where there are too many, or where numbers are real, only rows
    are checked, and `is_known` is False. In codes, a feature that takes another number of its own range has the number
    of its values plus its own code.
    """

    def __init__(
        self,
        compiled: Classifier,
        codes: Sequence[int],
        x: Any,
        relations: Sequence[Any],
        constraints: Iterable[Constraint],
    ) -> None:
        self._compiled, self._codes = compiled, codes
        self._old = Facts.of(compiled, x)
        self._relations = [raw_relation(item, compiled, self._old) for item in relations]
        self.features = sorted({j for item in relations for j in item.features})
        self._ranges = sorted({j for item in relations for j in item.compared})
        self._constraints = list(constraints)
        row = GivenRow(x, compiled.encoder.layout)
        self._numbers = {j: self._listed(j, row) for j in self._ranges}
        self._known: dict[tuple[int, ...], bool] = {}
        sizes = [
            max(map(len, by_code.values()), default=0) for by_code in self._numbers.values() if by_code is not None
        ]
        #: Can it be told which ranges contain numbers that obey?
        self.is_known = None not in self._numbers.values() and math.prod(sizes) <= MOST_NUMBERS

    def _listed(self, j: int, row: GivenRow) -> dict[int, list[float]] | None:
        """By code, the whole numbers that the column may become; None where they are too many."""
        reader, kind = self._compiled.encoder.readers[j], row.type_of(self._compiled.encoder.readers[j].sources[0])
        least, most = (
            (-math.inf, math.inf) if kind is None or not kind.is_number else (kind.limits.first, kind.limits.last)
        )
        for c in self._constraints:
            if c.feature == j and c.limits is not None:
                least, most = max(least, c.limits[0]), min(most, c.limits[1])
        if kind is None or not kind.is_whole or most - least > MOST_NUMBERS:
            return None
        every = [float(n) for n in range(math.ceil(least), math.floor(most) + 1)]
        number = self._old.numbers[j]
        for c in self._constraints:
            if c.feature == j and c.value in ("increase", "decrease") and number is not None:
                every = [n for n in every if (n > number if c.value == "increase" else n < number)]
        return {code: [n for n in every if n in region] for code, region in (reader.regions or {}).items()}

    def moves_within(self, j: int, constraints: Iterable[Constraint]) -> bool:
        """May a column take another number of its own range?"""
        own = self._codes[j]
        if j not in self._ranges or own not in (self._compiled.encoder.readers[j].regions or {}):
            return False
        return not any(
            c.feature == j and (c.locks or (not isinstance(c.value, str) and own not in c.value)) for c in constraints
        )

    def holds(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which rows of codes have numbers that obey?"""
        return np.array([self._obeys(tuple(row)) for row in rows.tolist()], dtype=np.bool_)

    def _obeys(self, row: tuple[int, ...]) -> bool:
        key = tuple(row[j] for j in self.features)
        if key not in self._known:
            self._known[key] = self._can_obey(row)
        return self._known[key]

    def _single(self, j: int, code: int) -> float | None:
        """A number of a value, None if it has none. Of a range any will do: tests hold for all of them or for none."""
        region = (self._compiled.encoder.readers[j].regions or {}).get(code)
        if region is not None:
            return next((float(end) for end in (region.first, region.last) if math.isfinite(end)), 0.0)
        return _number(self._compiled.values[j][code])

    def _can_obey(self, row: Sequence[int]) -> bool:
        codes = [code % len(labels) for code, labels in zip(row, self._compiled.values, strict=True)]
        numbers = [
            self._old.numbers[j] if row[j] == self._codes[j] else self._single(j, code) for j, code in enumerate(codes)
        ]
        options: list[Sequence[float | None]] = []
        for j in self._ranges:
            listed = self._numbers[j]
            if row[j] == self._codes[j]:
                options.append([self._old.numbers[j]])
            elif codes[j] not in (self._compiled.encoder.readers[j].regions or {}):
                options.append([None])
            elif listed is None:
                return True  # it is not known
            else:
                options.append([n for n in listed[codes[j]] if n != self._old.numbers[j]])
        for chosen in product(*options):
            for j, number in zip(self._ranges, chosen, strict=True):
                numbers[j] = number
            new = Facts(numbers, codes)
            if all(relation.holds(new) for relation in self._relations):
                return True
        return False

    def tuples(self, choices: Sequence[Sequence[int]]) -> Iterator[dict[int, int]]:
        """All codes of the features for which there are numbers that obey."""
        for codes in product(*(choices[j] for j in self.features)):
            row = list(self._codes)
            for j, code in zip(self.features, codes, strict=True):
                row[j] = code
            if self._obeys(tuple(row)):
                yield dict(zip(self.features, codes, strict=True))

    def faults(self, changed: Sequence[int], new: Any) -> Iterator[str]:
        """What is wrong with a changed row."""
        row = Facts.of(self._compiled, new)
        for j in self._ranges:
            if (row.numbers[j] == self._old.numbers[j]) == (j in changed):
                yield f"feature {self._compiled.features[j]!r} is {row.numbers[j]}, and was {self._old.numbers[j]}"
            if j in changed and not self._may_become(j, row.numbers[j]):
                yield f"feature {self._compiled.features[j]!r} may not become {row.numbers[j]}"
        for relation in self._relations:
            if not relation.holds(row):
                yield f"the row does not obey {relation.text!r}"

    def _may_become(self, j: int, number: float | None) -> bool:
        listed = self._numbers[j]
        if number is None or listed is not None:
            return number is None or any(number in numbers for numbers in (listed or {}).values())
        ends = [c.limits for c in self._constraints if c.feature == j and c.limits is not None]
        return all(low <= number <= high for low, high in ends)
