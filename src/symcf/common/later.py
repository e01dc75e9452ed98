"""Values that are made when they are first wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["Later"]

T = TypeVar("T")


class Later(Generic[T]):
    """A value, or how to make it. Pickled, it is the value.

    >>> Later(lambda: 6 * 7).value
    42
    """

    __slots__ = ("_make", "_value")

    def __init__(self, make: Callable[[], T]) -> None:
        self._make: Callable[[], T] | None = make

    @classmethod
    def known(cls, value: T) -> Later[T]:
        """One that is made already."""
        later = cls.__new__(cls)
        later._make, later._value = None, value
        return later

    @property
    def value(self) -> T:
        """Made now, if it was not before."""
        make = self._make
        if make is not None:
            self._value = make()
            self._make = None
        return self._value

    def __reduce__(self) -> tuple[Any, ...]:
        return Later.known, (self.value,)
