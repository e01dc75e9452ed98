"""Several models -> one decision.

Models that vote, and sums of weights, become trees over the shared columns: class 0 lacks nothing, each other class
lacks what one model's lead lacks, so that class 0 wins where all leads hold (`symcf.system.guarded`). Models that add
up numbers become sums of one rule. Where there are both, the sums decide, and the trees guard class 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT
from symcf.common.lazy import cached_property
from symcf.data.numbers import MISSING, codes_of_numbers
from symcf.data.reader import Codes
from symcf.errors import ModelError, OptionError
from symcf.models.rules import JointPart, JointRule, Rule, Tree, TreeRule, value_offsets
from symcf.models.scaling import Dyadic
from symcf.models.sums import AdditiveRule
from symcf.models.table_trees import leaf
from symcf.system.decision import AdditiveDecision, Budget, Decision, NoDecision, NumberSums, TreeDecision
from symcf.system.guarded import lacks, shared_out
from symcf.system.tree_arrays import tree_of

__all__ = ["AgreementDecision", "GuardedSums", "joint_decision"]

#: Makes the decision of one of the models: its rule, and the number of its classes.
Make = Callable[[Rule, int], Decision]

Scores = npt.NDArray[np.int64]

#: What all leads together may lack; larger sums are rounded.
MOST = 1 << 58

#: By how many units the class of the guard is behind, in the sums: they never decide for it.
FAR = 1


def joint_decision(rule: JointRule, features: Sequence[str], twice: Sequence[int], make: Make) -> Decision:
    """The decision of several models."""
    if all(part.wanted is None for part in rule.parts):
        return AgreementDecision(rule, make)
    numbers = [part for part in rule.parts if part.is_numbers]
    others = [part for part in rule.parts if not part.is_numbers]
    guard = _votes(rule, others, make) if others else None
    if not numbers:
        assert guard is not None
        return TreeDecision(guard, guard.trees[0].score.shape[1], twice)
    sums = _added(rule, numbers, features, guarded=guard is not None)
    decision = AdditiveDecision(sums, len(sums.bias), features)
    if guard is not None:
        decision.guard(GuardedSums(sums, features, guard, rule))
    return decision


class AgreementDecision(NoDecision):
    """The class that all models decide for; the last class where they disagree."""

    no_diagram = (
        "several models decide here: say which class all of them should decide for, with target= in explain, why, "
        "count and explain_batch; for other calls make a classifier of them with c.reaching(class)"
    )

    def __init__(self, rule: JointRule, make: Make) -> None:
        super().__init__(rule)
        self._rule = rule
        self._members = [(part, make(part.rule, len(part.classes))) for part in rule.parts]
        self.n_classes = 1 + len(rule.parts[0].classes)

    def decided(self, codes: Codes) -> npt.NDArray[np.int64]:
        """By row and model, the class."""
        cells = _cells(self._rule, codes)
        found = [
            np.array(part.classes)[decision.predict(_read(part, cells, codes))] for part, decision in self._members
        ]
        return np.stack(found, axis=1)

    def predict(self, codes: Codes) -> npt.NDArray[np.uint8]:
        if not self.n_classes - 1:
            raise OptionError(NoDecision.no_diagram)
        decided = self.decided(np.asarray(codes, dtype=np.int64))
        same = (decided == decided[:, :1]).all(axis=1)
        return np.where(same, decided[:, 0], self.n_classes - 1).astype(np.uint8)


def _cells(rule: JointRule, codes: Codes) -> npt.NDArray[np.int64]:
    """Rows of codes with the cells of numbers in place of the numbers."""
    found = np.array(codes, dtype=np.int64)
    for j, cells in enumerate(rule.cells):
        if cells is not None:
            begins = codes_of_numbers(np.array(cells.cuts))
            places = np.searchsorted(begins, found[:, j], side="right")
            found[:, j] = np.where(found[:, j] == MISSING, cells.missing or 0, places)
    return found


def _read(part: JointPart, cells: npt.NDArray[np.int64], codes: Codes) -> Codes:
    """Rows as one model reads them."""
    found = np.empty((len(cells), len(part.reading.feature)), dtype=np.int64)
    numbers = part.rule.numbers if isinstance(part.rule, AdditiveRule) else ()
    for j, (f, table) in enumerate(zip(part.reading.feature, part.reading.codes, strict=True)):
        found[:, j] = codes[:, f] if j in numbers else np.array(table, dtype=np.int64)[cells[:, f]]
    return found


# --- models that vote -------------------------------------------------------------------------------------------------


def _votes(rule: JointRule, parts: Sequence[JointPart], make: Make) -> TreeRule:
    """Class 0 iff all models decide for the class that is wanted of them."""
    made: dict[int, Decision] = {}
    most = MOST // sum(len(part.classes) - 1 for part in parts)
    found: list[tuple[list[Tree], list[list[Scores]], list[int]]] = []
    for part in parts:
        assert part.wanted is not None
        decision = made.setdefault(id(part.rule), make(part.rule, len(part.classes)))
        found.append(_leads(part, decision, most))
    width = 1 + sum(len(biases) for _, _, biases in found)
    trees, start, column = [], np.zeros((1, width), dtype=np.int64), 1
    for part, (members, leads, biases) in zip(parts, found, strict=True):
        decision = made[id(part.rule)]
        for i, tree in enumerate(members):
            score = np.zeros((len(tree.feature), width), dtype=np.int64)
            for place, lead in enumerate(leads):
                score[tree.feature < 0, column + place] = lead[i]
            trees.append(_placed(tree, part, decision, rule.n_values, score))
        start[0, column : column + len(biases)] = biases
        column += len(biases)
    return TreeRule(value_offsets(rule.n_values), (leaf(start), *trees), later_wins=False)


def _leads(part: JointPart, decision: Decision, most: int) -> tuple[list[Tree], list[list[Scores]], list[int]]:
    """The trees of a model; by lead and tree, what its leaves lack; by lead, what is added."""
    k, votes = part.wanted, decision.votes()
    assert k is not None
    others = [r for r in range(decision.n_classes) if r != k]
    if votes is None:
        decision.check_diagram()
        order = decision.influence_order()
        # two classes have one diagram, of class 1
        of = 1 if decision.n_classes == 2 else k
        diagram, _ = decision.diagram(of, order, Budget(lambda: NO_LIMIT.left, 0, 0))
        tree = tree_of(diagram, np.array([[0], [1]], dtype=np.int64))
        holds = tree.score[tree.feature < 0, 0] == int(of == k)
        every = [[np.where(holds, 0, 1)] for _ in others]
        return [tree], every, [0] * len(others)
    trees, later_wins = votes
    try:
        found = [lacks(trees, k, r, max(part.lead, int((k > r) != later_wins))) for r in others]
    except OverflowError:
        raise ModelError("the scores of these models leave no room to be compared exactly") from None
    fitting = [shared_out(*_fitting(lead, bias, most)) for lead, bias in found]
    return trees, [lead for lead, _ in fitting], [bias for _, bias in fitting]


def _fitting(lead: list[Scores], bias: int, most: int) -> tuple[list[Scores], int]:
    """What a lead lacks, in units so large that it fits; rounded up, so that a lead that holds does hold."""
    shift = max(0, sum(int(lack.max()) for lack in lead).bit_length() - most.bit_length() + 1)
    return [-(-lack >> shift) for lack in lead], -(-bias >> shift)


def _placed(tree: Tree, part: JointPart, decision: Decision, n_values: Sequence[int], score: Scores) -> Tree:
    """A tree over the codes of a model's decision, over the shared columns."""
    reading, groups = part.reading, decision.groups
    tables = [
        np.array([groups.group_of[j][code] for code in codes], dtype=np.int64) for j, codes in enumerate(reading.codes)
    ]
    feature, starts, parts, end = np.array(tree.feature), [], [np.zeros(0, dtype=np.uint8)], 0
    for u, j in enumerate(tree.feature.tolist()):
        starts.append(end)
        if j >= 0:
            feature[u] = reading.feature[j]
            parts.append(tree.left_values[tree.left_start[u] + tables[j]])
            end += len(tables[j])
    return Tree(feature, tree.left, tree.right, np.array([*starts, end], dtype=np.int64), np.concatenate(parts), score)


