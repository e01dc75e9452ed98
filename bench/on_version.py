"""Calls of one version of symcf, timed: what `side_by_side.py --calls` runs in each of the two versions.

    python bench/on_version.py [--only WORD]     prints JSON: the least processor time of each call, in seconds

Runs with 0.2.0 and later: a call is written with the names of today, and `named` gives it those of 0.2.0. A call that a
version does not have is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import symcf
import symcf.fast

OLD = symcf.__version__.startswith("0.2.")

#: Names of today and of 0.2.0, of keywords and of engines.
KEYWORDS = {"select": "values", "minimality": "minimal", "random_state": "seed"}
ENGINES = {"boxes": "trees", "diagram": "minimal"}

#: A call is repeated until so many seconds have passed, in at least `TURNS` turns of at least `TURN` seconds.
SECONDS, TURNS, TURN = 0.3, 3, 0.01

Call = Callable[[], Any]


def named(options: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call, in the words of the version that runs."""
    if not OLD:
        return options
    renamed = {KEYWORDS.get(name, name): value for name, value in options.items()}
    if "engine" in renamed:
        renamed["engine"] = ENGINES.get(renamed["engine"], renamed["engine"])
    return renamed


def least(call: Call) -> float:
    """The shortest of some turns, after one that is not counted."""
    call()
    start = time.process_time()
    call()
    count = 1 + int(TURN / max(time.process_time() - start, 1e-5))
    turns, until = list[float](), time.perf_counter() + SECONDS
    while len(turns) < TURNS or time.perf_counter() < until:
        start = time.process_time()
        for _ in range(count):
            call()
        turns.append((time.process_time() - start) / count)
    return min(turns)


def models() -> Iterator[tuple[str, Any, Any, Any]]:
    """Name, model, rows to explain, and the keywords of `compile`."""
    random = np.random.default_rng(7)
    binary = random.integers(0, 2, (400, 14))
    for n in (14, 22):
        model = symcf.NaiveBayes.binary(prior=0.4, p1=random.uniform(0.05, 0.95, n), p0=random.uniform(0.05, 0.95, n))
        yield f"naive Bayes {n}", model, random.integers(0, 2, (400, n)), {}

    from sklearn.datasets import load_breast_cancer, load_iris
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import BernoulliNB, CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    y = (binary[:, :7].sum(axis=1) + random.normal(0, 1, 400) > 3.5).astype(int)
    yield "BernoulliNB", BernoulliNB().fit(binary, y), binary, {}
    four = random.integers(0, 4, (400, 8))
    y = (four.sum(axis=1) + random.normal(0, 2, 400) > 12).astype(int)
    yield "CategoricalNB, 8 of 4", CategoricalNB().fit(four, y), four, {}
    classes = np.digitize(four.sum(axis=1), [9, 12, 15])
    yield "CategoricalNB, 4 classes", CategoricalNB().fit(four, classes), four, {}
    X, y = load_iris(return_X_y=True, as_frame=True)
    yield "tree, iris", DecisionTreeClassifier(random_state=0).fit(X, y), X, {}
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    yield "tree, cancer", DecisionTreeClassifier(random_state=0).fit(X, y), X, {}
    ten = X.iloc[:, :10]
    yield "scaled regression", make_pipeline(StandardScaler(), LogisticRegression()).fit(ten, y), ten, {"data": ten}
    yield "forest 50", RandomForestClassifier(50, max_depth=5, random_state=0).fit(X, y), X, {}
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    yield "XGBoost 100 x 6", XGBClassifier(n_estimators=100, max_depth=6, n_jobs=1).fit(X, y), X, {}
    yield "LightGBM 50", LGBMClassifier(n_estimators=50, n_jobs=1, verbose=-1).fit(X, y), X, {}


#: Options of one row, beside the plain call.
ROW = {
    "k=1": {"k": 1},
    "select=all": {"k": 3, "select": "all"},
    "minimality=moves": {"minimality": "moves", "k": 3},
    "diverse": {"diverse": 3},
}

#: Engines, which most models have some of.
ENGINE = ("cover", "boxes", "diagram", "sat", "sat-portable")

#: Models whose complete lists are long: up to so many changes.
UP_TO = {"forest 50": 2, "XGBoost 100 x 6": 2, "LightGBM 50": 2, "scaled regression": 3}

#: Models whose diagram does not fit into memory: what needs it is left out.
LARGE = ("forest 50", "XGBoost 100 x 6", "LightGBM 50")


def calls(name: str, model: Any, rows: Any, reading: dict[str, Any]) -> Iterator[tuple[str, Call]]:
    """What is timed of a model."""
    c = symcf.compile(model, **reading)
    large = name in LARGE
    few = rows[:40] if isinstance(rows, np.ndarray) else rows.head(10 if large else 40)
    ones = [few[i] if isinstance(few, np.ndarray) else few.iloc[i] for i in range(2 if large else 5)]
    most = {"max_changes": UP_TO[name]} if name in UP_TO else {}
    names = list(c.features)
    yield "compile", lambda: symcf.compile(model, **reading)
    yield "predict", lambda: c.predict(rows)

    def each(method: str, **options: Any) -> Call:
        return lambda: [getattr(c, method)(row, **named(options)) for row in ones]

    yield "explain", each("explain", **most)
    yield "explain, immutable", each("explain", immutable=names[:2], **most)
    for option, keywords in ROW.items():
        yield f"explain, {option}", each("explain", **{**most, **keywords})
    for engine in ("boxes",) if large else ENGINE:
        yield f"explain, engine {engine}", each("explain", engine=engine, k=3, **most)
    if not large:
        yield "why, k=1", each("why", k=1)
        yield "count", each("count", **most)
    yield "verify", lambda: [symcf.verify(c, row, c.explain(row, k=1)) for row in ones[:2]]
    yield "certificate", lambda: [c.explain(row, k=2).certificate() for row in ones[:2]]

    def batch(**options: Any) -> Call:
        return lambda: symcf.fast.explain_batch(c, few, **named(options))

    yield "batch", batch(**most)
    yield "batch, immutable", batch(immutable=names[:2], **most)
    for option, keywords in ROW.items():
        yield f"batch, {option}", batch(**{**most, **keywords})
    costs = {"k": 3, "cost": dict.fromkeys(names[::2], 2)}
    yield "explain, cost", each("explain", **{**most, **costs})
    yield "batch, cost", batch(**{**most, **costs})
    if hasattr(rows, "columns"):
        nearest = {"k": 1, "cost": "distance", "max_changes": 2}
        if OLD:
            nearest["data"] = rows
        yield "explain, distance", each("explain", **nearest)
        yield "batch, distance", batch(**nearest)
    yield "batch to pandas", lambda: symcf.fast.explain_batch(c, few, k=3, **most).to_pandas()
    yield "batch, as objects", lambda: [list(e) for e in symcf.fast.explain_batch(c, few, k=3, **most)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="calls whose name holds this")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    found: dict[str, float] = {}
    for name, model, rows, reading in models():
        for call, work in calls(name, model, rows, reading):
            if options.only not in f"{name}: {call}":
                continue
            try:
                found[f"{name}: {call}"] = least(work)
            except (symcf.SymcfError, TypeError, ValueError, NotImplementedError) as error:
                print(f"{name}: {call}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
