"""Distances as costs: how far numbers move, in scales of the data, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import reference
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.data.intervals import Intervals
from symcf.question.distances import GRID

CUTS = [[1.5, 3.25, 7.0], [0.1, 0.2], None]
COLOURS = ["red", "green", "blue"]
NAMES = ["length", "width", "colour"]


def classifier(seed=0, bias=0, cuts=CUTS):
    """Sums of weights over ranges of two columns and three colours."""
    rng = np.random.default_rng(seed)
    sizes = [3 if cut is None else len(cut) + 1 for cut in cuts]
    weights = [(2 * rng.integers(-9, 10, d)).tolist() for d in sizes]
    values = [COLOURS if cut is None else [f"range {i}" for i in range(len(cut) + 1)] for cut in cuts]
    names = [f"x{j}" if j > 2 else NAMES[j] for j in range(len(cuts))]
    encoder = Intervals(names, cuts, values=[None if cut is not None else COLOURS for cut in cuts])
    ordered = [cut is not None for cut in cuts]
    return symcf.compile(
        symcf.LinearClassifier(weights, bias, features=names, values=values, ordered=ordered, encoder=encoder)
    ), weights


def near_end(x, cuts, code):
    """The nearest number of a range, at the end that is common to two."""
    if code < len(cuts) and x > cuts[code]:
        return cuts[code]
    return cuts[code - 1] if code and x <= cuts[code - 1] else x


def on_grid(x, scale):
    return (Fraction(x) / Fraction(str(scale)) * GRID + Fraction(1, 2)).__floor__()


def slow_cost(row, codes, old_codes, scales):
    """By the definition, in fractions."""
    total = Fraction(0)
    for j, (code, old) in enumerate(zip(codes, old_codes, strict=True)):
        if code == old:
            continue
        if CUTS[j] is None:
            total += 1
        else:
            end = near_end(row[j], CUTS[j], code)
            total += Fraction(max(abs(on_grid(end, scales[j]) - on_grid(row[j], scales[j])), 1), GRID)
    return total


def slow_explain(c, weights, bias, row, scales):
    """All change sets with their least costs, by brute force: the smallest ones, and all."""
    old = c.codes([row])[0].tolist()
    decided = bias + sum(w[v] for w, v in zip(weights, old, strict=True)) >= 0
    cheapest = {}
    for codes in product(*(range(len(w)) for w in weights)):
        if (bias + sum(w[v] for w, v in zip(weights, codes, strict=True)) >= 0) != decided:
            change_set = tuple(j for j in range(3) if codes[j] != old[j])
            cost = slow_cost(row, codes, old, scales)
            cheapest[change_set] = min(cost, cheapest.get(change_set, cost))
    return sorted((cheapest[s], len(s), s) for s in reference.minimal(cheapest)), cheapest


rows = st.tuples(st.floats(-5, 12), st.floats(-0.3, 0.6), st.sampled_from(COLOURS)).map(list)
scales = st.tuples(st.floats(0.01, 100), st.floats(0.01, 100))


@given(st.integers(0, 10**6), st.integers(-12, 12), rows, scales)
@example(30, -3, [0.5, 0.05, "red"], (0.5, 1))  # the nearest row changes three features, the smallest set has one
def test_sets_and_costs_are_those_of_brute_force(seed, bias, row, scale):
    bias = 2 * bias + 1  # no ties
    c, weights = classifier(seed, bias)
    asked = {"cost": "distance", "scale": dict(zip(NAMES, scale, strict=False))}
    wanted, cheapest = slow_explain(c, weights, bias, row, scale)
    e = c.explain(row, **asked)
    assert e.sets == [s for _, _, s in wanted]
    assert [cf.cost for cf in e] == [float(cost) for cost, _, _ in wanted]
    assert c.explain(row, k=1, minimality="features", **asked).sets == [s for _, _, s in wanted[:1]]
    nearest = c.explain(row, k=1, **asked)  # of all rows, also those that change more features
    least = sorted(cheapest.values())[:1]
    assert [cf.cost for cf in nearest] == list(map(float, least))
    assert [cheapest[cf.features] for cf in nearest] == least
    assert symcf.verify(c, row, e)
    for engine in ("diagram", "sat-portable") if seed % 20 == 0 else ():
        assert c.explain(row, engine=engine, **asked).sets == e.sets
    batch = symcf.fast.explain_batch(c, [row, [*row[:2], "red"]], **asked)
    assert batch[0].sets == e.sets
    assert batch.cost[: len(e)].tolist() == [cf.cost for cf in e]


def test_scales_come_from_the_data():
    c, _ = classifier()
    data = [[1.0, 0.1, "red"], [2.0, 0.3, "red"], [4.0, 0.2, "blue"], [9.0, 0.2, "red"]]
    rng = {"length": 8.0, "width": 0.2}
    by_hand = c.explain([5.0, 0.15, "red"], cost="distance", scale=rng)
    assert by_hand.to_dict() == c.explain([5.0, 0.15, "red"], cost="distance", scale="range", data=data).to_dict()
    columns = [np.array([row[j] for row in data]) for j in range(2)]
    mad = {n: float(np.median(abs(x - np.median(x)))) for n, x in zip(NAMES, columns, strict=False)}
    std = {n: float(f"{np.std(x):.6g}") for n, x in zip(NAMES, columns, strict=False)}
    for word, numbers in [("mad", mad), ("std", std)]:
        e = c.explain([5.0, 0.15, "red"], cost="distance", scale=word, data=data)
        assert e.to_dict() == c.explain([5.0, 0.15, "red"], cost="distance", scale=numbers).to_dict()
    mixed = c.explain([5.0, 0.15, "red"], cost="distance", scale={"length": "std", "width": 0.2}, data=data)
    assert (
        mixed.to_dict()
        == c.explain([5.0, 0.15, "red"], cost="distance", scale={"length": std["length"], "width": 0.2}).to_dict()
    )


def test_labels_that_are_numbers_have_distances_and_others_cost_one():
    values = [[10, 20, 80], ["a", "b"], [False, True]]
    model = symcf.LinearClassifier([[0, 5, 5], [0, 5], [0, 5]], -4, features=["n", "s", "b"], values=values)
    c = symcf.compile(model)
    e = c.explain([0, 0, 0], cost="distance", scale={"n": 100})
    assert [(cf.features, cf.cost) for cf in e] == [((0,), 0.1), ((1,), 1.0), ((2,), 1.0)]
    e = c.explain([0, 0, 0], cost={"n": "distance", "s": 0.05}, scale={"n": 100})
    assert [(cf.features, cf.cost) for cf in e] == [((1,), 0.05), ((0,), 0.1), ((2,), 1.0)]
    batch = symcf.fast.explain_batch(c, [[0, 0, 0], [0, 0, 0]], cost="distance", scale={"n": 100}, k=2)
    assert batch.cost.tolist() == [0.1, 1.0] * 2


def test_a_number_on_a_cut_moves_by_the_least_step():
    c = symcf.compile(
        symcf.LinearClassifier([[0, 5]], -4, features=["x"], encoder=Intervals(["x"], [[2.0]]), ordered=True)
    )
    assert c.explain([2.0], cost="distance", scale={"x": 1})[0].cost == 1 / GRID
    assert c.explain([-1e6], cost="distance", scale={"x": 1})[0].cost == 1e6 + 2


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"cost": "distance"}, ["'length'", "data=", "scale="]),
        ({"cost": "distance", "scale": "median"}, ["'median'", "'mad'"]),
        ({"cost": "distance", "scale": {"length": -1}}, ["'length'", "-1"]),
        ({"cost": "distance", "scale": {"length": "far"}}, ["'length'", "'far'"]),
        ({"cost": "distance", "scale": {"height": 2}}, ["'height'"]),
        ({"cost": "distance", "scale": 3}, ["3"]),
        ({"cost": "distance", "scale": {"length": 1e-300, "width": 1}}, ["'length'", "larger"]),
        ({"cost": {"length": 2}, "data": [[1, 1, "red"]]}, ["data", "distance"]),
        ({"scale": "std"}, ["scale", "distance"]),
    ],
    ids=str,
)
def test_distances_that_make_no_sense_are_named(asked, words):
    c, _ = classifier()
    with pytest.raises(symcf.OptionError) as error:
        c.explain([5.0, 0.15, "red"], **asked)
    assert [word for word in words if word not in str(error.value)] == []


def spreads(x):
    """What a column varies by: the words of `scale`, and what is taken where one is 0."""
    far = [abs(v - float(np.median(x))) for v in x]
    mean = sum(x) / len(x)
    std = (sum((v - mean) ** 2 for v in x) / len(x)) ** 0.5
    return {"mad": float(np.median(far)), "mean": sum(far) / len(far), "std": std, "range": max(x) - min(x)}


@pytest.mark.parametrize("word", ["mad", "std", "range"])
@pytest.mark.parametrize("forest", [False, True])
def test_scales_of_columns_that_hardly_vary(word, forest):
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "income": np.round(rng.normal(size=120) * 10 + 50, 2),
            "debt": np.where(rng.random(120) < 0.8, 0.0, np.round(rng.random(120) * 9000, 1)),
            "one": np.full(120, 7.0),
        }
    )
    labels = (table["income"] - table["debt"] / 400 > 46).astype(int)
    model = RandomForestClassifier(5, max_depth=4, random_state=0) if forest else DecisionTreeClassifier(max_depth=4)
    c = symcf.compile(model.fit(table, labels), data=table)
    row = table.iloc[[int(np.argmin(labels))]]
    e = c.explain(row, cost="distance", scale=word)
    expected = {}
    for name in c.features:
        known = spreads(table[name].tolist())
        scale = next((known[what] for what in (word, "mad", "mean", "range") if known[what] > 0), 1.0)
        expected[name] = float(f"{scale:.6g}")
    assert {name: used.number for name, used in e.scales.items()} == expected
    assert e.scales["income"].what == word
    if word == "mad":
        assert e.scales["debt"].what == "mean absolute deviation"
    given = c.explain(row, cost="distance", scale=word, data=table)
    by_hand = c.explain(row, cost="distance", scale=expected)
    assert [(cf.features, cf.cost) for cf in e] == [(cf.features, cf.cost) for cf in given]
    assert [(cf.features, cf.cost) for cf in e] == [(cf.features, cf.cost) for cf in by_hand]
    assert {used.what for used in by_hand.scales.values()} == {"given"}
    assert e.sets
    for cf in e:
        new = cf.row.iloc[0]
        far = sum(abs(new[name] - row.iloc[0][name]) / expected[name] for name in c.features)
        assert cf.cost <= far + 1e-6


def test_a_constant_column_has_the_scale_one():
    c = symcf.compile(
        symcf.LinearClassifier([[0, 5]], -4, features=["x"], encoder=Intervals(["x"], [[2.0]]), ordered=True)
    )
    e = c.explain([0.5], cost="distance", data=[[1.0], [1.0]])
    assert e.scales == {"x": (1.0, "constant")}
    assert e[0].cost == 1.5


def test_forests_take_distances_of_any_scale():
    rows, labels = load_breast_cancer(return_X_y=True, as_frame=True)
    c = symcf.compile(RandomForestClassifier(4, max_depth=3, random_state=0).fit(rows, labels), data=rows)
    for word in ("mad", "std", "range"):
        e = c.explain(rows.iloc[[0]], cost="distance", scale=word, k=2)
        assert e.complete
        assert len(e) == 2
        assert e[0].cost <= e[1].cost
