"""Estimators that add up functions of numbers, with columns of numbers as they are: no bins.

Scaling is folded into the coefficients in fractions, so nothing is lost but one rounding to 62 bits per coefficient.
The ranges of the numbers are not in the estimator: they come from ``data=`` or ``ranges=``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.data.columns import RawColumns
from symcf.data.encoder import as_floats, is_missing
from symcf.data.numbers import NumberLine, Numbers, number_line, observed
from symcf.data.reader import ColumnLayout, read_rows
from symcf.errors import ModelError
from symcf.models.additive import AdditiveClassifier, NumberTerm
from symcf.models.base import Model
from symcf.models.links import Link
from symcf.models.sklearn.design import Design, Source
from symcf.models.sklearn.feature_values import raw_fill
from symcf.models.sklearn.functions import folded
from symcf.models.sklearn.lineage import Domain, is_marker
from symcf.models.sklearn.seen import Seen

__all__ = ["Additive", "Line", "Parabola", "additive", "fractions", "number_lines"]

#: The rounding of doubles.
DOUBLE = Fraction(1, 2**52)


@dataclass(frozen=True)
class Line:
    """The estimator adds ``slope * z`` to each sum for what it sees in a column."""

    #: By sum.
    slope: Sequence[Fraction]
    #: By sum, a bound on the magnitudes that the slope is a sum of, where the estimator adds them up one by one.
    bound: Sequence[Fraction] | None = None

    def of(self, k: int, z: Fraction) -> Fraction:
        """What it adds."""
        return self.slope[k] * z

    def composed(self, k: int, a: Fraction, b: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Curve, slope and constant for ``z = a * x + b``."""
        return Fraction(0), self.slope[k] * a, self.slope[k] * b

    def size(self, k: int, z: Fraction) -> Fraction:
        """A bound on the magnitudes that are added up for numbers up to this one."""
        return abs((self.bound or self.slope)[k]) * z


