"""Columns of numbers without bins: additive models, their change sets and the nearest numbers.

The oracle is in fractions and knows nothing of codes, units or engines: it looks at every set of features, at the best
that each feature of a set can add to the score, and for values at every number of a grid or at a linear program.
"""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import reference

import symcf
import symcf.fast
from symcf import _core
from symcf.common.clock import Clock
from symcf.data import numbers
from symcf.data.numbers import NumberLine, codes_of_numbers, numbers_of_codes, observed
from symcf.models.additive import AdditiveClassifier, NumberTerm
from symcf.models.scaling import dyadic
from symcf.question.question import Question

# --- the oracle -------------------------------------------------------------------------------------------------------


class Plain:
    """An additive model as its user wrote it. terms[j]: (slopes, curves, low, high) by class, or a table by class."""

    def __init__(self, terms, bias, doubt=0):
        self.terms, self.bias, self.doubt = terms, [Fraction(b) for b in bias], Fraction(doubt)

    def add(self, k, j, v):
        term = self.terms[j]
        if isinstance(term, list):
            return Fraction(term[k][v])
        slopes, curves, _, _ = term
        return Fraction(slopes[k]) * Fraction(v) + Fraction(curves[k]) * Fraction(v) ** 2

    def scores(self, row):
        return [b + sum(self.add(k, j, v) for j, v in enumerate(row)) for k, b in enumerate(self.bias)]

    def decide(self, row):
        scores = self.scores(row)
        if len(scores) == 1:
            return int(scores[0] > 0)
        return scores.index(max(scores))

    def margin(self, row, new, old):
        """By how much class `new` beats class `old`."""
        scores = self.scores(row)
        if len(scores) == 1:
            return scores[0] if new == 1 else -scores[0]
        return scores[new] - scores[old]

    def free(self, row, j, allowed):
        """The ends of what a number may become, or the values that a feature may take."""
        rule, term = allowed.get(j), self.terms[j]
        if rule == "fixed":
            return None
        if isinstance(term, list):
            others = [v for v in range(len(term[0])) if v != row[j]]
            if rule == "increase":
                return [v for v in others if v > row[j]]
            if rule == "decrease":
                return [v for v in others if v < row[j]]
            return others if rule is None else [v for v in others if v in rule]
        low, high = Fraction(term[2]), Fraction(term[3])
        if rule == "increase":
            low = max(low, Fraction(row[j]))
        elif rule == "decrease":
            high = min(high, Fraction(row[j]))
        elif rule is not None:
            low, high = max(low, Fraction(rule[0])), min(high, Fraction(rule[1]))
        return None if low > high else (low, high)

    def best(self, row, j, new, old, allowed):
        """The most that feature j can add to the margin."""
        free = self.free(row, j, allowed)
        if not free:
            return Fraction(0)

        def at(v):
            changed = list(row)
            changed[j] = v
            return self.margin(changed, new, old) - self.margin(row, new, old)

        if isinstance(free, list):
            return max(map(at, free))
        stops = list(free)
        slopes, curves = self.terms[j][:2]
        if len(slopes) == 1:
            slope, curve = Fraction(slopes[0]), Fraction(curves[0])
        else:
            slope, curve = (Fraction(part[new]) - Fraction(part[old]) for part in (slopes, curves))
        if curve and free[0] < -slope / (2 * curve) < free[1]:
            stops.append(-slope / (2 * curve))
        return max(map(at, stops))

    def sets(self, row, allowed=None, most=None):
        """All minimal change sets, by brute force."""
        allowed, n, old = allowed or {}, len(row), self.decide(row)
        rivals = [1 - old] if len(self.bias) == 1 else [k for k in range(len(self.bias)) if k != old]
        lacking = {new: -self.margin(row, new, old) for new in rivals}
        gains = {new: [max(0, self.best(row, j, new, old, allowed)) for j in range(n)] for new in rivals}
        found = []
        for size in range(1, n + 1 if most is None else most + 1):
            for chosen in itertools.combinations(range(n), size):
                if any(set(smaller) <= set(chosen) for smaller in found):
                    continue
                if any(self.enough(sum(gains[new][j] for j in chosen) - lacking[new], new, old) for new in rivals):
                    found.append(chosen)
        return found

    def enough(self, margin, new, old):
        """Does a margin win? Ties go to class 0, or to the first class."""
        return margin > 0 or (margin == 0 and new < old) if self.doubt == 0 else margin >= self.doubt


