"""Constraints: immutable features, allowed values, directions, the number of changes, and relations.

Engines see one mask ("may feature j become value v?"), one number, and a diagram of what the relations allow. Users
see a list of constraints, each of which may be the one that stands in the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.common.options import checked_count
from symcf.data.labels import by_feature, code_of, feature_indices
from symcf.data.numbers import NumberLine
from symcf.data.regions import Region, number_text
from symcf.data.types import ColumnType
from symcf.errors import OptionError
from symcf.question.comparisons import points_of
from symcf.question.likely import Likely

if TYPE_CHECKING:
    from symcf.question.relations import Relations

__all__ = ["TYPED", "Constraint", "Constraints", "minimal_relaxation"]

DIRECTIONS = ("increase", "decrease")

#: The kinds of constraints that come from the type of a column, and what it holds.
TYPED = {
    "whole": "a whole number",
    "boolean": "0 or 1",
    "short": "a number of the precision of its column",
}


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint, as the user gave it."""

    #: "immutable", "allowed", "missing", "unknown", "max_changes", "relation", "plausibility", "values", or of `TYPED`.
    kind: str
    #: The feature it is about; None for the last four.
    feature: int | None
    name: str | None
    #: The value codes or the direction allowed, the number of changes, the relation, or how plausible rows have to be.
    value: Any = None
    #: The values allowed, as the user knows them.
    labels: tuple[Hashable, ...] = ()
    #: For a range of numbers, its ends: within the values allowed, only numbers between them are.
    limits: tuple[float, float] | None = None
    #: Where ranges of numbers may become one of several numbers, these.
    points: tuple[float, ...] = ()

    def __str__(self) -> str:
        if self.kind == "max_changes":
            return f"max_changes={self.value}"
        if self.kind in ("relation", "plausibility"):
            return str(self.value)
        if self.kind == "values":
            return "only the values that are tried count"
        if self.kind == "immutable":
            return f"{self.name} is immutable"
        if self.kind == "missing":
            return f"{self.name} must not become missing"
        if self.kind == "unknown":
            return f"{self.name} must be a known value"
        if self.kind in TYPED:
            return f"{self.name} must be {TYPED[self.kind]}"
        if isinstance(self.value, str):
            return f"{self.name} may only {self.value}"
        if isinstance(self.value, range):
            return f"{self.name} allows only {self.labels[0]} to {self.labels[1]}"
        if self.limits is not None:
            return f"{self.name} allows only {Region(*self.limits)}"
        return f"{self.name} allows only {', '.join(map(str, self.labels)) or 'nothing'}"


