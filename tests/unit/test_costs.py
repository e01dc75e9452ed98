"""Costs: integers in the exact proportions of the decimals given."""

from __future__ import annotations

import itertools
import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import chain, combinations, pairwise

import numpy as np
import oracle
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

import symcf
import symcf.fast
from symcf.demo import admission
from symcf.question import prices as exact
from symcf.question.costs import Costs
from symcf.question.prices import FARTHEST, Line
from symcf.search.change_sets import ChangeSets

FEATURES = ("a", "b", "c")

decimals = st.integers(1, 10**6).map(lambda k: k / 1000)
any_cost = st.floats(min_value=0, max_value=1e300, exclude_min=True) | st.integers(1, 10**30) | decimals


def costs_of(cost, features=FEATURES):
    units = Costs(cost, features).units
    return [1] * len(features) if units is None else units.tolist()


def readable(value):
    """The same in every process: functions say where they lie in memory."""
    return re.sub(" at 0x[0-9a-f]+", "", str(value))


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
    ids=readable,
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


some_costs = st.sampled_from([1e-300, 1e-9, 0.1, 0.2, 0.3, 1 / 3, 1, 1.3865897071204574, 2, 7, 1e9, 1e18, 1e300])
exact_costs = (
    any_cost | some_costs | st.fractions(Fraction(1, 10**6), 10**6) | st.decimals("1e-30", "1e30", allow_nan=False)
)


@given(st.lists(exact_costs, min_size=1, max_size=6))
def test_all_sums_compare_as_those_of_the_numbers(cost):
    costs = Costs(cost, [f"x{j}" for j in range(len(cost))])
    sums = [
        (sum(Fraction(c) if isinstance(c, (int, Decimal, Fraction)) else oracle.as_written(c) for c in chosen), chosen)
        for chosen in chain.from_iterable(combinations(cost, size) for size in range(len(cost) + 1))
    ]
    places = chain.from_iterable(combinations(range(len(cost)), size) for size in range(len(cost) + 1))
    units = [sum(costs.unit_of(j, 0, 1) for j in chosen) for chosen in places]
    exact = [number for number, _ in sums]
    by_number = sorted(range(len(exact)), key=exact.__getitem__)
    for a, b in pairwise(by_number):
        assert (units[a] < units[b]) == (exact[a] < exact[b])
    if costs.fit:
        assert costs.units.tolist() == [costs.unit_of(j, 0, 1) for j in range(len(cost))]


FLAT = symcf.NaiveBayes.binary(prior=0.3, p1=[0.9] * 5, p0=[0.1] * 5)


@pytest.mark.parametrize("engine", ["cover", "diagram", "sat-portable"])
@pytest.mark.parametrize(
    "cost",
    [
        [0.3, 0.1, 1e18, 0.2, 1e18],
        [1, 1, 2, 1.3865897071204574, 1000],
        [Fraction(1, p) for p in (1000003, 1000033, 1000037, 1000039, 1000081)],
        [Decimal(1) + Decimal(j).scaleb(-30) for j in (3, 1, 2, 0, 3)],
        [Fraction(1, 3) + Fraction(j, 10**25) for j in (3, 1, 2, 0, 3)],
    ],
    ids=str,
)
def test_every_engine_orders_costs_of_any_range_exactly(cost, engine):
    c = symcf.compile(FLAT)
    exact = [Fraction(each) if isinstance(each, Fraction) else Fraction(str(each)) for each in cost]
    sets = c.explain([0] * 5).sets
    wanted = sorted(sets, key=lambda s: (sum(exact[j] for j in s), len(s), s))
    assert len(sets) == 10
    assert c.explain([0] * 5, cost=cost, engine=engine).sets == wanted
    for k in range(1, 11):
        e = c.explain([0] * 5, cost=cost, k=k, engine=engine)
        assert e.sets == wanted[:k]
        assert symcf.verify(c, [0] * 5, e)
    batch = symcf.fast.explain_batch(c, [[0] * 5, [1] * 5], cost=cost, k=4, engine=engine)
    assert batch.sets(0) == wanted[:4]


