"""Explainable boosting machines of interpret: sums of tables, over one binned column or over several.

A table over one column is a list of weights. If all tables are, the machine is a `LinearClassifier`; if some are over
several columns, which is the default of interpret, each table becomes a tree, and the machine `BoostedTrees`. A column
may be binned more coarsely for tables over several columns than for its own. The values of the feature are the bins of
all its tables together.

interpret need not be installed: a fitted machine has all that is needed in its attributes.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.data.columns import Categories, Ranges, RawColumns, Reader
from symcf.data.encoder import is_missing
from symcf.data.labels import MISSING, OTHER
from symcf.data.reader import ColumnLayout, Table, read_rows, types_of
from symcf.errors import ModelError
from symcf.models.base import Model
from symcf.models.linear import LinearClassifier
from symcf.models.quantities import Link
from symcf.models.regressor import Regressor
from symcf.models.sklearn.cut_points import Cut, labels
from symcf.models.trees.boosted import BoostedTrees
from symcf.models.trees.nodes import TreeNodes, checked_nodes

__all__ = ["explainable_boosting", "is_glassbox"]

Scores = npt.NDArray[np.float64]

#: The classes that are read.
MACHINES = ("ExplainableBoostingClassifier", "ExplainableBoostingRegressor")

#: By link of a regressor, the steps from the sum to the number.
LINKS: dict[str, tuple[tuple[Any, ...], ...]] = {"identity": (), "log": (("exp",),)}

#: By link of a classifier, what its probabilities are. Other links decide by the sums, too.
PROBABILITIES = {"logit": "logistic", "mlogit": "logistic", "vlogit": "ovr"}

#: More entries in one table of several columns are not read: its tree would take all memory.
MOST_ENTRIES = 1 << 20


def is_glassbox(estimator: Any) -> bool:
    """Is it one of interpret's models?"""
    return type(estimator).__module__.startswith("interpret.")


def explainable_boosting(estimator: Any, data: Any = None) -> Model:
    """A fitted ExplainableBoostingClassifier or ExplainableBoostingRegressor."""
    name = type(estimator).__name__
    if name not in MACHINES:
        raise ModelError(f"{name} is not supported: of interpret, {' and '.join(MACHINES)} are")
    if not hasattr(estimator, "term_scores_"):
        raise ModelError(f"{name} is not fitted: call fit first")
    regressor = name == "ExplainableBoostingRegressor"
    link = str(getattr(estimator, "link_", "identity" if regressor else "logit"))
    if regressor and link not in LINKS:
        raise ModelError(f"{name} with the link {link!r} is not supported: {', '.join(LINKS)} are")
    names = tuple(str(column) for column in estimator.feature_names_in_)
    layout = ColumnLayout(names, tuple(range(len(names))), True, extra=True)
    table = None if data is None else read_rows(data, layout)
    terms = _Terms(estimator, names, table)
    bias = np.atleast_1d(np.asarray(estimator.intercept_, dtype=np.float64))
    alone = all(len(columns) == 1 for columns in terms.columns) and len(terms.columns) == len(terms.features)
    make = _sums if alone else _trees
    model = make(
        terms,
        bias,
        features=[names[feature.reader.sources[0]] for feature in terms.features],
        values=[feature.values for feature in terms.features],
        ordered=[isinstance(feature.reader, Ranges) for feature in terms.features],
        classes=(0, 1) if regressor else np.asarray(estimator.classes_).tolist(),
        tie="negative",
        probability=None if regressor else PROBABILITIES.get(link),
        encoder=RawColumns(
            names,
            [feature.reader for feature in terms.features],
            types=() if data is None else types_of(data, layout),
        ),
        rounded=True,
    )
    return Regressor(model, Link(LINKS[link])) if regressor else model


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Feature:
    """How a column is read, and in which bin of its tables each value lies."""

    reader: Reader
    values: list[Hashable]
    #: By number of columns of a table: for each value its place in the table, 0 for missing and -1 for unknown ones.
    places: Mapping[int, list[int]]


