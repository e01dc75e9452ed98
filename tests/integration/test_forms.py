"""The same person in every form of a row has the same counterfactuals, and all of them go back to the estimator."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from forms_of_rows import MODELS, TYPES, forms, people, problems
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

import symcf
import symcf.fast


@pytest.mark.parametrize("model", MODELS)
def test_every_form_of_a_row_has_the_same_answer(model):
    found = {kind: problems(model, kind, count=1) for kind in TYPES}
    assert {kind: wrong for kind, wrong in found.items() if wrong and not isinstance(wrong, str)} == {}
    assert any(wrong == [] for wrong in found.values())


def test_types_are_kept_in_files(tmp_path):
    table, labels = people("category")
    table["short"] = np.linspace(0, 1, len(table), dtype=np.float32)
    estimator = XGBClassifier(n_estimators=8, max_depth=3, enable_categorical=True, n_jobs=1).fit(table, labels)
    c = symcf.compile(estimator, data=table)
    path = tmp_path / "model.symcf"
    c.save(path)
    loaded = symcf.load(path)
    assert loaded.encoder == c.encoder
    for row in forms(table, 0).values():
        e = loaded.explain(row)
        again = symcf.Explanation.from_dict(json.loads(e.to_json()))
        for frame in (e.to_frame(), again.to_frame()):
            assert frame.dtypes.equals(table.dtypes)
            assert (estimator.predict(frame) != e.prediction).all()


def test_a_batch_in_any_form_has_the_types_of_the_data():
    table, labels = people("category")
    estimator = XGBClassifier(n_estimators=8, max_depth=3, enable_categorical=True, n_jobs=1).fit(table, labels)
    c = symcf.compile(estimator, data=table)
    few = table.iloc[:6].reset_index(drop=True)
    rows = [few, few.to_dict("records"), few.to_dict("list"), few.to_numpy().tolist(), few.astype({"t": object})]
    expected = symcf.fast.explain_batch(c, few)
    for one in rows:
        batch = symcf.fast.explain_batch(c, one)
        assert [batch[i].sets for i in range(6)] == [expected[i].sets for i in range(6)]
        frame = batch.to_frame(k=None)
        assert frame.dtypes.equals(table.dtypes)
        old = estimator.predict(few)[frame.index.get_level_values("row")]
        assert (estimator.predict(frame) != old).all()


def test_a_boolean_is_never_a_fraction():
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"m": rng.random(80) > 0.5, "x": np.round(rng.normal(size=80), 2)})
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(table, table["m"] ^ (table["x"] > 0.3))
    c = symcf.compile(tree, data=table)
    for row in ({"m": 1.0, "x": 0.5}, pd.Series({"m": 1.0, "x": 0.5}), [1, 0.5], np.array([1.0, 0.5])):
        changes = {change.name: change.new for cf in c.explain(row) for change in cf.changes}
        assert changes["m"] is False


def test_narrow_integers_stay_in_their_range():
    table = pd.DataFrame({"a": np.array([0, 100, 200, 250], dtype=np.uint8), "b": [0.0, 1.0, 0.0, 1.0]})
    tree = DecisionTreeClassifier().fit([[0, 0], [300, 0], [0, 1], [300, 1]], [0, 1, 0, 1])  # cut at 150
    c = symcf.compile(symcf.from_model(tree, data=table, feature_names=["a", "b"]))
    assert c.explain({"a": 3, "b": 0.0})[0].row == {"a": 151, "b": 0.0}
    tall = DecisionTreeClassifier().fit([[0, 0], [600, 0], [0, 1], [600, 1]], [0, 1, 0, 1])  # cut at 300
    c = symcf.compile(symcf.from_model(tall, data=table, feature_names=["a", "b"]))
    e = c.explain({"a": 3, "b": 0.0})
    assert e.sets == []
    assert [str(constraint) for constraint in e.blocking] == ["a must be a whole number"]


def test_without_data_the_types_of_the_row_count():
    tree = DecisionTreeClassifier().fit([[3.0], [3.4]], [0, 1])  # cut at 3.2
    c = symcf.compile(symcf.from_model(tree, feature_names=["a"]))
    for whole in ({"a": 3}, [3], (3,), np.array([3]), pd.DataFrame({"a": [3]}), pd.Series({"a": 3})):
        assert c.explain(whole)[0].changes[0].new == 4
    for real in ({"a": 3.0}, [3.0], np.array([3.0]), pd.DataFrame({"a": [3.0]})):
        assert c.explain(real)[0].changes[0].new == 3.201
