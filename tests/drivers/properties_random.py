"""What holds for all rows, against trying all rows: ``python tests/drivers/properties_random.py --count 2000``.

Models of every kind under awkward names, and questions with every option, are those of `tests/torture`.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from itertools import product
from typing import Any

import random_runs

# isort: split
import numpy as np
from torture import models, plans, questions, run
from torture.models import Model, Row

OPTIONS = ("target", "immutable", "allowed", "max_changes", "constraints")


# --- the slow and obvious way -----------------------------------------------------------------------------------------


def differing(model: Model, row: Row, features: list[int]) -> list[Row]:
    """The rows that differ from this one in these features only, itself included."""
    return list(product(*(range(d) if j in features else (row[j],) for j, d in enumerate(model.n_values))))


def depends(model: Model, j: int) -> bool:
    return any(model.table[row] != model.table[other] for row in model.table for other in differing(model, row, [j]))


def is_increasing(model: Model, j: int, k: int) -> bool:
    """Is no row of class k followed by one that is not, with a larger value?"""
    return not any(
        model.table[row] == k and model.table[other] != k and other[j] > row[j]
        for row in model.table
        for other in differing(model, row, [j])
    )


def is_decreasing(model: Model, j: int, k: int) -> bool:
    return not any(
        model.table[row] != k and model.table[other] == k and other[j] > row[j]
        for row in model.table
        for other in differing(model, row, [j])
    )


def biased(model: Model, protected: list[int]) -> set[Row]:
    return {
        row
        for row in model.table
        if any(model.table[other] != model.table[row] for other in differing(model, row, protected))
    }


def choices(model: Model, question: dict[str, Any], row: Row) -> list[set[int]]:
    """By feature, the other values that a row may take."""
    found = []
    for j, d in enumerate(model.n_values):
        what = question.get("allowed", {}).get(j, range(d))
        codes = range(row[j] + 1, d) if what == "increase" else range(row[j]) if what == "decrease" else what
        found.append(set() if j in question.get("immutable", ()) else {v for v in codes if v != row[j]})
    return found


def wanted(model: Model, question: dict[str, Any], row: Row, other: Row) -> bool:
    after, target = model.table[other], question.get("target")
    reached = after != model.table[row] if target is None else after == target
    return reached and all(questions.holds(c, other) for c in question.get("constraints", ()))


def fewest(model: Model, question: dict[str, Any], row: Row) -> float:
    """The fewest changes that lead to the goal."""
    if question.get("target") == model.table[row]:
        return 0
    may = choices(model, question, row)
    best = math.inf
    for other in model.table:
        changed = [j for j in range(model.n) if other[j] != row[j]]
        if len(changed) < best and all(other[j] in may[j] for j in changed) and wanted(model, question, row, other):
            best = len(changed)
    return best if best <= question.get("max_changes", model.n) else math.inf


def responsive(model: Model, question: dict[str, Any], row: Row, j: int) -> tuple[int, int, int]:
    """How many new values a feature may take, lead to the goal alone, and alone or with other changes."""
    may, most = choices(model, question, row), question.get("max_changes", model.n)
    alone = together = 0
    for v in may[j]:
        sizes = []
        for other in model.table:
            changed = [i for i in range(model.n) if other[i] != row[i]]
            if other[j] == v and all(other[i] in may[i] for i in changed) and wanted(model, question, row, other):
                sizes.append(len(changed))
        alone += any(size == 1 for size in sizes) and most >= 1
        together += any(size <= most for size in sizes)
    return len(may[j]), alone, together


# --- asked ------------------------------------------------------------------------------------------------------------


class Wrong(AssertionError):
    """An answer differs."""


def check(what: str, found: Any, right: Any) -> int:
    if found != right:
        raise Wrong(f"{what}: found {found!r}, right is {right!r}")
    return 1


def given(model: Model, row: Row) -> list[Any]:
    """A row as users give it."""
    return list(row) if model.raw is None else [model.raw[j][v] for j, v in enumerate(row)]


def codes_of(c: Any, row: Any) -> Row:
    return tuple(c.codes([row])[0].tolist())


def check_pair(c: Any, model: Model, pair: Any, features: list[int]) -> int:
    """Do two rows differ in these features only, and are they decided as said?"""
    row, other = codes_of(c, pair.row), codes_of(c, pair.other)
    done = check("pair differs in", {j for j in range(model.n) if row[j] != other[j]} - set(features), set())
    labels = model.class_labels
    done += check("decided", (pair.decided, pair.other_decided), (labels[model.table[row]], labels[model.table[other]]))
    return done + check("differently", pair.decided == pair.other_decided, False)


def check_dependence(c: Any, model: Model, rng: random.Random) -> int:
    j = rng.randrange(model.n)
    feature = rng.choice((j, model.feature_names[j]))
    found = c.depends_on(feature)
    done = check(f"depends_on({feature!r})", bool(found), depends(model, j))
    return done + (check_pair(c, model, found.pair, [j]) if found else 0)


def check_monotonicity(c: Any, model: Model, rng: random.Random) -> int:
    ordered = [j for j in range(model.n) if c.ordered[j]]
    if not ordered:
        return 0
    j, k = rng.choice(ordered), rng.randrange(model.n_classes)
    asked = rng.choice((None, "increasing", "decreasing"))
    found = c.is_monotone(j, asked, of=model.class_labels[k])
    up, down = is_increasing(model, j, k), is_decreasing(model, j, k)
    done = check(f"is_monotone({j}, of {k})", (found.increasing, found.decreasing), (up, down))
    done += check("monotone", bool(found), {None: up or down, "increasing": up, "decreasing": down}[asked])
    label = model.class_labels[k]
    for pair, before in ((found.not_increasing, True), (found.not_decreasing, False)):
        if pair is not None:
            done += check_pair(c, model, pair, [j])
            done += check("rises", codes_of(c, pair.row)[j] < codes_of(c, pair.other)[j], True)
            done += check("class", ((pair.decided == label), (pair.other_decided == label)), (before, not before))
    return done


def check_bias(c: Any, model: Model, rng: random.Random) -> int:
    protected = sorted(rng.sample(range(model.n), rng.randint(1, model.n)))
    right = biased(model, protected)
    rows = [rng.choice(list(model.table)) for _ in range(rng.choice((0, 1, 7)))]
    data = [given(model, row) for row in rows] if rng.random() < 0.8 else None
    found = c.bias(protected, data)
    done = check(f"bias({protected})", (found.possible, found.total), (len(right), len(model.table)))
    if data is not None:
        done += check("in data", found.rows.tolist(), [i for i, row in enumerate(rows) if row in right])
    done += check("has pairs", bool(found.pairs), bool(right))
    return done + sum(check_pair(c, model, pair, protected) for pair in found.pairs)


def question_of(model: Model, rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A question as data, and its keywords."""
    asked = questions.draw(rng, model, OPTIONS)
    keywords = questions.keywords(model, asked)
    return asked, eval(f"dict({keywords.lstrip(', ')})", {"np": np})


