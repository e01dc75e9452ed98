"""Calls about the classifier itself: diagrams, clauses, saving; and calls that must be refused."""

from __future__ import annotations

import random

from torture import rows
from torture.chunks import ENCODINGS, Arguments, Check, Chunk
from torture.models import Model

ORDERS = ("influence", "natural", "sift")
WRONG = ("class", "at target", "code", "feature", "length")


def draw_class(rng: random.Random, model: Model) -> Arguments:
    asked: Arguments = {"of": rng.randrange(model.n_classes), "encoding": rng.choice(ENCODINGS)}
    if model.n_classes == 2 and rng.random() < 0.4:
        asked["plain"] = True
    return asked


def write_diagram(model: Model, asked: Arguments) -> Chunk:
    """Both classes have the diagram of class 1 where there are two."""
    plain = asked.get("plain", False)
    k = 1 if plain else asked["of"]
    table = [list(row) for row in model.table]
    call = "d = c.diagram" if plain else f"d = c.diagram_of({model.class_labels[k]!r})"
    wanted = [int(decided == k) for decided in model.table.values()]
    return Chunk([call, "d.validate()"], [(f"d.evaluate({table}).tolist()", "==", wanted)])


def write_cnf(model: Model, asked: Arguments) -> Chunk:
    plain = asked.get("plain", False)
    k = asked["of"]
    which = f", negate={k == 0}" if plain else f", of={model.class_labels[k]!r}"
    wanted = [row for row, decided in model.table.items() if decided == k]
    found = f"rows_of_cnf(c.cnf({asked['encoding']!r}{which}), {model.n_values})"
    return Chunk([f"found = {found}"], [("found", "in", [wanted, None])])


# --- the object itself ------------------------------------------------------------------------------------------------


def draw_order(rng: random.Random, model: Model) -> Arguments:
    listed = rng.sample(range(model.n), model.n)
    names = [model.feature_names[j] for j in listed]
    return {"order": rng.choice((*ORDERS, listed, names))}


def write_compile(model: Model, asked: Arguments) -> Chunk:
    return Chunk([f"c = symcf.compile(model, order={asked['order']!r})"])


def write_save(model: Model, asked: Arguments) -> Chunk:
    return Chunk(["c.save(f'{here}/saved')", "c = symcf.load(f'{here}/saved')"], _names_kept(model))


def write_pickle(model: Model, asked: Arguments) -> Chunk:
    return Chunk(["c = pickle.loads(pickle.dumps(c))"], _names_kept(model))


def write_json(model: Model, asked: Arguments) -> Chunk:
    lines = ["model = symcf.model_from_json(model.to_json())", "c = symcf.compile(model)"]
    return Chunk(lines, _names_kept(model))


def _names_kept(model: Model) -> list[Check]:
    checks: list[Check] = [
        ("list(c.classes)", "==", model.class_labels),
        ("list(c.features)", "==", model.feature_names),
    ]
    if model.raw is None:
        checks.append(("[list(v) for v in c.values]", "==", [model.labels(j) for j in range(model.n)]))
    return checks


def draw_json(rng: random.Random, model: Model) -> Arguments:
    return {"json": True} if model.is_json else {}


# --- what must be refused ---------------------------------------------------------------------------------------------


def draw_wrong(rng: random.Random, model: Model) -> Arguments:
    return {
        "x": rng.choice(list(model.table)),
        "wrong": rng.choice(("class", "at target", "code", "feature", "length")),
    }


def write_wrong(model: Model, asked: Arguments) -> Chunk:
    x, wrong = rows.one(model, asked["x"], "list"), asked["wrong"]
    if wrong == "class":
        return Chunk([f"c.explain({x}, target='no such class')"], error="OptionError")
    if wrong == "at target":
        label = model.class_labels[model.table[asked["x"]]]
        return Chunk([f"n = c.count({x}, target={label!r})"], [("n", "==", 0)])
    if wrong == "feature":
        return Chunk([f"c.explain({x}, immutable=['no such feature'])"], error="OptionError")
    if wrong == "length":
        return Chunk([f"c.explain({x} + [0])"], error="InstanceError")
    if model.raw is not None:
        return Chunk(["c.predict([])"], error="InstanceError", may=True)
    return Chunk([f"c.predict([{[*asked['x'][:-1], model.n_values[-1]]}])"], error="InstanceError")


def draw_nothing(rng: random.Random, model: Model) -> Arguments:
    return {"again": True}
