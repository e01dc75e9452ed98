"""Conditions on rows -> functions: the expressions of `constraints=`, and comparisons of columns with any numbers.

Where a condition compares a column with a number that no range of the classifier begins at, the column is cut there,
too. A missing number is neither less nor more than any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symcf.data.columns import Ranges, RawColumns
from symcf.data.labels import feature_index
from symcf.data.regions import Region
from symcf.data.shared import Columns, shared
from symcf.errors import OptionError
from symcf.question.comparisons import cuts_of
from symcf.question.expressions import Test, require
from symcf.question.relations import Relations, as_expression
from symcf.system.combine import Part

__all__ = ["condition_part"]


def condition_part(columns: Columns, given: Any) -> Part:
    """The rows for which a condition holds, as a function over these columns or finer ones."""
    expression = require(given) if isinstance(given, Mapping) else as_expression(given)
    cuts = cuts_of([expression], columns.features, _regions(columns))
    if cuts:
        columns = _finer(columns, cuts)
    for test in expression.tests():
        if any(value in columns.features for value in test.values) and not _is_value(test, columns):
            raise OptionError(f"condition: {test}: a column is compared with values here, not with another column")
    relations = Relations(
        [expression], columns.features, columns.values, columns.ordered, readers=columns.reader.readers
    )
    (core,) = relations.diagrams(range(len(columns.features)))
    return Part(core, None, columns)


def _regions(columns: Columns) -> list[Mapping[int, Region] | None]:
    return [reader.regions for reader in columns.reader.readers]


def _is_value(test: Test, columns: Columns) -> bool:
    """Is it compared with names of its own values?"""
    labels = columns.values[feature_index(test.feature, columns.features, "condition")]
    return all(str(value) in map(str, labels) for value in test.values)


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
