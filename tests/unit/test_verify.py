"""verify notices each kind of wrong explanation."""

import dataclasses
import itertools
import sys

import numpy as np
import pytest

import symcf
from symcf import verify as _verify_function
from symcf.answers.explanation import Explanation
from symcf.demo import admission
from symcf.proof.verification import check
from symcf.question.constraint_kinds import Immutable, MaxChanges
from symcf.question.costs import Costs

X = [0, 0, 1, 0]


@pytest.fixture
def c():
    return symcf.compile(admission())


def altered(explanation: Explanation, **changes) -> Explanation:
    """The same explanation with something wrong about it."""
    wrong = Explanation.__new__(Explanation)
    wrong.__dict__.update(explanation.__dict__ | changes)
    return wrong


def test_the_right_explanation_passes(c):
    report = _verify_function(c, X, c.explain(X))
    assert report
    assert report.method == "brute force"
    assert str(report).count("yes") == 4


def test_a_missing_set_is_noticed(c):
    report = symcf.verify(c, X, altered(c.explain(X), sets=[(1,)]))
    assert report.complete is False
    assert not report
    assert "(0, 3) is missing" in str(report)


def test_a_set_that_is_not_minimal_is_noticed(c):
    report = symcf.verify(c, X, altered(c.explain(X), sets=[(0, 1), (0, 3)]))
    assert report.minimal is False
    assert "(1,) would do" in str(report)


def test_a_set_that_does_not_flip_is_noticed(c):
    report = symcf.verify(c, X, altered(c.explain(X), sets=[(0,), (1,), (0, 3)]))
    assert report.valid is False


def test_a_set_against_the_constraints_is_noticed(c):
    right = c.explain(X)
    constraint = Immutable(1, "work experience")
    report = symcf.verify(c, X, altered(right, constraints=(constraint,)))
    assert report.valid is False
    limit = MaxChanges(value=1)
    assert symcf.verify(c, X, altered(right, constraints=(limit,))).valid is False


def test_a_wrong_order_is_noticed(c):
    assert symcf.verify(c, X, altered(c.explain(X), sets=[(0, 3), (1,)])).honest is False
    assert symcf.verify(c, X, altered(c.explain(X), sets=[(1,), (1,), (0, 3)])).honest is False


def test_a_wrong_probability_or_cost_is_noticed(c):
    right = c.explain(X)

    class Optimistic:
        given, cells, contradiction = right.source.given, right.source.cells, right.source.contradiction

        def built(self, s):
            (cf,) = right.source.built(s)
            return [dataclasses.replace(cf, probability=0.99)]

    assert symcf.verify(c, X, altered(right, source=Optimistic())).honest is False
    assert symcf.verify(c, X, altered(right, costs=Costs([2.0, 2.0, 2.0, 2.0], c.features))).honest is False


def test_an_explanation_of_another_instance_is_noticed(c):
    assert symcf.verify(c, [1, 0, 1, 0], c.explain(X)).valid is False


def test_incompleteness_that_is_admitted_is_fine(c):
    report = symcf.verify(c, X, c.explain(X, max_results=1))
    assert report
    assert "does not claim to be complete" in str(report)


@pytest.fixture(scope="module")
def larger():
    """Too large for brute force."""
    rng = np.random.default_rng(3)
    n = 20
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.4, p1=rng.random(n), p0=rng.random(n)))
    return c, rng.integers(0, 2, n).tolist()


@pytest.mark.parametrize("method", ["duality", "SAT"])
def test_beyond_brute_force_duality_or_a_solver_answers(monkeypatch, larger, method):
    if method == "SAT":
        monkeypatch.setattr(check, "MOST_DUAL", 0)
    c, x = larger
    e = c.explain(x)
    report = symcf.verify(c, x, e)
    assert report
    assert report.method == method
    assert symcf.verify(c, x, altered(e, sets=e.sets[:-1])).complete is False


def test_beyond_brute_force_with_few_changes(larger):
    c, x = larger
    e = c.explain(x, max_changes=4)
    assert symcf.verify(c, x, e)
    assert symcf.verify(c, x, altered(e, sets=e.sets[1:])).complete is False


