"""Work of the core on several threads, and how far it is."""

from __future__ import annotations

import contextlib
import mmap
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from symcf import _core
from symcf.errors import OptionError

__all__ = ["Progress", "checked_jobs", "mapped", "reporter", "run"]

T = TypeVar("T")
R = TypeVar("R")

Progress = bool | Callable[[int, int], object] | None

#: Seconds between two checks of the threads' progress and of Ctrl-C.
TICK = 0.05

#: Bytes that must be free for a thread to be started: twice the usual stack.
ROOM_OF_A_THREAD = 16 << 20

#: More threads than any batch is faster with.
MOST_THREADS = 256


def run(batch: _core.Batch, jobs: int, report: Callable[[int], None] | None) -> None:
    """Runs the batch on `jobs` threads: this one and others or, if this one has to report progress, only others.
    Ctrl-C stops all of them. If the system cannot start enough threads, the started ones do the work.
    """
    failures: list[BaseException] = []

    def work(done: threading.Event) -> None:
        try:
            batch.work(False)
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    # One event per thread: after Ctrl-C interrupts Thread.join, Python 3.11 takes the thread for finished.
    ends = [threading.Event() for _ in range(jobs - (report is None))]
    threads = [threading.Thread(target=work, args=[end], name="symcf", daemon=True) for end in ends]
    try:
        started = _start(threads)
        del ends[started:], threads[started:]
        if report is None or not threads:
            batch.work(True)
        for end in ends:
            while not end.wait(TICK):
                if report is not None:
                    report(batch.progress)
    except BaseException:
        batch.cancel()
        raise
    finally:
        for thread, end in zip(threads, ends, strict=True):
            if thread.ident is not None:  # it was started
                end.wait()
                thread.join()
    if failures:
        raise failures[0]


def mapped(
    call: Callable[[T], R], items: Iterable[T], jobs: int, stop: Callable[[], object] | None = None
) -> Iterator[R]:
    """The results in order. One thread is this one, which hears Ctrl-C; after Ctrl-C, `stop` ends calls in others."""
    if jobs == 1:
        yield from map(call, items)
        return
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(_core.in_budget(call), items)
        except BaseException:
            if stop is not None:
                stop()
            pool.shutdown(cancel_futures=True)
            raise


def _start(threads: list[threading.Thread]) -> int:
    """Starts threads until the system refuses, and returns how many were started."""
    for number, thread in enumerate(threads):
        try:
            # Room for its stack and more: if a thread starts and then dies because addresses are scarce,
            # Python waits for it forever.
            mmap.mmap(-1, ROOM_OF_A_THREAD, flags=mmap.MAP_PRIVATE).close()
            thread.start()
        except (RuntimeError, MemoryError, OSError):
            return number
    return len(threads)


@contextlib.contextmanager
def reporter(progress: Progress, total: int) -> Iterator[Callable[[int], None] | None]:
    """A function that reports how many rows are done, or None without progress."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        tell = progress
        yield lambda done: _ignore(tell(done, total))
        tell(total, total)
    elif progress is not True:
        raise OptionError(f"progress must be True, False or a function, not {progress!r}")
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise OptionError("progress=True needs tqdm: pip install 'symcf[progress]', or pass a function") from None
        with tqdm(total=total, unit="row", unit_scale=True) as bar:
            yield lambda done: _ignore(bar.update(done - bar.n))
            bar.update(total - bar.n)


def _ignore(_: object) -> None:
    return None


def checked_jobs(n_jobs: int | None) -> int:
    """The number of threads that the user asks for."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0 or n_jobs < -1:
        raise OptionError(f"n_jobs must be a positive number of threads, or -1 for all processors, not {n_jobs!r}")
    if n_jobs > 0:
        return min(int(n_jobs), MOST_THREADS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
