"""The nearest row of forests and boosted trees (``cost="distance", k=1``): CPU milliseconds until it is proved, the
share of rows proved within the limit, and how soon there is a first row.

    python bench/nearest.py [--rows 20] [--limit 10] [--only NAME]

Milliseconds are those of the engine `boxes`, processor time of the thread; reading the row and writing the answer out
are left out, and ``call`` is the whole call of `explain`. The limit is seconds on the clock. Needs xgboost,
lightgbm and catboost.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

import symcf
from symcf import _core
from symcf.question.case import case_of
from symcf.question.question import Question
from symcf.question.steps import Steps
from symcf.search.box_moves import BoxMoves
from symcf.search.boxes import BoxSearch
from symcf.search.protocol import AUTO


def models() -> Iterator[tuple[str, Callable[[], Any], Any]]:
    """Name, what fits an estimator, and its table."""
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    x, y = load_breast_cancer(return_X_y=True, as_frame=True)
    z, w = make_classification(2000, 20, n_informative=12, random_state=0)
    z = pd.DataFrame(z, columns=[f"c{j}" for j in range(20)])
    cat = {"verbose": 0, "allow_writing_files": False, "random_state": 0}
    yield "XGBoost 100 × 6", lambda: XGBClassifier(n_estimators=100, max_depth=6, random_state=0).fit(x, y), x
    yield "HistGradientBoosting 100", lambda: HistGradientBoostingClassifier(random_state=0).fit(x, y), x
    yield "LightGBM 300", lambda: LGBMClassifier(n_estimators=300, random_state=0, verbose=-1).fit(x, y), x
    yield "RandomForest 100", lambda: RandomForestClassifier(100, random_state=0).fit(x, y), x
    yield "CatBoost 200 × 6", lambda: CatBoostClassifier(iterations=200, depth=6, **cat).fit(x, y), x
    yield "20 columns, XGBoost 100 × 6", lambda: XGBClassifier(n_estimators=100, random_state=0).fit(z, w), z
    yield "20 columns, LightGBM 300", lambda: LGBMClassifier(n_estimators=300, random_state=0, verbose=-1).fit(z, w), z
    yield (
        "20 columns, RandomForest 100, depth 10",
        lambda: RandomForestClassifier(100, max_depth=10, random_state=0).fit(z, w),
        z,
    )


def measure(compiled: symcf.Compiled, rows: Any, limit: float) -> dict[str, Any]:
    """The figures of one model."""
    seconds, first, call, gaps, proved = [], [], [], [], 0
    for i in range(len(rows)):
        row = compiled.encoder.read_one(rows.iloc[i])
        case = case_of(Question.checked(compiled, cost="distance", ranked=True), row)
        search = BoxSearch.make(case.question, AUTO)
        assert isinstance(search, BoxSearch)
        moves = BoxMoves(case, Steps(case), search)
        query, cost, rank = moves.query_of({c: len(places) for c, (places, *_) in enumerate(moves._priced)})
        ((ensemble, goal),) = search.ensembles(query.goal)
        start = time.thread_time()
        row, total, bound, status, _, soon = _core.nearest_row(ensemble, query.core(), *goal, cost, rank, limit)
        seconds.append(time.thread_time() - start)
        proved += status == "complete"
        if row is not None:
            first.append(soon)
            gaps.append(1 - bound / total)
        start = time.thread_time()
        compiled.explain(rows.iloc[i], cost="distance", k=1, engine="boxes", time_limit=limit)
        call.append(time.thread_time() - start)
    return {
        "rows": len(rows),
        "proved": proved,
        "ms": {"median": 1e3 * float(np.median(seconds)), "most": 1e3 * max(seconds)},
        "first_ms": {"median": 1e3 * float(np.median(first)), "most": 1e3 * max(first)},
        "call_ms": {"median": 1e3 * float(np.median(call)), "most": 1e3 * max(call)},
        "largest_gap": max(gaps),
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    results: dict[str, Any] = {}
    for name, fit, table in models():
        if given.only not in name:
            continue
        load = os.getloadavg()[0]
        compiled = symcf.compile(fit(), data=table)
        rows = table.iloc[:: max(1, len(table) // given.rows)][: given.rows]
        results[name] = measure(compiled, rows, given.limit) | {"load": load}
        print(name, results[name], flush=True)
    if not given.only:
        common.write(
            "nearest",
            {"machine": common.machine(), "clock": "processor time", "limit": given.limit, "models": results},
        )
    common.print_table(
        ("model", "first row, ms", "proved, ms: median", "most", "whole call, ms", "proved"),
        [
            (
                name,
                f"{found['first_ms']['median']:.1f}",
                f"{found['ms']['median']:.1f}",
                f"{found['ms']['most']:.0f}",
                f"{found['call_ms']['median']:.1f}",
                f"{found['proved']}/{found['rows']}",
            )
            for name, found in results.items()
        ],
    )


if __name__ == "__main__":
    main()
