"""PySAT's solvers: which can be used, how they are called, and how they are stopped.

Signals. While a solver runs in the main thread, PySAT replaces Python's handler for Ctrl-C by one that jumps out of
the solver, and does not always put the old one back. So we call solvers from a separate thread, a slice of
conflicts at a time, and check for Ctrl-C and time limits between slices.

Memory. PySAT does not catch what its solvers throw when an allocation fails: the process would end. So a solver is
made, loaded and called only while `HEADROOM` bytes are free (`check_headroom`). That also leaves room for the thread,
whose start can hang (in Python) or end the process (in the C library) where addresses are scarce. One risk remains: a
single allocation that is larger than the headroom, such as the doubling of an array of a gigabyte.

The k cheapest change sets, by weighted partial MaxSAT (RC2; Ignatiev, Morgado, Marques-Silva 2019).

Measured, n = 22 and 25: RC2 on costs with the tie-break in the weights (2**-j for feature j), so that the k cheapest
would come in their final order: more than 190 s for 10 sets that take 15 ms without it. So ties are enumerated.
"""

from __future__ import annotations

import mmap
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

from symcf import _core
from symcf.errors import LimitError, OptionError
from symcf.system.cnf import Cnf

__all__ = [
    "HEADROOM",
    "SLICE",
    "Caller",
    "Stop",
    "Stopped",
    "at_most",
    "cheapest",
    "check_headroom",
    "check_solver",
    "discard",
    "watched",
]

T = TypeVar("T")

#: A reason to stop, such as "time", or None to go on.
Stop = Callable[[], str | None]

#: PySAT solvers that end the process when clauses are added after a solve.
NOT_INCREMENTAL = ("kissat404", "lingeling")

#: How long a slice of conflicts should take, in seconds.
SLICE = 0.03


#: Bytes that must be free for a solver to be called; the C core asks for the same (sat_api.c).
HEADROOM = 64 << 20

#: Bytes that a solver takes per literal: clause, watches and what it keeps for reasoning.
BYTES_PER_LITERAL = 64


def check_headroom(n_literals: int = 0) -> None:
    """Raises MemoryError unless a solver has room for this many more literals; see the module on memory. `LimitError`
    if the ``max_memory`` of the call has not.
    """
    _core.check_memory(BYTES_PER_LITERAL * n_literals)
    needed = HEADROOM + BYTES_PER_LITERAL * n_literals
    try:
        mmap.mmap(-1, needed, flags=mmap.MAP_PRIVATE).close()
    except (OSError, OverflowError):
        raise MemoryError(
            f"symcf: the SAT solver needs {needed >> 20} MiB of free memory; raise the limit (ulimit -v), or choose "
            f"engine='cover' or 'diagram'"
        ) from None


class Stopped(Exception):
    """The search was told to stop; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def watched(items: Iterable[T], stop: Stop) -> Iterator[T]:
    """The items; `stop` is called after every 1000 of them, and if it gives a reason, `Stopped` is raised."""
    for i, item in enumerate(items):
        if i % 1000 == 0:
            _core.check_memory()
            if reason := stop():
                raise Stopped(reason)
        yield item


def discard(solver: Any) -> None:
    """Deletes a solver of PySAT's here and now: its finalizer may run in this thread at any time, and two threads must
    not delete the same solver.
    """
    solver.delete()


class Caller:
    """Calls solvers outside the main thread; see the module on signals."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def __call__(
        self,
        function: Callable[..., Any],
        *,
        stop: Stop | None = None,
        interrupt: Callable[[], None] | None = None,
        **arguments: Any,
    ) -> Any:
        """Calls ``function(**arguments)``, and `interrupt`, if given, once `stop` gives a reason."""
        if stop is not None and (reason := stop()):  # a thousand short calls take long, too
            raise Stopped(reason)
        check_headroom()
        if interrupt is None and threading.current_thread() is not threading.main_thread():
            return function(**arguments)
        if self._pool is None or self._process != os.getpid():  # threads do not survive a fork
            self._process = os.getpid()
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="symcf-solver")
        try:
            future = self._pool.submit(_core.in_budget(function), **arguments)
        except RuntimeError as error:
            self.close()
            if "start new thread" not in str(error):
                raise
            raise LimitError(
                "the SAT solver needs its own thread, and the system cannot start another one; raise the limit "
                "(ulimit -u, ulimit -v), or choose engine='cover' or 'diagram'"
            ) from None
        try:
            while interrupt is not None and not wait([future], timeout=SLICE).done:
                _core.check_memory()
                if stop is not None and (reason := stop()):
                    raise Stopped(reason)
            return future.result()
        except BaseException:
            # The solver must not be touched while it runs. One call may ask it many times: each time is interrupted.
            while interrupt is not None and not wait([future], timeout=SLICE / 3).done:
                interrupt()
            wait([future])
            raise

    def close(self) -> None:
        """Ends the thread."""
        if self._pool is not None:
            # Without waiting: this may run in a finalizer, where joining a thread can deadlock. The thread is idle.
            self._pool.shutdown(wait=False)
            self._pool = None


