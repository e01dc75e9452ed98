"""LightGBM's models, as text (`save_model`, `model_to_string`; versions v3 and v4 of the format).

A row goes left if its number is at most the threshold, in 64 bits, where numbers next to 0 are 0. The decision type of
a node says what is missing: nothing (NaN is read as 0), zeros, or NaN; missing values go to the default side. A
categorical node has a bit set of the categories that go left; NaN and negative numbers go right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.errors import ModelError
from symcf.models.files import raw
from symcf.models.files.raw import Categories, Ensemble, RawTree

__all__ = ["read"]

CATEGORICAL, DEFAULT_LEFT = 1, 2
#: Bits 2 and 3 of the decision type.
NOTHING, ZEROS, NANS = 0, 1, 2

BINARY = ("binary", "cross_entropy", "xentropy")
MULTICLASS = ("multiclass", "softmax")
#: By objective of a regressor: what it makes of the sum.
REGRESSION: dict[str, tuple[tuple[Any, ...], ...]] = {
    **dict.fromkeys(
        ("regression", "regression_l2", "regression_l1", "huber", "fair", "quantile", "mape", "l1", "l2", "mse"), ()
    ),
    **dict.fromkeys(("poisson", "gamma", "tweedie"), (("exp",),)),
}
ONE_BY_ONE = ("multiclassova", "multiclass_ova", "ova", "ovr")


def read(text: str, *, iterations: int | None = None, typed: Sequence[int] = ()) -> Ensemble:
    """The ensemble in a text file. ``iterations``: how many rounds count; by default all that the file has. ``typed``:
    the columns that are of pandas' type category, where they are known. The file has the categories of all of them, but
    does not list those in an order: LightGBM reads these as numbers.
    """
    with raw.in_a_file("LightGBM"):
        return _read(text, iterations, typed)


def _read(text: str, iterations: int | None, typed: Sequence[int]) -> Ensemble:
    _check_sizes(text)
    body, end, rest = text.partition("end of trees")
    if not end:
        raise ValueError("'end of trees' is missing")
    head, *blocks = re.split(r"^Tree=\d+$", body, flags=re.MULTILINE)
    facts = _facts(head)
    per_round = int(facts["num_tree_per_iteration"])
    name, *options = facts.get("objective", "none").split()
    slope = 1.0
    for option in options:
        if option.startswith("sigmoid:"):
            slope = float(option.removeprefix("sigmoid:"))
    if name not in (*BINARY, *MULTICLASS, *ONE_BY_ONE, *REGRESSION):
        supported = ", ".join([*BINARY[:1], *MULTICLASS[:1], *ONE_BY_ONE[:1], *REGRESSION])
        raise ModelError(f"LightGBM's objective {name!r} is not supported: supported are {supported}")
    if "sqrt" in options:
        raise ModelError("LightGBM's reg_sqrt=True is not supported: transform the target before fit instead")
    link = REGRESSION.get(name)
    n_classes = max(raw.counted(facts["num_class"], "classes", raw.MOST_CLASSES), 2)
    if per_round != (1 if n_classes == 2 and (name in BINARY or link is not None) else n_classes):
        raise ValueError(f"{per_round} trees per round for {n_classes} classes")
    used = len(blocks)
    if iterations is not None:
        used = raw.checked_rounds("LightGBM", iterations, len(blocks) // per_round) * per_round
    by_tree = [_facts(block) for block in blocks[:used]]
    trees = [_tree(one, 1 if per_round == 1 else t % per_round, n_classes) for t, one in enumerate(by_tree)]
    if not trees:
        raise ValueError("it has no trees")
    if "average_output" in facts:  # a random forest: the mean of the trees
        slope /= len(trees) / per_round
        link = None if link is None else (("divide", float(len(trees))), *link)
    n_columns = raw.counted(facts["max_feature_idx"], "columns", raw.MOST_COLUMNS) + 1
    nan_as = _nan_as(by_tree, n_columns)
    return Ensemble(
        library="LightGBM",
        trees=trees,
        n_columns=n_columns,
        names=_names(facts["feature_names"].split(" "), n_columns),
        n_classes=n_classes,
        bias=np.zeros(n_classes),
        float32=False,
        tiny_is_zero=True,
        probability=None if name in ONE_BY_ONE else "logistic",
        slope=slope,
        categories=_categories(facts["feature_infos"].split(" "), rest, trees, typed, nan_as),
        nan_as=nan_as,
        monotone=_monotone(rest, n_columns),
        link=link,
    )


def _check_sizes(text: str) -> None:
    """`ModelError` if ``tree_sizes`` are not those of the trees: LightGBM cuts the file there, not at their names."""
    found = re.search(r"^tree_sizes=(.*)$", text, re.MULTILINE)
    if found is None:
        return  # then it goes by the names
    starts = [one.start() for one in re.finditer(r"^Tree=", text, re.MULTILINE)]
    end = re.search(r"^end of trees", text, re.MULTILINE)
    ends = [*starts[1:], len(text) if end is None else end.start()]
    sizes = [str(len(text[i:j].encode())) for i, j in zip(starts, ends, strict=bool(starts))]
    if found[1].split() != sizes:
        raise ModelError("the LightGBM file gives other tree_sizes than its trees have: save the model again")


def _facts(block: str) -> dict[str, str]:
    """Lines such as ``num_class=1``; those without a value have an empty one."""
    facts = {}
    for line in block.splitlines():
        key, _, value = line.strip().partition("=")
        if key:
            facts[key] = value
    return facts


def _tree(facts: Mapping[str, str], k: int, n_classes: int) -> RawTree:
    tick()
    if int(facts.get("is_linear", "0")):
        raise ModelError("LightGBM's linear_tree=True is not supported: its leaves are not numbers; train without it")
    n_leaves = int(facts["num_leaves"])
    inner = n_leaves - 1
    # leaves come after the tests; a child -1 - i is leaf i
    values = _floats(facts["leaf_value"], n_leaves)
    score = raw.scores_of(np.concatenate([np.zeros(inner), values]), k, n_classes)
    none = np.full(n_leaves, -1)
    if inner == 0:
        return RawTree.leaf(score)
    kinds = _integers(facts["decision_type"], inner)
    threshold = _floats(facts["threshold"], inner)
    missing = (kinds >> 2) & 3
    categorical = (kinds & CATEGORICAL) == CATEGORICAL
    # NaN is 0 where nothing is missing, and always goes right among categories
    nan_left = np.where(missing == NOTHING, threshold >= 0.0, (kinds & DEFAULT_LEFT) == DEFAULT_LEFT) & ~categorical
    zeros = (missing == ZEROS) & ~categorical
    if zeros.any() and not (zeros | categorical).all():
        raise ModelError("LightGBM's zero_as_missing differs between the nodes of a tree, which is not supported")
    sets = _sets(facts, categorical, threshold)
    children = [_integers(facts[key], inner) for key in ("left_child", "right_child")]
    left, right = (np.where(child < 0, inner + ~child, child) for child in children)
    return RawTree(
        np.concatenate([_integers(facts["split_feature"], inner), none]),
        np.concatenate([left, none]),
        np.concatenate([right, none]),
        np.concatenate([np.where(categorical, np.nan, threshold), np.full(n_leaves, np.nan)]),
        np.concatenate([nan_left, np.zeros(n_leaves, dtype=np.bool_)]),
        score,
        sets,
        zero_is_missing=bool(zeros.any()),
    )


def _sets(
    facts: Mapping[str, str], categorical: npt.NDArray[np.bool_], threshold: npt.NDArray[np.float64]
) -> dict[int, frozenset[int]]:
    if not categorical.any():
        return {}
    bounds = _integers(facts["cat_boundaries"])
    words = [int(word) for word in facts["cat_threshold"].split()]
    result = {}
    for u in np.flatnonzero(categorical).tolist():
        start, stop = bounds[int(threshold[u])], bounds[int(threshold[u]) + 1]
        bits = sum(word << (32 * i) for i, word in enumerate(words[start:stop]))
        result[u] = frozenset(i for i in range(bits.bit_length()) if bits >> i & 1)
    return result


def _names(names: Sequence[str], n_columns: int) -> tuple[str, ...] | None:
    """The names of the columns; Column_0, Column_1, ... are LightGBM's own."""
    if len(names) != n_columns:
        raise ValueError(f"{len(names)} feature_names for {n_columns} features")
    return None if list(names) == [f"Column_{j}" for j in range(n_columns)] else tuple(names)


