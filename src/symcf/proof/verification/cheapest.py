"""The k cheapest: is a minimal set missing that comes before the last one by (cost, size, features)?

Where values differ in cost, a set may be cheap and yet contain a smaller one that is dear, since it takes a dear value
to do without the rest. The smaller one is minimal, the cheap one is not, and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symcf.answers.explanation import Explanation
from symcf.proof.verification.case import Case
from symcf.proof.verification.sat import Problem
from symcf.proof.verification.sums import ChangeSet, TooManySets

__all__ = ["missing_by_sat", "missing_by_sums"]


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
