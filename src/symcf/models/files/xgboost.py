"""XGBoost's models, as JSON or UBJ (its documentation: "Introduction to Model IO", versions 1.0 to 3.x).

A row goes left if its number, rounded to 32 bits, is less than the threshold; NaN goes where the node says. A
categorical node lists the categories that go right; all others go left. Leaves and thresholds are 32-bit floats.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.files import raw
from symcf.models.files.raw import Categories, Ensemble, RawTree
from symcf.models.quantities import SINGLE

__all__ = ["read"]

#: By objective: how probabilities are made of the margin; with them, base_score is a probability, too.
BINARY = {"binary:logistic": "logistic", "binary:hinge": None}
MULTICLASS = ("multi:softmax", "multi:softprob")

#: By objective of a regressor: what it makes of the margin.
IDENTITY: tuple[tuple[Any, ...], ...] = ()
REGRESSION = {
    **dict.fromkeys(
        ("reg:squarederror", "reg:linear", "reg:pseudohubererror", "reg:absoluteerror", "reg:quantileerror"), IDENTITY
    ),
    "reg:squaredlogerror": IDENTITY,
    **dict.fromkeys(("count:poisson", "reg:gamma", "reg:tweedie"), (("exp",),)),
    "reg:logistic": (("logistic",),),
}


def read(data: Mapping[str, Any], *, iterations: int | None = None) -> Ensemble:
    """The ensemble in what a file holds. ``iterations``: how many rounds count; by default those that
    XGBClassifier would use if it wrote the file, else all.
    """
    with raw.in_a_file("XGBoost"):
        return _read(data["learner"], iterations)


def _read(learner: Mapping[str, Any], iterations: int | None) -> Ensemble:
    objective = str(learner["objective"]["name"])
    supported = [*BINARY, *MULTICLASS, *REGRESSION]
    if objective not in supported:
        raise ModelError(f"XGBoost's objective {objective!r} is not supported: supported are {', '.join(supported)}")
    link = REGRESSION.get(objective)
    booster, weights = _booster(learner["gradient_booster"])
    param = learner["learner_model_param"]
    if int(param.get("num_target", 1)) > 1:
        raise ModelError(f"this XGBoost model has {param['num_target']} targets: train one model per target")
    n_classes = max(raw.counted(param["num_class"], "classes", raw.MOST_CLASSES), 2)
    n_columns = raw.counted(param["num_feature"], "columns", raw.MOST_COLUMNS)
    names = tuple(map(str, learner.get("feature_names") or ())) or None
    used = _used(booster, learner.get("attributes") or {}, iterations)
    many = objective in MULTICLASS
    trees = [
        _tree(booster["trees"][t], int(booster["tree_info"][t]) if many else 1, n_classes, weights[t])
        for t in range(used)
    ]
    probability = "logistic" if many else BINARY.get(objective)
    return Ensemble(
        library="XGBoost",
        trees=trees or [RawTree.leaf(np.zeros((1, n_classes)))],
        n_columns=n_columns,
        names=names,
        n_classes=n_classes,
        bias=_bias(param["base_score"], n_classes, many, _MARGINS[link] if link is not None else probability),
        strict=True,
        float32=True,
        probability=probability,
        categories=_categories(learner, booster, trees, n_columns),
        link=link,
        bits=SINGLE,
    )


#: By link of a regressor, what base_score is.
_MARGINS = {IDENTITY: None, (("exp",),): "exp", (("logistic",),): "logistic"}


def _booster(booster: Mapping[str, Any]) -> tuple[Mapping[str, Any], npt.NDArray[np.float64]]:
    """The trees, and what each is multiplied by."""
    name = booster["name"]
    if name == "gbtree":
        model: Mapping[str, Any] = booster["model"]
        dropped = _floats(model.get("weight_drop", ()))  # since 3.4, where dart is an option of gbtree
        return model, dropped if len(dropped) else np.ones(len(model["trees"]))
    if name == "dart":
        model = booster["gbtree"]["model"]
        return model, _floats(booster["weight_drop"])
    raise ModelError(f"XGBoost's booster {name!r} has no trees: supported are 'gbtree' and 'dart'")


def _used(booster: Mapping[str, Any], attributes: Mapping[str, Any], iterations: int | None) -> int:
    """How many trees count."""
    n_trees = len(booster["trees"])
    if iterations is None and "scikit_learn" in attributes and "best_iteration" in attributes:
        iterations = int(attributes["best_iteration"]) + 1
    if iterations is None:
        return n_trees
    starts = booster.get("iteration_indptr")
    if starts is None:  # versions before 1.7: rounds are equally long
        groups = len(set(np.asarray(booster["tree_info"]).tolist())) or 1
        size = groups * max(int(booster["gbtree_model_param"].get("num_parallel_tree", 1)), 1)
        starts = range(0, n_trees + 1, size)
    return int(starts[raw.checked_rounds("XGBoost", iterations, len(starts) - 1)])


def _tree(data: Mapping[str, Any], k: int, n_classes: int, weight: float) -> RawTree:
    tick()
    width = int(data["tree_param"].get("size_leaf_vector", 0) or 0)
    if width > 1:
        raise ModelError(
            "XGBoost's multi_strategy='multi_output_tree' is not supported: train with 'one_output_per_tree'"
        )
    left, right = _integers(data["left_children"]), _integers(data["right_children"])
    column, condition = _integers(data["split_indices"]), _floats(data["split_conditions"])
    leaf = left < 0
    nan_left = np.asarray(data["default_left"]).astype(np.bool_)
    threshold = np.where(leaf, np.nan, condition)
    score = raw.scores_of(np.where(leaf, condition * weight, 0.0), k, n_classes)
    sets: dict[int, frozenset[int]] = {}
    kinds = _integers(data.get("split_type") if data.get("split_type") is not None else [0] * len(left))
    categories, sizes = _integers(data.get("categories", ())), _integers(data.get("categories_sizes", ()))
    starts, nodes = _integers(data.get("categories_segments", ())), _integers(data.get("categories_nodes", ()))
    for u, start, size in zip(nodes.tolist(), starts.tolist(), sizes.tolist(), strict=True):
        sets[u] = frozenset(categories[start : start + size].tolist())
    at = np.flatnonzero(~leaf & (kinds == 1))
    if set(at.tolist()) != set(sets):
        raise ValueError("categories_nodes are not the categorical nodes")
    # what is listed goes right: here it goes left, so the children change places
    left[at], right[at] = right[at].copy(), left[at].copy()
    nan_left[at] = ~nan_left[at]
    threshold[at] = np.nan
    return RawTree(np.where(leaf, -1, column), left, right, threshold, nan_left, score, sets)


def _bias(text: Any, n_classes: int, many: bool, of: str | None) -> npt.NDArray[np.float64]:
    """base_score, as a margin. One number before version 3.1, a list since then. ``of``: what it is a number of."""
    given = json.loads(str(text).strip()) if str(text).strip().startswith("[") else [float(text)]
    with np.errstate(over="ignore"):  # what is too large is refused below
        base = np.asarray(given, dtype=np.float32)
    if not np.isfinite(base).all():
        raise ModelError(f"XGBoost's base_score {text} is not a number of 32 bits, as XGBoost has them")
    if many:
        return np.broadcast_to(base, (n_classes,)).astype(np.float64)
    if base.shape != (1,):
        raise ValueError(f"base_score has {base.size} numbers")
    if of == "exp":
        with np.errstate(divide="ignore", invalid="ignore"):
            base = np.log(base)
    elif of is not None:
        with np.errstate(divide="ignore", invalid="ignore"):  # of what is no probability, which is refused below
            base = -np.log(np.float32(1) / base - np.float32(1))
    if not np.isfinite(base).all():
        raise ModelError(f"XGBoost's base_score {text} leaves only one class")
    return np.array([0.0, float(base[0])])


def _categories(
    learner: Mapping[str, Any], booster: Mapping[str, Any], trees: Sequence[RawTree], n_columns: int
) -> dict[int, Categories]:
    kinds = list(learner.get("feature_types") or [])
    used = {j: set[int]() for j, kind in enumerate(kinds) if kind == "c"} | raw.tested_categories(trees)
    names = _category_names(booster.get("cats") or {}, n_columns)
    result = {}
    for j, numbers in used.items():
        known = names.get(j)
        result[j] = Categories(
            known, tuple(range(len(known))) if known is not None else tuple(sorted(numbers)), known is None, True
        )
    return result


def _category_names(cats: Mapping[str, Any], n_columns: int) -> dict[int, tuple[Any, ...]]:
    """By column, its categories in the order of their numbers: text, or numbers. Known since version 3.1."""
    encoded = cats.get("enc") or []
    result: dict[int, tuple[Any, ...]] = {}
    for j, one in enumerate(encoded):
        values = one["values"]
        if len(values) == 0:
            continue
        if "offsets" in one:
            offsets = _integers(one["offsets"]).tolist()
            text = np.asarray(values).astype(np.int64).astype(np.uint8).tobytes()
            if not text.isascii():  # XGBoost 3.2 counts characters where it means bytes
                raise ModelError(
                    f"XGBoost cuts the categories of column {j} short: rename them in ASCII and train again"
                )
            result[j] = tuple(text[a:b].decode() for a, b in itertools.pairwise(offsets))
        else:
            result[j] = tuple(np.asarray(values).tolist())
    return result


def _floats(given: Any) -> npt.NDArray[np.float64]:
    """32-bit floats, whose decimals may have been rounded."""
    with np.errstate(over="ignore"):  # what is infinite then is refused with all that is
        return np.asarray(given).astype(np.float32).astype(np.float64)


def _integers(given: Any) -> npt.NDArray[np.int64]:
    found = np.array(given)
    if found.size and found.dtype.kind not in "biu":
        raise ValueError(f"whole numbers expected, not {np.ravel(found)[:3].tolist()}")
    return found.astype(np.int64)
