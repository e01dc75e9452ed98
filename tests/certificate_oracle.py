"""Is a certificate true? By brute force over all rows, the slow and obvious way. Imports nothing of symcf.

For models of a few features with a few values; the form of the certificate is taken for granted, its proof is not
looked at.
"""

from __future__ import annotations

from itertools import product
from typing import Any


def decides(rule: dict[str, Any], n_classes: int, row: tuple[int, ...]) -> int:
    """The class of a row."""
    if rule["kind"] == "diagrams":
        sinks = [_sink(diagram, row) for diagram in rule["diagrams"]]
        return sinks[0] if n_classes == 2 else sinks.index(1)
    if rule["kind"] == "sums":
        sums = [
            bias + sum(weights[j][v] for j, v in enumerate(row))
            for bias, weights in zip(rule["bias"], rule["weights"], strict=True)
        ]
    else:
        sums = [0] * n_classes
        for tree in rule["trees"]:
            node = tree[0]
            while len(node) == 4:
                feature, runs, left, right = node
                goes_left = any(a <= row[feature] <= b for a, b in zip(runs[::2], runs[1::2], strict=True))
                node = tree[left if goes_left else right]
            sums = [a + b for a, b in zip(sums, node[0], strict=True)]
    last = rule["ties"] == "last"
    if len(sums) == 1:
        return int(sums[0] > 0 or (sums[0] == 0 and last))
    winners = [k for k, total in enumerate(sums) if total == max(sums)]
    return winners[-1] if last else winners[0]


def _sink(diagram: dict[str, Any], row: tuple[int, ...]) -> int:
    at: int = diagram["root"]
    while at > 1:
        level, *children = diagram["nodes"][at - 2]
        at = children[row[diagram["order"][level]]]
    return at


def _obeys(formula: list[Any], row: tuple[int, ...]) -> bool:
    if formula[0] == "is":
        return row[formula[1]] in formula[2]
    return (all if formula[0] == "and" else any)(_obeys(part, row) for part in formula[1])


def _may_become(constraints: list[dict[str, Any]], j: int, old: int, new: int) -> bool:
    for constraint in constraints:
        if constraint["feature"] == j and old != new:
            kind = constraint["kind"]
            if kind == "immutable" or (kind == "increase" and new < old) or (kind == "decrease" and new > old):
                return False
            if kind == "allowed" and new not in constraint["codes"]:
                return False
    return True


def is_true(data: dict[str, Any]) -> bool:
    """Does the answer follow from the model, the row and the question?"""
    model, question, answer, row = data["model"], data["question"], data["answer"], tuple(data["row"])
    n, n_classes = len(model["features"]), len(model["classes"])
    before, target = data["decision"], question["target"]
    if decides(model["rule"], n_classes, row) != before or target == before:
        return False
    choices = [
        [v for v in range(len(labels)) if _may_become(question["constraints"], j, row[j], v)]
        for j, labels in enumerate(model["values"])
    ]
    flipping = {}
    for new in product(*choices):
        after = decides(model["rule"], n_classes, new)
        reached = after != before if target is None else after == target
        if reached and all(_obeys(relation, new) for relation in question["relations"]):
            flipping.setdefault(tuple(j for j in range(n) if new[j] != row[j]), []).append(new)
    minimal = {s for s in flipping if not any(set(t) < set(s) for t in flipping)}
    if question["max_changes"] is not None:
        minimal = {s for s in minimal if len(s) <= question["max_changes"]}
    return _is_answer(data, flipping, minimal, row) and _is_claimed(data, minimal, answer)


def _cost(question: dict[str, Any], j: int, new: int) -> int:
    by_feature = None if question["costs"] is None else question["costs"]["by_feature"]
    return 1 if by_feature is None else by_feature[j] if isinstance(by_feature[j], int) else by_feature[j][new]


def _is_answer(data: dict[str, Any], flipping: dict[Any, Any], minimal: set[Any], row: tuple[int, ...]) -> bool:
    keys = []
    for features, codes in zip(data["answer"]["sets"], data["answer"]["values"], strict=True):
        change_set = tuple(features)
        new = list(row)
        for j, code in zip(features, codes, strict=True):
            new[j] = code
        if change_set not in minimal or tuple(new) not in flipping[change_set]:
            return False
        cost = sum(_cost(data["question"], j, code) for j, code in zip(features, codes, strict=True))
        keys.append((cost, len(change_set), change_set))
    return keys == sorted(set(keys))


def _is_claimed(data: dict[str, Any], minimal: set[Any], answer: dict[str, Any]) -> bool:
    listed, claim, question = set(map(tuple, answer["sets"])), answer["claim"], data["question"]
    if question["k"] is not None and len(listed) > question["k"]:
        return False
    if claim["kind"] == "all":
        return question["max_changes"] is None and listed == minimal
    if claim["kind"] == "up to":
        return {s for s in minimal if len(s) <= claim["changes"]} <= listed
    if claim["kind"] == "first":
        costs = {s: sum(_cost(question, j, 0) for j in s) for s in minimal}
        first = sorted(minimal, key=lambda s: (costs[s], len(s), s))[: question["k"]]
        return listed == set(first) and len(listed) == question["k"]
    return claim["kind"] == "listed"
