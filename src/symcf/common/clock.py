"""Time limits."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from symcf.errors import CompileLimitError, LimitError

__all__ = ["NO_LIMIT", "Clock"]

#: Seconds for each byte that the core holds when it ends early (src/core/control.c).
FREEING = 1.5e-10


class Clock:
    """A time limit that several steps of a call share; None means no limit."""

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
        return self.left == 0.0

    def stop(self) -> None:
        """Ends the time that is left, which is too short for the next step. requires: there is a limit."""
        assert self._deadline is not None
        self._deadline = min(self._deadline, time.monotonic())

    def ended(self, error: LimitError) -> bool:
        """Was it this limit that ended the work? The core ends it early enough to free its memory."""
        freeing = FREEING * error.memory if isinstance(error, CompileLimitError) and error.limit == "time" else 0.0
        return 0.0 <= self.left <= freeing

    def earlier(self, seconds: float | None) -> Clock:
        """A clock that runs out when this one does, or after this many seconds if that is earlier."""
        other = Clock(seconds)
        if self._deadline is not None and (other._deadline is None or self._deadline < other._deadline):
            other._deadline = self._deadline
        return other

    @contextlib.contextmanager
    def holding(self, lock: threading.Lock | threading.RLock) -> Iterator[None]:
        """Holds the lock; `LimitError` if another thread does not release it in time."""
        if not lock.acquire(timeout=min(self.left, threading.TIMEOUT_MAX)):
            raise LimitError("time limit reached while waiting for another thread")
        try:
            yield
        finally:
            lock.release()


#: No limit.
NO_LIMIT = Clock(None)
