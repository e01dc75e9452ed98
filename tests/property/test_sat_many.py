"""The SAT engines on features of any number of values: against the oracle, with everything a query may ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ManyValued, many_valued

import symcf
from symcf import _core
from symcf.common.clock import Clock
from symcf.question.case import Query
from symcf.search.sat import engine as sat
from symcf.system.cnf import Cnf, encode
from symcf.system.targets import Goal

ENCODINGS = ("no-cut", "node-cut", "aux-cut", "prime")
Engine = sat.SatSearch | sat.PortableSearch

needs_symbols = pytest.mark.skipif(sat.why_unavailable() is not None, reason=str(sat.why_unavailable()))


def maker(diagram: symcf.Diagram, encoding: str) -> Callable[[Goal], Cnf]:
    return lambda goal, clock: encode(diagram, encoding, negate=not goal[1], clock=clock)


def engines_of(function: ManyValued, encoding: str) -> Iterator[Engine]:
    """Every way to the sets."""
    make_cnf = maker(function.diagram, encoding)
    if sat.why_unavailable() is None:
        yield sat.SatSearch(make_cnf)
        if function.threshold is not None:
            yield sat.SatSearch(make_cnf, lambda clock: function.diagram.core, function.threshold)
    yield sat.PortableSearch(make_cnf, "minisat22")


@st.composite
def queries(draw: st.DrawFn, function: ManyValued) -> Query:
    n_values, n = function.n_values, function.n
    x = draw(st.tuples(*(st.integers(0, d - 1) for d in n_values)))
    masks = st.lists(st.sampled_from([0, 1, 1, 1]), min_size=sum(n_values), max_size=sum(n_values))
    mask = draw(st.none() | masks)
    cost = draw(st.none() | st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return Query(
        x=np.array(x, dtype=np.uint32),
        goal=(1, 1 - function.table[x]),
        mask=None if mask is None else np.array(mask, dtype=np.uint8),
        units=None if cost is None else np.array(cost, dtype=np.int64),
        max_changes=draw(st.none() | st.integers(0, n)),
    )


def expected(function: ManyValued, query: Query) -> list[tuple[int, ...]]:
    offset = np.concatenate([[0], np.cumsum(function.n_values)]).astype(int).tolist()
    allowed = None
    if query.mask is not None:
        allowed = {j: np.flatnonzero(query.mask[offset[j] : offset[j + 1]]).tolist() for j in range(function.n)}
    sets = oracle.change_sets(
        function.table.__getitem__, query.x.tolist(), function.n_values, allowed, query.max_changes, query.goal[1]
    )
    return oracle.cheapest(sets, None if query.units is None else query.weights())


def all_sets(engine: Engine, query: Query) -> list[tuple[int, ...]]:
    answers = list(engine.steps(query, None, Clock(None)))
    assert answers[-1].status == "complete"
    sets = [s for answer in answers for s in answer.sets]
    assert len(set(sets)) == len(sets)
    return sorted(sets)


@given(many_valued(max_n=5, max_indicators=11), st.sampled_from(ENCODINGS), st.data())
def test_sets_are_those_of_the_oracle(function: ManyValued, encoding: str, data: st.DataObject) -> None:
    engines = list(engines_of(function, encoding))
    for _ in range(3):  # on the same solvers: what one query forbids must not be forbidden to the next
        query = data.draw(queries(function))
        wanted = sorted(expected(function, query))
        for engine in engines:
            assert all_sets(engine, query) == wanted


@given(many_valued(max_n=5, max_indicators=11), st.sampled_from(ENCODINGS), st.integers(1, 6), st.data())
def test_cheapest_are_those_of_the_oracle(function: ManyValued, encoding: str, k: int, data: st.DataObject) -> None:
    query = data.draw(queries(function))
    wanted = expected(function, query)[:k]
    for engine in engines_of(function, encoding):
        answer = engine.best(query, k, Clock(None))
        assert (answer.sets, answer.status) == (wanted, "complete")


def random_function(n: int, d: int, seed: int) -> ManyValued:
    """A threshold function of n features with d values each and weights that are all different."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(-(2**30), 2**30, n * d).astype(np.int64)
    t = _core.Threshold.from_weights(np.arange(0, n * d + 1, d, dtype=np.uint32), weight, 0)
    return ManyValued(symcf.Diagram(_core.Diagram.compile(t, t.influence_order())), (d,) * n, {}, t)


def opposite(function: ManyValued, x: Sequence[int]) -> Query:
    assert function.threshold is not None
    row = np.array([x], dtype=np.uint32)
    return Query(row[0], (1, 1 - int(function.threshold.scores(row)[0] >= 0)), None, None, None)


@needs_symbols
@pytest.mark.parametrize(("n", "d"), [(12, 3), (9, 5), (5, 12), (3, 60)])
def test_engines_agree_with_covers_on_larger_functions(n: int, d: int) -> None:
    function = random_function(n, d, n)
    engines = list(engines_of(function, "aux-cut"))
    for x in np.random.default_rng(d).integers(0, d, (3, n)).tolist():
        query = opposite(function, x)
        cover, status = _core.Cover(function.threshold, query.core()).next(10**6)
        assert status == "complete"
        for engine in engines:
            assert all_sets(engine, query) == sorted(cover.to_list())


@needs_symbols
def test_with_the_diagram_features_of_many_values_cost_one_proof() -> None:
    function = random_function(12, 4, 1)
    cnf = encode(function.diagram, "aux-cut").with_zeros()
    assert function.threshold is not None
    mcs = _core.Mcs(sat.fresh_cadical, cnf.literals, cnf.n_vars, 12, function.diagram.core, 1)
    asked = 0
    for x in np.random.default_rng(0).integers(0, 4, (40, 12)).tolist():
        query = opposite(function, x)
        if query.goal[1] == 1:
            asked += 1
            instance = sat.Instance(query, cnf.variables, function.threshold.weight)
            instance.open(mcs, None)
            assert mcs.next(10**6)[1] == "complete"
    statistics = mcs.statistics
    assert asked > 10
    assert (statistics["solves"], statistics["models"]) == (asked, 0)


def test_diagram_and_threshold_come_together() -> None:
    function = random_function(3, 3, 0)
    with pytest.raises(ValueError, match="together"):
        sat.SatSearch(maker(function.diagram, "no-cut"), lambda clock: function.diagram.core)


@pytest.mark.parametrize("engine", ["sat", "sat-portable"])
def test_naive_bayes_of_many_values(engine: str) -> None:
    rng = np.random.default_rng(4)
    sizes = [3, 2, 4, 1, 5]
    tables = [[rng.dirichlet(np.ones(d)), rng.dirichlet(np.ones(d))] for d in sizes]
    c = symcf.compile(symcf.NaiveBayes([0.5, 0.5], tables))
    for x in rng.integers(0, sizes, (10, 5)).tolist():
        asked = {"immutable": [1], "allowed": {2: [0, 3], 4: "increase"}}
        assert c.explain(x, engine=engine, **asked).sets == c.explain(x, engine="cover", **asked).sets
        assert c.explain(x, engine=engine, k=2).sets == c.explain(x, engine="diagram", k=2).sets