def _categories(
    infos: Sequence[str], rest: str, trees: Sequence[RawTree], typed: Sequence[int], nan_as: Mapping[int, float]
) -> dict[int, Categories]:
    """What the columns of categories hold. ``feature_infos`` has [low:high], none, or numbers with colons."""
    listed = {j: info for j, info in enumerate(infos) if info and info[0] not in "[n"}
    used = raw.tested_categories(trees)
    declared = {int(word) for word in _parameter(rest, "categorical_feature").split(",") if word.strip().isdecimal()}
    columns = sorted({*listed, *used, *declared})
    found = re.search(r"^pandas_categorical:(.*)$", rest, flags=re.MULTILINE)
    # by category column of the DataFrame, in their order
    named = json.loads(found.group(1)) if found and found.group(1).strip() else None
    if named and len(named) == len(typed) and set(columns) <= set(typed):
        columns = sorted(typed)
    if named and len(named) != len(columns):
        raise ModelError(
            f"LightGBM has the categories of {len(named)} columns and lists {len(columns)} columns of categories: give "
            f"data= with the types of the table that it was trained on, or make all of them of pandas' type category, "
            f"without an order, before training"
        )
    as_numbers = {j for tree in trees for j in tree.column[~np.isnan(tree.threshold)].tolist()}
    result = {}
    for i, j in enumerate(columns):
        if named:
            names, missing = tuple(named[i]), j not in nan_as or j not in as_numbers
            result[j] = Categories(names, tuple(range(len(names))), other=False, missing=missing)
            continue
        numbers = {int(word) for word in listed.get(j, "").split(":") if word} | used.get(j, set())
        result[j] = Categories(None, tuple(sorted(v for v in numbers if v >= 0)), other=True, missing=True)
    return result


