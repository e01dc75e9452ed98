"""The kinds of constraints, one class each. `KINDS` lists them; a new kind is a class and a line there.

A constraint states what a counterfactual may do, as the user or the model gave it. Each class defines how it restricts
a feature, how it reads in a sentence, how a certificate states it, and which entries of ``allowed=`` it is read from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from symcf.common.text import one_line, plain
from symcf.data.labels import code_of
from symcf.data.numbers import NumberLine
from symcf.data.phrases import quoted, region_words, spoken, value_phrase
from symcf.data.regions import Region, number_text
from symcf.data.types import ColumnType
from symcf.errors import FileError, OptionError
from symcf.question.comparisons import points_of

__all__ = [
    "ANY",
    "DOWN",
    "FIXED",
    "KINDS",
    "UP",
    "Column",
    "Constraint",
    "Immutable",
    "MaxChanges",
    "Permitted",
    "Plausible",
    "Related",
    "RowConstraint",
    "TriedValues",
    "constraint_from_dict",
]

#: The directions in which a feature may move.
ANY, UP, DOWN, FIXED = 0, 1, 2, 3

DIRECTIONS = {"increase": UP, "decrease": DOWN}


@dataclass(frozen=True)
class Column:
    """A feature, for reading what the user gave for it."""

    feature: int
    name: str
    values: Sequence[Hashable]
    ordered: bool = True
    #: By code, the numbers that the value stands for; None where values are not ranges of numbers.
    regions: Mapping[int, Region] | None = None

    @property
    def option(self) -> str:
        """The name of its entry, for errors."""
        return f"allowed[{self.name!r}]"

    def labels(self, codes: Iterable[int]) -> tuple[Hashable, ...]:
        """The names of some values."""
        return tuple(self.values[code] for code in codes)


class Permitted:
    """What one feature may become. Constraints narrow it."""

    def __init__(self, values: Sequence[Hashable], suggested: Sequence[bool] | None = None) -> None:
        line = values if isinstance(values, NumberLine) else None
        #: By code, whether the value may be taken; None for a column of numbers.
        self.mask = None if line is not None else np.ones(len(values), dtype=np.bool_)
        if suggested is not None:
            self.mask = np.array(suggested, dtype=np.bool_)
        #: The ends of the range of a column of numbers.
        self.low, self.high = (0.0, 0.0) if line is None else (line.low, line.high)
        #: ANY, UP, DOWN or FIXED.
        self.direction = ANY
        #: By code of the row, masks that depend on it.
        self.by_row: list[Callable[[int], npt.NDArray[np.bool_]]] = []
        #: The codes of missing and unknown values: nothing is above them or below.
        self.special: frozenset[int] = frozenset()

    def fix(self) -> None:
        """The feature keeps its value."""
        self.direction = FIXED

    def move(self, direction: int) -> None:
        """The feature moves in one direction only; both at once leave nothing."""
        self.direction = direction if self.direction in (ANY, direction) else FIXED

    def only(self, codes: Iterable[int]) -> None:
        """The feature takes one of these values."""
        assert self.mask is not None, "a column of numbers has too many values to list"
        listed = np.zeros(len(self.mask), dtype=np.bool_)
        listed[list(codes)] = True
        self.mask = self.mask & listed

    def between(self, low: float, high: float) -> None:
        """The number of the feature lies in this range."""
        self.low, self.high = max(self.low, low), min(self.high, high)

    @property
    def depends(self) -> bool:
        """Does what may be taken depend on the row?"""
        return bool(self.by_row) or self.direction in (UP, DOWN)

    @property
    def always(self) -> npt.NDArray[np.bool_]:
        """By code, whether the value may be taken by some row, if its direction allows that."""
        assert self.mask is not None, "a column of numbers has too many values to list"
        return self.mask & (self.direction != FIXED)

    @property
    def astray(self) -> frozenset[int]:
        """The codes from which the core, which knows codes alone, would move in the direction although none leads away
        from them.
        """
        if self.direction not in (UP, DOWN) or self.mask is None:
            return frozenset()
        open_codes = np.flatnonzero(self.mask)
        ahead = {s: (open_codes > s if self.direction == UP else open_codes < s).any() for s in self.special}
        return frozenset(s for s, some in ahead.items() if some)

    def for_row(self, own: int) -> npt.NDArray[np.bool_]:
        """By code, whether the value may be taken by a row with this code.

        `symcf.verify` has a definition of its own: it shares no code with what it checks.
        """
        mask = self.always
        if own in self.special and self.direction in (UP, DOWN):
            return np.zeros_like(mask)
        for of_row in self.by_row:
            mask &= of_row(own)
        if self.direction == UP:
            mask[: own + 1] = False
        elif self.direction == DOWN:
            mask[own:] = False
        return mask


@dataclass(frozen=True)
class Constraint:
    """One constraint of a question. A subclass is one kind."""

    #: The name of the kind, in files and on the command line.
    kind: ClassVar[str]
    #: Its text, and its phrase in a sentence: "age may not change". {name}, {value} and {labels} are filled in.
    text: ClassVar[str]
    clause: ClassVar[str]
    #: The sentence of a letter that mentions it; a key of its wording, with {value} filled in.
    letter: ClassVar[str] = "allowed"
    #: Did the user state it? Others come from the model or from the types of columns.
    stated: ClassVar[bool] = True
    #: May it be given up, where constraints leave no counterfactual?
    removable: ClassVar[bool] = True
    #: Does it hold a feature whatever its values are?
    locks: ClassVar[bool] = False
    #: Does it list values that may be taken, those that stand for missing ones included?
    lists: ClassVar[bool] = False
    #: Does it restrict changes to the values that are tried, of many more?
    tries: ClassVar[bool] = False
    #: Is its phrase a noun phrase, 'the rule "..."', and not a clause?
    is_rule: ClassVar[bool] = False
    #: Do certificates state it in a part of their own, and not in their list of constraints?
    apart: ClassVar[bool] = False

    #: The feature it is about; None where it is about all of them.
    feature: int | None = None
    name: str | None = None
    #: The value codes or the direction allowed, the number of changes, the relation, or how plausible rows have to be.
    value: Any = None
    #: The values allowed, as the user knows them.
    labels: tuple[Hashable, ...] = ()
    #: For a range of numbers, its ends: within the values allowed, only numbers between them are.
    limits: tuple[float, float] | None = None
    #: Where ranges of numbers may become one of several numbers, these.
    points: tuple[float, ...] = ()

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        """The constraint of an entry of ``allowed=``; None if the entry is of another kind."""
        return None

    def restrict(self, permitted: Permitted) -> None:
        """Narrows what its feature may become; nothing where it is about all features."""

    @property
    def fixes(self) -> bool:
        """Does it leave its feature as it is?"""
        return self.locks

    @property
    def max_changes(self) -> int | None:
        """The number of changes that it allows; None for any number."""
        return None

    @property
    def relation(self) -> Any:
        """What it requires of several features at once; None for nothing."""
        return None

    def __str__(self) -> str:
        labels = ", ".join(map(str, self.labels)) or "nothing"
        return self.text.format(name=self.name, value=self.value, labels=labels)

    def phrase(self) -> str:
        """The constraint as a clause: "age may not change"."""
        labels = " or ".join(map(value_phrase, self.labels))
        return self.clause.format(name=quoted(self.name), value=one_line(self.value), labels=labels)

    def certificate(self) -> dict[str, Any]:
        """What certificates state: the kind, the feature, and codes or ranges of numbers; nothing where they state it
        of the column. `OptionError` if they cannot.
        """
        raise OptionError(f"certificate: there is none for a question with {self}; leave that out")

    def to_dict(self) -> dict[str, Any]:
        """As JSON, with its text."""
        limits = None if self.limits is None else [end if math.isfinite(end) else None for end in self.limits]
        return {
            "kind": self.kind,
            "feature": self.feature,
            "name": self.name,
            "value": list(self.value) if isinstance(self.value, tuple) else plain(self.value),
            "labels": [plain(label) for label in self.labels],
            **({} if limits is None else {"limits": limits}),
            **({"points": list(self.points)} if self.points else {}),
            "text": str(self),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        value, limits = data["value"], data.get("limits")
        low, high = (None, None) if limits is None else limits
        ends = -math.inf if low is None else float(low), math.inf if high is None else float(high)
        return cls(
            data["feature"],
            data["name"],
            tuple(value) if isinstance(value, list) else value,
            tuple(data["labels"]),
            None if limits is None else ends,
            tuple(map(float, data.get("points", ()))),
        )


class Immutable(Constraint):
    """A feature keeps its value."""

    kind, letter = "immutable", "fixed"
    text, clause = "{name} is immutable", "{name} may not change"
    locks = lists = True

    def restrict(self, permitted: Permitted) -> None:
        permitted.fix()

    def certificate(self) -> dict[str, Any]:
        return {"kind": "immutable", "feature": self.feature}


class Direction(Constraint):
    """A feature only increases, or only decreases."""

    kind, letter = "direction", "{value}"
    text = clause = "{name} may only {value}"

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        if not isinstance(given, str):
            return None
        if given not in DIRECTIONS:
            raise OptionError(
                f"{column.option}: {given!r} is not a direction: give 'increase', 'decrease' or a list of values"
            )
        if not column.ordered:
            raise OptionError(f"{column.option}: its values have no order to {given} in")
        return cls(column.feature, column.name, given)

    def restrict(self, permitted: Permitted) -> None:
        permitted.move(DIRECTIONS[self.value])

    def certificate(self) -> dict[str, Any]:
        return {"kind": self.value, "feature": self.feature}


class Interval(Constraint):
    """A number of a column of numbers lies in a range; its labels are the ends."""

    kind = "interval"
    lists = True

    def __str__(self) -> str:
        return f"{self.name} allows only {self.labels[0]} to {self.labels[1]}"

    def phrase(self) -> str:
        return f"{quoted(self.name)} must be between {spoken(self.labels[0])} and {spoken(self.labels[1])}"

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        line = column.values
        if not isinstance(line, NumberLine):
            return None
        low, high = line.interval(given, column.option)
        return cls(column.feature, column.name, (line.code(low), line.code(high)), (low, high))

    def restrict(self, permitted: Permitted) -> None:
        permitted.between(*self.labels)  # type: ignore[arg-type]

    def certificate(self) -> dict[str, Any]:
        return {"kind": "allowed", "feature": self.feature, "ranges": [self.labels]}


class Allowed(Constraint):
    """A feature takes one of several values."""

    kind = "allowed"
    text, clause = "{name} allows only {labels}", "{name} may only become {labels}"
    lists = True

    @property
    def fixes(self) -> bool:
        return not self.value

    def phrase(self) -> str:
        return super().phrase() if self.value else f"{quoted(self.name)} may not take any other value"

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        try:
            listed = list(given)
        except TypeError:
            raise OptionError(f"{column.option} must be a direction or values, not {given!r}") from None
        codes = tuple(code_of(value, column.values, column.option, "its values") for value in listed)
        return cls(column.feature, column.name, codes, column.labels(codes))

    def restrict(self, permitted: Permitted) -> None:
        permitted.only(self.value)

    def certificate(self) -> dict[str, Any]:
        return {"kind": "allowed", "feature": self.feature, "codes": sorted(set(map(int, self.value)))}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        if not isinstance(data["value"], list):
            raise FileError(f"a constraint of the kind {cls.kind!r} lists value codes, not {data['value']!r}")
        return super().from_dict(data)


class Numbers(Allowed):
    """Where values are ranges of numbers: the feature takes one of three or more numbers."""

    kind = "numbers"

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        points = points_of(given, column.regions)
        if points is None or column.regions is None or set(given) <= set(column.values):
            return None
        by_number = {r.first: code for code, r in column.regions.items() if r.first == r.last and not r.empty}
        if not by_number.keys() >= set(points):
            return None
        codes = tuple(by_number[point] for point in points)
        return cls(column.feature, column.name, codes, tuple(map(number_text, points)), points=points)

    def certificate(self) -> dict[str, Any]:
        return {"kind": "allowed", "feature": self.feature, "ranges": [(point, point) for point in self.points]}


class Range(Allowed):
    """Where values are ranges of numbers: the number lies between two ends, of which one may be None."""

    kind = "range"

    @property
    def fixes(self) -> bool:
        return False

    def __str__(self) -> str:
        assert self.limits is not None
        return f"{self.name} allows only {region_words(Region(*self.limits))}"

    def phrase(self) -> str:
        assert self.limits is not None
        if not self.value:
            return super().phrase()
        low, high = (None if math.isinf(end) else spoken(end) for end in self.limits)
        if low is None or high is None:
            return f"{quoted(self.name)} must be " + (f"at most {high}" if low is None else f"at least {low}")
        return f"{quoted(self.name)} must be between {low} and {high}"

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        if column.regions is None or (limits := _limits(column, given)) is None:
            return None
        here = Region(*limits)
        codes = tuple(code for code, region in column.regions.items() if not region.within(here).empty)
        if not codes and len(given) != 2:
            return None
        return cls(column.feature, column.name, codes, column.labels(codes), limits)

    def certificate(self) -> dict[str, Any]:
        return {"kind": "allowed", "feature": self.feature, "ranges": [self.limits]}


def _limits(column: Column, given: Any) -> tuple[float, float] | None:
    """The ends of [least, greatest], of which one may be None, of one number, or of True and False; None for others,
    and where the ends are values themselves and no other value lies between them.
    """
    listed = isinstance(given, (list, tuple, np.ndarray)) and len(given) in (1, 2)
    if not listed or not all(end is None or isinstance(end, (Real, Decimal, np.number, np.bool_)) for end in given):
        return None
    if set(given) <= set(column.values) and not (column.regions and _is_between(given, column.regions.values())):
        return None
    if len(given) == 1 or all(isinstance(end, (bool, np.bool_)) for end in given):
        return (float(min(given)), float(max(given))) if None not in given else None
    low = -math.inf if given[0] is None else float(given[0])
    high = math.inf if given[1] is None else float(given[1])
    if not low <= high:
        raise OptionError(f"{column.option}: a range is [least, greatest], not {list(given)!r}")
    return low, high


def _is_between(ends: Sequence[Any], regions: Iterable[Region]) -> bool:
    """Does one of these ranges lie between two numbers?"""
    low, high = min(ends), max(ends)
    return any(low < region.first and region.last < high for region in regions)


class Implied(Allowed):
    """All values of a feature but some that are not taken unless the user lists them."""

    stated = lists = fixes = False

    def phrase(self) -> str:
        return Constraint.phrase(self)

    @classmethod
    def read(cls, column: Column, given: Any) -> Self | None:
        return None

    @classmethod
    def but(cls, column: Column, without: Iterable[int]) -> Self:
        """All values but these."""
        others = set(without)
        codes = tuple(code for code in range(len(column.values)) if code not in others)
        return cls(column.feature, column.name, codes, column.labels(codes))

    def certificate(self) -> dict[str, Any]:
        return {"kind": "excluded", "feature": self.feature, "all_but": sorted(set(map(int, self.value)))}


class OfColumn(Implied):
    """What the type of a column allows."""

    def certificate(self) -> dict[str, Any]:
        return {}


class NotMissing(Implied):
    """A feature does not become missing."""

    kind = "missing"
    text, clause = "{name} must not become missing", "{name} may not become missing"


class Known(Implied):
    """A feature takes a value that is one of the categories."""

    kind = "unknown"
    text = clause = "{name} must be a known value"


class Whole(OfColumn):
    """The column holds whole numbers."""

    kind = "whole"
    text = clause = "{name} must be a whole number"


class Boolean(OfColumn):
    """The column holds truth values."""

    kind = "boolean"
    text = clause = "{name} must be 0 or 1"


class Short(OfColumn):
    """The column holds floats of fewer than 64 bits."""

    kind = "short"
    text = clause = "{name} must be a number of the precision of its column"


def of_type(column: Column, held: ColumnType, barren: Iterable[int]) -> Constraint:
    """The values of a column of some type, without those that contain no number of the type."""
    kind: type[OfColumn] = Short if not held.is_whole else Boolean if held.kind == "b" else Whole
    return kind.but(column, barren)


class RowConstraint(Constraint):
    """A feature may become what depends on its value in the row. Subclasses define `allows`."""

    def allows(self, old: int, new: int) -> bool:
        """May the feature change from one value code to another?"""
        raise OptionError(f"{type(self).__name__} does not define which changes it allows")

    def restrict(self, permitted: Permitted) -> None:
        if permitted.mask is None:
            raise OptionError(f"{self}: this is not supported for columns of numbers; give a range with allowed=")
        n_values = len(permitted.mask)
        permitted.by_row.append(lambda old: np.array([self.allows(old, new) for new in range(n_values)]))


class MaxChanges(Constraint):
    """At most so many features change."""

    kind, letter = "max_changes", "most_changes"
    text = "max_changes={value}"
    apart = True

    @property
    def max_changes(self) -> int:
        return int(self.value)

    def phrase(self) -> str:
        if self.value == 0:
            return "nothing may change"
        return f"only {self.value:,} feature{'s' * (self.value != 1)} may change"


class Related(Constraint):
    """A relation between features, or between the numbers of two columns; in files, its text."""

    kind, letter = "relation", "relations"
    text, clause = "{value}", 'the rule "{value}"'
    is_rule = apart = True

    @property
    def relation(self) -> Any:
        return self.value


class Plausible(Constraint):
    """Rows are at least as likely as a share of the data; in files, the share."""

    kind, letter = "plausibility", "relations"

    def __str__(self) -> str:
        return f"plausibility >= {float(self.share):g}"

    @property
    def share(self) -> Fraction:
        """The share of the data."""
        return Fraction(getattr(self.value, "share", self.value))

    @property
    def relation(self) -> Any:
        return self.value

    def phrase(self) -> str:
        return f"rows may not be less likely than {float(100 * self.share):g}% of the data"

    def certificate(self) -> dict[str, Any]:
        return dict(self.value.certificate())

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {"value": str(self.share)}


class TriedValues(Constraint):
    """A black-box model is tried on some values of its columns."""

    kind = "values"
    text, clause = "only the values that are tried count", "only values that were tried count"
    stated = removable = False
    tries = True


#: All kinds. Entries of ``allowed=`` are read by the first that takes them.
KINDS: list[type[Constraint]] = [
    *(Immutable, Direction, Interval, Numbers, Range, Allowed),
    *(NotMissing, Known, Whole, Boolean, Short),
    *(MaxChanges, Related, Plausible, TriedValues),
]


def constraint_from_dict(data: Mapping[str, Any]) -> Constraint:
    """The inverse of `Constraint.to_dict`; also reads what earlier versions wrote."""
    data = _renewed(data)
    for kind in KINDS:
        if kind.kind == data["kind"]:
            return kind.from_dict(data)
    raise FileError(f"a constraint is of the kind {data['kind']!r}, which is not one of {[k.kind for k in KINDS]}")


def _renewed(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Before version 3 of the format, every entry of ``allowed=`` was of the kind "allowed"."""
    value = data["value"]
    if data["kind"] != Allowed.kind:
        return data
    if data.get("limits") is not None:
        return {**data, "kind": Range.kind}
    if data.get("points"):
        return {**data, "kind": Numbers.kind}
    if not isinstance(value, str):
        return data
    if value in DIRECTIONS:
        return {**data, "kind": Direction.kind}
    first, *end = map(int, re.findall(r"-?\d+", value))  # "range(first, end)"
    return {**data, "kind": Interval.kind, "value": [first, end[0] - 1]}
