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

__all__ = ["Question"]

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
        self._compiled = compiled
        row = compiled.instance(x)
        self.prediction = int(compiled.predict(row)[0])
        self.constraints = Constraints(
            compiled.features, compiled.values, immutable=immutable, allowed=allowed, max_changes=max_changes
        )
        #: For the engines.
        self.query = engines.Query(
            x=row[0],
            target=self._target(target),
            mask=self.constraints.mask(row[0].tolist()),
            costs=Costs(cost, compiled.features),
            max_changes=self.constraints.max_changes,
        )

    def _target(self, target: Hashable | None) -> int:
        classes = self._compiled.classes
        if target is None:
            return 1 - self.prediction
        if target in classes:
            wanted = classes.index(target)
        elif target in (0, 1):
            wanted = int(target)
        else:
            raise OptionError(f"target: {target!r} is not one of the classes {list(classes)!r}")
        if wanted == self.prediction:
            raise OptionError(f"target: the instance is {classes[wanted]!r} already")
        return wanted

    # --- answers

    def explain(
        self, engine: engines.Engine, k: int | None, max_results: int | None, clock: engines.Clock
    ) -> Explanation:
        """The whole answer, in order."""
        answer = engines.run(engine, self.query, k, max_results, clock)
        status = STATUS[answer.status]
        return Explanation(
            instance=self.query.x.astype(np.int64),
            prediction=self.prediction,
            target=self.query.target,
            classes=self._compiled.classes,
            sets=answer.sets,
            status=status,
            engine=engine.name,
            blocking=() if answer.sets or status != "complete" else self._blocking(),
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
            new[j] = self._best_value(j)
        return Counterfactual(
            changes=tuple(Change(j, features[j], values[j][old[j]], values[j][new[j]]) for j in change_set),
            cost=self.query.costs.total(change_set),
            instance=new,
            probability=self._probability(new, self.query.target),
        )

    def _best_value(self, j: int) -> int:
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
