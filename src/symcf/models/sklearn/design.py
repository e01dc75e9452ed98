"""The features of a fitted pipeline, and what the estimator at its end sees of each value.

Every supported step works column by column. So one row with a value in each raw column shows what all these values
become, and as many rows as the largest feature has values show everything. scikit-learn's own `transform` does this, so
nothing about rare categories, dropped columns or the last bin has to be repeated here.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from symcf.common.clock import tick
from symcf.common.lazy import cached_property
from symcf.data.columns import RawColumns
from symcf.data.encoder import as_floats, is_missing
from symcf.data.labels import checked_names
from symcf.data.reader import ColumnLayout, Table, read_rows, types_of
from symcf.data.types import ColumnType
from symcf.errors import InternalError, ModelError
from symcf.models.sklearn.dummies import dummy_groups
from symcf.models.sklearn.feature_values import Feature, group_feature, raw_feature
from symcf.models.sklearn.lineage import Domain, Lineage, check_followed, follow
from symcf.models.sklearn.seen import Seen

__all__ = ["Design", "Source", "Usable"]

#: Which of these numbers an estimator accepts in a column.
Usable = Callable[[int, npt.NDArray[np.float64]], npt.NDArray[np.bool_]]

NONE = "(none)"


@dataclass(frozen=True, eq=False)
class Design:
    """The features that reach an estimator."""

    features: tuple[str, ...]
    values: tuple[tuple[Hashable, ...], ...]
    ordered: tuple[bool, ...]
    encoder: RawColumns
    #: By feature, which columns of the estimator depend on it.
    columns: tuple[tuple[int, ...], ...]
    #: By feature, the content of those columns for each value: (values, columns).
    seen: tuple[Seen, ...]
    #: By feature, the same for several examples of each value; the first is `seen`.
    examples: tuple[tuple[Seen, ...], ...]

    @property
    def names(self) -> dict[str, Any]:
        """The keywords that models share."""
        return {"features": self.features, "values": self.values, "ordered": self.ordered, "encoder": self.encoder}


class Source:
    """The raw columns and the steps that an estimator gets its matrix from.

    Made from the fitted steps; `lineages` are the columns of the matrix. The estimator completes their domains (for
    example with cuts at its own thresholds), and `design` gives the features.
    """

    def __init__(
        self,
        transformer: Any,
        names: Sequence[str],
        *,
        named: bool,
        known: Sequence[str] | None = None,
        data: Any = None,
    ) -> None:
        self.transformer = transformer
        #: The names of the columns that the steps were fitted with, if they were.
        self.known = known
        #: Raw rows that the user gave with the estimator, or None.
        self.data = data
        self._table: Table | None = None
        #: By raw column, the range of its numbers, as the user gave it.
        self.ranges: dict[Any, Any] = {}
        #: By raw column, the type that the estimator remembers of the table that it was fitted on; empty if none.
        self.fitted_types: tuple[ColumnType | None, ...] = ()
        self.names = tuple(names)
        self.named = named
        self.domains = [Domain(name) for name in names]
        self._groups: list[Feature] = []
        self._grouped: set[int] = set()
        start = [Lineage(domain) for domain in self.domains]
        self.lineages: list[Lineage] = start if transformer is None else follow(transformer, start)
        check_followed(self.lineages)

    # --- what the user adds

    def index(self, column: Any, option: str) -> int:
        """The place of a raw column that is given by name or index."""
        if isinstance(column, str) and column in self.names:
            return self.names.index(column)
        if isinstance(column, (int, np.integer)) and not isinstance(column, bool) and 0 <= column < len(self.names):
            return int(column)
        raise ModelError(f"{option}: there is no column {column!r}")

    def set_values(self, values: Mapping[Any, Sequence[float]]) -> None:
        """The numbers that raw columns can hold."""
        for column, numbers in values.items():
            domain = self.domains[self.index(column, "values")]
            if domain.categories is not None:
                raise ModelError(f"values: column {domain.name!r} has categories from the pipeline; leave it out")
            try:
                domain.numbers = tuple(float(number) for number in numbers)
            except (TypeError, ValueError):
                raise ModelError(f"values: column {domain.name!r} needs a list of numbers, not {numbers!r}") from None
            if not domain.numbers or not np.isfinite(domain.numbers).all():
                raise ModelError(f"values: column {domain.name!r} needs finite numbers, not {numbers!r}")
            checked_names(domain.numbers, len(domain.numbers), f"values of {domain.name!r}", [])

    def set_groups(
        self, groups: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]] | str | None, encoded: Iterable[int] = ()
    ) -> None:
        """Groups of columns of which one is 1, as one feature each. None in a group means "all are 0". With "auto" they
        are found in the data, among all columns but those that the estimator takes as categories (``encoded``).
        """
        if isinstance(groups, str):
            if groups != "auto":
                raise ModelError(f"groups must be 'auto', None or lists of columns, not {groups!r}")
            found = dummy_groups(self._flags(set(encoded)))
            groups = {f"{name}_" if name in self.names else name: columns for name, columns in found.items()}
        groups = groups or {}
        named = groups.items() if isinstance(groups, Mapping) else ((None, columns) for columns in groups)
        for name, columns in named:
            if isinstance(columns, str) or len(columns) < 2:
                raise ModelError(f"groups: a group must list at least two columns, not {columns!r}")
            sources = [self.index(column, "groups") for column in columns if column is not None]
            for source in sources:
                if source in self._grouped or sources.count(source) > 1:
                    raise ModelError(f"groups: column {self.names[source]!r} appears twice")
                if self.domains[source].categories is not None or self.domains[source].cuts:
                    raise ModelError(
                        f"groups: column {self.names[source]!r} is already encoded by the pipeline; leave it out"
                    )
                self.domains[source].numbers = (0.0, 1.0)
            self._grouped.update(sources)
            none = [v for v, column in enumerate(columns) if column is None]
            if len(none) > 1:
                raise ModelError("groups: None appears twice")
            title, labels = _group_names(name, [self.names[source] for source in sources])
            if none:
                labels.insert(none[0], NONE)
            self._groups.append(group_feature(title, sources, labels, none[0] if none else None))

    def _flags(self, encoded: Set[int]) -> dict[str, npt.NDArray[np.bool_]]:
        """The raw columns that are 0 or 1 in all rows of the data and reach the estimator as numbers."""
        found, read = {}, {id(lineage.domain) for lineage in self.lineages}
        for column, domain in enumerate(self.domains):
            if (
                id(domain) not in read
                or column in encoded
                or domain.categories is not None
                or domain.cuts
                or domain.numbers is not None
            ):
                continue
            entries = self.data_column(column)
            if entries is not None and entries.dtype.kind in "biufO":
                numbers, readable = as_floats(entries)
                if readable.all() and np.isin(numbers, (0.0, 1.0)).all():
                    found[domain.name] = numbers == 1
        return found

    # --- what the estimator sees

    def accept_missing(self, columns: Iterable[int] | None = None) -> None:
        """NaN is a value of its own to the estimator, in these columns of its matrix (by default in all) if they hold
        numbers and it is not imputed first. Not if the user's data has none in the raw column: then it is refused when
        rows are read.
        """
        place = {id(domain): i for i, domain in enumerate(self.domains)}
        for c in range(len(self.lineages)) if columns is None else columns:
            lineage, domain = self.lineages[c], self.lineages[c].domain
            if lineage.finite or lineage.filled or domain.categories is not None or domain.numbers is not None:
                continue
            raw = self.data_column(place[id(domain)])
            if raw is None or _has_missing(raw):
                domain.add_missing(math.nan)

    def data_column(self, column: int) -> npt.NDArray[Any] | None:
        """A raw column of the user's data; None if there are none."""
        if self.data is None:
            return None
        if self._table is None:
            layout = ColumnLayout(self.names, tuple(range(len(self.names))), self.named, extra=True)
            self._table = read_rows(self.data, layout)
        return self._table.column(column)

    @cached_property
    def types(self) -> tuple[ColumnType | None, ...]:
        """By raw column, its type in the user's data; without data, what the estimator knows of it."""
        if self.data is None:
            return self.fitted_types
        return types_of(self.data, ColumnLayout(self.names, self._places_in_data, self.named, extra=True))

    @property
    def _places_in_data(self) -> tuple[int, ...]:
        """The places of the raw columns that the user's data has: those that a pipeline drops may be missing."""
        names = getattr(self.data, "columns", self.data if isinstance(self.data, Mapping) else self.names)
        known = set(names)
        here = [i for i, name in enumerate(self.names) if name in known]
        return tuple(here or range(len(self.names)))

    def design(
        self,
        *,
        other: bool,
        usable: Usable | None = None,
        missing: bool = False,
    ) -> Design:
        """The features that reach the estimator. ``usable`` says which numbers it accepts in a column; other
        values are refused when rows are read. ``missing``: whether it accepts NaN.
        """
        self._keep_missing_apart()
        for domain, kind in zip(self.domains, self.types, strict=False):
            if domain.categories is not None and kind is not None and getattr(kind.dtype, "ordered", False):
                domain.set_order(kind.dtype.categories.tolist())
        features = [
            raw_feature(domain, column, other=other)
            for column, domain in enumerate(self.domains)
            if column not in self._grouped
        ]
        features = sorted([*features, *self._groups], key=lambda feature: feature.sources[0])
        matrices = self._matrices(features)
        kept, columns_from = [], self._columns_from()
        for feature in features:
            tick()
            columns = self._columns_of(feature, columns_from)
            if columns:
                kept.append(self._values(feature, columns, matrices, usable, missing=missing))
        names, values, ordered, readers, columns_of, examples = zip(*kept, strict=True) if kept else ((),) * 6
        computed = [column for column, domain in enumerate(self.domains) if domain.computed]
        for column in computed:
            kind = self.types[column] if self.types else None
            if kind is not None and kind.is_short:
                raise ModelError(
                    f"column {self.names[column]!r} holds {kind} in data, and steps compute with its numbers before "
                    f"they are compared. scikit-learn then computes with fewer than 64 bits, which is not supported: "
                    f"convert the column to float64, in data and in rows"
                )
        for domain, kind in zip(self.domains, self.types or (), strict=False):
            if kind is not None and not kind.computes_as_doubles(domain.native):
                raise ModelError(
                    f"column {domain.name!r} holds {kind} in data, in which numpy computes "
                    f"{', '.join(function.__name__ for function in domain.native)} otherwise than in 64 bits: convert "
                    f"the column to float64, in data and in rows"
                )
        encoder = RawColumns(self.names, readers, named=self.named, doubles=computed, types=self.types)
        return Design(names, values, ordered, encoder, columns_of, tuple(seen[0] for seen in examples), examples)

    def _columns_from(self) -> Mapping[int, list[int]]:
        """By raw column, the columns of the matrix that come from it."""
        place = {id(domain): i for i, domain in enumerate(self.domains)}
        found: dict[int, list[int]] = {}
        for c, lineage in enumerate(self.lineages):
            found.setdefault(place[id(lineage.domain)], []).append(c)
        return found

    @staticmethod
    def _columns_of(feature: Feature, columns_from: Mapping[int, list[int]]) -> list[int]:
        return sorted(c for source in feature.sources for c in columns_from.get(source, ()))

    def _keep_missing_apart(self) -> None:
        """Missing values are a value of their own where they are imputed on some ways to the estimator only."""
        for lineage in self.lineages:
            if not lineage.filled:
                for fill in lineage.domain.fills:
                    lineage.domain.add_missing(fill.marker)

    def _values(
        self,
        feature: Feature,
        columns: list[int],
        matrices: list[Seen],
        usable: Usable | None,
        *,
        missing: bool,
    ) -> tuple[Any, ...]:
        """Gives codes to the cells of a feature that the estimator accepts."""
        count = len(feature.labels)
        parts = [matrix.part(count, columns) for matrix in matrices]
        seen = parts[0]
        finite = [i for i, c in enumerate(columns) if self.lineages[c].finite]
        same_in_all = seen.part(count, finite)
        if not all(part.part(count, finite).is_same(same_in_all) for part in parts[1:]):
            raise InternalError(f"the ranges of column {feature.name!r} do not fit the pipeline")
        accepted = np.isfinite(seen.numbers) | (np.isnan(seen.numbers) & missing)
        good = np.ones(count, dtype=np.bool_)
        good[seen.rows[~accepted]] = False
        good[list(feature.undefined)] = False
        if usable is not None:
            for i, c in enumerate(columns):
                good = np.logical_and(good, _usable_rows(seen, i, partial(usable, c)))
        same: int | None = None
        if feature.filled_later is not None:
            # the imputed value's own cell, if it has one
            equal = np.logical_and(good, seen.equal_rows(feature.filled_later))
            equal[feature.filled_later] = False
            if equal.any():
                same, good[feature.filled_later] = int(np.argmax(equal)), False
        if not good.any():
            raise ModelError(f"column {feature.name!r} has no value that the estimator accepts")
        code_of = np.where(good, np.cumsum(good) - 1, -1)
        if same is not None:
            code_of[feature.filled_later] = code_of[same]
        labels = tuple(label for label, fine in zip(feature.labels, good, strict=True) if fine)
        ordered = feature.ordered or (same is not None and all(isinstance(label, (int, float)) for label in labels))
        examples = tuple(part.among(good) for part in parts)
        return feature.name, labels, ordered, feature.reader(code_of), tuple(columns), examples

    # --- asking scikit-learn

    def _matrices(self, features: Sequence[Feature]) -> list[Seen]:
        """What the estimator sees of rows that have the first, second, ... value in every feature. More than one matrix
        if there is more than one example of each value.
        """
        turns = max((len(parts) for feature in features for parts in feature.examples), default=1)
        return [self._seen(features, turn) for turn in range(turns)]

    def _seen(self, features: Sequence[Feature], turn: int) -> Seen:
        raw: list[npt.NDArray[Any]] = [np.zeros(1)] * len(self.names)
        for feature in features:
            for source, parts in zip(feature.sources, feature.examples, strict=True):
                raw[source] = parts[min(turn, len(parts) - 1)].copy()
                # refused in any case, and would make scikit-learn refuse the others with it
                raw[source][list(feature.undefined)] = raw[source][feature.usual]
        rows = max((len(column) for column in raw), default=1)
        filled = [column[np.minimum(np.arange(rows), len(column) - 1)] for column in raw]
        try:
            return self._transformed(filled)
        except (ValueError, TypeError):
            # some value is refused, which is found by halves
            return self._by_halves(features, raw, filled)

    def _by_halves(
        self, features: Sequence[Feature], raw: list[npt.NDArray[Any]], filled: list[npt.NDArray[Any]]
    ) -> Seen:
        found: list[tuple[int, list[int], Seen]] = []
        refused = Seen.of(np.array([[np.inf]]))  # not NaN, which some estimators accept
        firsts = [column[:1] for column in raw]
        for feature in features:
            for source in feature.sources:
                firsts[source] = raw[source][feature.usual : feature.usual + 1]
        columns_from = self._columns_from()
        for feature in features:
            columns = self._columns_of(feature, columns_from)
            parts = [(0, len(feature.labels))] if columns else []
            while parts:
                low, high = parts.pop()
                rows = [np.repeat(first, high - low) for first in firsts]
                for source in feature.sources:
                    rows[source] = raw[source][low:high]
                try:
                    found.append((low, columns, self._transformed(rows).part(high - low, columns)))
                except (ValueError, TypeError):
                    middle = (low + high) // 2
                    parts += [(low, middle), (middle, high)] if high - low > 1 else []
                    found += [(low, columns[:1], refused)] if high - low == 1 else []
        return Seen.joined((len(filled[0]), len(self.lineages)), found)

    def _transformed(self, columns: list[npt.NDArray[Any]]) -> Seen:
        if self.transformer is None:
            numbers = map(_as_seen, self.domains, columns)
            return Seen.of(np.stack(list(numbers), axis=1).astype(np.float64))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # unknown categories are given on purpose
            matrix = self.transformer.transform(self._rows(columns))
        seen = Seen.of(matrix if hasattr(matrix, "toarray") else np.asarray(matrix))
        if seen.shape[1] != len(self.lineages):
            raise InternalError(f"the pipeline gave {seen.shape[1]} columns, {len(self.lineages)} were expected")
        return seen

    def _rows(self, columns: list[npt.NDArray[Any]]) -> Any:
        """Rows of the kind that the steps were fitted on."""
        if self.known is not None:
            import pandas as pd

            return pd.DataFrame(dict(zip(self.known, columns, strict=True)))
        kind = object if any(column.dtype.kind == "O" for column in columns) else np.float64
        matrix = np.empty((len(columns[0]), len(columns)), dtype=kind)
        for j, column in enumerate(columns):
            matrix[:, j] = column
        return matrix


