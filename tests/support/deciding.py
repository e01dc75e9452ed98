"""A rule, read as it is defined: slow, obvious, with nothing of symcf but its arrays."""

from __future__ import annotations

import numpy as np

from symcf.models.rules import ThresholdRule, TreeRule


def decide(model, rows):
    """The classes that a model gives to raw rows."""
    rule, codes = model.rule(), model.encoder.encode(rows)
    return np.array([model.classes[decide_codes(rule, row)] for row in codes.tolist()])


def decide_codes(rule, row):
    if isinstance(rule, ThresholdRule):
        f = rule.threshold
        return int(f.bias + sum(int(f.weight[int(f.value_offset[j]) + v]) for j, v in enumerate(row)) >= 0)
    if isinstance(rule, TreeRule):
        scores = [sum(column) for column in zip(*(_leaf(tree, row) for tree in rule.trees), strict=True)]
    else:
        offset = rule.value_offset.tolist()
        scores = [
            int(b) + sum(int(w[offset[j] + v]) for j, v in enumerate(row))
            for w, b in zip(rule.weights, rule.bias, strict=True)
        ]
    best = [k for k, score in enumerate(scores) if score == max(scores)]
    return best[-1] if rule.later_wins else best[0]


def _leaf(tree, row):
    u = 0
    while tree.feature[u] >= 0:
        left = tree.left_values[tree.left_start[u] + row[tree.feature[u]]]
        u = int(tree.left[u] if left else tree.right[u])
    return tree.score[u].tolist()


def margins(estimator, rows):
    """How far scikit-learn's best class is ahead of its second."""
    final = estimator[-1] if hasattr(estimator, "steps") else estimator
    if hasattr(final, "decision_function"):
        values = estimator.decision_function(rows)
    elif hasattr(final, "predict_joint_log_proba"):
        seen = estimator[:-1].transform(rows) if hasattr(estimator, "steps") else rows
        values = final.predict_joint_log_proba(seen)
    else:
        values = estimator.predict_proba(rows)
    if values.ndim == 1:
        return np.abs(values)
    ordered = np.sort(values, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def assert_agrees(estimator, model, rows):
    """The same class wherever scikit-learn is sure of it; and on most rows it is."""
    clear = margins(estimator, rows) >= 1e-9
    assert clear.mean() > 0.5
    np.testing.assert_array_equal(decide(model, rows)[clear], estimator.predict(rows)[clear])
