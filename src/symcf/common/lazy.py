"""Attributes that are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

__all__ = ["Later", "cached_property"]

T = TypeVar("T")


class cached_property(Generic[T]):  # as in functools
    """As `functools.cached_property`, without the lock that Python 3.11 has for each class: a process that is forked
    while another thread computes an attribute would wait for that thread forever.

    Two threads may compute the same attribute; both get what the first one stores.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = ""
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        made: T = instance.__dict__.setdefault(self._name, self._make(instance))
        return made


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
