"""Keywords of a question that differ from row to row, in batches.

``immutable``     a table of truth values, one row per row and one column per feature; or a list of names for each row
``allowed``       a mapping for each row, or None
``target``        a class for each row, or None
``cost``          a table of numbers, one row per row and one column per feature; or a mapping for each row, or None
``max_changes``   a number for each row, or None

A table is an array of two dimensions or a DataFrame, whose columns may be some of the features. What is given for each
row is a Series, or a list or array as long as the table of rows.

In files, each of these is a column with one cell for each row (`from_cells`); an empty cell says nothing. ``immutable``
is a list of names, or names with commas between them; ``allowed`` and ``cost`` are JSON objects.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from symcf.data.labels import feature_index
from symcf.errors import OptionError

__all__ = ["BY_ROW", "by_row", "from_cells", "told_apart", "without"]

#: The keywords that may differ.
BY_ROW = ("immutable", "allowed", "target", "cost", "max_changes")


def by_row(
    question: Mapping[str, Any], count: Callable[[], int], features: Sequence[str]
) -> list[dict[str, Any]] | None:
    """The keywords of each row; None where all rows have the same. ``count`` tells how many rows there are."""
    readers = {"immutable": _immutable, "allowed": _listed, "target": _listed, "cost": _cost, "max_changes": _listed}
    found = {}
    for name, read in readers.items():
        column = read(question.get(name), features) if question.get(name) is not None else None
        if column is None:
            continue
        if len(column) != count():
            raise OptionError(f"{name} is given for each row: {len(column):,} entries, but there are {count():,} rows")
        found[name] = column
    if not found:
        return None
    return [{**question, **{name: column[i] for name, column in found.items()}} for i in range(count())]


def without(question: Mapping[str, Any], each: Sequence[Mapping[str, Any]] | None) -> dict[str, Any]:
    """What all rows have in common, where ``each`` has the keywords of each row."""
    if each is None:
        return dict(question)
    return {name: value for name, value in question.items() if each and each[0][name] is value}


def told_apart(each: Sequence[Mapping[str, Any]]) -> list[str]:
    """The same text for rows whose keywords are the same. Arrays are written in full, with all digits."""
    with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        return [repr([of_row.get(name) for name in BY_ROW]) for of_row in each]


def _is_frame(given: Any) -> bool:
    return hasattr(given, "columns") and hasattr(given, "iloc")


def _table(given: Any, features: Sequence[str], name: str) -> tuple[list[str], np.ndarray[Any, Any]] | None:
    """The names of the columns and the entries; None if it is no table."""
    if _is_frame(given):
        names = [features[feature_index(column, features, name)] for column in given.columns]
        return names, given.to_numpy()
    if isinstance(given, np.ndarray) and given.ndim == 2:
        if given.shape[1] != len(features):
            raise OptionError(
                f"{name}: a table has one column per feature, {len(features)}, not {given.shape[1]}; or give a "
                "DataFrame whose columns are features"
            )
        return list(features), given
    return None


def _immutable(given: Any, features: Sequence[str]) -> list[Any] | None:
    table = _table(given, features, "immutable")
    if table is not None:
        names, entries = table
        if not all(isinstance(entry, (bool, np.bool_)) or entry in (0, 1) for entry in entries.ravel().tolist()):
            raise OptionError("immutable: a table holds truth values: does the feature of this column stay?")
        return [[name for name, stays in zip(names, line, strict=True) if stays] for line in entries.tolist()]
    if isinstance(given, str) or not isinstance(given, Collection):
        return None
    listed = list(given)
    many = (list, tuple, set, frozenset, np.ndarray)
    if not listed or not all(entry is None or isinstance(entry, many) for entry in listed):
        return None
    return [() if entry is None else list(entry) for entry in listed]


def _cost(given: Any, features: Sequence[str]) -> list[Any] | None:
    table = _table(given, features, "cost")
    if table is None:
        listed = _listed(given, features)
        maps = listed is not None and all(entry is None or isinstance(entry, Mapping) for entry in listed)
        return listed if listed and maps else None
    names, entries = table
    return [dict(zip(names, line, strict=True)) for line in entries.tolist()]


def _listed(given: Any, features: Sequence[str]) -> list[Any] | None:
    """What is given for each row; None where it is one for all."""
    if isinstance(given, (str, bytes, Mapping)):
        return None
    if isinstance(given, (list, np.ndarray)) or (hasattr(given, "iloc") and not _is_frame(given)):
        entries = given.tolist() if hasattr(given, "tolist") else given
        return [None if entry != entry else entry for entry in entries]  # NaN is none
    return None


# --- columns of files -------------------------------------------------------------------------------------------------


def from_cells(
    name: str, cells: Sequence[Any], features: Sequence[str], classes: Sequence[Hashable], first: int = 0
) -> list[Any]:
    """A keyword of each row, from the cells of a column. `OptionError` names the row; ``first`` is the number of the
    first one.
    """
    read: Callable[[Any], Any] = {
        "immutable": lambda cell: _names(cell, features),
        "allowed": lambda cell: _object(cell, features),
        "target": lambda cell: _label(cell, classes),
        "cost": lambda cell: _object(cell, features),
        "max_changes": _whole,
    }[name]
    found = []
    for i, cell in enumerate(cells):
        try:
            found.append(None if _is_empty(cell) else read(cell))
        except (ValueError, TypeError) as error:
            raise OptionError(f"{name} of row {first + i}: {cell!r}: {error}") from None
    return found


def _is_empty(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell) or (isinstance(cell, str) and not cell.strip())


def _names(cell: Any, features: Sequence[str]) -> list[str]:
    if not isinstance(cell, str):
        names = [str(name) for name in cell]
    elif cell in features:
        names = [cell]
    elif cell.lstrip().startswith("["):
        names = [str(name) for name in json.loads(cell)]
    else:
        names = [name.strip() for name in cell.split(",")]
    return [features[feature_index(one, features, "immutable")] for one in names]


def _object(cell: Any, features: Sequence[str]) -> dict[str, Any]:
    given = json.loads(cell) if isinstance(cell, str) else cell
    if not isinstance(given, Mapping):
        raise ValueError('write a JSON object, such as {"income": "increase"}')
    # the struct of an Arrow table has all names in every row
    known = {name: value for name, value in given.items() if value is not None}
    return {features[feature_index(name, features, "by_row")]: value for name, value in known.items()}


def _label(cell: Any, classes: Sequence[Hashable]) -> Hashable:
    if cell in classes:
        return classes[list(classes).index(cell)]
    text = str(cell).strip()
    fitting = [label for label in classes if str(label) == text]
    if len(fitting) != 1:
        raise ValueError(f"there is no such class; there are {', '.join(map(str, classes))}")
    return fitting[0]


def _whole(cell: Any) -> int:
    number = float(cell)
    if not number.is_integer():
        raise ValueError("it is no whole number")
    return int(number)
