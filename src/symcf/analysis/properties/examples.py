"""Rows that nobody gave, in the user's terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symcf.analysis.algebra.functions import columns_of
from symcf.common.text import one_line
from symcf.data.phrases import fact_text, value_text
from symcf.data.shared import row_of_codes
from symcf.system.classifier import Classifier

__all__ = ["Pair", "example_row", "model_of", "pair_of", "row_text"]


class Pair(NamedTuple):
    """Two rows that differ in the features asked about only, and are decided differently."""

    row: Any
    other: Any
    #: The decisions.
    decided: Any
    other_decided: Any

    def __str__(self) -> str:
        return self.text({}, {})

    def text(self, names: Mapping[str, str], units: Mapping[str, str]) -> str:
        """In words, with the names of columns that people know, and the units of their numbers."""
        if isinstance(self.row, dict) and isinstance(self.other, dict):
            same = {name: cell for name, cell in self.row.items() if _same(cell, self.other[name])}
            changed = {name: (cell, self.other[name]) for name, cell in self.row.items() if name not in same}
            moves = ", ".join(
                f"{names.get(name, name)}: {value_text(old)} -> {value_text(new)}"
                for name, (old, new) in changed.items()
            )
            rest = ", ".join(fact_text(names.get(name, name), cell, units.get(name, "")) for name, cell in same.items())
            return f"{moves}: {self.decided} -> {self.other_decided}" + (f", with {rest}" if rest else "")
        return f"{self.row} -> {self.other}: {self.decided} -> {self.other_decided}"


def row_text(row: Any) -> str:
    """A row as people read it."""
    if isinstance(row, dict):
        return ", ".join(fact_text(name, cell) for name, cell in row.items())
    return one_line(row)


def _same(a: Any, b: Any) -> bool:
    return bool(a is b or a == b or (a != a and b != b))


def example_row(classifier: Classifier, codes: Sequence[int]) -> dict[str, Any]:
    """A row with these value codes, as a mapping from columns. A range of numbers is one of its numbers."""
    return row_of_codes(columns_of(classifier), codes)


def pair_of(classifier: Classifier, codes: Sequence[int], others: Sequence[int]) -> Pair:
    """A pair of rows of value codes."""
    both = np.array([list(codes), list(others)], dtype=np.int64)
    first, second = classifier.decide(both).tolist()
    rows = [example_row(classifier, row) for row in both.tolist()]
    return Pair(rows[0], rows[1], classifier.classes[first], classifier.classes[second])


def model_of(diagram: Any, classifier: Classifier) -> npt.NDArray[np.int64]:
    """Value codes of a row that a diagram of the core says 1 of, which it must do of some."""
    core, groups = diagram, classifier.decision.groups
    ends = np.concatenate([[0], np.cumsum(core.arity[core.level[2:]], dtype=np.int64)])
    codes = np.zeros(core.n, dtype=np.int64)
    node = int(core.root)
    while node > 1:
        children = core.child[ends[node - 2] : ends[node - 1]]
        value = int(np.flatnonzero(children != 0)[0])  # reduced: everything but 0 leads to 1
        codes[core.order[core.level[node]]] = value
        node = int(children[value])
    assert node == 1
    return groups.first[groups.core_offset[:-1].astype(np.int64) + codes].astype(np.int64)
