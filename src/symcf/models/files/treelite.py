"""Ensembles of trees in the JSON of Treelite (`model.dump_as_json()`), into which it turns those of other libraries.

Rows are compared as Treelite compares them: in the type of the thresholds, whatever the first library did. Categories
are numbers from 0 on; each test of them lists those that go to one side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.files import raw
from symcf.models.files.raw import Categories, Ensemble, RawTree
from symcf.models.quantities import DOUBLE, SINGLE

__all__ = ["is_content", "read"]

#: By test, whether it is "less than", and whether rows that pass it go right.
OPERATORS = {"<": (True, False), "<=": (False, False), ">": (False, True), ">=": (True, True)}

#: By task and what is made of the sums: the probabilities of a classifier.
CLASSIFIERS = {
    ("kBinaryClf", "sigmoid"): "logistic",
    ("kMultiClf", "softmax"): "logistic",
    ("kMultiClf", "multiclass_ova"): None,
    ("kMultiClf", "identity_multiclass"): None,
}
#: The steps of the link of a regressor.
REGRESSORS: dict[tuple[str, str], tuple[tuple[Any, ...], ...]] = {
    ("kRegressor", "identity"): (),
    ("kRegressor", "exponential"): (("exp",),),
}

#: Up to this number, categories that no test lists are values, too.
MOST_CATEGORIES = 1000

NUMERICAL, CATEGORICAL = "numerical_test_node", "categorical_test_node"

TYPES = {"float32": (np.float32, SINGLE), "float64": (np.float64, DOUBLE)}


def is_content(content: Any) -> bool:
    """Is it what Treelite writes?"""
    return isinstance(content, Mapping) and {"trees", "num_feature", "task_type"} <= set(content)


def read(content: Mapping[str, Any], *, iterations: int | None = None) -> Ensemble:
    """The ensemble in what a file holds. ``iterations``: how many rounds count; by default all."""
    with raw.in_a_file("Treelite"):
        return _ensemble(content, iterations)


def _ensemble(content: Mapping[str, Any], iterations: int | None) -> Ensemble:
    task, post = str(content["task_type"]), str(content["postprocessor"])
    link = REGRESSORS.get((task, post))
    if link is None and (task, post) not in CLASSIFIERS:
        known = ", ".join(f"{one} with {two!r}" for one, two in (*CLASSIFIERS, *REGRESSORS))
        raise ModelError(
            f"Treelite's task {task} with the postprocessor {post!r} is not supported: supported are {known}"
        )
    if int(content["num_target"]) != 1:
        raise ModelError(f"the Treelite model has {content['num_target']} targets: give one at a time")
    n_sums = raw.counted(content["num_class"][0], "classes", raw.MOST_CLASSES)
    if n_sums < 1 or (n_sums == 1) != (task != "kMultiClf"):
        raise ValueError(f"a model of the task {task} has {n_sums} classes")
    n_classes = max(n_sums, 2)
    kind, _ = TYPES[str(content["threshold_type"])]
    base = np.asarray(content["base_scores"], dtype=np.float64).ravel()
    if base.shape != (n_sums,) or not np.isfinite(base).all():
        raise ValueError(f"base_scores are {content['base_scores']!r}")
    given, owners = list(content["trees"]), [int(k) for k in content["class_id"]]
    if len(owners) != len(given) or not all(-1 <= k < n_sums for k in owners):
        raise ValueError("class_id does not fit the trees")
    averaged = content["average_tree_output"]
    if averaged and (base.any() or link is not None):
        raise ModelError(
            "Treelite models that average their trees are supported if they are classifiers without base_scores"
        )
    if iterations is not None:
        per_round = max(len(set(owners)), 1)  # one tree per class, or one for all
        raw.checked_rounds("Treelite", iterations, len(given) // per_round)
        given, owners = given[: iterations * per_round], owners[: iterations * per_round]
    if averaged and len({owners.count(k) for k in set(owners)}) > 1:
        raise ModelError("the Treelite model averages different numbers of trees per class, which is not supported")
    strict = _is_strict(given)
    trees = [_tree(one, k, n_sums, n_classes, kind, strict=strict) for one, k in zip(given, owners, strict=True)]
    bias = np.zeros(n_classes)
    bias[n_classes - n_sums :] = base
    slope = float(content["sigmoid_alpha"]) if post == "sigmoid" else 1.0
    used = raw.tested_categories(trees)
    return Ensemble(
        library="Treelite",
        trees=trees,
        n_columns=raw.counted(content["num_feature"], "columns", raw.MOST_COLUMNS),
        n_classes=n_classes,
        bias=bias,
        float32=kind is np.float32,
        strict=strict,
        probability=CLASSIFIERS.get((task, post)),
        slope=slope,
        categories={c: Categories(None, _known(numbers), other=False, missing=True) for c, numbers in used.items()},
        link=link,
        bits=TYPES[str(content["leaf_output_type"])][1],
    )


def _known(tested: set[int]) -> tuple[int, ...]:
    """The categories of a column: a file does not say which there are, only which are tested. The one after the last
    stands for all that are not.
    """
    last = max(tested, default=0)
    return tuple(range(last + 2)) if last <= MOST_CATEGORIES else tuple(sorted(tested))


def _is_strict(trees: list[Any]) -> bool:
    """Whether all tests are "less than"; else they are written as "at most"."""
    found = {node["comparison_op"] for one in trees for node in one["nodes"] if node.get("node_type") == NUMERICAL}
    return bool(found) and all(OPERATORS[str(one)][0] for one in found)


def _tree(one: Mapping[str, Any], k: int, n_sums: int, n_classes: int, kind: Any, *, strict: bool) -> RawTree:
    tick()
    nodes = list(one["nodes"])
    place = {int(node["node_id"]): u for u, node in enumerate(nodes)}
    if len(place) != len(nodes) or 0 not in place or place[0] != 0:
        raise ValueError("the nodes of a tree are not numbered from the root")
    m = len(nodes)
    column, left, right = np.full(m, -1), np.full(m, -1), np.full(m, -1)
    threshold, nan_left = np.full(m, np.nan), np.zeros(m, dtype=np.bool_)
    score, sets = np.zeros((m, n_classes)), {}
    for u, node in enumerate(nodes):
        if "leaf_value" in node:
            score[u, n_classes - n_sums :] = _leaf(node["leaf_value"], k, n_sums)
            continue
        column[u] = int(node["split_feature_id"])
        sides = place[int(node["left_child"])], place[int(node["right_child"])]
        swapped = False
        if node["node_type"] == NUMERICAL:
            less, swapped = OPERATORS[str(node["comparison_op"])]
            with np.errstate(over="ignore"):
                number = kind(node["threshold"])
            if not np.isfinite(number):
                raise ValueError(f"the threshold of node {node['node_id']} is {node['threshold']}")
            if less and not strict:  # x < t is: x is at most the number before t
                number = np.nextafter(number, kind(-math.inf))
            threshold[u] = float(number)
        elif node["node_type"] == CATEGORICAL:
            swapped = bool(node["category_list_right_child"])
            sets[u] = frozenset(raw.counted(number, "categories", 2**31) for number in node["category_list"])
        else:
            raise ModelError(f"Treelite's nodes of type {node['node_type']!r} are not supported")
        left[u], right[u] = sides[::-1] if swapped else sides
        nan_left[u] = bool(node["default_left"]) != swapped
    return RawTree(column, left, right, threshold, nan_left, score, sets)


def _leaf(value: Any, k: int, n_sums: int) -> Any:
    """By sum, what a leaf adds: a number to that of its class, or one number to each."""
    numbers = np.asarray(value, dtype=np.float64).ravel()
    if k < 0 or n_sums == 1:
        if numbers.shape != (n_sums,):
            raise ValueError(f"a leaf has {numbers.size} values, {n_sums} are needed")
        return numbers
    if numbers.shape != (1,):
        raise ValueError(f"a leaf of one class has {numbers.size} values")
    return np.where(np.arange(n_sums) == k, numbers[0], 0.0)
