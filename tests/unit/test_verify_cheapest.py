"""verify of the k cheapest beyond brute force: which sets are the first by (cost, size, features)?"""

import itertools
import sys

import numpy as np
import pytest

import symcf
from symcf.answers.explanation import Explanation
from symcf.system.classifier import Classifier

VERIFY = sys.modules[symcf.verify.__module__]


def altered(explanation: Explanation, **changes) -> Explanation:
    """The same explanation with something wrong about it."""
    wrong = Explanation.__new__(Explanation)
    wrong.__dict__.update(explanation.__dict__ | changes)
    return wrong


@pytest.fixture
def no_brute_force(monkeypatch):
    """Even the smallest question goes to sums or a solver."""
    for name in ("BRUTE_FORCE", "BRUTE_FORCE_ALL", "FEW_PARTS"):
        assert hasattr(VERIFY, name)
        monkeypatch.setattr(VERIFY, name, 1)


@pytest.fixture
def no_sums(monkeypatch):
    """Sums give up at once: a solver has to answer."""
    monkeypatch.setattr(VERIFY, "BRUTE_FORCE_ALL", 0)
    monkeypatch.setattr(VERIFY, "BRUTE_FORCE", 1)


def functions():
    """Classifiers without sums, and instances."""
    rng = np.random.default_rng(21)
    for n_values in ([2] * 5, [3, 2, 4, 2]):
        rows = itertools.product(*map(range, n_values))
        answers = dict(zip(rows, itertools.cycle(rng.integers(0, 2, 97).tolist())))
        c = symcf.compile(symcf.from_function(answers.__getitem__, n_values))
        for _ in range(6):
            yield c, rng.integers(0, n_values).tolist()


@pytest.mark.parametrize("cost", [None, "ordinal"])
def test_of_equally_cheap_sets_only_the_first_ones_will_do(no_brute_force, cost):
    swapped = 0
    for c, x in functions():
        everything = c.explain(x, cost=cost)
        costs = [cf.cost for cf in everything]
        for k in range(1, len(costs)):
            right = c.explain(x, k=k, cost=cost)
            report = symcf.verify(c, x, right)
            assert report, report
            assert report.method == "SAT"
            for i in range(k):
                if costs[i] == costs[k]:
                    sets = [*right.sets[:i], *right.sets[i + 1 :], everything.sets[k]]
                    assert symcf.verify(c, x, altered(right, sets=sets)).complete is False
                    swapped += 1
    assert swapped > 10


def pricey_alone() -> tuple[symcf.Compiled, list[int], dict]:
    """Changing a and b is cheap and not minimal: a alone would do, at a high price. Only c is both."""
    c = symcf.compile(symcf.LinearClassifier([[0, 1, 2], [0, 1], [0, 2]], -1, features=["a", "b", "c"]))
    return c, [0, 0, 0], {"cost": {"a": {1: 1, 2: 10}, "b": 1, "c": 5}}


@pytest.mark.parametrize("way", ["sums", "SAT"])
def test_a_cheap_set_that_is_not_minimal_is_not_missing(monkeypatch, way):
    monkeypatch.setattr(VERIFY, "BRUTE_FORCE", 1)
    if way == "SAT":
        monkeypatch.setattr(VERIFY, "BRUTE_FORCE_ALL", 0)
    c, x, options = pricey_alone()
    assert c.explain(x, **options).sets == [(2,), (0,)]
    e = c.explain(x, k=1, **options)
    report = symcf.verify(c, x, e)
    assert report, report
    assert report.method == way
    assert symcf.verify(c, x, altered(e, sets=[(0,)])).complete is False


def many_values(n: int, d: int, n_classes: int) -> tuple[symcf.Compiled, list[int]]:
    rng = np.random.default_rng(5)
    tables = list(rng.dirichlet(np.ones(d), (n, n_classes)))
    c = symcf.compile(symcf.NaiveBayes(np.full(n_classes, 1 / n_classes), tables))
    return c, rng.integers(0, d, n).tolist()


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("k", [None, 3])
def test_sums_need_no_diagram_of_the_values_whatever_the_values_cost(monkeypatch, n_classes, k):
    """That diagram, of 14 features of four values and five classes, was not done after 38 s."""
    c, x = many_values(14, 4, n_classes)
    e = c.explain(x, cost="ordinal", k=k)
    assert len(e.sets) == k if k else len(e.sets) > 3

    def never(*_: object) -> None:
        raise AssertionError("a diagram is built")

    monkeypatch.setattr(Classifier, "_build_diagram", never)
    report = symcf.verify(c, x, e)
    assert report, report
    assert report.method == ("sums" if k else "duality")
    monkeypatch.setattr(VERIFY, "MOST_DUAL", 0)
    report = symcf.verify(c, x, e)
    assert report, report
    assert report.method == ("sums" if k else "SAT")
    short = altered(e, sets=e.sets[1:], k=k and k - 1)
    assert symcf.verify(c, x, short).complete is False
