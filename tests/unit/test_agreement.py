"""`Compiled.agreement`: the rule and the estimator that it was read from, compared on rows and at cuts."""

from __future__ import annotations

import numpy as np
import pytest

import symcf

pandas = pytest.importorskip("pandas")
ensemble = pytest.importorskip("sklearn.ensemble")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {
            "a": rng.integers(0, 20, 200),
            "b": rng.normal(0, 5, 200).round(2).astype(np.float32),
            "c": rng.normal(size=200),
        }
    )
    return frame, np.where(frame.a + frame.b > 9, "yes", "no")


def test_a_reading_agrees_with_its_estimator(table):
    rows, labels = table
    c = symcf.compile(ensemble.RandomForestClassifier(5, random_state=0).fit(rows, labels), data=rows)
    found = c.agreement(rows)
    assert found
    assert found.rows == 200
    assert found.at_cuts > 100
    assert found.to_dict() == {"rows": 200, "at_cuts": found.at_cuts, "differences": 0}


def test_another_estimator_is_noticed(table):
    rows, labels = table
    one, two = (ensemble.RandomForestClassifier(5, random_state=seed).fit(rows, labels) for seed in (0, 1))
    found = symcf.compile(one, data=rows).agreement(rows, two)
    assert not found
    assert found.n_differences >= len(found.differences) > 0
    assert found.differences[0].rule != found.differences[0].estimator


def test_a_cut_that_is_off_is_seen_beside_it_and_not_on_rows(table):
    rows, _ = table
    tree = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(max_depth=1).fit(rows[["c"]], rows.c > 0.5)
    c = symcf.compile(tree, data=rows[["c"]])

    class Off:
        def predict(self, X):
            return np.nextafter(X.c.to_numpy().astype(np.float32), np.float32(np.inf)) > tree.tree_.threshold[0]

    found = c.agreement(rows[["c"]], Off())
    assert found.n_differences > 0
    assert (c.predict(rows[["c"]]) == Off().predict(rows[["c"]])).all()


def test_it_is_asked_for_where_it_is_not_at_hand(table):
    rows, _ = table
    with pytest.raises(symcf.OptionError, match="estimator"):
        symcf.compile(symcf.LinearClassifier([1, 1], -1)).agreement(rows)
