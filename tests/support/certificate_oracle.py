"""Is a certificate true? By brute force over all rows, the slow and obvious way. Imports nothing of symcf.

For models of a few features with a few values; the form of the certificate is taken for granted, its proof is not
looked at.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import reference


def decides(rule: dict[str, Any], n_classes: int, row: tuple[int, ...]) -> int:
    """The class of a row."""
    if rule["kind"] == "diagrams":
        sinks = [_sink(diagram, row) for diagram in rule["diagrams"]]
        return sinks[0] if n_classes == 2 else sinks.index(1)
    if rule["kind"] == "numbers":
        sums = number_sums(rule, row)
    elif rule["kind"] == "sums":
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


def number_of(code: int) -> Fraction:
    """The number that a code stands for: 2**62 is 0, and the doubles from 2**-510 on are counted from there."""
    steps = code - 2**62
    bits = abs(steps) - 1
    number = Fraction(2**52 + bits % 2**52, 2**52) * Fraction(2) ** (bits // 2**52 - 510) if steps else Fraction(0)
    return -number if steps < 0 else number


def number_sums(rule: dict[str, Any], row: tuple[int, ...], *, sizes: bool = False) -> list[int]:
    """The sums of a row of numbers, or the sums of the sizes of its terms."""
    sums = [abs(b) if sizes else b for b in rule["bias"]]
    for j, term in enumerate(rule["terms"]):
        for k in range(len(sums)):
            if "weights" in term:
                add = term["weights"][k][row[j]]
            else:
                curve, e, slope, f = term["numbers"][k]
                x, unit = number_of(row[j]), Fraction(2) ** rule["scale"]
                fine = 2**64
                square = math.floor(curve * Fraction(2) ** e * x * x * unit * fine)
                line = math.floor(slope * Fraction(2) ** f * x * unit * fine)
                add = math.floor(Fraction(square + line, fine) + Fraction(1, 2))
            sums[k] += abs(add) if sizes else add
    return sums


def _wins(rule: dict[str, Any], row: tuple[int, ...], before: int, new: tuple[int, ...]) -> bool:
    """Does another class win with the new row, by more than doubt?"""
    size = max(number_sums(rule, row, sizes=True))
    doubt = rule["doubt"] * max(1, 1 + ((size - 1) >> 54))
    last, classes = rule["ties"] == "last", max(2, len(rule["bias"]))
    return any(
        number_margin(rule, new, r, before) >= max(doubt, 0 if (r > before) == last else 1)
        for r in range(classes)
        if r != before
    )


def number_margin(rule: dict[str, Any], row: tuple[int, ...], new: int, old: int) -> int:
    """By how much one class is ahead of another. The difference of two polynomials is rounded once."""
    if len(rule["bias"]) == 1:
        return number_sums(rule, row)[0] * (1 if new else -1)
    total = rule["bias"][new] - rule["bias"][old]
    for j, term in enumerate(rule["terms"]):
        if "weights" in term:
            total += term["weights"][new][row[j]] - term["weights"][old][row[j]]
            continue
        (a, b), (c, d) = (
            (Fraction(curve) * Fraction(2) ** e, Fraction(slope) * Fraction(2) ** f)
            for curve, e, slope, f in (term["numbers"][new], term["numbers"][old])
        )
        square, line, x = _short(a - c), _short(b - d), number_of(row[j])
        unit, fine = Fraction(2) ** rule["scale"], 2**64
        parts = math.floor(square * x * x * unit * fine) + math.floor(line * x * unit * fine)
        total += math.floor(Fraction(parts, fine) + Fraction(1, 2))
    return total


def _short(number: Fraction) -> Fraction:
    """Rounded to 61 binary digits, halves away from zero."""
    unit = Fraction(1)
    while abs(number) >= unit * 2**61:
        unit *= 2
    while number and abs(number) < unit * 2**60:
        unit /= 2
    size = math.floor(abs(number) / unit + Fraction(1, 2)) * unit
    return size if number > 0 else -size


def _span(data: dict[str, Any], j: int) -> tuple[int, int]:
    """The least and the greatest number that feature j may become, as codes; the first is larger if there is none."""
    own, span = data["row"][j], data["model"]["values"][j]
    low, high = (code_of(float.fromhex(span[end])) for end in ("low", "high"))
    for constraint in data["question"]["constraints"]:
        if constraint["feature"] == j:
            kind = constraint["kind"]
            if kind == "immutable":
                return 1, 0
            if kind == "range":
                low = max(low, code_of(float.fromhex(constraint["low"])))
                high = min(high, code_of(float.fromhex(constraint["high"])))
            low = max(low, own + 1) if kind == "increase" else low
            high = min(high, own - 1) if kind == "decrease" else high
    return low, high


def _numbers_to_try(data: dict[str, Any], j: int) -> list[int]:
    """Where a number does most: the ends of what is allowed, and the apexes of parabolas in between; and its own."""
    own = data["row"][j]
    low, high = _span(data, j)
    if low > high:
        return [own]
    numbers = data["model"]["rule"]["terms"][j]["numbers"]
    exact = [(Fraction(a) * Fraction(2) ** e, Fraction(b) * Fraction(2) ** f) for a, e, b, f in numbers]
    pairs = [(a, b) for b in range(len(exact)) for a in range(b)]
    differences = [(exact[b][0] - exact[a][0], exact[b][1] - exact[a][1]) for a, b in pairs] or exact
    apexes = [code_of(float(-line / (2 * square))) for square, line in differences if square]
    return sorted({own, low, high, *(min(max(apex, low), high) for apex in apexes)})


def code_of(number: float) -> int:
    """The inverse of `number_of`."""
    if number == 0:
        return 2**62
    mantissa, exponent = math.frexp(abs(number))
    steps = (exponent - 1 + 510) * 2**52 + int((mantissa * 2 - 1) * 2**52) + 1
    return 2**62 - steps if number < 0 else 2**62 + steps


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
        _numbers_to_try(data, j)
        if isinstance(labels, dict)
        else [v for v in range(len(labels)) if _may_become(question["constraints"], j, row[j], v)]
        for j, labels in enumerate(model["values"])
    ]
    numbers = model["rule"]["kind"] == "numbers"
    flipping = {}
    for new in product(*choices):
        after = decides(model["rule"], n_classes, new)
        reached = after != before if target is None else after == target
        if numbers:
            reached = _wins(model["rule"], row, before, new)
        if reached and all(_obeys(relation, new) for relation in question["relations"]):
            flipping.setdefault(tuple(j for j in range(n) if new[j] != row[j]), []).append(new)
    minimal = set(reference.minimal(flipping))
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
        if change_set not in minimal:
            return False
        if data["model"]["rule"]["kind"] == "numbers":
            after = decides(data["model"]["rule"], len(data["model"]["classes"]), tuple(new))
            if after == data["decision"] or any(not _is_in(data, j, new[j]) for j in features):
                return False
        elif tuple(new) not in flipping[change_set]:
            return False
        cost = sum(_cost(data["question"], j, code) for j, code in zip(features, codes, strict=True))
        keys.append((cost, len(change_set), change_set))
    return keys == sorted(set(keys))


def _is_in(data: dict[str, Any], j: int, code: int) -> bool:
    """May feature j become this?"""
    if isinstance(data["model"]["values"][j], list):
        return code != data["row"][j] and _may_become(data["question"]["constraints"], j, data["row"][j], code)
    low, high = _span(data, j)
    return low <= code <= high and code != data["row"][j]


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
