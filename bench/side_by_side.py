"""Two versions of symcf side by side: is the new one as fast as the old one?

    git worktree add ../old COMMIT
    make -C ../old test-c && make test-c
    python bench/side_by_side.py ../old .           ten minutes; prints a table, writes results/rooms.json
    python bench/side_by_side.py --calls ../old .   the same for calls of Python, by bench/on_version.py

The file is written anew whenever a figure comes in.

OLD and NEW are directories of the repository in which the C benchmarks are built (`make test-c` builds them). Each
program in build/dev/bench/core runs once with --single under cachegrind, which counts instructions: a figure that no
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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import common

TOLERANCE = 0.05

#: Of bench/batch.py.
WAYS = ("as found", "sorted")

#: Runs in each version with that version's own package and benchmark; prints nanoseconds per set.
BATCH = """
import json, sys
sys.path.insert(0, "bench")
import batch, common
batch.ROWS, batch.TURNS = 2_000, 5
model = next(common.random_classifiers(batch.N, 1))
least = batch.memcpy_run(model)["least_ns_a_set"]
print(json.dumps(least))
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
        ["git", "-C", version, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()


def instructions(program: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/out",
             program, "--single"],
            check=True, capture_output=True, text=True,
        ).stderr  # fmt: skip
    found = re.search(r"I +refs: +([\d,]+)", report)
    if not found:
        raise SystemExit(f"cachegrind did not count the instructions of {program}:\n{report}")
    return int(found[1].replace(",", ""))


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


Pair = dict[str, float]


def shortest_seconds(name: str, old: Path, new: Path, turns: int) -> dict[str, Pair]:
    runs = [(seconds(core(old) / name), seconds(core(new) / name)) for _ in range(turns)]
    return {f"{name}, seconds": {"old": min(run[0] for run in runs), "new": min(run[1] for run in runs)}}


def all_instructions(name: str, old: Path, new: Path) -> dict[str, Pair]:
    return {f"{name}, instructions": {"old": instructions(core(old) / name), "new": instructions(core(new) / name)}}


def shortest_batches(old: Path, new: Path, turns: int) -> dict[str, Pair]:
    runs = [(nanoseconds_per_set(old), nanoseconds_per_set(new)) for _ in range(turns)]
    return {
        f"batch.py, {way}, ns per set": {
            "old": min(run[0][way] for run in runs),
            "new": min(run[1][way] for run in runs),
        }
        for way in WAYS
    }


def compare(old: Path, new: Path, turns: int, jobs: int) -> Iterator[dict[str, Pair]]:
    """The figures as they come in. The two versions of a program run one right after the other."""
    names = [name for name in programs(old) if name in programs(new)]
    with ThreadPoolExecutor(jobs) as pool:
        works = [pool.submit(shortest_seconds, name, old, new, turns) for name in names]
        works.append(pool.submit(shortest_batches, old, new, turns))
        works += [pool.submit(all_instructions, name, old, new) for name in names]
        for work in as_completed(works):
            yield work.result()


def calls_of(version: Path, only: str) -> dict[str, float]:
    """Seconds of each call in a version, in its own environment."""
    program = [version / ".venv" / "bin" / "python", Path(__file__).with_name("on_version.py"), "--only", only]
    output = subprocess.run(program, cwd=version, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, float] = json.loads(output)
    return found


def shortest_calls(old: Path, new: Path, turns: int, only: str) -> dict[str, Pair]:
    """The least seconds of each call that both versions have; the versions run in turns."""
    runs = [(calls_of(old, only), calls_of(new, only)) for _ in range(turns)]
    names = [name for name in runs[0][1] if all(name in run[0] and name in run[1] for run in runs)]
    return {
        name: {"old": min(run[0][name] for run in runs), "new": min(run[1][name] for run in runs)} for name in names
    }


def print_comparison(results: dict[str, Pair]) -> None:
    rows = []
    for name, value in results.items():
        ratio = value["new"] / value["old"]
        remark = "slower" if ratio > 1 + TOLERANCE else "faster" if ratio < 1 - TOLERANCE else ""
        rows.append((name, f"{value['old']:,.4g}", f"{value['new']:,.4g}", f"{ratio:.3f}", remark))
    common.print_table(("", "old", "new", "new / old", ""), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path, help="directory of the old version")
    parser.add_argument("new", type=Path, help="directory of the new version")
    parser.add_argument("--turns", type=int, default=5, help="of each version (5)")
    parser.add_argument("--calls", action="store_true", help="compare calls of Python, not the programs in C")
    parser.add_argument("--only", default="", help="of the calls, those whose name holds this")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time: for a machine that is busy anyway (1)")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit(
            "side_by_side.py counts instructions by valgrind, which is not installed (on Debian: apt install valgrind)"
        )
    old, new = options.old.resolve(), options.new.resolve()
    if old == new:
        sys.exit(f"old and new are the same directory, {old}")
    about = {
        "machine": common.machine(),
        "load": os.getloadavg()[0],
        "versions": {"old": commit(old), "new": commit(new)},
        "turns": options.turns,
        "jobs": options.jobs,
    }
    results: dict[str, Pair] = {}
    if options.calls:
        results = shortest_calls(old, new, options.turns, options.only)
        common.write("calls", about | {"results": results})
        print_comparison(results)
        return
    for figures in compare(old, new, options.turns, options.jobs):
        results |= figures
        common.write("rooms", about | {"results": dict(sorted(results.items()))})
    print_comparison(dict(sorted(results.items())))


if __name__ == "__main__":
    main()
