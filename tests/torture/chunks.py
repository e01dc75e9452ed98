"""What a call is here: arguments as plain data, and a chunk of source lines with what must come of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from torture import questions, rows
from torture.models import Model

ENCODINGS = ("no-cut", "node-cut", "aux-cut", "prime")

Arguments = dict[str, Any]

#: An expression, how it is compared (see `Chunk`), and with what.
Check = tuple[str, str, Any]


@dataclass
class Chunk:
    """Source lines, and what they must lead to."""

    lines: list[str]
    #: How a result is compared: "==", "in" (one of these), "within" (all of them are) or "each in" (the i-th in the
    #: i-th).
    checks: list[Check] = field(default_factory=list)
    #: The error that is expected; with `may`, accepted.
    error: str | None = None
    may: bool = False


Draw = Callable[[random.Random, Model], Arguments]
Write = Callable[[Model, Arguments], Chunk]


def more(asked: Mapping[str, Any], *names: str) -> str:
    """These options as keyword arguments, each after a comma."""
    return "".join(f", {name}={asked[name]!r}" for name in names if name in asked)


def is_refused(asked: Mapping[str, Any]) -> bool:
    """May the engine refuse? One is for sums of weights, any other class, and no relations."""
    return asked.get("engine") == "cover"


def asked_about(model: Model, asked: Mapping[str, Any]) -> str:
    """The row and the options of a question."""
    return rows.one(model, asked["x"], asked["form"]) + questions.keywords(model, asked)
