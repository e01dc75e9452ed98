"""Is an explanation over columns of numbers right? By the model's own numbers, in fractions.

Nothing of the engines is used: not the integers, not the gains, not the nearest values. What a set of features can
reach is computed anew from slopes, curves and ranges. Scores within `_Model.blur` of each other are too close to call:
there the rounding of the rule decides, and both answers pass.

Relations are evaluated on the numbers and labels of each suggested row. Where there are some, or one class of several
is wanted, no other rows are searched: whether the sets are minimal and complete is reported as not checked.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from symcf.answers.explanation import Explanation
from symcf.answers.facts import Counterfactual
from symcf.common.clock import NO_LIMIT, Clock
from symcf.data.given import GivenRow
from symcf.data.numbers import NumberLine
from symcf.errors import InternalError
from symcf.models.additive import AdditiveClassifier
from symcf.models.base import Model
from symcf.models.goals import NumberGoal
from symcf.models.quantities import Link
from symcf.models.regressor import Calibrated, Regressor
from symcf.proof.verification.case import Floor, likely_of
from symcf.proof.verification.raw_relations import Facts, raw_relation
from symcf.proof.verification.report import Look, Report, look_at, unless_late
from symcf.system.classifier import Classifier

__all__ = ["verify_numbers"]


#: Sets of features that are looked at, at most, for completeness.
MOST_SETS = 1 << 18


class _Model:
    """The scores of a model, exactly."""

    def __init__(self, given: Model) -> None:
        model, _ = given.underlying(np.zeros((0, 0), dtype=np.int64))
        odds = given.goal is not None and given.goal.of == "probability"
        link, decides_at = Link((("logistic",),) if odds else ()), 0.0
        if isinstance(model, Calibrated):
            link, decides_at = model.link, model.at
            model = model.base if given.goal is None or model.scored is None else model.scored
        elif isinstance(model, Regressor):
            link, model = model.link, model.base
        assert isinstance(model, AdditiveClassifier)
        self.model = model
        self.n_classes = len(given.classes)
        self.bias = [number.fraction for number in model.bias]
        self.doubt = Fraction(model.doubt)
        self.blur = (len(model.features) + 2) * Fraction(2) ** -model.scale
        #: The sums of the classes are those of the model, or its only one times these.
        self.signs: list[int] | None = None
        if given.goal is not None:
            self._aim(given.goal, link, decides_at)

    def _aim(self, goal: NumberGoal, link: Link, decides_at: float) -> None:
        """The sums of "below", "reached" and "above", of which the largest wins; one sum for two classes."""
        (own,) = self.bias
        up = 1
        low, high = goal.low, goal.high
        if goal.of == "probability":
            assert low is not None
            # it must also be the class that is decided for
            if goal.label == self.model.classes[1]:
                low = max(_inverse(link, low), decides_at)
            else:
                up, low = -1, -min(_inverse(link, 1 - low), decides_at)
        else:
            low, high = (None if end is None else _inverse(link, end) for end in (low, high))
        if low is not None and high is not None:
            self.signs = [-1, 0, 1]
            self.bias = [Fraction(low) - own, Fraction(0), own - Fraction(high)]
        else:
            self.signs = [up if low is not None else -1]
            self.bias = [self.signs[0] * own - (Fraction(low) if low is not None else -Fraction(high or 0.0))]
        self.blur += Fraction(max(abs(end or 0.0) for end in (low, high)) * 2.0**-46)

    def by_sum(self, numbers: Sequence[Fraction]) -> list[Fraction]:
        """What the sums of the model add to those of the classes."""
        return list(numbers) if self.signs is None else [sign * numbers[0] for sign in self.signs]

    def term(self, j: int, value: Any) -> list[Fraction]:
        """What a number, or a value of this code, adds to each sum."""
        table, slope, curve = self.model.tables[j], self.model.slope[j], self.model.curve[j]
        if table is not None:
            return self.by_sum([row[value].fraction for row in table])
        if value is None:
            missing = self.model.missing[j]
            assert missing is not None
            return self.by_sum([weight.fraction for weight in missing])
        assert slope is not None
        assert curve is not None
        link = self.model.links.get(j)
        x = Fraction(value) if link is None else Fraction(link.at(float(value)))
        return self.by_sum([b.fraction * x + a.fraction * x * x for a, b in zip(curve, slope, strict=True)])

    def margin(self, sums: Sequence[Fraction], new: int, old: int) -> Fraction:
        """By how much class `new` beats class `old`."""
        if len(sums) == 1:
            return sums[0] if new == 1 else -sums[0]
        return sums[new] - sums[old]

    def apexes(self, j: int, new: int, old: int) -> list[Fraction]:
        """Where the margin is largest, or smallest, in between."""
        slope, curve = self.model.slope[j], self.model.curve[j]
        assert slope is not None
        assert curve is not None
        line = self.margin(self.by_sum([number.fraction for number in slope]), new, old)
        square = self.margin(self.by_sum([number.fraction for number in curve]), new, old)
        if not square:
            return []
        apex, link, ends = -line / (2 * square), self.model.links.get(j), self.model.values[j]
        if link is None:
            return [apex]
        assert isinstance(ends, NumberLine)
        after = link.inverse(float(apex), ends.low, ends.high)
        return [Fraction(after), Fraction(math.nextafter(after, -math.inf))]


def _inverse(link: Link, number: float) -> float:
    """Where a rising function has this value, by halving."""
    if not link.steps:
        return number
    low, high = -1e15, 1e15
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if link(np.array([middle]))[0] < number else (low, middle)
    return high


def _number(label: object) -> Fraction:
    """An end of a range, as the user gave it."""
    assert isinstance(label, (int, float))
    return Fraction(label)


class _Row:
    """A row, and what its features may become by the user's constraints."""

    def __init__(self, compiled: Classifier, x: Any, explanation: Explanation) -> None:
        self.model = _Model(compiled.model)
        self.codes: list[int] = compiled.instance(x)[0].tolist()
        self.lines = compiled.values
        self.e = explanation
        given = GivenRow(x, compiled.encoder.layout)
        kinds = [given.type_of(reader.sources[0]) for reader in compiled.encoder.readers]
        #: By feature, whether its column holds whole numbers only.
        self._is_whole = [kind is not None and kind.is_whole for kind in kinds]
        terms = [self.model.term(j, self.value(j, code)) for j, code in enumerate(self.codes)]
        self.sums = [b + sum((t[k] for t in terms), Fraction(0)) for k, b in enumerate(self.model.bias)]
        self.old = explanation.prediction
        self.rivals = [k for k in range(self.model.n_classes) if k != self.old]
        if explanation.target is not None:
            self.rivals = [explanation.target]
        self.gains = {new: [self._gain(j, new) for j in range(len(self.codes))] for new in self.rivals}
        self._facts = Facts.of(compiled, x)
        self.compiled = compiled
        self._relations = [raw_relation(c.value, compiled, self._facts) for c in explanation.constraints if c.is_rule]
        likely = likely_of(compiled, explanation.constraints)
        self._floor = None if likely is None else Floor(likely)
        #: Do columns depend on each other, or has one class to beat several?
        one_of_several = explanation.target is not None and self.model.n_classes > 2
        self.is_coupled = bool(self._relations) or likely is not None or one_of_several
        #: What each rival lacks; and how much less might do.
        self.lacks = {new: self.model.doubt - self.model.margin(self.sums, new, self.old) for new in self.rivals}

    def value(self, j: int, code: int) -> Any:
        """A number, None where it is missing, or a code."""
        line = self.lines[j]
        number = line[code] if isinstance(line, NumberLine) else code
        return None if number != number else number

    def allows(self, j: int, value: Any) -> bool:
        """May feature j become this?"""
        old, line = self.value(j, self.codes[j]), self.lines[j]
        if value == old or value is None or (isinstance(line, NumberLine) and not line.low <= value <= line.high):
            return False
        if isinstance(line, NumberLine) and self._is_whole[j] and value != int(value):
            return False
        for constraint in self.e.constraints:
            if constraint.feature != j:
                continue
            if constraint.locks:
                return False
            if constraint.value in ("increase", "decrease"):
                fine = old is not None and (value > old if constraint.value == "increase" else value < old)
            elif isinstance(line, NumberLine):
                low, high = map(_number, constraint.labels)
                fine = low <= value <= high
            else:
                fine = value in constraint.value
            if not fine:
                return False
        return True

    def _gain(self, j: int, new: int) -> Fraction:
        line, old = self.lines[j], self.value(j, self.codes[j])
        if isinstance(line, NumberLine):
            ends = [Fraction(line.low), Fraction(line.high), *self.model.apexes(j, new, self.old)]
            for constraint in self.e.constraints:
                if constraint.feature == j:
                    ends += map(_number, constraint.labels)
            if self._is_whole[j]:
                ends = [Fraction(near) for end in ends for near in (math.floor(end), math.ceil(end))]
            options: list[Any] = [end for end in ends if self.allows(j, end)]
        else:
            options = [v for v in range(len(line)) if self.allows(j, v)]
        own = self.model.margin(self.model.term(j, old), new, self.old)
        return max(
            (self.model.margin(self.model.term(j, v), new, self.old) - own for v in options), default=Fraction(0)
        )

    def faults(self, cf: Counterfactual) -> list[str]:
        """Which relations a counterfactual does not obey."""
        new = Facts.of(self.compiled, cf.row)
        found = [relation.text for relation in self._relations if not relation.holds(new)]
        if self._floor is not None and not self._floor.holds(np.array([cf.instance], dtype=np.int64))[0]:
            found.append("the least plausibility")
        return found

    def reaches(self, features: Sequence[int], slack: Fraction) -> bool:
        """Can these features bring about another class? With positive slack: even if a little is lacking."""
        return any(
            sum((max(Fraction(0), self.gains[new][j]) for j in features), slack) >= self.lacks[new]
            for new in self.rivals
        )


