"""Questions that differ from row to row, against brute force: ``python tests/drivers/per_row_random.py --count 5000``.

Each table of rows gets its own immutable features, ranges, targets, costs and largest numbers of changes, in all forms:
masks, tables with some of the columns, lists, Series, and columns with cells of text. The reference looks at every row
that the estimator's own `predict` decides, once for each row of the table.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from functools import lru_cache
from typing import Any

import pandas as pd
import random_runs

# isort: split
import reference
from small_tables import NUMBERS, SmallTable

import symcf
import symcf.fast

ROWS = 6
FORMS = ("frame", "dict", "list", "series")


@lru_cache(maxsize=1)
def table(seed: int) -> SmallTable:
    """Five questions in a row are about the same table."""
    return SmallTable(random.Random(f"per row {seed}"), gaps=True)


def rule(rng: random.Random, of: SmallTable, j: int) -> Any:
    """An entry of ``allowed``, as the reference takes it."""
    values = [v for v in of.domains[j].values if v is not reference.MISSING]
    if rng.random() < 0.4:
        return rng.choice(("increase", "decrease"))
    if of.kind not in NUMBERS and rng.random() < 0.3:
        return sorted(rng.sample(values, 3 if len(values) > 2 else 1))
    low, high = sorted(rng.choices(values, k=2))
    return rng.choice(((low, high), (low, high), (None, high), (low, None)))


def keywords(rng: random.Random, of: SmallTable, names: set[str]) -> dict[str, Any]:
    """The question of one row; names of keywords that it may have."""
    asked: dict[str, Any] = {
        "immutable": [name for name in of.names if rng.random() < 0.3],
        "allowed": {name: rule(rng, of, j) for j, name in enumerate(of.names) if rng.random() < 0.3},
        "target": rng.choice((None, *of.labels)),
        "cost": {name: rng.randint(1, 12) / 4 for name in of.names if rng.random() < 0.7},
        "max_changes": rng.choice((None, 1, 2)),
    }
    return {name: asked[name] for name in asked if name in names}


def told(rng: random.Random, of: SmallTable, each: list[dict[str, Any]]) -> dict[str, Any]:
    """The keywords of all rows, as users write them."""
    given: dict[str, Any] = {name: [asked[name] for asked in each] for name in each[0]}
    columns = rng.sample(of.names, len(of.names))
    if "immutable" in given:
        mask = pd.DataFrame([[name in fixed for name in columns] for fixed in given["immutable"]], columns=columns)
        forms = [mask, mask.astype(int), mask[of.names].to_numpy(), given["immutable"], pd.Series(given["immutable"])]
        never = [name for name in columns if not mask[name].any()]
        given["immutable"] = rng.choice([*forms, mask.drop(columns=never[:1])])
    if "cost" in given:
        costs = pd.DataFrame([[of_row.get(name, 1) for name in columns] for of_row in given["cost"]], columns=columns)
        free = [name for name in columns if (costs[name] == 1).all()]
        forms = [costs, costs[of.names].to_numpy(dtype=float), given["cost"], [c or None for c in given["cost"]]]
        given["cost"] = rng.choice([*forms, costs.drop(columns=free[:1])])
    if "allowed" in given:
        given["allowed"] = [rules or rng.choice((None, {})) for rules in given["allowed"]]
    for name in {"allowed", "target", "max_changes"} & set(given):
        entries = pd.Series(given[name], dtype=object)
        given[name] = rng.choice([given[name], entries, entries.to_numpy()])
    if "max_changes" in given and rng.random() < 0.3:
        given["max_changes"] = [m if m is not None else len(of.names) for m in given["max_changes"]]
    return given


def cells(rng: random.Random, of: SmallTable, each: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The same as columns of a file."""

    def cell(name: str, value: Any) -> Any:
        if value is None or value in ([], {}):
            return rng.choice((None, ""))
        if name == "immutable":
            return rng.choice((",".join(value), json.dumps(value)))
        return json.dumps(value) if isinstance(value, dict) else str(value)

    return {name: [cell(name, asked[name]) for asked in each] for name in each[0]}


