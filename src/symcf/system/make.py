"""A rule -> the decision of its kind.

Decisions of neurons in layers.

A neuron of the first layer is a threshold function of the features, which compile.c turns into a diagram. A neuron of a
later layer is a threshold function of neurons: its diagram is composed in CUDD (bdd_combine.c). Shi, Shih, Darwiche and
Choi (KR 2020) compile binary networks in this way, into OBDDs and SDDs.

Decisions by states: features are read one after another, and equal states are the same node.

The diagram is built in two passes. Downwards, level by level: every state that is met, and where each value leads,
until a state is decided. Upwards: states whose values lead to the same nodes are one node.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import cached_property
from symcf.data.reader import Codes
from symcf.errors import CompileLimitError, LimitError, ModelError
from symcf.models.functions import diagram_of_table
from symcf.models.rules import (
    BlackBoxRule,
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
from symcf.models.sums import AdditiveRule
from symcf.system.decision import (
    AdditiveDecision,
    Budget,
    Decision,
    DiagramDecision,
    NoDecision,
    Order,
    ScoreDecision,
    ThresholdDecision,
    TreeDecision,
    binary_offsets,
    by_spread,
    check_codes,
)
from symcf.system.groups import Groups
from symcf.system.joint import joint_decision

__all__ = ["DECISIONS", "BlackBoxDecision", "LayersDecision", "Setting", "StateDecision", "make_decision"]

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
    BlackBoxRule: lambda rule, of: BlackBoxDecision(rule, of.n_classes),
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


#: Seconds that asking about all rows takes, at most, where the call has no limit of its own.
PATIENCE = 10.0

#: Rows of the first table; later ones are four times as large.
FIRST = 1 << 10

#: Bytes for each row while the diagram is built: its class, its node, and the sorting of nodes.
BYTES = 64


class BlackBoxDecision(Decision):
    """A function of rows of value codes. Every value is its own group, since nothing says which make no difference.

    What needs all rows asks about all combinations of the values that are tried, once.
    """

    def __init__(self, rule: BlackBoxRule, n_classes: int) -> None:
        super().__init__(Groups.single(rule.n_values), n_classes)
        self.black_box: BlackBoxRule = rule
        self.bounds = rule.bounds
        #: The classes of all rows, the last feature changing fastest, as far as they are known.
        self._known = np.zeros(0, dtype=np.uint8)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        check_codes(codes, self.groups.value_offset)
        return self.black_box.decide(codes)

    def influence_order(self) -> Order:
        return np.arange(len(self.black_box.n_values), dtype=np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. Of all combinations of values, in the order of the columns. `LimitError` if these are more
        than there is time or memory for; the next call goes on where this one stopped.
        """
        return diagram_of_table(self._all(budget) == k, self.black_box.n_values), None

    @cached_property
    def _n_rows(self) -> int:
        return math.prod(self.black_box.n_values)

    def _all(self, budget: Budget) -> npt.NDArray[np.uint8]:
        """The classes of all rows."""
        if budget.max_memory and self._n_rows * BYTES > budget.max_memory:
            raise LimitError(self._too_many("more than fit max_memory"))
        left, size = budget.seconds(), FIRST
        end = time.monotonic() + (PATIENCE if left < 0 else left)
        while (known := len(self._known)) < self._n_rows:
            if time.monotonic() >= end:
                limit = "the time limit" if left >= 0 else f"{PATIENCE:g} seconds (give a time_limit for more)"
                raise LimitError(self._too_many(f"and {limit} sufficed for {known:,}"))
            place = np.arange(known, min(known + size, self._n_rows))
            self._known = np.concatenate([self._known, self.black_box.decide(self._rows(place))])
            size = min(4 * size, self.black_box.most_rows)
        return self._known

    def _rows(self, place: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Rows by their place among all, the last feature changing fastest."""
        rows = np.empty((len(place), len(self.black_box.n_values)), dtype=np.int64)
        for j in reversed(range(len(self.black_box.n_values))):
            place, rows[:, j] = np.divmod(place, self.black_box.n_values[j])
        return rows

    def _too_many(self, why: str) -> str:
        return (
            f"this needs the decision of all {self._n_rows:,} combinations of the values that are tried, {why}: try "
            f"fewer values (values=, max_values= of symcf.from_predict), or ask for counterfactuals (explain, count)"
        )


class LayersDecision(Decision):
    """Layers of neurons."""

    def __init__(self, rule: LayersRule, groups: Groups, n_classes: int) -> None:
        super().__init__(groups, n_classes)
        self._rule = rule
        self._first = self.groups.core_weights(rule.first)
        self._built: tuple[tuple[int, ...], list[_core.Diagram]] | None = None

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        check_codes(codes, self.groups.value_offset)
        rule = self._rule
        places = rule.value_offset[:-1].astype(np.int64) + np.asarray(codes, dtype=np.int64)
        sums = np.empty((len(places), len(rule.first)), dtype=np.int64)
        for i, weights in enumerate(rule.first):
            sums[:, i] = weights[places].sum(axis=1) + rule.biases[0][i]
        for matrix, bias in zip(rule.others, rule.biases[1:], strict=True):
            sums = (sums >= 0).astype(np.int64) @ matrix.T + bias
        if self.n_classes == 2:
            winner = (sums[:, 0] >= 0).astype(np.int64)
        elif rule.later_wins:
            winner = self.n_classes - 1 - np.argmax(sums[:, ::-1], axis=1)
        else:
            winner = np.argmax(sums, axis=1)
        return np.asarray(winner, dtype=np.uint8)

    def influence_order(self) -> Order:
        """See `Decision`. By the sum of what the feature can do to each neuron of the first layer, in shares of its
        largest weight.
        """
        return by_spread(self._first / np.maximum(np.abs(self._first).max(axis=1, keepdims=True), 1), self.groups)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        below = self._inner(order, budget)
        last, bias = self._last()
        if self.n_classes == 2:
            return self._neuron(below, last[0], int(bias[0]), order, budget)
        parts = []
        for r in range(self.n_classes):
            if r != k:
                wins_ties = (k > r) == self._rule.later_wins
                shift = int(bias[k]) - int(bias[r]) - (0 if wins_ties else 1)
                parts.append(self._neuron(below, last[k] - last[r], shift, order, budget)[0])
        bdd = _core.Bdd.conjoin(parts, [False] * len(parts), *budget.now())
        return bdd.freeze(), bdd

    def _last(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        rule = self._rule
        return (rule.others[-1] if rule.others else self._first), rule.biases[-1]

    def _inner(self, order: Order, budget: Budget) -> list[_core.Diagram] | None:
        """The neurons of the last layer but one; None if there is only one layer. Kept for the next class."""
        if not self._rule.others:
            return None
        key = tuple(order.tolist())
        if self._built is None or self._built[0] != key:
            neurons: list[_core.Diagram] | None = None
            for matrix, bias in zip((self._first, *self._rule.others[:-1]), self._rule.biases[:-1], strict=True):
                pairs = zip(matrix, bias.tolist(), strict=True)
                neurons = [self._neuron(neurons, w, int(b), order, budget)[0] for w, b in pairs]
            assert neurons is not None
            self._built = key, neurons
        return self._built[1]

    def _neuron(
        self,
        below: Sequence[_core.Diagram] | None,
        weights: npt.NDArray[np.int64],
        bias: int,
        order: Order,
        budget: Budget,
    ) -> tuple[_core.Diagram, _core.Bdd | None]:
        """The function "the weights of the neurons that are on, and the bias, reach 0"."""
        if below is None:
            threshold = _core.Threshold.from_weights(self.groups.core_offset, np.ascontiguousarray(weights), bias)
            return _core.Diagram.compile(threshold, order, *budget.now()), None
        # a neuron that is off adds 0, one that is on its weight
        columns = np.stack([np.zeros_like(weights), weights], axis=1).ravel()
        threshold = _core.Threshold.from_weights(binary_offsets(len(weights)), np.ascontiguousarray(columns), bias)
        outer = _core.Diagram.compile(threshold, threshold.influence_order(), *budget.now())
        bdd = _core.Bdd.compose(outer, list(below), *budget.now())
        return bdd.freeze(), bdd


#: Bytes that a state takes at least, for the budget of memory.
BYTES_OF_A_STATE = 400


class StateDecision(Decision):
    """What matters of the features read so far is a state."""

    def __init__(self, rule: StateRule, n_classes: int, twice: Collection[int] = ()) -> None:
        super().__init__(Groups.single(np.diff(rule.value_offset).tolist(), twice), n_classes)
        self._rule = rule
        self._walks: dict[tuple[int, ...], _Walk] = {}

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        check_codes(codes, self.groups.value_offset)
        return self._rule.decide(codes)

    def influence_order(self) -> Order:
        """See `Decision`. The order that the model found best."""
        return np.array(self._rule.order, dtype=np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. All classes come from the same states."""
        key = tuple(order.tolist())
        if key not in self._walks:
            self._walks = {key: _Walk(self._rule, key, self.groups.value_of, budget)}
        return self._walks[key].reduced(k), None


class _Walk:
    """All states that are met when features are read in an order."""

    def __init__(
        self, rule: StateRule, order: tuple[int, ...], value_of: Sequence[Sequence[int]], budget: Budget
    ) -> None:
        """``value_of`` has by feature and core code the value code."""
        self._order, self._n_values = order, [len(values) for values in value_of]
        reading = rule.reading(order, lambda: _look(budget, 1, 0, len(order)))
        start = reading.start()
        first = reading.decided_early(0, start)
        #: The class of every row, if that is known from the start.
        self._constant = first
        #: By level, the children of its states: places in the next level, or -1 - class.
        self._children: list[npt.NDArray[np.int64]] = []
        states: dict[Hashable, int] = {start: 0}
        met = 1
        for i, j in enumerate(order):
            if first is not None:
                break
            following: dict[Hashable, int] = {}
            # what a state of the next level is: its place there, or -1 - its class
            known: dict[Hashable, int] = {}
            children = np.empty((len(states), len(value_of[j])), dtype=np.int64)
            for u, state in enumerate(states):
                _look(budget, met + len(following), i, len(order))
                for core, v in enumerate(value_of[j]):
                    after = reading.after(i, state, v)
                    place = known.get(after)
                    if place is None:
                        decided = reading.decided_early(i + 1, after)
                        place = following.setdefault(after, len(following)) if decided is None else -1 - decided
                        known[after] = place
                    children[u, core] = place
            met += len(following)
            self._children.append(children)
            states = following

    def reduced(self, k: int) -> _core.Diagram:
        """The reduced diagram of class k."""
        n = len(self._order)
        arity = [self._n_values[j] for j in self._order]
        level, child = [np.array([n, n])], [np.empty(0, dtype=np.int64)]
        next_node = 2
        below = np.zeros(0, dtype=np.int64)
        for i in reversed(range(len(self._children))):
            children = self._children[i]
            nodes = np.where(children < 0, (-1 - children == k).astype(np.int64), 0)
            inner = children >= 0
            nodes[inner] = below[children[inner]]
            distinct, which = np.unique(nodes, axis=0, return_inverse=True)
            same = (distinct == distinct[:, :1]).all(axis=1)
            made = np.cumsum(~same) - 1 + next_node
            below = np.where(same, distinct[:, 0], made)[which.reshape(-1)]
            level.append(np.full(np.count_nonzero(~same), i))
            child.append(distinct[~same].ravel())
            next_node += len(level[-1])
        root = int(below[0]) if len(below) else int(self._constant == k)
        arrays = [
            np.ascontiguousarray(a, dtype=np.uint32)
            for a in (self._order, arity, np.concatenate(level), np.concatenate(child))
        ]
        return _core.Diagram.from_arrays(arrays[0], arrays[1], arrays[2], arrays[3], root)


def _look(budget: Budget, states: int, level: int, n_levels: int) -> None:
    seconds, max_nodes, max_memory = budget.now()
    memory = states * BYTES_OF_A_STATE
    reached = {"time": seconds == 0, "nodes": 0 < max_nodes < states, "memory": 0 < max_memory < memory}
    for limit, is_reached in reached.items():
        if is_reached:
            raise CompileLimitError(limit, states, memory, level, n_levels)
