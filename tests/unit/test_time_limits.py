"""A time limit bounds the whole call, and what was found by then is given.

No test looks at time: `looks` says how often the clock may be asked before time is up; the core, which has a clock of
its own, is given all of it or nothing.
"""

import contextlib
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf
import symcf.compiled
import symcf.fast
import symcf.models.black_box
import symcf.report
import symcf.search.query
import symcf.system.decision
import symcf.values.ranking
from symcf.answers.batch import STATUS, BatchExplanation
from symcf.answers.explainer import Explainer
from symcf.common import clock
from symcf.common.clock import NO_LIMIT, Clock
from symcf.models import kinds
from symcf.proof.checker.form import parse
from symcf.proof.verification.ensembles import Leaves
from symcf.system import archive

#: Left out of `make test-fast`.
pytestmark = pytest.mark.slow

ROWS = np.random.default_rng(0).integers(0, 2, (40, 10)).astype(np.int8)
ENGINES = ("cover", "diagram", "sat", "sat-portable")


def naive_bayes(n=10, **limits):
    rng = np.random.default_rng([7, n])
    return symcf.compile(symcf.NaiveBayes.binary(0.5, rng.random(n), rng.random(n)), **limits)


class Counted(Clock):
    """Time is up after so many looks."""

    looks = 0

    def __init__(self, seconds):
        super().__init__(seconds)
        self.limited = seconds is not None

    @property
    def left(self):
        if not self.limited:
            return -1.0
        type(self).looks -= 1
        return 1e6 if type(self).looks >= 0 else 0.0

    @property
    def expired(self):
        return self.left == 0.0

    def earlier(self, seconds):
        return self


@pytest.fixture
def looks(monkeypatch):
    """Sets after how many looks the time of the next call is up."""

    def allow(count):
        Counted.looks = count

    monkeypatch.setattr(symcf.compiled, "Clock", Counted)
    monkeypatch.setattr(symcf.fast, "Clock", Counted)
    return allow


# --- explain


@pytest.mark.parametrize("engine", ENGINES)
def test_no_time_at_all_is_a_status_and_no_error(engine):
    c = naive_bayes()
    found = c.explain(ROWS[0], engine=engine, time_limit=0)
    if engine != "cover":  # which is done here before it looks at the clock
        assert (found.sets, found.status, found.complete) == ([], "time_limit", False)
        assert c.explain(ROWS[0], engine=engine, k=3, time_limit=0).status == "time_limit"
    assert c.explain(ROWS[0], engine=engine).complete  # and the classifier is none the worse for it


def test_the_classifiers_own_limit_stays_an_error():
    c = naive_bayes(20, max_nodes=5)
    with pytest.raises(symcf.CompileLimitError) as error:
        c.explain([0] * 20, engine="diagram", time_limit=1e6)
    assert error.value.limit == "nodes"
    c = naive_bayes(20, time_limit=0)
    with pytest.raises(symcf.CompileLimitError) as error:
        c.explain([0] * 20, engine="diagram", time_limit=1e6)
    assert error.value.limit == "time"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "options", [{}, {"k": 4}, {"cost": {0: [[0, 3], [2, 0]]}}, {"cost": {0: [[0, 3], [2, 0]]}, "k": 4}]
)
def test_whenever_time_is_up_what_is_given_is_right(looks, engine, options):
    everything = set(naive_bayes().explain(ROWS[1], engine="diagram", **options).sets)
    statuses = []
    for count in [*range(12), 20, 40, 80, 10**6]:
        looks(count)
        found = naive_bayes().explain(ROWS[1], engine=engine, time_limit=1, **options)
        statuses.append(found.status)
        assert set(found.sets) <= everything
        assert found.complete is (set(found.sets) == everything and found.status == "complete")
    assert statuses[0] == "time_limit"
    assert statuses[-1] == "complete"


def test_relations_are_built_within_the_limit(looks):
    for count in range(6):
        looks(count)
        found = naive_bayes().explain(ROWS[2], constraints=["x0 = 1 -> x1 = 0"], time_limit=1)
        assert found.status in ("time_limit", "complete")
    looks(0)
    assert naive_bayes().explain(ROWS[2], constraints=["x0 = 1 -> x1 = 0"], time_limit=1).status == "time_limit"


