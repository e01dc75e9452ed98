"""scikit-learn's linear models, GaussianNB and counts over columns of numbers: as they decide, and rows that flip."""

from __future__ import annotations

import gc
import json
import sys
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.naive_bayes import ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import LinearSVC

import symcf
import symcf.fast

CANCER = load_breast_cancer(return_X_y=True, as_frame=True)
WINE = load_wine(return_X_y=True, as_frame=True)

PIPELINES = [
    make_pipeline(StandardScaler(), LogisticRegression()),
    make_pipeline(MinMaxScaler(feature_range=(-1, 2)), LogisticRegressionCV(cv=2, Cs=3)),
    make_pipeline(RobustScaler(), LinearSVC()),
    make_pipeline(MaxAbsScaler(), SGDClassifier(random_state=0)),
    make_pipeline(StandardScaler(with_mean=False), RidgeClassifier()),
    make_pipeline(StandardScaler(), MinMaxScaler(), RidgeClassifierCV()),
    make_pipeline(RobustScaler(with_centering=False), Perceptron(random_state=0)),
    LinearDiscriminantAnalysis(),
    GaussianNB(),
    make_pipeline(StandardScaler(), GaussianNB()),
    make_pipeline(MinMaxScaler(), MultinomialNB()),
    ComplementNB(),
]


def flips(pipeline, frame, rows):
    """Do the changed rows, which know where they come from, get another class from scikit-learn itself?"""
    before = pd.Series(pipeline.predict(rows), index=rows.index)
    return pipeline.predict(frame) != before.loc[frame.index.get_level_values(0)].to_numpy()


@pytest.mark.parametrize("data", [CANCER, WINE], ids=["cancer", "wine"])
@pytest.mark.parametrize(
    "pipeline", PIPELINES, ids=lambda p: "+".join(type(s).__name__ for s in getattr(p, "steps", [p]))
)
def test_predictions_agree_and_every_suggested_row_flips(pipeline, data):
    X, y = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pipeline.fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    assert (compiled.predict(X) == pipeline.predict(X)).all()
    rows = X.iloc[::11]
    batch = symcf.fast.explain_batch(compiled, rows, k=3)
    frame = batch.to_frame(k=3)
    assert len(frame) > len(rows) / 2
    assert list(frame.columns) == list(X.columns)
    assert flips(pipeline, frame, rows).all()
    assert ((frame >= X.min()) & (frame <= X.max())).all(axis=None)
    if hasattr(pipeline, "predict_proba"):
        assert compiled.predict_proba(X) == pytest.approx(pipeline.predict_proba(X), abs=1e-9)


def test_one_line():
    X, y = CANCER
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    e = symcf.compile(pipeline, data=X).explain(X.iloc[0], k=5)
    assert len(e) == 5
    assert (pipeline.predict(pd.DataFrame([cf.row for cf in e])) == 1).all()
    untouched = [name for name in X if name not in {change.name for change in e[0].changes}]
    assert (e[0].row[untouched] == X.iloc[0][untouched]).all()


def test_single_numbers_are_the_nearest_that_flip():
    """By bisection on scikit-learn's own predict, on the grid of the column."""
    X, y = CANCER
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=0.01)).fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    seen = 0
    for i in range(0, len(X), 9):
        row = X.iloc[[i]]
        before = pipeline.predict(row)[0]
        for cf in compiled.explain(X.iloc[i], max_changes=1):
            (change,) = cf.changes
            step = compiled.values[change.feature].resolution
            nearer = float(round(change.new / step) * step - (step if change.new > change.old else -step))
            if (nearer - change.old) * (change.new - change.old) > 0:
                assert pipeline.predict(row.assign(**{change.name: nearer}))[0] == before
                seen += 1
    assert seen > 20


def mixed():
    rng = np.random.default_rng(4)
    n = 300
    frame = pd.DataFrame(
        {
            "income": rng.normal(2500, 600, n).round(0),
            "age": rng.integers(18, 80, n),
            "job": rng.choice(["clerk", "baker", "pilot"], n),
            "school": rng.choice(["none", "some", "all"], n),
            "member": rng.random(n) < 0.4,
        }
    )
    frame.loc[rng.random(n) < 0.1, "income"] = np.nan
    good = frame["income"].fillna(2000) / 500 + frame["age"] / 20 + (frame["job"] == "pilot") + frame["member"] - 8
    return frame, np.where(good + rng.normal(size=n) > 0, "approve", "deny")


