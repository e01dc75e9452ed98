"""Why a list is complete, in a form that can be checked without the engine that made it.

duality  reasons, which the change sets hit: all of them from an engine where these are few, else as many as it
takes for the question (up to a number of changes, or before the last of k), found one by one
sums     nothing: the checker searches in the sums by itself
clauses  a proof of a SAT solver that none is missing, where a diagram decides and reasons are many
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from symcf.common.clock import Clock
from symcf.errors import InternalError, LimitError
from symcf.proof.certificates.splitting import cheapest_steps, partition_steps
from symcf.proof.checker.boxes import reach_of
from symcf.proof.checker.form import Effort, Rejected
from symcf.proof.checker.hitting import Contained, hitting_sets
from symcf.proof.checker.proof import clauses_of
from symcf.proof.checker.reach import Gains, Reach
from symcf.proof.checker.rules import Diagrams, Numbers
from symcf.proof.checker.statement import Statement
from symcf.question.case import Case
from symcf.search.plan import Plan
from symcf.search.sat.solvers import Caller, Stopped, check_headroom

__all__ = ["TimedEffort", "argument_for", "boxes_for", "check_time", "rows_for"]

#: Reasons that a certificate lists, at most, or so many times as many as change sets.
MOST_REASONS, TIMES_SETS = 20_000, 4

#: Reasons of sums that it lists: they can do without.
MOST_FOR_SUMS = 1_000

MOST_BYTES = 1 << 30

#: Writes proofs, and can be interrupted.
SOLVER = "glucose4"

#: Features, as bits, that are enough to flip the decision, of those that may change; None: they are not enough.
Flips = Callable[[int], int | None]

#: Features that fit into the words of numpy.
WORD = 62

#: Steps of the checker between two looks at the clock: milliseconds.
UNITS_A_LOOK = 20_000

TIME_IS_UP = "certificate: time limit reached while looking for a proof that the list is complete; raise time_limit"


#: Where the checker, which takes whole and rounded numbers for real ones, cannot follow the search.
NOT_EXACT = (
    "certificate: no proof was found: the list depends on which numbers are whole or representable, and proofs are "
    "about real numbers; check the explanation with symcf.verify"
)


def check_time(clock: Clock) -> None:
    """`LimitError` when time is up."""
    if clock.expired:
        raise LimitError(TIME_IS_UP)


class TimedEffort(Effort):
    """Looks at the clock, instead of counting what the checker does."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock, self._unseen = clock, 0

    def spend(self, units: int) -> None:
        """See `Effort`. `LimitError` when time is up."""
        self._unseen += units
        if self._unseen > UNITS_A_LOOK:
            self._unseen = 0
            check_time(self._clock)


def argument_for(statement: Statement, case: Case, plan: Plan, clock: Clock) -> dict[str, Any]:
    """The proof of what the statement claims; `LimitError` if there is none within the limits."""
    try:
        return _argument(statement, case, plan, clock)
    except Rejected as error:
        raise LimitError(f"certificate: {error}; ask for fewer changes (max_changes) or fewer sets (k)") from None


def _argument(statement: Statement, case: Case, plan: Plan, clock: Clock) -> dict[str, Any]:
    reach = reach_of(statement)
    if not _can_follow(statement, reach):
        raise LimitError(NOT_EXACT)
    if statement.claim == "listed":
        return {"kind": "none"}
    sums = isinstance(reach, Gains)
    if statement.claim == "all":
        most = MOST_FOR_SUMS if sums else max(MOST_REASONS, TIMES_SETS * len(statement.sets))
        reasons = _all_reasons(case, plan, most, clock)
        if reasons is not None:
            if _is_rough(statement) and any(reach.flips(_all_but(statement, reason)) for reason in reasons):
                raise LimitError(NOT_EXACT)
            return {"kind": "duality", "reasons": reasons}
    if sums:
        return {"kind": "sums"}
    if statement.claim == "all" and isinstance(statement.rule, Diagrams) and not statement.relations:
        return {"kind": "clauses", "steps": _refutation(statement, clock)}
    return {"kind": "duality", "reasons": _Reasons(statement, case, _flips(case, plan, reach, clock)).enough()}


def boxes_for(statement: Statement) -> dict[str, Any]:
    """The proof of what a statement claims about moves, or about costs that depend on values; `statement.least` then
    says what is proved. `LimitError` if there is none within the limits.
    """
    try:
        if statement.claim == "listed":
            return {"kind": "none"}
        if statement.claim != "cheapest":
            return {"kind": "boxes", "steps": partition_steps(statement)}
        statement.least, steps = cheapest_steps(statement)
        return {"kind": "boxes", "steps": steps}
    except Rejected as error:
        raise LimitError(f"certificate: {error}; ask for fewer changes (max_changes) or fewer sets (k)") from None


def _is_rough(statement: Statement) -> bool:
    """May the checker take a whole number for a real one, or a curve for its highest point?"""
    return bool(statement.relations) or isinstance(statement.rule, Numbers)


def _can_follow(statement: Statement, reach: Reach) -> bool:
    """Does the checker see that no set of the list could do with fewer features?"""
    sets = [sum(1 << j for j in features) for features in statement.sets]
    return not _is_rough(statement) or not reach.shrinks(sets)


