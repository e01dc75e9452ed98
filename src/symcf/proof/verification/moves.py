"""Is an explanation right whose counterfactuals claim that nothing can be moved less far? From the definition.

A row is nearer than another if each feature is where it was, or at the same value, or, where values come in an order,
at one between; and one of them is not at the same value. A counterfactual must have none that is nearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

from symcf.answers.explanation import Explanation
from symcf.answers.facts import Counterfactual
from symcf.proof.verification.case import Case
from symcf.proof.verification.report import Report
from symcf.proof.verification.sums import sums_of

__all__ = ["check_moves"]

#: Rows that brute force may look at, for one counterfactual or for all of them.
BRUTE_FORCE = 1 << 16


def check_moves(case: Case[Explanation], counterfactuals: Sequence[Counterfactual], report: Report) -> None:
    """Order, minimality and completeness; `report` has what was found before."""
    rows = [tuple(cf.instance.tolist()) for cf in counterfactuals]
    if len(set(rows)) != len(rows):
        report.fail("honest", "a counterfactual appears twice")
    paid = [case.cost(row) for row in rows]
    if paid != sorted(paid):
        report.fail("honest", "the counterfactuals are not ordered by cost")
    for row in rows:
        case.look()
        _check_minimal(case, row, report)
    _check_complete(case, set(rows), report)


def _nearer(case: Case[Explanation], j: int, value: int) -> list[int]:
    """The values of feature j that are at most as far, farthest first; the last one is its own."""
    own, choices = case.x[j], case.choices[j]
    between = [v for v in choices if min(own, value) <= v <= max(own, value)]
    kept = between if _in_order(case, j, value) else [own, value] if value != own else [own]
    return sorted(kept, key=lambda v: -abs(v - own))


def _check_minimal(case: Case[Explanation], row: tuple[int, ...], report: Report) -> None:
    changed = case.changed(row)
    box = [_nearer(case, j, row[j]) for j in range(len(row))]
    if prod(map(len, box)) <= BRUTE_FORCE:
        grid = np.stack(np.meshgrid(*(np.array(values) for values in box), indexing="ij"), axis=-1)
        flipping = case.flips(grid.reshape(-1, len(row))[1:].astype(np.int64))  # the first one is the row itself
        if flipping.any():
            report.fail("minimal", f"{changed} -> {[row[j] for j in changed]} can be moved less far")
    elif case.sums is not None:
        for j in changed:
            nearer = [[case.x[i], *values[1 if i == j else 0 : -1]] for i, values in enumerate(box)]
            e = case.explanation
            sums = sums_of(case.compiled, case.x, e.prediction, e.target, nearer)
            assert sums is not None
            if sums.can_flip([i for i, values in enumerate(nearer) if len(values) > 1]):
                report.fail("minimal", f"{changed} -> {[row[j] for j in changed]} can be moved less far")
                break
    elif report.minimal:
        report.skip("minimal", f"there are too many rows nearer than {changed} -> {[row[j] for j in changed]}")


def _check_complete(case: Case[Explanation], given: set[tuple[int, ...]], report: Report) -> None:
    explanation = case.explanation
    if explanation.limited_by is not None:
        report.notes.append(f"the explanation does not claim to be complete ({explanation.limited_by})")
        return
    free = [j for j, choices in enumerate(case.choices) if len(choices) > 1]
    most = min(case.most, len(free))
    parts = list(combinations(free, most)) if comb(len(free), most) <= BRUTE_FORCE else None
    if parts is None or sum(prod(len(case.choices[j]) for j in part) for part in parts) > BRUTE_FORCE:
        report.skip("complete", "there are too many rows for brute force")
        return
    report.method = "brute force"
    minimal = np.unique(np.concatenate([_minimal_rows(case, part) for part in parts]), axis=0)
    paid = np.sort(case.costs(minimal))
    wanted = paid if explanation.k is None else paid[: explanation.k]
    if explanation.k is None:
        for row in sorted(set(map(tuple, minimal.tolist())) - given):
            report.fail("complete", f"{case.changed(row)} -> {[row[j] for j in case.changed(row)]} is missing")
    elif sorted(case.cost(row) for row in given) != wanted.tolist():
        report.fail("complete", f"there are cheaper ones than some of these {explanation.k}, or more of them")


def _minimal_rows(case: Case[Explanation], free: Sequence[int]) -> npt.NDArray[np.int64]:
    """All rows that change these features or some of them, flip, within the constraints, and have none that is nearer:
    one axis per feature.
    """
    case.look()
    axes = [sorted(choices) if j in free else [case.x[j]] for j, choices in enumerate(case.choices)]
    grid = np.stack(np.meshgrid(*(np.array(values) for values in axes), indexing="ij"), axis=-1)
    rows = grid.reshape(-1, len(axes)).astype(np.int64)
    flips = case.flips(rows)
    within = flips.reshape([len(values) for values in axes]).copy()  # does it, or something nearer, flip?
    nearer = [_next_nearer(case, j, values) for j, values in enumerate(axes)]
    for j in range(len(axes)):
        own, along = axes[j].index(case.x[j]), np.moveaxis(within, j, 0)
        for i in [*range(own + 1, len(along)), *range(own - 1, -1, -1)]:
            along[i] |= along[nearer[j][i]]
    beaten = np.zeros_like(within)
    for j in range(len(axes)):
        own, along, over = axes[j].index(case.x[j]), np.moveaxis(within, j, 0), np.moveaxis(beaten, j, 0)
        for i in range(len(axes[j])):
            if i != own:
                over[i] |= along[nearer[j][i]]
    return np.asarray(rows[flips & ~beaten.reshape(-1)])


def _in_order(case: Case[Explanation], j: int, value: int) -> bool:
    """Are there values between the own one and this one? None where one of the two is missing, or unknown."""
    compiled, own = case.compiled, case.x[j]
    apart = {of[j] for of in (compiled.missing, compiled.unknown) if of}
    return compiled.ordered[j] and own not in apart and value not in apart


def _next_nearer(case: Case[Explanation], j: int, values: Sequence[int]) -> list[int]:
    """By place among these values, which ascend, the next place that is nearer to the own one."""
    own = values.index(case.x[j])
    return [
        own if i == own or not _in_order(case, j, value) else i - 1 if i > own else i + 1
        for i, value in enumerate(values)
    ]
