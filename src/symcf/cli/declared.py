"""What a command takes, and the click command that is made of its function."""

from __future__ import annotations

import dataclasses
import inspect
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from symcf.cli.exits import DEBUG
from symcf.common.renamed import did_you_mean, new_choice

__all__ = ["HELP", "Argument", "Command", "Group", "Option", "command_of", "common_options", "flag", "shown"]

HELP = ("--help", "-h")

#: Lines of help are not longer, however wide the terminal is.
SETTINGS: dict[str, Any] = {"max_content_width": 100}


@dataclasses.dataclass(frozen=True)
class Argument:
    """What stands in a command line without a name before it."""

    metavar: str
    help: str


@dataclasses.dataclass(frozen=True)
class Option:
    """An option: its spellings and what its value is called, as in "--output -o FILE", and what help says about it.

    ``choices`` are the words that it takes, where a registry has them; others are a `Literal` in the annotation.
    ``names`` says what its value names, for completion: "feature", "feature=", "class", "column" or "file". The
    context's object (`symcf.cli.completion.complete`) gives these names.
    """

    spelling: str
    help: str
    panel: str = "Options"
    min: float | None = None
    max: float | None = None
    choices: Sequence[str] | None = None
    names: str | None = None

    def spellings(self, name: str) -> list[str]:
        """As click takes them; that of the parameter where there are no others."""
        own = [word for word in self.spelling.split() if word.startswith("-")]
        return own or [f"--{name.replace('_', '-')}"]

    @property
    def metavar(self) -> str | None:
        """What the value is called; None: that depends on its type."""
        return next((word for word in self.spelling.split() if not word.startswith("-")), None)


@dataclasses.dataclass(frozen=True)
class Group:
    """Options that come together: a command with a parameter of such a class has its fields as options."""


# --- types of values --------------------------------------------------------------------------------------------------


class Word(click.ParamType):  # type: ignore[type-arg]  # older versions have none
    """Any text. Click leaves the sign in ``-o=FILE``."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        short = param is not None and any(len(spelling) == 2 for spelling in param.opts)
        return value.removeprefix("=") if short and isinstance(value, str) else value


class Choice(Word):
    """One of a few words."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = choices

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        word = super().convert(value, param, ctx)
        if word not in self.choices:
            renamed = new_choice(str(param and param.name), word, self.choices)
            near = did_you_mean(word, self.choices)
            self.fail(renamed or f"{word!r} is not one of {', '.join(self.choices)}{near}", param, ctx)
        return word

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """The choices."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(choice) for choice in self.choices]


class Number(Word):
    """A number within bounds; not 1_000, and not nan."""

    def __init__(self, kind: type, least: float | None, most: float | None) -> None:
        self.kind, self.least, self.most = kind, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        from symcf.common.text import number_in  # only here: it needs numpy, and help does not

        word, whole = super().convert(value, param, ctx), self.kind is int
        try:
            number = number_in(word)
            number = int(word) if whole else number
        except ValueError:
            number = float("nan")
        if number != number:
            self.fail(f"{word!r} is not a {'whole ' * whole}number", param, ctx)
        if self.least is not None and number < self.least:
            self.fail(f"{word} is less than {self.least:g}", param, ctx)
        if self.most is not None and number > self.most:
            self.fail(f"{word} is more than {self.most:g}", param, ctx)
        return number


# --- commands ---------------------------------------------------------------------------------------------------------


class _Argument(click.Argument):
    """An argument with a text of its own."""

    about = ""


class _Option(click.Option):
    """An option in a panel."""

    panel = "Options"


class Command(click.Command):
    """A command whose help has its arguments, and its options by panel."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the tables of arguments and options."""
        panels = {"Arguments": [(str(p.metavar), p.about) for p in self.params if isinstance(p, _Argument)]}
        for parameter in self.params:
            if isinstance(parameter, _Option) and (record := parameter.get_help_record(ctx)):
                panels.setdefault(parameter.panel, []).append(record)
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


