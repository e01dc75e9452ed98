"""Columns of numbers that linear rows tie to each other: what they can gain together, for many rows at once.

Few columns are tied. Let T be some of them. If only T and columns that are not tied may change, a goal of one sum is
reached iff the gain of T and the gains of the others, each at its best, add up to what is lacking. The gain of T is a
linear program over a box. It is bounded from both sides here, in floats whose rounding is accounted for: vertices give
numbers that obey for sure, and what they gain; weights of the linear rows give what no numbers exceed (weak duality),
or prove that no numbers obey. So a set is enough if it is with the lower bounds, and not enough if it is not with the
upper ones. What lies between is left to the exact search (`symcf.search.lines`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.data.encoder import FeatureReader
from symcf.data.numbers import LEAST, Numbers, numbers_of_codes
from symcf.data.types import ColumnType
from symcf.question.amounts import Form, Product, Quotient, Undefined
from symcf.question.expressions import Expression
from symcf.question.gains import DOWN, FIXED, UP, Freedom, rivals_of
from symcf.question.relations import Relations
from symcf.question.row_relations import EQUAL, MIRRORED, NEGATED, Measured, Relation, both_ways
from symcf.system.decision import NumberSums

__all__ = ["NONE", "Ties"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

#: The gain where no numbers obey.
NONE = -(1 << 62)

#: More columns, linear rows or alternatives than this are left to the exact search.
MOST_TIED, MOST_ROWS, MOST_ALTERNATIVES = 3, 4, 4

#: Sums of so few floats are rounded by less than this part of their magnitudes.
ROUNDING = 2.0**-46

#: Vertices are moved inwards by this part of the magnitudes, so that their rounded numbers obey.
INWARDS = 2.0**-44

#: Sums of whole numbers up to here, with whole coefficients up to `WHOLE_FACTORS`, are not rounded at all.
WHOLE, WHOLE_FACTORS = 2.0**30, 2.0**16


@dataclass(frozen=True)
class _Row:
    """``new . (new numbers - old numbers) + old . (old numbers) <= -constant``, or less."""

    #: By tied column, then by column that is only read.
    new: tuple[Fraction, ...]
    old: tuple[Fraction, ...]
    constant: Fraction
    strict: bool
    #: Equal sums may differ by a little: 1; sums that differ, differ by more: -1; 0: neither.
    near: int = 0


class Ties:
    """The linear rows of a question, the same for every row but for its own numbers."""

    def __init__(self, features: Sequence[int], read: Sequence[int], alternatives: Sequence[Sequence[_Row]]) -> None:
        #: The features whose new numbers are tied.
        self.features = tuple(features)
        self._columns = [*features, *read]
        self._alternatives = [_Alternative(rows, len(features)) for rows in alternatives]

    @classmethod
    def of(cls, relations: Relations, readers: Sequence[FeatureReader], sums: NumberSums) -> Ties | None:
        """None where relations are more than few linear rows over plain columns of numbers with straight terms."""
        if relations.likely is not None or relations.formulas or sums.cells or sums.rule.links:
            return None
        n = len(readers)
        try:
            found = [_alternatives(relation, n) for relation in relations.by_row]
        except (Product, Undefined, _OtherError):
            return None
        alternatives = [[row for part in parts for row in part] for parts in product(*found)]
        rows = [row for rows in alternatives for row in rows]
        tied = sorted({j for form, _, _ in rows for j, _ in form.coefficients if j < n})
        read = sorted({j - n for form, _, _ in rows for j, _ in form.coefficients if j >= n} - set(tied))
        if len(alternatives) > MOST_ALTERNATIVES or not 0 < len(tied) <= MOST_TIED:
            return None
        if any(len(rows) > MOST_ROWS for rows in alternatives):
            return None
        if not all(isinstance(reader := readers[j], Numbers) and reader.is_plain for j in (*tied, *read)):
            return None
        if sums.rule.curve[:, [sums.rule.numbers.index(j) for j in tied]].any():
            return None
        made = [[_row(form, strict, near, tied, read, n) for form, strict, near in rows] for rows in alternatives]
        return cls(tied, read, made)

    def gains(
        self, freedom: Freedom, codes: Integers, prediction: int, kind_of: Callable[[int], ColumnType | None]
    ) -> tuple[Integers, Integers]:
        """For rows of one class, by row, rival and set of tied features (as bits): a gain that they reach, and one that
        they do not exceed; `NONE` where no numbers obey.
        """
        x = numbers_of_codes(codes[:, self._columns])
        whole = np.array([(kind := kind_of(j)) is not None and kind.is_whole for j in self.features])
        box = _Box.of(self.features, freedom, x[:, : len(self.features)], whole)
        slopes = self._slopes(freedom, prediction)
        shape = len(x), len(slopes), 1 << len(self.features)
        least, most = np.full(shape, NONE, dtype=np.float64), np.full(shape, NONE, dtype=np.float64)
        for one in self._alternatives:
            limits = one.limits(x, bool(whole.all()))
            surely, maybe = limits.obeyed
            least[surely, :, 0], most[maybe, :, 0] = 0, 0
            for i, slope in enumerate(slopes):
                for part in range(1, shape[2]):
                    some = [k for k in range(len(self.features)) if part >> k & 1]
                    np.maximum(least[:, i, part], one.least(some, slope, box, limits), out=least[:, i, part])
                    np.maximum(most[:, i, part], one.most(some, slope, box, limits), out=most[:, i, part])
        for part in range(1, shape[2]):
            for k in range(len(self.features)):
                if part >> k & 1:
                    for bound in (least, most):
                        np.maximum(bound[:, :, part], bound[:, :, part & ~(1 << k)], out=bound[:, :, part])
        return np.floor(least).astype(np.int64), np.ceil(most).astype(np.int64)

    def _slopes(self, freedom: Freedom, prediction: int) -> list[Floats]:
        """By rival, what each tied column adds to the margin, in units."""
        rule = freedom.decision.rule
        places = [rule.numbers.index(j) for j in self.features]
        unit = Fraction(2) ** rule.scale
        margins = [rule.margin(rival, prediction) for rival, _, _ in rivals_of(freedom.decision, prediction)]
        return [np.array([float(m.sign * unit * m.slope[i].fraction) for i in places]) for m in margins]


# --- what relations say -----------------------------------------------------------------------------------------------


class _OtherError(Exception):
    """A relation is no comparison of sums."""


#: Of new numbers (of feature j) and old ones (of feature j - n): at most 0, or less; and `_Row.near`.
_Written = tuple[Form, bool, int]


def _alternatives(relation: Relation, n: int) -> list[list[_Written]]:
    """One of these has to hold."""
    resolved = iter(relation.resolved)

    def atom(_: Any) -> tuple[list[list[_Written]], list[list[_Written]]]:
        one = next(resolved)
        if not isinstance(one, Measured) or one.fixed is not None:
            raise _OtherError
        return _compared(one, n, True), _compared(one, n, False)

    expression: Expression = relation.expression
    found: list[list[_Written]] = expression.meaning(both_ways(atom, _every, _some))[0]
    return found


def _every(parts: list[list[list[_Written]]]) -> list[list[_Written]]:
    found = [[row for part in chosen for row in part] for chosen in product(*parts)]
    if len(found) > MOST_ALTERNATIVES:
        raise _OtherError
    return found


def _some(parts: list[list[list[_Written]]]) -> list[list[_Written]]:
    return [rows for part in parts for rows in part]


def _compared(atom: Measured, n: int, holds: bool) -> list[list[_Written]]:
    """See `Measured.compared`: here old numbers are features of their own."""

    def meaning(leaf: Any) -> Quotient:
        prefix, j = atom.names[leaf.said]
        if prefix == "old.":
            return Quotient(Form.new(n + j))
        return Quotient(Form.new(j) + Form.new(n + j).times(Fraction(-1)) if prefix == "change." else Form.new(j))

    comparison = atom.comparison
    sign = comparison.operator if holds else NEGATED[comparison.operator]
    quotient = comparison.left.value(meaning) + -comparison.right.value(meaning)
    over, under = quotient.over, quotient.under
    if not under.coefficients:
        if not under.constant:
            raise _OtherError
        return _with_sign(over, sign if under.constant > 0 else MIRRORED[sign])
    positive = _every([_with_sign(under, ">"), _with_sign(over, sign)])
    negative = _every([_with_sign(under, "<"), _with_sign(over, MIRRORED[sign])])
    return _some([positive, negative])


def _with_sign(form: Form, sign: str) -> list[list[_Written]]:
    less = form.times(Fraction(-1))
    if sign in ("<", "<="):
        return [[(form, sign == "<", 0)]]
    if sign in (">", ">="):
        return [[(less, sign == ">", 0)]]
    if sign == "=":
        return [[(form, False, 1), (less, False, 1)]]
    return [[(form, True, -1)], [(less, True, -1)]]


def _row(form: Form, strict: bool, near: int, tied: Sequence[int], read: Sequence[int], n: int) -> _Row:
    by = dict(form.coefficients)
    new = tuple(by.get(j, Fraction(0)) for j in tied)
    old = tuple(by.get(n + j, Fraction(0)) + by.get(j, Fraction(0)) for j in (*tied, *read))
    return _Row(new, old, form.constant, strict, near)


# --- one alternative --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Box:
    """By row and tied column: how the number may differ from the own one, if it may."""

    own: Floats
    low: Floats
    high: Floats
    #: The ends themselves.
    first: Floats
    last: Floats
    empty: npt.NDArray[np.bool_]
    #: By column.
    whole: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, features: Sequence[int], freedom: Freedom, own: Floats, whole: npt.NDArray[np.bool_]) -> _Box:
        chosen = list(features)
        way = freedom.direction[chosen]
        first = np.where(way == UP, np.maximum(freedom.low[chosen], own), freedom.low[chosen])
        last = np.where(way == DOWN, np.minimum(freedom.high[chosen], own), freedom.high[chosen])
        first, last = np.where(whole, np.ceil(first), first), np.where(whole, np.floor(last), last)
        empty = (first > last) | (way == FIXED)
        return cls(own, first - own, last - own, first, last, empty, whole)


@dataclass(frozen=True)
class _Limits:
    """By row and linear row: what the changes may add up to, how far off that is, and whether they stay below it."""

    limit: Floats
    doubt: Floats
    strict: npt.NDArray[np.bool_]
    #: By row: are its numbers whole, and coefficients as well?
    exact: npt.NDArray[np.bool_]

    @property
    def obeyed(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """By row: does it obey as it is, surely or perhaps?"""
        sure = np.where(self.strict, self.limit > self.doubt, self.limit >= self.doubt)
        return np.asarray(sure.all(axis=1)), np.asarray((self.limit >= -self.doubt).all(axis=1))


class _Alternative:
    """Linear rows that have to be obeyed together."""

    def __init__(self, rows: Sequence[_Row], n: int) -> None:
        n_columns = len(rows[0].old)
        self._new = np.array([[float(c) for c in row.new] for row in rows]).reshape(len(rows), n)
        self._old = np.array([[float(c) for c in row.old] for row in rows]).reshape(len(rows), n_columns)
        self._constant = np.array([float(row.constant) for row in rows])
        self._strict = np.array([row.strict for row in rows])
        self._near = np.array([row.near for row in rows])
        #: What an equality is measured against: old numbers, and the new ones where they are.
        was = [[c - (row.new[i] if i < n else 0) for i, c in enumerate(row.old)] for row in rows]
        self._was = np.array([[float(c) for c in line] for line in was]).reshape(len(rows), n_columns)
        numbers = [c for row in rows for c in (*row.new, *row.old, row.constant)]
        self._is_whole = all(c.denominator == 1 and abs(c) <= WHOLE_FACTORS for c in numbers)
        self._bases: dict[tuple[int, ...], list[_Basis]] = {}
        self._weights: dict[Any, tuple[Floats, Floats]] = {}

    def limits(self, x: Floats, all_whole: bool) -> _Limits:
        """For rows of numbers."""
        size = np.abs(x) @ np.abs(self._old).T + np.abs(self._constant)
        limit = -(x @ self._old.T) - self._constant
        exact = np.zeros(len(x), dtype=np.bool_)
        if self._is_whole:
            exact = ((x == np.floor(x)) & (np.abs(x) <= WHOLE)).all(axis=1)
        doubt = np.where(exact[:, np.newaxis], 0.0, ROUNDING * size)
        if self._near.any():
            own = np.abs(x[:, : self._new.shape[1]]) @ np.abs(self._new).T
            near = float(EQUAL) * np.maximum(np.abs(x @ self._was.T + self._constant) + own, 1.0)
            limit = limit + self._near * near
            doubt = doubt + np.abs(self._near) * 2 * ROUNDING * (near + size)
        if all_whole:  # then so are all sums of changes
            rounded = np.where(self._strict, np.ceil(limit) - 1, np.floor(limit))
            limit, doubt = (np.where(exact[:, np.newaxis], a, b) for a, b in ((rounded, limit), (0.0, doubt)))
        return _Limits(limit, doubt, self._strict & ~(exact[:, np.newaxis] & all_whole), exact)

    def most(self, some: Sequence[int], slope: Floats, box: _Box, limits: _Limits) -> Floats:
        """By row, what changes of these columns do not exceed; `NONE` where none obey."""
        duals, rays = self._dual(tuple(some), slope)
        new, slope = self._new[:, some], slope[some]
        low, high = box.low[:, some], box.high[:, some]
        reach = np.maximum(np.abs(low), np.abs(high))
        top, size = limits.limit + limits.doubt, np.abs(limits.limit) + limits.doubt
        rest = slope - duals @ new
        most = top @ duals.T + high @ np.maximum(rest, 0).T + low @ np.minimum(rest, 0).T
        most += ROUNDING * (size @ duals.T + reach @ (np.abs(slope) + duals @ np.abs(new)).T)
        part = rays @ new
        room = top @ rays.T - low @ np.maximum(part, 0).T - high @ np.minimum(part, 0).T
        room += ROUNDING * (size @ rays.T + reach @ (rays @ np.abs(new)).T)
        none = (room < 0).any(axis=1) | box.empty[:, some].any(axis=1)
        found: Floats = np.where(none, NONE, most.min(axis=1) + len(some) + 1)
        return found

    def least(self, some: Sequence[int], slope: Floats, box: _Box, limits: _Limits) -> Floats:
        """By row, what changes of these columns reach; `NONE` where none are known to obey."""
        changes = np.stack([self._snapped(change, some, box) for change in self._vertices(some, box, limits)])
        new, slope = self._new[:, some], slope[some]
        magnitude = np.abs(changes)
        exact = limits.exact & ((changes == np.floor(changes)) & (magnitude <= WHOLE)).all(axis=2)
        doubt = limits.doubt + np.where(exact[:, :, np.newaxis], 0.0, ROUNDING * (magnitude @ np.abs(new).T))
        used, room = changes @ new.T, limits.limit - doubt
        fine = np.where(limits.strict, used < room, used <= room).all(axis=2)
        fine &= ~np.isnan(changes).any(axis=2) & ~box.empty[:, some].any(axis=1)
        gain = changes @ slope - ROUNDING * (magnitude @ np.abs(slope)) - len(some) - 1
        found: Floats = np.where(fine, gain, NONE).max(axis=0)
        return found

    def _vertices(self, some: Sequence[int], box: _Box, limits: _Limits) -> Iterator[Floats]:
        """Changes by row and column where as many rows and ends are met as there are columns. Columns of whole numbers
        that a row determines are given rounded both ways.
        """
        low, high, whole = box.low[:, some], box.high[:, some], box.whole[some]
        reach = np.maximum(np.abs(low), np.abs(high))
        room = limits.limit - limits.doubt
        inner = room - INWARDS * (np.abs(limits.limit) + reach @ np.abs(self._new[:, some]).T)
        for basis in self._bases_of(tuple(some)):
            for ends in product((0, 1), repeat=len(basis.others)):
                change = np.empty_like(low)
                for k, end in zip(basis.others, ends, strict=True):
                    change[:, k] = (low, high)[end][:, k]
                others = change[:, basis.others] @ basis.apart.T
                if not len(basis.columns):
                    yield change
                    continue
                if not whole[basis.columns].all():
                    change[:, basis.columns] = (inner[:, basis.rows] - others) @ basis.inverse.T
                    yield change
                    continue
                own = box.own[:, some][:, basis.columns]
                met = (room[:, basis.rows] - others) @ basis.inverse.T + own
                near = np.rint(met)
                met = np.where(np.abs(met - near) <= 1e-9 * np.maximum(1, np.abs(near)), near, met)
                for ways in product((np.floor, np.ceil), repeat=len(basis.columns)):
                    rounded = change.copy()
                    for k, (column, way) in enumerate(zip(basis.columns, ways, strict=True)):
                        rounded[:, column] = way(met[:, k]) - own[:, k]
                    yield rounded

    @staticmethod
    def _snapped(change: Floats, some: Sequence[int], box: _Box) -> Floats:
        """Changes to numbers that the columns hold; NaN where there is none."""
        own = box.own[:, some]
        number = np.clip(own + change, box.first[:, some], box.last[:, some])
        number = np.where(box.whole[some] & (number != np.floor(number)), np.nan, number)
        number = np.where((number != 0) & (np.abs(number) < LEAST), np.nan, number)
        return np.asarray(number - own)

    def _bases_of(self, some: tuple[int, ...]) -> list[_Basis]:
        if some not in self._bases:
            new = self._new[:, some]
            self._bases[some] = [
                basis
                for size in range(min(new.shape) + 1)
                for rows in combinations(range(len(new)), size)
                for columns in combinations(range(len(some)), size)
                if (basis := _Basis.of(new, rows, columns)) is not None
            ]
        return self._bases[some]

    def _dual(self, some: tuple[int, ...], slope: Floats) -> tuple[Floats, Floats]:
        """Weights of the rows that bound a gain, and weights with which they may contradict each other. Any that are
        not negative do; these are the best.
        """
        key = some, slope.tobytes()
        if key not in self._weights:
            new, chosen = self._new[:, some], slope[list(some)]
            duals, rays = [np.zeros(len(new))], []
            for basis in self._bases_of(some):
                if len(basis.rows):
                    weights = chosen[list(basis.columns)] @ basis.inverse
                    if (weights >= 0).all():
                        duals.append(_spread(weights, basis.rows, len(new)))
            for size in range(1, min(len(new), len(some) + 1) + 1):
                for rows in combinations(range(len(new)), size):
                    for columns in combinations(range(len(some)), size - 1):
                        square = new[np.ix_(rows, columns)].T
                        weights = np.linalg.svd(square)[2][-1] if len(columns) else np.ones(1)
                        weights = weights if weights.sum() >= 0 else -weights
                        if (weights >= -1e-12).all():
                            rays.append(_spread(np.maximum(weights, 0), rows, len(new)))
            self._weights[key] = np.array(duals), np.array(rays)
        return self._weights[key]


@dataclass(frozen=True)
class _Basis:
    """Columns that linear rows determine where the others are known."""

    rows: list[int]
    columns: list[int]
    others: list[int]
    #: By determined column and row; by row and other column.
    inverse: Floats
    apart: Floats

    @classmethod
    def of(cls, new: Floats, rows: Collection[int], columns: Collection[int]) -> _Basis | None:
        others = [k for k in range(new.shape[1]) if k not in columns]
        square = new[list(rows)][:, list(columns)]
        if len(columns) > 1:
            if abs(np.linalg.det(square)) <= 1e-9 * np.abs(square).max() ** len(columns):
                return None
            inverse = np.asarray(np.linalg.inv(square), dtype=np.float64)
        else:
            if not square.all():
                return None
            inverse = 1 / square
        return cls(list(rows), list(columns), others, inverse, new[list(rows)][:, others])


def _spread(weights: Floats, rows: Sequence[int], n: int) -> Floats:
    found = np.zeros(n)
    found[list(rows)] = weights
    return found
