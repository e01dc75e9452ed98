"""The engine `boxes` on boosted trees and forests: all change sets of up to 1, 2, 3 changes, the cheapest one, all sets
of any size, with the share of rows that finish, and of six rows the nearest moves of up to 2 changes.

    python bench/ensembles.py [--rows 12] [--complete 10] [--limit 10] [--only NAME]
                                    three minutes; prints tables, writes results/ensembles.json; --quick

Milliseconds of a row are those of the engine; reading the row and writing the answer out are left out. All figures, and
the limit of a row, are processor time of the thread, so that others on the machine hardly count; of all sets of any
size the time on the clock is given, too. Needs xgboost.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import common
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification
from sklearn.ensemble import RandomForestClassifier

import symcf
from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.question.case import Case
from symcf.question.question import Question
from symcf.search.plan import plan
from symcf.search.protocol import Options

#: Wall-clock seconds between two looks at the CPU time of a search.
SLICE = 1.0

#: Rows whose moves are asked for.
MOVED = common.sized(4, 1)


def models() -> Iterator[tuple[str, Any, Any, bool]]:
    """Name, fitted estimator, its table, and whether all sizes are asked for."""
    from xgboost import XGBClassifier

    def boosted(trees: int, depth: int) -> Any:
        return XGBClassifier(n_estimators=trees, max_depth=depth, random_state=0)

    x, y = load_breast_cancer(return_X_y=True)
    yield "breast_cancer, XGBoost 100 × 6", boosted(common.sized(100, 10), 6).fit(x, y), x, True
    if common.QUICK:
        return
    yield "breast_cancer, RandomForest 100", RandomForestClassifier(100, random_state=0).fit(x, y), x, False
    x, y = load_wine(return_X_y=True)
    yield "wine, XGBoost 100 × 6", boosted(100, 6).fit(x, y), x, True
    x, y = load_digits(return_X_y=True)
    pair = (y == 3) | (y == 8)
    yield "digits 3 and 8, XGBoost 100 × 6", boosted(100, 6).fit(x[pair], y[pair] == 8), x[pair], True
    x, y = make_classification(20_000, 20, n_informative=10, random_state=0)
    for trees, depth in ((100, 6), (100, 3)):
        yield f"20 columns, XGBoost {trees} × {depth}", boosted(trees, depth).fit(x, y), x, True
    yield "20 columns, XGBoost 500 × 6", boosted(500, 6).fit(x, y), x, False
    yield "20 columns, RandomForest 100", RandomForestClassifier(100, random_state=0).fit(x, y), x, False


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU milliseconds, and the result."""
    started = time.thread_time()
    result = work()
    return 1e3 * (time.thread_time() - started), result


def complete(search: _core.TreeSearch, limit: float) -> tuple[float, float, int, bool]:
    """All sets: CPU seconds, wall-clock seconds, how many there are, and whether these are all."""
    started, clock, sets, status = time.thread_time(), time.perf_counter(), 0, "time"
    while status == "time" and (left := limit - (time.thread_time() - started)) > 0:
        found, status = search.next(1 << 40, min(left, SLICE))
        sets += len(found)
    return time.thread_time() - started, time.perf_counter() - clock, sets, status == "complete"


def spread(figures: list[float]) -> dict[str, float]:
    """A figure of several rows."""
    return {"median": float(np.median(figures)), "least": min(figures), "most": max(figures)}


