"""How the engine `boxes` grows: with the number of trees, their depth, the number of columns, and the changes allowed.

    python bench/growth.py [--rows 12]        five minutes; prints tables, writes results/growth.json

XGBoost on `make_classification`, 5,000 rows, half of the columns informative: 100 trees of depth 6 over 20 columns, of
which one figure is varied, and all sets of up to 1, 2 and 3 changes. CPU milliseconds per row, of the
engine alone; medians over the rows, with the least and the most.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import common
import numpy as np
from common import Spread
from ensembles import timed
from sklearn.datasets import make_classification

import symcf
from symcf.common.clock import NO_LIMIT
from symcf.question.case import Case
from symcf.question.question import Question
from symcf.search.plan import plan
from symcf.search.protocol import Options


@dataclass(frozen=True)
class Size:
    trees: int = 100
    depth: int = 6
    columns: int = 20


START = Size()
TREES, DEPTHS, COLUMNS, CHANGES = (25, 50, 100, 200, 400), (2, 4, 6, 8, 10), (10, 20, 30, 40, 60), (1, 2, 3, 4)


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


def main() -> None:
    """Measures, prints and writes bench/results/growth.json."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=12)
    n_rows = parser.parse_args().rows
    load = os.getloadavg()[0]
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
    common.write("growth", {"machine": common.machine(), "load": load, "rows": n_rows, "by": found})


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


if __name__ == "__main__":
    main()
