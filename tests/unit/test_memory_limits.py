"""``max_memory`` bounds what a call takes: the peak of the process, measured in a child (bench/limits_memory.py)."""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import symcf
import symcf.fast
from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.common.memory import stepwise

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
    pytest.mark.slow,
]

MEGABYTE = 1 << 20
LIMIT = 16 * MEGABYTE


@functools.cache
def probe():
    path = Path(__file__).parents[2] / "bench" / "limits_memory.py"
    spec = importlib.util.spec_from_file_location("limits_memory", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["limits_memory"] = module
    spec.loader.exec_module(module)
    return module


def bayes(n=40):
    """Hundreds of millions of change sets of the row of zeros, and a diagram of gigabytes."""
    middle = np.random.default_rng(1).random(n) * 0.4 + 0.3
    return symcf.NaiveBayes.binary(prior=0.2, p1=middle + 0.2, p0=middle - 0.2)


def small_bayes():
    """A diagram of a few megabytes, and tens of thousands of change sets."""
    return bayes(20)


@functools.cache
def boosted(seed=0):
    from sklearn.datasets import make_classification
    from sklearn.ensemble import GradientBoostingClassifier

    rows, labels = make_classification(300, 10, n_informative=8, random_state=seed)
    fitted = GradientBoostingClassifier(n_estimators=40, max_depth=4, random_state=seed).fit(rows, labels)
    return symcf.from_model(fitted, rows), rows[0].tolist()


def held(prepare, call, seconds=100.0):
    """How the call ended; it must not have grown too large."""
    measured = probe().measure(prepare, call, seconds)
    assert measured.growth <= probe().allowance(LIMIT), measured
    return measured


ZEROS = [0] * 40
TOO_MUCH = ("LimitError", "CompileLimitError")
CALLS = {
    "explain": lambda c: c.explain(ZEROS, max_memory=LIMIT),
    "diagram": lambda c: c.explain(ZEROS, engine="diagram", max_memory=LIMIT),
    "sat": lambda c: c.explain(ZEROS, engine="sat", max_memory=LIMIT),
    "sat-portable": lambda c: c.explain(ZEROS, engine="sat-portable", max_memory=LIMIT),
    "moves": lambda c: c.explain(ZEROS, minimality="moves", max_memory=LIMIT),
    "why": lambda c: c.why(ZEROS, max_memory=LIMIT),
    "why, diagram": lambda c: c.why(ZEROS, engine="diagram", max_memory=LIMIT),
    "batch": lambda c: symcf.fast.explain_batch(c, [ZEROS] * 3, max_memory=LIMIT),
    "batch, diagram": lambda c: symcf.fast.explain_batch(c, [ZEROS] * 3, engine="diagram", max_memory=LIMIT),
    "batch, 2 threads": lambda c: symcf.fast.explain_batch(c, [ZEROS] * 300, n_jobs=2, max_memory=LIMIT),
    "batch, relation": lambda c: symcf.fast.explain_batch(c, [ZEROS], constraints=["x0=1 -> x1=1"], max_memory=LIMIT),
    "batch of reasons": lambda c: symcf.fast.why_batch(c, [ZEROS] * 3, max_memory=LIMIT),
    "attribute": lambda c: c.attribute(ZEROS, max_memory=LIMIT),
    "shapley": lambda c: c.attribute(ZEROS, "shapley", max_memory=LIMIT),
    "shapley of a batch": lambda c: symcf.fast.attribute_batch(c, [ZEROS], "shapley", max_memory=LIMIT),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CALLS)
def test_max_memory_of_a_call(name):
    measured = held(lambda: symcf.compile(bayes()), CALLS[name])
    assert measured.status in TOO_MUCH
    assert "max_memory" in measured.message


LIMITED = {
    "diagram": lambda c: c.diagram,
    "count": lambda c: c.count(ZEROS),
    "sample": lambda c: c.sample(ZEROS, 10),
    "cnf": lambda c: c.cnf("aux-cut"),
    "wcnf": lambda c: c.wcnf(ZEROS),
    "count_why": lambda c: c.count_why(ZEROS, engine="diagram"),
    "sample_why": lambda c: c.sample_why(ZEROS, 10),
    "is_class": lambda c: c.is_class(1).count_models(),
    "a stream, diagram": lambda c: list(c.iter_counterfactuals(ZEROS, engine="diagram")),
    "a stream, solver": lambda c: list(c.iter_counterfactuals(ZEROS, engine="sat")),
}


@pytest.mark.long
@pytest.mark.parametrize("name", LIMITED)
def test_max_memory_of_compile(name):
    measured = held(lambda: symcf.compile(bayes(), max_memory=LIMIT), LIMITED[name])
    assert measured.status in TOO_MUCH
    assert "max_memory" in measured.message


@pytest.mark.long
@pytest.mark.parametrize("engine", ["sat", "sat-portable"])
@pytest.mark.parametrize("k", [None, 3])
def test_a_solver_within_max_memory(engine, k):
    """The diagram is there: what grows is clauses, solver and results."""

    def prepare():
        import pysat.examples.rc2
        import pysat.solvers  # noqa: F401

        c = symcf.compile(small_bayes())
        _ = c.diagram
        return c

    held(prepare, lambda c: c.explain([0] * 20, engine=engine, k=k, max_memory=LIMIT, max_results=2000))


@pytest.mark.long
@pytest.mark.parametrize("name", ["explain", "k", "why", "shapley", "moves"])
def test_trees_within_max_memory(name):
    calls = {
        "explain": lambda c, x: c.explain(x, max_memory=LIMIT, time_limit=2),
        "k": lambda c, x: c.explain(x, k=3, max_memory=LIMIT, time_limit=2),
        "why": lambda c, x: c.why(x, max_memory=LIMIT, time_limit=2),
        "moves": lambda c, x: c.explain(x, minimality="moves", max_memory=LIMIT, time_limit=2),
        "shapley": lambda c, x: c.attribute(x, "shapley", max_memory=LIMIT),
    }
    model, x = boosted()
    measured = held(lambda: symcf.compile(model), lambda c: calls[name](c, x))
    assert (measured.status in TOO_MUCH) == (name == "shapley")


def test_two_classifiers_at_once_within_max_memory():
    (one, x), (other, _) = boosted(0), boosted(1)

    def both():
        return symcf.compile(one, max_memory=LIMIT), symcf.compile(other, max_memory=LIMIT)

    measured = held(both, lambda c: (c[0].is_class(1) & c[1].is_class(1)).explain(x, max_memory=LIMIT))
    assert measured.status in TOO_MUCH
    assert "max_memory" in measured.message


@pytest.mark.long
def test_streams_charge_each_step():
    """What an item leaves behind for the next counts."""
    singles = [(j,) for j in range(200_000)]
    seen = []

    def steps():
        left = []
        for n in range(10):
            left.append(_core.Sets.from_list(singles))
            yield n

    def read(most):
        seen[:] = []
        seen.extend(stepwise(most, NO_LIMIT, steps))

    with pytest.raises(symcf.LimitError, match="memory limit reached"):
        read(1)
    read(0)
    assert seen == list(range(10))


def test_functions_that_are_combined_take_less_memory_than_a_classifier_by_default():
    (one, _), (other, _) = boosted(0), boosted(1)
    most = {}
    for a, b in ((None, None), (LIMIT, None), (None, LIMIT), (LIMIT, 2 * LIMIT)):
        c, d = (
            symcf.compile(model, **({} if own is None else {"max_memory": own}))
            for model, own in ((one, a), (other, b))
        )
        most[a, b] = [made.limits.max_memory for made in (c & d, c | d, c ^ d)]
        assert (~c).limits.max_memory == c.limits.max_memory
    assert most == {
        (None, None): [1 << 30] * 3,
        (LIMIT, None): [LIMIT] * 3,
        (None, LIMIT): [LIMIT] * 3,
        (LIMIT, 2 * LIMIT): [LIMIT] * 3,
    }


def test_combining_within_the_memory_of_the_result():
    """The budget was that of the first function, whatever the second one allowed."""
    c = symcf.compile(bayes(16), order="natural")
    d = symcf.compile(bayes(16), order=list(range(15, -1, -1)), max_memory=1 << 16)
    _ = c.diagram
    with pytest.raises(symcf.LimitError, match="memory"):
        (c ^ d).count_models()


@pytest.mark.long
def test_rows_of_a_function_are_found_a_few_at_a_time():
    c = symcf.compile(bayes(20))
    rows = c.models()
    measured = probe().measure(lambda: rows, lambda rows: rows.codes(0, 400_000).nbytes)
    assert measured.growth < 3 * 400_000 * 20 * 8


@pytest.mark.parametrize("name", ["explain", "explain_batch"])
def test_labels_are_combined_within_max_memory(name):
    def prepare():
        return symcf.MultiLabel({"a": bayes(), "b": bayes()})

    def call(labels):
        return getattr(labels, name)(
            ZEROS if name == "explain" else [ZEROS], target={"a": 1, "b": 1}, max_memory=LIMIT, time_limit=60
        )

    measured = held(prepare, call)
    assert measured.status in TOO_MUCH
    assert "max_memory" in measured.message


def test_a_call_works_after_another_ran_out_of_memory():
    expected = symcf.compile(bayes(10)).explain([0] * 10, engine="cover").sets
    for engine in ("diagram", "sat", "sat-portable", "cover"):
        c = symcf.compile(bayes(10))
        with pytest.raises(symcf.LimitError, match="max_memory"):
            _core.Budget(1000).run(c.explain, [0] * 10, engine=engine)
        assert c.explain([0] * 10, engine=engine).sets == expected


def test_budgets_within_budgets():
    def sort(n_sets):
        sets = _core.Sets.from_list([(j,) for j in range(n_sets)])
        sets.sort(None)
        return len(sets)

    outer = _core.Budget(MEGABYTE)
    assert outer.run(sort, 100) == 100
    assert 100 * 12 < outer.peak < 100_000
    with pytest.raises(symcf.LimitError, match="memory limit reached"):
        outer.run(sort, 100_000)
    assert outer.peak <= MEGABYTE
    assert outer.run(sort, 1000) == 1000  # what was taken has been given back
    with pytest.raises(symcf.LimitError):
        outer.run(lambda: _core.Budget(1 << 40).run(sort, 100_000))
    with pytest.raises(symcf.LimitError):
        _core.Budget(1 << 40).run(lambda: _core.Budget(MEGABYTE).run(sort, 100_000))
    assert sort(100_000) == 100_000  # no budget is left behind