def test_beyond_brute_force_the_cheapest(larger):
    c, x = larger
    cost = np.random.default_rng(4).integers(1, 9, 20).tolist()
    e = c.explain(x, k=5, cost=cost)
    assert symcf.verify(c, x, e)
    assert symcf.verify(c, x, altered(e, sets=e.sets[1:], k=4)).complete is False


@pytest.mark.long
@pytest.mark.parametrize("cost", [None, [1, 2] * 10, [7, 3, 5, 2] * 5])
def test_beyond_brute_force_any_missing_one_of_the_cheapest_is_noticed(larger, cost):
    c, x = larger
    x = max(np.random.default_rng(6).integers(0, 2, (40, 20)).tolist(), key=c.count)
    k = min(40, c.count(x) // 2)
    assert k > 15
    e = c.explain(x, k=k, cost=cost)
    report = symcf.verify(c, x, e)
    assert report
    assert report.method == "sums"
    for i in range(len(e.sets) - 1):
        short = altered(e, sets=e.sets[:i] + e.sets[i + 1 :], k=k - 1)
        assert symcf.verify(c, x, short).complete is False


def test_large_sets_that_are_not_minimal_are_noticed(larger):
    c, x = larger
    e = c.explain(x, k=4)
    assert len(e.sets[-1]) < 17
    large = tuple(range(20))  # 2**20 parts
    for sets in [[large], [*e.sets[:-1], large]]:
        assert symcf.verify(c, x, altered(e, sets=sets, k=len(sets))).minimal is False


def test_what_cannot_be_checked_is_said():
    rng = np.random.default_rng(5)
    n = 200
    weak = rng.uniform(0.45, 0.55, (2, n))  # so that many features have to change
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.01, p1=weak[0], p0=weak[1]), max_nodes=1000)
    x = rng.integers(0, 2, n)
    report = symcf.verify(c, x, c.explain(x, max_changes=3))
    assert report.complete is None
    assert not report
    assert "not checked" in str(report)
    assert not report.problems


# --- where there are no sums: diagrams, relations, costs of values ----------------------------------------------------

VERIFY = sys.modules[symcf.verify.__module__]


@pytest.fixture
def no_brute_force(monkeypatch):
    """Even the smallest question goes to a solver."""
    for name in ("BRUTE_FORCE", "BRUTE_FORCE_ALL", "FEW_PARTS"):
        assert hasattr(VERIFY, name)
        monkeypatch.setattr(VERIFY, name, 1)


def questions():
    """Classifiers, instances and options that no sum of weights can answer for."""
    rng = np.random.default_rng(11)
    for n_values, n_classes in [([2] * 5, 2), ([3, 2, 4, 2], 2), ([2, 3, 3], 3)]:
        answers = dict(zip(itertools.product(*map(range, n_values)), itertools.cycle(rng.integers(0, n_classes, 97))))
        c = symcf.compile(symcf.from_function(answers.__getitem__, n_values, classes=range(n_classes)))
        for _ in range(4):
            yield c, rng.integers(0, n_values).tolist(), {}
            yield c, rng.integers(0, n_values).tolist(), {"max_changes": 2}
            yield c, rng.integers(0, n_values).tolist(), {"immutable": [0]}
            yield c, rng.integers(0, n_values).tolist(), {"cost": "ordinal"}
    rng = np.random.default_rng(12)
    sums = symcf.compile(symcf.LinearClassifier([[0, 2, 5], [1, 0, 3], [0, 4], [2, 0, 1, 6]], -6))
    for _ in range(4):
        x = rng.integers(0, [3, 3, 2, 4]).tolist()
        yield sums, x, {"constraints": "x0 = 1 -> x3 != 3"}
        yield sums, x, {"cost": "ordinal", "allowed": {"x3": "increase"}}


@pytest.fixture(params=["SAT", "diagram"])
def method(request, monkeypatch):
    """By a solver, as with many features, or by passes over the diagram."""
    if request.param == "SAT":
        monkeypatch.setattr(check, "MOST_FREE", -1)
    return request.param


