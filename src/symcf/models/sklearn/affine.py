"""Scaling: what scikit-learn computes, and what it means exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from symcf.models.sklearn.cut_points import Chain

__all__ = ["Affine", "folded"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Affine:
    """``(x - center) / scale`` or, with ``times``, ``x * scale + center``: with the roundings of scikit-learn."""

    center: float
    scale: float
    times: bool = False
    #: Numbers are then cut off at these.
    clip: tuple[float, float] | None = None

    def __call__(self, x: Floats) -> Floats:
        """What the scaler makes of numbers."""
        scaled = x * self.scale + self.center if self.times else (x - self.center) / self.scale
        return scaled if self.clip is None else np.clip(scaled, *self.clip)

    @property
    def falls(self) -> bool:
        """Does it turn the order around?"""
        return self.scale < 0

    @property
    def exact(self) -> tuple[Fraction, Fraction]:
        """Slope and offset, without roundings."""
        center, scale = Fraction(float(self.center)), Fraction(float(self.scale))
        return (scale, center) if self.times else (1 / scale, -center / scale)


def folded(chain: Chain) -> tuple[Fraction, Fraction] | None:
    """Slope and offset of all steps together; None if one of them is not a plain scaling."""
    slope, offset = Fraction(1), Fraction(0)
    for step in chain:
        if not isinstance(step, Affine) or step.clip is not None:
            return None
        a, b = step.exact
        slope, offset = a * slope, a * offset + b
    return slope, offset
