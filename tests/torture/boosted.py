"""Boosted trees over named values: their scores are eighths, so that sums of floats are exact."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from torture import names

if TYPE_CHECKING:
    from torture.models import Model, Row

WORDS = ("a b", "größe", "no", "yes", "->", "x'y")

# A node is ("scores", [...]) or ("in", j, codes, yes, no).


def draw(rng: random.Random) -> Model:
    """A few shallow trees."""
    from torture.models import Model, sizes

    n_values, k = sizes(rng, 3), rng.choice((2, 2, 3))
    trees = [_grown(rng, n_values, k, rng.randint(0, 3)) for _ in range(rng.randint(1, 4))]
    bias, tie = [rng.randint(-4, 4) for _ in range(k)], rng.choice(("positive", "negative"))
    table = {}
    for row in product(*map(range, n_values)):
        sums = [Fraction(b) + sum(_leaf(tree, row)[c] for tree in trees) for c, b in enumerate(bias)]
        winners = [c for c, total in enumerate(sums) if total == max(sums)]
        table[row] = winners[-1 if tie == "positive" else 0]
    facts = {"trees": trees, "bias": bias, "tie": tie, "numeric": [False] * len(n_values)}
    model = Model("boosted", n_values, k, table, _write, facts=facts, optional=())
    model.features = names.feature_names(rng, model.n) or model.feature_names
    model.classes = names.class_labels(rng, k) or model.class_labels
    model.values = [rng.sample(WORDS, d) for d in n_values]
    model.raw = model.values
    return model


def _grown(rng: random.Random, n_values: tuple[int, ...], k: int, depth: int) -> Any:
    splits = [j for j, d in enumerate(n_values) if d > 1]
    if depth == 0 or not splits:
        return ("scores", [rng.randint(-8, 8) for _ in range(k)])
    j = rng.choice(splits)
    codes = sorted(rng.sample(range(n_values[j]), rng.randint(1, n_values[j] - 1)))
    return ("in", j, codes, *(_grown(rng, n_values, k, depth - 1) for _ in range(2)))


def _leaf(node: Any, row: Row) -> Any:
    while node[0] == "in":
        node = node[3] if row[node[1]] in node[2] else node[4]
    return node[1]


def _node_source(node: Any, model: Model) -> str:
    if node[0] == "scores":
        return f"{{'scores': {[score / 8 for score in node[1]]}}}"
    _, j, codes, yes, no = node
    listed = [model.labels(j)[v] for v in codes]
    below = f"'yes': {_node_source(yes, model)}, 'no': {_node_source(no, model)}"
    return f"{{'feature': {model.feature_names[j]!r}, 'in': {listed!r}, {below}}}"


def _write(model: Model) -> str:
    facts = model.facts
    trees = ", ".join(_node_source(tree, model) for tree in facts["trees"])
    bias = [b / 8 for b in facts["bias"]]
    given = f"features={model.features!r}, values={model.values!r}, classes={model.classes!r}, tie={facts['tie']!r}"
    return f"model = symcf.BoostedTrees([{trees}], bias={bias}, {given})"
