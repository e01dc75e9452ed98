"""Black-box models whose scores can be bounded, over fine grids of numbers.

The decision is what `predict` returns, as for every black-box model (`symcf.models.black_box`). But what the estimator
computes is known, so that whole boxes of rows are ruled out by bounds and only rows in doubt are asked about. Therefore
a column of numbers has many more values: all whole numbers or multiples of its resolution in its range, or so many
multiples of a round step (`MOST_VALUES`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symcf.common.lazy import Later, cached_property
from symcf.data.numbers import NumberLine
from symcf.data.reader import Codes
from symcf.errors import InternalError, ModelError
from symcf.models.black_box import BlackBoxColumn, BlackBoxGoal, BlackBoxModel
from symcf.models.bounded.bounds import Bounds, Passed
from symcf.models.bounded.forms import Affine, Function
from symcf.models.rules import BlackBoxRule, NumberRule

__all__ = ["MOST_VALUES", "BoundedModel", "BoundedRegressor", "grid"]

#: Values of a column of numbers, at most, beside the ends of its range.
MOST_VALUES = 1000


class BoundedModel(BlackBoxModel):
    """A black-box model with bounds. Made by `symcf.from_sklearn`."""

    kind: ClassVar[str] = "bounded"

    def __init__(
        self,
        box: BlackBoxModel,
        bounds: Bounds,
        passed: Passed,
        chance: tuple[Function, ...] | None = None,
        columns: Sequence[BlackBoxColumn] | None = None,
    ) -> None:
        """``box`` is the same without bounds; ``bounds`` have no tables yet; ``passed`` makes a function of tables of
        the form of the data out of one of tables as the estimator takes them; ``chance`` makes of the score of two
        classes what `predict_proba` gives for the second one, None where that is not known.
        """
        self._box, self._unread, self._passed, self._chance = box, bounds, passed, chance
        columns = box.columns if columns is None else columns
        super().__init__(box.function, box.form, columns, box.classes, box.numbers, box.encoder)

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds, for the values of the columns."""
        sizes = [len(cells) for cells in self._typed]
        last = max(sizes)
        cells = [column[np.arange(last) % size] for column, size in zip(self._typed, sizes, strict=True)]
        return self._unread.of_values(self.form.table(cells), sizes, self._passed)

    def rule(self) -> BlackBoxRule:
        """The function itself, and its bounds."""
        return replace(super().rule(), bounds=Later(lambda: self.bounds))

    def with_columns(self, columns: Sequence[BlackBoxColumn]) -> BoundedModel:
        return BoundedModel(self._box, self._unread, self._passed, self._chance, columns)

    def to_dict(self) -> dict[str, Any]:
        """Not supported: what decides is the estimator itself."""
        raise ModelError(
            "a model with bounds cannot be written to a file: save the estimator itself (joblib, pickle), and call "
            "symcf.compile(estimator, data=X) again"
        )

    def towards(self, goal: Any) -> BlackBoxGoal:
        """See `Model`. With bounds where one number of two classes has to be reached."""
        functions = self._reaching(goal)
        return super().towards(goal) if functions is None else BoundedGoal(self, goal, functions)

    def _reaching(self, goal: Any) -> tuple[Function, ...] | None:
        """What makes of the score one that is positive where the goal is reached; None if that is not known."""
        if len(self.classes) != 2 or (goal.low is None) == (goal.high is None) or goal.of not in self.numbers:
            return None
        if goal.of == "score":
            if self._unread.told is None:
                return None
            return (Affine([[1.0]], [-goal.low]) if goal.high is None else Affine([[-1.0]], [goal.high]),)
        if goal.of != "probability" or self._chance is None or goal.low is None or not 0.5 < goal.low <= 1:
            return None  # up to a half, predict may decide for the other class
        second = self.classes.index(goal.label) == 1
        return (*self._chance, Affine([[1.0 if second else -1.0]], [-goal.low if second else 1.0 - goal.low]))

    def check(self, rows: Any) -> None:
        """`InternalError` if the bounds contradict the decision of one of these rows of data."""
        known = self.around(rows)
        assert isinstance(known, BoundedModel)
        codes = np.asarray(known.encoder.encode(rows), dtype=np.int64)
        decided = known.decide(codes)
        for row, k in zip(codes, decided.tolist(), strict=True):
            boxes = known.bounds.around(row, lambda j: np.zeros(0, dtype=np.int64))
            nothing = np.zeros((1, 0), dtype=np.int64)
            if known.bounds.sure(known.bounds.scores(boxes, nothing, nothing, nothing), (k, 1)).none[0]:
                raise InternalError(f"the bounds of {self!r} contradict its predict")


