"""Compiling: the paper's Proposition 1 by brute force, orders, budgets, interruption, threads, pickles."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import oracle
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import Classifier, all_rows, classifiers, random_classifier

import symcf

ORDERS = ("influence", "natural", "sift")

# --- Proposition 1 ----------------------------------------------------------------------------------------------------


def within_tie_band(ratio: Fraction | float, c: symcf.Compiled) -> bool:
    """May odds without a tie be taken for one? The band is n + 1 units wide, and n + 1 roundings blur its edge."""
    if ratio == float("inf"):
        return False
    yes, no = ratio.as_integer_ratio()
    return 100 * abs(yes - no) * 2**c.threshold.scale <= 152 * (c.n_features + 1) * no


def check_decisions(classifier: Classifier, c: symcf.Compiled, said: np.ndarray, seen: Counter[str]) -> None:
    """`predict` against exact rational arithmetic."""
    for (x, ratio), answer in zip(classifier.odds.items(), said.tolist(), strict=True):
        if ratio != 1 and within_tie_band(ratio, c):
            seen["too close to call"] += 1
        else:
            seen["tie" if ratio == 1 else "clear"] += 1
            assert answer == classifier.decide(ratio), x


def check_encodings(c: symcf.Compiled, function: int, max_in: int = 2, max_length: int = 3) -> None:
    """All four encodings, both polarities, against the function as a bit set."""
    n = c.n_features
    for negate, wanted in ((False, function), (True, function ^ oracle.bit_set([1] * 2**n))):
        for encoding in ("no-cut", "prime"):
            cnf = c.cnf(encoding, negate=negate)
            assert cnf.n_vars == n
            assert oracle.models(cnf.clauses(), n) == wanted, (encoding, negate)
        for encoding in ("node-cut", "aux-cut"):
            cnf = c.cnf(encoding, negate=negate, max_in=max_in, max_length=max_length)
            assert oracle.projected_models(cnf.clauses(), n) == wanted, (encoding, negate)


def check_everything(classifier: Classifier, order: str, seen: Counter[str]) -> None:
    rows = all_rows(classifier.n)
    c = classifier.compiled(order)
    said = c.predict(rows, codes=True)
    check_decisions(classifier, c, said, seen)
    margin, on_tie = c.decision_function(rows), int(classifier.tie == "positive")
    assert np.where(margin == 0, on_tie, margin > 0).tolist() == said.tolist()
    diagram = c.diagram
    diagram.validate()
    assert diagram.evaluate(rows).tolist() == said.tolist()
    assert diagram.with_bdd(lambda bdd: bdd.evaluate(rows)).tolist() == said.tolist()
    check_encodings(c, oracle.bit_set(said))
    diagram.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "examples"), [((0, 3), 60), ((3, 7), 60), ((8, 12), 6)], ids=["tiny", "small", "middling"]
)
def test_every_form_of_the_decision_agrees_on_every_input(sizes, examples):
    seen: Counter[str] = Counter()

    @settings(max_examples=examples)
    @given(classifiers(*sizes), st.sampled_from(ORDERS))
    def check(classifier, order):
        if None in classifier.odds.values():
            event("undecidable")
            with pytest.raises(symcf.ModelError):
                classifier.compiled()
        else:
            check_everything(classifier, order, seen)

    check()
    assert seen["too close to call"] <= seen.total() / 50
    assert seen["tie"] > 0
    assert seen["clear"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 5, 8, 12])
def test_random_classifiers_of_the_paper_agree_on_every_input(n):
    seen: Counter[str] = Counter()
    seeds = -(-36 // n)
    for seed in range(seeds):
        check_everything(random_classifier(n, seed), "influence", seen)
    assert seen == {"clear": seeds * 2**n}


HALVES = (0.5,) * 3
DEGENERATE = {
    "no features, yes": Classifier(0.7, (), ()),
    "no features, no": Classifier(0.3, (), ()),
    "no features, tie": Classifier(0.5, (), ()),
    "one feature": Classifier(0.5, (0.9,), (0.2,)),
    "no weight at all, tie": Classifier(0.5, HALVES, HALVES),
    "some features weigh nothing": Classifier(0.5, (0.9, 0.3, 0.2), (0.1, 0.3, 0.2)),
    "always yes": Classifier(0.99, (0.4, 0.5, 0.6), (0.6, 0.5, 0.4)),
    "always no": Classifier(0.5, (0.4, 0.5, 0.6), (0.6, 0.5, 0.4), threshold=0.95),
    "equal weights": Classifier(0.3, (0.8,) * 9, (0.4,) * 9),
    "symmetric, many ties": Classifier(0.5, (0.1, 0.9, 0.3, 0.7, 0.2, 0.8), (0.9, 0.1, 0.7, 0.3, 0.8, 0.2)),
    "ties off one half": Classifier(0.5, (0.8, 0.2, 0.5), (0.2, 0.8, 0.5), threshold=0.8),
    "a certain prior": Classifier(1.0, (0.2, 0.6), (0.3, 0.1)),
    "a certain feature": Classifier(0.5, (1.0, 0.2, 0.3), (0.0, 0.7, 0.4)),
    "certainties that agree": Classifier(0.5, (0.4, 0.3, 0.2), (0.0, 0.0, 0.4)),
    "extreme odds": Classifier(1e-300, (1 - 1e-12, 0.5, 0.9), (1e-300, 1e-12, 0.2), read=oracle.exactly),
}


@pytest.mark.parametrize("tie", ["positive", "negative"])
@pytest.mark.parametrize("classifier", DEGENERATE.values(), ids=DEGENERATE)
@pytest.mark.parametrize("order", ORDERS)
def test_degenerate_classifiers_agree_on_every_input(classifier, tie, order):
    check_everything(replace(classifier, tie=tie), order, Counter())


# --- the paper's examples ---------------------------------------------------------------------------------------------


def percent(c, x):
    return round(100 * c.predict_proba([x])[0, 1], 2)


def test_golden_probabilities(admission):
    c = admission.compiled()
    golden = {(1, 0, 1, 0): 14.38, (1, 1, 1, 0): 97.32, (1, 0, 1, 1): 61.05, (0, 0, 1, 0): 4.26, (0, 1, 1, 0): 90.57}
    assert {x: percent(c, x) for x in golden} == golden


@pytest.mark.parametrize(("x", "sets"), [((1, 0, 1, 0), [(1,), (3,)]), ((0, 0, 1, 0), [(1,), (0, 3)])], ids=["x", "x'"])
def test_golden_change_sets_by_the_oracle(admission, x, sets):
    assert oracle.change_sets(lambda z: admission.decide(admission.odds[z]), x, [2] * 4) == sets


def test_golden_figure(figure):
    c = figure.compiled("natural")
    assert int(c.predict(all_rows(4), codes=True).sum()) == 9
    assert c.diagram.count_models(1) == 9
    assert c.diagram.count_models(0) == 7


# --- orders -----------------------------------------------------------------------------------------------------------


def test_influence_is_the_spread_of_the_weights(admission):
    c = admission.compiled()
    offsets, weights = c.threshold.value_offset, c.threshold.weight
    spread = [np.ptp(weights[offsets[j] : offsets[j + 1]]) for j in range(4)]
    assert list(c.diagram.order) == sorted(range(4), key=lambda j: (-spread[j], j))


def test_equal_influence_keeps_the_order_of_the_features():
    assert Classifier(0.5, (0.8, 0.2, 0.8), (0.3, 0.7, 0.3)).compiled().diagram.order == (0, 1, 2)


def test_natural_order(admission):
    assert admission.compiled("natural").diagram.order == (0, 1, 2, 3)


@pytest.mark.parametrize("order", [[2, 0, 3, 1], np.array([2, 0, 3, 1]), ["x2", "x0", "x3", "x1"], ["x2", 0, "x3", 1]])
def test_explicit_order_by_name_or_index(admission, order):
    assert admission.compiled(order).diagram.order == (2, 0, 3, 1)


@given(classifiers(1, 7, certain=False), st.data())
def test_the_order_changes_the_diagram_but_not_the_function(classifier, data):
    order = data.draw(st.permutations(range(classifier.n)))
    c = classifier.compiled(order)
    assert c.diagram.order == tuple(order)
    assert c.diagram.evaluate(all_rows(classifier.n)).tolist() == c.predict(all_rows(classifier.n), codes=True).tolist()


@pytest.mark.parametrize("seed", range(10))
def test_sifting_is_never_larger_than_influence(seed):
    classifier = random_classifier(14, seed)
    assert classifier.compiled("sift").diagram.size <= classifier.compiled("influence").diagram.size


def test_sifting_starts_from_influence_and_improves_on_it():
    sizes = {
        order: sum(random_classifier(14, seed).compiled(order).diagram.size for seed in range(10)) for order in ORDERS
    }
    assert sizes["sift"] < sizes["influence"] < sizes["natural"]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("size", ["'size'", "influence", "natural", "sift"]),
        ([0, 1, 2], ["each of the 4 features once"]),
        ([0, 1, 2, 2], ["each of the 4 features once"]),
        ([0, 1, 2, 4], ["4"]),
        ([0, 1, 2, -1], ["-1"]),
        (["x0", "x1", "x2", "y"], ["'y'"]),
        ([0, 1, 2, None], ["None"]),
    ],
)
def test_a_wrong_order_is_refused_at_once(admission, order, words):
    with pytest.raises(symcf.OptionError) as error:
        admission.compiled(order)
    assert [word for word in words if word not in str(error.value)] == []


def test_only_models_and_diagrams_are_compiled():
    with pytest.raises(symcf.ModelError, match="int"):
        symcf.compile(42)
    with pytest.raises(FileNotFoundError, match="a model"):
        symcf.compile("a model")


# --- budgets ----------------------------------------------------------------------------------------------------------

LARGE = random_classifier(24, seed=1)  # thousands of nodes
HUGE = random_classifier(60, seed=2)  # more nodes than anyone has memory for


@pytest.mark.parametrize(
    ("budget", "limit"),
    [({"max_nodes": 100}, "nodes"), ({"max_memory": 20_000}, "memory"), ({"time_limit": 0}, "time")],
    ids=lambda value: str(value),
)
@pytest.mark.parametrize("classifier", [LARGE, HUGE], ids=["large", "huge"])
def test_a_budget_ends_in_an_error_that_says_how_far_it_got(classifier, budget, limit):
    c = symcf.compile(classifier.model(), **budget)
    for _ in range(2):  # asking again is allowed, and tries again
        with pytest.raises(symcf.CompileLimitError) as caught:
            _ = c.diagram
        error = caught.value
        assert error.limit == limit
        assert error.n_levels == classifier.n
        assert 0 <= error.levels <= error.n_levels
        assert error.nodes <= budget.get("max_nodes", np.inf)
        assert error.memory <= budget.get("max_memory", np.inf) + (1 << 14)  # what it holds besides the diagram
        assert error.memory > 0 or limit == "time"  # in use when it stopped, not after cleaning up
        for fact in (limit, f"{error.levels} of {error.n_levels}", f"{error.nodes:,}"):
            assert fact in str(error)
        assert vars(pickle.loads(pickle.dumps(error))) == vars(error)
    assert c.predict(np.zeros((1, classifier.n), dtype=int), codes=True).shape == (1,)  # what needs no diagram works


@pytest.mark.parametrize("slack", [-1, 0])
def test_the_node_budget_counts_inner_nodes(slack):
    inner = LARGE.compiled().diagram.size - 2
    c = symcf.compile(LARGE.model(), max_nodes=inner + slack)
    if slack:
        with pytest.raises(symcf.CompileLimitError):
            _ = c.diagram
    else:
        assert c.diagram.size == inner + 2


def test_a_time_limit_that_suffices_changes_nothing():
    assert symcf.compile(LARGE.model(), time_limit=100).diagram.size == LARGE.compiled().diagram.size


def test_sifting_obeys_the_time_limit():
    with pytest.raises(symcf.CompileLimitError) as caught:
        _ = symcf.compile(random_classifier(30, 3).model(), order="sift", time_limit=0.05).diagram
    assert caught.value.limit == "time"


@pytest.mark.parametrize(
    "budget",
    [{"max_nodes": 0}, {"max_nodes": 1.5}, {"max_memory": -1}, {"max_nodes": True}, {"time_limit": -1},
     {"time_limit": "1"}, {"time_limit": float("nan")}, {"time_limit": True}],
    ids=str,
)  # fmt: skip
def test_a_budget_that_makes_no_sense_is_named(admission, budget):
    with pytest.raises(symcf.OptionError, match=next(iter(budget))):
        symcf.compile(admission.model(), **budget)


def test_thousands_of_features_cost_nothing_until_the_diagram_is_wanted():
    classifier = random_classifier(10_000, seed=0)
    c = classifier.compiled()
    assert c.predict(np.zeros((2, 10_000), dtype=np.int8), codes=True).shape == (2,)


# --- interruption -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
def test_control_c_stops_a_long_compilation():
    """bench/latency.py says how soon."""
    program = """
        import signal
        from strategies import random_classifier
        c = random_classifier(60, seed=2).compiled()
        def on_alarm(number, frame):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, on_alarm)
        for attempt in range(2):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                c.diagram
            except KeyboardInterrupt:
                print("interrupted")
        print(c.predict([[0] * 60]).tolist())
    """
    path = str(Path(__file__).parents[1] / "support")
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=500, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert run.stdout.split("\n")[:2] == ["interrupted"] * 2, run.stderr
    assert run.stdout.split("\n")[2] in ("[0]", "[1]")


def test_a_signal_handler_may_raise_anything():
    class AlarmError(Exception):
        pass

    def on_alarm(number, frame):
        raise AlarmError

    c = HUGE.compiled()
    before = signal.signal(signal.SIGALRM, on_alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(AlarmError):
            _ = c.diagram
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- threads ----------------------------------------------------------------------------------------------------------


def test_threads_that_ask_at_once_get_one_diagram():
    c = LARGE.compiled()
    barrier = threading.Barrier(8)

    def ask(_):
        barrier.wait()
        return c.diagram

    with ThreadPoolExecutor(8) as pool:
        diagrams = list(pool.map(ask, range(8)))
    assert {id(d) for d in diagrams} == {id(c.diagram)}


def test_threads_may_use_one_diagram_at_once():
    diagram = random_classifier(14, seed=0).compiled().diagram
    rows = all_rows(14)
    alone = (
        diagram.evaluate(rows).tolist(),
        diagram.count_paths(0),
        symcf.system.cnf.encode(diagram, "prime").n_clauses,
    )

    def work(_):
        prime = symcf.system.cnf.encode(diagram, "prime")
        return diagram.evaluate(rows).tolist(), diagram.count_paths(0), prime.n_clauses

    with ThreadPoolExecutor(4) as pool:
        assert all(result == alone for result in pool.map(work, range(8)))


# --- pickles ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("built", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("order", [*ORDERS, (3, 1, 0, 2)], ids=str)
def test_a_compiled_classifier_survives_pickling(admission, order, built):
    c = admission.compiled(order)
    if built:
        _ = c.diagram
    again = pickle.loads(pickle.dumps(c))
    assert again.predict(all_rows(4), codes=True).tolist() == c.predict(all_rows(4), codes=True).tolist()
    assert again.decision_function(all_rows(4)).tolist() == c.decision_function(all_rows(4)).tolist()
    assert again.diagram.order == c.diagram.order
    assert list(again.cnf().clauses()) == list(c.cnf().clauses())
    assert repr(again) == repr(c)
