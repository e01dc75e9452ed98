"""Several sums that must all reach a number, as trees that vote: the leads of classes, and a sum of terms.

The engine `boxes` finds rows for which one class leads all others. So each lead that is wanted is a class of its own,
class 0 wins where all of them hold, and it wins ties. Sums of weights are trees of one test per value, and a term of
two features is a tree over both.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.models.close_sums import Summand, rounding_is_harmless
from symcf.models.rules import Tree
from symcf.models.table_trees import leaf, term_tree
from symcf.system.decision import Decision
from symcf.system.tree_arrays import tree_arrays, tree_of

__all__ = ["Guard", "guarded", "lacks", "leads_of", "shared_out"]

Scores = npt.NDArray[np.int64]

#: What a lead may lack, added up over all trees; larger sums are rounded if that is proved to change no decision. The
#: rest of the 62 bits is for the terms.
MOST = (1 << 62) - (1 << 48)


class Guard(Protocol):
    """One term of the sum that has to reach a number; `symcf.question.likely.Term` is one."""

    @property
    def feature(self) -> int:
        """Its feature."""

    @property
    def parent(self) -> int:
        """A second one; -1 for none."""

    @property
    def table(self) -> Scores:
        """By code of the second (one line where there is none), then of the first."""


def leads_of(goal: tuple[int, int], n_classes: int) -> list[list[tuple[int, int]]]:
    """Pairs of classes (who must lead, whom): one list, all of whose pairs hold, reaches the goal."""
    k, sink = goal
    if sink:
        return [[(k, other) for other in range(n_classes) if other != k]]
    return [[(other, k)] for other in range(n_classes) if other != k]


def guarded(
    decision: Decision,
    leads: Sequence[tuple[int, int]],
    conditions: Sequence[_core.Diagram],
    terms: Sequence[Guard],
    least: int,
) -> _core.Ensemble:
    """Trees whose class 0 wins where all leads and conditions hold and the terms add up to at least `least`.

    `OverflowError` if that does not fit exact integers.
    """
    votes = decision.votes()
    assert votes is not None
    trees, later_wins = votes
    width = len(leads) + 3  # class 0, the leads, the conditions, the terms
    found = [_with_scores(tree, np.zeros((len(tree.feature), width), dtype=np.int64)) for tree in trees]
    start = np.zeros((1, width), dtype=np.int64)
    start[0, -1] = least
    for i, (a, b) in enumerate(leads, 1):
        parts, start[0, i] = shared_out(*lacks(trees, a, b, int((a > b) != later_wins)))
        for tree, part in zip(found, parts, strict=True):
            tree.score[tree.feature < 0, i] = part
    forbidding = np.zeros((2, width), dtype=np.int64)
    forbidding[0, -2] = 1
    found += [leaf(start), *(_term(term, width) for term in terms), *(tree_of(d, forbidding) for d in conditions)]
    n_values = np.diff(decision.groups.core_offset).astype(np.uint32)
    scores = np.ascontiguousarray(np.concatenate([tree.score for tree in found]))
    return _core.Ensemble(n_values, *tree_arrays(found), scores, False)


def lacks(trees: Sequence[Tree], a: int, b: int, more: int) -> tuple[list[Scores], int]:
    """What class a lacks to lead class b, and ``more``: by tree and leaf, at least 0, and a number to add to the sum.

    The lead holds where the sum is not above 0. `OverflowError` if it does not fit.
    """
    found = [tree.score[tree.feature < 0, b] - tree.score[tree.feature < 0, a] for tree in trees]
    spread = sum(int(lack.max()) - int(lack.min()) for lack in found)
    if spread > MOST:
        shift = spread.bit_length() - MOST.bit_length() + 1
        summands = [_rounded(lack, shift) for lack in (*found, np.array([more], dtype=np.int64))]
        if not rounding_is_harmless(summands):
            raise OverflowError
        *found, extra = [summand.rounded[:, 0] for summand in summands]
        more = int(extra[0])
    least = [int(lack.min()) for lack in found]
    return [lack - low for lack, low in zip(found, least, strict=True)], sum(least) + more


def shared_out(lacking: Sequence[Scores], bias: int) -> tuple[list[Scores], int]:
    """What the trees lack with parts of the bias in it, so small that no tree spreads wider; and what is left of it."""
    room = sum(int(lack.max()) for lack in lacking) + 1
    left, found = min(max(bias, -room), 1), []  # beyond that, it makes no difference
    for lack in lacking:
        part = -min(int(lack.max()), max(0, -left))
        found.append(lack + part)
        left -= part
    return found, left


def _rounded(numbers: Scores, shift: int) -> Summand:
    """Numbers in units of 2 to the power of `shift`."""
    exact = np.array([Fraction(number, 1 << shift) for number in numbers.tolist()], dtype=object)
    rounded = np.array([round(number) for number in exact], dtype=np.int64)
    return Summand(exact.reshape(-1, 1), rounded.reshape(-1, 1))


def _with_scores(tree: Tree, score: Scores) -> Tree:
    return Tree(tree.feature, tree.left, tree.right, tree.left_start, tree.left_values, score)


def _term(term: Guard, width: int) -> Tree:
    """A term as a tree; the last class lacks it."""
    score = np.zeros((*term.table.shape, width), dtype=np.int64)
    score[..., -1] = -term.table
    return term_tree(term.feature, term.parent, score)
