"""Relations between features: which combinations of values a counterfactual may have.

Expressions are resolved to features and value codes here, and provided in two forms: true or false for rows, and
diagrams to conjoin with those of the classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import chain
from operator import ge, gt, le, lt
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.similar import did_you_mean
from symcf.data.labels import by_feature, feature_index
from symcf.data.numbers import NumberLine
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import LimitError, OptionError
from symcf.question.comparisons import Regions, codes_within, compares_numbers, cuts_around, cuts_of, points_of
from symcf.question.expressions import ORDERS, Algebra, Expression, Names, Test, Value, fault, parse
from symcf.question.formulas import Both, Condition, Either, Formula, Member, simplified
from symcf.question.likely import Likely
from symcf.question.orders import Order, Pairs, pairs_of, pairs_of_numbers, related_by
from symcf.system.builder import NodeLimit, Nodes
from symcf.system.classifier import Classifier

__all__ = ["Relation", "Relations", "ValueReader", "as_expression", "cut_for", "expressions_of"]

C = TypeVar("C", bound=Classifier)

#: Features and combinations of them up to which change sets are found for each combination by itself.
MAX_RELATED, MAX_COMBINATIONS = 5, 1 << 12

MAX_NODES = 1 << 18


@dataclass(frozen=True)
class Relation(Condition):
    """One relation, as the user gave it and in normal form."""

    text: str
    expression: Expression
    #: What the tests in it compare, from left to right.
    tested: tuple[Member, ...] = field(repr=False, compare=False)
    formula: Formula

    def holds(self, rows: npt.NDArray[np.integer[Any]], n_values: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which rows of value codes obey: by the expression, not by the normal form."""
        values, tested = rows % np.array(n_values), iter(self.tested)
        return self.expression.meaning(
            Algebra(
                lambda _: next(tested).holds(values),
                np.logical_and.reduce,
                np.logical_or.reduce,
                np.logical_not,
            )
        )


class ValueReader(Protocol):
    """What is known of the values of a feature."""

    @property
    def regions(self) -> Mapping[int, Region] | None:
        """By code, the numbers that stand for the value; None where values are not ranges of numbers."""

    @property
    def missing(self) -> int | None:
        """The code of missing values; None if there is none."""

    @property
    def unknown(self) -> int | None:
        """The code of entries that are none of the categories; None if there is none."""


