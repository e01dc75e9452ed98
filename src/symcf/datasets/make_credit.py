"""Makes the credit data: ``python -m symcf.datasets.make_credit FOLDER`` writes what `symcf.datasets.credit` reads.

The people are invented. For each of them a random number is drawn per column, and a clerk decides:

1. age, sex, job and housing come first; income depends on job and age, savings on income and age;
2. the loan is a multiple of the income, and the time to pay it back goes with its size;
3. some incomes and savings are missing: more often those of the self-employed and of the young;
4. the clerk adds up points for what speaks for the loan, is off by a random amount, and approves from 0 points on.
   He holds women's applications to a stricter standard (`BIAS`). Models that learn from his decisions learn that, too:
   it is there to be found.

Only ``random.Random(seed).random()`` is used, whose numbers Python promises to keep, so that the table is the same to
the last byte everywhere. The models are trained by scikit-learn and saved as symcf's JSON; another version of it may
train a little differently.
"""

from __future__ import annotations

import csv
import math
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

from symcf.datasets.packaged import BOOLEANS, CATEGORIES, DECISION, ID, NUMBERS, read_table, written
from symcf.models.base import Model

__all__ = ["main", "people", "trained", "write_table"]

ROWS, SEED = 600, 20

#: Points that the clerk takes off where the applicant is a woman.
BIAS = 0.7

JOBS = (("unskilled", 0.2), ("skilled", 0.42), ("self-employed", 0.15), ("manager", 0.15), ("none", 0.08))
#: Monthly income in the middle of each job.
PAY = {"none": 800.0, "unskilled": 1600.0, "skilled": 2300.0, "self-employed": 2500.0, "manager": 3900.0}
HOUSINGS = (("rent", 0.52), ("own", 0.34), ("with family", 0.14))
PURPOSES = (("car", 0.34), ("furniture", 0.2), ("education", 0.16), ("business", 0.14), ("repairs", 0.16))

NORMAL = NormalDist()


def people(count: int = ROWS, seed: int = SEED) -> list[dict[str, Any]]:
    """The applicants with the clerk's decisions; None where something is missing."""
    draw = random.Random(seed).random
    return [_person(i, draw) for i in range(count)]


def _person(i: int, draw: Callable[[], float]) -> dict[str, Any]:
    def normal() -> float:
        return NORMAL.inv_cdf(min(max(draw(), 1e-9), 1 - 1e-9))

    age = 19 + int(51 * draw() ** 1.5)
    sex = "female" if draw() < 0.48 else "male"
    job = _choice(draw(), JOBS)
    income = 10 * round(PAY[job] * (0.8 + 0.4 * min(age, 50) / 50) * math.exp(0.28 * normal()) / 10)
    housing = _choice(draw(), HOUSINGS if age > 26 else (("rent", 0.5), ("own", 0.06), ("with family", 0.44)))
    savings = 50 * int(max(0.0, income * (age - 15) / 12 * (draw() ** 2)) / 50)
    late = sum(draw() < chance for chance in (0.3, 0.22, 0.15, 0.1))
    loan = 250 * max(2, round(income * (0.8 + 5.5 * draw()) / 250))
    months = min(72, max(6, 6 * round(loan / (0.12 * income + 60) / 6 + 1.2 * normal())))
    guarantor, member = draw() < 0.18, draw() < 0.45
    purpose = _choice(draw(), PURPOSES)
    points = (
        _points(age, job, housing, income, savings, late, loan, months)
        + 1.1 * guarantor
        + 0.4 * member
        + (0.3 if purpose in ("car", "repairs") else -0.3 if purpose == "business" else 0.0)
        - BIAS * (sex == "female")
        + 0.75 * normal()
    )
    hidden = draw() < (0.18 if job == "self-employed" else 0.03)
    unknown = draw() < (0.16 if age < 25 else 0.07)
    return {
        ID: f"A{i + 1:03d}",
        "age": age,
        "sex": sex,
        "job": job,
        "housing": housing,
        "income": None if hidden else income,
        "savings": None if unknown else savings,
        "late_payments": late,
        "loan": loan,
        "months": months,
        "purpose": purpose,
        "guarantor": guarantor,
        "member": member,
        DECISION: "approved" if points >= 0 else "declined",
    }


