"""Estimators that are smooth functions of their columns, as models with bounds (`symcf.models.bounded`).

What an estimator computes is written down as functions over the matrix that it gets; `predict` itself still decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from symcf.data.encoder import is_missing
from symcf.data.forms import TableForm
from symcf.data.labels import by_feature
from symcf.data.numbers import observed
from symcf.errors import ModelError, OptionError
from symcf.models.black_box import BlackBoxModel, is_number
from symcf.models.bounded.bounds import Bounds, Inner, Matrix, Node
from symcf.models.bounded.forms import DOUBLE, SINGLE, Activation, Affine, Floats, Function, Monotone, Products
from symcf.models.bounded.functions import Choice, Distances, Shares, Softmax, Total, Tree, Trees, Weighted
from symcf.models.bounded.model import BoundedModel, grid
from symcf.models.from_predict import from_predict, in_pandas, only_read
from symcf.models.sklearn.lineage import Domain, Lineage, follow
from symcf.models.sklearn.linear_maps import MAPS, Step
from symcf.models.sklearn.trees import FORESTS, TREES, shares
from symcf.models.sklearn.wrappers import is_tempered, peeled, read

__all__ = ["BOUNDED", "bounded", "is_bounded"]


def is_bounded(estimator: Any) -> bool:
    """Is it one that is read with bounds? Averages are where they cannot be read exactly."""
    steps, final = peeled(estimator)
    name = _name(final)
    if name in AVERAGES and name != "StackingClassifier":
        if name == "VotingClassifier" and final.voting != "soft":
            return False
        try:
            read(estimator)
        except ModelError:
            return True
        return False
    multiplied = any(_name(step) == "PolynomialFeatures" for _, step in _flat(steps))
    return name in (*BOUNDED, "StackingClassifier") or (multiplied and name in LINEAR)


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
    node = scores(final, Raw(reading, steps))
    box = from_predict(estimator, data, values=reading.values(frame, values or {}, ranges or {}), max_inputs=0)
    assert isinstance(box, BlackBoxModel)
    chance = None if is_tempered(estimator) else chance_of(final)
    model = BoundedModel(box, Bounds(tuple(reading.matrices), node), passed, chance)
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
        return Inner((*map(function_of, (step for _, step in flat[mixing:])), *functions), self._places[key])

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


# --- where an estimator gets its columns from -------------------------------------------------------------------------


class Columns(Protocol):
    """The columns that an estimator gets."""

    def node(self, *functions: Function) -> Node:
        """Functions of these columns."""

    def before(self, estimator: Any) -> tuple[Any, Columns]:
        """The estimator at the end of an estimator that gets these columns, and what that gets."""


@dataclass(frozen=True)
class Raw:
    """What steps make of the raw columns."""

    reading: Reading
    steps: tuple[Step, ...]

    def node(self, *functions: Function) -> Node:
        """See `Columns`."""
        return self.reading.node(self.steps, *functions)

    def before(self, estimator: Any) -> tuple[Any, Columns]:
        """See `Columns`."""
        steps, final = _member(estimator, self.steps)
        return final, Raw(self.reading, steps)


@dataclass(frozen=True)
class Made:
    """What other estimators give."""

    nodes: tuple[Node, ...]

    def node(self, *functions: Function) -> Node:
        """See `Columns`."""
        return Inner(functions, self.nodes)

    def before(self, estimator: Any) -> tuple[Any, Columns]:
        """See `Columns`."""
        steps, final = _member(estimator)
        return final, Made((self.node(*(function_of(step) for _, step in _flat(steps))),))


def _member(estimator: Any, before: tuple[Step, ...] = ()) -> tuple[tuple[Step, ...], Any]:
    """The steps and the estimator at their end, whose numbers another estimator takes."""
    if is_tempered(estimator):
        raise ModelError("CalibratedClassifierCV with method='temperature' is not supported inside another estimator")
    return peeled(estimator, before)


# --- steps as functions -----------------------------------------------------------------------------------------------


def function_of(step: Any) -> Function:
    """What a step computes that mixes columns, or comes after one that does."""
    name = _name(step)
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
    return Affine(matrix, -(mean @ matrix), _unit(step.components_), np.abs(mean) @ np.abs(matrix))


def _scaled(step: Any) -> Function:
    """Each column less one number, divided by another."""
    n = int(step.n_features_in_)
    if getattr(step, "clip", False):
        raise ModelError(f"{type(step).__name__} with clip=True is not supported as a step there")
    if _name(step) == "MinMaxScaler":
        return Affine(np.diag(step.scale_), step.min_, _unit(step.scale_))
    centre = getattr(step, "center_", None) if _name(step) == "RobustScaler" else getattr(step, "mean_", None)
    scale = np.ones(n) if getattr(step, "scale_", None) is None else np.asarray(step.scale_, dtype=np.float64)
    centre = np.zeros(n) if centre is None or not getattr(step, "with_mean", True) else centre
    return Affine(np.diag(1 / scale), -centre / scale, _unit(scale))


#: By step: the function that it applies to the columns before it. Steps that mix columns, and those that may follow.
MIXING: dict[str, Callable[[Any], Function]] = {
    "PolynomialFeatures": _products,
    **dict.fromkeys(MAPS, _projected),
}
FUNCTIONS: dict[str, Callable[[Any], Function]] = {
    **MIXING,
    **dict.fromkeys(("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"), _scaled),
}


# --- estimators -------------------------------------------------------------------------------------------------------


def scores(final: Any, columns: Columns) -> Node:
    """What `predict` compares: one column, which is positive for the second of two classes, or one per class."""
    name = _name(final)
    if name in AVERAGES and name != "StackingClassifier":
        n_classes = len(final.classes_)
        chances = probabilities(final, columns)
        return Inner((Affine([[1.0]], [-0.5]),), (chances,)) if n_classes == 2 else chances
    if name == "StackingClassifier":
        return scores(*Made(tuple(_stacked(final, columns))).before(final.final_estimator_))
    return columns.node(*_sums(final))


def chance_of(final: Any) -> tuple[Function, ...] | None:
    """What makes of the score of two classes the probability of the second one; None where that is not known."""
    name = _name(final)
    if name == "StackingClassifier":
        return chance_of(peeled(final.final_estimator_)[1])
    if name in AVERAGES:
        return (Affine([[1.0]], [0.5]),)
    return (Activation("logistic"),) if name in CHANCES else None


def probabilities(estimator: Any, columns: Columns) -> Node:
    """What `predict_proba` gives: of the second of two classes, or of each."""
    final, columns = columns.before(estimator)
    name, two = _name(final), len(final.classes_) == 2
    if name == "CalibratedClassifierCV":
        return _average([_calibrated(fold, columns) for fold in final.calibrated_classifiers_], None)
    if name == "VotingClassifier" and final.voting == "soft":
        return _average([probabilities(one, columns) for one in final.estimators_], final._weights_not_none)
    if name in (*TREES, *FORESTS):
        return columns.node(_trees(final))
    if name in CHANCES:
        return columns.node(*_sums(final), Activation("logistic") if two else Softmax())
    raise ModelError(f"the probabilities of {type(final).__name__} are not supported inside another estimator")


def _average(nodes: Sequence[Node], weights: Any) -> Node:
    """The mean of nodes with the same columns."""
    parts_of = (
        np.full(len(nodes), 1 / len(nodes)) if weights is None else np.asarray(weights, dtype=float) / sum(weights)
    )
    parts = tuple(Inner((Weighted(share),), (node,)) for node, share in zip(nodes, parts_of.tolist(), strict=True))
    return Inner((Total(len(nodes)),), parts)


def _sums(final: Any) -> tuple[Function, ...]:
    """What an estimator computes before it decides: of two classes one column."""
    name = _name(final)
    if name in SUMS:
        return SUMS[name](final)
    raise ModelError(f"{type(final).__name__} is not supported inside another estimator")


def _network(final: Any) -> tuple[Function, ...]:
    """Layers: sums, each followed by a function of one number. The last function does not change the order."""
    if getattr(final, "out_activation_", "") not in ("logistic", "softmax"):
        raise ModelError(f"{type(final).__name__} has the output {final.out_activation_!r}, which is not supported")
    if final.out_activation_ == "logistic" and final.n_outputs_ != 1:
        raise ModelError(f"{type(final).__name__} has several labels: fit one classifier per label")
    functions: list[Function] = []
    for weights, bias in zip(final.coefs_, final.intercepts_, strict=True):
        functions += [Affine(weights, bias, _unit(weights)), Activation(final.activation)]
    # predict compares what the last function gives, whose floats are equal where sums differ by less than its rounding
    last = Affine(weights, bias, _unit(weights), np.abs(bias) + 1)
    return (*functions[:-2], last)


def _linear(final: Any) -> tuple[Function, ...]:
    weights = np.atleast_2d(final.coef_.toarray() if hasattr(final.coef_, "toarray") else final.coef_).T
    bias = np.broadcast_to(np.asarray(final.intercept_, dtype=np.float64), (weights.shape[1],))
    if weights.shape[1] == 2 and len(final.classes_) == 2:
        raise ModelError(f"{type(final).__name__} has two sums for two classes, which is not supported")
    return (Affine(weights, bias, _unit(weights)),)


def _kernels(final: Any) -> tuple[Function, ...]:
    """Weighted sums of kernels: how alike the row is to some rows of the training data."""
    if len(final.classes_) != 2:
        raise ModelError(
            f"{type(final).__name__} compares {len(final.classes_)} classes in pairs: only two are supported"
        )
    if final.kernel not in ("linear", "rbf") or final._sparse:
        raise ModelError(
            f"{type(final).__name__} with kernel={final.kernel!r} is not supported: 'rbf' and 'linear' are"
        )
    points = np.asarray(final.support_vectors_, dtype=np.float64)
    alike: tuple[Function, ...] = (Affine(points.T, np.zeros(len(points))),)
    if final.kernel == "rbf":
        alike = Distances(points, -float(final._gamma)), Activation("exp")
    return (*alike, Affine(np.asarray(final.dual_coef_).T, final.intercept_))


def _boosted(final: Any) -> tuple[Function, ...]:
    """Trees that are added up."""
    if final.init is not None and not (isinstance(final.init, str) and final.init == "zero"):
        raise ModelError("GradientBoostingClassifier that begins with another estimator is not supported")
    if final.loss != "log_loss":
        raise ModelError(f"GradientBoostingClassifier with loss={final.loss!r} is not supported")
    start = final._raw_predict_init(np.zeros((1, final.n_features_in_)))[0]
    trees = [
        _tree(one.tree_, final.learning_rate * np.eye(len(start))[k] * one.tree_.value[:, 0, :])
        for row in final.estimators_
        for k, one in enumerate(row)
    ]
    return (Trees(trees, start),)


def _trees(final: Any) -> Function:
    """The mean of the shares of classes in the leaves; of two classes the second one's."""
    members = [final] if _name(final) in TREES else final.estimators_
    found = []
    for one in members:
        table = shares(one.tree_.value) / len(members)
        found.append(_tree(one.tree_, table[:, 1:] if table.shape[1] == 2 else table))
    return Trees(found)


