"""A time limit that several steps of a call share."""

from __future__ import annotations

import time

__all__ = ["Clock"]


class Clock:
    """A time limit, from now on; None is none."""

    def __init__(self, seconds: float | None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left; -1, which the core reads as "any number", where there is no limit."""
        return -1.0 if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Is the time up?"""
        return self.left == 0.0
