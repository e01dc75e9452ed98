"""What the sums of a model say about the probabilities of its classes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["probabilities_of"]


def probabilities_of(sums: npt.NDArray[np.float64], kind: str) -> npt.NDArray[np.float64]:
    """By row and class. ``sums`` has one number per row, the log-odds of the second of two classes, or one per class:
    "logistic" makes shares of their exponentials, any other kind of the logistic function of each.

    >>> probabilities_of(np.array([0.0]), "logistic").tolist()
    [[0.5, 0.5]]
    """
    if sums.ndim == 1:
        logs = -np.logaddexp(0, np.stack([sums, -sums], axis=1))
    else:
        logs = sums if kind == "logistic" else -np.logaddexp(0, -sums)
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
