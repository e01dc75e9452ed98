"""Does `from_sklearn` decide as scikit-learn does? Every row of four data sets and of a mixed table, and random rows.

    python bench/sklearn_agreement.py           a minute; prints a table, writes results/sklearn.json; --quick

digits          8 x 8 pixels, black or white: 0 against 1, and all ten classes
breast_cancer, wine, iris   numbers: binned for naive Bayes and linear models, as they are for trees
mixed           categories, numbers, flags and missing values, through a ColumnTransformer

Rows on which scikit-learn's own margin (the difference of the two largest decision values, joint log-likelihoods or
probabilities) is below 1e-9 are counted apart: there its floating-point sums are too close to call. On all others a
difference ends the program. Where such a close row is decided differently by a model with coefficients, the sums are
done again in rational numbers: "exact" counts the rows on which these agree with symcf.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import symcf

RANDOM_ROWS = common.sized(30_000, 500)
CLOSE = 1e-9

SCORES: dict[str, Any] = {
    "BernoulliNB": BernoulliNB(),
    "MultinomialNB": MultinomialNB(),
    "ComplementNB": ComplementNB(),
    "ComplementNB, norm": ComplementNB(norm=True),
    "LogisticRegression": LogisticRegression(max_iter=2000),
    "LinearSVC": LinearSVC(random_state=0, max_iter=20_000),
    "SGDClassifier": SGDClassifier(random_state=0),
    "Perceptron": Perceptron(random_state=0),
    "RidgeClassifier": RidgeClassifier(),
}
TREES: dict[str, Any] = {
    "DecisionTree": DecisionTreeClassifier(random_state=0),
    "RandomForest, 30": RandomForestClassifier(30, random_state=0),
    "ExtraTrees, 30": ExtraTreesClassifier(30, random_state=0),
}


@dataclass
class Case:
    data: str
    name: str
    estimator: Any
    rows: Any
    classes: Any
    #: Makes so many random rows.
    random: Callable[[int], Any]


# --- data -------------------------------------------------------------------------------------------------------------


def numbers_like(rows: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """Half of the entries from the data, where they lie on the edges of bins, half anywhere around them."""
    rng = np.random.default_rng(len(rows))
    low, high = rows.min(axis=0), rows.max(axis=0)
    anywhere = low + (rng.random((count, rows.shape[1])) * 1.4 - 0.2) * (high - low)
    known = np.take_along_axis(rows, rng.integers(len(rows), size=(count, rows.shape[1])), axis=0)
    return np.where(rng.random(anywhere.shape) < 0.5, known, anywhere)


def digits_cases() -> Iterator[Case]:
    rows, classes = load_digits(return_X_y=True)
    black = (rows > 7.5).astype(np.int64)
    for name, wanted in (("digits, 0 and 1", classes < 2), ("digits, ten", classes >= 0)):
        x, y = black[wanted], classes[wanted]

        def random(count: int) -> Any:
            return np.random.default_rng(64).integers(2, size=(count, 64))

        codes = CategoricalNB(min_categories=2)
        for title, estimator in {**SCORES, "CategoricalNB": codes, **TREES}.items():
            yield Case(name, title, estimator, x, y, random)
        yield Case(name, "BernoulliNB(binarize)", BernoulliNB(binarize=7.5), rows[wanted], y,
                   lambda count, like=rows: numbers_like(like, count))  # fmt: skip


def binned_cases() -> Iterator[Case]:
    for name, load in (("breast_cancer", load_breast_cancer), ("wine", load_wine), ("iris", load_iris)):
        rows, classes = load(return_X_y=True, as_frame=True)

        def random(count: int, like: Any = rows) -> Any:
            return pd.DataFrame(numbers_like(like.to_numpy(), count), columns=like.columns)

        def bins(encode: str) -> KBinsDiscretizer:
            return KBinsDiscretizer(5, encode=encode, strategy="quantile", quantile_method="averaged_inverted_cdf")

        for title, estimator in SCORES.items():
            yield Case(name, title, make_pipeline(bins("onehot"), clone(estimator)), rows, classes, random)
        ordinal = make_pipeline(bins("ordinal"), CategoricalNB(min_categories=5))
        yield Case(name, "CategoricalNB", ordinal, rows, classes, random)
        for title, estimator in TREES.items():
            yield Case(name, title, estimator, rows, classes, random)
        scaled = make_pipeline(StandardScaler(), clone(TREES["RandomForest, 30"]))
        yield Case(name, "scaled forest", scaled, rows, classes, random)


def mixed_table(count: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, size=count).astype(float),
            "income": np.round(rng.lognormal(10, 1, size=count), 2),
            "job": rng.choice(
                ["clerk", "nurse", "smith", "teacher", "diver"], size=count, p=[0.4, 0.3, 0.2, 0.08, 0.02]
            ),
            "town": rng.choice(["A", "B", "C"], size=count),
            "member": rng.integers(2, size=count).astype(bool),
        }
    )
    frame["job"] = frame["job"].astype(object)
    frame.loc[rng.random(count) < 0.1, "age"] = np.nan
    frame.loc[rng.random(count) < 0.1, "job"] = np.nan
    return frame


def mixed_steps(encode: str) -> Any:
    names = OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=0.05)
    if encode == "ordinal":
        names = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=9)
    bins = KBinsDiscretizer(6, encode=encode, quantile_method="averaged_inverted_cdf")
    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), bins), ["age", "income"]),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), names), ["job"]),
        (OneHotEncoder(drop="first") if encode == "onehot" else OrdinalEncoder(), ["town"]),
        ("passthrough", ["member"]),
    )


def mixed_cases() -> Iterator[Case]:
    rows = mixed_table(2000, seed=0)
    gain = rows["age"].fillna(40) / 20 + np.log(rows["income"]) - 9 * rows["member"] + 3 * (rows["town"] == "B")
    classes = np.where(gain < np.quantile(gain, 0.6), "deny", "grant")
    three = np.digitize(gain, np.quantile(gain, [0.3, 0.7]))

    def random(count: int) -> Any:
        frame = mixed_table(count, seed=1)
        frame.loc[::100, "job"] = "pilot"
        return frame

    for title, estimator in SCORES.items():
        for name, wanted in (("mixed", classes), ("mixed, three", three)):
            yield Case(name, title, make_pipeline(mixed_steps("onehot"), clone(estimator)), rows, wanted, random)
    ordinal = make_pipeline(mixed_steps("ordinal"), CategoricalNB(min_categories=10))
    yield Case("mixed, three", "CategoricalNB", ordinal, rows, three, random)
    for title, estimator in TREES.items():
        yield Case("mixed, three", title, make_pipeline(mixed_steps("onehot"), clone(estimator)), rows, three, random)


# --- agreement --------------------------------------------------------------------------------------------------------


def margins(estimator: Any, rows: Any) -> np.ndarray[Any, Any]:
    """How far the best class is ahead of the second, in scikit-learn's own numbers."""
    if hasattr(estimator, "decision_function"):
        values = estimator.decision_function(rows)
        if values.ndim == 1:
            return np.abs(values)
    elif hasattr(estimator, "predict_joint_log_proba"):
        values = estimator.predict_joint_log_proba(rows)
    elif hasattr(estimator[-1] if hasattr(estimator, "steps") else estimator, "predict_joint_log_proba"):
        values = estimator[-1].predict_joint_log_proba(estimator[:-1].transform(rows))
    else:
        values = estimator.predict_proba(rows)
    ordered = np.sort(values, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def exact_winners(estimator: Any, rows: Any) -> list[Any]:
    """The classes that the estimator's own coefficients give to rows in rational arithmetic: the first of the best."""
    final = estimator[-1] if hasattr(estimator, "steps") else estimator
    seen = estimator[:-1].transform(rows) if hasattr(estimator, "steps") else np.asarray(rows)
    seen = seen.toarray() if hasattr(seen, "toarray") else np.asarray(seen)
    sums = [
        [Fraction(float(b)) + sum(Fraction(float(w)) * Fraction(float(x)) for w, x in zip(c, row, strict=True) if x)
         for c, b in zip(final.coef_, final.intercept_, strict=True)]
        for row in seen
    ]  # fmt: skip
    best = [int(s[0] > 0) if len(s) == 1 else s.index(max(s)) for s in sums]
    return [final.classes_[k] for k in best]


def decided(model: symcf.Model, rows: Any) -> np.ndarray[Any, Any]:
    """The classes that the compiled model gives to raw rows."""
    return symcf.compile(model).predict(rows)


def compare(case: Case, count: int) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sparse matrices, unknown categories, convergence: not what is looked at
        estimator = clone(case.estimator).fit(case.rows, case.classes)
        final = estimator[-1] if hasattr(estimator, "steps") else estimator
        start = time.perf_counter()
        model = symcf.from_sklearn(estimator)
        seconds = time.perf_counter() - start
        result: dict[str, Any] = {"data": case.data, "estimator": case.name, "model": type(model).__name__,
                                  "features": model.n_features, "values": sum(model.n_values),
                                  "classes": len(model.classes), "seconds": seconds}  # fmt: skip
        for kind, rows in (("rows", case.rows), ("random", case.random(count))):
            theirs, ours = estimator.predict(rows), decided(model, rows)
            close = margins(estimator, rows) < CLOSE
            different = theirs != ours
            result[kind] = len(theirs)
            result[f"{kind}_close"] = int(close.sum())
            result[f"{kind}_close_different"] = int((different & close).sum())
            if hasattr(final, "coef_"):
                at = np.flatnonzero(different & close)
                exact = (
                    exact_winners(estimator, rows.iloc[at] if hasattr(rows, "iloc") else rows[at]) if len(at) else []
                )
                result[f"{kind}_exact"] = int(np.sum(ours[at] == np.array(exact, dtype=ours.dtype)))
            if (different & ~close).any():
                raise SystemExit(f"{case.data}, {case.name}: {(different & ~close).sum()} of {len(theirs)} rows differ")
    return result


def main() -> None:
    common.parser(__doc__).parse_args()
    results = [compare(case, RANDOM_ROWS) for cases in (digits_cases, binned_cases, mixed_cases) for case in cases()]
    common.print_table(
        ("", "estimator", "model", "features", "values", "classes", "rows", "random", "close", "different", "exact"),
        [
            (r["data"], r["estimator"], r["model"], r["features"], r["values"], r["classes"], r["rows"], r["random"],
             r["rows_close"] + r["random_close"], r["rows_close_different"] + r["random_close_different"],
             r["rows_exact"] + r["random_exact"] if "rows_exact" in r else "")
            for r in results
        ],
    )  # fmt: skip
    print(f"\n{len(results)} models; no difference where scikit-learn's margin is {CLOSE:g} or more")
    machine = common.machine()
    machine["packages"] |= {"scikit-learn": version("scikit-learn")}
    common.write("sklearn", {"machine": machine, "close": CLOSE, "models": results})


if __name__ == "__main__":
    main()
