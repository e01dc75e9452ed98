"""Answers to a case: change sets from an engine, with their values, in the user's terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from symcf.common.clock import NO_LIMIT, Clock
from symcf.engines.change_sets import ChangeSet, ChangeSets, Ordering
from symcf.engines.choice import engine_for, engine_of
from symcf.engines.contract import Answer, Engine, run
from symcf.errors import InternalError, LimitError
from symcf.questions.case import NumberCase
from symcf.questions.constraints import Constraint, minimal_relaxation
from symcf.results.explanation import Explanation
from symcf.results.facts import Change, Counterfactual
from symcf.results.reasoner import MOST_BYTES, STATUS, Reasoner
from symcf.values.assignments import Assignments, cheapest_by_value
from symcf.values.nearest_sets import nearest_sets
from symcf.values.numbers import NumberAssignments
from symcf.values.of_case import assignments_of

__all__ = ["Explainer"]

#: Counterfactuals that `stream` holds at a time.
STREAM_STEP = 256

TIME_IS_UP = "time limit reached: more counterfactuals may exist"


class Explainer(Reasoner):
    """Answers one case."""

    def explain(
        self,
        engine: Engine,
        k: int | None,
        max_results: int | None,
        clock: Clock,
        max_memory: int,
        values: str = "best",
    ) -> Explanation:
        """The whole answer, in order, as far as time allows."""
        answer = self.run(engine, k, max_results, clock, max_memory)
        return self.explanation(answer.sets, STATUS[answer.status], engine.name, k, values=values, clock=clock)

    def run(self, engine: Engine, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Answer:
        """The change sets, in order."""
        by_value = self._is_priced
        if by_value and k is not None:
            return self._cheapest(engine, k, max_results, clock)
        return run(engine, self.case.query, k, max_results, clock, max_memory, self._price if by_value else None)

    def _cheapest(self, engine: Engine, k: int, max_results: int | None, clock: Clock) -> Answer:
        """The k cheapest where the cost of a set is that of its cheapest values: sets come by a lower bound of it."""

        def first(count: int) -> ChangeSets:
            answer = engine.best(self.case.query, count, clock)
            _check_time(clock)
            return answer.sets

        def bound(last: ChangeSet) -> tuple[int, int, ChangeSet]:
            least = self.case.costs.least(sum(self.case.query.weights()[j] for j in last))
            return (least, len(last), last) if self.case.costs.fit else (least, 0, ())

        wanted = k if max_results is None else min(k, max_results)
        try:
            self.assignments = assignments_of(self.case, clock)
            if isinstance(self.case, NumberCase) and isinstance(self.assignments, NumberAssignments):
                sets = nearest_sets(self.case, self.assignments, wanted, lambda: _check_time(clock))
            else:
                sets = cheapest_by_value(first, self._price, bound, wanted, lambda: _check_time(clock))
        except LimitError as error:
            if not clock.ended(error):
                raise
            return Answer(ChangeSets.of([]), "time")
        cut = max_results is not None and max_results < k and len(sets) == max_results
        return Answer(ChangeSets.of(sets), "more" if cut else "complete")

    def in_order(self, sets: ChangeSets) -> ChangeSets:
        """By (cost, size, features)."""
        by_value = self._is_priced
        ordering = Ordering(self.case.query.units, NO_LIMIT, MOST_BYTES, self._price if by_value else None)
        ordering.add(sets.core)
        return ordering.finish()

    @property
    def _is_priced(self) -> bool:
        """Is the cost of a set more than a sum of what engines know?"""
        return self.case.costs.per_value is not None or not self.case.costs.fit

    def _price(self, change_set: ChangeSet) -> int:
        costs = self.case.costs
        if costs.per_value is None:
            return sum(costs.unit_of(j, self.case.x[j], -1) for j in change_set)
        priced = self.assignments.priced(change_set)
        assert priced is not None, "no values of a change set flip the decision"
        return priced.unit

    def explanation(
        self,
        sets: ChangeSets,
        status: str,
        engine: str,
        k: int | None,
        at_target: bool = False,
        values: str = "best",
        clock: Clock = NO_LIMIT,
    ) -> Explanation:
        """Change sets as an explanation. A row that is already `at_target` needs none."""
        blocking: tuple[Constraint, ...] = ()
        if not sets and status == "complete" and not at_target:
            try:
                blocking = self._blocking(clock)
            except LimitError as error:
                if not clock.ended(error):
                    raise
                status = "time_limit"  # there was no time to find the reason
        return Explanation(
            instance=np.array(self.case.x, dtype=np.int64),
            prediction=self.case.prediction,
            target=self.case.prediction if at_target else self.case.target,
            classes=self.case.question.classifier.classes,
            features=self.case.question.classifier.features,
            values=self.case.question.classifier.values,
            ordered=self.case.question.classifier.ordered,
            sets=sets,
            status=status,
            engine=engine,
            blocking=blocking,
            constraints=self.case.question.constraints.items,
            costs=self.case.costs,
            k=k,
            build=self.counterfactual if values == "best" else self.counterfactuals,
            all_values=values == "all",
            probability=self._probability(self.case.x, self.case.prediction),
            why=None if at_target else self.why_all,
        )

    def changes(self) -> Explanation:
        """See `Reasoner`."""
        return self.explain(engine_of(self.case.question), None, None, NO_LIMIT, MOST_BYTES)

    def stream(self, engine: Engine, max_results: int | None, clock: Clock) -> Iterator[Counterfactual]:
        """Counterfactuals as they are found."""
        for answer in engine.steps(self.case.query, max_results, clock, step=STREAM_STEP):
            for change_set in answer.sets:
                yield self.counterfactual(change_set)
                _check_time(clock)
            if answer.status == "time":
                raise LimitError(TIME_IS_UP)

    def _blocking(self, clock: Clock) -> tuple[Constraint, ...]:
        """Which constraints stand in the way of every counterfactual; `LimitError` when time is up."""
        constraints, groups = self.case.question.constraints, self.case.question.classifier.decision.groups

        def solvable(left_out: Sequence[Constraint]) -> bool:
            if isinstance(self.case, NumberCase):
                case = self.case.relaxed(left_out)
                return any(answer.sets for answer in engine_for(case).steps(case.query, 1, clock))
            question = replace(self.case.question, relations=constraints.most_relations(left_out))
            query = replace(
                self.case.query,
                mask=groups.core_mask(constraints.mask(self.case.x, left_out)),
                max_changes=constraints.most_changes(left_out),
            )
            found = any(answer.sets for answer in engine_of(question).steps(query, 1, clock))
            _check_time(clock)
            return found

        return minimal_relaxation(constraints.items, solvable)

    # --- counterfactuals

    def counterfactuals_of(self, sets: ChangeSets, clock: Clock) -> list[Counterfactual]:
        """One for each set; `LimitError` when time is up."""
        found = []
        for change_set in sets:
            _check_time(clock)
            found.append(self.counterfactual(change_set))
        return found

    def counterfactual(self, change_set: ChangeSet) -> Counterfactual:
        """A change set with the cheapest values that flip the decision, in the user's terms."""
        return self._described(dict(zip(change_set, self.best_codes(change_set), strict=True)))

    def best_codes(self, change_set: ChangeSet) -> Sequence[int]:
        """The cheapest values that flip the decision, as value codes."""
        codes = self.assignments.best(change_set)
        if codes is None:
            raise InternalError(f"changing {change_set} does not change the decision")
        return codes

    def counterfactuals(self, change_set: ChangeSet) -> Iterator[Counterfactual]:
        """A change set with all values that flip the decision."""
        for codes in self.assignments.all(change_set):
            yield self._described(dict(zip(change_set, codes, strict=True)))

    def _described(self, new: dict[int, int]) -> Counterfactual:
        classifier, x = self.case.question.classifier, self.case.x
        row = [new.get(j, old) for j, old in enumerate(x)]
        target = self.case.target if self.case.target is not None else int(classifier.decide(np.array([row]))[0])
        return Counterfactual(
            changes=tuple(
                Change(j, classifier.features[j], classifier.values[j][x[j]], classifier.values[j][v])
                for j, v in new.items()
            ),
            cost=self.case.costs.total_of(x, row),
            instance=np.array(row, dtype=np.int64),
            target=target,
            probability=self._probability(row, target),
        )

    @cached_property
    def assignments(self) -> Assignments | NumberAssignments:
        """Which values flip the decision."""
        return assignments_of(self.case)


def _check_time(clock: Clock) -> None:
    if clock.expired:
        raise LimitError(TIME_IS_UP)
