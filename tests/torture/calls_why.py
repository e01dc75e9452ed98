"""Calls that ask why: sufficient reasons, MC-explanations and attributions, against brute force."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import oracle
import reference

from torture import questions, rows
from torture.calls_tables import draw_predict
from torture.chunks import Arguments, Chunk, asked_about, is_refused, more
from torture.models import Model, Row

OPTIONS = ("target", "immutable", "allowed", "constraints")
COSTS = (1, 2, 3, 7, 0.5, 0.1, 0.2, 0.3, 1.5)


def reasons_of(model: Model, question: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """All sufficient reasons, in order."""
    x = question["x"]
    allowed: dict[int, Any] = {}
    for j, d in enumerate(model.n_values):
        what = question.get("allowed", {}).get(j, range(d))
        allowed[j] = range(x[j] + 1, d) if what == "increase" else range(x[j]) if what == "decrease" else what
        if j in question.get("immutable", ()):
            allowed[j] = ()
    relations = question.get("constraints", ())
    found = oracle.reasons(
        model.table.__getitem__,
        x,
        model.n_values,
        allowed,
        question.get("target"),
        lambda row: all(questions.holds(c, row) for c in relations),
    )
    return oracle.cheapest(found, question.get("cost"))


def _roles(sets: list[tuple[int, ...]], n: int) -> tuple[list[int], list[int]]:
    """The features in every set, and those in some."""
    every = [j for j in range(n) if all(j in s for s in sets)]
    return every, [j for j in range(n) if any(j in s for s in sets)]


def _shares(sets: list[tuple[int, ...]], n: int) -> list[str]:
    """By feature, the share of the sets that it is in."""
    return [str(Fraction(sum(j in s for s in sets), len(sets) or 1)) for j in range(n)]


def _draw_question(rng: random.Random, model: Model) -> Arguments:
    asked = questions.draw(rng, model, OPTIONS)
    if rng.random() < 0.3:
        asked["cost"] = [rng.choice(COSTS) for _ in range(model.n)]
    return asked


def draw_why(rng: random.Random, model: Model) -> Arguments:
    asked = _draw_question(rng, model)
    if rng.random() < 0.7:
        asked["engine"] = rng.choice(("auto", "cover", "diagram", "sat"))
    if rng.random() < 0.3:
        asked["k"] = rng.choice((1, 2, 3, 50))
    elif rng.random() < 0.2:
        asked["max_results"] = rng.choice((1, 2, 50))
    asked["then"] = rng.choice(("", "", "dict", "changes", "count", "sample", "verify"))
    return asked


def write_why(model: Model, asked: Arguments) -> Chunk:
    wanted = reasons_of(model, asked)
    about = asked_about(model, asked)
    options = more(asked, "k", "max_results", "engine")
    chunk = Chunk([f"r = c.why({about}{options})"], error="OptionError", may=True)
    if not is_refused(asked):
        chunk.error = None
    every, some = _roles(wanted, model.n)
    chunk.checks += [
        ("r.prediction", "==", model.table[asked["x"]]),
        ("[reason.features for reason in r] == list(r.sets)", "==", True),
        ("list(r.necessary)", "==", every),
        ("list(r.relevant)", "==", some),
        ("list(r.irrelevant)", "==", [j for j in range(model.n) if j not in some]),
        ("[*map(str, r.shares)]", "==", _shares(wanted, model.n)),
        ("isinstance(str(r) + r._repr_html_() + ' '.join(r.sentences()) + ' '.join(r.principal()), str)", "==", True),
    ]
    most = asked.get("max_results")
    if most is None or "k" in asked:
        chunk.checks += [("r.sets", "==", wanted[: asked.get("k")]), ("r.status", "==", "complete")]
    else:
        chunk.checks += [("r.sets", "within", wanted), ("len(r.sets)", "==", min(most, len(wanted)))]
    _then(model, asked, wanted, chunk)
    return chunk


def _then(model: Model, asked: Arguments, wanted: list[tuple[int, ...]], chunk: Chunk) -> None:
    about, then = asked_about(model, asked), asked["then"]
    if then == "dict":
        chunk.lines.append("r2 = symcf.Reasons.from_dict(json.loads(r.to_json()))")
        chunk.checks.append(("r2.sets == r.sets and r2.to_dict()['reasons'] == r.to_dict()['reasons']", "==", True))
    elif then == "changes":
        changes = list(questions.answer(model, asked))
        chunk.checks += [("r.changes.sets", "==", changes), ("r.changes.reasons.sets", "==", wanted)]
        chunk.checks.append(("hitting_sets(r.changes.sets, len(c.features))", "==", sorted(wanted)))
    elif then == "count":
        chunk.checks.append((f"c.count_why({about}{more(asked, 'engine')})", "==", len(wanted)))
    elif then == "sample":
        chunk.checks.append((f"[reason.features for reason in c.sample_why({about[:0]}{_sampled(model, asked)})]",
                             "within", wanted))  # fmt: skip
    elif then == "verify":
        chunk.checks.append((f"str(symcf.verify(c, {rows.one(model, asked['x'], 'list')}, r)).count('yes')", "==", 4))


def _sampled(model: Model, asked: Arguments) -> str:
    return rows.one(model, asked["x"], asked["form"]) + ", 3, 1" + questions.keywords(model, asked)


def draw_why_batch(rng: random.Random, model: Model) -> Arguments:
    asked = draw_predict(rng, model) | {"question": _draw_question(rng, model), "naming": "name"}
    for name, choices in (("n_jobs", (1, 2)), ("sort", (True, False)), ("k", (1, 2)), ("engine", ("auto", "diagram"))):
        if rng.random() < 0.4:
            asked[name] = rng.choice(choices)
    return asked


def write_why_batch(model: Model, asked: Arguments) -> Chunk:
    question = asked["question"]
    options = more(asked, "n_jobs", "sort", "k", "engine")
    table = rows.many(model, asked["rows"], asked["form"])
    call = f"b = symcf.fast.why_batch(c, {table}{questions.keywords(model, question)}{options})"
    answers, status = [], []
    for row in asked["rows"]:
        at_target = model.table[row] == question.get("target")
        answers.append([] if at_target else reasons_of(model, question | {"x": row})[: asked.get("k")])
        status.append("at_target" if at_target else "complete")
    listed = "[b.sets(i) for i in range(len(b))]"
    if asked.get("sort") is False and "k" not in asked:
        listed, answers = f"[sorted(s) for s in {listed}]", [sorted(sets) for sets in answers]
    return Chunk(
        [call],
        [
            ("[symcf.batch.STATUS[s] for s in b.status]", "==", status),
            ("b.prediction.tolist()", "==", [model.table[row] for row in asked["rows"]]),
            (listed, "==", answers),
            ("[list(r.sets) for r in b] == [list(r.sets) for r in b[:]]", "==", True),
        ],
    )


def draw_fewest(rng: random.Random, model: Model) -> Arguments:
    plain = model.n_classes == 2 and set(model.n_values) == {2}
    table = list(model.table)
    asked: Arguments = {"x": rng.choice(table), "form": rows.draw_one(rng, model)}
    if not plain or rng.random() < 0.5:
        asked["baseline"] = rng.choice(table)
    return asked


def write_fewest(model: Model, asked: Arguments) -> Chunk:
    x = asked["x"]
    baseline: Row = asked.get("baseline", (1 - model.table[x],) * model.n)
    wanted = reference.fewest_kept(model.table.__getitem__, x, baseline)
    given = f", baseline={rows.one(model, baseline, 'list')}" if "baseline" in asked else ""
    return Chunk(
        [f"m = c.mc_explanations({rows.one(model, x, asked['form'])}{given})"],
        [
            ("m.sets", "==", wanted),
            ("m.count", "==", len(wanted)),
            ("m.size", "==", len(wanted[0])),
            ("isinstance(str(m), str)", "==", True),
        ],
    )


def draw_attribute(rng: random.Random, model: Model) -> Arguments:
    method = rng.choice(("reasons", "changes", "shapley", "shapley"))
    if method != "shapley":
        return questions.draw(rng, model, OPTIONS) | {"method": method}
    asked = {"x": rng.choice(list(model.table)), "form": rows.draw_one(rng, model), "method": method}
    if rng.random() < 0.5:
        asked["data"] = [rng.choice(list(model.table)) for _ in range(rng.randint(1, 7))]
    return asked


def write_attribute(model: Model, asked: Arguments) -> Chunk:
    x, method = asked["x"], asked["method"]
    if method != "shapley":
        sets = reasons_of(model, asked) if method == "reasons" else list(questions.answer(model, asked))
        call = f"a = c.attribute({rows.one(model, x, asked['form'])}, {method!r}{questions.keywords(model, asked)})"
        return Chunk([call], [("[*map(str, a.exact)]", "==", _shares(sets, model.n)), ("len(str(a)) > 0", "==", True)])
    data = asked.get("data")
    shares = [
        [Fraction(1, d)] * d if data is None else [Fraction(sum(r[j] == v for r in data), len(data)) for v in range(d)]
        for j, d in enumerate(model.n_values)
    ]
    wanted = [
        float(value)
        for value in reference.shapley(model.table.__getitem__, x, [dict(enumerate(s)) for s in shares], model.table[x])
    ]
    given = "" if data is None else f", data={rows.many(model, data, 'lists')}"
    return Chunk(
        [f"a = c.attribute({rows.one(model, x, asked['form'])}, 'shapley'{given})"],
        [(f"max([0, *(abs(g - w) for g, w in zip(a.values.tolist(), {wanted!r}))]) < 1e-12", "==", True)],
    )
