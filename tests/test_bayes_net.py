"""Bayesian networks against the definition: the joint probability, summed over everything that is not observed."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import symcf
from symcf import BayesNet

# --- the definition ---------------------------------------------------------------------------------------------------


def joint(net, target, row):
    """By value of the target, its joint probability with a row {node: value}; everything from the definition."""
    nodes, parents, tables = net
    names = list(nodes)
    totals = [Fraction(0)] * len(nodes[target])
    free = [name for name in names if name not in row]
    for values in itertools.product(*(range(len(nodes[name])) for name in free)):
        at = {**row, **dict(zip(free, values, strict=True))}
        p = Fraction(1)
        for name in names:
            entry = tables[name]
            for parent in parents.get(name, ()):
                entry = entry[at[parent]]
            p *= Fraction(str(entry[at[name]]))
            if not p:
                break
        totals[at[target]] += p
    return totals


def decide(totals, class_of, n_classes, threshold, tie):
    by_class = [Fraction(0)] * n_classes
    for p, k in zip(totals, class_of, strict=True):
        by_class[k] += p
    if n_classes == 2:
        ahead = by_class[1] * (1 - threshold) - by_class[0] * threshold
        return int(ahead > 0 or (ahead == 0 and tie == "positive"))
    winners = [k for k, p in enumerate(by_class) if p == max(by_class)]
    return winners[-1] if tie == "positive" else winners[0]


def all_rows(nodes, features):
    for values in itertools.product(*(range(len(nodes[f])) for f in features)):
        yield dict(zip(features, values, strict=True))


# --- networks ---------------------------------------------------------------------------------------------------------


def random_table(rng, shape, zeros):
    """Rows of tenths, some of them 0; often equal, so that ties happen."""
    if len(shape) > 1:
        return [random_table(rng, shape[1:], zeros) for _ in range(shape[0])]
    while True:
        cuts = np.sort(rng.integers(0, 11, size=shape[0] - 1))
        parts = np.diff([0, *cuts.tolist(), 10]).tolist()
        if zeros or all(parts):
            return [f"{part}/10" for part in parts]


def random_net(rng, n_nodes, zeros=True, most_values=3, most_parents=2):
    names = [f"n{i}" for i in range(n_nodes)]
    nodes = {name: [f"{name}={v}" for v in range(rng.integers(2, most_values + 1))] for name in names}
    parents = {}
    for i, name in enumerate(names):
        count = int(rng.integers(0, min(i, most_parents) + 1))
        parents[name] = [names[p] for p in rng.choice(i, size=count, replace=False)]
    tables = {
        name: random_table(rng, [*(len(nodes[p]) for p in parents[name]), len(nodes[name])], zeros) for name in names
    }
    order = rng.permutation(n_nodes)
    return {names[i]: nodes[names[i]] for i in order}, parents, tables


RANDOM = range(40)


@pytest.mark.parametrize("seed", RANDOM)
def test_every_row_is_decided_by_the_joint_probability(seed):
    rng = np.random.default_rng(seed)
    net = random_net(rng, int(rng.integers(2, 7)), zeros=bool(seed % 2))
    nodes = net[0]
    target = str(rng.choice(list(nodes)))
    others = [name for name in nodes if name != target]
    features = [str(f) for f in rng.permutation(others)[: rng.integers(1, len(others) + 1)]]
    labels = nodes[target]
    positive = None if len(labels) == 2 and seed % 3 else [labels[0]] if seed % 3 == 1 else None
    n_classes = 2 if positive is not None else len(labels)
    class_of = [int(label in positive) for label in labels] if positive else list(range(len(labels)))
    threshold = Fraction(int(rng.integers(1, 10)), 10) if n_classes == 2 else Fraction(1, 2)
    tie = ("positive", "negative")[seed % 2]
    model = BayesNet(*net, target=target, features=features, positive=positive, threshold=threshold, tie=tie)
    rows = list(all_rows(nodes, features))
    expected = [decide(joint(net, target, row), class_of, n_classes, threshold, tie) for row in rows]
    codes = np.array([[row[f] for f in features] for row in rows])
    c = symcf.compile(model, order=("influence", "natural")[seed % 2])
    assert c.predict(codes).tolist() == expected
    for k in [1] if n_classes == 2 else range(n_classes):
        found = c.diagram_of(model.classes[k]).core.evaluate(codes)
        assert found.tolist() == [int(e == k) for e in expected]
