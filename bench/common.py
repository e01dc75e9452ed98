"""What the benchmarks share: random classifiers as in the paper, timing in turns, the machine, results as JSON.

    classifiers = common.random_classifiers(n=25, count=10)
    timings = common.in_turns({"ours": ours, "theirs": theirs}, turns=7)
    timings["theirs"].over(timings["ours"])         # how many times as long, turn by turn: a Spread
    common.write("foundation", {...})               # bench/results/foundation.json
    common.sized(10, 2)                             # 10, or 2 with --quick, whose figures go to build/bench/quick

Seconds are processor time of the thread, as in bench/core/harness.h and for the same reason: the wait while others run
is not ours. Machines are noisy all the same, so every figure is a median with its extremes, and figures that are
compared were measured in turns.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import symcf

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
CORE = ROOT / "build" / "dev" / "bench" / "core"

#: Small sizes, to try a program: its figures are no result.
QUICK = "--quick" in sys.argv
QUICK_RESULTS = Path("build") / "bench" / "quick"


def sized(full: T, quick: T) -> T:
    """A size of a benchmark, or with --quick a small one."""
    return quick if QUICK else full


def parser(doc: str | None) -> argparse.ArgumentParser:
    """A command line that has --quick."""
    found = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--quick", action="store_true", help="small sizes; writes to build/bench/quick")
    return found


# --- classifiers ------------------------------------------------------------------------------------------------------


def random_classifier(n: int, rng: np.random.Generator) -> symcf.NaiveBayes:
    """All probabilities uniform, threshold .5: the random classifiers of the paper."""
    return symcf.NaiveBayes.binary(prior=float(rng.random()), p1=rng.random(n), p0=rng.random(n))


def random_classifiers(n: int, count: int, seed: int = 0) -> Iterator[symcf.NaiveBayes]:
    """The same ones for the same numbers."""
    for i in range(count):
        yield random_classifier(n, np.random.default_rng([seed, n, i]))


# --- timing -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """A figure that was measured several times."""

    median: float
    least: float
    most: float
    count: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        sample = list(values)
        return cls(statistics.median(sample), min(sample), max(sample), len(sample))

    def __format__(self, spec: str) -> str:
        return f"{self.median:{spec}} ({self.least:{spec}} .. {self.most:{spec}})"


@dataclass(frozen=True)
class Timing:
    """Seconds, one number a turn."""

    turns: tuple[float, ...]

    @property
    def spread(self) -> Spread:
        return Spread.of(self.turns)

    @property
    def median(self) -> float:
        return self.spread.median

    def over(self, other: Timing) -> Spread:
        """How many times as long as the other, turn by turn."""
        return Spread.of(mine / theirs for mine, theirs in zip(self.turns, other.turns, strict=True))


def in_turns(
    works: dict[str, Callable[[], object]], turns: int, clock: Callable[[], float] = time.thread_time
) -> dict[str, Timing]:
    """Runs every work once unwatched, then all of them in turns. What a work returns is dropped, unwatched.

    Work of several threads needs another clock: `time.perf_counter`, or `time.process_time` for what all of them take.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(-1, turns):
        for name, work in works.items():
            gc.collect()
            start = clock()
            result = work()
            elapsed = clock() - start
            del result
            if turn >= 0:
                seconds[name].append(elapsed)
    return {name: Timing(tuple(values)) for name, values in seconds.items()}


# --- the benchmarks in C ----------------------------------------------------------------------------------------------


def run_core(program: str) -> list[dict[str, Any]]:
    """The lines of JSON that a program of bench/core prints; with --quick, one turn of each of its first seeds."""
    path = CORE / program
    if not path.exists():
        raise SystemExit(f"{path.relative_to(ROOT)} is not built: run `make bench`")
    words = [path, "--json", *(["--single"] if QUICK else [])]
    output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


# --- results ----------------------------------------------------------------------------------------------------------


