"""Values for change sets: the best, all and their number, against trying everything."""

from __future__ import annotations

from itertools import chain, combinations, islice, product
from random import Random

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.question.relations import Relations
from symcf.system.builder import Nodes
from symcf.values import assignments
from symcf.values import scores as assign_scores
from symcf.values.assignments import Assignments, cheapest_by_value
from symcf.values.paths import DiagramFlip
from symcf.values.protocol import Priced
from symcf.values.scores import SumsFlip


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


def score_world(kind, n_values, rng):
    """Classes with integer scores."""
    size = rng.choice([1, 3, 10**9])
    k = rng.randint(2, 4)
    weights = [[[rng.randint(-size, size) for _ in range(d)] for d in n_values] for _ in range(k)]
    # Near a tie at some row, so that many rows flip and many do not.
    middle = [rng.randrange(d) for d in n_values]
    bias = [rng.randint(-3, 3) - sum_of(w, 0, middle) for w in weights]
    later_wins = rng.random() < 0.5
    one = rng.randrange(k)
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

    if kind == "threshold":
        target = rng.randint(0, 1)
        return World(
            n_values,
            SumsFlip((threshold(weights[0], bias[0]),), fall=target == 0),
            lambda row: (score(0, row) >= 0) == bool(target),
            lambda row: score(0, row) if target else -score(0, row),
        )
    if kind == "any":
        lines = [beats(r, one) for r in others]
        return World(
            n_values,
            SumsFlip(tuple(t for t, _ in lines), tuple(s for _, s in lines)),
            lambda row: decision(row) != one,
            lambda row: max(score(r, row) for r in others) - score(one, row),
        )
    lines = [beats(one, r) for r in others]
    return World(
        n_values,
        SumsFlip(tuple(t for t, _ in lines), tuple(s for _, s in lines), every=True),
        lambda row: decision(row) == one,
        lambda row: score(one, row) - max(score(r, row) for r in others),
    )


def diagram_world(n_values, rng):
    """Any function, as a diagram over any order."""
    rows = list(product(*map(range, n_values)))
    often = rng.random()
    table = {row: rng.random() < often for row in rows}
    order = rng.sample(range(len(n_values)), len(n_values))
    sink = rng.randint(0, 1)
    nodes = Nodes(order, n_values)
    minterms = [nodes.conjoin([nodes.member(j, {v}) for j, v in enumerate(row)]) for row in rows if table[row]]
    diagram = nodes.freeze(nodes.disjoin(minterms))
    return World(n_values, DiagramFlip(diagram, sink), lambda row: table[row] == bool(sink), lambda row: 0)


@st.composite
def questions(draw):
    """A world, an instance, what may change and what it costs; values may be finer than what the world knows.

    Numbers come from a seed: what Hypothesis draws by itself has too few values and too many zeros to be of use here.
    """
    kind = draw(st.sampled_from(["threshold", "any", "target", "diagram"]))
    rng = Random(draw(st.integers(0, 2**32)))
    n = rng.choice([1, 2, 3, 3, 4, 4] if kind == "diagram" else [1, 2, 3, 4, 5, 6])
    n_values = rng.choices([1, 2, 3, 4], [1, 2, 3, 3], k=n)
    world = diagram_world(n_values, rng) if kind == "diagram" else score_world(kind, n_values, rng)
    groups = None
    codes = n_values
    if draw(st.booleans()):
        codes = [rng.randint(1, 4) for _ in n_values]
        groups = [[rng.randrange(d) for _ in range(c)] for c, d in zip(codes, n_values, strict=True)]
    x = [rng.randrange(d) for d in codes]
    choices = [[v for v in range(d) if v != own and rng.random() < 0.9] for d, own in zip(codes, x, strict=True)]
    if draw(st.booleans()):
        return world, x, choices, None, groups
    dear = draw(st.sampled_from([3, 10**9]))
    table = [[rng.randint(1, dear) for _ in range(d)] for d in codes]
    return world, x, choices, lambda j, v: table[j][v], groups


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
    minimal = reference.minimal(s for s in sets_of(len(x)) if slow_all(question, s))

    lower = [min((1 if units is None else units(j, v) for v in of), default=1) for j, of in enumerate(choices)]

    def bound(s):
        return sum(lower[j] for j in s), len(s), s

    wanted = sorted((slow_all(question, s)[0][0], len(s), s) for s in minimal)[:k]
    answer = cheapest_by_value(lambda m: sorted(minimal, key=bound)[:m], found.costs, bound, k)
    assert answer == [s for _, _, s in wanted]


