"""Letters per second: ``python bench/letters.py [--repeat N] [--jobs N ...]`` writes the letters of the credit data.

Times `symcf.letters.write` for the 600 rows, without PDF, in a new directory each time: models times policies (one that
names all features, and the example of the credit data, which also stops letters) times numbers of processes. A first
run, which loads modules and templates, is not counted. By wall clock, and for one process by CPU time; the rows that
were not at the target, with a letter or without, are counted, too.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import statistics
import tempfile
import time
from collections.abc import Iterator

import symcf
from symcf.letters import Policy

KINDS = ("scorecard", "logistic", "tree")


def policies(c: symcf.Compiled, kind: str) -> Iterator[tuple[str, Policy]]:
    """The policies, by name."""
    text = symcf.letters.policy_text(c.features, c.values, c.classes).replace("named: false", "named: true")
    yield "all named", Policy.from_text(text.replace("target: declined", "target: approved"))
    full = symcf.datasets.credit().policy()
    if kind != "scorecard":  # only sums over features have points
        full = dataclasses.replace(full, reasons=dataclasses.replace(full.reasons, method="reasons"))
    yield "credit policy", full


def main() -> None:
    """Prints a line per model, policy and number of processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    credit = symcf.datasets.credit()
    print(f"load {os.getloadavg()[0]:.1f}, medians of {given.repeat}")
    for kind in KINDS:
        c = symcf.compile(credit.model(kind))
        for name, policy in policies(c, kind):
            for jobs in given.jobs:
                walls, cpus = [], []
                for _ in range(given.repeat + 1):
                    with tempfile.TemporaryDirectory() as folder:
                        begin = (time.perf_counter(), time.process_time())
                        records = symcf.letters.write(folder, c, credit.data, policy, names=credit.names, n_jobs=jobs)
                        walls.append(time.perf_counter() - begin[0])
                        cpus.append(time.process_time() - begin[1])
                wall, cpu = (statistics.median(times[1:]) for times in (walls, cpus))
                written, stopped = (sum(one.status == status for one in records) for status in ("written", "stopped"))
                by_cpu = f", {written / cpu:.0f} per CPU second" if jobs == 1 else ""
                print(
                    f"{kind}, {name}, {jobs} process{'es' * (jobs > 1)}: {written} letters, {stopped} stopped: "
                    f"{written / wall:.0f} letters and {(written + stopped) / wall:.0f} answers per second{by_cpu}"
                )


if __name__ == "__main__":
    main()
