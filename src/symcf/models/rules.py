"""Rules: how a model decides, in integers.

A rule is what a model becomes before it is compiled. It uses value codes and classes, not names, and it is exact, so
that predictions, diagrams and engines cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import tick
from symcf.common.lazy import Later, cached_property
from symcf.data.reader import Codes
from symcf.data.regions import LineCells
from symcf.data.shared import Reading as ReadingOfColumns
from symcf.models.bounded.bounds import Bounds
from symcf.models.sums import AdditiveRule

__all__ = [
    "BlackBoxRule",
    "Coarse",
    "DiagramRule",
    "JointPart",
    "JointRule",
    "LayersRule",
    "NumberRule",
    "Reading",
    "Rule",
    "ScoreRule",
    "Spread",
    "StateRule",
    "ThresholdRule",
    "Tree",
    "TreeRule",
    "reached",
    "spread_diagram",
    "value_offsets",
]

Offsets = npt.NDArray[np.uint32]

#: Finer values: by feature and finer value, the value that it is part of.
Spread = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class ThresholdRule:
    """Two classes: class 1 iff the sum of integer weights reaches a threshold."""

    threshold: _core.Threshold

    def spread(self, codes: Spread) -> ThresholdRule:
        """The same rule over finer values."""
        t = self.threshold
        index, offset = _spread_index(t.value_offset, codes)
        return ThresholdRule(_core.Threshold.from_weights(offset, np.ascontiguousarray(t.weight[index]), t.bias))

    # --- numeric targets: see `symcf.models.quantities.SumRule`

    def one_sum(self, signs: Sequence[int]) -> ThresholdRule:
        """See `SumRule`."""
        (sign,) = signs
        return self if sign == 1 else _of_weights(self.threshold.value_offset, -self.threshold.weight, -self._bias)

    @property
    def _bias(self) -> int:
        return int(self.threshold.bias)

    def extent(self) -> tuple[int, int]:
        """See `SumRule`."""
        starts = self.threshold.value_offset[:-1].astype(np.int64)
        if not len(starts):
            return self._bias, self._bias
        ends = (reduced.reduceat(self.threshold.weight, starts) for reduced in (np.minimum, np.maximum))
        least, most = (sum(end.tolist()) + self._bias for end in ends)
        return least, most

    def coarser(self, bits: int) -> tuple[ThresholdRule, int]:
        """See `SumRule`."""
        t, half = self.threshold, 1 << bits - 1
        rule = _of_weights(t.value_offset, (t.weight + half) >> bits, (self._bias + half) >> bits)
        return rule, len(t.value_offset)

    def bounded(self, low: int | None, high: int | None) -> Rule:
        """See `SumRule`."""
        offset, weight = self.threshold.value_offset, self.threshold.weight
        if low is None or high is None:
            return _of_weights(offset, weight, self._bias - low) if low is not None else self._at_most(high or 0)
        weights = np.stack([-weight, np.zeros_like(weight), weight])
        bias = np.array([low - self._bias, 0, self._bias - high - 1], dtype=np.int64)
        return ScoreRule(offset, weights, bias, 0, later_wins=True)

    def _at_most(self, high: int) -> ThresholdRule:
        return _of_weights(self.threshold.value_offset, -self.threshold.weight, high - self._bias)


def _of_weights(offset: Offsets, weight: npt.NDArray[np.int64], bias: int) -> ThresholdRule:
    return ThresholdRule(_core.Threshold.from_weights(offset, np.ascontiguousarray(weight), bias))


@dataclass(frozen=True, eq=False)
class ScoreRule:
    """Many classes: the one with the largest sum of integer weights."""

    #: Where the values of each feature start among the weights; n + 1 entries.
    value_offset: Offsets
    #: By class, then by feature and value.
    weights: npt.NDArray[np.int64]
    #: By class.
    bias: npt.NDArray[np.int64]
    #: A unit of the scores is 2 to the power of minus this.
    scale: int
    #: Which of several classes with the same score wins: the last, or the first.
    later_wins: bool

    def spread(self, codes: Spread) -> ScoreRule:
        """The same rule over finer values."""
        index, offset = _spread_index(self.value_offset, codes)
        return replace(self, value_offset=offset, weights=np.ascontiguousarray(self.weights[:, index]))


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree over value codes. Node 0 is the root; children come after their parents."""

    #: The feature that a node tests; -1 at leaves.
    feature: npt.NDArray[np.int32]
    #: The children of a node; unused at leaves.
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    #: Node u goes left iff ``left_values[left_start[u] + code]`` is 1. Nodes, and trees, may share these. One more
    #: entry: the length of ``left_values``.
    left_start: npt.NDArray[np.int64]
    left_values: npt.NDArray[np.uint8]
    #: At leaves, what each class gets: (nodes, classes).
    score: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TreeRule:
    """Trees vote: the class with the largest sum of the scores at the leaves that a row reaches."""

    value_offset: Offsets
    trees: tuple[Tree, ...]
    #: Which of several classes with the same score wins: the last, or the first.
    later_wins: bool

    def sums(self, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
        """What each class gets, for rows of value codes: (rows, classes)."""
        parts = [self._grove.sums(codes[i : i + ROWS_AT_ONCE]) for i in range(0, len(codes), ROWS_AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros((0, self.trees[0].score.shape[1]), dtype=np.int64)

    @cached_property
    def _grove(self) -> _Grove:
        return _Grove(self.trees)

    def spread(self, codes: Spread) -> TreeRule:
        """The same rule over finer values. All trees share what goes left; the parts of features that stay as they are,
        and of tests that are made several times, are not written again.
        """
        tables = [np.array(column, dtype=np.int64) for column in codes]
        n_old, n_new = np.diff(self.value_offset.astype(np.int64)), np.array(list(map(len, codes)), dtype=np.int64)
        same = [n == len(table) and bool((table == np.arange(n)).all()) for n, table in zip(n_old, tables, strict=True)]
        cut = np.array([*(not one for one in same), False])  # the last entry is what the -1 of a leaf refers to
        parts = list({id(tree.left_values): tree.left_values for tree in self.trees}.values())
        begins = dict(zip(map(id, parts), np.cumsum([0, *map(len, parts)]).tolist(), strict=False))
        end, starts = sum(map(len, parts)), []
        written: dict[tuple[int, int], int] = {}
        for tree in self.trees:
            tick()
            begin = begins[id(tree.left_values)]
            start = tree.left_start + begin
            for u in np.flatnonzero(cut[tree.feature]).tolist():
                j, old = int(tree.feature[u]), int(tree.left_start[u])
                if (j, begin + old) not in written:
                    written[j, begin + old] = end
                    _core.check_memory(2 * (end + len(tables[j])))
                    parts.append(tree.left_values[old + tables[j]])
                    end += len(tables[j])
                start[u] = written[j, begin + old]
            starts.append(start)
        shared = np.concatenate([*parts, np.zeros(0, dtype=np.uint8)])
        for start in starts:
            start[-1] = end
        trees = [replace(t, left_start=s, left_values=shared) for t, s in zip(self.trees, starts, strict=True)]
        return replace(self, value_offset=value_offsets(n_new), trees=tuple(trees))

    # --- numeric targets: see `symcf.models.quantities.SumRule`

    def one_sum(self, signs: Sequence[int]) -> TreeRule:
        """See `SumRule`."""
        column = np.array(signs, dtype=np.int64)[:, np.newaxis]
        return self._scored([tree.score @ column for tree in self.trees])

    def _scored(self, scores: Iterable[npt.NDArray[np.int64]]) -> TreeRule:
        """The same trees with other numbers at their leaves."""
        leaves = [(tree.feature < 0)[:, np.newaxis] for tree in self.trees]
        parts = zip(self.trees, leaves, scores, strict=True)
        trees = tuple(replace(tree, score=np.where(leaf, score, 0)) for tree, leaf, score in parts)
        return replace(self, trees=trees, later_wins=True)

    def extent(self) -> tuple[int, int]:
        """See `SumRule`."""
        at_leaves = [tree.score[tree.feature < 0] for tree in self.trees]
        return sum(int(score.min()) for score in at_leaves), sum(int(score.max()) for score in at_leaves)

    def coarser(self, bits: int) -> tuple[TreeRule, int]:
        """See `SumRule`."""
        return self._scored((tree.score + (1 << bits - 1)) >> bits for tree in self.trees), len(self.trees)

    def bounded(self, low: int | None, high: int | None) -> Rule:
        """See `SumRule`."""
        if low is not None and high is not None:
            signs, bias = [-1, 0, 1], [low, 0, -high - 1]
        elif low is not None:
            signs, bias = [0, 1], [0, -low]
        else:
            signs, bias = [0, -1], [0, high or 0]
        scores = [tree.score * np.array(signs, dtype=np.int64) for tree in self.trees]
        scores[0] = scores[0] + np.array(bias, dtype=np.int64)
        return self._scored(scores)

    def winning(self, k: int, low: int) -> TreeRule:
        """Class 1 iff the sum of class k is the largest, and at least ``low``; class 0 if it is too small for that, and
        the other classes follow.
        """
        others = [r for r in range(self.trees[0].score.shape[1]) if r != k]
        # the first of equal sums wins: one more for those that won ties against class k
        bias = [low - 1, 0, *(int((r > k) == self.later_wins) for r in others)]
        scores = [
            np.column_stack([np.zeros(len(t.score), dtype=np.int64), t.score[:, [k, *others]]]) for t in self.trees
        ]
        scores[0] = scores[0] + np.array(bias, dtype=np.int64)
        return replace(self._scored(scores), later_wins=False)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_grove"}


#: Rows that walk down all trees together.
ROWS_AT_ONCE = 1024


class _Grove:
    """All trees in one array of nodes, so that a row goes down all of them at once."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        before = np.cumsum([0, *(len(tree.feature) for tree in trees)])
        values = {id(tree.left_values): tree.left_values for tree in trees}
        start = dict(zip(values, np.cumsum([0, *map(len, values.values())]).tolist(), strict=False))
        self.roots = before[:-1]
        self.feature = np.concatenate([tree.feature for tree in trees])
        self.left = np.concatenate([tree.left + at for tree, at in zip(trees, before, strict=False)])
        self.right = np.concatenate([tree.right + at for tree, at in zip(trees, before, strict=False)])
        self.left_start = np.concatenate([tree.left_start[:-1] + start[id(tree.left_values)] for tree in trees])
        self.left_values = np.concatenate(list(values.values()))
        self.score = np.concatenate([tree.score for tree in trees])

    def sums(self, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
        at = np.repeat(self.roots[None, :], len(codes), axis=0)
        row, tree = np.nonzero(self.feature[at] >= 0)
        while len(row):
            u = at[row, tree]
            passes = self.left_values[self.left_start[u] + codes[row, self.feature[u]].astype(np.int64)]
            at[row, tree] = u = np.where(passes, self.left[u], self.right[u])
            inner = self.feature[u] >= 0
            row, tree = row[inner], tree[inner]
        return np.asarray(self.score[at].sum(axis=1))


@dataclass(frozen=True, eq=False)
class DiagramRule:
    """Two classes: one diagram, of class 1. More: one per class, exactly one of which is true."""

    diagrams: Later[tuple[_core.Diagram, ...]]
    #: By feature, the number of its values.
    n_values: tuple[int, ...] = field(compare=False)

    def spread(self, codes: Spread) -> DiagramRule:
        """The same rule over finer values."""
        made = Later(lambda: tuple(spread_diagram(diagram, codes) for diagram in self.diagrams.value))
        return DiagramRule(made, tuple(map(len, codes)))


class Reading(Protocol):
    """Reads features one after another. States are hashable; equal states are continued by equal decisions."""

    def start(self) -> Hashable:
        """The state before anything is read."""

    def after(self, i: int, state: Any, value: int) -> Hashable:
        """The state after the i-th feature, from 0, turned out to have this value."""

    def decided_early(self, i: int, state: Any) -> int | None:
        """The class of all rows that continue a state after i features, if that is known; it is after the last."""


@dataclass(frozen=True, eq=False)
class StateRule:
    """Features are read one after another, in any order, and what matters of those that were read is a state."""

    value_offset: Offsets
    n_classes: int
    #: All that decides, in plain numbers. What follows is made of them, and is no part of a checksum.
    numbers: tuple[Any, ...]
    #: Features in an order that keeps states few.
    order: tuple[int, ...] = field(compare=False)
    #: A reading in this order of the features. It calls what it is given now and then: that raises when time is up.
    reading: Callable[[Sequence[int], Callable[[], None]], Reading] = field(compare=False)
    #: The class of rows of checked codes.
    decide: Callable[[Codes], npt.NDArray[np.uint8]] = field(compare=False)

    def spread(self, codes: Spread) -> StateRule:
        """The same rule over finer values."""
        coarse = Coarse(codes)

        def reading(order: Sequence[int], look: Callable[[], None]) -> Reading:
            return _SpreadReading(self.reading(order, look), [codes[j] for j in order])

        return replace(
            self,
            value_offset=value_offsets([len(column) for column in codes]),
            numbers=(*self.numbers, tuple(map(tuple, codes))),
            reading=reading,
            decide=lambda rows: self.decide(coarse(rows)),
        )


class _SpreadReading:
    """Reads finer values: each stands for one that the reading knows."""

    def __init__(self, inner: Reading, codes: Spread) -> None:
        self._inner = inner
        self._codes = codes
        self.start = inner.start
        self.decided_early = inner.decided_early

    def after(self, i: int, state: Any, value: int) -> Hashable:
        return self._inner.after(i, state, self._codes[i][value])


@dataclass(frozen=True, eq=False)
class LayersRule:
    """Neurons in layers: each is 1 if its sum of integer weights reaches 0, and the next layer adds those that are.

    The first layer adds weights by feature and value. The last one has one neuron, which is class 1 if it is 1, or one
    sum per class, the largest of which wins.
    """

    value_offset: Offsets
    #: The first: (neurons, values).
    first: npt.NDArray[np.int64]
    #: The others: (neurons, neurons of the layer before).
    others: tuple[npt.NDArray[np.int64], ...]
    #: By layer and neuron.
    biases: tuple[npt.NDArray[np.int64], ...]
    #: Which of several classes with the same sum wins: the last, or the first.
    later_wins: bool

    def spread(self, codes: Spread) -> LayersRule:
        """The same rule over finer values."""
        index, offset = _spread_index(self.value_offset, codes)
        return replace(self, value_offset=offset, first=np.ascontiguousarray(self.first[:, index]))


def reached(tree: Tree, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """The leaf that each row of value codes reaches."""
    at = np.zeros(len(codes), dtype=np.int64)
    on_the_way = np.arange(len(codes))
    while len(on_the_way := on_the_way[tree.feature[at[on_the_way]] >= 0]):
        u = at[on_the_way]
        passes = tree.left_values[tree.left_start[u] + codes[on_the_way, tree.feature[u]].astype(np.int64)]
        at[on_the_way] = np.where(passes, tree.left[u], tree.right[u])
    return at


@dataclass(frozen=True, eq=False)
class BlackBoxRule:
    """A function that gives the classes of rows of value codes, and says nothing about why."""

    decide: Callable[[Codes], npt.NDArray[np.uint8]]
    #: By feature, the number of its values.
    n_values: tuple[int, ...]
    #: By feature and value: may it be suggested, or is it a row's own?
    suggested: tuple[tuple[bool, ...], ...]
    #: Rows that are decided at a time, at most.
    most_rows: int
    #: What is known of its scores over boxes of rows; None: nothing.
    bounds: Later[Bounds] | None = None

    def reach(
        self, rows: Codes, goal: tuple[int, int], holds: Callable[[Any], npt.NDArray[np.bool_]] | None
    ) -> npt.NDArray[np.bool_]:
        """Which rows obey relations, and are decided for class ``goal[0]`` (``goal[1]`` is 1) or for any other (0)?"""
        found = np.ones(len(rows), dtype=np.bool_) if holds is None else holds(rows)
        found[found] = (self.decide(rows[found]) == goal[0]) == bool(goal[1])
        return found

    def spread(self, codes: Spread) -> BlackBoxRule:
        """The same rule over finer values."""
        coarse, bounds = Coarse(codes), self.bounds
        return replace(
            self,
            decide=lambda rows: self.decide(coarse(rows)),
            n_values=tuple(map(len, codes)),
            bounds=None if bounds is None else Later(lambda: bounds.value.spread(codes)),
            suggested=tuple(tuple(old[v] for v in new) for old, new in zip(self.suggested, codes, strict=True)),
        )


@dataclass(frozen=True, eq=False)
class NumberRule:
    """A number, which decides nothing until a target says what it should be (`symcf.models.goals`)."""

    #: By feature, the number of its values.
    n_values: tuple[int, ...]

    def spread(self, codes: Spread) -> NumberRule:
        """The same rule over finer values."""
        return NumberRule(tuple(map(len, codes)))


@dataclass(frozen=True, eq=False)
class JointPart:
    """One of several models, and how it reads the columns that all of them share."""

    rule: Rule
    #: By class of the model, its code among those of all.
    classes: tuple[int, ...]
    #: The class that it has to decide for; None: any.
    wanted: int | None
    reading: ReadingOfColumns
    #: By shared feature that is a line of numbers, how far a number may be off.
    shifts: Mapping[int, Fraction] = field(default_factory=dict)
    #: By how many units of the rule it has to lead each other class.
    lead: int = 0

    @property
    def is_numbers(self) -> bool:
        """Does it add up numbers?"""
        return isinstance(self.rule, AdditiveRule)


@dataclass(frozen=True, eq=False)
class JointRule:
    """Several models. Where each has a class that is wanted: class 0 iff all decide for it, else one of those that do
    not. Where none has: the class that all decide for, or the last.
    """

    parts: tuple[JointPart, ...]
    #: By feature, the number of its values, or of cells where it is a line of numbers.
    n_values: tuple[int, ...]
    #: By feature that is a line of numbers, its cells.
    cells: tuple[LineCells | None, ...]

    def spread(self, codes: Spread) -> JointRule:
        """The same rule over finer values. Lines are never cut."""
        parts = []
        for part in self.parts:
            reading = part.reading
            finer = [
                old if self.cells[f] is not None else tuple(old[v] for v in codes[f])
                for f, old in zip(reading.feature, reading.codes, strict=True)
            ]
            parts.append(replace(part, reading=replace(reading, codes=tuple(finer))))
        counts = zip(self.n_values, self.cells, codes, strict=True)
        return JointRule(tuple(parts), tuple(n if c is not None else len(v) for n, c, v in counts), self.cells)


Rule = (
    ThresholdRule
    | ScoreRule
    | AdditiveRule
    | TreeRule
    | DiagramRule
    | StateRule
    | LayersRule
    | BlackBoxRule
    | NumberRule
    | JointRule
)


def value_offsets(n_values: npt.ArrayLike) -> Offsets:
    """Where the values of each feature start when all are numbered through, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.asarray(n_values, dtype=np.int64))]).astype(np.uint32)


