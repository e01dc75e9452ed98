"""Engines ``sat`` and ``sat-portable``: against the oracle, against PySAT's own enumerators, under limits, misused."""

from __future__ import annotations

import _thread
import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from interrupts import interrupted
from pysat.examples.lbx import LBX
from pysat.examples.mcsls import MCSls
from pysat.formula import WCNF
from pysat.solvers import Solver
from strategies import LONGER, Classifier, classifiers, random_classifier

import symcf
from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import InternalError, LimitError, OptionError
from symcf.question.case import Query
from symcf.search.sat import engine as sat
from symcf.search.sat import portable as sat_portable
from symcf.search.sat.portable import PortableMcs
from symcf.system.cnf import ENCODINGS, Cnf
from symcf.system.targets import Goal
from symcf.system.variables import Variables

SOLVERS = ("cadical103", "cadical153", "cadical195", "glucose4", "maplechrono", "mergesat3", "minisat22")

pytestmark = pytest.mark.filterwarnings("error")

needs_symbols = pytest.mark.skipif(sat.why_unavailable() is not None, reason=str(sat.why_unavailable()))


# --- what is compared -------------------------------------------------------------------------------------------------


def query_of(
    x: Sequence[int],
    target: int,
    fixed: Sequence[int] = (),
    cost: Sequence[int] | None = None,
    max_changes: int | None = None,
) -> Query:
    mask = np.ones((len(x), 2), dtype=np.uint8)
    mask[list(fixed)] = 0
    units = None if cost is None else np.array(cost, dtype=np.int64)
    return Query(np.array(x, dtype=np.uint32), (1, target), mask.reshape(-1), units, max_changes)


def all_sets(engine: sat.SatSearch | sat.PortableSearch, query: Query) -> list[tuple[int, ...]]:
    answers = list(engine.steps(query, None, Clock(None)))
    assert answers[-1].status == "complete"
    sets = [s for answer in answers for s in answer.sets]
    assert len(set(sets)) == len(sets)
    return sorted(sets)


def maker(c: symcf.Compiled, encoding: str) -> Callable[[Goal], Cnf]:
    return lambda goal, clock: c.cnf(encoding, negate=not goal[1])


