"""What a user sees of an explanation: values, constraints, limits, errors."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from strategies import LONGER

import symcf
from symcf.demo import admission

ENGINES = ["cover", "diagram", "sat", "sat-portable"]


@pytest.fixture
def c():
    return symcf.compile(admission())


@pytest.fixture(scope="module")
def many():
    """More than a billion change sets, and a small diagram."""
    n = 40
    strengths = np.random.default_rng(1).choice([0.6, 0.7], n)
    model = symcf.NaiveBayes.binary(prior=0.5, p1=strengths, p0=1 - strengths)
    return symcf.compile(model), np.zeros(n, dtype=int)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("x", "before", "wanted"),
    [
        ([1, 0, 1, 0], 14.38, {(1,): 97.32, (3,): 61.05}),
        ([0, 0, 1, 0], 4.26, {(1,): 90.57, (0, 3): 61.05}),
    ],
)
def test_the_example_of_the_paper(c, engine, x, before, wanted):
    e = c.explain(x, engine=engine)
    assert (e.prediction, e.target, e.complete, e.status, e.count) == (0, 1, True, "complete", 2)
    assert 100 * (1 - e.probability) == pytest.approx(before, abs=0.005)
    assert {cf.features: round(100 * cf.probability, 2) for cf in e} == wanted
    assert e.sets == list(wanted)
    assert symcf.verify(c, x, e)


def test_a_counterfactual_says_what_changes(c):
    cf = c.explain([0, 0, 1, 0])[1]
    assert cf.changes == (
        symcf.Change(0, "entrance exam", 0, 1),
        symcf.Change(3, "first application", 0, 1),
    )
    assert cf.instance.tolist() == [1, 0, 1, 1]
    assert cf.cost == 2
    assert str(cf) == "entrance exam: 0 -> 1, first application: 0 -> 1  (61.05%)"


def test_a_positive_instance_uses_the_negation(c):
    e = c.explain([1, 1, 1, 1])
    assert (e.prediction, e.target) == (1, 0)
    assert symcf.verify(c, [1, 1, 1, 1], e)


def test_costs_decide_the_order(c):
    x = [0, 0, 1, 0]
    assert c.explain(x, cost={"work experience": 5}).sets == [(0, 3), (1,)]
    assert c.explain(x, cost={"work experience": 5}, k=1)[0].cost == 2
    assert c.explain(x, cost=[1, 2, 1, 1]).sets == [(1,), (0, 3)], "of equal cost, the smaller set comes first"


def test_names_and_indices_are_the_same(c):
    x = {"entrance exam": 0, "work experience": 0, "GPA": 1, "first application": 0}
    assert c.explain(x, immutable=["work experience"]) == c.explain([0, 0, 1, 0], immutable=1)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_stands_in_the_way_is_named(c, engine):
    e = c.explain(
        [0, 0, 1, 0], engine=engine, immutable=["work experience", "GPA"], allowed={"entrance exam": "decrease"}
    )
    assert (e.sets, e.status, e.complete) == ([], "complete", True)
    # GPA is innocent; either of the other two alone would do, and the search gives up as little as possible.
    assert [str(b) for b in e.blocking] == ["entrance exam may only decrease"]
    assert "in the way" in str(e)


def test_too_few_changes_can_stand_in_the_way(c):
    e = c.explain([0, 0, 1, 0], immutable=1, max_changes=1)
    assert [b.kind for b in e.blocking] in (["max_changes"], ["immutable"])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("prior", [0.999, 0.001])
def test_a_constant_classifier_has_no_counterfactual(engine, prior):
    constant = symcf.compile(symcf.NaiveBayes.binary(prior=prior, p1=[0.5, 0.6], p0=[0.5, 0.5]))
    e = constant.explain([0, 1], engine=engine)
    assert (e.sets, e.blocking, e.complete) == ([], (), True)
    assert constant.count([0, 1]) == 0
    assert "nothing that may change" in str(e)
    assert symcf.verify(constant, [0, 1], e)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_features_at_all(engine):
    empty = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[], p0=[]))
    assert empty.explain([], engine=engine).sets == []
    assert empty.count([]) == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_one_feature(engine):
    one = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=[0.9], p0=[0.1]))
    assert one.explain([0], engine=engine).sets == [(0,)]
    assert one.explain([1], engine=engine).sets == [(0,)]


@pytest.mark.parametrize("engine", ENGINES)
def test_limits_are_never_silent(c, engine):
    e = c.explain([0, 0, 1, 0], engine=engine, max_results=1)
    assert (e.count, e.complete, e.status) == (1, False, "max_results")
    assert "more may exist" in str(e)
    assert c.explain([0, 0, 1, 0], engine=engine, k=2, max_results=1).status == "max_results"


def test_a_time_limit_stops_and_says_so(many):
    c, x = many
    for seconds in LONGER:
        e = c.explain(x, time_limit=seconds)
        assert (e.complete, e.status) == (False, "time_limit")
        if e.sets:
            break
    assert e.sets
    with pytest.raises(symcf.LimitError):
        for _ in c.iter_counterfactuals(x, time_limit=0.05):
            pass


@pytest.mark.slow
def test_streaming_holds_little(many):
    c, x = many
    stream = c.iter_counterfactuals(x)
    first = [next(stream) for _ in range(1000)]
    assert len({cf.features for cf in first}) == 1000
    assert all((c.predict([cf.instance], codes=True) != c.predict([x], codes=True)).all() for cf in first[:50])


def test_streaming_gives_the_same_sets(c):
    assert sorted(cf.features for cf in c.iter_counterfactuals([0, 0, 1, 0])) == [(0, 3), (1,)]


def test_more_than_a_billion_sets_can_be_counted_and_drawn(many):
    c, x = many
    n = len(x)
    count = c.count(x)
    assert count > 10**9
    assert c.count(x, engine="diagram") == count
    low, high = c.count_bounds(x)
    assert low <= count <= high
    drawn = c.sample(x, 50, random_state=1)
    assert len({cf.features for cf in drawn}) > 40
    for cf in drawn[:10]:
        assert c.predict([cf.instance], codes=True)[0] == 1
        back = [np.where(np.arange(n) == j, x, cf.instance) for j in cf.features]
        assert not c.predict(back, codes=True).any(), "without any one of its changes it does not flip"


# In a process of its own: pytest and Hypothesis have handlers that would swallow the signal now and then.
CONTROL_C = """
import signal, threading
import numpy as np
import symcf
{set_up}
timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
try:
    timer.start()
    c.explain(x, engine={engine!r}, max_results=5_000_000)  # a limit, lest a lost signal takes all memory
