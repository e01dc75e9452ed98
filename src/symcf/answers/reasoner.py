"""Answers to a case: sufficient reasons from a search, in the user's terms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from symcf import _core
from symcf.answers.reasons import Reasons
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.lazy import cached_property
from symcf.question.case import Case
from symcf.search.change_sets import ChangeSets
from symcf.search.plan import Plan, plan
from symcf.search.protocol import Answer, Search
from symcf.search.reasons import feature_counts, necessary_features, reason_query, relevant_features

__all__ = ["STATUS", "Reasoner"]

STATUS = {"complete": "complete", "more": "max_results", "time": "time_limit"}

#: More bytes than any machine has.
MOST_BYTES = 1 << 62


class Reasoner(ABC):
    """Says what was enough for the decision of one case. Without a plan, one is made when it is needed."""

    def __init__(self, case: Case, planned: Plan | None = None) -> None:
        self.case = case
        self._planned = planned

    @cached_property
    def plan(self) -> Plan:
        """How the question is answered."""
        return plan(self.case.question) if self._planned is None else self._planned.of(self.case)

    def why(self, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Reasons:
        """The reasons, in order, as far as time allows."""
        search = self.plan.reasons_for(self.case)
        answer = self.find_reasons(search, k, max_results, self.patient(search, clock), max_memory)
        bound = None if answer.bound is None else self.case.costs.total(answer.bound)
        return self.reasons(answer.sets, STATUS[answer.status], search.name, k, bound)

    def find_reasons(
        self, search: Search, k: int | None, max_results: int | None, clock: Clock, max_memory: int
    ) -> Answer:
        """The same as sets of features."""
        query = reason_query(self.case)
        if self.case.costs.fit:
            return search.run(query, k, max_results, clock, max_memory)
        # searches know such costs only rounded: the order is made of what they find
        whole = search.run(query, None, None if k else max_results, clock, max_memory, self._exact_costs)
        if k is None:
            return whole
        wanted = k if max_results is None else min(k, max_results)
        cut = whole.status == "complete" and wanted < k and len(whole.sets) > wanted
        return Answer(ChangeSets.of(whole.sets[:wanted]), "more" if cut else whole.status)

    def _exact_costs(self, sets: _core.Sets, clock: Clock) -> list[int]:
        units = [self.case.costs.unit_of(j, old, -1) for j, old in enumerate(self.case.x)]
        return [sum(units[j] for j in reason) for reason in sets.to_list()]

    def why_all(self) -> Reasons:
        """All reasons, by the search that is fastest as a rule."""
        return self.unnamed().why(None, None, NO_LIMIT, MOST_BYTES)

    @abstractmethod
    def unnamed(self) -> Self:
        """The same, by the searches that are fastest as a rule."""

    def patient(self, search: Search, clock: Clock) -> Clock:
        """The clock, or for a search that might take hours a shorter one if the question has no limit."""
        if search.patience is None or clock.seconds is not None or self.case.query.max_changes is not None:
            return clock
        return clock.earlier(search.patience)

    def reasons(self, sets: ChangeSets, status: str, engine: str, k: int | None, bound: float | None = None) -> Reasons:
        """Sets of features as reasons."""
        classifier, question = self.case.question.classifier, self.case.question
        return Reasons(
            instance=np.array(self.case.x, dtype=np.int64),
            prediction=self.case.prediction,
            target=question.target if classifier.n_classes > 2 else None,
            classes=classifier.classes,
            features=classifier.features,
            values=classifier.values,
            sets=sets,
            status=status,
            engine=engine,
            constraints=question.constraints.items,
            costs=self.case.costs,
            k=k,
            bound=bound,
            probability=self._probability(self.case.x, self.case.prediction),
            goal=classifier.model.goal,
            reached=self._reached(self.case.x),
            witness=self,
        )

    # --- what lists that are cut short do not say; see `Witness`

    def necessary(self) -> tuple[int, ...]:
        """The features in every reason."""
        return necessary_features(self.plan, self.case, NO_LIMIT)

    def relevant(self) -> tuple[int, ...]:
        """The features in some reason."""
        return relevant_features(self.plan, self.case, NO_LIMIT)

    def counts(self, clock: Clock = NO_LIMIT, *, reasons: bool = True) -> tuple[list[int], int]:
        """By feature, how many reasons (or change sets) it is in, and how many there are. Without listing them."""
        return feature_counts(self.plan, self.case, reasons, clock)

    @abstractmethod
    def changes(self) -> Any:
        """All minimal counterfactuals of the same question."""

    def _reached(self, row: Sequence[int]) -> float | None:
        """What a row has of the number that is the target; None where that is a class."""
        numbers = self.case.question.classifier.model.reached(np.array([row], dtype=np.int64))
        return None if numbers is None else float(numbers[0])

    def _probability(self, row: Sequence[int], class_code: int) -> float | None:
        classifier = self.case.question.classifier
        if not classifier.has_probabilities:
            return None
        probabilities = classifier.probabilities(np.array([row], dtype=np.int64))
        assert probabilities is not None
        return float(probabilities[0, class_code])
