"""Where every figure of the documentation comes from: page, table, result file, command, commit.

    python bench/check_provenance.py            lists the origins, and what has none; the exit code is then 1
    python bench/check_provenance.py --reduce   removes from bench/results what no table reads and no page names

Three kinds of figures have no origin: tables and pictures made from results that were written without a commit, results
whose commit is unknown here, and figures that somebody typed into a page.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "docs")]

import common  # noqa: E402
import plots  # noqa: E402
import results  # noqa: E402

#: Figures that only a measurement can give: times, speeds, ratios of times.
TYPED = re.compile(
    r"\d[\d.,]*\s?(?:ns|µs|ms|milliseconds?|microseconds?|seconds?|minutes?|hours?|times (?:as|faster|slower|longer))\b"
)

#: Nearby, these make a figure a setting instead of a measurement.
SETTING = re.compile(
    r"time_limit|time limits? of|The goals are|LimitError|complete_up_to|by rising size|After 10 seconds"
)
#: A row of a table with at least three numbers.
ROW = re.compile(r"(?m)^\|(?:[^|\n]*\|)*?(?:\s*[\d.,]+[^|\n]*\|){3}")


# --- what is read -----------------------------------------------------------------------------------------------------


class ReadDict(dict[str, Any]):
    """A dictionary that knows which of its keys were read."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__({key: watched(value) for key, value in values.items()})
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.read.add(str(key))
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self.read.update(super().keys())
        return super().__iter__()

    def keys(self) -> Any:
        self.read.update(super().keys())
        return super().keys()

    def values(self) -> Any:
        self.read.update(super().keys())
        return super().values()

    def items(self) -> Any:
        self.read.update(super().keys())
        return super().items()


def watched(value: Any) -> Any:
    """The same value, whose dictionaries know what is read."""
    if isinstance(value, dict):
        return ReadDict(value)
    return [watched(one) for one in value] if isinstance(value, list) else value


def reduced(value: Any) -> Any:
    """What was read of a watched value. Lists keep their length."""
    if isinstance(value, ReadDict):
        return {key: reduced(dict.__getitem__(value, key)) for key in dict.keys(value) if key in value.read}
    return [reduced(one) for one in value] if isinstance(value, list) else value


def makers() -> dict[str, Callable[[], str]]:
    """Everything that shows measured figures: the tables, and the pictures of docs/plots.py."""
    pictures = {name: make for name, make in vars(plots).items() if name.endswith("_figure")}
    return {**{name: make for name, make in results.TABLES.items() if name != "machine"}, **pictures}


def reading() -> tuple[dict[str, Any], dict[str, list[str]]]:
    """All results after everything that shows figures has read them, and the files that each of these has read."""
    files: dict[str, Any] = {}
    opened: set[str] = set()

    def load(name: str) -> Any:
        opened.add(name)
        if name not in files:
            files[name] = watched(json.loads((common.RESULTS / f"{name}.json").read_text(encoding="utf-8")))
        return files[name]

    modules = [module for module in list(sys.modules.values()) if getattr(module, "load", None) in LOADERS]
    sources: dict[str, list[str]] = {}
    before = [module.load for module in modules]
    for module in modules:
        module.load = load
    try:
        for name, make in makers().items():
            opened.clear()
            make()
            sources[name] = sorted(opened)
    finally:
        for module, function in zip(modules, before, strict=True):
            module.load = function
    return files, sources


LOADERS = (results.load, plots.load)


# --- where it comes from ----------------------------------------------------------------------------------------------


def pages() -> dict[str, list[str]]:
    """By table or picture, the pages that show it."""
    shown = defaultdict(list)
    for path in documents():
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT).as_posix()
        for table in re.findall(r"```\{results\} (\w+)", text):
            shown[table].append(name)
        for picture in re.findall(r"(\w+)\.svg", text):
            shown[f"{picture}_figure"].append(name)
    shown["readme"].append("README.md")
    return shown


