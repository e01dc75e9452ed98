"""Completion in the shells themselves; each is skipped where it is not installed."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import cli_corpus
import pytest

from symcf.cli.completion import SCRIPTS

ASKED = "symcf explain admission.json admission.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    cli_corpus.write(folder)
    command = folder / "bin" / "symcf"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m symcf "$@"\n')
    command.chmod(0o755)
    return folder


def environment(folder: Path) -> dict[str, str]:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(folder), "ZDOTDIR": str(folder), "TERM": "vt100"}


ZSHRC = """
PS1='ready> '
autoload -Uz compinit; compinit -u -D
show() { print -rn -- "$BUFFER" > new; mv new shown }
zle -N show; bindkey '^Xs' show
"""


def in_zsh(folder: Path, lines: list[str]) -> list[str]:
    """What each line becomes when Tab is pressed, in an interactive zsh."""
    (folder / ".zshrc").write_text(ZSHRC + SCRIPTS["zsh"])
    shown, found = folder / "shown", []
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-i"], environment(folder))
    try:
        _read(terminal, lambda seen: b"ready> " in seen)
        for line in lines:
            os.write(terminal, b"\x15" + line.encode() + b"\t\x18s")
            _read(terminal, lambda _: shown.exists())
            found.append(shown.read_text())
            shown.unlink()
    finally:
        with contextlib.suppress(OSError):
            os.write(terminal, b"\x15exit\n")
        os.close(terminal)
        os.waitpid(process, 0)
    return found


def _read(terminal: int, enough) -> None:
    seen, end = b"", time.monotonic() + 500
    while not enough(seen):
        assert time.monotonic() < end, seen
        if select.select([terminal], [], [], 0.05)[0]:
            seen += os.read(terminal, 4096)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh(folder):
    typed = {
        "symcf exp": "symcf explain ",
        f"{ASKED} --immutable work\\ e": f"{ASKED} --immutable work\\ experience ",
        f"{ASKED} --allowed G": f"{ASKED} --allowed GPA=",
        f"{ASKED} --target=adm": f"{ASKED} --target=admitted ",
        "symcf explain admission.c": "symcf explain admission.csv ",
    }
    assert in_zsh(folder, list(typed)) == list(typed.values())


def in_fish(folder: Path, lines: list[str]) -> list[list[str]]:
    """What the last word of each line may become."""
    ask = SCRIPTS["fish"] + "\nfor line in $argv; complete -C $line; echo END; end"
    command = ["fish", "--no-config", "-c", ask, *lines]
    done = subprocess.run(command, env=environment(folder), cwd=folder, capture_output=True, check=True)
    assert done.stderr == b""
    return [part.splitlines() for part in done.stdout.decode().replace("\t\n", "\n").split("END\n")[:-1]]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(folder):
    typed = {
        "symcf exp": ["explain"],
        f"{ASKED} --immutable work\\ e": ["work experience"],
        f"{ASKED} --immutable 'wor": ["work experience"],
        f"{ASKED} --target ": ["admitted", "rejected"],  # and no files
        "symcf explain admission.c": ["admission.csv"],
    }
    assert in_fish(folder, list(typed)) == list(typed.values())
