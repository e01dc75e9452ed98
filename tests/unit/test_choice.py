"""The choice of actions for groups, against all choices."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from group_recourse_random import Impatient

from symcf.analysis.recourse import choice
from symcf.analysis.recourse.choice import Search, most_helped, smallest_number

FOREVER = Impatient(10**9)


def tables(count, seed):
    """Tables of different shapes and densities, with lines and columns that repeat."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, m = rng.integers(1, 13), rng.integers(1, 30)
        helps = rng.random((n, m)) < rng.choice([0.05, 0.15, 0.3, 0.6])
        helps = helps[rng.integers(0, n, n)] if rng.random() < 0.3 else helps
        helps = helps[:, rng.integers(0, m, m)] if rng.random() < 0.3 else helps
        helps = helps[helps.any(axis=1)]
        if len(helps):
            yield helps, rng.integers(1, 6, len(helps)).astype(float)


def n_helped(helps, chosen):
    return int(np.logical_or.reduce(helps[list(chosen)]).sum())


def best_of(helps, size):
    """The most rows that so many actions help."""
    choices = itertools.combinations(range(len(helps)), min(size, len(helps)))
    return max(n_helped(helps, choice) for choice in choices)


@pytest.mark.parametrize("looks", [10**9, 0, 1, 3, 7, 20])
def test_no_choice_is_better(looks):
    proved = 0
    for helps, sizes in tables(80 if looks == 10**9 else 20, looks % 1000):
        for most in (1, 2, 3, 4):
            found = most_helped(helps, sizes, most, Impatient(looks))
            best, mine = best_of(helps, most), n_helped(helps, found.actions)
            assert len(set(found.actions)) == len(found.actions) <= most
            assert mine <= best <= found.bound
            proved += mine == found.bound
            if looks == 10**9:
                assert mine == found.bound
        reach = int(helps.any(axis=0).sum())
        for needed in {1, reach // 2, reach - 1, reach} - {-1}:
            found = smallest_number(helps, sizes, needed, Impatient(looks))
            fewest = next(k for k in range(len(helps) + 1) if (best_of(helps, k) if k else 0) >= needed)
            assert n_helped(helps, found.actions) >= needed
            assert found.bound <= fewest <= len(found.actions)
            if looks == 10**9:
                assert found.bound == fewest == len(found.actions)
    assert proved


def test_of_actions_for_the_same_rows_the_smallest_is_chosen():
    helps = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool)
    assert sorted(most_helped(helps, np.array([3.0, 2, 1, 1]), 2, FOREVER).actions) == [1, 2]
    # nobody needs the last row: another action is smaller, and helps as many as are needed
    assert sorted(smallest_number(helps, np.array([3.0, 2, 4, 1]), 3, FOREVER).actions) == [1, 3]


def test_a_choice_that_is_better_than_the_greedy_one_is_found_among_hundreds():
    rng = np.random.default_rng(7)
    # the first three share the rows out; each other action helps many, but no three of them all
    parts = np.array_split(rng.permutation(300), 3)
    helps = rng.random((400, 300)) < 0.3
    for line, part in zip(helps[:3], parts, strict=True):
        line[:] = False
        line[part] = True
    found = most_helped(helps, np.ones(400), 3, FOREVER)
    assert (sorted(found.actions), found.bound) == ([0, 1, 2], 300)
    fewest = smallest_number(helps, np.ones(400), 300, FOREVER)
    assert (len(fewest.actions), fewest.bound) == (3, 3)


def test_the_search_finds_the_best_without_a_good_start(monkeypatch):
    monkeypatch.setattr(Search, "_improve", lambda *_: None)
    monkeypatch.setattr(choice, "FIRST", 3)
    monkeypatch.setattr(choice, "LATER", 1)
    rng = np.random.default_rng(11)
    better = 0
    for _ in range(60):
        helps = rng.random((16, 24)) < rng.choice([0.15, 0.25])
        helps = helps[helps.any(axis=1)]
        for most in (2, 3, 4):
            found, start = most_helped(helps, np.ones(len(helps)), most, FOREVER), choice.greedy(helps, most, None)
            assert n_helped(helps, found.actions) == found.bound == best_of(helps, most)
            better += found.bound > n_helped(helps, start)
    assert better > 20
