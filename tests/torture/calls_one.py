"""Calls about one instance: explain, count, sample and their kin."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from torture import questions, rows
from torture.chunks import ENCODINGS, Arguments, Check, Chunk, asked_about, is_refused, more
from torture.models import Model


def draw_engine(rng: random.Random, asked: Arguments) -> None:
    if rng.random() < 0.6:
        asked["engine"] = rng.choices(("auto", "cover", "diagram", "sat", "sat-portable"), (1, 3, 4, 3, 1))[0]
        if asked["engine"].startswith("sat") and rng.random() < 0.4:
            asked["encoding"] = rng.choice(ENCODINGS)
        if asked["engine"] == "sat-portable" and rng.random() < 0.3:
            asked["solver"] = rng.choice(("glucose4", "minisat22", "cadical153"))


def draw_explain(rng: random.Random, model: Model) -> Arguments:
    asked = questions.draw(rng, model)
    draw_engine(rng, asked)
    if rng.random() < 0.3:
        asked["k"] = rng.choice((1, 2, 3, 50))
    elif rng.random() < 0.2:
        asked["max_results"] = rng.choice((1, 2, 50))
    if rng.random() < 0.25:
        asked["select"] = rng.choice(("nearest", "surest", "all"))
    asked["then"] = rng.choice(("", "", "verify", "dict", "verify dict"))
    return asked


def write_explain(model: Model, asked: Arguments) -> Chunk:
    found = questions.answer(model, asked)
    options = more(asked, "k", "max_results", "engine", "encoding", "solver", "select")
    chunk = Chunk([f"e = c.explain({asked_about(model, asked)}{options})"], error="OptionError", may=True)
    if not is_refused(asked):
        chunk.error = None
    before = model.table[asked["x"]]
    chunk.checks += [("e.prediction", "==", before), ("c.instance(e.row)[0].tolist()", "==", list(asked["x"]))]
    chunk.checks += _check_sets(found, asked)
    chunk.checks += _check_values(model, found, asked)
    for part in asked["then"].split():
        if part == "verify":
            chunk.checks.append(
                (f"str(symcf.verify(c, {rows.one(model, asked['x'], 'list')}, e)).count('yes')", "==", 4)
            )
        else:
            chunk.lines.append("e2 = symcf.Explanation.from_dict(json.loads(e.to_json()))")
            chunk.checks.append(("e2.sets == e.sets and e2.to_json() == e.to_json()", "==", True))
    return chunk


def _check_sets(found: questions.Answer, asked: Mapping[str, Any]) -> list[Check]:
    wanted = list(found)
    most = asked.get("max_results")
    if most is None or "k" in asked:
        return [("e.sets", "==", wanted[: asked.get("k")]), ("e.status", "==", "complete")]
    # Which ones are found first is the engine's business; that they come in order is not.
    checks: list[Check] = [("e.sets", "within", wanted), ("len(e.sets)", "==", min(most, len(wanted)))]
    if len(wanted) == most:
        return checks
    return [*checks, ("e.status", "==", "complete" if len(wanted) < most else "max_results")]


def _check_values(model: Model, found: questions.Answer, asked: Mapping[str, Any]) -> list[Check]:
    if "max_results" in asked:
        return []
    chosen = list(found.values())[: asked.get("k")]
    # the codes of cf.instance are those of the question, which may cut columns
    instances = "[tuple(c.instance(cf.row)[0].tolist()) for cf in e]"
    if asked.get("select") == "all":
        return [(f"sorted({instances})", "==", sorted(row for priced in chosen for _, row in priced))]
    best = [[row for cost, row in priced if cost == priced[0][0]] for priced in chosen]
    return [
        (instances, "each in", best),
        ("[cf.target for cf in e]", "each in", [[model.table[row] for row in few] for few in best]),
        ("[round(cf.cost, 9) for cf in e]", "==", [round(float(priced[0][0]), 9) for priced in chosen]),
        ("named_right(c, e)", "==", True),
    ]


def draw_iterate(rng: random.Random, model: Model) -> Arguments:
    asked = questions.draw(rng, model)
    draw_engine(rng, asked)
    asked.pop("encoding", None)
    asked.pop("solver", None)
    return asked


def write_iterate(model: Model, asked: Arguments) -> Chunk:
    found = questions.answer(model, asked)
    call = f"found = [cf.features for cf in c.iter_counterfactuals({asked_about(model, asked)}{more(asked, 'engine')})]"
    error = "OptionError" if is_refused(asked) else None
    return Chunk([call], [("sorted(found)", "==", sorted(found))], error, may=True)


def draw_count(rng: random.Random, model: Model) -> Arguments:
    asked = questions.draw(rng, model, tuple(name for name in questions.OPTIONS if name != "cost"))
    draw_engine(rng, asked)
    asked.pop("encoding", None)
    asked.pop("solver", None)
    return asked


def write_count(model: Model, asked: Arguments) -> Chunk:
    found = questions.answer(model, asked)
    call = f"found = c.count({asked_about(model, asked)}{more(asked, 'engine')})"
    error = "OptionError" if is_refused(asked) else None
    return Chunk([call], [("found", "==", len(found))], error, may=True)


def draw_bounds(rng: random.Random, model: Model) -> Arguments:
    return questions.draw(rng, model, ("target", "immutable", "allowed", "max_changes"))


def write_bounds(model: Model, asked: Arguments) -> Chunk:
    count = len(questions.answer(model, asked))
    return Chunk(
        [f"low, high = c.count_bounds({asked_about(model, asked)})"], [(f"low <= {count} <= high", "==", True)]
    )


def draw_sample(rng: random.Random, model: Model) -> Arguments:
    return questions.draw(rng, model) | {"size": rng.randint(0, 5), "seed": rng.randrange(100)}


def write_sample(model: Model, asked: Arguments) -> Chunk:
    found = questions.answer(model, asked)
    inside = questions.keywords(model, asked)
    x = rows.one(model, asked["x"], asked["form"])
    error = "ValueError" if asked["size"] and not found else None
    return Chunk(
        [f"found = [cf.features for cf in c.sample({x}, {asked['size']}, {asked['seed']}{inside})]"],
        [("found", "within", list(found)), ("len(found)", "==", asked["size"])],
        error,
    )


def write_wcnf(model: Model, asked: Arguments) -> Chunk:
    found = questions.answer(model, asked)
    return Chunk(
        [f"w = c.wcnf({asked_about(model, asked)}{more(asked, 'encoding')})"],
        [("correction_sets(w)", "==", set(found))],
    )


def draw_wcnf(rng: random.Random, model: Model) -> Arguments:
    asked = questions.draw(rng, model, tuple(name for name in questions.OPTIONS if name != "max_changes"))
    return asked | {"encoding": rng.choice(ENCODINGS)}


def write_threads(model: Model, asked: Arguments) -> Chunk:
    calls = [f"lambda: c.explain({asked_about(model, one)}{more(one, 'engine')}).sets" for one in asked["questions"]]
    wanted = [list(questions.answer(model, one)) for one in asked["questions"]]
    return Chunk([f"found = in_threads([{', '.join(calls)}])"], [("found", "==", wanted)])


def draw_threads(rng: random.Random, model: Model) -> Arguments:
    asked = [questions.draw(rng, model) for _ in range(rng.randint(2, 4))]
    for one in asked:
        one["engine"] = rng.choice(("auto", "diagram", "sat"))
    return {"questions": asked}
