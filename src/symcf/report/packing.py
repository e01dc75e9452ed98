"""Numbers in few letters, for the page."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

__all__ = ["EXACT", "packed"]

#: JavaScript's numbers are exact below this.
EXACT = 2**53


def packed(numbers: Any) -> dict[str, Any]:
    """Natural numbers in as few bytes as the largest needs, as text: {"bits": 8, 16 or 32, "data": base64}."""
    array = np.asarray(numbers, dtype=np.int64).ravel()
    largest = int(array.max(initial=0))
    bits = 8 if largest < 1 << 8 else 16 if largest < 1 << 16 else 32
    return {"bits": bits, "data": base64.b64encode(array.astype(f"<u{bits // 8}").tobytes()).decode("ascii")}
