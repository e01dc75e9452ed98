"""The columns of the credit data: what they are called, what they hold, and how they are read from CSV."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["BOOLEANS", "CATEGORIES", "DECISION", "ID", "NUMBERS", "parsed", "read_table", "written"]

ID, DECISION = "applicant", "decision"
NUMBERS = ("age", "income", "savings", "late_payments", "loan", "months")
CATEGORIES = ("sex", "job", "housing", "purpose")
BOOLEANS = ("guarantor", "member")


def written(value: Any) -> str:
    """A value as a cell of CSV: an empty cell is missing, booleans are ``true`` and ``false``."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def parsed(name: str, cell: str) -> Any:
    """The inverse of `written`; None for what is missing."""
    if name in NUMBERS:
        return int(cell) if cell else None
    return cell == "true" if name in BOOLEANS else cell


def read_table(lines: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """The columns of a CSV file. Numbers that are missing are NaN, and their column is one of floats."""
    rows = list(csv.DictReader(lines))
    return {name: _column([parsed(name, row[name]) for row in rows]) for name in rows[0]}


def _column(values: list[Any]) -> npt.NDArray[Any]:
    if isinstance(values[0], str):
        return np.array(values, dtype=object)
    if None in values:
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(values)
