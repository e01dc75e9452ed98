"""Audits of a million rows: a naive Bayes model of twenty features, with and without each part.

    python bench/audit.py [--rows 1000000] [--features 20] [--robust-rows 100000] [--jobs 2]
                                    a minute; writes results/audit.json; --quick

Also: the robustness of many rows is the size of their smallest change set, the distribution over all possible rows adds
up to their number, and locked-out rows are confirmed by `symcf.verify`.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import common
import numpy as np

import symcf

T = TypeVar("T")

#: Locked-out rows that are verified.
VERIFIED = 1000
#: Features of the model whose distribution over all possible rows is counted.
COUNTED = common.sized(24, 12)


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__)
    parser.add_argument("--rows", type=int, default=common.sized(1_000_000, 20_000))
    parser.add_argument("--features", type=int, default=common.sized(20, 12))
    parser.add_argument("--robust-rows", type=int, default=common.sized(100_000, 5_000))
    parser.add_argument("--jobs", type=int, default=2, help="threads")
    return parser.parse_args()


def timed(call: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def audits(rows: int, n: int, jobs: int) -> dict[str, Any]:
    """The parts of an audit, each added to the ones before."""
    (model,) = common.random_classifiers(n, 1)
    c = symcf.compile(model)
    rng = np.random.default_rng(0)
    data = rng.integers(0, 2, (rows, n), dtype=np.uint8)
    groups = rng.integers(0, 4, rows)
    target = c.classes[1]
    fixed = list(range(n // 2))
    steps: dict[str, dict[str, Any]] = {
        "who is locked out, by group, and responsiveness": {"groups": groups},
        "and costs": {"groups": groups, "cost": {j: 1 + j % 3 for j in range(n)}},
        "and dependence on two protected features": {
            "groups": groups,
            "cost": {j: 1 + j % 3 for j in range(n)},
            "protected": [0, 1],
        },
    }
    found = {}
    for name, options in steps.items():
        asked = {"target": target, "immutable": fixed, "n_jobs": jobs, **options}
        seconds, audit = timed(partial(symcf.audit, c, data, **asked))
        found[name] = {"seconds": seconds, "rows_per_second": rows / seconds}
        print(f"{name}: {seconds:.2f} s, {rows / seconds:,.0f} rows/s, {len(audit.locked_out):,} locked out")
    confirmed = audit.verify(VERIFIED)
    if confirmed != min(VERIFIED, len(audit.locked_out)):
        raise SystemExit("a locked-out row is not confirmed")
    return {
        "rows": rows,
        "n": n,
        "jobs": jobs,
        "steps": found,
        "locked_out": len(audit.locked_out),
        "at_target": audit.total.at_target,
        "verified": confirmed,
        "biased": audit.bias_in_data,
    }


def robustness(rows: int, n: int, jobs: int) -> dict[str, Any]:
    """The smallest change set among all of them, and what robustness says; one row at a time, too."""
    (model,) = common.random_classifiers(n, 1)
    c = symcf.compile(model)
    data = np.random.default_rng(1).integers(0, 2, (rows, n), dtype=np.uint8)
    seconds, found = timed(lambda: c.robustness_distribution(data, n_jobs=jobs))
    differing = 0
    for start in range(0, rows, 5000):
        every = symcf.fast.explain_batch(c, data[start : start + 5000], n_jobs=jobs)
        sizes = np.diff(every.set_offsets)
        smallest = np.minimum.reduceat(sizes, every.row_offsets[:-1])
        differing += int((smallest != found.changes[start : start + 5000]).sum())
    alone = sum(c.robustness(row).changes != changes for row, changes in zip(data[:500], found.changes, strict=False))
    return {"rows": rows, "n": n, "seconds": seconds, "differing": int(differing + alone)}


def distribution(n: int) -> dict[str, Any]:
    (model,) = common.random_classifiers(n, 1)
    c = symcf.compile(model)
    seconds, found = timed(c.robustness_distribution)
    return {
        "n": n,
        "seconds": seconds,
        "counts": found.counts,
        "missing": 2**n - sum(found.counts.values()),
        "nodes": c.diagram.size,
    }


def main() -> None:
    options = arguments()
    audited = audits(options.rows, options.features, options.jobs)
    robust = robustness(options.robust_rows, 14, options.jobs)
    print(f"robustness of {robust['rows']:,} rows: {robust['seconds']:.2f} s, {robust['differing']} differ")
    counted = distribution(COUNTED)
    print(f"all {2**COUNTED:,} rows: {counted['seconds']:.2f} s, {counted['counts']}, {counted['missing']} missing")
    if robust["differing"] or counted["missing"]:
        raise SystemExit("the answers differ")
    common.write(
        "audit",
        {
            "machine": common.machine(),
            "load": os.getloadavg()[0],
            "audit": audited,
            "robustness": robust,
            "distribution": counted,
        },
    )


if __name__ == "__main__":
    main()
