"""The command line: ``symcf compile``, ``explain``, ``predict`` and so on; ``symcf --help`` lists them.

app         the commands, and `main`
option_table   what each argument and option is called and means
declared    the click command that is made of a function and this table
exits       exit codes; every error becomes one line on stderr
models      files -> classifiers
tables      CSV, JSON lines, Parquet and Arrow files -> chunks of cells; cells -> value codes
answers     chunks of codes -> what is known about each row
output      records -> table, json, jsonl, csv or parquet; files appear when they are complete
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process with its exit code."""
    words = sys.argv[1:] if arguments is None else [str(word) for word in arguments]
    if words == ["--version"]:  # needs nothing
        from symcf import __version__

        try:
            print(f"symcf {__version__}", flush=True)
            return
        except OSError:
            pass  # told below
    try:
        import signal

        from symcf.cli.app import run
        from symcf.cli.exits import leave, on_terminate
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    signal.signal(signal.SIGTERM, on_terminate)
    leave(run(words))
