"""Rules: how a model decides, in integers.

A rule is what a model becomes before it is compiled. It uses value codes and classes, not names, and it is exact, so
that predictions, diagrams and engines cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core

__all__ = ["DiagramRule", "Rule", "ScoreRule", "ThresholdRule", "Tree", "TreeRule", "reached", "value_offsets"]

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
class Tree:
    """A decision tree over value codes. Node 0 is the root; children come after their parents."""

    #: The feature that a node tests; -1 at leaves.
    feature: npt.NDArray[np.int32]
    #: The children of a node; unused at leaves.
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    #: Node u goes left iff ``left_values[left_start[u] + code]`` is 1. Leaves own an empty range.
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


@dataclass(frozen=True, eq=False)
class DiagramRule:
    """Two classes: one diagram, of class 1. More: one per class, exactly one of which is true."""

    diagrams: tuple[_core.Diagram, ...]


def reached(tree: Tree, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """The leaf that each row of value codes reaches."""
    at = np.zeros(len(codes), dtype=np.int64)
    on_the_way = np.arange(len(codes))
    while len(on_the_way := on_the_way[tree.feature[at[on_the_way]] >= 0]):
        u = at[on_the_way]
        passes = tree.left_values[tree.left_start[u] + codes[on_the_way, tree.feature[u]]]
        at[on_the_way] = np.where(passes, tree.left[u], tree.right[u])
    return at


Rule = ThresholdRule | ScoreRule | TreeRule | DiagramRule


def value_offsets(n_values: npt.ArrayLike) -> Offsets:
    """Where the values of each feature start when all are numbered through, and the end of the last."""
    return np.concatenate([[0], np.cumsum(np.asarray(n_values, dtype=np.int64))]).astype(np.uint32)
