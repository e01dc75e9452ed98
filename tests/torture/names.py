"""Names of classes, features and values: plain ones, and those that invite a mistake."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

WORDS = ("no", "yes", "maybe", "never", "größe", "a b", "x'y", "", "->", "and")
FEATURES = ("age", "job", "x1", "größe", "a b", "not", "in", "row", "é", "P(x)")


def class_labels(rng: random.Random, count: int) -> list[Any] | None:
    """Names for so many classes; None for the default, 0, 1, ..."""
    kind = rng.randrange(10)
    if kind == 0:
        return None
    if kind == 1:
        return rng.sample(range(count), count)
    if kind == 2:
        return [k + 1 for k in range(count)]
    if kind == 3:
        return rng.sample(range(-3, 4), count)
    if kind == 4 and count == 2:
        return rng.sample([False, True], 2)
    if kind == 5:
        return [str(k) for k in rng.sample(range(count), count)]
    if kind == 6:
        return rng.sample([np.int64(2), np.int64(0), np.int64(1), np.int64(7)], count)
    if kind == 7:
        return rng.sample([1, "1", 0.5, "yes", -1, np.str_("np")], count)
    if kind == 8:
        return rng.sample([0.0, 1.0, 2.0, 2.5, -1.0], count)
    return rng.sample(WORDS, count)


def feature_names(rng: random.Random, count: int) -> list[str] | None:
    """Names for so many features; None for x0, x1, ..."""
    kind = rng.randrange(4)
    if kind == 0:
        return None
    if kind == 1:
        return [str(j) for j in rng.sample(range(count), count)]
    if kind == 2:
        return [f"x{j}" for j in rng.sample(range(count), count)]
    return rng.sample(FEATURES, count)


def value_labels(rng: random.Random, count: int) -> list[Any]:
    """Names for so many values of a feature."""
    kind = rng.randrange(9)
    if kind == 0:
        return list(range(count))
    if kind == 1:
        return rng.sample(range(count), count)
    if kind == 2:
        return [v + 1 for v in range(count)]
    if kind == 3:
        return [str(v) for v in rng.sample(range(count), count)]
    if kind == 4 and count == 2:
        return rng.sample([False, True], 2)
    if kind == 5:
        return rng.sample([np.int64(1), np.int64(0), np.int64(3), np.int64(2)], count)
    if kind == 6:
        return rng.sample([1, "1", 0.5, "0", None, -1], count)
    if kind == 7:
        return rng.sample([0.5, 1.0, 2.0, 0.0], count)
    return rng.sample(WORDS, count)


def sayable(labels: list[Any]) -> bool:
    """Can a constraint in text name each of them, and no two alike?"""
    plain = all(isinstance(label, str) or (isinstance(label, int) and not isinstance(label, bool)) for label in labels)
    return plain and len({str(label) for label in labels}) == len(labels) and "" not in labels and "x'y" not in labels