def mixed_pipeline(final):
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    columns = make_column_transformer(
        (numbers, ["income", "age"]),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["job"]),
        (OrdinalEncoder(categories=[["none", "some", "all"]]), ["school"]),
        ("passthrough", ["member"]),
    )
    return make_pipeline(columns, final)


@pytest.mark.parametrize("final", [LogisticRegression(), GaussianNB()], ids=["logistic", "gaussian"])
def test_numbers_beside_categories_booleans_and_missing_values(final):
    X, y = mixed()
    pipeline = mixed_pipeline(final).fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    assert compiled.features == ("income", "age", "job", "school", "member")
    assert (compiled.predict(X) == pipeline.predict(X)).all()
    batch = symcf.fast.explain_batch(compiled, X, allowed={"age": "increase"}, immutable=["member"])
    frame = batch.to_frame(k=5)
    assert len(frame) > 500
    assert flips(pipeline, frame, X).all()
    origin = X.loc[frame.index.get_level_values(0)]
    assert (frame["age"].to_numpy() >= origin["age"].to_numpy()).all()
    assert (frame["member"].to_numpy() == origin["member"].to_numpy()).all()
    assert frame["age"].dtype == X["age"].dtype
    assert frame["income"].isna().any()
    row = X[X["income"].isna()].iloc[0].to_dict()
    for cf in compiled.explain(row):
        assert pipeline.predict(pd.DataFrame([cf.row]))[0] != pipeline.predict(pd.DataFrame([row]))[0]


def test_distances_take_their_scale_from_the_data():
    X, y = mixed()
    pipeline = mixed_pipeline(LogisticRegression()).fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    distance = {"income": "distance", "age": "distance"}
    e = compiled.explain(X.iloc[1], cost=distance, scale="std", k=3)
    assert [cf.cost for cf in e] == sorted(cf.cost for cf in e)
    again = compiled.explain(X.iloc[1], cost=distance, scale="std", data=X, k=3)
    assert [cf.features for cf in again] == [cf.features for cf in e]


def test_ranges_without_data_and_counts():
    X, y = CANCER
    X = X[["mean radius", "mean texture"]]
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    compiled = symcf.compile(pipeline, ranges={"mean radius": (5, 30), "mean texture": (9.5, 40.0)})
    e = compiled.explain(X.iloc[0])
    assert all(5 <= cf.row["mean radius"] <= 30 for cf in e)
    assert {int(pipeline.predict(pd.DataFrame([cf.row]))[0]) for cf in e} == {1}
    rng = np.random.default_rng(0)
    counts = pd.DataFrame(rng.poisson(2, (80, 3)), columns=["ham", "eggs", "spam"])
    spam = MultinomialNB().fit(counts, (counts["spam"] > counts["ham"]).map({True: "spam", False: "fine"}))
    compiled = symcf.compile(spam, data=counts)
    for cf in compiled.explain(counts.iloc[0]):
        assert all(isinstance(change.new, (int, np.integer)) for change in cf.changes)
        assert spam.predict(pd.DataFrame([cf.row]))[0] != spam.predict(counts.iloc[[0]])[0]


