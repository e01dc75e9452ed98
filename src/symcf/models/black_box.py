"""Black-box models: the decision is what `predict` returns.

Any model will do: networks, kernel machines, neighbours, a service behind a function. Each column has a list of values
that are tried. A row may have others of its own, which it keeps unless it changes them: `BlackBoxModel.including` is
the model with these among its values, so that every row consists of codes as with all models.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from numbers import Real
from typing import Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.columns import Categories
from symcf.data.encoder import UNREADABLE, is_missing
from symcf.data.forms import FormedColumns, TableForm
from symcf.data.reader import Codes, Table
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.rules import BlackBoxRule

__all__ = ["BlackBoxColumn", "BlackBoxGoal", "BlackBoxModel", "Predict", "TimedFunction", "is_number", "not_a_function"]

#: Rows and cells of the largest table that is passed to `predict` at a time.
MOST_ROWS, MOST_CELLS = 1 << 16, 1 << 22

#: The names of missing values: NaN and its like, and None.
MISSING, NONE = "(missing)", "(None)"


@dataclass(frozen=True)
class BlackBoxColumn:
    """The values of a column."""

    #: Numbers ascend.
    labels: tuple[Any, ...]
    #: Those that are tried; the others are rows' own.
    tried: frozenset[Any]
    #: Are all of them numbers? Do they come in an order?
    numbers: bool
    ordered: bool
    #: Are missing values, and None, among the values of rows? What data has for a missing value; None if it has none.
    nan: bool = False
    none: bool = False
    blank: Any = None

    @property
    def cells(self) -> list[Any]:
        """By code, what stands in the table."""
        return [*self.labels, *([math.nan if self.blank is None else self.blank] * self.nan), *([None] * self.none)]

    @property
    def names(self) -> tuple[Hashable, ...]:
        """By code, the name."""
        return (*self.labels, *([MISSING] * self.nan), *([NONE] * self.none))

    @property
    def suggested(self) -> list[bool]:
        """By code, may it be suggested? Missing values that data has may, where the question allows them by name."""
        return [
            *(label in self.tried for label in self.labels),
            *([self.blank is not None] * self.nan),
            *([False] * self.none),
        ]

    def reader(self, j: int) -> Categories:
        """Reads the column's entries."""
        d = len(self.labels)
        nan, none = d if self.nan else UNREADABLE, d + self.nan if self.none else UNREADABLE
        return Categories(j, self.labels, tuple(range(d)), nan, none)

    def including(self, cells: Sequence[Any]) -> BlackBoxColumn:
        """With other entries, each of which fits the column."""
        more = [cell for cell in dict.fromkeys(cells) if cell is not None and not is_missing(cell)]
        if self.numbers:
            more = list(filter(is_number, more))
        labels = [*self.labels, *(cell for cell in more if cell not in self.labels)]
        if self.numbers:
            labels.sort()
        nan = self.nan or any(map(is_missing, cells))
        return replace(self, labels=tuple(labels), nan=nan, none=self.none or any(cell is None for cell in cells))