def keep_literals(x: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """For each binary feature the literal "it is as it was"."""
    return Variables([2] * len(np.asarray(x))).keep(x)


def engines_of(c: symcf.Compiled, encoding: str) -> Iterator[sat.SatSearch | sat.PortableSearch]:
    """Every way to the sets."""

    make_cnf = maker(c, encoding)
    if sat.why_unavailable() is None:
        yield sat.SatSearch(make_cnf, lambda clock: c.diagram.core, c.threshold)
        yield sat.SatSearch(make_cnf)
        yield sat.SatSearch(make_cnf, solver="cadical153")
    yield sat.PortableSearch(make_cnf, "minisat22")


def expected(c: symcf.Compiled, query: Query, fixed: Sequence[int]) -> list[tuple[int, ...]]:
    def decide(x: oracle.Input) -> int:
        return int(c.predict(np.array([x], dtype=np.uint32).reshape(1, -1), codes=True)[0])

    x = query.x.tolist()
    return sorted(
        oracle.change_sets(
            decide, x, [2] * len(x), dict.fromkeys(fixed, ()), max_changes=query.max_changes, target=query.goal[1]
        )
    )


def wcnf_of(cnf: Cnf, x: Sequence[int]) -> WCNF:
    formula = WCNF()
    formula.extend([list(clause) for clause in cnf.clauses()])
    for j, value in enumerate(x):
        formula.append([j + 1 if value else -(j + 1)], weight=1)
    return formula


# --- the answer -------------------------------------------------------------------------------------------------------


@given(classifiers(max_n=6, certain=False), st.sampled_from(ENCODINGS), st.data())
def test_sets_are_those_of_the_oracle(classifier: Classifier, encoding: str, data: st.DataObject) -> None:
    n = classifier.n
    c = classifier.compiled(data.draw(st.permutations(range(n))))
    engines = list(engines_of(c, encoding))
    for _ in range(3):
        x = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
        fixed = data.draw(st.lists(st.integers(0, n - 1), unique=True)) if n else []
        target = 1 - int(c.predict(np.array([x], dtype=np.uint32).reshape(1, n), codes=True)[0])
        query = query_of(x, target, fixed, max_changes=data.draw(st.none() | st.integers(0, n)))
        for engine in engines:
            assert all_sets(engine, query) == expected(c, query, fixed)


@needs_symbols
def test_every_function_of_three_features() -> None:
    """Without a diagram's help any function will do, not only threshold functions; and some need no change."""
    for code in range(256):
        table = np.array([code], dtype=np.uint8)
        diagram = _core.Bdd.from_table(3, table).freeze()
        clauses = _core.Clauses.nodes(diagram)
        mcs = _core.Mcs(sat.fresh_cadical, clauses.literals, clauses.n_vars, 3)
        portable = PortableMcs(clauses.literals, clauses.n_vars, "minisat22")
        for i, x in enumerate(oracle.inputs([2] * 3)):
            keep = keep_literals(np.array(x, dtype=np.uint32))
            wanted = [()] if decision(code, x) else oracle.change_sets(partial(decision, code), x, [2] * 3)
            mcs.open(keep, np.zeros(3, dtype=np.uint8))
            sets, status = mcs.next(100)
            assert (sorted(sets.to_list()), status) == (sorted(wanted), "complete"), (code, i)
            if code % 16 == i:
                assert sorted(portable.enumerate(keep.tolist())) == sorted(wanted)


def decision(code: int, x: Sequence[int]) -> int:
    return code >> sum(value << j for j, value in enumerate(x)) & 1


@needs_symbols
@pytest.mark.parametrize(("n", "seed"), [(10, 1), (14, 2), (17, 3), (20, 4)])
def test_sets_are_those_of_pysat(n: int, seed: int) -> None:
    c = random_classifier(n, seed).compiled()
    engine = sat.SatSearch(maker(c, "aux-cut"), lambda clock: c.diagram.core, c.threshold)
    portable = sat.PortableSearch(maker(c, "prime"))
    rows = np.random.default_rng(seed).integers(0, 2, (4 if n < 20 else 2, n)).astype(np.uint32)
    for x, prediction in zip(rows, c.predict(rows, codes=True), strict=True):
        query = query_of(x.tolist(), 1 - int(prediction))
        formula = wcnf_of(c.cnf("no-cut", negate=bool(prediction)), x.tolist())
        for peer in (LBX(formula, use_cld=True, solver_name="g3"), MCSls(formula, use_cld=True, solver_name="g3")):
            theirs = []
            for mcs in peer.enumerate():
                peer.block(mcs)
                theirs.append(tuple(sorted(j - 1 for j in mcs)))
            peer.delete()
            assert all_sets(engine, query) == sorted(theirs)
        assert all_sets(portable, query) == sorted(theirs)


@needs_symbols
def test_rotation_leaves_the_proof_to_the_solver() -> None:
    """In the order of what changes are worth the diagram finds all sets; in another order the solver finds the rest."""
    for order in ("worth", "features"):
        c = random_classifier(16, 5).compiled("natural")
        cnf = c.cnf("aux-cut")
        mcs = _core.Mcs(sat.fresh_cadical, cnf.literals, cnf.n_vars, 16, c.diagram.core, 1)
        rows = np.random.default_rng(0).integers(0, 2, (50, 16)).astype(np.uint32)
        for x in rows[c.predict(rows, codes=True) == 0]:
            instance = sat.Instance(query_of(x.tolist(), 1), cnf.variables, c.threshold.weight)
            if order == "features":
                instance.order = np.arange(16, dtype=np.uint32)
            instance.open(mcs, None)
            assert mcs.next(10**6)[1] == "complete"
        statistics = mcs.statistics
        assert statistics["solves"] == statistics["instances"] + statistics["models"]
        assert (statistics["models"] == 0) == (order == "worth")


@pytest.mark.parametrize("name", SOLVERS)
def test_portable_engine_on_any_solver(name: str) -> None:
    c = random_classifier(9, 8).compiled()
    engine = sat.PortableSearch(maker(c, "no-cut"), name)
    for x in np.random.default_rng(1).integers(0, 2, (5, 9)).tolist():
        target = 1 - int(c.predict(np.array([x]), codes=True)[0])
        for fixed, max_changes in (((), None), ((0, 4), None), ((), 2)):
            query = query_of(x, target, fixed, max_changes=max_changes)
            assert all_sets(engine, query) == expected(c, query, fixed)


@pytest.mark.parametrize(("name", "reason"), [("lingeling", "once"), ("kissat404", "once"), ("no such", "has no")])
def test_solvers_that_would_end_the_process_are_refused(name: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        PortableMcs(np.array([1, 0], dtype=np.int32), 1, name)


@given(classifiers(max_n=6, certain=False), st.data())
def test_cheapest_are_those_of_the_oracle(classifier: Classifier, data: st.DataObject) -> None:
    n = classifier.n
    c = classifier.compiled()
    x = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    cost = data.draw(st.none() | st.lists(st.integers(1, 4), min_size=n, max_size=n))
    fixed = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=2)) if n else []
    k = data.draw(st.integers(1, 6))
    target = 1 - int(c.predict(np.array([x], dtype=np.uint32).reshape(1, n), codes=True)[0])
    query = query_of(x, target, fixed, cost, data.draw(st.none() | st.integers(0, n)))
    engine = sat.PortableSearch(maker(c, "node-cut"))
    answer = engine.best(query, k, Clock(None))
    assert answer.sets == oracle.cheapest(expected(c, query, fixed), cost)[:k]
    assert answer.status == "complete"


