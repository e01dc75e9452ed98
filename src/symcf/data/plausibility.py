"""Plausibility: how likely a row is, as a percentile of data.

Columns are cut into cells (`cells`), a tree says which column depends on which (`tree`), and counts give the chance of
each cell, given that of the parent. The log-likelihood of a row is a sum of terms, one per column, each rounded once to
a hundredth. From then on everything is integers: rows compare exactly, and the plausibility of a row is the share of
the data's rows that are at most as likely.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from functools import cache
from numbers import Rational, Real
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.common.options import checked_count
from symcf.data.encoder import Encoder, ValueCodes
from symcf.data.numbers import NumberLine
from symcf.errors import InstanceError, ModelError, OptionError

__all__ = ["Cells", "Plausibility", "checked_share", "parents_of"]


# --- cells ------------------------------------------------------------------------------------------------------------
# Cells: what a column of data is counted by.
#
# A value is a cell of its own. Where a column has an order and many values, neighbours with about the same number of
# rows share a cell, and so do numbers that are not cut into ranges.

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Cells:
    """The cells of one column, numbered from 0."""

    #: By code, the cell; None where the column holds numbers.
    table: tuple[int, ...] | None
    #: Where it does: the codes with which the second and later cells begin.
    cuts: tuple[int, ...] = ()

    @classmethod
    def of(cls, codes: Codes, values: Sequence[Hashable], ordered: bool, missing: int | None, most: int) -> Cells:
        """At most ``most`` cells where the values have an order; ``missing`` is a cell of its own."""
        if isinstance(values, NumberLine):
            return cls(None, tuple(_cuts(codes, most)))
        if not ordered or len(values) <= most:
            return cls(tuple(range(len(values))))
        cuts = _cuts(codes[codes != missing] if missing is not None else codes, most)
        table = np.searchsorted(np.array(cuts, dtype=np.int64), np.arange(len(values)), side="right")
        if missing is not None:
            table[missing] = len(cuts) + 1
        number: dict[int, int] = {}
        return cls(tuple(number.setdefault(cell, len(number)) for cell in table.tolist()))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.cuts) + 1 if self.table is None else max(self.table, default=-1) + 1

    @cached_property
    def _array(self) -> Codes:
        return np.array(self.cuts if self.table is None else self.table, dtype=np.int64)

    def of_codes(self, codes: npt.NDArray[Any]) -> Codes:
        """The cells of codes."""
        if self.table is not None:
            return np.asarray(self._array[codes])
        return np.searchsorted(self._array, codes.astype(np.int64), side="right")

    def spread(self, codes: Sequence[int]) -> Cells:
        """The same over finer values, each of which is part of one of these."""
        return self if self.table is None else Cells(tuple(self.table[code] for code in codes))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"cuts": list(self.cuts)} if self.table is None else {"table": list(self.table)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cells:
        """The inverse of `to_dict`."""
        if "table" not in data:
            return cls(None, tuple(map(int, data["cuts"])))
        return cls(tuple(map(int, data["table"])))


@dataclass(frozen=True)
class LabelCells:
    """The cells of a column by label, for models whose rows may have other labels."""

    #: By label that is known, its cell.
    cells: Mapping[Hashable, int]
    #: The cell of labels that are not.
    unseen: int

    @classmethod
    def of(cls, labels: Sequence[Hashable], cells: Cells) -> LabelCells:
        """The labels of codes, and the cells of these."""
        assert cells.table is not None, "a black-box model has no lines of numbers"
        return cls(dict(zip(labels, cells.table, strict=True)), cells.count)

    def over(self, labels: Sequence[Hashable]) -> Cells:
        """The cells of other labels: a number that is not known counts as the next lower one that is."""
        return Cells(tuple(map(self._cell, labels)))

    def _cell(self, label: Hashable) -> int:
        if label in self.cells or not _is_number(label) or not self._numbers:
            return self.cells.get(label, self.unseen)
        return self.cells[self._numbers[max(0, bisect_right(self._numbers, label) - 1)]]

    @cached_property
    def _numbers(self) -> list[Any]:
        return sorted(filter(_is_number, self.cells))


def _is_number(label: Hashable) -> bool:
    return isinstance(label, (Real, Decimal)) and not isinstance(label, bool)


def _cuts(codes: Codes, most: int) -> list[int]:
    """The codes that begin a new cell, so that about the same number of rows is in each."""
    present, counts = np.unique(codes, return_counts=True)
    if len(present) <= most:
        return [int(code) for code in present[1:]]
    before = np.cumsum(counts) - counts  # rows below each code
    wanted = len(codes) * np.arange(1, most) / most
    chosen = np.unique(np.clip(np.searchsorted(before, wanted), 1, len(present) - 1))
    return [int(code) for code in present[chosen]]


#: Terms are in this part of a natural logarithm.
PARTS = 100

#: A column with an order and more values than this is cut into so many cells.
CELLS = 6


class Columns(Protocol):
    """What reads rows: a model, or a classifier that `symcf.compile` made."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names."""

    @property
    def values(self) -> Sequence[Sequence[Hashable]]:
        """By feature, the names of the values."""

    @property
    def ordered(self) -> Sequence[bool]:
        """By feature, whether they come in an order."""

    @property
    def encoder(self) -> Encoder | None:
        """What makes codes of rows; None: rows hold codes."""

    @property
    def is_black_box(self) -> bool:
        """May rows have values that are not among these?"""

    def around(self, rows: Any) -> Columns:
        """The same, with the values of these rows."""


