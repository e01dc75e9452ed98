"""CatBoost with columns of categories, as it is by default: one-hot tests and statistics (CTRs)."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import symcf
import symcf.fast

catboost = pytest.importorskip("catboost")

SILENT = {
    "verbose": 0,
    "allow_writing_files": False,
    "random_seed": 0,
    "thread_count": 1,
    "cat_features": ["c", "d", "k"],
}

#: Kinds of statistics: of one category, of several, and of categories with one-hot tests and numbers.
KINDS = {
    "default": {},
    "combinations": {"max_ctr_complexity": 4},
    "one-hot": {"max_ctr_complexity": 4, "one_hot_max_size": 5},
    "lossguide": {"grow_policy": "Lossguide", "max_leaves": 9},
    "buckets": {
        "simple_ctr": ["Buckets", "Counter"],
        "max_ctr_complexity": 2,
        "combinations_ctr": ["Borders", "Counter"],
    },
    "means": {"simple_ctr": ["BinarizedTargetMeanValue"], "max_ctr_complexity": 2},
}


def table(seed, n=400):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(2),
            "c": rng.choice([f"c{i}" for i in range(6)], n),
            "d": rng.choice(["x", "y", "z", "w"], n),
            "k": rng.integers(0, 4, n),
        }
    )
    score = X["a"] + 2 * ((X["d"] < "y") ^ (X["c"] > "c3")) * (X["k"] > 1) - (X["c"] == "c1")
    return X, score.to_numpy() + 0.3 * rng.normal(size=n)


def fitted(kind, n_classes, seed=0, **more):
    X, score = table(seed)
    args = {**SILENT, "iterations": 12, "depth": 4, **KINDS[kind], **more}
    if n_classes is None:
        return X, catboost.CatBoostRegressor(**args).fit(X, score)
    y = np.array(["no", "maybe", "yes"])[np.digitize(score, [0.6] if n_classes == 2 else [0.2, 1.2])]
    return X, catboost.CatBoostClassifier(**args).fit(X, y)


def tried(X, seed, n):
    """Rows of the table with unknown categories, and numbers on and beside borders."""
    rng = np.random.default_rng(seed)
    rows = X.sample(n, replace=True, random_state=seed).reset_index(drop=True)
    beside = np.nextafter(np.float32(rows["a"]), np.float32(rng.choice([-9.0, 9.0], n)))
    rows["a"] = np.where(rng.random(n) < 0.5, rows["a"], beside.astype(float))
    rows["c"] = rows["c"].where(rng.random(n) > 0.1, "new")
    rows["k"] = rows["k"].where(rng.random(n) > 0.1, 77)
    return rows


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classifiers_agree(kind, n_classes):
    if kind == "means" and n_classes == 3:
        pytest.skip("CatBoost has no means of several classes")
    X, estimator = fitted(kind, n_classes)
    compiled = symcf.compile(estimator, data=X)
    rows = tried(X, 1, 3000)
    before = estimator.predict(rows).ravel()
    assert (compiled.predict(rows) == before).all()
    assert np.allclose(compiled.predict_proba(rows), estimator.predict_proba(rows), rtol=0, atol=1e-12)
    found = symcf.fast.explain_batch(compiled, rows[:100], k=3).to_frame(k=3)
    assert len(found) > 100
    assert (estimator.predict(found).ravel() != before[found.index.get_level_values(0)]).all()
    again = symcf.compile(symcf.model_from_json(compiled.model.to_json()))
    assert (again.predict(rows) == before).all()


def test_regressors_agree():
    X, estimator = fitted("combinations", None)
    compiled = symcf.compile(estimator, data=X)
    rows = tried(X, 2, 2000)
    assert np.allclose(compiled.predict(rows), estimator.predict(rows), rtol=1e-12)


def test_lists_are_complete():
    X, estimator = fitted("combinations", 2, iterations=6)
    compiled = symcf.compile(estimator, data=X)
    numbers = sorted(
        {-9.0, *(float(np.nextafter(np.float32(cut), np.float32(9))) for cut in estimator.get_borders()[0])}
    )
    columns = {"a": numbers, **{name: sorted(X[name].unique().tolist()) for name in "cdk"}}
    rows = pd.DataFrame(list(itertools.product(*columns.values())), columns=list(columns))
    decided = estimator.predict(rows).ravel()
    for i in np.random.default_rng(3).choice(len(rows), 6, replace=False):
        other = rows[decided != decided[i]]
        changed = other.to_numpy(dtype=object) != rows.iloc[i].to_numpy(dtype=object)
        flips = {frozenset(np.flatnonzero(line).tolist()) for line in changed}
        least = {one for one in flips if not any(two < one for two in flips)}
        assert {frozenset(cf.features) for cf in compiled.explain(rows.iloc[i])} == least


def test_truth_values_and_numbers_are_read_by_their_text(tmp_path):
    """To CatBoost True is the category 1, and 1 and "1" are the same."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"b": rng.random(300) < 0.5, "k": rng.integers(0, 4, 300), "s": rng.choice(["x", "y"], 300)})
    y = ((X["k"] > 1) ^ (X["s"] == "x") ^ X["b"]).to_numpy()
    args = {**SILENT, "cat_features": ["b", "k", "s"], "iterations": 8, "depth": 3}
    estimator = catboost.CatBoostClassifier(**args).fit(X, y)
    estimator.save_model(tmp_path / "m.cbm")
    probabilities = estimator.predict_proba(X)
    as_text = X.astype({"k": str, "b": object})
    assert np.array_equal(estimator.predict_proba(as_text), probabilities)
    for compiled in (symcf.compile(estimator, data=X), symcf.compile(tmp_path / "m.cbm", data=X)):
        assert np.allclose(compiled.predict_proba(X), probabilities, rtol=0, atol=1e-12)
        assert np.allclose(compiled.predict_proba(as_text), probabilities, rtol=0, atol=1e-12)
        assert set(compiled.values[0]) == {False, True}
        missed = symcf.compile(tmp_path / "m.cbm", data=X[X["b"]])  # no row is False
        assert np.allclose(missed.predict_proba(X), probabilities, rtol=0, atol=1e-12)
        assert {type(value) for value in missed.values[0]} <= {bool, str}


