"""How long small commands take from the prompt to the answer; if you like, in turns with an older version.

    python bench/startup.py [--before "DIR/.venv/bin/symcf"]
                                    half a minute; prints a table, writes results/startup.json; --quick

DIR is another clone of the repository, at the version to compare with, after `make demo` there. Wall-clock seconds
depend on what else the machine does; CPU seconds hardly do. Byte code is written first, as installing a package does.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import common
from common import Spread

EXAMPLES = common.ROOT / "docs" / "examples"
COMMANDS = {
    "python -c pass": [],
    "symcf --version": ["--version"],
    "symcf --help": ["--help"],
    "symcf explain, 3 rows": ["explain", "admission.json", "applicants.csv", "--id", "name"],
    "symcf why, 3 rows": ["why", "admission.json", "applicants.csv", "--id", "name"],
    "symcf predict, 3 rows": ["predict", "admission.json", "applicants.csv", "--id", "name"],
}


def seconds_of(command: list[str]) -> tuple[float, float]:
    """Wall-clock and CPU seconds."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    used, start = os.times(), time.perf_counter()
    subprocess.run(command, cwd=EXAMPLES, env=environment, stdout=subprocess.DEVNULL, check=True)
    elapsed, now = time.perf_counter() - start, os.times()
    return elapsed, now.children_user + now.children_system - used.children_user - used.children_system


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--before", help="the command of the older version")
    parser.add_argument("--turns", type=int, default=common.sized(9, 1))
    given = parser.parse_args()
    programs = {"before": shlex.split(given.before)} if given.before else {}
    programs["after"] = [str(Path(sys.executable).parent / "symcf")]
    results = {}
    for name, words in COMMANDS.items():
        runs: dict[str, list[tuple[float, float]]] = {version: [] for version in programs}
        for turn in range(-1, given.turns):
            for version, program in programs.items():
                taken = seconds_of([*program, *words] if words else [sys.executable, "-c", "pass"])
                if turn >= 0:
                    runs[version].append(taken)
        results[name] = {
            version: {"clock": Spread.of(a for a, _ in taken), "processor": Spread.of(b for _, b in taken)}
            for version, taken in runs.items()
        }
    heads = [f"{version}, {kind}" for version in programs for kind in ("clock", "processor")]
    common.print_table(
        ("command", *heads),
        [
            (name, *(f"{found[v][k]:.3f}" for v in programs for k in ("clock", "processor")))
            for name, found in results.items()
        ],
    )
    common.write(
        "startup",
        {"machine": common.machine(), "load": os.getloadavg()[0], "turns": given.turns, "commands": results},
    )


if __name__ == "__main__":
    main()
