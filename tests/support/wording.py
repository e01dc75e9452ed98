"""Finds turns of phrase that are not plain technical English: ``python tests/support/wording.py [FILE ...]``.

Without files, all tracked Python, Markdown, C and Cython sources are read; `make lint` runs it so. Each finding is
printed with its place and what to write instead, and the exit code is 1. `docs/glossary.md` has the terms to use.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SUFFIXES = (".py", ".md", ".c", ".h", ".pxi", ".pyx", ".pxd", ".pyi")

#: Counted things and what they are counted by: "one clause per path", not "one clause a path".
THINGS = "clause|column|entry|file|line|node|number|part|row|run|stamp|table|test|treap|value"
OWNERS = "case|class|feature|line|model|operation|package|path|room|row|set|step|sum|thread|tree|value"

#: A phrase, and what to write instead. White space in a phrase also matches a line break.
BANNED = {
    r"refus(?:ed|es|al|e) by name": "not supported, and what is raised",
    r"whatever else (?:is|was|were) true": "regardless of the other values",
    r"of the processor": "CPU time, CPU seconds",
    r"(?:a|the) (?:class|column|feature|row|set|value|number|name) that is none": "what it is instead",
    r"is another matter": "a sentence about that matter",
    r"takes? (?:its|their) time": "is slow, and how slow",
    r"goes without saying": "the reason",
    r"(?:is|are) no ties?": "is not a tie",
    r"(?:classifiers?|models?) (?:that|which) (?:is|are) asked": "black-box model",
    r"how late (?:an? )?(?:time )?limits?\b": "time-limit overshoot",
    r"limits?(?: and Ctrl-C)? strikes?": "time-limit overshoot",
    r"(?:an? early|early|earlier|each|every|later|per) rooms?": "package",
    r"(?:a|the) rooms? (?:knows?|of the (?:core|flow)|above|before)": "package",
    r"room by room": "package by package",
    r"through the (?:whole )?house|the house in one": "the architecture, all stages",
    r"at the door": "where rows are read",
    r"know no steps": "without step support",
    r"takes? over from there": "the name of what comes next",
    r'"""Asks\.': "what it does, to what",
    r"called what .{1,40} (?:is|are) called": "has the same name as",
    r"is no text for": "cannot be written to",
    r"not worth (?:its|their) parameters": "the criterion",
    r"tells? no (?:sufficient )?reasons?": "reasons are not supported",
    rf"\b(?:an?|one) (?:{THINGS}) an? (?:{OWNERS})\b": "one ... per ...",
}


class Finding(NamedTuple):
    """A banned phrase in a file."""

    path: Path
    line: int
    phrase: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.phrase!r}: write {self.instead}"


#: Between two words: spaces, or the end of a line with what begins the next one in a comment or a string.
GAP = r"""(?:[ \t]+|[ \t]*["']?[ \t]*\r?\n[ \t]*(?:\*|\#:?|//|f?["'])?[ \t]*)"""
PATTERNS = [(re.compile(phrase.replace(" ", GAP), re.IGNORECASE), instead) for phrase, instead in BANNED.items()]


def findings(path: Path) -> Iterator[Finding]:
    """All banned phrases of a file."""
    text = path.read_text(encoding="utf-8")
    for pattern, instead in PATTERNS:
        for match in pattern.finditer(text):
            phrase = " ".join(match[0].split())
            yield Finding(path, 1 + text.count("\n", 0, match.start()), phrase, instead)


def sources() -> list[Path]:
    """The tracked files of ours, without this one and its test, which have all phrases in them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [
        ROOT / name for name in listed.split("\0") if name.endswith(SUFFIXES) and not name.startswith("third_party/")
    ]
    own = (Path(__file__).resolve(), ROOT / "tests" / "unit" / "test_wording.py")
    return [path for path in paths if path not in own and path.exists()]


def main(given: list[str]) -> int:
    """Prints the findings; 1 if there are any."""
    paths = [Path(name) for name in given] or sources()
    found = [finding for path in paths for finding in findings(path)]
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
