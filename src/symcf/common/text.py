"""Labels as text for people, and as values for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["number_in", "one_line", "plain", "plain_cell", "plain_row"]


def one_line(label: object) -> str:
    """A name or value as text that stays on its line: no line breaks, no control characters."""
    text = str(label)
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def number_in(text: str) -> float:
    """The number that a text is. ValueError also for 1_000 and digits of other scripts, which only Python takes."""
    if not text.isascii() or "_" in text:
        raise ValueError(f"{text!r} is not a number")
    return float(text)


#: Types whose values are JSON values as they are.
JSON_TYPES = frozenset((int, str, bool))


def plain(label: Any) -> Any:
    """A label as a JSON value; as text if JSON has no such value."""
    if type(label) in JSON_TYPES:
        return label
    value = label.item() if isinstance(label, np.generic) else label
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)


def plain_cell(cell: Any) -> Any:
    """A cell of a row as a JSON value; a missing one is null."""
    if type(cell) in JSON_TYPES:
        return cell
    if isinstance(cell, np.floating):
        cell = float(str(cell))  # the number that is printed, also of 32 bits
    missing = (isinstance(cell, float) and math.isnan(cell)) or type(cell).__name__ in ("NAType", "NaTType")
    return None if missing else plain(cell)


def plain_row(row: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any] | list[Any]:
    """A row as JSON values: an object by the names of the columns, or a list."""
    if isinstance(row, Mapping):
        return {name: plain_cell(cell) for name, cell in row.items()}
    return [plain_cell(cell) for cell in row]
