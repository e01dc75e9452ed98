"""The commands, and how their process ends."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from symcf.cli.declared import Command
from symcf.cli.exits import DEBUG, INPUT, OK, failed, guarded
from symcf.cli.help import about_all, about_command
from symcf.cli.options import flat
from symcf.cli.parsing import HELP, HelpWanted, UsageError, parsed
from symcf.common.similar import did_you_mean

__all__ = ["COMMANDS", "command_of", "run"]

ABOUT = "The least that would have to change for a decision to be different, completely and provably."

#: The commands and the modules that hold their functions. Only the one that is asked for is imported.
COMMANDS = {
    "compile": "export",
    "explain": "explain",
    "why": "why",
    "count": "predict",
    "predict": "predict",
    "verify": "verify",
    "certify": "letter",
    "check": "check",
    "letter": "letter",
    "diff": "diff",
    "goal": "goal",
    "report": "report",
    "audit": "audit",
    "cnf": "export",
    "wcnf": "export",
    "dot": "export",
    "info": "about",
    "bench paper": "about",
    "completion": "completion",
}

#: Commands that only group others.
GROUPS = {"bench": "Measure symcf on this machine."}


@functools.cache
def command_of(name: str) -> Command:
    """The command of a name."""
    function = getattr(import_module(f"symcf.cli.{COMMANDS[name]}"), name.split()[-1])
    return Command.of(name, flat(function))


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; the exit code."""
    if sys.stdout is None:  # closed (>&-): what is written to it fails, and nothing else does
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):  # help and errors, whatever the terminal can show
        sys.stdout.reconfigure(errors="backslashreplace")
    return guarded(lambda: _flushed([str(word) for word in arguments]))


def _flushed(words: list[str]) -> int:
    """Whether everything could be written is a part of how a command ends."""
    if "_SYMCF_COMPLETE" in os.environ:
        from symcf.cli.completion import complete

        code = complete(os.environ["_SYMCF_COMPLETE"], words, COMMANDS, command_of)
    else:
        code = _run(words)
    sys.stdout.flush()
    return code


def _run(words: list[str]) -> int:
    DEBUG.set(False)
    while words and words[0] == "--debug":
        DEBUG.set(True)
        words = words[1:]
    if words[:1] == ["--version"]:
        from symcf import __version__

        return _shown(f"symcf {__version__}\n")
    if words[1:] and words[0] in ("help", *HELP):  # about a command, in the order of other programs
        words = [*words[1:], "--help"]
    if not words or words[0] in ("help", *HELP):
        return _shown(_about_group(""), asked=bool(words))
    name = words[0]
    if name in GROUPS:
        if words[1:2] == [] or words[1] in HELP:
            return _shown(_about_group(name), asked=len(words) > 1)
        name = f"{name} {words[1]}"
    if name not in COMMANDS:
        what = "option" if name.startswith("-") else "command"
        near = did_you_mean(name, [*COMMANDS, *GROUPS, "help", *HELP, "--version"])
        return _misused(f"No such {what}: {name if name.strip() else repr(name)}{near}", "")
    command = command_of(name)
    try:
        keywords = parsed(command, words[len(name.split()) :])
    except HelpWanted:
        return _shown(about_command(command))
    except UsageError as error:
        return _misused(str(error), f" {name}")
    return command.call(**keywords)


def _about_group(name: str) -> str:
    """The commands of a group; of all, if it has no name."""
    inside = {full: command_of(full).text for full in COMMANDS if not name or full.startswith(f"{name} ")}
    return about_all(GROUPS.get(name, ABOUT), inside, f" {name}" if name else "")


def _shown(text: str, asked: bool = True) -> int:
    """Help. A reader that has seen enough of it (``| head -1``) is no failure."""
    try:
        print(text, end="", file=sys.stdout if asked else sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer
    return OK if asked else INPUT


def _misused(message: str, command: str) -> int:
    return failed(f"{message} (see symcf{command} --help)", INPUT)
