"""Proofs by partition: all rows that the question allows are split into boxes, and each box has a reason of its own.

A box has for each feature the values that it may have: the row's own one, labels, and ranges of numbers. A step of the
proof splits the box at hand in two, the first of which comes next, or says why no row of it is missing:

    [j, "own"]    a split: feature j keeps its value, or it changes
    [j, x]        a split: numbers below x; numbers from x on, and labels
    [j, [...]]    a split: these labels; all other values
    null          all rows of the box cost at least the bound, or have too many changes
    [i]           all rows of the box change what set i of the answer changes (and move at least as far)
    m             no row of the box obeys the relations, reaches the goal and costs less than the bound, by the
                  multiplier m: each term of the rule has a largest value minus m times a share of what its features
                  cost, and all these together are too little. With 0, costs do not matter.

The last one is a Lagrangian bound. What a feature costs is shared equally among the terms that it is in. Each share is
rounded down and each row pays all shares of one term's leaf at most once, so a row that costs less than the bound C
keeps more than its sum minus m C.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from symcf.proof.checker.domains import MISSING, Interval, is_number, label_of, number, number_of_code
from symcf.proof.checker.form import Rejected, bits, integer, items, words
from symcf.proof.checker.linear import least
from symcf.proof.checker.reach import best_codes
from symcf.proof.checker.relations import Formula
from symcf.proof.checker.rules import Additive, Compared, Condition, Diagrams, Numbers
from symcf.proof.checker.statement import Statement
from symcf.proof.checker.trees import Leaf, Trees

__all__ = ["Box", "Part", "Partition", "check_partition"]

#: Costs are counted in units of 2 to the power of minus this, rounded down.
FINE = 32


@dataclass(frozen=True)
class Part:
    """What one feature may be."""

    #: May it keep its value?
    own: bool
    #: Labels that it may become, as a mask of codes.
    labels: int
    #: Numbers that it may become lie between these, and in these ranges.
    ends: Interval
    spans: tuple[Interval, ...]

    @property
    def empty(self) -> bool:
        """Is there no value left?"""
        return not (self.own or self.labels or self.spans)


#: By feature.
Box = tuple[Part, ...]


def check_partition(statement: Statement, steps: Any) -> bool:
    """`Rejected` unless each step of a proof is right, and no box is left. Has it used the listed sets?"""
    return Partition(statement).check(items(steps, "steps", lambda step, _: step))


class Partition:
    """Boxes of one statement, and what can be said of them."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        #: What rows may cost less than, in fine units; None: costs do not matter.
        self.bound = None if statement.least is None else math.ceil(statement.least * (1 << FINE))
        self._prices: dict[tuple[int, Part], _Prices] = {}
        self._kept = 0
        if any(cost < 0 for costs in statement.costs if isinstance(costs, list) for cost in costs):
            raise Rejected("form", "a proof by boxes is for costs of at least 0")
        rule = statement.rule
        self.goals: list[_Goal] = []
        if isinstance(rule, Compared):
            parts = _parts(statement)
            for conditions in rule.alternatives(statement.decision, statement.target):
                self.goals += [_Goal(statement, conditions, parts)]

    # --- the proof

    def check(self, steps: Sequence[Any]) -> bool:
        """See `check_partition`."""
        waiting, used = [self.whole()], False
        for at, step in enumerate(steps):
            if not waiting:
                raise Rejected("complete", f"step {at} of the proof has no box left")
            box = waiting.pop()
            self._statement.effort.spend(10 + len(box) + 16 * sum(len(part.spans) for part in box))
            if isinstance(step, list) and len(step) == 2:
                first, second = self.split(box, step)
                waiting += [second, first]
                if len(waiting) * len(box) > MOST_WAITING:
                    raise Rejected("effort", "too many boxes are put aside at once")
            elif not self.is_closed(box, step):
                raise Rejected("complete", f"step {at} of the proof does not follow")
            used = used or isinstance(step, list)
        if waiting:
            raise Rejected("complete", "the proof does not look at all rows")
        return used and any(isinstance(step, list) and len(step) == 1 for step in steps)

    def is_closed(self, box: Box, step: Any) -> bool:
        """Does a step that splits nothing say truly that no row of a box is missing?"""
        if step is None:
            return self.is_dear(box)
        if isinstance(step, list):
            (at,) = items(step, "a step", lambda i, where: integer(i, where, 0, len(self._statement.sets)), 1)
            return self.is_covered(box, at)
        return not self.may_reach(box, integer(step, "a step", 0))

    # --- boxes

    def whole(self) -> Box:
        """All rows that the question allows, as far as it says so of each feature alone."""
        statement = self._statement
        if statement.regions is not None:
            return tuple(Part(False, labels, _ANY, spans) for labels, spans in statement.regions)
        found = []
        for j, domain in enumerate(statement.domains):
            choices, cells = statement.choices[j], (1 << domain.n_cells) - 1
            labels = 0 if choices is None else choices & ~cells & ~(1 << statement.row[j])
            found.append(Part(True, labels, _ANY, self._spans(j, _ANY)))
        return tuple(found)

    def _spans(self, j: int, ends: Interval) -> tuple[Interval, ...]:
        """The numbers between two that feature j may become."""
        statement = self._statement
        if not statement.domains[j].has_numbers:
            return ()
        statement.effort.spend(2 + 4 * len(statement.spans[j]))
        own = statement.numbers[j]
        return tuple(span for span in statement.pieces(j, ends) if span != (own, own))

    def split(self, box: Box, step: Sequence[Any]) -> tuple[Box, Box]:
        """The two halves of a box."""
        statement = self._statement
        j = integer(step[0], "a split", 0, len(box))
        part, at, own = box[j], step[1], statement.numbers[j]
        if at == "own":
            first, second = Part(part.own, 0, part.ends, ()), replace(part, own=False)
        elif isinstance(at, list):
            listed = 0
            statement.effort.spend((1 + len(at)) * words(part.labels.bit_length()))
            for label in items(at, "a split", label_of):
                if statement.domains[j].line is not None or (statement.domains[j].has_numbers and is_number(label)):
                    raise Rejected("form", "a split by labels lists labels")
                listed |= 1 << statement.domains[j].code_of(label, "a split")
            keeps = bool(statement.row[j] != MISSING and listed >> statement.row[j] & 1)
            first = Part(part.own and keeps, part.labels & listed, part.ends, ())
            second = Part(part.own and not keeps, part.labels & ~listed, part.ends, part.spans)
        else:
            x = number(at)
            low, high = (part.ends[0], min(part.ends[1], _before(x))), (max(part.ends[0], x), part.ends[1])
            below = own is not None and own < x
            if statement.regions is not None:
                statement.effort.spend(1024 * len(part.spans))
                spans = [_meet(part.spans, ends) for ends in (low, high)]
            else:
                spans = [self._spans(j, ends) if part.spans else () for ends in (low, high)]
            first = Part(part.own and below, 0, low, spans[0])
            second = Part(part.own and not below, part.labels, high, spans[1])
        return tuple((*box[:j], half, *box[j + 1 :]) for half in (first, second))  # type: ignore[return-value]

    def prices(self, j: int, part: Part) -> _Prices:
        """What the values of a feature cost."""
        key = (j, part)
        self._statement.effort.spend(1 + len(part.spans))
        if key not in self._prices:
            if self._kept > MOST_KEPT:
                self._prices.clear()
                self._kept = 0
            self._prices[key] = found = _Prices(self._statement, j, part)
            self._kept += 16 + len(found.of) + 2 * len(part.spans)
        return self._prices[key]

    # --- why no row of a box is missing

    def cost(self, box: Box) -> int:
        """What the rows of a box cost, at least, in fine units."""
        return sum(self.prices(j, part).least for j, part in enumerate(box) if not part.own)

    def is_dear(self, box: Box) -> bool:
        """Do all rows cost at least the bound, or have too many changes?"""
        if any(part.empty for part in box) or sum(not part.own for part in box) > self._statement.most:
            return True
        return self.bound is not None and self.cost(box) >= self.bound

    def is_covered(self, box: Box, at: int) -> bool:
        """Do all rows of a box change what a listed set changes, and move at least as far where that counts?"""
        statement = self._statement
        moves = zip(statement.sets[at], statement.values[at], statement.codes[at], strict=True)
        return all(self._is_beyond(box[j], j, value, code) for j, value, code in moves)

    def _is_beyond(self, part: Part, j: int, value: Any, code: int) -> bool:
        statement = self._statement
        if part.own or statement.moves is None:
            return not part.own
        new, own = statement.domains[j].number_of(value), statement.numbers[j]
        if statement.domains[j].has_numbers and new is not None:
            if part.labels:
                return False
            if j not in statement.moves or own is None:
                return all(span == (new, new) for span in part.spans)
            return all(new <= low if new > own else high <= new for low, high in part.spans)
        if part.spans:
            return False
        return all(statement.is_between(j, code, other) for other in bits(part.labels))

    def may_reach(self, box: Box, multiplier: int) -> bool:
        """A bound: False if no row obeys the relations, reaches the goal and costs less than the bound."""
        statement = self._statement
        if any(part.empty for part in box) or any(self._truth(one, box) is False for one in statement.relations):
            return False
        bound = self.bound
        if multiplier and bound is None:
            raise Rejected("form", "a multiplier needs a bound of the costs")
        masks = [self.prices(j, part).mask for j, part in enumerate(box)]
        if isinstance(statement.rule, Diagrams):
            return self._walk(box, masks)
        return any(goal.may_reach(self, box, masks, multiplier, bound or 0) for goal in self.goals)

    def _walk(self, box: Box, masks: Sequence[int]) -> bool:
        """The same in a diagram: the cheapest way to the goal."""
        statement = self._statement
        rule = statement.rule
        assert isinstance(rule, Diagrams)
        nodes, root, sink = rule.goal(statement.decision, statement.target)
        statement.effort.spend(sum(4 + 2 * len(children) for _, children in nodes))
        counts = self.bound is not None
        here: dict[int, int] = {root: self.cost(box) if counts else 0}
        for node in range(root, 1, -1):
            if node not in here:
                continue
            feature, children = nodes[node - 2]
            prices, part = self.prices(feature, box[feature]), box[feature]
            free = 0 if part.own or not counts else prices.least
            for code in bits(masks[feature]):
                paid = here[node] + (prices.of[code] - free if counts else 0)
                child = children[code]
                if child not in here or paid < here[child]:
                    here[child] = paid
        return sink in here and (self.bound is None or here[sink] < self.bound)

    # --- relations

    def _truth(self, formula: Formula, box: Box) -> bool | None:
        """Does a formula hold in all of a box (True), in no row of it (False), or is it not clear (None)?"""
        self._statement.effort.spend(10 + (len(formula[1]) if formula[0] in ("and", "or", "row", "count") else 0))
        match formula[0]:
            case "and" | "or":
                found = [self._truth(part, box) for part in formula[1]]
                decided = formula[0] == "or"
                return decided if decided in found else None if None in found else not decided
            case "not":
                inner = self._truth(formula[1], box)
                return None if inner is None else not inner
            case "is":
                return self._is(box[formula[1]], formula[1], formula[2])
            case "count":
                never = sum(not box[j].own for j in formula[1])
                maybe = sum(bool(box[j].labels or box[j].spans) for j in formula[1])
                return True if maybe <= formula[2] else False if never > formula[2] else None
            case "likely":
                low, high = (sum(ends) for ends in zip(*self._likely(formula, box), strict=True))
                return True if low >= formula[4] else False if high < formula[4] else None
        return self._compared(formula, box)

    def _is(self, part: Part, j: int, codes: frozenset[int]) -> bool | None:
        if self._statement.domains[j].line is not None:  # only whether the row's own number is missing
            missing = self._statement.row[j] == MISSING and MISSING in codes
            return missing if not part.spans else None if part.own and missing else False
        mask = self.prices(j, part).mask
        self._statement.effort.spend(len(codes))
        inside = sum(1 << code for code in codes if mask >> code & 1)
        return True if inside == mask else None if inside else False

    def _likely(self, atom: Formula, box: Box) -> Iterator[tuple[int, int]]:
        """The least and the greatest term of each feature."""
        _, cells, parents, terms, _ = atom
        own = [{cells[j][code] for code in bits(self.prices(j, part).mask)} for j, part in enumerate(box)]
        for j, p in enumerate(parents):
            lines = {0} if p is None else own[p]
            self._statement.effort.spend(1 + len(lines) * len(own[j]))
            found = [terms[j][line][cell] for line in lines for cell in own[j]]
            yield min(found), max(found)

    def _compared(self, atom: Formula, box: Box) -> bool | None:
        _, terms, most, strict = atom
        intervals: dict[int, Interval] = {}
        for j, _ in terms:
            ends = [end for span in self._numbers(j, box[j]) for end in span]
            if not ends:
                return None
            intervals[j] = (min(ends), max(ends))
        low = least((terms, most, strict), intervals)
        high = least((tuple((j, -c) for j, c in terms), -most, not strict), intervals)
        if low is not None and (low > most or (low == most and strict)):
            return False
        return True if high is not None and (-high < most or (-high == most and not strict)) else None

    def _numbers(self, j: int, part: Part) -> Iterator[Interval]:
        """The numbers that a feature may have; a row in which it has none obeys all comparisons, by another atom."""
        statement = self._statement
        own = statement.numbers[j]
        statement.effort.spend(1 + 4 * len(part.spans))
        if part.own and own is not None:
            yield own, own
        yield from part.spans
        if statement.domains[j].cuts is None:
            for code in bits(part.labels):
                if interval := statement.domains[j].interval(code):
                    yield interval


