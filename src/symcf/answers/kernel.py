"""A batch in the core: which questions it answers, and what it needs for them."""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers.batch import BatchExplanation
from symcf.answers.set_columns import ANSWERED, Request, offsets_of, too_large, unanswered_rows
from symcf.answers.summary import AT_TARGET, INVALID, TIME_LIMIT
from symcf.answers.tied_rows import MOST_FEATURES, SetsOfRows, TiedRows, bits_of
from symcf.common.clock import Clock
from symcf.common.memory import memory_of_a_result
from symcf.common.options import checked_count
from symcf.common.threads import run
from symcf.data.reader import Codes
from symcf.errors import InstanceError, LimitError, OptionError
from symcf.question.gains import gains_of
from symcf.question.prices import ForCore
from symcf.question.steps import StepTable
from symcf.question.ties import Ties
from symcf.search.line_sets import LineSearch
from symcf.search.protocol import PATIENCE, Search
from symcf.system.classifier import Classifier
from symcf.system.decision import goal_of
from symcf.system.targets import Goal
from symcf.values.of_case import flip_of

__all__ = ["Kernel", "checked_memory", "moves_batch", "needs_one_by_one", "number_batch", "takes_table"]

#: More bytes than any machine has, and a number that the core can reserve addresses for.
MOST_BYTES = 1 << 45

#: The largest count that the core takes.
MOST = 2**64 - 1


def needs_one_by_one(request: Request) -> bool:
    """Questions that the core does not answer in batches: by searches that it has no batches for, moves, costs of over
    61 bits, costs by value where trees vote, costs by value or relations where columns hold numbers, and orders of
    numbers.
    """
    plan, question = request.plan, request.question
    if request.own is not None:
        return True
    if question.minimality == "moves" or not question.costs.of_rows(request.places).fit:
        return True
    if question.constraints.by_row:
        return True
    if question.classifier.decision.numbers is None and question.relations is not None and question.relations.by_row:
        return True
    by_value = question.costs.per_value is not None
    if question.classifier.decision.numbers is not None:
        tied = request.question.ties is not None and _fits_ties(request)
        return by_value or not (plan.kind.by_sums or tied)
    # where trees are the search of choice they choose the values, too, whatever finds the sets
    by_trees = plan.kind.avoids_diagram or plan.default.avoids_diagram
    return not plan.search().batches or (by_value and by_trees)


def takes_table(request: Request) -> bool:
    """Moves that the core finds for many rows: what features may become, and what that costs, depends on their own
    values alone.
    """
    question = request.question
    return (
        question.minimality == "moves"
        and request.own is None
        and request.places is None
        and request.given is None
        and question.relations is None
        and question.classifier.decision.is_additive
        and request.plan.kind.batches_moves
    )


def _fits_ties(request: Request) -> bool:
    """Are there bounds for tied columns, of the kind that all rows have?"""
    question, given = request.question, request.given
    classifier, numbers = question.classifier, question.classifier.decision.numbers
    if request.options.engine not in ("auto", LineSearch.name) or request.max_results is not None or given is None:
        return False
    if numbers is None or len(numbers.rule.bias) > 2 or len(classifier.features) > MOST_FEATURES or not given.is_typed:
        return False
    kinds = [given.type_of(classifier.encoder.readers[j].sources[0]) for j in numbers.rule.numbers]
    return not any(kind is not None and kind.is_short for kind in kinds)


