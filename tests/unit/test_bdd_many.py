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
    listed = list(symcf.system.diagram.split_clauses(clauses.literals))
    for row, value in zip(function.rows.tolist(), function.table, strict=True):
        indicators = [code == v for code, d in zip(row, function.n_values, strict=True) for v in range(1, d)]
        assert oracle.satisfies(listed, dict(enumerate(indicators, 1))) == (value != negate)


def test_prime_clauses_use_that_a_feature_has_one_value():
    # X in {1, 2}: "1 or 2", and nothing about both at once.
    clauses = _core.Clauses.primes(Function((4,), (False, True, True, False)).bdd())
    assert list(symcf.system.diagram.split_clauses(clauses.literals)) == [(1, 2)]


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
