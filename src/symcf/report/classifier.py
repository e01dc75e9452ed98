"""The classifier inside a page: diagrams and weights, for static/engine.js to evaluate.

What is written here and read there:

    groups      by feature and value code, the core code; null where they are the same (see symcf/system/groups.py)
    diagrams    frozen diagrams: order and arity by level, nodes by level from the bottom, children (see symcf.h)
    of_class    by class, the number of its diagram; null where a diagram is missing. Two classes: one, of class 1
    within      where rules between features hold: by goal "class,sink", the diagram of all that reaches it
    sums        the integers of models that add up weights: what decides where diagrams are too large, and what finds
                the changes, which takes no diagram. null for other models and where rules between features hold
    margins     the same integers where rules hold between few features: the surest of equally near values come first
    trees       trees that vote (see trees.py); null for other models, and where they are too large for the page
    by_trees    are they what decides, and what finds changes? Otherwise they are there for probabilities only
    chances     how probabilities follow from sums of floats or from the votes of trees; null where there are none
    numbers     instead of all others: a classifier over columns of numbers, see numbers.py
    missing     why the page cannot evaluate the classifier; null where it can
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.errors import LimitError
from symcf.models.linear import LinearClassifier
from symcf.models.naive_bayes import NaiveBayes
from symcf.models.rules import ScoreRule
from symcf.question.question import Question
from symcf.report.charts import numbers_data
from symcf.report.trees import EXACT, is_by_trees, packed, tree_chances, trees_data
from symcf.search.cover import table_of
from symcf.system.classifier import Classifier
from symcf.system.decision import Budget
from symcf.system.targets import Goal

__all__ = ["classifier_data"]

#: Seconds that a report may spend on building diagrams: where weights would do instead, and elsewhere.
SECONDS_FOR_SUMS, SECONDS = 2.0, 20.0

#: A diagram under construction may be larger than the finished one by this factor.
GROWTH = 20

#: What is written, see above.
PARTS = ("groups", "diagrams", "of_class", "within", "sums", "margins", "trees", "by_trees", "chances", "missing")


def classifier_data(question: Question, max_nodes: int) -> dict[str, Any]:
    """Everything that the page needs for deciding and for finding changes, in lists, numbers and strings."""
    compiled = question.classifier
    sums_of_numbers = compiled.decision.numbers
    if sums_of_numbers is not None:
        numbers = numbers_data(question)
        why = "numbers may be missing" if sums_of_numbers.rule.missing else "changes cost differently"
        missing = f"It has columns of numbers, and {why}." if numbers is None else None
        return dict.fromkeys(PARTS) | {"numbers": numbers, "missing": missing}
    if compiled.decision.black_box is not None:
        return dict.fromkeys(PARTS) | {"numbers": None, "missing": "It can only be asked, not read."}
    groups = compiled.decision.groups
    missing = None
    of_class: list[int | None] = [None] * compiled.n_classes
    within: dict[str, int] = {}
    sums = _sums(compiled) if question.relations is None else None
    trees, by_trees = trees_data(compiled, max_nodes), is_by_trees(question)
    shelf = _Shelf(max_nodes, SECONDS if sums is None else SECONDS_FOR_SUMS)
    try:
        if by_trees:
            missing = f"Its trees have more than {max_nodes:,} nodes." if trees is None else None
        else:
            of_class = _class_diagrams(compiled, shelf)
        if question.relations is not None:
            within = _goal_diagrams(question, shelf)
    except LimitError:
        shelf.clear()
        of_class, within = [None] * compiled.n_classes, {}
        if sums is None:
            missing = f"Its decision diagram has more than {max_nodes:,} nodes."
    return {
        "numbers": None,
        "groups": None if groups.trivial else [list(g) for g in groups.group_of],
        "diagrams": shelf.diagrams,
        "of_class": of_class,
        "within": within if question.relations is not None else None,
        "sums": sums,
        "margins": None if table_of(question) is None else _sums(compiled),
        "trees": trees,
        "by_trees": by_trees,
        "chances": _chances(compiled, trees is not None),
        "missing": missing,
    }


# --- diagrams ---------------------------------------------------------------------------------------------------------


class _Shelf:
    """Diagrams that go into the page, as long as there is room."""

    def __init__(self, max_nodes: int, seconds: float) -> None:
        self._clock = Clock(seconds)
        self._left = max_nodes
        self._max_nodes = max_nodes
        self.diagrams: list[dict[str, Any]] = []

    def put(self, core: _core.Diagram) -> int:
        """Its number; `LimitError` if there is no room."""
        self._left -= core.size
        if self._left < 0:
            raise LimitError(f"the diagrams have more than {self._max_nodes:,} nodes")
        self.diagrams.append(_diagram(core))
        return len(self.diagrams) - 1

    def clear(self) -> None:
        """Drops all diagrams, because some of them alone are of no use."""
        self.diagrams.clear()

    def budget(self, compiled: Classifier) -> Budget:
        """What building another diagram may take."""
        nodes = max(1, self._left) * GROWTH
        most = compiled.limits.max_nodes
        return Budget(lambda: self._clock.left, min(nodes, most) if most else nodes, compiled.limits.max_memory)


def _diagram(core: _core.Diagram) -> dict[str, Any]:
    """Nodes come level by level from the bottom, so the number of nodes per level tells where each belongs."""
    per_level = np.bincount(core.level[2:].astype(np.int64), minlength=core.n)[::-1]
    return {
        "root": core.root,
        "order": core.order.tolist(),
        "arity": core.arity.tolist(),
        "nodes": per_level.tolist(),
        "child": packed(core.child),
    }


def _class_diagrams(compiled: Classifier, shelf: _Shelf) -> list[int | None]:
    if compiled.n_classes == 2:
        return [None, shelf.put(_core_of(compiled, 1, shelf))]
    return [shelf.put(_core_of(compiled, k, shelf)) for k in range(compiled.n_classes)]


def _core_of(compiled: Classifier, k: int, shelf: _Shelf) -> _core.Diagram:
    """The diagram of a class: the existing one, or a new one within its own budget."""
    built = compiled.built_diagrams()
    if k in built:
        return built[k].core
    order = compiled.decision.influence_order()
    return compiled.decision.diagram(k, order, shelf.budget(compiled))[0]


def _goal_diagrams(question: Question, shelf: _Shelf) -> dict[str, int]:
    """What reaches each goal and obeys the rules."""
    classes, targets = range(question.classifier.n_classes), question.classifier.targets
    wanted: list[Goal] = [(1, 0), (1, 1)] if len(classes) == 2 else [(k, sink) for k in classes for sink in (0, 1)]
    return {f"{k},{sink}": shelf.put(targets.diagram((k, sink), question.relations)[0].core) for k, sink in wanted}


# --- weights ----------------------------------------------------------------------------------------------------------


def _sums(compiled: Classifier) -> dict[str, Any] | None:
    """The integer weights by core code: one line for two classes, or one per class."""
    groups = compiled.decision.groups
    threshold = compiled.threshold
    if threshold is not None:
        lines = [threshold.weight.tolist()]
        return _written(groups.core_offset.tolist(), lines, [threshold.bias], later_wins=False)
    if not compiled.decision.is_additive:
        return None
    rule = compiled.model.rule()
    if not isinstance(rule, ScoreRule):
        return None
    weights = groups.core_weights(rule.weights).tolist()
    return _written(groups.core_offset.tolist(), weights, rule.bias.tolist(), later_wins=rule.later_wins)


def _written(offset: list[int], weights: list[list[int]], bias: list[int], *, later_wins: bool) -> dict[str, Any]:
    largest = max(abs(b) for b in bias) + sum(
        max(abs(w) for line in weights for w in line[start:end]) for start, end in itertools.pairwise(offset)
    )
    big = 4 * largest >= EXACT  # differences of sums must be exact, too
    return {
        "offset": offset,
        "weights": [list(map(str, line)) if big else line for line in weights],
        "bias": list(map(str, bias)) if big else bias,
        "big": big,
        "later_wins": later_wins,
    }


def _chances(compiled: Classifier, with_trees: bool) -> dict[str, Any] | None:
    """Sums of floats by value code, and what turns them into probabilities.

    "softmax" and "ovr" have one line per class; "score" has one line, a sum that decides but gives no probability.
    Where there are trees, `tree_chances` knows.
    """
    model = compiled.model
    offset = compiled.value_offset.tolist()
    if model.goal is not None:  # what is shown is whether it is reached
        return None
    if isinstance(model, NaiveBayes):
        with np.errstate(divide="ignore"):
            logs = [
                _floats(np.log(np.concatenate([t[k] for t in model.tables] or [[]]))) for k in range(len(model.classes))
            ]
            bias = _floats(np.log(model.class_prior))
        cut = model.threshold if len(model.classes) == 2 else None
        return {"kind": "softmax", "offset": offset, "weights": logs, "bias": bias, "cut": cut}
    if not isinstance(model, LinearClassifier):
        return tree_chances(compiled) if with_trees and compiled.has_probabilities else None
    weights = [_floats(np.asarray(line, dtype=np.float64)) for line in model.weights]
    bias = _floats(np.asarray(model.bias, dtype=np.float64))
    one_line = len(bias) == 1
    if model.probability is None:
        if not one_line:
            return None
        return {"kind": "score", "offset": offset, "weights": weights, "bias": bias, "cut": 0}
    if one_line:
        weights, bias = [[0.0] * len(weights[0]), *weights], [0.0, *bias]
    kind = "softmax" if one_line or model.probability == "logistic" else "ovr"
    return {
        "kind": kind,
        "offset": offset,
        "weights": weights,
        "bias": bias,
        "cut": 0.5 if len(model.classes) == 2 and kind == "softmax" else None,
    }


def _floats(numbers: npt.NDArray[np.float64]) -> list[float | None]:
    """JSON has no infinity: the logarithm of 0 is null."""
    return [float(x) if np.isfinite(x) else None for x in numbers]