def _tree(tree: Any, values: Any) -> Tree:
    leaf = tree.children_left < 0
    return Tree(
        np.where(leaf, -1, tree.feature).astype(np.int64),
        np.asarray(tree.threshold, dtype=np.float64),
        np.where(leaf, 0, tree.children_left).astype(np.int64),
        np.where(leaf, 0, tree.children_right).astype(np.int64),
        np.asarray(values, dtype=np.float64),
    )


# --- averages ---------------------------------------------------------------------------------------------------------


def _calibrated(fold: Any, columns: Columns) -> Node:
    """What one calibrated estimator gives."""
    final, columns = columns.before(fold.estimator)
    two = len(fold.classes) == 2
    if len(final.classes_) != len(fold.classes):
        raise ModelError("CalibratedClassifierCV has a fold that lacks a class: fit it on more rows of each class")
    if fold.method not in ("sigmoid", "isotonic"):
        raise ModelError(f"CalibratedClassifierCV with method={fold.method!r} and several folds is not supported")
    by_scores = hasattr(final, "decision_function")
    response = scores(final, columns) if by_scores else probabilities(final, columns)
    if fold.method == "sigmoid":
        slope, shift = (np.array([float(getattr(one, name)) for one in fold.calibrators]) for name in ("a_", "b_"))
        node: Node = Inner((Affine(np.diag(-slope), -shift), Activation("logistic")), (response,))
    else:
        of_class = [
            Inner((Choice(k), Monotone(partial(_interpolated, one))), (response,))
            for k, one in enumerate(fold.calibrators)
        ]
        node = Inner((), tuple(of_class))
    return node if two else Inner((Shares(),), (node,))