def verify_numbers(compiled: Classifier, x: Any, explanation: Explanation, clock: Clock = NO_LIMIT) -> Report:
    """Checks an explanation of a row of numbers against the definition."""
    report, row, look = Report(), _Row(compiled, x, explanation), look_at(clock)
    if row.codes != explanation.instance.tolist():
        report.fail("valid", "the explanation is of another row")
        return report
    for new in row.rivals:
        if row.model.margin(row.sums, new, row.old) > row.model.blur:
            report.fail("valid", "the prediction is wrong")
    unless_late(report, "valid minimal honest", look, lambda: _check_listed(row, report, look))
    unless_late(report, "honest", look, lambda: _check_order(row, report))
    if row.is_coupled:
        for question in ("minimal", "complete"):
            report.skip(question, "columns of numbers are related, or have to beat several classes at once")
        return report
    unless_late(report, "complete", look, lambda: _check_complete(row, report, look))
    return report


def _check_listed(row: _Row, report: Report, look: Look) -> None:
    for change_set in row.e.sets:
        look()
        try:
            for cf in row.e.of_set(change_set):
                _check_counterfactual(row, change_set, cf, report)
        except InternalError as error:
            report.fail("valid", str(error.args[0]))
        for j in () if row.is_coupled else change_set:
            if row.reaches([i for i in change_set if i != j], -row.model.blur):
                report.fail("minimal", f"{change_set} is not minimal: {row.e.features[j]!r} could stay")