def _all_but(statement: Statement, features: Sequence[int]) -> int:
    return (1 << statement.n) - 1 & ~sum(1 << j for j in features)


def _flips(case: Case, plan: Plan, reach: Reach, clock: Clock) -> Flips:
    """Asked of the checker, or of a search that is much faster."""
    if not plan.default.avoids_diagram or case.numbers is not None:
        return lambda features: features if reach.flips(features) else None
    search = plan.default_for(case)
    offset = case.question.classifier.decision.groups.core_offset.tolist()
    sizes = [end - start for start, end in pairwise(offset)]
    allowed = np.ones(offset[-1], dtype=np.uint8) if case.query.mask is None else case.query.mask
    feature = np.repeat(np.arange(len(sizes)), sizes)

    def flips(features: int) -> int | None:
        free = np.array([features >> j & 1 for j in range(len(sizes))], dtype=np.uint8)[feature]
        found = search.one(replace(case.query, mask=allowed & free, max_changes=None), clock)
        check_time(clock)
        return None if found is None else sum(1 << j for j in found)

    return flips


def _all_reasons(case: Case, plan: Plan, most: int, clock: Clock) -> list[list[int]] | None:
    """All reasons, in order; None if there are more."""
    query = replace(case.query, reasons=True, max_changes=None, units=None)
    answer = plan.reasons_for(case).run(query, None, most + 1, clock, MOST_BYTES)
    if answer.status == "time":
        raise LimitError(TIME_IS_UP)
    return sorted(map(list, answer.sets)) if answer.status == "complete" and len(answer.sets) <= most else None


class _Reasons:
    """Finds reasons until they are enough: whatever hits them all, within the question, contains a listed set."""

    def __init__(self, statement: Statement, case: Case, flips: Flips) -> None:
        self._statement = statement
        self._masks = [sum(1 << j for j in s) for s in statement.sets]
        self._known = _Known(flips, self._masks, statement.n)
        #: Features with few values first: reasons without them are small, and few of such are enough.
        sizes = np.diff(case.question.classifier.decision.groups.core_offset).tolist()
        self._order = sorted(range(statement.n), key=lambda j: sizes[j])
        costs = statement.flat_costs if statement.claim == "first" else None
        self._costs = [1] * statement.n if costs is None else costs
        self._last = None
        self._budget = None
        if statement.claim == "first":
            last = statement.sets[-1]
            self._budget = sum(self._costs[j] for j in last)
            self._last = (self._budget, len(last), last)

    def enough(self) -> list[list[int]]:
        """The reasons, in order."""
        listed = Contained(self._masks, self._statement.n)
        reasons: dict[int, None] = {}
        while found := self._new(list(reasons), listed):
            reasons.update(found)
            if len(reasons) > MOST_REASONS:
                raise LimitError(
                    f"certificate: the proof needs more than {MOST_REASONS:,} reasons; ask for fewer changes "
                    f"(max_changes) or fewer sets (k)"
                )
        return sorted([j for j in range(self._statement.n) if mask >> j & 1] for mask in reasons)

    def _new(self, reasons: Sequence[int], listed: Contained) -> dict[int, None]:
        """Reasons that sets miss which hit all the others and contain no listed set."""
        found: dict[int, None] = {}
        statement = self._statement
        for features in hitting_sets(reasons, statement.n, statement.most, self._costs, self._budget, statement.effort):
            if any(not features & reason for reason in found) or listed.any_in(features) or not self._asked(features):
                continue
            found[self._missed_by(features)] = None
        return found

    def _asked(self, features: int) -> bool:
        if self._last is None:
            return True
        chosen = tuple(j for j in range(self._statement.n) if features >> j & 1)
        return (sum(self._costs[j] for j in chosen), len(chosen), chosen) < self._last

    def _missed_by(self, features: int) -> int:
        """A reason that has no feature in common with a set that does not flip the decision."""
        if self._known.flips(features):
            if self._statement.relations:
                raise LimitError(NOT_EXACT)
            raise InternalError("a change set is missing from a list that is said to be complete")
        rest = [j for j in self._order if not features >> j & 1]
        half = len(rest) // 2
        features = self._with_most(features, rest[:half])  # mostly all of them
        for j in rest[half:]:
            features = self._with_most(features, [j])
        return (1 << self._statement.n) - 1 & ~features

    def _with_most(self, features: int, more: Sequence[int]) -> int:
        """A set that does not flip with as many of some other features as it takes one after the other."""
        larger = features | sum(1 << j for j in more)
        if not self._known.flips(larger):
            return larger
        if len(more) <= 1:
            return features
        half = len(more) // 2
        return self._with_most(self._with_most(features, more[:half]), more[half:])