def test_without_sums_it_finds_what_is_missing(no_brute_force, method):
    missing, used = 0, set()
    for c, x, options in questions():
        e = c.explain(x, **options)
        report = symcf.verify(c, x, e)
        assert report, report
        used.add(report.method)
        for i in range(len(e.sets)):
            assert symcf.verify(c, x, altered(e, sets=e.sets[:i] + e.sets[i + 1 :])).complete is False
            missing += 1
    assert missing > 100
    assert used == {method, "duality"}  # duality where sums tell


def test_without_sums_it_finds_what_is_not_minimal(no_brute_force, method):
    larger = 0
    for c, x, options in questions():
        e = c.explain(x, **options)
        n = len(x)
        for i, small in enumerate(e.sets):
            for j in sorted(set(range(n)) - set(small)):
                large = tuple(sorted({*small, j}))
                report = symcf.verify(c, x, altered(e, sets=[*e.sets[:i], large, *e.sets[i + 1 :]]))
                # A feature that may not change keeps its value in any set.
                assert report.minimal is False
                assert f"{large} is not minimal" in str(report)
                larger += 1
    assert larger > 200


def test_without_sums_a_solver_finds_what_is_cheaper(no_brute_force):
    checked = dearer = 0
    for c, x, options in questions():
        everything = c.explain(x, **options)
        costs = [cf.cost for cf in everything]
        for k in range(1, len(costs)):
            e = c.explain(x, k=k, **options)
            report = symcf.verify(c, x, e)
            assert report, report
            assert report.method == "SAT"
            checked += 1
            for i in range(k):
                if costs[i] < costs[k]:  # the next one is dearer, so it may not take this one's place
                    sets = [*e.sets[:i], *e.sets[i + 1 :], everything.sets[k]]
                    assert symcf.verify(c, x, altered(e, sets=sets)).complete is False
                    dearer += 1
    assert checked > 60
    assert dearer > 40


def test_without_sums_and_beyond_brute_force():
    """The same with nothing in its way but size."""
    n = 18
    trees = [
        {"feature": f"x{j}", "at_most": 0.5, "yes": {"class": 0}, "no": {"feature": f"x{(j + 5) % n}", "at_most": 0.5,
         "yes": {"class": j % 2}, "no": {"class": 1}}}
        for j in range(n)
    ]  # fmt: skip
    c = symcf.compile(symcf.RandomForest(trees, features=[f"x{j}" for j in range(n)], classes=[0, 1]))
    x = [0] * n
    cost = [1 + j % 3 for j in range(n)]
    few = c.explain(x, k=3, cost=cost)
    report = symcf.verify(c, x, few)
    assert report, report
    assert report.method == "SAT"
    everything = c.explain(x, cost=cost)
    assert everything[-1].cost > few[0].cost
    assert symcf.verify(c, x, altered(few, sets=[*few.sets[1:], everything.sets[-1]])).complete is False
    report = symcf.verify(c, x, altered(few, sets=[*few.sets[:2], tuple(range(n))]))  # 2**18 parts
    assert report.minimal is False


@pytest.mark.parametrize("given", [None, [(1,)], "sets"])
def test_only_answers_are_checked(given):
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[0.4, 0.96], p0=[0.15, 0.1]))
    with pytest.raises(symcf.OptionError, match="verify checks what explain or why gave, not"):
        symcf.verify(c, [0, 0], given)


def test_columns_of_ranges_that_may_not_change():
    """A number that is kept is not a change, whether relations compare its column or only count its changes."""
    below = {"feature": "b", "at_most": 2.5, "yes": {"class": 0}, "no": {"class": 1}}
    tree = symcf.DecisionTree({"feature": "a", "at_most": 1.5, "yes": below, "no": {"class": 1}}, features=["a", "b"])
    c = symcf.compile(tree)
    e = c.explain([0, 2], constraints=["at_most(0, b)"])
    assert e.sets == [(0,)]
    assert symcf.verify(c, [0, 2], e)
