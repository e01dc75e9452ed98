"""Batches with options that run in the kernel, against brute force: costs by value, distances, relations, threads."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import oracle
import pytest

import symcf
from symcf import fast
from symcf.answers.batch import BatchExplanation
from symcf.answers.summary import AT_TARGET, STATUS
from symcf.data.intervals import Intervals


@pytest.fixture(autouse=True)
def only_the_kernel(monkeypatch):
    """No row may be answered by itself."""

    def one_by_one(*_args, **_keywords):
        raise AssertionError("the kernel was not asked")

    monkeypatch.setattr(BatchExplanation, "one_by_one", one_by_one)


def models(rng, n_values):
    """Two and three classes by sums, and a function."""
    n = len(n_values)
    table = {row: int(rng.integers(2)) for row in product(*map(range, n_values))}
    return [
        symcf.LinearClassifier(
            [rng.integers(-3, 4, d).tolist() for d in n_values], int(rng.integers(-3, 3)), ordered=True
        ),
        symcf.NaiveBayes(rng.dirichlet(np.ones(3)), [rng.dirichlet(np.ones(d), 3) for d in n_values], ordered=True),
        symcf.from_function(table.__getitem__, n_values, features=[f"x{j}" for j in range(n)]),
    ]


def some_costs(rng, n_values):
    """What users give, and the price of a change."""
    n = len(n_values)
    tables = [rng.integers(1, 6, (d, d)).tolist() for d in n_values]
    yield "ordinal", lambda _, old, new: Fraction(abs(new - old))
    yield tables, lambda j, old, new: Fraction(tables[j][old][new])
    yield (
        {0: "ordinal", n - 1: 2.5},
        lambda j, old, new: Fraction(abs(new - old)) if j == 0 else Fraction(5, 2) if j == n - 1 else Fraction(1),
    )


def wanted_of(c, x, price, holds=lambda _: True, target=None, up=False, k=None, most=5):
    """The change sets in order, by looking at every row."""
    own = int(c.predict([x], codes=True)[0])

    def wanted(row):
        decided = int(c.predict([row], codes=True)[0])
        return (decided != own if target is None else decided == target) and holds(row)

    choices = [range(len(values)) for values in c.values]
    if up:
        choices[1] = range(x[1] + 1, len(c.values[1]))
    return [s for s in oracle.counterfactuals(wanted, x, choices, price) if len(s) <= most][:k]


RELATIONS = [
    ((), lambda _: True),
    (["x0 = 1 -> x1 != 0"], lambda row: row[0] != 1 or row[1] != 0),
    (["x0 = 0 or x2 = 1"], lambda row: row[0] == 0 or row[2] == 1),
]


@pytest.mark.parametrize("seed", range(6))
def test_batches_are_what_brute_force_finds(seed):
    rng = np.random.default_rng(seed)
    n_values = rng.integers(2, 4, 4).tolist()
    checked = 0
    for model in models(rng, n_values):
        c = symcf.compile(model)
        rows = np.stack([rng.integers(0, d, 5) for d in n_values], axis=1)
        for cost, price in some_costs(rng, n_values):
            for constraints, holds in RELATIONS:
                k = None if rng.random() < 0.5 else int(rng.integers(1, 4))
                most = 4 if rng.random() < 0.7 else int(rng.integers(1, 4))
                target = None if rng.random() < 0.5 else int(rng.integers(c.n_classes))
                up = rng.random() < 0.3
                batch = fast.explain_batch(
                    c,
                    rows,
                    cost=cost,
                    constraints=constraints,
                    k=k,
                    max_changes=most,
                    target=None if target is None else c.classes[target],
                    allowed={"x1": "increase"} if up else None,
                    n_jobs=int(rng.integers(1, 3)),
                )
                for i, x in enumerate(rows.tolist()):
                    if batch.status[i] == AT_TARGET:
                        continue
                    wanted = wanted_of(c, x, price, holds, target, up, k, most)
                    assert batch.sets(i) == wanted
                    assert STATUS[batch.status[i]] == "complete"
                    checked += 1
    assert checked > 60


def test_relations_without_costs_by_value_need_no_diagram():
    rng = np.random.default_rng(3)
    cost = [3, 1, 2, 1, 1]
    for _ in range(10):
        n_values = rng.integers(2, 4, 5).tolist()
        c = symcf.compile(models(rng, n_values)[0])
        rows = np.stack([rng.integers(0, d, 8) for d in n_values], axis=1)
        for constraints, holds in RELATIONS:
            batch = fast.explain_batch(c, rows, constraints=constraints, cost=cost)
            for i, x in enumerate(rows.tolist()):
                assert batch.sets(i) == wanted_of(c, x, lambda j, *_: Fraction(cost[j]), holds)
        assert c.built_diagrams() == {}


def test_distances_of_many_rows_on_threads():
    rng = np.random.default_rng(5)
    names = [f"x{j}" for j in range(6)]
    cuts = [np.sort(rng.normal(size=3)).round(2).tolist() for _ in names]
    weights = [(rng.normal(size=4) * 100).astype(int).tolist() for _ in names]
    c = symcf.compile(symcf.LinearClassifier(weights, 50, features=names, ordered=True, encoder=Intervals(names, cuts)))
    rows = rng.normal(size=(200, 6)).round(2)
    asked = {"cost": "distance", "scale": "std", "data": rows, "minimality": "features"}
    one, two = (fast.explain_batch(c, rows, n_jobs=jobs, **asked) for jobs in (1, 2))
    assert one == two
    best = fast.explain_batch(c, rows, k=2, **asked)
    for i in range(0, 200, 10):
        e = c.explain(rows[i].tolist(), engine="diagram", **asked)
        assert one.sets(i) == e.sets
        assert best.sets(i) == e.sets[:2]
        assert symcf.verify(c, rows[i].tolist(), c.explain(rows[i].tolist(), k=2, **asked))


def test_rows_of_equal_codes_at_other_places_are_not_equal():
    c = symcf.compile(
        symcf.LinearClassifier(
            [[0, 5], [0, 5]], -4, features=["a", "b"], ordered=True, encoder=Intervals(["a", "b"], [[2.0], [2.0]])
        )
    )
    batch = fast.explain_batch(c, [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], cost="distance", scale={"a": 1, "b": 1})
    assert [list(batch.sets(i)) for i in range(3)] == [[(0,), (1,)], [(1,), (0,)], [(0,), (1,)]]
    assert batch.cost.tolist() == [1.0, 2.0] * 3


def test_a_model_without_features_has_batches_with_options():
    c = symcf.compile(symcf.NaiveBayes.binary(prior=0.3, p1=[], p0=[]))
    for options in ({}, {"immutable": []}, {"max_changes": 1}, {"target": 0}):
        assert len(symcf.fast.explain_batch(c, np.zeros((2, 0), dtype=np.uint8), **options)) == 2
