"""Facts: what the engines found, in the user's terms. Other modules turn them into text, tables and JSON."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from symcf.answers.diversity import Diversity
from symcf.common.clock import Clock
from symcf.common.lazy import Later, cached_property
from symcf.common.renamed import new_attribute
from symcf.common.text import one_line, plain_cell
from symcf.data.given import row_to_json
from symcf.data.phrases import value_text
from symcf.data.regions import Region, number_text
from symcf.data.types import ColumnType
from symcf.models.goals import NumberGoal
from symcf.models.joint import JointGoal
from symcf.proof.certificates.certificate import Certificate
from symcf.question.constraints import Constraint
from symcf.question.costs import Costs
from symcf.question.distances import UsedScale

__all__ = [
    "Change",
    "Counterfactual",
    "Facts",
    "Given",
    "Good",
    "Numbers",
    "Range",
    "Sets",
    "Source",
    "new_text",
    "range_from_json",
    "range_to_json",
    "sure_text",
]


#: Numbers, or values one by one.
Range = Region | tuple[Hashable, ...]


class Good(NamedTuple):
    """Values that are as good as the one that is suggested."""

    #: All of them.
    range: Range
    #: The same with rounded ends, for people.
    said: Range


class Numbers(NamedTuple):
    """What a model says about a row, beside its class."""

    score: float | None
    prediction: Any


def sure_text(probability: float | None, reached: float | None) -> str:
    """How sure a decision is, or what a row has of the number that is the target; empty if neither is known."""
    if probability is not None:
        return f"({probability:.2%})"
    return "" if reached is None else f"({reached:,.6g})"


@dataclass(frozen=True, slots=True)
class Change:
    """One feature takes another value.

    ``old`` and ``new`` are cells of the row as it was given: numbers, categories. A feature without one cell of its own
    (value codes, groups of columns) has the names of its values instead.
    """

    feature: int
    name: str
    old: Hashable
    new: Hashable
    _good: Later[Good] | None = field(default=None, compare=False, repr=False)

    @property
    def range(self) -> Range:
        """The values that are as good as the new one: a `Region` of numbers, or a tuple of values, the new one first.

        With a value from the range of each change, any of them, the decision is the wanted one.
        """
        return (self.new,) if self._good is None else self._good.value.range

    @property
    def said(self) -> Range:
        """The range with ends that are rounded as the new value is, so that what is printed lies inside."""
        return (self.new,) if self._good is None else self._good.value.said

    def __str__(self) -> str:
        return f"{one_line(self.name)}: {value_text(self.old)} -> {new_text(self)}"


def new_text(change: Change, number: Callable[[float], str] = number_text) -> str:
    """The new value of a change: "at least 2480", "5 to 7", "red"."""
    said = change.said
    if not isinstance(said, Region):
        return value_text(change.new)
    if math.isinf(said.first) and math.isinf(said.last):
        return "any number"
    if math.isinf(said.last):
        return f"at least {number(said.first)}"
    if math.isinf(said.first):
        return f"at most {number(said.last)}"
    return number(said.first) if said.first == said.last else f"{number(said.first)} to {number(said.last)}"


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The least that would have to change: no subset of these changes would be enough."""

    #: By ascending feature.
    changes: tuple[Change, ...]
    #: The sum of the costs of the changes; their number by default.
    cost: float
    #: The changed instance, as value codes.
    instance: npt.NDArray[np.int64]
    #: The class of the changed instance, as a code.
    target: int
    #: The probability of that class; None where the model has no probabilities.
    probability: float | None
    #: The share of the data that is at most as likely as the changed instance; None where no data were given.
    plausibility: float | None = None
    #: Where the target is a number: what the changed instance has of it, a probability, a score or a prediction.
    reached: float | None = None
    _row: Later[Any] | None = field(default=None, repr=False)
    _numbers: Later[Numbers] | None = field(default=None, repr=False)

    @property
    def score(self) -> float | None:
        """The decision function of the changed instance (with more than two classes: of its class), or the number that
        a regressor predicts; None where the model has none.
        """
        return None if self._numbers is None else self._numbers.value.score

    @property
    def prediction(self) -> Any:
        """What the model predicts for the changed instance: the label of its class, or the number of a regressor."""
        return None if self._numbers is None else self._numbers.value.prediction

    @property
    def row(self) -> Any:
        """The changed instance in the form in which the instance was given: what the classifier's own `predict` takes.

        Equal to what was given where nothing changed. Numbers are the nearest that are enough.
        """
        return None if self._row is None else self._row.value

    @property
    def region(self) -> dict[str, Range]:
        """A box around the new values of which every point has the wanted class: by name, the range of each change.

        It is maximal, no side can be widened, but not the largest of all such boxes.
        """
        return {change.name: change.range for change in self.changes}

    @property
    def features(self) -> tuple[int, ...]:
        """The features that change."""
        return tuple(change.feature for change in self.changes)

    def __str__(self) -> str:
        text = ", ".join(map(str, self.changes)) or "no change"
        sure = sure_text(self.probability, self.reached)
        return f"{text}  {sure}" if sure else text

    def to_dict(self) -> dict[str, Any]:
        """As lists, numbers and strings; the schema is in `symcf.answers.schema`."""
        return {
            "changes": [
                {
                    "feature": change.feature,
                    "name": change.name,
                    "old": plain_cell(change.old),
                    "new": plain_cell(change.new),
                    "new_code": int(self.instance[change.feature]),
                    "range": range_to_json(change.range),
                    "said": range_to_json(change.said),
                }
                for change in self.changes
            ],
            "cost": self.cost,
            "class_code": self.target,
            "probability": self.probability,
            **({} if self.plausibility is None else {"plausibility": self.plausibility}),
            **({} if self.reached is None else self._numbers_to_dict()),
            "codes": self.instance.tolist(),
            "row": None if self.row is None else row_to_json(self.row),
        }

    def _numbers_to_dict(self) -> dict[str, Any]:
        return {"reached": self.reached, "score": self.score, "prediction": plain_cell(self.prediction)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Counterfactual:
        """The inverse of `to_dict`."""
        return cls(
            changes=tuple(map(_change_from_dict, data["changes"])),
            cost=float(data["cost"]),
            instance=np.array(data["codes"], dtype=np.int64),
            target=int(data["class_code"]),
            probability=data["probability"],
            plausibility=data.get("plausibility"),
            reached=data.get("reached"),
            _row=Later.known(data.get("row")),
            _numbers=Later.known(Numbers(data.get("score"), data.get("prediction"))),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counterfactual):
            return NotImplemented
        mine = (self.changes, self.cost, self.target, self.probability)
        return mine == (other.changes, other.cost, other.target, other.probability) and np.array_equal(
            self.instance, other.instance
        )

    def __hash__(self) -> int:
        return hash((self.changes, self.cost))


def _change_from_dict(data: Mapping[str, Any]) -> Change:
    ranges = [range_from_json(data[key]) if key in data else (data["new"],) for key in ("range", "said")]
    return Change(int(data["feature"]), str(data["name"]), data["old"], data["new"], Later.known(Good(*ranges)))


def range_to_json(values: Range) -> Any:
    """A list of values, or an object with the bounds; null for none."""
    if not isinstance(values, Region):
        return [plain_cell(value) for value in values]
    ends = [None if math.isinf(end) else end for end in (values.first, values.last)]
    return {"first": ends[0], "last": ends[1], "without": list(values.holes)}


def range_from_json(data: Any) -> Range:
    """The inverse of `range_to_json`."""
    if isinstance(data, list):
        return tuple(data)
    first, last = data["first"], data["last"]
    without = tuple(map(float, data["without"]))
    return Region(-math.inf if first is None else float(first), math.inf if last is None else float(last), without)


class Given(NamedTuple):
    """The row that an explanation is about."""

    #: As it was given.
    row: Any
    #: The names of the columns that rows have if they are given without names, and their types, where these are known;
    #: empty if none is.
    columns: tuple[str, ...]
    types: tuple[ColumnType | None, ...]
    #: The probability of its class; None where the model has no probabilities.
    probability: float | None
    #: The share of the data that is at most as likely; None where no data were given.
    plausibility: float | None
    #: Where the target is a number: what the row has of it; else None.
    reached: float | None = None


class Source(Protocol):
    """What an explanation is made from: the case that was answered, or what a file says."""

    def given(self) -> Given:
        """The row that the explanation is about."""

    def built(self, change_set: tuple[int, ...]) -> Iterable[Counterfactual]:
        """The counterfactuals of a change set: one, or with ``select="all"`` all of them."""

    def cells(self) -> Sequence[Any] | None:
        """The instance by feature, as it was given; None: only the names of its values are known."""

    def contradiction(self, e: Any) -> str | None:
        """Where a file says something twice and not the same, such as a label beside its code; None: nowhere."""

    def why_all(self) -> Any:
        """All sufficient reasons."""

    def likeliest(self, sets: Sequence[tuple[int, ...]], k: int) -> list[Counterfactual]:
        """The k likeliest counterfactuals, one for each set."""

    def certificate(self, e: Any, clock: Clock) -> Certificate:
        """The explanation with its proof."""

    def reason_counts(self, clock: Clock) -> Sequence[int]:
        """By feature, how many of the reasons for the decision it is in if nothing is held fixed."""


@dataclass(kw_only=True, eq=False, repr=False)
class Sets:
    """Sets of features that were found for an instance: change sets or reasons; and the question."""

    #: What two equal ones have equal, beside the instance.
    COMPARED: ClassVar[tuple[str, ...]] = ("prediction", "target", "sets", "status")
    #: What the sets are, in words.
    WHAT: ClassVar[str] = "change sets"

    #: The instance, as value codes.
    instance: npt.NDArray[np.int64]
    #: Its class, as a code; `classes` has the names.
    prediction: int
    #: The names of the classes, of the features, and of their values by code.
    classes: tuple[Hashable, ...]
    features: tuple[str, ...]
    values: Sequence[Sequence[Hashable]]

    #: The class of the counterfactuals; None: any other, which may differ between them. With more than two classes, the
    #: class that reasons rule out; None: every other, so that they explain why the decision is what it is.
    target: int | None
    #: Where that is a number: what has to be reached; the classes are then whether it is.
    goal: NumberGoal | JointGoal | None = None
    #: What was asked: the constraints, the cost of changes, and k.
    constraints: tuple[Constraint, ...]
    costs: Costs
    k: int | None

    #: Tuples of feature indices. Usually in arrays, with tuples made on reading (`ChangeSets`).
    sets: Sequence[tuple[int, ...]]
    #: "complete": nothing asked for is missing. "max_results", "time_limit": more may exist.
    status: str
    #: The engine that found them.
    engine: str
    #: Where ``k`` was given and time was up: no set that is missing costs less than this; None: that is not known.
    bound: float | None = None

    @property
    def complete(self) -> bool:
        """Is everything that was asked for present?"""
        return self.status == "complete"

    @property
    def count(self) -> int:
        """The number of sets found."""
        return len(self.sets)

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """The instance, as the names of its values."""
        return tuple(labels[code] for labels, code in zip(self.values, self.instance.tolist(), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sets) or other.WHAT != self.WHAT:
            return NotImplemented
        same = all(getattr(self, name) == getattr(other, name) for name in self.COMPARED)
        return same and np.array_equal(self.instance, other.instance)

    __hash__ = None  # type: ignore[assignment]  # a mutable list inside

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.count} {self.WHAT}, {self.status})"


