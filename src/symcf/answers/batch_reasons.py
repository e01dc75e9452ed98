"""The reasons of many rows: columns, and the objects and tables that can be made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from symcf.answers.explainer import Explainer
from symcf.answers.reasons import Reasons
from symcf.answers.set_columns import Request, SetColumns
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID, STATUS, TIME_LIMIT, Summary
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.errors import OptionError
from symcf.question.case import Case, coded_case
from symcf.search.protocol import Answer

if TYPE_CHECKING:
    import pandas

__all__ = ["BatchReasons"]


class BatchReasons(SetColumns[Reasons]):
    """The sufficient reasons of many rows, in columns. Made by `symcf.fast.why_batch`.

    Row i has the reasons ``row_offsets[i]`` to ``row_offsets[i + 1]``; reason s has the features
    ``features[set_offsets[s]:set_offsets[s + 1]]``, ascending. ``batch[i]`` is the `Reasons` of a row, a slice is a
    smaller batch.
    """

    @staticmethod
    def searched(request: Request, case: Case, clock: Clock, max_memory: int) -> Answer:
        explainer, search = Explainer(case, request.plan), request.plan.of(case).reasons_for(case)
        within = search.patient(case, clock)
        return explainer.find_reasons(search, request.k, request.max_results, within, max_memory)

    def _of_row(self, row: int) -> Reasons:
        status = int(self.status[row])
        explainer = Explainer(coded_case(self.request.question, self.rows[row : row + 1]), self.request.plan)
        in_order = self.request.sorted and status != TIME_LIMIT
        sets = self.sets(row) if in_order else explainer.ranking.in_order(self.sets(row))
        name = "complete" if status == AT_TARGET else STATUS[status]
        return explainer.reasons(sets, name, "batch", self.request.k)

    def _chosen(self, index: npt.NDArray[np.int64]) -> Self:
        return type(self)(self.compiled, self.rows[index], self.request, **self._places(index)[0])

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
        """How often each feature appears, how large the reasons are, and how many of them are empty."""
        return replace(self._summary(np.diff(self.set_offsets) == 0), what="reasons")

    def to_pandas(self) -> pandas.DataFrame:
        """Tidy: one line per condition, with names instead of codes. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        reason = self._set_of
        row = self._row_of_set[reason]
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

    def __repr__(self) -> str:
        return f"BatchReasons({len(self):,} rows, {self.n_sets:,} reasons{self._cut})"
