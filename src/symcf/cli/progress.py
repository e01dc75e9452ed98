"""The progress of a command, shown on stderr and only on a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from symcf.cli.tables import Data

__all__ = ["progress"]

#: Seconds between two updates.
TICK = 0.1


@contextlib.contextmanager
def progress(data: Data, to_terminal: bool) -> Iterator[Callable[[int], None]]:
    """A function that reports how many rows are done; without effect unless stderr is a terminal of its own."""
    if not sys.stderr.isatty() or to_terminal:
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.fields[rows]:,} rows"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rows", total=data.size or None, rows=0)
        last = 0.0

        def tell(rows: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last > TICK:
                last = now
                bar.update(task, completed=data.read_bytes(), rows=rows)

        yield tell
