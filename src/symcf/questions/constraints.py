"""Constraints: immutable features, allowed values, directions, the number of changes, and relations.

Engines see one mask ("may feature j become value v?"), one number, and a diagram of what the relations allow. Users
see a list of constraints, each of which may be the one that stands in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from symcf.common.options import checked_count
from symcf.errors import OptionError
from symcf.rows.labels import by_feature, code_of, feature_indices

if TYPE_CHECKING:
    from symcf.questions.relations import Relations

__all__ = ["Constraint", "Constraints", "minimal_relaxation"]

DIRECTIONS = ("increase", "decrease")


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint, as the user gave it."""

    #: "immutable", "allowed", "max_changes" or "relation".
    kind: str
    #: The feature it is about; None for max_changes and relations.
    feature: int | None
    name: str | None
    #: The value codes or the direction allowed, the number of changes, or the relation.
    value: Any = None
    #: The values allowed, as the user knows them.
    labels: tuple[Hashable, ...] = ()

    def __str__(self) -> str:
        if self.kind == "max_changes":
            return f"max_changes={self.value}"
        if self.kind == "relation":
            return str(self.value)
        if self.kind == "immutable":
            return f"{self.name} is immutable"
        if isinstance(self.value, str):
            return f"{self.name} may only {self.value}"
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
    ) -> None:
        self._features = features
        self._values = values
        self._ordered = (True,) * len(features) if ordered is None else ordered
        self._relations = relations
        self.max_changes = checked_count(max_changes, "max_changes", least=0)
        self.items: list[Constraint] = [
            Constraint("immutable", j, features[j]) for j in feature_indices(immutable, features, "immutable")
        ]
        self.items += self._parse_allowed(allowed)
        if self.max_changes is not None:
            self.items.append(Constraint("max_changes", None, None, self.max_changes))
        if relations is not None:
            self.items += [Constraint("relation", None, None, relation) for relation in relations.items]

    def _parse_allowed(self, allowed: Mapping[Any, Any] | None) -> Iterable[Constraint]:
        if allowed is None:
            return
        if not isinstance(allowed, Mapping):
            raise OptionError(f"allowed must map features to values or to a direction, not {allowed!r}")
        for j, what in by_feature(allowed, self._features, "allowed").items():
            codes = self._checked_values(j, what)
            labels = () if isinstance(codes, str) else tuple(self._values[j][code] for code in codes)
            yield Constraint("allowed", j, self._features[j], codes, labels)

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
        active = [c for c in self.items if c.feature is not None and c not in left_out]
        if not active:
            return None
        masks = [np.ones(len(labels), dtype=np.uint8) for labels in self._values]
        for constraint in active:
            assert constraint.feature is not None
            codes = range(len(self._values[constraint.feature]))
            old = int(x[constraint.feature])
            masks[constraint.feature] &= np.array([_permits(constraint, old, code) for code in codes], dtype=np.uint8)
        return np.concatenate(masks)

    def static_mask(self) -> tuple[npt.NDArray[np.uint8] | None, npt.NDArray[np.uint8] | None]:
        """The part of `mask` that is the same for every instance, and the directions (0: any, 1: up, 2: down)."""
        mask = np.ones(sum(map(len, self._values)), dtype=np.uint8)
        direction = np.zeros(len(self._values), dtype=np.uint8)
        offset = np.concatenate([[0], np.cumsum([len(labels) for labels in self._values])])
        for constraint in self.items:
            if constraint.feature is None:
                continue
            start, end = offset[constraint.feature], offset[constraint.feature + 1]
            if constraint.value in DIRECTIONS:
                direction[constraint.feature] = 1 + DIRECTIONS.index(constraint.value)
            else:
                mask[start:end] &= np.array(
                    [_permits(constraint, 0, code) for code in range(end - start)], dtype=np.uint8
                )
        return (None if mask.all() else mask), (direction if direction.any() else None)

    def most_changes(self, without: Iterable[Constraint] = ()) -> int | None:
        """The number of changes allowed; None for any number."""
        return None if any(c.kind == "max_changes" for c in without) else self.max_changes

    def most_relations(self, without: Iterable[Constraint] = ()) -> Relations | None:
        """The relations that remain; None if there are none."""
        if self._relations is None:
            return None
        left_out = {c.value for c in without if c.kind == "relation"}
        return self._relations.keeping([relation for relation in self._relations.items if relation not in left_out])


def _permits(constraint: Constraint, old: int, new: int) -> bool:
    """May a feature change in this way? `symcf.verify` has a twin of its own: it shares no code with what it checks."""
    if constraint.kind == "immutable":
        return False
    if constraint.value == "increase":
        return new > old
    if constraint.value == "decrease":
        return new < old
    return new in constraint.value


def minimal_relaxation(
    items: Sequence[Constraint], solvable: Callable[[Sequence[Constraint]], bool]
) -> tuple[Constraint, ...]:
    """A minimal set of constraints without which a counterfactual exists; empty if none exists even then.

    ``solvable(left_out)`` answers for the query without these constraints. It first leaves out all of them and
    then restores each one that is not needed, so leaving out fewer than the result is not enough.
    """
    relaxed = list(items)
    if not solvable(relaxed):
        return ()
    for item in items:
        fewer = [other for other in relaxed if other is not item]
        if solvable(fewer):
            relaxed = fewer
    return tuple(relaxed)
