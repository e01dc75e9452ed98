"""Conditions on rows -> functions: the expressions of `constraints=`, and comparisons of columns with any numbers.

Where a condition compares a column with a number that no range of the classifier begins at, the column is cut there,
too. A missing number is neither less nor more than any.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from symcf.diagrams.combine import Part
from symcf.errors import OptionError
from symcf.questions.expressions import All, Any_, Expression, Implies, Not, Test, require
from symcf.questions.relations import Relations, as_expression
from symcf.rows.columns import Ranges, RawColumns
from symcf.rows.encoder import as_float
from symcf.rows.labels import feature_index
from symcf.rows.regions import Region
from symcf.rows.shared import Columns, shared

__all__ = ["condition_part"]

#: The largest number.
MOST = sys.float_info.max


def condition_part(columns: Columns, given: Any) -> Part:
    """The rows for which a condition holds, as a function over these columns or finer ones."""
    expression = require(given) if isinstance(given, Mapping) else as_expression(given)
    numbers = _numbers(expression, columns)
    if numbers:
        finer = _finer(columns, numbers)
        expression = _rewritten(expression, lambda test: _in_ranges(test, columns, finer))
        columns = finer
    for test in _tests(expression):
        if any(value in columns.features for value in test.values) and not _is_value(test, columns):
            raise OptionError(f"condition: {test}: a column is compared with values here, not with another column")
    relations = Relations([expression], columns.features, columns.values, columns.ordered)
    (core,) = relations.diagrams(range(len(columns.features)))
    return Part(core, None, columns)


def _tests(expression: Expression) -> list[Test]:
    match expression:
        case Test():
            return [expression]
        case Not(part):
            return _tests(part)
        case All(parts) | Any_(parts):
            return [test for part in parts for test in _tests(part)]
        case Implies(condition, consequence):
            return [*_tests(condition), *_tests(consequence)]
    raise AssertionError(expression)


def _is_value(test: Test, columns: Columns) -> bool:
    """Is it compared with names of its own values?"""
    labels = columns.values[feature_index(test.feature, columns.features, "condition")]
    return all(str(value) in map(str, labels) for value in test.values)


def _rewritten(expression: Expression, replace: Callable[[Test], Expression]) -> Expression:
    match expression:
        case Test():
            return replace(expression)
        case Not(part):
            return Not(_rewritten(part, replace))
        case All(parts):
            return All(tuple(_rewritten(part, replace) for part in parts))
        case Any_(parts):
            return Any_(tuple(_rewritten(part, replace) for part in parts))
        case Implies(condition, consequence):
            return Implies(_rewritten(condition, replace), _rewritten(consequence, replace))
    raise AssertionError(expression)


def _compares_numbers(test: Test, columns: Columns) -> int | None:
    """The feature, if the test compares numbers that are not names of its values."""
    try:
        j = feature_index(test.feature, columns.features, "condition")
    except OptionError:
        return None  # reported where names are looked up
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in test.values)
    if columns.reader.readers[j].regions is None or not numbers:
        return None
    return j


def _numbers(expression: Expression, columns: Columns) -> dict[int, set[float]]:
    """By feature, where the ranges must begin."""
    found: dict[int, set[float]] = {}
    for test in _tests(expression):
        j = _compares_numbers(test, columns)
        if j is None:
            continue
        cuts = found.setdefault(j, set())
        for value in _values(test):
            if test.operator not in ("<=", ">"):
                cuts.add(_least(value))
            if test.operator not in ("<", ">="):
                cuts.add(_least(value, above=True))
    return {j: finite for j, cuts in found.items() if (finite := set(filter(math.isfinite, cuts))) or cuts}


def _least(value: float, *, above: bool = False) -> float:
    """The least float that is at least this number, or above it."""
    number = as_float(value)
    return math.nextafter(number, math.inf) if number < value or (above and number == value) else number


def _values(test: Test) -> Sequence[float]:
    return [value for value in test.values if isinstance(value, (int, float))]


def _finer(columns: Columns, numbers: Mapping[int, set[float]]) -> Columns:
    layout = columns.reader.layout
    readers = []
    for j, cuts in numbers.items():
        (column,) = columns.reader.readers[j].sources
        codes = tuple(range(len(cuts) + 1))
        markers = tuple((hole, len(codes)) for hole in _holes(columns, j))
        readers.append(Ranges(column, tuple(sorted(cuts)), codes, len(codes), markers))
    extra = Columns(
        tuple(columns.features[j] for j in numbers),
        tuple(tuple(range(len(reader.codes) + 1)) for reader in readers),
        (True,) * len(readers),
        RawColumns(layout.names, readers, named=layout.named),
    )
    return shared([columns, extra])[0]


def _holes(columns: Columns, j: int) -> set[float]:
    """Numbers that stand for something else."""
    regions: Mapping[int, Region] = columns.reader.readers[j].regions or {}
    return {hole for region in regions.values() for hole in region.holes}


def _in_ranges(test: Test, columns: Columns, finer: Columns) -> Expression:
    """A comparison with numbers, as one with ranges."""
    j = _compares_numbers(test, columns)
    if j is None:
        return test
    if test.operator == "not in":  # which holds for missing numbers, too
        return Not(_in_ranges(replace(test, operator="in"), columns, finer))
    regions = finer.reader.readers[j].regions
    assert regions is not None
    inside = [finer.values[j][code] for code, region in regions.items() if _holds(test, region)]
    name = finer.features[j]
    every = tuple(finer.values[j])
    return Test(name, "in", tuple(map(_said, inside))) if inside else Test(name, "not in", tuple(map(_said, every)))


def _said(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _holds(test: Test, region: Region) -> bool:
    """For the numbers of a range, of which none is on the other side."""
    values = _values(test)
    first, last = max(region.first, -MOST), min(region.last, MOST)
    match test.operator:
        case "<":
            return last < values[0]
        case "<=":
            return last <= values[0]
        case ">":
            return first > values[0]
        case ">=":
            return first >= values[0]
    return first == last and first in values
