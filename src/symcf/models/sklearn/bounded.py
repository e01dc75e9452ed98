"""Estimators that are smooth functions of their columns, as models with bounds (`symcf.models.bounded`).

What an estimator computes is written down as functions over the matrix that it gets; `predict` itself still decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from symcf.models.bounded.forms import Activation, Affine, Floats, Folding, Function, Monotone
from symcf.models.bounded.functions import Choice, Shares, Total, Weighted
from symcf.models.bounded.model import BoundedModel, BoundedRegressor, grid
from symcf.models.bounded.votes import Counted, Pairs, PairSums, Winners
from symcf.models.from_predict import from_predict, in_pandas, only_read
from symcf.models.links import Link
from symcf.models.sklearn import bounded_regressors
from symcf.models.sklearn.bounded_regressors import PREDICTIONS, predictions
from symcf.models.sklearn.bounded_steps import MIXING, bent_steps, flat, function_of, name_of
from symcf.models.sklearn.bounded_sums import (
    BOUNDED,
    NEIGHBOURS,
    SUMS,
    chance_functions,
    leaves,
    nearest,
    sums,
    told_sums,
    votes_of_leaves,
)
from symcf.models.sklearn.libraries import is_of_a_library
from symcf.models.sklearn.lineage import Domain, Lineage, follow
from symcf.models.sklearn.linear_maps import MAPS, Alone, Step
from symcf.models.sklearn.regressors import steps_of_targets
from symcf.models.sklearn.trees import FORESTS, TREES
from symcf.models.sklearn.wrappers import (
    ONE_PER_CLASS,
    THRESHOLDS,
    Cut,
    is_tempered,
    peeled,
    read,
    threshold_of,
    transformers_of_targets,
)

__all__ = ["AROUND", "bounded", "is_bounded"]


def is_bounded(estimator: Any) -> bool:
    """Is it one that is read with bounds? Estimators around others are where they cannot be read exactly."""
    steps, final = peeled(estimator)
    if name_of(final) not in EXACT_OR_BOUNDED:
        return _needs_bounds(steps, final)
    if name_of(final) in ONE_PER_CLASS and any(map(is_bounded, final.estimators_)):
        return True
    try:
        found = read(estimator)
    except ModelError:
        return True
    core = found.core if isinstance(found, Cut) else found
    if isinstance(core, Alone):
        return _needs_bounds(core.steps, core.final)
    return any(any(bent_steps(one)) for one in core.steps)


def _needs_bounds(steps: Sequence[Step], final: Any) -> bool:
    name = name_of(final)
    if name in (*BOUNDED, *bounded_regressors.BOUNDED, *REGRESSORS_AROUND, "StackingClassifier"):
        return True
    if name in ("BaggingClassifier", "AdaBoostClassifier"):
        return any(name_of(one) not in TREES for one in getattr(final, "estimators_", ()))
    mixing = {name_of(step) for _, step in flat(steps)} & set(MIXING)
    # maps before linear models are multiplied into them
    bent = bool(mixing - set(MAPS if hasattr(final, "coef_") else ())) or any(bent_steps(steps))
    return bent and (name in (*SUMS, *PREDICTIONS) or is_of_a_library(final))


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
    tried = reading.values(frame, values or {}, ranges or {})
    model: BoundedModel
    node: Node
    if is_of_numbers(final):
        node = predicted(estimator, Raw(reading, ()))
        box = from_predict(_Halves(estimator, frame), data, values=tried, max_inputs=0)
        assert isinstance(box, BlackBoxModel)
        box.numbers = {"prediction": passed(estimator.predict)}
        model = BoundedRegressor(box, Bounds(tuple(reading.matrices), node), passed)
    else:
        node = scores(final, Raw(reading, steps))
        box = from_predict(estimator, data, values=tried, max_inputs=0)
        assert isinstance(box, BlackBoxModel)
        chance = None if is_tempered(estimator) else chance_of(final)
        told = _told(final, Raw(reading, steps), node)
        model = BoundedModel(box, Bounds(tuple(reading.matrices), node, told=told), passed, chance)
    model.check(frame[:CHECKED])
    return model


def _told(final: Any, columns: Columns, node: Node) -> Node | None:
    """What `decision_function` of two classes gives; None if it is not known."""
    if name_of(final) not in TOLD:
        return node
    if len(final.classes_) != 2 or not hasattr(final, "decision_function"):
        return None
    try:
        return responses(final, columns)
    except ModelError:
        return None


class _Halves:
    """A regressor as a classifier: does it predict more than the median?"""

    classes_ = (False, True)

    def __init__(self, estimator: Any, frame: Any) -> None:
        self._estimator = estimator
        self._middle = float(np.median(estimator.predict(frame)))

    def predict(self, rows: Any) -> Any:
        return np.ravel(self._estimator.predict(rows)) > self._middle


#: Rows of data whose decision the bounds have to hold.
CHECKED = 256


class Reading:
    """The matrices that the members of an estimator get, gathered on the way."""

    def __init__(self, estimator: Any, steps: tuple[Step, ...], final: Any, form: TableForm) -> None:
        self.form = form
        self.matrices: list[Matrix] = []
        #: By steps, what they make; and the place of each matrix.
        self._known: dict[tuple[int, ...], Matrix] = {}
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
        every = flat(steps)
        mixing = next((i for i, (_, step) in enumerate(every) if name_of(step) in MIXING), len(every))
        key: tuple[Any, ...] = tuple(id(step) for _, step in every[:mixing])
        if key not in self._known:
            self._known[key] = self._matrix(every[:mixing])
        matrix = self._known[key]
        functions = (*map(function_of, (step for _, step in every[mixing:])), *functions)
        folded = functions[0].folded([some for some in matrix.places if len(some) > 1]) if functions else None
        if folded is not None:
            fold, first = folded
            matrix, functions = replace(matrix, places=_folded_places(matrix, fold), fold=fold), (first, *functions[1:])
            key = (*key, id(fold))
        if key not in self._places:
            self._places[key] = len(self.matrices)
            self.matrices.append(matrix)
        return Inner(functions, self._places[key])

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


def _folded_places(matrix: Matrix, fold: Folding) -> tuple[tuple[int, ...], ...]:
    """By raw column, the columns that depend on it once the matrix is folded."""
    alone = {column: place for place, column in enumerate(fold.alone)}
    group = dict(zip(map(tuple, fold.groups), fold.places, strict=True))
    return tuple(
        group[tuple(some)] if len(some) > 1 else tuple(alone[column] for column in some) for some in matrix.places
    )


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
        return final, Made((self.node(*(function_of(step) for _, step in flat(steps))),))


def _member(estimator: Any, before: tuple[Step, ...] = ()) -> tuple[tuple[Step, ...], Any]:
    """The steps and the estimator at their end, whose numbers another estimator takes."""
    if is_tempered(estimator):
        raise ModelError("CalibratedClassifierCV with method='temperature' is not supported inside another estimator")
    return peeled(estimator, before)


# --- estimators -------------------------------------------------------------------------------------------------------


def scores(final: Any, columns: Columns) -> Node:
    """What `predict` compares: one column, which is positive for the second of two classes, or one per class."""
    around = AROUND.get(name_of(final))
    return columns.node(*sums(final)) if around is None else around(final, columns)


def responses(final: Any, columns: Columns) -> Node:
    """What `decision_function` gives, which may be on another scale than what `predict` compares: of two classes one
    column, else one per class.
    """
    told = TOLD.get(name_of(final))
    return columns.node(*told_sums(final)) if told is None else told(final, columns)


def chance_of(final: Any) -> tuple[Function, ...] | None:
    """What makes of the score of two classes the probability of the second one; None where that is not known."""
    name = name_of(final)
    if name == "StackingClassifier":
        return chance_of(peeled(final.final_estimator_)[1])
    if name == "CalibratedClassifierCV" or (name == "VotingClassifier" and final.voting == "soft"):
        return (Affine([[1.0]], [0.5]),)
    if name in (*TREES, *FORESTS):
        return (Affine([[1.0]], [0.5]),)
    return None if name in AROUND else chance_functions(final)


def probabilities(estimator: Any, columns: Columns) -> Node:
    """What `predict_proba` gives: of the second of two classes, or of each."""
    final, columns = columns.before(estimator)
    name = name_of(final)
    if name in THRESHOLDS:
        return probabilities(threshold_of(final).estimator, columns)
    if name == "CalibratedClassifierCV":
        return _average([_calibrated(fold, columns) for fold in final.calibrated_classifiers_], None)
    if name == "VotingClassifier" and final.voting == "soft":
        return _average([probabilities(one, columns) for one in final.estimators_], final._weights_not_none)
    if name == "BaggingClassifier" and hasattr(final.estimators_[0], "predict_proba"):
        return _average([probabilities(one, columns) for one in _members(final)], None)
    if name in (*TREES, *FORESTS):
        return columns.node(leaves(final))
    if name in NEIGHBOURS:
        node = columns.node(*nearest(final), Weighted(1 / final.n_neighbors))
        return Inner((Choice(1),), (node,)) if len(final.classes_) == 2 else node
    known = None if name in AROUND else chance_functions(final)
    if known is None:
        raise ModelError(f"the probabilities of {type(final).__name__} are not supported inside another estimator")
    return columns.node(*sums(final), *known)


def decided(estimator: Any, columns: Columns) -> Node:
    """By class, 1 where `predict` gives it, else 0."""
    final, columns = columns.before(estimator)
    if name_of(final) in TREES:
        return columns.node(votes_of_leaves(final))
    return Inner((Winners(),), (scores(final, columns),))


def _average(nodes: Sequence[Node], weights: Any) -> Node:
    """The mean of nodes with the same columns."""
    parts_of = (
        np.full(len(nodes), 1 / len(nodes)) if weights is None else np.asarray(weights, dtype=float) / sum(weights)
    )
    return _total(nodes, parts_of)


def _total(nodes: Sequence[Node], weights: Any) -> Node:
    """The sum of nodes with the same columns, each times a number."""
    factors = np.asarray(weights, dtype=np.float64).tolist()
    parts = tuple(Inner((Weighted(factor),), (node,)) for node, factor in zip(nodes, factors, strict=True))
    return Inner((Total(len(nodes)),), parts)


def _of_chances(final: Any, columns: Columns) -> Node:
    """The class with the largest probability."""
    chances = probabilities(final, columns)
    return Inner((Affine([[1.0]], [-0.5]),), (chances,)) if len(final.classes_) == 2 else chances


def _voted(final: Any, columns: Columns) -> Node:
    if final.voting == "soft":
        return _of_chances(final, columns)
    return _counted([decided(one, columns) for one in final.estimators_], final._weights_not_none, final)


def _counted(nodes: Sequence[Node], weights: Any, final: Any) -> Node:
    """The class with most votes; among several the first."""
    n_classes = len(final.classes_)
    votes = _total(nodes, np.ones(len(nodes)) if weights is None else weights)
    whole = weights is None or all(float(weight).is_integer() for weight in weights)
    if whole:
        return Inner((Counted(n_classes),), (votes,))
    return Inner((Affine([[-1.0], [1.0]], [0.0]),), (votes,)) if n_classes == 2 else votes


def _thresholded(final: Any, columns: Columns) -> Node:
    """The one class iff its probability or score reaches a threshold."""
    found = threshold_of(final)
    inner, columns = columns.before(found.estimator)
    if found.method == "predict_proba":
        node, at = probabilities(inner, columns), found.at if found.of == 1 else 1 - found.at
    else:
        node, at = responses(inner, columns), found.at if found.of == 1 else -found.at
    return Inner((Affine([[1.0]], [-at], summed=[abs(at) + 1]),), (node,))


def _one_against_the_rest(final: Any, columns: Columns) -> Node:
    if getattr(final, "multilabel_", False):
        raise ModelError("OneVsRestClassifier has several labels here: use symcf.MultiLabel.of")
    told = [_response(one, columns) for one in final.estimators_]
    if len(told) > 1:
        return Inner((), tuple(node for node, _ in told))
    ((node, at),) = told
    return Inner((Affine([[1.0]], [-at]),), (node,))


def _in_pairs(final: Any, columns: Columns) -> Node:
    node = _duels(final, columns)
    if len(final.classes_) > 2:
        return node
    _, at = _response(final.estimators_[0], columns)
    return Inner((Choice(1), Affine([[1.0]], [-at])), (node,))


def _told_in_pairs(final: Any, columns: Columns) -> Node:
    node = _duels(final, columns)
    return node if len(final.classes_) > 2 else Inner((Choice(1),), (node,))


def _duels(final: Any, columns: Columns) -> Node:
    """OneVsOneClassifier: by class, the pairs that it wins, and what the responses of its pairs say."""
    if final.pairwise_indices_ is not None:
        raise ModelError("OneVsOneClassifier of an estimator that takes distances is not supported")
    n_classes = len(final.classes_)
    votes = Inner((), tuple(scores(*columns.before(one)) for one in final.estimators_))
    told = Inner((), tuple(_response(one, columns)[0] for one in final.estimators_))
    return _total([Inner((Pairs(n_classes),), (votes,)), Inner((PairSums(n_classes),), (told,))], [1.0, 1.0])


def _response(estimator: Any, columns: Columns) -> tuple[Node, float]:
    """What a classifier of two classes says for the second one, and the number above which it decides for that."""
    final, columns = columns.before(estimator)
    by_scores = hasattr(final, "decision_function")
    return (responses(final, columns), 0.0) if by_scores else (probabilities(final, columns), 0.5)


def _bagged(final: Any, columns: Columns) -> Node:
    if hasattr(final.estimators_[0], "predict_proba"):
        return _of_chances(final, columns)
    return _counted([decided(one, columns) for one in _members(final)], None, final)


def _told_by_bagged(final: Any, columns: Columns) -> Node:
    """The mean of what the members say, whose sign may be another than that of the mean of their probabilities."""
    return _average([responses(*columns.before(one)) for one in _members(final)], None)


def _members(final: Any) -> list[Any]:
    """The members of a BaggingClassifier, which have all columns and classes."""
    for one, chosen in zip(final.estimators_, final.estimators_features_, strict=True):
        if np.asarray(chosen).tolist() != list(range(final.n_features_in_)):
            raise ModelError("BaggingClassifier whose members have some columns only (max_features) is not supported")
        if len(one.classes_) != len(final.classes_):
            raise ModelError("BaggingClassifier has a member that lacks a class: fit it on more rows of each class")
    return list(final.estimators_)


def _boosted_votes(final: Any, columns: Columns) -> Node:
    """AdaBoostClassifier: each member gives its weight to the class that it decides for."""
    if any(len(one.classes_) != len(final.classes_) for one in final.estimators_):
        raise ModelError("AdaBoostClassifier has a member that lacks a class: fit it on more rows of each class")
    weights = np.asarray(final.estimator_weights_, dtype=np.float64)[: len(final.estimators_)]
    nodes = [decided(one, columns) for one in final.estimators_]
    return _counted(nodes, (weights / weights.sum()).tolist(), final)


def _told_by_boosted_votes(final: Any, columns: Columns) -> Node:
    """A vote for a class counts against all others, which share it."""
    n_classes = len(final.classes_)
    node = _boosted_votes(final, columns)
    if n_classes == 2:
        return Inner((Weighted(2.0),), (node,))
    rest = 1 / (n_classes - 1)
    return Inner((Affine((1 + rest) * np.eye(n_classes), np.full(n_classes, -rest)),), (node,))


# --- regressors -------------------------------------------------------------------------------------------------------


def is_of_numbers(final: Any) -> bool:
    """Is it a regressor?"""
    return name_of(final) in (*PREDICTIONS, *REGRESSORS_AROUND)


def predicted(estimator: Any, columns: Columns) -> Node:
    """What `predict` of a regressor gives."""
    node = _predicted(*columns.before(estimator))
    after = _after(estimator)
    return Inner(after, (node,)) if after else node


def _predicted(final: Any, columns: Columns) -> Node:
    name = name_of(final)
    if name == "VotingRegressor":
        return _average([predicted(one, columns) for one in final.estimators_], final._weights_not_none)
    if name == "StackingRegressor":
        nodes = [predicted(one, columns) for one in final.estimators_ if one != "drop"]
        if final.passthrough:
            nodes.append(columns.node())
        return predicted(final.final_estimator_, Made(tuple(nodes)))
    return columns.node(*predictions(final))


def _after(estimator: Any) -> tuple[Function, ...]:
    """What is done to predictions at last: a TransformedTargetRegressor transforms them back."""
    found: list[Function] = []
    for transformer in reversed(transformers_of_targets(estimator)):
        steps = steps_of_targets(transformer)
        if steps:
            found.append(Monotone(Link(steps)))
    return tuple(found)


#: Regressors around others.
REGRESSORS_AROUND = ("VotingRegressor", "StackingRegressor")


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
    response = responses(final, columns) if by_scores else probabilities(final, columns)
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


def _stacked_scores(final: Any, columns: Columns) -> Node:
    return scores(*Made(tuple(_stacked(final, columns))).before(final.final_estimator_))


def _told_by_stacked(final: Any, columns: Columns) -> Node:
    return responses(*Made(tuple(_stacked(final, columns))).before(final.final_estimator_))


def _stacked(final: Any, columns: Columns) -> Iterator[Node]:
    """What the members give to the last estimator."""
    members = [one for one in final.estimators_ if one != "drop"]
    for member, method in zip(members, [one for one in final.stack_method_ if one is not None], strict=True):
        if method == "predict_proba":
            yield probabilities(member, columns)
        elif method == "decision_function":
            yield responses(*columns.before(member))
        else:
            raise ModelError(f"StackingClassifier with stack_method={method!r} is not supported: votes are no numbers")
    if final.passthrough:
        yield columns.node()


#: Estimators around others, which are read with bounds where they cannot be read exactly.
AROUND: dict[str, Callable[[Any, Columns], Node]] = {
    "CalibratedClassifierCV": _of_chances,
    "VotingClassifier": _voted,
    "StackingClassifier": _stacked_scores,
    **dict.fromkeys(THRESHOLDS, _thresholded),
    "OneVsRestClassifier": _one_against_the_rest,
    "OneVsOneClassifier": _in_pairs,
    "BaggingClassifier": _bagged,
    "AdaBoostClassifier": _boosted_votes,
}
#: What `decision_function` of these gives.
TOLD: dict[str, Callable[[Any, Columns], Node]] = {
    "StackingClassifier": _told_by_stacked,
    **dict.fromkeys(THRESHOLDS, lambda final, columns: responses(*columns.before(threshold_of(final).estimator))),
    "OneVsRestClassifier": _one_against_the_rest,
    "OneVsOneClassifier": _told_in_pairs,
    "BaggingClassifier": _told_by_bagged,
    "AdaBoostClassifier": _told_by_boosted_votes,
}
#: Of these, those that may be read exactly as what is in them.
EXACT_OR_BOUNDED = ("CalibratedClassifierCV", "VotingClassifier", *THRESHOLDS, *ONE_PER_CLASS)
