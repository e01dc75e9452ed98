"""Linear classifiers: the rule decides as exact sums do."""

from __future__ import annotations

import itertools
import math
import pickle
import random
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcf
from symcf.models import close_sums
from symcf.models.rules import ScoreRule, ThresholdRule

TIES = ("negative", "positive")


def all_rows(n_values):
    return [list(row) for row in itertools.product(*map(range, n_values))]


def exact_sums(weights, bias, row):
    """By class, in fractions; weights[k][j] lists one weight a value."""
    return [
        Fraction(b) + sum((Fraction(w[v]) for w, v in zip(ws, row, strict=True)), Fraction(0))
        for ws, b in zip(weights, bias, strict=True)
    ]


def decide(sums, tie):
    best = [k for k, s in enumerate(sums) if s == max(sums)]
    return best[0] if tie == "negative" else best[-1]


def rule_sums(rule, row):
    """What the integers of a rule add up to."""
    places = [int(start) + v for start, v in zip(rule.value_offset[:-1], row, strict=True)]
    return [int(b) + sum(int(w[p]) for p in places) for w, b in zip(rule.weights, rule.bias, strict=True)]


def decisions(model):
    """What the rule says about every input."""
    rule, rows = model.rule(), all_rows(model.n_values)
    if isinstance(rule, ThresholdRule):
        return [int(s >= 0) for s in rule.threshold.scores(np.array(rows, dtype=np.uint32).reshape(len(rows), -1))]
    assert isinstance(rule, ScoreRule)
    return [decide(rule_sums(rule, row), "positive" if rule.later_wins else "negative") for row in rows]


SHORT = st.sampled_from([0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1.0, -1.0, 3.0])
# Their last bits are no finer than 2**-55, so sums of a few fit 61 bits.
CLOSE = SHORT | st.floats(0.25, 4) | st.floats(-4, -0.25)
INTEGERS = st.integers(-4, 4) | st.integers(-(2**50), 2**50)


@st.composite
def linear(draw, numbers, min_classes=2, max_classes=4):
    n_values = draw(st.lists(st.integers(1, 3), max_size=4))
    k = draw(st.integers(min_classes, max_classes))
    weights = [[[draw(numbers) for _ in range(d)] for d in n_values] for _ in range(k)]
    return weights, [draw(numbers) for _ in range(k)], draw(st.sampled_from(TIES))


@given(linear(SHORT) | linear(CLOSE) | linear(INTEGERS))
def test_one_sum_a_class_decides_as_fractions_do(drawn):
    weights, bias, tie = drawn
    model = symcf.LinearClassifier(weights, bias, tie=tie)
    rows = all_rows(model.n_values)
    exact = [exact_sums(weights, bias, row) for row in rows]
    assert decisions(model) == [decide(sums, tie) for sums in exact]
    values = model.decision_values(np.array(rows).reshape(len(rows), -1))
    assert values.tolist() == [[float(s) for s in sums] for sums in exact]


@given(linear(SHORT, 1, 1) | linear(CLOSE, 1, 1) | linear(INTEGERS, 1, 1))
def test_two_classes_decide_by_the_sign_of_the_fraction(drawn):
    (weights,), (bias,), tie = drawn
    model = symcf.LinearClassifier(weights, bias, tie=tie)
    exact = [exact_sums([weights], [bias], row)[0] for row in all_rows(model.n_values)]
    assert decisions(model) == [int(s > 0 or (s == 0 and tie == "positive")) for s in exact]
    assert model.classes == (0, 1)


def test_binary_ties_are_ties():
    for tie, expected in zip(TIES, ([0, 0], [1, 1]), strict=True):
        both = [
            symcf.LinearClassifier([0.5, 0.25], -0.75, tie=tie),
            symcf.LinearClassifier([[0, 0.25], [0, 0.125]], -0.375, tie=tie),
        ]
        assert [decisions(model)[-1] for model in both] == expected


