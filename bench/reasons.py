"""Sufficient reasons beside change sets: how many there are, how long they take, and Shapley values.

    python bench/reasons.py                  four minutes; prints four tables, writes results/reasons.json
    python bench/reasons.py --quick          fewer classifiers; writes nothing
    python bench/reasons.py --data DIR       where the real classifiers are, by default ../shared/data/nbc

a  random classifiers of 5 to 30 features: how many change sets, sufficient reasons (PI-explanations) and
   MC-explanations an instance has. Boumazouza et al. (SUM 2020) ask how the first compare with the other two, which
   are those of Shih, Choi and Darwiche (IJCAI 2018).
b  eight real naive Bayes classifiers (Marques-Silva et al., NeurIPS 2020): the same numbers, and time a row. Where both
   lists are short, each is compared with the minimal hitting sets of the other.
c  tables: nanoseconds a reason and a change set, in turns, at 25 features
d  Shapley values: milliseconds a row at 25 features
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import time
from pathlib import Path
from typing import Any

import common
import numpy as np
from batch import random_rows

import symcf
import symcf.fast
from symcf.proof.verification.completeness import TooMany, hitting_sets

SIZES = (5, 10, 15, 20, 25, 30)
CLASSIFIERS, INSTANCES = 10, 50
#: Rows of each real classifier, the seconds that counting may take, and the sets of a row up to which lists are made.
ROWS, SECONDS, LISTED = 100, 2.0, 10**6
#: Sets of both lists up to which they are dualised, the slow and obvious way.
DUAL = 1000
TURNS = 5
BOTH = ("changes", "reasons")


def spread(numbers: list[int]) -> dict[str, float]:
    """Counts vary by orders of magnitude: the middle half, the mean and the extremes."""
    quarters = statistics.quantiles(numbers, n=4) if len(numbers) > 1 else [numbers[0]] * 3
    return {
        "least": min(numbers),
        "quarter": quarters[0],
        "median": statistics.median(numbers),
        "three_quarters": quarters[2],
        "most": max(numbers),
        "mean": statistics.fmean(numbers),
    }


# --- a: random classifiers --------------------------------------------------------------------------------------------


def counts_by_size(n: int, classifiers: int, instances: int) -> dict[str, Any]:
    numbers: dict[str, list[int]] = {"changes": [], "reasons": [], "mc": []}
    sizes: dict[str, list[int]] = {"changes": [], "reasons": [], "mc": []}
    for i, model in enumerate(common.random_classifiers(n, classifiers)):
        c = symcf.compile(model)
        for x in random_rows(instances, n, seed=i):
            numbers["changes"].append(c.count(x))
            numbers["reasons"].append(c.count_why(x))
            found = c.mc_explanations(x, max_results=1)
            numbers["mc"].append(found.count)
            sizes["mc"].append(found.size)
            sizes["changes"].append(min((len(s) for s in c.explain(x, k=1).sets), default=0))
            sizes["reasons"].append(len(c.why(x, k=1).sets[0]))
    return {
        "features": n,
        "instances": len(numbers["mc"]),
        "count": {name: spread(of) for name, of in numbers.items()},
        "smallest": {name: statistics.fmean(of) for name, of in sizes.items()},
    }


# --- b: real classifiers ----------------------------------------------------------------------------------------------


def rows_of(path: Path) -> np.ndarray:
    with gzip.open(path, "rt") as file:
        lines = [line.split(",") for line in file.read().split()]
    start = 0 if lines[0][0].lstrip("-").isdigit() else 1
    return np.array([[int(cell) for cell in line] for line in lines[start:]])[:, :-1]


def real(name: str, directory: Path, most_rows: int) -> dict[str, Any]:
    c = symcf.compile(symcf.NaiveBayes.from_cnbc(directory / f"{name}.cnbc.txt"))
    rows = np.unique(rows_of(directory / f"{name}.instances.csv.gz"), axis=0)
    rows = np.random.default_rng(0).permutation(rows)[:most_rows]
    numbers: dict[str, list[int]] = {"changes": [], "reasons": []}
    seconds: dict[str, list[float]] = {"changes": [], "reasons": []}
    mc, dual, uncounted = [], 0, {"changes": 0, "reasons": 0}
    binary = all(len(labels) == 2 for labels in c.values)
    for x in rows:
        for what, count, ask in (("changes", c.count, c.explain), ("reasons", c.count_why, c.why)):
            try:
                numbers[what].append(count(x, time_limit=SECONDS))
            except symcf.LimitError:
                uncounted[what] += 1
                continue
            if numbers[what][-1] <= LISTED:
                start = time.thread_time()
                found = ask(x)
                seconds[what].append(time.thread_time() - start)
                if len(found.sets) != numbers[what][-1]:
                    raise SystemExit(f"{name}: {len(found.sets)} listed, {numbers[what][-1]} counted")
        if max(uncounted.values()) == len(rows) // 4:  # more than anyone can count in time
            break
        if binary:
            mc.append(c.mc_explanations(x, max_results=1).count)
        if not any(uncounted.values()):
            dual += is_dual(c, x, numbers["changes"][-1], numbers["reasons"][-1])
    return {
        "name": name,
        "features": len(c.features),
        "rows": len(rows),
        "uncounted": uncounted,
        "count": {what: spread(of) if of else None for what, of in numbers.items()}
        | ({"mc": spread(mc)} if mc else {}),
        "listed": {what: len(of) for what, of in seconds.items()},
        "ms_a_row": {what: 1e3 * statistics.fmean(of) if of else None for what, of in seconds.items()},
        "dual": dual,
    }


def is_dual(c: symcf.Compiled, x: np.ndarray, changes: int, reasons: int) -> bool:
    """Compares the two lists, each with the hitting sets of the other; False if they are too long for that."""
    if max(changes, reasons) > DUAL:
        return False
    e, r = (set(map(frozenset, found.sets)) for found in (c.explain(x), c.why(x)))
    try:
        if set(hitting_sets(map(tuple, e), 50 * DUAL)) != r or set(hitting_sets(map(tuple, r), 50 * DUAL)) != e:
            raise SystemExit("change sets and reasons are not each other's hitting sets")
    except TooMany:
        return False
    return True


# --- c and d: speed ---------------------------------------------------------------------------------------------------


def batch_speed(model: symcf.NaiveBayes, n: int, m: int) -> dict[str, Any]:
    c = symcf.compile(model)
    rows = random_rows(m, n, seed=1)
    calls = {
        "reasons": lambda: symcf.fast.why_batch(c, rows, sort=False),
        "changes": lambda: symcf.fast.explain_batch(c, rows, sort=False),
        "reasons, sorted": lambda: symcf.fast.why_batch(c, rows),
        "changes, sorted": lambda: symcf.fast.explain_batch(c, rows),
    }
    sets = {name: call().n_sets for name, call in calls.items()}
    timings = common.in_turns(calls, TURNS)
    return {"sets": sets, "ns_a_set": {name: 1e9 * t.spread.median / sets[name] for name, t in timings.items()},
            "least_ns_a_set": {name: 1e9 * t.spread.least / sets[name] for name, t in timings.items()}}  # fmt: skip


def shapley_speed(model: symcf.NaiveBayes, n: int, m: int) -> dict[str, Any]:
    c = symcf.compile(model)
    rows = random_rows(m, n, seed=2)
    nodes = c.diagram.size
    timings = common.in_turns({"shapley": lambda: symcf.fast.attribute_batch(c, rows, "shapley")}, TURNS)
    return {"nodes": nodes, "ms_a_row": 1e3 * timings["shapley"].median / m}


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer classifiers; writes nothing")
    parser.add_argument("--data", type=Path, default=common.ROOT.parent / "shared" / "data" / "nbc")
    options = parser.parse_args()
    quick = options.quick
    load = os.getloadavg()[0]
    by_size = [
        counts_by_size(n, 2 if quick else CLASSIFIERS, 10 if quick else INSTANCES) for n in SIZES[: 4 if quick else 6]
    ]
    print("a  an instance of a random classifier has so many (medians, means in brackets)")
    common.print_table(
        ("features", "change sets", "reasons", "MC-explanations"),
        [(s["features"], *(f"{of['median']:,.0f} ({of['mean']:,.0f})" for of in s["count"].values())) for s in by_size],
    )
    names = sorted(path.name.split(".")[0] for path in options.data.glob("*.cnbc.txt"))
    real_ones = [real(name, options.data, 10 if quick else ROWS) for name in names]
    if real_ones:
        print("\nb  real classifiers: medians; ms a row for complete lists; rows whose lists were dualised")
        common.print_table(
            ("", "features", "change sets", "reasons", "ms, changes", "ms, reasons", "dual"),
            [
                (
                    r["name"],
                    r["features"],
                    *("more" if r["count"][w] is None else f"{r['count'][w]['median']:,.0f}" for w in BOTH),
                    *("-" if r["ms_a_row"][w] is None else f"{r['ms_a_row'][w]:,.2f}" for w in BOTH),
                    f"{r['dual']} of {r['rows']}",
                )
                for r in real_ones
            ],
        )
    models = list(common.random_classifiers(25, 2 if quick else 6, seed=3))
    batches = [batch_speed(model, 25, 500 if quick else 5000) for model in models]
    print("\nc  nanoseconds a set at 25 features, medians of the classifiers")
    common.print_table(
        ("", "ns a set", "least"),
        [(w, f"{statistics.median(b['ns_a_set'][w] for b in batches):.1f}",
          f"{min(b['least_ns_a_set'][w] for b in batches):.1f}") for w in batches[0]["ns_a_set"]],
    )  # fmt: skip
    shapley = [shapley_speed(model, 25, 20) for model in models]
    print("\nd  Shapley values at 25 features")
    common.print_table(("nodes", "ms a row"), [(s["nodes"], f"{s['ms_a_row']:.2f}") for s in shapley])
    if not quick:
        common.write(
            "reasons",
            {"machine": common.machine(), "load": [load, os.getloadavg()[0]], "by_size": by_size, "real": real_ones,
             "batch": batches, "shapley": shapley},
        )  # fmt: skip


if __name__ == "__main__":
    main()
