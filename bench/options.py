"""What options cost: batches with costs by value, distances and a relation, against the plain batch; the cheapest of
billions of sets; one row.

    python bench/options.py         half a minute; prints tables, writes results/options.json; --quick
    python bench/options.py --all   two minutes; also plausible rows, relations, single rows and predictions

The plain batch and the others explain the same rows in turns; ratios are turn by turn. Rows differ in their codes, so
that none is solved once for several. The diagrams of a relation are built before the clock starts, as for every batch
after the first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import common
import numpy as np
from common import Spread

import symcf
from symcf.data.intervals import Intervals
from symcf.fast import explain_batch

TURNS = common.sized(5, 1)

#: Features, values of each, rows.
SIZES = common.sized(((8, 4, 4_000), (10, 3, 4_000), (14, 4, 1_000)), ((8, 4, 200),))

#: The most that an option may take, in plain batches.
WANTED = 10


def model_of_ranges(n: int, d: int, rng: np.random.Generator) -> symcf.Compiled:
    """Sums of weights over ranges of n columns of numbers."""
    names = [f"x{j}" for j in range(n)]
    cuts = [np.sort(rng.normal(size=d - 1)).round(3).tolist() for _ in names]
    weights = [(rng.normal(size=d) * 1000).astype(int).tolist() for _ in names]
    values = [[f"range {v}" for v in range(d)] for _ in names]
    encoder = Intervals(names, cuts)
    return symcf.compile(
        symcf.LinearClassifier(weights, 100, features=names, values=values, ordered=True, encoder=encoder)
    )


def rows_of(compiled: symcf.Compiled, count: int, rng: np.random.Generator) -> np.ndarray:
    """Rows of numbers that differ in their codes."""
    rows = rng.normal(size=(4 * count, compiled.n_features)).round(3)
    first = np.unique(compiled.codes(rows), axis=0, return_index=True)[1]
    return rows[np.sort(first)[:count]]


def batches(n: int, d: int, count: int) -> dict[str, Any]:
    """Microseconds per row and ratios, by option, for all sets and for the three cheapest."""
    rng = np.random.default_rng([n, d])
    compiled = model_of_ranges(n, d, rng)
    rows = rows_of(compiled, count, rng)
    options: dict[str, dict[str, Any]] = {
        "plain": {},
        "one number per feature": {"cost": [1 + j % 3 for j in range(n)]},
        "ordinal": {"cost": "ordinal"},
        "distance": {"cost": "distance", "scale": "mad", "data": rows},
        "one relation": {"constraints": ["x0 = 'range 1' -> x1 != 'range 0'"]},
        "moves": {"minimality": "moves"},
        "three that differ": {"diverse": 3},
    }
    found: dict[str, Any] = {"features": n, "values": d, "rows": len(rows)}
    for k in (None, 3):
        works: dict[str, Callable[[], object]] = {
            name: lambda asked=asked, k=k: explain_batch(compiled, rows, k=k, **asked)  # type: ignore[misc]
            for name, asked in options.items()
        }
        timings = common.in_turns(works, TURNS)
        found["all" if k is None else f"k={k}"] = {
            name: {
                "microseconds per row": Spread.of(1e6 * seconds / len(rows) for seconds in timing.turns),
                "times plain": timing.over(timings["plain"]),
            }
            for name, timing in timings.items()
        }
    found["sets per row"] = explain_batch(compiled, rows).n_sets / len(rows)
    return found


def plausible(n: int, d: int, count: int) -> dict[str, Any]:
    """Microseconds per row and ratios where changed rows have to be plausible: rows of a population whose columns
    depend on each other, and 2,000 other rows of it as data.
    """
    rng = np.random.default_rng([n, d, 1])

    def people(count: int) -> np.ndarray:
        return ((rng.normal(size=(count, 1)) + rng.normal(size=(count, n))) * 0.7).round(3)

    model = model_of_ranges(n, d, rng).model
    compiled = symcf.compile(model, plausibility=people(2_000))
    rows = people(4 * count)
    rows = rows[np.sort(np.unique(compiled.codes(rows), axis=0, return_index=True)[1])[:count]]
    found: dict[str, Any] = {"features": n, "values": d, "rows": len(rows)}
    for k in (None, 3):
        works: dict[str, Callable[[], object]] = {
            "plain": lambda k=k: explain_batch(compiled, rows, k=k),  # type: ignore[misc]
            "plausible": lambda k=k: explain_batch(compiled, rows, k=k, min_plausibility=0.05),  # type: ignore[misc]
        }
        timings = common.in_turns(works, TURNS)
        found["all" if k is None else f"k={k}"] = {
            "microseconds per row": {
                name: Spread.of(1e6 * seconds / len(rows) for seconds in timing.turns)
                for name, timing in timings.items()
            },
            "times plain": timings["plausible"].over(timings["plain"]),
        }
    return found


def cheapest_of_billions(rows: int = common.sized(60, 4), n: int = 48, d: int = 4, k: int = 3) -> dict[str, Any]:
    """Milliseconds per row for the k cheapest by steps, of a naive Bayes classifier as spam filters are."""
    rng = np.random.default_rng(0)
    model = symcf.NaiveBayes([0.6, 0.4], [rng.dirichlet(np.full(d, 2.0), 2) for _ in range(n)], ordered=True)
    compiled = symcf.compile(model)
    table = rng.integers(0, d, (50 * rows, n))
    # Those far from the boundary have the most change sets.
    surest = np.argsort(-np.abs(compiled.decision_function(table)))
    chosen = table[np.concatenate([surest[: rows // 2], surest[-(rows // 2) :]])].tolist()
    seconds = []
    for row in chosen:
        start = time.thread_time()
        explanation = compiled.explain(row, cost="ordinal", k=k)
        seconds.append(time.thread_time() - start)
        assert explanation.complete
    return {
        "features": n,
        "values": d,
        "k": k,
        "milliseconds per row": Spread.of(1e3 * each for each in seconds),
        "change sets of the first row, at least": compiled.count_bounds(chosen[0])[0],
    }


def related(rules: int = 8, n: int = 36) -> dict[str, Any]:
    """Milliseconds for the cheapest set of a first row under rules between pairs of features: without a diagram, and
    with one.
    """
    rng = np.random.default_rng(0)
    weights = [int(weight) for weight in rng.normal(size=n) * 1000]
    row = rng.integers(0, 2, n).tolist()

    def first(engine: str) -> symcf.Explanation:
        compiled = symcf.compile(symcf.LinearClassifier(weights, -sum(weights) // 2))
        pairs = [compiled.features[2 * i : 2 * i + 2] for i in range(rules)]
        constraints = [symcf.implies({a: [1]}, {b: [0]}) for a, b in pairs]
        return compiled.explain(row, constraints=constraints, k=1, engine=engine)

    assert first("cover").sets == first("diagram").sets
    timings = common.in_turns({engine: lambda engine=engine: first(engine) for engine in ("cover", "diagram")}, TURNS)  # type: ignore[misc]
    spread = {name: Spread.of(1e3 * seconds for seconds in timing.turns) for name, timing in timings.items()}
    return {"features": n, "rules": rules, "milliseconds": spread}


def one_row(columns: int = 10) -> dict[str, Any]:
    """Milliseconds for one row of a pipeline, given as a mapping and as a list."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer

    rng = np.random.default_rng(1)
    table = rng.normal(size=(500, columns)).round(3)
    classes = (table @ rng.normal(size=columns) > 0).astype(int)
    bins = KBinsDiscretizer(4, encode="onehot-dense", strategy="quantile", quantile_method="averaged_inverted_cdf")
    compiled = symcf.compile(symcf.from_sklearn(make_pipeline(bins, LogisticRegression()).fit(table, classes)))
    rows = table[:100].tolist()
    works: dict[str, Callable[[], object]] = {
        "explain": lambda: [compiled.explain(row) for row in rows],
        "explain, k=1": lambda: [compiled.explain(row, k=1) for row in rows],
        "explain, k=1, first counterfactual": lambda: [compiled.explain(row, k=1)[0] for row in rows],
    }
    timings = common.in_turns(works, TURNS)
    return {name: Spread.of(1e3 * seconds / len(rows) for seconds in timing.turns) for name, timing in timings.items()}