#: Wide enough for the roundings of the rule, narrow enough not to matter for numbers of a few digits.
DOUBT = 2.0**-30


def random_case(rng, n_classes=2, *, curved=True, tables=True):
    """A model twice, as `Plain` and as an `AdditiveClassifier`, and a row."""
    sums, n = (1 if n_classes == 2 else n_classes), int(rng.integers(1, 6))
    plain, terms, row, cells = [], [], [], []
    for _ in range(n):
        if tables and rng.random() < 0.3:
            d = int(rng.integers(2, 5))
            table = [[float(w) for w in rng.normal(size=d).round(3)] for _ in range(sums)]
            plain.append(table)
            terms.append(table[0] if sums == 1 else table)
            row.append(int(rng.integers(d)))
            cells.append(f"v{row[-1]}")
            continue
        low = float(rng.integers(-20, 10))
        high = low + float(rng.integers(1, 25))
        slopes = [float(s) for s in rng.normal(scale=0.3, size=sums).round(4)]
        curves = [float(c) for c in rng.normal(scale=0.02, size=sums).round(4)] if curved else [0.0] * sums
        plain.append((slopes, curves, low, high))
        step = None if rng.random() < 0.3 else Fraction(1, int(rng.choice([1, 2, 4, 10])))
        terms.append(
            NumberTerm(slopes[0] if sums == 1 else slopes, (low, high), curves[0] if sums == 1 else curves, step)
        )
        row.append(float(rng.integers(int(low), int(high) + 1)))
        cells.append(row[-1])
    bias = [float(b) for b in rng.normal(size=sums).round(3)]
    values = [[f"v{v}" for v in range(len(t[0]))] if isinstance(t, list) else None for t in plain]
    names = [f"c{j}" for j in range(n)]
    classes = ["no", "yes"] if n_classes == 2 else [-1, 0, 7, 9, *range(10, 300)][:n_classes]
    model = AdditiveClassifier(
        terms, bias[0] if sums == 1 else bias, features=names, values=values, classes=classes, ordered=True, doubt=DOUBT
    )
    return Plain(plain, bias, DOUBT), model, row, dict(zip(names, cells, strict=True))


def random_rules(rng, plain, row):
    """Constraints, for the oracle and for symcf."""
    allowed, immutable, given = {}, [], {}
    for j, term in enumerate(plain.terms):
        kind = rng.integers(8)
        if kind == 0:
            allowed[j] = "fixed"
            immutable.append(f"c{j}")
        elif kind == 1:
            allowed[j] = given[f"c{j}"] = "increase"
        elif kind == 2:
            allowed[j] = given[f"c{j}"] = "decrease"
        elif kind == 3 and isinstance(term, list):
            codes = [v for v in range(len(term[0])) if rng.random() < 0.6]
            allowed[j], given[f"c{j}"] = codes, [f"v{v}" for v in codes]
        elif kind == 3:
            low = float(rng.integers(-25, 15))
            allowed[j] = given[f"c{j}"] = (low, low + float(rng.integers(0, 15)))
    return allowed, {"immutable": immutable, "allowed": given}


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_codes_of_numbers_ascend_as_numbers_do():
    for order in "CF":  # as arrays and frames have them
        table = np.asarray(np.arange(6.0).reshape(2, 3) - 2, order=order)
        assert (codes_of_numbers(table) == [[codes_of_numbers([x])[0] for x in row] for row in table.tolist()]).all()
        assert (numbers_of_codes(codes_of_numbers(table)) == table).all()
    numbers = np.array([-1e150, -17.99, -1.0, -(2.0**-510), 0.0, 2.0**-510, 0.1, math.nextafter(0.1, 1), 1.0, 3e120])
    codes = codes_of_numbers(numbers)
    assert (np.diff(codes) > 0).all()
    assert (codes >= 0).all()
    assert (numbers_of_codes(codes) == numbers).all()
    assert codes[7] == codes[6] + 1
    assert (codes_of_numbers(np.array([math.inf, -math.inf, math.nan, 1e200, 1e-200])) == -1).all()


