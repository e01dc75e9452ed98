"""sample draws uniformly from what explain lists, and needs no diagram where sums of weights decide."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest

import symcf
from symcf.search import protocol
from symcf.system.classifier import Classifier


@pytest.fixture
def no_diagram(monkeypatch):
    def never(*_: object) -> None:
        raise AssertionError("a diagram is built")

    monkeypatch.setattr(Classifier, "_build_diagram", never)


def looks_uniform(drawn, sets) -> bool:
    """Every set was drawn, nothing else, and chi-square is within five standard deviations of what is expected."""
    counts = Counter(cf.features for cf in drawn)
    each = len(drawn) / len(sets)
    chi_square = sum((counts[s] - each) ** 2 / each for s in sets)
    freedom = len(sets) - 1
    return set(counts) == set(sets) and chi_square <= freedom + 5 * sqrt(2 * freedom)


def test_the_check_of_uniformity_can_fail():
    c = symcf.compile(symcf.LinearClassifier([[0, 3], [0, 2], [0, 2], [0, 1]], -2))
    drawn = c.sample([0, 0, 0, 0], 400, random_state=1)
    assert looks_uniform(drawn, c.explain([0, 0, 0, 0]).sets)
    assert not looks_uniform([cf for cf in drawn if cf.features != (0,)], c.explain([0, 0, 0, 0]).sets)
    assert not looks_uniform([*drawn, *[cf for cf in drawn if cf.features == (0,)]], c.explain([0, 0, 0, 0]).sets)


def questions():
    rng = np.random.default_rng(31)
    for reach in (2, 5, 1000, 2**50):
        for _ in range(8):
            weights = [rng.integers(-reach, reach, rng.integers(1, 4)).tolist() for _ in range(rng.integers(4, 11))]
            middle = sum(min(of) + max(of) for of in weights) // 2
            c = symcf.compile(symcf.LinearClassifier(weights, -middle))
            x = [int(np.argmin(of)) for of in weights]
            yield c, x, {}
            yield c, x, {"max_changes": int(rng.integers(1, len(x) + 1)), "immutable": [0]}


@pytest.mark.slow
def test_sums_draw_uniformly_from_what_is_listed(no_diagram):
    drawn_from = []
    for c, x, options in questions():
        sets = c.explain(x, **options).sets
        if not sets:
            with pytest.raises(ValueError, match="no counterfactual to draw"):
                c.sample(x, 1, **options)
            assert c.sample(x, 0, **options) == []
        else:
            assert looks_uniform(c.sample(x, 30 * len(sets), random_state=len(sets), **options), sets)
            drawn_from.append(len(sets))
    assert len(drawn_from) > 30
    assert max(drawn_from) > 20


def many_classes() -> tuple[symcf.Compiled, list[int]]:
    rng = np.random.default_rng(2)
    c = symcf.compile(symcf.NaiveBayes(np.full(4, 0.25), list(rng.dirichlet(np.ones(3), (7, 4)))))
    return c, rng.integers(0, 3, 7).tolist()


def test_with_many_classes_a_short_list_is_drawn_from(no_diagram):
    c, x = many_classes()
    sets = c.explain(x).sets
    assert len(sets) > 4
    assert looks_uniform(c.sample(x, 60 * len(sets), random_state=3), sets)


def test_with_many_classes_and_a_long_list_a_diagram_is_drawn_from(monkeypatch):
    c, x = many_classes()
    sets = c.explain(x).sets
    monkeypatch.setattr(protocol, "LISTED", len(sets) - 1)
    assert looks_uniform(c.sample(x, 60 * len(sets), random_state=3), sets)


def test_relations_and_targets_draw_from_a_diagram():
    c, x = many_classes()
    for options in ({"constraints": "x0 = 1 -> x1 != 0"}, {"target": 1 - int(c.predict([x], codes=True)[0] == 1)}):
        sets = c.explain(x, **options).sets
        assert len(sets) > 1
        assert looks_uniform(c.sample(x, 60 * len(sets), random_state=4, **options), sets)


def wide(n: int) -> tuple[symcf.Compiled, list[int]]:
    """Many features of general weights: their diagram would have more nodes than any machine."""
    weights = np.random.default_rng(7).integers(1 << 30, 1 << 31, n).tolist()
    return symcf.compile(symcf.LinearClassifier([[0, weight] for weight in weights], -4 << 30)), [0] * n


def test_two_hundred_features_are_no_hindrance(no_diagram):
    c, x = wide(200)
    for options in ({"max_changes": 3}, {"immutable": range(30, 200)}):
        count = c.count(x, **options)
        assert count > 1000
        drawn = c.sample(x, 300, random_state=5, **options)
        assert len({cf.features for cf in drawn}) > min(count, 300) // 2
        weight = {j: int(w) for j, w in enumerate(np.random.default_rng(7).integers(1 << 30, 1 << 31, 200))}
        for cf in drawn:
            gained = [weight[j] for j in cf.features]
            assert sum(gained) > 4 << 30 >= sum(gained) - min(gained)


def test_the_same_seed_draws_the_same_everywhere():
    """By the bits of numpy's PCG64, which are the same on every machine."""
    c = symcf.compile(symcf.LinearClassifier([[0, w] for w in (5, 4, 3, 3, 2, 2, 1, 1)], -6))
    drawn = [cf.features for cf in c.sample([0] * 8, 6, random_state=2026)]
    assert drawn == [cf.features for cf in c.sample([0] * 8, 6, random_state=np.random.default_rng(2026))]
    assert drawn == [(2, 3, 5), (0, 4), (0, 5), (2, 3, 4), (2, 4, 6, 7), (0, 4)]


def test_limits_strike():
    c, x = wide(60)
    with pytest.raises(symcf.LimitError, match="time limit"):
        c.sample(x, 10, random_state=1, time_limit=0)
    small = symcf.compile(c.model, max_nodes=10)
    with pytest.raises(symcf.LimitError, match="limit reached"):
        small.sample(x, 10, random_state=1)
