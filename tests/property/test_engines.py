"""All engines give the same change sets, and the oracle agrees."""

from itertools import product

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf

ENGINES = ["cover", "diagram", "sat", "sat-portable"]
ANY_FUNCTION = ["diagram", "sat", "sat-portable"]

# Coarse probabilities make equal weights, weights of zero and exact ties; fine ones make none.
COARSE = st.sampled_from([0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9])
FINE = st.floats(0.001, 0.999)
SURE = st.sampled_from([0.0, 0.3, 0.5])  # a value that class 1 or class 0 cannot take


@st.composite
def classifiers(draw, most=8):
    n = draw(st.integers(0, most))
    p = draw(st.sampled_from([COARSE, FINE]))
    p1 = draw(st.lists(p, min_size=n, max_size=n))
    p0 = draw(st.lists(p, min_size=n, max_size=n))
    return symcf.compile(
        symcf.NaiveBayes.binary(
            prior=draw(COARSE),
            p1=p1,
            p0=p0,
            threshold=draw(st.sampled_from([0.5, 0.2, 0.9])),
            tie=draw(st.sampled_from(["positive", "negative"])),
        )
    )


@st.composite
def certain_classifiers(draw):
    """Some features rule class 1 out when they are 1."""
    n = draw(st.integers(1, 6))
    p1 = draw(st.lists(SURE, min_size=n, max_size=n))
    p0 = draw(st.lists(COARSE, min_size=n, max_size=n))
    return symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=p1, p0=p0))


@st.composite
def questions(draw, classifier):
    """A classifier, an instance, constraints for symcf, and the same for the oracle."""
    c = draw(classifier)
    n = c.n_features
    x = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    features = st.integers(0, n - 1) if n else st.nothing()
    immutable = draw(st.sets(features, max_size=2)) if n else set()
    allowed = (
        draw(st.dictionaries(features, st.sampled_from(["increase", "decrease", (0,), (1,), (0, 1), ()]))) if n else {}
    )
    max_changes = draw(st.none() | st.integers(0, n))
    cost = draw(st.none() | st.lists(st.sampled_from([0.1, 0.2, 0.3, 1, 2.5]), min_size=n, max_size=n))
    constraints = {"immutable": immutable, "allowed": allowed, "max_changes": max_changes, "cost": cost}
    return c, x, constraints, {j: values_of(x[j], what) for j, what in allowed.items()} | dict.fromkeys(immutable, ())


def values_of(old, what):
    if what == "increase":
        return range(old + 1, 2)
    return range(old) if what == "decrease" else what


def decide(c):
    table = {x: int(c.predict([x], codes=True)[0]) for x in product([0, 1], repeat=c.n_features)}
    return table.__getitem__


@pytest.mark.parametrize("engine", ENGINES)
@given(data=st.data())
def test_an_engine_agrees_with_the_oracle(engine, data):
    c, x, constraints, allowed = data.draw(questions(st.one_of(classifiers(), certain_classifiers())))
    wanted = oracle.change_sets(decide(c), x, [2] * len(x), allowed, constraints["max_changes"])
    wanted = oracle.cheapest(wanted, constraints["cost"])
    explanation = c.explain(x, engine=engine, **constraints)
    assert explanation.sets == wanted
    assert explanation.complete
    for k in {1, 3, max(1, len(wanted))}:
        assert c.explain(x, engine=engine, k=k, **constraints).sets == wanted[:k]


@given(data=st.data())
def test_engines_agree_on_twelve_features(data):
    c, x, constraints, _ = data.draw(questions(classifiers(most=12)))
    answers = [c.explain(x, engine=engine, **constraints).sets for engine in ENGINES]
    assert answers[1:] == answers[:1] * 3


@given(data=st.data())
def test_counting_agrees_with_listing(data):
    c, x, constraints, _ = data.draw(questions(classifiers()))
    del constraints["cost"]
    listed = c.explain(x, **constraints).count
    assert c.count(x, engine="cover", **constraints) == listed
    assert c.count(x, engine="diagram", **constraints) == listed
    low, high = c.count_bounds(x, **constraints)
    assert low <= listed <= high


def random_classifier(rng, n):
    return symcf.compile(symcf.NaiveBayes.binary(prior=rng.uniform(0.2, 0.8), p1=rng.random(n), p0=rng.random(n)))


@pytest.mark.parametrize("n", [16, 18, 20, pytest.param(22, marks=pytest.mark.long)])
def test_engines_agree_with_pysat_on_larger_classifiers(n):
    from pysat.examples.lbx import LBX
    from pysat.examples.mcsls import MCSls

    rng = np.random.default_rng(n)
    c = random_classifier(rng, n)
    for x in rng.integers(0, 2, (2, n)):
        found = {engine: c.explain(x, engine=engine).sets for engine in ("cover", "diagram", "sat")}
        assert found["cover"] == found["diagram"] == found["sat"]
        for tool in (LBX, MCSls):
            assert set(found["cover"]) == set(enumerate_with(tool, c.wcnf(x, encoding="prime").to_pysat()))


def enumerate_with(tool, problem):
    """All MCSs, as the documentation of PySAT shows: each is blocked by the caller."""
    with tool(problem, use_cld=True, solver_name="g3") as mcsls:
        while (mcs := mcsls.compute()) is not None:
            mcsls.block(mcs)
            yield tuple(sorted(abs(problem.soft[i - 1][0]) - 1 for i in mcs))


@pytest.mark.parametrize("engine", ANY_FUNCTION)
@given(data=st.data())
def test_any_boolean_function(engine, data):
    n = data.draw(st.integers(0, 6))
    table = data.draw(st.lists(st.booleans(), min_size=2**n, max_size=2**n))
    c = symcf.compile(symcf.Diagram.from_table(table))
    x = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    value = {y: table[sum(bit << j for j, bit in enumerate(y))] for y in product([0, 1], repeat=n)}
    wanted = oracle.cheapest(oracle.change_sets(value.__getitem__, x, [2] * n))
    assert c.explain(x, engine=engine).sets == wanted
    assert c.explain(x, engine=engine, k=2).sets == wanted[:2]
    assert c.count(x, engine=engine) == len(wanted)


def test_cover_is_refused_for_what_is_no_threshold_function():
    xor = symcf.compile(symcf.Diagram.from_table([0, 1, 1, 0]))
    with pytest.raises(symcf.OptionError, match="adds up weights"):
        xor.explain([0, 0], engine="cover")


@pytest.mark.parametrize("encoding", ["no-cut", "node-cut", "aux-cut", "prime"])
def test_the_sat_engines_work_on_every_encoding(encoding):
    rng = np.random.default_rng(5)
    c = random_classifier(rng, 10)
    for x in rng.integers(0, 2, (6, 10)):
        wanted = c.explain(x).sets
        assert c.explain(x, engine="sat", encoding=encoding).sets == wanted
        assert c.explain(x, engine="sat-portable", encoding=encoding).sets == wanted