class Kernel:
    """What the core answers rows with, prepared: `LimitError` if that takes a diagram and longer than allowed."""

    def __init__(self, request: Request, codes: Codes, clock: Clock, *, reasons: bool = False) -> None:
        self._request, self._codes, self._clock, self._reasons = request, codes, clock, reasons
        search = request.plan.reason_search() if reasons else request.plan.search()
        self._solver = search.for_batch(request.question, clock)
        self._special = _Special() if reasons else _Special.of(request, search, codes, clock)

    def columns(self, memory: int, errors: str, jobs: int, report: Callable[[int], None] | None) -> dict[str, Any]:
        """The columns of a `SetColumns`."""
        batch = self._open(memory, errors)
        run(batch, min(jobs, max(1, len(self._codes))), report)
        columns = self._request.question.classifier.with_names(batch.finish)
        names = ("row_offsets", "set_offsets", "features", "status", "prediction")
        return {name: getattr(columns, name) for name in names}

    def _open(self, memory: int, errors: str) -> _core.Batch:
        request, special = self._request, self._special
        question = request.question
        compiled = question.classifier
        mask, directions = question.constraints.static_mask()
        return _core.Batch(
            self._solver,
            compiled.decision.groups.core_offset,
            self._codes,
            groups=compiled.decision.groups.for_core,
            allowed=mask,
            direction=directions,
            cost=question.costs.units,
            max_changes=question.constraints.max_changes,
            k=min(request.k or 0, MOST),
            max_results=min(request.max_results or 0, MOST),
            result_memory=memory,
            target=-1 if question.target is None else question.target,
            sorted=request.sorted,
            mark_bad_rows=errors == "mark",
            time_limit=self._clock.left,
            max_nodes=compiled.limits.max_nodes,
            max_memory=compiled.limits.max_memory,
            reasons=self._reasons,
            prices=special.prices,
            places=request.places,
            aims=special.aims,
            goals=special.goals,
            relation=special.relation,
            row_seconds=PATIENCE if self._clock.seconds is None and question.constraints.max_changes is None else 0.0,
        )


@dataclass(frozen=True)
class _Special:
    """What a batch needs besides its solver: costs that depend on values, and goals within relations. By class."""

    prices: Sequence[ForCore] | None = None
    aims: Sequence[_core.Aim | None] | None = None
    goals: Sequence[tuple[_core.Diagram, int] | tuple[_core.Ensemble, Goal] | None] | None = None
    relation: _core.Relation | None = None

    @classmethod
    def of(cls, request: Request, search: Search, codes: Codes, clock: Clock) -> _Special:
        """`LimitError` if a diagram is needed and takes longer than allowed."""
        question, compiled = request.question, request.question.classifier
        if question.relations is None and question.costs.per_value is None:
            return cls()
        relation = search.relation
        if question.costs.per_value is None and relation is not None:
            return cls(relation=relation)
        valid = ((codes >= 0) & (codes < np.diff(compiled.value_offset))).all(axis=1)
        present = set(np.unique(compiled.decide(codes[valid])).tolist()) - {question.target}
        to_reach = [
            goal_of(k, question.target, compiled.n_classes) if k in present else None for k in range(compiled.n_classes)
        ]
        prices = aims = goals = None
        if question.costs.per_value is not None:
            prices = question.costs.of_rows(request.places).for_core()
            offset = compiled.decision.groups.core_offset
            aims = [None if goal is None else flip_of(request.plan, goal, clock).aim(offset) for goal in to_reach]
        if question.relations is not None and relation is None:
            goals = [None if goal is None else search.reached(goal, clock) for goal in to_reach]
        return cls(prices, aims, goals, relation)


def checked_memory(max_memory: int | None) -> int:
    """Bytes that the result may take: what the user says, or most of what there is; within what can be addressed."""
    return min(checked_count(max_memory, "max_memory", least=1) or memory_of_a_result(), _most_addresses())


