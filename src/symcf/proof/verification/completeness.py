"""Is a change set missing, and is each minimal? One section for each kind of classifier that needs its own way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from symcf.answers.explanation import Explanation
from symcf.errors import LimitError
from symcf.proof.verification.case import Case
from symcf.proof.verification.ensembles import Leaves, leaves_of
from symcf.proof.verification.report import Look, OverBudget, Report
from symcf.proof.verification.sat import Problem, Reach
from symcf.proof.verification.sums import ChangeSet, TooManySets

__all__ = [
    "MOST_DUAL",
    "TooMany",
    "check_complete_by_asking",
    "check_complete_by_leaves",
    "check_minimal_by_leaves",
    "flips_by_numbers",
    "hitting_sets",
    "missing_by_sat",
    "missing_by_sums",
    "sets_before",
]


# --- minimal hitting sets ---------------------------------------------------------------------------------------------
# Minimal hitting sets, the obvious way: set by set (Berge, Hypergraphs, 1989).
#
# Change sets and sufficient reasons of a row are each other's minimal hitting sets, so that one list proves the other:
# if every listed set is a reason, and each of their minimal hitting sets flips the decision, no reason is missing,
# since a reason has a feature in common with whatever flips, and so with each of those, and thus contains a listed one.


#: Sets that dualising a list may lead to; beyond, a SAT solver is faster.
MOST_DUAL = 1 << 11


class TooMany(Exception):
    """More sets than were allowed, at the end or on the way."""


def hitting_sets(sets: Iterable[Sequence[int]], most: int, look: Look = lambda: None) -> list[frozenset[int]]:
    """The minimal sets that have an element in common with each of the sets; `TooMany` beyond ``most``.

    >>> sorted(map(sorted, hitting_sets([(0, 1), (1, 2)], 10)))
    [[0, 2], [1]]
    """
    found = [frozenset[int]()]
    for other in sorted(sets, key=len):
        look()
        elements = frozenset(other)
        hit = [s for s in found if s & elements]
        # a set that misses it takes one element more; it is minimal unless it now contains one that did not miss it
        grown = {s | {j} for s in found if not s & elements for j in elements}
        found = hit + [s for s in grown if not any(smaller < s for smaller in hit)]
        if len(found) > most:
            raise TooMany
    return found


# --- trees ------------------------------------------------------------------------------------------------------------
# Ensembles with too many trees for a diagram; see `ensembles`.


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


# --- black-box models -------------------------------------------------------------------------------------------------
# Every row that must not flip is classified again.


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


# --- columns that are compared ----------------------------------------------------------------------------------------
# May the decision flip if these features change, where columns are compared with each other?


#: Combinations of ranges of the compared columns that are tried, and nodes of diagrams that all passes look at.
MOST_COMBINATIONS, PASSES = 1 << 12, 1 << 27


def flips_by_numbers(case: Case[Any]) -> Callable[[Iterable[int]], bool]:
    """For each combination of ranges of the compared columns that numbers can have, the others are asked. `OverBudget`
    if that takes too many steps.
    """
    assert case.compared is not None
    related = case.compared.features
    ways: list[tuple[set[int], Callable[[Iterable[int]], bool]]] = []
    left = PASSES
    for codes in case.compared.tuples(case.choices):
        case.look()
        if len(ways) == MOST_COMBINATIONS:
            raise OverBudget
        changed = {j for j, code in codes.items() if code != case.x[j]}
        x = [codes.get(j, own) % len(case.compiled.values[j]) for j, own in enumerate(case.x)]
        choices = [[x[j]] if j in codes else list(values) for j, values in enumerate(case.choices)]
        ways.append((changed, _others(case, x, choices)))

    def can_flip(free: Iterable[int]) -> bool:
        nonlocal left
        may = set(free)
        for changed, flips in ways:
            if changed <= may:
                left -= getattr(flips.__self__, "n_nodes", 1)  # type: ignore[attr-defined]
                if left < 0:
                    raise OverBudget
                if flips(may - set(related)):
                    return True
        return False

    return can_flip


def _others(case: Case[Any], x: list[int], choices: list[list[int]]) -> Callable[[Iterable[int]], bool]:
    """The same for a row whose compared columns stay."""
    e = case.explanation
    flips = case.flips_apart
    if (leaves := leaves_of(case.compiled, x, e.prediction, e.target, choices, flips, case.look)) is not None:
        return leaves.can_flip
    try:
        return Reach(case.compiled, x, e.prediction, e.target, choices, case.relations, case.clock).can_flip
    except LimitError:
        case.look()
        raise OverBudget from None


# --- the k cheapest ---------------------------------------------------------------------------------------------------
# Is a minimal set missing that comes before the last one by (cost, size, features)?
#
# Where values differ in cost, a set may be cheap and yet contain a smaller one that is dear, since it takes a dear
# value to do without the rest. The smaller one is minimal, the cheap one is not, and does not count.


def missing_by_sums(case: Case[Explanation], cost: int, steps: int) -> ChangeSet | None:
    """A set that is missing, by sums of weights, where the last set given costs so much.

    `TooManySets` if that takes more steps, or there are no sums.
    """
    if case.sums is None:
        raise TooManySets
    offers = case.sums.offers([[case.units[j][v] for v in choices] for j, choices in enumerate(case.choices)])
    last, given = case.explanation.sets[-1], set(case.explanation.sets)
    for found in case.sums.sets_before(last, cost, offers, case.most, steps, case.look):
        if found not in given and not case.sums.has_flipping_part(found):
            return found
    return None


def missing_by_sat(case: Case[Explanation], cost: int, problem: Problem) -> ChangeSet | None:
    """The same by a MaxSAT solver: is something left that is cheaper, as cheap and smaller, or as cheap, as large and
    earlier?
    """
    search, last = _Search(case, problem), case.explanation.sets[-1]
    return (
        search.cheapest(cost - 1, ())
        or search.cheapest(cost, problem.at_most(len(last) - 1))
        or search.cheapest(cost, [*problem.at_most(len(last)), *_earlier(problem, last)])
    )


def _earlier(problem: Problem, last: ChangeSet) -> list[list[int]]:
    """Clauses for: the first feature in which a set differs from `last` is one of its own. Of two sets of one size,
    this one comes first.
    """
    clauses, differing = [], []
    for j in set(range(max(last, default=0))) - set(last):
        differing.append(first := problem.new_variable())
        agreed = [-problem.keep[i] if i in last else problem.keep[i] for i in range(j)]
        clauses += [[-first, literal] for literal in [*agreed, -problem.keep[j]]]
    return [*clauses, differing]


class _Search:
    """Through what contains none of the sets given, by what it costs."""

    def __init__(self, case: Case[Explanation], problem: Problem) -> None:
        self._problem, self._n = problem, len(case.x)
        blocked = [[problem.keep[j] for j in change_set] for change_set in case.explanation.sets]
        self._hard = [*problem.clauses, *blocked, *problem.at_most(case.most)]

    def cheapest(self, most: int, clauses: Iterable[Sequence[int]]) -> ChangeSet | None:
        """A minimal set that obeys the clauses and costs no more than this."""
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        formula = WCNF()
        for clause in [*self._hard, *clauses]:
            formula.append(list(clause))
        for literal, cost in self._problem.soft():
            formula.append([-literal], weight=cost)
        with RC2(formula) as optimizer, self._problem.solver() as solver:
            while (model := self._compute(optimizer)) is not None and optimizer.cost <= most:
                found = self._problem.changed(model)
                if self._is_minimal(solver, found):
                    return found
                optimizer.add_clause([self._problem.keep[j] for j in found])
        return None

    def _compute(self, optimizer: Any) -> Any:
        return self._problem.call(optimizer.compute, optimizer.interrupt)

    def _is_minimal(self, solver: Any, change_set: ChangeSet) -> bool:
        keep = self._problem.keep
        others = [keep[j] for j in range(self._n) if j not in change_set]
        return not any(self._problem.solve(solver, [*others, keep[j]]) for j in change_set)