except KeyboardInterrupt:
    print("interrupted")
assert c.explain(x, k=1).complete
"""
MANY_SETS = """
n = 40
strengths = np.random.default_rng(1).choice([0.6, 0.7], n)
c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=strengths, p0=1 - strengths))
x = np.zeros(n, dtype=int)
"""
LONG_SOLVING = """
n = 36
rng = np.random.default_rng(1)
c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(n), p0=rng.random(n)))
x = rng.integers(0, 2, n)
c.diagram
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "set_up"),
    [("cover", MANY_SETS), ("diagram", MANY_SETS), ("sat", LONG_SOLVING), ("sat-portable", LONG_SOLVING)],
)
def test_control_c_stops_an_engine_and_leaves_the_classifier_usable(engine, set_up):
    script = CONTROL_C.format(engine=engine, set_up=set_up)
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=500)
    assert child.returncode == 0, child.stderr
    assert child.stdout == "interrupted\n"  # bench/latency.py says how soon


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"immutable": ["GAP"]}, "immutable: the classifier has no feature 'GAP'"),
        ({"immutable": 4}, "immutable: 4 is not the index of one of 4 features"),
        ({"allowed": {"GPA": "up"}}, r"allowed\['GPA'\]: 'up' is not a direction"),
        ({"allowed": {"GPA": [2]}}, r"allowed\['GPA'\]: 2 is not one of its values"),
        ({"allowed": ["GPA"]}, "allowed must map features"),
        ({"cost": {"GPA": 0}}, "the cost of feature 'GPA' must be positive"),
        ({"cost": {"GPA": float("nan")}}, "the cost of feature 'GPA' must be positive"),
        ({"cost": [1, 2]}, "cost has 2 numbers, the classifier has 4 features"),
        ({"cost": 3}, "cost must be a mapping"),
        ({"max_changes": -1}, "max_changes must be an integer of at least 0, not -1"),
        ({"k": 0}, "k must be an integer of at least 1, not 0"),
        ({"max_results": 1.5}, "max_results must be an integer"),
        ({"time_limit": "soon"}, "time_limit must be a number of seconds"),
        ({"engine": "magic"}, "unknown engine 'magic'"),
        ({"select": "some"}, "unknown select 'some'"),
        ({"target": "waiting list"}, "target: 'waiting list' is not one of the classes"),
    ],
)
def test_bad_options_are_named(c, options, message):
    with pytest.raises(symcf.OptionError, match=message):
        c.explain([0, 0, 1, 0], **options)


