"""A question about one instance: what the user asked, resolved, and answers in the user's terms.

Between the façade, which takes names and raw values, and the engines, which take arrays of core codes: a `Question`
knows both sides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.clauses.cnf import Wcnf, wcnf
from symcf.common.clock import Clock
from symcf.diagrams.targets import Goals, goal_of
from symcf.engines import engines
from symcf.errors import InternalError, LimitError, OptionError
from symcf.questions.constraints import Constraint, Constraints, minimal_relaxation
from symcf.questions.costs import Costs
from symcf.questions.relations import Relations
from symcf.results.explanation import Change, Counterfactual, Explanation
from symcf.rows.labels import code_of
from symcf.values.assignments import (
    AnyOtherFlip,
    Assignments,
    DiagramFlip,
    Flip,
    TargetFlip,
    ThresholdFlip,
    cheapest_by_value,
)

if TYPE_CHECKING:
    from symcf.compiled import Compiled

__all__ = ["Asked", "Question"]

#: Counterfactuals that `stream` holds at a time.
STREAM_STEP = 256

STATUS = {"complete": "complete", "more": "max_results", "time": "time_limit"}

ChangeSet = tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """What is asked about an instance, checked: the same for every row of a batch."""

    #: The classifier that answers; it tells apart what the relations do.
    compiled: Compiled
    constraints: Constraints
    costs: Costs
    relations: Relations | None
    #: The code of the wanted class; None: any other.
    target: int | None

    @classmethod
    def checked(
        cls,
        compiled: Compiled,
        target: Hashable | None,
        immutable: Any,
        allowed: Any,
        cost: Any,
        max_changes: int | None,
        constraints: Any,
    ) -> Asked:
        """What the user gave, with an error for what makes no sense."""
        names = (compiled.features, compiled.values, compiled.ordered)
        relations = Relations(constraints, *names) if _is_given(constraints) else None
        return cls(
            compiled if relations is None else compiled.telling_apart(relations.partition()),
            Constraints(*names, immutable=immutable, allowed=allowed, max_changes=max_changes, relations=relations),
            Costs(cost, *names),
            relations,
            None if target is None else code_of(target, compiled.classes, "target"),
        )

    @property
    def any_other(self) -> bool:
        """Will any other class than now do?"""
        return self.target is None or self.compiled.n_classes == 2

    def engine(self, name: str = "auto", encoding: str = "auto", solver: str | None = None) -> engines.Engine:
        """The engine that answers."""
        return self.compiled.engine(name, encoding, solver, any_other=self.any_other, relations=self.relations)


def _is_given(constraints: Any) -> bool:
    return constraints is not None and not (isinstance(constraints, (list, tuple)) and not constraints)


class Question:
    """What would have to change for this instance to be decided differently?"""

    def __init__(
        self,
        compiled: Compiled,
        x: Any,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        cost: Any = None,
        max_changes: int | None = None,
        constraints: Any = (),
    ) -> None:
        asked = Asked.checked(compiled, target, immutable, allowed, cost, max_changes, constraints)
        self._set_up(asked, compiled.instance(x))
        if asked.target == self.prediction:
            raise OptionError(f"target: the instance is {compiled.classes[self.prediction]!r} already")

    @classmethod
    def about(cls, asked: Asked, row: npt.NDArray[Any]) -> Question:
        """The same for a row of value codes, of shape (1, n), that have been checked before."""
        self = cls.__new__(cls)
        self._set_up(asked, row)
        return self

    def _set_up(self, asked: Asked, row: npt.NDArray[Any]) -> None:
        self.asked = asked
        #: The instance, as value codes.
        self.x: list[int] = row[0].tolist()
        compiled, groups = asked.compiled, asked.compiled.decision.groups
        self.prediction = int(compiled.decide(row)[0])
        #: By value: may it be taken? None: everything may.
        self.mask = asked.constraints.mask(self.x)
        core_mask = groups.core_mask(self.mask)
        core = np.ascontiguousarray(groups.core_codes(row)[0])
        #: For the engines.
        self.query = engines.Query(
            x=core,
            goal=goal_of(self.prediction, asked.target, compiled.n_classes),
            mask=core_mask,
            units=asked.costs.lower_units(self.x, self.mask)
            if asked.costs.per_value is not None
            else asked.costs.units,
            max_changes=asked.constraints.max_changes,
        )

    @property
    def target(self) -> int | None:
        """The class that the counterfactuals are given; None: any but the present one."""
        return 1 - self.prediction if self.asked.compiled.n_classes == 2 else self.asked.target

    def engine(self, name: str = "auto", encoding: str = "auto", solver: str | None = None) -> engines.Engine:
        """The engine that answers."""
        return self.asked.engine(name, encoding, solver)

    def wcnf(self, encoding: str) -> Wcnf:
        """The question as a partial MaxSAT problem."""
        cnf = Goals(self.asked.compiled, self.asked.relations).cnf(self.query.goal, encoding)
        core, mask = self.query.x.tolist(), self.query.mask
        groups = self.asked.compiled.decision.groups
        codes = [(j, g) for j, members in enumerate(groups.members) for g in range(len(members)) if g != core[j]]
        allowed = {(j, g) for j, g in codes if mask is None or mask[int(groups.core_offset[j]) + g]}
        fixed = sorted(set(range(len(core))) - {j for j, _ in allowed})
        forbidden = [(j, g) for j, g in codes if (j, g) not in allowed and j not in fixed]
        return wcnf(cnf, core, fixed, forbidden, self.query.weights())

    # --- answers

    def explain(
        self,
        engine: engines.Engine,
        k: int | None,
        max_results: int | None,
        clock: Clock,
        values: str = "best",
    ) -> Explanation:
        """The whole answer, in order."""
        answer = self.run(engine, k, max_results, clock)
        return self.explanation(answer.sets, STATUS[answer.status], engine.name, k, values=values)

    def run(self, engine: engines.Engine, k: int | None, max_results: int | None, clock: Clock) -> engines.Answer:
        """The change sets, in order."""
        if self.asked.costs.per_value is None:
            return engines.run(engine, self.query, k, max_results, clock)
        if k is None:
            answer = engines.run(engine, self.query, None, max_results, clock)
            return replace(answer, sets=self.in_order(answer.sets))
        return self._cheapest(engine, k, max_results, clock)

    def _cheapest(self, engine: engines.Engine, k: int, max_results: int | None, clock: Clock) -> engines.Answer:
        """The k cheapest where a set costs what its cheapest values cost: sets come by a lower bound of that."""

        def first(units: npt.NDArray[np.int64], count: int) -> list[ChangeSet]:
            answer = engine.best(replace(self.query, units=units), count, clock)
            if answer.status == "time":
                raise TimeoutError
            return answer.sets

        wanted = k if max_results is None else min(k, max_results)
        try:
            sets = [s for s, _ in cheapest_by_value(first, self.assignments, wanted)]
        except TimeoutError:
            return engines.Answer([], "time")
        cut = max_results is not None and max_results < k and len(sets) == max_results
        return engines.Answer(sets, "more" if cut else "complete")

    def in_order(self, sets: Sequence[ChangeSet]) -> list[ChangeSet]:
        """By (cost, size, features)."""
        if self.asked.costs.per_value is None:
            return engines.in_order(sets, self.query.units)
        return sorted(sets, key=self._key)

    def _key(self, change_set: ChangeSet) -> tuple[int, int, ChangeSet]:
        priced = self.assignments.priced(change_set)
        assert priced is not None, "a change set that no values make flip"
        return priced.unit, len(change_set), change_set

    def explanation(
        self,
        sets: list[ChangeSet],
        status: str,
        engine: str,
        k: int | None,
        at_target: bool = False,
        values: str = "best",
    ) -> Explanation:
        """Change sets as an explanation. A row that is `at_target` already needs none."""
        nothing_found = not sets and status == "complete" and not at_target
        return Explanation(
            instance=np.array(self.x, dtype=np.int64),
            prediction=self.prediction,
            target=self.prediction if at_target else self.target,
            classes=self.asked.compiled.classes,
            features=self.asked.compiled.features,
            values=self.asked.compiled.values,
            ordered=self.asked.compiled.ordered,
            sets=sets,
            status=status,
            engine=engine,
            blocking=self._blocking() if nothing_found else (),
            constraints=self.asked.constraints.items,
            costs=self.asked.costs,
            k=k,
            build=self.counterfactual if values == "best" else self.counterfactuals,
            all_values=values == "all",
            probability=self._probability(self.x, self.prediction),
        )

    def stream(self, engine: engines.Engine, max_results: int | None, clock: Clock) -> Iterator[Counterfactual]:
        """Counterfactuals as they are found."""
        for answer in engine.steps(self.query, max_results, clock, step=STREAM_STEP):
            yield from map(self.counterfactual, answer.sets)
            if answer.status == "time":
                raise LimitError("time limit reached: more counterfactuals may exist")

    def _blocking(self) -> tuple[Constraint, ...]:
        """Which constraints stand in the way of every counterfactual."""
        constraints, groups = self.asked.constraints, self.asked.compiled.decision.groups

        def solvable(left_out: Sequence[Constraint]) -> bool:
            asked = replace(self.asked, relations=constraints.most_relations(left_out))
            query = replace(
                self.query,
                mask=groups.core_mask(constraints.mask(self.x, left_out)),
                max_changes=constraints.most_changes(left_out),
            )
            return any(answer.sets for answer in asked.engine().steps(query, 1, Clock(None)))

        return minimal_relaxation(constraints.items, solvable)

    # --- counterfactuals

    def counterfactual(self, change_set: ChangeSet) -> Counterfactual:
        """A change set with the cheapest values that do it, in the user's terms."""
        return self._described(dict(zip(change_set, self.best_codes(change_set), strict=True)))

    def best_codes(self, change_set: ChangeSet) -> Sequence[int]:
        """The cheapest values that do it, as value codes."""
        codes = self.assignments.best(change_set)
        if codes is None:
            raise InternalError(f"changing {change_set} does not change the decision")
        return codes

    def counterfactuals(self, change_set: ChangeSet) -> Iterator[Counterfactual]:
        """A change set with all values that do it."""
        for codes in self.assignments.all(change_set):
            yield self._described(dict(zip(change_set, codes, strict=True)))

    def _described(self, new: dict[int, int]) -> Counterfactual:
        compiled, x = self.asked.compiled, self.x
        row = [new.get(j, old) for j, old in enumerate(x)]
        target = self.target if self.target is not None else int(compiled.decide(np.array([row]))[0])
        return Counterfactual(
            changes=tuple(
                Change(j, compiled.features[j], compiled.values[j][x[j]], compiled.values[j][v]) for j, v in new.items()
            ),
            cost=self.asked.costs.total_of(x, row),
            instance=np.array(row, dtype=np.int64),
            target=target,
            probability=self._probability(row, target),
        )

    @cached_property
    def assignments(self) -> Assignments:
        """Which values do it."""
        groups, costs = self.asked.compiled.decision.groups, self.asked.costs
        offset, mask = self.asked.compiled.value_offset.tolist(), self.mask
        choices = [
            [v for v in range(len(group_of)) if v != self.x[j] and (mask is None or mask[offset[j] + v])]
            for j, group_of in enumerate(groups.group_of)
        ]
        units = None if costs.per_value is None else lambda j, v: costs.unit_of(j, self.x[j], v)
        return Assignments(self._flip(), self.x, choices, units, None if groups.trivial else groups.group_of)

    def _flip(self) -> Flip:
        compiled, goal = self.asked.compiled, self.query.goal
        decision = compiled.decision
        if self.asked.relations is None and decision.threshold is not None:
            return ThresholdFlip(decision.threshold, goal[1])
        if self.asked.relations is None and decision.beats is not None:
            k = goal[0]
            if goal[1] == 0:
                rivals = [(t, decision.tie_shift(k, r)) for r, t in enumerate(decision.beats[k]) if t is not None]
                return AnyOtherFlip(*map(tuple, zip(*rivals, strict=True)))
            beaten = [
                (t, decision.tie_shift(r, k)) for r, row in enumerate(decision.beats) if (t := row[k]) is not None
            ]
            return TargetFlip(*map(tuple, zip(*beaten, strict=True)))
        diagram, sink = Goals(compiled, self.asked.relations).diagram(goal)
        return DiagramFlip(diagram.core, sink)

    def _probability(self, row: Sequence[int], class_code: int) -> float | None:
        compiled = self.asked.compiled
        if not compiled.has_probabilities:
            return None
        probabilities = compiled.probabilities(np.array([row], dtype=np.int64))
        assert probabilities is not None
        return float(probabilities[0, class_code])
