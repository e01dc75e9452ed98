"""The reasons of many rows: columns, and the objects and tables that can be made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.diagrams.classifier import Classifier
from symcf.engines.change_sets import ChangeSets
from symcf.engines.contract import Engine
from symcf.errors import InstanceError, LimitError, OptionError
from symcf.questions.case import Case
from symcf.results import render
from symcf.results.batch import Request, offsets_of, ranges_of, unanswered_rows
from symcf.results.explainer import Explainer
from symcf.results.reasons import Reasons
from symcf.results.summary import AT_TARGET, COMPLETE, INVALID, STATUS, TIME_LIMIT, Summary
from symcf.rows.reader import Codes

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["BatchReasons"]


class BatchReasons:
    """The sufficient reasons of many rows, in columns. Made by `symcf.fast.why_batch`.

    Row i has the reasons ``row_offsets[i]`` to ``row_offsets[i + 1]``; reason s has the features
    ``features[set_offsets[s]:set_offsets[s + 1]]``, ascending. ``batch[i]`` is the `Reasons` of a row, a slice is a
    smaller batch.
    """

    def __init__(
        self,
        compiled: Classifier,
        rows: Codes,
        request: Request,
        *,
        row_offsets: npt.NDArray[np.int64],
        set_offsets: npt.NDArray[np.int64],
        features: npt.NDArray[np.int32],
        status: npt.NDArray[np.uint8],
        prediction: npt.NDArray[np.uint8],
    ) -> None:
        self.compiled = compiled
        #: The rows as value codes.
        self.rows = rows
        self.request = request
        self.row_offsets = row_offsets
        self.set_offsets = set_offsets
        self.features = features
        #: By row, an index into `symcf.batch.STATUS`.
        self.status = status
        #: By row, the class as a code; 0 for invalid rows.
        self.prediction = prediction

    @classmethod
    def one_by_one(
        cls,
        compiled: Classifier,
        rows: Codes,
        request: Request,
        engine: Engine | None,
        clock: Clock,
        max_memory: int,
        errors: str,
        report: Callable[[int], None] | None,
    ) -> BatchReasons:
        """By any engine, row by row. Without an engine, time was up before the first."""
        status, prediction = unanswered_rows(compiled, rows, request, errors)
        known: dict[bytes, tuple[int, ChangeSets]] = {}
        columns: list[ChangeSets] = []
        memory = 0
        for i, row in enumerate(rows):
            key, nothing = row.tobytes(), (int(status[i]), ChangeSets.of([]))
            if key not in known and (status[i] != TIME_LIMIT or engine is None or clock.expired):
                columns.append(nothing[1])  # invalid, at its target, or too late
                continue
            if key not in known:
                assert engine is not None
                explainer = Explainer(Case(request.question, compiled.checked(row.reshape(1, -1))))
                chosen, within = explainer.for_row(engine, clock)
                answer = explainer.find_reasons(chosen, request.k, request.max_results, within, max_memory)
                known[key] = {"complete": 0, "more": 1, "time": 2}[answer.status], answer.sets
            status[i] = known[key][0]
            columns.append(known[key][1])
            memory += 8 * len(columns[-1]) + 4 * len(columns[-1].features)
            if memory > max_memory:
                raise LimitError(f"the result would take more than max_memory, {max_memory:,} bytes; set max_results")
            if report is not None:
                report(i + 1)
        no_sets = np.zeros(0, dtype=np.int32)
        return cls(
            compiled,
            rows,
            request,
            row_offsets=offsets_of([len(sets) for sets in columns]),
            set_offsets=offsets_of(np.concatenate([no_sets, *(sets.sizes for sets in columns)])),
            features=np.concatenate([no_sets, *(sets.features for sets in columns)]).astype(np.int32),
            status=status,
            prediction=prediction,
        )

    @property
    def n_sets(self) -> int:
        """Reasons in all."""
        return len(self.set_offsets) - 1

    @property
    def nbytes(self) -> int:
        """Memory of the columns."""
        columns = (self.row_offsets, self.set_offsets, self.features, self.status, self.prediction)
        return sum(column.nbytes for column in columns)

    # --- rows

    def __len__(self) -> int:
        return len(self.status)

    @overload
    def __getitem__(self, index: int) -> Reasons: ...
    @overload
    def __getitem__(self, index: slice) -> BatchReasons: ...
    def __getitem__(self, index: int | slice) -> Reasons | BatchReasons:
        if isinstance(index, slice):
            return self._slice(range(len(self))[index])
        return self._reasons(self._row(index))

    def __iter__(self) -> Iterator[Reasons]:
        return map(self._reasons, range(len(self)))

    def sets(self, row: int) -> ChangeSets:
        """The reasons of a row, as they stand in the columns."""
        row = self._row(row)
        first, last = self.row_offsets[row : row + 2].tolist()
        return ChangeSets(self.features, self.set_offsets[first + 1 : last + 1], int(self.set_offsets[first]))

    def _row(self, index: int) -> int:
        row = operator.index(index)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return row % len(self)

    def _reasons(self, row: int) -> Reasons:
        status = int(self.status[row])
        if status == INVALID:
            raise InstanceError(f"the row could not be read; its codes are {self.rows[row].tolist()}", row=row)
        explainer = Explainer(Case(self.request.question, self.rows[row : row + 1]))
        in_order = self.request.sorted and status != TIME_LIMIT
        sets = self.sets(row) if in_order else explainer.in_order(self.sets(row))
        name = "complete" if status == AT_TARGET else STATUS[status]
        return explainer.reasons(sets, name, "batch", self.request.k)

    def _slice(self, rows: range) -> BatchReasons:
        index = np.fromiter(rows, dtype=np.int64, count=len(rows))
        sets = ranges_of(self.row_offsets, index)
        return BatchReasons(
            self.compiled,
            self.rows[index],
            self.request,
            row_offsets=offsets_of(np.diff(self.row_offsets)[index]),
            set_offsets=offsets_of(np.diff(self.set_offsets)[sets]),
            features=self.features[ranges_of(self.set_offsets, sets)],
            status=self.status[index],
            prediction=self.prediction[index],
        )

    # --- as a whole

    def shares(self) -> npt.NDArray[np.float64]:
        """By row and feature, the share of the row's reasons that the feature is in; the method "reasons" of
        `Compiled.attribute` for all rows. `OptionError` unless all reasons are there.
        """
        if self.request.k is not None or not np.isin(self.status, (COMPLETE, AT_TARGET, INVALID)).all():
            raise OptionError("shares: the batch does not hold all reasons; leave out k, max_results and time_limit")
        n, counts = len(self.compiled.features), np.diff(self.row_offsets)
        row = np.repeat(np.repeat(np.arange(len(self)), counts), np.diff(self.set_offsets))
        found = np.bincount(row * n + self.features, minlength=len(self) * n).reshape(len(self), n)
        return np.asarray(found / np.maximum(counts, 1)[:, None])

    def summary(self) -> Summary:
        """How often each feature appears, how large the reasons are, and how many rows need none."""
        names = self.compiled.features
        per_feature = np.bincount(self.features, minlength=len(names))
        per_size = np.bincount(np.diff(self.set_offsets), minlength=1)
        per_status = np.bincount(self.status, minlength=len(STATUS))
        by_frequency = sorted(range(len(names)), key=lambda j: (-per_feature[j], j))
        return Summary(
            rows=len(self),
            sets=self.n_sets,
            status={name: int(count) for name, count in zip(STATUS, per_status, strict=True) if count},
            without=int((np.diff(self.set_offsets) == 0).sum()),
            sizes={size: int(count) for size, count in enumerate(per_size) if count},
            features={names[j]: int(per_feature[j]) for j in by_frequency if per_feature[j]},
        )

    def to_arrow(self) -> pyarrow.Table:
        """One line per row, with reasons as nested lists, without a copy. Needs pyarrow."""
        from symcf.results import arrow

        return arrow.to_table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Tidy: one line per condition, with names instead of codes. Needs pandas."""
        import pandas

        reason = np.repeat(np.arange(self.n_sets), np.diff(self.set_offsets))
        row = np.repeat(np.arange(len(self)), np.diff(self.row_offsets))[reason]
        codes = self.rows[row, self.features].astype(np.int64)
        values = [self.compiled.values[j][v] for j, v in zip(self.features.tolist(), codes.tolist(), strict=True)]
        return pandas.DataFrame(
            {
                "row": row,
                "reason": reason - self.row_offsets[row],
                "feature": np.array(self.compiled.features, dtype=object)[self.features],
                "value": pandas.Series(values, dtype=object),
            }
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BatchReasons):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, column), getattr(other, column))
            for column in ("row_offsets", "set_offsets", "features", "status", "prediction", "rows")
        )

    __hash__ = None  # type: ignore[assignment]  # arrays inside

    def _repr_html_(self) -> str:
        return render.summary_to_html(self.summary())

    def __repr__(self) -> str:
        return f"BatchReasons({len(self):,} rows, {self.n_sets:,} reasons)"