def question_of(of: SmallTable, row: reference.Row, asked: dict[str, Any]) -> reference.Question:
    """One row and its keywords, for the reference."""
    place = of.names.index
    may = reference.permits(
        {place(name): one for name, one in asked.get("allowed", {}).items()},
        [place(name) for name in asked.get("immutable", ())],
    )
    cost = [reference.number(asked.get("cost", {}).get(name, 1)) for name in of.names]
    return reference.Question(
        of.domains,
        of.decided.__getitem__,
        row,
        target=asked.get("target"),
        may=may,
        price=lambda j, old, new: cost[j],
        max_changes=asked.get("max_changes"),
    )


def check_rows(of: SmallTable, e: symcf.Explanation, question: reference.Question, asked: Any, where: str) -> None:
    """Every suggested row is decided as wanted, obeys, and costs what it is said to cost."""
    if not len(e):
        return
    frame = e.to_frame()
    may = reference.permits(
        {of.names.index(name): one for name, one in asked.get("allowed", {}).items()},
        [of.names.index(name) for name in asked.get("immutable", ())],
    )
    for cf, new, label in zip(e, of.read(frame), of.model.predict(frame[of.names]).tolist(), strict=True):
        here = f"{where}: {new}"
        wanted = label != question.before if question.target is None else label == question.target
        assert wanted, f"{here} is decided {label!r}"
        assert question.changed(new) == cf.features, f"{here} changes more or less than {cf.features}"
        assert all(may(j, question.row[j], new[j]) for j in cf.features), f"{here} is not allowed"
        assert abs(cf.cost - float(question.cost(new))) < 1e-12, f"{here} costs {question.cost(new)}, not {cf.cost}"


def check(seed: int, tally: Counter[str], rows: int = ROWS) -> None:
    """One table of rows."""
    of, rng = table(seed // 5), random.Random(f"per row questions {seed}")
    names = {"immutable", "allowed", "target", "cost", "max_changes"}
    common = set(rng.sample(sorted(names), rng.choice((0, 0, 1))))
    own = set(rng.sample(sorted(names - common), rng.randint(1, 4)))
    shared = keywords(rng, of, common)
    some = [of.row(rng) for _ in range(rows)]
    each = [keywords(rng, of, own) for _ in some]
    frame = of.frame(some).set_axis(rng.sample(range(100), rows))
    batch = symcf.fast.explain_batch(of.compiled, frame, n_jobs=1, **told(rng, of, each), **shared)
    texts = cells(rng, of, each)
    with_texts = frame.assign(**{f"its {name}": column for name, column in texts.items()})
    in_columns = symcf.fast.explain_batches(
        of.compiled,
        [with_texts],
        keep=[f"its {name}" for name in texts],
        by_row={name: f"its {name}" for name in texts},
        **shared,
    )
    by_column = [found for part in in_columns for found in part.column("sets").to_pylist()]
    for i, (row, its) in enumerate(zip(some, each, strict=True)):
        asked = {**its, **shared}
        where = f"seed {seed}: {of.kind} {of.labels}, {row}, {asked}"
        question = question_of(of, row, asked)
        at_target = of.decided[row] == asked.get("target")
        expected = [] if at_target else question.change_sets()
        form = rng.choice(FORMS)
        single = of.compiled.explain(of.in_form(row, form), **asked)
        for e, what in ((batch[i], "the batch"), (single, f"a {form}")):
            assert list(e.sets) == expected, f"{where}: {what} gives {e.sets}, not {expected}"
            assert bool(e.at_target) == at_target, f"{where}: {what}: at the target?"
            check_rows(of, e, question, asked, f"{where}: {what}")
        assert [tuple(s) for s in by_column[i]] == expected, f"{where}: columns give {by_column[i]}, not {expected}"
        tally.update(["questions", of.kind, *(["at the target"] if at_target else [] if expected else ["none"])])
        tally["change sets"] += len(expected)


if __name__ == "__main__":
    sys.exit(random_runs.tallied(check, "tables of rows", __doc__, 850))