class TimedFunction:
    """The user's function, and how long its fastest call has taken. A call cannot be interrupted, so none should begin
    when less time than that is left.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        #: Seconds; 0 before the first call.
        self.fastest = 0.0

    def __call__(self, table: Any) -> Any:
        """What it returns."""
        started = time.monotonic()
        answer = self._function(table)
        took = time.monotonic() - started
        self.fastest = min(took, self.fastest or took)
        return answer


class Predict:
    """The user's function of tables, with its answers checked: tables in, codes of classes out."""

    def __init__(self, function: TimedFunction, form: TableForm, classes: Sequence[Hashable]) -> None:
        self._function = function
        self._form = form
        self._classes = tuple(classes)

    def __call__(self, columns: Sequence[Any]) -> npt.NDArray[np.uint8]:
        """The class of each row of a new table, which the function may do with as it likes."""
        return self.codes(self.labels(columns), columns)

    def labels(self, columns: Sequence[Any], table: Any = None) -> npt.NDArray[Any]:
        """What the function returns; ``table`` is the table of these columns, if there is one."""
        tick(self._function.fastest)
        n_rows = len(columns[0])
        try:
            given = self._function(self._form.table(columns) if table is None else table)
        except Exception as error:
            self._fail(columns, error)
        try:
            labels = np.asarray(given)
        except Exception as error:
            what = f"{type(given).__name__}, of which numpy makes no array ({error})"
            raise ModelError(f"predict returned {what}: it must return one label per row") from error
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        if labels.ndim == 2:
            raise ModelError(
                f"predict returned a table of shape {labels.shape}: probabilities, or a column per class? It must "
                f"return one label per row, such as lambda X: classes[scores(X).argmax(axis=1)]"
            )
        if labels.shape != (n_rows,):
            raise ModelError(
                f"predict returned shape {labels.shape} for {n_rows} rows: it must return one label per row"
            )
        if labels.dtype.kind in "fO" and not _are_labels(labels):
            i = next(i for i in range(n_rows) if not _are_labels(labels[i : i + 1]))
            raise ModelError(
                f"predict returned {labels[i : i + 1].tolist()[0]!r} for {self._shown(columns, i)}, which is no label: "
                f"it must decide every row"
            )
        return labels

    def codes(self, labels: npt.NDArray[Any], columns: Sequence[Any]) -> npt.NDArray[np.uint8]:
        """Labels as codes."""
        codes = np.full(len(labels), -1, dtype=np.int64)
        for k, label in enumerate(self._classes):
            codes[np.asarray(labels == label, dtype=bool)] = k
        if (codes < 0).any():
            i = int(np.argmax(codes < 0))
            raise ModelError(
                f"predict returned {labels[i : i + 1].tolist()[0]!r} for {self._shown(columns, i)}, which is not one "
                f"of the classes {list(self._classes)!r}; give all of them with classes="
            )
        return codes.astype(np.uint8)

    def _fail(self, columns: Sequence[Any], error: Exception) -> NoReturn:
        """Finds the first row for which it fails, by halves."""
        first, last = 0, len(columns[0])
        while last - first > 1:
            middle = (first + last) // 2
            try:
                self._function(self._form.table([column[first:middle] for column in columns]))
                first = middle
            except Exception as inner:
                error, last = inner, middle
        where = self._shown(columns, first)
        with contextlib.suppress(Exception):
            self._function(self._form.table([column[first:last] for column in columns]))
            where = f"a table of {len(columns[0]):,} rows, though not for its rows one by one"
        raise ModelError(f"predict failed for {where}: {type(error).__name__}: {error}") from error

    def _shown(self, columns: Sequence[Any], i: int) -> str:
        cells = [column[i : i + 1].tolist()[0] for column in columns]
        return ", ".join(f"{name}={cell!r}" for name, cell in zip(self._form.names, cells, strict=True))


