"""Which actions to choose: the fewest that help a share, or so many that help the most. An integer program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock
from symcf.common.extras import load_extra

__all__ = ["Chosen", "most_helped", "smallest_number"]

#: What the solver's floating-point bounds may be off by; both objectives are integers.
SLACK = 1e-6


@dataclass(frozen=True)
class Chosen:
    """Actions by index, and what is proved about them."""

    actions: tuple[int, ...]
    #: Of `most_helped`: nobody helps more rows than this. Of `smallest_number`: fewer actions than this do not suffice.
    bound: int


def greedy(helps: npt.NDArray[np.bool_], most: int | None, needed: int | None) -> tuple[int, ...]:
    """Always the action that helps most of those who are left."""
    left, chosen = np.ones(helps.shape[1], dtype=np.bool_), list[int]()
    wanted = helps.shape[1] if needed is None else needed
    while (most is None or len(chosen) < most) and (~left).sum() < wanted:
        gains = (helps & left).sum(axis=1)
        best = int(gains.argmax()) if len(gains) else 0
        if not len(gains) or not gains[best]:
            break
        chosen.append(best)
        left &= ~helps[best]
    return tuple(chosen)


def _n_helped(helps: npt.NDArray[np.bool_], actions: tuple[int, ...]) -> int:
    return int(helps[list(actions)].any(axis=0).sum()) if actions else 0


def most_helped(helps: npt.NDArray[np.bool_], sizes: npt.NDArray[np.float64], most: int, clock: Clock) -> Chosen:
    """At most so many actions that help as many rows as possible; of these choices a small one."""
    start = greedy(helps, most, None)
    best, bound = _n_helped(helps, start), int(helps.any(axis=0).sum())
    chosen = start
    if best < bound:
        program = _Program(helps)
        found, limit = program.solve(np.zeros(len(helps)), -program.weights, clock, most=most)
        bound = min(bound, int(np.floor(-limit + SLACK))) if np.isfinite(limit) else bound
        if found is not None and _n_helped(helps, found) > best:
            chosen, best = found, _n_helped(helps, found)
    return Chosen(_smaller(helps, sizes, chosen, len(chosen), best, clock), max(bound, best))


def smallest_number(helps: npt.NDArray[np.bool_], sizes: npt.NDArray[np.float64], needed: int, clock: Clock) -> Chosen:
    """The fewest actions that help so many rows; of these choices a small one. requires: all of them help so many."""
    start = greedy(helps, None, needed)
    bound, chosen = int(needed > 0), start
    if len(start) > bound:
        program = _Program(helps)
        found, limit = program.solve(np.ones(len(helps)), np.zeros(program.n_rows), clock, needed=needed)
        bound = max(bound, int(np.ceil(limit - SLACK))) if np.isfinite(limit) else bound
        if found is not None and len(found) < len(start) and _n_helped(helps, found) >= needed:
            chosen = found
    return Chosen(_smaller(helps, sizes, chosen, len(chosen), needed, clock), min(bound, len(chosen)))


def _smaller(
    helps: npt.NDArray[np.bool_],
    sizes: npt.NDArray[np.float64],
    chosen: tuple[int, ...],
    most: int,
    needed: int,
    clock: Clock,
) -> tuple[int, ...]:
    """As many actions that help as many rows, and are together the smallest that were found in time."""
    if not chosen or clock.left <= 0:
        return chosen
    program = _Program(helps)
    found, _ = program.solve(sizes, np.zeros(program.n_rows), clock, most=most, needed=needed)
    better = (
        found is not None
        and len(found) <= most
        and _n_helped(helps, found) >= needed
        and sizes[list(found)].sum() < sizes[list(chosen)].sum()
    )
    assert found is not None or not better
    return found if better and found is not None else chosen


class _Program:
    """Variables: is an action chosen; is a row helped. Rows that the same actions help are one, with a weight."""

    def __init__(self, helps: npt.NDArray[np.bool_]) -> None:
        packed = np.packbits(helps[:, helps.any(axis=0)], axis=0)
        _, first, counts = np.unique(packed, axis=1, return_index=True, return_counts=True)
        self._helps = helps[:, helps.any(axis=0)][:, first]
        self.weights = counts.astype(np.float64)
        self.n_rows = len(first)

    def solve(
        self,
        action_costs: npt.NDArray[np.float64],
        row_costs: npt.NDArray[np.float64],
        clock: Clock,
        *,
        most: int | None = None,
        needed: int | None = None,
    ) -> tuple[tuple[int, ...] | None, float]:
        """The chosen actions, None if none were found in time; and a bound below which no cost can be."""
        optimize, sparse = (load_extra(f"scipy.{name}", "group_recourse") for name in ("optimize", "sparse"))
        n, m = self._helps.shape
        constraints: list[Any] = [
            optimize.LinearConstraint(
                sparse.hstack([sparse.csr_matrix(self._helps.T.astype(np.float64)), -sparse.identity(m)]), lb=0
            )
        ]
        if most is not None:
            constraints.append(optimize.LinearConstraint(np.r_[np.ones(n), np.zeros(m)], ub=most))
        if needed is not None:
            constraints.append(optimize.LinearConstraint(np.r_[np.zeros(n), self.weights], lb=needed))
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if clock.seconds is not None:
            options["time_limit"] = max(clock.left, 0.01)
        result = optimize.milp(
            np.r_[action_costs, row_costs],
            integrality=np.r_[np.ones(n), np.zeros(m)],
            bounds=optimize.Bounds(0, 1),
            constraints=constraints,
            options=options,
        )
        limit = -np.inf if result.mip_dual_bound is None else float(result.mip_dual_bound)
        if result.x is None:
            return None, limit
        return tuple(int(i) for i in np.flatnonzero(result.x[:n] > 0.5)), limit
