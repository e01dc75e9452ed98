"""Which lines of src/core the C tests ran: ``python tests/drivers/coverage_c.py --floor 95 build/coverage/c``.

Reads what a build with ``--coverage`` left behind, by way of ``gcov --json-format``. A line that several programs
compile (headers) counts as run if one of them ran it. Prints the files with the fewest first, and the lines not run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from gzip import decompress
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "src" / "core"


def counts(build: Path) -> dict[str, dict[int, int]]:
    """By file of the core and line, how often it was run."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    data = [path.resolve() for path in build.rglob("*.gcda") if "symcf_core" in str(path) or "test_" in path.name]
    if not data:
        raise SystemExit(f"{build} has no .gcda files: build with --coverage and run the tests first")
    with tempfile.TemporaryDirectory() as here:
        for path in data:
            subprocess.run(["gcov", "--json-format", str(path)], cwd=here, check=True, capture_output=True)
            for written in Path(here).glob("*.gcov.json.gz"):
                told = json.loads(decompress(written.read_bytes()))
                for file in told["files"]:
                    name = (Path(told["current_working_directory"]) / file["file"]).resolve()
                    if name.parent == CORE:
                        for line in file["lines"]:
                            found[name.name][line["line_number"]] += line["count"]
                written.unlink()
    return found


def main() -> int:
    """The command line; 1 below the floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--floor", type=float, default=0.0, help="percent")
    given = parser.parse_args()
    files = counts(given.build)
    shares = {name: sum(map(bool, lines.values())) / len(lines) for name, lines in files.items()}
    for name, share in sorted(shares.items(), key=lambda pair: pair[1]):
        missed = [str(number) for number, count in sorted(files[name].items()) if not count]
        if missed:
            print(f"{100 * share:5.1f} %  {name}: {', '.join(missed[:40])}{' ...' if len(missed) > 40 else ''}")
    total = sum(map(len, files.values()))
    ran = sum(bool(count) for lines in files.values() for count in lines.values())
    percent = 100 * ran / total
    print(f"{percent:.1f} % of {total:,} lines in {len(files)} files")
    return 1 if percent < given.floor else 0


if __name__ == "__main__":
    sys.exit(main())
