"""Do the two checkers agree? Changed certificates, each checked in Python and in JavaScript.

    python tests/drivers/certificates_agree.py --count 100000

The changes are those of `certificates_mutate`. Both must accept, or both reject; by which test is counted, too. Needs
node.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import random_runs  # noqa: F401  (the path)

# isort: split
from certificates_mutate import KINDS, certificates, changed
from torture import plans, run

import symcf
from symcf.proof.checker.check import check_text

SCRIPT = Path(symcf.__file__).parent / "report" / "static" / "checker.js"

#: Reads texts as lines of JSON, writes the name of the failed test, or null, for each.
NODE = f"""
const {{ checkCertificate }} = require({json.dumps(str(SCRIPT))});
const lines = require("readline").createInterface({{ input: process.stdin, crlfDelay: Infinity }});
lines.on("line", (line) => process.stdout.write(JSON.stringify(checkCertificate(JSON.parse(line)).failed) + "\\n"));
"""


def in_javascript(texts: Iterable[str]) -> list[str | None]:
    """By text the name of the test that it fails; None if it passes."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    ran = subprocess.run(["node", "-e", NODE], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def attacks(seed: int, count: int, here: str) -> Iterator[tuple[str, str]]:
    """Kinds of changes, and changed certificates."""
    rng = random.Random(seed)
    pool = list(islice(certificates(seed, plans.namespace(here)), max(20, min(2000, count // 50))))
    for data in pool:
        yield "none", json.dumps(data)
    for number in range(count):
        text = None
        while text is None:
            text = changed(KINDS[number % len(KINDS)], rng.choice(pool), rng.choice(pool), rng)
        yield KINDS[number % len(KINDS)], text


def compared(texts: Sequence[tuple[str, str]]) -> tuple[Counter[str], list[str]]:
    """How often they agree, and in what; and where one accepts what the other rejects."""
    found: Counter[str] = Counter()
    apart = []
    for (kind, text), other in zip(texts, in_javascript(text for _, text in texts), strict=True):
        verdict = check_text(text)
        if bool(verdict) != (other is None):
            apart.append(f"{kind}: {verdict.failed} in Python, {other} in JavaScript\n{text}")
        agreed = "both accept" if verdict else "both reject, by one test" if verdict.failed == other else "both reject"
        found[agreed] += 1
    return found, apart


def main() -> int:
    """The command line; 1 if they do not agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100_000)
    given = parser.parse_args()
    total: Counter[str] = Counter()
    apart: list[str] = []
    with run.directory() as here:
        every = attacks(given.seed, given.count, here)
        while some := list(islice(every, 5000)):
            found, different = compared(some)
            total += found
            apart += different
    print(", ".join(f"{what}: {count:,}" for what, count in total.items()))
    print(f"{sum(total.values()):,} certificates, {len(apart)} on which the checkers do not agree")
    print("\n".join(apart[:3]))
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
