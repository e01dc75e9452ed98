"""The answer of a batch: columns, and the objects and tables that can be made of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers.diversity import Diversity, diverse_sets
from symcf.answers.explainer import Explainer
from symcf.answers.explanation import Explanation
from symcf.answers.set_columns import Columns, Request, SetColumns, Work, columns_of, offsets_of, ranges_of
from symcf.answers.summary import AT_TARGET, COMPLETE, STATUS, TIME_LIMIT, Summary
from symcf.common.clock import Clock, tick, timed
from symcf.common.extras import load_extra
from symcf.common.lazy import cached_property
from symcf.common.options import checked_count, checked_seconds, checked_some
from symcf.common.threads import checked_jobs, mapped
from symcf.data.given import GivenRows
from symcf.data.reader import Codes
from symcf.errors import OptionError
from symcf.proof.certificates.certificate import Certificate
from symcf.proof.certificates.sealed import NoCertificate, SealedBatch, certified
from symcf.question.case import Case
from symcf.search.change_sets import ChangeSets
from symcf.search.moves import MovedSets
from symcf.search.protocol import Answer
from symcf.system.classifier import Classifier
from symcf.values.ranking import Ranking

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["BatchExplanation"]

#: Rows of which sets are chosen in one call of the core.
ROWS_AT_A_TIME = 1 << 10


class BatchExplanation(SetColumns[Explanation]):
    """The counterfactuals of many rows, in columns. Made by `symcf.fast.explain_batch`.

    Row i has the change sets ``row_offsets[i]`` to ``row_offsets[i + 1]``; set s has the features
    ``features[set_offsets[s]:set_offsets[s + 1]]``, ascending. ``batch[i]`` is the `Explanation` of a row, a slice is a
    smaller batch.
    """

    COMPARED = (*SetColumns.COMPARED, "codes")

    def __init__(
        self,
        compiled: Classifier,
        rows: Codes,
        request: Request,
        *,
        codes: npt.NDArray[np.int64] | None = None,
        **columns: Unpack[Columns],
    ) -> None:
        super().__init__(compiled, rows, request, **columns)
        #: Beside `features`, the new values, where they are part of the answer (``minimality="moves"``).
        self.codes = codes
        #: By row, how much its sets differ, where they were chosen because they do; None for rows without sets.
        self.diversity: list[Diversity | None] | None = None
        #: The rows as they were given; None where only codes are known.
        self.given: GivenRows | None = None

    @staticmethod
    def searched(request: Request, case: Case, clock: Clock, max_memory: int) -> Answer:
        planned = request.plan.of(case)
        ranking = partial(Ranking, case, planned)
        return planned.answer(case, request.k, request.max_results, clock, max_memory, ranking).answer

    @classmethod
    def _joined(cls, found: Sequence[ChangeSets], n_rows: int) -> dict[str, Any]:
        moved = [sets.codes for sets in found if isinstance(sets, MovedSets)]
        codes = np.concatenate([np.zeros(0, dtype=np.int64), *moved]) if moved else None
        return {**super()._joined(found, n_rows), "codes": codes}

    @classmethod
    def unanswered(
        cls, work: Work, late: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]
    ) -> BatchExplanation:
        """The batch when time was up before the first row; ``late`` is what `unanswered_rows` gave."""
        status, prediction = late
        columns = columns_of([], len(work.rows))
        return cls(work.compiled, work.rows, work.request, **columns, status=status, prediction=prediction)

    # --- columns

    @property
    def cost(self) -> npt.NDArray[np.float64]:
        """By set, the sum of the costs of its changes."""
        costs = self.request.question.costs
        if not self.n_sets:
            return np.zeros(0)
        if costs.per_value is not None or self.request.own is not None:
            each = map(float, self._numbers())
            return np.fromiter(each, dtype=np.float64, count=self.n_sets)
        return costs.totals(self.features, self.set_offsets[:-1])

    def _numbers(self) -> Iterator[Fraction]:
        """By set, the exact sum of the costs of its changes, which depend on the values."""
        new, ends = self._new_codes.tolist(), self.set_offsets.tolist()
        for row in np.flatnonzero(np.diff(self.row_offsets)).tolist():
            tick()
            case = self._explainer(row).case
            for s in range(*self.row_offsets[row : row + 2].tolist()):
                changes = zip(self.features[ends[s] : ends[s + 1]].tolist(), new[ends[s] : ends[s + 1]], strict=True)
                yield case.costs.number_of_all(case.x, dict(changes))

    @cached_property
    def _new_codes(self) -> npt.NDArray[np.int64]:
        """By change, the value that it leads to."""
        if self.codes is not None:
            return self.codes
        if all(len(values) == 2 for values in self.compiled.values) and self.request.given is None:
            of_change = self._row_of_set[self._set_of]
            return np.asarray(1 - self.rows[of_change, self.features].astype(np.int64))
        codes: list[int] = []
        for row in np.flatnonzero(np.diff(self.row_offsets)).tolist():
            explainer = self._explainer(row)
            for change_set in self.sets(row):
                tick()
                codes += explainer.best_codes(change_set)
        return np.array(codes, dtype=np.int64)

    # --- rows

    def sets(self, row: int) -> ChangeSets:
        """The change sets of a row, as they stand in the columns."""
        found = super().sets(row)
        if self.codes is None:
            return found
        first, last = self.row_offsets[self._row(row) :][:2].tolist()
        ends, start = self.set_offsets[first + 1 : last + 1], int(self.set_offsets[first])
        return MovedSets(self.features, ends, self.codes, start)

    def _of_row(self, row: int) -> Explanation:
        status = int(self.status[row])
        at_target = status == AT_TARGET
        explainer = self._explainer(row)
        name = "complete" if at_target else STATUS[status]
        sets = self._in_order(row, explainer)
        found = explainer.explanation(sets, name, "batch", self.request.k, at_target=at_target)
        if self.diversity is not None and self.diversity[row] is not None:
            found.diversity, found.complete_up_to = self.diversity[row], None
        return found

    def _in_order(self, row: int, explainer: Explainer) -> ChangeSets:
        """The change sets of a row by (cost, size, features)."""
        in_order = (self.request.sorted and self.status[row] != TIME_LIMIT) or self.codes is not None
        return self.sets(row) if in_order else explainer.ranking.in_order(self.sets(row))

    def _explainer(self, row: int) -> Explainer:
        given = None if self.given is None else self.given.row(row)
        request = self.request.of_row(row)
        return Explainer(request.case(self.rows, row, given), request.plan, request.select)

    def _chosen(self, index: npt.NDArray[np.int64]) -> Self:
        columns, chosen = self._places(index)
        request = self.request
        if request.places is not None:
            request = replace(request, places=request.places[index])
        if request.own is not None:
            request = replace(request, own=[request.own[i].chosen(index) for i in index.tolist()])
        codes = None if self.codes is None else self.codes[chosen]
        part = type(self)(self.compiled, self.rows[index], request, **columns, codes=codes)
        part.given = None if self.given is None else self.given.chosen(index)
        part.diversity = None if self.diversity is None else [self.diversity[i] for i in index.tolist()]
        return part

    @timed
    def diverse(self, k: int, *, n_jobs: int | None = None, time_limit: float | None = None) -> Self:
        """Of every row, the k change sets that differ most: see `Explanation.diverse`.

        >>> import symcf, symcf.fast
        >>> from symcf.demo import admission
        >>> batch = symcf.fast.explain_batch(symcf.compile(admission()), [[0, 0, 1, 0], [1, 0, 1, 0]])
        >>> [e.sets for e in batch.diverse(1)]
        [[(1,)], [(1,)]]
        """
        return self.diverse_within(checked_some(k), checked_jobs(n_jobs), Clock(checked_seconds(time_limit)))

    def diverse_within(self, k: int, jobs: int, clock: Clock) -> Self:
        """The same, when all was checked."""
        n_features, stop = self.compiled.n_features, None if jobs == 1 else _core.Stop()
        features = np.ascontiguousarray(self.features, dtype=np.uint32)

        def of_rows(start: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[Diversity | None]]:
            rows = self.row_offsets[start : start + ROWS_AT_A_TIME + 1]
            first, last = rows[[0, -1]].tolist()
            ends = self.set_offsets[first : last + 1]
            chosen, *rest = diverse_sets(features, ends, rows - first, n_features, k, clock, stop=stop)
            return first + chosen, *rest

        starts = range(0, len(self), ROWS_AT_A_TIME)
        parts = list(mapped(of_rows, starts, jobs, None if stop is None else stop.tell))
        sets = np.concatenate([np.zeros(0, dtype=np.int64), *(chosen for chosen, _, _ in parts)])
        counts = np.concatenate([np.zeros(0, dtype=np.int64), *(of_row for _, of_row, _ in parts)])
        places = ranges_of(self.set_offsets, sets)
        few = type(self)(
            self.compiled,
            self.rows,
            self.request,
            row_offsets=offsets_of(counts),
            set_offsets=offsets_of(np.diff(self.set_offsets)[sets]),
            features=self.features[places],
            status=self.status,
            prediction=self._prediction,
            codes=None if self.codes is None else self.codes[places],
        )
        few.given, few.diversity = self.given, [diversity for _, _, of_row in parts for diversity in of_row]
        return few

    def certificates(self, *, time_limit: float | None = None) -> Iterator[Certificate | NoCertificate]:
        """For every row the certificate of its explanation (see `Explanation.certificate`), as it is made, or why it
        has none. The seconds are for each row.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> batch = symcf.fast.explain_batch(symcf.compile(admission()), [[0, 0, 1, 0], [1, 0, 1, 0]])
        >>> [bool(symcf.check(certificate)) for certificate in batch.certificates()]
        [True, True]
        """
        seconds = checked_seconds(time_limit)

        def of_row(row: int, model: dict[str, Any]) -> Certificate:
            return self._explainer(row).certificate(self._of_row(row), Clock(seconds), model)

        return certified(self.compiled, of_row, self._uncertified)

    def sealed(self, *, time_limit: float | None = None) -> SealedBatch:
        """The certificates of all rows under one root, so that each row can be checked by itself. The seconds are for
        each row. A row without a certificate counts as one; `SealedBatch.certificates` says why it has none.
        """
        return SealedBatch(self.certificates(time_limit=time_limit))

    # --- as a whole

    def summary(self) -> Summary:
        """How often each feature appears, how large the sets are, and how many rows have no counterfactual."""
        return self._summary((np.diff(self.row_offsets) == 0) & (self.status == COMPLETE))

    def to_pandas(self) -> pandas.DataFrame:
        """Tidy: one line per change, with old and new values instead of codes. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        set_of = self._set_of
        row = self._row_of_set[set_of]
        first = self.row_offsets[row]
        names = np.array(self.compiled.features, dtype=object)
        old, new = self.old_and_new()
        return pandas.DataFrame(
            {
                "row": row,
                "set": set_of - first,
                "feature": names[self.features],
                "old": old,
                "new": new,
                "cost": self.cost[set_of],
            }
        )

    def old_and_new(self, changes: slice = slice(None)) -> tuple[npt.NDArray[np.object_], npt.NDArray[np.object_]]:
        """What changes start from and lead to, as in `Change`: cells of the given rows, or names of values."""
        features, codes = self.features[changes], self._new_codes[changes]
        row = self._row_of_set[self._set_of[changes]]
        if self.given is None or self.compiled.model.encoder is None:
            values = [label for labels in self.compiled.values for label in labels]
            label = np.fromiter(values, dtype=object, count=len(values))
            offset = self.compiled.value_offset.astype(np.int64)[features]
            return label[offset + self.rows[row, features].astype(np.int64)], label[offset + codes]
        old, new = np.empty(len(codes), dtype=object), np.empty(len(codes), dtype=object)
        case, raw, at = None, None, (-1, -1)
        columns = (row, self._set_of[changes], features, codes)
        for i, (r, s, j, code) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            if case is None or r != at[0]:
                tick()
                case = self._explainer(r).case
            if raw is None or r != at[0] or (case.orders and s != at[1]):
                raw, at = case.raw_with(self._codes_of_set(s) if case.orders else {}), (r, s)
            old[i], new[i] = raw.old(j), raw.new(j, code)
        return old, new

    def cells(self, row: int) -> list[Any]:
        """A row by feature, as it was given; names of values where a feature has no cell of its own."""
        given = None if self.given is None else self.given.row(row)
        raw = self.compiled.raw_row(self.rows[row].tolist(), given, {}, {})
        return [raw.old(j) for j in range(self.compiled.n_features)]

    def cells_of_set(self, s: int) -> dict[int, Any]:
        """The cells of the given row that the values of a set change, by their places among the columns."""
        row = int(np.searchsorted(self.row_offsets, s, side="right")) - 1
        new = self._codes_of_set(s)
        return self._explainer(row).case.raw_with(new).changed_cells(new)

    def _codes_of_set(self, s: int) -> dict[int, int]:
        here = slice(*self.set_offsets[s : s + 2].tolist())
        return dict(zip(self.features[here].tolist(), self._new_codes[here].tolist(), strict=True))

    def to_frame(self, k: int | None = 1) -> pandas.DataFrame:
        """The changed rows: for every row its first ``k`` counterfactuals (None: all), in the columns, types and order
        of the given rows, so that the classifier's own `predict` takes them. Needs pandas.

        The index has two levels: ``row``, the label of the row in the given table or its number, and
        ``counterfactual``, from 0. Rows without a counterfactual are left out. Cells are equal to the given ones where
        nothing changed; numbers are the nearest that are enough.
        """
        pandas = load_extra("pandas", "to_frame")

        given = self._given_rows
        rows, ranks, cells = self._changed_cells(checked_count(k, "k", least=0))
        frame = given.frame(rows)
        frame.index = pandas.MultiIndex.from_arrays([frame.index, ranks], names=["row", "counterfactual"])
        return given.with_cells(frame, cells)

    def rows_to_arrow(self, k: int | None = 1) -> pyarrow.Table:
        """What `to_frame` gives as an Arrow table: ``row``, the number of the row, and ``counterfactual`` come first.
        Needs pyarrow.
        """
        rows, ranks, cells = self._changed_cells(checked_count(k, "k", least=0))
        table = self._given_rows.arrow(rows, cells)
        for name in ("row", "counterfactual"):
            if name in table.column_names:
                raise OptionError(f"the result has a column {name!r} of its own; rename yours")
        numbers = (np.array(ranks, dtype=np.int64), np.array(rows, dtype=np.int64))
        for name, column in zip(("counterfactual", "row"), numbers, strict=True):
            table = table.add_column(0, name, [column])
        return table

    def _changed_cells(self, k: int | None) -> tuple[list[int], list[int], dict[int, dict[int, Any]]]:
        """The rows that counterfactuals are made of, their ranks, and by column the cells that differ."""
        rows: list[int] = []
        ranks: list[int] = []
        cells: dict[int, dict[int, Any]] = {}
        for row in np.flatnonzero(np.diff(self.row_offsets)).tolist():
            explainer = self._explainer(row)
            ways = self._moved(row) if self.codes is not None else explainer.ways(self._in_order(row, explainer))
            for rank, codes in enumerate(itertools.islice(ways, k)):
                tick()
                for place, cell in explainer.case.raw_with(codes).changed_cells(codes).items():
                    cells.setdefault(place, {})[len(rows)] = cell
                rows.append(row)
                ranks.append(rank)
        return rows, ranks, cells

    def _moved(self, row: int) -> Iterator[dict[int, int]]:
        """The counterfactuals of a row whose sets have values of their own, as new codes by feature."""
        ends = self.set_offsets.tolist()
        for s in range(*self.row_offsets[row : row + 2].tolist()):
            here = slice(ends[s], ends[s + 1])
            yield dict(zip(self.features[here].tolist(), self._new_codes[here].tolist(), strict=True))

    @property
    def _given_rows(self) -> GivenRows:
        return GivenRows(self.rows, self.compiled.code_layout) if self.given is None else self.given

    def __getstate__(self) -> dict[str, Any]:
        # numpy pickles a view of the core's memory as an array of its own
        return self.__dict__

    def __repr__(self) -> str:
        return f"BatchExplanation({len(self):,} rows, {self.n_sets:,} change sets{self._cut})"
