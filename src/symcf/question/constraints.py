"""The constraints of a question: what each feature may become, the number of changes, and relations.

Engines see one mask ("may feature j become value v?"), one number, and a diagram of what the relations allow. Users
see a list of constraints, each of which may be the one that stands in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import cached_property
from symcf.common.options import checked_count
from symcf.data.labels import by_feature, feature_indices
from symcf.data.numbers import NumberLine
from symcf.data.regions import Region
from symcf.data.types import ColumnType
from symcf.errors import OptionError
from symcf.question.constraint_kinds import (
    DOWN,
    FIXED,
    KINDS,
    UP,
    Column,
    Constraint,
    Immutable,
    Known,
    MaxChanges,
    NotMissing,
    Permitted,
    TriedValues,
    of_type,
)

if TYPE_CHECKING:
    from symcf.question.relations import Relations

__all__ = ["Constraint", "Constraints", "minimal_relaxation"]


#: For classifiers without features: a mask of no values.
_NOTHING = np.zeros(0, dtype=bool)


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
        regions: Callable[[], Sequence[Mapping[int, Region] | None]] | None = None,
        suggested: Sequence[Sequence[bool]] | None = None,
    ) -> None:
        """``missing`` and ``unknown``: by feature, the code of missing values, and of values outside the categories.
        Both are suggested only where ``allowed`` lists them.
        ``regions`` gives, by feature and code, the numbers that the value stands for; None where values are not ranges.
        ``suggested``: by feature and code, whether the value may be suggested; None where all may.
        """
        n = len(features)
        self._features, self._values, self._ordered, self._regions = features, values, ordered, regions
        self._suggested = suggested
        special = [[some[j] for some in (missing, unknown) if j < len(some)] for j in range(n)]
        self._special = [frozenset(code for code in codes if code is not None) for codes in special]
        self._relations = relations
        self._permitted: list[Permitted] | None = None
        self.max_changes = checked_count(max_changes, "max_changes", least=0)
        self.items: list[Constraint] = []
        if not isinstance(immutable, tuple) or immutable:
            self.items += [Immutable(j, features[j]) for j in feature_indices(immutable, features, "immutable")]
        self.items += self._read(allowed)
        listed = {c.feature for c in self.items if c.lists}
        self.items += [NotMissing.but(column, [code]) for column, code in self._codes(missing, listed)]
        self.items += [Known.but(column, [code]) for column, code in self._codes(unknown, listed)]
        if self.max_changes is not None:
            self.items.append(MaxChanges(value=self.max_changes))
        if relations is not None:
            self.items += [relation.constraint for relation in relations.items]
        if suggested is not None:
            self.items.append(TriedValues())

    @cached_property
    def _columns(self) -> list[Column]:
        """The features, for reading what was given for them."""
        n = len(self._features)
        regions = (None,) * n if self._regions is None else self._regions()
        found = zip(self._features, self._values, self._ordered or (True,) * n, regions, strict=True)
        return [Column(j, *of_column) for j, of_column in enumerate(found)]

    def _read(self, allowed: Mapping[Any, Any] | None) -> Iterable[Constraint]:
        if allowed is None:
            return
        if not isinstance(allowed, Mapping):
            raise OptionError(f"allowed must map features to values or to a direction, not {allowed!r}")
        for j, given in by_feature(allowed, self._features, "allowed").items():
            found = (kind.read(self._columns[j], given) for kind in KINDS)
            yield next(constraint for constraint in found if constraint is not None)

    def _codes(self, codes: Sequence[int | None], listed: Collection[int | None]) -> Iterable[tuple[Column, int]]:
        """The features that are not listed, with their codes."""
        for j, code in enumerate(codes):
            if code is not None and j not in listed and not isinstance(self._values[j], NumberLine):
                yield self._columns[j], code

    def held_by(self, without: Mapping[int, tuple[ColumnType, Collection[int]]]) -> Constraints:
        """The same where columns have types: by feature, its type and the values without a number of that type."""
        both = copy(self)
        both.items = [*self.items, *(of_type(self._columns[j], *typed) for j, typed in without.items())]
        both._permitted = None
        return both

    def of_rows(self) -> Constraints:
        """The same without those of single features."""
        rest = copy(self)
        rest.items = [constraint for constraint in self.items if constraint.feature is None]
        rest._permitted = None
        return rest

    def permitted(self, without: Collection[Constraint] = ()) -> list[Permitted]:
        """What each feature may become. Constraints in ``without`` are left out."""
        if not without and self._permitted is not None:
            return self._permitted
        suggested = self._suggested or (None,) * len(self._values)
        found = [Permitted(values, some) for values, some in zip(self._values, suggested, strict=True)]
        left_out = set(without)
        for permitted, special in zip(found, self._special, strict=True):
            permitted.special = special
        for constraint in self.items:
            if constraint.feature is not None and constraint not in left_out:
                constraint.restrict(found[constraint.feature])
        if not without:
            self._permitted = found
        return found

    @property
    def limits(self) -> dict[int, Region]:
        """By feature, the range that its numbers have to be in."""
        return self.limits_without(())

    def limits_without(self, left_out: Sequence[Constraint]) -> dict[int, Region]:
        """The same without some of the constraints."""
        return {
            c.feature: Region(*c.limits)
            for c in self.items
            if c.feature is not None and c.limits is not None and c not in left_out
        }

    def directions_without(self, left_out: Sequence[Constraint]) -> dict[int, bool]:
        """By feature that may move in one direction only: is that upwards? Without some of the constraints."""
        ways = [permitted.direction for permitted in self.permitted(left_out)]
        return {j: way == UP for j, way in enumerate(ways) if way in (UP, DOWN)}

    @property
    def is_open(self) -> bool:
        """May every feature become anything?"""
        return self._suggested is None and all(c.feature is None for c in self.items)

    def mask(self, x: Sequence[int], without: Collection[Constraint] = ()) -> npt.NDArray[np.uint8] | None:
        """By feature and value, whether it may be taken; None if all may. Constraints in `without` are left out."""
        if self._suggested is None and not any(c.feature is not None and c not in without for c in self.items):
            return None
        found = self.permitted(without)
        masks = [p.for_row(int(own)) if p.depends else p.always for p, own in zip(found, x, strict=True)]
        return np.concatenate([_NOTHING, *masks]).astype(np.uint8)

    @property
    def astray(self) -> dict[int, frozenset[int]]:
        """By feature, codes of rows that masks and directions alone do not describe; see `Permitted.astray`."""
        if self.is_open:
            return {}
        return {j: permitted.astray for j, permitted in enumerate(self.permitted()) if permitted.astray}

    def lead_astray(self, codes: npt.NDArray[np.integer[Any]]) -> bool:
        """Has a row of value codes such a code?"""
        return any(np.isin(codes[:, j], list(some)).any() for j, some in self.astray.items())

    @property
    def by_row(self) -> bool:
        """Does what features may become depend on their values, and not by a direction alone?"""
        return not self.is_open and any(permitted.by_row for permitted in self.permitted())

    def static_mask(self) -> tuple[npt.NDArray[np.uint8] | None, npt.NDArray[np.uint8] | None]:
        """The part of `mask` that is the same for every instance, and the directions (0: any, 1: up, 2: down).

        `OptionError` where a constraint depends on the row in another way.
        """
        if self.is_open:
            return None, None
        if self.by_row:
            some = next(c for c in self.items if c.feature is not None and self.permitted()[c.feature].by_row)
            raise OptionError(f"{some}: it depends on the row, which this call does not support; use explain")
        found = self.permitted()
        mask = np.concatenate([_NOTHING, *(p.always for p in found)]).astype(np.uint8)
        direction = np.array([p.direction % FIXED for p in found], dtype=np.uint8)
        return (None if mask.all() else mask), (direction if direction.any() else None)

    def most_changes(self, without: Iterable[Constraint] = ()) -> int | None:
        """The number of changes allowed; None for any number."""
        return None if any(c.max_changes is not None for c in without) else self.max_changes

    def most_relations(self, without: Iterable[Constraint] = ()) -> Relations | None:
        """The relations that remain; None if there are none."""
        if self._relations is None:
            return None
        left_out = {c.relation for c in without if c.relation is not None}
        return self._relations.keeping([relation for relation in self._relations.items if relation not in left_out])


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
