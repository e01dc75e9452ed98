"""Engines: ways to find change sets. All obey one contract and give the same answer.

``cover``         minimal covers of a threshold function, or of one for each other class; no diagram, any number of
                  features
``minimal``       family algebra over any diagram
``sat``           MCS enumeration on Σf in a CaDiCaL solver that PySAT made, in C
``sat-portable``  the same through PySAT's public interface, for any of its solvers
``auto``          cover where the decision is a comparison of sums and any other class will do, minimal otherwise

An engine answers three questions about a query: some more change sets (a cursor), the k cheapest, and how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.clauses.cnf import ENCODINGS, Cnf
from symcf.common.clock import Clock
from symcf.common.options import checked_choice
from symcf.diagrams.targets import Goal, Goals
from symcf.errors import OptionError

if TYPE_CHECKING:
    from symcf.compiled import Compiled
    from symcf.questions.relations import Relations

__all__ = ["ENGINES", "Answer", "Engine", "Query", "make_engine", "run"]

ChangeSet = tuple[int, ...]

#: Sets that a cursor is asked for at a time: few enough that Ctrl-C and time limits strike between two steps.
STEP = 1 << 14


@dataclass(frozen=True)
class Query:
    """What is asked: the instance, where to get, what may change, what it costs. In core codes."""

    x: npt.NDArray[np.uint32]
    goal: Goal
    mask: npt.NDArray[np.uint8] | None
    #: What changing each feature costs, in integers; None: 1 each.
    units: npt.NDArray[np.int64] | None
    max_changes: int | None

    def core(self) -> _core.Query:
        """The same for the C core."""
        return _core.Query(self.x, self.mask, self.units, self.max_changes)

    def weights(self) -> list[int]:
        """What changing each feature costs."""
        return [1] * len(self.x) if self.units is None else [int(unit) for unit in self.units]


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


class CoverEngine:
    """Minimal covers of the threshold function (src/core/cover.c)."""

    name = "cover"

    def __init__(self, threshold: _core.Threshold, max_nodes: int, max_memory: int) -> None:
        self._threshold = threshold
        self._budget = (max_nodes, max_memory)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from _drain(_core.Cover(self._threshold, query.core()).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = _core.Cover.best(self._threshold, query.core(), k, clock.left)
        return Answer(sets.to_list(), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`."""
        return _core.Cover.count(self._threshold, query.core(), clock.left, *self._budget)

    def count_bounds(self, query: Query, clock: Clock) -> tuple[int, int]:
        """Certified lower and upper bounds of the count."""
        return _core.Cover.count_bounds(self._threshold, query.core(), clock.left, *self._budget)


class RivalsEngine:
    """Minimal covers of one threshold function for each other class (src/core/rivals.c)."""

    name = "cover"

    def __init__(self, beats: Sequence[Sequence[_core.Threshold | None]]) -> None:
        self._beats = beats

    def _rivals(self, query: Query) -> list[_core.Threshold]:
        assert query.goal[1] == 0
        return [t for t in self._beats[query.goal[0]] if t is not None]

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from _drain(_core.Rivals(self._rivals(query), query.core()).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = _core.Rivals.best(self._rivals(query), query.core(), k, clock.left)
        return Answer(sets.to_list(), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`. By listing them; engine ``minimal`` counts without."""
        return _core.Rivals(self._rivals(query), query.core()).tally(clock.left)


class MinimalEngine:
    """Family algebra over the frozen diagram (src/core/minimal.c)."""

    name = "minimal"

    def __init__(self, goals: Goals, value_offset: npt.NDArray[np.uint32], max_nodes: int, max_memory: int) -> None:
        self._goals = goals
        self._value_offset = value_offset
        self._budget = (max_nodes, max_memory)

    def family(self, query: Query, clock: Clock) -> _core.Minimal:
        """All change sets as a ZDD."""
        diagram, sink = self._goals.diagram(query.goal)
        return _core.Minimal(diagram.core, self._value_offset, query.core(), sink, clock.left, *self._budget)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        yield from _drain(self.family(query, clock).next, limit, clock, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        sets, status = self.family(query, clock).best(k, clock.left)
        return Answer(sets.to_list(), status)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`."""
        return self.family(query, clock).count()


def _drain(
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


ENGINES = ("auto", "cover", "minimal", "sat", "sat-portable")


def make_engine(
    compiled: Compiled,
    name: str,
    encoding: str = "auto",
    solver: str | None = None,
    any_other: bool = True,
    relations: Relations | None = None,
) -> Engine:
    """The engine of this name for a compiled classifier. `encoding` and `solver` are for the SAT engines.

    ``any_other``: any other class will do, and not only a given one.
    """
    checked_choice(name, "engine", ENGINES)
    goals = Goals(compiled, relations)
    if name in ("sat", "sat-portable"):
        return _sat_engine(compiled, goals, name, encoding, solver, plain=relations is None)
    if encoding != "auto" or solver is not None:
        raise OptionError(f"encoding and solver are for the engines 'sat' and 'sat-portable', not for {name!r}")
    limits, decision = compiled.limits, compiled.decision
    if name == "auto":
        name = "cover" if decision.is_additive and any_other and relations is None else "minimal"
    if name == "minimal":
        return MinimalEngine(goals, decision.groups.core_offset, limits.max_nodes, limits.max_memory)
    if relations is not None:
        raise OptionError("engine 'cover' knows no relations between features: choose 'minimal'")
    if decision.threshold is not None:
        return CoverEngine(decision.threshold, limits.max_nodes, limits.max_memory)
    if decision.beats is None:
        raise OptionError("engine 'cover' is for decisions by sums of weights; this is none: choose 'minimal'")
    if not any_other:
        raise OptionError("engine 'cover' is for any other class; for a given one choose 'minimal'")
    return RivalsEngine(decision.beats)


def _sat_engine(compiled: Compiled, goals: Goals, name: str, encoding: str, solver: str | None, plain: bool) -> Engine:
    from symcf.engines.sat import engine as sat
    from symcf.engines.sat import solvers

    checked_choice(encoding, "encoding", ("auto", *ENCODINGS))
    # A sum of weights can tell, with the diagram, what a change set does not need.
    helper = compiled.threshold if plain else None
    solver = solver or "cadical195"
    if name == "sat":
        checked_choice(solver, "solver", tuple(sat.CADICAL))
        # Where PySAT's library is not what we know, the portable engine stands in; `Explanation.engine` tells.
        if sat.why_unavailable(solver) is not None:
            name = "sat-portable"

    def make_cnf(goal: Goal) -> Cnf:
        chosen = encoding
        if encoding == "auto":
            diagram, _ = goals.diagram(goal)
            binary = bool((diagram.core.arity == 2).all())
            chosen = sat.choose_encoding(helper is not None and name == "sat", diagram.count_paths(0), binary)
        return goals.cnf(goal, chosen)

    if name == "sat":
        diagram = None if helper is None else compiled.diagram.core
        return sat.SatEngine(make_cnf, diagram, helper, solver)
    solvers.check_solver(solver)
    return sat.PortableEngine(make_cnf, solver)
