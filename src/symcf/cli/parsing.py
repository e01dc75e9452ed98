"""The words of a command line -> the keywords of a command's function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from symcf.cli.declared import Command, Option, Parameter
from symcf.cli.exits import DEBUG, InputError
from symcf.common.renamed import new_choice, new_option
from symcf.common.similar import did_you_mean
from symcf.common.text import number_in

__all__ = ["HELP", "HelpWanted", "UsageError", "parsed", "spellings"]

HELP = ("--help", "-h")


class UsageError(InputError):
    """The command line is wrong."""


class HelpWanted(Exception):  # no error
    """--help is among the words."""


def parsed(command: Command, words: Sequence[str]) -> dict[str, Any]:
    """The keywords, all of them."""
    try:
        return _parsed(command, words)
    except UsageError:
        if set(HELP) & set(words):  # whoever asks for help may have the rest wrong
            raise HelpWanted from None
        raise


def _parsed(command: Command, words: Sequence[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    loose: list[str] = []
    for parameter, word in _pairs(command, words):
        if parameter is None:
            loose.append(word)
        elif parameter.many:
            given.setdefault(parameter.name, []).append(_value(parameter, word))
        else:
            given[parameter.name] = _value(parameter, word)
    arguments = command.arguments
    given |= {p.name: word for p, word in zip(arguments, loose, strict=False)}
    if len(loose) > len(arguments):
        raise UsageError(f"Got an unexpected argument: {loose[len(arguments)]}")
    for p in command.parameters:
        if p.required and p.name not in given:
            kind = "argument" if p in arguments else "option"
            raise UsageError(f"Missing {kind} {p.shown}{f' {p.metavar}' * (kind == 'option')}")
    return {p.name: given.get(p.name, p.default) for p in command.parameters}


def spellings(command: Command) -> dict[str, tuple[Parameter, Option]]:
    """The options of a command by each of their names."""
    found = {}
    for parameter, option in command.options:
        for spelling in [*option.spellings, option.opposite]:
            if spelling:
                found[spelling] = parameter, option
    return found


def _pairs(command: Command, words: Sequence[str]) -> Iterator[tuple[Parameter | None, str]]:
    """Options with their values, and words without an option; a flag's value is its spelling."""
    known = spellings(command)
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from ((None, loose) for loose in rest)
            return
        if not word.startswith("-") or word == "-":
            yield None, word
            continue
        if word in HELP:
            raise HelpWanted
        if word == "--debug":
            DEBUG.set(True)
            continue
        name, joined = _split(word, known)
        if name not in known:
            raise UsageError(new_option(name, known) or f"No such option: {name}{did_you_mean(name, [*known, *HELP])}")
        parameter, _ = known[name]
        if parameter.kind is bool:
            if joined is not None:
                raise UsageError(f"{name} takes no value")
            yield parameter, name
            continue
        value = next(rest, None) if joined is None else joined
        if value is None:
            raise UsageError(f"{name} needs a value: {parameter.metavar}")
        yield parameter, value


def _split(word: str, known: dict[str, Any]) -> tuple[str, str | None]:
    """``--name=value`` and ``-nvalue``."""
    if word.startswith("--"):
        name, sign, value = word.partition("=")
        return name, value if sign else None
    if word not in known and word[:2] in known:
        return word[:2], word[2:].removeprefix("=")
    return word, None


def _value(parameter: Parameter, word: str) -> Any:
    option = parameter.declared
    assert isinstance(option, Option)
    if parameter.kind is bool:
        return word != option.opposite
    if issubclass(parameter.kind, StrEnum):
        choices = list(parameter.kind)
        if word not in choices:
            renamed = new_choice(parameter.shown.removeprefix("--"), word, choices)
            near = did_you_mean(word, choices)
            raise UsageError(renamed or f"{parameter.shown}: {word!r} is not one of {', '.join(choices)}{near}")
        return parameter.kind(word)
    return word if parameter.kind is str else _number(parameter, option, word)


def _number(parameter: Parameter, option: Option, word: str) -> int | float:
    whole = parameter.kind is int
    try:
        number = number_in(word)
        number = int(word) if whole else number
    except ValueError:
        number = float("nan")
    if number != number:
        raise UsageError(f"{parameter.shown}: {word!r} is not a {'whole ' * whole}number")
    if option.min is not None and number < option.min:
        raise UsageError(f"{parameter.shown}: {word} is less than {option.min:g}")
    if option.max is not None and number > option.max:
        raise UsageError(f"{parameter.shown}: {word} is more than {option.max:g}")
    return number
