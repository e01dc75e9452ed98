"""All benchmarks of the C core, timed inside C: compile, paths, the engines, the batch kernel.

    python bench/kernels.py                  four minutes; prints a table a benchmark, writes results/core.json
    python bench/kernels.py --instructions   counts the instructions of the batch kernel, too (needs valgrind)

The programs are build/dev/bench/core/bench_*; each prints its own table when it is run by hand. Here they give their
figures as JSON, one line a classifier, and this prints the medians over classifiers.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from statistics import median
from typing import Any

import common

Line = dict[str, Any]


def programs() -> list[str]:
    found = sorted(path.name for path in common.CORE.glob("bench_*") if os.access(path, os.X_OK))
    if not found:
        raise SystemExit("the benchmarks in C are not built: run `make bench`")
    return found


# --- tables -----------------------------------------------------------------------------------------------------------

#: What a classifier is called, and what says the same in other words.
NOT_SHOWN = ("bench", "compiler", "n", "seed")


def print_bench(bench: str, lines: list[Line]) -> None:
    """A row a size; times are microseconds, and everything is the median over classifiers."""
    fields = [field for field in lines[0] if field not in NOT_SHOWN]
    if bench == "minimal_majority":  # its seed is the largest weight
        groups = {(line["n"], line["seed"]): [line] for line in lines}
    elif bench == "cover_bounds":
        groups = {(line["n"], line["entries"]): [line] for line in lines}
    else:
        groups = {}
        for line in lines:
            groups.setdefault((line["n"],), []).append(line)
    print(f"\n{bench}: {max(map(len, groups.values()))} classifiers a size; times in µs")
    common.print_table(
        ("n", *fields),
        [(key[0], *(cell([line[field] for line in group]) for field in fields)) for key, group in groups.items()],
    )


def cell(values: list[Any]) -> str:
    if isinstance(values[0], dict):
        return f"{1e6 * median(value['median'] for value in values):,.1f}"
    middle = median(values)
    return f"{middle:,.0f}" if 1_000 <= middle < 1e12 else f"{middle:.4g}"


# --- instructions -----------------------------------------------------------------------------------------------------


def instructions(lines: list[Line]) -> dict[str, Any]:
    """Of counting, and of the batch as found and sorted, by callgrind: figures that no other program can disturb."""
    if not shutil.which("valgrind"):
        raise SystemExit("--instructions needs valgrind")
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/callgrind.out"
        program = common.CORE / "bench_batch"
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "--single"],
            check=True, capture_output=True,
        )  # fmt: skip
        report = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    sets = next(line["sets"] for line in lines if line["seed"] == 1)
    spent = {}
    for case in ("count", "found", "sorted"):
        match = re.search(rf"^\s*([\d,]+)\s.*:{case}\b", report, re.MULTILINE)
        if match:
            spent[case] = int(match[1].replace(",", "")) / sets
    print("\ninstructions a set, the batch kernel, first classifier")
    common.print_table(("", "instructions"), [(case, f"{count:.1f}") for case, count in spent.items()])
    return {"sets": sets, "instructions_a_set": spent}


# ----------------------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instructions", action="store_true", help="count those of the batch kernel, by callgrind")
    options = parser.parse_args()
    print(f"processor time, medians; load {os.getloadavg()[0]:.1f}")
    benches: dict[str, list[Line]] = {}
    for program in programs():
        of_program: dict[str, list[Line]] = {}
        for line in common.run_core(program):
            of_program.setdefault(line["bench"], []).append(line)
        for bench, lines in of_program.items():
            print_bench(bench, lines)
        benches |= of_program
    compiler = next(iter(benches.values()))[0]["compiler"]
    results = {"machine": common.machine(compiler), "load": os.getloadavg()[0], "benches": benches}
    if options.instructions:
        results["instructions"] = instructions(benches["batch"])
    common.write("core", results)


if __name__ == "__main__":
    main()