def tally(model: Model, asked: dict[str, Any], rows: list[Row]) -> tuple[dict[int, int], int]:
    counts = Counter(fewest(model, asked, row) for row in rows)
    never = counts.pop(math.inf, 0)
    return dict(sorted(counts.items())), never


def check_robustness(c: Any, model: Model, rng: random.Random) -> int:
    asked, keywords = question_of(model, rng)
    bounded = asked.get("max_changes", model.n) < model.n
    found = c.robustness_distribution(**keywords)
    counts, never = tally(model, asked, list(model.table))
    done = check(f"distribution {keywords}", found.counts, counts)
    done += check("never", (found.never, found.undecided), (0, never) if bounded else (never, 0))
    done += check("total", sum(found.counts.values()) + found.never + found.undecided, len(model.table))
    some = [r for r in counts if r > 0]
    for row, right in ((found.least_robust, min), (found.most_robust, max)):
        changes = None if row is None else fewest(model, asked, codes_of(c, row))
        done += check("robust row", changes, right(some) if some else None)
    rows = [rng.choice(list(model.table)) for _ in range(rng.choice((0, 1, 9)))]
    of_rows = c.robustness_distribution([given(model, row) for row in rows], **keywords)
    right = [fewest(model, asked, row) for row in rows]
    missing = -2 if bounded else -1
    done += check("changes", of_rows.changes.tolist(), [missing if r == math.inf else r for r in right])
    return done + check_one(c, model, asked, keywords, bounded)