def _nan_as(trees: Sequence[Mapping[str, str]], n_columns: int) -> dict[int, float]:
    """NaN is read as 0 in columns of which no test takes it for missing."""
    own = set()
    for facts in trees:
        kinds, columns = (facts.get(key, "").split() for key in ("decision_type", "split_feature"))
        for kind, column in zip(map(int, kinds), map(int, columns), strict=True):
            if kind & CATEGORICAL or (kind >> 2) & 3 == NANS:
                own.add(column)
    return dict.fromkeys(set(range(n_columns)) - own, 0.0)


def _monotone(rest: str, n_columns: int) -> tuple[int, ...] | None:
    given = [int(word) for word in _parameter(rest, "monotone_constraints").split(",") if word.strip()]
    return tuple(given) if len(given) == n_columns and any(given) else None


def _parameter(rest: str, name: str) -> str:
    """What the parameters at the end of the file say."""
    found = re.search(rf"^\[{name}: (.*)\]$", rest, flags=re.MULTILINE)
    return found.group(1) if found else ""


def _floats(text: str, count: int) -> npt.NDArray[np.float64]:
    values = np.array([float(word) for word in text.split()])
    if len(values) != count:
        raise ValueError(f"{len(values)} numbers where {count} are needed")
    return values


def _integers(text: str, count: int | None = None) -> npt.NDArray[np.int64]:
    values = np.array([int(word) for word in text.split()], dtype=np.int64)
    if count is not None and len(values) != count:
        raise ValueError(f"{len(values)} numbers where {count} are needed")
    return values
