"""Systems of sums over labels and numbers: rows that are enough, against the enumeration of small grids."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import pytest
import reference

from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.search.change_sets import features_of
from symcf.search.game import game
from symcf.search.line_sets import Transversals
from symcf.search.lines import BoxLimit, LineOracle
from symcf.system.lines import Among, Curve, Every, Grid, Line, Linear, Option, Pair, Some, Sum, System, Taken

F = Fraction


# --- random systems over small grids, and all of their rows -----------------------------------------------------------


def random_line(rng):
    """A feature, and all that it may be."""
    if rng.random() < 0.4:
        size = rng.randint(2, 4)
        return Line(tuple(map(Option, range(size))), rng.randrange(size)), [Taken(v) for v in range(size)]
    step = rng.choice([F(1), F(1), F(1, 4), F(1, 10)])
    low = rng.randint(-6, 3)
    high = low + rng.randint(0, 6)
    own = float(rng.randint(-7, 10) * step)
    cuts = sorted({float(rng.randint(low, high) * step) for _ in range(rng.randint(0, 2))} - {float(low * step)})
    firsts, lasts = [float(low * step), *cuts], [*(math.nextafter(cut, -math.inf) for cut in cuts), float(high * step)]
    options, rows = [Option(7, own, own)], [Taken(0, own)]
    for place, (first, last) in enumerate(zip(firsts, lasts, strict=True), 1):
        options.append(Option(None, first, last))
        numbers = (float(k * step) for k in range(low, high + 1))
        rows += [Taken(place, number) for number in numbers if first <= number <= last]
    own_place = 0
    if rng.random() < 0.25:  # a value that is no number
        options.append(Option(99))
        rows.append(Taken(len(options) - 1))
        own_place = rng.choice([0, len(options) - 1])
    return Line(tuple(options), own_place, Grid(step)), rows


def random_sum(rng, lines, with_pairs):
    """Curves of numbers, weights of labels, perhaps terms of two features."""
    curved = rng.random() < 0.4
    terms = []
    for line in lines:
        square = F(rng.randint(-3, 3)) if curved and rng.random() < 0.5 else F(0)
        curve = Curve(square, F(rng.randint(-5, 5), rng.choice([1, 1, 3])), F(0))
        terms.append(tuple(curve if o.code is None else Curve.constant(rng.randint(-8, 8)) for o in line.options))
    pairs = []
    for j in range(1, len(lines) if with_pairs else 0):
        if rng.random() < 0.7:
            parent = rng.randrange(j)
            table = [[rng.randint(-5, 5) for _ in lines[j].options] for _ in lines[parent].options]
            pairs.append(Pair(parent, j, tuple(map(tuple, table))))
    return Sum(F(rng.randint(-25, 5)), tuple(terms), tuple(pairs), rng.choice([0, 0, 1, -1]))


def random_condition(rng, lines, depth):
    """A formula over options."""
    if not depth or rng.random() < 0.4:
        j = rng.randrange(len(lines))
        return Among(j, frozenset(o for o in range(len(lines[j].options)) if rng.random() < 0.6))
    parts = tuple(random_condition(rng, lines, depth - 1) for _ in range(rng.randint(1, 3)))
    return rng.choice([Every, Some])(parts)


def random_linear(rng, lines):
    """Comparisons of numbers."""
    numbers = [j for j, line in enumerate(lines) if any(o.low is not None for o in line.options)]
    found = []
    for _ in range(rng.choice([0, 1, 2]) if len(numbers) > 1 else 0):
        a, b = rng.sample(numbers, 2)
        if rng.random() < 0.7:
            found.append(Linear(((a, F(1)), (b, F(-1))), F(0), rng.random() < 0.5))
        else:
            both = (a, F(rng.randint(1, 3))), (b, F(rng.choice([-2, -1, 1, 2])))
            found.append(Linear(both, F(rng.randint(-5, 10)), rng.random() < 0.3))
    return tuple(found)


def random_system(seed):
    """A system, and by feature all that it may be; None if that is too much."""
    rng = random.Random(seed)
    lines, rows = zip(*(random_line(rng) for _ in range(rng.randint(2, 5))), strict=True)
    goals = tuple(
        tuple(random_sum(rng, lines, i == 0 and rng.random() < 0.3) for i in range(rng.choice([1, 1, 2, 3])))
        for _ in range(rng.choice([1, 1, 2]))
    )
    conditions = tuple(random_condition(rng, lines, 2) for _ in range(rng.choice([0, 0, 1, 2])))
    system = System(lines, goals, conditions, random_linear(rng, lines))
    return None if math.prod(map(len, rows)) > 4000 else (system, rows)


def value(part, row):
    """A sum, by its definition."""
    total = part.bias + sum(pair.table[row[pair.first].option][row[pair.second].option] for pair in part.pairs)
    for curves, (option, number) in zip(part.terms, row, strict=True):
        curve, y = curves[option], F(0 if number is None else number)
        term = curve.square * y * y + curve.slope * y + curve.shift
        if part.rounding and (curve.square or curve.slope):
            halves = term + F(part.rounding, 2)
            term = F(math.floor(halves) if part.rounding > 0 else math.ceil(halves))
        total += term
    return total


def obeys(condition, row):
    """A condition, by its definition."""
    if isinstance(condition, Among):
        return row[condition.feature].option in condition.options
    found = [obeys(part, row) for part in condition.parts]
    return all(found) if isinstance(condition, Every) else any(found)


def compares(linear, row):
    """A comparison, by its definition."""
    numbers = [(coefficient, row[j].number) for j, coefficient in linear.coefficients]
    if any(number is None for _, number in numbers):
        return True
    total = sum(coefficient * F(number) for coefficient, number in numbers)
    return total < linear.most if linear.strict else total <= linear.most


def enough(system, row):
    return (
        all(obeys(condition, row) for condition in system.conditions)
        and all(compares(linear, row) for linear in system.linear)
        and any(all(value(part, row) >= 0 for part in goal) for goal in system.goals)
    )


def searched(system):
    """The minimal sets and the reasons that the search finds."""
    oracle = LineOracle(system)

    def can(features):
        row = oracle.witness(features)
        assert row is None or (enough(system, row) and system.changed(row) <= set(features))
        return None if row is None else sorted(system.changed(row))

    sets = Transversals(len(system.features), can)
    return sets, oracle


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_minimal_sets_and_reasons_are_those_of_all_rows(first):
    for seed in range(first, first + 20):
        made = random_system(seed)
        if made is None:
            continue
        system, every = made
        n, own = len(every), system.own
        good = [row for row in product(*every) if enough(system, row)]
        wanted = set(reference.minimal([j for j in range(n) if row[j] != own[j]] for row in good))
        sets, oracle = searched(system)
        assert {tuple(sorted(s)) for s in sets.listed()} == wanted, seed
        assert oracle.gaps == 0, seed
        hitting = set(reference.hitting_sets(wanted, n))
        assert {tuple(sorted(features_of(mask))) for mask in sets.reasons} == hitting, seed
        rng = random.Random(seed)
        weights, k = [rng.randint(0, 3) for _ in range(n)], rng.randint(1, 4)
        keys = sorted((sum(weights[j] for j in s), len(s), tuple(sorted(s))) for s in wanted)
        assert list(searched(system)[0].cheapest(k, weights)) == [key[2] for key in keys[:k]], seed
        up_to = [s for s in wanted if len(s) <= 2]
        assert sorted(searched(system)[0].listed(2)) == sorted(tuple(sorted(s)) for s in up_to), seed


# --- real numbers -----------------------------------------------------------------------------------------------------


def real_line(low, high, own):
    """Any double of a range."""
    return Line((Option(0, own, own), Option(None, low, high)), 0)


def straight(slope, own):
    return (Curve.constant(F(slope) * F(own)), Curve(F(0), F(slope), F(0)))


def test_orders_of_real_numbers_are_decided_exactly():
    # a - b / 2 >= 4 with a <= b and both up to 8: only a = b = 8
    lines = (real_line(0.0, 8.0, 1.0), real_line(0.0, 8.0, 5.0))
    goal = (Sum(F(-4), (straight(1, 1.0), straight(F(-1, 2), 5.0))),)
    order = Linear(((0, F(1)), (1, F(-1))), F(0))
    row = LineOracle(System(lines, (goal,), (), (order,))).witness([0, 1])
    assert [taken.number for taken in row] == [8.0, 8.0]
    oracle = LineOracle(System(lines, (goal,), (), (Linear(order.coefficients, F(0), strict=True),)))
    assert oracle.witness([0, 1]) is None
    barely = (Sum(F(-4) + F(1, 2**30), goal[0].terms),)
    row = LineOracle(System(lines, (barely,), (), (Linear(order.coefficients, F(0), strict=True),))).witness([0, 1])
    assert row[0].number < row[1].number


def test_two_sums_pull_a_number_in_opposite_directions():
    # y >= 3 and y <= bound
    line = (real_line(0.0, 10.0, 0.0),)

    def system(bound):
        low = Sum(F(-3), ((Curve.constant(0), Curve(F(0), F(1), F(0))),))
        high = Sum(F(bound), ((Curve.constant(-20), Curve(F(0), F(-1), F(0))),))
        return System(line, ((low, high),))

    assert LineOracle(system(3)).witness([0])[0].number == 3.0
    assert LineOracle(system(F(3) - F(1, 2**50))).witness([0]) is None
    assert 3 <= LineOracle(system(F(3) + F(1, 2**20))).witness([0])[0].number <= 3.0 + 2**-20


def test_parabolas_have_their_best_inside():
    # 4 - (a - 3)**2 - (b - 5)**2 is 4 at most, and 2 where a = b
    a = (Curve.constant(-99), Curve(F(-1), F(6), F(-9)))
    b = (Curve.constant(-99), Curve(F(-1), F(10), F(-25)))
    lines = (real_line(0.0, 9.0, 0.0), real_line(0.0, 9.0, 0.0))
    both = (Linear(((0, F(-1)), (1, F(1))), F(0)),)  # b <= a
    for least, found in ((F(2), True), (F(2) - F(1, 1000), True), (F(2) + F(1, 1000), False), (F(3), False)):
        system = System(lines, ((Sum(4 - least, (a, b)),),), (), both)
        row = LineOracle(system).witness([0, 1])
        assert (row is not None) == found, least
    assert LineOracle(System(lines, ((Sum(F(0), (a, b)),),))).witness([0, 1]) is not None
    assert LineOracle(System(lines, ((Sum(F(-1, 10**9), (a, b)),),))).witness([0, 1]) is None


def test_valleys_have_their_best_at_an_end():
    # (a - 3)**2 - b >= least with a <= b: the best is a = 0, b = 0, or far out
    a = (Curve.constant(-99), Curve(F(1), F(-6), F(9)))
    b = (Curve.constant(-99), Curve(F(0), F(-1), F(0)))
    lines = (real_line(0.0, 9.0, 1.0), real_line(0.0, 9.0, 1.0))
    order = (Linear(((0, F(1)), (1, F(-1))), F(0)),)
    for least, found in ((9, True), (20, True), (27, True), (28, False)):
        system = System(lines, ((Sum(F(-least), (a, b)),),), (), order)
        assert (LineOracle(system).witness([0, 1]) is not None) == found, least


def test_grids_give_the_next_number_in_a_direction():
    tenths = Grid(F(1, 10))
    assert tenths.up(F(3, 10)) == 0.4  # the double 0.3 lies a little below 3 / 10
    assert tenths.up(F(0.3)) == 0.3
    assert tenths.down(F(29, 100)) == 0.2
    assert tenths.up(F(0.2), strict=True) == 0.3
    assert Grid().up(F(1, 3)) == math.nextafter(1 / 3, 1)  # the double 1 / 3 lies below
    assert Grid().down(F(2), strict=True) == math.nextafter(2.0, 0.0)
    assert Grid(F(1)).nearest(2.4) == 2.0


def test_limits_end_a_search():
    system, _ = next(made for made in map(random_system, range(1000)) if made is not None)
    with pytest.raises(LimitError, match="time limit"):
        LineOracle(system).witness(range(len(system.features)), Clock(0.0))
    with pytest.raises(BoxLimit):
        LineOracle(system, 0).witness(range(len(system.features)))


def test_games_have_the_value_of_both_mixtures():
    import numpy as np

    rng = np.random.default_rng(1)
    for _ in range(50):
        payoff = rng.integers(-5, 6, size=(rng.integers(1, 5), rng.integers(1, 7))).astype(float)
        value, rows, columns = game(payoff)
        assert (payoff @ columns).min() == pytest.approx(value, abs=1e-9)
        assert (rows @ payoff).max() == pytest.approx(value, abs=1e-9)


def test_numbers_too_close_to_zero_for_a_code_are_never_taken():
    least = 2.0**-510
    assert Grid().up(F(0), strict=True) == least
    assert Grid().down(F(0), strict=True) == -least
    assert Grid().up(F(-1, 2**600)) == 0.0
    assert Grid().down(F(1, 2**600)) == 0.0
    assert Grid().nearest(5e-324) == 0.0
