"""Columns that look like the one-hot columns of one: a counterfactual would give someone two jobs at once."""

from __future__ import annotations

import warnings
from collections import defaultdict
from typing import Any

import numpy as np

from symcf.models.base import Model

__all__ = ["warn_of_dummies"]

#: The values of a column of which a classifier knows only whether it is 0 or 1.
BINARY = ({"<= 0.5", "> 0.5"}, {0, 1}, {"any"})


def warn_of_dummies(model: Model, data: Any, stacklevel: int) -> None:
    """Warns if columns such as job_clerk and job_baker, as pandas.get_dummies makes them, are features of their own.

    Columns are taken for such if they are 0 or 1 to the classifier and their names differ only behind the last "_".
    With rows to look at, no two of them may be 1 in any; without, names that end in numbers are left alone.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, values in zip(model.features, model.values, strict=True):
        prefix, _, suffix = name.rpartition("_")
        if prefix and suffix and _is_binary(values):
            found[prefix].append(name)
    tested = {name for name, values in zip(model.features, model.values, strict=True) if len(values) > 1}
    for prefix, names in found.items():
        if len(names) > 1 and tested.intersection(names) and _exclude_each_other(names, data):
            warnings.warn(
                f"the columns {', '.join(map(repr, names))} look like one column {prefix!r}, one-hot encoded (as by "
                f"pandas.get_dummies); a counterfactual may set two of them. To make them one feature, pass "
                f"groups={{{prefix!r}: {names!r}}}; if they are independent, groups={{}} ends this warning",
                stacklevel=stacklevel,
            )


def _is_binary(values: Any) -> bool:
    return len(values) <= 2 and set(values) in BINARY


def _exclude_each_other(names: list[str], data: Any) -> bool:
    try:
        columns = np.column_stack([np.asarray(data[name], dtype=np.float64) for name in names])
    except (TypeError, KeyError, IndexError, ValueError):  # no rows, or without names
        return not all(name.rpartition("_")[2].isdigit() for name in names)
    return bool(len(columns) and (columns.sum(axis=1) <= 1).all())