def machine(compiler: str | None = None) -> dict[str, Any]:
    """What the figures depend on; nothing that says whose machine it is."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": compiler,
        "packages": {name: version(name) for name in ("symcf", "numpy", "python-sat", "dd")},
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


#: Above this, others were at work, and the figures say so: processes that wanted a processor when the benchmark began.
BUSY = 1.5
#: Processors that others may use while it runs.
BUSY_WITH_OTHERS = 0.5
#: Processors that another benchmark may use, where bench/all.py runs two that time nothing.
BESIDE = float(os.environ.get("SYMCF_BENCH_BESIDE", "0"))


def _waiting(samples: int = 20, seconds: float = 0.05) -> float:
    """How many other processes want a processor now: the mean of some moments. The average of the last minute includes
    the benchmark that ran before this one.
    """
    load = os.getloadavg()[0]
    if load <= BUSY or not Path("/proc/stat").exists():
        return load
    counts = []
    for _ in range(samples):
        time.sleep(seconds)
        counts.append(int(re.findall(r"procs_running (\d+)", Path("/proc/stat").read_text())[0]) - 1)
    return statistics.fmean(counts)


def _used() -> tuple[float, float, float]:
    """The clock, processor seconds of the machine, and of this process with its children that have ended."""
    clock = time.monotonic()
    own = sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return clock, own, own
    user, nice, system, _, _, interrupts, soft, *stolen = map(int, fields)
    ticks = user + nice + system + interrupts + soft + sum(stolen[:1])
    return clock, ticks / os.sysconf("SC_CLK_TCK"), own


#: When the benchmark began: its own work is not in it.
LOAD = _waiting()
_START = _used()


def others() -> float:
    """Processors that other processes have used since the benchmark began."""
    clock, machine, own = (now - then for now, then in zip(_used(), _START, strict=True))
    return max(0.0, (machine - own) / max(clock, 1e-9))


def origin(root: Path = ROOT, command: str | None = None) -> dict[str, Any]:
    """Which program measured this, from which commit, on how busy a machine. Changes in bench/results do not count."""
    git = ["git", "-C", str(root)]
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    busy = others()
    return {
        "command": command or " ".join(["python", "/".join(Path(sys.argv[0]).parts[-2:]), *sys.argv[1:]]),
        "commit": commit,
        "dirty": bool(changes(root)),
        "compiler": _compiler(),
        "load": round(LOAD, 2),
        "others": round(busy, 2),
        "busy": LOAD > BUSY + BESIDE or busy > BUSY_WITH_OTHERS + BESIDE,
    }


def changes(root: Path = ROOT) -> list[str]:
    """Files that no commit has as they are, without results."""
    status = ["git", "-C", str(root), "status", "--porcelain", "--", ".", ":!bench/results"]
    return subprocess.run(status, check=True, capture_output=True, text=True).stdout.splitlines()


def _compiler() -> str:
    """What compiled the core of the development build."""
    for path in sorted((ROOT / "build" / "dev" / "CMakeFiles").glob("*/CMakeCCompiler.cmake")):
        found = dict(re.findall(r'set\(CMAKE_C_COMPILER_(ID|VERSION) "(.*?)"\)', path.read_text(encoding="utf-8")))
        return f"{found['ID']} {found['VERSION']}"
    return "unknown"


def write(name: str, results: dict[str, Any], root: Path = ROOT, command: str | None = None) -> None:
    """Writes bench/results/<name>.json with its origin: the commit, the command, the compiler, the load.

    If files of the repository are changed, the figures go to build/bench instead, and the program fails. With --quick,
    they go to build/bench/quick.
    """
    where = origin(root, command)
    refused = where["dirty"] and not QUICK
    folder = root / (QUICK_RESULTS if QUICK else "build/bench" if refused else "bench/results")
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(compact(json.loads(json.dumps({"origin": where, **results}, default=_plain))) + "\n")
    print(f"\nwritten to {path.relative_to(root)}")
    if where["busy"]:
        print(f"the machine was busy: load {LOAD:.1f}, and others used {where['others']:.1f} processors")
    if refused:
        raise SystemExit(
            "not written to bench/results: the tree has changes, so no commit has these figures; commit first"
        )


def compact(value: Any, indent: str = "") -> str:
    """JSON in which a list or an object stands on one line if it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or len(indent) + len(line) <= 160:
        return line
    deeper = indent + " "
    if isinstance(value, dict):
        parts = [f"{deeper}{json.dumps(key, ensure_ascii=False)}: {compact(one, deeper)}" for key, one in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + compact(one, deeper) for one in value) + f"\n{indent}]"


def _plain(value: Any) -> Any:
    if isinstance(value, Timing):
        return asdict(value.spread)
    if isinstance(value, Spread):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Columns as wide as their widest cell; the first one to the left, the others to the right."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *others = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([row[0].ljust(len(first)), *others]).rstrip())


# --- other tools ------------------------------------------------------------------------------------------------------


def environment(place: Path, wanted: str, what: str) -> str | None:
    """Makes a virtual environment with these requirements if it is not there or has others. Says why if it cannot."""
    stamp = place / "requirements.txt"
    if stamp.exists() and stamp.read_text() == wanted:
        return None
    print(f"installing {what} into {place.relative_to(ROOT)} ...", flush=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(place)],
        [
            str(place / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
            "/dev/stdin",
        ],
    ):
        done = subprocess.run(command, input=wanted, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr or done.stdout).strip().splitlines()[-1]
    stamp.write_text(wanted)
    return None
