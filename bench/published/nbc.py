"""Real naive Bayes classifiers: change sets and reasons of their rows, each list the hitting sets of the other."""

from __future__ import annotations

import gzip
import itertools
import statistics
import time
from pathlib import Path
from typing import Any

import artefacts
import numpy as np

import symcf

#: Rows of each classifier, the seconds that counting may take, sets up to which lists are made, and are compared.
ROWS, SECONDS, LISTED, DUAL = 50, 2.0, 10**6, 400


def stand_in(folder: Path) -> None:
    """A naive Bayes classifier of nine features with two to four values, as text."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(2, 5, 9)
    lines = ["2"]
    prior = rng.dirichlet([2, 2])
    lines += map(repr, prior.tolist())
    lines.append(str(len(sizes)))
    for size in sizes:
        lines.append(str(size))
        lines += [" ".join(map(repr, rng.dirichlet(np.full(size, 2.0)).tolist())) for _ in range(2)]
    (folder / "standin.cnbc.txt").write_text("\n".join(lines) + "\n")
    rows = np.stack([rng.integers(0, size, 30) for size in sizes], axis=1)
    with gzip.open(folder / "standin.instances.csv.gz", "wt") as file:
        file.writelines(",".join(map(str, [*row, 0])) + "\n" for row in rows.tolist())


def rows_of(path: Path) -> np.ndarray:
    with gzip.open(path, "rt") as file:
        lines = [line.split(",") for line in file.read().split()]
    start = 0 if lines[0][0].lstrip("-").isdigit() else 1
    return np.unique(np.array([[int(cell) for cell in line] for line in lines[start:]])[:, :-1], axis=0)


def hitting_sets(sets: artefacts.Sets) -> artefacts.Sets:
    """All minimal hitting sets, one set after the other."""
    found: artefacts.Sets = {frozenset()}
    for s in sets:
        hit = {h for h in found if h & s}
        found = artefacts.minimal(hit | {h | {j} for h, j in itertools.product(found - hit, s)})
    return found


def compare(folder: Path, name: str) -> dict[str, Any]:
    """Some rows; lists that are not each other's hitting sets end the program."""
    c = symcf.compile(symcf.NaiveBayes.from_cnbc(folder / f"{name}.cnbc.txt"))
    rows = rows_of(folder / f"{name}.instances.csv.gz")
    rows = np.random.default_rng(0).permutation(rows)[:ROWS]
    counts: dict[str, list[int]] = {"changes": [], "reasons": []}
    dual = uncounted = 0
    start = time.thread_time()
    for row in rows:
        try:
            both = [c.count(row, time_limit=SECONDS), c.count_why(row, time_limit=SECONDS)]
        except symcf.LimitError:
            uncounted += 1
            continue
        for kind, number in zip(counts, both, strict=True):
            counts[kind].append(number)
        if max(both) > DUAL:
            continue
        changes, reasons = ({frozenset(s) for s in found.sets} for found in (c.explain(row), c.why(row)))
        if [len(changes), len(reasons)] != both or hitting_sets(changes) != reasons or hitting_sets(reasons) != changes:
            raise SystemExit(f"{name}: the lists of {row.tolist()} are not each other's hitting sets")
        dual += 1
    middle = {kind: statistics.median(found) if found else None for kind, found in counts.items()}
    return {"features": len(c.features), "rows": len(rows), "not counted": uncounted, **middle, "dual": dual,
            "seconds": time.thread_time() - start}  # fmt: skip


def run(folder: Path) -> list[dict[str, Any]]:
    """All classifiers of the folder."""
    return [{"model": name, **compare(folder, name)} for name in artefacts.names_in(folder, ".cnbc.txt")]
