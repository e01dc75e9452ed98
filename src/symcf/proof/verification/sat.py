"""The goal of an explanation as clauses, for solvers that no engine has touched.

Where the decision compares sums of weights, the best values of a changed feature can be chosen one by one. Then only
which features change is left to ask: one variable a feature, and one threshold function for each class that may win.
Elsewhere the variables are those of the values.

Which sets of features can flip the decision, read off the diagram of the goal level by level.

With the features of a set free and all others as they are, the decision can flip iff a way leads from the root to the
wanted sink. One pass over the nodes tells, from the last level up. If none of the largest sets that contain no listed
change set can flip it, no change set is missing: every other set without one is part of one of these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.proof.verification.report import Look, look_at
from symcf.proof.verification.sums import Sums, sums_of
from symcf.question.relations import Relations
from symcf.search.sat.solvers import Caller, check_headroom, watched
from symcf.system.classifier import Classifier
from symcf.system.cnf import Cnf, encode
from symcf.system.decision import binary_offsets, goal_of
from symcf.system.diagram import Diagram

__all__ = ["MOST_FREE", "Problem", "Reach", "largest_without", "make_problem"]

#: By feature and value that it may have, what becoming that costs; the feature's own value costs 0.
ByValue = Sequence[Mapping[int, int]]

#: A solver that no engine uses by default.
SOLVER = "glucose4"


class Problem(ABC):
    """Hard clauses, and for each feature a literal that says: it is as it was."""

    def __init__(self, cnf: Cnf, keep: Sequence[int], look: Look) -> None:
        check_headroom(len(cnf.literals))
        self._look = look
        self._caller = Caller()
        self.clauses = [list(clause) for clause in watched(cnf.clauses(), self._stop)]
        self.keep = list(keep)
        self._top = cnf.n_vars

    @abstractmethod
    def soft(self) -> Iterator[tuple[int, int]]:
        """Literals of what may be given up, and what each costs."""

    def solver(self) -> Any:
        """A fresh one."""
        from pysat.solvers import Solver

        return Solver(name=SOLVER, bootstrap_with=self.clauses)

    def solve(self, solver: Any, assumptions: Sequence[int] = ()) -> bool:
        """Is there a model?"""
        return bool(self.call(solver.solve_limited, solver.interrupt, assumptions=list(assumptions)))

    def call(self, function: Callable[..., Any], interrupt: Callable[[], None], **arguments: Any) -> Any:
        """What a function of a solver gives; `OutOfTime` if that takes too long."""
        return self._caller(function, stop=self._stop, interrupt=interrupt, expect_interrupt=True, **arguments)

    def _stop(self) -> None:
        self._look()

    def at_most(self, most: int) -> list[list[int]]:
        """Clauses that allow no more changes than this."""
        from pysat.card import CardEnc, EncType

        if most >= len(self.keep):
            return []
        changed = [-literal for literal in self.keep]
        encoded = CardEnc.atmost(changed, most, top_id=self._top, encoding=EncType.seqcounter)
        self._top = max(self._top, encoded.nv)
        return list(encoded.clauses)

    def new_variable(self) -> int:
        """One that is in no clause so far."""
        self._top += 1
        return self._top

    def changed(self, model: Sequence[int]) -> tuple[int, ...]:
        """The features that are not as they were."""
        true = set(model)
        return tuple(j for j, literal in enumerate(self.keep) if literal not in true)


def make_problem(
    compiled: Classifier,
    x: Sequence[int],
    prediction: int,
    target: int | None,
    choices: Sequence[Sequence[int]],
    units: ByValue | None,
    relations: Relations | None,
    clock: Clock = NO_LIMIT,
) -> Problem:
    """The problem of an instance; ``choices[j]`` are the values that feature j may have, its own first.

    ``units[j][v]`` is what feature j becoming v costs; without them nothing is soft.
    `LimitError` if it does not fit the classifier's budget.
    """
    by_feature = relations is None and (units is None or all(len(set(of.values())) <= 2 for of in units))
    sums = sums_of(compiled, x, prediction, target, choices) if by_feature else None
    if sums is not None:
        return SumProblem(compiled, sums, choices, units, clock)
    return ValueProblem(compiled, x, prediction, target, choices, units, relations, clock)


class SumProblem(Problem):
    """Which features change: one of some sums has to reach 0 (or, for class 0 of two, to fall below)."""

    def __init__(
        self, compiled: Classifier, sums: Sums, choices: Sequence[Sequence[int]], units: ByValue | None, clock: Clock
    ) -> None:
        budget, n = compiled.budget(clock), len(choices)
        order = np.argsort([-sums.best(j) for j in range(n)], kind="stable").astype(np.uint32)
        parts = [
            _core.Diagram.compile(
                _core.Threshold.from_weights(binary_offsets(n), _binary(gains), -missing), order, *budget.now()
            )
            for gains, missing in sums.gains
        ]
        none = _core.Bdd.conjoin(parts, [True] * len(parts), *budget.now())  # none of them does it
        cnf = encode(Diagram(none.freeze()), "node-cut", negate=True)
        super().__init__(cnf, [-(j + 1) for j in range(n)], look_at(clock))
        self._units, self._choices = units, choices
        self.clauses += [[self.keep[j]] for j in range(n) if len(choices[j]) == 1]

    def soft(self) -> Iterator[tuple[int, int]]:
        """See `Problem`."""
        assert self._units is not None
        for j, choices in enumerate(self._choices):
            if len(choices) > 1:
                yield -self.keep[j], self._units[j][choices[1]]


def _binary(gains: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.array([weight for gain in gains for weight in (0, gain)], dtype=np.int64)


class ValueProblem(Problem):
    """Which values the features take. Values that the decision does not tell apart are one here; a feature is as it was
    if it stays among those.
    """

    def __init__(
        self,
        compiled: Classifier,
        x: Sequence[int],
        prediction: int,
        target: int | None,
        choices: Sequence[Sequence[int]],
        units: ByValue | None,
        relations: Relations | None,
        clock: Clock,
    ) -> None:
        if relations is not None:
            compiled = compiled.telling_apart(relations.partition())
        self._choices, self._units = choices, units
        self._groups = compiled.decision.groups
        self._core = [groups[v] for groups, v in zip(self._groups.group_of, x, strict=True)]
        goal = goal_of(prediction, target, compiled.n_classes)
        diagram, sink = compiled.targets.diagram(goal, relations, clock)
        cnf = encode(diagram, "node-cut", negate=sink == 0).with_zeros()
        super().__init__(cnf, cnf.variables.keep(self._core).tolist(), look_at(clock))
        self._variables = cnf.variables
        for j, group, values in self._others():
            if not set(values) & set(choices[j]):
                self.clauses.append([-self._variables.literal(j, group)])

    def _others(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Features, groups that they are not in, and the values of these."""
        for j, members in enumerate(self._groups.members):
            for group, values in enumerate(members):
                if group != self._core[j]:
                    yield j, group, values

    def soft(self) -> Iterator[tuple[int, int]]:
        """See `Problem`."""
        assert self._units is not None
        for j, group, values in self._others():
            units = [self._units[j][v] for v in values if v in self._choices[j][1:]]
            if units:
                yield self._variables.literal(j, group), min(units)


