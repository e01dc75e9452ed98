"""Questions that need finitely many values, about columns of numbers: the multiples of each column's resolution.

Over all numbers there are infinitely many smallest moves, and no list of all values. On a grid there are finitely many,
and a sum of numbers is a sum of weights, which every search knows. A row's own numbers are values, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.data.encoder import FeatureReader
from symcf.data.given import GivenRow
from symcf.data.grids import count_multiples, multiples
from symcf.data.labels import code_of
from symcf.data.numbers import MISSING, NumberLine, codes_of_numbers
from symcf.data.reader import as_column
from symcf.data.regions import checked_resolutions
from symcf.errors import OptionError
from symcf.models.grid import MISSING_NAME
from symcf.question.gains import doubts_of
from symcf.system.classifier import Classifier
from symcf.system.decision import NumberSums

__all__ = ["MOST_VALUES", "for_changes", "listed_values", "on_grid", "on_same_grids", "with_data"]

C = TypeVar("C", bound=Classifier)
Codes = npt.NDArray[np.int64]

#: Values that a column may have on its grid.
MOST_VALUES = 1 << 16


def on_grid(classifier: C, what: str, x: Any = None) -> C:
    """The classifier over the grids of its columns of numbers, and the numbers of a row; itself where there are none.
    `OptionError` names ``what`` if a column has no grid, or too fine a one.
    """
    return classifier if classifier.decision.numbers is None else classifier.on_grid(*_grids(classifier, what, x))


def on_same_grids(classifiers: Sequence[C], what: str, resolution: Any = None) -> list[C]:
    """The same for classifiers that are combined: columns of the same name have the values of all."""
    known = resolution if isinstance(resolution, Mapping) else {}
    every = []
    for classifier in classifiers:
        own = {name: step for name, step in known.items() if name in classifier.features}
        every.append({} if classifier.decision.numbers is None else _grids(classifier, what, None, own or None)[0])
    merged: dict[str, Codes] = {}
    for classifier, codes in zip(classifiers, every, strict=True):
        for j, of in codes.items():
            name = _column(classifier, j)
            merged[name] = np.union1d(merged[name], of) if name in merged else of
    return [
        classifier.on_grid({j: merged[_column(classifier, j)] for j in codes}) if codes else classifier
        for classifier, codes in zip(classifiers, every, strict=True)
    ]


def _column(classifier: Classifier, j: int) -> str:
    return classifier.encoder.layout.names[classifier.encoder.readers[j].sources[0]]


def with_data(classifier: C, data: Any, x: Any) -> C:
    """The classifier over the numbers that the data has, and those of a row."""
    numbers = classifier.decision.numbers
    if numbers is None:
        return classifier
    rows, own = classifier.codes(data), classifier.instance(x)
    return classifier.on_grid({j: np.unique(np.append(rows[:, j], own[0, j])) for j in numbers.rule.numbers})


def for_changes(classifier: C, x: Any, question: Mapping[str, Any], what: str) -> C:
    """The same for a row that is to be changed: by how much another class has to win is part of it."""
    numbers = classifier.decision.numbers
    if numbers is None:
        return classifier
    target = None if question.get("target") is None else code_of(question["target"], classifier.classes, "target")
    codes, own = _grids(classifier, what, x, question.get("resolution"))
    return classifier.on_grid(codes, own, _ahead(classifier, numbers, x, target))


def listed_values(classifier: C, values: Sequence[Sequence[Any]], x: Any, target: int | None) -> C:
    """The classifier over the values of an explanation, if those are numbers of a grid; else itself."""
    numbers = classifier.decision.numbers
    if numbers is None or any(isinstance(values[j], NumberLine) for j in numbers.rule.numbers):
        return classifier
    codes = {}
    for j in numbers.rule.numbers:
        found = codes_of_numbers(np.array([math.nan if of == MISSING_NAME else float(of) for of in values[j]]))
        codes[j] = np.where([of == MISSING_NAME for of in values[j]], MISSING, found)
    return classifier.on_grid(codes, None, _ahead(classifier, numbers, x, target))


def _ahead(classifier: Classifier, numbers: NumberSums, x: Any, target: int | None) -> list[int]:
    """What is added to the sum of each class, so that another one than the row's wins by the doubt of the model."""
    row = classifier.instance(x).astype(np.int64)
    terms = numbers.terms(row)
    doubt, prediction = int(doubts_of(numbers, terms)[0]), int(numbers.classes_of(terms, row)[0])
    ahead = [0] * len(numbers.rule.bias)
    if len(ahead) == 1:
        ahead[0] = max(0, doubt - 1) if prediction else -doubt
    elif target is None:
        ahead[prediction] = doubt
    else:
        ahead[target] = -doubt
    return ahead


def _grids(
    classifier: Classifier, what: str, x: Any = None, resolution: Any = None
) -> tuple[dict[int, Codes], dict[int, int]]:
    """By column of numbers, the codes of its grid and of the row's own number; and the latter where it is not on it."""
    given = None if x is None else GivenRow(x, classifier.encoder.layout)
    row = None if x is None else classifier.instance(x)
    resolutions = {} if resolution is None else checked_resolutions(resolution, classifier.features)
    codes, own = dict[int, Codes](), dict[int, int]()
    for j, line in enumerate(classifier.values):
        if not isinstance(line, NumberLine):
            continue
        reader = classifier.encoder.readers[j]
        layout = classifier.encoder.layout if given is None else given
        kind = layout.type_of(reader.sources[0])
        step = resolutions.get(j, line.resolution)
        if kind is not None and kind.is_whole:
            step = Fraction(1) if step is None else Fraction(step.numerator)
        numbers = multiples(line, _checked_step(classifier, j, line, step, what))
        short = None if kind is None else kind.short
        if given is not None and isinstance(cell := given.cell(reader.sources[0]), (np.float32, np.float16)):
            short = cell.dtype
        if short is not None:
            with np.errstate(over="ignore"):
                numbers = numbers.astype(short).astype(np.float64)
        codes[j] = _readable(reader, numbers)
        if row is not None and int(row[0, j]) not in codes[j]:
            own[j] = int(row[0, j])
            codes[j] = np.unique(np.append(codes[j], own[j]))
    return codes, own


def _checked_step(classifier: Classifier, j: int, line: NumberLine, step: Fraction | None, what: str) -> Fraction:
    name = classifier.features[j]
    if step is None:
        raise OptionError(
            f"{what} needs finitely many values, and {name!r} may be any number: give it a resolution, a number that "
            f"its values are multiples of"
        )
    count = count_multiples(line, step)
    if count > MOST_VALUES:
        raise OptionError(
            f"{what}: {name!r} has {count:,} multiples of {float(step):g} from {line.low:g} to {line.high:g}, more "
            f"than {MOST_VALUES:,}; give a larger resolution"
        )
    return step


def _readable(reader: FeatureReader, numbers: npt.NDArray[np.float64]) -> Codes:
    """The codes of numbers that stand for themselves."""
    codes = codes_of_numbers(numbers)
    return np.unique(codes[(codes >= 0) & (reader.read([as_column(numbers.tolist())]) == codes)])
