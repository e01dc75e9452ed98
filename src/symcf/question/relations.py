"""Relations between features: which combinations of values a counterfactual may have.

Expressions are resolved to features and value codes here, and provided in two forms: true or false for rows, and
diagrams to conjoin with those of the classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from operator import ge, gt, le, lt
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import NO_LIMIT, Clock
from symcf.common.renamed import did_you_mean
from symcf.data.labels import by_feature, feature_index
from symcf.data.numbers import NumberLine
from symcf.data.raw_row import RawRow
from symcf.data.regions import Region
from symcf.errors import LimitError, OptionError
from symcf.question.amounts import NO_PRODUCTS, Amount, Product, Undefined
from symcf.question.comparisons import Regions, codes_within, compares_numbers, cuts_around, cuts_of, points_of
from symcf.question.expressions import (
    ORDERS,
    PREFIXES,
    SIGN_OF,
    AtMost,
    Atom,
    Comparison,
    Expression,
    Names,
    Stepped,
    Test,
    Value,
    fault,
    parse,
)
from symcf.question.formulas import Condition, Formula, Member
from symcf.question.likely import Likely
from symcf.question.orders import Order
from symcf.question.row_relations import Counted, Measured, Relation, Resolved, Steps, Was, label_number
from symcf.question.row_systems import labels_where, system_of
from symcf.system.builder import NodeLimit
from symcf.system.classifier import Classifier

__all__ = ["Relations", "ValueReader", "as_expression", "as_list", "cut_for", "expressions_of"]

C = TypeVar("C", bound=Classifier)

#: Features of a group that is related, and combinations of them, up to which change sets are found without a diagram.
MAX_RELATED, MAX_COMBINATIONS = 8, 1 << 12

MAX_NODES = 1 << 18

#: Combinations of numbers for which a comparison is the same in every row.
MOST_FIXED = 1 << 24


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
            *map(self._read, as_list(given)),
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
    def by_row(self) -> list[Relation]:
        """Those that mean something else for each row; see `of_row`."""
        return [item for item in self.items if isinstance(item, Relation) and item.by_row]

    @property
    def compared(self) -> frozenset[int]:
        """The features whose values are ranges of numbers and whose numbers are compared in them."""
        return frozenset(j for item in self.by_row for j in item.compared)

    @property
    def orders(self) -> list[Order]:
        """Those of them that compare the numbers of two columns."""
        found = []
        for item in self.by_row:
            order = item.order
            if order is not None:
                steps = self._resolutions.get(order.low), self._resolutions.get(order.high)
                found.append(order._replace(steps=steps, text=item.text))
        return found

    def of_row(self, raw: RawRow, related: frozenset[int]) -> Relations:
        """The relations for one row: its numbers are known. In codes that have the values of ``related`` features a
        second time: those that are compared, here or in relations that were left out.
        """
        by_row = self.by_row
        if not related and not by_row:
            return self
        others = [item.with_second(related) for item in self.items if not item.by_row]
        system = [system_of(by_row, raw, self._values, related)] if by_row else []
        found = self.keeping([*others, *system])
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
        if isinstance(given, Condition):
            return given
        text = given.strip() if isinstance(given, str) else None
        expression = as_expression(given)
        resolved = tuple(self._labels.resolved(atom, given) for atom in expression.atoms())
        if any(isinstance(atom, Steps) for atom in resolved) and not isinstance(expression, Stepped):
            raise OptionError(f"constraints: {expression}: step(...) must be a relation of its own")
        by_row = any(atom.fixed is None for atom in resolved)
        kinds = (Measured, Steps) if isinstance(expression, AtMost) else (Measured, Counted, Steps)
        measured = {j for atom in resolved if by_row and isinstance(atom, kinds) for j in atom.features}
        compared = frozenset(j for j in measured if not are_single_numbers(self._regions[j]))
        return Relation(str(expression) if text is None else text, expression, resolved, compared)

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
        for j in {j for item in self.by_row for j in item.features}:
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

    def tables(self, members: Sequence[Sequence[Sequence[int]]]) -> list[_core.Relation] | None:
        """By group of features that are related, directly or through others, all their combinations; None if they are
        too many.

        ``members[j][g]`` are the value codes that are core code g of feature j.
        """
        groups: list[tuple[set[int], list[Condition]]] = []
        for item in self.items:
            features = set(item.mentioned)
            together = [group for group in groups if group[0] & features]
            groups = [group for group in groups if group not in together]
            groups.append((features.union(*(f for f, _ in together)), [i for _, of in together for i in of] + [item]))
        found = []
        for features, items in groups:
            related, parts = sorted(features), self.keeping(items)
            n_values = [len(members[j]) for j in related]
            if len(related) > MAX_RELATED or math.prod(n_values) > MAX_COMBINATIONS:
                return None
            rows = np.zeros((math.prod(n_values), len(self._features)), dtype=np.int64)
            for j, codes in zip(related, np.indices(n_values) if related else (), strict=True):
                rows[:, j] = np.array([group[0] for group in members[j]])[codes.ravel()]
            assert parts is not None
            found.append(_core.Relation(np.array(related, dtype=np.uint32), parts.holds(rows).astype(np.uint8)))
        return found

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
        levels, sizes = [int(j) for j in order], [int(d) for d in n_values]
        result = []

        def look() -> float:
            if clock.expired:
                raise LimitError("time limit reached while the diagrams of the relations were built")
            return clock.left

        for item in self.items:
            try:
                result.append(item.diagram(levels, sizes, group_of, max_nodes, look))
            except NodeLimit:
                raise LimitError(
                    f"constraints: the diagram of {item.text!r} has more than {max_nodes:,} nodes; {item.advice}"
                ) from None
        return tuple(result)


def are_single_numbers(regions: Mapping[int, Region] | None) -> bool:
    """Is no value a range, within which a number could move?"""
    return all(region.first == region.last for region in (regions or {}).values())


def expressions_of(constraints: Any) -> list[Expression]:
    """What a user gave for relations, as expressions."""
    return [one.expression if isinstance(one, Relation) else as_expression(one) for one in as_list(constraints)]


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


def as_list(given: Any) -> list[Any]:
    """One relation or several, as a list."""
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

    def resolved(self, atom: Atom, given: Any) -> Resolved:
        """What an atom means. `given`, if it is text, is what errors point into."""
        if isinstance(atom, AtMost):
            return self._counted(atom, given)
        if isinstance(atom, Stepped):
            j = self.feature(Test(atom.feature, "in", (0,), atom.places[1:] * 2), given)
            if not self._is_number(j):
                at = Amount("", (), (*atom.places, 0, 0)[1])
                raise _fault(f"{self._features[j]!r} is not a column of numbers, so it has no steps", at, given)
            return Steps(j, atom.step)
        if isinstance(atom, Comparison):
            return self._measured(atom, given)
        prefix = self.prefixed(atom)
        j = self.feature(self._bare(atom) if prefix else atom, given)
        value = atom.values[0]
        is_numeric = self._is_number(j)
        if prefix == "change." or (prefix == "old." and is_numeric and len(atom.values) == 1 and _is_number(value)):
            return self._measured(self._amounts(atom, given), given)
        named = isinstance(value, str) and len(atom.values) == 1 and self._name(value) is not None
        if isinstance(value, str) and value.startswith(PREFIXES) and is_numeric:
            named = True  # of a feature that there may not be
        if named and (prefix or value not in self._features or self.partner(atom, given) is not None):
            labels = () if isinstance(self._values[j], NumberLine) else self._values[j]
            if not any(str(label) == value for label in labels):
                if value == self._features[j] and atom.operator in ORDERS and self._regions[j] is not None:
                    raise _error(f"{value!r} is compared with itself", atom, 1, given)
                return self._measured(self._amounts(atom, given), given)
        if prefix:
            return Was(self.member(self._bare(atom), given))
        return self.member(atom, given)

    def prefixed(self, test: Test) -> str:
        """The word before the name of a feature, "old." or "change."; none where that belongs to the name."""
        name = test.feature
        if not isinstance(name, str) or name in self._features:
            return ""
        return next((prefix for prefix in PREFIXES if name.startswith(prefix)), "")

    def _bare(self, test: Test) -> Test:
        """A test without its prefix."""
        return replace(test, feature=str(test.feature).removeprefix(self.prefixed(test)))

    def _name(self, name: str) -> tuple[str, int] | None:
        """The prefix and the feature of a name; None if there is no such feature."""
        if name in self._features:
            return "", self._features.index(name)
        for prefix in PREFIXES:
            if name.startswith(prefix) and name.removeprefix(prefix) in self._features:
                return prefix, self._features.index(name.removeprefix(prefix))
        return None

    def _amounts(self, test: Test, given: Any) -> Comparison:
        """A test as a comparison of amounts."""
        sides = []
        if len(test.values) > 1:
            raise _error("one number is needed", test, 1, given)
        for said, place in zip((test.feature, test.values[0]), (*test.places, 0, 0)[:2], strict=True):
            if isinstance(said, bool) or said is None:
                raise _error(f"a number is compared with a number, not with {said!r}", test, 1, given)
            if isinstance(said, int) and said is test.feature:
                said = self._features[self.feature(test, given)]
            sides.append(Amount(said if isinstance(said, str) else Fraction(str(said)), (), place))
        return Comparison(sides[0], SIGN_OF.get(test.operator, test.operator), sides[1])

    def _measured(self, comparison: Comparison, given: Any) -> Measured:
        names = {}
        for leaf in (*comparison.left.leaves(), *comparison.right.leaves()):
            said = str(leaf.said)
            found = self._name(said)
            if found is None:
                signs = "; signs have spaces around them" if any(sign in said for sign in "+-/") else ""
                raise _fault(f"there is no feature {said!r}{_close(said, self._features)}{signs}", leaf, given)
            if not self._is_number(found[1]):
                problem = "is not a column of numbers, so it cannot be added or compared with one"
                raise _fault(f"{self._features[found[1]]!r} {problem}", leaf, given)
            names[said] = found
        measured = Measured(comparison, names)
        if not names:
            raise _fault("there is no feature in this comparison", comparison.left, given)
        try:
            measured.difference(lambda j: Fraction(1 << 61 | 1, 7919 + j))  # any numbers: the shape is checked
        except Product as error:
            raise _fault(NO_PRODUCTS, Amount("", (), error.place or 0), given) from None
        except Undefined:
            raise _fault("this divides by 0", comparison.left, given) from None
        return self._fixed(measured)

    def _fixed(self, measured: Measured) -> Measured:
        """The same, with what it says of every row if it is about single numbers of the new row. Numbers that are
        equal but for rounding are those of one row.
        """
        features = sorted(measured.features)
        if any(prefix for prefix, _ in measured.names.values()) or measured.comparison.operator in ("=", "!="):
            return measured
        if not all(are_single_numbers(self._regions[j]) for j in features):
            return measured
        if math.prod(len(self._values[j]) for j in features) > MOST_FIXED:
            return measured
        numbers = {j: [self._number(j, code) for code in range(len(self._values[j]))] for j in features}
        yes, no = (labels_where(measured.compared(lambda j: None, holds), numbers) for holds in (True, False))
        return replace(measured, fixed=(yes, no))

    def _number(self, j: int, code: int) -> Fraction | None:
        """The number of a value that is no range; None if it has none."""
        regions = self._regions[j]
        if regions is None:
            return label_number(self._values[j][code])
        return Fraction(regions[code].first) if code in regions else None

    def _is_number(self, j: int) -> bool:
        """Does a column hold numbers?"""
        if self._regions[j] is not None:
            return True
        labels = [label for code, label in enumerate(self._values[j]) if code not in self._apart[j]]
        return bool(labels) and all(label_number(label) is not None for label in labels)

    def _counted(self, atom: AtMost, given: Any) -> Counted:
        features = []
        for i, name in enumerate(atom.features):
            test = Test(name, "in", (0,), (atom.places or (0,) * (i + 2))[i + 1 : i + 2] * 2 if atom.places else ())
            j = self.feature(test, given)
            if j in features:
                raise _error(f"{self._features[j]!r} is named twice", test, 0, given)
            features.append(j)
        return Counted(atom.count, tuple(features))

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


def _fault(message: str, at: Amount, given: Any) -> OptionError:
    if isinstance(given, str):
        return fault(message, given, at.place)
    return OptionError(f"constraints: {message}")