def test_columns_of_zeros_and_ones_stay_such():
    X = pd.DataFrame({"flag": [0, 1, 0, 1, 1, 0], "size": [1.5, 2.0, 3.5, 4.0, 5.5, 7.0]})
    model = symcf.from_sklearn(LogisticRegression().fit(X, [0, 0, 0, 1, 1, 1]), data=X)
    assert model.values[0] == (0, 1)
    assert (model.values[1].low, model.values[1].high) == (1.5, 7.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("estimator", [LogisticRegression(max_iter=5000), MultinomialNB(), LinearSVC()])
def test_without_data_a_warning_at_compile_time_says_that_columns_are_taken_to_be_0_or_1(estimator):
    X = WINE[0][["alcohol", "ash"]]
    estimator.fit(X, WINE[1])
    message = r"reads 2 columns as plain numbers, and no data= .* 'alcohol', 'ash' can only be 0 or 1 then.* give data="
    with pytest.warns(UserWarning, match=message):
        symcf.compile(estimator)
    flags = X.mean() < X
    symcf.compile(estimator.fit(flags, WINE[1]), data=flags)  # a warning is an error here
    symcf.compile(symcf.from_sklearn(estimator, values={"alcohol": [0, 1], "ash": [0, 1]}))
    scaled = make_pipeline(StandardScaler(), LogisticRegression()).fit(flags, WINE[1])
    symcf.compile(scaled)  # its mean and variance are those of 0s and 1s


@pytest.mark.parametrize("other", [Binarizer(threshold=20), KBinsDiscretizer(3)], ids=lambda step: type(step).__name__)
def test_numbers_in_the_data_are_never_taken_to_be_0_or_1(other):
    """A column that is binned and also read as a number; the error does not advise what was done."""
    X = pd.DataFrame({"x": np.arange(60.0)})
    pipeline = make_pipeline(make_union(other, FunctionTransformer()), LogisticRegression(max_iter=5000))
    pipeline.fit(X, X["x"] > 30)
    with pytest.raises(symcf.ModelError, match=r"'x' is binned, but also .*from_predict\(estimator, X\)") as error:
        symcf.compile(pipeline, data=X)
    assert "data=" not in str(error.value)
    union = FeatureUnion([("a", FunctionTransformer()), ("b", StandardScaler())], transformer_weights={"b": 0})
    pipeline = make_pipeline(union, LogisticRegression(max_iter=5000)).fit(X, X["x"] > 30)
    c = symcf.compile(pipeline, data=X)
    (cf,) = c.explain(X.iloc[[3]])
    assert cf.row["x"].item() == X["x"][np.argmax(pipeline.predict(X))]


@pytest.mark.parametrize(
    ("pipeline", "options", "message"),
    [
        (make_pipeline(StandardScaler(), LogisticRegression()), {}, r"give data= .* or ranges= to take it as it is"),
        (GaussianNB(), {}, r"GaussianNB takes numbers: say where they lie with data= \(rows\) or ranges="),
        (make_pipeline(Normalizer(), LogisticRegression()), {"data": WINE[0]}, "Normalizer is not supported as a step"),
        (LogisticRegression(), {"ranges": {"alcohol": (3,)}}, "range of 'alcohol' must be two numbers"),
        (LogisticRegression(), {"ranges": {"beer": (3, 4)}}, "ranges: there is no column 'beer'"),
        (LogisticRegression(), {"ranges": {"alcohol": "34"}}, "must be two numbers"),
        (LogisticRegression(), {"ranges": {"alcohol": (3, 10**400)}}, "must be finite and ascending"),
        (LogisticRegression(), {"data": WINE[0].iloc[:0]}, "data: column 'alcohol' has no number"),
        (GaussianNB(), {"data": WINE[0].assign(alcohol=np.nan)}, "data: column 'alcohol' has no number"),
        (MultinomialNB(), {"ranges": {"alcohol": (-1, 4)}}, "counts start at 0"),
    ],
)
def test_refusals_come_at_compile(pipeline, options, message):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pipeline.fit(*WINE)
    with pytest.raises(symcf.ModelError, match=message):
        symcf.compile(pipeline, **options)


@pytest.mark.parametrize("final", [LinearSVC(), LogisticRegression(), GaussianNB()], ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("types", [("float32", "float32"), ("float32", "int8"), ("float32", "float64")])
def test_rows_of_32_bits_flip(final, types):
    """scikit-learn scales columns of 32 bits in 32 bits: rows must win by more than these roundings."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300) * 30}).astype(
        dict(zip("ab", types, strict=True))
    )
    pipeline = make_pipeline(StandardScaler(), final).fit(X, X.a + X.b / 30 > 0)
    rows = symcf.fast.explain_batch(symcf.compile(pipeline, data=X), X).to_frame(k=3)
    assert (rows.dtypes == X.dtypes).all()
    own = pipeline.predict(X)[rows.index.get_level_values(0)]
    assert len(rows) > 300
    assert not (pipeline.predict(rows) == own).any()


def test_a_wide_column_of_64_bits_beside_one_of_32():
    """The roundings of the narrow column are small, those of the wide one are those of doubles."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"wide": rng.normal(1e6, 1, 200), "narrow": rng.normal(size=200).astype("float32")})
    pipeline = make_pipeline(MinMaxScaler(), LogisticRegression(C=10)).fit(X, X.wide - 1e6 + X.narrow > 0)
    found = symcf.compile(pipeline, data=X).explain(X.iloc[[0]])
    ends = X.agg(["min", "max"])
    row = X.iloc[[0] * 2]
    alone = {name: row.assign(**{name: ends[name].to_numpy(X[name].dtype)}) for name in X}
    flips = [name for name, rows in alone.items() if (pipeline.predict(rows) != pipeline.predict(row)).any()]
    assert [X.columns[s[0]] for s in found.sets] == flips == ["wide", "narrow"]


@pytest.mark.long
def test_whole_numbers_stay_whole_where_terms_are_rounded():
    """Variances of one-hot columns are tiny, so terms are rounded to more than what a step of a wide column adds."""
    rng = np.random.default_rng(1)
    n, job, town = rng.integers(0, 10**9, 120), rng.choice(["a", "b", "c"], 120), rng.choice(["x", "y"], 120)
    X = pd.DataFrame({"n": n, "job": job, "town": town})
    score = n / 1e9 + (job == "a") + rng.normal(size=120) * 0.1
    step = make_column_transformer((RobustScaler(), ["n"]), (OneHotEncoder(sparse_output=False), ["job", "town"]))
    classes = np.digitize(score, np.quantile(score, [0.2, 0.4, 0.6, 0.8]))
    pipeline = make_pipeline(step, GaussianNB()).fit(X, classes)
    rows = symcf.fast.explain_batch(symcf.compile(pipeline, data=X), X.iloc[:12]).to_frame(k=3)
    assert rows.n.dtype == X.n.dtype
    own = pipeline.predict(X)[rows.index.get_level_values(0)]
    assert len(rows)
    assert not (pipeline.predict(rows) == own).any()


def test_gaussian_over_flags():
    """Data says that all columns hold 0 and 1: nothing else is needed."""
    X = pd.DataFrame({"a": [True, False, True, False, True], "b": [0, 1, 1, 0, 0]})
    pipeline = make_pipeline(StandardScaler(), GaussianNB()).fit(X, [1, 0, 1, 0, 0])
    compiled = symcf.compile(pipeline, data=X)
    assert compiled.predict(X).tolist() == pipeline.predict(X).tolist()


# --- missing numbers that the estimator can tell ----------------------------------------------------------------------


def with_gaps(marker=np.nan, count=240, classes=2):
    """Columns of 0..59 and 0..19, with gaps that decide much."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame({"a": rng.integers(0, 60, count).astype(float), "b": rng.integers(0, 20, count).astype(float)})
    y = np.digitize(X["a"] + X["b"] + 8 * rng.normal(size=count), [40, 60][: classes - 1])
    gaps = rng.random(count) < 0.2
    y = np.where(gaps & (rng.random(count) < 0.8), classes - 1, y)
    return X.assign(a=X["a"].where(~gaps, marker)), y


LR = LogisticRegression(max_iter=10_000)
TOLD_APART = {
    "indicator": (make_pipeline(SimpleImputer(add_indicator=True), LR), np.nan, 2),
    "union": (make_pipeline(make_union(SimpleImputer(strategy="median"), MissingIndicator()), LR), np.nan, 2),
    "normal": (make_pipeline(SimpleImputer(add_indicator=True), GaussianNB()), np.nan, 2),
    "scaled": (make_pipeline(SimpleImputer(add_indicator=True), StandardScaler(), LR), np.nan, 2),
    "scaled first": (make_pipeline(StandardScaler(), SimpleImputer(add_indicator=True), LR), np.nan, 2),
    "marker": (make_pipeline(SimpleImputer(missing_values=-1, add_indicator=True), LR), -1.0, 2),
    "two imputers": (make_pipeline(make_union(SimpleImputer(), SimpleImputer(strategy="constant")), LR), np.nan, 2),
    "three classes": (make_pipeline(SimpleImputer(add_indicator=True), LR), np.nan, 3),
}


@pytest.mark.parametrize(("pipeline", "marker", "classes"), TOLD_APART.values(), ids=TOLD_APART)
def test_a_missing_number_that_the_estimator_can_tell_is_a_value_beside_the_numbers(pipeline, marker, classes):
    """Against rows made of all numbers, with the pipeline's own predict."""
    X, y = with_gaps(marker, classes=classes)
    pipeline.fit(X, y)
    c = symcf.compile(pipeline, data=X)
    assert [(line.low, line.high) for line in c.values] == [(0, 59), (0, 19)]
    np.testing.assert_array_equal(c.predict(X), pipeline.predict(X))
    fine = [np.linspace(0, 59, 59 * 8 + 1), np.linspace(0, 19, 19 * 8 + 1)]
    grid = pd.DataFrame({"a": np.repeat(fine[0], len(fine[1])), "b": np.tile(fine[1], len(fine[0]))})
    everywhere = set(pipeline.predict(grid))
    gone = np.flatnonzero(X["a"].isna() | (X["a"] == marker))
    rows = X.iloc[[*gone[:5], *np.setdiff1d(np.arange(40), gone)[:5]]].drop_duplicates()
    found = 0
    for i in range(len(rows)):
        row = rows.iloc[[i]]
        (old,) = pipeline.predict(row)
        alone = {}
        for name, numbers in zip("ab", fine, strict=True):
            answers = pipeline.predict(pd.concat([row] * len(numbers)).assign(**{name: numbers}))
            alone[name] = numbers[answers != old]
        right = [{name} for name in "ab" if len(alone[name])] or [{"a", "b"}] * bool(everywhere - {old})
        e = c.explain(row)
        assert sorted(map(sorted, right)) == sorted(sorted("ab"[j] for j in s) for s in e.sets)
        assert symcf.verify(c, row, e)
        assert symcf.check(e.certificate(), c, row=row)
        assert sorted(symcf.fast.explain_batch(c, row)[0].sets) == sorted(e.sets)
        for cf in e:
            assert pipeline.predict(cf.row)[0] != old
            assert np.isfinite(cf.row.iloc[0, list(cf.features)]).all()
            assert 0 not in cf.features or 0 <= cf.row["a"].item() <= 59
            if cf.features == (0,) and "normal" not in pipeline.named_steps:
                start = row["a"].item() if row.index[0] not in gone else c.values[0].fill
                whole = [number for number in alone["a"] if number.is_integer() and number != row["a"].item()]
                assert abs(cf.row["a"].item() - start) <= min(abs(number - start) for number in whole)
                found += 1
        by_distance = c.explain(row, cost="distance")
        assert sorted(by_distance.sets) == sorted(e.sets)
        for direction in ("increase", "decrease"):  # there is none from a missing number
            limited = c.explain(row, allowed={"a": direction}, immutable="b")
            sign = 1 if direction == "increase" else -1
            beyond = [] if row.index[0] in gone else alone["a"][sign * (alone["a"] - row["a"].item()) > 0]
            assert bool(limited) == bool(len(beyond))
            assert symcf.verify(c, row, limited)
            assert symcf.check(limited.certificate(), c, row=row)
    assert found
    again = type(c.model).from_dict(json.loads(c.model.to_json()))
    assert again == c.model
    np.testing.assert_array_equal(symcf.compile(again).predict(X, codes=True), c.predict(X, codes=True))


def calls_of(function) -> int:
    """How many functions are called meanwhile, which is the same every time."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def many_categories(count: int) -> tuple[object, pd.DataFrame]:
    """A column of so many categories, some of them missing, and one of numbers."""
    job = np.array([f"job {i % count}" for i in range(2 * count)], dtype=object)
    job[-1] = np.nan
    table = pd.DataFrame({"job": job, "age": np.arange(2 * count) % 50 + 0.5})
    encoder = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    columns = make_column_transformer((encoder, ["job"]), (SimpleImputer(), ["age"]))
    labels = np.arange(2 * count) % 3 == 0
    return make_pipeline(columns, LogisticRegression(max_iter=3)).fit(table, labels), table


def categories_read_twice(count: int) -> tuple[object, pd.DataFrame]:
    """A column that two encoders read."""
    table = pd.DataFrame({"job": [f"job {i % count}" for i in range(2 * count)]})
    columns = make_column_transformer((OneHotEncoder(), ["job"]), (OrdinalEncoder(), ["job"]))
    return make_pipeline(columns, LogisticRegression(max_iter=3)).fit(table, np.arange(2 * count) % 3 == 0), table


def many_columns(count: int) -> tuple[object, pd.DataFrame]:
    """So many columns of numbers."""
    rng = np.random.default_rng(2)
    table = pd.DataFrame(rng.normal(size=(20, count)).round(2), columns=[f"x{j}" for j in range(count)])
    return LogisticRegression(max_iter=3).fit(table, np.arange(20) % 2), table


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
@pytest.mark.parametrize("made", [many_categories, categories_read_twice, many_columns])
def test_the_work_grows_with_the_number_of_categories_and_columns(made):
    few, many = made(100), made(400)
    symcf.compile(few[0], data=few[1])  # imports what there is to import
    first = calls_of(lambda: symcf.compile(few[0], data=few[1]))
    second = calls_of(lambda: symcf.compile(many[0], data=many[1]))
    assert second <= 4.5 * first


def peak_of(function) -> int:
    """How many bytes Python and numpy hold at most meanwhile."""
    gc.collect()
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
@pytest.mark.parametrize("made", [many_categories, categories_read_twice])
def test_no_matrix_of_categories_times_categories_is_made(made):
    """Calls of numpy count as one however much they do, so this counts the bytes."""
    few, many = made(500), made(2000)
    symcf.compile(few[0], data=few[1])  # imports what there is to import
    first = peak_of(lambda: symcf.compile(few[0], data=few[1]))
    assert peak_of(lambda: symcf.compile(many[0], data=many[1])) <= 4.5 * first


@pytest.mark.parametrize("rule", ["a != 3", "a >= 2.5 or b <= 2", "not (a = 2 and c = x)"])
@pytest.mark.parametrize("options", [(), ("plausibility",)])
def test_a_column_in_ranges_is_compared_beside_a_line_of_numbers(rule, options):
    rows = [(a, b, c) for a in range(5) for b in range(5) for c in "xy"]
    X = pd.DataFrame(rows, columns=["a", "b", "c"])
    cut = Binarizer(threshold=1.5)
    columns = make_column_transformer((cut, ["a"]), ("passthrough", ["b"]), (OneHotEncoder(), ["c"]))
    model = make_pipeline(columns, LogisticRegression()).fit(X, X["a"] + X["b"] + (X["c"] == "x") > 4)
    obeys = {
        "a != 3": lambda a, b, c: a != 3,
        "a >= 2.5 or b <= 2": lambda a, b, c: a >= 2.5 or b <= 2,
        "not (a = 2 and c = x)": lambda a, b, c: not (a == 2 and c == "x"),
    }[rule]
    x = (0, 1, "y")
    good = [row for row, yes in zip(rows, model.predict(X), strict=True) if yes and obeys(*row)]
    changed = {frozenset(j for j in range(3) if row[j] != x[j]) for row in good}
    expected = sorted(tuple(sorted(s)) for s in changed if not any(t < s for t in changed))
    c = symcf.compile(model, data=X, **dict.fromkeys(options, X))
    found = c.explain(pd.DataFrame([x], columns=X.columns), constraints=rule, allowed={"a": [0, 4], "b": [0, 4]})
    assert sorted(found.sets) == expected
    assert all(model.predict(cf.row)[0] and obeys(*cf.row.iloc[0]) for cf in found)