def test_floats_are_the_binary_fractions_that_they_are():
    model = symcf.LinearClassifier([0.1, 0.2], -0.3)
    assert Fraction(0.1) + Fraction(0.2) > Fraction(0.3)
    assert decisions(model)[-1] == 1
    assert model.decision_values([[1, 1]])[0] > 0


def test_integers_stay_integers():
    model = symcf.LinearClassifier([2**59, 1], -(2**59) - 1)
    assert model.scale == 0
    assert model.rule().threshold.weight.tolist() == [0, 2**59, 0, 1]
    assert decisions(model) == [0, 0, 0, 0]
    assert decisions(symcf.LinearClassifier([2**59, 1], -(2**59) - 1, tie="positive")) == [0, 0, 0, 1]
    assert symcf.LinearClassifier([3.0, 8.0], -4.0).rule().threshold.weight.tolist() == [0, 3, 0, 8]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5), st.floats(-1e300, 1e300))
def test_wild_floats_are_off_by_half_a_unit_each(weights, bias):
    model = symcf.LinearClassifier(weights, bias, rounded=True)
    total = sum(abs(Fraction(w)) for w in weights) + abs(Fraction(bias))
    unit = Fraction(2) ** -model.scale
    assert total < 2**61 * unit
    assert model.scale == 0 or total >= 2**59 * unit or exact_at(unit, [*weights, bias])
    assert model.rounding_error == (0 if exact_at(unit, [*weights, bias]) else (len(weights) + 1) * unit / 2)
    for row, decision in zip(all_rows(model.n_values), decisions(model), strict=True):
        (exact,) = exact_sums([[[0, w] for w in weights]], [bias], row)
        if abs(exact) > (len(weights) + 1) * unit / 2:
            assert decision == int(exact > 0)


def exact_at(unit, numbers):
    return all((Fraction(x) / unit).denominator == 1 for x in numbers)


#: Numbers that differ by a hair, over many powers of two: sums of them come close to 0 without being it.
HAIRS = st.builds(
    lambda sign, exponent, hair: sign * (2.0**exponent + hair * 2.0 ** (exponent - 52)),
    st.sampled_from([1, -1]),
    st.integers(-40, 30),
    st.integers(0, 3),
)


@given(linear(HAIRS, 1, 1) | linear(HAIRS) | linear(st.floats(allow_nan=False, allow_infinity=False), 1, 3))
def test_exact_or_refused(drawn):
    """Whatever is accepted decides every row as fractions do."""
    weights, bias, tie = drawn
    one = len(bias) == 1
    try:
        model = symcf.LinearClassifier(weights[0] if one else weights, bias[0] if one else bias, tie=tie)
    except symcf.ModelError as refused:
        if re.match(r"the weights and the bias span \d+ bits.*; at most 61 bits are supported", str(refused)):
            return
        raise
    rows = all_rows(model.n_values)
    exact = [exact_sums(weights, bias, row) for row in rows]
    wanted = [decide([Fraction(0), *sums] if one else sums, tie) for sums in exact]
    assert decisions(model) == wanted


@pytest.mark.slow
def test_rows_that_rounding_decides_wrongly_are_refused():
    """Sums of numbers of 53 bits that leave a last bit far below the 61st."""
    rng = np.random.default_rng(7)
    seen = {"exact": 0, "refused": 0, "wrong if rounded": 0}
    for _ in range(200):
        n = 8
        signed = rng.integers(2**52, 2**53, n).astype(float) * rng.choice([1, -1], n)
        weights = np.ldexp(signed, rng.integers(-62, -48, n))
        chosen = rng.integers(0, 2, n)
        exact = sum((Fraction(w) for w, c in zip(weights.tolist(), chosen, strict=True) if c), Fraction(0))
        bias = -float(exact)  # one row comes as close to 0 as a float allows, on either side
        tables = [[[0, w] for w in weights.tolist()]]
        rows = all_rows((2,) * n)
        wanted = [int(exact_sums(tables, [bias], row)[0] > 0) for row in rows]
        rounded = symcf.LinearClassifier(weights, bias, rounded=True)
        seen["wrong if rounded"] += decisions(rounded) != wanted
        try:
            model = symcf.LinearClassifier(weights, bias)
        except symcf.ModelError:
            seen["refused"] += 1
            assert rounded.rounding_error > 0
        else:
            seen["exact"] += 1
            assert decisions(model) == wanted
    assert seen["wrong if rounded"] > 3
    assert seen["refused"] >= seen["wrong if rounded"]
    assert seen["exact"] > 50