class Relations:
    """The relations of one question, resolved to features and value codes."""

    def __init__(
        self,
        given: Any,
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        ordered: Sequence[bool],
        likely: Likely | None = None,
        readers: Sequence[ValueReader] = (),
        resolutions: Mapping[int, Fraction] | None = None,
    ) -> None:
        """``likely``: the least plausibility, one more relation. ``readers``: by feature, the ranges of numbers
        that values stand for, and the codes without a place in the order (missing values, unknown categories).
        ``resolutions``: by feature, the number of which new numbers are multiples.
        """
        self._regions: Regions = [reader.regions for reader in readers] or [None] * len(features)
        self._resolutions = resolutions or {}
        self._features = features
        self._values = values
        apart = [{reader.missing, reader.unknown} for reader in readers] or [set()] * len(features)
        self._labels = _Labels(features, values, ordered, self._regions, apart)
        self.items: tuple[Condition, ...] = (
            *map(self._read, _as_list(given)),
            *([] if likely is None else [likely]),
        )

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relations):
            return NotImplemented
        return (self.items, self._features, self._values) == (other.items, other._features, other._values)

    def __hash__(self) -> int:
        return hash(self.items)

    @property
    def likely(self) -> Likely | None:
        """How plausible a row has to be."""
        return next((item for item in self.items if isinstance(item, Likely)), None)

    @property
    def formulas(self) -> list[Formula]:
        """The normal forms of those that have one."""
        return [item.formula for item in self.items if item.formula is not None]

    @property
    def orders(self) -> list[Order]:
        """Those between numbers, which mean something else for each row; see `of_row`."""
        return [item for item in self.items if isinstance(item, Order)]

    def of_row(self, raw: RawRow) -> Relations:
        """The relations for one row: its numbers are known. In codes that have the values of features that are compared
        a second time.
        """
        if not self.orders:
            return self
        related = related_by(self.orders)
        others: list[Condition] = [
            replace(item, formula=item.formula.with_second(related)) if isinstance(item, Relation) else item
            for item in self.items
            if not isinstance(item, Order)
        ]
        found = self.keeping([*others, *pairs_of(self.orders, raw, self._n_values)])
        assert found is not None
        return found

    def keeping(self, items: Sequence[Condition]) -> Relations | None:
        """Only these relations; None if there are none."""
        if not items:
            return None
        fewer = copy(self)
        fewer.items = tuple(items)
        return fewer

    def _read(self, given: Any) -> Condition:
        if isinstance(given, (Relation, Order, Pairs)):
            return given
        text = given.strip() if isinstance(given, str) else None
        expression = as_expression(given)
        if isinstance(expression, Test) and (partner := self._labels.partner(expression, given)) is not None:
            return self._order(expression, partner, given)
        members = tuple(self._labels.member(test, given) for test in expression.tests())
        tested = iter(members)
        formula = expression.meaning(
            Algebra[Formula](
                lambda _: simplified(Both, [next(tested)]),
                partial(simplified, Both),
                partial(simplified, Either),
                lambda formula: ~formula,
            )
        )
        return Relation(str(expression) if text is None else text, expression, members, formula)

    def _order(self, test: Test, partner: int, given: Any) -> Order | Pairs:
        """A comparison of two columns."""
        j = self._labels.feature(test, given)
        for i, k in enumerate((j, partner)):
            if self._regions[k] is None:
                problem = "is compared with a column, but its values are not ranges of numbers"
                raise _error(f"{self._features[k]!r} {problem}", test, i, given)
        if test.operator not in ORDERS:
            raise _error("columns of numbers are compared with <, <=, > or >=", test, 0, given)
        if j == partner:
            raise _error(f"{self._features[j]!r} is compared with itself", test, 1, given)
        low, high = (j, partner) if test.operator in ("<", "<=") else (partner, j)
        steps = self._resolutions.get(low), self._resolutions.get(high)
        text = given.strip() if isinstance(given, str) else str(test)
        order = Order(text, low, high, test.operator in ("<", ">"), steps)
        return pairs_of_numbers(order, self._regions, self._n_values) or order

    @property
    def _n_values(self) -> list[int]:
        return [len(labels) for labels in self._values]

    # --- rows

    def holds(self, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Whether each row of value codes obeys all relations. By the expressions, not by the normal form."""
        result = np.ones(len(codes), dtype=np.bool_)
        for item in self.items:
            result &= item.holds(codes, self._n_values)
        return result

    # --- which values they distinguish

    def _members(self) -> Iterable[Member]:
        return chain.from_iterable(formula.members() for formula in self.formulas)

    def distinctions(self) -> list[list[tuple[int, ...]]]:
        """By feature, classes of codes that no relation distinguishes, by their first codes."""
        tested: list[list[frozenset[int]]] = [[] for _ in self._values]
        for member in self._members():
            tested[member.feature].append(member.codes)
        cells = [[0] * len(labels) for labels in self._values] if self.likely is None else self.likely.partition()
        for j in related_by(self.orders):
            cells[j] = list(range(len(self._values[j])))
        result = []
        for cell, sets in zip(cells, tested, strict=True):
            classes: dict[tuple[int, ...], list[int]] = {}
            for code, in_cell in enumerate(cell):
                classes.setdefault((in_cell, *(code in codes for codes in sets)), []).append(code)
            result.append([tuple(codes) for codes in classes.values()])
        return result

    def partition(self) -> list[list[int]]:
        """The same by feature and code: the number of the class that the code is in."""
        partition = []
        for labels, classes in zip(self._values, self.distinctions(), strict=True):
            number = {code: i for i, codes in enumerate(classes) for code in codes}
            partition.append([number[code] for code in range(len(labels))])
        return partition

    def table(self, members: Sequence[Sequence[Sequence[int]]]) -> _core.Relation | None:
        """All combinations of the features that are related, by core code; None if they are too many.

        ``members[j][g]`` are the value codes that are core code g of feature j.
        """
        mentioned = {member.feature for member in self._members()}
        related = sorted(mentioned if self.likely is None else mentioned | self.likely.related)
        n_values = [len(members[j]) for j in related]
        if len(related) > MAX_RELATED or math.prod(n_values) > MAX_COMBINATIONS:
            return None
        rows = np.zeros((math.prod(n_values), len(self._features)), dtype=np.int64)
        for j, codes in zip(related, np.indices(n_values) if related else (), strict=True):
            rows[:, j] = np.array([group[0] for group in members[j]])[codes.ravel()]
        return _core.Relation(np.array(related, dtype=np.uint32), self.holds(rows).astype(np.uint8))

    # --- diagrams

    def diagrams(
        self,
        order: Iterable[int],
        n_values: Sequence[int] | None = None,
        group_of: Sequence[Sequence[int]] | None = None,
        max_nodes: int = MAX_NODES,
        *,
        clock: Clock = NO_LIMIT,
    ) -> tuple[_core.Diagram, ...]:
        """One diagram per relation, levels in `order`, over core codes: group_of[j][v] < n_values[j] is that of code v.

        requires: no relation distinguishes members of a group (see `distinctions`).
        """
        if n_values is None or group_of is None:
            n_values = self._n_values
            group_of = [range(d) for d in n_values]
        levels = [int(j) for j in order]
        result = []

        def look() -> None:
            if clock.expired:
                raise LimitError("time limit reached while the diagrams of the relations were built")

        for item in self.items:
            nodes = Nodes(levels, [int(d) for d in n_values], max_nodes, look)
            try:
                result.append(nodes.freeze(item.node(nodes, levels, group_of, look)))
            except NodeLimit:
                raise LimitError(
                    f"constraints: the diagram of {item.text!r} has more than {max_nodes:,} nodes; {item.advice}"
                ) from None
        return tuple(result)


def expressions_of(constraints: Any) -> list[Expression]:
    """What a user gave for relations, as expressions."""
    return [
        one.expression if isinstance(one, Relation) else as_expression(one)
        for one in _as_list(constraints)
        if not isinstance(one, (Order, Pairs))
    ]


def cut_for(classifier: C, constraints: Any, allowed: Any = None) -> C:
    """The classifier, its ranges cut at the numbers that a question compares columns with or allows."""
    expressions = expressions_of(constraints)
    regions = [reader.regions for reader in classifier.encoder.readers]
    cuts = cuts_of(expressions, classifier.features, regions)
    if isinstance(allowed, Mapping):
        for j, what in by_feature(allowed, classifier.features, "allowed").items():
            if points := points_of(what, regions[j]):
                cuts.setdefault(j, set()).update(cuts_around(points))
    return classifier.cut_at(cuts)


def _as_list(given: Any) -> list[Any]:
    if given is None:
        return []
    if isinstance(given, (str, Expression, Mapping)) or callable(given):
        return [given]
    try:
        return list(given)
    except TypeError:
        raise OptionError(f"constraints must be a list of relations, not {given!r}") from None


def as_expression(given: Any) -> Expression:
    """What a user gave for a relation, as an expression."""
    if isinstance(given, Expression):
        return given
    if isinstance(given, str):
        return parse(given)
    if callable(given):
        built = given(Names())
        if isinstance(built, Expression):
            return built
        raise OptionError(f"constraints: the function must return a condition, such as f.age == 3, not {built!r}")
    raise OptionError(
        f"constraints: a relation must be text, symcf.implies(...), symcf.forbid(...), symcf.require(...) or a "
        f"function that builds one, not {given!r}"
    )


# --- names and values -> features and codes ---------------------------------------------------------------------------


class _Labels:
    """Resolves tests to features and codes."""

    def __init__(
        self,
        features: Sequence[str],
        values: Sequence[Sequence[Hashable]],
        ordered: Sequence[bool],
        regions: Regions,
        apart: Sequence[Set[int | None]],
    ) -> None:
        self._features = features
        self._values = values
        self._regions = regions
        self._apart = apart
        self._ordered = ordered
        self._by_label: dict[int, dict[Hashable, int]] = {}

    def member(self, test: Test, given: Any) -> Member:
        """The feature and the codes for which a test holds. `given`, if it is text, is what errors point into."""
        j = self.feature(test, given)
        return Member(j, self._codes(j, test, given), len(self._values[j]))

    def _codes(self, j: int, test: Test, given: Any) -> frozenset[int]:
        ranges, everything = self._regions[j], range(len(self._values[j]))
        if ranges is not None and compares_numbers(test, ranges):
            return codes_within(test, ranges, len(everything))
        if (within := self._by_number(j, test)) is not None:
            return within
        codes = frozenset(self._code(j, i, test, given) for i in range(len(test.values)))
        if test.operator == "in":
            return codes
        if test.operator == "not in":
            return frozenset(everything) - codes
        if not self._ordered[j]:
            raise _error(f"the values of {self._features[j]!r} have no order: compare with = or in", test, 0, given)
        (code,) = codes
        low, high = {"<": (0, code), "<=": (0, code + 1), ">": (code + 1, None), ">=": (code, None)}[test.operator]
        return frozenset(everything[low:high]) - self._apart[j]

    def _by_number(self, j: int, test: Test) -> frozenset[int] | None:
        """The codes for a comparison of numeric labels with a number that is not a label; None for other tests."""
        compare, bound = _COMPARE.get(test.operator), test.values[0]
        if compare is None or not _is_number(bound) or not self._ordered[j]:
            return None
        numbers = {code: label for code, label in enumerate(self._values[j]) if _is_number(label)}
        if not numbers or bound in numbers.values():
            return None
        return frozenset(code for code, label in numbers.items() if compare(label, bound))

    def partner(self, test: Test, given: Any) -> int | None:
        """The feature that another one is compared with; None if it is compared with values."""
        value = test.values[0]
        if len(test.values) > 1 or not isinstance(value, str) or value not in self._features:
            return None
        labels = self._values[self.feature(test, given)]
        known = not isinstance(labels, NumberLine) and any(str(label) == value for label in labels)
        return None if known else self._features.index(value)

    def feature(self, test: Test, given: Any) -> int:
        """The feature of a test."""
        name = test.feature
        try:
            j = feature_index(name, self._features, "constraints")
        except OptionError:
            what = f"no feature {name!r}" if isinstance(name, str) else f"no feature of index {name}"
            raise _error(f"there is {what}{_close(name, self._features)}", test, 0, given) from None
        if isinstance(name, int) and str(name) in self._features and self._features[j] != str(name):
            raise _error(f"{name} is the index of {self._features[j]!r}; did you mean '{name}'?", test, 0, given)
        return j

    def _code(self, j: int, i: int, test: Test, given: Any) -> int:
        value = test.values[i]
        labels = self._values[j]
        if j not in self._by_label:
            self._by_label[j] = {label: code for code, label in enumerate(labels)}
        if value in self._by_label[j]:
            return self._by_label[j][value]
        # "18" and 18, and labels that are neither text nor numbers, are known by their text.
        same = [code for code, label in enumerate(labels) if str(label) == str(value)]
        if len(same) == 1:
            return same[0]
        if value in self._features:
            raise _error("a comparison of two columns must be a relation of its own", test, 1 + i, given)
        raise _error(f"{value!r} is not a value of {self._features[j]!r}{_close(value, labels)}", test, 1 + i, given)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def _is_number(label: Any) -> bool:
    return isinstance(label, (int, float)) and not isinstance(label, bool)


def _close(name: Value, names: Sequence[Hashable]) -> str:
    """Suggests similar names, or lists the names there are."""
    if close := did_you_mean(name, names):
        return close
    shown = ", ".join(map(repr, names[:8]))
    return f": choose from {shown}" + (", ..." if len(names) > 8 else "")


def _error(message: str, test: Test, place: int, given: Any) -> OptionError:
    if isinstance(given, str) and test.places:
        return fault(message, given, test.places[place])
    return OptionError(f"constraints: {test}: {message}")
