"""Relations that hold in all rows of the data, as suggestions for ``constraints=``: implications, orders of numbers,
one-hot groups, and columns that are functions of others.

A relation may hold by chance. Its *surprise* s is the number of rows that would break it if its columns were
independent; the probability that none does is about exp(-s). Relations with
little surprise are left out; the others are sorted by it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.encoder import ValueCodes, as_floats, is_missing
from symcf.data.numbers import NumberLine
from symcf.data.reader import ColumnLayout, Table, arrow_table, read_rows
from symcf.errors import OptionError
from symcf.models.base import Model
from symcf.question.expressions import Test
from symcf.system.classifier import Classifier

__all__ = ["Suggestion", "suggest_relations"]

#: Columns with more values take part in orders only.
MOST_VALUES = 12

#: Less surprising relations are left out: one in 150 columns without any relation would look as if it had one.
LEAST_SURPRISE = 5.0

#: Values that a consequence lists, at most.
MOST_LISTED = 4

#: Rows that are looked at before all of them.
FIRST_ROWS = 1000


class Suggestion(str):
    """A relation, as text that ``constraints=`` takes; it says how well the data support it."""

    __slots__ = ("kind", "support", "surprise")

    #: "implication", "order", "one-hot", "derived" or "equal".
    kind: str
    #: The rows that it is about; all of them obey.
    support: int
    #: The rows that would break it if its columns were independent.
    surprise: float

    def __new__(cls, text: str, kind: str = "implication", support: int = 0, surprise: float = 0.0) -> Self:
        """A text with its facts."""
        made = super().__new__(cls, text)
        made.kind, made.support, made.surprise = kind, support, surprise
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Suggestion, (str(self), self.kind, self.support, self.surprise)


@dataclass(frozen=True)
class _Column:
    """A column of the data."""

    name: str
    #: The number in each row, NaN where it is missing; None where numbers cannot be compared.
    numbers: npt.NDArray[np.float64] | None
    #: The value in each row and the names of values; None where there are too many.
    codes: npt.NDArray[np.int64] | None
    labels: Sequence[Any] = ()
    #: The code of missing values, which have no name; None where there are none, or they have one.
    missing: int | None = None

    @cached_property
    def ascending(self) -> npt.NDArray[np.float64]:
        """The numbers, sorted, without missing ones."""
        assert self.numbers is not None
        return np.sort(self.numbers[~np.isnan(self.numbers)])

    def says(self, codes: Iterable[int]) -> str:
        """The column has one of these values."""
        return str(Test(self.name, "in", tuple(self.labels[code] for code in codes)))


def suggest_relations(
    data: Any, model: Classifier | Model | None = None, *, min_support: float = 0.05
) -> list[Suggestion]:
    """Relations that the data never break, the most surprising first, in the language of ``constraints=``.

    They are for a person to accept: what never happened may still be possible. An order says nothing about rows in
    which one of the two numbers is missing.

    Parameters
    ----------
    data:
        Rows, in any form that `Compiled.predict` takes. Without a model, a table with names.
    model:
        The classifier; then values have the names that it knows. Without it, they are those in the data.
    min_support:
        The share of the rows that a relation has to be about.

    >>> import symcf
    >>> rows = {"late_30d": [*range(20)], "late_12m": [20, *range(1, 20)], "member": ["no"] * 10 + ["yes"] * 10}
    >>> found = symcf.suggest_relations(rows)
    >>> found, found[0].support, round(found[0].surprise, 1)
    (['late_30d <= late_12m'], 20, 8.6)
    """
    given: Any = min_support
    if not isinstance(given, (int, float, np.integer, np.floating)) or isinstance(given, bool) or not 0 < given <= 1:
        raise OptionError(f"min_support must be a share of the rows, above 0 and up to 1, not {min_support!r}")
    columns, n_rows = _columns_without_model(data) if model is None else _columns_of(data, model)
    least = max(1, math.ceil(min_support * n_rows))
    groups, grouped = _one_hot(columns, n_rows)
    derived, following = _derived(columns, n_rows)
    implied = [s for s in _implications(columns, least) if s.pair not in following and not set(s.pair) <= grouped]
    found = [*groups, *derived, *(s.made for s in implied), *_orders(columns, least)]
    kept = [s for s in found if s.support >= least and s.surprise >= LEAST_SURPRISE]
    return sorted(kept, key=lambda s: (-s.surprise, str(s)))


# --- columns ----------------------------------------------------------------------------------------------------------


def _columns_of(data: Any, model: Classifier | Model) -> tuple[list[_Column], int]:
    if not isinstance(model, (Classifier, Model)):
        raise OptionError(f"model must be a compiled classifier or a model, not {type(model).__name__}")
    encoder = model.encoder or ValueCodes(model.features, [len(labels) for labels in model.values], model.values)
    table = read_rows(data, encoder.layout)
    codes = np.asarray(encoder.encode_table(table))
    if isinstance(encoder, ValueCodes):
        encoder.check(codes)
    columns = []
    for j, name in enumerate(model.features):
        reader, labels = encoder.readers[j], model.values[j]
        numbers = None if reader.regions is None else _numbers(table, reader.sources[0])
        few = not isinstance(labels, NumberLine) and len(labels) <= MOST_VALUES
        columns.append(_Column(name, numbers, codes[:, j].astype(np.int64) if few else None, labels))
    return columns, len(codes)


def _columns_without_model(data: Any) -> tuple[list[_Column], int]:
    names = _names(data)
    table = read_rows(data, ColumnLayout.of(names))
    return [_column(name, table, j) for j, name in enumerate(names)], table.n_rows


def _column(name: str, table: Table, place: int) -> _Column:
    column, numbers = table.column(place), _numbers(table, place)
    values = _values(column, name)
    if values is None:
        return _Column(name, numbers, None)
    known = sorted((value for value in values if not is_missing(value)), key=_sort_key)
    missing = len(known) if len(known) < len(values) else None
    labels = known if missing is None else [*known, math.nan]
    if column.dtype.kind in "biuf":  # NaN comes last here, too
        codes = np.searchsorted(np.array(known, dtype=column.dtype), column)
    else:
        code_of = {value: code for code, value in enumerate(known)}
        codes = np.array([code_of.get(value, missing) for value in column.tolist()], dtype=np.int64)
    return _Column(name, numbers, codes.astype(np.int64), labels, missing)


def _values(column: npt.NDArray[Any], name: str) -> list[Any] | None:
    """The different entries of a column; None if there are many."""
    found: list[Any] = []
    for some in (column[:FIRST_ROWS], column):
        if column.dtype.kind in "biuf":
            found = np.unique(some).tolist()
        else:
            try:
                found = list(dict.fromkeys(some.tolist()))
            except TypeError:
                raise OptionError(
                    f"suggest_relations: column {name!r} holds lists, or other things that are no values"
                ) from None
        if len([value for value in found if not is_missing(value)]) > MOST_VALUES:
            return None
    return found


def _names(data: Any) -> list[str]:
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        names = [str(name) for name in data.columns]
    elif isinstance(data, Mapping):
        names = [str(name) for name in data]
    elif hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        names = list(arrow_table(data).column_names)
    elif isinstance(data, Sequence) and len(data) and isinstance(data[0], Mapping):
        names = [str(name) for name in data[0]]
    else:
        raise OptionError("suggest_relations: without a model the data need names of columns: a DataFrame or a mapping")
    if twice := next((name for i, name in enumerate(names) if name in names[:i]), None):
        raise OptionError(f"suggest_relations: the column {twice!r} appears twice; give each its own name")
    return names


def _numbers(table: Table, place: int) -> npt.NDArray[np.float64] | None:
    """The numbers of a column; None if it has other entries, or truth values."""
    column = table.column(place)
    first = column[:FIRST_ROWS]
    if column.dtype.kind == "b" or not as_floats(first)[1].all():
        return None
    if column.dtype.kind == "O" and any(isinstance(value, (bool, np.bool_)) for value in first):
        return None
    floats, readable = as_floats(column)
    return floats if readable.all() and np.isfinite(floats).any() else None


def _sort_key(value: Hashable) -> tuple[str, Any]:
    return ("", value) if isinstance(value, (int, float)) else (type(value).__name__, str(value))


# --- implications -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Implied:
    pair: tuple[int, int]
    made: Suggestion


def _implications(columns: Sequence[_Column], least: int) -> Iterator[_Implied]:
    """``a = v -> b in {...}``: where a has this value, b never has any other of its values."""
    for i, j in permutations([j for j, column in enumerate(columns) if column.codes is not None], 2):
        a, b = columns[i], columns[j]
        joint = _joint(a, b)
        counts, seen = joint.sum(axis=1), joint.sum(axis=0)
        shares = seen / max(1, seen.sum())
        most = counts * ((joint == 0) @ shares)
        for v in np.flatnonzero((counts >= least) & (most >= LEAST_SURPRISE)).tolist():
            if v == a.missing:
                continue
            some, support = np.flatnonzero(joint[v]).tolist(), int(joint[v].sum())
            never = [code for code in np.flatnonzero(seen).tolist() if code not in some]
            listed = len(some) <= max(MOST_LISTED, len(never)) and b.missing not in some
            if not listed:
                never = [code for code in never if code != b.missing]
            surprise = float(support * shares[never].sum())
            if surprise < LEAST_SURPRISE:
                continue
            then = b.says(some) if listed else _not(b, never)
            yield _Implied((i, j), Suggestion(f"{a.says([v])} -> {then}", "implication", support, surprise))


def _not(column: _Column, codes: Sequence[int]) -> str:
    return str(Test(column.name, "not in", tuple(column.labels[code] for code in codes)))


def _joint(a: _Column, b: _Column) -> npt.NDArray[np.int64]:
    assert a.codes is not None
    assert b.codes is not None
    n, m = len(a.labels), len(b.labels)
    return np.bincount(a.codes * m + b.codes, minlength=n * m).reshape(n, m)


# --- columns that follow from others ----------------------------------------------------------------------------------


def _derived(columns: Sequence[_Column], n_rows: int) -> tuple[list[Suggestion], set[tuple[int, int]]]:
    """Columns whose value follows from that of another one; and those pairs."""
    found, pairs = [], set()
    for i, j in permutations([j for j, column in enumerate(columns) if column.codes is not None], 2):
        a, b = columns[i], columns[j]
        if a.missing is not None or b.missing is not None:
            continue
        joint = _joint(a, b)
        if ((joint > 0).sum(axis=1) > 1).any():
            continue
        present = joint.sum(axis=1) > 0
        values = int((joint.sum(axis=0) > 0).sum())
        if present.sum() < 2 or values < 2:
            continue
        pairs.add((i, j))
        if values == present.sum() and (j, i) in pairs:
            continue  # the same the other way round
        shares = joint.sum(axis=0) / n_rows
        surprise = float(sum(joint[v].sum() * (1 - shares[joint[v] > 0].sum()) for v in np.flatnonzero(present)))
        known = [int(v) for v in np.flatnonzero(present)]
        parts = [f"({a.says([v])} -> {b.says(np.flatnonzero(joint[v]).tolist())})" for v in known]
        found.append(Suggestion(" and ".join(parts), "derived", n_rows, surprise))
    return found, pairs


# --- one-hot groups ---------------------------------------------------------------------------------------------------


def _one_hot(columns: Sequence[_Column], n_rows: int) -> tuple[list[Suggestion], set[int]]:
    """Groups of columns of two values of which exactly one is 1 in every row; and their columns."""
    ones = {}
    for j, column in enumerate(columns):
        place = _place_of_one(column)
        if place is not None and column.codes is not None:
            ones[j] = column.codes == place
    found, used = [], set()
    for j in ones:
        if j in used:
            continue
        group, covered = [j], ones[j].copy()
        for k in ones:
            if k > j and k not in used and not (covered & ones[k]).any() and ones[k].any():
                group.append(k)
                covered = covered | ones[k]
        if len(group) > 2 and covered.all():
            used.update(group)
            found.append(_group([columns[k] for k in group], [float(ones[k].mean()) for k in group], n_rows))
    return found, used


def _place_of_one(column: _Column) -> int | None:
    """The code of 1, or True, where the other value is 0, or False."""
    try:
        numbers = [float(label) for label in column.labels]
    except (TypeError, ValueError):
        return None
    return numbers.index(1.0) if sorted(numbers) == [0.0, 1.0] else None


def _group(columns: Sequence[_Column], shares: Sequence[float], n_rows: int) -> Suggestion:
    tests = [column.says([_place_of_one(column) or 0]) for column in columns]
    pairs = [f"not ({a} and {b})" for a, b in combinations(tests, 2)]
    text = " and ".join([f"({' or '.join(tests)})", *pairs])
    none = math.prod(1 - share for share in shares)
    exactly_one = sum(none / (1 - share) * share for share in shares if share < 1)
    return Suggestion(text, "one-hot", n_rows, n_rows * (1 - exactly_one))


# --- orders of numbers ------------------------------------------------------------------------------------------------


def _orders(columns: Sequence[_Column], least: int) -> Iterator[Suggestion]:
    """``a <= b`` between columns of numbers."""
    for low, high in permutations([column for column in columns if column.numbers is not None], 2):
        a, b = low.numbers, high.numbers
        assert a is not None
        assert b is not None
        if (a[:FIRST_ROWS] > b[:FIRST_ROWS]).any() or (a > b).any():
            continue
        both = ~(np.isnan(a) | np.isnan(b))
        support = int(both.sum())
        if support < least or low.ascending[-1] <= high.ascending[0]:  # so would any two rows be
            continue
        lows, highs = (
            column.ascending if len(column.ascending) == support else np.sort(numbers[both])
            for column, numbers in ((low, a), (high, b))
        )
        # pairs of any two rows: how often would a number of one column be above one of the other?
        above = support - np.searchsorted(lows, highs, side="right")
        equal = bool((a[both] == b[both]).all())
        text = str(Test(low.name, "<=", (high.name,)))
        yield Suggestion(text, "equal" if equal else "order", support, float(above.sum()) / support)
