"""Binary networks trained on scikit-learn's digits: size, time, and the counterfactuals of images.

    python bench/binary_networks.py [--images 12] [--seconds 8]
                                    a minute; prints a table, writes results/binary_networks.json; --quick

Pairs of digits, 8 × 8 pixels, each black or white. A network has one hidden layer of signs and one sign at the end. Its
weights are ±1, and 0 outside the window of a neuron: each neuron is trained as a float network with tanh on its window
(scikit-learn's MLPClassifier) and rounded to signs; then the last layer is fitted to what the signs give and rounded to
integers. Small windows and few neurons make small diagrams; the table says where it ends; images are asked about until
--seconds are over. Every training row and 100,000 random ones are decided by the diagram as by numpy with
the same weights.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from statistics import median
from typing import Any

import common
import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

import symcf

RANDOM_ROWS = common.sized(100_000, 1_000)

#: Digits, hidden neurons, and the side of their windows (8: all of the image).
NETWORKS = [
    ((0, 1), 4, 4),
    ((0, 1), 8, 4),
    ((0, 1), 12, 4),
    ((3, 8), 4, 5),
    ((3, 8), 8, 5),
    ((3, 8), 12, 5),
    ((4, 9), 4, 6),
    ((4, 9), 8, 6),
    ((1, 7), 2, 8),
    ((1, 7), 4, 8),
    ((1, 7), 8, 8),
][: common.sized(None, 2)]

Signs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Trained:
    """A network of integers, and the images that it was trained on."""

    hidden: tuple[Signs, Signs]
    last: tuple[Signs, Signs]
    rows: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]

    def model(self, classes: tuple[int, int]) -> symcf.BinaryNetwork:
        pixels = [f"pixel {i // 8},{i % 8}" for i in range(64)]
        return symcf.BinaryNetwork([self.hidden, self.last], features=pixels, classes=list(classes))

    def decide(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """By numpy, from the definition."""
        signals = np.where((2 * rows - 1) @ self.hidden[0].T + self.hidden[1] >= 0, 1, -1)
        return (signals @ self.last[0].T + self.last[1] >= 0).astype(np.int64)[:, 0]


def windows(count: int, side: int) -> npt.NDArray[np.bool_]:
    """Which pixels each neuron sees: squares spread over the image."""
    steps = 8 - side
    columns = int(np.ceil(np.sqrt(count)))
    seen = np.zeros((count, 8, 8), dtype=np.bool_)
    for i in range(count):
        top = round(steps * (i // columns) / max(1, int(np.ceil(count / columns)) - 1))
        left = round(steps * (i % columns) / max(1, columns - 1))
        seen[i, top : top + side, left : left + side] = True
    return seen.reshape(count, 64)


def _best_cut(sums: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]) -> int:
    """Where to cut the sums so that the sides tell most about the digit."""
    cuts = np.unique(sums)[1:]
    return int(max(cuts, key=lambda cut: abs(np.corrcoef(sums >= cut, wanted)[0, 1])))


def train(digits: tuple[int, int], neurons: int, side: int, seed: int = 0) -> Trained:
    images, labels = load_digits(return_X_y=True)
    chosen = np.isin(labels, digits)
    rows = (images[chosen] > 7).astype(np.int64)
    wanted = (labels[chosen] == digits[1]).astype(np.int64)
    seen = windows(neurons, side)
    signs = 2 * rows - 1
    weights = np.zeros((neurons, 64), dtype=np.int64)
    bias = np.zeros(neurons, dtype=np.int64)
    for i, window in enumerate(seen):  # each neuron learns what its window tells
        small = MLPClassifier((1,), activation="tanh", max_iter=400, random_state=seed + i).fit(
            signs[:, window], wanted
        )
        line = small.coefs_[0][:, 0]
        weights[i, window] = np.where(line >= 0, 1, -1)
        bias[i] = -_best_cut(signs @ weights[i], wanted)
    hidden = np.where(signs @ weights.T + bias >= 0, 1, -1)
    fitted = LogisticRegression(C=1.0).fit(hidden, wanted)
    scale = 8 / np.abs(fitted.coef_).max()
    last = np.rint(fitted.coef_ * scale).astype(np.int64), np.rint(fitted.intercept_ * scale).astype(np.int64)
    return Trained((weights, bias), last, rows, wanted)


def measured(digits: tuple[int, int], neurons: int, side: int, images: int, seconds: float) -> dict[str, Any]:
    trained = train(digits, neurons, side)
    accuracy = float((trained.decide(trained.rows) == trained.labels).mean())
    found: dict[str, Any] = {"digits": digits, "neurons": neurons, "window": side, "accuracy": accuracy}
    c = symcf.compile(trained.model(digits), order="natural", time_limit=seconds)  # windows are rows of neighbours
    start = time.perf_counter()
    try:
        diagram = c.diagram
    except symcf.CompileLimitError as error:
        return {**found, "seconds": time.perf_counter() - start, "limit": error.limit, "nodes": error.nodes}
    found |= {"seconds": time.perf_counter() - start, "limit": None, "nodes": diagram.size}
    rng = np.random.default_rng(0)
    rows = np.concatenate([trained.rows, rng.integers(0, 2, size=(RANDOM_ROWS, 64))])
    assert (diagram.core.evaluate(rows) == trained.decide(rows)).all(), "the diagram and numpy disagree"
    counts, fewest, times, example = [], [], [], None
    begun, asked = time.perf_counter(), 0
    for row in trained.rows[:images]:
        start = time.perf_counter()
        if start - begun > seconds:
            break
        asked += 1
        try:
            counts.append(c.count(row, time_limit=seconds))
            explanation = c.explain(row, k=3, time_limit=seconds)
        except symcf.LimitError:
            continue
        times.append(time.perf_counter() - start)
        fewest.append(len(explanation.sets[0]))
        if example is None:
            changed = [[int(j) for j in change_set] for change_set in explanation.sets]
            decided = [int(digits[explanation.prediction]), int(digits[1 - explanation.prediction])]
            example = {"image": row.tolist(), "changed": changed, "decided": decided}
    return found | {
        "rows": len(rows),
        "images": asked,
        "answered": len(times),
        "sets": None if not counts else float(median(counts)),
        "fewest": None if not fewest else [min(fewest), float(median(fewest)), max(fewest)],
        "ms": None if not times else 1000 * median(times),
        "example": example,
    }


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--images", type=int, default=common.sized(12, 2))
    parser.add_argument("--seconds", type=float, default=common.sized(8.0, 5.0))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # that training could go on: it is good enough
    results = []
    print("digits  neurons  window  accuracy  nodes       seconds  sets per image  fewest  ms per image  answered")
    for digits, neurons, side in NETWORKS:
        one = measured(digits, neurons, side, options.images, options.seconds)
        results.append(one)
        start = f"{digits[0]}, {digits[1]}   {neurons:7}  {side:6}  {one['accuracy']:8.1%}"
        start += f"  {one['nodes']:10,}  {one['seconds']:7.2f}"
        if one["limit"]:
            print(f"{start}  stopped by the {one['limit']} limit", flush=True)
        elif one["answered"]:
            low, middle, high = one["fewest"]
            print(
                f"{start}  {one['sets']:14.3g}  {low}-{middle:g}-{high}  {one['ms']:12.1f}  {one['answered']}",
                flush=True,
            )
        else:
            print(f"{start}  no image answered in time", flush=True)
    common.write("binary_networks", {"machine": common.machine(), "seconds": options.seconds, "networks": results})


if __name__ == "__main__":
    main()