# --- models that add up numbers ---------------------------------------------------------------------------------------


def _added(rule: JointRule, parts: Sequence[JointPart], features: Sequence[str], *, guarded: bool) -> AdditiveRule:
    """Sums of which the first, 0, is the largest iff all models decide for the class that is wanted of them."""
    lines = [j for j, cells in enumerate(rule.cells) if cells is not None]
    leads = [lead for part in parts for lead in _sums(part, lines, rule, features, parts[0])]
    scale = _additive(parts[0]).scale
    empty = _Lead(rule, lines)
    every = [empty, *leads, *([replace_bias(empty, -FAR)] if guarded else [])]
    return AdditiveRule(
        numbers=tuple(lines),
        curve=np.array([[n.digits for n in lead.curve] for lead in every], dtype=np.int64).reshape(len(every), -1),
        curve_exponent=np.array([[n.exponent for n in lead.curve] for lead in every], dtype=np.int32).reshape(
            len(every), -1
        ),
        slope=np.array([[n.digits for n in lead.slope] for lead in every], dtype=np.int64).reshape(len(every), -1),
        slope_exponent=np.array([[n.exponent for n in lead.slope] for lead in every], dtype=np.int32).reshape(
            len(every), -1
        ),
        tables=tuple(
            None if rule.cells[j] is not None else np.stack([lead.tables[j] for lead in every])
            for j in range(len(rule.cells))
        ),
        bias=np.array([lead.bias for lead in every], dtype=np.int64),
        scale=scale,
        later_wins=False,
        doubt=max(_additive(part).doubt for part in parts),
        missing={
            j: np.array([lead.missing.get(j, 0) for lead in every], dtype=np.int64)
            for j, cells in enumerate(rule.cells)
            if cells is not None and cells.has_missing
        },
    )


