"""How closely a rule was compared with the estimator that it was read from: translation validation.

Rows of data are decided by both. So are rows in which one number is at a cut of the rule or beside it, where a reading
that is off by one, or by the last bit, shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from symcf.errors import OptionError
from symcf.system.classifier import Classifier

__all__ = ["Agreement", "Difference", "agreement_of"]

#: Rows around which cuts are tried, and rows that are decided at a time.
ROWS_AT_CUTS, TOGETHER = 3, 5000

#: Differences that are listed.
MOST_LISTED = 20


@dataclass(frozen=True)
class Difference:
    """A row that the two decide differently."""

    row: Any
    #: By the rule, and by the estimator.
    rule: Any
    estimator: Any


@dataclass(frozen=True)
class Agreement:
    """What was compared, and what differed."""

    #: Rows of the data, and rows at and beside cuts.
    rows: int
    at_cuts: int
    #: How many of all these are decided differently; and the first of them.
    n_differences: int
    differences: tuple[Difference, ...]

    def __bool__(self) -> bool:
        return not self.n_differences

    def __str__(self) -> str:
        compared = f"{self.rows:,} rows and {self.at_cuts:,} rows at and beside cuts were compared"
        return f"{compared}: {self.n_differences:,} are decided differently"

    def to_dict(self) -> dict[str, Any]:
        """As JSON, without the rows."""
        return {"rows": self.rows, "at_cuts": self.at_cuts, "differences": self.n_differences}


def agreement_of(classifier: Any, estimator: Any, X: Any) -> Agreement:
    """Compares a classifier with the estimator; ``X`` is a table that both take."""
    if not hasattr(estimator, "predict"):
        raise OptionError("agreement: the estimator is not at hand; give it with estimator=")
    if np.ndim(X) != 2:
        raise OptionError("agreement takes a table of rows: a DataFrame or a matrix")
    rows, first = _compared(classifier, estimator, _chunks(X))
    at_cuts, second = _compared(classifier, estimator, _tables(X, _beside(classifier, X)))
    found = [*first, *second]
    return Agreement(rows, at_cuts, len(found), tuple(found[:MOST_LISTED]))


def _chunks(X: Any) -> Iterator[Any]:
    for start in range(0, len(X), TOGETHER):
        yield X.iloc[start : start + TOGETHER] if hasattr(X, "iloc") else np.asarray(X)[start : start + TOGETHER]


def _compared(classifier: Any, estimator: Any, tables: Iterator[Any]) -> tuple[int, list[Difference]]:
    count, found = 0, list[Difference]()
    for table in tables:
        ours, theirs = (np.asarray(one.predict(table)).tolist() for one in (classifier, estimator))
        count += len(ours)
        for at, (rule, given) in enumerate(zip(ours, theirs, strict=True)):
            if rule != given:
                row = table.iloc[at] if hasattr(table, "iloc") else table[at]
                found.append(Difference(row, rule, given))
    return count, found


def _beside(classifier: Classifier, X: Any) -> Iterator[tuple[int, int, Any]]:
    """Places of rows and columns, and numbers at cuts and beside them, as the column can hold them."""
    for reader in classifier.encoder.readers:
        if reader.regions is None or len(reader.sources) != 1:
            continue
        place = reader.sources[0]
        column = X.iloc[:, place] if hasattr(X, "iloc") else np.asarray(X)[:, place]
        kind = np.asarray(column[:0]).dtype
        cuts = sorted({region.first for region in reader.regions.values() if math.isfinite(region.first)})
        numbers = {number for cut in cuts for number in _around(cut, kind)}
        for at in range(min(ROWS_AT_CUTS, len(X))):
            for number in sorted(numbers):
                yield at, place, number


def _around(cut: float, kind: np.dtype[Any]) -> list[Any]:
    if kind.kind in "iu":
        whole = {math.floor(cut) - 1, math.floor(cut), math.ceil(cut), math.ceil(cut) + 1}
        held = np.iinfo(kind)
        return [number for number in whole if held.min <= number <= held.max]
    if kind.kind != "f":
        return []
    near = kind.type(cut)
    below, above = (np.nextafter(near, kind.type(end)) for end in (-np.inf, np.inf))
    return [float(number) for number in (below, near, above) if np.isfinite(number)]


def _tables(X: Any, changes: Iterator[tuple[int, int, Any]]) -> Iterator[Any]:
    while some := list(islice(changes, TOGETHER)):
        rows = [at for at, _, _ in some]
        table = X.iloc[rows].reset_index(drop=True) if hasattr(X, "iloc") else np.array(X)[rows]
        for i, (_, place, number) in enumerate(some):
            if hasattr(table, "iloc"):
                table.iloc[i, place] = number
            else:
                table[i, place] = number
        yield table