def test_terms_are_rounded_once_and_exactly():
    rng = np.random.default_rng(1)
    for turn in range(600):
        scale = int(rng.integers(-20, 60))
        curve, slope = (dyadic(Fraction(float(x)) / 3, "x") for x in rng.normal(size=2))
        x = float(rng.normal() * 10.0 ** rng.integers(-6, 4))
        if turn % 2:  # a line alone, often with halves, which are rounded up; numbers from the smallest on
            curve, scale = dyadic(0, "x"), int(rng.integers(-60, 120))
            slope = dyadic(Fraction(int(rng.integers(-9, 10)), 2 ** int(rng.integers(4))), "x")
            x = rng.choice([float(rng.integers(-50, 50)), x, 5e-324, -(2.0**-1040), 2.0**-510, -(2.0**200)])
        polynomial = _core.Polynomials(
            np.array([curve.digits]),
            np.array([curve.exponent], dtype=np.int32),
            np.array([slope.digits]),
            np.array([slope.exponent], dtype=np.int32),
            scale,
        )
        fine = Fraction(2) ** (scale + 64)
        parts = math.floor(curve.fraction * Fraction(x) ** 2 * fine) + math.floor(slope.fraction * Fraction(x) * fine)
        wanted = math.floor(Fraction(parts, 2**64) + Fraction(1, 2))
        if abs(wanted) >= 2**60:
            with pytest.raises(OverflowError):
                polynomial.terms(np.array([[x]]))
        else:
            assert polynomial.terms(np.array([[x]]))[0, 0] == wanted


def test_fractions_become_62_bits():
    assert dyadic(0.1, "x").fraction == Fraction(0.1)
    third = dyadic(Fraction(1, 3), "x")
    assert abs(third.fraction * 3 - 1) < Fraction(1, 2**61)
    assert third.digits.bit_length() in (61, 62)
    assert dyadic(Fraction(-(2**70) - 1, 7), "x").fraction < 0
    with pytest.raises(symcf.ModelError, match="the slope must be a number"):
        dyadic("3", "the slope")


def test_what_data_says_about_a_column():
    line = observed(np.array([17.99, 20.5, np.nan, 3.0]), "radius")
    assert (line.low, line.high, line.resolution) == (3.0, 20.5, Fraction(1, 100))
    assert observed(np.array([3, 40, 7]), "age").resolution == 1
    computed = observed(np.random.default_rng(0).normal(size=50), "z")
    assert computed.resolution == Fraction(1, 10**6)
    with pytest.raises(symcf.ModelError, match="'empty' has no number"):
        observed(np.array([np.nan, np.inf]), "empty")


# --- change sets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_change_sets_equal_brute_force(n_classes):
    rng = np.random.default_rng(n_classes)
    for _ in range(120):
        plain, model, row, cells = random_case(rng, n_classes)
        compiled = symcf.compile(model)
        assert compiled.predict([cells], codes=True)[0] == plain.decide(row)
        e = compiled.explain(cells)
        assert sorted(e.sets) == sorted(plain.sets(row))
        assert e.count == compiled.count(cells)


def test_dozens_of_classes_equal_brute_force():
    rng = np.random.default_rng(7)
    for _ in range(2):
        plain, model, row, cells = random_case(rng, 30)
        allowed, question = random_rules(rng, plain, row)
        compiled = symcf.compile(model)
        e = compiled.explain(cells, **question)
        assert sorted(e.sets) == sorted(plain.sets(row, allowed))
        assert sorted(symcf.fast.explain_batch(compiled, [cells], **question).sets(0)) == sorted(e.sets)
        for cf in e:
            assert compiled.predict([cf.row], codes=True)[0] != e.prediction


@pytest.mark.parametrize("n_classes", [2, 3, 250])
def test_each_rival_has_three_stops_however_many_classes_there_are(n_classes):
    _, model, _, cells = random_case(np.random.default_rng(5), n_classes, tables=False)
    question = Question.checked(symcf.compile(model))
    stops = question.freedom.stops(1)
    assert stops.codes.shape == stops.terms.shape == (3, n_classes - 1, len(cells))


def test_an_apex_beyond_all_floats_is_an_end_of_the_range_and_one_near_zero_is_zero():
    for curve, slope, wanted in [(-(2.0**-1000), 2.0**30, 4.0), (2.0**-1000, 2.0**30, -3.0), (-1.0, 2.0**-600, 0.0)]:
        terms = [NumberTerm(slope, (-3.0, 4.0), curve)]
        c = symcf.compile(AdditiveClassifier(terms, 0.0))
        assert Question.checked(c).freedom.apexes() == [[wanted]]
        if wanted:
            row = [-wanted / 4]
            assert c.explain(row).sets == [(0,)]
            assert c.predict([c.explain(row)[0].row], codes=True)[0] != c.predict([row], codes=True)[0]


