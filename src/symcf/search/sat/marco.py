"""Sufficient reasons by MARCO (Liffiton, Previti, Malik, Marques-Silva, "Fast, flexible MUS enumeration", 2016).

The literals "feature j is as it was" are soft, Σf of the other decision is hard: sets of features that cannot be kept
together are sufficient, and the minimal ones (MUSes) are the reasons. A *map* solver holds what is not yet known and
proposes a set of features to keep:

- The other decision cannot be reached: the set is sufficient. Shrunk to a minimal one it is a reason; supersets are of
  no further interest.
- It can: what changed, shrunk to a change set, must be hit by every reason.

When the map has no proposal left, all reasons are known; and all change sets have been met on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing

from symcf.common.clock import Clock
from symcf.question.case import Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.diagram import no_diagram
from symcf.search.protocol import STEP, Answer, Options, Search
from symcf.search.sat.engine import Loaded, MakeCnf, in_chunks, sat_clauses, stop_at
from symcf.search.sat.portable import PortableMcs
from symcf.search.sat.solvers import Stop, discard
from symcf.system.cnf import Cnf
from symcf.system.targets import Goal

__all__ = ["Marco", "MarcoSearch"]


class Marco(PortableMcs):
    """Hard clauses in a PySAT solver, and the reasons of one instance after another.

    >>> import numpy as np
    >>> marco = Marco(np.array([1, 2, 0, 1, 3, 0], dtype=np.int32), 3, "minisat22")
    >>> sorted(marco.reasons(keep=[-1, -2, -3]))
    [(0, 1), (0, 2)]
    """

    def reasons(
        self, keep: Sequence[int], fixed: Collection[int] = (), stop: Stop = lambda: None, assumed: Sequence[int] = ()
    ) -> Generator[ChangeSet, None, None]:
        """All minimal sets of features that cannot be kept together, beside the fixed ones. See `enumerate`."""
        from pysat.solvers import Solver

        self._load(stop)
        if self._impossible:
            yield ()
            return
        free = [j for j in range(len(keep)) if j not in fixed]
        given = [*assumed, *(keep[j] for j in sorted(fixed))]
        proposals = Solver(name=self._name)
        try:
            proposals.add_clause([len(keep) + 1])  # variable j + 1: feature j is in the set; this one is always true
            while self._call(proposals.solve):
                model = set(proposals.get_model())
                # what the map leaves open is taken in: a larger set tells more
                seed = [j for j in free if -(j + 1) not in model]
                if self._solve([*given, *(keep[j] for j in seed)], stop):
                    changed = self._grow(keep, self._changed(keep), stop, given)
                    proposals.add_clause([j + 1 for j in changed])
                    continue
                reason = self._shrink(keep, seed, given, stop)
                yield reason
                if not reason:
                    return
                proposals.add_clause([-(j + 1) for j in reason])
        finally:
            discard(proposals)

    def _shrink(self, keep: Sequence[int], seed: Sequence[int], given: Sequence[int], stop: Stop) -> ChangeSet:
        """Leaves out what is not needed. requires: the last answer was no."""
        needed = self._in_core(keep, seed)
        for j in list(needed):
            if j not in needed:
                continue
            without = [i for i in needed if i != j]
            if not self._solve([*given, *(keep[i] for i in without)], stop):
                needed = self._in_core(keep, without)
        return tuple(needed)

    def _in_core(self, keep: Sequence[int], seed: Sequence[int]) -> list[int]:
        core = set(self._solver.get_core() or [])
        return [j for j in seed if keep[j] in core]


class MarcoSearch(Loaded[Marco]):
    """Sufficient reasons through PySAT's public interface, with any of its solvers."""

    name = "sat"
    finds_reasons = True

    @classmethod
    def supports(cls, question: Question) -> str | None:
        return "it finds reasons, not change sets"

    @classmethod
    def supports_reasons(cls, question: Question) -> str | None:
        return no_diagram(question)

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        return cls(sat_clauses(question, options.encoding), options.solver or "cadical195")

    def __init__(self, make_cnf: MakeCnf, solver: str) -> None:
        super().__init__(make_cnf)
        self._solver = solver

    def _load(self, cnf: Cnf, goal: Goal, clock: Clock) -> Marco:
        return Marco(cnf.literals, cnf.n_vars, self._solver)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        assert query.reasons
        assert query.max_changes is None
        instance = self._instance(query, clock)
        keep, fixed, assumed = instance.keep.tolist(), instance.fixed_features, instance.assumed.tolist()
        with (
            self._borrow(query.goal, clock) as marco,
            closing(marco.reasons(keep, fixed, stop_at(clock), assumed)) as sets,
        ):
            yield from in_chunks(sets, limit, step)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Search`. From the list of all."""
        weights, found, status = query.weights(), list[ChangeSet](), "complete"
        for answer in self.steps(query, None, clock):
            found += answer.sets
            status = answer.status
        if status != "complete":
            return Answer(ChangeSets.of([]), status)
        found.sort(key=lambda s: (sum(weights[j] for j in s), len(s), s))
        return Answer(ChangeSets.of(found[:k]), status)
