"""Time limits."""

from __future__ import annotations

import time

__all__ = ["Clock"]


class Clock:
    """A time limit that several calls share."""

    def __init__(self, seconds: float | None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds

    @property
    def seconds(self) -> float | None:
        """Seconds left; None where there is no limit."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    @property
    def left(self) -> float:
        """Seconds left; -1, which the core reads as "any number", where there is no limit."""
        seconds = self.seconds
        return -1.0 if seconds is None else seconds

    @property
    def expired(self) -> bool:
        """Is the time up?"""
        return self.seconds == 0.0
