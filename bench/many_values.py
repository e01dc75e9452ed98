"""Tables of rows whose features have many values, against two: what do they cost at equal numbers of change sets?

    python bench/many_values.py [--sets 20 100 500] [--classifiers 5] [--wait]
                                    eight minutes; prints a table a number of sets, writes results/many_values.json
                                    with --wait it waits for a load below 3 before each group, ten minutes in all

Random naive Bayes classifiers with 2, 3, 4 and 8 values a feature, all probabilities uniform (of a class they are
scaled to add up to one). For each number of values the number of features is the least one with which the median
classifier has as many change sets a row as wanted; then those classifiers are taken, one after the other as the seeds
go, that have as many within 5 in 100. So each group of classifiers that is compared answers 20,000 different rows with
about as many sets. (Different, because equal rows are solved once, and with two values many would be equal.)

`explain_batch`, one thread, processor time; the classifiers of a group run in turns, and a ratio is taken turn by turn:
time a set against time a set of the two-valued one.                                     wanted: at most 2 times as long

Three classes with three values, "any other class", for information: such a row has two thresholds to cross.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import common
import numpy as np
from common import Spread

import symcf
from symcf.fast import explain_batch

ROWS = 20_000
TURNS = 7
SAMPLE = 1_000
TOLERANCE = 0.05

#: Which load is quiet enough, and how many seconds we wait for it.
QUIET, PATIENCE = 3.0, 600


#: Names of results, and the option `sort`.
WAYS = {"sorted": True, "as found": False}


@dataclass(frozen=True)
class Kind:
    values: int
    classes: int = 2

    @property
    def name(self) -> str:
        return f"{self.values} values" + ("" if self.classes == 2 else f", {self.classes} classes")


BINARY = Kind(2)
KINDS = (BINARY, Kind(3), Kind(4), Kind(8), Kind(3, classes=3))


@dataclass(frozen=True)
class Member:
    """A classifier of a group, with its rows."""

    compiled: symcf.Compiled
    rows: np.ndarray


# --- classifiers ------------------------------------------------------------------------------------------------------


def random_classifier(kind: Kind, n: int, rng: np.random.Generator) -> symcf.NaiveBayes:
    tables = rng.random((n, kind.classes, kind.values))
    prior = rng.random(kind.classes)
    return symcf.NaiveBayes(prior / prior.sum(), tables / tables.sum(axis=2, keepdims=True))


def distinct_rows(count: int, n: int, values: int, rng: np.random.Generator) -> np.ndarray:
    """As many as there are, if there are fewer; in no order."""
    if values**n <= 4 * count:
        numbers = rng.permutation(values**n)[:count]
        return (numbers[:, np.newaxis] // values ** np.arange(n) % values).astype(np.int8)
    rows = np.unique(rng.integers(values, size=(2 * count, n), dtype=np.int8), axis=0)
    return rng.permutation(rows)[:count]


def member(kind: Kind, n: int, seed: int, rows: int) -> Member:
    compiled = symcf.compile(random_classifier(kind, n, np.random.default_rng([kind.values, kind.classes, n, seed])))
    return Member(compiled, distinct_rows(rows, n, kind.values, np.random.default_rng([1, n, seed])))


def sets_a_row(one: Member) -> float:
    return (len(explain_batch(one.compiled, one.rows, sort=False).set_offsets) - 1) / len(one.rows)


def features_for(kind: Kind, wanted: int) -> int:
    """The least number of features with which the median of nine classifiers has as many sets a row."""
    n = 4
    while median(sets_a_row(member(kind, n, seed, 300)) for seed in range(9)) < wanted:
        n += 1
    return n


def members(kind: Kind, wanted: int) -> Iterator[Member]:
    n = features_for(kind, wanted)
    for seed in range(10_000):
        few = sets_a_row(member(kind, n, seed, SAMPLE))
        if abs(few / wanted - 1) <= 2 * TOLERANCE:
            candidate = member(kind, n, seed, ROWS)
            if abs(sets_a_row(candidate) / wanted - 1) <= TOLERANCE:
                yield candidate


# --- timing -----------------------------------------------------------------------------------------------------------


def measure_group(group: dict[Kind, Member]) -> dict[str, Any]:
    """In turns, sorted (the default) and as found."""
    works = {
        (kind, sort): lambda one=one, sort=sort: explain_batch(one.compiled, one.rows, sort=sort)
        for kind, one in group.items()
        for sort in (True, False)
    }
    named = common.in_turns({str(i): work for i, work in enumerate(works.values())}, TURNS)
    timings = dict(zip(works, named.values(), strict=True))
    result = {}
    for kind, one in group.items():
        batch = explain_batch(one.compiled, one.rows, sort=False)
        n_sets = len(batch.set_offsets) - 1
        result[kind.name] = {
            "features": one.compiled.n_features,
            "rows": len(one.rows),
            "sets_a_row": n_sets / len(one.rows),
            "features_a_set": len(batch.features) / n_sets,
            **{way: per_set(timings[kind, sort], n_sets, len(one.rows)) for way, sort in WAYS.items()},
        }
    binary = result[BINARY.name]
    for kind in group:
        for way in WAYS:
            mine, theirs = (r[way]["turns_ns_a_set"] for r in (result[kind.name], binary))
            result[kind.name][way]["times_binary"] = Spread.of(a / b for a, b in zip(mine, theirs, strict=True))
    return result


def per_set(timing: common.Timing, n_sets: int, n_rows: int) -> dict[str, Any]:
    return {
        "ns_a_set": 1e9 * timing.median / n_sets,
        "ns_a_row": 1e9 * timing.median / n_rows,
        "turns_ns_a_set": [1e9 * seconds / n_sets for seconds in timing.turns],
    }


def wait_until_quiet(patience: float) -> float:
    """The seconds of patience that are left."""
    start = time.monotonic()
    while os.getloadavg()[0] >= QUIET and time.monotonic() < start + patience:
        time.sleep(5)
    return max(0.0, patience - (time.monotonic() - start))


def measure(wanted: int, count: int, patience: float) -> tuple[dict[str, Any], float]:
    """And the seconds of patience that are left."""
    found = {kind: members(kind, wanted) for kind in KINDS}
    runs, loads = [], []
    for _ in range(count):
        group = {kind: next(candidates) for kind, candidates in found.items()}
        patience = wait_until_quiet(patience)
        loads.append(os.getloadavg()[0])
        runs.append(measure_group(group))
    return {"wanted_sets_a_row": wanted, "loads": loads, "kinds": summary(runs), "runs": runs}, patience


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians over the classifiers, with least and most."""
    return {
        kind.name: {
            "features": runs[0][kind.name]["features"],
            "rows": runs[0][kind.name]["rows"],
            **{key: Spread.of(run[kind.name][key] for run in runs) for key in ("sets_a_row", "features_a_set")},
            **{
                way: {
                    "ns_a_set": Spread.of(run[kind.name][way]["ns_a_set"] for run in runs),
                    "ns_a_row": Spread.of(run[kind.name][way]["ns_a_row"] for run in runs),
                    "times_binary": Spread.of(run[kind.name][way]["times_binary"].median for run in runs),
                }
                for way in WAYS
            },
        }
        for kind in KINDS
    }