class _Terms:
    """The tables of a machine."""

    def __init__(self, estimator: Any, names: Sequence[str], table: Table | None) -> None:
        #: By term, the columns of its table, as places in `features`.
        self.columns: list[list[int]] = []
        #: By term, its table: one axis per column, then one for the sums.
        self.scores: list[Scores] = []
        given = [tuple(map(int, term)) for term in estimator.term_features_]
        used = sorted({j for term in given for j in term})
        for term in given:
            if len(set(term)) != len(term) or not term:
                raise ModelError(f"{type(estimator).__name__} has a term of the columns {list(term)}")
        ways = {j: sorted({len(term) for term in given if j in term}) for j in used}
        #: The columns that have a term.
        self.features = [_feature(j, names[j], estimator.bins_[j], ways[j], table) for j in used]
        place = {j: i for i, j in enumerate(used)}
        for term, scores in zip(given, estimator.term_scores_, strict=True):
            tick()
            array = np.asarray(scores, dtype=np.float64)
            columns = [place[j] for j in term]
            least = [1 + max(max(self.features[i].places[len(term)]), 1) for i in columns]
            if array.ndim < len(term) or any(size < known for size, known in zip(array.shape, least, strict=False)):
                shown = " and ".join(repr(names[j]) for j in term)
                raise ModelError(f"the scores of {shown} have the shape {array.shape}, which does not fit their bins")
            self.columns.append(columns)
            self.scores.append(array.reshape(*array.shape[: len(term)], -1))

    def places(self, i: int) -> list[npt.NDArray[np.int64]]:
        """By column of a table: for each value of the feature its place in the table."""
        columns = self.columns[i]
        return [np.array(self.features[j].places[len(columns)]) for j in columns]


def _feature(j: int, name: str, levels: Sequence[Any], ways: Sequence[int], table: Table | None) -> _Feature:
    """``ways``: how many columns the tables have that the column is in. Each may have bins of its own."""
    bins = {size: levels[min(size, len(levels)) - 1] for size in ways}
    if all(isinstance(one, dict) for one in bins.values()):
        return _categories(j, bins, table)
    cuts = sorted({float(cut) for one in bins.values() for cut in one})
    if not all(map(math.isfinite, cuts)):
        raise ModelError(f"the bins of column {name!r} end at numbers that are not finite")
    shown: list[Hashable] = [*labels([Cut(cut, cut, closed=False) for cut in cuts]), MISSING]
    n = len(cuts) + 1
    least = np.array([-math.inf, *cuts])
    places = {size: [*(np.searchsorted(one, least, side="right") + 1).tolist(), 0] for size, one in bins.items()}
    return _Feature(Ranges(j, tuple(cuts), tuple(range(n)), nan=n), shown, places)


def _categories(j: int, bins: Mapping[int, Mapping[str, int]], table: Table | None) -> _Feature:
    known = list(dict.fromkeys(text for one in bins.values() for text in one))
    numbers = {text: number for text in known if (number := _number(text)) is not None}
    seen = (
        []
        if table is None
        else [value for value in table.column(j).tolist() if not (value is None or is_missing(value))]
    )
    # Both spellings are the same category to interpret. Values are shown as the data has them.
    if len(numbers) == len(known) and not any(isinstance(value, str) for value in seen):
        boolean = bool(seen) and all(isinstance(value, bool) for value in seen)
        shown: list[Hashable] = [bool(number) if boolean else number for number in numbers.values()]
    else:
        shown = [*known]
    keys: dict[Any, int] = {value: code for code, value in enumerate(shown)}
    for code, text in enumerate(known):
        keys.setdefault(text, code)
        keys.setdefault(numbers.get(text, text), code)
    n = len(known)
    reader = Categories(j, tuple(keys), tuple(keys.values()), nan=n, none=n, other=n + 1)
    places = {size: [*(one.get(text, -1) for text in known), 0, -1] for size, one in bins.items()}
    return _Feature(reader, [*shown, MISSING, OTHER], places)