@dataclass(kw_only=True, eq=False, repr=False)
class Facts(Sets):
    """What is known about an instance: the question, the change sets, and what makes their counterfactuals."""

    COMPARED = (*Sets.COMPARED, "blocking", "all_values", "minimality")

    #: By feature, do its values come in an order?
    ordered: Sequence[bool]
    #: By feature that is read from several columns, of which at most one is 1: their names.
    column_groups: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    #: "nearest", "surest", "likeliest" or "all" values that flip the decision.
    select: str = "nearest"
    #: "features": no feature of a counterfactual can keep its value. "moves": none can be moved less far.
    minimality: str = "features"
    #: Where constraints leave no counterfactual: a minimal set of constraints that would have to be given up.
    blocking: tuple[Constraint, ...]
    #: All change sets of up to so many changes are present; None: that is not known. Without limits it is the number of
    #: features.
    complete_up_to: int | None = None
    #: Where only some of the change sets were chosen, since they differ: how much they do.
    diversity: Diversity | None = None
    #: What counterfactuals, reasons and certificates are made from.
    source: Source

    if not TYPE_CHECKING:  # where type checkers cannot see it, so that they still notice a misspelt name

        def __getattr__(self, name: str) -> Any:
            plain = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(new_attribute(name) or plain, name=name, obj=self)

    @cached_property
    def _given(self) -> Given:
        return self.source.given()

    @property
    def row(self) -> Any:
        """The instance as it was given."""
        return self._given.row

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that rows have if they are given without names."""
        return self._given.columns

    @property
    def types(self) -> tuple[ColumnType | None, ...]:
        """The types of these columns, where they are known; empty if none is."""
        return self._given.types

    @property
    def reached(self) -> float | None:
        """Where the target is a number: what the instance has of it, a probability, a score or a prediction."""
        return self._given.reached

    @property
    def probability(self) -> float | None:
        """The probability of the predicted class; None where the model has no probabilities."""
        return self._given.probability

    @property
    def plausibility(self) -> float | None:
        """The share of the data that is at most as likely as the instance; None where no data were given."""
        return self._given.plausibility

    @property
    def limited_by(self) -> str | None:
        """What may have kept change sets out of the list: the status, or a choice of some; None: nothing."""
        if not self.complete:
            return self.status
        chosen = self.diversity is not None and len(self.sets) < self.diversity.of
        return f"a choice of {len(self.sets)} that differ" if chosen else None

    @property
    def at_target(self) -> bool:
        """Did the instance have the wanted class from the beginning? Rows of a batch may."""
        return self.target == self.prediction

    @property
    def all_values(self) -> bool:
        """Does each change set come with all values that flip the decision, or with the best?"""
        return self.select == "all"

    @property
    def cells(self) -> Sequence[Any]:
        """The instance by feature, as it was given; the names of values where a feature has no cell of its own."""
        cells = self._cells
        return self.labels if cells is None else cells

    @cached_property
    def _cells(self) -> Sequence[Any] | None:
        return self.source.cells()

    @property
    def scales(self) -> dict[str, UsedScale]:
        """Where costs are distances: by feature, the number that distances are divided by, and what it is: "mad", "std"
        or "range" of the data, "given", or, where that is 0, "mean absolute deviation", "range" or "constant".
        """
        return self.costs.scales

    @property
    def cost(self) -> tuple[float, ...]:
        """What changing each feature costs."""
        return self.costs.given

    @cached_property
    def _listed(self) -> list[Counterfactual]:
        """With ``select="all"``: everything, set by set."""
        return [cf for change_set in self.sets for cf in self.source.built(change_set)]

    def of_set(self, change_set: tuple[int, ...]) -> list[Counterfactual]:
        """The counterfactuals of one of the sets."""
        return list(self.source.built(change_set))

    def __len__(self) -> int:
        return len(self._listed) if self.all_values else len(self.sets)

    def __getitem__(self, index: Any) -> Any:
        if self.all_values:
            return self._listed[index]
        if isinstance(index, slice):
            return [cf for change_set in self.sets[index] for cf in self.source.built(change_set)]
        (cf,) = self.source.built(self.sets[index])
        return cf

    def __iter__(self) -> Iterator[Counterfactual]:
        return itertools.chain.from_iterable(map(self.source.built, self.sets))
