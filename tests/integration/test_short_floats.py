"""Rows of 32 bits to classifiers that were compiled with data of 64 bits, and the other way round.

scikit-learn scales, and adds up, with the bits of the row. What cannot be followed is not supported; everything else
holds when the estimator's own predict is asked about the suggested rows.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, FunctionTransformer, KBinsDiscretizer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast

BITS = (np.float32, np.float64)
ALL_BITS = (np.float16, *BITS)


def numbers(count=300):
    rng = np.random.default_rng(0)
    rows = np.round(rng.normal(size=(count, 3)) * [1, 100, 0.01] + [0, 1e5, 5], 3)
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    return rows, np.where(scaled.sum(axis=1) + rng.normal(scale=0.5, size=count) > 0, "yes", "no")


SCALED = [
    GaussianNB(),
    make_pipeline(StandardScaler(), GaussianNB()),
    make_pipeline(StandardScaler(), LogisticRegression()),
]
TREES = [
    DecisionTreeClassifier(max_depth=4, random_state=0),
    make_pipeline(KBinsDiscretizer(6, encode="ordinal"), DecisionTreeClassifier(max_depth=3, random_state=0)),
]


def assert_suggestions_hold(estimator, compiled, rows):
    seen = 0
    for row in rows:
        old = estimator.predict(row.reshape(1, -1))[0]
        for counterfactual in compiled.explain(row, k=4):
            assert counterfactual.row.dtype == row.dtype
            assert estimator.predict(counterfactual.row.reshape(1, -1))[0] != old
            seen += 1
    assert seen


def assert_refused(compiled, short):
    """Every call says the same."""
    for ask in (
        lambda: compiled.predict(short, codes=True),
        lambda: compiled.attribute(short[0]),
        lambda: compiled.attribute(short[0], "shapley", data=short),
        lambda: symcf.fast.attribute_batch(compiled, short),
        lambda: symcf.fast.why_batch(compiled, short),
        lambda: compiled.explain(short[0]),
        lambda: compiled.why(short[0]),
        lambda: compiled.explain(pd.DataFrame(short[:1])),
        lambda: symcf.fast.explain_batch(compiled, short),
        lambda: symcf.fast.explain_batch(compiled, list(short)),
        lambda: symcf.fast.explain_batch(compiled, [list(row) for row in short]),
    ):
        with pytest.raises(symcf.InstanceError, match=r"'x0': its numbers have fewer than 64 bits"):
            ask()


@pytest.mark.parametrize("fitted", BITS)
@pytest.mark.parametrize("estimator", SCALED, ids=str)
def test_numbers_hold_or_are_refused(estimator, fitted):
    rows, labels = numbers()
    estimator.fit(rows.astype(fitted), labels)
    for of_data in BITS:
        compiled = symcf.compile(estimator, data=rows.astype(of_data))
        assert_suggestions_hold(estimator, compiled, rows[:25])
        short = rows[:25].astype(np.float32)
        if of_data is np.float32:
            assert_suggestions_hold(estimator, compiled, short)
            continue
        assert_refused(compiled, short)


@pytest.mark.parametrize("fitted", BITS)
@pytest.mark.parametrize("estimator", TREES, ids=str)
def test_trees_and_bins_take_both(estimator, fitted):
    rows, labels = numbers()
    estimator.fit(rows.astype(fitted), labels)
    rows = rows - rows.mean(axis=0)  # which 16 bits can hold, too
    estimator.fit(rows.astype(fitted), labels)
    compiled = symcf.compile(estimator)
    for bits in ALL_BITS:
        assert_suggestions_hold(estimator, compiled, rows[:25].astype(bits))
        assert_suggestions_hold(estimator, symcf.compile(estimator, data=rows.astype(bits)), rows[:25].astype(bits))


@pytest.mark.parametrize(
    "steps",
    [
        [StandardScaler(), DecisionTreeClassifier(max_depth=4)],
        [StandardScaler(), KBinsDiscretizer(6), LogisticRegression()],
        [Binarizer(threshold=0.1), DecisionTreeClassifier()],
        [BernoulliNB(binarize=0.1)],
    ],
    ids=str,
)
def test_scaling_before_cuts_is_refused_in_32_bits(steps):
    rows, labels = numbers()
    estimator = make_pipeline(*steps).fit(rows, labels)
    compiled = symcf.compile(estimator)
    assert_suggestions_hold(estimator, compiled, rows[:25])
    again = type(compiled.model).from_dict(json.loads(json.dumps(compiled.model.to_dict())))
    short = rows[:25].astype(np.float32)
    for c in (compiled, symcf.compile(again)):
        assert_refused(c, short)
        with pytest.raises(symcf.InstanceError, match=r"fewer than 64 bits.*give 64-bit floats$"):
            symcf.difference(compiled, c, data=short)
    with pytest.raises(symcf.ModelError, match=r"column 'x0' holds float32 in data.*convert the column to float64"):
        symcf.compile(estimator, data=short)


def test_what_is_made_of_such_classifiers_refuses_them_too():
    rows, labels = numbers()
    one, other = (
        symcf.compile(make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=d)).fit(rows, labels))
        for d in (2, 3)
    )
    both = one & other
    assert both.explain(rows[0]) is not None
    with pytest.raises(symcf.InstanceError, match="fewer than 64 bits"):
        both.explain(rows[0].astype(np.float32))


def test_a_threshold_that_32_bits_hold_is_compared_exactly():
    rows, labels = numbers()
    estimator = make_pipeline(Binarizer(threshold=0.5), DecisionTreeClassifier()).fit(rows, labels)
    assert_suggestions_hold(estimator, symcf.compile(estimator), rows[:25].astype(np.float32))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_ends_of_suggested_ranges_can_be_stored_and_flip(dtype):
    """The double just below a cut is rounded up to the cut itself, which is decided otherwise."""
    table = pd.DataFrame({"a": np.linspace(0, 4, 60), "b": np.tile([0.0, 3.0, 1.0], 20)}).astype(dtype)
    bins = KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform")
    estimator = make_pipeline(bins, BernoulliNB()).fit(table, (table.a + table.b > 3.5).map({True: "yes", False: "no"}))
    c = symcf.compile(estimator, data=table)
    seen = 0
    for i in range(0, 60, 4):
        row = table.iloc[[i]]
        e = c.explain(row)
        assert symcf.verify(c, row, e)
        for cf in (cf for cf in e if len(cf.changes) == 1):
            ((name, region),) = cf.region.items()
            for end in filter(np.isfinite, (region.first, region.last)):
                there = row.assign(**{name: np.array([end], dtype=dtype)})
                assert float(there[name].iloc[0]) == end
                assert estimator.predict(there)[0] == c.classes[cf.target]
                seen += 1
    assert seen > 5


@pytest.mark.parametrize("kind", ["bool", "int8", "uint8", "Int8", "uint16", "int64", "uint64"])
@pytest.mark.parametrize("function", [np.sqrt, np.log1p, np.floor, np.negative])
def test_functions_of_whole_numbers_are_those_of_their_type_or_refused(kind, function):
    """The root of an 8-bit number has 16 bits, and numbers without a sign have no negative."""
    table = pd.DataFrame({"a": np.arange(40) % 9, "b": np.arange(40) % 5})
    table = (table > 2).astype(bool) if kind == "bool" else table.astype(kind)
    yes = np.asarray(table["a"], dtype=float) > (0 if kind == "bool" else 3)
    if kind == "bool" and function is np.negative:
        return  # numpy has none
    model = make_pipeline(FunctionTransformer(function), LogisticRegression(C=100)).fit(table, yes)
    try:
        c = symcf.compile(model, data=table)
    except symcf.ModelError as error:
        assert kind != "int64"
        assert "otherwise than in 64 bits: convert the column to float64" in str(error)  # noqa: PT017
        model.fit(table.astype(float), yes)
        table = table.astype(float)
        c = symcf.compile(model, data=table)
    assert np.abs(c.decision_function(table) - model.decision_function(table)).max() < 1e-9
