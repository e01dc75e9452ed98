"""How time grows with size: every engine, and every option on the engine that answers it by default.

    python bench/growth.py [--rows 5]
                                    three minutes; prints tables, writes results/growth.json; --quick

Milliseconds of processor time per row, means over the rows. The exponent is that of the size: 2 means that twice the
size takes four times as long. It is the slope of the least squares line through the logarithms, over the sizes that
took more than a hundredth of a millisecond. Where the time is exponential in the size, the exponent itself grows; the
largest size then says more than the exponent. A series ends where a row took more than `ENOUGH` seconds.

boxes    XGBoost on `make_classification`: 100 trees of depth 6 over 20 columns, of which one figure is varied; all sets
         of up to 1, 2 and 3 changes
engines  all change sets of random naive Bayes classifiers as in the paper, by the number of features; all sets of up to
         two changes by the number of columns for `boxes` (a forest of 50 trees, and a scaled logistic regression under
         a relation), `bounds` (a network of one hidden layer) and `query` (a black box)
options  on naive Bayes classifiers: what each adds to the plain question, by the number of features
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import fmean
from typing import Any

import common
import numpy as np
from batch import random_rows
from common import Spread
from ensembles import timed
from sklearn.datasets import make_classification

import symcf
from symcf.common.clock import NO_LIMIT
from symcf.question.case import Case
from symcf.question.question import Question
from symcf.search.plan import plan
from symcf.search.protocol import Options

#: Seconds of one row after which a series ends.
ENOUGH = common.sized(0.5, 0.1)
#: So many times `ENOUGH` in a single row, and the size is not measured at all.
LATE = 8
#: Milliseconds below which a time says nothing about growth.
NOTHING = 0.01

Ask = Callable[[], object]


# --- the engine boxes, in detail --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    trees: int = 100
    depth: int = 6
    columns: int = 20


START = common.sized(Size(), Size(5, 3, 8))
TREES, DEPTHS, COLUMNS = common.sized(
    ((25, 50, 100, 200, 400), (2, 4, 6, 8, 10), (10, 20, 30, 40, 60)), ((5, 10), (2, 3), (8, 10))
)
CHANGES = common.sized((1, 2, 3, 4), (1, 2))


@cache
def queries(size: Size, n_rows: int) -> tuple[Any, list[Any], int]:
    """The engine, a question per row, and the leaves of the trees."""
    from xgboost import XGBClassifier

    x, y = make_classification(5_000, size.columns, n_informative=size.columns // 2, random_state=0)
    model = XGBClassifier(n_estimators=size.trees, max_depth=size.depth, random_state=0).fit(x, y)
    c = symcf.compile(symcf.from_model(model, data=x))
    question = Question.checked(c)
    rows = x[:: len(x) // n_rows][:n_rows]
    asked = [Case(question, c.codes(row[None, :]).astype(np.uint32)).query for row in rows]
    return plan(question, Options("boxes")).search(), asked, c.decision.ensemble.n_leaves  # type: ignore[attr-defined]


def measure(size: Size, most: int, n_rows: int) -> dict[str, Any]:
    engine, asked, leaves = queries(size, n_rows)
    figures, sets = [], []
    for query in asked:
        limited = replace(query, max_changes=most)
        figure, answers = timed(lambda q=limited: list(engine.steps(q, None, NO_LIMIT)))
        figures.append(figure)
        sets.append(sum(len(answer.sets) for answer in answers))
    return {"leaves": leaves, "ms": Spread.of(figures), "sets": Spread.of(sets)}


def boxes(n_rows: int) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, sizes in (("trees", TREES), ("depth", DEPTHS), ("columns", COLUMNS)):
        found[name] = {
            str(value): {str(most): measure(replace(START, **{name: value}), most, n_rows) for most in (1, 2, 3)}
            for value in sizes
        }
        queries.cache_clear()
        print_growth(name, found[name])
    found["changes"] = {str(most): {str(most): measure(START, most, n_rows)} for most in CHANGES}
    print_growth("changes", found["changes"])
    return found


def print_growth(name: str, by_value: dict[str, Any]) -> None:
    print()
    common.print_table(
        (name, "leaves", "changes", "ms", "sets"),
        [
            (value, one["leaves"], most, f"{one['ms'].median:.2f}", f"{one['sets'].median:.0f}")
            for value, by_most in by_value.items()
            for most, one in by_most.items()
        ],
    )


# --- engines and options ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Series:
    """A question that is asked at several sizes."""

    group: str
    name: str
    #: What the size is.
    size: str
    sizes: tuple[int, ...]
    #: By size and number of rows, a question per row.
    ask: Callable[[int, int], list[Ask]]


FEATURES = (10, 15, 20, 25, 30, 35, 40)


@cache
def instances(n: int, count: int) -> list[tuple[symcf.Compiled, Any]]:
    """Rows, each of another classifier: classifiers of one size differ by an order of magnitude."""
    compiled = map(symcf.compile, common.random_classifiers(n, count, seed=2))
    return list(zip(compiled, random_rows(count, n, seed=4), strict=True))


def explaining(n: int, n_rows: int, **options: Any) -> list[Ask]:
    return [partial(c.explain, row, **options) for c, row in instances(n, n_rows)]


def calling(n: int, n_rows: int, *, call: str, **options: Any) -> list[Ask]:
    return [partial(getattr(c, call), row, **options) for c, row in instances(n, n_rows)]


def related(n: int, n_rows: int) -> list[Ask]:
    return explaining(n, n_rows, constraints=["x0 = 1 -> x1 = 0"])


def by_value(n: int, n_rows: int) -> list[Ask]:
    """Costs that depend on the new value: features of four ordered values."""
    rng = np.random.default_rng([n, 8])
    tables = [rng.dirichlet(np.full(4, 2.0), 2) for _ in range(n)]
    c = symcf.compile(symcf.NaiveBayes([0.6, 0.4], tables, ordered=True))
    rows = rng.integers(0, 4, (n_rows, n))
    return [partial(c.explain, row, cost="ordinal", k=3) for row in rows]


def moves(n: int, n_rows: int) -> list[Ask]:
    return explaining(n, n_rows, minimality="moves", max_changes=3)


def plausible(n: int, n_rows: int) -> list[Ask]:
    rows = random_rows(1_000, n, seed=7)
    (model,) = common.random_classifiers(n, 1, seed=2)
    c = symcf.compile(model, plausibility=rows)
    return [partial(c.explain, row, k=3, min_plausibility=0.05) for row in random_rows(n_rows, n, seed=4)]


def several(n: int, n_rows: int) -> list[Ask]:
    c = symcf.compile(list(common.random_classifiers(n, 2, seed=2)))
    rows = [row for row in random_rows(200, n, seed=4) if c.predict(row[None])[0] == c.classes[0]][:n_rows]
    return [partial(c.explain, row, k=3) for row in rows]


def certifying(n: int, n_rows: int) -> list[Ask]:
    return [c.explain(row).certificate for c, row in instances(n, n_rows)]


def verifying(n: int, n_rows: int) -> list[Ask]:
    return [partial(symcf.verify, c, row, c.explain(row)) for c, row in instances(n, n_rows)]


def table(n: int) -> tuple[Any, Any]:
    x, y = make_classification(1_000, n, n_informative=n // 2, random_state=0)
    import pandas as pd

    return pd.DataFrame(x, columns=[f"c{j}" for j in range(n)]).round(3), y


def numbers(n: int, n_rows: int, **options: Any) -> list[Ask]:
    """A scaled logistic regression."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = table(n)
    c = symcf.compile(make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y), data=x)
    return [partial(c.explain, x.iloc[i], **options) for i in range(n_rows)]


