"""scikit-learn's classifiers of several labels -> one model per label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symcf.data.labels import default_names
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.sklearn.any_library import from_model
from symcf.models.sklearn.thresholds import above
from symcf.models.sklearn.wrappers import THRESHOLDS, peeled

__all__ = ["models_of"]


def models_of(
    estimator: Any, names: Sequence[str] | None, data: Any, options: dict[str, Any]
) -> tuple[dict[str, Model | tuple[Any, ...]], bool, list[str]]:
    """By label its model, or its only class where it has no other; whether models read the labels before them; and the
    labels in the order of the estimator's answers.
    """
    kind = type(estimator).__name__
    read = {
        "MultiOutputClassifier": _independent,
        "OneVsRestClassifier": _one_vs_rest,
        "ClassifierChain": _chain,
    }.get(kind)
    if read is None:
        raise ModelError(
            f"{kind} is not a classifier of several labels that symcf reads: MultiOutputClassifier, "
            "OneVsRestClassifier (multi-label) and ClassifierChain are; or give a model for each label"
        )
    members = getattr(estimator, "estimators_", None)
    if members is None:
        raise ModelError(f"{kind} is not fitted")
    chosen = _label_names(names, len(members))
    return read(estimator, chosen, data, options), kind == "ClassifierChain", chosen


def _label_names(names: Sequence[str] | None, count: int) -> list[str]:
    chosen = [f"y{i}" for i in range(count)] if names is None else [names] if isinstance(names, str) else list(names)
    if len(chosen) != count or len(set(chosen)) != count or not all(isinstance(name, str) for name in chosen):
        raise OptionError(f"names must be {count} different names of labels, not {names!r}")
    return chosen


def _columns(estimator: Any) -> list[str] | None:
    """The names of the columns that it was fitted on, if it knows them."""
    named = getattr(estimator, "feature_names_in_", None)
    return None if named is None else [str(name) for name in named]


def _member(member: Any, columns: list[str] | None, data: Any, options: dict[str, Any]) -> Model:
    own = _columns(member)
    if own is None and columns is not None and "feature_names" not in options:
        options = {**options, "feature_names": columns}
    return from_model(member, data, **options)


def _independent(estimator: Any, names: list[str], data: Any, options: dict[str, Any]) -> Any:
    columns = _columns(estimator)
    return {
        name: _member(member, columns, data, options) for name, member in zip(names, estimator.estimators_, strict=True)
    }


def _one_vs_rest(estimator: Any, names: list[str], data: Any, options: dict[str, Any]) -> Any:
    if not estimator.multilabel_:
        raise ModelError("OneVsRestClassifier was fitted on one label of several classes, not on several labels")
    columns = _columns(estimator)
    found: dict[str, Any] = {}
    scored = [_decides_by_score(member) for member in estimator.estimators_]
    for name, member, by_score in zip(names, estimator.estimators_, scored, strict=True):
        if type(member).__name__ == "_ConstantPredictor":  # the label was the same in all rows
            found[name] = (int(np.ravel(member.y_)[0]),)
            continue
        found[name] = _member(_without_threshold(member), columns, data, options)
        if by_score:
            # one threshold for all labels: scikit-learn takes it from the first, and a constant one has none
            found[name] = above(found[name], 0.0 if scored[0] else 0.5, member)
    return found


def _decides_by_score(member: Any) -> bool:
    """Does OneVsRestClassifier compare the decision function of this member, rather than its probability?"""
    from sklearn.base import is_classifier

    return hasattr(member, "decision_function") and is_classifier(member)


def _without_threshold(member: Any) -> Any:
    """The estimator below thresholds such as FixedThresholdClassifier, which OneVsRestClassifier does not apply."""
    from sklearn.pipeline import Pipeline

    steps, final = peeled(member)
    if type(final).__name__ not in THRESHOLDS:
        return member
    while type(final).__name__ in THRESHOLDS:
        steps, final = peeled(final.estimator_, steps)
    return Pipeline([*steps, ("final", final)]) if steps else final


def _chain(estimator: Any, names: list[str], data: Any, options: dict[str, Any]) -> Any:
    method = getattr(estimator, "chain_method_", "predict")
    if method != "predict":
        raise ModelError(
            f"ClassifierChain(chain_method={method!r}) feeds numbers, not classes, into the next classifier: use "
            "chain_method='predict'"
        )
    if data is not None:
        raise OptionError("data: the classifiers of a chain read more columns than the rows have; leave it out")
    order = [int(i) for i in estimator.order_]
    columns = options.pop("feature_names", None) or _columns(estimator)
    found: dict[str, Any] = {}
    for place, (i, member) in enumerate(zip(order, estimator.estimators_, strict=True)):
        own = columns or default_names(int(member.n_features_in_) - place)
        read = [*own, *(names[earlier] for earlier in order[:place])]
        if len(set(read)) != len(read):
            raise OptionError(f"names: a label has the name of a column, {names[i]!r}")
        found[names[i]] = from_model(member, **{**options, "feature_names": read})
    return found
