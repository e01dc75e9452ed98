"""Solvers of PySAT's: which can be used, how they are called, and how they are stopped.

Signals. While a solver runs in the main thread, PySAT replaces Python's handler for Ctrl-C by one that jumps out of
the solver, and does not always put the old one back. So we call solvers from a thread of their own, a slice of
conflicts at a time, and Ctrl-C and time limits strike between two slices.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

from symcf.errors import OptionError

__all__ = ["SLICE", "Caller", "Stop", "Stopped", "at_most", "check_solver", "watched"]

T = TypeVar("T")

#: A reason to stop, such as "time", or None to go on.
Stop = Callable[[], str | None]

#: Solvers of PySAT's that end the process when clauses are added after a solve.
NOT_INCREMENTAL = ("kissat404", "lingeling")

#: How long a slice of conflicts should take, in seconds.
SLICE = 0.03


class Stopped(Exception):
    """The search was told to stop; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def watched(items: Iterable[T], stop: Stop) -> Iterator[T]:
    """The items; `stop` is asked at each 1000 of them, and with its reason `Stopped` is raised."""
    for i, item in enumerate(items):
        if i % 1000 == 0 and (reason := stop()):
            raise Stopped(reason)
        yield item


class Caller:
    """Calls solvers outside the main thread; see above on signals."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None

    def __call__(
        self,
        function: Callable[..., Any],
        *,
        stop: Stop | None = None,
        interrupt: Callable[[], None] | None = None,
        **arguments: Any,
    ) -> Any:
        """function(**arguments). With `stop` and `interrupt` the latter is called when the former says so."""
        if interrupt is None and threading.current_thread() is not threading.main_thread():
            return function(**arguments)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="symcf-solver")
        future = self._pool.submit(function, **arguments)
        try:
            while interrupt is not None and not wait([future], timeout=SLICE).done:
                if stop is not None and (reason := stop()):
                    raise Stopped(reason)
            return future.result()
        except BaseException:
            if interrupt is not None:
                interrupt()
            wait([future])  # the solver is not to be touched while it runs
            raise

    def close(self) -> None:
        """Ends the thread."""
        if self._pool is not None:
            # Without waiting: this may run in a finalizer, where joining a thread can deadlock. The thread is idle.
            self._pool.shutdown(wait=False)
            self._pool = None


def check_solver(name: str) -> None:
    """Refuses solvers that PySAT does not have or that cannot be used again and again."""
    from pysat.solvers import SolverNames

    names = {alias: key for key, aliases in vars(SolverNames).items() if not key.startswith("_") for alias in aliases}
    if name not in names:
        raise OptionError(f"solver: PySAT has no {name!r}")
    if names[name] in NOT_INCREMENTAL:
        raise OptionError(f"solver: {name!r} solves once only; choose another, such as 'cadical195' or 'glucose4'")


def at_most(literals: Sequence[int], bound: int, top: int) -> tuple[list[list[int]], int]:
    """Clauses for "at most `bound` of the literals are true", and the highest variable used."""
    from pysat.card import CardEnc, EncType

    if bound >= len(literals):
        return [], top
    if bound == 0:
        return [[-literal] for literal in literals], top
    formula = CardEnc.atmost(lits=list(literals), bound=bound, top_id=top, encoding=EncType.totalizer)
    return formula.clauses, max(top, formula.nv)
