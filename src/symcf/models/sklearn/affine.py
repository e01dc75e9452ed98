"""Scaling: what scikit-learn computes, and what it means exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.models.links import Link
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
    def steps(self) -> tuple[tuple[Any, ...], ...]:
        """The same as the steps of a `Link`."""
        center, scale = float(self.center), float(self.scale)
        plain = (("times", scale), ("plus", center)) if self.times else (("plus", -center), ("divide", scale))
        return plain if self.clip is None else (*plain, ("clip", *map(float, self.clip)))

    @property
    def falls(self) -> bool:
        """Does it turn the order around?"""
        return self.scale < 0

    @property
    def exact(self) -> tuple[Fraction, Fraction]:
        """Slope and offset, without roundings."""
        center, scale = Fraction(float(self.center)), Fraction(float(self.scale))
        return (scale, center) if self.times else (1 / scale, -center / scale)


def folded(chain: Chain) -> tuple[Link | None, Fraction, Fraction] | None:
    """All steps together: slope and offset, without roundings, of what a function makes of the number before (None: of
    the number itself). None if a step is unknown.
    """
    before: tuple[tuple[Any, ...], ...] = ()
    slope, offset, so_far = Fraction(1), Fraction(0), before
    for step in chain:
        steps = getattr(step, "steps", None)
        if steps is None:
            return None
        so_far = (*so_far, *steps)
        if isinstance(step, Affine) and step.clip is None:
            a, b = step.exact
            slope, offset = a * slope, a * offset + b
        else:
            before, slope, offset = so_far, Fraction(1), Fraction(0)
    return (Link(before) if before else None), slope, offset