def test_verify_does_not_share_the_rounding_that_it_checks():
    """Sets that differ by less than 61 bits tell apart, given in the wrong order."""
    c = symcf.compile(FLAT)
    cost = [Decimal(1) + Decimal(j).scaleb(-30) for j in (3, 1, 2, 0, 3)]
    e = c.explain([0] * 5, cost=cost, k=2)
    assert symcf.verify(c, [0] * 5, e)
    wrong = symcf.Explanation.__new__(symcf.Explanation)
    wrong.__dict__.update(e.__dict__ | {"sets": ChangeSets.of(list(e.sets)[::-1])})
    assert symcf.verify(c, [0] * 5, wrong).honest is False
    wrong.__dict__.update(e.__dict__ | {"sets": ChangeSets.of([e.sets[0], (0, 4)])})
    assert symcf.verify(c, [0] * 5, wrong).complete is False


def test_a_series_is_read_by_its_names():
    pandas = pytest.importorskip("pandas")
    assert costs_of(pandas.Series([3, 1, 2], index=["c", "a", "b"])) == [1, 2, 3]
    assert costs_of(pandas.Series([1, 2, 3])) == [1, 2, 3]
    assert costs_of(pandas.Series({"b": 2.5})) == [2, 5, 2]
    with pytest.raises(symcf.OptionError, match="'d'"):
        costs_of(pandas.Series({"d": 2.5}))


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


# --- costs a value ----------------------------------------------------------------------------------------------------

VALUES = (("low", "mid", "high"), ("no", "yes"), ("x", "y", "z", ("x", "y")))
ORDERED = (True, False, False)


def by_value(cost):
    return Costs(cost, FEATURES, VALUES, ORDERED)


def units_of(costs):
    """By feature, old and new code, as lists."""
    return [[[costs.unit_of(j, a, b) for b in range(len(v))] for a in range(len(v))] for j, v in enumerate(VALUES)]


ONE = [[[int(a != b) for b in range(len(v))] for a in range(len(v))] for v in VALUES]


@pytest.mark.parametrize(
    ("cost", "feature", "wanted"),
    [
        ({"a": "ordinal"}, 0, [[0, 1, 2], [1, 0, 1], [2, 1, 0]]),
        ({"a": [[9, 1, 4], [1, -1, 2], [4, 2, None]]}, 0, [[0, 1, 4], [1, 0, 2], [4, 2, 0]]),
        ({0: np.array([[0, 1, 4], [1, 0, 2], [4, 2, 0]])}, 0, [[0, 1, 4], [1, 0, 2], [4, 2, 0]]),
        ({"b": {("no", "yes"): 3}}, 1, [[0, 3], [1, 0]]),
        ({"b": {"yes": 3}}, 1, [[0, 3], [1, 0]]),
        ({"a": {"high": 3, ("mid", "high"): 2}}, 0, [[0, 1, 3], [1, 0, 2], [1, 1, 0]]),
        ({"c": {("x", "z"): 2}}, 2, [[0, 1, 2, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]),
        ({"a": lambda old, new: 2 if new == "low" else 1}, 0, [[0, 1, 1], [2, 0, 1], [2, 1, 0]]),
        ([1, 1, {"y": 5}], 2, [[0, 5, 1, 1], [1, 0, 1, 1], [1, 5, 0, 1], [1, 5, 1, 0]]),
        ({}, 0, ONE[0]),
    ],
    ids=readable,
)
def test_costs_a_value_are_read(cost, feature, wanted):
    costs = by_value(cost)
    assert units_of(costs) == [wanted if j == feature else ONE[j] for j in range(3)]
    assert (costs.per_value is not None) == (cost != {})


def test_every_cost_is_on_one_scale():
    costs = by_value({"a": {"high": 0.3, "mid": 0.1}, "b": 0.2})
    assert units_of(costs)[0] == [[0, 1, 3], [10, 0, 3], [10, 1, 0]]
    assert units_of(costs)[1] == [[0, 2], [2, 0]]
    assert costs.units.tolist() == [1, 2, 10]
    assert costs.given == (0.1, 0.2, 1.0)
    assert costs.cost_of(0, 0, 2) == 0.3
    assert costs.cost_of(0, 0, 0) == 0
    assert costs.total_of((0, 0, 0), {0: 2, 1: 1}) == 0.5
    assert costs.lower_units((0, 0, 1)).tolist() == [1, 2, 10]
    mask = np.array([1, 0, 1, 1, 0, 0, 0, 0, 0], dtype=np.uint8)
    assert costs.lower_units((0, 0, 1), mask).tolist() == [3, 2, 10]


def test_one_word_for_all_features():
    costs = Costs("ordinal", ("a", "b"), ((0, 1, 2), (0, 1)), (True, True))
    assert [costs.unit_of(0, 2, new) for new in range(3)] == [2, 1, 0]
    assert costs.unit_of(1, 0, 1) == 1
    assert costs.lower_units([2, 0]).tolist() == [1, 1]


def test_plain_costs_have_rows_too():
    assert by_value(None).unit_of(0, 0, 1) == 1
    assert by_value([2, 4, 6]).lower_units((0, 1, 2)).tolist() == [1, 2, 3]
    assert by_value([2, 4, 6]).per_value is None
    assert Costs(None, (), (), ()).lower_units(()).tolist() == []


def test_a_feature_of_one_value_never_changes():
    costs = Costs({"a": "ordinal", "b": 0.5}, ("a", "b"), (("only",), (0, 1)), (True, True))
    assert costs.lower_units((0, 0)).tolist() == [1, 1]


matrices = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.lists(any_cost, min_size=d, max_size=d), min_size=d, max_size=d)
)


