"""Change sets of many rows where columns hold numbers, by the gains of their features."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers.batch import BatchExplanation
from symcf.answers.chunks import CHUNK, MOST, Part, in_chunks
from symcf.answers.set_columns import ANSWERED, Request, Work
from symcf.answers.summary import AT_TARGET, INVALID, TIME_LIMIT
from symcf.answers.tied_rows import MOST_FEATURES, SetsOfRows, TiedRows, bits_of
from symcf.errors import InstanceError
from symcf.question.gains import gains_of
from symcf.question.ties import Ties

__all__ = ["answered"]


def answered(work: Work) -> BatchExplanation | None:
    """The change sets of all rows; None where columns hold values, and for questions that need more than gains."""
    request = work.request
    if request.question.classifier.decision.numbers is None or not work.is_uniform:
        return None
    if request.question.costs.per_value is not None or not (request.plan.kind.by_sums or _fits_ties(request)):
        return None
    return in_chunks(work, _Solver(work).solve)


def _fits_ties(request: Request) -> bool:
    """Are there bounds for tied columns, of the kind that all rows have?"""
    question, given = request.question, request.given
    classifier, numbers = question.classifier, question.classifier.decision.numbers
    if question.ties is None or not request.plan.kind.batches_ties:
        return False
    if request.max_results is not None or given is None:
        return False
    if numbers is None or len(numbers.rule.bias) > 2 or len(classifier.features) > MOST_FEATURES or not given.is_typed:
        return False
    kinds = [given.type_of(classifier.encoder.readers[j].sources[0]) for j in numbers.rule.numbers]
    return not any(kind is not None and kind.is_short for kind in kinds)


class _Solver:
    def __init__(self, work: Work) -> None:
        decision = work.compiled.decision.numbers
        assert decision is not None
        self._decision = decision
        self._codes = np.asarray(work.rows, dtype=np.int64)
        self._request, self._clock, self._memory = work.request, work.clock, work.memory

    def solve(self, start: int) -> Part:
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
            return Part(n_sets, n_sets[:0], np.zeros(0, dtype=np.int32), status, prediction)
        if question.ties is not None:
            tied, status[places] = self._tied(question.ties, *gains, start + places, prediction[places])
            n_sets[places] = np.bincount(tied.row, minlength=len(places))
            return Part(n_sets, *tied.features(codes.shape[1]), status, prediction)
        sets, counts, states = _core.cover_rows(
            *gains,
            cost=question.costs.units,
            max_changes=question.constraints.max_changes,
            k=min(self._request.k or 0, MOST),
            max_results=min(self._request.max_results or 0, MOST),
            result_memory=self._memory,
            sorted=self._request.sorted,
            time_limit=self._clock.left,
        )
        status[places] = states
        n_sets[places] = counts
        return Part(n_sets, sets.end.view(np.int64), sets.features.view(np.int32), status, prediction)

    def _tied(
        self,
        ties: Ties,
        gain: npt.NDArray[np.int64],
        deficit: npt.NDArray[np.int64],
        rows: npt.NDArray[np.int64],
        prediction: npt.NDArray[np.uint8],
    ) -> tuple[SetsOfRows, npt.NDArray[np.uint8]]:
        """The sets of rows, and their status."""
        request, question, codes = self._request, self._request.question, self._codes[rows]
        given = request.given
        assert given is not None
        readers = question.classifier.encoder.readers
        least = np.zeros((len(rows), 1 << len(ties.features)), dtype=np.int64)
        most = least.copy()
        for k in np.unique(prediction).tolist():
            chosen = prediction == k
            bounds = ties.gains(question.freedom, codes[chosen], k, lambda j: given.type_of(readers[j].sources[0]))
            least[chosen], most[chosen] = (bound[:, 0] for bound in bounds)
        costs, most_changes = question.costs.units, question.constraints.max_changes
        tied = np.array(ties.features)
        sums = TiedRows(gain[:, 0], deficit[:, 0], least, most, tied, costs, most_changes, request.k)
        sets, status, doubt = sums.solved(self._clock, self._memory)
        if not doubt.any():
            return sets, status
        found, bits = [sets], bits_of(codes.shape[1])
        for i in np.flatnonzero(doubt).tolist():
            case = request.case(self._codes, int(rows[i]), given.row(int(rows[i])))
            answer = BatchExplanation.searched(request, case, self._clock, self._memory)
            status[i] = ANSWERED[answer.status]
            masks = [np.bitwise_or.reduce(bits[list(one)], initial=np.uint64(0)) for one in answer.sets]
            found.append(SetsOfRows(np.full(len(masks), i), np.array(masks, dtype=np.uint64)))
        return SetsOfRows.joined(found).in_order(costs, codes.shape[1]), status

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
