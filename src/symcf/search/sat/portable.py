"""Minimal correction subsets through PySAT's public interface, for any of its solvers.

The algorithm is that of ``src/core/mcs.c``. It differs where PySAT lacks what CaDiCaL has: the clause "one of these is
kept, too" of the growing step is a clause with a selector, not a ``constrain``, and a bound on the number of changes is
encoded anew for each instance. It uses no diagram.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.search.sat.solvers import (
    SLICE,
    Caller,
    Stop,
    Stopped,
    at_most,
    check_headroom,
    check_solver,
    discard,
    watched,
)
from symcf.system.diagram import split_clauses

__all__ = ["PortableMcs"]

ChangeSet = tuple[int, ...]

#: Variables left over from past instances that a solver may collect before it is loaded anew.
WORN = 50_000


class PortableMcs:
    """Hard clauses in a PySAT solver, and the MCSs of one instance after another.

    >>> import numpy as np
    >>> mcs = PortableMcs(np.array([1, 2, 0, 1, 3, 0], dtype=np.int32), 3, "minisat22")
    >>> sorted(mcs.enumerate(keep=[-1, -2, -3]))
    [(0,), (1, 2)]
    """

    def __init__(self, literals: npt.NDArray[np.int32], n_vars: int, solver_name: str = "cadical195") -> None:
        check_solver(solver_name)
        self._literals = literals
        self._n_vars = n_vars
        self._name = solver_name
        self._call = Caller()
        self._solver: Any = None
        self._top = n_vars  # the highest variable in use
        self._impossible = False  # is there an empty clause?
        self._live = 0  # unfinished enumerations
        self._budget = 200  # conflicts per slice; 0: the solver has no budgets

    def close(self) -> None:
        """Deletes the solver; the next `enumerate` loads a new one."""
        solver, self._solver = self._solver, None
        if solver is not None:
            discard(solver)
        self._call.close()

    def __del__(self) -> None:
        with suppress(Exception):  # the interpreter may be shutting down
            self.close()

    def enumerate(
        self,
        keep: Sequence[int],
        fixed: Collection[int] = (),
        max_changes: int | None = None,
        stop: Stop = lambda: None,
        assumed: Sequence[int] = (),
    ) -> Generator[ChangeSet, None, None]:
        """All minimal sets of features that can change together, in any order, each once.

        Parameters
        ----------
        keep:
            For each feature the literal that says "it is as it was".
        fixed:
            Features that must not change.
        max_changes:
            The most features in a set.
        stop:
            Called about every 30 ms; if it gives a reason, `Stopped` is raised.
        assumed:
            Further literals that hold, such as those that forbid values.
        """
        self._load(stop)
        if self._impossible:
            return
        with suppress(NotImplementedError):
            self._solver.set_phases(literals=list(keep))
        active = self._fresh()
        self._live += 1
        try:
            self._bound(keep, max_changes, active)
            assumptions = [active, *assumed, *(keep[j] for j in sorted(fixed))]
            while self._solve(assumptions, stop):
                changed = self._grow(keep, self._changed(keep), stop, assumed)
                yield tuple(changed)
                self._solver.add_clause([-active, *(keep[j] for j in changed)])
        finally:
            self._live -= 1
            self._solver.add_clause([-active])

    def _load(self, stop: Stop) -> None:
        if self._solver is not None and (self._live or self._top < self._n_vars + WORN):
            return
        from pysat.solvers import Solver

        if self._solver is not None:
            discard(self._solver)
            self._solver = None
        check_headroom(len(self._literals))
        solver = Solver(name=self._name)
        for clause in watched(split_clauses(self._literals), stop):
            self._impossible |= not clause
            if clause:  # solvers treat an empty clause differently
                solver.add_clause(clause)
        self._solver, self._top = solver, self._n_vars  # only now: it has all clauses, or counts as not loaded

    def _fresh(self) -> int:
        self._top += 1
        return self._top

    def _bound(self, keep: Sequence[int], max_changes: int | None, active: int) -> None:
        """Allows at most this many changes while `active` is assumed."""
        if max_changes is None:
            return
        clauses, self._top = at_most([-literal for literal in keep], max_changes, self._top)
        for clause in clauses:
            self._solver.add_clause([-active, *clause])

    def _changed(self, keep: Sequence[int]) -> list[int]:
        model = set(self._solver.get_model())
        return [j for j, literal in enumerate(keep) if -literal in model]

    def _grow(self, keep: Sequence[int], changed: list[int], stop: Stop, assumed: Sequence[int]) -> list[int]:
        """Keeps one more of the changed features as long as that is possible."""
        while changed:
            given_up = set(changed)
            selector = self._fresh()
            self._solver.add_clause([-selector, *(keep[j] for j in changed)])
            kept = (literal for j, literal in enumerate(keep) if j not in given_up)
            more = self._solve([selector, *assumed, *kept], stop)
            smaller = self._changed(keep) if more else changed
            self._solver.add_clause([-selector])
            if not more:
                break
            changed = smaller
        return changed

    def _solve(self, assumptions: list[int], stop: Stop) -> bool:
        while True:
            if reason := stop():
                raise Stopped(reason)
            started = time.perf_counter()
            answer = self._slice(assumptions)
            if answer is not None:
                return answer
            pace = SLICE / max(time.perf_counter() - started, 1e-4)
            self._budget = max(10, min(10**6, int(self._budget * min(2.0, pace))))

    def _slice(self, assumptions: list[int]) -> bool | None:
        """The answer, or None if the budget of conflicts did not suffice."""
        if self._budget:
            try:
                self._solver.conf_budget(self._budget)
                answer: bool | None = self._call(self._solver.solve_limited, assumptions=assumptions)
                return answer
            except NotImplementedError:
                self._budget = 0
        return bool(self._call(self._solver.solve, assumptions=assumptions))