def check_solver(name: str) -> None:
    """Refuses solvers that PySAT does not have or that can be used only once."""
    from pysat.solvers import SolverNames

    names = {alias: key for key, aliases in vars(SolverNames).items() if not key.startswith("_") for alias in aliases}
    if name not in names:
        raise OptionError(f"solver: PySAT has no solver {name!r}; choose one, such as 'cadical195' or 'glucose4'")
    if names[name] in NOT_INCREMENTAL:
        raise OptionError(f"solver: {name!r} can solve only once; choose another, such as 'cadical195' or 'glucose4'")


def at_most(literals: Sequence[int], bound: int, top: int) -> tuple[list[list[int]], int]:
    """Clauses for "at most `bound` of the literals are true", and the highest variable used."""
    from pysat.card import CardEnc, EncType

    if bound >= len(literals):
        return [], top
    if bound == 0:
        return [[-literal] for literal in literals], top
    check_headroom()
    formula = CardEnc.atmost(lits=list(literals), bound=bound, top_id=top, encoding=EncType.totalizer)
    return formula.clauses, max(top, formula.nv)


ChangeSet = tuple[int, ...]

#: The solver of RC2: it can be interrupted from another thread.
MAXSAT_SOLVER = "glucose4"


def cheapest(
    cnf: Cnf,
    keep: Sequence[int],
    fixed: Collection[int],
    costs: Sequence[int],
    k: int,
    max_changes: int | None = None,
    stop: Stop = lambda: None,
    assumed: Sequence[int] = (),
) -> list[ChangeSet]:
    """The first k change sets by (cost, size, features), by weighted partial MaxSAT.

    The cheapest way to satisfy Σ is an MCS, because costs are positive; with its supersets forbidden, so is the next.
    A weight of ``cost * (n + 1) + 1`` orders them by cost, then size. All sets as good as the k-th are found
    and sorted: putting the features into the weights, too, makes RC2 a thousand times slower.
    """
    if k <= 0:
        return []
    scale = len(keep) + 1
    found: list[tuple[int, ChangeSet]] = []
    caller = Caller()
    rc2 = _maxsat(cnf, keep, fixed, [cost * scale + 1 for cost in costs], max_changes, assumed, stop)
    try:
        while rc2 is not None:
            model = caller(rc2.compute, expect_interrupt=True, stop=stop, interrupt=rc2.interrupt)
            if model is None or (len(found) >= k and rc2.cost > found[k - 1][0]):
                break
            changed = set(model)
            change_set = tuple(j for j, literal in enumerate(keep) if -literal in changed)
            found.append((rc2.cost, change_set))
            if not change_set:
                break
            rc2.add_clause([keep[j] for j in change_set])
    finally:
        caller.close()
        if rc2 is not None:
            discard(rc2)
    return [change_set for _, change_set in sorted(found)[:k]]


class _Watched(list[list[int]]):
    """Clauses; whoever goes through them is stopped when it is time."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._stop = stop

    def __iter__(self) -> Iterator[list[int]]:
        return watched(super().__iter__(), self._stop)


def _maxsat(
    cnf: Cnf,
    keep: Sequence[int],
    fixed: Collection[int],
    weights: Sequence[int],
    max_changes: int | None,
    assumed: Sequence[int],
    stop: Stop,
) -> Any | None:
    """RC2 on the clauses and the instance; None if the clauses alone have no solution."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    check_headroom(len(cnf.literals))
    formula = WCNF()
    formula.hard = _Watched(stop)  # RC2 hands them to its solver one by one
    for clause in watched(cnf.clauses(), stop):
        if not clause:
            return None
        formula.append(list(clause))
    formula.nv = max(formula.nv, cnf.n_vars)
    formula.extend([[literal] for literal in assumed])
    if max_changes is not None:
        formula.extend(at_most([-literal for literal in keep], max_changes, cnf.n_vars)[0])
    for j, (literal, weight) in enumerate(zip(keep, weights, strict=True)):
        formula.append([literal], weight=None if j in fixed else weight)
    return RC2(formula, solver=MAXSAT_SOLVER)
