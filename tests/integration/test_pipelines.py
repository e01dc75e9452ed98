"""Pipelines of scikit-learn: raw rows in, features in the terms of the raw columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from deciding import assert_agrees, decide
from hypothesis import given
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import SelectKBest, VarianceThreshold, chi2
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier

import symcf
from symcf.models.sklearn.cut_points import Cut, Function, cuts, edges, labels, rounded_32, starts


def bins(count=4, encode="onehot", **options):
    return KBinsDiscretizer(count, encode=encode, strategy="uniform", **options)


def table(count=300, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, size=count).astype(float),
            "job": np.array(
                rng.choice(["clerk", "nurse", "smith", "diver"], size=count, p=[0.5, 0.3, 0.17, 0.03]), object
            ),
            "rooms": rng.integers(1, 5, size=count),
            "member": rng.integers(2, size=count).astype(bool),
        }
    )


def answers(frame, seed=1):
    rng = np.random.default_rng(seed)
    score = frame["age"].fillna(40) / 20 + 2 * (frame["job"] == "nurse") + frame["rooms"] - 2 * frame["member"]
    return np.where(score + rng.normal(size=len(frame)) > 4.5, "grant", "deny")


ESTIMATORS = [LogisticRegression(), BernoulliNB(), MultinomialNB(), ComplementNB(), Perceptron(random_state=0),
              DecisionTreeClassifier(random_state=0), RandomForestClassifier(5, random_state=0)]  # fmt: skip


# --- whole pipelines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_a_mixed_table(estimator):
    frame = table()
    steps = make_column_transformer(
        (bins(), ["age"]), (OneHotEncoder(), ["job", "rooms"]), ("passthrough", ["member"]), remainder="drop"
    )
    pipeline = make_pipeline(steps, estimator).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.features == ("age", "job", "rooms", "member")
    assert model.values[:3] == (
        ("< 33.25", "33.25 .. 48.5", "48.5 .. 63.75", ">= 63.75"),
        ("clerk", "diver", "nurse", "smith"),
        (1, 2, 3, 4),
    )
    assert model.ordered == (True, False, True, True)
    assert_agrees(pipeline, model, frame)
    assert_agrees(pipeline, model, table(300, seed=5))
    again = symcf.model_from_json(model.to_json())
    np.testing.assert_array_equal(decide(again, frame), decide(model, frame))


def test_missing_values_are_what_the_imputer_makes_of_them():
    frame = table()
    frame.loc[::7, "age"] = np.nan
    frame.loc[::5, "job"] = np.nan
    steps = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), bins()), ["age"]),
            ("names", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), ["job"]),
            ("more", make_pipeline(SimpleImputer(strategy="constant", fill_value=2), OrdinalEncoder()), ["rooms"]),
        ]
    )
    pipeline = Pipeline([("s", steps), ("end", LogisticRegression())]).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.values[1] == ("clerk", "diver", "nurse", "smith")
    assert_agrees(pipeline, model, frame)
    median = frame["age"].median()
    rows = [
        {"age": a, "job": j, "rooms": r}
        for a, j, r in [(np.nan, np.nan, np.nan), (median, "clerk", 2), (None, None, None)]
    ]
    codes = model.encoder.encode(rows)
    assert codes[0].tolist() == codes[1].tolist() == codes[2].tolist()
    assert (
        model.encoder.encode(pd.DataFrame({"age": pd.array([None, 20], "Int64"), "job": "clerk", "rooms": 1}))[0, 0]
        == codes[0, 0]
    )


def test_an_imputer_with_a_marker():
    frame = table()
    frame.loc[::7, "age"] = -1
    frame.loc[::5, "job"] = "?"
    steps = make_column_transformer(
        (make_pipeline(SimpleImputer(missing_values=-1), bins()), ["age"]),
        (
            make_pipeline(SimpleImputer(missing_values="?", strategy="constant", fill_value="none"), OneHotEncoder()),
            ["job"],
        ),
    )
    pipeline = make_pipeline(steps, LogisticRegression()).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert "none" in model.values[1]
    assert "?" not in model.values[1]
    assert_agrees(pipeline, model, frame)
    with pytest.raises(symcf.InstanceError, match=r"row 0, column 'age': the value is missing"):
        model.encoder.encode([{"age": np.nan, "job": "clerk"}])


def test_an_imputer_after_an_encoder():
    """OrdinalEncoder keeps NaN as NaN; the imputer behind it gives it another category's number."""
    frame = table()
    frame.loc[::5, "job"] = np.nan
    steps = make_pipeline(OrdinalEncoder(), SimpleImputer(strategy="most_frequent"))
    pipeline = make_pipeline(make_column_transformer((steps, ["job"])), DecisionTreeClassifier()).fit(
        frame, answers(frame)
    )
    model = symcf.from_sklearn(pipeline)
    assert model.values == (("clerk", "diver", "nurse", "smith"),)
    assert model.encoder.encode([{"job": np.nan}]).tolist() == model.encoder.encode([{"job": "clerk"}]).tolist()
    assert_agrees(pipeline, model, frame)


