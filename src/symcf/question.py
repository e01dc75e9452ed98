"""A question about one instance: what the user asked, resolved, and answers in the user's terms.

Between the façade, which takes names and mappings, and the engines, which take arrays: a `Question` knows both sides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf import engines
from symcf.constraints import Constraint, Constraints, minimal_relaxation
from symcf.costs import Costs
from symcf.errors import LimitError, OptionError
from symcf.explanation import Change, Counterfactual, Explanation

if TYPE_CHECKING:
    from symcf.compiled import Compiled

__all__ = ["Question", "target_code"]

#: Counterfactuals that `stream` holds at a time.
STREAM_STEP = 256

STATUS = {"complete": "complete", "more": "max_results", "time": "time_limit"}


class Question:
    """What would have to change for this instance to be given the target class?"""

    def __init__(
        self,
        compiled: Compiled,
        x: Any,
        target: Hashable | None = None,
        immutable: Any = (),
        allowed: Any = None,
        cost: Any = None,
        max_changes: int | None = None,
    ) -> None:
        constraints = Constraints(
            compiled.features, compiled.values, immutable=immutable, allowed=allowed, max_changes=max_changes
        )
        self._set_up(compiled, compiled.instance(x), constraints, Costs(cost, compiled.features))
        if target is not None and target_code(target, compiled.classes) == self.prediction:
            raise OptionError(f"target: the instance is {compiled.classes[self.prediction]!r} already")

    @classmethod
    def about(cls, compiled: Compiled, row: npt.NDArray[Any], constraints: Constraints, costs: Costs) -> Question:
        """The same for a row of shape (1, n) and constraints that have been checked before."""
        self = cls.__new__(cls)
        self._set_up(compiled, row, constraints, costs)
        return self

    def _set_up(self, compiled: Compiled, row: npt.NDArray[Any], constraints: Constraints, costs: Costs) -> None:
        self._compiled = compiled
        self.prediction = int(compiled.predict(row)[0])
        self.constraints = constraints
        #: For the engines.
        self.query = engines.Query(
            x=row[0].astype(np.uint32),
            target=1 - self.prediction,
            mask=constraints.mask(row[0].tolist()),
            costs=costs,
            max_changes=constraints.max_changes,
        )

    # --- answers

    def explain(
        self, engine: engines.Engine, k: int | None, max_results: int | None, clock: engines.Clock
    ) -> Explanation:
        """The whole answer, in order."""
        answer = engines.run(engine, self.query, k, max_results, clock)
        return self.explanation(answer.sets, STATUS[answer.status], engine.name, k)

    def explanation(
        self, sets: list[tuple[int, ...]], status: str, engine: str, k: int | None, at_target: bool = False
    ) -> Explanation:
        """Change sets as an explanation. A row that is `at_target` already needs none."""
        nothing_found = not sets and status == "complete" and not at_target
        return Explanation(
            instance=self.query.x.astype(np.int64),
            prediction=self.prediction,
            target=self.prediction if at_target else self.query.target,
            classes=self._compiled.classes,
            sets=sets,
            status=status,
            engine=engine,
            blocking=self._blocking() if nothing_found else (),
            constraints=self.constraints.items,
            cost=self.query.costs.given,
            k=k,
            build=self.counterfactual,
            probability=self._probability(self.query.x, self.prediction),
        )

    def stream(self, engine: engines.Engine, max_results: int | None, clock: engines.Clock) -> Iterator[Counterfactual]:
        """Counterfactuals as they are found."""
        for answer in engine.steps(self.query, max_results, clock, step=STREAM_STEP):
            yield from map(self.counterfactual, answer.sets)
            if answer.status == "time":
                raise LimitError("time limit reached: more counterfactuals may exist")

    def _blocking(self) -> tuple[Constraint, ...]:
        """Which constraints stand in the way of every counterfactual."""
        engine = engines.make_engine(self._compiled, "auto")
        query, constraints = self.query, self.constraints

        def solvable(left_out: Sequence[Constraint]) -> bool:
            mask = constraints.mask(query.x.tolist(), left_out)
            relaxed = engines.Query(query.x, query.target, mask, query.costs, constraints.most_changes(left_out))
            return any(answer.sets for answer in engine.steps(relaxed, 1, engines.Clock(None)))

        return minimal_relaxation(constraints.items, solvable)

    # --- counterfactuals

    def counterfactual(self, change_set: tuple[int, ...]) -> Counterfactual:
        """A change set with its new values, in the user's terms."""
        old, values, features = self.query.x, self._compiled.values, self._compiled.features
        new = old.astype(np.int64)
        for j in change_set:
            new[j] = self.best_value(j)
        return Counterfactual(
            changes=tuple(Change(j, features[j], values[j][old[j]], values[j][new[j]]) for j in change_set),
            cost=self.query.costs.total(change_set),
            instance=new,
            probability=self._probability(new, self.query.target),
        )

    def best_value(self, j: int) -> int:
        """The allowed value that moves the decision furthest; of equal ones the smallest."""
        start, end = map(int, self._compiled.value_offset[j : j + 2])
        codes = [v for v in range(end - start) if v != self.query.x[j]]
        if self.query.mask is not None:
            codes = [v for v in codes if self.query.mask[start + v]]
        threshold = self._compiled.threshold
        if threshold is None or len(codes) == 1:
            return codes[0]
        weight = threshold.weight[start:end].tolist()
        return max(codes, key=lambda v: (weight[v] if self.query.target else -weight[v], -v))

    def _probability(self, x: npt.NDArray[Any], class_code: int) -> float | None:
        if not self._compiled.has_probabilities:
            return None
        return float(self._compiled.predict_proba(x.reshape(1, -1))[0, class_code])


def target_code(target: Hashable, classes: Sequence[Hashable]) -> int:
    """The code of a class given by name or code."""
    if target in classes:
        return classes.index(target)
    if target in (0, 1):
        return int(target)
    raise OptionError(f"target: {target!r} is not one of the classes {list(classes)!r}")
