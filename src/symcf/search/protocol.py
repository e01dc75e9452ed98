"""The protocol of searches, and the order in which change sets are given.

A search answers queries about one question: the next change sets (`Search.steps`), the k cheapest, their number, some
of them drawn at random, whether there is any, and the same for sufficient reasons where it finds those. What a search
does not say otherwise, the base class does by listing. The class of a search says which questions it takes
(`Search.supports`) and whether it is to be preferred (`Search.is_preferred`); `symcf.search.plan` chooses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.question.case import Case, Query
from symcf.question.question import Question
from symcf.question.steps import Steps
from symcf.search.change_sets import ChangeSet, ChangeSets, Ordering
from symcf.system.cnf import Cnf
from symcf.system.diagram import Diagram
from symcf.system.targets import Goal

__all__ = [
    "AUTO",
    "LISTED",
    "PATIENCE",
    "STEP",
    "Answer",
    "ChangeSet",
    "Options",
    "Search",
    "StepForm",
    "counted",
    "drain",
    "drawn",
    "first_of",
    "kept_search",
    "run",
]

#: Sets that a cursor is asked for at a time: few enough that Ctrl-C and time limits take effect soon.
STEP = 1 << 14

#: The same where each set is priced by itself.
PRICED_STEP = 1 << 8

#: The most sets that are listed in order to draw from them; with more, building a diagram is faster.
LISTED = 10**6

#: Seconds that `explain` takes, and a batch for each row, by a search that might take hours, if neither time_limit nor
#: max_changes is given.
PATIENCE = 10.0


@dataclass(frozen=True)
class Answer:
    """Change sets, and whether these are all that was asked for: "complete", "more" or "time"."""

    sets: ChangeSets
    status: str
    #: If they are not all: all sets of up to so many changes are among them; None: that is not known.
    complete_up_to: int | None = None
    #: If the k cheapest were asked for and time was up: a set that costs no more than any that is missing.
    bound: ChangeSet | None = None
    #: The same where that is known as a cost, in the user's numbers.
    least: float | None = None


class Options(NamedTuple):
    """What the user says about the search itself."""

    #: The name of a search; "auto" for the one that is fastest as a rule.
    engine: str = "auto"
    #: For the searches by SAT: how clauses are written, the solver, and whether a diagram may help it.
    encoding: str = "auto"
    solver: str | None = None
    assisted: bool = True


#: What holds where the user says nothing.
AUTO = Options()


@dataclass(frozen=True)
class StepForm:
    """A case over steps instead of features (`symcf.question.steps`)."""

    case: Case
    steps: Steps
    #: The function "these steps are enough", and its clauses.
    diagram: Callable[[Clock], Diagram]
    clauses: Callable[[Goal, Clock], Cnf]


class Search(ABC):
    """Finds the change sets of queries about one question."""

    #: What users call it.
    name: str
    #: Attributes of a decision, one of which it has to have (`Decision`); none: any decision may do.
    needs: ClassVar[tuple[str, ...]] = ()
    #: Seconds after which a call without limits ends; None: the search ends by itself soon enough.
    patience: float | None = None
    #: Is it built on a diagram? Is it chosen where a diagram would be too large?
    needs_diagram: ClassVar[bool] = False
    avoids_diagram: ClassVar[bool] = False
    #: Do sums of weights decide, so that the core ranks sets by the costs of their values, too?
    by_sums: ClassVar[bool] = False
    #: Does it find sufficient reasons, too?
    finds_reasons: ClassVar[bool] = False
    #: Are values part of what it finds, and their costs known to it?
    finds_values: ClassVar[bool] = False
    #: Do bounds over boxes of rows decide, so that most rows need not be asked about?
    by_bounds: ClassVar[bool] = False
    #: Is it fast enough to list all sets, in order to draw from them?
    lists: ClassVar[bool] = False
    #: Are batches of rows answered in the same way, about change sets, reasons, moves and related columns?
    batches: ClassVar[bool] = False
    batches_reasons: ClassVar[bool] = False
    batches_moves: ClassVar[bool] = False
    batches_ties: ClassVar[bool] = False

    # --- which questions

    @classmethod
    def supports(cls, question: Question) -> str | None:
        """Why it does not find the change sets of a question, in one sentence; None if it does."""
        return f"{cls.__name__} is part of another search"

    @classmethod
    def supports_reasons(cls, question: Question) -> str | None:
        """The same for sufficient reasons."""
        return cls.supports(question) if cls.finds_reasons else f"engine {cls.name!r} finds change sets, not reasons"

    @classmethod
    def is_preferred(cls, question: Question) -> bool:
        """Should it be chosen for a question that it supports, before the searches after it in the registry?"""
        return True

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        """A search for a question that is supported."""
        raise NotImplementedError(f"{cls.__name__} is part of another search")

    @classmethod
    def for_case(cls, case: Case, options: Options) -> Search:
        """A search for one case; most are the same for all rows."""
        return kept_search(cls, case.lowered, options)

    def patient(self, case: Case, clock: Clock) -> Clock:
        """The clock, or for a search that might take hours a shorter one if the question has no limit."""
        if self.patience is None or clock.seconds is not None or case.query.max_changes is not None:
            return clock
        return clock.earlier(self.patience)

    # --- change sets, and reasons where ``query.reasons`` says so

    @abstractmethod
    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """Change sets as they are found, `step` at a time, at most `limit`; the last answer says how it ended."""

    @abstractmethod
    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """The k cheapest by (cost, size, features), in this order."""

    def ranked(self, query: Query) -> Callable[[int, Clock], Answer]:
        """The same for several k, one after the other."""
        return partial(self.best, query)

    def run(
        self,
        query: Query,
        k: int | None,
        max_results: int | None,
        clock: Clock,
        max_memory: int,
        price: Callable[[_core.Sets, Clock], list[int]] | None = None,
    ) -> Answer:
        """The whole answer in the documented order; see `run`."""
        return run(self, query, k, max_results, clock, max_memory, price)

    def count(self, query: Query, clock: Clock) -> int:
        """The exact number of change sets; `LimitError` when time is up."""
        return counted(self.steps(query, None, clock))

    def count_bounds(self, query: Query, clock: Clock) -> tuple[int, int]:
        """Certified lower and upper bounds of the count."""
        exact = self.count(query, clock)
        return exact, exact

    def count_features(self, query: Query, clock: Clock) -> tuple[list[int], int]:
        """By feature, how many sets it is in, and how many there are; `LimitError` when time is up."""
        counts, total = [0] * len(query.x), 0
        within = clock if clock.seconds is not None or self.patience is None else clock.earlier(self.patience)
        for answer in self.steps(query, None, within):
            if answer.status == "time":
                raise LimitError(f"time limit reached while listing: more than {total:,} so far; raise time_limit")
            total += len(answer.sets)
            for j, count in zip(*np.unique(answer.sets.features, return_counts=True), strict=True):
                counts[int(j)] += int(count)
        return counts, total

    def sample(self, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets | None:
        """Sets drawn uniformly with replacement, none if there are none; None: a diagram is needed to draw them."""
        return drawn(self, query, size, random, clock) if self.lists else None

    def one(self, query: Query, clock: Clock) -> Sequence[int] | None:
        """Features whose change is enough, the first that are found: they may hold more than a change set. None: there
        are none, or time is up.
        """
        return next((next(iter(answer.sets)) for answer in self.steps(query, 1, clock) if answer.sets), None)

    def exists(self, query: Query, clock: Clock) -> bool:
        """Is there a change set?"""
        return self.one(query, clock) is not None

    def seeds(self, query: Query, clock: Clock) -> Iterator[Answer]:
        """A few sets that are found soon, for a search that may be cut short."""
        return iter(())

    # --- other forms of the question

    def over_steps(self, form: StepForm) -> Search | None:
        """The same search over steps (``minimality="moves"``); None if it finds sets of features only."""
        return None

    @property
    def relation(self) -> _core.Relation | None:
        """The relations of the question as one table, where the search works with that."""
        return None

    def likely(self, k: int | None) -> _core.Likely | None:
        """How likely rows have to be, where that and one sum are all that a batch of the core needs for `k` sets."""
        return None

    def ensembles(self, goal: Goal) -> list[tuple[_core.Ensemble, Goal]]:
        """The trees that the search works with, of several one has to reach its goal; none for other searches."""
        return []

    # --- batches

    def for_batch(self, question: Question, clock: Clock) -> Any:
        """What a batch of the core works with; `LimitError` if a diagram takes longer than allowed."""
        raise NotImplementedError

    def reached(self, goal: Goal, clock: Clock) -> Any:
        """What a batch of the core has to reach for a goal within relations."""
        raise NotImplementedError


class _Key(NamedTuple):
    """What two questions must have in common to share a search."""

    search: type[Search]
    options: Options
    any_other: bool
    relations: Any
    minimality: str


def kept_search(search: type[Search], question: Question, options: Options) -> Search:
    """The search for a question, made at first use; kept by the classifier, because some take long to load."""
    key = _Key(search, options, question.any_other, question.relations, question.minimality)
    found: Search = question.classifier.kept.get(key, lambda: search.make(question, options))
    return found


def drain(
    advance: Callable[[int, float], tuple[_core.Sets, str]], limit: int | None, clock: Clock, step: int
) -> Iterator[Answer]:
    """Steps a cursor of the core until it ends, the limit is reached or time is up."""
    wanted = limit
    while True:
        sets, status = advance(step if wanted is None else min(step, wanted), clock.left)
        if wanted is not None:
            wanted -= len(sets)
        finished = status != "more" or wanted == 0
        yield Answer(ChangeSets.of(sets), status)
        if finished:
            return


def counted(steps: Iterable[Answer]) -> int:
    """How many sets there are, for a search that has to list them; `LimitError` when time is up."""
    total = 0
    for answer in steps:
        total += len(answer.sets)
        if answer.status == "time":
            raise LimitError(
                f"time limit reached while counting: more than {total:,} so far, and all of up to "
                f"{answer.complete_up_to} changes; raise time_limit, or set max_changes"
            )
    return total


def run(
    search: Search,
    query: Query,
    k: int | None,
    max_results: int | None,
    clock: Clock,
    max_memory: int,
    price: Callable[[_core.Sets, Clock], list[int]] | None = None,
) -> Answer:
    """The whole answer in the documented order: everything, or the k cheapest, at most max_results.

    An answer that the clock cuts short, even while a diagram is built, has the status "time". `price` gives the costs
    of sets where that is not the sum of ``query.units``.
    """
    ordering = Ordering(query.units, clock, max_memory, price)
    status, complete_up_to = "complete", None
    try:
        if k is not None:
            answer = search.best(query, k if max_results is None else min(k, max_results), clock)
            cut = answer.status == "complete" and max_results is not None and max_results < k
            status = "more" if cut and len(answer.sets) == max_results else answer.status
            return Answer(answer.sets, status, answer.complete_up_to, answer.bound, answer.least)
        for answer in search.steps(query, max_results, clock, STEP if price is None else PRICED_STEP):
            wants_more = ordering.add(answer.sets.core)
            complete_up_to = answer.complete_up_to
            status = "time" if ordering.is_cut or (answer.status == "more" and not wants_more) else answer.status
            if not wants_more:
                break
    except LimitError as error:
        if not clock.ended(error):  # it was the limit of the classifier, or another one
            raise
        status = "time"
    return Answer(ordering.finish(), status, None if ordering.is_cut else complete_up_to)


def first_of(whole: Answer, k: int, max_results: int | None) -> Answer:
    """Of all sets in order, the k cheapest, at most max_results."""
    wanted = k if max_results is None else min(k, max_results)
    cut = whole.status == "complete" and wanted < k and len(whole.sets) > wanted
    return Answer(ChangeSets.of(whole.sets[:wanted]), "more" if cut else whole.status, whole.complete_up_to)


def drawn(search: Search, query: Query, size: int, random: np.random.Generator, clock: Clock) -> ChangeSets | None:
    """Sets drawn uniformly with replacement from a list of all; None if they are more than `LISTED`."""
    listed: list[ChangeSet] = []
    for answer in search.steps(query, LISTED + 1, clock):
        if answer.status == "time":
            raise LimitError("time limit reached while listing the sets to draw from")
        listed += answer.sets
    if len(listed) > LISTED:
        return None
    places = random.integers(len(listed), size=size) if listed else np.zeros(0, dtype=np.int64)
    return ChangeSets.of([listed[place] for place in places.tolist()])
