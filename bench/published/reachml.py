"""Locked-out rows under an action set in reachml's terms, beside all points that can be reached.

An action set has, by column: type, bounds, whether it is actionable, the direction of a step; and two kinds of
constraints: ``linkage`` (a change of the source changes the targets by so many times as much) and ``thermometer``
(indicators of rising levels, each implied by the next one).
"""

from __future__ import annotations

import itertools
import json
import time
from pathlib import Path
from typing import Any

import artefacts
import numpy as np

import symcf

#: Points per row beyond which brute force gives up and only symcf's answer is counted.
MOST_POINTS = 200_000


def stand_in(folder: Path) -> None:
    """A table like the German credit data as reachml has it: years, indicators of levels, a linked age."""
    rng = np.random.default_rng(0)
    names = ["Age", "Male", "YearsAtResidence", "HasGuarantor", "CheckingExists", "Checking_geq_0", "SavingsExists",
             "Savings_geq_100", "LoanRate"]  # fmt: skip
    m = 60
    checking, savings = rng.integers(0, 3, m), rng.integers(0, 3, m)
    rows = np.stack([rng.integers(19, 70, m), rng.integers(0, 2, m), rng.integers(0, 8, m), rng.integers(0, 2, m),
                     checking > 0, checking > 1, savings > 0, savings > 1, rng.integers(1, 5, m)], axis=1)  # fmt: skip
    fixed = {"Male", "LoanRate", "Age"}
    columns = [
        {
            "name": name,
            "type": "bool" if name not in ("Age", "YearsAtResidence", "LoanRate") else "int",
            "lb": int(rows[:, j].min()) if name != "YearsAtResidence" else 0,
            "ub": int(rows[:, j].max()) if name not in ("YearsAtResidence", "Age") else 100 if name == "Age" else 7,
            "actionable": name not in fixed,
            "step_direction": 1 if name not in fixed else 0,
        }
        for j, name in enumerate(names)
    ]
    constraints = [
        {"kind": "linkage", "source": "YearsAtResidence", "targets": {"Age": 1}},
        {"kind": "thermometer", "names": ["CheckingExists", "Checking_geq_0"]},
        {"kind": "thermometer", "names": ["SavingsExists", "Savings_geq_100"]},
    ]
    weights = dict(zip(names, (-0.04, 0.2, 0.05, 0.4, 0.3, 0.5, 0.2, 0.6, -0.5), strict=True))
    (folder / "standin.actions.json").write_text(json.dumps({"columns": columns, "constraints": constraints}))
    (folder / "standin.model.json").write_text(json.dumps({"coefficients": weights, "intercept": 0.4}))
    lines = ["label," + ",".join(names), *(f"0,{','.join(map(str, row))}" for row in rows.tolist())]
    (folder / "standin.csv").write_text("\n".join(lines) + "\n")


class Actions:
    """An action set, for symcf and for brute force."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.columns = {one["name"]: one for one in data["columns"]}
        self.constraints = data["constraints"]
        known = {"linkage", "thermometer"}
        if unknown := {one["kind"] for one in self.constraints} - known:
            raise SystemExit(f"constraints of reachml that are not compared here: {', '.join(sorted(unknown))}")
        self.linked = {
            target: (one["source"], scale)
            for one in self.constraints
            if one["kind"] == "linkage"
            for target, scale in one["targets"].items()
        }

    def question(self) -> dict[str, Any]:
        """Keywords for symcf."""
        fixed = [n for n, one in self.columns.items() if not one["actionable"] and n not in self.linked]
        rules = []
        for name, one in self.columns.items():
            if name in fixed:
                continue
            rules += [f"{name} >= {one['lb']}", f"{name} <= {one['ub']}"] if name not in self.linked else []
            if one["step_direction"] and name not in self.linked:
                rules.append(f"{name} {'>=' if one['step_direction'] > 0 else '<='} old.{name}")
        rules += [f"change.{target} == {scale} * change.{source}" for target, (source, scale) in self.linked.items()]
        for one in self.constraints:
            if one["kind"] == "thermometer":
                rules += [f"{high} <= {low}" for low, high in itertools.pairwise(one["names"])]
        return {"immutable": fixed, "constraints": rules}

    def reachable(self, row: dict[str, int]) -> np.ndarray | None:
        """All points that can be reached from a row, by trying all values; None if they are too many."""
        values = []
        for name, one in self.columns.items():
            if not one["actionable"]:
                values.append([row[name]])
                continue
            low = max(one["lb"], row[name]) if one["step_direction"] > 0 else one["lb"]
            high = min(one["ub"], row[name]) if one["step_direction"] < 0 else one["ub"]
            values.append(sorted({*range(int(low), int(high) + 1), row[name]}))
        if np.prod([float(len(v)) for v in values]) > MOST_POINTS:
            return None
        names = list(self.columns)
        points = np.array(list(itertools.product(*values)), dtype=float)
        for target, (source, scale) in self.linked.items():
            t, s = names.index(target), names.index(source)
            points[:, t] = row[target] + scale * (points[:, s] - row[source])
        for one in self.constraints:
            if one["kind"] == "thermometer":
                for low, high in itertools.pairwise(names.index(n) for n in one["names"]):
                    points = points[points[:, high] <= points[:, low]]
        return points


def compare(folder: Path, name: str) -> dict[str, Any]:
    """Every row that is decided 0: symcf's answer beside the reachable points. A difference ends the program."""
    import pandas as pd
    from sklearn.linear_model import LogisticRegression

    actions = Actions(json.loads((folder / f"{name}.actions.json").read_text(encoding="utf-8")))
    given = json.loads((folder / f"{name}.model.json").read_text(encoding="utf-8"))
    table = pd.read_csv(folder / f"{name}.csv").iloc[:, 1:][list(actions.columns)].astype(int)
    model = LogisticRegression()
    model.classes_, model.n_features_in_ = np.array([0, 1]), table.shape[1]
    model.feature_names_in_ = np.array(table.columns, dtype=object)
    model.coef_ = np.array([[given["coefficients"][column] for column in table]])
    model.intercept_ = np.array([given["intercept"]])
    bounds = pd.DataFrame({n: [one["lb"], one["ub"]] for n, one in actions.columns.items()}).astype(int)
    c = symcf.compile(model, data=pd.concat([table, bounds], ignore_index=True))
    question = actions.question()
    below = table[model.predict(table) == 0]
    result = {"rows": len(below), "locked out": 0, "compared": 0, "not finished": 0, "points": 0, "seconds": 0.0}
    for i in range(len(below)):
        row = below.iloc[[i]]
        start = time.thread_time()
        e = c.explain(row, target=1, k=1, time_limit=20, **question)
        result["seconds"] += time.thread_time() - start
        if not len(e.sets) and not e.complete:
            result["not finished"] += 1
            continue
        locked = not len(e.sets)
        result["locked out"] += locked
        points = actions.reachable({key: int(value) for key, value in row.iloc[0].items()})
        if points is None:
            continue
        result["points"] += len(points)
        result["compared"] += 1
        wins = (model.predict(pd.DataFrame(points, columns=list(actions.columns))) == 1).any()
        if bool(wins) == locked:
            raise SystemExit(f"{name}, row {i}: symcf says locked out: {locked}, the reachable points: {not wins}")
    return result


def run(folder: Path) -> list[dict[str, Any]]:
    """All action sets of the folder."""
    return [{"model": name, **compare(folder, name)} for name in artefacts.names_in(folder, ".actions.json")]