def _most_addresses() -> int:
    """The address space that a column may reserve, which ``ulimit -v`` can make scarce; a batch has two columns."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return MOST_BYTES if limit == resource.RLIM_INFINITY else max(1, limit // 8)


#: Rows per chunk: their gains fit the cache for thirty columns.
CHUNK = 1 << 10


@dataclass(frozen=True)
class _Part:
    """The answers to a chunk of rows."""

    n_sets: npt.NDArray[np.int64]
    #: By set, where its features end.
    end: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    status: npt.NDArray[np.uint8]
    prediction: npt.NDArray[np.uint8]
    #: Beside the features, their new values, where they are part of the answer.
    codes: npt.NDArray[np.int64] | None = None

    @property
    def nbytes(self) -> int:
        """Memory of the columns that it becomes part of."""
        return 8 * len(self.end) + 4 * len(self.features)


def in_chunks(
    compiled: Classifier,
    codes: Codes,
    request: Request,
    solve: Callable[[int], _Part],
    jobs: int,
    memory: int,
    report: Callable[[int], None] | None,
) -> BatchExplanation:
    """The answers to all rows, the same for any number of threads; ``solve`` answers those from one on."""
    starts = range(0, len(codes), CHUNK)
    parts: list[_Part] = []
    used = 0
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        # one thread: this one, which hears Ctrl-C
        for part in map(solve, starts) if jobs == 1 else pool.map(_core.in_budget(solve), starts):
            parts.append(part)
            used += part.nbytes
            if used > memory:
                raise too_large(memory, len(parts) * CHUNK, len(codes))
            if report is not None:
                report(min(len(parts) * CHUNK, len(codes)))
    bases = np.cumsum([0, *(len(part.features) for part in parts)]).tolist()
    ends = [part.end + base if base else part.end for part, base in zip(parts, bases, strict=False)]
    n_sets = np.concatenate([np.zeros(0, dtype=np.int64), *(part.n_sets for part in parts)])
    values = [part.codes for part in parts if part.codes is not None]
    return BatchExplanation(
        compiled,
        codes,
        request,
        row_offsets=offsets_of(n_sets),
        set_offsets=np.concatenate([np.zeros(1, dtype=np.int64), *ends]),
        # no copy of the features of a single chunk: they may be most of the memory
        features=parts[0].features
        if len(parts) == 1
        else np.concatenate([np.zeros(0, dtype=np.int32), *(part.features for part in parts)]),
        status=np.concatenate([np.zeros(0, dtype=np.uint8), *(part.status for part in parts)]),
        prediction=np.concatenate([np.zeros(0, dtype=np.uint8), *(part.prediction for part in parts)]),
        codes=np.concatenate(values) if values else None,
    )


def number_batch(
    compiled: Classifier,
    rows: Codes,
    request: Request,
    jobs: int,
    clock: Clock,
    memory: int,
    report: Callable[[int], None] | None,
) -> BatchExplanation:
    """The change sets of all rows where columns hold numbers."""
    codes = np.asarray(rows, dtype=np.int64)
    solve = _Solver(compiled, codes, request, clock, memory).solve
    return in_chunks(compiled, codes, request, solve, jobs, memory, report)


def moves_batch(
    compiled: Classifier,
    rows: Codes,
    request: Request,
    jobs: int,
    clock: Clock,
    memory: int,
    errors: str,
    report: Callable[[int], None] | None,
) -> BatchExplanation | None:
    """The nearest moves of all rows, by sums of weights (src/core/moves_rows.c); None where costs are too large for the
    core, or an error about one row has to wait for its turn.
    """
    status, prediction = unanswered_rows(compiled, rows, request, errors, clock)
    if prediction is None:
        return BatchExplanation.unanswered(compiled, rows, request, (status, prediction))
    asked = status == TIME_LIMIT
    try:
        table = StepTable(request.question, rows[asked])
    except OptionError:
        return None
    except LimitError as error:
        if not clock.ended(error):  # it was the classifier's limit
            raise
        return BatchExplanation.unanswered(compiled, rows, request, (status, prediction))
    if not table.fit:
        return None
    own = np.zeros(rows.shape, dtype=np.uint32)
    own[asked] = table.own
    decision, n_classes = compiled.decision, compiled.n_classes
    goals = [decision.sums_to_flip(goal_of(k, request.question.target, n_classes)) for k in range(n_classes)]

    def solve(start: int) -> _Part:
        chunk = slice(start, start + CHUNK)
        places = np.flatnonzero(asked[chunk])
        n_sets, states = np.zeros(len(status[chunk]), dtype=np.int64), status[chunk].copy()
        pairs, n_sets[places], states[places] = table.core.of_rows(
            goals,
            np.ascontiguousarray(own[chunk][places]),
            np.ascontiguousarray(prediction[chunk][places]),
            max_changes=request.question.constraints.max_changes,
            k=min(request.k or 0, MOST),
            max_results=min(request.max_results or 0, MOST),
            result_memory=memory,
            time_limit=clock.left,
        )
        both = pairs.features.view(np.int32)
        features, codes = np.ascontiguousarray(both[::2]), both[1::2].astype(np.int64) if len(places) else None
        return _Part(n_sets, pairs.end.view(np.int64) // 2, features, states, prediction[chunk], codes)

    return in_chunks(compiled, rows, request, solve, jobs, memory, report)


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
        if question.ties is not None:
            tied, status[places] = self._tied(question.ties, *gains, start + places, prediction[places])
            n_sets[places] = np.bincount(tied.row, minlength=len(places))
            return _Part(n_sets, *tied.features(codes.shape[1]), status, prediction)
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
        return _Part(n_sets, sets.end.view(np.int64), sets.features.view(np.int32), status, prediction)

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
