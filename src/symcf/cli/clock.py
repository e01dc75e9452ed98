"""Time limits of commands."""

from __future__ import annotations

import math
import time

__all__ = ["Clock"]


class Clock:
    """The remaining time of a limit."""

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds, or None for no limit."""
        return None if self._end == math.inf else max(0.0, self._end - time.monotonic())