def _number(text: str) -> int | float | None:
    """The number that has this text as a category; None if none has."""
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    if text == repr(number).removesuffix(".0"):
        return number if "." in text or "e" in text else int(text)
    return int(text) if text == str(int(number)) else None


# --- models -----------------------------------------------------------------------------------------------------------


def _sums(terms: _Terms, bias: Scores, **names: Any) -> Model:
    """All tables are lists: a sum of weights."""
    tables = {columns[0]: terms.scores[i][terms.places(i)[0]] for i, columns in enumerate(terms.columns)}
    rows = [[tables[i][:, k].tolist() for i in range(len(tables))] for k in range(len(bias))]
    one = len(bias) == 1
    return LinearClassifier(rows[0] if one else rows, float(bias[0]) if one else bias.tolist(), **names)


def _trees(terms: _Terms, bias: Scores, *, values: list[Any], classes: Any, **names: Any) -> Model:
    """Some tables have several columns: each table is a tree."""
    n_classes = len(classes)
    pad = (n_classes - len(bias), 0)  # two classes have one sum, that of the second one
    nodes = [
        _tree(columns, np.pad(scores, [*([(0, 0)] * len(columns)), pad]), terms.places(i), len(values), f"term {i}")
        for i, (columns, scores) in enumerate(zip(terms.columns, terms.scores, strict=True))
    ]
    return BoostedTrees.from_nodes(nodes, values=values, classes=classes, bias=np.pad(bias, pad), **names)


def _tree(
    columns: Sequence[int], scores: Scores, places: Sequence[npt.NDArray[np.int64]], n_features: int, name: str
) -> TreeNodes:
    """A tree that halves a table until it has one score. Neighbours that score the same are not told apart."""
    tick()
    starts = []
    for axis, place_of in enumerate(places):
        line = np.moveaxis(scores, axis, 0).reshape(scores.shape[axis], -1)
        same_bin = place_of[1:] == place_of[:-1]
        pairs = zip(same_bin, place_of[1:], place_of[:-1], strict=True)
        change = [not same and (line[a] != line[b]).any() for same, a, b in pairs]
        starts.append(np.concatenate([[0], np.flatnonzero(change) + 1]).astype(np.int64))
    small = scores[np.ix_(*(place_of[start] for place_of, start in zip(places, starts, strict=True)))]
    if small.size > MOST_ENTRIES:
        raise ModelError(
            f"{name} is a table of {small.size:,} entries, and at most {MOST_ENTRIES:,} are read: fit with a smaller "
            "max_interaction_bins"
        )
    column: list[int] = []
    at: list[int] = []
    left: list[int] = []
    right: list[int] = []
    place: list[tuple[int, ...]] = []
    waiting = [(tuple((0, len(start)) for start in starts), -1, False)]
    while waiting:
        box, parent, is_right = waiting.pop()
        u = len(column)
        if parent >= 0:
            (right if is_right else left)[parent] = u
        axis = max(range(len(box)), key=lambda a: box[a][1] - box[a][0])
        first, end = box[axis]
        left.append(-1)
        right.append(-1)
        place.append(tuple(low for low, _ in box))
        if end - first == 1:
            column.append(-1)
            at.append(0)
            continue
        middle = (first + end) // 2
        column.append(columns[axis])
        at.append(int(starts[axis][middle]) - 1)
        waiting.append(((*box[:axis], (middle, end), *box[axis + 1 :]), u, True))
        waiting.append(((*box[:axis], (first, middle), *box[axis + 1 :]), u, False))
    leaf_scores = small[tuple(np.array(place).T)]
    return checked_nodes(column, at, left, right, leaf_scores, n_features, name=name)