def _additive(part: JointPart) -> AdditiveRule:
    assert isinstance(part.rule, AdditiveRule)
    return part.rule


class _Lead:
    """What a class lacks to lead another, by feature of the shared columns: 0 at first."""

    def __init__(self, rule: JointRule, lines: Sequence[int]) -> None:
        self.curve, self.slope = [Dyadic(0, 0) for _ in lines], [Dyadic(0, 0) for _ in lines]
        self.tables = {j: np.zeros(n, dtype=np.int64) for j, n in enumerate(rule.n_values) if rule.cells[j] is None}
        self.missing: dict[int, int] = {}
        self.bias = 0


def replace_bias(lead: _Lead, bias: int) -> _Lead:
    """The same with another bias."""
    other = _Lead.__new__(_Lead)
    other.__dict__.update(lead.__dict__, bias=bias)
    return other


def _sums(
    part: JointPart, lines: Sequence[int], rule: JointRule, features: Sequence[str], first: JointPart
) -> list[_Lead]:
    """By other class of one model, what the wanted one lacks."""
    own, k, reading = _additive(part), part.wanted, part.reading
    assert k is not None
    if own.links:
        names = ", ".join(repr(features[reading.feature[j]]) for j in sorted(own.links))
        raise OptionError(
            "a list of models, a width and a margin among several classes are not supported where steps such as log1p, "
            f"PowerTransformer or QuantileTransformer come before the sum; here: {names}. Leave out these steps, or "
            "explain the estimator as a black box: symcf.compile(symcf.from_predict(estimator, X))"
        )
    found = []
    n_classes = max(2, len(own.bias))
    for r in range(n_classes):
        if r == k:
            continue
        margin = own.margin(k, r)
        sign = np.zeros(len(own.bias), dtype=np.int64)
        if len(sign) == 1:
            sign[0] = 1 if k else -1
        else:
            sign[k], sign[r] = 1, -1
        lead = _Lead(rule, lines)
        lead.bias = max(part.lead, int((k > r) != own.later_wins)) - int(sign @ own.bias)
        more = own.scale - _additive(first).scale  # in its own units
        for i, j in enumerate(own.numbers):
            f = reading.feature[j]
            place = lines.index(f)
            square, slope = (
                Dyadic(-margin.sign * n.digits, n.exponent + more) for n in (margin.curve[i], margin.slope[i])
            )
            lead.curve[place], lead.slope[place] = square, slope
            away = part.shifts.get(f)
            if away:
                if square.digits:
                    raise OptionError(
                        f"width: {features[f]!r} is squared in the model, so that the worst number within the width "
                        "depends on where it is; leave it out, or bin the column (KBinsDiscretizer)"
                    )
                unit = Fraction(2) ** own.scale
                worst = math.ceil(abs(margin.slope[i].fraction) * unit * away)
                lead.bias += worst
                lead.missing[f] = -worst
            if j in own.missing:
                lead.missing[f] = lead.missing.get(f, 0) - int(sign @ own.missing[j])
        for j, table in enumerate(own.tables):
            if table is None:
                continue
            f = reading.feature[j]
            if rule.cells[f] is not None:
                raise ModelError(
                    f"{features[f]!r} is a number to one model and has values to another that also adds up numbers; "
                    "give both the same columns"
                )
            lead.tables[f] = lead.tables[f] - (sign @ table)[list(reading.codes[j])]
        found.append(lead)
    return found


class GuardedSums(NumberSums):
    """Sums over numbers, and trees over cells of the same columns: class 0 needs both."""

    def __init__(self, sums: AdditiveRule, features: Sequence[str], guard: TreeRule, rule: JointRule) -> None:
        super().__init__(sums, len(sums.bias), features)
        self._guard, self._joint = guard, rule
        #: By feature that is a line, the cells that the trees tell apart.
        self.cells = rule.cells

    @cached_property
    def ensemble(self) -> _core.Ensemble:
        """The trees."""
        return TreeDecision(self._guard, self._guard.trees[0].score.shape[1]).ensemble

    @property
    def value_offset(self) -> npt.NDArray[np.uint32]:
        """Where the cells of each feature start."""
        return self._guard.value_offset

    def _guarded(self, found: npt.NDArray[np.uint8], codes: Codes) -> npt.NDArray[np.uint8]:
        cells = _cells(self._joint, np.asarray(codes)).astype(np.uint32)
        fails = _core.decide(self.ensemble, cells) != 0
        return np.where(fails & (found == 0), self.n_classes - 1, found).astype(np.uint8)