# --- cursors and limits -----------------------------------------------------------------------------------------------


@needs_symbols
@pytest.mark.parametrize("helped", [True, False])
def test_one_at_a_time(helped: bool) -> None:
    c, query = hard_question(14)
    help_ = (lambda clock: c.diagram.core, c.threshold) if helped else (None, None)
    engine = sat.SatSearch(maker(c, "aux-cut"), *help_)
    whole = all_sets(engine, query)
    answers = list(engine.steps(query, None, Clock(None), step=1))
    assert sorted(answer.sets[0] for answer in answers if answer.sets) == whole
    assert [answer.status for answer in answers] == ["more"] * (len(answers) - 1) + ["complete"]
    some = list(engine.steps(query, 3, Clock(None)))
    assert [(len(answer.sets), answer.status) for answer in some] == [(3, "more")]


@pytest.mark.parametrize("portable", [True, pytest.param(False, marks=needs_symbols)])
def test_cursors_do_not_disturb_each_other(portable: bool) -> None:
    c, query = hard_question(12)
    make_cnf = maker(c, "aux-cut")
    engine = (
        sat.PortableSearch(make_cnf) if portable else sat.SatSearch(make_cnf, lambda clock: c.diagram.core, c.threshold)
    )
    whole = all_sets(engine, query)
    one, two = engine.steps(query, None, Clock(None), step=1), engine.steps(query, None, Clock(None), step=1)
    started = [answer.sets for answer in islice(one, 2)] + [answer.sets for answer in islice(two, 1)]
    assert all_sets(engine, query) == whole
    rest_one, rest_two = [a.sets for a in one], [a.sets for a in two]
    assert sorted(s for sets in started[:2] + rest_one for s in sets) == whole
    assert sorted(s for sets in started[2:] + rest_two for s in sets) == whole


@needs_symbols
def test_thousands_of_instances_on_one_engine() -> None:
    """Past a thousand instances the solver is replaced; nobody notices."""
    c = random_classifier(6, 3).compiled()
    engine = sat.SatSearch(maker(c, "no-cut"))
    first: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    rows = np.random.default_rng(0).integers(0, 2, (5000, 6))
    for x, prediction in zip(rows.tolist(), c.predict(rows, codes=True).tolist(), strict=True):
        bound = None if x[0] else 1 + sum(x) % 3
        sets = all_sets(engine, query_of(x, 1 - prediction, max_changes=bound))
        assert first.setdefault(tuple(x), sets) == sets


def test_portable_engine_survives_reloading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat_portable, "WORN", 20)
    c, query = hard_question(10)
    engine = sat.PortableSearch(maker(c, "no-cut"))
    assert all_sets(engine, query) == all_sets(engine, query) == expected(c, query, ())


def hard_question(n: int) -> tuple[symcf.Compiled, Query]:
    """An instance with many change sets: far from the threshold, with weights that are much alike."""
    rng = np.random.default_rng(n)
    p1 = rng.uniform(0.55, 0.65, n)
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=p1.tolist(), p0=(1 - p1).tolist()))
    return c, query_of([0] * n, 1)


def slow(n: int = 24) -> tuple[_core.Mcs, Cnf]:
    """An engine that will not finish within seconds: its solver has to find hundreds of thousands of sets."""
    c, query = hard_question(n)
    cnf = c.cnf("aux-cut")
    mcs = _core.Mcs(sat.fresh_cadical, cnf.literals, cnf.n_vars, n)
    mcs.open(keep_literals(query.x), np.zeros(n, dtype=np.uint8))
    return mcs, cnf


