"""Columns of numbers without bins: do scikit-learn's own predictions agree, and what does a row take?

    python bench/additive.py     a minute; prints a table, writes results/additive.json; --quick

For each pipeline: rows of the data are explained (k = 5), the suggested rows are given to the pipeline's own
`predict`, and single numbers are compared with the number one step of the column's resolution nearer. Times are of one
thread, processor time.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import LinearSVC

import symcf
from symcf.fast import explain_batch

PIPELINES = {
    "StandardScaler, LogisticRegression": make_pipeline(StandardScaler(), LogisticRegression()),
    "MinMaxScaler, LinearSVC": make_pipeline(MinMaxScaler(), LinearSVC()),
    "RobustScaler, SGDClassifier": make_pipeline(RobustScaler(), SGDClassifier(random_state=0)),
    "MaxAbsScaler, RidgeClassifier": make_pipeline(MaxAbsScaler(), RidgeClassifier()),
    "StandardScaler, Perceptron": make_pipeline(StandardScaler(), Perceptron(random_state=0)),
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis(),
    "GaussianNB": GaussianNB(),
    "MultinomialNB": MultinomialNB(),
    "ComplementNB": ComplementNB(),
}
DATA = {"breast_cancer": load_breast_cancer, "wine": load_wine}
K, TURNS = 5, common.sized(3, 1)
#: Every so many rows are explained, and of these so many one by one.
EVERY, ALONE = common.sized((2, 25), (40, 2))


def nearer(pipeline: Any, compiled: symcf.Compiled, X: pd.DataFrame, batch: Any) -> tuple[int, int]:
    """Single numbers that are suggested, and those for which the next nearer one flips as well."""
    rows, before, origin = [], [], pipeline.predict(X)
    for i, e in enumerate(batch):
        for cf in e:
            if len(cf.changes) != 1:
                continue
            (change,) = cf.changes
            step = compiled.values[change.feature].resolution
            number = float(round(change.new / step) * step - (step if change.new > change.old else -step))
            if (number - change.old) * (change.new - change.old) > 0:
                rows.append({**X.iloc[i].to_dict(), change.name: number})
                before.append(origin[i])
    if not rows:
        return 0, 0
    return len(rows), int((pipeline.predict(pd.DataFrame(rows)[list(X)]) != np.array(before)).sum())


def measured(name: str, pipeline: Any, X: pd.DataFrame, y: Any) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pipeline.fit(X, y)
    compiled = symcf.compile(pipeline, data=X)
    differ = int((compiled.predict(X) != pipeline.predict(X)).sum())
    predicted, X = len(X), X.iloc[::EVERY]
    before = pipeline.predict(X)
    batch = explain_batch(compiled, X, k=K)
    frame = batch.to_frame(k=K)
    flipped = (
        pipeline.predict(frame) != pd.Series(before, index=X.index).loc[frame.index.get_level_values(0)].to_numpy()
    )
    singles, too_far = nearer(pipeline, compiled, X, batch)
    sample = [X.iloc[i] for i in range(0, len(X), max(1, len(X) // ALONE))]
    works = {
        "explain": lambda: [compiled.explain(row, k=K) for row in sample],
        "read": lambda: [list(compiled.explain(row, k=K)) for row in sample],
        "batch": lambda: explain_batch(compiled, X, k=K),
    }
    timings = common.in_turns(works, turns=TURNS)
    return {
        "pipeline": name,
        "rows": predicted,
        "predictions_differ": differ,
        "suggested": len(frame),
        "not_flipped": int((~flipped).sum()),
        "singles": singles,
        "too_far": too_far,
        "seconds": {
            "explain": timings["explain"].median / len(sample),
            "read": timings["read"].median / len(sample),
            "batch": timings["batch"].median / len(X),
        },
    }


def main() -> None:
    common.parser(__doc__).parse_args()
    results = []
    for data, load in DATA.items():
        X, y = load(return_X_y=True, as_frame=True)
        results += [{"data": data, **measured(name, pipeline, X, y)} for name, pipeline in PIPELINES.items()]
    common.print_table(
        (
            "pipeline",
            "data",
            "predictions differ",
            "suggested",
            "not flipped",
            "singles",
            "too far",
            "ms",
            "µs in a batch",
        ),
        [
            (
                r["pipeline"],
                r["data"],
                r["predictions_differ"],
                r["suggested"],
                r["not_flipped"],
                r["singles"],
                r["too_far"],
                f"{1e3 * r['seconds']['explain']:.2f}",
                f"{1e6 * r['seconds']['batch']:.0f}",
            )
            for r in results
        ],
    )
    common.write("additive", {"machine": common.machine(), "load": os.getloadavg()[0], "k": K, "results": results})


if __name__ == "__main__":
    main()
