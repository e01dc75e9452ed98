"""The fewest facts that decide almost always: sets of features with which a share of all rows, or of the data, has the
same decision.

A sufficient reason forces a decision. Often fewer facts do for nearly all rows: of the rows that agree with the
instance in these features, at least the given share is decided alike (delta-relevant sets: Wäldchen, Macdonald, Hauch
and Kutyniok, "The computational complexity of understanding binary classifier decisions", JAIR 2021; over data:
anchors). One more fact may lower the share, so that there is no shortcut from a set to its subsets: sets are counted
one by one by rising size, up to the size of a set that adding the best fact, one after the other, finds. Rows are
counted exactly: those of the data, or all combinations of values on a diagram.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from symcf.common.clock import Clock, tick
from symcf.data.reader import Codes
from symcf.errors import LimitError, OptionError
from symcf.models.rules import Offsets
from symcf.question.case import Case
from symcf.search.change_sets import ChangeSet
from symcf.system.diagram import Diagram

__all__ = ["Alike", "Fewest", "OfAllRows", "OfData", "fewest_facts"]


class Alike(NamedTuple):
    """Of the rows with the same facts, how many are decided alike."""

    alike: int
    rows: int

    def reaches(self, share: Fraction) -> bool:
        """Are there such rows, and are so many of them decided alike?"""
        return self.rows > 0 and self.alike >= share * self.rows


class Counting(Protocol):
    """Counts rows."""

    #: How many rows there are.
    rows: int
    #: The features that differ between rows.
    features: tuple[int, ...]

    def count(self, facts: ChangeSet, clock: Clock) -> Alike:
        """Of the rows that agree with the instance in these features. `LimitError` when time is up."""


class OfData(Counting):
    """Counts rows of data that have the immutable features of the instance."""

    def __init__(self, case: Case, codes: Codes) -> None:
        stated = [c for c in case.question.constraints.items if c.stated]
        for constraint in stated:
            if not constraint.fixes:
                raise OptionError(
                    f"precision with data takes no constraint but immutable, not {constraint}; give the data that obeys"
                )
        agrees = np.asarray(codes, dtype=np.int64) == np.array(case.x, dtype=np.int64)
        fixed = [c.feature for c in stated if c.feature is not None]
        known = agrees[:, fixed].all(axis=1)
        decided = case.question.classifier.decide(codes[known])
        target = None if case.question.any_other else case.target
        #: By row: is the decision the same, or where a class is ruled out, not that one?
        self._alike = decided == case.prediction if target is None else decided != target
        #: By feature and row.
        self._agrees = np.ascontiguousarray(agrees[known].T)
        self.rows = int(known.sum())
        self.features = tuple(j for j, same in enumerate(self._agrees) if not same.all())
        #: The last sets that were counted, by size: sets that come in order share their beginnings.
        self._counted: list[tuple[ChangeSet, npt.NDArray[np.bool_]]] = [((), np.ones(self.rows, dtype=np.bool_))]

    def count(self, facts: ChangeSet, clock: Clock) -> Alike:
        tick()
        if clock.expired:
            raise LimitError("time limit reached while counting rows")
        shared = 0
        while shared < min(len(facts), len(self._counted) - 1) and self._counted[shared + 1][0] == facts[: shared + 1]:
            shared += 1
        del self._counted[shared + 1 :]
        for size in range(shared, len(facts)):
            self._counted.append((facts[: size + 1], self._counted[-1][1] & self._agrees[facts[size]]))
        rows = self._counted[-1][1]
        return Alike(int((rows & self._alike).sum()), int(rows.sum()))


def _possible(case: Case) -> npt.NDArray[np.bool_]:
    """By feature and value, whether a row may have it: the instance's own values and what the question allows."""
    classifier, groups = case.question.classifier, case.question.classifier.decision.groups
    start = groups.value_offset[:-1].astype(np.int64)
    if case.mask is not None:
        found = case.mask.astype(np.bool_)
    elif classifier.tried is not None:
        found = np.array([tried for of in classifier.tried for tried in of], dtype=np.bool_)
    else:
        found = np.ones(int(groups.value_offset[-1]), dtype=np.bool_)
    found[start + np.array(case.x, dtype=np.int64)] = True
    return found


