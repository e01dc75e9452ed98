"""Batches in chunks of rows, which threads share: what those parts hold, and how they are joined."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.answers.batch import BatchExplanation
from symcf.answers.set_columns import Work, offsets_of, too_large

__all__ = ["CHUNK", "MOST", "Part", "in_chunks"]

#: The largest count that the core takes.
MOST = 2**64 - 1

#: Rows per chunk: their gains fit the cache for thirty columns.
CHUNK = 1 << 10


@dataclass(frozen=True)
class Part:
    """The answers to a chunk of rows."""

    n_sets: npt.NDArray[np.int64]
    #: By set, where its features end.
    end: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    status: npt.NDArray[np.uint8]
    prediction: npt.NDArray[np.uint8]
    #: Beside the features, their new values, where they are part of the answer.
    codes: npt.NDArray[np.int64] | None = None

    @property
    def nbytes(self) -> int:
        """Memory of the columns that it becomes part of."""
        return 8 * len(self.end) + 4 * len(self.features)


def in_chunks(work: Work, solve: Callable[[int], Part]) -> BatchExplanation:
    """The answers to all rows, the same for any number of threads; ``solve`` answers those from one on."""
    rows, jobs = work.rows, work.jobs
    starts = range(0, len(rows), CHUNK)
    parts: list[Part] = []
    used = 0
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        # one thread: this one, which hears Ctrl-C
        for part in map(solve, starts) if jobs == 1 else pool.map(_core.in_budget(solve), starts):
            parts.append(part)
            used += part.nbytes
            if used > work.memory:
                raise too_large(work.memory, len(parts) * CHUNK, len(rows))
            if work.report is not None:
                work.report(min(len(parts) * CHUNK, len(rows)))
    bases = np.cumsum([0, *(len(part.features) for part in parts)]).tolist()
    ends = [part.end + base if base else part.end for part, base in zip(parts, bases, strict=False)]
    n_sets = np.concatenate([np.zeros(0, dtype=np.int64), *(part.n_sets for part in parts)])
    values = [part.codes for part in parts if part.codes is not None]
    return BatchExplanation(
        work.compiled,
        rows,
        work.request,
        row_offsets=offsets_of(n_sets),
        set_offsets=np.concatenate([np.zeros(1, dtype=np.int64), *ends]),
        # no copy of the features of a single chunk: they may be most of the memory
        features=parts[0].features
        if len(parts) == 1
        else np.concatenate([np.zeros(0, dtype=np.int32), *(part.features for part in parts)]),
        status=np.concatenate([np.zeros(0, dtype=np.uint8), *(part.status for part in parts)]),
        prediction=np.concatenate([np.zeros(0, dtype=np.uint8), *(part.prediction for part in parts)]),
        codes=np.concatenate(values) if values else None,
    )