@dataclass(frozen=True)
class Parabola:
    """The estimator adds ``-(z - mean)**2 / (2 * variance)`` to each sum."""

    mean: Sequence[Fraction]
    variance: Sequence[Fraction]

    def of(self, k: int, z: Fraction) -> Fraction:
        """What it adds."""
        return -((z - self.mean[k]) ** 2) / (2 * self.variance[k])

    def composed(self, k: int, a: Fraction, b: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Curve, slope and constant for ``z = a * x + b``."""
        rest, double = b - self.mean[k], 2 * self.variance[k]
        return -a * a / double, -2 * a * rest / double, -rest * rest / double

    def size(self, k: int, z: Fraction) -> Fraction:
        """A bound on the magnitudes that are added up for numbers up to this one."""
        return (z + abs(self.mean[k])) ** 2 / (2 * self.variance[k])


@dataclass(frozen=True)
class Additive:
    """An estimator as sums over the columns that it sees."""

    name: str
    columns: Sequence[Line | Parabola]
    #: By sum.
    constant: Sequence[Fraction]
    probability: str | None


def number_lines(source: Source, ranges: Mapping[Any, Any] | None) -> dict[int, NumberLine]:
    """By raw column, where its numbers lie: for columns that reach the estimator as numbers, are not listed in
    ``values``, and are in ``ranges`` or hold more than 0 and 1 in the data.
    """
    given = {source.index(column, "ranges"): what for column, what in (ranges or {}).items()}
    read = {id(lineage.domain) for lineage in source.lineages if not lineage.finite}
    wanted = [i for i, domain in enumerate(source.domains) if id(domain) in read and _is_plain(domain)]
    for column in given:
        if column not in wanted:
            raise ModelError(
                f"ranges: column {source.names[column]!r} does not reach the estimator as a plain number; leave it out"
            )
    lines = {}
    table = None
    if source.data is not None:
        table = read_rows(source.data, ColumnLayout(source.names, tuple(wanted), source.named, extra=True))
    for column in wanted:
        tick()
        name, ends = source.names[column], given.get(column)
        if table is not None:
            seen, _ = as_floats(np.asarray(table.column(column)))
            markers = [fill.marker for fill in source.domains[column].fills if not is_missing(fill.marker)]
            seen = seen[np.isfinite(seen) & ~np.isin(seen, [m for m in markers if m is not None])]
            if ends is not None or not len(seen) or not np.isin(seen, (0.0, 1.0)).all():
                lines[column] = observed(seen, name, ends)
        elif ends is not None:
            lines[column] = number_line(ends, 1 if _are_integers(ends) else None, name)
    return lines


def _are_integers(ends: Any) -> bool:
    """Ends that are written as integers are those of a column of integers."""
    return isinstance(ends, (list, tuple)) and all(isinstance(end, (int, np.integer)) for end in ends)


def _is_plain(domain: Domain) -> bool:
    """Is a column that reaches the estimator as a number read as nothing else but that, and whether it is missing?"""
    binned = bool(domain.cuts) and not domain.functions  # else the cuts are where a function is undefined
    return domain.numbers is None and domain.categories is None and not binned


def additive(
    source: Source, lines: Mapping[int, NumberLine], estimator: Additive, classes: tuple[Any, ...], other: bool
) -> Model:
    """The model. ``lines`` has the columns that are taken as numbers."""
    domains = {id(source.domains[column]): source.domains[column] for column in lines}
    for domain in domains.values():
        for one, another in itertools.combinations(domain.fills, 2):
            if is_marker(one.marker, another.marker) and raw_fill(one) != raw_fill(another):
                domain.add_missing(one.marker)  # imputed in two ways, which no number is
    links: dict[int, Link | None] = {}
    for lineage in source.lineages:
        if id(lineage.domain) in domains and not lineage.finite:
            known = folded(lineage.chain)
            if known is None or links.setdefault(id(lineage.domain), known[0]) != known[0]:
                raise ModelError(
                    f"column {lineage.domain.name!r} reaches {estimator.name} as several functions of its number, "
                    f"which is not supported: keep one of them"
                )
    design = source.design(other=other)
    by_column = {column: links.get(id(source.domains[column])) for column in lines}
    return _Builder(source, lines, estimator, design, by_column).model(classes)


class _Builder:
    def __init__(
        self,
        source: Source,
        lines: Mapping[int, NumberLine],
        estimator: Additive,
        design: Design,
        links: Mapping[int, Link | None],
    ) -> None:
        self._source, self._lines, self._estimator, self._design = source, lines, estimator, design
        #: By raw column, the function of its numbers that the estimator adds up.
        self._links = links
        self._constant = list(estimator.constant)
        self._sums = range(len(estimator.constant))
        self._units = _roundings(source, list(lines))
        for column, link in links.items():
            if link is not None and self._units[column] != DOUBLE:
                raise ModelError(
                    f"column {source.names[column]!r} holds numbers of fewer than 64 bits in data, and steps apply a "
                    f"function to them in as many bits, which is not supported: convert the table to float64"
                )
        #: The whole sum is as fine as its finest column.
        self._unit = min(self._units.values(), default=DOUBLE)
        #: By sum, a bound on all magnitudes that the estimator adds up, each times its rounding.
        self._error = [abs(number) * self._unit for number in estimator.constant]

    def model(self, classes: tuple[Any, ...]) -> Model:
        design, terms, values, readers = self._design, [], [], []
        for j, reader in enumerate(design.encoder.readers):
            tick()
            column = reader.sources[0]
            line = self._lines.get(column) if len(reader.sources) == 1 else None
            terms.append(self._table(j) if line is None else self._number(j, line))
            values.append(design.values[j] if line is None else None)
            readers.append(reader if line is None else self._reader(j, column))
        bias = self._combined(self._constant)
        options: dict[str, Any] = {
            "features": design.features,
            "values": values,
            "classes": classes,
            "ordered": design.ordered,
            "encoder": RawColumns(
                self._source.names,
                readers,
                named=self._source.named,
                doubles=self._doubles(),
                types=self._source.types,
            ),
            "probability": self._estimator.probability,
        }
        given = bias[0] if len(bias) == 1 else list(bias)
        rough = AdditiveClassifier(terms, given, **options)
        # Each number takes a few roundings, and the sum as many as there are columns; a margin is of two sums.
        roundings = 2 * (len(self._estimator.columns) + 8)
        error = roundings * (max(self._error) + Fraction(2) ** -rough.scale)
        return AdditiveClassifier(terms, given, **options, doubt=float(error))

    def _doubles(self) -> list[int]:
        """Columns of numbers that were not followed in fewer than 64 bits."""
        return sorted(column for column, unit in self._units.items() if unit == DOUBLE)

    def _combined(self, by_sum: Sequence[Fraction]) -> list[Fraction]:
        """Two classes have one sum, the difference of the two."""
        return [by_sum[1] - by_sum[0]] if len(by_sum) == 2 else list(by_sum)

    def _by_sum(self, by_sum: Sequence[Fraction]) -> Any:
        combined = self._combined(by_sum)
        return combined[0] if len(combined) == 1 else combined

    def _number(self, j: int, line: NumberLine) -> NumberTerm:
        zero = [Fraction(0) for _ in self._sums]
        curve, slope = list(zero), list(zero)
        column = self._design.encoder.readers[j].sources[0]
        link, ends = self._links[column], (line.low, line.high)
        numbers = [abs(end) for end in (ends if link is None else map(link.at, ends))]
        if not all(map(math.isfinite, numbers)):
            raise ModelError(
                f"column {self._source.names[column]!r}: a step makes no number of an end of its range, "
                f"{line.low!r} or {line.high!r}; give ranges="
            )
        far = Fraction(max(numbers))
        unit = self._units[column]
        # the first cell is that of all numbers, the second that of missing ones, if the estimator can tell
        seen = [[Fraction(float(z)) for z in row] for row in self._design.seen[j].dense()]
        missing = list(zero) if len(seen) > 1 else None
        for i, c in enumerate(self._design.columns[j]):
            lineage = self._source.lineages[c]
            affine = (None, Fraction(0), seen[0][i]) if lineage.finite else folded(lineage.chain)
            assert affine is not None
            _, a, b = affine
            for k in self._sums:
                parts = self._estimator.columns[c].composed(k, a, b)
                curve[k] += parts[0]
                slope[k] += parts[1]
                self._constant[k] += parts[2]
                self._error[k] += self._estimator.columns[c].size(k, abs(a) * far + abs(b)) * unit
                if missing is not None:
                    missing[k] += self._estimator.columns[c].of(k, seen[1][i]) - parts[2]
                    self._error[k] += self._estimator.columns[c].size(k, abs(seen[1][i])) * unit
        if missing is None:
            return NumberTerm(self._by_sum(slope), line, self._by_sum(curve), through=link)
        fills = map(raw_fill, self._source.domains[column].fills)
        apart = replace(line, fill=min(max(next(fills, line.low), line.low), line.high))
        return NumberTerm(self._by_sum(slope), apart, self._by_sum(curve), missing=self._by_sum(missing), through=link)

    def _reader(self, j: int, column: int) -> Numbers:
        reader = _reader(self._source.domains[column], column)
        # a value of its own only if the estimator can tell it
        return reader if self._design.seen[j].n_rows > 1 else replace(reader, apart=())

    def _table(self, j: int) -> list[Any]:
        """By sum, the weights of the values."""
        rows: list[list[Fraction]] = []
        seen = self._design.seen[j]
        columns = [self._estimator.columns[c] for c in self._design.columns[j]]
        for k in self._sums:
            rows.append(_row_sums(seen, [partial(column.of, k) for column in columns]))
            sizes = _row_sums(seen.absolute(), [partial(column.size, k) for column in columns])
            self._error[k] += max(sizes) * self._unit
        if len(rows) == 2:
            rows = [[b - a for a, b in zip(*rows, strict=True)]]
        return rows[0] if len(rows) == 1 else rows


def _row_sums(seen: Seen, functions: Sequence[Callable[[Fraction], Fraction]]) -> list[Fraction]:
    """By row, the exact sum of a function of each column. What most rows have in a column is added once, since a
    one-hot column has one row that differs.
    """
    usual_sum, rest = Fraction(0), [Fraction(0)] * seen.n_rows
    for i, function in enumerate(functions):
        usual = 0.0
        rows, numbers = seen.stored(i)
        if 2 * len(rows) > seen.n_rows:
            rows, numbers = np.arange(seen.n_rows), seen.column(i)
            distinct, counts = np.unique(numbers, return_counts=True)
            usual = float(distinct[np.argmax(counts)])
        added = {number: function(Fraction(number)) for number in {usual, *numbers.tolist()}}
        usual_sum += added[usual]
        for row, number in zip(rows.tolist(), numbers.tolist(), strict=True):
            if number != usual:
                rest[row] += added[number] - added[usual]
    return [usual_sum + one for one in rest]


def _roundings(source: Source, columns: Sequence[int]) -> dict[int, Fraction]:
    """By column of numbers, how much a rounding of the estimator may change its number: it computes with fewer bits
    where the data has fewer.
    """
    if source.data is None or not columns:
        return dict.fromkeys(columns, DOUBLE)
    table = read_rows(source.data, ColumnLayout(source.names, tuple(sorted(columns)), source.named, extra=True))
    types = {column: np.asarray(table.column(column)).dtype for column in columns}
    coarsest = min((kind for kind in types.values() if kind.kind == "f"), key=lambda kind: kind.itemsize, default=None)
    if coarsest is None:
        return dict.fromkeys(columns, DOUBLE)
    return {
        column: Fraction(float(np.finfo(np.result_type(kind, coarsest)).eps)) if kind.kind in "biuf" else DOUBLE
        for column, kind in types.items()
    }


def _reader(domain: Domain, column: int) -> Numbers:
    """Reads the column; markers of missing values are what the imputer makes of them."""
    nan: float | None = None
    markers: list[tuple[float, float]] = []
    apart = tuple(math.nan if one is None or is_missing(one) else float(one) for one in domain.missing)
    for fill in domain.fills:
        if any(is_marker(fill.marker, one) for one in domain.missing):
            continue
        number = raw_fill(fill)
        if not np.isfinite(number):
            raise ModelError(f"column {domain.name!r} is imputed with {fill.value!r}, which is no number")
        if is_missing(fill.marker) or fill.marker is None:
            nan = number
        else:
            markers.append((float(fill.marker), number))
    return Numbers(column, nan, tuple(markers), apart)


def fractions(numbers: Any) -> list[list[Fraction]]:
    """A matrix of floats, exactly."""
    return [[Fraction(float(number)) for number in row] for row in np.atleast_2d(np.asarray(numbers, dtype=np.float64))]
