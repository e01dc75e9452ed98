"""Estimators of XGBoost, LightGBM and CatBoost, and the files that they write.

An estimator writes its model in the form of a file, so that files and objects are read in one way.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from symcf.data.labels import checked_features, checked_names, default_names
from symcf.data.types import ColumnType
from symcf.errors import ModelError, OptionError
from symcf.models.base import Model
from symcf.models.files import catboost, lightgbm, xgboost
from symcf.models.files.files import loads
from symcf.models.files.raw import Ensemble
from symcf.models.sklearn.boosters import boosted
from symcf.models.sklearn.design import Source

__all__ = ["LIBRARIES", "bare", "convert", "ensemble", "is_of_a_library", "own_names"]


#: By what XGBoost calls the type of a column: its type. Floats of all sizes are one type to it.
XGBOOST_TYPES = {"int": "int64", "i": "bool"}


def _xgboost(estimator: Any, data: Any, iterations: int | None) -> Ensemble:
    if not hasattr(estimator, "get_booster"):
        return xgboost.read(_xgboost_content(estimator), iterations=iterations)
    if callable(estimator.objective):
        raise ModelError(
            f"{type(estimator).__name__} has an objective of the user's own: what its margin means is not known"
        )
    missing = estimator.missing
    if missing is not None and not math.isnan(missing):
        raise ModelError(
            f"{type(estimator).__name__}(missing={missing!r}) is not supported: write NaN instead and train again"
        )
    booster = estimator.get_booster()
    best = booster.attr("best_iteration")
    if iterations is None and best is not None:
        iterations = int(best) + 1
    read = xgboost.read(_xgboost_content(booster), iterations=iterations)
    types = tuple(XGBOOST_TYPES.get(kind) for kind in booster.feature_types or ())
    read = replace(read, types=types if len(types) == read.n_columns else ())
    return _with_monotone(read, estimator.get_params().get("monotone_constraints"))


def _xgboost_content(booster: Any) -> Mapping[str, Any]:
    content: Mapping[str, Any] = loads(bytes(booster.save_raw("ubj")))
    return content


def _with_monotone(read: Ensemble, given: Any) -> Ensemble:
    """XGBoost's files do not say whether it was trained to be monotone."""
    if isinstance(given, str):
        given = json.loads(given.replace("(", "[").replace(")", "]") or "null")
    if isinstance(given, Mapping):
        given = [int(given.get(name, 0)) for name in read.names or ()]
    if given is None or len(given) != read.n_columns or not any(given):
        return read
    return Ensemble(**{**read.__dict__, "monotone": tuple(int(sign) for sign in given)})


def _lightgbm(estimator: Any, data: Any, iterations: int | None) -> Ensemble:
    booster = getattr(estimator, "booster_", estimator)
    kinds = list(data.dtypes) if hasattr(data, "iloc") and len(data.columns) == booster.num_feature() else []
    typed = [j for j, kind in enumerate(kinds) if hasattr(kind, "categories")]
    return lightgbm.read(booster.model_to_string(num_iteration=iterations), typed=typed)


def _catboost(estimator: Any, data: Any, iterations: int | None) -> Ensemble:
    return catboost.read(catboost.exported(estimator, data), iterations=iterations, data=data)


#: By library, its estimators and how they are read.
LIBRARIES: dict[str, tuple[tuple[str, ...], Callable[[Any, Any, int | None], Ensemble]]] = {
    "xgboost": (("XGBClassifier", "XGBRFClassifier", "XGBRegressor", "XGBRFRegressor", "Booster"), _xgboost),
    "lightgbm": (("LGBMClassifier", "LGBMRegressor", "Booster"), _lightgbm),
    "catboost": (("CatBoostClassifier", "CatBoostRegressor", "CatBoost"), _catboost),
}


def is_of_a_library(estimator: Any) -> bool:
    """Is it an object of one of these libraries?"""
    return type(estimator).__module__.partition(".")[0] in LIBRARIES


def ensemble(estimator: Any, data: Any = None, iterations: int | None = None) -> Ensemble:
    """The ensemble of a fitted estimator."""
    name = type(estimator).__name__
    supported, read = LIBRARIES[type(estimator).__module__.partition(".")[0]]
    if name not in supported:
        raise ModelError(f"{name} is not supported: supported are {', '.join(supported)}")
    try:
        return read(estimator, data, iterations)
    except ModelError:
        raise
    except Exception as error:  # libraries have errors of their own for estimators that are not fitted
        raise ModelError(f"{name} gave no model: {error}") from None


def convert(estimator: Any, source: Source, classes: tuple[Any, ...], other: bool) -> Model:
    """An estimator at the end of a pipeline."""
    return boosted(ensemble(estimator, source.data if source.transformer is None else None), source, classes, other)


def bare(
    read: Ensemble,
    data: Any = None,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    groups: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]] | str | None = "auto",
    other: bool = True,
) -> Model:
    """The model of an ensemble that reads raw columns."""
    names, named = _names(read, data, feature_names)
    labels = read.classes if read.classes is not None else tuple(range(read.n_classes))
    source = Source(None, names, named=named, data=data)
    source.fitted_types = _fitted_types(read)
    source.set_groups(groups, encoded=read.categories)
    return boosted(read, source, checked_names(classes, read.n_classes, "classes", list(labels)), other)


def _fitted_types(read: Ensemble) -> tuple[ColumnType | None, ...]:
    """By column, its type in the table that the ensemble was trained on, as far as the library remembers it."""
    found = [None if name is None else ColumnType.of(np.dtype(name)) for name in read.types] or [None] * read.n_columns
    for j, known in read.categories.items():
        if known.names is not None and not known.as_text:
            with contextlib.suppress(ImportError):
                import pandas

                found[j] = ColumnType.of(pandas.CategoricalDtype(known.names))
    return tuple(found)


def _names(read: Ensemble, data: Any, given: Sequence[str] | None) -> tuple[tuple[str, ...], bool]:
    if given is not None:
        return checked_features(given, read.n_columns), True
    columns = [str(name) for name in getattr(data, "columns", ())]
    if read.names is None:
        known = len(columns) == read.n_columns
        return (tuple(columns), True) if known else (tuple(default_names(read.n_columns)), False)
    return checked_features(own_names(read.names, data), read.n_columns), True


def own_names(names: Sequence[str], data: Any) -> tuple[str, ...]:
    """The names of columns as the user's data has them: LightGBM writes "mean_radius" for "mean radius"."""
    columns = [str(name) for name in getattr(data, "columns", ())]
    same = [re.sub(r"\s", "_", name) for name in columns] == [re.sub(r"\s", "_", name) for name in names]
    return tuple(columns if same else names)


def classes_of(estimator: Any) -> tuple[Any, ...] | None:
    """The labels of an estimator's classes; None if it has none."""
    known = getattr(estimator, "classes_", None)
    if known is None or len(known) == 0:
        return None
    return tuple(np.asarray(known).tolist())


def checked_iterations(iterations: Any) -> int | None:
    """How many rounds count."""
    if iterations is None:
        return None
    if isinstance(iterations, bool) or not isinstance(iterations, (int, np.integer)) or iterations < 1:
        raise OptionError(f"iterations must be a positive number of rounds, not {iterations!r}")
    return int(iterations)
