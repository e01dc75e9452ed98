"""Sufficient reasons of random forests in RFxpl's files: forced, and minimal, by the forest's own `predict`."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import artefacts
import numpy as np

import symcf

#: Random rows that agree with a reason, all of which must be decided alike.
DRAWN = 2_000


def stand_in(folder: Path) -> None:
    """A forest of 100 trees of depth 8 on a table like census data: a few numbers, and codes of categories."""
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    sizes = (60, 7, 16, 7, 14, 6, 5, 2, 30, 40)
    rows = np.stack([rng.integers(0, size, 2_000) for size in sizes], axis=1).astype(float)
    gain = rows[:, 0] / 30 + rows[:, 2] / 8 + rows[:, 8] / 15 - (rows[:, 3] > 3) + rng.normal(size=2_000) / 3
    forest = RandomForestClassifier(100, max_depth=8, criterion="entropy", random_state=0)
    forest.fit(rows, (gain > np.quantile(gain, 0.7)).astype(int))
    (folder / "standin_nbestim_100_maxdepth_8.mod.pkl").write_bytes(pickle.dumps(forest))
    np.savetxt(folder / "standin_nbestim_100_maxdepth_8.samples", rows[:8], delimiter=",", fmt="%g")


def compare(folder: Path, name: str, seconds: float = 10.0) -> dict[str, Any]:
    """One reason for each sample. A row that contradicts it, or a fact that it does not need, ends the program."""
    forest = pickle.loads((folder / f"{name}.mod.pkl").read_bytes())
    samples = np.loadtxt(folder / f"{name}.samples", delimiter=",", ndmin=2)
    c = symcf.compile(forest)
    rng = np.random.default_rng(0)
    result = {"rows": len(samples), "found": 0, "proved minimal": 0, "not finished": 0, "seconds": 0.0}
    for row in samples:
        start = time.thread_time()
        r = c.why(row, max_results=1, time_limit=seconds)
        result["seconds"] += time.thread_time() - start
        if not len(r.sets):
            result["not finished"] += 1
            continue
        result["found"] += 1
        facts = list(r.sets[0])
        label = forest.predict([row])[0]
        others = samples[rng.integers(len(samples), size=(DRAWN, len(row))), np.arange(len(row))]
        others = others + rng.normal(scale=samples.std(axis=0) + 1e-9, size=others.shape) * (
            rng.random(others.shape) < 0.5
        )
        others[:, facts] = row[facts]
        if (forest.predict(others) != label).any():
            raise SystemExit(f"{name}: the reason {facts} of {row.tolist()} does not force {label!r}")
        needed = 0
        for fact in facts:  # without it, some row is decided otherwise
            e = c.explain(row, k=1, immutable=[f for f in facts if f != fact], time_limit=seconds)
            found = next(iter(e), None)
            if found is None:
                if e.complete:
                    raise SystemExit(f"{name}: the reason {facts} of {row.tolist()} does not need {fact}")
                break
            if forest.predict(np.array([found.row], dtype=float))[0] == label:
                raise SystemExit(f"{name}: {found} is not decided otherwise")
            needed += 1
        result["proved minimal"] += needed == len(facts)
    return result


def run(folder: Path) -> list[dict[str, Any]]:
    """All models of the folder."""
    return [{"model": name, **compare(folder, name)} for name in artefacts.names_in(folder, ".samples")]
