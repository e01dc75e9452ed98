"""Change sets by SAT: the minimal correction subsets (MCSs) of Σf and an instance, on the solvers of PySAT.

The problem and the algorithm are told in ``src/core/mcs.c``. This module holds what is Python's part of it:

``SatEngine``       engine ``sat``: the C code on a CaDiCaL solver that PySAT made (`fresh_cadical`)
``PortableEngine``  engine ``sat-portable``: the same algorithm through PySAT's public interface (`PortableMcs`), for
                    any of its solvers and wherever the C code cannot get at CaDiCaL (`why_unavailable`)
``cheapest``        the k cheapest change sets, by weighted partial MaxSAT (RC2; Ignatiev, Morgado, Marques-Silva 2019)

Both engines load Σ once and keep the loaded solver for the next instance. Where PySAT lacks what CaDiCaL has, the
portable engine differs: the clause "one of these is kept, too" of the growing step is a clause with a selector, not a
``constrain``, and a bound on the number of changes is encoded for each instance anew. It asks no diagram.

Signals. While a solver runs in the main thread, PySAT replaces Python's handler for Ctrl-C by one that jumps out of
the solver, and does not always put the old one back. So we call solvers from a thread of their own, a slice of
conflicts at a time, and Ctrl-C and time limits strike between two slices.

Measured, n = 22 and 25: RC2 on costs with the tie-break in the weights (2**-j for feature j), so that the k cheapest
would come in their final order: more than 190 s for 10 sets that take 15 ms without it. So ties are enumerated.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.cnf import Cnf
from symcf.diagram import split_clauses
from symcf.engines import STEP, Answer, Clock, Query, _drain
from symcf.errors import LimitError, OptionError
from symcf.goals import Goal
from symcf.variables import Variables

__all__ = ["PortableEngine", "PortableMcs", "SatEngine", "Stopped", "cheapest", "choose_encoding", "why_unavailable"]

ChangeSet = tuple[int, ...]
M = TypeVar("M")

#: A reason to stop, such as "time", or None to go on.
Stop = Callable[[], str | None]

#: The solver of engine ``sat``: the namespace of the class in PySAT's library says which one is meant.
CADICAL = {"cadical195": "CaDiCaL195", "cadical153": "CaDiCaL153"}

#: Solvers of PySAT's that end the process when clauses are added after a solve.
NOT_INCREMENTAL = ("kissat404", "lingeling")

#: The solver of RC2: it can be interrupted from another thread.
MAXSAT_SOLVER = "glucose4"

#: How long a slice of conflicts should take, in seconds.
SLICE = 0.03

#: Variables of instances past that a portable solver may gather before it is loaded anew.
WORN = 50_000


class Stopped(Exception):
    """The search was told to stop; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def choose_encoding(helped: bool, n_clauses: int, binary: bool = True) -> str:
    """The encoding that the SAT engines work best with.

    Where a diagram helps (threshold functions, engine ``sat``), the solver is only asked for a proof, and aux-cut
    clauses are the fastest to load and the fastest to refute. Milliseconds an instance, random naive Bayes classifiers:
    n = 22: aux-cut 1.3-4, prime 2.5-6, no-cut 4-8, node-cut 4-13; n = 25: 13-43, 40-234, 58-260, 35-82. Elsewhere many
    models are wanted, and prime clauses propagate best: n = 20: prime 19, aux-cut 37, no-cut 44, node-cut 91; n = 25:
    49, 125, 278, 580; but there may be too many of them. Where features are not `binary`, aux-cut it is: n = 12 of
    4 values: aux-cut 16, node-cut 48, no-cut 142, with the diagram 1.0, 3.1, 9.3; n = 8 of 10 values: 15, 136, 357,
    with it 1.1, 8.1, 80. `n_clauses` is the number of no-cut clauses.
    """
    return "prime" if binary and not helped and n_clauses <= PRIME_CLAUSES else "aux-cut"


#: No-cut clauses up to which the prime encoding is chosen where there is no diagram to help.
PRIME_CLAUSES = 300_000


# --- literals ---------------------------------------------------------------------------------------------------------