class Constraints:
    """The constraints of one query, resolved to features and value codes."""

    def __init__(
        self,
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        ordered: Sequence[bool] | None = None,
        *,
        immutable: Any = (),
        allowed: Mapping[Any, Any] | None = None,
        max_changes: int | None = None,
        relations: Relations | None = None,
        missing: Sequence[int | None] = (),
        unknown: Sequence[int | None] = (),
        regions: Sequence[Mapping[int, Region] | None] | None = None,
        suggested: Sequence[Sequence[bool]] | None = None,
    ) -> None:
        """``missing`` and ``unknown`` have by feature the code of missing values, and of those that are none of the
        categories; they are taken only where ``allowed`` lists them.
        ``regions`` has by feature and code the numbers that the value stands for; None where values are not ranges.
        ``suggested`` tells by feature and code which values are taken at all, where a classifier is asked.
        """
        self._suggested = suggested
        self._regions = [None] * len(features) if regions is None else regions
        self._features = features
        self._values = values
        self._ordered = (True,) * len(features) if ordered is None else ordered
        self._relations = relations
        self.max_changes = checked_count(max_changes, "max_changes", least=0)
        self.items: list[Constraint] = [
            Constraint("immutable", j, features[j]) for j in feature_indices(immutable, features, "immutable")
        ]
        self.items += self._parse_allowed(allowed)
        listed = {c.feature for c in self.items if c.value not in DIRECTIONS}
        self.items += self._all_but("missing", missing, listed)
        self.items += self._all_but("unknown", unknown, listed)
        if self.max_changes is not None:
            self.items.append(Constraint("max_changes", None, None, self.max_changes))
        if relations is not None:
            self.items += [Constraint(_kind(relation), None, None, relation) for relation in relations.items]
        if suggested is not None:
            self.items.append(Constraint("values", None, None))
        #: By place among the items, what they permit whatever the old value is; None for directions.
        self._permitted = [self._whatever_the_old(c) for c in self.items]

    def held_by(self, without: Mapping[int, tuple[ColumnType, Collection[int]]]) -> Constraints:
        """The same where columns have types: by feature, its type and the values without a number of that type."""
        both = copy(self)
        for j, (kind, barren) in without.items():
            codes = tuple(code for code in range(len(self._values[j])) if code not in barren)
            labels = tuple(self._values[j][code] for code in codes)
            word = "whole" if kind.kind in "iu" else "boolean" if kind.kind == "b" else "short"
            both.items = [*both.items, Constraint(word, j, self._features[j], codes, labels)]
            both._permitted = [*both._permitted, both._whatever_the_old(both.items[-1])]
        return both

    def _parse_allowed(self, allowed: Mapping[Any, Any] | None) -> Iterable[Constraint]:
        if allowed is None:
            return
        if not isinstance(allowed, Mapping):
            raise OptionError(f"allowed must map features to values or to a direction, not {allowed!r}")
        for j, what in by_feature(allowed, self._features, "allowed").items():
            line = self._values[j]
            if isinstance(line, NumberLine) and not isinstance(what, str):
                ends = line.interval(what, f"allowed[{self._features[j]!r}]")
                codes = range(line.code(ends[0]), line.code(ends[1]) + 1)
                yield Constraint("allowed", j, self._features[j], codes, ends)
                continue
            regions = self._regions[j]
            points = points_of(what, regions)
            if points is not None and not set(what) <= set(self._values[j]):
                by_number = {r.first: code for code, r in (regions or {}).items() if r.first == r.last and not r.empty}
                if by_number.keys() >= set(points):
                    some = tuple(by_number[point] for point in points)
                    shown = tuple(map(number_text, points))
                    yield Constraint("allowed", j, self._features[j], some, shown, points=points)
                    continue
            if regions is not None and (limits := self._limits(j, what)) is not None:
                here = Region(*limits)
                some = tuple(code for code, region in regions.items() if not region.within(here).empty)
                inside = tuple(self._values[j][code] for code in some)
                if some or len(what) == 2:
                    yield Constraint("allowed", j, self._features[j], some, inside, limits)
                    continue
            codes = self._checked_values(j, what)
            labels = () if isinstance(codes, str) else tuple(self._values[j][code] for code in codes)
            yield Constraint("allowed", j, self._features[j], codes, labels)

    def _all_but(self, kind: str, codes: Sequence[int | None], listed: Collection[int | None]) -> Iterable[Constraint]:
        """By feature that is not listed: all values but the one with this code."""
        for j, code in enumerate(codes):
            if code is not None and j not in listed and not isinstance(self._values[j], NumberLine):
                others = tuple(v for v in range(len(self._values[j])) if v != code)
                yield Constraint(kind, j, self._features[j], others, tuple(self._values[j][v] for v in others))

    def _whatever_the_old(self, constraint: Constraint) -> npt.NDArray[np.uint8] | None:
        if constraint.feature is None or isinstance(constraint.value, str):
            return None
        if isinstance(self._values[constraint.feature], NumberLine):
            return None  # too many values to list: see `symcf.question.gains`
        permitted = np.zeros(len(self._values[constraint.feature]), dtype=np.uint8)
        if constraint.kind != "immutable":
            permitted[list(constraint.value)] = 1
        return permitted

    def _limits(self, j: int, what: Any) -> tuple[float, float] | None:
        """The ends of a range of numbers, [least, greatest], of which one may be None, or of one number, or of True and
        False; None for anything else.
        """
        listed = isinstance(what, (list, tuple, np.ndarray)) and len(what) in (1, 2)
        if not listed or set(what) <= set(self._values[j]):
            return None
        if not all(end is None or isinstance(end, (Real, Decimal, np.number, np.bool_)) for end in what):
            return None
        if len(what) == 1 or all(isinstance(end, (bool, np.bool_)) for end in what):
            return (float(min(what)), float(max(what))) if None not in what else None
        low = -math.inf if what[0] is None else float(what[0])
        high = math.inf if what[1] is None else float(what[1])
        if not low <= high:
            raise OptionError(f"allowed[{self._features[j]!r}]: a range is [least, greatest], not {list(what)!r}")
        return low, high

    @property
    def limits(self) -> dict[int, Region]:
        """By feature, the range that its numbers have to be in."""
        return self.limits_without(())

    def limits_without(self, left_out: Sequence[Constraint]) -> dict[int, Region]:
        """The same without some of the constraints."""
        found: dict[int, Region] = {}
        for c in self.items:
            if c.feature is not None and c.limits is not None and c not in left_out:
                found[c.feature] = Region(*c.limits)
        return found

    def directions_without(self, left_out: Sequence[Constraint]) -> dict[int, bool]:
        """By feature that may move in one direction only and is not immutable: is that upwards? Without some of the
        constraints.
        """
        items = [c for c in self.items if c.feature is not None and c not in left_out]
        fixed = {c.feature for c in items if c.kind == "immutable"}
        return {
            c.feature: c.value == DIRECTIONS[0]
            for c in items
            if c.feature is not None and c.feature not in fixed and isinstance(c.value, str)
        }

    def _checked_values(self, j: int, what: Any) -> Any:
        if isinstance(what, str):
            if what in DIRECTIONS and not self._ordered[j]:
                raise OptionError(f"allowed[{self._features[j]!r}]: its values have no order to {what} in")
            if what not in DIRECTIONS:
                raise OptionError(
                    f"allowed[{self._features[j]!r}]: {what!r} is not a direction: give 'increase', 'decrease' or a "
                    f"list of values"
                )
            return what
        try:
            given = list(what)
        except TypeError:
            raise OptionError(f"allowed[{self._features[j]!r}] must be a direction or values, not {what!r}") from None
        option, labels = f"allowed[{self._features[j]!r}]", self._values[j]
        return tuple(code_of(value, labels, option, "its values") for value in given)

    def mask(self, x: Sequence[int], without: Iterable[Constraint] = ()) -> npt.NDArray[np.uint8] | None:
        """By feature and value, whether it may be taken; None if all may. Constraints in `without` are left out."""
        left_out = set(without)
        active = [i for i, c in enumerate(self.items) if c.feature is not None and c not in left_out]
        if not active and self._suggested is None:
            return None
        masks = [np.ones(len(labels), dtype=np.uint8) for labels in self._values]
        if self._suggested is not None:
            masks = [np.array(fine, dtype=np.uint8) for fine in self._suggested]
        for i in active:
            constraint, permitted = self.items[i], self._permitted[i]
            j = constraint.feature
            assert j is not None
            masks[j] &= _onwards(constraint.value, int(x[j]), len(masks[j])) if permitted is None else permitted
        return np.concatenate(masks)

    def static_mask(self) -> tuple[npt.NDArray[np.uint8] | None, npt.NDArray[np.uint8] | None]:
        """The part of `mask` that is the same for every instance, and the directions (0: any, 1: up, 2: down)."""
        mask = np.ones(sum(map(len, self._values)), dtype=np.uint8)
        direction = np.zeros(len(self._values), dtype=np.uint8)
        offset = np.concatenate([[0], np.cumsum([len(labels) for labels in self._values])])
        for constraint, permitted in zip(self.items, self._permitted, strict=True):
            if constraint.feature is None:
                continue
            start, end = offset[constraint.feature], offset[constraint.feature + 1]
            if permitted is None:
                wanted = 1 + DIRECTIONS.index(constraint.value)
                if direction[constraint.feature] not in (0, wanted):
                    mask[start:end] = 0  # both directions at once leave nothing
                direction[constraint.feature] = wanted
            else:
                mask[start:end] &= permitted
        return (None if mask.all() else mask), (direction if direction.any() else None)

    def most_changes(self, without: Iterable[Constraint] = ()) -> int | None:
        """The number of changes allowed; None for any number."""
        return None if any(c.kind == "max_changes" for c in without) else self.max_changes

    def most_relations(self, without: Iterable[Constraint] = ()) -> Relations | None:
        """The relations that remain; None if there are none."""
        if self._relations is None:
            return None
        left_out = {c.value for c in without if c.kind in ("relation", "plausibility")}
        return self._relations.keeping([relation for relation in self._relations.items if relation not in left_out])


