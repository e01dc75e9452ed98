"""Steps of pipelines that mix columns, as functions that can be bounded, and the names of classes of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from symcf.errors import ModelError
from symcf.models.bounded.forms import DOUBLE, SINGLE, Affine, Function, Products
from symcf.models.sklearn.linear_maps import MAPS, Step

__all__ = ["MIXING", "bent_steps", "flat", "function_of", "name_of", "unit_of"]


def function_of(step: Any) -> Function:
    """What a step computes that mixes columns, or comes after one that does."""
    name = name_of(step)
    if name not in FUNCTIONS:
        raise ModelError(
            f"{type(step).__name__} is not supported as a step there: supported are {', '.join(FUNCTIONS)}"
        )
    return FUNCTIONS[name](step)


def _products(step: Any) -> Function:
    return Products([[j for j, power in enumerate(row) for _ in range(power)] for row in step.powers_.tolist()])


def _projected(step: Any) -> Function:
    """The row, less a mean, times a matrix."""
    matrix = np.asarray(step.components_, dtype=np.float64).T
    if getattr(step, "whiten", False):
        spread = np.sqrt(step.explained_variance_)
        matrix = matrix / np.maximum(spread, np.finfo(spread.dtype).eps)
    mean = getattr(step, "mean_", None)
    mean = np.zeros(len(matrix)) if mean is None else np.asarray(mean, dtype=np.float64)
    return Affine(matrix, -(mean @ matrix), unit_of(step.components_), np.abs(mean) @ np.abs(matrix))


def _scaled(step: Any) -> Function:
    """Each column less one number, divided by another."""
    n = int(step.n_features_in_)
    if getattr(step, "clip", False):
        raise ModelError(f"{type(step).__name__} with clip=True is not supported as a step there")
    if name_of(step) == "MinMaxScaler":
        return Affine(np.diag(step.scale_), step.min_, unit_of(step.scale_))
    centre = getattr(step, "center_", None) if name_of(step) == "RobustScaler" else getattr(step, "mean_", None)
    scale = np.ones(n) if getattr(step, "scale_", None) is None else np.asarray(step.scale_, dtype=np.float64)
    centre = np.zeros(n) if centre is None or not getattr(step, "with_mean", True) else centre
    return Affine(np.diag(1 / scale), -centre / scale, unit_of(scale))


#: By step: the function that it applies to the columns before it. Steps that mix columns, and those that may follow.
MIXING: dict[str, Callable[[Any], Function]] = {
    "PolynomialFeatures": _products,
    **dict.fromkeys(MAPS, _projected),
}
FUNCTIONS: dict[str, Callable[[Any], Function]] = {
    **MIXING,
    **dict.fromkeys(("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"), _scaled),
}


def unit_of(numbers: Any) -> float:
    """The unit of rounding of what is computed with these numbers."""
    return SINGLE if getattr(numbers, "dtype", None) == np.float32 else DOUBLE


def flat(steps: Sequence[Step]) -> list[Step]:
    """With pipelines that are steps taken apart, and without steps that do nothing."""
    found: list[Step] = []
    for name, step in steps:
        if name_of(step) == "Pipeline":
            found += flat(step.steps)
        elif step is not None and not (isinstance(step, str) and step == "passthrough"):
            found.append((name, step))
    return found


def bent_steps(steps: Sequence[Step]) -> Iterator[Any]:
    """The steps whose columns rise and fall, wherever they are."""
    for _, step in flat(steps):
        parts = getattr(step, "transformers_", None) or getattr(step, "transformer_list", None) or ()
        yield from bent_steps([part[:2] for part in parts])
        if name_of(step) == "SplineTransformer":
            yield step


def name_of(estimator: Any) -> str:
    """The name of a class of scikit-learn itself."""
    return type(estimator).__name__ if type(estimator).__module__.startswith("sklearn.") else ""
