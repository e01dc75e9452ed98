"""CatBoost's models, as JSON (`save_model(path, format="json")`).

An oblivious tree has one test per level; the answers, first test lowest, are the binary digits of the leaf. A row
answers yes if its number, rounded to 32 bits, is greater than the border. NaN counts as smaller than all numbers, or as
greater (`nan_value_treatment`), and the largest floats are borders between it and them. Of categories only those are
supported that are compared one by one; a file has hashes of them, and their names if it was saved with ``pool=``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.files import raw
from symcf.models.files.raw import Categories, Ensemble, RawTree

__all__ = ["read"]

BINARY = ("Logloss", "CrossEntropy")
MULTICLASS = ("MultiClass",)
ONE_BY_ONE = ("MultiClassOneVsAll",)

#: By loss of a regressor: what it makes of the sum.
REGRESSION: dict[str, tuple[tuple[Any, ...], ...]] = {
    **dict.fromkeys(("RMSE", "MAE", "Quantile", "MAPE", "Huber", "Lq", "Expectile", "LogCosh"), ()),
    **dict.fromkeys(("Poisson", "Tweedie"), (("exp",),)),
}

UNSUPPORTED = {
    "OnlineCtr": "statistics of categories (CTRs): train with one_hot_max_size of at least the number of categories",
    "EstimatedFeature": "features estimated from texts or embeddings: train without them",
}


def read(data: Mapping[str, Any], *, iterations: int | None = None, with_data: bool = False) -> Ensemble:
    """The ensemble in what a file holds. ``iterations``: how many trees count; by default all. ``with_data``: whether
    the user's rows will say which categories a column has.
    """
    with raw.in_a_file("CatBoost"):
        return _Reader(data, with_data).ensemble(iterations)


class _Reader:
    def __init__(self, data: Mapping[str, Any], with_data: bool) -> None:
        self.data = data
        self.with_data = with_data
        info = data["features_info"]
        for kind in ("text_features", "embedding_features"):
            if info.get(kind):
                raise ModelError(f"CatBoost's {kind.replace('_', ' ')} are not supported: train without them")
        self.floats = {int(one["feature_index"]): one for one in info.get("float_features", [])}
        self.named = {int(one["feature_index"]): one for one in info.get("categorical_features", [])}
        self.hashes = _hashes(info.get("cat_features_hash") or [])
        scale, bias = data["scale_and_bias"]
        self.scale, self.shift = float(scale), np.atleast_1d(np.asarray(bias, dtype=np.float64))
        self.n_sums = 1

    def ensemble(self, iterations: int | None) -> Ensemble:
        loss = _loss(self.data["model_info"])
        labels = _classes(self.data["model_info"])
        one = loss in BINARY or loss in REGRESSION
        n_classes = max(len(labels or ()), 2 if one else len(self.shift))
        self.n_sums = 1 if one else n_classes
        given = self.data["oblivious_trees"] if "oblivious_trees" in self.data else self.data["trees"]
        if iterations is not None:
            raw.checked_rounds("CatBoost", iterations, len(given))
        read = self._oblivious if "oblivious_trees" in self.data else self._nested
        trees = [read(one) for one in given[:iterations]]
        flat = [int(one["flat_feature_index"]) for one in (*self.floats.values(), *self.named.values())]
        n_columns = raw.counted(max(flat, default=-1) + 1, "columns", raw.MOST_COLUMNS)
        bias = np.zeros(n_classes)
        bias[n_classes - self.n_sums :] = self.shift
        bias[1] -= _margin_of_threshold(self.data["model_info"]) if self.n_sums == 1 else 0.0
        return Ensemble(
            library="CatBoost",
            trees=[replace(tree, score=np.pad(tree.score, ((0, 0), (n_classes - self.n_sums, 0)))) for tree in trees],
            n_columns=n_columns,
            names=self._names(n_columns),
            n_classes=n_classes,
            classes=labels,
            bias=bias,
            float32=True,
            probability=None if loss in ONE_BY_ONE else "logistic",
            categories=self._categories(trees),
            nan_as={
                int(one["flat_feature_index"]): -math.inf  # no number is greater than NaN
                for one in self.floats.values()
                if one["nan_value_treatment"] == "AsIs"
            },
            monotone=self._monotone(n_columns),
            link=REGRESSION.get(loss),
        )

    # --- trees

    def _oblivious(self, tree: Mapping[str, Any]) -> RawTree:
        tick()
        splits = [self._split(split) for split in tree.get("splits") or []]
        values = np.asarray(tree["leaf_values"], dtype=np.float64).reshape(1 << len(splits), self.n_sums)
        build = _Builder(self.n_sums)

        def grow(level: int, leaf: int, known: dict[Any, bool]) -> int:
            # Tests whose answer follows from those before are left out: no row reaches the other side.
            while level >= 0 and (answer := _implied(splits[level], known)) is not None:
                leaf, level = leaf | answer << level, level - 1
            if level < 0:
                return build.leaf(values[leaf])
            u = build.test(*splits[level])
            no = grow(level - 1, leaf, {**known, splits[level][:3]: False})
            yes = grow(level - 1, leaf | 1 << level, {**known, splits[level][:3]: True})
            build.link(u, splits[level], no, yes)
            return u

        grow(len(splits) - 1, 0, {})
        return build.tree(self.scale)

    def _nested(self, root: Mapping[str, Any]) -> RawTree:
        build = _Builder(self.n_sums)
        waiting: list[tuple[Mapping[str, Any], Any]] = [(root, None)]
        children: dict[int, list[int]] = {}
        tests: dict[int, Any] = {}
        while waiting:
            node, parent = waiting.pop()
            if "split" in node:
                split = self._split(node["split"])
                u = build.test(*split)
                tests[u] = split
                waiting += [(node["right"], u), (node["left"], u)]
            else:
                u = build.leaf(np.atleast_1d(np.asarray(node["value"], dtype=np.float64)))
            children.setdefault(parent, []).append(u)
        for u, split in tests.items():
            build.link(u, split, *children[u])
        return build.tree(self.scale)

    def _split(self, split: Mapping[str, Any]) -> tuple[int, float, int | None, bool]:
        """Column, border, category, and whether NaN answers yes."""
        kind = split["split_type"]
        if kind == "FloatFeature":
            one = self.floats[int(split["float_feature_index"])]
            border = float(np.float32(split["border"]))
            return int(one["flat_feature_index"]), border, None, one["nan_value_treatment"] == "AsTrue"
        if kind == "OneHotFeature":
            one = self.named[int(split["cat_feature_index"])]
            return int(one["flat_feature_index"]), np.nan, int(split["value"]), False
        raise ModelError(f"CatBoost's {UNSUPPORTED.get(kind, f'splits of type {kind!r} are not supported')}")

    # --- columns

    def _names(self, n_columns: int) -> tuple[str, ...] | None:
        names = [str(j) for j in range(n_columns)]
        for one in (*self.floats.values(), *self.named.values()):
            names[int(one["flat_feature_index"])] = str(one.get("feature_id") or one["flat_feature_index"])
        return None if names == [str(j) for j in range(n_columns)] else tuple(names)

    def _categories(self, trees: list[RawTree]) -> dict[int, Categories]:
        result = {}
        tested = raw.tested_categories(trees)
        for one in self.named.values():
            j = int(one["flat_feature_index"])
            used = tested.get(j, set())
            unknown = [v for v in used if v not in self.hashes]
            if unknown or (used and not self.hashes):
                name = one.get("feature_id") or j
                raise ModelError(
                    f"the CatBoost model has only hashes of the categories of column {name!r}: give data= with the "
                    f"estimator, or save it with save_model(path, format='json', pool=pool)"
                )
            if used and len(self.named) > 1 and not self.with_data:
                raise ModelError("the CatBoost model does not say which categories belong to which column: give data=")
            # The numbers are hashes; the file has those of all columns together.
            listed = sorted(self.hashes.items(), key=lambda pair: pair[1]) or [(0, "(any)")]
            numbers = tuple(number for number, _ in listed)
            names = tuple(name for _, name in listed)
            result[j] = Categories(names, numbers, other=not used, missing=False, as_text=True)
        return result

    def _monotone(self, n_columns: int) -> tuple[int, ...] | None:
        given = _params(self.data["model_info"]).get("tree_learner_options", {}).get("monotone_constraints") or {}
        result = [int(given.get(str(j), 0)) for j in range(n_columns)]
        return tuple(result) if any(result) else None


def _implied(split: tuple[int, float, int | None, bool], known: Mapping[Any, bool]) -> bool | None:
    """The answer to a test, if it follows from other answers. To NaN, too: it is on one side of all borders."""
    column, border, category, _ = split
    for (other, at, value), answer in known.items():
        if other != column:
            continue
        if category is not None:
            if value == category:
                return answer
            if answer:  # it is another category
                return False
        elif answer and border <= at:
            return True
        elif not answer and border >= at:
            return False
    return None


class _Builder:
    """A tree in the making. CatBoost's "yes" is our right side for numbers, and our left side for categories."""

    def __init__(self, n_sums: int) -> None:
        self.n_sums = n_sums
        self.rows: list[list[Any]] = []
        self.scores: list[Any] = []
        self.sets: dict[int, frozenset[int]] = {}

    def leaf(self, value: Any) -> int:
        if value.shape != (self.n_sums,):
            raise ValueError(f"a leaf has {value.size} values, {self.n_sums} are needed")
        self.rows.append([-1, -1, -1, np.nan, False])
        self.scores.append(value)
        return len(self.rows) - 1

    def test(self, column: int, border: float, category: int | None, nan_is_yes: bool) -> int:
        self.rows.append([column, -1, -1, border, category is None and not nan_is_yes])
        self.scores.append(np.zeros(self.n_sums))
        return len(self.rows) - 1

    def link(self, u: int, split: tuple[int, float, int | None, bool], no: int, yes: int) -> None:
        category = split[2]
        if category is not None:
            self.sets[u] = frozenset([category])
        self.rows[u][1:3] = (no, yes) if category is None else (yes, no)

    def tree(self, scale: float) -> RawTree:
        columns, left, right, border, nan_left = map(np.array, zip(*self.rows, strict=True))
        score = np.array(self.scores, dtype=np.float64) * scale
        return RawTree(columns, left, right, border, nan_left.astype(np.bool_), score, self.sets)