def forest(n: int, n_rows: int) -> list[Ask]:
    from sklearn.ensemble import RandomForestClassifier

    x, y = table(n)
    c = symcf.compile(RandomForestClassifier(50, max_depth=6, random_state=0).fit(x, y), data=x)
    return [partial(c.explain, x.iloc[i], max_changes=2, engine="boxes") for i in range(n_rows)]


def network(n: int, n_rows: int, *, black_box: bool = False) -> list[Ask]:
    from sklearn.neural_network import MLPClassifier

    x, y = table(n)
    model = MLPClassifier((16,), max_iter=300, random_state=0).fit(x.to_numpy(), y)
    rows = x.to_numpy()
    c = symcf.compile(symcf.from_predict(model, rows)) if black_box else symcf.compile(model, data=rows)
    return [partial(c.explain, rows[i], max_changes=2, time_limit=ENOUGH) for i in range(n_rows)]


ALL = (
    *(Series("engines", name, "features", sizes, partial(explaining, engine=name)) for name, sizes in (
        ("cover", FEATURES), ("diagram", FEATURES), ("sat", FEATURES[:5]), ("sat-portable", FEATURES[:4]),
    )),
    Series("engines", "boxes", "columns", (10, 20, 40, 80), forest),
    Series("engines", "boxes over lines, one relation", "columns", (5, 10, 20, 40),
           partial(numbers, constraints=["c0 <= c1"], max_changes=2)),
    Series("engines", "bounds", "columns", (5, 10, 20, 40), network),
    Series("engines", "query", "columns", (5, 10, 20, 40), partial(network, black_box=True)),
    Series("options", "all sets", "features", FEATURES, explaining),
    Series("options", "k=10", "features", (*FEATURES, 100, 1_000), partial(explaining, k=10)),
    Series("options", "max_changes=2", "features", (*FEATURES, 100, 1_000), partial(explaining, max_changes=2)),
    Series("options", "cost per feature, k=10", "features", FEATURES,
           lambda n, m: explaining(n, m, k=10, cost=[1 + j % 3 for j in range(n)])),
    Series("options", "cost by value, k=3", "features", (8, 12, 16, 24, 48), by_value),
    Series("options", "constraints, one relation", "features", FEATURES, related),
    Series("options", "minimality='moves', up to 3 changes", "features", FEATURES, moves),
    Series("options", "diverse=3", "features", FEATURES[:4], partial(explaining, diverse=3)),
    Series("options", "min_plausibility, k=3", "features", FEATURES[:4], plausible),
    Series("options", "two models, k=3", "features", FEATURES[:4], several),
    Series("options", "count", "features", FEATURES, partial(calling, call="count")),
    Series("options", "why", "features", FEATURES[:5], partial(calling, call="why")),
    Series("options", "why, k=1", "features", FEATURES, partial(calling, call="why", k=1)),
    Series("options", "attribute, 'shapley'", "features", FEATURES[:5],
           partial(calling, call="attribute", method="shapley")),
    Series("options", "certificate", "features", FEATURES[:4], certifying),
    Series("options", "verify", "features", FEATURES[:4], verifying),
    Series("options", "numbers: k=1", "columns", (10, 20, 40, 80), partial(numbers, k=1)),
    Series("options", "numbers: cost='distance', k=1", "columns", (10, 20, 40), partial(numbers, k=1, cost="distance")),
)  # fmt: skip


