"""Peak memory of one call, measured in a process of its own.

    from limits_memory import measure
    measure(prepare, call)      # -> Measured(status, growth, seconds)

`prepare()` builds what the call needs; `call(prepared)` is what is measured. Both run in a forked child. The growth is
the peak of the resident memory during the call beyond the resident memory before it. It includes memory that numpy,
PySAT and the interpreter take, and what is freed again before the call returns.

The promise: growth <= 2 * max_memory + 64 MB (`allowance`).

Linux only: the peak is VmHWM of /proc/self/status, which is reset before the call.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

#: A child that takes more than this is killed: the machine has other work.
MOST_BYTES = 6 << 30


@dataclass(frozen=True)
class Measured:
    """How a call ended, and what it took."""

    #: The ``status`` of the result, "returned" if it has none, the name of the exception, "too slow" or "too large".
    status: str
    #: Bytes of resident memory at the peak of the call beyond those before it.
    growth: int
    #: Wall time of the call.
    seconds: float
    #: The message of the exception, or "".
    message: str = ""


def allowance(max_memory: int) -> int:
    """The most that a call with this ``max_memory`` may grow."""
    return 2 * max_memory + (64 << 20)


def measure(prepare: Callable[[], Any], call: Callable[[Any], Any], seconds: float = 60.0) -> Measured:
    """Runs ``call(prepare())`` in a child and measures the call; the child is killed after `seconds` of the call."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=_child, args=(theirs, prepare, call))
    child.start()
    theirs.close()
    try:
        return _outcome(ours, child.pid or 0, seconds)
    finally:
        child.kill()
        child.join()
        ours.close()


def _outcome(pipe: Connection, pid: int, seconds: float) -> Measured:
    before = pipe.recv()
    if isinstance(before, str):
        raise RuntimeError(f"prepare failed: {before}")
    started, peak = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        if pipe.poll(0.02):
            return Measured(*pipe.recv())
        peak = max(peak, resident(pid, "VmHWM") - before)
        if peak > MOST_BYTES:
            return Measured("too large", peak, time.monotonic() - started)
    return Measured("too slow", peak, seconds)


def _child(pipe: Connection, prepare: Callable[[], Any], call: Callable[[Any], Any]) -> None:
    try:
        prepared = prepare()
    except BaseException as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # freed memory that the call would use again would not be seen
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = resident(os.getpid(), "VmRSS")
    pipe.send(before)
    started, message = time.monotonic(), ""
    try:
        result = call(prepared)
        status = str(getattr(result, "status", "returned"))
    except BaseException as error:
        status, message = type(error).__name__, str(error)
    taken = time.monotonic() - started
    pipe.send((status, resident(os.getpid(), "VmHWM") - before, taken, message))


def resident(pid: int, field: str) -> int:
    """VmRSS or VmHWM of a process in bytes; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith(f"{field}:")), 0)
    except OSError:
        return 0
