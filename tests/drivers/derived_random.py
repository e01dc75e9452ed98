"""Small estimators over tables with derived columns, against brute force: ``python tests/drivers/derived_random.py``.

The derived column is computed by pandas, and every row is decided by the estimator's own `predict`. Sums are folded
into linear models; ratios, squares and others are computed before black boxes are asked.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import random_runs

# isort: split
import reference
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast

NAMES = ("debt", "income", "age of car")
LABELS = (("no", "yes"), (0, 1), (-1, 1), (2, 7), ("a", "b", "c"))
SUMS = ("{a} + {b}", "{a} - {b}", "2 * {a} + {b} / 4", "({a} - 3 * {b}) / 2 + 1", "-{b}", "0.1 * {a} + 0.3 * {b}")
OTHERS = ("{a} / ({b} + 1)", "{a} * {b}", "{a} ** 2 + {b}", "log1p({a}) - {b}", "{b} / ({a} + 2)", "sqrt({a})", *SUMS)
#: Questions about one table: making the table and its model takes longer than a question.
ROWS = 12
FORMS = ("frame", "dict", "series", "list")


def drawn(rng: random.Random, seed: int) -> tuple[pd.DataFrame, str, Any, bool]:
    """A table with a derived column, its expression, a fitted estimator, and whether it is a sum in a linear model."""
    linear = rng.random() < 0.5
    names = list(NAMES[: rng.choice((2, 3, 3))])
    columns = np.random.default_rng(seed)
    frame = pd.DataFrame({name: columns.integers(0, rng.randint(3, 5), 40) for name in names})
    frame = frame.astype({name: rng.choice(("int64", "int8", "float64")) for name in names})
    if linear:
        frame = frame.astype(dict.fromkeys(names, "int64"))
    a, b = (f"`{name}`" for name in rng.sample(names, 2))
    text = rng.choice(SUMS if linear else OTHERS).format(a=a, b=b)
    frame.insert(rng.randint(0, len(names)), "made", computed(frame, text))
    weights = columns.normal(size=frame.shape[1])
    score = frame.to_numpy(dtype=float) @ weights + columns.normal(size=len(frame)) * 0.5
    labels = rng.choice(LABELS)
    cuts = np.quantile(score, np.linspace(0, 1, len(labels) + 1)[1:-1])
    label = np.array(labels, dtype=object)[np.searchsorted(cuts, score)]
    kinds = [LogisticRegression(), make_pipeline(StandardScaler(), LogisticRegression()), RidgeClassifier()]
    if not linear:
        kinds = [
            DecisionTreeClassifier(max_depth=4, random_state=seed),
            RandomForestClassifier(n_estimators=5, max_depth=3, random_state=seed),
            GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=seed),
            KNeighborsClassifier(3),
            LogisticRegression(),
        ]
    return frame, text, rng.choice(kinds).fit(frame, label.tolist()), linear


def computed(frame: pd.DataFrame, text: str) -> pd.Series:
    """The derived column as pandas computes it."""
    return frame.eval(text)


def in_form(row: pd.DataFrame, form: str) -> Any:
    """A table of one row in another form."""
    if form == "frame":
        return row
    if form == "series":
        return row.astype(object).iloc[0]
    cells = {name: row[name].iloc[0].item() for name in row.columns}
    return cells if form == "dict" else list(cells.values())


def as_frame(row: Any, like: pd.DataFrame) -> pd.DataFrame:
    """The same back."""
    if isinstance(row, pd.DataFrame):
        return row
    cells = dict(row) if isinstance(row, dict) else dict(zip(like.columns, row, strict=True))
    return pd.DataFrame({name: pd.Series([cells[name]]) for name in like.columns})


def check(seed: int, tally: Counter[str], rows: int = ROWS) -> None:
    """A few rows of one table."""
    rng = random.Random(f"derived {seed}")
    frame, text, model, linear = drawn(rng, seed)
    names = [name for name in frame.columns if name != "made"]
    domains = [sorted(set(frame[name].tolist())) for name in names]
    if linear:
        domains = [list(range(int(values[0]), int(values[-1]) + 1)) for values in domains]
    grid = pd.DataFrame(list(product(*domains)), columns=names).astype({name: frame[name].dtype for name in names})
    whole = grid.assign(made=computed(grid, text).astype(frame["made"].dtype))[frame.columns.tolist()]
    if linear:
        margins = model.decision_function(whole)
        close = np.abs(margins) if margins.ndim == 1 else np.diff(np.sort(margins, axis=1), axis=1)[:, -1]
        if close.min() < 1e-9:
            tally["too close"] += 1
            return
        c = symcf.compile(model, frame, derived={"made": text})
        assert (c.predict(whole) == model.predict(whole)).all(), f"{text} of {model}"
    else:
        most = rng.choice((0, 2**20))
        c = symcf.compile(symcf.from_predict(model, frame, derived={"made": text}, max_inputs=most))
    assert list(c.features) == names, (c.features, text)
    decided = dict(zip(map(tuple, grid.to_numpy().tolist()), model.predict(whole).tolist(), strict=True))
    for _ in range(rows):
        row = rng.choice(list(decided))
        target = rng.choice([label for label in dict.fromkeys(decided.values()) if label != decided[row]] or [None])
        if target is None:
            continue
        fixed = [name for name in names if rng.random() < 0.2]
        may = reference.permits(immutable=[names.index(name) for name in fixed])
        spaces = [reference.Domain(tuple(values), ordered=True) for values in domains]
        question = reference.Question(spaces, decided.__getitem__, row, target=target, may=may)
        given = pd.DataFrame([row], columns=names).astype({name: frame[name].dtype for name in names})
        given = given.assign(made=computed(given, text).astype(frame["made"].dtype))[frame.columns.tolist()]
        form = rng.choice(FORMS)
        e = c.explain(
            in_form(given if linear or form != "list" else given[names], form), target=target, immutable=fixed
        )
        told = f"{text} of {model}, {row} as {form}, {target}, {fixed} immutable"
        assert e.sets == question.change_sets(), f"{e.sets} instead of {question.change_sets()}: {told}"
        like = frame if linear or form != "list" else frame[names]
        for cf in e:
            check_row(as_frame(cf.row, like), frame, text, model, target, told, cf)
            assert not {change.name for change in cf.changes} & {"made", *fixed}, told
        batch = symcf.fast.explain_batch(c, given, target=target, immutable=fixed)
        assert list(batch[0].sets) == e.sets, told
        for i in range(len(batch.to_frame())):
            check_row(batch.to_frame().iloc[[i]], frame, text, model, target, told, i)
        tally["questions"] += 1
        tally["folded" if linear else "black boxes"] += 1
        tally["rows"] += e.count


def check_row(row: pd.DataFrame, frame: pd.DataFrame, text: str, model: Any, target: Any, told: str, cf: Any) -> None:
    """The derived cell is what pandas computes, and predict gives the target."""
    names = [name for name in frame.columns if name != "made"]
    typed = row[names].astype({name: frame[name].dtype for name in names})
    made = computed(typed, text).astype(frame["made"].dtype)
    if "made" in row.columns:
        assert row["made"].astype(frame["made"].dtype).tolist() == made.tolist(), f"{row} has another value: {told}"
    found = model.predict(typed.assign(made=made)[frame.columns.tolist()])
    assert found.tolist() == [target], f"{cf} gives {found}: {told}"


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "tables", __doc__, 420))
