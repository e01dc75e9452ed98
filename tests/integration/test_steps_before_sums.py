"""Steps that apply a function to a column before a linear model or GaussianNB: read, without bins."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.impute import KNNImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import LinearSVC

import symcf
from symcf.models.links import Link

STEPS = {
    "log1p": [FunctionTransformer(np.log1p), StandardScaler()],
    "scaled, then cbrt": [StandardScaler(), FunctionTransformer(np.cbrt)],
    "sqrt, falling": [FunctionTransformer(np.sqrt), FunctionTransformer(np.negative), StandardScaler()],
    "Yeo-Johnson": [PowerTransformer()],
    "Box-Cox": [FunctionTransformer(np.exp2), PowerTransformer("box-cox")],
    "quantiles": [QuantileTransformer(n_quantiles=40)],
    "normal quantiles": [QuantileTransformer(n_quantiles=40, output_distribution="normal"), StandardScaler()],
    "clipped": [MinMaxScaler(clip=True)],
}
LABELS = {"text": ["no", "yes"], "bool": [False, True], "negative": [-1, 4], "three": ["a", "b", "c"]}


def rows(count: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "income": np.round(rng.lognormal(1.5, 0.6, count), 2),
            "age": rng.integers(1, 12, count),
            "debt": np.round(0.1 + rng.gamma(2.0, 1.5, count), 1),
        }
    )


def fitted(steps: str, estimator: object, labels: str) -> tuple[object, pd.DataFrame]:
    data = rows(300, 0)
    score = np.log(data["income"]) + data["age"] / 6 - np.sqrt(data["debt"])
    names = np.array(LABELS[labels], dtype=object if labels == "text" else None)
    places = np.searchsorted(np.quantile(score, np.arange(1, len(names)) / len(names)), score)
    return make_pipeline(*STEPS[steps], estimator).fit(data, names[places]), data


def beside(data: pd.DataFrame, count: int) -> pd.DataFrame:
    """Rows like these, numbers outside their range, and the doubles next to both."""
    found = rows(count, 1)
    rng = np.random.default_rng(2)
    for column in ("income", "debt"):
        numbers = found[column].to_numpy() * rng.choice([1.0, 1.5, 0.25], count)
        seen = rng.choice(data[column].to_numpy(), count)
        mixed = np.where(rng.random(count) < 0.5, numbers, seen)
        found[column] = np.nextafter(mixed, rng.choice([-np.inf, np.inf], count))
    return found


PAIRS = [(LogisticRegression(), "text"), (LinearSVC(), "three"), (GaussianNB(), "bool"), (LinearSVC(), "negative")]


@pytest.mark.parametrize(("place", "steps"), list(enumerate([*STEPS, *STEPS])))
def test_decides_as_the_pipeline(place, steps):
    """The same classes on thousands of rows, and what is suggested is decided otherwise by the pipeline itself."""
    pipeline, data = fitted(steps, *PAIRS[(place + place // len(STEPS)) % len(PAIRS)])
    c = symcf.compile(pipeline, data=data)
    assert type(c.model).__name__ == "AdditiveClassifier"
    others = beside(data, 3000)
    scores = pipeline.decision_function(others) if hasattr(pipeline, "decision_function") else None
    same = c.predict(others) == pipeline.predict(others)
    if not same.all():
        assert scores is not None
        assert np.abs(scores[~same]).max() < 1e-9
    assert symcf.model_from_json(c.model.to_json()) == c.model
    for x in data.iloc[::100].to_dict("records"):
        e = c.explain(x)
        assert e.complete
        for cf in e[:5]:
            again = pd.DataFrame([cf.row])[list(data.columns)]
            assert pipeline.predict(again)[0] != pipeline.predict(pd.DataFrame([x]))[0]
        assert symcf.verify(c, x, e)


@pytest.mark.parametrize("steps", STEPS)
def test_lists_are_complete(steps):
    """Every subset of columns, tried on a fine grid by the pipeline: the minimal ones are the change sets."""
    pipeline, data = fitted(steps, LogisticRegression(), "text")
    c = symcf.compile(pipeline, data=data)
    grids = {name: np.linspace(data[name].min(), data[name].max(), 60) for name in ("income", "debt")}
    grids["age"] = np.arange(data["age"].min(), data["age"].max() + 1)
    for x in data.iloc[[3, 200]].to_dict("records"):
        old = pipeline.predict(pd.DataFrame([x]))[0]
        enough = []
        for size in (1, 2, 3):
            for names in itertools.combinations(data.columns, size):
                if any(set(small) <= set(names) for small in enough):
                    continue
                table = np.meshgrid(*(grids[name] for name in names))
                tried = pd.DataFrame({name: np.full(table[0].size, x[name]) for name in data.columns})
                for name, numbers in zip(names, table, strict=True):
                    tried[name] = numbers.ravel()
                if (pipeline.predict(tried) != old).any():
                    enough.append(names)
        assert sorted(sorted(change.name for change in cf.changes) for cf in c.explain(x)) == sorted(
            map(sorted, enough)
        )


def test_nearest_number():
    """One column: no multiple of its resolution that is nearer is enough."""
    pipeline, data = fitted("Yeo-Johnson", LogisticRegression(), "text")
    c = symcf.compile(pipeline, data=data)
    looked = 0
    for x in data.iloc[::40].to_dict("records"):
        old = pipeline.predict(pd.DataFrame([x]))[0]
        for cf in c.explain(x, max_changes=1):
            name = cf.changes[0].name
            step = {"income": 0.01, "age": 1, "debt": 0.1}[name]
            between = np.arange(1, round(abs(cf.row[name] - x[name]) / step)) * step
            tried = pd.DataFrame([x] * len(between))
            if len(between):
                tried[name] = np.round(x[name] + np.sign(cf.row[name] - x[name]) * between, 2)
                assert (pipeline.predict(tried) == old).all()
                looked += 1
    assert looked > 3


def test_what_is_not_supported():
    pipeline, data = fitted("log1p", LogisticRegression(), "text")
    c = symcf.compile(pipeline, data=data)
    x = data.iloc[0]
    with pytest.raises(symcf.OptionError, match="from_predict") as refused:
        c.explain(x, constraints=["income >= debt"])
    assert "symcf.compile(symcf.from_predict(estimator, X))" in str(refused.value)
    followed = symcf.compile(symcf.from_predict(pipeline, data)).explain(x, constraints=["income >= debt"])
    assert all(cf.row["income"] >= cf.row["debt"] for cf in followed)
    within = c.explain(x, allowed={"income": [2, 9]})
    assert all(2 <= cf.row["income"] <= 9 for cf in within if cf.row["income"] != x["income"])
    assert len(c.why(x)) > 0
    with pytest.raises(symcf.OptionError, match=r"symcf\.verify"):
        c.explain(x).certificate()
    with pytest.raises(symcf.InstanceError, match="income"):
        c.explain({"income": -3.0, "age": 4, "debt": 1.0})
    both = make_union(FunctionTransformer(np.log1p), StandardScaler())
    two = make_pipeline(both, LogisticRegression()).fit(data, data["age"] > 5)
    with pytest.raises(symcf.ModelError, match="as several functions of its number") as caught:
        symcf.compile(two, data=data)
    assert "symcf.compile(symcf.from_predict(estimator, X))" in str(caught.value)
    short = data.astype({"income": np.float32})
    with pytest.raises(symcf.ModelError, match="fewer than 64 bits"):
        symcf.compile(make_pipeline(PowerTransformer(), LogisticRegression()).fit(short, short["age"] > 5), data=short)


@pytest.mark.parametrize("labels", ["text", "three"])
def test_linear_maps(labels):
    """PCA and its relatives, scaled and whitened, before a linear model, and one such pipeline per class."""
    _, data = fitted("log1p", LogisticRegression(), labels)
    others = beside(data, 3000)
    classes = fitted("log1p", LogisticRegression(), labels)[0].predict(data)
    mapped = make_pipeline(StandardScaler(), make_pipeline(PCA(2, whiten=True), RobustScaler()), LogisticRegression())
    svd = make_pipeline(TruncatedSVD(2, random_state=0), MinMaxScaler(), LinearSVC())
    for estimator in (mapped, svd, OneVsRestClassifier(mapped), OneVsRestClassifier(svd)):
        estimator.fit(data, classes)
        c = symcf.compile(estimator, data=data)
        assert (c.predict(others) == estimator.predict(others)).all()
        if estimator is mapped:
            assert np.allclose(c.predict_proba(others), mapped.predict_proba(others))
        for x in data.iloc[::150].to_dict("records"):
            e = c.explain(x)
            again = pd.DataFrame([cf.row for cf in e])[list(data.columns)]
            assert (estimator.predict(again) != estimator.predict(pd.DataFrame([x]))[0]).all()
            assert symcf.verify(c, x, e)
    thresholded = FixedThresholdClassifier(mapped, threshold=0.8)
    if labels == "text":
        thresholded.fit(data, classes)
        assert (symcf.compile(thresholded, data=data).predict(others) == thresholded.predict(others)).all()
        one = OneVsOneClassifier(svd).fit(data, classes)
        assert (symcf.compile(one, data=data).predict(others) == one.predict(others)).all()


def test_imputers_that_look_at_the_row():
    """KNNImputer is read for rows without gaps; a gap raises an error."""
    _, data = fitted("log1p", LogisticRegression(), "text")
    pipeline = make_pipeline(KNNImputer(), StandardScaler(), LogisticRegression()).fit(data, data["age"] > 5)
    c = symcf.compile(pipeline, data=data)
    assert (c.predict(beside(data, 500)) == pipeline.predict(beside(data, 500))).all()
    with pytest.raises(symcf.InstanceError, match="income"):
        c.explain({"income": np.nan, "age": 3, "debt": 1.0})


class Sampler:
    """As those of imbalanced-learn: rows are added or taken away at training only."""

    def fit_resample(self, rows, classes):
        return rows, classes


def test_samplers():
    _, data = fitted("log1p", LogisticRegression(), "text")
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(data, data["age"] > 5)
    pipeline.steps.insert(1, ("sampler", Sampler()))
    plain = make_pipeline(*(step for name, step in pipeline.steps if name != "sampler"))
    assert symcf.from_model(pipeline, data=data) == symcf.from_model(plain, data=data)


def test_inverse_of_a_link():
    link = Link((("log1p",), ("times", -2.0)))
    at = link.inverse(-3.0, 0.0, 100.0)
    assert link.at(at) <= -3.0 < link.at(np.nextafter(at, 0.0))
    assert link.inverse(1.0, 0.0, 100.0) == 0.0
    assert link.inverse(-1000.0, 0.0, 100.0) == 100.0
