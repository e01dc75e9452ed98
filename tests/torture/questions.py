"""Questions about one instance: their options drawn, written as source, and answered by brute force.

A question is a dict: `x` (codes), `form` (of the row), `naming` (features by "name" or "index") and any of `target`,
`immutable`, `allowed`, `cost`, `max_changes`, `constraints`. All of it in codes; `keywords` writes it with the names.
A constraint is ("test", feature, sign, codes), ("not", a), ("and", a, b), ("or", a, b) or ("->", a, b).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import oracle

from torture import names, rows
from torture.models import Model, Row

COSTS = (1, 2, 3, 7, 0.5, 0.1, 0.2, 0.3, 1.5)
OPTIONS = ("target", "immutable", "allowed", "cost", "max_changes", "constraints")
SIGNS = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}

Answer = dict[tuple[int, ...], list[tuple[Fraction, Row]]]


def draw(rng: random.Random, model: Model, options: tuple[str, ...] = OPTIONS) -> dict[str, Any]:
    """A question with some options."""
    x = rng.choice(list(model.table))
    question: dict[str, Any] = {"x": x, "form": rows.draw_one(rng, model), "naming": rng.choice(("name", "index"))}
    others = [k for k in range(model.n_classes) if k != model.table[x]]
    some = [j for j in range(model.n) if rng.random() < 0.3]
    if "target" in options and rng.random() < 0.4:
        question["target"] = rng.choice(others)
    if "immutable" in options and rng.random() < 0.3:
        question["immutable"] = some
    if "allowed" in options and rng.random() < 0.3:
        question["allowed"] = {j: _allowed(rng, model, j) for j in some}
    if "cost" in options and rng.random() < 0.4:
        question["cost"] = _cost(rng, model)
    if "max_changes" in options and rng.random() < 0.3:
        question["max_changes"] = rng.randint(0, model.n)
    if "constraints" in options and model.knows_labels and rng.random() < 0.25:
        sayable = [j for j in range(model.n) if names.sayable(model.labels(j))]
        if sayable:
            question["constraints"] = [_constraint(rng, model, sayable, 2) for _ in range(rng.randint(1, 2))]
    return question


def _allowed(rng: random.Random, model: Model, j: int) -> Any:
    if rng.random() < 0.4 and _is_ordered(model, j):
        return rng.choice(("increase", "decrease"))
    codes = sorted(rng.sample(range(model.n_values[j]), rng.randint(0, model.n_values[j])))
    if model.raw is not None and len(codes) == 2 and not isinstance(model.raw[j][0], str):
        return codes[:1]  # two numbers would be a range of numbers
    return codes


def _is_ordered(model: Model, j: int) -> bool:
    return model.raw is None


def _cost(rng: random.Random, model: Model) -> Any:
    kind = rng.randrange(4)
    if kind == 0:
        return [rng.choice(COSTS) for _ in range(model.n)]
    if kind == 1 and all(_is_ordered(model, j) for j in range(model.n)):
        return "ordinal"
    return {j: _cost_of(rng, model, j) for j in range(model.n) if rng.random() < 0.6}


def _cost_of(rng: random.Random, model: Model, j: int) -> Any:
    d, kind = model.n_values[j], rng.randrange(5)
    if kind == 0 and _is_ordered(model, j):
        return "ordinal"
    if kind == 1:
        return ("matrix", [[0 if a == b else rng.choice(COSTS) for b in range(d)] for a in range(d)])
    if kind == 2 and model.knows_labels:
        return ("new", {v: rng.choice(COSTS) for v in range(d) if rng.random() < 0.6})
    if kind == 3 and model.knows_labels:
        pairs = [(a, b) for a in range(d) for b in range(d) if a != b and rng.random() < 0.5]
        return ("pair", {pair: rng.choice(COSTS) for pair in pairs})
    return rng.choice(COSTS)


def _constraint(rng: random.Random, model: Model, features: list[int], depth: int) -> Any:
    if depth and rng.random() < 0.5:
        sign = rng.choice(("not", "and", "or", "->"))
        parts = [_constraint(rng, model, features, depth - 1) for _ in range(1 if sign == "not" else 2)]
        return (sign, *parts)
    j = rng.choice(features)
    if rng.random() < 0.3:
        return ("test", j, rng.choice(list(SIGNS)), [rng.randrange(model.n_values[j])])
    codes = rng.sample(range(model.n_values[j]), rng.randint(1, model.n_values[j]))
    return ("test", j, rng.choice(("in", "not in")), codes)


# --- as source --------------------------------------------------------------------------------------------------------


def keywords(model: Model, question: Mapping[str, Any]) -> str:
    """The options as keyword arguments, each after a comma."""
    by_name = question["naming"] == "name"

    def feature(j: int) -> Any:
        return model.feature_names[j] if by_name else j

    given: dict[str, Any] = {}
    if "target" in question:
        given["target"] = model.class_labels[question["target"]]
    if "immutable" in question:
        given["immutable"] = [feature(j) for j in question["immutable"]]
    if "allowed" in question:
        # A model that reads raw rows has names for its values that are not ours: codes are accepted, too.
        given["allowed"] = {
            feature(j): what if isinstance(what, str) else [_value(model, j, v) for v in what]
            for j, what in question["allowed"].items()
        }
    if "cost" in question:
        given["cost"] = _written_cost(model, question["cost"], feature)
    if "max_changes" in question:
        given["max_changes"] = question["max_changes"]
    if "constraints" in question:
        # An index is refused where a feature has this number for its name.
        by_name = by_name or any(name.isdigit() for name in model.feature_names)
        given["constraints"] = [_written(model, c, by_name) for c in question["constraints"]]
    return "".join(f", {name}={value!r}" for name, value in given.items())


def _value(model: Model, j: int, v: int) -> Any:
    return model.labels(j)[v] if model.knows_labels else v


def _written_cost(model: Model, cost: Any, feature: Any) -> Any:
    if not isinstance(cost, dict):
        return cost
    return {feature(j): _written_cost_of(model, j, c) for j, c in cost.items()}


def _written_cost_of(model: Model, j: int, cost: Any) -> Any:
    if not isinstance(cost, tuple):
        return cost
    kind, numbers = cost
    if kind == "matrix":
        return numbers
    labels = model.labels(j)
    if kind == "new":
        return {labels[v]: c for v, c in numbers.items()}
    return {(labels[a], labels[b]): c for (a, b), c in numbers.items()}


def _written(model: Model, constraint: Any, by_name: bool) -> str:
    sign = constraint[0]
    if sign == "not":
        return f"not ({_written(model, constraint[1], by_name)})"
    if sign != "test":
        left, right = (_written(model, part, by_name) for part in constraint[1:])
        return f"({left}) {sign} ({right})"
    _, j, comparison, codes = constraint
    name = f"`{model.feature_names[j]}`" if by_name else str(j)
    values = [f"'{label}'" if isinstance(label, str) else str(label) for label in (model.labels(j)[v] for v in codes)]
    if comparison in SIGNS:
        return f"{name} {comparison} {values[0]}"
    return f"{name} {comparison} {{{', '.join(values)}}}"


# --- answered ---------------------------------------------------------------------------------------------------------


def holds(constraint: Any, row: Row) -> bool:
    """Does a row obey it?"""
    sign = constraint[0]
    if sign == "test":
        _, j, comparison, codes = constraint
        if comparison in SIGNS:
            return bool(SIGNS[comparison](row[j], codes[0]))
        return (row[j] in codes) == (comparison == "in")
    parts = [holds(part, row) for part in constraint[1:]]
    if sign == "not":
        return not parts[0]
    return all(parts) if sign == "and" else any(parts) if sign == "or" else not parts[0] or parts[1]


def price(cost: Any, j: int, old: int, new: int) -> Fraction:
    """What it costs that feature j changes, as the decimal that was written."""
    if cost is None:
        return Fraction(1)
    if cost == "ordinal":
        return Fraction(abs(new - old))
    if isinstance(cost, list):
        return oracle.as_written(cost[j])
    of = cost.get(j, 1)
    if of == "ordinal":
        return Fraction(abs(new - old))
    if not isinstance(of, tuple):
        return oracle.as_written(of)
    kind, numbers = of
    return oracle.as_written(
        numbers[old][new] if kind == "matrix" else numbers.get(new if kind == "new" else (old, new), 1)
    )


def answer(model: Model, question: Mapping[str, Any]) -> Answer:
    """The minimal change sets in order, each with all rows that it leads to, the cheapest first."""
    x = question["x"]
    before, target = model.table[x], question.get("target")
    relations = question.get("constraints", ())

    def wanted(row: Row) -> bool:
        after = model.table[row]
        return (after != before if target is None else after == target) and all(holds(c, row) for c in relations)

    choices = []
    for j, d in enumerate(model.n_values):
        what = question.get("allowed", {}).get(j, range(d))
        codes = range(x[j] + 1, d) if what == "increase" else range(x[j]) if what == "decrease" else what
        choices.append(() if j in question.get("immutable", ()) else tuple(codes))
    cost = question.get("cost")
    found = oracle.counterfactuals(wanted, x, choices, lambda j, old, new: price(cost, j, old, new))
    most = question.get("max_changes", model.n)
    return {s: priced for s, priced in found.items() if len(s) <= most}
