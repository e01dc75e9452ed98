"""Change sets by SAT: the minimal correction subsets (MCSs) of Σf and an instance, on the solvers of PySAT.

``src/core/mcs.c`` describes the problem and the algorithm. This module is the Python part:

``SatSearch``       engine ``sat``: the C code on a CaDiCaL solver that PySAT made (`fresh_cadical`)
``PortableSearch``  engine ``sat-portable``: the same algorithm through PySAT's public interface (`portable`), for
                    any of its solvers and wherever the C code cannot use CaDiCaL (`why_unavailable`)

The k cheapest change sets of both come from MaxSAT (`solvers`).

Both engines load Σ once and keep the loaded solver for the next instance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache, partial
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.common.options import checked_choice
from symcf.errors import LimitError
from symcf.question.case import Query
from symcf.question.question import Question
from symcf.search.change_sets import ChangeSet, ChangeSets
from symcf.search.diagram import no_diagram, target_of
from symcf.search.protocol import STEP, Answer, Options, Search, StepForm, drain
from symcf.search.sat.portable import PortableMcs
from symcf.search.sat.solvers import Stop, Stopped, cheapest, check_headroom, check_solver
from symcf.system.cnf import ENCODINGS, Cnf, encode
from symcf.system.targets import Goal
from symcf.system.variables import Variables

__all__ = [
    "Loaded",
    "MakeCnf",
    "PortableSearch",
    "SatSearch",
    "choose_encoding",
    "fresh_cadical",
    "in_chunks",
    "sat_clauses",
    "stop_at",
    "why_unavailable",
]

M = TypeVar("M")
MakeCnf = Callable[[Goal, Clock], Cnf]

#: The solver of engine ``sat``: the namespace of the class in PySAT's library says which one is meant.
CADICAL = {"cadical195": "CaDiCaL195", "cadical153": "CaDiCaL153"}


def choose_encoding(helped: bool, n_clauses: int, binary: bool = True) -> str:
    """The encoding that the SAT engines work best with.

    Where a diagram helps (threshold functions, engine ``sat``), the solver is only asked for a proof, and aux-cut
    clauses are the fastest to load and the fastest to refute. Milliseconds per instance, random naive Bayes
    classifiers: n = 22: aux-cut 1.3-4, prime 2.5-6, no-cut 4-8, node-cut 4-13; n = 25: 13-43, 40-234, 58-260, 35-82.
    Without one, many models are needed, and prime clauses propagate best: n = 20: prime 19, aux-cut 37, no-cut 44,
    node-cut 91; n = 25: 49, 125, 278, 580; but there may be too many of them. Where features are not `binary`, aux-cut
    is best: n = 12 of 4 values: aux-cut 16, node-cut 48, no-cut 142, with the diagram 1.0, 3.1, 9.3; n = 8 of 10
    values: 15, 136, 357, with it 1.1, 8.1, 80. `n_clauses` is the number of no-cut clauses.
    """
    return "prime" if binary and not helped and n_clauses <= PRIME_CLAUSES else "aux-cut"


def sat_clauses(question: Question, encoding: str, helped: bool = False) -> MakeCnf:
    """Σf of a goal. "auto" chooses the encoding; with a diagram that helps, another one is best."""
    checked_choice(encoding, "encoding", ("auto", *ENCODINGS))
    diagram_of = target_of(question)

    def make_cnf(goal: Goal, clock: Clock) -> Cnf:
        diagram, sink = diagram_of(goal, clock)
        chosen = encoding
        if encoding == "auto":
            binary = bool((diagram.core.arity == 2).all())
            chosen = choose_encoding(helped, diagram.count_paths(0, clock), binary)
        return encode(diagram, chosen, negate=sink == 0, clock=clock)

    return make_cnf


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
        #: Further literals that hold: features that may change do not take forbidden values.
        self.assumed = -variables.literals[forbidden]
        #: By feature, its value and one of those that it may change to, if there is any.
        self.codes = np.column_stack([x, x]).astype(np.uint32)
        self.codes[feature, 1] = value - start[feature]
        #: The features, by what a change of each is worth, largest first.
        self.order = np.argsort(-worth, kind="stable").astype(np.uint32)

    def open(self, mcs: _core.Mcs, max_changes: int | None) -> None:
        """Passes it to the engine in C."""
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


# --- engine sat -------------------------------------------------------------------------------------------------------


def fresh_cadical(name: str = "cadical195") -> tuple[Callable[[], object], Any, str, str]:
    """Makes a solver of PySAT's: what deletes it, the capsule of its C++ object, the file of PySAT's library, the
    namespace of the class.
    """
    import pysolvers

    check_headroom()
    capsule = getattr(pysolvers, f"{name}_new")()
    return partial(getattr(pysolvers, f"{name}_del"), capsule, None), capsule, pysolvers.__file__, CADICAL[name]


@cache
def why_unavailable(name: str = "cadical195") -> str | None:
    """Why engine ``sat`` cannot work in this process, None if it can."""
    probe = _core.Mcs(partial(fresh_cadical, name), np.zeros(0, dtype=np.int32), 0, 0)
    probe.open(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8))
    try:
        probe.next(1)
    except MemoryError:
        raise  # a shortage of memory may pass
    except Exception as reason:  # a future PySAT may fail in any way
        return f"{type(reason).__name__}: {reason}"
    return None


class Loaded(Search, Generic[M]):
    """What the searches by SAT share: clauses for each goal, and solvers that hold them."""

    needs_diagram = True

    @classmethod
    def supports(cls, question: Question) -> str | None:
        return no_diagram(question)

    @classmethod
    def is_preferred(cls, question: Question) -> bool:
        """See `Search`. It is there to be compared with."""
        return False

    def __init__(self, make_cnf: MakeCnf) -> None:
        self._make_cnf = make_cnf
        self._cnf: dict[Goal, Cnf] = {}
        self._idle: defaultdict[Goal, list[M]] = defaultdict(list)

    @abstractmethod
    def _load(self, cnf: Cnf, goal: Goal, clock: Clock) -> M:
        """A solver that will hold the clauses."""

    def _clauses(self, goal: Goal, clock: Clock) -> Cnf:
        if goal not in self._cnf:
            self._cnf[goal] = self._make_cnf(goal, clock).with_zeros()
        return self._cnf[goal]

    def _instance(self, query: Query, clock: Clock) -> Instance:
        return Instance(query, self._clauses(query.goal, clock).variables)

    @contextmanager
    def _borrow(self, goal: Goal, clock: Clock) -> Iterator[M]:
        """A loaded solver for exclusive use: two threads, or two unfinished cursors, get two solvers."""
        try:
            mcs = self._idle[goal].pop()
        except IndexError:
            mcs = self._load(self._clauses(goal, clock), goal, clock)
        try:
            yield mcs
        finally:
            self._idle[goal].append(mcs)

    def best(self, query: Query, k: int, clock: Clock) -> Answer:
        cnf, costs, instance = self._clauses(query.goal, clock), query.weights(), self._instance(query, clock)
        keep, fixed, assumed = instance.keep.tolist(), instance.fixed_features, instance.assumed.tolist()
        try:
            sets = cheapest(cnf, keep, fixed, costs, k, query.max_changes, stop_at(clock), assumed)
            return Answer(ChangeSets.of(sets), "complete")
        except Stopped as stopped:
            return Answer(ChangeSets.of([]), stopped.reason)

    def count(self, query: Query, clock: Clock) -> int:
        """See `Search`. By listing them."""
        count, status = 0, "complete"
        for answer in self.steps(query, None, clock):
            count += len(answer.sets)
            status = answer.status
        if status != "complete":
            raise LimitError(f"time limit reached: there are at least {count:,} change sets")
        return count


class SatSearch(Loaded[_core.Mcs]):
    """MCS enumeration in C (src/core/mcs.c).

    Parameters
    ----------
    make_cnf:
        Clauses for a goal, within the time of a clock.
    make_diagram, threshold:
        The decision function in both forms, if it is a threshold function; the diagram then saves the solver most of
        its work. Its one class is the class of the goals.
    solver:
        One of `CADICAL`.
    """

    name = "sat"

    def __init__(
        self,
        make_cnf: MakeCnf,
        make_diagram: Callable[[Clock], _core.Diagram] | None = None,
        threshold: _core.Threshold | None = None,
        solver: str = "cadical195",
    ) -> None:
        super().__init__(make_cnf)
        if (make_diagram is None) != (threshold is None):
            raise ValueError("diagram and threshold come together")
        self._make_diagram = make_diagram
        self._weights = None if threshold is None else np.array(threshold.weight)
        #: Its name.
        self.solver = solver

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        """See `Search`. With an unknown version of PySAT's library, the portable search takes over, and
        `Explanation.engine` says so.
        """
        classifier, solver = question.classifier, options.solver or "cadical195"
        checked_choice(solver, "solver", tuple(CADICAL))
        if why_unavailable(solver) is not None:
            return PortableSearch.make(question, options)
        # With sums of weights, the diagram tells which changes a change set does not need.
        helper = classifier.threshold if options.assisted and question.relations is None else None
        make_cnf = sat_clauses(question, options.encoding, helped=helper is not None)
        help_of = None if helper is None else lambda clock: classifier.class_diagram(1, clock).core
        return cls(make_cnf, help_of, helper, solver)

    def over_steps(self, form: StepForm) -> SatSearch:
        return SatSearch(form.clauses, solver=self.solver)

    def _load(self, cnf: Cnf, goal: Goal, clock: Clock) -> _core.Mcs:
        make_solver = partial(fresh_cadical, self.solver)
        diagram = None if self._make_diagram is None else self._make_diagram(clock)
        return _core.Mcs(make_solver, cnf.literals, cnf.n_vars, len(cnf.variables.n_values), diagram, goal[1])

    def _instance(self, query: Query, clock: Clock) -> Instance:
        return Instance(query, self._clauses(query.goal, clock).variables, self._weights)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        instance = self._instance(query, clock)
        with self._borrow(query.goal, clock) as mcs:
            instance.open(mcs, query.max_changes)
            yield from drain(mcs.next, limit, clock, step)


class PortableSearch(Loaded[PortableMcs]):
    """MCS enumeration through PySAT's public interface.

    Parameters
    ----------
    make_cnf:
        Clauses for a goal, within the time of a clock.
    solver:
        Any solver that PySAT knows.
    """

    name = "sat-portable"

    def __init__(self, make_cnf: MakeCnf, solver: str = "cadical195") -> None:
        super().__init__(make_cnf)
        #: Its name.
        self.solver = solver

    @classmethod
    def make(cls, question: Question, options: Options) -> Search:
        solver, make_cnf = options.solver or "cadical195", sat_clauses(question, options.encoding)
        check_solver(solver)
        return cls(make_cnf, solver)

    def over_steps(self, form: StepForm) -> PortableSearch:
        return PortableSearch(form.clauses, self.solver)

    def _load(self, cnf: Cnf, goal: Goal, clock: Clock) -> PortableMcs:
        return PortableMcs(cnf.literals, cnf.n_vars, self.solver)

    def steps(self, query: Query, limit: int | None, clock: Clock, step: int = STEP) -> Iterator[Answer]:
        instance = self._instance(query, clock)
        keep, fixed, assumed = instance.keep.tolist(), instance.fixed_features, instance.assumed.tolist()
        with (
            self._borrow(query.goal, clock) as mcs,
            closing(mcs.enumerate(keep, fixed, query.max_changes, stop_at(clock), assumed)) as sets,
        ):
            yield from in_chunks(sets, limit, step)


def stop_at(clock: Clock) -> Stop:
    """Says when to stop: when time is up."""
    return lambda: "time" if clock.expired else None


def in_chunks(sets: Iterator[ChangeSet], limit: int | None, step: int) -> Iterator[Answer]:
    """A stream of sets as answers of at most `step` sets; the last one says how it ended."""
    chunk: list[ChangeSet] = []
    status, given = "complete", 0
    try:
        while given != limit:
            chunk.append(next(sets))
            given += 1
            if len(chunk) == step and given != limit:
                yield Answer(ChangeSets.of(chunk), "more")
                chunk = []
        status = "more"
    except StopIteration:
        pass
    except Stopped as stopped:
        status = stopped.reason
    yield Answer(ChangeSets.of(chunk), status)
