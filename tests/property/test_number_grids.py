"""Columns of numbers on the grids of their resolutions: moves, all values and Shapley values, by brute force."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import reference
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf


def moves_of(rows, x):
    """Of rows that flip, those than which none is less far: each number is as in x, as in the row, or between."""

    def is_between(near, far):
        return all(a == o or min(o, b) <= a <= max(o, b) for a, o, b in zip(near, x, far, strict=True))

    return {row for row in rows if not any(other != row and is_between(other, row) for other in rows)}


def minimal(rows, x):
    """Of rows that flip, those that change a minimal set of features."""
    changed = {row: tuple(j for j in range(len(x)) if row[j] != x[j]) for row in rows}
    least = reference.minimal(changed.values())
    return {row for row in rows if changed[row] in least}


def test_rows_off_the_grid_and_outside_the_range():
    """A row keeps its own number where that is not a multiple of the resolution, or not in the range."""
    rng = random.Random(1)
    for _ in range(60):
        steps = [rng.choice((1, 0.5, 2)) for _ in range(2)]
        ends = [(rng.randint(-2, 1), rng.randint(3, 5)) for _ in range(2)]
        slopes, bias = [rng.choice((-3, -1.5, 1, 2.25)) for _ in range(2)], rng.choice((-4, -0.5, 0, 3))
        terms = [
            symcf.NumberTerm(s, range=end, resolution=step) for s, end, step in zip(slopes, ends, steps, strict=True)
        ]
        c = symcf.compile(symcf.AdditiveClassifier(terms, bias, features=["a", "b"]))
        x = tuple(rng.choice((-7.25, 0.3, 1.75, 2.0, 8.5)) for _ in range(2))

        def decide(row, slopes=slopes, bias=bias):
            return bias + sum(Fraction(s) * Fraction(v) for s, v in zip(slopes, row, strict=True)) > 0

        grids = [
            sorted({k * step for k in range(-20, 20) if end[0] <= k * step <= end[1]} | {own})
            for step, end, own in zip(steps, ends, x, strict=True)
        ]
        flips = {row for row in product(*grids) if decide(row) != decide(x)}
        assert {tuple(cf.row) for cf in c.explain(x, minimality="moves")} == moves_of(flips, x)
        assert {tuple(cf.row) for cf in c.explain(x, select="all")} == minimal(flips, x)
        shares = [
            {v: Fraction(1, len(grid) - (own % step != 0 or not end[0] <= own <= end[1])) for v in grid}
            for grid, own, step, end in zip(grids, x, steps, ends, strict=True)
        ]
        for share, own, step, end in zip(shares, x, steps, ends, strict=True):
            if own % step or not end[0] <= own <= end[1]:
                share[own] = Fraction(0)
        expected = reference.shapley(decide, x, shares, decide(x))
        assert c.attribute(x, "shapley").values.tolist() == pytest.approx(list(map(float, expected)))


def test_missing_numbers_are_kept_and_never_suggested():
    terms = [symcf.NumberTerm(2, range=(0, 3), resolution=1, missing=-1), symcf.NumberTerm(-1, (0, 3), resolution=1)]
    c = symcf.compile(symcf.AdditiveClassifier(terms, -0.5, features=["a", "b"]))

    def decide(a, b):
        return (-1 if a is None else 2 * a) - b - 0.5 > 0

    for a, b in product((None, 0.0, 1.0, 2.0), (0.0, 1.0, 3.0)):
        x = [math.nan if a is None else a, b]
        flips = {
            (new_a, new_b)
            for new_a, new_b in product({a, 0.0, 1.0, 2.0, 3.0}, (0.0, 1.0, 2.0, 3.0))
            if decide(new_a, new_b) != decide(a, b)
        }

        def is_nearer(near, far, a=a, b=b):
            between = near[0] in (a, far[0])  # nothing lies between a missing number and another one
            if None not in (near[0], a, far[0]):
                between = between or min(a, far[0]) <= near[0] <= max(a, far[0])
            return near != far and between and min(b, far[1]) <= near[1] <= max(b, far[1])

        wanted = {row for row in flips if not any(is_nearer(other, row) for other in flips)}
        found = {tuple(None if math.isnan(v) else v for v in cf.row) for cf in c.explain(x, minimality="moves")}
        assert found == wanted
        listed = {tuple(None if math.isnan(v) else v for v in cf.row) for cf in c.explain(x, select="all")}
        assert listed == minimal(flips, (a, b))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    x = pd.DataFrame(
        {"age": rng.integers(20, 30, 60), "debt": rng.integers(0, 8, 60) / 2, "late": rng.integers(0, 4, 60)}
    )
    return x, (x["age"] / 3 - x["debt"] - 2 * x["late"] + rng.normal(size=60) > 4).astype(int)


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB()], ids=lambda one: type(one).__name__)
def test_what_scikit_learn_decides(table, estimator):
    """Whole numbers by their type, halves by the resolution that the data has; the estimator itself decides."""
    x, y = table
    model = make_pipeline(StandardScaler(), estimator).fit(x, y)
    c = symcf.compile(model, data=x)
    halves = np.arange(0, 8) / 2
    grid = list(product(range(20, 30), halves[halves <= x["debt"].max()].tolist(), range(x["late"].max() + 1)))
    tenths = {"debt": 0.5}
    decided = dict(zip(grid, model.predict(pd.DataFrame(grid, columns=x.columns)).tolist(), strict=True))
    for i in (0, 7, 21):
        row = x.iloc[i]
        own = (int(row["age"]), float(row["debt"]), int(row["late"]))
        flips = {other for other, label in decided.items() if label != decided[own]}
        frame = x.iloc[[i]]
        found = c.explain(frame, minimality="moves", resolution=tenths)
        assert found.complete
        assert {tuple(cf.row.iloc[0]) for cf in found} == moves_of(flips, own)
        assert symcf.verify(c, frame, found)
        listed = c.explain(frame, select="all", resolution=tenths)
        assert {tuple(cf.row.iloc[0]) for cf in listed} == minimal(flips, own)
        assert c.count(frame, minimality="moves", resolution=tenths) == found.count


def test_shapley_values_over_data(table):
    """With data, the numbers of each column are as likely as they occur; columns may hold any numbers."""
    x, y = table
    noisy = (x + np.random.default_rng(1).normal(size=x.shape)).iloc[:7]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(x.astype(float), y)
    c = symcf.compile(model, data=x.astype(float))
    row = tuple(noisy.iloc[3])
    columns = [noisy[name].tolist() for name in x.columns]
    shares = [{v: Fraction(column.count(v), len(column)) for v in column} for column in columns]
    rows = list(product(*columns))
    decided = dict(zip(rows, model.predict(pd.DataFrame(rows, columns=x.columns)).tolist(), strict=True))
    expected = reference.shapley(decided.__getitem__, row, shares, decided[row])
    found = c.attribute(noisy.iloc[[3]], "shapley", data=noisy)
    assert found.values.tolist() == pytest.approx(list(map(float, expected)))
    assert found.row == row


def test_numbers_of_fewer_bits():
    """What 32 bits cannot hold is suggested as they store it."""
    terms = [symcf.NumberTerm(1, range=(0, 1), resolution=0.1), symcf.NumberTerm(1, range=(0, 1), resolution=0.1)]
    c = symcf.compile(symcf.AdditiveClassifier(terms, -0.75, features=["a", "b"]))
    x = np.array([0.3, 0.1], dtype=np.float32)
    found = c.explain(x, minimality="moves")
    assert found
    tenths = [np.float32(i / 10) for i in range(11)]
    flips = {(a, b) for a, b in product(tenths, tenths) if float(a) + float(b) > 0.75}
    assert {tuple(np.float32(v) for v in cf.row) for cf in found} == moves_of(flips, tuple(x))


def test_what_has_no_grid_is_named():
    c = symcf.compile(symcf.AdditiveClassifier([symcf.NumberTerm(1, (0, 1)), symcf.NumberTerm(1, (0, 1))], -1))
    for call in (
        lambda: c.explain([0.5, 0.25], minimality="moves"),
        lambda: c.explain([0.5, 0.25], select="all"),
        lambda: c.attribute([0.5, 0.25], "shapley"),
        lambda: c.cnf(),
    ):
        with pytest.raises(symcf.OptionError, match="needs finitely many values, and 'x0' may be any number"):
            call()
    fine = {"x0": 1e-9, "x1": 0.25}
    with pytest.raises(symcf.OptionError, match=r"'x0' has 1,000,000,001 multiples of 1e-09 .* larger resolution"):
        c.explain([0.5, 0.25], minimality="moves", resolution=fine)
    both = c.explain([0.5, 0.25], minimality="moves", resolution={"x0": 0.25, "x1": 0.25})
    assert {tuple(cf.row) for cf in both} == {(1.0, 0.25), (0.75, 0.5), (0.5, 0.75)}
    for more in ({"minimality": "moves"}, {"select": "all"}):
        with pytest.raises(symcf.OptionError, match="one row at a time"):
            symcf.fast.explain_batch(c, [[0.5, 0.25]], **more)


def test_rules_that_are_left_out_leave_the_values_as_they_are():
    """Two rules that nothing obeys: without either of them, the values of compared columns still come twice."""
    terms = [symcf.NumberTerm(2, (0, 3), resolution=1), [0, 1, 4], symcf.NumberTerm(-1, (0, 4), resolution=1)]
    c = symcf.compile(symcf.AdditiveClassifier(terms, -1, features=["a", "b", "c"]))
    rules = ["at_most(0, a, b, c)", "3 * a - c == -1"]
    for x in ([0, 0, 1], [2, 1, 2]):
        found = c.explain(x, constraints=rules, select="all")
        assert not found
        assert rules[0] in [str(constraint.value) for constraint in found.blocking]


@pytest.mark.parametrize(
    ("constraints", "obeys"),
    [
        (["a >= b", "a >= old.a"], lambda a, b: a >= b and a >= 1),
        (["a <= b", "a + a <= 8"], lambda a, b: a <= b and 2 * a <= 8),
        (["b <= a", "change.b <= 0"], lambda a, b: b <= a and b <= 1),
    ],
)
def test_all_values_under_an_order_and_another_rule(constraints, obeys):
    terms = [symcf.NumberTerm(1.0, (0, 5), resolution=1), symcf.NumberTerm(-2.0, (0, 5), resolution=1)]
    c = symcf.compile(symcf.AdditiveClassifier(terms, -3, features=["a", "b"]))
    e = c.explain({"a": 1, "b": 1}, select="all", constraints=constraints)
    flips = [(a, b) for a in range(6) for b in range(6) if a - 2 * b - 3 > 0 and obeys(a, b)]
    sets = {tuple(j for j in (0, 1) if row[j] != 1) for row in flips}
    minimal = reference.minimal(sets)
    assert e.sets == minimal
    wanted = {row for row in flips if tuple(j for j in (0, 1) if row[j] != 1) in minimal}
    assert {(cf.row["a"], cf.row["b"]) for cf in e} == wanted
