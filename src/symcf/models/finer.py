"""A model over finer values than its own: the same decisions, more distinctions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from symcf.data.encoder import Encoder
from symcf.data.finer import Finer
from symcf.data.reader import Codes
from symcf.models.base import Model
from symcf.models.rules import Coarse, Rule

__all__ = ["FinerModel"]


class FinerModel(Model):
    """A model whose columns of numbers are cut at further numbers. Made for one question, and never stored."""

    kind: ClassVar[str] = "finer"

    def __init__(self, base: Model, encoder: Encoder, cuts: Mapping[int, Iterable[float]]) -> None:
        finer = Finer(encoder, base.values, cuts)
        self.base = base
        self.features, self.classes, self.ordered = base.features, base.classes, base.ordered
        self.values, self.encoder = finer.values, finer
        #: By feature and value, the value of the base that it is part of.
        self.codes = finer.codes
        self._coarse = Coarse(finer.codes)

    def rule(self) -> Rule:
        """The rule of the base over the finer values."""
        return self.base.rule().spread(self.codes)

    def predict_proba(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.base.predict_proba(self._coarse(codes))

    def decision_values(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.base.decision_values(self._coarse(codes))

    def number(self, of: str, k: int | None, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.base.number(of, k, self._coarse(codes))

    def reached(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.base.reached(self._coarse(codes))

    def underlying(self, codes: Codes) -> tuple[Model, Codes]:
        """See `Model`."""
        return self.base.underlying(self._coarse(codes))

    def predicted(self, codes: Codes) -> npt.NDArray[np.float64] | None:
        """See `Model`."""
        return self.base.predicted(self._coarse(codes))

    @property
    def goal(self) -> Any:
        """See `Model`."""
        return self.base.goal

    def to_dict(self) -> dict[str, Any]:
        """The base: cuts belong to a question."""
        return self.base.to_dict()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Not stored, so never read."""
        raise AssertionError("a finer model is made for one question")

    def __repr__(self) -> str:
        return repr(self.base)
