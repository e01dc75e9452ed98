"""Batches over columns of numbers: gains as arrays, change sets in C, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers.batch import BatchExplanation
from symcf.answers.set_columns import Request
from symcf.answers.summary import AT_TARGET, INVALID, TIME_LIMIT
from symcf.common.clock import Clock
from symcf.data.reader import Codes
from symcf.errors import InstanceError, LimitError
from symcf.question.gains import gains_of
from symcf.system.classifier import Classifier

__all__ = ["number_batch"]

#: Rows per chunk: their gains fit the cache for thirty columns.
CHUNK = 1 << 10


@dataclass(frozen=True)
class _Part:
    """The answers to a chunk of rows."""

    n_sets: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    status: npt.NDArray[np.uint8]
    prediction: npt.NDArray[np.uint8]

    @property
    def nbytes(self) -> int:
        """Memory of the columns that it becomes part of."""
        return 8 * len(self.sizes) + 4 * len(self.features)


def number_batch(
    compiled: Classifier,
    rows: Codes,
    request: Request,
    jobs: int,
    clock: Clock,
    memory: int,
    report: Callable[[int], None] | None,
) -> BatchExplanation:
    """The change sets of all rows, the same for any number of threads."""
    codes = np.asarray(rows, dtype=np.int64)
    solver = _Solver(compiled, codes, request, clock, memory)
    starts = range(0, len(codes), CHUNK)
    parts: list[_Part] = []
    used = 0
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        # one thread: this one, which hears Ctrl-C
        for part in map(solver.solve, starts) if jobs == 1 else pool.map(_core.in_budget(solver.solve), starts):
            parts.append(part)
            used += part.nbytes
            if used > memory:
                raise LimitError(
                    f"the result would take more than max_memory, {memory:,} bytes ({len(parts) * CHUNK:,} of "
                    f"{len(codes):,} rows were done); set max_results or k, raise max_memory, or stream it with "
                    f"explain_batches"
                )
            if report is not None:
                report(min(len(parts) * CHUNK, len(codes)))
    sizes = np.concatenate([np.zeros(0, dtype=np.int64), *(part.sizes for part in parts)])
    n_sets = np.concatenate([np.zeros(0, dtype=np.int64), *(part.n_sets for part in parts)])
    return BatchExplanation(
        compiled,
        codes,
        request,
        row_offsets=np.concatenate([[0], np.cumsum(n_sets)]).astype(np.int64),
        set_offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        features=np.concatenate([np.zeros(0, dtype=np.int32), *(part.features for part in parts)]),
        status=np.concatenate([np.zeros(0, dtype=np.uint8), *(part.status for part in parts)]),
        prediction=np.concatenate([np.zeros(0, dtype=np.uint8), *(part.prediction for part in parts)]),
    )


class _Solver:
    def __init__(
        self,
        compiled: Classifier,
        codes: npt.NDArray[np.int64],
        request: Request,
        clock: Clock,
        memory: int,
    ) -> None:
        decision = compiled.decision.numbers
        assert decision is not None
        self._decision = decision
        self._codes, self._request, self._clock, self._memory = codes, request, clock, memory

    def solve(self, start: int) -> _Part:
        """The rows of one chunk."""
        question, codes = self._request.question, self._codes[start : start + CHUNK]
        status, prediction = np.zeros(len(codes), dtype=np.uint8), np.zeros(len(codes), dtype=np.uint8)
        valid, terms = self._terms(codes, start)
        status[~valid] = INVALID
        prediction[valid] = self._decision.classes_of(terms, codes[valid])
        asked = np.ones(len(terms), dtype=np.bool_)
        if question.target is not None:
            asked = prediction[valid] != question.target
            status[np.flatnonzero(valid)[~asked]] = AT_TARGET
        places = np.flatnonzero(valid)[asked]
        n_sets = np.zeros(len(codes), dtype=np.int64)
        gains = self._gains(codes[places], terms[asked], prediction[places])
        if gains is None:
            status[places] = TIME_LIMIT
            return _Part(n_sets, n_sets[:0], np.zeros(0, dtype=np.int32), status, prediction)
        sets, counts, states = _core.cover_rows(
            *gains,
            cost=question.costs.units,
            max_changes=question.constraints.max_changes,
            k=min(self._request.k or 0, 2**64 - 1),
            max_results=min(self._request.max_results or 0, 2**64 - 1),
            result_memory=self._memory,
            sorted=self._request.sorted,
            time_limit=self._clock.left,
        )
        status[places] = states
        n_sets[places] = counts
        ends = sets.end.astype(np.int64)
        return _Part(n_sets, np.diff(ends, prepend=0), sets.features.astype(np.int32), status, prediction)

    def _terms(self, codes: npt.NDArray[np.int64], start: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        """Which rows can be decided, and the terms of those."""
        valid: npt.NDArray[np.bool_] = np.asarray((codes >= 0).all(axis=1))
        try:
            return valid, self._decision.terms(codes[valid])
        except InstanceError as error:
            raise error.at(row=start + int(np.flatnonzero(valid)[error.row or 0])) from None

    def _gains(
        self, codes: npt.NDArray[np.int64], terms: npt.NDArray[np.int64], prediction: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
        """By row, rival and feature; every class has the same number of rivals. None when time is up."""
        rivals = max(1, len(self._decision.rule.bias) - 1)
        gain = np.zeros((len(codes), rivals, self._codes.shape[1]), dtype=np.int64)
        deficit = np.ones((len(codes), rivals), dtype=np.int64)
        for k in np.unique(prediction).tolist():
            if self._clock.expired:
                return None
            chosen = prediction == k
            gain[chosen], deficit[chosen] = gains_of(
                self._decision, self._request.question.freedom, codes[chosen], terms[chosen], k
            )
        return gain, deficit
