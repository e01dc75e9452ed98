"""What the questions of people cost: a probability as the target, a constraint over two columns, actions for a group.

    python bench/questions.py [--only TEXT] [--turns 7]     four minutes; prints tables, writes results/questions.json

A question and its plain form are asked about the same rows in turns; ratios are turn by turn. `--only` chooses parts by
their names and writes nothing. Needs scikit-learn and xgboost.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import common
import numpy as np
import pandas as pd
from common import Spread

import symcf
from symcf.fast import explain_batch

#: Rows that are explained one by one, and in batches: of trees, and of sums.
SINGLE, MANY_OF_TREES, MANY = 12, 60, 1500

#: The most that each may take, in times its plain form.
WANTED = {"probability": 1.1, "constraint": 5.0, "three models": 5.0}


def table(columns: int, rows: int = 4000) -> tuple[pd.DataFrame, Any]:
    """Numbers that look like amounts, and a class."""
    from sklearn.datasets import make_classification

    x, y = make_classification(rows, columns, n_informative=columns // 2, random_state=0)
    names = [f"x{j}" for j in range(columns)]
    return pd.DataFrame((x * 100).round(1), columns=names), y


def models() -> dict[str, tuple[symcf.Compiled, pd.DataFrame]]:
    """Models, and rows of which each is explained."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from xgboost import XGBClassifier

    frame, y = table(20)
    few, z = table(8)
    trees = XGBClassifier(n_estimators=100, max_depth=6, random_state=0, n_jobs=1).fit(frame, y)
    scaled = make_pipeline(StandardScaler(), LogisticRegression()).fit(few, z)
    return {
        "XGBoost 100 × 6, 20 columns": (symcf.compile(trees, frame), frame),
        "scaled logistic regression, 8 columns": (symcf.compile(scaled, few), few),
    }


def costs_of(model: str, c: symcf.Compiled, frame: pd.DataFrame, turns: int, only: str) -> dict[str, Any]:
    """Milliseconds per row and ratios, by question, one row at a time and in batches."""
    trees = c.decision.trees is not None
    changes: dict[str, Any] = {"max_changes": 3} if trees else {}
    label = c.classes[1]
    lower = frame[c.decision_function(frame) < 0] if not trees else frame[c.predict(frame) != label]
    questions: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "probability": ({"target": label}, {"target": label, "min_probability": 0.7}),
        "constraint": ({}, {"constraints": ["x0 + x1 <= 100"]}),
        "constraint over changes": ({}, {"constraints": ["change.x0 <= 2 * change.x1"]}),
    }
    found: dict[str, Any] = {}
    for name, (plain, asked) in questions.items():
        for form, count in (("explain", SINGLE), ("batch", MANY_OF_TREES if trees else MANY)):
            if only not in f"{model}, {name}, {form}":
                continue
            rows = lower.iloc[:count]
            each = [rows.iloc[[i]] for i in range(len(rows))]

            def ask(said: dict[str, Any], form: str = form, rows: Any = rows, each: Any = each) -> Callable[[], Any]:
                if form == "batch":
                    return lambda: explain_batch(c, rows, **said, **changes)
                return lambda: [c.explain(row, **said, **changes) for row in each]

            timings = common.in_turns({"plain": ask(plain), "asked": ask(asked)}, turns)
            found[f"{name}, {form}"] = _times(timings, len(rows))
    return found


def several(turns: int) -> dict[str, Any]:
    """Three ensembles that must agree, trained on bootstrap samples, and one of them alone: milliseconds per row."""
    from xgboost import XGBClassifier

    frame, y = table(20)
    ensembles = []
    for seed in range(3):
        drawn = np.random.default_rng(seed).integers(0, len(frame), len(frame))
        model = XGBClassifier(n_estimators=100, max_depth=6, random_state=seed, n_jobs=1)
        ensembles.append(model.fit(frame.iloc[drawn], y[drawn]))
    one, three = symcf.compile(ensembles[0], frame), symcf.compile(ensembles, frame)
    lower = frame[np.all([model.predict(frame) == 0 for model in ensembles], axis=0)]
    asked: dict[str, Any] = {"target": 1, "max_changes": 3}
    each = [lower.iloc[[i]] for i in range(SINGLE)]
    found = {}
    for form, n, ask in (
        ("explain", SINGLE, lambda c: [c.explain(row, **asked) for row in each]),
        ("batch", MANY_OF_TREES, lambda c: explain_batch(c, lower.iloc[:MANY_OF_TREES], **asked)),
    ):
        calls = {"plain": partial(ask, one), "asked": partial(ask, three)}
        found[f"three models, {form}"] = _times(common.in_turns(calls, turns), n)
    return found


def _times(timings: dict[str, Any], n: int) -> dict[str, Any]:
    return {
        "milliseconds per row": Spread.of(1e3 * seconds / n for seconds in timings["asked"].turns),
        "plain": Spread.of(1e3 * seconds / n for seconds in timings["plain"].turns),
        "ratio": timings["asked"].over(timings["plain"]),
        "ratio of medians": timings["asked"].median / timings["plain"].median,
    }


#: What is asked of `group_recourse`.
GROUPS = (("actions", 3), ("actions", 5), ("coverage", 0.97))


def group(people: int = 1000, **asked: Any) -> dict[str, Any]:
    """Actions for the rejected rows of XGBoost: seconds, how many are helped, and by the greedy choice."""
    from xgboost import XGBClassifier

    frame, y = table(20)
    c = symcf.compile(XGBClassifier(n_estimators=100, max_depth=6, random_state=0, n_jobs=1).fit(frame, y), frame)
    rows = frame[c.predict(frame) != c.classes[1]].iloc[:people]
    clock, cpu = time.perf_counter(), time.process_time()
    found = symcf.group_recourse(c, rows, time_limit=55, **asked)
    return {
        "rows": len(rows),
        "seconds": time.perf_counter() - clock,
        "processor seconds": time.process_time() - cpu,
        "greedy": found.greedy,
        "text": str(found),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    found: dict[str, Any] = {}
    measured = {
        name: partial(costs_of, name, c, frame, options.turns, options.only) for name, (c, frame) in models().items()
    }
    if options.only in "three models":
        measured["XGBoost 100 × 6, three of them"] = partial(several, options.turns)
    for name, measure in measured.items():
        found[name] = measure()
        print(f"\n{name}")
        common.print_table(
            ("question", "ms per row", "plain", "times", "of medians"),
            [
                (
                    question,
                    *(f"{one[what]:.3f}" for what in ("milliseconds per row", "plain")),
                    f"{one['ratio']:.2f}",
                    f"{one['ratio of medians']:.2f}",
                )
                for question, one in found[name].items()
            ],
        )
    if options.only and "group" not in options.only:
        return
    together = {f"{name}={value}": group(**{name: value}) for name, value in GROUPS}
    for name, one in together.items():
        print(f"\n{name}\n{one['text']}\ngreedy: {one['greedy'][0]} actions help {one['greedy'][1]} rows")
        print(f"{one['rows']} rows, {one['seconds']:.1f} s, {one['processor seconds']:.1f} s of a processor")
    if not options.only:
        common.write("questions", {"machine": common.machine(), "models": found, "group": together, "wanted": WANTED})


if __name__ == "__main__":
    main()
