"""Relations, evaluated on rows as the user knows them: numbers and labels, and nothing that a search made of them.

A relation may depend on the old row, too. A comparison of sums says nothing of rows in which one of its numbers is
missing, and nothing obeys one that divides by 0. Sums of which one side is a column and the other a number are compared
as doubles, all others exactly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.data.given import GivenRow
from symcf.data.numbers import NumberLine
from symcf.question.amounts import Amount
from symcf.question.constraints import Constraint
from symcf.question.expressions import Algebra, AtMost, Comparison, Expression, Stepped, Test, parse
from symcf.system.classifier import Classifier

__all__ = ["Facts", "RawRelation", "RelatedNumbers", "raw_relation"]

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

#: Sums that differ by this part of their size are equal.
NEAR = Fraction(1, 1 << 40)

#: Combinations of whole numbers that are tried for some ranges.
MOST_NUMBERS = 1 << 14

#: Does it hold, and does its opposite?
Truth = tuple[bool, bool]


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


@dataclass(frozen=True)
class RawRelation:
    """One relation of a question about one row."""

    text: str
    expression: Expression
    compiled: Classifier
    old: Facts

    def holds(self, new: Facts) -> bool:
        """Does a row obey?"""
        return self.expression.meaning(
            Algebra[Truth](
                lambda atom: self._atom(atom, new),
                lambda parts: (all(yes for yes, _ in parts), any(no for _, no in parts)),
                lambda parts: (any(yes for yes, _ in parts), all(no for _, no in parts)),
                lambda part: (part[1], part[0]),
            )
        )[0]

    def _atom(self, atom: Any, new: Facts) -> Truth:
        if isinstance(atom, AtMost):
            names = [self._feature(name) for name in atom.features]
            changed = [j for j in names if (new.numbers[j], new.codes[j]) != (self.old.numbers[j], self.old.codes[j])]
            return len(changed) <= atom.count, len(changed) > atom.count
        if isinstance(atom, Stepped):
            j = self._feature(atom.feature)
            before, after = self.old.numbers[j], new.numbers[j]
            fine = (
                before is None or after is None or ((Fraction(after) - Fraction(before)) / atom.step).denominator == 1
            )
            return fine, not fine
        if isinstance(atom, Comparison):
            return self._compared(atom.left, atom.operator, atom.right, new)
        return self._tested(atom, new)

    def _tested(self, test: Test, new: Facts) -> Truth:
        """A feature and values; or a column, or the old row."""
        features, value = self.compiled.features, test.values[0]
        said, row = test.feature, new
        if isinstance(said, str) and said not in features:
            if said.startswith("change.") or self._named(value) is not None:
                return self._as_sums(test, new)
            said, row = said.removeprefix("old."), self.old
        j = self._feature(said)
        labels, regions = self.compiled.values[j], self.compiled.encoder.readers[j].regions
        is_line = isinstance(labels, NumberLine)
        known = not is_line and any(str(label) == str(value) for label in labels)
        if self._named(value) is not None and not known:
            return self._as_sums(test, new)
        by_number = all(isinstance(value, (int, float)) for value in test.values)
        if (
            row is self.old
            and by_number
            and len(test.values) == 1
            and (is_line or regions or _number(labels[0]) is not None)
        ):
            return self._as_sums(test, new)
        if by_number and (is_line or regions is not None):
            number = row.numbers[j]
            if test.operator in SIGNS:
                fine = number is not None and SIGNS[test.operator](number, value)
            else:
                fine = (number is not None and number in test.values) == (test.operator == "in")
            return fine, not fine
        if by_number and test.operator in SIGNS and not known:
            number = _number(labels[row.codes[j]])
            fine = number is not None and SIGNS[test.operator](number, value)
            return fine, not fine
        places = [_place(labels, value) for value in test.values]
        if test.operator in SIGNS:
            apart = {self.compiled.encoder.readers[j].missing, self.compiled.encoder.readers[j].unknown}
            fine = SIGNS[test.operator](row.codes[j], places[0]) and row.codes[j] not in apart
        else:
            fine = (row.codes[j] in places) == (test.operator == "in")
        return fine, not fine

    def _as_sums(self, test: Test, new: Facts) -> Truth:
        sides = [
            Amount(side if isinstance(side, str) else Fraction(str(side))) for side in (test.feature, test.values[0])
        ]
        sign = {"in": "=", "not in": "!="}.get(test.operator, test.operator)
        return self._compared(sides[0], sign, sides[1], new)

    def _compared(self, left: Amount, sign: str, right: Amount, new: Facts) -> Truth:
        try:
            size, difference = self._size(left) + self._size(right), self._value(left, new) - self._value(right, new)
        except LookupError:  # a number is missing
            return True, True
        except ZeroDivisionError:
            return False, False
        near = NEAR * max(size, Fraction(1))
        fine = SIGNS[sign](difference, 0) if sign in SIGNS else (abs(difference) <= near) == (sign == "=")
        return fine, not fine

    def _value(self, amount: Amount, new: Facts) -> Fraction:
        """The number of an amount."""
        if not amount.parts:
            return self._leaf(amount.said, new)
        one, two = (self._value(part, new) for part in amount.parts)
        match amount.said:
            case "+":
                return one + two
            case "-":
                return one - two
            case "*":
                return one * two
        return one / two

    def _leaf(self, said: Fraction | str, new: Facts) -> Fraction:
        if not isinstance(said, str):
            return said
        prefix, j = self._named(said) or ("", self._feature(said))
        before, after = self.old.numbers[j], new.numbers[j]
        if (after is None and prefix != "old.") or (before is None and prefix):
            raise LookupError(said)
        if prefix == "old.":
            return Fraction(before or 0)
        return Fraction(after or 0) - (Fraction(before or 0) if prefix else 0)

    def _size(self, amount: Amount) -> Fraction:
        """What the row's own numbers add up to."""
        if amount.parts:
            return (self._size(amount.parts[0]) + 1) * (self._size(amount.parts[1]) + 1)
        if not isinstance(amount.said, str):
            return abs(amount.said)
        return abs(Fraction(self.old.numbers[(self._named(amount.said) or ("", 0))[1]] or 0))

    def _named(self, said: Any) -> tuple[str, int] | None:
        """The prefix and the feature of a name; None if it is none."""
        features = self.compiled.features
        for prefix in ("", "old.", "change."):
            if isinstance(said, str) and said.startswith(prefix) and said[len(prefix) :] in features:
                return prefix, features.index(said[len(prefix) :])
        return None

    def _feature(self, said: str | int) -> int:
        return said if isinstance(said, int) else self.compiled.features.index(said)


def _place(labels: Any, value: Any) -> int:
    """The place of a label, which may be known by its text."""
    for place, label in enumerate(labels):
        if type(label) is type(value) and label == value:
            return place
    return [str(label) for label in labels].index(str(value))


def raw_relation(given: Any, compiled: Classifier, old: Facts) -> RawRelation:
    """A relation of an explanation, as it is there or as its file has it."""
    text = str(given)
    expression = getattr(given, "expression", None)
    return RawRelation(text, parse(text) if expression is None else expression, compiled, old)


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
