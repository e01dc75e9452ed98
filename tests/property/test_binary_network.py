"""Binary networks against the definition: neurons are added up one by one, in fractions."""

from __future__ import annotations

import itertools
import json
import pickle
from fractions import Fraction

import numpy as np
import oracle
import pytest

import symcf
from symcf import BinaryNetwork
from symcf.errors import CompileLimitError, ModelError


def decide(layers, inputs, row, *, on, off, later_wins):
    """The class of a row of codes, by the definition."""
    signal = [Fraction(x) for codes, v in zip(inputs, row, strict=True) for x in codes[v]]
    for i, (weights, biases) in enumerate(layers):
        sums = [
            sum((Fraction(w) * x for w, x in zip(line, signal, strict=True)), Fraction(b))
            for line, b in zip(weights, biases, strict=True)
        ]
        if i < len(layers) - 1:
            signal = [Fraction(on if s >= 0 else off) for s in sums]
    if len(sums) == 1:
        return int(sums[0] >= 0)
    winners = [k for k, s in enumerate(sums) if s == max(sums)]
    return winners[-1] if later_wins else winners[0]


def random_network(rng, seed):
    """Layers, inputs and keywords; weights are small integers, halves or floats, so that ties happen."""
    n = int(rng.integers(1, 6))
    if seed % 2:
        inputs = [rng.integers(-2, 3, size=(rng.integers(1, 4), rng.integers(1, 3))).tolist() for _ in range(n)]
    else:
        inputs = [[[-1], [1]]] * n
    widths = [sum(len(rows[0]) for rows in inputs), *rng.integers(1, 5, size=seed % 3).tolist(), [1, 3, 4][seed % 3]]
    layers = []
    for before, after in itertools.pairwise(widths):
        weights = rng.integers(-2, 3, size=(after, before)) / (1 if seed % 5 else 2)
        if seed % 7 == 0:
            weights = rng.normal(size=(after, before)).round(3)
        layers.append((weights.tolist(), (rng.integers(-2, 3, size=after) / 2).tolist()))
    output = ("sign", "bit")[seed % 2]
    tie = ("positive", "negative")[(seed // 2) % 2]
    return layers, inputs, {"output": output, "tie": tie}


@pytest.mark.parametrize("seed", range(60))
def test_every_row_and_every_change_set(seed):
    rng = np.random.default_rng(seed)
    layers, inputs, options = random_network(rng, seed)
    model = BinaryNetwork(layers, inputs=inputs if seed % 2 else None, **options)
    off = -1 if options["output"] == "sign" else 0
    n_values = [len(rows) for rows in inputs]
    table = {
        row: decide(layers, inputs, row, on=1, off=off, later_wins=options["tie"] == "positive")
        for row in itertools.product(*map(range, n_values))
    }
    c = symcf.compile(model)
    codes = np.array(list(table))
    assert c.predict(codes, codes=True).tolist() == list(table.values())
    for k in [1] if len(c.classes) == 2 else range(len(c.classes)):
        core = c.decision.groups.core_codes(codes)
        found = c.class_diagram(k).core.evaluate(np.ascontiguousarray(core))
        assert found.tolist() == [int(answer == k) for answer in table.values()]
    row = tuple(rng.permutation(codes)[0].tolist())
    expected = oracle.change_sets(table.__getitem__, row, n_values)
    for engine in ("diagram", "sat"):
        assert c.explain(row, engine=engine).sets == expected
    assert c.count(row) == len(expected)
    assert symcf.verify(c, row, c.explain(row))
    assert symcf.model_from_dict(json.loads(model.to_json())) == model
    assert pickle.loads(pickle.dumps(model)) == model


def test_orders_and_relations():
    rng = np.random.default_rng(8)
    layers = [(rng.integers(-1, 2, size=(4, 8)), [0, 1, -1, 0]), ([[1, -1, 1, 1]], [0])]
    rows = np.array(list(itertools.product((0, 1), repeat=8)))
    model = BinaryNetwork(layers, features=list("abcdefgh"))
    expected = symcf.compile(model).predict(rows, codes=True)
    for order in ("natural", "sift", list("hgfedcba")):
        assert (symcf.compile(model, order=order).diagram.core.evaluate(rows) == expected).all()
    c = symcf.compile(model)
    row = rows[100].tolist()
    for e in c.explain(row, constraints="a = 1 -> b = 1"):
        assert e.instance[0] == 0 or e.instance[1] == 1


def test_floats_are_what_they_hold():
    third = 1 / 3
    layers = [([[third, third, third]], [-1.0])]
    # three times the float next to 1/3 is less than 1
    assert symcf.compile(BinaryNetwork(layers)).predict([[1, 1, 1]], codes=True).tolist() == [0]
    assert symcf.compile(BinaryNetwork([([["1/3", "1/3", "1/3"]], [-1])])).predict(
        [[1, 1, 1]], codes=True
    ).tolist() == [1]


@pytest.mark.parametrize(
    ("layers", "options", "message"),
    [
        ([], {}, "layers must be a list of pairs"),
        ([1], {}, "layer 0 must be a pair"),
        ([([[1, 2]], [0, 1])], {}, "1 neurons and 2 biases"),
        ([([1, 2], [0])], {}, "the weights of layer 0 must be a matrix"),
        ([([[1, 2], [1]], [0, 0])], {}, "the weights of layer 0 must be a matrix"),
        ([([[1, np.nan]], [0])], {}, "must be finite"),
        ([([[1, "x"]], [0])], {}, "must be a number, not 'x'"),
        ([([[1, 2]], [0]), ([[1, 2]], [0])], {}, "layer 1 reads 2 neurons, layer 0 has 1"),
        ([([[1, 2], [2, 1]], [0, 0])], {}, "two sums: for two classes give one"),
        ([([[1, 2]], [0])], {"inputs": [[[1], [2]]]}, "the features give 1 numbers, the first layer reads 2"),
        ([([[1, 2]], [0])], {"output": "step"}, "unknown output 'step'"),
        ([([[1, 2]], [0])], {"tie": "even"}, "unknown tie rule 'even'"),
        ([([[1, 2]], [0])], {"features": ["a"]}, "features"),
    ],
)
def test_wrong_networks(layers, options, message):
    with pytest.raises(ModelError, match=message):
        BinaryNetwork(layers, **options)


def test_numbers_that_do_not_fit():
    # that the small one decides where the large one is out of the way cannot be said in 60 bits
    model = BinaryNetwork([([[1e-20, 1e20]], [0])], inputs=[[[-1], [1]], [[0], [1]]])
    with pytest.raises(ModelError, match="span more than 60 bits"):
        symcf.compile(model)
    # here it never decides anything
    assert symcf.compile(BinaryNetwork([([[1e-20, 1e20]], [0])])).predict([[0, 1], [1, 0]], codes=True).tolist() == [
        1,
        0,
    ]


def test_limits():
    rng = np.random.default_rng(1)
    model = BinaryNetwork([(rng.choice([-1, 1], size=(9, 30)), [0] * 9), ([[1] * 9], [0])])
    with pytest.raises(CompileLimitError):
        _ = symcf.compile(model, max_nodes=1000).diagram
    with pytest.raises(CompileLimitError):
        _ = symcf.compile(model, time_limit=0).diagram


def test_compositions_that_do_not_fit():
    two = symcf.compile(BinaryNetwork([([[1, 1]], [0])]))
    three = symcf.compile(BinaryNetwork([([[1, 1, 1]], [0])]))
    outer, inner, other = two.diagram.core, two.diagram.core, three.diagram.core
    with pytest.raises(ValueError, match="1 diagrams for 2 features"):
        _compose(outer, [inner])
    with pytest.raises(ValueError, match="the same features and order"):
        _compose(outer, [inner, other])


def _compose(outer, inner):
    from symcf import _core

    return _core.Bdd.compose(outer, inner)


@pytest.mark.parametrize("size", [Fraction(10) ** 400, Fraction(1, 10**400)])
def test_numbers_beyond_floats(size):
    """Sums that no float holds, with a part that does not fit beside them in 61 bits."""
    weights = [[size, size * Fraction(3, 2), size / 2**70]]
    c = symcf.compile(BinaryNetwork([(weights, [size / 7])]))
    rows = list(itertools.product([0, 1], repeat=3))
    exact = [sum(w * (2 * x - 1) for w, x in zip(weights[0], row, strict=True)) + size / 7 for row in rows]
    assert c.predict(np.array(rows), codes=True).tolist() == [int(s >= 0) for s in exact]
