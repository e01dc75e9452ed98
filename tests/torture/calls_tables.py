"""Calls about many rows: predict, batches, the command line."""

from __future__ import annotations

import random
from typing import Any

from torture import questions, rows
from torture.chunks import Arguments, Chunk, is_refused, more
from torture.models import Model, Row


def _some_rows(rng: random.Random, model: Model, most: int = 8) -> list[Row]:
    return rng.choices(list(model.table), k=rng.randint(1, most))


def draw_predict(rng: random.Random, model: Model) -> Arguments:
    return {"rows": _some_rows(rng, model), "form": rows.draw_many(rng, model)}


def write_predict(model: Model, asked: Arguments) -> Chunk:
    call = f"c.predict({rows.many(model, asked['rows'], asked['form'])}, codes=True).tolist()"
    return Chunk([f"found = {call}"], [("found", "==", [model.table[row] for row in asked["rows"]])])


def draw_batch(rng: random.Random, model: Model) -> Arguments:
    asked = draw_predict(rng, model) | {
        "question": questions.draw(rng, model),
        "naming": rng.choice(("name", "index")),
    }
    if rng.random() < 0.5:
        asked["n_jobs"] = rng.choice((1, 2, -1))
    if rng.random() < 0.5:
        asked["sort"] = rng.random() < 0.5
    if rng.random() < 0.3:
        asked["k"] = rng.choice((1, 2, 3))
    if rng.random() < 0.4:
        asked["engine"] = rng.choice(("auto", "diagram", "cover", "sat"))
    asked["bad"] = model.raw is None and asked["form"] in ("lists", "int64") and rng.random() < 0.3
    return asked


def write_batch(model: Model, asked: Arguments) -> Chunk:
    question = asked["question"]
    given = asked["rows"] + ([(9,) * model.n] if asked["bad"] else [])
    options = more(asked, "n_jobs", "sort", "k", "engine") + (", errors='mark'" if asked["bad"] else "")
    table = rows.many(model, given, asked["form"])
    call = f"b = symcf.fast.explain_batch(c, {table}{questions.keywords(model, question)}{options})"
    answers: list[list[Any]] = []
    status = []
    for row in asked["rows"]:
        at_target = model.table[row] == question.get("target")
        found = {} if at_target else questions.answer(model, question | {"x": row})
        answers.append(list(found)[: asked.get("k")])
        status.append("at_target" if at_target else "complete")
    predicted = [model.table[row] for row in asked["rows"]]
    if asked["bad"]:
        answers, status, predicted = [*answers, []], [*status, "invalid"], [*predicted, 0]
    listed = "[b.sets(i) for i in range(len(b))]"
    if asked.get("sort") is False and "k" not in asked:
        listed, answers = f"[sorted(s) for s in {listed}]", [sorted(sets) for sets in answers]
    checks = [
        ("[symcf.batch.STATUS[s] for s in b.status]", "==", status),
        ("b.prediction.tolist()", "==", predicted),
        (listed, "==", answers),
    ]
    if not asked["bad"]:
        checks.append(("[e.sets for e in b] == [c2.sets for c2 in b[:]]", "==", True))
    return Chunk([call], checks, "OptionError" if is_refused(asked) else None, may=True)


def write_command(model: Model, asked: Arguments) -> Chunk:
    question = asked["question"]
    table = [[_cell(model, j, v) for j, v in enumerate(row)] for row in asked["rows"]]
    target = ["--target", str(model.class_labels[question["target"]])] if "target" in question else []
    arguments = ["--format", "jsonl", "--cells", "labels", *target]
    answers = []
    for row in asked["rows"]:
        at_target = model.table[row] == question.get("target")
        answers.append([] if at_target else list(questions.answer(model, question | {"x": row})))
    return Chunk(
        [
            "model.to_json(f'{here}/model.json')",
            "with open(f'{here}/rows.csv', 'w', encoding='utf-8', newline='') as file:",
            f"    csv.writer(file).writerows([{model.feature_names!r}, *{table!r}])",
            f"lines = by_command_line(['explain', f'{{here}}/model.json', f'{{here}}/rows.csv', *{arguments!r}])",
            "found = [[tuple(a['feature'] for a in cf['changes']) for cf in e['counterfactuals']] for e in lines]",
        ],
        [("found", "==", answers)],
    )


def _cell(model: Model, j: int, v: int) -> str:
    label = model.labels(j)[v]
    return str(int(label)) if isinstance(label, float) and label == int(label) else str(label)


def draw_command(rng: random.Random, model: Model) -> Arguments:
    plain = model.raw is None and model.is_json
    for labels in [*(model.labels(j) for j in range(model.n)), model.class_labels] if plain else []:
        texts = {str(float(a)) if isinstance(a, (int, float)) else str(a).strip() for a in labels}
        plain &= not any(isinstance(a, bool) or a in (None, "") for a in labels) and len(texts) == len(labels)
        plain &= len({str(a) for a in labels if a is not None} | {str(a) for a in labels}) == len(labels)
        plain &= all(isinstance(a, str) == isinstance(labels[0], str) for a in labels)
    if not plain:
        return {}
    asked = draw_predict(rng, model)
    return {"rows": asked["rows"], "question": questions.draw(rng, model, ("target",))}