class BoundedRegressor(BoundedModel):
    """A regressor with bounds: it decides nothing until a target says which numbers are wanted."""

    kind: ClassVar[str] = "bounded_regressor"

    def __init__(
        self, box: BlackBoxModel, bounds: Bounds, passed: Passed, columns: Sequence[BlackBoxColumn] | None = None
    ) -> None:
        """``box`` has the number "prediction"; what it decides does not matter."""
        super().__init__(box, bounds, passed, None, columns)
        self.classes = ()

    def rule(self) -> Any:
        """None: see `NumberRule`."""
        return NumberRule(tuple(map(len, self.values)))

    def with_columns(self, columns: Sequence[BlackBoxColumn]) -> BoundedRegressor:
        """See `BlackBoxModel`."""
        return BoundedRegressor(self._box, self._unread, self._passed, columns)

    def predicted(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.measured("prediction", None, codes)

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.predicted(codes)

    def _reaching(self, goal: Any) -> tuple[Function, ...] | None:
        """See `BoundedModel`."""
        if goal.of != "prediction" or (goal.low is None) == (goal.high is None):
            return None
        return (Affine([[1.0]], [-goal.low]) if goal.high is None else Affine([[-1.0]], [goal.high]),)

    def check(self, rows: Any) -> None:
        """`InternalError` if a prediction for one of these rows of data is not within its bounds."""
        known = self.around(rows)
        assert isinstance(known, BoundedRegressor)
        codes = np.asarray(known.encoder.encode(rows), dtype=np.int64)
        predicted = known.predicted(codes)
        assert predicted is not None
        nothing = np.zeros((1, 0), dtype=np.int64)
        for row, number in zip(codes, predicted.tolist(), strict=True):
            boxes = known.bounds.around(row, lambda j: np.zeros(0, dtype=np.int64))
            found = known.bounds.scores(boxes, nothing, nothing, nothing)
            if found.low[0, 0] > number or found.high[0, 0] < number:
                raise InternalError(f"the bounds of {self!r} contradict its predict")


class BoundedGoal(BlackBoxGoal):
    """A goal of a model with bounds."""

    base: BoundedModel

    def __init__(self, base: BoundedModel, goal: Any, functions: tuple[Function, ...]) -> None:
        super().__init__(base, goal)
        self._functions = functions

    def rule(self) -> BlackBoxRule:
        return replace(super().rule(), bounds=Later(self._bounds))

    def _bounds(self) -> Bounds:
        return self.base.bounds.through(self._functions, of_told=self.goal.of == "score")

    def with_columns(self, columns: Sequence[BlackBoxColumn]) -> BlackBoxModel:
        return BoundedGoal(self.base.with_columns(columns), self.goal, self._functions)


def grid(line: NumberLine) -> list[float]:
    """The numbers of a line that are tried: all multiples of its resolution, or of the least round multiple of it that
    gives no more than `MOST_VALUES`, and both ends.

    >>> grid(NumberLine(0.0, 5000.0, Fraction(1)))[:3]
    [0.0, 5.0, 10.0]
    """
    step = Fraction(line.resolution or 1)
    least = line.span / MOST_VALUES
    if step < least:
        unit = Fraction(10) ** math.floor(math.log10(least / step)) * step
        step = next(unit * times for times in (1, 2, 5, 10, 20) if unit * times >= least)
    first, last = math.ceil(Fraction(line.low) / step), math.floor(Fraction(line.high) / step)
    inside = [float(step * k) for k in range(first, last + 1)]
    return sorted({line.low, *inside, line.high})
