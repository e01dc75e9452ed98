"""Formulas: the normal form of relations, over features and value codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from symcf.question.constraint_kinds import Constraint, Related

__all__ = ["Both", "Condition", "Either", "Formula", "Member", "members_of", "simplified"]


class Condition:
    """What a counterfactual has to obey in several features at once."""

    #: In the user's words.
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def constraint(self) -> Constraint:
        """As one of the constraints of a question."""
        return Related(value=self)


@dataclass(frozen=True)
class Member:
    """Feature j has one of these codes."""

    feature: int
    codes: frozenset[int]


@dataclass(frozen=True)
class Both:
    """All parts hold; without parts: always."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Either:
    """At least one part holds; without parts: never."""

    parts: tuple[Formula, ...]


#: The normal form: no negations, and no part of a `Both` or `Either` is one of the same kind.
Formula = Member | Both | Either

ALWAYS, NEVER = Both(()), Either(())


def simplified(
    kind: type[Both] | type[Either], parts: Sequence[Formula], n_values: Sequence[int] | Mapping[int, int]
) -> Formula:
    """Parts of the same kind join, sets of the same feature become one, and constants vanish."""
    sets: dict[int, frozenset[int]] = {}
    others: dict[Formula, None] = {}
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    for part in flat:
        if isinstance(part, Member):
            j, codes = part.feature, part.codes
            sets[j] = codes if j not in sets else (sets[j] & codes if kind is Both else sets[j] | codes)
        else:
            others[part] = None
    full = {j for j, codes in sets.items() if len(codes) == n_values[j]}
    empty = {j for j, codes in sets.items() if not codes}
    deciding, idle, decided = (empty, full, NEVER) if kind is Both else (full, empty, ALWAYS)
    if deciding or decided in others:
        return decided
    kept: list[Formula] = [Member(j, sets[j]) for j in sorted(sets) if j not in idle]
    kept += others
    return kept[0] if len(kept) == 1 else kind(tuple(kept))


def members_of(formulas: Iterable[Formula]) -> Iterable[Member]:
    """All sets of codes in them."""
    for formula in formulas:
        if isinstance(formula, Member):
            yield formula
        else:
            yield from members_of(formula.parts)