def test_why_there_is_nothing_is_not_claimed_when_there_was_no_time_to_find_out(looks):
    seen = set()
    for count in [*range(30), 10**6]:
        looks(count)
        found = naive_bayes().explain(ROWS[3], immutable=list(range(10)), time_limit=1)
        assert found.sets == []
        assert found.complete or not found.blocking
        seen.add(found.status)
    assert seen == {"time_limit", "complete"}
    assert found.blocking


def test_more_memory_than_allowed_is_an_error_that_says_what_to_do():
    c = naive_bayes(16)
    x = max(np.random.default_rng(1).integers(0, 2, (50, 16)), key=lambda x: c.count(x))
    with pytest.raises(symcf.LimitError, match="max_memory"):
        c.explain(x, max_memory=1000)
    assert c.explain(x, max_memory=10**9).count == c.count(x)
    with pytest.raises(symcf.OptionError, match="max_memory"):
        c.explain(x, max_memory=0)


# --- the other calls


@pytest.mark.parametrize("engine", ENGINES)
def test_counting_says_that_time_was_up(engine):
    with pytest.raises(symcf.LimitError, match="time limit"):
        naive_bayes().count(ROWS[0], engine=engine, time_limit=0)


def test_drawing_says_that_time_was_up(looks):
    looks(0)
    with pytest.raises(symcf.LimitError, match="time limit"):
        naive_bayes().sample(ROWS[0], 10, time_limit=0)
    looks(10)
    with pytest.raises(symcf.LimitError, match="time limit"):
        naive_bayes().sample(ROWS[0], 100, 0, time_limit=1)
    looks(10**6)
    assert naive_bayes().sample(ROWS[0], 5, 0, time_limit=1) == naive_bayes().sample(ROWS[0], 5, 0)


def test_streams_end_with_an_error_after_the_last_result(looks):
    looks(4)
    seen = []
    with pytest.raises(symcf.LimitError, match="time limit"):
        seen.extend(cf.features for cf in naive_bayes().iter_counterfactuals(ROWS[0], time_limit=1))
    assert set(seen) <= set(naive_bayes().explain(ROWS[0]).sets)


# --- batches


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_rows_of_a_batch_without_time_have_a_prediction_and_a_status(engine):
    c = naive_bayes()
    batch = symcf.fast.explain_batch(c, ROWS, engine=engine, time_limit=0)
    assert batch.summary().status == {"time_limit": len(ROWS)}
    assert not batch.n_sets
    assert (batch.prediction == c.predict(ROWS, codes=True)).all()
    assert batch[3].status == "time_limit"


@pytest.mark.parametrize("engine", ["diagram", "sat"])
def test_bad_rows_and_rows_at_the_target_are_known_without_time(engine):
    c = naive_bayes()
    rows = ROWS.astype(np.int64)
    rows[5, 3] = 9
    batch = symcf.fast.explain_batch(c, rows, engine=engine, time_limit=0, errors="mark", target=1)
    wanted = np.where(c.predict(ROWS, codes=True) == 1, "at_target", "time_limit")
    wanted[5] = "invalid"
    assert [STATUS[s] for s in batch.status] == wanted.tolist()
    with pytest.raises(symcf.InstanceError, match="row 5"):
        symcf.fast.explain_batch(c, rows, engine=engine, time_limit=0)


def test_a_batch_of_any_engine_stops_in_the_middle(looks):
    c = naive_bayes()
    whole = symcf.fast.explain_batch(c, ROWS, engine="diagram")
    looks(60)
    batch = symcf.fast.explain_batch(naive_bayes(), ROWS, engine="sat-portable", time_limit=1)
    done = np.flatnonzero(batch.status == 0)
    assert 0 < len(done) < len(ROWS)
    assert all(batch.sets(row) == whole.sets(row) for row in done)
    assert (batch.prediction == whole.prediction).all()


