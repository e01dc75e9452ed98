"""Time-limit overshoot: every engine, on models of every kind, with every option.

    python bench/time_limits.py [--quick] [--only WORD]
                                    ten minutes; prints a table, writes results/time_limits.json

Each call is on a fresh classifier, so that the diagrams and clauses that it needs are built within the limit, or, where
the line says "built", on one whose diagrams are there. The overshoot is the wall time of the call beyond its limit. A
call that is late is asked twice more and the earliest counts: a busy machine makes calls late, and never early.
`latency.py` has Ctrl-C, more calls, and a process for each case.

The goal: 0.1 s.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import common
import latency
import numpy as np

import symcf
import symcf.fast

GOAL = 0.1
LIMITS = (0.05, 0.3, 1.0)
QUICK_LIMITS = (0.3,)
ENGINES = ("cover", "diagram", "boxes", "sat", "sat-portable")

#: Rows of a batch.
ROWS = 500


# --- models -----------------------------------------------------------------------------------------------------------


@cache
def table(n: int, classes: int) -> tuple[Any, Any]:
    from sklearn.datasets import make_classification

    return make_classification(2000, n, n_informative=n - 2, n_classes=classes, random_state=0)


@cache
def forest(trees: int, depth: int | None, n: int = 10, classes: int = 2) -> symcf.Model:
    """Over continuous columns, so that features have dozens of values."""
    from sklearn.ensemble import RandomForestClassifier

    return symcf.from_sklearn(RandomForestClassifier(trees, max_depth=depth, random_state=0).fit(*table(n, classes)))


def ordered(n: int = 48, values: int = 4, classes: int = 2) -> symcf.Model:
    """Many features of a few ordered values, as counts in spam filters are."""
    rng = np.random.default_rng(5)
    tables = [rng.dirichlet(np.ones(values), classes) for _ in range(n)]
    return symcf.NaiveBayes(np.full(classes, 1 / classes), tables, ordered=[True] * n)


MODELS: dict[str, Callable[[], symcf.Compiled]] = {
    "naive Bayes, 45 features": lambda: latency.naive_bayes(45),
    "naive Bayes, 25 features, built": lambda: latency.built(latency.naive_bayes(25)),
    "naive Bayes, 48 features of 4 values": lambda: symcf.compile(ordered()),
    "naive Bayes, 14 features of 4 values, 3 classes": lambda: symcf.compile(ordered(14, classes=3)),
    "forest, 20 trees of depth 4": lambda: symcf.compile(forest(20, 4)),
    "forest, 12 trees of depth 4, built": lambda: built("forest"),
    "forest, 8 trees of depth 4, 3 classes": lambda: symcf.compile(forest(8, 4, classes=3)),
    "forest, 100 full trees": lambda: symcf.compile(forest(100, None, 20)),
    "function of 22 features": latency.function,
}


@cache
def built(name: str) -> symcf.Compiled:
    assert name == "forest"
    return latency.built(symcf.compile(forest(12, 4)))


# --- questions --------------------------------------------------------------------------------------------------------

Ask = Callable[[symcf.Compiled, list[int], dict[str, Any]], object]


@dataclass(frozen=True)
class Case:
    model: str
    engine: str
    question: str
    ask: Ask


def explain(**options: Any) -> Ask:
    return lambda c, x, more: c.explain(codes(c, x), **options, **more)


def codes(c: symcf.Compiled, x: list[int]) -> Any:
    """A row in the form that the model reads."""
    return x if c.model.encoder is None else table(c.n_features, c.n_classes)[0][0]


def stream(c: symcf.Compiled, x: list[int], more: dict[str, Any]) -> object:
    return sum(1 for _ in c.iter_counterfactuals(codes(c, x), **more))


def sample(c: symcf.Compiled, x: list[int], more: dict[str, Any]) -> object:
    return c.sample(codes(c, x), 10_000, 0, time_limit=more["time_limit"])


def batch(**options: Any) -> Ask:
    def ask(c: symcf.Compiled, x: list[int], more: dict[str, Any]) -> object:
        rows = latency.rows(c, ROWS) if c.model.encoder is None else table(c.n_features, c.n_classes)[0][:ROWS]
        return symcf.fast.explain_batch(c, rows, **options, **more)

    return ask


def relation(c: symcf.Compiled, x: list[int], more: dict[str, Any]) -> object:
    first, second = (c.values[j][-1] for j in (0, 1))
    rule = symcf.implies({c.features[0]: [first]}, {c.features[1]: [second]})
    return c.explain(codes(c, x), constraints=[rule], **more)


def nothing(c: symcf.Compiled, x: list[int], more: dict[str, Any]) -> object:
    return c.explain(codes(c, x), immutable=list(c.features), **more)


QUESTIONS: dict[str, Ask] = {
    "all": explain(),
    "k = 100": explain(k=100),
    "relation": relation,
    "nothing may change": nothing,
    "count": lambda c, x, more: c.count(codes(c, x), **more),
    "stream": stream,
    "batch": batch(),
}
BY_VALUE: dict[str, Ask] = {
    "ordinal": explain(cost="ordinal"),
    "ordinal, k = 3": explain(cost="ordinal", k=3),
    "ordinal, k = 3, batch": batch(cost="ordinal", k=3),
}


def cases() -> Iterator[Case]:
    for model, make in MODELS.items():
        c = make()
        questions = {**QUESTIONS, **(BY_VALUE if all(c.ordered) and "function" not in model else {})}
        for engine in ENGINES:
            if engine == "cover" and c.threshold is None and c.decision.beats is None:
                continue
            if engine == "boxes" and "forest" not in model:
                continue
            for question, ask in questions.items():
                if (engine, question) != ("cover", "relation"):
                    yield Case(model, engine, question, ask)
        yield Case(model, "auto", "sample", sample)


# --- measuring --------------------------------------------------------------------------------------------------------


def measure(case: Case, limit: float) -> tuple[float, str]:
    """Seconds beyond the limit, and how the call ended."""
    c = MODELS[case.model]()
    x = latency.far(c)
    start = time.monotonic()
    try:
        result = case.ask(c, x, {"engine": case.engine, "time_limit": limit})
        end, outcome = time.monotonic(), latency.status_of(result)
    except symcf.LimitError as error:
        end, outcome = time.monotonic(), type(error).__name__
    return max(0.0, end - start - limit), outcome


def earliest(case: Case, limit: float) -> tuple[float, str]:
    late, outcome = measure(case, limit)
    for _ in range(2 if late > GOAL / 2 else 0):
        late, outcome = min((late, outcome), measure(case, limit))
    return late, outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one limit instead of three")
    parser.add_argument("--only", default="", help="cases whose line has this word; writes nothing")
    options = parser.parse_args()
    latency.warm_up()
    before, results = os.getloadavg()[0], []
    limits = QUICK_LIMITS if options.quick else LIMITS
    for case in cases():
        if options.only not in f"{case.model} | {case.engine} | {case.question}":
            continue
        for limit in limits:
            late, outcome = earliest(case, limit)
            line = {"model": case.model, "engine": case.engine, "question": case.question, "limit": limit}
            results.append({**line, "late": late, "outcome": outcome})
            where = f"{case.model} | {case.engine} | {case.question}"
            print(f"{late:7.3f} {'LATE' if late > GOAL else '':4} {limit:4} {where}: {outcome}", flush=True)
    worst = max(results, key=lambda line: line["late"])
    print(f"\n{len(results)} calls, the latest by {worst['late']:.3f} s: {worst}")
    if not options.only:
        load = [before, os.getloadavg()[0]]
        common.write("time_limits", {"machine": common.machine(), "load": load, "goal": GOAL, "results": results})


if __name__ == "__main__":
    main()
