"""The modules that one row passes through, from `c.explain(x)` to its sets, for four kinds of model.

    python bench/walk.py            seconds; prints the modules in the order of their first call

The model is compiled and one other row is explained before, so that what is kept for later questions is not counted.
Modules of ``symcf.common`` (clocks, caches, checks of options) are used everywhere and are not listed. A return is a
module whose package was left before: the walk enters each package once if there is none. `tests/unit/test_plan.py`
holds the walks to their lengths.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import symcf


def kinds() -> dict[str, tuple[symcf.Compiled, Any, Any, dict[str, Any]]]:
    """By name: the classifier, a row to begin with, the row, and the keywords of the question."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    few = X[list(X.columns[:6])]
    bayes = symcf.NaiveBayes.binary(prior=0.3, p1=[0.40, 0.96, 0.97, 0.70], p0=[0.15, 0.10, 0.11, 0.20])
    scaled = make_pipeline(StandardScaler(), LogisticRegression()).fit(few, y)
    neighbours = KNeighborsClassifier(3).fit(few, y)
    found = {
        "naive Bayes": (symcf.compile(bayes), [0, 0, 1, 0], [1, 0, 1, 0], {}),
        "scaled logistic regression": (symcf.compile(scaled, data=few), few.iloc[0], few.iloc[1], {}),
        "black box": (symcf.compile(symcf.from_predict(neighbours, few)), few.iloc[0], few.iloc[1], {"max_changes": 1}),
    }
    try:
        from xgboost import XGBClassifier
    except ImportError:
        print("XGBoost is not installed: its walk is left out")
    else:
        boosted = XGBClassifier(n_estimators=100, max_depth=6).fit(few, y)
        found["XGBoost"] = (symcf.compile(boosted, data=few), few.iloc[0], few.iloc[1], {"max_changes": 2})
    return found


def walk(work: Callable[[], object]) -> list[str]:
    """The modules of symcf in the order of their first call."""
    seen: dict[str, None] = {}

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            name = frame.f_globals.get("__name__", "")
            if name.startswith("symcf.") and not name.startswith(("symcf.common", "symcf.errors")):
                seen.setdefault(name.removeprefix("symcf."))

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return list(seen)


def returns(modules: list[str]) -> list[str]:
    """Modules of packages that were left before."""
    packages = [module.split(".")[0] for module in modules]
    return [
        module for i, module in enumerate(modules) if packages[i] in packages[:i] and packages[i] != packages[i - 1]
    ]


def steps(c: symcf.Compiled, first: Any, row: Any, question: dict[str, Any]) -> list[str]:
    """The walk of a row; see `kinds`."""
    list(c.explain(first, **question).sets)
    return walk(lambda: list(c.explain(row, **question).sets))


def main() -> None:
    for name, work in kinds().items():
        modules = steps(*work)
        packages = list(dict.fromkeys(module.split(".")[0] for module in modules))
        back = returns(modules)
        print(
            f"{name}: {len(modules)} modules, {len(packages)} packages, {len(back)} returns {' '.join(back)}".rstrip()
        )
        print(f"  {' '.join(modules)}")


if __name__ == "__main__":
    main()
