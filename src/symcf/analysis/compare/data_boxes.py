"""Where two classifiers differ most on the rows of a table, as few boxes.

A box restricts some columns: a column of numbers to an interval, another to some of its entries. The search looks for
the box with the greatest weight, where a row that changes as the box says weighs 1 and any other row less than nothing,
so that a box of positive weight has the purity that is asked for. It improves one column at a time: with the other
columns as they are, the best interval and the best set of entries of one column are found exactly. The weight of other
rows grows from the odds in the whole table, for which all rows weigh nothing, so that boxes shrink slowly from there.
That finds good boxes, not provably the best; what a box says about the table is counted on all of its rows.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.common.text import one_line, plain
from symcf.data.encoder import is_missing
from symcf.data.reader import read_rows
from symcf.data.regions import number_text
from symcf.errors import LimitError
from symcf.system.classifier import Classifier

__all__ = ["Condition", "DataBox", "boxes_of", "raw_columns"]

#: Columns that a box restricts at most, rows that the search looks at, and steps in which other rows become heavier.
MOST_COLUMNS, SEARCHED, STEPS = 4, 20_000, (1, 4, 8)

#: The code of a missing entry.
MISSING = -1

Rows = npt.NDArray[np.bool_]
Columns = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Condition:
    """What a column may be in a box."""

    #: The ends of an interval of numbers, both included; None where there is no end. ``labels`` is None then.
    low: float | None
    high: float | None
    #: The entries that are in the box, or all but those that are not, whichever are fewer.
    labels: tuple[Hashable, ...] | None
    #: Are the labels those that are not in the box?
    negated: bool
    #: May an entry be missing?
    missing: bool
    #: Are there missing entries in the table?
    has_missing: bool

    def holds(self, column: npt.NDArray[Any]) -> Rows:
        """The entries that are in the box."""
        numbers, gone = _numbers(column)
        if self.labels is not None:
            found = np.fromiter(((cell in self.labels) != self.negated for cell in _cells(column)), bool, len(column))
        elif numbers is None:
            raise TypeError("the column must hold numbers")
        else:
            found = np.ones(len(column), dtype=np.bool_)
            found &= True if self.low is None else numbers >= self.low
            found &= True if self.high is None else numbers <= self.high
        return np.where(gone, self.missing, found)

    def __str__(self) -> str:
        if self.labels is None:
            text = _interval(self.low, self.high)
        else:
            names = " or ".join(filter(None, [", ".join(map(_name, self.labels[:-1])), *map(_name, self.labels[-1:])]))
            text = f"not {names}" if self.negated and names else names
        if not self.has_missing:
            return text
        if not text:
            return "missing" if self.missing else "not missing"
        if self.negated:
            return text if self.missing else f"{text} and not missing"
        return f"{text} or missing" if self.missing else text


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        if low is not None:
            return f"{number_text(low)} or more"
        return "" if high is None else f"{number_text(high)} or less"
    return number_text(low) if low == high else f"{number_text(low)} to {number_text(high)}"


def _name(label: Hashable) -> str:
    return ("yes" if label else "no") if isinstance(label, (bool, np.bool_)) else one_line(label)


@dataclass(frozen=True)
class DataBox:
    """A box, and what the two classifiers decide about the rows of the data in it."""

    first: Hashable
    second: Hashable
    conditions: Mapping[str, Condition]
    #: Rows of the data in the box, and those of them that the first gives its class and the second the other.
    rows: int
    different: int
    #: Rows of the data.
    total: int

    @property
    def share(self) -> float:
        """Of the data: the rows in the box that are decided differently in this way."""
        return self.different / self.total

    def holds(self, rows: Mapping[str, Any]) -> Rows:
        """Which of the rows of a table are in the box?"""
        (count,) = {len(rows[name]) for name in rows}
        found = np.ones(count, dtype=np.bool_)
        for name, condition in self.conditions.items():
            found &= condition.holds(np.asarray(rows[name]))
        return found

    def to_dict(self) -> dict[str, Any]:
        """As strings and numbers."""
        where = {name: str(condition) for name, condition in self.conditions.items()}
        return {
            "first": plain(self.first),
            "second": plain(self.second),
            "where": where,
            "rows": self.rows,
            "different": self.different,
            "share": self.share,
        }

    def __str__(self) -> str:
        where = " and ".join(f"{one_line(name)} {text}" for name, text in self.conditions.items()) or "all rows"
        these = "" if self.rows == 1 else "all " if self.different == self.rows else f"{self.different:,} of them "
        turned = f"from {one_line(self.first)} to {one_line(self.second)}"
        return f"{where}: {self.rows:,} of {self.total:,} rows of the data, {these}{turned}"


def raw_columns(rows: Any, *classifiers: Classifier) -> dict[str, npt.NDArray[Any]]:
    """The columns that classifiers read, by name, as they were given."""
    found: dict[str, npt.NDArray[Any]] = {}
    for one in classifiers:
        layout = one.encoder.layout
        table = read_rows(rows, layout)
        for place, name in layout.by_name.items():
            if name not in found:
                found[name] = np.asarray(table.column(place))
    return found


def boxes_of(
    columns: Columns,
    changes: Mapping[tuple[Hashable, Hashable], Rows],
    most: int,
    purity: float,
    clock: Clock,
) -> tuple[list[DataBox], int]:
    """Up to `most` boxes, those with most rows that change first, and how many rows that change are in none of them.

    ``changes`` has the rows of each pair of classes.
    """
    total = len(next(iter(changes.values()))) if changes else 0
    features = [_Feature(name, column) for name, column in columns.items()]
    features = [feature for feature in features if feature.n_codes > 1]
    left = {pair: rows.copy() for pair, rows in changes.items()}
    best: dict[tuple[Hashable, Hashable], tuple[dict[str, Condition], Rows] | None] = {}
    boxes: list[DataBox] = []
    while len(boxes) < most:
        for pair, rows in left.items():
            if pair not in best:
                best[pair] = _best(features, columns, changes[pair], rows, purity, clock) if rows.any() else None
        found = [(int((box[1] & left[pair]).sum()), pair, box) for pair, box in best.items() if box is not None]
        if not found:
            break
        _, pair, (conditions, inside) = max(found, key=lambda one: one[0])
        different = int((inside & changes[pair]).sum())
        boxes.append(DataBox(*pair, conditions, int(inside.sum()), different, total))
        left[pair] &= ~inside
        del best[pair]
    boxes.sort(key=lambda box: -box.different)
    return boxes, sum(int(rows.sum()) for rows in left.values())


class _Feature:
    """A column as codes: the ranks of its numbers, or the numbers of its entries; `MISSING` where there is none."""

    def __init__(self, name: str, column: npt.NDArray[Any]) -> None:
        self.name = name
        numbers, gone = _numbers(column)
        self.has_missing = bool(gone.any())
        self.is_number = numbers is not None
        self.values: Sequence[Any]
        if numbers is not None:
            found, codes = np.unique(numbers[~gone], return_inverse=True)
            self.values = found.tolist()
        else:
            cells = [cell for cell, none in zip(_cells(column), gone.tolist(), strict=True) if not none]
            self.values = sorted(dict.fromkeys(cells), key=lambda cell: (str(type(cell)), str(cell)))
            place = {cell: i for i, cell in enumerate(self.values)}
            codes = np.fromiter((place[cell] for cell in cells), np.int64, len(cells))
        self.codes = np.full(len(column), MISSING, dtype=np.int64)
        self.codes[~gone] = codes
        self.n_codes = len(self.values) + self.has_missing

    def best(self, codes: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """By code, and at the end for missing entries: the interval or the set of entries of the greatest weight. Never
        empty where there are rows; beyond them only as far as the column's end.
        """
        by_code = np.roll(np.bincount(codes + 1, weights, minlength=len(self.values) + 1), -1)
        present = np.roll(np.bincount(codes + 1, minlength=len(self.values) + 1), -1) > 0
        chosen = np.zeros(len(self.values) + 1, dtype=np.bool_)
        if self.is_number:
            first, last = _heaviest(by_code[:-1].astype(np.float64))
            while 0 < first < last and not present[first]:
                first += 1
            while first < last < len(self.values) and not present[last - 1]:
                last -= 1
            chosen[first:last] = True
            chosen[-1] = by_code[-1] >= 0
        else:
            chosen[:] = by_code >= 0
        if not chosen[present].any() and present.any():
            chosen[:] = False
            chosen[int(np.argmax(np.where(present, by_code, -np.inf)))] = True
        return chosen

    def condition(self, chosen: npt.NDArray[np.bool_]) -> Condition:
        """The same for people."""
        missing, inside = bool(chosen[-1]), np.flatnonzero(chosen[:-1]).tolist()
        if self.is_number and inside:
            first, last = inside[0], inside[-1]
            if first == last:
                return Condition(self.values[first], self.values[first], None, False, missing, self.has_missing)
            low = None if first == 0 else _short_between(self.values[first - 1], self.values[first])
            high = None if last == len(self.values) - 1 else -_short_between(-self.values[last + 1], -self.values[last])
            return Condition(low, high, None, False, missing, self.has_missing)
        others = np.flatnonzero(~chosen[:-1]).tolist()
        negated = not self.is_number and len(others) < len(inside)
        labels = tuple(self.values[i] for i in (others if negated else inside))
        return Condition(None, None, labels, negated, missing, self.has_missing)


def _heaviest(weights: npt.NDArray[np.float64]) -> tuple[int, int]:
    """The interval of the greatest sum, as long as it can be: its first place, and the one after its last."""
    sums = np.concatenate([[0.0], np.cumsum(weights)])
    least = np.minimum.accumulate(sums)
    gains = sums - least
    end = len(sums) - 1 - int(np.argmax(gains[::-1]))
    start = int(np.argmax(sums[: end + 1] == least[end]))
    return start, end


def _short_between(below: float, number: float) -> float:
    """The shortest decimal above one number and up to another."""
    for digits in range(-15, 17):
        scaled = number * 10.0**digits
        if not math.isfinite(scaled):
            break
        candidate = math.floor(scaled) / 10.0**digits if digits > 0 else math.floor(scaled) * 10.0**-digits
        if below < candidate <= number:
            return float(candidate)
    return float(number)


Box = dict[int, npt.NDArray[np.bool_]]


def _best(
    features: Sequence[_Feature], columns: Columns, rows: Rows, uncovered: Rows, purity: float, clock: Clock
) -> tuple[dict[str, Condition], Rows] | None:
    """The conditions of the heaviest box that was found, and the rows in it; None if no box is pure enough."""
    picked, times = _picked([uncovered, rows & ~uncovered, ~rows])
    few = [feature.codes[picked] for feature in features]
    gains = np.where(rows[picked], uncovered[picked] * times, 0.0)
    others = ~rows[picked] * times
    heaviest, best = 0.0, None
    end = purity / (1 - purity) if purity < 1 else float(len(rows) + 1)
    start = min(end, gains.sum() / max(others.sum(), 1.0))
    for steps in STEPS:
        box: Box = {}
        for price in np.geomspace(start, end, steps + 1)[1:]:
            box = _improved(features, few, box, gains - price * others, clock)
        weight = float((gains - end * others)[_inside(few, box)].sum())
        if weight > heaviest and (best is None or weight > heaviest * 1.01 or len(box) < len(best)):
            heaviest, best = weight, box
    if best is None:
        return None
    conditions = {features[j].name: features[j].condition(best[j]) for j in sorted(best)}
    inside = np.ones(len(rows), dtype=np.bool_)
    for name, condition in conditions.items():
        inside &= condition.holds(columns[name])
    if (inside & rows).sum() < purity * inside.sum() or not (inside & uncovered).any():  # rows that were not looked at
        return None
    return conditions, inside


def _picked(parts: Sequence[Rows]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Rows to look at, evenly spaced in each part, and for how many each stands."""
    picked, times = [], []
    for part in map(np.flatnonzero, parts):
        step = max(1, math.ceil(len(part) / SEARCHED))
        picked.append(part[::step])
        times.append(np.full(len(picked[-1]), float(step)))
    return np.concatenate(picked), np.concatenate(times)


