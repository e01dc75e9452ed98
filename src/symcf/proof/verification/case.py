"""What is to be verified: the instance and what may become of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm, prod
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from symcf.answers.facts import Counterfactual
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.extras import load_extra
from symcf.common.lazy import cached_property
from symcf.errors import OptionError
from symcf.models.black_box import MISSING, NONE, BlackBoxModel
from symcf.proof.verification.ensembles import Leaves, decided_by_trees, leaves_of, rule_of
from symcf.proof.verification.orders import Compared
from symcf.proof.verification.raw_relations import RelatedNumbers
from symcf.proof.verification.report import look_at
from symcf.proof.verification.sums import sums_of
from symcf.question.constraint_kinds import Constraint, Plausible, RowConstraint
from symcf.question.costs import Costs
from symcf.question.likely import Likely
from symcf.question.relations import Relations
from symcf.system.classifier import Classifier

__all__ = ["Case", "Codes", "Floor", "asked_model", "decided_by_asking", "likely_of", "with_values"]


#: Rows of value codes.
Codes = npt.NDArray[np.int64]


class Answer(Protocol):
    """What explanations and reasons both say about the question."""

    prediction: int
    target: int | None
    constraints: tuple[Constraint, ...]
    costs: Costs


A = TypeVar("A", bound=Answer)


class Case(Generic[A]):
    """The instance and what may become of it, from the user's constraints and not from the engines' masks."""

    def __init__(self, compiled: Classifier, x: Any, explanation: A, clock: Clock = NO_LIMIT) -> None:
        self.compiled = compiled
        self.clock = clock
        #: To be called in what takes long.
        self.look = look_at(clock)
        self.explanation = explanation
        self.x: list[int] = compiled.instance(x)[0].tolist()
        limits = [c.max_changes for c in explanation.constraints if c.max_changes is not None]
        self.most = min([len(self.x), *limits])
        given = [c.value for c in explanation.constraints if c.is_rule]
        likely = likely_of(compiled, explanation.constraints)
        #: How plausible a row has to be.
        self.likely = None if likely is None else Floor(likely)
        names = (compiled.features, compiled.values, compiled.ordered)
        readers = compiled.encoder.readers
        relations = Relations(given, *names, likely, readers) if given or likely is not None else None
        by_row = [] if relations is None else relations.by_row
        orders = [] if relations is None else relations.orders
        #: Columns that are compared with each other; None if there are none.
        self.compared: Compared | RelatedNumbers | None = None
        if orders and len(orders) == len(by_row):
            self.compared = Compared(compiled, self.x, x, orders, explanation.constraints)
        elif relations is not None and by_row:
            self.compared = RelatedNumbers(compiled, self.x, x, relations.by_row, explanation.constraints)
        #: The other relations.
        self.relations = None
        if relations is not None:
            self.relations = relations.keeping([item for item in relations.items if not item.by_row])
        self.choices = [self._choices(j) for j in range(len(self.x))]
        #: The features that may change.
        self.free = [j for j, choices in enumerate(self.choices) if len(choices) > 1]
        e, free = explanation, relations is None
        self.sums = sums_of(compiled, self.x, e.prediction, e.target, self.choices) if free else None

    def _special(self, j: int) -> list[int | None]:
        """The codes of missing and unknown values."""
        return [some[j] for some in (self.compiled.missing, self.compiled.unknown) if some]

    def _choices(self, j: int) -> list[int]:
        """The values that feature j may have afterwards, its own first; the last is another number of its own range."""
        others = [v for v in range(len(self.compiled.values[j])) if v != self.x[j]]
        if (model := asked_model(self.compiled)) is not None:
            others = [v for v in others if model.columns[j].suggested[v]]
        for constraint in self.explanation.constraints:
            if constraint.feature == j:
                others = [v for v in others if allows(constraint, self.x[j], v, self._special(j))]
        if self.compared is not None and self.compared.moves_within(j, self.explanation.constraints):
            others.append(len(self.compiled.values[j]) + self.x[j])
        return [self.x[j], *others]

    def values_of(self, rows: Codes) -> Codes:
        """The value codes of rows that may have another number of their own range."""
        return rows if self.compared is None else rows % np.array([len(labels) for labels in self.compiled.values])

    def codes_of(self, cf: Counterfactual) -> list[int]:
        """The codes of a counterfactual; another number of the same range has a code of its own."""
        codes: list[int] = cf.instance.tolist()
        if self.compared is None:
            return codes
        compared, sizes = self.compared.features, [len(labels) for labels in self.compiled.values]
        stays = {j for j in cf.features if j in compared and codes[j] == self.x[j]}
        return [code + sizes[j] * (j in stays) for j, code in enumerate(codes)]

    def flips(self, rows: Codes) -> npt.NDArray[np.bool_]:
        """Which rows get the target class, or any other where none is named, within the relations?"""
        if not len(rows):
            return np.zeros(0, dtype=bool)
        flipped = self.flips_apart(self.values_of(rows))
        return flipped if self.compared is None else flipped & self.compared.holds(rows)

    def flips_apart(self, rows: Codes) -> npt.NDArray[np.bool_]:
        """The same for rows of value codes, whether or not numbers that are compared obey."""
        rule = rule_of(self.compiled)  # trees are walked anew: `decide` is the engine's
        model = asked_model(self.compiled)  # which is asked anew, too
        decided: npt.NDArray[Any] = (
            decided_by_asking(model, rows)
            if model is not None
            else self.compiled.decide(rows)
            if rule is None
            else decided_by_trees(rule, rows)
        )
        wanted = self.explanation.target
        flipped = decided != self.explanation.prediction if wanted is None else decided == wanted
        if self.likely is not None:
            flipped = flipped & self.likely.holds(rows)
        return np.asarray(flipped if self.relations is None else flipped & self.relations.holds(rows))

    @cached_property
    def leaves(self) -> Leaves | None:
        """The leaves of trees that are too many for a diagram."""
        if self.compared is not None:
            return None
        e = self.explanation
        return leaves_of(self.compiled, self.x, e.prediction, e.target, self.choices, self.flips, self.look)

    def changed(self, row: Sequence[int]) -> tuple[int, ...]:
        """The features in which a row differs from x."""
        return tuple(j for j in range(len(row)) if row[j] != self.x[j])

    @cached_property
    def units(self) -> list[dict[int, int]]:
        """By feature and value that it may have, what becoming that costs, in integers of any size: the user's numbers
        times what makes all of them whole. The engines' own integers are not used.
        """

        def number_of(j: int, own: int, new: int) -> Fraction:
            d = len(self.compiled.values[j])
            return Fraction(0) if new == own else self.explanation.costs.number_of_all(self.x, {j: new % d})

        numbers = [{v: number_of(j, choices[0], v) for v in choices} for j, choices in enumerate(self.choices)]
        whole = lcm(*(number.denominator for by_value in numbers for number in by_value.values()))
        return [{v: int(number * whole) for v, number in by_value.items()} for by_value in numbers]

    def cost(self, row: Sequence[int]) -> int:
        """What becoming this row costs, in these units; a value that is not allowed counts as nothing."""
        return sum(self.units[j].get(row[j], 0) for j in self.changed(row))

    def rows_within(self, change_set: Sequence[int]) -> Codes:
        """All rows that change nothing else."""
        sizes = [len(self.choices[j]) for j in change_set]
        count = prod(sizes)
        rows = np.tile(np.array(self.x, dtype=np.int64), (count, 1))
        repeats = count
        for j, size in zip(change_set, sizes, strict=True):
            repeats //= size
            rows[:, j] = np.tile(
                np.repeat(np.array(self.choices[j], dtype=np.int64), repeats), count // (repeats * size)
            )
        return rows

    def costs(self, rows: Codes) -> npt.NDArray[Any]:
        """What becoming each of these rows costs, in these units."""
        most = sum(max(by_value.values()) for by_value in self.units)
        kind = np.int64 if most < 2**62 else object
        total = np.zeros(len(rows), dtype=kind)
        for j, by_value in enumerate(self.units):
            table = np.zeros(2 * len(self.compiled.values[j]), dtype=kind)
            for new, unit in by_value.items():
                table[new] = unit
            total = total + table[rows[:, j]]
        return total

    def n_within(self, change_set: Sequence[int]) -> int:
        """How many they are."""
        return prod(len(self.choices[j]) for j in change_set)


def allows(constraint: Constraint, old: int, new: int, special: Collection[int | None] = ()) -> bool:
    """May a feature become this value, by a constraint on it? Nothing is above or below the special values."""
    if constraint.locks or (constraint.value in ("increase", "decrease") and (old in special or new in special)):
        return False
    if constraint.value == "increase":
        return new > old
    if constraint.value == "decrease":
        return new < old
    if isinstance(constraint, RowConstraint):
        return constraint.allows(old, new)
    return new in constraint.value


# --- how likely -------------------------------------------------------------------------------------------------------
# How likely a row is, added up anew from the terms as they are saved: the engines' sums are not used.


def likely_of(compiled: Classifier, constraints: Iterable[Constraint]) -> Likely | None:
    """How plausible rows had to be, as the explanation or its file says; None for any."""
    for constraint in constraints:
        if isinstance(constraint, Plausible):
            if compiled.plausibility is None:
                raise OptionError(
                    "the explanation is about plausible rows; give data with symcf.compile(model, plausibility=data)"
                )
            return Likely(constraint.share, compiled.plausibility)
    return None


class Floor:
    """Which rows are likely enough."""

    def __init__(self, likely: Likely) -> None:
        saved = likely.plausibility.to_dict()
        self._cells = saved["cells"]
        self._parents, self._terms = saved["parents"], [np.array(lines) for lines in saved["terms"]]
        rows, n_rows = accumulate(saved["counts"]), sum(saved["counts"])
        enough = (total for total, count in zip(saved["sums"], rows, strict=True) if count >= likely.share * n_rows)
        self._least = next(enough)

    def holds(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Is the sum of the terms large enough?"""
        cells = [
            np.array(part["table"])[rows[:, j]]
            if "table" in part
            else np.array([sum(cut <= code for cut in part["cuts"]) for code in rows[:, j].tolist()], dtype=np.int64)
            for j, part in enumerate(self._cells)
        ]
        sums = np.zeros(len(rows), dtype=np.int64)
        for own, parent, lines in zip(cells, self._parents, self._terms, strict=True):
            sums += lines[0][own] if parent < 0 else lines[cells[parent], own]
        return np.asarray(sums >= self._least)


