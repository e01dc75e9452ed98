"""Calls about all rows or several classifiers: properties, audits, functions, comparisons, labels; and certificates."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

from torture import models, questions, rows
from torture.calls_tables import draw_predict
from torture.chunks import Arguments, Chunk, asked_about
from torture.models import Model, Row

OPTIONS = ("target", "immutable", "allowed", "max_changes", "constraints")


def beside(model: Model, row: Row, features: list[int]) -> list[int]:
    """The classes of all rows that differ from this one in these features only."""
    return [
        decided
        for other, decided in model.table.items()
        if all(a == b for j, (a, b) in enumerate(zip(row, other, strict=True)) if j not in features)
    ]


# --- properties and audits --------------------------------------------------------------------------------------------


def draw_properties(rng: random.Random, model: Model) -> Arguments:
    protected = rng.sample(range(model.n), rng.randint(1, model.n))
    asked = {"feature": rng.randrange(model.n), "of": rng.randrange(model.n_classes), "protected": protected}
    return asked | {"question": questions.draw(rng, model, OPTIONS)}


def write_properties(model: Model, asked: Arguments) -> Chunk:
    j, k, question = asked["feature"], asked["of"], asked["question"]
    name, of = model.feature_names[j], model.class_labels[k]
    changed = [beside(model, row, [j]) for row in model.table]
    smallest = min(map(len, questions.answer(model, question)), default=None)
    biased = sum(len(set(beside(model, row, asked["protected"]))) > 1 for row in model.table)
    protected = [model.feature_names[i] for i in asked["protected"]]
    chunk = Chunk(
        [f"r = c.robustness({asked_about(model, question)})", f"b = c.bias({protected!r})"],
        [
            (f"bool(c.depends_on({name!r}))", "==", any(len(set(classes)) > 1 for classes in changed)),
            ("r.changes", "==", smallest),
            ("b.possible", "==", biased),
            ("b.total", "==", len(model.table)),
        ],
    )
    if model.raw is None:  # codes come in the order of the values, and none is missing
        rising = all(classes == sorted(classes, key=lambda c: c == k) for classes in changed)
        falling = all(classes == sorted(classes, key=lambda c: c != k) for classes in changed)
        found = f"[bool(c.is_monotone({name!r}, way, of={of!r})) for way in ('increasing', 'decreasing')]"
        chunk.checks.append((found, "==", [rising, falling]))
    return chunk


def draw_audit(rng: random.Random, model: Model) -> Arguments:
    return draw_predict(rng, model) | {"question": questions.draw(rng, model, OPTIONS)}


def write_audit(model: Model, asked: Arguments) -> Chunk:
    question = asked["question"]
    table, told = rows.many(model, asked["rows"], asked["form"]), questions.keywords(model, question)
    fewest, locked_out, at_target = Counter(), [], 0  # type: Counter[int], list[int], int
    for i, row in enumerate(asked["rows"]):
        if model.table[row] == question.get("target"):
            at_target += 1
            continue
        sizes = [len(found) for found in questions.answer(model, question | {"x": row})]
        fewest.update([min(sizes)] if sizes else [])
        locked_out += [] if sizes else [i]
    return Chunk(
        [f"a = symcf.audit(c, {table}, groups={list('uvw' * 3)[: len(asked['rows'])]!r}{told})"],
        [
            ("a.total.rows", "==", len(asked["rows"])),
            ("a.total.at_target", "==", at_target),
            ("a.locked_out.tolist()", "==", locked_out),
            ("dict(a.total.changes)", "==", dict(fewest)),
            ("sum(group.locked_out for group in a.groups.values())", "==", len(locked_out)),
            ("a.verify(None)", "==", len(locked_out)),
        ],
    )


# --- several classifiers ----------------------------------------------------------------------------------------------


def _other(model: Model, flipped: list[Row], as_class: int) -> tuple[Model, list[str]]:
    """The same model but for some rows, as a function; and the lines that define it as `other`."""
    table = model.table | dict.fromkeys(flipped, as_class)
    other = models.as_function(replace(model, table=table))
    return other, ["kept = model", other.write(other), "other, model = model, kept"]


def draw_other(rng: random.Random, model: Model) -> Arguments:
    if model.raw is not None or model.kind == "table":  # its columns would be read in another way
        return {}
    flipped = rng.sample(list(model.table), rng.choice((0, 1, min(3, len(model.table)))))
    x = rng.choice(list(model.table))
    return {"flipped": flipped, "class": rng.randrange(model.n_classes), "x": x, "of": rng.randrange(model.n_classes)}


def write_difference(model: Model, asked: Arguments) -> Chunk:
    other, lines = _other(model, asked["flipped"], asked["class"])
    differ = [row for row in model.table if model.table[row] != other.table[row]]
    k, label = asked["of"], model.class_labels[asked["of"]]
    both = sum(model.table[row] == k == other.table[row] for row in model.table)
    either = sum(k in (model.table[row], other.table[row]) for row in model.table)
    return Chunk(
        [
            *lines,
            "difference = symcf.difference(c, other)",
            f"f, g = c.is_class({label!r}), symcf.compile(other).is_class({label!r})",
        ],
        [
            ("symcf.equivalent(c, other)", "==", not differ),
            ("difference.count", "==", len(differ)),
            (f"c.count_models(of={label!r})", "==", sum(decided == k for decided in model.table.values())),
            ("(f & g).count_models()", "==", both),
            ("(f | g).count_models()", "==", either),
            ("(f ^ g).count_models()", "==", either - both),
            ("(f & g).implies(f | g)", "==", True),
            ("f.implies(g)", "==", all(other.table[row] == k for row in model.table if model.table[row] == k)),
        ],
    )


def write_labels(model: Model, asked: Arguments) -> Chunk:
    other, lines = _other(model, asked["flipped"], asked["class"])
    x, a, b = asked["x"], asked["of"], asked["class"]
    goal = {row: int(model.table[row] == a and other.table[row] == b) for row in model.table}
    found = list(questions.answer(replace(model, table=goal, n_classes=2), {"x": x, "target": 1}))
    target = {"one": model.class_labels[a], "two": model.class_labels[b]}
    return Chunk(
        [
            *lines,
            "several = symcf.MultiLabel({'one': model, 'two': other})",
            f"e = several.explain({list(x)}, target={target!r})",
        ],
        [
            (f"several.predict([{list(x)}], codes=True).tolist()", "==", [[model.table[x], other.table[x]]]),
            ("e.sets", "==", found),
        ],
        "OptionError" if goal[x] else None,
    )


# --- answers used further ---------------------------------------------------------------------------------------------


def draw_diverse(rng: random.Random, model: Model) -> Arguments:
    return questions.draw(rng, model, (*OPTIONS, "cost")) | {"few": rng.randint(1, 3)}


def write_diverse(model: Model, asked: Arguments) -> Chunk:
    found = list(questions.answer(model, asked))
    few = min(asked["few"], len(found))

    def distance(choice: Any) -> float:
        pairs = [(set(a), set(b)) for a, b in combinations(choice, 2)]
        return min((len(a ^ b) / len(a | b) for a, b in pairs), default=1.0)

    farthest = max(map(distance, combinations(found, few)), default=1.0)
    chunk = Chunk(
        [f"e = c.explain({asked_about(model, asked)}, diverse={asked['few']})", "d = e.diversity"],
        [("e.sets", "within", found), ("len(e.sets)", "==", few)],
    )
    if found:
        chunk.checks.append(("d.exact", "==", True))
    if few > 1:
        chunk.checks.append(("round(d.distance, 9)", "==", round(farthest, 9)))
    return chunk


def write_certificate(model: Model, asked: Arguments) -> Chunk:
    found = list(questions.answer(model, asked))
    return Chunk(
        [f"e = c.explain({asked_about(model, asked)})", "certificate = e.certificate()"],
        [
            ("bool(symcf.check(certificate, c))", "==", True),
            ("[tuple(s) for s in certificate.data['answer']['sets']]", "==", found),
        ],
        "OptionError",
        may=True,
    )


def draw_plausible(rng: random.Random, model: Model) -> Arguments:
    data = rng.choices(list(model.table), k=rng.randint(3, 30))
    return questions.draw(rng, model, ("target", "immutable")) | {"data": data, "least": rng.choice((0.1, 0.3, 0.6, 1))}


def write_plausible(model: Model, asked: Arguments) -> Chunk:
    """Likelihoods come from the library (plausibility_random.py checks them); what follows is found here."""
    every = rows.many(model, list(model.table), "lists")
    wanted = [
        decided == asked["target"] if "target" in asked else decided != model.table[asked["x"]]
        for decided in model.table.values()
    ]
    fixed = sorted(asked.get("immutable", ()))
    return Chunk(
        [
            f"plausible = symcf.compile(model, plausibility={rows.many(model, asked['data'], 'lists')})",
            f"e = plausible.explain({asked_about(model, asked)}, min_plausibility={asked['least']})",
            f"likely = plausible.plausibility_of({every}) >= {asked['least']}",
            f"good = [row for row, w, l in zip({list(model.table)}, {wanted}, likely.tolist()) if w and l]",
        ],
        [(f"e.sets == least_changes(good, {asked['x']}, {fixed})", "==", True)],
    )