class OfAllRows(Counting):
    """Counts all combinations of values that the question allows, on a diagram."""

    def __init__(self, case: Case, clock: Clock) -> None:
        if case.orders:
            raise OptionError(
                f"constraints: {case.orders[0].text!r} depends on numbers within their ranges, of which all rows are "
                "not counted; leave it out, or give data"
            )
        self._groups = groups = case.question.classifier.decision.groups
        self._x = case.query.x
        by_value = _possible(case).astype(np.uint32)
        owner = np.repeat(groups.core_offset[:-1], np.diff(groups.value_offset)).astype(np.int64)
        #: By core code, how many values there are.
        self._weight = np.zeros(int(groups.core_offset[-1]), dtype=np.uint32)
        np.add.at(self._weight, owner + groups.table, by_value)
        start = [0, *np.cumsum(np.diff(groups.value_offset).astype(np.int64)).tolist()]
        #: By feature, how many values.
        self._sizes = [int(by_value[i:j].sum()) for i, j in pairwise(start)]
        self.features = tuple(j for j, size in enumerate(self._sizes) if size > 1)
        self.rows = math.prod(self._sizes)
        classifier, relations = case.question.classifier, case.question.relations
        self._goal = case.target_diagram(clock)
        #: Where relations exclude rows: by class, the rows that are left.
        self._classes = []
        if relations is not None:
            two = classifier.n_classes == 2
            goals = [(1, 0), (1, 1)] if two else [(k, 1) for k in range(classifier.n_classes)]
            self._classes = [classifier.targets.diagram(goal, relations, clock) for goal in goals]
            self.rows = self.count((), clock).rows

    def count(self, facts: ChangeSet, clock: Clock) -> Alike:
        offset, weight = self._groups.core_offset, self._weight.copy()
        for j in facts:
            weight[int(offset[j]) : int(offset[j + 1])] = 0
            weight[int(offset[j]) + int(self._x[j])] = 1

        if self._classes:
            rows = sum(_counted(one, offset, weight, clock) for one in self._classes)
        else:
            rows = math.prod(size for j, size in enumerate(self._sizes) if j not in facts)
        return Alike(rows - _counted(self._goal, offset, weight, clock), rows)


def _counted(diagram: tuple[Diagram, int], offset: Offsets, weight: npt.NDArray[np.uint32], clock: Clock) -> int:
    """The rows that reach a sink, each value as often as it weighs."""
    function, sink = diagram
    return int(function.core.count_weighted(sink, offset, weight, clock.left))


@dataclass(frozen=True)
class Fewest:
    """Sets of facts, all of one size, and their counts."""

    sets: tuple[ChangeSet, ...]
    counts: tuple[Alike, ...]
    #: No set of fewer facts than this reaches the share.
    at_least: int
    #: "complete" or "time": sets of the same size, or of fewer facts down to `at_least`, may be missing.
    status: str


def fewest_facts(counting: Counting, share: Fraction, clock: Clock) -> Fewest:
    """All sets of the fewest facts that reach a share, the most precise first; none if no set does."""
    found: dict[ChangeSet, Alike] = {}
    size = 0
    try:
        few = _greedy(counting, share, clock)
        if few is not None:
            found = dict([few])
        most = len(counting.features) if few is None else len(few[0])
        for size in range(most + 1):
            of_size = dict(_reaching(counting, share, size, clock))
            if of_size:
                return _fewest(of_size, size, "complete")
    except LimitError as error:
        if not clock.ended(error):
            raise
        return _fewest(found, size, "time")
    return _fewest({}, len(counting.features) + 1, "complete")


def _fewest(found: dict[ChangeSet, Alike], at_least: int, status: str) -> Fewest:
    def key(facts: ChangeSet) -> tuple[Fraction, ChangeSet]:
        return -Fraction(found[facts].alike, found[facts].rows), facts

    sets = sorted(found, key=key)
    return Fewest(tuple(sets), tuple(found[facts] for facts in sets), at_least, status)


def _reaching(counting: Counting, share: Fraction, size: int, clock: Clock) -> Iterator[tuple[ChangeSet, Alike]]:
    """The sets of a size that reach the share."""
    for facts in combinations(counting.features, size):
        found = counting.count(facts, clock)
        if found.reaches(share):
            yield facts, found


def _greedy(counting: Counting, share: Fraction, clock: Clock) -> tuple[ChangeSet, Alike] | None:
    """A set that reaches the share, one fact after the other; None where the last rows are used up before."""
    facts: ChangeSet = ()
    left: Sequence[int] = counting.features
    found = counting.count(facts, clock)
    while not found.reaches(share):
        tried = [(tuple(sorted((*facts, j))), j) for j in left]
        counts = [(counting.count(more, clock), more, j) for more, j in tried]
        counts = [one for one in counts if one[0].rows]
        if not counts:
            return None
        found, facts, taken = max(counts, key=lambda one: (Fraction(*one[0]), one[0].rows, -one[2]))
        left = [j for j in left if j != taken]
    return facts, found
