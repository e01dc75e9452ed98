"""CatBoost's models, as JSON (`save_model(path, format="json")`). CatBoost itself writes other files as JSON.

An oblivious tree has one test per level; the answers, first test lowest, are the binary digits of the leaf. A row
answers yes if its number, rounded to 32 bits, is greater than the border. NaN counts as smaller than all numbers, or as
greater (`nan_value_treatment`), and the largest floats are borders between it and them. Categories are compared one by
one, or a statistic of them is compared with a border (`catboost_statistics`); such a test becomes tests of sets of
categories. A file has hashes of the categories, and their names if it was saved with ``pool=``.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from symcf.common.clock import tick
from symcf.data.labels import default_names
from symcf.data.reader import ColumnLayout, read_rows
from symcf.errors import ModelError
from symcf.models.files import raw
from symcf.models.files.catboost_statistics import Statistic, Tables
from symcf.models.files.raw import Categories, Ensemble, RawTree, category_text

__all__ = ["Binary", "begins_a_file", "exported", "read"]

BINARY = ("Logloss", "CrossEntropy")
MULTICLASS = ("MultiClass",)
ONE_BY_ONE = ("MultiClassOneVsAll",)

#: By loss of a regressor: what it makes of the sum.
REGRESSION: dict[str, tuple[tuple[Any, ...], ...]] = {
    **dict.fromkeys(("RMSE", "MAE", "Quantile", "MAPE", "Huber", "Lq", "Expectile", "LogCosh"), ()),
    **dict.fromkeys(("Poisson", "Tweedie"), (("exp",),)),
}

UNSUPPORTED = {
    "EstimatedFeature": "features estimated from texts or embeddings: train without them",
}

#: What reads a binary file: a process of its own, for so many seconds at most.
PATIENCE = 60
EXPORT = """
import json, sys
from catboost import CatBoost, Pool
path, names, made = sys.argv[1:]
model = CatBoost().load_model(path)
columns = set(model.get_cat_feature_indices())
with open(names, encoding="utf-8") as text:
    rows = [[name if j in columns else 0.0 for j in range(len(model.feature_names_))] for name in json.load(text)]
pool = Pool(rows, cat_features=sorted(columns)) if rows and columns else None
model.save_model(made, format="json", pool=pool)
"""

#: A tree with more nodes, after its statistics have become tests of categories, is not read.
MOST_NODES = 1 << 18


@dataclass(frozen=True)
class Binary:
    """A file in CatBoost's own form (.cbm), which only CatBoost reads."""

    content: bytes

    def exported(self, data: Any) -> Mapping[str, Any]:
        """What CatBoost writes as JSON, in a process of its own: CatBoost crashes on some damaged files."""
        if find_spec("catboost") is None:
            raise ModelError(
                "CatBoost's binary form is read by CatBoost, which is not installed: install catboost, or write "
                "model.save_model('model.json', format='json') where it is installed, and read that file"
            )
        with tempfile.TemporaryDirectory() as folder:
            path, names, made = (os.path.join(folder, name) for name in ("model.cbm", "names.json", "model.json"))
            with open(path, "wb") as file:
                file.write(self.content)
            with open(names, "w", encoding="utf-8") as text:
                json.dump(_texts(data), text)
            command = [sys.executable, "-c", EXPORT, path, names, made]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + PATIENCE
            try:
                while process.poll() is None and time.monotonic() < until:
                    tick()
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.02)
            finally:
                process.kill()
                process.wait()
            if process.returncode != 0 or not os.path.exists(made):
                raise ModelError("CatBoost does not read it: the file is damaged, or of a newer version of CatBoost")
            with open(made, encoding="utf-8") as text:
                content: dict[str, Any] = json.load(text)
        return content


def _texts(data: Any) -> list[str]:
    """The different entries of the columns of the data that are not floats, as text: among them are all categories."""
    if data is None:
        return []
    width = len(data.columns) if hasattr(data, "columns") else np.asarray(data, dtype=object).shape[-1]
    names = tuple(str(name) for name in data.columns) if hasattr(data, "columns") else tuple(default_names(width))
    table = read_rows(data, ColumnLayout(names, tuple(range(width)), hasattr(data, "columns"), extra=True))
    columns = (np.asarray(table.column(j)) for j in range(width))
    return sorted({category_text(value) for column in columns if column.dtype.kind != "f" for value in column.tolist()})


