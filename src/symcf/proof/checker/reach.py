"""May the decision flip if only these features change? The one question that all checks ask.

Sets of features are integers, bit j for feature j. An answer "no" is proved: by sums of the most that each feature
gains, by a walk over a diagram with all sets at once, or by a search in boxes of values with bounds, which also serves
trees and relations between features.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from symcf.proof.checker.form import Effort, bits, words
from symcf.proof.checker.hitting import transposed
from symcf.proof.checker.rules import Additive, Compared, Condition, Diagrams, Numbers, code_of_number
from symcf.proof.checker.statement import Formula, Statement
from symcf.proof.checker.trees import Leaf, Trees

__all__ = ["TOGETHER", "Gains", "Reach", "holds", "reach_of"]

#: Sets that walk through a diagram together.
TOGETHER = 1 << 12

#: Steps that 4,096 bits of a value's mask count for: there must be room for all of them.
KEPT = 1024

#: By feature, a mask of values.
Box = list[int]


class Reach(ABC):
    """Answers for one statement."""

    @abstractmethod
    def flips(self, features: int) -> bool:
        """May the decision flip if these features change, and no others?"""

    def many(self, sets: Sequence[int]) -> list[bool]:
        """The same for many sets."""
        return [self.flips(features) for features in sets]

    def shrinks(self, sets: Sequence[int]) -> bool:
        """May the decision flip if all features of one of these sets change but one?"""
        return any(any(self.many([features ^ 1 << j for j in bits(features)])) for features in sets)


def reach_of(statement: Statement) -> Reach:
    """Who answers for this statement."""
    rule = statement.rule
    if isinstance(rule, Diagrams):
        return BoxReach(statement) if statement.relations else Walk(statement)
    assert isinstance(rule, Compared)
    alone = all(len(conditions) == 1 for conditions in rule.alternatives(statement.decision, statement.target))
    if isinstance(rule, Additive) and alone and not statement.relations:
        return Gains(statement)
    return BoxReach(statement)


# --- sums -------------------------------------------------------------------------------------------------------------


class Gains(Reach):
    """One of some sums has to gain what it lacks, and each feature gains what it can, whatever the others do."""

    def __init__(self, statement: Statement) -> None:
        rule = statement.rule
        assert isinstance(rule, Additive)
        self._effort = statement.effort
        #: By sum that may flip the decision: what each feature gains at most, and what they have to gain together.
        self.alternatives: list[tuple[list[int], int]] = []
        for (condition,) in rule.alternatives(statement.decision, statement.target):
            gains = [_gain(statement, j, condition) for j in range(statement.n)]
            lacks = max(condition.bound, statement.doubt) - rule.reached(statement.row, condition)
            self.alternatives.append((gains, lacks))

    def flips(self, features: int) -> bool:
        """See `Reach`."""
        self._effort.spend(features.bit_count() * (len(self.alternatives) + 8 * words(features.bit_length())))
        changing = list(bits(features))
        return any(sum(gains[j] for j in changing) >= lacks for gains, lacks in self.alternatives)

    def shrinks(self, sets: Sequence[int]) -> bool:
        """See `Reach`. The one to leave out is the one that gains least."""
        for features in sets:
            self._effort.spend(features.bit_count() * (len(self.alternatives) + 8 * words(features.bit_length())))
            changing = list(bits(features))
            for gains, lacks in self.alternatives:
                own = [gains[j] for j in changing]
                if sum(own) - min(own) >= lacks:
                    return True
        return False


def _signed(condition: Condition, sums: Sequence[int]) -> int:
    return sum(sign * sums[k] for k, sign in condition.signs)


def _gain(statement: Statement, j: int, condition: Condition) -> int:
    """The most that feature j adds to the sum of a condition when it changes; 0 if it can only take away."""
    rule = statement.rule
    assert isinstance(rule, Additive)
    statement.effort.spend(1 if statement.choices[j] is None else (statement.n_values[j] or 0))
    own = rule.margin(j, statement.row[j], condition)
    return max([0, *(rule.margin(j, code, condition) - own for code in _stops(statement, j, condition))])


def _stops(statement: Statement, j: int, condition: Condition) -> Iterator[int]:
    """What feature j may become: all its values, or the numbers among which the best one for this condition is."""
    rule, choices, span = statement.rule, statement.choices[j], statement.spans[j]
    if choices is not None:
        yield from bits(choices)
    elif span is not None and span.low <= span.high:
        assert isinstance(rule, Numbers)
        for code in (span.low, span.high, *map(code_of_number, rule.apexes(j, condition))):
            yield min(max(code, span.low), span.high)


# --- diagrams ---------------------------------------------------------------------------------------------------------


class Walk(Reach):
    """All sets walk through the diagram at once: a mask of sets at each node."""

    def __init__(self, statement: Statement) -> None:
        rule = statement.rule
        assert isinstance(rule, Diagrams)
        self._statement = statement
        self._nodes, self._root, self._sink = rule.goal(statement.decision, statement.target)
        self._edges = sum(len(children) * words(len(children)) for _, children in self._nodes)

    def flips(self, features: int) -> bool:
        """See `Reach`."""
        return self.many([features])[0]

    def shrinks(self, sets: Sequence[int]) -> bool:
        """See `Reach`. Many walk together."""
        parts = (features ^ 1 << j for features in sets for j in bits(features))
        while some := list(islice(parts, TOGETHER)):
            if any(self._some(some)):
                return True
        return False

    def many(self, sets: Sequence[int]) -> list[bool]:
        """See `Reach`."""
        return [flips for at in range(0, len(sets), TOGETHER) for flips in self._some(sets[at : at + TOGETHER])]

    def _some(self, sets: Sequence[int]) -> list[bool]:
        self._statement.effort.spend(self._edges * words(len(sets)))
        everyone = (1 << len(sets)) - 1
        changing = transposed(sets, self._statement.n, self._statement.effort)
        here = [0] * (len(self._nodes) + 2)
        here[self._root] = everyone
        for number in range(self._root, 1, -1):
            feature, children = self._nodes[number - 2]
            choices, own = self._statement.choices[feature], self._statement.row[feature]
            assert choices is not None
            moving = here[number] & changing[feature]
            for code, child in enumerate(children):
                if code == own:
                    here[child] |= here[number]
                elif choices >> code & 1:
                    here[child] |= moving
        arrived = here[self._sink]
        text = format(arrived, f"0{max(len(sets), 1)}b")[::-1]
        return [letter == "1" for letter in text[: len(sets)]]


# --- boxes ------------------------------------------------------------------------------------------------------------


class BoxReach(Reach):
    """Looks into boxes of values: by relations, until they hold or fail in all of the box; then by the rule."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._related = sorted({j for formula in statement.relations for j in _mentioned(formula)})
        rule = statement.rule
        self._alternatives: list[_Alternative] = []
        if isinstance(rule, Compared):
            parts, base = _parts(rule)
            goals = rule.alternatives(statement.decision, statement.target)
            self._alternatives = [_Alternative(c, parts, base, isinstance(rule, Additive)) for c in goals]

    def flips(self, features: int) -> bool:
        """See `Reach`."""
        statement = self._statement
        box = []
        for j, (choices, own) in enumerate(zip(statement.choices, statement.row, strict=True)):
            assert choices is not None
            box.append(choices if features >> j & 1 else 1 << own)
        waiting: list[Iterator[Box]] = [iter([box])]
        while waiting:
            some = next(waiting[-1], None)
            if some is None:
                waiting.pop()
                continue
            self._look(len(some))
            truth = holds(statement.relations, some, statement.effort)
            if truth and self._reaches(some):
                return True
            if truth is None and self._may_reach(some):
                waiting.append(self._parted(some))
        return False

    def _parted(self, box: Box) -> Iterator[Box]:
        """A box for each value of a feature that relations mention and that has several."""
        j = next(j for j in self._related if box[j] & (box[j] - 1))
        self._look(box[j].bit_length())
        for code in bits(box[j]):
            yield [*box[:j], 1 << code, *box[j + 1 :]]

    def _look(self, units: int) -> None:
        self._statement.effort.spend(10 + units)

    def _may_reach(self, box: Box) -> bool:
        """A bound: False if no row of the box reaches the goal."""
        if self._alternatives:
            self._look(sum(alternative.whole for alternative in self._alternatives))
            return any(alternative.bound(alternative.within(box)) for alternative in self._alternatives)
        return self._walks(box)

    def _reaches(self, box: Box) -> bool:
        """Does a row of the box reach the goal?"""
        if not self._alternatives:
            return self._walks(box)
        return any(self._search(alternative, box) for alternative in self._alternatives)

    def _walks(self, box: Box) -> bool:
        rule = self._statement.rule
        assert isinstance(rule, Diagrams)
        nodes, root, sink = rule.goal(self._statement.decision, self._statement.target)
        self._look(sum(len(children) * words(len(children)) for _, children in nodes))
        here = {root}
        for number in range(root, 1, -1):
            if number in here:
                feature, children = nodes[number - 2]
                here.update(children[code] for code in bits(box[feature]))
        return sink in here

    def _search(self, alternative: _Alternative, box: Box) -> bool:
        """Branches over the leaves of the part with the widest span, the best leaf first."""
        self._look(alternative.whole)
        waiting = [iter([(box, alternative.within(box))])]
        while waiting:
            some = next(waiting[-1], None)
            if some is None:
                waiting.pop()
                continue
            if not alternative.bound(some[1]):
                continue
            if alternative.exact or alternative.is_met(some[1]):
                return True
            waiting.append(self._branched(alternative, *some))
        return False

    def _branched(
        self, alternative: _Alternative, box: Box, parts: Sequence[Sequence[Leaf]]
    ) -> Iterator[tuple[Box, list[list[Leaf]]]]:
        size = alternative.size(parts)
        self._look(size)
        for leaf in reversed(alternative.widest(parts)):
            self._look(len(box) + size)
            inside = list(box)
            for j, mask in leaf.box:
                inside[j] &= mask
            yield inside, [_compatible(part, inside) for part in parts]