def exponent(points: list[tuple[int, float]]) -> float | None:
    """The slope of the logarithms; None if there are fewer than two points that say something."""
    good = [(math.log(size), math.log(ms)) for size, ms in points if ms > NOTHING]
    if len(good) < 2:
        return None
    x, y = zip(*good, strict=True)
    return float(np.polyfit(x, y, 1)[0])


def least(ask: Ask, turns: int = 3) -> float:
    """Seconds of a question: the least of some turns, or of one that took long."""
    taken = math.inf
    for _ in range(turns):
        start = time.thread_time()
        ask()
        taken = min(taken, time.thread_time() - start)
        if taken > 0.05:
            break
    return taken


def points_of(series: Series, n_rows: int) -> Iterator[tuple[int, float]]:
    """Sizes and milliseconds per row."""
    for size in series.sizes[: common.sized(None, 2)]:
        asked = series.ask(size, n_rows)
        for one in asked:  # diagrams, clauses and the like are made once
            start = time.thread_time()
            one()
            if time.thread_time() - start > LATE * ENOUGH:
                return
        figures = [least(one) for one in asked]
        yield size, 1e3 * fmean(figures)
        if fmean(figures) > ENOUGH:
            break


def main() -> None:
    """Measures, prints and writes bench/results/growth.json."""
    parser = common.parser(__doc__)
    parser.add_argument("--rows", type=int, default=common.sized(5, 2))
    parser.add_argument("--only", help="series with this in their name; writes nothing")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    found = []
    for series in ALL:
        if given.only and given.only not in series.name:
            continue
        points = list(points_of(series, given.rows))
        slope = exponent(points)
        found.append({"group": series.group, "name": series.name, "size": series.size, "points": points,
                      "exponent": slope})  # fmt: skip
        shown = ", ".join(f"{size}: {ms:.3g}" for size, ms in points)
        print(f"{series.group}, {series.name}: {shown} ms by {series.size}; exponent "
              f"{'-' if slope is None else f'{slope:.1f}'}", flush=True)  # fmt: skip
    if given.only:
        return
    by = boxes(given.rows)
    common.write("growth", {"machine": common.machine(), "load": load, "rows": given.rows, "by": by, "series": found})


if __name__ == "__main__":
    main()
