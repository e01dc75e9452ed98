"""May the decision flip within relations, or where several sums have to be reached at once? A search in boxes.

A box has, for each feature, a set of *pieces*: a label, a cell of numbers, the row's own number, a range of a line. The
search branches until the relations hold in all of a box, as far as they are about labels; comparisons of numbers are
assumed one by one, as linear rows that must have a common solution with the ranges of the box. Then it branches over
the leaves of trees, or over labels, until a bound of the sums decides. "No" is proved; "yes" may be wrong by rounding
and where numbers are whole, which can only lead to a certificate being rejected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from symcf.proof.checker.domains import Interval
from symcf.proof.checker.form import bits, words
from symcf.proof.checker.linear import Row, is_feasible, least
from symcf.proof.checker.reach import Gains, Reach, Walk, best_codes
from symcf.proof.checker.relations import Formula
from symcf.proof.checker.rules import Additive, Compared, Condition, Diagrams, Numbers
from symcf.proof.checker.statement import Statement
from symcf.proof.checker.trees import Leaf, Trees

__all__ = ["reach_of"]

#: Steps that 4,096 bits of a value's mask count for: there must be room for all of them.
KEPT = 1024

#: By feature, a mask of pieces.
Box = list[int]

#: Linear rows that are assumed, each with its truth.
Assumed = dict[Formula, bool]


def reach_of(statement: Statement) -> Reach:
    """Who answers for this statement. Relations, and sums that have to hold at once, need boxes."""
    rule = statement.rule
    if not statement.relations:
        if isinstance(rule, Diagrams):
            return Walk(statement)
        assert isinstance(rule, Compared)
        goals = rule.alternatives(statement.decision, statement.target)
        if isinstance(rule, Additive) and all(len(conditions) == 1 for conditions in goals):
            return Gains(statement)
    return BoxReach(statement)


class Piece(NamedTuple):
    """A part of a feature's values. Those of a code come at its place, the row's own number for its own code; further
    pieces of cells, and those of lines, come after.
    """

    code: int | None
    numbers: Interval | None


class BoxReach(Reach):
    """See above."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._formula: Formula = ("and", tuple(statement.relations))
        self._measured = {j for row in _atoms(self._formula, "row") for j, _ in row[1]}
        counted = {j for atom in _atoms(self._formula, "count") for j in atom[1]}
        #: By feature: its pieces, the mask of those that it may take, and that of the row itself.
        self._pieces: list[list[Piece]] = []
        self._may: list[int] = []
        self._own: list[int] = []
        for j in range(statement.n):
            self._cut(j, j in self._measured or j in counted)
        self._hulls: dict[tuple[int, int], Interval | None] = {}
        rule = statement.rule
        self._alternatives: list[_Alternative] = []
        if isinstance(rule, Compared):
            parts = self._parts(rule)
            for conditions in rule.alternatives(statement.decision, statement.target):
                self._alternatives.append(_Alternative(conditions, parts, statement, self._pieces))

    def _cut(self, j: int, finely: bool) -> None:
        """Makes the pieces of a feature."""
        statement = self._statement
        own, domain, choices = statement.row[j], statement.domains[j], statement.choices[j]
        number = statement.numbers[j]
        point = None if number is None else (number, number)
        if choices is None:
            ranges = statement.spans[j]
            pieces = [Piece(own, point), *(Piece(None, span) for span in ranges)]
            own, may = 0, (1 << len(pieces)) - 1
        else:
            pieces, may = [], choices
            for code in range(domain.size or 0):
                statement.effort.spend(2)
                cell = domain.interval(code) if finely else None
                inside = statement.pieces(j, cell) if cell and domain.has_numbers and choices >> code & 1 else []
                pieces.append(Piece(code, point if code == own else inside[0] if inside else cell))
            for code in bits(choices) if finely and domain.has_numbers else ():
                cell = domain.interval(code)
                further = statement.pieces(j, cell)[0 if code == own else 1 :] if cell else []
                may |= ((1 << len(further)) - 1) << len(pieces)
                pieces += [Piece(code, inside) for inside in further]
        self._pieces.append(pieces)
        self._may.append(may)
        self._own.append(1 << own)

    def _parts(self, rule: Compared) -> list[list[Leaf]]:
        """Trees, or the values of one feature, as leaves over pieces."""
        if isinstance(rule, Trees):
            cells = [len(pieces) for pieces in self._pieces]
            if cells == self._statement.n_values:
                return rule.trees
            return [[Leaf(leaf.scores, self._finer(leaf.box)) for leaf in tree] for tree in rule.trees]
        assert isinstance(rule, Additive)
        parts = []
        for j, size in enumerate(rule.n_values):
            if size is None:
                continue
            rule.effort.spend(KEPT * size * words(size))
            leaves = [Leaf(rule.term(j, code), ((j, 1 << code),)) for code in range(size)]
            parts.append([Leaf(leaf.scores, self._finer(leaf.box)) for leaf in leaves])
        return parts

    def _finer(self, box: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Masks of codes as masks of pieces."""
        found = []
        for j, mask in box:
            size = self._statement.n_values[j] or 0
            further = self._pieces[j][size:]
            self._look(1 + len(further))
            extra = sum(1 << size + i for i, piece in enumerate(further) if mask >> (piece.code or 0) & 1)
            found.append((j, mask | extra))
        return tuple(found)

    def _look(self, units: int) -> None:
        self._statement.effort.spend(10 + units)

    # --- relations

    def flips(self, features: int) -> bool:
        """See `Reach`."""
        start = [
            may if features >> j & 1 else own for j, (may, own) in enumerate(zip(self._may, self._own, strict=True))
        ]
        waiting: list[tuple[Box, Assumed]] = [(start, {})]
        while waiting:
            box, assumed = waiting.pop()
            self._look(len(box))
            truth = self._truth(self._formula, box, assumed)
            if truth is False or not self._fits(box, assumed):
                continue
            if truth:
                if self._reaches(box, assumed):
                    return True
            elif self._may_reach(box):
                waiting += self._branches(self._open(self._formula, box, assumed), box, assumed)
        return False

    def _truth(self, formula: Formula, box: Box, assumed: Assumed) -> bool | None:
        """Does a formula hold in all of the box (True), in no row of it (False), or is it open (None)?"""
        self._look(len(formula[1]) if formula[0] in ("and", "or") else 1)
        match formula[0]:
            case "and" | "or":
                found = [self._truth(part, box, assumed) for part in formula[1]]
                decided = formula[0] == "or"
                return decided if decided in found else None if None in found else not decided
            case "not":
                inner = self._truth(formula[1], box, assumed)
                return None if inner is None else not inner
            case "is":
                mask = self._mask_of(formula[1], formula[2])
                inside = box[formula[1]] & mask
                return True if inside == box[formula[1]] else None if inside else False
            case "count":
                never = sum(not box[j] & self._own[j] for j in formula[1])
                maybe = sum(bool(box[j] & ~self._own[j]) for j in formula[1])
                return True if maybe <= formula[2] else False if never > formula[2] else None
            case "likely":
                low, high = (sum(ends) for ends in zip(*self._likely(formula, box)[1], strict=True))
                return True if low >= formula[4] else False if high < formula[4] else None
        return assumed[formula] if formula in assumed else self._compared(formula, box)

    def _likely(self, atom: Formula, box: Box) -> tuple[list[set[int]], list[tuple[int, int]]]:
        """By feature, the cells in a box; and the least and the greatest of its term."""
        _, cells, parents, terms, _ = atom
        own: list[set[int]] = []
        for j, mask in enumerate(box):
            self._look(mask.bit_length())
            own.append({cells[j][self._pieces[j][i].code or 0] for i in bits(mask)})
        ends = []
        for j, p in enumerate(parents):
            lines = {0} if p is None else own[p]
            self._look(len(lines) * len(own[j]))
            found = [terms[j][line][cell] for line in lines for cell in own[j]]
            ends.append((min(found), max(found)))
        return own, ends

    def _compared(self, atom: Formula, box: Box) -> bool | None:
        _, terms, most, strict = atom
        intervals: dict[int, Interval] = {}
        for j, _ in terms:
            hull = self._hull(j, box[j])
            if hull is None:
                return True  # a number is missing: nothing is compared
            intervals[j] = hull
        low, high = least((terms, most, strict), intervals), least(_opposite(atom), intervals)
        if low is not None and (low > most or (low == most and strict)):
            return False
        if high is not None and (-high < most or (-high == most and not strict)):
            return True
        return None

    def _mask_of(self, j: int, codes: frozenset[int]) -> int:
        self._look(len(self._pieces[j]))
        return sum(1 << i for i, piece in enumerate(self._pieces[j]) if piece.code in codes)

    def _hull(self, j: int, mask: int) -> Interval | None:
        """From the least to the greatest number of some pieces; None if they have no numbers."""
        if (j, mask) not in self._hulls:
            self._look(mask.bit_length())
            found = [piece.numbers for i in bits(mask) if (piece := self._pieces[j][i]).numbers is not None]
            ends = [end for interval in found if interval is not None for end in interval]
            self._hulls[j, mask] = (min(ends), max(ends)) if ends else None
        return self._hulls[j, mask]

    def _fits(self, box: Box, assumed: Assumed, further: Iterable[Row] = ()) -> bool:
        """May all rows that are assumed hold in the box?"""
        rows = [atom[1:] if holds else _opposite(atom) for atom, holds in assumed.items()]
        rows += further
        intervals: dict[int, Interval] = {}
        for j in {j for row in rows for j, _ in row[0]}:
            intervals[j] = self._hull(j, box[j]) or (-math.inf, math.inf)
        return not rows or is_feasible(rows, intervals, self._statement.effort)

    def _open(self, formula: Formula, box: Box, assumed: Assumed) -> Formula:
        """An atom that is open."""
        while formula[0] in ("and", "or", "not"):
            parts = formula[1] if formula[0] != "not" else (formula[1],)
            formula = next(part for part in parts if self._truth(part, box, assumed) is None)
        return formula

    def _branches(self, atom: Formula, box: Box, assumed: Assumed) -> list[tuple[Box, Assumed]]:
        """The box with the atom, and without."""
        if atom[0] == "row":
            return [(box, {**assumed, atom: False}), (box, {**assumed, atom: True})]
        if atom[0] == "is":
            j, mask = atom[1], self._mask_of(atom[1], atom[2])
        elif atom[0] == "likely":  # the term of the widest span: one of the cells that it depends on
            own, ends = self._likely(atom, box)
            widest = max(range(len(box)), key=lambda j: ends[j][1] - ends[j][0])
            j = widest if len(own[widest]) > 1 else int(atom[2][widest])
            cell = min(own[j])
            mask = self._mask_of(j, frozenset(code for code, of in enumerate(atom[1][j]) if of == cell))
        else:
            j = next(j for j in atom[1] if box[j] & self._own[j] and box[j] & ~self._own[j])
            mask = self._own[j]
        return [(_with(box, j, box[j] & ~mask), assumed), (_with(box, j, box[j] & mask), assumed)]

    # --- the rule

    def _may_reach(self, box: Box) -> bool:
        """A bound: False if no row of the box reaches the goal."""
        if self._alternatives:
            self._look(sum(alternative.whole for alternative in self._alternatives))
            return any(alternative.bound(alternative.within(box), box) for alternative in self._alternatives)
        return self._walks(box)

    def _reaches(self, box: Box, assumed: Assumed) -> bool:
        """May a row of the box reach the goal, and obey the rows that are assumed?"""
        if self._alternatives:
            return any(self._search(alternative, box, assumed) for alternative in self._alternatives)
        waiting = [box]
        while waiting:
            some = waiting.pop()
            if self._fits(some, assumed) and self._walks(some):
                halves = self._halves(some, assumed)
                if halves is None:
                    return True
                waiting += halves
        return False

    def _walks(self, box: Box) -> bool:
        rule = self._statement.rule
        assert isinstance(rule, Diagrams)
        nodes, root, sink = rule.goal(self._statement.decision, self._statement.target)
        self._look(sum(len(children) * words(len(children)) for _, children in nodes))
        codes = [{self._pieces[j][i].code or 0 for i in bits(mask)} for j, mask in enumerate(box)]
        here = {root}
        for number in range(root, 1, -1):
            if number in here:
                feature, children = nodes[number - 2]
                here.update(children[code] for code in codes[feature])
        return sink in here

    def _halves(self, box: Box, assumed: Assumed) -> list[Box] | None:
        """Two halves of a box in which numbers that are compared, or lines, have several pieces; None if none has."""
        lines = {j for j, size in enumerate(self._statement.n_values) if size is None}
        for j in sorted(lines | {j for atom in assumed for j, _ in atom[1]}):
            if box[j] & (box[j] - 1):
                places = list(bits(box[j]))
                lower = sum(1 << i for i in places[: len(places) // 2])
                return [_with(box, j, box[j] & ~lower), _with(box, j, lower)]
        return None

    def _search(self, alternative: _Alternative, box: Box, assumed: Assumed) -> bool:
        """Branches over the leaves of the part with the widest span, the best leaf first."""
        self._look(alternative.whole)
        waiting = [iter([(box, alternative.within(box))])]
        while waiting:
            some = next(waiting[-1], None)
            if some is None:
                waiting.pop()
                continue
            if not alternative.bound(some[1], some[0]) or not self._fits(some[0], assumed):
                continue
            is_met = (alternative.exact and not assumed) or alternative.is_met(some[1], some[0])
            if not is_met and (leaves := alternative.widest(some[1], some[0])) is not None:
                waiting.append(self._branched(alternative, leaves, *some))
            elif is_met or self._fits(some[0], assumed, alternative.rows(some[1], some[0])):
                halves = self._halves(some[0], assumed)
                if halves is None:
                    return True
                waiting.append(iter([(half, alternative.within(half)) for half in halves]))
        return False

    def _branched(
        self, alternative: _Alternative, leaves: Sequence[Leaf], box: Box, parts: Sequence[list[Leaf]]
    ) -> Iterator[tuple[Box, list[list[Leaf]]]]:
        size = alternative.size(parts)
        self._look(size)
        for leaf in reversed(leaves):
            self._look(len(box) + size)
            inside = list(box)
            for j, mask in leaf.box:
                inside[j] &= mask
            yield inside, alternative.narrowed(parts, inside, [j for j, _ in leaf.box if inside[j] != box[j]])


class _Alternative:
    """Conditions that have to hold at once, of parts that add leaf scores: trees, or the values of one feature; and of
    terms of numbers.
    """

    def __init__(
        self,
        conditions: Sequence[Condition],
        parts: Sequence[Sequence[Leaf]],
        statement: Statement,
        pieces: Sequence[Sequence[Piece]],
    ) -> None:
        rule = statement.rule
        #: Is the bound reached by a row? Each part has a feature of its own, and there is one condition.
        self.exact = isinstance(rule, Additive) and len(conditions) == 1
        self._conditions, self._pieces = conditions, pieces
        bias = [_signed(c, rule.bias) if isinstance(rule, Additive) else 0 for c in conditions]
        self._base = [b - max(c.bound, statement.doubt) for b, c in zip(bias, conditions, strict=True)]
        #: By part its leaves, the one with the best score in the first condition first; and the features it looks at.
        self._parts = [
            sorted(
                (Leaf(tuple(_signed(c, leaf.scores) for c in conditions), leaf.box) for leaf in part),
                key=lambda leaf: leaf.scores[0],
                reverse=True,
            )
            for part in parts
        ]
        self._tested = [{j for leaf in part for j, _ in leaf.box} for part in parts]
        self._numbers = rule if isinstance(rule, Numbers) else None
        self._lines = [j for j, size in enumerate(statement.n_values) if size is None]
        self._known: dict[tuple[int, int, int], list[int]] = {}
        #: The steps that it takes to look at all leaves.
        self.whole = self.size(self._parts)

    def size(self, parts: Sequence[Sequence[Leaf]]) -> int:
        """The steps that it takes to look at these leaves."""
        return len(self._lines) + sum(
            1 + sum(words(mask.bit_length()) for _, mask in leaf.box) + 2 * len(self._base)
            for part in parts
            for leaf in part
        )

    def within(self, box: Box) -> list[list[Leaf]]:
        """The leaves that rows of the box reach."""
        return [[leaf for leaf in part if all(box[j] & mask for j, mask in leaf.box)] for part in self._parts]

    def narrowed(self, parts: Sequence[list[Leaf]], box: Box, changed: Sequence[int]) -> list[list[Leaf]]:
        """Those of some leaves that rows of a smaller box reach; it is smaller in these features."""
        smaller = {j: box[j] for j in changed}
        return [
            part
            if tested.isdisjoint(smaller)
            else [leaf for leaf in part if all(j not in smaller or smaller[j] & mask for j, mask in leaf.box)]
            for part, tested in zip(parts, self._tested, strict=True)
        ]

    def _margins(self, i: int, j: int, mask: int) -> list[int]:
        """The least and the greatest that the number of a line adds to a condition."""
        key = (i, j, mask)
        if key not in self._known:
            rule, condition = self._numbers, self._conditions[i]
            assert rule is not None
            found = []
            for at in bits(mask):
                code, interval = self._pieces[j][at]
                codes = [code] if code is not None else best_codes(rule, j, interval or (0.0, 0.0), condition)
                found += [rule.margin(j, code, condition) for code in codes]
            self._known[key] = [min(found), max(found)]
        return self._known[key]

    def _ends(self, i: int, parts: Sequence[Sequence[Leaf]], box: Box) -> tuple[int, int]:
        """The least and the greatest that a condition may come to, by its parts."""
        low = high = self._base[i]
        for part in parts:
            if i:
                scores = [leaf.scores[i] for leaf in part]
                low, high = low + min(scores), high + max(scores)
            else:
                low, high = low + part[-1].scores[0], high + part[0].scores[0]
        for j in self._lines:
            ends = self._margins(i, j, box[j])
            low, high = low + ends[0], high + ends[1]
        return low, high

    def bound(self, parts: Sequence[Sequence[Leaf]], box: Box) -> bool:
        """May all conditions hold?"""
        return all(self._ends(i, parts, box)[1] >= 0 for i in range(len(self._base)))

    def is_met(self, parts: Sequence[Sequence[Leaf]], box: Box) -> bool:
        """Do all conditions hold, whatever the row?"""
        return all(self._ends(i, parts, box)[0] >= 0 for i in range(len(self._base)))

    def widest(self, parts: Sequence[Sequence[Leaf]], box: Box) -> list[Leaf] | None:
        """The leaves of the part that makes the largest difference to a condition that may fail, the best last; None if
        no part makes a difference.
        """
        open_ = [i for i in range(len(self._base)) if self._ends(i, parts, box)[0] < 0]

        def span(part: Sequence[Leaf]) -> int:
            if len(self._base) == 1:
                return part[0].scores[0] - part[-1].scores[0]
            columns: list[tuple[int, ...]] = list(zip(*(leaf.scores for leaf in part), strict=True))
            return max(max(columns[i]) - min(columns[i]) for i in open_)

        part = max(parts, key=span, default=None)
        if part is None or not span(part):
            return None
        return sorted(part, key=lambda leaf: sum(leaf.scores[i] for i in open_))

    def rows(self, parts: Sequence[Sequence[Leaf]], box: Box) -> list[Row]:
        """What the conditions require of the numbers of lines, as linear rows; terms are rounded, so by one unit less
        for each. A square counts with the most that it adds.
        """
        found: list[Row] = []
        for i, condition in enumerate(self._conditions):
            rule, terms = self._numbers, []
            total = self._ends(i, parts, box)[1]
            for j in self._lines:
                assert rule is not None
                square, line = rule.polynomial(j, condition)
                if not square and line and all(self._pieces[j][at].numbers for at in bits(box[j])):
                    total += 1 - self._margins(i, j, box[j])[1]
                    terms.append((j, -line))
            found.append((tuple(terms), Fraction(total), False))
        return [row for row in found if row[0]]


def _signed(condition: Condition, sums: Sequence[int]) -> int:
    return sum(sign * sums[k] for k, sign in condition.signs)


def _with(box: Box, j: int, mask: int) -> Box:
    return [*box[:j], mask, *box[j + 1 :]]


def _opposite(atom: Formula) -> Row:
    """A row that holds where the atom does not."""
    _, terms, most, strict = atom
    return tuple((j, -c) for j, c in terms), -most, not strict


def _atoms(formula: Formula, kind: str) -> Iterator[Formula]:
    if formula[0] == kind:
        yield formula
    for part in formula[1] if formula[0] in ("and", "or") else formula[1:] if formula[0] == "not" else ():
        yield from _atoms(part, kind)