#: Prices of values that are kept for the next boxes.
MOST_KEPT = 1 << 17

#: Parts of boxes that are put aside at once: they take memory, and a proof that a search makes has few.
MOST_WAITING = 1 << 22

_ANY: Interval = (-math.inf, math.inf)


def _before(x: float) -> float:
    return math.nextafter(x, -math.inf)


def _meet(spans: Sequence[Interval], ends: Interval) -> tuple[Interval, ...]:
    found = ((max(low, ends[0]), min(high, ends[1])) for low, high in spans)
    return tuple((low, high) for low, high in found if low <= high)


class _Prices:
    """What the values of a feature in a box cost, in fine units, rounded down."""

    def __init__(self, statement: Statement, j: int, part: Part) -> None:
        domain, own = statement.domains[j], statement.row[j]
        self._statement, self._j = statement, j
        #: By code, the least that it costs to have it.
        self.of: dict[int, int] = {}
        #: By range of a line, the same.
        self.of_spans: list[int] = []
        statement.effort.spend(20 + 10 * len(part.spans))
        for code in bits(part.labels):
            statement.effort.spend(10)
            self.of[code] = self._label(code)
        for span in part.spans:
            paid = self.distance(span)
            if domain.line is not None:
                self.of_spans.append(paid if paid is not None else self._label(0))
                continue
            first, last = (domain.code_of(_finite(end), "a number") for end in span)
            for code in range(first, last + 1):
                statement.effort.spend(10)
                cell = domain.interval(code)
                assert cell is not None
                inside = (max(cell[0], span[0]), min(cell[1], span[1]))
                dear = self.distance(inside) if paid is not None else self._label(code)
                assert dear is not None
                self.of[code] = min(dear, self.of.get(code, dear))
        found = [*self.of.values(), *self.of_spans]
        #: What a change costs at least.
        self.least = min(found, default=0)
        if part.own and domain.line is None:
            self.of[own] = 0
        #: The codes that are possible; 0 for lines.
        self.mask = sum(1 << code for code in self.of)

    def _label(self, code: int) -> int:
        cost = self._statement.costs[self._j]
        if isinstance(cost, tuple):
            return cost[1] << FINE
        return (cost if isinstance(cost, int) else cost[code]) << FINE

    def distance(self, span: Interval) -> int | None:
        """The least that a number of a range costs; None where that is no distance."""
        cost, own = self._statement.costs[self._j], self._statement.numbers[self._j]
        if not isinstance(cost, tuple):
            return None
        if own is None:
            return cost[1] << FINE
        near = min(max(own, span[0]), span[1])
        return math.floor(abs(Fraction(near) - Fraction(own)) * cost[0] * (1 << FINE))


