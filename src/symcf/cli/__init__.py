"""The command line: ``symcf compile``, ``explain``, ``predict`` and so on; ``symcf --help`` lists them.

    app         the commands, and `main`
    exits       exit codes; every error becomes one line on stderr
    models      files -> classifiers
    tables      CSV and Parquet files -> chunks of cells; cells -> value codes
    answers     chunks of codes -> what is known about each row
    output      records -> table, json, jsonl, csv or parquet; files appear when they are complete

Needs typer and rich (extra ``cli``). This module imports neither, so that `main` can say which one is missing.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process with its exit code."""
    try:
        import rich
        import typer  # noqa: F401
    except ImportError as error:
        if error.name not in ("rich", "typer"):
            raise
        print(f"symcf: the command line needs {error.name}: pip install 'symcf[cli]'", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    del rich
    from symcf.cli.app import run
    from symcf.cli.exits import leave, on_terminate

    signal.signal(signal.SIGTERM, on_terminate)
    leave(run(sys.argv[1:] if arguments is None else arguments))