# --- black-box models -------------------------------------------------------------------------------------------------
# Decides rows of black-box models with tables made by other code than the engine's; short ones row by row.


#: Up to so many rows are asked one by one.
ONE_BY_ONE = 32


def asked_model(compiled: Classifier) -> BlackBoxModel | None:
    """The black-box model of a classifier; None for others."""
    return compiled.model if isinstance(compiled.model, BlackBoxModel) else None


def with_values(compiled: Classifier, values: Sequence[Sequence[Hashable]]) -> Classifier:
    """The same classifier with the values of an explanation, which has rows' own among them."""
    model = asked_model(compiled)
    if model is None or model.encoder is None:  # then rows are codes of its values already
        return compiled
    cells = [[_cell(label) for label in labels] for labels in values]
    return compiled.with_model(model.with_cells(cells))


def decided_by_asking(model: BlackBoxModel, rows: Codes) -> npt.NDArray[np.int64]:
    """The classes of rows, as codes."""
    known = [column.cells for column in model.columns]
    cells = [[known[j][code] for j, code in enumerate(row)] for row in rows.tolist()]
    tables = [[row] for row in cells] if len(cells) <= ONE_BY_ONE else [cells]
    code_of = {label: k for k, label in enumerate(model.classes)}
    labels = [label for table in tables for label in np.asarray(model.function(_table(model, table))).ravel().tolist()]
    return np.array([code_of[label] for label in labels], dtype=np.int64)


def _cell(label: Any) -> Any:
    return math.nan if label == MISSING else None if label == NONE else label


def _table(model: BlackBoxModel, cells: list[list[Any]]) -> Any:
    form = model.form
    if form.keys is None:
        return np.array(cells, dtype=object).astype(form.dtypes[0])
    frame = load_extra("pandas", "verify").DataFrame(cells, columns=list(form.keys), dtype=object)
    return frame.astype(dict(zip(form.keys, form.dtypes, strict=True)))
