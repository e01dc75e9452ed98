"""All contrastive and abductive explanations of boosted trees, beside the logs of FFA: the sets must be equal."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import artefacts
import numpy as np
from artefacts import Explained, Sets

import symcf


def stand_in(folder: Path) -> None:
    """XGBoost, 25 trees of depth 3, over seven columns of few whole numbers; the log is brute force by XGBoost."""
    from xgboost import XGBClassifier

    for seed in range(2):
        rng = np.random.default_rng(seed)
        names = [f"c{j}" for j in range(7)]
        rows = rng.integers(0, 5, (300, 7)).astype(float)
        labels = (rows @ rng.normal(size=7) + rng.normal(size=300) > np.median(rows @ np.ones(7)) / 3).astype(int)
        model = XGBClassifier(n_estimators=25, max_depth=3, base_score=0.5, random_state=seed).fit(rows, labels)
        text = write_dump(folder / f"standin{seed}.mod.txt", model)
        artefacts.write_table(folder / f"standin{seed}.csv", rows, labels, names)
        cuts = artefacts.cuts_of(artefacts.dump(text), 7)
        explained = []
        for row in rows[:6]:
            start = time.thread_time()
            both = artefacts.by_trying_all(model.predict, cuts, row)
            explained.append(Explained(tuple(row), *both, time.thread_time() - start))
        artefacts.write_ffa_log(folder / f"standin{seed}.log", explained, names)


def write_dump(path: Path, model: Any) -> str:
    """XGBoost's text dump, as the artefacts have it."""
    trees = model.get_booster().get_dump(dump_format="text")
    text = "".join(f"booster[{i}]:\n{tree}" for i, tree in enumerate(trees))
    path.write_text(text, encoding="utf-8")
    return text


def compare(folder: Path, name: str, seconds: float = 20.0) -> dict[str, Any]:
    """Every row of the log; sets that differ end the program."""
    c, _ = artefacts.model_of(folder, name)
    rows = artefacts.ffa_log((folder / f"{name}.log").read_text(encoding="utf-8"), c.features)
    result = {"rows": len(rows), "equal": 0, "not finished": 0, "their seconds": 0.0, "seconds": 0.0}
    for one in rows:
        start = time.thread_time()
        e, r = c.explain(list(one.row), time_limit=seconds), c.why(list(one.row), time_limit=seconds)
        result["seconds"] += time.thread_time() - start
        result["their seconds"] += one.seconds or 0.0
        for kind, found, theirs in (("contrastive", e, one.contrastive), ("abductive", r, one.abductive)):
            ours: Sets = {frozenset(s) for s in found.sets}
            if theirs and (ours != theirs if found.complete else not ours <= theirs):
                raise SystemExit(f"{name}, {kind} explanations of {one.row}: {listed(theirs)} and ours {listed(ours)}")
        done = e.complete and r.complete
        result["equal"] += done
        result["not finished"] += not done
    return result


def listed(sets: Sets) -> list[list[int]]:
    return sorted(map(sorted, sets))


def run(folder: Path) -> list[dict[str, Any]]:
    """All models of the folder."""
    assert symcf.__version__
    return [{"model": name, **compare(folder, name)} for name in artefacts.names_in(folder, ".log")]