def test_forty_features_of_any_weights_are_proved():
    rng = np.random.default_rng(1)
    weights = np.ldexp(rng.standard_normal(38), rng.integers(-20, 1, 38))
    model = symcf.LinearClassifier(weights, 0.1)
    assert 0 < model.rounding_error < 1e-15
    with pytest.raises(symcf.ModelError, match=r"span \d+ bits"):
        symcf.LinearClassifier([*weights, *weights * 3], 0.1)


def test_permission_to_round_is_kept():
    rng = np.random.default_rng(1)
    model = symcf.LinearClassifier(np.ldexp(rng.standard_normal(80), rng.integers(-20, 1, 80)), 0.1, rounded=True)
    assert symcf.LinearClassifier.from_dict(model.to_dict()) == model
    assert pickle.loads(pickle.dumps(model)).rounding_error == model.rounding_error > 0
    assert "rounded" not in symcf.LinearClassifier([1], 0).to_dict()
    with pytest.raises(symcf.ModelError, match="rounded must be True or False"):
        symcf.LinearClassifier([1], 0, rounded=1)


def test_the_largest_floats_do_not_overflow():
    most = np.finfo(float).max
    model = symcf.LinearClassifier([most, most, -most], most)
    assert decisions(model)[0] == 1
    assert symcf.LinearClassifier([5e-324], -5e-324, tie="positive").rule().threshold.weight.tolist() == [0, 1]


def test_a_number_is_the_weight_of_value_1():
    model = symcf.LinearClassifier([2.5, [0, 1, 4], -1], -3, features=["member", "age", "x"])
    assert model.n_values == (2, 3, 2)
    assert model.weights.tolist() == [[0, 2.5, 0, 1, 4, 0, -1]]
    array = symcf.LinearClassifier(np.array([0.5, -0.25]), np.float32(0.125))
    assert array.weights.tolist() == [[0, 0.5, 0, -0.25]]
    matrix = symcf.LinearClassifier(np.array([[1, 2], [3, 4], [5, 6]]), np.array([0, 0, 1]))
    assert matrix.classes == (0, 1, 2)
    assert matrix.weights.tolist() == [[0, 1, 0, 2], [0, 3, 0, 4], [0, 5, 0, 6]]


def test_no_features_is_a_model():
    assert decisions(symcf.LinearClassifier([], 0.5)) == [1]
    assert decisions(symcf.LinearClassifier([[], [], []], [1, 3, 2])) == [1]


# --- probabilities ----------------------------------------------------------------------------------------------------


def test_probabilities():
    rows = np.array([[0], [1]])
    assert symcf.LinearClassifier([2.0], -1).predict_proba(rows) is None
    two = symcf.LinearClassifier([2.0], -1, probability="logistic").predict_proba(rows)
    up, down = 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))
    assert two.tolist() == pytest.approx(np.array([[up, down], [down, up]]))
    assert symcf.LinearClassifier([2.0], -1, probability="ovr").predict_proba(rows).tolist() == two.tolist()
    sums = [[0.5, -1, 2], [1.5, 0, -1]]
    weights = [[[a, b]] for a, b in zip(*sums, strict=True)]
    for kind, transform in (("logistic", math.exp), ("ovr", lambda s: 1 / (1 + math.exp(-s)))):
        model = symcf.LinearClassifier(weights, [0, 0, 0], probability=kind)
        odds = np.array([[transform(s) for s in row] for row in sums])
        assert model.predict_proba(rows) == pytest.approx(odds / odds.sum(axis=1, keepdims=True))


