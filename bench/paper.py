"""The paper's table with its figures beside ours, and what lies beyond it.

    python bench/paper.py           two minutes; prints three tables, writes results/paper.json; --quick

a  5 to 25 features: diagram, no-cut CNF, all MCSs (change sets) of an instance, by each engine
b  30 to 40 features: all change sets of an instance
c  100 to 10,000 features, without a diagram: the ten cheapest, and all sets of at most two changes

Averages of ten random classifiers a size and 20 random instances each, as Boumazouza et al. (SUM 2020) have 4 to 10
classifiers. Their milliseconds are from their machine, ours are processor time on this one. Random classifiers of one
size differ by an order of magnitude, so averages of ten are rough, theirs like ours.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import fmean
from typing import Any

import common
import numpy as np
from batch import random_rows
from common import Spread

import symcf
from symcf.fast import explain_batch

CLASSIFIERS = common.sized(10, 2)
#: Sizes beyond the paper's have fewer.
LARGER_CLASSIFIERS = common.sized(3, 1)
INSTANCES = common.sized(20, 3)
TURNS = common.sized(3, 1)

#: The paper, by features: OBDD nodes, no-cut clauses, encoding in ms, MCSs an instance, enumeration in ms.
PAPER: dict[int, dict[str, float]] = {
    n: dict(zip(("nodes", "clauses", "encoding_ms", "sets", "enumeration_ms"), figures, strict=True))
    for n, figures in {
        5: (9, 3, 1.4, 3, 1.9),
        10: (42, 64, 32.3, 23, 2.3),
        16: (370, 2_598, 2_725, 101, 17.8),
        20: (1_020, 27_122, 241_806, 305, 1_762),
        22: (2_546, 123_878, 430_471, 272, 9_299),
        25: (8_626, 684_847, 327_888_500, 364, 109_149),
    }.items()
}


def seconds(work: Callable[[], object]) -> float:
    """Processor time, once."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def mean(parts: list[dict[str, float]]) -> dict[str, float]:
    return {key: fmean(part[key] for part in parts) for key in parts[0]}


# --- a: the table -----------------------------------------------------------------------------------------------------


def table(sizes: list[int], classifiers: int) -> list[dict[str, Any]]:
    results = []
    for n in sizes:
        parts = [
            one_classifier(model, random_rows(INSTANCES, n, seed=i))
            for i, model in enumerate(common.random_classifiers(n, classifiers))
        ]
        ours = mean(parts)
        factors = {"encoding": PAPER[n]["encoding_ms"] / ours["encoding_ms"]}
        factors |= {
            engine: PAPER[n]["enumeration_ms"] / ours[f"{engine}_ms"] for engine in ENGINES if f"{engine}_ms" in ours
        }
        results.append({"n": n, "paper": PAPER[n], "ours": ours, "factors": factors,
                        "clauses": Spread.of(part["clauses"] for part in parts)})  # fmt: skip
    print(f"\na. the paper's table: averages; ours of {classifiers} classifiers a size, {INSTANCES} instances each")
    print_paper(results)
    return results


#: What is timed: cover and diagram on a table of different rows, the instances as objects from one explain() each, and
#: sat on the instances, with loading Σ spread over them.
ENGINES = ("cover", "diagram", "explain()", "sat")
TABLE = common.sized(2_000, 50)


def one_classifier(model: symcf.NaiveBayes, rows: np.ndarray) -> dict[str, float]:
    compiled = symcf.compile(model)
    cnf = compiled.cnf()
    batch = explain_batch(compiled, rows)
    many = np.unique(random_rows(TABLE, compiled.n_features), axis=0)
    works: dict[str, Callable[[], object]] = {
        "compile": lambda: symcf.compile(model).diagram,
        "cnf": compiled.cnf,
        "cover": lambda: explain_batch(compiled, many, engine="cover"),
        "diagram": lambda: explain_batch(compiled, many, engine="diagram"),
        "explain()": lambda: [compiled.explain(row).sets for row in rows],
    }
    timings = {way: timing.median for way, timing in common.in_turns(works, TURNS).items()}
    counts = {"cover": len(many), "diagram": len(many)}
    timings["sat"] = seconds(lambda: check_sat(model, rows, batch))
    return {
        "nodes": compiled.diagram.size,
        "clauses": cnf.n_clauses,
        "compile_ms": 1e3 * timings["compile"],
        "cnf_ms": 1e3 * timings["cnf"],
        "encoding_ms": 1e3 * (timings["compile"] + timings["cnf"]),
        "sets": batch.n_sets / len(rows),
        **{
            f"{engine}_ms": 1e3 * timings[engine] / counts.get(engine, len(rows))
            for engine in ENGINES
            if engine in timings
        },
    }


def check_sat(model: symcf.NaiveBayes, rows: np.ndarray, batch: symcf.fast.BatchExplanation) -> None:
    """A classifier of its own, so that nothing has been loaded before."""
    compiled = symcf.compile(model)
    if explain_batch(compiled, rows, engine="sat") != batch:
        raise SystemExit("engine sat finds other sets")