def test_properties_of_many_classes_end_in_time(monkeypatch):
    _, model, _, _ = random_case(np.random.default_rng(5), 30, tables=False)
    c = symcf.compile(model)
    looks = itertools.count()
    monkeypatch.setattr(Clock, "expired", property(lambda _: next(looks) > 20))
    for ask in (lambda: c.depends_on("c0", time_limit=9), lambda: c.is_monotone("c0", of=-1, time_limit=9)):
        with pytest.raises(symcf.LimitError, match="time limit"):
            ask()


def test_a_batch_without_time_has_predictions_and_no_gains(monkeypatch):
    _, model, _, cells = random_case(np.random.default_rng(5), 5, tables=False)
    c = symcf.compile(model)
    monkeypatch.delattr("symcf.answers.number_rows.gains_of")
    batch = symcf.fast.explain_batch(c, [cells] * 3, time_limit=0)
    assert batch.summary().status == {"time_limit": 3}
    assert batch.prediction.tolist() == c.predict([cells] * 3, codes=True).tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_constraints_are_obeyed(n_classes):
    rng = np.random.default_rng(10 + n_classes)
    for _ in range(100):
        plain, model, row, cells = random_case(rng, n_classes)
        allowed, question = random_rules(rng, plain, row)
        most = int(rng.integers(1, 4)) if rng.random() < 0.3 else None
        e = symcf.compile(model).explain(cells, max_changes=most, **question)
        assert sorted(e.sets) == sorted(plain.sets(row, allowed, most))
        for cf in e:
            for change in cf.changes:
                j = change.feature
                free = plain.free(row, j, allowed)
                if isinstance(free, list):
                    assert int(str(change.new)[1:]) in free
                else:
                    assert free[0] <= Fraction(change.new) <= free[1]
                    assert change.new != row[j]


def test_one_number_that_is_no_decimal_says_that_the_column_holds_none(monkeypatch):
    calls, decimals = [], numbers._decimals
    monkeypatch.setattr(numbers, "_decimals", lambda number: calls.append(number) or decimals(number))
    observed(np.random.default_rng(0).normal(size=500), "x")
    assert len(calls) < 10


