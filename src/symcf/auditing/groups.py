"""Which group a row is in: a column of the table, a feature, or labels that the user gives."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.diagrams.classifier import Classifier
from symcf.errors import OptionError
from symcf.rows.encoder import is_missing
from symcf.rows.reader import Codes, arrow_table

__all__ = ["ALL", "Grouping", "split"]

#: The label of the one group that all rows are in where no groups are asked for.
ALL = "all"


class Grouping:
    """By row, the number of its group; the labels of the groups, sorted where they can be."""

    def __init__(self, labels: Sequence[Hashable] | npt.NDArray[Any] | None, n_rows: int) -> None:
        if labels is None:
            self.labels: tuple[Hashable, ...] = (ALL,)
            self.part = np.zeros(n_rows, dtype=np.uint32)
            return
        cells = [_plain(label) for label in (labels.tolist() if isinstance(labels, np.ndarray) else labels)]
        if len(cells) != n_rows:
            raise OptionError(f"groups: {len(cells):,} labels for {n_rows:,} rows")
        self.labels = tuple(_sorted(dict.fromkeys(cells)))
        numbers = {label: i for i, label in enumerate(self.labels)}
        self.part = np.fromiter((numbers[cell] for cell in cells), dtype=np.uint32, count=n_rows)


def split(compiled: Classifier, data: Any, groups: Any) -> tuple[Any, Any]:
    """The rows without a column that only says their group, and the labels: a name of a feature, whose values are
    labels, stays a name.
    """
    if groups is None or not isinstance(groups, str):
        return data, groups
    if groups in compiled.features:
        return data, groups
    if isinstance(data, Mapping) and groups in data:
        return _without(compiled, data, groups, lambda: {n: data[n] for n in data if n != groups}), list(data[groups])
    if isinstance(data, Sequence) and len(data) and all(isinstance(row, Mapping) and groups in row for row in data):
        rows = _without(
            compiled, data, groups, lambda: [{name: row[name] for name in row if name != groups} for row in data]
        )
        return rows, [row[groups] for row in data]
    if hasattr(data, "columns") and hasattr(data, "drop") and groups in list(data.columns):
        labels = list(data[groups])
        return _without(compiled, data, groups, lambda: data[[name for name in data.columns if name != groups]]), labels
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        table = arrow_table(data)
        if groups in table.column_names:
            labels = table.column(groups).to_pylist()
            return _without(compiled, table, groups, lambda: table.drop_columns([groups])), labels
    raise OptionError(
        f"groups: {groups!r} is neither a feature nor a column of the rows; give one of these, or a label for each row"
    )


def labels_of(compiled: Classifier, codes: Codes, groups: Any) -> Any:
    """The labels of rows whose groups are the values of a feature; others as they are."""
    if not isinstance(groups, str):
        return groups
    j = compiled.features.index(groups)
    values = compiled.values[j]
    return ["not readable" if code < 0 else values[code] for code in codes[:, j].tolist()]


def _without(compiled: Classifier, data: Any, name: str, rest: Any) -> Any:
    """The rows as they are if the classifier reads the column, else what is left of them."""
    return data if name in compiled.encoder.layout.known else rest()


def _plain(label: Any) -> Hashable:
    if isinstance(label, np.generic):
        label = label.item()
    if label is None or is_missing(label):
        return "missing"
    if not isinstance(label, Hashable):
        raise OptionError(f"groups: {label!r} cannot be a label")
    return label


def _sorted(labels: Any) -> list[Hashable]:
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=lambda label: (type(label).__name__, str(label)))
