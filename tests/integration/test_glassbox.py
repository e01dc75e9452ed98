"""Explainable boosting machines: tables over one column or over several, read from the attributes of a fitted machine.

interpret is not among the requirements of the tests. Where it is not installed, machines that were written by hand are
read.
"""

from __future__ import annotations

import itertools
import math
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
        (ExplainableBoostingClassifier(term_features_=[(0,), (0, 1)]), "'age' and 'job' have the shape"),
        (ExplainableBoostingClassifier(term_features_=[(0,), (1, 1)]), "a term of the columns"),
        (type("LinearRegression", (), {"__module__": "interpret.glassbox"})(), "LinearRegression is not supported"),
        (type("ExplainableBoostingClassifier", (), {"__module__": "interpret.x"})(), "is not fitted"),
    ],
)
def test_what_is_not_read_is_refused(machine, message):
    with pytest.raises(symcf.ModelError, match=message):
        symcf.from_model(machine)
    with pytest.raises(symcf.OptionError, match="groups: for other estimators"):
        symcf.from_model(ExplainableBoostingClassifier(), groups=[])


def pairs(rng, n_classes):
    """A machine of three columns; its table of two columns has fewer bins, and one of three has those of two."""
    k = () if n_classes == 2 else (n_classes,)
    ages = [np.array([30.0, 45.5, 60.0]), np.array([40.0])]
    incomes = [np.array([1e3, 2e3]), np.array([1e3, 1.5e3, 3e3])]
    jobs = [{"clerk": 1, "7": 2, "pilot": 3}, {"clerk": 1, "7": 1, "pilot": 2}]

    def table(*shape):
        return np.round(64 * rng.normal(size=(*shape, *k))) / 64  # sums are exact

    return ExplainableBoostingClassifier(
        feature_names_in_=["age", "job", "unused", "income"],
        bins_=[ages, jobs, [np.array([1.0])], incomes],
        term_features_=[(0,), (1,), (3,), (0, 1), (1, 3), (0, 1, 3)],
        term_scores_=[table(6), table(5), table(5), table(4, 4), table(4, 6), table(4, 4, 6)],
        intercept_=table(1)[0] if k else table(1),
        classes_=np.array(["deny", "approve", "later"][:n_classes]),
    )


def place(bins, value, missing):
    """The place of a value in the bins of a column."""
    if missing:
        return 0
    if isinstance(bins, dict):
        return bins.get(str(value), -1)
    return 1 + sum(cut <= value for cut in bins)


def slow_decision(machine, row):
    """What the machine decides, by its definition: the sum of the entries of its tables."""
    total = np.array(machine.intercept_, dtype=float)
    for columns, scores in zip(machine.term_features_, machine.term_scores_, strict=True):
        at = []
        for j in columns:
            levels = machine.bins_[j]
            value = row[machine.feature_names_in_[j]]
            missing = value is None or (isinstance(value, float) and math.isnan(value))
            at.append(place(levels[min(len(levels), len(columns)) - 1], value, missing))
        total = total + scores[tuple(at)]
    return machine.classes_[int(total[0] > 0) if len(total) == 1 else int(np.argmax(total))]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_tables_over_several_columns_against_brute_force(n_classes):
    rng = np.random.default_rng(n_classes)
    nan = math.nan
    tried = {
        "age": [20.0, 30.0, 40.0, 45.5, 60.0, nan],
        "job": ["clerk", 7, "pilot", "other", None],
        "income": [0.0, 1e3, 1.5e3, 2e3, 3e3, nan],
    }
    rows = [dict(zip(tried, values, strict=True)) for values in itertools.product(*tried.values())]
    for _ in range(4):
        machine = pairs(rng, n_classes)
        compiled = symcf.compile(machine)
        assert symcf.model_from_json(compiled.model.to_json()) == compiled.model
        decided = [slow_decision(machine, row) for row in rows]
        assert compiled.predict([{**row, "unused": 0} for row in rows]).tolist() == decided
        for i in rng.choice(len(rows), 12, replace=False):
            flips = set()
            for row, other in zip(rows, decided, strict=True):
                changed = frozenset(name for name in tried if row[name] is not rows[i][name])
                # missing and unknown values are read and not suggested
                if other != decided[i] and not any(row[name] in (None, "other", nan) for name in changed):
                    flips.add(changed)
            least = {one for one in flips if not any(two < one for two in flips)}
            found = compiled.explain({**rows[i], "unused": 0})
            assert {frozenset(compiled.model.features[j] for j in cf.features) for cf in found} == least
            for cf in found:
                assert slow_decision(machine, cf.row) != decided[i]


def test_numbers_as_categories():
    machine = ExplainableBoostingClassifier(
        bins_=[[np.array([30.0, 45.5])], [{"1": 1, "2.5": 2}]],
        term_features_=[(0,), (0, 1)],
        term_scores_=[np.array([0.25, -1.0, 0.5, 2.0, 0.0]), np.arange(20.0).reshape(5, 4) % 7 - 3],
    )
    for data in (None, pd.DataFrame({"age": [1.0], "job": [2.5]}), pd.DataFrame({"age": [1.0], "job": ["2.5"]})):
        compiled = symcf.compile(machine, data=data)
        as_text = data is not None and data["job"].dtype.kind != "f"  # values are shown as the data has them
        for jobs in ((1, 2.5, None), ("1", "2.5", None), (1.0, "2.5", np.nan)):
            rows = [{"age": 35.0, "job": job} for job in jobs]
            assert compiled.decision_function(rows).tolist() == [-1.0, 0.0, -2.0]
        jobs = {type(label) for label in compiled.model.values[1][:2]}
        assert jobs == ({str} if as_text else {int, float})


def test_a_real_machine_agrees():
    glassbox = pytest.importorskip("interpret.glassbox")
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True, as_frame=True)
    X = X.assign(kind=np.where(X["hue"] > 1, "a", "b"))
    X.loc[::17, "ash"] = np.nan
    some = [("alcohol", "hue"), ("kind", "ash")]
    for target, pairs in ((y == 1, 0), (y, 0), (y == 1, some), (y, some)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = glassbox.ExplainableBoostingClassifier(interactions=pairs, max_rounds=30, outer_bags=1, n_jobs=1)
            machine.fit(X, target)
        compiled = symcf.compile(machine, data=X)
        assert (compiled.predict(X) == machine.predict(X)).all()
        assert np.allclose(compiled.predict_proba(X), machine.predict_proba(X))
        frame = symcf.fast.explain_batch(compiled, X, k=2).to_frame(k=2)
        before = pd.Series(machine.predict(X)).loc[frame.index.get_level_values(0)].to_numpy()
        assert (machine.predict(frame) != before).all()


def test_a_real_regressor_agrees():
    glassbox = pytest.importorskip("interpret.glassbox")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.choice(["u", "v", "w"], 200), "c": rng.random(200)})
    y = X["a"] * (X["b"] == "u") + X["c"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = glassbox.ExplainableBoostingRegressor(interactions=2, max_rounds=30, outer_bags=1, n_jobs=1).fit(X, y)
    compiled = symcf.compile(machine, data=X)
    assert np.allclose(compiled.predict(X), machine.predict(X), rtol=1e-12)
    frame = symcf.fast.explain_batch(compiled, X[:50], k=2, target=symcf.at_least(0.8)).to_frame(k=2)
    assert (machine.predict(frame) >= 0.8).all()
