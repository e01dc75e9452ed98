"""Trees that vote inside a page, for static/trees.js to evaluate and to search.

What is written here and read there, by node of all trees, one tree after the other:

    roots       the first node of each tree
    feature     one more than the feature that is tested; 0 at leaves
    left right  where a test leads
    cut         value codes below it go left ...
    set         ... or, where it is not 0, the codes in this one of `sets`
    score_of    at leaves, the line of `scores`: what each class gets, in integers, as text where these are big
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from symcf.models.rules import Tree, TreeRule
from symcf.models.trees.boosted import BoostedTrees
from symcf.question.question import Question
from symcf.search.plan import plan
from symcf.system.classifier import Classifier

__all__ = ["EXACT", "is_by_trees", "packed", "tree_chances", "trees_data"]


def is_by_trees(question: Question) -> bool:
    """Is a page to search the trees themselves? Where they are many, a diagram of them would be too large."""
    return question.relations is None and plan(question).default.avoids_diagram


def trees_data(compiled: Classifier, max_nodes: int) -> dict[str, Any] | None:
    """The trees; None for other models, and for more nodes than that."""
    rule = compiled.model.rule()
    if not isinstance(rule, TreeRule) or sum(len(tree.feature) for tree in rule.trees) > max_nodes:
        return None
    sets: dict[bytes, int] = {b"": 0}
    n_values = np.diff(rule.value_offset).tolist()
    tests = [_tests(tree, n_values, sets) for tree in rule.trees]
    roots = np.cumsum([0, *(len(tree.feature) for tree in rule.trees)])[:-1]
    inner = np.concatenate([tree.feature >= 0 for tree in rule.trees])

    def linked(name: str) -> dict[str, Any]:
        nodes = [getattr(tree, name) + root for tree, root in zip(rule.trees, roots, strict=True)]
        return packed(np.where(inner, np.concatenate(nodes), 0))

    scores = np.concatenate([np.where(tree.feature[:, None] < 0, tree.score, 0) for tree in rule.trees])
    lines, score_of = np.unique(scores, axis=0, return_inverse=True)
    most = sum(int(np.abs(tree.score[tree.feature < 0]).max()) for tree in rule.trees)
    big = 4 * most >= EXACT  # differences of sums must be exact, too
    return {
        "roots": roots.tolist(),
        "feature": packed(np.concatenate([tree.feature + 1 for tree in rule.trees])),
        "left": linked("left"),
        "right": linked("right"),
        "cut": packed([cut for one in tests for cut, _ in one]),
        "set": packed([number for one in tests for _, number in one]),
        "sets": [list(codes) if codes else None for codes in sets],
        "score_of": packed(score_of),
        "scores": [list(map(str, line)) if big else line for line in lines.tolist()],
        "big": big,
        "later_wins": rule.later_wins,
    }


def _tests(tree: Tree, n_values: list[int], sets: dict[bytes, int]) -> list[tuple[int, int]]:
    """By node, the cut and the number of the set; new sets get the next number."""
    found = []
    for j, start in zip(tree.feature.tolist(), tree.left_start.tolist(), strict=False):
        if j < 0:
            found.append((0, 0))
            continue
        goes = tree.left_values[start : start + n_values[j]]
        cut = int(goes.sum())
        if goes[:cut].all():
            found.append((cut, 0))
        else:
            found.append((0, sets.setdefault(goes.tobytes(), len(sets))))
    return found


def tree_chances(compiled: Classifier) -> dict[str, Any]:
    """How probabilities follow from the sums of the trees: their shares, or logarithms of odds."""
    model, two = compiled.model, compiled.n_classes == 2
    cut = 0.5 if two else None
    if not isinstance(model, BoostedTrees):
        return {"kind": "votes", "cut": cut}
    kind = "boosted" if two or model.probability == "logistic" else "boosted ovr"
    return {"kind": kind, "scale": model.scale, "slope": model.slope, "cut": cut}


#: JavaScript's numbers are exact below this.
EXACT = 2**53


def packed(numbers: Any) -> dict[str, Any]:
    """Natural numbers in as few bytes as the largest needs, as text: {"bits": 8, 16 or 32, "data": base64}."""
    array = np.asarray(numbers, dtype=np.int64).ravel()
    largest = int(array.max(initial=0))
    bits = 8 if largest < 1 << 8 else 16 if largest < 1 << 16 else 32
    return {"bits": bits, "data": base64.b64encode(array.astype(f"<u{bits // 8}").tobytes()).decode("ascii")}
