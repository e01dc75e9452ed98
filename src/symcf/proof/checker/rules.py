"""Rules of certificates: how a row is decided, in integers.

    sums      weights by sum, feature and value; the largest sum wins, or the one sum decides by its sign
    numbers   the same where features are numbers: a x**2 + b x, rounded once; so is the difference of two sums
    trees     the scores of the leaves that a row reaches are added up
    diagrams  one decision diagram of class 1, or one per class

Where sums are compared, "class r beats class p" is a *condition*: a sum with signs that has to reach a bound. To get
away from a class, one of several conditions has to hold; to get to one of many classes, several have to hold at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from symcf.proof.checker.domains import LARGEST, MISSING, SMALLEST, ZERO, number_of_code
from symcf.proof.checker.form import Effort, Rejected, integer, items, record

__all__ = [
    "Additive",
    "Compared",
    "Condition",
    "Diagrams",
    "Node",
    "Numbers",
    "Rule",
    "Sums",
    "ties",
]

TIES = ("first", "last")

#: Steps that nodes of several diagrams which are reached together count for: there must be room for all of them.
KEPT = 1024


class Condition(NamedTuple):
    """The sums that count, each with its sign, and what they have to reach together."""

    signs: tuple[tuple[int, int], ...]
    bound: int


class Rule(ABC):
    """Decides which class a row of codes gets."""

    #: The steps that it takes to decide one row, about.
    steps: int

    def __init__(self, n_values: Sequence[int | None], n_classes: int, effort: Effort) -> None:
        #: By feature, how many values it has; None: it is a number.
        self.n_values = list(n_values)
        self.n_classes = n_classes
        self.effort = effort

    @abstractmethod
    def class_of(self, row: Sequence[int]) -> int:
        """The class of a row."""


class Compared(Rule):
    """The largest of some sums wins; one sum decides between two classes by its sign."""

    n_sums: int
    later_wins: bool

    @abstractmethod
    def sums_of(self, row: Sequence[int]) -> list[int]:
        """The sums of a row."""

    def class_of(self, row: Sequence[int]) -> int:
        """See `Rule`."""
        sums = self.sums_of(row)
        if self.n_sums == 1:
            return int(sums[0] >= (0 if self.later_wins else 1))
        best = max(sums)
        return max(k for k, s in enumerate(sums) if s == best) if self.later_wins else sums.index(best)

    def beats(self, r: int, p: int) -> Condition:
        """Class r beats class p."""
        bound = 0 if (r > p) == self.later_wins else 1
        if self.n_sums == 1:
            return Condition(((0, 1 if r else -1),), bound)
        return Condition(((r, 1), (p, -1)), bound)

    def alternatives(self, decision: int, target: int | None) -> list[list[Condition]]:
        """Lists of conditions; the goal is reached where all of one list hold."""
        others = [k for k in range(self.n_classes) if k != decision]
        if target is None or self.n_classes == 2:
            return [[self.beats(r, decision)] for r in others]
        return [[self.beats(target, p) for p in range(self.n_classes) if p != target]]


class Additive(Compared):
    """Each feature adds a term of its own to each sum."""

    bias: list[int]

    @abstractmethod
    def part(self, j: int, code: int, k: int) -> int:
        """What a value adds to sum k."""

    def term(self, j: int, code: int) -> tuple[int, ...]:
        """What a value adds, by sum."""
        return tuple(self.part(j, code, k) for k in range(self.n_sums))

    def sums_of(self, row: Sequence[int]) -> list[int]:
        """See `Compared`."""
        terms = [self.term(j, code) for j, code in enumerate(row)]
        return [sum(column) for column in zip(self.bias, *terms, strict=True)]

    def doubt(self, row: Sequence[int]) -> int:
        """By how much another class has to win."""
        return 0

    def margin(self, j: int, code: int, condition: Condition) -> int:
        """What a value adds to the sum of a condition."""
        return sum(sign * self.part(j, code, k) for k, sign in condition.signs)

    def reached(self, row: Sequence[int], condition: Condition) -> int:
        """The sum of a condition."""
        bias = sum(sign * self.bias[k] for k, sign in condition.signs)
        return bias + sum(self.margin(j, code, condition) for j, code in enumerate(row))


class Sums(Additive):
    """Weights of values."""

    def __init__(self, data: Any, n_values: Sequence[int | None], n_classes: int, effort: Effort) -> None:
        super().__init__(n_values, n_classes, effort)
        _, weights, bias, tied = record(data, "the rule", ("kind", "weights", "bias", "ties"))
        self.n_sums = 1 if n_classes == 2 and len(_listed(bias)) == 1 else n_classes
        self.bias = items(bias, "bias", integer, self.n_sums)
        self.steps = self.n_sums * len(n_values)
        by_sum = items(weights, "weights", partial(_columns, n_values=n_values), self.n_sums)
        #: By feature and value, the weights by sum.
        self._terms: list[list[tuple[int, ...]]] = [
            list(zip(*columns, strict=True)) for columns in zip(*by_sum, strict=True)
        ]
        self.later_wins = ties(tied)

    def part(self, j: int, code: int, k: int) -> int:
        """See `Additive`."""
        return self._terms[j][code][k]


class Numbers(Additive):
    """Terms of numbers, and weights of values. A unit is 2 to the power of minus ``scale``."""

    #: The sum of all terms within the ranges is below 2 to this power; beyond, a row is less certain.
    RANGE_BITS = 54

    def __init__(self, data: Any, n_values: Sequence[int | None], n_classes: int, effort: Effort) -> None:
        super().__init__(n_values, n_classes, effort)
        keys = ("kind", "terms", "bias", "scale", "ties", "doubt")
        _, terms, bias, scale, tied, doubt = record(data, "the rule", keys)
        self.n_sums = 1 if n_classes == 2 and len(_listed(bias)) == 1 else n_classes
        self.bias = items(bias, "bias", integer, self.n_sums)
        self.steps = self.n_sums * len(n_values)
        self.scale = integer(scale, "scale", -4096, 4096)
        self.later_wins = ties(tied)
        self._doubt = integer(doubt, "doubt", 0)
        #: By feature: weights by value and sum; or by sum the digits and exponents of curve and slope.
        self._tables: list[list[tuple[int, ...]] | None] = []
        self._curves: list[list[tuple[int, int, int, int]] | None] = []
        #: By feature that is a number and may be missing, what that adds, by sum.
        self.missing: dict[int, list[int]] = {}
        #: By feature and condition.
        self._differences: dict[tuple[int, tuple[tuple[int, int], ...]], tuple[int, int, int, int]] = {}
        for size, term in zip(n_values, items(terms, "terms", lambda t, _: t, len(n_values)), strict=True):
            if size is None:
                may_be_missing = isinstance(term, dict) and "missing" in term
                curves, *missing = record(term, "a term of a number", ("numbers", *["missing"] * may_be_missing))
                for weights in missing:
                    self.missing[len(self._curves)] = items(weights, "missing", integer, self.n_sums)
                self._curves.append(items(curves, "numbers", _polynomial, self.n_sums))
                self._tables.append(None)
            else:
                (rows,) = record(term, "a term of values", ("weights",))
                by_sum = items(rows, "weights", partial(_weights, size=size), self.n_sums)
                self._tables.append(list(zip(*by_sum, strict=True)))
                self._curves.append(None)

    def part(self, j: int, code: int, k: int) -> int:
        """See `Additive`."""
        table, curves = self._tables[j], self._curves[j]
        if table is not None:
            return table[code][k]
        assert curves is not None
        if code == MISSING and j in self.missing:
            return self.missing[j][k]
        return self._rounded(curves[k], code)

    def margin(self, j: int, code: int, condition: Condition) -> int:
        """See `Additive`. The difference of two numbers is rounded once, so that it is monotone where it is a line."""
        if self._curves[j] is None or len(condition.signs) == 1 or code == MISSING:
            return super().margin(j, code, condition)
        return self._rounded(self._difference(j, condition), code)

    def _difference(self, j: int, condition: Condition) -> tuple[int, int, int, int]:
        """The polynomial of the sum of a condition, its coefficients rounded to `BITS` bits."""
        key = (j, condition.signs)
        if key not in self._differences:
            curves = self._curves[j]
            assert curves is not None
            self.effort.spend(1000)
            square, line = (
                _difference([(sign * curves[k][at], curves[k][at + 1]) for k, sign in condition.signs]) for at in (0, 2)
            )
            self._differences[key] = (*square, *line)
        return self._differences[key]

    def _rounded(self, polynomial: tuple[int, int, int, int], code: int) -> int:
        self.effort.spend(50)
        digits, exponent = _digits(number_of_code(code))
        curve, curve_exponent, slope, slope_exponent = polynomial
        units = self.scale + 64 + exponent
        square = _shifted(curve * digits * digits, units + exponent + curve_exponent)
        line = _shifted(slope * digits, units + slope_exponent)
        return (square + line + (1 << 63)) >> 64

    def doubt(self, row: Sequence[int]) -> int:
        """See `Additive`. More where numbers are far outside the ranges, since float sums err more."""
        terms = [self.term(j, code) for j, code in enumerate(row)]
        size = max(sum(map(abs, column)) for column in zip(self.bias, *terms, strict=True))
        beyond: int = max(1, 1 + ((size - 1) >> self.RANGE_BITS))
        return self._doubt * beyond

    def polynomial(self, j: int, condition: Condition) -> tuple[Fraction, Fraction]:
        """The coefficients of the square and of the number in the sum of a condition, in units."""
        curve, curve_exponent, slope, slope_exponent = self._difference(j, condition)
        unit = Fraction(2) ** self.scale
        return curve * unit * Fraction(2) ** curve_exponent, slope * unit * Fraction(2) ** slope_exponent

    def apexes(self, j: int, condition: Condition) -> list[float]:
        """Where the sum of a condition has its extreme, if it has one, as the nearest number that has a code."""
        self.effort.spend(1000)
        square, line = self.polynomial(j, condition)
        return [_coded(-line / (2 * square))] if square else []


class Node(NamedTuple):
    """A node of a diagram: the feature that it tests, and by value the next node."""

    feature: int
    children: tuple[int, ...]


class Diagrams(Rule):
    """Nodes 0 and 1 of a diagram are its sinks; the last node is the root."""

    def __init__(self, data: Any, n_values: Sequence[int | None], n_classes: int, effort: Effort) -> None:
        super().__init__(n_values, n_classes, effort)
        _, diagrams = record(data, "the rule", ("kind", "diagrams"))
        count = 1 if n_classes == 2 else n_classes
        self.steps = count * len(n_values)
        #: By class (of two: of class 1), the nodes from number 2 on, and the root.
        self._orders: list[list[int]] = []
        self.diagrams = items(diagrams, "diagrams", self._diagram, count)
        if n_classes != 2:
            self._check_one_class()

    def _check_one_class(self) -> None:
        """Does every row have one class? Walks through all diagrams at once."""
        if any(order != self._orders[0] for order in self._orders):
            raise Rejected("rule", "the diagrams of the classes must have one order")
        place = {feature: level for level, feature in enumerate(self._orders[0])}
        start = tuple(root for _, root in self.diagrams)
        waiting, seen = [start], {start}
        while waiting:
            at = waiting.pop()
            tested = [nodes[u - 2].feature for (nodes, _), u in zip(self.diagrams, at, strict=True) if u > 1]
            if not tested:
                if sum(at) != 1:
                    raise Rejected("rule", "the diagrams do not give one class to every row")
                continue
            feature = min(tested, key=place.__getitem__)
            self.effort.spend(10 * len(at) * (self.n_values[feature] or 0))
            for code in range(self.n_values[feature] or 0):
                after = tuple(
                    nodes[u - 2].children[code] if u > 1 and nodes[u - 2].feature == feature else u
                    for (nodes, _), u in zip(self.diagrams, at, strict=True)
                )
                if after not in seen:
                    self.effort.spend(KEPT)
                    seen.add(after)
                    waiting.append(after)

    def _diagram(self, data: Any, where: str) -> tuple[list[Node], int]:
        order, nodes, root = record(data, where, ("order", "nodes", "root"))
        features = items(order, "order", integer, len(self.n_values))
        if sorted(features) != list(range(len(features))):
            raise Rejected("form", "the order of a diagram must list each feature once")
        self._orders.append(features)
        found: list[Node] = []
        levels = [len(features)] * 2
        for numbers in items(nodes, "nodes", lambda node, at: items(node, at, integer)):
            level = integer(numbers[0] if numbers else None, "the level of a node", 0, len(features))
            children = tuple(numbers[1:])
            if len(children) != self.n_values[features[level]]:
                raise Rejected("form", "a node must have one child per value")
            if any(not 0 <= child < len(levels) or levels[child] <= level for child in children):
                raise Rejected("form", "the children of a node must come before it, and lie on lower levels")
            found.append(Node(features[level], children))
            levels.append(level)
        return found, integer(root, "root", 0, len(levels))

    def class_of(self, row: Sequence[int]) -> int:
        """See `Rule`."""
        sinks = [_sink(nodes, root, row) for nodes, root in self.diagrams]
        if self.n_classes == 2:
            return sinks[0]
        return sinks.index(1)

    def goal(self, decision: int, target: int | None) -> tuple[list[Node], int, int]:
        """Nodes, root and the sink that has to be reached."""
        if self.n_classes == 2:
            return *self.diagrams[0], 1 - decision
        return (*self.diagrams[decision], 0) if target is None else (*self.diagrams[target], 1)


def _sink(nodes: list[Node], root: int, row: Sequence[int]) -> int:
    while root > 1:
        node = nodes[root - 2]
        root = node.children[row[node.feature]]
    return root


# --- reading ----------------------------------------------------------------------------------------------------------


def _listed(data: Any) -> list[Any]:
    return items(data, "bias", lambda value, _: value)


def ties(data: Any) -> bool:
    """Does the last of several classes with the same sum win?"""
    if data not in TIES:
        raise Rejected("form", "ties must be 'first' or 'last'")
    return bool(data == "last")


def _weights(data: Any, where: str, size: int | None) -> list[int]:
    return items(data, where, integer, size)


def _columns(data: Any, where: str, n_values: Sequence[int | None]) -> list[list[int]]:
    parts = items(data, where, lambda part, _: part, len(n_values))
    return [_weights(part, where, size) for part, size in zip(parts, n_values, strict=True)]


def _polynomial(data: Any, where: str) -> tuple[int, int, int, int]:
    curve, curve_exponent, slope, slope_exponent = items(data, where, integer, 4)
    for exponent in (curve_exponent, slope_exponent):
        integer(exponent, where, -(1 << 14), 1 << 14)
    return curve, curve_exponent, slope, slope_exponent


# --- numbers ----------------------------------------------------------------------------------------------------------

#: Coefficients of differences have at most so many bits.
BITS = 61


def _coded(number: Fraction) -> float:
    """The nearest double that has a code."""
    size, smallest = abs(number), number_of_code(ZERO + 1)
    largest = number_of_code(ZERO + 1 + LARGEST - SMALLEST)
    if size < smallest:
        nearest = smallest if 2 * size > smallest else 0.0
    else:
        nearest = largest if size > largest else float(size)
    return -nearest if number < 0 else nearest


def _digits(number: float) -> tuple[int, int]:
    """An integer and an exponent of two, whose product is the number."""
    numerator, denominator = number.as_integer_ratio()
    return numerator, 1 - denominator.bit_length()


def _difference(parts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The sum of digits times powers of two, as such, rounded to `BITS` bits if it has more."""
    least = min(exponent for _, exponent in parts)
    digits = sum(part << exponent - least for part, exponent in parts)
    extra = digits.bit_length() - BITS
    if extra <= 0:
        return digits, least
    rounded = (abs(digits) + (1 << extra - 1)) >> extra
    return (rounded if digits > 0 else -rounded), least + extra


def _shifted(number: int, places: int) -> int:
    """floor(number * 2**places)"""
    if abs(places) > 1 << 15:
        raise Rejected("form", "an exponent of the rule is out of range")
    return number << places if places >= 0 else number >> -places
