"""Tables and weights as trees of votes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from symcf.models.rules import Tree

__all__ = ["branch", "leaf", "table_tree", "term_tree"]

Scores = npt.NDArray[np.int64]


def leaf(score: Scores) -> Tree:
    """A tree that tests nothing; one line of scores."""
    one = np.array([-1], dtype=np.int32)
    return Tree(one, one, one, np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.uint8), score)


def branch(feature: int, below: Scores | Sequence[Tree]) -> Tree:
    """A tree that tests the codes of one feature: below are the scores of its leaves, or trees, by code."""
    n_values = len(below)
    if isinstance(below, np.ndarray):
        starts = [0, *(np.flatnonzero((below[1:] != below[:-1]).any(axis=1)) + 1).tolist()]
        kept = [leaf(below[v].reshape(1, -1)) for v in starts]
    else:
        starts = [v for v in range(n_values) if v == 0 or below[v] is not below[v - 1]]
        kept = [below[v] for v in starts]
    n_tests = len(starts) - 1
    if not n_tests:
        return kept[0]
    sizes = [len(part.feature) for part in kept]
    root = n_tests + np.concatenate([[0], np.cumsum(sizes)[:-1]])  # where each part begins; the tests come first
    tests = np.arange(n_tests)
    left = [root[:-1], *(part.left + at for part, at in zip(kept, root, strict=True))]
    right = [np.append(tests[1:], root[-1]), *(part.right + at for part, at in zip(kept, root, strict=True))]
    own = np.arange(n_values) < np.array(starts[1:])[:, None]  # by test, which codes go left
    values = [own.astype(np.uint8).reshape(-1), *(part.left_values for part in kept)]
    before = np.concatenate([[0], np.cumsum([len(part) for part in values])])
    at = [tests * n_values, *(part.left_start[:-1] + b for part, b in zip(kept, before[1:], strict=False))]
    score = np.concatenate([np.zeros((n_tests, kept[0].score.shape[1]), dtype=np.int64), *(p.score for p in kept)])
    return Tree(
        np.concatenate([np.full(n_tests, feature), *(part.feature for part in kept)]).astype(np.int32),
        np.concatenate(left).astype(np.int32),
        np.concatenate(right).astype(np.int32),
        np.concatenate([*at, [before[-1]]]).astype(np.int64),
        np.concatenate(values),
        score,
    )


def table_tree(features: Sequence[int], scores: Scores) -> Tree:
    """A tree that looks up a table: scores by the codes of the features, the first of which is tested first."""
    if len(features) < 2:
        return branch(features[0], scores) if features else leaf(scores.reshape(1, -1))
    known: dict[bytes, Tree] = {}  # codes with the same lines share their tree
    lines = []
    for line in scores:
        key = line.tobytes()
        if key not in known:
            known[key] = table_tree(features[1:], line)
        lines.append(known[key])
    return branch(features[0], lines)


def term_tree(feature: int, parent: int, scores: Scores) -> Tree:
    """The same of a feature and its parent: scores by code of the parent, or one line where that is -1."""
    return table_tree([feature], scores[0]) if parent < 0 else table_tree([parent, feature], scores)
