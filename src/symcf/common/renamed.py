"""Public names that changed before version 1.0. Using an old one raises an error that gives the new one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import Any, ParamSpec, TypeVar

__all__ = [
    "ATTRIBUTES",
    "CHOICES",
    "KEYWORDS",
    "MODULES",
    "OPTIONS",
    "did_you_mean",
    "new_attribute",
    "new_choice",
    "new_keyword",
    "new_option",
    "with_new_fields",
    "with_new_keywords",
]

P = ParamSpec("P")
R = TypeVar("R")

#: Keyword arguments, and the fields of the same name in saved explanations.
KEYWORDS = {"minimal": "minimality", "seed": "random_state", "values": "select"}

#: By option, its choices.
CHOICES = {"engine": {"minimal": "diagram", "trees": "boxes", "trials": "query"}}

#: Attributes of an explanation.
ATTRIBUTES = {"minimal": "minimality", "values_asked": "select"}

#: Public modules.
MODULES = {"dask": "cluster"}

#: Options of the command line. Its ``--seed`` is a number, not a ``random_state``, and stays.
OPTIONS = {"--encoding": "--clauses", "--minimal": "--minimality", "--values": "--select"}


def new_keyword(name: str) -> str | None:
    """The message for a keyword that has a new name; None for any other.

    >>> new_keyword("values")
    "the keyword 'values' is called 'select' now"
    """
    return f"the keyword {name!r} is called {KEYWORDS[name]!r} now" if name in KEYWORDS else None


def new_choice(option: str, choice: object, choices: Iterable[str]) -> str | None:
    """The message for a choice that has a new name, if the new one is among these choices; None for any other."""
    new = CHOICES.get(option, {}).get(choice) if isinstance(choice, str) else None
    return f"{option} {choice!r} is called {new!r} now" if new in tuple(choices) else None


def new_attribute(name: str) -> str | None:
    """The message for an attribute that has a new name; None for any other."""
    return f"the attribute {name!r} is called {ATTRIBUTES[name]!r} now" if name in ATTRIBUTES else None


def new_option(name: str, options: Iterable[str]) -> str | None:
    """The message for an option of the command line that has a new name, if the new one is among these options."""
    new = OPTIONS.get(name)
    return f"{name} is called {new} now" if new in tuple(options) else None


def with_new_keywords(call: Callable[P, R]) -> Callable[P, R]:
    """A function that raises `TypeError` with the new name of a keyword. For functions that list their keywords."""

    @functools.wraps(call)
    def run(*args: P.args, **options: P.kwargs) -> R:
        for name in options:
            if message := new_keyword(name):
                raise TypeError(f"{call.__name__}: {message}")
        return call(*args, **options)

    return run


def with_new_fields(data: dict[str, Any]) -> dict[str, Any]:
    """A saved explanation of an earlier version, with the fields and engines of today."""
    renamed = {KEYWORDS.get(name, name): value for name, value in data.items()}
    return {**renamed, "engine": CHOICES["engine"].get(data["engine"], data["engine"])}


def did_you_mean(name: object, names: Iterable[Hashable], most: int = 3) -> str:
    """``; did you mean 'x' or 'y'?``, or nothing if no name is similar.

    >>> did_you_mean("imutable", ["immutable", "cost"])
    "; did you mean 'immutable'?"
    """
    import difflib  # only here: it takes a while, and most names are right

    given = str(name)
    by_folded = {str(other).casefold(): str(other) for other in names}
    close = difflib.get_close_matches(given.casefold(), by_folded, n=most)
    return f"; did you mean {' or '.join(repr(by_folded[other]) for other in close)}?" if close else ""