def documents() -> list[Path]:
    """README and pages."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def typed() -> list[str]:
    """Figures in prose, and tables beside the name of a benchmark. Code and its output is run by tests."""
    return [
        found
        for path in documents()
        for found in typed_in(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def typed_in(name: str, text: str) -> Iterator[str]:
    """Those of a page."""
    for generated in (results.MARKS, re.compile(r"(?ms)^```.*?^```")):
        text = generated.sub(lambda match: re.sub(r"[^\n]", "", match[0]), text)
    for match in TYPED.finditer(text):
        if not SETTING.search(text[max(0, match.start() - 200) : match.end() + 200]):
            yield f"{name}:{1 + text.count(chr(10), 0, match.start())}: {' '.join(match[0].split())}"
    for section in re.finditer(r"(?ms)^#.*?(?=^#|\Z)", text):
        row = ROW.search(section[0])
        if row and "bench/" in section[0]:
            line = 1 + text.count("\n", 0, section.start() + row.start())
            yield f"{name}:{line}: a table"


def known(commit: str) -> bool:
    """Is this a commit of the repository, as far as this clone has it?"""
    command = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def problem(data: Any, is_known: Callable[[str], bool] = known) -> str | None:
    """What is wrong with the origin of a result, or None."""
    origin = data.get("origin") if isinstance(data, dict) else None
    if not origin:
        version = data.get("machine", {}).get("packages", {}).get("symcf") if isinstance(data, dict) else None
        return f"no commit (symcf {version})" if version else "no commit"
    if origin["dirty"]:
        return f"measured in a changed tree on {origin['commit'][:12]}"
    return None if is_known(origin["commit"]) else f"unknown commit {origin['commit'][:12]}"


def older(data: Any, than: tuple[int, ...]) -> bool:
    """Was it measured on an older version of symcf?"""
    packages = data.get("machine", {}).get("packages", {}) if isinstance(data, dict) else {}
    numbers = re.findall(r"\d+", packages.get("symcf", ""))[:3]
    return bool(numbers) and tuple(map(int, numbers)) < than


def main() -> int:
    """The command line; 1 if a figure has no origin."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--reduce", action="store_true", help="remove from bench/results what nothing reads and no page names"
    )
    given = parser.parse_args()
    files, sources = reading()
    stored = sorted(
        path.relative_to(common.RESULTS).with_suffix("").as_posix() for path in common.RESULTS.rglob("*.json")
    )
    if given.reduce:
        for name in stored:
            if name.startswith("reliability/"):  # their programs read them again
                continue
            path = common.RESULTS / f"{name}.json"
            data = json.loads(path.read_text(encoding="utf-8"))
            if name not in files:
                if any(f"bench/results/{name}.json" in page.read_text(encoding="utf-8") for page in documents()):
                    path.write_text(common.compact(data) + "\n", encoding="utf-8")
                else:
                    path.unlink()
                continue
            kept = reduced(files[name])
            if isinstance(data, dict):  # what belongs to the whole file stays
                kept = {key: data[key] if key in ("machine", "load", "origin") else kept[key] for key in data
                        if key in kept or key in ("machine", "load", "origin")}  # fmt: skip
            path.write_text(common.compact(kept) + "\n", encoding="utf-8")
        return 0

    bad = 0
    shown = pages()
    problems = {name: problem(files[name]) for name in files}
    for name, used in sources.items():
        where = ", ".join(shown[name]) or "no page"
        for file in used:
            if problems[file]:
                bad += 1
                print(f"{where}: {name}: bench/results/{file}.json: {problems[file]}")
            else:
                origin = files[file]["origin"]
                busy = " (busy machine)" if origin["busy"] else ""
                print(
                    f"{where}: {name}: bench/results/{file}.json: {origin['command']} at {origin['commit'][:12]}{busy}"
                )
    for figure in typed():
        bad += 1
        print(f"{figure}: typed")
    unread = [name for name in stored if name not in files]
    if unread:
        print(f"read by nothing: {', '.join(unread)}")
    old = [name for name in files if older(files[name], (0, 2, 0))]
    wrong = sum(map(bool, problems.values()))
    print(f"{len(files)} results in use, {wrong} without a commit, {len(old)} of versions before 0.2.0")
    print(f"{bad} figures, tables and pictures without an origin")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