def test_the_sets_of_a_late_row_are_in_order_as_an_explanation():
    c = naive_bayes()
    batch = symcf.fast.explain_batch(c, ROWS)
    row = int(np.argmax(np.diff(batch.row_offsets)))
    first, last = batch.row_offsets[row : row + 2]
    sets = [tuple(s) for s in reversed(batch.sets(row))]  # as a row that time cut short might have them
    batch.features = batch.features.copy()
    batch.set_offsets = batch.set_offsets.copy()
    batch.features[batch.set_offsets[first] : batch.set_offsets[last]] = [j for s in sets for j in s]
    sizes = np.cumsum([len(s) for s in sets])
    batch.set_offsets[first + 1 : last + 1] = batch.set_offsets[first] + sizes
    batch.status = np.full(len(ROWS), 2, dtype=np.uint8)
    assert batch.sets(row) == sets
    assert batch[row].sets == sets[::-1]


# --- clocks


def test_the_earlier_of_two_limits_counts():
    assert Clock(5).earlier(None).left <= 5
    assert NO_LIMIT.earlier(None).left == -1
    assert Clock(1e9).earlier(0).expired
    assert Clock(0).earlier(1e9).expired
    assert not Clock(1e9).earlier(1e9).expired


def test_a_lock_that_is_not_given_up_is_not_waited_for():
    lock = threading.Lock()
    with NO_LIMIT.holding(lock), pytest.raises(symcf.LimitError, match="another thread"), Clock(0).holding(lock):
        pass
    with Clock(0).holding(lock):
        assert lock.locked()
    assert not lock.locked()


def test_another_threads_diagram_is_not_waited_for():
    c = naive_bayes()
    with c._lock:
        assert c.explain(ROWS[0], engine="diagram", time_limit=0.01).status == "time_limit"
        assert (symcf.fast.explain_batch(c, ROWS, engine="diagram", time_limit=0.01).status == 2).all()
    assert c.explain(ROWS[0], engine="diagram").complete


@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_whatever_a_late_row_lists_is_right(n_classes, seconds):
    """When the limit is reached is chance; what was found by then flips the decision wherever it was."""
    random = np.random.default_rng(7)
    tables = [[[p, 1 - p] for p in random.uniform(0.2, 0.8, n_classes)] for _ in range(40)]
    c = symcf.compile(symcf.NaiveBayes(np.full(n_classes, 1 / n_classes), tables))
    row = random.integers(0, 2, (1, 40))
    batch = symcf.fast.explain_batch(c, row, engine="cover", time_limit=seconds)
    sets = batch.sets(0)
    chosen = random.choice(len(sets), min(len(sets), 500), replace=False) if sets else []
    changed = np.repeat(row, len(chosen), axis=0)
    for i, place in enumerate(chosen):
        changed[i, list(sets[int(place)])] ^= 1
    assert (c.decide(changed) != c.decide(row)).all()


# --- forests


def forest():
    """Trees over features of three values, so that costs may depend on them."""
    rng = np.random.default_rng(3)
    leaves = [{"counts": [1, 3]}, {"counts": [2, 1]}]
    trees = []
    for _ in range(5):
        a, b = (f"x{j}" for j in rng.choice(6, 2, replace=False))
        below = {"feature": b, "at_most": 1.5, "yes": leaves[0], "no": leaves[1]}
        trees.append({"feature": a, "at_most": 0.5, "yes": leaves[1], "no": below})
    return symcf.compile(symcf.RandomForest(trees, features=[f"x{j}" for j in range(6)]))


@pytest.mark.parametrize("engine", ENGINES[1:])
@pytest.mark.parametrize("k", [None, 2])
@pytest.mark.parametrize("cost", [None, "ordinal"])
@pytest.mark.parametrize("constraints", [(), ["x0 = '> 1.5' -> x1 = '<= 0.5'"]])
def test_no_diagram_is_built_without_time(engine, k, cost, constraints):
    c = forest()
    found = c.explain([0.0] * 6, engine=engine, k=k, cost=cost, constraints=constraints, time_limit=0)
    assert (found.sets, found.status) == ([], "time_limit")
    assert not c.built_diagrams()
    assert c.explain([0.0] * 6, engine=engine, k=k, cost=cost, constraints=constraints).complete


