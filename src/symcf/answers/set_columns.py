"""Sets of features for many rows, in columns: what batches of change sets and of reasons have in common."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypedDict, TypeVar, Unpack, overload

import numpy as np
import numpy.typing as npt

from symcf.answers import render
from symcf.answers.summary import AT_TARGET, INVALID, MAX_RESULTS, STATUS, TIME_LIMIT, Summary
from symcf.common.clock import Clock
from symcf.common.extras import missing
from symcf.common.lazy import cached_property
from symcf.data.given import GivenRow, GivenRows
from symcf.data.reader import Codes
from symcf.errors import InstanceError, LimitError, OptionError
from symcf.question.case import Case, coded_case
from symcf.question.distances import NOWHERE
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSets
from symcf.search.plan import Plan, plan
from symcf.search.protocol import AUTO, Options
from symcf.system.classifier import Classifier

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "Columns",
    "Request",
    "SetColumns",
    "columns_of",
    "output_schema",
    "record_batches",
    "split",
    "to_table",
    "unanswered_rows",
]

T = TypeVar("T")


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
        from symcf.answers import set_columns as arrow

        return arrow.to_table(self)

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


def unanswered_rows(
    compiled: Classifier, rows: Codes, request: Request, errors: str, clock: Clock
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]:
    """Status and prediction of rows that were not reached in time; no predictions if there is no time for them, either.
    Bad rows raise `InstanceError` or are marked.
    """
    within = (rows >= 0) & (rows < np.array([len(labels) for labels in compiled.values]))
    valid = np.asarray(within.all(axis=1))
    if errors == "raise" and not valid.all():
        first = int(np.argmin(valid))
        try:
            compiled.checked(rows[first : first + 1])
        except InstanceError as error:
            raise error.at(row=first) from None
    status = np.where(valid, np.uint8(TIME_LIMIT), np.uint8(INVALID))
    try:
        prediction = _decided(compiled, rows, valid)
    except LimitError as error:
        if not clock.ended(error):
            raise
        return status, None
    if request.question.target is not None:
        status[valid & (prediction == request.question.target)] = AT_TARGET
    return status, prediction


def _decided(compiled: Classifier, rows: Codes, valid: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """The classes of the valid rows, and 0 for the others."""
    prediction = np.zeros(len(rows), dtype=np.uint8)
    prediction[valid] = compiled.decide(rows[valid])
    return prediction


def offsets_of(sizes: Any) -> npt.NDArray[np.int64]:
    """Where parts of these sizes begin, and the end of the last."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def ranges_of(offsets: npt.NDArray[np.int64], index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """All numbers of the ranges offsets[i] .. offsets[i + 1], for i in index."""
    sizes = np.diff(offsets)[index]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    result: npt.NDArray[np.int64] = np.repeat(offsets[:-1][index], sizes) + within
    return result


try:
    import pyarrow as pa
except ImportError as error:
    raise missing("Arrow data", error) from None


class Sets(Protocol):
    """Change sets of many rows in columns; `symcf.answers.batch.BatchExplanation` is one."""

    row_offsets: npt.NDArray[np.int64]
    set_offsets: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    status: npt.NDArray[np.uint8]

    @property
    def prediction(self) -> npt.NDArray[np.uint8]:
        """By row, the class as a code."""

    @property
    def n_sets(self) -> int:
        """Change sets in all."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: slice, /) -> Self: ...


#: The largest offset in a list of `output_schema`: 32 bits, which most engines accept.
MAX_OFFSET = 2**31 - 1


def output_schema(keep: Iterable[pa.Field] = ()) -> pa.Schema:
    """What `explain_batches` gives: row, prediction, status, and the change sets as lists of feature indices.

    ``keep`` are the fields of the columns that are copied to the result; they come last. All types are signed, because
    not every engine has others.

    >>> output_schema([pa.field("id", pa.int64())]).names
    ['row', 'prediction', 'status', 'sets', 'id']
    """
    own = [
        pa.field("row", pa.int64(), nullable=False),
        pa.field("prediction", pa.int16(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("sets", pa.list_(pa.list_(pa.int32())), nullable=False),
    ]
    kept = list(keep)
    taken = [field.name for field in own]
    for field in kept:
        if field.name in taken:
            raise OptionError(f"keep: the result has a column {field.name!r} of its own; rename yours")
        taken.append(field.name)
    return pa.schema([*own, *kept])


def split(batch: Any, keep: Sequence[str]) -> tuple[Any, pa.RecordBatch | None]:
    """The columns to explain, and those to copy to the result."""
    if isinstance(keep, str):
        raise OptionError(f"keep must be a list of columns, not the string {keep!r}")
    if not keep:
        return batch, None
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        if not (hasattr(batch, "__arrow_c_stream__") or hasattr(batch, "__arrow_c_array__")):
            raise OptionError(f"keep: batches must be Arrow data, not {type(batch).__name__}")
        batch = pa.table(batch) if hasattr(batch, "__arrow_c_stream__") else pa.record_batch(batch)
    for name in keep:
        if name not in batch.schema.names:
            raise OptionError(f"keep: there is no column {name!r}")
    kept = batch.select(list(keep))
    rest = [name for name in batch.schema.names if name not in keep]
    if isinstance(kept, pa.Table):
        columns = [column.combine_chunks() for column in kept.columns]
        kept = pa.RecordBatch.from_arrays(columns, schema=kept.schema)
    return batch.select(rest), kept


def to_table(batch: Sets) -> pa.Table:
    """A batch as a table; the columns are not copied."""
    features = pa.array(batch.features)
    sets = pa.LargeListArray.from_arrays(pa.array(batch.set_offsets), features)
    columns = [*_flat_columns(batch, 0), pa.LargeListArray.from_arrays(pa.array(batch.row_offsets), sets)]
    return pa.table(columns, names=output_schema().names)


def _flat_columns(batch: Sets, first_row: int) -> list[pa.Array]:
    rows = np.arange(first_row, first_row + len(batch))
    status = pa.DictionaryArray.from_arrays(batch.status.astype(np.int8), pa.array(STATUS)).cast(pa.string())
    return [pa.array(rows), pa.array(batch.prediction), status]


def record_batches(batch: Sets, first_row: int, kept: pa.RecordBatch | None = None) -> Iterator[pa.RecordBatch]:
    """In one piece if the offsets fit 32 bits, else in halves."""
    if max(len(batch.features), batch.n_sets) > MAX_OFFSET:
        if len(batch) == 1:
            raise LimitError(
                f"row {first_row} has {batch.n_sets:,} change sets of {len(batch.features):,} features in all, too many"
                f" for a record batch; set max_results or k, or use explain_batch"
            )
        middle = len(batch) // 2
        before, after = (None, None) if kept is None else (kept.slice(0, middle), kept.slice(middle))
        yield from record_batches(batch[:middle], first_row, before)
        yield from record_batches(batch[middle:], first_row + middle, after)
        return
    sets = pa.ListArray.from_arrays(pa.array(batch.set_offsets.astype(np.int32)), pa.array(batch.features))
    lists = pa.ListArray.from_arrays(pa.array(batch.row_offsets.astype(np.int32)), sets)
    row, prediction, status = _flat_columns(batch, first_row)
    columns = [row, prediction.cast(pa.int16()), status, lists, *([] if kept is None else kept.columns)]
    yield pa.RecordBatch.from_arrays(columns, schema=output_schema([] if kept is None else kept.schema))
