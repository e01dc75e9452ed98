"""Change sets and reasons where columns of numbers are related: minimal sets that an oracle finds enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from symcf.common.clock import NO_LIMIT, Clock
from symcf.errors import LimitError
from symcf.question.case import Case, Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.lines import LineOracle
from symcf.search.protocol import PATIENCE, STEP, Answer, Options, Search, drawn
from symcf.search.transversals import Transversals, features_of
from symcf.system.lines import Row, System

__all__ = ["LineSearch"]

#: Rows that are kept: one of them may be enough for another set.
KEPT = 64


class LineSearch(Search):
    """Branch and bound over boxes of one row's system of sums (`symcf.search.lines`)."""

    name = "boxes"
    patience = PATIENCE
    avoids_diagram = True
    finds_reasons = True

    @classmethod
    def supports(cls, question: Question) -> str | None:
        """See `Search`."""
        if question.classifier.decision.numbers is not None:
            return None
        return "there are no columns of numbers"

    @classmethod
    def is_preferred(cls, question: Question) -> bool:
        """See `Search`. Where nothing relates the features, sums of gains are faster."""
        return question.is_coupled

    @classmethod
    def for_case(cls, case: Case, options: Options) -> Search:
        """See `Search`. Each row has a system of its own."""
        assert case.numbers is not None
        return cls(case.numbers.system.system)

    def __init__(self, system: System) -> None:
        self.system = system
        self._oracle = LineOracle(system)
        self._sets = Transversals(len(system.features), self._enough)
        self._clock = NO_LIMIT
        self._rows: dict[frozenset[int], Row] = {}

    def _enough(self, features: Sequence[int]) -> Sequence[int] | None:
        """See `Transversals`."""
        row = self._oracle.witness(features, self._clock)
        if row is None:
            return None
        changed = self.system.changed(row)
        if len(self._rows) < KEPT:
            self._rows.setdefault(changed, row)
        return sorted(changed)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Search`."""
        found = self._listed(query, clock)
        given = 0
        while True:
            most = step if limit is None else min(step, limit - given)
            sets: list[ChangeSet] = []
            try:
                sets.extend(islice(found, most))
                given += len(sets)
                status = "more" if len(sets) == most else "complete"
            except LimitError as error:
                if not clock.ended(error):
                    raise
                status = "time"
            yield Answer(ChangeSets.of(sets), status, None if query.reasons else self._sets.complete_up_to)
            if status != "more" or given == limit:
                return

    def _listed(self, query: Query, clock: Clock) -> Iterator[ChangeSet]:
        """Sets, by size; reasons are known when all sets are."""
        self._clock = clock
        if not query.reasons:
            yield from self._sets.listed(query.max_changes)
            return
        try:
            self._sets.exhaust()
        finally:
            yield from self._reasons(query)

    def _reasons(self, query: Query) -> list[ChangeSet]:
        weights = query.weights()
        found = map(features_of, self._sets.reasons)
        return sorted(found, key=lambda reason: (sum(weights[j] for j in reason), len(reason), reason))

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Search`."""
        self._clock = clock
        sets: list[ChangeSet] = []
        try:
            if query.reasons:
                self._sets.exhaust()
                return Answer(ChangeSets.of(self._reasons(query)[:k]), "complete")
            for change_set in self._sets.cheapest(k, query.weights(), query.max_changes):
                sets.append(change_set)
        except LimitError as error:
            if not clock.ended(error):
                raise
            if query.reasons:
                return Answer(ChangeSets.of(self._reasons(query)[:k]), "time")
            return Answer(ChangeSets.of(sets), "time", bound=self._sets.next_best)
        return Answer(ChangeSets.of(sets), "complete")

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets | None:
        """See `Search`. From a list of all."""
        return drawn(self, query, size, random, clock)

    def exists(self, query: Query, clock: Clock) -> bool:
        """See `Search`."""
        if query.max_changes is not None:
            return any(answer.sets for answer in self.steps(query, 1, clock))
        self._clock = clock
        return self._sets.can((1 << len(self.system.features)) - 1)