@dataclass(frozen=True)
class Plausibility:
    """How likely rows are, learned from data.

    Made by `Plausibility.fit`, or on the way by ``symcf.compile(model, plausibility=data)``.

    >>> import symcf
    >>> data = [[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 1]]
    >>> model = symcf.LinearClassifier([2, 2], -1)
    >>> p = symcf.Plausibility.fit(data, model)
    >>> p.percentiles([[1, 1], [1, 0]]).tolist()
    [1.0, 0.0]
    """

    features: tuple[str, ...]
    #: By feature, how its values are counted.
    cells: tuple[Cells, ...]
    #: By feature, the one that it depends on; -1 for none.
    parents: tuple[int, ...]
    #: By feature and cell of the parent (one line where there is none), the terms of its cells.
    terms: tuple[tuple[tuple[int, ...], ...], ...]
    #: The sums that the data's rows have, ascending, and how many rows have them.
    sums: tuple[int, ...]
    counts: tuple[int, ...]
    #: By feature, the cells of labels, where rows may have some that are not among the model's values.
    by_label: tuple[LabelCells, ...] = ()

    @classmethod
    def fit(cls, data: Any, columns: Columns, *, cells: int = CELLS, smoothing: float = 1.0) -> Plausibility:
        """Learns from rows of the kind that the classifier reads.

        Parameters
        ----------
        data:
            Rows, in any form that `Compiled.predict` takes; those that the classifier was fitted on are a good choice.
        columns:
            The classifier, or its model.
        cells:
            A column with an order and more values than this is cut into so many cells, which have about the same number
            of rows; the likelihood of a value is that of its cell. Categories and missing values have their own. A
            number that a black-box model has not seen counts as the next lower one that it has, any other new value as
            one that was never seen.
        smoothing:
            What is added to each count, so that what was never seen is unlikely but not impossible.
        """
        most = checked_count(cells, "cells", least=2)
        assert most is not None
        alpha = _checked_smoothing(smoothing)
        given, open_ended = _checked(columns).values, columns.is_black_box
        columns = columns.around(data)
        encoder = _encoder_of(columns)
        try:
            codes = np.asarray(encoder.encode(data), dtype=np.int64)
            if isinstance(encoder, ValueCodes):
                encoder.check(codes)
        except InstanceError as error:
            raise error.at(row=error.row, where="data of the plausibility") from None
        if not len(codes):
            raise OptionError("plausibility: the data have no rows")
        found = tuple(
            Cells.of(codes[:, j], columns.values[j], columns.ordered[j], encoder.missing[j], most)
            for j in range(len(columns.features))
        )
        inside = _cells_of(found, codes)
        parents = tuple(parents_of(inside, [part.count for part in found]))
        terms = tuple(_terms(inside, found, parents, j, alpha, unseen=open_ended) for j in range(len(found)))
        fitted = cls(tuple(columns.features), found, parents, terms, (), ())
        sums, counts = np.unique(fitted.scores(codes), return_counts=True)
        fitted = replace(fitted, sums=tuple(sums.tolist()), counts=tuple(counts.tolist()))
        if not open_ended:
            return fitted
        by_label = tuple(LabelCells.of(labels, part) for labels, part in zip(columns.values, found, strict=True))
        return replace(fitted, by_label=by_label).over(given)

    @property
    def n_rows(self) -> int:
        """The rows of the data."""
        return sum(self.counts)

    # --- rows of codes

    @cached_property
    def tables(self) -> tuple[npt.NDArray[np.int64], ...]:
        """The terms by feature, as arrays (cells of the parent, cells)."""
        return tuple(np.array(lines, dtype=np.int64) for lines in self.terms)

    def scores(self, codes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The log-likelihood of rows of value codes, in hundredths."""
        rows = np.asarray(codes)
        inside = _cells_of(self.cells, rows)
        total = np.zeros(len(rows), dtype=np.int64)
        for j, table in enumerate(self.tables):
            parent = self.parents[j]
            total += table[inside[:, parent] if parent >= 0 else 0, inside[:, j]]
        return total

    def percentiles(self, codes: Any) -> npt.NDArray[np.float64]:
        """By row of value codes, the share of the data's rows that are at most as likely."""
        rows = np.asarray(codes)
        if rows.ndim != 2 or rows.shape[1] != len(self.features) or rows.dtype.kind not in "biu":
            raise InstanceError(f"percentiles: rows of {len(self.features)} value codes are needed")
        for j, part in enumerate(self.cells):
            wrong = np.zeros(0) if part.table is None else (rows[:, j] < 0) | (rows[:, j] >= len(part.table))
            if wrong.any():
                raise InstanceError.bad_code(rows, int(np.argmax(wrong)), j)
        return self.shares(self.scores(rows.astype(np.int64)))

    def shares(self, scores: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The same for sums."""
        rows = np.concatenate([[0], np.cumsum(self.counts)])
        return np.asarray(rows[np.searchsorted(np.array(self.sums), scores, side="right")] / self.n_rows)

    def least(self, share: Fraction) -> int:
        """The smallest sum whose share of the data is at least this, which is above 0."""
        rows = 0
        for total, count in zip(self.sums, self.counts, strict=True):
            rows += count
            if rows >= share * self.n_rows:
                return total
        raise AssertionError("a share is at most 1")

    def spread(self, codes: Sequence[Sequence[int]]) -> Plausibility:
        """The same over finer values: by feature and finer value, the value that it is part of."""
        cells = tuple(part.spread(column) for part, column in zip(self.cells, codes, strict=True))
        return replace(self, cells=cells)

    def on_grid(self, codes: Mapping[int, npt.NDArray[np.int64]]) -> Plausibility:
        """The same where some columns of numbers have these values."""
        cells = (
            Cells(tuple(part.of_codes(codes[j]).tolist())) if j in codes else part for j, part in enumerate(self.cells)
        )
        return replace(self, cells=tuple(cells))

    def over(self, values: Sequence[Sequence[Hashable]]) -> Plausibility:
        """The same for a black-box model with these values."""
        cells = tuple(part.over(labels) for part, labels in zip(self.by_label, values, strict=True))
        return replace(self, cells=cells)

    def leaves_first(self) -> list[int]:
        """The features, each after those that depend on it."""
        order = [j for j, parent in enumerate(self.parents) if parent < 0]
        for j in order:  # it grows on the way
            order += [child for child, parent in enumerate(self.parents) if parent == j]
        return order[::-1]

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "features": list(self.features),
            "cells": [part.to_dict() for part in self.cells],
            "parents": list(self.parents),
            "terms": [[list(line) for line in lines] for lines in self.terms],
            "sums": list(self.sums),
            "counts": list(self.counts),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Plausibility:
        """The inverse of `to_dict`; `ModelError` if the parts do not fit each other."""
        try:
            found = cls(
                tuple(map(str, data["features"])),
                tuple(map(Cells.from_dict, data["cells"])),
                tuple(map(int, data["parents"])),
                tuple(tuple(tuple(map(int, line)) for line in lines) for lines in data["terms"]),
                tuple(map(int, data["sums"])),
                tuple(map(int, data["counts"])),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(f"plausibility: {type(error).__name__}: {error}") from None
        found._check()
        return found

    def _check(self) -> None:
        n = len(self.features)
        shapes = len(self.cells) == len(self.parents) == len(self.terms) == n
        fits = shapes and all(
            -1 <= parent < n
            and len(lines) == (self.cells[parent].count if parent >= 0 else 1)
            and all(len(line) == part.count for line in lines)
            for parent, lines, part in zip(self.parents, self.terms, self.cells, strict=True)
        )
        ascending = all(a < b for a, b in zip(self.sums, self.sums[1:], strict=False))
        counted = len(self.sums) == len(self.counts) > 0 and ascending and min(self.counts) > 0
        if not (fits and counted and _is_forest(self.parents)):
            raise ModelError("plausibility: the parts do not fit each other")

    def check_fits(self, columns: Columns) -> None:
        """`ModelError` if it was learned for other columns."""
        sizes = [len(labels) for labels in columns.values]
        same = self.features == tuple(columns.features) and all(
            part.table is None or len(part.table) == size for part, size in zip(self.cells, sizes, strict=True)
        )
        if not same:
            raise ModelError("plausibility: it was learned for other columns; fit it with this classifier")

    def __repr__(self) -> str:
        links = sum(parent >= 0 for parent in self.parents)
        return f"Plausibility({len(self.features)} features, {links} links, {self.n_rows:,} rows)"


def checked_share(given: Any, option: str) -> Fraction:
    """A number from 0 to 1, as the decimal that the user wrote."""
    number = isinstance(given, (Rational, float, Decimal, np.integer, np.floating)) and not isinstance(given, bool)
    if not number or not 0 <= given <= 1:
        raise OptionError(f"{option} must be a number from 0 to 1, such as 0.05, not {given!r}")
    return Fraction(str(given)) if isinstance(given, (float, np.floating)) else Fraction(given)


def _checked_smoothing(given: Any) -> Fraction:
    number = isinstance(given, (Rational, float, Decimal, np.integer, np.floating)) and not isinstance(given, bool)
    if not number or not 0 < given < float("inf"):
        raise OptionError(f"smoothing must be a positive number, not {given!r}")
    return Fraction(str(given)) if isinstance(given, (float, np.floating)) else Fraction(given)


def _checked(columns: Columns) -> Columns:
    if not all(hasattr(columns, name) for name in ("features", "values", "ordered")):
        raise TypeError(f"Plausibility.fit takes a model or a compiled classifier, not {type(columns).__name__}")
    return columns


def _encoder_of(columns: Columns) -> Encoder:
    if columns.encoder is not None:
        return columns.encoder
    return ValueCodes(columns.features, [len(labels) for labels in columns.values], columns.values)


def _cells_of(cells: Sequence[Cells], codes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    inside = np.empty(codes.shape, dtype=np.int64)
    for j, part in enumerate(cells):
        inside[:, j] = part.of_codes(codes[:, j])
    return inside


def _terms(
    inside: npt.NDArray[np.int64],
    cells: Sequence[Cells],
    parents: Sequence[int],
    j: int,
    alpha: Fraction,
    *,
    unseen: bool,
) -> tuple[tuple[int, ...], ...]:
    """By cell of the parent, the logarithm of the chance of each cell: (count + alpha) of (all + alpha times cells).
    With ``unseen``, there is one more cell, of values that occur nowhere.
    """
    parent, size = parents[j], cells[j].count
    above = cells[parent].count if parent >= 0 else 1
    place = inside[:, j] + (inside[:, parent] * size if parent >= 0 else 0)
    joint = np.bincount(place, minlength=above * size).reshape(above, size).tolist()
    lines = [*joint, *([[0] * size] if unseen and parent >= 0 else [])]
    more = [0] if unseen else []
    return tuple(
        tuple(_log((count + alpha) / (sum(line) + alpha * size)) for count in (*line, *more)) for line in lines
    )


@cache
def _log(chance: Fraction) -> int:
    """The natural logarithm in `PARTS`, rounded; the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        exact = PARTS * (Decimal(chance.numerator) / Decimal(chance.denominator)).ln()
        return int(exact.to_integral_value(rounding=ROUND_HALF_EVEN))


def _is_forest(parents: Iterable[int]) -> bool:
    above = list(parents)
    for j in range(len(above)):
        steps = 0
        while j >= 0:
            j, steps = above[j], steps + 1
            if steps > len(above):
                return False
    return True


# --- the tree ---------------------------------------------------------------------------------------------------------
# Which columns depend on which: a tree of largest mutual information (Chow and Liu 1968).
#
# An edge has to be worth its parameters: it stays if what it adds to the log-likelihood of the data exceeds half a
# logarithm of the number of rows for each of them (Rissanen's description length). So the tree may be a forest.

#: Gains are rounded to this many places, so that machines whose logarithms differ in the last one agree.
PLACES = 6

#: Tables of two columns with more cells than this are not written out.
MOST_PAIRS = 1 << 20


def parents_of(cells: npt.NDArray[np.int64], counts: Sequence[int]) -> list[int]:
    """By column, the column that it depends on; -1 for none. ``cells`` has one line per row of the data."""
    n = cells.shape[1]
    gains = []
    for i in range(n):
        for j in range(i + 1, n):
            gain = _gain(cells[:, i], cells[:, j], counts[i], counts[j])
            if gain > 0:
                gains.append((-round(gain, PLACES), i, j))
    linked: list[list[int]] = [[] for _ in range(n)]
    part = list(range(n))
    for _, i, j in sorted(gains):
        if part[i] != part[j]:
            old, new = part[j], part[i]
            part = [new if p == old else p for p in part]
            linked[i].append(j)
            linked[j].append(i)
    parents = [-2] * n
    for root in range(n):
        if parents[root] != -2:
            continue
        parents[root] = -1
        stack = [root]
        while stack:
            i = stack.pop()
            for j in linked[i]:
                if parents[j] == -2:
                    parents[j] = i
                    stack.append(j)
    return parents


def _gain(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], n_a: int, n_b: int) -> float:
    """What an edge adds to the log-likelihood, less what its parameters cost."""
    rows = len(a)
    if n_a * n_b <= MOST_PAIRS:
        table = np.bincount(a * n_b + b, minlength=n_a * n_b)
        pairs = np.flatnonzero(table)
        counts, of_a, of_b = table[pairs], table.reshape(n_a, n_b).sum(axis=1), table.reshape(n_a, n_b).sum(axis=0)
    else:  # most of it is empty
        pairs, counts = np.unique(a * n_b + b, return_counts=True)
        of_a, of_b = np.bincount(a, minlength=n_a), np.bincount(b, minlength=n_b)
    joint = counts.astype(np.float64)
    expected = of_a[pairs // n_b].astype(np.float64) * of_b[pairs % n_b] / max(rows, 1)
    information = float((joint * np.log(joint / expected)).sum())
    free = (int((of_a > 0).sum()) - 1) * (int((of_b > 0).sum()) - 1)
    return information - 0.5 * free * math.log(max(rows, 2))