class BlackBoxModel(Model):
    """A black-box model. Made by `symcf.from_predict`."""

    kind: ClassVar[str] = "black_box"
    is_black_box: ClassVar[bool] = True
    encoder: FormedColumns

    def __init__(
        self,
        function: TimedFunction,
        form: TableForm,
        columns: Sequence[BlackBoxColumn],
        classes: Sequence[Hashable],
        numbers: Mapping[str, Callable[[Any], Any]] | None = None,
        encoder: FormedColumns | None = None,
    ) -> None:
        """``numbers`` are functions of tables, too: "probability", with one column per class, and "score". ``encoder``
        reads the same columns with other values.
        """
        self.function, self.form, self.columns = function, form, tuple(columns)
        self.numbers = numbers or {}
        self.classes = tuple(classes)
        self.features = form.names
        self.values = tuple(column.names for column in self.columns)
        self.ordered = tuple(column.ordered for column in self.columns)
        readers = [column.reader(j) for j, column in enumerate(self.columns)]
        self.encoder = FormedColumns(form, readers) if encoder is None else encoder.with_readers(readers)
        self._predict = Predict(function, form, self.classes)
        suggested = tuple(tuple(column.suggested) for column in self.columns)
        self._rule = BlackBoxRule(self.decide, tuple(map(len, self.values)), suggested, self.most_rows)

    @cached_property
    def _typed(self) -> list[Any]:
        return [self.form.typed(j, column.cells) for j, column in enumerate(self.columns)]

    @property
    def most_rows(self) -> int:
        """Rows of the largest table that is passed to `predict` at a time."""
        return max(1, min(MOST_ROWS, MOST_CELLS // len(self.columns)))

    def decide(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The classes of rows of value codes, as codes."""
        return np.concatenate([np.zeros(0, dtype=np.uint8), *map(self._predict, self._tables(codes))])

    def _tables(self, codes: Codes) -> Iterator[list[Any]]:
        """Rows of value codes as the columns of tables."""
        for start in range(0, len(codes), self.most_rows):
            part = np.asarray(codes[start : start + self.most_rows], dtype=np.int64)
            yield [cells[part[:, j]] for j, cells in enumerate(self._typed)]

    def measured(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        if of not in self.numbers:
            return None
        parts = [numbers_of(self.numbers[of], k, self.form.table(columns)) for columns in self._tables(codes)]
        return np.concatenate([np.zeros(0), *parts])

    def towards(self, goal: Any) -> BlackBoxGoal:
        return BlackBoxGoal(self, goal)

    def rule(self) -> BlackBoxRule:
        """The function itself."""
        return self._rule

    def including(self, table: Table) -> BlackBoxModel:
        """The model with the values of these rows among its own, where columns can hold them."""
        cells = self.encoder.others(table)
        return self.with_cells(cells) if any(cells) else self

    def with_cells(self, cells: Sequence[Sequence[Any]]) -> BlackBoxModel:
        """The model with these entries of its columns, which they can hold, among its values."""
        return self.with_columns([column.including(some) for column, some in zip(self.columns, cells, strict=True)])

    def with_columns(self, columns: Sequence[BlackBoxColumn]) -> BlackBoxModel:
        """The model with other values."""
        return BlackBoxModel(self.function, self.form, columns, self.classes, self.numbers, self.encoder)

    def to_dict(self) -> dict[str, Any]:
        """Not supported: the decision is a program."""
        raise ModelError(
            "a black-box model cannot be written to a file: save the estimator itself (joblib, pickle), and "
            "call symcf.from_predict again"
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BlackBoxModel:
        """Not supported, see `to_dict`."""
        raise ModelError("a black-box model is made by symcf.from_predict")


class BlackBoxGoal(BlackBoxModel):
    """A black-box model with a goal (`symcf.models.goals.NumberGoal`): is the number that `predict_proba` or
    `decision_function` gives as it should be? For a probability, `predict` must give the class, too.
    """

    def __init__(self, base: BlackBoxModel, goal: Any) -> None:
        if goal.of not in base.numbers:
            name = "predict_proba" if goal.of == "probability" else "decision_function of two classes"
            raise OptionError(
                f"target: the black-box model has no {name}: give symcf.from_predict an estimator that has one, or a "
                "function that says whether the number is high enough, such as lambda rows: score(rows) >= 0.8"
            )
        self.base, self.goal = base, goal
        self._class = None if goal.label is None else base.classes.index(goal.label)
        labels = np.array(goal.classes, dtype=object)
        function = TimedFunction(lambda table: labels[self._place(table)])
        super().__init__(function, base.form, base.columns, goal.classes, base.numbers, base.encoder)

    def _place(self, table: Any) -> npt.NDArray[np.int64]:
        """By row, the class of the goal."""
        numbers = numbers_of(self.numbers[self.goal.of], self._class, table)
        place: npt.NDArray[np.int64] = self.goal.places(numbers)
        if self._class is not None:
            place[np.asarray(self.base.function(table)).ravel() != self.goal.label] = 0
        return place

    def with_columns(self, columns: Sequence[BlackBoxColumn]) -> BlackBoxModel:
        return BlackBoxGoal(self.base.with_columns(columns), self.goal)

    def reached(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        return self.measured(self.goal.of, self._class, codes)

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """Where the goal is a probability: that of the class that it names, whether it is reached or not."""
        numbers = self.reached(codes) if self.goal.of == "probability" else None
        return None if numbers is None else np.repeat(numbers[:, np.newaxis], len(self.classes), axis=1)

    def underlying(self, codes: Codes) -> tuple[Model, Codes]:
        return self.base, codes


def numbers_of(function: Callable[[Any], Any], k: int | None, table: Any) -> npt.NDArray[np.float64]:
    """What a function says of the rows of a table; of class ``k`` where it has a column per class."""
    found = np.asarray(function(table), dtype=np.float64)
    found = found if k is None else found[:, k]
    if found.shape != (len(table),) or not np.isfinite(found).all():
        raise ModelError(f"the model gave no number for a row: it must give {len(table)} finite numbers")
    return found


def not_a_function(what: str, first: str, then: str) -> str:
    """What is wrong with a classifier that does not always say the same."""
    return (
        f"predict decided {what} as {first} and then as {then}: it must give the same row the same label every "
        f"time, whatever other rows are in the table (fix its random state, switch off dropout)"
    )


def is_number(cell: Any) -> bool:
    """Is it a number, and not a truth value?"""
    return isinstance(cell, (Real, Decimal)) and not isinstance(cell, (bool, np.bool_))


def _are_labels(labels: npt.NDArray[Any]) -> bool:
    """Is none of them missing, and can all be looked up?"""
    if labels.dtype.kind == "f":
        return not np.isnan(labels).any()
    try:
        return not any(map(is_missing, set(labels.tolist())))
    except TypeError:
        return False
