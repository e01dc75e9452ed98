"""Models over other values of their columns than their own: finer ranges, or a grid of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from symcf import _core
from symcf.data.encoder import Encoder
from symcf.data.grids import Finer, GridEncoder
from symcf.data.labels import MISSING as MISSING_NAME
from symcf.data.numbers import MISSING, numbers_of_codes
from symcf.data.reader import Codes
from symcf.data.regions import number_text
from symcf.errors import OptionError
from symcf.models.base import Model, Wrapper
from symcf.models.rules import Coarse, Rule, ScoreRule, ThresholdRule, value_offsets
from symcf.models.sums import AdditiveRule

__all__ = ["MISSING_NAME", "FinerModel", "GridModel"]


class Recoded(Wrapper):
    """The same decisions as another model, over other values. Made for one question, and never stored."""

    def __init__(self, base: Model, encoder: Encoder) -> None:
        super().__init__(base)
        self.encoder, self.goal = encoder, base.goal

    def to_dict(self) -> dict[str, Any]:
        """The base: the values belong to a question."""
        return self.base.to_dict()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Not stored, so never read."""
        raise AssertionError(f"a {cls.__name__} is made for one question")

    def __repr__(self) -> str:
        return repr(self.base)


class GridModel(Recoded):
    """A model over rows whose numbers are on a grid.

    ``codes`` has, by feature that is a number, the places of its values among the doubles; ``own`` those of them that
    only one row has. ``ahead`` is what is added to the sum of each class (of two classes, to the second's): rows that
    win by less than a model's doubt count for the other class.
    """

    kind: ClassVar[str] = "grid"

    def __init__(
        self,
        base: Model,
        codes: Mapping[int, npt.NDArray[np.int64]],
        own: Mapping[int, int],
        ahead: Sequence[int] | None = None,
    ) -> None:
        assert base.encoder is not None
        super().__init__(base, GridEncoder(base.encoder, codes))
        self._codes = dict(codes)
        self._ahead = ahead
        self.values = tuple(
            _labels(self._codes[j]) if j in self._codes else labels for j, labels in enumerate(base.values)
        )
        every = [np.ones(len(labels), dtype=np.bool_) for labels in self.values]
        for j, code in own.items():
            every[j] = self._codes[j] != code
        self.tried = tuple(tuple(of.tolist()) for of in every)

    def rule(self) -> Rule:
        """The sums as weights of values."""
        rule = self.base.rule()
        if not isinstance(rule, AdditiveRule):
            raise OptionError(
                "minimality='moves', select='all' and cnf are not supported for a list of models or a width over "
                "columns of numbers; leave them out"
            )
        weights = np.concatenate(self._tables(rule), axis=1)
        offset = value_offsets([len(labels) for labels in self.values])
        bias = rule.bias + np.array(self._ahead or [0] * len(rule.bias), dtype=np.int64)
        if len(bias) > 1:
            return ScoreRule(offset, np.ascontiguousarray(weights), bias, rule.scale, rule.later_wins)
        least = 0 if rule.later_wins else 1
        made = _core.Threshold.from_weights(offset, np.ascontiguousarray(weights[0]), int(bias[0]) - least)
        return ThresholdRule(made)

    def _tables(self, rule: AdditiveRule) -> list[npt.NDArray[np.int64]]:
        """By feature, the weights by sum and value."""
        columns = [numbers_of_codes(self._codes[j]) for j in rule.numbers]
        x = np.zeros((max(map(len, columns), default=0), len(columns)))
        for i, numbers in enumerate(columns):
            x[: len(numbers), i] = np.where(np.isnan(numbers), 0.0, numbers)
        terms = np.array(rule.terms(x), dtype=np.int64)
        found = []
        for j, table in enumerate(rule.tables):
            if table is None:
                place = rule.numbers.index(j)
                table = terms[:, : len(columns[place]), place].copy()
                if j in rule.missing:
                    table[:, self._codes[j] == MISSING] = rule.missing[j][:, np.newaxis]
            found.append(table)
        return found

    def base_codes(self, codes: Codes) -> npt.NDArray[np.int64]:
        rows = np.array(codes, dtype=np.int64)
        for j, of in self._codes.items():
            rows[:, j] = of[rows[:, j]]
        return rows


class FinerModel(Recoded):
    """A model whose columns of numbers are cut at further numbers."""

    kind: ClassVar[str] = "finer"

    def __init__(self, base: Model, encoder: Encoder, cuts: Mapping[int, Iterable[float]]) -> None:
        finer = Finer(encoder, base.values, cuts)
        super().__init__(base, finer)
        self.values = finer.values
        #: By feature and value, the value of the base that it is part of.
        self.codes = finer.codes
        self._coarse = Coarse(finer.codes)

    @property
    def uncut(self) -> Model:
        return self.base.uncut

    def uncut_tables(self, tables: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        found = []
        for table, codes in zip(tables, self.codes, strict=True):
            whole = dict(zip(codes, table, strict=True))
            found.append([whole[code] for code in range(len(whole))])
        return self.base.uncut_tables(found)

    def rule(self) -> Rule:
        """The rule of the base over the finer values."""
        return self.base.rule().spread(self.codes)

    def base_codes(self, codes: Codes) -> Codes:
        return self._coarse(codes)


def _labels(codes: npt.NDArray[np.int64]) -> tuple[str, ...]:
    """Names of numbers, as those of other ranges: a number in an option is then a number, and not a name."""
    return tuple(MISSING_NAME if x != x else number_text(x) for x in numbers_of_codes(codes).tolist())
