"""Smallest sufficient reasons of boosted trees, beside the logs of XReason: no published one may be smaller."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import artefacts
import ffa
import numpy as np


def stand_in(folder: Path) -> None:
    """XGBoost, 50 trees of depth 3, two classes and three; the log has the size of a minimal reason by brute force."""
    from xgboost import XGBClassifier

    for classes in (2, 3):
        rng = np.random.default_rng(classes)
        names = [f"c{j}" for j in range(6)]
        rows = rng.integers(0, 4, (200, 6)).astype(float)
        scores = rows @ rng.normal(size=6)
        labels = np.digitize(scores, np.quantile(scores, np.linspace(0, 1, classes + 1)[1:-1]))
        model = XGBClassifier(n_estimators=50 // classes, max_depth=3, base_score=0.5, random_state=0).fit(rows, labels)
        text = ffa.write_dump(folder / f"standin{classes}.mod.txt", model)
        artefacts.write_table(folder / f"standin{classes}.csv", rows, labels, names)
        cuts = artefacts.cuts_of(artefacts.dump(text), 6)
        lines = []
        for row in rows[:6]:
            start = time.thread_time()
            _, abductive = artefacts.by_trying_all(model.predict, cuts, row)
            reason = max(sorted(map(sorted, abductive)), key=len)  # any minimal one: the log need not have the smallest
            lines.append((row, len(reason), time.thread_time() - start))
        artefacts.write_xreason_log(folder / f"standin{classes}.log", lines)


def compare(folder: Path, name: str, seconds: float = 10.0) -> dict[str, Any]:
    """Every row of the log; a published reason that is smaller than the smallest ends the program."""
    c, _ = artefacts.model_of(folder, name)
    lines = artefacts.xreason_log((folder / f"{name}.log").read_text(encoding="utf-8"))
    result = {"rows": len(lines), "as small": 0, "smaller": 0, "not finished": 0, "their seconds": 0.0, "seconds": 0.0}
    for row, size, taken in lines:
        start = time.thread_time()
        r = c.why(list(row), k=1, time_limit=seconds)
        result["seconds"] += time.thread_time() - start
        result["their seconds"] += taken
        if not len(r.sets):
            result["not finished"] += 1
            continue
        ours = len(r.sets[0])
        if size < ours:
            raise SystemExit(f"{name}: a reason of {size} features is published for {row}, and ours has {ours}")
        result["smaller" if ours < size else "as small"] += 1
    return result


def run(folder: Path) -> list[dict[str, Any]]:
    """All models of the folder."""
    return [{"model": name, **compare(folder, name)} for name in artefacts.names_in(folder, ".log")]
