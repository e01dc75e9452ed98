"""A rule -> the decision of its kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from symcf.errors import ModelError
from symcf.models.rules import (
    AdditiveRule,
    AskedRule,
    DiagramRule,
    JointRule,
    LayersRule,
    NumberRule,
    Rule,
    ScoreRule,
    StateRule,
    ThresholdRule,
    TreeRule,
)
from symcf.system.asked import AskedDecision
from symcf.system.decision import (
    AdditiveDecision,
    Decision,
    DiagramDecision,
    NoDecision,
    ScoreDecision,
    ThresholdDecision,
    TreeDecision,
)
from symcf.system.groups import Groups
from symcf.system.joint import joint_decision
from symcf.system.layers import LayersDecision
from symcf.system.states import StateDecision

__all__ = ["DECISIONS", "Setting", "make_decision"]

#: Predictions are bytes.
MOST_CLASSES = 256


@dataclass(frozen=True)
class Setting:
    """What a decision is made with, besides its rule."""

    n_classes: int
    features: tuple[str, ...]
    #: A partition of each feature's values that must be kept apart in any case; None: none.
    apart: Sequence[Sequence[int]] | None = None
    #: Features whose values come a second time (see `Groups`).
    twice: Collection[int] = ()

    def grouped(self, offset: Any, weights: Any) -> Groups:
        """Groups of values with the same weights."""
        groups = Groups.of_weights(offset, weights)
        return groups if self.apart is None else groups.refined(self.apart, self.twice)


#: By kind of rule, what makes its decision. A new kind is a line here.
DECISIONS: dict[type, Callable[[Any, Setting], Decision]] = {
    ThresholdRule: lambda rule, of: ThresholdDecision(
        rule.threshold, of.grouped(rule.threshold.value_offset, rule.threshold.weight.reshape(1, -1))
    ),
    ScoreRule: lambda rule, of: ScoreDecision(rule, of.grouped(rule.value_offset, rule.weights)),
    AdditiveRule: lambda rule, of: AdditiveDecision(rule, of.n_classes, of.features),
    AskedRule: lambda rule, of: AskedDecision(rule, of.n_classes),
    TreeRule: lambda rule, of: TreeDecision(rule, of.n_classes, of.twice),
    StateRule: lambda rule, of: StateDecision(rule, of.n_classes, of.twice),
    LayersRule: lambda rule, of: LayersDecision(rule, of.grouped(rule.value_offset, rule.first), of.n_classes),
    DiagramRule: lambda rule, of: DiagramDecision(rule, of.n_classes, of.twice),
    NumberRule: lambda rule, of: NoDecision(rule),
    JointRule: lambda rule, of: joint_decision(
        rule, of.features, tuple(of.twice), lambda part, n: make_decision(part, Setting(n, of.features))
    ),
}


def make_decision(rule: Rule, setting: Setting) -> Decision:
    """The decision of a rule."""
    if setting.n_classes > MOST_CLASSES:
        raise ModelError(f"the model has {setting.n_classes} classes; at most {MOST_CLASSES} are supported")
    return DECISIONS[type(rule)](rule, setting)
