"""Other ways to reasons and Shapley values beside symcf, on the same questions, in one run.

    python bench/reasons_peers.py    two minutes; prints three tables, writes results/reasons_peers.json; --quick

a  PyXAI 2.0.1: all sufficient reasons of decision trees, over their conditions; every row's reasons are compared
b  PySAT's Hitman: the minimal hitting sets of the change sets, which are the reasons; they are compared
c  shap's exact explainer: Shapley values of 0/1 decisions, all rows as the background; they are compared

PyXAI and shap live in environments of their own, build/pyxai and build/shap, which this program makes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from typing import Any

import common
import numpy as np
import trees_pyxai as trees
from batch import random_rows
from pysat.examples.hitman import Hitman

import symcf
import symcf.fast

SHAP = common.ROOT / "build" / "shap"
REQUIREMENTS = common.ROOT / "bench" / "requirements-shap.txt"


# --- a: PyXAI ---------------------------------------------------------------------------------------------------------


def compare_tree(case: trees.Case, pyxai: trees.PyXAI) -> dict[str, Any]:
    theirs = pyxai.explain(case.tree, case.rows, sufficient=True)
    conditions = theirs["conditions"]
    bits = np.column_stack([case.rows[:, f] > t for f, t in conditions]).astype(np.int8)
    c = symcf.compile(trees.over_conditions(case.tree, conditions))
    c.why(bits[0])  # builds the diagram
    start = time.thread_time()
    ours = [trees.as_sets(c.why(row).sets) for row in bits]
    one_by_one = time.thread_time() - start
    start = time.thread_time()
    symcf.fast.why_batch(c, bits)
    batch = time.thread_time() - start
    trees.must_equal(case, "sufficient reasons", ours, [trees.as_sets(found) for found in theirs["reasons"]])
    n = len(bits)
    return {
        "data": case.data,
        "depth": int(case.tree.get_depth()),
        "conditions": len(conditions),
        "rows": n,
        "reasons": sum(map(len, ours)),
        "us_a_row": {"PyXAI": 1e6 * theirs["seconds"] / n, "symcf": 1e6 * one_by_one / n, "table": 1e6 * batch / n},
    }


# --- b: Hitman --------------------------------------------------------------------------------------------------------


def compare_hitman(n: int, instances: int) -> dict[str, Any]:
    hitman, ours, counts = [], [], []
    for i, model in enumerate(common.random_classifiers(n, 2, seed=5)):
        c = symcf.compile(model)
        for x in random_rows(instances, n, seed=i):
            changes = [list(s) for s in c.explain(x).sets]
            start = time.thread_time()
            with Hitman(bootstrap_with=changes, htype="sorted") as solver:
                found = {frozenset(s) for s in solver.enumerate()}
            hitman.append(time.thread_time() - start)
            start = time.thread_time()
            sets = c.why(x).sets
            ours.append(time.thread_time() - start)
            if found != {frozenset(s) for s in sets}:
                raise SystemExit("Hitman finds other reasons")
            counts.append(len(sets))
    return {
        "features": n,
        "instances": len(counts),
        "reasons": statistics.fmean(counts),
        "ms": {"Hitman": 1e3 * statistics.fmean(hitman), "symcf": 1e3 * statistics.fmean(ours)},
    }


# --- c: shap ----------------------------------------------------------------------------------------------------------


def set_up_shap() -> str | None:
    """Makes its environment. Says why if it cannot."""
    return common.environment(SHAP, REQUIREMENTS.read_text(), "shap")


def compare_shap(n: int, instances: int) -> dict[str, Any]:
    rng = np.random.default_rng([n, 11])
    weights, bias = rng.integers(-50, 51, size=n), int(rng.integers(-50, 51))
    rows = random_rows(instances, n, seed=6)
    task = {"weights": weights.tolist(), "bias": bias, "rows": rows.tolist()}
    command = [SHAP / "bin" / "python", common.ROOT / "bench" / "on_shap.py"]
    done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"shap failed:\n{done.stderr}")
    theirs = json.loads(done.stdout)
    c = symcf.compile(symcf.LinearClassifier([[0, int(w)] for w in weights], bias))
    symcf.fast.attribute_batch(c, rows[:1], "shapley")
    start = time.thread_time()
    values = symcf.fast.attribute_batch(c, rows, "shapley")
    seconds = (time.thread_time() - start) / len(rows)
    return {
        "features": n,
        "instances": len(rows),
        "largest_difference": float(np.abs(values - np.array(theirs["values"])).max()),
        "ms_a_row": {"shap": 1e3 * theirs["seconds"], "symcf": 1e3 * seconds},
        "version": theirs["version"],
    }


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    common.parser(__doc__).parse_args()
    load = os.getloadavg()[0]
    for problem in (trees.set_up(), set_up_shap()):
        if problem:
            raise SystemExit(f"a peer cannot be installed here: {problem}")
    pyxai = trees.PyXAI()
    chosen = [case for case in trees.cases(40) if case.tree.get_depth() <= 6][:: common.sized(3, 15)]
    by_tree = [compare_tree(case, pyxai) for case in chosen]
    pyxai.close()
    print("a  sufficient reasons of trees, microseconds a row; every row's reasons are equal")
    common.print_table(
        ("", "depth", "conditions", "rows", "reasons", "PyXAI", "symcf", "in a table"),
        [(t["data"], t["depth"], t["conditions"], t["rows"], f"{t['reasons']:,}",
          *(f"{us:,.0f}" for us in t["us_a_row"].values())) for t in by_tree],
    )  # fmt: skip
    hitman = [compare_hitman(n, common.sized(5, 2)) for n in common.sized((10, 14, 18, 20), (10,))]
    print("\nb  reasons of random naive Bayes classifiers, ms an instance; Hitman is given the change sets")
    common.print_table(
        ("features", "reasons", "Hitman", "symcf"),
        [(h["features"], f"{h['reasons']:,.0f}", *(f"{ms:,.3f}" for ms in h["ms"].values())) for h in hitman],
    )
    shap = [compare_shap(n, common.sized(4, 2)) for n in common.sized((6, 8, 10, 11), (6,))]
    print("\nc  Shapley values, ms a row")
    common.print_table(
        ("features", "shap", "symcf", "largest difference"),
        [
            (s["features"], *(f"{ms:,.3f}" for ms in s["ms_a_row"].values()), f"{s['largest_difference']:.1e}")
            for s in shap
        ],
    )
    machine = common.machine()
    machine["packages"] |= {"pyxai": pyxai.versions["pyxai"], "shap": shap[0]["version"]}
    common.write(
        "reasons_peers",
        {"machine": machine, "load": [load, os.getloadavg()[0]], "pyxai": by_tree, "hitman": hitman, "shap": shap},
    )


if __name__ == "__main__":
    main()