#: Features that may change, at most: all their sets are looked at.
MOST_FREE = 16


class Reach:
    """The ways of one instance through the diagram of its goal."""

    def __init__(
        self,
        compiled: Classifier,
        x: Sequence[int],
        prediction: int,
        target: int | None,
        choices: Sequence[Sequence[int]],
        relations: Relations | None,
        clock: Clock = NO_LIMIT,
    ) -> None:
        """``choices[j]`` are the values that feature j may have, its own first."""
        self._look = look_at(clock)
        if relations is not None:
            compiled = compiled.telling_apart(relations.partition())
        goal = goal_of(prediction, target, compiled.n_classes)
        diagram, self._sink = compiled.targets.diagram(goal, relations, clock)
        core, group_of = diagram.core, compiled.decision.groups.group_of
        self._own = [int(group_of[j][v]) for j, v in enumerate(x)]
        self._any = [sorted({int(group_of[j][v]) for v in values}) for j, values in enumerate(choices)]
        self._root, self._n_nodes = int(core.root), len(core.level)
        self._levels = list(_levels(core))

    @property
    def n_nodes(self) -> int:
        """The nodes that a pass looks at."""
        return self._n_nodes

    def can_flip(self, free: Iterable[int]) -> bool:
        """May the decision flip if only these features change?"""
        self._look()
        changing = set(free)
        leads = np.zeros(self._n_nodes, dtype=bool)
        leads[self._sink] = True
        for feature, nodes, children in self._levels:
            codes = self._any[feature] if feature in changing else [self._own[feature]]
            leads[nodes] = leads[children[:, codes]].any(axis=1)
        return bool(leads[self._root])


def _levels(core: _core.Diagram) -> Iterable[tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """From the last level up: its feature, its nodes and their children."""
    level = np.asarray(core.level, dtype=np.int64)
    arity = np.asarray(core.arity, dtype=np.int64)
    sizes = np.concatenate([[0, 0], arity[level[2:]]])  # the sinks have no children
    start = np.cumsum(sizes) - sizes
    for k in range(len(arity) - 1, -1, -1):
        nodes = np.flatnonzero(level == k)
        places = start[nodes][:, None] + np.arange(arity[k])
        yield int(core.order[k]), nodes, np.asarray(core.child, dtype=np.int64)[places]


def largest_without(listed: Iterable[Sequence[int]], free: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """The largest sets of at most ``most`` of the ``free`` features that contain none of the listed sets.

    requires: ``len(free) <= MOST_FREE``.
    """
    n, bit = len(free), {j: 1 << i for i, j in enumerate(free)}
    numbers = np.arange(1 << n)
    avoids = np.ones(1 << n, dtype=bool)
    for change_set in listed:
        if all(j in bit for j in change_set):  # otherwise no set of free features contains it
            number = sum(bit[j] for j in change_set)
            avoids &= (numbers & number) != number
    size = np.zeros(1 << n, dtype=np.int64)
    for i in range(n):
        size += numbers >> i & 1
    allowed = avoids & (size <= most)
    largest = allowed.copy()
    for i in range(n):
        without = numbers[(numbers >> i & 1) == 0]
        largest[without] &= ~allowed[without | 1 << i]
    return [tuple(j for i, j in enumerate(free) if number >> i & 1) for number in np.flatnonzero(largest).tolist()]
