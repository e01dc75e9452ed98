"""What a command takes: options and arguments, as annotations of its parameters."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Union, get_args, get_origin

__all__ = ["Argument", "Command", "Option", "Parameter"]


class Option:
    """An option: its spellings, and what help says about it.

    ``--yes/--no`` is a flag with an opposite. ``names`` says what its value
    names, for completion: "feature", "feature=", "class", "column" or "file".
    """

    def __init__(
        self,
        *spellings: str,
        help: str,
        metavar: str = "",
        panel: str = "Options",
        min: float | None = None,
        max: float | None = None,
        names: str | None = None,
    ) -> None:
        self.spellings = [spelling.partition("/")[0] for spelling in spellings]
        self.opposite = next((s.partition("/")[2] for s in spellings if "/" in s), None)
        self.help, self.metavar, self.panel = help, metavar, panel
        self.min, self.max = min, max
        self.names = names


@dataclass(frozen=True)
class Argument:
    """What stands in a command line without a name before it."""

    metavar: str
    help: str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command's function."""

    name: str
    declared: Option | Argument
    #: bool, int, float, str or a StrEnum.
    kind: type
    #: May it be repeated?
    many: bool
    required: bool
    default: Any

    @property
    def shown(self) -> str:
        """As messages call it."""
        return self.declared.metavar if isinstance(self.declared, Argument) else self.declared.spellings[0]

    @property
    def metavar(self) -> str:
        """What stands for its value in help; empty for a flag."""
        if issubclass(self.kind, StrEnum) and not self.declared.metavar:
            return "|".join(self.kind)
        return self.declared.metavar


@dataclass(frozen=True)
class Command:
    """A function as a command."""

    name: str
    call: Callable[..., int]
    text: str
    example: str
    parameters: list[Parameter] = field(repr=False)

    @classmethod
    def of(cls, name: str, function: Callable[..., int]) -> Command:
        """From a function whose parameters are annotated; its docstring is the help, and ends with an example."""
        described, _, example = (function.__doc__ or "").partition("Example: ")
        text = "\n\n".join(" ".join(part.split()) for part in described.split("\n\n") if part.strip())
        parameters = [_parameter(p) for p in inspect.signature(function).parameters.values()]
        return cls(name, function, text, " ".join(example.split()), parameters)

    @property
    def arguments(self) -> list[Parameter]:
        """Those without names, in order."""
        return [p for p in self.parameters if isinstance(p.declared, Argument)]

    @property
    def options(self) -> list[tuple[Parameter, Option]]:
        """Those with names."""
        return [(p, p.declared) for p in self.parameters if isinstance(p.declared, Option)]


def _parameter(parameter: inspect.Parameter) -> Parameter:
    kind, declared = get_args(parameter.annotation)[:2]
    assert get_origin(parameter.annotation) is Annotated, parameter
    if get_origin(kind) in (Union, types.UnionType):
        (kind,) = (part for part in get_args(kind) if part is not type(None))
    many = get_origin(kind) is list
    required = parameter.default is parameter.empty
    default = None if required else parameter.default
    return Parameter(parameter.name, declared, get_args(kind)[0] if many else kind, many, required, default)