def test_missing_as_a_category():
    frame = table()
    frame.loc[::5, "job"] = np.nan
    pipeline = make_pipeline(make_column_transformer((OneHotEncoder(), ["job"])), LogisticRegression())
    pipeline.fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.values == (("clerk", "diver", "nurse", "smith", "(missing)"),)
    assert_agrees(pipeline, model, frame)
    assert model.encoder.encode([{"job": None}]).tolist() == [[4]]
    assert symcf.model_from_json(model.to_json()).encoder == model.encoder


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize(
    "encoder",
    [
        OneHotEncoder(handle_unknown="ignore"),
        OneHotEncoder(handle_unknown="ignore", drop="first"),
        OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=0.1),
        OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=3, drop="first"),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, min_frequency=0.1),
    ],
    ids=lambda e: str(e).replace("\n", ""),
)
def test_unknown_categories(encoder):
    frame = table()
    pipeline = make_pipeline(make_column_transformer((encoder, ["job"]), (bins(), ["age"])), RandomForestClassifier(5))
    pipeline.fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.values[1] == ("clerk", "diver", "nurse", "smith", "(other)")
    assert not model.ordered[1]
    unknown = frame.assign(job="pilot")
    assert set(model.encoder.encode(unknown)[:, 1]) == {4}
    assert_agrees(pipeline, model, pd.concat([frame, unknown]))
    strict = symcf.from_sklearn(pipeline, other=False)
    assert strict.values[1] == ("clerk", "diver", "nurse", "smith")
    with pytest.raises(
        symcf.InstanceError, match=r"column 'job': 'pilot' is not one of 'clerk', 'diver', 'nurse', 'smith'"
    ):
        strict.encoder.encode(unknown)


@pytest.mark.parametrize("estimator", ESTIMATORS[:1] + ESTIMATORS[-2:], ids=lambda e: type(e).__name__)
def test_unknown_categories_are_suggested_only_where_they_are_allowed(estimator):
    """Against all rows that can be made of the known values, with the pipeline's own predict. A job that the encoder
    does not know is what changes most answers.
    """
    jobs, rooms, flipped = ["clerk", "diver", "nurse", "smith"], [1, 2, 3, 4], 0
    frame = table()
    frame.loc[frame.index % 3 == 0, "job"] = "pilot"
    encoder = OneHotEncoder(categories=[jobs, rooms], handle_unknown="ignore")
    pipeline = make_pipeline(make_column_transformer((encoder, ["job", "rooms"])), estimator)
    pipeline.fit(frame, np.where((frame["job"] != "pilot") | (frame["rooms"] == 4), "grant", "deny"))
    frame["job"] = frame["job"].replace("pilot", "smith").astype("category")
    rows = frame[["job", "rooms"]].drop_duplicates(ignore_index=True)
    c = symcf.compile(symcf.from_sklearn(pipeline))
    assert c.values[0][-1] == c.values[1][-1] == "(other)"
    for i in range(len(rows)):
        row = rows.iloc[[i]]
        old = pipeline.predict(row)[0]

        def flips(changed, row=row, old=old):
            """Whether known values in these columns change the answer."""
            made = [
                row.assign(job=pd.Categorical([job], categories=jobs), rooms=room)
                for job in (jobs if "job" in changed else row["job"])
                for room in (rooms if "rooms" in changed else row["rooms"])
            ]
            return (pipeline.predict(pd.concat(made)) != old).any()

        single = [name for name in ("job", "rooms") if flips([name])]
        right = [{name} for name in single] or [{"job", "rooms"}] * bool(flips(["job", "rooms"]))
        e = c.explain(row)
        assert sorted(map(sorted, right)) == sorted(sorted(("job", "rooms")[j] for j in s) for s in e.sets)
        if len(e):
            new = e.to_frame()[["job", "rooms"]]
            assert new["job"].dtype == row["job"].dtype
            assert new["job"].isin(jobs).all()
            assert new["rooms"].isin(rooms).all()
            assert (pipeline.predict(new.reset_index(drop=True)) != old).all()
        b = symcf.fast.explain_batch(c, row)
        assert sorted(map(sorted, b[0].sets)) == sorted(map(sorted, e.sets))
        flipped += int(pipeline.predict(row.assign(job="pilot"))[0] != old)
    assert flipped
    for i in range(len(rows)):
        e = c.explain(rows.iloc[i].to_dict(), allowed={"job": ["(other)"]}, immutable=["rooms"])
        unknown = pipeline.predict(rows.iloc[[i]].assign(job="pilot"))[0]
        assert bool(e) == (unknown != pipeline.predict(rows.iloc[[i]])[0])
        assert all(cf.row["job"] == "(other)" for cf in e)


@pytest.mark.parametrize("drop", [None, "first", "if_binary", ["diver", 3]])
def test_dropped_columns(drop):
    frame = table()
    steps = make_column_transformer((OneHotEncoder(drop=drop), ["job", "rooms"]))
    pipeline = make_pipeline(steps, LogisticRegression()).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.n_values == (4, 4)
    assert_agrees(pipeline, model, frame)


def test_unknown_numbers():
    frame = table()[["rooms"]]
    pipeline = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    pipeline.fit(frame, frame["rooms"] > 2)
    model = symcf.from_sklearn(pipeline)
    assert model.values == ((1, 2, 3, 4, "(other)"),)
    assert model.encoder.encode([[1.0], [4], [9], [2.5], [True]]).tolist() == [[0], [3], [4], [4], [0]]


