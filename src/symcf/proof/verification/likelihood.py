"""How likely a row is, added up anew from the terms as they are saved: the engines' sums are not used."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import OptionError
from symcf.question.constraint_kinds import Constraint, Plausible
from symcf.question.likely import Likely
from symcf.system.classifier import Classifier

__all__ = ["Floor", "likely_of"]


def likely_of(compiled: Classifier, constraints: Iterable[Constraint]) -> Likely | None:
    """How plausible rows had to be, as the explanation or its file says; None for any."""
    for constraint in constraints:
        if isinstance(constraint, Plausible):
            if compiled.plausibility is None:
                raise OptionError(
                    "the explanation is about plausible rows; give data with symcf.compile(model, plausibility=data)"
                )
            return Likely(constraint.share, compiled.plausibility)
    return None


class Floor:
    """Which rows are likely enough."""

    def __init__(self, likely: Likely) -> None:
        saved = likely.plausibility.to_dict()
        self._cells = saved["cells"]
        self._parents, self._terms = saved["parents"], [np.array(lines) for lines in saved["terms"]]
        rows, n_rows = accumulate(saved["counts"]), sum(saved["counts"])
        enough = (total for total, count in zip(saved["sums"], rows, strict=True) if count >= likely.share * n_rows)
        self._least = next(enough)

    def holds(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Is the sum of the terms large enough?"""
        cells = [
            np.array(part["table"])[rows[:, j]]
            if "table" in part
            else np.array([sum(cut <= code for cut in part["cuts"]) for code in rows[:, j].tolist()], dtype=np.int64)
            for j, part in enumerate(self._cells)
        ]
        sums = np.zeros(len(rows), dtype=np.int64)
        for own, parent, lines in zip(cells, self._parents, self._terms, strict=True):
            sums += lines[0][own] if parent < 0 else lines[cells[parent], own]
        return np.asarray(sums >= self._least)
