"""Is no change set missing where a classifier is asked? Every row that must not flip is asked about again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np

from symcf.answers.explanation import Explanation
from symcf.proof.verification.by_leaves import key_of, sets_before
from symcf.proof.verification.case import Case
from symcf.proof.verification.patience import OverBudget
from symcf.proof.verification.report import Report

__all__ = ["check_complete_by_asking"]

#: Rows, and sets of features, that may be asked about to see whether one is missing.
MOST_ASKED = 1 << 18

#: Rows of a table.
TABLE = 512


def check_complete_by_asking(case: Case[Explanation], report: Report) -> None:
    """No set that may be asked for, and contains none that was found, may flip the decision."""
    report.method = "asking"
    try:
        for change_set in _flipping(case, _unlisted(case)):
            report.fail("complete", f"a change set within {change_set} is missing")
            break
    except OverBudget:
        report.method = ""
        report.skip("complete", f"more than {MOST_ASKED:,} rows would have to be asked about")


def _unlisted(case: Case[Explanation]) -> Iterator[tuple[int, ...]]:
    """The sets that must not flip the decision."""
    e = case.explanation
    listed = [set(change_set) for change_set in e.sets]
    if e.k is not None and len(e.sets) == e.k:
        if e.costs.per_value is not None:
            raise OverBudget
        every: Iterable[tuple[int, ...]] = sets_before(case, key_of(case, e.sets[-1]))
    else:
        free = [j for j in case.free if {j} not in listed]
        every = (part for size in range(1, case.most + 1) for part in combinations(free, size))
    for tried, change_set in enumerate(every):
        if tried > MOST_ASKED:
            raise OverBudget
        if not any(found.issubset(change_set) for found in listed):
            yield change_set


def _flipping(case: Case[Explanation], sets: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The sets of which some values flip the decision."""
    rows: list[list[int]] = []
    owner: list[tuple[int, ...]] = []
    asked = 0

    def ask() -> Iterator[tuple[int, ...]]:
        case.look()
        flips = case.flips(np.array(rows, dtype=np.int64).reshape(len(rows), len(case.x)))
        yield from (owner[i] for i in np.flatnonzero(flips).tolist())
        rows.clear()
        owner.clear()

    for change_set in sets:
        asked += math.prod(len(case.choices[j]) - 1 for j in change_set)
        if asked > MOST_ASKED:
            raise OverBudget
        for codes in product(*(case.choices[j][1:] for j in change_set)):
            row = list(case.x)
            for j, code in zip(change_set, codes, strict=True):
                row[j] = code
            rows.append(row)
            owner.append(change_set)
        if len(rows) >= TABLE:
            yield from ask()
    yield from ask()
