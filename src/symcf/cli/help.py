"""What --help says."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from symcf.cli.declared import Command, Option, Parameter

__all__ = ["about_all", "about_command"]

#: Lines are not longer, however wide the terminal is.
WIDEST = 100

#: Names that are longer have their text on the next line.
LONGEST_NAME = 30

EXITS = (
    "Exit codes: 0 everything was written; 1 a bug in symcf; 2 the command line, a file or a row is wrong; 3 a limit "
    "was reached and the output is incomplete; 130 interrupted."
)

ROOT = [
    ("--version", "Show the version and exit."),
    ("--debug", "Show where an error came from."),
    ("--help, -h", "Show this, or with a command what it does, and exit."),
]


def about_all(about: str, commands: Mapping[str, str], prefix: str = "") -> str:
    """All commands with the first sentence about each."""
    lines = [f"Usage: symcf{prefix} [OPTIONS] COMMAND ...", "", *_wrapped(about), ""]
    rows = [(name, f"{text.split(chr(10))[0].split('. ')[0].rstrip('.')}.") for name, text in commands.items()]
    lines += [*_table("Commands", rows), *_table("Options", ROOT), *_wrapped(EXITS)]
    return _joined(lines)


def about_command(command: Command) -> str:
    """A command, its arguments and options."""
    words = " ".join(p.metavar if p.required else f"[{p.metavar}]" for p in command.arguments)
    lines = [*_wrapped(f"Usage: symcf {command.name} [OPTIONS] {words}".rstrip(), "    "), ""]
    for part in command.text.split("\n\n"):
        lines += [*_wrapped(part), ""]
    lines += _table("Arguments", [(p.metavar, p.declared.help) for p in command.arguments])
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter, option in command.options:
        panels.setdefault(option.panel, []).append((_names(parameter, option), _help(parameter, option)))
    panels.setdefault("Options", []).append(("--help, -h", "Show this and exit."))
    for panel, rows in panels.items():
        lines += _table(panel, rows)
    if command.example:
        lines += _wrapped(f"Example: {command.example}", "    ")
    return _joined(lines)


def _names(parameter: Parameter, option: Option) -> str:
    names = ", ".join(option.spellings) + (f" / {option.opposite}" if option.opposite else "")
    return f"{names} {parameter.metavar}".rstrip()


def _help(parameter: Parameter, option: Option) -> str:
    notes = []
    if option.min is not None and option.max is not None:
        notes.append(f"from {option.min:g} to {option.max:g}")
    if parameter.required:
        notes.append("required")
    elif not isinstance(parameter.default, bool | None):
        notes.append(f"default: {parameter.default}")
    elif parameter.default is True and option.opposite:
        notes.append(f"default: {option.spellings[0]}")
    return option.help + (f" [{'; '.join(notes)}]" if notes else "")


def _table(title: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    rows = list(rows)
    if not rows:
        return
    yield _bold(f"{title}:")
    indent = 4 + max((len(name) for name, _ in rows if len(name) <= LONGEST_NAME), default=LONGEST_NAME)
    for name, text in rows:
        first = f"  {name}".ljust(indent)
        if len(first) > indent:
            yield first
            first = " " * indent
        yield from _wrapped(text, " " * indent, first) or [first.rstrip()]
    yield ""


def _wrapped(text: str, later: str = "", first: str = "") -> list[str]:
    return wrap(text, _width(), initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _width() -> int:
    return max(20, min(shutil.get_terminal_size().columns, WIDEST))


def _bold(text: str) -> str:
    """Bold on a terminal, unless the user wants no such signs (https://no-color.org)."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\x1b[1m{text}\x1b[0m"


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
