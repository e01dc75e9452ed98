"""Columns that are computed from others. More: ``python tests/drivers/derived_random.py``."""

from __future__ import annotations

import math
from collections import Counter

import derived_random
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.data.derived import Derived


# 28071: a function of bytes is a float of 16 bits, also where the row is a mapping of whole numbers
@pytest.mark.parametrize("seed", [*range(16), 28071])
@pytest.mark.filterwarnings("ignore")
def test_answers_are_those_of_brute_force(seed):
    derived_random.check(seed, Counter(), rows=3)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    data = pd.DataFrame(
        {
            "debt": rng.integers(0, 5000, 300),
            "total": 0.0,
            "income": rng.integers(1000, 9000, 300).astype(np.float64),
            "age": rng.integers(18, 80, 300).astype(np.int16),
        }
    )
    data["total"] = data["debt"] + 0.5 * data["income"]
    label = np.where(data["debt"] / data["income"] < 0.4, "yes", "no")
    return data, make_pipeline(StandardScaler(), LogisticRegression()).fit(data, label)


def test_a_sum_is_no_feature_and_moves_with_its_sources(table):
    data, model = table
    c = symcf.compile(model, data, derived={"total": "debt + 0.5 * income"})
    assert c.features == ("debt", "income", "age")
    assert (c.predict(data) == model.predict(data)).all()
    np.testing.assert_allclose(c.decision_function(data), model.decision_function(data), rtol=1e-9)
    rejected = data[model.predict(data) == "no"].head(40)
    batch = symcf.fast.explain_batch(c, rejected, target="yes")
    rows = batch.to_frame()
    assert len(rows) >= 40
    assert list(rows.columns) == list(data.columns)
    np.testing.assert_array_equal(rows["total"], rows["debt"] + 0.5 * rows["income"])
    assert set(model.predict(rows)) == {"yes"}
    arrow = batch.rows_to_arrow().to_pandas()
    np.testing.assert_array_equal(arrow["total"], arrow["debt"] + 0.5 * arrow["income"])


def test_rows_need_not_have_it(table):
    data, model = table
    c = symcf.compile(model, data, derived={"total": "debt + 0.5 * income"})
    x = data[model.predict(data) == "no"].iloc[0].drop("total").to_dict()
    (first, *_) = c.explain(x, target="yes")
    assert set(first.row) == {"debt", "income", "age"}


def test_without_it_the_answer_ignores_what_belongs_together(table):
    data, model = table
    c = symcf.compile(model, data)
    x = data[model.predict(data) == "no"].iloc[[0]]
    assert any("total" in {change.name for change in cf.changes} for cf in c.explain(x, target="yes"))


def test_files_keep_it(table, tmp_path):
    data, model = table
    c = symcf.compile(model, data, derived={"total": "debt + 0.5 * income"})
    c.save(tmp_path / "m.symcf")
    again = symcf.load(tmp_path / "m.symcf")
    x = data[model.predict(data) == "no"].iloc[[0]]
    rows = [cf.row for cf in again.explain(x, target="yes")]
    assert all((row["total"] == row["debt"] + 0.5 * row["income"]).all() for row in rows)
    assert again.model == c.model


def test_certificates_and_reasons(table):
    data, model = table
    c = symcf.compile(model, data, derived={"total": "debt + 0.5 * income"})
    x = data[model.predict(data) == "no"].iloc[[0]]
    e = c.explain(x, target="yes")
    assert symcf.verify(c, x, e)
    assert c.why(x).count


def test_ratios_before_black_boxes():
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"debt": rng.integers(0, 6, 80) * 100, "income": rng.integers(1, 6, 80) * 500})
    data["dti"] = data["debt"] / data["income"]
    tree = DecisionTreeClassifier(random_state=0).fit(data, (data["dti"] <= 0.2).astype(int))
    with pytest.raises(symcf.OptionError, match="from_predict"):
        symcf.compile(tree, data, derived={"dti": "debt / income"})
    c = symcf.compile(symcf.from_predict(tree, data, derived={"dti": "debt / income"}))
    assert c.features == ("debt", "income")
    x = data[tree.predict(data) == 0].iloc[[0]]
    for cf in c.explain(x):
        assert cf.row["dti"].tolist() == (cf.row["debt"] / cf.row["income"]).tolist()
        assert tree.predict(cf.row[data.columns]).tolist() == [1]


def test_arrays():
    rows = np.array([[a, b, a + b] for a in range(4) for b in range(4)], dtype=float)
    model = LogisticRegression().fit(rows, rows[:, 2] > 3)
    c = symcf.compile(symcf.from_predict(model, rows, derived={"x2": "x0 + x1"}))
    assert c.features == ("x0", "x1")
    for cf in c.explain([0.0, 1.0]):
        a, b = cf.row
        assert model.predict([[a, b, a + b]])[0]


@pytest.mark.parametrize(
    "derived",
    [
        {"total": "debt +"},
        {"total": "debt + incme"},
        {"totl": "debt + income"},
        {"total": "debt * income"},
        {"total": "debt / income"},
        {"total": "total + 1"},
        {"total": "1 + 2"},
        {"total": "__import__('os')"},
        {"total": "debt.mean()"},
        {"total": "log(debt, 2)"},
        {"total": "debt + 1e999"},
        {"total": "debt + 9**9**9**9"},
        {"total": "debt ** age"},
        {"total": "debt + " + "(" * 400 + "age" + ")" * 400},
        {"total": "debt" + " + age" * 1000},
        {"total": "debt + 1" + "0" * 400},
        {"total": 3},
        {"debt": "income + age", "total": "debt + income"},
        {},
        "debt + income",
    ],
)
def test_what_is_not_accepted(table, derived):
    data, model = table
    with pytest.raises(symcf.OptionError):
        symcf.compile(model, data, derived=derived)


def test_curves_are_not_folded(table):
    data, _ = table
    model = GaussianNB().fit(data, data["debt"] > 2000)
    with pytest.raises(symcf.OptionError, match="from_predict"):
        symcf.compile(model, data, derived={"total": "debt + 0.5 * income"})


def test_expressions():
    one = Derived("x", "2 * (`total debt` - b) / 4 + sqrt(c) ** 2")
    assert set(one.sources) == {"total debt", "b", "c"}
    assert one.linear is None
    columns = {"total debt": np.array([9.0]), "b": np.array([1]), "c": np.array([4.0])}
    assert one.of(columns).tolist() == [8.0]
    assert Derived("x", "-a / 4 + 0.1 * (b - 2 * a)").linear.coefficients["a"] == pytest.approx(-0.45)
    assert math.isinf(Derived("x", "a / b").of({"a": np.array([1]), "b": np.array([0])})[0])