class _Alternative:
    """Conditions that have to hold at once, of parts that add leaf scores: trees, or the values of one feature."""

    def __init__(
        self, conditions: Sequence[Condition], parts: Sequence[Sequence[Leaf]], base: Sequence[int], independent: bool
    ) -> None:
        #: Is the bound reached by a row? Each part has a feature of its own, and there is one condition.
        self.exact = independent and len(conditions) == 1
        self._base = [_signed(condition, base) - condition.bound for condition in conditions]
        self._parts = [
            [Leaf(tuple(_signed(c, leaf.scores) for c in conditions), leaf.box) for leaf in part] for part in parts
        ]

        #: The steps that it takes to look at all leaves.
        self.whole = self.size(self._parts)

    def size(self, parts: Sequence[Sequence[Leaf]]) -> int:
        """The steps that it takes to look at these leaves."""
        return sum(
            1 + sum(words(mask.bit_length()) for _, mask in leaf.box) + 2 * len(self._base)
            for part in parts
            for leaf in part
        )

    def within(self, box: Box) -> list[list[Leaf]]:
        """The leaves that rows of the box reach."""
        return [_compatible(part, box) for part in self._parts]

    def bound(self, parts: Sequence[Sequence[Leaf]]) -> bool:
        """May all conditions hold?"""
        return all(
            base + sum(max(leaf.scores[i] for leaf in part) for part in parts) >= 0 for i, base in enumerate(self._base)
        )

    def is_met(self, parts: Sequence[Sequence[Leaf]]) -> bool:
        """Do all conditions hold, whatever the row?"""
        return all(
            base + sum(min(leaf.scores[i] for leaf in part) for part in parts) >= 0 for i, base in enumerate(self._base)
        )

    def widest(self, parts: Sequence[Sequence[Leaf]]) -> list[Leaf]:
        """The leaves of the part that makes the largest difference to a condition that may fail, the best last."""
        open_ = [
            i
            for i, base in enumerate(self._base)
            if base + sum(min(leaf.scores[i] for leaf in part) for part in parts) < 0
        ]

        def span(part: Iterable[Leaf]) -> int:
            columns: list[tuple[int, ...]] = list(zip(*(leaf.scores for leaf in part), strict=True))
            return max(max(columns[i]) - min(columns[i]) for i in open_)

        return sorted(max(parts, key=span), key=lambda leaf: sum(leaf.scores[i] for i in open_))


