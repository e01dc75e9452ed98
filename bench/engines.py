"""The engines in figures: each against PySAT's LBX at 25 features, and counting where nobody could list.

    python bench/engines.py [--features 25] [--classifiers 3] [--instances 4]
                                    a minute; prints two tables, writes results/engines.json; --quick

a  all change sets of an instance, against LBX on the no-cut CNF as its documentation shows
                                                    wanted: cover at least 10,000 times as fast, diagram under 2 ms
b  how many change sets there are, from thousands to 10^50          wanted: in time that does not depend on the number
"""

from __future__ import annotations

import os
from functools import partial
from statistics import fmean
from typing import Any

import common
import numpy as np
from batch import random_rows
from common import Spread
from on_pysat import LBX, enumerate_mcses

import symcf
from symcf.fast import explain_batch

# --- a: all change sets -----------------------------------------------------------------------------------------------

TURNS = common.sized(5, 1)


def all_sets(n: int, classifiers: int, instances: int) -> dict[str, Any]:
    runs = [against_lbx(model, random_rows(instances, n, seed=i))
            for i, model in enumerate(common.random_classifiers(n, classifiers))]  # fmt: skip
    ways = list(runs[0]["ms_an_instance"])
    ms = {way: Spread.of(run["ms_an_instance"][way] for run in runs) for way in ways}
    lbx = [run["ms_an_instance"]["LBX, loading and search"] for run in runs]
    faster = {way: Spread.of(r / run["ms_an_instance"][way] for r, run in zip(lbx, runs, strict=True)) for way in ways}
    print(f"\na. all change sets of an instance, {n} features, {classifiers} classifiers, {instances} instances each;")
    print(f"   {fmean(run['clauses'] for run in runs):,.0f} clauses and {fmean(run['sets'] for run in runs):,.0f} sets")
    common.print_table(
        ("", "ms an instance", "times as fast as LBX"),
        [(way, f"{ms[way]:,.4f}", f"{faster[way]:,.1f}" if way in SLOW else f"{faster[way]:,.0f}") for way in ways],
    )
    return {"n": n, "ms_an_instance": ms, "times_as_fast_as_lbx": faster, "runs": runs}


SLOW = ("LBX, loading and search", "LBX, search alone")


def against_lbx(model: symcf.NaiveBayes, rows: np.ndarray) -> dict[str, Any]:
    """Mean milliseconds an instance. In columns: as rows of one table, from C. As objects: one explain() each."""
    compiled = symcf.compile(model)
    lbx = [enumerate_mcses(LBX, compiled.wcnf(row).to_pysat()) for row in rows]
    for engine in ("cover", "diagram"):
        if [explanation.sets for explanation in explain_batch(compiled, rows, engine=engine)] != [
            one.sets for one in lbx
        ]:
            raise SystemExit(f"LBX and engine {engine} disagree")
    many = random_rows(2_000, compiled.n_features)
    timings = common.in_turns(
        {
            "cover, columns": lambda: explain_batch(compiled, many, engine="cover"),
            "diagram, columns": lambda: explain_batch(compiled, many, engine="diagram"),
            "cover, objects": lambda: [compiled.explain(row, engine="cover").sets for row in rows],
            "diagram, objects": lambda: [compiled.explain(row, engine="diagram").sets for row in rows],
        },
        TURNS,
    )
    counts = {"columns": len(many), "objects": len(rows)}
    ms = {way: 1e3 * timing.median / counts[way.split(", ")[1]] for way, timing in timings.items()}
    ms["LBX, loading and search"] = 1e3 * fmean(one.seconds for one in lbx)
    ms["LBX, search alone"] = 1e3 * fmean(one.enumerate for one in lbx)
    return {
        "clauses": compiled.cnf().n_clauses,
        "nodes": compiled.diagram.size,
        "sets": fmean(len(one.sets) for one in lbx),
        "sets_in_columns": explain_batch(compiled, many).n_sets / len(many),
        "ms_an_instance": ms,
    }


# --- b: counting ------------------------------------------------------------------------------------------------------

#: P(X_j=1 | Y=1) = 1 - P(X_j=1 | Y=0), by turns: six different weights, as in tables estimated from few rows
PROBABILITIES = (0.55, 0.60, 0.65, 0.70, 0.80, 0.90)
COUNT_SIZES = common.sized((16, 24, 36, 48, 64, 96, 128, 192), (16, 24))


def counting() -> list[dict[str, Any]]:
    results = []
    for n in COUNT_SIZES:
        p1 = np.resize(PROBABILITIES, n)
        compiled = symcf.compile(symcf.NaiveBayes.binary(prior=0.5, p1=p1, p0=1 - p1))
        row = np.zeros(n, dtype=np.int8)
        nodes = compiled.diagram.size
        count = compiled.count(row)
        if compiled.count(row, engine="diagram") != count:
            raise SystemExit("the engines count differently")
        works = {engine: partial(compiled.count, row, engine=engine) for engine in ("cover", "diagram")}
        timings = common.in_turns(works, TURNS)
        results.append({"n": n, "nodes": nodes, "count": count, "seconds": timings})
    print("\nb. counting change sets: instance 0...0, half of all weight away from the decision, six different weights")
    common.print_table(
        ("features", "nodes", "change sets", "cover, ms", "diagram, ms", "ns a set"),
        [
            (r["n"], f"{r['nodes']:,}", f"{r['count']:.3g}" if r["count"] > 1e6 else f"{r['count']:,}",
             *(f"{1e3 * r['seconds'][engine].median:.2f}" for engine in ("cover", "diagram")),
             f"{1e9 * r['seconds']['cover'].median / r['count']:.2g}")
            for r in results
        ],
    )  # fmt: skip
    return [{**r, "count": str(r["count"])} for r in results]


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--features", type=int, default=common.sized(25, 16))
    parser.add_argument("--classifiers", type=int, default=common.sized(3, 2))
    parser.add_argument("--instances", type=int, default=common.sized(4, 2), help="of each classifier")
    options = parser.parse_args()
    print(f"processor time; medians (least .. most) over classifiers; load {os.getloadavg()[0]:.1f}")
    results = {
        "machine": common.machine(),
        "load": os.getloadavg()[0],
        "all_sets": all_sets(options.features, options.classifiers, options.instances),
        "counting": counting(),
    }
    common.write("engines", results)


if __name__ == "__main__":
    main()