def test_what_to_do_without_a_diagram_fits_the_model():
    c = forest()
    c.limits = symcf.compiled.Limits(max_nodes=1)
    with pytest.raises(symcf.CompileLimitError, match=r"need no diagram \(predict\)"):
        c.explain([0.0] * 6)
    with pytest.raises(symcf.CompileLimitError, match=r"need no diagram \(predict, engine='cover'\)"):
        naive_bayes(20, max_nodes=5).explain([0] * 20, engine="diagram")


def test_a_family_that_takes_too_long_is_not_called_a_diagram():
    c = naive_bayes(12)
    c.diagram  # noqa: B018  (builds it)
    with pytest.raises(symcf.LimitError, match=r"^time limit reached while finding the change sets"):
        c.count([0] * 12, engine="diagram", time_limit=0)


@pytest.mark.parametrize("engine", ["auto", "diagram", "boxes"])
def test_batches_of_forests_with_costs_by_value(monkeypatch, engine):
    monkeypatch.setattr(symcf.system.decision, "FEW_LEAVES", 0)
    rows = np.random.default_rng(0).integers(0, 3, (20, 6)).astype(float)
    c = forest()
    batch = symcf.fast.explain_batch(c, rows, engine=engine, cost="ordinal", k=2)
    assert [e.sets for e in batch] == [c.explain(row, cost="ordinal", k=2).sets for row in rows]


# --- one deadline for all that a call does


def numeric_forest():
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 6))
    return RandomForestClassifier(12, max_depth=4, random_state=0).fit(X, X[:, 0] + X[:, 1] * X[:, 2] > 0), X


EVERY_CALL = {
    "cnf": lambda c, **limit: c.cnf(**limit),
    "wcnf": lambda c, **limit: c.wcnf(ROWS[0], **limit),
    "implies": lambda c, **limit: c.implies(naive_bayes(), **limit),
    "entails": lambda c, **limit: c.entails("x0 = 1", **limit),
    "is_consistent": lambda c, **limit: c.is_consistent(**limit),
    "is_valid": lambda c, **limit: c.is_valid(**limit),
    "count_models": lambda c, **limit: (c.is_class(1) & c.condition("x0 = 1")).count_models(**limit),
    "sample_why": lambda c, **limit: c.sample_why(ROWS[0], 3_000, 0, **limit),
}


@pytest.mark.parametrize("name", EVERY_CALL)
def test_no_call_builds_a_diagram_without_time(name):
    c = naive_bayes(10)
    with pytest.raises(symcf.LimitError):
        EVERY_CALL[name](c, time_limit=0)
    assert not c.built_diagrams()
    EVERY_CALL[name](c)


def test_a_block_limits_calls_operators_and_attributes():
    c = naive_bayes(10)
    with symcf.time_limit(0):
        for call in (
            lambda: c.diagram,
            lambda: (c & c).count_models(),
            lambda: c.predict(np.tile(ROWS, (50_000, 1)), codes=True),
        ):
            with pytest.raises(symcf.LimitError):
                call()
        assert c.explain(ROWS[0], engine="diagram").status == "time_limit"
    assert c.diagram.size
    with pytest.raises(symcf.OptionError, match="time_limit must be a number of seconds"), symcf.time_limit(-1):
        pass


def test_the_shorter_of_two_limits_holds():
    with symcf.time_limit(1e6), symcf.time_limit(0):
        assert NO_LIMIT.expired
    with symcf.time_limit(0):
        with symcf.time_limit(1e6):
            assert NO_LIMIT.expired
        assert Clock(5).expired
    assert not NO_LIMIT.expired


