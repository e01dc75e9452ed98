"""Contrastive explanations of decision trees are those of PyXAI, where PyXAI is installed (bench/trees_pyxai.py
installs it into an environment of its own and compares much more).

PyXAI sees a tree as a function of its conditions "feature > threshold". With each condition as a feature of symcf's,
reasons and change sets are the same; the change sets of the tree itself are the minimal sets of features of reasons.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import reference

import symcf
from symcf.fast import explain_batch

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyxai") is None, reason="PyXAI is not installed (pip install pyxai); nothing compared"
)

Sets = set[frozenset[int]]


@pytest.fixture(scope="module")
def pyxai() -> Any:
    """Its modules `Explaining` and `Learning`. It reads the command line when it is imported, and warns."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setattr(sys, "argv", ["python"])
        warnings.simplefilter("ignore")
        from pyxai import Explaining, Learning, Tools

        Tools.set_verbose(0)
    return Explaining, Learning


def reasons_of(pyxai: Any, tree: Any, rows: np.ndarray) -> tuple[list[tuple[int, float]], list[Sets]]:
    """The conditions as (feature, threshold), and by row all reasons as sets of their indices."""
    explaining, learning = pyxai
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, model = learning.ModelIO.import_models(tree, instances_type="tabular")
        model.learner_information.feature_names = [f"x{j}" for j in range(tree.n_features_in_)]
        explainer = explaining.initialize(model)
        reasons = []
        for row in rows:
            explainer.set_instance(row)
            found = explainer.contrastive_reason(n=explaining.ALL)
            reasons.append({frozenset(abs(literal) - 1 for literal in reason) for reason in found})
    keys = model.map_id_binaries_to_features[1:]
    return [(int(feature) - 1, float(threshold)) for feature, _, threshold in keys], reasons


def over_conditions(tree: Any, conditions: list[tuple[int, float]]) -> symcf.DecisionTree:
    nodes = tree.tree_
    tested = [conditions.index((f, t)) if f >= 0 else -1 for f, t in zip(nodes.feature, nodes.threshold, strict=True)]
    score = np.eye(len(tree.classes_), dtype=int)[np.argmax(nodes.value[:, 0, :], axis=1)]
    return symcf.DecisionTree.from_arrays(
        tested, np.full(len(tested), 0.5), nodes.children_left, nodes.children_right, score,
        features=[str(condition) for condition in conditions], values=[(0, 1)] * len(conditions),
    )  # fmt: skip


def change_sets(model: symcf.Model, rows: np.ndarray) -> list[Sets]:
    return [set(map(frozenset, explanation.sets)) for explanation in explain_batch(symcf.compile(model), rows)]


def minimal(sets: Iterable[frozenset[int]]) -> Sets:
    return set(map(frozenset, reference.minimal(sets)))


@pytest.mark.parametrize("depth", [2, 4, 8])
@pytest.mark.parametrize(("values", "classes"), [(2, 2), (2, 3), (9, 2), (9, 3)])
def test_change_sets_are_the_contrastive_reasons(pyxai: Any, depth: int, values: int, classes: int) -> None:
    trees = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng([depth, values, classes])
    table = rng.integers(values, size=(150, 6)).astype(float)
    tree = trees.DecisionTreeClassifier(max_depth=depth, random_state=0).fit(table, rng.integers(classes, size=150))
    rows = rng.integers(values, size=(40, 6)).astype(float)
    conditions, reasons = reasons_of(pyxai, tree, rows)
    bits = np.column_stack([rows[:, feature] > threshold for feature, threshold in conditions]).astype(np.int8)
    assert change_sets(over_conditions(tree, conditions), bits) == reasons
    features = [minimal(frozenset(conditions[c][0] for c in reason) for reason in found) for found in reasons]
    assert change_sets(symcf.from_sklearn(tree), rows) == features
    if values == 2:
        assert len({feature for feature, _ in conditions}) == len(conditions)
