"""Is what a person reads of an explanation true of the raw rows?

Names, the row, old and new values, ranges, classes and probabilities are compared with what the classifier says about
the rows themselves. Each suggested row is read and decided again, and so are the corners of its ranges. That a range
could not be wider is not checked.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symcf.answers.explanation import Explanation
from symcf.answers.facts import Change, Counterfactual, Range
from symcf.common.text import plain, plain_cell
from symcf.data.given import GivenRow
from symcf.data.numbers import NumberLine
from symcf.data.regions import Region
from symcf.errors import InstanceError, InternalError
from symcf.proof.verification.case import allows, asked_model, decided_by_asking
from symcf.proof.verification.report import Look, Report
from symcf.question.constraints import Constraint
from symcf.system.classifier import Classifier

__all__ = ["check_shown"]

#: Corners of a counterfactual's ranges that are decided, at most.
CORNERS = 64

#: Probabilities may differ by this much.
NEAR = 1e-9


def check_shown(classifier: Classifier, x: Any, e: Explanation, report: Report, look: Look) -> None:
    """Checks everything that a reader of an explanation of x sees. The classifier has the explanation's values."""
    for what, given, own in (
        ("features", e.features, classifier.features),
        ("classes", e.classes, classifier.classes),
        ("orders", e.ordered, classifier.ordered),
    ):
        if [plain(name) for name in given] != [plain(name) for name in own]:
            report.fail("honest", f"the {what} are {list(own)}, not {list(given)}")
    if not report.honest:
        return
    place = e.source.contradiction(e)
    if place is not None:
        report.fail("honest", f"the explanation contradicts itself: {place} does not agree with the rest of it")
    _check_values(classifier, e, report)
    _check_constraints(classifier, e, report)
    if classifier.model.encoder is None and any(isinstance(line, NumberLine) for line in classifier.values):
        return  # rows are places among the doubles, which nobody reads
    if e.row is None:
        report.skip("honest", "the explanation has no rows: it was written by an old version")
        return
    try:
        shown = _Shown(classifier, x, e, report)
    except InstanceError as error:
        report.fail("honest", f"the row of the explanation cannot be read: {error}")
        return
    shown.check_instance()
    for change_set in e.sets:
        look()
        try:
            for cf in e.of_set(change_set):
                shown.check(cf)
        except InstanceError as error:
            report.fail("honest", f"the row of {change_set} cannot be read: {error}")
        except InternalError:  # it has no counterfactual, which is reported elsewhere
            continue


def _check_values(classifier: Classifier, e: Explanation, report: Report) -> None:
    """Are values called what the classifier calls them?"""
    for name, given, own in zip(e.features, e.values, classifier.values, strict=True):
        if isinstance(own, NumberLine) or isinstance(given, NumberLine):
            same = isinstance(own, NumberLine) and isinstance(given, NumberLine) and given.to_dict() == own.to_dict()
        else:
            same = [plain(label) for label in given] == [plain(label) for label in own]
        if not same:
            report.fail("honest", f"the values of {name!r} have other names")


def _check_constraints(classifier: Classifier, e: Explanation, report: Report) -> None:
    """Is each constraint on a feature called what it is?"""
    for constraint in (*e.constraints, *e.blocking):
        j = constraint.feature
        if j is None:
            continue
        if not 0 <= j < len(classifier.features) or constraint.name != classifier.features[j]:
            report.fail("honest", f"a constraint is on feature {j}, and says {constraint.name!r}")
            continue
        values, codes = classifier.values[j], constraint.value
        if isinstance(codes, (tuple, list, range, frozenset)) and not isinstance(values, NumberLine):
            names = [plain(values[code]) for code in codes if code < len(values)]
            if names != [plain(label) for label in constraint.labels]:
                report.fail("honest", f"{constraint.text!r} names other values than it allows")