def _compatible(part: Sequence[Leaf], box: Box) -> list[Leaf]:
    return [leaf for leaf in part if all(box[j] & mask for j, mask in leaf.box)]


def _parts(rule: Compared) -> tuple[list[list[Leaf]], list[int]]:
    if isinstance(rule, Trees):
        return rule.trees, [0] * rule.n_sums
    assert isinstance(rule, Additive)
    parts = []
    for j, size in enumerate(rule.n_values):
        assert size is not None
        rule.effort.spend(KEPT * size * words(size))
        parts.append([Leaf(rule.term(j, code), ((j, 1 << code),)) for code in range(size)])
    return parts, rule.bias


# --- relations --------------------------------------------------------------------------------------------------------


def holds(relations: Sequence[Formula], box: Box, effort: Effort) -> bool | None:
    """Do all relations hold in all of the box (True), does one fail in all of it (False), or is it open (None)?"""
    return _truth(("and", tuple(relations)), box, effort)


def _truth(formula: Formula, box: Box, effort: Effort) -> bool | None:
    if formula[0] == "is":
        effort.spend(words(formula[2].bit_length()))
        inside = box[formula[1]] & formula[2]
        return True if inside == box[formula[1]] else None if inside else False
    effort.spend(2 + 2 * len(formula[1]))
    found = [_truth(part, box, effort) for part in formula[1]]
    if formula[0] == "and":
        return False if False in found else None if None in found else True
    return True if True in found else None if None in found else False


def _mentioned(formula: Formula) -> Iterator[int]:
    if formula[0] == "is":
        yield formula[1]
    else:
        for part in formula[1]:
            yield from _mentioned(part)
