"""Makes a failing plan smaller while it keeps failing in the same way.

Delta debugging, greedily: whatever can be left out is left out, one thing after the other, until nothing more can be.
Steps first, then options of calls, then awkward forms and names, then features.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from torture import calls, models
from torture.plans import Plan

#: Plans that are tried at most.
MOST_TRIES = 400


def shrink(plan: Plan, fails: Callable[[Plan], bool]) -> Plan:
    """A smaller plan of which `fails` is true as well."""
    tries = 0
    progress = True
    while progress:
        progress = False
        for candidate in _smaller(plan):
            tries += 1
            if tries > MOST_TRIES:
                return plan
            try:
                worse = fails(candidate)
            except (KeyError, IndexError):  # it no longer fits together
                continue
            if worse:
                plan, progress = candidate, True
                break
    return plan


def _smaller(plan: Plan) -> Iterator[Plan]:
    yield from _fewer_steps(plan)
    for i, (name, arguments) in enumerate(plan.steps):
        for simpler in _simpler(plan.model, name, arguments):
            yield Plan(plan.model, [*plan.steps[:i], (name, simpler), *plan.steps[i + 1 :]])
    for model in _plainer(plan.model):
        yield Plan(model, plan.steps)
    if plan.model.kind != "function" and plan.model.raw is None:
        yield Plan(models.as_function(plan.model), plan.steps)
    if plan.model.kind in ("function", "bayes", "linear") and plan.model.n > 1:
        for j in range(plan.model.n):
            yield from _without(plan, j)


def _fewer_steps(plan: Plan) -> Iterator[Plan]:
    size = len(plan.steps)
    part = size // 2
    while part:
        for start in range(0, size, part):
            yield Plan(plan.model, plan.steps[:start] + plan.steps[start + part :])
        part //= 2


def _simpler(model: models.Model, name: str, arguments: calls.Arguments) -> Iterator[calls.Arguments]:
    for option in calls.DROPPABLE:
        if option in arguments and not (name in ("cnf", "wcnf", "diagram") and option == "encoding"):
            yield {key: value for key, value in arguments.items() if key != option}
    for option, plain in (("form", "lists" if "rows" in arguments else "list"), ("then", ""), ("bad", False)):
        if arguments.get(option, plain) != plain:
            yield arguments | {option: plain}
    for option in ("rows", "questions", "constraints"):
        items = arguments.get(option, ())
        if len(items) > 1:
            for i in range(len(items)):
                yield arguments | {option: [*items[:i], *items[i + 1 :]]}
    if "question" in arguments:
        for simpler in _simpler(model, "explain", arguments["question"]):
            yield arguments | {"question": simpler}
    for i, question in enumerate(arguments.get("questions", ())):
        for simpler in _simpler(model, "explain", question):
            asked = list(arguments["questions"])
            asked[i] = simpler
            yield arguments | {"questions": asked}


def _plainer(model: models.Model) -> Iterator[models.Model]:
    for name in model.optional:
        if getattr(model, name) is not None:
            yield replace(model, **{name: None})
    plain = list(range(1, model.n_classes + 1))
    if "classes" in model.optional and model.classes not in (None, plain):
        yield replace(model, classes=plain)


def _without(plan: Plan, j: int) -> Iterator[Plan]:
    """Without feature j, which keeps one of its values."""
    for v in range(plan.model.n_values[j] if plan.model.kind == "function" else 1):
        model = models.restricted(plan.model, j, v)
        if model is not None:
            steps = [(name, _forget(arguments, j)) for name, arguments in copy.deepcopy(plan.steps)]
            yield Plan(model, steps)


def _forget(arguments: calls.Arguments, j: int) -> calls.Arguments:
    """Arguments without feature j; later ones move up."""

    def moved(i: int) -> int:
        return i - (i > j)

    kept: dict[str, Any] = dict(arguments)
    if "x" in kept:
        kept["x"] = (*kept["x"][:j], *kept["x"][j + 1 :])
    if "rows" in kept:
        kept["rows"] = [(*row[:j], *row[j + 1 :]) for row in kept["rows"]]
    if "immutable" in kept:
        kept["immutable"] = [moved(i) for i in kept["immutable"] if i != j]
    for name in ("allowed", "cost"):
        if isinstance(kept.get(name), dict):
            kept[name] = {moved(i): what for i, what in kept[name].items() if i != j}
        elif isinstance(kept.get(name), list):
            kept[name] = [*kept[name][:j], *kept[name][j + 1 :]]
    if "order" in kept and not isinstance(kept["order"], str):
        kept["order"] = "natural"
    kept.pop("constraints", None)
    if "question" in kept:
        kept["question"] = _forget(kept["question"], j)
    if "questions" in kept:
        kept["questions"] = [_forget(question, j) for question in kept["questions"]]
    return kept