def check_one(c: Any, model: Model, asked: dict[str, Any], keywords: dict[str, Any], bounded: bool) -> int:
    """The robustness of one row, which does not have the target."""
    right = fewest(model, asked, asked["x"])
    found = c.robustness(given(model, asked["x"]), **keywords)
    done = check("robustness", found.changes, None if right == math.inf else right)
    done += check("exact", found.exact, right < math.inf or not bounded)
    least = right if right < math.inf else asked["max_changes"] + 1 if bounded else model.n + 1
    done += check("at least", found.at_least, least)
    return done + check("counterfactual", found.counterfactual is None, right == math.inf)


def check_audit(c: Any, model: Model, rng: random.Random) -> int:
    asked, keywords = question_of(model, rng)
    rows = [rng.choice(list(model.table)) for _ in range(rng.choice((0, 1, 12)))]
    labels = [rng.choice(("a", "b")) for _ in rows]
    protected = sorted(rng.sample(range(model.n), rng.randint(0, model.n)))
    found = sys.modules["symcf"].audit(
        c,
        [given(model, row) for row in rows],
        groups=labels,
        protected=protected,
        n_jobs=rng.choice((1, 2)),
        **keywords,
    )
    right = [fewest(model, asked, row) for row in rows]
    done = check("locked out", found.locked_out.tolist(), [i for i, r in enumerate(right) if r == math.inf])
    unfair = biased(model, protected)
    done += check("biased", found.biased.tolist(), [i for i, row in enumerate(rows) if row in unfair])
    if protected:
        done += check("possible", (found.bias.possible, found.bias.total), (len(unfair), len(model.table)))
    for label in set(labels):
        here = [i for i, other in enumerate(labels) if other == label]
        asking = [i for i in here if asked.get("target") != model.table[rows[i]]]
        group = found.groups[label]
        counts = Counter(right[i] for i in asking if right[i] < math.inf)
        done += check("changes", group.changes, dict(sorted(counts.items())))
        done += check("rows", (group.rows, group.at_target), (len(here), len(here) - len(asking)))
        for j in range(model.n):
            wanted_counts = [responsive(model, asked, rows[i], j) for i in asking]
            sums = [sum(part) for part in zip(*wanted_counts, strict=True)] or [0, 0, 0]
            done += check(f"responsive {j}", group.responsive[j].tolist(), sums)
    return done + check("verified", found.verify(), len(found.locked_out))


CHECKS = (check_dependence, check_monotonicity, check_bias, check_robustness, check_audit)


def round_of(seed: int, count: int, checks: Any = CHECKS) -> tuple[int, list[str]]:
    """Asks about `count` models; how many answers were compared, and what was wrong."""
    done, failures = 0, []
    with run.directory() as here:
        names = plans.namespace(here)
        for number in range(count):
            rng = random.Random(f"properties {seed} {number}")
            model = models.draw(rng)
            known = dict(names)
            exec(f"{model.write(model)}\nc = symcf.compile(model)", known)
            for one in checks:
                try:
                    done += one(known["c"], model, rng)
                except Exception as error:
                    failures.append(f"seed {seed}, number {number}, {one.__name__}: {type(error).__name__}: {error}")
    return done, failures


if __name__ == "__main__":
    sys.exit(random_runs.rounds(round_of, "models", "answers compared", __doc__, 2000))