def measure(compiled: symcf.Compiled, rows: Any, n_complete: int, limit: float) -> dict[str, Any]:
    """What the rows of one model take."""
    question = Question.checked(compiled)
    engine = plan(question, Options("boxes")).search()
    queries = [Case(question, compiled.codes(row[None, :]).astype(np.uint32)).query for row in rows]
    found: dict[str, Any] = {"leaves": compiled.decision.ensemble.n_leaves}  # type: ignore[attr-defined]
    for most in (1, 2, 3):
        figures, counts = [], []
        for query in queries:
            limited = type(query)(**{**vars(query), "max_changes": most})
            figure, answers = timed(lambda q=limited: list(engine.steps(q, None, NO_LIMIT)))  # type: ignore[misc]
            figures.append(figure)
            counts.append(float(sum(len(answer.sets) for answer in answers)))
        found[f"up_to_{most}"] = {"ms": spread(figures), "sets": spread(counts)}
    best = [timed(lambda q=query: engine.best(q, 1, Clock(limit))) for query in queries]  # type: ignore[misc]
    sizes = [(figure, len(answer.sets[0]) if len(answer.sets) else None) for figure, answer in best]
    found["cheapest"] = {
        "three_or_fewer": spread([f for f, size in sizes if size is not None and size <= 3] or [0.0]),
        "more": spread([f for f, size in sizes if size is not None and size > 3] or [0.0]),
        "not_found": sum(size is None for _, size in sizes),
    }
    moves = []
    for row in rows[:MOVED]:
        figure, e = timed(lambda r=row: compiled.explain(r, minimality="moves", max_changes=2, time_limit=limit))  # type: ignore[misc]
        moves.append((figure, e.count, e.complete))
    found["moves_up_to_2"] = {
        "ms": spread([figure for figure, *_ in moves]),
        "found": spread([float(count) for _, count, _ in moves]),
        "rows": len(moves),
        "finished": sum(done for *_, done in moves),
    }
    if n_complete:
        ends = [complete(engine.search(query), limit) for query in queries[:n_complete]]
        found["all"] = {
            "seconds": spread([end[0] for end in ends]),
            "on_the_clock": spread([end[1] for end in ends]),
            "sets": spread([float(end[2]) for end in ends]),
            "rows": len(ends),
            "finished": sum(end[3] for end in ends),
        }
    return found


def main() -> None:
    """Measures, prints and writes bench/results/ensembles.json."""
    parser = common.parser(__doc__)
    parser.add_argument("--rows", type=int, default=common.sized(12, 2))
    parser.add_argument("--complete", type=int, default=common.sized(10, 1))
    parser.add_argument("--limit", type=float, default=common.sized(10.0, 2.0))
    parser.add_argument("--only", help="measure the models with this in their name; what is known of the others stays")
    given = parser.parse_args()
    known = common.RESULTS / "ensembles.json"
    results: dict[str, Any] = json.loads(known.read_text(encoding="utf-8"))["models"] if given.only else {}
    for name, estimator, table, whole in models():
        if given.only and given.only not in name:
            continue
        load = os.getloadavg()[0]
        compiled = symcf.compile(symcf.from_model(estimator))
        rows = table[:: max(1, len(table) // given.rows)][: given.rows]
        results[name] = measure(compiled, rows, given.complete if whole else 0, given.limit) | {"load": load}
        print(name, {key: value for key, value in results[name].items() if key != "leaves"}, flush=True)
    common.write(
        "ensembles",
        {
            "machine": common.machine(),
            "load": os.getloadavg()[0],
            "clock": "processor time",
            "limit": given.limit,
            "models": results,
        },
    )
    head = ("model", "leaves", "≤ 1, ms", "≤ 2, ms", "≤ 3, ms", "cheapest, ms", "moves ≤ 2, ms", "all, s", "finished")
    common.print_table(
        head,
        [
            (
                name,
                found["leaves"],
                *(f"{found[f'up_to_{most}']['ms']['median']:.2f}" for most in (1, 2, 3)),
                f"{found['cheapest']['three_or_fewer']['median']:.2f}",
                f"{found['moves_up_to_2']['ms']['median']:.0f}",
                f"{found['all']['seconds']['median']:.2f}" if "all" in found else "",
                f"{found['all']['finished']}/{found['all']['rows']}" if "all" in found else "",
            )
            for name, found in results.items()
        ],
    )


if __name__ == "__main__":
    main()