@needs_symbols
def test_time_limit() -> None:
    mcs, _ = slow()
    found = 0
    for again, seconds in enumerate((0.2, 0.2, *LONGER)):
        sets, status = mcs.next(10**9, seconds)
        assert status == "time"
        found += len(sets)
        if found and again >= 2:
            break
    assert found


@needs_symbols
def test_time_limit_within_one_solve() -> None:
    """The pigeons' proof takes hours; there is nothing between its beginning and its end but the solver."""
    literals, n_vars = pigeons(14)
    mcs = _core.Mcs(sat.fresh_cadical, literals, n_vars, 1)
    mcs.open(np.array([1], dtype=np.int32), np.zeros(1, dtype=np.uint8))
    for _ in range(2):
        sets, status = mcs.next(10**9, 0.3)
        assert (len(sets), status) == (0, "time")


def pigeons(n: int) -> tuple[npt.NDArray[np.int32], int]:
    """n pigeons do not fit into n - 1 holes, but that is hard to prove."""
    holes = n - 1
    clauses = [[p * holes + h + 1 for h in range(holes)] for p in range(n)]
    clauses += [[-(p * holes + h + 1), -(q * holes + h + 1)] for h in range(holes) for p in range(n) for q in range(p)]
    return np.array([literal for clause in clauses for literal in [*clause, 0]], dtype=np.int32), n * holes


@needs_symbols
def test_ctrl_c_leaves_the_engine_usable() -> None:
    literals, n_vars = pigeons(14)
    stuck = _core.Mcs(sat.fresh_cadical, literals, n_vars, 1)
    stuck.open(np.array([1], dtype=np.int32), np.zeros(1, dtype=np.uint8))
    busy, _ = slow()
    for mcs in (stuck, busy, stuck):
        interrupted(partial(mcs.next, 10**9))
    assert len(busy.next(5)[0]) == 5


@pytest.mark.parametrize("name", ["cadical195", "glucose4"])
def test_ctrl_c_and_time_limit_of_the_portable_engine(name: str) -> None:
    c, query = hard_question(20)
    engine = sat.PortableSearch(maker(c, "aux-cut"), name)
    before = signal.getsignal(signal.SIGINT)
    for _ in range(2):
        interrupted(lambda: list(engine.steps(query, None, Clock(None))))
    assert signal.getsignal(signal.SIGINT) is before
    assert list(engine.steps(query, None, Clock(0.2)))[-1].status == "time"
    assert len(next(engine.steps(query, 5, Clock(None))).sets) == 5
    with pytest.raises(LimitError, match="at least"):
        engine.count(query, Clock(0.1))


def test_ctrl_c_and_time_limit_of_maxsat() -> None:
    c, query = hard_question(22)
    engine = sat.PortableSearch(maker(c, "aux-cut"))
    assert engine.best(query, 10**6, Clock(0.3)).status == "time"
    interrupted(lambda: engine.best(query, 10**6, Clock(None)))


@needs_symbols
def test_one_thread_at_a_time() -> None:
    mcs, _ = slow()
    enough = threading.Event()

    def work() -> None:
        while not enough.is_set():
            with suppress(RuntimeError):  # when the other thread was first
                mcs.next(10**9, 0.5)

    def refused(call: Callable[[], object]) -> bool:
        """Raises the call an error while the other thread is at work, which takes a while on a busy machine?"""
        for _ in range(1000):
            try:
                call()
            except RuntimeError as error:
                return "another thread" in str(error)
            time.sleep(0.01)
        return False

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert refused(lambda: mcs.next(1))
        assert refused(lambda: mcs.open(np.arange(1, 25, dtype=np.int32), np.zeros(24, dtype=np.uint8)))
    finally:
        enough.set()
        thread.join()
    assert mcs.next(1)[1] == "more"


# --- Ctrl-C while a solver is deleted: in a finalizer it would be lost ------------------------------------------------


@needs_symbols
def test_an_interrupt_that_arrives_while_a_solver_is_deleted_is_not_lost() -> None:
    def made() -> tuple[Any, Any, str, str]:
        _, *others = sat.fresh_cadical()
        return (_thread.interrupt_main, *others)  # what deletes it is in C, as PySAT's is, and a Ctrl-C comes meanwhile

    held = [_core.Mcs(made, np.array([1, 0], dtype=np.int32), 1, 1)]
    assert ask(held[0], [-1]) == [(0,)]
    with pytest.raises(KeyboardInterrupt):
        held.clear()


