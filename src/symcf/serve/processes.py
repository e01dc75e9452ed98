"""Several processes that serve from one socket: each copy of the classifier is shared until one writes to it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
import traceback
from collections.abc import Callable

__all__ = ["supervised"]

#: Seconds before a process that ended is replaced.
PAUSE = 1.0


def supervised(count: int, serve: Callable[[], None]) -> None:
    """Serves in so many processes until it is interrupted; one that ends is replaced."""
    children: set[int] = set()
    try:
        while True:
            while len(children) < count:
                children.add(_child(serve))
            ended, _ = os.wait()
            children.discard(ended)
            time.sleep(PAUSE)
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        for child in children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _child(serve: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # until the server has its own
        serve()
        code = 0
    except KeyboardInterrupt:
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)
