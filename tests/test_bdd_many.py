"""CUDD's twin of diagrams whose features have any number of values: tables, thawing, sifting, conjunctions, primes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf import _core


@dataclass(frozen=True)
class Function:
    """A function of many-valued features, by its values; feature 0 is the least significant digit of an index."""

    n_values: tuple[int, ...]
    table: tuple[bool, ...]

    @property
    def rows(self) -> npt.NDArray[np.uint32]:
        """Every input, in the order of the table."""
        inputs = [row[::-1] for row in product(*map(range, self.n_values[::-1]))]
        return np.array(inputs, dtype=np.uint32).reshape(len(self.table), len(self.n_values))

    def bdd(self) -> _core.Bdd:
        packed = np.packbits(np.array(self.table, dtype=bool), bitorder="little")
        return _core.Bdd.from_table(len(self.n_values), packed, np.array(self.n_values, dtype=np.uint32))

    def diagram(self) -> _core.Diagram:
        return self.bdd().freeze()


def shapes() -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(1, 5), max_size=4).map(tuple)


@st.composite
def functions(draw: st.DrawFn, count: int) -> list[Function]:
    """Functions of the same features."""
    shape = draw(shapes())
    size = math.prod(shape)
    tables = st.lists(st.booleans(), min_size=size, max_size=size).map(tuple)
    return [Function(shape, draw(tables)) for _ in range(count)]


def arrays(diagram):
    return [getattr(diagram, name).tolist() for name in ("order", "arity", "level", "child")] + [diagram.root]


def check_function(function, bdd):
    diagram = bdd.freeze()
    assert diagram.validate() is None
    assert diagram.arity[np.argsort(diagram.order)].tolist() == list(function.n_values)
    assert diagram.evaluate(function.rows).astype(bool).tolist() == list(function.table)
    assert bdd.evaluate(function.rows).astype(bool).tolist() == list(function.table)
    assert bdd.size == diagram.size


@given(functions(1))
def test_a_table_becomes_a_reduced_diagram_and_goes_to_and_fro(single):
    (function,) = single
    bdd = function.bdd()
    check_function(function, bdd)
    twin = _core.Bdd.thaw(bdd.freeze())
    check_function(function, twin)
    assert arrays(twin.freeze()) == arrays(bdd.freeze())
    bdd.close()
    twin.close()


@given(functions(1))
def test_sifting_keeps_the_function(single):
    (function,) = single
    bdd = function.bdd()
    bdd.sift()
    check_function(function, bdd)
    bdd.close()


@given(functions(3), st.lists(st.booleans(), min_size=3, max_size=3))
def test_conjunctions(three, negate):
    bdd = _core.Bdd.conjoin([f.diagram() for f in three], negate)
    table = [
        all(value != sign for value, sign in zip(values, negate, strict=True))
        for values in zip(*(f.table for f in three), strict=True)
    ]
    check_function(Function(three[0].n_values, tuple(table)), bdd)
    bdd.close()


@given(functions(1), st.booleans())
def test_prime_clauses_say_what_the_function_says(single, negate):
    (function,) = single
    clauses = _core.Clauses.primes(function.bdd(), negate)
    assert clauses.n_vars == sum(d - 1 for d in function.n_values)
    listed = list(symcf.diagram.split_clauses(clauses.literals))
    for row, value in zip(function.rows.tolist(), function.table, strict=True):
        indicators = [code == v for code, d in zip(row, function.n_values, strict=True) for v in range(1, d)]
        assert oracle.satisfies(listed, dict(enumerate(indicators, 1))) == (value != negate)


def test_prime_clauses_use_that_a_feature_has_one_value():
    # X in {1, 2}: "1 or 2", and nothing about both at once.
    clauses = _core.Clauses.primes(Function((4,), (False, True, True, False)).bdd())
    assert list(symcf.diagram.split_clauses(clauses.literals)) == [(1, 2)]


def test_a_model_with_many_values_has_a_twin(tmp_path):
    model = symcf.NaiveBayes([0.5, 0.5], [[[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]], features=["a"])
    diagram = symcf.compile(model).diagram
    assert diagram.with_bdd(lambda bdd: bdd.size) == diagram.size
    path = tmp_path / "f.dddmp"
    diagram.save_dddmp(path)
    assert ".orderedvarnames a=1 a=2" in path.read_text()
    diagram.close()


@pytest.mark.parametrize(("shape", "n_bits"), [((3,), 16), ((2, 2), 3), ((0, 2), 0), ((2**20, 2**20), 8)], ids=str)
def test_a_table_of_the_wrong_size_is_refused(shape, n_bits):
    table = np.zeros((n_bits + 7) // 8, dtype=np.uint8)
    n = len(shape) + (shape == (2, 2))
    with pytest.raises(ValueError, match="features"):
        _core.Bdd.from_table(n, table, np.array(shape, dtype=np.uint32))


def test_only_like_diagrams_are_conjoined():
    one, other = Function((2, 3), (True, False) * 3).diagram(), Function((3, 2), (True, False) * 3).diagram()
    with pytest.raises(ValueError, match="differ"):
        _core.Bdd.conjoin([one, other], [False, False])
    with pytest.raises(ValueError, match="signs"):
        _core.Bdd.conjoin([one], [])
    with pytest.raises(ValueError, match="0 diagrams"):
        _core.Bdd.conjoin([], [])
    with pytest.raises(TypeError):
        _core.Bdd.conjoin([None], [False])


def test_a_conjunction_keeps_to_its_limits():
    rng = np.random.default_rng(0)
    offsets = np.arange(0, 49, 4, dtype=np.uint32)
    diagrams = []
    for _ in range(2):
        threshold = _core.Threshold.from_weights(offsets, rng.integers(-(10**9), 10**9, 48), 0)
        diagrams.append(_core.Diagram.compile(threshold, np.arange(12, dtype=np.uint32)))
    with pytest.raises(symcf.CompileLimitError, match="nodes limit"):
        _core.Bdd.conjoin(diagrams, [False, True], max_nodes=100)
    with pytest.raises(symcf.CompileLimitError, match="time limit"):
        _core.Bdd.conjoin(diagrams, [False, True], time_limit=0.0)
    with pytest.raises(symcf.CompileLimitError, match="memory limit"):
        _core.Bdd.conjoin(diagrams, [False, True], max_memory=1)


# --- trees ------------------------------------------------------------------------------------------------------------

#: A leaf is its score, an inner node (feature, codes that go left, left, right).
Tree = int | tuple[int, frozenset[int], "Tree", "Tree"]


def leaf_of(tree, x):
    while not isinstance(tree, int):
        feature, codes, left, right = tree
        tree = left if x[feature] in codes else right
    return tree


def flat(trees, n_values):
    """The arrays of `Bdd.trees` for trees as above."""
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


def trees_bdd(forest, bias=0, **limits):
    n_values, order, trees = forest
    levels = np.array(order, dtype=np.uint32)
    return _core.Bdd.trees(np.array(n_values, dtype=np.uint32), levels, *flat(trees, n_values), bias, **limits)


@given(forests(), st.integers(-4, 4))
def test_trees_are_added_up(forest, bias):
    n_values, order, trees = forest
    bdd = trees_bdd(forest, bias)
    table = []
    shape = Function(n_values, (True,) * math.prod(n_values))
    for x in shape.rows.tolist():
        table.append(bias + sum(leaf_of(tree, x) for tree in trees) >= 0)
    check_function(Function(n_values, tuple(table)), bdd)
    assert bdd.freeze().order.tolist() == list(order)
    bdd.close()


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
    bdd = trees_bdd(forest)
    assert bdd.evaluate(rows).astype(bool).tolist() == wanted
    bdd.close()


@pytest.mark.parametrize(
    ("limit", "text"), [({"time_limit": 0.0}, "time"), ({"max_nodes": 50}, "nodes"), ({"max_memory": 10**6}, "memory")]
)
def test_a_forest_keeps_to_its_limits(limit, text):
    forest = random_forest(0, n_trees=8, depth=3, n_values=(7,) * 8)
    with pytest.raises(symcf.CompileLimitError, match=f"^{text} limit"):
        trees_bdd(forest, **limit)


def test_scores_too_large_to_add_are_refused():
    with pytest.raises(OverflowError):
        trees_bdd(((2,), [0], [2**59, -(2**59)]))
    with pytest.raises(OverflowError):
        trees_bdd(((2,), [0], [1]), bias=-(2**63))


@pytest.mark.parametrize(
    ("column", "at", "value", "text"),
    [
        (0, 1, 0, "no node"),
        (1, 0, 7, "not there"),
        (1, 0, -2, "not there"),
        (2, 0, 0, "after its node"),
        (3, 0, 3, "after its node"),
        (4, 1, 2, "for each value"),
        (4, 2, -1, "follow each other"),
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
        _core.Bdd.trees(shape, order, *arrays_of)