def command_of(name: str, function: Callable[..., int], table: Mapping[str, Argument | Option]) -> Command:
    """A function as a command; its docstring is the help, and ends with an example. The table says what its parameters
    are, by "command.parameter" or "parameter".
    """

    def parameter_of(one: str, annotation: Any, default: Any) -> click.Parameter:
        if get_origin(annotation) is Annotated:
            kind, declared = get_args(annotation)
            return _parameter(one, kind, declared, default)
        return _parameter(one, annotation, table.get(f"{name}.{one}") or table[one], default)

    described, _, example = inspect.cleandoc(function.__doc__ or "").partition("Example: ")
    parameters: list[click.Parameter] = []
    groups: dict[str, type[Group]] = {}
    hints = get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        kind = hints[parameter.name]
        if isinstance(kind, type) and issubclass(kind, Group):
            groups[parameter.name] = kind
            fields = get_type_hints(kind, include_extras=True)
            parameters += [parameter_of(f.name, fields[f.name], f.default) for f in dataclasses.fields(kind)]
        else:
            parameters.append(parameter_of(parameter.name, kind, parameter.default))

    def call(**given: Any) -> int:
        found = {name: list(value) or None if isinstance(value, tuple) else value for name, value in given.items()}
        made = {
            name: kind(**{f.name: found.pop(f.name) for f in dataclasses.fields(kind)}) for name, kind in groups.items()
        }
        return function(**found, **made)

    return Command(
        name,
        context_settings=SETTINGS,
        callback=call,
        params=[*parameters, *common_options()],
        help=described,
        epilog=f"Example: {' '.join(example.split())}",
        add_help_option=False,
    )


def _parameter(name: str, kind: Any, declared: Argument | Option, default: Any) -> click.Parameter:
    if get_origin(kind) in (Union, types.UnionType):
        (kind,) = (part for part in get_args(kind) if part is not type(None))
    required = default is inspect.Parameter.empty or default is dataclasses.MISSING
    if isinstance(declared, Argument):
        words = Choice(get_args(kind)) if get_origin(kind) is Literal else Word()
        metavar = declared.metavar if required else f"[{declared.metavar}]"
        argument = _Argument([name], required=required, metavar=metavar, type=words)
        argument.about = declared.help
        return argument
    bounds = "" if declared.max is None else f" [from {declared.min:g} to {declared.max:g}]"
    keywords: dict[str, Any] = {"required": required, "help": declared.help + bounds, "metavar": declared.metavar}
    many = get_origin(kind) is list
    if many:
        kind = get_args(kind)[0]
    if not required and not many:
        keywords |= {"default": default, "show_default": kind is not bool or default is True}
    if kind is bool:
        keywords["is_flag"] = True
    elif choices := declared.choices or (get_args(kind) if get_origin(kind) is Literal else ()):
        keywords["type"] = Choice(choices)
        keywords["metavar"] = declared.metavar or "|".join(choices)
    else:
        keywords["type"] = Word() if kind is str else Number(kind, declared.min, declared.max)
    if declared.names is not None:
        keywords["shell_complete"] = lambda ctx, param, current: ctx.obj(declared.names, ctx, current)
    option = _Option([name, *declared.spellings(name)], multiple=many, **keywords)
    option.panel = declared.panel
    return option


def common_options() -> list[click.Parameter]:
    """What all commands take."""
    return [
        flag("--debug", help="Show where an error came from.", call=lambda ctx: DEBUG.set(True)),
        flag(*HELP, help="Show this and exit.", call=lambda ctx: ctx.exit(shown(ctx.get_help()))),
    ]


def flag(*spellings: str, help: str, call: Callable[[click.Context], Any]) -> click.Option:
    """An option that does something at once."""

    def given(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            call(ctx)

    return _Option(spellings, is_flag=True, is_eager=True, expose_value=False, callback=given, help=help)


def shown(text: str, *, asked: bool = True) -> int:
    """Prints help. A reader that has seen enough of it (``| head -1``) is no failure."""
    try:
        print(text, file=sys.stdout if asked else sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer
    return 0 if asked else 2
