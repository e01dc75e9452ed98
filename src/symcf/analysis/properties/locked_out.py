"""Who is locked out: boxes of rows for which nothing that is allowed helps.

What rows of a box can become is a box again: a feature that may not change stays in the box, one that may only increase
takes what lies above, one that may change takes any value. So "nothing helps any row of this box" is one question to
the searches for change sets: is there a row at the target in the box of what can be reached? A box around a row grows
feature by feature, in the order of the columns, as far as the answer is no (`symcf.search.general` does the same for
the conditions of reasons); one pass makes it maximal. Rows to begin with are those of the data; without data they are
taken from the diagram of all rows that stay away from the target whatever changes (bdd_lasting.c), until the boxes
contain all of these rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.analysis.properties.lasting import count_all, last, parts_of, told_apart
from symcf.answers.explainer import Explainer
from symcf.answers.reason_facts import Condition
from symcf.answers.render import LISTED
from symcf.answers.sentences import fixed_phrase, given_phrase
from symcf.common.clock import Clock, tick
from symcf.common.extras import load_extra
from symcf.common.options import checked_seconds
from symcf.common.text import one_line, plain
from symcf.data.given import GivenRow, GivenRows
from symcf.data.numbers import MISSING, NumberLine, codes_of_numbers
from symcf.errors import LimitError, OptionError
from symcf.proof.certificates.certificate import Certificate, certificate_of_region
from symcf.question.case import Case, coded_case
from symcf.question.constraints import Constraint
from symcf.question.gains import DOWN, FIXED, UP
from symcf.question.question import Question
from symcf.search.general import Widening, longest
from symcf.search.plan import plan
from symcf.system.classifier import Classifier

if TYPE_CHECKING:
    import pandas

__all__ = ["LockedOut", "LockedOutRegion", "locked_out"]

Row = npt.NDArray[np.int64]

#: By feature, the codes of a box; of a column of numbers the ends of an interval. Features that are missing here may
#: be anything.
Box = dict[int, list[int]]


@dataclass(frozen=True)
class LockedOutRegion:
    """A box of rows for which nothing that is allowed helps; no condition can be wider."""

    #: By ascending feature: what the rows have in common. Other features may be anything.
    conditions: tuple[Condition, ...]
    #: The rows of the data in it, or of all possible rows; and their share.
    rows: int
    share: float
    #: The decision of its rows where any other decision would do; None where a target was given.
    label: Hashable | None
    #: Is it proved that no condition can be wider? Not where time was up.
    maximal: bool
    #: One of its rows with the question, and by feature the codes of the box.
    source: Case
    box: Box

    def certificate(self, *, time_limit: float | None = None) -> Certificate:
        """The proof that no row of the region can reach the target, for `symcf.check`. `LimitError` if none is found in
        time; `OptionError` for questions that certificates cannot state.

        >>> import symcf
        >>> from symcf.demo import admission
        >>> c = symcf.compile(admission())
        >>> fixed = ["work experience", "entrance exam"]
        >>> print(symcf.check(c.locked_out_regions(target="admitted", immutable=fixed)[0].certificate()).proved)
        within the constraints (entrance exam does not change; work experience does not change), no row of the region can reach 'admitted', and none has it
        """  # noqa: E501
        return certificate_of_region(self.source, self.box, Clock(checked_seconds(time_limit)))

    def __str__(self) -> str:
        facts = ", ".join(map(str, self.conditions)) or "all rows"
        decided = "" if self.label is None else f" (always {one_line(self.label)})"
        return f"{facts}{decided}: {self.rows:,} row{'s' * (self.rows != 1)} ({self.share:.1%})"

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "conditions": [
                {"feature": c.feature, "name": c.name, "text": str(c), **c.accepted.to_dict()} for c in self.conditions
            ],
            "rows": self.rows,
            "share": self.share,
            "decision": plain(self.label),
            "maximal": self.maximal,
        }


@dataclass(frozen=True, eq=False)
class LockedOut:
    """Regions of rows for which nothing that is allowed helps, the largest first. Made by
    `Compiled.locked_out_regions`; behaves as a sequence of `LockedOutRegion`.

    Regions may overlap. Together they contain every such row if the status is "complete".
    """

    regions: tuple[LockedOutRegion, ...]
    #: The rows of the data, or all possible rows; and those of them that are locked out.
    rows: int
    locked: int
    #: Rows of which it is not known because time was up.
    unknown: int
    #: Were rows of data looked at, or all possible ones?
    of_data: bool
    #: The class that cannot be reached; None: any other than the row's own.
    target: Hashable | None
    constraints: tuple[Constraint, ...]
    #: By row of the data: is it locked out? Empty without data.
    is_locked: npt.NDArray[np.bool_]
    #: Do columns of numbers count within their ranges only?
    within_ranges: bool

    @property
    def status(self) -> str:
        """Either "complete" or "time_limit": then there may be other regions."""
        return "time_limit" if self.unknown or not all(region.maximal for region in self.regions) else "complete"

    @property
    def share(self) -> float:
        """The share of rows that are locked out."""
        return self.locked / self.rows if self.rows else 0.0

    def __len__(self) -> int:
        return len(self.regions)

    def __getitem__(self, index: int) -> LockedOutRegion:
        return self.regions[index]

    def __iter__(self) -> Iterator[LockedOutRegion]:
        return iter(self.regions)

    def __str__(self) -> str:
        goal = "another decision" if self.target is None else one_line(self.target)
        fixed, given = fixed_phrase(self.constraints), given_phrase(self.constraints)
        under = "".join([f", with {fixed}" if fixed else "", f", {given}" if given else ""])
        among = f"{self.rows:,} {'rows of the data' if self.of_data else 'possible rows'}"
        ranges = ", within the ranges of the columns of numbers" * self.within_ranges
        lines = [f"{self.locked:,} of {among} ({self.share:.1%}) cannot reach {goal}{under}{ranges}:"]
        if not self.locked:
            lines[0] = f"each of {among} can reach {goal}{under}{ranges}" if self.status == "complete" else lines[0]
        lines += [f"  {region}" for region in self.regions[:LISTED]]
        if len(self) > LISTED:
            lines.append(f"  ... and {len(self) - LISTED:,} more regions")
        if self.status != "complete":
            lines.append(f"  stopped by time_limit: {self.unknown:,} rows are not decided")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings."""
        return {
            "format": "symcf.locked_out",
            "version": 1,
            "target": plain(self.target),
            "counted": "data" if self.of_data else "all rows",
            "rows": self.rows,
            "locked": self.locked,
            "unknown": self.unknown,
            "share": self.share,
            "status": self.status,
            "constraints": [constraint.to_dict() for constraint in self.constraints],
            "regions": [region.to_dict() for region in self.regions],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """One line per condition of a region, in words, with the region's rows and share. Needs pandas."""
        pandas = load_extra("pandas", "to_pandas")

        lines = [
            (i, None if c is None else c.name, None if c is None else str(c), region.rows, region.share)
            for i, region in enumerate(self.regions)
            for c in region.conditions or (None,)
        ]
        return pandas.DataFrame(lines, columns=["region", "feature", "condition", "rows", "share"])


class _Reach:
    """What the rows of a box can become."""

    def __init__(self, question: Question) -> None:
        self._permitted = question.constraints.permitted()
        self._values = question.classifier.values

    def options(self, j: int, codes: Sequence[int]) -> list[list[int]] | None:
        """What feature j can be in rows with one of these codes: lists of codes, one or the other; None for anything.
        Of a column of numbers each list has the ends of an interval.
        """
        permitted, values = self._permitted[j], self._values[j]
        if permitted.mask is None:
            assert isinstance(values, NumberLine)
            return self._intervals(permitted, values, codes)
        known = set(codes)
        for own in codes if permitted.depends else codes[:1]:
            known.update(np.flatnonzero(permitted.for_row(own)).tolist())
        return None if len(known) == len(values) else [sorted(known)]

    @staticmethod
    def _intervals(permitted: Any, line: NumberLine, codes: Sequence[int]) -> list[list[int]] | None:
        fixed = permitted.direction == FIXED or permitted.low > permitted.high
        if codes[0] == MISSING:
            return [[]] if fixed else [ends_of(permitted.low, permitted.high)]
        first, last_ = min(codes), max(codes)
        if fixed:
            return [[first, last_]]
        low, high = ends_of(permitted.low, permitted.high)
        low = max(low, first) if permitted.direction == UP else low
        high = min(high, last_) if permitted.direction == DOWN else high
        if low > high:
            return [[first, last_]]
        if low > last_ or high < first:
            return [[first, last_], [low, high]]
        both = [min(low, first), max(high, last_)]
        return None if both == ends_of(line.low, line.high) else [both]


def ends_of(low: float, high: float) -> list[int]:
    """The codes of two numbers."""
    found: list[int] = codes_of_numbers(np.array([low, high])).tolist()
    return found


class _Finder:
    """Finds the box around a row."""

    def __init__(self, question: Question, clock: Clock) -> None:
        self._reach, self.classifier = _Reach(question), question.classifier
        #: Every value is possible: what may be taken is said by the boxes.
        self._open = replace(question, constraints=question.constraints.of_rows())
        self._plan, self._clock = plan(self._open), clock
        self._known: dict[Any, bool] = {}

    def case(self, row: Row, given: GivenRow | None = None) -> Case:
        """A row of codes as a case."""
        return coded_case(self._open, row.reshape(1, -1), given)

    def is_locked(self, case: Case) -> bool:
        """Does nothing help this row?"""
        own = {j: [code] for j, code in enumerate(case.x)}
        tied = tuple((j, code) for j, (code,) in own.items() if self._reach.options(j, [code]) is not None)
        key = (case.prediction if self._open.any_other else None, tied)
        if key not in self._known:
            self._known[key] = self._holds(case, {j: [code] for j, code in tied})
        return self._known[key]

    def _holds(self, case: Case, box: Box) -> bool:
        """Does nothing help any row of a box? `LimitError` when time is up."""
        options = {j: self._reach.options(j, codes) for j, codes in box.items()}
        tied = {j: lists for j, lists in options.items() if lists is not None}
        widening = Widening(case, self._plan, self._clock)
        return all(widening.forced(dict(zip(tied, lists, strict=True))) for lists in product(*tied.values()))

    def box(self, case: Case) -> tuple[Box, bool]:
        """A box around a row that is locked out, and whether it is maximal."""
        box: Box = {j: [code] for j, code in enumerate(case.x) if self._reach.options(j, [code]) is not None}
        try:
            for j in list(box):
                for run in self._runs(case, box, j):
                    box[j] += case.run(j, run[: longest(run, partial(self._fits, case, box, j))])
                if self._is_whole(j, box[j]):
                    del box[j]
        except LimitError as error:
            if not self._clock.ended(error):
                raise
            return box, False
        return box, True

    def _runs(self, case: Case, box: Box, j: int) -> Iterator[Sequence[int]]:
        """What a feature may be besides, in parts that are tried one after the other."""
        axis = case.axis(j)
        yield from (axis.up, axis.down)
        values, own = self.classifier.values[j], case.x[j]
        special = {some[j] for some in (self.classifier.missing, self.classifier.unknown) if some}
        if own in special and self.classifier.ordered[j] and not isinstance(values, NumberLine):
            # no value is next to it: any one that fits is where an interval begins
            others = [v for v in range(len(values)) if v not in special]
            start = next((i for i, v in enumerate(others) if self._fits(case, box, j, [v])), None)
            if start is not None:
                yield from ([others[start]], others[start + 1 :], others[:start][::-1])
        yield from ([v] for v in axis.single)

    def _fits(self, case: Case, box: Box, j: int, more: Sequence[int]) -> bool:
        ends = more if isinstance(more, list) else (more[0], more[-1])
        return self._holds(case, {**box, j: [*box[j], *ends]})

    def _is_whole(self, j: int, codes: Sequence[int]) -> bool:
        """Are these all values of a feature?"""
        values = self.classifier.values[j]
        if isinstance(values, NumberLine):
            return MISSING not in codes and [min(codes), max(codes)] == ends_of(values.low, values.high)
        return len(set(codes)) == len(values)

    def inside(self, box: Box, codes: Row) -> npt.NDArray[np.bool_]:
        """Which rows of codes are in a box."""
        fine = np.ones(len(codes), dtype=np.bool_)
        for j, values in enumerate(self.classifier.values):
            column = codes[:, j]
            if isinstance(values, NumberLine) and box.get(j) != [MISSING]:
                low, high = ends_of(values.low, values.high) if j not in box else (min(box[j]), max(box[j]))
                fine &= (column >= low) & (column <= high) & (column != MISSING)
            elif j in box:
                fine &= np.isin(column, box[j])
        return fine

    def conditions(self, case: Case, box: Box) -> tuple[Condition, ...]:
        """A box in the user's terms."""
        explainer, row = Explainer(case), self.classifier.labels_of([case.x])
        return tuple(
            Condition(j, self.classifier.features[j], row[j], explainer.accepted(j, codes[1:]))
            for j, codes in sorted(box.items())
        )


def locked_out(classifier: Classifier, data: Any, question: Mapping[str, Any], clock: Clock) -> LockedOut:
    """Regions in the data, or among all possible rows without any."""
    if data is not None:
        classifier = classifier.around(data)
    asked = Question.checked(classifier, **question)
    if asked.constraints.max_changes is not None:
        raise OptionError("max_changes: locked-out regions are about any number of changes; leave it out")
    if asked.depends_on_cells and asked.relations is not None:
        raise OptionError(
            "constraints: relations between numbers depend on the row's own numbers; locked-out regions do not support "
            "them"
        )
    return _in_data(asked, data, clock) if data is not None else _in_all(asked, clock)


def _in_data(asked: Question, data: Any, clock: Clock) -> LockedOut:
    given = GivenRows.of(data, asked.classifier.encoder.layout)
    asked = asked.given_as(given)
    classifier = asked.classifier
    codes = np.asarray(classifier.codes(given.given), dtype=np.int64)
    decided = classifier.decide(codes)
    finder = _Finder(asked, clock)
    locked, covered = np.zeros(len(codes), dtype=np.bool_), np.zeros(len(codes), dtype=np.bool_)
    found: list[tuple[LockedOutRegion, npt.NDArray[np.bool_]]] = []
    unknown = 0
    for i in np.flatnonzero(decided != asked.target if asked.target is not None else np.ones(len(codes), np.bool_)):
        if covered[i]:
            continue
        try:
            tick()
            row = given.row(int(i))
            case = finder.case(codes[i], row)
            locked[i] = finder.is_locked(case)
        except LimitError as error:
            if not clock.ended(error):
                raise
            unknown += 1
            continue
        if locked[i]:
            box, maximal = finder.box(case)
            inside = finder.inside(box, codes)
            covered |= inside
            found.append((_region(finder, case, box, int(inside.sum()), len(codes), asked, maximal, row), inside))
    return LockedOut(
        regions=tuple(region for region, _ in sorted(found, key=lambda one: -one[0].rows)),
        rows=len(codes),
        locked=int((locked | covered).sum()),
        unknown=unknown,
        of_data=True,
        is_locked=locked | covered,
        **_said(asked),
    )


def _region(
    finder: _Finder,
    case: Case,
    box: Box,
    rows: int,
    total: int,
    asked: Question,
    maximal: bool,
    given: GivenRow | None = None,
) -> LockedOutRegion:
    label = asked.classifier.classes[case.prediction] if asked.target is None else None
    asked_case = coded_case(asked, np.array([case.x], dtype=np.int64), given)
    share = float(Fraction(rows, total))
    return LockedOutRegion(finder.conditions(case, box), rows, share, label, maximal, asked_case, box)


def _said(asked: Question) -> dict[str, Any]:
    return {
        "target": None if asked.target is None else asked.classifier.classes[asked.target],
        "constraints": tuple(c for c in asked.constraints.items if c.stated),
        "within_ranges": any(isinstance(values, NumberLine) for values in asked.classifier.values),
    }


# --- all possible rows ------------------------------------------------------------------------------------------------


def _in_all(asked: Question, clock: Clock) -> LockedOut:
    if asked.classifier.decision.numbers is not None:
        raise OptionError("rows: columns of numbers have no end of possible rows to look at; give rows")
    asked = told_apart(asked)
    classifier, total = asked.classifier, count_all(asked.classifier)
    finder = _Finder(asked, clock)
    regions, locked, left = [], 0, 0
    for part in parts_of(asked, clock):
        rows = last(asked, part.goal, part.sink == 1, clock, any_number=True)
        if not part.whole:
            budget = classifier.budget(clock)
            rows = _core.Bdd.conjoin([part.rows, rows], [part.negated, False], *budget.now()).freeze(budget.seconds())
        seeds = _Seeds(classifier, rows, clock)
        of_part = seeds.count()
        locked += of_part
        try:
            for row in seeds:
                case = finder.case(row)
                box, maximal = finder.box(case)
                whole = [box.get(j, range(len(values))) for j, values in enumerate(classifier.values)]
                seeds.remove(whole)
                size = math.prod(len(set(codes)) for codes in whole)
                regions.append(_region(finder, case, box, size, total, asked, maximal))
        except LimitError as error:
            if not clock.ended(error):
                raise
            left += seeds.count_left()
    return LockedOut(
        regions=tuple(sorted(regions, key=lambda region: -region.rows)),
        rows=total,
        locked=locked,
        unknown=left,
        of_data=False,
        is_locked=np.zeros(0, dtype=np.bool_),
        **_said(asked),
    )


class _Seeds:
    """Rows of a diagram that are in no region yet."""

    def __init__(self, classifier: Classifier, rows: _core.Diagram, clock: Clock) -> None:
        self._groups, self._rows, self._clock = classifier.decision.groups, rows, clock
        #: Boxes without a row in common, which hold all rows that are left: by feature, value codes.
        self._left = [[frozenset(range(len(values))) for values in classifier.values]]

    def count(self, box: Sequence[Iterable[int]] | None = None) -> int:
        """The rows of the diagram in a box, or in all of the first one."""
        weight = np.zeros(int(self._groups.core_offset[-1]), dtype=np.uint32)
        for j, codes in enumerate(self._left[0] if box is None else box):
            for code in codes:
                weight[int(self._groups.core_offset[j]) + self._groups.group_of[j][code]] += 1
        return int(self._rows.count_weighted(1, self._groups.core_offset, weight, self._clock.left))

    def count_left(self) -> int:
        """The rows that are left, counted without a limit."""
        self._clock = Clock(None)
        return sum(map(self.count, self._left))

    def __iter__(self) -> Iterator[Row]:
        """Gives rows until all are removed."""
        while self._left:
            if not self.count(self._left[-1]):
                self._left.pop()
                continue
            box: list[frozenset[int]] = list(self._left[-1])
            for j in range(len(box)):
                box[j] = frozenset([self._first(box, j)])
            yield np.array([min(codes) for codes in box], dtype=np.int64)

    def _first(self, box: Sequence[frozenset[int]], j: int) -> int:
        """The least value of a feature with which a row of the box is left."""
        some: Callable[[int], int] = lambda code: self.count([*box[:j], (code,), *box[j + 1 :]])  # noqa: E731
        return next(code for code in sorted(box[j]) if some(code))

    def remove(self, region: Sequence[Iterable[int]]) -> None:
        """Removes the rows of a region."""
        inside = [frozenset(codes) for codes in region]
        left = []
        for box in self._left:
            rest = list(box)
            for j, codes in enumerate(inside):
                if outside := rest[j] - codes:
                    left.append([*rest[:j], outside, *rest[j + 1 :]])
                rest[j] = rest[j] & codes
                if not rest[j]:
                    break
        self._left = left
