"""Somebody presses Ctrl-C while a test works."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable

import pytest


def interrupted(call: Callable[[], object], seconds: float = 0.3) -> None:
    """Ctrl-C is pressed so long after a call began that would take hours; it must end with KeyboardInterrupt.

    Garbage waits: Hypothesis is called when it is collected, and an interrupt within such a call is lost.
    """
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))

    def begun() -> None:
        timer.start()
        call()

    gc.disable()
    try:
        with pytest.raises(KeyboardInterrupt):  # wherever it arrives, on a busy machine also before the call
            begun()
    finally:
        gc.enable()
        timer.cancel()
        timer.join()
