"""Random small lists of models, margins and widths, against brute force: ``python tests/drivers/joint_random.py``.

Estimators of several kinds are fitted on grids of whole numbers, some with their columns in another order. Each is
asked on its own, by its own `predict` or `decision_function`, about every row of the grid and every number within the
width. The reference enumerates what leads from a row to rows that all of them decide for the target.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
import random_runs
import reference
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import symcf
import symcf.fast

LABELS = [("no", "yes"), (0, 1), (-1, 1), (False, True), (2, 7), ("yes", "no")]
SIZE = 4
UNBOUNDED = ("tree", "forest", "boosted", "bins")


def estimators(seed: int) -> dict:
    """New estimators, by name."""
    return {
        "tree": DecisionTreeClassifier(max_depth=3, random_state=seed),
        "forest": RandomForestClassifier(n_estimators=3, max_depth=2, random_state=seed),
        "boosted": GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=seed),
        "linear": LogisticRegression(),
        "scaled": make_pipeline(StandardScaler(), LogisticRegression()),
        "bins": make_pipeline(
            KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform", subsample=None), LogisticRegression()
        ),
        "bayes": GaussianNB(),
    }


@lru_cache(maxsize=2)
def lists(seed: int) -> tuple:
    """Models with their names and columns, compiled; the data and the labels. None for models: two are too close."""
    rng = random.Random(seed)
    n = rng.choice([2, 3, 3])
    names = ["income", "debt", "age of car"][:n]
    grid = pd.DataFrame(list(product(range(SIZE), repeat=n)), columns=names)
    labels = rng.choice(LABELS)
    kinds = rng.choice(
        [["tree", "forest", "boosted", "bins"], ["linear", "scaled", "bayes"], [*estimators(0)], ["linear", "boosted"]]
    )
    models = []
    for i in range(rng.choice([1, 2, 2, 3])):
        weights = np.array([rng.uniform(-2, 2) for _ in names])
        score = grid.to_numpy() @ weights
        score = score - np.median(score) + np.array([rng.gauss(0, 1) for _ in score])
        y = np.where(score > 0, labels[1], labels[0])
        if len(set(y.tolist())) < 2:
            y[0], y[1] = labels[0], labels[1]
        order = rng.sample(names, n) if rng.random() < 0.5 else names
        name = rng.choice(kinds)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            models.append((name, estimators(seed + i)[name].fit(grid[order], y), order))
    compiled = (
        None
        if any(is_close(model, grid[order]) for _, model, order in models)
        else symcf.compile([model for _, model, _ in models], data=grid[models[0][2]])
    )
    return names, grid, models, labels, compiled


def is_close(model, table: pd.DataFrame) -> bool:
    """Is a row so close to the cut that the rounding of floats decides?"""
    with_score = hasattr(model, "decision_function")
    score = model.decision_function(table) if with_score else model.predict_proba(table)[:, 1] - 0.5
    return bool((np.abs(score) < 1e-9).any())


def case(seed: int) -> dict:
    """Models, their data, a row, and what is asked. Five questions in a row are about the same models."""
    names, grid, models, labels, compiled = lists(seed // 5)
    rng = random.Random(f"{seed}")
    asked: dict = {"target": rng.choice(labels)}
    squared = any(name == "bayes" for name, _, _ in models)
    scored = all(name in ("linear", "scaled", "boosted", "bins") for name, _, _ in models)
    if scored and rng.random() < 0.4:
        asked["margin"] = rng.choice([0.137, 0.51, 1.013])
    if not squared and rng.random() < 0.4:
        asked["width"] = {name: rng.choice([1, 0.6, 2]) for name in rng.sample(names, rng.choice([1, 1, 2]))}
    if rng.random() < 0.3:
        asked["immutable"] = [rng.choice(names)]
    if rng.random() < 0.2:
        asked["max_changes"] = 1
    row = [rng.randrange(SIZE) for _ in names]
    return {"names": names, "grid": grid, "models": models, "asked": asked, "row": row, "compiled": compiled}


def reaches(models: list, rows: np.ndarray, names: list[str], asked: dict) -> np.ndarray:
    """Which rows every model decides for the target, by the margin."""
    fine = np.ones(len(rows), dtype=bool)
    for _, model, order in models:
        table = pd.DataFrame(rows, columns=names)[order]
        if "margin" in asked:
            score = model.decision_function(table)
            up = model.classes_[1] == asked["target"]
            fine &= score >= asked["margin"] if up else score <= -asked["margin"]
        else:
            fine &= model.predict(table) == asked["target"]
    return fine


def near(value: float, width: float) -> list[float]:
    """Numbers of every range that is reached from a number: ranges begin between whole numbers."""
    inner = np.arange(np.ceil(2 * (value - width)) / 2, value + width + 1e-9, 0.25)
    inside = [float(x) for x in inner if value - width <= x <= value + width]
    return sorted({value - width, float(value), value + width, *inside})


def check(seed: int, tally: Counter[str]) -> None:
    """One list of models and one question."""
    made = case(seed)
    names, models, asked, row = made["names"], made["models"], made["asked"], made["row"]
    compiled = made["compiled"]
    tally.update(["too close" if compiled is None else "questions"])
    if compiled is None:
        return
    told = f"seed {seed}: {[name for name, _, _ in models]} {row} {asked}"
    widths = asked.get("width", {})
    # trees and bins have no bounds; numbers are suggested within the range of the data
    low, high = (-3, SIZE + 2) if all(name in UNBOUNDED for name, _, _ in models) else (0, SIZE - 1)
    rows = list(product(range(low, high + 1), repeat=len(names)))
    boxes = [
        list(product(*(near(v, widths[c]) if c in widths else [v] for v, c in zip(r, names, strict=True))))
        for r in rows
    ]
    fine = reaches(models, np.array([one for box in boxes for one in box], dtype=float), names, asked)
    ends = np.cumsum([0, *map(len, boxes)])
    good = {r: bool(fine[a:b].all()) for r, a, b in zip(rows, ends[:-1], ends[1:], strict=True)}
    decided = np.array([m.predict(made["grid"][order]) for _, m, order in models])
    expected = [d[0] if (d == d[0]).all() else "models disagree" for d in decided.T]
    assert compiled.predict(made["grid"]).tolist() == expected, f"{told}: predict"
    x = dict(zip(names, row, strict=True))
    frame = pd.DataFrame([x])
    try:
        e = compiled.explain(frame, **asked)
    except symcf.OptionError as error:
        if "out of reach" in str(error) and not any(good.values()):
            return
        raise AssertionError(f"{told}: {error}") from error
    assert e.at_target == good[tuple(row)], told
    if e.at_target:
        tally["at the target"] += 1
        return
    fixed = [names.index(name) for name in asked.get("immutable", ())]
    question = reference.Question(
        [reference.grid(low, high)] * len(names),
        lambda r: good[tuple(map(int, r))],
        [reference.number(v) for v in row],
        target=True,
        may=lambda j, old, new: j not in fixed,
        max_changes=asked.get("max_changes"),
    )
    feature = {name: j for j, name in enumerate(names)}
    found = sorted(tuple(sorted(feature[e.features[j]] for j in s)) for s in e.sets)
    assert e.status == "complete", f"{told}: {e.status}"
    assert found == sorted(question.change_sets()), f"{told}: {found}, not {sorted(question.change_sets())}"
    for cf in e:
        suggested = pd.DataFrame(cf.row)[names] if isinstance(cf.row, pd.DataFrame) else pd.DataFrame([cf.row])[names]
        (values,) = suggested.to_numpy(dtype=float)
        box = list(product(*(near(v, widths[c]) if c in widths else [v] for v, c in zip(values, names, strict=True))))
        assert reaches(models, np.array(box), names, asked).all(), f"{told}: {cf.row} is suggested"
    report = symcf.verify(compiled, frame, e)
    assert not report.problems, f"{told}: {report}"
    if seed % 3 == 0:
        (one,) = symcf.fast.explain_batch(compiled, frame, **asked)
        assert one.sets == e.sets, f"{told}: batch {one.sets}, not {e.sets}"
        assert compiled.count(frame, **asked) == len(e.sets), f"{told}: count"
    if seed % 5 == 0 and "max_changes" not in asked:
        reasons = sorted(tuple(sorted(feature[e.features[j]] for j in s)) for s in compiled.why(frame, **asked).sets)
        assert reasons == sorted(question.reasons()), f"{told}: why {reasons}, not {sorted(question.reasons())}"


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "lists of models", __doc__, 5000))
