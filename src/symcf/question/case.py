"""A case: a question about one row, in the codes that engines take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.lazy import Later, cached_property
from symcf.data.encoder import ReadRow
from symcf.data.given import GivenRow
from symcf.data.numbers import MISSING, NumberLine, codes_of_numbers, numbers_of_codes
from symcf.data.raw_row import RawRow
from symcf.data.types import ColumnType
from symcf.errors import InternalError, OptionError
from symcf.models.linear import LinearClassifier
from symcf.question.aims import AIMS, aimed
from symcf.question.constraints import Constraint
from symcf.question.gains import DOWN, FIXED, UP, gains_of_row, rivals_of
from symcf.question.grids import for_changes
from symcf.question.lines import Lowered, lowered
from symcf.question.question import Keywords, Question, kept_question
from symcf.question.relations import Relations
from symcf.question.row_systems import RowSystem, Settled
from symcf.system.classifier import Classifier
from symcf.system.cnf import Wcnf, encode, wcnf
from symcf.system.decision import binary_offsets, goal_of
from symcf.system.diagram import Diagram
from symcf.system.lines import Grid
from symcf.system.targets import Goal

__all__ = ["Axis", "Case", "NumberCase", "Query", "Rival", "asked_case", "case_of", "coded_case"]


class Axis(NamedTuple):
    """The values that a feature of a row may have beside its own, as codes."""

    #: Those that follow the own value, in order, and those that precede it, the nearest first.
    up: Sequence[int] = ()
    down: Sequence[int] = ()
    #: Those without an order.
    single: Sequence[int] = ()


@dataclass(frozen=True)
class Query:
    """The instance, the goal, what may change, and what changes cost. In core codes."""

    x: npt.NDArray[np.uint32]
    goal: Goal
    mask: npt.NDArray[np.uint8] | None
    #: The cost of changing each feature, in integers; None: 1 each.
    units: npt.NDArray[np.int64] | None
    max_changes: int | None
    #: Are sufficient reasons wanted, instead of change sets?
    reasons: bool = False

    def core(self) -> _core.Query:
        """The same for the C core."""
        return _core.Query(self.x, self.mask, self.units, self.max_changes, self.reasons)

    def weights(self) -> list[int]:
        """What changing each feature costs."""
        return [1] * len(self.x) if self.units is None else [int(unit) for unit in self.units]


class Case:
    """What would have to change for this row to be decided differently? `coded_case` makes it."""

    def __init__(
        self,
        question: Question,
        row: npt.NDArray[Any],
        given: Later[GivenRow] | None = None,
        places: Sequence[int | None] = (),
    ) -> None:
        """``row`` holds checked value codes and has the shape (1, n); ``given`` is what the user gave; ``places`` are
        as in `Costs.of_row`.
        """
        self.question = question
        self._as_given = given
        #: The row, as value codes.
        self.x: list[int] = row[0].astype(np.int64).tolist()
        #: Relations that mean something else for each row, and the features whose numbers are compared in them.
        self.orders = [] if question.relations is None else question.relations.by_row
        self.compared = question.compared
        if self.orders and given is None:
            raise OptionError(
                f"constraints: {self.orders[0].text!r} depends on the row's own numbers, which this call does not look "
                f"at; use explain, why or explain_batch"
            )
        if self.orders:
            self.question = question = replace(question, relations=self.relations_without(()))
        classifier, groups = question.classifier, question.classifier.decision.groups
        self.prediction = int(classifier.decide(row)[0])
        #: By value, whether it may be taken; None: every value may.
        self.mask = None if question.is_open else question.constraints.mask(self.x)
        #: What changing this row costs.
        self.costs = costs = question.costs.of_row(self.x, places) if places else question.costs
        #: For the engines.
        self.query = Query(
            x=np.ascontiguousarray(groups.core_codes(row)[0]),
            goal=goal_of(self.prediction, question.target, classifier.n_classes),
            mask=self.core_mask(self.mask),
            units=costs.units if costs.per_value is None else costs.lower_units(self.x, self.mask),
            max_changes=question.constraints.max_changes,
        )

    @property
    def at_target(self) -> bool:
        """Does the row have the wanted class already?"""
        return self.question.target == self.prediction

    @property
    def _given(self) -> GivenRow | None:
        return None if self._as_given is None else self._as_given.value

    @cached_property
    def raw(self) -> RawRow:
        """The row in the user's terms."""
        return self._raw_without(())

    def _raw_without(self, left_out: Sequence[Constraint]) -> RawRow:
        classifier, constraints = self.question.classifier, self.question.constraints
        limits, compared = constraints.limits_without(left_out), self.compared
        plain = classifier.raw_row(self.x, self._given, self.question.resolutions, limits, compared)
        if not compared:
            return plain
        upwards = {j: up for j, up in constraints.directions_without(left_out).items() if j in compared}
        return plain.within({j: plain.beyond(j, up=up) for j, up in upwards.items()}) if upwards else plain

    def relations_without(self, left_out: Sequence[Constraint]) -> Relations | None:
        """The relations of this row, without some of the constraints."""
        relations = self.question.constraints.most_relations(left_out)
        if relations is None or not self.orders:
            return relations
        return relations.of_row(self._raw_without(left_out), self.compared)

    @cached_property
    def within(self) -> dict[int, int]:
        """By feature that may take another number of its own range, the core code of that."""
        return self._within(self.mask, ())

    def _within(self, mask: npt.NDArray[np.uint8] | None, left_out: Sequence[Constraint]) -> dict[int, int]:
        if not self.orders:
            return {}
        groups = self.question.classifier.decision.groups
        upwards = self.question.constraints.directions_without(left_out)
        raw = self._raw_without(left_out) if left_out else self.raw
        found = {}
        for j in sorted(self.compared):
            d, own = len(groups.group_of[j]), self.x[j]
            allowed = mask is None or bool(mask[int(groups.value_offset[j]) + own]) or j in upwards
            domain = raw.domain(j, own) if allowed else None
            if domain is not None and domain.least is not None:
                found[j] = d + own
        return found

    def core_mask(
        self, mask: npt.NDArray[np.uint8] | None, left_out: Sequence[Constraint] = ()
    ) -> npt.NDArray[np.uint8] | None:
        """What may be taken, by core code, of what may by value; without some of the constraints."""
        groups = self.question.classifier.decision.groups
        result = groups.core_mask(mask)
        for j, core in self._within(mask, left_out).items():
            assert result is not None
            result[int(groups.core_offset[j]) + core] = 1
        return result

    @property
    def is_priced(self) -> bool:
        """Is the cost of a set more than a sum of what searches know?"""
        return self.costs.per_value is not None or not self.costs.fit

    @property
    def lowered(self) -> Question:
        """The question that ``query`` is about."""
        return self.question

    @property
    def numbers(self) -> NumberCase | None:
        """The same case, if columns hold numbers."""
        return None

    def thresholds(self) -> list[_core.Threshold] | None:
        """The sums of this row, by class that may win, if it has sums of its own; None: those of the classifier."""
        return None

    def relaxed(self, without: Sequence[Constraint]) -> Case:
        """The same case without some of the constraints, as far as searches are concerned."""
        constraints = self.question.constraints
        case = copy(self)
        case.question = replace(self.question, relations=self.relations_without(without))
        case.mask = constraints.mask(self.x, without)
        case.query = replace(
            self.query, mask=self.core_mask(case.mask, without), max_changes=constraints.most_changes(without)
        )
        return case

    def axis(self, j: int) -> Axis:
        """What feature j may be, beside what it is."""
        start, end = self.question.classifier.decision.groups.value_offset[j : j + 2].tolist()
        return self._axis_of(j, range(end - start) if self.mask is None else np.flatnonzero(self.mask[start:end]))

    def _axis_of(self, j: int, allowed: Iterable[int]) -> Axis:
        """The same of the values that are allowed. Missing values and unknown categories are in no order."""
        classifier, own = self.question.classifier, self.x[j]
        others = sorted(int(v) for v in allowed if v != own)
        special = {some[j] for some in (classifier.missing, classifier.unknown) if some}
        single = [v for v in others if v in special or not classifier.ordered[j]]
        in_order = [v for v in others if v not in single and own not in special]
        return Axis([v for v in in_order if v > own], [v for v in reversed(in_order) if v < own], single)

    def run(self, j: int, codes: Sequence[int]) -> list[int]:
        """A part of an axis as `narrowed` takes it."""
        return list(codes)

    def narrowed(self, among: Mapping[int, Sequence[int]]) -> Case:
        """The same case where some features keep their values or take one of these, as far as searches are concerned.
        Of a column of numbers, ``among`` has the ends of an interval.
        """
        if self.orders:
            raise OptionError(
                f"constraints: {self.orders[0].text!r} depends on the row's own numbers, and conditions of reasons "
                "are whole ranges; leave out general, or the constraint"
            )
        groups = self.question.classifier.decision.groups
        offset, mask = groups.core_offset.tolist(), self.query.mask
        mask = np.ones(offset[-1], dtype=np.uint8) if mask is None else mask.copy()
        for j, codes in among.items():
            keeps = np.zeros(offset[j + 1] - offset[j], dtype=np.uint8)
            keeps[[groups.group_of[j][v] for v in codes]] = 1
            mask[offset[j] : offset[j + 1]] &= keeps
        case = copy(self)
        case.query = replace(self.query, mask=mask)
        return case

    def raw_with(self, codes: Mapping[int, int]) -> RawRow:
        """The row in the user's terms, if these features get other values: their numbers obey the relations."""
        return self.settled(codes).raw if self.orders else self.raw

    def settled(self, codes: Mapping[int, int]) -> Settled:
        """The nearest numbers that obey, where features get these values."""
        relations = self.question.relations
        assert relations is not None
        system = next(item for item in relations.items if isinstance(item, RowSystem))
        return system.settled(self.raw, codes, [len(labels) for labels in self.question.classifier.values])

    @property
    def target(self) -> int | None:
        """The class of the counterfactuals; None: any but the present one."""
        return 1 - self.prediction if self.question.classifier.n_classes == 2 else self.question.target

    def target_diagram(self, clock: Clock = NO_LIMIT) -> tuple[Diagram, int]:
        """The diagram of what has to be reached, and the sink in it; `LimitError` when time is up."""
        return self.question.classifier.targets.diagram(self.query.goal, self.question.relations, clock)

    def wcnf(self, encoding: str, clock: Clock) -> Wcnf:
        """The case as a partial MaxSAT problem."""
        diagram, sink = self.target_diagram()
        core, mask = self.query.x.tolist(), self.query.mask
        groups = self.question.classifier.decision.groups
        codes = [(j, g) for j, members in enumerate(groups.members) for g in range(len(members)) if g != core[j]]
        allowed = {(j, g) for j, g in codes if mask is None or mask[int(groups.core_offset[j]) + g]}
        fixed = sorted(set(range(len(core))) - {j for j, _ in allowed})
        forbidden = [(j, g) for j, g in codes if (j, g) not in allowed and j not in fixed]
        clauses = encode(diagram, encoding, negate=sink == 0, clock=clock)
        problem = wcnf(clauses, core, fixed, forbidden, self.query.weights())
        most = self.query.max_changes
        return problem if most is None else problem.at_most(most)


