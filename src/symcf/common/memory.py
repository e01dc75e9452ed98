"""Memory limits."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from symcf import _core
from symcf.common.clock import Clock, time_limit

__all__ = ["bounded", "bounded_batch", "memory", "memory_of_a_result", "stepwise", "watched", "within"]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

#: Bytes that a call may take besides ``max_memory``: tables that are there before the first result.
BESIDES = 16 << 20

#: After so many objects the size of the process is looked at.
WATCHED = 256

#: More than any machine has.
MOST = 1 << 62


def within(most: int, call: Callable[P, R], /, *args: P.args, **options: P.kwargs) -> R:
    """Calls it within a budget of this many bytes of the core; 0: any number."""
    return _core.Budget(min(most + BESIDES, MOST) if most else 0).run(call, *args, **options)


def bounded(call: Callable[P, R]) -> Callable[P, R]:
    """Makes a call of a classifier hold its ``max_memory``: everything that the core takes for it is charged to that.

    By default that is three quarters of the memory of the machine, or what `symcf.compile` allows where the call has
    no such keyword.
    """
    return _bounded(call, 1)


def bounded_batch(call: Callable[P, R]) -> Callable[P, R]:
    """The same where ``max_memory`` is that of the result: the rows that are not part of it yet may take as much."""
    return _bounded(call, 2)


def stepwise(most: int, clock: Clock, make: Callable[[], Iterator[T]]) -> Iterator[T]:
    """The items of an iterator, each made within a budget of this many bytes of the core and within the clock; what an
    item leaves behind for the next counts. Between two items the caller has no limit. The iterator is made at once, so
    that options that do not fit raise here.
    """
    budget = _core.Budget(min(most + BESIDES, MOST) if most else 0)
    done = object()

    def limited(call: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        with time_limit(clock.seconds):
            return budget.run(call, *args, **options)

    def taken(items: Iterator[T]) -> Iterator[T]:
        while (item := limited(next, items, done)) is not done:
            yield item  # type: ignore[misc]

    return taken(limited(make))


def watched(items: Iterable[T]) -> Iterator[T]:
    """The same items; `LimitError` if the process outgrows the budget meanwhile (`_core.check_memory`): for lists of
    Python objects, which the core does not count.
    """
    for place, item in enumerate(items):
        if not place % WATCHED:
            _core.check_memory()
        yield item


def _bounded(call: Callable[P, R], times: int) -> Callable[P, R]:
    has_keyword = "max_memory" in inspect.signature(call).parameters

    @functools.wraps(call)
    def run(*args: P.args, **options: P.kwargs) -> R:
        return within(times * _most(has_keyword, *args, **options), call, *args, **options)

    return run


def _most(has_keyword: bool, classifier: Any, *_: object, max_memory: Any = None, **__: object) -> int:
    if isinstance(max_memory, int) and max_memory > 0:  # otherwise the call itself says what is wrong
        return max_memory
    return memory_of_a_result() if has_keyword else int(classifier.limits.max_memory)


def memory(root: Path = Path("/")) -> int:
    """Bytes of memory that this process may use: the machine's, or less if its control groups (containers) allow less.

    `root` is where /proc and /sys are.
    """
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([physical, *_group_limits(root)])


@functools.cache
def memory_of_a_result() -> int:
    """Bytes that one result may take by default: three quarters of the available memory.

    Read once per process: the files of the control groups take longer than a small explanation.
    """
    return memory() * 3 // 4


def _group_limits(root: Path) -> Iterator[int]:
    """The limits of the control groups that the process is in, and of their parents."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return  # not Linux
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # version 2
            top, name = root / "sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            top, name = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        parts = [part for part in path.split("/") if part and part != ".."]
        for depth in range(len(parts) + 1):  # in a container the path may be the host's: the top is then ours
            try:
                text = top.joinpath(*parts[:depth], name).read_text().strip()
            except OSError:
                continue
            if text.isdigit():  # and not "max"
                yield int(text)
