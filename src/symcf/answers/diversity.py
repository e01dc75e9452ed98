"""A few change sets that differ from each other as much as can be.

The distance of two change sets is the share of their features that only one of them has: 1 if they have none in common,
0 if they are the same (Jaccard). It does not grow with the sets, so that far-fetched ways are not preferred for being
long. Wanted are k sets whose smallest distance is largest; of equals, those that come first, hence the cheap ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock

__all__ = ["EFFORT", "Diversity", "diverse_sets"]

#: How long to look for a choice that is farther apart, in words of 64 sets: about a tenth of a second.
EFFORT = 100_000_000


@dataclass(frozen=True, slots=True)
class Diversity:
    """How much the chosen change sets differ."""

    #: The smallest distance of two of them, from 0 to 1.
    distance: float
    #: Is it proved that no other choice of as many has a larger one?
    exact: bool
    #: How many change sets they were chosen from.
    of: int


def diverse_sets(
    features: npt.NDArray[Any],
    set_offsets: npt.NDArray[np.int64],
    row_offsets: npt.NDArray[np.int64],
    n_features: int,
    k: int,
    clock: Clock,
    effort: int = EFFORT,
    stop: _core.Stop | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[Diversity | None]]:
    """The numbers of the chosen sets, ascending; by row, how many they are, and how much they differ: None for rows
    without sets. All arrays as in `SetColumns`.
    """
    chosen, counts, apart, exact = _core.diverse(
        np.ascontiguousarray(features, dtype=np.uint32),
        set_offsets,
        row_offsets,
        n_features,
        k,
        effort,
        clock.left,
        stop,
    )
    each = zip(apart.tolist(), exact.tolist(), np.diff(row_offsets).tolist(), strict=True)
    return chosen, counts, [Diversity(a / of, proved, n) if n else None for (a, of), proved, n in each]