def test_combined_functions_are_built_by_the_call_that_needs_them():
    """`&` has no keyword for a limit: it ran for minutes before `explain`, which has one, was called."""
    c = naive_bayes(10)
    both = c.is_class(1) & c.condition("x0 = 1 or x1 = 1")
    assert not c.built_diagrams()
    with pytest.raises(symcf.LimitError):
        both.explain(ROWS[0], time_limit=0)
    got = both.predict(ROWS, codes=True).tolist()
    assert (
        got == (c.predict(ROWS, codes=True).astype(bool) & ((ROWS[:, 0] == 1) | (ROWS[:, 1] == 1))).astype(int).tolist()
    )
    wanted = both.explain(ROWS[0]).sets
    assert wanted == symcf.compile(both.model).explain(ROWS[0]).sets


def test_reading_a_model_has_a_time_limit():
    model, X = numeric_forest()
    for call in (symcf.from_model, symcf.from_sklearn, symcf.compile):
        with pytest.raises(symcf.LimitError):
            call(model, data=X, time_limit=0)
    assert symcf.compile(model, data=X, time_limit=1e6).n_features == 6


def test_certificates_write_the_model_within_the_limit():
    model, X = numeric_forest()
    e = symcf.compile(model, data=X).explain(X[0], max_changes=1)
    with pytest.raises(symcf.LimitError, match="before the call was finished"):  # not while looking for a proof
        e.certificate(time_limit=0)
    assert symcf.check(e.certificate())


def test_results_are_read_within_the_limit_of_a_block():
    c = naive_bayes(10)
    e, r = c.explain(ROWS[0]), c.why(ROWS[0])
    with symcf.time_limit(0):
        for call in (lambda: list(e), e.to_frame, e.to_json, lambda: list(r), r.to_pandas):
            with pytest.raises(symcf.LimitError):
                call()
    assert len(list(e)) == e.count


# --- the best so far


class Halting:
    """An oracle that has no more time after some calls."""

    def __init__(self, calls):
        self.calls = calls

    def __call__(self, find_row):
        def limited(*arguments, **options):
            self.calls -= 1
            if self.calls < 0:
                raise symcf.LimitError("time limit reached")
            return find_row(*arguments, **options)

        return limited


