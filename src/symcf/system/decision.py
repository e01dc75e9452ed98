"""Decisions: a rule prepared for use, over groups of values.

`make_decision` (make.py) turns a model's rule into one of several kinds, which all answer the same questions: the class
of every row, a good order of the features, and the diagram of a class. Two kinds also have threshold functions, for the
engines that need no diagram.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.lazy import Later, cached_property
from symcf.data.reader import Codes
from symcf.data.regions import LineCells
from symcf.errors import InstanceError, OptionError
from symcf.models.bounded.bounds import Bounds
from symcf.models.rules import BlackBoxRule, DiagramRule, JointRule, NumberRule, Offsets, ScoreRule, Tree, TreeRule
from symcf.models.sums import AdditiveRule
from symcf.system.groups import Groups
from symcf.system.tree_arrays import tree_arrays, tree_of, trees_of_weights

__all__ = [
    "AdditiveDecision",
    "Budget",
    "Decision",
    "DiagramDecision",
    "NoDecision",
    "NumberSums",
    "ScoreDecision",
    "Terms",
    "ThresholdDecision",
    "TreeDecision",
    "goal_of",
]

Order = npt.NDArray[np.uint32]

#: Weights by core code and a bias: a function that is true where they add up to at least 0.
Weighted = tuple[npt.NDArray[np.int64], int]

#: Up to so many leaves of all trees together, a diagram is built, which counts and draws without listing, and answers
#: every other row at once. Forests on breast_cancer, first row: 45 leaves, 4 ms for the diagram and 2 ms for the trees;
#: 93 leaves, 0.9 s and 14 ms; 308 leaves, no end of the diagram in 6 s and 0.4 s.
FEW_LEAVES = 60


@dataclass(frozen=True)
class Budget:
    """What building a diagram may take: seconds left (-1: any), nodes and bytes (0: any)."""

    seconds: Callable[[], float]
    max_nodes: int
    max_memory: int
    #: Are threshold functions compiled in CUDD?
    in_cudd: bool = False

    def compile(self, threshold: _core.Threshold, order: Order) -> tuple[_core.Diagram, _core.Bdd | None]:
        """The diagram of a threshold function, and its twin in CUDD if it was built there."""
        if not self.in_cudd:
            return _core.Diagram.compile(threshold, order, *self.now()), None
        bdd = _core.Bdd.compile(threshold, order, *self.now())
        return bdd.freeze(self.seconds()), bdd

    def now(self) -> tuple[float, int, int]:
        """The three numbers, as the core takes them."""
        return self.seconds(), self.max_nodes, self.max_memory


def goal_of(prediction: int, target: int | None, n_classes: int) -> tuple[int, int]:
    """The goal of an instance, any other class or a given one: a class, and whether it is wanted (1) or left (0)."""
    if n_classes == 2:
        return 1, 1 - prediction
    return (prediction, 0) if target is None else (target, 1)


class Decision(ABC):
    """Decides which class a row gets.

    What it is made of is told by its attributes, each None where it is made of something else: sums of weights
    (`threshold`, `beats`), `trees`, sums over `numbers`, or a `black_box`.
    """

    def __init__(self, groups: Groups, n_classes: int) -> None:
        self.groups = groups
        self.n_classes = n_classes

    @property
    def trees(self) -> TreeDecision | None:
        """Trees that vote."""
        return None

    #: Sums over columns of numbers, which each row computes anew. There is no diagram of them.
    numbers: NumberSums | None = None

    #: A function that can only be called. There is no diagram of it.
    black_box: BlackBoxRule | None = None

    #: What is known of a function's scores over boxes of rows.
    bounds: Later[Bounds] | None = None

    @property
    def n_leaves(self) -> int:
        """The leaves of all trees."""
        return 0

    #: Why there is no diagram of it; None where there is one.
    no_diagram: str | None = None

    #: Two classes by a threshold function: class 1 iff it is true.
    threshold: _core.Threshold | None = None

    @property
    def beats(self) -> list[list[_core.Threshold | None]] | None:
        """Many classes by scores: ``beats[p][r]`` says whether class r beats class p; None on the diagonal."""
        return None

    def tie_shift(self, p: int, r: int) -> int:
        """What the tie rule has subtracted from the score of ``beats[p][r]``."""
        return 0

    @property
    def is_additive(self) -> bool:
        """Can change sets be found without a diagram?"""
        return self.threshold is not None or self.beats is not None

    @property
    def adds_up(self) -> bool:
        """Do sums of weights, or trees that vote, decide? Then `votes` gives trees."""
        return self.is_additive or self.trees is not None

    @property
    def is_large(self) -> bool:
        """Are there more trees than a diagram is likely to be built of?"""
        return self.n_leaves > FEW_LEAVES

    def rivals(self, k: int) -> list[Weighted]:
        """Sums of weights: the functions "another class beats class k", one of which has to become true."""
        assert self.beats is not None, "only sums of weights have rivals"
        return [(t.weight, int(t.bias)) for t in self.beats[k] if t is not None]

    def sums_to_flip(self, goal: tuple[int, int]) -> tuple[list[_core.Threshold], bool]:
        """Sums of weights: the functions of which one has to become true, or false, to reach a goal that leaves a
        class; and which of the two.
        """
        k, sink = goal
        if self.threshold is not None:
            return [self.threshold], bool(sink)
        assert self.beats is not None, "only sums of weights have rivals"
        assert not sink
        return [t for t in self.beats[k] if t is not None], True

    def votes(self) -> tuple[list[Tree], bool] | None:
        """Trees that decide the same, and whether the later of two classes wins ties; None if there are none."""
        return None

    def marked(self, codes: Codes) -> Codes:
        """The same rows with -1 in those that cannot be decided exactly."""
        return codes

    def check_rows(self, codes: Codes) -> None:  # noqa: B027  # most decide all rows
        """`InstanceError` for the first row that cannot be decided exactly."""

    def prepare(self) -> None:  # noqa: B027  # most need nothing
        """Builds what every call needs, so that the time limit of the first one is not spent on it."""

    def check_diagram(self) -> None:
        """`OptionError` if there is no diagram of it."""
        if self.no_diagram is not None:
            raise OptionError(self.no_diagram)

    @abstractmethod
    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The class of rows of value codes; InstanceError if one is out of range."""

    @abstractmethod
    def influence_order(self) -> Order:
        """The features, most important first."""

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """The function "the decision is class k", and its twin in CUDD if one was built; `OptionError` if there is
        none.
        """
        self.check_diagram()
        raise NotImplementedError


