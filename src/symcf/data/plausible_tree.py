"""Which columns depend on which: a tree of largest mutual information (Chow and Liu 1968).

An edge has to be worth its parameters: it stays if what it adds to the log-likelihood of the data exceeds half a
logarithm of the number of rows for each of them (Rissanen's description length). So the tree may be a forest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["parents_of"]

#: Gains are rounded to this many places, so that machines whose logarithms differ in the last one agree.
PLACES = 6

#: Tables of two columns with more cells than this are not written out.
MOST_PAIRS = 1 << 20


def parents_of(cells: npt.NDArray[np.int64], counts: Sequence[int]) -> list[int]:
    """By column, the column that it depends on; -1 for none. ``cells`` has one line per row of the data."""
    n = cells.shape[1]
    gains = []
    for i in range(n):
        for j in range(i + 1, n):
            gain = _gain(cells[:, i], cells[:, j], counts[i], counts[j])
            if gain > 0:
                gains.append((-round(gain, PLACES), i, j))
    linked: list[list[int]] = [[] for _ in range(n)]
    part = list(range(n))
    for _, i, j in sorted(gains):
        if part[i] != part[j]:
            old, new = part[j], part[i]
            part = [new if p == old else p for p in part]
            linked[i].append(j)
            linked[j].append(i)
    parents = [-2] * n
    for root in range(n):
        if parents[root] != -2:
            continue
        parents[root] = -1
        stack = [root]
        while stack:
            i = stack.pop()
            for j in linked[i]:
                if parents[j] == -2:
                    parents[j] = i
                    stack.append(j)
    return parents


def _gain(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], n_a: int, n_b: int) -> float:
    """What an edge adds to the log-likelihood, less what its parameters cost."""
    rows = len(a)
    if n_a * n_b <= MOST_PAIRS:
        table = np.bincount(a * n_b + b, minlength=n_a * n_b)
        pairs = np.flatnonzero(table)
        counts, of_a, of_b = table[pairs], table.reshape(n_a, n_b).sum(axis=1), table.reshape(n_a, n_b).sum(axis=0)
    else:  # most of it is empty
        pairs, counts = np.unique(a * n_b + b, return_counts=True)
        of_a, of_b = np.bincount(a, minlength=n_a), np.bincount(b, minlength=n_b)
    joint = counts.astype(np.float64)
    expected = of_a[pairs // n_b].astype(np.float64) * of_b[pairs % n_b] / max(rows, 1)
    information = float((joint * np.log(joint / expected)).sum())
    free = (int((of_a > 0).sum()) - 1) * (int((of_b > 0).sum()) - 1)
    return information - 0.5 * free * math.log(max(rows, 2))
