"""The explanations of many rows that keep different labels, as one batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.answers.batch import BatchExplanation
from symcf.answers.explanation import Explanation
from symcf.common.extras import load_extra

__all__ = ["LabelBatch"]


class LabelBatch(Sequence[Explanation]):
    """The explanations of many rows. Made by `MultiLabel.explain_batch`."""

    def __init__(self, parts: Sequence[tuple[npt.NDArray[np.int64], BatchExplanation]]) -> None:
        #: Rows with the same goal: their numbers, and their batch.
        self.parts = tuple(parts)
        self._place = {row: (batch, i) for rows, batch in parts for i, row in enumerate(rows.tolist())}

    def __len__(self) -> int:
        return len(self._place)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        batch, i = self._place[range(len(self))[row]]
        return batch[i]

    def __iter__(self) -> Iterator[Explanation]:
        return (self[i] for i in range(len(self)))

    def to_frame(self, k: int | None = 1) -> Any:
        """The changed rows as a DataFrame, in the order of the rows; see `BatchExplanation.to_frame`."""
        pandas = load_extra("pandas", "to_frame")

        frames = [batch.to_frame(k) for _, batch in self.parts]
        numbers = []
        for (rows, batch), frame in zip(self.parts, frames, strict=True):
            changed = rows[np.flatnonzero(np.diff(batch.row_offsets))]
            numbers.append(changed[np.cumsum(frame.index.get_level_values("counterfactual") == 0) - 1])
        return pandas.concat(frames).iloc[np.argsort(np.concatenate(numbers), kind="stable")]

    def __repr__(self) -> str:
        return f"LabelBatch({len(self):,} rows, {len(self.parts)} goals)"
