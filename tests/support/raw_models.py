"""Pipelines that read raw rows: numbers, categories, booleans, missing values; fitted once for all tests."""

import functools
import math

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast

CLASSES = {"text": ["no", "yes"], "negative": [-1, 1], "boolean": [False, True]}


def table(count=240, seed=0):
    """Integers, decimals, 32 bits, categories, booleans, a column that no model reads; with an index of its own."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"row {i}" for i in range(count)],
            "income": rng.integers(800, 6000, count),
            "debt": np.round(rng.gamma(2.0, 150.0, count), 2),
            "rate": np.round(rng.uniform(0, 1, count), 3).astype(np.float32),
            "job": np.array(rng.choice(["clerk", "nurse", "smith"], count), object),
            "rooms": rng.integers(1, 6, count),
            "married": rng.integers(2, size=count).astype(bool),
            "tail": rng.normal(size=count) ** 3,
        },
        index=1000 + np.arange(count)[::-1],
    )


BINNED = ["income", "debt", "rate", "tail"]
NUMBERS = [*BINNED, "rooms"]


def answers(frame, names="text"):
    score = (
        frame["income"] / 1500
        - frame["debt"] / 250
        + 2 * frame["rate"]
        + frame["married"]
        + (frame["job"] == "nurse")
        - frame["rooms"] / 3
        + frame["tail"] / 4
    )
    return np.array(CLASSES[names])[(score > score.median()).astype(int)]


def one_hot(frame):
    jobs = {f"job_{job}": (frame["job"] == job).astype(int) for job in ("clerk", "nurse", "smith")}
    return frame.drop(columns="job").assign(**jobs)


def bins(**options):
    quantiles = {"quantile_method": "averaged_inverted_cdf"}  # which scikit-learn 1.6 does not know
    known = quantiles if "quantile_method" in KBinsDiscretizer().get_params() else {}
    return KBinsDiscretizer(5, strategy="quantile", **known, **options)


def models():
    """By name: the fitted estimator, the rows it takes, and what `from_sklearn` is told."""
    frame = table()
    codes = OneHotEncoder(handle_unknown="ignore")
    parts = make_column_transformer((codes, ["job"]), ("passthrough", ["married"]), (bins(), BINNED))
    yield "bins", make_pipeline(parts, LogisticRegression(max_iter=1000)), frame, {}
    yield "naive Bayes", make_pipeline(parts, BernoulliNB()), frame, {}
    plain = make_column_transformer((OrdinalEncoder(), ["job"]), ("passthrough", [*NUMBERS, "married"]))
    yield "tree", make_pipeline(plain, DecisionTreeClassifier(max_depth=6, random_state=0)), frame, {}
    yield "forest", make_pipeline(plain, RandomForestClassifier(5, max_depth=4, random_state=0)), frame, {}
    scaled = make_column_transformer((codes, ["job"]), (StandardScaler(), [*NUMBERS, "married"]))
    long = frame.astype({"rate": np.float64})  # scaled in 32 bits, which `explain` refuses
    yield "scaled tree", make_pipeline(scaled, DecisionTreeClassifier(max_depth=5, random_state=1)), long, {}
    wide = one_hot(frame)
    read = [column for column in wide.columns if column != "name"]
    groups = {"groups": {"job": ["job_clerk", "job_nurse", "job_smith"]}}
    yield "one hot", DecisionTreeClassifier(max_depth=6, random_state=2), wide[read], groups
    holes = frame.copy()
    holes.loc[holes.index[::7], "debt"] = np.nan
    filled = make_column_transformer((codes, ["job"]), (SimpleImputer(), NUMBERS), ("passthrough", ["married"]))
    yield "missing", make_pipeline(filled, DecisionTreeClassifier(max_depth=6, random_state=3)), holes, {}
    marked = frame.assign(rooms=frame["rooms"].where(frame["rooms"] != 3, -1))
    markers = make_column_transformer(
        (SimpleImputer(missing_values=-1, strategy="most_frequent"), ["rooms"]), ("passthrough", ["income", "rate"])
    )
    yield "markers", make_pipeline(markers, DecisionTreeClassifier(max_depth=6, random_state=4)), marked, {}


MODELS = {name: rest for name, *rest in models()}


CASES = [(name, "text") for name in MODELS] + [("tree", "negative"), ("bins", "boolean")]


@functools.cache
def fitted_case(name, names):
    """A classifier, its rows, and symcf's."""
    estimator, frame, options = MODELS[name]
    estimator = clone(estimator).fit(frame, answers(table(), names))
    return estimator, frame, symcf.compile(symcf.from_sklearn(estimator, **options))


def columns_of(c, feature):
    encoder = c.model.encoder
    return [encoder.layout.names[place] for place in encoder.readers[feature].sources]


def same(a, b):
    """Are two cells equal, and of one type?"""
    missing = isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)
    return type(a) is type(b) and (missing or a == b)
