"""Explainable boosting machines: step functions of columns, read from the attributes of a fitted machine."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import symcf
import symcf.fast


class ExplainableBoostingClassifier:
    """As interpret's: the attributes after fit, of a machine that was written by hand."""

    def __init__(self, **others):
        self.feature_names_in_ = ["age", "job"]
        self.bins_ = [[np.array([30.0, 45.5])], [{"clerk": 1, "7": 2}]]
        self.term_features_ = [(0,), (1,)]
        self.term_scores_ = [np.array([0.25, -1.0, 0.5, 2.0, 0.0]), np.array([0.0, -0.75, 0.5, 0.0])]
        self.intercept_ = np.array([-0.5])
        self.classes_ = np.array(["deny", "approve"])
        self.__dict__.update(others)


ExplainableBoostingClassifier.__module__ = "interpret.glassbox"


def test_bins_are_values():
    data = pd.DataFrame({"age": [20.0, 50.0], "job": ["clerk", 7]})
    compiled = symcf.compile(ExplainableBoostingClassifier(), data=data)
    rows = [[29.9, "clerk"], [30, "clerk"], [45.5, "clerk"], [np.nan, 7], [20, "7"], [50, "pilot"]]
    assert compiled.decision_function(rows).tolist() == [-2.25, -0.75, 0.75, 0.25, -1.0, 1.5]
    e = compiled.explain({"age": 40.5, "job": "clerk"})
    assert [cf.row for cf in e] == [{"age": 45.5, "job": "clerk"}, {"age": 40.5, "job": "7"}]
    assert symcf.model_from_json(compiled.model.to_json()) == compiled.model


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        (ExplainableBoostingClassifier(term_features_=[(0,), (0, 1)]), "'age' and 'job' together.*interactions=0"),
        (type("LinearRegression", (), {"__module__": "interpret.glassbox"})(), "LinearRegression is not supported"),
        (type("ExplainableBoostingClassifier", (), {"__module__": "interpret.x"})(), "is not fitted"),
    ],
)
def test_what_is_not_a_sum_is_refused(machine, message):
    with pytest.raises(symcf.ModelError, match=message):
        symcf.from_model(machine)
    with pytest.raises(symcf.OptionError, match="groups: for other estimators"):
        symcf.from_model(ExplainableBoostingClassifier(), groups=[])


def test_a_real_machine_agrees():
    glassbox = pytest.importorskip("interpret.glassbox")
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True, as_frame=True)
    X = X.assign(kind=np.where(X["hue"] > 1, "a", "b"))
    X.loc[::17, "ash"] = np.nan
    for target in (y == 1, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = glassbox.ExplainableBoostingClassifier(interactions=0, max_rounds=30, outer_bags=1, n_jobs=1)
            machine.fit(X, target)
        compiled = symcf.compile(machine, data=X)
        assert (compiled.predict(X) == machine.predict(X)).all()
        frame = symcf.fast.explain_batch(compiled, X, k=2).to_frame(k=2)
        before = pd.Series(machine.predict(X)).loc[frame.index.get_level_values(0)].to_numpy()
        assert (machine.predict(frame) != before).all()
