"""The reference: what symcf must answer, by plain enumeration over raw rows.

It never imports symcf. A row is a tuple of raw values: labels, or numbers of a grid. A decision is any function from
rows to labels, a constraint any function of the old and the new row, a cost any function of a feature, its old and its
new value; costs are fractions. Every row within reach is looked at, so a model may have a few thousand rows.

    question = Question(domains, decide, row, target="yes", may=..., constraints=[...], price=...)
    question.change_sets()      all minimal sets of features, in the order of results
    question.counterfactuals()  the same, each with its rows and what they cost
    question.moves()            all rows in which no feature can be moved less far
    question.reasons()          all minimal sets of features that are sufficient for the decision
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

Row = tuple[Any, ...]
Features = tuple[int, ...]


class _Missing:
    """A value that is not there; equal to itself, unlike NaN."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


def number(value: float | Fraction | str) -> Fraction:
    """The decimal that a number prints as: one tenth for 0.1."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


@dataclass(frozen=True)
class Domain:
    """The values of a feature, in their order. A missing value may be in a row; it is never a new value.

    With ``ordered``, values between the old and the new one are less far. ``suggested`` lists the values that a feature
    may be changed to; None: all.
    """

    values: tuple[Any, ...]
    ordered: bool = False
    suggested: tuple[Any, ...] | None = None

    def new(self, old: Any) -> list[Any]:
        """The values that an old one may be changed to."""
        offered = self.values if self.suggested is None else self.suggested
        return [value for value in offered if value is not MISSING and value != old]

    def is_between(self, near: Any, old: Any, new: Any) -> bool:
        """Is ``near`` the old value, the new one, or one on the way?"""
        if near in (old, new):
            return True
        if not self.ordered or MISSING in (near, old, new):
            return False
        places = [self.values.index(value) for value in (near, old, new)]
        return min(places[1:]) <= places[0] <= max(places[1:])


def codes(sizes: Sequence[int], ordered: Sequence[bool] | None = None) -> list[Domain]:
    """Features whose values are 0, 1, ...: so many each."""
    along = ordered or [False] * len(sizes)
    return [Domain(tuple(range(size)), bool(is_ordered)) for size, is_ordered in zip(sizes, along, strict=True)]


def grid(least: float, greatest: float, step: float = 1, *others: Any) -> Domain:
    """The multiples of a step from one number to another, and perhaps `MISSING`."""
    low, high, unit = number(least), number(greatest), number(step)
    first = -((-low) // unit)
    return Domain((*(unit * i for i in range(int(first), int(high // unit) + 1)), *others), ordered=True)


class Question:
    """A row, a decision, and what may be different.

    Parameters
    ----------
    domains:
        One for each feature.
    decide:
        A row -> its label.
    row:
        The old row. Its values need not be in the domains of features that are not ordered.
    target:
        The wanted label; None: any other than that of the row.
    may:
        (feature, old value, new value) -> is this change permitted? None: all are.
    constraints:
        (old row, new row) -> does the new row obey?
    price:
        (feature, old value, new value) -> what the change costs; None: 1.
    max_changes:
        The most features that may change; None: all.
    """

    def __init__(
        self,
        domains: Sequence[Domain],
        decide: Callable[[Row], Hashable],
        row: Sequence[Any],
        *,
        target: Hashable = None,
        may: Callable[[int, Any, Any], bool] | None = None,
        constraints: Iterable[Callable[[Row, Row], bool]] = (),
        price: Callable[[int, Any, Any], Fraction] | None = None,
        max_changes: int | None = None,
    ) -> None:
        self.domains, self.decide, self.row = list(domains), decide, tuple(row)
        self.target, self.constraints, self.price = target, tuple(constraints), price
        self.n = len(self.domains)
        self.most = self.n if max_changes is None else min(max_changes, self.n)
        self.before = decide(self.row)
        self.new = [
            [value for value in domain.new(old) if may is None or may(j, old, value)]
            for j, (domain, old) in enumerate(zip(self.domains, self.row, strict=True))
        ]

    # --- rows

    def is_goal(self, row: Row) -> bool:
        """Is this row decided as wanted?"""
        after = self.decide(row)
        return after != self.before if self.target is None else after == self.target

    def obeys(self, row: Row) -> bool:
        """Does a row obey all constraints?"""
        return all(constraint(self.row, row) for constraint in self.constraints)

    def rows_of(self, features: Features) -> Iterator[Row]:
        """The counterfactuals that change exactly these features."""
        for values in product(*(self.new[j] for j in features)):
            changed = list(self.row)
            for j, value in zip(features, values, strict=True):
                changed[j] = value
            row = tuple(changed)
            if self.is_goal(row) and self.obeys(row):
                yield row

    def subsets(self) -> Iterator[Features]:
        """Sets of features, smaller ones first."""
        for size in range(self.most + 1):
            yield from combinations(range(self.n), size)

    def cost(self, row: Row) -> Fraction:
        """What a row costs."""
        changed = self.changed(row)
        if self.price is None:
            return Fraction(len(changed))
        return sum((self.price(j, self.row[j], row[j]) for j in changed), Fraction(0))

    def changed(self, row: Row) -> Features:
        """The features in which a row differs from the old one."""
        return tuple(j for j in range(self.n) if row[j] != self.row[j])

    # --- answers

    def change_sets(self) -> list[Features]:
        """All minimal sets of features such that changing exactly these can reach the goal, by cost, size, features."""
        found: list[Features] = []
        for features in self.subsets():
            if not any(set(smaller) <= set(features) for smaller in found) and next(self.rows_of(features), None):
                found.append(features)
        if self.price is None:
            return found
        return sorted(found, key=lambda s: (min(map(self.cost, self.rows_of(s))), len(s), s))

    def counterfactuals(self) -> dict[Features, list[tuple[Fraction, Row]]]:
        """The same sets in the same order, each with all rows that it leads to, the cheapest first."""
        priced = {s: [(self.cost(row), row) for row in self.rows_of(s)] for s in self.change_sets()}
        return {s: sorted(rows, key=lambda pair: pair[0]) for s, rows in priced.items()}

    def moves(self) -> list[tuple[Fraction, Row]]:
        """All counterfactuals than which none is less far, the cheapest first."""
        rows = [row for features in self.subsets() for row in self.rows_of(features)]
        kept = [row for row in rows if not any(self.is_less_far(other, row) for other in rows)]
        return sorted(((self.cost(row), row) for row in kept), key=lambda pair: pair[0])

    def is_less_far(self, near: Row, far: Row) -> bool:
        """Is each feature as in the old row, as in ``far``, or between, and one of them not as in ``far``?"""
        return near != far and all(
            domain.is_between(a, old, b) for domain, a, old, b in zip(self.domains, near, self.row, far, strict=True)
        )

    def forces(self, among: Mapping[int, Collection[Any]]) -> bool:
        """Does no row reach the goal in which these features have one of these values, and the others any?"""
        choices = [among.get(j, [old, *new]) for j, (old, new) in enumerate(zip(self.row, self.new, strict=True))]
        return not any(self.is_goal(row) and self.obeys(row) for row in product(*choices) if row != self.row)

    def wider(self, among: Mapping[int, Collection[Any]]) -> Iterator[dict[int, list[Any]]]:
        """The same values and one more: a neighbour of them where values are in order, else any that is possible."""
        for j, values in among.items():
            possible = [v for v in self.domains[j].values if v == self.row[j] or v in self.new[j]]
            places = [i for i, value in enumerate(possible) if value in values]
            others = [i for i in range(len(possible)) if i not in places]
            if self.domains[j].ordered:
                assert places == list(range(places[0], places[-1] + 1)), f"{values} is not an interval of {possible}"
                others = [i for i in others if i in (places[0] - 1, places[-1] + 1)]
            for i in others if self.row[j] is not MISSING else ():
                yield {**among, j: [*values, possible[i]]}

    def reasons(self) -> list[Features]:
        """All minimal sets of features such that no row that agrees with the old one on them reaches the goal.

        Only rows count whose other values may be changed to, and that obey; ``max_changes`` does not matter.
        """
        choices = [[old, *new] for old, new in zip(self.row, self.new, strict=True)]
        bad = [self.changed(row) for row in product(*choices) if self.is_goal(row) and self.obeys(row)]
        return hitting_sets(set(bad), self.n)


def minimal(sets: Iterable[Iterable[int]]) -> list[Features]:
    """Of sets of features, those that contain no other one; by size, then features."""
    every = sorted({tuple(sorted(features)) for features in sets}, key=lambda s: (len(s), s))
    return [s for s in every if not any(set(t) < set(s) for t in every)]


def hitting_sets(sets: Collection[Sequence[int]], n: int) -> list[Features]:
    """All minimal sets of features, of n, that have one in common with each of the sets; by size, then features."""
    found: list[Features] = []
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            if any(set(smaller) <= set(chosen) for smaller in found):
                continue
            if all(not set(chosen).isdisjoint(other) for other in sets):
                found.append(chosen)
    return found


def permits(
    allowed: Mapping[int, Any] | None = None, immutable: Collection[int] = ()
) -> Callable[[int, Any, Any], bool]:
    """The ``may`` of a question: by feature "increase", "decrease", a tuple (least, greatest) of numbers, or a
    list of values.
    """
    rules = allowed or {}

    def may(j: int, old: Any, new: Any) -> bool:
        rule = rules.get(j)
        if j in immutable:
            return False
        if rule is None:
            return True
        if isinstance(rule, str):
            return old is not MISSING and bool(new > old if rule == "increase" else new < old)
        if isinstance(rule, tuple):
            least, greatest = rule
            return (least is None or bool(least <= new)) and (greatest is None or bool(new <= greatest))
        return new in rule

    return may


# --- other definitions ------------------------------------------------------------------------------------------------


def fewest_kept(decide: Callable[[Row], Hashable], x: Sequence[Any], baseline: Sequence[Any]) -> list[Features]:
    """Shih, Choi, Darwiche 2018, MC-explanations: the smallest sets of features that are enough to keep the decision of
    x if every other feature is as in the baseline.
    """
    differing = [j for j in range(len(x)) if x[j] != baseline[j]]
    for size in range(len(differing) + 1):
        found = [
            kept
            for kept in combinations(differing, size)
            if decide(tuple(x[j] if j in kept else baseline[j] for j in range(len(x)))) == decide(tuple(x))
        ]
        if found:
            return found
    raise AssertionError("keeping everything keeps the decision")


def shapley(
    decide: Callable[[Row], Hashable], x: Sequence[Any], shares: Sequence[Mapping[Any, Fraction]], label: Hashable
) -> list[Fraction]:
    """Shapley values of "the decision is `label`" by the definition: what a feature adds to the probability, averaged
    over all sets of features that may be known before. The others are independent, ``shares[j][v]`` is P(X_j = v).
    """
    n = len(x)
    factorial = [1]
    for i in range(1, n + 1):
        factorial.append(factorial[-1] * i)

    @cache
    def worth(known: frozenset[int]) -> Fraction:
        total = Fraction(0)
        for row in product(*([x[j]] if j in known else shares[j] for j in range(n))):
            if decide(row) == label:
                weight = Fraction(1)
                for j in range(n):
                    weight *= 1 if j in known else shares[j][row[j]]
                total += weight
        return total

    values = []
    for j in range(n):
        others = [i for i in range(n) if i != j]
        value = Fraction(0)
        for size in range(n):
            weight = Fraction(factorial[size] * factorial[n - size - 1], factorial[n])
            for known in combinations(others, size):
                value += weight * (worth(frozenset(known) | {j}) - worth(frozenset(known)))
        values.append(value)
    return values
