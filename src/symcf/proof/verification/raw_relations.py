"""Relations, evaluated on a row in the user's form: its numbers and labels, and nothing that a search made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from symcf.data.given import GivenRow
from symcf.data.labels import feature_index
from symcf.data.numbers import NumberLine
from symcf.question.expressions import Algebra, Expression, Test, parse
from symcf.system.classifier import Classifier

__all__ = ["RawRelation", "raw_relation"]

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class RawRelation:
    """One relation of a classifier with columns of numbers."""

    text: str
    expression: Expression
    compiled: Classifier

    def holds(self, row: Any) -> bool:
        """Does a row in the user's form obey?"""
        given = GivenRow(row, self.compiled.encoder.layout)
        codes = self.compiled.instance(row)[0].tolist()
        compared = partial(self._compared, given=given, codes=codes)
        return self.expression.meaning(Algebra(compared, all, any, operator.not_))

    def _compared(self, test: Test, given: GivenRow, codes: list[int]) -> bool:
        compiled = self.compiled
        j = feature_index(test.feature, compiled.features, "constraints")
        line, first = compiled.values[j], test.values[0]
        if isinstance(line, NumberLine) and first in compiled.features:
            one, two = (self._number(i, given) for i in (j, compiled.features.index(str(first))))
            return one is None or two is None or SIGNS[test.operator](one, two)
        if isinstance(line, NumberLine):
            number = line[codes[j]]  # a missing one, which is NaN, is neither less nor more than any, and equal to none
            if test.operator in SIGNS:
                return SIGNS[test.operator](number, first)
            return (number in test.values) == (test.operator == "in")
        places = [_place(line, value) for value in test.values]
        if test.operator in SIGNS:
            return SIGNS[test.operator](codes[j], places[0])
        return (codes[j] in places) == (test.operator == "in")

    def _number(self, j: int, given: GivenRow) -> float | None:
        """The number in the cell of a feature; None where it is missing."""
        reader = self.compiled.encoder.readers[j]
        return reader.number(given.cell(reader.sources[0]))


def _place(labels: Any, value: Any) -> int:
    """The place of a label, which may be known by its text."""
    for place, label in enumerate(labels):
        if type(label) is type(value) and label == value:
            return place
    return [str(label) for label in labels].index(str(value))


def raw_relation(given: Any, compiled: Classifier) -> RawRelation:
    """A relation of an explanation, as it is there or as its file has it."""
    text = str(given)
    expression = getattr(given, "expression", None)
    return RawRelation(text, parse(text) if expression is None else expression, compiled)
