"""Plans: a model and a sequence of calls, to be run or to be written down as a script."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from torture import calls, facts, models

IMPORTS = (
    "csv, itertools, json, pickle, tempfile", "numpy as np", "pandas", "pyarrow", "symcf", "symcf.batch", "symcf.fast"
)  # fmt: skip


@dataclass
class Plan:
    """What is done, as data."""

    model: models.Model
    #: Names of calls, with their arguments.
    steps: list[tuple[str, calls.Arguments]]

    def chunks(self) -> Iterator[calls.Chunk]:
        """The source: the model first, then a chunk for each step."""
        yield calls.Chunk([self.model.write(self.model), "c = symcf.compile(model)"])
        for name, arguments in self.steps:
            yield calls.CALLS[name][1](self.model, arguments)


class Failure(Exception):
    """Something went wrong at a step (0 is the model)."""

    def __init__(self, step: int, what: str) -> None:
        super().__init__(f"step {step}: {what}")
        self.step = step
        #: Without what differs from one plan to the next: the kind of failure.
        self.kind = re.sub(r"[\d'\"(\[{].*", "", what, flags=re.DOTALL)


def draw(seed: int, number: int, use_sklearn: bool = True) -> Plan:
    """The plan with this number."""
    rng = random.Random(f"{seed}:{number}")
    model = models.draw(rng, use_sklearn)
    names = list(calls.CALLS)
    weights = [calls.WEIGHTS.get(name, 3) for name in names]
    steps = []
    for name in rng.choices(names, weights, k=rng.randint(1, 8)):
        arguments = calls.CALLS[name][0](rng, model)
        if arguments:
            steps.append((name, arguments))
    return Plan(model, steps)


# --- running ----------------------------------------------------------------------------------------------------------


def namespace(here: str) -> dict[str, Any]:
    """What the source lines can name, before they have defined anything; `here` is a directory for files."""
    names: dict[str, Any] = {name: value for name, value in vars(facts).items() if inspect.isfunction(value)}
    names["here"] = here
    exec("\n".join(f"import {name}" for name in IMPORTS), names)
    return names


@dataclass
class Tally:
    """How much was done."""

    sequences: int = 0
    calls: int = 0
    checks: int = 0


def run(plan: Plan, names: dict[str, Any], tally: Tally | None = None) -> None:
    """Runs a plan; `Failure` says what went wrong."""
    known = names.copy()
    for step, chunk in enumerate(plan.chunks()):
        _run_chunk(step, chunk, known)
        if tally is not None:
            tally.calls += 1
            tally.checks += len(chunk.checks) + (chunk.error is not None)
    if tally is not None:
        tally.sequences += 1


def _run_chunk(step: int, chunk: calls.Chunk, known: dict[str, Any]) -> None:
    looks = "".join(f"{expression}, " for expression, _, _ in chunk.checks)
    try:
        exec(compile("\n".join([*chunk.lines, f"looks = ({looks})"]), f"<step {step}>", "exec"), known)
    except Exception as error:
        if chunk.error is not None and chunk.error in {base.__name__ for base in type(error).__mro__}:
            return
        raise Failure(step, f"{type(error).__name__}: {error}") from error
    if chunk.error is not None and not chunk.may:
        raise Failure(step, f"no {chunk.error}")
    for (expression, how, wanted), found in zip(chunk.checks, known["looks"], strict=True):
        if not agrees(found, how, wanted):
            raise Failure(step, f"{expression} is {found!r}; {how} {wanted!r} was expected")


def agrees(found: Any, how: str, wanted: Any) -> bool:
    """Is this what was expected?"""
    if how == "==":
        return bool(found == wanted)
    if how == "in":
        return found in wanted
    if how == "within":
        return all(item in wanted for item in found)
    assert how == "each in", how
    return len(found) == len(wanted) and all(item in few for item, few in zip(found, wanted, strict=True))


# --- writing ----------------------------------------------------------------------------------------------------------


def script(plan: Plan, why: str) -> str:
    """The plan as a Python script that needs nothing but symcf, and fails if the plan does."""
    body: list[str] = []
    for chunk in plan.chunks():
        lines = "\n".join(chunk.lines).splitlines()
        if chunk.error is not None:
            error = chunk.error if chunk.error == "ValueError" else f"symcf.{chunk.error}"
            otherwise = ["    pass"] if chunk.may else [f"    raise AssertionError('no {chunk.error}')"]
            lines = ["try:", *(f"    {line}" for line in lines), f"except {error}:", "    pass", "else:", *otherwise]
            lines += [f"    {_assertion(*check)}" for check in chunk.checks]
        else:
            lines += [_assertion(*check) for check in chunk.checks]
        body += lines
    text = "\n".join(body)
    helpers = [value for value in vars(facts).values() if inspect.isfunction(value) and f"{value.__name__}(" in text]
    source = "\n\n".join(inspect.getsource(helper) for helper in helpers)
    if helpers:
        source = "import contextlib, io, threading\n\n" + source
    imports = [f"import {name}" for name in IMPORTS if name.startswith(("csv", "symcf", "numpy")) or f"{name}." in text]
    head = [f"# {line}" for line in why.splitlines()[:5]]
    return "\n".join([*head, *imports, source, "here = tempfile.mkdtemp()", text, ""])


def _assertion(expression: str, how: str, wanted: Any) -> str:
    if how in ("==", "in"):
        return f"assert ({expression}) {how} {wanted!r}, {expression}"
    if how == "within":
        return f"assert all(item in {wanted!r} for item in {expression}), {expression}"
    return f"assert all(item in few for item, few in zip({expression}, {wanted!r}, strict=True)), {expression}"
