"""Values for change sets: the best, all and their number, against trying everything."""

from __future__ import annotations

from itertools import chain, combinations, islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf import _core, assign_scores, assignments
from symcf.assignments import (
    AnyOtherFlip,
    Assignments,
    DiagramFlip,
    Priced,
    TargetFlip,
    ThresholdFlip,
    cheapest_by_value,
)
from symcf.nodes import Nodes
from symcf.relations import Relations

small = st.integers(-3, 3)
wide = st.integers(-(10**9), 10**9)


def threshold(weights, bias):
    """Weights by feature and value."""
    offset = np.concatenate([[0], np.cumsum([len(w) for w in weights])]).astype(np.uint32)
    flat = np.array(list(chain.from_iterable(weights)), dtype=np.int64)
    return _core.Threshold.from_weights(offset, flat, bias)


class World:
    """What is to be flipped, and what a slow person would say about a row: does it flip, and by which margin?"""

    def __init__(self, n_values, flip, flips, margin):
        self.n_values, self.flip, self.flips, self.margin = n_values, flip, flips, margin


def sum_of(weights, bias, row):
    return bias + sum(weights[j][v] for j, v in enumerate(row))


@st.composite
def score_worlds(draw, n_values):
    """Classes with integer scores; the flip is one of the three kinds."""
    numbers = draw(st.sampled_from([small, wide]))
    k = draw(st.integers(2, 4))
    weights = [[draw(st.lists(numbers, min_size=d, max_size=d)) for d in n_values] for _ in range(k)]
    bias = [draw(numbers) for _ in range(k)]
    later_wins = draw(st.booleans())
    one = draw(st.integers(0, k - 1))
    others = [r for r in range(k) if r != one]

    def score(c, row):
        return sum_of(weights[c], bias[c], row)

    def decision(row):
        best = max(score(c, row) for c in range(k))
        winners = [c for c in range(k) if score(c, row) == best]
        return winners[-1 if later_wins else 0]

    def beats(a, b):
        """The threshold function "a beats b", and what the tie rule takes off."""
        loses = int((a < b) == later_wins)
        difference = [
            [p - q for p, q in zip(mine, other, strict=True)]
            for mine, other in zip(weights[a], weights[b], strict=True)
        ]
        return threshold(difference, bias[a] - bias[b] - loses), loses

    kind = draw(st.sampled_from(["threshold", "any", "target"]))
    if kind == "threshold":
        target = draw(st.integers(0, 1))
        return World(
            n_values,
            ThresholdFlip(threshold(weights[0], bias[0]), target),
            lambda row: (score(0, row) >= 0) == bool(target),
            lambda row: score(0, row) if target else -score(0, row),
        )
    if kind == "any":
        lines = [beats(r, one) for r in others]
        return World(
            n_values,
            AnyOtherFlip(tuple(t for t, _ in lines), tuple(s for _, s in lines)),
            lambda row: decision(row) != one,
            lambda row: max(score(r, row) for r in others) - score(one, row),
        )
    lines = [beats(one, r) for r in others]
    return World(
        n_values,
        TargetFlip(tuple(t for t, _ in lines), tuple(s for _, s in lines)),
        lambda row: decision(row) == one,
        lambda row: score(one, row) - max(score(r, row) for r in others),
    )


@st.composite
def diagram_worlds(draw, n_values):
    """Any function, as a diagram over any order."""
    rows = list(product(*map(range, n_values)))
    table = dict(zip(rows, draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), strict=True))
    order = draw(st.permutations(range(len(n_values))))
    sink = draw(st.integers(0, 1))
    nodes = Nodes(order, n_values)
    minterms = [nodes.conjoin([nodes.member(j, {v}) for j, v in enumerate(row)]) for row in rows if table[row]]
    diagram = nodes.freeze(nodes.disjoin(minterms))
    return World(n_values, DiagramFlip(diagram, sink), lambda row: table[row] == bool(sink), lambda row: 0)


@st.composite
def questions(draw):
    """A world, an instance, what may change and what it costs; values may be finer than what the world knows."""
    diagram = draw(st.booleans())
    n_values = draw(st.lists(st.integers(1, 3 if diagram else 4), min_size=1, max_size=4 if diagram else 6))
    world = draw((diagram_worlds if diagram else score_worlds)(n_values))
    groups = None
    codes = n_values
    if draw(st.booleans()):
        groups = [draw(st.lists(st.integers(0, d - 1), min_size=1, max_size=4)) for d in n_values]
        codes = [len(g) for g in groups]
    x = [draw(st.integers(0, d - 1)) for d in codes]
    choices = [
        sorted(draw(st.sets(st.integers(0, d - 1)) | st.just(set(range(d)))) - {own})
        for d, own in zip(codes, x, strict=True)
    ]
    units = None
    if draw(st.booleans()):
        dear = draw(st.sampled_from([3, 10**9]))
        table = [draw(st.lists(st.integers(1, dear), min_size=d, max_size=d)) for d in codes]

        def units(j, v):
            return table[j][v]

    return world, x, choices, units, groups


