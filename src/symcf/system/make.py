"""A rule -> the decision of its kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symcf.errors import ModelError
from symcf.models.rules import AdditiveRule, AskedRule, LayersRule, Rule, ScoreRule, StateRule, ThresholdRule, TreeRule
from symcf.system.additive import AdditiveDecision
from symcf.system.asked import AskedDecision
from symcf.system.decision import Decision, DiagramDecision, ScoreDecision, ThresholdDecision, TreeDecision
from symcf.system.groups import Groups
from symcf.system.layers import LayersDecision
from symcf.system.states import StateDecision

__all__ = ["make_decision"]

#: Predictions are bytes.
MOST_CLASSES = 256


def make_decision(
    rule: Rule,
    n_classes: int,
    features: Sequence[str],
    apart: Sequence[Sequence[int]] | None = None,
    twice: Collection[int] = (),
) -> Decision:
    """The decision of a rule. ``apart`` is a partition of each feature's values that must be kept apart in any case;
    the values of the features in ``twice`` come a second time (see `Groups`).
    """

    def grouped(groups: Groups) -> Groups:
        return groups if apart is None else groups.refined(apart, twice)

    if n_classes > MOST_CLASSES:
        raise ModelError(f"the model has {n_classes} classes; at most {MOST_CLASSES} are supported")
    match rule:
        case ThresholdRule(threshold=t):
            return ThresholdDecision(t, grouped(Groups.of_weights(t.value_offset, t.weight.reshape(1, -1))))
        case ScoreRule():
            return ScoreDecision(rule, grouped(Groups.of_weights(rule.value_offset, rule.weights)))
        case AdditiveRule():
            return AdditiveDecision(rule, n_classes, tuple(features))
        case AskedRule():
            return AskedDecision(rule, n_classes)
        case TreeRule():
            return TreeDecision(rule, n_classes, twice)
        case StateRule():
            return StateDecision(rule, n_classes, twice)
        case LayersRule():
            return LayersDecision(rule, grouped(Groups.of_weights(rule.value_offset, rule.first)), n_classes)
        case _:
            return DiagramDecision(rule, n_classes, twice)
