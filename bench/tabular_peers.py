"""Counterfactuals by DiCE and NICE, in the environment that peers.py makes for them; imports nothing of ours.

    python bench/tabular_peers.py < task.json > answers.json

task:     {"weights": [...], "bias": b, "rows": [[...], ...]}; with "diverse": k DiCE alone is asked, for k
answers:  {tool: {"setup": seconds, "answers": [{"seconds": s, "counterfactuals": [[...], ...]}, ...]}, "versions": ...}

Both see the classifier as a scikit-learn estimator, and random rows that it has labelled as their training data: DiCE
takes the values of features from these, NICE also the neighbours. Features are categorical.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import dice_ml
import numpy as np
import pandas as pd
from nice import NICE
from raiutils.exceptions import UserConfigValidationException
from sklearn.base import BaseEstimator, ClassifierMixin

TRAINING_ROWS = 1_000

Find = Callable[[np.ndarray], list[list[int]]]


class LinearClassifier(ClassifierMixin, BaseEstimator):
    """Naive Bayes over two-valued features is this: log-odds are a sum."""

    def __init__(self, weights: list[float] | None = None, bias: float = 0.0) -> None:
        self.weights = weights
        self.bias = bias

    def fit(self, rows: Any = None, labels: Any = None) -> LinearClassifier:
        self.classes_ = np.array([0, 1])
        return self

    def log_odds(self, rows: Any) -> np.ndarray:
        return np.asarray(rows, dtype=float) @ np.asarray(self.weights) + self.bias

    def predict(self, rows: Any) -> np.ndarray:
        return (self.log_odds(rows) >= 0).astype(int)

    def predict_proba(self, rows: Any) -> np.ndarray:
        positive = 1 / (1 + np.exp(-self.log_odds(rows)))
        return np.column_stack([1 - positive, positive])


def dice(model: LinearClassifier, rows: np.ndarray, wanted: int, method: str = "random") -> Find:
    names = [f"x{j}" for j in range(rows.shape[1])]
    table = pd.DataFrame(rows, columns=names).astype(str)
    data = dice_ml.Data(dataframe=table.assign(label=model.predict(rows)), continuous_features=[], outcome_name="label")
    explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)

    def find(row: np.ndarray) -> list[list[int]]:
        query = pd.DataFrame([row], columns=names).astype(str)
        try:
            answer = explainer.generate_counterfactuals(query, total_CFs=wanted, desired_class="opposite")
        except UserConfigValidationException:  # "No counterfactuals found"
            return []
        return answer.cf_examples_list[0].final_cfs_df[names].astype(int).to_numpy().tolist()

    return find


def nice(model: LinearClassifier, rows: np.ndarray) -> Find:
    explainer = NICE(
        X_train=rows,
        predict_fn=model.predict_proba,
        y_train=model.predict(rows),
        cat_feat=list(range(rows.shape[1])),
        num_feat=[],
        optimization="sparsity",
        justified_cf=True,
    )
    return lambda row: explainer.explain(row[np.newaxis]).astype(int).tolist()


def run(make: Callable[[], Find], rows: np.ndarray) -> dict[str, Any]:
    start = time.process_time()
    find = make()
    setup = time.process_time() - start
    find(rows[0])
    answers = []
    for row in rows:
        start = time.process_time()
        counterfactuals = find(row)
        answers.append({"seconds": time.process_time() - start, "counterfactuals": counterfactuals})
    return {"setup": setup, "answers": answers}


def main() -> None:
    warnings.filterwarnings("ignore")
    np.random.seed(0)  # noqa: NPY002 - DiCE draws from the global generator
    task = json.load(sys.stdin)
    rows = np.array(task["rows"])
    model = LinearClassifier(task["weights"], task["bias"]).fit()
    training = np.random.default_rng(1).integers(0, 2, (TRAINING_ROWS, rows.shape[1]))
    tools: dict[str, Callable[[], Find]] = {
        "DiCE random, 10 wanted": lambda: dice(model, training, 10),
        "DiCE random, 100 wanted": lambda: dice(model, training, 100),
        "NICE sparsity": lambda: nice(model, training),
    }
    if (wanted := task.get("diverse")) is not None:
        tools = {f"DiCE {m}": lambda m=m: dice(model, training, wanted, m) for m in ("random", "kdtree")}
    results: dict[str, Any] = {name: run(make, rows) for name, make in tools.items()}
    versions = {name: version(name) for name in ("dice-ml", "NICEx", "pandas", "scikit-learn", "numpy")}
    json.dump({"versions": versions, "tools": results}, sys.stdout)


if __name__ == "__main__":
    main()
