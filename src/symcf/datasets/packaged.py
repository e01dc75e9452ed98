"""The credit data as users hold it: a table, the decisions, and models of each kind."""

from __future__ import annotations

import csv
import importlib.util
import math
from collections.abc import Iterable
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import OptionError
from symcf.letters.policy import Policy
from symcf.models.base import Model
from symcf.models.kinds import model_from_json

__all__ = ["BOOLEANS", "CATEGORIES", "DECISION", "ID", "NUMBERS", "Credit", "credit", "parsed", "read_table", "written"]

TABLE, POLICY = "credit.csv", "policy.yaml"
FILES = resources.files("symcf.datasets") / "credit_files"


class Credit:
    """Invented loan applications with the decisions of a clerk, and models that learned from him.

    The clerk was stricter with women, and so are the models: there is something to find. ``make_credit.py`` beside this
    file made everything, and says how.

    >>> import symcf, symcf.datasets
    >>> credit = symcf.datasets.credit()
    >>> credit.features[:6]
    ('age', 'sex', 'job', 'housing', 'income', 'savings')
    >>> credit.row("A002")["job"]
    'skilled'
    """

    #: The models: what they are called, and what they are.
    kinds = ("boosted", "forest", "logistic", "naive_bayes", "scorecard", "tree")
    #: The decisions.
    classes = ("approved", "declined")
    #: The columns that must not matter to a fair decision.
    protected = ("sex",)
    #: The columns that nobody can change on purpose.
    immutable = ("age", "sex")

    def __init__(self) -> None:
        columns = read_table((FILES / TABLE).read_text(encoding="utf-8").splitlines())
        #: What each row is called: "A001", "A002", ...
        self.names: list[str] = columns.pop(ID).tolist()
        target = columns.pop(DECISION)
        #: The names of the columns that decide.
        self.features = tuple(columns)
        #: The applications: a DataFrame with `names` as its index, or a dict of arrays where pandas is not installed.
        self.data: Any = columns
        #: The clerk's decisions, in the order of `data`: a Series, or an array.
        self.target: Any = target
        if importlib.util.find_spec("pandas") is not None:
            import pandas as pd

            index = pd.Index(self.names, name=ID)
            self.data = pd.DataFrame(columns, index=index)
            self.target = pd.Series(target, index=index, name=DECISION)
        self._columns = columns

    def row(self, name: str) -> dict[str, Any]:
        """One application as a dict; None where a value is missing.

        >>> import symcf.datasets
        >>> symcf.datasets.credit().row("A001")["guarantor"]
        True
        """
        if name not in self.names:
            raise OptionError(f"there is no application {name!r}: they are called {self.names[0]} to {self.names[-1]}")
        i = self.names.index(name)
        return {column: _plain(values[i]) for column, values in self._columns.items()}

    def model(self, kind: str = "scorecard") -> Model:
        """A model that was trained on the decisions, read from its file: no other library is needed.

        ``boosted``: boosted trees. ``forest``: a random forest. ``logistic``: logistic regression over the
        numbers themselves. ``naive_bayes``: naive Bayes over ranges. ``scorecard``: logistic regression over ranges, so
        that every answer has its points. ``tree``: a decision tree.

        >>> import symcf, symcf.datasets
        >>> credit = symcf.datasets.credit()
        >>> symcf.compile(credit.model("tree")).explain(credit.row("A002"), target="approved").count > 0
        True
        """
        if kind not in self.kinds:
            raise OptionError(f"there is no model {kind!r} of the credit data: choose one of {', '.join(self.kinds)}")
        return model_from_json((FILES / f"{kind}.json").read_text(encoding="utf-8"))

    def policy(self) -> Policy:
        """What letters and audits may say about the models, in six languages: an example. Needs PyYAML.

        >>> import symcf.datasets
        >>> symcf.datasets.credit().policy().target
        'approved'
        """
        return Policy.from_text((FILES / POLICY).read_text(encoding="utf-8"))

    def save(self, folder: str | PathLike[str]) -> Path:
        """Copies the table, the models and the policy into a folder, for the command line; returns the folder.

        >>> import tempfile, symcf.datasets
        >>> folder = symcf.datasets.credit().save(tempfile.mkdtemp())
        >>> sorted(path.name for path in folder.iterdir())[:2]
        ['boosted.json', 'credit.csv']
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in (TABLE, POLICY, *(f"{kind}.json" for kind in self.kinds)):
            (target / name).write_bytes((FILES / name).read_bytes())
        return target

    def __repr__(self) -> str:
        n, k = len(self.names), len(self.features)
        return f"Credit({n} applications, {k} columns; models: {', '.join(self.kinds)})"


def credit() -> Credit:
    """Invented loan applications: strings, numbers, booleans, missing values, a protected column, and a decision.

    >>> import symcf.datasets
    >>> credit = symcf.datasets.credit()
    >>> len(credit.data), credit.protected
    (600, ('sex',))
    """
    return Credit()


def _plain(value: Any) -> Any:
    """A cell as Python has it."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float):
        return None if math.isnan(plain) else int(plain)
    return plain


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
