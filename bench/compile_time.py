"""How compiling a linear model grows: with the categories of a column, and with the number of columns.

    python bench/compile_time.py        two minutes; prints tables, writes results/compile_time.json

CPU seconds for `symcf.compile(model, data=table)`, the least of three runs, and the growth exponent from
one size to the next: 1 where twice the size takes twice the time.
"""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import common
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import symcf

SIZES = {"categories": (100, 200, 400, 800, 1600, 3200, 6400), "columns": (250, 500, 1000, 2000, 4000)}
RUNS = 3


def categories(count: int) -> tuple[Any, pd.DataFrame]:
    """A column of so many categories, some cells missing, and one of numbers."""
    rng = np.random.default_rng(0)
    names = np.array([f"job {i}" for i in range(count)], dtype=object)
    job = np.concatenate([names, rng.choice(names, 3 * count)])
    job[-1] = np.nan
    table = pd.DataFrame({"job": job, "age": rng.integers(18, 80, len(job)) + 0.5})
    encoder = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    steps = make_column_transformer((encoder, ["job"]), (SimpleImputer(), ["age"]))
    return make_pipeline(steps, LogisticRegression(max_iter=5)).fit(table, rng.integers(0, 2, len(job))), table


def columns(count: int) -> tuple[Any, pd.DataFrame]:
    """So many columns of numbers, 300 rows."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(300, count)).round(3), columns=[f"x{j}" for j in range(count)])
    return LogisticRegression(max_iter=5).fit(table, np.arange(300) % 2), table


def seconds(made: Callable[[int], tuple[Any, pd.DataFrame]], count: int) -> float:
    model, table = made(count)
    least = math.inf
    for _ in range(RUNS):
        started = time.process_time()
        symcf.compile(model, data=table)
        least = min(least, time.process_time() - started)
    return least


def main() -> None:
    """Measures, prints and writes bench/results/compile_time.json."""
    warnings.simplefilter("ignore")
    load = os.getloadavg()[0]
    found: dict[str, dict[str, float]] = {}
    for name, made in (("categories", categories), ("columns", columns)):
        seconds(made, 10)  # imports
        found[name] = {str(count): seconds(made, count) for count in SIZES[name]}
        took = list(found[name].values())
        exponents = [math.log2(b / a) for a, b in pairwise(took)]
        print()
        common.print_table(
            (name, "s", f"ms of each of the {name}", "exponent"),
            [
                (count, f"{one:.3f}", f"{1000 * one / count:.3f}", "" if i == 0 else f"{exponents[i - 1]:.2f}")
                for i, (count, one) in enumerate(zip(SIZES[name], took, strict=True))
            ],
        )
    common.write("compile_time", {"machine": common.machine(), "load": load, "seconds": found})


if __name__ == "__main__":
    main()
