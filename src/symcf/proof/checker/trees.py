"""Trees that vote, as leaves: each has scores, and by feature the values that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from symcf.proof.checker.form import Effort, Rejected, integer, items, record, words
from symcf.proof.checker.rules import Compared, ties

__all__ = ["Leaf", "Trees"]

#: Steps that a test which is kept with a leaf counts for: there must be room for all of them.
KEPT = 128


class Leaf(NamedTuple):
    """Scores by sum, and by feature that is tested on the way a mask of its values."""

    scores: tuple[int, ...]
    box: tuple[tuple[int, int], ...]


class Trees(Compared):
    """Trees over value codes; the scores of the leaves that a row reaches are added up."""

    def __init__(self, data: Any, n_values: Sequence[int | None], n_classes: int, effort: Effort) -> None:
        super().__init__(n_values, n_classes, effort)
        _, trees, tied = record(data, "the rule", ("kind", "trees", "ties"))
        self.n_sums, self.steps = n_classes, 0
        self.later_wins = ties(tied)
        #: By tree and number of the node: tests, and scores of leaves.
        self._nodes: list[tuple[dict[int, tuple[int, int, int, int]], dict[int, tuple[int, ...]]]] = []
        #: By tree, its leaves.
        self.trees = items(trees, "trees", self._tree)

    def _tree(self, data: Any, where: str) -> list[Leaf]:
        """Nodes are [scores] or [feature, runs of values that go left, left, right]; children come after parents."""
        nodes = items(data, where, lambda node, at: items(node, at, lambda part, _: part))
        if not nodes:
            raise Rejected("form", "a tree must have a node")
        leaves: list[Leaf] = []
        tests: dict[int, tuple[int, int, int, int]] = {}
        scores: dict[int, tuple[int, ...]] = {}
        waiting: list[tuple[int, int, dict[int, int]]] = [(0, 0, {})]
        deepest = 0
        while waiting:
            number, depth, box = waiting.pop()
            deepest = max(deepest, depth)
            if number in tests or number in scores:
                raise Rejected("form", "a node of a tree has two parents")
            node = nodes[number]
            if len(node) == 1:
                scores[number] = tuple(items(node[0], "scores", integer, self.n_sums))
                leaves.append(Leaf(scores[number], tuple(box.items())))
                continue
            if len(node) != 4:
                raise Rejected("form", "a node of a tree must be [scores] or [feature, values, left, right]")
            feature = integer(node[0], "a feature", 0, len(self.n_values))
            size = self.n_values[feature]
            assert size is not None
            self.effort.spend(KEPT * (1 + len(box)) * words(size))
            goes_left, whole = _mask(node[1], size), (1 << size) - 1
            tests[number] = (feature, goes_left, node[2], node[3])
            for child, mask in ((node[3], whole & ~goes_left), (node[2], goes_left)):
                after = integer(child, "a child", number + 1, len(nodes))
                if mask & box.get(feature, whole):
                    waiting.append((after, depth + 1, {**box, feature: mask & box.get(feature, whole)}))
        self._nodes.append((tests, scores))
        self.steps += deepest + self.n_sums
        if len(tests) + len(scores) < len(nodes):
            raise Rejected("form", "a tree has nodes that no row reaches")
        return leaves

    def sums_of(self, row: Sequence[int]) -> list[int]:
        """See `Compared`."""
        sums = [0] * self.n_sums
        for tests, scores in self._nodes:
            at = 0
            while at in tests:
                feature, goes_left, left, right = tests[at]
                at = left if goes_left >> row[feature] & 1 else right
            sums = [a + b for a, b in zip(sums, scores[at], strict=True)]
        return sums


def _mask(data: Any, size: int) -> int:
    """Runs of values, as first and last one after the other, as a mask."""
    runs = items(data, "the values that go left", integer)
    mask, before = 0, -2
    if len(runs) % 2:
        raise Rejected("form", "runs of values must have a first and a last value")
    for first, last in zip(runs[::2], runs[1::2], strict=True):
        if not before + 1 < first <= last < size:
            raise Rejected("form", "runs of values must ascend")
        mask |= (1 << last + 1) - (1 << first)
        before = last
    return mask