def _points(age: int, job: str, housing: str, income: int, savings: int, late: int, loan: int, months: int) -> float:
    """What the clerk sees in the figures: the instalment against the income, savings against the loan, the past."""
    burden = loan / months / income
    return (
        2.0
        - 4.5 * burden
        + 0.9 * math.tanh(savings / loan)
        - 0.85 * late
        + {"none": -1.2, "unskilled": -0.4, "skilled": 0.1, "self-employed": -0.2, "manager": 0.4}[job]
        + {"own": 0.6, "rent": 0.0, "with family": -0.1}[housing]
        - (0.6 if age < 23 else 0.0)
        - 0.02 * max(0, months - 36)
        - 0.25 * loan / 5000
    )


def _choice(x: float, shares: Sequence[tuple[str, float]]) -> str:
    for name, share in shares:
        if x < share:
            return name
        x -= share
    return shares[-1][0]


def write_table(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """As CSV: an empty cell is missing, booleans are ``true`` and ``false``."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: written(value) for name, value in row.items()} for row in rows)


# --- models -----------------------------------------------------------------------------------------------------------


def trained(data: Any, target: Any) -> dict[str, Any]:
    """The models of `symcf.datasets.Credit.kinds`, as scikit-learn has them. ``data`` is a DataFrame."""
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    words, counts = [*CATEGORIES, *BOOLEANS], ["late_payments"]
    amounts = [name for name in NUMBERS if name not in counts]

    def columns(for_words: Any, for_amounts: Any, for_counts: Any) -> Any:
        return make_column_transformer((for_words, words), (for_amounts, amounts), (for_counts, counts))

    def fit(steps: Any, estimator: Any, rounded: bool = False) -> Any:
        """With ``rounded``, ranges begin at round numbers: their bounds are those of rounded data."""
        seen = _rounded(data) if rounded else data
        estimator.fit(steps.fit(seen).transform(data), target)
        return make_pipeline(steps, estimator)

    def ranges(encode: str) -> Any:
        bins = KBinsDiscretizer(5, encode=encode, strategy="quantile", quantile_method="inverted_cdf")
        return make_pipeline(SimpleImputer(strategy="median"), bins)

    as_they_are, as_codes = columns(OneHotEncoder(), "passthrough", "passthrough"), OrdinalEncoder()
    boosting = HistGradientBoostingClassifier(max_iter=30, max_leaf_nodes=6, min_samples_leaf=12, random_state=0)
    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    points = columns(OneHotEncoder(), ranges("onehot"), OneHotEncoder())
    return {
        "boosted": fit(columns(as_codes, "passthrough", "passthrough"), boosting),
        "forest": fit(as_they_are, RandomForestClassifier(25, max_depth=5, random_state=0)),
        "logistic": fit(columns(OneHotEncoder(), scaled, StandardScaler()), LogisticRegression()),
        "naive_bayes": fit(columns(as_codes, ranges("ordinal"), OrdinalEncoder()), CategoricalNB(), rounded=True),
        "scorecard": fit(points, LogisticRegression(), rounded=True),
        "tree": fit(as_they_are, DecisionTreeClassifier(max_depth=5, min_samples_leaf=8, random_state=0)),
    }


def _rounded(data: Any) -> Any:
    grid = {"age": 2, "income": 100, "savings": 100, "loan": 500, "months": 6}
    return data.assign(**{name: (data[name] / step).round() * step for name, step in grid.items()})


def converted(estimator: Any, data: Any) -> Model:
    """The same as a model of symcf."""
    from symcf.models.sklearn import from_sklearn

    return from_sklearn(estimator, data=data)


def main(folder: str) -> None:
    """Writes the table and the models."""
    import pandas as pd

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    write_table(target / "credit.csv", people())
    with open(target / "credit.csv", encoding="utf-8", newline="") as lines:
        table = pd.DataFrame(read_table(lines)).set_index(ID)
    decisions = table.pop(DECISION)
    for kind, estimator in trained(table, decisions).items():
        converted(estimator, table).to_json(target / f"{kind}.json")


if __name__ == "__main__":
    main(sys.argv[1])
