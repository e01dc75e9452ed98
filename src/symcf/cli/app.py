"""The commands, and how their process ends."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

import symcf
from symcf.cli import about, explain, export, predict, report, verify, why
from symcf.cli.exits import BROKEN_PIPE, BUG, DEBUG, INPUT, INTERRUPTED, OK, bug, failed, guarded
from symcf.cli.options import flat

__all__ = ["app", "run"]

EXITS = (
    "Exit codes: 0 everything was written; 1 a bug in symcf; 2 the command line, a file or a row is wrong; 3 a limit "
    "was reached and the output is incomplete; 130 interrupted."
)

app = typer.Typer(
    name="symcf",
    help="The least that would have to change for a decision to be different, completely and provably.",
    epilog=EXITS,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
bench = typer.Typer(help="Measure symcf on this machine.", no_args_is_help=True)


def _add(group: typer.Typer, command: Callable[..., int]) -> None:
    """Registers a command. Its exceptions never reach typer, which would end the process in its own way."""
    called = flat(command)

    @functools.wraps(called)
    def ends(**given: Any) -> None:
        raise typer.Exit(guarded(lambda: called(**given)))

    text = command.__doc__ or ""
    described, _, example = text.partition("Example: ")
    group.command(command.__name__, help=_unwrapped(described), epilog=f"Example: {example.strip()}")(ends)


def _unwrapped(text: str) -> str:
    """A docstring as paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


for _command in (
    export.compile,
    explain.explain,
    why.why,
    predict.count,
    predict.predict,
    verify.verify,
    report.report,
    export.cnf,
    export.wcnf,
    export.dot,
    about.info,
):
    _add(app, _command)
_add(bench, about.paper)
app.add_typer(bench, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"symcf {symcf.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    DEBUG.set(debug)


@functools.cache
def _command_line() -> Any:
    """The app as typer's commands."""
    return typer.main.get_command(app)


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; the exit code."""
    if hasattr(sys.stdout, "reconfigure"):  # help and errors, whatever the terminal can show
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _command_line().main(list(arguments), prog_name="symcf", standalone_mode=False)
        sys.stdout.flush()
        return int(code or OK)
    except BrokenPipeError:
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return failed("interrupted", INTERRUPTED)
    except SystemExit as end:  # completion
        return end.code if isinstance(end.code, int) else OK if end.code is None else BUG
    except Exception as error:
        return _misused(error)


def _misused(error: Exception) -> int:
    """A usage error, in one line instead of typer's box."""
    if type(error).__name__ == "Abort":
        return failed("interrupted", INTERRUPTED)
    message = getattr(error, "format_message", None)
    if message is None:
        return bug(error)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message(), file=sys.stderr)
        return INPUT
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "symcf")
    return failed(f"{message()} (see {path} --help)", INPUT)