def _interpolated(calibrator: Any, numbers: Floats) -> Floats:
    return np.asarray(np.interp(numbers, calibrator.X_thresholds_, calibrator.y_thresholds_))


def _stacked(final: Any, columns: Columns) -> Iterator[Node]:
    """What the members give to the last estimator."""
    members = [one for one in final.estimators_ if one != "drop"]
    for member, method in zip(members, [one for one in final.stack_method_ if one is not None], strict=True):
        if method == "predict_proba":
            yield probabilities(member, columns)
        elif method == "decision_function":
            yield scores(*columns.before(member))
        else:
            raise ModelError(f"StackingClassifier with stack_method={method!r} is not supported: votes are no numbers")
    if final.passthrough:
        yield columns.node()


#: By estimator of scikit-learn: what it computes before it decides.
BOUNDED: dict[str, Callable[[Any], tuple[Function, ...]]] = {
    "MLPClassifier": _network,
    **dict.fromkeys(("SVC", "NuSVC"), _kernels),
}
#: Linear models, which are read with bounds behind PolynomialFeatures or as members of averages.
LINEAR = (
    *("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "SGDClassifier", "Perceptron", "RidgeClassifier"),
    *("PassiveAggressiveClassifier", "RidgeClassifierCV", "LinearDiscriminantAnalysis"),
)
SUMS = {**BOUNDED, **dict.fromkeys(LINEAR, _linear), "GradientBoostingClassifier": _boosted}
#: Of these, what `predict_proba` makes of the sums: the logistic function, or softmax.
CHANCES = ("MLPClassifier", "LogisticRegression", "LogisticRegressionCV", "GradientBoostingClassifier")
#: Estimators around others, which are read with bounds where they cannot be read exactly.
AVERAGES = ("CalibratedClassifierCV", "VotingClassifier", "StackingClassifier")


def _unit(numbers: Any) -> float:
    """The unit of rounding of what is computed with these numbers."""
    return SINGLE if getattr(numbers, "dtype", None) == np.float32 else DOUBLE


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