@given(st.lists(matrices | any_cost, min_size=1, max_size=4))
def test_any_matrices_fit_the_core_and_keep_their_order(cost):
    n_values = [len(c) if isinstance(c, list) else 3 for c in cost]
    names = [f"x{j}" for j in range(len(cost))]
    costs = Costs(cost, names, [tuple(range(d)) for d in n_values], [True] * len(cost))
    pairs = [(j, a, b) for j, d in enumerate(n_values) for a in range(d) for b in range(d) if a != b]
    units = {pair: costs.unit_of(*pair) for pair in pairs}
    wanted = {(j, a, b): float(cost[j][a][b] if isinstance(cost[j], list) else cost[j]) for j, a, b in pairs}
    assert {pair: costs.cost_of(*pair) for pair in pairs} == wanted
    ranked = sorted(pairs, key=wanted.__getitem__)
    assert all(units[p] <= units[q] for p, q in pairwise(ranked))
    assert all(u >= 1 for u in units.values())
    most = sum(max((units[p] for p in pairs if p[0] == j), default=0) for j in range(len(cost)))
    assert costs.most == most
    assert costs.fit == (most < 2**61)
    x = [0] * len(cost)
    lowest = [min((units[j, 0, b] for b in range(1, d)), default=1) for j, d in enumerate(n_values)]
    engines = costs.lower_units(x).tolist()
    assert engines == lowest if costs.fit else sum(engines) < 2**62
    assert costs.least(sum(engines)) <= sum(lowest)


@given(st.lists(st.lists(decimals, min_size=3, max_size=3), min_size=3, max_size=3), decimals)
def test_decimal_matrices_keep_their_exact_proportions(matrix, plain):
    costs = Costs([matrix, plain], ("a", "b"), ((0, 1, 2), (0, 1)), (True, True))
    one = Fraction(costs.unit_of(1, 0, 1)) / oracle.as_written(plain)
    for a, b in [(0, 1), (1, 2), (2, 0)]:
        assert costs.unit_of(0, a, b) == oracle.as_written(matrix[a][b]) * one


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ({"a": [[0, 1], [1, 0]]}, ["'a'", "3 rows"]),
        ({"a": [1, 2, 3]}, ["'a'", "matrix"]),
        ({"a": [[0, 1, 2], [1, 0, -3], [1, 1, 0]]}, ["'a'", "'mid' -> 'high'", "-3"]),
        ({"a": [[0, 1, 2], [1, 0, 0], [1, 1, 0]]}, ["'a'", "'mid' -> 'high'", "0"]),
        ({"b": {"maybe": 2}}, ["'b'", "'maybe'", "'yes'"]),
        ({"b": {("no", "maybe"): 2}}, ["'b'", "('no', 'maybe')"]),
        ({"c": {("x", "y"): 2}}, ["'c'", "('x', 'y')", "either"]),
        ({"b": {"yes": "much"}}, ["'b'", "'much'"]),
        ({"b": "ordinal"}, ["'b'", "order"]),
        ("ordinal", ["'b'", "order"]),
        ({"a": "cardinal"}, ["'a'", "'cardinal'"]),
        ({"a": lambda old, new: None}, ["'a'", "'low' -> 'mid'", "None"]),
        ({"a": {1, 2}}, ["'a'", "{1, 2}"]),
    ],
    ids=readable,
)
def test_costs_a_value_that_make_no_sense_are_named(cost, words):
    with pytest.raises(symcf.OptionError) as error:
        by_value(cost)
    assert [word for word in words if word not in str(error.value)] == []


