"""Do answers survive a new training? And what do several models cost?

    python bench/robust.py     two minutes; prints tables, writes results/robust.json; --quick

On three data sets of scikit-learn, boosted trees are fitted to a bootstrap sample. Rows of one class are explained in
several ways, one counterfactual each, and every suggested row is given to 20 models that are fitted to other bootstrap
samples: the share that still decide for the target is counted. "no answer": rows without a set of up to three changes.

Then XGBoost, 100 trees of depth 6: one model, and three, up to three changes, in turns. Times are processor time.
"""

from __future__ import annotations

import os
import time
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import GradientBoostingClassifier

import symcf

ROWS, RETRAINED, CHANGES, SECONDS = common.sized(12, 2), common.sized(20, 2), 3, common.sized(3.0, 0.5)


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Two classes each, ten columns: those that vary most with the class."""
    found = {}
    for name, load in (("breast_cancer", load_breast_cancer), ("wine", load_wine), ("digits", load_digits)):
        X, y = load(return_X_y=True, as_frame=True)
        y = np.asarray(y) == (1 if name == "breast_cancer" else 0 if name == "wine" else 8)
        gap = (X[y].mean() - X[~y].mean()).abs() / (X.std() + 1e-9)
        found[name] = X[list(gap.sort_values(ascending=False).index[:10])], np.where(y, "yes", "no")
    return found


def fitted(X: pd.DataFrame, y: np.ndarray, rng: np.random.Generator) -> Any:
    """Boosted trees of a bootstrap sample."""
    chosen = rng.integers(0, len(X), len(X))
    model = GradientBoostingClassifier(n_estimators=30, max_depth=3, random_state=0)
    return model.fit(X.iloc[chosen], y[chosen])


def answers(c: symcf.Compiled, row: pd.DataFrame, **options: Any) -> pd.DataFrame | None:
    """The first counterfactual."""
    try:
        e = c.explain(row, target="yes", max_changes=CHANGES, k=1, time_limit=SECONDS, **options)
    except (symcf.OptionError, symcf.LimitError):
        return None
    found = next(iter(e), None)
    return None if found is None else pd.DataFrame(found.row)


def survival(name: str, X: pd.DataFrame, y: np.ndarray) -> list[dict[str, Any]]:
    """The share of answers that later models agree with, for each way of asking."""
    rng = np.random.default_rng(0)
    models = [fitted(X, y, rng) for _ in range(5)]
    later = [fitted(X, y, rng) for _ in range(RETRAINED)]
    one = symcf.compile(models[0], data=X, plausibility=X)
    ways = {
        "nearest": (one, {}),
        "surest": (one, {"select": "surest"}),
        "likeliest": (one, {"select": "likeliest"}),
        "margin 1": (one, {"margin": 1.0}),
        "two models": (symcf.compile(models[:2], data=X), {}),
        "five models": (symcf.compile(models, data=X), {}),
    }
    declined = X[(models[0].predict(X) == "no") & (y == "no")].sample(ROWS, random_state=0)
    results = []
    for way, (c, options) in ways.items():
        kept, none, start = [], 0, time.thread_time()
        for i in range(len(declined)):
            suggested = answers(c, declined.iloc[[i]], **options)
            if suggested is None:
                none += 1
            else:
                kept.append(np.mean([model.predict(suggested[X.columns])[0] == "yes" for model in later]))
        seconds = (time.thread_time() - start) / len(declined)
        share = float(np.mean(kept)) if kept else float("nan")
        results.append({"data": name, "way": way, "share": share, "without": none, "rows": ROWS, "seconds": seconds})
        print(
            f"{name:14} {way:12} {100 * share:5.1f} % still valid, {none:2} of {ROWS} no answer, {seconds:.3f} s a row"
        )
    return results


def speed() -> dict[str, Any]:
    """One model and three, sets of up to three changes."""
    from xgboost import XGBClassifier

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[:, :20]
    rng = np.random.default_rng(0)
    models = []
    for _ in range(3):
        chosen = rng.integers(0, len(X), len(X))
        models.append(XGBClassifier(n_estimators=100, max_depth=6, n_jobs=1).fit(X.iloc[chosen], y.iloc[chosen]))
    one, three = symcf.compile(models[0], data=X), symcf.compile(models, data=X)
    rows = X[(np.array([model.predict(X) for model in models]) == 0).all(axis=0)].iloc[: common.sized(10, 2)]
    taken: dict[str, list[float]] = {"one": [], "three": []}
    for i in range(len(rows)):
        for name, c in (("one", one), ("three", three)):
            start = time.thread_time()
            e = c.explain(rows.iloc[[i]], target=1, max_changes=CHANGES)
            taken[name].append(time.thread_time() - start)
            assert e.status == "complete"
    ratio = sum(taken["three"]) / sum(taken["one"])
    print(
        f"XGBoost 100 x 6: one {np.median(taken['one']):.4f} s, three {np.median(taken['three']):.4f} s, x {ratio:.2f}"
    )
    return {"rows": len(rows), **{name: float(np.median(some)) for name, some in taken.items()}, "ratio": ratio}


def main() -> None:
    """All of it."""
    common.parser(__doc__).parse_args()
    times = speed()
    results = [line for name, (X, y) in tables().items() for line in survival(name, X, y)]
    common.write(
        "robust",
        {
            "machine": common.machine(),
            "load": os.getloadavg()[0],
            "results": results,
            "speed": times,
            "retrained": RETRAINED,
        },
    )


if __name__ == "__main__":
    main()