def _inside(codes: Sequence[npt.NDArray[np.int64]], box: Box, but: int | None = None) -> Rows:
    inside = np.ones(len(codes[0]) if codes else 0, dtype=np.bool_)
    for j, chosen in box.items():
        if j != but:
            inside &= chosen[codes[j]]  # missing entries have the code -1, and their place is the last
    return inside


def _improved(
    features: Sequence[_Feature],
    codes: Sequence[npt.NDArray[np.int64]],
    box: Box,
    weights: npt.NDArray[np.float64],
    clock: Clock,
) -> Box:
    """The box, improved in one column at a time, the one that gains most first, until none gains."""
    weight = float(weights[_inside(codes, box)].sum())
    while True:
        found: tuple[float, int, Box] | None = None
        for j, feature in enumerate(features):
            if clock.expired:
                raise LimitError("time limit reached while describing the rows by boxes")
            inside = _inside(codes, box, but=j)
            chosen = feature.best(codes[j][inside], weights[inside])
            rest = {i: some for i, some in box.items() if i != j}
            new = rest if chosen[: len(feature.values) + feature.has_missing].all() else {**rest, j: chosen}
            if len(new) > MOST_COLUMNS:
                continue
            gain = float(weights[_inside(codes, new)].sum()) - weight
            if found is None or gain > found[0] or (gain == found[0] and len(new) < len(found[2])):
                found = gain, j, new
        if found is None or found[0] <= 1e-9 * max(1.0, abs(weight)):
            return found[2] if found is not None and found[0] >= 0 and len(found[2]) < len(box) else box
        weight, box = weight + found[0], found[2]


def _cells(column: npt.NDArray[Any]) -> list[Any]:
    return [cell.item() if isinstance(cell, np.generic) else cell for cell in column.tolist()]


def _numbers(column: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64] | None, Rows]:
    """The column as numbers, None if it holds others; and which entries are missing."""
    if column.dtype.kind in "iuf":
        numbers = column.astype(np.float64)
        return numbers, np.isnan(numbers)
    if column.dtype.kind == "b":
        return None, np.zeros(len(column), dtype=np.bool_)
    cells = _cells(column)
    gone = np.fromiter((cell is None or is_missing(cell) for cell in cells), bool, len(cells))
    some = [cell for cell, none in zip(cells, gone.tolist(), strict=True) if not none]
    if not some or not all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in some):
        return None, gone
    numbers = np.full(len(cells), math.nan)
    numbers[~gone] = some
    return numbers, gone
