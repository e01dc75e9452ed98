"""Matrix games: the mixture of columns whose smallest entry is as large as can be, and the weights that prove it.

Floats. The result is a proposal: who uses it checks it in exact arithmetic.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["game"]

Floats = npt.NDArray[np.float64]

#: Entries of a tableau that count as 0.
NOTHING = 1e-11


def game(payoff: Floats) -> tuple[float, Floats, Floats]:
    """The value of a game, the weights of its rows, and those of its columns: the mixture of columns has at least the
    value in every row, and the mixture of rows at most the value in every column. But for rounding.
    """
    rows, columns = payoff.shape
    shift = 1.0 - float(payoff.min())
    # maximise the sum of p with (payoff + shift).T @ p <= 1: the simplex method, from p = 0
    tableau = np.zeros((columns + 1, rows + columns + 1))
    tableau[:columns, :rows] = payoff.T + shift
    tableau[:columns, rows : rows + columns] = np.eye(columns)
    tableau[:columns, -1] = 1.0
    tableau[columns, :rows] = -1.0
    basis = list(range(rows, rows + columns))
    for turn in range(50 * (rows + columns)):
        costs = tableau[columns, :-1]
        entering = int(np.argmin(costs)) if turn < 10 * (rows + columns) else _first(costs < -NOTHING)
        if entering < 0 or costs[entering] >= -NOTHING:
            break
        column = tableau[:columns, entering]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(column > NOTHING, tableau[:columns, -1] / column, np.inf)
        leaving = int(np.argmin(ratios))
        if not np.isfinite(ratios[leaving]):
            break
        tableau[leaving] /= tableau[leaving, entering]
        factors = tableau[:, entering].copy()
        factors[leaving] = 0.0
        tableau -= np.outer(factors, tableau[leaving])
        basis[leaving] = entering
    p = np.zeros(rows + columns)
    p[basis] = tableau[:columns, -1]
    p, q = np.maximum(p[:rows], 0.0), np.maximum(tableau[columns, rows : rows + columns], 0.0)
    value = 1.0 / p.sum()
    return value - shift, p / p.sum(), q / q.sum()


def _first(wanted: npt.NDArray[np.bool_]) -> int:
    """The first place that is True; -1 if none is."""
    return int(np.argmax(wanted)) if wanted.any() else -1
