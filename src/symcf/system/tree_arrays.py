"""Trees as the core takes them: one array per property of the nodes of all trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import tick
from symcf.models.rules import Tree, TreeRule, value_offsets

__all__ = ["TreeArrays", "tree_arrays", "tree_of", "with_values"]

#: start, feature, left, right, left_start, left_values: see symcf_trees in symcf.h.
TreeArrays = tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int64],
    npt.NDArray[np.uint8],
]


def tree_arrays(trees: Sequence[Tree]) -> TreeArrays:
    """The nodes of all trees. What trees share is written once."""
    shared = list({id(tree.left_values): tree.left_values for tree in trees}.values())
    before = dict(zip(map(id, shared), np.cumsum([0, *map(len, shared)]).tolist(), strict=False))
    left_start = [tree.left_start[:-1] + before[id(tree.left_values)] for tree in trees]
    return (
        np.concatenate([[0], np.cumsum([len(tree.feature) for tree in trees])]).astype(np.uint64),
        np.concatenate([tree.feature for tree in trees]).astype(np.int32),
        np.concatenate([tree.left for tree in trees]).astype(np.int32),
        np.concatenate([tree.right for tree in trees]).astype(np.int32),
        np.concatenate([*left_start, [sum(map(len, shared))]]).astype(np.int64),
        np.concatenate(shared).astype(np.uint8),
    )


def tree_of(diagram: _core.Diagram, scores: npt.NDArray[np.int64]) -> Tree:
    """A diagram as a tree whose nodes may have several parents. Its sinks become leaves with ``scores[sink]``."""
    order, arity, level = (part.tolist() for part in (diagram.order, diagram.arity, diagram.level))
    child = iter(diagram.child.tolist())
    below = [[next(child) for _ in range(arity[k])] if u > 1 else [] for u, k in enumerate(level)]
    feature: list[int] = []
    links: list[tuple[int, int, int]] = []  # what goes left; the node of the diagram there; if last, the one right
    first: dict[int, int] = {}
    values: list[list[int]] = []
    for u in [*(u for u in range(len(level) - 1, 1, -1)), 1, 0]:
        tick()
        first[u] = len(feature)
        targets = list(dict.fromkeys(below[u]))
        for i, target in enumerate(targets[:-1]):
            feature.append(order[level[u]])
            values.append([int(v == target) for v in below[u]])
            links.append((len(feature) - 1, target, targets[-1] if i == len(targets) - 2 else -1))
        if u <= 1:
            feature.append(-1)
    left, right = [-1] * len(feature), [-1] * len(feature)
    for node, target, last in links:
        left[node] = first[target]
        right[node] = first[last] if last >= 0 else node + 1
    start = np.cumsum([0, *map(len, values)])
    score = np.zeros((len(feature), scores.shape[1]), dtype=np.int64)
    score[first[1]], score[first[0]] = scores[1], scores[0]
    root = first[diagram.root]
    assert root == 0 or diagram.root <= 1, "the root of a diagram is its last node"
    starts = np.append(start[:-1], [start[-1]] * 3).astype(np.int64)  # the two leaves, and one more
    arrays = (np.array(part, dtype=np.int32)[root:] for part in (feature, left, right))
    feature_of, left_of, right_of = arrays
    sets = np.array([v for part in values for v in part], dtype=np.uint8)
    return Tree(feature_of, left_of - root, right_of - root, starts[root:], sets, score[root:])


def with_values(rule: TreeRule, value_of: Sequence[Sequence[int]]) -> TreeRule:
    """The same trees over other codes: ``value_of`` has by feature and new code the old one."""
    index = [np.array(values, dtype=np.int64) for values in value_of]
    trees = []
    for tree in rule.trees:
        starts, parts, end = np.zeros_like(tree.left_start), [np.zeros(0, dtype=np.uint8)], 0
        for u, j in enumerate(tree.feature.tolist()):
            starts[u] = end
            if j >= 0:
                parts.append(tree.left_values[tree.left_start[u] + index[j]])
                end += len(index[j])
        starts[len(tree.feature) :] = end
        trees.append(Tree(tree.feature, tree.left, tree.right, starts, np.concatenate(parts), tree.score))
    return TreeRule(value_offsets([len(values) for values in value_of]), tuple(trees), rule.later_wins)