@pytest.mark.parametrize(
    "options", [{}, {"k": 2}, {"engine": "sat"}, {"diverse": 2}, {"max_changes": 0}, {"immutable": [0]}]
)
def test_a_row_that_is_as_wanted_needs_no_change(c, options):
    """One way for single rows and batches."""
    e = c.explain([0, 0, 1, 0], target="rejected", **options)
    (of_batch,) = c.explain_batch(
        [[0, 0, 1, 0]], target="rejected", **{k: v for k, v in options.items() if k != "engine"}
    )
    assert (e.at_target, e.sets, e.complete, e.blocking) == (True, [], True, ())
    assert str(e) == str(of_batch) == "decided rejected (95.74%), as wanted: nothing has to change"
    assert e.to_dict() | {"engine": ""} == of_batch.to_dict() | {"engine": ""}
    assert symcf.verify(c, [0, 0, 1, 0], symcf.Explanation.from_dict(e.to_dict()))
    assert e.sentences() == of_batch.sentences()


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([0, 0, 1], "the instance has 3 values, the classifier reads 4"),
        ([0, 0, 1, 2], "column 'first application': 2 is not a value code between 0 and 1"),
        ([0, 0, -1, 0], "column 'GPA': -1 is not a value code"),
        ([0, 0, float("nan"), 0], "column 'GPA': the value is missing; it must be a value code between 0 and 1"),
        ([[0, 0, 1, 0]], "an instance must be one-dimensional"),
        ({"GPA": 1}, "missing 'entrance exam', 'work experience', 'first application'"),
        ([0, "b", 0, 0], "column 'work experience': 'b' is not a value code"),
        (None, "an instance must be one-dimensional"),
    ],
)
def test_bad_instances_are_named(c, x, message):
    with pytest.raises(symcf.InstanceError, match=message):
        c.explain(x)


def test_the_target_may_be_named_by_class_or_code(c):
    assert c.explain([0, 0, 1, 0], target="admitted") == c.explain([0, 0, 1, 0], target=1)


def test_counting_beyond_its_budget_says_so_and_bounds_still_work():
    rng = np.random.default_rng(6)
    n = 80
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(n), p0=rng.random(n)), max_nodes=10_000)
    x = (c.threshold.weight.reshape(n, 2)[:, 1] < c.threshold.weight.reshape(n, 2)[:, 0]).astype(int)  # all may gain
    with pytest.raises(symcf.LimitError, match=r"while counting.*count_bounds"):
        c.count(x)
    low, high = c.count_bounds(x)
    assert 0 < low <= high


def test_a_change_cannot_be_changed():
    (cf, *_) = symcf.compile(admission()).explain([0, 0, 1, 0])
    with pytest.raises(AttributeError):
        cf.changes[0].new = "something else"
    with pytest.raises(AttributeError):
        cf.cost = 0


@pytest.mark.parametrize("select", ["nearest", "surest", "all"])
@pytest.mark.parametrize("again", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy])
def test_an_explanation_that_was_read_can_be_copied(c, again, select):
    e = c.explain([0] * c.n_features, select=select)
    shown = [str(cf.row) for cf in e], [change.range for cf in e for change in cf.changes], str(e)
    other = again(e)
    assert other == e
    assert ([str(cf.row) for cf in other], [change.range for cf in other for change in cf.changes], str(other)) == shown
