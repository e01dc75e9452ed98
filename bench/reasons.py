"""Sufficient reasons beside change sets: how many there are, how long they take, and Shapley values.

    python bench/reasons.py     a minute; prints three tables, writes results/reasons.json; --quick

a  random classifiers of 5 to 30 features: how many change sets, sufficient reasons (PI-explanations) and
   MC-explanations an instance has. Boumazouza et al. (SUM 2020) ask how the first compare with the other two, which
   are those of Shih, Choi and Darwiche (IJCAI 2018).
b  tables: nanoseconds a reason and a change set, in turns, at 25 features
c  Shapley values: milliseconds a row at 25 features
"""

from __future__ import annotations

import os
import statistics
from typing import Any

import common
from batch import random_rows

import symcf
import symcf.fast

SIZES = common.sized((5, 10, 15, 20, 25, 30), (5, 10))
CLASSIFIERS, INSTANCES = common.sized((10, 20), (2, 5))
TURNS = common.sized(5, 1)


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


# --- b and c: speed ---------------------------------------------------------------------------------------------------


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
    common.parser(__doc__).parse_args()
    load = os.getloadavg()[0]
    by_size = [counts_by_size(n, CLASSIFIERS, INSTANCES) for n in SIZES]
    print("a  an instance of a random classifier has so many (medians, means in brackets)")
    common.print_table(
        ("features", "change sets", "reasons", "MC-explanations"),
        [(s["features"], *(f"{of['median']:,.0f} ({of['mean']:,.0f})" for of in s["count"].values())) for s in by_size],
    )
    models = list(common.random_classifiers(25, common.sized(6, 1), seed=3))
    batches = [batch_speed(model, 25, common.sized(5000, 100)) for model in models]
    print("\nb  nanoseconds a set at 25 features, medians of the classifiers")
    common.print_table(
        ("", "ns a set", "least"),
        [(w, f"{statistics.median(b['ns_a_set'][w] for b in batches):.1f}",
          f"{min(b['least_ns_a_set'][w] for b in batches):.1f}") for w in batches[0]["ns_a_set"]],
    )  # fmt: skip
    shapley = [shapley_speed(model, 25, common.sized(20, 2)) for model in models]
    print("\nc  Shapley values at 25 features")
    common.print_table(("nodes", "ms a row"), [(s["nodes"], f"{s['ms_a_row']:.2f}") for s in shapley])
    common.write(
        "reasons",
        {"machine": common.machine(), "load": [load, os.getloadavg()[0]], "by_size": by_size, "batch": batches,
         "shapley": shapley},
    )  # fmt: skip


if __name__ == "__main__":
    main()
