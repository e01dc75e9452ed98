"""Locks that a forked process does not inherit as held.

A child of `os.fork` has one thread. A lock that another thread of its parent held at that moment would never be
released in the child, so the child begins with all of them released. What they protect is valid at any time, except for
work of the core that another thread was in the middle of: `on_held` is called for those.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import ref

__all__ = ["new_lock", "new_reentrant_lock"]

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
        for number, (known, _) in list(_locks.items()):
            if known() is None:
                _locks.pop(number, None)
        _most = 2 * len(_locks) + FEW


def _release_all() -> None:
    for known, on_held in list(_locks.values()):
        lock = known()
        if lock is None:
            continue
        if on_held is not None and lock.locked():
            on_held()
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_all)
