"""Rules: how a model decides, in integers.

A rule is what a model becomes before it is compiled. It uses value codes and classes, not names, and it is exact, so
that predictions, diagrams and engines cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.later import Later
from symcf.rows.reader import Codes

__all__ = [
    "AdditiveRule",
    "AskedRule",
    "DiagramRule",
    "LayersRule",
    "Reading",
    "Rule",
    "ScoreRule",
    "StateRule",
    "ThresholdRule",
    "Tree",
    "TreeRule",
    "reached",
    "value_offsets",
]

Offsets = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class ThresholdRule:
    """Two classes: class 1 iff the sum of integer weights reaches a threshold."""

    threshold: _core.Threshold


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


@dataclass(frozen=True, eq=False)
class AdditiveRule:
    """Sums of functions of numbers and of weights of values; see `symcf.models.additive`. One sum: class 1 iff it is
    positive, or 0 and ``later_wins``. More: the class with the largest.
    """

    #: The features that are numbers; their codes are places among the doubles (`symcf.rows.numbers`).
    numbers: tuple[int, ...]
    #: By sum and number: ``curve * 2**curve_exponent * x**2 + slope * 2**slope_exponent * x``.
    curve: npt.NDArray[np.int64]
    curve_exponent: npt.NDArray[np.int32]
    slope: npt.NDArray[np.int64]
    slope_exponent: npt.NDArray[np.int32]
    #: By feature, the weights by sum and value; None for numbers.
    tables: tuple[npt.NDArray[np.int64] | None, ...]
    #: By sum.
    bias: npt.NDArray[np.int64]
    #: A unit is 2 to the power of minus this.
    scale: int
    later_wins: bool
    #: By how many units a counterfactual has to win.
    doubt: int

    @cached_property
    def coefficients(self) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
        """Curve and slope by sum and number, in units."""

        def exact(digits: npt.NDArray[np.int64], exponent: npt.NDArray[np.int32]) -> list[list[Fraction]]:
            return [
                [Fraction(d) * Fraction(2) ** (e + self.scale) for d, e in zip(*pair, strict=True)]
                for pair in zip(digits.tolist(), exponent.tolist(), strict=True)
            ]

        return exact(self.curve, self.curve_exponent), exact(self.slope, self.slope_exponent)

    @cached_property
    def integers(self) -> list[tuple[list[int], list[int]]]:
        """By number, curve and slope by sum: integers, all to be multiplied by the same power of two."""
        found = []
        for parts in zip(self.curve.T, self.curve_exponent.T, self.slope.T, self.slope_exponent.T, strict=True):
            curve, by_curve, slope, by_slope = (part.tolist() for part in parts)
            least = min(*by_curve, *by_slope)
            found.append(
                (
                    [digits << (exponent - least) for digits, exponent in zip(curve, by_curve, strict=True)],
                    [digits << (exponent - least) for digits, exponent in zip(slope, by_slope, strict=True)],
                )
            )
        return found

    @cached_property
    def polynomials(self) -> list[_core.Polynomials]:
        """By sum, what the numbers add to it."""
        parts = zip(self.curve, self.curve_exponent, self.slope, self.slope_exponent, strict=True)
        return [_core.Polynomials(*part, self.scale) for part in parts]


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
class AskedRule:
    """A function that gives the classes of rows of value codes, and says nothing about why."""

    ask: Callable[[Codes], npt.NDArray[np.uint8]]
    #: By feature, the number of its values.
    n_values: tuple[int, ...]
    #: By feature and value: may it be suggested, or is it a row's own?
    suggested: tuple[tuple[bool, ...], ...]
    #: Rows that are asked at a time, at most.
    most_rows: int


Rule = ThresholdRule | ScoreRule | AdditiveRule | TreeRule | DiagramRule | StateRule | LayersRule | AskedRule


def value_offsets(n_values: npt.ArrayLike) -> Offsets:
    """Where the values of each feature start when all are numbered through, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.asarray(n_values, dtype=np.int64))]).astype(np.uint32)
