"""Are counterfactuals rows that somebody might have? Before and after asking for plausible ones, on real data.

    python bench/plausibility.py     two minutes; prints a table, writes results/plausibility.json; --quick

For each model, rows of the data are explained, the k cheapest counterfactuals of each, and the share of these that are
less likely than 5 % of the data is counted: with the nearest values, with the likeliest values, and with
``min_plausibility=0.05``, where it is 0 by definition. Rows without any plausible counterfactual of up to three changes
are counted, too. The changed rows are given to the model's own `predict`. Times are of one thread, processor time.
"""

from __future__ import annotations

import os
import time
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

import symcf
import symcf.datasets

LEAST, MOST_CHANGES, K, ROWS = 0.05, 3, 10, common.sized(10, 2)


def bins(encode: str) -> KBinsDiscretizer:
    return KBinsDiscretizer(5, encode=encode, quantile_method="averaged_inverted_cdf")


MODELS = {
    "naive Bayes, 5 bins": lambda: make_pipeline(bins("ordinal"), CategoricalNB(min_categories=5)),
    "logistic regression, 5 bins": lambda: make_pipeline(bins("onehot"), LogisticRegression(max_iter=2000)),
    "random forest, 50 trees": lambda: RandomForestClassifier(50, max_depth=5, random_state=0),
    "gradient boosting, 50 trees": lambda: GradientBoostingClassifier(n_estimators=50, random_state=0),
}


def cases() -> list[tuple[str, str, symcf.Compiled, Any, Any]]:
    """Data, model, the compiled model, rows, and what predicts."""
    found = []
    for name, load in (("breast_cancer", load_breast_cancer), ("wine", load_wine)):
        X, y = load(return_X_y=True, as_frame=True)
        for kind, make in MODELS.items():
            estimator = make().fit(X, y)
            found.append((name, kind, symcf.compile(estimator, data=X, plausibility=X), X, estimator.predict))
    credit = symcf.datasets.credit()
    frame = pd.DataFrame(credit.data)
    for kind in ("boosted", "forest", "tree", "naive_bayes"):
        c = symcf.compile(credit.model(kind), plausibility=frame)
        found.append(("credit", kind, c, frame, lambda rows, c=c: c.predict(rows)))
    return found


def measured(c: symcf.Compiled, X: Any, predict: Any, **question: Any) -> dict[str, Any]:
    """The k cheapest counterfactuals of some rows."""
    unlikely = total = without = late = 0
    seconds, rows, before = [], [], []
    for i in range(0, len(X), max(1, len(X) // ROWS)):
        row = X.iloc[[i]]
        start = time.process_time()
        e = c.explain(row, k=K, max_changes=MOST_CHANGES, time_limit=20, **question)
        shares = [cf.plausibility for cf in e]
        seconds.append(time.process_time() - start)
        late += not e.complete
        without += e.complete and not e.sets
        total += len(shares)
        unlikely += sum(share < LEAST for share in shares)
        rows += [cf.row for cf in e]
        before += [predict(row)[0]] * len(shares)
    changed = pd.concat(rows) if rows else X.iloc[:0]
    return {
        "rows": len(seconds),
        "counterfactuals": total,
        "unlikely": unlikely,
        "without": without,
        "late": late,
        "not_flipped": int((predict(changed) == np.array(before)).sum()) if rows else 0,
        "seconds": float(np.median(seconds)),
    }


ASKED = {
    "nearest": {},
    "likeliest": {"select": "likeliest"},
    "plausible": {"min_plausibility": LEAST},
}


def main() -> None:
    common.parser(__doc__).parse_args()
    results = []
    for data, kind, c, X, predict in cases():
        found = {name: measured(c, X, predict, **asked) for name, asked in ASKED.items()}
        results.append({"data": data, "model": kind, **found})
        shares = [found[name]["unlikely"] / max(1, found[name]["counterfactuals"]) for name in ASKED]
        times = [f"{1e3 * f['seconds']:.1f} ms" for f in found.values()]
        others = [[f[key] for f in found.values()] for key in ("without", "late", "not_flipped")]
        print(data, kind, [f"{share:.0%}" for share in shares], times, *others, flush=True)
    settings = {"least": LEAST, "max_changes": MOST_CHANGES, "k": K}
    common.write(
        "plausibility", {"machine": common.machine(), "load": os.getloadavg()[0], **settings, "results": results}
    )


if __name__ == "__main__":
    main()
