"""Time limits: a deadline that is passed on as a `Clock`, or one that holds for all that a call does.

Inside ``with time_limit(3):``, and inside a call that `timed` decorates, every clock runs out no later than the limit:
also `NO_LIMIT`, which is what functions have that were passed none. Loops in Python that may take long call `tick`.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from symcf.common.options import checked_seconds
from symcf.errors import CompileLimitError, LimitError

__all__ = ["NO_LIMIT", "READING", "Clock", "tick", "time_limit", "timed"]

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds for each byte that the core holds when it ends early (src/core/control.c).
FREEING = 1.5e-10

#: Seconds for each character of JSON, whose reading cannot be interrupted.
READING = 5e-8


#: When the calls of this thread that are under way must have ended.
_ambient: ContextVar[float | None] = ContextVar("deadline", default=None)


class Clock:
    """A time limit that several steps of a call share; None means no limit but that of the calls around it."""

    def __init__(self, seconds: float | None) -> None:
        self._own = None if seconds is None else time.monotonic() + seconds

    @property
    def _deadline(self) -> float | None:
        own, around = self._own, _ambient.get()
        return own if around is None else around if own is None else min(own, around)

    @property
    def seconds(self) -> float | None:
        """Seconds left; None where there is no limit."""
        deadline = self._deadline
        return None if deadline is None else max(0.0, deadline - time.monotonic())

    @property
    def left(self) -> float:
        """Seconds left; -1, which the core reads as "any number", where there is no limit."""
        seconds = self.seconds
        return -1.0 if seconds is None else seconds

    @property
    def expired(self) -> bool:
        """Is the time up?"""
        return self.left == 0.0

    def ended(self, error: LimitError) -> bool:
        """Was it this limit that ended the work? The core ends it early enough to free its memory, and steps that
        cannot be interrupted are not begun if there is too little time for them.
        """
        freeing = FREEING * error.memory if isinstance(error, CompileLimitError) and error.limit == "time" else 0.0
        return 0.0 <= self.left <= max(freeing, error.early)

    @contextlib.contextmanager
    def until_ended(self) -> Iterator[None]:
        """Leaves the block when this limit ends the work in it."""
        try:
            yield
        except LimitError as error:
            if not self.ended(error):
                raise

    def earlier(self, seconds: float | None) -> Clock:
        """A clock that runs out when this one does, or after this many seconds if that is earlier."""
        other = Clock(seconds)
        if self._own is not None and (other._own is None or self._own < other._own):
            other._own = self._own
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


def tick(ahead: float = 0.0) -> None:
    """`LimitError` if the time of a call that is under way is up, or will be in so many seconds."""
    deadline = _ambient.get()
    if deadline is not None and time.monotonic() + ahead >= deadline:
        error = LimitError("time limit reached before the call was finished; raise time_limit")
        error.early = ahead
        raise error


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """All calls of symcf inside the block take at most so many seconds together; None means no limit.

    For what takes no keyword ``time_limit``: operators, attributes, and several calls at a time. A call whose time is
    up gives what it has found, or raises `LimitError`, as with its own ``time_limit``. The limit holds for the thread
    that runs the block.

    >>> import symcf
    >>> from symcf.demo import admission
    >>> c = symcf.compile(admission())
    >>> with symcf.time_limit(60):
    ...     either = c.is_class("admitted") | c.condition("GPA = 0")
    ...     print(either.count_models())
    13
    """
    token = _ambient.set(Clock(checked_seconds(seconds))._deadline)
    try:
        yield
    finally:
        _ambient.reset(token)


def timed(call: Callable[P, T]) -> Callable[P, T]:
    """Makes the keyword ``time_limit`` of a function hold for all that it does.

    Not for generator functions: their body runs after the call.
    """

    @wraps(call)
    def limited(*arguments: P.args, **options: P.kwargs) -> T:
        seconds = options.get("time_limit")
        if seconds is None:
            return call(*arguments, **options)
        with time_limit(seconds):  # type: ignore[arg-type]  # checked there
            return call(*arguments, **options)

    return limited