def test_probabilities_of_extreme_sums():
    for kind in ("logistic", "ovr"):
        for bias in ([-1000.0, -1000.0, -2000.0], [1e300, 1e300, -1e300]):
            model = symcf.LinearClassifier([[], [], []], bias, probability=kind)
            assert model.predict_proba(np.empty((1, 0), dtype=int)).tolist() == [[0.5, 0.5, 0.0]]
        model = symcf.LinearClassifier([], -1e300, probability=kind)
        assert model.predict_proba(np.empty((1, 0), dtype=int)).tolist() == [[1, 0]]


# --- errors -----------------------------------------------------------------------------------------------------------

NAMES = {"features": ["a", "b"], "values": [["no", "yes"], [0, 1]]}
BAD = [
    ([1, math.nan], 0, NAMES, ["'b' = 1", "nan"]),
    ([-math.inf, 1], 0, NAMES, ["'a' = 'yes'", "-inf"]),
    ([1, 1], math.inf, {}, ["bias", "inf"]),
    ([[1, 1], [1, 1]], [0, math.nan], {"classes": ["n", "y"]}, ["bias", "'y'", "nan"]),
    ([[1, 1], [1, math.nan]], [0, 0], {**NAMES, "classes": ["n", "y"]}, ["'b' = 1", "'y'", "nan"]),
    ([1, "x"], 0, NAMES, ["'b'", "numbers"]),
    ([1, "1"], 0, NAMES, ["'b'", "numbers"]),
    ([1, [[1]]], 0, NAMES, ["'b'", "numbers"]),
    ([1, [1, [2]]], 0, NAMES, ["'b'", "numbers"]),
    ([1, []], 0, {"features": ["a", "b"]}, ["'b'", "no value"]),
    ([1, None], 0, NAMES, ["'b'", "numbers"]),
    ([1, 2**64], 0, NAMES, ["'b'"]),
    ([1, 2**63], 0, NAMES, ["'b'", "too large"]),
    ([2**61, 1], 0, NAMES, ["2**61"]),
    ([2**60, 1], -(2**60), NAMES, ["2**61"]),
    ([2**54, 0.5], 0, NAMES, ["2**53"]),
    ([1, 1], 2**54 + 1, NAMES, []),
    ("ab", 0, NAMES, ["weights", "list", "'ab'"]),
    (3, 0, NAMES, ["weights", "list", "3"]),
    ([1, 1], "0", NAMES, ["bias", "numbers"]),
    ([1, 1], None, NAMES, ["bias", "numbers"]),
    ([1, 1], [0], NAMES, ["1 classes", "one number"]),
    ([1, 1], [0, 0], NAMES, ["weights", "list", "1"]),
    ([[1, 1]], [0, 0], NAMES, ["1 classes", "2"]),
    ([[1, 1], [1]], [0, 0], {"classes": ["n", "y"]}, ["'n'", "2 features", "'y'", "1"]),
    ([[1, 1], [1, [1, 2, 3]]], [0, 0], {**NAMES, "classes": ["n", "y"]}, ["'b'", "2 values", "'n'", "3", "'y'"]),
    ([1, 1], 0, {"classes": ["n", "y", "z"]}, ["classes", "3 names, 2 are needed"]),
    ([1, 1], 0, {"features": ["a"]}, ["features", "1 names, 2 are needed"]),
    ([1, 1], 0, {"values": [[0, 1], [0, 1, 2]]}, ["'x1'", "3 names, 2 are needed"]),
    ([1, 1], 0, {"tie": "maybe"}, ["tie", "'maybe'"]),
    ([1, 1], 0, {"probability": "odds"}, ["probability", "'odds'", "'logistic'"]),
]