def test_files(tmp_path):
    X, estimator = fitted("combinations", 2)
    estimator.save_model(tmp_path / "m.json", format="json", pool=catboost.Pool(X, cat_features=["c", "d", "k"]))
    estimator.save_model(tmp_path / "m.cbm")
    rows = tried(X, 4, 500)
    for name in ("m.json", "m.cbm"):
        compiled = symcf.compile(tmp_path / name, data=X)
        assert (compiled.predict(rows) == estimator.predict(rows)).all()
    with pytest.raises(symcf.ModelError, match="which categories belong to which column: give data="):
        symcf.compile(tmp_path / "m.json")
    with pytest.raises(symcf.ModelError, match="only hashes of the categories of column"):
        symcf.compile(tmp_path / "m.cbm")
    (tmp_path / "short.cbm").write_bytes((tmp_path / "m.cbm").read_bytes()[:300])
    with pytest.raises(symcf.ModelError, match="CatBoost does not read it"):
        symcf.compile(tmp_path / "short.cbm", data=X)


def test_categories_that_the_data_lacks_are_refused_if_statistics_know_them(tmp_path):
    """Two columns with combinations, and statistics of neither alone: what the data lacks may be a category of both."""
    X, estimator = fitted("combinations", 2)
    path = tmp_path / "m.json"
    estimator.save_model(path, format="json", pool=catboost.Pool(X, cat_features=["c", "d", "k"]))
    content = json.loads(path.read_text())
    lacks = X[X["c"] != "c2"]
    compiled = symcf.compile(path, data=lacks)
    assert (compiled.predict(X) == estimator.predict(X)).all()  # c2 is known from the statistic of this column alone
    for one in content["features_info"]["ctrs"]:
        if len(one["elements"]) == 1 and one["elements"][0].get("cat_feature_index") == 0:
            one["elements"][0]["cat_feature_index"] = 1  # damaged: nothing is known of the column alone
    path.write_text(json.dumps(content))
    compiled = symcf.compile(path, data=lacks)
    with pytest.raises(symcf.InstanceError, match="'c2' is not one of"):
        compiled.predict(X[X["c"] == "c2"])


def statistics_in(content):
    """The splits that compare statistics."""
    return [s for t in content["oblivious_trees"] for s in t["splits"] if s["split_type"] == "OnlineCtr"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda c: c.update(ctr_data={}), "ctr_data has no table"),
        (lambda c: c["features_info"]["ctrs"][0].update(ctr_type="Other"), "statistics of type 'Other'"),
        (lambda c: c["features_info"]["ctrs"][0]["elements"][0].update(combination_element="x"), "parts of type 'x'"),
        (lambda c: c["features_info"]["ctrs"][0]["elements"][0].update(cat_feature_index=9), "9 is missing"),
        (lambda c: c["features_info"]["ctrs"][0].update(target_border_idx=5), "target_border_idx is 5"),
        (lambda c: c["features_info"]["ctrs"][0].update(prior_denomerator=float("nan")), "is not a number"),
        (lambda c: next(iter(c["ctr_data"].values())).update(hash_stride=0), "has rows of 0"),
        (lambda c: next(iter(c["ctr_data"].values())).update(hash_stride=4), "has rows of 4"),
        (lambda c: next(iter(c["ctr_data"].values())).update(hash_map=["-1", 2, 3]), "that is not a count"),
        (
            lambda c: [s.update(split_index=10**6) for s in statistics_in(c)],
            "no statistic with",
        ),
        (lambda c: [s.update(border=77) for s in statistics_in(c)], "has the border 77"),
    ],
)
def test_damaged_statistics(tmp_path, change, problem):
    X, estimator = fitted("default", 2, iterations=4)
    path = tmp_path / "m.json"
    estimator.save_model(path, format="json", pool=catboost.Pool(X, cat_features=["c", "d", "k"]))
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(symcf.ModelError, match=problem):
        symcf.compile(path, data=X)
