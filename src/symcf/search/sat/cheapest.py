"""The k cheapest change sets, by weighted partial MaxSAT (RC2; Ignatiev, Morgado, Marques-Silva 2019).

Measured, n = 22 and 25: RC2 on costs with the tie-break in the weights (2**-j for feature j), so that the k cheapest
would come in their final order: more than 190 s for 10 sets that take 15 ms without it. So ties are enumerated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from symcf.search.sat.solvers import Caller, Stop, at_most, check_headroom, discard, watched
from symcf.system.cnf import Cnf

__all__ = ["cheapest"]

ChangeSet = tuple[int, ...]

#: The solver of RC2: it can be interrupted from another thread.
MAXSAT_SOLVER = "glucose4"


def cheapest(
    cnf: Cnf,
    keep: Sequence[int],
    fixed: Collection[int],
    costs: Sequence[int],
    k: int,
    max_changes: int | None = None,
    stop: Stop = lambda: None,
    assumed: Sequence[int] = (),
) -> list[ChangeSet]:
    """The first k change sets by (cost, size, features), by weighted partial MaxSAT.

    The cheapest way to satisfy Σ is an MCS, because costs are positive; with its supersets forbidden, so is the next.
    A weight of ``cost * (n + 1) + 1`` orders them by cost, then size. All sets as good as the k-th are found
    and sorted: putting the features into the weights, too, makes RC2 a thousand times slower.
    """
    if k <= 0:
        return []
    scale = len(keep) + 1
    found: list[tuple[int, ChangeSet]] = []
    caller = Caller()
    rc2 = _maxsat(cnf, keep, fixed, [cost * scale + 1 for cost in costs], max_changes, assumed, stop)
    try:
        while rc2 is not None:
            model = caller(rc2.compute, expect_interrupt=True, stop=stop, interrupt=rc2.interrupt)
            if model is None or (len(found) >= k and rc2.cost > found[k - 1][0]):
                break
            changed = set(model)
            change_set = tuple(j for j, literal in enumerate(keep) if -literal in changed)
            found.append((rc2.cost, change_set))
            if not change_set:
                break
            rc2.add_clause([keep[j] for j in change_set])
    finally:
        caller.close()
        if rc2 is not None:
            discard(rc2)
    return [change_set for _, change_set in sorted(found)[:k]]


class _Watched(list[list[int]]):
    """Clauses; whoever goes through them is stopped when it is time."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._stop = stop

    def __iter__(self) -> Iterator[list[int]]:
        return watched(super().__iter__(), self._stop)


def _maxsat(
    cnf: Cnf,
    keep: Sequence[int],
    fixed: Collection[int],
    weights: Sequence[int],
    max_changes: int | None,
    assumed: Sequence[int],
    stop: Stop,
) -> Any | None:
    """RC2 on the clauses and the instance; None if the clauses alone have no solution."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    check_headroom(len(cnf.literals))
    formula = WCNF()
    formula.hard = _Watched(stop)  # RC2 hands them to its solver one by one
    for clause in watched(cnf.clauses(), stop):
        if not clause:
            return None
        formula.append(list(clause))
    formula.nv = max(formula.nv, cnf.n_vars)
    formula.extend([[literal] for literal in assumed])
    if max_changes is not None:
        formula.extend(at_most([-literal for literal in keep], max_changes, cnf.n_vars)[0])
    for j, (literal, weight) in enumerate(zip(keep, weights, strict=True)):
        formula.append([literal], weight=None if j in fixed else weight)
    return RC2(formula, solver=MAXSAT_SOLVER)
