"""verify notices each kind of wrong explanation."""

import numpy as np
import pytest

import symcf
from symcf import verify as _verify_function
from symcf.demo import admission
from symcf.questions.costs import Costs
from symcf.results.explanation import Explanation

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
    constraint = symcf.questions.constraints.Constraint("immutable", 1, "work experience")
    report = symcf.verify(c, X, altered(right, constraints=(constraint,)))
    assert report.valid is False
    limit = symcf.questions.constraints.Constraint("max_changes", None, None, 1)
    assert symcf.verify(c, X, altered(right, constraints=(limit,))).valid is False


def test_a_wrong_order_is_noticed(c):
    assert symcf.verify(c, X, altered(c.explain(X), sets=[(0, 3), (1,)])).honest is False
    assert symcf.verify(c, X, altered(c.explain(X), sets=[(1,), (1,), (0, 3)])).honest is False


def test_a_wrong_probability_or_cost_is_noticed(c):
    right = c.explain(X)
    build = right._build

    def optimistic(s):
        cf = build(s)
        return symcf.Counterfactual(cf.changes, cf.cost, cf.instance, cf.target, 0.99)

    assert symcf.verify(c, X, altered(right, _build=optimistic)).honest is False
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


def test_beyond_brute_force_a_solver_answers(larger):
    c, x = larger
    e = c.explain(x)
    report = symcf.verify(c, x, e)
    assert report
    assert report.method == "SAT"
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