def begins_a_file(content: bytes) -> bool:
    """Is it CatBoost's binary form?"""
    return content[:4] == b"CBM1"


def exported(estimator: Any, data: Any) -> Mapping[str, Any]:
    """What an estimator writes as JSON. ``data``: rows whose categories are written beside their hashes."""
    columns = list(estimator.get_cat_feature_indices())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        pool = None
        if columns and data is not None:
            from catboost import Pool

            pool = Pool(data, cat_features=columns)
        estimator.save_model(path, format="json", pool=pool)
        with open(path, encoding="utf-8") as file:
            content: Mapping[str, Any] = json.load(file)
    return content


def read(content: Mapping[str, Any], *, iterations: int | None = None, data: Any = None) -> Ensemble:
    """The ensemble in what a file holds. ``iterations``: how many trees count; by default all. ``data``: rows of the
    user, which say which categories a column has.
    """
    # what does not fit 32 bits is infinite, as it is to CatBoost
    with raw.in_a_file("CatBoost"), np.errstate(over="ignore"):
        return _Reader(content, data).ensemble(iterations)


@dataclass(frozen=True)
class _Test:
    """A test of one column: of a number, or whether a category is in a set, which is written as a mask of places."""

    column: int
    border: float = math.nan
    nan_is_yes: bool = False
    among: int | None = None