# --- finer values -----------------------------------------------------------------------------------------------------


class Coarse:
    """Rows of finer values -> rows of the values that they are part of."""

    def __init__(self, codes: Spread) -> None:
        uncut = [range(len(column)) for column in codes]  # also lines of numbers, which have no tables
        pairs = enumerate(zip(codes, uncut, strict=True))
        self._tables = {j: np.array(column, dtype=np.int64) for j, (column, own) in pairs if column != own}

    def __call__(self, rows: Codes) -> npt.NDArray[np.int64]:
        """requires: codes in range."""
        found = np.array(rows, dtype=np.int64)
        for j, table in self._tables.items():
            found[..., j] = table[found[..., j]]
        return found


def _spread_index(value_offset: Offsets, codes: Spread) -> tuple[npt.NDArray[np.int64], Offsets]:
    """By finer value, numbered through, the place of the value that it is part of; and the new offsets."""
    starts = value_offset[:-1].tolist()
    index = [start + code for start, column in zip(starts, codes, strict=True) for code in column]
    return np.array(index, dtype=np.int64), value_offsets([len(column) for column in codes])


def spread_diagram(core: _core.Diagram, codes: Spread) -> _core.Diagram:
    """The same function over finer values."""
    level, order = core.level.astype(np.int64), core.order.tolist()
    arity = core.arity.astype(np.int64)
    children, start = [np.zeros(0, dtype=np.uint32)], 0
    for k in range(core.n - 1, -1, -1):  # nodes are sorted by level, the last one first
        count = int(np.count_nonzero(level[2:] == k))
        block = core.child[start : start + count * int(arity[k])].reshape(count, int(arity[k]))
        children.append(block[:, np.array(codes[order[k]], dtype=np.int64)].ravel())
        start += block.size
    sizes = np.array([len(codes[j]) for j in order], dtype=np.uint32)
    return _core.Diagram.from_arrays(core.order, sizes, core.level, np.concatenate(children), core.root)