def test_one_reason_and_a_bound_when_time_is_up(monkeypatch):
    """`why(k=1)` had nothing before the list of all reasons was complete."""
    import symcf._core
    from symcf.search import boxes

    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    every = c.why(X[0], engine="diagram")
    first = every.sets[0]
    seen = []
    for calls in range(0, 60, 3):
        monkeypatch.setattr(boxes._core, "find_row", Halting(calls)(symcf._core.find_row))
        monkeypatch.setattr(Clock, "ended", lambda self, error: True)
        r = c.why(X[0], k=1, engine="boxes", time_limit=1e6)
        monkeypatch.undo()
        seen.append(len(r.sets))
        assert set(r.sets) <= set(every.sets)
        assert (r.status == "complete") == (r.bound is None)
        if r.bound is not None:
            assert r.bound <= every[0].cost
        if r.status == "complete":
            assert r.sets == [first]
    assert seen[0] == 0
    assert seen[len(seen) // 2] == 1
    assert r.status == "complete"


def test_the_first_reason_of_trees_is_that_of_the_whole_list():
    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    for cost in (None, [3, 1, 2, 1, 5, 1]):
        for x in X[:12]:
            wanted = c.why(x, engine="diagram", cost=cost)
            found = c.why(x, k=1, engine="boxes", cost=cost)
            assert (found.sets, found.status, found.bound) == (list(wanted.sets[:1]), "complete", None)


def test_the_nearest_so_far_and_a_bound_when_time_is_up(looks):
    """`cost="distance"` with `k` gave nothing when it was cut."""
    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    options = {"cost": "distance", "scale": "range", "data": X, "engine": "boxes", "minimality": "features"}
    every = c.explain(X[0], **options)
    costs = {cf.features: cf.cost for cf in every}
    found = []
    for count in [*range(4, 60, 4), 10**6]:
        looks(count)
        e = c.explain(X[0], k=2, time_limit=1, **options)
        found.append((len(e.sets), e.status))
        assert set(e.sets) <= set(costs)
        assert (e.bound is None) == (e.status == "complete")
        assert e.bound is None or e.bound <= min(costs.values())
    assert found[-1] == (2, "complete")
    assert any(count and status == "time_limit" for count, status in found)


def test_the_nearest_rows_are_those_of_the_whole_list_in_order():
    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    for x in X[:8]:
        every = [(cf.cost, cf.changes) for cf in c.explain(x, cost="distance", minimality="moves", engine="diagram")]
        for k in (1, 2, 5, 12):
            e = c.explain(x, cost="distance", k=k, engine="boxes")
            assert [(cf.cost, cf.changes) for cf in e] == every[:k]


def test_the_nearest_row_so_far_and_its_bound_when_time_is_up():
    """What is given is a counterfactual, and nothing is nearer than the bound."""
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(60, random_state=0).fit(X, y)
    c = symcf.compile(forest, data=X)
    options = {"cost": "distance", "k": 1, "engine": "boxes"}
    seen = set()
    for seconds in (0.05, 0.2, 60):
        e = c.explain(X[0], time_limit=seconds, **options)
        assert e.minimality == "moves"
        for cf in e:
            assert forest.predict([cf.row]) != forest.predict(X[:1])
            assert e.bound is None or e.bound <= cf.cost
        assert e.status == "complete" or e.bound is not None or not e.sets
        seen.add((len(e.sets), e.status))
    best = e[0].cost
    assert (1, "complete") in seen
    for seconds in (0.05, 0.2):
        e = c.explain(X[0], time_limit=seconds, **options)
        assert all(cf.cost >= best for cf in e)
        assert e.bound is None or e.bound <= best


@pytest.mark.parametrize("most", [1, 2, 4, None])
def test_what_is_found_first_obeys_max_changes(looks, most):
    """The sets of up to three changes that are priced first were given although fewer were allowed."""
    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    options = {
        "cost": "distance",
        "scale": "range",
        "data": X,
        "engine": "boxes",
        "minimality": "features",
        "max_changes": most,
    }
    for x in X[:6]:
        every = set(c.explain(x, **options).sets)
        for count in range(2, 40, 3):
            looks(count)
            assert set(c.explain(x, k=3, time_limit=1, **options).sets) <= every


def test_a_set_that_is_known_is_given_although_there_was_no_time_to_price_it(monkeypatch, looks):
    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    options = {"cost": "distance", "scale": "range", "data": X, "engine": "boxes", "minimality": "features"}
    every = c.explain(X[0], **options)

    def no_time(*_):
        looks(0)
        return []

    monkeypatch.setattr(symcf.values.ranking.Ranking, "prices", no_time)
    looks(10**6)
    e = c.explain(X[0], k=1, time_limit=1, **options)
    assert (len(e.sets), e.status) == (1, "time_limit")
    assert e.sets[0] in every.sets
    assert e.bound <= min(cf.cost for cf in every)


def test_where_no_set_is_small_one_of_any_size_is_found_first(monkeypatch, looks):
    """Nine stumps, five of which have to vote otherwise."""
    stumps = [{"feature": f"x{j}", "at_most": 0.5, "yes": {"class": 0}, "no": {"class": 1}} for j in range(9)]
    c = symcf.compile(symcf.RandomForest(stumps, vote="hard"))
    costs = {"cost": "distance", "scale": dict.fromkeys(c.features, 1.0), "engine": "boxes", "minimality": "features"}

    def no_time(*_):
        looks(0)
        return []

    monkeypatch.setattr(symcf.values.ranking.Ranking, "prices", no_time)
    looks(10**6)
    e = c.explain(dict.fromkeys(c.features, 0.0), k=1, time_limit=1, **costs)
    assert [len(change_set) for change_set in e.sets] == [5]
    looks(10**6)
    e = c.explain(dict.fromkeys(c.features, 0.0), k=1, time_limit=1, max_changes=4, **costs)
    assert not e.sets


def test_one_reason_of_trees_is_one_of_the_list_and_says_whether_there_are_more():
    model, X = numeric_forest()
    c = symcf.compile(model, data=X)
    seen = set()
    for immutable in ((), (0, 1), (0, 1, 2, 3)):
        for x in X[:12]:
            every = c.why(x, engine="diagram", immutable=immutable)
            one = c.why(x, max_results=1, engine="boxes", immutable=immutable)
            assert len(one.sets) == 1
            assert one.sets[0] in every.sets
            assert one.status == ("complete" if len(every.sets) == 1 else "max_results")
            seen.add(one.status)
    assert seen == {"complete", "max_results"}


# --- what prepares and checks an answer looks at the limit


@pytest.fixture(scope="module")
def grown():
    rows, labels = load_breast_cancer(return_X_y=True)
    return symcf.compile(RandomForestClassifier(5, random_state=0).fit(rows, labels), rows)


def test_trees_over_finer_codes_are_written_within_the_limit(grown):
    rule = grown.decision.trees.rule
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, len(values), 2 * len(values)).tolist() for values in grown.values]
    finer = rule.spread(codes)
    for tree, other in zip(rule.trees, finer.trees, strict=True):
        for u, j in enumerate(tree.feature.tolist()):
            if j >= 0:
                own, start = tree.left_values[tree.left_start[u] :], other.left_start[u]
                marks = other.left_values[start : start + len(codes[j])]
                assert marks.tolist() == [own[code] for code in codes[j]]
        assert len(other.left_values) == other.left_start[-1]
    with symcf.time_limit(0), pytest.raises(symcf.LimitError, match="time limit reached"):
        rule.spread(codes)


