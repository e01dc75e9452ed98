"""Labels as text for people, and as values for JSON."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["one_line", "plain"]


def one_line(label: object) -> str:
    """A name or value as text that stays on its line: no line breaks, no control characters."""
    text = str(label)
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def plain(label: Any) -> Any:
    """A label as a JSON value; as text if JSON has no such value."""
    value = label.item() if isinstance(label, np.generic) else label
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)
