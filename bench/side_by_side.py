"""Two versions of symcf side by side: is the new one as fast as the old one?

    git worktree add ../old COMMIT
    make -C ../old test-c && make test-c
    python bench/side_by_side.py ../old .     ten minutes; prints a table, writes results/rooms.json

OLD and NEW are directories of the repository in which the C benchmarks are built (`make test-c` builds them). Each
program in build/dev/bench/core runs once with --single under callgrind, which counts instructions: a figure that no
other program can disturb. Then both versions run with --single in alternating turns, and so does the table of
bench/batch.py with fewer rows; of the turns the shortest counts. Seconds are processor time.

Where the two differ by more than 5 %, the table says so. Nothing fails: a busy machine is not a bug.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import common

TOLERANCE = 0.05

#: Runs in each version with that version's own package and benchmark; prints nanoseconds per set.
BATCH = """
import json, sys
sys.path.insert(0, "bench")
import batch, common
batch.ROWS, batch.TURNS = 2_000, 5
model = next(common.random_classifiers(batch.N, 1))
least = batch.memcpy_run(model)["least_ns_a_set"]
print(json.dumps({way: least[way] for way in ("as found", "sorted")}))
"""


def programs(version: Path) -> list[str]:
    found = sorted(path.name for path in core(version).glob("bench_*") if os.access(path, os.X_OK))
    if not found:
        raise SystemExit(f"{version}: the benchmarks in C are not built; run `make -C {version} test-c`")
    return found


def core(version: Path) -> Path:
    return version / "build" / "dev" / "bench" / "core"


def commit(version: Path) -> str:
    return subprocess.run(
        ["git", "-C", version, "describe", "--always", "--dirty"], check=True, capture_output=True, text=True
    ).stdout.strip()


def instructions(program: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, "--single"],
            check=True, capture_output=True, text=True,
        ).stderr  # fmt: skip
    found = re.search(r"Collected : (\d+)", report)
    if not found:
        raise SystemExit(f"callgrind did not count the instructions of {program}:\n{report}")
    return int(found[1])


def seconds(program: Path) -> float:
    """Processor time of one run, the system's share included."""
    process = subprocess.Popen([program, "--single"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{program} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def nanoseconds_per_set(version: Path) -> dict[str, float]:
    python = version / ".venv" / "bin" / "python"
    output = subprocess.run([python, "-c", BATCH], cwd=version, check=True, capture_output=True, text=True).stdout
    figures: dict[str, float] = json.loads(output)
    return figures


def compare_programs(old: Path, new: Path, turns: int) -> dict[str, Any]:
    names = [name for name in programs(old) if name in programs(new)]
    shortest = {(name, version): float("inf") for name in names for version in (old, new)}
    for _ in range(turns):
        for name, version in shortest:
            shortest[name, version] = min(shortest[name, version], seconds(core(version) / name))
    with ThreadPoolExecutor() as pool:  # nothing that runs at the same time changes these
        counted = dict(zip(shortest, pool.map(lambda key: instructions(core(key[1]) / key[0]), shortest), strict=True))
    return {
        name: {
            "seconds": {"old": shortest[name, old], "new": shortest[name, new]},
            "instructions": {"old": counted[name, old], "new": counted[name, new]},
        }
        for name in names
    }


def compare_batches(old: Path, new: Path, turns: int) -> dict[str, Any]:
    runs: dict[Path, list[dict[str, float]]] = {old: [], new: []}
    for _ in range(turns):
        for version, figures in runs.items():
            figures.append(nanoseconds_per_set(version))
    least = {
        version: {way: min(run[way] for run in figures) for way in figures[0]} for version, figures in runs.items()
    }
    return {f"batch.py, {way}": {"ns_per_set": {"old": least[old][way], "new": least[new][way]}} for way in least[old]}


def print_comparison(results: dict[str, Any]) -> None:
    rows = []
    for name, units in results.items():
        for unit, value in units.items():
            ratio = value["new"] / value["old"]
            remark = "slower" if ratio > 1 + TOLERANCE else "faster" if ratio < 1 - TOLERANCE else ""
            rows.append((f"{name}, {unit}", f"{value['old']:,.4g}", f"{value['new']:,.4g}", f"{ratio:.3f}", remark))
    common.print_table(("", "old", "new", "new / old", ""), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path, help="directory of the old version")
    parser.add_argument("new", type=Path, help="directory of the new version")
    parser.add_argument("--turns", type=int, default=5, help="of each version (5)")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit(
            "side_by_side.py counts instructions by valgrind, which is not installed (on Debian: apt install valgrind)"
        )
    old, new = options.old.resolve(), options.new.resolve()
    if old == new:
        sys.exit(f"old and new are the same directory, {old}")
    results = compare_programs(old, new, options.turns) | compare_batches(old, new, options.turns)
    print_comparison(results)
    versions = {"old": commit(old), "new": commit(new)}
    common.write(
        "rooms", {"machine": common.machine(), "versions": versions, "turns": options.turns, "results": results}
    )


if __name__ == "__main__":
    main()
