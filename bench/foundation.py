"""The foundation in figures: compiling and writing the no-cut CNF, against Python and against memcpy.

    python bench/foundation.py           two minutes; prints two tables, writes results/foundation.json; --quick
    python bench/foundation.py --copy    table b, too

a  the same pipeline in Python on `dd` (on_dd.py), 25 features: how many times as long?      wanted: at least 30
b  the no-cut buffer against a memcpy of it, in C (core/bench_paths.c)                       wanted: at most 4
c  a node at 40 features against one at 25, in C (core/bench_compile.c)                      wanted: at most 2
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from typing import Any

import common
import dd.autoref
import dd.cudd
import on_dd
from common import Spread

import symcf

# --- a: against Python ------------------------------------------------------------------------------------------------

PYTHON_N = common.sized(25, 16)
PYTHON_CLASSIFIERS = common.sized(5, 2)
PYTHON_TURNS = common.sized(2, 1)

Walk = Callable[[Any, Any], on_dd.Clauses]


def symcf_pipeline(model: symcf.NaiveBayes) -> symcf.system.cnf.Cnf:
    return symcf.compile(model).cnf()


def dd_pipeline(model: symcf.NaiveBayes, manager: Callable[[], Any], walk: Walk, collector: bool) -> on_dd.Clauses:
    """From the same integer weights, so that the clauses are the same; rounding the logarithms is not timed apart."""
    if not collector:
        gc.disable()
    try:
        bdd = manager()
        return walk(bdd, on_dd.Compiler(model.threshold_function(), bdd).compile())
    finally:
        gc.enable()


DD_PIPELINES: dict[str, tuple[Callable[[], Any], Walk, bool]] = {
    "dd.cudd": (dd.cudd.BDD, on_dd.no_cut, True),
    "dd.cudd, nodes in a dict": (dd.cudd.BDD, on_dd.no_cut_from_table, True),
    "dd.cudd, dict, no collector": (dd.cudd.BDD, on_dd.no_cut_from_table, False),
    "dd.autoref, nodes in a dict": (dd.autoref.BDD, on_dd.no_cut_from_table, True),
}


def against_python() -> dict[str, Any]:
    ratios: dict[str, list[Spread]] = {name: [] for name in DD_PIPELINES}
    seconds: dict[str, list[float]] = {name: [] for name in ("symcf", *DD_PIPELINES)}
    for model in common.random_classifiers(PYTHON_N, PYTHON_CLASSIFIERS):
        check_same_clauses(model)
        works: dict[str, Callable[[], object]] = {"symcf": lambda m=model: symcf_pipeline(m)}
        for name, how in DD_PIPELINES.items():
            works[name] = lambda m=model, how=how: dd_pipeline(m, *how)
        timings = common.in_turns(works, PYTHON_TURNS)
        for name, timing in timings.items():
            seconds[name].append(timing.median)
            if name != "symcf":
                ratios[name].append(timing.over(timings["symcf"]))

    print(f"\na. {PYTHON_N} features, compile and no-cut CNF, {PYTHON_CLASSIFIERS} classifiers")
    overall = {name: Spread.of(spread.median for spread in spreads) for name, spreads in ratios.items()}
    rows = [("symcf", f"{1e3 * median(seconds['symcf']):,.1f}", "1")]
    rows += [(name, f"{1e3 * median(seconds[name]):,.0f}", f"{overall[name]:.0f}") for name in DD_PIPELINES]
    common.print_table(("", "ms, median", "times as long as symcf"), rows)
    return {"n": PYTHON_N, "seconds": {name: Spread.of(s) for name, s in seconds.items()}, "times_symcf": overall}


def check_same_clauses(model: symcf.NaiveBayes) -> None:
    """A wrong answer has no speed."""
    ours = [list(clause) for clause in symcf_pipeline(model).clauses()]
    for name, how in DD_PIPELINES.items():
        if dd_pipeline(model, *how) != ours:
            raise SystemExit(f"symcf and {name} disagree on the clauses")


# --- b: against memcpy ------------------------------------------------------------------------------------------------


def against_memcpy(lines: list[dict[str, Any]]) -> dict[str, Any]:
    walk = Spread.of(line["walk_to_copy"] for line in lines)
    encode = Spread.of(line["encode_to_fresh"] for line in lines)
    a_clause = Spread.of(1e9 * line["walk"]["median"] / line["clauses"] for line in lines)
    whole = Spread.of(1e9 * line["encode"]["median"] / line["clauses"] for line in lines)
    print(f"\nb. {lines[0]['n']} features, the no-cut buffer against a memcpy of it, {len(lines)} classifiers")
    common.print_table(
        ("", "ns a clause", "times a memcpy"),
        [
            ("into a warm buffer", f"{a_clause:.1f}", f"{walk:.2f}"),
            ("measured, allocated, written", f"{whole:.1f}", f"{encode:.2f}"),
        ],
    )
    return {
        "walk_to_memcpy": walk,
        "encode_to_malloc_and_memcpy": encode,
        "walk_ns_a_clause": a_clause,
        "encode_ns_a_clause": whole,
        "runs": lines,
    }


# --- c: a node at 40 features -----------------------------------------------------------------------------------------


def growth(lines: list[dict[str, Any]]) -> dict[str, Any]:
    sizes = sorted({line["n"] for line in lines})
    a_node = {
        (what, line["n"], line["seed"]): 1e9 * line[what]["median"] / line["nodes"]
        for line in lines
        for what in ("compile", "compile_and_cudd")
    }
    seeds = sorted({line["seed"] for line in lines})

    def over_seeds(what: str, n: int) -> Spread:
        return Spread.of(a_node[what, n, seed] for seed in seeds)

    def ratio(what: str) -> Spread:
        return Spread.of(a_node[what, sizes[-1], seed] / a_node[what, sizes[0], seed] for seed in seeds)

    print(f"\nc. nanoseconds a node, memory kept, {len(seeds)} classifiers a size")
    rows = []
    for n in sizes:
        nodes = median(line["nodes"] for line in lines if line["n"] == n)
        rows.append((n, f"{nodes:,.0f}", f"{over_seeds('compile', n):.0f}", f"{over_seeds('compile_and_cudd', n):.0f}"))
    rows.append((f"{sizes[-1]} to {sizes[0]}", "", f"{ratio('compile'):.2f}", f"{ratio('compile_and_cudd'):.2f}"))
    common.print_table(("features", "nodes, median", "compile", "with CUDD's twin"), rows)
    return {
        "compile_ratio": ratio("compile"),
        "compile_and_cudd_ratio": ratio("compile_and_cudd"),
        "ns_a_node": {what: {n: over_seeds(what, n) for n in sizes} for what in ("compile", "compile_and_cudd")},
        "runs": lines,
    }


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--copy", action="store_true", help="table b, too")
    copying = parser.parse_args().copy
    compiling = common.run_core("bench_compile")
    machine = common.machine(compiling[0]["compiler"])
    print(f"{machine['cpu']}, {machine['cores']} cores; Python {machine['python']}, {machine['compiler']}")
    print("processor time; medians (least .. most)")
    results = {"machine": machine, "against_python": against_python(), "growth": growth(compiling)}
    if copying:
        results["against_memcpy"] = against_memcpy(common.run_core("bench_paths"))
    common.write("foundation", results)


if __name__ == "__main__":
    main()