def slow_all(question, change_set):
    """Every flipping assignment of a change set, best first: (cost, -margin, codes)."""
    world, x, choices, units, groups = question
    found = []
    for codes in product(*(choices[j] for j in change_set)):
        row = list(x)
        for j, v in zip(change_set, codes, strict=True):
            row[j] = v
        core = tuple(row if groups is None else (groups[j][v] for j, v in enumerate(row)))
        if world.flips(core):
            cost = sum(1 if units is None else units(j, v) for j, v in zip(change_set, codes, strict=True))
            found.append((cost, -world.margin(core), codes))
    return sorted(found)


def sets_of(n):
    return chain.from_iterable(combinations(range(n), size) for size in range(n + 1))


@given(questions())
def test_best_all_and_count_agree_with_trying_everything(question):
    world, x, choices, units, groups = question
    found = Assignments(world.flip, x, choices, units, groups)
    for change_set in sets_of(len(x)):
        wanted = slow_all(question, change_set)
        assert found.priced(change_set) == ((wanted[0][0], wanted[0][2]) if wanted else None)
        assert found.best(change_set) == (wanted[0][2] if wanted else None)
        assert list(found.all(change_set)) == [codes for _, codes in sorted((c, codes) for c, _, codes in wanted)]
        assert found.count_all(change_set) == len(wanted)


@given(questions(), st.integers(0, 10))
def test_the_cheapest_sets_by_value(question, k):
    world, x, choices, units, groups = question
    found = Assignments(world.flip, x, choices, units, groups)
    flipping = [s for s in sets_of(len(x)) if slow_all(question, s)]
    minimal = [s for s in flipping if not any(set(t) < set(s) for t in flipping)]

    def best_k(lower, m):
        return sorted(minimal, key=lambda s: (sum(lower[j] for j in s), len(s), s))[:m]

    wanted = sorted((slow_all(question, s)[0][0], len(s), s) for s in minimal)[:k]
    answer = cheapest_by_value(best_k, found, k)
    assert [(priced.unit, len(s), s) for s, priced in answer] == wanted
    assert [priced.codes for _, priced in answer] == [slow_all(question, s)[0][2] for _, _, s in wanted]


def test_relations_are_kept_by_way_of_diagrams():
    found = Relations(["x0 = 2 -> x1 = 1"], ("x0", "x1"), ((0, 1, 2), (0, 1)), (True, True))
    (diagram,) = found.diagrams([1, 0])
    a = Assignments(DiagramFlip(diagram, 1), [0, 0], [[1, 2], [1]])
    assert list(a.all((0,))) == [(1,)]
    assert list(a.all((0, 1))) == [(1, 1), (2, 1)]


def test_all_is_lazy_without_costs_and_beyond_the_limit(monkeypatch):
    n, d = 30, 3
    line = threshold([[0, 1, 2]] * n, -1)
    everything = tuple(range(n))
    a = Assignments(ThresholdFlip(line, 1), [0] * n, [[1, 2]] * n)
    assert next(a.all(everything)) == (1,) * n
    assert a.count_all(everything) == 2**n
    dear = Assignments(ThresholdFlip(line, 1), [0] * n, [[1, 2]] * n, lambda j, v: d - v)
    assert list(islice(dear.all(everything), 2)) == [(1,) * n, (*(1,) * (n - 1), 2)]
    assert dear.priced(everything) == Priced(n, (2,) * n)
    assert list(dear.all((0,))) == [(2,), (1,)]
    monkeypatch.setattr(assignments, "SORT_LIMIT", 1)
    assert list(dear.all((0,))) == [(1,), (2,)]


def test_counting_says_when_there_is_too_much_to_count(monkeypatch):
    monkeypatch.setattr(assign_scores, "MAX_STATES", 100)
    n = 12
    line = threshold([[0, 3**j, 2 * 3**j] for j in range(n)], -(3**n) * 2 // 3)
    a = Assignments(ThresholdFlip(line, 1), [0] * n, [[1, 2]] * n, lambda j, v: v)
    with pytest.raises(symcf.LimitError, match="12 features"):
        a.count_all(tuple(range(n)))
    assert len(next(a.all(tuple(range(n))))) == n


def test_large_sets_of_one_value_each_are_no_trouble():
    n = 3000
    lines = tuple(threshold([[0, 1]] * n, bias) for bias in (-n, -1, -2))
    for flip in (ThresholdFlip(lines[0], 1), AnyOtherFlip(lines), TargetFlip(lines)):
        a = Assignments(flip, [0] * n, [[1]] * n)
        assert a.best(tuple(range(n))) == (1,) * n
        assert a.best((0, 1)) == ((1, 1) if isinstance(flip, AnyOtherFlip) else None)


def test_lower_units_are_the_cheapest_changes():
    a = Assignments(
        ThresholdFlip(threshold([[0, 1, 2], [0, 1], [0]], 0), 1),
        [0, 0, 0],
        [[1, 2], [], []],
        lambda j, v: 10 - v,
    )
    assert a.lower_units().tolist() == [8, 1, 1]
