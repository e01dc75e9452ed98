"""Are change sets minimal, and is none missing, where trees vote that are too many for a diagram? See `ensembles`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from symcf.answers.explanation import Explanation
from symcf.proof.verification.case import Case
from symcf.proof.verification.duality import MOST_DUAL, TooMany, hitting_sets
from symcf.proof.verification.ensembles import Leaves
from symcf.proof.verification.patience import OverBudget
from symcf.proof.verification.report import Report

__all__ = ["check_complete_by_leaves", "check_minimal_by_leaves", "key_of", "sets_before"]

#: Features of the sets that are tried one after the other, where trees vote.
MOST_TRIED = 3


def check_minimal_by_leaves(
    case: Case[Explanation], leaves: Leaves, report: Report, large: Sequence[tuple[int, ...]]
) -> None:
    """No set may flip the decision without one of its features."""
    try:
        for change_set in large:
            for j in change_set:
                if leaves.can_flip(set(change_set) - {j}):
                    report.fail("minimal", f"{change_set} is not minimal: {j} may keep its value")
    except OverBudget:
        report.skip("minimal", "the leaves that some sets can reach are too many to look at")


def check_complete_by_leaves(case: Case[Explanation], leaves: Leaves, report: Report) -> None:
    """No set that may be asked for, and contains none that was found, may flip the decision."""
    report.method = "leaves"
    e = case.explanation
    last = None
    if e.k is not None and len(e.sets) == e.k:
        last = key_of(case, e.sets[-1])
    listed = [set(change_set) for change_set in e.sets]
    try:
        if last is None and case.most == len(case.x):
            for kept in hitting_sets(e.sets, MOST_DUAL, case.look):
                rest = [j for j in case.free if j not in kept]
                if leaves.can_flip(rest):
                    report.fail("complete", f"a change set within {tuple(rest)} is missing")
            return
        if last is not None and e.costs.per_value is not None:
            raise OverBudget
        if (largest := case.most if last is None else max(map(len, e.sets))) > MOST_TRIED:
            raise OverBudget
        for free in combinations(case.free, min(largest, len(case.free))) if last is None else sets_before(case, last):
            if not any(found <= set(free) for found in listed) and leaves.can_flip(free):
                report.fail("complete", f"a change set within {free} is missing")
    except (OverBudget, TooMany):
        report.method = ""
        report.skip("complete", "the leaves that other sets can reach are too many to look at")


def key_of(case: Case[Explanation], change_set: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
    """The order of results; a set costs at least what its cheapest changes cost."""
    cost = sum(min(unit for v, unit in case.units[j].items() if v != case.x[j]) for j in change_set)
    return cost, len(change_set), change_set


def sets_before(case: Case[Explanation], last: tuple[int, int, tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """All sets that come before the last one; `OverBudget` if they may have more features than can be tried."""
    cheapest = sorted(key_of(case, (j,))[0] for j in case.free)
    most = next((n for n in range(len(cheapest)) if sum(cheapest[: n + 1]) > last[0]), len(cheapest))
    if most > MOST_TRIED:
        raise OverBudget
    for size in range(1, min(most, case.most) + 1):
        for change_set in combinations(case.free, size):
            if key_of(case, change_set) < last:
                yield change_set