@pytest.mark.long
@pytest.mark.parametrize("tie", ["positive", "negative"])
def test_ties_of_several_classes_over_whole_numbers_are_exact(tie):
    """Small integers tie often; then the first or the last class wins, and a tie may be all that it takes."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        slope, curve = rng.integers(-2, 3, size=(2, 3)).tolist(), rng.integers(-1, 2, size=(2, 3)).tolist()
        bias = rng.integers(-3, 4, size=3).tolist()
        terms = [NumberTerm(slope[j], (-2, 2), curve=curve[j], resolution=1) for j in range(2)]
        c = symcf.compile(AdditiveClassifier(terms, bias, tie=tie))
        winner = {}
        for x in itertools.product(range(-2, 3), repeat=2):
            sums = [bias[k] + sum(slope[j][k] * x[j] + curve[j][k] * x[j] ** 2 for j in range(2)) for k in range(3)]
            best = [k for k in range(3) if sums[k] == max(sums)]
            winner[x] = best[-1] if tie == "positive" else best[0]
        for x, j in itertools.product(winner, range(2)):
            if any(winner[y] != winner[x] for y in winner if y[1 - j] == x[1 - j]):
                assert c.explain(x, immutable=[1 - j]).sets == [(j,)]


def test_every_engine_finds_the_same():
    rng = np.random.default_rng(3)
    for n_classes in (2, 3):
        for _ in range(25):
            _, model, _, cells = random_case(rng, n_classes)
            compiled = symcf.compile(model)
            sets = compiled.explain(cells).sets
            for engine in ("diagram", "sat", "sat-portable"):
                assert compiled.explain(cells, engine=engine).sets == sets
            assert [cf.features for cf in compiled.explain(cells, k=2)] == list(sets)[:2]
            assert all(cf.features in set(sets) for cf in (compiled.sample(cells, 3, random_state=1) if sets else []))
            assert sorted(cf.features for cf in compiled.iter_counterfactuals(cells)) == sorted(sets)


def test_what_is_in_the_way_is_named():
    age = NumberTerm(1.0, (0, 10), resolution=1)
    compiled = symcf.compile(AdditiveClassifier([age], -5, features=["age"]))
    e = compiled.explain([2], allowed={"age": [0, 4]})
    assert not e.sets
    assert [str(c) for c in e.blocking] == ["age allows only 0.0 to 4.0"]
    assert compiled.explain([2], allowed={"age": [0, 8]})[0].changes[0].new == 6


# --- values -----------------------------------------------------------------------------------------------------------


def on_grid(line, number):
    return line.resolution is None or number == float(round(Fraction(number) / line.resolution) * line.resolution)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_suggested_rows_flip_and_no_number_could_move_less_far(n_classes):
    rng = np.random.default_rng(20 + n_classes)
    checked = 0
    for _ in range(120):
        plain, model, row, cells = random_case(rng, n_classes)
        old = plain.decide(row)
        for cf in symcf.compile(model).explain(cells):
            new = list(row)
            for change in cf.changes:
                table = isinstance(plain.terms[change.feature], list)
                new[change.feature] = int(str(change.new)[1:]) if table else change.new
            assert plain.decide(new) == cf.target != old
            for change in cf.changes:
                line = model.values[change.feature]
                if isinstance(line, NumberLine) and line.resolution is not None and on_grid(line, change.new):
                    nearer = list(new)
                    back = -1 if change.new > row[change.feature] else 1
                    nearer[change.feature] = float(Fraction(change.new) + back * line.resolution)
                    if (nearer[change.feature] - row[change.feature]) * -back > 0:
                        assert plain.decide(nearer) == old
                        checked += 1
    assert checked > 60


def test_one_number_is_the_nearest_of_all():
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(150):
        plain, model, row, cells = random_case(rng, 2)
        for cf in symcf.compile(model).explain(cells, max_changes=1):
            (change,) = cf.changes
            line = model.values[change.feature]
            if not isinstance(line, NumberLine) or line.resolution is None:
                continue
            steps = range(math.ceil(line.low / line.resolution), math.floor(line.high / line.resolution) + 1)
            grid = [float(step * line.resolution) for step in steps]

            rows = {number: [*row[: change.feature], number, *row[change.feature + 1 :]] for number in grid}
            flipping = [number for number, new in rows.items() if plain.decide(new) != plain.decide(row)]
            enough = [abs(number - row[change.feature]) for number in flipping]
            if enough:
                assert abs(change.new - row[change.feature]) == min(enough)
                seen += 1
    assert seen > 40


def test_every_point_of_the_ranges_flips():
    rng = np.random.default_rng(6)
    for _ in range(80):
        plain, model, row, cells = random_case(rng, 2)
        old = plain.decide(row)
        for cf in symcf.compile(model).explain(cells):
            sides = []
            for change in cf.changes:
                if isinstance(plain.terms[change.feature], list):
                    sides.append([int(str(label)[1:]) for label in change.range])
                    continue
                region = change.range
                assert change.new in region
                inside = float(Fraction(region.first) / 2 + Fraction(region.last) / 2)
                sides.append([region.first, inside, region.last, change.said.first, change.said.last])
            for point in itertools.product(*sides):
                changed = list(row)
                for j, number in zip(cf.features, point, strict=True):
                    changed[j] = number
                assert plain.decide(changed) != old


def linear_program(plain, row, change_set, weights):
    """The least distance with which the features of a set flip the decision."""
    from scipy.optimize import linprog

    old = plain.decide(row)
    sign = 1 if old == 0 else -1
    slopes = [sign * plain.terms[j][0][0] for j in change_set]
    lacking = float(-plain.margin(row, 1 - old, old))
    # x = own + up - down
    cost = [w for w in weights for _ in range(2)]
    gain = [s * way for s in slopes for way in (1, -1)]
    bounds = [
        bound
        for j in change_set
        for bound in ((0, max(0, plain.terms[j][3] - row[j])), (0, max(0, row[j] - plain.terms[j][2])))
    ]
    solved = linprog(cost, A_ub=[[-g for g in gain]], b_ub=[-lacking], bounds=bounds)
    assert solved.status == 0
    return solved.fun


def straight_case(rng, n):
    """Straight lines only, any double as a number."""
    terms, plain, row = [], [], []
    for _ in range(n):
        low = float(rng.integers(-20, 10))
        high = low + float(rng.integers(1, 25))
        slope = float(rng.normal(scale=0.3))
        plain.append(([slope], [0.0], low, high))
        terms.append(NumberTerm(slope, (low, high)))
        row.append(float(rng.uniform(low, high)))
    bias = float(-sum(t.slope * (t.range[0] + t.range[1]) / 2 for t in terms) + rng.normal(scale=3))
    return Plain(plain, [bias]), AdditiveClassifier(terms, bias), row


@pytest.mark.slow
def test_nearest_values_are_the_optimum_of_a_linear_program():
    rng = np.random.default_rng(7)
    seen = 0
    for _ in range(60):
        plain, model, row = straight_case(rng, 5)
        for cf in symcf.compile(model).explain(row):
            spans = [plain.terms[j][3] - plain.terms[j][2] for j in cf.features]
            found = sum(abs(c.new - c.old) / span for c, span in zip(cf.changes, spans, strict=True))
            assert found == pytest.approx(
                linear_program(plain, row, cf.features, [1 / span for span in spans]), rel=1e-7
            )
            seen += 1
    assert seen > 100


@pytest.mark.slow
def test_the_k_nearest_by_distance_are_those_of_all_sets():
    rng = np.random.default_rng(8)
    rows = 0
    while rows < 100:
        plain, model, row = straight_case(rng, 6)
        compiled = symcf.compile(model)
        scale = {j: float(rng.uniform(0.5, 3)) for j in range(6)}
        prices = {s: linear_program(plain, row, s, [1 / scale[j] for j in s]) for s in plain.sets(row)}
        if not prices:
            continue
        rows += 1
        e = compiled.explain(row, k=4, cost="distance", scale=scale)
        assert [cf.cost for cf in e] == pytest.approx(sorted(prices.values())[:4], rel=1e-6, abs=1e-8)
        for cf in e:
            assert cf.cost == pytest.approx(prices[cf.features], rel=1e-6, abs=1e-8)
        if rows % 20 == 0:
            listed = compiled.explain(row, cost="distance", scale=scale)
            assert listed.sets[:4] == list(e.sets)
            assert len(listed.sets) == len(prices)


def test_the_nearest_of_three_classes_and_with_values():
    rng = np.random.default_rng(9)
    for n_classes in (2, 3):
        for _ in range(60):
            plain, model, row, cells = random_case(rng, n_classes, curved=False)
            compiled = symcf.compile(model)
            scale = {
                name: 2.0
                for name, line in zip(model.features, model.values, strict=True)
                if isinstance(line, NumberLine)
            }
            listed = compiled.explain(cells, cost="distance", scale=scale or "mad") if scale else None
            if listed is None:
                continue
            costs = [cf.cost for cf in listed]
            assert costs == sorted(costs)
            e = compiled.explain(cells, cost="distance", scale=scale, k=3)
            assert e.sets == listed.sets[:3]
            assert plain.decide(row) == e.prediction


def test_resolution_is_the_users_to_choose():
    model = AdditiveClassifier([NumberTerm(1.0, (0, 10), resolution="0.01")], -5.123, features=["x"])
    compiled = symcf.compile(model)
    assert compiled.explain([2.0])[0].changes[0].new == 5.13
    assert compiled.explain([2.0], resolution={"x": 1})[0].changes[0].new == 6.0
    assert compiled.explain({"x": 2}, resolution={"x": 1})[0].row == {"x": 6}


def test_rows_of_32_bits_stay_such():
    model = AdditiveClassifier([NumberTerm(1.0, (0, 10)), NumberTerm(0.001, (0, 10))], -5.1)
    compiled = symcf.compile(model)
    row = np.array([2.0, 3.0], dtype=np.float32)
    for cf in compiled.explain(row):
        assert cf.row.dtype == np.float32
        assert compiled.predict([cf.row], codes=True)[0] == 1


# --- batches ----------------------------------------------------------------------------------------------------------


def test_batches_say_what_single_rows_say():
    rng = np.random.default_rng(11)
    for n_classes in (2, 3):
        _, model, _, _ = random_case(rng, n_classes)
        rows = []
        for _ in range(40):
            cells = {}
            for name, labels in zip(model.features, model.values, strict=True):
                number = isinstance(labels, NumberLine)
                cells[name] = (
                    float(rng.uniform(labels.low, labels.high)) if number else labels[rng.integers(len(labels))]
                )
            rows.append(cells)
        compiled = symcf.compile(model)
        for options in ({}, {"k": 2}, {"max_results": 1}, {"cost": [2.5] * model.n_features}, {"immutable": ["c0"]}):
            batch = symcf.fast.explain_batch(compiled, rows, **options)
            assert batch == symcf.fast.explain_batch(compiled, rows, n_jobs=2, **options)
            for i, row in enumerate(rows):
                e = compiled.explain(row, **options)
                assert batch.sets(i) == e.sets
                assert batch[i].status == e.status
                assert [cf.row for cf in batch[i]] == [cf.row for cf in e]
        frame = symcf.fast.explain_batch(compiled, rows).to_frame(k=1)
        assert (
            compiled.predict(frame, codes=True) != compiled.predict(rows, codes=True)[frame.index.get_level_values(0)]
        ).all()


def test_a_batch_marks_rows_that_cannot_be_decided():
    model = AdditiveClassifier([NumberTerm(1.0, (0, 10)), NumberTerm(-2.0, (0, 5))], 0.5, features=["a", "b"])
    compiled = symcf.compile(model)
    rows = [[1.0, 2.0], [math.nan, 1.0], [1e9, 1.0], [3.0, 4.0]]
    batch = symcf.fast.explain_batch(compiled, rows, errors="mark")
    assert batch.status.tolist() == [0, 3, 3, 0]
    with pytest.raises(symcf.InstanceError, match="row 1, column 'a'"):
        symcf.fast.explain_batch(compiled, rows)
    with pytest.raises(symcf.InstanceError, match=r"row 1, column 'a': 1000000000.0 is too far outside the range"):
        symcf.fast.explain_batch(compiled, [rows[0], rows[2]])
    late = symcf.fast.explain_batch(compiled, [rows[0]] * 5, time_limit=0)
    assert set(late.status.tolist()) == {2}
    target = symcf.fast.explain_batch(compiled, [rows[0], rows[3]], target=0)
    assert target.status.tolist() == [4, 4]


# --- files ------------------------------------------------------------------------------------------------------------


def test_models_survive_files(tmp_path):
    rng = np.random.default_rng(12)
    for n_classes in (2, 3):
        _, model, _, cells = random_case(rng, n_classes)
        again = symcf.model_from_json(model.to_json())
        assert again == model
        compiled = symcf.compile(model)
        compiled.save(tmp_path / "c.symcf")
        for other in (symcf.load(tmp_path / "c.symcf"), pickle.loads(pickle.dumps(compiled)), symcf.compile(again)):
            e, f = compiled.explain(cells), other.explain(cells)
            assert e == f
            assert list(e) == list(f)
        data = compiled.explain(cells).to_dict()
        assert list(symcf.Explanation.from_dict(data).sets) == list(compiled.explain(cells).sets)


@pytest.mark.parametrize(
    ("terms", "bias", "options", "message"),
    [
        ([NumberTerm(1.0, (3, 2))], 0, {}, "range of 'x0' must be finite and ascending"),
        ([NumberTerm(1.0, (0, math.inf))], 0, {}, "range of 'x0' must be finite and ascending"),
        ([NumberTerm(1.0, 7)], 0, {}, "must be two numbers"),
        ([NumberTerm(math.nan, (0, 1))], 0, {}, "the slope of 'x0' is nan"),
        ([NumberTerm(1.0, (0, 1), resolution=0)], 0, {}, "resolution of 'x0' must be positive"),
        ([NumberTerm(1.0, (0, 1))], [0, 1, 2], {}, "the slope of 'x0' must be one number per class"),
        ([[1, 2]], "b", {}, "the bias must be a number"),
        ([[1, 2]], 0, {"doubt": -1}, "doubt must be a number that is not negative"),
        ([[1, 2]], 0, {"tie": "maybe"}, "unknown tie rule"),
    ],
)
def test_mistakes_in_models_are_named(terms, bias, options, message):
    with pytest.raises(symcf.ModelError, match=message):
        AdditiveClassifier(terms, bias, **options)


def test_questions_that_have_no_answer_are_refused():
    lines = AdditiveClassifier([NumberTerm(1.0, (0, 10)), [0, 1]], -5, features=["x", "y"])
    compiled, row = symcf.compile(lines), [2.0, 0]
    refused = [
        ({"select": "all"}, "needs finitely many values, and 'x' may be any number"),
        ({"cost": "ordinal"}, "a column of numbers takes one number, or 'distance'"),
        ({"cost": {"x": {3: 1}}}, "a column of numbers takes one number, or 'distance'"),
        ({"cost": "distance"}, "takes the scale of 'x' from data"),
        ({"minimality": "moves"}, "needs finitely many values, and 'x' may be any number"),
        ({"allowed": {"x": [1]}}, "a range \\[least, greatest\\]"),
        ({"allowed": {"x": [3, 1]}}, "finite and ascending"),
    ]
    for question, message in refused:
        with pytest.raises(symcf.OptionError, match=message):
            compiled.explain(row, **question)
    with pytest.raises(symcf.OptionError, match="has no diagram"):
        _ = compiled.diagram
    curved = symcf.compile(AdditiveClassifier([NumberTerm(1.0, (0, 10), curve=-0.01)], -5, features=["x"]))
    with pytest.raises(symcf.OptionError, match="'x' is a parabola"):
        curved.explain([2.0], cost="distance", scale={"x": 1}, k=1)


@pytest.mark.parametrize(
    ("given", "least", "greatest"),
    [((None, 7), 0, 7), ([3, None], 3, 10), ((None, None), 0, 10), ((None, -3), 1, 0), ((12, None), 1, 0)],
)
def test_a_range_may_have_one_end(given, least, greatest):
    """The sum must reach 5.5: which of the whole numbers of x does it reach, if x may be only these?"""
    model = AdditiveClassifier([NumberTerm(1, (0, 10), resolution=1), [0, 4]], -5.5, features=["x", "y"])
    found = [cf.row[0] for cf in symcf.compile(model).explain([2, 0], allowed={"x": given}, immutable=["y"])]
    assert found == [x for x in range(11) if x > 5.5 and least <= x <= greatest][:1]


# --- what else is asked -----------------------------------------------------------------------------------------------


def test_surest_values_go_all_the_way():
    rng = np.random.default_rng(13)
    for n_classes in (2, 3):
        for _ in range(30):
            plain, model, row, cells = random_case(rng, n_classes)
            compiled = symcf.compile(model)
            for near, sure in zip(compiled.explain(cells), compiled.explain(cells, select="surest"), strict=True):
                margins = []
                for cf in (near, sure):
                    new = list(row)
                    for change in cf.changes:
                        table = isinstance(plain.terms[change.feature], list)
                        new[change.feature] = int(str(change.new)[1:]) if table else change.new
                    margins.append(
                        max(plain.margin(new, k, plain.decide(row)) for k in range(n_classes) if k != plain.decide(row))
                    )
                assert margins[1] >= margins[0]


def test_reasons_are_the_minimal_sets_that_hold_against_everything():
    rng = np.random.default_rng(14)
    for n_classes in (2, 3):
        for _ in range(30):
            plain, model, row, cells = random_case(rng, n_classes)
            minimal = sorted(reference.hitting_sets(plain.sets(row), len(row)))
            compiled = symcf.compile(model)
            assert sorted(compiled.why(cells).sets) == minimal
            assert compiled.count_why(cells) == len(minimal)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_verify_agrees_and_notices_what_is_wrong(n_classes):
    rng = np.random.default_rng(15 + n_classes)
    noticed = 0
    for _ in range(40):
        plain, model, row, cells = random_case(rng, n_classes)
        compiled = symcf.compile(model)
        _, question = random_rules(rng, plain, row)
        e = compiled.explain(cells, **question)
        report = symcf.verify(compiled, cells, e)
        assert report, str(report)
        assert symcf.verify(compiled, cells, compiled.explain(cells, k=1, **question))
        if not e.sets:
            continue
        data = e.to_dict()
        lacking = {**data, "counterfactuals": data["counterfactuals"][1:]}
        assert symcf.verify(compiled, cells, symcf.Explanation.from_dict(lacking)).complete is False
        free = plain.free(row, e.sets[0][0], {})
        if isinstance(free, tuple) and len(e.sets[0]) == 1:
            wrong = symcf.Explanation.from_dict(data)
            first = data["counterfactuals"][0]
            first["codes"][e.sets[0][0]] = e.instance[e.sets[0][0]].item() + 1
            wrong = symcf.Explanation.from_dict(data)
            noticed += symcf.verify(compiled, cells, wrong).valid is False
    assert noticed > 3


def test_the_command_line(tmp_path, capsys):
    from symcf.cli import main

    model = AdditiveClassifier(
        [NumberTerm(-0.5, (18, 99), resolution=1), [0, 2.25]],
        20,
        features=["age", "member"],
        values=[None, ["no", "yes"]],
        classes=["deny", "approve"],
    )
    model.to_json(tmp_path / "model.json")
    (tmp_path / "rows.csv").write_text("age,member\n45,no\n30.5,yes\n")

    def run(*words):
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        out = capsys.readouterr()
        return end.value.code or 0, out.out + out.err

    path, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    code, text = run("predict", path, rows)
    assert (code, "deny" in text, "approve" in text) == (0, True, True)
    code, text = run("explain", path, rows, "--allowed", "age=20..60")
    assert code == 0
    assert "39" in text
    assert run("compile", path, "-o", tmp_path / "c.symcf")[0] == 0
    assert run("explain", tmp_path / "c.symcf", rows)[0] == 0
    assert run("verify", tmp_path / "c.symcf", rows)[0] == 0
