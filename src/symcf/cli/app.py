"""The commands, and how their process ends."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

import click

from symcf.cli.declared import HELP, SETTINGS, Command, command_of, common_options, flag, shown
from symcf.cli.exits import DEBUG, INPUT, failed, guarded
from symcf.common.renamed import did_you_mean, new_option

__all__ = ["COMMANDS", "run"]

ABOUT = "The least that would have to change for a decision to be different, completely and provably."

EXITS = (
    "Exit codes: 0 everything was written; 1 a bug in symcf; 2 the command line, a file or a row is wrong; 3 a limit "
    "was reached and the output is incomplete; 130 interrupted."
)

#: The commands: the modules that hold their functions, and what each does. Only the one that is called is imported.
COMMANDS = {
    "compile": ("export", "Saves a model, with its diagrams, for the other commands."),
    "explain": ("explain", "What would have to change for each row to be decided differently."),
    "why": ("why", "Why each row was decided as it was."),
    "count": ("predict", "How many minimal sets of changes each row has."),
    "predict": ("predict", "The class of each row, and its probability."),
    "verify": ("verify", "Explains each row and checks the answer against the definition."),
    "certify": ("letter", "Explains a row and writes the answer with its proof."),
    "check": ("check", "Checks certificates, or a log of decisions."),
    "log": ("log", "Adds certificates to a log of decisions that cannot be altered unnoticed."),
    "letter": ("letter", "A page for one person about one decision."),
    "policy": ("letters", "A file that says what letters, reports and audits may say."),
    "letters": ("letters", "Letters to all people in a table, as a policy says."),
    "diff": ("diff", "What two classifiers decide differently."),
    "goal": ("goal", "The classifier of the rows with given labels, from a model of several labels."),
    "report": ("report", "One HTML file that explains the rows."),
    "audit": ("audit", "Who is locked out, by group, and what depends on protected features."),
    "recourse": ("recourse", "A few actions, the same for everyone, that help most rows."),
    "locked-out": ("recourse", "Regions of rows for which nothing that is allowed helps."),
    "serve": ("serve", "A small HTTP service: explanations, reasons, letters and a page."),
    "cnf": ("export", "The decision as clauses, in DIMACS format."),
    "wcnf": ("export", "The question of a row as partial MaxSAT."),
    "dot": ("export", "The decision diagram in graphviz's language, or as a picture."),
    "info": ("about", "The installed symcf, or what is in a model."),
    "bench paper": ("about", "The table of the paper behind symcf, measured here."),
    "completion": ("completion", "A script that completes commands and options in a shell."),
}

#: Commands that only group others.
GROUPS = {"bench": "Measure symcf on this machine."}


class Commands(click.Group):
    """Commands by name; each is loaded when it is called."""

    def __init__(self, name: str, about: str, members: Mapping[str, tuple[str, str]]) -> None:
        super().__init__(name, context_settings=SETTINGS, help=about, epilog=EXITS, add_help_option=False)
        version = "Show the version and exit."
        self.params += [flag("--version", help=version, call=_version), *common_options()]
        self._members = members

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return list(dict.fromkeys(name.split()[0] for name in self._members))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None if there is none."""
        if cmd_name in GROUPS:
            return _group(cmd_name)
        return _command(cmd_name, self._members[cmd_name][0]) if cmd_name in self._members else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes what each command does, without loading it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in self._members.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without any words, help goes to stderr."""
        if not args and not ctx.resilient_parsing:
            ctx.exit(shown(ctx.get_help(), asked=False))
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            near = did_you_mean(name, [*self.list_commands(ctx), "help", *HELP, "--version"])
            ctx.fail(f"No such command: {name if name.strip() else repr(name)}{near}")
        return name, command, args[1:]


def _version(ctx: click.Context) -> None:
    from symcf import __version__

    ctx.exit(shown(f"symcf {__version__}"))


@functools.cache
def _group(name: str) -> Commands:
    """The commands of a group; all, if it has no name."""
    if not name:
        return Commands("symcf", ABOUT, COMMANDS)
    inside = {full.split()[1]: about for full, about in COMMANDS.items() if full.startswith(f"{name} ")}
    return Commands(name, GROUPS[name], inside)


@functools.cache
def _command(name: str, module: str) -> Command:
    from symcf.cli.option_table import TABLE  # only here: the list of all commands needs no options

    return command_of(name, getattr(import_module(f"symcf.cli.{module}"), name.replace("-", "_")), TABLE)


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

        code = complete(os.environ["_SYMCF_COMPLETE"], words, _group(""))
    else:
        code = _run(words)
    sys.stdout.flush()
    return code


def _run(words: list[str]) -> int:
    DEBUG.set(False)
    if words and words[0] in ("help", *HELP):  # about a command, in the order of other programs
        words = [*words[1:], "--help"]
    group = _group("")
    try:
        with group.make_context("symcf", words) as context:
            return int(group.invoke(context))
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        at = error.ctx or click.Context(group, info_name="symcf")
        if set(HELP) & set(words):  # whoever asks for help may have the rest wrong
            return shown(at.get_help())
        return failed(f"{_said(error, at)} (see {at.command_path} --help)", INPUT)


def _said(error: click.UsageError, ctx: click.Context) -> str:
    """What is wrong, in one sentence."""
    if isinstance(error, click.NoSuchOption):
        known = [spelling for p in ctx.command.params for spelling in (*p.opts, *p.secondary_opts)]
        near = did_you_mean(error.option_name, known)
        return new_option(error.option_name, known) or f"No such option: {error.option_name}{near}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        argument = isinstance(error.param, click.Argument)
        name = str(error.param.metavar) if argument else error.param.opts[0]
        if isinstance(error, click.MissingParameter):
            metavar = "" if argument or error.param.metavar is None else f" {error.param.metavar}"
            return f"Missing {error.param.param_type_name} {name}{metavar}"
        return f"{name}: {error.message}"
    return error.format_message().rstrip(".")
