"""Plausible rows drawn at random: is there one that is as wanted? A quick yes; no answer means nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from symcf.data.plausibility import Plausibility

__all__ = ["drawn_rows"]

Rows = npt.NDArray[np.int64]


def drawn_rows(plausibility: Plausibility, allowed: list[list[int]], size: int) -> Rows:
    """Rows of value codes, the same in every process. ``allowed[j]`` are the values that feature j may have."""
    random = np.random.default_rng(0)
    cells: Rows = np.zeros((size, len(allowed)), dtype=np.int64)
    codes: Rows = np.zeros_like(cells)
    for j in reversed(plausibility.leaves_first()):
        table = plausibility.cells[j].table
        assert table is not None
        within = np.array([table[code] for code in allowed[j]])
        parent = plausibility.parents[j]
        terms = plausibility.tables[j][cells[:, parent] if parent >= 0 else np.zeros(size, dtype=np.int64)][:, within]
        # the largest of terms with noise of Gumbel's distribution is drawn with the chances that they are logs of
        chosen = np.argmax(terms / 100 + random.gumbel(size=terms.shape), axis=1)
        codes[:, j] = np.array(allowed[j])[chosen]
        cells[:, j] = within[chosen]
    return codes
