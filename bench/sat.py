"""Engine ``sat`` beside PySAT's LBX: all change sets of 50 instances of random naive Bayes classifiers.

    python bench/sat.py [--features 22 25] [--classifiers 1] [--instances 50] [--portable]
                                    ten minutes, LBX's; prints a line a classifier, writes results/sat.json

The paper's setting: probabilities uniform, threshold .5, random instances, the no-cut CNF for LBX. Each side pays what
it needs for the 50 instances. LBX, used as its documentation shows, is given Σ and the instance as one formula, so it
loads Σ for each instance; making the Python lists of Σ is not counted. Ours makes its clauses and loads them once for
each class that is wanted. Both must find the same sets. Seconds are processor time of the process.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import common
import numpy as np
import numpy.typing as npt
from pysat.examples.lbx import LBX
from pysat.formula import WCNF

import symcf
from symcf.common.clock import Clock
from symcf.question.case import Query
from symcf.search.sat import engine as sat
from symcf.system.variables import Variables

Sets = list[list[tuple[int, ...]]]


def queries(c: symcf.Compiled, rows: npt.NDArray[np.uint32]) -> list[Query]:
    return [Query(x, (1, 1 - int(y)), None, None, None) for x, y in zip(rows, c.predict(rows, codes=True), strict=True)]


def ours(engine: sat.SatSearch | sat.PortableSearch, asked: list[Query]) -> tuple[Sets, list[float]]:
    sets, seconds = [], []
    for query in asked:
        start = time.process_time()
        answers = list(engine.steps(query, None, Clock(None)))
        seconds.append(time.process_time() - start)
        assert answers[-1].status == "complete"
        sets.append(sorted(s for answer in answers for s in answer.sets))
    return sets, seconds


def lbx(c: symcf.Compiled, asked: list[Query]) -> tuple[Sets, list[float], list[float]]:
    hard = {target: [list(q) for q in c.cnf("no-cut", negate=not target).clauses()] for target in (0, 1)}
    sets, loading, searching = [], [], []
    for query in asked:
        start = time.process_time()
        formula = WCNF()
        formula.extend(hard[query.goal[1]])
        for literal in Variables([2] * len(query.x)).keep(query.x).tolist():
            formula.append([literal], weight=1)
        peer = LBX(formula, use_cld=True, solver_name="g3")
        loaded = time.process_time()
        found = []
        for mcs in peer.enumerate():
            peer.block(mcs)
            found.append(tuple(sorted(j - 1 for j in mcs)))
        searching.append(time.process_time() - loaded)
        loading.append(loaded - start)
        peer.delete()
        sets.append(sorted(found))
    return sets, loading, searching


def measure(n: int, seed: int, n_instances: int, portable: bool) -> dict[str, Any]:
    rng = np.random.default_rng([seed, n])
    c = symcf.compile(common.random_classifier(n, rng))
    rows = rng.integers(0, 2, (n_instances, n)).astype(np.uint32)
    asked = queries(c, rows)
    diagram = c.diagram
    encoding = sat.choose_encoding(True, diagram.count_paths(0))
    engine = sat.SatSearch(
        lambda goal, clock: c.cnf(encoding, negate=not goal[1]), lambda clock: diagram.core, c.threshold
    )
    sets, seconds = ours(engine, asked)
    theirs, loading, searching = lbx(c, asked)
    assert sets == theirs, "the two sides disagree"
    result = {
        "features": n,
        "seed": seed,
        "instances": n_instances,
        "nodes": diagram.size,
        "clauses": c.cnf("no-cut").n_clauses,
        "encoding": encoding,
        "sets": sum(map(len, sets)),
        "sat_seconds": sum(seconds),
        "sat_first_instance_seconds": seconds[0],
        "sat_median_seconds": float(np.median(seconds)),
        "lbx_loading_seconds": sum(loading),
        "lbx_search_seconds": sum(searching),
        "ratio": (sum(loading) + sum(searching)) / sum(seconds),
        "ratio_without_loading": sum(searching) / sum(seconds),
    }
    if portable:
        slow = sat.PortableSearch(lambda goal, clock: c.cnf(encoding, negate=not goal[1]))
        portable_sets, portable_seconds = ours(slow, asked)
        assert portable_sets == sets, "the portable engine disagrees"
        result["portable_seconds"] = sum(portable_seconds)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", type=int, nargs="+", default=[22, 25])
    parser.add_argument("--classifiers", type=int, default=1)
    parser.add_argument("--instances", type=int, default=50)
    parser.add_argument("--portable", action="store_true", help="also measure engine sat-portable")
    options = parser.parse_args()
    results = []
    for n in options.features:
        for seed in range(options.classifiers):
            r = measure(n, seed, options.instances, options.portable)
            results.append(r)
            print(
                f"n={n} clauses={r['clauses']:,} sets={r['sets']:,}:"
                f" sat {1e3 * r['sat_seconds'] / r['instances']:.2f} ms an instance"
                f" (median {1e3 * r['sat_median_seconds']:.2f}); LBX"
                f" {1e3 * r['lbx_loading_seconds'] / r['instances']:.0f} ms loading +"
                f" {1e3 * r['lbx_search_seconds'] / r['instances']:.0f} ms search: {r['ratio']:.0f}x"
                f" ({r['ratio_without_loading']:.1f}x without loading)",
                flush=True,
            )
            common.write("sat", {"machine": common.machine(), "results": results})


if __name__ == "__main__":
    main()
