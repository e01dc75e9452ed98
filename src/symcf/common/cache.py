"""A cache that drops the least recently used results.

Locks that a forked process does not inherit as held.

A child of `os.fork` has one thread. A lock that another thread of its parent held at that moment would never be
released in the child, so the child begins with all of them released. What they protect is valid at any time, except for
work of the core that another thread was in the middle of: `on_held` is called for those.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from itertools import count
from typing import Any, Generic, TypeVar
from weakref import ref

from symcf.common.clock import NO_LIMIT, Clock

__all__ = ["Cache", "new_lock", "new_reentrant_lock"]

T = TypeVar("T")


class Cache(Generic[T]):
    """Keeps the ``size`` most recently used results. Threads may share it; each result is made by one of them.

    >>> squares = Cache[int](2)
    >>> [squares.get(n, lambda: n * n) for n in (3, 4, 5)], len(squares)
    ([9, 16, 25], 2)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = new_reentrant_lock()  # making one result may ask for another
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T], clock: Clock = NO_LIMIT) -> T:
        """The result kept for this key, or a new one. `LimitError` if another thread takes too long to make one."""
        with clock.holding(self._lock):
            if key not in self._kept:
                made = make()  # a failure leaves everything as it was
                self._kept[key] = made
                while len(self._kept) > self._size:
                    self._kept.popitem(last=False)
                return made
            self._kept.move_to_end(key)
            return self._kept[key]

    def get_soon(self, key: Hashable, make: Callable[[], T]) -> T:
        """The same where no thread waits for another: two of them may make the same result."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        return self.get(key, lambda: made)

    def __len__(self) -> int:
        return len(self._kept)


#: Locks, and what to do in the child if one was held. Those that are gone are removed now and then, not by a callback:
#: a KeyboardInterrupt that arrives while Python calls back is lost, and explanations make and drop many locks.
_locks: dict[int, tuple[ref[Any], Callable[[], object] | None]] = {}
_numbers = count()

#: Locks up to which nothing is removed, at least.
FEW = 1024
_most = FEW


def new_lock(on_held: Callable[[], object] | None = None) -> threading.Lock:
    """A `threading.Lock`. In a child that is forked while it is held, `on_held` is called, which must not refer to the
    lock.
    """
    lock = threading.Lock()
    _remember(lock, on_held)
    return lock


def new_reentrant_lock() -> threading.RLock:
    """A `threading.RLock`."""
    lock = threading.RLock()
    _remember(lock, None)
    return lock


def _remember(lock: Any, on_held: Callable[[], object] | None) -> None:
    global _most
    _locks[next(_numbers)] = ref(lock), on_held
    if len(_locks) > _most:
        for number, (known, _) in _locks.copy().items():  # a copy is made at once; a list is not
            if known() is None:
                _locks.pop(number, None)
        _most = 2 * len(_locks) + FEW


def _release_all() -> None:
    for known, on_held in _locks.copy().values():
        lock = known()
        if lock is None:
            continue
        if on_held is not None and lock.locked():
            on_held()
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_all)
