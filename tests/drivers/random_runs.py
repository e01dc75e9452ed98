"""What the long random checks share: their command line, and a loop over seeds."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

# Programs import this module first: it makes the shared modules of the tests known.
TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "support")]


def parser(doc: str | None, count: int) -> argparse.ArgumentParser:
    """Takes ``--seed`` and ``--count``."""
    made = argparse.ArgumentParser(description=doc)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--count", type=int, default=count)
    return made


def asked(doc: str | None, count: int) -> argparse.Namespace:
    """``--seed`` and ``--count``."""
    return parser(doc, count).parse_args()


def run(check: Callable[[int], object], what: str, doc: str | None, count: int) -> int:
    """Checks seed after seed and prints what is wrong; 1 if something is."""
    given = asked(doc, count)
    wrong = 0
    for seed in range(given.seed, given.seed + given.count):
        try:
            check(seed)
        except AssertionError as error:
            wrong += 1
            print(str(error)[:2000])
    print(f"{given.count:,} {what}, {wrong} wrong")
    return 1 if wrong else 0