def wide_row(columns: tuple[int, ...] = (30, 100, 500)) -> dict[str, Any]:
    """Milliseconds for the cheapest set of one raw row of a scaled regression, by its form and number of columns."""
    import pandas as pd
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    found = {}
    for n in columns:
        rng = np.random.default_rng(n)
        X = pd.DataFrame(rng.normal(size=(300, n)), columns=[f"c{j}" for j in range(n)])
        classes = (X.to_numpy() @ rng.normal(size=n) > 0).astype(int)
        compiled = symcf.compile(make_pipeline(StandardScaler(), LogisticRegression()).fit(X, classes), data=X)
        forms = {"frame": X.iloc[[0]], "series": X.iloc[0], "mapping": X.iloc[0].to_dict(), "list": X.iloc[0].tolist()}
        works: dict[str, Callable[[], object]] = {
            name: lambda row=row, compiled=compiled: [compiled.explain(row, k=1) for _ in range(10)]  # type: ignore[misc]
            for name, row in forms.items()
        }
        timings = common.in_turns(works, TURNS)
        found[f"{n} columns"] = {
            name: Spread.of(1e3 * seconds / 10 for seconds in timing.turns) for name, timing in timings.items()
        }
    return found


def many_rows(count: int = 10_000) -> dict[str, Any]:
    """Milliseconds for the labels of many raw rows, beside the estimator's own `predict`."""
    import pandas as pd
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    rows = pd.concat([X] * (count // len(X) + 1), ignore_index=True).iloc[:count]
    bins = KBinsDiscretizer(5, quantile_method="averaged_inverted_cdf")
    kinds = {
        "scaled regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
        "regression over bins": make_pipeline(bins, LogisticRegression(max_iter=500)),
        "tree": DecisionTreeClassifier(max_depth=6, random_state=0),
        "forest of 50": RandomForestClassifier(50, random_state=0),
        "histogram boosting": HistGradientBoostingClassifier(random_state=0),
    }
    found = {}
    for name, estimator in kinds.items():
        estimator.fit(X, y)
        compiled = symcf.compile(estimator, data=X)
        assert (compiled.predict(rows) == estimator.predict(rows)).all()
        timings = common.in_turns(
            {
                "symcf": lambda compiled=compiled: compiled.predict(rows),  # type: ignore[misc]
                "estimator": lambda estimator=estimator: estimator.predict(rows),  # type: ignore[misc]
            },
            TURNS,
        )
        found[name] = {
            "milliseconds": Spread.of(1e3 * seconds for seconds in timings["symcf"].turns),
            "times estimator": timings["symcf"].over(timings["estimator"]),
        }
    return {"rows": count, "kinds": found}


def everything() -> dict[str, Any]:
    """What --all adds."""
    likely = [plausible(*size) for size in SIZES]
    print()
    common.print_table(
        ("batch of plausible rows", "all: µs per row", "times plain", "k=3: µs per row", "times plain"),
        [
            (
                f"{found['features']} features of {found['values']} ranges",
                *(
                    f"{figure:.1f}"
                    for which in ("all", "k=3")
                    for figure in (found[which]["microseconds per row"]["plausible"], found[which]["times plain"])
                ),
            )
            for found in likely
        ],
    )
    rules = related()
    print(f"cheapest set under {rules['rules']} rules, {rules['features']} features: "
          f"{', '.join(f'{name} {spread:.1f} ms' for name, spread in rules['milliseconds'].items())}")  # fmt: skip
    single = one_row()
    for name, spread in single.items():
        print(f"{name}: {spread:.3f} ms")
    wide = wide_row()
    for name, forms in wide.items():
        print(f"one row, k=1, {name}: {', '.join(f'{form} {spread:.3f} ms' for form, spread in forms.items())}")
    many = many_rows()
    print()
    common.print_table(
        (f"predict, {many['rows']} raw rows", "ms", "times the estimator"),
        [(name, *(f"{figure:.1f}" for figure in found.values())) for name, found in many["kinds"].items()],
    )
    return {"plausible": likely, "related": rules, "one row": single, "wide row": wide, "predict": many}


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    tables = [batches(*size) for size in SIZES]
    for found in tables:
        print(f"\n{found['features']} features of {found['values']} ranges, {found['sets per row']:.0f} sets per row")
        names = found["all"]
        common.print_table(
            ("batch", "all: µs per row", "times plain", "k=3: µs per row", "times plain"),
            [
                (
                    name,
                    *(f"{found[which][name][what]:.1f}" for which in ("all", "k=3") for what in names[name]),
                )
                for name in names
            ],
        )
    billions = cheapest_of_billions()
    print(f"\n{billions['k']} cheapest by steps, {billions['features']} features: "
          f"{billions['milliseconds per row']:.1f} ms per row")  # fmt: skip
    more = everything() if given.all else {}
    options = ("ordinal", "distance", "one relation")
    worst = max(
        found[which][name]["times plain"].median for found in tables for which in ("all", "k=3") for name in options
    )
    print(f"\nthe dearest option takes {worst:.1f} plain batches; wanted: at most {WANTED}")
    common.write(
        "options",
        {
            "machine": common.machine(),
            "load": os.getloadavg()[0],
            "batches": tables,
            "cheapest": billions,
            "worst": worst,
            **more,
        },
    )


if __name__ == "__main__":
    main()
