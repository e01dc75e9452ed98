"""A classifier as certificates have it: names, and a rule in integers that can be evaluated with pencil and paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock, tick
from symcf.data.numbers import NumberLine
from symcf.data.regions import Region
from symcf.errors import OptionError
from symcf.models.rules import DiagramRule, ScoreRule, ThresholdRule, Tree, TreeRule
from symcf.models.sums import AdditiveRule
from symcf.proof.checker.form import fingerprint_of, plain_number
from symcf.system.classifier import Classifier

__all__ = ["domain_of", "label_to_json", "model_to_dict", "number_to_json"]


def model_to_dict(classifier: Classifier, clock: Clock = NO_LIMIT) -> dict[str, Any]:
    """The names and the rule of a classifier, with their fingerprint."""
    model = {
        "features": list(map(str, classifier.features)),
        "values": [domain_of(classifier, j) for j in range(len(classifier.features))],
        "classes": [label_to_json(label) for label in classifier.classes],
        "rule": _rule(classifier, clock),
    }
    return {"fingerprint": fingerprint_of(model), **model}


def domain_of(classifier: Classifier, j: int) -> Any:
    """The values of a feature: labels, cells of numbers, or a line. See `symcf.proof.checker.domains`."""
    labels, reader = classifier.values[j], classifier.encoder.readers[j]
    if isinstance(labels, NumberLine):
        return {"low": number_to_json(labels.low), "high": number_to_json(labels.high)}
    named = [label_to_json(label) for label in labels]
    if reader.regions is None:
        apart = sorted({code for code in (reader.missing, reader.unknown) if code is not None})
        return {"labels": named, "apart": [named[code] for code in apart]} if apart else named
    regions = [reader.regions[code] for code in range(len(reader.regions))] if _are_first(reader.regions) else []
    together = all(math.nextafter(a.last, math.inf) == b.first for a, b in pairwise(regions))
    whole = bool(regions) and (regions[0].first, regions[-1].last) == (-math.inf, math.inf)
    if not together or not whole or any(region.holes for region in regions):
        raise OptionError(
            f"certificate: the values of {classifier.features[j]!r} are numbers or ranges with gaps in between, which "
            "certificates cannot state; check the explanation with symcf.verify"
        )
    cuts = [number_to_json(region.first) for region in regions[1:]]
    return {"cuts": cuts, "labels": named[len(regions) :]}


def _are_first(regions: Mapping[int, Region]) -> bool:
    """Do ranges of numbers come before all other values?"""
    return set(regions) == set(range(len(regions)))


def number_to_json(number: Any) -> Any:
    """A number as certificates have it; None for an infinite end."""
    found = float(number)
    return plain_number(found) if math.isfinite(found) else None


def label_to_json(label: Any) -> Any:
    """A name as JSON has it; what JSON does not have as its type and text."""
    plain = label.item() if isinstance(label, np.generic) else label
    if isinstance(plain, float) and math.isfinite(plain):
        return plain_number(plain)
    if plain is None or isinstance(plain, (str, bool, int)):
        return plain
    return {"type": type(plain).__name__, "text": str(plain)}


def _rule(classifier: Classifier, clock: Clock) -> dict[str, Any]:
    match rule := classifier.model.rule():
        case ThresholdRule(threshold=t):
            weights = [_parts(t.weight, t.value_offset)]
            return {"kind": "sums", "weights": weights, "bias": [int(t.bias)], "ties": "last"}
        case ScoreRule():
            weights = [_parts(row, rule.value_offset) for row in rule.weights]
            return {"kind": "sums", "weights": weights, "bias": rule.bias.tolist(), "ties": _ties(rule.later_wins)}
        case AdditiveRule():
            return _numbers(rule)
        case TreeRule():
            n_values = np.diff(rule.value_offset.astype(np.int64)).tolist()
            trees = [_tree(tree, n_values) for tree in rule.trees]
            return {"kind": "trees", "trees": trees, "ties": _ties(rule.later_wins)}
        case DiagramRule():
            return {"kind": "diagrams", "diagrams": [_diagram(diagram, None) for diagram in rule.diagrams.value]}
        case _:  # what it decides is known only as a diagram, over groups of values
            if classifier.order == "sift" and classifier.n_classes > 2:  # the diagrams must have one order
                classifier = Classifier(classifier.model, "influence", classifier.limits)
            classes = [1] if classifier.n_classes == 2 else range(classifier.n_classes)
            cores = [classifier.class_diagram(k, clock).core for k in classes]
            groups = classifier.decision.groups.group_of
            return {"kind": "diagrams", "diagrams": [_diagram(core, groups) for core in cores]}


def _ties(later_wins: bool) -> str:
    return "last" if later_wins else "first"


def _parts(weights: npt.NDArray[Any], offset: npt.NDArray[Any]) -> list[list[int]]:
    """Weights by feature and value."""
    tick()
    return [weights[first:last].tolist() for first, last in pairwise(offset.tolist())]


def _numbers(rule: AdditiveRule) -> dict[str, Any]:
    if rule.links:
        raise OptionError(
            "certificate: it states numbers times coefficients, and steps of this pipeline take logarithms, powers or "
            "quantiles of some columns first; check the explanation with symcf.verify"
        )
    terms: list[dict[str, Any]] = []
    place = {j: i for i, j in enumerate(rule.numbers)}
    for j, table in enumerate(rule.tables):
        if table is not None:
            terms.append({"weights": table.tolist()})
            continue
        parts = (rule.curve, rule.curve_exponent, rule.slope, rule.slope_exponent)
        columns = [part[:, place[j]].tolist() for part in parts]
        missing = {"missing": rule.missing[j].tolist()} if j in rule.missing else {}
        terms.append({"numbers": [list(numbers) for numbers in zip(*columns, strict=True)], **missing})
    return {
        "kind": "numbers",
        "terms": terms,
        "bias": rule.bias.tolist(),
        "scale": int(rule.scale),
        "ties": _ties(rule.later_wins),
        "doubt": int(rule.doubt),
    }


def _tree(tree: Tree, n_values: Sequence[int]) -> list[list[Any]]:
    """Nodes that a row may reach, renumbered: [scores], or [feature, runs of values that go left, left, right]."""
    tick()
    nodes: list[list[Any]] = []
    feature, left, right, start = (part.tolist() for part in (tree.feature, tree.left, tree.right, tree.left_start))
    # a node, where its number is to be written, and by feature the values that lead to it
    waiting: list[tuple[int, list[Any] | None, int, dict[int, Any]]] = [(0, None, 0, {})]
    while waiting:
        u, parent, place, box = waiting.pop()
        j = feature[u]
        if j >= 0:
            goes_left = tree.left_values[start[u] : start[u] + n_values[j]].astype(np.bool_)
            here = box.get(j, True)
            ways = here & goes_left, here & ~goes_left
            if not (ways[0].any() and ways[1].any()):  # one way only: no test
                waiting.append((left[u] if ways[0].any() else right[u], parent, place, box))
                continue
        if parent is not None:
            parent[place] = len(nodes)
        if j < 0:
            nodes.append([tree.score[u].tolist()])
            continue
        node = [j, _runs(goes_left), -1, -1]
        nodes.append(node)
        waiting.append((right[u], node, 3, {**box, j: ways[1]}))
        waiting.append((left[u], node, 2, {**box, j: ways[0]}))
    return nodes


def _runs(mask: npt.NDArray[np.bool_]) -> list[int]:
    """Where runs of ones begin and end, one after the other."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    edges[1::2] -= 1
    return [int(edge) for edge in edges]


def _diagram(core: _core.Diagram, group_of: Sequence[Sequence[int]] | None) -> dict[str, Any]:
    order, level, child = core.order.tolist(), core.level.tolist(), core.child.tolist()
    arity = core.arity.tolist()
    nodes, at = [], 0
    for number in range(2, len(level)):
        k = level[number]
        children = child[at : at + arity[k]]
        at += arity[k]
        if group_of is not None:
            children = [children[group] for group in group_of[order[k]]]
        nodes.append([k, *children])
    return {"order": order, "nodes": nodes, "root": int(core.root)}