def test_the_order_that_the_user_gave():
    sizes = ["small", "medium", "large"]
    frame = pd.DataFrame({"size": sizes * 10, "town": ["B", "A"] * 15})
    steps = make_column_transformer((OrdinalEncoder(categories=[sizes]), ["size"]), (OrdinalEncoder(), ["town"]))
    model = symcf.from_sklearn(make_pipeline(steps, CategoricalNB()).fit(frame, [0, 1, 1] * 10))
    assert model.values == (("small", "medium", "large"), ("A", "B"))
    assert model.ordered == (True, False)
    assert isinstance(model, symcf.NaiveBayes)


@pytest.mark.parametrize("encode", ["onehot", "onehot-dense", "ordinal"])
@pytest.mark.parametrize("dtype", [None, np.float32, np.float64])
def test_bins(encode, dtype):
    """Edges belong to the bin on their right, the last bin is closed, and beyond the ends is the first or last bin."""
    rng = np.random.default_rng(0)
    rows = rng.random((200, 2)) * [1, 100]
    estimator = CategoricalNB(min_categories=4) if encode == "ordinal" else LogisticRegression()
    pipeline = make_pipeline(bins(encode=encode, dtype=dtype), estimator).fit(rows, rows[:, 0] > 0.5)
    model = symcf.from_sklearn(pipeline)
    edges = pipeline[0].bin_edges_
    near = [np.concatenate([e, np.nextafter(e, -9), np.nextafter(e, 999), e * (1 + 1e-8), e - 7, e + 7]) for e in edges]
    near = np.stack(near, axis=1)
    ordinal = KBinsDiscretizer(4, encode="ordinal", strategy="uniform", dtype=dtype).fit(rows)
    np.testing.assert_array_equal(model.encoder.encode(near), ordinal.transform(near))
    assert_agrees(pipeline, model, rows)


def test_a_binarizer():
    rows = np.random.default_rng(0).normal(size=(100, 3))
    pipeline = make_pipeline(Binarizer(threshold=0.25), BernoulliNB()).fit(rows, rows[:, 0] > 0.25)
    model = symcf.from_sklearn(pipeline)
    assert model.values[0] == ("<= 0.25", "> 0.25")
    assert model.encoder.encode([[0.25, np.nextafter(0.25, 1), 9]]).tolist() == [[0, 1, 1]]
    assert_agrees(pipeline, model, rows)


@pytest.mark.parametrize(
    "scaler", [StandardScaler(), MinMaxScaler((-1, 3)), MinMaxScaler(clip=True), MaxAbsScaler(), RobustScaler()]
)
def test_scaled_numbers(scaler):
    """Into trees and bins: the ranges are in raw numbers, to the last bit."""
    rng = np.random.default_rng(0)
    rows = rng.normal(50, 12, size=(200, 2))
    classes = rows[:, 0] + rng.normal(size=200) > 52
    for end in ([DecisionTreeClassifier(random_state=0)], [bins(encode="ordinal"), CategoricalNB(min_categories=4)]):
        pipeline = make_pipeline(scaler, *end).fit(rows, classes)
        model = symcf.from_sklearn(pipeline)
        at = model.encoder.readers[0].cuts
        edges = np.array([[cut, 50] for cut in at] + [[np.nextafter(cut, -np.inf), 50] for cut in at])
        assert_agrees(pipeline, model, np.concatenate([rows, edges]))


