"""Which group a row is in: a column of the table, a feature, or labels that the user gives."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from symcf.data.encoder import is_missing
from symcf.data.labels import feature_index
from symcf.data.reader import Codes, arrow_table
from symcf.errors import OptionError
from symcf.system.classifier import Classifier

__all__ = ["ALL", "MISSING", "Grouping", "in_order", "split"]

#: The label of the one group that all rows are in where no groups are asked for.
ALL = "all"
#: The labels of rows whose group is not known.
MISSING, NOT_READABLE = "missing", "not readable"


class Grouping:
    """By row, the number of its group; and the labels of the groups."""

    def __init__(self, labels: Any, n_rows: int) -> None:
        if labels is None:
            self.labels: tuple[Hashable, ...] = (ALL,)
            self.part = np.zeros(n_rows, dtype=np.uint32)
            return
        try:
            cells = [_plain(label) for label in (labels.tolist() if isinstance(labels, np.ndarray) else labels)]
        except TypeError:
            raise OptionError(
                f"groups must be a feature, a column of the rows, or a label for each row, not {labels!r}"
            ) from None
        if len(cells) != n_rows:
            raise OptionError(f"groups: {len(cells):,} label{'s' * (len(cells) != 1)} for {n_rows:,} rows")
        self.labels = tuple(dict.fromkeys(cells))
        numbers = {label: i for i, label in enumerate(self.labels)}
        self.part = np.fromiter((numbers[cell] for cell in cells), dtype=np.uint32, count=n_rows)


def split(compiled: Classifier, data: Any, groups: Any) -> tuple[Any, Any]:
    """The rows without a column that only says their group, and the labels: a name of a feature, whose values are
    labels, stays a name.
    """
    if isinstance(groups, (int, np.integer)) and not isinstance(groups, bool):
        return data, compiled.features[feature_index(groups, compiled.features, "groups")]
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
    return [NOT_READABLE if code < 0 else values[code] for code in codes[:, j].tolist()]


def _without(compiled: Classifier, data: Any, name: str, rest: Any) -> Any:
    """The rows as they are if the classifier reads the column, else what is left of them."""
    return data if name in compiled.encoder.layout.known else rest()


def _plain(label: Any) -> Hashable:
    if isinstance(label, np.generic):
        label = label.item()
    if label is None or is_missing(label):
        return MISSING
    if not isinstance(label, Hashable):
        raise OptionError(f"groups: {label!r} cannot be a label")
    return label


def in_order(labels: Iterable[Hashable], values: Sequence[Hashable] | None) -> list[Hashable]:
    """Labels in the order of a feature's values, if they are these; else sorted where they can be."""
    if values is not None:
        place = {value: i for i, value in enumerate(values)}
        return sorted(labels, key=lambda label: place.get(label, len(place)))
    known: list[Any] = list(labels)
    try:
        return sorted(known)
    except TypeError:
        return sorted(known, key=lambda label: (type(label).__name__, str(label)))
