"""May the decision flip if only these features change? The one question that all checks ask.

Sets of features are integers, bit j for feature j. An answer "no" is proved: by sums of the most that each feature
gains, by a walk over a diagram with all sets at once, or by a search in boxes of values with bounds, which also serves
trees and relations between features.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice

from symcf.proof.checker.domains import Interval, code_of_number
from symcf.proof.checker.form import bits, words
from symcf.proof.checker.hitting import transposed
from symcf.proof.checker.rules import Additive, Condition, Diagrams, Numbers
from symcf.proof.checker.statement import Statement

__all__ = ["TOGETHER", "Gains", "Reach", "Walk", "best_codes"]

#: Sets that walk through a diagram together.
TOGETHER = 1 << 12


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


def _gain(statement: Statement, j: int, condition: Condition) -> int:
    """The most that feature j adds to the sum of a condition when it changes; 0 if it can only take away."""
    rule = statement.rule
    assert isinstance(rule, Additive)
    statement.effort.spend(1 if statement.choices[j] is None else (statement.n_values[j] or 0))
    own = rule.margin(j, statement.row[j], condition)
    return max([0, *(rule.margin(j, code, condition) - own for code in _stops(statement, j, condition))])


def _stops(statement: Statement, j: int, condition: Condition) -> Iterator[int]:
    """What feature j may become: all its values, or the numbers among which the best one for this condition is."""
    rule, choices = statement.rule, statement.choices[j]
    if choices is not None:
        yield from bits(choices)
    else:
        assert isinstance(rule, Numbers)
        for span in statement.spans[j]:
            yield from best_codes(rule, j, span, condition)


def best_codes(rule: Numbers, j: int, span: Interval, condition: Condition) -> Iterator[int]:
    """The codes of numbers of a line, from one end to the other, where a condition has its extremes."""
    low, high = code_of_number(span[0]), code_of_number(span[1])
    for code in (low, high, *map(code_of_number, rule.apexes(j, condition))):
        yield min(max(code, low), high)


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