class NoDecision(Decision):
    """A regressor's: there are no classes before a target says which numbers are wanted."""

    no_diagram = (
        "this model gives a number, not a class: say which number is wanted, with target=symcf.at_least(v), at_most(v) "
        "or between(a, b) in explain, why, count and explain_batch; for other calls make a classifier of it with "
        "c.reaching(symcf.at_least(v))"
    )

    def __init__(self, rule: NumberRule | JointRule) -> None:
        super().__init__(Groups.single(rule.n_values), 0)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        raise OptionError(self.no_diagram)

    def influence_order(self) -> Order:
        raise OptionError(self.no_diagram)


class ThresholdDecision(Decision):
    """Two classes, one threshold function."""

    threshold: _core.Threshold

    def __init__(self, threshold: _core.Threshold, groups: Groups) -> None:
        super().__init__(groups, 2)
        if not groups.trivial:
            threshold = threshold.regrouped(groups.core_offset, groups.core_weights(threshold.weight))
        self.threshold = threshold

    def rivals(self, k: int) -> list[Weighted]:
        """See `Decision`. Class 1 is left where the sum is below 0: where the negative sum less 1 is at least 0."""
        weight, bias = self.threshold.weight, int(self.threshold.bias)
        return [(weight, bias)] if k == 0 else [(-weight, -bias - 1)]

    def votes(self) -> tuple[list[Tree], bool]:
        weights = np.column_stack([np.zeros_like(self.threshold.weight), self.threshold.weight])
        bias = np.array([[0, self.threshold.bias]], dtype=np.int64)
        return trees_of_weights(self.groups.core_offset.tolist(), weights, bias), True

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        return (self.threshold.scores(codes, self.groups.for_core) >= 0).astype(np.uint8)

    def influence_order(self) -> Order:
        return self.threshold.influence_order()

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. Class 1 only: class 0 is its complement."""
        assert k == 1
        return budget.compile(self.threshold, order)


class ScoreDecision(Decision):
    """Many classes, one sum of weights each: the largest wins."""

    def __init__(self, rule: ScoreRule, groups: Groups) -> None:
        super().__init__(groups, len(rule.bias))
        #: By class: weights by core code, and what is added; whether the later of two classes wins ties.
        self.weights = groups.core_weights(rule.weights)
        self.bias = rule.bias
        self.later_wins = rule.later_wins

    @cached_property
    def beats(self) -> list[list[_core.Threshold | None]]:
        classes = range(self.n_classes)
        return [[None if p == r else self._beats(p, r) for r in classes] for p in classes]

    def tie_shift(self, p: int, r: int) -> int:
        """What class r needs beyond the score of class p to beat it: 0 if it wins ties, else 1."""
        return 0 if (r > p) == self.later_wins else 1

    def _beats(self, p: int, r: int) -> _core.Threshold:
        """Class r beats class p: more, or as much if it wins ties."""
        weights = np.ascontiguousarray(self.weights[r] - self.weights[p])
        bias = int(self.bias[r]) - int(self.bias[p]) - self.tie_shift(p, r)
        return _core.Threshold.from_weights(self.groups.core_offset, weights, bias)

    def votes(self) -> tuple[list[Tree], bool]:
        return trees_of_weights(self.groups.core_offset.tolist(), self.weights.T, self.bias.reshape(1, -1)), (
            self.later_wins
        )

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        return _core.decide(self.beats, codes, self.groups.for_core)

    def influence_order(self) -> Order:
        """See `Decision`. By the sum of what the feature can do to each class."""
        return by_spread(self.weights - self.weights.mean(axis=0), self.groups)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. No other class beats class k."""
        rivals = [t for t in self.beats[k] if t is not None]
        parts = [budget.compile(t, order)[0] for t in rivals]
        bdd = _core.Bdd.conjoin(parts, [True] * len(parts), *budget.now())
        return bdd.freeze(budget.seconds()), bdd


