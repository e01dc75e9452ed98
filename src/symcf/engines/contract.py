"""The contract of engines, and the order in which change sets are given.

An engine answers three questions about a query: some more change sets (a cursor), the k cheapest, and how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.questions.case import Query

__all__ = ["STEP", "Answer", "ChangeSet", "Engine", "drain", "in_order", "run"]

ChangeSet = tuple[int, ...]

#: Sets that a cursor is asked for at a time: few enough that Ctrl-C and time limits strike between two steps.
STEP = 1 << 14


@dataclass(frozen=True)
class Answer:
    """Change sets, and whether these are all that was asked for: "complete", "more" or "time"."""

    sets: list[ChangeSet]
    status: str


class Engine(Protocol):
    """The contract."""

    name: str

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """Change sets as they are found, `step` at a time, at most `limit`; the last answer says how it ended."""

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """The k cheapest by (cost, size, features), in this order."""

    def count(self, query: Query, clock: Clock) -> int:
        """How many there are, exactly."""


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
        yield Answer(sets.to_list(), status)
        if finished:
            return


def run(engine: Engine, query: Query, k: int | None, max_results: int | None, clock: Clock) -> Answer:
    """The whole answer in the one true order: everything, or the k cheapest, at most max_results."""
    if k is not None:
        answer = engine.best(query, k if max_results is None else min(k, max_results), clock)
        cut = answer.status == "complete" and max_results is not None and max_results < k
        return Answer(answer.sets, "more" if cut and len(answer.sets) == max_results else answer.status)
    sets: list[ChangeSet] = []
    status = "complete"
    for answer in engine.steps(query, max_results, clock):
        sets += answer.sets
        status = answer.status
    return Answer(in_order(sets, query.units), status)


def in_order(sets: Iterable[ChangeSet], units: npt.NDArray[np.int64] | None) -> list[ChangeSet]:
    """By (cost, size, features), in exact integers. Without `units` the cost is the size."""
    ordered = sorted(sets)
    ordered.sort(key=len)  # a stable sort after the other: five times as fast as one with all three keys
    if units is not None:
        cost = units.tolist().__getitem__
        ordered.sort(key=lambda change_set: sum(map(cost, change_set)))
    return ordered
