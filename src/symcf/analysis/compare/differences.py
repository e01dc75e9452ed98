"""What changed between two classifiers: over all rows by their diagrams, and on the rows of a table."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.analysis.algebra.functions import COMBINING, ModelRows, class_part, common_classes, model_of
from symcf.analysis.compare.cubes import Cube, cover
from symcf.analysis.compare.data_boxes import DataBox, boxes_of, raw_columns
from symcf.common.clock import NO_LIMIT, Clock, timed
from symcf.common.extras import load_extra
from symcf.common.lazy import cached_property
from symcf.common.options import checked_count, checked_seconds
from symcf.common.text import one_line, plain
from symcf.compiled import Compiled, compile
from symcf.data.shared import Columns
from symcf.errors import LimitError, ModelError, OptionError
from symcf.question.grids import on_same_grids
from symcf.question.question import Keywords
from symcf.system.combine import ALL, aligned, how, same_class
from symcf.system.models import Models

if TYPE_CHECKING:
    import pandas

__all__ = ["Change", "Difference", "compared", "difference", "equivalent"]

#: By row, the code of its class.
Classes = npt.NDArray[np.uint8]

#: How long diagrams of large ensembles are tried for if nothing is said about it.
SECONDS = 10.0
#: Cubes that are printed by default, and seconds that finding them may take then.
FEW_CUBES, PRINTING = 5, 5
#: The share of the rows in a box that change as the box says.
PURITY = 0.7


@timed
def equivalent(a: Any, b: Any, *, resolution: Any = None, time_limit: float | None = None) -> bool:
    """Do two classifiers decide alike, for every row that both read? Proved, not sampled.

    Takes what `difference` takes. Classes are the same if their names are, in whatever order.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> symcf.equivalent(admission(), symcf.compile(admission(), order="natural"))
    True
    """
    clock = Clock(checked_seconds(time_limit))
    first, second = _compiled(a, None), _compiled(b, None)
    return _Decisions(first, second, _limited(first, second, clock), resolution).different.root == 0


@timed
def difference(
    a: Any, b: Any, data: Any = None, *, resolution: Any = None, time_limit: float | None = None
) -> Difference:
    """What two classifiers decide differently: how many of all rows, which rows of the data, and where.

    Parameters
    ----------
    a, b:
        Compiled classifiers, models, fitted estimators or diagrams, of any kinds. Columns are matched by name; where
        both cut a column of numbers, it is cut at the cut points of both. Classes are matched by their names.
    data:
        Rows to compare them on, in any form. The text then begins with the boxes that hold most rows of them that
        change (`Difference.data_boxes`).
    resolution:
        By column, what its numbers are multiples of, such as ``{"age": 1}``. Two trees that split an age at 25.5, one
        of which rounds to 32 bits, differ between 25.5 and 25.500001: no age lies there.
    time_limit:
        Seconds for the diagrams of all rows. Without it, large ensembles and columns of numbers get 10 seconds. If that
        is not enough, rows of the data are compared all the same, and `Difference.bound` says so; without data,
        `LimitError` is raised.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> strict = symcf.NaiveBayes.binary(0.3, [0.4, 0.96, 0.97, 0.7], [0.15, 0.1, 0.11, 0.2], threshold=0.7,
    ...                                  features=admission().features, classes=admission().classes)
    >>> print(symcf.difference(admission(), strict))
    2 of 16 possible rows are decided differently (12.5 %)
    admitted -> rejected: 2 possible rows
      entrance exam = 1, work experience = 1, GPA = 0, first application = 1
      entrance exam = 1, work experience = 0, GPA = 1, first application = 1
    """
    first, second = _compiled(a, data), _compiled(b, data)
    if data is None:
        rows = None
    else:
        predicted = first.predict(data, codes=True), second.predict(data, codes=True)
        rows = Predicted(*predicted, raw_columns(data, first, second))
    return compared(first, second, rows, Clock(checked_seconds(time_limit)), resolution)


def compared(a: Compiled, b: Compiled, predicted: Predicted | None, clock: Clock, resolution: Any = None) -> Difference:
    """The same for classifiers, where the classes of the rows are known, by code."""
    common_classes(a, b)
    rows = None if predicted is None else _Compared(predicted, *_in_common(a, b, predicted))
    try:
        return Difference(a, b, _Decisions(a, b, _limited(a, b, clock), resolution), rows)
    except (LimitError, OptionError, ModelError) as error:
        if rows is None:
            raise
        return Difference(a, b, None, rows, str(error))


def _compiled(given: Any, data: Any) -> Compiled:
    if isinstance(given, Compiled):
        return given
    try:
        return compile(given)
    except (OptionError, ModelError):  # columns that hold numbers need rows to take their ranges from
        if data is None:
            raise
        return compile(given, data=data)


def _limited(a: Compiled, b: Compiled, clock: Clock) -> Clock:
    large = any(one.decision.is_large or one.decision.numbers is not None for one in (a, b))
    return clock.earlier(SECONDS) if large and clock.seconds is None else clock


@dataclass(frozen=True)
class Predicted:
    """The rows of a table: what both classifiers decide, as codes, and the raw columns that they read, by name."""

    first: Classes
    second: Classes
    columns: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class _Compared:
    """The same with codes of classes that are the same if their names are, and all these names."""

    given: Predicted
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    classes: tuple[Hashable, ...]

    @cached_property
    def different(self) -> npt.NDArray[np.int64]:
        """The rows that are decided differently."""
        return np.flatnonzero(self.first != self.second)

    @cached_property
    def changes(self) -> dict[tuple[Hashable, Hashable], npt.NDArray[np.bool_]]:
        """By pair of different classes, the rows that the first gives one and the second the other."""
        pairs = sorted({*zip(self.first[self.different].tolist(), self.second[self.different].tolist(), strict=True)})
        return {(self.classes[i], self.classes[k]): (self.first == i) & (self.second == k) for i, k in pairs}


def _in_common(
    a: Compiled, b: Compiled, predicted: Predicted
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], tuple[Hashable, ...]]:
    """Classes are the same if their names are."""
    code_of = {label: code for code, label in enumerate(dict.fromkeys([*a.classes, *b.classes]))}
    in_first = np.array([code_of[label] for label in a.classes], dtype=np.int64)
    in_second = np.array([code_of[label] for label in b.classes], dtype=np.int64)
    return in_first[predicted.first], in_second[predicted.second], tuple(code_of)


class _Decisions:
    """The diagrams of both classifiers over the columns that they share."""

    def __init__(self, a: Compiled, b: Compiled, clock: Clock, resolution: Any = None) -> None:
        self.limits = a
        a, b = on_same_grids([a, b], COMBINING, resolution)
        labels = [(0, label) for label in a.classes] + [(1, label) for label in b.classes]
        sides = (a, b)
        parts = [class_part(sides[side], sides[side].classes.index(label), clock) for side, label in labels]
        budget = a.budget(clock)
        self._aligned = aligned(parts, budget, resolution)
        self.columns = self._aligned.columns
        self._inner = dict(zip(labels, self._aligned.inner, strict=True))
        common = [self._inner[side, label] for label in common_classes(a, b) for side in (0, 1)]
        outer = how(len(common), lambda nodes, inputs: nodes.negate(same_class(nodes, inputs)))
        #: True where they decide for classes of different names.
        self.different = self._aligned.composed(outer, common, budget)

    def both(self, first: Hashable, second: Hashable, clock: Clock) -> _core.Diagram:
        """The first decides for one class, the second for another."""
        inner = [self._inner[0, first], self._inner[1, second]]
        return self._aligned.composed(how(2, ALL), inner, self.limits.budget(clock))


@dataclass(frozen=True, eq=False)
class Change:
    """Rows that the first classifier gives one class, and the second another."""

    first: Hashable
    second: Hashable
    #: How many there are; numbers of one range count as one.
    count: int
    core: _core.Diagram
    columns: Columns
    #: Whose limits hold.
    limits: Compiled

    @timed
    def cubes(self, most: int = FEW_CUBES, *, time_limit: float | None = None) -> tuple[list[Cube], int]:
        """Up to `most` boxes that hold only such rows, and how many rows they leave out.

        Each is prime (none can be made larger), and none can be left out; that there is no shorter description is not
        proved.
        """
        clock = Clock(checked_seconds(time_limit))
        wanted = checked_count(most, "most", least=1) or 1
        return cover(self.core, self.columns, wanted, self.limits.budget(clock), clock)

    def rows(self) -> ModelRows:
        """All of them: counted, in order, by their place, or at random."""
        return ModelRows(Models(self.core), self.columns)

    def __repr__(self) -> str:
        return f"Change({self.first!r} -> {self.second!r}, {self.count:,} rows)"


class Difference:
    """What two classifiers decide differently. Made by `symcf.difference`."""

    def __init__(
        self,
        first: Compiled,
        second: Compiled,
        decisions: _Decisions | None,
        compared: _Compared | None,
        bound: str = "",
    ) -> None:
        self.first, self.second = first, second
        self._decisions, self._compared = decisions, compared
        #: Why only the data could be compared; empty where all rows were.
        self.bound = bound

    # --- all rows

    def _all(self) -> _Decisions:
        if self._decisions is None:
            raise OptionError(f"only the rows of the data were compared: {self.bound}")
        return self._decisions

    @property
    def columns(self) -> Columns:
        """The columns that both read, cut where either cuts them."""
        return self._all().columns

    @cached_property
    def _models(self) -> Models:
        return Models(self._all().different)

    @property
    def total(self) -> int:
        """How many rows there are in all; numbers of one range count as one."""
        return self.columns.n_cells

    @property
    def count(self) -> int:
        """How many of all rows are decided differently, exactly."""
        return self._models.count

    @property
    def share(self) -> Fraction:
        """The same as a share of all rows."""
        return Fraction(self.count, self.total)

    @property
    def equal(self) -> bool:
        """Is every row decided alike? Where only data could be compared: every row of it."""
        if self._decisions is None:
            return not len(self.data_rows)
        return self._decisions.different.root == 0

    def rows(self) -> ModelRows:
        """All rows that are decided differently: counted, in order, by their place, or at random."""
        return ModelRows(self._models, self.columns)

    @cached_property
    def model(self) -> Compiled:
        """A classifier with the classes "same" and "different", to be asked like any other."""
        return compile(model_of(self._all().different, self.columns, ("same", "different")))

    def nearest(self, x: Any, **question: Unpack[Keywords]) -> Any:
        """The row nearest to this one that is decided differently, in the form in which it was given: the row itself if
        it is, else one with the fewest changes. None if there is none. The keywords are those of `Compiled.explain`.
        """
        if self.model.decide(self.model.instance(x))[0]:
            return x
        found = self.model.explain(x, k=1, **question)
        return found[0].row if len(found) else None

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """By pair of classes, the rows that the first gives one and the second the other; most rows first."""
        return self._changes(NO_LIMIT)

    def _changes(self, clock: Clock) -> tuple[Change, ...]:
        decisions, found = self._all(), []
        for first, second in itertools.product(self.first.classes, self.second.classes):
            if first != second:
                core = decisions.both(first, second, clock)
                if core.root:
                    count = Models(core, clock=clock).count
                    found.append(Change(first, second, count, core, self.columns, self.first))
        return tuple(sorted(found, key=lambda change: -change.count))

    # --- data

    def _of_data(self) -> _Compared:
        if self._compared is None:
            raise OptionError("no rows were given: use difference(a, b, data=rows)")
        return self._compared

    @property
    def data_rows(self) -> npt.NDArray[np.int64]:
        """Which rows of the data are decided differently, by their number from 0."""
        return self._of_data().different

    @property
    def n_data(self) -> int:
        """How many rows of data were compared."""
        return len(self._of_data().first)

    @property
    def has_data(self) -> bool:
        """Were rows given?"""
        return self._compared is not None

    @timed
    def data_boxes(
        self, most: int = FEW_CUBES, *, purity: float = PURITY, time_limit: float | None = None
    ) -> tuple[list[DataBox], int]:
        """Where the classifiers differ most on the rows of the data: up to `most` boxes, and how many rows that are
        decided differently are in none of them.

        Boxes are about raw columns. Those with most rows of one change of class come first, however small a part of
        all possible rows they are. In each, at least the share `purity` of the rows of the data changes as the box
        says; its text has the counts. Boxes may overlap, and better ones may exist: the search is a heuristic, the
        counts are not. They say nothing about rows that are not in the data.

        >>> import symcf
        >>> old = symcf.LinearClassifier([2, 1, 1], -1, features=["age", "job", "own"], classes=["bad", "good"])
        >>> new = symcf.LinearClassifier([2, 1, 1], -2, features=["age", "job", "own"], classes=["bad", "good"])
        >>> rows = [[1, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1], [0, 0, 0]]
        >>> for box in symcf.difference(old, new, rows).data_boxes()[0]:
        ...     print(box)
        age 1 and job 0: 2 of 5 rows of the data, all from good to bad
        age 0 and job 1: 1 of 5 rows of the data, from good to bad
        """
        clock, rows = Clock(checked_seconds(time_limit)), self._of_data()
        wanted = checked_count(most, "most", least=1) or 1
        if isinstance(purity, bool) or not isinstance(purity, (int, float)) or not 0 < purity <= 1:
            raise OptionError(f"purity must be a share above 0 and up to 1, not {purity!r}")
        return boxes_of(rows.given.columns, rows.changes, wanted, float(purity), clock)

    # --- words

    def __repr__(self) -> str:
        if self._decisions is None:
            return f"Difference({len(self.data_rows):,} of {self.n_data:,} rows of the data; all rows: {self.bound})"
        return f"Difference({self.count:,} of {self.total:,} rows)"

    def __str__(self) -> str:
        return self.text(time_limit=PRINTING)

    def _sentences(self) -> list[str]:
        """How many rows differ."""
        lines = []
        if self._decisions is not None:
            lines.append(_sentence(self.count, self.total, "possible row"))
        if self._compared is not None:
            lines.append(_sentence(len(self.data_rows), self.n_data, "row", " of the data"))
        return lines

    def text(self, most: int = FEW_CUBES, *, time_limit: float | None = None) -> str:
        """In words, with up to `most` boxes for the data and for each change of class, as far as they are found within
        `time_limit`.
        """
        lines, clock = self._sentences(), Clock(checked_seconds(time_limit))
        checked_count(most, "most", least=1)
        if self._compared is not None and len(self.data_rows):
            lines += self._data_lines(most, clock)
        if self._decisions is None:
            return "\n".join([*lines, f"all possible rows were not compared: {self.bound}"])
        try:
            for change in self._changes(clock):
                lines.append(f"{one_line(change.first)} -> {one_line(change.second)}: {_possible(change.count)}")
                cubes, left = change.cubes(most, time_limit=clock.seconds)
                lines += [f"  {cube}" for cube in cubes]
                if left:
                    these = f"these {len(cubes)} boxes do" if len(cubes) > 1 else "this box does"
                    lines.append(f"  and {_rows(left)} that {these} not hold")
        except LimitError as error:
            lines.append(f"where else they differ was not found: {error}")
        return "\n".join(lines)

    def _data_lines(self, most: int, clock: Clock) -> list[str]:
        try:
            boxes, left = self.data_boxes(most, time_limit=clock.seconds)
        except LimitError as error:
            return [f"  {error}"]
        return [f"  {box}" for box in boxes] + ([f"  {_rows(left)} in no such box"] if left else [])

    def to_frame(self, most: int = 100) -> pandas.DataFrame:
        """One row per box: the two classes, how many rows it holds, and what each feature may be. Needs pandas."""
        pandas = load_extra("pandas", "to_frame")

        table = []
        for change in self.changes:
            for cube in change.cubes(most)[0]:
                table.append({"first": change.first, "second": change.second, "rows": cube.cells, **cube.conditions()})
        return pandas.DataFrame(table, columns=["first", "second", "rows", *self.columns.features])

    def to_dict(self, most: int = FEW_CUBES, *, time_limit: float | None = None) -> dict[str, Any]:
        """As lists, numbers and strings, with up to `most` boxes for each change of class. Where `time_limit` did not
        suffice for all of them, "limit" says so.
        """
        clock = Clock(checked_seconds(time_limit))
        checked_count(most, "most", least=1)
        answer: dict[str, Any] = {"format": "symcf.difference", "version": 1, "equal": self.equal}
        if self._decisions is None:
            answer["bound"] = self.bound
        else:
            answer |= {"count": self.count, "total": self.total, "share": float(self.share)}
            answer["changes"] = []
            try:
                for change in self._changes(clock):
                    answer["changes"].append(_change_to_dict(change, most, clock))
            except LimitError as error:
                answer["limit"] = str(error)
        if self._compared is not None:
            answer["data"] = {"rows": self.n_data, "different": self.data_rows.tolist()}
            try:
                boxes, left = self.data_boxes(most, time_limit=clock.seconds)
                answer["data"] |= {"boxes": [box.to_dict() for box in boxes], "not_in_boxes": left}
            except LimitError as error:
                answer["data"]["limit"] = str(error)
        return answer


def _change_to_dict(change: Change, most: int, clock: Clock) -> dict[str, Any]:
    cubes, left = change.cubes(most, time_limit=clock.seconds)
    return {
        "first": plain(change.first),
        "second": plain(change.second),
        "count": change.count,
        "boxes": [{"rows": cube.cells, "where": cube.conditions()} for cube in cubes],
        "not_in_boxes": left,
    }


def _possible(count: int) -> str:
    return f"{count:,} possible row{'s' * (count != 1)}"


def _rows(count: int) -> str:
    return f"{count:,} row{'s' * (count != 1)}"


def _sentence(count: int, total: int, what: str, of: str = "") -> str:
    share = f" ({_percent(count, total)})" if count else ""
    return f"{count:,} of {total:,} {what}s{of} {'is' if count == 1 else 'are'} decided differently{share}"


def _percent(count: int, total: int) -> str:
    return f"{float(Fraction(100 * count, total)):.3g} %"
