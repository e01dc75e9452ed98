"""The command line called from tests: as a process, or within this one, which is faster."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symcf.cli.app import run

SYMCF = Path(sys.executable).parent / "symcf"

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


#: What the machine that tests knows about its screen, and the command shall not.
SCREEN = ("COLUMNS", "FORCE_COLOR", "TERM")


def environment(**more: str) -> dict[str, str]:
    plain = {key: value for key, value in os.environ.items() if key not in SCREEN}
    return {**plain, **more}


def symcf_with(*arguments: Any, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [SYMCF, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=500, env=environment(**more), check=False)


def here(*arguments: Any, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """The same within this process, which is faster: for what does not depend on processes."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        for name in SCREEN:
            patch.delenv(name, raising=False)
        for name, value in more.items():
            patch.setenv(name, value)
        code = run(list(map(str, arguments)))
        out.flush()
        err.flush()
    return subprocess.CompletedProcess(arguments, code, out.buffer.getvalue(), err.buffer.getvalue())


def output(*arguments: Any, stdin: bytes = b"", run: Run = here) -> str:
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def error(*arguments: Any, stdin: bytes = b"", code: int = 2, run: Run = here) -> str:
    """The one error line of a command that must fail."""
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, b""), done
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("symcf: error: ")
    return lines[0].removeprefix("symcf: error: ")


def table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
