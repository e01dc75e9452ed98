"""Decision trees, added up: the diagram of their decision."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf import _core

#: A leaf is its score, an inner node (feature, codes that go left, left, right).
Tree = int | tuple[int, frozenset[int], "Tree", "Tree"]


def leaf_of(tree, x):
    while not isinstance(tree, int):
        feature, codes, left, right = tree
        tree = left if x[feature] in codes else right
    return tree


def flat(trees, n_values):
    """The arrays of `Diagram.compile_trees` for trees as above."""
    start, feature, left, right, left_values, left_start, score = [0], [], [], [], [], [0], []
    for tree in trees:
        queue = [tree]
        for node in queue:  # breadth first: children come after their parents
            leaf = isinstance(node, int)
            feature.append(-1 if leaf else node[0])
            left.append(-1 if leaf else len(queue))
            right.append(-1 if leaf else len(queue) + 1)
            score.append(node if leaf else 0)
            left_values += [] if leaf else [code in node[1] for code in range(n_values[node[0]])]
            left_start.append(len(left_values))
            queue += [] if leaf else node[2:]
        start.append(len(feature))
    columns = (start, feature, left, right, left_start, left_values, score)
    dtypes = ("uint64", "int32", "int32", "int32", "int64", "uint8", "int64")
    return [np.array(column, dtype=dtype) for column, dtype in zip(columns, dtypes, strict=True)]


@st.composite
def forests(draw: st.DrawFn) -> tuple[tuple[int, ...], list[int], list[Tree]]:
    """Numbers of values, an order of the features, and trees over them."""
    n_values = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple))
    order = draw(st.permutations(range(len(n_values))))
    scores = st.integers(-3, 3) | st.integers(-(2**50), 2**50)
    features = st.integers(0, len(n_values) - 1)

    def test(children):
        return features.flatmap(
            lambda j: st.tuples(st.just(j), st.frozensets(st.integers(0, n_values[j] - 1)), children, children)
        )

    return n_values, order, draw(st.lists(st.recursive(scores, test, max_leaves=6), max_size=6))


def diagram_of(forest, bias=0, **limits):
    n_values, order, trees = forest
    levels = np.array(order, dtype=np.uint32)
    return _core.Diagram.compile_trees(
        np.array(n_values, dtype=np.uint32), levels, *flat(trees, n_values), bias, **limits
    )


@given(forests(), st.integers(-4, 4))
def test_trees_are_added_up(forest, bias):
    n_values, order, trees = forest
    diagram = diagram_of(forest, bias)
    inputs = list(product(*map(range, n_values)))
    wanted = [bias + sum(leaf_of(tree, x) for tree in trees) >= 0 for x in inputs]
    assert diagram.evaluate(np.array(inputs, dtype=np.uint32)).astype(bool).tolist() == wanted
    assert diagram.order.tolist() == list(order)
    assert diagram.arity.tolist() == [n_values[j] for j in order]
    assert diagram.validate() is None  # reduced, all reachable


def random_forest(seed, n_trees, depth, n_values):
    """Full trees of interval tests."""
    rng = np.random.default_rng(seed)

    def grow(depth):
        if not depth:
            return int(rng.integers(-1000, 1001))
        j = int(rng.integers(len(n_values)))
        return j, frozenset(range(rng.integers(1, n_values[j]))), grow(depth - 1), grow(depth - 1)

    return n_values, list(range(len(n_values))), [grow(depth) for _ in range(n_trees)]


def test_a_larger_forest_agrees_on_random_rows():
    forest = random_forest(0, n_trees=8, depth=3, n_values=(7,) * 8)
    rows = np.random.default_rng(1).integers(0, 7, size=(500, 8)).astype(np.uint32)
    wanted = [sum(leaf_of(tree, x) for tree in forest[2]) >= 0 for x in rows.tolist()]
    diagram = diagram_of(forest)
    assert diagram.evaluate(rows).astype(bool).tolist() == wanted
    assert diagram.validate() is None


@pytest.mark.parametrize(
    ("limit", "text"), [({"time_limit": 0.0}, "time"), ({"max_nodes": 50}, "nodes"), ({"max_memory": 50_000}, "memory")]
)
def test_a_forest_keeps_to_its_limits(limit, text):
    forest = random_forest(0, n_trees=8, depth=3, n_values=(7,) * 8)
    with pytest.raises(symcf.CompileLimitError, match=f"^{text} limit"):
        diagram_of(forest, **limit)


def test_scores_too_large_to_add_are_refused():
    with pytest.raises(OverflowError):
        diagram_of(((2,), [0], [2**59, -(2**59)]))
    with pytest.raises(OverflowError):
        diagram_of(((2,), [0], [1]), bias=-(2**63))


@pytest.mark.parametrize(
    ("column", "at", "value", "text"),
    [
        (0, 1, 0, "no node"),
        (1, 0, 7, "not there"),
        (1, 0, -2, "not there"),
        (2, 0, 0, "after its node"),
        (3, 0, 3, "after its node"),
        (4, 0, 1, "for each value"),
        (4, 0, -1, "for each value"),
        (5, 0, 2, "neither 0 nor 1"),
        (4, 3, 7, "fit"),
    ],
)
def test_what_is_no_tree_is_refused(column, at, value, text):
    arrays_of = flat([(0, frozenset({1}), 3, -3)], (3,))
    arrays_of[column][at] = value
    if column == 0:
        arrays_of[0] = np.array([0, 0, 3], dtype=np.uint64)
    shape, order = np.array([3], dtype=np.uint32), np.array([0], dtype=np.uint32)
    with pytest.raises(ValueError, match=text):
        _core.Diagram.compile_trees(shape, order, *arrays_of)