def test_solvers_in_a_cycle_are_deleted_once() -> None:
    """The collector runs the finalizers of a solver and of its owner in any order."""
    for _ in range(200):
        owner = PortableMcs(np.array([1, 2, 0], dtype=np.int32), 2, "minisat22")
        assert sorted(owner.enumerate(keep=[-1, -2])) == [(0,), (1,)]
        owner.cycle = [owner]
    gc.collect()


# --- the wall ---------------------------------------------------------------------------------------------------------


def engine_on(literals: Sequence[int], n_vars: int, n: int) -> _core.Mcs:
    return _core.Mcs(sat.fresh_cadical, np.array(literals, dtype=np.int32), n_vars, n)


def ask(mcs: _core.Mcs, keep: Sequence[int]) -> list[tuple[int, ...]]:
    mcs.open(np.array(keep, dtype=np.int32), np.zeros(len(keep), dtype=np.uint8))
    return sorted(mcs.next(100)[0].to_list())


def ask_all(mcs: _core.Mcs, n: int) -> None:
    for row in oracle.inputs([2] * n):
        x = np.array(row, dtype=np.uint32)
        mcs.open(
            keep_literals(x),
            np.zeros(n, dtype=np.uint8),
            codes=np.column_stack([x, 1 - x]),
            order=np.arange(n, dtype=np.uint32),
        )
        mcs.next(100)


@needs_symbols
@pytest.mark.parametrize(
    ("literals", "n_vars", "n"),
    [
        ([1, 3, 0], 2, 2),  # a variable that is not there
        ([1, -(2**31), 0], 2, 2),  # a literal whose negation does not exist
        ([1, 2], 2, 2),  # an open clause
        ([1, 0], 1, 2),  # fewer variables than features
        ([], -1, 0),
        ([], 2**31 - 1, 0),  # no room for an activation variable
    ],
)
def test_malformed_clauses_are_refused(literals: list[int], n_vars: int, n: int) -> None:
    with pytest.raises(ValueError, match="invalid argument"):
        ask(engine_on(literals, n_vars, n), [j + 1 for j in range(n)])


@needs_symbols
@pytest.mark.parametrize("keep", [[0, 2], [1, 3], [1, -3], [1, -(2**31)], [1, 2**31 - 1]])
def test_malformed_instances_are_refused(keep: list[int]) -> None:
    mcs = engine_on([1, 2, 0], 2, 2)
    with pytest.raises(ValueError, match="invalid argument"):
        ask(mcs, keep)
    with pytest.raises(ValueError, match="does not fit"):
        ask(mcs, [1])
    assert ask(mcs, [-1, -2]) == [(0,), (1,)]


@needs_symbols
def test_no_instance_no_sets() -> None:
    with pytest.raises(RuntimeError, match="no instance"):
        engine_on([1, 0], 1, 1).next(1)


@needs_symbols
def test_no_features() -> None:
    assert ask(engine_on([], 0, 0), []) == [()]
    assert ask(engine_on([0], 0, 0), []) == []
    assert list(PortableMcs(np.array([], dtype=np.int32), 0).enumerate([])) == [()]
    assert list(PortableMcs(np.array([0], dtype=np.int32), 0).enumerate([])) == []


@needs_symbols
def test_features_may_own_several_variables() -> None:
    """Feature 0 has three values, variables 1 and 2 say which; variable 4 says that it keeps its own."""
    # not both 1 and 2; 4 means neither; wanted: value 2 of feature 0, or feature 1 (variable 3)
    literals = [-1, -2, 0, -4, -1, 0, -4, -2, 0, 2, 3, 0]
    assert ask(engine_on(literals, 4, 2), [4, -3]) == [(0,), (1,)]


@needs_symbols
def test_other_libraries_are_refused() -> None:
    delete, capsule, path, space = sat.fresh_cadical()
    kept = [object, capsule]  # the engine deletes nothing here
    for wrong_path, wrong_space, reason in (
        ("/nowhere/libpysolvers.so", space, "not loaded"),
        (path, "CaDiCaL194", "does not export"),
        (path, "CaDiCaL" + "9" * 200, "does not export"),
    ):
        mcs = _core.Mcs(lambda p=wrong_path, s=wrong_space: (*kept, p, s), np.zeros(0, dtype=np.int32), 0, 0)
        mcs.open(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8))
        with pytest.raises(NotImplementedError, match=reason):
            mcs.next(1)
    delete()
    used = Solver(name="cadical195", bootstrap_with=[[1, 2]])
    mcs = _core.Mcs(lambda: (object, used.solver.cadical, path, space), np.zeros(0, dtype=np.int32), 0, 0)
    mcs.open(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8))
    with pytest.raises(NotImplementedError, match="not fresh"):
        mcs.next(1)
    used.delete()