def _usable_rows(
    seen: Seen, i: int, usable: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.bool_]]
) -> npt.NDArray[np.bool_]:
    """The rows whose number in a column is usable; 0, which most of them have, is looked at once."""
    rows, numbers = seen.stored(i)
    fine = usable(np.append(numbers, 0.0))
    result = np.full(seen.n_rows, fine[-1])
    result[rows] = fine[:-1]
    return result


def _has_missing(column: npt.NDArray[Any]) -> bool:
    if column.dtype.kind == "f":
        return bool(np.isnan(column).any())
    return column.dtype.kind == "O" and any(value is None or is_missing(value) for value in column.tolist())


def _as_seen(domain: Domain, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What an estimator without steps before it sees of a raw column."""
    if domain.places is None:
        return column
    return np.array([domain.places.get(value, math.nan) for value in column.tolist()])


def _group_names(name: str | None, columns: list[str]) -> tuple[str, list[Hashable]]:
    """colour_red, colour_blue: colour; red, blue."""
    if name is None:
        shared = columns[0]
        for column in columns[1:]:
            while not column.startswith(shared):
                shared = shared[:-1]
        # up to the last separator, so that colour_red and colour_rose do not share "colour_r"
        end = max(shared.rfind(mark) for mark in "_=:. -/")
        shared = shared[: end + 1]
        name = shared.rstrip("_=:. -/") or "|".join(columns)
    else:
        shared = next((name + mark for mark in ("_", "=", ":", ".", " ", "-", "/", "") if all(
            column.startswith(name + mark) and len(column) > len(name + mark) for column in columns)), "")  # fmt: skip
    return name, [column[len(shared) :] for column in columns]
