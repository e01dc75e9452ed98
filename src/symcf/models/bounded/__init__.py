"""Models that are smooth functions of their columns, read so that they can be bounded over boxes of values."""

from __future__ import annotations

__all__: list[str] = []
