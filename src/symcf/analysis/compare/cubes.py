"""A set of rows described by few boxes.

A cube is a box of rows: some features are restricted to some of their values, the others are free. A *prime* cube of a
function cannot be made larger without holding a row for which the function is false: no restriction can be dropped, no
value added (to a feature with an order: next to those it has). Cubes are found greedily: rows not yet covered are
widened to prime cubes, the largest of which is kept. Cubes that others cover together are dropped at the end, so none
can be left out; but fewer cubes might do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.common.clock import Clock
from symcf.common.text import one_line
from symcf.data.phrases import range_words
from symcf.data.regions import Region
from symcf.data.shared import Columns, range_text
from symcf.errors import LimitError
from symcf.system.builder import Nodes
from symcf.system.decision import Budget
from symcf.system.models import Models

__all__ = ["Cube", "cover"]

#: Rows that are widened before the largest cube is kept, and how many of their cubes are widened to the end.
TRIED, WIDENED = 8, 4

#: So many neighbouring numbers are said as a range.
LONG = 3

Codes = dict[int, frozenset[int]]


@dataclass(frozen=True)
class Cube:
    """Some features restricted to some of their values."""

    columns: Columns
    #: By restricted feature, the codes of its values.
    codes: Codes

    @property
    def cells(self) -> int:
        """How many rows it holds; numbers of one range count as one."""
        return math.prod(len(self.codes.get(j, range(d))) for j, d in enumerate(self.columns.n_values))

    @property
    def features(self) -> tuple[str, ...]:
        """The restricted features."""
        return tuple(self.columns.features[j] for j in sorted(self.codes))

    @property
    def ranges(self) -> dict[str, tuple[Any, ...]]:
        """By restricted feature, what it may be: regions of numbers, exactly, or values."""
        return {self.columns.features[j]: tuple(_allowed(self.columns, j, self.codes[j])) for j in sorted(self.codes)}

    def holds(self, rows: Any) -> npt.NDArray[np.bool_]:
        """Which of these rows are inside?"""
        codes = self.columns.reader.encode(rows)
        inside = np.ones(len(codes), dtype=np.bool_)
        for j, allowed in self.codes.items():
            inside &= np.isin(codes[:, j], list(allowed))
        return inside

    def conditions(self) -> dict[str, str]:
        """By restricted feature, what it may be, in words."""
        return {self.columns.features[j]: _text(self.columns, j, self.codes[j]) for j in sorted(self.codes)}

    def __str__(self) -> str:
        parts = [f"{one_line(name)} {text}" for name, text in self.conditions().items()]
        return ", ".join(parts) or "all rows"


def _allowed(columns: Columns, j: int, codes: frozenset[int]) -> Iterator[Any]:
    """Neighbouring ranges joined, then other values."""
    regions = columns.reader.readers[j].regions or {}
    numbers = sorted((regions[code] for code in codes if code in regions), key=lambda region: region.first)
    while numbers:
        joined = numbers.pop(0)
        while numbers and math.nextafter(joined.last, math.inf) == numbers[0].first:
            after = numbers.pop(0)
            joined = Region(joined.first, after.last, (*joined.holes, *after.holes))
        yield joined
    yield from (columns.values[j][code] for code in sorted(codes) if code not in regions)


def _text(columns: Columns, j: int, codes: frozenset[int]) -> str:
    found = list(_allowed(columns, j, codes))
    ranges = [_range(run) for run in _runs(columns, j, [part for part in found if isinstance(part, Region)])]
    names = [one_line(part) for part in found if not isinstance(part, Region)]
    if not ranges and len(names) > 1:
        others = [one_line(label) for code, label in enumerate(columns.values[j]) if code not in codes]
        if len(others) < len(names):
            return f"!= {others[0]}" if len(others) == 1 else f"not in {{{', '.join(others)}}}"
        return f"in {{{', '.join(names)}}}"
    return " or ".join([*ranges, *(f"= {name}" for name in names)])


def _runs(columns: Columns, j: int, parts: Sequence[Region]) -> Iterator[list[Region]]:
    """Single numbers with no other possible number between them together, if they are many; other parts alone."""
    known = sorted(region.first for region in (columns.reader.readers[j].regions or {}).values())
    place = {first: i for i, first in enumerate(known)}
    run: list[Region] = []
    for part in parts:
        single = part.first == part.last
        if run and not (single and place[part.first] == place[run[-1].first] + 1):
            yield from [run] if len(run) >= LONG else [[one] for one in run]
            run = []
        if single:
            run.append(part)
        else:
            yield [part]
    yield from [run] if len(run) >= LONG else [[one] for one in run]


def _range(run: Sequence[Region]) -> str:
    first, last = run[0], run[-1]
    if len(run) > 1:
        return f"{range_text(first)} to {range_text(last)}"
    return (
        f"= {range_text(first)}" if first.first == first.last else range_words(range_text(first)) or range_text(first)
    )


def cover(core: _core.Diagram, columns: Columns, most: int, budget: Budget, clock: Clock) -> tuple[list[Cube], int]:
    """Up to `most` prime cubes, largest first, and how many rows of the function they leave out."""
    random = np.random.default_rng(0)
    widen = _Widening(core, columns, clock)
    rest, left = core, Models(core, clock=clock)
    cubes: list[Cube] = []
    while left.count and len(cubes) < most:
        rows = left.at(sorted(set(left.ranks(TRIED, random))))
        orders = [widen.order, random.permutation(widen.order)]
        tried = sorted((widen.freed(row.tolist(), order) for row in rows for order in orders), key=_size, reverse=True)
        best = max(map(widen.stretched, tried[:WIDENED]), key=_size)
        cubes.append(best)
        rest = _core.Bdd.conjoin([rest, _diagram(best, core)], [False, True], *budget.now()).freeze(budget.seconds())
        left = Models(rest, clock=clock)
    cubes.sort(key=lambda cube: -cube.cells)
    return _irredundant(cubes, core, budget), left.count


def _size(cube: Cube) -> int:
    return cube.cells


def _diagram(cube: Cube, like: _core.Diagram) -> _core.Diagram:
    nodes = Nodes(like.order.tolist(), cube.columns.n_values)
    return nodes.freeze(nodes.conjoin([nodes.member(j, codes) for j, codes in cube.codes.items()]))


def _irredundant(cubes: Sequence[Cube], like: _core.Diagram, budget: Budget) -> list[Cube]:
    """Without those that the others hold together; the smallest go first."""
    kept = list(cubes)
    for cube in reversed(cubes):
        others = [other for other in kept if other is not cube]
        parts = [_diagram(part, like) for part in (cube, *others)]
        alone = _core.Bdd.conjoin(parts, [False, *(True for _ in others)], *budget.now()).freeze(budget.seconds())
        if alone.root == 0:
            kept = others
    return kept


class _Widening:
    """Makes prime cubes of rows for which a function is true."""

    def __init__(self, core: _core.Diagram, columns: Columns, clock: Clock) -> None:
        self._columns = columns
        self._clock = clock
        self._levels = core.order.tolist()
        #: The features, those of the last levels first: the decision depends on them least.
        self.order = self._levels[::-1]
        self._root = core.root
        self._level = core.level.astype(np.int64)
        arity = core.arity.astype(np.int64)
        sizes = np.concatenate([[0, 0], arity[self._level[2:]]])
        self._start = np.cumsum(sizes) - sizes
        self._child = core.child

    def _inside(self, codes: Codes) -> bool:
        """Is the function true for all rows of a cube? Walks down from the root, level by level."""
        if self._clock.expired:
            raise LimitError("time limit reached while describing rows by boxes")
        if self._root < 2:
            return bool(self._root)
        waiting = {int(self._level[self._root]): [np.array([self._root])]}
        while waiting:
            k = min(waiting)
            nodes = np.unique(np.concatenate(waiting.pop(k)))
            j = self._levels[k]
            some = np.array(sorted(codes.get(j, range(self._columns.n_values[j]))))
            below = np.unique(self._child[self._start[nodes][:, None] + some])
            if below[0] == 0:
                return False
            below = below[below > 1]
            levels = self._level[below]
            for level in np.unique(levels).tolist():
                waiting.setdefault(level, []).append(below[levels == level])
        return True

    def freed(self, row: Sequence[int], order: Iterable[int]) -> Cube:
        """The row, with as many features free as possible, tried in this order."""
        codes: Codes = {j: frozenset([row[j]]) for j in self.order}
        for j in map(int, order):
            without = {i: some for i, some in codes.items() if i != j}
            if self._inside(without):
                codes = without
        return Cube(self._columns, codes)

    def stretched(self, cube: Cube) -> Cube:
        """The cube with as many values as possible."""
        codes = cube.codes
        for j in sorted(codes):
            if self._columns.ordered[j]:
                codes = self._stretched(codes, j, -1)
                codes = self._stretched(codes, j, 1)
            else:
                codes = self._filled(codes, j)
        return Cube(self._columns, codes)

    def _stretched(self, codes: Codes, j: int, step: int) -> Codes:
        """With as many values on one side as possible, by bisection."""
        end = max(codes[j]) if step > 0 else min(codes[j])
        most = self._columns.n_values[j] - 1 - end if step > 0 else end
        low, high = 0, most + 1  # low is possible, high is not
        while high - low > 1:
            middle = (low + high) // 2
            more = frozenset(end + step * i for i in range(1, middle + 1))
            low, high = (middle, high) if self._inside({**codes, j: codes[j] | more}) else (low, middle)
        return {**codes, j: codes[j] | {end + step * i for i in range(1, low + 1)}}

    def _filled(self, codes: Codes, j: int) -> Codes:
        for code in range(self._columns.n_values[j]):
            wider = {**codes, j: codes[j] | {code}}
            if code not in codes[j] and self._inside(wider):
                codes = wider
        return codes
