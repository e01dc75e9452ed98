"""Estimators that are smooth functions of their columns, as models with bounds (`symcf.models.bounded`).

What an estimator computes is written down as functions over the matrix that it gets; `predict` itself still decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symcf.data.encoder import is_missing
from symcf.data.forms import TableForm
from symcf.data.labels import by_feature
from symcf.data.numbers import observed
from symcf.errors import ModelError, OptionError
from symcf.models.black_box import BlackBoxModel, is_number
from symcf.models.bounded.bounds import Bounds, Inner, Matrix, Node
from symcf.models.bounded.forms import DOUBLE, SINGLE, Activation, Affine, Function
from symcf.models.bounded.model import BoundedModel, grid
from symcf.models.from_predict import from_predict, in_pandas, only_read
from symcf.models.sklearn.lineage import Domain, Lineage, follow
from symcf.models.sklearn.linear_maps import Step
from symcf.models.sklearn.wrappers import peeled

__all__ = ["BOUNDED", "bounded", "is_bounded"]

#: Of an estimator and the columns that it gets: its scores, one for two classes, else one per class.
Scores = Callable[["Reading", Any, tuple[Step, ...]], Node]


def is_bounded(estimator: Any) -> bool:
    """Is it one that is read with bounds?"""
    _, final = peeled(estimator)
    return _name(final) in BOUNDED


def bounded(
    estimator: Any,
    data: Any,
    *,
    values: Mapping[Any, Sequence[float]] | None,
    ranges: Mapping[Any, Sequence[float]] | None,
) -> BoundedModel:
    """The model with bounds of a fitted estimator; ``data`` are rows like those that it was fitted on."""
    steps, final = peeled(estimator)
    passed, frame = in_pandas(only_read(estimator, data))
    reading = Reading(estimator, steps, final, TableForm.of(frame)[0])
    node = BOUNDED[_name(final)](reading, final, steps)
    box = from_predict(estimator, data, values=reading.values(frame, values or {}, ranges or {}), max_inputs=0)
    assert isinstance(box, BlackBoxModel)
    model = BoundedModel(box, Bounds(tuple(reading.matrices), node), passed)
    model.check(frame[:CHECKED])
    return model


#: Rows of data whose decision the bounds have to hold.
CHECKED = 256


class Reading:
    """The matrices that the members of an estimator get, gathered on the way."""

    def __init__(self, estimator: Any, steps: tuple[Step, ...], final: Any, form: TableForm) -> None:
        self.form = form
        self.matrices: list[Matrix] = []
        self._places: dict[tuple[int, ...], int] = {}
        first = next(one for one in (estimator, *(step for _, step in steps), final) if hasattr(one, "n_features_in_"))
        fitted = getattr(first, "feature_names_in_", None)
        names = form.names if fitted is None else tuple(map(str, fitted))
        if len(names) != first.n_features_in_ or (not set(form.names).issuperset(names) and fitted is None):
            raise ModelError(
                f"data has {len(form.names)} columns, and {type(estimator).__name__} was fitted on "
                f"{first.n_features_in_}: give rows like those that it was fitted on"
            )
        #: By raw column as the estimator was fitted, what is known of it.
        self._domains = [Domain(name) for name in names]

    def node(self, steps: tuple[Step, ...], *functions: Function) -> Node:
        """Functions of what steps make of the raw columns."""
        flat = _flat(steps)
        mixing = next((i for i, (_, step) in enumerate(flat) if _name(step) in MIXING), len(flat))
        key = tuple(id(step) for _, step in flat[:mixing])
        if key not in self._places:
            self._places[key] = len(self.matrices)
            self.matrices.append(self._matrix(flat[:mixing]))
        after = [MIXING[_name(step)](step) if _name(step) in MIXING else _scaled(step) for _, step in flat[mixing:]]
        return Inner((*after, *functions), self._places[key])

    def _matrix(self, steps: Sequence[Step]) -> Matrix:
        from sklearn.pipeline import Pipeline

        lineages = [Lineage(domain) for domain in self._domains]
        for _, step in steps:
            lineages = follow(step, lineages)
        places: dict[str, list[int]] = {name: [] for name in self.form.names}
        for i, lineage in enumerate(lineages):
            if lineage.domain.name not in places:
                raise ModelError(f"data has no column {lineage.domain.name!r}, which the estimator reads")
            places[lineage.domain.name].append(i)
        transform = Pipeline(list(steps)).transform if steps else np.asarray
        return Matrix(tuple(tuple(places[name]) for name in self.form.names), transform)

    def values(
        self, frame: Any, values: Mapping[Any, Sequence[float]], ranges: Mapping[Any, Sequence[float]]
    ) -> dict[str, Sequence[Any]]:
        """By column of numbers, the values that are tried."""
        names = self.form.names
        given = by_feature(values, names, "values")
        within = by_feature(ranges, names, "ranges")
        listed = {domain.name for domain in self._domains if domain.categories is not None}
        found: dict[str, Sequence[Any]] = {}
        for j, column in enumerate(TableForm.of(frame)[1]):
            known = {cell for cell in column.tolist() if cell is not None and not is_missing(cell)}
            numbers = bool(known) and all(map(is_number, known))
            categories = getattr(self.form.dtypes[j], "categories", None)
            if j in within and (not numbers or names[j] in listed or j in given):
                raise OptionError(f"ranges: {names[j]!r} takes no range: its values are listed")
            if j in given:
                found[names[j]] = list(given[j])
            elif numbers and categories is None and names[j] not in listed:
                floats = np.array(sorted(known), dtype=np.float64)
                fine = grid(observed(floats, names[j], within.get(j)))
                found[names[j]] = self.form.held(j, fine) or sorted(known)
            elif numbers and categories is None:
                found[names[j]] = sorted(known)
        return found


# --- steps that mix columns -------------------------------------------------------------------------------------------

#: By step: the function that it applies to the columns before it.
MIXING: dict[str, Callable[[Any], Function]] = {}


def _scaled(step: Any) -> Function:
    raise ModelError(f"{type(step).__name__} is not supported as a step there")


# --- estimators -------------------------------------------------------------------------------------------------------


def _network(reading: Reading, final: Any, steps: tuple[Step, ...]) -> Node:
    """Layers: sums, each followed by a function of one number. The last function does not change the order."""
    if getattr(final, "out_activation_", "") not in ("logistic", "softmax"):
        raise ModelError(f"{type(final).__name__} has the output {final.out_activation_!r}, which is not supported")
    if final.out_activation_ == "logistic" and final.n_outputs_ != 1:
        raise ModelError(f"{type(final).__name__} has several labels: fit one classifier per label")
    functions: list[Function] = []
    for weights, bias in zip(final.coefs_, final.intercepts_, strict=True):
        unit = SINGLE if weights.dtype == np.float32 else DOUBLE
        functions += [Affine(weights, bias, unit), Activation(final.activation, unit)]
    return reading.node(steps, *functions[:-1])


#: By estimator of scikit-learn: its scores.
BOUNDED: dict[str, Scores] = {"MLPClassifier": _network}


def _flat(steps: Sequence[Step]) -> list[Step]:
    """With pipelines that are steps taken apart, and without steps that do nothing."""
    found: list[Step] = []
    for name, step in steps:
        if _name(step) == "Pipeline":
            found += _flat(step.steps)
        elif step is not None and not (isinstance(step, str) and step == "passthrough"):
            found.append((name, step))
    return found


def _name(estimator: Any) -> str:
    """The name of a class of scikit-learn itself."""
    return type(estimator).__name__ if type(estimator).__module__.startswith("sklearn.") else ""