def _kind(relation: Any) -> str:
    return "plausibility" if isinstance(relation, Likely) else "relation"


def _onwards(direction: str, old: int, n_values: int) -> npt.NDArray[np.uint8]:
    """The values in this direction. `symcf.verify` has a twin of its own: it shares no code with what it checks."""
    codes = np.arange(n_values)
    return (codes > old if direction == "increase" else codes < old).astype(np.uint8)


def minimal_relaxation(
    items: Sequence[Constraint], solvable: Callable[[Sequence[Constraint]], bool]
) -> tuple[Constraint, ...]:
    """A minimal set of constraints without which a counterfactual exists; empty if none exists even then.

    ``solvable(left_out)`` answers for the query without these constraints. It first leaves out all of them and
    then restores each one, in order, that is not needed, so leaving out fewer than the result is not enough. Those that
    can be restored all together are, which takes few questions where few constraints stand in the way. Often it is
    the last one alone, the number of changes.
    """
    if items and solvable(items[-1:]):
        return tuple(items[-1:])
    if not solvable(list(items)):
        return ()
    needed: list[Constraint] = []
    parts = [list(items)]  # what is not restored yet, the next part last
    while parts:
        part = parts.pop()
        if solvable([*needed, *(item for later in reversed(parts) for item in later)]):
            continue
        if len(part) == 1:
            needed += part
        else:
            middle = len(part) // 2
            parts += [part[middle:], part[:middle]]
    return tuple(needed)
