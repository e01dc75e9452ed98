"""Counterfactuals in which nothing can be moved less far (``minimality="moves"``).

Any engine answers, over steps instead of features (`symcf.question.steps`):

``cover``                 a search of its own over sums of weights (src/core/moves_cover.c)
``boxes``                 one over boxes, for few features at a time (`tree_moves`)
``diagram``, ``sat``, …   as ever, on the diagram of the steps (src/core/moves.c)

What they find are sets of steps; a counterfactual is the last step of each chain in a set. The order is (cost, number
of steps, features and values).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.common.lazy import cached_property
from symcf.errors import OptionError
from symcf.question.case import Case, Query
from symcf.question.steps import Steps
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.contract import STEP, Answer, Engine, drain, run
from symcf.search.cover import LISTED, CoverEngine, MulticlassCoverEngine, drawn
from symcf.search.minimal import MinimalEngine
from symcf.search.sat import engine as sat
from symcf.search.tree_moves import TreeMoves
from symcf.search.trees import TreesEngine
from symcf.system.cnf import Cnf, encode
from symcf.system.diagram import Diagram
from symcf.system.targets import Goal

__all__ = ["Moved", "MovedSets", "MovesEngine"]


class Moved(tuple[int, ...]):
    """A change set with the values that its features take."""

    codes: tuple[int, ...]

    def __new__(cls, features: Sequence[int], codes: Sequence[int]) -> Moved:
        """``codes`` are in the order of the features."""
        self = super().__new__(cls, features)
        self.codes = tuple(codes)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Moved, (tuple(self), self.codes)


class MovedSets(ChangeSets):
    """Change sets with values: each item is a `Moved`, and a set of features may come several times."""

    __slots__ = ("codes",)

    def __init__(
        self, features: npt.NDArray[Any], ends: npt.NDArray[Any], codes: npt.NDArray[Any], start: int = 0
    ) -> None:
        super().__init__(features, ends, start)
        #: The values of all features of all sets, beside `features`.
        self.codes: npt.NDArray[Any] = codes

    @overload
    def __getitem__(self, index: int) -> ChangeSet: ...
    @overload
    def __getitem__(self, index: slice) -> list[ChangeSet]: ...
    def __getitem__(self, index: int | slice) -> ChangeSet | list[ChangeSet]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        features, ends, start = self._arrays()
        i = range(len(self))[index]
        part = slice(int(ends[i - 1]) if i else start, int(ends[i]))
        return Moved(features[part].tolist(), self.codes[part].tolist())

    def __iter__(self) -> Iterator[ChangeSet]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        equal = super().__eq__(other)
        if isinstance(other, MovedSets) and equal is True:
            return np.array_equal(self._own_codes(), other._own_codes())
        return equal

    __hash__ = None

    def _own_codes(self) -> npt.NDArray[Any]:
        _, ends, start = self._arrays()
        return self.codes[start : int(ends[-1]) if len(ends) else start]

    def __reduce__(self) -> tuple[Any, ...]:
        features, ends, start = self._arrays()
        return MovedSets, (np.array(features), np.array(ends), np.array(self.codes), start)


class MovesEngine:
    """Answers one case over steps. `found_by` is the engine that answers it over features. Engines without step support
    fall back to `diagram`, unless the user named the engine (`asked`).
    """

    def __init__(self, case: Case, found_by: Engine, asked: str = "auto", encoding: str = "auto") -> None:
        knowing = (CoverEngine, MulticlassCoverEngine, TreesEngine, MinimalEngine, sat.SatEngine, sat.PortableEngine)
        stepless = not isinstance(found_by, knowing)
        if stepless and asked != "auto":
            within = " with constraints" if case.question.relations is not None else ""
            raise OptionError(
                f"engine {asked!r}{within} finds sets of features, not moves; use engine='diagram' or 'auto' with "
                f"minimality='moves'"
            )
        self.name = "diagram" if stepless else found_by.name
        self._case = case
        self._steps = Steps(case)
        self._found_by = found_by
        self._encoding = encoding

    # --- engines over steps

    @cached_property
    def _inner(self) -> Engine:
        found_by = self._found_by
        if isinstance(found_by, (CoverEngine, MulticlassCoverEngine)):
            return _CoverMoves(self._case, self._steps)
        if isinstance(found_by, TreesEngine):
            return TreeMoves(self._case, self._steps, found_by)
        if isinstance(found_by, sat.SatEngine):
            return sat.SatEngine(self._clauses, solver=found_by.solver)
        if isinstance(found_by, sat.PortableEngine):
            return sat.PortableEngine(self._clauses, found_by.solver)
        return self._minimal

    @cached_property
    def _minimal(self) -> MinimalEngine:
        limits = self._case.question.classifier.limits
        offset = np.arange(0, 2 * len(self._steps.prices) + 1, 2, dtype=np.uint32)
        return MinimalEngine(lambda goal, clock: (self._diagram(clock), 1), offset, limits.max_nodes, limits.max_memory)

    def _diagram(self, clock: Clock) -> Diagram:
        """The function "these steps are enough"."""
        classifier = self._case.question.classifier
        diagram, sink = self._case.target_diagram(clock)
        offset, budget = classifier.decision.groups.core_offset, classifier.budget(clock)
        return Diagram(self._steps.core.diagram(diagram.core, offset, sink, *budget.now()))

    def _clauses(self, goal: Goal, clock: Clock) -> Cnf:
        diagram, encoding = self._diagram(clock), self._encoding
        if encoding == "auto":
            encoding = sat.choose_encoding(False, diagram.count_paths(0, clock))
        return encode(diagram, encoding, clock=clock)

    # --- the contract of engines, with values

    def _moved(self, sets: ChangeSets) -> MovedSets:
        steps, ends = sets.features.astype(np.int64), np.cumsum(sets.sizes)
        last = self._steps.last(steps, ends)
        kept = np.concatenate([[0], np.cumsum(last)])
        return MovedSets(self._steps.feature[steps[last]], kept[ends], self._steps.value[steps[last]])

    def run(self, k: int | None, max_results: int | None, clock: Clock, max_memory: int) -> Answer:
        """The whole answer in order: everything, or the k cheapest, at most max_results."""
        query, steps = self._steps.query, self._steps
        if steps.fit:
            answer = run(self._inner, query, k, max_results, clock, max_memory)
            return Answer(self._moved(answer.sets), answer.status, answer.complete_up_to)
        # engines do not see such costs: the order is made of what they find
        prices = lambda sets, _: [steps.price(s) for s in sets.to_list()]  # noqa: E731
        whole = run(self._inner, query, None, None if k else max_results, clock, max_memory, prices)
        if k is None:
            return Answer(self._moved(whole.sets), whole.status, whole.complete_up_to)
        wanted = k if max_results is None else min(k, max_results)
        cut = whole.status == "complete" and wanted < k and len(whole.sets) > wanted
        first = self._moved(ChangeSets.of(whole.sets[:wanted]))
        return Answer(first, "more" if cut else whole.status, whole.complete_up_to)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        for answer in self._inner.steps(self._steps.query, limit, clock, step):
            yield Answer(self._moved(answer.sets), answer.status, answer.complete_up_to)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        return self.run(k, None, clock, MOST_BYTES)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`."""
        return self._inner.count(self._steps.query, clock)

    def sample(self, size: int, random: np.random.Generator, clock: Clock) -> MovedSets:
        """Counterfactuals drawn uniformly with replacement: from a list of all, or, if that is long, by a diagram."""
        inner, sets = self._inner, None
        if isinstance(inner, (_CoverMoves, TreeMoves)):
            sets = drawn(inner.steps(self._steps.query, LISTED + 1, clock), size, random)
        if sets is None:
            sets = self._minimal.sample(self._steps.query, size, random, clock)
        return self._moved(sets)


#: More bytes than any machine has.
MOST_BYTES = 1 << 62


class _CoverMoves:
    """Sums of weights: a search over records (src/core/moves_cover.c)."""

    name = "cover"

    def __init__(self, case: Case, steps: Steps) -> None:
        decision, (k, sink) = case.question.classifier.decision, case.query.goal
        if decision.threshold is not None:
            self._thresholds, self._upwards = [decision.threshold], bool(sink)
        else:
            assert decision.beats is not None
            assert sink == 0
            self._thresholds, self._upwards = [t for t in decision.beats[k] if t is not None], True
        self._steps = steps

    def _open(self) -> _core.MovesCover:
        units = self._steps.query.units
        assert units is not None
        return _core.MovesCover(self._thresholds, self._upwards, self._steps.core, units)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from drain(self._open().next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = self._open().best(k, clock.left)
        return Answer(ChangeSets.of(sets), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`. Lists them; engine ``diagram`` counts without listing."""
        return self._open().tally(clock.left)