# ----------------------------------------------------------------------------------------------------------------------


def print_size(result: dict[str, Any]) -> None:
    loads = Spread.of(result["loads"])
    print(f"\nabout {result['wanted_sets_a_row']} sets a row, {loads.count} classifiers of each kind; load {loads:.1f}")
    common.print_table(
        ("", "features", "rows", "sets a row", "features a set", "ns a set", "ns a row", "times binary",
         "as found, times binary"),
        [
            (name, kind["features"], f"{kind['rows']:,}", f"{kind['sets_a_row']:.1f}",
             f"{kind['features_a_set'].median:.1f}", f"{kind['sorted']['ns_a_set']:.0f}",
             f"{kind['sorted']['ns_a_row'].median:,.0f}", f"{kind['sorted']['times_binary']:.2f}",
             f"{kind['as found']['times_binary']:.2f}")
            for name, kind in result["kinds"].items()
        ],
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, nargs="+", default=[20, 100, 500])
    parser.add_argument("--classifiers", type=int, default=5)
    parser.add_argument("--wait", action="store_true", help=f"for a load below {QUIET:g}")
    options = parser.parse_args()
    results, patience = [], PATIENCE if options.wait else 0.0
    for wanted in options.sets:
        result, patience = measure(wanted, options.classifiers, patience)
        results.append(result)
        print_size(result)
    common.write("many_values", {"machine": common.machine(), "rows": ROWS, "turns": TURNS, "sizes": results})


if __name__ == "__main__":
    main()
