"""Encoders of category_encoders before linear models and trees."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast
from symcf.models.sklearn import lineage

encoders = pytest.importorskip("category_encoders")

# category_encoders passes arguments to scikit-learn and pandas that these call deprecated
pytestmark = pytest.mark.filterwarnings("ignore")


def table(seed=0, n=240):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(2),
            "c": rng.choice(list("pqr"), n),
            "k": rng.integers(0, 4, n),
            "d": rng.choice(list("xyzw"), n),
        }
    )
    X.loc[3:6, "c"] = None
    return X, (X["a"] + (X["c"] == "p") + (X["d"] > "y") - (X["k"] > 2) > 0).astype(int)


@pytest.mark.parametrize("name", lineage.CATEGORY_ENCODERS)
@pytest.mark.parametrize("final", [LogisticRegression(), DecisionTreeClassifier(max_depth=5, random_state=0)])
def test_pipelines_agree(name, final):
    X, y = table()
    encoder = getattr(encoders, name)(cols=["c", "k", "d"])
    pipeline = make_pipeline(encoder, StandardScaler(), final).fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    rows = X.copy()
    rows.loc[10:30, "d"] = "new"
    rows.loc[20:50, "c"] = None
    rows.loc[45:60, "k"] = 9
    rows.loc[70:75, "d"] = None  # not seen in training
    before = pipeline.predict(rows)
    assert (compiled.predict(rows) == before).all()
    found = symcf.fast.explain_batch(compiled, rows[:60], k=2).to_frame(k=2)
    assert len(found) > 20
    assert (pipeline.predict(found) != before[found.index.get_level_values(0)]).all()


def test_lists_are_complete():
    X, y = table(1)
    both = make_column_transformer((encoders.WOEEncoder(cols=["c", "d"]), ["c", "d"]), (StandardScaler(), ["a", "k"]))
    both.set_output(transform="pandas")
    pipeline = make_pipeline(both, DecisionTreeClassifier(max_depth=6, random_state=0)).fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    # all numbers of the table: the tree cuts halfway between them
    columns = {"a": X["a"].unique(), "c": list("pqr"), "k": range(4), "d": list("xyzw")}
    tried = pd.DataFrame(list(itertools.product(*columns.values())), columns=list(columns))
    decided = pipeline.predict(tried)
    for i in np.random.default_rng(0).choice(len(tried), 5, replace=False):
        changed = (tried != tried.iloc[i]).to_numpy()[decided != decided[i]]
        flips = {frozenset(np.flatnonzero(line).tolist()) for line in changed}
        least = {one for one in flips if not any(two < one for two in flips)}
        found = list(compiled.explain(tried.iloc[i]))
        assert {frozenset(cf.features) for cf in found} == least
        for cf in found:
            assert pipeline.predict(pd.DataFrame([cf.row]))[0] != decided[i]


def test_what_the_encoder_refuses_is_refused():
    X, y = table()
    X = X[X["c"].notna()]
    y = y.loc[X.index]
    strict = encoders.TargetEncoder(cols=["c"], handle_unknown="error", handle_missing="error")
    compiled = symcf.compile(make_pipeline(strict, LogisticRegression()).fit(X[["a", "c"]], y), data=X[["a", "c"]])
    for unknown in ("new", math.nan):
        with pytest.raises(symcf.InstanceError, match="column 'c'"):
            compiled.predict([[0.5, unknown]])
    dropping = make_pipeline(encoders.OrdinalEncoder(cols=["c"], drop_invariant=True), LogisticRegression())
    with pytest.raises(symcf.ModelError, match="drop_invariant=True is not supported"):
        symcf.compile(dropping.fit(X[["a", "c"]], y), data=X[["a", "c"]])
    hashing = make_pipeline(encoders.HashingEncoder(cols=["c"], max_process=1), LogisticRegression())
    with pytest.raises(symcf.ModelError, match="HashingEncoder is not supported as a step"):
        symcf.compile(hashing.fit(X[["a", "c"]], y), data=X[["a", "c"]])
