"""The contract of engines, and the order in which change sets are given.

An engine answers three questions about a query: the next change sets (a cursor), the k cheapest, and the count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.question.case import Query
from symcf.search.change_sets import ChangeSet, ChangeSets, Ordering

__all__ = ["STEP", "Answer", "ChangeSet", "Engine", "counted", "drain", "run"]

#: Sets that a cursor is asked for at a time: few enough that Ctrl-C and time limits take effect soon.
STEP = 1 << 14

#: The same where each set is priced by itself.
PRICED_STEP = 1 << 8


@dataclass(frozen=True)
class Answer:
    """Change sets, and whether these are all that was asked for: "complete", "more" or "time"."""

    sets: ChangeSets
    status: str
    #: If they are not all: all sets of up to so many changes are among them; None: that is not known.
    complete_up_to: int | None = None
    #: If the k cheapest were asked for and time was up: a set that costs no more than any that is missing.
    bound: ChangeSet | None = None


class Engine(Protocol):
    """The contract."""

    name: str

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """Change sets as they are found, `step` at a time, at most `limit`; the last answer says how it ended."""

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """The k cheapest by (cost, size, features), in this order."""

    def count(self, query: Query, clock: Clock) -> int:
        """The exact number of change sets."""


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
    """How many sets there are, for an engine that has to list them; `LimitError` when time is up."""
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
    engine: Engine,
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
            answer = engine.best(query, k if max_results is None else min(k, max_results), clock)
            cut = answer.status == "complete" and max_results is not None and max_results < k
            status = "more" if cut and len(answer.sets) == max_results else answer.status
            return Answer(answer.sets, status, answer.complete_up_to, answer.bound)
        for answer in engine.steps(query, max_results, clock, STEP if price is None else PRICED_STEP):
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
