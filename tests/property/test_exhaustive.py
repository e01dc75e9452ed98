"""All Boolean functions of a few variables, at all inputs: `make exhaustive`."""

from itertools import product

import numpy as np
import oracle
import pytest

import symcf

pytestmark = pytest.mark.exhaustive

INPUTS = list(product([0, 1], repeat=4))


@pytest.mark.parametrize("part", range(16))
def test_all_functions_of_four_variables(part):
    for function in range(part, 1 << 16, 16):
        table = [function >> i & 1 for i in range(16)]
        c = symcf.compile(symcf.Diagram.from_table(table))
        value = {x: table[sum(bit << j for j, bit in enumerate(x))] for x in INPUTS}
        for x in INPUTS:
            wanted = oracle.cheapest(oracle.change_sets(value.__getitem__, x, [2] * 4))
            for engine in ("diagram", "sat"):
                assert c.explain(x, engine=engine).sets == wanted, (engine, function, x)
        c.diagram.close()


def test_the_portable_engine_on_some_of_them():
    rng = np.random.default_rng(0)
    for function in rng.integers(0, 1 << 16, 500):
        table = [int(function) >> i & 1 for i in range(16)]
        c = symcf.compile(symcf.Diagram.from_table(table))
        for x in INPUTS:
            assert c.explain(x, engine="sat-portable").sets == c.explain(x, engine="diagram").sets