def test_costs_whose_sums_are_no_floats_are_refused():
    c = symcf.compile(admission())
    with pytest.raises(symcf.OptionError, match=r"is 1e\+308: at most 1e\+300 is supported"):
        c.explain([0, 0, 1, 0], cost=[1e308] * 4)
    assert [cf.cost for cf in c.explain([0, 0, 1, 0], cost=[1e300] * 4)] == [1e300, 2e300]


def test_the_way_to_many_values_is_that_to_each_of_them():
    # stretches, one without a lower end, one without an upper, and a value that is not on the line
    low, high = (-FARTHEST, 3, 9, 20, 1), (2, 8, 19, FARTHEST, 0)
    for own in (None, (1, 7), (1, None)):
        line = Line(low, high, Fraction(1, 4), Fraction(5), raw=True, own=own)
        units = exact.units_of([line.amounts()])
        for old in range(5):
            assert line.units_to(units, old, range(5)) == [line.unit(units, old, new) for new in range(5)]


# --- what may be suggested, and distances -----------------------------------------------------------------------------


def nearest_of(estimator, table, row, features, scale, inside):
    """The least distance to a row of whole numbers that is decided otherwise: every row is tried."""
    grid = pd.DataFrame(list(itertools.product(range(8), repeat=len(features))), columns=features).astype(table.dtypes)
    own = row[features].iloc[0]
    fine = np.logical_and.reduce([(grid[f] == own[f]) | grid[f].between(*inside.get(f, (0, 7))) for f in features])
    other = grid[fine & (estimator.predict(grid) != estimator.predict(row)[0])]
    return min(sum(abs(other[f].astype(float) - own[f]) / scale[f] for f in features), default=None)


@pytest.mark.parametrize("binned", [False, True])
@pytest.mark.parametrize("inside", [{}, {"a": (5, 7)}, {"a": (0, 1), "c": (6, 7)}])
def test_the_nearest_row_of_whole_numbers_is_the_nearest_that_may_be_suggested(binned, inside):
    rng = np.random.default_rng(4)
    features = ["a", "b", "c"]
    table = pd.DataFrame(rng.integers(0, 8, (200, 3)), columns=features)
    label = 2 * table.a - table.b + table.c > 6
    if binned:
        estimator = make_pipeline(KBinsDiscretizer(4, encode="onehot-dense", strategy="uniform"), BernoulliNB())
    else:
        estimator = RandomForestClassifier(5, max_depth=4, random_state=0)
    estimator.fit(table, label)
    c = symcf.compile(estimator, data=table)
    scale = {"a": 1, "b": 3, "c": 0.5}
    allowed = {f: inside.get(f, (0, 7)) for f in features}
    rows = table.head(12)
    for i, e in enumerate(symcf.fast.explain_batch(c, rows, cost="distance", scale=scale, allowed=allowed, k=1)):
        row = rows.iloc[[i]]
        least = nearest_of(estimator, table, row, features, scale, inside)
        single = c.explain(row, cost="distance", scale=scale, allowed=allowed, k=1)
        for found in (e, single):
            assert [cf.cost for cf in found] == ([] if least is None else [pytest.approx(least)])
            for cf in found:
                new, old = cf.row.iloc[0], row.iloc[0]
                assert sum(abs(new[f] - old[f]) / scale[f] for f in features) == pytest.approx(cf.cost)
        assert symcf.verify(c, row, single)


def test_the_nearest_real_number_lies_in_the_range_that_is_allowed():
    below = {"feature": "b", "at_most": 7.5, "yes": {"class": "no"}, "no": {"class": "yes"}}
    root = {"feature": "a", "at_most": 2.5, "yes": below, "no": {"class": "yes"}}
    for model in (symcf.DecisionTree, symcf.RandomForest):
        given = root if model is symcf.DecisionTree else [root] * 3
        c = symcf.compile(model(given, features=["a", "b"], classes=["no", "yes"]))
        question = {"cost": "distance", "scale": {"a": 1, "b": 1}, "allowed": {"a": [20, 30]}}
        row = {"a": 0.0, "b": 0.0}
        assert [(cf.features, cf.cost) for cf in c.explain(row, k=1, **question)] == [((1,), 7.5)]
        assert [(cf.features, cf.cost) for cf in c.explain(row, **question)] == [((1,), 7.5), ((0,), 20)]
