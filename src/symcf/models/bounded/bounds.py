"""Bounds of a model's scores over boxes of rows.

A model that can be bounded is a tree of functions over one matrix or several: what the first steps of a pipeline make
of the raw columns, one column of the matrix from one raw column. So a matrix needs no formula. The steps themselves
compute it once for every value of every column (`Tables`), and over a box each of its columns lies between the least
and the greatest of these.

    bounds.over(x, features, options, low, high)      # scores: a `Form`, one line per box
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.models.bounded.forms import DOUBLE, SINGLE, Affine, Floats, Folding, Form, Function

__all__ = ["Bounds", "Boxes", "Inner", "Matrix", "Node", "Passed", "Sure", "Tables"]

Integers = npt.NDArray[np.int64]

#: By raw column and code, the columns of a matrix that are made of it: arrays of shape (values, columns), of the floats
#: that the steps give.
Tables = tuple[Floats, ...]

#: Makes a function of tables of another form out of a function of tables.
Passed = Callable[[Callable[[Any], Any]], Callable[[Any], Any]]

#: Errors of a step's arithmetic for one number, in units of rounding.
ULPS = 8


@dataclass(frozen=True)
class Matrix:
    """What some steps make of the raw columns."""

    #: By raw column, the columns of the matrix that depend on it.
    places: tuple[tuple[int, ...], ...]
    #: A table of rows -> the matrix.
    transform: Callable[[Any], Any]
    #: What is made of the matrix before anything else, if it is folded: ``places`` are those of the result.
    fold: Folding | None = None

    def tables(self, table: Any, n_values: Sequence[int], passed: Passed) -> Tables:
        """``table`` has in its i-th row the i-th value of each column, those with few values beginning anew. ``passed``
        makes a function of such tables out of one of tables as the estimator takes them.
        """
        made: Any = passed(self.transform)(table)
        made = np.asarray(made.toarray() if hasattr(made, "toarray") else made)
        made = made if made.dtype == np.float32 else made.astype(np.float64)
        made = made if self.fold is None else self.fold(made)
        return tuple(made[:count][:, list(some)] for count, some in zip(n_values, self.places, strict=True))


class Inputs:
    """The columns of one matrix over boxes."""

    def __init__(self, matrix: Matrix, tables: Tables) -> None:
        self._places = matrix.places
        self._tables = tables
        self._width = sum(map(len, matrix.places))
        #: The unit of rounding of its floats.
        self.unit = SINGLE if any(table.dtype == np.float32 for table in tables) else DOUBLE

    def row(self, x: Integers) -> Floats:
        """The matrix of one row of codes."""
        made = np.zeros(self._width)
        for table, places, code in zip(self._tables, self._places, x.tolist(), strict=True):
            made[list(places)] = table[code]
        return made

    def spans(self, j: int, options: Integers) -> Floats:
        """By power of two, place and column: the least of so many values from there on, and the least of the negatives
        of the same.
        """
        table = self._tables[j][options].astype(np.float64)
        levels = [np.stack([table, -table])]
        while (width := 1 << len(levels)) <= len(options):
            last = levels[-1]
            wider = np.full_like(last, np.nan)
            wider[:, : len(options) - width + 1] = np.minimum(
                last[:, : len(options) - width + 1], last[:, width // 2 : width // 2 + len(options) - width + 1]
            )
            levels.append(wider)
        _core.check_memory(2 * 8 * table.size * len(levels))
        return np.stack(levels)

    def places(self, j: int) -> list[int]:
        """The columns that are made of a raw column."""
        return list(self._places[j])


class Boxes:
    """Boxes around one row: what is left of the options of a few features; all others keep their values."""

    def __init__(self, inputs: Sequence[Inputs], x: Integers, options: Callable[[int], Integers]) -> None:
        """``options`` gives the codes that a feature may take, ascending."""
        self._inputs = inputs
        self._options = options
        self._rows = [one.row(x) for one in inputs]
        self._spans: dict[tuple[int, int], Floats] = {}

    def forms(self, features: Integers, low: Integers, high: Integers) -> _Given:
        """The columns of all matrices. By box: features, and the first and the last place of their options; where there
        are fewer features, -1.
        """
        return _Given([self._form(i, features, low, high) for i in range(len(self._inputs))])

    def _form(self, i: int, features: Integers, low: Integers, high: Integers) -> Form:
        n_boxes, n_variables = features.shape
        centre = np.repeat(self._rows[i][np.newaxis], n_boxes, axis=0)
        linear = np.zeros((n_variables, *centre.shape))
        radius = np.zeros_like(centre)
        for slot in range(n_variables):
            of_slot = features[:, slot]
            for j in np.unique(of_slot[of_slot >= 0]).tolist():
                boxes = np.flatnonzero(of_slot == j)
                places = self._inputs[i].places(j)
                if not places:
                    continue
                least, most = self._between(i, j, low[boxes, slot], high[boxes, slot])
                at = np.ix_(boxes, np.array(places))
                middle = (least + most) / 2
                half = np.maximum(most - middle, middle - least)
                centre[at] = middle
                if len(places) == 1:
                    linear[slot][at] = half
                else:
                    radius[at] = half
        # the steps may compute another row by another rounding
        unit = self._inputs[i].unit
        return Form(centre, linear, radius + ULPS * unit * (np.abs(centre) + np.abs(linear).sum(axis=0) + radius), unit)

    def _between(self, i: int, j: int, low: Integers, high: Integers) -> tuple[Floats, Floats]:
        if (i, j) not in self._spans:
            self._spans[i, j] = self._inputs[i].spans(j, self._options(j))
        spans = self._spans[i, j]
        level = np.frexp((high - low + 1).astype(np.float64))[1] - 1
        found = np.minimum(spans[level, :, low], spans[level, :, high + 1 - (1 << level)])
        return found[:, 0], -found[:, 1]


class _Given:
    """The columns of all matrices for some boxes."""

    def __init__(self, forms: Sequence[Form]) -> None:
        self._forms = forms

    def __getitem__(self, i: int) -> Form:
        return self._forms[i]


# --- trees of functions -----------------------------------------------------------------------------------------------


class Node(ABC):
    """Columns that are computed from the matrices."""

    @abstractmethod
    def form(self, given: _Given) -> Form:
        """What they can be over the boxes."""


@dataclass(frozen=True)
class Inner(Node):
    """Functions one after the other, of the columns of a matrix or of other nodes."""

    functions: tuple[Function, ...]
    #: A matrix by its place, or the nodes whose columns stand side by side.
    of: int | tuple[Node, ...]

    def form(self, given: _Given) -> Form:
        found = given[self.of] if isinstance(self.of, int) else Form.side_by_side([one.form(given) for one in self.of])
        for function in self.functions:
            found = function(found)
        return found


# --- decisions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sure:
    """By box: is it sure that all its rows are as wanted, or that none is? How far is the best row, at most; how much
    does each variable do to that?
    """

    every: npt.NDArray[np.bool_]
    none: npt.NDArray[np.bool_]
    #: Of shape (variables, boxes): how the score that matters depends on each variable.
    slopes: Floats
    #: The score in the middle of the box.
    middle: Floats
    #: How much the score may bend.
    radius: Floats


@dataclass(frozen=True)
class Bounds:
    """Scores of classes: one, which is positive for class 1 and negative for class 0; or one per class, the largest of
    which wins. Rows whose score is 0, or whose largest scores are equal, are never sure.
    """

    matrices: tuple[Matrix, ...]
    node: Node
    #: By matrix.
    tables: tuple[Tables, ...] = ()
    #: What `decision_function` gives, where that is known.
    told: Node | None = None

    def reads(self, j: int) -> bool:
        """Does a column of a matrix depend on this raw column?"""
        return any(matrix.places[j] for matrix in self.matrices)

    def of_values(self, table: Any, n_values: Sequence[int], passed: Passed) -> Bounds:
        """The same for the values of the columns, see `Matrix.tables`."""
        return replace(self, tables=tuple(matrix.tables(table, n_values, passed) for matrix in self.matrices))

    def through(self, functions: tuple[Function, ...], *, of_told: bool = False) -> Bounds:
        """The same with other scores, which are functions of these, or of what `decision_function` gives."""
        node = self.told if of_told else self.node
        assert node is not None
        return replace(self, node=Inner(functions, (node,)))

    def spread(self, codes: Sequence[Sequence[int]]) -> Bounds:
        """The same over finer values."""
        places = [np.array(some, dtype=np.int64) for some in codes]
        finer = (tuple(one[some] for one, some in zip(tables, places, strict=True)) for tables in self.tables)
        return replace(self, tables=tuple(finer))

    def around(self, x: Integers, options: Callable[[int], Integers]) -> Boxes:
        """Boxes around a row."""
        inputs = [Inputs(matrix, tables) for matrix, tables in zip(self.matrices, self.tables, strict=True)]
        return Boxes(inputs, x, options)

    def scores(self, boxes: Boxes, features: Integers, low: Integers, high: Integers) -> Form:
        """The scores over boxes."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.node.form(boxes.forms(features, low, high))

    def sure(self, scores: Form, goal: tuple[int, int]) -> Sure:
        """What the scores say about a goal: a class, and whether it is wanted (1) or left (0)."""
        k, wanted = goal
        n_scores = scores.centre.shape[1]
        if n_scores == 1:
            sign = 1.0 if (k == 1) == bool(wanted) else -1.0
            margins = Affine([[sign]], [0.0])(scores)
            together = np.zeros(len(scores.centre), dtype=np.int64)
            every, none = margins.low[:, 0] > 0, margins.high[:, 0] < 0
        else:
            others = [r for r in range(n_scores) if r != k]
            matrix = np.zeros((n_scores, len(others)))
            matrix[k] = 1.0 if wanted else -1.0
            matrix[others, range(len(others))] = -matrix[k]
            margins = Affine(matrix, np.zeros(len(others)))(scores)
            if wanted:
                every, none = np.all(margins.low > 0, axis=1), np.any(margins.high < 0, axis=1)
                together = np.argmin(margins.high, axis=1)
            else:
                every, none = np.any(margins.low > 0, axis=1), np.all(margins.high < 0, axis=1)
                together = np.argmax(margins.high, axis=1)
        rows = np.arange(len(scores.centre))
        slopes = margins.linear[:, rows, together]
        return Sure(every, none, slopes, margins.centre[rows, together], margins.radius[rows, together])