class TreeDecision(Decision):
    """Trees that vote."""

    def __init__(self, rule: TreeRule, n_classes: int, twice: Collection[int] = ()) -> None:
        super().__init__(Groups.single(np.diff(rule.value_offset).tolist(), twice), n_classes)
        #: The trees as the model has them, over core codes.
        self.rule = rule.spread(self.groups.value_of) if twice else rule

    @property
    def trees(self) -> TreeDecision:
        return self

    def votes(self) -> tuple[list[Tree], bool]:
        return list(self.rule.trees), self.rule.later_wins

    def tests(self, feature: int) -> bool:
        """Does any tree test this feature?"""
        return any(bool((tree.feature == feature).any()) for tree in self.rule.trees)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        return _core.decide(self.ensemble, codes)

    def _largest(self, scores: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """By row, the class with the largest score."""
        if self.rule.later_wins:
            return np.asarray(self.n_classes - 1 - np.argmax(scores[:, ::-1], axis=1))
        return np.asarray(np.argmax(scores, axis=1))

    def influence_order(self) -> Order:
        """See `Decision`. By how many rows a test sees if every test halves them."""
        weight = np.zeros(len(self.groups.group_of))
        for tree in self.rule.trees:
            share = np.zeros(len(tree.feature))
            share[0] = 1.0
            for u, j in enumerate(tree.feature.tolist()):
                if j >= 0:
                    weight[j] += share[u]
                    share[tree.left[u]] = share[tree.right[u]] = share[u] / 2
        return np.argsort(-weight, kind="stable").astype(np.uint32)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. Class k is as good as any other."""
        if len(self.rule.trees) == 1:  # one tree has no sum, so classes need not be compared in pairs
            return self._sum([self._single_score(k)], 0, order, budget), None
        parts = []
        for r in range(self.n_classes):
            if r != k:
                wins_ties = (k > r) == self.rule.later_wins
                scores = [tree.score[:, k] - tree.score[:, r] for tree in self.rule.trees]
                parts.append(self._sum(scores, 0 if wins_ties else -1, order, budget))
        if len(parts) == 1:
            return parts[0], None
        bdd = _core.Bdd.conjoin(parts, [False] * len(parts), *budget.now())
        return bdd.freeze(budget.seconds()), bdd

    def _sum(self, scores: Sequence[npt.NDArray[np.int64]], bias: int, order: Order, budget: Budget) -> _core.Diagram:
        """The function "these scores of the trees and the bias reach 0"."""
        return _core.Diagram.compile_trees(
            np.diff(self.groups.core_offset).astype(np.uint32),
            order,
            *tree_arrays(self.rule.trees),
            np.concatenate(scores).astype(np.int64),
            bias,
            *budget.now(),
        )

    def prepare(self) -> None:
        _ = self.ensemble

    @cached_property
    def ensemble(self) -> _core.Ensemble:
        """The trees for the engine that needs no diagram."""
        return self._ensemble(self.rule.trees)

    @cached_property
    def n_leaves(self) -> int:
        """The leaves of all trees."""
        return sum(int((tree.feature < 0).sum()) for tree in self.rule.trees)

    def ensemble_within(self, goal: tuple[int, int], conditions: Sequence[_core.Diagram]) -> _core.Ensemble:
        """The trees, with more trees that put the goal (a class, and whether it is wanted) out of reach where a
        condition does not hold. `OverflowError` if that does not fit exact integers.
        """
        k, sink = goal
        spread = sum(int(tree.score.max()) - int(tree.score.min()) for tree in self.rule.trees)
        forbidding = np.zeros((2, self.n_classes), dtype=np.int64)
        forbidding[0, k] = -(spread + 1) if sink else spread + 1
        return self._ensemble([*self.rule.trees, *(tree_of(diagram, forbidding) for diagram in conditions)])

    def _ensemble(self, trees: Sequence[Tree]) -> _core.Ensemble:
        return _core.Ensemble(
            np.diff(self.groups.core_offset).astype(np.uint32),
            *tree_arrays(trees),
            np.ascontiguousarray(np.concatenate([tree.score for tree in trees]).reshape(-1, self.n_classes)),
            self.rule.later_wins,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "ensemble"}

    def _single_score(self, k: int) -> npt.NDArray[np.int64]:
        """0 at the leaves of class k, -1 at others."""
        return np.where(self._largest(self.rule.trees[0].score) == k, 0, -1).astype(np.int64)


class DiagramDecision(Decision):
    """A function given as a diagram, or as one diagram per class."""

    def __init__(self, rule: DiagramRule, n_classes: int, twice: Collection[int] = ()) -> None:
        super().__init__(Groups.single(rule.n_values, twice), n_classes)
        self._made = rule.spread(self.groups.value_of).diagrams if twice else rule.diagrams

    @property
    def _diagrams(self) -> tuple[_core.Diagram, ...]:
        return self._made.value

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        return _core.decide(self._diagrams[0] if self.n_classes == 2 else self._diagrams, codes)

    def influence_order(self) -> Order:
        """See `Decision`. The order of the given diagram."""
        return np.array(self._diagrams[0].order)

    def diagram(self, k: int, order: Order, budget: Budget) -> tuple[_core.Diagram, _core.Bdd | None]:
        """See `Decision`. The given diagram, whatever the order."""
        return self._diagrams[0 if self.n_classes == 2 else k], None


# --- columns of numbers -----------------------------------------------------------------------------------------------

Terms = npt.NDArray[np.int64]


class NumberSums:
    """Sums over columns of numbers: one that is positive or not, or one per class, the largest of which wins. Every row
    computes its terms anew.
    """

    def __init__(self, rule: AdditiveRule, n_classes: int, features: Sequence[str]) -> None:
        self.rule = rule
        self.n_classes = n_classes
        self._features = tuple(features)

    def terms(self, codes: npt.NDArray[Any]) -> Terms:
        """What each feature adds to each sum: (rows, sums, features)."""
        return self.rule.terms_of(codes, self._features)

    #: By feature that is a line, the cells that trees tell apart; none where sums alone decide.
    cells: Sequence[LineCells | None] = ()

    def classes_of(self, terms: Terms, codes: Codes) -> npt.NDArray[np.uint8]:
        """The class of rows of codes of which the terms are known."""
        return self._guarded(self._first(terms.sum(axis=2)), codes)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """The class of rows of codes."""
        return self._guarded(self._first(self.rule.sums_of(codes, self._features)), codes)

    def _guarded(self, found: npt.NDArray[np.uint8], codes: Codes) -> npt.NDArray[np.uint8]:
        """The classes, where sums alone would decide for these."""
        return found

    def _first(self, sums: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """The class that these sums, without their bias, decide for."""
        sums = sums + self.rule.bias
        if sums.shape[1] == 1:
            codes = sums[:, 0] >= (0 if self.rule.later_wins else 1)
        elif self.rule.later_wins:
            codes = self.n_classes - 1 - np.argmax(sums[:, ::-1], axis=1)
        else:
            codes = np.argmax(sums, axis=1)
        return np.asarray(codes, dtype=np.uint8)


class AdditiveDecision(Decision):
    """Decides by sums over columns of numbers. There are no groups of values, and no diagram."""

    no_diagram = (
        "a classifier with columns of numbers has no diagram: ask about a row (explain, count, sample), or bin the "
        "columns (KBinsDiscretizer)"
    )

    def __init__(self, rule: AdditiveRule, n_classes: int, features: Sequence[str]) -> None:
        # One value stands for all numbers of a column: nothing is ever looked up by it.
        sizes = [1 if table is None else table.shape[1] for table in rule.tables]
        super().__init__(Groups.single(sizes), n_classes)
        self.numbers: NumberSums = NumberSums(rule, n_classes, features)

    def guard(self, sums: NumberSums) -> None:
        """Decides by these sums, of the same rule."""
        self.numbers = sums

    def marked(self, codes: Codes) -> Codes:
        """See `Decision`. A number may be too far away to be decided exactly."""
        found, waiting = np.array(codes), [np.flatnonzero((codes >= 0).all(axis=1))]
        while waiting:
            rows = waiting.pop()
            try:
                self.check_rows(codes[rows])
            except InstanceError:
                if len(rows) == 1:
                    found[rows] = -1
                else:
                    waiting += np.array_split(rows, 2)
        return found

    def check_rows(self, codes: Codes) -> None:
        self.numbers.terms(codes)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        return self.numbers.predict(np.asarray(codes))

    def influence_order(self) -> Order:
        return np.arange(len(self.groups.group_of), dtype=np.uint32)


# --- rows -------------------------------------------------------------------------------------------------------------


def by_spread(numbers: npt.NDArray[Any], groups: Groups) -> Order:
    """The features by the sum over all lines of numbers of how far those of its values are apart, the widest first."""
    starts = groups.core_offset[:-1].astype(np.int64)
    if not len(starts):
        return np.zeros(0, dtype=np.uint32)
    spread = np.maximum.reduceat(numbers, starts, axis=1) - np.minimum.reduceat(numbers, starts, axis=1)
    return np.argsort(-spread.sum(axis=0), kind="stable").astype(np.uint32)


def check_codes(codes: Codes, value_offset: Offsets) -> None:
    """Raises InstanceError for the first code that is out of range."""
    no_weights = np.zeros(int(value_offset[-1]), dtype=np.int64)
    _core.Threshold.from_weights(value_offset, no_weights, 0).scores(codes)


def binary_offsets(n: int) -> Offsets:
    """Offsets of n features of two values."""
    return np.arange(0, 2 * n + 1, 2, dtype=np.uint32)
