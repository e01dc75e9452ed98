"""Classifiers that read the labels before them: what they decide, as functions of the row alone.

A label that is read is a column with a value for each class of that label. Where the label is decided by functions of
the row, the column goes: f becomes "class 0, and f with the value of class 0; or class 1, and f with its value; ...".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from symcf import _core
from symcf.data.columns import RawColumns
from symcf.data.shared import Columns
from symcf.errors import ModelError
from symcf.system.combine import Part, combine, how, same_class, translated
from symcf.system.decision import Budget

__all__ = ["without_labels"]

T = TypeVar("T")


def without_labels(part: Part, labels: Mapping[str, Mapping[Any, Part]], budget: Budget) -> Part:
    """A function that may read labels, given by the functions of their classes, as one that does not."""
    for name, classes in labels.items():
        if name in part.columns.features:
            part = _without(part, name, classes, budget)
    return part


def _without(part: Part, name: str, classes: Mapping[Any, Part], budget: Budget) -> Part:
    j = part.columns.features.index(name)
    columns = _fewer(part.columns, j)
    parts: list[Part] = []
    for label, decided in classes.items():
        parts += [decided, Part(_restricted(part, j, _code(part.columns, j, label), columns, budget), None, columns)]
    core, columns = combine(parts, how(len(parts), same_class), budget)
    return Part(core, None, columns)


def _fewer(columns: Columns, j: int) -> Columns:
    """Without a feature."""
    if len(columns.features) < 2:
        raise ModelError(f"a classifier reads nothing but the label {columns.features[j]!r}: use that label instead")

    def rest(items: Sequence[Any]) -> tuple[Any, ...]:
        return (*items[:j], *items[j + 1 :])

    encoder = columns.encoder
    if encoder is not None:
        if not isinstance(encoder, RawColumns):
            raise ModelError(f"a chain of classifiers must read raw columns or codes, not {type(encoder).__name__}")
        gone = encoder.readers[j].sources
        if len(gone) != 1:
            raise ModelError(f"the label {columns.features[j]!r} is read from several columns")
        names = rest_of(encoder.columns, gone[0])
        doubles = [place - (place > gone[0]) for place in encoder.doubles if place != gone[0]]
        readers = [_moved(r, gone[0]) for r in rest(encoder.readers)]
        types = rest_of(encoder.layout.types, gone[0]) if encoder.layout.types else ()
        encoder = RawColumns(names, readers, named=encoder.named, doubles=doubles, types=types)
    return Columns(rest(columns.features), rest(columns.values), rest(columns.ordered), encoder)


def rest_of(columns: Sequence[T], place: int) -> list[T]:
    """Without the column at a place."""
    return [column for i, column in enumerate(columns) if i != place]


def _moved(reader: Any, gone: int) -> Any:
    """A reader of the same columns after one of them went."""
    data = reader.to_dict()
    if any(source == gone for source in reader.sources):
        raise ModelError("a column of the row and a label before it are one feature of a classifier")

    def place(source: int) -> int:
        return source - (source > gone)

    moved = {"column": place(data["column"])} if "column" in data else {"columns": [place(s) for s in data["columns"]]}
    return type(reader).from_dict({**data, **moved})


def _code(columns: Columns, j: int, label: Any) -> int:
    """What the classifier reads where the label has this class; where rows are codes, the value of the same name."""
    if columns.encoder is None:
        code = columns.values[j].index(label) if label in columns.values[j] else -1
    else:
        cell = np.empty(1, dtype=object)
        cell[0] = label.item() if isinstance(label, np.generic) else label
        code = int(columns.encoder.readers[j].read([cell])[0])
    if not 0 <= code < len(columns.values[j]):
        raise ModelError(f"a classifier cannot read the class {label!r} of the label {columns.features[j]!r} before it")
    return code


def _restricted(part: Part, j: int, code: int, columns: Columns, budget: Budget) -> _core.Diagram:
    """The function where feature j has this value, over the other features: j is read from any of them."""
    old = part.columns.n_values
    places = [i - (i > j) if i != j else 0 for i in range(len(old))]
    codes = [[code] * columns.n_values[0] if i == j else list(range(d)) for i, d in enumerate(old)]
    if part.groups is not None:
        codes = [[groups[v] for v in column] for groups, column in zip(part.groups.group_of, codes, strict=True)]
    order = [i - (i > j) for i in part.core.order.tolist() if i != j]
    return translated(part.core, places, codes, columns.n_values, order, budget)
