"""Rows in every form that is accepted, as source text."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from torture.models import Model, Row

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
ONE = ("list", "tuple", "dict", "object", "series", *DTYPES)
MANY = ("lists", "fortran", "strided", "swapped", "object", "frame", "arrow", *DTYPES)
#: What a model that reads raw rows takes. (An array of objects could not say which cells are text.)
RAW_ONE = ("list", "tuple", "dict")
RAW_MANY = ("lists", "frame", "dicts")


def draw_one(rng: random.Random, model: Model) -> str:
    """A form for an instance."""
    if model.raw is not None:
        return rng.choice(RAW_ONE)
    if set(model.n_values) <= {1, 2} and rng.random() < 0.1:
        return "bool"
    return "list" if rng.random() < 0.4 else rng.choice(ONE)


def draw_many(rng: random.Random, model: Model) -> str:
    """A form for a table."""
    if model.raw is not None:
        return rng.choice(RAW_MANY)
    if set(model.n_values) <= {1, 2} and rng.random() < 0.1:
        return "bool"
    return rng.choice(MANY)


def cells(model: Model, row: Row) -> list[Any]:
    """A row as the model reads it."""
    return list(row) if model.raw is None else [model.raw[j][v] for j, v in enumerate(row)]


def one(model: Model, row: Row, form: str) -> str:
    """An instance."""
    given = cells(model, row)
    named = dict(sorted(zip(model.feature_names, given, strict=True)))
    if form == "list":
        return repr(given)
    if form == "tuple":
        return repr(tuple(given))
    if form == "dict":
        return repr(named)
    if form == "series":
        return f"pandas.Series({named})"
    return f"np.array({given}, dtype={form!r})"


def many(model: Model, rows: Sequence[Row], form: str) -> str:
    """A table."""
    given = [cells(model, row) for row in rows]
    columns = {name: [row[j] for row in given] for j, name in enumerate(model.feature_names)}
    shuffled = dict(sorted(columns.items(), reverse=True))
    if form == "lists":
        return repr(given)
    if form == "frame":
        return f"pandas.DataFrame({shuffled!r})"
    if form == "arrow":
        return f"pyarrow.table({shuffled!r})"
    if form == "dicts":
        return repr(
            [dict(zip(shuffled, (shuffled[name][i] for name in shuffled), strict=True)) for i in range(len(rows))]
        )
    if form == "fortran":
        return f"np.asfortranarray({given})"
    if form == "strided":
        doubled = [[cell for cell in row for _ in range(2)] for row in given for _ in range(2)]
        return f"np.array({doubled})[::2, ::2]"
    if form == "swapped":
        return f"np.array({given}, dtype='>i4')"
    return f"np.array({given}, dtype={form!r})"