def test_verification_reads_trees_within_the_limit(grown):
    looked = []
    rule, x = grown.decision.trees.rule, [0] * 30
    choices = [list(range(len(values))) for values in grown.values]
    Leaves(rule, x, 0, None, choices, lambda rows: rows, lambda: looked.append(1))
    assert len(looked) == 10  # five trees: their nodes, and their leaves


def test_json_is_not_read_that_takes_longer_than_the_limit(monkeypatch, tmp_path):
    # a second for each character: the limit is an hour away, but reading cannot be interrupted
    c = naive_bayes()
    text, certificate = c.model.to_json(), c.explain(ROWS[0]).certificate()
    c.save(tmp_path / "saved")
    monkeypatch.setattr(clock, "READING", 10.0)
    monkeypatch.setattr(archive, "READING", 10.0)
    monkeypatch.setattr(kinds, "READING", 10.0)
    for read in (
        lambda: symcf.model_from_json(text),
        lambda: symcf.check(certificate),
        lambda: symcf.check(certificate, c),
        lambda: symcf.load(tmp_path / "saved"),
    ):
        with symcf.time_limit(3600), pytest.raises(symcf.LimitError, match="time limit reached"):
            read()
        read()


def test_certificates_are_read_within_the_limit():
    looked = []
    certificate = naive_bayes().explain(ROWS[0]).certificate()
    parse(certificate.to_json(), lambda: looked.append(1))
    assert len(looked) == 2


# --- rows of a batch that are not decided in time


def asked(predict=lambda table: np.where(np.asarray(table, dtype=float).sum(axis=1) > 3, "yes", "no")):
    rows = np.random.default_rng(4).integers(0, 3, (30, 4))
    return symcf.compile(symcf.from_predict(predict, rows, max_inputs=0)), rows[:8]


def voting():
    x, y = load_breast_cancer(return_X_y=True, as_frame=True)
    fitted = RandomForestClassifier(10, max_depth=4, random_state=0).fit(x.iloc[:, :6], y)
    return symcf.compile(fitted, data=x.iloc[:, :6]), x.iloc[:8, :6]


@pytest.mark.parametrize("made", [asked, voting, lambda: (naive_bayes(), ROWS[:8])])
@pytest.mark.parametrize("batch", [symcf.fast.explain_batch, symcf.fast.why_batch])
def test_rows_that_are_not_decided_in_time_are_marked(made, batch):
    c, rows = made()
    found = batch(c, rows, time_limit=0)
    done = found.status == STATUS.index("complete")
    assert (found.status[~done] == STATUS.index("time_limit")).all()
    assert len(found) == 8
    part = found[2:5]
    assert part.prediction.tolist() == found.prediction.tolist()[2:5]
    assert found.prediction.tolist() == c.predict(rows, codes=True).tolist()
    assert [one.status for one in found] == [STATUS[code] for code in found.status]


