"""Several models at once: rows that reach a goal under all of them, and with room to spare.

A `Joint` is several models over the columns that all of them read. It decides for a class where all of them do. A
question makes an `Agreed` of it, or of a single model: the classifier "is the goal reached under every model, and in
every row within the width?". Its first class is "yes"; each other class is one model, or one shifted copy of a model,
that says otherwise. So the goal is a conjunction of sums, which the searches know as a class that leads all others.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.data.grids import Finer
from symcf.data.labels import code_of
from symcf.data.numbers import NumberLine
from symcf.data.reader import Codes
from symcf.data.regions import Region
from symcf.data.shared import Columns, Reading, shared_lines
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.goals import NumberGoal, NumberTarget, Reaching
from symcf.models.kinds import model_from_dict
from symcf.models.rules import JointPart, JointRule, Rule
from symcf.models.sums import AdditiveRule

__all__ = ["DISAGREE", "Agreed", "Joint", "JointGoal", "goal_from_dict", "margin_goal"]

#: The class of rows about which the models disagree.
DISAGREE = "models disagree"

#: Shifted copies of a model that a width may take.
MOST_COPIES = 64


class Joint(Model):
    """Several models that read the same rows. It decides for a class where all of them do.

    >>> from symcf.models.linear import LinearClassifier
    >>> both = Joint([LinearClassifier([2, 2], -1), LinearClassifier([2, 2], -3)])
    >>> both.classes
    (0, 1, 'models disagree')
    """

    kind: ClassVar[str] = "joint"

    def __init__(self, members: Sequence[Model]) -> None:
        if not members:
            raise ModelError("a list of models must have at least one")
        self.members = tuple(members)
        first = self.members[0]
        for place, member in enumerate(self.members, 1):
            if member.is_black_box:
                raise ModelError(
                    f"model {place} is a black box, which cannot be combined with others: give symcf.from_predict one "
                    "function that says whether all models decide for the class"
                )
            if set(member.classes) != set(first.classes):
                raise ModelError(
                    f"the classes are {list(first.classes)!r} to model 1 and {list(member.classes)!r} to model "
                    f"{place}: all models must have the same"
                )
        given = [Columns(m.features, m.values, m.ordered, m.encoder) for m in self.members]
        columns, self.readings, self.cells = shared_lines(given)
        self.features, self.values, self.ordered = columns.features, columns.values, columns.ordered
        self.encoder = columns.encoder
        self.classes = (*first.classes, DISAGREE) if first.classes else ()

    def rule(self) -> Rule:
        """What each of them decides."""
        parts = [
            JointPart(member.rule(), tuple(code_of(c, self.classes, "class") for c in member.classes), None, reading)
            for member, reading in zip(self.members, self.readings, strict=True)
        ]
        return JointRule(tuple(parts), self.n_codes, self.cells)

    @property
    def n_codes(self) -> tuple[int, ...]:
        """By feature, the number of values; of cells where it is a line of numbers."""
        return tuple(
            len(values) if cells is None else cells.n_cells
            for values, cells in zip(self.values, self.cells, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """All of them."""
        return {"model": self.kind, "members": [member.to_dict() for member in self.members]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Joint:
        """The inverse of `to_dict`."""
        return cls([model_from_dict(member) for member in data["members"]])

    def __repr__(self) -> str:
        return f"Joint({', '.join(map(repr, self.members))})"


@dataclass(frozen=True)
class JointGoal:
    """What a row should reach under every model, and in every row within the width."""

    #: The class; None for regressors.
    label: Hashable | None = None
    #: A number that the prediction or the score should reach, and which of them.
    number: NumberTarget | None = None
    of: str = "class"
    #: The least probability of the class.
    min_probability: float | None = None
    #: By how much the score has to pass the cut.
    margin: float | None = None
    #: By feature, how far a number may be off.
    width: tuple[tuple[str, float], ...] = ()
    #: Are there several models?
    several: bool = True

    @property
    def reached(self) -> str:
        """The name of the class of rows that reach it."""
        if self.number is not None:
            words = f"{'score ' if self.of == 'score' else ''}{self.number}"
        elif self.min_probability is not None:
            words = str(self._part_of(self.label, None).reached)
        else:
            words = f"{self.label}" + ("" if self.margin is None else f" by {self.margin:g}")
        around = ", ".join(f"{name} ± {width:g}" for name, width in self.width)
        return f"{words}{' under all models' * self.several}{f', {around}' if around else ''}"

    def part(self, model: Model) -> tuple[Model, int, int]:
        """The model that decides whether one of the models reaches it, the class that says so, and by how many units
        of its rule that has to lead the others.
        """
        if self.number is None and self.min_probability is None and (self.margin is None or len(model.classes) > 2):
            lead = 0 if self.margin is None else model.lead(self.margin)
            return model, code_of(self.label, model.classes, "target"), lead
        return Reaching(model, self._part_of(self.label, model)), 1, 0

    def _part_of(self, label: Hashable | None, model: Model | None) -> NumberGoal:
        if self.number is not None:
            return NumberGoal(self.of, self.number.low, self.number.high)
        if self.min_probability is not None:
            return NumberGoal("probability", self.min_probability, None, label)
        assert model is not None
        return margin_goal(model, label, self.margin or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        number = None if self.number is None else [self.number.low, self.number.high]
        rest = {"min_probability": self.min_probability, "margin": self.margin, "width": dict(self.width)}
        rest["several"] = self.several
        return {"of": self.of, "label": self.label, "number": number, **rest}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> JointGoal:
        """The inverse of `to_dict`."""
        number = None if data["number"] is None else NumberTarget(*data["number"])
        width = tuple((str(name), float(width)) for name, width in data["width"].items())
        rest = data["min_probability"], data["margin"], width, bool(data["several"])
        return cls(data["label"], number, str(data["of"]), *rest)


def goal_from_dict(data: Mapping[str, Any] | None) -> NumberGoal | JointGoal | None:
    """The goal that ``to_dict`` described."""
    if not data:
        return None
    return JointGoal.from_dict(data) if "several" in data else NumberGoal.from_dict(data)


def margin_goal(model: Model, label: Hashable | None, margin: float) -> NumberGoal:
    """The score that a model of two classes has to have so that it decides for one of them by a margin."""
    second = code_of(label, model.classes, "target") == 1
    return NumberGoal("score", model.cut + margin if second else None, None if second else model.cut - margin)


class Agreed(Model):
    """Is a goal reached under every model, and in every row within the width?"""

    kind: ClassVar[str] = "agreed"

    def __init__(self, base: Model, goal: JointGoal) -> None:
        self.base, self.goal = base, goal
        joint = base if isinstance(base, Joint) else Joint([base])
        self.members = joint.members
        parts = [goal.part(member) for member in joint.members]
        self.features, self.ordered = base.features, base.ordered
        self.values, self.encoder, cells = base.values, base.encoder, joint.cells
        #: By feature and value, the value of the base that it is part of.
        self.codes: list[Sequence[int]] = [range(n) for n in joint.n_codes]
        windows, shifts = {}, {}
        if goal.width:
            widths = self._widths(dict(goal.width))
            cut = {j: _cuts(self._regions(joint, j), width) for j, width in widths.items()}
            assert self.encoder is not None
            finer = Finer(self.encoder, self.values, {j: c for j, c in cut.items() if joint.cells[j] is None})
            self.values, self.encoder = finer.values, finer
            cells = tuple(
                one if one is None or j not in cut else one.cut_at(cut[j]) for j, one in enumerate(joint.cells)
            )
            for j, width in widths.items():
                line = joint.cells[j]
                if line is None:
                    self.codes[j] = finer.codes[j]
                    own: Mapping[int, Region] = finer.readers[j].regions or {}
                else:
                    finer_line = cells[j]
                    assert finer_line is not None
                    own = finer_line.regions
                    self.codes[j] = [line.code(r.first) for r in own.values()] + [line.missing or 0] * line.has_missing
                    shifts[j] = Fraction(width)
                windows[j] = _windows(own, self._regions(joint, j), Fraction(width), self.codes[j])
        sizes = [max(map(len, window)) for window in windows.values()]
        if math.prod(sizes) > MOST_COPIES:
            raise OptionError(
                f"width: rows within it lie in {math.prod(sizes):,} cells of the model, more than {MOST_COPIES}; give "
                "smaller widths, or fewer columns"
            )
        copies = [
            self._copy(dict(zip(windows, places, strict=True)), windows) for places in product(*map(range, sizes))
        ]
        self._parts, names, voting = [], [goal.reached], []
        guarded = len({isinstance(model.rule(), AdditiveRule) for model, _, _ in parts}) == 2
        for i, ((model, k, lead), reading) in enumerate(zip(parts, joint.readings, strict=True), 1):
            rule = model.rule()
            for copy in copies:
                spread = tuple(
                    tuple(codes[v] for v in copy[f]) for f, codes in zip(reading.feature, reading.codes, strict=True)
                )
                part = JointPart(
                    rule, tuple(range(len(model.classes))), k, Reading(reading.feature, spread), shifts, lead
                )
                self._parts.append(part)
                if guarded and not part.is_numbers:
                    voting.append(i)
                    continue
                for other in model.classes:
                    if other != model.classes[k]:
                        word = f"model {i}: {other}" if goal.several else f"{other}"
                        word += " near by" if len(copies) > 1 else ""
                        names.append(word if word not in names else f"{word} ({len(names)})")
        sizes = [len(v) if c is None else c.n_cells for v, c in zip(self.values, cells, strict=True)]
        self._rule = JointRule(tuple(self._parts), tuple(sizes), cells)
        if guarded:
            names.append(f"model {', '.join(map(str, dict.fromkeys(voting)))}: not {goal.reached}")
        self.classes = tuple(names)

    def _widths(self, given: Mapping[str, float]) -> dict[int, float]:
        if self.encoder is None:
            raise OptionError("width is for columns of numbers; the rows of this model are value codes")
        return {self.features.index(name): width for name, width in given.items()}

    def _regions(self, joint: Joint, j: int) -> Mapping[int, Region]:
        cells = joint.cells[j]
        if cells is not None:
            return cells.regions
        assert self.base.encoder is not None
        regions = self.base.encoder.readers[j].regions
        if not regions:
            raise OptionError(f"width: {self.features[j]!r} is not a column of numbers")
        return regions

    def _copy(self, places: Mapping[int, int], windows: Mapping[int, list[list[int]]]) -> list[Sequence[int]]:
        """By feature and value, the value of the base in one place of each window."""
        return [
            [window[min(places[j], len(window) - 1)] for window in windows[j]] if j in places else codes
            for j, codes in enumerate(self.codes)
        ]

    def rule(self) -> Rule:
        """The sums of all models."""
        return self._rule

    @cached_property
    def _coarse(self) -> list[npt.NDArray[np.int64] | None]:
        lines = (isinstance(values, NumberLine) for values in self.values)
        return [None if line else np.array(codes) for line, codes in zip(lines, self.codes, strict=True)]

    def underlying(self, codes: Codes) -> tuple[Model, Codes]:
        if codes.shape[1] != len(self.features):
            return self.base, codes
        columns = [
            codes[:, j] if table is None else table[codes[:, j].astype(np.int64)]
            for j, table in enumerate(self._coarse)
        ]
        return self.base.underlying(np.stack(columns, axis=1))

    def to_dict(self) -> dict[str, Any]:
        """The models and the goal."""
        return {"model": self.kind, "base": self.base.to_dict(), "goal": self.goal.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Agreed:
        """The inverse of `to_dict`."""
        return cls(model_from_dict(data["base"]), JointGoal.from_dict(data["goal"]))

    def __repr__(self) -> str:
        return f"{self.base!r} with the target {self.goal.reached!r}"


# --- widths -----------------------------------------------------------------------------------------------------------


def _cuts(regions: Mapping[int, Region], width: float) -> list[float]:
    """Where the ranges within the width change: numbers from which one more range is reached, or one less."""
    exact, found = Fraction(width), set()
    for region in regions.values():
        if math.isfinite(region.first):
            found.add(_first_double(Fraction(region.first) - exact))
        if math.isfinite(region.last):
            found.add(math.nextafter(_last_double(Fraction(region.last) + exact), math.inf))
    return sorted(found)


def _first_double(mark: Fraction) -> float:
    near = float(mark)
    return near if Fraction(near) >= mark else math.nextafter(near, math.inf)


def _last_double(mark: Fraction) -> float:
    near = float(mark)
    return near if Fraction(near) <= mark else math.nextafter(near, -math.inf)


def _windows(
    own: Mapping[int, Region], regions: Mapping[int, Region], width: Fraction, codes: Sequence[int]
) -> list[list[int]]:
    """By finer value, the values of the base that numbers within the width have; a value without numbers, its own."""
    found = []
    for v, code in enumerate(codes):
        if v not in own:
            found.append([code])
            continue
        # every number of a finer range reaches the same ranges, so any finite one will do
        ends = [Fraction(end) for end in (own[v].first, own[v].last) if math.isfinite(end)] or [Fraction(0)]
        low, high = ends[0] - width, ends[0] + width
        found.append([c for c, r in regions.items() if _reaches(r, low, high)])
    return found


def _reaches(region: Region, low: Fraction, high: Fraction) -> bool:
    begins = -math.inf if math.isinf(region.first) else Fraction(region.first)
    ends = math.inf if math.isinf(region.last) else Fraction(region.last)
    return begins <= high and low <= ends
