"""Reasons whose conditions are as wide as they can be: objects, tables, text, files, limits and mistakes."""

from __future__ import annotations

import json
from collections import Counter

import general_random
import numpy as np
import pandas
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.data.regions import Region

MODEL = symcf.LinearClassifier(
    [[0, 1, 2, 3], [0, 2], [1, 0, 5]], -6, features=["a", "b", "c"], ordered=[True, True, False]
)


@pytest.fixture(scope="module")
def tree():
    rows = pandas.DataFrame([(age, income) for age in range(18, 68) for income in (900.0, 0.0, 300.0, 400.0)])
    rows.columns = ["age", "income"]
    labels = np.where((rows.age > 40) & (rows.income > 300), "yes", "no")
    return symcf.compile(DecisionTreeClassifier().fit(rows, labels), data=rows), rows, labels


@pytest.mark.slow
def test_random_models_agree_with_the_reference():
    tally = Counter()
    for seed in range(12):
        general_random.check(seed, tally)
    assert tally["reasons"] > 20
    assert tally["values more"] > 20


def test_conditions_grow_in_the_order_of_the_columns():
    r = symcf.compile(MODEL).why([0, 0, 0], general=True)
    assert [str(reason) for reason in r] == ["c = 0 or 1", "a = 0 or 1, b = 0"]
    assert all(reason.maximal for reason in r)
    plain = symcf.compile(MODEL).why([0, 0, 0])
    assert plain.sets == r.sets
    assert not plain.is_general
    assert plain != r
    assert plain.general() == r


def test_values_in_order_are_intervals_and_others_are_sets():
    model = symcf.LinearClassifier([[0, 1, 9, 1], [9, 0, 1, 9]], -8, features=["a", "b"], ordered=[True, False])
    (reason,) = symcf.compile(model).why([0, 1], general=True)
    first, second = reason.conditions
    assert first.accepted.range == (0, 1)  # 3 weighs as little, but 2 is between
    assert second.accepted.range == (1, 2)
    assert 1 in first.accepted
    assert 3 not in first.accepted
    assert str(reason) == "a = 0 or 1, b = 1 or 2"


def test_ranges_of_trees_are_regions(tree):
    c, rows, labels = tree
    for i in (0, 1, 101, 199):
        for reason in c.why(rows.iloc[i], general=True):
            for condition in reason.conditions:
                assert isinstance(condition.accepted.range, Region)
                assert rows.iloc[i][condition.name] in condition.accepted
            inside = np.logical_and.reduce([[v in k.accepted for v in rows[k.name]] for k in reason.conditions])
            assert set(labels[inside]) == {labels[i]}
    (reason,) = c.why(rows.iloc[0], general=True)
    assert str(reason) == "age 40 or less"
    assert c.why(rows.iloc[0], general=True).sentences()[1].startswith("No because age is at most 40: with this fact,")


@pytest.mark.slow
def test_numbers_of_a_scaled_model_hold_for_its_own_predict():
    rng = np.random.default_rng(0)
    rows = pandas.DataFrame(rng.normal(size=(300, 3)) * [1, 10, 100], columns=["a", "b", "c"])
    labels = (rows.a + rows.b / 10 + rows.c / 100 > 0.2).astype(int)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(rows, labels)
    c = symcf.compile(model, data=rows)
    for i in range(12):
        for reason in c.why(rows.iloc[i], general=True):
            assert reason.maximal
            ends = {k.name: (k.accepted.range.first, k.accepted.range.last) for k in reason.conditions}
            corners = np.array(np.meshgrid(*(ends.get(n, (rows[n].min(), rows[n].max())) for n in rows))).reshape(3, -1)
            decided = model.predict(pandas.DataFrame(corners.T, columns=rows.columns))
            assert set(decided.tolist()) == {int(model.predict(rows.iloc[[i]])[0])}


def test_tables_and_files(tree):
    c, rows, _ = tree
    r = c.why(rows.iloc[0], general=True)
    assert r.to_pandas()["condition"].tolist() == ["age 40 or less"]
    assert "condition" not in c.why(rows.iloc[0]).to_pandas()
    again = symcf.Reasons.from_dict(json.loads(r.to_json()))
    assert again == r
    assert again.is_general
    assert [str(reason) for reason in again] == [str(reason) for reason in r]
    assert "age 40 or less" in r._repr_html_()
    with pytest.raises(symcf.OptionError, match="read from a file"):
        again.general()


def test_it_is_verified():
    c = symcf.compile(symcf.LinearClassifier([[0, 1, 9, 1], [9, 0, 1, 9]], -8, features=["a", "b"]))
    r = c.why([0, 1], general=True)
    assert symcf.verify(c, [0, 1], r)
    data = json.loads(r.to_json())
    data["reasons"][0]["conditions"][0]["range"] = [0, 1, 2]
    assert symcf.verify(c, [0, 1], symcf.Reasons.from_dict(data)).valid is False
    data["reasons"][0]["conditions"][0]["range"] = [0]
    assert symcf.verify(c, [0, 1], symcf.Reasons.from_dict(data)).minimal is False


def test_when_time_is_up_the_rest_is_as_it_was():
    c = symcf.compile(MODEL)
    r = c.why([0, 0, 0]).general(time_limit=0)
    assert r.status == "time_limit"
    assert [reason.maximal for reason in r] == [False] * len(r)
    assert all(k.accepted.range == (k.value,) for reason in r for k in reason.conditions)


def test_constraints_of_the_row_are_not_supported(tree):
    c, rows, _ = tree
    with pytest.raises(symcf.OptionError, match=r"age <= income.*leave out general"):
        c.why(rows.iloc[0], constraints="age <= income", general=True)