@pytest.mark.filterwarnings("ignore:.*encountered in (log|sqrt|exp)")
@pytest.mark.parametrize(
    "step",
    [
        FunctionTransformer(np.log1p),
        FunctionTransformer(np.sqrt),
        FunctionTransformer(np.exp),
        FunctionTransformer(np.negative),
        make_pipeline(FunctionTransformer(np.negative), FunctionTransformer(np.exp), StandardScaler()),
        make_pipeline(FunctionTransformer(np.log), MinMaxScaler()),
        PowerTransformer(),
        PowerTransformer("box-cox", standardize=False),
        QuantileTransformer(n_quantiles=20),
        QuantileTransformer(n_quantiles=20, output_distribution="normal"),
        make_pipeline(PowerTransformer().set_output(transform="pandas"), StandardScaler()),
    ],
    ids=lambda step: str(step).replace("\n", ""),
)
def test_functions_of_numbers(step):
    """Into trees and bins: the ranges are in raw numbers, to the last bit, whatever the function."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"a": rng.lognormal(0, 1, size=300), "b": rng.random(300) * 5 + 1, "c": rng.random(300) + 0.5})
    classes = np.where(rows["a"] + rng.normal(size=300) > rows["b"], "up", "down")
    for end in (
        [DecisionTreeClassifier(random_state=0, max_depth=5)],
        [bins(encode="ordinal"), BernoulliNB(binarize=1)],
    ):
        pipeline = make_pipeline(step, *end).fit(rows, classes)
        model = symcf.from_sklearn(pipeline)
        near = []
        for j, reader in enumerate(model.encoder.readers):
            for cut in reader.cuts:
                for number in (cut, np.nextafter(cut, -np.inf), np.nextafter(cut, np.inf), cut * 1.01):
                    near.append(rows.iloc[len(near) % 300].to_list())
                    near[-1][j] = number
        near = pd.DataFrame(near, columns=rows.columns)
        readable = (model.encoder.encode(near, mark=True) >= 0).all(axis=1)
        assert len(near) > 20
        assert readable.sum() > 0.6 * len(near)
        assert_agrees(pipeline, model, pd.concat([rows, near[readable]]))


@pytest.mark.filterwarnings("ignore:.*encountered in log")
def test_numbers_that_a_function_refuses():
    rows = pd.DataFrame({"a": [0.5, 1, 2, 3, 4, 8]})
    pipeline = make_pipeline(FunctionTransformer(np.log), DecisionTreeClassifier()).fit(rows, [0, 0, 0, 1, 1, 1])
    model = symcf.from_sklearn(pipeline)
    assert model.encoder.encode([[5e-324], [2.4], [2.5]]).tolist() == [[0], [0], [1]]
    for bad in (0, -1):
        with pytest.raises(symcf.InstanceError, match=f"column 'a': {bad} is not a number that the classifier accepts"):
            model.encoder.encode([[bad]])


def test_target_encoders():
    frame = table()
    frame.loc[::9, "job"] = None
    for classes in (answers(frame), frame["rooms"].to_numpy()):
        steps = make_column_transformer((TargetEncoder(), ["job"]), ("passthrough", ["age", "member"]))
        pipeline = make_pipeline(steps, DecisionTreeClassifier(random_state=0)).fit(frame, classes)
        model = symcf.from_sklearn(pipeline)
        assert model.values[1] == ("clerk", "diver", "nurse", "smith", "(missing)", "(other)")
        assert_agrees(pipeline, model, pd.concat([frame, frame.assign(job="pilot")]))


def test_unions_of_steps():
    frame = table()[["age", "rooms"]].astype(float)
    parts = [("n", StandardScaler()), ("b", bins()), ("no", "drop"), ("as it is", "passthrough")]
    for weights in (None, {"n": -2.5, "b": 3}, {"n": 0}):
        union = FeatureUnion(parts, transformer_weights=weights)
        pipeline = make_pipeline(union, VarianceThreshold(), DecisionTreeClassifier(random_state=0))
        pipeline.fit(frame, answers(table()))
        model = symcf.from_sklearn(pipeline)
        assert model.features == ("age", "rooms")
        assert_agrees(pipeline, model, frame + np.random.default_rng(0).normal(size=frame.shape))


@pytest.mark.filterwarnings("ignore:Found unknown categories")
def test_encoders_that_know_different_categories():
    frame = gaps()
    few = OneHotEncoder(categories=[["smith", "nurse", "baker"]], handle_unknown="ignore")
    backwards = OrdinalEncoder(
        categories=[["smith", "nurse", "diver", "clerk"]], handle_unknown="use_encoded_value", unknown_value=-1
    )
    filled = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    steps = make_column_transformer((few, ["job"]), (backwards, ["job"]), (filled, ["job"]), ("passthrough", ["age"]))
    pipeline = make_pipeline(steps, DecisionTreeClassifier(random_state=0)).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.values[1] == ("smith", "nurse", "baker", "diver", "clerk", "(other)", "(missing)")
    assert_agrees(pipeline, model, pd.concat([frame, frame.assign(job="baker"), frame.assign(job="pilot")]))
    strict = make_column_transformer((OneHotEncoder(), ["job"]), (few, ["job"]))
    pipeline = make_pipeline(strict, LogisticRegression()).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.values[0] == ("clerk", "diver", "nurse", "smith", "(missing)")
    assert_agrees(pipeline, model, frame)


def test_categories_that_one_encoder_refuses_are_found_by_halves(monkeypatch):
    """Of 300 categories one is known to one encoder only, and the other refuses it."""
    jobs = [f"job {i:03}" for i in range(300)]
    frame = pd.DataFrame({"job": jobs * 2})
    more = OneHotEncoder(categories=[[*jobs[:150], "none", *jobs[150:]]], handle_unknown="ignore")
    steps = make_column_transformer((OneHotEncoder(), ["job"]), (more, ["job"]))
    pipeline = make_pipeline(steps, LogisticRegression()).fit(frame, np.arange(600) % 7 == 0)
    asked, transform = [], ColumnTransformer.transform
    monkeypatch.setattr(ColumnTransformer, "transform", lambda self, X: (asked.append(len(X)), transform(self, X))[1])
    model = symcf.from_sklearn(pipeline)
    assert model.values[0] == tuple(jobs)
    assert len(asked) <= 25  # 1 for all, and 2 for each half
    assert_agrees(pipeline, model, frame)


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(random_state=0), LogisticRegression()], ids=str)
def test_numbers_that_are_categories_too(estimator):
    frame = table()
    steps = make_column_transformer((OneHotEncoder(), ["rooms"]), (StandardScaler(), ["rooms"]), (bins(), ["age"]))
    pipeline = make_pipeline(steps, estimator).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.values[1] == (1, 2, 3, 4)
    assert_agrees(pipeline, model, frame)


# --- missing values that the model can see ----------------------------------------------------------------------------


def gaps(seed=0):
    frame = table(seed=seed)
    frame.loc[::7, "age"] = np.nan
    frame.loc[::5, "job"] = np.nan
    return frame


@pytest.mark.parametrize("estimator", [LogisticRegression(), DecisionTreeClassifier(random_state=0)], ids=str)
@pytest.mark.parametrize("separate", [False, True])
def test_indicators_of_missing_values(estimator, separate):
    """Missing is a value of its own, because the model can tell it from the imputed number."""
    frame = gaps()
    filled = [
        SimpleImputer(add_indicator=not separate),
        SimpleImputer(strategy="most_frequent", add_indicator=not separate),
    ]
    numbers, names = (make_union(part, MissingIndicator()) if separate else part for part in filled)
    steps = make_column_transformer(
        (make_pipeline(numbers, bins()), ["age"]), (make_pipeline(names, OneHotEncoder()), ["job"])
    )
    classes = np.where(frame["age"].isna() ^ (frame["job"] == "nurse"), "grant", "deny")
    pipeline = make_pipeline(steps, estimator).fit(frame, classes)
    model = symcf.from_sklearn(pipeline)
    assert model.values[0][-1] == "(missing)"
    assert model.values[1] == ("clerk", "diver", "nurse", "smith", "(missing)")
    assert_agrees(pipeline, model, frame)
    assert_agrees(pipeline, model, gaps(seed=4))
    again = symcf.model_from_json(model.to_json())
    np.testing.assert_array_equal(decide(again, frame), decide(model, frame))


def test_missing_values_that_are_imputed_in_two_ways():
    frame = gaps()
    fills = [make_pipeline(SimpleImputer(strategy="constant", fill_value=v), bins()) for v in (20, 70)]
    pipeline = make_pipeline(make_column_transformer(*((fill, ["age"]) for fill in fills)), DecisionTreeClassifier())
    model = symcf.from_sklearn(pipeline.fit(frame, answers(frame)))
    assert model.values[0][-1] == "(missing)"
    assert_agrees(pipeline, model, frame)


@pytest.mark.parametrize(
    "estimator", [DecisionTreeClassifier(random_state=0), RandomForestClassifier(7, random_state=0)]
)
@pytest.mark.parametrize("scaled", [False, True])
def test_missing_values_that_reach_trees(estimator, scaled):
    frame = gaps()[["age", "rooms", "job"]]
    classes = np.where(frame["age"].isna() & (frame["rooms"] > 1) | (frame["age"] > 60), "grant", "deny")
    numbers = FunctionTransformer(np.log1p) if scaled else "passthrough"
    steps = make_column_transformer((numbers, ["age", "rooms"]), (OrdinalEncoder(), ["job"]))
    pipeline = make_pipeline(steps, estimator).fit(frame, classes)
    model = symcf.from_sklearn(pipeline)
    assert model.values[0][-1] == model.values[2][-1] == "(missing)"
    assert_agrees(pipeline, model, frame)
    other = gaps(seed=3)
    other.loc[::11, "rooms"] = np.nan
    assert_agrees(pipeline, model, other)


def test_scaled_flags():
    rows = np.random.default_rng(0).integers(2, size=(50, 3))
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(rows, rows[:, 0])
    model = symcf.from_sklearn(pipeline)
    assert model.values == ((0, 1),) * 3
    assert_agrees(pipeline, model, rows)


def test_an_imputer_after_a_scaler():
    rows = np.random.default_rng(0).normal(50, 12, size=(200, 2))
    classes = rows[:, 0] > 52
    rows[::9, 0] = np.nan
    pipeline = make_pipeline(StandardScaler(), SimpleImputer(strategy="median"), DecisionTreeClassifier(random_state=0))
    model = symcf.from_sklearn(pipeline.fit(rows, classes))
    assert_agrees(pipeline, model, rows)


def test_selected_columns():
    frame = table()
    steps = make_column_transformer((bins(), ["age"]), (OneHotEncoder(), ["job"]), ("passthrough", ["member"]))
    pipeline = make_pipeline(steps, SelectKBest(chi2, k=4), LogisticRegression()).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert set(model.features) <= {"age", "job", "member"}
    assert_agrees(pipeline, model, frame)


def test_one_column_twice():
    """Binned for one part and as it is for a tree: the ranges of both."""
    frame = table()
    steps = make_column_transformer(
        (bins(), ["age"]), ("passthrough", ["age"]), (OneHotEncoder(), ["job"]), (OrdinalEncoder(), ["job"])
    )
    pipeline = make_pipeline(steps, DecisionTreeClassifier(random_state=0)).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    assert model.features == ("age", "job")
    assert_agrees(pipeline, model, frame)


def test_arrays_and_places():
    rows = np.array([["red", 1], ["blue", 2], ["red", 3], ["green", 4]] * 5, dtype=object)
    steps = ColumnTransformer([("c", OneHotEncoder(), [0]), ("n", bins(2), slice(1, 2))])
    pipeline = Pipeline([("s", steps), ("e", LogisticRegression())]).fit(rows, [0, 1, 0, 1] * 5)
    model = symcf.from_sklearn(pipeline, feature_names=["colour", "count"])
    assert (model.features, model.values) == (("colour", "count"), (("blue", "green", "red"), ("< 2.5", ">= 2.5")))
    assert_agrees(pipeline, model, rows)
    assert model.encoder.encode([["red", 1]]).tolist() == [[2, 0]]
    assert model.encoder.encode_one(["green", 4]).tolist() == [[1, 1]]


def test_selectors_remainders_and_nesting():
    frame = table()
    numbers = make_pipeline(make_column_transformer((bins(), ["age"]), remainder="drop"))
    steps = ColumnTransformer(
        [
            ("n", numbers, ["age", "rooms"]),
            ("c", OneHotEncoder(), make_column_selector(pattern="job")),
            ("x", "drop", ["rooms"]),
        ],
        remainder="passthrough",
    )
    pipeline = Pipeline([("s", steps), ("no", "passthrough"), ("e", Pipeline([("end", LogisticRegression())]))])
    model = symcf.from_sklearn(pipeline.fit(frame, answers(frame)))
    assert model.features == ("age", "job", "member")
    assert_agrees(pipeline, model, frame)


# --- rows as users hold them ------------------------------------------------------------------------------------------


def fitted_with(estimator):
    frame = table()
    steps = make_column_transformer((bins(), ["age"]), (OneHotEncoder(), ["job"]), ("passthrough", ["member"]))
    return symcf.from_sklearn(make_pipeline(steps, estimator).fit(frame, answers(frame)))


@pytest.fixture(scope="module")
def fitted():
    return fitted_with(LogisticRegression())


@pytest.mark.parametrize("estimator", [LogisticRegression(), BernoulliNB(), DecisionTreeClassifier()], ids=str)
def test_every_way_to_give_rows(estimator):
    """Flags are read as 0 and 1 by the first, as ranges by the others."""
    fitted = fitted_with(estimator)
    frame = table(20, seed=3)
    expected = fitted.encoder.encode(frame).tolist()
    pa = pytest.importorskip("pyarrow")
    same = {
        "other order": frame[["member", "job", "rooms", "age"]],
        "more columns": frame.assign(target=1, note="x"),
        "fewer columns": frame[["age", "job", "member"]],
        "category": frame.astype({"job": "category"}),
        "string": frame.astype({"job": "string"}),
        "nullable": frame.astype({"age": "Float64", "member": "boolean"}),
        "0 and 1": frame.astype({"member": int}),
        "1.0": frame.astype({"member": float, "age": np.float32}),
        "objects": frame.astype(object),
        "array": frame.to_numpy(),
        "list": frame.to_numpy().tolist(),
        "mappings": frame.to_dict("records"),
        "arrow": pa.table(frame),
    }
    for name, rows in same.items():
        assert fitted.encoder.encode(rows).tolist() == expected, name
    one = {
        "mapping": frame.iloc[0].to_dict(),
        "series": frame.iloc[0],
        "list": frame.iloc[0].tolist(),
        "frame": frame[:1],
    }
    for name, row in one.items():
        assert fitted.encoder.encode_one(row).tolist() == expected[:1], name
    assert fitted.encoder.encode(frame[:0]).shape == (0, 3)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (table(2).drop(columns="age"), r"the columns do not fit the classifier: missing 'age'"),
        ([{"age": 1, "job": "clerk"}], r"row 0: the columns do not fit the classifier: missing 'member'$"),
        ([[1, 2]], r"the rows have 2 columns, the classifier reads 4"),
        ([1, 2], r"rows must be two-dimensional"),
        ([[1], [1, 2]], r"do not all have the same number"),
        (table(2).assign(job=["clerk", "king"]), r"row 1, column 'job': 'king' is not one of 'clerk', 'diver'"),
        (table(2).assign(age=["25", "30"]), r"row 0, column 'age': '25' is not a finite number"),
        ([[10**400, "clerk", 1, 1]], r"row 0, column 'age': 10.* is not a finite number"),
        (table(2).assign(age=[25, np.inf]), r"row 1, column 'age': inf is not a finite number"),
        (table(2).assign(age=[25, np.nan]), r"row 1, column 'age': the value is missing; it must be a finite number"),
        (table(2).assign(job=["clerk", None]), r"row 1, column 'job': the value is missing; it must be one of"),
        (table(2).assign(member=[1, 2]), r"row 1, column 'member': 2 is not one of 0, 1"),
        (table(2).assign(job=[["clerk"], "clerk"]), r"row 0, column 'job': \['clerk'\] is not one of"),
        (pd.concat([table(2), table(2)[["age"]]], axis=1), r"'age' appears more than once"),
    ],
)
def test_rows_that_do_not_fit(fitted, rows, message):
    with pytest.raises(symcf.InstanceError, match=message):
        fitted.encoder.encode(rows)


def test_marked(fitted):
    rows = table(3).assign(job=["clerk", "king", None], age=[np.nan, 20, "x"])
    assert (fitted.encoder.encode(rows, mark=True) < 0).tolist() == [
        [True, False, False],
        [False, True, False],
        [True, True, False],
    ]


def test_one_row_is_one_row(fitted):
    with pytest.raises(symcf.InstanceError, match="an instance must be one row; this has 2 rows"):
        fitted.encoder.encode_one(table(2))
    with pytest.raises(symcf.InstanceError, match="one-dimensional"):
        fitted.encoder.encode_one([[1, 2]])


# --- to the end -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_compiled(estimator):
    """Raw rows in, changes in raw terms out; and scikit-learn agrees that they change its decision."""
    frame = table()
    steps = make_column_transformer((bins(), ["age"]), (OneHotEncoder(), ["job", "rooms"]), ("passthrough", ["member"]))
    pipeline = make_pipeline(steps, estimator).fit(frame, answers(frame))
    model = symcf.from_sklearn(pipeline)
    compiled = symcf.compile(model)
    np.testing.assert_array_equal(compiled.predict(frame), decide(model, frame))
    for i in range(5):
        explanation = compiled.explain(frame.iloc[i])
        assert len(explanation)
        for counterfactual in explanation:
            row = frame.iloc[[i]].astype(object)
            for change in counterfactual.changes:
                row[change.name] = change.new
            row = row.astype({"age": float, "rooms": int, "member": float})
            assert pipeline.predict(row)[0] != pipeline.predict(frame.iloc[[i]])[0]


# --- refusals ---------------------------------------------------------------------------------------------------------


def refused(step, estimator=None, columns=("age",), frame=None):
    frame = table() if frame is None else frame
    pipeline = make_pipeline(
        make_column_transformer((step, list(columns))), estimator or LogisticRegression(max_iter=1000)
    )
    return pipeline.fit(frame, answers(table()))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            PCA(1),
            r"ColumnTransformer part 'pca': PCA is not supported as a step: it mixes columns; .* Supported are Pipel",
        ),
        (PolynomialFeatures(), r"PolynomialFeatures is not supported as a step: it multiplies columns"),
        (KNNImputer(add_indicator=True), r"KNNImputer adds or drops columns"),
        (Normalizer(), r"Normalizer is not supported as a step: it divides by the length of the row"),
        (FunctionTransformer(np.square), r"FunctionTransformer with square is not supported: .* known are np.log, "),
        (FunctionTransformer(lambda x: x), r"FunctionTransformer with <lambda> is not supported: .* bin the column"),
        (
            StandardScaler(),
            r"column 'age' reaches LogisticRegression as a number: .*StandardScaler saw a mean of .*; give data= ",
        ),
        (
            MinMaxScaler(),
            r"column 'age' reaches LogisticRegression as a number: .*MinMaxScaler saw numbers from 18 to 79",
        ),
        (
            make_pipeline(StandardScaler(), OneHotEncoder()),
            r"OneHotEncoder takes column 'age' as categories after scaling it",
        ),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, str) else given[:40],
)
def test_steps_that_are_refused(step, message):
    with pytest.raises(symcf.ModelError, match=message):
        symcf.from_sklearn(refused(step))


def test_columns_used_in_two_ways():
    frame = table()
    both = "'rooms' is used both as categories and as numbers"
    for parts, message in (
        ([(OneHotEncoder(handle_unknown="ignore"), ["rooms"]), ("passthrough", ["rooms"])], both),
        ([(OneHotEncoder(handle_unknown="ignore"), ["rooms"]), (bins(), ["rooms"])], both),
    ):
        pipeline = make_pipeline(make_column_transformer(*parts), DecisionTreeClassifier()).fit(frame, answers(frame))
        with pytest.raises(symcf.ModelError, match=message):
            symcf.from_sklearn(pipeline)
    binned = make_column_transformer((bins(), ["age"]), ("passthrough", ["age"]))
    pipeline = make_pipeline(binned, LogisticRegression(max_iter=1000)).fit(frame, answers(frame))
    with pytest.raises(
        symcf.ModelError, match="'age' is binned, but also reaches LogisticRegression as a plain number"
    ):
        symcf.from_sklearn(pipeline)


def test_a_pipeline_without_an_end():
    with pytest.raises(symcf.ModelError, match="ends in OneHotEncoder, which is not a classifier"):
        symcf.from_sklearn(make_pipeline(OneHotEncoder()).fit([["a"], ["b"]]))
    with pytest.raises(symcf.ModelError, match="ends in passthrough, which is not a classifier"):
        symcf.from_sklearn(Pipeline([("a", OneHotEncoder()), ("b", "passthrough")]).fit([["a"], ["b"]]))
    with pytest.raises(symcf.ModelError, match="Pipeline is not fitted"):
        symcf.from_sklearn(make_pipeline(OneHotEncoder(), LogisticRegression()))


# --- cuts -------------------------------------------------------------------------------------------------------------

FINITE = st.floats(-1e30, 1e30)


@given(bound=FINITE, mean=FINITE, scale=st.floats(1e-3, 1e6), strict=st.booleans(), small=st.booleans())
def test_a_cut_is_where_numbers_change_sides(bound, mean, scale, strict, small):
    chain = (lambda x: (x - mean) / scale, *((rounded_32,) if small else ()))
    (at,) = starts(chain, np.array([bound]), strict=strict)
    if np.isnan(at):
        return
    for number, right in ((at, True), (np.nextafter(at, -np.inf), False)):
        seen = (np.float64(number) - mean) / scale
        seen = np.float64(np.float32(seen)) if small else seen
        assert (seen > bound if strict else seen >= bound) == right


def test_a_function_that_is_wrong_in_the_last_bits():
    """Every double around the bound that changes sides is a cut."""

    def shaky(x):
        return x + np.where(x.view(np.int64) % 3 == 0, -3, 3) * np.where(abs(x) < 99, np.spacing(x), 0)

    found = [cut.at for cut in cuts((Function(shaky),), [10.0], strict=True)]
    assert len(found) > 2
    places = np.float64(10).view(np.int64) + np.arange(-600, 600)
    numbers = places.view(np.float64)
    assert ((np.searchsorted(found, numbers, side="right") % 2 == 1) == (shaky(numbers) > 10)).all()
    with pytest.raises(symcf.ModelError, match="not monotone around"):
        cuts((Function(lambda x: x + 1e-9 * np.sin(np.clip(x, -99, 99) * 1e15)),), [10.0], strict=True)


def test_edges_of_functions():
    assert [cut.at for cut in edges((Function(np.log),))] == [0.0, 5e-324]
    assert [cut.at for cut in edges((Function(np.negative, falls=True), Function(np.sqrt, exact=True)))] == [5e-324]
    (over,) = edges((Function(np.exp),))
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(over.at))
    assert np.isfinite(np.exp(np.nextafter(over.at, 0)))


@given(bound=FINITE)
def test_a_cut_without_a_chain_is_the_bound(bound):
    assert starts((), np.array([bound]), strict=False)[0] == bound
    assert starts((), np.array([bound]), strict=True)[0] == np.nextafter(bound, np.inf)


def test_labels_have_as_few_digits_as_tell_them_apart():
    assert labels([]) == ["any"]
    assert labels(cuts((), [0.1, 25], strict=False)) == ["< 0.1", "0.1 .. 25", ">= 25"]
    assert labels(cuts((rounded_32,), [2.449999988079071], strict=True)) == ["<= 2.45", "> 2.45"]
    assert labels(cuts((), [1.00000001, 1.00000002], strict=True)) == [
        "<= 1.00000001",
        "1.00000001 .. 1.00000002",
        "> 1.00000002",
    ]
    around = [Cut(3.0, 3.0, False), Cut(np.nextafter(3, 4), 3.0, True)]
    assert len(set(labels(around))) == 3


GRADES, REGIONS = ["low", "mid", "high", "top"], ["east", "north", "west"]


def graded(*, missing: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """A table with an ordered category, whose order is not that of letters, and labels."""
    rng = np.random.default_rng(5)
    codes, region = rng.integers(-1 if missing else 0, 4, 400), rng.integers(0, 3, 400)
    frame = pd.DataFrame(
        {
            "grade": pd.Categorical.from_codes(codes, GRADES, ordered=True),
            "region": pd.Categorical.from_codes(region, REGIONS),
        }
    )
    fine = (codes == 1) & (region > 0) | (codes == 3) | (codes == 2) & (region == 2) | (codes == -1) & (region != 1)
    return frame, np.where(fine, "yes", "no")


def graded_model(kind: str) -> object:
    if kind == "xgboost":
        return pytest.importorskip(kind).XGBClassifier(
            n_estimators=12, max_depth=3, enable_categorical=True, tree_method="hist"
        )
    if kind == "lightgbm":
        options = {"min_child_samples": 1, "min_data_per_group": 1, "verbose": -1}
        return pytest.importorskip(kind).LGBMClassifier(n_estimators=12, **options)
    if kind == "hist":
        return HistGradientBoostingClassifier(max_iter=12, categorical_features="from_dtype", random_state=0)
    encoder = OneHotEncoder(handle_unknown="ignore" if kind == "logistic" else "error")
    last = LogisticRegression() if kind == "logistic" else DecisionTreeClassifier(random_state=0)
    return make_pipeline(make_column_transformer((encoder, ["grade", "region"])), last)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", ["xgboost", "lightgbm", "hist", "logistic", "tree"])
def test_ordered_categories_have_their_order(kind, missing):
    """Against all rows, with the estimator's own predict."""
    frame, y = graded(missing=missing)
    labels = (y == "yes").astype(int) if kind == "xgboost" else y
    model = graded_model(kind).fit(frame, labels)
    c = symcf.compile(model, data=frame)
    grades = [grade for grade in c.values[0] if grade != "(other)"]
    assert grades in (GRADES, [*GRADES, "(missing)"])
    assert len(grades) == 5 or not missing
    assert c.ordered == (True, False)
    every = [(grade, region) for grade in [*GRADES, None][: len(grades)] for region in REGIONS]
    rows = pd.DataFrame(every, columns=["grade", "region"]).astype(frame.dtypes)
    decided = dict(zip(every, model.predict(rows), strict=True))

    def minimal(old, fine):
        """The minimal sets of columns whose change flips the decision, by rows that are fine."""
        flips = {
            tuple(j for j in (0, 1) if new[j] != old[j])
            for new, label in decided.items()
            if label != decided[old] and fine(new)
        }
        return sorted(one for one in flips if not any(set(other) < set(one) for other in flips))

    place = {grade: i for i, grade in enumerate(GRADES)}
    for i, old in enumerate(decided):
        row = rows.iloc[[i]]
        if old[0] is None:
            continue
        asked = {
            "increase": c.explain(row, allowed={"grade": "increase"}),
            "decrease": c.explain(row, allowed={"grade": "decrease"}),
            ">=": c.explain(row, allowed={"grade": grades}, constraints=["grade >= mid"]),
            "<": c.explain(row, allowed={"grade": grades}, constraints=["grade < high"]),
        }
        fine = {
            "increase": lambda new, own=old[0]: new[0] is not None and place[new[0]] >= place[own],
            "decrease": lambda new, own=old[0]: new[0] is not None and place[new[0]] <= place[own],
            ">=": lambda new: new[0] in ("mid", "high", "top"),
            "<": lambda new: new[0] in ("low", "mid"),
        }
        for name, e in asked.items():
            assert sorted(e.sets) == minimal(old, fine[name]), (old, name)
            batch = symcf.fast.explain_batch(c, row, **({"allowed": {"grade": name}} if "crease" in name else {}))
            if "crease" in name:
                assert sorted(batch[0].sets) == sorted(e.sets)
            assert symcf.verify(c, row, e).complete is True
    if not missing and kind != "logistic":
        assert c.is_monotone("grade", of=c.classes[1]).feature == "grade"


def test_ordered_categories_keep_their_order_in_a_file():
    frame, y = graded(missing=False)
    model = symcf.from_model(graded_model("tree").fit(frame, y), data=frame)
    again = type(model).from_dict(model.to_dict())
    assert again.values[0] == tuple(GRADES)
    assert again.ordered == (True, False)
    assert model.to_dict() == again.to_dict()