class Instance:
    """What a solver is told about a query, in literals of clauses whose every value has one (`Cnf.with_zeros`).

    With the `weights` of a threshold function, by feature and value, a feature may only take the allowed value that
    moves furthest towards the wanted side: what flips with another one flips with that one.
    """

    def __init__(self, query: Query, variables: Variables, weights: npt.NDArray[np.int64] | None = None) -> None:
        x = query.x.astype(np.int64)
        start, n_values = variables.value_offset[:-1], variables.n_values
        own = start + x
        allowed = np.ones(len(variables.literals), dtype=bool) if query.mask is None else query.mask != 0
        allowed[own] = False
        gain = allowed.astype(np.int64)
        if weights is not None:
            gain *= (weights - np.repeat(weights[own], n_values)) * (1 if query.goal[1] else -1)
            allowed = _furthest(gain, start, n_values)
        feature, value = np.repeat(np.arange(len(x)), n_values)[allowed], np.flatnonzero(allowed)
        worth = np.zeros(len(x), dtype=np.int64)
        worth[feature] = gain[value]
        forbidden = ~allowed & np.repeat(worth > 0, n_values)
        forbidden[own] = False
        #: For each feature the literal "it is as it was".
        self.keep = variables.keep(x)
        #: 1 for each feature that must not change, because no other value is allowed.
        self.fixed = (worth == 0).astype(np.uint8)
        #: What holds besides: not the values that are forbidden to features that may change.
        self.assumed = -variables.literals[forbidden]
        #: By feature, its value and one of those that it may change to, if there is any.
        self.codes = np.column_stack([x, x]).astype(np.uint32)
        self.codes[feature, 1] = value - start[feature]
        #: The features, those whose change is worth most first.
        self.order = np.argsort(-worth, kind="stable").astype(np.uint32)

    def open(self, mcs: _core.Mcs, max_changes: int | None) -> None:
        """Tells it to the engine in C."""
        mcs.open(self.keep, self.fixed, max_changes, self.assumed, self.codes, self.order)

    @property
    def fixed_features(self) -> list[int]:
        """The features that must not change."""
        return [int(j) for j in np.flatnonzero(self.fixed)]


def _furthest(
    gain: npt.NDArray[np.int64], start: npt.NDArray[np.int64], n_values: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """For each feature the first of the values that gain most, if they gain anything."""
    if not len(start):
        return np.zeros(0, dtype=bool)
    best = (gain > 0) & (gain == np.repeat(np.maximum.reduceat(gain, start), n_values))
    rank = np.cumsum(best)
    return np.asarray(best & (rank == np.repeat(rank[start] - best[start], n_values) + 1))


def _at_most(literals: Sequence[int], bound: int, top: int) -> tuple[list[list[int]], int]:
    """Clauses for "at most `bound` of the literals are true", and the highest variable used."""
    from pysat.card import CardEnc, EncType

    if bound >= len(literals):
        return [], top
    if bound == 0:
        return [[-literal] for literal in literals], top
    formula = CardEnc.atmost(lits=list(literals), bound=bound, top_id=top, encoding=EncType.totalizer)
    return formula.clauses, max(top, formula.nv)


# --- engine sat -------------------------------------------------------------------------------------------------------


def fresh_cadical(name: str = "cadical195") -> tuple[Any, Any, str, str]:
    """A new PySAT solver, the capsule of its C++ object, the file of PySAT's library, the namespace of the class."""
    import pysolvers
    from pysat.solvers import Solver

    solver = Solver(name=name)
    return solver, solver.solver.cadical, pysolvers.__file__, CADICAL[name]


@cache
def why_unavailable(name: str = "cadical195") -> str | None:
    """Why engine ``sat`` cannot work in this process, None if it can."""
    probe = _core.Mcs(partial(fresh_cadical, name), np.zeros(0, dtype=np.int32), 0, 0)
    probe.open(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8))
    try:
        probe.next(1)
    except Exception as reason:  # whatever a future PySAT may do differently
        return f"{type(reason).__name__}: {reason}"
    return None


