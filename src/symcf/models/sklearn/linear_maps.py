"""Linear estimators whose columns are sums of others: behind PCA and its relatives, and one per class (OneVsRest).

A linear map before a linear model is a linear model: coefficients are multiplied out in fractions, and bounds on the
magnitudes that scikit-learn adds up on the way are kept, so that the doubt covers its roundings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["MAPS", "Alone", "Combined", "Step", "absorbed", "one_per_class"]

#: A step of a pipeline: its name and the fitted transformer.
Step = tuple[str, Any]

#: Steps that multiply the row by a matrix.
MAPS = ("PCA", "IncrementalPCA", "TruncatedSVD")
SCALERS = ("StandardScaler", "RobustScaler", "MaxAbsScaler", "MinMaxScaler")

#: Numbers without roundings.
Fractions = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Alone:
    """One estimator, with the steps before it."""

    steps: tuple[Step, ...]
    final: Any
    #: What a TransformedTargetRegressor does to the predictions, the inmost first.
    after: tuple[Any, ...] = ()
    #: Does a temperature change its probabilities, though not the order of the classes?
    tempered: bool = False


@dataclass(frozen=True, eq=False)
class Combined:
    """Sums over the columns of a matrix, with the classes of the estimator that they come from."""

    of: Any
    classes_: Any
    #: By sum and column; by sum.
    coef_: Fractions
    intercept_: Fractions
    #: By sum and column, a bound on the magnitudes of the products that ``coef_`` is a sum of.
    bounds: Fractions

    @property
    def n_features_in_(self) -> int:
        """The number of columns."""
        return int(self.coef_.shape[1])


def absorbed(core: Alone) -> Alone:
    """The same with PCA and its relatives, and what scales their columns, multiplied into the coefficients."""
    steps = _flat(core.steps)
    last = max((i for i, (_, step) in enumerate(steps) if _name(step) in MAPS), default=-1)
    if last < 0 or not hasattr(core.final, "coef_"):
        return core
    sums = _sums(core.final)
    while steps and (last >= 0):
        applied = _before(sums, steps[-1][1])
        if applied is None:
            return core
        sums, steps = applied, steps[:-1]
        last = max((i for i, (_, step) in enumerate(steps) if _name(step) in MAPS), default=-1)
    return replace(core, steps=tuple(steps), final=sums)


def one_per_class(wrapper: Any, members: Sequence[Alone]) -> Alone | None:
    """OneVsRestClassifier, OneVsOneClassifier of two classes: the sum of each member is one; None if some member has
    other than one.
    """
    from sklearn.pipeline import FeatureUnion, Pipeline
    from sklearn.preprocessing import FunctionTransformer

    inner = [absorbed(member) for member in members]
    if not all(hasattr(member.final, "coef_") for member in inner):
        return None
    sums = [_sums(member.final) for member in inner]
    if any(len(one.coef_) != 1 for one in sums):
        return None
    width = [one.coef_.shape[1] for one in sums]
    starts = np.cumsum([0, *width]).tolist()
    coefficients, bounds = (_zeros(len(sums), starts[-1]) for _ in range(2))
    for k, one in enumerate(sums):
        coefficients[k, starts[k] : starts[k + 1]] = one.coef_[0]
        bounds[k, starts[k] : starts[k + 1]] = one.bounds[0]
    constant = np.array([one.intercept_[0] for one in sums], dtype=object)
    steps: tuple[Step, ...] = inner[0].steps
    if len(inner) > 1:
        parts = [Pipeline(list(member.steps)) if member.steps else FunctionTransformer() for member in inner]
        steps = (("members", FeatureUnion([(f"class {k}", part) for k, part in enumerate(parts)])),)
    return replace(inner[0], steps=steps, final=Combined(wrapper, wrapper.classes_, coefficients, constant, bounds))


def _zeros(*shape: int) -> Fractions:
    return np.full(shape, Fraction(0), dtype=object)


def _exact(numbers: Any) -> Fractions:
    floats = np.asarray(numbers, dtype=np.float64)
    return np.array([Fraction(number) for number in floats.ravel().tolist()], dtype=object).reshape(floats.shape)


def _sums(final: Any) -> Combined:
    if isinstance(final, Combined):
        return final
    coefficients = _exact(np.atleast_2d(final.coef_.toarray() if hasattr(final.coef_, "toarray") else final.coef_))
    constant = _exact(np.broadcast_to(np.asarray(final.intercept_, dtype=np.float64), (len(coefficients),)))
    return Combined(final, final.classes_, coefficients, constant, abs(coefficients))


def _before(sums: Combined, step: Any) -> Combined | None:
    """The sums over the columns before a step; None if that is no linear map."""
    name = _name(step)
    if name in MAPS:
        matrix = _exact(step.components_)
        mean = getattr(step, "mean_", None)
        if getattr(step, "whiten", False):
            spread = np.sqrt(step.explained_variance_)
            matrix = matrix / _exact(np.maximum(spread, np.finfo(spread.dtype).eps))[:, np.newaxis]
        offset = _zeros(len(matrix)) if mean is None else -(matrix @ _exact(mean))
    elif name in SCALERS and not getattr(step, "clip", False):
        columns = [Fraction(1)] * sums.n_features_in_, [Fraction(0)] * sums.n_features_in_
        slope, offset = (np.array(column, dtype=object) for column in columns)
        if name == "MinMaxScaler":
            slope, offset = _exact(step.scale_), _exact(step.min_)
        else:
            center = getattr(step, "center_", None) if name == "RobustScaler" else getattr(step, "mean_", None)
            if getattr(step, "scale_", None) is not None:
                slope = 1 / _exact(step.scale_)
            if center is not None and getattr(step, "with_mean", True):
                offset = -_exact(center) * slope
        matrix = _zeros(len(slope), len(slope))
        np.fill_diagonal(matrix, slope)
    else:
        return None
    # products of magnitudes on the way, of the constant as well
    bounds = sums.bounds @ abs(matrix)
    return replace(sums, coef_=sums.coef_ @ matrix, intercept_=sums.intercept_ + sums.coef_ @ offset, bounds=bounds)


def _flat(steps: Sequence[Step]) -> list[Step]:
    """With pipelines that are steps taken apart."""
    found: list[Step] = []
    for name, step in steps:
        found += _flat(step.steps) if _name(step) == "Pipeline" else [(name, step)]
    return found


def _name(step: Any) -> str:
    """The name of a class of scikit-learn itself."""
    return type(step).__name__ if type(step).__module__.startswith("sklearn.") else ""