class NumberCase(Case):
    """The same where columns hold numbers: to the engines, features change or do not, and gain what they can.

    The query has one binary feature per feature. What an engine finds for it are the change sets of the row.
    """

    def __init__(
        self,
        question: Question,
        row: npt.NDArray[Any],
        given: Later[GivenRow] | None = None,
        places: Sequence[int | None] = (),
        without: Sequence[Constraint] = (),
        among: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """``row`` holds checked codes and has the shape (1, n). Constraints in ``without`` are left out. ``among``: see
        `narrowed`; then rows that float sums might decide differently count as such.
        """
        decision = question.classifier.decision.numbers
        assert decision is not None
        self.question = question
        self.orders, self.compared = [], frozenset()
        self.costs = question.costs.of_row(row[0].tolist(), places) if places else question.costs
        self._as_given, self._places = given, places
        self._row = row.astype(np.int64)
        self.x = self._row[0].tolist()
        self.mask = None
        #: What the features may become.
        self.freedom = question.freedom if not without else question.freedom_without(without)
        self._possible = among is not None
        if among is not None:
            self.freedom = self.freedom.among(among)
        #: The relations that have to be obeyed.
        self.relations = None if question.relations is None else question.constraints.most_relations(without)
        self.prediction, gain, deficit = gains_of_row(decision, self.freedom, self._row, possible=self._possible)
        #: By rival: the class, the signs of the margin, what it lacks, and what each feature can add to it.
        self.rivals = [
            Rival(rival, sign, int(lacks), most)
            for (rival, sign, _), lacks, most in zip(rivals_of(decision, self.prediction), deficit, gain, strict=True)
        ]
        self.query = Query(
            x=np.zeros(len(self.x), dtype=np.uint32),
            goal=goal_of(0, None, len(self.rivals) + 1),
            mask=None,
            units=self.costs.units,
            max_changes=question.constraints.most_changes(without) if without else question.constraints.max_changes,
        )

    @property
    def numbers(self) -> NumberCase:
        return self

    @cached_property
    def system(self) -> Lowered:
        """The row as a system of sums."""
        question, classifier, given = self.question, self.question.classifier, self._given
        decision, readers = classifier.decision.numbers, classifier.encoder.readers
        assert decision is not None
        by_row = [] if self.relations is None else self.relations.by_row
        if by_row and given is None:
            raise OptionError(
                f"constraints: {by_row[0].text!r} depends on the row's own numbers, which this call does not look at; "
                f"use explain, why or explain_batch"
            )
        numbers, grids = {}, {}
        for j, line in enumerate(classifier.values):
            if given is None or not isinstance(line, NumberLine):
                continue
            numbers[j] = readers[j].number(given.cell(readers[j].sources[0]))
            grids[j] = self._grid(j)
        return lowered(
            decision,
            classifier.values,
            readers,
            self.freedom,
            self._row,
            prediction=self.prediction,
            target=question.target,
            cells=question.cells,
            formulas=[] if self.relations is None else self.relations.formulas,
            by_row=by_row,
            likely=None if self.relations is None else self.relations.likely,
            plausibility=classifier.plausibility,
            numbers=numbers,
            grids=grids,
            possible=self._possible,
        )

    @cached_property
    def tied(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
        """Where linear rows over numbers are all that relates the features: what sets of them gain, by rival; see
        `symcf.question.ties.Ties.gains`.
        """
        decision = self.freedom.decision
        as_asked = self._given is not None and not self._possible and self.relations == self.question.relations
        ties = self.question.ties if as_asked else None
        if ties is None or any((kind := self._kind(j)) is not None and kind.is_short for j in decision.rule.numbers):
            return None
        least, most = ties.gains(self.freedom, self._row, self.prediction, self._kind)
        return least[0], most[0]

    def _kind(self, j: int) -> ColumnType | None:
        """The type of the column of a feature."""
        encoder, given = self.question.classifier.encoder, self._given
        place = encoder.readers[j].sources[0]
        return encoder.layout.type_of(place) if given is None else given.type_of(place)

    def _grid(self, j: int) -> Grid:
        """The numbers that the column of a feature can hold."""
        given = self._given
        place = self.question.classifier.encoder.readers[j].sources[0]
        cell, kind = None if given is None else given.cell(place), self._kind(j)
        short = cell.dtype if isinstance(cell, (np.float32, np.float16)) else None if kind is None else kind.short
        whole = Fraction(1) if kind is not None and kind.is_whole else None
        return Grid(whole, None if short is None else short.type)

    def run(self, j: int, codes: Sequence[int]) -> list[int]:
        """See `Case`. Its ends, the last one rounded to what the column can hold."""
        if self.freedom.masks[j] is not None or not codes:
            return list(codes)
        first, last = numbers_of_codes(np.array([codes[0], codes[-1]]))
        mark, up = Fraction(float(last)), codes[0] > self.x[j]
        end = self._grid(j).down(mark) if up else self._grid(j).up(mark)
        if end < first if up else end > first:
            return []
        return [codes[0], int(codes_of_numbers(np.array([end]))[0])]

    def axis(self, j: int) -> Axis:
        """See `Case`. Every double of the range is a value."""
        way, mask, own = int(self.freedom.direction[j]), self.freedom.masks[j], self.x[j]
        if way == FIXED or own == MISSING:
            return Axis()
        if mask is not None:
            found = self._axis_of(j, np.flatnonzero(mask))
        else:
            low, high = codes_of_numbers(np.array([self.freedom.low[j], self.freedom.high[j]])).tolist()
            found = Axis(range(max(low, own + 1), high + 1), range(min(high, own - 1), low - 1, -1))
        return Axis(() if way == DOWN else found.up, () if way == UP else found.down, found.single)

    def narrowed(self, among: Mapping[int, Sequence[int]]) -> NumberCase:
        return NumberCase(self.question, self._row, self._as_given, self._places, among=among)

    def confirm(self, codes: Sequence[int]) -> None:
        """`InternalError` unless the classifier decides a row of codes as the question wants."""
        decided = int(self.question.classifier.decide(np.array([codes], dtype=np.int64))[0])
        if decided == self.prediction or (self.target is not None and decided != self.target):
            raise InternalError(f"a suggested row is decided as {self.question.classifier.classes[decided]!r}")

    def relaxed(self, without: Sequence[Constraint]) -> NumberCase:
        return NumberCase(self.question, self._row, self._as_given, self._places, without)

    def thresholds(self) -> list[_core.Threshold]:
        """See `Case`. By rival: does it win if these features change as far as they can?"""
        offset = binary_offsets(len(self.x))
        functions = []
        for rival in self.rivals:
            weight = np.zeros(2 * len(self.x), dtype=np.int64)
            weight[1::2] = rival.gain
            functions.append(_core.Threshold.from_weights(offset, weight, -rival.deficit))
        return functions

    @cached_property
    def lowered(self) -> Question:
        """See `Case`. Of a classifier of features that change or do not: class 0 now, others are rivals."""
        features = self.question.classifier.features
        rows: list[list[int]] = [[0] * len(features), *([int(g) for g in rival.gain] for rival in self.rivals)]
        bias = [0, *(-rival.deficit for rival in self.rivals)]
        two = len(self.rivals) == 1
        weights: list[Any] = rows[1] if two else rows
        model = LinearClassifier(weights, bias[1] if two else bias, features=features, tie="positive")
        classifier = type(self.question.classifier)(model, "influence", self.question.classifier.limits)
        return replace(self.question, classifier=classifier, target=None)

    def target_diagram(self, clock: Clock = NO_LIMIT) -> tuple[Diagram, int]:
        return self.lowered.classifier.targets.diagram(self.query.goal, None, clock)

    def wcnf(self, encoding: str, clock: Clock) -> Wcnf:
        diagram, sink = self.target_diagram()
        fixed = [j for j in range(len(self.x)) if not any(rival.gain[j] > 0 for rival in self.rivals)]
        clauses = encode(diagram, encoding, negate=sink == 0, clock=clock)
        problem = wcnf(clauses, [0] * len(self.x), fixed, [], self.query.weights())
        most = self.query.max_changes
        return problem if most is None else problem.at_most(most)


def coded_case(
    question: Question, row: npt.NDArray[Any], given: GivenRow | None = None, places: Sequence[int | None] = ()
) -> Case:
    """The case of a row of checked value codes, of shape (1, n); see `Case` for the others."""
    return _case(question, row, None if given is None else Later.known(given), places)


def _case(
    question: Question, row: npt.NDArray[Any], given: Later[GivenRow] | None, places: Sequence[int | None]
) -> Case:
    kind = Case if question.classifier.decision.numbers is None else NumberCase
    return kind(question, row, given, places)


def asked_case(
    classifier: Classifier,
    row: ReadRow,
    question: Keywords,
    select: str = "nearest",
    *,
    ranked: bool = False,
    reasons: bool = False,
    at_target: bool = False,
) -> Case:
    """The case of a row that the classifier has read. Moves and lists of all values are about numbers of a grid.
    ``ranked``: only the cheapest are asked for. ``reasons``: it is asked why, not what would have to change.
    ``at_target``: may the row have the wanted class already?
    """
    plain = classifier.classes and not classifier.model.members and AIMS.isdisjoint(question)
    moves = question.get("minimality") == "moves"
    if plain and not (moves or select == "all"):
        return case_of(kept_question(classifier, question, ranked=ranked), row, at_target=at_target)
    known, keywords = aimed(classifier, question, lambda: classifier.decide(row.codes), reasons=reasons)
    if moves or select == "all":
        known = for_changes(known, row.given, keywords, "minimality='moves'" if moves else "select='all'")
        return case_of(Question.checked(known, ranked=ranked, **keywords), row, at_target=at_target)
    return case_of(kept_question(known, cast(Keywords, keywords), ranked=ranked), row, at_target=at_target)


def case_of(question: Question, row: ReadRow, *, at_target: bool = False) -> Case:
    """The case of a row; an error if it already has the wanted class and may not have it."""
    classifier, costs = question.classifier, question.costs
    row = row.by(classifier.encoder)
    given = Later(lambda: GivenRow(row.given, row.encoder.layout))
    known = question.as_known or question.given_as(given.value)
    case = _case(known, row.codes, given, costs.place(row.given) if costs.raw else ())
    if case.at_target and not at_target:
        raise OptionError(f"target: the instance already is {classifier.classes[case.prediction]!r}")
    return case


@dataclass(frozen=True)
class Rival:
    """A class that could win instead, by a margin that has to grow."""

    code: int
    #: The margin is the sum of the terms times this: by sum, -1, 0 or 1.
    sign: npt.NDArray[np.int64]
    #: What the margin lacks, at least 1.
    deficit: int
    #: By feature, the most that it can add to the margin.
    gain: npt.NDArray[np.int64]
