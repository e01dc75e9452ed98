"""Decisions of neurons in layers.

A neuron of the first layer is a threshold function of the features, which compile.c turns into a diagram. A neuron of a
later layer is a threshold function of neurons: its diagram is composed in CUDD (bdd_combine.c). Shi, Shih, Darwiche and
Choi (KR 2020) compile binary networks in this way, into OBDDs and SDDs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.reader import Codes
from symcf.models.rules import LayersRule
from symcf.system.decision import Budget, Decision, Order, binary_offsets, check_codes
from symcf.system.groups import Groups

__all__ = ["LayersDecision"]


class LayersDecision(Decision):
    """Layers of neurons."""

    def __init__(self, rule: LayersRule, groups: Groups, n_classes: int) -> None:
        super().__init__(groups, n_classes)
        self._rule = rule
        self._first = self.groups.core_weights(rule.first)
        self._built: tuple[tuple[int, ...], list[_core.Diagram]] | None = None

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """See `Decision`."""
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
        starts = self.groups.core_offset[:-1].astype(np.int64)
        if not len(starts):
            return np.zeros(0, dtype=np.uint32)
        shares = self._first / np.maximum(np.abs(self._first).max(axis=1, keepdims=True), 1)
        spread = np.maximum.reduceat(shares, starts, axis=1) - np.minimum.reduceat(shares, starts, axis=1)
        return np.argsort(-spread.sum(axis=0), kind="stable").astype(np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`."""
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