@pytest.mark.parametrize(("weights", "bias", "options", "words"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_errors_name_the_thing(weights, bias, options, words):
    if not words:
        symcf.LinearClassifier(weights, bias, **options)
        return
    with pytest.raises(symcf.ModelError) as error:
        symcf.LinearClassifier(weights, bias, **options)
    assert [word for word in words if word not in str(error.value)] == []


def test_equality_and_pickle():
    model = symcf.LinearClassifier([1, [0.5, 2]], 0.25, **NAMES, probability="logistic", ordered=[True, False])
    model.rule()
    assert pickle.loads(pickle.dumps(model)) == model
    assert hash(pickle.loads(pickle.dumps(model))) == hash(model)
    assert model != symcf.LinearClassifier([1, [0.5, 2]], 0.25, **NAMES, probability="logistic")
    assert model != symcf.LinearClassifier([1, [0.5, 3]], 0.25, **NAMES, probability="logistic", ordered=[True, False])
    assert model != "a model"
    with pytest.raises(ValueError, match="read-only"):
        model.weights[0, 0] = 1


def test_bad_weights_are_named_with_their_class_if_there_are_several():
    with pytest.raises(symcf.ModelError, match="the weights of feature 'x1' for class 'b'"):
        symcf.LinearClassifier([[1, 2], [1, "heavy"], [3, 4]], [0, 0, 0], classes=["a", "b", "c"])
    with pytest.raises(symcf.ModelError, match=r"the weights of feature 'x1'(?! for class)"):
        symcf.LinearClassifier([1, "heavy"], 0)


def test_sums_are_counted_for_each_pair_of_classes(monkeypatch):
    choices = np.arange(12, dtype=np.int64).reshape(4, 3) * 1000
    summands = [close_sums.Summand(choices, choices) for _ in range(2)]
    n_sums = 2 * 4  # each half has one summand; three pairs of classes
    for most, harmless in ((3 * n_sums, True), (3 * n_sums - 1, None)):
        monkeypatch.setattr(close_sums, "MOST_SUMS", most)
        assert close_sums.rounding_is_harmless(summands, error=0) is harmless


@pytest.mark.parametrize("n_summands", [1, 2, 3])
def test_whether_rounding_is_harmless_equals_brute_force(n_summands):
    rng, seen = random.Random(n_summands), set()
    for _ in range(60):
        n_classes, size = rng.randint(1, 4), rng.randint(1, 3)
        exact = [
            [[Fraction(rng.randint(-6, 6), rng.choice((1, 2, 3))) for _ in range(n_classes)] for _ in range(size)]
            for _ in range(n_summands)
        ]
        rounded = [[[round(number) for number in row] for row in part] for part in exact]

        def signs(parts, n=n_classes):
            for chosen in itertools.product(*parts):
                sums = [sum(row[k] for row in chosen) for k in range(n)]
                differences = [a - b for a, b in itertools.combinations(sums, 2)] if n > 1 else sums
                yield [(d > 0) - (d < 0) for d in differences]

        expected = list(signs(exact)) == list(signs(rounded))
        summands = [
            close_sums.Summand(np.array(e, dtype=object), np.array(r)) for e, r in zip(exact, rounded, strict=True)
        ]
        assert close_sums.rounding_is_harmless(summands) is expected
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize("n_summands", [1, 2])
def test_few_fractions_are_made_where_there_are_many_classes(monkeypatch, n_summands):
    made = []

    def fraction(*given):
        made.append(given)
        return Fraction(*given)

    monkeypatch.setattr(close_sums, "Fraction", fraction)
    n_classes, n_choices = 30, 12
    exact = np.zeros((n_choices, n_classes))
    exact[np.arange(n_choices), np.arange(n_choices)] = 1.0 / 3  # as in a leaf, most classes have nothing
    summands = [close_sums.Summand(exact, np.rint(exact * 3e6).astype(np.int64)) for _ in range(n_summands)]
    assert close_sums.rounding_is_harmless(summands) is True
    pairs = n_classes * (n_classes - 1) // 2
    assert len(made) <= 2 * 3 * n_summands * pairs  # of two classes, three different choices
