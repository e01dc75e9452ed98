"""The threshold function: integers that decide as the exact rational numbers do."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import TIES, Classifier, all_rows, classifiers, random_classifier

import symcf
from symcf import _core

BINARY = np.array([0, 2, 4], dtype=np.uint32)


def offsets(n_values):
    return np.concatenate([[0], np.cumsum(n_values)]).astype(np.uint32)


def from_weights(weights, bias):
    flat = [w for feature in weights for w in feature]
    return _core.Threshold.from_weights(offsets([len(f) for f in weights]), np.array(flat, dtype=np.int64), bias)


# --- plain integers ---------------------------------------------------------------------------------------------------

weights = st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=4), max_size=5)


@given(weights, st.integers(-20, 20))
def test_the_score_is_bias_plus_the_weights_of_the_values(weights, bias):
    t = from_weights(weights, bias)
    rows = oracle.inputs([len(f) for f in weights])
    wanted = [bias + sum(w[v] for w, v in zip(weights, x, strict=True)) for x in rows]
    array = np.array(rows, dtype=np.int64).reshape(len(rows), len(weights))
    assert t.scores(array).tolist() == wanted
    assert t.margins(array).tolist() == [float(score) for score in wanted]


@given(weights, st.integers(-20, 20), st.randoms(use_true_random=False))
def test_features_of_many_values_compile_to_the_same_function(weights, bias, random):
    t = from_weights(weights, bias)
    rows = oracle.inputs([len(f) for f in weights])
    array = np.array(rows, dtype=np.int64).reshape(len(rows), len(weights))
    order = random.sample(range(len(weights)), len(weights))
    d = _core.Diagram.compile(t, np.array(order, dtype=np.uint32))
    wanted = (t.scores(array) >= 0).astype(int).tolist()
    assert d.evaluate(array).tolist() == wanted
    assert d.validate() is None
    assert d.order.tolist() == order
    assert [d.count_models(sink) for sink in (0, 1)] == [wanted.count(sink) for sink in (0, 1)]


LARGEST = 2**62 - 1


@pytest.mark.parametrize(
    ("weights", "bias", "fits"),
    [
        ([[0, LARGEST]], 0, True),
        ([[0, LARGEST]], 1, False),
        ([[0, -LARGEST]], 1, False),
        ([[0, LARGEST - 7], [7, 3]], 0, True),
        ([[0, LARGEST - 7], [-8, 3]], 0, False),
        ([], LARGEST, True),
        ([], -LARGEST - 1, False),
        ([], -(2**63), False),
        ([[-(2**63), 0]], 0, False),
        ([[2**63 - 1, 0]] * 3, 2**63 - 1, False),
    ],
)
def test_sums_that_could_overflow_are_refused(weights, bias, fits):
    if fits:
        x = np.array([[int(np.argmax(np.abs(f))) for f in weights]], dtype=np.uint8).reshape(1, len(weights))
        assert abs(from_weights(weights, bias).scores(x)[0]) <= LARGEST
    else:
        with pytest.raises(OverflowError, match="64-bit"):
            from_weights(weights, bias)


@pytest.mark.parametrize("value_offset", [[0, 0], [1, 2], [0, 2, 1]])
def test_offsets_that_make_no_sense_are_refused(value_offset):
    with pytest.raises(ValueError, match=r"invalid|fit"):
        _core.Threshold.from_weights(
            np.array(value_offset, dtype=np.uint32), np.zeros(value_offset[-1], dtype=np.int64), 0
        )


def test_lengths_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="fit"):
        _core.Threshold.from_weights(BINARY, np.zeros(3, dtype=np.int64), 0)
    with pytest.raises(ValueError, match="fit"):
        _core.Threshold.from_bayes(BINARY, np.full(4, 0.5), np.full(3, 0.5), 0.5, 0.5, 0.5, True)


# --- naive Bayes ------------------------------------------------------------------------------------------------------


def log_of(ratio: Fraction) -> float:
    """The natural logarithm, also of what floats cannot hold."""
    return math.log(ratio.numerator) - math.log(ratio.denominator)


@given(classifiers(0, 5, certain=False))
def test_the_margin_is_the_log_odds_above_the_threshold(classifier):
    margins = classifier.compiled().decision_function(all_rows(classifier.n))
    for margin, ratio in zip(margins, classifier.odds.values(), strict=True):
        assert margin == pytest.approx(log_of(ratio), rel=1e-9, abs=1e-9)


@given(classifiers(1, 4, certain=True))
def test_the_margin_is_infinite_exactly_where_a_probability_is_zero(classifier):
    assume(None not in classifier.odds.values())
    margins = classifier.compiled().decision_function(all_rows(classifier.n))
    for margin, ratio in zip(margins, classifier.odds.values(), strict=True):
        assert (margin == math.inf) == (ratio == math.inf)
        assert (margin == -math.inf) == (ratio == 0)


@given(classifiers(0, 5, certain=True))
def test_probabilities_are_those_of_the_joint_distribution(classifier):
    assume(None not in classifier.odds.values())
    read = classifier.read
    tables = oracle.binary_tables(map(read, classifier.p1), map(read, classifier.p0))
    joint = oracle.joint(read(classifier.prior), tables).values()
    wanted = [[float(no / (yes + no)), float(yes / (yes + no))] for yes, no in joint]
    assert classifier.compiled().predict_proba(all_rows(classifier.n)).tolist() == [
        pytest.approx(pair, rel=1e-6, abs=1e-12) for pair in wanted
    ]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("n", [2, 4, 10, 12])
def test_symmetric_classifiers_tie_where_evidence_cancels(n, tie):
    p = [0.9, 0.7, 0.65, 0.8, 0.55, 0.99][: n // 2]
    classifier = Classifier(0.5, (*p, *p), tuple(round(1 - q, 2) for q in (*p, *p)), tie=tie)
    x = [1] * (n // 2) + [0] * (n // 2)
    assert classifier.odds[tuple(x)] == 1
    c = classifier.compiled()
    assert c.decision_function([x]).tolist() == [0.0]
    assert c.predict([x], codes=True).tolist() == [int(tie == "positive")]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("middle", [0.55, 0.65])
@pytest.mark.parametrize("upside_down", [False, True])
def test_ties_off_by_a_rounding_are_ties(middle, upside_down, tie):
    p1, p0 = (0.05, 0.95, middle), (0.95, middle, 0.05)
    classifier = Classifier(0.5, *((p0, p1) if upside_down else (p1, p0)), tie=tie)
    assert classifier.odds[1, 1, 1] == 1
    c = classifier.compiled()
    assert abs(int(c.threshold.scores(np.array([[1, 1, 1]]))[0]) - c.threshold.tie_shift) == 1
    assert c.decision_function([[1, 1, 1]]).tolist() == [0.0]
    assert c.predict([[1, 1, 1]], codes=True).tolist() == [int(tie == "positive")]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(
    ("prior", "threshold"), [(0.3, 0.3), (0.1, 0.1), (0.95, 0.95), (1e-300, 1e-300), (1 - 1e-12, 1 - 1e-12)]
)
def test_a_prior_at_the_threshold_is_a_tie(prior, threshold, tie):
    c = Classifier(prior, (0.25, 0.5), (0.25, 0.5), threshold, tie).compiled()
    assert c.predict(all_rows(2), codes=True).tolist() == [int(tie == "positive")] * 4


@pytest.mark.parametrize("steps", [1, 10])
def test_what_is_clearly_no_tie_follows_the_odds(steps):
    above = Classifier(0.5 + steps * 1e-9, (0.5,), (0.5,), tie="negative").compiled()
    below = Classifier(0.5 - steps * 1e-9, (0.5,), (0.5,), tie="positive").compiled()
    assert above.predict([[0]]).tolist() == [1]
    assert below.predict([[0]]).tolist() == [0]


def test_the_tie_band_is_one_unit_a_feature_and_one_for_the_prior():
    t = random_classifier(9, seed=0).compiled().threshold
    assert (t.band, t.scale) == (10, 44)
    assert t.tie_shift == 10


def test_swapping_the_classes_negates_every_weight():
    classifier = random_classifier(8, seed=3)
    one, other = classifier.compiled(), Classifier(0.5, classifier.p0, classifier.p1, tie="negative").compiled()
    assert other.threshold.weight.tolist() == (-one.threshold.weight).tolist()
    assert (one.predict(all_rows(8)) + other.predict(all_rows(8)) == 1).all()


@pytest.mark.parametrize("n", [1, 30, 1000])
def test_the_scale_shrinks_before_sums_overflow(n):
    extreme = Classifier(0.5, (5e-324,) * n, (1.0 - 2**-53,) * n)
    t = extreme.compiled().threshold
    assert t.scale <= 44
    assert (t.scale < 44) == (n * 745 * 2.0**44 >= 2.0**60)
    rows = np.array([[1] * n, [0] * n], dtype=np.uint8)
    assert extreme.compiled().predict(rows, codes=True).tolist() == [0, 1]


def test_certain_values_outweigh_everything_else():
    n = 40
    p1, p0 = (1e-300,) * n + (0.5,), (0.9,) * n + (0.0,)
    c = Classifier(0.5, p1, p0).compiled()
    rows = np.ones((2, n + 1), dtype=int)
    rows[0, n] = 0
    assert c.predict(rows, codes=True).tolist() == [0, 1]
    assert c.decision_function(rows)[1] == math.inf
    assert math.isfinite(c.decision_function(rows)[0])


@st.composite
def general_tables(draw):
    """Two classes, features of one to four values, probabilities in sixteenths, zeros included."""
    n_values = draw(st.lists(st.integers(1, 4), max_size=4))

    def distribution(d):
        cuts = sorted(draw(st.lists(st.integers(0, 16), min_size=d - 1, max_size=d - 1)))
        return [(b - a) / 16 for a, b in zip([0, *cuts], [*cuts, 16], strict=True)]

    return [[distribution(d), distribution(d)] for d in n_values]


@given(
    general_tables(), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.sampled_from([0.25, 0.5]), st.sampled_from(TIES)
)
def test_general_tables_decide_as_the_rational_numbers_do(tables, prior, threshold, tie):
    exact = [tuple([Fraction(p) for p in row] for row in table) for table in tables]
    wanted = oracle.decisions(Fraction(prior), exact, Fraction(threshold), tie)
    model = symcf.NaiveBayes([1 - prior, prior], tables, threshold=threshold, tie=tie)
    if None in wanted.values():
        with pytest.raises(symcf.ModelError):
            symcf.compile(model)
        return
    c = symcf.compile(model)
    rows = np.array(list(wanted), dtype=int).reshape(len(wanted), len(tables))
    assert c.predict(rows, codes=True).tolist() == list(wanted.values())
    assert c.diagram.evaluate(rows).tolist() == list(wanted.values())


# --- housekeeping -----------------------------------------------------------------------------------------------------


def facts(t):
    return (t.n, t.value_offset.tolist(), t.weight.tolist(), t.bias, t.band, t.tie_shift, t.scale)


@pytest.mark.parametrize(
    "classifier", [random_classifier(6, 0), Classifier(0.5, (1.0, 0.3), (0.2, 0.4)), Classifier(0.3, (), ())]
)
def test_pickle_round_trip(classifier):
    t = classifier.compiled().threshold
    again = pickle.loads(pickle.dumps(t))
    assert facts(again) == facts(t)
    rows = all_rows(t.n)
    assert again.margins(rows).tolist() == t.margins(rows).tolist()


@pytest.mark.parametrize(
    "state", [(0, -1, 0, 0), (0, 2**40, 0, 0), (2**41, 0, 0, 0), (0, 0, -1, 0), (0, 0, 0, 63), (0, 0, 0, -1)]
)
def test_a_pickle_with_absurd_numbers_is_refused(state):
    with pytest.raises(ValueError, match="threshold"):
        _core._restore_threshold(BINARY, np.zeros(4, dtype=np.int64), 0, state)


def test_the_arrays_cannot_be_written_and_outlive_the_function():
    t = from_weights([[1, 2], [3, 4]], 5)
    weight = t.weight
    del t
    assert weight.tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="read-only"):
        weight[0] = 0
