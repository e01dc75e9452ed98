"""Classifiers and rows for the tests of batches."""

from __future__ import annotations

import numpy as np

import symcf

COLUMNS = ("row_offsets", "set_offsets", "features", "status", "prediction")
ENGINES = ["cover", "diagram", "sat", "sat-portable"]
THREADS = [1, 2, 3, 7]


def random_classifier(n, seed=0):
    rng = np.random.default_rng(seed)
    return symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=rng.random(n), p0=rng.random(n)))


def random_rows(m, n, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (m, n), dtype=np.uint8)


def mostly_zeros(m, n=60):
    return (np.random.default_rng(m).random((m, n)) < 0.1).astype(np.uint8)


def named_weather():
    """Features of two to four values, with names for everything."""
    return symcf.compile(
        symcf.NaiveBayes(
            [0.4, 0.6],
            [
                [[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]],
                [[0.7, 0.3], [0.2, 0.8]],
                [[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]],
                [[1.0], [1.0]],
            ],
            features=["sky", "wind", "month", "planet"],
            values=[["clear", "grey", "black"], [False, True], ["Jan", "Apr", "Jul", "Oct"], ["Earth"]],
            classes=["dry", "rain"],
        )
    )


def columns(batch):
    return {name: getattr(batch, name).tobytes() for name in COLUMNS}
