"""Finds proofs by partition (`symcf.proof.checker.partition`): branch and bound over boxes.

A box that the checker cannot close is split where the terms of the rule pick values that contradict each other, by the
split whose halves come closest to being closed. Where costs count, the multiplier is sought that makes the bound best.
A row that is cheaper than claimed, by rounding or between the multiples of a resolution, lowers the bound instead.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from symcf.errors import LimitError
from symcf.proof.checker.form import bits, plain_number
from symcf.proof.checker.partition import FINE, Box, Part, Partition
from symcf.proof.checker.relations import obeys
from symcf.proof.checker.rules import Additive
from symcf.proof.checker.statement import Statement

__all__ = ["cheapest_steps", "partition_steps"]

#: Steps of a proof, at most, and how many splits are compared.
MOST_STEPS, COMPARED = 50_000, 6

#: A bound is lowered by this part, and not below this part of the cost that was found.
BELOW, WORST = Fraction(1, 1 << 20), Fraction(9, 10)

#: With fewer steps where numbers are not cut: by how much less is claimed then.
MOST_ROUGH, SLACK = 400, Fraction(1, 1 << 7)

#: Where ranges without an end are halved.
FARTHEST = 1e100

#: A range of numbers is halved so many times, about.
HALVED = 48

TOO_MANY = (
    f"certificate: the proof needs more than {MOST_STEPS:,} steps; ask for fewer changes (max_changes) or fewer "
    "sets (k)"
)
NO_PROOF = (
    "certificate: no proof was found: the list depends on which numbers are whole or representable, and proofs are "
    "about real numbers; check the explanation with symcf.verify"
)


class _Cheaper(Exception):
    """A row is missing from what is claimed; ``cost`` is what it costs, in units."""

    def __init__(self, cost: Fraction) -> None:
        super().__init__(cost)
        self.cost = cost


def partition_steps(statement: Statement) -> list[Any]:
    """A proof of what a statement claims; `LimitError` if none is found."""
    try:
        return _Splitter(statement, True).steps(MOST_STEPS)
    except _TooMany:
        raise LimitError(TOO_MANY) from None
    except _Cheaper:
        raise LimitError(NO_PROOF) from None


def cheapest_steps(statement: Statement) -> tuple[Fraction, list[Any]]:
    """A proof that nothing else costs less than a number; and the number, in units. At first without the listed sets:
    then nothing at all costs less.
    """
    cost = max(Fraction(statement.cost_of(at)) for at in range(len(statement.sets)))
    rough = None in statement.n_values
    for covers in (False, True)[len(statement.sets) > 1 :]:
        least = cost
        while least >= cost * WORST:
            statement.least = least
            splitter = _Splitter(statement, covers)
            try:
                return least, splitter.steps(MOST_ROUGH if rough else MOST_STEPS)
            except _Cheaper as found:
                least = _rounded(min(found.cost, least) * (1 - BELOW))
            except _TooMany:
                if not rough:
                    raise LimitError(TOO_MANY) from None
                least = _rounded(min(max(splitter.dual(), least * (1 - SLACK)), least * (1 - BELOW)))
    raise LimitError(NO_PROOF)


def _rounded(number: Fraction) -> Fraction:
    """Down to few digits, which certificates are short with."""
    fine = 1 << max(0, 40 - (number.numerator // number.denominator).bit_length())
    return Fraction(math.floor(number * fine), fine)


class _TooMany(Exception):
    """The proof has too many steps."""


class _Splitter:
    def __init__(self, statement: Statement, covers: bool) -> None:
        self._statement, self._covers = statement, covers
        self._partition = Partition(statement)
        self._reach = {j: self._width(part) for j, part in enumerate(self._partition.whole())}

    def dual(self) -> Fraction:
        """What rows cost at least by the best multiplier alone, without a split, less a little; in units."""
        box, bound = self._partition.whole(), self._partition.bound or 1
        best, most = 1, Fraction(0)
        start = max(1, int(self._gap(box, 0) / bound))
        for factor in (1.0, 4.0, 1.5, 1.1, 1.01, 1.001):
            while True:
                tried = {max(1, round((best if most else start) * by)) for by in (factor, 1 / factor)}
                found = [(Fraction(-int(self._gap(box, m) - m * bound), m), m) for m in tried]
                if max(found)[0] <= most:
                    break
                most, best = max(found)
        return most * (1 - BELOW) / (1 << FINE)

    def steps(self, most: int) -> list[Any]:
        """The steps, in order, if there are not too many."""
        found: list[Any] = []
        waiting = [(self._partition.whole(), 0)]
        while waiting:
            if len(found) >= most:
                raise _TooMany
            self._statement.effort.spend(1)
            box, multiplier = waiting.pop()
            closing, multiplier = self._closing(box, multiplier)
            if closing is not _OPEN:
                found.append(closing)
                continue
            self._look_for_row(box, multiplier)
            split = self._split(box, multiplier)
            found.append([split[0], plain_number(split[1]) if isinstance(split[1], float) else split[1]])
            first, second = self._partition.split(box, split)
            waiting += [(second, multiplier), (first, multiplier)]
        return found

    # --- closing

    def _closing(self, box: Box, multiplier: int) -> tuple[Any, int]:
        """The step that closes a box, if there is one; and a multiplier that is good for its halves."""
        partition = self._partition
        if partition.is_dear(box):
            return None, multiplier
        if not partition.may_reach(box, 0):
            return 0, multiplier
        if partition.bound is not None:
            multiplier = self._best(box, multiplier)
            if not partition.may_reach(box, multiplier):
                return multiplier, multiplier
        if self._covers:
            for at in range(len(self._statement.sets)):
                if partition.is_covered(box, at):
                    return [at], multiplier
        return _OPEN, multiplier

    def _gap(self, box: Box, multiplier: int) -> float:
        """How far the bound is from closing a box; above 0 where it does not."""
        partition = self._partition
        if not partition.goals:
            return 1.0 if partition.may_reach(box, multiplier) else -1.0
        masks = [partition.prices(j, part).mask for j, part in enumerate(box)]
        allowance = multiplier * (partition.bound or 0)
        gaps = (min(goal.totals(partition, box, masks, multiplier)) for goal in partition.goals)
        return float(max(gaps) + allowance)

    def _best(self, box: Box, multiplier: int) -> int:
        """A multiplier of which the bound is about best: it is convex in it."""
        if not self._partition.goals:
            return 1
        if not multiplier:
            gap = self._gap(box, 0)
            multiplier = max(1, int(gap / max(1, self._partition.bound or 1)))
        best, least = multiplier, self._gap(box, multiplier)
        for factor in (2.0, 1.25):
            for step in (factor, 1 / factor):
                while least > -1 and (other := max(1, round(best * step))) != best:
                    gap = self._gap(box, other)
                    if gap >= least:
                        break
                    best, least = other, gap
        return best

    # --- rows that are cheaper

    def _look_for_row(self, box: Box, multiplier: int) -> None:
        """`_Cheaper` if the nearest row of a box is one that is missing."""
        statement = self._statement
        if statement.is_region:
            return
        row, numbers, changed = list(statement.row), list(statement.numbers), set()
        cost = Fraction(0)
        for j, part in enumerate(box):
            if part.own:
                continue
            changed.add(j)
            code, number, paid = self._nearest(j, part)
            row[j], numbers[j], cost = code, number, cost + paid
        decided = statement.rule.class_of(row)
        if decided == statement.decision or statement.target not in (None, decided):
            return
        if any(not obeys(relation, row, numbers, changed) for relation in statement.relations):
            return
        if isinstance(statement.rule, Additive) and statement.doubt:
            return
        if statement.least is None or cost < statement.least:
            here = tuple(
                Part(
                    part.own,
                    0 if part.own or numbers[j] is not None else 1 << row[j],
                    part.ends,
                    self._point(j, part, numbers[j]),
                )
                for j, part in enumerate(box)
            )
            if not (self._covers and any(self._partition.is_covered(here, at) for at in range(len(statement.sets)))):
                raise _Cheaper(cost)

    def _point(self, j: int, part: Part, number: float | None) -> tuple[tuple[float, float], ...]:
        has_numbers = self._statement.domains[j].has_numbers
        return () if part.own or number is None or not has_numbers else ((number, number),)

    def _nearest(self, j: int, part: Part) -> tuple[int, float | None, Fraction]:
        """The cheapest value of a feature that has to change: its code, its number, and its cost in units."""
        statement = self._statement
        domain, cost, own = statement.domains[j], statement.costs[j], statement.numbers[j]
        found: list[tuple[Fraction, int, float | None]] = []
        for code in bits(part.labels):
            price = cost[1] if isinstance(cost, tuple) else cost if isinstance(cost, int) else cost[code]
            number = None if domain.has_numbers else domain.number_of(domain.labels[code])
            found.append((Fraction(price), code, number))
        for low, high in part.spans:
            near = min(max(own if own is not None else low, low), high)
            near = (
                near if math.isfinite(near) else (low if math.isfinite(low) else high if math.isfinite(high) else 0.0)
            )
            code = domain.code_of(near, "a number")
            if not isinstance(cost, tuple):
                found.append((Fraction(cost if isinstance(cost, int) else cost[code]), code, near))
            elif own is None:
                found.append((Fraction(cost[1]), code, near))
            else:
                found.append((abs(Fraction(near) - Fraction(own)) * cost[0], code, near))
        paid, code, number = min(found, key=lambda one: one[0])
        return code, number, paid

    # --- splitting

    def _split(self, box: Box, multiplier: int) -> list[Any]:
        """The split whose halves gain most; `_Cheaper` if the box is too small to be split."""
        before = max(self._gap(box, multiplier), 1.0)
        best, most = None, -1.0
        for split in self._candidates(box, multiplier):
            gains = []
            for half in self._partition.split(box, split):
                closed = any(part.empty for part in half) or self._partition.is_dear(half)
                gap = 0.0 if closed else max(0.0, self._gap(half, multiplier))
                gains.append(max(before - gap, 1e-6 * before) / before)
            if gains[0] * gains[1] > most:
                best, most = split, gains[0] * gains[1]
        if best is None:
            raise _Cheaper(Fraction(self._partition.cost(box), 1 << FINE))
        return best

    def _candidates(self, box: Box, multiplier: int) -> list[list[Any]]:
        found = list(islice(self._from_answer(box), 2))
        for (j, at), _ in self._from_rule(box, multiplier).most_common(COMPARED):
            found.append([j, self._labels(j, at[0]) if isinstance(at, tuple) else at])
        if not found or self._statement.relations:
            found += list(self._anything(box))[: 2 * COMPARED]
        return found

    def _from_answer(self, box: Box) -> Iterator[list[Any]]:
        """Splits that make listed sets cover one half."""
        statement = self._statement
        for at in range(len(statement.sets) if self._covers else 0):
            split = None
            for j, value, code in zip(statement.sets[at], statement.values[at], statement.codes[at], strict=True):
                part, own, domain = box[j], statement.numbers[j], statement.domains[j]
                new = domain.number_of(value)
                if statement.moves is None:
                    if not (part.labels or part.spans):
                        break
                    split = split or ([j, "own"] if part.own else None)
                elif domain.has_numbers and new is not None:
                    if own is None or j not in statement.moves:
                        if part.own:
                            split = split or [j, "own"]
                        continue
                    up = new > own
                    x = new if up else math.nextafter(new, math.inf)
                    halves = self._partition.split(box, [j, x])
                    inside, outside = (halves[1][j], halves[0][j]) if up else (halves[0][j], halves[1][j])
                    if not inside.spans:
                        break
                    split = split or (None if outside.empty and not inside.labels else [j, x])
                else:
                    beyond = [c for c in bits(part.labels) if statement.is_between(j, code, c)]
                    if not beyond:
                        break
                    if part.own or part.spans or len(beyond) < part.labels.bit_count():
                        split = split or [j, self._labels(j, sum(1 << c for c in beyond))]
            else:
                if split is not None:
                    yield split

    def _from_rule(self, box: Box, multiplier: int) -> Counter[tuple[Any, ...]]:
        """Splits where terms pick different values, by how many do."""
        partition, statement = self._partition, self._statement
        masks = [partition.prices(j, part).mask for j, part in enumerate(box)]
        found: Counter[tuple[Any, ...]] = Counter()
        for goal in partition.goals:
            picked: list[Any] = []
            goal.totals(partition, box, masks, multiplier, picked)
            for tests in picked:
                for j, mask in tests:
                    here = mask & masks[j]
                    if here == masks[j] and not (len(tests) == 1 and isinstance(statement.rule, Additive)):
                        continue
                    for split in self._cutting(j, box[j], here):
                        found[split] += 1
        return found

    def _cutting(self, j: int, part: Part, mask: int) -> Iterator[tuple[Any, ...]]:
        """Splits that cut a mask of codes out of what a feature may be."""
        domain, own = self._statement.domains[j], self._statement.row[j]
        cells = mask & (1 << domain.n_cells) - 1
        if domain.cuts is not None and cells and part.spans:
            first, last = (cells & -cells).bit_length() - 1, cells.bit_length() - 1
            for cut in ([domain.cuts[first - 1]] if first else []) + domain.cuts[last : last + 1]:
                low = min(span[0] for span in part.spans)
                high = max(span[1] for span in part.spans)
                number = self._statement.numbers[j]
                if part.own and number is not None:
                    low, high = min(low, number), max(high, number)
                if low < cut <= high:
                    yield j, cut
        elif part.labels and mask and mask != 1 << own:
            listed = mask & part.labels
            if listed and (part.own or part.spans or listed != part.labels):
                yield (j, "own") if part.own and listed == part.labels else (j, (listed,))

    def _anything(self, box: Box) -> Iterator[list[Any]]:
        """Splits of features that may still have several values, the widest first."""
        for j in sorted(range(len(box)), key=lambda j: -self._width(box[j]) / max(self._reach[j], 1e-300)):
            part = box[j]
            if part.own and (part.labels or part.spans):
                yield [j, "own"]
            elif part.labels and (part.spans or part.labels & (part.labels - 1)):
                codes = list(bits(part.labels))
                some = codes if part.spans else codes[: len(codes) // 2]
                yield [j, self._labels(j, sum(1 << c for c in some))]
            elif part.spans:
                x = self._middle(j, part)
                if x is not None:
                    yield [j, x]

    def _labels(self, j: int, mask: int) -> list[Any]:
        domain = self._statement.domains[j]
        return [domain.labels[code - domain.n_cells] for code in bits(mask)]

    def _middle(self, j: int, part: Part) -> float | None:
        """Where to halve numbers; None if they are all one, or nearly."""
        low, high = min(span[0] for span in part.spans), max(span[1] for span in part.spans)
        cuts = [cut for cut in self._statement.domains[j].cuts or () if low < cut <= high]
        if cuts:
            return cuts[len(cuts) // 2]
        if len(part.spans) > 1:
            return sorted(part.spans)[len(part.spans) // 2][0]
        low, high = max(low, -FARTHEST), min(high, FARTHEST)
        if high - low <= max(self._reach[j], 1e-300) * 2.0**-HALVED or math.nextafter(low, high) == high:
            return None
        middle = low / 2 + high / 2
        return middle if low < middle <= high else None

    def _width(self, part: Part) -> float:
        """How much a feature may still be."""
        spans = sum(min(high, FARTHEST) - max(low, -FARTHEST) for low, high in part.spans)
        return float(part.labels.bit_count() + bool(part.own) + spans)


_OPEN = object()
