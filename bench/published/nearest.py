"""The nearest row with another class (L1), beside rows that FACET, OCEAN or another tool found: none may be nearer."""

from __future__ import annotations

import itertools
import pickle
import time
from pathlib import Path
from typing import Any

import artefacts
import numpy as np

import symcf

#: Distances may differ by this share, because symcf's numbers are decimals that one can write.
ROUNDING = 1e-3


def stand_in(folder: Path) -> None:
    """A forest of 10 trees over four columns in 0..1; what was found is the optimum over all boxes of the trees."""
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    rows = rng.random((300, 4)).round(3)
    labels = (rows @ [1, -1, 0.5, 0.3] + 0.3 * np.sin(9 * rows[:, 1]) > 0.4).astype(int)
    forest = RandomForestClassifier(10, max_depth=4, random_state=0).fit(rows, labels)
    (folder / "standin.mod.pkl").write_bytes(pickle.dumps(forest))
    some = rows[:8]
    names = [f"x{j}" for j in range(4)]
    artefacts.write_table(folder / "standin.csv", some, forest.predict(some), names)
    found = np.array([optimum(forest, row) for row in some])
    artefacts.write_table(folder / "standin.found.csv", found, forest.predict(found), names)


def optimum(forest: Any, row: np.ndarray) -> np.ndarray:
    """The nearest row by L1: each column keeps its number or moves just across one cut, in 32 bits as the trees do."""
    columns = []
    for j, x in enumerate(row):
        cuts = {float(t.tree_.threshold[i]) for t in forest.estimators_ for i in np.flatnonzero(t.tree_.feature == j)}
        columns.append([x, *(across(cut, x) for cut in cuts)])
    points = np.array(list(itertools.product(*columns)))
    points = points[forest.predict(points) != forest.predict(row[None, :])[0]]
    return points[np.abs(points - row).sum(axis=1).argmin()]


def across(cut: float, x: float) -> float:
    """The 32-bit number nearest to x on the other side of a cut; the cut itself is on the left."""
    near = np.float32(cut)
    if x > cut:
        return float(near if float(near) <= cut else np.nextafter(near, np.float32(-np.inf)))
    return float(near if float(near) > cut else np.nextafter(near, np.float32(np.inf)))


def compare(folder: Path, name: str, seconds: float = 20.0) -> dict[str, Any]:
    """Every row with a published answer; one that is nearer than ours ends the program."""
    forest = pickle.loads((folder / f"{name}.mod.pkl").read_bytes())
    rows, _, _ = artefacts.table(folder / f"{name}.csv")
    theirs, _, _ = artefacts.table(folder / f"{name}.found.csv")
    c = symcf.compile(forest, data=rows)
    scale = dict.fromkeys(c.features, 1.0)
    result = {"rows": len(rows), "proved": 0, "as near": 0, "nearer": 0, "theirs do not flip": 0, "seconds": 0.0}
    for row, other in zip(rows, theirs, strict=True):
        label = forest.predict([row])[0]
        start = time.thread_time()
        e = c.explain(row, k=1, cost="distance", scale=scale, time_limit=seconds)
        result["seconds"] += time.thread_time() - start
        ours = next(iter(e), None)
        if ours is None:
            continue
        suggested = np.array(ours.row, dtype=float)
        if forest.predict([suggested])[0] == label:
            raise SystemExit(f"{name}: {suggested.tolist()} is not decided otherwise than {row.tolist()}")
        if forest.predict([other])[0] == label:
            result["theirs do not flip"] += 1
            continue
        near, far = np.abs(suggested - row).sum(), np.abs(other - row).sum()
        result["proved"] += e.complete
        if e.complete and near > far * (1 + ROUNDING) + ROUNDING:
            raise SystemExit(f"{name}: {other.tolist()} is nearer to {row.tolist()} than ours: {far} and {near}")
        result["nearer" if near < far * (1 - ROUNDING) - ROUNDING else "as near"] += 1
    return result


def run(folder: Path) -> list[dict[str, Any]]:
    """All models of the folder."""
    return [{"model": name, **compare(folder, name)} for name in artefacts.names_in(folder, ".found.csv")]
