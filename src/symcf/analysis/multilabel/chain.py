"""Classifiers that read the labels before them: what they decide, as functions of the row alone.

A label that is read is a column with a value for each class of that label. Where the label is decided by functions of
the row, the column goes: f becomes "class 0, and f with the value of class 0; or class 1, and f with its value; ...".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from symcf import _core
from symcf.data.columns import RawColumns
from symcf.data.labels import default_names
from symcf.data.shared import Columns
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.sklearn.any_library import from_model
from symcf.models.sklearn.thresholds import above
from symcf.models.sklearn.wrappers import THRESHOLDS, peeled
from symcf.system.combine import Part, combine, how, same_class, translated
from symcf.system.decision import Budget

__all__ = ["models_of", "without_labels"]

T = TypeVar("T")


def without_labels(part: Part, labels: Mapping[str, Mapping[Any, Part]], budget: Budget) -> Part:
    """A function that may read labels, given by the functions of their classes, as one that does not."""
    for name, classes in labels.items():
        if name in part.columns.features:
            part = _without(part, name, classes, budget)
    return part


def _without(part: Part, name: str, classes: Mapping[Any, Part], budget: Budget) -> Part:
    j = part.columns.features.index(name)
    columns = _fewer(part.columns, j)
    parts: list[Part] = []
    for label, decided in classes.items():
        parts += [decided, Part(_restricted(part, j, _code(part.columns, j, label), columns, budget), None, columns)]
    core, columns = combine(parts, how(len(parts), same_class), budget)
    return Part(core, None, columns)


def _fewer(columns: Columns, j: int) -> Columns:
    """Without a feature."""
    if len(columns.features) < 2:
        raise ModelError(f"a classifier reads nothing but the label {columns.features[j]!r}: use that label instead")

    def rest(items: Sequence[Any]) -> tuple[Any, ...]:
        return (*items[:j], *items[j + 1 :])

    encoder = columns.encoder
    if encoder is not None:
        if not isinstance(encoder, RawColumns):
            raise ModelError(f"a chain of classifiers must read raw columns or codes, not {type(encoder).__name__}")
        gone = encoder.readers[j].sources
        if len(gone) != 1:
            raise ModelError(f"the label {columns.features[j]!r} is read from several columns")
        names = rest_of(encoder.columns, gone[0])
        doubles = [place - (place > gone[0]) for place in encoder.doubles if place != gone[0]]
        readers = [_moved(r, gone[0]) for r in rest(encoder.readers)]
        types = rest_of(encoder.layout.types, gone[0]) if encoder.layout.types else ()
        encoder = RawColumns(names, readers, named=encoder.named, doubles=doubles, types=types)
    return Columns(rest(columns.features), rest(columns.values), rest(columns.ordered), encoder)


def rest_of(columns: Sequence[T], place: int) -> list[T]:
    """Without the column at a place."""
    return [column for i, column in enumerate(columns) if i != place]


def _moved(reader: Any, gone: int) -> Any:
    """A reader of the same columns after one of them went."""
    data = reader.to_dict()
    if any(source == gone for source in reader.sources):
        raise ModelError("a column of the row and a label before it are one feature of a classifier")

    def place(source: int) -> int:
        return source - (source > gone)

    moved = {"column": place(data["column"])} if "column" in data else {"columns": [place(s) for s in data["columns"]]}
    return type(reader).from_dict({**data, **moved})


def _code(columns: Columns, j: int, label: Any) -> int:
    """What the classifier reads where the label has this class; where rows are codes, the value of the same name."""
    if columns.encoder is None:
        code = columns.values[j].index(label) if label in columns.values[j] else -1
    else:
        cell = np.empty(1, dtype=object)
        cell[0] = label.item() if isinstance(label, np.generic) else label
        code = int(columns.encoder.readers[j].read([cell])[0])
    if not 0 <= code < len(columns.values[j]):
        raise ModelError(f"a classifier cannot read the class {label!r} of the label {columns.features[j]!r} before it")
    return code


def _restricted(part: Part, j: int, code: int, columns: Columns, budget: Budget) -> _core.Diagram:
    """The function where feature j has this value, over the other features: j is read from any of them."""
    old = part.columns.n_values
    places = [i - (i > j) if i != j else 0 for i in range(len(old))]
    codes = [[code] * columns.n_values[0] if i == j else list(range(d)) for i, d in enumerate(old)]
    if part.groups is not None:
        codes = [[groups[v] for v in column] for groups, column in zip(part.groups.group_of, codes, strict=True)]
    order = [i - (i > j) for i in part.core.order.tolist() if i != j]
    return translated(part.core, places, codes, columns.n_values, order, budget)


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
