"""A few counterfactuals that differ: symcf's choice beside DiCE's, on the same instances of the same classifiers.

    python bench/diverse.py [--features 12] [--classifiers 4] [--instances 6] [--wanted 3]
                                    a minute; prints a table, writes results/diverse.json; --quick

The measure is the smallest distance of two of the k, the share of changed features that only one of the two changes.
DiCE is asked for k counterfactuals by its methods `random` and `kdtree` (`genetic` needs a column of numbers); only
rows where it gives k that flip the decision are counted. Its counterfactuals may change more than they need to, and
what is changed needlessly makes them differ, so they are also measured without it: changes are taken back, the first
first, as long as the decision stays flipped. It lives in the environment of peers.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from statistics import median
from typing import Any

import common
import numpy as np
from batch import random_rows
from peers import changed, set_up, tabular_peers

import symcf


def smallest(sets: Sequence[tuple[int, ...]]) -> Fraction:
    pairs = itertools.combinations(map(set, sets), 2)
    return min(Fraction(len(a ^ b), len(a | b)) if a | b else Fraction(0) for a, b in pairs)


def flips(compiled: symcf.Compiled, row: np.ndarray, change_set: Sequence[int]) -> bool:
    other = row.copy()
    other[list(change_set)] ^= 1
    decided = compiled.decide(np.array([row, other]))
    return bool(decided[0] != decided[1])


def without_needless(compiled: symcf.Compiled, row: np.ndarray, change_set: tuple[int, ...]) -> tuple[int, ...]:
    for feature in change_set:
        fewer = tuple(j for j in change_set if j != feature)
        if flips(compiled, row, fewer):
            change_set = fewer
    return change_set


def one_classifier(model: symcf.NaiveBayes, rows: np.ndarray, k: int) -> tuple[list[dict[str, Any]], dict[str, str]]:
    compiled = symcf.compile(model)
    theirs = tabular_peers(model, rows, diverse=k)
    found = []
    for i, row in enumerate(rows):
        ours = compiled.explain(row, diverse=k)
        for name, result in theirs["tools"].items():
            answer = result["answers"][i]
            sets = [s for s in changed(row, answer["counterfactuals"]) if flips(compiled, row, s)]
            if len(ours.sets) < k or len(sets) < k:
                continue
            needed = [without_needless(compiled, row, s) for s in sets]
            found.append(
                {
                    "tool": name,
                    "ours": float(smallest(ours.sets)),
                    "exact": ours.diversity is not None and ours.diversity.exact,
                    "theirs": float(smallest(sets)),
                    "theirs needed": float(smallest(needed)),
                    "changes": sum(map(len, ours.sets)) / k,
                    "their changes": sum(map(len, sets)) / k,
                }
            )
    return found, theirs["versions"]


def summary(tool: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    mine = [answer for answer in found if answer["tool"] == tool]
    middle = {key: median(answer[key] for answer in mine) for key in mine[0] if key not in ("tool", "exact")}
    return {
        "tool": tool,
        "rows": len(mine),
        "exact": sum(answer["exact"] for answer in mine),
        "farther than ours": sum(answer["theirs"] > answer["ours"] for answer in mine),
        "farther than ours, needed": sum(answer["theirs needed"] > answer["ours"] for answer in mine),
        **middle,
    }


def main() -> None:
    parser = common.parser(__doc__)
    for name, default in (
        ("features", 12),
        *common.sized((("classifiers", 4), ("instances", 6)), (("classifiers", 1), ("instances", 3))),
        ("wanted", 3),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    if problem := set_up():
        raise SystemExit(f"DiCE cannot be installed here: {problem}")
    found: list[dict[str, Any]] = []
    versions: dict[str, str] = {}
    for i, model in enumerate(common.random_classifiers(args.features, args.classifiers)):
        rows = random_rows(args.instances, args.features, seed=i)
        answers, versions = one_classifier(model, rows, args.wanted)
        found += answers
    tools = [summary(tool, found) for tool in sorted({answer["tool"] for answer in found})]
    common.print_table(list(tools[0]), [list(tool.values()) for tool in tools])
    common.write("diverse", {"machine": common.machine(), "wanted": args.wanted, "features": args.features,
                             "versions": versions, "tools": tools})  # fmt: skip


if __name__ == "__main__":
    main()
