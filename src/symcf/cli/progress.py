"""The progress of a command, shown on stderr and only on a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from symcf.cli.tables import Data

__all__ = ["progress"]

#: Seconds between two updates, and before the first.
TICK, PATIENCE = 0.2, 1.0


@contextlib.contextmanager
def progress(data: Data, to_terminal: bool) -> Iterator[Callable[[int], None]]:
    """A function that reports how many rows are done; without effect unless stderr is a terminal of its own."""
    if not sys.stderr.isatty() or to_terminal:
        yield lambda rows: None
        return
    start = time.monotonic()
    last = start + PATIENCE - TICK
    shown = ""

    def tell(rows: int) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if now - last > TICK:
            last = now
            part = f" ({data.read_bytes() / data.size:.0%} of the file)" if data.size else ""
            shown = f"{rows:,} rows{part}, {now - start:,.0f} s"
            _write(f"\r{shown}\x1b[K")

    try:
        yield tell
    finally:
        if shown:
            _write("\r\x1b[K")


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()
