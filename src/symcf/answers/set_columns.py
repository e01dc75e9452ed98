"""Sets of features for many rows, in columns: what batches of change sets and of reasons have in common."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypedDict, TypeVar, Unpack, overload

import numpy as np
import numpy.typing as npt

from symcf.answers import render
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID, MAX_RESULTS, STATUS, TIME_LIMIT, Summary
from symcf.common.clock import Clock
from symcf.common.lazy import cached_property
from symcf.data.given import GivenRow, GivenRows
from symcf.data.reader import Codes
from symcf.errors import InstanceError, LimitError
from symcf.question.case import Case, coded_case
from symcf.question.distances import NOWHERE
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSets
from symcf.search.plan import Plan, plan
from symcf.search.protocol import AUTO, Answer, Options
from symcf.system.classifier import Classifier

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "ANSWERED",
    "Columns",
    "Request",
    "SetColumns",
    "Work",
    "columns_of",
    "too_large",
    "unanswered_rows",
]

T = TypeVar("T")

#: Bytes that a set and each of its features take in the columns.
SET_BYTES, FEATURE_BYTES = 8, 4

#: The code in `STATUS` of the status of an answer.
ANSWERED = {"complete": COMPLETE, "more": MAX_RESULTS, "time": TIME_LIMIT}

NO_SETS = ChangeSets.of([])


@dataclass(frozen=True)
class Request:
    """What is asked about every row."""

    question: Question
    k: int | None
    max_results: int | None
    sorted: bool
    #: "nearest", "surest" or "all", for the explanations that are made of the columns.
    select: str = "nearest"
    #: How many sets are chosen of a row because they differ; None: all stay.
    diverse: int | None = None
    #: Where the numbers of the rows are, if costs depend on that (`Costs.places`).
    places: npt.NDArray[np.int64] | None = None
    #: The rows, if relations between numbers depend on them.
    given: GivenRows | None = None
    #: What the user says about the search.
    options: Options = AUTO
    #: By row, what is asked about it, where that differs.
    own: Sequence[Request] | None = None

    def chosen(self, index: npt.NDArray[np.int64]) -> Request:
        """The same about some of the rows."""
        return self if self.places is None else replace(self, places=self.places[index])

    def of_row(self, row: int) -> Request:
        """What is asked about a row."""
        return self if self.own is None else self.own[row]

    @cached_property
    def plan(self) -> Plan:
        """How the rows are answered, planned once."""
        return plan(self.question, self.options)

    def case(self, rows: Codes, row: int, given: GivenRow | None = None) -> Case:
        """The question about one of the rows."""
        if self.own is not None:
            return self.own[row].case(rows, row, given)
        if self.places is None:
            return coded_case(self.question, rows[row : row + 1], given)
        places = [None if place == NOWHERE else place for place in self.places[row].tolist()]
        return coded_case(self.question, rows[row : row + 1], given, places)


@dataclass(frozen=True)
class Work:
    """Rows to answer, and within which limits."""

    compiled: Classifier
    #: As value codes.
    rows: Codes
    request: Request
    clock: Clock
    #: Bytes that the result may take.
    memory: int
    #: "raise" or "mark": what is done about rows with invalid values.
    errors: str
    jobs: int = 1
    #: Told how many rows are done.
    report: Callable[[int], None] | None = None

    @property
    def is_uniform(self) -> bool:
        """Is every row asked the same, about sets, and with costs that the core can add up?"""
        request, question = self.request, self.request.question
        return (
            request.own is None
            and question.minimality != "moves"
            and question.costs.of_rows(request.places).fit
            and not question.constraints.by_row
            and not question.constraints.lead_astray(self.rows)
        )


class Columns(TypedDict):
    """The arrays of a batch; `SetColumns` says what they hold."""

    row_offsets: npt.NDArray[np.int64]
    set_offsets: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    status: npt.NDArray[np.uint8]
    #: None if time was up before the rows were decided.
    prediction: npt.NDArray[np.uint8] | None


class SetColumns(ABC, Generic[T]):
    """Row i has the sets ``row_offsets[i]`` to ``row_offsets[i + 1]``; set s has the features
    ``features[set_offsets[s]:set_offsets[s + 1]]``, ascending. T is what an index gives; a slice is a smaller batch.
    """

    #: What two equal batches have equal.
    COMPARED: ClassVar[tuple[str, ...]] = ("row_offsets", "set_offsets", "features", "status", "prediction", "rows")

    def __init__(
        self,
        compiled: Classifier,
        rows: Codes,
        request: Request,
        **columns: Unpack[Columns],
    ) -> None:
        self.compiled = compiled
        #: The rows as value codes.
        self.rows = rows
        self.request = request
        self.row_offsets = columns["row_offsets"]
        self.set_offsets = columns["set_offsets"]
        self.features = columns["features"]
        #: By row, an index into `symcf.batch.STATUS`.
        self.status = columns["status"]
        self._prediction = columns["prediction"]

    @classmethod
    def one_by_one(cls, work: Work) -> Self:
        """Row by row, by any search."""
        rows, request, clock = work.rows, work.request, work.clock
        # first of all: when time is up, there is none left to decide the rows that were not reached
        status, prediction = unanswered_rows(work)
        known: dict[bytes, tuple[int, ChangeSets]] = {}
        found: list[ChangeSets] = []
        memory = 0
        for i, row in enumerate(rows):
            key = row.tobytes() + (b"" if request.places is None else request.places[i].tobytes())
            if request.given is not None or request.own is not None:  # its numbers matter, or its question
                key += f" {i}".encode()
            if status[i] == TIME_LIMIT and key not in known and prediction is not None and not clock.expired:
                own = request.of_row(i)
                with clock.until_ended():
                    case = own.case(rows, i, None if own.given is None else own.given.row(i))
                    answer = cls.searched(own, case, clock, work.memory)
                    known[key] = ANSWERED[answer.status], answer.sets
            status[i], sets = known.get(key, (status[i], NO_SETS))
            found.append(sets)
            memory += SET_BYTES * len(sets) + FEATURE_BYTES * len(sets.features)
            if memory > work.memory:
                raise too_large(work.memory, i, len(rows))
            if work.report is not None:
                work.report(i + 1)
        columns = cls._joined(found, len(rows))
        return cls(work.compiled, rows, request, **columns, status=status, prediction=prediction)

    @staticmethod
    @abstractmethod
    def searched(request: Request, case: Case, clock: Clock, max_memory: int) -> Answer:
        """The sets of one row."""

    @classmethod
    def _joined(cls, found: Sequence[ChangeSets], n_rows: int) -> dict[str, Any]:
        """The columns of the sets of the first rows; the others have none."""
        return columns_of(found, n_rows)

    @abstractmethod
    def _of_row(self, row: int) -> T:
        """What is known about a row."""

    @abstractmethod
    def _chosen(self, index: npt.NDArray[np.int64]) -> Self:
        """The batch of these rows."""

    @abstractmethod
    def summary(self) -> Summary:
        """How often each feature appears, how large the sets are, and how many rows are without."""

    @property
    def prediction(self) -> npt.NDArray[np.uint8]:
        """By row, the class as a code; 0 for invalid rows. If the time limit was too short to decide the rows, that is
        done when this is read for the first time.
        """
        if self._prediction is None:
            self._prediction = _decided(self.compiled, self.rows, self.status != INVALID)
        return self._prediction

    @property
    def _uncertified(self) -> list[str | None]:
        """By row, why it has no certificate; None if it may have one."""
        why = {AT_TARGET: "it is at the target already", INVALID: "it could not be read"}
        return [why.get(status) for status in self.status.tolist()]

    @property
    def n_sets(self) -> int:
        """Sets in all."""
        return len(self.set_offsets) - 1

    @property
    def nbytes(self) -> int:
        """Memory of the columns."""
        columns = (self.row_offsets, self.set_offsets, self.features, self.status, self.prediction)
        return sum(column.nbytes for column in columns)

    def __len__(self) -> int:
        return len(self.status)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> T | Self:
        if isinstance(index, slice):
            rows = range(len(self))[index]
            return self._chosen(np.fromiter(rows, dtype=np.int64, count=len(rows)))
        return self._readable(self._row(index))

    def __iter__(self) -> Iterator[T]:
        return map(self._readable, range(len(self)))

    def _readable(self, row: int) -> T:
        if self.status[row] == INVALID:
            raise InstanceError(f"the row could not be read; its codes are {self.rows[row].tolist()}", row=row)
        return self._of_row(row)

    def sets(self, row: int) -> ChangeSets:
        """The sets of a row, as they stand in the columns."""
        first, last = self.row_offsets[self._row(row) :][:2].tolist()
        return ChangeSets(self.features, self.set_offsets[first + 1 : last + 1], int(self.set_offsets[first]))

    def _row(self, index: int) -> int:
        row = operator.index(index)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return row % len(self)

    def _places(self, index: npt.NDArray[np.int64]) -> tuple[dict[str, Any], npt.NDArray[np.int64]]:
        """The columns of these rows, and the places in `features` that theirs come from."""
        sets = ranges_of(self.row_offsets, index)
        chosen = ranges_of(self.set_offsets, sets)
        columns = {
            "row_offsets": offsets_of(np.diff(self.row_offsets)[index]),
            "set_offsets": offsets_of(np.diff(self.set_offsets)[sets]),
            "features": self.features[chosen],
            "status": self.status[index],
            "prediction": None if self._prediction is None else self._prediction[index],
        }
        return columns, chosen

    @property
    def _set_of(self) -> npt.NDArray[np.int64]:
        """By entry of `features`, the number of its set."""
        return np.repeat(np.arange(self.n_sets), np.diff(self.set_offsets))

    @property
    def _row_of_set(self) -> npt.NDArray[np.int64]:
        return np.repeat(np.arange(len(self)), np.diff(self.row_offsets))

    @property
    def _cut(self) -> str:
        """How many rows a limit stopped, for texts; empty if none."""
        cut = int(np.isin(self.status, (MAX_RESULTS, TIME_LIMIT)).sum())
        return f"; {cut:,} rows stopped by a limit" if cut else ""

    def _summary(self, without: npt.NDArray[np.bool_]) -> Summary:
        names = self.compiled.features
        per_feature = np.bincount(self.features, minlength=len(names))
        per_size = np.bincount(np.diff(self.set_offsets), minlength=1)
        per_status = np.bincount(self.status, minlength=len(STATUS))
        by_frequency = sorted(range(len(names)), key=lambda j: (-per_feature[j], j))
        return Summary(
            rows=len(self),
            sets=self.n_sets,
            status={name: int(count) for name, count in zip(STATUS, per_status, strict=True) if count},
            without=int(without.sum()),
            sizes={size: int(count) for size, count in enumerate(per_size) if count},
            features={names[j]: int(per_feature[j]) for j in by_frequency if per_feature[j]},
        )

    def to_arrow(self) -> pyarrow.Table:
        """One line per row, with the sets as nested lists, without a copy. Needs pyarrow."""
        from symcf.answers import arrow_tables  # needs pyarrow

        return arrow_tables.to_table(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(np.array_equal(getattr(self, column), getattr(other, column)) for column in self.COMPARED)

    __hash__ = None  # type: ignore[assignment]  # arrays inside

    def _repr_html_(self) -> str:
        return render.summary_to_html(self.summary())


def columns_of(found: Sequence[ChangeSets], n_rows: int) -> dict[str, npt.NDArray[Any]]:
    """The sets of the first rows, joined; the others have none."""
    none = np.zeros(0, dtype=np.int32)
    return {
        "row_offsets": offsets_of([*map(len, found), *[0] * (n_rows - len(found))]),
        "set_offsets": offsets_of(np.concatenate([none, *(sets.sizes for sets in found)])),
        "features": np.concatenate([none, *(sets.features for sets in found)]).astype(np.int32),
    }


def unanswered_rows(work: Work) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]:
    """Status and prediction of rows that were not reached in time; no predictions if there is no time for them, either.
    Bad rows raise `InstanceError` or are marked.
    """
    compiled, rows, request = work.compiled, work.rows, work.request
    within = (rows >= 0) & (rows < np.array([len(labels) for labels in compiled.values]))
    valid = np.asarray(within.all(axis=1))
    if work.errors == "raise" and not valid.all():
        first = int(np.argmin(valid))
        try:
            compiled.checked(rows[first : first + 1])
        except InstanceError as error:
            raise error.at(row=first) from None
    status = np.where(valid, np.uint8(TIME_LIMIT), np.uint8(INVALID))
    try:
        prediction = _decided(compiled, rows, valid)
    except LimitError as error:
        if not work.clock.ended(error):
            raise
        return status, None
    wanted = [one.question.target for one in request.own or [request]]
    targets = np.array([-1 if target is None else target for target in wanted], dtype=np.int64)
    status[valid & (prediction == targets)] = AT_TARGET
    return status, prediction


def _decided(compiled: Classifier, rows: Codes, valid: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """The classes of the valid rows, and 0 for the others."""
    prediction = np.zeros(len(rows), dtype=np.uint8)
    prediction[valid] = compiled.decide(rows[valid])
    return prediction


def too_large(max_memory: int, done: int, rows: int) -> LimitError:
    """The error of a result that takes more memory than it may."""
    return LimitError(
        f"the result would take more than max_memory, {max_memory:,} bytes ({done:,} of {rows:,} rows were done); set "
        f"max_results or k, raise max_memory, or stream it with explain_batches"
    )


def offsets_of(sizes: Any) -> npt.NDArray[np.int64]:
    """Where parts of these sizes begin, and the end of the last."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def ranges_of(offsets: npt.NDArray[np.int64], index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """All numbers of the ranges offsets[i] .. offsets[i + 1], for i in index."""
    sizes = np.diff(offsets)[index]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    result: npt.NDArray[np.int64] = np.repeat(offsets[:-1][index], sizes) + within
    return result
