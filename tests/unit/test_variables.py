"""Variables: the numbering of indicators, there and back."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcf.system import variables
from symcf.system.variables import Variables, at_most_one, zero_indicators

SIZES = st.lists(st.integers(1, 6), max_size=6)


@given(SIZES)
def test_indicators_are_numbered_by_feature_and_value(n_values):
    v = Variables(n_values)
    pairs = [(j, value) for j, d in enumerate(n_values) for value in range(1, d)]
    assert v.count == len(pairs)
    assert [v.owner(i + 1) for i in range(len(pairs))] == pairs
    assert [v.literal(*pair) for pair in pairs] == list(range(1, len(pairs) + 1))
    assert [v.name(i + 1) for i in range(len(pairs))] == [f"[x{j}={value}]" for j, value in pairs]


@given(SIZES, st.data())
def test_codes_are_read_back(n_values, data):
    x = [data.draw(st.integers(0, d - 1)) for d in n_values]
    v = Variables(n_values)
    model = [i if x[v.owner(i)[0]] == v.owner(i)[1] else -i for i in range(1, v.count + 1)]
    assert v.codes([*model, v.count + 1]).tolist() == x
    assert v.codes(literal for literal in model if literal > 0).tolist() == x


def test_two_values_a_feature_are_the_old_numbering():
    v = Variables([2, 2, 2])
    assert v.binary
    assert v.literals.tolist() == [-1, 1, -2, 2, -3, 3]
    assert v.keep([0, 1, 0]).tolist() == [-1, 2, -3]
    assert not Variables([2, 1]).binary


def test_what_there_is_not_is_named():
    v = Variables([2, 3], ["a", "b"])
    with pytest.raises(ValueError, match=r"'b'.*with_zeros"):
        v.literal(1, 0)
    with pytest.raises(ValueError, match=r"'b' has no value 3"):
        v.literal(1, 3)
    for variable in (0, 4, -1):
        with pytest.raises(ValueError, match=r"1 to 3"):
            v.owner(variable)


def clauses_of(extra):
    return [c for c in "".join(f"{i} " for i in extra.literals.tolist()).split(" 0 ") if c]


@pytest.mark.parametrize("d", [3, 4, 5, 7, 10, 11])
@pytest.mark.parametrize("pairwise", [1, 100])
def test_at_most_one_excludes_every_pair_and_nothing_else(monkeypatch, d, pairwise):
    monkeypatch.setattr(variables, "PAIRWISE", pairwise)
    v = Variables([2, d, 1])
    extra = at_most_one(v, v.count)
    clauses = [list(map(int, c.split())) for c in clauses_of(extra)]
    assert len(clauses) == extra.n_clauses
    assert max(abs(literal) for clause in clauses for literal in clause) == extra.n_vars
    indicators = range(2, d + 1)
    with oracle.Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for i in indicators:
            assert solver.solve([i, 1, *(-other for other in indicators if other != i)])
        assert solver.solve([-i for i in indicators])
        assert not any(solver.solve(pair) for pair in combinations(indicators, 2))


def test_a_grid_takes_fewer_clauses_where_it_is_used():
    for d in (variables.PAIRWISE + 2, 100, 500):
        grid = at_most_one(Variables([d]), d - 1)
        assert grid.n_vars > d - 1
        assert grid.n_clauses < (d - 1) * (d - 2) // 2
    assert at_most_one(Variables([500]), 499).n_clauses < 1500


def test_zeros_of_features_of_one_value_are_true():
    extra, v = zero_indicators(Variables([1, 2, 3]), 10)
    assert extra.n_vars == 12
    assert extra.literals.tolist() == [11, 0, 12, 2, 3, 0, -12, -2, 0, -12, -3, 0]
    assert extra.n_clauses == 4
    assert v.literals.tolist() == [11, -1, 1, 12, 2, 3]
    assert v.keep(np.zeros(3)).tolist() == [11, -1, 12]