def _place(given: Any) -> int:
    """A whole number from 0 on."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise ValueError(f"{given!r} is no place in a list")
    return given


#: What earlier answers say: by column a mask of the categories that are left, or between which borders the number is.
_Known = Mapping[int, Any]


class _Reader:
    def __init__(self, content: Mapping[str, Any], data: Any) -> None:
        self.data = content
        self.with_data = data is not None
        info = content["features_info"]
        for kind in ("text_features", "embedding_features"):
            if info.get(kind):
                raise ModelError(f"CatBoost's {kind.replace('_', ' ')} are not supported: train without them")
        self.floats = {int(one["feature_index"]): one for one in info.get("float_features", [])}
        self.named = {int(one["feature_index"]): one for one in info.get("categorical_features", [])}
        for known, kind in ((self.floats, "float_features"), (self.named, "categorical_features")):
            if len(known) != len(info.get(kind) or ()):
                raise ValueError(f"two of the {kind} have the same feature_index")
        self.hashes = _hashes(info.get("cat_features_hash") or [])
        scale, bias = content["scale_and_bias"]
        self.scale, self.shift = float(scale), np.atleast_1d(np.asarray(bias, dtype=np.float64))
        self.n_sums = 1
        flat = [_place(one["flat_feature_index"]) for one in (*self.floats.values(), *self.named.values())]
        if len(set(flat)) != len(flat):
            raise ValueError("two features have the same flat_feature_index")
        self.n_columns = raw.counted(max(flat, default=-1) + 1, "columns", raw.MOST_COLUMNS)
        self.names = self._names()
        columns = {i: int(one["flat_feature_index"]) for i, one in self.named.items()}
        floats = {
            i: (int(one["flat_feature_index"]), one["nan_value_treatment"] == "AsTrue")
            for i, one in self.floats.items()
        }
        self.tables = Tables(content, columns, floats)
        #: By column of categories, the hashes of those that are told apart.
        self.universe = self._universe(data)
        self.statistics, self.incomplete = self.tables.statistics(self.universe)
        #: By number of a split, what it compares.
        self.places = self._places()
        self._known: dict[Any, bool | _Test] = {}

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
        bias = np.zeros(n_classes)
        bias[n_classes - self.n_sums :] = self.shift
        bias[1] -= _margin_of_threshold(self.data["model_info"]) if self.n_sums == 1 else 0.0
        return Ensemble(
            library="CatBoost",
            trees=[replace(tree, score=np.pad(tree.score, ((0, 0), (n_classes - self.n_sums, 0)))) for tree in trees],
            n_columns=self.n_columns,
            names=self.names,
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
            monotone=self._monotone(self.n_columns),
            link=REGRESSION.get(loss),
        )

    # --- trees

    def _oblivious(self, tree: Mapping[str, Any]) -> RawTree:
        splits = tree.get("splits") or []
        values = np.asarray(tree["leaf_values"], dtype=np.float64).reshape(1 << len(splits), self.n_sums)
        tests = [self._split(split) for split in splits]

        def at(place: tuple[int, int]) -> Any:
            level, leaf = place
            if level < 0:
                return values[leaf]
            return tests[level], (level - 1, leaf), (level - 1, leaf | 1 << level)

        return self._tree((len(splits) - 1, 0), at)

    def _nested(self, root: Mapping[str, Any]) -> RawTree:
        def at(node: Mapping[str, Any]) -> Any:
            if "split" in node:
                return self._split(node["split"]), node["left"], node["right"]
            return np.atleast_1d(np.asarray(node["value"], dtype=np.float64))

        return self._tree(root, at)

    def _tree(self, root: Any, at: Callable[[Any], Any]) -> RawTree:
        """A tree of tests of single columns. ``at`` gives the value of a place, or its test and the places of no and
        yes. Tests whose answer follows from those before are left out: no row reaches the other side.
        """
        tick()
        build = _Builder(self.n_sums)
        waiting: list[tuple[Any, _Known, int, bool]] = [(root, {}, -1, False)]
        while waiting:
            place, known, parent, is_right = waiting.pop()
            test: bool | _Test = True
            while isinstance(found := at(place), tuple):
                test = self._next(found[0], known)
                if isinstance(test, _Test):
                    break
                place = found[2] if test else found[1]
            if isinstance(test, bool) or not isinstance(found, tuple):
                build.leaf(found, parent, is_right)
                continue
            u, swapped = build.test(test, self.universe, parent, is_right)
            waiting.append((place, self._after(test, known, answer=True), u, not swapped))
            waiting.append((place, self._after(test, known, answer=False), u, swapped))
            if len(build.rows) + len(waiting) > MOST_NODES:
                raise ModelError(
                    f"a CatBoost tree has more than {MOST_NODES:,} nodes when its statistics of categories are written "
                    "as tests: train with max_ctr_complexity=1"
                )
        return build.tree(self.scale)

    def _next(self, split: Any, known: _Known) -> bool | _Test:
        """The answer to a split, if it follows from what is known; else a test of one column that has to be known."""
        if isinstance(split, _Test):
            return self._answer(split, known)
        index, border = split
        statistic = self.statistics[index]
        masks = tuple(known.get(column, self._all(column)) for column in statistic.columns)
        answers = tuple(self._answer(_Test(one.column, one.border, one.nan_is_yes), known) for one in statistic.tests)
        key = (index, border, masks, tuple(one if isinstance(one, bool) else None for one in answers))
        if key not in self._known:
            self._known[key] = _first_test(statistic, border, masks, answers)
        return self._known[key]

    def _answer(self, test: _Test, known: _Known) -> bool | _Test:
        """The answer to a test of one column, if it follows from what is known; else the test. NaN lies on one side of
        all borders.
        """
        if test.among is None:
            low, high = known.get(test.column, (-math.inf, math.inf))
            return True if test.border <= low else False if test.border >= high else test
        left = known.get(test.column, self._all(test.column))
        return True if left & test.among == left else False if not left & test.among else test

    def _after(self, test: _Test, known: _Known, *, answer: bool) -> _Known:
        """What is known after an answer."""
        if test.among is None:
            low, high = known.get(test.column, (-math.inf, math.inf))
            return {**known, test.column: (max(low, test.border), high) if answer else (low, min(high, test.border))}
        left = known.get(test.column, self._all(test.column))
        return {**known, test.column: left & test.among if answer else left & ~test.among}

    def _all(self, column: int) -> int:
        return (1 << (len(self.universe[column]) + 1)) - 1

    def _split(self, split: Mapping[str, Any]) -> Any:
        """A test of one column, or the place of a statistic and the border that it is compared with."""
        kind = split["split_type"]
        if kind == "FloatFeature":
            one = self.floats[int(split["float_feature_index"])]
            border = float(np.float32(split["border"]))
            if math.isnan(border):
                raise ValueError("a border is not a number")
            self._check_place(split, ("float", int(split["float_feature_index"]), border))
            return _Test(int(one["flat_feature_index"]), border, one["nan_value_treatment"] == "AsTrue")
        if kind == "OneHotFeature":
            one = self.named[int(split["cat_feature_index"])]
            column = int(one["flat_feature_index"])
            self._check_place(split, ("category", int(split["cat_feature_index"]), int(split["value"])))
            return _Test(column, among=1 << self.universe[column].index(_signed(split["value"])))
        if kind == "OnlineCtr":
            index, place = len(self.places), int(split["split_index"])
            for i, statistic in enumerate(self.statistics):
                if index <= place < index + len(statistic.borders):
                    border = statistic.borders[place - index]
                    if border != float(np.float32(split["border"])):
                        raise ValueError(f"split {place} has the border {split['border']}, and its statistic {border}")
                    return i, border
                index += len(statistic.borders)
            raise ValueError(f"there is no statistic with the split {place}")
        raise ModelError(f"CatBoost's {UNSUPPORTED.get(kind, f'splits of type {kind!r} are not supported')}")

    def _check_place(self, split: Mapping[str, Any], test: tuple[str, int, float]) -> None:
        """CatBoost goes by the place of a split, and not by what the split says: both must be the same."""
        place = _place(split["split_index"])
        if place >= len(self.places) or self.places[place] != test:
            raise ValueError(f"split {place} is another one: {split}")

    def _places(self) -> list[tuple[str, int, float]]:
        """Splits are numbered: first the borders of numbers, then the categories that are compared one by one; then
        those of statistics.
        """
        numbers = [
            ("float", i, float(np.float32(border)))
            for i, one in self.floats.items()
            for border in one.get("borders") or ()
        ]
        return numbers + [
            ("category", i, int(value)) for i, one in self.named.items() for value in one.get("values") or ()
        ]

    # --- columns

    def _names(self) -> tuple[str, ...] | None:
        names = [str(j) for j in range(self.n_columns)]
        for one in (*self.floats.values(), *self.named.values()):
            names[int(one["flat_feature_index"])] = str(one.get("feature_id") or one["flat_feature_index"])
        return None if names == [str(j) for j in range(self.n_columns)] else tuple(names)

    def _universe(self, data: Any) -> dict[int, list[int]]:
        """By column of categories, the hashes of those that are known: of its categories in the data, and of others
        that the trees or the statistics of this column know.
        """
        columns = sorted(int(one["flat_feature_index"]) for one in self.named.values())
        known = {column: set(self.hashes) if len(columns) == 1 else set() for column in columns}
        for found in (self._compared(), self.tables.tested(), self.tables.alone(sorted(self.hashes))):
            for column, hashes in found.items():
                known[column] |= {_signed(one) for one in hashes}
        if data is not None and columns:
            names = self.names or tuple(default_names(self.n_columns))
            table = read_rows(data, ColumnLayout(names, tuple(columns), self.names is not None, extra=True))
            by_text = {text: number for number, text in self.hashes.items()}
            for column in columns:
                texts = {category_text(value) for value in table.column(column).tolist()}
                known[column] |= {by_text[text] for text in texts if text in by_text}
        return {column: sorted(hashes) for column, hashes in known.items()}

    def _compared(self) -> dict[int, set[int]]:
        """By column, the categories that it is compared with one by one."""
        return {
            int(one["flat_feature_index"]): {int(value) for value in one.get("values") or ()}
            for one in self.named.values()
        }

    def _categories(self, trees: list[RawTree]) -> dict[int, Categories]:
        result = {}
        tested = raw.tested_categories(trees)
        for one in self.named.values():
            j = int(one["flat_feature_index"])
            used = tested.get(j, set())
            matters = bool(used) or j in self.incomplete
            if any(number not in self.hashes for number in used) or (matters and not self.hashes):
                name = one.get("feature_id") or j
                raise ModelError(
                    f"the CatBoost model has only hashes of the categories of column {name!r}: give data= with the "
                    f"estimator, or save it with save_model(path, format='json', pool=pool)"
                )
            if matters and len(self.named) > 1 and not self.with_data:
                raise ModelError("the CatBoost model does not say which categories belong to which column: give data=")
            # The numbers are hashes; the file has those of all columns together.
            listed = [number for number in self.universe[j] if number in self.hashes]
            numbers = tuple(listed) or (0,)
            names = tuple(self.hashes[number] for number in listed) or ("(any)",)
            result[j] = Categories(names, numbers, other=j not in self.incomplete, missing=False, as_text=True)
        return result

    def _monotone(self, n_columns: int) -> tuple[int, ...] | None:
        given = _params(self.data["model_info"]).get("tree_learner_options", {}).get("monotone_constraints") or {}
        result = [int(given.get(str(j), 0)) for j in range(n_columns)]
        return tuple(result) if any(result) else None


def _first_test(
    statistic: Statistic, border: float, masks: Sequence[int], answers: Sequence[bool | _Test]
) -> bool | _Test:
    """Whether a statistic is greater than a border, if that follows; else a test of one column that is part of it."""
    left = [[place for place in range(mask.bit_length()) if mask >> place & 1] for mask in masks]
    left += [[int(answer)] if isinstance(answer, bool) else [0, 1] for answer in answers]
    greater = statistic.values[np.ix_(*left)] > np.float32(border)
    if greater.all() or not greater.any():
        return bool(greater.all())
    fewest: tuple[int, int, list[list[int]]] | None = None
    for axis, places in enumerate(left):
        lines = np.moveaxis(greater, axis, 0).reshape(len(places), -1)
        alike: dict[bytes, list[int]] = {}
        for place, line in zip(places, lines, strict=True):
            alike.setdefault(line.tobytes(), []).append(place)
        if len(alike) > 1 and (fewest is None or len(alike) < fewest[0]):
            fewest = len(alike), axis, list(alike.values())
    assert fewest is not None  # the answers differ along some axis
    _, axis, groups = fewest
    if axis >= len(statistic.columns):
        test = answers[axis - len(statistic.columns)]
        assert isinstance(test, _Test)
        return test
    half = [place for group in groups[: len(groups) // 2] for place in group]
    return _Test(statistic.columns[axis], among=sum(1 << place for place in half))


class _Builder:
    """A tree in the making. CatBoost's "yes" is our right side for numbers, and our left side for sets of categories,
    which never contain the unknown ones.
    """

    def __init__(self, n_sums: int) -> None:
        self.n_sums = n_sums
        self.rows: list[list[Any]] = []
        self.scores: list[Any] = []
        self.sets: dict[int, frozenset[int]] = {}

    def _add(self, row: list[Any], score: Any, parent: int, is_right: bool) -> int:
        if parent >= 0:
            self.rows[parent][2 if is_right else 1] = len(self.rows)
        self.rows.append(row)
        self.scores.append(score)
        return len(self.rows) - 1

    def leaf(self, value: Any, parent: int, is_right: bool) -> None:
        if value.shape != (self.n_sums,):
            raise ValueError(f"a leaf has {value.size} values, {self.n_sums} are needed")
        self._add([-1, -1, -1, math.nan, False], value, parent, is_right)

    def test(self, test: _Test, universe: Mapping[int, Sequence[int]], parent: int, is_right: bool) -> tuple[int, bool]:
        """The node, and whether "yes" is its left side."""
        is_number = test.among is None
        row = [test.column, -1, -1, test.border, is_number and not test.nan_is_yes]
        u = self._add(row, np.zeros(self.n_sums), parent, is_right)
        if test.among is None:
            return u, False
        hashes = universe[test.column]
        with_unknown = bool(test.among >> len(hashes))
        self.sets[u] = frozenset(
            number for place, number in enumerate(hashes) if bool(test.among >> place & 1) != with_unknown
        )
        return u, not with_unknown

    def tree(self, scale: float) -> RawTree:
        columns, left, right, border, nan_left = map(np.array, zip(*self.rows, strict=True))
        score = np.array(self.scores, dtype=np.float64) * scale
        return RawTree(columns, left, right, border, nan_left.astype(np.bool_), score, self.sets)


# --- facts ------------------------------------------------------------------------------------------------------------


def _signed(number: Any) -> int:
    """A hash as a signed 32-bit integer."""
    return (int(number) + 2**31) % 2**32 - 2**31


def _hashes(listed: Any) -> dict[int, str]:
    """By hash the category."""
    pairs = listed.items() if isinstance(listed, Mapping) else ((one["hash"], one["value"]) for one in listed)
    return {_signed(number): str(name) for number, name in pairs}


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
