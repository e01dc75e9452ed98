"""Are reasons right? Checked from the definition, and complete by duality, sharing nothing with the engines.

- valid     is the decision forced, whatever the features outside of each reason become?
- minimal   is it not, if one feature of a reason is left out?
- complete  do the minimal hitting sets of all reasons flip the decision? Then none is missing (see `duality`). For k:
            is no cheaper one missing, by brute force or by sums of weights?
- honest    are order and costs what they claim to be?

Conditions that are wider than the row (``general=True``) belong to "valid" and "minimal": no admitted row may flip the
decision, and one more value would.

All is read off one question: may the decision flip if these features change? Every row is looked at where there are
few, then sums of weights are added up, or a pass over the diagram tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

import numpy as np

from symcf.answers.reason_facts import Condition
from symcf.answers.reasons import Reasons
from symcf.common.clock import NO_LIMIT, Clock
from symcf.data.regions import Region
from symcf.errors import LimitError
from symcf.proof.verification.case import Case
from symcf.proof.verification.completeness import TooMany, flips_by_numbers, hitting_sets
from symcf.proof.verification.report import OverBudget, Report, unless_late
from symcf.proof.verification.sat import Reach
from symcf.proof.verification.sums import Gain, Offer, Sums, TooManySets
from symcf.system.classifier import Classifier

__all__ = ["verify_reasons"]

#: Rows that brute force may look at.
BRUTE_FORCE = 1 << 16

#: Nodes that all passes over a diagram may look at together, steps of a search in sums, and hitting sets.
PASSES, STEPS, MOST_DUAL = 1 << 29, 1 << 20, 1 << 12

CanFlip = Callable[[Iterable[int]], bool]


def verify_reasons(compiled: Classifier, x: Any, reasons: Reasons, clock: Clock = NO_LIMIT) -> Report:
    """Checks the reasons for the decision of instance x against the definition."""
    report = Report()
    if compiled.decision.numbers is not None:
        for question in ("valid", "minimal", "complete", "honest"):
            report.skip(question, "columns of numbers have more values than can be looked at")
        return report
    case = Case(compiled, x, reasons, clock)
    if case.x != reasons.instance.tolist():
        report.fail("valid", f"the reasons are of {reasons.instance.tolist()}, not of {case.x}")
    decided = int(compiled.decide(np.array([case.x], dtype=np.int64))[0])
    if decided != reasons.prediction or reasons.target == decided:
        report.fail("valid", "the prediction or the target is wrong")
    for reason in reasons.sets:
        if list(reason) != sorted(set(reason) & set(range(len(case.x)))):
            report.fail("valid", f"{reason} is not a set of features in order")
            return report
    _check_honest(case, report)
    unless_late(report, "valid minimal complete", case.look, lambda: _check_flips(case, report))
    if reasons.is_general:
        unless_late(report, "valid minimal", case.look, lambda: _check_general(case, report))
    return report


def _check_general(case: Case[Reasons], report: Report) -> None:
    """Conditions that are wider than the row: do they force the decision, and would one more value not?"""
    if case.compared is not None or prod(len(choices) for choices in case.choices) > BRUTE_FORCE:
        report.skip("valid", "wide conditions are checked by looking at every row, and there are too many")
        return
    rows = case.rows_within(case.free)
    rows = rows[case.flips(rows)]
    for reason in case.explanation:
        case.look()
        admitted = {c.feature: [v for v in case.choices[c.feature] if _admits(case, c, v)] for c in reason.conditions}
        obeyed = {j: np.isin(rows[:, j], [case.x[j], *codes]) for j, codes in admitted.items()}
        if np.logical_and.reduce([np.ones(len(rows), dtype=bool), *obeyed.values()]).any():
            report.fail("valid", f"{reason} does not force the decision")
        for j in admitted if reason.maximal else ():
            others = np.logical_and.reduce([np.ones(len(rows), dtype=bool), *(o for i, o in obeyed.items() if i != j)])
            if any(v not in rows[others, j] for v in _next(case, j, {case.x[j], *admitted[j]})):
                report.fail("minimal", f"{reason} could be wider in {case.compiled.features[j]!r}")


def _admits(case: Case[Reasons], condition: Condition, code: int) -> bool:
    """Does a condition admit a value?"""
    regions = case.compiled.encoder.readers[condition.feature].regions
    accepted = condition.accepted
    if regions is None or code not in regions or not isinstance(accepted.range, Region):
        label = case.compiled.values[condition.feature][code]
        return label in (accepted.also if isinstance(accepted.range, Region) else accepted.range)
    return accepted.range.first <= regions[code].last and regions[code].first <= accepted.range.last


def _next(case: Case[Reasons], j: int, codes: set[int]) -> list[int]:
    """The values by which a condition could be wider next."""
    others = [v for v in case.choices[j] if v not in codes]
    special = {some[j] for some in (case.compiled.missing, case.compiled.unknown) if some}
    if not case.compiled.ordered[j]:
        return others
    along = [v for v in others if v not in special and case.x[j] not in special]
    ends = [
        min((v for v in along if v > case.x[j]), default=None),
        max((v for v in along if v < case.x[j]), default=None),
    ]
    return [*(v for v in others if v in special), *(v for v in ends if v is not None)]


def _check_flips(case: Case[Reasons], report: Report) -> None:
    can_flip = _flips(case)
    if can_flip is None:
        for question in ("valid", "minimal", "complete"):
            report.skip(question, "there are no sums, and the diagram does not fit its budget")
        return
    unless_late(report, "valid", case.look, lambda: _check_enough(case, can_flip, report))
    unless_late(report, "minimal", case.look, lambda: _check_minimal(case, can_flip, report))
    unless_late(report, "complete", case.look, lambda: _check_complete(case, can_flip, report))


def _check_honest(case: Case[Reasons], report: Report) -> None:
    costs = case.explanation.costs
    units = _units(case)
    keys = [(sum(units[j] for j in s), len(s), s) for s in case.explanation.sets]
    if keys != sorted(keys) or len(set(keys)) != len(keys):
        report.fail("honest", "the reasons are not ordered by cost, size, features, each once")
    for reason in case.explanation:
        if abs(reason.cost - sum(costs.given[j] for j in reason.features)) > 1e-9 * max(1.0, reason.cost):
            report.fail("honest", f"{reason.features} does not cost {reason.cost}")
        if any(condition.value != case.compiled.values[j][case.x[j]] for j, condition in
               zip(reason.features, reason.conditions, strict=True)):  # fmt: skip
            report.fail("honest", f"{reason.features} is not told in the values of the instance")


def _units(case: Case[Reasons]) -> list[int]:
    """What each feature costs, in integers."""
    return [case.explanation.costs.unit_of(j, old, -1) for j, old in enumerate(case.x)]


def _check_enough(case: Case[Reasons], can_flip: CanFlip, report: Report) -> None:
    for reason in case.explanation.sets:
        case.look()
        if can_flip(_others(case, reason)):
            report.fail("valid", f"{reason} does not force the decision")


def _others(case: Case[Reasons], reason: tuple[int, ...]) -> list[int]:
    return [j for j in range(len(case.x)) if j not in reason]


def _check_minimal(case: Case[Reasons], can_flip: CanFlip, report: Report) -> None:
    for reason in case.explanation.sets:
        case.look()
        others = _others(case, reason)
        for j in reason:
            if not can_flip([*others, j]):
                report.fail("minimal", f"{reason} is not minimal: {j} may change")


# --- complete ---------------------------------------------------------------------------------------------------------


def _check_complete(case: Case[Reasons], can_flip: CanFlip, report: Report) -> None:
    reasons = case.explanation
    if not reasons.complete:
        report.notes.append(f"the list of reasons does not claim to be complete ({reasons.status})")
    elif reasons.is_whole:
        _check_dual(case, can_flip, report)
    else:
        _check_cheapest(case, can_flip, report)


def _check_dual(case: Case[Reasons], can_flip: CanFlip, report: Report) -> None:
    try:
        dual = hitting_sets(case.explanation.sets, MOST_DUAL, case.look)
    except TooMany:
        report.skip("complete", f"the reasons have more than {MOST_DUAL:,} minimal hitting sets")
        return
    report.method = "duality"
    for hitting in dual:
        if not can_flip(hitting):
            kept = tuple(j for j in range(len(case.x)) if j not in hitting)
            report.fail("complete", f"a reason within {kept} is missing")
            break


def _check_cheapest(case: Case[Reasons], can_flip: CanFlip, report: Report) -> None:
    """Whatever is minimal and comes before the last of k reasons must be one of them."""
    reasons, unit = case.explanation, _units(case)
    last, given = reasons.sets[-1], set(reasons.sets)
    cost = sum(unit[j] for j in last)
    if len(case.free) <= FEW_FREE:
        report.method = "brute force"
        wanted = [
            s for s in _all_reasons(case, can_flip) if (sum(unit[j] for j in s), len(s), s) <= (cost, len(last), last)
        ]
        missing = next((s for s in wanted if s not in given), None)
    elif case.sums is not None and len(case.sums.gains) == 1:
        report.method = "sums"
        try:
            missing = _missing_by_sums(case.sums, case, unit, cost)
        except TooManySets:
            report.method = ""
            report.skip("complete", f"the search for cheaper reasons takes more than {STEPS:,} steps")
            return
    else:
        report.skip("complete", "more features than brute force can look at")
        return
    if missing is not None:
        report.fail("complete", f"{missing} is missing: it comes before {last}, the last one given")


#: Features whose sets brute force may look at.
FEW_FREE = 12


def _all_reasons(case: Case[Reasons], can_flip: CanFlip) -> list[tuple[int, ...]]:
    """All minimal sufficient sets, by looking at every set of features, small ones first."""
    found: list[int] = []
    n = len(case.free)
    for number in sorted(range(1 << n), key=int.bit_count):
        case.look()
        if any(number & smaller == smaller for smaller in found):
            continue
        if not can_flip([j for i, j in enumerate(case.free) if not number >> i & 1]):
            found.append(number)
    return [tuple(j for i, j in enumerate(case.free) if number >> i & 1) for number in found]


def _missing_by_sums(sums: Sums, case: Case[Reasons], unit: list[int], cost: int) -> tuple[int, ...] | None:
    """The others must gain less than is missing, so a reason must reach what is too much of all gains."""
    gains, missing = sums.gains[0]
    mirrored = Sums([Gain(gains, sum(gains) - missing + 1)])
    offers = [[Offer(unit[j], (gains[j],))] if len(case.choices[j]) > 1 else [] for j in range(len(case.x))]
    given = set(case.explanation.sets)
    for found in mirrored.sets_before(case.explanation.sets[-1], cost, offers, len(case.x), STEPS, case.look):
        if found not in given and not mirrored.has_flipping_part(found):
            return found
    return None


# --- may the decision flip? -------------------------------------------------------------------------------------------


def _flips(case: Case[Reasons]) -> CanFlip | None:
    """Tells whether the decision may flip if these features change; None if nothing can."""
    if case.compared is not None and not case.compared.is_known:
        return None
    if prod(len(choices) for choices in case.choices) <= BRUTE_FORCE:
        return _by_force(case)
    if case.compared is not None:
        return flips_by_numbers(case)
    if case.sums is not None:
        return case.sums.can_flip
    if case.leaves is not None:
        return case.leaves.can_flip
    reasons = case.explanation
    try:
        asked = (case.x, reasons.prediction, reasons.target, case.choices, case.relations)
        reach = Reach(case.compiled, *asked, case.clock)
    except LimitError:
        case.look()
        return None
    left = PASSES // reach.n_nodes

    def can_flip(free: Iterable[int]) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise OverBudget
        return reach.can_flip(free)

    return can_flip


def _by_force(case: Case[Reasons]) -> CanFlip:
    """Looks at every row once. Sets are numbers, bit by bit over the features that may change."""
    free = case.free
    rows = case.rows_within(free)
    rows = rows[case.flips(rows)]
    numbers = (rows[:, free] != np.array(case.x, dtype=np.int64)[free]) @ (1 << np.arange(len(free)))
    within = np.zeros(1 << len(free), dtype=bool)
    within[numbers] = True
    for i in range(len(free)):  # a set flips if a part of it does
        halves = within.reshape(-1, 2, 1 << i)
        halves[:, 1] |= halves[:, 0]
    bit = {j: 1 << i for i, j in enumerate(free)}
    return lambda changing: bool(within[sum(bit.get(j, 0) for j in changing)])
