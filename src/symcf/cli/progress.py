"""Commands that write something about every row: where it goes, and their progress."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from symcf.cli.output import Record, format_for, open_writer, to_terminal
from symcf.cli.tables import Data

__all__ = ["progress", "row_writer"]

#: Seconds between two updates, and before the first.
TICK, PATIENCE = 0.2, 1.0


@contextlib.contextmanager
def row_writer(
    data: Data, output: str | None, format: str | None, columns: Sequence[tuple[str, str]], *, blocks: bool = False
) -> Iterator[Callable[[int, Record], None]]:
    """Opens a table and what is written about its rows; gives a function that takes the number of a row and its record.

    With ``blocks``, a table for people is the text of `Record.text`.
    """
    with (
        data,
        open_writer(output, format_for(output, format), columns, blocks=blocks) as writer,
        progress(data, to_terminal(output)) as tell,
    ):

        def write(number: int, record: Record) -> None:
            writer.write(record)
            tell(number)

        yield write


@contextlib.contextmanager
def progress(data: Data, to_terminal: bool) -> Iterator[Callable[[int], None]]:
    """A function that reports on stderr how many rows are done; without effect unless that is a terminal of its own."""
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
