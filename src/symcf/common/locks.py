"""Locks that a forked process does not inherit as held.

A child of `os.fork` has one thread. A lock that another thread of its parent held at that moment would never be
released in the child, so the child begins with all of them released. What they protect is valid at any time, except for
work of the core that another thread was in the middle of: `on_held` is called for those.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

__all__ = ["new_lock", "new_reentrant_lock"]

#: By lock, what to do in the child if it was held.
_locks: WeakKeyDictionary[Any, Callable[[], object] | None] = WeakKeyDictionary()


def new_lock(on_held: Callable[[], object] | None = None) -> threading.Lock:
    """A `threading.Lock`. In a child that is forked while it is held, `on_held` is called, which must not refer to the
    lock.
    """
    lock = threading.Lock()
    _locks[lock] = on_held
    return lock


def new_reentrant_lock() -> threading.RLock:
    """A `threading.RLock`."""
    lock = threading.RLock()
    _locks[lock] = None
    return lock


def _release_all() -> None:
    for lock, on_held in list(_locks.items()):
        if on_held is not None and lock.locked():
            on_held()
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_all)