@pytest.mark.parametrize("batch", [symcf.fast.explain_batch, symcf.fast.why_batch])
def test_bad_rows_are_reported_though_there_is_no_time_to_decide_any(batch):
    c, rows = asked()
    given = rows.astype(object)
    given[3, 1] = "what"
    with pytest.raises(symcf.InstanceError) as error:
        batch(c, given, time_limit=0)
    assert error.value.row == 3
    found = batch(c, given, time_limit=0, errors="mark")
    assert [STATUS[code] for code in found.status] == ["time_limit"] * 3 + ["invalid"] + ["time_limit"] * 4


@pytest.fixture
def service(monkeypatch):
    """A black-box model, rows of it, and a clock that nothing moves but its calls, by a second each."""
    now = [0.0]
    for module in (clock, symcf.models.black_box, symcf.search.query):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def predict(table):
        now[0] += 1
        return np.where(np.asarray(table, dtype=float).sum(axis=1) > 3, "yes", "no")

    c, rows = asked(predict)
    return c, rows, now


@pytest.mark.parametrize("batch", [symcf.fast.explain_batch, symcf.fast.why_batch])
@pytest.mark.parametrize("options", [{}, {"k": 1}, {"target": "yes"}])
def test_whenever_time_is_up_no_row_of_a_service_is_lost(service, batch, options):
    c, rows, _ = service
    whole, seen = batch(c, rows, **options), set()
    for seconds in range(0, 60, 4):
        found = batch(c, rows, time_limit=seconds, **options)
        assert found.prediction.tolist() == whole.prediction.tolist()
        for i, status in enumerate(found.status):
            seen.add(STATUS[status])
            assert status in (whole.status[i], STATUS.index("time_limit"))
            if status == whole.status[i]:
                assert list(found.sets(i)) == list(whole.sets(i))
    assert {"time_limit", "complete"} <= seen


@pytest.mark.parametrize("seconds", [0, 0.5, 1.5, 2.5, 4.5])
@pytest.mark.parametrize(
    "call",
    [
        lambda c, rows, **limit: c.explain(rows[0], **limit),
        lambda c, rows, **limit: c.explain(rows[0], k=1, **limit),
        lambda c, rows, **limit: c.explain(rows[0], minimality="moves", **limit),
        lambda c, rows, **limit: c.count(rows[0], **limit),
        lambda c, rows, **limit: c.why(rows[0], **limit),
        lambda c, rows, **limit: symcf.fast.explain_batch(c, rows, **limit),
        lambda c, rows, **limit: symcf.audit(c, rows, **limit),
    ],
)
def test_no_call_of_a_service_is_begun_that_would_not_end_in_time(service, call, seconds):
    """They cannot be interrupted; how long they take is known from the first ones."""
    c, rows, now = service
    began = now[0]
    with contextlib.suppress(symcf.LimitError):
        call(c, rows, time_limit=seconds)
    assert now[0] - began <= seconds


@pytest.mark.parametrize("slow", [(BatchExplanation, "cells"), (Explainer, "best_codes")])
@pytest.mark.parametrize(
    "call", [symcf.report.show, lambda c, rows: symcf.fast.explain_batch(c, rows, k=1).to_pandas()]
)
def test_what_is_made_of_the_rows_of_a_batch_ends_with_the_limit(monkeypatch, slow, call):
    """What is slow takes a second of a clock that nothing else moves."""
    x, y = load_breast_cancer(return_X_y=True, as_frame=True)
    x = x.iloc[:, :5]
    c = symcf.compile(make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y), data=x)
    now = [0.0]
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: now[0]))
    owner, name = slow
    whole = getattr(owner, name)

    def slowly(*given):
        now[0] += 1
        return whole(*given)

    monkeypatch.setattr(owner, name, slowly)
    with contextlib.suppress(symcf.LimitError), symcf.time_limit(3):
        call(c, x[:20])
    assert now[0] <= 3
