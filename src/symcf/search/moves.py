"""Counterfactuals in which nothing can be moved less far (``minimality="moves"``).

Searches answer over steps instead of features (`symcf.question.steps`, `Search.over_steps`):

``cover``                 over sums of weights (src/core/moves_cover.c)
``boxes``                 over boxes, for few features at a time (`box_moves`)
``diagram``, ``sat``, …   on the diagram of the steps (src/core/moves.c)

Searches without step support leave it to ``diagram``.

What they find are sets of steps; a counterfactual is the last step of each chain in a set. The order is (cost, number
of steps, features and values).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import OptionError
from symcf.question.case import Case, Query
from symcf.question.steps import Steps
from symcf.search.change_sets import Arrays, ChangeSet, ChangeSets
from symcf.search.diagram import DiagramSearch
from symcf.search.protocol import STEP, Answer, Options, Search, StepForm, first_of, run
from symcf.search.sat.engine import choose_encoding
from symcf.system.cnf import Cnf, encode
from symcf.system.diagram import Diagram
from symcf.system.targets import Goal

__all__ = ["Moved", "MovedSets", "MovesSearch"]


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

    __slots__ = ("_codes",)

    def __init__(
        self, features: npt.NDArray[Any], ends: npt.NDArray[Any], codes: npt.NDArray[Any], start: int = 0
    ) -> None:
        super().__init__(features, ends, start)
        self._codes = codes

    @classmethod
    def of_steps(cls, length: int, read: Callable[[], tuple[npt.NDArray[Any], ...]]) -> MovedSets:
        """As many as `length` says; `read` gives features, ends and codes, and is called when one is first read."""

        def arrays() -> Arrays:
            features, ends, self._codes = read()
            return features, ends, 0

        self = cls.when_looked_at(length, arrays)
        return self

    @property
    def codes(self) -> npt.NDArray[Any]:
        """The values of all features of all sets, beside `features`."""
        self._arrays()
        return self._codes

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


#: Steps whose moves are read at a time.
AT_ONCE = 1 << 18


class MovesSearch(Search):
    """Answers one case over steps. `found_by` is the search that answers it over features."""

    finds_values = True

    def __init__(self, case: Case, found_by: Search, options: Options) -> None:
        self._case = case
        self._steps = Steps(case)
        self._encoding = options.encoding
        form = StepForm(case, self._steps, self._diagram, self._clauses)
        inner = found_by.over_steps(form)
        if inner is None:
            if options.engine != "auto":
                within = " with constraints" if case.question.relations is not None else ""
                raise OptionError(
                    f"engine {options.engine!r}{within} finds sets of features, not moves; use engine='diagram' or "
                    f"'auto' with minimality='moves'"
                )
            inner = self._by_diagram(form)
        self._form, self._inner = form, inner
        self.name = inner.name
        self.patience = inner.patience

    def _by_diagram(self, form: StepForm) -> Search:
        return DiagramSearch.make(self._case.question, Options()).over_steps(form)

    def _diagram(self, clock: Clock) -> Diagram:
        """The function "these steps are enough"."""
        classifier = self._case.question.classifier
        diagram, sink = self._case.target_diagram(clock)
        offset, budget = classifier.decision.groups.core_offset, classifier.budget(clock)
        return Diagram(self._steps.core.diagram(diagram.core, offset, sink, *budget.now()))

    def _clauses(self, goal: Goal, clock: Clock) -> Cnf:
        diagram, encoding = self._diagram(clock), self._encoding
        if encoding == "auto":
            encoding = choose_encoding(False, diagram.count_paths(0, clock))
        return encode(diagram, encoding, clock=clock)

    def _moved(self, sets: ChangeSets) -> MovedSets:
        return MovedSets.of_steps(len(sets), lambda: self._read(sets))

    def _read(self, sets: ChangeSets) -> tuple[npt.NDArray[Any], ...]:
        ends = np.cumsum(sets.sizes, dtype=np.int64)
        # some at a time: there may be many more steps than moves
        marks = np.searchsorted(ends, np.arange(AT_ONCE, int(ends[-1]) if len(ends) else 0, AT_ONCE))
        kept, moved, begin = [], [np.zeros(0, dtype=np.int64)], 0
        for some in np.split(ends, np.unique(marks)):
            steps = sets.features[begin : int(some[-1]) if len(some) else begin].astype(np.int64)
            last = self._steps.last(steps, some - begin)
            kept.append(np.concatenate([[0], np.cumsum(last)])[some - begin] + sum(map(len, moved)))
            moved.append(steps[last])
            begin += len(steps)
        steps = np.concatenate(moved)
        return self._steps.feature[steps], np.concatenate(kept), self._steps.value[steps]

    # --- the protocol; queries are those of the steps

    def run(
        self,
        query: Query,
        k: int | None,
        max_results: int | None,
        clock: Clock,
        max_memory: int,
        price: Callable[[_core.Sets, Clock], list[int]] | None = None,
    ) -> Answer:
        """See `Search`. The costs of values are known: `price` is not needed."""
        query, steps = self._steps.query, self._steps
        if steps.fit:
            answer = run(self._inner, query, k, max_results, clock, max_memory)
            return Answer(self._moved(answer.sets), answer.status, answer.complete_up_to, least=answer.least)
        # searches do not see such costs: the order is made of what they find
        prices = lambda sets, _: [steps.price(s) for s in sets.to_list()]  # noqa: E731
        whole = run(self._inner, query, None, None if k else max_results, clock, max_memory, prices)
        found = whole if k is None else first_of(whole, k, max_results)
        return replace(found, sets=self._moved(found.sets))

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        for answer in self._inner.steps(self._steps.query, limit, clock, step):
            yield Answer(self._moved(answer.sets), answer.status, answer.complete_up_to)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        return self.run(query, k, None, clock, MOST_BYTES)

    def count(self, query: Query, clock: Clock) -> int:
        return self._inner.count(self._steps.query, clock)

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> MovedSets:
        sets = self._inner.sample(self._steps.query, size, random, clock)
        if sets is None:
            sets = self._by_diagram(self._form).sample(self._steps.query, size, random, clock)
        assert sets is not None, "a diagram draws without listing"
        return self._moved(sets)


#: More bytes than any machine has.
MOST_BYTES = 1 << 62