def _check_counterfactual(row: _Row, change_set: tuple[int, ...], cf: Counterfactual, report: Report) -> None:
    new = cf.instance.tolist()
    changed = tuple(j for j, code in enumerate(new) if code != row.codes[j])
    if changed != change_set or changed != cf.features:
        report.fail("valid", f"{change_set} is announced, {changed} changes")
    sums = list(row.sums)
    for j in changed:
        value, old = row.value(j, new[j]), row.value(j, row.codes[j])
        if not row.allows(j, value):
            report.fail("valid", f"feature {row.e.features[j]!r} may not become {value!r}")
        pairs = zip(row.model.term(j, value), row.model.term(j, old), strict=True)
        sums = [total + a - b for total, (a, b) in zip(sums, pairs, strict=True)]
    if not any(row.model.margin(sums, rival, row.old) >= row.model.doubt - row.model.blur for rival in row.rivals):
        report.fail("valid", f"changing {changed} does not give the target class")
    for fault in row.faults(cf):
        report.fail("valid", f"changing {changed} does not obey {fault}")
    others = [k for k in range(row.model.n_classes) if k != cf.target]
    if any(row.model.margin(sums, k, cf.target) > row.model.blur for k in others):
        report.fail("honest", f"changing {changed} does not give class {cf.target}")
    cost = sum(row.e.costs.cost_of(j, row.codes[j], new[j]) for j in changed)
    if abs(cost - cf.cost) > 1e-9 * max(1.0, cf.cost):
        report.fail("honest", f"{changed} does not cost {cf.cost}")


def _check_order(row: _Row, report: Report) -> None:
    costs = [float(cf.cost) for cf in row.e]
    if any(a > b + 1e-9 * max(1.0, b) for a, b in itertools.pairwise(costs)):
        report.fail("honest", "the change sets are not ordered by cost")
    if len(set(row.e.sets)) != len(row.e.sets):
        report.fail("honest", "a change set appears twice")


def _check_complete(row: _Row, report: Report, look: Look) -> None:
    """Every set of features that is enough has a part that is listed, unless it is dearer than what is listed."""
    e = row.e
    if e.limited_by is not None:
        report.skip("complete", f"the list was cut short by {e.limited_by}")
        return
    limits = [c.max_changes for c in e.constraints if c.max_changes is not None]
    most = min([len(row.codes), *limits])
    if e.k is not None and len(e.sets) == e.k and e.costs.per_value is not None:
        report.skip("complete", "the k cheapest by distance are not searched again")
        return
    dearest = max((sum(e.costs.given[j] for j in s) for s in e.sets), default=0.0)
    bounded = e.k is not None and len(e.sets) == e.k
    report.method = "brute force"
    listed = [frozenset(s) for s in e.sets]
    helpful = [j for j in range(len(row.codes)) if any(row.gains[new][j] > 0 for new in row.rivals)]
    looked = 0
    stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while stack:
        look()
        first, chosen = stack.pop()
        looked += 1
        if looked > MOST_SETS:
            report.skip("complete", f"more than {MOST_SETS:,} sets of features would have to be looked at")
            return
        if any(s <= set(chosen) for s in listed):
            continue
        if bounded and sum(e.costs.given[j] for j in chosen) >= dearest:
            continue
        if chosen and row.reaches(chosen, -row.model.blur):
            report.fail("complete", f"{chosen} is enough, and no part of it is listed")
            return
        if len(chosen) < most and row.reaches([*chosen, *helpful[first:]], row.model.blur):
            stack += [(i + 1, (*chosen, helpful[i])) for i in range(first, len(helpful))]
