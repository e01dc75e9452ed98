"""Costs: integers in the exact proportions of the decimals given."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.costs import Costs

FEATURES = ("a", "b", "c")

decimals = st.integers(1, 10**6).map(lambda k: k / 1000)
any_cost = st.floats(min_value=0, exclude_min=True, allow_infinity=False) | st.integers(1, 10**30) | decimals


def costs_of(cost, features=FEATURES):
    return Costs(cost, features).weights()


@pytest.mark.parametrize(
    ("cost", "weights"),
    [
        (None, [1, 1, 1]),
        ([1, 2, 3], [1, 2, 3]),
        ([2, 4, 6], [1, 2, 3]),
        ([0.1, 0.2, 0.3], [1, 2, 3]),
        ([0.5, 1, 1.5], [1, 2, 3]),
        ((1e-3, 1, 1e3), [1, 1000, 10**6]),
        (np.array([0.25, 0.5, 1.0]), [1, 2, 4]),
        (np.array([3, 6, 9]), [1, 2, 3]),
        ({}, [1, 1, 1]),
        ({"b": 2.5}, [2, 5, 2]),
        ({0: 3, "c": 2}, [3, 1, 2]),
        ({np.int64(1): np.float32(0.5)}, [2, 1, 2]),
    ],
    ids=str,
)
def test_costs_become_the_smallest_integers_in_proportion(cost, weights):
    assert costs_of(cost) == weights


@given(st.lists(decimals, min_size=1, max_size=8))
def test_decimals_keep_their_exact_proportions(cost):
    weights = costs_of(cost, [f"x{j}" for j in range(len(cost))])
    first = oracle.as_written(cost[0])
    assert [Fraction(w, weights[0]) for w in weights] == [oracle.as_written(c) / first for c in cost]
    assert math.gcd(*weights) == 1


@given(st.lists(any_cost, min_size=1, max_size=6))
def test_any_costs_are_positive_and_their_sum_fits_the_core(cost):
    weights = costs_of(cost, [f"x{j}" for j in range(len(cost))])
    assert all(w >= 1 for w in weights)
    assert sum(weights) < 2**62


@given(st.lists(any_cost, min_size=2, max_size=6))
def test_a_dearer_feature_never_becomes_cheaper(cost):
    weights = costs_of(cost, [f"x{j}" for j in range(len(cost))])
    ranked = sorted(range(len(cost)), key=lambda j: float(cost[j]))
    assert [weights[j] for j in ranked] == sorted(weights)


@given(st.lists(st.floats(0.5, 2), min_size=2, max_size=6))
def test_wild_costs_are_close_to_proportional(cost):
    weights = costs_of(cost, [f"x{j}" for j in range(len(cost))])
    for a, b in zip(cost, weights, strict=True):
        assert a / cost[0] == pytest.approx(b / weights[0], rel=1e-12)


def test_the_order_of_sets_is_that_of_the_exact_costs():
    weights = costs_of([0.1, 0.2, 0.3])
    assert weights[0] + weights[1] == weights[2]  # 0.1 + 0.2 == 0.3, unlike in floats
    sets = [(2,), (0, 1), (1,), (0,)]
    assert oracle.cheapest(sets, [0.1, 0.2, 0.3]) == [(0,), (1,), (2,), (0, 1)]
    assert oracle.cheapest(sets, weights) == oracle.cheapest(sets, [0.1, 0.2, 0.3])


def test_totals_are_in_the_units_given():
    costs = Costs([0.1, 0.2, 0.7], FEATURES)
    assert costs.total((0, 1, 2)) == 1.0
    assert costs.total(()) == 0
    assert Costs(None, FEATURES).total((0, 2)) == 2.0


def test_no_features():
    assert costs_of([], ()) == costs_of(None, ()) == costs_of({}, ()) == []


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ([1, 2], ["2 numbers", "3 features"]),
        ([1, 2, 0], ["'c'", "0"]),
        ([1, -2, 3], ["'b'", "-2"]),
        ([math.nan, 2, 3], ["'a'", "nan"]),
        ([1, math.inf, 3], ["'b'", "inf"]),
        ([1, "2", 3], ["'b'", "'2'"]),
        ([1, None, 3], ["'b'", "None"]),
        ([1, True, 3], ["'b'", "True"]),
        ([1, 10**400, 3], ["'b'"]),
        ({"d": 1}, ["'d'"]),
        ({3: 1}, ["3"]),
        ({"b": "dear"}, ["'b'", "'dear'"]),
        (5, ["mapping", "5"]),
        ("abc", ["'a'"]),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_costs_that_make_no_sense_are_named(cost, words):
    with pytest.raises(symcf.OptionError) as error:
        Costs(cost, FEATURES)
    assert [word for word in words if word not in str(error.value)] == []