class _Loaded(Generic[M]):
    """What both engines share: clauses for each goal, and solvers that hold them."""

    def __init__(self, make_cnf: Callable[[Goal], Cnf]) -> None:
        self._make_cnf = make_cnf
        self._cnf: dict[Goal, Cnf] = {}
        self._idle: defaultdict[Goal, list[M]] = defaultdict(list)

    def _load(self, cnf: Cnf, goal: Goal) -> M:
        raise NotImplementedError

    def _clauses(self, goal: Goal) -> Cnf:
        if goal not in self._cnf:
            self._cnf[goal] = self._make_cnf(goal).with_zeros()
        return self._cnf[goal]

    def _instance(self, query: Query) -> Instance:
        return Instance(query, self._clauses(query.goal).variables)

    @contextmanager
    def _borrow(self, goal: Goal) -> Iterator[M]:
        """A loaded solver that nobody else uses: two threads, or two unfinished cursors, have two."""
        try:
            mcs = self._idle[goal].pop()
        except IndexError:
            mcs = self._load(self._clauses(goal), goal)
        try:
            yield mcs
        finally:
            self._idle[goal].append(mcs)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        raise NotImplementedError

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        """See `Engine`."""
        cnf, costs, instance = self._clauses(query.goal), query.weights(), self._instance(query)
        keep, fixed, assumed = instance.keep.tolist(), instance.fixed_features, instance.assumed.tolist()
        try:
            sets = cheapest(cnf, keep, fixed, costs, k, query.max_changes, _stop_at(clock), assumed)
            return Answer(sets, "complete")
        except Stopped as stopped:
            return Answer([], stopped.reason)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Engine`. By listing them."""
        count, status = 0, "complete"
        for answer in self.steps(query, None, clock):
            count += len(answer.sets)
            status = answer.status
        if status != "complete":
            raise LimitError(f"time limit reached: there are at least {count:,} change sets")
        return count


class SatEngine(_Loaded[_core.Mcs]):
    """MCS enumeration in C (src/core/mcs.c).

    Parameters
    ----------
    make_cnf:
        Clauses for a goal.
    diagram, threshold:
        The decision function in both forms, if it is a threshold function; the diagram then spares the solver most of
        its work. Its one class is the goals' class.
    solver:
        One of `CADICAL`.
    """

    name = "sat"

    def __init__(
        self,
        make_cnf: Callable[[Goal], Cnf],
        diagram: _core.Diagram | None = None,
        threshold: _core.Threshold | None = None,
        solver: str = "cadical195",
    ) -> None:
        super().__init__(make_cnf)
        if (diagram is None) != (threshold is None):
            raise ValueError("diagram and threshold come together")
        self._diagram = diagram
        self._weights = None if threshold is None else np.array(threshold.weight)
        self._solver = solver

    def _load(self, cnf: Cnf, goal: Goal) -> _core.Mcs:
        make_solver = partial(fresh_cadical, self._solver)
        n = len(cnf.variables.n_values)
        return _core.Mcs(make_solver, cnf.literals, cnf.n_vars, n, self._diagram, goal[1])

    def _instance(self, query: Query) -> Instance:
        return Instance(query, self._clauses(query.goal).variables, self._weights)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        instance = self._instance(query)
        with self._borrow(query.goal) as mcs:
            instance.open(mcs, query.max_changes)
            yield from _drain(mcs.next, limit, clock, step)


class PortableEngine(_Loaded["PortableMcs"]):
    """MCS enumeration through PySAT's public interface.

    Parameters
    ----------
    make_cnf:
        Clauses for a goal.
    solver:
        Any solver that PySAT knows.
    """

    name = "sat-portable"

    def __init__(self, make_cnf: Callable[[Goal], Cnf], solver: str = "cadical195") -> None:
        super().__init__(make_cnf)
        self._solver = solver

    def _load(self, cnf: Cnf, goal: Goal) -> PortableMcs:
        return PortableMcs(cnf.literals, cnf.n_vars, self._solver)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        """See `Engine`."""
        instance = self._instance(query)
        keep, fixed, assumed = instance.keep.tolist(), instance.fixed_features, instance.assumed.tolist()
        with (
            self._borrow(query.goal) as mcs,
            closing(mcs.enumerate(keep, fixed, query.max_changes, _stop_at(clock), assumed)) as sets,
        ):
            yield from _chunks(sets, limit, step)


def _stop_at(clock: Clock) -> Stop:
    return lambda: "time" if clock.expired else None


def _chunks(sets: Iterator[ChangeSet], limit: int | None, step: int) -> Iterator[Answer]:
    """A stream of sets as answers of at most `step` sets; the last one says how it ended."""
    chunk: list[ChangeSet] = []
    status, given = "complete", 0
    try:
        while given != limit:
            chunk.append(next(sets))
            given += 1
            if len(chunk) == step and given != limit:
                yield Answer(chunk, "more")
                chunk = []
        status = "more"
    except StopIteration:
        pass
    except Stopped as stopped:
        status = stopped.reason
    yield Answer(chunk, status)


# --- the portable algorithm -------------------------------------------------------------------------------------------


class _Caller:
    """Calls solvers outside the main thread; see the module's text on signals."""

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


class PortableMcs:
    """Hard clauses in a PySAT solver, and the MCSs of one instance after the other.

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
        self._call = _Caller()
        self._solver: Any = None
        self._top = n_vars  # the highest variable in use
        self._impossible = False  # is there an empty clause?
        self._live = 0  # unfinished enumerations
        self._budget = 200  # conflicts a slice; 0: the solver knows no budgets

    def close(self) -> None:
        """Deletes the solver; the next `enumerate` loads a new one."""
        if self._solver is not None:
            self._solver.delete()
            self._solver = None
        self._call.close()

    def __del__(self) -> None:
        with suppress(Exception):  # whatever is left of the interpreter at its end
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
            Asked about every 30 ms; with its reason, `Stopped` is raised.
        assumed:
            Literals that hold besides, such as those that forbid values.
        """
        self._load()
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

    def _load(self) -> None:
        if self._solver is not None and (self._live or self._top < self._n_vars + WORN):
            return
        from pysat.solvers import Solver

        if self._solver is not None:
            self._solver.delete()
        self._solver = Solver(name=self._name)
        self._top = self._n_vars
        for clause in split_clauses(self._literals):
            self._impossible |= not clause
            if clause:  # solvers differ in what they make of an empty one
                self._solver.add_clause(clause)

    def _fresh(self) -> int:
        self._top += 1
        return self._top

    def _bound(self, keep: Sequence[int], max_changes: int | None, active: int) -> None:
        """Allows at most so many changes while `active` is assumed."""
        if max_changes is None:
            return
        clauses, self._top = _at_most([-literal for literal in keep], max_changes, self._top)
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


# --- the k cheapest ---------------------------------------------------------------------------------------------------


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
    A weight of ``cost * (n + 1) + 1`` orders them by cost, then size. Sets as good as the k-th are all found, and
    sorted: putting the features into the weights, too, makes RC2 a thousand times slower.
    """
    if k <= 0:
        return []
    scale = len(keep) + 1
    found: list[tuple[int, ChangeSet]] = []
    caller = _Caller()
    rc2 = _maxsat(cnf, keep, fixed, [cost * scale + 1 for cost in costs], max_changes, assumed)
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
            rc2.delete()
    return [change_set for _, change_set in sorted(found)[:k]]


def _maxsat(
    cnf: Cnf,
    keep: Sequence[int],
    fixed: Collection[int],
    weights: Sequence[int],
    max_changes: int | None,
    assumed: Sequence[int],
) -> Any | None:
    """RC2 on the clauses and the instance; None if no solution exists for want of a solution to the clauses alone."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF()
    for clause in cnf.clauses():
        if not clause:
            return None
        formula.append(list(clause))
    formula.nv = max(formula.nv, cnf.n_vars)
    formula.extend([[literal] for literal in assumed])
    if max_changes is not None:
        formula.extend(_at_most([-literal for literal in keep], max_changes, cnf.n_vars)[0])
    for j, (literal, weight) in enumerate(zip(keep, weights, strict=True)):
        formula.append([literal], weight=None if j in fixed else weight)
    return RC2(formula, solver=MAXSAT_SOLVER)
