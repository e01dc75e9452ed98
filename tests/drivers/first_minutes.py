"""Follows the README to the letter: ``python tests/drivers/first_minutes.py`` clones this checkout, makes an empty
environment, runs the commands of "Five minutes" in it, opens the report in a browser, and says how long each took.

``--clone URL`` clones from elsewhere. What pip downloads counts, too. Needs git; without chromium and its driver the
report is not opened.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "docs")]

import blocks  # noqa: E402
import browser  # noqa: E402

#: Seconds that all of it may take.
LIMIT = 300


def commands(readme: Path) -> list[str]:
    """The first block of commands."""
    text = readme.read_text(encoding="utf-8")
    start = text.index("## Five minutes")
    return blocks.commands(text[start : text.index("\n## ", start + 1)])


def opened(report: Path) -> str:
    """What a browser shows of the report."""
    reason = browser.missing()
    if reason is not None:
        return f"not opened: {reason}"
    with browser.opened() as driver:
        driver.get(report.as_uri())
        title, found = driver.find_element("tag name", "h1").text, driver.find_element("id", "found").text
        assert driver.get_log("browser") == []
    return f"{title}: {found}"


def main() -> int:
    """0 if the report was opened in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clone", default=str(ROOT), help="what to clone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checkout, begin = Path(folder) / "symcf", time.perf_counter()
        path = os.pathsep.join([f"{folder}/environment/bin", os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "BROWSER": "true"}  # the browser is opened below

        def run(command: str, where: str | Path = folder) -> None:
            start = time.perf_counter()
            subprocess.run(command, shell=True, check=True, cwd=where, env=environment)
            print(f"{time.perf_counter() - start:6.1f} s  {command.replace(folder, '')}", flush=True)

        source = options.clone if "://" in options.clone else f"file://{options.clone}"
        run(f"git clone --quiet --depth 1 {source} {checkout}")
        run(f"{sys.executable} -m venv {folder}/environment")
        for command in commands(checkout / "README.md"):
            run(command, checkout)
        start = time.perf_counter()
        said = opened(checkout / "report.html")
        print(f"{time.perf_counter() - start:6.1f} s  {said}")
        total = time.perf_counter() - begin
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{total:6.1f} s  in all, of which processors worked {spent.ru_utime + spent.ru_stime:.0f} s")
    return 0 if total < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
