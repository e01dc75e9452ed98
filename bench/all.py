"""Everything that the README and the documentation show, measured again: one program after the other.

    python bench/all.py            what has no result of this code yet; 25 minutes on an idle machine with two cores
    python bench/all.py --quick    every program with small sizes, then every table and picture made from them
    python bench/all.py --list     what would run, and why
    python bench/all.py --only paper,peers          these, whether they have a result or not
    python bench/all.py --long     also what takes an hour: the limits of every public call

A result counts as done if it was written from a commit whose code is that of now (src, bench, the build), so a run that
was ended continues where it stopped. A changed tree is refused: its figures would have no commit. If others use the
machine, the results say so. What is timed runs alone; what is only counted runs two at a time. The output of each
program is in build/bench/logs. At the end, the README's figures and the pictures are written from the results.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "bench" / "logs"

#: What figures depend on. Documentation and tests may change.
CODE = ("src", "bench", "third_party", "cmake", "CMakeLists.txt", "pyproject.toml", ":!bench/results", ":!bench/*.md")


@dataclass(frozen=True)
class Step:
    """A program, the result that it writes, and its minutes on an idle machine."""

    result: str
    minutes: float
    command: str = ""
    #: Are times measured? Then nothing else may run.
    timed: bool = True
    #: Only with --long.
    long: bool = False

    @property
    def words(self) -> list[str]:
        """The program, below bench/, and its arguments."""
        return (self.command or f"{self.result}.py").split()


STEPS = (
    Step("reliability/torture", 1.1, "reliability.py torture", timed=False),
    Step("reliability/fuzz", 1.1, "reliability.py fuzz", timed=False),
    Step("reliability/faults", 1.0, "reliability.py faults", timed=False),
    Step("reliability/certificates", 1.0, "reliability.py certificates", timed=False),
    Step("sklearn", 1.0, "sklearn_agreement.py", timed=False),
    Step("zoo", 1.0, timed=False),
    Step("boosted", 1.0, "boosted_agreement.py", timed=False),
    Step("boosted_rows", 1.5, timed=False),
    Step("published", 0.5, "published/all.py"),
    Step("paper", 1.0),
    Step("foundation", 1.7),
    Step("engines", 0.8),
    Step("peers", 1.2),
    Step("batch", 0.7),
    Step("options", 0.5),
    Step("stream", 0.4),
    Step("audit", 0.5),
    Step("scaling", 0.5),
    Step("startup", 0.4),
    Step("certificates", 0.4),
    Step("reasons", 0.7),
    Step("reasons_peers", 0.8),
    Step("diverse", 0.5),
    Step("from_predict", 1.0),
    Step("additive", 0.7),
    Step("plausibility", 1.0),
    Step("robust", 1.0),
    Step("binary_networks", 1.0),
    Step("bayes_networks", 0.5),
    Step("ensembles", 2.0),
    Step("growth", 1.5),
    Step("tree_peers", 2.0),
    Step("limits_sweep", 60.0, long=True),
)


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True).stdout


def reason(step: Step) -> str | None:
    """Why a step has to run; None if its result is of this code."""
    path = ROOT / "bench" / "results" / f"{step.result}.json"
    if not path.exists():
        return "no result"
    data = json.loads(path.read_text(encoding="utf-8"))
    origin = data.get("origin") if isinstance(data, dict) else None
    if not origin:
        return "no commit"
    if origin["dirty"]:
        return "measured in a changed tree"
    commit = origin["commit"]
    same = subprocess.run(
        ["git", "-C", str(ROOT), "diff", "--quiet", commit, "HEAD", "--", *CODE], capture_output=True, check=False
    )
    return None if same.returncode == 0 else f"measured on other code ({commit[:12]})"


def run(step: Step, quick: bool) -> tuple[int, float]:
    """The exit code of a program, and its seconds."""
    log = LOGS / f"{step.result.replace('/', '_')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, f"bench/{step.words[0]}", *step.words[1:], *(["--quick"] if quick else [])]
    beside = "0" if step.timed else "2"
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "SYMCF_BENCH_BESIDE": beside}
    start = time.monotonic()
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, env=environment)
    return done.returncode, time.monotonic() - start


def report(step: Step, code: int, seconds: float, quick: bool) -> None:
    """A line when a program has ended, and the end of its output if it failed."""
    log = LOGS / f"{step.result.replace('/', '_')}.log"
    folder = ROOT / "build/bench/quick" if quick else ROOT / "bench/results"
    path = folder / f"{step.result}.json"
    busy = ""
    if code == 0 and path.exists():
        origin = json.loads(path.read_text(encoding="utf-8"))["origin"]
        busy = f"  BUSY: load {origin['load']}, others {origin.get('others', '-')}" if origin["busy"] else ""
    print(f"{'ok' if code == 0 else 'FAILED'}  {step.result:26} {seconds:6.0f} s{busy}", flush=True)
    if code:
        lines = log.read_text(encoding="utf-8").splitlines()
        print("\n".join(f"    {line}" for line in lines[-12:]), flush=True)


def run_all(steps: Sequence[Step], quick: bool) -> list[Step]:
    """Those that failed."""
    failed: list[Step] = []
    left = sum(step.minutes / (1 if step.timed else 2) for step in steps)
    print(f"{len(steps)} programs" + ("" if quick else f", about {left:.0f} minutes"), flush=True)

    def one(step: Step) -> None:
        code, seconds = run(step, quick)
        report(step, code, seconds, quick)
        if code:
            failed.append(step)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, [step for step in steps if not step.timed]))
    for step in steps:
        if step.timed:
            one(step)
    return failed


def show(folder: Path) -> None:
    """Makes every table and picture from the results of a folder; an error names the one that cannot be made."""
    sys.path[:0] = [str(ROOT / "docs")]
    import plots
    import results
    import results_speed
    import results_text

    plots.RESULTS = results_speed.RESULTS = results_text.RESULTS = folder
    results_text.load.cache_clear()
    makers = {**results.TABLES, **{f"{name}.svg": make for name, make in plots.FIGURES.items()}}
    for name, make in makers.items():
        try:
            if not make():
                raise ValueError("it is empty")
        except Exception as error:
            raise SystemExit(f"{name} cannot be made from {folder}: {type(error).__name__}: {error}") from error
    print(f"{len(makers)} tables and pictures can be made from {folder.relative_to(ROOT)}")


def main() -> int:
    """The command line; 1 if a program failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes; writes to build/bench/quick")
    parser.add_argument("--list", action="store_true", help="what would run")
    parser.add_argument("--only", help="results, separated by commas")
    parser.add_argument("--long", action="store_true", help="also what takes an hour")
    given = parser.parse_args()
    known = {step.result for step in STEPS}
    only = set(given.only.split(",")) if given.only else set()
    if unknown := only - known:
        parser.error(f"no program writes {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    chosen = [step for step in STEPS if (step.result in only if only else given.long or not step.long)]
    if given.list:
        for step in chosen:
            print(f"{step.result:26} {step.minutes:5.1f} minutes  {reason(step) or 'done'}")
        return 0
    if given.quick:
        chosen = [step for step in chosen if not step.long]
    else:
        changed = git("status", "--porcelain", "--", ".", ":!bench/results").splitlines()
        if changed:
            print("The tree has changes, so no commit would have the figures. Commit first:", *changed, sep="\n  ")
            return 1
        if not only:
            done = [step for step in chosen if reason(step) is None]
            chosen = [step for step in chosen if step not in done]
            if done:
                print(f"{len(done)} results are of this code already")
    start = time.monotonic()
    failed = run_all(chosen, given.quick)
    print(f"{(time.monotonic() - start) / 60:.1f} minutes")
    if failed:
        print(f"failed: {', '.join(step.result for step in failed)}; output in {LOGS.relative_to(ROOT)}")
        return 1
    if given.quick:
        if not only:
            keep_long()
            show(ROOT / "build" / "bench" / "quick")
        return 0
    for command in (["docs/results.py", "--write"], ["docs/plots.py"], ["bench/check_provenance.py"]):
        print(f"python {' '.join(command)}", flush=True)
        code = subprocess.run([sys.executable, *command], cwd=ROOT).returncode
    return code


def keep_long() -> None:
    """Beside the small results, the stored ones of programs that take an hour."""
    for step in STEPS:
        if step.long:
            stored = ROOT / "bench" / "results" / f"{step.result}.json"
            (ROOT / "build" / "bench" / "quick" / stored.name).write_bytes(stored.read_bytes())


if __name__ == "__main__":
    sys.exit(main())
