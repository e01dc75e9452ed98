"""The first large batch of a process against the next ones: what new memory costs, and what keeping it saves.

    python bench/first_batch.py     half a minute; prints a table, writes results/first_batch.json

Each process explains the same rows several times and drops each result before the next; `release_memory` before the
last one makes it a first one again. By the clock: waiting for the system to hand out memory is what is measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import common
from batch import ROWS, N, random_rows
from common import Spread

import symcf
from symcf.fast import explain_batch, release_memory

PROCESSES = 7
CASES = ("first", "second", "third", "after release_memory")


def one_process() -> dict[str, float]:
    """Seconds, by case."""
    (model,) = common.random_classifiers(N, 1)
    compiled, rows = symcf.compile(model), random_rows(ROWS, N)
    explain_batch(compiled, rows[:1])
    seconds: dict[str, Any] = {}
    for case in CASES:
        if case == CASES[-1]:
            release_memory()
        start = time.perf_counter()
        result = explain_batch(compiled, rows, sort=False)
        seconds[case] = time.perf_counter() - start
        seconds["megabytes"] = result.nbytes / 1e6
        del result
    return seconds


def main() -> None:
    if sys.argv[1:] == ["--one"]:
        print(json.dumps(one_process()))
        return
    runs = [
        json.loads(subprocess.run([sys.executable, __file__, "--one"], check=True, capture_output=True).stdout)
        for _ in range(PROCESSES)
    ]
    seconds = {case: Spread.of(run[case] for run in runs) for case in CASES}
    to_third = {case: Spread.of(run[case] / run["third"] for run in runs) for case in CASES}
    print(f"{N} features, {ROWS:,} rows, {runs[0]['megabytes']:.0f} MB of result, one thread, {PROCESSES} processes")
    common.print_table(
        ("batch", "seconds", "times the third"),
        [(case, f"{seconds[case]:.3f}", f"{to_third[case]:.2f}") for case in CASES],
    )
    common.write(
        "first_batch",
        {
            "machine": common.machine(),
            "load": os.getloadavg()[0],
            "seconds": seconds,
            "to_third": to_third,
            "runs": runs,
        },
    )


if __name__ == "__main__":
    main()
