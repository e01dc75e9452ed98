"""Values of black-box models: rows are asked about, table by table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.rules import BlackBoxRule
from symcf.system.targets import Goal
from symcf.values.protocol import Flip, Option, Options, Priced, Solver

__all__ = ["AskedFlip", "AskedSolver"]


@dataclass(frozen=True, eq=False)
class AskedFlip(Flip):
    """The classifier has to say class `k` (sink 1), or any other (sink 0), of a row that obeys the relations."""

    rule: BlackBoxRule
    goal: Goal
    holds: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]] | None

    def solver(self, x: Sequence[int]) -> Solver:
        return AskedSolver(self, x)

    def __call__(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which rows are as wanted?"""
        return self.rule.reach(rows, self.goal, self.holds)


class AskedSolver(Solver):
    """Assignments of one instance. requires: change sets ascending, options by ascending code."""

    def __init__(self, flip: AskedFlip, x: Sequence[int]) -> None:
        self._flip = flip
        self._x = np.array(x, dtype=np.int64)
        #: A change set, and all its assignments that flip the decision.
        self._known: tuple[tuple[int, ...], frozenset[tuple[int, ...]]] = ((), frozenset())

    def best(self, change_set: Sequence[int], options: Options) -> Priced | None:
        """The cheapest, then the one with the smallest codes. It is asked once more by itself, as users will."""
        unit_of = [{option.code: option.unit for option in choices} for choices in options]
        flipping = [
            Priced(sum(of[code] for of, code in zip(unit_of, codes, strict=True)), codes)
            for codes in self.in_code_order(change_set, options)
        ]
        for priced in sorted(flipping):
            row = self._x.copy()
            row[list(change_set)] = priced.codes
            if self._flip(row.reshape(1, -1))[0]:
                return priced
        if flipping:
            raise ModelError(
                "predict decides rows differently by themselves and in a table: it must give the same row the same "
                "label every time"
            )
        return None

    def may_flip(self, change_set: Sequence[int], options: Options) -> bool:
        return next(self.in_code_order(change_set, options), None) is not None

    def all_flip(self, change_set: Sequence[int], options: Options) -> bool:
        """Whether all assignments are known to flip the decision: those of a set are asked at once, if they fit."""
        if self._known[0] != tuple(change_set):
            suggested = self._flip.rule.suggested
            every = [[Option(v, v, 1) for v, fine in enumerate(suggested[j]) if fine] for j in change_set]
            few = math.prod(map(len, every)) <= self._flip.rule.most_rows
            self._known = tuple(change_set), frozenset(self.in_code_order(change_set, every) if few else ())
        return self._known[1].issuperset(product(*([option.code for option in choices] for choices in options)))

    def count(self, change_set: Sequence[int], options: Options) -> int:
        """See `Solver`. All are asked."""
        return sum(1 for _ in self.in_code_order(change_set, options))

    def in_code_order(self, change_set: Sequence[int], options: Options) -> Iterator[tuple[int, ...]]:
        """See `Solver`. Table by table."""
        codes = [np.array([option.code for option in choices], dtype=np.int64) for choices in options]
        total, most = math.prod(map(len, codes)), self._flip.rule.most_rows
        for start in range(0, total, most):
            place = np.arange(start, min(start + most, total))
            chosen = np.empty((len(place), len(codes)), dtype=np.int64)
            for i in reversed(range(len(codes))):
                place, which = np.divmod(place, len(codes[i]))
                chosen[:, i] = codes[i][which]
            rows = np.repeat(self._x.reshape(1, -1), len(chosen), axis=0)
            rows[:, list(change_set)] = chosen
            yield from map(tuple, chosen[self._flip(rows)].tolist())