def _finite(end: float) -> float:
    return math.copysign(1.7976931348623157e308, end) if math.isinf(end) else end


def _parts(statement: Statement) -> list[list[Leaf]]:
    """The terms of a rule, as leaves: trees, or the values of one feature; not lines."""
    rule = statement.rule
    if isinstance(rule, Trees):
        return rule.trees
    assert isinstance(rule, Additive)
    found = []
    for j, size in enumerate(rule.n_values):
        if size is not None:
            statement.effort.spend(16 * size * words(size))
            found.append([Leaf(rule.term(j, code), ((j, 1 << code),)) for code in range(size)])
    return found


class _Goal:
    """Conditions that have to hold at once."""

    def __init__(self, statement: Statement, conditions: Sequence[Condition], parts: Sequence[Sequence[Leaf]]) -> None:
        rule = statement.rule
        self._statement, self._conditions = statement, conditions
        bias = [sum(s * rule.bias[k] for k, s in c.signs) if isinstance(rule, Additive) else 0 for c in conditions]
        self._base = [b - max(c.bound, statement.doubt) for b, c in zip(bias, conditions, strict=True)]
        #: By part its leaves: the score by condition, and the box.
        self._parts = [
            [(tuple(sum(s * leaf.scores[k] for k, s in c.signs) for c in conditions), leaf.box) for leaf in part]
            for part in parts
        ]
        self._lines = [j for j, size in enumerate(statement.n_values) if size is None]
        #: By feature, how many parts it is in.
        self._shares = [1] * statement.n
        for j in range(statement.n):
            self._shares[j] = max(1, sum(any(j == i for _, box in part for i, _ in box) for part in parts))
        self._size = sum(1 + len(conditions) + 2 * len(box) for part in self._parts for _, box in part)

    def may_reach(self, partition: Partition, box: Box, masks: Sequence[int], multiplier: int, bound: int) -> bool:
        """May all conditions hold in a row of the box that costs less than the bound?"""
        allowance = multiplier * bound
        return all(
            total >= 0 if not multiplier else total > -allowance
            for total in self.totals(partition, box, masks, multiplier)
        )

    def totals(
        self, partition: Partition, box: Box, masks: Sequence[int], multiplier: int, best_of: list[Any] | None = None
    ) -> list[int]:
        """By condition, the most that its sum comes to, less the multiplier times costs; in fine units. The boxes of
        the leaves that are best for the first condition are added to a list, if there is one.
        """
        self._statement.effort.spend(self._size * (1 + 2 * bool(multiplier)))
        totals = [base << FINE for base in self._base]
        paid: dict[tuple[int, int], int] = {}
        for part in self._parts:
            best: list[int] | None = None
            picked: Any = None
            for scores, tests in part:
                fee = 0
                for j, mask in tests:
                    here = mask & masks[j]
                    if not here:
                        break
                    if multiplier:
                        if (j, here) not in paid:
                            paid[j, here] = self._fee(partition, j, box[j], here, multiplier)
                        fee += paid[j, here]
                else:
                    worth = [(score << FINE) - fee for score in scores]
                    picked = tests if best is None or worth[0] > best[0] else picked
                    best = worth if best is None else list(map(max, best, worth))
            assert best is not None
            if best_of is not None:
                best_of.append(picked)
            totals = [total + more for total, more in zip(totals, best, strict=True)]
        for j in self._lines:
            most = (self._most(partition, j, box[j], condition, multiplier) for condition in self._conditions)
            totals = [total + more for total, more in zip(totals, most, strict=True)]
        return totals

    def _fee(self, partition: Partition, j: int, part: Part, mask: int, multiplier: int) -> int:
        """The share of the cost of having one of some codes."""
        prices = partition.prices(j, part)
        self._statement.effort.spend(words(mask.bit_length()) * 4)
        if part.own and mask >> self._statement.row[j] & 1:
            return 0
        return multiplier * max(0, min(prices.of[code] for code in bits(mask))) // self._shares[j]

    def _most(self, partition: Partition, j: int, part: Part, condition: Condition, multiplier: int) -> int:
        """The most that a line adds, less what its change costs. Numbers are rounded: two units more, at most."""
        rule, own = self._statement.rule, self._statement.numbers[j]
        assert isinstance(rule, Numbers)
        found = [rule.margin(j, self._statement.row[j], condition) << FINE] if part.own else []
        prices = partition.prices(j, part)
        self._statement.effort.spend(20 * len(part.spans))
        for span, price in zip(part.spans, prices.of_spans, strict=True):
            codes = list(best_codes(rule, j, span, condition))
            margins = [rule.margin(j, code, condition) for code in codes]
            if not multiplier:
                found.append(max(margins) << FINE)
            elif rule.polynomial(j, condition)[0] or partition.prices(j, part).distance(span) is None:
                found.append((max(margins) + 2 << FINE) - multiplier * price)
            else:
                ends = list(zip(margins, (number_of_code(code) for code in codes), strict=True))
                if own is not None and span[0] < own < span[1]:
                    ends.append((rule.margin(j, self._statement.row[j], condition), own))
                paid = [(margin, prices.distance((x, x)) or 0) for margin, x in ends]
                found.append(max((margin + 2 << FINE) - multiplier * price for margin, price in paid))
        return max(found)
