"""Shapley values by shap's exact explainer, in an environment of its own; imports nothing of ours.

    python bench/on_shap.py < task > answer      JSON

task:    {"weights": by feature, what value 1 adds to the score, "bias": ..., "rows": [...], "repeat": times}
answer:  {"values": by row and feature, "seconds": a row, "version": of shap}

The model says 1 where the score is positive, 0 elsewhere; features are 0 or 1. The background is all 2^n rows: every
value of a feature is as likely as the other, independently.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from importlib.metadata import version

import numpy as np
import shap


def main() -> None:
    task = json.load(sys.stdin)
    weights, bias, rows = np.array(task["weights"]), task["bias"], np.array(task["rows"])
    n = len(weights)
    background = np.array(list(itertools.product((0, 1), repeat=n)))
    sign = np.where(rows @ weights + bias > 0, 1, -1)  # shap explains "is 1"; of a 0, "is 0" has the opposite values
    explainer = shap.explainers.Exact(
        lambda x: (x @ weights + bias > 0).astype(float),
        shap.maskers.Independent(background, max_samples=len(background)),
    )
    explainer(rows[:1])
    start = time.thread_time()
    values = explainer(rows).values * sign[:, None]
    seconds = (time.thread_time() - start) / len(rows)
    json.dump({"values": values.tolist(), "seconds": seconds, "version": version("shap")}, sys.stdout)


if __name__ == "__main__":
    main()