# --- facts ------------------------------------------------------------------------------------------------------------


def _hashes(listed: Any) -> dict[int, str]:
    """By hash, as a signed 32-bit integer, the category."""
    pairs = listed.items() if isinstance(listed, Mapping) else ((one["hash"], one["value"]) for one in listed)
    return {(int(number) + 2**31) % 2**32 - 2**31: str(name) for number, name in pairs}


def _params(info: Mapping[str, Any]) -> Mapping[str, Any]:
    params = info.get("params") or {}
    return json.loads(params) if isinstance(params, str) else params


def _loss(info: Mapping[str, Any]) -> str:
    loss = str(_params(info)["loss_function"]["type"])
    supported = [*BINARY, *MULTICLASS, *ONE_BY_ONE, *REGRESSION]
    if loss not in supported:
        raise ModelError(f"CatBoost's loss {loss!r} is not supported: supported are {', '.join(supported)}")
    return loss


def _classes(info: Mapping[str, Any]) -> tuple[Any, ...] | None:
    given = info.get("class_params") or {}
    given = json.loads(given) if isinstance(given, str) else given
    names = given.get("class_names") or None
    if names is not None and not all(isinstance(name, (str, int, float)) for name in names):
        raise ValueError(f"class_names are {names!r}")
    return None if names is None else tuple(names)


def _margin_of_threshold(info: Mapping[str, Any]) -> float:
    """Where the margin decides: the logit of the probability threshold, 0 unless it was set."""
    given = info.get("binclass_probability_threshold")
    if given is None:
        return 0.0
    if not 0 < float(given) < 1:
        raise ValueError(f"binclass_probability_threshold is {given!r}")
    return -float(np.log(1.0 / float(given) - 1.0))
