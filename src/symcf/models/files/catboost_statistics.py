"""Statistics of categories (CTRs) of CatBoost: numbers that it looks up by one category, or by several facts at once.

At predict time a statistic is a function of few columns with finitely many values: a table in the file says what was
counted for each combination seen in training, and all others share one number. A test "statistic > border" is therefore
a table of answers over categories, and over answers to tests of numbers where those are part of the combination.

A combination is found by a hash of 64 bits of the hashes of its categories and of its answers (`_hashes`). The number
is computed in 32-bit floats, as CatBoost does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.errors import ModelError
from symcf.models.files import raw

__all__ = ["MOST_ENTRIES", "FloatTest", "Statistic", "Tables"]

Hashes = npt.NDArray[np.uint64]

#: What CatBoost multiplies by when it combines two hashes.
MULTIPLIER = np.uint64(0x4906BA494954CB65)
#: The key of an empty place in a table.
EMPTY = 2**64 - 1
#: More combinations of categories in one statistic are not tabulated.
MOST_ENTRIES = 1 << 20

#: By type of a statistic: the numbers beside the key of a table, None where it is one per class.
WIDTHS = {
    "Borders": None,
    "Buckets": None,
    "Counter": 1,
    "FeatureFreq": 1,
    "BinarizedTargetMeanValue": 2,
    "FloatTargetMeanValue": 2,
}


@dataclass(frozen=True)
class FloatTest:
    """A part of a combination: is the number of a column greater than a border?"""

    column: int
    border: float
    nan_is_yes: bool


@dataclass(frozen=True)
class Statistic:
    """One statistic. Its values have one axis per column of categories, then one of length 2 per test of a number."""

    columns: tuple[int, ...]
    tests: tuple[FloatTest, ...]
    borders: tuple[float, ...]
    values: npt.NDArray[np.float32]


class Tables:
    """All statistics of a file.

    Parameters
    ----------
    content:
        What the file holds.
    flat:
        By categorical feature, its column.
    floats:
        By float feature: its column, and whether NaN is greater than all borders.
    """

    def __init__(
        self, content: Mapping[str, Any], flat: Mapping[int, int], floats: Mapping[int, tuple[int, bool]]
    ) -> None:
        self.listed = list(content["features_info"].get("ctrs") or [])
        self._data = content.get("ctr_data") or {}
        self._flat, self._floats = flat, floats
        self._keys: dict[str, tuple[Hashes, npt.NDArray[np.float64], float]] = {}

    def columns(self) -> set[int]:
        """The columns of categories that statistics are about."""
        parts = (part for one in self.listed for part in one["elements"])
        return {self._flat[int(part["cat_feature_index"])] for part in parts if "cat_feature_index" in part}

    def tested(self) -> dict[int, set[int]]:
        """By column, the hashes of categories that statistics compare it with."""
        found: dict[int, set[int]] = {}
        for one in self.listed:
            for part in one["elements"]:
                if part["combination_element"] == "cat_feature_exact_value":
                    found.setdefault(self._flat[int(part["cat_feature_index"])], set()).add(int(part["value"]))
        return found

    def alone(self, hashes: Sequence[int]) -> dict[int, set[int]]:
        """By column: those of these hashes of categories that a statistic of the column alone has counted."""
        found: dict[int, set[int]] = {}
        for one in self.listed:
            if len(one["elements"]) == 1 and one["elements"][0]["combination_element"] == "cat_feature_value":
                keys, _, _ = self._table(one)
                own = _combined(np.zeros(1, dtype=np.uint64), np.array(hashes, dtype=np.int64).astype(np.uint64))
                column = self._flat[int(one["elements"][0]["cat_feature_index"])]
                known = np.isin(own, keys)
                found.setdefault(column, set()).update(h for h, seen in zip(hashes, known, strict=True) if seen)
        return found

    def statistics(self, universe: Mapping[int, Sequence[int]]) -> tuple[list[Statistic], set[int]]:
        """All statistics over these hashes of categories by column, the last value of each axis being any other
        category; and the columns that have categories in the tables beside these.
        """
        unknown: set[int] = set()
        found = []
        for one in self.listed:
            statistic, complete = self._statistic(one, universe)
            found.append(statistic)
            if not complete:
                unknown.update(statistic.columns)
        return found, unknown

    def _statistic(self, one: Mapping[str, Any], universe: Mapping[int, Sequence[int]]) -> tuple[Statistic, bool]:
        categories, exact, tests = [], [], []
        for part in one["elements"]:
            kind = part["combination_element"]
            if kind == "float_feature":
                column, nan_is_yes = self._floats[int(part["float_feature_index"])]
                tests.append(FloatTest(column, float(np.float32(part["border"])), nan_is_yes))
                continue
            column = self._flat[int(part["cat_feature_index"])]
            if kind == "cat_feature_value":
                categories.append(column)
            elif kind == "cat_feature_exact_value":
                exact.append((column, (int(part["value"]) + 2**31) % 2**32 - 2**31))
            else:
                raise ModelError(f"CatBoost's statistics over parts of type {kind!r} are not supported")
        columns = tuple(sorted({*categories, *(column for column, _ in exact)}))
        shape = [len(universe[column]) + 1 for column in columns] + [2] * len(tests)
        if math.prod(shape) > MOST_ENTRIES or len(shape) > 16:
            raise ModelError(
                f"CatBoost's statistic of {len(columns)} columns has {math.prod(shape):,} combinations of categories, "
                f"and at most {MOST_ENTRIES:,} are read: train with max_ctr_complexity=1"
            )
        keys, rows, total = self._table(one)
        axis = {column: i for i, column in enumerate(columns)}
        grid = np.zeros(shape, dtype=np.uint64)
        known = np.ones(shape, dtype=np.bool_)

        def along(i: int, entries: Any) -> Any:
            return np.asarray(entries).reshape([-1 if k == i else 1 for k in range(len(shape))])

        with np.errstate(over="ignore"):
            for column in categories:
                hashes = np.array([*universe[column], 0], dtype=np.int64).astype(np.uint64)
                grid = _combined(grid, along(axis[column], hashes))
                known &= along(axis[column], np.arange(len(hashes)) < len(hashes) - 1)
            for i in range(len(tests)):
                grid = _combined(grid, along(len(columns) + i, np.arange(2, dtype=np.uint64)))
            for column, value in exact:
                equal = np.array([*(h == value for h in universe[column]), False]).astype(np.uint64)
                grid = _combined(grid, along(axis[column], equal))
        place = np.searchsorted(keys, grid)
        place = np.minimum(place, max(len(keys) - 1, 0))
        hit = known & (keys[place] == grid) if len(keys) else np.zeros(shape, dtype=np.bool_)
        # what no category of the universe leads to
        complete = len(np.unique(place[hit])) == len(keys)
        good, out_of = self._counts(one, rows, total)
        empty = total if str(one["ctr_type"]) in ("Counter", "FeatureFreq") else 0.0
        numerator = np.where(hit, good[place] if len(keys) else 0.0, 0.0).astype(np.float32)
        denominator = np.where(hit, out_of[place] if len(keys) else 0.0, empty).astype(np.float32)
        first, more = np.float32(one["prior_numerator"]), np.float32(one["prior_denomerator"])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio = (numerator + first) / (denominator + more)
            values = (ratio + np.float32(one["shift"])) * np.float32(one["scale"])
        if np.isnan(values).any():
            raise ValueError("a statistic of categories is not a number")
        borders = tuple(float(np.float32(border)) for border in one["borders"])
        return Statistic(columns, tuple(tests), borders, values.astype(np.float32)), complete

    def _counts(
        self, one: Mapping[str, Any], rows: npt.NDArray[np.float64], total: float
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """By entry of its table, what is divided, and by what."""
        kind, index = str(one["ctr_type"]), int(one.get("target_border_idx", 0))
        if kind in ("Counter", "FeatureFreq"):
            return rows[:, 0], np.full(len(rows), total)
        if WIDTHS[kind] == 2:
            return rows[:, 0], rows[:, 1]
        if not 0 <= index < max(rows.shape[1], 1):
            raise ValueError(f"target_border_idx is {index}")
        good = rows[:, index] if kind == "Buckets" else rows[:, index + 1 :].sum(axis=1)
        return good, rows.sum(axis=1)

    def _table(self, one: Mapping[str, Any]) -> tuple[Hashes, npt.NDArray[np.float64], float]:
        """The keys in ascending order, the numbers beside them, and the denominator of counters."""
        name, kind = str(one["identifier"]), str(one["ctr_type"])
        if kind not in WIDTHS:
            raise ModelError(f"CatBoost's statistics of type {kind!r} are not supported")
        if name in self._keys:
            return self._keys[name]
        if name not in self._data:
            identifier = json.dumps(one["identifier"])
            raise ValueError(f"ctr_data has no table {identifier[:80]}")
        part = self._data[name]
        stride = raw.counted(part["hash_stride"], "numbers per category", raw.MOST_CLASSES)
        given = part["hash_map"]
        if stride < 2 or len(given) % stride or (WIDTHS[kind] or stride - 1) != stride - 1:
            raise ValueError(f"a table of {len(given)} numbers has rows of {stride}")
        keys = [int(key) for key in given[::stride]]
        rows = np.array([given[i::stride] for i in range(1, stride)], dtype=np.float64).T.reshape(len(keys), -1)
        if not np.isfinite(rows).all() or not all(0 <= key <= EMPTY for key in keys):
            raise ValueError("a table of statistics has an entry that is not a count")
        array = np.array(keys, dtype=np.uint64)
        order = np.argsort(array, kind="stable")
        order = order[array[order] != EMPTY]
        self._keys[name] = array[order], rows[order], float(part.get("counter_denominator", 0))
        return self._keys[name]


def _combined(one: Hashes, other: Hashes) -> Hashes:
    """The hash of two hashes."""
    with np.errstate(over="ignore"):
        result: Hashes = MULTIPLIER * (one + MULTIPLIER * other)
    return result