class _Shown:
    """The row that was given, and what is said about it."""

    def __init__(self, classifier: Classifier, x: Any, e: Explanation, report: Report) -> None:
        self.classifier, self.e, self.report = classifier, e, report
        self._readers, self._layout = classifier.encoder.readers, classifier.encoder.layout
        self._own = self._cells(x)
        self._codes = self._read(self._own)
        self._given = GivenRow(x, self._layout)

    def _cells(self, row: Any) -> dict[int, Any]:
        """By place of a column, the cell of a row."""
        given = GivenRow(row, self._layout)
        return {place: given.cell(place) for place in self._layout.needed}

    def _read(self, cells: Mapping[int, Any]) -> list[int]:
        """The value codes of a row of these cells."""
        names = self._layout.names
        row = {names[place]: cell for place, cell in cells.items()} if self._layout.named else list(cells.values())
        codes: list[int] = self.classifier.instance(row)[0].tolist()
        return codes

    def _speaks(self, j: int) -> bool:
        """Does a feature have one cell, which says its value?"""
        reader, line = self._readers[j], self.classifier.values[j]
        if len(reader.sources) != 1:
            return False
        return reader.regions is not None or reader.keys is not None or isinstance(line, NumberLine)

    def _said(self, j: int, cells: Mapping[int, Any], codes: Sequence[int]) -> Any:
        """What a feature of a row is said to be: its cell, or the name of its value."""
        return cells[self._readers[j].sources[0]] if self._speaks(j) else self.classifier.values[j][codes[j]]

    def _decided(self, codes: Sequence[int]) -> tuple[int, float | None]:
        """The class of a row, and its probability."""
        rows, model = np.array([codes], dtype=np.int64), asked_model(self.classifier)
        decided = self.classifier.decide(rows) if model is None else decided_by_asking(model, rows)
        k = int(decided[0])
        given = self.classifier.probabilities(rows) if self.classifier.has_probabilities else None
        return k, None if given is None else float(given[0, k])

    def _check_decided(self, what: str, codes: Sequence[int], k: int, probability: float | None) -> None:
        decided, likely = self._decided(codes)
        if decided != k:
            self.report.fail("honest", f"{what} has class {self.classifier.classes[decided]!r}")
        elif (likely is None) != (probability is None) or abs((likely or 0.0) - (probability or 0.0)) > NEAR:
            self.report.fail("honest", f"{what} has probability {likely}, not {probability}")

    def check_instance(self) -> None:
        """The row, its values, its class and how likely that is."""
        e = self.e
        if tuple(e.columns) != self._layout.names:
            self.report.fail("honest", f"the columns are {list(self._layout.names)}, not {list(e.columns)}")
        self._check_cells("the row", self._cells(e.row), self._own)
        for j, cell in enumerate(e.cells):
            own = self._said(j, self._own, self._codes)
            if not _same(cell, own):
                self.report.fail("honest", f"{e.features[j]!r} is {own!r}, not {cell!r}")
        self._check_decided("the row", self._codes, e.prediction, e.probability)

    def _check_cells(self, what: str, given: Mapping[int, Any], own: Mapping[int, Any]) -> None:
        for place, cell in own.items():
            if not _same(given[place], cell):
                name = self._layout.names[place]
                self.report.fail("honest", f"{what} has {given[place]!r} in column {name!r}, not {cell!r}")

    def check(self, cf: Counterfactual) -> None:
        """The changed row, and each change."""
        what = f"the row of {cf.features}"
        if not all(0 <= j < len(self._readers) for j in cf.features):
            self.report.fail("honest", f"{cf.features} are not features")
            return
        cells = self._cells(cf.row)
        codes = self._read(cells)
        if codes != cf.instance.tolist():
            self.report.fail("honest", f"{what} is not the one that was checked")
        moved = {place for j in cf.features for place in self._readers[j].sources}
        self._check_cells(what, cells, {place: cell for place, cell in self._own.items() if place not in moved})
        self._check_decided(what, codes, cf.target, cf.probability)
        for change in cf.changes:
            self._check_change(change, cells, codes)
        self._check_corners(cf, cells)

    def _stored(self, j: int, values: Range) -> Range:
        """A region as the column of the row stores its ends: 4.95 is a little less in 32 bits."""
        cell = self._own.get(self._readers[j].sources[0])
        if not isinstance(values, Region) or not isinstance(cell, (np.float16, np.float32)):
            return values
        first, last = (float(type(cell)(end)) for end in (values.first, values.last))
        return Region(first, last, values.holes)

    def _check_change(self, change: Change, cells: Mapping[int, Any], codes: Sequence[int]) -> None:
        j, name = change.feature, self.e.features[change.feature]
        if change.name != name:
            self.report.fail("honest", f"feature {j} is {name!r}, not {change.name!r}")
        for given, own in (
            (change.old, self._said(j, self._own, self._codes)),
            (change.new, self._said(j, cells, codes)),
        ):
            if not _same(given, own):
                self.report.fail("honest", f"{name!r} is said to be {given!r}, and is {own!r}")
        said = self._stored(j, change.said)
        ends = all(_holds(change.range, end) for end in _ends(said))
        if not ends or not _holds(change.range, change.new) or not _holds(said, change.new):
            self.report.fail("honest", f"the range of {name!r} does not hold the values that are given")

    def _check_corners(self, cf: Counterfactual, cells: Mapping[int, Any]) -> None:
        """Every combination of values of the ranges has the class that is given: their ends are tried."""
        spoken = [change for change in cf.changes if self._speaks(change.feature)]
        tried = [self._tried(change) for change in spoken]
        for corner in itertools.islice(itertools.product(*tried), CORNERS):
            row = dict(cells)
            for change, value in zip(spoken, corner, strict=True):
                row[self._readers[change.feature].sources[0]] = value
            codes = self._read(row)
            text = ", ".join(f"{change.name} = {value!r}" for change, value in zip(spoken, corner, strict=True))
            decided, _ = self._decided(codes)
            wanted = decided != self.e.prediction if self.e.target is None else decided == self.e.target
            if not wanted:
                self.report.fail("honest", f"{text} lies in the ranges of {cf.features}, and has not the target class")
            for change, value in zip(spoken, corner, strict=True):
                j = change.feature
                if codes[j] != self._codes[j] and not all(
                    self._allows(constraint, j, codes[j], value)
                    for constraint in self.e.constraints
                    if constraint.feature == j
                ):
                    self.report.fail("honest", f"{text} lies in the ranges of {cf.features}, and is not allowed")

    def _tried(self, change: Change) -> list[Any]:
        """The ends of a range, or its values, as cells."""
        ends = _ends(change.range)
        kind = self._given.type_of(self._readers[change.feature].sources[0])
        if isinstance(change.range, Region):
            if kind is not None and kind.is_whole:
                ends = [math.ceil(end) if end == change.range.first else math.floor(end) for end in ends]
            ends = [end for end in ends if end in change.range]
        return [change.new, *(end for end in ends if end != change.new)]

    def _allows(self, constraint: Constraint, j: int, code: int, value: Any) -> bool:
        if isinstance(self.classifier.values[j], NumberLine) and constraint.value not in ("increase", "decrease"):
            return not constraint.locks and constraint.labels[0] <= value <= constraint.labels[1]
        some = (self.classifier.missing, self.classifier.unknown)
        return allows(constraint, self._codes[j], code, [special[j] for special in some if special])


def _ends(values: Range) -> list[Any]:
    """The ends of a region that it has, or the values one by one."""
    if not isinstance(values, Region):
        return list(values)
    return [end for end in dict.fromkeys((values.first, values.last)) if not math.isinf(end)]


def _holds(values: Range, value: Any) -> bool:
    return value in values if isinstance(values, Region) else any(_same(value, one) for one in values)


def _same(a: Any, b: Any) -> bool:
    """Are two cells the same, in whatever types, of a file or not?"""
    a, b = plain_cell(a), plain_cell(b)
    if isinstance(a, bool) != isinstance(b, bool):
        a, b = (float(v) if isinstance(v, bool) else v for v in (a, b))
    return bool(a == b)
