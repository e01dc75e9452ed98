"""Decides rows of black-box models with tables made by other code than the engine's; short ones row by row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.extras import load_extra
from symcf.models.asked import MISSING, NONE, AskedModel
from symcf.system.classifier import Classifier

__all__ = ["asked_model", "decided_by_asking", "with_values"]

Codes = npt.NDArray[np.int64]

#: Up to so many rows are asked one by one.
ONE_BY_ONE = 32


def asked_model(compiled: Classifier) -> AskedModel | None:
    """The black-box model of a classifier; None for others."""
    return compiled.model if isinstance(compiled.model, AskedModel) else None


def with_values(compiled: Classifier, values: Sequence[Sequence[Hashable]]) -> Classifier:
    """The same classifier with the values of an explanation, which has rows' own among them."""
    model = asked_model(compiled)
    if model is None or model.encoder is None:  # then rows are codes of its values already
        return compiled
    cells = [[_cell(label) for label in labels] for labels in values]
    return compiled.with_model(model.with_cells(cells))


def decided_by_asking(model: AskedModel, rows: Codes) -> npt.NDArray[np.int64]:
    """The classes of rows, as codes."""
    known = [column.cells for column in model.columns]
    cells = [[known[j][code] for j, code in enumerate(row)] for row in rows.tolist()]
    tables = [[row] for row in cells] if len(cells) <= ONE_BY_ONE else [cells]
    code_of = {label: k for k, label in enumerate(model.classes)}
    labels = [label for table in tables for label in np.asarray(model.function(_table(model, table))).ravel().tolist()]
    return np.array([code_of[label] for label in labels], dtype=np.int64)


def _cell(label: Any) -> Any:
    return math.nan if label == MISSING else None if label == NONE else label


def _table(model: AskedModel, cells: list[list[Any]]) -> Any:
    form = model.form
    if form.keys is None:
        return np.array(cells, dtype=object).astype(form.dtypes[0])
    frame = load_extra("pandas", "verify").DataFrame(cells, columns=list(form.keys), dtype=object)
    return frame.astype(dict(zip(form.keys, form.dtypes, strict=True)))
