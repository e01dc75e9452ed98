"""Relations between features: which combinations of values a counterfactual may have.

Expressions are resolved to features and value codes here, and provided in three forms: true or false for rows, clauses,
and diagrams to conjoin with those of the classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import ge, gt, le, lt
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock, tick
from symcf.common.similar import did_you_mean
from symcf.data.labels import by_feature, feature_index
from symcf.data.numbers import NumberLine
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import InternalError, LimitError, OptionError
from symcf.question.comparisons import Regions, codes_within, compares_numbers, cuts_around, cuts_of, points_of
from symcf.question.expressions import ORDERS, All, Any_, Expression, Implies, Names, Not, Test, Value, fault, parse
from symcf.question.formulas import Both, Either, Formula, Member, members_of, simplified
from symcf.question.likely import Likely
from symcf.question.orders import Order, Pairs, pairs_of, related_by
from symcf.system.builder import NodeLimit, Nodes
from symcf.system.classifier import Classifier

__all__ = ["Clause", "Relation", "Relations", "ValueReader", "as_expression", "cut_for", "expressions_of"]

C = TypeVar("C", bound=Classifier)

#: A clause: by ascending feature, sets of codes; it holds if one feature has one of its codes.
Clause = tuple[tuple[int, frozenset[int]], ...]

MAX_CLAUSES = 10_000

#: Features and combinations of them up to which change sets are found for each combination by itself.
MAX_RELATED, MAX_COMBINATIONS = 5, 1 << 12

MAX_NODES = 1 << 18


@dataclass(frozen=True)
class Relation:
    """One relation, as the user gave it and in normal form."""

    #: In the user's words.
    text: str
    expression: Expression
    formula: Formula

    def __str__(self) -> str:
        return self.text


Item = Relation | Likely | Order | Pairs


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
        """``likely`` is how plausible a row has to be, which is one more relation. ``readers`` know by feature the
        numbers that values stand for, where they are ranges; these are compared with each other and with numbers. They
        know the values without a place in the order, too: missing ones, and those that are none of the categories.
        ``resolutions``: what new numbers are to be multiples of, for some.
        """
        self._regions: Regions = [reader.regions for reader in readers] or [None] * len(features)
        self._resolutions = resolutions or {}
        self._features = features
        self._values = values
        apart = [{reader.missing, reader.unknown} for reader in readers] or [set()] * len(features)
        self._labels = _Labels(features, values, ordered, self._regions, apart)
        self.items: tuple[Item, ...] = (
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
        return [item.formula for item in self.items if isinstance(item, (Relation, Pairs))]

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
        related, n_values = related_by(self.orders), self._n_values
        twice = [2 * d if j in related else d for j, d in enumerate(n_values)]

        def widened(item: Item) -> Item:
            if not isinstance(item, Relation):
                return item
            return replace(item, formula=_with_second(item.formula, n_values, twice))

        others = [widened(item) for item in self.items if not isinstance(item, Order)]
        found = self.keeping([*others, *pairs_of(self.orders, raw, n_values)])
        assert found is not None
        return found

    def keeping(self, items: Sequence[Item]) -> Relations | None:
        """Only these relations; None if there are none."""
        if not items:
            return None
        fewer = copy(self)
        fewer.items = tuple(items)
        return fewer

    def _read(self, given: Any) -> Item:
        if isinstance(given, (Relation, Order)):
            return given
        text = given.strip() if isinstance(given, str) else None
        expression = as_expression(given)
        if isinstance(expression, Test) and (partner := self._labels.partner(expression, given)) is not None:
            return self._order(expression, partner, given)
        formula = _normal(expression, lambda test: self._labels.codes(test, given), self._n_values, False)
        return Relation(str(expression) if text is None else text, expression, formula)

    def _order(self, test: Test, partner: int, given: Any) -> Order:
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
        return Order(text, low, high, test.operator in ("<", ">"), steps)

    @property
    def _n_values(self) -> list[int]:
        return [len(labels) for labels in self._values]

    # --- rows

    def holds(self, codes: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Whether each row of value codes obeys all relations. By the expressions, not by the normal form."""
        result = np.ones(len(codes), dtype=np.bool_)
        values = codes % np.array(self._n_values)  # a value a second time is the same value
        for item in self.items:
            if isinstance(item, Order):
                raise InternalError(f"{item.text!r} depends on the row")
            if isinstance(item, Relation):
                result &= self._truth(item.expression, values)
            else:
                result &= item.holds(codes if isinstance(item, Pairs) else values)
        return result

    def _truth(self, expression: Expression, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        match expression:
            case Test():
                j, codes = self._labels.codes(expression, None)
                table = np.zeros(len(self._values[j]), dtype=np.bool_)
                table[list(codes)] = True
                truth: npt.NDArray[np.bool_] = table[rows[:, j]]
                return truth
            case Not(part):
                return ~self._truth(part, rows)
            case All(parts):
                return reduce(np.logical_and, [self._truth(part, rows) for part in parts])
            case Any_(parts):
                return reduce(np.logical_or, [self._truth(part, rows) for part in parts])
            case Implies(condition, consequence):
                return ~self._truth(condition, rows) | self._truth(consequence, rows)
        raise InternalError(f"unknown expression {expression!r}")

    # --- which values they distinguish

    def distinctions(self) -> list[list[tuple[int, ...]]]:
        """By feature, classes of codes that no relation distinguishes, by their first codes."""
        tested: list[list[frozenset[int]]] = [[] for _ in self._values]
        for member in members_of(self.formulas):
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

    # --- clauses

    def table(self, members: Sequence[Sequence[Sequence[int]]]) -> _core.Relation | None:
        """All combinations of the features that are related, by core code; None if they are too many.

        ``members[j][g]`` are the value codes that are core code g of feature j.
        """
        mentioned = {member.feature for member in members_of(self.formulas)}
        related = sorted(mentioned if self.likely is None else mentioned | self.likely.related)
        n_values = [len(members[j]) for j in related]
        if len(related) > MAX_RELATED or math.prod(n_values) > MAX_COMBINATIONS:
            return None
        rows = np.zeros((math.prod(n_values), len(self._features)), dtype=np.int64)
        for j, codes in zip(related, np.indices(n_values) if related else (), strict=True):
            rows[:, j] = np.array([group[0] for group in members[j]])[codes.ravel()]
        return _core.Relation(np.array(related, dtype=np.uint32), self.holds(rows).astype(np.uint8))

    def clauses(self, max_clauses: int = MAX_CLAUSES) -> list[Clause]:
        """A CNF over "feature j has one of these codes"; LimitError if a relation needs more than `max_clauses`."""
        result: dict[Clause, None] = {}
        for item in self.items:
            if not isinstance(item, (Relation, Pairs)):
                raise OptionError(f"{item.text}: it is not written as clauses")
            try:
                found = _clauses(item.formula, self._n_values, max_clauses)
            except _TooMany:
                raise LimitError(
                    f"constraints: {item.text!r} needs more than {max_clauses:,} clauses; split it into several"
                ) from None
            result.update(dict.fromkeys(found))
        return list(result)

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
                result.append(nodes.freeze(self._root(item, nodes, levels, group_of, look)))
            except NodeLimit:
                advice = "use engine='auto'" if isinstance(item, Likely) else "split it"
                raise LimitError(
                    f"constraints: the diagram of {item.text!r} has more than {max_nodes:,} nodes; {advice}"
                ) from None
        return tuple(result)

    @staticmethod
    def _root(
        item: Item,
        nodes: Nodes,
        order: Sequence[int],
        group_of: Sequence[Sequence[int]],
        look: Callable[[], None],
    ) -> int:
        if isinstance(item, Likely):
            return item.diagram(nodes, order, group_of, look)
        if isinstance(item, Order):
            raise InternalError(f"{item.text!r} depends on the row")
        return _node(item.formula, nodes, group_of)


def expressions_of(constraints: Any) -> list[Expression]:
    """What a user gave for relations, as expressions."""
    return [
        one.expression if isinstance(one, Relation) else as_expression(one)
        for one in _as_list(constraints)
        if not isinstance(one, Order)
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

    def codes(self, test: Test, given: Any) -> tuple[int, frozenset[int]]:
        """The feature and the codes for which a test holds. `given`, if it is text, is what errors point into."""
        j = self.feature(test, given)
        ranges = self._regions[j]
        if ranges is not None and compares_numbers(test, ranges):
            return j, codes_within(test, ranges, len(self._values[j]))
        if (within := self._by_number(j, test)) is not None:
            return j, within
        codes = frozenset(self._code(j, i, test, given) for i in range(len(test.values)))
        everything = range(len(self._values[j]))
        if test.operator == "in":
            return j, codes
        if test.operator == "not in":
            return j, frozenset(everything) - codes
        if not self._ordered[j]:
            raise _error(f"the values of {self._features[j]!r} have no order: compare with = or in", test, 0, given)
        (code,) = codes
        low, high = {"<": (0, code), "<=": (0, code + 1), ">": (code + 1, None), ">=": (code, None)}[test.operator]
        return j, frozenset(everything[low:high]) - self._apart[j]

    def _by_number(self, j: int, test: Test) -> frozenset[int] | None:
        """Where values are numbers, and the one that they are compared with is none of them; None otherwise."""
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


# --- normal form ------------------------------------------------------------------------------------------------------

Resolve = Callable[[Test], tuple[int, frozenset[int]]]


def _normal(expression: Expression, resolve: Resolve, n_values: Sequence[int], negate: bool) -> Formula:
    """The expression or its negation, with negations moved into the sets of codes."""

    def within(part: Expression, negated: bool) -> Formula:
        return _normal(part, resolve, n_values, negated)

    match expression:
        case Test():
            j, codes = resolve(expression)
            return simplified(Both, [Member(j, frozenset(range(n_values[j])) - codes if negate else codes)], n_values)
        case Not(part):
            return within(part, not negate)
        case All(parts):
            return simplified(Either if negate else Both, [within(part, negate) for part in parts], n_values)
        case Any_(parts):
            return simplified(Both if negate else Either, [within(part, negate) for part in parts], n_values)
        case Implies(condition, consequence):
            both = [within(condition, not negate), within(consequence, negate)]
            return simplified(Both if negate else Either, both, n_values)
    raise InternalError(f"unknown expression {expression!r}")


def _with_second(formula: Formula, n_values: Sequence[int], twice: Sequence[int]) -> Formula:
    """The same in codes that have the values of some features a second time, and how many codes these are."""
    if isinstance(formula, Member):
        d = n_values[formula.feature]
        again = range(0, twice[formula.feature], d)
        return Member(formula.feature, frozenset(code + start for code in formula.codes for start in again))
    return type(formula)(tuple(_with_second(part, n_values, twice) for part in formula.parts))


# --- clauses ----------------------------------------------------------------------------------------------------------


class _TooMany(Exception):
    """A limit was reached; the caller, who knows the relation, reports it."""


def _clauses(formula: Formula, n_values: Sequence[int], most: int) -> list[Clause]:
    if isinstance(formula, Member):
        return [((formula.feature, formula.codes),)]
    if isinstance(formula, Both):
        return _strongest([clause for part in formula.parts for clause in _clauses(part, n_values, most)], most)
    # The parts that are sets make one clause; every other part multiplies.
    result: list[Clause] = [tuple((part.feature, part.codes) for part in formula.parts if isinstance(part, Member))]
    for part in formula.parts:
        if isinstance(part, Member):
            continue
        found = _clauses(part, n_values, most)
        if len(result) * len(found) > 4 * most:  # some products may follow from others, but most do not
            raise _TooMany
        products = [_joined(a, b, n_values) for a in result for b in found]
        result = _strongest([clause for clause in products if clause is not None], most)
    return result


def _joined(a: Clause, b: Clause, n_values: Sequence[int]) -> Clause | None:
    """The disjunction; None if it always holds."""
    sets = dict(a)
    for j, codes in b:
        sets[j] = sets.get(j, frozenset()) | codes
    if any(len(codes) == n_values[j] for j, codes in sets.items()):
        return None
    return tuple(sorted(sets.items(), key=lambda literal: literal[0]))


def _strongest(clauses: list[Clause], most: int) -> list[Clause]:
    """Without clauses that follow from another one, if comparing all pairs is cheap."""
    different = sorted(dict.fromkeys(clauses), key=lambda clause: sum(len(codes) for _, codes in clause))
    if len(different) > most:
        raise _TooMany
    if len(different) > 256:
        return different
    kept: list[Clause] = []
    for clause in different:
        sets = dict(clause)
        if not any(all(codes <= sets.get(j, frozenset()) for j, codes in stronger) for stronger in kept):
            kept.append(clause)
    return kept


# --- diagrams ---------------------------------------------------------------------------------------------------------


def _node(formula: Formula, nodes: Nodes, group_of: Sequence[Sequence[int]]) -> int:
    """The formula as a diagram over core codes."""
    tick()
    if not isinstance(formula, Member):
        parts = [_node(part, nodes, group_of) for part in formula.parts]
        return nodes.conjoin(parts) if isinstance(formula, Both) else nodes.disjoin(parts)
    groups = group_of[formula.feature]
    inside = {int(groups[code]) for code in formula.codes}
    if any(int(group) in inside for code, group in enumerate(groups) if code not in formula.codes):
        raise InternalError(f"a relation distinguishes values of one group of feature {formula.feature}")
    return nodes.member(formula.feature, inside)
