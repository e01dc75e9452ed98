"""Batches of rows that have to become plausible, against every row that there is."""

import itertools

import numpy as np
import pytest

import symcf
from symcf.fast import explain_batch

LABELS = {
    "codes": lambda d: list(range(d)),
    "text": lambda d: [f"v{i}" for i in range(d)],
    "from 1": lambda d: list(range(1, d + 1)),
}


def random_model(rng):
    """A sum of weights over features of up to five values, and rows in which neighbours depend on each other."""
    n = int(rng.integers(1, 7))
    sizes = [int(rng.integers(1, 6)) for _ in range(n)] if n > 1 else [4]
    hidden = rng.integers(0, 3, (300, 1))
    data = (hidden * rng.integers(0, 3, n) + rng.integers(0, 7, (300, n))) % sizes
    weights = [rng.integers(-9, 10, d).tolist() for d in sizes]
    labels = [LABELS[str(rng.choice(list(LABELS)))](d) for d in sizes]
    model = symcf.LinearClassifier(weights, int(rng.integers(-5, 6)), values=labels, ordered=bool(rng.integers(2)))
    return sizes, symcf.compile(model, plausibility=symcf.Plausibility.fit(data, model))


def random_question(rng, c, sizes):
    """Options in pairs, and what each feature may become, by code of the row."""
    n = len(sizes)
    asked = {"min_plausibility": float(rng.choice([0.01, 0.05, 0.2, 0.5, 0.9, 1.0]))}
    if rng.integers(2):
        asked["max_changes"] = int(rng.integers(1, 4))
    if rng.integers(2):
        asked["k"] = int(rng.integers(1, 5))
    if rng.integers(3) == 0:
        asked["cost"] = rng.integers(1, 5, n).tolist()
    if rng.integers(3) == 0:
        asked["target"] = c.classes[int(rng.integers(2))]
    fixed, allowed = [], {}
    for j in range(n):
        way = rng.integers(8)
        if way == 0:
            fixed.append(j)
        elif way == 1 and sizes[j] > 1:
            allowed[j] = rng.choice(sizes[j], int(rng.integers(1, sizes[j])), replace=False).tolist()
        elif way == 2 and c.model.ordered[j]:
            allowed[j] = "increase"
    asked["immutable"] = [c.features[j] for j in fixed]
    asked["allowed"] = {
        c.features[j]: way if way == "increase" else [c.values[j][v] for v in way] for j, way in allowed.items()
    }

    def may(row, world):
        fine = (world[:, fixed] == row[fixed]).all(axis=1)
        for j, way in allowed.items():
            new = world[:, j]
            fine &= new >= row[j] if way == "increase" else np.isin(new, way) | (new == row[j])
        return fine

    return asked, may


def wanted(row, asked, fine, world, prediction, own):
    """The sets of one row, by trying everything."""
    n = len(row)
    sets = {tuple(np.flatnonzero(other != row).tolist()) for other in world[fine & (prediction != own)]}
    sets = {s for s in sets if not any(set(part) < set(s) for part in sets)}
    cost = asked.get("cost", [1] * n)
    few = [s for s in sets if len(s) <= asked.get("max_changes", n)]
    return sorted(few, key=lambda s: (sum(cost[j] for j in s), len(s), s))[: asked.get("k")]


@pytest.mark.parametrize("seed", range(40))
def test_batches_of_plausible_rows(seed):
    rng = np.random.default_rng(seed)
    sizes, c = random_model(rng)
    asked, may = random_question(rng, c, sizes)
    world = np.array(list(itertools.product(*map(range, sizes))))
    prediction = np.asarray(c.predict(world, codes=True))
    plausible = c.plausibility_of(world) >= asked["min_plausibility"] - 1e-12
    rows = np.stack([rng.integers(0, d, 8) for d in sizes], axis=1)
    batch = explain_batch(c, rows, n_jobs=int(rng.integers(1, 3)), **asked)
    for i, row in enumerate(rows):
        own = int(c.predict(row[None], codes=True)[0])
        if "target" in asked and c.classes[own] == asked["target"]:
            assert not batch.sets(i)
            continue
        found = wanted(row, asked, may(row, world) & plausible, world, prediction, own)
        assert list(map(tuple, batch.sets(i))) == found, (row.tolist(), asked)
        few = explain_batch(c, rows[i : i + 1], **{**asked, "max_results": 2})
        assert set(map(tuple, few.sets(0))) <= set(found)
        assert len(few.sets(0)) == min(2, len(found))


def test_a_batch_of_sums_builds_no_trees(monkeypatch):
    c = symcf.compile(symcf.LinearClassifier([1, 2, 3], -3), plausibility=[[0, 0, 0], [1, 1, 1], [0, 1, 1]])
    monkeypatch.setattr("symcf.search.boxes._guarded", lambda *_: pytest.fail("trees"))
    assert explain_batch(c, [[0, 0, 0], [1, 1, 1]], min_plausibility=0.1).n_sets


def test_a_batch_of_plausible_rows_ends_in_time():
    rng = np.random.default_rng(0)
    model = symcf.LinearClassifier([rng.integers(-99, 99, 4).tolist() for _ in range(40)], 5)
    c = symcf.compile(model, plausibility=rng.integers(0, 4, (200, 40)))
    batch = explain_batch(c, rng.integers(0, 4, (20, 40)), min_plausibility=0.3, time_limit=0.05)
    assert "time_limit" in {batch[i].status for i in range(20)}
    with pytest.raises(symcf.LimitError):
        explain_batch(c, rng.integers(0, 4, (20, 40)), min_plausibility=0.3, max_memory=1000)