@given(questions(), st.integers(1, 10), st.integers(0, 4))
def test_the_core_finds_the_cheapest_sets_by_value(question, k, most):
    world, x, choices, units, groups = question
    found = Assignments(world.flip, x, choices, units, groups)
    minimal = reference.minimal(s for s in sets_of(len(x)) if slow_all(question, s))
    if isinstance(world.flip, DiagramFlip) or world.flip.every:
        assert found.cheapest(k, most, NO_LIMIT) is None
    elif minimal != [()]:
        wanted = sorted((slow_all(question, s)[0][0], len(s), s) for s in minimal if len(s) <= most)
        sets, status = found.cheapest(k, most, NO_LIMIT)
        assert (sets.to_list(), status) == ([s for _, _, s in wanted[:k]], "complete")
        assert found.costs(sets) == [cost for cost, _, _ in wanted[:k]]


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
    a = Assignments(SumsFlip((line,)), [0] * n, [[1, 2]] * n)
    assert next(a.all(everything)) == (1,) * n
    assert a.count_all(everything) == 2**n
    dear = Assignments(SumsFlip((line,)), [0] * n, [[1, 2]] * n, lambda j, v: d - v)
    assert list(islice(dear.all(everything), 2)) == [(1,) * n, (*(1,) * (n - 1), 2)]
    assert dear.priced(everything) == Priced(n, (2,) * n)
    assert list(dear.all((0,))) == [(2,), (1,)]
    monkeypatch.setattr(assignments, "SORT_LIMIT", 1)
    assert list(dear.all((0,))) == [(1,), (2,)]


def test_counting_says_when_there_is_too_much_to_count(monkeypatch):
    monkeypatch.setattr(assign_scores, "MAX_STATES", 100)
    n = 12
    line = threshold([[0, 3**j, 2 * 3**j] for j in range(n)], -(3**n) * 2 // 3)
    a = Assignments(SumsFlip((line,)), [0] * n, [[1, 2]] * n, lambda j, v: v)
    with pytest.raises(symcf.LimitError, match="12 features"):
        a.count_all(tuple(range(n)))
    assert len(next(a.all(tuple(range(n))))) == n


def test_large_sets_of_one_value_each_are_no_trouble():
    n = 3000
    lines = tuple(threshold([[0, 1]] * n, bias) for bias in (-n, -1, -2))
    for flip in (SumsFlip(lines[:1]), SumsFlip(lines), SumsFlip(lines, every=True)):
        a = Assignments(flip, [0] * n, [[1]] * n)
        assert a.best(tuple(range(n))) == (1,) * n
        assert a.best((0, 1)) == ((1, 1) if len(flip.lines) == 3 and not flip.every else None)


def test_margins_are_differences_of_scores_whatever_the_tie_rule():
    """Both new values raise a sum to 4; the second by a rival that loses ties, so that its margin is 5."""
    early, late = threshold([[-9, 4, -9]], 0), threshold([[-9, -9, 4]], 0)
    assert Assignments(SumsFlip((early, late), (0, 1)), [0], [[1, 2]]).best((0,)) == (2,)
    assert Assignments(SumsFlip((early, late)), [0], [[1, 2]]).best((0,)) == (1,)
    early, late = threshold([[-9, 4, 4]], 0), threshold([[-9, 4, 5]], 0)
    assert Assignments(SumsFlip((early, late), (1, 0), every=True), [0], [[1, 2]]).best((0,)) == (2,)
    assert Assignments(SumsFlip((early, late), every=True), [0], [[1, 2]]).best((0,)) == (1,)


def test_a_larger_sum_that_is_not_the_smallest_gains_nothing():
    lines = (threshold([[-1, 0, 0]], 0), threshold([[-1, 5, 6]], 0))
    assert Assignments(SumsFlip(lines, every=True), [0], [[1, 2]]).best((0,)) == (1,)


def test_a_set_whose_values_are_dear_gives_way_to_one_that_looked_dearer():
    table = [[0, 1, 10], [0, 5, 5], [0, 7, 7]]
    a = Assignments(
        SumsFlip((threshold([[-1, -1, 0], [-1, 0, 0], [-1, 0, 0]], 2),)),
        [0, 0, 0],
        [[1, 2]] * 3,
        lambda j, v: table[j][v],
    )
    asked = []

    def best_k(m):
        asked.append(m)
        return [(0,), (1,), (2,)][:m]

    def bound(s):
        return min(table[s[0]][1:]), 1, s

    assert cheapest_by_value(best_k, a.costs, bound, 1) == [(1,)]
    assert asked == [1, 2]
    assert cheapest_by_value(best_k, a.costs, bound, 2) == [(1,), (2,)]