class _Known:
    """Asks whether sets flip, and remembers what flipped: whatever contains it does, too."""

    def __init__(self, flips: Flips, masks: Sequence[int], n: int) -> None:
        self._flips, self._count = flips, len(masks)
        self._masks = np.array(masks, dtype=np.int64 if n <= WORD else object)

    def flips(self, features: int) -> bool:
        """Does it?"""
        if np.any((self._masks[: self._count] & ~features) == 0):
            return True
        found = self._flips(features)
        if found is None:
            return False
        if self._count == len(self._masks):
            self._masks = np.resize(self._masks, 2 * self._count + 16)
        self._masks[self._count] = found
        self._count += 1
        return True


def rows_for(
    statement: Statement, case: Case, plan: Plan, new_codes: Callable[[tuple[int, ...]], Sequence[int]], clock: Clock
) -> list[tuple[tuple[int, ...], Sequence[int]]]:
    """Sets of changes that flip, with their new codes: a proof that reasons are minimal and that none is missing.
    `LimitError` if there is none within the limits.
    """
    try:
        return _Rows(statement, case, plan, new_codes, clock).enough()
    except Rejected as error:
        raise LimitError(f"certificate: {error}; ask for fewer reasons (k)") from None


class _Rows:
    """Finds sets of changes until they are enough: whatever hits them all, within the question, contains a reason."""

    def __init__(
        self,
        statement: Statement,
        case: Case,
        plan: Plan,
        new_codes: Callable[[tuple[int, ...]], Sequence[int]],
        clock: Clock,
    ) -> None:
        assert statement.reasons is not None
        self._statement, self._new_codes, self._clock = statement, new_codes, clock
        self._reach = reach_of(statement)
        self._flips = _flips(case, plan, self._reach, clock)
        self._reasons = statement.reasons
        self._masks = [sum(1 << j for j in reason) for reason in self._reasons]
        self._found: dict[int, Sequence[int]] = {}

    def enough(self) -> list[tuple[tuple[int, ...], Sequence[int]]]:
        """The sets, in order."""
        if any(self._reach.flips(_all_but(self._statement, reason)) for reason in self._reasons):
            if _is_rough(self._statement):
                raise LimitError(NOT_EXACT)
            raise InternalError("a reason does not force the decision")
        for reason, mask in zip(self._reasons, self._masks, strict=True):
            for j in reason:
                if not any(found & mask == 1 << j for found in self._found):
                    self._add(_all_but(self._statement, reason) | 1 << j)
        if self._statement.claim != "listed":
            while self._grows():
                pass
        return sorted((self._features(mask), codes) for mask, codes in self._found.items())

    def _features(self, mask: int) -> tuple[int, ...]:
        return tuple(j for j in range(self._statement.n) if mask >> j & 1)

    def _grows(self) -> bool:
        """Adds sets that hitting sets without a reason do not hit; False if there are none."""
        statement, known = self._statement, len(self._found)
        costs = statement.flat_costs or []
        last = budget = None
        if statement.claim == "first":
            budget = sum(costs[j] for j in self._reasons[-1])
            last = (budget, len(self._reasons[-1]), self._reasons[-1])
        listed = Contained(self._masks, statement.n)
        everything, new = (1 << statement.n) - 1, list[int]()
        for mask in hitting_sets(list(self._found), statement.n, statement.n, costs, budget, statement.effort):
            features = self._features(mask)
            if any(not mask & other for other in new) or listed.any_in(mask):
                continue
            if last is None or (sum(costs[j] for j in features), len(features), features) < last:
                new.append(self._add(everything & ~mask))
        return len(self._found) > known

    def _add(self, features: int) -> int:
        """A minimal set that flips, among these features."""
        check_time(self._clock)
        if len(self._found) == MOST_REASONS:
            raise LimitError(f"certificate: the proof needs more than {MOST_REASONS:,} rows; ask for fewer reasons (k)")
        if not self._flips(features):
            if _is_rough(self._statement):
                raise LimitError(NOT_EXACT)
            raise InternalError("a reason could do with fewer features, or is missing from a list that is complete")
        for j in self._features(features):
            if self._flips(features & ~(1 << j)):
                features &= ~(1 << j)
        try:
            self._found[features] = self._new_codes(self._features(features))
        except InternalError:  # no row: the checker is more generous than the search
            if _is_rough(self._statement):
                raise LimitError(NOT_EXACT) from None
            raise
        return features


def _refutation(statement: Statement, clock: Clock) -> list[list[int]]:
    """A solver's proof that no set is missing, as steps of `symcf.proof.checker.proof`."""
    from pysat.solvers import Solver

    clauses = clauses_of(statement)
    if () in clauses:
        return []
    check_headroom(sum(map(len, clauses)))
    with Solver(name=SOLVER, bootstrap_with=clauses, with_proof=True) as solver:
        caller = Caller()
        try:
            missing = caller(
                solver.solve_limited,
                expect_interrupt=True,
                stop=lambda: "time" if clock.expired else None,
                interrupt=solver.interrupt,
            )
        except Stopped:
            raise LimitError(TIME_IS_UP) from None
        finally:
            caller.close()
        if missing is not False:
            raise InternalError("a change set is missing from a list that is said to be complete")
        return [_step(line) for line in solver.get_proof()]


def _step(line: str) -> list[int]:
    words = line.split()
    deleted = words[0] == "d"
    return [0] * deleted + [int(word) for word in words[deleted:-1]]
