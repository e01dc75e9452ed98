"""What the long random checks share: their command line, and a loop over seeds."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
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


def rounds(
    round_of: Callable[[int, int], tuple[int, list[str]]], what: str, checks: str, doc: str | None, count: int
) -> int:
    """The command line of a round of checks, which gives their number and what is wrong; 1 if something is."""
    given = asked(doc, count)
    done, failures = round_of(given.seed, given.count)
    print(f"{given.count:,} {what}, {done:,} {checks}, {len(failures)} wrong")
    for failure in failures[:10]:
        print(failure)
    return 1 if failures else 0


def run(check: Callable[[int], object], what: str, doc: str | None, count: int) -> int:
    """Checks seed after seed and prints what is wrong, after Ctrl-C as well; 1 if something is."""
    given = asked(doc, count)
    done = wrong = 0
    with suppress(KeyboardInterrupt):
        for seed in range(given.seed, given.seed + given.count):
            try:
                check(seed)
            except AssertionError as error:
                wrong += 1
                print(str(error)[:2000])
            done += 1
    print(f"{done:,} {what}, {wrong} wrong")
    return 1 if wrong else 0


def tallied(check: Callable[[int, Counter[str]], object], what: str, doc: str | None, count: int) -> int:
    """The same for checks that count what they looked at; what scikit-learn warns of is left out."""
    tally: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = run(lambda seed: check(seed, tally), what, doc, count)
    print(", ".join(f"{count:,} {what}" for what, count in tally.items()))
    return wrong
