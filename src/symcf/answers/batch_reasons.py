"""The reasons of many rows: columns, and the objects and tables that can be made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from symcf.answers.explainer import Explainer
from symcf.answers.reasons import Reasons
from symcf.answers.set_columns import Request, SetColumns
from symcf.answers.summary import AT_TARGET, COMPLETE, INVALID, STATUS, TIME_LIMIT, Summary
from symcf.common.clock import Clock
from symcf.common.extras import load_extra
from symcf.common.options import checked_seconds
from symcf.data.given import GivenRows
from symcf.errors import OptionError
from symcf.proof.certificates.certificate import Certificate
from symcf.proof.certificates.sealed import NoCertificate, SealedBatch, certified
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

    #: The rows as they were given; None where only codes are known.
    given: GivenRows | None = None

    @staticmethod
    def searched(request: Request, case: Case, clock: Clock, max_memory: int) -> Answer:
        explainer, search = Explainer(case, request.plan), request.plan.of(case).reasons_for(case)
        within = search.patient(case, clock)
        return explainer.find_reasons(search, request.k, request.max_results, within, max_memory)

    def _of_row(self, row: int) -> Reasons:
        status, explainer = int(self.status[row]), self._explainer(row)
        in_order = self.request.sorted and status != TIME_LIMIT
        sets = self.sets(row) if in_order else explainer.ranking.in_order(self.sets(row))
        name = "complete" if status == AT_TARGET else STATUS[status]
        return explainer.reasons(sets, name, "batch", self.request.k)

    def _explainer(self, row: int) -> Explainer:
        given = None if self.given is None else self.given.row(row)
        return Explainer(coded_case(self.request.question, self.rows[row : row + 1], given), self.request.plan)

    def _chosen(self, index: npt.NDArray[np.int64]) -> Self:
        part = type(self)(self.compiled, self.rows[index], self.request, **self._places(index)[0])
        part.given = None if self.given is None else self.given.chosen(index)
        return part

    def certificates(self, *, time_limit: float | None = None) -> Iterator[Certificate | NoCertificate]:
        """For every row the certificate of its reasons (see `Reasons.certificate`), as it is made, or why it has none.
        The seconds are for each row.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> batch = symcf.fast.why_batch(symcf.compile(admission()), [[0, 0, 1, 0], [1, 0, 1, 0]])
        >>> [bool(symcf.check(certificate)) for certificate in batch.certificates()]
        [True, True]
        """
        seconds = checked_seconds(time_limit)

        def of_row(row: int, model: dict[str, Any]) -> Certificate:
            return self._explainer(row).certificate_of_reasons(self._of_row(row), Clock(seconds), model)

        return certified(self.compiled, of_row, self._uncertified)

    def sealed(self, *, time_limit: float | None = None) -> SealedBatch:
        """The certificates of all rows under one root; see `BatchExplanation.sealed`."""
        return SealedBatch(self.certificates(time_limit=time_limit))

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
