"""Which sets of features can flip the decision of trees that vote, read off the trees themselves.

Shares nothing with the engine: it halves ranges of codes where the engine branches over leaves, walks the nodes of the
trees as they are, and adds up in Python's integers. In a box of codes a tree can give no more than the best leaf that
the box enters; where that is not enough in sum, no row of the box flips the decision. A box that each tree takes to one
leaf is decided by one row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from symcf.models.rules import Tree, TreeRule, reached
from symcf.proof.verification.report import Look, OverBudget
from symcf.system.classifier import Classifier

__all__ = ["Leaves", "decided_by_trees", "leaves_of", "rule_of"]

#: Up to so many leaves a diagram answers faster.
FEW_LEAVES = 60

#: Leaves of trees that are looked at, in all: about ten seconds.
MOST_STEPS = 3_000_000

Codes = npt.NDArray[np.int64]
Box = list[list[int]]


def rule_of(compiled: Classifier) -> TreeRule | None:
    """How trees vote; None for other models."""
    return None if compiled.decision.trees is None else compiled.decision.trees.rule


def decided_by_trees(rule: TreeRule, rows: Codes) -> npt.NDArray[np.int64]:
    """The classes of rows, leaf by leaf."""
    scores = sum(tree.score[reached(tree, rows)] for tree in rule.trees)
    assert not isinstance(scores, int)
    if rule.later_wins:
        return np.asarray(scores.shape[1] - 1 - np.argmax(scores[:, ::-1], axis=1))
    return np.asarray(np.argmax(scores, axis=1))


def leaves_of(
    compiled: Classifier,
    x: Sequence[int],
    prediction: int,
    target: int | None,
    choices: Sequence[Sequence[int]],
    flips: Callable[[Codes], npt.NDArray[np.bool_]],
    look: Look,
) -> Leaves | None:
    """The leaves of trees that are too many for a diagram; None for all other models."""
    rule = rule_of(compiled)
    if rule is None or sum(int((tree.feature < 0).sum()) for tree in rule.trees) <= FEW_LEAVES:
        return None
    return Leaves(rule, x, prediction, target, choices, flips, look)


class Leaves:
    """The trees, one instance, and what may become of it."""

    def __init__(
        self,
        rule: TreeRule,
        x: Sequence[int],
        prediction: int,
        target: int | None,
        choices: Sequence[Sequence[int]],
        flips: Callable[[Codes], npt.NDArray[np.bool_]],
        look: Look = lambda: None,
    ) -> None:
        """``choices[j]`` are the values that feature j may have; ``flips`` says which rows are wanted."""
        self._look = look
        self._x, self._choices, self._flips = list(x), [sorted(values) for values in choices], flips
        classes = range(rule.trees[0].score.shape[1])
        rivals = [k for k in classes if k != prediction]
        #: Pairs (who must lead, whom), of which one must hold, or all.
        others = [(target, k) for k in classes if k != target] if target is not None else []
        self._pairs = others or [(k, prediction) for k in rivals]
        self._all = target is not None
        #: By pair, what a lead of 0 lacks.
        self._lack = [0 if (a > b) == rule.later_wins else -1 for a, b in self._pairs]
        n_codes = [values[-1] + 1 for values in self._choices]
        self._trees = []
        for tree in rule.trees:
            look()
            self._trees.append(_Nodes(tree, n_codes))
        self._entered = _Entered(self._trees, self._x, self._choices, self._pairs, look)
        self._left = MOST_STEPS

    def can_flip(self, free: Iterable[int]) -> bool:
        """May the decision flip if only these features change? `OverBudget` or `OutOfTime` if that takes too long."""
        changing = set(free)
        self._look()
        if not self._lead([most + lack for most, lack in zip(self._entered.most(changing), self._lack, strict=True)]):
            return False
        stack: list[Box] = [[self._choices[j] if j in changing else [v] for j, v in enumerate(self._x)]]
        while stack:
            self._look()
            box = stack.pop()
            most, widest = self._bounds(box)
            if not self._lead(most):
                continue
            row = [codes[0] for codes in box]
            if self._lead(self._leads(row)) and self._flips(np.array([row], dtype=np.int64))[0]:
                return True
            if widest is None:  # all trees have one leaf: only relations tell these rows apart
                widest = max(range(len(box)), key=lambda j: len(box[j]))
                if len(box[widest]) == 1:
                    continue
            codes = box[widest]
            for half in (codes[: len(codes) // 2], codes[len(codes) // 2 :]):
                stack.append([half if j == widest else other for j, other in enumerate(box)])
        return False

    def _lead(self, leads: Sequence[int]) -> bool:
        """Are these leads, less what ties need, enough?"""
        return all(lead >= 0 for lead in leads) if self._all else any(lead >= 0 for lead in leads)

    def _leads(self, row: Sequence[int]) -> list[int]:
        """The leads of one row, less what ties need."""
        scores = [sum(column) for column in zip(*(tree.scores_of(row) for tree in self._trees), strict=True)]
        return [scores[a] - scores[b] + lack for (a, b), lack in zip(self._pairs, self._lack, strict=True)]

    def _bounds(self, box: Box) -> tuple[list[int], int | None]:
        """The most that each lead can be, less what ties need, and a feature that the trees split most of."""
        inside = [sum(1 << code for code in codes) for codes in box]
        most = self._lack
        splits: dict[int, int] = {}
        for tree in self._trees:
            best: list[int] | None = None
            for scores in tree.entered(inside, splits):
                self._left -= 1
                leads = [scores[a] - scores[b] for a, b in self._pairs]
                best = leads if best is None else list(map(max, best, leads))
            assert best is not None
            most = [total + lead for total, lead in zip(most, best, strict=True)]
        if self._left < 0:
            raise OverBudget
        return most, max(splits, key=splits.__getitem__, default=None)


class _Entered:
    """The leaves of all trees, and which features have to change so that a row can reach them. Most sets of features
    are ruled out by what the leaves within their reach give at most.
    """

    def __init__(
        self,
        trees: Sequence[_Nodes],
        x: Sequence[int],
        choices: Sequence[Sequence[int]],
        pairs: Sequence[tuple[int, int]],
        look: Look,
    ) -> None:
        inside = [sum(1 << code for code in {own, *codes}) for own, codes in zip(x, choices, strict=True)]
        changed: list[list[int]] = []
        leads: list[list[int]] = []
        self._starts = []
        for tree in trees:
            look()
            self._starts.append(len(leads))
            for scores, narrowed in tree.leaves(inside):
                changed.append([j for j, codes in narrowed.items() if not codes >> x[j] & 1])
                leads.append([scores[a] - scores[b] for a, b in pairs])
        #: By leaf and word of 64 features, those that have to change.
        self._changed = np.zeros((len(changed), len(x) // 64 + 1), dtype=np.uint64)
        for leaf, features in enumerate(changed):
            for j in features:
                self._changed[leaf, j // 64] |= np.uint64(1 << j % 64)
        #: By pair and leaf. Halves of Python's integers, so that no sum is too large for those of numpy.
        whole = np.array(leads, dtype=object).T.reshape(len(pairs), len(leads))
        self._high, self._low = (whole >> 32).astype(np.int64), (whole & 0xFFFFFFFF).astype(np.int64)
        order = [np.lexsort((low, high)) for low, high in zip(self._low, self._high, strict=True)]
        #: By pair and leaf, its place when all leaves are in the order of their leads.
        self._place = np.array([np.argsort(one) for one in order]).reshape(len(pairs), len(leads))
        self._order = order

    def most(self, free: Iterable[int]) -> list[int]:
        """By pair, the sum of the largest leads of each tree that rows can reach that change only these features."""
        words = np.zeros(self._changed.shape[1], dtype=np.uint64)
        for j in free:
            words[j // 64] |= np.uint64(1 << j % 64)
        reached = ~(self._changed & ~words).any(axis=1)
        found = []
        for place, order, high, low in zip(self._place, self._order, self._high, self._low, strict=True):
            best = order[np.maximum.reduceat(np.where(reached, place, -1), self._starts)]
            found.append((int(high[best].sum()) << 32) + int(low[best].sum()))
        return found


class _Nodes:
    """A tree in Python's own numbers. Sets of codes are integers, bit by bit."""

    def __init__(self, tree: Tree, n_codes: Sequence[int]) -> None:
        self._feature = tree.feature.tolist()
        self._left, self._right = tree.left.tolist(), tree.right.tolist()
        self._scores: list[list[int]] = tree.score.tolist()
        #: By node, the codes that go left.
        self._goes_left = [
            0 if j < 0 else _mask(tree.left_values[start : start + n_codes[j]])
            for j, start in zip(self._feature, tree.left_start[:-1].tolist(), strict=True)
        ]

    def scores_of(self, row: Sequence[int]) -> list[int]:
        """The scores of the leaf that a row reaches."""
        u = 0
        while (j := self._feature[u]) >= 0:
            u = self._left[u] if self._goes_left[u] >> row[j] & 1 else self._right[u]
        return self._scores[u]

    def leaves(self, inside: Sequence[int]) -> Iterable[tuple[list[int], dict[int, int]]]:
        """The scores of the leaves that a box enters, and the codes of the tested features that lead there from any
        row, as far as the box has them.
        """
        stack: list[tuple[int, dict[int, int]]] = [(0, {})]
        while stack:
            u, narrowed = stack.pop()
            j = self._feature[u]
            if j < 0:
                yield self._scores[u], narrowed
                continue
            codes = narrowed.get(j, inside[j])
            for child, some in (
                (self._left[u], codes & self._goes_left[u]),
                (self._right[u], codes & ~self._goes_left[u]),
            ):
                if some:
                    stack.append((child, {**narrowed, j: some}))

    def entered(self, inside: Sequence[int], splits: dict[int, int]) -> Iterable[list[int]]:
        """The scores of the leaves that a box enters, narrowed on the way; counts the tests that split it."""
        stack: list[tuple[int, dict[int, int]]] = [(0, {})]
        while stack:
            u, narrowed = stack.pop()
            j = self._feature[u]
            if j < 0:
                yield self._scores[u]
                continue
            codes = narrowed.get(j, inside[j])
            left, right = codes & self._goes_left[u], codes & ~self._goes_left[u]
            if left and right:
                splits[j] = splits.get(j, 0) + 1
            if left:
                stack.append((self._left[u], {**narrowed, j: left}))
            if right:
                stack.append((self._right[u], {**narrowed, j: right}))


def _mask(marks: npt.NDArray[np.uint8]) -> int:
    return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")
