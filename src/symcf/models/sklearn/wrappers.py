"""Estimators around estimators: searches, frozen ones, thresholds, calibration, votes.

`read` follows them to what adds up numbers (`Core`): one estimator, or trees of several. Around it there is at most one
comparison (`Cut`): a threshold on a probability, or a calibrated one, is a threshold on the sum below it, because all
that lies between rises. Where it starts is found by bisection through scikit-learn's own code.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.sklearn.cut_points import Chain, Floats, Function, starts, through
from symcf.models.sklearn.linear_maps import Alone, Step, one_per_class
from symcf.models.sklearn.trees import FORESTS, TREES, Part, bagged_shares, shares

__all__ = [
    "ONE_PER_CLASS",
    "THRESHOLDS",
    "Core",
    "Cut",
    "TreeSum",
    "is_tempered",
    "peeled",
    "read",
    "threshold_of",
    "transformers_of_targets",
]

SEARCHES = ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV")
ONE_PER_CLASS = ("OneVsRestClassifier", "OneVsOneClassifier")
THRESHOLDS = ("FixedThresholdClassifier", "TunedThresholdClassifierCV")


@dataclass(frozen=True)
class TreeSum:
    """Trees, each with the steps before it; a class has the probability (sum of the scores at the leaves) / total."""

    steps: tuple[tuple[Step, ...], ...]
    parts: tuple[Part, ...]
    total: float


Core = Alone | TreeSum


@dataclass(frozen=True)
class Cut:
    """Two classes: class ``of`` iff its score is at least ``at``."""

    core: Core
    #: What is compared: "decision_function" or "predict_proba"; of trees, the sum before it is divided by the total.
    method: str
    of: int
    at: float
    #: Where calibrated probabilities are compared with a half: the function that makes them, see `Link`, and of what.
    calibration: tuple[str, tuple[tuple[Any, ...], ...]] | None = None


def read(estimator: Any, before: tuple[Step, ...] = ()) -> Core | Cut:
    """What a fitted estimator computes."""
    steps, final = peeled(estimator, before)
    name = _name(final)
    if name in THRESHOLDS:
        return _thresholded(final, steps)
    if name == "VotingClassifier":
        return _voted(final, steps)
    if name in ONE_PER_CLASS:
        return _one_per_class(final, steps)
    if name == "CalibratedClassifierCV":
        trees = _calibrated_trees(final, steps)
        return _calibrated(final, steps) if trees is None else trees
    after = transformers_of_targets(estimator)
    return Alone(steps, final, tuple(reversed(after)), is_tempered(estimator))


def transformers_of_targets(estimator: Any) -> list[Any]:
    """What each TransformedTargetRegressor around the estimator at the end transforms targets with, the inmost last."""
    return [one.transformer_ for one in _layers(estimator) if _name(one) == "TransformedTargetRegressor"]


def peeled(estimator: Any, before: tuple[Step, ...] = ()) -> tuple[tuple[Step, ...], Any]:
    """The steps, and the estimator at their end that is no pipeline, search or frozen one."""
    *around, final = _layers(estimator)
    # samplers of imbalanced-learn do nothing at prediction
    steps = [step for one in around if _is_pipeline(one) for step in one.steps[:-1] if not _is_sampler(step[1])]
    return (*before, *steps), final


def is_tempered(estimator: Any) -> bool:
    """Is what `peeled` gives calibrated by a temperature? Then it has other probabilities, in the same order."""
    return any(map(_is_temperature, _layers(estimator)))


def _layers(estimator: Any) -> Iterator[Any]:
    """The estimator, and one within the other what it only wraps: the last one is no wrapper."""
    yield estimator
    inner = _wrapped(estimator)
    if inner is not None:
        yield from _layers(inner)


def _wrapped(estimator: Any) -> Any:
    """The estimator within a pipeline, search or frozen one; None if it is another one."""
    name = _name(estimator)
    if _is_pipeline(estimator):
        return estimator.steps[-1][1]
    if name in SEARCHES and hasattr(estimator, "cv_results_"):
        if not hasattr(estimator, "best_estimator_"):
            raise ModelError(f"{name} with refit=False keeps no fitted estimator: fit it with refit=True")
        return estimator.best_estimator_
    if name == "FrozenEstimator":
        return estimator.estimator
    if name == "TransformedTargetRegressor":
        return getattr(estimator, "regressor_", None)
    return _folds(estimator)[0].estimator if _is_temperature(estimator) else None


def _is_pipeline(estimator: Any) -> bool:
    from sklearn.pipeline import Pipeline

    return isinstance(estimator, Pipeline)


def _is_temperature(estimator: Any) -> bool:
    """Is it calibrated by one temperature for all classes, which keeps their order?"""
    calibrated = _name(estimator) == "CalibratedClassifierCV" and estimator.method == "temperature"
    return calibrated and len(_folds(estimator)) == 1


def _is_sampler(step: Any) -> bool:
    return hasattr(step, "fit_resample") and not hasattr(step, "transform")


def _name(estimator: Any) -> str:
    """The name of a class of scikit-learn itself."""
    return type(estimator).__name__ if type(estimator).__module__.startswith("sklearn.") else ""


def _folds(calibrated: Any) -> list[Any]:
    return getattr(calibrated, "calibrated_classifiers_", [])


def _one_per_class(final: Any, steps: tuple[Step, ...]) -> Core:
    name, two = type(final).__name__, len(final.classes_) == 2
    if getattr(final, "multilabel_", False):
        raise ModelError(f"{name} has several labels here: use symcf.MultiLabel.of")
    members = [read(one, steps) for one in final.estimators_]
    alone = [member for member in members if isinstance(member, Alone)]
    if len(alone) == len(members) and (two or name == "OneVsRestClassifier"):
        combined = one_per_class(final, alone)
        if combined is not None:
            return combined
    raise ModelError(
        f"{name} of {type(final.estimator).__name__} with {len(final.classes_)} classes is not supported: of linear "
        f"models OneVsRestClassifier is, and LogisticRegression, trees and forests take several classes by themselves"
    )


# --- trees ------------------------------------------------------------------------------------------------------------


def _tree_sum(core: Core | Cut) -> TreeSum | None:
    """The trees of a core; None if it has others."""
    if isinstance(core, TreeSum):
        return core
    if not isinstance(core, Alone):
        return None
    name = _name(core.final)
    if name == "BaggingClassifier":
        parts = bagged_shares(core.final)
    else:
        trees = [core.final] if name in TREES else core.final.estimators_ if name in FORESTS else []
        parts = [Part(tree, shares(tree.tree_.value)) for tree in trees]
    return TreeSum((core.steps,) * len(parts), tuple(parts), len(parts)) if parts else None


def _calibrated_trees(calibrated: Any, steps: tuple[Step, ...]) -> TreeSum | None:
    """Calibrated single trees: what a leaf gives is calibrated. None if there are others among them."""
    found_steps: list[tuple[Step, ...]] = []
    parts: list[Part] = []
    for fold in _folds(calibrated):
        inner = _tree_sum(read(fold.estimator, steps))
        if inner is None or len(inner.parts) != 1:
            return None
        (part,) = inner.parts
        scores = _on_numbers(fold, "predict_proba").predict_proba(part.scores / inner.total)
        parts.append(replace(part, scores=scores))
        found_steps += inner.steps
    return TreeSum(tuple(found_steps), tuple(parts), len(parts))


def _voted(voting: Any, steps: tuple[Step, ...]) -> TreeSum:
    members = [(type(member).__name__, _tree_sum(read(member, steps))) for member in voting.estimators_]
    soft = voting.voting == "soft"
    weights = voting._weights_not_none or [1] * len(members)
    scaled: list[tuple[TreeSum, Fraction]] = []
    for (name, member), weight in zip(members, weights, strict=True):
        if member is None:
            raise ModelError(
                f"VotingClassifier with voting={voting.voting!r} and {name} is not supported: only the votes of trees "
                f"and forests add up exactly. Vote with trees and forests, or explain its members one by one "
                f"(estimators_)"
            )
        if not soft and len(member.parts) > 1:
            raise ModelError(
                f"VotingClassifier with voting='hard' and {name} is not supported: a forest's own vote is no sum. Use "
                f"voting='soft', or explain its members one by one (estimators_)"
            )
        scaled.append((member, Fraction(float(weight)) / (Fraction(member.total) if soft else 1)))
    # whole factors, so that ties of whole leaves stay ties
    common = math.lcm(*(factor.denominator for _, factor in scaled))
    common = common if max(factor for _, factor in scaled) * common < 2**53 else 1
    parts = tuple(
        replace(part, scores=(part.scores if soft else _winners(part.scores)) * float(factor * common))
        for member, factor in scaled
        for part in member.parts
    )
    total = float(sum(Fraction(float(weight)) for weight in weights) * common)
    return TreeSum(tuple(one for member, _ in scaled for one in member.steps), parts, total)


def _winners(scores: Floats) -> Floats:
    """1 for the class with the largest score, the first one in a tie."""
    return np.asarray(np.eye(scores.shape[1])[scores.argmax(axis=1)])


# --- thresholds -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Response:
    """What `decision_function` or `predict_proba` gives for a class: what the core adds up, through a chain."""

    core: Core
    #: As in `Cut`.
    method: str
    of: int
    chain: Chain
    #: The method that was asked.
    asked: str

    def cut(self, threshold: float, classes: Sequence[Any], what: str, *, strict: bool) -> Cut:
        """The class ``of`` that was asked for iff the response reaches the threshold, as a cut of what is added up."""
        at = float(starts(self.chain, np.array([threshold]), strict=strict)[0])
        if math.isnan(at):
            always = through(self.chain, np.zeros(1))[0] >= threshold
            raise ModelError(f"{what} always decides {classes[1 if always else 0]!r}: there is nothing to explain")
        return Cut(self.core, self.method, self.of, at)


def _response(estimator: Any, methods: Sequence[str], of: int, before: tuple[Step, ...]) -> _Response:
    """The first of these methods that the estimator has, for a class.

    A chain that falls belongs to the other class: P(class 0) falls as the score of class 1 rises.
    """
    steps, final = peeled(estimator, before)
    name = _name(final)
    if name in THRESHOLDS:
        return _response(_inner(final), methods, of, steps)
    method = next((one for one in methods if hasattr(final, one)), "")
    core: Core | Cut = Alone(steps, final)
    if name in ("CalibratedClassifierCV", "VotingClassifier"):
        if name == "CalibratedClassifierCV" and _calibrated_trees(final, steps) is None:
            return _calibrated_response(final, of, steps)
        core = read(final, steps)
    trees = _tree_sum(core)
    if trees is not None and method == "predict_proba":
        return _Response(trees, method, of, (Function(lambda x: x / trees.total, exact=True),), method)
    if not isinstance(core, Alone) or not method:
        raise ModelError(f"{type(final).__name__} has no {' or '.join(methods)}, which a threshold is asked for")
    chain: Chain = ()
    asked = method
    if method == "predict_proba" and hasattr(final, "coef_"):
        link = _on_sums(final)
        chain = (Function(lambda x: link.predict_proba(x[:, np.newaxis])[:, of], falls=of == 0),)
        method = "decision_function"
    elif of == 0:
        chain = (_OTHER if method == "predict_proba" else _MINUS,)
    return _Response(core, method, 1, chain, asked)


#: From class 1 to class 0.
_OTHER = Function(lambda x: 1 - x, falls=True, exact=True)
_MINUS = Function(np.negative, falls=True, exact=True)


@dataclass(frozen=True)
class Threshold:
    """The class ``of`` iff what ``method`` of an estimator says for it is at least ``at``."""

    estimator: Any
    method: str
    of: int
    at: float


def threshold_of(final: Any) -> Threshold:
    """What FixedThresholdClassifier and TunedThresholdClassifierCV compare."""
    classes = np.asarray(final.classes_).tolist()
    tuned = type(final).__name__ == "TunedThresholdClassifierCV"
    positive = final._curve_scorer._get_pos_label() if tuned else final.pos_label
    of = 1 if positive is None else classes.index(positive)
    auto = final.response_method == "auto"
    methods = ["predict_proba", "decision_function"] if auto else [final.response_method]
    inner = _inner(final)
    method = next((one for one in methods if hasattr(inner, one)), methods[0])
    at = final.best_threshold_ if tuned else final.threshold
    if isinstance(at, str):
        at = 0.5 if method == "predict_proba" else 0.0
    return Threshold(inner, method, of, float(at))


def _thresholded(final: Any, steps: tuple[Step, ...]) -> Cut:
    """FixedThresholdClassifier, TunedThresholdClassifierCV: the positive class iff the response reaches a threshold."""
    found = threshold_of(final)
    response = _response(found.estimator, [found.method], found.of, steps)
    classes = np.asarray(final.classes_).tolist()[:: 1 if found.of else -1]
    return response.cut(found.at, classes, type(final).__name__, strict=False)


def _inner(final: Any) -> Any:
    return getattr(final, "estimator_", final.estimator)


# --- calibration ------------------------------------------------------------------------------------------------------


def _calibrated(final: Any, steps: tuple[Step, ...]) -> Cut:
    """Class 1 iff its calibrated probability is above a half."""
    classes = np.asarray(final.classes_).tolist()
    response = _calibrated_response(final, 1, steps)
    (fold,) = _folds(final)
    inner = _response(fold.estimator, ["decision_function", "predict_proba"], 1, steps)
    of = "score" if inner.asked == "decision_function" else "probability"
    cut = response.cut(0.5, classes, type(final).__name__, strict=True)
    return replace(cut, calibration=(of, _calibrator_steps(fold)))


def _calibrator_steps(fold: Any) -> tuple[tuple[Any, ...], ...]:
    """The calibrator of two classes, as the steps of a `Link`."""
    (calibrator,) = fold.calibrators
    if _name(calibrator) == "IsotonicRegression":
        points = (*calibrator.X_thresholds_.tolist(), *calibrator.y_thresholds_.tolist())
        return (("interpolated", *map(float, points)),)
    # Platt's sigmoid: 1 / (1 + exp(a * x + b))
    return (("times", -float(calibrator.a_)), ("plus", -float(calibrator.b_)), ("logistic",))


def _calibrated_response(final: Any, of: int, steps: tuple[Step, ...]) -> _Response:
    folds = _folds(final)
    instead = "fit it with ensemble=False, or calibrate a DecisionTreeClassifier"
    if len(folds) != 1:
        raise ModelError(
            f"CalibratedClassifierCV averages {len(folds)} calibrated estimators, and only those of single trees add "
            f"up exactly: {instead}"
        )
    if len(final.classes_) != 2:
        raise ModelError(
            f"CalibratedClassifierCV with method={final.method!r} calibrates each of {len(final.classes_)} classes by "
            f"itself, which changes their order: use method='temperature' with ensemble=False, which keeps it"
        )
    (fold,) = folds
    inner = _response(fold.estimator, ["decision_function", "predict_proba"], 1, steps)
    calibrator = _on_numbers(fold, inner.asked)

    def probability(numbers: Floats) -> Floats:
        if inner.asked == "predict_proba":
            inside = np.clip(numbers, 0, 1)
            table = np.stack([1 - inside, inside], axis=1)
        else:
            table = numbers[:, np.newaxis]
        return np.asarray(calibrator.predict_proba(table)[:, of])

    ends = np.array([0.0, 1.0]) if inner.asked == "predict_proba" else np.array([-1e300, 1e300])
    low, high = probability(ends)[:: 1 if of else -1]
    if low > high:
        raise ModelError(
            "CalibratedClassifierCV has a calibrator that falls as the score rises, so that it turns the estimator's "
            "decisions around: calibrate it on more rows"
        )
    return replace(inner, chain=(*inner.chain, Function(probability, falls=of == 0)), asked="predict_proba")


# --- asking scikit-learn ----------------------------------------------------------------------------------------------


def _on_numbers(fold: Any, method: str) -> Any:
    """A calibrated classifier that takes what its estimator would answer."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Answers(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        """The answers are the rows."""

        classes_ = fold.estimator.classes_

        def __sklearn_is_fitted__(self) -> bool:
            return True

    def answer(_: Any, rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return rows[:, 0] if method == "decision_function" and rows.shape[1] == 1 else rows

    answer.__name__ = method
    setattr(Answers, method, answer)
    result = copy.copy(fold)
    result.estimator = Answers()
    return result


def _on_sums(final: Any) -> Any:
    """A linear classifier that takes its own sums."""
    result = copy.copy(final)
    result.coef_, result.intercept_, result.n_features_in_ = np.ones((1, 1)), np.zeros(1), 1
    vars(result).pop("feature_names_in_", None)
    return result
