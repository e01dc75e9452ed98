"""A cache that drops the least recently used results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.locks import new_reentrant_lock

__all__ = ["Cache"]

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

    def __len__(self) -> int:
        return len(self._kept)