def print_paper(results: list[dict[str, Any]]) -> None:
    def row(name: str, ours: str, theirs: str, factor: str | None, digits: str = ",.0f") -> list[list[str]]:
        lines = [[name, *(f"{r['ours'].get(ours, float('nan')):{digits}}" for r in results)]]
        lines.append(["  in the paper", *(f"{r['paper'][theirs]:,}" for r in results)])
        if factor:
            lines.append(["  times faster", *(f"{r['factors'].get(factor, float('nan')):,.0f}" for r in results)])
        return lines

    rows = [
        *row("OBDD nodes", "nodes", "nodes", None),
        *row("no-cut clauses", "clauses", "clauses", None),
        *row("encoding, ms", "encoding_ms", "encoding_ms", "encoding", ".3f"),
        *row("MCSs an instance", "sets", "sets", None),
    ]
    for engine in ENGINES:
        if f"{engine}_ms" in results[0]["ours"]:
            rows += row(f"enumeration, {engine}, ms", f"{engine}_ms", "enumeration_ms", engine, ".4f")
        else:
            print(f"engine {engine} is not there yet")
    common.print_table(("features", *(str(r["n"]) for r in results)), rows)


# --- b: larger diagrams -----------------------------------------------------------------------------------------------


def larger(sizes: list[int], classifiers: int) -> list[dict[str, Any]]:
    results = []
    for n in sizes:
        parts = [
            larger_classifier(model, random_rows(INSTANCES, n, seed=i))
            for i, model in enumerate(common.random_classifiers(n, classifiers))
        ]
        results.append({"n": n, **mean(parts)})
    print(f"\nb. larger diagrams: averages of {classifiers} classifiers, {INSTANCES} instances each")
    common.print_table(
        ("features", "OBDD nodes", "compile ms", "MCSs an instance", "cover ms", "diagram ms"),
        [
            (r["n"], f"{r['nodes']:,.0f}", f"{r['compile_ms']:,.0f}", f"{r['sets']:,.0f}", f"{r['cover_ms']:.3f}",
             f"{r['diagram_ms']:.2f}")
            for r in results
        ],
    )  # fmt: skip
    return results


def larger_classifier(model: symcf.NaiveBayes, rows: np.ndarray) -> dict[str, Any]:
    compiled = symcf.compile(model)
    compile_seconds = seconds(lambda: compiled.diagram)
    cover = seconds(lambda: explain_batch(compiled, rows, sort=False))
    minimal = seconds(lambda: [compiled.count(row, engine="diagram") for row in rows])
    counts = [compiled.count(row) for row in rows]
    if sum(counts) != explain_batch(compiled, rows, sort=False).n_sets:
        raise SystemExit("there are not as many sets as counted")
    return {
        "nodes": compiled.diagram.size,
        "compile_ms": 1e3 * compile_seconds,
        "sets": fmean(counts),
        "cover_ms": 1e3 * cover / len(rows),
        "diagram_ms": 1e3 * minimal / len(rows),
    }


# --- c: no diagram ----------------------------------------------------------------------------------------------------

CHEAPEST = 10
MOST_CHANGES = 2
#: Of this many random rows those nearest to the decision: for others two changes are not enough.
DRAWN = common.sized(500, 20)
WIDE_CLASSIFIERS = common.sized(3, 1)


def wide(sizes: list[int], classifiers: int) -> list[dict[str, Any]]:
    results = []
    for n in sizes:
        parts = [wide_classifier(model, i) for i, model in enumerate(common.random_classifiers(n, classifiers))]
        results.append({"n": n, **mean(parts)})
    print(f"\nc. no diagram: averages of {classifiers} classifiers, {INSTANCES} instances each")
    common.print_table(
        ("features", f"{CHEAPEST} cheapest, ms", "changes each", f"all of <= {MOST_CHANGES} changes, ms", "sets"),
        [
            (f"{r['n']:,}", f"{r['cheapest_ms']:.3f}", f"{r['changes']:.1f}", f"{r['few_changes_ms']:.3f}",
             f"{r['few_changes_sets']:,.1f}")
            for r in results
        ],
    )  # fmt: skip
    return results


def wide_classifier(model: symcf.NaiveBayes, seed: int) -> dict[str, float]:
    compiled = symcf.compile(model)
    drawn = random_rows(DRAWN, compiled.n_features, seed=seed)
    rows = drawn[:INSTANCES]
    near = drawn[np.argsort(np.abs(compiled.decision_function(drawn)), kind="stable")[:INSTANCES]]
    best = explain_batch(compiled, rows, k=CHEAPEST)
    few = explain_batch(compiled, near, max_changes=MOST_CHANGES, sort=False)
    works: dict[str, Callable[[], object]] = {
        "cheapest": lambda: explain_batch(compiled, rows, k=CHEAPEST),
        "few": lambda: explain_batch(compiled, near, max_changes=MOST_CHANGES, sort=False),
    }
    timings = common.in_turns(works, TURNS)
    return {
        "cheapest_ms": 1e3 * timings["cheapest"].median / len(rows),
        "changes": len(best.features) / max(1, best.n_sets),
        "few_changes_ms": 1e3 * timings["few"].median / len(near),
        "few_changes_sets": few.n_sets / len(near),
    }


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    common.parser(__doc__).parse_args()
    print(f"processor time; load {os.getloadavg()[0]:.1f}")
    results = {
        "machine": common.machine(),
        "load": os.getloadavg()[0],
        "classifiers": CLASSIFIERS,
        "instances": INSTANCES,
        "table": table([n for n in PAPER if n <= common.sized(25, 16)], CLASSIFIERS),
        "larger": larger(common.sized([30, 35, 40], [30]), LARGER_CLASSIFIERS),
        "wide": wide(common.sized([100, 1_000, 10_000], [100]), WIDE_CLASSIFIERS),
    }
    common.write("paper", results)


if __name__ == "__main__":
    main()