def test_unavailability_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sat.CADICAL, "cadical195", "CaDiCaL000")
    sat.why_unavailable.cache_clear()
    assert "does not export" in str(sat.why_unavailable())
    assert "no such solver" in str(sat.why_unavailable("no such solver"))
    sat.why_unavailable.cache_clear()


@needs_symbols
def test_clauses_and_diagram_must_agree() -> None:
    c = random_classifier(5, 1).compiled("natural")
    literals = np.array([1, 0], dtype=np.int32)
    mcs = _core.Mcs(sat.fresh_cadical, literals, 5, 5, c.diagram.core, 1)
    with pytest.raises(InternalError):
        ask_all(mcs, 5)
    wrong = _core.Mcs(sat.fresh_cadical, literals, 4, 4, c.diagram.core, 1)
    with pytest.raises(ValueError, match="invalid argument"):
        ask_all(wrong, 4)


@needs_symbols
def test_codes_must_fit_the_diagram() -> None:
    c = random_classifier(3, 1).compiled()
    cnf = c.cnf()
    mcs = _core.Mcs(sat.fresh_cadical, cnf.literals, cnf.n_vars, 3, c.diagram.core, 1)
    keep, fixed = keep_literals([0, 0, 0]), np.zeros(3, dtype=np.uint8)
    codes, order = np.array([[0, 1]] * 3, dtype=np.uint32), np.arange(3, dtype=np.uint32)
    for wrong in (None, codes[:, :1].copy(), codes[:2]):
        with pytest.raises(ValueError, match="codes do not fit"):
            mcs.open(keep, fixed, codes=wrong, order=order)
    for wrong in (None, order[:2]):
        with pytest.raises(ValueError, match="order does not fit"):
            mcs.open(keep, fixed, codes=codes, order=wrong)
    for assumed, theirs, listed in (
        ([], 2 * codes, order),  # a value that is not there
        ([], codes, 2 * order),  # no permutation
        ([], codes, 0 * order),
        ([4], codes, order),  # a variable that is not there
    ):
        mcs.open(keep, fixed, None, np.array(assumed, dtype=np.int32), theirs, listed)
        with pytest.raises(ValueError, match="invalid argument"):
            mcs.next(1)
    mcs.open(keep, fixed, None, None, codes, order)
    mcs.next(1)


def test_encoding_is_chosen_by_size() -> None:
    assert sat.choose_encoding(True, 10) == sat.choose_encoding(False, 10**7) == "aux-cut"
    assert sat.choose_encoding(False, 10) == "prime"
    assert sat.choose_encoding(False, 10, binary=False) == "aux-cut"


def test_the_clock_is_looked_at_before_every_call_however_short():
    """Thousands of short calls went on for 25 s after a limit of 0.3 s."""
    from symcf.search.sat.solvers import Caller, Stopped

    called = []
    caller = Caller()
    with pytest.raises(Stopped):
        caller(lambda: called.append(1), stop=lambda: "time", interrupt=lambda: None)
    caller.close()
    assert not called


def test_without_the_symbols_of_cadical_the_portable_engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown build of PySAT: `sat` falls back, the sets stay the same, and the explanation names the engine."""
    model = random_classifier(6, 11).model()
    row = [0, 1, 0, 1, 1, 0]
    expected = symcf.compile(model).explain(row, engine="cover").sets
    for solver in sat.CADICAL:
        monkeypatch.setitem(sat.CADICAL, solver, "CaDiCaL000")
    sat.why_unavailable.cache_clear()
    try:
        c = symcf.compile(model)
        e = c.explain(row, engine="sat")
        assert (e.engine, e.sets) == ("sat-portable", expected)
        assert c.explain(row, engine="sat", solver="cadical153").sets == expected
        batch = symcf.fast.explain_batch(c, [row, row], engine="sat")
        assert [one.sets for one in batch] == [expected, expected]
    finally:
        monkeypatch.undo()
        sat.why_unavailable.cache_clear()
